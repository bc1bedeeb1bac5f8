package rdf_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
)

// must fails a test on an error.
func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		require.NoError(t, err)
		return v
	}
}

func iri(t testing.TB, s string) rdf.Term     { return must[rdf.Term](t)(rdf.NewIRI(s)) }
func blank(t testing.TB, s string) rdf.Term   { return must[rdf.Term](t)(rdf.NewBlank(s)) }
func literal(t testing.TB, s string) rdf.Term { return must[rdf.Term](t)(rdf.NewString(s)) }

func typed(t testing.TB, s, datatype string) rdf.Term {
	return must[rdf.Term](t)(rdf.NewLiteral(s, datatype))
}

func lang(t testing.TB, s, tag string) rdf.Term {
	return must[rdf.Term](t)(rdf.NewLangLiteral(s, tag))
}

// shape is how a random dataset is made.
type shape struct {
	quads, subjects, predicates, objects, graphs, unused int
	places                                               bool
	sorted                                               bool // the input comes by subject, as documents do
}

// random makes a dataset and the quads that must be in it, sorted, without
// duplicates, with the index of the first quad of the input that was the same.
func random(t testing.TB, r *rand.Rand, s shape) (d *rdf.Dataset, want []rdf.Quad, first map[rdf.Quad]int) {
	b := rdf.NewBuilder(rdf.Local())
	term := func(kind string, i int) rdf.ID {
		return must[rdf.ID](t)(b.IRI(fmt.Appendf(nil, "http://example.org/%s%d", kind, i)))
	}
	for i := range s.unused {
		term("unused", i)
	}
	var quads []rdf.Quad
	for range s.quads {
		q := rdf.Quad{
			S: term("n", r.IntN(s.subjects)), // subjects, objects and graphs overlap
			P: term("p", r.IntN(s.predicates)),
			O: term("n", r.IntN(s.objects)),
		}
		if s.graphs > 0 && r.IntN(4) > 0 {
			q.G = term("n", r.IntN(s.graphs))
		}
		quads = append(quads, q)
	}
	if s.sorted {
		slices.SortFunc(quads, func(a, b rdf.Quad) int { return cmp.Or(cmp.Compare(a.G, b.G), cmp.Compare(a.S, b.S)) })
	}
	first = map[rdf.Quad]int{}
	for i, q := range quads {
		if _, ok := first[q]; !ok {
			first[q] = i
			want = append(want, q)
		}
		if s.places {
			require.NoError(t, b.AddAt(q.S, q.P, q.O, q.G, rdf.Pos{Line: uint32(i + 1), Column: 1}, rdf.Pos{Line: uint32(i + 1), Column: 9}))
		} else {
			require.NoError(t, b.Add(q.S, q.P, q.O, q.G))
		}
	}
	require.Equal(t, len(quads), b.Len())
	slices.SortFunc(want, compareQuads)
	d = b.Dataset()
	require.Zero(t, b.Len(), "the builder is empty again")
	return d, want, first
}

func compareQuads(a, b rdf.Quad) int {
	return cmp.Or(cmp.Compare(a.G, b.G), cmp.Compare(a.S, b.S), cmp.Compare(a.P, b.P), cmp.Compare(a.O, b.O))
}

// shapes reach both sides of every threshold: of sorting (64 quads, an eighth of
// the terms, 16 quads of a subject) and of the table of subjects.
var shapes = []shape{
	{quads: 0, subjects: 1, predicates: 1, objects: 1},
	{quads: 1, subjects: 1, predicates: 1, objects: 1},
	{quads: 15, subjects: 3, predicates: 2, objects: 3},
	{quads: 16, subjects: 3, predicates: 2, objects: 3},
	{quads: 17, subjects: 3, predicates: 2, objects: 30},
	{quads: 63, subjects: 9, predicates: 3, objects: 9},
	{quads: 64, subjects: 9, predicates: 3, objects: 9},
	{quads: 65, subjects: 9, predicates: 3, objects: 90},
	{quads: 200, subjects: 2, predicates: 3, objects: 200},
	{quads: 200, subjects: 2, predicates: 40, objects: 5},
	{quads: 200, subjects: 150, predicates: 40, objects: 150, unused: 5000},
	{quads: 10, subjects: 5, predicates: 4, objects: 15, unused: 500},
	{quads: 2000, subjects: 300, predicates: 10, objects: 300},
	{quads: 2000, subjects: 300, predicates: 10, objects: 300, graphs: 1},
	{quads: 2000, subjects: 300, predicates: 10, objects: 300, graphs: 5},
	{quads: 2000, subjects: 300, predicates: 10, objects: 300, graphs: 250},
	{quads: 500, subjects: 3, predicates: 3, objects: 3, graphs: 2},
	{quads: 20, subjects: 3, predicates: 3, objects: 3, graphs: 3},
	{quads: 100, subjects: 30, predicates: 3, objects: 30, graphs: 10, unused: 3000},
}

