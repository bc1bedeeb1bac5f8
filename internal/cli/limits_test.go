package cli_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
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
