package policy_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/rdfproto/rdfproto"

// room says what one package may import directly.
type room struct {
	ours   []string // packages of this module
	others []string // packages of other modules, or all below one
	std    []string // packages of the standard library that are denied elsewhere
	edge   bool     // may use what inner rooms may not: see denied and deniedNames
}

// rooms is the policy. A package that is missing from it fails the test.
var rooms = map[string]room{
	"rdf":       {std: []string{"unsafe", "hash/maphash"}}, // text as bytes without a copy; a seed against chosen collisions
	"rdf/vocab": {},
	"rdf/xsd":   {ours: []string{"rdf", "rdf/vocab", "internal/decimal"}},

	"rdf/internal/scan": {ours: []string{"rdf"}},
	"rdf/nquads":        {ours: []string{"rdf", "rdf/internal/scan"}},
	"rdf/turtle":        {ours: []string{"rdf", "rdf/internal/scan", "rdf/vocab"}},
	"rdf/jsonld":        {ours: []string{"rdf", "rdf/internal/scan", "rdf/vocab", "internal/decimal", "internal/strictjson"}},
	"rdf/jsonld/write": {
		ours:   []string{"rdf", "rdf/vocab", "rdf/jsonld", "canon", "internal/strictjson"},
		others: []string{"github.com/piprate/json-gold"},
	},
	"rdf/rdfio": {ours: []string{"rdf", "rdf/internal/scan", "rdf/nquads", "rdf/turtle", "rdf/jsonld"}},

	"canon": {ours: []string{"rdf", "internal/strictjson"}},
	"shacl": {ours: []string{"rdf", "rdf/vocab", "rdf/xsd", "internal/xpattern"}},

	"protocol":         {ours: []string{"rdf", "rdf/vocab", "rdf/xsd", "rdf/rdfio", "rdf/jsonld", "canon", "shacl"}},
	"protocol/pdstore": {ours: []string{"rdf", "canon", "protocol"}, edge: true},
	"handshake":        {ours: []string{"rdf", "rdf/vocab", "rdf/rdfio", "canon", "protocol", "internal/strictjson"}},
	"odrl":             {ours: []string{"rdf", "rdf/vocab", "rdf/xsd", "internal/lifetime", "internal/strictjson"}},
	"odrl/delegation":  {ours: []string{"rdf", "rdf/vocab", "odrl"}},
	"authz":            {ours: []string{"rdf", "rdf/vocab", "rdf/xsd", "rdf/rdfio", "canon", "odrl", "odrl/delegation", "authz/vc", "protocol", "internal/lifetime", "internal/strictjson"}},
	"authz/vc":         {ours: []string{"rdf", "rdf/vocab", "rdf/xsd", "rdf/jsonld", "rdf/rdfio", "canon", "internal/lifetime", "internal/strictjson"}, others: []string{"github.com/mr-tron/base58"}},
	"terms":            {ours: []string{"agentcard", "canon", "internal/lifetime", "internal/strictjson"}, others: []string{"github.com/nats-io/nkeys"}},
	"agentcard":        {ours: []string{"rdf", "canon", "internal/decimal", "internal/lifetime", "internal/strictjson"}, others: []string{"github.com/go-jose/go-jose/v4"}},
	"owg":              {ours: []string{"rdf", "rdf/vocab", "canon", "agentcard", "internal/lifetime", "internal/strictjson"}, std: []string{"embed"}, others: []string{"golang.org/x/text"}}, // the Protocol Document; names that look alike

	"replay":                {ours: []string{"canon", "handshake", "internal/strictjson", "replay/internal/entry"}},
	"replay/internal/entry": {},
	"replay/bolt":           {ours: []string{"canon", "replay", "replay/internal/entry"}, others: []string{"go.etcd.io/bbolt"}, edge: true},
	"replay/redis":          {ours: []string{"canon", "replay", "replay/internal/entry"}, others: []string{"github.com/redis/go-redis/v9"}, edge: true},
	"replay/replaytest":     {ours: []string{"canon", "replay"}, others: []string{"github.com/stretchr/testify"}, edge: true}, // for tests alone

	"engine": {ours: []string{
		"rdf", "rdf/vocab", "rdf/turtle", "rdf/nquads", "rdf/rdfio", "canon", "shacl", "protocol", "handshake",
		"odrl", "authz", "authz/vc", "agentcard", "replay", "internal/strictjson",
	}},

	"a2a": {
		ours:   []string{"agentcard", "canon", "engine", "fetch", "handshake", "internal/strictjson", "protocol"},
		others: []string{"github.com/a2aproject/a2a-go/v2", "google.golang.org/grpc", "google.golang.org/protobuf"},
		edge:   true,
	},
	"fetch": {others: []string{"code.dny.dev/ssrf"}, edge: true},

	"internal/decimal":    {},
	"internal/lifetime":   {ours: []string{"rdf", "rdf/vocab"}},
	"internal/strictjson": {ours: []string{"internal/decimal"}, std: []string{"unsafe"}}, // texts of the input without a copy
	"internal/earl":       {ours: []string{"rdf", "rdf/vocab"}},
	"internal/suite":      {ours: []string{"rdf", "rdf/vocab", "rdf/nquads", "rdf/turtle", "internal/earl"}, edge: true}, // for tests alone
	"internal/oracle":     {std: []string{"embed"}, edge: true},                                                          // for tests alone
	"internal/xpattern":   {},
	"internal/draw":       {},
	"internal/legible":    {ours: []string{"rdf", "rdf/vocab", "rdf/turtle", "authz"}},
	"internal/deadport":   {edge: true, others: []string{"github.com/stretchr/testify"}}, // for tests alone
	"internal/peak":       {edge: true},                                                  // for tests alone
	"internal/damage":     {ours: []string{"internal/strictjson"}},                       // for tests alone
	"internal/markdown":   {},                                                            // for tests alone
	"internal/policy":     {},
	"internal/attack":     {},
	"internal/cli": {
		ours: []string{
			"rdf", "rdf/vocab", "rdf/nquads", "rdf/turtle", "rdf/jsonld", "rdf/jsonld/write", "rdf/rdfio", "canon", "shacl",
			"protocol", "handshake", "agentcard", "terms", "odrl", "odrl/delegation", "authz", "authz/vc", "engine", "protocol/pdstore", "replay", "replay/bolt", "owg", "internal/earl", "internal/vectors", "internal/strictjson", "internal/draw", "internal/legible",
		},
		others: []string{"github.com/spf13/cobra", "github.com/spf13/pflag"},
		edge:   true,
	},
	"internal/service": {
		ours: []string{
			"rdf", "rdf/jsonld", "rdf/rdfio", "canon", "shacl", "protocol", "agentcard", "odrl", "authz", "authz/vc", "engine", "a2a", "owg", "replay", "replay/bolt", "replay/redis", "fetch",
			"internal/cli", "internal/legible", "internal/vectors", "internal/strictjson",
		},
		others: []string{"github.com/spf13/cobra", "github.com/redis/go-redis/v9/logging"},
		edge:   true,
	},
	"internal/vectors": {ours: []string{
		"internal/earl", "rdf", "rdf/vocab", "rdf/jsonld", "rdf/rdfio", "canon", "shacl", "protocol", "handshake", "odrl", "odrl/delegation", "authz", "authz/vc", "agentcard", "terms", "owg", "engine", "replay",
		"internal/strictjson",
	}},
	"internal/page": {ours: []string{
		"rdf", "rdf/vocab", "rdf/jsonld", "rdf/rdfio", "canon", "shacl", "protocol", "engine", "odrl", "authz", "authz/vc", "replay",
		"internal/legible", "internal/vectors", "internal/strictjson",
	}},
	"internal/online":       {ours: []string{"fetch", "internal/cli"}, edge: true},
	"internal/cmd/bench":    {ours: []string{"rdf", "rdf/jsonld", "rdf/rdfio", "canon", "shacl", "authz/vc"}, edge: true},
	"internal/cmd/ratios":   {edge: true},
	"internal/cmd/web":      {ours: []string{"internal/page"}, edge: true}, // for js/wasm alone
	"internal/cmd/buildweb": {edge: true},
	"internal/cmd/baseline": {ours: []string{"authz/vc", "rdf/jsonld", "rdf", "rdf/nquads", "rdf/turtle", "canon", "shacl", "protocol", "replay", "engine"}, edge: true},
	"internal/cmd/release": {
		ours:   []string{"internal/cli", "internal/service"},
		others: []string{"github.com/spf13/cobra", "github.com/spf13/pflag"},
		edge:   true,
	},
	"internal/reference": {
		ours: []string{
			"rdf", "rdf/jsonld", "shacl", "protocol", "odrl", "odrl/delegation", "authz", "authz/vc", "agentcard", "terms", "owg", "fetch",
			"internal/cli", "internal/service",
		},
		edge: true, // for the pages of docs and their tests
	},
	"internal/cmd/reference": {ours: []string{"internal/reference"}, edge: true},
	"examples":               {},
	"examples/internal/demo": {ours: []string{"rdf/jsonld", "rdf/vocab", "agentcard", "authz/vc", "engine"}, edge: true},
	"examples/tutorial/pair": {ours: []string{"canon", "engine", "protocol", "replay"}, edge: true},
	"examples/tutorial/agent": {
		ours: []string{"a2a", "agentcard", "canon", "engine", "protocol", "replay"},
		edge: true,
	},
	"examples/embedded": {ours: []string{"canon", "engine", "protocol", "replay"}, edge: true},
	"examples/client": {
		ours: []string{"rdf", "canon", "protocol", "agentcard", "engine", "a2a", "fetch", "replay", "examples/internal/demo"},
		edge: true,
	},
	"examples/grant-agent": {
		ours: []string{
			"rdf/jsonld", "canon", "protocol", "odrl", "agentcard", "authz", "authz/vc", "engine", "a2a", "replay", "replay/bolt", "examples/internal/demo",
		},
		others: []string{"github.com/a2aproject/a2a-go/v2"},
		edge:   true,
	},

	"cmd/rdfproto":  {ours: []string{"internal/cli", "internal/online"}, edge: true},
	"cmd/rdfprotod": {ours: []string{"internal/cli", "internal/service"}, edge: true},
}

