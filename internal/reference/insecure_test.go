package reference_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestInsecure: everything that weakens a check and says so in its name is in the list of
// SECURITY.md, by the name that its user writes, and nothing else is.
func TestInsecure(t *testing.T) {
	t.Parallel()
	_, list, ok := strings.Cut(page(t, "SECURITY.md"), "## Options that weaken a check\n")
	require.True(t, ok)
	list, _, ok = strings.Cut(list, "\n## ")
	require.True(t, ok)
	lines := strings.Split(list, "\n")
	listed := func(of ...string) bool {
		return slices.ContainsFunc(lines, func(line string) bool {
			return !slices.ContainsFunc(of, func(name string) bool { return !regexp.MustCompile(`\b` + name + `\b`).MatchString(line) })
		})
	}
	names := map[string]bool{}
	flag := regexp.MustCompile(`^(?:insecure-[a-z-]+|insecure[A-Z]\w*)$`)
	require.NoError(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && name != root || d.Name() == "testdata"):
			return filepath.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		exported := !strings.Contains(filepath.ToSlash(name), "/internal/")
		add := func(id *ast.Ident, of string) {
			if !exported || !strings.HasPrefix(id.Name, "Insecure") {
				return
			}
			names[id.Name] = true
			require.True(t, listed(regexp.QuoteMeta(f.Name.Name+of), id.Name), "SECURITY.md does not list %s of %s", id.Name, f.Name.Name+of)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				add(n.Name, "")
			case *ast.ValueSpec:
				for _, id := range n.Names {
					add(id, "")
				}
			case *ast.TypeSpec:
				add(n.Name, "")
				if s, ok := n.Type.(*ast.StructType); ok {
					for _, field := range s.Fields.List {
						for _, id := range field.Names {
							add(id, "."+n.Name.Name)
						}
					}
				}
			case *ast.BasicLit:
				if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING && flag.MatchString(text) {
					names[text] = true
					require.True(t, listed(text), "SECURITY.md does not list %s", text)
				}
			}
			return true
		})
		return nil
	}))
	require.Greater(t, len(names), 12)
	for _, name := range regexp.MustCompile(`\b[Ii]nsecure[A-Z-][A-Za-z0-9-]*`).FindAllString(list, -1) {
		require.True(t, names[name], "SECURITY.md lists %s, which is not there", name)
	}
}
