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
)

// randomCover makes a dataset of copies of a few blank nodes: a link of two of
// them is, in every copy, a link to the copy some steps on. So nearly all nodes
// look like others at first degree, and many in the end. Now and then a quad is
// missing.
func randomCover(r *rand.Rand) string {
	nodes, copies, predicates, graphs := 1+r.IntN(4), 1+r.IntN(5), 1+r.IntN(2), r.IntN(4)
	var quads []string
	for range 1 + r.IntN(2*nodes+1) {
		s, o, p := r.IntN(nodes), r.IntN(nodes), r.IntN(predicates)
		step, graphStep := r.IntN(copies), r.IntN(copies)
		g := r.IntN(2*graphs + 1)
		for i := range copies {
			object, graph := fmt.Sprintf("_:n%dx%d", o, (i+step)%copies), ""
			if p == 1 && step == 0 {
				object = `"x"`
			}
			if g > graphs {
				graph = fmt.Sprintf("_:n%dx%d ", g%nodes, (i+graphStep)%copies)
			} else if g > 0 {
				graph = fmt.Sprintf("<urn:g%d> ", g)
			}
			quads = append(quads, fmt.Sprintf("_:n%dx%d <urn:p%d> %s %s.\n", s, i, p, object, graph))
		}
	}
	r.Shuffle(len(quads), func(i, j int) { quads[i], quads[j] = quads[j], quads[i] })
	return strings.Join(quads[r.IntN(4)/3:], "")
}

// longNames gives predicates names that are too long to be hashed again and again.
func longNames(text string) string {
	return strings.ReplaceAll(text, "<urn:p", "<urn:"+strings.Repeat("l", 1_000)+"p")
}

// TestPlain compares results and work with the plain algorithm.
func TestPlain(t *testing.T) {
	t.Parallel()
	check := func(t *testing.T, text string) canon.Work {
		d := parse(t, text)
		got, err := canon.Canonicalize(t.Context(), d, canon.Options{MaxCalls: 2_000})
		var limit *canon.LimitError
		if errors.As(err, &limit) {
			return canon.Work{} // the plain algorithm would take too long
		}
		require.NoError(t, err)
		want, p := canonicalizePlainly(d)
		require.Zero(t, p.early, "%s", text)
		if want != string(got.NQuads()) {
			// The specification leaves ties open: they matter in datasets of
			// several graphs.
			require.NotEmpty(t, d.GraphNames(), "%s", text)
			require.True(t, suite.Isomorphic(d, parse(t, string(got.NQuads()))), "%s", text)
			return canon.Work{Calls: -1}
		}
		require.Equal(t, canon.Work{Calls: p.calls, Permutations: p.perms}, got.Work(), "%s", text)
		return got.Work()
	}
	for name, text := range map[string]string{
		"ring 8": ring(8), "clique 4": clique(4), "clique 5": clique(5), "petersen": petersen(), "torus 2x4": torus(4),
		"torus 2x5": torus(5), "chain 12": chain(12), "stars 2x3": stars(2, 3), "stars 3x4": stars(3, 4), "cube 3": hypercube(3),
		"clique 4 in a blank graph": inGraph(clique(4), "_:g"), "ring 5 in two graphs": inGraphs(ring(5), 2),
		"stars in two graphs": inGraphs(stars(2, 2), 2), "clique in two graphs": inGraphs(clique(3), 2), "stars in some graphs": inGraphs(stars(2, 3), 2) + inGraph(ring(2), "<urn:h>"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.NotZero(t, check(t, text))
			assert.NotZero(t, check(t, longNames(text)), "with long names")
		})
	}
	t.Run("random", func(t *testing.T) {
		t.Parallel()
		r := rand.New(rand.NewPCG(1, 2))
		var long, permuted, ties int
		for i := range 2000 {
			text := randomCover(r)
			if i%4 == 0 {
				text = longNames(text)
			}
			w := check(t, text)
			if w.Calls > 20 {
				long++
			}
			if w.Calls < 0 {
				ties++
			}
			if w.Permutations > 0 {
				permuted++
			}
		}
		t.Log(long, permuted, ties)
		assert.Greater(t, long, 500, "the data is too easy")
		assert.Greater(t, permuted, 50, "the data is too easy")
	})
}
