package protocol_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/damage"
	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/shacl"
)

// intentTurtle is a valid intent under the example document; each refusal changes
// one thing of it.
const intentTurtle = `<urn:a2a:intent:1> a a2a:Intent ; a2a:action [ a a2a:GrantAction ;
 schema:object <https://alice.pod.example/notes/> ; schema:recipient <https://bob.example/profile#me> ; a2a:mode acl:Read, acl:Write ] .
`

func grant(t testing.TB) *protocol.Document {
	t.Helper()
	d, err := protocol.Verify(t.Context(), []byte(grantDocument(t)), turtleType, pin(t, grantPin), protocol.Options{})
	require.NoError(t, err)
	return d
}

func TestValidateRequestAccepts(t *testing.T) {
	t.Parallel()
	d := grant(t)
	for _, row := range []struct{ name, body, mediaType string }{
		{"the intent", prefixes + intentTurtle, turtleType},
		{"a blank node as intent", prefixes + replace(t, intentTurtle, "<urn:a2a:intent:1> a", "[] a"), turtleType},
		{"more triples", prefixes + intentTurtle + "ex:x ex:y ex:z . <urn:a2a:intent:1> schema:agent ex:me .", turtleType},
		{"a mode that is none of the four", prefixes + replace(t, intentTurtle, "acl:Read, acl:Write", "<urn:not-acl>"), turtleType},
		{"a policy", prefixes + intentTurtle + "<urn:a2a:intent:1> odrl:hasPolicy <https://x/p> .", turtleType},
		{"JSON-LD", `{"@context":{"a2a":"https://w3id.org/jeswr/a2a#","schema":"https://schema.org/","acl":"http://www.w3.org/ns/auth/acl#",
			"Intent":"a2a:Intent","action":{"@id":"a2a:action","@type":"@id"},"mode":{"@id":"a2a:mode","@type":"@id"},
			"object":{"@id":"schema:object","@type":"@id"},"recipient":{"@id":"schema:recipient","@type":"@id"}},
			"@id":"urn:a2a:intent:1","@type":"Intent","action":{"@type":"a2a:GrantAction",
			"object":"https://alice.pod.example/notes/","recipient":"https://bob.example/profile#me","mode":["acl:Read","acl:Write"]}}`, jsonType},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			v, err := d.ValidateRequest(t.Context(), []byte(row.body), row.mediaType, protocol.Options{})
			require.NoError(t, err)
			require.True(t, v.Valid(), v.Reason)
			require.Empty(t, v.Code)
			require.NotNil(t, v.Dataset())
			require.False(t, v.Intent().IsZero())
			require.Equal(t, 1, v.Report.FocusNodes)
		})
	}
}

