package vc_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// TestCryptosuites has every suite with every type of key that it uses: what is signed
// verifies, but not under the other suites or with other keys.
func TestCryptosuites(t *testing.T) {
	t.Parallel()
	for _, typ := range []vc.KeyType{vc.Ed25519, vc.P256, vc.P384} {
		for _, suite := range vc.Cryptosuites() {
			t.Run(typ.String()+"/"+string(suite), func(t *testing.T) {
				t.Parallel()
				alice := someone(t, typ, 3)
				options := vc.SignOptions{Suite: suite, Method: alice.method, Created: now, Contexts: jsonld.Builtin()}
				signed, err := vc.Sign(t.Context(), []byte(w3cText(alice.id)), alice.key, options)
				if strings.HasPrefix(string(suite), "eddsa") != (typ == vc.Ed25519) {
					require.ErrorContains(t, err, "key is of type")
					// A proof that names another suite.
					signed, err = vc.Sign(t.Context(), []byte(w3cText(alice.id)), alice.key, vc.SignOptions{Method: alice.method, Contexts: jsonld.Builtin()})
					require.NoError(t, err)
					name := `"cryptosuite":"ecdsa-rdfc-2019"`
					if typ == vc.Ed25519 {
						name = `"cryptosuite":"eddsa-rdfc-2022"`
					}
					v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin()})
					r := verify(t, v, replaced(t, string(signed), name, `"cryptosuite":"`+string(suite)+`"`), now)
					assert.Equal(t, []vc.Code{vc.CodeInvalidSignature}, r.Codes())
					return
				}
				require.NoError(t, err)
				v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin()})
				r := verify(t, v, string(signed), now)
				require.True(t, r.Verified(), r.Findings())
				assert.Equal(t, suite, r.Credential().Proofs()[0].Cryptosuite)
				_, _, ok := r.Credential().Graph()
				assert.True(t, ok)
				authority := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Authority: true})
				strict := verify(t, authority, string(signed), now)
				if strings.Contains(string(suite), "jcs") {
					assert.Equal(t, []vc.Code{vc.CodeUnknownCryptosuite}, strict.Codes())
				} else {
					assert.True(t, strict.Verified(), strict.Findings())
				}
				for _, other := range vc.Cryptosuites() {
					if other != suite {
						only := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Suites: []vc.Cryptosuite{other}})
						assert.Equal(t, []vc.Code{vc.CodeUnknownCryptosuite}, verify(t, only, string(signed), now).Codes())
					}
				}
				// The nonce depends on the key and the document, or is random.
				again, err := vc.Sign(t.Context(), []byte(w3cText(alice.id)), alice.key, options)
				require.NoError(t, err)
				assert.Equal(t, string(signed), string(again))
			})
		}
	}
	// The SVC profile has the RDFC suites.
	for _, typ := range []vc.KeyType{vc.P256, vc.P384} {
		k := key(t, typ, 4)
		keys, err := vc.NewKeyring(controller(t, issuerID, issuerMethod, k.Public(), "assertionMethod"))
		require.NoError(t, err)
		signed := sign(t, svcCredential, k, vc.SignOptions{Profile: vc.ProfileSVC, Method: issuerMethod})
		r := verify(t, verifier(t, vc.Config{Keys: keys, Profile: vc.ProfileSVC}), signed, now)
		assert.True(t, r.Verified(), r.Findings())
	}
	v := verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC})
	jcs := replaced(t, signSVC(t, svcCredential), "eddsa-rdfc-2022", "eddsa-jcs-2022")
	assert.Equal(t, []vc.Code{vc.CodeUnknownCryptosuite}, verify(t, v, jcs, now).Codes())
	_, err := vc.Sign(t.Context(), []byte(svcCredential), ed25519Key(t, 1), vc.SignOptions{Profile: vc.ProfileSVC, Suite: vc.EdDSAJCS2022, Method: issuerMethod})
	require.Error(t, err)
}

// A document is only verified under the profile that is configured, and a signature in one
// profile is not valid in the other.
func TestProfiles(t *testing.T) {
	t.Parallel()
	alice := someone(t, vc.Ed25519, 7)
	svc, w3c := signSVC(t, svcCredential), signW3C(t, w3cText(alice.id), alice)
	keys := vc.Resolvers{parties(t), vc.DIDKeys{}}
	for _, tt := range []struct {
		profile  vc.Profile
		svc, w3c bool
	}{{vc.ProfileW3C, false, true}, {vc.ProfileSVC, true, false}, {vc.ProfileAuto, true, true}} {
		v := verifier(t, vc.Config{Keys: keys, Profile: tt.profile, Contexts: jsonld.Builtin()})
		assert.Equal(t, tt.svc, verify(t, v, svc, now).Verified(), tt.profile)
		assert.Equal(t, tt.w3c, verify(t, v, w3c, now).Verified(), tt.profile)
		byName, ok := vc.ProfileByName(tt.profile.String())
		assert.True(t, ok)
		assert.Equal(t, tt.profile, byName)
	}
	_, ok := vc.ProfileByName("none")
	assert.False(t, ok)
}

