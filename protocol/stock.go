package protocol

import (
	"errors"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// StockRequest returns the prebuilt request shape of a verb (a2a-rdf, section
// 11.3), such as a2a:ReadIntentShape: one action of the verb's class with the
// properties that the verb needs. It fails when v is not a stock verb.
func StockRequest(v Verb) (*rdf.Dataset, error) {
	if !v.valid() {
		return nil, errors.New("expected one of the stock verbs, found none")
	}
	w := newWriter()
	root, action := w.iri(v.requestShape()), w.blank()
	w.nodeShape(root, vocab.A2AIntent)
	property := w.property(root, vocab.A2AAction, "action")
	w.add(property, vocab.SHMaxCount, w.integer("1"))
	w.add(property, vocab.SHNode, action)
	w.add(action, vocab.RDFType, w.iri(vocab.SHNodeShape))
	w.add(w.property(action, vocab.RDFType, ""), vocab.SHHasValue, w.iri(v.Class()))
	iriOf := func(property, name string) {
		w.add(w.property(action, property, name), vocab.SHNodeKind, w.iri(vocab.SHIRI))
	}
	if v != VerbSubscribe && v != VerbQuery {
		iriOf(v.target(), "target")
	}
	if v == VerbGrant {
		iriOf(vocab.SchemaRecipient, "recipient")
		iriOf(vocab.A2AMode, "mode")
	}
	return w.dataset()
}

// requestShape returns the IRI of the verb's stock shape.
func (v Verb) requestShape() string {
	name := v.String()
	return vocab.A2A + string(name[0]-'a'+'A') + name[1:] + "IntentShape"
}

// StockResponseShape is the IRI of the stock response shape by default.
const StockResponseShape = vocab.A2A + "ResponseShape"

// StockResponse returns the prebuilt response shape (a2a-rdf, section 11.3), which
// demands an instance of a class. shape is the shape's IRI, [StockResponseShape] for
// "". It fails when one of the two is not an IRI: the shape would be empty.
func StockResponse(class, shape string) (*rdf.Dataset, error) {
	if shape == "" {
		shape = StockResponseShape
	}
	w := newWriter()
	root := w.iri(shape)
	w.nodeShape(root, class)
	w.add(w.property(root, vocab.RDFType, ""), vocab.SHHasValue, w.iri(class))
	return w.dataset()
}

// nodeShape writes a node shape with a target.
func (w *writer) nodeShape(shape rdf.ID, class string) {
	w.add(shape, vocab.RDFType, w.iri(vocab.SHNodeShape))
	w.add(shape, vocab.SHTargetClass, w.iri(class))
}

// property writes a property shape that demands a value.
func (w *writer) property(of rdf.ID, path, name string) rdf.ID {
	p := w.blank()
	w.add(of, vocab.SHProperty, p)
	w.add(p, vocab.RDFType, w.iri(vocab.SHPropertyShape))
	w.add(p, vocab.SHPath, w.iri(path))
	w.add(p, vocab.SHMinCount, w.integer("1"))
	if name != "" {
		w.add(p, vocab.SHName, w.text(name))
	}
	return p
}
