package authz_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

const (
	odrlNS = "http://www.w3.org/ns/odrl/2/"
	odrld  = "https://w3id.org/jeswr/odrl-delegation#"
	rdfNS  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
)

// embed makes the policy of a hop part of its credential.
func embed(h *hop, i, n int) map[string]any {
	rules := []any{map[string]any{odrlNS + "action": odrlNS + "read", odrlNS + "target": target}}
	if n > 0 {
		rules = append(rules, map[string]any{
			odrlNS + "action": odrlNS + "grantUse", odrlNS + "target": target,
			odrlNS + "constraint": map[string]any{odrlNS + "leftOperand": odrld + "delegationDepth", odrlNS + "operator": odrlNS + "lteq", odrlNS + "rightOperand": n},
		})
	}
	p := map[string]any{
		rdfNS + "type": odrlNS + "Agreement", odrlNS + "uid": policy(i), odrlNS + "profile": strings.TrimSuffix(odrld, "#"),
		odrlNS + "assigner": party(i), odrlNS + "assignee": party(i + 1), odrlNS + "permission": rules,
	}
	if i > 0 {
		p[odrld+"delegatedUnder"] = policy(i - 1)
	}
	h.subject()[svc+"policy"] = p
	h.policy = ""
	return p
}

// TestEmbedded: policies that are part of their credentials (AZ-6.2).
func TestEmbedded(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(s *setting)
		want   []string
	}{
		"one of three":     {func(s *setting) { embed(s.hops[1], 1, 2) }, []string{"complete", ""}},
		"the root":         {func(s *setting) { embed(s.hops[0], 0, 2) }, []string{"complete", ""}},
		"all":              {func(s *setting) { embed(s.hops[0], 0, 2); embed(s.hops[1], 1, 1); embed(s.hops[2], 2, 0) }, []string{"complete", ""}},
		"too deep":         {func(s *setting) { embed(s.hops[0], 0, 1) }, []string{"D", "POLICY_DENIED"}},
		"without a uid":    {func(s *setting) { delete(embed(s.hops[1], 1, 2), odrlNS+"uid") }, []string{"assembly", "CHAIN_MALFORMED"}},
		"with two uids":    {func(s *setting) { embed(s.hops[1], 1, 2)[odrlNS+"uid"] = []string{policy(1), policy(5)} }, []string{"assembly", "CHAIN_MALFORMED"}},
		"with another uid": {func(s *setting) { embed(s.hops[1], 1, 2)[odrlNS+"uid"] = policy(5) }, []string{"assembly", "CHAIN_MALFORMED"}},
		"forged":           {func(s *setting) { embed(s.hops[1], 1, 2); s.hops[1].damage = forge }, []string{"A", "INVALID_SIGNATURE"}},
		"and presented as well": {func(s *setting) {
			text := s.hops[1].policy
			embed(s.hops[1], 1, 2)
			s.after = func(c *authz.Chain) { c.Policies = append(c.Policies, authz.PolicyDocument{Content: []byte(text)}) }
		}, []string{"assembly", "CHAIN_MALFORMED"}},
		"by another": {func(s *setting) { embed(s.hops[1], 1, 2)[odrlNS+"assigner"] = party(5) }, []string{"B", "BINDING_MISMATCH"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := good(t)
			tt.change(s)
			d := s.decide(t)
			require.Equal(t, tt.want, []string{string(d.Phase), string(d.Code)}, d.String())
			if name == "all" {
				require.False(t, d.PolicyIntegrityProvisional)
				require.Equal(t, "embedded", d.Hops[0].Binding)
			}
		})
	}
}

