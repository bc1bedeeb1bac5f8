package odrl_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

const prefixes = `@prefix odrl: <http://www.w3.org/ns/odrl/2/> .
@prefix odrld: <https://w3id.org/jeswr/odrl-delegation#> .
@prefix acl: <http://www.w3.org/ns/auth/acl#> .
@prefix cc: <http://creativecommons.org/ns#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix ex: <http://example.org/ns#> .
`

const (
	ex   = "http://example.org/ns#"
	core = "http://www.w3.org/ns/odrl/2/"
)

var noon = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// ask is the request that most rows make: bob wants to read the document.
func ask(change ...func(*odrl.Request)) *odrl.Request {
	r := &odrl.Request{Agent: ex + "bob", Action: "read", Target: ex + "doc", Now: noon}
	for _, c := range change {
		c(r)
	}
	return r
}

// with sets an attribute of a request.
func with(name string, values ...odrl.Value) func(*odrl.Request) {
	return func(r *odrl.Request) {
		if r.Attributes == nil {
			r.Attributes = map[string][]odrl.Value{}
		}
		r.Attributes[name] = values
	}
}

// member states memberships in a request.
func member(of string, collections ...string) func(*odrl.Request) {
	return func(r *odrl.Request) {
		if r.MemberOf == nil {
			r.MemberOf = map[string][]string{}
		}
		r.MemberOf[of] = append([]string{}, collections...)
	}
}

func action(a string) func(*odrl.Request) { return func(r *odrl.Request) { r.Action = a } }
func agent(a string) func(*odrl.Request)  { return func(r *odrl.Request) { r.Agent = a } }
func target(a string) func(*odrl.Request) { return func(r *odrl.Request) { r.Target = a } }

func text(s string) odrl.Value { return odrl.Text(s) }

func number(t testing.TB, s string) odrl.Value {
	t.Helper()
	v, err := odrl.Number(s)
	require.NoError(t, err)
	return v
}

// parse reads Turtle behind the usual prefixes. Places count from the text.
func parse(t testing.TB, ttl string) rdf.Graph {
	t.Helper()
	d, err := turtle.Parse([]byte(prefixes+ttl), turtle.Options{File: "p.ttl", Places: true, Limits: rdf.Local()})
	require.NoError(t, err, ttl)
	return d.Default()
}

func compileFor(t testing.TB, ttl string, dialect odrl.Dialect) *odrl.Policy {
	t.Helper()
	p, err := odrl.Compile(parse(t, ttl), odrl.CompileOptions{Dialect: dialect})
	require.NoError(t, err, ttl)
	return p
}

// decide evaluates a request, and checks that the explained evaluation decides the same
// and can be written.
func decide(t testing.TB, p *odrl.Policy, r *odrl.Request) odrl.Decision {
	t.Helper()
	d := p.Evaluate(r)
	explained, trace := p.Explain(r)
	require.Equal(t, d, explained)
	_, err := json.Marshal(trace)
	require.NoError(t, err)
	require.NotEmpty(t, d.Code)
	require.NotEmpty(t, d.Reasons)
	for _, reason := range d.Reasons {
		require.NotEmpty(t, reason.Code.Text(), reason.Code)
		require.NotEmpty(t, reason.Message)
	}
	require.Equal(t, d.Code == odrl.CodePermitted, d.Permitted())
	return d
}

// permission is a policy with one permission for bob to read the document; more is added
// to the rule.
func permission(more string) string {
	return `ex:pol a odrl:Set ; odrl:permission ex:perm .
ex:perm odrl:target ex:doc ; odrl:assignee ex:bob ; odrl:action odrl:read ` + more + " .\n"
}

// prohibition is a policy that permits bob to read the document and prohibits it as
// well; more is added to the prohibition.
func prohibition(more string) string {
	return permission("") + `ex:pol odrl:prohibition ex:proh .
ex:proh odrl:target ex:doc ; odrl:action odrl:read ` + more + " .\n"
}
