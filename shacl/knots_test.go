package shacl_test

import (
	"fmt"
	"slices"
	"strings"
)

// knots writes random pairs that are harder than those of generator: named shapes, paths and
// lists that several others have in common and use in different ways, and data of values
// that are nearly equal.
type knots struct{ generator }

func (g knots) value() string {
	switch {
	case g.chance(50):
		return g.one(g.node(), g.node(), g.node(), g.blank())
	case g.chance(30):
		return `"` + g.one("a", "b", "c") + `"@` + g.one("en", "EN", "en-gb", "en-GB", "de")
	}
	return g.literal()
}

func (g knots) blank() string { return fmt.Sprintf("_:b%d", g.IntN(3)) }

func (g knots) literal() string {
	if g.chance(10) {
		return g.one(`"x"^^xsd:integer`, `" 1"^^xsd:integer`, `"inf"^^xsd:float`, `"2023-02-29"^^xsd:date`)
	}
	return g.bound()
}

// bound is a literal that is not ill-typed.
func (g knots) bound() string {
	return g.one(`""`, `"a"`, `"a"@en`, `"a"@EN`, `"a"@En-gb`, `"b"@en-GB`, `"b"@EN-gb`, `"c"@de`, `"x"^^ex:dt`,
		"1", "01", `"+1"^^xsd:integer`, `"-0"^^xsd:integer`, "0", "1.0", `"1"^^xsd:decimal`, `"-0.0"^^xsd:double`, `"0"^^xsd:float`,
		`"NaN"^^xsd:double`, `"NaN"^^xsd:float`, `"INF"^^xsd:double`, `"-INF"^^xsd:float`, "99999999999999999999999999", "0123456789012345678901234567890123456789.5",
		"true", `"1"^^xsd:boolean`, `"2024-01-01T00:00:00"^^xsd:dateTime`, `"2024-01-01T12:00:00Z"^^xsd:dateTime`, `"2024-01-01T24:00:00Z"^^xsd:dateTime`, `"2024-01-02T00:00:00Z"^^xsd:dateTime`,
		`"2024-01-01"^^xsd:date`, `"2024-01-01Z"^^xsd:date`, `"P1M"^^xsd:duration`, `"P30D"^^xsd:duration`, `"PT24H"^^xsd:dayTimeDuration`,
		`"http://example.org/n1"^^xsd:anyURI`, `"AB"^^xsd:hexBinary`, `"ab"^^xsd:hexBinary`)
}

// data is up to 60 triples.
func (g knots) data() string {
	var b strings.Builder
	for range g.IntN(60) {
		s := g.one(g.node(), g.node(), g.node(), g.node(), g.node(), g.blank())
		switch {
		case g.chance(20):
			fmt.Fprintf(&b, "%s a %s.\n", s, g.one(g.class(), g.class(), g.node(), "_:b1"))
		case g.chance(10):
			fmt.Fprintf(&b, "%s rdfs:subClassOf %s.\n", g.one(g.class(), g.node(), "_:b1"), g.one(g.class(), "_:b1"))
		default:
			fmt.Fprintf(&b, "%s %s %s.\n", s, g.predicate(), g.value())
		}
	}
	return b.String()
}

// sharedPaths is how many paths the shapes have in common; each has parts among those before it.
const sharedPaths = 7

func (g knots) paths() string {
	var b strings.Builder
	for i := range sharedPaths {
		part := func() string {
			if i == 0 || g.chance(40) {
				return g.one(g.predicate(), g.predicate(), "rdf:type", "rdfs:subClassOf")
			}
			return fmt.Sprintf("_:path%d", g.IntN(i))
		}
		fmt.Fprintf(&b, "_:path%d %s.\n", i, g.one(
			"sh:inversePath "+part(), "sh:zeroOrMorePath "+part(), "sh:oneOrMorePath "+part(), "sh:zeroOrOnePath "+part(),
			"sh:alternativePath ("+part()+" "+part()+")", "rdf:first "+part()+"; rdf:rest ("+part()+g.one("", " "+part())+")"))
	}
	return b.String()
}

func (g knots) path() string {
	return g.one(g.predicate(), fmt.Sprintf("_:path%d", g.IntN(sharedPaths)))
}

// ref is a node shape ("N") or a property shape ("P") from an index on.
func (g knots) ref(kind string, from, to int) string {
	if from >= to {
		return "ex:" + kind + "last"
	}
	return fmt.Sprintf("ex:%s%d", kind, from+g.IntN(to-from))
}

// shapes is up to four node shapes and as many property shapes, each of which refers to
// any of those after it, with targets, severities and switches of all kinds.
func (g knots) shapes() string {
	var b strings.Builder
	b.WriteString(g.paths())
	fmt.Fprintf(&b, "_:ignored rdf:first %s; rdf:rest (rdf:type).\n", g.predicate())
	fmt.Fprintf(&b, "ex:Nlast %s. ex:Plast sh:path %s; sh:minCount 1.\n", g.one("sh:nodeKind sh:IRI", "sh:in ()", "sh:class ex:C1", "a sh:NodeShape", "sh:deactivated true"), g.path())
	n := 1 + g.IntN(4)
	for i := range n {
		g.named(&b, "N", i, n)
		g.named(&b, "P", i, n)
	}
	if g.chance(40) {
		g.siblings(&b)
	}
	if g.chance(20) {
		fmt.Fprintf(&b, "ex:C1 a rdfs:Class, sh:NodeShape; %s.\n", g.constraints(false, n, n))
	}
	if g.chance(10) {
		b.WriteString("ex:C2 a owl:Class, ex:MyShape; sh:nodeKind sh:Literal. owl:Class rdfs:subClassOf rdfs:Class. ex:MyShape rdfs:subClassOf sh:NodeShape.\n")
	}
	return b.String()
}

