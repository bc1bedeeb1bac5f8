package protocol_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
)

func compare(t testing.TB, old, new *protocol.Document) *protocol.Comparison {
	t.Helper()
	c, err := protocol.Compare(old, new)
	require.NoError(t, err)
	return c
}

// short names terms by their local names.
func short(t rdf.Term) string {
	if t.Kind() != rdf.KindIRI {
		return t.String()
	}
	v := t.Value()
	if local, ok := strings.CutPrefix(v, "http://www.w3.org/ns/shacl#"); ok {
		return "sh:" + local
	}
	return v[strings.LastIndexAny(v, "#/")+1:]
}

func texts(c *protocol.Comparison) []string {
	var all []string
	for i := range c.Changes {
		all = append(all, c.Changes[i].Text(short))
	}
	return all
}

// TestCompareConstraints changes one constraint at a time. Each row is tested in both
// directions: what is narrower in one is wider in the other.
func TestCompareConstraints(t *testing.T) {
	t.Parallel()
	p := func(s string) string { return "sh:property [ sh:path ex:p ; sh:minCount 1 ; " + s + " ] ." }
	// A property that counts what no sibling counts, and what else may count something.
	alone := "sh:property ex:Q . ex:Q sh:path ex:p ; sh:qualifiedValueShape ex:A ; sh:qualifiedMinCount 1 ; sh:qualifiedValueShapesDisjoint true . ex:A a sh:NodeShape ; sh:class ex:CA . ex:B a sh:NodeShape ; sh:class ex:CB . "
	sibling := alone + "ex:Q2 sh:path ex:q ; sh:qualifiedValueShape ex:B "
	long := strings.Repeat("a", 256)
	const narrower, wider, different = protocol.Narrower, protocol.Wider, protocol.Different
	for _, row := range []struct {
		name, old, new string
		effect         protocol.Effect
		text           string
	}{
		{"minimum", "sh:property [ sh:path ex:p ; sh:minCount 1 ] .", "sh:property [ sh:path ex:p ; sh:minCount 2 ] .", narrower, "p: sh:minCount was \"1\"^^<http://www.w3.org/2001/XMLSchema#integer>, is \"2\"^^<http://www.w3.org/2001/XMLSchema#integer>"},
		{"maximum added", p(""), p("sh:maxCount 3"), narrower, "p: sh:maxCount was absent, is \"3\""},
		{"maximum", p("sh:maxCount 3"), p("sh:maxCount 4"), wider, "p: sh:maxCount was"},
		{"minimum length", p("sh:minLength 3"), p("sh:minLength 4"), narrower, "sh:minLength"},
		{"maximum length", p("sh:maxLength 3"), p("sh:maxLength 4"), wider, "sh:maxLength"},
		{"minimum length that every text has", p(""), p("sh:minLength 0"), narrower, "sh:minLength was absent, is"}, // a blank node has no length
		{"maximum length that every text has", p(""), p("sh:maxLength 99999999999999999999"), narrower, "sh:maxLength was absent, is"},
		{"bound below", p("sh:minInclusive 3"), p("sh:minInclusive 4.5"), narrower, "sh:minInclusive"},
		{"bound below becomes exclusive", p("sh:minInclusive 3"), p("sh:minExclusive 3"), narrower, "it was sh:minInclusive and is sh:minExclusive"},
		{"bound above", p("sh:maxExclusive 3"), p("sh:maxExclusive 4"), wider, "sh:maxExclusive"},
		{"bound above becomes inclusive", p("sh:maxExclusive 3"), p("sh:maxInclusive 3"), wider, "sh:maxInclusive"},
		{"bound above added", p(""), p("sh:maxInclusive 3"), narrower, "sh:maxInclusive"},
		{"long bounds", p(`sh:minInclusive "` + long + `"`), p(`sh:minInclusive "b"`), different, "sh:minInclusive"},
		{"incomparable bounds", p("sh:minInclusive 3"), p(`sh:minInclusive "2024-01-01"^^xsd:date`), different, "sh:minInclusive"},
		{"kind", p("sh:nodeKind sh:IRI"), p("sh:nodeKind sh:BlankNodeOrIRI"), wider, "sh:nodeKind was sh:IRI, is sh:BlankNodeOrIRI"},
		{"other kind", p("sh:nodeKind sh:IRI"), p("sh:nodeKind sh:Literal"), different, "sh:nodeKind"},
		{"datatype", p("sh:datatype xsd:string"), p("sh:datatype xsd:integer"), different, "sh:datatype was string, is integer"},
		{"datatype added", p(""), p("sh:datatype xsd:string"), narrower, "sh:datatype was absent, is string"},
		{"class", p("sh:class ex:A"), p("sh:class ex:A, ex:B"), narrower, "sh:class was absent, is B"},
		{"class changed", p("sh:class ex:A"), p("sh:class ex:B"), different, "sh:class was A, is B"},
		{"pattern", p(`sh:pattern "a"`), p(`sh:pattern "b"`), different, "sh:pattern"},
		{"flags", p(`sh:pattern "a"`), p(`sh:pattern "a" ; sh:flags "i"`), different, `sh:pattern was "a", is "a", sh:flags was "", is "i"`},
		{"flags that repeat", p(`sh:pattern "a" ; sh:flags "qsxsx"`), p(`sh:pattern "a" ; sh:flags "ssm"`), different, `sh:flags was "sxq", is "ms"`},
		{"pattern removed", p(`sh:pattern "a"`), p(""), wider, `sh:pattern was "a", is absent`},
		{"members", p("sh:in ( ex:a ex:b )"), p("sh:in ( ex:a ex:b ex:c )"), wider, "sh:in with c"},
		{"other members", p("sh:in ( ex:a ex:b )"), p("sh:in ( ex:a ex:c )"), different, "sh:in without b, with c"},
		{"members added", p(""), p("sh:in ( ex:a )"), narrower, "sh:in with a"},
		{"languages", p(`sh:languageIn ( "en" )`), p(`sh:languageIn ( "en" "de" )`), wider, "sh:languageIn with \"de\""},
		{"languages within each other", p(`sh:languageIn ( "en" ) ; sh:node [ sh:languageIn ( "en-US" ) ]`), p(`sh:languageIn ( "de" )`), different, "sh:languageIn without \"en\", \"en-US\", with \"de\""},
		{"unique languages", p(""), p("sh:uniqueLang true"), narrower, "sh:uniqueLang"},
		{"value", p("sh:hasValue ex:a"), p("sh:hasValue ex:b"), different, "sh:hasValue was a, is b"},
		{"value more", p("sh:hasValue ex:a"), p("sh:hasValue ex:a, ex:b"), narrower, "sh:hasValue"},
		{"pair", p("sh:equals ex:q"), p("sh:equals ex:r"), different, "sh:equals"},
		{"pair more", p("sh:disjoint ex:q"), p("sh:disjoint ex:q, ex:r"), narrower, "sh:disjoint"},
		{"order", p(""), p("sh:lessThan ex:q"), narrower, "sh:lessThan"},
		{"closed", "sh:nodeKind sh:IRI ; " + p(""), "sh:nodeKind sh:IRI ; sh:closed true ; " + p(""), narrower, "no other properties are allowed from now on"},
		{"ignored properties", "sh:closed true ; sh:ignoredProperties ( ex:q ) ; " + p(""), "sh:closed true ; sh:ignoredProperties ( ex:q ex:r ) ; " + p(""), wider, "sh:closed with r"},
		{"alternative more", p("sh:or ( [ sh:class ex:A ] [ sh:class ex:B ] )"), p("sh:or ( [ sh:class ex:A ] [ sh:class ex:B ] [ sh:class ex:C ] )"), wider, "sh:or 1 alternative more"},
		{"alternative narrowed", p("sh:or ( [ sh:class ex:A ] [ sh:property [ sh:path ex:q ; sh:minCount 1 ] ] )"), p("sh:or ( [ sh:class ex:A ] [ sh:property [ sh:path ex:q ; sh:minCount 2 ] ] )"), narrower, "p / q: within sh:or: sh:minCount was"},
		{"alternatives changed", p("sh:or ( [ sh:class ex:A ] [ sh:class ex:B ] )"), p("sh:or ( [ sh:class ex:C ] [ sh:class ex:D ] [ sh:class ex:E ] )"), different, "sh:or 1 removed, 1 added"},
		{"alternatives added", p(""), p("sh:or ( [ sh:class ex:A ] [ sh:class ex:B ] )"), narrower, "sh:or 1 added"},
		{"all of more", p("sh:and ( [ sh:class ex:A ] )"), p("sh:and ( [ sh:class ex:A ] [ sh:class ex:B ] )"), narrower, "sh:class"},
		{"one of", p("sh:xone ( [ sh:class ex:A ] [ sh:class ex:B ] )"), p("sh:xone ( [ sh:class ex:A ] [ sh:class ex:C ] )"), different, "sh:xone"},
		{"not, inside narrower", p("sh:not [ sh:property [ sh:path ex:q ; sh:minCount 1 ] ]"), p("sh:not [ sh:property [ sh:path ex:q ; sh:minCount 2 ] ]"), wider, "p / q: within sh:not: sh:minCount"},
		{"not in not", p("sh:not [ sh:not [ sh:maxLength 2 ] ]"), p("sh:not [ sh:not [ sh:maxLength 3 ] ]"), wider, "within sh:not: within sh:not: sh:maxLength"},
		{"not added", p(""), p("sh:not [ sh:class ex:A ]"), narrower, "sh:not 1 added"},
		{"counted more", p("sh:qualifiedValueShape [ sh:class ex:A ] ; sh:qualifiedMinCount 1"), p("sh:qualifiedValueShape [ sh:class ex:A ] ; sh:qualifiedMinCount 2"), narrower, "sh:qualifiedMinCount"},
		{"counted at most", p("sh:qualifiedValueShape [ sh:class ex:A ] ; sh:qualifiedMaxCount 1"), p("sh:qualifiedValueShape [ sh:class ex:A ] ; sh:qualifiedMaxCount 2"), wider, "sh:qualifiedMaxCount"},
		{"counted otherwise", p("sh:qualifiedValueShape [ sh:class ex:A ] ; sh:qualifiedMinCount 1"), p("sh:qualifiedValueShape [ sh:class ex:B ] ; sh:qualifiedMinCount 2"), different, "sh:qualifiedMinCount"},
		{"a sibling that counts nothing", alone, sibling + ". ex:R sh:property ex:Q2 .", different, "p: sh:qualifiedMinCount other values count"},
		{"a sibling that is not active", alone, sibling + "; sh:qualifiedMinCount 1 ; sh:deactivated true . ex:R sh:property ex:Q2 .", different, "p: sh:qualifiedMinCount other values count"},
		{"a sibling within a shape that is not used", alone, sibling + ". ex:Other sh:property ex:Q, ex:Q2 .", different, "p: sh:qualifiedMinCount other values count"},
		{"counted otherwise, as often", p("sh:qualifiedValueShape [ sh:class ex:A ] ; sh:qualifiedMaxCount 1"), p("sh:qualifiedValueShape [ sh:class ex:B ] ; sh:qualifiedMaxCount 1"), different, ", other values count"},
		{"another property", p(""), p("") + " ex:R sh:property [ sh:path ex:q ; sh:minCount 1 ] .", narrower, "q: sh:minCount was absent"},
		{"deeper", p("sh:node [ sh:property [ sh:path ex:q ; sh:maxCount 1 ] ]"), p("sh:node [ sh:property [ sh:path ex:q ; sh:maxCount 2 ] ]"), wider, "p / q: sh:maxCount"},
		{"deactivated", p("sh:maxCount 2"), "sh:property [ sh:path ex:p ; sh:minCount 1 ] ; sh:property [ sh:path ex:p ; sh:maxCount 2 ; sh:deactivated true ] .", wider, "sh:maxCount"},
		{"a longer path", "sh:nodeKind sh:IRI ; sh:property [ sh:path ( ex:p [ sh:inversePath ex:q ] ) ; sh:maxCount 1 ] .", "sh:nodeKind sh:IRI ; sh:property [ sh:path ( ex:p [ sh:inversePath ex:q ] ) ; sh:maxCount 2 ] .", wider, "p/^q: sh:maxCount"},
		{"a target more", p(""), p("") + " ex:R sh:targetSubjectsOf ex:p .", narrower, "sh:targetSubjectsOf was absent, is p, the shape selects other nodes"},
		{"a target changed", p("") + " ex:R sh:targetNode ex:a .", p("") + " ex:R sh:targetNode ex:b .", different, "sh:targetNode was a, is b"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			old, new := request(t, row.old), request(t, row.new)
			c := compare(t, old, new)
			require.False(t, c.Same)
			require.Equal(t, row.effect, c.Effect(protocol.OfRequest), "%v", texts(c))
			require.Equal(t, protocol.NoEffect, c.Effect(protocol.OfResponse))
			require.Len(t, c.Changes, 1, "%v", texts(c))
			require.Contains(t, texts(c)[0], row.effect.String()+": request: ")
			require.Contains(t, texts(c)[0], row.text)
			back := compare(t, new, old)
			inverse := map[protocol.Effect]protocol.Effect{narrower: wider, wider: narrower, different: different}
			require.Equal(t, inverse[row.effect], back.Effect(protocol.OfRequest), "%v", texts(back))
		})
	}
}

