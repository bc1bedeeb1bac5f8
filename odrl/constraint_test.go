package odrl_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/odrl"
)

// state evaluates a policy with one constraint on a permission and on a prohibition,
// checks that the states of both rules follow from that of the constraint, and returns
// the latter as the trace has it.
func state(t *testing.T, constraint string, dialect odrl.Dialect, r *odrl.Request) odrl.ConstraintTrace {
	t.Helper()
	p := compileFor(t, permission(`; odrl:constraint ex:c`)+constraint, dialect)
	d := decide(t, p, r)
	_, trace := p.Explain(r)
	require.Len(t, trace.Rules, 1)
	require.Len(t, trace.Rules[0].Constraints, 1)
	k := trace.Rules[0].Constraints[0]
	require.Equal(t, k.State == odrl.Satisfied, d.Permitted(), "a permission applies when its constraint is satisfied")

	forbidden := decide(t, compileFor(t, prohibition(`; odrl:constraint ex:c`)+constraint, dialect), r)
	require.Equal(t, k.State == odrl.Unsatisfied, forbidden.Permitted(), "a prohibition applies unless its constraint is unsatisfied")
	return k
}

// compare is the constraint ex:c.
func compare(left, operator, right string) string {
	return fmt.Sprintf("ex:c odrl:leftOperand %s ; odrl:operator odrl:%s ; odrl:rightOperand %s .\n", left, operator, right)
}

const (
	yes     = odrl.Satisfied
	no      = odrl.Unsatisfied
	unknown = odrl.Unknown
)

