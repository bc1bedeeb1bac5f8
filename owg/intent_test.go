package owg_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/owg"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

func document(t testing.TB) *protocol.Document {
	t.Helper()
	pin, err := canon.ParseDigest(owg.PerformTaskPin)
	require.NoError(t, err)
	d, err := protocol.Verify(t.Context(), owg.PerformTaskDocument(), "text/turtle", pin, protocol.Options{})
	require.NoError(t, err)
	return d
}

// TestDocument recomputes the pin, and reviews the document as a peer would.
func TestDocument(t *testing.T) {
	t.Parallel()
	d := document(t)
	_, err := protocol.Examine(d).Accept()
	require.NoError(t, err)
	require.Empty(t, protocol.Examine(d).Findings)
	require.Equal(t, "Perform a task", d.Title())
	_, ok := d.ResponseShape()
	require.True(t, ok)
}

func handOff(t testing.TB, changes ...change) *owg.HandOff {
	t.Helper()
	h, found, err := parse(t, edit(t, file(t, "book-to-press.json"), changes...)).HandOff("bind", owg.RequestOptions{Now: noon(), DiscloseIdentity: true})
	require.NoError(t, err)
	require.Empty(t, found)
	return h
}

// TestIntent: a hand-off as an intent is valid under the document, and is read back as it
// was.
func TestIntent(t *testing.T) {
	t.Parallel()
	d := document(t)
	for _, changes := range [][]change{
		nil,
		{{"tasks.3.delegation", map[string]any{"by": "press_agent", "scope": []any{}, "expires_at": "2027-01-01T00:00:00Z"}}},
		{{"tasks.3.objective", gone{}}, {"tasks.3.inputs", gone{}}, {"tasks.3.used", gone{}}, {"tasks.3.produced", []any{"binding", "pages", "pages"}}, {"tasks.1.produced", gone{}}},
		{{"tasks.3.inputs", map[string]any{"z": []any{1.5, nil, "é<\"\n"}, "a": map[string]any{}}}},
		{{"tasks.3.executor.ref", "bind edition/π?#"}},
	} {
		h := handOff(t, changes...)
		g, err := h.Intent("urn:a2a:intent:1")
		require.NoError(t, err)
		verdict, err := d.ValidateRequestGraph(t.Context(), g, protocol.Options{}.Validate)
		require.NoError(t, err)
		require.True(t, verdict.Valid(), "%+v", verdict.Report)
		intent, n := protocol.Intents(g)
		require.Equal(t, 1, n, "INT-1: one intent, the delegation is data inside it")
		require.Equal(t, "urn:a2a:intent:1", intent.Value())

		var text strings.Builder
		require.NoError(t, turtle.Write(&text, g, turtle.WriteOptions{}))
		received, err := d.ValidateRequest(t.Context(), []byte(text.String()), "text/turtle", protocol.Options{})
		require.NoError(t, err)
		require.True(t, received.Valid())
		back, err := owg.ReadIntent(received.Dataset(), received.Intent())
		require.NoError(t, err)
		require.Equal(t, h.Task, back.Task)
		require.Equal(t, h.Skill, back.Skill)
		require.Equal(t, h.Workflow, back.Workflow)
		require.Equal(t, h.Objective, back.Objective)
		require.Equal(t, h.Identity, back.Identity)
		require.Equal(t, h.Used, back.Used)
		require.Subset(t, h.Produced, back.Produced)
		require.Equal(t, h.Delegation.By, back.Delegation.By)
		require.Equal(t, h.Delegation.Scope, back.Delegation.Scope)
		require.Equal(t, h.Delegation.ExpiresAt, back.Delegation.ExpiresAt)
		require.Equal(t, h.Inputs == nil, back.Inputs == nil)
		if h.Inputs != nil {
			require.JSONEq(t, string(h.Inputs), string(back.Inputs))
		}
		// Writing what was read gives the same graph again: its hash is that of the intent.
		again, err := back.Intent("urn:a2a:intent:1")
		require.NoError(t, err)
		one, err := canon.Hash(t.Context(), g, canon.Options{})
		require.NoError(t, err)
		two, err := canon.Hash(t.Context(), again, canon.Options{})
		require.NoError(t, err)
		require.True(t, one.Equal(two))
	}
	for name, h := range map[string]*owg.HandOff{
		"no task": {Skill: "s"}, "no skill": {Task: "t"}, "by nobody": {Task: "t", Skill: "s", Delegation: &owg.Delegation{}},
		"inputs that readers see differently": {Task: "t", Skill: "s", Inputs: []byte(`{"a":[9007199254740993]}`)},
		"a time that is none":                 {Task: "t", Skill: "s", Delegation: &owg.Delegation{By: "x", ExpiresAt: "noon"}},
		"inputs that are none":                {Task: "t", Skill: "s", Inputs: []byte("[")}, "inputs that are an array": {Task: "t", Skill: "s", Inputs: []byte("[]")},
	} {
		_, err := h.Intent("urn:a2a:intent:1")
		require.Error(t, err, name)
	}
	_, err := handOff(t).Intent("not an IRI")
	require.Error(t, err)
}

