package vc_test

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

// TestBindPolicy has every rule of section 6, on verified credentials.
func TestBindPolicy(t *testing.T) {
	t.Parallel()
	const policy = `<#p> a <http://www.w3.org/ns/odrl/2/Agreement> .`
	const location, id = "https://issuer.example/p.ttl", "https://issuer.example/p.ttl#p"
	s256, s384, s512 := sha256.Sum256([]byte(policy)), sha512.Sum384([]byte(policy)), sha512.Sum512([]byte(policy))
	tooMuch := sha256.Sum256(make([]byte, 256<<10+1))
	b64 := base64.StdEncoding.EncodeToString
	z := func(code byte, digest []byte) string {
		return "z" + base58.Encode(append([]byte{code, byte(len(digest))}, digest...))
	}
	graph, err := turtle.Parse([]byte(policy), turtle.Options{Base: location})
	require.NoError(t, err)
	canonical, err := canon.Hash(t.Context(), graph, canon.Options{})
	require.NoError(t, err)
	const reference = `"https://w3id.org/jeswr/solid-vc#policy": "https://issuer.example/p.ttl#p"`
	const related = `"relatedResource": {"id": "https://issuer.example/p.ttl#p", "digestSRI": "sha256-HmntuZzxKfLRIdyW1slqMWVPduv9nx+IRfrI8x6L6vA=", "mediaType": "text/turtle"}`
	one := func(members string) string {
		return `"relatedResource": {"id": "` + id + `"` + members + `}`
	}
	sri := func(s string) string { return one(`,"digestSRI":"` + s + `"`) }
	multibase := func(s string) string { return one(`,"digestMultibase":"` + s + `"`) }
	for _, tt := range []struct {
		name, policy, related string
		options               vc.BindOptions
		ok                    bool
		form                  vc.BindingForm
	}{
		{"sha256", reference, sri("sha256-" + b64(s256[:])), vc.BindOptions{}, true, vc.FormReference},
		{"sha384", reference, sri("sha384-" + b64(s384[:])), vc.BindOptions{}, true, vc.FormReference},
		{"sha512", reference, sri("sha512-" + b64(s512[:])), vc.BindOptions{}, true, vc.FormReference},
		{"multibase sha256", reference, multibase(z(0x12, s256[:])), vc.BindOptions{}, true, vc.FormReference},
		{"multibase sha384", reference, multibase(z(0x20, s384[:])), vc.BindOptions{}, true, vc.FormReference},
		{"multibase sha512", reference, multibase(z(0x13, s512[:])), vc.BindOptions{}, true, vc.FormReference},
		{"multibase base64url", reference, multibase("u" + base64.RawURLEncoding.EncodeToString(append([]byte{0x12, 0x20}, s256[:]...))), vc.BindOptions{}, true, vc.FormReference},
		{"both", reference, one(`,"digestSRI":"sha256-` + b64(s256[:]) + `","digestMultibase":"` + z(0x12, s256[:]) + `"`), vc.BindOptions{}, true, vc.FormReference},
		{"one of both", reference, one(`,"digestSRI":"sha256-` + b64(s256[:]) + `","digestMultibase":"` + z(0x12, make([]byte, 32)) + `"`), vc.BindOptions{}, false, ""},
		{"canonical is not raw", reference, multibase(z(0x12, canonical[:])), vc.BindOptions{}, false, ""},
		{"canonical", reference, multibase(z(0x12, canonical[:])), vc.BindOptions{Canonical: true}, true, vc.FormReference},
		{"canonical in SRI", reference, sri("sha256-" + b64(canonical[:])), vc.BindOptions{Canonical: true}, false, ""},
		{"raw, canonical allowed", reference, multibase(z(0x12, s256[:])), vc.BindOptions{Canonical: true}, true, vc.FormReference},
		{"presented", reference, sri("sha256-" + b64(s256[:])), vc.BindOptions{Content: &vc.Document{Content: []byte(policy)}}, true, vc.FormReference},
		{"presented, changed", reference, sri("sha256-" + b64(s256[:])), vc.BindOptions{Content: &vc.Document{Content: []byte(policy + "\n# same graph")}}, false, ""},
		{"presented, large", reference, sri("sha256-" + b64(tooMuch[:])), vc.BindOptions{Content: &vc.Document{Content: make([]byte, 256<<10+1)}}, false, ""},
		{"other digest", reference, related, vc.BindOptions{}, false, ""},
		{"no related resource", reference, `"relatedResource": []`, vc.BindOptions{}, false, ""},
		{"related resource of another", reference, `"relatedResource": {"id":"urn:x","digestSRI":"sha256-` + b64(s256[:]) + `"}`, vc.BindOptions{}, false, ""},
		{"no digest", reference, one(``), vc.BindOptions{}, false, ""},
		{"md5", reference, sri("md5-" + b64(s256[:16])), vc.BindOptions{}, false, ""},
		{"two expressions", reference, sri("sha256-" + b64(s256[:]) + " sha256-" + b64(s256[:])), vc.BindOptions{}, false, ""},
		{"unpadded", reference, sri("sha256-" + base64.RawStdEncoding.EncodeToString(s256[:])), vc.BindOptions{}, false, ""},
		{"truncated digest", reference, sri("sha256-" + b64(s256[:31])), vc.BindOptions{}, false, ""},
		{"wrong length in multihash", reference, multibase("z" + base58.Encode(append([]byte{0x12, 0x1f}, s256[:]...))), vc.BindOptions{}, false, ""},
		{"unknown multihash", reference, multibase(z(0x11, s256[:])), vc.BindOptions{}, false, ""},
		{"unknown multibase", reference, multibase("f1220"), vc.BindOptions{}, false, ""},
		{"empty multibase", reference, multibase(""), vc.BindOptions{}, false, ""},
		{"missing document", `"policy": "https://gone.example/p"`, `"relatedResource": {"id":"https://gone.example/p","digestSRI":"sha256-` + b64(s256[:]) + `"}`, vc.BindOptions{}, false, ""},
		{"embedded", `"policy": {"http://www.w3.org/ns/odrl/2/uid": "urn:p"}`, related, vc.BindOptions{}, true, vc.FormEmbedded},
		{"two policies", `"policy": ["urn:p", "urn:q"]`, related, vc.BindOptions{}, false, ""},
		{"two levels", `"policy": [["` + id + `"]]`, sri("sha256-" + b64(s256[:])), vc.BindOptions{}, true, vc.FormReference},
		{"reference and embedded", `"policy": ["` + id + `", {}]`, sri("sha256-" + b64(s256[:])), vc.BindOptions{}, false, ""},
		{"literal", `"policy": "p.ttl"`, related, vc.BindOptions{}, false, ""},
		{"number", `"policy": 1`, related, vc.BindOptions{}, false, ""},
		{"none", `"other": 1`, related, vc.BindOptions{}, true, vc.FormNone},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC, Documents: shelf{location: {Content: []byte(policy), MediaType: "text/turtle"}}})
			c := verify(t, v, signSVC(t, replaced(t, replaced(t, svcCredential, reference, tt.policy), related, tt.related)), now).Credential()
			require.NotNil(t, c)
			b, err := v.BindPolicy(t.Context(), c, tt.options)
			require.NoError(t, err)
			assert.Equal(t, tt.ok, b.OK(), b.Findings())
			assert.Equal(t, tt.ok, b.Code() == "")
			assert.Equal(t, tt.form, b.Form())
			assert.Equal(t, tt.ok && tt.form != vc.FormNone, b.Bound())
			if !tt.ok {
				assert.Equal(t, []vc.Code{vc.CodePolicyIntegrity}, b.Codes())
			}
			d, ok := b.Document()
			assert.Equal(t, tt.form == vc.FormReference, ok)
			if ok {
				assert.Equal(t, policy, string(d.Content))
				assert.Equal(t, id, b.Policy().Value())
			}
			assert.Equal(t, tt.name == "canonical", b.Canonical())
			if tt.form == vc.FormEmbedded {
				assert.Equal(t, rdf.KindBlank, b.Policy().Kind())
			}
			bare := verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC})
			if b, err = bare.BindPolicy(t.Context(), c, vc.BindOptions{}); tt.form == vc.FormReference {
				require.NoError(t, err)
				assert.Equal(t, []vc.Code{vc.CodePolicyIntegrity}, b.Codes(), "without documents")
			}
		})
	}
}

