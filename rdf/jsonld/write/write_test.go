package write_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/jsonld/write"
	"github.com/rdfproto/rdfproto/rdf/nquads"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

// TestMain lets no test reach the network: whatever dials, fails it.
func TestMain(m *testing.M) {
	http.DefaultTransport = noNetwork{}
	http.DefaultClient = &http.Client{Transport: noNetwork{}}
	m.Run()
}

type noNetwork struct{}

func (noNetwork) RoundTrip(r *http.Request) (*http.Response, error) {
	panic("a request for " + r.URL.String())
}

const prefixes = "@prefix e: <https://e.example/> .\n@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"

const inline = `{"e":"https://e.example/","xsd":"http://www.w3.org/2001/XMLSchema#","id":"@id","type":"@type",
	"p":{"@id":"e:p"},"q":{"@id":"e:q","@type":"@id"},"n":{"@id":"e:n","@type":"xsd:integer"},"l":{"@id":"e:l","@container":"@list"},"t":{"@id":"e:t","@container":"@language"}}`

func parse(t testing.TB, trig string) *rdf.Dataset {
	t.Helper()
	d, err := turtle.ParseTriG([]byte(prefixes+trig), turtle.Options{Limits: rdf.Local()})
	require.NoError(t, err)
	return d
}

func render(t testing.TB, d *rdf.Dataset, o write.Options) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := write.Write(t.Context(), &out, d, o)
	if err != nil {
		assert.Empty(t, out.String(), "nothing is written but what is right")
	}
	return out.String(), err
}

// rows are datasets that are written and read again.
func rows() []struct{ name, trig string } {
	return []struct{ name, trig string }{
		{"rest without first", `e:a e:p e:l . e:l rdf:rest () .`},
		{"rest without first within a list", `e:a e:p _:l . _:l rdf:first 1 ; rdf:rest _:m . _:m rdf:rest _:n . _:n rdf:first 2 ; rdf:rest () .`},
		{"rest without first in a named graph", `e:g { e:a e:p _:l . _:l rdf:rest () } e:a e:p (1) .`},
		{"nothing", ``},
		{"one triple", `e:s e:p "v" .`},
		{"types", `e:s a e:T , e:U ; e:p e:o .`},
		{"type that is blank", `e:s a _:t . _:t e:p 1 .`},
		{"literal as rdf:type", `e:s a "T" .`},
		{"languages", `e:s e:t "a"@en , "b"@de-AT , "c"@EN-us , "d" .`},
		{"datatypes", `e:s e:p 1 , 1.5 , 1e3 , true , "01"^^xsd:integer , "x"^^xsd:integer , "x"^^e:dt , "TRUE"^^xsd:boolean , ""^^xsd:string .`},
		{"big numbers", `e:s e:n 9007199254740993 , 12345678901234567890123 , -0 , +5 ; e:p 1e400 , 0.10 , "INF"^^xsd:double .`},
		{"direction", `e:s e:p "שלום"^^<https://www.w3.org/ns/i18n#he_rtl> , "a"^^<https://www.w3.org/ns/i18n#_ltr> .`},
		{"control characters", `e:s e:p "\u0001\u0008\t\n\f\r\u001F\u007F\u0085\u2028\uFEFF\uFFFE\u0000 \\ \" / <b>&amp;" .`},
		{"astral characters", `e:s e:p "\U0001F600𐐷" ; <https://e.example/é/\U00010000> "ü" .`},
		{"JSON literals", `e:s e:p "{\"a\":[1,null]}"^^rdf:JSON , "{ }"^^rdf:JSON , "1e3"^^rdf:JSON , "\"x\""^^rdf:JSON , "no JSON"^^rdf:JSON .`},
		{"HTML and XML literals", `e:s e:p "<b>x</b>"^^rdf:HTML , "<b/>"^^rdf:XMLLiteral .`},
		{"list", `e:s e:l ( 1 "b" e:c [ e:p 2 ] ) .`},
		{"empty list", `e:s e:l () ; e:p () .`},
		{"lists in lists", `e:s e:l ( ( 1 ( 2 ) () ) () "x" ) .`},
		{"two equal lists", `e:s e:l ( 1 ) , ( 1 ) .`},
		{"list that is used twice", `e:s e:l _:l . e:t e:l _:l . _:l rdf:first 1 ; rdf:rest () .`},
		{"list with a type", `e:s e:l [ a rdf:List ; rdf:first 1 ; rdf:rest () ] .`},
		{"list with more to say", `e:s e:l [ rdf:first 1 ; rdf:rest () ; e:p 2 ] .`},
		{"list with two firsts", `e:s e:l [ rdf:first 1 , 2 ; rdf:rest () ] .`},
		{"list with two rests", `e:s e:l [ rdf:first 1 ; rdf:rest () , [ rdf:first 2 ; rdf:rest () ] ] .`},
		{"list that nobody uses", `_:l rdf:first 1 ; rdf:rest () .`},
		{"list that has a name", `e:s e:l e:l . e:l rdf:first 1 ; rdf:rest () .`},
		{"list that does not end", `e:s e:l [ rdf:first 1 ; rdf:rest [ rdf:first 2 ] ] .`},
		{"list within itself", `_:l rdf:first _:l ; rdf:rest () .`},
		{"list that leads to itself", `e:s e:l _:l . _:l rdf:first 1 ; rdf:rest _:l .`},
		{"list as a graph name", `e:s e:l _:l . _:l rdf:first 1 ; rdf:rest () . _:l { e:s e:p 1 }`},
		{"list in one graph, used in another", `e:g { e:s e:l _:l } e:h { _:l rdf:first 1 ; rdf:rest () }`},
		{"rdf:nil with properties", `rdf:nil e:p rdf:nil . e:s a rdf:nil ; rdf:rest () .`},
		{"named graphs", `e:s e:p 1 . e:g { e:s e:p 2 . e:t e:l ( 1 ) } _:h { _:h e:p _:x } e:k { e:k e:p 3 } _:x e:p 4 .`},
		{"graph with properties", `e:g a e:T ; e:p [ e:q e:g ] . e:g { e:g e:p e:g }`},
		{"blank nodes", `_:a e:q _:b . _:b e:q _:a . [] e:p [] .`},
		{"labels", "_:c14n1 e:p _:c14n0 . _:b0 e:q _:0.x-y ."},
		{"IRIs of other schemes", `<urn:x:y> <mailto:a@b.example> <data:,x> . <e:s> <e:p> <e:o> . <tag:e.example,2026:a> e:p <http://h/?a=b#c> .`},
		{"IRIs with odd ends", `<http://h> <http://h/> <http://h?#> . <http://h/../a> e:p <http://h/%7e> , <HTTP://H/> .`},
		{"IRIs with characters that other readers refuse", "<http://h/\u007F> <http://h/\u0085> <http://h/\uFFFE> . <http://h/%zz:%> e:p <http://h:port/[x]> , <x:> ."},
		{"names of keywords", `<urn:@id> <urn:@type> <urn:@value> ; e:p "@id" , "_:b" , "e:x" , "https://e.example/x" .`},
		{"reserved last segments", `e:id e:type e:value . <https://e.example/@context> <https://e.example/@type> <https://e.example/@id> .`},
	}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	for _, tt := range rows() {
		for name, o := range map[string]write.Options{
			"expanded": {}, "compacted": {Context: []byte(inline)}, "native": {NativeTypes: true}, "compacted, native": {Context: []byte(inline), NativeTypes: true},
		} {
			t.Run(tt.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				d := parse(t, tt.trig)
				text, err := render(t, d, o)
				if o.Context != nil && errors.Is(err, write.ErrDiffers) {
					// A context may stand in the way; without one nothing does.
					text, err = render(t, d, write.Options{})
					require.NoError(t, err)
					t.Log("not with the context")
				}
				require.NoError(t, err)
				again, err := jsonld.Parse([]byte(text), jsonld.Options{Limits: rdf.Local()})
				require.NoError(t, err, text)
				assert.True(t, suite.Isomorphic(d, again), "%s\nwant:\n%sgot:\n%s", text, nquads.Append(nil, d), nquads.Append(nil, again))
				twice, err := render(t, d, o)
				if err == nil {
					assert.Equal(t, text, twice, "the same dataset, the same text")
				}
			})
		}
	}
}

