package vectors_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/vectors"
)

var update = flag.Bool("update", false, "write testdata/vectors")

// ownCase is a case of our own vectors. What is expected is written here by hand, after
// the specification; the files of the case are made and signed by code.
type ownCase struct {
	name, operation, title string
	clause                 string // of the specification
	input, expected        map[string]any
	files                  map[string]string
	note                   string
	// base is the case that this one is, but for the one thing that its title says.
	base string
	// follows are the files and members of the input that differ from those of base as
	// well, because they have to: a digest of what was changed, say.
	follows []string
	// despite: base is refused as well, and what is added to it makes no difference.
	despite bool
}

// on says what a case is based on, see ownCase.
func (s *ownSuite) on(name, base string, despite bool, follows ...string) {
	i := slices.IndexFunc(s.cases, func(c ownCase) bool { return c.name == name })
	s.cases[i].base, s.cases[i].despite, s.cases[i].follows = base, despite, follows
}

// based gives each case that is refused and says nothing of it the accepted case as its base
// that differs from it in one thing.
func (s ownSuite) based(t testing.TB) ownSuite {
	for i := range s.cases {
		c := &s.cases[i]
		if c.base != "" || !c.refuses(t) {
			continue
		}
		for _, other := range s.cases {
			if other.operation == c.operation && !other.refuses(t) && len(c.differs(t, other)) == 1 {
				c.base = other.name
				break
			}
		}
	}
	return s
}

// ownSuite is a folder of testdata/vectors.
type ownSuite struct {
	name, spec, description string
	shared                  map[string]string // files beside the manifest
	cases                   []ownCase
}

type object = map[string]any

// made holds all suites once they are made: signing takes its time.
var made struct {
	sync.Once
	suites []ownSuite
}

// ownSuites are all of them. Nobody changes them.
func ownSuites(t testing.TB) []ownSuite {
	made.Do(func() {
		made.suites = []ownSuite{
			handshakeVectors().based(t), delegationVectors().based(t), authorityVectors(t).based(t), cardVectors(t), termsVectors(t), workflowVectors(t), proofVectors(t), authorizationVectors(t).based(t),
		}
	})
	require.Len(t, made.suites, 8)
	return made.suites
}

// files returns the files of a suite by their paths in it.
func (s ownSuite) files(t testing.TB) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	write := func(name string, v any) {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		require.NoError(t, e.Encode(v))
		all[name] = b.Bytes()
	}
	var list []object
	for _, c := range s.cases {
		id, dir := s.name+"/"+c.name, "cases/"+c.name
		require.NotContains(t, all, dir+"/case.json")
		list = append(list, object{"id": id, "path": dir + "/case.json"})
		text := object{
			"id": id, "title": c.title, "spec": s.spec, "clauses": strings.Split(c.clause, ", "), "source": "https://github.com/rdfproto/rdfproto",
			"operation": c.operation, "input": c.input, "expected": c.expected,
		}
		if c.note != "" {
			text["note"] = c.note
		}
		if c.base != "" {
			text["note"] = "as " + s.name + "/" + c.base + ", but for what the title says"
			if c.despite {
				text["note"] = "as " + s.name + "/" + c.base + ", which is refused as well: what is added makes no difference"
			}
		}
		write(dir+"/case.json", text)
		for name, content := range c.files {
			all[dir+"/"+name] = []byte(content)
		}
	}
	write("manifest.json", object{"suite": s.name, "spec": s.spec, "schemaVersion": 1, "description": s.description, "caseCount": len(s.cases), "cases": list})
	for name, content := range s.shared {
		all[name] = []byte(content)
	}
	return all
}

const ownFolder = "../../testdata/vectors"

// TestOwnVectorsRecorded: the pages say how many cases there are.
func TestOwnVectorsRecorded(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"../../docs/conformance.md", ownFolder + "/README.md"} {
		text, err := os.ReadFile(filepath.FromSlash(page))
		require.NoError(t, err)
		for _, s := range ownSuites(t) {
			require.Contains(t, string(text), fmt.Sprintf("| `%s` | %d |", s.name, len(s.cases)), page)
		}
		for _, s := range ownSuites(t) {
			for _, c := range s.cases {
				if strings.HasSuffix(page, "README.md") {
					for name := range namesIn(jsonOf(t, rawJSON(t, c.expected)), "grades", "headers") {
						require.Contains(t, string(text), "`"+name+"`", "%s does not define a member of what %s expects", page, c.operation)
					}
				}
			}
		}
		for _, o := range vectors.Operations() {
			if strings.HasSuffix(page, "README.md") {
				require.Contains(t, string(text), "`"+o.Name+"`", "%s does not define an operation", page)
				for _, member := range o.Input {
					require.Contains(t, string(text), "`"+member+"`", "%s does not define a member of %s", page, o.Name)
				}
			}
		}
	}
}

// TestOwnVectors: the files are what the code makes, and every case has the outcome that
// is written by hand.
func TestOwnVectors(t *testing.T) {
	t.Parallel()
	for _, s := range ownSuites(t) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(filepath.FromSlash(ownFolder), s.name)
			files := s.files(t)
			if *update {
				require.NoError(t, os.RemoveAll(dir))
				for name, data := range files {
					file := filepath.Join(dir, filepath.FromSlash(name))
					require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
					require.NoError(t, os.WriteFile(file, data, 0o644))
				}
			}
			var found []string
			require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				found = append(found, name)
				data, err := fs.ReadFile(os.DirFS(dir), name)
				if err == nil {
					require.Equal(t, string(files[name]), string(data), "%s: go test ./internal/vectors -run TestOwnVectors -update", name)
				}
				return err
			}))
			require.Len(t, found, len(files))
			report := vectors.Run(t.Context(), s.name, os.DirFS(dir), vectors.Operations())
			require.Len(t, report.Results, len(s.cases))
			for _, r := range report.Results {
				assert.True(t, r.Passed, "%s: %s", r.ID, r.Reason)
			}
		})
	}
}

// namesIn are the names of the members of a JSON value at any depth, but within those that
// are named by what they are about.
func namesIn(v any, free ...string) map[string]bool {
	all := map[string]bool{}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			maps.Copy(all, namesIn(item, free...))
		}
	case map[string]any:
		for name, m := range v {
			all[name] = true
			if !slices.Contains(free, name) {
				maps.Copy(all, namesIn(m, free...))
			}
		}
	}
	return all
}

// TestOwnVectorsPin: of every operation there is a case of each outcome, so that nobody
// passes by always answering the same.
func TestOwnVectorsPin(t *testing.T) {
	t.Parallel()
	outcomes := map[string]map[string]bool{}
	yes, no := map[string]bool{}, map[string]bool{}
	for _, s := range ownSuites(t) {
		for _, c := range s.cases {
			if outcomes[c.operation] == nil {
				outcomes[c.operation] = map[string]bool{}
			}
			outcomes[c.operation][rawJSON(t, c.expected)] = true
			if c.refuses(t) {
				no[c.operation] = true
			} else {
				yes[c.operation] = true
			}
		}
	}
	for _, o := range vectors.Operations() {
		switch o.Name {
		case "rdfc10-hash": // its public suite is RDFC-1.0's own
			continue
		case "verify-cards": // each of its cases has steps of both kinds
			continue
		case "lint-terms", "show-terms": // they say no by what they list
		default:
			require.True(t, no[o.Name], o.Name)
		}
		require.True(t, yes[o.Name], o.Name)
		require.Greater(t, len(outcomes[o.Name]), 1, o.Name)
	}
}