func TestOperators(t *testing.T) {
	t.Parallel()
	num := func(s string) odrl.Value { return number(t, s) }
	purpose := func(vs ...odrl.Value) *odrl.Request { return ask(with("purpose", vs...)) }
	count := func(vs ...odrl.Value) *odrl.Request { return ask(with("count", vs...)) }
	rows := []struct {
		name       string
		constraint string
		request    *odrl.Request
		want       odrl.State
		code       odrl.Code // of what is unknown
	}{
		// Strings and IRIs are only compared for equality.
		{"eq same IRI", compare("odrl:purpose", "eq", "ex:research"), purpose(text(ex + "research")), yes, ""},
		{"eq other IRI", compare("odrl:purpose", "eq", "ex:research"), purpose(text(ex + "sales")), no, ""},
		{"eq literal with the text of an IRI", compare("odrl:purpose", "eq", `"`+ex+`research"`), purpose(text(ex + "research")), yes, ""},
		{"eq with a language", compare("odrl:purpose", "eq", `"x"@en`), purpose(text("x")), yes, ""},
		{"IRIs are not normalized", compare("odrl:purpose", "eq", "ex:research"), purpose(text("HTTP://example.org/ns#research")), no, ""},
		{"neq same", compare("odrl:purpose", "neq", "ex:research"), purpose(text(ex + "research")), no, ""},
		{"neq other", compare("odrl:purpose", "neq", "ex:research"), purpose(text(ex + "sales")), yes, ""},
		{"texts have no order", compare("odrl:purpose", "lt", `"b"`), purpose(text("a")), unknown, odrl.CodeIncomparable},
		{"nor when they are equal", compare("odrl:purpose", "lteq", `"b"`), purpose(text("b")), unknown, odrl.CodeIncomparable},
		{"missing", compare("odrl:purpose", "eq", "ex:research"), ask(), unknown, odrl.CodeMissingValue},
		{"missing is not different", compare("odrl:purpose", "neq", "ex:research"), ask(), unknown, odrl.CodeMissingValue},
		{"no values", compare("odrl:purpose", "eq", "ex:research"), purpose(), unknown, odrl.CodeMissingValue},
		{"two values for a scalar operator", compare("odrl:purpose", "eq", "ex:research"), purpose(text(ex+"research"), text(ex+"sales")), unknown, odrl.CodeSeveralValues},
		{"a boolean is no operand", compare("odrl:purpose", "eq", `"true"`), purpose(odrl.Boolean(true)), unknown, odrl.CodeUnusableValue},
		{"the operand by its IRI", compare("odrl:purpose", "eq", "ex:research"), ask(with(core+"purpose", text(ex+"research"))), yes, ""},
		{"named twice", compare("odrl:purpose", "eq", "ex:research"), ask(with(core+"purpose", text(ex+"research")), with("purpose", text(ex+"research"))), unknown, odrl.CodeUnusableValue},
		{"an empty text is a value", compare("odrl:purpose", "eq", `""`), purpose(text("")), yes, ""},

		// Numbers.
		{"eq number", compare("odrl:count", "eq", "3"), count(num("3")), yes, ""},
		{"eq another spelling", compare("odrl:count", "eq", `"3.0"^^xsd:decimal`), count(num("3")), yes, ""},
		{"eq with an exponent", compare("odrl:count", "eq", `300`), count(num("3e2")), yes, ""},
		{"lt", compare("odrl:count", "lt", "3"), count(num("2")), yes, ""},
		{"lt the same", compare("odrl:count", "lt", "3"), count(num("3")), no, ""},
		{"lteq the same", compare("odrl:count", "lteq", "3"), count(num("3")), yes, ""},
		{"gt", compare("odrl:count", "gt", "3"), count(num("4")), yes, ""},
		{"gt less", compare("odrl:count", "gt", "3"), count(num("2")), no, ""},
		{"gteq the same", compare("odrl:count", "gteq", "3"), count(num("3")), yes, ""},
		{"gteq less", compare("odrl:count", "gteq", "3"), count(num("2.999999999999999999999")), no, ""},
		{"numbers are exact", compare("odrl:count", "lt", "0.30000000000000001"), count(num("0.3")), yes, ""},
		{"beyond any double", compare("odrl:count", "lt", "10000000000000000000000000000000001"), count(num("10000000000000000000000000000000000")), yes, ""},
		{"negative numbers", compare("odrl:count", "lt", "-2"), count(num("-10")), yes, ""},
		{"minus zero", compare("odrl:count", "eq", "0"), count(num("-0")), yes, ""},
		{"a text that is a number", compare("odrl:count", "lt", "3"), count(text("2")), yes, ""},
		{"a text that is none", compare("odrl:count", "lt", "3"), count(text("two")), unknown, odrl.CodeIncomparable},
		{"nor is it different", compare("odrl:count", "neq", "3"), count(text("two")), unknown, odrl.CodeIncomparable},
		{"a number and a text that is one", compare("odrl:count", "eq", `"3"`), count(num("3.0")), yes, ""},
		{"a number and another text", compare("odrl:count", "neq", `"three"`), count(num("3")), unknown, odrl.CodeIncomparable},
		{"texts that are numbers", compare("odrl:count", "eq", `"3"`), count(text("3")), yes, ""},
		{"one number, two spellings", compare("odrl:count", "eq", `"3"`), count(text("3.0")), unknown, odrl.CodeIncomparable},
		{"nor are the spellings different", compare("odrl:count", "neq", `"3"`), count(text("3e0")), unknown, odrl.CodeIncomparable},
		{"two numbers", compare("odrl:count", "neq", `"3"`), count(text("4")), yes, ""},
		{"a number and no number", compare("odrl:count", "neq", `"3"`), count(text("three")), yes, ""},
		{"their order", compare("odrl:count", "lteq", `"3"`), count(text("2")), unknown, odrl.CodeIncomparable},
		{"a double", compare("odrl:count", "lteq", "1.5e0"), count(num("1.5")), yes, ""},
		{"infinity is no number", compare("odrl:count", "lt", `"INF"^^xsd:double`), count(num("1")), unknown, odrl.CodeUnusableRightOperand},
		{"an ill-typed number", compare("odrl:count", "lt", `"x"^^xsd:integer`), count(num("1")), unknown, odrl.CodeUnusableRightOperand},

		// Sets.
		{"isAnyOf one", compare("odrl:spatial", "isAnyOf", "ex:eu, ex:ch"), ask(with("spatial", text(ex+"ch"))), yes, ""},
		{"isAnyOf none", compare("odrl:spatial", "isAnyOf", "ex:eu, ex:ch"), ask(with("spatial", text(ex+"us"))), no, ""},
		{"isAnyOf of several", compare("odrl:spatial", "isAnyOf", "ex:eu, ex:ch"), ask(with("spatial", text(ex+"us"), text(ex+"eu"))), yes, ""},
		{"isAnyOf a list", compare("odrl:spatial", "isAnyOf", "( ex:eu ex:ch )"), ask(with("spatial", text(ex+"eu"))), yes, ""},
		{"isAnyOf an empty list", compare("odrl:spatial", "isAnyOf", "()"), ask(with("spatial", text(ex+"eu"))), unknown, odrl.CodeMissingOperand},
		{"isAnyOf with one that cannot be compared", compare("odrl:count", "isAnyOf", "1, 2"), count(text("x"), num("3")), unknown, odrl.CodeIncomparable},
		{"isAnyOf found all the same", compare("odrl:count", "isAnyOf", "1, 2"), count(text("x"), num("2")), yes, ""},
		{"isAllOf", compare("odrl:purpose", "isAllOf", "ex:a, ex:b"), purpose(text(ex+"b"), text(ex+"a"), text(ex+"c")), yes, ""},
		{"isAllOf one missing", compare("odrl:purpose", "isAllOf", "ex:a, ex:b"), purpose(text(ex + "a")), no, ""},
		{"isNoneOf", compare("odrl:purpose", "isNoneOf", "ex:a, ex:b"), purpose(text(ex + "c")), yes, ""},
		{"isNoneOf one", compare("odrl:purpose", "isNoneOf", "ex:a, ex:b"), purpose(text(ex+"c"), text(ex+"b")), no, ""},
		{"isAnyOf another spelling", compare("odrl:count", "isAnyOf", `"1", "2"`), count(text("02")), unknown, odrl.CodeIncomparable},
		{"isNoneOf another spelling", compare("odrl:count", "isNoneOf", `"1", "2"`), count(text("02")), unknown, odrl.CodeIncomparable},
		{"isAllOf another spelling", compare("odrl:count", "isAllOf", `"1", "2"`), count(text("1"), text("02")), unknown, odrl.CodeIncomparable},
		{"isNoneOf nothing is unknown", compare("odrl:purpose", "isNoneOf", "ex:a"), purpose(), unknown, odrl.CodeMissingValue},
		{"isNoneOf missing is unknown", compare("odrl:purpose", "isNoneOf", "ex:a"), ask(), unknown, odrl.CodeMissingValue},
		{"isNoneOf what cannot be compared", compare("odrl:count", "isNoneOf", "1"), count(text("x")), unknown, odrl.CodeIncomparable},

		// Membership.
		{"isA stated", compare("odrl:purpose", "isA", "ex:Research"), ask(with("purpose", text(ex+"r1")), member(ex+"r1", ex+"Research")), yes, ""},
		{"isA stated otherwise", compare("odrl:purpose", "isA", "ex:Research"), ask(with("purpose", text(ex+"r1")), member(ex+"r1", ex+"Sales")), no, ""},
		{"isA not stated", compare("odrl:purpose", "isA", "ex:Research"), ask(with("purpose", text(ex+"r1"))), unknown, odrl.CodeMissingMembership},
		{"isA without subclasses", compare("odrl:purpose", "isA", "ex:Research"), ask(with("purpose", text(ex+"r1")), member(ex+"r1", ex+"Basic"), member(ex+"Basic", ex+"Research")), no, ""},
		{"isA is not eq", compare("odrl:purpose", "isA", "ex:Research"), ask(with("purpose", text(ex+"Research"))), unknown, odrl.CodeMissingMembership},
		{"isPartOf", compare("odrl:spatial", "isPartOf", "ex:eu"), ask(with("spatial", text(ex+"fr")), member(ex+"fr", ex+"eu")), yes, ""},
		{"isPartOf not", compare("odrl:spatial", "isPartOf", "ex:eu"), ask(with("spatial", text(ex+"us")), member(ex+"us")), no, ""},
		{"hasPart", compare("odrl:spatial", "hasPart", "ex:fr"), ask(with("spatial", text(ex+"eu")), member(ex+"fr", ex+"eu")), yes, ""},
		{"hasPart not stated", compare("odrl:spatial", "hasPart", "ex:fr"), ask(with("spatial", text(ex+"eu")), member(ex+"eu", ex+"world")), unknown, odrl.CodeMissingMembership},
		{"isA a literal", compare("odrl:purpose", "isA", `"x"`), ask(with("purpose", text(ex+"r1"))), unknown, odrl.CodeUnusableRightOperand},
		{"isA of a number", compare("odrl:count", "isA", `ex:Even`), count(num("2")), unknown, odrl.CodeIncomparable},

		// Time. Now is 2026-06-01T12:00:00Z.
		{"before", compare("odrl:dateTime", "lt", `"2026-06-01T14:00:01+02:00"^^xsd:dateTime`), ask(), yes, ""},
		{"not before the same instant", compare("odrl:dateTime", "lt", `"2026-06-01T14:00:00+02:00"^^xsd:dateTime`), ask(), no, ""},
		{"inclusive", compare("odrl:dateTime", "lteq", `"2026-06-01T14:00:00+02:00"^^xsd:dateTime`), ask(), yes, ""},
		{"the same instant", compare("odrl:dateTime", "eq", `"2026-06-01T14:00:00.0+02:00"^^xsd:dateTimeStamp`), ask(), yes, ""},
		{"a date is the start of its day", compare("odrl:dateTime", "gteq", `"2026-06-01"^^xsd:date`), ask(), yes, ""},
		{"in UTC", compare("odrl:dateTime", "lt", `"2026-06-02"^^xsd:date`), ask(), yes, ""},
		{"a date in a zone", compare("odrl:dateTime", "lt", `"2026-06-02+13:00"^^xsd:date`), ask(), no, ""},
		{"a date in UTC", compare("odrl:dateTime", "gt", `"2026-06-01Z"^^xsd:date`), ask(), yes, ""},
		{"a plain string", compare("odrl:dateTime", "lt", `"2026-06-01T12:00:01Z"`), ask(), yes, ""},
		{"a plain date", compare("odrl:dateTime", "lt", `"2026-06-02"`), ask(), yes, ""},
		{"without a zone", compare("odrl:dateTime", "lt", `"2027-01-01T00:00:00"^^xsd:dateTime`), ask(), unknown, odrl.CodeUnusableRightOperand},
		{"no date at all", compare("odrl:dateTime", "lt", `"tomorrow"`), ask(), unknown, odrl.CodeUnusableRightOperand},
		{"a number", compare("odrl:dateTime", "lt", `2027`), ask(), unknown, odrl.CodeUnusableRightOperand},
		{"an IRI", compare("odrl:dateTime", "lt", `ex:later`), ask(), unknown, odrl.CodeUnusableRightOperand},
		{"one of two instants", compare("odrl:dateTime", "isAnyOf", `"2026-06-01T12:00:00Z"^^xsd:dateTime, "2026-06-02T12:00:00Z"^^xsd:dateTime`), ask(), yes, ""},
		{"without a time", compare("odrl:dateTime", "lt", `"2027-01-01T00:00:00Z"^^xsd:dateTime`), ask(func(r *odrl.Request) { r.Now = time.Time{} }), unknown, odrl.CodeMissingValue},
		{"an attribute does not set the time", compare("odrl:dateTime", "lt", `"2026-01-01T00:00:00Z"^^xsd:dateTime`), ask(with("dateTime", text("2025-01-01T00:00:00Z"))), no, ""},
		{"unless it is told to", compare("odrl:dateTime", "lt", `"2026-01-01T00:00:00Z"^^xsd:dateTime`), ask(with("dateTime", text("2025-01-01T00:00:00Z")), func(r *odrl.Request) { r.InsecureDateTime = true }), yes, ""},
		{"another operand with an instant", compare("odrl:event", "lt", `"2026-01-01T00:00:00Z"^^xsd:dateTime`), ask(with("event", text("2025-12-31T00:00:00+01:00"))), yes, ""},
		{"another operand without a zone", compare("odrl:event", "lt", `"2026-01-01T00:00:00Z"^^xsd:dateTime`), ask(with("event", text("2025-12-31T00:00:00"))), unknown, odrl.CodeIncomparable},

		// Durations.
		{"a duration", compare("odrl:elapsedTime", "lteq", `"PT1H"^^xsd:duration`), ask(with("elapsedTime", text("PT60M"))), yes, ""},
		{"a longer one", compare("odrl:elapsedTime", "lteq", `"PT1H"^^xsd:duration`), ask(with("elapsedTime", text("PT61M"))), no, ""},
		{"a month and thirty days", compare("odrl:elapsedTime", "lteq", `"P1M"^^xsd:duration`), ask(with("elapsedTime", text("P30D"))), unknown, odrl.CodeIncomparable},
		{"not a duration", compare("odrl:elapsedTime", "lteq", `"PT1H"^^xsd:duration`), ask(with("elapsedTime", text("soon"))), unknown, odrl.CodeIncomparable},
		{"a number is no duration", compare("odrl:elapsedTime", "lteq", `"PT1H"^^xsd:duration`), ask(with("elapsedTime", num("60"))), unknown, odrl.CodeIncomparable},
		{"a string is no duration", compare("odrl:elapsedTime", "lteq", `"PT1H"`), ask(with("elapsedTime", text("PT1M"))), unknown, odrl.CodeUnusableRightOperand},

		{"a duration as long as they may be", compare("odrl:elapsedTime", "lt", `"P1Y"^^xsd:duration`), ask(with("elapsedTime", text("PT"+strings.Repeat("0", 60)+"1S"))), yes, ""},
		{"a longer text is none", compare("odrl:elapsedTime", "lt", `"P1Y"^^xsd:duration`), ask(with("elapsedTime", text("PT"+strings.Repeat("0", 61)+"1S"))), unknown, odrl.CodeIncomparable},
		{"nor an instant", compare("odrl:purpose", "lt", `"2030-01-01T00:00:00Z"^^xsd:dateTime`), ask(with("purpose", text("2026-01-01T00:00:00."+strings.Repeat("0", 44)+"Z"))), unknown, odrl.CodeIncomparable},
		{"nor a right operand", compare("odrl:elapsedTime", "lt", `"P`+strings.Repeat("9", 63)+`Y"^^xsd:duration`), ask(with("elapsedTime", text("P1Y"))), unknown, odrl.CodeUnusableRightOperand},

		// Other datatypes: the same text is equal; of other texts nothing is known.
		{"a year, equal", compare("odrl:version", "eq", `"2026"^^xsd:gYear`), ask(with("version", text("2026"))), yes, ""},
		{"a boolean, other text", compare("odrl:version", "neq", `"1"^^xsd:boolean`), ask(with("version", text("true"))), unknown, odrl.CodeIncomparable},
		{"an unknown datatype", compare("odrl:version", "eq", `"a"^^ex:t`), ask(with("version", text("a"))), yes, ""},
		{"and another text", compare("odrl:version", "neq", `"a"^^ex:t`), ask(with("version", text("b"))), unknown, odrl.CodeIncomparable},
		{"and it has no order", compare("odrl:version", "lteq", `"a"^^ex:t`), ask(with("version", text("a"))), unknown, odrl.CodeIncomparable},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			k := state(t, row.constraint, odrl.InformationModel, row.request)
			require.Equal(t, row.want.String(), k.State.String(), k.String())
			require.Equal(t, row.code, k.Code)
		})
	}
}

