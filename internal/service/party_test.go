package service_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
)

// partyKey is the key of a party of the tests, always the same.
func partyKey(t testing.TB, who string) *vc.PrivateKey {
	t.Helper()
	k, err := vc.GenerateKey(vc.Ed25519, bytes.NewReader(bytes.Repeat([]byte(who), 64)))
	require.NoError(t, err)
	return k.WithID(who + "-key")
}

// controllerOf is the controller document of a party.
func controllerOf(t testing.TB, who string) string {
	t.Helper()
	return fmt.Sprintf(`{"id":%[1]q,"assertionMethod":[%[2]q],"authentication":[%[2]q],
		"verificationMethod":[{"id":%[2]q,"type":"Multikey","controller":%[1]q,"publicKeyMultibase":%[3]q}]}`,
		who, who+"-key", partyKey(t, who).Public().Multikey())
}

// mandate is a credential by which a party lets another act by a policy, good for some
// months around an instant.
func mandate(t testing.TB, from, to, policy, policyText string, at time.Time) []byte {
	t.Helper()
	sum := sha256.Sum256([]byte(policyText))
	month := func(n int) string { return at.UTC().AddDate(0, n, 0).Format(time.RFC3339) }
	unsigned := fmt.Appendf(nil, `{"id":"urn:uuid:1","type":["AgentAuthorizationCredential"],"issuer":%q,"validFrom":%q,"validUntil":%q,
		"credentialSubject":{"id":%q,"https://w3id.org/jeswr/solid-vc#authorizes":%q,"https://w3id.org/jeswr/solid-vc#policy":%q},
		"relatedResource":{"id":%q,"digestSRI":"sha256-%s"}}`, from, month(-2), month(9), from, to, policy, policy, base64.StdEncoding.EncodeToString(sum[:]))
	signed, err := vc.Sign(t.Context(), unsigned, partyKey(t, from), vc.SignOptions{Profile: vc.ProfileSVC, Created: at.Add(-time.Hour)})
	require.NoError(t, err)
	return signed
}
