package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// jsonldFlags are the flags that say how to read JSON-LD.
type jsonldFlags struct {
	contexts      []string // IRI=FILE
	lossy         bool
	mode          string
	direction     string
	expandContext string

	options *jsonld.Options // made of the flags when the first document needs them
}

func (j *jsonldFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&j.contexts, "context", nil, "JSON-LD: take the remote context with an IRI from a file, `IRI=FILE` (repeatable); any other is refused")
	f.BoolVar(&j.lossy, "lossy", false, "JSON-LD: drop without an error what JSON-LD 1.1 drops")
	f.StringVar(&j.mode, "processing-mode", "json-ld-1.1", "JSON-LD: `MODE` json-ld-1.1 or json-ld-1.0, which refuses features of 1.1")
	f.StringVar(&j.direction, "rdf-direction", "", "JSON-LD: keep the direction of strings, as `FORM` i18n-datatype or compound-literal")
	f.StringVar(&j.expandContext, "expand-context", "", "JSON-LD: a `FILE` with a context that applies before the document's own")
	completeFlag(cmd, "processing-mode", "json-ld-1.1", "json-ld-1.0")
	completeFlag(cmd, "rdf-direction", "i18n-datatype", "compound-literal")
}

func (j *jsonldFlags) check(cmd *cobra.Command) error {
	if _, err := readPins(cmd, "--context", "an absolute IRI", j.contexts); err != nil {
		return err
	}
	if _, ok := j.processingMode(); !ok {
		return usageError(cmd, "--processing-mode: expected json-ld-1.1 or json-ld-1.0, found "+quote(j.mode))
	}
	if _, ok := j.rdfDirection(); !ok {
		return usageError(cmd, "--rdf-direction: expected i18n-datatype or compound-literal, found "+quote(j.direction))
	}
	return nil
}

// pin is a document that a flag gives by its IRI, to be taken from a file.
type pin struct{ iri, file string }

// readPins reads the values of a flag that gives documents; what names a value's
// first half. Two files for one IRI are refused: one would be read, and the other
// would look as if it were.
func readPins(cmd *cobra.Command, flag, what string, values []string) ([]pin, error) {
	files := map[string]string{}
	var pins []pin
	for _, value := range values {
		iri, file := splitPin(value)
		if err := rdf.CheckIRI(iri); err != nil || file == "" {
			return nil, usageError(cmd, flag+": expected "+what+", \"=\" and a file, found "+quote(value))
		}
		switch other := files[iri]; other {
		case file:
			continue
		case "":
		default:
			return nil, usageError(cmd, flag+": two files for "+quote(iri)+": "+quote(other)+" and "+quote(file))
		}
		files[iri] = file
		pins = append(pins, pin{iri, file})
	}
	return pins, nil
}

// splitPin splits IRI=FILE at the last "=": queries of IRIs hold some, names of
// files seldom do.
func splitPin(pin string) (iri, file string) {
	i := strings.LastIndexByte(pin, '=')
	if i < 0 {
		return pin, ""
	}
	return pin[:i], pin[i+1:]
}

func (j *jsonldFlags) processingMode() (jsonld.ProcessingMode, bool) {
	switch j.mode {
	case "", "json-ld-1.1":
		return jsonld.JSONLD11, true
	case "json-ld-1.0":
		return jsonld.JSONLD10, true
	}
	return 0, false
}

func (j *jsonldFlags) rdfDirection() (jsonld.RDFDirection, bool) {
	switch j.direction {
	case "":
		return jsonld.NoDirection, true
	case "i18n-datatype":
		return jsonld.I18nDatatype, true
	case "compound-literal":
		return jsonld.CompoundLiteral, true
	}
	return 0, false
}

// pinnedBytes is what a context may have that a flag takes from a file.
func pinnedBytes() int64 { return jsonld.Local().ContextBytes }

// jsonldOptions reads the files that the flags name, once.
func (in *input) jsonldOptions(ctx context.Context) (jsonld.Options, error) {
	j := &in.jsonld
	if j.options != nil {
		return *j.options, nil
	}
	o := jsonld.Options{ProcessingLimits: in.limits.jsonld, Lossy: j.lossy}
	o.ProcessingMode, _ = j.processingMode() // checked
	o.RDFDirection, _ = j.rdfDirection()
	documents := map[string][]byte{}
	for _, value := range j.contexts {
		iri, file := splitPin(value) // checked
		data, err := in.bytes(ctx, file, pinnedBytes())
		if err != nil {
			return o, err
		}
		documents[iri] = data
	}
	var err error
	if o.Contexts, err = jsonld.NewContexts(documents); err != nil {
		return o, j.inFile(err)
	}
	if j.expandContext != "" {
		if o.ExpandContext, err = in.bytes(ctx, j.expandContext, in.limits.read.OrPeer().Bytes); err != nil {
			return o, err
		}
	}
	j.options = &o
	return o, nil
}

// inFile gives an error in a pinned context, whose place has the context's IRI,
// the name of the file that the context came from.
func (j *jsonldFlags) inFile(err error) error {
	file := func(p rdf.Place) rdf.Place {
		for _, pin := range j.contexts {
			if iri, file := splitPin(pin); iri == p.File {
				p.File = display(file)
			}
		}
		return p
	}
	var (
		refused *jsonld.Error
		syntax  *rdf.SyntaxError
		limit   *rdf.LimitError
	)
	switch {
	case len(j.contexts) == 0:
	case errors.As(err, &refused):
		e := *refused
		e.Place = file(e.Place)
		return &e
	case errors.As(err, &syntax):
		e := *syntax
		e.Place = file(e.Place)
		return &e
	case errors.As(err, &limit):
		e := *limit
		e.Place = file(e.Place)
		return &e
	}
	return err
}

// jsonldHint says what could be done about a refusal.
func jsonldHint(e *jsonld.Error) string {
	switch e.Code {
	case jsonld.CodeLoadingRemoteContext:
		return "--context IRI=FILE takes the context from a file; nothing is fetched"
	case jsonld.CodeUndefinedTerm, jsonld.CodeReservedTerm, jsonld.CodeIllFormedIRI, jsonld.CodeBlankPredicate,
		jsonld.CodeIllFormedTag, jsonld.CodeFreeFloating:
		return "--lossy drops it from the RDF, as plain JSON-LD 1.1 does"
	case jsonld.CodeInexactNumber:
		return "--lossy rounds it, as plain JSON-LD 1.1 does; a string is kept as it is"
	case jsonld.CodeRelativeIRI:
		return "--base IRI resolves it; --lossy drops it from the RDF, as plain JSON-LD 1.1 does"
	case jsonld.CodeDirectionDropped:
		return "--rdf-direction keeps it; --lossy drops it from the RDF, as plain JSON-LD 1.1 does"
	}
	return ""
}
