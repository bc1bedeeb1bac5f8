package rdf

import (
	"cmp"
	"slices"
	"sort"
	"sync"
)

var emptyGraph graphIndex

// graphIndex holds one graph's triples in the orders that look-ups need.
type graphIndex struct {
	spo   []Quad
	first int      // index of spo[0] in Dataset.quads
	bySub []uint32 // where each subject's triples begin in spo; nil: search
	terms int      // terms of the dataset

	once struct{ objects, predicates sync.Once }
	ops  []Quad // sorted by O, P, S; made when first asked for
	pso  []Quad // sorted by P, S, O; likewise
}

// init takes over a graph's triples and makes the table of subjects, where that is
// worth its room.
func (x *graphIndex) init(spo []Quad, first, terms int) {
	x.spo, x.first, x.terms = spo, first, terms
	if len(spo) < terms/8 || len(spo) < 16 {
		return // a table over all terms would be larger than what it serves
	}
	x.bySub = make([]uint32, terms+2)
	next := 0
	for i := range spo {
		for s := int(spo[i].S); next <= s; next++ {
			x.bySub[next] = uint32(i)
		}
	}
	for ; next < len(x.bySub); next++ {
		x.bySub[next] = uint32(len(spo))
	}
}

// byObject returns the triples sorted by O, P, S.
func (x *graphIndex) byObject() []Quad {
	x.once.objects.Do(func() {
		x.ops = sortedBy(x.spo, object, x.terms)
		for i := 0; i < len(x.ops); {
			j, ordered := i+1, true
			for ; j < len(x.ops) && x.ops[j].O == x.ops[i].O; j++ {
				ordered = ordered && x.ops[j-1].P <= x.ops[j].P
			}
			if !ordered {
				slices.SortStableFunc(x.ops[i:j], func(a, b Quad) int { return cmp.Compare(a.P, b.P) })
			}
			i = j
		}
	})
	return x.ops
}

// byPredicate returns the triples sorted by P, S, O.
func (x *graphIndex) byPredicate() []Quad {
	x.once.predicates.Do(func() { x.pso = sortedBy(x.spo, predicate, x.terms) })
	return x.pso
}

// subject returns the range of a subject's triples in spo.
func (x *graphIndex) subject(s ID) (lo, hi int) {
	if x.bySub != nil {
		if int(s)+1 >= len(x.bySub) {
			return 0, 0
		}
		return int(x.bySub[s]), int(x.bySub[s+1])
	}
	lo = sort.Search(len(x.spo), func(i int) bool { return x.spo[i].S >= s })
	hi = lo + sort.Search(len(x.spo)-lo, func(i int) bool { return x.spo[lo+i].S > s })
	return lo, hi
}
