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

	"github.com/stretchr/testify/assert"
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

// sources parses the program's own files, the tests left out.
func sources(t *testing.T) map[string]*ast.File {
	t.Helper()
	all := map[string]*ast.File{}
	require.NoError(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if n := d.Name(); d.IsDir() && name != root && (strings.HasPrefix(n, ".") || n == "testdata" || n == "compat" || n == "node_modules") {
			return fs.SkipDir
		}
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			all[name], err = parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		}
		return err
	}))
	return all
}

// literal is the value of a string that stands in the source.
func literal(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}

// TestEveryCodeHasARow: a constant of a type of codes is on the page, also one that its
// package forgot to put into its table.
func TestEveryCodeHasARow(t *testing.T) {
	t.Parallel()
	errors, codes := page(t, "docs/errors.md"), 0
	for name, f := range sources(t) {
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if of, ok := spec.Type.(*ast.Ident); !ok || !strings.HasSuffix(of.Name, "Code") {
				return true
			}
			for _, v := range spec.Values {
				if code, ok := literal(v); ok {
					assert.True(t, strings.Contains(errors, "| `"+code+"` |"), "%s of %s has no row on the page", code, name)
					codes++
				}
			}
			return true
		})
	}
	require.Greater(t, codes, 400)
}

// codeAt returns the places of a list of parameters or results that are named code.
func codeAt(list *ast.FieldList) []int {
	var all []int
	if list == nil {
		return nil
	}
	at := 0
	for _, field := range list.List {
		for _, name := range field.Names {
			if name.Name == "code" {
				all = append(all, at)
			}
			at++
		}
	}
	return all
}

// TestEveryPrintedCodeHasARow: so is a code that the programs print without a constant
// of such a type, which is what stands where something is named code: an argument of a
// function for a parameter of that name, a result, a member, a variable.
func TestEveryPrintedCodeHasARow(t *testing.T) {
	t.Parallel()
	errors, seen := page(t, "docs/errors.md"), map[string]bool{}
	for _, dir := range []string{"cli", "service"} {
		dir = filepath.Join(root, "internal", dir)
		files, constants, functions := map[string]*ast.File{}, map[string]string{}, map[string][]int{"Fail": {1}} // that of cli
		for name, f := range sources(t) {
			if filepath.Dir(name) != dir {
				continue
			}
			files[name] = f
			for _, d := range f.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					if at := codeAt(d.Type.Params); at != nil {
						functions[d.Name.Name] = at
					}
				case *ast.GenDecl:
					for _, spec := range d.Specs {
						if spec, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.CONST {
							for i, value := range spec.Values {
								if text, ok := literal(value); ok {
									constants[spec.Names[i].Name] = text
								}
							}
						}
					}
				}
			}
		}
		require.NotEmpty(t, files)
		for name, f := range files {
			check := func(e ast.Expr) {
				if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 {
					if to, ok := call.Fun.(*ast.Ident); ok && to.Name == "string" {
						e = call.Args[0]
					}
				}
				code, ok := literal(e)
				if id, named := e.(*ast.Ident); named {
					code, ok = constants[id.Name]
				}
				if ok && code != "" {
					seen[code] = true
					assert.True(t, strings.Contains(errors, "| `"+code+"` |"), "%s of %s has no row on the page", code, name)
				}
			}
			for _, d := range f.Decls {
				var results []int
				if fn, ok := d.(*ast.FuncDecl); ok {
					results = codeAt(fn.Type.Results)
				}
				ast.Inspect(d, func(n ast.Node) bool {
					switch n := n.(type) {
					case *ast.CallExpr:
						var called string
						switch fun := n.Fun.(type) {
						case *ast.Ident:
							called = fun.Name
						case *ast.SelectorExpr:
							called = fun.Sel.Name
						}
						for _, at := range functions[called] {
							if at < len(n.Args) {
								check(n.Args[at])
							}
						}
					case *ast.ReturnStmt:
						for _, at := range results {
							if at < len(n.Results) {
								check(n.Results[at])
							}
						}
					case *ast.KeyValueExpr:
						if key, ok := n.Key.(*ast.Ident); ok && strings.EqualFold(key.Name, "code") {
							check(n.Value)
						}
					case *ast.AssignStmt:
						for i, to := range n.Lhs {
							if id, ok := to.(*ast.Ident); ok && id.Name == "code" && len(n.Lhs) == len(n.Rhs) {
								check(n.Rhs[i])
							}
						}
					}
					return true
				})
			}
		}
	}
	for _, code := range []string{"empty-graph", "no-attempt", "cannot-listen", "not-known", "usage", "does-not-conform"} {
		require.True(t, seen[code], "%s is not seen", code) // one of each way to print one
	}
	require.Greater(t, len(seen), 30)
}
