package vc_test

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// TestUnpinnedProofs has a row for every rule in section 10.4 of the specification
// "authz", items 5, 8 and 9, that this package implements: the rules that no published
// vector tests. Each document would be verified without the rule.
func TestUnpinnedProofs(t *testing.T) {
	t.Parallel()
	alice := someone(t, vc.Ed25519, 7)
	signed := signSVC(t, svcCredential)
	svc := vc.Config{Keys: parties(t), Profile: vc.ProfileSVC}
	keys, err := vc.NewKeyring(mustController(t, issuerID, "https://issuer.example/keys#k1", "https://issuer.example/keys#k2"))
	require.NoError(t, err)
	two := vc.Config{Keys: keys, Profile: vc.ProfileSVC}
	one := sign(t, svcCredential, ed25519Key(t, 1), vc.SignOptions{Profile: vc.ProfileSVC, Method: "https://issuer.example/keys#k1"})
	set := sign(t, one, ed25519Key(t, 2), vc.SignOptions{Profile: vc.ProfileSVC, Method: "https://issuer.example/keys#k2"})
	half := sign(t, one, ed25519Key(t, 3), vc.SignOptions{Profile: vc.ProfileSVC, Method: "https://issuer.example/keys#k2"})
	authentic, err := vc.NewKeyring(controller(t, issuerID, issuerMethod, ed25519Key(t, 1).Public(), "assertionMethod", "authentication"))
	require.NoError(t, err)
	mallory, err := vc.NewKeyring(
		controller(t, issuerID, issuerMethod, ed25519Key(t, 1).Public(), "assertionMethod"),
		controller(t, "https://issuer.example/mallory", "https://issuer.example/mallory#k", ed25519Key(t, 9).Public(), "assertionMethod"),
	)
	require.NoError(t, err)
	authority := vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Authority: true}
	for _, tt := range []struct {
		rule     string
		config   vc.Config
		document string
		want     vc.Code
	}{
		{"5 a key that the issuer controls, of the same origin", vc.Config{Keys: mallory, Profile: vc.ProfileSVC},
			sign(t, svcCredential, ed25519Key(t, 9), vc.SignOptions{Profile: vc.ProfileSVC, Method: "https://issuer.example/mallory#k"}), vc.CodeIssuerMismatch},
		{"5 a key that is listed for assertions", vc.Config{Keys: listedFor(t, "authentication"), Profile: vc.ProfileSVC}, signed, vc.CodeIssuerMismatch},
		{"5 a key of the issuer that is listed at all", vc.Config{Keys: listedFor(t), Profile: vc.ProfileSVC, InsecureAnyRelationship: true}, signed, vc.CodeIssuerMismatch},

		{"8 unknown cryptosuite", svc, replaced(t, signed, "eddsa-rdfc-2022", "eddsa-rdfc-2023"), vc.CodeUnknownCryptosuite},
		{"8 a cryptosuite that is not allowed", vc.Config{Keys: parties(t), Profile: vc.ProfileSVC, Suites: []vc.Cryptosuite{vc.ECDSARDFC2019}}, signed, vc.CodeUnknownCryptosuite},
		{"8 a JCS cryptosuite for authority", authority, sign(t, w3cText(alice.id), alice.key, vc.SignOptions{Method: alice.method, Suite: vc.EdDSAJCS2022}), vc.CodeUnknownCryptosuite},
		{"8 wrong proofPurpose", vc.Config{Keys: authentic, Profile: vc.ProfileSVC},
			sign(t, svcCredential, ed25519Key(t, 1), vc.SignOptions{Profile: vc.ProfileSVC, Method: issuerMethod, Purpose: vc.Authentication}), vc.CodeProofPurposeMismatch},
		{"8 proof sets: one of two is forged", two, half, vc.CodeInvalidSignature},
		{"8 proof sets: one of two is another's", two, sign(t, one, ed25519Key(t, 3), vc.SignOptions{Profile: vc.ProfileSVC, Method: "https://other.example/keys#k"}), vc.CodeIssuerMismatch},
		{"8 malformed proofs: null beside a good one", svc, replaced(t, signed[:len(signed)-1]+"]}", `"proof":{`, `"proof":[null,{`), vc.CodeInvalidSignature},
		{"8 malformed proofs: no type", svc, replaced(t, signed, `"type":"DataIntegrityProof",`, ``), vc.CodeInvalidSignature},
		{"8 malformed proofs: another type", svc, replaced(t, signed, `"DataIntegrityProof"`, `"Proof"`), vc.CodeInvalidSignature},
		{"8 a member that the proof does not cover", svc, replaced(t, signed, `"proofPurpose"`, `"nonce":"n","proofPurpose"`), vc.CodeMalformed},
		{"8 no proof", svc, svcCredential, vc.CodeNoProof},
		{"8 several faults: expired before forged", svc, replaced(t, expired(t), `"proofValue":"z`, `"proofValue":"z1`), vc.CodeExpired},
		{"8 several faults: purpose before signature", svc, replaced(t, signed, `"assertionMethod"`, `"authentication"`), vc.CodeProofPurposeMismatch},
		{"8 several faults: control before signature", svc, replaced(t, signed, issuerMethod, issuerMethod+"x"), vc.CodeIssuerMismatch},
		{"8 several faults: shape before validity", svc, replaced(t, expired(t), `"count": 3`, `"count": null`), vc.CodeMalformed},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			r := verify(t, verifier(t, tt.config), tt.document, now)
			require.Equal(t, tt.want, r.Code(), r.Findings())
		})
	}
	require.True(t, verify(t, verifier(t, svc), signed, now).Verified())
	require.True(t, verify(t, verifier(t, two), set, now).Verified())
}

