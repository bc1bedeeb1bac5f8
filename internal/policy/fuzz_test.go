package policy_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// unseeded are the fuzz targets, by package and name, that no public text fits, with the
// reason. They add seeds of their own.
var unseeded = map[string]string{
	"internal/xpattern FuzzReference": "its input are the seeds of a generator",
	"replay FuzzAgreement":            "it reads what this package wrote, a form of its own",
	"replay/bolt FuzzCheck":           "it reads a file of this package",
	"replay/bolt FuzzDecode":          "it reads the entries of such a file",
	"replay/redis FuzzDecodeRecord":   "it reads what this package wrote, a form of its own",
}

// target is what a fuzz target, or a function that it calls, does.
type target struct {
	calls map[string]bool // functions of the package
	loads bool            // calls suite.Seeds
	adds  bool            // calls Add of something
	fuzz  bool            // is a fuzz target
}

// TestFuzzTargets: every fuzz target begins with the texts of the loader and adds them,
// or is listed with a reason; and nothing is listed that need not be.
func TestFuzzTargets(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	packages := map[string]map[string]*target{}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(rel)
		if packages[dir] == nil {
			packages[dir] = map[string]*target{}
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		functions(file, packages[dir])
		return nil
	}))
	found := 0
	for _, dir := range slices.Sorted(maps.Keys(packages)) {
		functions := packages[dir]
		for _, name := range slices.Sorted(maps.Keys(functions)) {
			if !functions[name].fuzz {
				continue
			}
			found++
			key := dir + " " + name
			loads, adds := reaches(functions, name)
			if reason, ok := unseeded[key]; ok {
				require.NotEmpty(t, reason, key)
				require.False(t, loads, "%s is listed and calls suite.Seeds", key)
			} else {
				require.True(t, loads, "%s does not call suite.Seeds, and is not listed with a reason", key)
			}
			require.True(t, adds, "%s adds no seed", key)
			delete(functions, name)
		}
	}
	require.Greater(t, found, 40)
	for key := range unseeded {
		dir, name, _ := strings.Cut(key, " ")
		require.NotNil(t, packages[dir], "%s is listed and is not there", key)
		require.Nil(t, packages[dir][name], "%s is no fuzz target", key)
	}
}

// TestFuzzTargetsFound: what the policy of fuzz targets looks for in their text.
func TestFuzzTargetsFound(t *testing.T) {
	t.Parallel()
	const imports = "package a_test\nimport (\n\"testing\"\n\"" + module + "/internal/suite\"\n)\n"
	for _, row := range []struct {
		name, source      string
		fuzz, loads, adds bool
	}{
		{"itself", imports + "func FuzzA(f *testing.F) { for _, s := range suite.Seeds(f, suite.JSON) { f.Add(s.Data) } }", true, true, true},
		{"by another", imports + "func FuzzA(f *testing.F) { g(f) }\nfunc g(f *testing.F) { h(f); f.Add(1) }\nfunc h(f *testing.F) { suite.Seeds(f) }", true, true, true},
		{"by none", imports + "func FuzzA(f *testing.F) { f.Fuzz(nil) }\nfunc g(f *testing.F) { suite.Seeds(f); f.Add(1) }", true, false, false},
		{"of its own", imports + "func FuzzA(f *testing.F) { f.Add(1) }", true, false, true},
		{"by a renamed loader", "package a_test\nimport s \"" + module + "/internal/suite\"\nfunc FuzzA(f *testing.F) { s.Seeds(f) }", true, true, false},
		{"by another package", "package a_test\nimport \"x/suite\"\nfunc FuzzA(f *testing.F) { suite.Seeds(f) }", true, false, false},
		{"of no target", imports + "func FuzzA(t *testing.T) { suite.Seeds(t) }", false, true, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			file, err := parser.ParseFile(token.NewFileSet(), "a_test.go", row.source, parser.SkipObjectResolution)
			require.NoError(t, err)
			all := map[string]*target{}
			functions(file, all)
			loads, adds := reaches(all, "FuzzA")
			require.Equal(t, []bool{row.fuzz, row.loads, row.adds}, []bool{all["FuzzA"].fuzz, loads, adds})
		})
	}
}

// functions adds what the functions of a file do.
func functions(file *ast.File, to map[string]*target) {
	loader := ""
	for _, spec := range file.Imports {
		if spec.Path.Value == `"`+module+`/internal/suite"` {
			loader = "suite"
			if spec.Name != nil {
				loader = spec.Name.Name
			}
		}
	}
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Body == nil || fn.Recv != nil {
			continue
		}
		does := &target{calls: map[string]bool{}}
		does.fuzz = strings.HasPrefix(fn.Name.Name, "Fuzz") && len(fn.Type.Params.List) == 1 && isTestingF(fn.Type.Params.List[0].Type)
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			switch f := call.Fun.(type) {
			case *ast.Ident:
				does.calls[f.Name] = true
			case *ast.SelectorExpr:
				x, ok := f.X.(*ast.Ident)
				does.loads = does.loads || ok && loader != "" && x.Name == loader && f.Sel.Name == "Seeds"
				does.adds = does.adds || f.Sel.Name == "Add"
			}
			return true
		})
		to[fn.Name.Name] = does
	}
}

func isTestingF(of ast.Expr) bool {
	star, ok := of.(*ast.StarExpr)
	if !ok {
		return false
	}
	sel, ok := star.X.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "F"
}

// reaches says what a function does, and what it calls.
func reaches(functions map[string]*target, name string) (loads, adds bool) {
	seen := map[string]bool{}
	var visit func(string)
	visit = func(name string) {
		f := functions[name]
		if f == nil || seen[name] {
			return
		}
		seen[name] = true
		loads, adds = loads || f.loads, adds || f.adds
		for called := range f.calls {
			visit(called)
		}
	}
	visit(name)
	return loads, adds
}