func TestWriteText(t *testing.T) {
	t.Parallel()
	text, err := render(t, parse(t, `e:s a e:T ; e:p "v" ; e:q e:o ; e:n 1 ; e:l ( "a" "<b>" ) ; e:t "x"@en .`), write.Options{Context: []byte(inline)})
	require.NoError(t, err)
	_, body, ok := strings.Cut(text, "\n  },\n") // behind the context
	require.True(t, ok)
	assert.Equal(t, `  "id": "e:s",
  "l": [
    "a",
    "<b>"
  ],
  "n": "1",
  "p": "v",
  "q": "e:o",
  "t": {
    "en": "x"
  },
  "type": "e:T"
}
`, body)
	text, err = render(t, parse(t, `e:s e:l ( 1 -20 0 000 -0 true false "1"^^xsd:boolean 123456789012345 1234567890123456 "x"^^xsd:integer 1.5 1e0 ) .`),
		write.Options{Context: []byte(`{"e":"https://e.example/","xsd":"http://www.w3.org/2001/XMLSchema#","v":"@value","t":"@type"}`), NativeTypes: true})
	require.NoError(t, err)
	_, body, _ = strings.Cut(text, `"@list":`)
	body, _, _ = strings.Cut(body, "  }\n}")
	assert.Equal(t, `[1,-20,0,{"t":"xsd:integer","v":"000"},{"t":"xsd:integer","v":"-0"},true,false,{"t":"xsd:boolean","v":"1"},123456789012345,`+
		`{"t":"xsd:integer","v":"1234567890123456"},{"t":"xsd:integer","v":"x"},{"t":"xsd:decimal","v":"1.5"},{"t":"xsd:double","v":"1e0"}]`, strings.Join(strings.Fields(body), ""))
	text, err = render(t, parse(t, `e:s e:p _:b .`), write.Options{})
	require.NoError(t, err)
	assert.Equal(t, `[
  {
    "@id": "https://e.example/s",
    "https://e.example/p": [
      {
        "@id": "_:b"
      }
    ]
  }
]
`, text)
}

