package shacl_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/shacl"
)

func TestPredicates(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		shapes string
		want   string // predicates, or what the error holds
	}{
		"no target":         {`ex:S a sh:NodeShape; sh:property [sh:path ex:p]`, ""},
		"a node":            {`ex:S sh:targetNode ex:n; sh:nodeKind sh:IRI`, ""},
		"a class":           {`ex:S a sh:NodeShape; sh:targetClass ex:C; sh:nodeKind sh:IRI`, "rdf:type rdfs:subClassOf"},
		"an implicit class": {`ex:S a sh:NodeShape, rdfs:Class; sh:nodeKind sh:IRI`, "rdf:type rdfs:subClassOf"},
		"subjects":          {`ex:S sh:targetSubjectsOf ex:p; sh:nodeKind sh:IRI`, "ex:p"},
		"objects":           {`ex:S sh:targetObjectsOf ex:p; sh:nodeKind sh:IRI`, "ex:p"},
		"a class of values": {`ex:S sh:targetNode ex:n; sh:property [sh:path ex:p; sh:class ex:C]`, "ex:p rdf:type rdfs:subClassOf"},
		"paths": {`ex:S sh:targetNode ex:n; sh:property [sh:path [sh:inversePath ex:a]; sh:maxCount 1],
			[sh:path (ex:b [sh:zeroOrMorePath ex:c]); sh:maxCount 1], [sh:path [sh:alternativePath ([sh:oneOrMorePath ex:d] [sh:zeroOrOnePath ex:e])]; sh:maxCount 1]`,
			"ex:a ex:b ex:c ex:d ex:e"},
		"pairs": {`ex:S sh:targetNode ex:n; sh:property [sh:path ex:p; sh:equals ex:a; sh:disjoint ex:b; sh:lessThan ex:c; sh:lessThanOrEquals ex:d]`,
			"ex:a ex:b ex:c ex:d ex:p"},
		"references": {`ex:S sh:targetNode ex:n; sh:node [sh:property [sh:path ex:a; sh:minCount 1]]; sh:not [sh:property [sh:path ex:b; sh:minCount 1]];
			sh:or ([sh:property [sh:path ex:c; sh:minCount 1]] [sh:property [sh:path ex:d; sh:minCount 1]]);
			sh:property [sh:path ex:e; sh:qualifiedValueShape [sh:property [sh:path ex:f; sh:minCount 1]]; sh:qualifiedMinCount 1; sh:qualifiedValueShapesDisjoint true],
				[sh:path ex:g; sh:qualifiedValueShape [sh:property [sh:path ex:h; sh:minCount 1]]; sh:qualifiedMinCount 1]`,
			"ex:a ex:b ex:c ex:d ex:e ex:f ex:g ex:h"},
		"other constraints": {`ex:S sh:targetNode ex:n; sh:property [sh:path ex:p; sh:minCount 1; sh:maxCount 2; sh:datatype xsd:string; sh:nodeKind sh:Literal;
			sh:minInclusive 1; sh:minLength 1; sh:maxLength 2; sh:pattern "a"; sh:languageIn ("en"); sh:uniqueLang true; sh:hasValue ex:v; sh:in (ex:v)]`, "ex:p"},
		"paths that have one list": {`ex:S sh:targetNode ex:n; sh:property [sh:path _:l; sh:minCount 1], [sh:path [sh:inversePath [sh:alternativePath _:l]]; sh:minCount 1].
			_:l rdf:first [sh:zeroOrOnePath ex:p]; rdf:rest (ex:q)`, "ex:p ex:q"},
		"a deactivated shape":             {`ex:S sh:targetNode ex:n; sh:node [sh:deactivated true; sh:closed true; sh:property [sh:path ex:p]]`, ""},
		"a closed shape":                  {`ex:S sh:targetNode ex:n; sh:closed true; sh:property [sh:path ex:p]`, "error: shapes.ttl:2:36: <http://example.org/S> looks at every triple of a node, whatever its predicate (sh:ClosedConstraintComponent)"},
		"a closed shape that is used":     {`ex:S sh:targetNode ex:n; sh:or (ex:C ex:C). ex:C sh:closed true`, "error: shapes.ttl:2:60: <http://example.org/C> looks"},
		"a closed shape that nobody uses": {`ex:S sh:targetNode ex:n; sh:property [sh:path ex:p; sh:maxCount 1]. ex:C a sh:NodeShape; sh:closed true`, "ex:p"},
		"a shape that is open":            {`ex:S sh:targetNode ex:n; sh:closed false; sh:property [sh:path ex:p; sh:maxCount 1]`, "ex:p"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			predicates, err := compile(t, row.shapes+".").Predicates()
			if want, ok := strings.CutPrefix(row.want, "error: "); ok {
				var all *shacl.ReadsAllError
				require.ErrorAs(t, err, &all)
				assert.Contains(t, err.Error(), want)
				return
			}
			require.NoError(t, err)
			for i := range predicates {
				predicates[i] = shortText("<" + predicates[i] + ">")
			}
			slices.Sort(predicates)
			assert.Equal(t, row.want, strings.Join(predicates, " "))
		})
	}
}

