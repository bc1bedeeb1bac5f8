package rdf

import (
	"iter"
	"slices"
	"sort"
)

// Graph is one graph of a [Dataset]: a view that costs nothing to make and to
// copy. It is safe for concurrent use. Get one from [Dataset.Default] or
// [Dataset.Graph]; the zero Graph is no graph, and its methods must not be called.
type Graph struct {
	d *Dataset
	x *graphIndex
}

// Dataset returns the dataset that the graph belongs to.
func (g Graph) Dataset() *Dataset { return g.d }

// Len returns the number of triples.
func (g Graph) Len() int { return len(g.x.spo) }

// All returns all triples, sorted by subject, predicate and object ID.
func (g Graph) All() Run { return Run{g.x.spo} }

// Run is a sequence of triples that stand together in an index of a graph. It
// is read-only and shares the dataset's memory.
type Run struct{ q []Quad }

// Len returns the number of triples.
func (r Run) Len() int { return len(r.q) }

// At returns the i-th triple, 0 ≤ i < Len.
func (r Run) At(i int) Quad { return r.q[i] }

// Quads returns the triples in order.
func (r Run) Quads() iter.Seq[Quad] { return slices.Values(r.q) }

// Subject returns the triples with a subject, sorted by predicate and object.
func (g Graph) Subject(s ID) Run {
	lo, hi := g.x.subject(s)
	return Run{g.x.spo[lo:hi]}
}

// Objects returns the triples with a subject and predicate, sorted by object.
func (g Graph) Objects(s, p ID) Run {
	lo, hi := g.x.subject(s)
	q := g.x.spo[lo:hi]
	if len(q) <= 16 {
		i := 0
		for i < len(q) && q[i].P < p {
			i++
		}
		j := i
		for j < len(q) && q[j].P == p {
			j++
		}
		return Run{q[i:j]}
	}
	i := sort.Search(len(q), func(i int) bool { return q[i].P >= p })
	q = q[i:]
	j := sort.Search(len(q), func(i int) bool { return q[i].P > p })
	return Run{q[:j]}
}

// Object returns the one object of a subject and predicate, 0 when there is
// none or more than one.
func (g Graph) Object(s, p ID) ID {
	if r := g.Objects(s, p); len(r.q) == 1 {
		return r.q[0].O
	}
	return 0
}

// Subjects returns the triples with a predicate and object, sorted by subject.
// The first call on a graph makes an index.
func (g Graph) Subjects(p, o ID) Run {
	q := g.Incoming(o).q
	i := sort.Search(len(q), func(i int) bool { return q[i].P >= p })
	q = q[i:]
	j := sort.Search(len(q), func(i int) bool { return q[i].P > p })
	return Run{q[:j]}
}

// Incoming returns the triples with an object, sorted by predicate and subject.
// The first call on a graph makes an index.
func (g Graph) Incoming(o ID) Run {
	q := g.x.byObject()
	i := sort.Search(len(q), func(i int) bool { return q[i].O >= o })
	q = q[i:]
	j := sort.Search(len(q), func(i int) bool { return q[i].O > o })
	return Run{q[:j]}
}

// Predicate returns the triples with a predicate, sorted by subject and object.
// The first call on a graph makes an index.
func (g Graph) Predicate(p ID) Run {
	q := g.x.byPredicate()
	i := sort.Search(len(q), func(i int) bool { return q[i].P >= p })
	q = q[i:]
	j := sort.Search(len(q), func(i int) bool { return q[i].P > p })
	return Run{q[:j]}
}

// Has reports whether the graph holds a triple.
func (g Graph) Has(s, p, o ID) bool { return g.Index(s, p, o) >= 0 }

// Index returns the index of a triple among the dataset's quads, for
// [Dataset.ObjectPlace], and -1 when the graph does not hold it.
func (g Graph) Index(s, p, o ID) int {
	lo, hi := g.x.subject(s)
	i := sort.Search(hi-lo, func(i int) bool { return key(g.x.spo[lo+i]) >= key(Quad{P: p, O: o}) })
	if lo+i < hi && g.x.spo[lo+i].P == p && g.x.spo[lo+i].O == o {
		return g.x.first + lo + i
	}
	return -1
}

// SubjectIndex returns the range of a subject's triples among the dataset's
// quads.
func (g Graph) SubjectIndex(s ID) (from, to int) {
	lo, hi := g.x.subject(s)
	return g.x.first + lo, g.x.first + hi
}