// denied are the packages of the standard library that only edges may import:
// what makes a result depend on more than the arguments, or on one process.
var denied = []string{
	"crypto/rand", "embed", "flag", "hash/maphash", "log", "log/slog", "math/rand", "math/rand/v2", "net", "net/http",
	"os", "os/exec", "os/signal", "plugin", "reflect", "runtime/debug", "syscall", "testing", "unsafe",
}

// deniedNames are names of allowed packages that only edges may use.
var deniedNames = map[string][]string{
	"time": {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"},
}

// notLinked must be reached by no import of cmd/rdfproto, however long the way:
// it would make every call start slower.
var notLinked = []string{
	"google.golang.org/", "github.com/a2aproject/", "github.com/redis/",
}

// listed is what go list says about a package.
type listed struct {
	ImportPath string
	Dir        string
	Imports    []string
	GoFiles    []string
	Standard   bool
}

func list(t *testing.T, args ...string) []listed {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-e", "-json=ImportPath,Dir,Imports,GoFiles,Standard"}, args...)...)
	cmd.Dir = filepath.Join("..", "..")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	var pkgs []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		err := dec.Decode(&p)
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		pkgs = append(pkgs, p)
	}
	require.NotEmpty(t, pkgs)
	return pkgs
}

// name is the key of a package in rooms.
func name(importPath string) string { return strings.TrimPrefix(importPath, module+"/") }

