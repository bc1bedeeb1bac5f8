package canon_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

// disguise returns the dataset with other labels, which look like canonical
// ones, in another order, and with some quads twice.
func disguise(t testing.TB, d *rdf.Dataset, r *rand.Rand) *rdf.Dataset {
	t.Helper()
	names := r.Perm(d.NumTerms() + 1)
	b := rdf.NewBuilder(rdf.Local())
	other := func(id rdf.ID) rdf.Term {
		if d.Kind(id) != rdf.KindBlank {
			return d.Term(id)
		}
		n, err := rdf.NewBlank(fmt.Sprintf("c14n%d", names[id]))
		require.NoError(t, err)
		return n
	}
	order := r.Perm(d.Len())
	order = append(order, order[:r.IntN(d.Len()+1)]...)
	for _, i := range order {
		q := d.Quad(i)
		require.NoError(t, b.AddTerms(other(q.S), other(q.P), other(q.O), other(q.G)))
	}
	return b.Dataset()
}

// checkInvariant checks what every canonical form must be: that of the dataset
// in disguise too, a text that is its own canonical form, and the dataset.
func checkInvariant(t testing.TB, d *rdf.Dataset, r *rand.Rand) {
	t.Helper()
	o := canon.Options{MaxCalls: 10_000}
	want, err := canon.Canonicalize(t.Context(), d, o)
	got, gotErr := canon.Canonicalize(t.Context(), disguise(t, d, r), o)
	if err != nil {
		var limit *canon.LimitError
		require.True(t, errors.As(err, &limit), "%v", err)
		require.Equal(t, err, gotErr, "refused in one disguise only")
		return
	}
	require.NoError(t, gotErr)
	require.Equal(t, string(want.NQuads()), string(got.NQuads()))
	require.Equal(t, want.Work(), got.Work())
	hash, err := canon.Hash(t.Context(), d, o)
	require.NoError(t, err)
	require.Equal(t, canon.Sum(want.NQuads()), hash)

	again, err := nquads.Parse(want.NQuads(), nquads.Options{Limits: rdf.Local()})
	require.NoError(t, err)
	require.Equal(t, d.Len(), strings.Count(string(want.NQuads()), "\n"))
	require.Equal(t, d.Len(), again.Len())
	twice, err := canon.Canonicalize(t.Context(), again, o)
	require.NoError(t, err)
	require.Equal(t, string(want.NQuads()), string(twice.NQuads()))
}

func TestIsomorphicMeansEqual(t *testing.T) {
	t.Parallel()
	t.Run("random", func(t *testing.T) {
		t.Parallel()
		r := rand.New(rand.NewPCG(3, 4))
		for range 2000 {
			checkInvariant(t, parse(t, randomCover(r)), r)
		}
	})
	for name, text := range map[string]string{
		"empty": "", "ring": ring(12), "clique": clique(5), "petersen": petersen(), "torus": torus(6), "chain": chain(40), "cube": hypercube(3),
		"many pairs":                    stars(40, 1),
		"who is related in which graph": "_:a <urn:p> _:b _:c .\n_:b <urn:p> _:c _:a .\n_:c <urn:p> _:a _:b .\n",
		"graph names of a ring":         ring(4) + inGraph(ring(4), "<urn:g>") + inGraph(ring(4), "_:n0"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(5, 6))
			for range 10 {
				checkInvariant(t, parse(t, text), r)
			}
		})
	}
}

// TestEqualMeansIsomorphic checks that datasets have the same canonical form only when they
// are isomorphic, by a judge that does not canonicalize.
func TestEqualMeansIsomorphic(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	forms := map[string]*rdf.Dataset{}
	all := make([]*rdf.Dataset, 0, 250)
	same := 0
	for len(all) < cap(all) {
		d := parse(t, randomCover(r))
		if d.Len() > 12 {
			continue
		}
		c, err := canon.Canonicalize(t.Context(), d, canon.Options{})
		require.NoError(t, err)
		if other := forms[string(c.NQuads())]; other != nil {
			same++
			assert.True(t, suite.Isomorphic(d, other), "%s", c.NQuads())
			continue
		}
		for _, other := range all {
			assert.False(t, suite.Isomorphic(d, other), "%s", c.NQuads())
		}
		forms[string(c.NQuads())] = d
		all = append(all, d)
	}
	assert.NotZero(t, same)
}

// FuzzCanonicalize checks the same for what a fuzzer writes.
func FuzzCanonicalize(f *testing.F) {
	for _, s := range []string{
		"", "_:a <urn:p> _:b .\n", "_:c14n1 <urn:p> \"1\" .\n_:x <urn:p> \"2\" .\n_:y <urn:p> \"3\" .\n",
		"_:a <urn:p> _:b _:c .\n_:b <urn:p> _:c _:a .\n_:c <urn:p> _:a _:b .\n",
		"<urn:s> <urn:p> \"\\u0000\\u007F\\n\\\"\"@en-GB <urn:g> .\n", ring(5), clique(4), chain(5), torus(3),
	} {
		f.Add([]byte(s), uint64(1))
	}
	for _, seed := range suite.Seeds(f, suite.NQuads, suite.NTriples) {
		f.Add(seed.Data, uint64(len(seed.Data)))
	}
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		d, err := nquads.Parse(text, nquads.Options{})
		if err != nil {
			return
		}
		checkInvariant(t, d, rand.New(rand.NewPCG(seed, 1)))
	})
}
