package vectors_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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
}

// ownSuite is a folder of testdata/vectors.
type ownSuite struct {
	name, spec, description string
	shared                  map[string]string // files beside the manifest
	cases                   []ownCase
}

type object = map[string]any

// ownSuites are all of them.
func ownSuites(t testing.TB) []ownSuite {
	return []ownSuite{handshakeVectors(), delegationVectors(), authorityVectors(t), cardVectors(t), termsVectors(t), workflowVectors(t), proofVectors(t)}
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
			"id": id, "title": c.title, "spec": s.spec, "clauses": []string{c.clause}, "source": "https://github.com/rdfproto/rdfproto",
			"operation": c.operation, "input": c.input, "expected": c.expected,
		}
		if c.note != "" {
			text["note"] = c.note
		}
		if c.base != "" {
			text["note"] = "as " + s.name + "/" + c.base + ", but for what the title says"
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

// TestOwnVectors: the files are what the code makes, and every case has the outcome that
// is written by hand.
func TestOwnVectors(t *testing.T) {
	t.Parallel()
	for _, s := range ownSuites(t) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(filepath.FromSlash(ownFolder), s.name)
			made := s.files(t)
			if *update {
				require.NoError(t, os.RemoveAll(dir))
				for name, data := range made {
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
					require.Equal(t, string(made[name]), string(data), "%s: go test ./internal/vectors -run TestOwnVectors -update", name)
				}
				return err
			}))
			require.Len(t, found, len(made))
			report := vectors.Run(t.Context(), s.name, os.DirFS(dir), vectors.Operations())
			require.Len(t, report.Results, len(s.cases))
			for _, r := range report.Results {
				assert.True(t, r.Passed, "%s: %s", r.ID, r.Reason)
			}
		})
	}
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

const (
	extensionSpec = "https://w3id.org/jeswr/a2a-rdf/v1"
	ownPin        = "sha256:4af1e70e42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990ab509"
)

