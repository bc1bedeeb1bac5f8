package cli

import (
	"slices"
	"sort"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/shacl"
)

// names shortens terms for a reader: IRIs to prefixed names under the prefixes
// that the documents declare, literals to what Turtle writes. What it gives is
// for people and free of control characters; it is not meant to be parsed.
type names struct {
	declared []turtle.Prefix // one for each name, in order

	namespaces *turtle.Namespaces // of those

	shapes *rdf.Dataset // where shapes without a name have a place; may be nil
}

// newNames takes prefixes in the order in which documents declare them: of two
// that bind one name to different namespaces the first stands. Well-known
// prefixes are added where they are free.
func newNames(declared []turtle.Prefix) *names {
	n := &names{}
	names, namespaces := map[string]bool{}, map[string]bool{}
	for _, p := range append(slices.Clip(declared), []turtle.Prefix{
		{Name: "rdf", IRI: vocab.RDF}, {Name: "rdfs", IRI: vocab.RDFS}, {Name: "xsd", IRI: vocab.XSD}, {Name: "sh", IRI: vocab.SH},
	}...) {
		if p.IRI != "" && !names[p.Name] && !namespaces[p.IRI] {
			names[p.Name], namespaces[p.IRI] = true, true
			n.declared = append(n.declared, p)
		}
	}
	n.namespaces = turtle.NewNamespaces(n.declared)
	return n
}

// used returns the prefixes that a text of a dataset can use.
func (n *names) used(d *rdf.Dataset) []turtle.Prefix {
	seen := map[string]bool{}
	looked := make([]bool, d.NumTerms()+1)
	look := func(id rdf.ID) {
		if looked[id] {
			return
		}
		looked[id] = true
		if d.Kind(id) == rdf.KindLiteral {
			dt := d.Datatype(id)
			if d.Lang(id) != "" || d.Value(dt) == rdf.XSDString || isShorthand(d.Value(id), d.Value(dt)) {
				return
			}
			id = dt
		}
		iri := d.Value(id)
		if d.Kind(id) != rdf.KindIRI || iri == vocab.RDFType || iri == vocab.RDFFirst || iri == vocab.RDFRest || iri == vocab.RDFNil {
			return // nearly always written as "a" and as lists
		}
		if i := n.namespaces.Longest(iri, nil); i >= 0 {
			seen[n.declared[i].Name] = true
		}
	}
	for q := range d.Quads() {
		for _, id := range [...]rdf.ID{q.S, q.P, q.O, q.G} {
			look(id)
		}
	}
	return slices.DeleteFunc(slices.Clone(n.declared), func(p turtle.Prefix) bool { return !seen[p.Name] })
}

// iri returns a prefixed name where a prefix fits, <IRI> otherwise.
func (n *names) iri(iri string) string {
	if i := n.namespaces.Longest(iri, isLocalName); i >= 0 {
		p := n.declared[i]
		return printable(p.Name + ":" + iri[len(p.IRI):])
	}
	return printable("<" + iri + ">")
}

// term returns a term as Turtle would write it, long literals cut.
func (n *names) term(t rdf.Term) string {
	switch t.Kind() {
	case rdf.KindIRI:
		return n.iri(t.Value())
	case rdf.KindLiteral:
		return n.literal(t)
	}
	return printable(t.String())
}

func (n *names) literal(t rdf.Term) string {
	if isShorthand(t.Value(), t.Datatype()) {
		return t.Value()
	}
	s, err := rdf.NewString(cut(t.Value(), 200))
	if err != nil {
		return printable(t.String())
	}
	quoted := printable(s.String())
	switch {
	case t.Lang() != "":
		return quoted + "@" + t.Lang()
	case t.Datatype() != rdf.XSDString:
		return quoted + "^^" + n.iri(t.Datatype())
	}
	return quoted
}

// reason says why a constraint is violated. A shape without a name goes by its
// place: its label is of another document than those of the data.
func (n *names) reason(res *shacl.Result) string {
	name := n.term
	switch res.Property() {
	case vocab.SHNode, vocab.SHNot, vocab.SHAnd, vocab.SHOr, vocab.SHXone, vocab.SHProperty, vocab.SHQualifiedMinCount, vocab.SHQualifiedMaxCount:
		name = n.shape
	}
	return res.Reason(name)
}

// shape names a shape for use in a sentence.
func (n *names) shape(t rdf.Term) string {
	if place := n.shapePlace(t); t.Kind() == rdf.KindBlank && !place.IsZero() {
		return "the shape at " + printable(place.String())
	}
	return n.term(t)
}

// shapePlace returns where a node of the shapes first stands as a subject.
func (n *names) shapePlace(t rdf.Term) rdf.Place {
	var first rdf.Place
	if n.shapes == nil {
		return first
	}
	id := n.shapes.Lookup(t)
	from := sort.Search(n.shapes.Len(), func(i int) bool { q := n.shapes.Quad(i); return q.G != 0 || q.S >= id })
	for i := from; i < n.shapes.Len() && n.shapes.Quad(i).S == id && n.shapes.Quad(i).G == 0; i++ {
		p := n.shapes.SubjectPlace(i)
		if first.IsZero() || p.Line < first.Line || p.Line == first.Line && p.Column < first.Column {
			first = p
		}
	}
	return first
}

// cut shortens a text to at most most characters.
func cut(s string, most int) string {
	for i := range s {
		if most == 0 {
			return s[:i] + "..."
		}
		most--
	}
	return s
}

// isShorthand reports whether Turtle writes a literal without quotes (Turtle
// 1.1, productions [19] to [21] and [133s]).
func isShorthand(lexical, datatype string) bool {
	switch datatype {
	case vocab.XSDBoolean:
		return lexical == "true" || lexical == "false"
	case vocab.XSDInteger:
		return digits(sign(lexical)) == "" && sign(lexical) != ""
	case vocab.XSDDecimal:
		whole, fraction, ok := strings.Cut(sign(lexical), ".")
		return ok && digits(whole) == "" && fraction != "" && digits(fraction) == ""
	}
	return false
}

func sign(s string) string   { return strings.TrimLeft(s[:min(1, len(s))], "+-") + s[min(1, len(s)):] }
func digits(s string) string { return strings.TrimLeft(s, "0123456789") }

// isLocalName reports whether a local part needs no escapes in Turtle, leaving
// out what would be hard to read (PN_LOCAL, without ':' and percent signs).
func isLocalName(s string) bool {
	if s == "" || s[len(s)-1] == '.' {
		return false
	}
	for i, r := range s {
		if !(rdf.IsNameStart(r) || '0' <= r && r <= '9' || i > 0 && (r == '.' || rdf.IsNameChar(r))) {
			return false
		}
	}
	return true
}
