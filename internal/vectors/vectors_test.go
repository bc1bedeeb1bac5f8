package vectors_test

import (
	"context"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/internal/vectors"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

// TestA2ARDF runs the suite of the a2a-rdf extension.
func TestA2ARDF(t *testing.T) {
	t.Parallel()
	const recorded = 13
	r := vectors.Run(t.Context(), "a2a-rdf", os.DirFS(suite.Vectors(t, "a2a-rdf")), vectors.Operations())
	for _, c := range r.Results {
		t.Run(c.ID, func(t *testing.T) {
			require.True(t, c.Passed, c.Reason)
		})
	}
	require.Len(t, r.Results, recorded)
}

// TestOtherSuites: cases of operations that are not known fail, and all of them
// are reported.
func TestOtherSuites(t *testing.T) {
	t.Parallel()
	r := vectors.Run(t.Context(), "x", os.DirFS(suite.Vectors(t, "a2a-rdf")), nil)
	require.Len(t, r.Results, 13)
	passed, failed := vectors.Count([]vectors.Report{r})
	require.Equal(t, []int{0, 13}, []int{passed, failed})
	require.Contains(t, r.Results[0].Reason, "unknown operation")
}

const (
	pin      = "sha256:4af1e70e42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990ab509"
	offer    = `{"kind":"upgrade-offer","protocolHash":"` + pin + `","protocolSource":"https://a.example/p","required":false}`
	decline  = `{"kind":"upgrade-response","protocolHash":"` + pin + `","accept":false}`
	triples  = "<urn:s> <urn:p> <urn:o> .\n"
	shape    = "@prefix sh: <http://www.w3.org/ns/shacl#> . <urn:S> sh:targetNode <urn:s> ; sh:property [ sh:path <urn:p> ; sh:minCount 1 ] ."
	noShape  = "@prefix sh: <http://www.w3.org/ns/shacl#> . <urn:S> sh:targetNode <urn:s> ; sh:property [ sh:path <urn:p> ; sh:minCount 2 ] ."
	manifest = `{"suite":"s","spec":"https://e.example/s","schemaVersion":1,"caseCount":1,"cases":[{"id":"s/one","path":"cases/one/case.json"}]}`
)

// files is a suite of one case.
func files(operation, input, expected string) fstest.MapFS {
	return fstest.MapFS{
		"manifest.json":       {Data: []byte(manifest)},
		"cases/one/case.json": {Data: []byte(`{"id":"s/one","title":"t","spec":"x","clauses":["c"],"statements":["S-1"],"source":"s","note":"n","operation":"` + operation + `","input":` + input + `,"expected":` + expected + `}`)},
		"cases/one/data.nq":   {Data: []byte(triples)},
		"cases/one/data.json": {Data: []byte(`{"@id":"urn:s","urn:p":{"@id":"urn:o"}}`)},
	}
}

func one(t testing.TB, fsys fs.FS) vectors.Result {
	t.Helper()
	r := vectors.Run(t.Context(), "suite", fsys, vectors.Operations())
	require.Len(t, r.Results, 1)
	return r.Results[0]
}

func TestOperations(t *testing.T) {
	t.Parallel()
	const hash = "sha256:" + "c61e9cd8b7d7a4cb4ac1a4a1a5d1a5b0b1f2b6cb8a5a8b1a9c1c9d7d2d2d2d2d"
	of := func(members string) string { return "{" + members + "}" }
	graphHash := observedHash(t)
	for _, row := range []struct {
		name, operation, input, expected string
		passed                           bool
	}{
		{"hash of a file", "rdfc10-hash", of(`"graph":"data.nq"`), of(`"canonical":"data.nq","hash":"` + graphHash + `"`), true},
		{"hash of JSON-LD", "rdfc10-hash", of(`"graph":"data.json"`), of(`"canonical":"data.nq","hash":"` + graphHash + `"`), true},
		{"hash of a text", "rdfc10-hash", of(`"graph":"<urn:s> <urn:p> <urn:o> ."`), of(`"hash":"` + graphHash + `","canonical":"<urn:s> <urn:p> <urn:o> .\n"`), true},
		{"a part of the outcome", "rdfc10-hash", of(`"graph":"data.nq"`), of(`"hash":"` + graphHash + `"`), false},
		{"another hash", "rdfc10-hash", of(`"graph":"data.nq"`), of(`"canonical":"data.nq","hash":"` + hash + `"`), false},
		{"no RDF", "rdfc10-hash", of(`"graph":"<urn:s>"`), of(`"hash":"` + graphHash + `"`), false},
		{"pin of a file", "verify-pd-pin", of(`"body":"data.nq","pinnedHash":"` + graphHash + `"`), of(`"ok":true`), true},
		{"pin of JSON-LD", "verify-pd-pin", of(`"body":"data.json","mediaType":"application/ld+json","pinnedHash":"` + graphHash + `"`), of(`"ok":true`), true},
		{"another pin", "verify-pd-pin", of(`"body":"data.nq","pinnedHash":"` + pin + `"`), of(`"ok":false`), true},
		{"another pin, passed", "verify-pd-pin", of(`"body":"data.nq","pinnedHash":"` + pin + `"`), of(`"ok":true`), false},
		{"a pin that is none", "verify-pd-pin", of(`"body":"data.nq","pinnedHash":"` + strings.ToUpper(graphHash) + `"`), of(`"ok":false`), true},
		{"a pin that is no text", "verify-pd-pin", of(`"body":"data.nq","pinnedHash":1`), of(`"ok":false`), true},
		{"a media type that is not read", "verify-pd-pin", of(`"body":"data.nq","mediaType":"text/plain","pinnedHash":"` + graphHash + `"`), of(`"ok":false`), true},
		{"a media type that is no text", "verify-pd-pin", of(`"body":"data.nq","mediaType":1,"pinnedHash":"` + graphHash + `"`), of(`"ok":false`), false},
		{"an offer", "decode-handshake", of(`"payload":` + offer), of(`"ok":true`), true},
		{"a response that is not one", "decode-handshake", of(`"payload":` + strings.Replace(decline, "false", `"false"`, 1)), of(`"ok":false`), true},
		{"no object", "decode-handshake", of(`"payload":[]`), of(`"ok":false`), true},
		{"no payload", "decode-handshake", of(""), of(`"ok":false`), false},
		{"declined", "may-downgrade-to-nl", of(`"offer":` + offer + `,"response":` + decline), of(`"downgrade":true`), true},
		{"unrelated", "may-downgrade-to-nl", of(`"offer":` + offer + `,"response":` + strings.Replace(decline, "4af1", "0000", 1)), of(`"downgrade":false`), true},
		{"no response", "may-downgrade-to-nl", of(`"offer":` + offer + `,"response":null`), of(`"downgrade":false`), true},
		{"a response that is not one, decided", "may-downgrade-to-nl", of(`"offer":` + offer + `,"response":` + strings.Replace(decline, "false", "null", 1)), of(`"downgrade":false`), true},
		{"an offer as response", "may-downgrade-to-nl", of(`"offer":` + offer + `,"response":` + offer), of(`"downgrade":false`), true},
		{"no offer", "may-downgrade-to-nl", of(`"response":` + decline), of(`"downgrade":false`), false},
		{"conforms", "validate-intent", of(`"dataGraph":"data.nq","shapesGraph":"` + shape + `"`), of(`"conforms":true`), true},
		{"does not conform", "validate-intent", of(`"dataGraph":"data.nq","shapesGraph":"` + noShape + `"`), of(`"conforms":false`), true},
		{"shapes that are none", "validate-intent", of(`"dataGraph":"data.nq","shapesGraph":"` + strings.Replace(shape, "minCount 1", "minCount -1", 1) + `"`), of(`"conforms":false`), false},
		{"unknown operation", "no-such-operation", of(""), of(`"ok":true`), false},
		{"unknown member of the input", "decode-handshake", of(`"payload":` + offer + `,"x":1`), of(`"ok":true`), false},
		{"unknown member of the expectation", "decode-handshake", of(`"payload":` + offer), of(`"ok":true,"x":1`), false},
		{"nothing expected", "decode-handshake", of(`"payload":` + offer), of(""), false},
		{"missing input file", "rdfc10-hash", of(`"graph":"missing.nq"`), of(`"hash":"` + graphHash + `"`), false},
		{"missing expected file", "rdfc10-hash", of(`"graph":"data.nq"`), of(`"canonical":"missing.nq","hash":"` + graphHash + `"`), false},
		{"a file outside", "rdfc10-hash", of(`"graph":"../one/data.nq"`), of(`"canonical":"data.nq","hash":"` + graphHash + `"`), false},
		{"the type of the outcome", "decode-handshake", of(`"payload":` + offer), of(`"ok":"true"`), false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := one(t, files(row.operation, row.input, row.expected))
			require.Equal(t, row.passed, got.Passed, got.Reason)
			require.Equal(t, "s/one", got.ID)
			require.Equal(t, row.passed, got.Reason == "")
		})
	}
}

