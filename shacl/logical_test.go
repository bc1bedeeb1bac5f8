package shacl_test

import "testing"

func TestLogical(t *testing.T) {
	t.Parallel()
	shape := func(c string) string { return `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; ` + c + `].` }
	const integer, small = `[sh:datatype xsd:integer]`, `[sh:maxInclusive 5]`
	runRows(t, []row{
		{"not", shape(`sh:not ` + integer), `ex:x ex:p "a", 1.`, []string{`ex:x ex:p "1"^^xsd:integer Not`}},
		{"two nots", shape(`sh:not ` + integer + `, [sh:nodeKind sh:IRI]`), `ex:x ex:p 1, ex:y, "s".`, []string{`ex:x ex:p "1"^^xsd:integer Not`, "ex:x ex:p ex:y Not"}},
		{"not of a property shape", `ex:S sh:targetNode ex:x, ex:y; sh:not [sh:path ex:p; sh:minCount 1].`, `ex:x ex:p 1.`, []string{"ex:x - ex:x Not"}},
		{"not of a deactivated shape", shape(`sh:not [sh:datatype xsd:integer; sh:deactivated true]`), `ex:x ex:p "a".`, []string{`ex:x ex:p "a" Not`}},
		{"not of an empty shape", shape(`sh:not []`), `ex:x ex:p "a".`, []string{`ex:x ex:p "a" Not`}},
		{"and", shape(`sh:and (` + integer + small + `)`), `ex:x ex:p 1, 9, 2.5.`, []string{`ex:x ex:p "9"^^xsd:integer And`, `ex:x ex:p "2.5"^^xsd:decimal And`}},
		{"empty and", shape(`sh:and ()`), `ex:x ex:p 1.`, nil},
		{"or", shape(`sh:or (` + integer + small + `)`), `ex:x ex:p 1, 9, 2.5, 9.5.`, []string{`ex:x ex:p "9.5"^^xsd:decimal Or`}},
		{"empty or", shape(`sh:or ()`), `ex:x ex:p 1.`, []string{`ex:x ex:p "1"^^xsd:integer Or`}},
		{"two ors", shape(`sh:or (` + integer + `), (` + small + `)`), `ex:x ex:p 9, 2.5.`, []string{`ex:x ex:p "2.5"^^xsd:decimal Or`, `ex:x ex:p "9"^^xsd:integer Or`}},
		{"xone", shape(`sh:xone (` + integer + small + `)`), `ex:x ex:p 1, 9, 2.5, 9.5.`, []string{`ex:x ex:p "1"^^xsd:integer Xone`, `ex:x ex:p "9.5"^^xsd:decimal Xone`}},
		{"empty xone", shape(`sh:xone ()`), `ex:x ex:p 1.`, []string{`ex:x ex:p "1"^^xsd:integer Xone`}},
		{"the same shape twice", shape(`sh:xone (ex:T ex:T)`) + `ex:T sh:datatype xsd:integer.`, `ex:x ex:p 1, "a".`, []string{`ex:x ex:p "1"^^xsd:integer Xone`, `ex:x ex:p "a" Xone`}},
		{"node shape", `ex:S sh:targetNode 1, "a"; sh:or (` + integer + `).`, ``, []string{`"a" - "a" Or`}},
	})
}
