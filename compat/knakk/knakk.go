package knakk

import (
	"fmt"

	knakk "github.com/knakk/rdf"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// Dataset makes a dataset of triples, which are those of its default graph.
// Limits bounds it; a number that is not positive means that of [rdf.Peer].
//
// It fails, naming the triple by its index, with an error that wraps a
// [*rdf.TermError] or a [*rdf.LimitError], or says what is wrong with a triple
// that has no subject, predicate or object.
func Dataset(triples []knakk.Triple, limits rdf.Limits) (*rdf.Dataset, error) {
	c := newConverter(limits)
	for i, t := range triples {
		if err := c.add(t, nil); err != nil {
			return nil, fmt.Errorf("triple %d: %w", i, err)
		}
	}
	return c.b.Dataset(), nil
}

// DatasetOfQuads makes a dataset of quads. Those whose context is defaultGraph
// are in the default graph: knakk/rdf has a context for each quad, and a decoder
// says in its field DefaultGraph which one that is. It fails as [Dataset] does.
func DatasetOfQuads(quads []knakk.Quad, defaultGraph knakk.Context, limits rdf.Limits) (*rdf.Dataset, error) {
	c := newConverter(limits)
	for i, q := range quads {
		graph := q.Ctx
		if defaultGraph != nil && graph != nil && knakk.TermsEqual(graph, defaultGraph) {
			graph = nil
		} else if graph == nil {
			return nil, fmt.Errorf("quad %d: the context is missing", i)
		}
		if err := c.add(q.Triple, graph); err != nil {
			return nil, fmt.Errorf("quad %d: %w", i, err)
		}
	}
	return c.b.Dataset(), nil
}

// Triples returns the triples of a dataset in its order. It fails when there are
// named graphs, and for a term that knakk/rdf cannot hold.
func Triples(d *rdf.Dataset) ([]knakk.Triple, error) {
	if n := len(d.GraphNames()); n > 0 {
		return nil, fmt.Errorf("the dataset has %d named graphs, triples have none", n)
	}
	out := make([]knakk.Triple, 0, d.Len())
	for q := range d.Quads() {
		t, err := triple(d, q)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// Quads returns the quads of a dataset in its order, those of the default graph
// with defaultGraph as context. It fails when a named graph has that name, and
// for a term that knakk/rdf cannot hold.
func Quads(d *rdf.Dataset, defaultGraph knakk.Context) ([]knakk.Quad, error) {
	if defaultGraph == nil {
		return nil, fmt.Errorf("the context of the default graph is missing")
	}
	out := make([]knakk.Quad, 0, d.Len())
	for q := range d.Quads() {
		t, err := triple(d, q)
		if err != nil {
			return nil, err
		}
		graph := defaultGraph
		if q.G != 0 {
			name, err := resource(d, q.G)
			if err != nil {
				return nil, err
			}
			if graph = name.(knakk.Context); knakk.TermsEqual(graph, defaultGraph) {
				return nil, fmt.Errorf("a named graph has the name of the default graph, %s", d.Term(q.G))
			}
		}
		out = append(out, knakk.Quad{Triple: t, Ctx: graph})
	}
	return out, nil
}

func triple(d *rdf.Dataset, q rdf.Quad) (t knakk.Triple, err error) {
	s, err := resource(d, q.S)
	if err != nil {
		return t, err
	}
	p, err := resource(d, q.P)
	if err != nil {
		return t, err
	}
	o, err := object(d, q.O)
	if err != nil {
		return t, err
	}
	return knakk.Triple{Subj: s.(knakk.Subject), Pred: p.(knakk.Predicate), Obj: o}, nil
}

// resource returns an IRI or a blank node.
func resource(d *rdf.Dataset, id rdf.ID) (knakk.Term, error) {
	if d.Kind(id) == rdf.KindBlank {
		return knakk.NewBlank(d.Value(id))
	}
	return knakk.NewIRI(d.Value(id))
}

func object(d *rdf.Dataset, id rdf.ID) (knakk.Object, error) {
	if d.Kind(id) != rdf.KindLiteral {
		t, err := resource(d, id)
		if err != nil {
			return nil, err
		}
		return t.(knakk.Object), nil
	}
	if lang := d.Lang(id); lang != "" {
		l, err := knakk.NewLangLiteral(d.Value(id), lang)
		if err != nil {
			return nil, fmt.Errorf("knakk/rdf has no language %q: %w", lang, err)
		}
		return l, nil
	}
	datatype, err := knakk.NewIRI(d.Value(d.Datatype(id)))
	if err != nil {
		return nil, err
	}
	return knakk.NewTypedLiteral(d.Value(id), datatype), nil
}

// converter makes one dataset.
type converter struct {
	b      *rdf.Builder
	labels map[string]rdf.ID // of blank nodes whose labels no syntax can write
}

func newConverter(limits rdf.Limits) *converter {
	return &converter{b: rdf.NewBuilder(limits), labels: map[string]rdf.ID{}}
}

func (c *converter) add(t knakk.Triple, graph knakk.Context) error {
	s, err := c.term(t.Subj)
	if err != nil {
		return fmt.Errorf("subject: %w", err)
	}
	p, err := c.term(t.Pred)
	if err != nil {
		return fmt.Errorf("predicate: %w", err)
	}
	o, err := c.term(t.Obj)
	if err != nil {
		return fmt.Errorf("object: %w", err)
	}
	g := rdf.ID(0)
	if graph != nil {
		if g, err = c.term(graph); err != nil {
			return fmt.Errorf("context: %w", err)
		}
	}
	return c.b.Add(s, p, o, g)
}

// term makes a term. The zero values of the library's types are no terms.
func (c *converter) term(t knakk.Term) (rdf.ID, error) {
	switch t := t.(type) {
	case knakk.IRI:
		return c.b.IRI([]byte(t.String()))
	case knakk.Blank:
		label := t.Serialize(knakk.NTriples) // String cuts off a "_:" that the zero Blank does not have
		if len(label) <= len("_:") {
			return 0, fmt.Errorf("a blank node without a label")
		}
		return c.blank(label[len("_:"):])
	case knakk.Literal:
		if t.DataType.String() == vocab.RDFLangString {
			return c.b.LangLiteral([]byte(t.String()), []byte(t.Lang()))
		}
		if t.Lang() != "" {
			return 0, fmt.Errorf("a literal with the language %q and the datatype <%s>", t.Lang(), rdf.Abbreviate(t.DataType.String()))
		}
		datatype, err := c.b.IRI([]byte(t.DataType.String()))
		if err != nil {
			return 0, fmt.Errorf("datatype: %w", err)
		}
		return c.b.Literal([]byte(t.String()), datatype)
	case nil:
		return 0, fmt.Errorf("is missing")
	default:
		return 0, fmt.Errorf("is a %T, no term of knakk/rdf", t)
	}
}

// blank returns the blank node with a label. A label that no syntax can write
// becomes one that no document has.
func (c *converter) blank(label string) (rdf.ID, error) {
	if _, err := rdf.NewBlank(label); err == nil {
		return c.b.Blank([]byte(label))
	}
	if id, ok := c.labels[label]; ok {
		return id, nil
	}
	id, err := c.b.FreshBlank()
	if err == nil {
		c.labels[label] = id
	}
	return id, err
}
