package rdf_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
)

// TestHintsChangeNothing: whatever a reader tells Grow and Reserve, the result is the same.
func TestHintsChangeNothing(t *testing.T) {
	t.Parallel()
	build := func(hints bool) *rdf.Dataset {
		b := rdf.NewBuilder(rdf.Local())
		for doc := range 2 {
			if hints {
				b.Grow(1 << 40)
			}
			b.BeginDocument("")
			for i := range 2000 {
				s, err := b.IRI(fmt.Appendf(nil, "a:%d:%d", doc, i))
				require.NoError(t, err)
				o, err := b.FreshBlank()
				require.NoError(t, err)
				require.NoError(t, b.Add(s, s, o, 0))
				if hints {
					b.Reserve(i, 2000)
					b.Reserve(i*1000, i)
					b.Reserve(-1, 10)
				}
			}
		}
		return b.Dataset()
	}
	with, without := build(true), build(false)
	require.Equal(t, without.Len(), with.Len())
	require.Equal(t, without.NumTerms(), with.NumTerms())
	for i := range with.Len() {
		require.Equal(t, without.Quad(i), with.Quad(i))
		require.Equal(t, without.Term(without.Quad(i).S), with.Term(with.Quad(i).S))
	}
}

// TestHintsOfAnySize: Grow and Reserve take any numbers, those that nobody means too.
func TestHintsOfAnySize(t *testing.T) {
	t.Parallel()
	numbers := []int{math.MinInt, -1, 0, 1, 7, 1000, 1 << 20, math.MaxInt / 8, math.MaxInt}
	for _, x := range numbers {
		for _, y := range numbers {
			b := rdf.NewBuilder(rdf.Limits{TermBytes: 2000, Quads: 100})
			b.Grow(min(x, 1<<20))
			p := must[rdf.ID](t)(b.IRI([]byte("urn:p")))
			require.NoError(t, b.Add(p, p, p, 0))
			b.Reserve(x, y)
			q := must[rdf.ID](t)(b.IRI([]byte("urn:q")))
			require.NoError(t, b.Add(q, p, p, 0))
			b.Reserve(y, x)
			require.Equal(t, 2, b.Dataset().Len())
		}
	}
}