// TestW3C: credentials of the W3C profile.
func TestW3C(t *testing.T) {
	t.Parallel()
	s := good(t)
	r := s.prepare(t)
	for i, h := range s.hops {
		var context []any
		require.NoError(t, json.Unmarshal([]byte(`["https://www.w3.org/ns/credentials/v2",`+authorityContext+`]`), &context))
		credential := map[string]any{
			"@context": context, "type": []string{"VerifiableCredential", "AgentAuthorizationCredential"},
			"id": h.credential["id"], "issuer": h.credential["issuer"], "validFrom": h.credential["validFrom"],
			"credentialSubject": map[string]any{"id": party(i), "authorizes": party(i + 1), "policy": policy(i), "action": odrlNS + "read", "target": target},
			"relatedResource":   map[string]any{"id": policy(i), "digestSRI": sri(h.policy)},
		}
		text, err := json.Marshal(credential)
		require.NoError(t, err)
		r.Chain.Credentials[i], err = vc.Sign(t.Context(), text, privateKey(t, i), vc.SignOptions{Method: method(i), Contexts: jsonld.Builtin()})
		require.NoError(t, err)
	}
	d := authorize(t, s.authorizer(t), r)
	require.True(t, d.Authorized(), d.String())
	require.Equal(t, "w3c", d.Hops[0].Profile)
	s.verifier.Profile = vc.ProfileSVC
	require.False(t, authorize(t, s.authorizer(t), r).Authorized())

	// With its policy as part of it, which has an IRI of its own.
	id := func(iri string) map[string]any { return map[string]any{"id": iri} }
	text, err := json.Marshal(map[string]any{
		"@context": json.RawMessage(`["https://www.w3.org/ns/credentials/v2",` + authorityContext + `]`), "id": "urn:uuid:2",
		"type": []string{"VerifiableCredential", "AgentAuthorizationCredential"}, "issuer": party(0),
		"credentialSubject": map[string]any{"id": party(0), "authorizes": party(1), "policy": map[string]any{
			"id": policy(0), "type": "odrl:Agreement", "odrl:assigner": id(party(0)), "odrl:assignee": id(party(1)),
			"odrl:permission": map[string]any{"odrl:action": id("odrl:read"), "odrl:target": id(target)},
		}},
	})
	require.NoError(t, err)
	signed, err := vc.Sign(t.Context(), text, privateKey(t, 0), vc.SignOptions{Method: method(0), Contexts: jsonld.Builtin()})
	require.NoError(t, err)
	s = good(t)
	r = s.request
	r.Actor, r.Chain = party(1), authz.Chain{Credentials: [][]byte{signed}}
	d = authorize(t, s.authorizer(t), r)
	require.True(t, d.Authorized(), d.String())
	require.Equal(t, "embedded", d.Hops[0].Binding)
	r.Asks = []odrl.Request{{Action: "write", Target: target}}
	require.Equal(t, authz.CodePolicyDenied, authorize(t, s.authorizer(t), r).Code)
}

