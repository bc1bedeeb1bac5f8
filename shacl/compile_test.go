package shacl_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/shacl"
)

// problems compiles shapes that must be refused.
func problems(t *testing.T, shapes string) []shacl.Problem {
	t.Helper()
	p, err := shacl.Compile(graph(t, "shapes.ttl", shapes), shacl.CompileOptions{})
	var refused *shacl.CompileError
	require.ErrorAs(t, err, &refused, shapes)
	assert.Nil(t, p)
	require.NotEmpty(t, refused.Problems)
	return refused.Problems
}

func TestRefused(t *testing.T) {
	t.Parallel()
	property := func(s string) string { return `ex:S sh:property [sh:path ex:p; ` + s + `].` }
	for _, c := range []struct {
		name, shapes string
		code         shacl.Code
		text         string // with the tables' prefixes, from the property on
	}{
		// Appendix B, rules of shapes
		{"path on a node shape", `ex:S a sh:NodeShape; sh:path ex:p.`, shacl.CodeIllFormed, `sh:path of ex:S: expected no path on a sh:NodeShape, found ex:p`},
		{"empty path on a node shape", `ex:S a sh:NodeShape; sh:path ().`, shacl.CodeIllFormed, `sh:path of ex:S: expected no path on a sh:NodeShape, found rdf:nil`},
		{"no path on a property shape", `ex:S a sh:PropertyShape.`, shacl.CodeIllFormed, `sh:path of ex:S: expected a path on a sh:PropertyShape, found none`},
		{"no path on a property", `ex:S sh:property [sh:minCount 1].`, shacl.CodeIllFormed, ``},
		{"two paths", `ex:S sh:path ex:p, ex:q.`, shacl.CodeIllFormed, `sh:path of ex:S: expected one path, found 2`},
		{"severity that is a literal", `ex:S sh:targetNode ex:x; sh:severity "high".`, shacl.CodeIllFormed, `sh:severity of ex:S: expected an IRI, found "high"`},
		{"two severities", `ex:S sh:targetNode ex:x; sh:severity sh:Info, sh:Warning.`, shacl.CodeIllFormed, `sh:severity of ex:S: expected one value, found 2`},
		{"message that is a number", `ex:S sh:targetNode ex:x; sh:message 5.`, shacl.CodeIllFormed, `sh:message of ex:S: expected a string with or without a language, found "5"^^xsd:integer`},
		{"message that is an IRI", `ex:S sh:targetNode ex:x; sh:message ex:m.`, shacl.CodeIllFormed, `sh:message of ex:S: expected a string with or without a language, found ex:m`},
		{"deactivated that is no boolean", `ex:S sh:targetNode ex:x; sh:deactivated "yes".`, shacl.CodeIllFormed, `sh:deactivated of ex:S: expected true or false, found "yes"`},
		{"deactivated by another spelling", `ex:S sh:targetNode ex:x; sh:deactivated "1"^^xsd:boolean.`, shacl.CodeIllFormed, `sh:deactivated of ex:S: expected true or false, found "1"^^xsd:boolean`},
		{"deactivated twice", `ex:S sh:targetNode ex:x; sh:deactivated true, false.`, shacl.CodeIllFormed, `sh:deactivated of ex:S: expected one value, found 2`},
		{"target node that is blank", `ex:S sh:targetNode [].`, shacl.CodeIllFormed, ``},
		{"target class that is a literal", `ex:S sh:targetClass "C".`, shacl.CodeIllFormed, `sh:targetClass of ex:S: expected an IRI, found "C"`},
		{"target class that is blank", `ex:S sh:targetClass [].`, shacl.CodeIllFormed, ``},
		{"target subjects of a literal", `ex:S sh:targetSubjectsOf "p".`, shacl.CodeIllFormed, `sh:targetSubjectsOf of ex:S: expected an IRI, found "p"`},
		{"target objects of a literal", `ex:S sh:targetObjectsOf "p".`, shacl.CodeIllFormed, `sh:targetObjectsOf of ex:S: expected an IRI, found "p"`},
		{"implicit class that is blank", `[] a rdfs:Class, sh:NodeShape.`, shacl.CodeIllFormed, ``},

		// Value type
		{"class that is a literal", property(`sh:class "C"`), shacl.CodeIllFormed, `expected an IRI, found "C"`},
		{"class that is blank", property(`sh:class []`), shacl.CodeIllFormed, ``},
		{"datatype that is a literal", property(`sh:datatype "string"`), shacl.CodeIllFormed, `expected an IRI, found "string"`},
		{"two datatypes", property(`sh:datatype xsd:string, xsd:integer`), shacl.CodeIllFormed, `expected one value, found 2`},
		{"unknown node kind", property(`sh:nodeKind sh:Iri`), shacl.CodeIllFormed, `expected sh:BlankNode, sh:IRI, sh:Literal or a pair of them, found sh:Iri`},
		{"node kind that is a literal", property(`sh:nodeKind "IRI"`), shacl.CodeIllFormed, `expected sh:BlankNode, sh:IRI, sh:Literal or a pair of them, found "IRI"`},
		{"two node kinds", property(`sh:nodeKind sh:IRI, sh:BlankNode`), shacl.CodeIllFormed, `expected one value, found 2`},

		// Cardinality
		{"minCount on a node shape", `ex:S sh:targetNode ex:x; sh:minCount 1.`, shacl.CodeIllFormed, `sh:minCount of ex:S: expected it on a property shape, found it on a shape without sh:path`},
		{"maxCount on a node shape", `ex:S sh:targetNode ex:x; sh:maxCount 1.`, shacl.CodeIllFormed, `sh:maxCount of ex:S: expected it on a property shape, found it on a shape without sh:path`},
		{"minCount that is a string", property(`sh:minCount "1"`), shacl.CodeIllFormed, `expected an xsd:integer of 0 or more, found "1"`},
		{"minCount that is a decimal", property(`sh:minCount 1.0`), shacl.CodeIllFormed, `expected an xsd:integer of 0 or more, found "1.0"^^xsd:decimal`},
		{"minCount that is an xsd:int", property(`sh:minCount "1"^^xsd:int`), shacl.CodeIllFormed, `expected an xsd:integer of 0 or more, found "1"^^xsd:int`},
		{"minCount that is ill-typed", property(`sh:minCount "one"^^xsd:integer`), shacl.CodeIllFormed, `expected an xsd:integer of 0 or more, found "one"^^xsd:integer`},
		{"minCount that is negative", property(`sh:minCount -1`), shacl.CodeIllFormed, `expected an xsd:integer of 0 or more, found "-1"^^xsd:integer`},
		{"minCount that is very negative", property(`sh:minCount -99999999999999999999`), shacl.CodeIllFormed, `expected an xsd:integer of 0 or more, found "-99999999999999999999"^^xsd:integer`},
		{"two minCounts", property(`sh:minCount 1, 2`), shacl.CodeIllFormed, `expected one value, found 2`},
		{"maxCount that is an IRI", property(`sh:maxCount ex:one`), shacl.CodeIllFormed, `expected an xsd:integer of 0 or more, found ex:one`},
		{"two maxCounts", property(`sh:maxCount 1, 01`), shacl.CodeIllFormed, `expected one value, found 2`},

		// Range
		{"bound that is an IRI", property(`sh:minInclusive ex:y`), shacl.CodeIllFormed, `expected a literal, found ex:y`},
		{"bound that is blank", property(`sh:maxExclusive []`), shacl.CodeIllFormed, ``},
		{"bound that is ill-typed", property(`sh:maxInclusive "2024-02-30"^^xsd:date`), shacl.CodeIllFormed, `"2024-02-30" is not in the lexical space of xsd:date`},
		{"two bounds", property(`sh:minExclusive 1, 2`), shacl.CodeIllFormed, `expected one value, found 2`},

		// Strings
		{"length that is a string", property(`sh:minLength "1"`), shacl.CodeIllFormed, `expected an xsd:integer of 0 or more, found "1"`},
		{"length that is negative", property(`sh:maxLength -1`), shacl.CodeIllFormed, `expected an xsd:integer of 0 or more, found "-1"^^xsd:integer`},
		{"two lengths", property(`sh:maxLength 1, 2`), shacl.CodeIllFormed, `expected one value, found 2`},
		{"pattern with a language", property(`sh:pattern "a"@en`), shacl.CodeIllFormed, `expected an xsd:string, found "a"@en`},
		{"pattern that is an IRI", property(`sh:pattern ex:a`), shacl.CodeIllFormed, `expected an xsd:string, found ex:a`},
		{"pattern that is no expression", property(`sh:pattern "("`), shacl.CodeIllFormed, ``},
		{"pattern with a back-reference", property(`sh:pattern "(a)\\1"`), shacl.CodeIllFormed, ``},
		{"two patterns", property(`sh:pattern "a", "b"`), shacl.CodeIllFormed, `expected one value, found 2`},
		{"flags that are no flags", property(`sh:pattern "a"; sh:flags "k"`), shacl.CodeIllFormed, ``},
		{"flags that are an IRI", property(`sh:pattern "a"; sh:flags ex:i`), shacl.CodeIllFormed, `expected an xsd:string, found ex:i`},
		{"flags alone that are a number", `ex:S sh:flags 1.`, shacl.CodeIllFormed, `expected an xsd:string, found "1"^^xsd:integer`},
		{"two flags", property(`sh:pattern "a"; sh:flags "i", "m"`), shacl.CodeIllFormed, `expected one value, found 2`},
		{"languages that are no list", property(`sh:languageIn "en"`), shacl.CodeIllFormed, `expected a list, found "en"`},
		{"language that is an IRI", property(`sh:languageIn (ex:en)`), shacl.CodeIllFormed, `expected an xsd:string, found ex:en`},
		{"language with a language", property(`sh:languageIn ("en"@en)`), shacl.CodeIllFormed, `expected an xsd:string, found "en"@en`},
		{"two language lists", property(`sh:languageIn ("en"), ("de")`), shacl.CodeIllFormed, `expected one value, found 2`},
		{"uniqueLang that is no boolean", property(`sh:uniqueLang "true"`), shacl.CodeIllFormed, `expected true or false, found "true"`},
		{"uniqueLang that is an ill-typed boolean", property(`sh:uniqueLang "yes"^^xsd:boolean`), shacl.CodeIllFormed, `expected true or false, found "yes"^^xsd:boolean`},
		{"uniqueLang twice", property(`sh:uniqueLang true, false`), shacl.CodeIllFormed, `expected one value, found 2`},
		{"uniqueLang on a node shape", `ex:S sh:targetNode ex:x; sh:uniqueLang true.`, shacl.CodeIllFormed, `sh:uniqueLang of ex:S: expected it on a property shape, found it on a shape without sh:path`},

		// Property pairs
		{"equals a literal", property(`sh:equals "q"`), shacl.CodeIllFormed, `expected an IRI, found "q"`},
		{"disjoint with a blank node", property(`sh:disjoint []`), shacl.CodeIllFormed, ``},
		{"less than a path", property(`sh:lessThan (ex:a ex:b)`), shacl.CodeIllFormed, ``},
		{"less than or equal to a literal", property(`sh:lessThanOrEquals "q"`), shacl.CodeIllFormed, `expected an IRI, found "q"`},
		{"lessThan on a node shape", `ex:S sh:targetNode ex:x; sh:lessThan ex:q.`, shacl.CodeIllFormed, `sh:lessThan of ex:S: expected it on a property shape, found it on a shape without sh:path`},
		{"lessThanOrEquals on a node shape", `ex:S sh:targetNode ex:x; sh:lessThanOrEquals ex:q.`, shacl.CodeIllFormed, `sh:lessThanOrEquals of ex:S: expected it on a property shape, found it on a shape without sh:path`},

		// Logical
		{"not a literal", property(`sh:not "T"`), shacl.CodeIllFormed, `expected a shape, found "T"`},
		{"and that is no list", property(`sh:and ex:T`), shacl.CodeIllFormed, `expected a list, found ex:T, which is no list`},
		{"or with a literal", property(`sh:or (ex:T "T")`), shacl.CodeIllFormed, `expected a shape, found "T"`},
		{"xone that is a literal", property(`sh:xone "T"`), shacl.CodeIllFormed, `expected a list, found "T"`},

		// Lists
		{"list without an end", property(`sh:in [rdf:first 1]`), shacl.CodeIllFormed, `expected a list, found a node with 1 rdf:first and 0 rdf:rest`},
		{"list without an end after some", property(`sh:in [rdf:first 1; rdf:rest [rdf:first 2]]`), shacl.CodeIllFormed, `expected a list, found a node after 1 members with 1 rdf:first and 0 rdf:rest`},
		{"list with two members at one node", property(`sh:in [rdf:first 1, 2; rdf:rest ()]`), shacl.CodeIllFormed, `expected a list, found a node with 2 rdf:first and 1 rdf:rest`},
		{"list that branches", property(`sh:in [rdf:first 1; rdf:rest (), (2)]`), shacl.CodeIllFormed, `expected a list, found a node with 1 rdf:first and 2 rdf:rest`},
		{"list that is a loop", property(`sh:in _:l`) + ` _:l rdf:first 1; rdf:rest _:l.`, shacl.CodeIllFormed, `expected a list, found a loop of rdf:rest`},
		{"list that ends in a literal", property(`sh:in [rdf:first 1; rdf:rest "end"]`), shacl.CodeIllFormed, `expected a list, found "end"`},
		{"rdf:nil with a rest", property(`sh:in (1)`) + ` rdf:nil rdf:rest ex:x.`, shacl.CodeIllFormed, `expected a list, found an rdf:nil that has a member or a rest`},
		{"in that is no list", property(`sh:in 1`), shacl.CodeIllFormed, `expected a list, found "1"^^xsd:integer`},
		{"two ins", property(`sh:in (1), (2)`), shacl.CodeIllFormed, `expected one value, found 2`},

		// Shape-based
		{"node that is a literal", property(`sh:node "T"`), shacl.CodeIllFormed, `expected a shape, found "T"`},
		{"node that is a property shape", property(`sh:node ex:T`) + ` ex:T sh:path ex:q.`, shacl.CodeIllFormed, `expected a node shape, found a shape with sh:path`},
		{"property that is a literal", `ex:S sh:property "p".`, shacl.CodeIllFormed, `sh:property of ex:S: expected a shape, found "p"`},
		{"property that is a predicate", `ex:S sh:property ex:p.`, shacl.CodeIllFormed, `sh:property of ex:S: expected a property shape, found a node without sh:path`},
		{"qualified shape that is a literal", property(`sh:qualifiedValueShape "T"; sh:qualifiedMinCount 1`), shacl.CodeIllFormed, `expected a shape, found "T"`},
		{"two qualified shapes", property(`sh:qualifiedValueShape ex:T, ex:U; sh:qualifiedMinCount 1`), shacl.CodeIllFormed, `expected one value, found 2`},
		{"qualified count that is a string", property(`sh:qualifiedValueShape []; sh:qualifiedMinCount "1"`), shacl.CodeIllFormed, `expected an xsd:integer of 0 or more, found "1"`},
		{"two qualified counts", property(`sh:qualifiedValueShape []; sh:qualifiedMaxCount 1, 2`), shacl.CodeIllFormed, `expected one value, found 2`},
		{"qualified count without a shape", property(`sh:qualifiedMinCount 1`), shacl.CodeIllFormed, `expected sh:qualifiedValueShape beside it, found none`},
		{"qualified disjoint of a node shape that is no boolean", `ex:S sh:qualifiedValueShapesDisjoint "true".`, shacl.CodeIllFormed, `expected true or false, found "true"`},
		{"qualified disjoint that is no boolean", property(`sh:qualifiedValueShape []; sh:qualifiedMinCount 1; sh:qualifiedValueShapesDisjoint "1"^^xsd:boolean`), shacl.CodeIllFormed, `expected true or false, found "1"^^xsd:boolean`},
		{"qualified shape on a node shape", `ex:S sh:targetNode ex:x; sh:qualifiedValueShape [sh:class ex:C]; sh:qualifiedMinCount 1.`, shacl.CodeIllFormed,
			`sh:qualifiedValueShape of ex:S: expected it on a property shape, found it on a shape without sh:path`},

		// Other
		{"closed that is no boolean", `ex:S sh:closed "yes".`, shacl.CodeIllFormed, `sh:closed of ex:S: expected true or false, found "yes"`},
		{"closed by another spelling", `ex:S sh:closed "1"^^xsd:boolean.`, shacl.CodeIllFormed, `sh:closed of ex:S: expected true or false, found "1"^^xsd:boolean`},
		{"closed twice", `ex:S sh:closed true, false.`, shacl.CodeIllFormed, `sh:closed of ex:S: expected one value, found 2`},
		{"ignored properties that are no list", `ex:S sh:closed true; sh:ignoredProperties rdf:type.`, shacl.CodeIllFormed, `sh:ignoredProperties of ex:S: expected a list of IRIs, found rdf:type, which is no list`},
		{"ignored property that is a literal", `ex:S sh:closed true; sh:ignoredProperties ("type").`, shacl.CodeIllFormed, `sh:ignoredProperties of ex:S: expected a list of IRIs, found "type" in it`},
		{"two lists of ignored properties", `ex:S sh:closed true; sh:ignoredProperties (), (rdf:type).`, shacl.CodeIllFormed, `sh:ignoredProperties of ex:S: expected one value, found 2`},

		// Paths
		{"path that is a literal", `ex:S sh:path "p"; sh:minCount 1.`, shacl.CodeIllFormed, `sh:path of ex:S: expected a path, found "p"`},
		{"path that is an empty list", `ex:S sh:path (); sh:minCount 1.`, shacl.CodeIllFormed, `sh:path of ex:S: expected a path, found an empty list`},
		{"path without a form", `ex:S sh:path []; sh:minCount 1.`, shacl.CodeIllFormed, ``},
		{"path of an unknown form", `ex:S sh:path [sh:zeroOrMore ex:p].`, shacl.CodeIllFormed, ``},
		{"path of two forms", `ex:S sh:path [sh:inversePath ex:p; sh:zeroOrMorePath ex:p].`, shacl.CodeIllFormed, `sh:path of ex:S: expected a path of one form, found sh:inversePath and sh:zeroOrMorePath`},
		{"path of one form twice", `ex:S sh:path [sh:inversePath ex:p, ex:q].`, shacl.CodeIllFormed, `sh:path of ex:S: expected a path of one form, found sh:inversePath and sh:inversePath`},
		{"path with a further triple", `ex:S sh:path [sh:inversePath ex:p; rdfs:comment "c"].`, shacl.CodeIllFormed, `sh:path of ex:S: expected a path with one property, found one with 2`},
		{"sequence of one", `ex:S sh:path (ex:p).`, shacl.CodeIllFormed, `sh:path of ex:S: expected a list of two or more paths, found 1`},
		{"alternative of one", `ex:S sh:path [sh:alternativePath (ex:p)].`, shacl.CodeIllFormed, `sh:path of ex:S: expected a list of two or more paths, found 1`},
		{"alternative that is no list", `ex:S sh:path [sh:alternativePath ex:p].`, shacl.CodeIllFormed, `sh:path of ex:S: expected a list of paths, found ex:p, which is no list`},
		{"literal in a sequence", `ex:S sh:path (ex:p "q").`, shacl.CodeIllFormed, `sh:path of ex:S: expected a path, found "q"`},
		{"literal in a nested path", `ex:S sh:path (ex:p [sh:oneOrMorePath [sh:inversePath "q"]]).`, shacl.CodeIllFormed, `sh:path of ex:S: expected a path, found "q"`},
		{"path that contains itself", `ex:S sh:path _:p. _:p sh:inversePath _:p.`, shacl.CodeIllFormed, `sh:path of ex:S: expected a path, found a path that contains itself`},
		{"list of a path that contains itself", `ex:S sh:path _:p. _:p rdf:first _:p; rdf:rest (ex:q).`, shacl.CodeIllFormed, `sh:path of ex:S: expected a path, found a path that contains itself`},
		{"path property on the shape", `ex:S sh:targetNode ex:x; sh:inversePath ex:p.`, shacl.CodeIllFormed, `sh:inversePath of ex:S: expected it on the value of sh:path, found it on the shape itself`},
		{"bad path of a shape that only it makes one", `ex:S sh:path [].`, shacl.CodeIllFormed, ``},

		// Unknown terms
		{"misspelt parameter", property(`sh:mincount 1`), shacl.CodeUnknownTerm, `SHACL has no such property of shapes, did you mean sh:minCount?`},
		{"misspelt target", `ex:S sh:targetclass ex:C; sh:closed false.`, shacl.CodeUnknownTerm, `sh:targetclass of ex:S: SHACL has no such property of shapes, did you mean sh:targetClass?`},
		{"invented parameter", property(`sh:somethingElse 1`), shacl.CodeUnknownTerm, `SHACL has no such property of shapes`},
		{"parameter of a draft", property(`sh:memberShape ex:T`), shacl.CodeUnknownTerm, `SHACL has no such property of shapes`},
		{"misspelt class", `ex:S sh:targetNode ex:x; a sh:Nodeshape; sh:nodeKind sh:IRI.`, shacl.CodeUnknownTerm, `rdf:type sh:Nodeshape of ex:S: SHACL has no such class, did you mean sh:NodeShape?`},
		{"class of a draft, which would be a target", `ex:S a sh:ShapeClass; sh:property [sh:path ex:p; sh:minCount 1].`, shacl.CodeUnknownTerm, `rdf:type sh:ShapeClass of ex:S: SHACL has no such class`},
		{"term of reports", `ex:S sh:targetNode ex:x; sh:result [].`, shacl.CodeUnknownTerm, ``},

		// Unsupported features
		{"SPARQL constraint", `ex:S sh:targetNode ex:x; sh:sparql [sh:select "SELECT"].`, shacl.CodeUnsupported, `sh:sparql of ex:S: this feature of SHACL is not supported`},
		{"JavaScript constraint", `ex:S sh:targetNode ex:x; sh:js [].`, shacl.CodeUnsupported, `sh:js of ex:S: this feature of SHACL is not supported`},
		{"SPARQL target", `ex:S sh:closed false; sh:target [].`, shacl.CodeUnsupported, `sh:target of ex:S: this feature of SHACL is not supported`},
		{"rule", `ex:S sh:targetNode ex:x; sh:rule [].`, shacl.CodeUnsupported, `sh:rule of ex:S: this feature of SHACL is not supported`},
		{"expression", `ex:S sh:targetNode ex:x; sh:expression [].`, shacl.CodeUnsupported, `sh:expression of ex:S: this feature of SHACL is not supported`},
		{"in a deactivated shape, too", `ex:S sh:targetNode ex:x; sh:deactivated true; sh:sparql [].`, shacl.CodeUnsupported, `sh:sparql of ex:S: this feature of SHACL is not supported`},
		{"custom component", `ex:C a sh:ConstraintComponent; sh:parameter [sh:path ex:lang; sh:datatype xsd:string]. ex:S sh:targetNode ex:x; ex:lang "de".`, shacl.CodeUnsupported,
			`ex:lang of ex:S: the custom constraint component ex:C is not supported`},
		{"SPARQL constraint that alone makes a shape", `ex:S sh:sparql [sh:select "SELECT"].`, shacl.CodeUnsupported, `sh:sparql of ex:S: this feature of SHACL is not supported`},
		{"SPARQL constraint and target that alone make a shape", `ex:S sh:sparql [sh:select "SELECT"]; sh:target [sh:select "SELECT"].`, shacl.CodeUnsupported, `sh:sparql of ex:S: this feature of SHACL is not supported`},
		{"JavaScript constraint that alone makes a shape", `ex:S a rdfs:Class; sh:js [].`, shacl.CodeUnsupported, `sh:js of ex:S: this feature of SHACL is not supported`},
		{"expression that alone makes a shape", `ex:S sh:expression [].`, shacl.CodeUnsupported, `sh:expression of ex:S: this feature of SHACL is not supported`},
		{"query on a shape", `ex:S sh:targetNode ex:x; sh:ask "ASK".`, shacl.CodeUnsupported, `sh:ask of ex:S: this feature of SHACL is not supported`},
		{"custom component that alone makes a shape", `ex:C sh:parameter [sh:path ex:lang]. ex:S a rdfs:Class; ex:lang "de".`, shacl.CodeUnsupported, `ex:lang of ex:S: the custom constraint component ex:C is not supported`},
		{"custom component in the namespace of SHACL", `sh:C sh:parameter [sh:path ex:lang]. ex:S sh:targetNode ex:x; ex:lang "de".`, shacl.CodeUnsupported, `ex:lang of ex:S: the custom constraint component sh:C is not supported`},
		{"custom component with a parameter of SHACL Core", `ex:C sh:parameter [sh:path sh:minCount]. ex:S sh:path ex:p; sh:minCount 1.`, shacl.CodeUnsupported, `sh:minCount of ex:S: the custom constraint component ex:C is not supported`},
		{"custom component with a parameter that a component of SHACL Core has, too", `sh:MinCountConstraintComponent sh:parameter ex:P. ex:P sh:path sh:minCount. ex:C sh:parameter ex:P. ex:S sh:path ex:p; sh:minCount 1.`, shacl.CodeUnsupported, `sh:minCount of ex:S: the custom constraint component ex:C is not supported`},
		{"component of SHACL Core with a parameter of one's own", `sh:MinCountConstraintComponent sh:parameter [sh:path ex:least]. ex:S sh:path ex:p; ex:least 1; sh:minCount 1.`, shacl.CodeUnsupported, `ex:least of ex:S: the custom constraint component sh:MinCountConstraintComponent is not supported`},
		{"class of SHACL as a custom component", `sh:NodeShape sh:parameter [sh:path sh:minCount]. ex:S sh:path ex:p; sh:minCount 1.`, shacl.CodeUnsupported, `sh:minCount of ex:S: the custom constraint component sh:NodeShape is not supported`},
		{"entailment", `ex:G sh:entailment <http://www.w3.org/ns/entailment/RDFS>. ex:S sh:targetNode ex:x.`, shacl.CodeUnsupported,
			`sh:entailment <http://www.w3.org/ns/entailment/RDFS>: no entailment regime is supported`},

		// Recursion
		{"recursive by itself", `ex:S sh:node ex:S.`, shacl.CodeRecursive, `recursive shapes: ex:S -> ex:S`},
		{"recursive by a loop", `ex:A sh:node ex:B. ex:B sh:not ex:C. ex:C sh:or (ex:A).`, shacl.CodeRecursive, `recursive shapes: ex:A -> ex:B -> ex:C -> ex:A`},
		{"recursive by a property", `ex:S sh:property ex:P. ex:P sh:path ex:p; sh:node ex:S.`, shacl.CodeRecursive, `recursive shapes: ex:S -> ex:P -> ex:S`},
		{"recursive by and", `ex:S sh:and (ex:S).`, shacl.CodeRecursive, `recursive shapes: ex:S -> ex:S`},
		{"recursive by xone", `ex:S sh:xone (ex:S).`, shacl.CodeRecursive, `recursive shapes: ex:S -> ex:S`},
		{"recursive by a qualified shape", `ex:S sh:path ex:p; sh:qualifiedValueShape ex:S; sh:qualifiedMinCount 1.`, shacl.CodeRecursive, `recursive shapes: ex:S -> ex:S`},
		{"recursive behind a shape that is not", `ex:T sh:targetNode ex:x; sh:node ex:A. ex:A sh:node ex:A.`, shacl.CodeRecursive, `recursive shapes: ex:A -> ex:A`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ps := problems(t, c.shapes)
			i := 0
			for i < len(ps)-1 && ps[i].Code != c.code {
				i++
			}
			p := ps[i]
			assert.Equal(t, c.code, p.Code)
			assert.Truef(t, strings.HasSuffix(shortText(p.Text), c.text), "text: %s", shortText(p.Text))
			assert.Equal(t, "shapes.ttl", p.Place.File)
			assert.Equal(t, 2, p.Place.Line)
			assert.NotContains(t, p.Text, "_:")
		})
	}
}

