package nquads_test

import (
	"testing"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

func TestTruncatedDocuments(t *testing.T) {
	t.Parallel()
	for _, row := range accepts {
		parse(nquads.Parse).truncate(t, row.doc)
		if !row.quads {
			parse(nquads.ParseTriples).truncate(t, row.doc)
		}
	}
}

func (p parse) truncate(t *testing.T, doc string) {
	t.Helper()
	suite.Truncate(t, []byte(doc), func(data []byte) (*rdf.Dataset, error) { return p(data, nquads.Options{}) })
}

func TestTruncatedSuites(t *testing.T) {
	t.Parallel()
	t.Run("N-Triples", func(t *testing.T) {
		t.Parallel()
		parse(nquads.ParseTriples).reader().Truncated(t, "rdf11-n-triples", 70)
	})
	t.Run("N-Quads", func(t *testing.T) {
		t.Parallel()
		parse(nquads.Parse).reader().Truncated(t, "rdf11-n-quads", 87)
	})
}
