package nquads_test

import (
	"testing"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

type parse func([]byte, nquads.Options) (*rdf.Dataset, error)

func (p parse) reader() suite.Reader {
	return func(data []byte, _, file string) (*rdf.Dataset, error) { return p(data, nquads.Options{File: file}) }
}

func TestSuiteNTriples(t *testing.T) {
	t.Parallel()
	r := parse(nquads.ParseTriples).reader()
	suite.NewReport(t, "rdf11-n-triples").Run(t, suite.Cases(t, "rdf11-n-triples", "manifest.ttl", 70), map[string]func(*testing.T, suite.Case){
		suite.RDFT + "TestNTriplesPositiveSyntax": r.Accepts,
		suite.RDFT + "TestNTriplesNegativeSyntax": r.Refuses,
	})
}

func TestSuiteNQuads(t *testing.T) {
	t.Parallel()
	r := parse(nquads.Parse).reader()
	suite.NewReport(t, "rdf11-n-quads").Run(t, suite.Cases(t, "rdf11-n-quads", "manifest.ttl", 87), map[string]func(*testing.T, suite.Case){
		suite.RDFT + "TestNQuadsPositiveSyntax": r.Accepts,
		suite.RDFT + "TestNQuadsNegativeSyntax": r.Refuses,
	})
}
