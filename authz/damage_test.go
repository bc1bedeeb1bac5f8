package authz_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/internal/damage"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

const (
	vpChallenge = "c-1"
	vpDomain    = "https://receiver.example/"
)

// presentW3C signs the hops of one chain or of two and their presentation by holder in the
// W3C profile, and returns the policies that are not embedded. That of the last hop is.
func presentW3C(t testing.TB, holder int, hops ...*hop) ([]byte, []authz.PolicyDocument) {
	t.Helper()
	context := json.RawMessage(`["https://www.w3.org/ns/credentials/v2",` + authorityContext + `]`)
	id := func(iri string) map[string]any { return map[string]any{"id": iri} }
	var credentials []json.RawMessage
	var policies []authz.PolicyDocument
	for i, h := range hops {
		credential := map[string]any{
			"@context": context, "type": []string{"VerifiableCredential", "AgentAuthorizationCredential"},
			"id": h.credential["id"], "issuer": h.credential["issuer"], "validFrom": h.credential["validFrom"], "validUntil": h.credential["validUntil"],
		}
		subject := map[string]any{"id": party(h.signer), "authorizes": party(h.signer + 1), "action": odrlNS + "read", "target": target}
		if last := i == len(hops)-1; last {
			subject["policy"] = map[string]any{
				"id": policy(h.signer), "type": "odrl:Agreement", "odrl:profile": id(strings.TrimSuffix(odrld, "#")),
				"odrl:assigner": id(party(h.signer)), "odrl:assignee": id(party(h.signer + 1)),
				"https://w3id.org/jeswr/odrl-delegation#delegatedUnder": id(policy(h.signer - 1)),
				"odrl:permission": map[string]any{"odrl:action": id("odrl:read"), "odrl:target": id(target)},
			}
		} else {
			subject["policy"] = policy(h.signer)
			credential["relatedResource"] = map[string]any{"id": policy(h.signer), "digestSRI": sri(h.policy)}
			policies = append(policies, authz.PolicyDocument{Content: []byte(h.policy)})
		}
		credential["credentialSubject"] = subject
		text, err := json.Marshal(credential)
		require.NoError(t, err)
		signed, err := vc.Sign(t.Context(), text, privateKey(t, h.signer), vc.SignOptions{Method: h.method, Created: noon, Contexts: jsonld.Builtin()})
		require.NoError(t, err)
		credentials = append(credentials, signed)
	}
	text, err := json.Marshal(map[string]any{
		"@context": []string{jsonld.CredentialsV2}, "id": "urn:uuid:1", "type": []string{"VerifiablePresentation"}, "holder": party(holder), "verifiableCredential": credentials,
	})
	require.NoError(t, err)
	signed, err := vc.Sign(t.Context(), text, privateKey(t, holder), vc.SignOptions{
		Method: method(holder), Created: noon, Challenge: vpChallenge, Domain: []string{vpDomain}, Contexts: jsonld.Builtin(),
	})
	require.NoError(t, err)
	return signed, policies
}

// TestDamagedPresentation: a presentation of the W3C profile with two chains that is
// damaged in any small way is refused with a known code, or authorizes exactly the same.
func TestDamagedPresentation(t *testing.T) {
	t.Parallel()
	s := good(t)
	a := s.authorizer(t)
	whole, policies := presentW3C(t, 4, append(chain(0, 2), chain(2, 2)...)...)
	decide := func(presentation []byte) authz.Decision {
		r := s.request
		r.Actor, r.Chain.Policies = "", slices.Clone(policies)
		d, err := a.AuthorizePresentation(t.Context(), r, presentation, vc.Expected{Challenge: vpChallenge, Domain: []string{vpDomain}})
		require.NoError(t, err)
		return d
	}
	d := decide(whole)
	require.True(t, d.Authorized(), d.String())
	require.NotNil(t, d.Actor)
	require.Len(t, d.Hops, 2)
	require.Len(t, d.Actor.Hops, 2)
	require.Equal(t, "embedded", d.Actor.Hops[1].Binding)
	bytes, values := 21, 7
	if testing.Short() {
		bytes, values = 291, 97
	}
	tried, same := 0, 0
	for change, damaged := range damage.Concat(damage.Every(bytes, damage.Bytes(whole)), damage.Every(values, damage.Values(whole))) {
		tried++
		got := decide(damaged)
		if !got.Authorized() {
			require.Contains(t, authz.Codes(), got.Code, change)
			require.NotEmpty(t, got.Phase, change)
			continue
		}
		same++
		require.NotNil(t, got.Actor, change)
		require.Equal(t, d.Hops, got.Hops, change)
		require.Equal(t, d.Actor.Hops, got.Actor.Hops, change)
	}
	require.Greater(t, tried, 200)
	require.Less(t, same, tried/10)

	// With two credentials swapped it is refused.
	var root map[string]any
	require.NoError(t, json.Unmarshal(whole, &root))
	all := root["verifiableCredential"].([]any)
	for i := range all {
		for j := range i {
			moved := slices.Clone(all)
			moved[i], moved[j] = moved[j], moved[i]
			root["verifiableCredential"] = moved
			text, err := json.Marshal(root)
			require.NoError(t, err)
			require.False(t, decide(text).Authorized(), "%d and %d swapped", i, j)
		}
	}
}

// TestReorderedPresentation: the credentials of a presentation are signed as a set, so
// that anyone can reorder them; only the order with the root first is accepted.
func TestReorderedPresentation(t *testing.T) {
	t.Parallel()
	s := good(t)
	a := s.authorizer(t)
	hops := append(chain(0, 2), chain(2, 2)...)
	_, policies := presentW3C(t, 4, hops...)
	taken := 0
	for _, order := range [][]int{{0, 1, 2, 3}, {1, 0, 2, 3}, {0, 1, 3, 2}, {2, 3, 0, 1}, {0, 2, 1, 3}, {3, 2, 1, 0}, {0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {0, 2, 3}} {
		whole, _ := presentW3C(t, 4, hops...)
		var doc struct {
			Context    json.RawMessage   `json:"@context"`
			ID         string            `json:"id"`
			Type       []string          `json:"type"`
			Holder     string            `json:"holder"`
			Credential []json.RawMessage `json:"verifiableCredential"`
		}
		require.NoError(t, json.Unmarshal(whole, &doc))
		moved := make([]json.RawMessage, 0, len(order))
		for _, i := range order {
			moved = append(moved, doc.Credential[i])
		}
		doc.Credential = moved
		text, err := json.Marshal(doc)
		require.NoError(t, err)
		signed, err := vc.Sign(t.Context(), text, privateKey(t, 4), vc.SignOptions{
			Method: method(4), Created: noon, Challenge: vpChallenge, Domain: []string{vpDomain}, Contexts: jsonld.Builtin(),
		})
		require.NoError(t, err)
		r := s.request
		r.Actor, r.Chain.Policies = "", slices.Clone(policies)
		d, err := a.AuthorizePresentation(t.Context(), r, signed, vc.Expected{Challenge: vpChallenge, Domain: []string{vpDomain}})
		require.NoError(t, err)
		if d.Authorized() {
			taken++
			require.Equal(t, []int{0, 1, 2, 3}, order)
		}
	}
	require.Equal(t, 1, taken)
}