// TestProofRules has steps 7 to 12 of the order of checks, on proofs that are otherwise
// good.
func TestProofRules(t *testing.T) {
	t.Parallel()
	signed := signSVC(t, svcCredential)
	v := verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC})
	lax := verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC, InsecureAnyRelationship: true})
	invalid := []vc.Code{vc.CodeInvalidSignature}
	for _, tt := range []struct {
		name, from, to string
		want           []vc.Code
	}{
		{"type", `"DataIntegrityProof"`, `"Ed25519Signature2020"`, invalid},
		{"no suite", `"cryptosuite":"eddsa-rdfc-2022",`, ``, invalid},
		{"suite no string", `"eddsa-rdfc-2022"`, `1`, invalid},
		{"unknown suite", `"eddsa-rdfc-2022"`, `"EDDSA-rdfc-2022"`, []vc.Code{vc.CodeUnknownCryptosuite}},
		{"suite of other software", `"eddsa-rdfc-2022"`, `"ecdsa-sd-2023"`, []vc.Code{vc.CodeUnknownCryptosuite}},
		{"purpose", `"assertionMethod"`, `"authentication"`, []vc.Code{vc.CodeProofPurposeMismatch, vc.CodeInvalidSignature}},
		{"purpose of another namespace", `"assertionMethod"`, `"https://evil.example/#assertionMethod"`, []vc.Code{vc.CodeProofPurposeMismatch, vc.CodeInvalidSignature}},
		{"no purpose", `"proofPurpose":"assertionMethod",`, ``, invalid},
		{"unknown method", `keys#k1"`, `keys#k2"`, []vc.Code{vc.CodeIssuerMismatch}},
		{"prefix of the issuer", issuerMethod, issuerID, []vc.Code{vc.CodeIssuerMismatch}},
		{"relative method", `"` + issuerMethod + `"`, `"k1"`, invalid},
		{"value is base64", `"proofValue":"z`, `"proofValue":"u`, invalid},
		{"value is not base58", `"proofValue":"z`, `"proofValue":"z0`, invalid},
		{"value is short", `"proofValue":"z`, `"proofValue":"z2","challenge":"`, invalid},
		{"value is long", `"proofValue":"z`, `"proofValue":"z` + strings.Repeat("2", 200), invalid},
		{"no value", `"proofValue"`, `"challenge"`, invalid},
		{"created no time", `"2026-08-01T11:00:00Z"`, `"yesterday"`, invalid},
		{"created without zone", `"2026-08-01T11:00:00Z"`, `"2026-08-01T11:00:00"`, invalid},
		{"created removed", `"created":"2026-08-01T11:00:00Z",`, ``, invalid},
		{"created changed", `"2026-08-01T11:00:00Z"`, `"2026-08-01T11:00:01Z"`, invalid},
		{"challenge added", `"proofPurpose":`, `"challenge":"x","proofPurpose":`, invalid},
		{"domain added", `"proofPurpose":`, `"domain":"x","proofPurpose":`, invalid},
		{"domain set", `"proofPurpose":`, `"domain":["x"],"proofPurpose":`, invalid},
		{"null in an array", `"proof":{`, `"proof":[null,{`, invalid},
		{"empty array", `"proof":{`, `"proof":[],"credentialStatus":{`, []vc.Code{vc.CodeMalformed}},
	} {
		text := replaced(t, signed, tt.from, tt.to)
		if strings.HasSuffix(tt.to, "[null,{") {
			text = text[:len(text)-1] + "]}"
		}
		assert.Equal(t, tt.want, verify(t, v, text, now).Codes(), tt.name)
	}
	assert.Equal(t, []vc.Code{vc.CodeNoProof}, verify(t, v, svcCredential[:len(svcCredential)-2]+`,"proof":[]}`, now).Codes())
	assert.Equal(t, []vc.Code{vc.CodeNoProof}, verify(t, v, svcCredential[:len(svcCredential)-2]+`,"proof":null}`, now).Codes())

	// The purpose may be written as a full IRI.
	full := sign(t, svcCredential, ed25519Key(t, 1), vc.SignOptions{Profile: vc.ProfileSVC, Method: issuerMethod, Purpose: "https://w3id.org/security#assertionMethod"})
	assert.True(t, verify(t, v, full, now).Verified())
	// A key that is only for authentication issues nothing, unless purposes are not checked.
	keys, err := vc.NewKeyring(controller(t, issuerID, issuerMethod, ed25519Key(t, 1).Public(), "authentication"))
	require.NoError(t, err)
	assert.Equal(t, []vc.Code{vc.CodeIssuerMismatch}, verify(t, verifier(t, vc.Config{Keys: keys, Profile: vc.ProfileSVC}), signed, now).Codes())
	assert.True(t, verify(t, verifier(t, vc.Config{Keys: keys, Profile: vc.ProfileSVC, InsecureAnyRelationship: true}), signed, now).Verified())
	keys, err = vc.NewKeyring(controller(t, issuerID, issuerMethod, ed25519Key(t, 1).Public()))
	require.NoError(t, err)
	assert.Equal(t, []vc.Code{vc.CodeIssuerMismatch}, verify(t, verifier(t, vc.Config{Keys: keys, Profile: vc.ProfileSVC, InsecureAnyRelationship: true}), signed, now).Codes())
	assert.True(t, verify(t, lax, signed, now).Verified())

	// created may lie ahead as far as clocks differ.
	for ahead, want := range map[time.Duration]bool{5 * time.Minute: true, 5*time.Minute + time.Second: false} {
		early := sign(t, svcCredential, ed25519Key(t, 1), vc.SignOptions{Profile: vc.ProfileSVC, Method: issuerMethod, Created: now.Add(ahead)})
		r := verify(t, v, early, now)
		assert.Equal(t, want, r.Verified(), ahead)
		if !want {
			assert.Equal(t, invalid, r.Codes())
		}
	}
}

