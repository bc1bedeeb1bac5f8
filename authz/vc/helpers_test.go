package vc_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// shelf is Documents by their URLs.
type shelf map[string]vc.Document

func (s shelf) Document(_ context.Context, url string) (vc.Document, error) {
	d, ok := s[url]
	if !ok {
		return d, errors.New("404")
	}
	return d, nil
}

// now is when everything is verified, unless a test says otherwise.
var now = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

func verifier(t testing.TB, c vc.Config) *vc.Verifier {
	t.Helper()
	v, err := vc.New(c)
	require.NoError(t, err)
	return v
}

// key is the key with a number, always the same.
func key(t testing.TB, typ vc.KeyType, n byte) *vc.PrivateKey {
	t.Helper()
	k, err := vc.GenerateKey(typ, bytes.NewReader(bytes.Repeat([]byte{n}, 64)))
	require.NoError(t, err)
	return k
}

func ed25519Key(t testing.TB, n byte) *vc.PrivateKey { return key(t, vc.Ed25519, n) }

// party is a party with a did:key.
type party struct {
	key        *vc.PrivateKey
	id, method string
}

func someone(t testing.TB, typ vc.KeyType, n byte) party {
	k := key(t, typ, n)
	id := "did:key:" + k.Public().Multikey()
	return party{k, id, id + "#" + k.Public().Multikey()}
}

// controller is a controller document; relationships are members of it, as JSON text.
func controller(t testing.TB, id, method string, k vc.PublicKey, relationships ...string) *vc.Controller {
	t.Helper()
	text := fmt.Sprintf(`{"id":%q,"verificationMethod":[{"id":%q,"type":"Multikey","controller":%q,"publicKeyMultibase":%q}]`, id, method, id, k.Multikey())
	for _, r := range relationships {
		text += fmt.Sprintf(`,%q:[%q]`, r, method)
	}
	c, err := vc.ParseController([]byte(text+"}"), vc.Limits{})
	require.NoError(t, err)
	return c
}

// The parties of the tests in the SVC profile.
const (
	issuerID     = "https://issuer.example/#id"
	issuerMethod = "https://issuer.example/keys#k1"
	holderID     = "https://agent.example/#it"
	holderMethod = "https://agent.example/keys#k1"
)

// parties is a keyring with the issuer and the holder, each for its own purpose only.
func parties(t testing.TB) *vc.Keyring {
	k, err := vc.NewKeyring(
		controller(t, issuerID, issuerMethod, ed25519Key(t, 1).Public(), "assertionMethod"),
		controller(t, holderID, holderMethod, ed25519Key(t, 2).Public(), "authentication"),
	)
	require.NoError(t, err)
	return k
}

// svcCredential is an authorization in the SVC profile, unsigned.
const svcCredential = `{
  "id": "urn:uuid:1",
  "type": ["AgentAuthorizationCredential"],
  "issuer": "https://issuer.example/#id",
  "validFrom": "2026-07-01T00:00:00Z",
  "validUntil": "2026-09-01T00:00:00Z",
  "credentialSubject": {
    "id": "https://issuer.example/#id",
    "https://w3id.org/jeswr/solid-vc#authorizes": "https://agent.example/#it",
    "action": ["read", "grantUse"],
    "target": "https://data.example/x",
    "https://w3id.org/jeswr/solid-vc#policy": "https://issuer.example/p.ttl#p",
    "count": 3,
    "exact": true,
    "detail": {"note": "plain"}
  },
  "credentialStatus": {"type": "BitstringStatusListEntry", "statusPurpose": "revocation", "statusListIndex": "42", "statusListCredential": "https://issuer.example/status/1"},
  "relatedResource": {"id": "https://issuer.example/p.ttl#p", "digestSRI": "sha256-HmntuZzxKfLRIdyW1slqMWVPduv9nx+IRfrI8x6L6vA=", "mediaType": "text/turtle"}
}`

// w3cCredential is one in the W3C profile, unsigned; %s is the issuer.
const w3cCredential = `{
  "@context": ["https://www.w3.org/ns/credentials/v2", %s],
  "id": "urn:uuid:1",
  "type": ["VerifiableCredential", "AgentAuthorizationCredential"],
  "issuer": %q,
  "validFrom": "2026-07-01T00:00:00Z",
  "validUntil": "2026-09-01T00:00:00Z",
  "credentialSubject": {
    "id": %q,
    "authorizes": "https://agent.example/#it",
    "action": ["http://www.w3.org/ns/odrl/2/read"],
    "target": "https://data.example/x",
    "policy": "https://issuer.example/p.ttl#p"
  },
  "credentialStatus": {"type": "BitstringStatusListEntry", "statusPurpose": "revocation", "statusListIndex": "42", "statusListCredential": "https://issuer.example/status/1"},
  "relatedResource": {"id": "https://issuer.example/p.ttl#p", "digestSRI": "sha256-HmntuZzxKfLRIdyW1slqMWVPduv9nx+IRfrI8x6L6vA="}
}`

func w3cText(issuer string) string {
	return fmt.Sprintf(w3cCredential, jsonld.AuthorizationContext.JSON(), issuer, issuer)
}

// sign signs a document; options that a test does not set are filled in.
func sign(t testing.TB, document string, k *vc.PrivateKey, o vc.SignOptions) string {
	t.Helper()
	if o.Created.IsZero() {
		o.Created = now.Add(-time.Hour)
	}
	o.Contexts = jsonld.Builtin()
	signed, err := vc.Sign(t.Context(), []byte(document), k, o)
	require.NoError(t, err)
	return string(signed)
}

func signSVC(t testing.TB, document string) string {
	return sign(t, document, ed25519Key(t, 1), vc.SignOptions{Profile: vc.ProfileSVC, Method: issuerMethod})
}

func signW3C(t testing.TB, document string, p party) string {
	return sign(t, document, p.key, vc.SignOptions{Method: p.method})
}

// replaced replaces a part of a text that must be there.
func replaced(t testing.TB, text, from, to string) string {
	t.Helper()
	require.Contains(t, text, from)
	return strings.Replace(text, from, to, 1)
}

// verify verifies a credential and returns its codes.
func verify(t testing.TB, v *vc.Verifier, document string, at time.Time) *vc.Report {
	t.Helper()
	r, err := v.Verify(t.Context(), []byte(document), at)
	require.NoError(t, err)
	require.Equal(t, r.Verified(), r.Credential() != nil)
	require.Equal(t, r.Verified(), r.Code() == "")
	require.Equal(t, r.Verified(), len(r.Codes()) == 0)
	for _, f := range r.Findings() {
		require.NotEmpty(t, f.Code.Text(), f.Code)
		require.NotEmpty(t, f.Text)
	}
	return r
}
