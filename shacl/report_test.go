package shacl_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/shacl"
)

func TestZeroReport(t *testing.T) {
	t.Parallel()
	var r shacl.Report
	assert.False(t, r.Conforms())
	assert.Equal(t, `{"version":1,"conforms":false,"results":[]}`, string(r.AppendJSON(nil)))
	d, err := r.Dataset(rdf.Peer())
	require.NoError(t, err)
	assert.NotZero(t, d.Lookup(mustLiteral(t, "false", vocab.XSDBoolean)))
}

func mustLiteral(t testing.TB, lexical, datatype string) rdf.Term {
	t.Helper()
	l, err := rdf.NewLiteral(lexical, datatype)
	require.NoError(t, err)
	return l
}

func TestSeverity(t *testing.T) {
	t.Parallel()
	r := validate(t, `ex:S sh:targetNode ex:x; sh:severity sh:Warning; sh:in (); sh:property [sh:path ex:p; sh:minCount 1; sh:severity sh:Info], [sh:path ex:p; sh:minCount 1], [sh:path ex:p; sh:minCount 1; sh:severity ex:Grave].`, ``)
	var got []string
	for _, res := range r.Results {
		got = append(got, shortText("<"+res.Severity+">"))
	}
	// A property shape has a severity of its own, whatever the shape around it has.
	assert.Equal(t, []string{"sh:Info", "sh:Violation", "ex:Grave", "sh:Warning"}, got)
	assert.False(t, r.Conforms())
	assert.Equal(t, 1, r.BySeverity(vocab.SHWarning))
	assert.False(t, validate(t, `ex:S sh:targetNode ex:x; sh:severity sh:Info; sh:in ().`, ``).Conforms(), "a result of any severity is none")
}

func TestMessages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, messages, message, all string }{
		{"none", ``, "expected one of nothing", ""},
		{"one", `sh:message "m";`, "m", `"m"`},
		{"without a language before others", `sh:message "d"@de, "m", "e"@en;`, "m", `"m" "d"@de "e"@en`},
		{"English before others", `sh:message "d"@de, "e"@en-GB, "f"@fr;`, "e", `"d"@de "e"@en-GB "f"@fr`},
		{"by language", `sh:message "f"@fr, "d"@de;`, "d", `"d"@de "f"@fr`},
		{"English in capitals", `sh:message "d"@de, "e"@EN-gb, "z"@enm;`, "e", `"d"@de "e"@EN-gb "z"@enm`},
		{"a language that begins like English", `sh:message "d"@de, "z"@enm, "f"@fr;`, "d", `"d"@de "z"@enm "f"@fr`},
		{"English after its kin", `sh:message "z"@enm, "e"@en;`, "e", `"e"@en "z"@enm`},
		{"none that is English or later", `sh:message "d"@de, "c"@cs;`, "c", `"c"@cs "d"@de`},
		{"two of a language by text", `sh:message "b"@en, "a"@en;`, "a", `"a"@en "b"@en`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := validate(t, `ex:S sh:targetNode ex:x; `+c.messages+` sh:in ().`, ``)
			require.Len(t, r.Results, 1)
			assert.Equal(t, c.message, r.Results[0].Message())
			var all []string
			for _, m := range r.Results[0].Messages {
				all = append(all, m.String())
			}
			assert.Equal(t, c.all, strings.Join(all, " "))
			assert.Equal(t, "expected one of nothing", r.Results[0].Reason(short), "the reason is there beside a message")
		})
	}
}

// reasonRow is a constraint with a value that violates it, and what is said then.
type reasonRow struct{ constraint, value, want string }

