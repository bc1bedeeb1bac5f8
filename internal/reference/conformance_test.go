package reference_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestConformance: every number of the table of suites is one that the test beside it
// counts: it stands there, or as many cases do.
func TestConformance(t *testing.T) {
	t.Parallel()
	row := regexp.MustCompile("(?m)^\\| [^|]+ \\| [^|]+ \\| ([0-9]+) \\| ([0-9]+) \\| `([a-z0-9/]+)\\.(Test\\w+)` \\|$")
	rows := row.FindAllStringSubmatch(page(t, "docs/conformance.md"), -1)
	require.Len(t, rows, 17)
	for _, r := range rows {
		counted := numbers(t, r[3], r[4])
		for _, n := range r[1:3] {
			require.Contains(t, counted, n, "%s.%s counts no %s", r[3], r[4], n)
		}
	}
}

// TestReadmeConformance: the numbers of the README are those of docs/conformance.md.
func TestReadmeConformance(t *testing.T) {
	t.Parallel()
	_, section, ok := strings.Cut(page(t, "README.md"), "\n## Conformance\n")
	require.True(t, ok)
	section, _, _ = strings.Cut(section, "\n## ")
	rows := regexp.MustCompile(`(?m)^\| [^|]+ \| [^|]+ \| ([0-9, ]+) \| ([a-z0-9]+) \|$`).FindAllStringSubmatch(section, -1)
	require.Len(t, rows, 9)
	conformance := page(t, "docs/conformance.md")
	for _, r := range rows {
		for _, n := range strings.Split(r[1], ", ") {
			n = strings.ReplaceAll(n, ",", "")
			passed := r[2]
			if passed == "all" {
				passed = n
			}
			require.Contains(t, conformance, "| "+n+" | "+passed+" |")
		}
	}
}

// numbers returns the numbers that stand in a test, and how many elements its lists have.
func numbers(t *testing.T, dir, test string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*_test.go"))
	require.NoError(t, err)
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		for _, d := range f.Decls {
			function, ok := d.(*ast.FuncDecl)
			if !ok || function.Name.Name != test {
				continue
			}
			ast.Inspect(function, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BasicLit:
					if n.Kind == token.INT {
						all[strings.ReplaceAll(n.Value, "_", "")] = true
					}
				case *ast.CompositeLit:
					all[strconv.Itoa(len(n.Elts))] = true
				}
				return true
			})
		}
	}
	require.NotEmpty(t, all, "%s has no test %s", dir, test)
	return all
}
