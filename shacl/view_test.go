package shacl_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/shacl"
)

func names(terms []rdf.Term) string {
	var all []string
	for _, t := range terms {
		all = append(all, short(t))
	}
	return strings.Join(all, " ")
}

func TestShapes(t *testing.T) {
	t.Parallel()
	p := compile(t, `ex:S a sh:NodeShape, rdfs:Class; sh:targetClass ex:C; sh:targetNode ex:x; sh:closed true; sh:ignoredProperties (rdf:type); sh:property ex:P;
			sh:or (ex:T ex:U); sh:in (1 ex:y); sh:languageIn ("en"); sh:message "m"; sh:severity sh:Info.
		ex:P sh:path (ex:p [sh:zeroOrMorePath [sh:oneOrMorePath ex:q]]); sh:pattern "a"; sh:flags "i"; sh:minCount 1;
			sh:qualifiedValueShape ex:T; sh:qualifiedMaxCount 3; sh:qualifiedValueShapesDisjoint true.
		ex:S sh:property [sh:path ex:r; sh:qualifiedValueShape ex:U; sh:qualifiedMinCount 1].
		ex:T sh:deactivated true; sh:node ex:Missing. ex:U sh:nodeKind sh:IRI.`)
	all := p.Shapes()
	s, ok := p.Shape(iri(t, "S"))
	require.True(t, ok)
	assert.Equal(t, all[0], s)
	assert.Equal(t, 4, s.Depth, "S, the property, T, Missing")
	assert.True(t, s.Path.IsZero())
	assert.Equal(t, vocab.SHInfo, s.Severity)
	assert.False(t, s.Deactivated)
	assert.False(t, s.Referred)
	assert.Equal(t, `"m"`, names(s.Messages))
	assert.Equal(t, 2, s.Place.Line)
	var targets []string
	for _, target := range s.Targets {
		targets = append(targets, shortText("<"+target.Property+">")+" "+short(target.Value))
	}
	assert.Equal(t, []string{"sh:targetClass ex:C", "sh:targetNode ex:x", "rdf:type ex:S"}, targets)
	var constraints []string
	for _, c := range s.Constraints {
		constraints = append(constraints, strings.TrimSpace(shortText("<"+c.Parameter+">")+" "+strings.Join([]string{names(c.List), names(c.Shapes)}, "")))
		assert.False(t, c.Place.IsZero())
	}
	assert.Equal(t, []string{`sh:languageIn "en"`, "sh:or ex:T ex:U", "sh:property ex:P", "sh:property _:b6", "sh:closed rdf:type", `sh:in "1"^^xsd:integer ex:y`},
		[]string{constraints[0], constraints[1], constraints[2], "sh:property _:b6", constraints[4], constraints[5]})

	property, ok := p.Shape(iri(t, "P"))
	require.True(t, ok)
	assert.Equal(t, "ex:p/(ex:q+)*", property.Path.Text(short))
	assert.Equal(t, 3, property.Path.Depth())
	assert.Equal(t, 2, property.Path.Closures())
	assert.True(t, property.Referred)
	assert.Equal(t, "i", property.Constraints[1].Flags)
	assert.Equal(t, vocab.SHPatternConstraintComponent, property.Constraints[1].Component)
	assert.Equal(t, "ex:T", names(property.Constraints[2].Shapes))
	assert.True(t, property.Constraints[2].Disjoint)
	require.Len(t, property.Constraints[2].Siblings, 1, "of the one shape that has it")
	assert.Equal(t, "ex:T ex:U", names(property.Constraints[2].Siblings[0]))
	assert.Equal(t, `"3"^^xsd:integer`, short(property.Constraints[2].Value))

	missing, ok := p.Shape(iri(t, "Missing"))
	require.True(t, ok)
	assert.False(t, missing.Described)
	assert.True(t, missing.Referred)
	deactivated, _ := p.Shape(iri(t, "T"))
	assert.True(t, deactivated.Deactivated)
	_, ok = p.Shape(iri(t, "None"))
	assert.False(t, ok)
}

// manyClasses is a shape with a class, and shapes that name others.
func manyClasses(n int) string {
	var b strings.Builder
	b.WriteString("ex:S sh:property [sh:path ex:p; sh:class ex:C0].\n")
	for i := range n {
		fmt.Fprintf(&b, "ex:T%d sh:targetClass ex:C%d.\n", i, i)
	}
	return b.String()
}

