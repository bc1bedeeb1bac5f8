package vc_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// TestVerifiedClaims: a verified credential says what was signed, in both profiles.
func TestVerifiedClaims(t *testing.T) {
	t.Parallel()
	alice := someone(t, vc.Ed25519, 7)
	for _, tt := range []struct {
		name, document, issuer string
		config                 vc.Config
	}{
		{"svc", signSVC(t, svcCredential), issuerID, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC}},
		{"auto", signSVC(t, svcCredential), issuerID, vc.Config{Keys: parties(t), Profile: vc.ProfileAuto}},
		{"w3c", signW3C(t, w3cText(alice.id), alice), alice.id, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin()}},
		{"authority", signW3C(t, w3cText(alice.id), alice), alice.id, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Authority: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := verify(t, verifier(t, tt.config), tt.document, now)
			require.True(t, r.Verified(), r.Findings())
			c := r.Credential()
			assert.Equal(t, "urn:uuid:1", c.ID())
			assert.Equal(t, tt.issuer, c.Issuer())
			assert.Equal(t, "2026-07-01T00:00:00Z", c.ValidFrom())
			assert.Equal(t, "2026-09-01T00:00:00Z", c.ValidUntil())
			assert.True(t, c.HasType(vocab.SVCAgentAuthorizationCredential))
			assert.Equal(t, []string{vocab.SVCAgentAuthorizationCredential, vocab.CredVerifiableCredentialClass}, c.Types())
			assert.Equal(t, tt.issuer, c.Subject().Value())
			authorized := c.Claims(vocab.SVCAuthorizes)
			require.Len(t, authorized, 1)
			assert.Equal(t, rdf.KindIRI, authorized[0].Kind())
			assert.Equal(t, "https://agent.example/#it", authorized[0].Value())
			assert.Empty(t, c.Claims("https://example.org/other"))
			require.Len(t, c.Status(), 1)
			assert.Equal(t, "42", c.Status()[0].Index)
			assert.True(t, c.HasStatus())
			require.Len(t, c.RelatedResources(), 1)
			require.Len(t, c.Proofs(), 1)
			assert.Equal(t, vc.EdDSARDFC2022, c.Proofs()[0].Cryptosuite)
			assert.Equal(t, tt.issuer, c.Proofs()[0].Controller)
			assert.Equal(t, "2026-08-01T11:00:00Z", c.Proofs()[0].Created)
			assert.Equal(t, tt.name != "w3c", c.Authority())
			g, node, ok := c.Graph()
			require.True(t, ok)
			assert.Equal(t, "urn:uuid:1", g.Dataset().Value(node))
			assert.Zero(t, g.Dataset().LookupIRI(vocab.SecProof), "the proof is no claim")
			d1, err := c.Digest(t.Context())
			require.NoError(t, err)
			d2, err := c.Digest(t.Context())
			require.NoError(t, err)
			assert.True(t, d1.Equal(d2))
		})
	}
}

