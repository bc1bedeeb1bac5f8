package vc_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"time"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

func Example() {
	ctx := context.Background()
	// The issuer has a key, which is also its identifier here. Make real keys with
	// crypto/rand.Reader.
	key, err := vc.GenerateKey(vc.Ed25519, bytes.NewReader(bytes.Repeat([]byte{1}, 32)))
	if err != nil {
		log.Fatal(err)
	}
	issuer := "did:key:" + key.Public().Multikey()
	document := fmt.Appendf(nil, `{
		"@context": ["https://www.w3.org/ns/credentials/v2", %s],
		"id": "urn:uuid:0e5d9c1c-1f0a-4a7e-9a57-3d2f5b8f2c11",
		"type": ["VerifiableCredential", "AgentAuthorizationCredential"],
		"issuer": %q,
		"credentialSubject": {"id": %q, "authorizes": "https://agent.example/#it"}
	}`, jsonld.AuthorizationContext.JSON(), issuer, issuer)
	now := time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC)
	signed, err := vc.Sign(ctx, document, key, vc.SignOptions{
		Method: issuer + "#" + key.Public().Multikey(), Created: now, Contexts: jsonld.Builtin(),
	})
	if err != nil {
		log.Fatal(err)
	}

	verifier, err := vc.New(vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Authority: true})
	if err != nil {
		log.Fatal(err)
	}
	report, err := verifier.Verify(ctx, signed, now)
	if err != nil {
		log.Fatal(err)
	}
	if c := report.Credential(); c != nil {
		fmt.Println("authorized:", c.Claims(vocab.SVCAuthorizes))
	}
	forged := bytes.Replace(signed, []byte("agent.example"), []byte("mallory.example"), 1)
	if report, err = verifier.Verify(ctx, forged, now); err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Verified(), report.Codes())
	// Output:
	// authorized: [<https://agent.example/#it>]
	// false [INVALID_SIGNATURE]
}