// TestConstraintShapes has constraints that are unknown whatever is requested.
func TestConstraintShapes(t *testing.T) {
	t.Parallel()
	both := []odrl.Dialect{odrl.InformationModel, odrl.DelegationProfile}
	model, profile := both[:1], both[1:]
	good := `ex:c odrl:leftOperand odrl:purpose ; odrl:operator odrl:eq ; odrl:rightOperand ex:research `
	rows := []struct {
		name       string
		constraint string
		dialects   []odrl.Dialect
		code       odrl.Code // "" when it is understood, and satisfied
	}{
		{"understood", good + `.`, both, ""},
		{"typed", good + `; a odrl:Constraint .`, both, ""},
		{"with a uid", good + `; odrl:uid ex:c .`, both, ""},
		{"described", good + `; dcterms:description "x" ; ex:note 1 .`, both, ""},
		{"an unknown left operand", `ex:c odrl:leftOperand ex:mood ; odrl:operator odrl:eq ; odrl:rightOperand ex:research .`, both, odrl.CodeUnknownLeftOperand},
		{"a literal as left operand", `ex:c odrl:leftOperand "purpose" ; odrl:operator odrl:eq ; odrl:rightOperand ex:research .`, both, odrl.CodeUnknownLeftOperand},
		{"an operand that the profile lacks", `ex:c odrl:leftOperand odrl:product ; odrl:operator odrl:eq ; odrl:rightOperand ex:research .`, profile, odrl.CodeUnknownLeftOperand},
		{"the depth outside of the profile", `ex:c odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:eq ; odrl:rightOperand ex:research .`, model, odrl.CodeUnknownLeftOperand},
		{"two left operands", good + `; odrl:leftOperand odrl:spatial .`, both, odrl.CodeSeveralOperands},
		{"no left operand", `ex:c odrl:operator odrl:eq ; odrl:rightOperand ex:research .`, both, odrl.CodeMissingOperand},
		{"an unknown operator", `ex:c odrl:leftOperand odrl:purpose ; odrl:operator ex:almost ; odrl:rightOperand ex:research .`, both, odrl.CodeUnknownOperator},
		{"a logical operator", `ex:c odrl:leftOperand odrl:purpose ; odrl:operator odrl:and ; odrl:rightOperand ex:research .`, both, odrl.CodeUnknownOperator},
		{"an operator that the profile lacks", `ex:c odrl:leftOperand odrl:purpose ; odrl:operator odrl:isA ; odrl:rightOperand ex:research .`, profile, odrl.CodeUnknownOperator},
		{"two operators", good + `; odrl:operator odrl:neq .`, both, odrl.CodeSeveralOperands},
		{"no operator", `ex:c odrl:leftOperand odrl:purpose ; odrl:rightOperand ex:research .`, both, odrl.CodeMissingOperand},
		{"no right operand", `ex:c odrl:leftOperand odrl:purpose ; odrl:operator odrl:eq .`, both, odrl.CodeMissingOperand},
		{"two right operands", good + `; odrl:rightOperand ex:other .`, both, odrl.CodeSeveralOperands},
		{"a blank right operand", `ex:c odrl:leftOperand odrl:purpose ; odrl:operator odrl:eq ; odrl:rightOperand [] .`, both, odrl.CodeUnusableRightOperand},
		{"a list for a scalar operator", `ex:c odrl:leftOperand odrl:purpose ; odrl:operator odrl:eq ; odrl:rightOperand ( ex:research ) .`, both, odrl.CodeUnusableRightOperand},
		{"a list in the profile", `ex:c odrl:leftOperand odrl:purpose ; odrl:operator odrl:isAnyOf ; odrl:rightOperand ( ex:research ) .`, profile, odrl.CodeUnusableRightOperand},
		{"an empty list in the profile", `ex:c odrl:leftOperand odrl:purpose ; odrl:operator odrl:isNoneOf ; odrl:rightOperand () .`, profile, odrl.CodeUnusableRightOperand},
		{"an empty list for a scalar operator", `ex:c odrl:leftOperand odrl:purpose ; odrl:operator odrl:neq ; odrl:rightOperand () .`, both, odrl.CodeUnusableRightOperand},
		{"an empty list and a value", `ex:c odrl:leftOperand odrl:purpose ; odrl:operator odrl:isNoneOf ; odrl:rightOperand (), ex:other .`, both, odrl.CodeUnusableRightOperand},
		{"an empty list in a list", `ex:c odrl:leftOperand odrl:purpose ; odrl:operator odrl:isNoneOf ; odrl:rightOperand ( () ex:other ) .`, both, odrl.CodeUnusableRightOperand},
		{"a list and a value", `ex:c odrl:leftOperand odrl:purpose ; odrl:operator odrl:isAnyOf ; odrl:rightOperand ( ex:research ), ex:research .`, both, odrl.CodeUnusableRightOperand},
		{"a broken list", `ex:c odrl:leftOperand odrl:purpose ; odrl:operator odrl:isAnyOf ; odrl:rightOperand ex:l . ex:l rdf:first ex:research .`, model, odrl.CodeUnusableRightOperand},
		{"a list that is more", `ex:c odrl:leftOperand odrl:purpose ; odrl:operator odrl:isAnyOf ; odrl:rightOperand ex:l . ex:l rdf:first ex:research ; rdf:rest () ; odrl:leftOperand odrl:count .`, model, odrl.CodeUnusableRightOperand},
		{"a list of a class", `ex:c odrl:leftOperand odrl:purpose ; odrl:operator odrl:isAnyOf ; odrl:rightOperand ex:l . ex:l a rdf:List ; rdf:first ex:research ; rdf:rest ().`, model, ""},
		{"a list as well", good + `; rdf:first ex:d ; rdf:rest () .`, both, odrl.CodeMisplacedProperty},
		{"a circular list", `ex:c odrl:leftOperand odrl:purpose ; odrl:operator odrl:isAnyOf ; odrl:rightOperand ex:l . ex:l rdf:first ex:research ; rdf:rest ex:l .`, model, odrl.CodeUnusableRightOperand},
		{"a list with two ends", `ex:c odrl:leftOperand odrl:purpose ; odrl:operator odrl:isAnyOf ; odrl:rightOperand ex:l . ex:l rdf:first ex:research ; rdf:rest (), ex:l .`, model, odrl.CodeUnusableRightOperand},
		{"a collection that is refined", `ex:c odrl:leftOperand odrl:purpose ; odrl:operator odrl:isPartOf ; odrl:rightOperand ex:all . ex:all odrl:refinement [ odrl:leftOperand odrl:count ; odrl:operator odrl:lt ; odrl:rightOperand 5 ] .`, model, odrl.CodeUnusableRightOperand},
		{"by reference", good + `; odrl:rightOperandReference ex:list .`, both, odrl.CodeRightOperandReference},
		{"by reference alone", `ex:c odrl:leftOperand odrl:purpose ; odrl:operator odrl:eq ; odrl:rightOperandReference ex:list .`, both, odrl.CodeRightOperandReference},
		{"a unit", good + `; odrl:unit ex:eur .`, both, odrl.CodeUnit},
		{"a status", good + `; odrl:status 3 .`, both, odrl.CodeStatus},
		{"a data type that fits", `ex:c odrl:leftOperand odrl:purpose ; odrl:operator odrl:eq ; odrl:rightOperand "http://example.org/ns#research" ; odrl:dataType xsd:anyURI .`, model, ""},
		{"a data type in the profile", `ex:c odrl:leftOperand odrl:purpose ; odrl:operator odrl:eq ; odrl:rightOperand "http://example.org/ns#research" ; odrl:dataType xsd:anyURI .`, profile, odrl.CodeDataType},
		{"a data type of an IRI", good + `; odrl:dataType xsd:integer .`, model, odrl.CodeDataType},
		{"another data type", `ex:c odrl:leftOperand odrl:count ; odrl:operator odrl:eq ; odrl:rightOperand 1 ; odrl:dataType xsd:string .`, model, odrl.CodeDataType},
		{"a data type that makes it ill-typed", `ex:c odrl:leftOperand odrl:count ; odrl:operator odrl:eq ; odrl:rightOperand "x" ; odrl:dataType xsd:integer .`, model, odrl.CodeUnusableRightOperand},
		{"an unknown property", good + `; odrl:tolerance 1 .`, both, odrl.CodeUnknownProperty},
		{"a property of a rule", good + `; odrl:target ex:doc .`, both, odrl.CodeMisplacedProperty},
		{"an end in another vocabulary", good + `; <https://schema.org/validThrough> "2020-01-01" .`, both, odrl.CodeUnknownProperty},
		{"the wrong namespace", good + `; <https://www.w3.org/ns/odrl/2/unit> ex:eur .`, both, odrl.CodeUnknownProperty},
		{"another class", good + `; a odrl:Permission .`, both, odrl.CodeTypeMismatch},
		{"a class of nothing", good + `; a odrl:Foo .`, both, odrl.CodeTypeMismatch},
		{"empty", `ex:c a odrl:Constraint .`, both, odrl.CodeNotAConstraint},
		{"both kinds", good + `; odrl:and ex:d, ex:e .`, both, odrl.CodeNotAConstraint},
	}
	for _, row := range rows {
		for _, dialect := range row.dialects {
			t.Run(row.name+" in the "+dialect.String(), func(t *testing.T) {
				t.Parallel()
				r := ask(with("purpose", text(ex+"research")), with("count", number(t, "1")), with("product", text(ex+"research")),
					with("delegationDepth", number(t, "1")))
				k := state(t, row.constraint, dialect, r)
				require.Equal(t, row.code, k.Code, k.String())
				want := odrl.Unknown
				if row.code == "" {
					want = odrl.Satisfied
				}
				require.Equal(t, want, k.State)
			})
		}
	}
	t.Run("a literal", func(t *testing.T) {
		t.Parallel()
		d := decide(t, compileFor(t, permission(`; odrl:constraint "x"`), odrl.InformationModel), ask())
		require.Equal(t, odrl.CodeNotANode, d.Reasons[1].Code)
	})
}