// TestBindPolicyW3C: in the W3C profile a policy can be written as an object with an IRI.
func TestBindPolicyW3C(t *testing.T) {
	t.Parallel()
	alice := someone(t, vc.Ed25519, 7)
	v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin()})
	for _, tt := range []struct {
		policy string
		form   vc.BindingForm
	}{
		{`{"id":"https://issuer.example/q","type":"odrl:Agreement"}`, vc.FormEmbedded},
		{`{"odrl:uid":{"id":"https://issuer.example/q"}}`, vc.FormEmbedded},
		{`"https://issuer.example/q"`, vc.FormNone},
		{`{"id":"https://issuer.example/q"}`, vc.FormNone},
	} {
		c := verify(t, v, signW3C(t, replaced(t, w3cText(alice.id), `"policy": "https://issuer.example/p.ttl#p"`, `"policy": `+tt.policy), alice), now).Credential()
		require.NotNil(t, c)
		b, err := v.BindPolicy(t.Context(), c, vc.BindOptions{})
		require.NoError(t, err)
		assert.Equal(t, tt.form, b.Form(), tt.policy)
		assert.Equal(t, tt.form == vc.FormEmbedded, b.Bound(), tt.policy)
	}
	// A document whose digest matches is not all that was signed about the policy when
	// the credential says something about it, too.
	const digest = "sha256-LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=" // of "x"
	for more, ok := range map[string]bool{"": true, `, "odrl:prohibition": {"odrl:action": {"id": "odrl:read"}}`: false} {
		text := replaced(t, w3cText(alice.id), `"digestSRI": "sha256-HmntuZzxKfLRIdyW1slqMWVPduv9nx+IRfrI8x6L6vA="`, `"digestSRI": "`+digest+`"`+more)
		c := verify(t, v, signW3C(t, text, alice), now).Credential()
		require.NotNil(t, c)
		b, err := v.BindPolicy(t.Context(), c, vc.BindOptions{Content: &vc.Document{Content: []byte("x")}})
		require.NoError(t, err)
		assert.Equal(t, ok, b.Bound(), b.Findings())
	}
}