func listedFor(t testing.TB, relationships ...string) *vc.Keyring {
	k, err := vc.NewKeyring(controller(t, issuerID, issuerMethod, ed25519Key(t, 1).Public(), relationships...))
	require.NoError(t, err)
	return k
}

func expired(t testing.TB) string {
	return signSVC(t, replaced(t, svcCredential, `"validUntil": "2026-09-01T00:00:00Z"`, `"validUntil": "2026-07-31T00:00:00Z"`))
}

// TestUnpinnedJSONLD has a row for every rule of section 2.9. The documents of the W3C
// profile are signed as they are, where that is possible, so that only the rule refuses
// them.
func TestUnpinnedJSONLD(t *testing.T) {
	t.Parallel()
	alice := someone(t, vc.Ed25519, 7)
	contexts, err := jsonld.Builtin().With(map[string][]byte{
		"https://vocab.example/":     []byte(`{"@context":{"@vocab":"https://vocab.example/#"}}`),
		"https://prop.example/":      []byte(`{"@context":{"@propagate":true,"extra":"https://extra.example/#extra"}}`),
		"https://protected.example/": []byte(`{"@context":{"VerifiableCredential":"https://evil.example/#x"}}`),
		"https://extra.example/":     []byte(`{"@context":{"extra":"https://extra.example/#extra"}}`),
	})
	require.NoError(t, err)
	v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: contexts, Authority: true})
	for _, tt := range []struct{ rule, from, to string }{
		{"9.1 an @context that does not begin with v2", `"@context":["https://www.w3.org/ns/credentials/v2", `, `"@context":["https://extra.example/","https://www.w3.org/ns/credentials/v2",`},
		{"9.2 a context that is not pinned", `credentials/v2", `, `credentials/v2","https://evil.example/ctx",`},
		{"9.2 an inline context that is not the pinned one", `"schema":"https://schema.org/"`, `"schema":"https://schema.org/","more":"https://more.example/#"`},
		{"9.2 an inline context that maps a term elsewhere", `solid-vc#authorizes"`, `solid-vc#other"`},
		{"9.3 a context below the top", `"credentialSubject":{`, `"credentialSubject":{"@context":{"extra":"https://extra.example/#extra"},`},
		{"9.5 @vocab", `credentials/v2", `, `credentials/v2","https://vocab.example/",`},
		{"9.5 @propagate", `credentials/v2", `, `credentials/v2","https://prop.example/",`},
		{"9.6 a relative IRI", `"http://www.w3.org/ns/odrl/2/read"`, `"read"`},
		{"9.6 a relative id", `"urn:uuid:1"`, `"x"`},
		{"9.7 a term that would be dropped", `"authorizes": `, `"foo":1,"authorizes": `},
		{"9.8 a protected term", `credentials/v2", `, `credentials/v2","https://protected.example/",`},
		{"9.9 a keyword", `"authorizes": `, `"@type":"AgentAuthorizationCredential","authorizes": `},
		{"9.10 a second credential", `"authorizes": `, `"type":"VerifiableCredential","authorizes": `},
		{"9.10 a second issuer", `"authorizes": `, `"https://www.w3.org/2018/credentials#issuer":{"id":"https://evil.example/"},"authorizes": `},
		{"9.10 no id", `"id":"urn:uuid:1",`, ``},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			text := w3cCompact(t, alice.id)
			text = replaced(t, text, tt.from, tt.to)
			signed, err := vc.Sign(t.Context(), []byte(text), alice.key, vc.SignOptions{Method: alice.method, Contexts: contexts})
			if err != nil { // no verifier takes it, so that there is nothing to sign
				good := signW3C(t, w3cText(alice.id), alice)
				signed = []byte(text[:len(text)-1] + good[strings.Index(good, `,"proof":`):])
			}
			r := verify(t, v, string(signed), now)
			require.Equal(t, []vc.Code{vc.CodeMalformed}, r.Codes(), r.Findings())
		})
	}
	require.True(t, verify(t, v, signW3C(t, w3cText(alice.id), alice), now).Verified(), "9 a signature of the W3C profile")
}