// TestShapeSVC has every rule on the shape of a credential in the SVC profile. Each
// changed credential is signed again where that is possible, so that only the rule
// refuses it.
func TestShapeSVC(t *testing.T) {
	t.Parallel()
	v := verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC})
	signed := signSVC(t, svcCredential)
	require.True(t, verify(t, v, signed, now).Verified())
	for _, tt := range []struct{ name, from, to string }{
		{"unknown member", `"id":"urn:uuid:1"`, `"id":"urn:uuid:1","name":"n"`},
		{"context", `"id":"urn:uuid:1"`, `"@context":[],"id":"urn:uuid:1"`},
		{"no id", `"id":"urn:uuid:1",`, ``},
		{"relative id", `"urn:uuid:1"`, `"uuid1"`},
		{"id with a space", `"urn:uuid:1"`, `"urn:uuid: 1"`},
		{"id twice", `"id":"urn:uuid:1"`, `"id":"urn:uuid:1","id":"urn:uuid:1"`},
		{"type no array", `["AgentAuthorizationCredential"]`, `"AgentAuthorizationCredential"`},
		{"empty type", `["AgentAuthorizationCredential"]`, `["AgentAuthorizationCredential",""]`},
		{"type no string", `["AgentAuthorizationCredential"]`, `[1]`},
		{"no issuer", `"issuer":"https://issuer.example/#id",`, ``},
		{"issuer object", `"issuer":"https://issuer.example/#id"`, `"issuer":{"id":"https://issuer.example/#id"}`},
		{"relative issuer", `"issuer":"https://issuer.example/#id"`, `"issuer":"issuer"`},
		{"issuer with a quote", `"issuer":"https://issuer.example/#id"`, `"issuer":"https://issuer.example/\u0022"`},
		{"no subject", `"credentialSubject":`, `"credentialSubjects":`},
		{"subject array", `"credentialSubject":{`, `"credentialSubject":[{}],"x":{`},
		{"date", `"2026-07-01T00:00:00Z"`, `"2026-07-01"`},
		{"no zone", `"2026-07-01T00:00:00Z"`, `"2026-07-01T00:00:00"`},
		{"no such day", `"2026-07-01T00:00:00Z"`, `"2026-02-30T00:00:00Z"`},
		{"from after until", `"2026-07-01T00:00:00Z"`, `"2026-10-01T00:00:00Z"`},
		{"date no string", `"2026-07-01T00:00:00Z"`, `1`},
		{"null claim", `"count": 3`, `"count": null`},
		{"claim of no values", `"count": 3`, `"count": []`},
		{"claim of no values, deeper", `"count": 3`, `"count": [[3],{"x":[[]]}]`},
		{"fraction", `"count": 3`, `"count": 3.5`},
		{"exponent", `"count": 3`, `"count": 3e0`},
		{"large integer", `"count": 3`, `"count": 9007199254740993`},
		{"claim with a bad IRI", `"plain"`, `"urn:a b"`},
		{"claim without a name", `"count": 3`, `"": 3`},
		{"status member", `"statusPurpose": "revocation"`, `"statusPurpose": "revocation", "statusSize": 1`},
		{"status type", `"BitstringStatusListEntry"`, `"StatusList2021Entry"`},
		{"status no object", `"credentialStatus":{`, `"credentialStatus":"x","y":{`},
		{"status index no string", `"42"`, `42`},
		{"related member", `"mediaType": "text/turtle"`, `"other": "x"`},
		{"related without id", `"id": "https://issuer.example/p.ttl#p", "digestSRI"`, `"digestSRI"`},
		{"digest no string", `"sha256-HmntuZzxKfLRIdyW1slqMWVPduv9nx+IRfrI8x6L6vA="`, `[]`},
		{"proof nonce", `"proofPurpose":`, `"nonce":"1","proofPurpose":`},
		{"proof expires", `"proofPurpose":`, `"expires":"2027-01-01T00:00:00Z","proofPurpose":`},
		{"proof id", `"proofPurpose":`, `"id":"urn:x","proofPurpose":`},
		{"proof context", `"proofPurpose":`, `"@context":[],"proofPurpose":`},
		{"previous proof", `"proofPurpose":`, `"previousProof":"urn:x","proofPurpose":`},
		{"proof no object", `"proof":{`, `"proof":"x","credentialStatus2":{`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := verify(t, v, replaced(t, signed, tt.from, tt.to), now)
			assert.Equal(t, []vc.Code{vc.CodeMalformed}, r.Codes(), r.Findings())
			if again, err := vc.Sign(t.Context(), []byte(replaced(t, signed, tt.from, tt.to)), ed25519Key(t, 1), vc.SignOptions{Profile: vc.ProfileSVC, Method: issuerMethod}); err == nil {
				t.Errorf("was signed: %s", again)
			}
		})
	}
	for name, text := range map[string]string{
		"no JSON": "x", "array": "[]", "trailing": signed + "x", "invalid UTF-8": signed + "\xff", "empty": "",
		"deep": strings.Repeat("[", 33) + strings.Repeat("]", 33), "large": signed + strings.Repeat(" ", 64<<10),
		"five proofs": replaced(t, signed, `"proof":{`, `"proof":[{},{},{},{},{}],"old":{`),
		"duplicate related": replaced(t, signed, `"relatedResource":{`,
			`"relatedResource":[{"id":"urn:x","digestSRI":"a"},{"id":"urn:x","digestSRI":"b"}],"old":{`),
	} {
		assert.Equal(t, []vc.Code{vc.CodeMalformed}, verify(t, v, text, now).Codes(), name)
	}
}

