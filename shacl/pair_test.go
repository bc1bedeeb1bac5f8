package shacl_test

import "testing"

func TestEquals(t *testing.T) {
	t.Parallel()
	shape := `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:equals ex:q].`
	runRows(t, []row{
		{"same sets", shape, `ex:x ex:p 1, ex:y; ex:q ex:y, 1.`, nil},
		{"both directions", shape, `ex:x ex:p 1.0, "s"; ex:q 1.00, "s", "extra".`,
			[]string{`ex:x ex:p "1.0"^^xsd:decimal Equals`, `ex:x ex:p "1.00"^^xsd:decimal Equals`, `ex:x ex:p "extra" Equals`}},
		{"both empty", shape, ``, nil},
		{"language tags without regard to case", shape, `ex:x ex:p "a"@en; ex:q "a"@EN.`, nil},
		{"other text", shape, `ex:x ex:p "a"@en; ex:q "b"@en.`, []string{`ex:x ex:p "a"@en Equals`, `ex:x ex:p "b"@en Equals`}},
		{"node shape", `ex:S sh:targetNode ex:x, ex:y; sh:equals ex:p.`, `ex:x ex:p ex:x. ex:y ex:p ex:z.`, []string{"ex:y - ex:y Equals", "ex:y - ex:z Equals"}},
		{"two properties", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:equals ex:q, ex:r].`, `ex:x ex:p 1; ex:q 1.`, []string{`ex:x ex:p "1"^^xsd:integer Equals`}},
	})
}

func TestDisjoint(t *testing.T) {
	t.Parallel()
	shape := `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:disjoint ex:q].`
	runRows(t, []row{
		{"disjoint", shape, `ex:x ex:p 1; ex:q 01.`, nil},
		{"shared", shape, `ex:x ex:p 1, 2; ex:q 2, 3.`, []string{`ex:x ex:p "2"^^xsd:integer Disjoint`}},
		{"language tags without regard to case", shape, `ex:x ex:p "a"@en; ex:q "a"@EN.`, []string{`ex:x ex:p "a"@en Disjoint`}},
		{"node shape", `ex:S sh:targetNode ex:x; sh:disjoint ex:p.`, `ex:x ex:p ex:x.`, []string{"ex:x - ex:x Disjoint"}},
	})
}

func TestLessThan(t *testing.T) {
	t.Parallel()
	shape := func(c string) string {
		return `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:` + c + ` ex:q].`
	}
	runRows(t, []row{
		{"less", shape("lessThan"), `ex:x ex:p 1; ex:q 2.`, nil},
		{"equal", shape("lessThan"), `ex:x ex:p 2; ex:q 2.`, []string{`ex:x ex:p "2"^^xsd:integer LessThan`}},
		{"equal is enough", shape("lessThanOrEquals"), `ex:x ex:p 2; ex:q 2.0.`, nil},
		{"greater", shape("lessThanOrEquals"), `ex:x ex:p 3; ex:q 2.`, []string{`ex:x ex:p "3"^^xsd:integer LessThanOrEquals`}},
		{"a result a pair", shape("lessThan"), `ex:x ex:p 1, 3; ex:q 2, 3.`, []string{`ex:x ex:p "3"^^xsd:integer LessThan`, `ex:x ex:p "3"^^xsd:integer LessThan`}},
		{"cannot be compared", shape("lessThan"), `ex:x ex:p 1; ex:q "a", ex:y.`, []string{`ex:x ex:p "1"^^xsd:integer LessThan`, `ex:x ex:p "1"^^xsd:integer LessThan`}},
		{"nothing to compare with", shape("lessThan"), `ex:x ex:p 1.`, nil},
		{"ill-typed", shape("lessThan"), `ex:x ex:p "one"^^xsd:integer; ex:q 2.`, []string{`ex:x ex:p "one"^^xsd:integer LessThan`}},
	})
}