// Members of proofs that only the W3C profile has: all of them are signed.
func TestProofMembersW3C(t *testing.T) {
	t.Parallel()
	alice := someone(t, vc.Ed25519, 7)
	v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin()})
	for _, suite := range []vc.Cryptosuite{vc.EdDSARDFC2022, vc.EdDSAJCS2022} {
		signed := sign(t, w3cText(alice.id), alice.key, vc.SignOptions{
			Method: alice.method, Suite: suite, ID: "urn:uuid:proof", Expires: now.Add(time.Hour), Nonce: "n-1", Challenge: "c", Domain: []string{"a.example", "b.example"},
		})
		require.True(t, verify(t, v, signed, now).Verified(), suite)
		assert.True(t, verify(t, v, signed, now.Add(time.Hour)).Verified())
		assert.Equal(t, []vc.Code{vc.CodeExpired}, verify(t, v, signed, now.Add(time.Hour+time.Second)).Codes())
		for from, to := range map[string]string{
			"urn:uuid:proof": "urn:uuid:other", "n-1": "n-2", `"challenge":"c"`: `"challenge":"d"`, "b.example": "c.example",
			"2026-08-01T13:00:00Z": "2026-08-01T14:00:00Z",
		} {
			assert.Equal(t, []vc.Code{vc.CodeInvalidSignature}, verify(t, v, replaced(t, signed, from, to), now).Codes(), from)
		}
		// What no context defines is not covered by an RDFC signature, and is refused.
		assert.Equal(t, []vc.Code{vc.CodeInvalidSignature}, verify(t, v, replaced(t, signed, `"nonce"`, `"more":1,"nonce"`), now).Codes())
	}
	// An end by another name would be signed, and not looked at.
	long := replaced(t, w3cText(alice.id), `"authorizes":{`, `"best":"https://www.w3.org/2018/credentials#validUntil","last":"https://schema.org/endDate","authorizes":{`)
	for member, want := range map[string]string{
		`"validUntil":"2026-07-01T00:00:00Z"`:                        "the member validUntil may begin or end the proof and is not known",
		`"https://w3id.org/security#expiration":"2026-07-01T00:00Z"`: "the member https://w3id.org/security#expiration may begin or end the proof and is not known",
		`"exp":1600000000`: "the member exp may begin or end the proof and is not known",
		`"https://www.iana.org/assignments/jwt#nbf":1900000000`: "the member https://www.iana.org/assignments/jwt#nbf may begin or end the proof and is not known",
		`"best":"2026-07-01T00:00:00Z"`:                         "its graph has <https://www.w3.org/2018/credentials#validUntil>, which may begin or end the proof and is not known",
		`"last":"2026-07-01"`:                                   "its graph has <https://schema.org/endDate>, which may begin or end the proof and is not known",
		`"https://schema.org/endDate":"2026-07-01"`:             "the member https://schema.org/endDate may begin or end the proof and is not known",
	} {
		for _, suite := range []vc.Cryptosuite{vc.EdDSARDFC2022, vc.EdDSAJCS2022} {
			signed := sign(t, long, alice.key, vc.SignOptions{Method: alice.method, Suite: suite})
			r := verify(t, v, replaced(t, signed, `"proofPurpose"`, member+`,"proofPurpose"`), now)
			require.Equal(t, []vc.Code{vc.CodeInvalidSignature}, r.Codes())
			if suite == vc.EdDSARDFC2022 || strings.HasPrefix(want, "the member") {
				assert.Contains(t, r.Findings()[0].Text, want)
			}
		}
	}
	// A proof with a context that the document does not have would not be covered.
	signed := signW3C(t, w3cText(alice.id), alice)
	own := replaced(t, signed, `"proofPurpose"`, `"@context":["https://www.w3.org/ns/credentials/v2"],"proofPurpose"`)
	assert.Equal(t, []vc.Code{vc.CodeInvalidSignature}, verify(t, v, own, now).Codes())
}

