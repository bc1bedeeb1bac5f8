package page

import (
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/shacl"
)

// names shortens terms for people, by the prefixes that the extension is written with.
type names struct {
	prefixes   []turtle.Prefix
	namespaces *turtle.Namespaces
}

func newNames() *names {
	n := &names{prefixes: []turtle.Prefix{
		{Name: "rdf", IRI: vocab.RDF}, {Name: "rdfs", IRI: vocab.RDFS}, {Name: "xsd", IRI: vocab.XSD}, {Name: "sh", IRI: vocab.SH},
		{Name: "a2a", IRI: vocab.A2A}, {Name: "schema", IRI: vocab.Schema}, {Name: "acl", IRI: vocab.ACL},
		{Name: "dcterms", IRI: vocab.DC}, {Name: "odrl", IRI: vocab.ODRL},
	}}
	n.namespaces = turtle.NewNamespaces(n.prefixes)
	return n
}

// iri returns a prefixed name where a prefix fits, the IRI in angle brackets otherwise.
func (n *names) iri(iri string) string {
	simple := func(local string) bool {
		return local != "" && strings.IndexFunc(local, func(r rune) bool { return !rdf.IsNameStart(r) && (r < '0' || r > '9') }) < 0
	}
	if i := n.namespaces.Longest(iri, simple); i >= 0 {
		p := n.prefixes[i]
		return p.Name + ":" + iri[len(p.IRI):]
	}
	return "<" + iri + ">"
}

// term returns a term much as Turtle writes it, long ones cut.
func (n *names) term(t rdf.Term) string {
	switch {
	case t.IsZero():
		return ""
	case t.Kind() == rdf.KindIRI:
		return n.iri(t.Value())
	case t.Kind() == rdf.KindLiteral && t.Lang() == "" && t.Datatype() != rdf.XSDString:
		if t.Datatype() == vocab.XSDInteger || t.Datatype() == vocab.XSDBoolean {
			return rdf.Abbreviate(t.Value())
		}
		return `"` + rdf.Abbreviate(t.Value()) + `"^^` + n.iri(t.Datatype())
	}
	return rdf.Abbreviate(t.String())
}

// shape names a shape; one without a name is told by its place.
func (n *names) shape(t rdf.Term, place rdf.Place) string {
	if t.Kind() == rdf.KindBlank && !place.IsZero() {
		return "shape without a name"
	}
	return n.term(t)
}

// reason says why a constraint is violated. A shape without a name that it refers to has
// a label of another text, which would say nothing.
func (n *names) reason(r *shacl.Result) string {
	return r.Reason(func(t rdf.Term) string {
		if t.Kind() == rdf.KindBlank && t == r.Parameter() {
			return "the shape it refers to"
		}
		return n.term(t)
	})
}

// constraint names a constraint by its parameter, with the value where that has a name:
// "sh:minCount 1" (SHACL, section 4).
func (n *names) constraint(r *shacl.Result) string {
	name := n.iri(r.Property())
	if p := r.Parameter(); !p.IsZero() && p.Kind() != rdf.KindBlank {
		return name + " " + n.term(p)
	}
	return name
}