func eachShape(t *testing.T, f func(t *testing.T, r *rand.Rand, s shape)) {
	for i, s := range shapes {
		for _, s.places = range []bool{false, true} {
			for _, s.sorted = range []bool{false, true} {
				t.Run(fmt.Sprintf("%+v", s), func(t *testing.T) {
					t.Parallel()
					f(t, rand.New(rand.NewPCG(uint64(i), 1)), s)
				})
			}
		}
	}
}

func TestDatasetQuads(t *testing.T) {
	t.Parallel()
	eachShape(t, func(t *testing.T, r *rand.Rand, s shape) {
		d, want, first := random(t, r, s)
		require.Equal(t, len(want), d.Len())
		assert.Equal(t, want, slices.Collect(d.Quads()))
		for i, q := range want {
			require.Equal(t, q, d.Quad(i))
			if s.places {
				at := rdf.Place{Line: first[q] + 1, Column: 1}
				require.Equal(t, at, d.SubjectPlace(i), "the place of the first of equal quads")
				at.Column = 9
				require.Equal(t, at, d.ObjectPlace(i))
			} else {
				require.True(t, d.SubjectPlace(i).IsZero())
				require.True(t, d.ObjectPlace(i).IsZero())
			}
		}
		assert.Equal(t, s.places && s.quads > 0, d.HasPlaces())
	})
}

func TestGraphLookups(t *testing.T) {
	t.Parallel()
	eachShape(t, func(t *testing.T, r *rand.Rand, s shape) {
		d, all, _ := random(t, r, s)
		names := map[rdf.ID]bool{}
		for _, q := range all {
			if q.G != 0 {
				names[q.G] = true
			}
		}
		require.Len(t, d.GraphNames(), len(names))
		require.True(t, slices.IsSorted(d.GraphNames()))
		absent := rdf.ID(d.NumTerms() + 1)
		graphs := append(d.GraphNames(), 0, absent, absent+1000)
		if d.NumTerms() > 0 {
			graphs = append(graphs, 1)
		}
		for _, name := range graphs {
			g := d.Graph(name)
			require.Same(t, d, g.Dataset())
			var want []rdf.Quad
			for _, q := range all {
				if q.G == name {
					want = append(want, q)
				}
			}
			require.Equal(t, len(want) > 0, name == 0 && len(want) > 0 || slices.Contains(d.GraphNames(), name))
			checkGraph(t, r, g, want, d)
		}
		require.Equal(t, d.Graph(0), d.Default())
	})
}