// reasonRows are rows of every component.
var reasonRows = []reasonRow{
	{`sh:class ex:C`, `ex:y`, `not an instance of ex:C`},
	{`sh:datatype xsd:date`, `"2024-02-30"^^xsd:date`, `not in the lexical space of xsd:date`},
	{`sh:datatype xsd:date`, `5`, `expected a literal of datatype xsd:date, found one of datatype xsd:integer`},
	{`sh:datatype xsd:date`, `"x"@en`, `expected a literal of datatype xsd:date, found a string with a language`},
	{`sh:datatype xsd:date`, `ex:y`, `expected a literal of datatype xsd:date, found an IRI`},
	{`sh:datatype xsd:date`, `[]`, `expected a literal of datatype xsd:date, found a blank node`},
	{`sh:nodeKind sh:IRIOrLiteral`, `[]`, `expected an IRI or a literal, found a blank node`},
	{`sh:minCount 2`, `1`, `expected at least 2 values, found 1`},
	{`sh:maxCount 1`, `1, 2`, `expected at most 1 value, found 2`},
	{`sh:minExclusive 5`, `5`, `expected a value greater than "5"^^xsd:integer`},
	{`sh:minInclusive 5`, `4`, `expected a value greater than or equal to "5"^^xsd:integer`},
	{`sh:maxExclusive 5`, `5`, `expected a value less than "5"^^xsd:integer`},
	{`sh:maxInclusive 5`, `6`, `expected a value less than or equal to "5"^^xsd:integer`},
	{`sh:maxInclusive 5`, `"x"`, `cannot be compared with "5"^^xsd:integer`},
	{`sh:minLength 3`, `"äb"`, `expected at least 3 characters, found 2`},
	{`sh:maxLength 1`, `"äb"`, `expected at most 1 character, found 2`},
	{`sh:maxLength 1`, `[]`, `expected a text of at most 1 character, found a blank node`},
	{`sh:pattern "^a"`, `"b"`, `does not match the pattern "^a"`},
	{`sh:pattern "^a"`, `[]`, `expected a text that matches "^a", found a blank node`},
	{`sh:languageIn ("en" "de")`, `"b"@fr`, `expected a language that matches en, de, found fr`},
	{`sh:languageIn ("en")`, `ex:y`, `expected a language that matches en, found an IRI`},
	{`sh:languageIn ("en")`, `"b"`, `expected a language that matches en, found a literal without a language`},
	{`sh:uniqueLang true`, `"a"@en, "b"@EN`, `the language EN is used by more than one value`},
	{`sh:equals ex:q`, `ex:y`, `not a value of ex:q`},
	{`sh:equals ex:r`, `6`, `a value of ex:r that is missing here`},
	{`sh:disjoint ex:r`, `5, 6`, `also a value of ex:r`},
	{`sh:lessThan ex:r`, `6`, `expected a value less than "5"^^xsd:integer, a value of ex:r`},
	{`sh:lessThanOrEquals ex:r`, `6`, `expected a value less than or equal to "5"^^xsd:integer, a value of ex:r`},
	{`sh:lessThan ex:r`, `"x"`, `cannot be compared with "5"^^xsd:integer, a value of ex:r`},
	{`sh:not ex:T`, `ex:y`, `conforms to ex:T, which sh:not excludes`},
	{`sh:and (ex:U ex:U ex:T ex:U)`, `ex:y`, `does not conform to number 1, 2 and 4 of the 4 shapes of sh:and`},
	{`sh:or (ex:U)`, `ex:y`, `conforms to none of the 1 shapes of sh:or`},
	{`sh:xone (ex:U)`, `ex:y`, `conforms to none of the 1 shapes of sh:xone`},
	{`sh:xone (ex:T ex:U ex:T)`, `ex:y`, `conforms to number 1 and 3 of the 3 shapes of sh:xone, expected exactly one`},
	{`sh:node ex:U`, `ex:y`, `does not conform to ex:U`},
	{`sh:qualifiedValueShape ex:U; sh:qualifiedMinCount 1`, `ex:y`, `expected at least 1 value conforming to ex:U, found 0`},
	{`sh:qualifiedValueShape ex:T; sh:qualifiedMaxCount 0`, `ex:y`, `expected at most 0 values conforming to ex:T, found 1`},
	{`sh:closed true`, `ex:x`, `the closed shape does not allow ex:p`},
	{`sh:hasValue 7`, `ex:y`, `expected the value "7"^^xsd:integer`},
	{`sh:in (1 2)`, `ex:y`, `expected one of "1"^^xsd:integer, "2"^^xsd:integer`},
	{`sh:in (ex:a ex:b ex:c ex:d ex:e ex:f ex:g)`, `ex:y`, `expected one of ex:a, ex:b, ex:c, ex:d, ex:e, 2 more`},
}

func (c reasonRow) validate(t *testing.T) *shacl.Report {
	t.Helper()
	return validate(t, `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; `+c.constraint+`]. ex:T sh:nodeKind sh:IRI. ex:U sh:nodeKind sh:BlankNode.`,
		strings.ReplaceAll(`ex:x ex:p VALUE; ex:r 5.`, "VALUE", c.value))
}

// TestReasons looks at the text of every component.
func TestReasons(t *testing.T) {
	t.Parallel()
	for _, c := range reasonRows {
		t.Run(c.constraint, func(t *testing.T) {
			t.Parallel()
			r := c.validate(t)
			require.NotEmpty(t, r.Results)
			said := ""
			for i := range r.Results {
				said += r.Results[i].Reason(short) + "\n"
			}
			assert.Contains(t, said, c.want+"\n")
		})
	}
}

