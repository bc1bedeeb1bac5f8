package cli_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/replay"
)

// TestLimitsDocument: docs/limits.md is what the command prints.
func TestLimitsDocument(t *testing.T) {
	t.Parallel()
	r := call(t, "", "limits", "--markdown")
	require.Equal(t, cli.StatusYes, r.status)
	want, err := os.ReadFile(filepath.Join("..", "..", "docs", "limits.md"))
	require.NoError(t, err)
	require.Equal(t, string(want), r.out, "go run ./cmd/rdfproto limits --markdown > docs/limits.md")
}

// notInTable are numbers of the limits of commands that no flag sets, with the reason.
var notInTable = map[string]string{
	"validate.MaxDepth":        "the program's depth is that of its compilation",
	"validate.MaxResults":      "--max-results",
	"validate.Workers":         "no limit",
	"vc.PolicyBytes":           "policies are given as files, see policy-bytes",
	"vc.Canon.MaxPermutations": "permutations",
	"vc.Canon.MaxCalls":        "calls",
	"authz.VC":                 "those of vc",
}

// TestLimitTable: every number that bounds a command is in the table, once.
func TestLimitTable(t *testing.T) {
	t.Parallel()
	n := 0
	var visit func(v reflect.Value, name string, root *cli.Limits)
	visit = func(v reflect.Value, name string, root *cli.Limits) {
		if _, ok := notInTable[name]; ok {
			return
		}
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				f := v.Field(i)
				if !v.Type().Field(i).IsExported() { // of the struct that holds all
					f = reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
				}
				of := v.Type().Field(i).Name
				if name != "" {
					of = name + "." + of
				}
				visit(f, of, root)
			}
		case reflect.Int, reflect.Int64:
			n++
			const unique = 987_654_321
			old := v.Int()
			v.SetInt(unique)
			var rows []string
			for row, value := range cli.LimitValues(root) {
				if value == unique {
					rows = append(rows, row)
				}
			}
			assert.Len(t, rows, 1, "%s needs a row in the table, or a reason why no flag sets it", name)
			v.SetInt(old)
		}
	}
	root := &cli.Limits{}
	visit(reflect.ValueOf(root).Elem(), "", root)
	require.Equal(t, len(cli.LimitValues(root)), n)
}

// TestLibraryLimits: the numbers of what passes between agents are documented, too.
func TestLibraryLimits(t *testing.T) {
	t.Parallel()
	known := cli.LibraryFields()
	for name, typ := range map[string]reflect.Type{
		"engine.Limits.": reflect.TypeFor[engine.Limits](), "replay.Limits.": reflect.TypeFor[replay.Limits](), "odrl.Limits.": reflect.TypeFor[odrl.Limits](),
	} {
		for f := range typ.Fields() {
			assert.True(t, slices.Contains(known, name+f.Name), "%s%s is in no table", name, f.Name)
		}
	}
}

// notLibraryLimits are exported bounds of packages that are in the document by another
// name.
var notLibraryLimits = map[string]string{
	"shacl.DefaultChecks":       "shape-checks",
	"shacl.DefaultReport":       "report-bytes",
	"shacl.DefaultDepth":        "shape-nesting",
	"shacl.DefaultPattern":      "pattern-length",
	"shacl.DefaultPatternBytes": "pattern-bytes",
	"canon.DefaultPermutations": "permutations",
	"canon.DefaultCalls":        "calls",
	"a2a.MaxMessage":            "engine.Limits.Message",
	"replay.MaxRecordName":      "the most of replay.Limits.RecordName",
}

// TestLibraryConstants: so is every bound that a package exports as a constant.
func TestLibraryConstants(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	open, known, n := map[string]bool{}, cli.LibraryFields(), 0
	for name := range notLibraryLimits {
		open[name] = true
	}
	require.NoError(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := d.Name(); d.IsDir() && name != root && (strings.HasPrefix(base, ".") || slices.Contains([]string{"internal", "testdata", "compat", "examples", "bench", "node_modules"}, base)) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range f.Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			for _, spec := range group.Specs {
				for _, id := range spec.(*ast.ValueSpec).Names {
					constant := f.Name.Name + "." + id.Name
					if !strings.HasPrefix(id.Name, "Max") && !strings.HasPrefix(id.Name, "Default") {
						continue
					}
					n++
					if !open[constant] {
						assert.Contains(t, known, constant, "%s has no row", constant)
					}
					delete(open, constant)
				}
			}
		}
		return nil
	}))
	require.Greater(t, n, 20)
	assert.Empty(t, open, "no such constant")
}
