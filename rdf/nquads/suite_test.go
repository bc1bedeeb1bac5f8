package nquads_test

import (
	"errors"
	"testing"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

type parse func([]byte, nquads.Options) (*rdf.Dataset, error)

func accepted(p parse) func(*testing.T, suite.Case) {
	return func(t *testing.T, c suite.Case) {
		if _, err := p(suite.ReadFile(t, c.Action), nquads.Options{File: c.Action}); err != nil {
			t.Error(err)
		}
	}
}

func refused(p parse) func(*testing.T, suite.Case) {
	return func(t *testing.T, c suite.Case) {
		_, err := p(suite.ReadFile(t, c.Action), nquads.Options{File: c.Action})
		var e *rdf.SyntaxError
		if !errors.As(err, &e) {
			t.Fatalf("got %v, want a syntax error", err)
		}
		if e.Code == "" || e.Place.IsZero() || e.Expected == "" {
			t.Errorf("an error without code, place or text: %+v", e)
		}
	}
}

func TestSuiteNTriples(t *testing.T) {
	t.Parallel()
	suite.NewReport(t, "rdf11-n-triples").Run(t, suite.Cases(t, "rdf11-n-triples", "manifest.ttl", 70), map[string]func(*testing.T, suite.Case){
		suite.RDFT + "TestNTriplesPositiveSyntax": accepted(nquads.ParseTriples),
		suite.RDFT + "TestNTriplesNegativeSyntax": refused(nquads.ParseTriples),
	})
}

func TestSuiteNQuads(t *testing.T) {
	t.Parallel()
	suite.NewReport(t, "rdf11-n-quads").Run(t, suite.Cases(t, "rdf11-n-quads", "manifest.ttl", 87), map[string]func(*testing.T, suite.Case){
		suite.RDFT + "TestNQuadsPositiveSyntax": accepted(nquads.Parse),
		suite.RDFT + "TestNQuadsNegativeSyntax": refused(nquads.Parse),
	})
}
