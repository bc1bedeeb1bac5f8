package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld/write"
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
use them, and are the same for the same dataset. JSON-LD has the prefixes as its
context, when they are no more than 256, and is written only when it is read
again as the same dataset.`,
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
			d, err := in.dataset(cmd.Context(), rdfio.Options{}, args[0])
			if err != nil {
				return err
			}
			in.warnEmpty(args[0], d)
			if n := len(d.GraphNames()); n > 0 && (syntax == rdfio.Turtle || syntax == rdfio.NTriples) {
				return &failure{
					status: StatusRefused, place: rdf.Place{File: display(args[0])}, code: "named-graphs",
					text: fmt.Sprintf("the document has %s, which %s cannot hold", count(n, "named graph"), syntax),
					hint: "--to trig, --to nquads and --to jsonld keep them",
				}
			}
			if syntax == rdfio.JSONLD {
				return a.writeJSONLD(cmd.Context(), d, newNamer(in.declared, nil), display(args[0]))
			}
			return a.write(d, syntax, newNamer(in.declared, nil))
		},
	}
	in = a.addInputFlags(cmd)
	cmd.Flags().StringVar(&to, "to", "", "`FORMAT` to write: "+formatNames())
	completeFlag(cmd, "to", formats()...)
	return cmd
}

// write writes a dataset to standard output, in another syntax than JSON-LD. One
// with named graphs must not be given to a syntax without.
func (a *app) write(d *rdf.Dataset, syntax rdfio.Syntax, n *shapeNamer) error {
	switch syntax {
	case rdfio.Turtle:
		return turtle.Write(a.out, d, turtle.WriteOptions{Prefixes: n.Used(d)})
	case rdfio.TriG:
		return turtle.WriteTriG(a.out, d, turtle.WriteOptions{Prefixes: n.Used(d)})
	case rdfio.NTriples:
		return nquads.WriteTriples(a.out, d)
	case rdfio.NQuads:
		return nquads.Write(a.out, d)
	}
	return fmt.Errorf("there is no writer for %s", syntax)
}

// mostPrefixes is how many prefixes a context has that JSON-LD is written with: each IRI is
// compared with all of them. Large documents have dozens.
const mostPrefixes = 256

// writeJSONLD writes JSON-LD with a context of the prefixes, and without one where
// a prefix would change what an IRI says, or where they are too many.
func (a *app) writeJSONLD(ctx context.Context, d *rdf.Dataset, n *shapeNamer, file string) error {
	o := write.Options{NativeTypes: true}
	if used := n.Used(d); len(used) <= mostPrefixes {
		o.Context = prefixContext(used)
	}
	err := write.Write(ctx, a.out, d, o)
	if o.Context != nil && (errors.Is(err, write.ErrDiffers) || errors.Is(err, write.ErrContext)) {
		o.Context = nil
		err = write.Write(ctx, a.out, d, o)
	}
	if errors.Is(err, write.ErrDiffers) {
		return &failure{status: StatusRefused, place: rdf.Place{File: file}, code: "not-writable", text: err.Error(), hint: "--to nquads holds every dataset"}
	}
	return err
}

// prefixContext returns the JSON-LD context of prefixes, nil for none. The empty
// prefix, and one that looks like a keyword, have no counterpart.
func prefixContext(prefixes []turtle.Prefix) []byte {
	type definition struct {
		ID     string `json:"@id"`
		Prefix bool   `json:"@prefix"`
	}
	local := map[string]any{}
	for _, p := range prefixes {
		switch {
		case p.Name == "" || p.Name[0] == '@' || p.IRI == "":
		case strings.IndexByte(":/?#[]@", p.IRI[len(p.IRI)-1]) >= 0:
			local[p.Name] = p.IRI
		default: // only what ends so is a prefix without being told
			local[p.Name] = definition{p.IRI, true}
		}
	}
	if len(local) == 0 {
		return nil
	}
	text, err := json.Marshal(local)
	if err != nil {
		return nil // no string of a document fails
	}
	return text
}

// count writes a number of things: "1 result", "2 results".
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