const prefixes = `@prefix a2a: <https://w3id.org/jeswr/a2a#> . @prefix owg: <https://rdfproto.example/owg/v1#> . @prefix schema: <https://schema.org/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
`

func graph(t testing.TB, text string) *rdf.Dataset {
	t.Helper()
	g, err := turtle.Parse([]byte(prefixes+text), turtle.Options{})
	require.NoError(t, err)
	return g
}

// TestRefusedIntents: an intent that is damaged in any small way is refused by the
// document or by the reader, or hands over the same.
func TestRefusedIntents(t *testing.T) {
	t.Parallel()
	d := document(t)
	const fine = `<urn:i> a a2a:Intent ; a2a:action [ a owg:PerformTask ; schema:object <urn:owg:skill:s> ; owg:task "t" ; owg:skill "s" ; owg:used "u" ; owg:delegation [ a owg:Delegation ; owg:by "b" ; owg:scope "r" ; owg:expiresAt "2027-01-01T00:00:00Z"^^xsd:dateTimeStamp ] ] .`
	read := func(text string) (*owg.HandOff, bool) {
		g := graph(t, text)
		v, err := d.ValidateRequestGraph(t.Context(), g, protocol.Options{}.Validate)
		require.NoError(t, err)
		if !v.Valid() {
			return nil, false
		}
		h, err := owg.ReadIntent(v.Dataset(), v.Intent())
		if err != nil {
			codeOf(t, err)
			return nil, false
		}
		return h, true
	}
	h, ok := read(fine)
	require.True(t, ok)
	require.Equal(t, []string{"r"}, h.Delegation.Scope)
	_, ok = read(strings.Replace(fine, `owg:expiresAt "2027-01-01T00:00:00Z"^^xsd:dateTimeStamp`, "", 1))
	require.True(t, ok)
	for _, row := range [][2]string{
		{`a a2a:Intent`, `a owg:Intent`}, {`a owg:PerformTask`, `a owg:Other`}, {`<urn:owg:skill:s>`, `<urn:owg:skill:other>`}, {`<urn:owg:skill:s>`, `"urn:owg:skill:s"`},
		{`owg:task "t"`, ``}, {`owg:task "t"`, `owg:task "t", "u"`}, {`owg:task "t"`, `owg:task "t"@en`}, {`owg:task "t"`, `owg:task ""`}, {`owg:task "t"`, `owg:task 1`}, {`owg:task "t"`, `owg:task <urn:t>`},
		{`owg:skill "s"`, `owg:skill "x"`}, {`owg:skill "s"`, `owg:skill "s", "x"`}, {`owg:used "u"`, `owg:used ""`}, {`owg:used "u"`, `owg:used [ ]`}, {`owg:used "u"`, `owg:admin true`},
		{`a owg:Delegation`, `a owg:Other`}, {`owg:by "b"`, ``}, {`owg:by "b"`, `owg:by "b", "c"`}, {`owg:scope "r"`, `owg:scope 1`}, {`owg:scope "r"`, `owg:grants "r"`},
		{`"2027-01-01T00:00:00Z"^^xsd:dateTimeStamp`, `"2027-01-01T00:00:00Z"`}, {`"2027-01-01T00:00:00Z"`, `"2027-01-01T00:00:00"`}, {`"2027-01-01T00:00:00Z"`, `"never"`}, {`"2027-01-01T00:00:00Z"`, `"-2027-01-01T00:00:00Z"`},
		{`owg:used "u"`, `owg:inputs "{}"`}, {`owg:used "u"`, `owg:inputs "[]"^^rdf:JSON`}, {`owg:used "u"`, `owg:inputs "{"^^rdf:JSON`}, {`owg:used "u"`, `owg:inputs "{\"a\":1,\"a\":2}"^^rdf:JSON`},
		{`owg:used "u"`, `owg:delegation [ a owg:Delegation ; owg:by "c" ]`},
		{`a2a:action [`, `a2a:action [ a owg:PerformTask ; schema:object <urn:owg:skill:s> ; owg:task "t" ; owg:skill "s" ], [`},
		{`owg:delegation [`, `owg:delegation [ a a2a:Intent ;`}, {`a owg:PerformTask`, `a owg:PerformTask, a2a:Intent`},
	} {
		require.Contains(t, fine, row[0])
		_, ok := read(strings.Replace(fine, row[0], row[1], 1))
		require.False(t, ok, "%v", row)
	}
	_, err := owg.ReadIntent(graph(t, fine), rdf.Term{})
	require.Equal(t, owg.CodeHandOff, codeOf(t, err))
	_, err = owg.ReadIntent(graph(t, `<urn:i> a a2a:Intent .`), mustIRI(t, "urn:i"))
	require.Equal(t, owg.CodeHandOff, codeOf(t, err))
}