// TestValidateRequestRefuses has the negatives of a2a-rdf, section 7.5, as far as a
// document judges them.
func TestValidateRequestRefuses(t *testing.T) {
	t.Parallel()
	d := grant(t)
	change := func(old, new string) string { return replace(t, intentTurtle, old, new) }
	const malformed, invalid = protocol.CodeMalformedPayload, protocol.CodeIntentInvalid
	for _, row := range []struct {
		name, body string
		code       protocol.Code
		constraint string // the local name of the component that the deepest result names
	}{
		{"no mode", change(" ; a2a:mode acl:Read, acl:Write", ""), invalid, vocab.SHMinCountConstraintComponent},
		{"no recipient", change("schema:recipient <https://bob.example/profile#me> ; ", ""), invalid, vocab.SHMinCountConstraintComponent},
		{"another class of action", change("a2a:GrantAction", "schema:ReadAction"), invalid, vocab.SHHasValueConstraintComponent},
		{"a literal as object", change("<https://alice.pod.example/notes/>", `"notes"`), invalid, vocab.SHNodeKindConstraintComponent},
		{"two actions", intentTurtle + "<urn:a2a:intent:1> a2a:action ex:a . ex:a a a2a:GrantAction ; schema:object ex:o ; schema:recipient ex:r ; a2a:mode acl:Read .", invalid, vocab.SHMaxCountConstraintComponent},
		{"no action", "<urn:a2a:intent:1> a a2a:Intent .", invalid, vocab.SHMinCountConstraintComponent},
		{"empty graph", "", invalid, ""},
		{"no intent", change("a a2a:Intent ; ", ""), invalid, ""},
		{"a literal type", change("a a2a:Intent", `a "https://w3id.org/jeswr/a2a#Intent"`), invalid, ""},
		{"two intents", intentTurtle + strings.ReplaceAll(intentTurtle, "intent:1", "intent:2"), invalid, ""},
		{"an action that is an intent", change("a a2a:GrantAction", "a a2a:GrantAction, a2a:Intent"), invalid, ""},
		{"an intent that is its own action", "ex:i a a2a:Intent, a2a:GrantAction ; a2a:action ex:i ; schema:object ex:o ; schema:recipient ex:r ; a2a:mode acl:Read .", invalid, ""},
		{"an intent that is the action of something", intentTurtle + "ex:x a2a:action <urn:a2a:intent:1> .", invalid, ""},
		{"a node of a subclass of intents", intentTurtle + "ex:C rdfs:subClassOf a2a:Intent . ex:n a ex:C .", invalid, vocab.SHMinCountConstraintComponent},
		{"truncated", intentTurtle[:len(intentTurtle)/2], malformed, ""},
		{"a graph in TriG", "<urn:g> { " + intentTurtle + " }", malformed, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			v, err := d.ValidateRequest(t.Context(), []byte(prefixes+row.body), turtleType, protocol.Options{})
			require.NoError(t, err)
			require.False(t, v.Valid())
			require.Equal(t, row.code, v.Code, v.Reason)
			require.NotEmpty(t, v.Reason)
			if row.constraint != "" {
				require.Contains(t, constraints(v.Report.Results), row.constraint)
			} else {
				require.Nil(t, v.Report, "refused before validation")
			}
		})
	}
	v, err := d.ValidateRequestGraph(t.Context(), graph(t, "<urn:g> { "+intentTurtle+" }"), shacl.Options{})
	require.NoError(t, err)
	require.Equal(t, protocol.CodeMalformedPayload, v.Code)
	v, err = d.ValidateRequestGraph(t.Context(), nil, shacl.Options{})
	require.NoError(t, err)
	require.Equal(t, protocol.CodeMalformedPayload, v.Code)
	v, err = d.ValidateRequest(t.Context(), []byte(prefixes+intentTurtle), "text/plain", protocol.Options{})
	require.NoError(t, err)
	require.Equal(t, protocol.CodeUnsupportedMediaType, v.Code)
	require.Error(t, v.Err)
}

// constraints lists the components that results and their details name.
func constraints(results []shacl.Result) []string {
	var all []string
	for i := range results {
		all = append(append(all, results[i].Constraint), constraints(results[i].Details)...)
	}
	return all
}

// TestStandardMode validates as an ordinary SHACL processor with the document as
// its shapes graph does: an empty graph conforms there, which is why the receiving
// procedure counts intents first.
func TestStandardMode(t *testing.T) {
	t.Parallel()
	program, err := shacl.Compile(grant(t).Dataset().Default(), shacl.CompileOptions{})
	require.NoError(t, err)
	for _, row := range []struct {
		name, body string
		want       bool
	}{
		{"the intent", intentTurtle, true},
		{"no mode", replace(t, intentTurtle, " ; a2a:mode acl:Read, acl:Write", ""), false},
		{"empty", "", true},
	} {
		r, err := program.Validate(t.Context(), graph(t, row.body).Default(), shacl.Options{})
		require.NoError(t, err, row.name)
		require.Equal(t, row.want, r.Conforms(), row.name)
	}
}

