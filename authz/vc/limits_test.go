package vc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// For every limit: a credential that reaches it exactly is verified; with a limit that is
// one lower, it is refused.
func TestLimits(t *testing.T) {
	t.Parallel()
	signed := signSVC(t, replaced(t, svcCredential, `"detail": {"note": "plain"}`, `"detail": [{"a": {"b": 1}}, {"a": {"b": 2}}]`))
	alice := someone(t, vc.Ed25519, 7)
	for _, tt := range []struct {
		name  string
		limit func(n int) vc.Limits
		least int
	}{
		{"bytes", func(n int) vc.Limits { return vc.Limits{CredentialBytes: int64(n)} }, len(signed)},
		{"depth", func(n int) vc.Limits { return vc.Limits{Depth: n} }, 5},
		{"quads", func(n int) vc.Limits { return vc.Limits{Quads: n} }, 27},
		{"blank nodes", func(n int) vc.Limits { return vc.Limits{BlankNodes: n} }, 5},
	} {
		for n, want := range map[int]bool{tt.least: true, tt.least - 1: false} {
			v := verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC, Limits: tt.limit(n)})
			r := verify(t, v, signed, now)
			assert.Equal(t, want, r.Verified(), "%s %d: %v", tt.name, n, r.Findings())
			if !want {
				assert.Equal(t, []vc.Code{vc.CodeMalformed}, r.Codes(), tt.name)
			}
		}
	}
	two := sign(t, signSVC(t, svcCredential), ed25519Key(t, 2), vc.SignOptions{Profile: vc.ProfileSVC, Method: issuerMethod})
	assert.Equal(t, []vc.Code{vc.CodeMalformed}, verify(t, verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC, Limits: vc.Limits{Proofs: 1}}), two, now).Codes())

	credential := signSVC(t, svcCredential)
	presentation := presentSVC(t, credential, signSVC(t, replaced(t, svcCredential, "urn:uuid:1", "urn:uuid:2")))
	for _, tt := range []struct {
		limits vc.Limits
		want   bool
	}{
		{vc.Limits{PresentationBytes: int64(len(presentation))}, true}, {vc.Limits{PresentationBytes: int64(len(presentation) - 1)}, false},
		{vc.Limits{Credentials: 2}, true}, {vc.Limits{Credentials: 1}, false},
	} {
		r := present(t, verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC, Limits: tt.limits}), presentation, expected)
		assert.Equal(t, tt.want, r.Verified(), "%+v: %v", tt.limits, r.Findings())
	}

	c := signW3C(t, w3cText(alice.id), alice)
	text := list(t, alice, "revocation")
	for _, tt := range []struct {
		limits vc.Limits
		want   bool
	}{
		{vc.Limits{StatusListBytes: int64(len(text))}, true}, {vc.Limits{StatusListBytes: int64(len(text) - 1)}, false},
		{vc.Limits{StatusListEntries: 131_072}, true}, {vc.Limits{StatusListEntries: 131_064}, false}, {vc.Limits{EncodedList: 20}, false},
		{vc.Limits{StatusEntries: 1}, true},
	} {
		v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Limits: tt.limits, Documents: shelf{listURL: {Content: []byte(text), MediaType: "application/vc"}}})
		r, err := v.CheckStatus(t.Context(), verify(t, v, c, now).Credential(), now)
		require.NoError(t, err)
		assert.Equal(t, tt.want, r.Clear(), "%+v: %v", tt.limits, r.Findings())
	}
	assert.Equal(t, vc.DefaultLimits(), vc.Limits{Depth: -1, CredentialBytes: -1}.OrDefault())
}

// All documents of a presentation share the limits of canonicalization, and the
// credentials of a chain can.
func TestJointWork(t *testing.T) {
	t.Parallel()
	// Three objects that look alike cost some calls. The signed form of a credential, whose
	// digest is part of a presentation in the SVC profile, costs the same once more.
	alike := `"detail":[` + strings.Repeat(`{"a":{"b":1}},`, 2) + `{"a":{"b":1}}]`
	credential := func(n int) string {
		return signSVC(t, replaced(t, replaced(t, svcCredential, `"detail": {"note": "plain"}`, alike), "urn:uuid:1", fmt.Sprintf("urn:uuid:%d", n)))
	}
	one := credential(1)
	whole := 0
	for n := 1; whole == 0; n++ {
		require.Less(t, n, 1000)
		v := verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC, Limits: vc.Limits{Canon: canon.Options{MaxCalls: n}}})
		if verify(t, v, one, now).Verified() {
			whole = n
		}
	}
	require.Greater(t, whole, 1)
	for name, tt := range map[string]struct {
		credentials []string
		least       int
	}{
		"one credential":    {[]string{one}, 2 * whole},
		"two credentials":   {[]string{one, credential(2)}, 4 * whole},
		"three credentials": {[]string{one, credential(2), credential(3)}, 6 * whole},
	} {
		presentation := presentSVC(t, tt.credentials...)
		for n, want := range map[int]bool{tt.least: true, tt.least - 1: false, 1: false} {
			v := verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC, Limits: vc.Limits{Canon: canon.Options{MaxCalls: n}}})
			for range 2 { // a call has all of the limit
				r := present(t, v, presentation, expected)
				assert.Equal(t, want, r.Verified(), "%s, %d calls: %v", name, n, r.Findings())
				if !want {
					assert.Contains(t, r.Findings()[0].Text, fmt.Sprintf("canonicalization work limit %d exceeded (calls)", n), name)
				}
			}
		}
	}
	v := verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC, Limits: vc.Limits{Canon: canon.Options{MaxCalls: 3*whole - 1}}})
	joint := v.Joint()
	for n, want := range []bool{true, true, false, false} {
		assert.Equal(t, want, verify(t, joint, credential(n+1), now).Verified(), n)
		assert.True(t, verify(t, v, one, now).Verified(), "the other has limits of its own")
	}
	assert.True(t, verify(t, joint, signSVC(t, svcCredential), now).Verified(), "without work")
}

// A credential whose graph is made to be hard to canonicalize is refused soon.
func TestPoisonedCredential(t *testing.T) {
	t.Parallel()
	// A clique of blank nodes, of which each looks like every other.
	const n = 9
	var members []string
	for i := range n {
		var links []string
		for j := range n {
			if i != j {
				links = append(links, fmt.Sprintf(`{"id":"_:n%d"}`, j))
			}
		}
		members = append(members, fmt.Sprintf(`{"id":"_:n%d","odrl:relation":[%s]}`, i, strings.Join(links, ",")))
	}
	alice := someone(t, vc.Ed25519, 7)
	text := replaced(t, w3cText(alice.id), `"target": `, `"odrl:relation":[`+strings.Join(members, ",")+`],"target": `)
	_, err := vc.Sign(t.Context(), []byte(text), alice.key, vc.SignOptions{Method: alice.method, Contexts: jsonld.Builtin()})
	require.ErrorContains(t, err, "canonicalization work limit")
	signed := signW3C(t, w3cText(alice.id), alice)
	poisoned := text[:len(text)-2] + signed[strings.Index(signed, `,"proof":`):]
	for _, limits := range []vc.Limits{{}, {Canon: canon.Options{MaxCalls: 1000}}} {
		v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Authority: true, Limits: limits})
		r := verify(t, v, poisoned, now)
		assert.Equal(t, []vc.Code{vc.CodeInvalidSignature}, r.Codes(), r.Findings())
		assert.Contains(t, r.Findings()[0].Text, "canonicalization work limit")
	}
}
