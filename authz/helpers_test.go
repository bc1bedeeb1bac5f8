package authz_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

const (
	target = "https://p0.example/doc"
	svc    = "https://w3id.org/jeswr/solid-vc#"

	prefixes = `@prefix odrl: <http://www.w3.org/ns/odrl/2/> .
@prefix odrld: <https://w3id.org/jeswr/odrl-delegation#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
`
)

var noon = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

func party(i int) string  { return fmt.Sprintf("https://p%d.example/#me", i) }
func method(i int) string { return fmt.Sprintf("https://p%d.example/#key", i) }
func policy(i int) string { return fmt.Sprintf("https://p%d.example/policy.ttl#it", i) }

func privateKey(t testing.TB, i int) *vc.PrivateKey {
	t.Helper()
	k, err := vc.GenerateKey(vc.Ed25519, bytes.NewReader(bytes.Repeat([]byte{byte(i + 1)}, 64)))
	require.NoError(t, err)
	return k
}

// parties is the number of parties whose keys are known.
const parties = 10

// keyring has the keys of all parties, for assertions and authentication.
func keyring(t testing.TB) *vc.Keyring {
	t.Helper()
	var all []*vc.Controller
	for i := range parties {
		c, err := vc.ParseController(fmt.Appendf(nil, `{"id":%q,"assertionMethod":[%[2]q],"authentication":[%[2]q],
			"verificationMethod":[{"id":%[2]q,"type":"Multikey","controller":%[1]q,"publicKeyMultibase":%[3]q}]}`,
			party(i), method(i), privateKey(t, i).Public().Multikey()), vc.Limits{})
		require.NoError(t, err)
		all = append(all, c)
	}
	k, err := vc.NewKeyring(all...)
	require.NoError(t, err)
	return k
}

// hop is a hop that is not signed yet: who will sign it, its credential, and the text of
// its policy.
type hop struct {
	signer     int
	method     string
	credential map[string]any
	policy     string
	unbound    bool                // no digest of the policy
	domain     []string            // that the proof of the credential is for
	damage     func([]byte) []byte // of the signed credential
}

func (h *hop) subject() map[string]any { return h.credential["credentialSubject"].(map[string]any) }

// chain makes a chain of n hops from party first on, in which each may read the
// target and pass that on.
func chain(first, n int) []*hop {
	var hops []*hop
	for i := first; i < first+n; i++ {
		h := &hop{signer: i, method: method(i), credential: map[string]any{
			"id": fmt.Sprintf("urn:uuid:00000000-0000-4000-8000-%012d", i), "type": []string{"AgentAuthorizationCredential"},
			"issuer": party(i), "validFrom": "2026-07-01T00:00:00Z", "validUntil": "2027-07-01T00:00:00Z",
			"credentialSubject": map[string]any{"id": party(i), svc + "authorizes": party(i + 1), svc + "policy": policy(i)},
		}}
		var b strings.Builder
		b.WriteString(prefixes)
		fmt.Fprintf(&b, "<%s> a odrl:Agreement ; odrl:profile <https://w3id.org/jeswr/odrl-delegation> ;\n  odrl:assigner <%s> ; odrl:assignee <%s> ;\n", policy(i), party(i), party(i+1))
		if i > first {
			fmt.Fprintf(&b, "  odrld:delegatedUnder <%s> ;\n", policy(i-1))
		}
		fmt.Fprintf(&b, "  odrl:permission [ odrl:action odrl:read ; odrl:target <%s> ]", target)
		if i < first+n-1 {
			fmt.Fprintf(&b, ",\n  [ odrl:action odrl:grantUse ; odrl:target <%s> ; odrl:constraint\n    [ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:lteq ; odrl:rightOperand %d ] ]", target, n)
		}
		b.WriteString(" .\n")
		h.policy = b.String()
		hops = append(hops, h)
	}
	return hops
}

// sign signs the hops and returns the chain as it is presented.
func sign(t testing.TB, hops []*hop) authz.Chain {
	t.Helper()
	var c authz.Chain
	for _, h := range hops {
		credential := maps.Clone(h.credential)
		if p, ok := h.subject()[svc+"policy"].(string); ok && !h.unbound && credential["relatedResource"] == nil {
			credential["relatedResource"] = map[string]any{"id": p, "digestSRI": sri(h.policy)}
		}
		text, err := json.Marshal(credential)
		require.NoError(t, err)
		signed, err := vc.Sign(t.Context(), text, privateKey(t, h.signer), vc.SignOptions{
			Profile: vc.ProfileSVC, Method: h.method, Created: noon.AddDate(0, 0, -1), Domain: h.domain,
		})
		require.NoError(t, err)
		if h.damage != nil {
			signed = h.damage(signed)
		}
		c.Credentials = append(c.Credentials, signed)
		if h.policy != "" {
			c.Policies = append(c.Policies, authz.PolicyDocument{Content: []byte(h.policy)})
		}
	}
	return c
}

// present signs the hops and their presentation by holder, for a challenge and a domain.
func present(t testing.TB, holder, signer int, e vc.Expected, hops ...*hop) (presentation []byte, policies []authz.PolicyDocument) {
	t.Helper()
	c := sign(t, hops)
	var all []json.RawMessage
	for _, text := range c.Credentials {
		all = append(all, text)
	}
	text, err := json.Marshal(map[string]any{"id": "urn:uuid:1", "holder": party(holder), "verifiableCredential": all})
	require.NoError(t, err)
	presentation, err = vc.Sign(t.Context(), text, privateKey(t, signer), vc.SignOptions{
		Profile: vc.ProfileSVC, Method: method(signer), Purpose: vc.Authentication, Challenge: e.Challenge, Domain: e.Domain,
	})
	require.NoError(t, err)
	return presentation, c.Policies
}

