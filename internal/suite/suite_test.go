package suite_test

import (
	"testing"

	"github.com/rdfproto/rdfproto/internal/suite"
)

// The number of cases of every suite that has a manifest.
func TestRecordedCounts(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		suite, manifest string
		want            int
	}{
		{"rdf11-n-triples", "manifest.ttl", 70},
		{"rdf11-n-quads", "manifest.ttl", 87},
		{"rdf11-turtle", "manifest.ttl", 313},
		{"rdf11-trig", "manifest.ttl", 356},
		{"shacl", "tests/core/manifest.ttl", 98},
	} {
		t.Run(row.suite, func(t *testing.T) {
			t.Parallel()
			for _, c := range suite.Cases(t, row.suite, row.manifest, row.want) {
				if c.ID == "" || c.Type == "" {
					t.Errorf("%s: a case without ID or type", c.Manifest)
				}
				if row.suite != "shacl" && c.Action == "" {
					t.Errorf("%s: no action", c.ID)
				}
			}
		})
	}
}

func TestRecordedEntries(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		suite, manifest string
		want            int
	}{
		{"rdf-canon", "manifest.jsonld", 86},
		{"jsonld11-tordf", "toRdf-manifest.jsonld", 467},
		{"jsonld11-expand", "expand-manifest.jsonld", 385},
		{"jsonld11-remote-doc", "remote-doc-manifest.jsonld", 18},
	} {
		t.Run(row.suite, func(t *testing.T) {
			t.Parallel()
			_, entries := suite.Entries(t, row.suite, row.manifest, row.want)
			for _, e := range entries {
				if e.ID == "" || len(e.Types) == 0 || e.Action == "" {
					t.Errorf("an entry without ID, type or input: %+v", e)
				}
			}
		})
	}
}
