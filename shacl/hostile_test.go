package shacl_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/shacl"
)

// TestHostileShapes compiles graphs of some ten thousand triples in which much
// is shared: what is made of them must not be the product of two of their
// numbers. Without that a test here needs gigabytes.
func TestHostileShapes(t *testing.T) {
	t.Parallel()
	const n = 4000
	repeat := func(format string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(format, "#", fmt.Sprint(i)))
		}
		return b.String()
	}
	members := func(format string) string { return "(" + repeat(format+" ") + ")" }
	// list is a list with a name.
	list := func(format string) string {
		return "_:l rdf:first ex:first; rdf:rest " + members(format) + ". "
	}
	for _, c := range []struct{ name, shapes string }{
		{"one list of shapes for many", list("ex:T#") + repeat("ex:S# sh:targetNode ex:x; sh:or _:l. ")},
		{"one list of values for many", list("ex:v#") + repeat("ex:S# sh:targetNode ex:x; sh:in _:l. ")},
		{"one list of languages for many", `_:l rdf:first "x"; rdf:rest ` + members(`"x#"`) + ". " + repeat("ex:S# sh:targetNode ex:x; sh:languageIn _:l. ")},
		{"one list of ignored properties for many", list("ex:p#") + repeat("ex:S# sh:targetNode ex:x; sh:closed true; sh:ignoredProperties _:l. ")},
		{"one list of paths for many", "_:l rdf:first ex:first; rdf:rest (" + strings.Repeat("ex:p ", n) + "). " + repeat("ex:S# sh:targetNode ex:x; sh:path [sh:alternativePath _:l]; sh:minCount 0. ")},
		{"siblings of siblings", "ex:S sh:targetNode ex:x. " + repeat("ex:S sh:property [sh:path ex:p; sh:qualifiedValueShape [sh:class ex:C#]; sh:qualifiedMinCount 0; sh:qualifiedValueShapesDisjoint true]. ")},
		{"many subclasses of shapes", repeat("ex:C# rdfs:subClassOf sh:NodeShape. ex:S# a ex:C#, ex:C0; sh:nodeKind sh:IRI. ")},
		{"many names that look like SHACL", repeat("ex:x <http://www.w3.org/ns/shacl/#/targetClass> ex:C. ")},
		{"one longer path for many closed shapes", "ex:P sh:path [sh:alternativePath " + members("ex:p#") + "]; sh:minCount 0. " + repeat("ex:S# sh:targetNode ex:x; sh:closed true; sh:property ex:P. ")},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, err := shacl.Compile(graph(t, "shapes.ttl", c.shapes), shacl.CompileOptions{})
			require.NoError(t, err)
			_, err = p.Validate(t.Context(), graph(t, "data.ttl", "ex:x ex:p ex:y; ex:p1 ex:z."), shacl.Options{})
			if limit := (*shacl.LimitError)(nil); err != nil {
				require.ErrorAs(t, err, &limit)
			}
			p.Shapes()
		})
	}
}

// TestManyProblems keeps a bounded number of problems, each of a bounded length.
func TestManyProblems(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "ex:S%d sh:node ex:S%d, ex:S0; sh:datatype \"x\". ", i, i+1)
	}
	_, err := shacl.Compile(graph(t, "shapes.ttl", b.String()), shacl.CompileOptions{MaxDepth: 10_000})
	var refused *shacl.CompileError
	require.ErrorAs(t, err, &refused)
	assert.Len(t, refused.Problems, 1000)
	assert.Equal(t, 5000, refused.Omitted, "every shape has one of its own, and each leads back")
	assert.Contains(t, err.Error(), "(and 5999 more)")
	for _, p := range refused.Problems {
		assert.Less(t, len(p.Text), 1000)
	}
}

// TestManyWarnings keeps what a document is refused for behind a thousand warnings, also
// beside one of the same code that none is refused for.
func TestManyWarnings(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "ex:S%d sh:targetNode ex:x; sh:flags \"i\". ", i)
	}
	b.WriteString(`ex:Z sh:targetNode ex:x; sh:property [sh:path ex:p; sh:minInclusive "y"^^ex:t; sh:minCount 2; sh:maxCount 1; sh:minLength 2; sh:maxLength 1].`)
	p, err := shacl.Compile(graph(t, "shapes.ttl", b.String()), shacl.CompileOptions{})
	require.NoError(t, err)
	var kept []string
	for _, w := range p.Warnings()[1000:] {
		kept = append(kept, string(w.Code)+" "+w.Property)
	}
	assert.Subset(t, kept, []string{"unsatisfiable " + vocab.SHMaxCount, "unsatisfiable " + vocab.SHMaxLength}, kept)
}

