package shacl

import (
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/rdf/xsd"
)

// Value type constraint components (section 4.1).

// classCheck is sh:class (4.1.1).
type classCheck struct {
	class classID
}

func compileClass(k *compiler, s *shape, v value) check {
	if k.d.Kind(v.id) != rdf.KindIRI { // rule class-nodeKind
		k.illFormed(s, v, "expected an IRI, found "+k.name(v.id))
		return nil
	}
	return classCheck{k.classConst(v.id)}
}

func (c classCheck) holds(r *run, s *shape, con *constraint, focus rdf.ID, values []rdf.ID) bool {
	ok := true
	for _, v := range values {
		if r.isInstance(v, c.class) {
			continue
		}
		if ok = false; r.sink == nil {
			continue
		}
		r.violate(s, con, focus, violation{value: v})
	}
	return ok
}

// isInstance reports whether a node is a SHACL instance of a class in the data
// (section 1.1).
func (r *run) isInstance(node rdf.ID, class classID) bool {
	sub := r.closures.of(class)
	if sub == nil {
		return r.g.Has(node, r.id(r.p.typ), r.id(r.p.classes[class]))
	}
	types := r.g.Objects(node, r.id(r.p.typ))
	if !r.spend(types.Len()) {
		return false
	}
	for q := range types.Quads() {
		if _, ok := slices.BinarySearch(sub, q.O); ok {
			return true
		}
	}
	return false
}

func (c classCheck) reason(res *Result, name func(rdf.Term) string) string {
	return "not an instance of " + name(res.why.value)
}

// datatypeCheck is sh:datatype (4.1.2).
type datatypeCheck struct {
	iri   constID
	known xsd.Datatype // Unknown: only the IRI counts
}

func compileDatatype(k *compiler, s *shape, v value) check {
	if k.d.Kind(v.id) != rdf.KindIRI { // rule datatype-nodeKind
		k.illFormed(s, v, "expected an IRI, found "+k.name(v.id))
		return nil
	}
	iri := k.d.Value(v.id)
	dt, known := xsd.Lookup(iri)
	if local, ok := strings.CutPrefix(iri, vocab.XSD); ok && !known && !otherXSD(local) && len(k.warnings) < mostProblems {
		k.noEffect(s, v, CodeUnknownDatatype, "XSD has no datatype "+shortenIRI(iri)+nearest(local, []string{
			vocab.XSDString, vocab.XSDBoolean, vocab.XSDInteger, vocab.XSDDecimal, vocab.XSDDouble, vocab.XSDFloat,
			vocab.XSDDate, vocab.XSDTime, vocab.XSDDateTime, vocab.XSDGYear, vocab.XSDDuration, vocab.XSDAnyURI,
			vocab.XSDNonNegativeInteger, vocab.XSDPositiveInteger, vocab.XSDLanguage, vocab.XSDBase64Binary,
		}))
	}
	return &datatypeCheck{k.constant(v.id), dt}
}

// otherXSD reports whether XSD has a datatype that RDF does not recommend, and
// of which only the name counts here.
func otherXSD(local string) bool {
	switch local {
	case "QName", "NOTATION", "ID", "IDREF", "IDREFS", "ENTITY", "ENTITIES", "NMTOKENS", "anyType", "anySimpleType", "anyAtomicType":
		return true
	}
	return false
}

func (c *datatypeCheck) holds(r *run, s *shape, con *constraint, focus rdf.ID, values []rdf.ID) bool {
	ok := true
	for _, v := range values {
		if r.hasDatatype(v, c.iri) && (c.known == xsd.Unknown || r.spendText(r.text(v)) && xsd.Valid(c.known, r.text(v))) {
			continue
		}
		if ok = false; r.sink == nil {
			continue
		}
		r.violate(s, con, focus, violation{value: v})
	}
	return ok
}

func (c *datatypeCheck) reason(res *Result, name func(rdf.Term) string) string {
	if res.Value.Datatype() == res.why.value.Value() {
		return "not in the lexical space of " + name(res.why.value)
	}
	return "expected a literal of datatype " + name(res.why.value) + ", found " + describe(res.Value, name)
}

// describe says what kind of node a term is.
func describe(t rdf.Term, name func(rdf.Term) string) string {
	switch {
	case t.Kind() != rdf.KindLiteral:
		return article(t.Kind())
	case t.Lang() != "":
		return "a string with a language"
	}
	if dt, err := rdf.NewIRI(t.Datatype()); err == nil {
		return "one of datatype " + name(dt)
	}
	return "a literal"
}

func article(k rdf.Kind) string {
	if k == rdf.KindIRI {
		return "an IRI"
	}
	return "a " + k.String()
}

// nodeKindCheck is sh:nodeKind (4.1.3).
type nodeKindCheck struct {
	allowed uint8 // the bit 1<<kind for each rdf.Kind
}

func compileNodeKind(k *compiler, s *shape, v value) check {
	var c nodeKindCheck
	allow := func(kinds ...rdf.Kind) check {
		for _, kind := range kinds {
			c.allowed |= 1 << kind
		}
		return c
	}
	if k.d.Kind(v.id) == rdf.KindIRI { // rule nodeKind-in
		switch k.d.Value(v.id) {
		case vocab.SHBlankNode:
			return allow(rdf.KindBlank)
		case vocab.SHIRI:
			return allow(rdf.KindIRI)
		case vocab.SHLiteral:
			return allow(rdf.KindLiteral)
		case vocab.SHBlankNodeOrIRI:
			return allow(rdf.KindBlank, rdf.KindIRI)
		case vocab.SHBlankNodeOrLiteral:
			return allow(rdf.KindBlank, rdf.KindLiteral)
		case vocab.SHIRIOrLiteral:
			return allow(rdf.KindIRI, rdf.KindLiteral)
		}
	}
	k.illFormed(s, v, "expected sh:BlankNode, sh:IRI, sh:Literal or a pair of them, found "+k.name(v.id))
	return nil
}

func (c nodeKindCheck) holds(r *run, s *shape, con *constraint, focus rdf.ID, values []rdf.ID) bool {
	ok := true
	for _, v := range values {
		if c.allowed&(1<<r.kind(v)) != 0 {
			continue
		}
		if ok = false; r.sink == nil {
			return false
		}
		r.violate(s, con, focus, violation{value: v})
	}
	return ok
}

func (c nodeKindCheck) reason(res *Result, _ func(rdf.Term) string) string {
	want := ""
	for _, kind := range [...]rdf.Kind{rdf.KindIRI, rdf.KindBlank, rdf.KindLiteral} {
		if c.allowed&(1<<kind) == 0 {
			continue
		}
		if want != "" {
			want += " or "
		}
		want += article(kind)
	}
	return "expected " + want + ", found " + article(res.Value.Kind())
}
