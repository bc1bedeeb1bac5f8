package shacl_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator writes random shapes graphs that are well-formed and not recursive,
// and random data for them, both small and of few names, so that constraints
// meet values. The same seed gives the same texts.
type generator struct {
	*rand.Rand
	// plain leaves out what other engines get wrong wherever it stands, which would
	// hide all else from a comparison with them: see engines.
	plain bool
	// labels leaves out patterns, else what is plain has no blank nodes.
	labels bool
}

func newGenerator(seed uint64) generator { return generator{Rand: rand.New(rand.NewPCG(seed, 1))} }

func (g generator) one(of ...string) string { return of[g.IntN(len(of))] }

func (g generator) chance(percent int) bool { return g.IntN(100) < percent }

func (g generator) node() string      { return fmt.Sprintf("ex:n%d", g.IntN(6)) }
func (g generator) class() string     { return fmt.Sprintf("ex:C%d", g.IntN(4)) }
func (g generator) predicate() string { return fmt.Sprintf("ex:p%d", g.IntN(4)) }

func (g generator) literal() string {
	return g.one("0", "1", "2", "3", "01", "1.0", "1.5", "2.50", "1e0", "-1", "true", "false",
		`""`, `"a"`, `"ab"`, `"abc"`, `"äöü"`, `"A b"`, `"a"@en`, `"b"@en`, `"b"@en-gb`, `"a"@de`, `"x"@fr`,
		`"2024-01-01"^^xsd:date`, `"2024-02-29"^^xsd:date`, `"2024-01-01T00:00:00Z"^^xsd:dateTime`, `"2023-06-01T12:00:00+02:00"^^xsd:dateTime`,
		`"7"^^xsd:int`, `"other"^^ex:dt`)
}

func (g generator) term() string {
	if g.chance(55) {
		return g.node()
	}
	return g.literal()
}

func (g generator) object() string {
	if g.chance(15) && (!g.plain || g.labels) {
		return fmt.Sprintf("_:b%d", g.IntN(3))
	}
	return g.term()
}

// data is up to 40 triples about six nodes and three blank ones.
func (g generator) data() string {
	var b strings.Builder
	n := g.IntN(40)
	if g.plain {
		n++
	}
	for range n {
		s := g.node()
		if g.chance(15) && (!g.plain || g.labels) {
			s = fmt.Sprintf("_:b%d", g.IntN(3))
		}
		switch {
		case g.chance(25):
			fmt.Fprintf(&b, "%s a %s.\n", s, g.class())
		case g.chance(2) && !g.plain:
			fmt.Fprintf(&b, "%s rdfs:subClassOf %s.\n", g.class(), g.class())
		default:
			fmt.Fprintf(&b, "%s %s %s.\n", s, g.predicate(), g.object())
		}
	}
	return b.String()
}

// shapes is up to four named shapes, each of which refers to later ones and to
// blank ones only.
func (g generator) shapes() string {
	var b strings.Builder
	n := 1 + g.IntN(4)
	for i := range n {
		path := ""
		property := i == n-1 && g.chance(25) // the last shape may be a property shape, which no sh:node refers to
		if property {
			path = "sh:path " + g.path(2) + "; "
			fmt.Fprintf(&b, "ex:S%d a sh:PropertyShape; ", i)
		} else {
			fmt.Fprintf(&b, "ex:S%d a sh:NodeShape; ", i)
		}
		if i == 0 || g.chance(40) {
			b.WriteString(g.target())
		}
		if g.chance(10) && !g.plain {
			b.WriteString("sh:severity " + g.one("sh:Info", "sh:Warning", "ex:Grave") + "; ")
		}
		if g.chance(5) {
			b.WriteString("sh:deactivated " + g.one("true", "false") + "; ")
		}
		if g.chance(10) {
			b.WriteString(`sh:message "` + g.one("m", "n") + `"; `)
		}
		fmt.Fprintf(&b, "%s%s.\n", path, g.constraints(2, property, i+1, n))
	}
	return b.String()
}

func (g generator) target() string {
	var t []string
	for len(t) == 0 || g.chance(25) {
		switch g.IntN(5) {
		case 0:
			t = append(t, "sh:targetNode "+g.term())
		case 1, 2:
			t = append(t, "sh:targetClass "+g.class())
		case 3:
			t = append(t, "sh:targetSubjectsOf "+g.predicate())
		case 4:
			t = append(t, "sh:targetObjectsOf "+g.predicate())
		}
	}
	return strings.Join(t, "; ") + "; "
}

func (g generator) path(depth int) string {
	if g.plain {
		depth = min(depth, 1)
	}
	if depth == 0 || g.chance(60) {
		if g.chance(10) {
			return "rdf:type"
		}
		return g.predicate()
	}
	switch g.IntN(6) {
	case 0:
		return "[sh:inversePath " + g.path(depth-1) + "]"
	case 1:
		return "(" + g.path(depth-1) + " " + g.path(depth-1) + ")"
	case 2:
		return "[sh:alternativePath (" + g.path(depth-1) + " " + g.path(depth-1) + ")]"
	case 3:
		return "[sh:zeroOrMorePath " + g.path(depth-1) + "]"
	case 4:
		return "[sh:oneOrMorePath " + g.path(depth-1) + "]"
	}
	return "[sh:zeroOrOnePath " + g.path(depth-1) + "]"
}

