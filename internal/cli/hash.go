package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
)

func (a *app) hashCommand() *cobra.Command {
	var (
		pin    string
		asJSON bool
		in     *input
	)
	cmd := &cobra.Command{
		Use:   "hash FILE...",
		Short: "print the protocol hash of a dataset (RDFC-1.0, SHA-256)",
		Long: `Prints the protocol hash of each file: the SHA-256 of the canonical N-Quads
(RDFC-1.0) of its dataset. The hash does not depend on syntax, order, prefixes
or blank node labels. Literals and language tags count as they are written, line
ends within long texts included.

With --pin it prints nothing and compares: exit 0 if the hash is equal, 1 if it
differs.`,
		Example: `  rdfproto hash protocol.ttl
  rdfproto hash a.ttl b.nq
  rdfproto hash --pin sha256:4af1e70e42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990ab509 protocol.ttl`,
		Args: files(1, manyFiles),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := in.check(cmd); err != nil {
				return err
			}
			if !cmd.Flags().Changed("pin") {
				if asJSON {
					return usageError(cmd, "--json needs --pin: without it there is no verdict")
				}
				return a.hashes(cmd.Context(), in, args)
			}
			want, err := canon.ParseDigest(pin)
			if err != nil {
				return usageError(cmd, "--pin: "+err.Error())
			}
			if len(args) > 1 {
				return usageError(cmd, "--pin compares one FILE")
			}
			return a.comparePin(cmd.Context(), in, want, args[0], asJSON)
		},
	}
	in = a.addInputFlags(cmd)
	cmd.Flags().StringVar(&pin, "pin", "", "compare with this `sha256:HEX` instead of printing")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the verdict of --pin as JSON")
	return cmd
}

// hashes prints the hash of each file. A file that fails has its line on
// standard error and does not keep the others from theirs.
func (a *app) hashes(ctx context.Context, in *input, args []string) error {
	status := StatusYes
	for _, file := range args {
		digest, err := a.hash(ctx, in, file)
		switch {
		case err != nil:
			status = max(status, a.diag.explain(err))
			if ctx.Err() != nil {
				return ended(status)
			}
		case len(args) == 1:
			fmt.Fprintf(a.out, "%s\n", digest)
		default:
			fmt.Fprintf(a.out, "%s  %s\n", digest, printable(file))
		}
	}
	return ended(status)
}

func (a *app) hash(ctx context.Context, in *input, file string) (canon.Digest, error) {
	d, err := in.dataset(ctx, rdfio.Options{}, file)
	if err != nil {
		return canon.Digest{}, err
	}
	in.warnEmpty(file, d)
	digest, err := canon.Hash(ctx, d, in.limits.canon)
	if err != nil {
		return canon.Digest{}, &inFile{display(file), err}
	}
	return digest, nil
}

func (a *app) comparePin(ctx context.Context, in *input, want canon.Digest, file string, asJSON bool) error {
	got, err := a.hash(ctx, in, file)
	if err != nil {
		return err
	}
	v := verdict{Status: StatusYes, Message: "the hash is that of the pin"}
	if !got.Equal(want) {
		v = verdict{Status: StatusNo, Code: "protocol-hash-mismatch", Message: "the hash is " + got.String() + ", not that of the pin"}
	}
	if asJSON {
		return a.json(v, []byte(`{"hash":"`+got.String()+`"}`))
	}
	if v.Status != StatusYes {
		a.diag.line("error", rdf.Place{File: display(file)}, v.Message, v.Code)
	}
	return ended(v.Status)
}
