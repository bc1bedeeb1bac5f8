package cli

import (
	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
)

func (a *app) canonCommand() *cobra.Command {
	var (
		labels    bool
		algorithm string
		in        *input
	)
	cmd := &cobra.Command{
		Use:   "canon FILE",
		Short: "print the canonical N-Quads of a dataset (RDFC-1.0)",
		Long: `Prints the dataset of a file as canonical N-Quads (RDFC-1.0): sorted, with
blank nodes named c14n0, c14n1, ...`,
		Example: `  rdfproto canon protocol.ttl
  rdfproto canon --labels protocol.ttl
  rdfproto canon --format trig - < message`,
		Args: files(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := in.check(cmd); err != nil {
				return err
			}
			o := in.limits.canon
			switch algorithm {
			case "sha256":
				o.Algorithm = canon.SHA256
			case "sha384":
				o.Algorithm = canon.SHA384
			default:
				return usageError(cmd, "--algorithm: unknown algorithm "+quote(algorithm)+", expected sha256 or sha384")
			}
			file := args[0]
			d, err := in.dataset(cmd.Context(), rdfio.Options{}, file)
			if err != nil {
				return err
			}
			in.warnEmpty(file, d)
			c, err := canon.Canonicalize(cmd.Context(), d, o)
			if err != nil {
				return &inFile{display(file), err}
			}
			if labels {
				return a.labels(c)
			}
			_, err = a.out.Write(c.NQuads())
			return err
		},
	}
	in = a.addInputFlags(cmd)
	cmd.Flags().BoolVar(&labels, "labels", false, "print the map from input label to canonical label as JSON instead")
	cmd.Flags().StringVar(&algorithm, "algorithm", "sha256", "`HASH` inside RDFC-1.0: sha256 or sha384")
	completeFlag(cmd, "algorithm", "sha256", "sha384")
	return cmd
}

// labels prints the issued identifiers map as one JSON object, in the order of
// issue.
func (a *app) labels(c *canon.Canonical) error {
	line := []byte{'{'}
	for i, l := range c.Labels() {
		if i > 0 {
			line = append(line, ',')
		}
		for j, text := range []string{l.Input, l.Canonical} {
			if j > 0 {
				line = append(line, ':')
			}
			quoted, err := marshal(text)
			if err != nil {
				return err
			}
			line = append(line, quoted...)
		}
	}
	_, err := a.out.Write(append(line, '}', '\n'))
	return err
}
