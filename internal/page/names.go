package page

import (
	"github.com/rdfproto/rdfproto/internal/legible"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/shacl"
)

// namer names what a report is about by the prefixes that the extension is written with.
type namer struct{ *legible.Namer }

func newNamer() namer { return namer{legible.New(legible.OfProtocols())} }

// shape names a shape; one without a name is told by its place.
func (n namer) shape(t rdf.Term, place rdf.Place) string {
	if t.Kind() == rdf.KindBlank && !place.IsZero() {
		return "shape without a name"
	}
	return n.Term(t)
}

// reason says why a constraint is violated. A shape without a name that it refers to has
// a label of another text, which would say nothing.
func (n namer) reason(r *shacl.Result) string {
	return r.Reason(func(t rdf.Term) string {
		if t.Kind() == rdf.KindBlank && t == r.Parameter() {
			return "the shape it refers to"
		}
		return n.Term(t)
	})
}

// constraint names a constraint by its parameter, with the value where that has a name:
// "sh:minCount 1" (SHACL, section 4).
func (n namer) constraint(r *shacl.Result) string {
	name := n.IRI(r.Property())
	if p := r.Parameter(); !p.IsZero() && p.Kind() != rdf.KindBlank {
		return name + " " + n.Term(p)
	}
	return name
}
