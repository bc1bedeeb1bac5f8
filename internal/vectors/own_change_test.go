package vectors_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/vectors"
)

// refuses reports whether what is expected is a no.
func (c ownCase) refuses(t testing.TB) bool {
	t.Helper()
	text := rawJSON(t, c.expected)
	for _, no := range []string{
		`"code":`, `Code":`, `"policy":"refused"`, `"valid":false`, `"verified":false`, `"complete":false`, `"ok":false`, `"declared":false`, `"known":false`, `"maySend":false`,
		`"authorized":false`, `"conforms":false`, `"downgrade":false`, `"deny"`,
	} {
		if strings.Contains(text, no) {
			return true
		}
	}
	return false
}

// TestOwnVectorsDiffer: a case that is refused is a case that is not, but for one thing: a
// file, or a member of the input, and what has to follow it.
func TestOwnVectorsDiffer(t *testing.T) {
	t.Parallel()
	for _, s := range ownSuites(t) {
		byName := map[string]ownCase{}
		for _, c := range s.cases {
			byName[c.name] = c
		}
		for _, c := range s.cases {
			if c.base == "" {
				// A series has steps of both kinds, and a table has a row of its own.
				assert.True(t, !c.refuses(t) || c.series(), "%s/%s is refused and is based on nothing", s.name, c.name)
				continue
			}
			base, ok := byName[c.base]
			if !assert.True(t, ok, "%s/%s: there is no case %s", s.name, c.name, c.base) {
				continue
			}
			assert.Equal(t, base.operation, c.operation, c.name)
			if !base.series() {
				assert.Equal(t, c.despite, base.refuses(t), "%s/%s is based on %s", s.name, c.name, c.base)
			}
			differ := c.differs(t, base)
			left := slices.DeleteFunc(slices.Clone(differ), func(name string) bool { return slices.Contains(c.follows, name) })
			assert.Len(t, left, 1, "%s/%s differs from %s in %v", s.name, c.name, c.base, differ)
			for _, name := range c.follows {
				assert.Contains(t, differ, name, "%s/%s", s.name, c.name)
			}
		}
	}
}

// series reports whether a case is about several things that happen one after the other.
func (c ownCase) series() bool {
	return slices.Contains([]string{"verify-cards", "map-state", "follow-task", "verify-terms-fresh", "converse"}, c.operation)
}

// differs lists the files and members of the input in which two cases differ.
func (c ownCase) differs(t testing.TB, base ownCase) []string {
	t.Helper()
	var all []string
	for _, name := range slices.Sorted(maps.Keys(c.input)) {
		if rawJSON(t, c.input[name]) != rawJSON(t, base.input[name]) {
			all = append(all, name)
		}
	}
	for name := range base.input {
		if _, ok := c.input[name]; !ok {
			all = append(all, name)
		}
	}
	for name, text := range c.files {
		if other, ok := base.files[name]; !ok || other != text {
			all = append(all, name)
		}
	}
	for name := range base.files {
		if _, ok := c.files[name]; !ok {
			all = append(all, name)
		}
	}
	return all
}

// TestOwnVectorsFlip: a case fails when anything else is expected: every value changed, every
// member and element left out, and one more.
func TestOwnVectorsFlip(t *testing.T) {
	t.Parallel()
	for _, s := range ownSuites(t) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			all := s.files(t)
			shared := fstest.MapFS{}
			for name, data := range all {
				if !strings.HasPrefix(name, "cases/") {
					shared[name] = &fstest.MapFile{Data: data}
				}
			}
			n := 0
			for _, c := range s.cases {
				fsys := maps.Clone(shared)
				dir := "cases/" + c.name
				for name, text := range c.files {
					fsys[path.Join(dir, name)] = &fstest.MapFile{Data: []byte(text)}
				}
				id := s.name + "/" + c.name
				fsys["manifest.json"] = &fstest.MapFile{Data: []byte(rawJSON(t, object{
					"suite": s.name, "spec": s.spec, "schemaVersion": 1, "caseCount": 1, "cases": []object{{"id": id, "path": dir + "/case.json"}},
				}))}
				operations := remembered(c.operation)
				var text map[string]any
				require.NoError(t, json.Unmarshal(all[dir+"/case.json"], &text))
				run := func(expected any) vectors.Result {
					text["expected"] = expected
					fsys[dir+"/case.json"] = &fstest.MapFile{Data: []byte(rawJSON(t, text))}
					r := vectors.Run(t.Context(), s.name, fs.FS(fsys), operations)
					require.Len(t, r.Results, 1)
					return r.Results[0]
				}
				good := text["expected"]
				require.True(t, run(good).Passed, "%s", id)
				for _, changed := range changes(good) {
					n++
					r := run(changed)
					require.False(t, r.Passed, "%s passes with %s", id, rawJSON(t, changed))
					require.NotEmpty(t, r.Reason)
				}
			}
			require.Greater(t, n, 2*len(s.cases))
		})
	}
}

