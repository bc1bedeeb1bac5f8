package shacl_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/shacl"
)

func TestClosed(t *testing.T) {
	t.Parallel()
	runRows(t, []row{
		{"only listed predicates", `ex:S sh:targetNode ex:x; sh:closed true; sh:property [sh:path ex:p].`, `ex:x ex:p 1.`, nil},
		{"another predicate", `ex:S sh:targetNode ex:x; sh:closed true; sh:property [sh:path ex:p].`, `ex:x ex:p 1; ex:q 2, 3.`,
			[]string{`ex:x ex:q "2"^^xsd:integer Closed`, `ex:x ex:q "3"^^xsd:integer Closed`}},
		{"ignored properties", `ex:S sh:targetNode ex:x; sh:closed true; sh:ignoredProperties (rdf:type ex:q); sh:property [sh:path ex:p].`, `ex:x a ex:C; ex:p 1; ex:q 2.`, nil},
		{"many ignored properties", `ex:S sh:targetNode ex:x; sh:closed true; sh:ignoredProperties (ex:i1 ex:i2 ex:i3 ex:i4 ex:i5 ex:i6 ex:i7 ex:i8 ex:i9 ex:i10 ex:i11 ex:i12 ex:p).`,
			`ex:i1 ex:i2 ex:i3. ex:i4 ex:i5 ex:i6. ex:i7 ex:i8 ex:i9. ex:i10 ex:i11 ex:i12. ex:z ex:q ex:z. ex:x ex:i1 1; ex:i10 2; ex:i12 3; ex:p 4; ex:q 5.`, []string{`ex:x ex:q "5"^^xsd:integer Closed`}},
		{"rdf:type is not ignored by itself", `ex:S sh:targetNode ex:x; sh:closed true.`, `ex:x a ex:C.`, []string{"ex:x rdf:type ex:C Closed"}},
		{"false does nothing", `ex:S sh:targetNode ex:x; sh:closed false; sh:ignoredProperties (rdf:type).`, `ex:x ex:q 2.`, nil},
		{"a longer path allows nothing", `ex:S sh:targetNode ex:x; sh:closed true; sh:property [sh:path [sh:alternativePath (ex:a ex:b)]], [sh:path [sh:inversePath ex:c]].`, `ex:x ex:a 1; ex:c 2.`,
			[]string{`ex:x ex:a "1"^^xsd:integer Closed`, `ex:x ex:c "2"^^xsd:integer Closed`}},
		{"a deactivated property allows its path", `ex:S sh:targetNode ex:x; sh:closed true; sh:property [sh:path ex:p; sh:deactivated true].`, `ex:x ex:p 1.`, nil},
		{"on a property shape the value nodes are closed", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:closed true; sh:property [sh:path ex:q]].`, `ex:x a ex:C; ex:p ex:y. ex:y ex:q 1; ex:r 2.`,
			[]string{`ex:x ex:r "2"^^xsd:integer Closed`}},
		{"many focus nodes", `ex:S sh:targetSubjectsOf ex:p; sh:closed true; sh:property [sh:path ex:p].`, `ex:a ex:p 1. ex:b ex:p 1; ex:q 1. ex:c ex:p 1.`, []string{`ex:b ex:q "1"^^xsd:integer Closed`}},
	})
}

func TestClosedHint(t *testing.T) {
	t.Parallel()
	r := validate(t, `ex:S sh:targetNode ex:x; sh:closed true; sh:property [sh:path (ex:a ex:b)].`, `ex:x ex:a 1; ex:z 1.`)
	assert.Equal(t, "the closed shape does not allow ex:a: it is part of a longer path, and only a path that is one predicate allows it", r.Results[0].Reason(short))
	assert.Equal(t, "the closed shape does not allow ex:z", r.Results[1].Reason(short))
}

func TestHasValue(t *testing.T) {
	t.Parallel()
	shape := func(v string) string {
		return `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:hasValue ` + v + `].`
	}
	runRows(t, []row{
		{"there", shape("ex:y"), `ex:x ex:p ex:y, ex:z.`, nil},
		{"not there", shape("ex:y"), `ex:x ex:p ex:z.`, []string{"ex:x ex:p - HasValue"}},
		{"no values", shape("ex:y"), ``, []string{"ex:x ex:p - HasValue"}},
		{"terms, not values", shape("true"), `ex:x ex:p "1"^^xsd:boolean.`, []string{"ex:x ex:p - HasValue"}},
		{"two values", shape("ex:y, ex:z"), `ex:x ex:p ex:y.`, []string{"ex:x ex:p - HasValue"}},
		{"language tags without regard to case", shape(`"a"@EN`), `ex:x ex:p "a"@en.`, nil},
		{"another language", shape(`"a"@EN`), `ex:x ex:p "a"@de.`, []string{"ex:x ex:p - HasValue"}},
		{"a blank node of the data is none of the shapes", shape(`_:b`), `ex:x ex:p _:b.`, []string{"ex:x ex:p - HasValue"}},
		{"among many", shape("ex:n30"), `ex:x ex:p ` + nodes(40) + `.`, nil},
		{"node shape", `ex:S sh:targetNode ex:x, ex:y; sh:hasValue ex:x.`, ``, []string{"ex:y - - HasValue"}},
	})
}

func TestIn(t *testing.T) {
	t.Parallel()
	shape := func(v string) string {
		return `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:in (` + v + `)].`
	}
	long := strings.Repeat("ex:other ", 9)
	runRows(t, []row{
		{"listed", shape(`ex:y 1 "a"`), `ex:x ex:p ex:y, 1, "a".`, nil},
		{"terms, not values", shape(`1 2 "x"@en`), `ex:x ex:p 1, 01, 1.0, "x", "x"@en.`,
			[]string{`ex:x ex:p "01"^^xsd:integer In`, `ex:x ex:p "1.0"^^xsd:decimal In`, `ex:x ex:p "x" In`}},
		{"empty list", shape(``), `ex:x ex:p 1.`, []string{`ex:x ex:p "1"^^xsd:integer In`}},
		{"language tags without regard to case", shape(`"a"@EN`), `ex:x ex:p "a"@en, "a"@En, "a".`, []string{`ex:x ex:p "a" In`}},
		{"long list", shape(long + `1 "a"@EN "b"`), `ex:x ex:p ex:other, 1, "a"@en, "b", 2, "b"@en.`, []string{`ex:x ex:p "2"^^xsd:integer In`, `ex:x ex:p "b"@en In`}},
		{"a blank node of the data is none of the shapes", shape(`_:b`), `ex:x ex:p _:b.`, []string{"ex:x ex:p [] In"}},
		{"nor in a long list", shape(long + `_:b`), `ex:x ex:p _:b.`, []string{"ex:x ex:p [] In"}},
		{"node shape", `ex:S sh:targetNode ex:x, ex:y; sh:in (ex:x).`, ``, []string{"ex:y - ex:y In"}},
		{"node shape, long list", `ex:S sh:targetNode ex:x, ex:y; sh:in (` + long + `ex:x).`, ``, []string{"ex:y - ex:y In"}},
	})
}

// nodes lists n IRIs as objects.
func nodes(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = "ex:n" + strconv.Itoa(i)
	}
	return strings.Join(all, ", ")
}

func TestBlankNodesOfOneGraph(t *testing.T) {
	t.Parallel()
	g := graph(t, "both.ttl", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:hasValue _:b; sh:in (_:b)], [sh:path ex:q; sh:in (1 2 3 4 5 6 7 8 9 _:b)].
		ex:x ex:p _:b; ex:q _:b.`)
	p, err := shacl.Compile(g, shacl.CompileOptions{})
	require.NoError(t, err)
	r, err := p.Validate(t.Context(), g, shacl.Options{})
	require.NoError(t, err)
	assert.True(t, r.Conforms(), "%v", lines(r.Results))
}