// TestAmbiguousGraph: a subject that is the credential itself, or that says what only the
// credential may say, would change who signed what.
func TestAmbiguousGraph(t *testing.T) {
	t.Parallel()
	v := verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC})
	for name, member := range map[string]string{
		"second issuer":     `"https://www.w3.org/2018/credentials#issuer": "https://victim.example/#id"`,
		"second credential": `"http://www.w3.org/1999/02/22-rdf-syntax-ns#type": "https://www.w3.org/2018/credentials#VerifiableCredential"`,
		"status elsewhere":  `"https://www.w3.org/2018/credentials#credentialStatus": {"http://www.w3.org/1999/02/22-rdf-syntax-ns#type": "https://www.w3.org/ns/credentials/status#BitstringStatusListEntry"}`,
		"an end elsewhere":  `"https://www.w3.org/2018/credentials#validUntil": "2020-01-01T00:00:00Z"`,
		"a start elsewhere": `"https://www.w3.org/2018/credentials#validFrom": "2099-01-01T00:00:00Z"`,
		"second subject":    `"https://www.w3.org/2018/credentials#credentialSubject": "https://victim.example/#id"`,
	} {
		_, err := vc.Sign(t.Context(), []byte(replaced(t, svcCredential, `"count": 3`, member)), ed25519Key(t, 1), vc.SignOptions{Profile: vc.ProfileSVC, Method: issuerMethod})
		refused := (*vc.SignError)(nil)
		require.ErrorAs(t, err, &refused, name)
		assert.Equal(t, vc.CodeMalformed, refused.Finding.Code)
		signed := signSVC(t, svcCredential)
		assert.Equal(t, []vc.Code{vc.CodeMalformed}, verify(t, v, replaced(t, signed, `"count": 3`, member), now).Codes(), name)
	}
}

// TestSubjectIsCredential: a subject that is the credential itself cannot give it a
// second issuer or other times.
func TestSubjectIsCredential(t *testing.T) {
	t.Parallel()
	v := verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC})
	self := replaced(t, svcCredential, `"id": "https://issuer.example/#id",
    "https`, `"id": "urn:uuid:1",
    "https`)
	require.True(t, verify(t, v, signSVC(t, self), now).Verified())
	for _, member := range []string{
		`"https://www.w3.org/2018/credentials#issuer": "https://victim.example/#id"`,
		`"https://www.w3.org/2018/credentials#validUntil": "2099-01-01T00:00:00Z"`,
		`"https://www.w3.org/2018/credentials#expirationDate": "2020-01-01T00:00:00Z"`,
		`"https://www.w3.org/2018/credentials#issuanceDate": "2099-01-01T00:00:00Z"`,
	} {
		document := replaced(t, self, `"count": 3`, member)
		_, err := vc.Sign(t.Context(), []byte(document), ed25519Key(t, 1), vc.SignOptions{Profile: vc.ProfileSVC, Method: issuerMethod})
		require.Error(t, err, member)
		assert.Equal(t, []vc.Code{vc.CodeMalformed}, verify(t, v, document[:len(document)-2]+`,"proof":{}}`, now).Codes(), member)
	}
}

