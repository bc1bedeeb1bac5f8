package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
)

// building is a call of protocol build.
type building struct {
	in *input

	request, response           string // files
	requestShape, responseShape string // IRIs
	verb, responseClass         string
	parts                       protocol.Parts
}

func (a *app) protocolBuildCommand() *cobra.Command {
	b := &building{}
	cmd := &cobra.Command{
		Use:   "build --request SHAPES [--response SHAPES] --id IRI",
		Short: "make a Protocol Document of shapes, or for a stock verb",
		Long: `Makes a Protocol Document and writes it as Turtle; its pin goes to standard
error. The request shape is the only node shape of --request that has an IRI and
that no other shape refers to, or the one that --request-shape names; the whole
file becomes part of the document. --verb takes the prebuilt shape of a verb
instead:
` + strings.Join(verbNames(), ", ") + `.

The result passes every rule that protocol verify checks, or there is none.`,
		Example: `  rdfproto protocol build --verb read --id https://me.example/read
  rdfproto protocol build --request shapes.ttl --response answer.ttl \
    --id https://me.example/p --title Protocol --doc-version 1`,
		Args: files(0, 0),
	}
	b.in = a.addInputFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&b.request, "request", "", "the `FILE` with the request shape")
	f.StringVar(&b.response, "response", "", "the `FILE` with the response shape, none by default")
	f.StringVar(&b.requestShape, "request-shape", "", "the `IRI` of the request shape, where the file has several")
	f.StringVar(&b.responseShape, "response-shape", "", "the `IRI` of the response shape, where the file has several")
	f.StringVar(&b.verb, "verb", "", "take the prebuilt request shape of a `VERB`")
	f.StringVar(&b.responseClass, "response-class", "", "take the prebuilt response shape, for a class of an `IRI`")
	f.StringVar(&b.parts.ID, "id", "", "the `IRI` of the document")
	f.StringVar(&b.parts.Title, "title", "", "its title")
	f.StringVar(&b.parts.Description, "description", "", "its description")
	f.StringVar(&b.parts.Version, "doc-version", "", "its version, a label")
	completeFlag(cmd, "verb", verbNames()...)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := b.check(cmd); err != nil {
			return err
		}
		d, err := b.build(cmd)
		if err != nil {
			return err
		}
		if err := a.write(d.Dataset(), rdfio.Turtle, protocolNamer(nil)); err != nil {
			return err
		}
		for _, f := range protocol.Examine(d).Findings {
			a.diag.line(level(f), rdf.Place{}, f.Text, string(f.Code))
		}
		a.diag.hint("the pin is " + d.Pin().String())
		return nil
	}
	return cmd
}

func verbNames() []string {
	var all []string
	for _, v := range protocol.Verbs() {
		all = append(all, v.String())
	}
	return all
}

func (b *building) check(cmd *cobra.Command) error {
	if err := b.in.check(cmd); err != nil {
		return err
	}
	iri := func(flag, value string) error {
		if value == "" && flag != "--id" {
			return nil
		}
		if err := rdf.CheckIRI(value); err != nil {
			return usageError(cmd, flag+": "+err.Error())
		}
		return nil
	}
	switch {
	case b.parts.ID == "":
		return usageError(cmd, "--id is missing: the IRI of the document")
	case (b.request == "") == (b.verb == ""):
		return usageError(cmd, "expected one of --request and --verb")
	case b.response != "" && b.responseClass != "":
		return usageError(cmd, "--response does not go with --response-class")
	case b.requestShape != "" && b.request == "":
		return usageError(cmd, "--request-shape names a shape of --request")
	case b.responseShape != "" && b.response == "" && b.responseClass == "":
		return usageError(cmd, "--response-shape names a shape of --response, or that of --response-class")
	}
	if _, ok := protocol.ParseVerb(b.verb); b.verb != "" && !ok {
		return usageError(cmd, "--verb: unknown verb "+quote(b.verb)+", expected one of "+strings.Join(verbNames(), ", "))
	}
	return errors.Join(iri("--id", b.parts.ID), iri("--request-shape", b.requestShape), iri("--response-shape", b.responseShape), iri("--response-class", b.responseClass))
}

func (b *building) build(cmd *cobra.Command) (*protocol.Document, error) {
	ctx := cmd.Context()
	shapes := func(file string) (*rdf.Dataset, error) { return b.in.dataset(ctx, rdfio.Options{Places: true}, file) }
	p := b.parts
	var err error
	if verb, ok := protocol.ParseVerb(b.verb); ok {
		p.Request.Graph, err = protocol.StockRequest(verb)
	} else {
		p.Request.Root = b.requestShape
		p.Request.Graph, err = shapes(b.request)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case b.responseClass != "":
		p.Response.Graph, err = protocol.StockResponse(b.responseClass, b.responseShape)
	case b.response == b.request && b.response != "":
		p.Response = protocol.Shapes{Graph: p.Request.Graph, Root: b.responseShape}
	case b.response != "":
		p.Response.Root = b.responseShape
		p.Response.Graph, err = shapes(b.response)
	}
	if err != nil {
		return nil, err
	}
	d, err := protocol.Build(ctx, p, protocol.Options{Canon: b.in.limits.canon})
	if err != nil {
		return nil, b.refused(err)
	}
	return d, nil
}

// refused turns what Build says without a place into a refusal of the files.
func (b *building) refused(err error) error {
	files := display(b.request)
	if b.request == "" || b.response != "" && b.response != b.request {
		files = strings.Trim(files+", "+display(b.response), ", ")
	}
	for _, f := range failures(&inFile{files, err}) {
		if f.status == StatusRefused {
			return &inFile{files, err}
		}
	}
	return &failure{status: StatusRefused, place: rdf.Place{File: files}, text: err.Error(), code: string(protocol.CodeInvalidProtocolDocument)}
}