// TestPresentation: the chain of a holder, for a challenge.
func TestPresentation(t *testing.T) {
	t.Parallel()
	const challenge, domain = "c-1", "https://receiver.example/"
	expected := vc.Expected{Challenge: challenge, Domain: []string{domain}}
	for name, tt := range map[string]struct {
		hops           []*hop
		holder, signer int
		expected       vc.Expected
		change         func(*authz.Request)
		want           []string
	}{
		"the leaf":                {chain(0, 3), 3, 3, expected, nil, []string{"complete", ""}},
		"two chains":              {append(chain(0, 3), chain(3, 2)...), 5, 5, expected, nil, []string{"complete", ""}},
		"not the leaf":            {chain(0, 3), 5, 5, expected, nil, []string{"A", "HOLDER_UNVERIFIED"}},
		"one in between":          {chain(0, 3), 2, 2, expected, nil, []string{"A", "HOLDER_UNVERIFIED"}},
		"another key":             {chain(0, 3), 3, 5, expected, nil, []string{"A", "ISSUER_MISMATCH"}},
		"another challenge":       {chain(0, 3), 3, 3, vc.Expected{Challenge: "c-2", Domain: []string{domain}}, nil, []string{"A", "CHALLENGE_MISMATCH"}},
		"another domain":          {chain(0, 3), 3, 3, vc.Expected{Challenge: challenge, Domain: []string{"x"}}, nil, []string{"A", "DOMAIN_MISMATCH"}},
		"another authenticated":   {chain(0, 3), 3, 3, expected, func(r *authz.Request) { r.Actor = party(5) }, []string{"A", "HOLDER_UNVERIFIED"}},
		"the same authenticated":  {chain(0, 3), 3, 3, expected, func(r *authz.Request) { r.Actor = party(3) }, []string{"complete", ""}},
		"not root first":          {[]*hop{chain(0, 3)[1], chain(0, 3)[2], chain(0, 3)[0]}, 1, 1, expected, nil, []string{"assembly", "CHAIN_MALFORMED"}},
		"two chains, not joined":  {append(chain(0, 3), chain(4, 2)...), 6, 6, expected, nil, []string{"composition", "IDENTITY_COMPOSITION_FAILED"}},
		"the actor's chain first": {append(chain(3, 2), chain(0, 3)...), 3, 3, expected, nil, []string{"B", "BINDING_MISMATCH"}},
		"three chains":            {append(append(chain(0, 3), chain(3, 1)...), chain(4, 1)...), 5, 5, expected, nil, []string{"composition", "IDENTITY_COMPOSITION_FAILED"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := good(t)
			r := s.request
			r.Actor = ""
			presentation, policies := present(t, tt.holder, tt.signer, expected, tt.hops...)
			r.Chain.Policies = policies
			if tt.change != nil {
				tt.change(&r)
			}
			d, err := s.authorizer(t).AuthorizePresentation(t.Context(), r, presentation, tt.expected)
			require.NoError(t, err)
			require.Equal(t, tt.want, []string{string(d.Phase), string(d.Code)}, d.String())
			consistent(t, d)
		})
	}
	// The chain of the actor by another way.
	s := good(t)
	r := s.request
	r.Actor = ""
	actor := sign(t, chain(3, 2))
	presentation, policies := present(t, 5, 5, expected, chain(0, 3)...)
	r.Chain.Policies, r.ActorChain = policies, &actor
	r.Actor = party(5)
	d, err := s.authorizer(t).AuthorizePresentation(t.Context(), r, presentation, expected)
	require.NoError(t, err)
	require.True(t, d.Authorized(), d.String())

	// Two of them.
	presentation, policies = present(t, 5, 5, expected, append(chain(0, 3), chain(3, 2)...)...)
	r.Chain.Policies = policies
	d, err = s.authorizer(t).AuthorizePresentation(t.Context(), r, presentation, expected)
	require.NoError(t, err)
	require.Equal(t, authz.CodeChainMalformed, d.Code)
	r.Chain.Credentials = actor.Credentials
	_, err = s.authorizer(t).AuthorizePresentation(t.Context(), r, presentation, expected)
	require.Error(t, err, "credentials beside the presentation")
}

