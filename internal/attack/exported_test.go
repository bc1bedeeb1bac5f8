package attack_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// notPeers are functions that take bytes and need no entry, with the reason.
var notPeers = map[string]string{
	"a2a.CardHandler":              "the agent's own card",
	"agentcard.GenerateKey":        "a source of randomness",
	"authz.NewChallenges":          "a source of randomness",
	"authz/vc.GenerateKey":         "a source of randomness",
	"authz/vc.Sign":                "what the caller signs; what came from a peer is verified first",
	"authz/vc.SignJSON":            "likewise",
	"engine.Engine.Settle":         "the agent's own answer",
	"internal/page.Judge":          "a source of randomness; its texts go to the readers and the engine",
	"internal/cli.Presentation":    "credentials of the caller, written and not read",
	"internal/cli.VerdictJSON":     "written and not read",
	"internal/service.ParseTokens": "a file of the operator",
	"internal/damage.All":          "for tests",
	"internal/damage.Bytes":        "for tests",
	"internal/damage.Lines":        "for tests",
	"internal/damage.Tokens":       "for tests",
	"internal/damage.Values":       "for tests",
	"internal/suite.Truncate":      "for tests",
	"owg.Follow.Sent":              "the message that the caller sent",
	"replay.Limits.CheckMessage":   "bytes are counted and not read",
	"replay.Limits.CheckRecord":    "likewise",
	"replay.Memory.Settle":         "bytes are kept and not read",
	"replay.Memory.Swap":           "likewise",
	"replay/bolt.Store.Settle":     "likewise",
	"replay/bolt.Store.Swap":       "likewise",
	"replay/redis.Store.Settle":    "likewise",
	"replay/redis.Store.Swap":      "likewise",
}

// notRead are names of parameters that are appended to or filled, and not read.
var notRead = []string{"dst", "p"}

// TestEveryFunctionIsAttacked: every exported function of the module that takes bytes or a
// reader is in the table of entry points, or among those that need not be.
func TestEveryFunctionIsAttacked(t *testing.T) {
	t.Parallel()
	covered := map[string]bool{}
	for _, e := range entries(theWorld()) {
		for _, c := range e.covers {
			covered[c] = true
		}
	}
	takers := bytesTakers(t)
	require.Greater(t, len(takers), 80)
	for _, name := range slices.Sorted(maps.Keys(takers)) {
		_, exempt := notPeers[name]
		assert.True(t, covered[name] || exempt, "%s takes bytes: it needs an entry in the table, or a reason why it does not", name)
		assert.False(t, covered[name] && exempt, "%s is in the table and among those that need not be", name)
	}
	for name := range notPeers {
		assert.True(t, takers[name], "%s is no function that takes bytes any more", name)
	}
	functions := exportedFunctions(t, func(*ast.FuncDecl) bool { return true })
	for name := range covered {
		assert.True(t, functions[name], "the table names %s, which is not there", name)
	}
}

// bytesTakers returns the exported functions that take bytes of somebody.
func bytesTakers(t *testing.T) map[string]bool {
	return exportedFunctions(t, func(f *ast.FuncDecl) bool {
		for _, p := range f.Type.Params.List {
			switch types.ExprString(p.Type) {
			case "[]byte", "[][]byte", "io.Reader", "json.RawMessage", "*http.Request":
			default:
				continue
			}
			if len(p.Names) == 0 || slices.ContainsFunc(p.Names, func(n *ast.Ident) bool { return !slices.Contains(notRead, n.Name) }) {
				return true
			}
		}
		return false
	})
}

// exportedFunctions returns those of the module, as package.Function or
// package.Type.Method.
func exportedFunctions(t *testing.T, want func(*ast.FuncDecl) bool) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	eachFile(t, func(pkg string, f *ast.File) {
		if pkg == "rdf/internal/scan" { // what the readers share: their bytes
			return
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() || !want(fn) {
				continue
			}
			name := pkg + "."
			if fn.Recv != nil {
				receiver := strings.TrimPrefix(types.ExprString(fn.Recv.List[0].Type), "*")
				if !ast.IsExported(receiver) { // nobody outside can name it
					continue
				}
				name += receiver + "."
			}
			all[name+fn.Name.Name] = true
		}
	})
	return all
}

// eachFile parses every file of the module that is no test, with its package's path.
func eachFile(t *testing.T, do func(pkg string, f *ast.File)) {
	t.Helper()
	root := filepath.Join("..", "..")
	fset := token.NewFileSet()
	n := 0
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			// compat and tools are modules of their own; commands and examples read what
			// their user gives them.
			if base := d.Name(); base == "testdata" || rel != "." && strings.HasPrefix(base, ".") || slices.Contains([]string{"compat", "tools", "examples", "internal/cmd", "cmd", "replay/replaytest"}, rel) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		n++
		dir := filepath.ToSlash(filepath.Dir(rel))
		do(dir, f)
		return nil
	}))
	require.Greater(t, n, 200)
}
