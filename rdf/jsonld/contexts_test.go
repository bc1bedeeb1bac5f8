package jsonld_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

func contexts(t testing.TB, documents map[string]string) *jsonld.Contexts {
	t.Helper()
	bytes := map[string][]byte{}
	for iri, text := range documents {
		bytes[expand.Replace(iri)] = []byte(expand.Replace(text))
	}
	c, err := jsonld.NewContexts(bytes)
	require.NoError(t, err)
	return c
}

func TestPinnedContexts(t *testing.T) {
	t.Parallel()
	table := contexts(t, map[string]string{
		"ex:c/p":        `{"@context":{"p":"ex:p"}}`,
		"ex:c/q":        `{"@context":{"@protected":true,"q":"ex:q"},"ignored":true}`,
		"ex:c/both":     `{"@context":["p","../c/q"]}`,
		"ex:c/base":     `{"@context":{"@base":"ex:elsewhere/","p":"ex:p"}}`,
		"ex:c/vocab":    `{"@context":{"@vocab":"v#"}}`,
		"ex:c/scoped":   `{"@context":{"s":{"@id":"ex:s-p","@context":"q"},"T":{"@id":"ex:T","@context":["p",{"r":"ex:r"}]}}}`,
		"ex:c/loop":     `{"@context":{"l":{"@id":"ex:l","@context":"loop"},"p":"ex:p"}}`,
		"ex:c/importer": `{"@context":{"@import":"p","q":{"@id":"ex:q2"}}}`,
		"ex:c/keep":     `{"@context":{"@propagate":false,"p":"ex:p"}}`,
	})
	for _, tt := range []struct{ name, document, want, base string }{
		{"one", `{"@context":"ex:c/p","@id":"ex:s","p":"v"}`, `<ex:s> <ex:p> "v" .`, ""},
		{"relative to the document", `{"@context":"c/p","@id":"ex:s","p":"v"}`, `<ex:s> <ex:p> "v" .`, "https://e.example/"},
		{"two", `{"@context":["ex:c/p","ex:c/q",{"r":"ex:r"}],"@id":"ex:s","p":"v","q":"w","r":"x"}`, `<ex:s> <ex:p> "v" . <ex:s> <ex:q> "w" . <ex:s> <ex:r> "x" .`, ""},
		{"one that refers to others", `{"@context":"ex:c/both","@id":"ex:s","p":"v","q":"w"}`, `<ex:s> <ex:p> "v" . <ex:s> <ex:q> "w" .`, ""},
		{"its base is not the document's", `{"@context":"ex:c/base","@id":"s","p":"v"}`, `<ex:d/s> <ex:p> "v" .`, "https://e.example/d/"},
		{"its vocabulary is relative to the document", `{"@context":"ex:c/vocab","@id":"ex:s","p":"v"}`, `<ex:s> <ex:d/v#p> "v" .`, "https://e.example/d/"},
		{"scoped to a property", `{"@context":"ex:c/scoped","@id":"ex:s","s":{"@id":"ex:o","q":"v"}}`, `<ex:s> <ex:s-p> <ex:o> . <ex:o> <ex:q> "v" .`, ""},
		{"scoped to a type", `{"@context":"ex:c/scoped","@id":"ex:s","@type":"T","p":"v","r":"w"}`, `<ex:s> <rdf:type> <ex:T> . <ex:s> <ex:p> "v" . <ex:s> <ex:r> "w" .`, ""},
		{"scoped to itself", `{"@context":"ex:c/loop","@id":"ex:s","l":{"@id":"ex:o","l":{"@id":"ex:n","p":"v"}}}`, `<ex:s> <ex:l> <ex:o> . <ex:o> <ex:l> <ex:n> . <ex:n> <ex:p> "v" .`, ""},
		{"imported", `{"@context":{"@import":"ex:c/p","q":"ex:q"},"@id":"ex:s","p":"v","q":"w"}`, `<ex:s> <ex:p> "v" . <ex:s> <ex:q> "w" .`, ""},
		{"imported and overridden", `{"@context":{"@import":"ex:c/p","p":"ex:other"},"@id":"ex:s","p":"v"}`, `<ex:s> <ex:other> "v" .`, ""},
		{"imported by a pinned one", `{"@context":"ex:c/importer","@id":"ex:s","p":"v","q":"w"}`, `<ex:s> <ex:p> "v" . <ex:s> <ex:q2> "w" .`, ""},
		{"imported and protected", `{"@context":{"@import":"ex:c/p","@protected":true},"@id":"ex:s","p":"v"}`, `<ex:s> <ex:p> "v" .`, ""},
		{"in many nodes", `[{"@context":"ex:c/p","@id":"ex:s","p":"v"},{"@context":"ex:c/p","@id":"ex:o","p":"w"}]`, `<ex:s> <ex:p> "v" . <ex:o> <ex:p> "w" .`, ""},
		{"that does not propagate", `{"@context":["ex:c/q"],"@id":"ex:s","q":{"@context":"ex:c/keep","@id":"ex:o","p":{"@id":"ex:n","q":"v"}}}`, `<ex:s> <ex:q> <ex:o> . <ex:o> <ex:p> <ex:n> . <ex:n> <ex:q> "v" .`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for range 2 { // made, and remembered
				check(t, tt.document, strings.ReplaceAll(tt.want, " . ", " .\n"), jsonld.Options{Base: tt.base, Contexts: table})
			}
			if !strings.Contains(tt.document, "scoped") && !strings.Contains(tt.name, "protected") {
				return
			}
			_, err := jsonld.Parse([]byte(expand.Replace(tt.document)), jsonld.Options{Contexts: table, ProcessingMode: jsonld.JSONLD10})
			assert.Error(t, err, "features of 1.1 are refused in pinned contexts, too")
		})
	}
	// What a pinned context makes of another base, a document without one does
	// not see.
	_, err := jsonld.Parse([]byte(expand.Replace(`{"@context":"ex:c/vocab","@id":"ex:s","p":"v"}`)), jsonld.Options{Contexts: table})
	var refused *jsonld.Error
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, jsonld.CodeInvalidVocabMapping, refused.Code)
}

