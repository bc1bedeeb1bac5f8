package turtle_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

func TestTruncated(t *testing.T) {
	t.Parallel()
	for _, row := range accepts {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			for _, p := range []parse{turtle.Parse, turtle.ParseTriG} {
				suite.Truncate(t, []byte(row.doc), func(data []byte) (*rdf.Dataset, error) {
					return p(data, turtle.Options{})
				})
			}
		})
	}
	for _, row := range trigOnly {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			suite.Truncate(t, []byte(row.doc), func(data []byte) (*rdf.Dataset, error) {
				return turtle.ParseTriG(data, turtle.Options{})
			})
		})
	}
}

func TestTruncatedSuites(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		suite string
		count int
		parse parse
	}{
		{"rdf11-turtle", 313, turtle.Parse},
		{"rdf11-trig", 356, turtle.ParseTriG},
	} {
		t.Run(row.suite, func(t *testing.T) {
			t.Parallel()
			for _, c := range suite.Cases(t, row.suite, "manifest.ttl", row.count) {
				if strings.Contains(c.Type, "Negative") {
					continue
				}
				t.Run(filepath.Base(c.Action), func(t *testing.T) {
					t.Parallel()
					suite.Truncate(t, suite.ReadFile(t, c.Action), func(data []byte) (*rdf.Dataset, error) {
						return row.parse(data, turtle.Options{Base: c.Base})
					})
				})
			}
		})
	}
}