func TestContextRefusals(t *testing.T) {
	t.Parallel()
	d := parse(t, `e:s e:p "v" .`)
	for name, context := range map[string]string{
		"no JSON": `{`, "a member twice": `{"a":"urn:a","a":"urn:b"}`, "a string": `"https://e.example/context"`, "a remote one": `["https://e.example/context"]`,
		"an import": `{"@import":"https://e.example/context"}`, "a remote one within": `{"a":{"@id":"urn:a","@context":"https://e.example/context"}}`,
		"a file": `["/etc/hosts"]`, "null": `null`, "a fault": `{"a":1}`, "a number": `1`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := render(t, d, write.Options{Context: []byte(context)})
			assert.ErrorIs(t, err, write.ErrContext)
		})
	}
	// A context under which the document would say something else.
	for name, context := range map[string]string{
		"a scheme as a prefix": `{"e":"https://e.example/","urn":"https://other.example/"}`,
		"a base":               `{"@base":"https://e.example/"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := render(t, parse(t, `<urn:x> e:p <urn:y> . e:s e:p e:o .`), write.Options{Context: []byte(context)})
			if err != nil {
				assert.ErrorIs(t, err, write.ErrDiffers)
				return
			}
			again, err := jsonld.Parse([]byte(text), jsonld.Options{})
			require.NoError(t, err)
			assert.Equal(t, 2, again.Len())
		})
	}
}

func TestWriteFails(t *testing.T) {
	t.Parallel()
	done, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	require.ErrorIs(t, write.Write(done, &out, parse(t, `_:a e:p _:b . _:b e:p _:a .`), write.Options{}), context.Canceled)

	// Terms of Turtle that JSON-LD does not know.
	var err error
	for term, code := range map[string]jsonld.Code{
		`<http://h/#a#b>`: jsonld.CodeIllFormedIRI,
		`"a"@abcdefghi`:   jsonld.CodeIllFormedTag,
	} {
		_, err = render(t, parse(t, `e:s e:p `+term+` .`), write.Options{})
		require.ErrorIs(t, err, write.ErrDiffers, term)
		var refused *jsonld.Error
		require.ErrorAs(t, err, &refused, term)
		require.Equal(t, code, refused.Code, term)
	}

	// What no canonical form is found for.
	var clique strings.Builder
	for i := range 10 {
		for j := range 10 {
			if i != j {
				fmt.Fprintf(&clique, "_:n%d e:p _:n%d .\n", i, j)
			}
		}
	}
	_, err = render(t, parse(t, clique.String()), write.Options{})
	var limit *canon.LimitError
	require.ErrorAs(t, err, &limit)

	deep := strings.Repeat("( ", 900) + strings.Repeat(") ", 900)
	text, err := render(t, parse(t, "e:s e:p "+deep+"."), write.Options{})
	require.NoError(t, err, "too deep as lists, it is written as nodes")
	assert.NotContains(t, text, "@list")
}

// FuzzWrite holds any dataset to what is promised: it is written, and says the
// same, or is refused for what it costs; with a context it may be refused.
func FuzzWrite(f *testing.F) {
	for _, tt := range rows() {
		f.Add([]byte(prefixes + tt.trig))
	}
	for _, seed := range suite.Seeds(f, suite.TriG, suite.Turtle) {
		f.Add(seed.Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := turtle.ParseTriG(data, turtle.Options{Limits: rdf.Limits{Bytes: 8 << 10, Quads: 100, BlankNodes: 30}})
		if err != nil {
			return
		}
		var text bytes.Buffer
		err = write.Write(t.Context(), &text, d, write.Options{})
		if limit := (*canon.LimitError)(nil); errors.As(err, &limit) {
			return
		}
		if refused := (*jsonld.Error)(nil); errors.As(err, &refused) && (refused.Code == jsonld.CodeIllFormedIRI || refused.Code == jsonld.CodeIllFormedTag) {
			return // Turtle allows a second "#" and longer parts of a tag
		}
		require.NoError(t, err)
		again, err := jsonld.Parse(text.Bytes(), jsonld.Options{Limits: rdf.Local()})
		require.NoError(t, err)
		require.Equal(t, d.Len(), again.Len())
		if d.Len() <= 30 {
			require.True(t, suite.Isomorphic(d, again), "%s", text.String())
		}
		if err := write.Write(t.Context(), &text, d, write.Options{Context: []byte(inline), NativeTypes: len(data)%2 == 0}); err != nil {
			require.ErrorIs(t, err, write.ErrDiffers)
		}
	})
}

// A node with very many values, or types, takes no longer for each.
func TestManyValues(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&b, "e:s e:p %d ; a e:T%d .\n", i, i)
	}
	d := parse(t, b.String())
	text, err := render(t, d, write.Options{Context: []byte(inline)})
	require.NoError(t, err)
	assert.Contains(t, text, "29999")
}
