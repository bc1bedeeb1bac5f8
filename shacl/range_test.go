package shacl_test

import "testing"

func TestRange(t *testing.T) {
	t.Parallel()
	shape := func(c string) string { return `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:` + c + `].` }
	runRows(t, []row{
		{"minExclusive", shape("minExclusive 4"), `ex:x ex:p 3, 4, 5.`, []string{`ex:x ex:p "3"^^xsd:integer MinExclusive`, `ex:x ex:p "4"^^xsd:integer MinExclusive`}},
		{"minInclusive", shape("minInclusive 4"), `ex:x ex:p 3, 4, 5.`, []string{`ex:x ex:p "3"^^xsd:integer MinInclusive`}},
		{"maxExclusive", shape("maxExclusive 4"), `ex:x ex:p 3, 4, 5.`, []string{`ex:x ex:p "4"^^xsd:integer MaxExclusive`, `ex:x ex:p "5"^^xsd:integer MaxExclusive`}},
		{"maxInclusive", shape("maxInclusive 4"), `ex:x ex:p 3, 4, 5.`, []string{`ex:x ex:p "5"^^xsd:integer MaxInclusive`}},
		{"across numeric datatypes", shape("maxInclusive 4"), `ex:x ex:p 3.5, 4.0, 4.5, 4e0, "4"^^xsd:byte.`, []string{`ex:x ex:p "4.5"^^xsd:decimal MaxInclusive`}},
		{"an IRI cannot be compared", shape("minInclusive 4"), `ex:x ex:p ex:y.`, []string{"ex:x ex:p ex:y MinInclusive"}},
		{"nor a blank node", shape("minInclusive 4"), `ex:x ex:p [].`, []string{"ex:x ex:p [] MinInclusive"}},
		{"nor a string with a number", shape("minInclusive 4"), `ex:x ex:p "5".`, []string{`ex:x ex:p "5" MinInclusive`}},
		{"nor an ill-typed number", shape("minInclusive 4"), `ex:x ex:p "five"^^xsd:integer.`, []string{`ex:x ex:p "five"^^xsd:integer MinInclusive`}},
		{"nor NaN", shape("minInclusive 4"), `ex:x ex:p "NaN"^^xsd:double.`, []string{`ex:x ex:p "NaN"^^xsd:double MinInclusive`}},
		{"nor an unknown datatype", shape("minInclusive 4"), `ex:x ex:p "5"^^ex:dt.`, []string{`ex:x ex:p "5"^^ex:dt MinInclusive`}},
		{"dates", shape(`minInclusive "2024-02-01"^^xsd:date`), `ex:x ex:p "2024-01-31"^^xsd:date, "2024-02-01"^^xsd:date.`, []string{`ex:x ex:p "2024-01-31"^^xsd:date MinInclusive`}},
		{"a missing time zone may leave it open", shape(`minInclusive "2024-02-01T12:00:00Z"^^xsd:dateTime`),
			`ex:x ex:p "2024-02-01T13:00:00"^^xsd:dateTime, "2024-02-03T13:00:00"^^xsd:dateTime.`, []string{`ex:x ex:p "2024-02-01T13:00:00"^^xsd:dateTime MinInclusive`}},
		{"strings by code point", shape(`maxExclusive "b"`), `ex:x ex:p "a", "b", "B".`, []string{`ex:x ex:p "b" MaxExclusive`}},
		{"node shape", `ex:S sh:targetNode 3, 5; sh:minInclusive 4.`, ``, []string{`"3"^^xsd:integer - "3"^^xsd:integer MinInclusive`}},
		{"a bound that nothing can be compared with", shape(`minInclusive "5"^^ex:dt`), `ex:x ex:p "5"^^ex:dt.`, []string{`ex:x ex:p "5"^^ex:dt MinInclusive`}},
	})
}
