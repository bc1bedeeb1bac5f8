package engine_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/protocol"
)

const (
	alice = "https://alice.example/#me"
	bob   = "https://bob.example/#me"

	policyIRI  = "https://alice.example/policy.ttl#it"
	policyText = `@prefix odrl: <http://www.w3.org/ns/odrl/2/> .
<` + policyIRI + `> a odrl:Agreement ; odrl:profile <https://w3id.org/jeswr/odrl-delegation> ;
  odrl:assigner <` + alice + `> ; odrl:assignee <` + bob + `> ;
  odrl:permission [ odrl:action odrl:read ; odrl:target <https://alice.pod.example/notes/> ] .
`
)

func key(t testing.TB, who string) *vc.PrivateKey {
	t.Helper()
	k, err := vc.GenerateKey(vc.Ed25519, bytes.NewReader(bytes.Repeat([]byte(who), 64)))
	require.NoError(t, err)
	return k
}

// presentation is a chain of one credential, by which bob reads alice's notes.
func presentation(t testing.TB, challenge, domain string) []byte {
	t.Helper()
	sum := sha256.Sum256([]byte(policyText))
	credential := fmt.Appendf(nil, `{"id":"urn:uuid:1","type":["AgentAuthorizationCredential"],"issuer":%q,"validFrom":"2026-07-01T00:00:00Z","validUntil":"2027-07-01T00:00:00Z",
		"credentialSubject":{"id":%q,"https://w3id.org/jeswr/solid-vc#authorizes":%q,"https://w3id.org/jeswr/solid-vc#policy":%q},
		"relatedResource":{"id":%q,"digestSRI":"sha256-%s"}}`, alice, alice, bob, policyIRI, policyIRI, base64.StdEncoding.EncodeToString(sum[:]))
	signed, err := vc.Sign(t.Context(), credential, key(t, alice), vc.SignOptions{Profile: vc.ProfileSVC, Method: alice + "-key", Created: noon.AddDate(0, 0, -1)})
	require.NoError(t, err)
	text, err := json.Marshal(map[string]any{"id": "urn:uuid:2", "holder": bob, "verifiableCredential": []json.RawMessage{signed}})
	require.NoError(t, err)
	p, err := vc.Sign(t.Context(), text, key(t, bob), vc.SignOptions{
		Profile: vc.ProfileSVC, Method: bob + "-key", Purpose: vc.Authentication, Challenge: challenge, Domain: []string{domain}, Created: noon,
	})
	require.NoError(t, err)
	return p
}

func chains(t testing.TB, change func(*engine.Chains)) *engine.Chains {
	t.Helper()
	var all []*vc.Controller
	for _, who := range []string{alice, bob} {
		c, err := vc.ParseController(fmt.Appendf(nil, `{"id":%[1]q,"assertionMethod":[%[2]q],"authentication":[%[2]q],
			"verificationMethod":[{"id":%[2]q,"type":"Multikey","controller":%[1]q,"publicKeyMultibase":%[3]q}]}`,
			who, who+"-key", key(t, who).Public().Multikey()), vc.Limits{})
		require.NoError(t, err)
		all = append(all, c)
	}
	ring, err := vc.NewKeyring(all...)
	require.NoError(t, err)
	verifier, err := vc.New(vc.Config{Keys: ring, Profile: vc.ProfileSVC, Authority: true})
	require.NoError(t, err)
	authorizer, err := authz.New(authz.Config{Verifier: verifier})
	require.NoError(t, err)
	c := &engine.Chains{
		Authorizer: authorizer,
		Root:       func(context.Context, []odrl.Request) (string, error) { return alice, nil },
		Policies: func(context.Context, *engine.Question) ([]authz.PolicyDocument, error) {
			return []authz.PolicyDocument{{Content: []byte(policyText)}}, nil
		},
	}
	if change != nil {
		change(c)
	}
	return c
}

