package rdf2go

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/deiu/rdf2go"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// Dataset makes a dataset of a graph, whose triples are those of the default
// graph; the URI of the graph is not looked at. Limits bounds it; a number that
// is not positive means that of [rdf.Peer]. The same triples give the same
// dataset, in whatever order the graph holds them.
//
// It fails, naming the triple, with an error that wraps a [*rdf.TermError] or a
// [*rdf.LimitError], or says what is wrong with a triple whose terms are missing
// or contradict themselves.
func Dataset(g *rdf2go.Graph, limits rdf.Limits) (*rdf.Dataset, error) {
	c := converter{b: rdf.NewBuilder(limits), labels: map[string]rdf.ID{}}
	for _, t := range sorted(g) {
		if err := c.add(t.Triple); err != nil {
			return nil, fmt.Errorf("triple %s: %w", rdf.Abbreviate(t.text), err)
		}
	}
	return c.b.Dataset(), nil
}

// Graph makes a graph with a URI of a dataset. It fails when there are named
// graphs.
func Graph(d *rdf.Dataset, uri string) (*rdf2go.Graph, error) {
	if n := len(d.GraphNames()); n > 0 {
		return nil, fmt.Errorf("the dataset has %d named graphs, a graph of rdf2go has none", n)
	}
	g := rdf2go.NewGraph(uri)
	for q := range d.Quads() {
		g.AddTriple(term(d, q.S), term(d, q.P), term(d, q.O))
	}
	return g, nil
}

func term(d *rdf.Dataset, id rdf.ID) rdf2go.Term {
	value := d.Value(id)
	switch d.Kind(id) {
	case rdf.KindIRI:
		return rdf2go.NewResource(value)
	case rdf.KindBlank:
		return rdf2go.NewBlankNode(value)
	}
	if lang := d.Lang(id); lang != "" {
		return rdf2go.NewLiteralWithLanguage(value, lang)
	}
	if datatype := d.Value(d.Datatype(id)); datatype != vocab.XSDString {
		return rdf2go.NewLiteralWithDatatype(value, rdf2go.NewResource(datatype))
	}
	return rdf2go.NewLiteral(value) // as the library reads it
}

// line is a triple with its text.
type line struct {
	*rdf2go.Triple
	text string
}

// sorted returns the triples of a graph, which holds them in a map, in the order
// of their texts.
func sorted(g *rdf2go.Graph) []line {
	lines := make([]line, 0, g.Len())
	for t := range g.IterTriples() {
		l := line{Triple: t}
		if t != nil && whole(t.Subject) && whole(t.Predicate) && whole(t.Object) {
			l.text = t.String()
		}
		lines = append(lines, l)
	}
	slices.SortFunc(lines, func(a, b line) int { return cmp.Compare(a.text, b.text) })
	return lines
}

// whole reports whether the library can write a term.
func whole(t rdf2go.Term) bool {
	switch t := t.(type) {
	case *rdf2go.Resource:
		return t != nil
	case *rdf2go.BlankNode:
		return t != nil
	case *rdf2go.Literal:
		return t != nil && (t.Datatype == nil || whole(t.Datatype))
	}
	return false
}

// converter makes one dataset.
type converter struct {
	b      *rdf.Builder
	labels map[string]rdf.ID // of blank nodes whose labels no syntax can write
}

func (c *converter) add(t *rdf2go.Triple) error {
	if t == nil {
		return errors.New("is missing")
	}
	var ids [3]rdf.ID
	for i, term := range []rdf2go.Term{t.Subject, t.Predicate, t.Object} {
		id, err := c.term(term)
		if err != nil {
			return fmt.Errorf("%s: %w", [...]string{"subject", "predicate", "object"}[i], err)
		}
		ids[i] = id
	}
	return c.b.Add(ids[0], ids[1], ids[2], 0)
}

func (c *converter) term(t rdf2go.Term) (rdf.ID, error) {
	if !whole(t) {
		return 0, errors.New("is missing or no term of rdf2go")
	}
	switch t := t.(type) {
	case *rdf2go.Resource:
		return c.b.IRI([]byte(t.URI))
	case *rdf2go.BlankNode:
		return c.blank(t.ID)
	case *rdf2go.Literal:
		return c.literal(t)
	}
	return 0, fmt.Errorf("is a %T, no term of rdf2go", t)
}

func (c *converter) literal(l *rdf2go.Literal) (rdf.ID, error) {
	lang := strings.TrimPrefix(l.Language, "@") // the library takes and writes both
	datatype := ""
	if l.Datatype != nil {
		r, ok := l.Datatype.(*rdf2go.Resource)
		if !ok {
			return 0, fmt.Errorf("the datatype is a %T", l.Datatype)
		}
		datatype = r.URI
	}
	switch {
	case lang != "" && (datatype == "" || datatype == vocab.RDFLangString):
		return c.b.LangLiteral([]byte(l.Value), []byte(lang))
	case lang != "":
		return 0, fmt.Errorf("has the language %q and the datatype <%s>", rdf.Abbreviate(lang), rdf.Abbreviate(datatype))
	case l.Datatype == nil:
		return c.b.Literal([]byte(l.Value), 0)
	}
	id, err := c.b.IRI([]byte(datatype))
	if err != nil {
		return 0, fmt.Errorf("datatype: %w", err)
	}
	return c.b.Literal([]byte(l.Value), id)
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