func TestRooms(t *testing.T) {
	t.Parallel()
	for _, p := range list(t, "./...") {
		t.Run(name(p.ImportPath), func(t *testing.T) {
			r, ok := rooms[name(p.ImportPath)]
			require.True(t, ok, "the package is missing from the policy")
			for _, imp := range p.Imports {
				require.Empty(t, refuse(r, imp))
			}
			for _, file := range p.GoFiles {
				require.Empty(t, fileFaults(t, r, filepath.Join(p.Dir, file)))
			}
		})
	}
}

// refuse says why a package with room r may not import imp, "" if it may.
func refuse(r room, imp string) string {
	switch {
	case strings.HasPrefix(imp, module+"/"):
		if !slices.Contains(r.ours, name(imp)) {
			return "may not import " + name(imp)
		}
	case strings.Contains(strings.Split(imp, "/")[0], "."):
		if !slices.ContainsFunc(r.others, func(o string) bool { return imp == o || strings.HasPrefix(imp, o+"/") }) {
			return "may not import " + imp
		}
	case slices.Contains(denied, imp) && !r.edge && !slices.Contains(r.std, imp):
		return "may not import " + imp + ": it belongs to the edges"
	}
	return ""
}

// fileFaults finds in one file what no import list shows.
func fileFaults(t *testing.T, r room, path string) []string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
	require.NoError(t, err)
	return faults(fset, file, r)
}

