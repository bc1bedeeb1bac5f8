package protocol

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/shacl"
)

// Shapes is a shape that a document is built from, within its graph.
type Shapes struct {
	// Graph holds the shape and all that it refers to, in the default graph.
	Graph *rdf.Dataset
	// Root is the shape's IRI. "" stands for the one node shape with an IRI that no
	// other shape refers to.
	Root string
}

// Parts is what a document is built from.
type Parts struct {
	ID          string // the document's IRI
	Title       string // "" for none, like the next two
	Description string
	Version     string

	Request  Shapes
	Response Shapes // the zero Shapes for a document without a response shape
}

// Build makes a document from its parts and checks it as [Candidate.Verify] does.
// The graphs may hold more than the shapes; all of it becomes part of the document
// and of its pin. A root that is not typed sh:NodeShape is given the type. It fails
// when an IRI is not valid, when a graph already describes a document, when it has
// no root or several, when the two graphs describe one shape in different ways or make
// one of them count something else, and as Verify does.
func Build(ctx context.Context, p Parts, o Options) (*Document, error) {
	request, requests, err := p.Request.root("request", o)
	if err != nil {
		return nil, err
	}
	response, responses := "", (*shacl.Program)(nil)
	var shared map[rdf.ID]bool
	if p.Response != (Shapes{}) {
		if response, responses, err = p.Response.root("response", o); err != nil {
			return nil, err
		}
		if p.Response.Graph != p.Request.Graph {
			if shared, err = sharedDescriptions(ctx, p.Request.Graph, p.Response.Graph, o); err != nil {
				return nil, err
			}
		}
	}
	w := newWriter()
	doc := w.iri(p.ID) // the first term, so that it is written first
	w.add(doc, vocab.RDFType, w.iri(vocab.A2AProtocolDocument))
	for _, label := range []struct{ property, text string }{
		{vocab.DCTitle, p.Title}, {vocab.DCDescription, p.Description}, {vocab.DCHasVersion, p.Version},
	} {
		if label.text != "" {
			w.add(doc, label.property, w.text(label.text))
		}
	}
	for _, root := range []struct{ property, shape string }{{vocab.A2ARequestShape, request}, {vocab.A2AResponseShape, response}} {
		if root.shape != "" {
			shape := w.iri(root.shape)
			w.add(doc, root.property, shape)
			w.add(shape, vocab.RDFType, w.iri(vocab.SHNodeShape))
		}
	}
	w.copy(p.Request.Graph, nil)
	if response != "" && p.Response.Graph != p.Request.Graph {
		w.copy(p.Response.Graph, shared)
	}
	graph, err := w.dataset()
	if err != nil {
		return nil, fmt.Errorf("the document <%s>: %w", rdf.Abbreviate(p.ID), err)
	}
	c, err := hash(ctx, graph, o)
	if err != nil {
		return nil, err
	}
	d, err := c.Verify(c.pin)
	if err != nil {
		return nil, err
	}
	if shared != nil { // there are two graphs
		if err := d.counts(d.request, requests, "request"); err != nil {
			return nil, err
		}
		if err := d.counts(d.response, responses, "response"); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// counts refuses a document whose root shape demands something else than it did alone.
// Only siblings of qualified shapes can make it so: they are those of every shape that
// has the property, in the graphs of both shapes.
func (d *Document) counts(root rdf.Term, alone *shacl.Program, which string) error {
	built := newSide(d)
	if !built.disjoint {
		return nil
	}
	was := newSide(&Document{program: alone})
	if built.signature(root) != was.signature(root) || built.exceeded() || was.exceeded() {
		return fmt.Errorf("the %s shape counts what no sibling counts (sh:qualifiedValueShapesDisjoint), and has other siblings beside the graph of the other shape", which)
	}
	return nil
}

// root returns the IRI of the root shape, and the compiled graph.
func (s Shapes) root(which string, o Options) (string, *shacl.Program, error) {
	if s.Graph == nil {
		return "", nil, fmt.Errorf("expected a graph with the %s shape, found none", which)
	}
	if reason := notOneGraph(s.Graph); reason != "" {
		return "", nil, errors.New("the graph of the " + which + " shape: " + reason)
	}
	typ, class := s.Graph.LookupIRI(vocab.RDFType), s.Graph.LookupIRI(vocab.A2AProtocolDocument)
	if typ != 0 && class != 0 && s.Graph.Default().Subjects(typ, class).Len() > 0 {
		return "", nil, fmt.Errorf("expected shapes for the %s shape, found a Protocol Document", which)
	}
	program, err := shacl.Compile(s.Graph.Default(), o.compiling())
	if err != nil {
		return "", nil, refuse(codeOfShapes(err), "", err)
	}
	var roots []string
	for _, shape := range program.Shapes() {
		if shape.Term.Kind() != rdf.KindIRI || !shape.Path.IsZero() || !shape.Described {
			continue
		}
		if iri := shape.Term.Value(); iri == s.Root || s.Root == "" && !shape.Referred {
			roots = append(roots, iri)
		}
	}
	switch {
	case len(roots) == 1:
		return roots[0], program, nil
	case s.Root != "":
		return "", nil, fmt.Errorf("expected the node shape <%s> in the graph of the %s shape, found none", rdf.Abbreviate(s.Root), which)
	case len(roots) == 0:
		return "", nil, fmt.Errorf("expected a node shape with an IRI for the %s shape, found none that no other refers to", which)
	}
	for i := range roots {
		roots[i] = "<" + rdf.Abbreviate(roots[i]) + ">"
	}
	return "", nil, fmt.Errorf("expected one node shape for the %s shape, found %d that no other refers to: say which of %s", which, len(roots), strings.Join(roots[:min(len(roots), 5)], ", "))
}

// copy adds the triples of a graph except those about some subjects. Its blank nodes
// stay apart from those of other graphs.
func (w *writer) copy(d *rdf.Dataset, without map[rdf.ID]bool) {
	ids := make([]rdf.ID, d.NumTerms()+1)
	term := func(id rdf.ID) rdf.ID {
		switch {
		case ids[id] != 0 || w.err != nil:
		case d.Kind(id) == rdf.KindBlank:
			ids[id] = w.blank()
		default:
			ids[id] = w.id(w.b.Term(d.Term(id)))
		}
		return ids[id]
	}
	for q := range d.Quads() {
		if without[q.S] {
			continue
		}
		s, p, o := term(q.S), term(q.P), term(q.O)
		if w.err != nil {
			return
		}
		w.fail(w.b.Add(s, p, o, 0))
	}
}

// sharedDescriptions returns the subjects of b that a describes in the same way,
// and fails when it describes one in another: together they would be a shape that
// neither graph has. The blank nodes that belong to such descriptions alone are among
// them: what else leads to one needs what b says of it.
func sharedDescriptions(ctx context.Context, a, b *rdf.Dataset, o Options) (map[rdf.ID]bool, error) {
	shared := map[rdf.ID]bool{}
	var last rdf.ID
	for q := range b.Quads() {
		if q.S == last || b.Kind(q.S) != rdf.KindIRI {
			continue
		}
		last = q.S
		inA := a.LookupIRI(b.Value(q.S))
		if inA == 0 || a.Default().Subject(inA).Len() == 0 {
			continue
		}
		mine, err := describe(a, inA)
		if err != nil {
			return nil, err
		}
		theirs, err := describe(b, q.S)
		if err != nil {
			return nil, err
		}
		x, err := canon.Hash(ctx, mine.graph, o.Canon)
		if err != nil {
			return nil, refuse(codeOf(err, CodeMalformedPayload), "", err)
		}
		y, err := canon.Hash(ctx, theirs.graph, o.Canon)
		if err != nil {
			return nil, refuse(codeOf(err, CodeMalformedPayload), "", err)
		}
		if !x.Equal(y) {
			return nil, fmt.Errorf("<%s> is described in the graphs of both shapes, and not in the same way", rdf.Abbreviate(b.Value(q.S)))
		}
		for _, s := range theirs.subjects {
			shared[s] = true
		}
	}
	keep(b, shared)
	return shared, nil
}

// keep takes the blank nodes out of some subjects that others lead to.
func keep(d *rdf.Dataset, without map[rdf.ID]bool) {
	var led []rdf.ID
	follow := func(q rdf.Quad) {
		if without[q.O] && d.Kind(q.O) == rdf.KindBlank {
			delete(without, q.O)
			led = append(led, q.O)
		}
	}
	for q := range d.Quads() {
		if !without[q.S] {
			follow(q)
		}
	}
	for i := 0; i < len(led); i++ { // grows
		for q := range d.Default().Subject(led[i]).Quads() {
			follow(q)
		}
	}
}

// description is a subject with all that is said of it, and of the blank nodes
// that it leads to.
type description struct {
	graph    *rdf.Dataset
	subjects []rdf.ID
}

func describe(d *rdf.Dataset, subject rdf.ID) (description, error) {
	w := newWriter()
	out := description{subjects: []rdf.ID{subject}}
	blanks := map[rdf.ID]rdf.ID{}
	term := func(id rdf.ID) rdf.ID {
		if d.Kind(id) != rdf.KindBlank {
			return w.id(w.b.Term(d.Term(id)))
		}
		if blanks[id] == 0 {
			blanks[id] = w.blank()
			out.subjects = append(out.subjects, id)
		}
		return blanks[id]
	}
	for i := 0; i < len(out.subjects); i++ { // grows
		for q := range d.Default().Subject(out.subjects[i]).Quads() {
			s, p, o := term(q.S), term(q.P), term(q.O)
			if w.err == nil {
				w.fail(w.b.Add(s, p, o, 0))
			}
		}
	}
	var err error
	out.graph, err = w.dataset()
	return out, err
}
