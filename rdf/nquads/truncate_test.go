package nquads_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

func TestTruncated(t *testing.T) {
	t.Parallel()
	for _, row := range accepts {
		suite.Truncate(t, []byte(row.doc), func(data []byte) (*rdf.Dataset, error) {
			return nquads.Parse(data, nquads.Options{})
		})
		if row.quads {
			continue
		}
		suite.Truncate(t, []byte(row.doc), func(data []byte) (*rdf.Dataset, error) {
			return nquads.ParseTriples(data, nquads.Options{})
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
		{"rdf11-n-triples", 70, nquads.ParseTriples},
		{"rdf11-n-quads", 87, nquads.Parse},
	} {
		t.Run(row.suite, func(t *testing.T) {
			t.Parallel()
			for _, c := range suite.Cases(t, row.suite, "manifest.ttl", row.count) {
				if strings.Contains(c.Type, "Negative") {
					continue
				}
				t.Run(filepath.Base(c.Action), func(t *testing.T) {
					suite.Truncate(t, suite.ReadFile(t, c.Action), func(data []byte) (*rdf.Dataset, error) {
						return row.parse(data, nquads.Options{})
					})
				})
			}
		})
	}
}
