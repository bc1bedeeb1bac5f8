package protocol_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/shacl"
)

func TestReviewOfTheExample(t *testing.T) {
	t.Parallel()
	r := protocol.Examine(grant(t))
	require.Empty(t, r.Findings)
	require.Equal(t, 7, r.Shapes)
	require.Equal(t, 4, r.Depth)
	require.Equal(t, 37, r.Quads)
	require.True(t, r.Request.OneNode)
	require.Positive(t, r.Request.Checks[0])
	require.Greater(t, r.Request.Checks[1], r.Request.Checks[0])
	require.Greater(t, r.Request.Checks[2], r.Request.Checks[1])
	require.Zero(t, r.Response)
	accepted, err := r.Accept()
	require.NoError(t, err)
	require.Equal(t, grantPin, accepted.Pin().String())
	require.Equal(t, r.Document(), accepted.Document())
	text := strings.Join(r.Explain(), "\n")
	require.Contains(t, text, "7 shapes in 37 triples, at most 4 within each other")
	require.Contains(t, text, "checking an intent takes at most")
	require.Contains(t, text, "responses are not checked")
}

func TestNothingReviewed(t *testing.T) {
	t.Parallel()
	var none *protocol.Review
	for _, r := range []*protocol.Review{none, {}} {
		got, err := r.Accept()
		require.Error(t, err)
		require.Nil(t, got)
		require.True(t, got.Pin().IsZero())
		require.Nil(t, r.Document())
		require.Equal(t, []string{"nothing was reviewed"}, r.Explain())
	}
	require.True(t, (&protocol.Reviewed{}).Pin().IsZero())
}