// TestProofByOtherNames rewrites proofs so that their graph stays as it was signed: an
// option that is not found under its name must not count as one that is not there.
func TestProofByOtherNames(t *testing.T) {
	t.Parallel()
	alice := someone(t, vc.Ed25519, 7)
	const (
		sec    = "https://w3id.org/security#"
		chosen = `["https://www.w3.org/ns/credentials/v2"]`
		// What the terms of the two contexts mean, but for one purpose.
		swapped = `{"id":"@id","type":"@type","VerifiablePresentation":"https://www.w3.org/2018/credentials#VerifiablePresentation","holder":{"@id":"https://www.w3.org/2018/credentials#holder","@type":"@id"},` +
			`"DataIntegrityProof":"` + sec + `DataIntegrityProof","cryptosuite":{"@id":"` + sec + `cryptosuite","@type":"` + sec + `cryptosuiteString"},"challenge":"` + sec + `challenge","domain":"` + sec + `domain",` +
			`"created":{"@id":"http://purl.org/dc/terms/created","@type":"http://www.w3.org/2001/XMLSchema#dateTime"},"verificationMethod":{"@id":"` + sec + `verificationMethod","@type":"@id"},` +
			`"proofPurpose":{"@id":"` + sec + `proofPurpose","@type":"@vocab"},"assertionMethod":"` + sec + `authenticationMethod"}`
	)
	document := `{"@context":` + chosen + `,"id":"urn:uuid:vp","type":["VerifiablePresentation"],"holder":"` + alice.id + `"}`
	o := vc.SignOptions{Method: alice.method, ID: "urn:uuid:proof", Expires: now.Add(time.Hour), Challenge: "c", Domain: []string{"a.example", "b.example"}}
	signed := sign(t, document, alice.key, o)
	o.ID, o.Expires = "", time.Time{}
	bare := sign(t, document, alice.key, o)
	v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin()})
	check := func(text string, purpose vc.Purpose, domain ...string) (proofs, presentation []vc.Code) {
		t.Helper()
		r, err := v.VerifyProofsBy(t.Context(), []byte(text), alice.id, purpose, now)
		require.NoError(t, err)
		p, err := v.VerifyPresentation(t.Context(), []byte(text), vc.Expected{Challenge: "c", Domain: domain}, now)
		require.NoError(t, err)
		return r.Codes(), p.Codes()
	}
	for _, text := range []string{signed, bare} {
		proofs, presentation := check(text, vc.Authentication, "a.example", "b.example")
		require.Empty(t, append(proofs, presentation...))
	}
	const expires = `"expires":"2026-08-01T13:00:00Z"`
	when := `{"@type":"http://www.w3.org/2001/XMLSchema#dateTime","@value":"2026-08-01T13:00:00Z"}`
	const domains = `"domain":["a.example","b.example"]`
	for _, tt := range []struct{ name, from, to string }{
		{"expires by its IRI", expires, `"` + sec + `expiration":` + when},
		{"expires on the node", expires, `"@included":[{"id":"urn:uuid:proof","` + sec + `expiration":` + when + `}]`},
		{"one of two domains by its IRI", domains, `"domain":"a.example","` + sec + `domain":"b.example"`},
		{"all domains by their IRI", domains, `"` + sec + `domain":["a.example","b.example"]`},
		{"challenge by its IRI", `"challenge":"c"`, `"` + sec + `challenge":"c"`},
		{"created by its IRI", `"created":"2026-08-01T11:00:00Z"`, `"http://purl.org/dc/terms/created":{"@type":"http://www.w3.org/2001/XMLSchema#dateTime","@value":"2026-08-01T11:00:00Z"}`},
	} {
		text := replaced(t, signed, tt.from, tt.to)
		for _, domain := range [][]string{{"a.example", "b.example"}, {"a.example"}} {
			proofs, presentation := check(text, vc.Authentication, domain...)
			assert.Equal(t, []vc.Code{vc.CodeInvalidSignature}, proofs, tt.name)
			assert.Contains(t, presentation, vc.CodeInvalidSignature, tt.name)
		}
	}
	// Under another context the same text has another purpose.
	text := replaced(t, replaced(t, bare, chosen, swapped), `"proofPurpose":"authentication"`, `"proofPurpose":"assertionMethod"`)
	proofs, _ := check(text, vc.AssertionMethod, "a.example", "b.example")
	assert.Equal(t, []vc.Code{vc.CodeInvalidSignature}, proofs)
	// What means the same is accepted.
	proofs, _ = check(replaced(t, bare, chosen, replaced(t, swapped, `"assertionMethod"`, `"authentication"`)), vc.Authentication, "a.example")
	assert.Empty(t, proofs)
	proofs, presentation := check(replaced(t, bare, domains, `"domain":["b.example","a.example"]`), vc.Authentication, "a.example", "b.example")
	assert.Empty(t, append(proofs, presentation...))
}

