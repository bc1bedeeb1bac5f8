package lifetime

import (
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// OverIn is [Over] for a status in a graph, which may be known by its name, its text or its
// classes: dpv:ConsentRefused is a class.
func OverIn(g rdf.Graph, status rdf.ID) bool {
	d := g.Dataset()
	reads := func(id rdf.ID) bool { return d.Kind(id) != rdf.KindBlank && Over(d.Value(id)) }
	if reads(status) {
		return true
	}
	p := d.LookupIRI(vocab.RDFType)
	if p == 0 {
		return false
	}
	for class := range g.Objects(status, p).Quads() {
		if reads(class.O) {
			return true
		}
	}
	return false
}