// TestContexts: a context is refused for what is the matter with it. Without a table the
// contexts of W3C are not there either.
func TestContexts(t *testing.T) {
	t.Parallel()
	alice := someone(t, vc.Ed25519, 7)
	contexts, err := jsonld.Builtin().With(map[string][]byte{"https://vocab.example/": []byte(`{"@context":{"@vocab":"https://vocab.example/#"}}`)})
	require.NoError(t, err)
	good := signW3C(t, w3cText(alice.id), alice)
	byJCS := sign(t, w3cText(alice.id), alice.key, vc.SignOptions{Method: alice.method, Suite: vc.EdDSAJCS2022})
	with := func(iri string) string { return replaced(t, good, `credentials/v2", `, `credentials/v2","`+iri+`",`) }
	unknown := func(iri string) string { return "the context <" + iri + "> is not among the Contexts of the verifier" }
	for name, tt := range map[string]struct {
		document string
		config   vc.Config
		want     string // "" when it is verified
	}{
		"those of W3C":                {good, vc.Config{Contexts: jsonld.Builtin(), Authority: true}, ""},
		"none":                        {good, vc.Config{Authority: true}, unknown(jsonld.CredentialsV2)},
		"none, by JCS":                {byJCS, vc.Config{Authority: true, Suites: vc.Cryptosuites()}, unknown(jsonld.CredentialsV2)},
		"none, without authority":     {good, vc.Config{}, "loading remote context failed"},
		"none, by JCS, no authority":  {byJCS, vc.Config{}, ""},
		"another":                     {with("https://vocab.example/"), vc.Config{Contexts: jsonld.Builtin(), Authority: true}, unknown("https://vocab.example/")},
		"one that takes unknown ones": {with("https://vocab.example/"), vc.Config{Contexts: contexts, Authority: true}, "the context <https://vocab.example/> is not one of those that credentials of authority may use"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.config.Keys = vc.DIDKeys{}
			r := verify(t, verifier(t, tt.config), tt.document, now)
			if tt.want == "" {
				require.NotContains(t, r.Codes(), vc.CodeMalformed, r.Findings())
				return
			}
			require.Equal(t, []vc.Code{vc.CodeMalformed}, r.Codes())
			require.Contains(t, r.Findings()[0].Text, tt.want)
		})
	}
}

