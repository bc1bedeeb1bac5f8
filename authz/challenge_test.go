package authz_test

import (
	"bytes"
	"crypto/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

// TestChallenges: a challenge is good once, for one exchange, for a while.
func TestChallenges(t *testing.T) {
	t.Parallel()
	now := noon
	c, err := authz.NewChallenges(rand.Reader, func() time.Time { return now }, time.Minute)
	require.NoError(t, err)
	issue := func() string {
		challenge, err := c.Issue("task-1")
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(challenge), 22, "128 bits")
		return challenge
	}
	use := func(challenge, exchange string) bool {
		ok, err := c.Use(challenge, exchange)
		require.NoError(t, err)
		return ok
	}
	first := issue()
	require.NotEqual(t, first, issue())
	require.False(t, use("x", "task-1"))
	require.False(t, use(first, "task-2"))
	require.True(t, use(first, "task-1"))
	require.False(t, use(first, "task-1"), "it was used")
	old := issue()
	now = now.Add(time.Minute)
	require.False(t, use(old, "task-1"), "it is too old")

	_, err = authz.NewChallenges(nil, time.Now, 0)
	require.Error(t, err)
	_, err = authz.NewChallenges(rand.Reader, time.Now, -1)
	require.Error(t, err)
	dry, err := authz.NewChallenges(bytes.NewReader(nil), time.Now, 0)
	require.NoError(t, err)
	_, err = dry.Issue("x")
	require.Error(t, err)
	same, err := authz.NewChallenges(bytes.NewReader(make([]byte, 48)), time.Now, 0)
	require.NoError(t, err)
	_, err = same.Issue("x")
	require.NoError(t, err)
	_, err = same.Issue("x")
	require.Error(t, err, "the same challenge twice")
}

// TestReplay: a presentation counts once.
func TestReplay(t *testing.T) {
	t.Parallel()
	challenges, err := authz.NewChallenges(rand.Reader, func() time.Time { return noon }, 0)
	require.NoError(t, err)
	challenge, err := challenges.Issue("task-1")
	require.NoError(t, err)
	s := good(t)
	s.config.Challenges = challenges
	expected := vc.Expected{Challenge: challenge, Domain: []string{"d"}}
	presentation, policies := present(t, 3, 3, expected, s.hops...)
	r := s.request
	r.Chain.Policies = policies
	a := s.authorizer(t)
	decide := func(exchange string) string {
		r.Exchange = exchange
		d, err := a.AuthorizePresentation(t.Context(), r, presentation, expected)
		require.NoError(t, err)
		consistent(t, d)
		return string(d.Phase) + " " + string(d.Code)
	}
	require.Equal(t, "A CHALLENGE_MISMATCH", decide("task-2"))
	require.Equal(t, "complete ", decide("task-1"))
	require.Equal(t, "A CHALLENGE_MISMATCH", decide("task-1"))
}

// TestMapping: intents of a Protocol Document of its own (AZ-8.1).
func TestMapping(t *testing.T) {
	t.Parallel()
	m := authz.Mapping{Actions: map[string]authz.ActionMapping{
		"urn:Print": {Action: "use", Target: "urn:what", Attributes: map[string]string{"purpose": "urn:why", "count": "urn:often"}},
		"urn:Burn":  {Action: "delete", Target: "urn:what"},
	}}
	const text = `@prefix a2a: <https://w3id.org/jeswr/a2a#> . @prefix odrl: <http://www.w3.org/ns/odrl/2/> .
<urn:i> a a2a:Intent ; a2a:action <urn:a> . <urn:a> <urn:what> <urn:x>, <urn:y> ; <urn:why> <urn:fun> ; <urn:often> 3 ; <https://schema.org/agent> <urn:me> . `
	for more, want := range map[string]string{
		"<urn:a> a <urn:Print>, <urn:Other> . <urn:i> odrl:hasPolicy <urn:p> .": "",
		"<urn:a> a <urn:Other> .":                                              "a class that is mapped",
		"<urn:a> a <urn:Print>, <urn:Burn> .":                                  "found two",
		`<urn:a> a <urn:Print> ; <urn:what> "x" .`:                             "an IRI for the target",
		"<urn:a> a <urn:Print> . <urn:i> a2a:action <urn:b> .":                 "found 2",
		"<urn:a> a <urn:Print> . <urn:i> <https://schema.org/agent> <urn:b> .": "at most one agent",
		"<urn:a> a <urn:Print> ; odrl:hasPolicy <urn:p> .":                     "on the intent alone",
	} {
		d, err := turtle.Parse([]byte(text+more), turtle.Options{})
		require.NoError(t, err)
		in, err := m.ReadIntent(d, intentOf(t, d), map[string][]odrl.Value{"count": {odrl.Integer(1)}})
		if want != "" {
			require.ErrorContains(t, err, want)
			require.Empty(t, in.Asks)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, "urn:me", in.Agent)
		require.Equal(t, []string{"urn:p"}, in.Policies)
		require.Len(t, in.Asks, 2)
		for i, target := range []string{"urn:x", "urn:y"} {
			require.Equal(t, "use", in.Asks[i].Action)
			require.Equal(t, target, in.Asks[i].Target)
			purpose := in.Asks[i].Attributes["purpose"]
			require.Len(t, purpose, 1)
			require.Equal(t, []any{"urn:fun", odrl.KindIRI}, []any{purpose[0].String(), purpose[0].Kind()})
			require.Equal(t, []odrl.Value{odrl.Integer(1)}, in.Asks[i].Attributes["count"], "the receiver's own")
		}
	}
}