// TestConjunction: all constraints of a rule must be satisfied; a rule without any is
// satisfied.
func TestConjunction(t *testing.T) {
	t.Parallel()
	rule := permission(`; odrl:constraint ex:c, [ odrl:leftOperand odrl:count ; odrl:operator odrl:lt ; odrl:rightOperand 3 ]`) + compare("odrl:purpose", "eq", "ex:research")
	p := compileFor(t, rule, odrl.InformationModel)
	two, four := number(t, "2"), number(t, "4")
	require.True(t, decide(t, p, ask(with("purpose", text(ex+"research")), with("count", two))).Permitted())
	require.False(t, decide(t, p, ask(with("purpose", text(ex+"research")), with("count", four))).Permitted())
	require.False(t, decide(t, p, ask(with("purpose", text(ex+"research")))).Permitted())
	require.False(t, decide(t, p, ask(with("count", two))).Permitted())
}

// parts are constraints that are satisfied, unsatisfied and unknown for the request that
// truth makes.
const parts = `
ex:T odrl:leftOperand odrl:purpose ; odrl:operator odrl:eq ; odrl:rightOperand ex:research .
ex:F odrl:leftOperand odrl:purpose ; odrl:operator odrl:neq ; odrl:rightOperand ex:research .
ex:U odrl:leftOperand odrl:spatial ; odrl:operator odrl:eq ; odrl:rightOperand ex:eu .
ex:T2 odrl:leftOperand odrl:purpose ; odrl:operator odrl:isAnyOf ; odrl:rightOperand ex:research .
ex:F2 odrl:leftOperand odrl:purpose ; odrl:operator odrl:isNoneOf ; odrl:rightOperand ex:research .
ex:U2 odrl:leftOperand odrl:spatial ; odrl:operator odrl:neq ; odrl:rightOperand ex:eu .
`

