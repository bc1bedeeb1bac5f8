package jsonld

import (
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// Node map generation (section 7.2) and deserialization to RDF (section 8.1)
// are one walk over the expanded document here. The node map brings together
// what is said of one node and drops what is said twice; in a dataset every
// quad of a node stands for itself and duplicates fall away, so that the quads
// can be made at once. What the node map does beyond that is done here, too:
// conflicting indexes are refused, and equal values that become a blank node
// each (compound literals) become one.

// nodeIndex names the @index of a node in a graph.
type nodeIndex struct {
	graph graphName
	node  rdf.ID
	odd   string // the identifier of a node that is none
}

// graphName is the graph that quads are made for.
type graphName struct {
	id      rdf.ID
	dropped bool // it has a name that is no term: its quads are dropped
}

// deserialize makes quads of what expansion left on the stack.
func (p *processor) deserialize(s shape) error {
	// Section 9.1, expand, step 8.1: the graph of a map that is nothing else is
	// the default graph.
	if s == one {
		if e := &p.elements[p.stack[0]]; e.kind == nodeObject && e.has&entries == hasGraph {
			for i := e.members.first; i != 0; i = p.entries[i-1].next {
				if err := p.graphItem(p.entries[i-1].value, graphName{}); err != nil {
					return err
				}
			}
			return nil
		}
	}
	for _, n := range p.stack {
		if err := p.graphItem(n, graphName{}); err != nil {
			return err
		}
	}
	return nil
}

// graphItem makes quads of an item of a graph.
func (p *processor) graphItem(n uint32, g graphName) error {
	if p.elements[n].kind == nodeObject {
		_, err := p.node(n, g)
		return err
	}
	return p.lost(CodeFreeFloating, p.valueOf(&p.elements[n]), "", "")
}

// node makes quads of a node object (section 7.2.2, step 6; section 8.1.2, step
// 1.3) and returns its subject, 0 when it has an identifier that is no term.
func (p *processor) node(n uint32, g graphName) (rdf.ID, error) {
	e := &p.elements[n]
	// 6.1) and 6.2)
	subject := e.term.id
	if e.has&hasID == 0 {
		var err error
		if subject, err = p.b.FreshBlank(); err != nil {
			return 0, p.atRef(err, e.ref)
		}
	}
	// 6.8)
	if e.index != 0 && e.has&hasID != 0 {
		if err := p.checkIndex(e, g); err != nil {
			return 0, err
		}
	}
	dropped := subject == 0 || g.dropped
	for i := e.members.first; i != 0; i = p.entries[i-1].next {
		m := &p.entries[i-1]
		var err error
		switch m.kind {
		case typeEntry:
			// 6.7)
			if dropped || m.term.id == 0 {
				continue
			}
			var rdfType rdf.ID
			if rdfType, err = p.vocab(rdfTypeIRI); err == nil {
				err = p.add(subject, rdfType, m.term.id, g, e.ref, m.ref)
			}
		case reverseEntry:
			// 6.9)
			var object rdf.ID
			k := p.known[m.key]
			if object, err = p.node(m.value, g); err == nil && !dropped && object != 0 && k.state == keyProperty {
				err = p.add(object, k.pred.id, subject, g, p.elements[m.value].ref, e.ref)
			}
		case graphEntry:
			// 6.10)
			err = p.graphItem(m.value, graphName{id: subject, dropped: subject == 0})
		case includedEntry:
			// 6.11)
			_, err = p.node(m.value, g)
		case propertyEntry:
			// 6.12)
			var object rdf.ID
			k := p.known[m.key]
			s := statement{subject: subject, key: k, graph: g, dropped: dropped || k.state != keyProperty}
			if object, err = p.object(m.value, s); err == nil && !s.dropped && object != 0 {
				err = p.add(subject, k.pred.id, object, g, e.ref, p.elements[m.value].ref)
			}
		}
		if err != nil {
			return 0, err
		}
	}
	return subject, nil
}

// checkIndex refuses a second @index of one node (section 7.2.2, step 6.8).
func (p *processor) checkIndex(e *element, g graphName) error {
	k := nodeIndex{graph: g, node: e.term.id}
	if e.term.odd != 0 {
		k.odd = p.odd[e.term.odd-1]
	}
	index := p.indexes[e.index-1]
	if old, ok := p.nodeIndexes[k]; ok && old != index {
		return refusal(CodeConflictingIndexes, p.doc, p.valueOf(e), index, "")
	}
	if p.nodeIndexes == nil {
		p.nodeIndexes = map[nodeIndex]string{}
	}
	p.nodeIndexes[k] = index
	return nil
}

// add adds a quad, with its places where they are kept.
func (p *processor) add(s, pred, o rdf.ID, g graphName, subject, object strictjson.Ref) error {
	var err error
	if p.locator == nil {
		err = p.b.Add(s, pred, o, g.id)
	} else {
		err = p.b.AddAt(s, pred, o, g.id, p.pos(subject), p.pos(object))
	}
	return p.atRef(err, object)
}

func (p *processor) pos(r strictjson.Ref) rdf.Pos {
	line, column := p.locator.Place(p.doc.root.Deref(r).Offset())
	return rdf.Pos{Line: uint32(line), Column: uint32(column)}
}

// atRef gives the place of a value to an error that has none.
func (p *processor) atRef(err error, r strictjson.Ref) error {
	if err == nil {
		return nil
	}
	return p.at(err, p.doc, p.doc.root.Deref(r))
}

// knownIRI is an IRI that deserialization makes terms of.
type knownIRI uint8

const (
	rdfTypeIRI knownIRI = iota
	rdfFirstIRI
	rdfRestIRI
	rdfNilIRI
	rdfJSONIRI
	rdfValueIRI
	rdfLanguageIRI
	rdfDirectionIRI
	xsdBooleanIRI
	xsdIntegerIRI
	xsdDoubleIRI
	knownIRIs
)

var knownTexts = [knownIRIs]string{
	vocab.RDFType, vocab.RDFFirst, vocab.RDFRest, vocab.RDFNil, vocab.RDFJSON, vocab.RDFValue, vocab.RDFLanguage, vocab.RDFDirection,
	vocab.XSDBoolean, vocab.XSDInteger, vocab.XSDDouble,
}

// vocab returns the ID of an IRI, interned when it is first needed.
func (p *processor) vocab(k knownIRI) (rdf.ID, error) {
	if id := p.vocabIDs[k]; id != 0 {
		return id, nil
	}
	id, err := p.b.IRI([]byte(knownTexts[k]))
	p.vocabIDs[k] = id
	return id, err
}