func TestPinnedContextRefusals(t *testing.T) {
	t.Parallel()
	table := contexts(t, map[string]string{
		"ex:c/cycle-a":  `{"@context":"cycle-b"}`,
		"ex:c/cycle-b":  `{"@context":"cycle-a"}`,
		"ex:c/twice":    `{"@context":["twice","twice"]}`,
		"ex:c/self":     `{"@context":{"@import":"self","p":"ex:p"}}`,
		"ex:c/array":    `{"@context":[{"p":"ex:p"}]}`,
		"ex:c/needs":    `{"@context":{"p":{"@id":"ex:p","@context":"https://nowhere.example/v1"}}}`,
		"ex:c/indirect": `{"@context":[{},"needs"]}`,
		"ex:c/bad":      "{\"@context\":{\n \"p\":1}}",
		"ex:c/badscope": `{"@context":{"p":{"@id":"ex:p","@context":"bad"}}}`,
		"ex:c/q":        `{"@context":{"@protected":true,"q":"ex:q"}}`,
		"ex:c/here/s":   `{"@context":{"@protected":true,"p":{"@id":"ex:p","@context":"t"}}}`,
		"ex:c/there/s":  `{"@context":{"@protected":true,"p":{"@id":"ex:p","@context":"t"}}}`,
		"ex:c/here/t":   `{"@context":{"q":"ex:q"}}`,
		"ex:c/there/t":  `{"@context":{"q":"ex:r"}}`,
	})
	for _, c := range []refusalCase{
		{"the same reference from elsewhere", jsonld.CodeProtectedTermRedefinition, `{"@context":["ex:c/here/s","ex:c/there/s"]}`, "/@context/p", "p"},
		{"cycle", jsonld.CodeContextOverflow, `{"@context":"ex:c/cycle-a"}`, "/@context", "ex:c/cycle-a"},
		{"exponential cycle", jsonld.CodeContextOverflow, `{"@context":"ex:c/twice"}`, "/@context/0", "ex:c/twice"},
		{"import of itself", jsonld.CodeInvalidContextEntry, `{"@context":"ex:c/self"}`, "/@context/@import", "ex:c/self"},
		{"import of one that imports", jsonld.CodeInvalidContextEntry, `{"@context":{"@import":"ex:c/self"}}`, "/@context/@import", "ex:c/self"},
		{"import of an array", jsonld.CodeInvalidRemoteContext, `{"@context":{"@import":"ex:c/array"}}`, "/@context/@import", "ex:c/array"},
		{"one that needs another", jsonld.CodeLoadingRemoteContext, `{"@context":"ex:c/needs"}`, "/@context", "https://nowhere.example/v1"},
		{"one that needs another, indirectly", jsonld.CodeLoadingRemoteContext, `{"ex:p":{"@context":["ex:c/indirect"]}}`, "/ex:p/@context/0", "https://nowhere.example/v1"},
		{"fault within", jsonld.CodeInvalidTermDefinition, `{"@context":"ex:c/bad"}`, "/@context/p", "p"},
		{"fault within a scoped context", jsonld.CodeInvalidScopedContext, `{"@context":"ex:c/badscope"}`, "/@context/p", "p"},
		{"protected by a pinned context", jsonld.CodeProtectedTermRedefinition, `{"@context":["ex:c/q",{"q":"ex:other"}]}`, "/@context/1/q", "q"},
		{"protected against a reset", jsonld.CodeInvalidContextNullified, `{"@context":"ex:c/q","q":{"@context":null}}`, "/q/@context", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for range 2 {
				c.check(t, jsonld.Options{Contexts: table})
			}
		})
	}
	_, err := jsonld.Parse([]byte(`{"@context":"https://e.example/c/bad"}`), jsonld.Options{Contexts: table, File: "x.jsonld"})
	var e *jsonld.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, rdf.Place{File: "https://e.example/c/bad", Line: 2, Column: 6}, e.Place, "the place is within the context")
}