// TestIntent: what an intent asks for (section 8).
func TestIntent(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in   protocol.Intent
		want string
	}{
		{protocol.Intent{Verb: protocol.VerbRead}, "read"},
		{protocol.Intent{Verb: protocol.VerbCreate}, "write"},
		{protocol.Intent{Verb: protocol.VerbUpdate}, "modify"},
		{protocol.Intent{Verb: protocol.VerbDelete}, "delete"},
		{protocol.Intent{Verb: protocol.VerbAppend}, "append"},
		{protocol.Intent{Verb: protocol.VerbList}, "read"},
		{protocol.Intent{Verb: protocol.VerbQuery}, "read"},
		{protocol.Intent{Verb: protocol.VerbSubscribe}, "use"},
		{protocol.Intent{Verb: protocol.VerbGrant}, "control"},
		{protocol.Intent{Verb: protocol.VerbGrant, Recipient: party(5), Modes: protocol.ModeRead | protocol.ModeWrite | protocol.ModeControl}, "control read write"},
		{protocol.Intent{Verb: protocol.VerbGrant, Modes: protocol.ModeAppend}, "control append"},
	} {
		tt.in.ID, tt.in.Target = "urn:i", target
		own := map[string][]odrl.Value{"purpose": {odrl.Text("urn:why")}}
		asks, err := authz.Asks(tt.in, own)
		require.NoError(t, err)
		var got []string
		for _, ask := range asks {
			got = append(got, ask.Action)
			require.Equal(t, target, ask.Target)
			require.Empty(t, ask.Agent)
			require.Equal(t, own["purpose"], ask.Attributes["purpose"])
			require.Equal(t, tt.in.Recipient != "", len(ask.Attributes["recipient"]) == 1)
		}
		require.Equal(t, tt.want, strings.Join(got, " "))
		require.Len(t, own, 1)

		graph, err := tt.in.Graph()
		require.NoError(t, err)
		read, err := authz.ReadIntent(graph, intentOf(t, graph), own)
		require.NoError(t, err)
		require.Equal(t, asks, read.Asks)
		require.Empty(t, read.Policies)
	}
	_, err := authz.Asks(protocol.Intent{Verb: protocol.VerbRead}, nil)
	require.Error(t, err)
	_, err = authz.Asks(protocol.Intent{Target: target}, nil)
	require.Error(t, err)

	const text = `@prefix a2a: <https://w3id.org/jeswr/a2a#> . @prefix schema: <https://schema.org/> . @prefix odrl: <http://www.w3.org/ns/odrl/2/> .
<urn:i> a a2a:Intent ; a2a:action <urn:a> . <urn:a> a schema:ReadAction ; schema:object <` + target + `> ; schema:agent <urn:me> . `
	for more, want := range map[string]string{
		"<urn:i> odrl:hasPolicy <urn:p>, <urn:q> .": "",
		"<urn:a> odrl:hasPolicy <urn:p> .":          "on the intent alone",
		"<" + target + "> odrl:hasPolicy <urn:p> .": "on the intent alone",
		`<urn:i> odrl:hasPolicy "p" .`:              "expected an IRI",
		"<urn:i> odrl:hasPolicy [] .":               "expected an IRI",
		"<urn:a> a schema:DeleteAction .":           "one of the nine classes",
		"<urn:a> schema:object <urn:o> .":           "at most one target",
	} {
		d, err := turtle.Parse([]byte(text+more), turtle.Options{})
		require.NoError(t, err)
		in, err := authz.ReadIntent(d, intentOf(t, d), nil)
		if want != "" {
			require.ErrorContains(t, err, want)
			require.Empty(t, in.Asks)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, []string{"urn:p", "urn:q"}, in.Policies)
		require.Equal(t, "urn:me", in.Agent)
	}
}

// intentOf returns the one intent of a graph.
func intentOf(t testing.TB, d *rdf.Dataset) rdf.Term {
	t.Helper()
	for q := range d.Default().Subjects(d.LookupIRI(rdfNS+"type"), d.LookupIRI("https://w3id.org/jeswr/a2a#Intent")).Quads() {
		return d.Term(q.S)
	}
	t.Fatal("no intent")
	return rdf.Term{}
}

// TestGrant: nobody passes on more than it holds (AZ-8.2).
func TestGrant(t *testing.T) {
	t.Parallel()
	for mode, want := range map[protocol.Modes]bool{
		protocol.ModeRead: true, protocol.ModeWrite: false, protocol.ModeRead | protocol.ModeWrite: false, protocol.ModeControl: true, 0: true,
	} {
		s := good(t)
		for _, h := range s.hops {
			h.insert("odrl:permission [ odrl:action <http://www.w3.org/ns/auth/acl#Control> ; odrl:target <" + target + "> ]")
		}
		var err error
		s.request.Asks, err = authz.Asks(protocol.Intent{Verb: protocol.VerbGrant, Target: target, Recipient: party(5), Modes: mode}, nil)
		require.NoError(t, err)
		d := s.decide(t)
		require.Equal(t, want, d.Authorized(), "%s: %s", mode, d)
	}
}