// TestShapeW3C has the rules of the W3C profile, both the plain and the strict ones.
func TestShapeW3C(t *testing.T) {
	t.Parallel()
	alice := someone(t, vc.Ed25519, 7)
	signed := signW3C(t, w3cText(alice.id), alice)
	contexts, err := jsonld.Builtin().With(map[string][]byte{
		"https://vocab.example/": []byte(`{"@context":{"@vocab":"https://vocab.example/#"}}`),
		"https://extra.example/": []byte(`{"@context":{"extra":"https://extra.example/#extra"}}`),
	})
	require.NoError(t, err)
	plain := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: contexts})
	strict := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: contexts, Authority: true})
	require.True(t, verify(t, plain, signed, now).Verified())
	require.True(t, verify(t, strict, signed, now).Verified())
	both, strictOnly := []bool{false, false}, []bool{true, false}
	for _, tt := range []struct {
		name, from, to string
		verified       []bool // plain, strict: whether it verifies once it is signed again
	}{
		{"no v2 context", `"@context":["https://www.w3.org/ns/credentials/v2", `, `"@context":[`, both},
		{"v2 second", `"@context":["https://www.w3.org/ns/credentials/v2", `, `"@context":["https://extra.example/", "https://www.w3.org/ns/credentials/v2",`, both},
		{"unpinned context", `credentials/v2", `, `credentials/v2", "https://evil.example/ctx",`, both},
		{"relative action", `"http://www.w3.org/ns/odrl/2/read"`, `"read"`, both},
		{"undefined term", `"id":"urn:uuid:1"`, `"id":"urn:uuid:1","foo":1`, both},
		{"undefined claim", `"authorizes": `, `"foo":1,"authorizes": `, both},
		{"protected term", `"svc":`, `"VerifiableCredential":"https://evil.example/#x","svc":`, both},
		{"term that the type's context defines anyway", `"svc":`, `"issuer":"https://evil.example/#x","svc":`, strictOnly},
		{"relative id", `"urn:uuid:1"`, `"x"`, both},
		{"no type", `"VerifiableCredential", "AgentAuthorizationCredential"`, `"AgentAuthorizationCredential"`, both},
		{"no subject", `"credentialSubject":`, `"description":"x","relatedTo":`, both},
		{"second credential", `"authorizes": `, `"type":"VerifiableCredential","authorizes": `, both},
		{"number for a date", `"2026-07-01T00:00:00Z"`, `3`, both},
		{"date", `"2026-07-01T00:00:00Z"`, `"2026-07-01"`, both},
		{"an end of a web token", `"id":"urn:uuid:1"`, `"id":"urn:uuid:1","exp":1600000000`, both},
		{"a begin of a web token", `"id":"urn:uuid:1"`, `"id":"urn:uuid:1","nbf":1600000000`, both},
		{"an end in another vocabulary", `"id":"urn:uuid:1"`, `"id":"urn:uuid:1","https://schema.org/expires":"2099-01-01"`, both},
		{"an end in a word of a vocabulary", `"id":"urn:uuid:1"`, `"id":"urn:uuid:1","http://purl.org/dc/terms/valid":"2026-01-01/2099-01-01"`, both},
		{"a status of what is over", `"id":"urn:uuid:1"`, `"id":"urn:uuid:1","http://www.w3.org/ns/adms#status":{"id":"http://purl.org/adms/status/Withdrawn"}`, both},
		{"a status of what is over, by its class", `"id":"urn:uuid:1"`, `"id":"urn:uuid:1","https://w3id.org/dpv#hasConsentStatus":{"type":"https://w3id.org/dpv#ConsentRefused"}`, both},
		{"another status", `"id":"urn:uuid:1"`, `"id":"urn:uuid:1","http://www.w3.org/ns/adms#status":{"id":"http://purl.org/adms/status/Completed"}`, []bool{true, true}},
		{"the name of a status entry", `"credentialStatus":{`, `"credentialStatus":{"id":"https://issuer.example/status#revocation-42",`, []bool{true, true}},
		{"an end of an earlier data model", `"id":"urn:uuid:1"`, `"id":"urn:uuid:1","https://www.w3.org/2018/credentials#expirationDate":"2099-01-01T00:00:00Z"`, both},
		{"a begin of an earlier data model", `"id":"urn:uuid:1"`, `"id":"urn:uuid:1","https://www.w3.org/2018/credentials#issuanceDate":"2020-01-01T00:00:00Z"`, both},
		{"that it is revoked", `"id":"urn:uuid:1"`, `"id":"urn:uuid:1","https://w3id.org/security#revoked":[false,true]`, both},
		{"that it is not revoked", `"id":"urn:uuid:1"`, `"id":"urn:uuid:1","https://w3id.org/security#revoked":false`, []bool{true, true}},
		{"an end of what it is about", `"authorizes": `, `"https://schema.org/validThrough":"2020-01-01","authorizes": `, []bool{true, true}},
		{"what else a web token has", `"id":"urn:uuid:1"`, `"id":"urn:uuid:1","iat":1600000000`, []bool{true, true}},
		{"whom it is for, as a web token says it", `"id":"urn:uuid:1"`, `"id":"urn:uuid:1","aud":["https://verifier.example/"]`, strictOnly},
		{"the key of its holder, as a web token has it", `"authorizes": "https://agent.example/#it"`, `"authorizes": {"id":"https://agent.example/#it","cnf":{"kid":"https://agent.example/keys#k1"}}`, strictOnly},
		{"other inline context", `"schema":"https://schema.org/"`, `"schema":"http://schema.org/"`, strictOnly},
		{"mapped elsewhere", `solid-vc#authorizes"`, `solid-vc#other"`, strictOnly},
		{"vocabulary", `credentials/v2", `, `credentials/v2", "https://vocab.example/",`, strictOnly},
		{"harmless context", `credentials/v2", `, `credentials/v2", "https://extra.example/",`, []bool{true, true}},
		{"a context twice", `"@context":["https://www.w3.org/ns/credentials/v2", `, `"@context":["https://www.w3.org/ns/credentials/v2", "https://extra.example/", "https://www.w3.org/ns/credentials/v2",`, both},
		{"a context twice below the top", `"credentialSubject":{`, `"credentialSubject":{"@context":["https://extra.example/", "https://extra.example/"],`, both},
		{"nested context", `"credentialSubject":{`, `"credentialSubject":{"@context":{"x":"https://x.example/#x"},`, strictOnly},
		{"keyword", `"authorizes": `, `"@type":"AgentAuthorizationCredential","authorizes": `, strictOnly},
		{"no id", `"id":"urn:uuid:1",`, ``, strictOnly},
		{"two subjects", `"credentialSubject":{`, `"credentialSubject":[{"id":"https://b.example/"},{`, nil},
		{"issuer object", `"issuer":"` + alice.id + `"`, `"issuer":{"id":"` + alice.id + `"}`, []bool{true, true}},
		{"context alone", `"@context":["https://www.w3.org/ns/credentials/v2", `, `"@context":[["https://www.w3.org/ns/credentials/v2"], `, both},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			text := replaced(t, w3cCompact(t, alice.id), tt.from, tt.to)
			if tt.verified == nil { // two subjects: the array must be closed
				text = replaced(t, text, `},"credentialStatus"`, `}],"credentialStatus"`)
				tt.verified = strictOnly
			}
			document, err := vc.Sign(t.Context(), []byte(text), alice.key, vc.SignOptions{Method: alice.method, Contexts: contexts})
			if !tt.verified[0] {
				require.Error(t, err)
				document = []byte(text[:len(text)-1] + `,"proof":{}}`)
				assert.Equal(t, vc.CodeMalformed, verify(t, plain, string(document), now).Code())
				assert.Equal(t, vc.CodeMalformed, verify(t, strict, string(document), now).Code())
				return
			}
			require.NoError(t, err)
			r := verify(t, plain, string(document), now)
			assert.True(t, r.Verified(), r.Findings())
			r = verify(t, strict, string(document), now)
			assert.Equal(t, tt.verified[1], r.Verified(), r.Findings())
			if !tt.verified[1] {
				assert.Equal(t, []vc.Code{vc.CodeMalformed}, r.Codes())
			}
		})
	}
}