// TestCompareFlags has flags that mean the same: their order and number decide nothing.
func TestCompareFlags(t *testing.T) {
	t.Parallel()
	p := func(flags string) *protocol.Document {
		return request(t, `sh:property [ sh:path ex:p ; sh:pattern "a" ; sh:flags "`+flags+`" ] .`)
	}
	c := compare(t, p("imi"), p("mi"))
	require.False(t, c.Same)
	require.Equal(t, []string{"same: metadata: the documents differ in triples that decide nothing"}, texts(c))
}

// TestCompareSame has documents with different texts and the same demands.
func TestCompareSame(t *testing.T) {
	t.Parallel()
	const old = "sh:property ex:P . ex:P sh:path ex:p ; sh:minCount 1 ; sh:node ex:N . ex:N a sh:NodeShape ; sh:nodeKind sh:IRI ."
	for _, row := range []struct{ name, new string }{
		{"names of shapes", strings.NewReplacer("ex:P", "ex:Q", "ex:N", "ex:M").Replace(old)},
		{"without names", "sh:property [ sh:path ex:p ; sh:minCount 1 ; sh:node [ sh:nodeKind sh:IRI ] ] ."},
		{"without sh:node", "sh:property [ sh:path ex:p ; sh:minCount 1 ; sh:nodeKind sh:IRI ] ."},
		{"two properties", "sh:property [ sh:path ex:p ; sh:minCount 1 ], [ sh:path ex:p ; sh:nodeKind sh:IRI ] ."},
		{"sh:and", "sh:and ( [ sh:property [ sh:path ex:p ; sh:minCount 1 ] ] [ sh:property [ sh:path ex:p ; sh:node [ sh:nodeKind sh:IRI ] ] ] ) ."},
		{"what is for people", old + ` ex:P sh:name "p" ; sh:description "d" ; sh:message "m" ; sh:severity sh:Info ; sh:order 1 .`},
		{"other triples", old + " ex:x ex:y ex:z ."},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c := compare(t, request(t, old), request(t, row.new))
			require.False(t, c.Same)
			require.Equal(t, []string{"same: metadata: the documents differ in triples that decide nothing"}, texts(c))
		})
	}
	c := compare(t, request(t, old), request(t, old))
	require.True(t, c.Same)
	require.Empty(t, c.Changes)

	// In a property shape sh:hasValue demands one such value, in a node shape that every
	// value is it: these are not the same.
	c = compare(t, request(t, "sh:property [ sh:path ex:p ; sh:hasValue ex:a ] ."), request(t, "sh:property [ sh:path ex:p ; sh:node [ sh:hasValue ex:a ] ] ."))
	require.Equal(t, protocol.Different, c.Effect(protocol.OfRequest))
}

