package authz_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
)

// TestEmbeddedNodes: what a credential says of the terms of its own policy counts
// as it does in a document, whether they are blank nodes or IRIs.
func TestEmbeddedNodes(t *testing.T) {
	t.Parallel()
	id := func(iri string) map[string]any { return map[string]any{"id": iri} }
	refinement := map[string]any{"odrl:leftOperand": id("odrl:purpose"), "odrl:operator": id("odrl:eq"), "odrl:rightOperand": "x"}
	for name, tt := range map[string]struct {
		change func(policy, permission, subject map[string]any)
		ok     bool
	}{
		"plain": {func(_, _, _ map[string]any) {}, true},
		"a refined target": {func(_, p, _ map[string]any) {
			p["odrl:target"] = map[string]any{"id": target, "odrl:refinement": refinement}
		}, false},
		"a refined action": {func(_, p, _ map[string]any) {
			p["odrl:action"] = map[string]any{"id": "odrl:read", "odrl:refinement": refinement}
		}, false},
		"a refined assignee": {func(_, p, _ map[string]any) {
			p["odrl:assignee"] = map[string]any{"id": party(1), "odrl:refinement": refinement}
		}, false},
		"a constraint with an IRI": {func(_, p, _ map[string]any) {
			p["odrl:constraint"] = map[string]any{"id": "urn:c", "odrl:leftOperand": id("odrl:dateTime"), "odrl:operator": id("odrl:gt"), "odrl:rightOperand": "2020-01-01T00:00:00Z"}
		}, true},
		"a prohibition with an IRI": {func(policy, _, _ map[string]any) {
			policy["odrl:prohibition"] = map[string]any{"id": "urn:n", "odrl:action": id("odrl:read"), "odrl:target": id(target)}
		}, false},
		"a prohibition of another target": {func(policy, _, _ map[string]any) {
			policy["odrl:prohibition"] = map[string]any{"id": "urn:n", "odrl:action": id("odrl:read"), "odrl:target": id("urn:other")}
		}, true},
		"a prohibited collection": {func(policy, p, _ map[string]any) {
			p["odrl:target"] = map[string]any{"id": target, "odrl:partOf": id("urn:all")}
			policy["odrl:prohibition"] = map[string]any{"odrl:action": id("odrl:read"), "odrl:target": id("urn:all")}
		}, false},
		"said beside the policy": {func(_, _, subject map[string]any) {
			subject["schema:about"] = map[string]any{"id": target, "odrl:refinement": refinement}
		}, false},
		"beside another policy": {func(policy, _, subject map[string]any) {
			other := map[string]any{}
			for _, name := range []string{"type", "odrl:assigner", "odrl:assignee", "odrl:permission"} {
				other[name] = policy[name]
				delete(policy, name)
			}
			other["id"], policy["odrl:uid"] = "urn:wide", id(policy["id"].(string))
			subject["schema:about"] = other
		}, false},
		"assigned from outside": {func(_, _, subject map[string]any) {
			subject["schema:about"] = map[string]any{"id": "urn:x", "odrl:hasPolicy": id(policy(0))}
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			permission := map[string]any{"odrl:action": id("odrl:read"), "odrl:target": id(target)}
			embedded := map[string]any{
				"id": policy(0), "type": "odrl:Agreement", "odrl:assigner": id(party(0)), "odrl:assignee": id(party(1)), "odrl:permission": permission,
			}
			subject := map[string]any{"id": party(0), "authorizes": party(1), "policy": embedded}
			tt.change(embedded, permission, subject)
			text, err := json.Marshal(map[string]any{
				"@context": json.RawMessage(`["https://www.w3.org/ns/credentials/v2",` + authorityContext + `]`), "id": "urn:uuid:2",
				"type": []string{"VerifiableCredential", "AgentAuthorizationCredential"}, "issuer": party(0), "credentialSubject": subject,
			})
			require.NoError(t, err)
			signed, err := vc.Sign(t.Context(), text, privateKey(t, 0), vc.SignOptions{Method: method(0), Contexts: jsonld.Builtin()})
			require.NoError(t, err)
			s := good(t)
			r := s.request
			r.Actor, r.Chain = party(1), authz.Chain{Credentials: [][]byte{signed}}
			d := authorize(t, s.authorizer(t), r)
			require.Equal(t, tt.ok, d.Authorized(), d.String())
		})
	}
}

// TestNamedGraphs: what a document says in a named graph is not passed over.
func TestNamedGraphs(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(s *setting)
		want   []string
	}{
		"a revocation": {func(s *setting) {
			s.request.Revocations = []authz.RevocationDocument{{Syntax: rdfio.TriG, Content: []byte(prefixes + `<urn:g> { <urn:r> odrld:revokedPolicy <` + policy(1) + `> . }`)}}
		}, []string{"C", "REVOKED"}},
		"a revocation of nothing": {func(s *setting) {
			s.request.Revocations = []authz.RevocationDocument{{Syntax: rdfio.TriG, Content: []byte(prefixes + `<urn:g> { <urn:r> odrld:revokedPolicy "x" . }`)}}
		}, []string{"C", "STATUS_RETRIEVAL_ERROR"}},
		"a prohibition": {func(s *setting) {
			s.hops[0].policy += "<urn:g> { <" + policy(0) + "> odrl:prohibition [ odrl:action odrl:read ; odrl:target <" + target + "> ] . }\n"
			s.after = func(c *authz.Chain) { c.Policies[0].Syntax = rdfio.TriG }
		}, []string{"assembly", "CHAIN_MALFORMED"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := good(t)
			tt.change(s)
			d := s.decide(t)
			require.Equal(t, tt.want, []string{string(d.Phase), string(d.Code)}, d.String())
		})
	}
}

// TestPresentedDigest: a digest that the verified graph has is compared, however
// the document writes it.
func TestPresentedDigest(t *testing.T) {
	t.Parallel()
	s := good(t)
	s.config.Binding = authz.InsecureBindingPresented
	h := chain(0, 1)[0]
	const cred = "https://www.w3.org/2018/credentials#"
	text, err := json.Marshal(map[string]any{
		"@context": json.RawMessage(`["https://www.w3.org/ns/credentials/v2",` + authorityContext + `]`), "id": "urn:uuid:2",
		"type": []string{"VerifiableCredential", "AgentAuthorizationCredential"}, "issuer": party(0),
		"credentialSubject":      map[string]any{"id": party(0), "authorizes": party(1), "policy": policy(0)},
		cred + "relatedResource": map[string]any{"id": policy(0), "digestSRI": sri(h.policy)},
	})
	require.NoError(t, err)
	signed, err := vc.Sign(t.Context(), text, privateKey(t, 0), vc.SignOptions{Method: method(0), Contexts: jsonld.Builtin()})
	require.NoError(t, err)
	r := s.request
	r.Actor = party(1)
	for content, want := range map[string]authz.Code{h.policy: "", h.policy + "# x\n": authz.CodePolicyIntegrity} {
		r.Chain = authz.Chain{Credentials: [][]byte{signed}, Policies: []authz.PolicyDocument{{Content: []byte(content)}}}
		d := authorize(t, s.authorizer(t), r)
		require.Equal(t, want, d.Code, d.String())
		require.False(t, d.PolicyIntegrityProvisional)
	}
}
