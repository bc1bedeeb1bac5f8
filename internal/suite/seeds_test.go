package suite_test

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
)

// fatal records that a test would have failed.
type fatal struct{ testing.TB }

func (fatal) Helper()               {}
func (fatal) Fatalf(string, ...any) { panic(fatal{}) }

// fails runs f with a test that fails, and says whether it did.
func fails(t *testing.T, f func(testing.TB)) (failed bool) {
	t.Helper()
	defer func() { failed = recover() != nil }()
	f(fatal{t})
	return false
}

// TestSeeds: every kind has seeds of the project, and with the suites more than these,
// in the same order every time, each once and none too long.
func TestSeeds(t *testing.T) {
	t.Parallel()
	most := 500
	if testing.Short() {
		most = 100
	}
	for _, kind := range suite.Kinds() {
		t.Run(fmt.Sprint("kind ", kind), func(t *testing.T) {
			t.Parallel()
			alone := suite.SeedsOf(t, kind, "", "", "")
			all := suite.Seeds(t, kind)
			require.Equal(t, all, suite.Seeds(t, kind))
			require.GreaterOrEqual(t, len(all), min(len(alone), most))
			known := map[string]bool{}
			for _, s := range all {
				require.LessOrEqual(t, len(s.Data), 12<<10, s.Name)
				require.False(t, known[string(s.Data)], "%s: %q stands twice", s.Name, s.Data)
				known[string(s.Data)] = true
			}
			require.LessOrEqual(t, len(all), most)
			t.Logf("%d seeds, %d without the suites", len(all), len(alone))
		})
	}
}

// TestSeedsMissing: a folder that is there and has nothing of what it should have fails,
// as do texts that are all too long.
func TestSeedsMissing(t *testing.T) {
	t.Parallel()
	empty := t.TempDir()
	long := t.TempDir()
	file := filepath.Join(long, "rdf11-trig", "long.trig")
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, bytes.Repeat([]byte(" "), 13<<10), 0o600))
	for _, row := range []struct {
		name                    string
		kind                    suite.Kind
		suites, vectors, inCase string
		fails                   bool
	}{
		{"none is there", suite.TriG, "", "", "", false},
		{"the suites are empty", suite.TriG, empty, "", "", true},
		{"the suites have too long ones", suite.TriG, long, "", "", true},
		{"the vectors are empty", suite.NQuads, "", empty, "", true},
		{"the cases are empty", suite.Cards, "", "", empty, true},
		{"nothing is taken", suite.Numbers, empty, "", "", true},
		{"no such folder", suite.TriG, filepath.Join(empty, "none"), "", "", true},
		{"no such kind", 0, "", "", "", true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, row.fails, fails(t, func(t testing.TB) { suite.SeedsOf(t, row.kind, row.suites, row.vectors, row.inCase) }))
		})
	}
}

// TestSeedsOfAll: every folder of the suites and of the vectors, and every case that has
// a text that a target can read, is where seeds of some kind are.
func TestSeedsOfAll(t *testing.T) {
	t.Parallel()
	for variable, name := range map[string]string{suite.Variable: "suites", suite.VectorsVariable: "vectors", suite.CasesVariable: "cases"} {
		dir := suite.Folder(t, variable, name)
		if dir == "" {
			t.Logf("the %s are not here", name)
			continue
		}
		patterns := suite.PatternsIn(variable)
		read := map[string]bool{}
		files := 0
		require.NoError(t, filepath.WalkDir(dir, func(file string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			rel, err := filepath.Rel(dir, file)
			require.NoError(t, err)
			rel = filepath.ToSlash(rel)
			top, _, below := strings.Cut(rel, "/")
			readable := slices.Contains([]string{".ttl", ".nt", ".nq", ".trig", ".json", ".jsonld"}, path.Ext(rel))
			if !below || !readable {
				return nil
			}
			files++
			read[top] = read[top] || slices.ContainsFunc(patterns, func(p string) bool { ok, err := path.Match(p, rel); return ok && err == nil })
			return nil
		}))
		require.NotZero(t, files, dir)
		for top, ok := range read {
			require.True(t, ok, "%s: no kind of seeds is from %s", name, top)
		}
	}
}