// A fault before a JSON literal does not make references of what it holds.
func TestLiteralBehindAFault(t *testing.T) {
	t.Parallel()
	const literal = `"ex:p":{"@type":"@json","@value":{"@context":"https://nowhere.example/"}}`
	refusalCase{code: jsonld.CodeUndefinedTerm, document: `{"name":1,` + literal + `}`, pointer: "/name", term: "name"}.check(t, jsonld.Options{})
	refusalCase{code: jsonld.CodeLoadingRemoteContext, document: `{"name":1,` + literal + `,"ex:q":{"@context":"https://nowhere.example/"}}`,
		pointer: "/ex:q/@context", term: "https://nowhere.example/"}.check(t, jsonld.Options{})
}

func TestNoImport(t *testing.T) {
	t.Parallel()
	table := contexts(t, map[string]string{"ex:c/p": `{"@context":{"p":"ex:p"}}`, "ex:c/importer": `{"@context":{"@import":"p"}}`})
	o := jsonld.Options{Contexts: table, NoImport: true}
	check(t, `{"@context":"ex:c/importer","@id":"ex:s","p":"v"}`, `<ex:s> <ex:p> "v" .`, o)
	check(t, `{"@id":"ex:s","ex:p":{"@type":"@json","@value":{"@context":{"@import":"ex:c/p"}}}}`,
		`<ex:s> <ex:p> "{\"@context\":{\"@import\":\"ex:c/p\"}}"^^<rdf:JSON> .`, o)
	for pointer, document := range map[string]string{
		"/@context/@import":            `{"@context":{"@import":"ex:c/p"}}`,
		"/@context/1/@import":          `{"@context":[{},{"@import":"ex:c/p"}]}`,
		"/@context/q/@context/@import": `{"@context":{"q":{"@id":"ex:q","@context":{"@import":"ex:c/p"}}}}`,
		"/unknown/@context/@import":    `{"unknown":{"@context":{"@import":"ex:c/p"}}}`,
	} {
		refusalCase{code: jsonld.CodeInvalidContextEntry, document: document, pointer: pointer, term: "ex:c/p"}.check(t, o)
	}
}

