package attack_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/fetch"
	"github.com/rdfproto/rdfproto/internal/service"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
	"github.com/rdfproto/rdfproto/owg"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/shacl"
	"github.com/rdfproto/rdfproto/terms"
)

// limited are the types whose numbers limit something. Fields of them that are structs of
// the same kind are those of the other type.
var limited = map[string]reflect.Type{
	"rdf.Limits":                 reflect.TypeFor[rdf.Limits](),
	"rdf/jsonld.Limits":          reflect.TypeFor[jsonld.Limits](),
	"canon.Options":              reflect.TypeFor[canon.Options](),
	"shacl.CompileOptions":       reflect.TypeFor[shacl.CompileOptions](),
	"shacl.Options":              reflect.TypeFor[shacl.Options](),
	"internal/strictjson.Limits": reflect.TypeFor[strictjson.Limits](),
	"agentcard.Limits":           reflect.TypeFor[agentcard.Limits](),
	"authz/vc.Limits":            reflect.TypeFor[vc.Limits](),
	"authz/vc.Config":            reflect.TypeFor[vc.Config](),
	"authz.Limits":               reflect.TypeFor[authz.Limits](),
	"authz.Config":               reflect.TypeFor[authz.Config](),
	"authz.CacheOptions":         reflect.TypeFor[authz.CacheOptions](),
	"odrl.Limits":                reflect.TypeFor[odrl.Limits](),
	"odrl/delegation.Options":    reflect.TypeFor[delegation.Options](),
	"terms.Limits":               reflect.TypeFor[terms.Limits](),
	"owg.Limits":                 reflect.TypeFor[owg.Limits](),
	"replay.Limits":              reflect.TypeFor[replay.Limits](),
	"engine.Limits":              reflect.TypeFor[engine.Limits](),
	"engine.Config":              reflect.TypeFor[engine.Config](),
	"fetch.Options":              reflect.TypeFor[fetch.Options](),
	"fetch.GateOptions":          reflect.TypeFor[fetch.GateOptions](),
	"agentcard.Policy":           reflect.TypeFor[agentcard.Policy](),
	"internal/service.Options":   reflect.TypeFor[service.Options](),
}

// limitCase shows that a number is a limit: an input that needs n is accepted with n and
// refused with n-1.
type limitCase struct {
	// do gives the same input to the package, with the limit n.
	do func(n int64) (outcome, error)
	// code is the one of the refusal.
	code string
	// at is n where it is plain to see; otherwise the least n that is enough is taken.
	at int64
	// test names the test that shows it, as package.Test: where time has to pass.
	test string
	// why says that it limits nothing.
	why string
}

// TestLimits: every number of every struct of limits has a case, and the case holds.
func TestLimits(t *testing.T) {
	t.Parallel()
	cases := limitCases(theWorld())
	fields := limitFields()
	require.Greater(t, len(fields), 80)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		c, ok := cases[name]
		if !assert.True(t, ok, "%s limits something: it needs a case at n and at n-1", name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			switch {
			case c.why != "":
			case c.test != "":
				require.True(t, hasTest(t, c.test), "there is no test %s", c.test)
			default:
				tryLimit(t, c)
			}
		})
	}
	for name := range cases {
		assert.True(t, fields[name], "there is no field %s", name)
	}
}

func tryLimit(t *testing.T, c limitCase) {
	accepts := func(n int64) bool {
		o, err := c.do(n)
		require.NoError(t, err)
		if !o.ok {
			require.Equal(t, c.code, o.code, "with %d", n)
		}
		return o.ok
	}
	n := c.at
	if n == 0 {
		require.False(t, accepts(1), "an input that needs more than 1: less than that is the default")
		low := int64(1) // refused
		n = 2
		for !accepts(n) {
			require.Less(t, n, int64(1)<<40, "nothing is enough")
			low, n = n, 2*n
		}
		for n-low > 1 {
			if middle := low + (n-low)/2; accepts(middle) {
				n = middle
			} else {
				low = middle
			}
		}
	}
	o, err := c.do(n)
	require.NoError(t, err)
	require.True(t, o.ok, "with %d: %s", n, o.code)
	require.False(t, accepts(n-1), "with %d, which is one less than it needs", n-1)
	require.True(t, accepts(n+1), "with %d", n+1)
}

// isNumber reports whether a type holds a number, or may.
func isNumber(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint32, reflect.Uint64:
		return true
	}
	return false
}

// limitFields returns every number of those types, as package.Type.Field.
func limitFields() map[string]bool {
	all := map[string]bool{}
	for name, t := range limited {
		for f := range t.Fields() {
			if f.IsExported() && isNumber(f.Type) {
				all[name+"."+f.Name] = true
			}
		}
	}
	return all
}