// For JCS proofs the context of the document must begin with that of the proof. The
// latter is signed, and the claims are read with it.
func TestJCSContexts(t *testing.T) {
	t.Parallel()
	alice := someone(t, vc.Ed25519, 7)
	contexts, err := jsonld.Builtin().With(map[string][]byte{"https://extra.example/": []byte(`{"@context":{"extra":"https://extra.example/#extra"}}`)})
	require.NoError(t, err)
	v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: contexts})
	strict := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: contexts, Authority: true, Suites: []vc.Cryptosuite{vc.EdDSAJCS2022}})
	signed := sign(t, w3cText(alice.id), alice.key, vc.SignOptions{Method: alice.method, Suite: vc.EdDSAJCS2022})
	claims := func(r *vc.Report) []string {
		require.True(t, r.Verified(), r.Findings())
		return r.Credential().Types()
	}
	want := claims(verify(t, v, signed, now))
	require.NotEmpty(t, want)
	assert.Equal(t, want, claims(verify(t, strict, signed, now)))

	longer := replaced(t, signed, `}],"id"`, `},"https://extra.example/"],"id"`)
	assert.Equal(t, want, claims(verify(t, v, longer, now)))
	shorter := replaced(t, signed, `"https://www.w3.org/ns/credentials/v2", {`, `"https://www.w3.org/ns/credentials/v2"],"x":[{`)
	assert.NotEmpty(t, verify(t, v, shorter, now).Codes())
	other := replaced(t, signed, `"svc":"https://w3id.org/jeswr/solid-vc#"`, `"svc":"https://evil.example/#"`)
	assert.Equal(t, []vc.Code{vc.CodeInvalidSignature}, verify(t, v, other, now).Codes())

	// Claims that cannot be read as RDF: the credential is verified and reported to be
	// unreadable, and is refused for authority.
	lossy := sign(t, replaced(t, w3cText(alice.id), `"target": `, `"undefined":1.5,"target": `), alice.key, vc.SignOptions{Method: alice.method, Suite: vc.EdDSAJCS2022})
	r := verify(t, v, lossy, now)
	require.True(t, r.Verified(), r.Findings())
	_, _, ok := r.Credential().Graph()
	assert.False(t, ok)
	assert.True(t, r.Credential().HasStatus(), "that there is a status is not lost")
	assert.Empty(t, r.Credential().Claims("https://w3id.org/jeswr/solid-vc#authorizes"))
	assert.True(t, r.Credential().Subject().IsZero())
	_, err = r.Credential().Digest(t.Context())
	require.Error(t, err)
	status, err := v.CheckStatus(t.Context(), r.Credential(), now)
	require.NoError(t, err)
	assert.Equal(t, []vc.Code{vc.CodeStatusRetrievalError}, status.Codes())
	binding, err := v.BindPolicy(t.Context(), r.Credential(), vc.BindOptions{})
	require.NoError(t, err)
	assert.Equal(t, []vc.Code{vc.CodePolicyIntegrity}, binding.Codes())
	assert.Equal(t, []vc.Code{vc.CodeMalformed}, verify(t, strict, lossy, now).Codes())
	// Times that are not looked at: no reader of claims would find them, and the credential
	// would have no end.
	const late = `"2026-07-01T00:00:00Z"`
	forever := replaced(t, w3cText(alice.id), `"validUntil": "2026-09-01T00:00:00Z",`, "")
	forever = replaced(t, forever, `"authorizes":{`, `"best":{"@id":"https://www.w3.org/2018/credentials#validUntil","@type":"http://www.w3.org/2001/XMLSchema#dateTime"},"authorizes":{`)
	for _, member := range []string{
		`"exp":1600000000`, `"nbf":1900000000`, `"exp":1600000000,"undefined":1`, `"expirationDate":` + late, `"issuanceDate":` + late, `"https://www.iana.org/assignments/jwt#exp":1600000000`,
		`"https://www.w3.org/2018/credentials#validUntil":` + late, `"https://www.w3.org/2018/credentials#validUntil":` + late + `,"undefined":1`, `"best":` + late, `"best":` + late + `,"undefined":1`,
		`"expires":` + late, `"valid_until":` + late, `"revoked":true`, `"active":false`, `"withdrawn":{"reason":"lost"}`, `"https://schema.org/expires":` + late, `"https://schema.org/endDate":"2026-07-01"`, `"contract_end_date":"2026-07-01"`,
	} {
		document := sign(t, forever, alice.key, vc.SignOptions{Method: alice.method, Suite: vc.EdDSAJCS2022})
		document = replaced(t, document, `"id":"urn:uuid:1"`, `"id":"urn:uuid:1",`+member)
		assert.Equal(t, vc.CodeMalformed, verify(t, v, document, now).Code(), member)
	}
	// It goes on, and another credential in it has ended.
	for _, member := range []string{
		`"revoked":false`, `"active":true`, `"undefined":1`,
		`"evidence":{"id":"urn:e","type":"VerifiableCredential","https://www.w3.org/2018/credentials#expirationDate":` + late + `}`,
		`"evidence":{"id":"urn:e","type":"VerifiableCredential","https://www.w3.org/2018/credentials#expirationDate":` + late + `},"undefined":1`,
	} {
		document := replaced(t, forever, `"id": "urn:uuid:1"`, `"id":"urn:uuid:1",`+member)
		document = sign(t, document, alice.key, vc.SignOptions{Method: alice.method, Suite: vc.EdDSAJCS2022})
		assert.Empty(t, verify(t, v, document, now).Findings(), member)
	}
	// A context that was added after the signature does not take the status away.
	const inline = `"authorizes":{`
	named := replaced(t, replaced(t, w3cText(alice.id), `"credentialStatus": `, `"state": `), inline, `"state":{"@id":"https://www.w3.org/2018/credentials#credentialStatus","@type":"@id"},`+inline)
	named = sign(t, replaced(t, named, `"target": `, `"undefined":1.5,"target": `), alice.key, vc.SignOptions{Method: alice.method, Suite: vc.EdDSAJCS2022})
	for _, text := range []string{named, replaced(t, named, `}],"id"`, `},{"state":null}],"id"`), replaced(t, named, `}],"id"`, `},{"state":"https://extra.example/#state"}],"id"`)} {
		r := verify(t, v, text, now)
		require.True(t, r.Verified(), r.Findings())
		status, err := v.CheckStatus(t.Context(), r.Credential(), now)
		require.NoError(t, err)
		assert.Equal(t, []vc.Code{vc.CodeStatusRetrievalError}, status.Codes())
	}

	// A number in another form has the same signature. It does not make claims unreadable
	// that were readable.
	many := replaced(t, w3cText(alice.id), `"authorizes":{`, `"many":"https://extra.example/#many","authorizes":{`)
	many = sign(t, replaced(t, many, `"target": `, `"many":9007199254740992,"target": `), alice.key, vc.SignOptions{Method: alice.method, Suite: vc.EdDSAJCS2022})
	for text, codes := range map[string][]vc.Code{"9007199254740992": nil, "9007199254740992.0": nil, "9007199254740993.0": {vc.CodeMalformed}, "9007199254740993e0": {vc.CodeMalformed}} {
		r := verify(t, v, replaced(t, many, `"many":9007199254740992`, `"many":`+text), now)
		assert.Equal(t, codes, r.Codes(), text)
		if codes == nil {
			assert.Equal(t, want, claims(r))
		}
	}
	// Numbers that readers may round differently.
	for text, ok := range map[string]bool{"9007199254740993": false, "9007199254740992": true, "100000000000000000000": true, "100000000000000000001": false, "1e21": true, "0.1": true,
		"9007199254740992.0": true, "9007199254740993.0": false, "9007199254740993e0": false, "90071992547409930E-1": false, "9.007199254740992e+15": true, "1e-400": false, "-1e-99999999999999999999": false,
		"0e99999999999999999999": true, "-0.0": true, "10e-1": true, "1.00": true, "1.0000000000000000000001": false, "0.10000000000000000000001": true, "100000000000000000001e1": true, "1e20": true, "1000000000000000000001": false} {
		document := replaced(t, w3cText(alice.id), `"target": `, `"undefined":`+text+`,"target": `)
		_, err := vc.Sign(t.Context(), []byte(document), alice.key, vc.SignOptions{Method: alice.method, Suite: vc.EdDSAJCS2022, Contexts: contexts})
		assert.Equal(t, ok, err == nil, text)
	}
}

// counting is a Resolver that counts what it is asked.
type counting struct {
	vc.Resolver
	asked map[string]int
}

func (c counting) Controller(ctx context.Context, id string) (*vc.Controller, error) {
	c.asked[id]++
	return c.Resolver.Controller(ctx, id)
}

