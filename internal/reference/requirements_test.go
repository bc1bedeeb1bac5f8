package reference_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	// testName is the name of a test in a page: package, function, and perhaps a row.
	testName = regexp.MustCompile("`((?:[a-z0-9-]+/)*[a-z0-9]+)\\.((?:Test|Fuzz)[A-Z0-9]\\w*)(?:/([^`]+))?`")
	// requirement is the identifier of a requirement in the first cell of a row.
	requirement = regexp.MustCompile(`(?m)^\| ([A-Z]+-(?:[0-9]+\.)?[0-9]+[a-z]?|[ABC]\.[0-9]+[a-z]?) \|(.*)\|(.*)\|$`)
	// cited is one in a comment. The prefixes are those of docs/requirements.md.
	cited = regexp.MustCompile(`\b(CARD|PD|HASH|PARSE|HSR|HS|DG|BIND|INT|RPL|RSP|SEC|VAL|FETCH|GEN|VER|AZ|ALG|J|F|H|K|D|E|I|S|O|V)-(?:[0-9]+\.)?[0-9]{1,2}[a-z]?\b`)
)

// pages are all pages of docs and what stands at the root.
func pages(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range []string{"docs/*.md", "*.md"} {
		names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		require.NoError(t, err)
		for _, name := range names {
			name, err := filepath.Rel(root, name)
			require.NoError(t, err)
			all[filepath.ToSlash(name)] = page(t, name)
		}
	}
	require.Greater(t, len(all), 10)
	return all
}

// tested is what the tests of a package have: their names with the texts in them, and
// the texts of everything else, such as tables that several tests share.
type tested struct {
	functions map[string]map[string]bool
	shared    map[string]bool
}

func tests(t *testing.T, dir string) tested {
	t.Helper()
	p := tested{map[string]map[string]bool{}, map[string]bool{}}
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*_test.go"))
	require.NoError(t, err)
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		for _, d := range f.Decls {
			texts := p.shared
			if function, ok := d.(*ast.FuncDecl); ok && function.Recv == nil && strings.HasPrefix(function.Name.Name, "Test") || ok && strings.HasPrefix(function.Name.Name, "Fuzz") {
				texts = map[string]bool{}
				p.functions[function.Name.Name] = texts
			}
			ast.Inspect(d, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					text, err := strconv.Unquote(lit.Value)
					require.NoError(t, err)
					texts[text] = true
				}
				return true
			})
		}
	}
	return p
}

// TestNamedTests: every test that a page names exists, and has the row that is named.
func TestNamedTests(t *testing.T) {
	t.Parallel()
	packages, named := map[string]tested{}, 0
	for name, text := range pages(t) {
		for _, ref := range testName.FindAllStringSubmatch(text, -1) {
			dir, function, row := ref[1], ref[2], ref[3]
			p, ok := packages[dir]
			if !ok {
				p = tests(t, dir)
				packages[dir] = p
			}
			texts, ok := p.functions[function]
			require.True(t, ok, "%s names %s, which does not exist", name, ref[0])
			require.True(t, row == "" || texts[row] || p.shared[row], "%s names %s, which has no such row", name, ref[0])
			named++
		}
	}
	require.Greater(t, named, 300)
}

// requirements returns the rows of requirements of all pages: where each stands, and
// what pins it.
func requirements(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for name, text := range pages(t) {
		for _, row := range requirement.FindAllStringSubmatch(text, -1) {
			id := row[1]
			if id == "RDFC-1.0" {
				continue // a specification
			}
			_, twice := all[id]
			require.False(t, twice, "%s has %s a second time", name, id)
			all[id] = strings.TrimSpace(row[3])
			require.NotEmpty(t, strings.TrimSpace(row[2]), id)
		}
	}
	return all
}

// TestRequirements: every requirement names a test that pins it or says that none does,
// and every one that the code cites is listed.
func TestRequirements(t *testing.T) {
	t.Parallel()
	all := requirements(t)
	require.Greater(t, len(all), 250)
	for id, pinned := range all {
		require.True(t, testName.MatchString(pinned) || strings.HasPrefix(pinned, "none"), "%s: %s", id, pinned)
	}
	citations := 0
	require.NoError(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && slices.Contains([]string{".git", "testdata", "node_modules"}, d.Name()) {
			if err == nil {
				return fs.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(name, ".go") || strings.Contains(filepath.ToSlash(name), "internal/reference/") {
			return nil
		}
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, id := range cited.FindAllString(string(text), -1) {
			_, ok := all[id]
			require.True(t, ok, "%s cites %s, which no page lists", name, id)
			citations++
		}
		return nil
	}))
	require.Greater(t, citations, 300)
}