// TestReviewErrors has what VAL-6 refuses, and each bound at its value and one beyond.
func TestReviewErrors(t *testing.T) {
	t.Parallel()
	chain := func(n int) string { // shapes within each other, the root included
		return strings.Repeat("sh:node [ ", n-1) + "sh:nodeKind sh:IRI" + strings.Repeat(" ]", n-1) + " ."
	}
	list := func(parameter, member string, n int) string {
		return "sh:" + parameter + " (" + strings.Repeat(" "+member, n) + " ) ."
	}
	many := func(n int) string {
		var b strings.Builder
		b.WriteString("sh:nodeKind sh:IRI .\n")
		for i := range n - 1 {
			fmt.Fprintf(&b, "ex:S%d a sh:NodeShape ; sh:targetNode ex:x .\n", i)
		}
		return b.String()
	}
	numbers := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, " %d", i)
		}
		return "sh:in (" + b.String() + " ) ."
	}
	// A shape that is referred to has a reference that does nothing: as companion of a
	// parameter that is missing.
	const unread = "\nex:X sh:path ex:p ; sh:qualifiedValueShape ex:R ."
	const described = "\nex:Q a sh:NodeShape ; sh:nodeKind sh:IRI ."
	var warnings strings.Builder
	for i := range 400 {
		fmt.Fprintf(&warnings, "sh:property [ sh:path ex:p%d ; sh:minCount 0 ; sh:flags \"i\" ; sh:ignoredProperties () ; sh:qualifiedValueShape ex:Q ] ;\n", i)
	}
	manyWarnings := warnings.String()
	// longer is a document of who lets it have longer patterns.
	longer := func(t *testing.T, shape string) *protocol.Document {
		body := prefixes + `ex:pd a a2a:ProtocolDocument ; a2a:requestShape ex:R . ex:R a sh:NodeShape ; sh:targetClass a2a:Intent ; ` + shape
		c, err := protocol.Parse(t.Context(), []byte(body), turtleType, protocol.Options{Compile: shacl.CompileOptions{MaxPattern: 1000}})
		require.NoError(t, err)
		d, err := c.Verify(c.Pin())
		require.NoError(t, err)
		return d
	}
	property := func(s string) string { return "sh:property [ sh:path ex:p ; " + s + " ] ." }
	for _, row := range []struct {
		name, good, bad string
		code            protocol.FindingCode
	}{
		{"shapes", many(500), many(501), protocol.FindingTooManyShapes},
		{"depth", chain(16), chain(17), protocol.FindingTooDeep},
		{"closure within a closure", "sh:property [ sh:path [ sh:zeroOrMorePath ex:p ] ; sh:maxCount 3 ] .", "sh:property [ sh:path [ sh:zeroOrMorePath [ sh:oneOrMorePath ex:p ] ] ; sh:maxCount 3 ] .", protocol.FindingNestedClosure},
		{"closure within a sequence within a closure", "sh:property [ sh:path ( [ sh:zeroOrMorePath ex:p ] [ sh:oneOrMorePath ex:q ] ) ; sh:maxCount 3 ] .", "sh:property [ sh:path [ sh:oneOrMorePath ( ex:p [ sh:zeroOrMorePath ex:q ] ) ] ; sh:maxCount 3 ] .", protocol.FindingNestedClosure},
		{"pattern", property(`sh:pattern "` + strings.Repeat("é", 512) + `"`), property(`sh:pattern "` + strings.Repeat("é", 513) + `"`), protocol.FindingPatternTooLong},
		{"sh:in", numbers(256), numbers(257), protocol.FindingListTooLong},
		{"sh:or", list("or", "[ sh:nodeKind sh:IRI ]", 256), list("or", "[ sh:nodeKind sh:IRI ]", 257), protocol.FindingListTooLong},
		{"sh:and", list("and", "[ sh:nodeKind sh:IRI ]", 256), list("and", "[ sh:nodeKind sh:IRI ]", 257), protocol.FindingListTooLong},
		{"sh:xone", list("xone", "[ sh:nodeKind sh:IRI ]", 256), list("xone", "[ sh:nodeKind sh:IRI ]", 257), protocol.FindingListTooLong},
		{"counts", property("sh:minCount 2 ; sh:maxCount 2"), property("sh:minCount 3 ; sh:maxCount 2"), protocol.FindingUnsatisfiable},
		{"counts, behind a thousand warnings", manyWarnings + property("sh:minCount 2 ; sh:maxCount 2") + described, manyWarnings + property("sh:minCount 3 ; sh:maxCount 2") + described, protocol.FindingUnsatisfiable},
		{"depth, behind a reference that counts nothing", chain(16) + unread, chain(17) + unread, protocol.FindingTooDeep},
		{"lengths", property("sh:minLength 2 ; sh:maxLength 2"), property("sh:minLength 3 ; sh:maxLength 2"), protocol.FindingUnsatisfiable},
		{"a boolean that is spelt otherwise", property("sh:uniqueLang true"), property(`sh:maxCount 3 ; sh:uniqueLang "1"^^<http://www.w3.org/2001/XMLSchema#boolean>`), protocol.FindingCode(shacl.CodeTolerated)},
		{"a count of qualified values on a node shape", "sh:nodeKind sh:IRI .", "sh:nodeKind sh:IRI ; sh:qualifiedMinCount 1 .", protocol.FindingCode(shacl.CodeTolerated)},
		{"a list that is another path as well", "sh:property [ sh:path ( ex:p ex:q ) ; sh:maxCount 3 ] .", "sh:property [ sh:path [ rdf:first ex:p ; rdf:rest ( ex:q ) ; sh:inversePath ex:p ] ; sh:maxCount 3 ] .", protocol.FindingCode(shacl.CodeTolerated)},
		{"a parameter in another namespace", property("sh:minCount 1"), property("sh:minCount 1 ; <http://www.w3.org/ns/shacl/maxCount> 1"), protocol.FindingCode(shacl.CodeWrongNamespace)},
		{"a parameter in another namespace, behind a thousand warnings", manyWarnings + property("sh:minCount 1") + described, manyWarnings + property("sh:minCount 1 ; <https://www.w3.org/ns/shacl#maxCount> 1") + described, protocol.FindingCode(shacl.CodeWrongNamespace)},
		{"a pattern that is harmless when it is short", property(`sh:pattern "(a+)+$"`), property(`sh:pattern "` + strings.Repeat("(a+)+", 103) + `"`), protocol.FindingPatternTooLong},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, err := protocol.Examine(request(t, row.good)).Accept()
			require.NoError(t, err)
			r := protocol.Examine(longer(t, row.bad))
			got, err := r.Accept()
			require.Equal(t, protocol.CodeInvalidProtocolDocument, code(t, err))
			require.Nil(t, got)
			require.True(t, r.Findings[0].Error)
			require.Equal(t, row.code, r.Findings[0].Code)
			require.NotEmpty(t, r.Findings[0].Text)
			r.Findings = nil // what is shown does not decide
			_, err = r.Accept()
			require.Error(t, err)
		})
	}
}