// The keys of a party are asked for once in a call, and again in the next one.
func TestKeysOnce(t *testing.T) {
	t.Parallel()
	alice := someone(t, vc.Ed25519, 7)
	var all []string
	for _, id := range []string{"urn:uuid:1", "urn:uuid:2"} {
		all = append(all, sign(t, about(t, alice, alice, id), alice.key, vc.SignOptions{Method: alice.method, Nonce: "n"}))
	}
	text := sign(t, `{"@context":["https://www.w3.org/ns/credentials/v2"],"type":["VerifiablePresentation"],"holder":"`+alice.id+`","verifiableCredential":[`+strings.Join(all, ",")+`]}`,
		alice.key, vc.SignOptions{Method: alice.method, Challenge: expected.Challenge, Domain: expected.Domain})
	for _, tt := range []struct {
		name     string
		keys     vc.Resolver
		verified bool
	}{{"known", vc.DIDKeys{}, true}, {"unknown", vc.Resolvers{}, false}} {
		keys := counting{tt.keys, map[string]int{}}
		v := verifier(t, vc.Config{Keys: keys, Contexts: jsonld.Builtin()})
		for n := range 2 {
			assert.Equal(t, tt.verified, present(t, v, text, expected).Verified(), tt.name)
			assert.Equal(t, map[string]int{alice.id: n + 1}, keys.asked, tt.name)
		}
	}
}

// TestProofSets: every proof of a set must be good and the issuer's own.
func TestProofSets(t *testing.T) {
	t.Parallel()
	keys, err := vc.NewKeyring(mustController(t, issuerID, "https://issuer.example/keys#k1", "https://issuer.example/keys#k2"))
	require.NoError(t, err)
	v := verifier(t, vc.Config{Keys: keys, Profile: vc.ProfileSVC})
	one := sign(t, svcCredential, ed25519Key(t, 1), vc.SignOptions{Profile: vc.ProfileSVC, Method: "https://issuer.example/keys#k1"})
	two := sign(t, one, ed25519Key(t, 2), vc.SignOptions{Profile: vc.ProfileSVC, Method: "https://issuer.example/keys#k2"})
	r := verify(t, v, two, now)
	require.True(t, r.Verified(), r.Findings())
	assert.Len(t, r.Credential().Proofs(), 2)
	foreign := sign(t, one, ed25519Key(t, 3), vc.SignOptions{Profile: vc.ProfileSVC, Method: "https://other.example/keys#k"})
	r = verify(t, v, foreign, now)
	assert.Equal(t, []vc.Code{vc.CodeIssuerMismatch}, r.Codes())
	assert.Equal(t, 2, r.Findings()[0].Proof)
	twice := replaced(t, one, `"proof":{`, `"proof":[{`)
	twice = twice[:len(twice)-1] + "," + one[strings.Index(one, `"proof":`)+len(`"proof":`):len(one)-1] + "]}"
	assert.Equal(t, []vc.Code{vc.CodeMalformed}, verify(t, v, twice, now).Codes(), "a proof that is repeated")
	forged := sign(t, one, ed25519Key(t, 3), vc.SignOptions{Profile: vc.ProfileSVC, Method: "https://issuer.example/keys#k2"})
	assert.Equal(t, []vc.Code{vc.CodeInvalidSignature}, verify(t, v, forged, now).Codes())
}

// mustController is a document with two keys, of the parties 1 and 2.
func mustController(t *testing.T, id, m1, m2 string) *vc.Controller {
	method := func(id, m string, n byte) map[string]any {
		return map[string]any{"id": m, "type": "Multikey", "controller": id, "publicKeyMultibase": ed25519Key(t, n).Public().Multikey()}
	}
	text, err := json.Marshal(map[string]any{"id": id, "assertionMethod": []any{m1, method(id, m2, 2)}, "verificationMethod": []any{method(id, m1, 1)}})
	require.NoError(t, err)
	c, err := vc.ParseController(text, vc.Limits{})
	require.NoError(t, err)
	return c
}

// Proof chains of the W3C profile by one issuer; authority refuses them.
func TestProofChains(t *testing.T) {
	t.Parallel()
	alice := someone(t, vc.Ed25519, 7)
	v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin()})
	strict := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Authority: true})
	for _, suite := range []vc.Cryptosuite{vc.EdDSARDFC2022, vc.EdDSAJCS2022} {
		first := sign(t, w3cText(alice.id), alice.key, vc.SignOptions{Method: alice.method, Suite: suite, ID: "urn:uuid:p1"})
		chain := sign(t, first, alice.key, vc.SignOptions{Method: alice.method, Suite: suite, ID: "urn:uuid:p2", PreviousProof: []string{"urn:uuid:p1"}})
		r := verify(t, v, chain, now)
		require.True(t, r.Verified(), r.Findings())
		require.Len(t, r.Credential().Proofs(), 2)
		assert.Equal(t, []vc.Code{vc.CodeInvalidSignature}, verify(t, v, replaced(t, chain, `"previousProof":"urn:uuid:p1"`, `"previousProof":"urn:uuid:p2"`), now).Codes())
		assert.Equal(t, []vc.Code{vc.CodeInvalidSignature}, verify(t, v, replaced(t, chain, `"previousProof":"urn:uuid:p1"`, `"previousProof":"urn:uuid:p3"`), now).Codes())
		assert.Equal(t, []vc.Code{vc.CodeInvalidSignature}, verify(t, v, replaced(t, chain, `"previousProof":"urn:uuid:p1"`, `"previousProof":[]`), now).Codes())
		assert.NotEmpty(t, verify(t, strict, chain, now).Codes())
		// A long proof that is named many times would be as long as both together.
		for _, names := range []string{strings.Repeat(`"urn:uuid:p1",`, 4_000), `"a","b","c","d",`} {
			many := replaced(t, chain, `"previousProof":"urn:uuid:p1"`, `"previousProof":[`+names+`"urn:uuid:p1"]`)
			r = verify(t, v, many, now)
			require.Len(t, r.Findings(), 1)
			assert.Equal(t, "expected each previous proof once", r.Findings()[0].Text)
		}
		o := vc.SignOptions{Method: alice.method, Suite: suite, ID: "urn:uuid:p1", Challenge: "c-1", Domain: []string{"https://verifier.example/"}}
		first = sign(t, `{"@context":["https://www.w3.org/ns/credentials/v2"],"id":"urn:uuid:vp","type":["VerifiablePresentation"],"holder":"`+alice.id+
			`","verifiableCredential":[`+about(t, alice, alice, "urn:uuid:1")+`]}`, alice.key, o)
		o.ID, o.PreviousProof = "urn:uuid:p2", []string{"urn:uuid:p1"}
		chain = sign(t, first, alice.key, o)
		p := present(t, verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Authority: true, Suites: vc.Cryptosuites()}), chain, expected)
		require.NotEmpty(t, p.Findings())
		assert.Equal(t, "expected a proof that builds on no other", p.Findings()[0].Text)
	}
}