// TestManyLongNames has thousands of names that SHACL and XSD do not have, two thousand
// characters each: which one was probably meant is not looked for each time. Not parallel,
// since it counts what is allocated.
func TestManyLongNames(t *testing.T) {
	const n = 10_000
	repeat := func(format string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(format, "#", fmt.Sprint(i)))
		}
		return b.String()
	}
	for _, c := range []struct{ name, namespace, shapes string }{
		{"a property of shapes", vocab.SH, repeat("ex:S sh:nodeKind sh:IRI ; q: #. ")},
		{"a property of other nodes", vocab.SH, repeat("ex:x# q: 1. ")},
		{"a class", vocab.SH, repeat("ex:x# a q: . ")},
		{"a datatype", vocab.XSD, repeat("ex:S# sh:targetNode ex:x; sh:datatype q: . ")},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, length := range []int{15, 2000} {
				name := strings.Repeat("Ab", length)[:length]
				g := graph(t, "shapes.ttl", "@prefix q: <"+c.namespace+name+"> . "+c.shapes)
				allocs := testing.AllocsPerRun(1, func() { _, _ = shacl.Compile(g, shacl.CompileOptions{}) })
				assert.Less(t, allocs, 20.0*n, "%d characters", length)
			}
		})
	}
}

// TestProblemsOfOneNode names a blank node in each of many problems: where it
// stands first must not be looked for each time among all its triples. Without
// that the test takes minutes.
func TestProblemsOfOneNode(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&b, "ex:S%d sh:class _:b. ", i)
	}
	_, err := shacl.Compile(graph(t, "shapes.ttl", b.String()), shacl.CompileOptions{})
	var refused *shacl.CompileError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, 99_000, refused.Omitted)
	assert.Contains(t, refused.Problems[999].Text, "found the blank node at shapes.ttl:")
}

// TestDeepest validates shapes that are nested as deep as can be allowed.
func TestDeepest(t *testing.T) {
	t.Parallel()
	const n = 10_000
	var b strings.Builder
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "ex:S%d sh:node ex:S%d. ", i, i+1)
	}
	fmt.Fprintf(&b, "ex:S1 sh:targetNode ex:x. ex:S%d sh:class ex:C.", n)
	p, err := shacl.Compile(graph(t, "shapes.ttl", b.String()), shacl.CompileOptions{MaxDepth: n})
	require.NoError(t, err)
	g := graph(t, "data.ttl", "ex:x a ex:D.")
	_, err = p.Validate(t.Context(), g, shacl.Options{})
	var limit *shacl.LimitError
	require.ErrorAs(t, err, &limit, "the depth of a run is a limit of its own")
	r, err := p.Validate(t.Context(), g, shacl.Options{MaxDepth: n})
	require.NoError(t, err)
	assert.False(t, r.Conforms())
	assert.NotEmpty(t, r.AppendJSON(nil))
	_, err = r.Dataset(rdf.Local())
	require.NoError(t, err)
	most, ok := p.WorstCase(iri(t, "S1"), 10)
	assert.True(t, ok)
	assert.Greater(t, most, n)
}

// TestLongTexts makes a few texts cost what many checks cost.
func TestLongTexts(t *testing.T) {
	t.Parallel()
	g := graph(t, "data.ttl", `ex:x ex:p "`+strings.Repeat("a", 60_000)+`"; ex:q "b".`)
	for _, c := range []string{
		`sh:pattern "(a|aa|aaa|aaaa)*b"`, `sh:minLength 1`, `sh:datatype xsd:string`, `sh:minInclusive "a"`, `sh:lessThan ex:q`,
		`sh:in ("1" "2" "3" "4" "5" "6" "7" "8" "9" "10")`,
	} {
		t.Run(c, func(t *testing.T) {
			t.Parallel()
			_, err := compile(t, `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; `+c+`].`).Validate(t.Context(), g, shacl.Options{MaxChecks: 500})
			var limit *shacl.LimitError
			require.ErrorAs(t, err, &limit)
		})
	}
}

