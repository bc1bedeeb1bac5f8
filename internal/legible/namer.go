package legible

import (
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// Namer names terms: IRIs by the prefixes that documents declare, literals as Turtle
// writes them. Make one with [New]. It is safe for concurrent use.
type Namer struct {
	prefixes   []turtle.Prefix // one for each name, in order
	namespaces *turtle.Namespaces
}

// New takes prefixes in the order in which documents declare them: of two that bind one
// name to different namespaces the first stands. Well-known prefixes are added where they
// are free.
func New(declared []turtle.Prefix) *Namer {
	n := &Namer{}
	names, namespaces := map[string]bool{}, map[string]bool{}
	for _, p := range append(slices.Clip(declared), []turtle.Prefix{
		{Name: "rdf", IRI: vocab.RDF}, {Name: "rdfs", IRI: vocab.RDFS}, {Name: "xsd", IRI: vocab.XSD}, {Name: "sh", IRI: vocab.SH},
	}...) {
		if p.IRI != "" && !names[p.Name] && !namespaces[p.IRI] {
			names[p.Name], namespaces[p.IRI] = true, true
			n.prefixes = append(n.prefixes, p)
		}
	}
	n.namespaces = turtle.NewNamespaces(n.prefixes)
	return n
}

// OfProtocols returns the prefixes that Protocol Documents and intents are written with.
func OfProtocols() []turtle.Prefix {
	return []turtle.Prefix{
		{Name: "a2a", IRI: vocab.A2A}, {Name: "schema", IRI: vocab.Schema}, {Name: "acl", IRI: vocab.ACL},
		{Name: "dcterms", IRI: vocab.DC}, {Name: "odrl", IRI: vocab.ODRL},
	}
}

// Used returns the prefixes that a text of a dataset can use.
func (n *Namer) Used(d *rdf.Dataset) []turtle.Prefix {
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
			seen[n.prefixes[i].Name] = true
		}
	}
	for q := range d.Quads() {
		for _, id := range [...]rdf.ID{q.S, q.P, q.O, q.G} {
			look(id)
		}
	}
	return slices.DeleteFunc(slices.Clone(n.prefixes), func(p turtle.Prefix) bool { return !seen[p.Name] })
}

// IRI returns a prefixed name where a prefix fits, <IRI> otherwise.
func (n *Namer) IRI(iri string) string {
	if i := n.namespaces.Longest(iri, isLocalName); i >= 0 {
		p := n.prefixes[i]
		return Printable(p.Name + ":" + iri[len(p.IRI):])
	}
	return Printable("<" + iri + ">")
}

// Term returns a term as Turtle would write it, long literals cut; "" for the zero Term.
func (n *Namer) Term(t rdf.Term) string {
	switch {
	case t.IsZero():
		return ""
	case t.Kind() == rdf.KindIRI:
		return n.IRI(t.Value())
	case t.Kind() == rdf.KindLiteral:
		return n.literal(t)
	}
	return Printable(t.String())
}

// mostLiteral is how many characters of a literal are shown.
const mostLiteral = 200

func (n *Namer) literal(t rdf.Term) string {
	if isShorthand(t.Value(), t.Datatype()) {
		return t.Value()
	}
	s, err := rdf.NewString(Cut(t.Value(), mostLiteral))
	if err != nil {
		return Printable(t.String())
	}
	quoted := Printable(s.String())
	switch {
	case t.Lang() != "":
		return quoted + "@" + t.Lang()
	case t.Datatype() != rdf.XSDString:
		return quoted + "^^" + n.IRI(t.Datatype())
	}
	return quoted
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
// out what would be hard to read (PN_LOCAL, without ':' and percent signs). If it cannot
// stand so, longer reports whether a name that ends with s may.
func isLocalName(s string) (ok, longer bool) {
	if s == "" || s[len(s)-1] == '.' {
		return false, s == ""
	}
	for i, r := range s {
		if !(rdf.IsNameStart(r) || '0' <= r && r <= '9' || i > 0 && (r == '.' || rdf.IsNameChar(r))) {
			return false, i == 0
		}
	}
	return true, false
}
