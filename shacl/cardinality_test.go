package shacl_test

import "testing"

func TestMinAndMaxCount(t *testing.T) {
	t.Parallel()
	shape := func(c string) string { return `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; ` + c + `].` }
	runRows(t, []row{
		{"min met", shape("sh:minCount 1"), `ex:x ex:p 1.`, nil},
		{"min not met", shape("sh:minCount 2"), `ex:x ex:p 1.`, []string{"ex:x ex:p - MinCount"}},
		{"min of 0", shape("sh:minCount 0"), ``, nil},
		{"no value at all", shape("sh:minCount 1"), ``, []string{"ex:x ex:p - MinCount"}},
		{"max met", shape("sh:maxCount 2"), `ex:x ex:p 1, 2.`, nil},
		{"max exceeded", shape("sh:maxCount 1"), `ex:x ex:p 1, 2.`, []string{"ex:x ex:p - MaxCount"}},
		{"max of 0", shape("sh:maxCount 0"), `ex:x ex:p 1.`, []string{"ex:x ex:p - MaxCount"}},
		{"min and max", shape("sh:minCount 1; sh:maxCount 1"), `ex:x ex:p 1.`, nil},
		{"terms are counted, not values", shape("sh:maxCount 1"), `ex:x ex:p 1, 01.`, []string{"ex:x ex:p - MaxCount"}},
		{"a node that two ways lead to counts once",
			`ex:S sh:targetNode ex:x; sh:property [sh:path (ex:p ex:q); sh:maxCount 1].`, `ex:x ex:p ex:a, ex:b. ex:a ex:q ex:c. ex:b ex:q ex:c.`, nil},
		{"other spellings of an integer", shape(`sh:minCount "+01"^^xsd:integer`), `ex:x ex:p 1.`, nil},
		{"more than fits", shape(`sh:minCount 99999999999999999999`), `ex:x ex:p 1.`, []string{"ex:x ex:p - MinCount"}},
	})
}
