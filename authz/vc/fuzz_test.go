package vc_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

// No input makes a verifier panic or return an error, and only what its issuer
// signed is verified.
func FuzzVerify(f *testing.F) {
	alice, bob := someone(f, vc.Ed25519, 7), someone(f, vc.P384, 8)
	credentials := []string{signSVC(f, svcCredential), signW3C(f, w3cText(alice.id), alice),
		sign(f, w3cText(alice.id), alice.key, vc.SignOptions{Method: alice.method, Suite: vc.EdDSAJCS2022})}
	seeds := append([]string{
		presentSVC(f, credentials[0]), presentW3C(f, bob, "", about(f, alice, bob, "urn:uuid:1")), presentW3C(f, bob, vc.ECDSAJCS2019, credentials[2]),
		// Proofs that are a set, that build on each other, and that have all members.
		sign(f, credentials[0], ed25519Key(f, 2), vc.SignOptions{Profile: vc.ProfileSVC, Method: holderMethod}),
		sign(f, sign(f, w3cText(alice.id), alice.key, vc.SignOptions{Method: alice.method, ID: "urn:uuid:p1"}), alice.key,
			vc.SignOptions{Method: alice.method, ID: "urn:uuid:p2", PreviousProof: []string{"urn:uuid:p1"}}),
		sign(f, w3cText(alice.id), alice.key, vc.SignOptions{Method: alice.method, Expires: now.Add(time.Hour), Nonce: "n", Challenge: "c", Domain: []string{"a", "b"}}),
		sign(f, w3cText(bob.id), bob.key, vc.SignOptions{Method: bob.method, Suite: vc.ECDSAJCS2019}),
		// Two credentials, of which one depends on the other; policies that are embedded;
		// several entries.
		presentW3C(f, bob, "", about(f, alice, bob, "urn:uuid:1"), about(f, bob, alice, "urn:uuid:2")),
		presentSVC(f, credentials[0], signSVC(f, strings.Replace(svcCredential, "urn:uuid:1", "urn:uuid:2", 1))),
		signSVC(f, strings.Replace(svcCredential, `"https://issuer.example/p.ttl#p"`, `{"http://www.w3.org/ns/odrl/2/uid":"urn:p","a":[{"b":1},{"b":1}]}`, 1)),
		signW3C(f, strings.Replace(w3cText(alice.id), `"https://issuer.example/p.ttl#p"`, `{"type":"odrl:Set","odrl:permission":[{"odrl:action":{"id":"odrl:read"}}]}`, 1), alice),
		signSVC(f, strings.Replace(svcCredential, `"relatedResource": {`, `"relatedResource": [{"id":"urn:x","digestMultibase":"zQm"},{`, 1)[:len(svcCredential)+len(`[{"id":"urn:x","digestMultibase":"zQm"},`)-2]+"]}"),
		// A record, and what is almost each of these.
		string(signedJSON(f, alice)), strings.Replace(credentials[1], "urn:uuid:1", "_:b", 1), strings.Replace(credentials[1], `"@context":`, `"@graph":`, 1),
		`{"proof":{}}`, `{"proof":[{"type":"DataIntegrityProof","cryptosuite":"eddsa-jcs-2022"}]}`,
		list(f, alice, "revocation", 42), svcList(f, 42), "{}", "[]", "", strings.Repeat("[", 40),
	}, credentials...)
	for _, seed := range suite.Seeds(f, suite.Credentials, suite.Presentations, suite.StatusLists) {
		seeds = append(seeds, string(seed.Data))
	}
	keys := vc.Resolvers{parties(f), keysOfVectors(f), vc.DIDKeys{}}
	var all []*vc.Verifier
	for _, p := range []vc.Profile{vc.ProfileW3C, vc.ProfileSVC, vc.ProfileAuto} {
		for _, authority := range []bool{false, true} {
			all = append(all, verifier(f, vc.Config{Keys: keys, Profile: p, Contexts: jsonld.Builtin(), Authority: authority, Limits: vc.Limits{Quads: 500}}))
		}
	}
	// What is signed, by what it claims and by who presents it. What a presentation holds
	// is known once it was verified alone or in the presentation of a seed.
	known, holders := map[string]bool{}, map[string]bool{}
	note := func(data []byte) {
		for _, v := range all {
			if c := verify(f, v, string(data), now).Credential(); c != nil {
				known[claims(f, c)] = true
			}
			r, err := v.VerifyPresentation(f.Context(), data, expected, now)
			require.NoError(f, err)
			if p := r.Presentation(); p != nil {
				holders[p.Holder()] = true
				for _, c := range p.Credentials() {
					known[claims(f, c)] = true
				}
			}
		}
	}
	for _, s := range seeds {
		f.Add([]byte(s))
		note([]byte(s))
	}
	require.Greater(f, len(known), 20, "too few are verified to say anything")
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, v := range all {
			r, err := v.Verify(t.Context(), data, now)
			if err != nil {
				t.Fatal(err)
			}
			if c := r.Credential(); c != nil {
				require.True(t, known[claims(t, c)], "nobody signed %s", claims(t, c))
				if _, err := v.BindPolicy(t.Context(), c, vc.BindOptions{}); err != nil {
					t.Fatal(err)
				}
			}
			presented, err := v.VerifyPresentation(t.Context(), data, expected, now)
			require.NoError(t, err)
			require.Equal(t, presented.Verified(), presented.Code() == "")
			if p := presented.Presentation(); p != nil {
				require.True(t, holders[p.Holder()], "presented by %s", p.Holder())
				for _, c := range p.Credentials() {
					require.True(t, known[claims(t, c)], "nobody signed %s", claims(t, c))
				}
			}
			proofs, err := v.VerifyProofs(t.Context(), data, vc.AssertionMethod, now)
			require.NoError(t, err)
			require.Equal(t, proofs.Verified(), proofs.Code() == "" && len(proofs.Proofs()) > 0)
		}
	})
}

