package turtle

import (
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// deepest is how deep the writer nests brackets before it gives a blank node a
// label instead: half of what readers allow for bytes from someone else.
const deepest = 32

// shape says which blank nodes of a dataset are written inside the triple whose
// object they are, and which of those are lists.
type shape struct {
	d     *rdf.Dataset
	nodes []node // by ID

	rdfType, first, rest, null rdf.ID // 0 where the dataset has no such term
}

type node struct {
	ref   uint32 // index of the quad whose object it is, the last of them
	graph rdf.ID // of the triples whose subject it is, the last of them
	mark  uint32 // the last walk of limitDepth that met it
	depth uint8  // how many brackets are open around it, plus one; 0 is not known
	flags flags
}

type flags uint8

const (
	referred flags = 1 << iota // it is the object of a triple
	subjects                   // it is the subject of a triple
	labelled                   // it needs a label
	inside                     // it is written inside the triple whose object it is
	cell                       // it and all that follows make a list
)

func (s *shape) nested(id rdf.ID) bool { return s.nodes[id].flags&inside != 0 }
func (s *shape) list(id rdf.ID) bool   { return s.nodes[id].flags&cell != 0 }

// anonymous reports whether a subject needs no label.
func (s *shape) anonymous(id rdf.ID) bool {
	return s.d.Kind(id) == rdf.KindBlank && s.nodes[id].flags&(labelled|referred) == 0
}

// newShape decides for every blank node of a dataset how it is written.
func newShape(d *rdf.Dataset) shape {
	s := shape{
		d: d, nodes: make([]node, d.NumTerms()+1),
		rdfType: d.LookupIRI(vocab.RDFType), first: d.LookupIRI(vocab.RDFFirst),
		rest: d.LookupIRI(vocab.RDFRest), null: d.LookupIRI(vocab.RDFNil),
	}
	s.count()
	for id := rdf.ID(1); int(id) < len(s.nodes); id++ {
		n := &s.nodes[id]
		if n.flags&(referred|labelled) == referred && d.Kind(id) == rdf.KindBlank {
			// Its triples must be in the graph of the triple that it is inside of.
			if n.flags&subjects == 0 || n.graph == d.Quad(int(n.ref)).G {
				n.flags |= inside
			} else {
				n.flags |= labelled
			}
		}
	}
	s.findLists()
	s.limitDepth()
	return s
}

// count finds where blank nodes stand and which stand where only a label can.
func (s *shape) count() {
	for i := range s.d.Len() {
		q := s.d.Quad(i)
		s.nodes[q.G].flags |= labelled
		if n := &s.nodes[q.S]; n.flags&subjects != 0 && n.graph != q.G {
			n.flags |= labelled
		} else {
			n.flags |= subjects
			n.graph = q.G
		}
		if n := &s.nodes[q.O]; n.flags&referred != 0 {
			n.flags |= labelled
		} else {
			n.flags |= referred
			n.ref = uint32(i)
		}
	}
}

// findLists marks the cells of lists, each from its end.
func (s *shape) findLists() {
	if s.first == 0 || s.rest == 0 || s.null == 0 {
		return
	}
	for i := range s.d.Len() {
		q := s.d.Quad(i)
		if q.P != s.rest || q.O != s.null {
			continue
		}
		for id := q.S; s.isCell(id); {
			n := &s.nodes[id]
			n.flags |= cell
			ref := s.d.Quad(int(n.ref))
			if ref.P != s.rest {
				break
			}
			id = ref.S
		}
	}
}

// isCell reports whether a node is inside another triple and has one rdf:first,
// one rdf:rest and nothing else.
func (s *shape) isCell(id rdf.ID) bool {
	n := &s.nodes[id]
	if n.flags&(inside|cell) != inside {
		return false
	}
	run := s.d.Graph(n.graph).Subject(id)
	if run.Len() != 2 {
		return false
	}
	p, q := run.At(0).P, run.At(1).P
	return p == s.first && q == s.rest || p == s.rest && q == s.first
}

// limitDepth finds out how deep every node would be nested, and gives labels to
// those that are too deep, or that would never be reached because they are nested
// in themselves. It follows the way up from a node without recursion.
func (s *shape) limitDepth() {
	var way []rdf.ID
	walk := uint32(0)
	for id := rdf.ID(1); int(id) < len(s.nodes); id++ {
		if s.nodes[id].flags&inside == 0 || s.nodes[id].depth != 0 {
			continue
		}
		for again := true; again; {
			walk++
			way, again = s.up(way[:0], id, walk)
		}
		for i := len(way) - 1; i >= 0; i-- {
			s.place(way[i])
		}
	}
}

// up collects the nodes from id upwards whose depth is not known. If they form a
// circle it gives one of them a label and reports that the way must be followed
// again.
func (s *shape) up(way []rdf.ID, id rdf.ID, walk uint32) ([]rdf.ID, bool) {
	for {
		n := &s.nodes[id]
		if n.flags&inside == 0 || n.depth != 0 {
			return way, false
		}
		if n.mark == walk {
			s.breakCircle(way, id)
			return way, true
		}
		n.mark = walk
		way = append(way, id)
		id = s.d.Quad(int(n.ref)).S
	}
}

// breakCircle gives a label to the first node, by ID, of the circle that begins
// at from. Of a list only the first node is taken: without a later one, what
// precedes it would be no list any more.
func (s *shape) breakCircle(way []rdf.ID, from rdf.ID) {
	taken := rdf.ID(0)
	for i := len(way) - 1; i >= 0; i-- {
		if id := way[i]; !s.follows(id) && (taken == 0 || id < taken) {
			taken = id
		}
		if way[i] == from {
			break
		}
	}
	s.label(taken)
}

// follows reports whether a node is a cell of a list behind another.
func (s *shape) follows(id rdf.ID) bool {
	n := &s.nodes[id]
	ref := s.d.Quad(int(n.ref))
	return n.flags&cell != 0 && ref.P == s.rest && s.nodes[ref.S].flags&cell != 0
}

func (s *shape) label(id rdf.ID) {
	n := &s.nodes[id]
	n.flags = n.flags&^(inside|cell) | labelled
}

// place sets the depth of a node, given that of the one above it.
func (s *shape) place(id rdf.ID) {
	n := &s.nodes[id]
	n.depth = max(s.nodes[s.d.Quad(int(n.ref)).S].depth, 1)
	if s.follows(id) {
		return
	}
	if n.depth++; n.depth > deepest+1 {
		s.label(id)
		n.depth = 1
	}
}