func TestAllProblemsTogether(t *testing.T) {
	t.Parallel()
	ps := problems(t, `
ex:A sh:targetNode ex:x; sh:property [ sh:path ex:p;
	sh:minCount "1" ],
	[ sh:path "q" ].
ex:B sh:targetClass "C";
	sh:severity "high".
ex:C sh:node ex:C.`)
	var got []string
	for _, p := range ps {
		got = append(got, fmt.Sprintf("%d %s %s", p.Place.Line, p.Code, shortText("<"+p.Property+">")))
	}
	assert.Equal(t, []string{
		"4 ill-formed-shape sh:minCount",
		"5 ill-formed-shape sh:path",
		"6 ill-formed-shape sh:targetClass",
		"7 ill-formed-shape sh:severity",
		"8 recursive-shape <>",
	}, got)
	e := &shacl.CompileError{Problems: ps}
	assert.Equal(t, ps[0].Error()+" (and 4 more)", e.Error())
	assert.Contains(t, ps[0].Error(), "shapes.ttl:4:14: ")
}

// TestUnusedIsChecked refuses what is ill-formed where no target leads.
func TestUnusedIsChecked(t *testing.T) {
	t.Parallel()
	for name, shapes := range map[string]string{
		"a named shape without a target": `ex:S a sh:NodeShape; sh:datatype "x".`,
		"a blank shape":                  `[] a sh:NodeShape; sh:datatype "x".`,
		"an untyped one":                 `[] sh:datatype "x".`,
		"in a deactivated shape":         `ex:S sh:deactivated true; sh:targetNode ex:x; sh:datatype "x".`,
		"behind a deactivated shape":     `ex:S sh:deactivated true; sh:targetNode ex:x; sh:node [sh:datatype "x"].`,
		"by a subclass of sh:NodeShape":  `ex:MyShape rdfs:subClassOf sh:NodeShape. [] a ex:MyShape; sh:path ex:p.`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, shacl.CodeIllFormed, problems(t, shapes)[0].Code)
		})
	}
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	target := `ex:S sh:targetNode ex:x; `
	for _, c := range []struct {
		name, shapes string
		want         []string // line, code, property
	}{
		{"none", target + `sh:nodeKind sh:IRI; sh:property [sh:path ex:p; sh:minCount 1; sh:maxCount 2; sh:name "p"; sh:description "d"; sh:order 1; sh:group ex:g; sh:defaultValue 5].`, nil},
		{"no shapes", `ex:x ex:p 1.`, []string{"0 no-shapes <>"}},
		{"nothing at all", ``, []string{"0 no-shapes <>"}},
		{"no target", `ex:S a sh:NodeShape; sh:nodeKind sh:IRI.`, []string{"2 no-target <>"}},
		{"no target, but referred to", target + `sh:node ex:T. ex:T a sh:NodeShape; sh:nodeKind sh:IRI.`, nil},
		{"an owl:Class is no target", `ex:C a owl:Class, sh:NodeShape; sh:nodeKind sh:IRI.`, []string{"2 no-target <>", "2 no-target rdf:type"}},
		{"wrong namespace", `<urn:S> a <http://www.w3.org/ns/shaclNodeShape>; <http://www.w3.org/ns/shacltargetClass> ex:C.`,
			[]string{"0 no-shapes <>", "2 wrong-namespace <http://www.w3.org/ns/shaclNodeShape>", "2 wrong-namespace <http://www.w3.org/ns/shacltargetClass>"}},
		{"wrong scheme", target + `sh:nodeKind sh:IRI. ex:T <https://www.w3.org/ns/shacl#targetClass> ex:C.`, []string{"2 wrong-namespace <https://www.w3.org/ns/shacl#targetClass>"}},
		{"wrong host", target + `sh:nodeKind sh:IRI; <http://w3.org/ns/shacl#minLength> 9; <http://www.w3.org.example/ns/shacl#maxLength> 9; <http://ww.w3.org/ns/shacl/x> 1; <http://w3.org/ns/shacl-x#y> 1.`, []string{"2 wrong-namespace <http://w3.org/ns/shacl#minLength>", "2 wrong-namespace <http://ww.w3.org/ns/shacl/x>"}},
		{"wrong separator", `ex:T <http://www.w3.org/ns/shacl/targetNode> ex:C.`, []string{"0 no-shapes <>", "2 wrong-namespace <http://www.w3.org/ns/shacl/targetNode>"}},
		{"wrong separator of a parameter", target + `sh:nodeKind sh:IRI; <http://www.w3.org/ns/shacl/minLength> 9; <http://www.w3.org/NS/SHACL#maxLength> 9; <http://www.w3.org/ns/shacl-shacl#x> 1.`, []string{"2 wrong-namespace <http://www.w3.org/ns/shacl/minLength>", "2 wrong-namespace <http://www.w3.org/NS/SHACL#maxLength>"}},
		{"a property of that name elsewhere", target + `ex:targetClass ex:C.`, nil},
		{"shape that is not described", target + `sh:node ex:Missing.`, []string{"2 empty-shape <>"}},
		{"list in the place of a shape", target + `sh:node (ex:T).`, []string{"2 empty-shape <>"}},
		{"shape that is a shape and nothing else", target + `sh:node ex:T. ex:T a sh:NodeShape.`, nil},
		{"shape that says nothing but is there", target + `sh:node [sh:name "x"].`, nil},
		{"flags alone", target + `sh:flags "i".`, []string{"2 no-effect sh:flags"}},
		{"ignored properties alone", target + `sh:ignoredProperties ().`, []string{"2 no-effect sh:ignoredProperties"}},
		{"ignored properties of an open shape", target + `sh:closed false; sh:ignoredProperties ().`, nil},
		{"qualified shape alone", `ex:S sh:targetNode ex:x; sh:path ex:p; sh:qualifiedValueShape [sh:class ex:C].`, []string{"2 no-effect sh:qualifiedValueShape"}},
		{"qualified parameters on a node shape", target + `sh:qualifiedMinCount 1; sh:qualifiedMaxCount 2; sh:qualifiedValueShapesDisjoint "1"^^xsd:boolean.`,
			[]string{"2 tolerated sh:qualifiedMinCount", "2 tolerated sh:qualifiedMaxCount", "2 tolerated sh:qualifiedValueShapesDisjoint"}},
		{"minimum above maximum", target + `sh:property [sh:path ex:p; sh:minCount 2; sh:maxCount 1].`, []string{"2 unsatisfiable sh:maxCount"}},
		{"minimum length above maximum", target + `sh:minLength 2; sh:maxLength 1.`, []string{"2 unsatisfiable sh:maxLength"}},
		{"qualified minimum above maximum", target + `sh:property [sh:path ex:p; sh:qualifiedValueShape [sh:class ex:C]; sh:qualifiedMinCount 2; sh:qualifiedMaxCount 1].`, []string{"2 unsatisfiable sh:qualifiedMaxCount"}},
		{"bounds that cross", target + `sh:minInclusive 2; sh:maxInclusive 1.`, []string{"2 unsatisfiable sh:maxInclusive"}},
		{"bounds that meet", target + `sh:minInclusive 2; sh:maxInclusive 2.`, nil},
		{"exclusive bounds that meet", target + `sh:minExclusive 2; sh:maxInclusive 2.`, []string{"2 unsatisfiable sh:maxInclusive"}},
		{"bound of an unknown datatype", target + `sh:minInclusive "1"^^ex:dt.`, []string{"2 unsatisfiable sh:minInclusive"}},
		{"datatype that XSD has not", target + `sh:datatype xsd:sting.`, []string{"2 unknown-datatype sh:datatype"}},
		{"datatype of XSD that RDF does not recommend", target + `sh:datatype xsd:QName.`, nil},
		{"datatype of one's own", target + `sh:datatype ex:dt.`, nil},
		{"uniqueLang spelt 1", target + `sh:property [sh:path ex:p; sh:uniqueLang "1"^^xsd:boolean].`, []string{"2 tolerated sh:uniqueLang"}},
		{"list path with another path property", target + `sh:property [sh:path [rdf:first ex:p; rdf:rest (ex:q); sh:inversePath "bad"]].`, []string{"2 tolerated sh:inversePath"}},
		{"unused path", target + `sh:nodeKind sh:IRI. _:p sh:inversePath (_:p).`, []string{"2 unused-path sh:inversePath"}},
		{"unknown property where no shape is", target + `sh:nodeKind sh:IRI. ex:T sh:targetclass ex:C.`, []string{"2 unknown-shacl-term sh:targetclass"}},
		{"a report beside the shapes", target + `sh:nodeKind sh:IRI. [] a sh:ValidationReport; sh:conforms false; sh:result [a sh:ValidationResult; sh:focusNode ex:x; sh:resultSeverity sh:Violation].`, nil},
		{"import", target + `sh:nodeKind sh:IRI. ex:G owl:imports ex:Other.`, []string{"2 imports-ignored <http://www.w3.org/2002/07/owl#imports>"}},
		{"a query elsewhere", target + `sh:nodeKind sh:IRI. ex:f a sh:SPARQLFunction; sh:select "SELECT".`, nil},
		{"the SHACL vocabulary's own components", target + `sh:nodeKind sh:IRI. sh:MinCountConstraintComponent sh:parameter [sh:path sh:minCount].`, []string{"2 no-target <>"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := compile(t, c.shapes)
			var got []string
			for _, w := range p.Warnings() {
				got = append(got, fmt.Sprintf("%d %s %s", w.Place.Line, w.Code, shortText("<"+w.Property+">")))
				assert.NotEmpty(t, w.Text)
			}
			assert.Equal(t, c.want, got)
		})
	}
}