// TestPinnedSignatures compares the signatures of one document by fixed keys with known
// ones, so that signing and verifying cannot change what is hashed at the same time.
func TestPinnedSignatures(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		typ     vc.KeyType
		suite   vc.Cryptosuite
		profile vc.Profile
		want    string
	}{
		{vc.Ed25519, vc.EdDSARDFC2022, vc.ProfileW3C, "z3FADjcLqresn4CyFTsFDf1PYLh4u1EgGhJDgk73nDT4UNRVsUwsnJSRFF8czWwrAkGmEuoN4xRGYztzbQc9ZeBGv"},
		{vc.Ed25519, vc.EdDSAJCS2022, vc.ProfileW3C, "zSBffaKYZNBUNAWRf4e4jsrrZwpcwQiun9WGGDtNa2pTkhpcvP5Xf2r6mFMYPvNDEg2oBQubJv1PtreBNHicpMW5"},
		{vc.Ed25519, vc.EdDSARDFC2022, vc.ProfileSVC, "z41HzoyMgThr1x5rbTJUHSvA3y4o8C8Cq8V6BmYaMirL8dnB5CVhRJC5U92kBuGpMvnCYnbXFqzAAiigs9ksaGb99"},
		{vc.P256, vc.ECDSARDFC2019, vc.ProfileW3C, "z3TS8Q5ce1Cz3aJeFwF6KatJZvYprnNxBBac7mXQupBkH9cyjYvPNwUYfTgnxGNqefTPWBypSCUxQxzSDDyGMUQAj"},
		{vc.P256, vc.ECDSAJCS2019, vc.ProfileW3C, "z5VQb4cV4v16x9EbXrNYBT9oXTENtPyDjxX6ER3PJqh4m64Y8NY1K34M3XGoJF4qR98Mz8ZTJPWpDixmUA2ieAycb"},
		{vc.P384, vc.ECDSARDFC2019, vc.ProfileW3C, "z2LcSqbu5JhVR61KAXbtKsfcr4mR8QFEAEWCN6jTW3sRC8wn1vDcpD1e7KuHNF4Zw6pT8FzDHCCY6AvW7yWvmV5M4dJM1L1f9dch8qg6dSNZcmGDZe2nyTkXhkwFqnbJ6tL4s"},
		{vc.P384, vc.ECDSAJCS2019, vc.ProfileW3C, "zV6ZSAt4TiFW4mvKSwkmgn82mZbdvBz4irXriYSdxa9T69QMqpNwD3V7Ce1DtQacZejWeJbNxCMji3b4y7WUKkQt3fHD1Mdzx8tDALN8xPk7Up8MfrHKTjhCvYpTKfMUiKfg"},
	} {
		p := someone(t, tt.typ, 3)
		document, method := w3cText(issuerID), "https://issuer.example/keys#k1"
		if tt.profile == vc.ProfileSVC {
			document = svcCredential
		}
		signed := sign(t, document, p.key, vc.SignOptions{Profile: tt.profile, Suite: tt.suite, Method: method, Created: now})
		_, value, _ := strings.Cut(signed, `"proofValue":"`)
		value, _, _ = strings.Cut(value, `"`)
		assert.Equal(t, tt.want, value, "%s %s %s", tt.typ, tt.suite, tt.profile)
	}
}

// A proof that depends on another one covers it: with a different proof of the same id in
// its place, the chain is refused.
func TestPreviousProofIsCovered(t *testing.T) {
	t.Parallel()
	alice := someone(t, vc.Ed25519, 7)
	v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin()})
	for _, suite := range []vc.Cryptosuite{vc.EdDSARDFC2022, vc.EdDSAJCS2022} {
		first := vc.SignOptions{Method: alice.method, Suite: suite, ID: "urn:uuid:p1"}
		one := sign(t, w3cText(alice.id), alice.key, first)
		first.Nonce = "another"
		other := sign(t, w3cText(alice.id), alice.key, first)
		proof := func(document string) string {
			_, p, _ := strings.Cut(document, `"proof":`)
			return strings.TrimSuffix(p, "}")
		}
		chain := sign(t, one, alice.key, vc.SignOptions{Method: alice.method, Suite: suite, PreviousProof: []string{"urn:uuid:p1"}})
		require.True(t, verify(t, v, chain, now).Verified())
		require.True(t, verify(t, v, other, now).Verified())
		assert.Equal(t, []vc.Code{vc.CodeInvalidSignature}, verify(t, v, replaced(t, chain, proof(one), proof(other)), now).Codes())
	}
}

