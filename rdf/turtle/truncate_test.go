package turtle_test

import (
	"testing"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

func TestTruncatedDocuments(t *testing.T) {
	t.Parallel()
	for _, row := range accepts {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			parse(turtle.Parse).truncate(t, row.doc)
			parse(turtle.ParseTriG).truncate(t, row.doc)
		})
	}
	for _, row := range trigOnly {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			parse(turtle.ParseTriG).truncate(t, row.doc)
		})
	}
}

func (p parse) truncate(t *testing.T, doc string) {
	t.Helper()
	suite.Truncate(t, []byte(doc), func(data []byte) (*rdf.Dataset, error) { return p(data, turtle.Options{}) })
}

func TestTruncatedSuites(t *testing.T) {
	t.Parallel()
	t.Run("Turtle", func(t *testing.T) {
		t.Parallel()
		parse(turtle.Parse).reader().Truncated(t, "rdf11-turtle", 313)
	})
	t.Run("TriG", func(t *testing.T) {
		t.Parallel()
		parse(turtle.ParseTriG).reader().Truncated(t, "rdf11-trig", 356)
	})
}