// failing is a memory that cannot be read or written.
type failing struct{ read, write bool }

func (f failing) RevokedPolicy(_, _ string) (bool, error) {
	if f.read {
		return false, errors.New("the store is not there")
	}
	return false, nil
}

func (f failing) RememberPolicy(_, _ string) error {
	if f.write {
		return errors.New("the store is full")
	}
	return nil
}

// TestMemory: what was revoked once stays so.
func TestMemory(t *testing.T) {
	t.Parallel()
	s := good(t)
	s.config.Revoked = &authz.Memory{}
	credentials := &vc.Memory{}
	s.verifier.Revoked = credentials
	a := s.authorizer(t)
	r := s.prepare(t)
	require.True(t, authorize(t, a, r).Authorized())
	r.Revoked = []string{policy(1)}
	require.Equal(t, authz.CodeRevoked, authorize(t, a, r).Code)
	r.Revoked = nil
	require.Equal(t, authz.CodeRevoked, authorize(t, a, r).Code, "it was revoked before")

	// All that are seen revoked are remembered, also behind the first.
	second := good(t)
	memory := &authz.Memory{}
	second.config.Revoked = memory
	second.request.Revoked = []string{policy(0), policy(2)}
	require.Equal(t, 0, second.decide(t).Hop)
	for i := range 3 {
		revoked, err := memory.RevokedPolicy(party(i), policy(i))
		require.NoError(t, err)
		require.Equal(t, i != 1, revoked, i)
	}

	// A party whose policy is revoked has given it the IRI of another's.
	namesake := chain(7, 1)
	namesake[0].policy = strings.ReplaceAll(namesake[0].policy, policy(7), policy(1))
	namesake[0].subject()[svc+"policy"] = policy(1)
	other := authz.Request{
		RootPrincipal: party(7), Actor: party(8), Now: noon, Asks: r.Asks, Chain: sign(t, namesake),
	}
	require.True(t, authorize(t, a, other).Authorized(), "a revocation counts for the policy of its assigner alone")
	other.Revoked = []string{policy(1)}
	require.Equal(t, authz.CodeRevoked, authorize(t, a, other).Code)

	for name, f := range map[string]failing{"reading": {read: true}, "writing": {write: true}} {
		s := good(t)
		s.config.Revoked = f
		if f.write {
			s.request.Revoked = []string{policy(1)}
		}
		require.Equal(t, authz.CodeStatusRetrievalError, s.decide(t).Code, name)
	}

	full := authz.Memory{Max: 1}
	require.NoError(t, full.RememberPolicy("urn:by", "urn:a"))
	require.NoError(t, full.RememberPolicy("urn:by", "urn:a"))
	require.Error(t, full.RememberPolicy("urn:by", "urn:b"))
	require.Error(t, full.RememberPolicy("urn:of", "urn:a"), "another policy")

	several := vc.Memory{Max: 1}
	require.NoError(t, several.Remember(t.Context(), "urn:a", "urn:b"))
	require.NoError(t, several.Remember(t.Context(), "urn:a", "urn:b"))
	require.Error(t, several.Remember(t.Context(), "urn:a", "urn:c"))
	revoked, err := several.Revoked(t.Context(), "urn:a", "urn:b")
	require.NoError(t, err)
	require.True(t, revoked, "it forgets nothing")
}

