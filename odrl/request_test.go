package odrl_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/rdf"
)

func TestParseRequest(t *testing.T) {
	t.Parallel()
	r, err := odrl.ParseRequest([]byte(`{"agent":"ex:bob","action":"read","target":"ex:doc",
 "attributes":{"purpose":"ex:research","count":3,"spatial":["ex:eu","ex:ch"],"fulfilled:inform":true,"delegationDepth":9,
 "https://w3id.org/jeswr/odrl-delegation#delegationDepth":9,"none":[]},
 "memberOf":{"ex:bob":["ex:team","ex:team"],"ex:doc":[]}}`))
	require.NoError(t, err)
	three, err := odrl.Number("3")
	require.NoError(t, err)
	require.Equal(t, odrl.Request{
		Agent: "ex:bob", Action: "read", Target: "ex:doc",
		Attributes: map[string][]odrl.Value{
			"purpose": {odrl.Text("ex:research")}, "count": {three}, "spatial": {odrl.Text("ex:eu"), odrl.Text("ex:ch")},
			"fulfilled:inform": {odrl.Boolean(true)}, "none": {},
		},
		MemberOf: map[string][]string{"ex:bob": {"ex:team"}, "ex:doc": {}},
	}, r)
	r, err = odrl.ParseRequest([]byte(`{"action":"read","target":"ex:doc"}`))
	require.NoError(t, err)
	require.Equal(t, odrl.Request{Action: "read", Target: "ex:doc"}, r)
}

func TestParseRequestRefusals(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, json, text string
	}{
		{"an array", `[]`, "1:1: a request must be an object, not an array"},
		{"another member", `{"agents":"x"}`, `1:11: a request has no member "agents"`},
		{"an agent that is no string", `{"agent":["x"]}`, "1:10: the agent must be a string, not an array"},
		{"a null target", `{"target":null}`, "1:11: the target must be a string, not null"},
		{"an action that is a number", `{"action":1}`, "1:11: the action must be a string, not a number"},
		{"attributes that are no object", `{"attributes":[]}`, "1:15: the attributes must be an object, not an array"},
		{"a null attribute", `{"attributes":{"purpose":null}}`, `1:26: the attribute "purpose" must be a string, a number, a boolean or an array of them, not null`},
		{"an object as attribute", `{"attributes":{"purpose":{}}}`, `1:26: the attribute "purpose" must be a string, a number, a boolean or an array of them, not an object`},
		{"an array in an array", `{"attributes":{"purpose":["a",["b"]]}}`, `1:31: the attribute "purpose" must be a string, a number, a boolean or an array of them, not an array`},
		{"members that are no object", `{"memberOf":"x"}`, "1:13: memberOf must be an object, not a string"},
		{"collections that are no array", `{"memberOf":{"a":"b"}}`, `1:18: the collections of "a" must be an array, not a string`},
		{"a collection that is no string", `{"memberOf":{"a":[1]}}`, "1:19: the collection must be a string, not a number"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r, err := odrl.ParseRequest([]byte(row.json))
			var re *odrl.RequestError
			require.ErrorAs(t, err, &re)
			require.Equal(t, row.text, err.Error())
			require.Equal(t, odrl.Request{}, r)
		})
	}
	_, err := odrl.ParseRequest([]byte(`{"agent":"a","agent":"b"}`))
	var je *strictjson.Error
	require.ErrorAs(t, err, &je)
	require.Equal(t, strictjson.CodeDuplicateMember, je.Code)
}

func TestValues(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "+", ".", "1e", "e1", "1.2.3", "1e99999999999999999999", "0x1", "1 ", "INF", "NaN", "١"} {
		_, err := odrl.Number(s)
		require.Error(t, err, s)
	}
	require.Equal(t, "2026-06-01T12:00:00Z", odrl.Instant(noon).String())
	require.Equal(t, "2026-06-01T10:00:00.5Z", odrl.Instant(time.Date(2026, 6, 1, 12, 0, 0, 500_000_000, time.FixedZone("", 7200))).String())
	require.Equal(t, "-7", odrl.Integer(-7).String())

	lit := func(lexical, datatype string) rdf.Term {
		l, err := rdf.NewLiteral(lexical, datatype)
		require.NoError(t, err)
		return l
	}
	const xsd = "http://www.w3.org/2001/XMLSchema#"
	iri, err := rdf.NewIRI(ex + "a")
	require.NoError(t, err)
	blank, err := rdf.NewBlank("b")
	require.NoError(t, err)
	number, err := odrl.Number("1.5")
	require.NoError(t, err)
	for _, row := range []struct {
		value    odrl.Value
		kind     odrl.ValueKind
		datatype string
	}{
		{odrl.Text("true"), odrl.KindText, ""},
		{number, odrl.KindNumber, ""},
		{odrl.Integer(1), odrl.KindNumber, ""},
		{odrl.Boolean(true), odrl.KindBoolean, ""},
		{odrl.Instant(noon), odrl.KindInstant, xsd + "dateTime"},
		{odrl.TermValue(iri), odrl.KindIRI, ""},
		{odrl.TermValue(lit("1.5e0", xsd+"double")), odrl.KindNumber, xsd + "double"},
		{odrl.TermValue(lit("x", xsd+"integer")), odrl.KindText, xsd + "integer"},
		{odrl.TermValue(lit("true", xsd+"boolean")), odrl.KindText, xsd + "boolean"},
		{odrl.TermValue(blank), odrl.KindNone, ""},
		{odrl.Value{}, odrl.KindText, ""},
	} {
		require.Equal(t, row.kind, row.value.Kind(), row.value)
		require.Equal(t, row.datatype, row.value.Datatype(), row.value)
	}
	less := compare("odrl:count", "lteq", "1.5")
	require.Equal(t, yes, state(t, less, odrl.InformationModel, ask(with("count", odrl.TermValue(lit("1.5e0", xsd+"double"))))).State)
	require.Equal(t, unknown, state(t, less, odrl.InformationModel, ask(with("count", odrl.TermValue(lit("x", xsd+"integer"))))).State)
	require.Equal(t, unknown, state(t, less, odrl.InformationModel, ask(with("count", odrl.TermValue(blank)))).State)
	same := compare("odrl:purpose", "eq", "ex:a")
	require.Equal(t, yes, state(t, same, odrl.InformationModel, ask(with("purpose", odrl.TermValue(iri)))).State)
	require.Equal(t, yes, state(t, same, odrl.InformationModel, ask(with("purpose", odrl.TermValue(lit(ex+"a", xsd+"anyURI"))))).State)
}