func (g knots) named(b *strings.Builder, kind string, i, n int) {
	name := fmt.Sprintf("ex:%s%d", kind, i)
	if kind == "P" {
		fmt.Fprintf(b, "%s sh:path %s.\n", name, g.path())
	}
	if i == 0 || g.chance(40) {
		fmt.Fprintf(b, "%s %s.\n", name, g.one("sh:targetNode "+g.one(g.node(), g.literal()), "sh:targetClass "+g.one(g.class(), g.node()), "sh:targetClass "+g.class()+", "+g.class(),
			"sh:targetSubjectsOf "+g.predicate(), "sh:targetObjectsOf "+g.predicate(), "sh:targetNode "+g.node()+", "+g.literal()))
	}
	for _, more := range []struct {
		percent int
		text    string
	}{
		{30, "a sh:" + map[string]string{"N": "Node", "P": "Property"}[kind] + "Shape"},
		{15, "sh:severity " + g.one("sh:Info", "ex:Grave")},
		{10, "sh:deactivated " + g.one("true", "false")},
	} {
		if g.chance(more.percent) {
			fmt.Fprintf(b, "%s %s.\n", name, more.text)
		}
	}
	fmt.Fprintf(b, "%s %s.\n", name, g.constraints(kind == "P", i+1, n))
}

// siblings is two shapes, each with two of three qualified value shapes.
func (g knots) siblings(b *strings.Builder) {
	fmt.Fprintf(b, "ex:Q1 sh:targetSubjectsOf %s; sh:property ex:q0, ex:q1. ex:Q2 sh:targetObjectsOf %s; sh:property ex:q1, ex:q2.\n", g.predicate(), g.predicate())
	for i := range 3 {
		fmt.Fprintf(b, "ex:q%d sh:path %s; sh:qualifiedValueShape %s; sh:%s %d; sh:qualifiedValueShapesDisjoint %s.\n", i, g.path(),
			g.one("ex:Nlast", "ex:Plast", "[sh:nodeKind sh:IRI]", "[sh:class ex:C2]", "[sh:minLength 2]"), g.one("qualifiedMinCount", "qualifiedMaxCount"), g.IntN(3), g.one("true", "true", "false"))
	}
}

// constraints is one or more constraints of a shape that may refer to shapes from an index on.
func (g knots) constraints(property bool, from, to int) string {
	either := func() string { return g.ref(g.one("N", "P"), from, to) }
	list := func(item func() string, n int) string {
		var items []string
		for range n {
			items = append(items, item())
		}
		return "(" + strings.Join(items, " ") + ")"
	}
	of := []string{
		"sh:class " + g.one(g.class(), g.node()),
		"sh:datatype " + g.one("xsd:integer", "xsd:string", "xsd:decimal", "xsd:double", "xsd:date", "rdf:langString", "ex:dt"),
		"sh:nodeKind sh:" + g.one("IRI", "Literal", "BlankNode", "BlankNodeOrIRI", "BlankNodeOrLiteral", "IRIOrLiteral"),
		"sh:" + g.one("minExclusive", "minInclusive", "maxExclusive", "maxInclusive") + " " + g.bound(),
		"sh:" + g.one("minLength", "maxLength") + " " + g.one("0", "1", "22", "99999999999999999999"),
		"sh:pattern " + g.one(`"^a"`, `"[0-9]$"`, `"."`, `"^$"`, `"A"`) + g.one("", `; sh:flags "i"`, `; sh:flags ""`),
		"sh:languageIn (" + g.one("", `"en"`, `"EN-GB" "de"`, `"*"`, `""`, `"e"`) + ")",
		"sh:equals " + g.predicate(),
		"sh:disjoint " + g.predicate(),
		"sh:hasValue " + g.value(),
		"sh:in " + list(g.value, g.IntN(4)),
		"sh:in " + list(g.value, 9+g.IntN(9)), // which is looked up in another way
		"sh:closed " + g.one("true", "true", "false") + g.one("", "; sh:ignoredProperties _:ignored", "; sh:ignoredProperties ()"),
		"sh:not " + either(),
		"sh:" + g.one("and", "or", "xone") + " " + list(either, g.IntN(4)),
		"sh:node " + g.ref("N", from, to),
		"sh:property " + g.ref("P", from, to),
		"sh:property " + g.ref("P", from, to) + ", " + g.ref("P", from, to),
	}
	if property {
		of = append(of,
			"sh:"+g.one("minCount", "maxCount")+" "+g.one("0", "1", "2", "99999999999999999999", `"-0"^^xsd:integer`),
			"sh:uniqueLang "+g.one("true", "false"),
			"sh:"+g.one("lessThan", "lessThanOrEquals")+" "+g.predicate(),
			"sh:qualifiedValueShape "+either()+"; "+g.one("sh:qualifiedMinCount 1", "sh:qualifiedMaxCount 1", "sh:qualifiedMaxCount 0", "sh:qualifiedMinCount 1; sh:qualifiedMaxCount 2")+
				g.one("", "; sh:qualifiedValueShapesDisjoint true", "; sh:qualifiedValueShapesDisjoint true", "; sh:qualifiedValueShapesDisjoint false"))
	}
	var chosen []string
	for _, i := range g.Perm(len(of))[:1+g.IntN(5)] {
		if strings.HasPrefix(of[i], "sh:in ") && slices.ContainsFunc(chosen, func(c string) bool { return strings.HasPrefix(c, "sh:in ") }) {
			continue // a shape has one
		}
		chosen = append(chosen, of[i])
	}
	return strings.Join(chosen, "; ")
}