// w3cCompact is the credential of the W3C profile with the white space that signing
// leaves.
func w3cCompact(t *testing.T, issuer string) string {
	alice := someone(t, vc.Ed25519, 7)
	signed := signW3C(t, w3cText(issuer), alice)
	return signed[:strings.Index(signed, `,"proof":`)] + "}"
}

// TestOrderOfChecks: the first finding in the order of the checks is reported.
func TestOrderOfChecks(t *testing.T) {
	t.Parallel()
	signed := signSVC(t, svcCredential)
	forged := replaced(t, signed, `"proofValue":"z`, `"proofValue":"z1`)
	v := verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC})
	trusting := verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC, Issuers: []string{"https://other.example/#id"}})
	mallory := sign(t, svcCredential, ed25519Key(t, 9), vc.SignOptions{Profile: vc.ProfileSVC, Method: "https://mallory.example/keys#k"})
	at := func(s string) time.Time {
		out, err := time.Parse(time.RFC3339Nano, s)
		require.NoError(t, err)
		return out
	}
	for _, tt := range []struct {
		name     string
		v        *vc.Verifier
		document string
		at       time.Time
		want     []vc.Code
	}{
		{"verified", v, signed, now, nil},
		{"first instant", v, sign(t, svcCredential, ed25519Key(t, 1), vc.SignOptions{Profile: vc.ProfileSVC, Method: issuerMethod, Created: at("2026-07-01T00:00:00Z")}), at("2026-07-01T00:00:00Z"), nil},
		{"last instant", v, signed, at("2026-09-01T00:00:00Z"), nil},
		{"just after", v, signed, at("2026-09-01T00:00:00.000000001Z"), []vc.Code{vc.CodeExpired}},
		{"just before", v, signed, at("2026-06-30T23:59:59.999999999Z"), []vc.Code{vc.CodeNotYetValid, vc.CodeInvalidSignature}},
		{"expired and forged", v, forged, at("2027-01-01T00:00:00Z"), []vc.Code{vc.CodeExpired, vc.CodeInvalidSignature}},
		{"no proof", v, svcCredential, now, []vc.Code{vc.CodeNoProof}},
		{"no proof and expired", v, svcCredential, at("2027-01-01T00:00:00Z"), []vc.Code{vc.CodeNoProof, vc.CodeExpired}},
		{"null proof", v, replaced(t, signed, `"proof":{`, `"proof":null,"credentialStatus":{`), now, []vc.Code{vc.CodeMalformed}},
		{"untrusted", trusting, signed, now, []vc.Code{vc.CodeUntrustedIssuer}},
		{"untrusted and forged", trusting, forged, now, []vc.Code{vc.CodeUntrustedIssuer, vc.CodeInvalidSignature}},
		{"malformed and expired", v, replaced(t, signed, `"count": 3`, `"count": null`), at("2027-01-01T00:00:00Z"), []vc.Code{vc.CodeMalformed}},
		{"key of nobody", v, mallory, now, []vc.Code{vc.CodeIssuerMismatch}},
		{"key of the holder", v, sign(t, svcCredential, ed25519Key(t, 2), vc.SignOptions{Profile: vc.ProfileSVC, Method: holderMethod}), now, []vc.Code{vc.CodeIssuerMismatch}},
		{"wrong key", v, sign(t, svcCredential, ed25519Key(t, 2), vc.SignOptions{Profile: vc.ProfileSVC, Method: issuerMethod}), now, []vc.Code{vc.CodeInvalidSignature}},
	} {
		assert.Equal(t, tt.want, verify(t, tt.v, tt.document, tt.at).Codes(), tt.name)
	}
}