func TestContextsWith(t *testing.T) {
	t.Parallel()
	var none *jsonld.Contexts
	assert.Empty(t, none.IRIs())
	assert.Nil(t, none.Document("https://e.example/a"))

	data := []byte(`{"@context":{"p":"https://e.example/p"}}`)
	one, err := none.With(map[string][]byte{"https://e.example/a": data})
	require.NoError(t, err)
	two, err := one.With(map[string][]byte{"https://e.example/b": []byte(`{"@context":"a"}`), "https://e.example/a": []byte(`{"@context":{"p":"https://e.example/q"}}`)})
	require.NoError(t, err)
	clear(data)
	assert.Equal(t, []string{"https://e.example/a"}, one.IRIs())
	assert.Equal(t, []string{"https://e.example/a", "https://e.example/b"}, two.IRIs())
	assert.Equal(t, `{"@context":"a"}`, string(two.Document("https://e.example/b")))
	check(t, `{"@context":"ex:a","@id":"ex:s","p":"v"}`, `<ex:s> <ex:p> "v" .`, jsonld.Options{Contexts: one})
	check(t, `{"@context":"ex:b","@id":"ex:s","p":"v"}`, `<ex:s> <ex:q> "v" .`, jsonld.Options{Contexts: two})

	for _, tt := range []struct{ name, iri, document, text string }{
		{"relative IRI", "a", `{}`, "relative"},
		{"no JSON", "https://e.example/a", `{`, "https://e.example/a:1:2"},
		{"duplicate member", "https://e.example/a", `{"@context":{},"@context":{}}`, "duplicate"},
		{"no object", "https://e.example/a", `[{"@context":{}}]`, "invalid remote context"},
		{"no context", "https://e.example/a", `{"context":{}}`, "invalid remote context"},
		{"too deep", "https://e.example/a", strings.Repeat("[", 2000), "nesting limit"},
		{"too large", "https://e.example/a", `{"@context":"` + strings.Repeat(" ", 17<<20) + `"}`, "bytes limit"},
	} {
		_, err := jsonld.NewContexts(map[string][]byte{tt.iri: []byte(tt.document)})
		assert.ErrorContains(t, err, tt.text, tt.name)
	}
}

// A table is shared by goroutines that use its contexts for the first time.
func TestContextsAreShared(t *testing.T) {
	t.Parallel()
	table := contexts(t, map[string]string{
		"ex:a": `{"@context":{"@version":1.1,"@vocab":"ex:v/","T":{"@id":"ex:T","@context":{"p":{"@id":"ex:scoped","@context":{"q":"ex:q"}}}},"p":{"@container":"@list"}}}`,
		"ex:b": `{"@context":["a",{"r":{"@type":"@id"}}]}`,
	})
	documents := []string{
		`{"@context":"ex:a","@type":"T","p":{"q":["v"]}}`,
		`{"@context":"ex:b","p":["v"],"r":"ex:o"}`,
		`{"@context":["ex:a","ex:b"],"@type":["T"],"p":{"q":"v","p":["w"]}}`,
	}
	var want []string
	for _, d := range documents {
		got, err := jsonld.Parse([]byte(expand.Replace(d)), jsonld.Options{Contexts: table})
		require.NoError(t, err)
		want = append(want, string(nquads.Append(nil, got)))
	}
	fresh, err := table.With(nil)
	require.NoError(t, err)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i, d := range documents {
				got, err := jsonld.Parse([]byte(expand.Replace(d)), jsonld.Options{Contexts: fresh})
				if assert.NoError(t, err) {
					assert.Equal(t, want[i], string(nquads.Append(nil, got)))
				}
			}
		})
	}
	wg.Wait()
}

// The hot path: what a pinned context costs was paid with the first document.
func TestPinnedContextIsNotProcessedAgain(t *testing.T) {
	var terms strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&terms, `"t%d":{"@id":"ex:t%d","@type":"@id","@context":{"u%d":"ex:u%d"}},`, i, i, i, i)
	}
	table := contexts(t, map[string]string{"ex:big": `{"@context":{"@version":1.1,` + terms.String() + `"p":"ex:p","T":{"@id":"ex:T","@context":{` + terms.String() + `"q":"ex:q"}}}}`})
	document := []byte(expand.Replace(`{"@context":"ex:big","@id":"ex:s","@type":"T","p":{"@id":"ex:o"},"q":"v","t7":{"u7":"w"}}`))
	parse := func() {
		if _, err := jsonld.Parse(document, jsonld.Options{Contexts: table}); err != nil {
			t.Fatal(err)
		}
	}
	parse()
	assert.Less(t, testing.AllocsPerRun(20, parse), 120.0)
}

