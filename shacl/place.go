package shacl

import "github.com/rdfproto/rdfproto/rdf"

// firstPlace returns where a node first stands as a subject, or else as an
// object, of a graph whose dataset kept places; else the zero Place.
func firstPlace(g rdf.Graph, node rdf.ID) rdf.Place {
	d := g.Dataset()
	if !d.HasPlaces() {
		return rdf.Place{}
	}
	var first rdf.Place
	from, to := g.SubjectIndex(node)
	for i := from; i < to; i++ {
		first = earlier(first, d.SubjectPlace(i))
	}
	if first.IsZero() {
		for q := range g.Incoming(node).Quads() {
			first = earlier(first, d.ObjectPlace(g.Index(q.S, q.P, q.O)))
		}
	}
	return first
}

// earlier returns the one of two places that comes first in its file; of places
// in two files the first.
func earlier(a, b rdf.Place) rdf.Place {
	if a.IsZero() || !b.IsZero() && a.File == b.File && (b.Line < a.Line || b.Line == a.Line && b.Column < a.Column) {
		return b
	}
	return a
}

// place returns where what a result is about stands in the data: the triple that
// leads to the value, or else the focus node.
func (r *run) place(p *path, focus, value rdf.ID) rdf.Place {
	if !r.d.HasPlaces() {
		return rdf.Place{}
	}
	if value != 0 && p != nil && r.isData(value) {
		if place := r.valuePlace(p, focus, value); !place.IsZero() {
			return place
		}
	}
	if !r.isData(focus) {
		return rdf.Place{}
	}
	if focus != r.placed.node {
		r.placed.node, r.placed.at = focus, r.focusPlace(focus)
	}
	return r.placed.at
}

// focusPlace returns where a node first stands. Results and their details may come
// back to a node again and again, so what took long to find is remembered.
func (r *run) focusPlace(node rdf.ID) rdf.Place {
	if at, ok := r.places[node]; ok {
		return at
	}
	at := firstPlace(r.g, node)
	if from, to := r.g.SubjectIndex(node); to == from || to-from > mostSteps {
		put(&r.places, node, at)
	}
	return at
}

// mostSteps is how many triples, and how many parts of a path, are looked at for the
// last step of the path to a value: the place is a help, a value may have a million
// triples and a path thousands of parts, and nothing of this is taken from the budget.
const mostSteps = 256

// valuePlace returns where a path ends at a value: at the object of a triple for
// a predicate, at the subject for an inverse one. For a longer path it is the
// first triple that its last step could have taken.
func (r *run) valuePlace(p *path, focus, value rdf.ID) rdf.Place {
	switch p.kind {
	case predicatePath:
		if c, ok := r.lookup(p.iri); ok {
			if i := r.g.Index(focus, c, value); i >= 0 {
				return r.d.ObjectPlace(i)
			}
		}
		return rdf.Place{}
	case inversePath:
		if inner := p.parts[0]; inner.kind == predicatePath {
			if c, ok := r.lookup(inner.iri); ok {
				if i := r.g.Index(value, c, focus); i >= 0 {
					return r.d.SubjectPlace(i)
				}
			}
			return rdf.Place{}
		}
	}
	left := mostSteps
	return r.endPlace(p, value, false, &left)
}

// endPlace returns the first place at which a path could end at a value, of those that
// are found in so many steps.
func (r *run) endPlace(p *path, value rdf.ID, inverse bool, left *int) rdf.Place {
	var first rdf.Place
	if *left--; *left < 0 {
		return first
	}
	switch p.kind {
	case predicatePath:
		c, ok := r.lookup(p.iri)
		if !ok {
			break
		}
		if inverse {
			steps := r.g.Objects(value, c)
			for i := 0; i < steps.Len() && *left > 0; i, *left = i+1, *left-1 {
				q := steps.At(i)
				first = earlier(first, r.d.SubjectPlace(r.g.Index(q.S, q.P, q.O)))
			}
			break
		}
		steps := r.g.Subjects(c, value)
		for i := 0; i < steps.Len() && *left > 0; i, *left = i+1, *left-1 {
			q := steps.At(i)
			first = earlier(first, r.d.ObjectPlace(r.g.Index(q.S, q.P, q.O)))
		}
	case sequencePath:
		last := p.parts[len(p.parts)-1]
		if inverse {
			last = p.parts[0]
		}
		return r.endPlace(last, value, inverse, left)
	case inversePath:
		return r.endPlace(p.parts[0], value, !inverse, left)
	default:
		for i := 0; i < len(p.parts) && *left > 0; i++ {
			first = earlier(first, r.endPlace(p.parts[i], value, inverse, left))
		}
	}
	return first
}

func (r *run) lookup(t rdf.Term) (rdf.ID, bool) {
	id := r.d.Lookup(t)
	return id, id != 0
}
