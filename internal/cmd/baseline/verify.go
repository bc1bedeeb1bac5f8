package main

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// credentialVerifier returns the verification of a credential of the W3C profile as one of
// authority, which is signed here with a key that is the same in each run.
func credentialVerifier(ctx context.Context) (func() error, error) {
	key, err := vc.GenerateKey(vc.Ed25519, bytes.NewReader(bytes.Repeat([]byte{7}, 64)))
	if err != nil {
		return nil, err
	}
	did := "did:key:" + key.Public().Multikey()
	now := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	text := fmt.Sprintf(`{"@context":[%q,%s],"id":"https://alice.example/mandates/1",
		"type":["VerifiableCredential","AgentAuthorizationCredential"],"issuer":%q,"validFrom":"2026-07-01T00:00:00Z",
		"credentialSubject":{"id":%q,"authorizes":"https://bob.example/agent","policy":{"id":"https://alice.example/policies/1",
		"type":"odrl:Agreement","odrl:permission":[{"odrl:action":{"id":"odrl:read"},"odrl:target":{"id":"https://alice.example/notes"}}]}}}`,
		jsonld.CredentialsV2, jsonld.AuthorizationContext.JSON(), did, did)
	signed, err := vc.Sign(ctx, []byte(text), key, vc.SignOptions{
		Method: did + "#" + key.Public().Multikey(), Created: now, Contexts: jsonld.Builtin(),
	})
	if err != nil {
		return nil, err
	}
	v, err := vc.New(vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Authority: true})
	if err != nil {
		return nil, err
	}
	return func() error {
		report, err := v.Verify(ctx, signed, now)
		if err == nil && !report.Verified() {
			err = fmt.Errorf("the credential is not verified: %v", report.Findings())
		}
		return err
	}, nil
}
