package jsonld_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

// FuzzParse holds any document to what is promised of all: no panic; an error
// of a documented type; budgets that are kept; and what is read without loss is
// read alike with it.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"@context":"https://e.example/intents/v1","id":"urn:uuid:1","type":"Intent","action":{"type":"GrantAction"}}`,
		`{"@context":{"@version":1.1,"@vocab":"urn:v:","p":{"@container":["@graph","@id"]},"T":{"@context":{"q":{"@type":"@json"}}}},"@type":"T","q":[1],"p":{"urn:g":{"x":1}}}`,
		`{"@context":[{"@protected":true,"p":"urn:p"},null,{"@import":"https://e.example/intents/v1"}],"@graph":[{"@id":"_:a","@reverse":{"urn:p":{}}}]}`,
		`{"urn:p":{"@list":[[1],{"@set":[null,{"@value":"x","@language":"en","@direction":"rtl"}]}]},"@included":[{"@id":"urn:i","urn:q":1.5e3}]}`,
		`{"@context":{"m":{"@id":"urn:m","@container":"@language"},"i":{"@id":"urn:i","@container":"@index","@index":"urn:k"},"n":"@nest","r":{"@reverse":"urn:r"}},"m":{"en":["a"],"@none":"b"},"i":{"x":{}},"n":{"r":{}}}`,
	} {
		f.Add([]byte(seed), false, uint8(0))
		f.Add([]byte(seed), true, uint8(7))
	}
	f.Add(catalogue(2), false, uint8(1))
	for _, tt := range features() {
		f.Add([]byte(expand.Replace(tt.document)), tt.base != "", uint8(0))
	}
	for _, seed := range suite.Seeds(f, suite.JSONLD) {
		f.Add(seed.Data, true, uint8(0))
	}
	table, err := jsonld.NewContexts(map[string][]byte{"https://e.example/intents/v1": []byte(intentContext)})
	require.NoError(f, err)
	limits := rdf.Limits{Bytes: 16 << 10, Quads: 200, BlankNodes: 50, Nesting: 20, TermBytes: 64 << 10}
	f.Fuzz(func(t *testing.T, data []byte, base bool, flags uint8) {
		o := jsonld.Options{
			Limits: limits, ProcessingLimits: jsonld.Limits{Contexts: 100, Definitions: 1000, Elements: 1000},
			Contexts: table, RDFDirection: jsonld.RDFDirection(flags % 3), ProcessingMode: jsonld.ProcessingMode(flags >> 2 & 1), Places: flags>>3&1 == 1,
		}
		if base {
			o.Base = "https://e.example/d/x?y"
		}
		strict, err := jsonld.Parse(data, o)
		documented(t, err)
		o.Lossy = true
		lossy, lossyErr := jsonld.Parse(data, o)
		documented(t, lossyErr)
		if err == nil {
			require.NoError(t, lossyErr, "read without loss, but not with it")
			assert.Equal(t, string(nquads.Append(nil, strict)), string(nquads.Append(nil, lossy)))
		}
		if lossyErr == nil {
			assert.LessOrEqual(t, lossy.Len(), limits.Quads)
			again, err := nquads.Parse(nquads.Append(nil, lossy), nquads.Options{Limits: rdf.Limits{Bytes: 10 << 20, IRIBytes: 1 << 20}})
			require.NoError(t, err, "what was read can be written and read again")
			assert.Equal(t, lossy.Len(), again.Len())
			if lossy.Len() <= 30 {
				assert.True(t, suite.Isomorphic(lossy, again))
			}
		}
	})
}

// documented fails unless an error is of a type that Parse documents.
func documented(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	var (
		refused *jsonld.Error
		syntax  *rdf.SyntaxError
		limit   *rdf.LimitError
	)
	switch {
	case errors.As(err, &refused):
		assert.NotEmpty(t, refused.Code.Text(), refused.Code)
		assert.Positive(t, refused.Place.Line, err)
	case errors.As(err, &syntax), errors.As(err, &limit):
	default:
		t.Fatalf("an error of another type: %T %v", err, err)
	}
}