// TestSeparateShapes: requests are judged by the request shape alone and responses by the
// response shape alone (PD-10).
func TestSeparateShapes(t *testing.T) {
	t.Parallel()
	d := document(t, `ex:pd a a2a:ProtocolDocument ; a2a:requestShape ex:R ; a2a:responseShape ex:S .
ex:R a sh:NodeShape ; sh:targetClass a2a:Intent ; sh:property [ sh:path ex:in ; sh:minCount 1 ] .
ex:S a sh:NodeShape ; sh:targetClass a2a:Intent, ex:Done ; sh:property [ sh:path ex:out ; sh:minCount 1 ] .
ex:Other a sh:NodeShape ; sh:targetClass a2a:Intent, ex:Done ; sh:property [ sh:path ex:never ; sh:minCount 1 ] .`)
	request := func(body string) *protocol.Verdict {
		v, err := d.ValidateRequest(t.Context(), []byte(prefixes+body), turtleType, protocol.Options{})
		require.NoError(t, err)
		return v
	}
	response := func(body string) *protocol.Verdict {
		v, err := d.ValidateResponse(t.Context(), []byte(prefixes+body), turtleType, protocol.Options{})
		require.NoError(t, err)
		return v
	}
	require.True(t, request("ex:i a a2a:Intent ; ex:in 1 .").Valid())
	require.False(t, request("ex:i a a2a:Intent ; ex:out 1 .").Valid())
	require.True(t, response("ex:d a ex:Done ; ex:out 1 .").Valid())
	for name, body := range map[string]string{
		"does not conform":    "ex:d a ex:Done ; ex:in 1 .",
		"no node is selected": "ex:d ex:out 1 .",
		"empty":               "",
	} {
		v := response(body)
		require.False(t, v.Valid(), name)
		require.Equal(t, protocol.CodeResponseInvalid, v.Code, name)
	}
	require.Equal(t, protocol.CodeMalformedPayload, response("ex:d a").Code)

	// A node that the shape names is judged whether the response has it or not: that
	// alone is no check of the response.
	d = document(t, `ex:pd a a2a:ProtocolDocument ; a2a:requestShape ex:R ; a2a:responseShape ex:S .
ex:R a sh:NodeShape ; sh:targetClass a2a:Intent ; sh:property [ sh:path ex:in ; sh:minCount 1 ] .
ex:S a sh:NodeShape ; sh:targetNode ex:d ; sh:property [ sh:path ex:out ; sh:maxCount 1 ] .`)
	require.True(t, response("ex:d ex:out 1 .").Valid())
	require.True(t, response("ex:x ex:about ex:d .").Valid(), "the object of a triple")
	for _, body := range []string{"", "ex:x ex:out 1 .", "ex:x ex:d 1 ."} {
		v := response(body)
		require.False(t, v.Valid(), body)
		require.Equal(t, protocol.CodeResponseInvalid, v.Code, body)
	}

	none, err := grant(t).ValidateResponse(t.Context(), []byte(prefixes+"ex:d a ex:Done ."), turtleType, protocol.Options{})
	require.NoError(t, err)
	require.False(t, none.Valid(), "without a response shape nothing is validated")
	require.Equal(t, protocol.CodeResponseInvalid, none.Code)
}

// TestSeverities: a result of any severity refuses.
func TestSeverities(t *testing.T) {
	t.Parallel()
	for _, severity := range []string{"sh:Info", "sh:Warning", "sh:Violation", "ex:Mine"} {
		d := request(t, "sh:property [ sh:path ex:p ; sh:minCount 1 ; sh:severity "+severity+" ] .")
		v, err := d.ValidateRequest(t.Context(), []byte(prefixes+"ex:i a a2a:Intent ."), turtleType, protocol.Options{})
		require.NoError(t, err)
		require.False(t, v.Valid(), severity)
	}
}

// TestIntentIsFocus: the intent is judged though the request shape has no target.
func TestIntentIsFocus(t *testing.T) {
	t.Parallel()
	d := document(t, `ex:pd a a2a:ProtocolDocument ; a2a:requestShape ex:R . ex:R a sh:NodeShape ; sh:targetClass ex:Other ; sh:property [ sh:path ex:p ; sh:minCount 1 ] .`)
	for body, want := range map[string]bool{
		"ex:i a a2a:Intent .":                            false,
		"ex:i a a2a:Intent ; ex:p 1 .":                   true,
		"ex:i a a2a:Intent ; ex:p 1 . ex:o a ex:Other .": false, // what the shape's own target selects counts as well
	} {
		v, err := d.ValidateRequest(t.Context(), []byte(prefixes+body), turtleType, protocol.Options{})
		require.NoError(t, err)
		require.Equal(t, want, v.Valid(), body)
	}
}

func TestValidationLimits(t *testing.T) {
	t.Parallel()
	d := grant(t)
	var many strings.Builder
	for i := range 10_001 {
		fmt.Fprintf(&many, "<urn:a2a:intent:1> a2a:mode <urn:m:%d> .\n", i)
	}
	v, err := d.ValidateRequest(t.Context(), []byte(prefixes+intentTurtle+many.String()), turtleType, protocol.Options{})
	require.NoError(t, err)
	require.Equal(t, protocol.CodeLimitExceeded, v.Code)

	v, err = d.ValidateRequest(t.Context(), []byte(prefixes+intentTurtle), turtleType, protocol.Options{Validate: shacl.Options{MaxChecks: 3}})
	require.NoError(t, err)
	require.False(t, v.Valid())
	require.Equal(t, protocol.CodeLimitExceeded, v.Code)
	require.Error(t, v.Err)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	heavy := request(t, `sh:property [ sh:path ( [ sh:zeroOrMorePath ex:p ] ex:q ) ; sh:maxCount 0 ] .`)
	var chain strings.Builder
	for i := range 9_000 {
		fmt.Fprintf(&chain, "ex:n%d ex:p ex:n%d .\n", i, i+1)
	}
	_, err = heavy.ValidateRequest(ctx, []byte(prefixes+"ex:n0 a a2a:Intent .\n"+chain.String()), turtleType, protocol.Options{})
	require.ErrorIs(t, err, context.Canceled, "an error, no verdict")
}