func TestCompareDocuments(t *testing.T) {
	t.Parallel()
	const old = minimal + `ex:pd dcterms:title "A" .`
	for _, row := range []struct {
		name, new string
		request   protocol.Effect
		response  protocol.Effect
		text      string
	}{
		{"title", strings.Replace(old, `"A"`, `"B"`, 1), protocol.NoEffect, protocol.NoEffect, `same: metadata: title was "A", is "B"`},
		{"version", old + `ex:pd dcterms:hasVersion "2" .`, protocol.NoEffect, protocol.NoEffect, `same: metadata: hasVersion was absent, is "2"`},
		{"IRI", strings.NewReplacer("ex:pd", "ex:pd2").Replace(old), protocol.NoEffect, protocol.NoEffect, "same: metadata: was pd, is pd2, the document has another IRI"},
		{"no response shape", replace(t, old, " ; a2a:responseShape ex:S", ""), protocol.NoEffect, protocol.Wider, "wider: response: responseShape was S, is absent, responses are no longer checked"},
		{"response shape", old + "ex:S sh:nodeKind sh:IRI .", protocol.NoEffect, protocol.Narrower, "narrower: response: sh:nodeKind was absent, is sh:IRI"},
		{"target of the intents", replace(t, old, "sh:targetClass a2a:Intent ; ", ""), protocol.Wider, protocol.NoEffect, "wider: request: sh:targetClass was Intent, is absent, the shape selects other nodes"},
		{"response target", replace(t, old, "sh:targetClass ex:Done", "sh:targetClass ex:Finished"), protocol.NoEffect, protocol.Different, "different: response: sh:targetClass was Done, is Finished, the shape selects other nodes"},
		{"both", replace(t, old, "ex:P sh:path a2a:action ; sh:minCount 1", "ex:P sh:path a2a:action ; sh:minCount 2") + "ex:S sh:nodeKind sh:IRI .", protocol.Narrower, protocol.Narrower, "narrower: request: action: sh:minCount"},
		{"narrower and wider", strings.NewReplacer("ex:P sh:path a2a:action ; sh:minCount 1", "ex:P sh:path a2a:action ; sh:maxCount 2").Replace(old), protocol.Different, protocol.NoEffect, "narrower: request: action: sh:maxCount"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c := compare(t, document(t, old), document(t, row.new))
			require.Equal(t, row.request, c.Effect(protocol.OfRequest), "%v", texts(c))
			require.Equal(t, row.response, c.Effect(protocol.OfResponse), "%v", texts(c))
			require.Contains(t, strings.Join(texts(c), "\n"), row.text)
		})
	}
	_, err := protocol.Compare(nil, document(t, old))
	require.Error(t, err)
	_, err = protocol.Compare(document(t, old), &protocol.Document{})
	require.Error(t, err)
}

// TestCompareBudget: the comparison of shapes that share others a great many times is
// refused before it takes for ever.
func TestCompareBudget(t *testing.T) {
	t.Parallel()
	doubling := func(last string) string {
		var b strings.Builder
		b.WriteString("sh:and ( ex:L0 ex:K0 ) .\n")
		for i := range 28 {
			fmt.Fprintf(&b, "ex:L%d a sh:NodeShape ; sh:and ( ex:L%d ex:K%d ) . ex:K%d a sh:NodeShape ; sh:and ( ex:K%d ex:L%d ) .\n", i, i+1, i+1, i, i+1, i+1)
		}
		return b.String() + "ex:L28 a sh:NodeShape ; sh:nodeKind sh:IRI . ex:K28 a sh:NodeShape ; sh:minLength " + last + " ."
	}
	_, err := protocol.Compare(request(t, doubling("1")), request(t, doubling("2")))
	require.ErrorContains(t, err, "too large to compare")
	c := compare(t, request(t, doubling("1")), request(t, doubling("1")+" ex:x ex:y ex:z ."))
	require.Len(t, c.Changes, 1, "equal shapes need no taking apart")
}
