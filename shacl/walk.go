package shacl

import (
	"slices"

	"github.com/rdfproto/rdfproto/rdf"
)

// step is a path made ready for walking: it has no inverse paths but at its
// predicates.
type step struct {
	op        stepOp
	predicate constID // of forward and backward
	kids      []*step // of the others
}

type stepOp uint8

const (
	forward  stepOp = iota // from subject to object
	backward               // from object to subject
	sequence
	alternative
	zeroOrMore
	oneOrMore
	zeroOrOne
)

// walk appends the nodes that a path leads to from a node to r.ids, sorted and
// without duplicates (sections 2.3.1 and 3.4.2, value nodes). A predicate costs
// nothing from the budget, since its values are checked; a longer path costs
// every triple that it steps over.
func (r *run) walk(p *path, from rdf.ID) {
	switch st := p.steps; st.op {
	case forward:
		for q := range r.g.Objects(from, r.id(st.predicate)).Quads() {
			r.ids = append(r.ids, q.O)
		}
	case backward:
		r.subjects(r.id(st.predicate), from)
	default:
		start := len(r.ids)
		r.ids = append(r.ids, from)
		r.expand(st, start, start+1)
		r.ids = append(r.ids[:start], r.ids[start+1:]...)
	}
}

// expand appends the nodes that a step leads to from any node of
// r.ids[from:to], sorted and without duplicates.
func (r *run) expand(st *step, from, to int) {
	start := len(r.ids)
	switch st.op {
	case forward:
		p := r.id(st.predicate)
		for i := from; i < to; i++ {
			objects := r.g.Objects(r.ids[i], p)
			if !r.spend(1 + objects.Len()) {
				return
			}
			for q := range objects.Quads() {
				r.ids = append(r.ids, q.O)
			}
		}
	case backward:
		p := r.id(st.predicate)
		for i := from; i < to; i++ {
			before := len(r.ids)
			r.subjects(p, r.ids[i])
			if !r.spend(1 + len(r.ids) - before) {
				return
			}
		}
	case sequence:
		for _, kid := range st.kids {
			next := len(r.ids)
			if !r.spend(1) {
				return
			}
			r.expand(kid, from, to)
			from, to = next, len(r.ids)
		}
		r.ids = append(r.ids[:start], r.ids[from:to]...)
		return // the last kid left it sorted
	case alternative:
		for _, kid := range st.kids {
			if !r.spend(1) {
				return
			}
			r.expand(kid, from, to)
		}
	case zeroOrOne:
		if !r.spendStart(from, to) {
			return
		}
		r.ids = append(r.ids, r.ids[from:to]...)
		r.expand(st.kids[0], from, to)
	case zeroOrMore, oneOrMore:
		r.close(st, from, to)
	}
	r.normalize(start)
}

// spendStart takes what going through the nodes costs that a step begins at and does not
// leave: such steps can be within each other, and none but the innermost takes anything
// for each node.
func (r *run) spendStart(from, to int) bool {
	n := (to - from) / 2
	return n == 0 || r.spend(n)
}

// close appends the nodes that one or more, or zero or more, repetitions of a
// step lead to. It goes in waves: each one starts from what the last one found
// first.
func (r *run) close(st *step, from, to int) {
	if st.op == zeroOrMore && !r.spendStart(from, to) {
		return
	}
	seen := r.takeSet()
	defer r.freeSet(seen)
	if st.op == zeroOrMore {
		start := len(r.ids)
		for i := from; i < to; i++ {
			seen.add(r.ids[i])
			r.ids = append(r.ids, r.ids[i])
		}
		from, to = start, len(r.ids)
	}
	for from < to {
		next := len(r.ids)
		if !r.spend(1) {
			return
		}
		r.expand(st.kids[0], from, to)
		fresh := next
		for _, id := range r.ids[next:] {
			if seen.add(id) {
				r.ids[fresh] = id
				fresh++
			}
		}
		r.ids = r.ids[:fresh]
		from, to = next, fresh
	}
}

// subjects appends the subjects of the triples with a predicate and an object,
// sorted.
func (r *run) subjects(p, o rdf.ID) {
	if r.small {
		for q := range r.g.All().Quads() {
			if q.P == p && q.O == o {
				r.ids = append(r.ids, q.S)
			}
		}
		return
	}
	for q := range r.g.Subjects(p, o).Quads() {
		r.ids = append(r.ids, q.S)
	}
}

// triplesOf returns the triples with a predicate.
func (r *run) triplesOf(p rdf.ID) rdf.Run { return r.g.Predicate(p) }

// closures holds the subclasses of the program's classes in the data, the class
// itself included, sorted. They are made once and shared.
type closures struct {
	classes [][]rdf.ID // by classID; nil where the class has no subclass
}

// of returns a class and its subclasses, nil when there is no other than the
// class itself.
func (c *closures) of(class classID) []rdf.ID {
	if c == nil {
		return nil
	}
	return c.classes[class]
}

// closeClasses finds the subclasses of every class that the program names. Most
// data has no class hierarchy, and then this is one look-up.
func (r *run) closeClasses() *closures {
	if len(r.p.classes) == 0 {
		return nil
	}
	sub := r.id(r.p.subClassOf)
	if !r.isData(sub) || !r.mentions(sub) {
		return nil
	}
	c := &closures{make([][]rdf.ID, len(r.p.classes))}
	st := step{op: zeroOrMore, kids: []*step{{op: backward, predicate: r.p.subClassOf}}}
	for i, class := range r.p.classes {
		start := len(r.ids)
		r.ids = append(r.ids, r.id(class))
		r.expand(&st, start, start+1)
		if r.err != nil {
			return nil
		}
		if all := r.ids[start+1:]; len(all) > 1 {
			c.classes[i] = slices.Clone(all)
		}
		r.ids = r.ids[:start]
	}
	return c
}

// mentions reports whether a term is a predicate of the graph.
func (r *run) mentions(p rdf.ID) bool {
	if r.small {
		for q := range r.g.All().Quads() {
			if q.P == p {
				return true
			}
		}
		return false
	}
	return r.g.Predicate(p).Len() > 0
}
