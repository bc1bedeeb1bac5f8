package vectors_test

import "strings"

// documentVectors are Protocol Documents that may be accepted, and those that may not: they
// are malformed, or their shapes mean less than they seem to.
func documentVectors(s *ownSuite) {
	const prefixes = `@prefix a2a: <https://w3id.org/jeswr/a2a#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix ex: <https://example.org/#> .
`
	const minimal = prefixes + `ex:pd a a2a:ProtocolDocument ; a2a:requestShape ex:R ; a2a:responseShape ex:S .
ex:R a sh:NodeShape ; sh:targetClass a2a:Intent ; sh:property ex:P .
ex:P sh:path a2a:action ; sh:minCount 1 .
ex:S a sh:NodeShape ; sh:targetClass ex:Done ; sh:property [ sh:path ex:p ; sh:minCount 1 ] .
`
	add := func(name, base, title, clause, text string, expected object) {
		s.cases = append(s.cases, ownCase{
			name: "document-" + name, base: prefixed("document-", base), operation: "review-document", title: title, clause: clause, input: object{"document": "document.ttl"}, expected: expected,
			files: map[string]string{"document.ttl": text},
		})
	}
	good := func(name, title, clause, more string) {
		add(name, "", title, clause, minimal+more+"\n", object{"ok": true})
	}
	none := object{"ok": false, "code": "invalid-protocol-document"}
	bad := func(name, base, title, clause, more string) {
		add(name, base, title, clause, minimal+more+"\n", none)
	}
	change := func(name, title, clause, from, to string) {
		add(name, "minimal", title, clause, replaceOnce(from, to)(minimal), none)
	}
	review := func(name, base, title, more, code string) {
		add(name, base, title, "PD-11, VAL-6", minimal+more+"\n", object{"ok": false, "errors": []string{code}})
	}

	add("minimal", "", "a document with two shapes", "PD-1", minimal, object{"ok": true})
	change("none", "no Protocol Document", "PD-1", "ex:pd a a2a:ProtocolDocument ;", "ex:pd")
	change("type-literal", "a literal for the class of the document", "PD-1", "a a2a:ProtocolDocument", `a "https://w3id.org/jeswr/a2a#ProtocolDocument"`)
	change("blank", "a blank node for the document", "PD-2", "ex:pd a", "[] a")
	bad("two", "minimal", "two documents", "PD-1", "ex:pd2 a a2a:ProtocolDocument .")
	change("no-request-shape", "no request shape", "PD-3", "a2a:requestShape ex:R ; ", "")
	bad("two-request-shapes", "minimal", "two request shapes", "PD-3", "ex:pd a2a:requestShape ex:S .")
	change("shape-literal", "a literal for the request shape", "PD-5", "a2a:requestShape ex:R", `a2a:requestShape "R"`)
	change("shape-no-class", "a request shape without a class", "PD-5", "ex:R a sh:NodeShape ;", "ex:R")
	change("shape-class-literal", "a literal for the class of the request shape", "PD-5", "ex:R a sh:NodeShape ;", `ex:R a "http://www.w3.org/ns/shacl#NodeShape" ;`)
	change("shape-missing", "a request shape that is not described", "PD-5", "a2a:requestShape ex:R", "a2a:requestShape ex:Missing")
	bad("two-response-shapes", "minimal", "two response shapes", "PD-4", "ex:pd a2a:responseShape ex:R .")
	change("empty", "a request shape without a constraint", "PD-12", "sh:path a2a:action ; sh:minCount 1 .", "sh:path a2a:action .")
	change("empty-minimum", "a request shape that demands at least nothing", "PD-12", "sh:path a2a:action ; sh:minCount 1 .", "sh:path a2a:action ; sh:minCount 0 .")
	bad("deactivated", "minimal", "a request shape that is deactivated", "PD-12", "ex:R sh:deactivated true .")

	// A reference to a node that is not a shape is one to a shape that demands nothing.
	const refers = "ex:P sh:node ex:N . "
	good("refers", "a shape that refers to one that is described by its constraints alone", "PD-6", refers+"ex:N sh:nodeKind sh:BlankNode .")
	bad("refers-missing", "refers", "a shape that refers to one that is not described", "PD-6", refers)
	bad("refers-label", "refers", "a shape that refers to one of which a label is known", "PD-6", refers+`ex:N rdfs:label "n" .`)
	bad("refers-class", "refers", "a shape that refers to one of a class that is none of shapes", "PD-6", refers+"ex:N a ex:Shape .")
	bad("refers-namespace", "refers", "a shape that refers to one that is described under another namespace", "PD-6", refers+"ex:N <https://www.w3.org/ns/shacl#nodeKind> sh:BlankNode .")
	good("refers-typed", "a shape that refers to one by its class alone", "PD-6", refers+"ex:N a sh:NodeShape .")
	good("refers-or", "a list of alternatives that are described", "PD-6", "ex:P sh:or ( ex:N ex:S ) . ex:N sh:nodeKind sh:BlankNode .")
	bad("refers-or-label", "refers-or", "an alternative of which a label is known", "PD-6", `ex:P sh:or ( ex:N ex:S ) . ex:N rdfs:label "n" .`)
	bad("refers-not-label", "minimal", "the negation of a shape of which a label is known", "PD-6", `ex:P sh:not ex:N . ex:N rdfs:label "n" .`)
	bad("refers-unused", "minimal", "a shape that nothing uses, which refers to one that is not described", "PD-6", "ex:U a sh:NodeShape ; sh:node ex:Missing .")
	bad("recursive", "minimal", "a shape that leads back to itself", "PD-12", "ex:P sh:node ex:R .")
	bad("list-cycle", "refers-or", "a list that leads back to itself", "PD-6", "ex:P sh:or _:l . _:l rdf:first ex:S ; rdf:rest _:l .")

	// What is not evaluated, and what only looks like SHACL.
	good("titles", "two titles, of which one is no text: they are for people", "PD-9", `ex:pd <http://purl.org/dc/terms/title> "a", ex:t .`)
	good("version", "a version, which is a label", "PD-8", `ex:pd <http://purl.org/dc/terms/hasVersion> "2" .`)
	add("untargeted", "", "a request shape without a target", "PD-13", replaceOnce("sh:targetClass a2a:Intent ; ", "")(minimal), object{"ok": true})
	good("imports", "an import, which is not followed", "PD-7", "ex:pd owl:imports <https://alice.example/q> .")
	good("other-triples", "triples about something else", "PD-14", `ex:x ex:y ex:z . ex:R rdfs:label "r" .`)
	for _, row := range []struct{ name, title, more string }{
		{"sparql", "a constraint in SPARQL", `ex:R sh:sparql [ sh:select "SELECT $this WHERE {}" ] .`},
		{"js", "a constraint in JavaScript", `ex:R sh:js [ sh:jsFunctionName "f" ] .`},
		{"component", "a component of its own", `ex:C a sh:ConstraintComponent ; sh:parameter [ sh:path ex:max ] ; sh:validator [ sh:ask "ASK {}" ] . ex:R ex:max 1 .`},
		{"rule", "a rule", `ex:R sh:rule [ a sh:TripleRule ] .`},
		{"target", "a target that SHACL Core does not have", `ex:R sh:target [ a sh:SPARQLTarget ] .`},
		{"entailment", "an entailment regime", `ex:pd sh:entailment <http://www.w3.org/ns/entailment/RDFS> .`},
		{"misspelt", "a parameter that SHACL does not have", `ex:R sh:maxCuont 1 .`},
		{"negative", "a count below nothing", `ex:P sh:maxCount -1 .`},
		{"pattern", "a pattern that is none", `ex:P sh:pattern "(" .`},
	} {
		bad("feature-"+row.name, "minimal", row.title, "PD-11", row.more)
	}
	const property = "ex:R sh:property ex:Q . ex:Q sh:path ex:q ; sh:maxCount 3 "
	good("counts", "as many as at most", "VAL-6", property+"; sh:minCount 3 .")
	review("counts-unsatisfiable", "counts", "more than at most", property+"; sh:minCount 4 .", "unsatisfiable")
	good("lengths", "as long as at most", "VAL-6", property+"; sh:minLength 2 ; sh:maxLength 2 .")
	review("lengths-unsatisfiable", "lengths", "longer than at most", property+"; sh:minLength 3 ; sh:maxLength 2 .", "unsatisfiable")
	good("boolean", "a boolean", "PD-11, VAL-6", property+"; sh:uniqueLang true .")
	review("boolean-one", "boolean", "a boolean that is spelt 1, which has no effect", property+`; sh:uniqueLang "1"^^xsd:boolean .`, "tolerated")
	good("qualified", "a count of qualified values with its shape", "PD-11, VAL-6", "ex:P sh:qualifiedValueShape [ sh:nodeKind sh:IRI ] ; sh:qualifiedMinCount 1 .")
	review("qualified-node-shape", "qualified", "a count of qualified values on a node shape, where it has no effect", "ex:R sh:qualifiedMinCount 1 .", "tolerated")
	const listed = "ex:R sh:property [ sh:path "
	good("path", "a path of two steps", "PD-11, VAL-6", listed+"[ rdf:first ex:p ; rdf:rest ( ex:q ) ] ; sh:maxCount 3 ] .")
	review("path-two", "path", "a path of two steps that is another path as well", listed+"[ rdf:first ex:p ; rdf:rest ( ex:q ) ; sh:inversePath ex:p ] ; sh:maxCount 3 ] .", "tolerated")
	good("closure", "a path that repeats", "VAL-6", listed+"[ sh:zeroOrMorePath ex:p ] ; sh:maxCount 3 ] .")
	review("closure-nested", "closure", "a path that repeats within one that repeats", listed+"[ sh:zeroOrMorePath [ sh:oneOrMorePath ex:p ] ] ; sh:maxCount 3 ] .", "nested-path-closure")
	good("namespace", "a parameter", "PD-11, VAL-6", "ex:P sh:maxCount 1 .")
	for _, row := range []struct{ name, title, iri string }{
		{"https", "a parameter under https", "https://www.w3.org/ns/shacl#maxCount"}, {"slash", "a parameter behind a slash", "http://www.w3.org/ns/shacl/maxCount"}, {"host", "a parameter of another host of W3C", "http://w3.org/ns/shacl#maxCount"},
	} {
		review("namespace-"+row.name, "namespace", row.title+", which has no effect", "ex:P <"+row.iri+"> 1 .", "wrong-namespace")
	}
	warned := strings.Repeat("ex:R sh:property [ sh:path ex:w ; sh:minCount 0 ; sh:flags \"i\" ] .\n", 200)
	good("warned", "two hundred shapes that are warned of", "VAL-6", warned+"ex:P sh:maxCount 1 .")
	review("warned-namespace", "warned", "a parameter in another namespace behind two hundred warnings", warned+"ex:P <https://www.w3.org/ns/shacl#maxCount> 1 .", "wrong-namespace")
}
