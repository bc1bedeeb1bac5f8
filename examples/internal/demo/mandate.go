package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// The policies of the demo.
const (
	policyOfAlice = "https://alice.pod.example/policies/bob#it"
	policyOfBob   = "https://bob.pod.example/policies/agent#it"
)

// life is how long a mandate is good.
const life = 365 * 24 * time.Hour

// mandate is one hop of a chain: a credential that gives a party authority, with the
// policy that says how much as a part of it.
type mandate struct {
	from          *vc.PrivateKey
	to            string
	policy, under string // under is the policy that this one passes on, "" for the root
	more          int    // how many hops may follow
}

// sign makes the credential: a Verifiable Credential 2.0 with a Data Integrity proof.
func (m mandate) sign(ctx context.Context, now time.Time) (json.RawMessage, error) {
	type object = map[string]any
	id := func(iri string) object { return object{"id": iri} }
	// To let others read, one needs control over the access, and to be able to read.
	permissions := []any{
		object{"odrl:action": id("acl:Control"), "odrl:target": id(Meeting)},
		object{"odrl:action": id("odrl:read"), "odrl:target": id(Meeting)},
	}
	if m.more > 0 {
		permissions = append(permissions, object{"odrl:action": id("odrl:grantUse"), "odrl:target": id(Meeting), "odrl:constraint": object{
			"odrl:leftOperand": id(vocab.ODRLD + "delegationDepth"), "odrl:operator": id("odrl:lteq"), "odrl:rightOperand": m.more,
		}})
	}
	policy := object{
		"id": m.policy, "type": "odrl:Agreement", "odrl:profile": id(vocab.ODRLDProfile),
		"odrl:assigner": id(did(m.from)), "odrl:assignee": id(m.to), "odrl:permission": permissions,
	}
	if m.under != "" {
		policy[vocab.ODRLD+"delegatedUnder"] = id(m.under)
	}
	text, err := json.Marshal(object{
		"@context": []any{jsonld.CredentialsV2, json.RawMessage(jsonld.AuthorizationContext.JSON())},
		"id":       m.policy + "-for-" + m.to, "type": []string{"VerifiableCredential", "AgentAuthorizationCredential"},
		"issuer": did(m.from), "validFrom": now.UTC().Format(time.RFC3339), "validUntil": now.Add(life).UTC().Format(time.RFC3339),
		"credentialSubject": object{"id": did(m.from), "authorizes": m.to, "policy": policy},
	})
	if err != nil {
		return nil, err
	}
	return vc.Sign(ctx, text, m.from, vc.SignOptions{Method: method(m.from), Created: now, Contexts: jsonld.Builtin()})
}

// Present makes the presentation that goes with an intent: the client's chain, signed
// by the client for the challenge that the agent issued. It can be used for one
// message.
//
// It is made for the agent that the client means to speak to, whatever domain the challenge
// names: whoever answers could pass on a challenge of another agent, and then, in the
// client's name, the presentation to that.
func (c *Client) Present(ctx context.Context, challenge *engine.Challenge) ([]byte, error) {
	if challenge == nil {
		return nil, fmt.Errorf("expected a challenge of the agent, found none")
	}
	if challenge.Domain != AgentName {
		return nil, fmt.Errorf("expected a challenge for %s, found one for %q", AgentName, challenge.Domain)
	}
	key, err := vc.ParsePrivateKey(c.Key)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(map[string]any{
		"@context": []string{jsonld.CredentialsV2}, "type": []string{"VerifiablePresentation"},
		"holder": did(key), "verifiableCredential": c.Chain,
	})
	if err != nil {
		return nil, err
	}
	return vc.Sign(ctx, text, key, vc.SignOptions{
		Method: method(key), Purpose: vc.Authentication, Contexts: jsonld.Builtin(),
		Challenge: challenge.Challenge, Domain: []string{AgentName},
	})
}
