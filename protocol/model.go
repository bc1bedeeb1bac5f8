package protocol

import (
	"fmt"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/shacl"
)

// ModelError says which rule of section 2 a graph breaks, and where.
type ModelError struct {
	Rule  string    // "PD-1" to "PD-12"
	Text  string    // what was expected and what was found
	Place rdf.Place // as far as places were kept
}

// Error returns the place and the text.
func (e *ModelError) Error() string {
	if p := e.Place.String(); p != "" {
		return p + ": " + e.Text
	}
	return e.Text
}

// broken returns a ModelError about a node, 0 when it is about none.
func (d *Document) broken(rule string, node rdf.ID, format string, args ...any) error {
	return &ModelError{rule, fmt.Sprintf(format, args...), d.placeOf(node)}
}

// placeOf returns where a node first occurs as a subject.
func (d *Document) placeOf(node rdf.ID) rdf.Place {
	var first rdf.Place
	if node == 0 || !d.graph.HasPlaces() {
		return first
	}
	from, to := d.graph.Default().SubjectIndex(node)
	for i := from; i < to; i++ {
		p := d.graph.SubjectPlace(i)
		if first.IsZero() || p.Line < first.Line || p.Line == first.Line && p.Column < first.Column {
			first = p
		}
	}
	return first
}

func (d *Document) name(node rdf.ID) string { return d.graph.Term(node).Abbreviated() }

// readModel finds the parts of the document (a2a-rdf, PD-1 to PD-6).
func (d *Document) readModel() error {
	if reason := notOneGraph(d.graph); reason != "" {
		return d.broken("PD-1", 0, "%s", reason)
	}
	g := d.graph.Default()
	typ, class := d.graph.LookupIRI(vocab.RDFType), d.graph.LookupIRI(vocab.A2AProtocolDocument)
	n, node := 0, rdf.ID(0)
	if typ != 0 && class != 0 {
		docs := g.Subjects(typ, class)
		if n = docs.Len(); n > 0 {
			node = docs.At(n - 1).S
		}
	}
	if n != 1 {
		return d.broken("PD-1", node, "expected one a2a:ProtocolDocument, found %d", n)
	}
	if d.graph.Kind(node) != rdf.KindIRI {
		return d.broken("PD-2", node, "expected the a2a:ProtocolDocument to be an IRI, found a blank node")
	}
	d.node = d.graph.Term(node)
	requests := valuesOf(d.graph, node, vocab.A2ARequestShape)
	if len(requests) != 1 {
		return d.broken("PD-3", node, "expected one a2a:requestShape, found %d", len(requests))
	}
	responses := valuesOf(d.graph, node, vocab.A2AResponseShape)
	if len(responses) > 1 {
		return d.broken("PD-4", node, "expected at most one a2a:responseShape, found %d", len(responses))
	}
	var err error
	if d.request, err = d.root(requests[0], "request", node); err != nil {
		return err
	}
	if len(responses) == 1 {
		if d.response, err = d.root(responses[0], "response", node); err != nil {
			return err
		}
	}
	return d.checkSelfContained()
}

// root checks that a value is a described node shape (PD-5).
func (d *Document) root(shape rdf.ID, which string, node rdf.ID) (rdf.Term, error) {
	t := d.graph.Term(shape)
	if t.Kind() == rdf.KindLiteral {
		return t, d.broken("PD-5", node, "expected the %s shape to be an IRI or a blank node, found a literal", which)
	}
	class := d.graph.LookupIRI(vocab.SHNodeShape)
	if class == 0 || !d.graph.Default().Has(shape, d.graph.LookupIRI(vocab.RDFType), class) {
		return t, d.broken("PD-5", node, "expected the %s shape %s to be a sh:NodeShape in the same graph", which, d.name(shape))
	}
	return t, nil
}

// The properties whose values are shapes, and those whose values are lists of
// shapes.
var (
	shapeProperties = [...]string{vocab.SHNode, vocab.SHProperty, vocab.SHNot, vocab.SHQualifiedValueShape}
	listProperties  = [...]string{vocab.SHAnd, vocab.SHOr, vocab.SHXone}
)

