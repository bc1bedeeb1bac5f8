package canon_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
)

// TestWork holds the numbers that a2a-rdf, VAL-3, gives for a plain RDFC-1.0.
func TestWork(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text   string
		calls, perms int
	}{
		{"empty", "", 0, 0},
		{"differ at first degree", "_:a <urn:p> \"1\" .\n_:b <urn:p> \"2\" .\n", 0, 0},
		{"pair", "_:a <urn:p> \"1\" .\n_:b <urn:p> \"1\" .\n", 2, 0},
		{"ring 32", ring(32), 1024, 0},
		{"clique 5", clique(5), 485, 240},
		{"clique 7", clique(7), 30_247, 10_080},
		{"clique 8", clique(8), 282_248, 80_640},
		{"petersen", petersen(), 1_390, 120},
		{"torus 2x8", torus(8), 9_456, 192},
		{"chain 600", chain(600), 357_604, 0},
		{"chain 1000", chain(1000), 996_004, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, err := canon.Canonicalize(t.Context(), parse(t, c.text), raised)
			require.NoError(t, err)
			assert.Equal(t, canon.Work{Calls: c.calls, Permutations: c.perms}, r.Work())
		})
	}
	for _, name := range []string{"test044", "test045", "test046"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := suite.ReadFile(t, suite.Dir(t, "rdf-canon")+"/rdfc10/"+name+"-in.nq")
			r, err := canon.Canonicalize(t.Context(), parse(t, string(text)), canon.Options{})
			require.NoError(t, err)
			assert.Equal(t, 468, r.Work().Calls)
		})
	}
}

var raised = canon.Options{MaxPermutations: math.MaxInt, MaxCalls: math.MaxInt}

// TestLimits checks that what is spent is what is refused one less of, and that
// nothing is unlimited.
func TestLimits(t *testing.T) {
	t.Parallel()
	calls := func(n int) canon.Options { return canon.Options{MaxCalls: n, MaxPermutations: math.MaxInt} }
	perms := func(n int) canon.Options { return canon.Options{MaxPermutations: n, MaxCalls: math.MaxInt} }
	for _, c := range []struct {
		name, text string
		o          canon.Options
		limit      canon.LimitName // "": accepted
		max        int64
	}{
		{"pair, two calls", rings(2, 1), calls(2), "", 0},
		{"ring 8, as many calls", ring(8), calls(64), "", 0},
		{"ring 8, one call less", ring(8), calls(63), canon.LimitCalls, 63},
		{"petersen, as many calls", petersen(), calls(1_390), "", 0},
		{"petersen, one call less", petersen(), calls(1_389), canon.LimitCalls, 1_389},
		{"clique 4, as many permutations", clique(4), perms(48), "", 0},
		{"clique 4, one permutation less", clique(4), perms(47), canon.LimitPermutations, 47},
		{"torus 2x5, as many permutations", torus(5), perms(120), "", 0},
		{"torus 2x5, one permutation less", torus(5), perms(119), canon.LimitPermutations, 119},
		{"one call", ring(2), calls(1), canon.LimitCalls, 1},
		{"no work at all", "_:a <urn:p> _:b .\n", canon.Options{MaxCalls: 1, MaxPermutations: 1}, "", 0},

		{"clique 7 by default", clique(7), canon.Options{}, "", 0},
		{"clique 8 by default", clique(8), canon.Options{}, canon.LimitPermutations, canon.DefaultPermutations},
		{"zero means the default", clique(8), perms(0), canon.LimitPermutations, canon.DefaultPermutations},
		{"negative means the default", clique(8), perms(-1), canon.LimitPermutations, canon.DefaultPermutations},
		{"clique 12", clique(12), canon.Options{}, canon.LimitPermutations, canon.DefaultPermutations},
		{"clique 25, more permutations than a number holds", clique(25), perms(math.MaxInt), canon.LimitPermutations, math.MaxInt},
		{"two stars of ten", stars(2, 10), canon.Options{}, canon.LimitPermutations, canon.DefaultPermutations},
		{"chain 1002, the longest", chain(1002), canon.Options{}, "", 0},
		{"chain 1003", chain(1003), canon.Options{}, canon.LimitCalls, canon.DefaultCalls},
		{"negative calls mean the default", chain(1003), calls(-5), canon.LimitCalls, canon.DefaultCalls},
		{"chain 100000", chain(100_000), canon.Options{}, canon.LimitCalls, canon.DefaultCalls},
		{"200 rings of three", rings(200, 3), canon.Options{}, "", 0},
		{"star of 700", stars(1, 700), canon.Options{}, "", 0},
		{"one node in eight graphs", inGraphs(ring(2), 8), canon.Options{}, "", 0},
		{"two leaves in two graphs", inGraphs(stars(2, 2), 2), perms(12), "", 0},
		{"two leaves in two graphs, one permutation less", inGraphs(stars(2, 2), 2), perms(11), canon.LimitPermutations, 11},
		{"two leaves in forty graphs, more permutations than a number holds", inGraphs(stars(2, 2), 40), perms(math.MaxInt), canon.LimitPermutations, math.MaxInt},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := parse(t, c.text)
			r, err := canon.Canonicalize(t.Context(), d, c.o)
			if c.limit == "" {
				require.NoError(t, err)
				return
			}
			h, hashErr := canon.Hash(t.Context(), d, c.o)
			assert.Nil(t, r)
			assert.True(t, h.IsZero())
			assert.Equal(t, err, hashErr)
			var limit *canon.LimitError
			require.True(t, errors.As(err, &limit), "%v", err)
			assert.Equal(t, &canon.LimitError{Limit: c.limit, Max: c.max}, limit)
		})
	}
}