// TestLongPattern: a pattern that no review accepts is refused before it is compiled,
// with the code of the review and its place.
func TestLongPattern(t *testing.T) {
	t.Parallel()
	class := "[^" + strings.Repeat(`\\P{L}\\p{Lu}`, 5000) + "]"
	for _, row := range []struct {
		name, pattern string
		most          int
		code          protocol.Code // "": none
	}{
		{"as long as may be", strings.Repeat("é", 512), 0, ""},
		{"longer by one", strings.Repeat("é", 513), 0, protocol.CodeInvalidProtocolDocument},
		{"a class of many", class, 0, protocol.CodeInvalidProtocolDocument},
		{"no pattern at all", strings.Repeat("(", 513), 0, protocol.CodeInvalidProtocolDocument},
		{"longer than the caller takes", strings.Repeat("é", 101), 100, protocol.CodeLimitExceeded},
		{"what the caller takes", strings.Repeat("é", 600), 600, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			body := prefixes + `ex:pd a a2a:ProtocolDocument ; a2a:requestShape ex:R .
ex:R a sh:NodeShape ; sh:targetClass a2a:Intent ; sh:property [ sh:path ex:p ; sh:pattern "` + row.pattern + `" ] .`
			c, err := protocol.Parse(t.Context(), []byte(body), turtleType, protocol.Options{File: "pd.ttl", Compile: shacl.CompileOptions{MaxPattern: row.most}})
			require.NoError(t, err)
			_, err = c.Verify(c.Pin())
			if row.code == "" {
				require.NoError(t, err)
				return
			}
			require.Equal(t, row.code, code(t, err))
			var limit *rdf.LimitError
			require.ErrorAs(t, err, &limit)
			require.Equal(t, shacl.LimitPattern, limit.Limit)
			require.Equal(t, "pd.ttl", limit.Place.File)
			require.Equal(t, strings.Count(prefixes, "\n")+2, limit.Place.Line)
		})
	}
}