// TestLongTextsWithLanguages compares long texts that differ in the last character, which
// terms with a language are compared by.
func TestLongTextsWithLanguages(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 60_000)
	g := graph(t, "data.ttl", `ex:x ex:p "`+long+`b"@en; ex:q "`+long+`c"@en, "`+long+`B"@EN.`)
	for _, c := range []string{`sh:in ("` + long + `d"@en)`, `sh:hasValue "` + long + `d"@en`, `sh:equals ex:q`, `sh:disjoint ex:q`} {
		t.Run(c[:7], func(t *testing.T) {
			t.Parallel()
			p := compile(t, `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; `+c+`].`)
			r, err := p.Validate(t.Context(), g, shacl.Options{})
			require.NoError(t, err)
			assert.Greater(t, r.Checks, len(long)/64)
			_, err = p.Validate(t.Context(), g, shacl.Options{MaxChecks: 500})
			var limit *shacl.LimitError
			require.ErrorAs(t, err, &limit)
		})
	}
}

// TestShortValuesAgainstLongOnes compares a thousand short values with a long one, which
// each comparison may read.
func TestShortValuesAgainstLongOnes(t *testing.T) {
	t.Parallel()
	const n = 1000
	nines := strings.Repeat("9", 64*100)
	for _, row := range []struct{ name, long, short string }{
		{"decimal and doubles", "0." + nines, "%de0"},
		{"durations", `"P` + nines + `D"^^xsd:duration`, `"P%dD"^^xsd:duration`},
		{"integers", nines, "%d"},
	} {
		var b strings.Builder
		fmt.Fprintf(&b, "ex:x ex:long %s. ", row.long)
		for i := range n {
			fmt.Fprintf(&b, "ex:x ex:p "+row.short+". ", i)
		}
		g := graph(t, "data.ttl", b.String())
		for _, shape := range []string{
			`sh:property [sh:path ex:p; sh:maxInclusive ` + row.long + `]`,
			`sh:property [sh:path ex:long; sh:lessThan ex:p]`,
		} {
			t.Run(row.name+" "+shape[:30], func(t *testing.T) {
				t.Parallel()
				p := compile(t, `ex:S sh:targetNode ex:x; `+shape+`.`)
				r, err := p.Validate(t.Context(), g, shacl.Options{})
				require.NoError(t, err)
				assert.Greater(t, r.Checks, n*100)
				most, ok := p.WorstCase(iri(t, "S"), n)
				require.True(t, ok)
				if strings.Contains(shape, "maxInclusive") {
					assert.GreaterOrEqual(t, most, r.Checks)
				}
			})
		}
	}
}

// TestOneLongBoundOfManyShapes compiles shapes that have the same long literals, which a
// document in JSON-LD writes once: each is parsed once, and compared with another once.
func TestOneLongBoundOfManyShapes(t *testing.T) {
	nines := strings.Repeat("9", 640)
	for _, row := range []struct{ name, values string }{
		{"durations", `sh:minInclusive "P` + nines + `M"^^xsd:duration; sh:maxInclusive "P1` + nines + `M"^^xsd:duration`},
		{"doubles", `sh:minInclusive "` + nines + `e1"^^xsd:double; sh:maxInclusive "` + nines + `e2"^^xsd:double`},
		{"counts", `sh:minLength ` + strings.Repeat("0", 640) + `1; sh:maxLength ` + nines},
	} {
		allocs := func(values string) float64 {
			var b strings.Builder
			for i := range 200 {
				fmt.Fprintf(&b, "ex:s%d sh:targetNode ex:x; sh:path ex:p; %s. ", i, values)
			}
			g := graph(t, "shapes.ttl", b.String())
			return testing.AllocsPerRun(5, func() { _, _ = shacl.Compile(g, shacl.CompileOptions{}) })
		}
		plain := allocs(`sh:minLength 1; sh:maxLength 2`)
		assert.Less(t, allocs(row.values), plain+200, row.name)
	}
}

// TestListsOfValuesWithOneEnd has lists of sh:in with one end, whose members are put in lower case
// once. Not parallel, since it counts what is allocated.
func TestListsOfValuesWithOneEnd(t *testing.T) {
	const n = 500
	allocs := func(lang string) float64 {
		var b strings.Builder
		b.WriteString("_:l rdf:first 1; rdf:rest (")
		for i := range 20 {
			fmt.Fprintf(&b, "%q@%s ", strconv.Itoa(i), lang)
		}
		b.WriteString("). ")
		for i := range n {
			fmt.Fprintf(&b, "ex:s%d sh:targetNode ex:x; sh:in _:h%[1]d. _:h%[1]d rdf:first %[1]d; rdf:rest _:l. ", i)
		}
		g := graph(t, "shapes.ttl", b.String())
		return testing.AllocsPerRun(5, func() { _, _ = shacl.Compile(g, shacl.CompileOptions{}) })
	}
	assert.Less(t, allocs("EN"), allocs("en")+n)
}

