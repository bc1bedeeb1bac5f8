package rdf2go_test

import (
	"testing"

	lib "github.com/deiu/rdf2go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/compat/rdf2go"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

const triples = `<urn:s> <urn:p> "x" .
<urn:s> <urn:p> "x"@zh-Hant-CN .
<urn:s> <urn:p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .
<urn:s> <urn:p> "\"\\\n" .
_:a <urn:p> _:b .
<urn:s> <urn:é> <urn:o> .
`

func parse(t *testing.T, text string) *rdf.Dataset {
	t.Helper()
	d, err := nquads.Parse([]byte(text), nquads.Options{})
	require.NoError(t, err)
	return d
}

func TestGraph(t *testing.T) {
	t.Parallel()
	d := parse(t, triples)
	g, err := rdf2go.Graph(d, "urn:g")
	require.NoError(t, err)
	assert.Equal(t, "urn:g", g.URI())
	assert.Equal(t, 6, g.Len())
	g.AddTriple(lib.NewResource("urn:s"), lib.NewResource("urn:p"), lib.NewLiteral("x")) // again
	want := ""
	for range 5 {
		back, err := rdf2go.Dataset(g, rdf.Limits{})
		require.NoError(t, err)
		assert.Equal(t, 6, back.Len())
		text := string(nquads.Append(nil, back))
		if want == "" {
			want = text
		}
		assert.Equal(t, want, text, "the order of a map shows nowhere")
	}
	_, err = rdf2go.Graph(parse(t, "<a:s> <a:p> <a:o> <a:g> .\n"), "urn:g")
	assert.ErrorContains(t, err, "1 named graphs")
}

func TestLiterals(t *testing.T) {
	t.Parallel()
	langString := lib.NewResource("http://www.w3.org/1999/02/22-rdf-syntax-ns#langString")
	for _, row := range []struct {
		name    string
		literal lib.Term
		want    string // or what the error says
	}{
		{"plain", lib.NewLiteral("x"), `"x"`},
		{"string", lib.NewLiteralWithDatatype("x", lib.NewResource("http://www.w3.org/2001/XMLSchema#string")), `"x"`},
		{"language", lib.NewLiteralWithLanguage("x", "en"), `"x"@en`},
		{"language as the library also writes it", lib.NewLiteralWithLanguage("x", "@en"), `"x"@en`},
		{"language with its datatype", &lib.Literal{Value: "x", Language: "en", Datatype: langString}, `"x"@en`},
		{"language with another datatype", &lib.Literal{Value: "x", Language: "en", Datatype: lib.NewResource("a:dt")}, "language \"en\" and the datatype"},
		{"datatype of languages without one", lib.NewLiteralWithDatatype("x", langString), "object: "},
		{"datatype that is blank", lib.NewLiteralWithDatatype("x", lib.NewBlankNode("b")), "the datatype is a"},
		{"datatype that is relative", lib.NewLiteralWithDatatype("x", lib.NewResource("dt")), "datatype: "},
		{"language that is none", lib.NewLiteralWithLanguage("x", "1"), "object: "},
		{"text that is not UTF-8", lib.NewLiteral("\xff"), "object: "},
		{"nil", (*lib.Literal)(nil), "is missing"},
		{"nothing", nil, "is missing"},
		{"datatype that is nil", lib.NewLiteralWithDatatype("x", (*lib.Resource)(nil)), "is missing"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			g := lib.NewGraph("urn:g")
			g.AddTriple(lib.NewResource("a:s"), lib.NewResource("a:p"), row.literal)
			d, err := rdf2go.Dataset(g, rdf.Limits{})
			if row.want[0] != '"' {
				assert.ErrorContains(t, err, row.want)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, "<a:s> <a:p> "+row.want+" .\n", string(nquads.Append(nil, d)))
		})
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	s, l := lib.NewResource("a:s"), lib.NewLiteral("x")
	for name, triple := range map[string]*lib.Triple{
		"nil": nil, "zero": {}, "literal subject": lib.NewTriple(l, s, s), "literal predicate": lib.NewTriple(s, l, s), "blank predicate": lib.NewTriple(s, lib.NewBlankNode("b"), s),
		"relative IRI": lib.NewTriple(lib.NewResource("s"), s, s), "IRI with a space": lib.NewTriple(lib.NewResource("a: s"), s, s),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := lib.NewGraph("urn:g")
			g.Add(triple)
			d, err := rdf2go.Dataset(g, rdf.Limits{})
			require.Error(t, err)
			assert.Nil(t, d)
		})
	}
	g, err := rdf2go.Graph(parse(t, triples), "urn:g")
	require.NoError(t, err)
	_, err = rdf2go.Dataset(g, rdf.Limits{Quads: 2})
	var limit *rdf.LimitError
	require.ErrorAs(t, err, &limit)

	g = lib.NewGraph("urn:g")
	g.AddTriple(lib.NewBlankNode("a b"), s, lib.NewBlankNode("a b"))
	d, err := rdf2go.Dataset(g, rdf.Limits{})
	require.NoError(t, err)
	assert.Equal(t, d.Quad(0).S, d.Quad(0).O, "a label that no syntax can write is a name all the same")
}
