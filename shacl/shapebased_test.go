package shacl_test

import "testing"

func TestNodeAndProperty(t *testing.T) {
	t.Parallel()
	runRows(t, []row{
		{"node conforms", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:node ex:T]. ex:T sh:property [sh:path ex:q; sh:minCount 1].`, `ex:x ex:p ex:y. ex:y ex:q 1.`, nil},
		{"one result for a node with two faults", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:node ex:T]. ex:T sh:property [sh:path ex:q; sh:minCount 1], [sh:path ex:r; sh:minCount 1].`,
			`ex:x ex:p ex:y.`, []string{"ex:x ex:p ex:y Node"}},
		{"a result for every node", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:node ex:T]. ex:T sh:nodeKind sh:IRI.`,
			`ex:x ex:p ex:y, "a", "b".`, []string{`ex:x ex:p "a" Node`, `ex:x ex:p "b" Node`}},
		{"node of a node shape", `ex:S sh:targetNode ex:x; sh:node ex:T. ex:T sh:nodeKind sh:Literal.`, ``, []string{"ex:x - ex:x Node"}},
		{"properties report in the place of the shape that has them", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:property [sh:path ex:q; sh:minCount 1]].`,
			`ex:x ex:p ex:y, ex:z. ex:y ex:q 1.`, []string{"ex:z ex:q - MinCount"}},
		{"a shared property reports twice", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:property ex:T], [sh:path ex:q; sh:property ex:T]. ex:T sh:path ex:r; sh:minCount 1.`,
			`ex:x ex:p ex:y; ex:q ex:y.`, []string{"ex:y ex:r - MinCount", "ex:y ex:r - MinCount"}},
		{"a deactivated property", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:minCount 1; sh:deactivated true].`, ``, nil},
	})
}

func TestQualified(t *testing.T) {
	t.Parallel()
	shape := func(c string) string {
		return `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:qualifiedValueShape [sh:class ex:C]; ` + c + `].`
	}
	const data = `ex:x ex:p ex:a, ex:b, ex:c. ex:a a ex:C. ex:b a ex:C.`
	const disjoint = `ex:S sh:targetNode ex:x;
		sh:property [sh:path ex:p; sh:qualifiedValueShape [sh:class ex:C]; sh:qualifiedMinCount 1; sh:qualifiedMaxCount 1; sh:qualifiedValueShapesDisjoint true];
		sh:property [sh:path ex:p; sh:qualifiedValueShape [sh:class ex:D]; sh:qualifiedMinCount 2; sh:qualifiedMaxCount 2; sh:qualifiedValueShapesDisjoint true].`
	runRows(t, []row{
		{"enough", shape("sh:qualifiedMinCount 2"), data, nil},
		{"too few", shape("sh:qualifiedMinCount 3"), data, []string{"ex:x ex:p - QualifiedMinCount"}},
		{"not too many", shape("sh:qualifiedMaxCount 2"), data, nil},
		{"too many", shape("sh:qualifiedMaxCount 1"), data, []string{"ex:x ex:p - QualifiedMaxCount"}},
		{"both", shape("sh:qualifiedMinCount 3; sh:qualifiedMaxCount 1"), data, []string{"ex:x ex:p - QualifiedMinCount", "ex:x ex:p - QualifiedMaxCount"}},
		{"none", shape("sh:qualifiedMaxCount 0"), data, []string{"ex:x ex:p - QualifiedMaxCount"}},
		{"disjoint siblings", disjoint, `ex:x ex:p ex:a, ex:b, ex:c. ex:a a ex:C. ex:b a ex:D. ex:c a ex:D.`, nil},
		{"a node of two siblings counts for none", disjoint, `ex:x ex:p ex:a, ex:b, ex:c. ex:a a ex:C, ex:D. ex:b a ex:D. ex:c a ex:D.`, []string{"ex:x ex:p - QualifiedMinCount"}},
		{"a sibling that is the same shape is none", `ex:S sh:targetNode ex:x;
			sh:property [sh:path ex:p; sh:qualifiedValueShape ex:T; sh:qualifiedMinCount 1; sh:qualifiedValueShapesDisjoint true];
			sh:property [sh:path ex:q; sh:qualifiedValueShape ex:T; sh:qualifiedMinCount 1; sh:qualifiedValueShapesDisjoint true]. ex:T sh:class ex:C.`,
			`ex:x ex:p ex:a; ex:q ex:a. ex:a a ex:C.`, nil},
		{"a sibling of another parent", `ex:S sh:targetNode ex:x; sh:property ex:P. ex:S2 sh:property ex:P, [sh:path ex:z; sh:qualifiedValueShape [sh:class ex:D]; sh:qualifiedMinCount 1].
			ex:P sh:path ex:p; sh:qualifiedValueShape [sh:class ex:C]; sh:qualifiedMinCount 1; sh:qualifiedValueShapesDisjoint true.`,
			`ex:x ex:p ex:a. ex:a a ex:C, ex:D.`, []string{"ex:x ex:p - QualifiedMinCount"}},
	})
}