func TestWorstCase(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, shape  string
		values, most int
	}{
		{"one check", `sh:nodeKind sh:IRI`, 10, 3},
		{"a property", `sh:property [sh:path ex:p; sh:nodeKind sh:IRI]`, 10, 16},
		{"a longer path", `sh:property [sh:path (ex:p ex:q); sh:nodeKind sh:IRI]`, 10, 229},
		{"nested", `sh:node [sh:node [sh:nodeKind sh:IRI]]`, 10, 11},
		{"a pattern that says how long a text is", `sh:pattern "^a[0-9]{3}$"`, 10, 3},
		{"a pattern that reads one after the other", `sh:pattern "^[a-z]+$"`, 10, 3 + 2*65537/64},
		{"a pattern that begins anywhere", `sh:pattern "[0-9]{3}"`, 10, 3 + 4*65537/64},
		{"a pattern of two ways", `sh:pattern "^.*[0-9]+$"`, 10, 3 + 3*65537/64},
		{"a class, and what the data says of its subclasses", `sh:class ex:C`, 10, 1 + 2 + 10 + 32},
		{"classes of other shapes", `sh:nodeKind sh:IRI. ex:T sh:targetClass ex:C, ex:D`, 10, 3 + 2*32},
		{"a value", `sh:hasValue "a"`, 10, 3},
		{"a value with a language", `sh:hasValue "a"@en`, 10, 4},
		{"a value with a long language", `sh:hasValue "a"@en-` + strings.Repeat("abcdefgh-", 14) + `x`, 10, 6},
		{"a list with a language", `sh:in ("a"@en "b"@en)`, 10, 3},
		{"the same values", `sh:equals ex:p`, 10, 1 + 2 + 21 + 20},
		{"other values", `sh:disjoint ex:p`, 10, 1 + 2 + 10 + 10},
		{"values of none count as one", `sh:property [sh:path ex:p; sh:nodeKind sh:IRI]`, 0, 7},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			most, ok := compile(t, "ex:S "+c.shape+".").WorstCase(iri(t, "S"), c.values)
			assert.True(t, ok)
			assert.Equal(t, c.most, most)
		})
	}
	for _, c := range []struct{ name, shapes, data string }{
		{"classes of other shapes", manyClasses(500), `ex:x ex:p ex:y. ex:A rdfs:subClassOf ex:B.`},
		{"a chain of subclasses", manyClasses(3), `ex:x ex:p ex:y. ex:A rdfs:subClassOf ex:C0. ex:B rdfs:subClassOf ex:A. ex:D rdfs:subClassOf ex:B.`},
		{"a value with a language", `ex:S sh:property [sh:path ex:p; sh:hasValue "a"@en].`, `ex:x ex:p "b"@en, "c"@en, "d"@en.`},
		{"the same values", `ex:S sh:property [sh:path ex:p; sh:equals ex:q].`, `ex:x ex:p "a"@EN, "b"@EN, "c"@EN; ex:q "a"@en, "b"@en, "c"@en.`},
		{"other values", `ex:S sh:property [sh:path ex:p; sh:disjoint ex:q].`, `ex:x ex:p "a"@en, "b"@en, "c"@en; ex:q "d"@en, "e"@en, "f"@en.`},
		{"values that do not count", `ex:S sh:property [sh:path ex:p; sh:qualifiedValueShape [sh:nodeKind sh:IRI]; sh:qualifiedMinCount 1].`, `ex:x ex:p 1, 2, 3, 4, 5, 6, 7, 8, 9, 10.`},
	} {
		t.Run("kept: "+c.name, func(t *testing.T) {
			t.Parallel()
			p, data := compile(t, c.shapes), graph(t, "data.ttl", c.data)
			most, ok := p.WorstCase(iri(t, "S"), widest(data))
			require.True(t, ok)
			r, err := p.ValidateNode(t.Context(), iri(t, "S"), data, iri(t, "x"), shacl.Options{})
			require.NoError(t, err)
			assert.LessOrEqual(t, r.Checks, most)
		})
	}
	p := compile(t, doubling(31, "sh:or (ex:L%d ex:L%d)", "sh:class ex:C"))
	most, ok := p.WorstCase(iri(t, "L0"), 10)
	assert.True(t, ok)
	assert.Greater(t, most, 1<<31, "sharing does not make it less")
	deep := compile(t, `ex:S sh:property [sh:path [sh:zeroOrMorePath (ex:p [sh:zeroOrMorePath (ex:p [sh:zeroOrMorePath ex:p])])]; sh:node [sh:property [sh:path (ex:p ex:p ex:p ex:p ex:p ex:p ex:p); sh:lessThan ex:q]]].`)
	most, _ = deep.WorstCase(iri(t, "S"), 10_000)
	assert.Equal(t, math.MaxInt, most)
	_, ok = p.WorstCase(iri(t, "None"), 1)
	assert.False(t, ok)
}

// TestClosures has parts that repeat within others and beside them, in lists that paths have
// in common.
func TestClosures(t *testing.T) {
	t.Parallel()
	p := compile(t, `_:l rdf:first [sh:oneOrMorePath ex:p]; rdf:rest ([sh:zeroOrMorePath ex:q]).
		ex:S0 sh:path [sh:zeroOrOnePath ex:p]. ex:S1 sh:path _:l. ex:S2 sh:path [sh:zeroOrMorePath _:l].
		ex:S3 sh:path [sh:oneOrMorePath [sh:inversePath (ex:p [sh:zeroOrMorePath [sh:alternativePath _:l]])]].`)
	for n := range 4 {
		s, ok := p.Shape(iri(t, "S"+strconv.Itoa(n)))
		require.True(t, ok)
		assert.Equal(t, n, s.Path.Closures(), s.Path)
	}
}

// TestWorstCaseOfOnePathList: paths that have one list are reckoned as one is. Not parallel,
// since it counts what is allocated.
func TestWorstCaseOfOnePathList(t *testing.T) {
	allocs := func(path string) float64 {
		var b strings.Builder
		b.WriteString("_:l rdf:first ex:p; rdf:rest (ex:q ex:r). ")
		for i := range 10_000 {
			fmt.Fprintf(&b, "ex:S sh:property [sh:path %s; sh:minCount 1]. ", strings.ReplaceAll(path, "#", fmt.Sprint(i)))
		}
		p := compile(t, b.String())
		return testing.AllocsPerRun(5, func() { _, _ = p.WorstCase(iri(t, "S"), 10) })
	}
	assert.Less(t, allocs("[sh:alternativePath _:l]"), allocs("ex:p#")+8)
}