func TestReviewWarnings(t *testing.T) {
	t.Parallel()
	const response = `ex:pd a a2a:ProtocolDocument ; a2a:requestShape ex:R ; a2a:responseShape ex:S .
ex:R a sh:NodeShape ; sh:targetClass a2a:Intent ; sh:nodeKind sh:IRI . ex:S a sh:NodeShape ; `
	for _, row := range []struct {
		name, body string
		code       protocol.FindingCode
		text       string
	}{
		{"no target of intents", "ex:pd a a2a:ProtocolDocument ; a2a:requestShape ex:R . ex:R a sh:NodeShape ; sh:nodeKind sh:IRI .", protocol.FindingNoIntentTarget, "sh:targetClass a2a:Intent"},
		{"another target", minimal + "ex:R sh:targetSubjectsOf ex:p .", protocol.FindingOtherTarget, "sh:targetSubjectsOf"},
		{"a class as request shape", minimal + "ex:R a rdfs:Class .", protocol.FindingOtherTarget, "it has the target of a class, <https://example.org/R>"},
		{"a shape beside the request shape with a target", minimal + "ex:U a sh:NodeShape ; sh:targetClass ex:C ; sh:nodeKind sh:IRI .", protocol.FindingIgnoredTarget, "/U> has sh:targetClass <"},
		{"a shape that the request shape refers to with a target", minimal + "ex:R sh:node ex:U . ex:U a sh:NodeShape ; sh:targetObjectsOf ex:p ; sh:nodeKind sh:IRI .", protocol.FindingIgnoredTarget, "/U> has sh:targetObjectsOf <"},
		{"a class beside the request shape", minimal + "ex:U a sh:NodeShape, rdfs:Class ; sh:nodeKind sh:IRI .", protocol.FindingIgnoredTarget, "/U> has the target of a class, <"},
		{"a blank request shape", strings.NewReplacer("ex:R", "_:r").Replace(minimal), protocol.FindingBlankRoot, "request"},
		{"a response shape without a target", response + "sh:nodeKind sh:IRI .", protocol.FindingNoResponseTarget, "every response is refused"},
		{"a response shape without a constraint", response + "sh:targetClass ex:Done .", protocol.FindingEmptyResponse, "every response"},
		{"a language tag", minimal + `ex:pd rdfs:label "x"@en-GB .`, protocol.FindingLanguageCase, "en-GB"},
		{"an integer with a zero before", minimal + "ex:x ex:y 01 .", protocol.FindingLexicalForm, "01"},
		{"an integer with a plus", minimal + "ex:x ex:y +1 .", protocol.FindingLexicalForm, "+1"},
		{"a decimal with a zero behind", minimal + "ex:x ex:y 1.50 .", protocol.FindingLexicalForm, "1.50"},
		{"a double that JSON does not write", minimal + "ex:x ex:y 15e-1 .", protocol.FindingLexicalForm, "15e-1"},
		{"a boolean in digits", minimal + `ex:x ex:y "1"^^xsd:boolean .`, protocol.FindingLexicalForm, "xsd:boolean"},
		{"an ill-typed literal", minimal + `ex:x ex:y "abc"^^xsd:integer .`, protocol.FindingLexicalForm, "is no xsd:integer"},
		{"two titles", minimal + `ex:pd dcterms:title "a", "b" .`, protocol.FindingMetadata, "dcterms:title"},
		{"a title that is no literal", minimal + `ex:pd dcterms:title ex:t .`, protocol.FindingMetadata, "dcterms:title"},
		{"an import", minimal + "ex:pd owl:imports <http://169.254.169.254/> .", protocol.FindingCode(shacl.CodeImports), "not followed"},
		{"a shapes graph", minimal + "ex:pd sh:shapesGraph <http://169.254.169.254/> .", protocol.FindingShapesGraph, "not followed"},
		{"a shape that nothing uses", minimal + "ex:U a sh:NodeShape ; sh:nodeKind sh:IRI .", protocol.FindingCode(shacl.CodeNoTarget), "ex"},
		{"costly", minimal + "ex:R sh:property [ sh:path ex:a ; sh:node [ sh:property [ sh:path ex:b ; sh:node [ sh:property [ sh:path ex:c ; sh:node [ sh:property [ sh:path ex:d ; sh:node [ sh:property [ sh:path ex:e ; sh:node [ sh:property [ sh:path ex:f ; sh:nodeKind sh:IRI ] ] ] ] ] ] ] ] ] ] ] .", protocol.FindingCostly, "budget of 1000000"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := protocol.Examine(document(t, row.body))
			i := slices.IndexFunc(r.Findings, func(f protocol.Finding) bool { return f.Code == row.code })
			require.GreaterOrEqual(t, i, 0, "%v", r.Findings)
			require.False(t, r.Findings[i].Error)
			require.Contains(t, r.Findings[i].Text, row.text)
			_, err := r.Accept()
			require.NoError(t, err, "a warning does not refuse")
		})
	}
	usual := protocol.Examine(document(t, minimal+`ex:x ex:y 0, 1, -10, 1.5, -0.5, 0.0, "1.5E0"^^xsd:double, "0.0E0"^^xsd:double, "-1.0E-2"^^xsd:double, "INF"^^xsd:double, true, "x"@en-gb, "2024-01-01"^^xsd:date .`))
	require.Empty(t, usual.Findings)
	require.NotContains(t, fmt.Sprint(protocol.Examine(document(t, minimal)).Findings), "no-target")
	for name, body := range map[string]string{
		"the target of the response shape":  response + "sh:targetClass ex:Done ; sh:nodeKind sh:IRI .",
		"the target of a shape that is off": minimal + "ex:U a sh:NodeShape ; sh:targetClass ex:C ; sh:deactivated true ; sh:nodeKind sh:IRI .",
	} {
		require.Empty(t, protocol.Examine(document(t, body)).Findings, name)
	}
}