// checkSelfContained refuses references to shapes that the graph says nothing
// about: a shape without a description accepts everything (PD-6).
func (d *Document) checkSelfContained() error {
	g := d.graph.Default()
	for _, property := range shapeProperties {
		if p := d.graph.LookupIRI(property); p != 0 {
			for q := range g.Predicate(p).Quads() {
				if err := d.described(property, q.S, q.O); err != nil {
					return err
				}
			}
		}
	}
	w := lists{d: d, lengths: map[rdf.ID]int{}}
	for _, property := range listProperties {
		if p := d.graph.LookupIRI(property); p != 0 {
			for q := range g.Predicate(p).Quads() {
				if err := w.check(property, q); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// described checks that the graph says something about a shape that a node refers to.
func (d *Document) described(property string, from, shape rdf.ID) error {
	if d.graph.Kind(shape) == rdf.KindLiteral || d.graph.Default().Subject(shape).Len() > 0 {
		return nil // a literal is an ill-formed shape, which Compile refuses with its place
	}
	return d.broken("PD-6", from, "expected the shape %s, a value of sh:%s, to be described in the same graph", d.name(shape), strings.TrimPrefix(property, vocab.SH))
}

// checkReferences refuses references to nodes of which the graph says something, but
// nothing of what it says of shapes, such as a label (PD-6): every node conforms to such a
// shape, too.
func (d *Document) checkReferences() error {
	for _, w := range d.program.Warnings() {
		if w.Code == shacl.CodeEmptyShape {
			return &ModelError{"PD-6", w.Text, w.Place}
		}
	}
	return nil
}

// LimitConstraintMembers names the limit MaxConstraintMembers.
const LimitConstraintMembers rdf.LimitName = "constraint-members"

// MaxConstraintMembers is how many shapes the lists of sh:and, sh:or and sh:xone of a
// document may name together. Other than in [shacl.MaxListMembers] a list counts once for
// each constraint that has it: this is what a review goes through, and eight times what a
// document that passes it may have.
const MaxConstraintMembers = 1_000_000

// lists walks lists of shapes. Lists may share tails: one that was found well formed
// is not walked again, so that all lists together cost no more than the graph.
type lists struct {
	d       *Document
	lengths map[rdf.ID]int // of the lists found well formed, by their first nodes
	members int
}

func (w *lists) check(property string, q rdf.Quad) error {
	d := w.d.graph
	g := d.Default()
	first, rest, end := d.LookupIRI(vocab.RDFFirst), d.LookupIRI(vocab.RDFRest), d.LookupIRI(vocab.RDFNil)
	var walked []rdf.ID
	n := q.O
	for n != end && w.lengths[n] == 0 {
		member, next := g.Object(n, first), g.Object(n, rest)
		reason := ""
		switch {
		case member == 0 || next == 0:
			reason = "a node of it lacks its one rdf:first or its one rdf:rest"
		case len(walked) > g.Len():
			reason = "it leads back to itself"
		}
		if reason != "" {
			return w.d.broken("PD-6", q.S, "the value of sh:%s is not a list: %s", strings.TrimPrefix(property, vocab.SH), reason)
		}
		if err := w.d.described(property, q.S, member); err != nil {
			return err
		}
		walked = append(walked, n)
		n = next
	}
	length := w.lengths[n] // 0 at rdf:nil
	for i := len(walked) - 1; i >= 0; i-- {
		length++
		w.lengths[walked[i]] = length
	}
	if w.members += length; w.members > MaxConstraintMembers {
		return &rdf.LimitError{Limit: LimitConstraintMembers, Max: MaxConstraintMembers, Place: w.d.placeOf(q.S)}
	}
	return nil
}

// checkRoots refuses root shapes that judge nothing (PD-12): deactivated ones,
// and a request shape that no intent can violate.
func (d *Document) checkRoots() error {
	for _, root := range []struct {
		term  rdf.Term
		which string
	}{{d.request, "request"}, {d.response, "response"}} {
		s, ok := d.program.Shape(root.term)
		if root.term.IsZero() {
			continue
		}
		if !ok { // it is typed sh:NodeShape, so that Compile found it
			return d.broken("PD-5", 0, "expected the %s shape to be a shape", root.which)
		}
		if s.Deactivated {
			return d.broken("PD-12", d.graph.Lookup(root.term), "expected the %s shape to be active, found sh:deactivated true", root.which)
		}
	}
	if !newDemands(d.program).any(d.request) {
		return d.broken("PD-12", d.graph.Lookup(d.request), "expected a constraint in the request shape, found nothing that an intent could violate")
	}
	return nil
}

// demands tells shapes that some node can violate from those that every node
// conforms to.
type demands struct {
	program *shacl.Program
	known   map[rdf.Term]bool
	lists   map[listKey]bool
}

// listKey names the list of a constraint; many constraints may share one.
type listKey struct {
	parameter string
	head      rdf.Term
}

func newDemands(p *shacl.Program) *demands {
	return &demands{p, map[rdf.Term]bool{}, map[listKey]bool{}}
}

// any reports whether some node can violate a shape. It calls itself as deep as
// shapes are nested, which Compile bounds.
func (k *demands) any(shape rdf.Term) bool {
	if known, ok := k.known[shape]; ok {
		return known
	}
	s, ok := k.program.Shape(shape)
	demanding := false
	for i := 0; ok && !s.Deactivated && !demanding && i < len(s.Constraints); i++ {
		demanding = k.demanding(&s.Constraints[i])
	}
	k.known[shape] = demanding
	return demanding
}

func (k *demands) demanding(c *shacl.Constraint) bool {
	key := listKey{c.Parameter, c.Value}
	known, ok := k.lists[key]
	if !ok {
		known = k.asks(c)
		if len(c.Shapes) > 1 {
			k.lists[key] = known
		}
	}
	return known
}

// asks is demanding for a constraint that is not known yet.
func (k *demands) asks(c *shacl.Constraint) bool {
	switch c.Parameter {
	case vocab.SHNode, vocab.SHProperty, vocab.SHAnd: // all must hold
		for _, s := range c.Shapes {
			if k.any(s) {
				return true
			}
		}
		return false
	case vocab.SHOr: // one is enough
		for _, s := range c.Shapes {
			if !k.any(s) {
				return false
			}
		}
		return true
	case vocab.SHMinCount, vocab.SHQualifiedMinCount:
		return strings.Trim(c.Value.Value(), "+-0") != ""
	case vocab.SHXone:
		return len(c.Shapes) != 1 || k.any(c.Shapes[0])
	}
	return true
}
