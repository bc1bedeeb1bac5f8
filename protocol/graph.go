package protocol

import (
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// valuesOf returns the values of a property of a node, none for node 0.
func valuesOf(d *rdf.Dataset, node rdf.ID, property string) []rdf.ID {
	p := d.LookupIRI(property)
	if node == 0 || p == 0 {
		return nil
	}
	var all []rdf.ID
	for q := range d.Default().Objects(node, p).Quads() {
		all = append(all, q.O)
	}
	return all
}

// writer adds triples to a graph and keeps the first error: what cannot be
// written is an error, never a dropped triple (a2a-rdf, GEN-3).
type writer struct {
	b   *rdf.Builder
	err error
}

func newWriter() *writer { return &writer{b: rdf.NewBuilder(DocumentLimits())} }

func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *writer) id(id rdf.ID, err error) rdf.ID {
	if err != nil {
		w.fail(err)
	}
	return id
}

func (w *writer) iri(iri string) rdf.ID { return w.id(w.b.IRI([]byte(iri))) }
func (w *writer) text(s string) rdf.ID  { return w.id(w.b.Literal([]byte(s), 0)) }
func (w *writer) blank() rdf.ID         { return w.id(w.b.FreshBlank()) }

func (w *writer) integer(lexical string) rdf.ID {
	return w.id(w.b.Literal([]byte(lexical), w.iri(vocab.XSDInteger)))
}

func (w *writer) add(s rdf.ID, property string, o rdf.ID) {
	p := w.iri(property)
	if w.err == nil {
		w.fail(w.b.Add(s, p, o, 0))
	}
}

func (w *writer) dataset() (*rdf.Dataset, error) {
	if w.err != nil {
		return nil, w.err
	}
	return w.b.Dataset(), nil
}