// TestLongFlags has flags that each pattern reads again: they are counted as the patterns.
func TestLongFlags(t *testing.T) {
	t.Parallel()
	for _, flags := range []string{strings.Repeat("i", 1000), strings.Repeat("i", 1000) + "z"} {
		var b strings.Builder
		for i := range 30 {
			fmt.Fprintf(&b, "ex:s%d sh:targetNode ex:x; sh:pattern %q; sh:flags %q. ", i, strconv.Itoa(i), flags)
		}
		_, err := shacl.Compile(graph(t, "shapes.ttl", b.String()), shacl.CompileOptions{MaxPatternBytes: 20_000})
		var limit *shacl.LimitError
		require.ErrorAs(t, err, &limit)
		assert.Equal(t, shacl.LimitPatterns, limit.Limit)
	}
}

// TestMessagesOfOneLongLanguage orders messages of one tag, which none of the comparisons
// makes again in lower case.
func TestMessagesOfOneLongLanguage(t *testing.T) {
	const n = 500
	var b strings.Builder
	b.WriteString("ex:s sh:targetNode ex:x; sh:message ")
	for i := range n {
		fmt.Fprintf(&b, "%q@EN-X%s, ", strconv.Itoa(i*7%n), strings.Repeat("-ABCDEFGH", 20))
	}
	g := graph(t, "shapes.ttl", b.String()+`"".`)
	assert.Less(t, testing.AllocsPerRun(5, func() { _, _ = shacl.Compile(g, shacl.CompileOptions{}) }), float64(n))
}

// TestValuesThatTakeLong compares values that are short and take long to read or compare:
// they are paid for.
func TestValuesThatTakeLong(t *testing.T) {
	t.Parallel()
	const n = 100
	for _, row := range []struct {
		name, value, bound string
		short              bool // it does not take long
	}{
		{"durations", `"P1%024dM"^^xsd:duration`, `"P2%024dM"^^xsd:duration`, false},
		{"durations and a bound that takes no time", `"P1%024dM"^^xsd:duration`, `"P2%010dM"^^xsd:duration`, false},
		{"a bound that takes long", `"P%dM"^^xsd:duration`, `"P2%024dM"^^xsd:duration`, false},
		{"decimals and doubles", `0.1%024d`, `1e%d`, false},
		{"doubles", `1.1%024de-300`, `1.%de0`, false},
		{"floats", `"1.1%dE-30"^^xsd:float`, `1.%de0`, false},
		{"integers and doubles", `1%024d`, `1.%de30`, false},
		{"integers", `1%024d`, `2%024d`, true},
		{"decimals", `0.1%024d`, `0.2%024d`, true},
	} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "ex:x ex:p "+row.value+"; ex:q "+row.bound+". ", i, i)
		}
		g := graph(t, "data.ttl", b.String())
		for _, c := range []struct {
			shape string
			pairs int
		}{
			{`sh:maxInclusive ` + fmt.Sprintf(row.bound, 0), n},
			{`sh:lessThan ex:q`, n * n},
		} {
			t.Run(row.name+" "+c.shape[:11], func(t *testing.T) {
				t.Parallel()
				r, err := compile(t, `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; `+c.shape+`].`).Validate(t.Context(), g, shacl.Options{})
				require.NoError(t, err)
				if row.short {
					assert.Less(t, r.Checks, 3*c.pairs)
					return
				}
				assert.Greater(t, r.Checks, 15*c.pairs)
			})
		}
	}
}

// TestManyDeactivatedShapes goes through a long list of shapes that need no checks.
func TestManyDeactivatedShapes(t *testing.T) {
	t.Parallel()
	const n, m = 100, 1000
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "ex:x%d ex:p 1. ", i)
	}
	for _, list := range []string{"sh:and", "sh:xone"} {
		r, err := compile(t, `ex:D sh:deactivated true. ex:S sh:targetSubjectsOf ex:p; `+list+` (`+strings.Repeat("ex:D ", m)+`).`).
			Validate(t.Context(), graph(t, "data.ttl", b.String()), shacl.Options{})
		require.NoError(t, err)
		assert.Equal(t, list == "sh:and", r.Conforms())
		assert.Greater(t, r.Checks, n*m)
	}
}

