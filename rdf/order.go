package rdf

import (
	"cmp"
	"slices"
)

// sortWithPlaces sorts quads and places together; of equal quads the first of
// the input stays.
func (d *Dataset) sortWithPlaces() {
	for len(d.places) < len(d.quads) {
		d.places = append(d.places, quadPlace{})
	}
	order := make([]uint32, len(d.quads))
	for i := range order {
		order[i] = uint32(i)
	}
	by := func(a, b uint32) int { return cmp.Or(compareQuads(d.quads[a], d.quads[b]), cmp.Compare(a, b)) }
	switch named, ordered := surveyQuads(d.quads); {
	case !ordered && (len(order) < few || len(order) < len(d.recs)/8):
		slices.SortFunc(order, by)
	case !ordered:
		order = countOrder(order, d.quads, subject, len(d.recs))
		if named {
			order = countOrder(order, d.quads, graphName, len(d.recs))
		}
		fallthrough
	default:
		for i := 0; i < len(order); {
			j, sorted := i+1, true
			for ; j < len(order) && sameSubject(d.quads[order[j]], d.quads[order[i]]); j++ {
				sorted = sorted && key(d.quads[order[j-1]]) <= key(d.quads[order[j]])
			}
			if !sorted {
				slices.SortFunc(order[i:j], by)
			}
			i = j
		}
	}
	quads, places := make([]Quad, 0, len(order)), make([]quadPlace, 0, len(order))
	for _, i := range order {
		if q := d.quads[i]; len(quads) == 0 || quads[len(quads)-1] != q {
			quads = append(quads, q)
			places = append(places, d.places[i])
		}
	}
	d.quads, d.places = quads, places
}

func compareQuads(a, b Quad) int {
	switch {
	case lessQuad(&a, &b):
		return -1
	case a == b:
		return 0
	}
	return 1
}

// few is the number of quads below which counting over all terms costs more than it
// saves.
const few = 64

// sortQuads sorts quads by G, S, P, O, in place or into new memory, and drops
// duplicates. Most documents are nearly in this order, and insertion is enough.
// In others graphs and subjects are placed by counting, since IDs are dense, and
// the quads of one subject are sorted by comparison.
func sortQuads(q []Quad, terms int) []Quad {
	if insertQuads(q) {
		return slices.Compact(q)
	}
	if len(q) < few || len(q) < terms/8 {
		slices.SortFunc(q, compareQuads)
		return slices.Compact(q)
	}
	named, ordered := surveyQuads(q)
	if !ordered {
		q = countBy(q, subject, terms)
		if named {
			q = countBy(q, graphName, terms)
		}
	}
	for i := 0; i < len(q); {
		j := i + 1
		for j < len(q) && sameSubject(q[j], q[i]) {
			j++
		}
		sortRun(q[i:j])
		i = j
	}
	return slices.Compact(q)
}

// insertQuads sorts quads in place by insertion. When they must move more than a few
// places on average it gives up, leaves them in some other order and returns false.
// The few places are enough for nested nodes, whose triples stand between those of
// the node around them.
func insertQuads(q []Quad) bool {
	moves := 4*len(q) + 4*few
	for i := 1; i < len(q); i++ {
		t := q[i]
		j := i
		for j > 0 && lessQuad(&t, &q[j-1]) {
			q[j] = q[j-1]
			j--
		}
		q[j] = t
		if moves += 4 - (i - j); moves < 0 {
			return false
		}
	}
	return true
}

func lessQuad(a, b *Quad) bool {
	x, y := uint64(a.G)<<32|uint64(a.S), uint64(b.G)<<32|uint64(b.S)
	return x < y || x == y && key(*a) < key(*b)
}

// surveyQuads reports whether some quads are in a named graph and whether all
// are in the order of their graphs and subjects.
func surveyQuads(q []Quad) (named, ordered bool) {
	ordered = true
	for i := range q {
		named = named || q[i].G != 0
		ordered = ordered && (i == 0 || q[i-1].G < q[i].G || q[i-1].G == q[i].G && q[i-1].S <= q[i].S)
	}
	return named, ordered
}

func sameSubject(a, b Quad) bool { return a.S == b.S && a.G == b.G }

// position is a position of a quad to sort by.
type position uint8

const (
	subject position = iota
	predicate
	object
	graphName
)

func (p position) of(q *Quad) ID {
	switch p {
	case subject:
		return q.S
	case predicate:
		return q.P
	case object:
		return q.O
	}
	return q.G
}

// firstPlaces returns, by ID, where the first quad with a term at a position goes when
// quads are sorted by that.
func firstPlaces(q []Quad, by position, terms int) []uint32 {
	at := make([]uint32, terms+2)
	for i := range q {
		at[by.of(&q[i])+1]++
	}
	for i := 1; i < len(at); i++ {
		at[i] += at[i-1]
	}
	return at
}

// countBy returns a copy of the quads stably sorted by one position.
func countBy(q []Quad, by position, terms int) []Quad {
	at := firstPlaces(q, by, terms)
	out := make([]Quad, len(q))
	for i := range q {
		id := by.of(&q[i])
		out[at[id]] = q[i]
		at[id]++
	}
	return out
}

// countOrder returns a copy of order, indexes of quads, stably sorted by one
// position of those.
func countOrder(order []uint32, q []Quad, by position, terms int) []uint32 {
	at := firstPlaces(q, by, terms)
	out := make([]uint32, len(order))
	for _, i := range order {
		id := by.of(&q[i])
		out[at[id]] = i
		at[id]++
	}
	return out
}

// sortRun sorts quads of one graph and subject by P and O.
func sortRun(q []Quad) {
	if len(q) > 16 {
		slices.SortFunc(q, func(a, b Quad) int { return cmp.Compare(key(a), key(b)) })
		return
	}
	for i := 1; i < len(q); i++ {
		for j := i; j > 0 && key(q[j]) < key(q[j-1]); j-- {
			q[j], q[j-1] = q[j-1], q[j]
		}
	}
}

func key(q Quad) uint64 { return uint64(q.P)<<32 | uint64(q.O) }

// sortedBy returns a copy of q stably sorted by one position. Counting pays
// where the quads are not few beside the terms.
func sortedBy(q []Quad, by position, terms int) []Quad {
	if len(q) >= few && len(q) >= terms/8 {
		return countBy(q, by, terms)
	}
	out := slices.Clone(q)
	slices.SortStableFunc(out, func(a, b Quad) int { return cmp.Compare(by.of(&a), by.of(&b)) })
	return out
}