func mustIRI(t testing.TB, iri string) rdf.Term {
	t.Helper()
	term, err := rdf.NewIRI(iri)
	require.NoError(t, err)
	return term
}

// TestResult: a response says what was produced.
func TestResult(t *testing.T) {
	t.Parallel()
	d := document(t)
	sum := strings.Repeat("0f", 32)
	for _, x := range []owg.Result{
		{Task: "t"},
		{Task: "t", Produced: []owg.Produced{{Asset: "a"}, {Asset: "b", Artifact: "1", SHA256: sum}}},
	} {
		g, err := x.Graph()
		require.NoError(t, err)
		v, err := d.ValidateResponseGraph(t.Context(), g, protocol.Options{}.Validate)
		require.NoError(t, err)
		require.True(t, v.Valid(), "%+v", v)
		back, err := owg.ReadResult(v.Dataset())
		require.NoError(t, err)
		require.Equal(t, x, *back)
	}
	_, err := (&owg.Result{}).Graph()
	require.Error(t, err)
	_, err = (&owg.Result{Task: "t", Produced: []owg.Produced{{}}}).Graph()
	require.Error(t, err)
	const fine = `[] a owg:TaskResult ; owg:task "t" ; owg:produced [ a owg:ProducedAsset ; owg:asset "a" ; owg:sha256 "SUM" ] .`
	for _, row := range [][2]string{
		{`a owg:TaskResult ;`, ``}, {`owg:task "t"`, ``}, {`owg:task "t"`, `owg:task "t", "u"`}, {`a owg:ProducedAsset`, `a owg:Other`}, {`owg:asset "a"`, ``}, {`owg:asset "a"`, `owg:asset 1`},
		{`SUM`, `short`}, {`SUM`, strings.Repeat("x", 64)}, {`SUM`, strings.ToUpper(sum)}, {`owg:asset "a"`, `owg:asset "a" ; owg:more 1`}, {`owg:asset "a"`, `owg:asset "a" ; owg:artifact "` + strings.Repeat("x", 1001) + `"`}, {`owg:task "t"`, `owg:task "t" ; owg:more 1`},
		{`owg:task "t" ;`, `owg:task "t" ; owg:produced [ a owg:ProducedAsset ; owg:asset "a" ] ;`}, {`[] a`, `[] a owg:TaskResult ; owg:task "u" . [] a`},
	} {
		require.Contains(t, fine, row[0])
		g := graph(t, strings.Replace(strings.Replace(fine, row[0], row[1], 1), "SUM", sum, 1))
		v, err := d.ValidateResponseGraph(t.Context(), g, protocol.Options{}.Validate)
		require.NoError(t, err)
		_, err = owg.ReadResult(g)
		require.True(t, !v.Valid() || err != nil, "%v", row)
	}
}

// TestDelegationIsNoCredential: whatever a hand-off says about its delegation, a party
// without a credential is denied.
func TestDelegationIsNoCredential(t *testing.T) {
	t.Parallel()
	verifier, err := vc.New(vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Authority: true})
	require.NoError(t, err)
	authorizer, err := authz.New(authz.Config{Verifier: verifier})
	require.NoError(t, err)
	mapping := authz.Mapping{Actions: map[string]authz.ActionMapping{
		owg.ClassPerformTask: {Action: "use", Target: vocab.SchemaObject},
	}}
	for _, scope := range [][]string{nil, {"write:edition"}, {"*"}, {"use", "urn:owg:skill:bind-edition"}} {
		h := handOff(t)
		h.Delegation.Scope = scope
		g, err := h.Intent("urn:a2a:intent:1")
		require.NoError(t, err)
		verdict, err := document(t).ValidateRequestGraph(t.Context(), g, protocol.Options{}.Validate)
		require.NoError(t, err)
		require.True(t, verdict.Valid())
		asked, err := mapping.ReadIntent(verdict.Dataset(), verdict.Intent(), nil)
		require.NoError(t, err)
		require.Len(t, asked.Asks, 1)
		require.Equal(t, "urn:owg:skill:bind-edition", asked.Asks[0].Target)
		decision, err := authorizer.Authorize(t.Context(), authz.Request{
			RootPrincipal: "urn:bindery", Actor: h.Identity, Asks: asked.Asks, Policies: asked.Policies, Now: noon(),
		})
		require.NoError(t, err)
		require.False(t, decision.Authorized(), "%v", scope)
		require.NotEmpty(t, decision.Code)
	}
}
