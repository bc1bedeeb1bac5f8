package suite

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/rdfproto/rdfproto/rdf"
)

// Isomorphic reports whether two datasets are equal but for the names of their
// blank nodes (RDF 1.1 Concepts, sections 3.6 and 4). It colours nodes by what
// surrounds them and tries out the rest: it owes nothing to package canon, which
// tests judge by it. Graphs made to be hard take exponential time.
func Isomorphic(a, b *rdf.Dataset) bool {
	if a.Len() != b.Len() {
		return false
	}
	x, y := newColouring(a), newColouring(b)
	return len(x.colours) == len(y.colours) && match(x, y)
}

type colour [sha256.Size]byte

type colouring struct {
	d       *rdf.Dataset
	colours map[rdf.ID]colour
}

func newColouring(d *rdf.Dataset) colouring {
	c := colouring{d, map[rdf.ID]colour{}}
	for q := range d.Quads() {
		for _, id := range [4]rdf.ID{q.S, q.P, q.O, q.G} {
			if d.Kind(id) == rdf.KindBlank {
				c.colours[id] = colour{}
			}
		}
	}
	return c
}

// line writes a quad with the colour of its blank nodes; self marks where
// a node itself stands.
func (c colouring) line(q rdf.Quad, self rdf.ID) string {
	var out []byte
	for _, id := range [4]rdf.ID{q.S, q.P, q.O, q.G} {
		switch colour, blank := c.colours[id]; {
		case blank && id == self:
			out = append(out, '*')
		case blank:
			out = append(out, colour[:]...)
		default:
			out = c.d.AppendTerm(out, id)
		}
		out = append(out, 0)
	}
	return string(out)
}

// refine colours nodes by the quads around them until that tells no more apart.
func (c colouring) refine() {
	for before := -1; ; {
		kinds := map[colour]bool{}
		for _, col := range c.colours {
			kinds[col] = true
		}
		if len(kinds) == before {
			return
		}
		before = len(kinds)
		around := map[rdf.ID][]string{}
		for q := range c.d.Quads() {
			ids := []rdf.ID{q.S, q.P, q.O, q.G}
			slices.Sort(ids)
			for _, id := range slices.Compact(ids) {
				if _, blank := c.colours[id]; blank {
					around[id] = append(around[id], c.line(q, id))
				}
			}
		}
		next := map[rdf.ID]colour{}
		for id, lines := range around {
			slices.Sort(lines)
			h := sha256.New()
			old := c.colours[id]
			h.Write(old[:])
			for _, l := range lines {
				h.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(l))))
				h.Write([]byte(l))
			}
			next[id] = colour(h.Sum(nil))
		}
		for id, col := range next {
			c.colours[id] = col
		}
	}
}

// classes returns the nodes of each colour.
func (c colouring) classes() map[colour][]rdf.ID {
	m := map[colour][]rdf.ID{}
	for id, col := range c.colours {
		m[col] = append(m[col], id)
	}
	for _, ids := range m {
		slices.Sort(ids)
	}
	return m
}

// with returns a copy in which one node has another colour.
func (c colouring) with(id rdf.ID, col colour) colouring {
	copied := colouring{c.d, map[rdf.ID]colour{}}
	for k, v := range c.colours {
		copied.colours[k] = v
	}
	copied.colours[id] = col
	return copied
}

// lines returns all quads, with colours in place of blank nodes, sorted.
func (c colouring) lines() []string {
	var all []string
	for q := range c.d.Quads() {
		all = append(all, c.line(q, 0))
	}
	slices.Sort(all)
	return all
}

// match reports whether the nodes of two colourings can be paired so that the quads
// are the same.
func match(x, y colouring) bool {
	x.refine()
	y.refine()
	if !slices.Equal(x.lines(), y.lines()) {
		return false
	}
	xs, ys := x.classes(), y.classes()
	var pick colour
	for col, ids := range xs {
		if len(ids) != len(ys[col]) {
			return false
		}
		if len(ids) > 1 && (len(xs[pick]) < 2 || len(ids) < len(xs[pick]) || len(ids) == len(xs[pick]) && slices.Compare(col[:], pick[:]) < 0) {
			pick = col
		}
	}
	if len(xs[pick]) < 2 {
		return true // every node has a colour of its own, and the quads agree
	}
	chosen := sha256.Sum256(pick[:])
	for _, id := range ys[pick] {
		if match(x.with(xs[pick][0], chosen), y.with(id, chosen)) {
			return true
		}
	}
	return false
}