// outcome is what must not depend on triples that no shape reads. The order of
// focus nodes may, and blank nodes have other labels.
func outcome(r *shacl.Report) string {
	results := lines(r.Results)
	for i := range results {
		res := &r.Results[i]
		results[i] += fmt.Sprint(" ", res.Severity, " ", mask(res.Shape), " ", len(res.Details))
	}
	slices.Sort(results)
	return fmt.Sprint(r.Conforms(), r.Omitted, r.FocusNodes, " ", r.Checks, "\n", strings.Join(results, "\n"))
}

// reportWithin validates data of which only some predicates are kept.
func reportWithin(t *testing.T, p *shacl.Program, predicates []string, text []byte, base string) string {
	t.Helper()
	b := rdf.NewBuilder(rdf.Local())
	if predicates != nil {
		b.Scope(func(predicate string, named bool) bool { return slices.Contains(predicates, predicate) })
	}
	require.NoError(t, turtle.ParseInto(b, text, turtle.Options{Base: base}))
	if predicates != nil {
		b.Trim()
	}
	report, err := p.Validate(t.Context(), b.Dataset().Default(), shacl.Options{MaxResults: 1 << 30})
	require.NoError(t, err)
	return outcome(report)
}

// TestScopeOfRandom validates random data among triples that no shape reads.
func TestScopeOfRandom(t *testing.T) {
	t.Parallel()
	compiled, closed := 0, 0
	for seed := range uint64(3000) {
		g := newGenerator(seed)
		shapes, data := g.shapes(), g.data()
		p, err := shacl.Compile(graph(t, "shapes.ttl", shapes), shacl.CompileOptions{})
		if err != nil {
			continue
		}
		compiled++
		predicates, err := p.Predicates()
		if err != nil {
			closed++
			require.Contains(t, shapes, "sh:closed true", "seed %d", seed)
			continue
		}
		text := []byte(prefixes + data + "ex:n0 ex:unread ex:n1, ex:C0, 1, _:b0, [ex:p0x ex:n2], (ex:n3 2).\n" + g.data())
		if predicates == nil {
			predicates = []string{}
		}
		require.Equal(t, reportWithin(t, p, nil, text, ""), reportWithin(t, p, predicates, text, ""), "seed %d\n%s\n%s", seed, shapes, text)
	}
	t.Logf("%d programs, %d of them closed", compiled, closed)
	assert.Greater(t, compiled, 2000)
	assert.Greater(t, closed, 50)
	assert.Less(t, closed, compiled/2)
}

// TestScopeOfSuite validates the data of the W3C suite within what its shapes
// read, which most often stand in the same graph.
func TestScopeOfSuite(t *testing.T) {
	t.Parallel()
	suite.Run(t, suite.Cases(t, "shacl", "tests/core/manifest.ttl", 98), map[string]func(*testing.T, suite.Case){
		suite.SHT + "Validate": func(t *testing.T, c suite.Case) {
			g := expectation{c.Data.Default(), c.Data}
			action := g.one(c.Node, suite.MF+"action")
			p, err := shacl.Compile(g.read(t, c, g.one(action, suite.SHT+"shapesGraph")).Default(), shacl.CompileOptions{})
			require.NoError(t, err)
			predicates, err := p.Predicates()
			if all := (*shacl.ReadsAllError)(nil); errors.As(err, &all) {
				assert.Equal(t, "http://www.w3.org/ns/shacl#ClosedConstraintComponent", all.Constraint)
				return
			}
			require.NoError(t, err)
			file, iri := g.file(c, g.one(action, suite.SHT+"dataGraph"))
			text := suite.ReadFile(t, file)
			assert.Equal(t, reportWithin(t, p, nil, text, iri), reportWithin(t, p, append([]string{}, predicates...), text, iri))
		},
	})
}