// TestChains is section 7.6 with package authz behind it.
func TestChains(t *testing.T) {
	t.Parallel()
	doc := read(t)
	const domain = "https://alice.example/a2a"
	named := readIntent + " <urn:a2a:intent:2> odrl:hasPolicy <" + policyIRI + "> ."
	const nobody = "nobody"
	broken := errors.New("broken")
	for _, row := range []struct {
		name   string
		body   string
		change func(*engine.Chains)
		alter  func([]byte) []byte
		peer   string
		ok     bool
		failed bool
	}{
		{name: "authorized", body: readIntent, ok: true},
		{name: "INT-4 its policy is named", body: named, ok: true},
		{name: "INT-4 another policy is named", body: strings.Replace(named, "policy.ttl", "other.ttl", 1)},
		{name: "another target", body: strings.Replace(readIntent, "notes", "secrets", 1)},
		{name: "INT-8 its agent", body: strings.Replace(readIntent, "schema:object", "schema:agent <"+bob+"> ; schema:object", 1), ok: true},
		{name: "INT-8 another agent", body: strings.Replace(readIntent, "schema:object", "schema:agent <urn:eve> ; schema:object", 1)},
		{name: "no presentation", body: readIntent, alter: func([]byte) []byte { return nil }},
		{name: "a damaged presentation", body: readIntent, alter: func(p []byte) []byte { return bytes.Replace(p, []byte("urn:uuid:1"), []byte("urn:uuid:3"), 1) }},
		{name: "no JSON", body: readIntent, alter: func([]byte) []byte { return []byte("{") }},
		{name: "two challenges", body: readIntent, alter: func(p []byte) []byte {
			return bytes.Replace(p, []byte(`"proof":{`), []byte(`"proof":[{"challenge":"x"},{`), 1)
		}},
		{name: "another peer", body: readIntent, peer: "https://eve.example/#me"},
		{name: "another peer that is bob", body: readIntent, peer: "CN=bob", ok: true, change: func(c *engine.Chains) {
			c.Actor = func(context.Context, engine.Peer) (string, error) { return bob, nil }
		}},
		{name: "a peer without a name", body: readIntent, peer: nobody},
		{name: "a peer without a name, of whom the holder is enough", body: readIntent, peer: nobody, ok: true, change: func(c *engine.Chains) {
			c.Actor = func(context.Context, engine.Peer) (string, error) { return "", nil }
		}},
		{name: "another root", body: readIntent, change: func(c *engine.Chains) {
			c.Root = func(context.Context, []odrl.Request) (string, error) { return bob, nil }
		}},
		{name: "no root", body: readIntent, change: func(c *engine.Chains) {
			c.Root = func(context.Context, []odrl.Request) (string, error) { return "", nil }
		}},
		{name: "a root that cannot be told", body: readIntent, failed: true, change: func(c *engine.Chains) {
			c.Root = func(context.Context, []odrl.Request) (string, error) { return "", broken }
		}},
		{name: "withdrawn", body: readIntent, change: func(c *engine.Chains) {
			c.Revoked = func(context.Context) ([]string, error) { return []string{policyIRI}, nil }
		}},
		{name: "a record that is not kept", body: readIntent, failed: true, change: func(c *engine.Chains) {
			c.Keep = func(context.Context, authz.Record) error { return broken }
		}},
		{name: "no policies", body: readIntent, change: func(c *engine.Chains) { c.Policies = nil }},
		{name: "no authorizer", body: readIntent, failed: true, change: func(c *engine.Chains) { c.Authorizer = nil }},
		{name: "attributes that cannot be told", body: readIntent, failed: true, change: func(c *engine.Chains) {
			c.Attributes = func(context.Context, *engine.Question) (map[string][]odrl.Value, error) { return nil, broken }
		}},
		{name: "an actor that cannot be told", body: readIntent, failed: true, change: func(c *engine.Chains) {
			c.Actor = func(context.Context, engine.Peer) (string, error) { return bob, broken }
		}},
		{name: "policies that cannot be had", body: readIntent, failed: true, change: func(c *engine.Chains) {
			held := c.Policies
			c.Policies = func(ctx context.Context, q *engine.Question) ([]authz.PolicyDocument, error) {
				all, _ := held(ctx, q)
				return all, broken
			}
		}},
		{name: "withdrawals that cannot be had", body: readIntent, failed: true, change: func(c *engine.Chains) {
			c.Revoked = func(context.Context) ([]string, error) { return nil, broken }
		}},
		{name: "a mapping of its own", body: readIntent, ok: true, change: func(c *engine.Chains) {
			c.Mappings = map[canon.Digest]authz.Mapping{doc.Pin(): {Actions: map[string]authz.ActionMapping{
				"https://schema.org/ReadAction": {Action: "read", Target: "https://schema.org/object"},
			}}}
		}},
		{name: "a mapping without the action", body: readIntent, change: func(c *engine.Chains) {
			c.Mappings = map[canon.Digest]authz.Mapping{doc.Pin(): {}}
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := newSide(t, &clock{at: noon}, "alice", []*protocol.Reviewed{doc}, func(c *engine.Config) {
				c.Domain, c.Authorizer = domain, chains(t, row.change)
			})
			p := engine.Peer{Principal: bob, Active: []string{uri}}
			switch row.peer {
			case "":
			case nobody:
				p.Principal = ""
			default:
				p.Principal = row.peer
			}
			accept := receive(t, s, p, message("o", "ctx", payload("upgrade-offer", "", offerJSON(doc.Pin(), true), "")))
			_, c := engine.ErrorCode(accept.Message.Metadata)
			chain := presentation(t, c.Challenge, c.Domain)
			if row.alter != nil {
				chain = row.alter(chain)
			}
			m := message("m", "ctx", payload("intent", doc.Pin().String(), row.body, turtleMT))
			if chain != nil {
				m.Parts = append(m.Parts, engine.Part{Content: engine.Text, Text: string(chain), MediaType: "application/vp", Metadata: payload("authorization", "", "", "").Metadata})
			}
			o, err := s.Receive(t.Context(), p, m)
			require.Equal(t, row.failed, err != nil, "%v", err)
			require.Equal(t, row.ok, o.Kind == engine.KindIntent, "%s", o.Trace)
			if row.ok {
				require.Equal(t, []string{policyIRI}, o.Intent.Authority().Policies)
				require.Contains(t, string(o.Intent.Authority().Record), doc.Pin().String())
				m.ID = "again" // the same presentation counts once
				require.Equal(t, protocol.CodeAuthorizationDenied, receive(t, s, p, m).Code)
				return
			}
			require.Equal(t, protocol.CodeAuthorizationDenied, o.Code)
		})
	}
}

// TestChainsMapping: an engine is not made with a mapping that lets a peer state what only
// this side can.
func TestChainsMapping(t *testing.T) {
	t.Parallel()
	doc := read(t)
	for attribute, ok := range map[string]bool{"purpose": true, "fulfilled:inform": false, "count": false} {
		c := newSide(t, &clock{at: noon}, "alice", nil, nil).config
		c.Authorizer = chains(t, func(c *engine.Chains) {
			c.Mappings = map[canon.Digest]authz.Mapping{doc.Pin(): {Actions: map[string]authz.ActionMapping{
				"urn:C": {Action: "read", Target: "urn:what", Attributes: map[string]string{attribute: "urn:says"}},
			}}}
		})
		_, err := engine.New(c)
		require.Equal(t, ok, err == nil, "%s: %v", attribute, err)
	}
}
