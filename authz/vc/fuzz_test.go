package vc_test

import (
	"strings"
	"testing"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// No input makes a verifier panic or return an error, and only what its issuer
// signed is verified.
func FuzzVerify(f *testing.F) {
	alice, bob := someone(f, vc.Ed25519, 7), someone(f, vc.P384, 8)
	credentials := []string{signSVC(f, svcCredential), signW3C(f, w3cText(alice.id), alice),
		sign(f, w3cText(alice.id), alice.key, vc.SignOptions{Method: alice.method, Suite: vc.EdDSAJCS2022})}
	seeds := append([]string{
		presentSVC(f, credentials[0]), presentW3C(f, bob, "", about(f, alice, bob, "urn:uuid:1")), presentW3C(f, bob, vc.ECDSAJCS2019, credentials[2]),
		list(f, alice, "revocation", 42), svcList(f, 42), "{}", "[]", "", strings.Repeat("[", 40),
	}, credentials...)
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	keys := vc.Resolvers{parties(f), vc.DIDKeys{}}
	var all []*vc.Verifier
	for _, p := range []vc.Profile{vc.ProfileW3C, vc.ProfileSVC, vc.ProfileAuto} {
		for _, authority := range []bool{false, true} {
			all = append(all, verifier(f, vc.Config{Keys: keys, Profile: p, Contexts: jsonld.Builtin(), Authority: authority, Limits: vc.Limits{Quads: 500}}))
		}
	}
	known := map[string]bool{issuerID: true, holderID: true, alice.id: true, bob.id: true}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, v := range all {
			r, err := v.Verify(t.Context(), data, now)
			if err != nil {
				t.Fatal(err)
			}
			if c := r.Credential(); c != nil {
				if !known[c.Issuer()] {
					t.Fatalf("signed by %s", c.Issuer())
				}
				if _, err := v.BindPolicy(t.Context(), c, vc.BindOptions{}); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := v.VerifyPresentation(t.Context(), data, expected, now); err != nil {
				t.Fatal(err)
			}
			if _, err := v.VerifyProofs(t.Context(), data, vc.AssertionMethod, now); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// A status list that nobody signed never clears a credential.
func FuzzStatusList(f *testing.F) {
	alice := someone(f, vc.Ed25519, 7)
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
			if r.Clear() {
				t.Fatal("cleared")
			}
		}
	})
}

func FuzzControllerAndKeys(f *testing.F) {
	f.Add([]byte(`{"id":"urn:c","assertionMethod":["urn:m"],"verificationMethod":[{"id":"urn:m","type":"Multikey","controller":"urn:c","publicKeyMultibase":"z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2"}]}`))
	f.Add([]byte(`{"kty":"OKP","crv":"Ed25519","x":"iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w","d":"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE"}`))
	f.Add([]byte("zDnaepBuvsQ8cpsWrVKw8fbpGpvPeNSjVPTWoq6cRqaYzBKVP"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, err := vc.ParseController(data, vc.Limits{}); err == nil {
			_, _ = c.Key("urn:m", vc.AssertionMethod, now)
		}
		if k, err := vc.ParseMultikey(string(data)); err == nil && k.Multikey() != string(data) {
			t.Fatalf("%s is written %s", data, k.Multikey())
		}
		if k, err := vc.ParsePrivateKey(data); err == nil {
			if again, err := k.JWK(); err != nil || len(again) == 0 {
				t.Fatal(err)
			}
		}
		_, _ = vc.ParseSecretMultikey(string(data))
		_, _ = vc.ParseStatusList(string(data), vc.Limits{StatusListEntries: 1 << 20})
	})
}
