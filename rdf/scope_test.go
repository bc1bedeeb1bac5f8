package rdf_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

// readsEven is a scope: predicates that end in an even digit, in the default
// graph.
func readsEven(predicate string, named bool) bool {
	return !named && strings.ContainsAny(predicate[len(predicate)-1:], "02468")
}

func scoped(limits rdf.Limits) *rdf.Builder {
	b := rdf.NewBuilder(limits)
	b.Scope(readsEven)
	return b
}

// TestScope adds random quads and trims at random.
func TestScope(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		b := scoped(rdf.Limits{})
		var want []string
		kept := map[string]bool{}
		for i := range r.IntN(300) {
			s, p, o, g := term(r, "s"), fmt.Sprintf("http://h/p%d", r.IntN(10)), term(r, "o"), rdf.Term{}
			if r.IntN(10) == 0 {
				g = iri(t, "http://h/g")
			}
			var ids [4]rdf.ID
			for i, t2 := range []rdf.Term{s, iri(t, p), o, g} {
				id, err := b.Term(t2)
				require.NoError(t, err)
				ids[i] = id
			}
			at := rdf.Pos{Line: uint32(i + 1), Column: 1}
			require.NoError(t, b.AddAt(ids[0], ids[1], ids[2], ids[3], at, at))
			if line := fmt.Sprintf("%v <%s> %v .", s, p, o); readsEven(p, !g.IsZero()) && !kept[line] {
				kept[line] = true
				want = append(want, fmt.Sprintf("%d: %s", i+1, line))
			}
			if r.IntN(20) == 0 {
				held, err := b.IRI([]byte("http://h/held"))
				require.NoError(t, err)
				b.Trim(&held)
				again, err := b.IRI([]byte("http://h/held"))
				require.NoError(t, err)
				require.Equal(t, held, again)
			}
		}
		b.Trim()
		d := b.Dataset()
		var got []string
		for i := range d.Len() {
			q := d.Quad(i)
			got = append(got, fmt.Sprintf("%d: %v %v %v .", d.ObjectPlace(i).Line, d.Term(q.S), d.Term(q.P), d.Term(q.O)))
		}
		require.ElementsMatch(t, want, got, "seed %d", seed)
		used := map[rdf.ID]bool{0: true}
		for q := range d.Quads() {
			used[q.S], used[q.P], used[q.O] = true, true, true
			if d.Kind(q.O) == rdf.KindLiteral {
				used[d.Datatype(q.O)] = true
			}
		}
		require.Equal(t, len(used)-1, d.NumTerms(), "seed %d: only terms in use are left", seed)
		require.Empty(t, d.GraphNames())
	}
}

// term returns one of a few terms, a resource for "s".
func term(r *rand.Rand, position string) rdf.Term {
	n := r.IntN(12)
	var t rdf.Term
	switch k := r.IntN(6); {
	case k == 0:
		t, _ = rdf.NewBlank(fmt.Sprintf("b%d", n))
	case k < 3 || position == "s":
		t, _ = rdf.NewIRI(fmt.Sprintf("http://h/n%d", n))
	case k == 3:
		t, _ = rdf.NewString(fmt.Sprintf("text %d", n))
	case k == 4:
		t, _ = rdf.NewLangLiteral(fmt.Sprintf("text %d", n), []string{"en", "de"}[n%2])
	default:
		t, _ = rdf.NewLiteral(fmt.Sprint(n), fmt.Sprintf("http://h/dt%d", n%3))
	}
	return t
}

// TestScopeOfReaders reads documents whose terms are many more than are kept
// between two statements.
func TestScopeOfReaders(t *testing.T) {
	t.Parallel()
	var ttl, nt, want bytes.Buffer
	ttl.WriteString("@prefix : <http://h/> .\n")
	for i := range 60_000 {
		p := 1 // read by nobody
		if i%1000 == 0 {
			p = 2
		}
		fmt.Fprintf(&ttl, ":s%d :p%d \"unread or read %d\"@en, %d, [ :q1 (1 %d) ; :p%d true ] .\n", i/10, p, i, i, i, p)
		line := fmt.Sprintf("<http://h/s%d> <http://h/p%d> \"unread or read, number %d, a long one\" .\n", i/10, p, i)
		nt.WriteString(line)
		if p == 2 {
			want.WriteString(line)
		}
	}
	t.Run("N-Triples", func(t *testing.T) {
		t.Parallel()
		b := scoped(rdf.Local())
		require.NoError(t, nquads.ParseTriplesInto(b, nt.Bytes(), nquads.Options{Places: true}))
		b.Trim()
		d := b.Dataset()
		assert.Equal(t, want.String(), string(nquads.Append(nil, d)))
		assert.Equal(t, 2+60+60, d.NumTerms())
		assert.Equal(t, 59_001, d.ObjectPlace(59).Line)
	})
	for name, text := range map[string]string{
		"Turtle": ttl.String(),
		"TriG":   strings.Replace(ttl.String(), ":s0", "{ :s0", 1) + "}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all, some := rdf.NewBuilder(rdf.Local()), scoped(rdf.Local())
			for _, b := range []*rdf.Builder{all, some} {
				require.NoError(t, turtle.ParseTriGInto(b, []byte(text), turtle.Options{}))
			}
			some.Trim()
			whole, d := all.Dataset(), some.Dataset()
			n := 0
			for q := range whole.Quads() {
				if readsEven(whole.Value(q.P), false) {
					n++
				}
			}
			assert.Equal(t, 240, n)
			assert.Equal(t, n, d.Len())
			assert.Less(t, d.NumTerms(), 300)
		})
	}
}

func TestScopeKeepsLimits(t *testing.T) {
	t.Parallel()
	b := scoped(rdf.Limits{Quads: 3})
	err := nquads.ParseTriplesInto(b, []byte(strings.Repeat("<http://h/s> <http://h/p1> \"o\" .\n", 4)), nquads.Options{})
	var limit *rdf.LimitError
	require.ErrorAs(t, err, &limit)
	assert.Equal(t, rdf.LimitQuads, limit.Limit)
	assert.Equal(t, 4, limit.Place.Line)

	b = scoped(rdf.Limits{})
	err = nquads.ParseTriplesInto(b, []byte("<http://h/s> <http://h/p1> \"o\" .\n<http://h/s> <http://h/p1> \"o .\n"), nquads.Options{})
	var syntax *rdf.SyntaxError
	require.ErrorAs(t, err, &syntax, "what is not kept is still checked")
	assert.Equal(t, 2, syntax.Place.Line)
}
