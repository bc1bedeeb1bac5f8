package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

func (a *app) convertCommand() *cobra.Command {
	var (
		to string
		in *input
	)
	cmd := &cobra.Command{
		Use:   "convert --to FORMAT FILE",
		Short: "read one RDF syntax, write another",
		Long: `Reads a file and writes its dataset in another syntax. Turtle and TriG keep the
prefixes of the input, write blank nodes and lists inside the statements that
use them, and are the same for the same dataset.`,
		Example: `  rdfproto convert --to turtle b.nq
  rdfproto convert --to nquads protocol.ttl
  rdfproto convert --format trig --to nquads - < message`,
		Args: files(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := in.check(cmd); err != nil {
				return err
			}
			if to == "" {
				return usageError(cmd, "--to is missing: the syntax to write")
			}
			syntax, err := syntaxNamed(cmd, "--to", to)
			if err != nil {
				return err
			}
			if syntax == rdfio.JSONLD {
				return usageError(cmd, "--to: jsonld can be read, not written")
			}
			d, err := in.dataset(cmd.Context(), args[0], rdfio.Options{})
			if err != nil {
				return err
			}
			in.warnEmpty(args[0], d)
			if n := len(d.GraphNames()); n > 0 && (syntax == rdfio.Turtle || syntax == rdfio.NTriples) {
				return &failure{
					status: StatusRefused, place: rdf.Place{File: display(args[0])}, code: "named-graphs",
					text: fmt.Sprintf("the document has %s, which %s cannot hold", count(n, "named graph"), syntax),
					hint: "--to trig and --to nquads keep them",
				}
			}
			return a.write(d, syntax, newNames(in.declared))
		},
	}
	in = a.addInputFlags(cmd)
	cmd.Flags().StringVar(&to, "to", "", "`FORMAT` to write: turtle, trig, ntriples or nquads")
	completeFormat(cmd, "to")
	return cmd
}

// write writes a dataset to standard output. One with named graphs must not be
// given to a syntax without.
func (a *app) write(d *rdf.Dataset, syntax rdfio.Syntax, n *names) error {
	switch syntax {
	case rdfio.Turtle:
		return turtle.Write(a.out, d, turtle.WriteOptions{Prefixes: n.used(d)})
	case rdfio.TriG:
		return turtle.WriteTriG(a.out, d, turtle.WriteOptions{Prefixes: n.used(d)})
	case rdfio.NTriples:
		return nquads.WriteTriples(a.out, d)
	case rdfio.NQuads:
		return nquads.Write(a.out, d)
	}
	return fmt.Errorf("there is no writer for %s", syntax)
}

// count writes a number of things: "1 result", "2 results".
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