func faults(fset *token.FileSet, file *ast.File, r room) []string {
	imported := map[string]string{} // the name in this file: the import path
	for _, spec := range file.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		local := p[strings.LastIndexByte(p, '/')+1:]
		if spec.Name != nil {
			local = spec.Name.Name
		}
		imported[local] = p
	}
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			pkg, ok := n.X.(*ast.Ident)
			if ok && !r.edge && slices.Contains(deniedNames[imported[pkg.Name]], n.Sel.Name) {
				found = append(found, fmt.Sprintf("%s: %s.%s belongs to the edges", fset.Position(n.Pos()), pkg.Name, n.Sel.Name))
			}
		case *ast.FuncDecl:
			if n.Recv == nil && n.Name.Name == "init" {
				found = append(found, fmt.Sprintf("%s: init runs before anyone asked", fset.Position(n.Pos())))
			}
		}
		return true
	})
	return found
}

// TestPackageComments asks for one comment that says what the package is, in
// doc.go, or in main.go for a command.
func TestPackageComments(t *testing.T) {
	t.Parallel()
	for _, p := range list(t, "./...") {
		t.Run(name(p.ImportPath), func(t *testing.T) {
			var with []string
			for _, f := range p.GoFiles {
				file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, f), nil, parser.PackageClauseOnly|parser.ParseComments)
				require.NoError(t, err)
				if file.Doc != nil {
					with = append(with, f)
				}
			}
			want := "doc.go"
			if strings.HasPrefix(name(p.ImportPath), "cmd/") || strings.HasPrefix(name(p.ImportPath), "internal/cmd/") ||
				slices.Contains([]string{"examples", "examples/tutorial"}, path.Dir(name(p.ImportPath))) {
				want = "main.go"
			}
			require.Equal(t, []string{want}, with)
		})
	}
}

func TestCommandLinksNothingSlow(t *testing.T) {
	t.Parallel()
	for _, p := range list(t, "-deps", "./cmd/rdfproto") {
		for _, no := range notLinked {
			if p.ImportPath == strings.TrimSuffix(no, "/") || strings.HasPrefix(p.ImportPath, strings.TrimSuffix(no, "/")+"/") {
				t.Errorf("cmd/rdfproto links %s", p.ImportPath)
			}
		}
	}
}

// TestPolicyRefuses shows that the checks above can fail.
func TestPolicyRefuses(t *testing.T) {
	t.Parallel()
	inner, edge := room{ours: []string{"rdf"}}, room{edge: true}
	for _, row := range []struct {
		name string
		r    room
		imp  string
		ok   bool
	}{
		{"an allowed package of ours", inner, module + "/rdf", true},
		{"another package of ours", inner, module + "/canon", false},
		{"a package below an allowed one", inner, module + "/rdf/vocab", false},
		{"the standard library", inner, "strings", true},
		{"a denied part of it", inner, "os", false},
		{"a denied part at an edge", edge, "os", true},
		{"another module", inner, "example.org/x", false},
		{"an allowed module", room{others: []string{"example.org/x"}}, "example.org/x/y", true},
		{"a module with the same beginning", room{others: []string{"example.org/x"}}, "example.org/xy", false},
	} {
		require.Equal(t, row.ok, refuse(row.r, row.imp) == "", row.name)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "x.go", "package x\nimport clock \"time\"\nfunc init() { _ = clock.Now() }\n", 0)
	require.NoError(t, err)
	require.Len(t, faults(fset, file, inner), 2)
	require.Len(t, faults(fset, file, edge), 1)
}
