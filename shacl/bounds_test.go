package shacl_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/shacl"
)

// sharedPath is a list of 2^11 predicates, made of a few lists that share their parts.
func sharedPath(predicate string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "_:l0 rdf:first %s; rdf:rest (%[1]s).\n", predicate)
	for i := 1; i < 11; i++ {
		fmt.Fprintf(&b, "_:l%d rdf:first _:l%d; rdf:rest (_:l%[2]d).\n", i, i-1)
	}
	return b.String()
}

// TestReportBytes has reports that would be hundreds of megabytes.
func TestReportBytes(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("m", 60_000)
	for _, row := range []struct {
		name, shapes string
		values       string
		kept         int // results in JSON, at least
	}{
		{"a path of many parts", sharedPath("ex:"+strings.Repeat("p", 90)) + "ex:S sh:targetClass ex:T; sh:property [sh:path _:l10; sh:minCount 1].", "1", 100},
		{"a long message of results", `ex:S sh:targetClass ex:T; sh:property [sh:path ex:none; sh:minCount 1; sh:message "` + large + `"].`, "1", 10},
		{
			"a long message of details", `ex:S sh:targetClass ex:T; sh:node ex:N. ex:N a sh:NodeShape` +
				strings.Repeat(`; sh:property [sh:path ex:none; sh:minCount 1; sh:message "`+large+`"]`, 64) + ".", "1", 10,
		},
		{"a long value", `ex:S sh:targetClass ex:T; sh:property [sh:path ex:p; sh:nodeKind sh:IRI].`, `"` + large + `"`, 10},
		{"a long parameter", `ex:S sh:targetClass ex:T; sh:property [sh:path ex:p; sh:in ("` + large + `a" "` + large + `b" "` + large + `c")].`, "1", 4},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var data strings.Builder
			for i := range 100 {
				fmt.Fprintf(&data, "ex:f%d a ex:T; ex:p %s.\n", i, row.values)
			}
			p, g := compile(t, row.shapes), graph(t, "data.ttl", data.String())
			r, err := p.Validate(t.Context(), g, shacl.Options{})
			require.NoError(t, err)
			require.False(t, r.Conforms())
			require.Len(t, r.Results, 100)
			type result struct {
				Path, Message, Value string
				Details              []struct{ Message string }
				Truncated            bool
			}
			read := func(r *shacl.Report) (got struct {
				Conforms bool
				Results  []result
				Omitted  int
			}) {
				text := r.AppendJSON(nil)
				require.LessOrEqual(t, len(text), shacl.DefaultReport+100)
				require.Less(t, cap(text), 8<<20)
				require.NoError(t, json.Unmarshal(text, &got))
				return got
			}
			got := read(r)
			assert.False(t, got.Conforms)
			assert.Equal(t, 100, len(got.Results)+got.Omitted, "all are counted")
			assert.GreaterOrEqual(t, len(got.Results), row.kept)
			for i, res := range got.Results {
				assert.Equal(t, r.Results[i].Message(), res.Message, "what is there is whole")
				assert.Equal(t, r.Results[i].Truncated || len(res.Details) < len(r.Results[i].Details), res.Truncated)
				if full := r.Results[i].Path.String(); len(full) > 4096 {
					assert.True(t, strings.HasSuffix(res.Path, "..."))
					assert.True(t, strings.HasPrefix(full, strings.TrimSuffix(res.Path, "...")))
				} else {
					assert.Equal(t, full, res.Path)
				}
			}
			checkCut(t, r)
			// Little room changes no verdict, and loses no count.
			r, err = p.Validate(t.Context(), g, shacl.Options{MaxReport: 1, MaxResults: 7})
			require.NoError(t, err)
			got = read(r)
			assert.False(t, got.Conforms)
			assert.Empty(t, got.Results)
			assert.Equal(t, 100, got.Omitted)
		})
	}
}

// checkCut writes the graph of a report that is too long for JSON, which has whole paths
// and all messages.
func checkCut(t *testing.T, r *shacl.Report) {
	t.Helper()
	short := r.Cut()
	require.NotSame(t, r, short)
	assert.False(t, short.Conforms())
	assert.Equal(t, len(r.Results)+r.Omitted, len(short.Results)+short.Omitted, "all are counted")
	assert.NotEmpty(t, short.Results)
	for i := range short.Results {
		if res := &short.Results[i]; len(res.Details) < len(r.Results[i].Details) {
			assert.True(t, res.Truncated)
			assert.False(t, r.Results[i].Truncated, "the report itself is what it was")
		}
	}
	d, err := short.Dataset(rdf.Local())
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, turtle.Write(&text, d, turtle.WriteOptions{}))
	assert.Less(t, text.Len(), shacl.DefaultReport)
	assert.Same(t, short, short.Cut(), "what was cut fits")
}