// TestToleratedDoesNothing checks that what is tolerated constrains nothing.
func TestToleratedDoesNothing(t *testing.T) {
	t.Parallel()
	runRows(t, []row{
		{"uniqueLang spelt 1", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:uniqueLang "1"^^xsd:boolean].`, `ex:x ex:p "a"@en, "b"@en.`, nil},
		{"qualified parameters on a node shape", `ex:S sh:targetNode ex:x; sh:qualifiedMinCount 5.`, ``, nil},
		{"the list wins", `ex:S sh:targetNode ex:x; sh:property [sh:path [rdf:first ex:p; rdf:rest (ex:q); sh:inversePath ex:p]; sh:in ()].`, `ex:x ex:p ex:y. ex:y ex:q ex:z. ex:w ex:p ex:x.`, []string{"ex:x ex:p/ex:q ex:z In"}},
	})
}

func TestCompileDepth(t *testing.T) {
	t.Parallel()
	chain := func(n int) string {
		var b strings.Builder
		for i := 1; i < n; i++ {
			fmt.Fprintf(&b, "ex:S%d sh:node ex:S%d. ", i, i+1)
		}
		fmt.Fprintf(&b, "ex:S1 sh:targetNode ex:x. ex:S%d sh:nodeKind sh:Literal.", n)
		return b.String()
	}
	path := func(n int) string {
		return `ex:S sh:targetNode ex:x; sh:path ` + strings.Repeat("[sh:inversePath ", n) + "ex:p" + strings.Repeat("]", n) + "."
	}
	// Each level has the one below it twice: 2^n parts on n nodes.
	shared := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "_:p%d rdf:first _:p%d; rdf:rest (_:p%d). ", i, i+1, i+1)
		}
		return fmt.Sprintf("ex:S sh:targetNode ex:x; sh:path _:p0; sh:minCount 1. %s _:p%d sh:inversePath ex:p.", b.String(), n)
	}
	for _, c := range []struct {
		name, shapes string
		depth        int
		limit        string // "": compiles
	}{
		{"32 shapes", chain(32), 0, ""},
		{"33 shapes", chain(33), 0, "shape nesting limit 32 exceeded"},
		{"40 shapes, raised", chain(40), 40, ""},
		{"6 shapes, lowered", chain(6), 5, "shape nesting limit 5 exceeded"},
		{"2,000 shapes, raised", chain(2000), 2000, ""},
		{"100,000 shapes", chain(100_000), 1 << 40, "shape nesting limit 10000 exceeded"},
		{"path of 32 levels", path(32), 0, ""},
		{"path of 33 levels", path(33), 0, "path nesting limit 32 exceeded"},
		{"path of 100,000 levels", path(100_000), 0, "path nesting limit 32 exceeded"},
		{"path whose parts are shared", shared(10), 0, ""},
		{"path whose parts are shared too often", shared(30), 0, "path length limit 4096 exceeded"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			limits := rdf.Local()
			limits.Nesting = 1 << 20
			p, err := shacl.Compile(graphWithin(t, c.shapes, limits), shacl.CompileOptions{MaxDepth: c.depth})
			if c.limit == "" {
				require.NoError(t, err)
				_, err = p.Validate(t.Context(), graph(t, "data.ttl", `ex:x ex:p ex:x.`), shacl.Options{MaxDepth: c.depth})
				require.NoError(t, err)
				return
			}
			var limit *shacl.LimitError
			require.ErrorAs(t, err, &limit)
			assert.Equal(t, c.limit, limit.Message())
			assert.False(t, limit.Place.IsZero())
			assert.Nil(t, p)
		})
	}
}

func TestCodes(t *testing.T) {
	t.Parallel()
	seen := map[shacl.Code]bool{}
	for _, c := range shacl.Codes() {
		assert.NotEmpty(t, c.Meaning(), c)
		assert.False(t, seen[c], "%s twice", c)
		seen[c] = true
	}
	assert.Empty(t, shacl.Code("other").Meaning())
}

func TestCompileErrorText(t *testing.T) {
	t.Parallel()
	_, err := shacl.Compile(graph(t, "s.ttl", `ex:S sh:targetClass "C".`), shacl.CompileOptions{})
	var limit *shacl.LimitError
	assert.False(t, errors.As(err, &limit))
	assert.EqualError(t, err, `s.ttl:2:21: sh:targetClass of <http://example.org/S>: expected an IRI, found "C"`)
}