// remembered returns the operation of a name, which carries a case out once and then says the
// same again: what is expected changes nothing of what comes of it.
func remembered(name string) []vectors.Operation {
	all := vectors.Operations()
	o := all[slices.IndexFunc(all, func(o vectors.Operation) bool { return o.Name == name })]
	var done bool
	var out vectors.Outcome
	var err error
	return []vectors.Operation{{Name: o.Name, Input: o.Input, Run: func(ctx context.Context, c *vectors.Case) (vectors.Outcome, error) {
		if !done {
			out, err = o.Run(ctx, c)
			done = true
		}
		return out, err
	}}}
}

// changes returns a JSON value in every small way in which it can be another one.
func changes(v any) []any {
	var out []any
	switch v := v.(type) {
	case bool:
		return []any{!v, "true", nil}
	case string:
		return []any{v + "x", ""}[:1+min(len(v), 1)]
	case float64:
		return []any{v + 1, nil}
	case nil:
		return []any{false}
	case []any:
		for i, item := range v {
			for _, c := range changes(item) {
				out = append(out, slices.Concat(v[:i:i], []any{c}, v[i+1:]))
			}
			out = append(out, slices.Concat(v[:i:i], v[i+1:]))
		}
		if len(v) > 1 && !reflect.DeepEqual(v[0], v[1]) {
			out = append(out, slices.Concat(v[1:2:2], v[:1], v[2:]))
		}
		return append(out, slices.Concat(v, []any{"more"}))
	case map[string]any:
		for name, m := range v {
			for _, c := range changes(m) {
				other := maps.Clone(v)
				other[name] = c
				out = append(out, other)
			}
			less := maps.Clone(v)
			delete(less, name)
			out = append(out, less)
		}
		more := maps.Clone(v)
		more["more"] = true
		return append(out, more)
	}
	return out
}

// TestOwnVectorsAsk: every member that the input of an operation may have is used, so that a
// runner which ignores one does not pass.
func TestOwnVectorsAsk(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for _, s := range ownSuites(t) {
		for _, c := range s.cases {
			for name := range c.input {
				used[c.operation+" "+name] = true
			}
		}
	}
	public := []string{ // what the public suites use
		"verify-pd-pin mediaType", "verify-agent-authority actorChain", "verify-agent-authority revocationDocuments", "verify-agent-authority statusUnreachable",
		"verify-agent-authority maxChainLength", "verify-agent-authority hasPolicy", "evaluate-delegated-chain revocationDocuments", "rdfc10-hash graph",
	}
	for _, o := range vectors.Operations() {
		for _, member := range o.Input {
			name := o.Name + " " + member
			assert.True(t, used[name] || slices.Contains(public, name), "no case uses %s", name)
		}
	}
}

// TestOwnVectorsInput: a case cannot be carried out whose input is not of the kind that its
// operation reads, or names a file that is not there.
func TestOwnVectorsInput(t *testing.T) {
	t.Parallel()
	tried := map[string]bool{}
	for _, s := range ownSuites(t) {
		shared := fstest.MapFS{}
		for name, text := range s.shared {
			shared[name] = &fstest.MapFile{Data: []byte(text)}
		}
		for _, c := range s.cases {
			for _, member := range slices.Sorted(maps.Keys(c.input)) {
				if c.operation == "decode-handshake" || c.operation == "may-downgrade-to-nl" || tried[c.operation+" "+member] {
					continue // any JSON is one of their inputs
				}
				tried[c.operation+" "+member] = true
				var wrong any = 7
				if _, ok := c.input[member].(int); ok {
					wrong = "x"
				}
				for _, v := range []any{wrong, "missing.json"} {
					if _, ok := c.input[member].(string); !ok && v != wrong {
						continue // it is no text, and a text is wrong anyway
					}
					if text, ok := c.input[member].(string); ok && v != wrong && c.files[text] == "" {
						continue // it names no file
					}
					fsys := maps.Clone(shared)
					for name, text := range c.files {
						fsys["cases/c/"+name] = &fstest.MapFile{Data: []byte(text)}
					}
					input := maps.Clone(c.input)
					input[member] = v
					fsys["manifest.json"] = &fstest.MapFile{Data: []byte(rawJSON(t, object{"suite": "s", "spec": "x", "schemaVersion": 1, "caseCount": 1, "cases": []object{{"id": "s/c", "path": "cases/c/case.json"}}}))}
					fsys["cases/c/case.json"] = &fstest.MapFile{Data: []byte(rawJSON(t, object{"id": "s/c", "operation": c.operation, "input": input, "expected": c.expected}))}
					r := vectors.Run(t.Context(), "s", fsys, vectors.Operations())
					require.Len(t, r.Results, 1)
					assert.False(t, r.Results[0].Passed, "%s with %s: %v", c.operation, member, v)
					assert.NotEmpty(t, r.Results[0].Reason)
				}
			}
		}
	}
	require.Greater(t, len(tried), 90)
}