// setting is a request and the configuration that it is decided with.
type setting struct {
	hops, actorHops []*hop
	request         authz.Request
	config          authz.Config
	verifier        vc.Config
	after           func(*authz.Chain) // the signing
}

// good is a setting that is authorized: a chain of three hops, whose last party acts.
func good(t testing.TB) *setting {
	return &setting{
		hops: chain(0, 3),
		request: authz.Request{
			RootPrincipal: party(0), Actor: party(3), Now: noon,
			Asks: []odrl.Request{{Action: "read", Target: target}},
		},
		verifier: vc.Config{Keys: keyring(t), Profile: vc.ProfileAuto, Contexts: jsonld.Builtin(), Authority: true},
	}
}

func (s *setting) authorizer(t testing.TB) *authz.Authorizer {
	t.Helper()
	v, err := vc.New(s.verifier)
	require.NoError(t, err)
	c := s.config
	c.Verifier = v
	a, err := authz.New(c)
	require.NoError(t, err)
	return a
}

func (s *setting) prepare(t testing.TB) authz.Request {
	t.Helper()
	r := s.request
	r.Chain = sign(t, s.hops)
	if s.after != nil {
		s.after(&r.Chain)
	}
	if s.actorHops != nil {
		c := sign(t, s.actorHops)
		r.ActorChain = &c
	}
	return r
}

// decide signs, decides, and checks what holds for every decision.
func (s *setting) decide(t testing.TB) authz.Decision {
	t.Helper()
	return authorize(t, s.authorizer(t), s.prepare(t))
}

func authorize(t testing.TB, a *authz.Authorizer, r authz.Request) authz.Decision {
	t.Helper()
	d, err := a.Authorize(t.Context(), r)
	require.NoError(t, err)
	consistent(t, d)
	r.Explain = true
	explained, err := a.Authorize(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, []any{d.Phase, d.Code, d.Hop, len(d.Checks)}, []any{explained.Phase, explained.Code, explained.Hop, len(explained.Checks)})
	return d
}

// consistent checks what holds for every decision.
func consistent(t testing.TB, d authz.Decision) {
	t.Helper()
	require.NotEmpty(t, d.Checks)
	require.Equal(t, d.Authorized(), d.Phase == authz.PhaseComplete)
	require.Equal(t, d.Authorized(), d.Code == "")
	require.Equal(t, d.Authorized(), d.Reason == "")
	for i, c := range d.Checks {
		require.Equal(t, !d.Authorized() && i == len(d.Checks)-1, !c.OK, "only the last check may fail")
		if !c.OK {
			require.Equal(t, d.Code, c.Code)
			require.Equal(t, d.Phase, c.Phase)
			require.NotEmpty(t, c.Why)
			require.NotEmpty(t, c.Code.Text())
			require.Contains(t, authz.Codes(), c.Code)
		}
	}
	require.Equal(t, map[bool]string{true: "permit", false: "deny"}[d.Authorized()], d.Record().Decision)
	first, err := d.Record().JSON()
	require.NoError(t, err)
	second, err := d.Record().JSON()
	require.NoError(t, err)
	require.Equal(t, string(first), string(second))
	_, err = d.Record().Dataset()
	require.NoError(t, err)
}

const listURL = "https://p1.example/status/1"

// statusEntry is the status of a credential.
func statusEntry(index int, purpose string) map[string]any {
	return map[string]any{
		"type": "BitstringStatusListEntry", "statusPurpose": purpose,
		"statusListIndex": fmt.Sprint(index), "statusListCredential": listURL,
	}
}

// shelf is Documents by their URLs.
type shelf map[string]vc.Document

func (s shelf) Document(_ context.Context, url string) (vc.Document, error) {
	d, ok := s[url]
	if !ok {
		return d, errors.New("status 404")
	}
	return d, nil
}

// statusList is a list of a party with one bit set.
func statusList(t testing.TB, issuer int, purpose string, set int64) shelf {
	t.Helper()
	l, err := vc.NewStatusList(131_072)
	require.NoError(t, err)
	require.NoError(t, l.Set(set, true))
	text, err := l.Credential(vc.StatusListCredential{ID: listURL, Issuer: party(issuer), Purpose: purpose, ValidFrom: "2026-07-01T00:00:00Z"})
	require.NoError(t, err)
	signed, err := vc.Sign(t.Context(), text, privateKey(t, issuer), vc.SignOptions{Method: method(issuer), Contexts: jsonld.Builtin()})
	require.NoError(t, err)
	return shelf{listURL: {Content: signed, MediaType: "application/vc"}}
}

// sri is the digest of a text as Subresource Integrity writes it.
func sri(text string) string {
	digest := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(digest[:])
}

// authorityContext is the inline context of section 1.2.
const authorityContext = `{"svc":"https://w3id.org/jeswr/solid-vc#","acl":"http://www.w3.org/ns/auth/acl#",
  "odrl":"http://www.w3.org/ns/odrl/2/","schema":"https://schema.org/",
  "AgentAuthorizationCredential":"https://w3id.org/jeswr/solid-vc#AgentAuthorizationCredential",
  "authorizes":{"@id":"https://w3id.org/jeswr/solid-vc#authorizes","@type":"@id"},
  "action":{"@id":"https://w3id.org/jeswr/solid-vc#action","@type":"@id"},
  "target":{"@id":"https://w3id.org/jeswr/solid-vc#target","@type":"@id"},
  "policy":{"@id":"https://w3id.org/jeswr/solid-vc#policy","@type":"@id"}}`