// TestCut leaves a report alone that fits, to the byte, and counts passes as well.
func TestCut(t *testing.T) {
	t.Parallel()
	p := compile(t, `ex:S sh:targetSubjectsOf ex:p; sh:nodeKind sh:IRI; sh:or ([sh:property [sh:path ex:p; sh:minCount 2]] [sh:property [sh:path ex:p; sh:minCount 3; sh:message "\u0001\"\n", "\u007f"@en]]).`)
	var b strings.Builder
	for i := range 50 {
		fmt.Fprintf(&b, "ex:x%d ex:p 1. ", i)
	}
	g := graph(t, "data.ttl", b.String())
	cut := func(most int) (whole, short *shacl.Report) {
		r, err := p.Validate(t.Context(), g, shacl.Options{MaxReport: most, Passes: true})
		require.NoError(t, err)
		require.Len(t, r.Results, 50)
		require.Len(t, r.Passes, 50)
		return r, r.Cut()
	}
	least, most := 1, 1<<20 // most is enough
	for least+1 < most {
		n := (least + most) / 2
		if r, short := cut(n); r == short {
			most = n
		} else {
			least = n
			assert.Equal(t, 50, len(short.Results)+short.Omitted)
			assert.Equal(t, 50, len(short.Passes)+short.OmittedPasses)
		}
	}
	r, _ := cut(most)
	d, err := r.Dataset(rdf.Local())
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, turtle.Write(&text, d, turtle.WriteOptions{}))
	assert.Less(t, text.Len(), most)
	assert.Less(t, len(r.AppendJSON(nil)), most+100)
	_, short := cut(most - 1)
	assert.Len(t, short.Results, 50)
	assert.True(t, short.Results[49].Truncated, "the last detail is left out")
	_, short = cut(1)
	assert.Empty(t, short.Results)
	assert.Empty(t, short.Passes)
	_, short = cut(most / 2)
	assert.Len(t, short.Passes, 50)
	assert.Greater(t, len(short.Results), 20)
	assert.Less(t, len(short.Results), 50)
}

// TestPathBytes bounds the IRIs of a path: they are written wherever it is.
func TestPathBytes(t *testing.T) {
	t.Parallel()
	shapes := func(n int) rdf.Graph {
		return graph(t, "shapes.ttl", "ex:S a sh:NodeShape; sh:property [sh:path ("+strings.Repeat(" ex:"+strings.Repeat("p", 1024-len("http://example.org/")), n)+"); sh:minCount 1].")
	}
	_, err := shacl.Compile(shapes(256), shacl.CompileOptions{})
	require.NoError(t, err)
	_, err = shacl.Compile(shapes(257), shacl.CompileOptions{})
	var limit *shacl.LimitError
	require.ErrorAs(t, err, &limit)
	assert.Equal(t, shacl.LimitPathBytes, limit.Limit)
	assert.EqualValues(t, 256<<10, limit.Max)
	assert.NotZero(t, limit.Place.Line)
}

// TestShortPath cuts paths of every form at a predicate.
func TestShortPath(t *testing.T) {
	t.Parallel()
	long := "ex:" + strings.Repeat("p", 1500)
	for _, path := range []string{
		"ex:p", "(ex:p ex:q)", "(" + strings.Repeat(long+" ", 9) + ")", "[sh:alternativePath (" + strings.Repeat(long+" ", 9) + ")]",
		"[sh:inversePath (" + strings.Repeat(long+" ", 9) + ")]", "([sh:zeroOrMorePath (" + strings.Repeat(long+" ", 9) + ")] ex:q)",
	} {
		p := compile(t, "ex:S a sh:NodeShape; sh:property ex:P. ex:P sh:path "+path+"; sh:minCount 1.")
		s, ok := p.Shape(iri(t, "P"))
		require.True(t, ok)
		full, short := s.Path.String(), s.Path.Short(rdf.Term.String)
		if len(full) <= 4096 {
			assert.Equal(t, full, short)
			continue
		}
		assert.Less(t, len(short), 4096+1600)
		begin, cut := strings.CutSuffix(short, "...")
		assert.True(t, cut)
		assert.True(t, strings.HasPrefix(full, begin), short)
	}
}