// observedHash is what the hash of triples is, as another operation sees it.
func observedHash(t testing.TB) string {
	r := one(t, files("rdfc10-hash", `{"graph":"data.nq"}`, `{"hash":"?"}`))
	_, hash, ok := strings.Cut(r.Observed, `"hash":"`)
	require.True(t, ok, r.Reason)
	return strings.TrimSuffix(hash, `"}`)
}

// TestSuiteFailures: a suite that is not what it says fails.
func TestSuiteFailures(t *testing.T) {
	t.Parallel()
	good := func() fstest.MapFS { return files("decode-handshake", `{"payload":`+offer+`}`, `{"ok":true}`) }
	require.True(t, one(t, good()).Passed)
	change := func(file, old, new string) fstest.MapFS {
		f := good()
		require.Contains(t, string(f[file].Data), old)
		f[file] = &fstest.MapFile{Data: []byte(strings.Replace(string(f[file].Data), old, new, 1))}
		return f
	}
	const caseFile = "cases/one/case.json"
	without := good()
	delete(without, caseFile)
	more := good()
	more["cases/two/case.json"] = more[caseFile]
	with := func(file string, f *fstest.MapFile) fstest.MapFS {
		all := good()
		all[file] = f
		return all
	}
	for _, row := range []struct {
		name string
		fsys fs.FS
		want string
	}{
		{"empty directory", fstest.MapFS{}, "there is no manifest.json"},
		{"no JSON", fstest.MapFS{"manifest.json": {Data: []byte("{")}}, "manifest.json: "},
		{"no object", fstest.MapFS{"manifest.json": {Data: []byte("[]")}}, "expected an object"},
		{"no cases", change("manifest.json", `{"id":"s/one","path":"cases/one/case.json"}`, ""), "lists no case"},
		{"another count", change("manifest.json", `"caseCount":1`, `"caseCount":2`), "counts 2 cases and lists 1"},
		{"another schema", change("manifest.json", `"schemaVersion":1`, `"schemaVersion":2`), "schemaVersion 2"},
		{"unknown member of the manifest", change("manifest.json", `"suite":"s"`, `"suite":"s","x":1`), `unknown member "x"`},
		{"missing member of the manifest", change("manifest.json", `"suite":"s",`, ``), `"suite" is missing`},
		{"unknown member of an entry", change("manifest.json", `"id":"s/one"`, `"id":"s/one","x":1`), `unknown member "x"`},
		{"an entry that is none", change("manifest.json", `{"id":"s/one","path":"cases/one/case.json"}`, `"s/one"`), "expected an object"},
		{"a case twice", change("manifest.json", `"cases":[`, `"cases":[{"id":"s/one","path":"cases/one/case.json"},`), "listed twice"},
		{"a file twice", change("manifest.json", `"cases":[`, `"cases":[{"id":"s/two","path":"cases/one/case.json"},`), "listed twice"},
		{"a path outside", change("manifest.json", `"path":"cases/one/case.json"`, `"path":"../case.json"`), "expected a path within the suite"},
		{"missing case", without, "file does not exist"},
		{"a case that is not listed", more, "does not list"},
		{"a folder without a case", with("cases/two/data.ttl", &fstest.MapFile{}), "does not list \"cases/two/case.json\""},
		{"an empty folder", with("cases/two", &fstest.MapFile{Mode: fs.ModeDir | 0o755}), "does not list \"cases/two/case.json\""},
		{"a case further down", with("cases/two/three/case.json", good()[caseFile]), "does not list \"cases/two/case.json\""},
		{"a pipe among the cases", with("cases/two", &fstest.MapFile{Mode: fs.ModeNamedPipe}), "does not list \"cases/two/case.json\""},
		{"a pipe for a case", with(caseFile, &fstest.MapFile{Mode: fs.ModeNamedPipe}), "expected a regular file"},
		{"a folder for a case", with(caseFile, &fstest.MapFile{Mode: fs.ModeDir | 0o755}), "expected a regular file"},
		{"a pipe for a manifest", with("manifest.json", &fstest.MapFile{Mode: fs.ModeNamedPipe}), "expected a regular file"},
		{"another id", change(caseFile, `"id":"s/one"`, `"id":"s/two"`), `says that it is "s/two"`},
		{"unknown member of a case", change(caseFile, `"title":"t"`, `"title":"t","x":1`), `unknown member "x"`},
		{"missing operation", change(caseFile, `"operation":"decode-handshake",`, ``), `"operation" is missing`},
		{"operation of another type", change(caseFile, `"operation":"decode-handshake"`, `"operation":1`), `"operation" is a number`},
		{"input of another type", change(caseFile, `"input":{`, `"input":1,"x":{`), `"input" is a number`},
		{"a member twice", change(caseFile, `"title":"t"`, `"title":"t","title":"u"`), "title"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := vectors.Run(t.Context(), "suite", row.fsys, vectors.Operations())
			require.NotEmpty(t, r.Results)
			_, failed := vectors.Count([]vectors.Report{r})
			require.Positive(t, failed)
			var reasons []string
			for _, c := range r.Results {
				reasons = append(reasons, c.Reason)
			}
			require.Contains(t, strings.Join(reasons, "\n"), row.want)
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := vectors.Run(ctx, "suite", good(), vectors.Operations())
	require.False(t, r.Results[0].Passed)
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	operations := []vectors.Operation{{Name: "echo", Run: func(context.Context, *vectors.Case) (vectors.Outcome, error) {
		return vectors.Outcome{vectors.Bool("a", true), vectors.Text("b", "\"\\\n\x01é"), vectors.Texts("c", []string{"x", "y"}), {Name: "d", JSON: `{"z":1,"y":[2.0]}`}}, nil
	}}}
	run := func(expected string) vectors.Result {
		return vectors.Run(t.Context(), "s", files("echo", "{}", expected), operations).Results[0]
	}
	const good = `{"d":{"y":[2],"z":1},"c":["x","y"],"b":"\"\\\n\u0001\u00e9","a":true}`
	r := run(good)
	require.True(t, r.Passed, r.Reason)
	for _, bad := range []string{
		strings.Replace(good, `["x","y"]`, `["y","x"]`, 1), strings.Replace(good, `"z":1`, `"z":2`, 1), strings.Replace(good, `"a":true`, `"a":false`, 1), strings.Replace(good, `,"a":true`, "", 1),
	} {
		r := run(bad)
		require.False(t, r.Passed, bad)
		require.NotEmpty(t, r.Reason)
	}
}

// TestOperationNames: the table has each name once, and inputs for it.
func TestOperationNames(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, o := range vectors.Operations() {
		require.False(t, seen[o.Name], o.Name)
		seen[o.Name] = true
		require.NotEmpty(t, o.Input, o.Name)
		require.NotNil(t, o.Run, o.Name)
	}
	for _, name := range []string{"rdfc10-hash", "verify-pd-pin", "decode-handshake", "may-downgrade-to-nl", "validate-intent"} {
		require.True(t, seen[name], name)
	}
}

func TestEARL(t *testing.T) {
	t.Parallel()
	reports := []vectors.Report{{Suite: "s", Results: []vectors.Result{{ID: "s/one", Passed: true}, {ID: "s/two", Reason: "ok: expected true"}}}}
	d, err := vectors.EARL(reports, "https://e.example/software")
	require.NoError(t, err)
	text := string(nquads.Append(nil, d))
	require.Equal(t, 1+2*8+1, d.Len())
	for _, want := range []string{
		"<http://www.w3.org/ns/earl#test> <urn:vectors:s/one> .", "<http://www.w3.org/ns/earl#outcome> <http://www.w3.org/ns/earl#passed> .",
		"<http://www.w3.org/ns/earl#outcome> <http://www.w3.org/ns/earl#failed> .", `"ok: expected true"`,
	} {
		require.Equal(t, 1, strings.Count(text, want), want)
	}
	_, err = vectors.EARL([]vectors.Report{{Results: []vectors.Result{{ID: "a b"}}}}, "https://e.example/software")
	require.Error(t, err)
	_, err = vectors.EARL(reports, "not an IRI")
	require.Error(t, err)
}