// keysOfVectors has the keys of the public cases and of the project's.
func keysOfVectors(t testing.TB) *vc.Keyring {
	t.Helper()
	var all []*vc.Controller
	known := map[string]bool{}
	for _, seed := range suite.Seeds(t, suite.Controllers) {
		if c, err := vc.ParseController(seed.Data, vc.Limits{}); err == nil && !known[c.ID()] {
			known[c.ID()] = true
			all = append(all, c)
		}
	}
	k, err := vc.NewKeyring(all...)
	require.NoError(t, err)
	return k
}

func signedJSON(t testing.TB, p party) []byte {
	signed, err := vc.SignJSON(t.Context(), []byte(`{"version":1,"checks":[]}`), p.key, vc.SignOptions{Method: p.method})
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

// Only the list that the issuer signed clears a credential.
func FuzzStatusList(f *testing.F) {
	alice := someone(f, vc.Ed25519, 7)
	clear := list(f, alice, "revocation", 7)
	signed, err := vc.EncodedStatusList([]byte(clear), vc.Limits{})
	require.NoError(f, err)
	want, err := signed.Encode()
	require.NoError(f, err)
	f.Add([]byte(clear), "application/vc")
	f.Add([]byte(svcList(f, 7)), "text/turtle")
	for _, seed := range suite.Seeds(f, suite.StatusLists) {
		f.Add(seed.Data, map[bool]string{true: "text/turtle", false: "application/vc"}[strings.HasSuffix(seed.Name, ".ttl")])
	}
	f.Add([]byte(list(f, alice, "revocation", 42)), "application/vc")
	f.Add([]byte(svcList(f, 42)), "text/turtle")
	f.Add([]byte("x"), "")
	documents := shelf{}
	v := verifier(f, vc.Config{Keys: vc.Resolvers{parties(f), vc.DIDKeys{}}, Profile: vc.ProfileAuto, Contexts: jsonld.Builtin(), Documents: documents})
	credentials := []*vc.Credential{verify(f, v, signSVC(f, svcCredential), now).Credential(), verify(f, v, signW3C(f, w3cText(alice.id), alice), now).Credential()}
	f.Fuzz(func(t *testing.T, data []byte, mediaType string) {
		documents[listURL] = vc.Document{Content: data, MediaType: mediaType}
		for _, c := range credentials {
			r, err := v.CheckStatus(t.Context(), c, now)
			if err != nil {
				t.Fatal(err)
			}
			require.Equal(t, r.Clear(), r.Code() == "")
			if r.Clear() {
				require.Contains(t, string(data), want)
			}
		}
	})
}

// FuzzControllerAndKeys: keys, and what lists and holds them, are written as what was
// read, and a controller has the keys that its document says.
func FuzzControllerAndKeys(f *testing.F) {
	for _, seed := range suite.Seeds(f, suite.Controllers, suite.MultibaseKeys, suite.BitStrings, suite.KeySets) {
		f.Add(seed.Data)
	}
	f.Add([]byte(`{"id":"urn:c","assertionMethod":["urn:m"],"verificationMethod":[{"id":"urn:m","type":"Multikey","controller":"urn:c","publicKeyMultibase":"z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2"}]}`))
	f.Add([]byte(`{"kty":"OKP","crv":"Ed25519","x":"iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w","d":"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE"}`))
	f.Add([]byte(`{"id":"urn:c","authentication":[{"id":"urn:m","type":"JsonWebKey","controller":"urn:c","revoked":"2026-08-01T12:00:00Z","publicKeyJwk":{"kty":"EC","crv":"P-256","x":"","y":""}}],"assertionMethod":"urn:m"}`))
	for _, typ := range []vc.KeyType{vc.P256, vc.P384} {
		jwk, err := key(f, typ, 3).JWK()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(jwk)
	}
	f.Add([]byte(compressed(f, make([]byte, 16_384))))
	f.Add([]byte("zDnaepBuvsQ8cpsWrVKw8fbpGpvPeNSjVPTWoq6cRqaYzBKVP"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, err := vc.ParseController(data, vc.Limits{}); err == nil {
			var document struct {
				ID              string `json:"id"`
				AssertionMethod []any  `json:"assertionMethod"`
			}
			_ = json.Unmarshal(data, &document) // which reads more forms than are looked at here
			require.Equal(t, document.ID, c.ID())
			for _, method := range append(document.AssertionMethod, "urn:m") {
				if id, ok := method.(string); ok {
					if k, err := c.Key(id, vc.AssertionMethod, now); err == nil {
						again, err := vc.ParseMultikey(k.Multikey())
						require.NoError(t, err)
						require.True(t, k.Equal(again))
						require.Contains(t, string(data), id)
					}
				}
			}
		}
		if k, err := vc.ParseMultikey(string(data)); err == nil && k.Multikey() != string(data) {
			t.Fatalf("%s is written %s", data, k.Multikey())
		}
		if k, err := vc.ParsePrivateKey(data); err == nil {
			samePrivateKey(t, k)
		}
		if k, err := vc.ParseSecretMultikey(string(data)); err == nil {
			samePrivateKey(t, k)
		}
		const most = 1 << 20
		if l, err := vc.ParseStatusList(string(data), vc.Limits{StatusListEntries: most}); err == nil {
			require.LessOrEqual(t, l.Len(), most)
			text, err := l.Encode()
			require.NoError(t, err)
			again, err := vc.ParseStatusList(text, vc.Limits{StatusListEntries: most})
			require.NoError(t, err)
			require.Equal(t, l, again)
		}
	})
}

// samePrivateKey checks that a key is written as what it is.
func samePrivateKey(t *testing.T, k *vc.PrivateKey) {
	t.Helper()
	text, err := k.JWK()
	require.NoError(t, err)
	again, err := vc.ParsePrivateKey(text)
	require.NoError(t, err)
	require.True(t, k.Public().Equal(again.Public()))
	require.Equal(t, k.ID(), again.ID())
}

// A profile in RDF gives keys of its own controller alone, and never fails with a panic.
func FuzzControllerRDF(f *testing.F) {
	const key = keysURL + "#k1"
	f.Add([]byte(securityTTL+"<#me> sec:assertionMethod <"+key+"> , <#k2> ."), []byte(securityTTL+multikey(f, key, 1)))
	f.Add([]byte(securityTTL+"<#me> sec:authenticationMethod <#k2> .\n"+multikey(f, profileURL+"#k2", 2)), []byte(""))
	f.Add([]byte("<#me> <https://w3id.org/security#assertionMethod> [] ."), []byte("<"))
	profiles := suite.Seeds(f, suite.Profiles)
	for _, profile := range profiles {
		for _, keys := range profiles {
			f.Add(profile.Data, keys.Data)
		}
	}
	for _, seed := range suite.Seeds(f, suite.Turtle) {
		f.Add(profiles[0].Data, seed.Data)
	}
	f.Fuzz(func(t *testing.T, profile, keys []byte) {
		documents := shelf{profileURL: {Content: profile, MediaType: "text/turtle"}, keysURL: {Content: keys, MediaType: "text/turtle"}}
		c, err := vc.Web{Documents: documents, Limits: vc.Limits{Quads: 500}}.Controller(t.Context(), profileID)
		if err != nil {
			return
		}
		if c.ID() != profileID {
			t.Fatalf("the document of %s", c.ID())
		}
		if k, err := c.Key(key, vc.AssertionMethod, now); err == nil {
			stated := false
			for base, text := range map[string][]byte{profileURL: profile, keysURL: keys} {
				if d, err := turtle.Parse(text, turtle.Options{Base: base}); err == nil {
					for id := rdf.ID(1); int(id) <= d.NumTerms(); id++ {
						stated = stated || d.Kind(id) == rdf.KindLiteral && d.Value(id) == k.Multikey()
					}
				}
			}
			require.True(t, stated, "neither document states the key %s", k.Multikey())
		}
	})
}