// TestReviewOmits: findings of one kind beyond what a person reads are only counted.
func TestReviewOmits(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 50 {
		fmt.Fprintf(&b, "ex:x ex:y \"v%d\"@EN .\n", i)
	}
	r := protocol.Examine(document(t, minimal+b.String()+"ex:P sh:maxCount 0 ."))
	require.Len(t, r.Findings, 21)
	require.Equal(t, 30, r.Omitted)
	require.Equal(t, protocol.FindingUnsatisfiable, r.Findings[0].Code, "errors first")
	require.Positive(t, r.Findings[1].Place.Line)
	_, err := r.Accept()
	require.Error(t, err)
}

// TestFindingCodes: every code that is listed can be found, see the tables above.
func TestFindingCodes(t *testing.T) {
	t.Parallel()
	errs, warnings := protocol.FindingCodes()
	require.Len(t, errs, 6)
	require.Len(t, warnings, 11)
	for _, c := range append(errs, warnings...) {
		require.NotEmpty(t, c.Text(), c)
	}
	require.Empty(t, protocol.FindingCode("other").Text())
}

// TestCostBounds compares the bound of a review with what validation really costs,
// for shapes of every kind and data as wide as the bound assumes.
func TestCostBounds(t *testing.T) {
	t.Parallel()
	wide := func(n int) string {
		var b strings.Builder
		b.WriteString("ex:i a a2a:Intent .\n")
		for _, s := range []string{"i", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9"} {
			for _, p := range []string{"p", "q", "r"} {
				for i := range n {
					fmt.Fprintf(&b, "ex:%s ex:%s ex:v%d .\n", s, p, i)
				}
			}
		}
		return b.String()
	}
	for _, row := range []struct{ name, shape string }{
		{"a property", "sh:property [ sh:path ex:p ; sh:nodeKind sh:Literal ] ."},
		{"two steps", "sh:property [ sh:path ex:p ; sh:node [ sh:property [ sh:path ex:q ; sh:nodeKind sh:Literal ; sh:minCount 20 ] ] ] ."},
		{"three steps", "sh:property [ sh:path ex:p ; sh:node [ sh:property [ sh:path ex:q ; sh:node [ sh:property [ sh:path ex:r ; sh:class ex:C ] ] ] ] ] ."},
		{"alternatives", "sh:property [ sh:path ex:p ; sh:or ( [ sh:class ex:C ] [ sh:datatype xsd:string ] [ sh:pattern \"^a+$\" ] ) ] ."},
		{"a path", "sh:property [ sh:path ( ex:p [ sh:inversePath ex:q ] [ sh:alternativePath ( ex:p ex:r ) ] ) ; sh:maxCount 1 ; sh:class ex:C ] ."},
		{"a closure", "sh:property [ sh:path ( [ sh:zeroOrMorePath ex:p ] [ sh:oneOrMorePath ex:q ] ) ; sh:nodeKind sh:Literal ] ."},
		{"pairs", "sh:property [ sh:path ex:p ; sh:equals ex:q ; sh:disjoint ex:r ; sh:lessThan ex:q ] ."},
		{"counted", "sh:property [ sh:path ex:p ; sh:qualifiedValueShape [ sh:class ex:C ] ; sh:qualifiedMinCount 3 ] ."},
		{"closed", "sh:closed true ; sh:property [ sh:path ex:p ; sh:node [ sh:closed true ; sh:nodeKind sh:IRI ] ] ."},
		{"not", "sh:not [ sh:property [ sh:path ex:p ; sh:not [ sh:property [ sh:path ex:q ; sh:nodeKind sh:Literal ] ] ] ] ."},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d := request(t, row.shape)
			r := protocol.Examine(d)
			v, err := d.ValidateRequest(t.Context(), []byte(prefixes+wide(10)), turtleType, protocol.Options{})
			require.NoError(t, err)
			require.NotNil(t, v.Report, v.Reason)
			// The class hierarchy and the targets are looked at once in addition, and each
			// node has 30 triples where the bound assumes values.
			require.LessOrEqual(t, v.Report.Checks, r.Request.Checks[2]+100)
			require.Greater(t, v.Report.Checks, 10)
		})
	}
}

