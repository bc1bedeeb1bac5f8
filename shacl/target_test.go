package shacl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/shacl"
)

// TestTargets finds the focus nodes: each one violates a shape that nothing
// conforms to.
func TestTargets(t *testing.T) {
	t.Parallel()
	shape := func(targets string) string { return `ex:S ` + targets + `; sh:in ().` }
	runRows(t, []row{
		{"node", shape(`sh:targetNode ex:x`), `ex:x a ex:C. ex:y a ex:C.`, []string{"ex:x - ex:x In"}},
		{"node that the data lacks", shape(`sh:targetNode ex:ghost`), `ex:y a ex:C.`, []string{"ex:ghost - ex:ghost In"}},
		{"node that is a literal", shape(`sh:targetNode "a"@en, 5`), `ex:y ex:p 5.`, []string{`"5"^^xsd:integer - "5"^^xsd:integer In`, `"a"@en - "a"@en In`}},
		{"class", shape(`sh:targetClass ex:C`), `ex:x a ex:C. ex:y a ex:D. [] a ex:C.`, []string{"ex:x - ex:x In", "[] - [] In"}},
		{"subclass in the data", shape(`sh:targetClass ex:C`), `ex:x a ex:E. ex:E rdfs:subClassOf ex:D. ex:D rdfs:subClassOf ex:C.`, []string{"ex:x - ex:x In"}},
		{"class and subclass at once", shape(`sh:targetClass ex:C`), `ex:x a ex:C, ex:D. ex:D rdfs:subClassOf ex:C.`, []string{"ex:x - ex:x In"}},
		{"subclass in the shapes graph", shape(`sh:targetClass ex:C`) + `ex:D rdfs:subClassOf ex:C.`, `ex:x a ex:D.`, nil},
		{"implicit class", `ex:C a rdfs:Class, sh:NodeShape; sh:in ().`, `ex:x a ex:C. ex:y a ex:D. ex:D rdfs:subClassOf ex:C.`, []string{"ex:x - ex:x In", "ex:y - ex:y In"}},
		{"implicit class by a metaclass", `ex:C a owl:Class, sh:NodeShape; sh:in (). owl:Class rdfs:subClassOf rdfs:Class.`, `ex:x a ex:C.`, []string{"ex:x - ex:x In"}},
		{"owl:Class alone is no target", `ex:C a owl:Class, sh:NodeShape; sh:in ().`, `ex:x a ex:C.`, nil},
		{"a class that is no typed shape is no target", `ex:C a rdfs:Class; sh:in ().`, `ex:x a ex:C.`, nil},
		{"subjects", shape(`sh:targetSubjectsOf ex:p`), `ex:x ex:p 1, 2. ex:y ex:q 1. [] ex:p 1.`, []string{"ex:x - ex:x In", "[] - [] In"}},
		{"objects", shape(`sh:targetObjectsOf ex:p`), `ex:x ex:p 1, ex:y. ex:z ex:p ex:y.`, []string{`"1"^^xsd:integer - "1"^^xsd:integer In`, "ex:y - ex:y In"}},
		{"several targets, each node once", shape(`sh:targetNode ex:x; sh:targetClass ex:C; sh:targetSubjectsOf ex:p`), `ex:x a ex:C; ex:p 1. ex:y ex:p 1.`, []string{"ex:x - ex:x In", "ex:y - ex:y In"}},
		{"no target", `ex:S a sh:NodeShape; sh:in ().`, `ex:x a ex:C.`, nil},
		{"property shape", `ex:S sh:targetNode ex:x; sh:path ex:p; sh:in ().`, `ex:x ex:p 1.`, []string{`ex:x ex:p "1"^^xsd:integer In`}},
		{"deactivated", shape(`sh:deactivated true; sh:targetNode ex:x`), ``, nil},
		{"two shapes, in their order", `ex:A sh:targetNode ex:y; sh:in (). ex:B sh:targetNode ex:x; sh:in ().`, `ex:x ex:p 1. ex:y ex:p 1.`, []string{"ex:y - ex:y In", "ex:x - ex:x In"}},
	})
}

func TestTargetThatSelectsNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, shapes, text string }{
		{"class", `ex:S sh:targetClass ex:C.`, "sh:targetClass <http://example.org/C> selects no node of the data"},
		{"subjects", `ex:S sh:targetSubjectsOf ex:none.`, "sh:targetSubjectsOf <http://example.org/none> selects no node of the data"},
		{"objects", `ex:S sh:targetObjectsOf ex:none.`, "sh:targetObjectsOf <http://example.org/none> selects no node of the data"},
		{"implicit class", `ex:C a rdfs:Class, sh:NodeShape.`, "the class <http://example.org/C> selects no node of the data"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := validate(t, c.shapes, `ex:x ex:p 1.`)
			if assert.Len(t, r.Warnings, 1) {
				assert.Equal(t, shacl.CodeEmptyTarget, r.Warnings[0].Code)
				assert.Equal(t, c.text, r.Warnings[0].Text)
				assert.Equal(t, 2, r.Warnings[0].Place.Line)
			}
		})
	}
	t.Run("empty data", func(t *testing.T) {
		t.Parallel()
		r := validate(t, `ex:S sh:targetNode ex:x.`, ``)
		if assert.Len(t, r.Warnings, 1) {
			assert.Equal(t, shacl.CodeEmptyData, r.Warnings[0].Code)
		}
	})
	t.Run("one of two targets", func(t *testing.T) {
		t.Parallel()
		assert.Len(t, validate(t, `ex:S sh:targetClass ex:C, ex:D.`, `ex:x a ex:C.`).Warnings, 1)
		assert.Empty(t, validate(t, `ex:S sh:targetClass ex:C, ex:D.`, `ex:x a ex:C, ex:D.`).Warnings)
	})
}

// TestInData: nodes that targets name are counted apart where the data has them not.
func TestInData(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, shapes, data string
		focus, inData      int
	}{
		{"nothing", `ex:S sh:targetClass ex:T; sh:nodeKind sh:IRI.`, `ex:a ex:p 1.`, 0, 0},
		{"a class", `ex:S sh:targetClass ex:T; sh:nodeKind sh:IRI.`, `ex:a a ex:T. ex:b a ex:T.`, 2, 2},
		{"a named node as subject", `ex:S sh:targetNode ex:a; sh:nodeKind sh:IRI.`, `ex:a ex:p 1.`, 1, 1},
		{"a named node as object", `ex:S sh:targetNode ex:a; sh:nodeKind sh:IRI.`, `ex:b ex:p ex:a.`, 1, 1},
		{"a named node as predicate", `ex:S sh:targetNode ex:a; sh:nodeKind sh:IRI.`, `ex:b ex:a 1.`, 1, 0},
		{"a named node that is not there", `ex:S sh:targetNode ex:a; sh:nodeKind sh:IRI.`, `ex:b ex:p 1.`, 1, 0},
		{"beside one of a class", `ex:S sh:targetNode ex:a, ex:b; sh:targetClass ex:T; sh:nodeKind sh:IRI.`, `ex:b a ex:T. ex:c a ex:T.`, 3, 2},
	} {
		p, err := shacl.Compile(graph(t, "shapes.ttl", row.shapes), shacl.CompileOptions{})
		require.NoError(t, err, row.name)
		r, err := p.Validate(t.Context(), graph(t, "data.ttl", row.data), shacl.Options{})
		require.NoError(t, err, row.name)
		assert.Equal(t, []int{row.focus, row.inData}, []int{r.FocusNodes, r.InData}, row.name)
	}
}

// TestSubclassesAreCharged: what targets look for is taken from the budget, whether it
// is found or not.
func TestSubclassesAreCharged(t *testing.T) {
	t.Parallel()
	var shapes, data strings.Builder
	for i := range 1_500 {
		fmt.Fprintf(&shapes, "ex:S%d sh:targetClass ex:C. ", i)
		fmt.Fprintf(&data, "ex:k%d rdfs:subClassOf ex:C. ", i)
	}
	p, err := shacl.Compile(graph(t, "shapes.ttl", shapes.String()), shacl.CompileOptions{})
	require.NoError(t, err)
	_, err = p.Validate(t.Context(), graph(t, "data.ttl", data.String()), shacl.Options{})
	require.ErrorAs(t, err, new(*shacl.LimitError))
}