// checkGraph compares every look-up with a search through all triples.
func checkGraph(t *testing.T, r *rand.Rand, g rdf.Graph, want []rdf.Quad, d *rdf.Dataset) {
	require.Equal(t, len(want), g.Len())
	same := func(run rdf.Run, label string, match func(q rdf.Quad) bool, order func(a, b rdf.Quad) int) {
		var found []rdf.Quad
		for _, q := range want {
			if match(q) {
				found = append(found, q)
			}
		}
		slices.SortStableFunc(found, order)
		require.Equal(t, len(found), run.Len(), label)
		require.Equal(t, found, slices.Collect(run.Quads()), label)
		for i := range found {
			require.Equal(t, found[i], run.At(i), label)
		}
	}
	byObject := func(a, b rdf.Quad) int { return cmp.Or(cmp.Compare(a.P, b.P), cmp.Compare(a.S, b.S)) }
	same(g.All(), "all", func(rdf.Quad) bool { return true }, compareQuads)
	// IDs of all kinds: in the graph, elsewhere in the dataset, in none, 0.
	ids := []rdf.ID{0, rdf.ID(d.NumTerms() + 1), rdf.ID(d.NumTerms() + 2), 1<<32 - 1}
	for range 12 {
		if d.NumTerms() > 0 {
			ids = append(ids, rdf.ID(r.IntN(d.NumTerms())+1))
		}
		if len(want) > 0 {
			q := want[r.IntN(len(want))]
			ids = append(ids, q.S, q.P, q.O)
		}
	}
	index := map[rdf.Quad]int{}
	for i := range d.Len() {
		index[d.Quad(i)] = i
	}
	var name rdf.ID
	if len(want) > 0 {
		name = want[0].G
	}
	for _, x := range ids {
		same(g.Subject(x), "subject", func(q rdf.Quad) bool { return q.S == x }, compareQuads)
		same(g.Predicate(x), "predicate", func(q rdf.Quad) bool { return q.P == x }, compareQuads)
		same(g.Incoming(x), "incoming", func(q rdf.Quad) bool { return q.O == x }, byObject)
		from, to := g.SubjectIndex(x)
		require.Equal(t, g.Subject(x).Len(), to-from)
		for i := from; i < to; i++ {
			require.Equal(t, g.Subject(x).At(i-from), d.Quad(i))
		}
	}
	for range 60 {
		x, y, z := ids[r.IntN(len(ids))], ids[r.IntN(len(ids))], ids[r.IntN(len(ids))]
		if len(want) > 0 && r.IntN(2) == 0 {
			q := want[r.IntN(len(want))]
			x, y, z = q.S, q.P, q.O
		}
		same(g.Objects(x, y), "objects", func(q rdf.Quad) bool { return q.S == x && q.P == y }, compareQuads)
		same(g.Subjects(y, z), "subjects", func(q rdf.Quad) bool { return q.P == y && q.O == z }, compareQuads)
		object := rdf.ID(0)
		if run := g.Objects(x, y); run.Len() == 1 {
			object = run.At(0).O
		}
		require.Equal(t, object, g.Object(x, y))
		i, ok := index[rdf.Quad{S: x, P: y, O: z, G: name}]
		if ok = ok && len(want) > 0; !ok {
			i = -1
		}
		require.Equal(t, ok, g.Has(x, y, z))
		require.Equal(t, i, g.Index(x, y, z))
	}
}

func TestConcurrentReads(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	d, all, _ := random(t, r, shape{quads: 3000, subjects: 200, predicates: 8, objects: 200, graphs: 3})
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(n), 2))
			for range 300 {
				q := all[r.IntN(len(all))]
				g := d.Graph(q.G)
				assert.True(t, g.Has(q.S, q.P, q.O))
				assert.Positive(t, g.Subjects(q.P, q.O).Len())
				assert.Positive(t, g.Predicate(q.P).Len())
				assert.Positive(t, g.Incoming(q.O).Len())
				assert.Equal(t, q.O, d.Lookup(d.Term(q.O)))
				assert.Zero(t, d.Graph(1<<31).Incoming(q.O).Len())
			}
		})
	}
	wg.Wait()
}

func TestEmptyDataset(t *testing.T) {
	t.Parallel()
	d := rdf.NewBuilder(rdf.Limits{}).Dataset()
	assert.Zero(t, d.Len())
	assert.Zero(t, d.NumTerms())
	assert.Empty(t, d.GraphNames())
	assert.False(t, d.HasPlaces())
	assert.Zero(t, d.Default().Len())
	assert.Zero(t, d.Graph(7).Len())
	assert.Zero(t, d.LookupIRI("http://example.org/"))
	assert.Zero(t, d.Lookup(blank(t, "b0")))
	assert.Zero(t, d.Lookup(literal(t, "")))
	assert.Zero(t, d.Lookup(lang(t, "", "en")))
	assert.Zero(t, d.Lookup(rdf.Term{}))
	assert.Equal(t, rdf.KindNone, d.Kind(0))
	assert.Empty(t, d.Value(0))
	assert.Empty(t, d.Lang(0))
	assert.Zero(t, d.Datatype(0))
	assert.True(t, d.Term(0).IsZero())
	assert.Empty(t, d.AppendTerm(nil, 0))
}