// TestCostOfSubclasses: the bound leaves out the subclasses that a message declares, and
// the review says so.
func TestCostOfSubclasses(t *testing.T) {
	t.Parallel()
	d := request(t, "sh:nodeKind sh:IRI .")
	r := protocol.Examine(d)
	v, err := d.ValidateRequest(t.Context(), []byte(prefixes+"ex:i a a2a:Intent . ex:S rdfs:subClassOf a2a:Intent . ex:a a ex:S . ex:b a ex:S . _:c a ex:S ."), turtleType, protocol.Options{})
	require.NoError(t, err)
	require.Equal(t, 4, v.Report.FocusNodes)
	require.Equal(t, protocol.CodeIntentInvalid, v.Code, "they are judged like the intent")
	require.Greater(t, v.Report.Checks, r.Request.Checks[0])
	text := strings.Join(r.Explain(), "\n")
	require.Contains(t, text, "subclasses that a message declares come on top")
}

// TestCostOfLongValues: the bound leaves out what the length of a value adds, and the review
// says so.
func TestCostOfLongValues(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, constraint, value string }{
		{"a text", "sh:minLength 1", `"` + strings.Repeat("x", 50_000) + `"`},
		{"a number", "sh:minInclusive 1", strings.Repeat("9", 50_000)},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d := request(t, "sh:property [ sh:path ex:p ; "+row.constraint+" ] .")
			r := protocol.Examine(d)
			v, err := d.ValidateRequest(t.Context(), []byte(prefixes+"ex:i a a2a:Intent ; ex:p "+row.value+" ."), turtleType, protocol.Options{})
			require.NoError(t, err)
			require.True(t, v.Valid(), v.Reason)
			require.Greater(t, v.Report.Checks, r.Request.Checks[0])
			require.Contains(t, strings.Join(r.Explain(), "\n"), "long texts and numbers of a message come on top")
		})
	}
}

func TestCostValues(t *testing.T) {
	t.Parallel()
	cheap := protocol.Examine(request(t, "sh:nodeKind sh:IRI .")).Request
	require.Equal(t, math.MaxInt, cheap.Values)
	deep := protocol.Examine(document(t, minimal+"ex:P sh:node [ sh:property [ sh:path ex:q ; sh:node [ sh:property [ sh:path ex:r ; sh:nodeKind sh:IRI ] ] ] ] ."))
	require.Greater(t, deep.Request.Values, 1)
	require.Less(t, deep.Request.Values, 1000)
	require.Contains(t, strings.Join(deep.Explain(), "\n"), fmt.Sprintf("more than %d values of a property may exceed the budget of 1,000,000", deep.Request.Values))
	require.Positive(t, deep.Response.Checks[0])
	require.False(t, deep.Response.OneNode)

	patterns := protocol.Examine(request(t, `sh:property [ sh:path ex:p ; sh:pattern "^[a-z]{1,100}$" ; sh:in ( 1 2 3 ) ], [ sh:path [ sh:zeroOrMorePath ex:q ] ; sh:maxCount 5 ] .`))
	text := strings.Join(patterns.Explain(), "\n")
	require.Contains(t, text, "1 regular expression, the longest of 14 characters")
	require.Contains(t, text, "the longest list has 3 members")
	require.Contains(t, text, "1 shape with a path that repeats")
}

// TestReviewPlaces: findings carry their place in the file.
func TestReviewPlaces(t *testing.T) {
	t.Parallel()
	r := protocol.Examine(document(t, minimal+"ex:R sh:in ( 01 ) ."))
	require.Equal(t, rdf.Place{File: "pd.ttl", Line: 16, Column: 14}, r.Findings[0].Place)
}