// notLimited are types with numbers that limit nothing, with the reason.
var notLimited = map[string]string{
	"replay/bolt.Options":  "how long to wait for the lock of a file; the limits are those of package replay",
	"replay/redis.Options": "how long to wait for a server, and which of its databases; the limits are those of package replay",
}

// TestEveryLimitIsKnown: no exported struct whose name says that it configures or limits
// something has a number and is missing from the table of these.
func TestEveryLimitIsKnown(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	eachFile(t, func(pkg string, f *ast.File) {
		if pkg == "internal/cli" { // of the command line: see TestLimitTable there
			return
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range g.Specs {
				spec, ok := s.(*ast.TypeSpec)
				if !ok || !spec.Name.IsExported() {
					continue
				}
				st, ok := spec.Type.(*ast.StructType)
				name := spec.Name.Name
				if !ok || !strings.HasSuffix(name, "Limits") && !strings.HasSuffix(name, "Options") && !strings.HasSuffix(name, "Config") {
					continue
				}
				for _, field := range st.Fields.List {
					switch types.ExprString(field.Type) {
					case "int", "*int", "int32", "int64", "uint", "uint32", "uint64", "time.Duration":
						found[pkg+"."+name] = true
					}
				}
			}
		}
	})
	require.Greater(t, len(found), 15)
	for name := range found {
		_, known := limited[name]
		_, reason := notLimited[name]
		assert.True(t, known || reason, "%s has a number: it needs cases, or a reason why it limits nothing", name)
	}
	for name := range notLimited {
		assert.True(t, found[name], "%s is not there", name)
	}
}

// defaultsOfRows are constants that docs/limits.md has under another name.
var defaultsOfRows = map[string]string{
	"canon.DefaultPermutations": "permutations", "canon.DefaultCalls": "calls",
	"shacl.DefaultChecks": "shape-checks", "shacl.DefaultReport": "report-bytes", "shacl.DefaultDepth": "shape-nesting",
	"shacl.DefaultPattern": "pattern-length", "shacl.DefaultPatternBytes": "pattern-bytes",
	"replay.MaxRecordName": "replay.Limits.RecordName", "a2a.MaxMessage": "engine.Limits.Message",
}

// TestConstantsAreDocumented: docs/limits.md has every exported constant that is called
// Max or Default, and every name that an error of a limit can have, each for one limit.
func TestConstantsAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "limits.md"))
	require.NoError(t, err)
	for name, p := range map[string]fetch.Profile{"fetch.ProtocolDocument": fetch.ProtocolDocument(), "fetch.Card": fetch.Card(), "fetch.KeySet": fetch.KeySet()} {
		assert.Contains(t, string(page), fmt.Sprintf("| `%s` | %d |", name, p.MaxBytes))
		assert.Contains(t, []int{0, 3}, p.Redirects)
	}
	constants, names := 0, map[string]string{}
	eachFile(t, func(pkg string, f *ast.File) {
		if strings.HasPrefix(pkg, "internal/") || strings.HasPrefix(pkg, "examples/") {
			return
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, s := range g.Specs {
				spec := s.(*ast.ValueSpec)
				for i, id := range spec.Names {
					name := path.Base(pkg) + "." + id.Name
					if spec.Type != nil && strings.HasSuffix(types.ExprString(spec.Type), "LimitName") {
						require.Less(t, i, len(spec.Values), name)
						value, err := strconv.Unquote(types.ExprString(spec.Values[i]))
						require.NoError(t, err, name)
						assert.Empty(t, names[value], "%s and %s are two limits with one name", name, names[value])
						names[value] = name
						continue
					}
					if !strings.HasPrefix(id.Name, "Max") && !strings.HasPrefix(id.Name, "Default") {
						continue
					}
					constants++
					row := name
					if other, ok := defaultsOfRows[name]; ok {
						row = other
					}
					assert.Contains(t, string(page), "`"+row+"`", "%s is a limit", name)
				}
			}
		}
	})
	require.Greater(t, constants, 15)
	require.Greater(t, len(names), 20)
	for value, name := range names {
		if value != "path-nesting" { // shape-nesting sets it
			assert.Contains(t, string(page), "`"+value+"`", "%s names a limit", name)
		}
	}
}

// hasTest reports whether a package has a test, named as package.Test.
func hasTest(t *testing.T, name string) bool {
	t.Helper()
	pkg, test, ok := strings.Cut(name, ".Test")
	require.True(t, ok, name)
	files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pkg), "*_test.go"))
	require.NoError(t, err)
	want := regexp.MustCompile(`(?m)^func Test` + regexp.QuoteMeta(test) + `\(`)
	for _, f := range files {
		data, err := os.ReadFile(f)
		require.NoError(t, err)
		if want.Match(data) {
			return true
		}
	}
	return false
}