// TestMisuse: mistakes of the caller are errors, and nothing else is.
func TestMisuse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]vc.Config{
		"no keys": {}, "profile": {Keys: vc.DIDKeys{}, Profile: 9}, "suite": {Keys: vc.DIDKeys{}, Suites: []vc.Cryptosuite{"none"}},
		"skew": {Keys: vc.DIDKeys{}, Skew: 2 * time.Hour}, "negative skew": {Keys: vc.DIDKeys{}, Skew: -1},
	} {
		_, err := vc.New(c)
		assert.Error(t, err, name)
	}
	v := verifier(t, vc.Config{Keys: vc.DIDKeys{}})
	_, err := v.Verify(t.Context(), nil, time.Time{})
	require.Error(t, err)
	_, err = v.VerifyProofs(t.Context(), nil, "", now)
	require.Error(t, err)
	for _, e := range []vc.Expected{{}, {Challenge: "c"}, {Domain: []string{"d"}}, {Challenge: "c", Domain: []string{""}}, {Challenge: "c", Domain: []string{"d"}, Holder: 9}} {
		_, err = v.VerifyPresentation(t.Context(), nil, e, now)
		require.Error(t, err)
	}
	_, err = v.CheckStatus(t.Context(), nil, now)
	require.Error(t, err)
	_, err = v.BindPolicy(t.Context(), &vc.Credential{}, vc.BindOptions{})
	require.Error(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = v.Verify(ctx, []byte("{}"), now)
	require.ErrorIs(t, err, context.Canceled)
}

// TestZeroReports: the zero value of every report refuses.
func TestZeroReports(t *testing.T) {
	t.Parallel()
	r := &vc.Report{}
	assert.False(t, r.Verified())
	assert.Nil(t, r.Credential())
	assert.Equal(t, vc.CodeMalformed, r.Code())
	p := &vc.PresentationReport{}
	assert.False(t, p.Verified())
	assert.Nil(t, p.Presentation())
	assert.Equal(t, vc.CodeMalformed, p.Code())
	q := &vc.ProofReport{}
	assert.False(t, q.Verified())
	assert.Empty(t, q.Proofs())
	s := &vc.StatusReport{}
	assert.False(t, s.Clear())
	assert.Equal(t, vc.CodeStatusRetrievalError, s.Code())
	b := &vc.Binding{}
	assert.False(t, b.OK())
	assert.False(t, b.Bound())
	assert.Equal(t, vc.CodePolicyIntegrity, b.Code())
	_, ok := b.Document()
	assert.False(t, ok)
}

// TestCodes: every code has a text of its own.
func TestCodes(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, c := range vc.Codes() {
		assert.NotEmpty(t, c.Text(), c)
		assert.False(t, seen[c.Text()], c)
		seen[c.Text()] = true
		assert.Equal(t, strings.ToUpper(string(c)), string(c))
	}
	assert.Len(t, vc.Codes(), 16)
	assert.Empty(t, vc.Code("NONE").Text())
}