// What a document may make of pinned contexts is endless, what is remembered is
// not.
func TestRememberedContextsAreBounded(t *testing.T) {
	t.Parallel()
	var terms []string
	for i := range 40 {
		terms = append(terms, fmt.Sprintf(`"p%d":{"@id":"ex:p%d","@context":{"q%d":"ex:q%d"}}`, i, i, i, i))
	}
	table := contexts(t, map[string]string{"ex:c": `{"@context":{` + strings.Join(terms, ",") + `}}`})
	for i := range 40 {
		for j := range 40 {
			if i == j {
				break
			}
			check(t, fmt.Sprintf(`{"@context":"ex:c","@id":"ex:s","p%d":{"@id":"ex:o","p%d":{"@id":"ex:n","q%d":"v","q%d":"w"}}}`, i, j, i, j),
				fmt.Sprintf("<ex:s> <ex:p%d> <ex:o> .\n<ex:o> <ex:p%d> <ex:n> .\n<ex:n> <ex:q%d> \"v\" .\n<ex:n> <ex:q%d> \"w\" .", i, j, i, j),
				jsonld.Options{Contexts: table})
		}
	}
	assert.LessOrEqual(t, jsonld.Remembered(table), 256)
	assert.Positive(t, jsonld.Remembered(table))
}

// Whatever was read before with the same table, a document gets the same answer:
// what others have made the table remember costs it nothing and saves it nothing.
func TestTableRemembersForEveryoneAlike(t *testing.T) {
	t.Parallel()
	var types, nodes []string
	for i := range 60 {
		types = append(types, fmt.Sprintf(`"T%d":{"@id":"ex:T%d","@context":{"q":"ex:q%d"}}`, i, i, i))
		nodes = append(nodes, fmt.Sprintf(`{"@type":"T%d","q":1}`, i))
	}
	documents := map[string]string{"ex:a": `{"@context":{` + strings.Join(types, ",") + `}}`, "ex:b": `{"@context":{"z":"ex:z"}}`}
	same := `{"@context":"ex:a","@graph":[{}` + strings.Repeat(`,{"@type":"T1","q":1}`, 400) + `]}`
	many := `{"@context":"ex:a","@graph":[` + strings.Join(nodes, ",") + `]}`
	for _, tt := range []struct {
		name, document string
		limits         jsonld.Limits
		want           string
	}{
		{"one scoped context, many nodes", same, jsonld.Limits{Contexts: 4}, ""},
		{"as many contexts as the limit", many, jsonld.Limits{Contexts: 61}, ""},
		{"one context more", many, jsonld.Limits{Contexts: 60}, "contexts limit 60 exceeded"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			table := contexts(t, documents)
			read := func() {
				_, err := jsonld.Parse([]byte(expand.Replace(tt.document)), jsonld.Options{Contexts: table, ProcessingLimits: tt.limits})
				if tt.want == "" {
					assert.NoError(t, err)
				} else {
					assert.ErrorContains(t, err, tt.want)
				}
			}
			read()
			read()
			for _, order := range []string{`"ex:a","ex:b",`, `"ex:b","ex:b","ex:a",`} {
				_, err := jsonld.Parse([]byte(expand.Replace(`{"@context":[`+strings.Repeat(order, 80)+`{}]}`)), jsonld.Options{Contexts: table})
				require.NoError(t, err)
			}
			assert.Greater(t, jsonld.Remembered(table), 128, "some were forgotten")
			read()
			fresh, err := table.With(nil)
			require.NoError(t, err)
			for range 2 { // until some are forgotten
				_, err = jsonld.Parse([]byte(expand.Replace(`{"@context":[`+strings.Repeat(`"ex:a","ex:b",`, 120)+`{}]}`)), jsonld.Options{Contexts: fresh})
				require.NoError(t, err)
				_, err = jsonld.Parse([]byte(expand.Replace(`{"@context":[`+strings.Repeat(`"ex:b","ex:a",`, 120)+`{}]}`)), jsonld.Options{Contexts: fresh})
				require.NoError(t, err)
			}
			table = fresh
			assert.Greater(t, jsonld.Remembered(table), 128)
			read()
		})
	}
}