// TestLongTags makes a few language tags cost what many checks cost.
func TestLongTags(t *testing.T) {
	t.Parallel()
	tag := func(end string) string { return strings.Repeat("a-bcdefgh-", 190) + end }
	var d strings.Builder
	fmt.Fprintf(&d, `ex:x ex:p "1"@%s, "2"@%s, "3"@%s. ex:x ex:q "1"@%s, "4"@%s. `, tag("x"), tag("y"), tag("z"), strings.ToUpper(tag("x")), tag("w"))
	g := graph(t, "data.ttl", d.String())
	ranges := ""
	for i := range 50 {
		ranges += fmt.Sprintf(`"%s" `, tag(fmt.Sprint(i)))
	}
	for _, c := range []string{
		`sh:languageIn (` + ranges + `)`, `sh:uniqueLang true`, `sh:equals ex:q`, `sh:hasValue "5"@` + tag("x"),
		`sh:in ("1" "2" "3" "4" "5" "6" "7" "8" "9" "10")`, `sh:in ("1"@en "2" "3" "4")`,
	} {
		t.Run(c[:10], func(t *testing.T) {
			t.Parallel()
			_, err := compile(t, `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; `+c+`].`).Validate(t.Context(), g, shacl.Options{MaxChecks: 30})
			var limit *shacl.LimitError
			require.ErrorAs(t, err, &limit)
		})
	}
}

// TestOneListOfManyShapes reads a long list, well-formed or not, for as many shapes as
// it has members. Read for each of them it takes minutes.
func TestOneListOfManyShapes(t *testing.T) {
	t.Parallel()
	const n = 40_000
	for _, row := range []struct {
		name, member, last, end, use, problem string
	}{
		{"a path without an end", "ex:p", "ex:p", "", "sh:path ex:l0", ""}, // an IRI is a predicate
		{"a path without an end, of blank nodes", "ex:p", "ex:p", "", "sh:path _:l0", "found a node after 39999 members"},
		{"a path that ends with a literal", "ex:p", "ex:p", "1", "sh:path _:l0", "expected a list of paths, found"},
		{"a path with a literal", "ex:p", "1", "()", "sh:path _:l0", "expected a path, found"},
		{"alternatives without an end", "ex:p", "ex:p", "", "sh:path [ sh:alternativePath _:l0 ]", "found a node after 39999 members"},
		{"alternatives with a literal", "ex:p", "1", "()", "sh:path [ sh:alternativePath _:l0 ]", "expected a path, found"},
		{"shapes without an end", "ex:Q", "ex:Q", "", "sh:or _:l0", "found a node after 39999 members"},
		{"shapes with a literal", "ex:Q", "1", "()", "sh:and _:l0", "expected a shape, found"},
		{"values without an end", "ex:p", "ex:p", "", "sh:in _:l0", "found a node after 39999 members"},
		{"a loop", "ex:p", "ex:p", "_:l0", "sh:in _:l0", "found a loop"},
		{"languages without an end", `"en"`, `"en"`, "", "sh:languageIn _:l0", "found a node after 39999 members"},
		{"languages with a number", `"en"`, "1", "()", "sh:languageIn _:l0", "expected an xsd:string"},
		{"ignored properties without an end", "ex:p", "ex:p", "", "sh:ignoredProperties _:l0", "found a node after 39999 members"},
		{"ignored properties with a literal", "ex:p", "1", "()", "sh:closed true; sh:ignoredProperties _:l0", "expected a list of IRIs, found"},
		{"ignored properties", "ex:p", "ex:p", "()", "sh:ignoredProperties _:l0", ""},
		{"the same of closed shapes", "ex:p", "ex:p", "()", "sh:closed true; sh:ignoredProperties _:l0", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			for i := range n {
				member, rest := row.member, fmt.Sprintf("; rdf:rest _:l%d", i+1)
				if i == n-1 {
					member, rest = row.last, ""
					if row.end != "" {
						rest = "; rdf:rest " + row.end
					}
				}
				fmt.Fprintf(&b, "_:l%d rdf:first %s %s.\n", i, member, rest)
			}
			for i := range n {
				fmt.Fprintf(&b, "ex:S%d %s.\n", i, row.use)
			}
			_, err := shacl.Compile(graph(t, "shapes.ttl", b.String()), shacl.CompileOptions{})
			if row.problem == "" {
				require.NoError(t, err)
				return
			}
			var refused *shacl.CompileError
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, n, len(refused.Problems)+refused.Omitted, "each shape is told of")
			for _, p := range []shacl.Problem{refused.Problems[0], refused.Problems[999]} {
				assert.Contains(t, p.Text, row.problem)
			}
		})
	}
}