func TestLimitErrorText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		limit canon.LimitName
		max   int64
		want  string
	}{
		{canon.LimitPermutations, canon.DefaultPermutations, "canonicalization work limit 20000 exceeded (permutations)"},
		{canon.LimitCalls, canon.DefaultCalls, "canonicalization work limit 1000000 exceeded (calls)"},
	} {
		e := &canon.LimitError{Limit: c.limit, Max: c.max}
		assert.Equal(t, c.want, e.Error())
		assert.Equal(t, rdf.CodeLimitExceeded, e.Code())
	}
}

// countdown is a context that is done after it was asked some times.
type countdown struct {
	context.Context
	left *int
}

func (c countdown) Err() error {
	if *c.left--; *c.left < 0 {
		return context.Canceled
	}
	return nil
}

func after(t *testing.T, looks int) countdown { return countdown{t.Context(), &looks} }

func TestUnknownAlgorithm(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "_:a <urn:p> _:b .\n"} {
		_, err := canon.Hash(t.Context(), parse(t, text), canon.Options{Algorithm: canon.SHA384 + 1})
		require.ErrorContains(t, err, "unknown hash algorithm")
		_, err = canon.Canonicalize(t.Context(), parse(t, text), canon.Options{Algorithm: 255})
		require.Error(t, err)
	}
	require.Equal(t, "no algorithm", canon.Algorithm(255).String())
}

func TestContext(t *testing.T) {
	t.Parallel()
	done, cancel := context.WithCancel(t.Context())
	cancel()
	for name, text := range map[string]string{"empty": "", "one quad": "_:a <urn:p> _:b .\n"} {
		_, err := canon.Canonicalize(done, parse(t, text), canon.Options{})
		require.ErrorIs(t, err, context.Canceled, name)
		_, err = canon.Hash(done, parse(t, text), canon.Options{})
		require.ErrorIs(t, err, context.Canceled, name)
	}
	for name, text := range map[string]string{
		"poison": clique(9), "many quads": plainQuads(60_000), "many blank nodes": stars(20_000, 2), "deep": chain(3000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := parse(t, text)
			for looks := range 12 {
				_, err := canon.Canonicalize(after(t, looks), d, raised)
				require.ErrorIs(t, err, context.Canceled, "after %d", looks)
				_, err = canon.Hash(after(t, looks), d, raised)
				require.ErrorIs(t, err, context.Canceled, "after %d", looks)
			}
		})
	}
	t.Run("at any place", func(t *testing.T) {
		t.Parallel()
		d := parse(t, chain(50)+plainQuads(12_000))
		want, err := canon.Hash(t.Context(), d, canon.Options{})
		require.NoError(t, err)
		for looks := 0; ; looks++ {
			got, err := canon.Hash(after(t, looks), d, canon.Options{})
			if err == nil {
				assert.Equal(t, want, got)
				assert.Greater(t, looks, 15)
				break
			}
			require.ErrorIs(t, err, context.Canceled)
			got, err = canon.Hash(t.Context(), d, canon.Options{})
			require.NoError(t, err)
			require.Equal(t, want, got, "after a run that was broken off")
		}
	})
}

// TestLongChain goes as deep as a chain is long. The context ends it only after the
// first call came back from 30,000 nodes.
func TestLongChain(t *testing.T) {
	t.Parallel()
	_, err := canon.Hash(after(t, 180), parse(t, chain(30_000)), raised)
	require.ErrorIs(t, err, context.Canceled)
}
