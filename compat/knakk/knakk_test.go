package knakk_test

import (
	"testing"

	lib "github.com/knakk/rdf"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/compat/knakk"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

const triples = `<urn:s> <urn:p> "x" .
<urn:s> <urn:p> "x"@en-GB .
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

func TestTriples(t *testing.T) {
	t.Parallel()
	d := parse(t, triples)
	there, err := knakk.Triples(d)
	require.NoError(t, err)
	assert.Len(t, there, 6)
	back, err := knakk.Dataset(there, rdf.Limits{})
	require.NoError(t, err)
	assert.Equal(t, string(nquads.Append(nil, d)), string(nquads.Append(nil, back)))

	_, err = knakk.Triples(parse(t, "<a:s> <a:p> <a:o> <a:g> .\n"))
	assert.ErrorContains(t, err, "1 named graphs")
	_, err = knakk.Triples(parse(t, `<a:s> <a:p> "x"@zh-Hant-CN .`+"\n"))
	assert.ErrorContains(t, err, `"zh-Hant-CN"`)
}

func TestQuads(t *testing.T) {
	t.Parallel()
	d := parse(t, triples+"<a:s> <a:p> <a:o> <a:g> .\n<a:s> <a:p> <a:o> _:a .\n")
	ctx, err := lib.NewIRI("urn:default")
	require.NoError(t, err)
	there, err := knakk.Quads(d, ctx)
	require.NoError(t, err)
	assert.Len(t, there, 8)
	back, err := knakk.DatasetOfQuads(there, ctx, rdf.Limits{})
	require.NoError(t, err)
	assert.Equal(t, string(nquads.Append(nil, d)), string(nquads.Append(nil, back)))

	named, err := knakk.DatasetOfQuads(there, nil, rdf.Limits{})
	require.NoError(t, err)
	assert.Zero(t, named.Default().Len(), "without a default graph all are named")

	g, err := lib.NewIRI("a:g")
	require.NoError(t, err)
	_, err = knakk.Quads(d, g)
	assert.ErrorContains(t, err, "has the name of the default graph")
	_, err = knakk.Quads(d, nil)
	require.Error(t, err)
	there[0].Ctx = nil
	_, err = knakk.DatasetOfQuads(there, ctx, rdf.Limits{})
	assert.ErrorContains(t, err, "quad 0: the context is missing")
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	iri := func(s string) lib.IRI {
		i, err := lib.NewIRI(s)
		require.NoError(t, err)
		return i
	}
	good := lib.Triple{Subj: iri("a:s"), Pred: iri("a:p"), Obj: iri("a:o")}
	with := func(change func(*lib.Triple)) []lib.Triple {
		bad := good
		change(&bad)
		return []lib.Triple{good, bad}
	}
	untyped := lib.NewTypedLiteral("x", lib.IRI{})
	for name, row := range map[string]struct {
		triples []lib.Triple
		text    string
	}{
		"no subject":             {with(func(t *lib.Triple) { t.Subj = nil }), "triple 1: subject: is missing"},
		"no predicate":           {with(func(t *lib.Triple) { t.Pred = nil }), "triple 1: predicate: is missing"},
		"no object":              {with(func(t *lib.Triple) { t.Obj = nil }), "triple 1: object: is missing"},
		"relative IRI":           {with(func(t *lib.Triple) { t.Subj = iri("s") }), "subject: "},
		"zero IRI":               {with(func(t *lib.Triple) { t.Pred = lib.IRI{} }), "predicate: "},
		"zero blank node":        {with(func(t *lib.Triple) { t.Subj = lib.Blank{} }), "without a label"},
		"text that is not UTF-8": {with(func(t *lib.Triple) { t.Obj = lib.NewTypedLiteral("\xff", iri("a:dt")) }), "object: "},
		"no datatype":            {with(func(t *lib.Triple) { t.Obj = untyped }), "datatype: "},
		"no language": {with(func(t *lib.Triple) {
			t.Obj = lib.NewTypedLiteral("x", iri("http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"))
		}), "object: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := knakk.Dataset(row.triples, rdf.Limits{})
			require.ErrorContains(t, err, row.text)
			assert.Nil(t, d)
		})
	}
	_, err := knakk.Dataset([]lib.Triple{good, {Subj: iri("a:t"), Pred: iri("a:p"), Obj: iri("a:o")}}, rdf.Limits{Quads: 1})
	var limit *rdf.LimitError
	require.ErrorAs(t, err, &limit)
}

// Labels that no syntax can write name nodes all the same, the same ones.
func TestLabels(t *testing.T) {
	t.Parallel()
	odd, err := lib.NewBlank("a b")
	require.NoError(t, err)
	other, err := lib.NewBlank("a c")
	require.NoError(t, err)
	p, err := lib.NewIRI("a:p")
	require.NoError(t, err)
	d, err := knakk.Dataset([]lib.Triple{{Subj: odd, Pred: p, Obj: odd}, {Subj: other, Pred: p, Obj: odd}}, rdf.Limits{})
	require.NoError(t, err)
	assert.Equal(t, 2, d.Len())
	again := parse(t, string(nquads.Append(nil, d)))
	assert.Equal(t, 2, again.Len())
}