// TestListsWithOneEnd has lists that differ in their first member alone: the others,
// held for each list, are gigabytes.
func TestListsWithOneEnd(t *testing.T) {
	t.Parallel()
	const n, m = 3000, 5000
	lists := func(n int, member, use string) rdf.Graph {
		var b strings.Builder
		b.WriteString("_:end rdf:first " + member + "; rdf:rest (" + strings.Repeat(" "+member, m) + ").\n")
		for i := range n {
			fmt.Fprintf(&b, "ex:S%d %s. _:l%[1]d rdf:first %[3]s; rdf:rest _:end.\n", i, strings.ReplaceAll(use, "LIST", fmt.Sprintf("_:l%d", i)), member)
		}
		return graph(t, "shapes.ttl", b.String())
	}
	for _, row := range []struct{ member, use string }{
		{"ex:Q", "sh:or LIST"}, {"ex:p", "sh:in LIST"}, {`"en"`, "sh:languageIn LIST"}, {"ex:p", "sh:ignoredProperties LIST"}, {"ex:p", "sh:path [ sh:alternativePath LIST ]"},
	} {
		t.Run(row.use, func(t *testing.T) {
			t.Parallel()
			_, err := shacl.Compile(lists(n, row.member, row.use), shacl.CompileOptions{})
			var limit *shacl.LimitError
			require.ErrorAs(t, err, &limit)
			if limit.Limit != shacl.LimitPathLength { // which comes first
				assert.Equal(t, shacl.LimitListMembers, limit.Limit)
				assert.EqualValues(t, 1<<16, limit.Max)
			}
			assert.NotZero(t, limit.Place.Line)
			if limit.Limit == shacl.LimitListMembers {
				_, err = shacl.Compile(lists(10, row.member, row.use), shacl.CompileOptions{})
				require.NoError(t, err)
			}
		})
	}
}

// TestQualifiedOfManyParents has a property with many qualified shapes, which is
// ill-formed, beside another in many shapes: their product would be gigabytes.
func TestQualifiedOfManyParents(t *testing.T) {
	t.Parallel()
	const n = 20_000
	var b strings.Builder
	b.WriteString("ex:P sh:path ex:p; sh:qualifiedMinCount 1; sh:qualifiedValueShape ex:Q; sh:qualifiedValueShapesDisjoint true.\n")
	for i := range n {
		fmt.Fprintf(&b, "ex:S%d sh:property ex:P, ex:M. ex:M sh:qualifiedValueShape ex:Q%[1]d.\n", i)
	}
	b.WriteString("ex:M sh:path ex:p.")
	_, err := shacl.Compile(graph(t, "shapes.ttl", b.String()), shacl.CompileOptions{})
	require.ErrorContains(t, err, "expected one value, found 20000")
}

