package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/cli"
)

// TestOwnVectors: the command runs all of the project's own vectors, as text and as JSON,
// and says no when one is expected to come out otherwise.
func TestOwnVectors(t *testing.T) {
	t.Parallel()
	root := filepath.FromSlash("../../testdata/vectors")
	manifests, err := filepath.Glob(filepath.Join(root, "*", "manifest.json"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(manifests), 7)
	total, id := 0, ""
	for _, file := range manifests {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		var m struct {
			CaseCount int
			Cases     []struct{ ID, Path string }
		}
		require.NoError(t, json.Unmarshal(data, &m))
		require.Len(t, m.Cases, m.CaseCount)
		total += m.CaseCount
		id = m.Cases[0].ID
	}
	r := call(t, "", "vectors", root)
	require.Equal(t, cli.StatusYes, r.status, r.stderr)
	require.Empty(t, r.stderr)
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	require.Len(t, lines, total+1)
	require.Equal(t, strconv.Itoa(total)+" passed, 0 failed", lines[total])
	require.Contains(t, lines, "ok  "+id)

	var report struct {
		Verdict        string
		Passed, Failed int
		Suites         []struct {
			Suite   string
			Results []struct {
				ID, Observed string
				Passed       bool
			}
		}
	}
	r = call(t, "", "vectors", "--json", root)
	require.Equal(t, cli.StatusYes, r.status, r.stderr)
	require.NoError(t, json.Unmarshal([]byte(r.out), &report))
	require.Equal(t, "yes", report.Verdict)
	require.Equal(t, total, report.Passed)
	require.Zero(t, report.Failed)
	require.Len(t, report.Suites, len(manifests))
	for _, s := range report.Suites {
		for _, c := range s.Results {
			require.True(t, c.Passed, c.ID)
			require.True(t, json.Valid([]byte(c.Observed)), c.ID)
		}
	}

	// A copy of a suite with another expectation.
	dir := filepath.Join(t.TempDir(), "terms")
	require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join(root, "terms"))))
	file := filepath.Join(dir, "cases", "verify-good", "case.json")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	flipped := regexp.MustCompile(`"terms": "stated"`).ReplaceAll(data, []byte(`"terms": "silent"`))
	require.NotEqual(t, string(data), string(flipped))
	require.NoError(t, os.WriteFile(file, flipped, 0o600))
	r = call(t, "", "vectors", dir)
	require.Equal(t, cli.StatusNo, r.status)
	require.Contains(t, r.out, "FAIL  terms/verify-good\n")
	require.Contains(t, r.stderr, `terms: expected "silent", found "stated"`)
}