// tree writes a result and its details, indented.
func tree(results []shacl.Result, indent string) string {
	var b strings.Builder
	for i := range results {
		r := &results[i]
		b.WriteString(indent)
		if r.Member > 0 {
			fmt.Fprintf(&b, "%d: ", r.Member)
		}
		b.WriteString(line(r) + "\n" + tree(r.Details, indent+"  "))
		if r.Truncated {
			b.WriteString(indent + "  ...\n")
		}
	}
	return b.String()
}

func TestDetails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, shapes, data, want string }{
		{"node", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:node ex:T]. ex:T sh:property [sh:path ex:q; sh:minCount 1], [sh:path ex:r; sh:datatype xsd:string].`, `ex:x ex:p ex:y. ex:y ex:r 5.`, `
ex:x ex:p ex:y Node
  ex:y ex:q - MinCount
  ex:y ex:r "5"^^xsd:integer Datatype
`},
		{"node in node", `ex:S sh:targetNode ex:x; sh:node ex:T. ex:T sh:node ex:U. ex:U sh:class ex:C.`, ``, `
ex:x - ex:x Node
  ex:x - ex:x Node
    ex:x - ex:x Class
`},
		{"or", `ex:S sh:targetNode ex:x; sh:or (ex:T [sh:path ex:q; sh:minCount 1] [sh:class ex:C; sh:nodeKind sh:Literal]). ex:T sh:nodeKind sh:BlankNode.`, ``, `
ex:x - ex:x Or
  1: ex:x - ex:x NodeKind
  2: ex:x ex:q - MinCount
  3: ex:x - ex:x Class
  3: ex:x - ex:x NodeKind
`},
		{"and", `ex:S sh:targetNode ex:x; sh:and (ex:T ex:U ex:T). ex:T sh:nodeKind sh:BlankNode. ex:U sh:nodeKind sh:IRI.`, ``, `
ex:x - ex:x And
  1: ex:x - ex:x NodeKind
  3: ex:x - ex:x NodeKind
`},
		{"xone of none", `ex:S sh:targetNode ex:x; sh:xone (ex:T ex:T). ex:T sh:nodeKind sh:BlankNode.`, ``, `
ex:x - ex:x Xone
  1: ex:x - ex:x NodeKind
  2: ex:x - ex:x NodeKind
`},
		{"xone of two", `ex:S sh:targetNode ex:x; sh:xone (ex:T ex:T). ex:T sh:nodeKind sh:IRI.`, ``, `
ex:x - ex:x Xone
`},
		{"not", `ex:S sh:targetNode ex:x; sh:not ex:T. ex:T sh:nodeKind sh:IRI.`, ``, `
ex:x - ex:x Not
`},
		{"qualified minimum", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:qualifiedValueShape ex:T; sh:qualifiedMinCount 2]. ex:T sh:class ex:C.`, `ex:x ex:p ex:a, ex:b, ex:c. ex:b a ex:C.`, `
ex:x ex:p - QualifiedMinCount
  ex:a - ex:a Class
  ex:c - ex:c Class
`},
		{"or in node in or", `ex:S sh:targetNode ex:x; sh:or ([sh:node [sh:or ([sh:class ex:C] [sh:class ex:D])]] [sh:class ex:E]).`, ``, `
ex:x - ex:x Or
  1: ex:x - ex:x Node
    ex:x - ex:x Or
      1: ex:x - ex:x Class
      2: ex:x - ex:x Class
  2: ex:x - ex:x Class
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, c.want, "\n"+tree(validate(t, c.shapes, c.data).Results, ""))
		})
	}
}

// doubling is a shape of n levels that each refer to the next one twice.
func doubling(n int, form, last string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "ex:L%d "+form+". ", i, i+1, i+1)
	}
	fmt.Fprintf(&b, "ex:L%d %s. ex:L0 sh:targetNode ex:x.", n, last)
	return b.String()
}

func TestDetailsAreBounded(t *testing.T) {
	t.Parallel()
	r := validate(t, doubling(20, "sh:or (ex:L%d ex:L%d)", "sh:class ex:C"), ``)
	require.Len(t, r.Results, 1)
	var count func([]shacl.Result) (int, bool)
	count = func(results []shacl.Result) (n int, truncated bool) {
		for i := range results {
			m, cut := count(results[i].Details)
			n, truncated = n+1+m, truncated || cut || results[i].Truncated
		}
		return n, truncated
	}
	n, truncated := count(r.Results[0].Details)
	assert.Equal(t, 64, n)
	assert.True(t, truncated)

	wide := `ex:S sh:targetNode ex:x; sh:node [sh:property ` + strings.TrimSuffix(strings.Repeat("[sh:path ex:p; sh:minCount 1], ", 100), ", ") + `].`
	r = validate(t, wide, ``)
	assert.Len(t, r.Results[0].Details, 64)
	assert.True(t, r.Results[0].Truncated)
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	const data = `
ex:x a ex:C ;
  ex:n "x" ;
  ex:n 5 .
ex:y
  ex:n [ ex:v "y" ] ;
  ex:m ex:x .
ex:z ex:list ( 1
  2 ) ; ex:o "only here" .
ex:x ex:late 1 .`
	for _, c := range []struct{ name, shapes, place, shapePlace string }{
		{"object of the triple", "ex:S sh:targetNode ex:x;\n sh:property [ sh:path ex:n; sh:datatype xsd:string ].", "data.ttl:5:8", "shapes.ttl:3:14"},
		{"a blank node", "ex:S sh:targetNode ex:y; sh:property [ sh:path ex:n; sh:nodeKind sh:IRI ].", "data.ttl:7:8", "shapes.ttl:2:38"},
		{"no value: the focus node as a subject", "ex:S sh:targetNode ex:x; sh:property [ sh:path ex:none; sh:minCount 1 ].", "data.ttl:3:1", "shapes.ttl:2:38"},
		{"node shape", "\nex:S sh:targetNode ex:x; sh:class ex:D.", "data.ttl:3:1", "shapes.ttl:3:1"},
		{"focus node that is only an object", `ex:S sh:targetObjectsOf ex:o; sh:nodeKind sh:IRI.`, "data.ttl:10:14", "shapes.ttl:2:1"},
		{"focus node that the data lacks", `ex:S sh:targetNode ex:ghost; sh:class ex:C.`, "", "shapes.ttl:2:1"},
		{"inverse path: the subject", `ex:S sh:targetNode ex:x; sh:property [sh:path [sh:inversePath ex:m]; sh:class ex:C].`, "data.ttl:6:1", "shapes.ttl:2:38"},
		{"sequence: the last step", `ex:S sh:targetNode ex:y; sh:property [sh:path (ex:n ex:v); sh:datatype xsd:integer].`, "data.ttl:7:15", "shapes.ttl:2:38"},
		{"list member", `ex:S sh:targetNode ex:z; sh:property [sh:path (ex:list [sh:zeroOrMorePath rdf:rest] rdf:first); sh:maxInclusive 1].`, "data.ttl:10:3", "shapes.ttl:2:38"},
		{"closed: the triple", `ex:S sh:targetNode ex:y; sh:closed true; sh:property [sh:path ex:n].`, "data.ttl:8:8", "shapes.ttl:2:1"},
		{"equals: the other triple", `ex:S sh:targetNode ex:y; sh:property [sh:path ex:none; sh:equals ex:m].`, "data.ttl:8:8", "shapes.ttl:2:38"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := validate(t, c.shapes, data)
			require.Len(t, r.Results, 1)
			assert.Equal(t, c.place, r.Results[0].Place.String())
			assert.Equal(t, c.shapePlace, r.Results[0].ShapePlace.String())
		})
	}
	t.Run("no places kept", func(t *testing.T) {
		t.Parallel()
		d, err := turtle.Parse([]byte(prefixes+data), turtle.Options{})
		require.NoError(t, err)
		r, err := compile(t, `ex:S sh:targetNode ex:x; sh:in ().`).Validate(t.Context(), d.Default(), shacl.Options{})
		require.NoError(t, err)
		assert.True(t, r.Results[0].Place.IsZero())
	})
}

func TestJSON(t *testing.T) {
	t.Parallel()
	r := validate(t, `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:node ex:T], [sh:path [sh:inversePath ex:q]; sh:minCount 1; sh:message "say \"it\"\n"]. ex:T sh:or ([sh:nodeKind sh:IRI]).`, `ex:x ex:p "a\tb"@en.`)
	text, err := json.Marshal(r)
	require.NoError(t, err)
	var want bytes.Buffer
	require.NoError(t, json.Compact(&want, []byte(`{"version":1,"conforms":false,"results":[
		{"focusNode":"<http://example.org/x>","path":"<http://example.org/p>","value":"\"a\\tb\"@en","constraint":"http://www.w3.org/ns/shacl#NodeConstraintComponent",
		 "shape":"_:b0","severity":"http://www.w3.org/ns/shacl#Violation","message":"does not conform to <http://example.org/T>",
		 "place":{"file":"data.ttl","line":2,"column":11},"shapePlace":{"file":"shapes.ttl","line":2,"column":38},
		 "details":[{"focusNode":"\"a\\tb\"@en","value":"\"a\\tb\"@en","constraint":"http://www.w3.org/ns/shacl#OrConstraintComponent",
		  "shape":"<http://example.org/T>","severity":"http://www.w3.org/ns/shacl#Violation","message":"conforms to none of the 1 shapes of sh:or",
		  "place":{"file":"data.ttl","line":2,"column":11},"shapePlace":{"file":"shapes.ttl","line":2,"column":143},
		  "details":[{"focusNode":"\"a\\tb\"@en","value":"\"a\\tb\"@en","constraint":"http://www.w3.org/ns/shacl#NodeKindConstraintComponent",
		   "shape":"_:b4","severity":"http://www.w3.org/ns/shacl#Violation","message":"expected an IRI, found a literal",
		   "place":{"file":"data.ttl","line":2,"column":11},"shapePlace":{"file":"shapes.ttl","line":2,"column":155},"member":1}]}]},
		{"focusNode":"<http://example.org/x>","path":"^<http://example.org/q>","constraint":"http://www.w3.org/ns/shacl#MinCountConstraintComponent",
		 "shape":"_:b1","severity":"http://www.w3.org/ns/shacl#Violation","message":"say \"it\"\n",
		 "place":{"file":"data.ttl","line":2,"column":1},"shapePlace":{"file":"shapes.ttl","line":2,"column":68}}]}`)))
	var a, b any
	require.NoError(t, json.Unmarshal(text, &a))
	require.NoError(t, json.Unmarshal(want.Bytes(), &b))
	blankLabels(a)
	blankLabels(b)
	assert.Equal(t, b, a)
	var compact bytes.Buffer
	require.NoError(t, json.Compact(&compact, r.AppendJSON(nil)))
	assert.Equal(t, compact.String(), string(r.AppendJSON(nil)))
}

// blankLabels makes the labels of blank nodes alike.
func blankLabels(v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, m := range v {
			if s, ok := m.(string); ok && strings.HasPrefix(s, "_:") {
				v[k] = "_:"
			}
			blankLabels(m)
		}
	case []any:
		for _, m := range v {
			blankLabels(m)
		}
	}
}

func TestDataset(t *testing.T) {
	t.Parallel()
	// A blank node of the data and a shape, both b0 in their documents, must
	// not become one.
	r := validate(t,
		`_:b0 sh:targetClass ex:C; sh:nodeKind sh:IRI; sh:message "no blank nodes"@en. ex:P sh:targetClass ex:C; sh:path [sh:alternativePath (ex:p [sh:inversePath ex:q])]; sh:minCount 1; sh:severity sh:Info.`,
		`_:b0 a ex:C.`)
	d, err := r.Dataset(rdf.Local())
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, turtle.Write(&out, d, turtle.WriteOptions{}))
	want, err := turtle.Parse([]byte(prefixes+`[] a sh:ValidationReport; sh:conforms false; sh:result
		[a sh:ValidationResult; sh:focusNode _:data; sh:value _:data; sh:sourceConstraintComponent sh:NodeKindConstraintComponent; sh:sourceShape _:shape; sh:resultSeverity sh:Violation; sh:resultMessage "no blank nodes"@en],
		[a sh:ValidationResult; sh:focusNode _:data; sh:resultPath [sh:alternativePath (ex:p [sh:inversePath ex:q])]; sh:sourceConstraintComponent sh:MinCountConstraintComponent; sh:sourceShape ex:P; sh:resultSeverity sh:Info; sh:resultMessage "expected at least 1 value, found 0"].`), turtle.Options{})
	require.NoError(t, err)
	assert.True(t, suite.Isomorphic(want, d), out.String())

	_, err = r.Dataset(rdf.Limits{Quads: 5})
	var limit *shacl.LimitError
	require.ErrorAs(t, err, &limit)
}

// TestDetailsThatDoNotFit writes a report whose results have details of one long text that
// are nested: what does not fit is not written to find that out, level by level.
func TestDetailsThatDoNotFit(t *testing.T) {
	const results, levels = 50, 20
	var b strings.Builder
	for i := range results {
		fmt.Fprintf(&b, "ex:s%d sh:targetNode ex:x; sh:node ex:A0. ", i)
	}
	b.WriteString("ex:A0 sh:property [sh:path ex:p; sh:node ex:A1]. ")
	for i := 1; i < levels; i++ {
		fmt.Fprintf(&b, "ex:A%d sh:node ex:A%d. ", i, i+1)
	}
	fmt.Fprintf(&b, "ex:A%d sh:hasValue 3.", levels)
	p := compile(t, b.String())
	r, err := p.Validate(t.Context(), graph(t, "data.ttl", `ex:x ex:p "`+strings.Repeat(`\"`, 20_000)+`".`), shacl.Options{MaxReport: 60_000})
	require.NoError(t, err)
	require.Len(t, r.Results, results)
	text := r.AppendJSON(nil)
	assert.Equal(t, results, strings.Count(string(text), `"truncated":true`))
	assert.NotContains(t, string(text), `"omitted"`)
	assert.Less(t, testing.AllocsPerRun(3, func() { text = r.AppendJSON(text[:0]) }), float64(5*results*levels))
}

// TestManyDetailsThatDoNotFit writes a report whose results have details that have one of
// long texts each: how many of those are looked at does not depend on how many there are.
// Not parallel, since it counts what is allocated.
func TestManyDetailsThatDoNotFit(t *testing.T) {
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, "ex:s%d sh:targetNode ex:x; sh:node ex:B1. ", i)
	}
	for i := 1; i < 32; i++ {
		fmt.Fprintf(&b, "ex:B%d sh:node ex:B%d, ex:B%d. ", i, 2*i, 2*i+1)
	}
	for i := 32; i < 64; i++ {
		fmt.Fprintf(&b, "ex:B%d sh:in (%s). ", i, strings.Repeat(`"`+strings.Repeat("a", 50_000)+`" `, 5))
	}
	r := validate(t, b.String(), "ex:x ex:p 1.")
	require.Len(t, r.Results, 100)
	const texts, most = 250_000, shacl.DefaultReport
	bytes := func(write func()) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		write()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	assert.Less(t, bytes(func() { assert.True(t, r.Cut().Results[99].Truncated) }), uint64(8*most))
	text := r.AppendJSON(nil)
	assert.GreaterOrEqual(t, strings.Count(string(text), `"truncated":true`), 100)
	assert.NotContains(t, string(text), `"omitted"`)
	assert.Less(t, testing.AllocsPerRun(3, func() { text = r.AppendJSON(text[:0]) }), float64(10*100+100*most/texts))
}

// TestLeast has results of every constraint, none of which may be reckoned longer than it
// is written: it would be left out although it fits.
func TestLeast(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for c := rune(1); c < 0x180; c++ {
		fmt.Fprintf(&all, `\u%04X`, c)
	}
	long := `"` + all.String() + `"`
	for _, message := range []string{"", "sh:message " + long + "; "} {
		r := validate(t, `ex:S sh:targetNode ex:x, `+long+`; `+message+`sh:class ex:C; sh:datatype xsd:date; sh:nodeKind sh:BlankNode; sh:maxLength 1;
			sh:pattern "^z\"\\\\\t$"; sh:languageIn ("de"); sh:hasValue `+long+`; sh:in (`+long+`@en 1 2 3 4 5 6); sh:minInclusive `+long+`; sh:equals ex:q; sh:disjoint ex:p;
			sh:not ex:T; sh:node ex:U; sh:or (ex:U ex:U2); sh:and (ex:U); sh:xone (ex:U ex:U2); sh:closed true; sh:property ex:P.
			ex:T sh:minLength 0. ex:U sh:maxLength 0. ex:U2 sh:maxLength 0.
			ex:P sh:path ex:p; `+message+`sh:minCount 9; sh:maxCount 1; sh:uniqueLang true; sh:lessThan ex:q; sh:qualifiedValueShape ex:U; sh:qualifiedMinCount 1.`,
			`ex:x ex:p `+long+`@en, "b"@en, `+long+`; ex:q 1, `+long+`.`)
		require.Greater(t, len(r.Results), 20)
		for i := range r.Results {
			one := r.Results[i]
			one.Details = nil
			text := one.AppendJSON(nil)
			assert.LessOrEqual(t, shacl.Least(&one), len(text), "%s", text)
			assert.Greater(t, 2*shacl.Least(&one)+500, len(text), "%s", text)
		}
	}
}