// withParts adds the parts that a text names.
func withParts(ttl string) string {
	for line := range strings.Lines(parts[1:]) {
		if name, _, _ := strings.Cut(line, " "); regexp.MustCompile(name + `\b`).MatchString(ttl) {
			ttl += "\n" + line
		}
	}
	return ttl
}

// TestLogicalConstraints is the table of section 7.5, each row in both orders
// and, but for andSequence, as a list and as values.
func TestLogicalConstraints(t *testing.T) {
	t.Parallel()
	states := map[byte]odrl.State{'T': yes, 'F': no, 'U': unknown}
	table := []string{ // a b and or xone
		"TTTTF", "TFFTT", "TUUTU", "FFFFF", "FUFUU", "UUUUU",
	}
	for _, row := range table {
		for i, op := range []string{"and", "or", "xone", "andSequence"} {
			want := states[row[2+i%3]]
			a, b := "ex:"+row[:1], "ex:"+row[1:2]
			if a == b {
				b += "2"
			}
			forms := []string{"( " + a + " " + b + " )", "( " + b + " " + a + " )"}
			if op != "andSequence" {
				forms = append(forms, a+", "+b)
			}
			for _, form := range forms {
				t.Run(op+" "+form, func(t *testing.T) {
					t.Parallel()
					k := state(t, withParts("ex:c odrl:"+op+" "+form+" ."), odrl.InformationModel, ask(with("purpose", text(ex+"research"))))
					require.Equal(t, want.String(), k.State.String())
					require.Len(t, k.Parts, 2)
					k = state(t, withParts("ex:c odrl:"+op+" "+form+" ."), odrl.DelegationProfile, ask(with("purpose", text(ex+"research"))))
					require.Equal(t, want.String(), k.State.String())
				})
			}
		}
	}
}