// TestSignCancelled: a ctx that is done is not reported as a fault of the document.
func TestSignCancelled(t *testing.T) {
	t.Parallel()
	done, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := vc.Sign(done, []byte(w3cText("https://alice.example/#me")), ed25519Key(t, 1), vc.SignOptions{Method: "https://alice.example/#key", Contexts: jsonld.Builtin()})
	require.ErrorIs(t, err, context.Canceled)
	_, ofDocument := errors.AsType[*vc.SignError](err)
	require.False(t, ofDocument)
}

// TestSignFor: whoever has an identifier that is its key signs with that key, by the method
// that every verifier looks for. Of others the signer cannot know it.
func TestSignFor(t *testing.T) {
	t.Parallel()
	alice, bob, p256 := someone(t, vc.Ed25519, 7), someone(t, vc.Ed25519, 8), someone(t, vc.P256, 7)
	const web = "https://alice.example/#me"
	mandate := signW3C(t, w3cText(alice.id), alice)
	held := func(holder string) string {
		return fmt.Sprintf(`{"@context":["https://www.w3.org/ns/credentials/v2"],"id":"urn:uuid:vp","type":["VerifiablePresentation"],"holder":%s,"verifiableCredential":[%s]}`, holder, mandate)
	}
	svc := func(issuer string) string { return strings.ReplaceAll(svcCredential, issuerID, issuer) }
	list := unsignedList(t, alice)
	v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Profile: vc.ProfileAuto, Contexts: jsonld.Builtin()})
	for name, tt := range map[string]struct {
		document string
		by       *vc.PrivateKey
		method   string
		suite    vc.Cryptosuite
		pointer  string
		want     vc.Code
	}{
		"the issuer":                        {w3cText(alice.id), alice.key, alice.method, "", "", ""},
		"the issuer, with members":          {replaced(t, w3cText(alice.id), `"issuer": "`+alice.id+`"`, `"issuer": {"id": "`+alice.id+`"}`), alice.key, alice.method, "", "", ""},
		"the issuer, P-256":                 {w3cText(p256.id), p256.key, p256.method, "", "", ""},
		"another":                           {w3cText(alice.id), bob.key, bob.method, "", "/issuer", vc.CodeIssuerMismatch},
		"another for an issuer of members":  {replaced(t, w3cText(alice.id), `"issuer": "`+alice.id+`"`, `"issuer": {"id": "`+alice.id+`"}`), bob.key, bob.method, "", "/issuer", vc.CodeIssuerMismatch},
		"another, by JCS":                   {w3cText(alice.id), bob.key, bob.method, vc.EdDSAJCS2022, "/issuer", vc.CodeIssuerMismatch},
		"another, in the SVC profile":       {svc(alice.id), bob.key, bob.method, "", "/issuer", vc.CodeIssuerMismatch},
		"another beside the issuer":         {mandate, bob.key, bob.method, "", "/issuer", vc.CodeIssuerMismatch},
		"another that says it is the first": {w3cText(alice.id), bob.key, alice.method, "", "/issuer", vc.CodeInvalidSignature},
		"another fragment":                  {w3cText(alice.id), alice.key, alice.id + "#key-1", "", "/issuer", vc.CodeIssuerMismatch},
		"a key of another type":             {w3cText(alice.id), p256.key, p256.method, "", "/issuer", vc.CodeIssuerMismatch},
		"an issuer that is no key":          {w3cText("did:key:z6Mk"), alice.key, alice.method, "", "/issuer", vc.CodeIssuerMismatch},
		"an issuer with a fragment":         {w3cText(alice.method), alice.key, alice.method, "", "/issuer", vc.CodeIssuerMismatch},
		"an issuer of the web":              {w3cText(web), bob.key, web, "", "", ""},
		"a status list":                     {list, alice.key, alice.method, "", "", ""},
		"a status list of another":          {list, bob.key, bob.method, "", "/issuer", vc.CodeIssuerMismatch},
		"the holder":                        {held(`"` + alice.id + `"`), alice.key, alice.method, "", "", ""},
		"another holder":                    {held(`"` + alice.id + `"`), bob.key, bob.method, "", "/holder", vc.CodeIssuerMismatch},
		"another holder, with members":      {held(`{"id":"` + alice.id + `"}`), bob.key, bob.method, "", "/holder", vc.CodeIssuerMismatch},
		"a holder of another's credentials": {held(`"` + bob.id + `"`), bob.key, bob.method, "", "", ""},
		"a holder of the web":               {held(`"` + web + `"`), bob.key, web, "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := vc.SignOptions{Profile: vc.ProfileAuto, Method: tt.method, Suite: tt.suite, Created: now, Challenge: "c-1", Domain: []string{"d"}, Contexts: jsonld.Builtin()}
			_, err := vc.Sign(t.Context(), []byte(tt.document), tt.by, o)
			o.InsecureAnySigner = true
			signed := sign(t, tt.document, tt.by, o)
			if tt.want == "" {
				require.NoError(t, err)
				return
			}
			var refused *vc.SignError
			require.ErrorAs(t, err, &refused)
			require.Equal(t, tt.want, refused.Finding.Code, refused.Finding.Text)
			require.Equal(t, tt.pointer, refused.Finding.Pointer)
			// The verifier says the same.
			if vc.IsPresentation([]byte(signed), vc.Limits{}) {
				require.Equal(t, []vc.Code{tt.want}, present(t, v, signed, vc.Expected{Challenge: "c-1", Domain: []string{"d"}, Holder: vc.HolderUnbound, DeferStatus: true}).Codes())
				return
			}
			require.Equal(t, tt.want, verify(t, v, signed, now).Codes()[0])
		})
	}
}
