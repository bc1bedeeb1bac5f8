package suite_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// TestReport: what cases came to is in the folder that the variable names, and nowhere
// without it.
func TestReport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "earl")
	t.Setenv(suite.ReportVariable, dir)
	t.Run("suite", func(t *testing.T) {
		r := suite.NewReport(t, "rdf11-turtle")
		for _, name := range []string{"b", "a"} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				r.Case(t, name)
			})
		}
		t.Run("skipped", func(t *testing.T) {
			r.Case(t, "skipped")
			t.SkipNow()
		})
	})
	text, err := os.ReadFile(filepath.Join(dir, "rdf11-turtle.ttl"))
	require.NoError(t, err)
	_, err = turtle.Parse(text, turtle.Options{Limits: rdf.Local()})
	require.NoError(t, err)
	require.Equal(t, 3, strings.Count(string(text), "earl:Assertion"))
	require.Equal(t, 2, strings.Count(string(text), "earl:passed"))
	require.Equal(t, 1, strings.Count(string(text), "earl:failed"))
	require.Contains(t, string(text), vocab.EARL)
	require.Contains(t, string(text), "/rdf11/rdf-turtle/manifest.ttl#a>")

	t.Setenv(suite.ReportVariable, "")
	t.Run("no report", func(t *testing.T) { suite.NewReport(t, "none").Case(t, "x") })
	require.NoFileExists(t, filepath.Join(dir, "none.ttl"))
}
