package reference_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/reference"
)

// root is the module's folder.
var root = filepath.Join("..", "..")

// page reads a page of docs.
func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	require.NoError(t, err)
	return string(text)
}

// TestErrors: the page is the one that the tables of codes make.
func TestErrors(t *testing.T) {
	t.Parallel()
	want, err := reference.Errors()
	require.NoError(t, err)
	require.Equal(t, string(want), page(t, "docs/errors.md"), "run go run ./internal/cmd/reference")
}

// TestEveryCodeHasARow: a constant of a type of codes is on the page, also one that its
// package forgot to put into its table.
func TestEveryCodeHasARow(t *testing.T) {
	t.Parallel()
	errors, codes := page(t, "docs/errors.md"), 0
	require.NoError(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if n := d.Name(); d.IsDir() && name != root && (strings.HasPrefix(n, ".") || n == "testdata" || n == "compat" || n == "node_modules") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if of, ok := spec.Type.(*ast.Ident); !ok || !strings.HasSuffix(of.Name, "Code") {
				return true
			}
			for _, v := range spec.Values {
				if lit, ok := v.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					code, err := strconv.Unquote(lit.Value)
					require.NoError(t, err)
					require.True(t, strings.Contains(errors, "| `"+code+"` |"), "%s of %s has no row on the page", code, name)
					codes++
				}
			}
			return true
		})
		return nil
	}))
	require.Greater(t, codes, 400)
}
