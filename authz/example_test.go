package authz_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"time"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// Alice lets Bob read her document. Bob presents that, and the receiver decides.
func Example() {
	ctx, now := context.Background(), time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC)
	aliceKey, alice := exampleKey(1)
	bobKey, bob := exampleKey(2)

	mandate := fmt.Appendf(nil, `{
		"@context": ["https://www.w3.org/ns/credentials/v2", %s],
		"id": "urn:example:mandate", "type": ["VerifiableCredential", "AgentAuthorizationCredential"],
		"issuer": %[2]q, "validUntil": "2027-01-01T00:00:00Z",
		"credentialSubject": {
			"id": %[2]q, "authorizes": %[3]q,
			"policy": {
				"id": "urn:example:mandate#policy", "type": "odrl:Agreement",
				"odrl:profile": {"id": "https://w3id.org/jeswr/odrl-delegation"},
				"odrl:assigner": {"id": %[2]q}, "odrl:assignee": {"id": %[3]q},
				"odrl:permission": {"odrl:action": {"id": "odrl:read"}, "odrl:target": {"id": "https://alice.example/doc"}}
			}
		}
	}`, jsonld.AuthorizationContext.JSON(), alice, bob)
	mandate, err := vc.Sign(ctx, mandate, aliceKey, vc.SignOptions{Created: now, Contexts: jsonld.Builtin()})
	if err != nil {
		log.Fatal(err)
	}
	// The receiver issued the challenge c-8f21 to Bob; see authz.Challenges.
	presentation := fmt.Appendf(nil, `{
		"@context": ["https://www.w3.org/ns/credentials/v2"], "type": ["VerifiablePresentation"],
		"holder": %q, "verifiableCredential": [%s]
	}`, bob, mandate)
	presentation, err = vc.Sign(ctx, presentation, bobKey, vc.SignOptions{
		Created: now, Challenge: "c-8f21", Domain: []string{"https://receiver.example/"}, Contexts: jsonld.Builtin(),
	})
	if err != nil {
		log.Fatal(err)
	}

	verifier, err := vc.New(vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Authority: true})
	if err != nil {
		log.Fatal(err)
	}
	authorizer, err := authz.New(authz.Config{Verifier: verifier})
	if err != nil {
		log.Fatal(err)
	}
	for _, action := range []string{"read", "write"} {
		decision, err := authorizer.AuthorizePresentation(ctx, authz.Request{
			RootPrincipal: alice, // who owns the document, by the receiver's own knowledge
			Asks:          []odrl.Request{{Action: action, Target: "https://alice.example/doc"}},
			Now:           now,
		}, presentation, vc.Expected{Challenge: "c-8f21", Domain: []string{"https://receiver.example/"}})
		if err != nil {
			log.Fatal(err)
		}
		if decision.Authorized() {
			fmt.Println("authorized to", action)
		} else {
			fmt.Printf("not authorized to %s: %s\n", action, decision.Code)
		}
	}
	// Output:
	// authorized to read
	// not authorized to write: POLICY_DENIED
}

// exampleKey makes a key and the identifier that it is. Make real keys with
// crypto/rand.Reader.
func exampleKey(seed byte) (*vc.PrivateKey, string) {
	key, err := vc.GenerateKey(vc.Ed25519, bytes.NewReader(bytes.Repeat([]byte{seed}, 32)))
	if err != nil {
		log.Fatal(err)
	}
	id := "did:key:" + key.Public().Multikey()
	return key.WithID(id + "#" + key.Public().Multikey()), id
}
