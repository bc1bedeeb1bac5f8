package rdf_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
)

// TestManyTerms crosses the growth of the dictionary many times.
func TestManyTerms(t *testing.T) {
	t.Parallel()
	const n = 50_000
	b := rdf.NewBuilder(rdf.Local())
	b.Grow(1000)
	for i := range n {
		require.Equal(t, rdf.ID(2*i+1), must[rdf.ID](t)(b.IRI(fmt.Appendf(nil, "urn:%d", i))))
		require.Equal(t, rdf.ID(2*i+2), must[rdf.ID](t)(b.FreshBlank()))
		if i == n/2 {
			b.Reserve(i, n)
		}
	}
	for i := range n {
		require.Equal(t, rdf.ID(2*i+1), must[rdf.ID](t)(b.IRI(fmt.Appendf(nil, "urn:%d", i))))
	}
	d := b.Dataset()
	for i := range n {
		require.Equal(t, rdf.ID(2*i+1), d.LookupIRI(fmt.Sprintf("urn:%d", i)))
	}
}

// TestManyLanguages: many language tags are found in another way than few.
func TestManyLanguages(t *testing.T) {
	t.Parallel()
	b := rdf.NewBuilder(rdf.Limits{})
	p, err := b.IRI([]byte("a:p"))
	require.NoError(t, err)
	tag := func(i int) string { return "x-" + string(rune('a'+i)) }
	ids := map[string]rdf.ID{}
	for range 2 {
		for i := range 20 {
			id, err := b.LangLiteral([]byte("x"), []byte(tag(i)))
			require.NoError(t, err)
			if old, ok := ids[tag(i)]; ok {
				require.Equal(t, old, id)
			}
			ids[tag(i)] = id
			require.NoError(t, b.Add(p, p, id, 0))
		}
	}
	d := b.Dataset()
	require.Equal(t, 20, d.Len())
	for i := range 20 {
		term, err := rdf.NewLangLiteral("x", tag(i))
		require.NoError(t, err)
		assert.Equal(t, ids[tag(i)], d.Lookup(term))
		assert.Equal(t, tag(i), d.Lang(ids[tag(i)]))
	}
	other, err := rdf.NewLangLiteral("x", "x-z")
	require.NoError(t, err)
	assert.Zero(t, d.Lookup(other))
}