// TestManyPatterns bounds what the classes of patterns take: without that a
// graph of 200 KB takes half a minute and gigabytes.
func TestManyPatterns(t *testing.T) {
	t.Parallel()
	many := func(pattern, flags string, per, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `ex:S%d sh:pattern "%s%d"; sh:flags "%s". `, i, strings.Repeat(pattern, per), i, flags)
		}
		return b.String()
	}
	t.Run("accepted one by one", func(t *testing.T) {
		t.Parallel()
		_, err := shacl.Compile(graph(t, "shapes.ttl", many(`\\P{L}`, "i", 40, 900)), shacl.CompileOptions{})
		var limit *shacl.LimitError
		require.ErrorAs(t, err, &limit)
		assert.Equal(t, shacl.LimitPatterns, limit.Limit)
		assert.EqualValues(t, 4<<20, limit.Max)
		assert.NotZero(t, limit.Place.Line)
	})
	t.Run("refused", func(t *testing.T) {
		t.Parallel()
		_, err := shacl.Compile(graph(t, "shapes.ttl", many(`[\\p{L}-[\\p{Lu}]]`, "", 100, 25)), shacl.CompileOptions{MaxPatternBytes: 1 << 30})
		require.ErrorContains(t, err, "too large")
	})
	t.Run("long", func(t *testing.T) {
		t.Parallel()
		g := graph(t, "shapes.ttl", many(`é`, "", 4095, 10)) // and a digit
		_, err := shacl.Compile(g, shacl.CompileOptions{})
		require.NoError(t, err)
		_, err = shacl.Compile(g, shacl.CompileOptions{MaxPattern: 4095})
		var limit *shacl.LimitError
		require.ErrorAs(t, err, &limit)
		assert.Equal(t, shacl.LimitPattern, limit.Limit)
		assert.EqualValues(t, 4095, limit.Max)
		assert.NotZero(t, limit.Place.Line)
	})
	// What each of these is expanded to is known before it is: gigabytes, and seconds.
	for _, row := range []struct{ name, pattern, flags string }{
		{"one escape again and again", strings.Repeat(`\\p{L}`, 10_000), ""},
		{"a class of the same escapes", "[^" + strings.Repeat(`\\P{L}\\p{Lu}`, 5000) + "]", ""},
		{"classes that are nothing", strings.Repeat(`[\\p{L}-[\\p{L}]]`, 3000), ""},
		{"characters and their variants", strings.Repeat("[!-\u2fff]", 8000), "i"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			for _, o := range []shacl.CompileOptions{{}, {MaxPattern: 1 << 20}} {
				_, err := shacl.Compile(graph(t, "shapes.ttl", many(row.pattern, row.flags, 1, 17)), o)
				var limit *shacl.LimitError
				require.ErrorAs(t, err, &limit)
			}
		})
	}
	t.Run("exactly", func(t *testing.T) {
		t.Parallel()
		g := graph(t, "shapes.ttl", many(`[a-z]`, "i", 3, 20))
		least, most := 0, 1<<20
		for least+1 < most { // most is enough, least is not
			n := (least + most) / 2
			if _, err := shacl.Compile(g, shacl.CompileOptions{MaxPatternBytes: n}); err == nil {
				most = n
			} else {
				least = n
			}
		}
		assert.Greater(t, most, 1000)
		_, err := shacl.Compile(g, shacl.CompileOptions{MaxPatternBytes: most - 1})
		require.ErrorContains(t, err, fmt.Sprintf("pattern bytes limit %d exceeded", most-1))
	})
	t.Run("one pattern of many shapes", func(t *testing.T) {
		t.Parallel()
		var b strings.Builder
		for i := range 4000 {
			fmt.Fprintf(&b, `ex:S%d sh:targetNode ex:x; sh:pattern "^[\\p{L}-[\\p{Lu}]]:.*$". `, i)
		}
		r, err := compile(t, b.String()).Validate(t.Context(), graph(t, "data.ttl", "ex:x ex:p 1."), shacl.Options{})
		require.NoError(t, err)
		assert.Equal(t, 4000, len(r.Results)+r.Omitted)
	})
}

// TestCostOfPatterns has patterns with what a match costs beside the check of its value.
func TestCostOfPatterns(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 6400)
	for _, row := range []struct {
		name, pattern, text string
		found               bool
		least, most         int
	}{
		{"an identifier", `^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`, "0f8fad5b-d9cb-469f-a165-708670000000", true, 0, 2},
		{"an address", `^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$`, "someone.0000001@mail.example.com", true, 0, 2},
		{"the beginning of an IRI", `^https://example\\.org/`, "https://example.org/" + long, true, 0, 0},
		{"a length", `^.{1,200}$`, strings.Repeat("a", 50), true, 0, 10},
		{"one after the other", `^a+$`, long, true, 150, 250},
		{"nothing after the first", `^b+$`, long, false, 0, 0},
		{"a text that is not found", `b`, long, false, 20, 30},
		{"all states at once", `(a?){50}b`, long, false, 5000, 5500},
		{"all states of a large pattern", `(a?){500}b`, long, false, 200_000, 400_000},
		{"what all could, but the text is short of", `^(a?){500}b`, strings.Repeat("b", 6400), true, 0, 50},
		{"a large class", `^(\\p{L}?){500}$`, strings.Repeat("ж", 100), true, 2000, 10_000},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			g := graph(t, "data.ttl", `ex:x ex:p "`+row.text+`".`)
			checks := func(parameter string, o shacl.Options) (int, error) {
				if !row.found {
					parameter = "sh:not [" + parameter + "]"
				}
				r, err := compile(t, `ex:S sh:property [sh:path ex:p; `+parameter+`].`).ValidateNode(t.Context(), iri(t, "S"), g, iri(t, "x"), o)
				if err != nil {
					return 0, err
				}
				require.True(t, r.Conforms())
				return r.Checks, nil
			}
			kind := "sh:Literal"
			if !row.found {
				kind = "sh:IRI"
			}
			without, err := checks("sh:nodeKind "+kind, shacl.Options{})
			require.NoError(t, err)
			pattern := `sh:pattern "` + row.pattern + `"`
			n, err := checks(pattern, shacl.Options{})
			require.NoError(t, err)
			assert.GreaterOrEqual(t, n-without, row.least)
			assert.LessOrEqual(t, n-without, row.most)
			_, err = checks(pattern, shacl.Options{MaxChecks: n})
			require.NoError(t, err)
			_, err = checks(pattern, shacl.Options{MaxChecks: n - 1})
			var limit *shacl.LimitError
			require.ErrorAs(t, err, &limit)
			assert.Equal(t, shacl.LimitChecks, limit.Limit)
		})
	}
}

