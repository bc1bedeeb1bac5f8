package jsonld

import (
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
)

// listToRDF makes quads of a list object and returns its head (section 8.3.2).
func (p *processor) listToRDF(e *element, s statement) (rdf.ID, error) {
	s.inList = true
	if s.dropped {
		for i := e.members.first; i != 0; i = p.entries[i-1].next {
			if _, err := p.object(p.entries[i-1].value, s); err != nil {
				return 0, err
			}
		}
		return 0, nil
	}
	var ids [3]rdf.ID
	for i, k := range [3]knownIRI{rdfNilIRI, rdfFirstIRI, rdfRestIRI} {
		var err error
		if ids[i], err = p.vocab(k); err != nil {
			return 0, p.atRef(err, e.ref)
		}
	}
	end, first, rest := ids[0], ids[1], ids[2]
	// 1)
	if e.members.first == 0 {
		return end, nil
	}
	// 2) and 3)
	var head, last rdf.ID
	var lastRef strictjson.Ref
	for i := e.members.first; i != 0; i = p.entries[i-1].next {
		item := p.entries[i-1].value
		ref := p.elements[item].ref
		node, err := p.b.FreshBlank()
		if err != nil {
			return 0, p.atRef(err, ref)
		}
		if head == 0 {
			head = node
		} else if err := p.add(last, rest, node, s.graph, lastRef, ref); err != nil {
			return 0, err
		}
		last, lastRef = node, ref
		// 3.2) and 3.3)
		object, err := p.object(item, s)
		if err != nil {
			return 0, err
		}
		if object != 0 {
			if err := p.add(node, first, object, s.graph, ref, ref); err != nil {
				return 0, err
			}
		}
	}
	// 4)
	return head, p.add(last, rest, end, s.graph, lastRef, e.ref)
}