// TestUnpinnedStatus has a row for each rule of item 6 on presentations and status lists,
// and the bomb of item 10.
func TestUnpinnedStatus(t *testing.T) {
	t.Parallel()
	alice, bob := someone(t, vc.Ed25519, 7), someone(t, vc.P256, 8)
	entry := func(purpose, index string) string {
		return fmt.Sprintf(`{"type":"BitstringStatusListEntry","statusPurpose":%q,"statusListIndex":%q,"statusListCredential":%q}`, purpose, index, listURL)
	}
	clear := list(t, alice, "revocation")
	encoded := func(with string) string {
		unsigned := unsignedList(t, alice)
		at := strings.Index(unsigned, `"encodedList":"`) + len(`"encodedList":"`)
		return signW3C(t, unsigned[:at]+with+unsigned[at+strings.Index(unsigned[at:], `"`):], alice)
	}
	for _, tt := range []struct{ rule, entry, list string }{
		{"6 status-list signature", entry("revocation", "42"), replaced(t, clear, `"validFrom":"2026-07-01T00:00:00Z"`, `"validFrom":"2026-07-01T00:00:01Z"`)},
		{"6 a status list without a proof", entry("revocation", "42"), unsignedList(t, alice)},
		{"6 a status list by another", entry("revocation", "42"), list(t, bob, "revocation")},
		{"6 list purpose", entry("suspension", "42"), clear},
		{"6 minimum length", entry("revocation", "42"), encoded(compressed(t, make([]byte, 16_383)))},
		{"6 index range", entry("revocation", "131072"), clear},
		{"6 index range, of 32 bits", entry("revocation", "4294967338"), clear},
		{"10 zip bomb", entry("revocation", "42"), encoded(compressed(t, make([]byte, 16<<20+1)))},
		{"10 the address of the list, as after a redirect", entry("revocation", "42"), signW3C(t, replaced(t, unsignedList(t, alice), listURL+`"`, listURL+`/moved"`), alice)},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			text := w3cText(alice.id)
			at, end := strings.Index(text, `"credentialStatus"`), strings.Index(text, `"relatedResource"`)
			document := signW3C(t, text[:at]+`"credentialStatus":`+tt.entry+","+text[end:], alice)
			v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Documents: shelf{listURL: {Content: []byte(tt.list), MediaType: "application/vc"}}})
			r, err := v.CheckStatus(t.Context(), verify(t, v, document, now).Credential(), now)
			require.NoError(t, err)
			require.Equal(t, []vc.Code{vc.CodeStatusRetrievalError}, r.Codes(), r.Findings())
		})
	}

	svc := verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC})
	credential := signSVC(t, svcCredential)
	good := presentSVC(t, credential)
	require.True(t, present(t, svc, good, expected).Verified())
	for _, tt := range []struct {
		rule, document string
		want           vc.Code
	}{
		{"6 VP signature", replaced(t, good, "urn:uuid:vp", "urn:uuid:vq"), vc.CodeInvalidSignature},
		{"6 VP signature, over another credential of the same id", replaced(t, good, credential, signSVC(t, replaced(t, svcCredential, `"count": 3`, `"count": 4`))), vc.CodeInvalidSignature},
		{"6 holder binding", presentSVC(t, signSVC(t, replaced(t, svcCredential, "https://agent.example/#it", "https://other.example/#it"))), vc.CodeHolderUnverified},
		{"6 the holder's key", replaced(t, good, `"holder":"`+holderID+`"`, `"holder":"https://other.example/#it"`), vc.CodeIssuerMismatch},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			r := present(t, svc, tt.document, expected)
			require.Equal(t, tt.want, r.Code(), r.Findings())
		})
	}
}

