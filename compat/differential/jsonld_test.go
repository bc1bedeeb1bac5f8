package differential_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/piprate/json-gold/ld"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/oracle"
	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/jsonld/write"
)

// toRDF reads JSON-LD by json-gold, which may load what documents holds.
func toRDF(text, base string, documents map[string]string) (string, error) {
	input, err := ld.DocumentFromReader(strings.NewReader(text))
	if err != nil {
		return "", err
	}
	options := ld.NewJsonLdOptions(base)
	options.DocumentLoader = loader(documents)
	options.Format = "application/n-quads"
	quads, err := ld.NewJsonLdProcessor().ToRDF(input, options)
	if err != nil {
		return "", err
	}
	return quads.(string), nil
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

func jsonldReaders() []reader {
	return []reader{
		{ask: "jsonld", node: true, faults: jsonldFaults()},
		{ask: "json-gold", faults: jsonGoldFaults()},
	}
}

func TestKnownFaultsJSONLD(t *testing.T) {
	t.Parallel()
	for _, r := range jsonldReaders() {
		t.Run(r.ask, func(t *testing.T) { r.checkFaults(t, pinned(t)) })
	}
}

func pinned(t testing.TB) *jsonld.Contexts {
	t.Helper()
	pins := map[string][]byte{}
	for iri, text := range remoteContexts {
		pins[iri] = []byte(text)
	}
	contexts, err := jsonld.NewContexts(pins)
	require.NoError(t, err)
	return contexts
}

// Documents with the features of contexts in all combinations.
func TestGeneratedJSONLD(t *testing.T) {
	t.Parallel()
	seeds := oracle.Seeds(t, 300)
	for _, r := range jsonldReaders() {
		t.Run(r.ask, func(t *testing.T) {
			t.Parallel()
			p, l := r.process(t), oracle.NewLedger(r.ask, r.faults)
			s := source{syntax: "jsonld", base: "http://a.example/b/c", contexts: pinned(t), documents: remoteContexts}
			for seed := range seeds {
				w := newLDWriter(seed)
				w.plain = !r.node
				r.compare(t, l, p, s, fmt.Sprint("seed ", seed), w.document())
			}
			l.Report(t)
		})
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
	for _, r := range jsonldReaders() {
		t.Run(r.ask, func(t *testing.T) {
			t.Parallel()
			p, l := r.process(t), oracle.NewLedger(r.ask, r.faults)
			for _, e := range entries {
				if e.Option.SpecVersion == "json-ld-1.0" || e.Option.ProcessingMode == "json-ld-1.0" || e.Option.ProduceGeneralizedRDF ||
					e.Option.ExpandContext != "" || e.Option.RDFDirection != "" || !suite.Exists(e.Action) {
					continue
				}
				s := source{syntax: "jsonld", base: base + e.Input, contexts: contexts, documents: documents}
				if e.Option.Base != "" {
					s.base = e.Option.Base
				}
				r.compare(t, l, p, s, e.ID, []string{"T" + string(suite.ReadFile(t, e.Action))})
			}
			l.Report(t)
		})
	}
}

// What is written, expanded and compacted, the others read as the same.
func TestWrittenJSONLD(t *testing.T) {
	t.Parallel()
	context := []byte(`{"e":"http://e.example/","p":{"@id":"e:p","@type":"@id"},"q":{"@id":"e:q","@container":"@set"},"xsd":"http://www.w3.org/2001/XMLSchema#"}`)
	seeds := oracle.Seeds(t, 150)
	for _, r := range jsonldReaders() {
		t.Run(r.ask, func(t *testing.T) {
			t.Parallel()
			p, l := r.process(t), oracle.NewLedger(r.ask, r.faults)
			for seed := range seeds {
				d := random(t, seed, kinds{blanks: int(seed % 5), graphs: seed%2 == 0, odd: seed%5 == 0, lower: true})
				for _, o := range []write.Options{{}, {Context: context}} {
					var text bytes.Buffer
					if err := write.Write(t.Context(), &text, d, o); err != nil {
						require.ErrorIs(t, err, write.ErrDiffers)
						continue
					}
					r.compare(t, l, p, source{syntax: "jsonld"}, fmt.Sprint("seed ", seed), []string{"T" + text.String()})
				}
			}
			l.Report(t)
		})
	}
}
