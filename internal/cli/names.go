package cli

import (
	"sort"

	"github.com/rdfproto/rdfproto/internal/legible"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/shacl"
)

// shapeNamer names terms, and shapes without a name by their place.
type shapeNamer struct {
	*legible.Namer

	shapes *rdf.Dataset // where the shapes stand; nil for none
	places map[rdf.ID]rdf.Place
}

// newNamer names terms by the prefixes that documents declare.
func newNamer(declared []turtle.Prefix, shapes *rdf.Dataset) *shapeNamer {
	return &shapeNamer{legible.New(declared), shapes, map[rdf.ID]rdf.Place{}}
}

// reason says why a constraint is violated. A shape without a name goes by its
// place: its label is of another document than those of the data.
func (n *shapeNamer) reason(res *shacl.Result) string {
	name := n.Term
	switch res.Property() {
	case vocab.SHNode, vocab.SHNot, vocab.SHAnd, vocab.SHOr, vocab.SHXone, vocab.SHProperty, vocab.SHQualifiedMinCount, vocab.SHQualifiedMaxCount:
		name = n.shape
	}
	return res.Reason(name)
}

// shape names a shape for use in a sentence.
func (n *shapeNamer) shape(t rdf.Term) string {
	if place := n.shapePlace(t); t.Kind() == rdf.KindBlank && !place.IsZero() {
		return "the shape at " + printable(place.String())
	}
	return n.Term(t)
}

// shapePlace returns where a node of the shapes first stands as a subject. It is looked for
// once: many results are of one shape, which may have many triples.
func (n *shapeNamer) shapePlace(t rdf.Term) rdf.Place {
	var first rdf.Place
	if n.shapes == nil {
		return first
	}
	id := n.shapes.Lookup(t)
	if place, known := n.places[id]; known {
		return place
	}
	from := sort.Search(n.shapes.Len(), func(i int) bool { q := n.shapes.Quad(i); return q.G != 0 || q.S >= id })
	for i := from; i < n.shapes.Len() && n.shapes.Quad(i).S == id && n.shapes.Quad(i).G == 0; i++ {
		p := n.shapes.SubjectPlace(i)
		if first.IsZero() || p.Line < first.Line || p.Line == first.Line && p.Column < first.Column {
			first = p
		}
	}
	n.places[id] = first
	return first
}