func TestLogicalShapes(t *testing.T) {
	t.Parallel()
	nest := func(levels int) string {
		var b strings.Builder
		b.WriteString("ex:c odrl:and ( ex:T ex:n1 ) .\n")
		for i := 1; i < levels-1; i++ {
			fmt.Fprintf(&b, "ex:n%d odrl:and ( ex:T ex:n%d ) .\n", i, i+1)
		}
		fmt.Fprintf(&b, "ex:n%d odrl:leftOperand odrl:purpose ; odrl:operator odrl:eq ; odrl:rightOperand ex:research .\n", levels-1)
		return b.String()
	}
	rows := []struct {
		name       string
		constraint string
		want       odrl.State
		code       odrl.Code
	}{
		{"three of xone", `ex:c odrl:xone ( ex:T ex:F ex:F2 ) .`, yes, ""},
		{"one operand", `ex:c odrl:or ( ex:T ) .`, unknown, odrl.CodeLogicalOperands},
		{"one operand, no list", `ex:c odrl:or ex:T .`, unknown, odrl.CodeLogicalOperands},
		{"none", `ex:c odrl:or () .`, unknown, odrl.CodeLogicalOperands},
		{"the same twice", `ex:c odrl:or ( ex:T ex:T ) .`, unknown, odrl.CodeLogicalOperands},
		{"a list and a value", `ex:c odrl:or ( ex:T ex:T2 ), ex:F .`, unknown, odrl.CodeLogicalOperands},
		{"two lists", `ex:c odrl:or ( ex:T ex:T2 ), ( ex:F ex:F2 ) .`, unknown, odrl.CodeLogicalOperands},
		{"values of andSequence", `ex:c odrl:andSequence ex:T, ex:T2 .`, unknown, odrl.CodeLogicalOperands},
		{"a broken list", `ex:c odrl:or ex:l . ex:l rdf:first ex:T .`, unknown, odrl.CodeLogicalOperands},
		{"a list that is a constraint", `ex:c odrl:and ex:l . ex:l rdf:first ex:T ; rdf:rest ( ex:T2 ) ; odrl:and ex:F, ex:F2 .`, unknown, odrl.CodeLogicalOperands},
		{"two logical operands", `ex:c odrl:or ( ex:T ex:F ) ; odrl:and ( ex:T ex:T2 ) .`, unknown, odrl.CodeLogicalOperands},
		{"a literal operand in or", `ex:c odrl:or ( ex:T "x" ) .`, yes, ""},
		{"a literal operand in and", `ex:c odrl:and ( ex:T "x" ) .`, unknown, ""},
		{"an operand that is no constraint", `ex:c odrl:and ( ex:T ex:nothing ) .`, unknown, ""},
		{"typed", `ex:c a odrl:LogicalConstraint ; odrl:and ( ex:T ex:T2 ) .`, yes, ""},
		{"an unknown property", `ex:c odrl:and ( ex:T ex:T2 ) ; odrl:not ex:U .`, unknown, odrl.CodeUnknownProperty},
		{"an unknown logical operand", `ex:c odrl:nand ( ex:T ex:T2 ) .`, unknown, odrl.CodeNotAConstraint},
		{"a constraint of a logical one", `ex:c odrl:and ( ex:T ex:T2 ) ; odrl:constraint ex:U .`, unknown, odrl.CodeMisplacedProperty},
		{"eight levels", nest(8), yes, ""},
		{"nine levels", nest(9), unknown, odrl.CodeNesting},
		{"ten thousand levels", nest(10_000), unknown, odrl.CodeNesting},
		{"in a circle", `ex:c odrl:or ( ex:T ex:c ) .`, unknown, odrl.CodeNesting},
		{"in a wider circle", `ex:c odrl:or ( ex:T ex:d ) . ex:d odrl:or ( ex:T ex:c ) .`, unknown, odrl.CodeNesting},
		{"leading into a circle", `ex:c odrl:or ( ex:T ex:d ) . ex:d odrl:or ( ex:T ex:d ) .`, unknown, odrl.CodeNesting},
		{"shared parts", `ex:c odrl:and ( ex:d ex:e ) . ex:d odrl:or ( ex:T ex:F ) . ex:e odrl:or ( ex:F ex:T ) .`, yes, ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			k := state(t, withParts(row.constraint), odrl.InformationModel, ask(with("purpose", text(ex+"research"))))
			require.Equal(t, row.want.String(), k.State.String(), k.String())
			require.Equal(t, row.code, k.Code)
		})
	}
}

// TestDepthIsNeverAsserted: outside of a chain the operand for the depth has no value,
// whatever a request says.
func TestDepthIsNeverAsserted(t *testing.T) {
	t.Parallel()
	p := compileFor(t, permission(`; odrl:constraint ex:c`)+compare("odrld:delegationDepth", "lteq", "5"), odrl.DelegationProfile)
	r := ask(with("delegationDepth", number(t, "1")), with("https://w3id.org/jeswr/odrl-delegation#delegationDepth", number(t, "1")))
	require.False(t, decide(t, p, r).Permitted())
	at1 := p.Match(r, 1)
	require.Len(t, at1.Permissions, 1)
	at6 := p.Match(r, 6)
	require.Empty(t, at6.Permissions)
}