// handshakeVectors are those of the a2a-rdf extension.
func handshakeVectors() ownSuite {
	s := ownSuite{
		name: "handshake", spec: extensionSpec,
		description: "Handshakes in JSON and in RDF, spellings of hashes, the rule against a silent downgrade, pins and intents: what the public suite does not pin.",
	}
	offer := func(change func(object)) object {
		o := object{"kind": "upgrade-offer", "protocolHash": ownPin, "protocolSource": "https://alice.example/p", "required": false}
		change(o)
		return o
	}
	answer := func(change func(object)) object {
		o := object{"kind": "upgrade-response", "protocolHash": ownPin, "accept": false}
		change(o)
		return o
	}
	set := func(name string, v any) func(object) { return func(o object) { o[name] = v } }
	gone := func(name string) func(object) { return func(o object) { delete(o, name) } }
	same := func(object) {}
	decode := func(name, title, clause string, payload any, ok bool) {
		s.cases = append(s.cases, ownCase{name: "json-" + name, operation: "decode-handshake", title: title, clause: clause, input: object{"payload": payload}, expected: object{"ok": ok}})
	}
	decode("offer", "an optional offer", "HS-2", offer(same), true)
	decode("response", "a decline", "HS-2", answer(same), true)
	decode("array", "an array around an offer", "HS-1", []any{offer(same)}, false)
	decode("kind-in-capitals", "a kind in another case", "HS-2", offer(set("kind", "Upgrade-Offer")), false)
	decode("required-number", "required is a number", "HS-3", offer(set("required", 1)), false)
	decode("required-null", "required is null", "HS-3", offer(set("required", nil)), false)
	decode("required-missing", "an offer without required", "HS-5", offer(gone("required")), false)
	decode("accept-text", "accept is a text", "HS-3", answer(set("accept", "false")), false)
	decode("name-null", "a name that is null", "HS-8", offer(set("protocolName", nil)), false)
	decode("reason-number", "a reason that is a number", "HS-8", answer(set("reason", 1)), false)
	decode("required-in-capitals", "a member in another case beside the right one", "HS-10", offer(set("Required", true)), false)
	decode("offer-with-accept", "an offer that accepts", "HS-11", offer(set("accept", true)), false)
	decode("response-with-required", "a response that requires", "HS-11", answer(set("required", false)), false)
	decode("unknown-member", "a member that nobody knows", "HS-12", offer(set("x-note", "hello")), true)
	decode("control-character", "a control character in a name", "HS-13", offer(set("protocolName", "a\u0007b")), false)
	decode("deep", "a member of nine levels", "HS-14", offer(set("x", json.RawMessage(strings.Repeat("[", 9)+strings.Repeat("]", 9)))), false)
	for _, row := range []struct{ name, hash string }{
		{"uppercase-digits", "sha256:" + strings.ToUpper(ownPin[7:])}, {"uppercase-prefix", "SHA256:" + ownPin[7:]}, {"no-prefix", ownPin[7:]}, {"other-prefix", "sha-256:" + ownPin[7:]},
		{"other-algorithm", "sha384:" + ownPin[7:]}, {"short", ownPin[:len(ownPin)-1]}, {"long", ownPin + "0"}, {"space", ownPin + " "}, {"no-digit", ownPin[:len(ownPin)-1] + "g"}, {"empty", ""},
	} {
		decode("hash-"+row.name, "a hash that is not spelt as it should be: "+row.name, "HASH-4, HASH-5, HS-7", offer(set("protocolHash", row.hash)), false)
	}

	const prefix = "@prefix a2a: <https://w3id.org/jeswr/a2a#> .\n@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
	const good = `<urn:a2a:handshake> a a2a:UpgradeOffer ; a2a:protocolHash "` + ownPin + `" ; a2a:protocolSource <https://alice.example/p> ; a2a:required true .` + "\n"
	graph := func(name, title, clause, from, to string, ok bool) {
		text := prefix + good
		if !strings.Contains(text, from) {
			panic(from)
		}
		s.cases = append(s.cases, ownCase{
			name: "rdf-" + name, operation: "decode-handshake-graph", title: title, clause: clause, input: object{"graph": "message.ttl"}, expected: object{"ok": ok},
			files: map[string]string{"message.ttl": strings.Replace(text, from, to, 1)},
		})
	}
	graph("offer", "a required offer", "HSR-1", good, good, true)
	graph("response", "a response", "HSR-1", good, `[] a a2a:UpgradeResponse ; a2a:protocolHash "`+ownPin+`" ; a2a:accept false .`, true)
	graph("nothing", "no message", "HSR-1", good, "<urn:x> a a2a:Intent .", false)
	graph("both-types", "an offer and a response in one", "HSR-1", "a2a:UpgradeOffer", "a2a:UpgradeOffer, a2a:UpgradeResponse", false)
	graph("two-offers", "two offers", "HSR-1", good, good+strings.Replace(good, "urn:a2a:handshake", "urn:other", 1), false)
	graph("elsewhere", "a property of another subject does not count", "HSR-2", "; a2a:required true .", ". <urn:other> a2a:required true .", false)
	graph("type-text", "a type that is a text", "HSR-3", "a a2a:UpgradeOffer", `a "https://w3id.org/jeswr/a2a#UpgradeOffer"`, false)
	graph("two-hashes", "two hashes", "HSR-4", `"`+ownPin+`"`, `"`+ownPin+`", "sha256:`+strings.Repeat("0", 64)+`"`, false)
	graph("required-true-and-false", "required is both", "HSR-4", "a2a:required true", "a2a:required true, false", false)
	graph("required-one", "a boolean that is spelt 1", "HSR-5", "a2a:required true", `a2a:required "1"^^xsd:boolean`, false)
	graph("required-text", "a text for a boolean", "HSR-6", "a2a:required true", `a2a:required "true"`, false)
	graph("hash-in-english", "a hash with a language", "HSR-6", `"`+ownPin+`"`, `"`+ownPin+`"@en`, false)
	graph("two-names", "two names", "HSR-7", "a2a:required true", `a2a:required true ; a2a:protocolName "a", "b"`, false)
	graph("unrelated", "an unrelated subject", "HSR-8", good, good+"<urn:other> <urn:p> 1 .", true)
	graph("hash-uppercase", "a hash in capitals", "HSR-9", ownPin, "SHA256:"+ownPin[7:], false)
	graph("source-http", "a source that is not https", "HSR-9", "https://alice.example/p", "http://alice.example/p", false)

	downgrade := func(name, title, clause string, o, r any, ok bool) {
		s.cases = append(s.cases, ownCase{name: "downgrade-" + name, operation: "may-downgrade-to-nl", title: title, clause: clause, input: object{"offer": o, "response": r}, expected: object{"downgrade": ok}})
	}
	downgrade("declined", "an optional offer, declined", "DG-1", offer(same), answer(same), true)
	downgrade("unrelated", "a decline of something else", "DG-2", offer(same), answer(set("protocolHash", "sha256:"+strings.Repeat("0", 64))), false)
	downgrade("absent", "no response", "DG-2", offer(same), nil, false)
	downgrade("unreadable", "a response whose accept is no boolean", "DG-2", offer(same), answer(set("accept", "false")), false)
	downgrade("offer-back", "an offer as answer to an offer", "DG-2", offer(same), offer(same), false)
	downgrade("hash-in-capitals", "a decline of the same hash in capitals", "DG-2, HASH-5", offer(same), answer(set("protocolHash", "sha256:"+strings.ToUpper(ownPin[7:]))), false)
	downgrade("accepted-other", "an acceptance of something else", "DG-5", offer(same), answer(func(o object) { o["accept"], o["protocolHash"] = true, "sha256:"+strings.Repeat("0", 64) }), false)
	downgrade("required-missing", "a decline of an offer that does not say whether it is required", "HS-5", offer(gone("required")), answer(same), false)

	const document = `@prefix sh: <http://www.w3.org/ns/shacl#> .
<urn:p> a <https://w3id.org/jeswr/a2a#ProtocolDocument> ; <https://w3id.org/jeswr/a2a#requestShape> _:b0 .
_:b0 a sh:NodeShape ; sh:targetClass <https://w3id.org/jeswr/a2a#Intent> ; sh:property [ sh:path <urn:amount> ; sh:maxCount 1 ; sh:message "at most one"@en ] .
`
	// The hash of document by an independent implementation of RDFC-1.0 and SHA-256.
	const documentPin = "sha256:786b862faf02fcba09c0b8afbf8d2ae263e2b38a6ac15a741c0aeffe7a5de635"
	pin := func(name, title, clause, from, to string, ok bool) {
		if !strings.Contains(document, from) {
			panic(from)
		}
		s.cases = append(s.cases, ownCase{
			name: "pin-" + name, operation: "verify-pd-pin", title: title, clause: clause, input: object{"body": "document.ttl", "pinnedHash": documentPin}, expected: object{"ok": ok},
			files: map[string]string{"document.ttl": strings.Replace(document, from, to, 1)},
		})
	}
	pin("same", "the document itself", "HASH-6", "_:b0", "_:b0", true)
	pin("comment", "a comment more", "HASH-6", "<urn:p> a", "# hello\n<urn:p> a", true)
	pin("literal", "another spelling of the same number", "HASH-6", "sh:maxCount 1", "sh:maxCount 01", false)
	pin("language", "another case of a language", "HASH-6", "@en", "@EN", false)
	pin("message", "another message", "HASH-6", "at most one", "at most two", false)
	pin("less", "a triple less", "HASH-6", "sh:maxCount 1 ; ", "", false)
	pin("more", "a triple more", "HASH-6", "sh:maxCount 1", "sh:maxCount 1 ; sh:minCount 0", false)
	pin("cut", "cut before the end", "PARSE", "] .\n", "]", false)
	pin("relabelled", "a blank node of another name", "HASH-6", document, strings.ReplaceAll(document, "_:b0", "_:c14n7"), true)
	pinText := func(name, title, pinned string) {
		s.cases = append(s.cases, ownCase{
			name: "pin-spelt-" + name, operation: "verify-pd-pin", title: title, clause: "HASH-5", input: object{"body": "document.ttl", "pinnedHash": pinned}, expected: object{"ok": false},
			files: map[string]string{"document.ttl": document},
		})
	}
	pinText("digits", "the pin with digits in capitals", "sha256:"+strings.ToUpper(documentPin[7:]))
	pinText("prefix", "the pin without its prefix", documentPin[7:])
	pinText("space", "the pin with a space", " "+documentPin)

	intent := func(name, title, data string, ok bool) {
		s.cases = append(s.cases, ownCase{
			name: "intent-" + name, operation: "validate-intent", title: title, clause: "section 7.3", input: object{"dataGraph": "intent.ttl", "shapesGraph": "document.ttl"}, expected: object{"conforms": ok},
			files: map[string]string{"document.ttl": document, "intent.ttl": data},
		})
	}
	intent("one", "an intent with one amount", "<urn:i> a <https://w3id.org/jeswr/a2a#Intent> ; <urn:amount> 1 .", true)
	intent("two", "an intent with two amounts", "<urn:i> a <https://w3id.org/jeswr/a2a#Intent> ; <urn:amount> 1, 2 .", false)
	intent("spellings", "an intent with two spellings of one number, which are two values", "<urn:i> a <https://w3id.org/jeswr/a2a#Intent> ; <urn:amount> 1, 01 .", false)
	return s
}