// TestWarningBytes has warnings that would be megabytes by the names in them and by their
// number.
func TestWarningBytes(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("@prefix long: <http://example.org/" + strings.Repeat("x", 1900) + "/> .\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "long:s%d a sh:NodeShape; sh:targetNode long:n; sh:minLength 2; sh:maxLength 1; sh:minInclusive 2; sh:maxInclusive 1; sh:maxExclusive 1.\n", i)
	}
	p := compile(t, b.String())
	bytes, shapes := 0, map[rdf.Term]bool{}
	for _, w := range p.Warnings() {
		bytes += len(w.String())
		assert.Equal(t, shacl.CodeUnsatisfiable, w.Code)
		shapes[w.Shape] = true
	}
	assert.Len(t, shapes, 2000, "each shape has one")
	assert.Less(t, bytes, 3<<19, "one for each bound that nothing meets")
	_, err := shacl.Compile(graph(t, "shapes.ttl", strings.ReplaceAll(b.String(), "sh:targetNode long:n", `sh:node long:s0, long:s1; sh:class "a"`)), shacl.CompileOptions{})
	var refused *shacl.CompileError
	require.ErrorAs(t, err, &refused)
	bytes = 0
	for _, problem := range refused.Problems {
		bytes += len(problem.Error())
	}
	assert.Less(t, bytes, 1<<20)
}

// TestConstants meets the limits that no option sets, with as much as is allowed and with
// one more.
func TestConstants(t *testing.T) {
	t.Parallel()
	lists := func(n, members int) string { // that differ in their first member
		var b strings.Builder
		b.WriteString("_:end rdf:first ex:v; rdf:rest (" + strings.Repeat(" ex:v", members-2) + ").\n")
		for i := range n {
			fmt.Fprintf(&b, "ex:S%d sh:in _:l%[1]d. _:l%[1]d rdf:first ex:v%[1]d; rdf:rest _:end.\n", i)
		}
		return b.String()
	}
	path := func(parts int) string { // one is the list
		return "ex:S a sh:NodeShape; sh:property [sh:path (" + strings.Repeat(" ex:p", parts-1) + "); sh:minCount 1]."
	}
	for _, row := range []struct {
		limit      rdf.LimitName
		most       int64
		shapes, no string
	}{
		{shacl.LimitListMembers, shacl.MaxListMembers, lists(256, 256), lists(256, 256) + "ex:T sh:in (ex:v)."},
		{shacl.LimitPathLength, shacl.MaxPathLength, path(shacl.MaxPathLength), path(shacl.MaxPathLength + 1)},
	} {
		t.Run(string(row.limit), func(t *testing.T) {
			t.Parallel()
			_, err := shacl.Compile(graph(t, "shapes.ttl", row.shapes), shacl.CompileOptions{})
			require.NoError(t, err)
			_, err = shacl.Compile(graph(t, "shapes.ttl", row.no), shacl.CompileOptions{})
			var limit *shacl.LimitError
			require.ErrorAs(t, err, &limit)
			assert.Equal(t, row.limit, limit.Limit)
			assert.Equal(t, row.most, limit.Max)
			assert.NotZero(t, limit.Place.Line)
		})
	}
}

// TestDeepDetails: why a value does not conform is told to the end of a chain of shapes,
// as long as there is room for it, whether other results follow or not.
func TestDeepDetails(t *testing.T) {
	t.Parallel()
	const depth = 30
	var b strings.Builder
	b.WriteString("ex:S0 sh:targetSubjectsOf ex:p; sh:node ex:S1. ")
	for i := 1; i < depth; i++ {
		fmt.Fprintf(&b, "ex:S%d sh:node ex:S%d. ", i, i+1)
	}
	fmt.Fprintf(&b, "ex:S%d sh:class ex:C.", depth)
	p := compile(t, b.String())
	for _, data := range []string{"ex:x ex:p 1.", "ex:x ex:p 1. ex:y ex:p 1."} {
		r, err := p.Validate(t.Context(), graph(t, "data.ttl", data), shacl.Options{})
		require.NoError(t, err)
		n := strings.Count(data, "ex:p")
		require.Len(t, r.Results, n)
		assert.Equal(t, n, strings.Count(string(r.AppendJSON(nil)), vocab.SHClassConstraintComponent))
		assert.NotContains(t, string(r.AppendJSON(nil)), "truncated")
		assert.Same(t, r, r.Cut())
		assert.Contains(t, string(r.Results[0].AppendJSON(nil)), vocab.SHClassConstraintComponent)
	}
}