func TestLookupRoundTrip(t *testing.T) {
	t.Parallel()
	const integer = "http://www.w3.org/2001/XMLSchema#integer"
	terms := []rdf.Term{
		iri(t, "http://example.org/a"), iri(t, "urn:a"), iri(t, "http://example.org/é"),
		blank(t, "a"), blank(t, "b0"), blank(t, "b00"), blank(t, "bb1"), blank(t, "0"), blank(t, "1.é"),
		literal(t, ""), literal(t, "a"), literal(t, "http://example.org/a"), literal(t, "a\x00\n\"\\"),
		typed(t, "1", integer), typed(t, "01", integer), typed(t, "1", "http://example.org/a"), typed(t, "a", rdf.XSDString),
		lang(t, "a", "en"), lang(t, "a", "EN"), lang(t, "a", "de-CH"), lang(t, "", "en"),
	}
	b := rdf.NewBuilder(rdf.Limits{})
	ids := map[rdf.ID]rdf.Term{}
	for _, x := range terms {
		id := must[rdf.ID](t)(b.Term(x))
		again := must[rdf.ID](t)(b.Term(x))
		require.Equal(t, id, again)
		if other, ok := ids[id]; ok {
			require.Equal(t, other, x)
		}
		ids[id] = x
	}
	for range 4 {
		id := must[rdf.ID](t)(b.FreshBlank())
		ids[id] = rdf.Term{}
	}
	d := b.Dataset()
	labels := map[string]bool{}
	for id, x := range ids {
		got := d.Term(id)
		if x.IsZero() {
			assert.Equal(t, rdf.KindBlank, got.Kind())
		} else {
			assert.Equal(t, x, got)
		}
		assert.Equal(t, id, d.Lookup(got), got)
		assert.Equal(t, got.Kind(), d.Kind(id))
		assert.Equal(t, got.Value(), d.Value(id))
		assert.Equal(t, got.Lang(), d.Lang(id))
		assert.Equal(t, got.Datatype(), d.Value(d.Datatype(id)))
		assert.Equal(t, got.String(), string(d.AppendTerm(nil, id)))
		if got.Kind() == rdf.KindBlank {
			assert.False(t, labels[got.Value()], "label %s twice", got.Value())
			labels[got.Value()] = true
		}
	}
	assert.Len(t, labels, 10)
	for _, absent := range []rdf.Term{
		{}, iri(t, "http://example.org/b"), iri(t, "a:"), blank(t, "z"), blank(t, "b2"), blank(t, "bbb00"), blank(t, "bbb4"), blank(t, "bbb"), literal(t, "b"),
		typed(t, "1", "urn:other"), typed(t, "2", integer), lang(t, "a", "En"), lang(t, "b", "en"),
	} {
		assert.Zero(t, d.Lookup(absent), absent)
	}
}

// TestTermIdentity: what differs in any part is another term.
func TestTermIdentity(t *testing.T) {
	t.Parallel()
	b := rdf.NewBuilder(rdf.Limits{})
	seen := map[rdf.ID]string{}
	for _, x := range []rdf.Term{
		iri(t, "a:b"), blank(t, "a"), literal(t, "a:b"), literal(t, "a"), lang(t, "a", "a"), typed(t, "a", "a:b"), typed(t, "a:b", "a:b"), lang(t, "a:b", "a"),
		iri(t, "a:B"), iri(t, "A:b"), iri(t, "a:%62"), typed(t, "1", "x:integer"), typed(t, "01", "x:integer"),
	} {
		id := must[rdf.ID](t)(b.Term(x))
		require.NotContains(t, seen, id, x)
		seen[id] = x.String()
	}
}
