package authz_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
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
		"a prohibition without its namespace": {func(s *setting) {
			embed(s.hops[1], 1, 2)["prohibition"] = map[string]any{"action": odrlNS + "read", "target": target}
		}, []string{"assembly", "CHAIN_MALFORMED"}},
		"a constraint without its namespace": {func(s *setting) {
			permissions := embed(s.hops[1], 1, 2)[odrlNS+"permission"].([]any)
			permissions[0].(map[string]any)["constraint"] = map[string]any{odrlNS + "leftOperand": odrlNS + "purpose", odrlNS + "operator": odrlNS + "eq", odrlNS + "rightOperand": "x"}
		}, []string{"assembly", "CHAIN_MALFORMED"}},
		"a constraint by a prefix that nothing declares": {func(s *setting) {
			permissions := embed(s.hops[1], 1, 2)[odrlNS+"permission"].([]any)
			permissions[0].(map[string]any)["svc:constraint"] = map[string]any{odrlNS + "leftOperand": odrlNS + "purpose"}
		}, []string{"assembly", "CHAIN_MALFORMED"}},
		"a constraint of the subject without its namespace": {func(s *setting) {
			embed(s.hops[1], 1, 2)
			s.hops[1].subject()["constraint"] = "x"
		}, []string{"B", "POLICY_INTEGRITY"}},
		"a unit without its namespace": {func(s *setting) {
			permissions := embed(s.hops[1], 1, 2)[odrlNS+"permission"].([]any)
			permissions[1].(map[string]any)[odrlNS+"constraint"].(map[string]any)["unit"] = "urn:dozen"
		}, []string{"assembly", "CHAIN_MALFORMED"}},
		"a permission in two parts of one uid": {func(s *setting) {
			p := embed(s.hops[1], 1, 2)
			permissions := p[odrlNS+"permission"].([]any)
			permissions[0].(map[string]any)[odrlNS+"uid"] = "urn:r"
			p[odrlNS+"permission"] = append(permissions, map[string]any{odrlNS + "uid": "urn:r", odrlNS + "constraint": map[string]any{
				odrlNS + "leftOperand": odrlNS + "purpose", odrlNS + "operator": odrlNS + "eq", odrlNS + "rightOperand": "x",
			}})
		}, []string{"D", "POLICY_DENIED"}},
		"a name without a namespace": {func(s *setting) { embed(s.hops[1], 1, 2)["title"] = "x" }, []string{"complete", ""}},
		"for the issuer itself, whose claims have such names": {func(s *setting) {
			permissions := embed(s.hops[1], 1, 2)[odrlNS+"permission"].([]any)
			permissions[0].(map[string]any)[odrlNS+"assignee"] = []string{party(1), party(2)}
			s.hops[1].subject()[svc+"target"] = target
		}, []string{"complete", ""}},
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

// TestEmbeddedNodes: what a credential says about the nodes of its embedded policy counts
// as in a document, whether they are blank nodes or IRIs.
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
		"a prohibition in a named graph": {func(_, _, subject map[string]any) {
			subject["schema:about"] = map[string]any{"type": "VerifiablePresentation", "proof": map[string]any{
				"id": policy(0), "odrl:prohibition": map[string]any{"odrl:action": id("odrl:read"), "odrl:target": id(target)},
			}}
		}, false},
		"an action that is a blank node": {func(_, _, subject map[string]any) { subject["action"] = id("_:read") }, false},
		"an action by its IRI":           {func(_, _, subject map[string]any) { subject["action"] = id("odrl:read") }, true},
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
		"a constraint of the subject":               {func(_, _, subject map[string]any) { subject["odrl:constraint"] = refinement }, false},
		"a subject that is part of it":              {func(_, _, subject map[string]any) { subject["odrl:partOf"] = id("urn:all") }, true},
		"a target of the vocabulary of credentials": {func(_, p, _ map[string]any) { p["target"] = "urn:part" }, false},
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
