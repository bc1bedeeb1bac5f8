package authz_test

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
)

const (
	odrlNS = "http://www.w3.org/ns/odrl/2/"
	odrld  = "https://w3id.org/jeswr/odrl-delegation#"
	rdfNS  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
)

// TestW3C: chains of credentials of the W3C profile are authorized, too.
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

	// A credential with an embedded policy, which has an IRI of its own.
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

// TestTermsOfSmallDocuments: policies and revocation documents, of which a request may have
// hundreds, have terms in proportion to their bytes.
func TestTermsOfSmallDocuments(t *testing.T) {
	t.Parallel()
	for names, want := range map[int]string{20: "authorized", 200: "term bytes limit"} {
		text := "\n@prefix l: <urn:" + strings.Repeat("x", 1_900) + "> . <urn:s> <urn:p> <urn:o>"
		for i := range names {
			text += fmt.Sprintf(", l:%d", i)
		}
		text += " .\n"
		s := good(t)
		s.hops[1].policy += text
		require.Contains(t, s.decide(t).String(), want, names)
		s = good(t)
		s.request.Revocations = []authz.RevocationDocument{{Content: []byte(text)}}
		require.Contains(t, s.decide(t).String(), want, names)
	}
}

// TestRevocationsAreReadOnce: a revocation document is read once for both chains, however
// often the request has it. Not parallel: it counts what is allocated.
func TestRevocationsAreReadOnce(t *testing.T) {
	text := "@prefix odrld: <" + odrld + "> . <urn:s> odrld:revokedPolicy <urn:r>"
	for i := range 5_000 {
		text += fmt.Sprintf(", <urn:r%d>", i)
	}
	content := []byte(text + " .")
	s := good(t)
	s.actorHops, s.request.Actor = chain(3, 2), party(5)
	for range authz.DefaultLimits().Documents {
		s.request.Revocations = append(s.request.Revocations, authz.RevocationDocument{Content: content})
	}
	a, r := s.authorizer(t), s.prepare(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d, err := a.Authorize(t.Context(), r)
	runtime.ReadMemStats(&after)
	require.NoError(t, err)
	require.True(t, d.Authorized(), d.String())
	require.Len(t, d.Record().Revoked, 5_001)
	require.Len(t, d.Record().Revocations, len(r.Revocations))
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(32<<20))
	// As another syntax it is another document.
	r.Revocations[1].Syntax = rdfio.JSONLD
	d, err = a.Authorize(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, authz.CodeStatusRetrievalError, d.Code)
	require.Contains(t, d.Reason, "revocation document 2")
}

// TestCancelled: there is no decision when ctx ends first.
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