// What many documents ask for stays remembered, whatever one of them makes the table
// remember besides.
func TestTableRemembersWhatIsUsed(t *testing.T) {
	var types, nodes []string
	for i := range 40 {
		types = append(types, fmt.Sprintf(`"T%d":{"@id":"ex:T%d","@context":{"q":"ex:q%d","r":"ex:r","s":"ex:s","u":"ex:u"}}`, i, i, i))
		nodes = append(nodes, fmt.Sprintf(`{"@type":"T%d","q":1}`, i))
	}
	table := contexts(t, map[string]string{"ex:a": `{"@context":{` + strings.Join(types, ",") + `}}`, "ex:b": `{"@context":{"z":"ex:z"}}`})
	read := func(document string) {
		_, err := jsonld.Parse([]byte(document), jsonld.Options{Contexts: table})
		require.NoError(t, err)
	}
	usual := expand.Replace(`{"@context":"ex:a","@graph":[` + strings.Join(nodes, ",") + `]}`)
	read(usual)
	want := testing.AllocsPerRun(5, func() { read(usual) })
	for i := range 4 {
		read(expand.Replace(`{"@context":[` + strings.Repeat(`"ex:a","ex:b",`, 20+10*i) + strings.Repeat(`"ex:b",`, i) + `{}]}`))
		read(usual)
		assert.InDelta(t, want, testing.AllocsPerRun(1, func() { read(usual) }), want/20)
	}
}

// A known inline context is processed once for a table, and says what it says when it is
// not known.
func TestKnownInlineContext(t *testing.T) {
	t.Parallel()
	for _, c := range jsonld.InlineContexts() {
		known := string(c.JSON())
		other := strings.TrimSuffix(known, "}") + `,"one-more":"https://e.example/"}` // is not known
		body := `,"@id":"https://e.example/s","https://e.example/p":[{"target":{"@type":["acl:Read","svc:X"],"@id":"acl:a"}}],"action":"acl:Write"}`
		for _, before := range []string{`[`, `["` + jsonld.CredentialsV2 + `",`} {
			for _, after := range []string{`]`, `,{"target":"https://e.example/t"}]`, `,null]`} {
				o := jsonld.Options{Contexts: jsonld.Builtin(), Lossy: true}
				write := func(context string) string {
					d, err := jsonld.Parse([]byte(`{"@context":`+before+context+after+body), o)
					var refused *jsonld.Error
					if errors.As(err, &refused) { // null, after protected terms
						return refused.Message()
					}
					require.NoError(t, err)
					return string(nquads.Append(nil, d))
				}
				want := write(other)
				assert.Equal(t, want, write(known), "%s", known)
				assert.Equal(t, want, write(known))
				assert.Equal(t, want, write(strings.NewReplacer(`":`, `" : `, `@id`, `@\u0069d`).Replace(known)), "another spelling")
			}
		}
	}

	// A fault has its place in the document.
	table := contexts(t, map[string]string{"ex:c/p": `{"@context":{"@protected":true,"action":"ex:p"}}`})
	document := `{"@context":["ex:c/p",` + "\n " + string(jsonld.AuthorizationContext.JSON()) + `]}`
	for range 2 {
		refusalCase{code: jsonld.CodeProtectedTermRedefinition, document: document, pointer: "/@context/1/action", term: "action"}.check(t, jsonld.Options{Contexts: table})
	}
	_, err := jsonld.Parse([]byte(expand.Replace(document)), jsonld.Options{Contexts: table, File: "x.jsonld"})
	var e *jsonld.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, "x.jsonld", e.Place.File)
	assert.Equal(t, 2, e.Place.Line)
}

// The hot path: a known inline context costs no more than an empty one.
func TestKnownInlineContextIsNotProcessedAgain(t *testing.T) {
	measure := func(context string) float64 {
		document := []byte(`{"@context":["` + jsonld.CredentialsV2 + `",` + context + `],"id":"https://e.example/c","type":["VerifiableCredential"],"issuer":"https://e.example/i"}`)
		return testing.AllocsPerRun(20, func() {
			_, err := jsonld.Parse(document, jsonld.Options{Contexts: jsonld.Builtin()})
			require.NoError(t, err)
		})
	}
	assert.LessOrEqual(t, measure(string(jsonld.AuthorizationContext.JSON())), measure(`{}`))
}