// TestVerifyProofs: the proofs alone are verified; the report names their signers and
// does not judge them.
func TestVerifyProofs(t *testing.T) {
	t.Parallel()
	alice := someone(t, vc.Ed25519, 7)
	v := verifier(t, vc.Config{Keys: vc.Resolvers{vc.DIDKeys{}, parties(t)}, Profile: vc.ProfileAuto, Contexts: jsonld.Builtin()})
	check := func(document string, purpose vc.Purpose) *vc.ProofReport {
		r, err := v.VerifyProofs(t.Context(), []byte(document), purpose, now)
		require.NoError(t, err)
		require.Equal(t, r.Verified(), r.Code() == "")
		return r
	}
	foreign := sign(t, w3cText(issuerID), alice.key, vc.SignOptions{Method: alice.method})
	assert.Equal(t, []vc.Code{vc.CodeIssuerMismatch}, verify(t, v, foreign, now).Codes())
	r := check(foreign, vc.AssertionMethod)
	require.True(t, r.Verified(), r.Findings())
	assert.Equal(t, alice.id, r.Proofs()[0].Controller)
	r = check(signSVC(t, svcCredential), vc.AssertionMethod)
	require.True(t, r.Verified(), r.Findings())
	assert.Equal(t, issuerID, r.Proofs()[0].Controller)
	assert.Equal(t, vc.CodeProofPurposeMismatch, check(foreign, vc.Authentication).Code())
	assert.Equal(t, vc.CodeNoProof, check(w3cText(issuerID), vc.AssertionMethod).Code())
	assert.Equal(t, vc.CodeMalformed, check("x", vc.AssertionMethod).Code())
	assert.Equal(t, vc.CodeMalformed, check(replaced(t, foreign, `"id":"urn:uuid:1"`, `"id":"urn:uuid:1","undefined":1`), vc.AssertionMethod).Code())
	assert.Empty(t, check(replaced(t, foreign, `"proofValue":"z`, `"proofValue":"z1`), vc.AssertionMethod).Proofs())
}

// TestSignJSON: any JSON object can be signed, and verified against the party that must
// have signed it.
func TestSignJSON(t *testing.T) {
	t.Parallel()
	for _, k := range []vc.KeyType{vc.Ed25519, vc.P256, vc.P384} {
		alice, bob := someone(t, k, 3), someone(t, k, 4)
		signed, err := vc.SignJSON(t.Context(), []byte(`{"issuer":1,"a":[{"b":null}]}`), alice.key, vc.SignOptions{Method: alice.method})
		require.NoError(t, err)
		v := verifier(t, vc.Config{Keys: vc.DIDKeys{}})
		by := func(data []byte, who string) vc.Code {
			r, err := v.VerifyProofsBy(t.Context(), data, who, vc.AssertionMethod, now)
			require.NoError(t, err)
			return r.Code()
		}
		assert.Equal(t, vc.Code(""), by(signed, alice.id))
		assert.Equal(t, vc.CodeIssuerMismatch, by(signed, bob.id))
		assert.Equal(t, vc.CodeInvalidSignature, by([]byte(strings.Replace(string(signed), "null", "0", 1)), alice.id))
		twice, err := vc.SignJSON(t.Context(), signed, bob.key, vc.SignOptions{Method: bob.method})
		require.NoError(t, err)
		assert.Equal(t, vc.CodeIssuerMismatch, by(twice, alice.id), "every proof must be by the party")
		for _, who := range []string{"", "alice"} {
			_, err = v.VerifyProofsBy(t.Context(), signed, who, vc.AssertionMethod, now)
			require.Error(t, err)
		}
		_, err = v.VerifyProofsBy(t.Context(), signed, alice.id, "", now)
		require.Error(t, err)
	}
	alice := someone(t, vc.Ed25519, 3)
	for name, o := range map[string]vc.SignOptions{
		"an RDF suite": {Suite: vc.EdDSARDFC2022}, "no suite": {Suite: "x"}, "a suite of other keys": {Suite: vc.ECDSAJCS2019}, "a profile of RDF": {Profile: vc.ProfileSVC},
	} {
		o.Method = alice.method
		_, err := vc.SignJSON(t.Context(), []byte(`{}`), alice.key, o)
		require.Error(t, err, name)
	}
	for name, text := range map[string]string{"an array": `[]`, "no JSON": `{`, "a number that readers round": `{"a":9007199254740993}`} {
		_, err := vc.SignJSON(t.Context(), []byte(text), alice.key, vc.SignOptions{Method: alice.method})
		var refused *vc.SignError
		require.ErrorAs(t, err, &refused, name)
	}
	_, err := vc.SignJSON(t.Context(), []byte(`{}`), nil, vc.SignOptions{})
	require.Error(t, err)
}