// TestUnpinnedDigests has a row for each rule of item 10 on digests.
func TestUnpinnedDigests(t *testing.T) {
	t.Parallel()
	const policy = `<#p> a <http://www.w3.org/ns/odrl/2/Agreement> .`
	const location, id = "https://issuer.example/p.ttl", "https://issuer.example/p.ttl#p"
	s256, s384, s512 := sha256.Sum256([]byte(policy)), sha512.Sum384([]byte(policy)), sha512.Sum512([]byte(policy))
	b64 := base64.StdEncoding.EncodeToString
	flipped := func(b []byte) []byte { return append([]byte{b[0] ^ 1}, b[1:]...) }
	multihash := func(code byte, digest []byte) string {
		return "z" + base58.Encode(append([]byte{code, byte(len(digest))}, digest...))
	}
	resource := func(id, digests string) string { return `{"id":"` + id + `",` + digests + `}` }
	old := svcCredential[strings.Index(svcCredential, `"relatedResource"`) : len(svcCredential)-2]
	for _, tt := range []struct {
		rule, related string
		bound         bool
	}{
		{"10 digestMultibase", resource(id, `"digestMultibase":"`+multihash(0x12, s256[:])+`"`), true},
		{"10 digestMultibase that differs", resource(id, `"digestMultibase":"`+multihash(0x12, flipped(s256[:]))+`"`), false},
		{"10 digestMultibase of sha2-384", resource(id, `"digestMultibase":"`+multihash(0x20, s384[:])+`"`), true},
		{"10 sha384", resource(id, `"digestSRI":"sha384-`+b64(s384[:])+`"`), true},
		{"10 sha384 that differs", resource(id, `"digestSRI":"sha384-`+b64(flipped(s384[:]))+`"`), false},
		{"10 sha512", resource(id, `"digestSRI":"sha512-`+b64(s512[:])+`"`), true},
		{"10 sha512 that differs", resource(id, `"digestSRI":"sha512-`+b64(flipped(s512[:]))+`"`), false},
		{"10 one of both digests differs", resource(id, `"digestSRI":"sha256-`+b64(s256[:])+`","digestMultibase":"`+multihash(0x12, flipped(s256[:]))+`"`), false},
		{"10 several related resources, the policy's second", "[" + resource("urn:other", `"digestSRI":"sha256-`+b64(flipped(s256[:]))+`"`) + "," + resource(id, `"digestSRI":"sha256-`+b64(s256[:])+`"`) + "]", true},
		{"10 several related resources, the policy's differs", "[" + resource("urn:other", `"digestSRI":"sha256-`+b64(s256[:])+`"`) + "," + resource(id, `"digestSRI":"sha256-`+b64(flipped(s256[:]))+`"`) + "]", false},
		{"10 several related resources, none the policy's", "[" + resource("urn:other", `"digestSRI":"sha256-`+b64(s256[:])+`"`) + "," + resource("urn:another", `"digestSRI":"sha256-`+b64(s256[:])+`"`) + "]", false},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			v := verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC, Documents: shelf{location: {Content: []byte(policy), MediaType: "text/turtle"}}})
			c := verify(t, v, signSVC(t, replaced(t, svcCredential, old, `"relatedResource":`+tt.related)), now).Credential()
			require.NotNil(t, c)
			b, err := v.BindPolicy(t.Context(), c, vc.BindOptions{})
			require.NoError(t, err)
			require.Equal(t, tt.bound, b.Bound(), b.Findings())
		})
	}
}
