package shacl_test

import (
	"regexp"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/internal/oracle"
)

// nestedPath matches paths that are made of paths.
var nestedPath = regexp.MustCompile(`Path> _:|#path> _:.*|#first> _:`)

// andOfProperty matches a property shape with sh:and, written in triples.
var andOfProperty = regexp.MustCompile(`(?s)#path> .*#and> _:`)

func engines() []engine {
	return []engine{
		{"rdf-validate-shacl", []oracle.Fault[disagreement]{
			{
				Cause:   "does not end on a loop of rdfs:subClassOf",
				Excuses: func(d disagreement) bool { return strings.Contains(d.err, "call stack") && subclasses(d) },
				Example: disagreement{shapes: "ex:S a sh:NodeShape; sh:targetClass ex:C; sh:minLength 2.\n", data: "ex:C rdfs:subClassOf ex:C.\n"}, Want: "conforms: true",
			},
			{
				Cause: "has inverse paths of predicates only (2.3.1.4)",
				Excuses: func(d disagreement) bool {
					return strings.Contains(d.err, "Inverse paths only work for named nodes") && strings.Contains(d.shapes, "inversePath> _:")
				},
				Example: disagreement{shapes: "ex:S a sh:PropertyShape; sh:targetNode ex:n; sh:path [sh:inversePath [sh:zeroOrMorePath ex:p]]; sh:minCount 1.\n", data: "ex:a ex:p ex:n.\n"}, Want: "conforms: true",
			},
			{
				Cause:   "does not report the focus node for sh:equals of a node shape when the property has other values (4.5.1: every value node that is missing)",
				Excuses: unshaped("equals", func(d disagreement) bool { return d.oursAre("sh:EqualsConstraintComponent") }),
				Example: disagreement{shapes: "ex:S a sh:NodeShape; sh:targetNode ex:n; sh:equals ex:p.\n", data: "ex:n ex:p 1.\n"}, Want: "conforms: false\nex:n  ex:n sh:EqualsConstraintComponent sh:Violation ex:S",
			},
			{
				Cause:   "orders language-tagged strings (4.5.3, SPARQL 1.1, 17.3: an error)",
				Excuses: asStrings(`"@[\w-]+`),
				Example: disagreement{shapes: "ex:S a sh:PropertyShape; sh:targetNode ex:n; sh:path ex:p; sh:lessThan ex:q.\n", data: "ex:n ex:p \"a\"@en; ex:q \"b\"@en.\n"}, Want: "conforms: false\nex:n ex:p \"a\"@en sh:LessThanConstraintComponent sh:Violation ex:S",
			},
			{
				Cause:   "validates the members of sh:and of a property shape at the path of that shape, not at their own (4.6.2)",
				Excuses: unshaped("and", func(d disagreement) bool { return d.err == "" && andOfProperty.MatchString(d.shapes) }),
				Example: disagreement{shapes: "ex:S a sh:PropertyShape; sh:targetSubjectsOf ex:p; sh:path ex:p; sh:and ([sh:path ex:q; sh:maxLength 1]).\n", data: "ex:n ex:p ex:m.\n"}, Want: "conforms: true",
			},
			{
				Cause:   "compares literals of unknown datatypes as strings (4.5.3, 4.5.4, SPARQL 1.1, 17.3: an error)",
				Excuses: asStrings(`"\^\^<http://example.org/dt>`),
				Example: disagreement{shapes: "ex:S a sh:PropertyShape; sh:targetNode ex:n; sh:path ex:p; sh:lessThan ex:q.\n", data: "ex:n ex:p \"A b\"; ex:q \"other\"^^ex:dt.\n"}, Want: "conforms: false\nex:n ex:p \"A b\" sh:LessThanConstraintComponent sh:Violation ex:S",
			},
			{
				Cause:   "orders strings by the rules of a language (4.5.3, SPARQL 1.1, 17.4.1: by code points)",
				Excuses: ordersByLocale,
				Example: disagreement{shapes: "ex:S a sh:PropertyShape; sh:targetNode ex:n; sh:path ex:p; sh:lessThan ex:q.\n", data: "ex:n ex:p \"A b\"; ex:q \"a\".\n"}, Want: "conforms: true",
			},
		}},
		{"shacl-engine", []oracle.Fault[disagreement]{
			{
				Cause: "finds no result in an empty data graph (1.5)",
				Excuses: func(d disagreement) bool {
					return d.data == "" && d.oursAre("") && d.agrees(d.shapes, "ex:z ex:z ex:z.\n")
				},
				Example: disagreement{shapes: "ex:S a sh:NodeShape; sh:targetNode ex:n; sh:class ex:C.\n"}, Want: "conforms: false\nex:n  ex:n sh:ClassConstraintComponent sh:Violation ex:S",
			},
			{
				Cause:   "lets a result that is no sh:Violation not keep a graph or a nested node from conforming (3.4, 3.6.1.1)",
				Excuses: unshaped("severity", nil),
				Example: disagreement{shapes: "ex:S a sh:NodeShape; sh:targetNode ex:n; sh:class ex:C; sh:severity ex:Grave.\n", data: "ex:n ex:p 1.\n"}, Want: "conforms: false",
			},
			{
				Cause: "closes no property shape, reports one triple a predicate, and counts the first step of any path as allowed (4.8.1)",
				Excuses: unshaped("closed", func(d disagreement) bool {
					return !slices.ContainsFunc(slices.Concat(d.ours, d.theirs), func(line string) bool { return !strings.Contains(line, "sh:Closed") }) || d.err == "" && strings.Contains(d.shapes, "#path>")
				}),
				Example: disagreement{shapes: "ex:S a sh:NodeShape; sh:targetNode ex:n; sh:property [sh:path ex:p; sh:closed true].\n", data: "ex:n ex:p ex:m. ex:m ex:q 1.\n"}, Want: "conforms: false\nex:n ex:q \"1\"^^xsd:integer sh:ClosedConstraintComponent sh:Violation _:",
			},
			{
				Cause: "has no nested paths (2.3.1)",
				Excuses: func(d disagreement) bool {
					return nestedPath.MatchString(d.shapes) && (strings.Contains(d.shapes, "Path>") || strings.Contains(d.err, "Cannot destructure"))
				},
				Example: disagreement{shapes: "ex:S a sh:NodeShape; sh:targetNode ex:n; sh:property [sh:path [sh:zeroOrOnePath [sh:zeroOrMorePath ex:p]]; sh:equals ex:p].\n", data: "ex:n ex:p 1.\n"}, Want: "conforms: false",
			},
			{
				Cause:   "matches patterns with blank nodes (4.4.3)",
				Excuses: unshaped("pattern", func(d disagreement) bool { return strings.Contains(d.data, "_:") }),
				Example: disagreement{shapes: "ex:S a sh:PropertyShape; sh:targetNode ex:n; sh:path ex:p; sh:pattern \".\".\n", data: "ex:n ex:p [].\n"}, Want: "conforms: false\nex:n ex:p _: sh:PatternConstraintComponent sh:Violation ex:S",
			},
			{
				Cause:   "does not end the walk through a loop of rdfs:subClassOf where it should, and misses instances of subclasses",
				Excuses: subclasses,
				Example: disagreement{shapes: "ex:S a sh:NodeShape; sh:targetClass ex:C; sh:class ex:D.\n", data: "ex:n a ex:A. ex:A rdfs:subClassOf ex:C.\n"}, Want: "conforms: false\nex:n  ex:n sh:ClassConstraintComponent sh:Violation ex:S",
			},
			{
				Cause:   "does not report the focus node for sh:equals of a node shape when the property has other values (4.5.1)",
				Excuses: unshaped("equals", func(d disagreement) bool { return d.err == "" }),
				Example: disagreement{shapes: "ex:S a sh:NodeShape; sh:targetNode ex:n; sh:equals ex:p.\n", data: "ex:n ex:p 1.\n"}, Want: "conforms: false\nex:n  ex:n sh:EqualsConstraintComponent sh:Violation ex:S",
			},
			{
				Cause:   "lets a value conform to the sibling shapes when there are none (4.7.3)",
				Excuses: unshaped("qualifiedValueShapesDisjoint", nil),
				Example: disagreement{shapes: "ex:S a sh:PropertyShape; sh:targetNode ex:n; sh:path ex:p; sh:qualifiedValueShape [sh:nodeKind sh:Literal]; sh:qualifiedMinCount 1; sh:qualifiedValueShapesDisjoint true.\n", data: "ex:n ex:p 1.\n"}, Want: "conforms: true",
			},
			{
				Cause:   "gives a count or sh:hasValue of a property of a value node the focus node as sh:value (4.2.1, 4.8.2)",
				Excuses: focusAsValue,
				Example: disagreement{shapes: "ex:S a sh:NodeShape; sh:targetNode ex:n; sh:property [sh:path ex:p; sh:property [sh:path ex:q; sh:minCount 1]].\n", data: "ex:n ex:p ex:m.\n"}, Want: "conforms: false\nex:m ex:q  sh:MinCountConstraintComponent sh:Violation _:",
			},
			{
				Cause:   "loses results of a shape that is used twice for a node (3.4)",
				Excuses: usedTwice,
				Example: disagreement{shapes: "ex:S a sh:NodeShape; sh:targetSubjectsOf ex:p; sh:not ex:T. ex:T sh:targetSubjectsOf ex:p; sh:property [sh:path ex:p; sh:class ex:C]; sh:minExclusive 1.\n", data: "ex:n ex:p ex:m.\n"}, Want: "conforms: false\nex:n ex:p ex:m sh:ClassConstraintComponent sh:Violation _:",
			},
			{
				Cause:   "compares equal literals of unknown datatypes (4.5.4, SPARQL 1.1, 17.3: an error)",
				Excuses: unshaped("lessThanOrEquals", func(d disagreement) bool { return d.oursAre("^^ex:dt sh:LessThanOrEquals") }),
				Example: disagreement{shapes: "ex:S a sh:PropertyShape; sh:targetNode ex:n; sh:path ex:p; sh:lessThanOrEquals ex:p.\n", data: "ex:n ex:p \"o\"^^ex:dt.\n"}, Want: "conforms: false\nex:n ex:p \"o\"^^ex:dt sh:LessThanOrEqualsConstraintComponent sh:Violation ex:S",
			},
			{
				Cause:   "orders strings by the rules of a language (4.5.3, SPARQL 1.1, 17.4.1: by code points)",
				Excuses: ordersByLocale,
				Example: disagreement{shapes: "ex:S a sh:PropertyShape; sh:targetNode ex:n; sh:path ex:p; sh:lessThan ex:q.\n", data: "ex:n ex:p \"A b\"; ex:q \"a\".\n"}, Want: "conforms: true",
			},
			{
				Cause:   "orders language-tagged strings (4.5.3, SPARQL 1.1, 17.3: an error)",
				Excuses: asStrings(`"@[\w-]+`),
				Example: disagreement{shapes: "ex:S a sh:PropertyShape; sh:targetNode ex:n; sh:path ex:p; sh:lessThan ex:q.\n", data: "ex:n ex:p \"a\"@en; ex:q \"b\"@en.\n"}, Want: "conforms: false\nex:n ex:p \"a\"@en sh:LessThanConstraintComponent sh:Violation ex:S",
			},
		}},
	}
}