// TestRecord: the record of a decision.
func TestRecord(t *testing.T) {
	t.Parallel()
	s := good(t)
	s.acts(5, chain(3, 2))
	s.hops[2].insert(duty("inform"))
	s.request.Revoked = []string{"urn:other"}
	s.request.Protocol, s.request.Intent = canon.Sum([]byte("p")), canon.Sum([]byte("i"))
	s.request.Policies = []string{policy(1)}
	s.request.Asks[0].Attributes = map[string][]odrl.Value{"purpose": {odrl.Text("urn:why")}, "count": {odrl.Integer(1)}}
	s.hops[1].credential["credentialStatus"] = statusEntry(7, "revocation")
	s.verifier.Documents = statusList(t, 1, "revocation", 8)
	d := s.decide(t)
	require.True(t, d.Authorized(), d.String())
	text, err := d.Record().JSON()
	require.NoError(t, err)
	for _, want := range []string{
		`"version":1,"evaluatedAt":"2026-08-01T12:00:00Z","decision":"permit","phase":"complete","hop":-1,"rootPrincipal":"` + party(0) + `"`,
		`"actor":"` + party(5) + `"`, `"leafAssignee":"` + party(3) + `"`, `"action":"http://www.w3.org/ns/odrl/2/read"`,
		`"attributes":[{"name":"count","values":[{"value":"1","kind":"number"}]},{"name":"purpose","values":[{"value":"urn:why","kind":"text"}]}]`,
		`"settings":{"binding":"required","maxPolicies":8}`,
		`"protocol":"` + s.request.Protocol.String() + `"`, `"policyDigest":"` + canon.Sum([]byte(s.hops[0].policy)).String() + `"`,
		`"binding":"reference"`, `"list":"` + listURL + `"`, `"index":"7"`, `"revokedPolicyConsulted":["urn:other"]`, `"fulfilled":false`,
		`"actorPhase":"complete"`, `"policyIntegrityProvisional":false`,
	} {
		require.Contains(t, string(text), want)
	}
	iri, err := d.Record().IRI()
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(iri, "ni:///sha-256;"))
	graph, err := d.Record().Dataset()
	require.NoError(t, err)
	for _, want := range [][2]string{
		{odrld + "decision", "permit"}, {"http://www.w3.org/ns/prov#wasAttributedTo", party(0)}, {"http://www.w3.org/ns/prov#actedOnBehalfOf", party(1)},
		{"http://www.w3.org/ns/prov#hadPlan", policy(2)}, {odrld + "requestPurpose", "urn:why"}, {"https://w3id.org/jeswr/accountable-agent#actor", party(5)},
	} {
		found := false
		for q := range graph.Default().Predicate(graph.LookupIRI(want[0])).Quads() {
			found = found || graph.Value(q.O) == want[1]
		}
		require.True(t, found, want)
	}

	// Who presents the same gets the same record, and any other has another digest.
	again := s.decide(t)
	first, err := d.Record().Digest()
	require.NoError(t, err)
	second, err := again.Record().Digest()
	require.NoError(t, err)
	require.Equal(t, first, second)
	s.request.Asks[0].Action = "write"
	other, err := s.decide(t).Record().Digest()
	require.NoError(t, err)
	require.NotEqual(t, first, other)

	// Nothing is authorized when the record is not kept.
	s = good(t)
	kept := 0
	e, err := s.authorizer(t).AuthorizeRecorded(t.Context(), s.prepare(t), func(authz.Record) error { kept++; return nil })
	require.NoError(t, err)
	require.True(t, e.Authorized())
	require.Equal(t, 1, kept)
	e, err = s.authorizer(t).AuthorizeRecorded(t.Context(), s.prepare(t), func(authz.Record) error { return errors.New("the disk is full") })
	require.Error(t, err)
	require.False(t, e.Authorized())
}

// TestCancelled: a decision that could not be finished is none.
func TestCancelled(t *testing.T) {
	t.Parallel()
	s := good(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d, err := s.authorizer(t).Authorize(ctx, s.prepare(t))
	require.ErrorIs(t, err, context.Canceled)
	require.False(t, d.Authorized())
}

// TestCodes: every code has a text.
func TestCodes(t *testing.T) {
	t.Parallel()
	seen := map[authz.Code]bool{}
	for _, c := range authz.Codes() {
		require.NotEmpty(t, c.Text())
		require.False(t, seen[c])
		seen[c] = true
	}
	require.Empty(t, authz.Code("x").Text())
}