// TestPatternsOfManyValues matches ordinary patterns to values of which a hundred thousand,
// more than a peer can send, are within the default budget.
func TestPatternsOfManyValues(t *testing.T) {
	t.Parallel()
	const n, most = 10_000, shacl.DefaultChecks / 10
	for _, row := range []struct{ pattern, text string }{
		{`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`, "0f8fad5b-d9cb-469f-a165-70867%07d"},
		{`^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$`, "someone.%07d@mail.example.com"},
		{`^https://example\\.org/`, "https://example.org/things/%07d"},
		{`[0-9]{3}`, "some text with a number at its end %07d"},
		{`^\\p{L}[\\p{L} .'-]*[0-9]*$`, "Jürgen van der Müller-%07d"},
		{`^.{1,200}$`, "some text of usual length that says something %07d"},
	} {
		t.Run(row.text, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, `ex:x ex:p "`+row.text+"\".\n", i)
			}
			r, err := compile(t, `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:minCount 1; sh:nodeKind sh:Literal; sh:pattern "`+row.pattern+`"].`).
				Validate(t.Context(), graph(t, "data.ttl", b.String()), shacl.Options{MaxChecks: most})
			require.NoError(t, err)
			assert.True(t, r.Conforms())
		})
	}
}

// TestPathsThatStay walks paths whose parts may stay where they are, within each other: each
// goes through all nodes.
func TestPathsThatStay(t *testing.T) {
	t.Parallel()
	const n, deep = 200, 20
	var data strings.Builder
	for i := range n {
		fmt.Fprintf(&data, "ex:x ex:p ex:n%d. ", i)
	}
	g := graph(t, "data.ttl", data.String())
	for _, kind := range []string{"zeroOrOnePath", "zeroOrMorePath"} {
		p := compile(t, "ex:S sh:property [sh:path (ex:p "+strings.Repeat("[sh:"+kind+" ", deep)+"ex:q"+strings.Repeat("]", deep)+"); sh:nodeKind sh:IRI].")
		r, err := p.ValidateNode(t.Context(), iri(t, "S"), g, iri(t, "x"), shacl.Options{})
		require.NoError(t, err)
		assert.True(t, r.Conforms())
		assert.Greater(t, r.Checks, deep*n/2, kind)
		most, _ := p.WorstCase(iri(t, "S"), n)
		assert.LessOrEqual(t, r.Checks, most, kind)
	}
}

// TestQualifiedOfManyShapes has a qualified shape that many shapes have as a property: each
// is looked at for siblings of it, for each value.
func TestQualifiedOfManyShapes(t *testing.T) {
	t.Parallel()
	const values, parents = 100, 1000
	var b strings.Builder
	b.WriteString("ex:S sh:property ex:P. ex:P sh:path ex:p; sh:qualifiedValueShape [sh:nodeKind sh:Literal]; sh:qualifiedMinCount 1; sh:qualifiedValueShapesDisjoint true. ")
	for i := range parents {
		fmt.Fprintf(&b, "ex:S%d sh:property ex:P. ", i)
	}
	var data strings.Builder
	for i := range values {
		fmt.Fprintf(&data, "ex:x ex:p %d. ", i)
	}
	p := compile(t, b.String())
	r, err := p.ValidateNode(t.Context(), iri(t, "S"), graph(t, "data.ttl", data.String()), iri(t, "x"), shacl.Options{})
	require.NoError(t, err)
	assert.True(t, r.Conforms())
	assert.Greater(t, r.Checks, values*parents/10)
	most, _ := p.WorstCase(iri(t, "S"), values)
	assert.LessOrEqual(t, r.Checks, most)
}
