package shacl_test

import "testing"

func TestClass(t *testing.T) {
	t.Parallel()
	runRows(t, []row{
		{"instance", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:class ex:C].`, `ex:x ex:p ex:y. ex:y a ex:C.`, nil},
		{"no type", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:class ex:C].`, `ex:x ex:p ex:y.`, []string{"ex:x ex:p ex:y Class"}},
		{"other type", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:class ex:C].`, `ex:x ex:p ex:y. ex:y a ex:D.`, []string{"ex:x ex:p ex:y Class"}},
		{"subclass in the data", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:class ex:C].`,
			`ex:x ex:p ex:y. ex:y a ex:E. ex:E rdfs:subClassOf ex:D. ex:D rdfs:subClassOf ex:C.`, nil},
		{"superclass is not enough", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:class ex:C].`,
			`ex:x ex:p ex:y. ex:y a ex:D. ex:C rdfs:subClassOf ex:D.`, []string{"ex:x ex:p ex:y Class"}},
		{"loop of subclasses", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:class ex:C].`,
			`ex:x ex:p ex:y. ex:y a ex:D. ex:D rdfs:subClassOf ex:C. ex:C rdfs:subClassOf ex:D.`, nil},
		{"subclass in the shapes graph does not count", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:class ex:C]. ex:D rdfs:subClassOf ex:C.`,
			`ex:x ex:p ex:y. ex:y a ex:D.`, []string{"ex:x ex:p ex:y Class"}},
		{"literal", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:class ex:C].`, `ex:x ex:p "y".`, []string{`ex:x ex:p "y" Class`}},
		{"blank node", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:class ex:C].`, `ex:x ex:p [a ex:C], [].`, []string{"ex:x ex:p [] Class"}},
		{"several classes must all hold", `ex:S sh:targetNode ex:x; sh:class ex:C, ex:D.`, `ex:x a ex:C.`, []string{"ex:x - ex:x Class"}},
		{"node shape", `ex:S sh:targetNode ex:x, ex:y; sh:class ex:C.`, `ex:x a ex:C.`, []string{"ex:y - ex:y Class"}},
		{"more data than fits a scan", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:class ex:C].`,
			`ex:x ex:p ex:y, ex:z. ex:y a ex:E. ex:E rdfs:subClassOf ex:D. ex:D rdfs:subClassOf ex:C. ` + filler(40), []string{"ex:x ex:p ex:z Class"}},
	})
}

func TestDatatype(t *testing.T) {
	t.Parallel()
	shape := func(dt string) string {
		return `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:datatype ` + dt + `].`
	}
	runRows(t, []row{
		{"right", shape("xsd:integer"), `ex:x ex:p 1, 02, -3.`, nil},
		{"other datatype", shape("xsd:integer"), `ex:x ex:p 1.0.`, []string{`ex:x ex:p "1.0"^^xsd:decimal Datatype`}},
		{"derived datatype is another", shape("xsd:integer"), `ex:x ex:p "1"^^xsd:int.`, []string{`ex:x ex:p "1"^^xsd:int Datatype`}},
		{"ill-typed", shape("xsd:integer"), `ex:x ex:p "one"^^xsd:integer.`, []string{`ex:x ex:p "one"^^xsd:integer Datatype`}},
		{"30 February", shape("xsd:date"), `ex:x ex:p "2024-02-30"^^xsd:date, "2024-02-29"^^xsd:date.`, []string{`ex:x ex:p "2024-02-30"^^xsd:date Datatype`}},
		{"IRI", shape("xsd:integer"), `ex:x ex:p ex:y.`, []string{"ex:x ex:p ex:y Datatype"}},
		{"blank node", shape("xsd:string"), `ex:x ex:p [].`, []string{"ex:x ex:p [] Datatype"}},
		{"string", shape("xsd:string"), `ex:x ex:p "a", "b"@en.`, []string{`ex:x ex:p "b"@en Datatype`}},
		{"language-tagged string", shape("rdf:langString"), `ex:x ex:p "a", "b"@en.`, []string{`ex:x ex:p "a" Datatype`}},
		{"unknown datatype: only the IRI counts", shape("ex:dt"), `ex:x ex:p "anything"^^ex:dt, "y"^^ex:other.`, []string{`ex:x ex:p "y"^^ex:other Datatype`}},
		{"datatype that the data lacks", shape("ex:dt"), `ex:x ex:p "y".`, []string{`ex:x ex:p "y" Datatype`}},
		{"focus node that is a literal", `ex:S sh:targetNode 1, "1", "x"^^xsd:integer; sh:datatype xsd:integer.`, `ex:x ex:p 1.`,
			[]string{`"1" - "1" Datatype`, `"x"^^xsd:integer - "x"^^xsd:integer Datatype`}},
	})
}

func TestNodeKind(t *testing.T) {
	t.Parallel()
	shape := func(kind string) string {
		return `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:nodeKind sh:` + kind + `].`
	}
	const data = `ex:x ex:p ex:y, "z", [].`
	const iri, literal, blank = "ex:x ex:p ex:y NodeKind", `ex:x ex:p "z" NodeKind`, "ex:x ex:p [] NodeKind"
	runRows(t, []row{
		{"IRI", shape("IRI"), data, []string{literal, blank}},
		{"Literal", shape("Literal"), data, []string{iri, blank}},
		{"BlankNode", shape("BlankNode"), data, []string{iri, literal}},
		{"BlankNodeOrIRI", shape("BlankNodeOrIRI"), data, []string{literal}},
		{"BlankNodeOrLiteral", shape("BlankNodeOrLiteral"), data, []string{iri}},
		{"IRIOrLiteral", shape("IRIOrLiteral"), data, []string{blank}},
		{"node shape", `ex:S sh:targetNode ex:x, "l"; sh:nodeKind sh:Literal.`, ``, []string{"ex:x - ex:x NodeKind"}},
	})
}