// TestIntentDamage damages an intent in every small way: either it is refused, or the
// graph that was judged is what the damaged bytes say.
func TestIntentDamage(t *testing.T) {
	t.Parallel()
	d := grant(t)
	tried := 0
	for change, damaged := range damage.Every(every(), damage.All([]byte(intentTurtle))) {
		tried++
		damaged = append([]byte(prefixes), damaged...)
		v, err := d.ValidateRequest(t.Context(), damaged, turtleType, protocol.Options{})
		require.NoError(t, err)
		if !v.Valid() {
			require.NotEmpty(t, v.Code)
			continue
		}
		says, err := turtle.Parse(damaged, turtle.Options{})
		require.NoError(t, err)
		require.Equal(t, digest(t, says), digest(t, v.Dataset()), change)
		node, n := protocol.Intents(says)
		require.Equal(t, 1, n)
		require.Equal(t, node, v.Intent())
		if in, err := protocol.Project(says, node); err == nil {
			require.Equal(t, protocol.VerbGrant, in.Verb, change)
			require.NotEmpty(t, in.Recipient, change)
			require.NotZero(t, in.Modes, change)
		}
	}
	require.Greater(t, tried, 10*len(intentTurtle)/every())
}

// BenchmarkReceive is the receiving path: the document is at hand, the intent is
// bytes. BenchmarkReceiveGraph leaves reading out.
func BenchmarkReceive(b *testing.B) {
	d := grant(b)
	body, err := os.ReadFile(filepath.Join("..", "testdata", "intent.ttl"))
	require.NoError(b, err)
	b.ReportAllocs()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		v, err := d.ValidateRequest(b.Context(), body, turtleType, protocol.Options{})
		if err != nil || !v.Valid() {
			b.Fatal(err, v)
		}
	}
}

func BenchmarkReceiveGraph(b *testing.B) {
	d := grant(b)
	data, err := protocol.ReadPayload([]byte(prefixes+intentTurtle), turtleType, protocol.Options{})
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		v, err := d.ValidateRequestGraph(b.Context(), data, shacl.Options{})
		if err != nil || !v.Valid() {
			b.Fatal(err, v)
		}
	}
}

// BenchmarkVerify is what a new document costs once.
func BenchmarkVerify(b *testing.B) {
	body, want := []byte(grantDocument(b)), pin(b, grantPin)
	b.ReportAllocs()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, err := protocol.Verify(b.Context(), body, turtleType, want, protocol.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// FuzzValidateRequest: whatever the body, there is a verdict with a code or one intent,
// and what is read of that is written as the same.
func FuzzValidateRequest(f *testing.F) {
	f.Add([]byte(prefixes+intentTurtle), false)
	f.Add([]byte(`{"@id":"a:i","@type":"https://w3id.org/jeswr/a2a#Intent"}`), true)
	for _, seed := range suite.Seeds(f, suite.Intents, suite.HandshakeGraphs, suite.Turtle) {
		f.Add(seed.Data, false)
	}
	for _, seed := range suite.Seeds(f, suite.JSONLD) {
		f.Add(seed.Data, true)
	}
	d := grant(f)
	f.Fuzz(func(t *testing.T, body []byte, isJSON bool) {
		mediaType := turtleType
		if isJSON {
			mediaType = jsonType
		}
		v, err := d.ValidateRequest(t.Context(), body, mediaType, protocol.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if v.Valid() != (v.Code == "") {
			t.Fatalf("valid %t with code %q", v.Valid(), v.Code)
		}
		if v.Valid() {
			node, n := protocol.Intents(v.Dataset())
			if n != 1 || v.Intent() != node {
				t.Fatalf("%d intents", n)
			}
			if in, err := protocol.Project(v.Dataset(), node); err == nil && in.ID != "" {
				g, err := in.Graph()
				if err != nil {
					t.Fatalf("what was read cannot be written: %v", err)
				}
				again, err := protocol.Project(g, mustIRI(t, in.ID))
				if err != nil || fmt.Sprint(again) != fmt.Sprint(in) {
					t.Fatalf("%v, %v: %v", in, again, err)
				}
			}
		}
	})
}

func mustIRI(t testing.TB, iri string) rdf.Term {
	t.Helper()
	term, err := rdf.NewIRI(iri)
	require.NoError(t, err)
	return term
}
