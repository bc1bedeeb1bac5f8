package differential_test

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/piprate/json-gold/ld"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/jsonld/write"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

// toRDF reads JSON-LD by json-gold, which may load what documents holds.
func toRDF(text, base string, documents map[string]string) (d *rdf.Dataset, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	input, err := ld.DocumentFromReader(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	options := ld.NewJsonLdOptions(base)
	options.DocumentLoader = loader(documents)
	options.Format = "application/n-quads"
	quads, err := ld.NewJsonLdProcessor().ToRDF(input, options)
	if err != nil {
		return nil, err
	}
	return nquads.Parse([]byte(quads.(string)), nquads.Options{Limits: rdf.Local()})
}

// loader serves documents by their IRIs, and no others.
type loader map[string]string

func (l loader) LoadDocument(iri string) (*ld.RemoteDocument, error) {
	text, ok := l[iri]
	if !ok {
		return nil, ld.NewJsonLdError(ld.LoadingDocumentFailed, iri)
	}
	document, err := ld.DocumentFromReader(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	return &ld.RemoteDocument{DocumentURL: iri, Document: document}, nil
}

func byJSONLD(name, text, base string, contexts *jsonld.Contexts) document {
	d, err := jsonld.Parse([]byte(text), jsonld.Options{Base: base, Contexts: contexts, Lossy: true, Limits: rdf.Local()})
	return document{name: name, text: text, base: base, ours: d, err: err}
}

// refusedAs tells documents that our reader refuses with one of some codes.
func refusedAs(codes ...jsonld.Code) func(document) bool {
	return func(doc document) bool {
		var e *jsonld.Error
		if doc.err == nil || !errors.As(doc.err, &e) {
			return false
		}
		for _, code := range codes {
			if e.Code == code {
				return true
			}
		}
		return false
	}
}

func jsonGoldFaults() []fault {
	return []fault{
		{cause: "puts one constant in the place of JSON literals that are no objects", holds: holds(`"@json"`)},
		{cause: "removes dot segments otherwise than RFC 3986", holds: holds(`"(@base|@id|urn:ex:p)": *"[^"]*\.\.?[/"]`)},
		{cause: "resolves against a base without an authority, an ill-formed one or none", holds: holds(`"@base": *("[a-z]+:([^/"][^"]*)?"|"[^"]*[<>][^"]*"|null)`)},
		{cause: "does not resolve a vocabulary", holds: holds(`"@vocab": *"\.?/`)},
		{cause: "passes over the scoped context of a nesting term", holds: holds(`"@id": *"@nest",\s*"@context"`)},
		{cause: "refuses a reverse property that looks like a keyword", holds: holds(`"@reverse": *"@[a-zA-Z]+"`)},
		{cause: "keeps terms protected behind a scoped context that is null", holds: holds(`"@context": *null`)},
		{cause: "accepts what is no term definition", holds: refusedAs(
			jsonld.CodeInvalidTermDefinition, jsonld.CodeInvalidScopedContext, jsonld.CodeKeywordRedefinition, jsonld.CodeProtectedTermRedefinition)},
		{cause: "accepts a type that is no IRI", holds: refusedAs(jsonld.CodeInvalidTypedValue)},
	}
}

// Every document of the suite that is for this version and needs no options.
func TestSuiteJSONLD(t *testing.T) {
	t.Parallel()
	dir := suite.Dir(t, "jsonld11-tordf")
	base, entries := suite.Entries(t, "jsonld11-tordf", "toRdf-manifest.jsonld", 467)
	documents, pins := loader{}, map[string][]byte{}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*-context*.jsonld"))
	require.NoError(t, err)
	for _, file := range files {
		name, err := filepath.Rel(dir, file)
		require.NoError(t, err)
		pins[base+filepath.ToSlash(name)] = suite.ReadFile(t, file)
		documents[base+filepath.ToSlash(name)] = string(pins[base+filepath.ToSlash(name)])
	}
	contexts, err := jsonld.NewContexts(pins)
	require.NoError(t, err)
	l := newLedger(jsonGoldFaults())
	for _, e := range entries {
		if e.Option.SpecVersion == "json-ld-1.0" || e.Option.ProcessingMode == "json-ld-1.0" || e.Option.ProduceGeneralizedRDF ||
			e.Option.ExpandContext != "" || e.Option.RDFDirection != "" || !suite.Exists(e.Action) {
			continue
		}
		at := base + e.Input
		if e.Option.Base != "" {
			at = e.Option.Base
		}
		doc := byJSONLD(e.ID, string(suite.ReadFile(t, e.Action)), at, contexts)
		theirs, err := toRDF(doc.text, doc.base, documents)
		l.compare(t, doc, theirs, err)
	}
	l.close(t, false)
}

// What is written, expanded and compacted, json-gold reads as the same.
func TestRandomJSONLD(t *testing.T) {
	t.Parallel()
	context := []byte(`{"e":"http://e.example/","p":{"@id":"e:p","@type":"@id"},"q":{"@id":"e:q","@container":"@set"},"xsd":"http://www.w3.org/2001/XMLSchema#"}`)
	l := newLedger([]fault{
		{cause: "writes language tags in lower case", holds: holds(`"de-AT"`), random: true},
	})
	for seed := range uint64(300) {
		d := random(t, seed, kinds{blanks: int(seed % 5), graphs: seed%2 == 0, odd: seed%5 == 0, lower: seed%4 > 0})
		for _, o := range []write.Options{{}, {Context: context}} {
			var text bytes.Buffer
			if err := write.Write(t.Context(), &text, d, o); err != nil {
				require.ErrorIs(t, err, write.ErrDiffers)
				continue
			}
			theirs, err := toRDF(text.String(), "", nil)
			l.compare(t, document{name: fmt.Sprint("seed ", seed), text: text.String(), ours: d}, theirs, err)
		}
	}
	l.close(t, true)
}