// shape is a named shape from an index on, or a blank one.
func (g generator) shape(depth, from, to int) string {
	if from < to && g.chance(50) {
		return fmt.Sprintf("ex:S%d", from+g.IntN(to-from))
	}
	if depth == 0 {
		return "[" + g.constraints(0, false, to, to) + "]"
	}
	if g.chance(30) {
		return "[sh:path " + g.path(1) + "; " + g.constraints(depth-1, true, from, to) + "]"
	}
	return "[" + g.constraints(depth-1, false, from, to) + "]"
}

// nodeShape is a shape that sh:node may name.
func (g generator) nodeShape(depth, from, to int) string {
	return "[" + g.constraints(max(depth-1, 0), false, from, to) + "]"
}

func (g generator) list(item func() string) string {
	items := make([]string, 1+g.IntN(3))
	for i := range items {
		items[i] = item()
	}
	return "(" + strings.Join(items, " ") + ")"
}

// constraints is one or more constraints of a shape; those that refer to shapes
// only as deep as is asked.
func (g generator) constraints(depth int, property bool, from, to int) string {
	var c []string
	used := map[int]bool{}
	for len(c) == 0 || len(c) < 5 && g.chance(55) {
		k := g.IntN(27)
		if used[k] {
			continue
		}
		used[k] = true
		nested := func() string { return g.shape(depth-1, from, to) }
		text := ""
		switch k {
		case 0:
			text = "sh:class " + g.class()
		case 1:
			text = "sh:datatype " + g.one("xsd:integer", "xsd:string", "xsd:decimal", "xsd:date", "xsd:boolean", "rdf:langString", "ex:dt")
		case 2:
			text = "sh:nodeKind sh:" + g.one("IRI", "Literal", "BlankNode", "BlankNodeOrIRI", "BlankNodeOrLiteral", "IRIOrLiteral")
		case 3:
			text = "sh:" + g.one("minExclusive", "minInclusive") + " " + g.one("0", "1", "1.5", `"2024-01-15"^^xsd:date`, `"2024-01-01T00:00:00Z"^^xsd:dateTime`)
		case 4:
			text = "sh:" + g.one("maxExclusive", "maxInclusive") + " " + g.one("1", "2", "2.5", `"2024-01-15"^^xsd:date`)
		case 5:
			text = "sh:minLength " + g.one("0", "1", "2")
		case 6:
			text = "sh:maxLength " + g.one("0", "1", "2", "30")
		case 7:
			if g.plain && g.labels {
				continue
			}
			text = "sh:pattern " + g.one(`"^a"`, `"b"`, `"[0-9]$"`, `"^http"`, `"."`)
			if g.chance(30) {
				text += `; sh:flags "i"`
			}
		case 8:
			text = "sh:languageIn " + g.list(func() string { return g.one(`"en"`, `"de"`, `"en-gb"`) })
		case 9:
			if g.plain && !property {
				continue
			}
			text = "sh:equals " + g.predicate()
		case 10:
			text = "sh:disjoint " + g.predicate()
		case 11:
			text = "sh:hasValue " + g.term()
		case 12:
			text = "sh:in " + g.list(g.term)
		case 13:
			if property {
				text = "sh:minCount " + g.one("0", "1", "2")
			}
		case 14:
			if property {
				text = "sh:maxCount " + g.one("0", "1", "2")
			}
		case 15:
			if property {
				text = "sh:uniqueLang true"
			}
		case 16:
			if property {
				text = "sh:lessThan " + g.predicate()
			}
		case 17:
			if property {
				text = "sh:lessThanOrEquals " + g.predicate()
			}
		case 18:
			if g.plain {
				continue
			}
			text = "sh:closed true; sh:ignoredProperties " + g.list(func() string { return g.one("rdf:type", g.predicate()) })
		case 19, 20, 21:
			if depth > 0 {
				text = "sh:property [sh:path " + g.path(2) + "; " + g.constraints(depth-1, true, from, to) + "]"
			}
		case 22:
			if depth > 0 {
				text = "sh:not " + nested()
			}
		case 23:
			if depth > 0 {
				text = "sh:" + g.one("and", "or", "xone") + " " + g.list(nested)
			}
		case 24, 25:
			if depth > 0 {
				text = "sh:node " + g.nodeShape(depth, from, to)
			}
		case 26:
			if depth > 0 && property {
				text = "sh:qualifiedValueShape " + nested() + g.one("; sh:qualifiedMinCount 1", "; sh:qualifiedMaxCount 1", "; sh:qualifiedMinCount 1; sh:qualifiedMaxCount 2")
				if g.chance(40) && !g.plain {
					text += "; sh:qualifiedValueShapesDisjoint true"
				}
			}
		}
		if text != "" {
			c = append(c, text)
		}
	}
	return strings.Join(c, "; ")
}
