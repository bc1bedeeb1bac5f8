package vc_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

const (
	profileURL  = "https://alice.example/card"
	profileID   = profileURL + "#me"
	keysURL     = "https://alice.example/keys"
	securityTTL = "@prefix sec: <https://w3id.org/security#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
)

// multikey is a key and its controller in Turtle.
func multikey(t testing.TB, key string, n byte) string {
	t.Helper()
	return fmt.Sprintf("<%s> a sec:Multikey ; sec:controller <%s> ; sec:publicKeyMultibase %q^^sec:multibase .\n", key, profileID, ed25519Key(t, n).Public().Multikey())
}

// publicBase58 is the public key with a number as types before Multikey have it.
func publicBase58(t testing.TB, n byte) string {
	t.Helper()
	raw, err := base58.Decode(ed25519Key(t, n).Public().Multikey()[1:])
	require.NoError(t, err)
	return base58.Encode(raw[2:])
}

// publicJWK is the public key with a number as a JWK.
func publicJWK(t testing.TB, n byte) string {
	t.Helper()
	jwk, err := ed25519Key(t, n).JWK()
	require.NoError(t, err)
	public, _, found := strings.Cut(string(jwk), `,"d":`)
	require.True(t, found)
	return public + "}"
}

func inTurtle(text string) vc.Document {
	return vc.Document{Content: []byte(securityTTL + text), MediaType: "text/turtle; charset=utf-8"}
}

// TestWebIDProfiles: a WebID profile and the documents of its keys together are read as a
// controller document, and each counts only for what it is about.
func TestWebIDProfiles(t *testing.T) {
	t.Parallel()
	const k1, k2 = keysURL + "#k1", profileURL + "#k2"
	lists := "<#me> sec:assertionMethod <" + k1 + "> , <#k2> ; sec:authenticationMethod <#k2> .\n"
	for _, tt := range []struct {
		name    string
		change  func(s shelf)
		key     string
		purpose vc.Purpose
		fault   string // "" for none
	}{
		{"a key of its own document", nil, k1, vc.AssertionMethod, ""},
		{"a key of the profile", nil, k2, vc.AssertionMethod, ""},
		{"its other purpose", nil, k2, vc.Authentication, ""},
		{"a purpose that is not listed", nil, k1, vc.Authentication, "does not list"},
		{"as solid-vc names it", func(s shelf) { s[profileURL] = inTurtle("<#me> sec:authentication <" + k1 + "> .") }, k1, vc.Authentication, ""},
		{"N-Triples", func(s shelf) {
			s[keysURL] = vc.Document{MediaType: "application/n-triples", Content: []byte("<" + k1 + "> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <https://w3id.org/security#Multikey> .\n" +
				"<" + k1 + "> <https://w3id.org/security#controller> <" + profileID + "> .\n" +
				"<" + k1 + "> <https://w3id.org/security#publicKeyMultibase> \"" + ed25519Key(t, 1).Public().Multikey() + "\"^^<https://w3id.org/security#multibase> .\n")}
		}, k1, vc.AssertionMethod, ""},
		{"a key that the profile alone describes", func(s shelf) {
			s[profileURL] = inTurtle(lists + multikey(t, k1, 1))
			s[keysURL] = inTurtle("<#k3> a sec:Multikey .")
		}, k1, vc.AssertionMethod, "type"},
		{"a key that the profile describes too", func(s shelf) { s[profileURL] = inTurtle(lists + multikey(t, k1, 3)) }, k1, vc.AssertionMethod, ""},
		{"a key that is not listed", func(s shelf) { s[profileURL] = inTurtle(multikey(t, k2, 2)) }, k2, vc.AssertionMethod, "does not list"},
		{"listed by another subject", func(s shelf) { s[profileURL] = inTurtle("<#you> sec:assertionMethod <" + k1 + "> .") }, k1, vc.AssertionMethod, "does not list"},
		{"of another", func(s shelf) { s.edit(keysURL, "<"+profileID+">", "<https://bob.example/#me>") }, k1, vc.AssertionMethod, "controller"},
		{"of two", func(s shelf) { s.edit(keysURL, "<"+profileID+">", "<"+profileID+"> , <https://bob.example/#me>") }, k1, vc.AssertionMethod, "controller"},
		{"of nobody", func(s shelf) { s.edit(keysURL, "sec:controller", "sec:other") }, k1, vc.AssertionMethod, "controller"},
		{"of a word", func(s shelf) { s.edit(keysURL, "<"+profileID+">", `"`+profileID+`"`) }, k1, vc.AssertionMethod, "controller"},
		{"of another type", func(s shelf) { s.edit(keysURL, "sec:Multikey", "sec:Key") }, k1, vc.AssertionMethod, "type"},
		{"two keys", func(s shelf) {
			s.edit(keysURL, "sec:publicKeyMultibase", `sec:publicKeyMultibase "z1"^^sec:multibase , `)
		}, k1, vc.AssertionMethod, "one sec:publicKeyMultibase"},
		{"no key", func(s shelf) { s.edit(keysURL, "sec:publicKeyMultibase", "sec:other") }, k1, vc.AssertionMethod, "one sec:publicKeyMultibase"},
		{"a key without its datatype", func(s shelf) { s.edit(keysURL, "^^sec:multibase", "") }, k1, vc.AssertionMethod, "sec:multibase"},
		{"a key that is none", func(s shelf) { s.edit(keysURL, `"z6Mk`, `"z6Mm`) }, k1, vc.AssertionMethod, "Multikey"},
		{"a key in two forms", func(s shelf) { s.edit(keysURL, "a sec:Multikey", `a sec:Multikey ; sec:publicKeyJwk "{}"`) }, k1, vc.AssertionMethod, "another form"},
		{"a private key", func(s shelf) { s.edit(keysURL, "a sec:Multikey", `a sec:Multikey ; sec:secretKeyMultibase "z1"`) }, k1, vc.AssertionMethod, "sec:secretKeyMultibase, which is not known of a public key"},
		{"ended by a term that is not known", func(s shelf) {
			s.edit(keysURL, "a sec:Multikey", `a sec:Multikey ; sec:expires "2026-08-01T11:59:59Z"^^xsd:dateTime`)
		}, k1, vc.AssertionMethod, "sec:expires, which is not known of a public key"},
		{"ended by a term of another vocabulary", func(s shelf) {
			s.edit(keysURL, "a sec:Multikey", `a sec:Multikey ; <https://www.w3.org/2018/credentials#validUntil> "2026-08-01T11:59:59Z"^^xsd:dateTime`)
		}, k1, vc.AssertionMethod, "it has <https://www.w3.org/2018/credentials#validUntil>, which may begin or end the key"},
		{"a controller that is not deactivated", func(s shelf) {
			s.edit(profileURL, "<#me>", "<#me> <https://w3id.org/security#deactivated> false . <#me>")
		}, k1, vc.AssertionMethod, ""},
		{"a controller with a term of a vocabulary with such a name", func(s shelf) {
			s.edit(profileURL, "<#me>", "<#me> <https://trevor.example/until/#likes> <#tea> . <#me>")
		}, k1, vc.AssertionMethod, ""},
		{"its own controller's links", func(s shelf) {
			s.edit(keysURL, "a sec:Multikey", `a sec:Multikey ; sec:assertionMethod <urn:k> ; sec:authenticationMethod <urn:k>`)
		}, k1, vc.AssertionMethod, ""},
		{"revoked", func(s shelf) {
			s.edit(keysURL, "a sec:Multikey", `a sec:Multikey ; sec:revoked "2026-08-01T12:00:00Z"^^xsd:dateTime`)
		}, k1, vc.AssertionMethod, "revoked"},
		{"revoked later", func(s shelf) {
			s.edit(keysURL, "a sec:Multikey", `a sec:Multikey ; sec:revoked "2026-08-01T12:00:01Z"^^xsd:dateTime`)
		}, k1, vc.AssertionMethod, ""},
		{"expired", func(s shelf) {
			s.edit(keysURL, "a sec:Multikey", `a sec:Multikey ; sec:expiration "2026-08-01T11:59:59Z"^^xsd:dateTimeStamp`)
		}, k1, vc.AssertionMethod, "expired"},
		{"expired at no time", func(s shelf) {
			s.edit(keysURL, "a sec:Multikey", `a sec:Multikey ; sec:expiration "2027-08-01T11:59:59Z"`)
		}, k1, vc.AssertionMethod, "not a time"},
		{"revoked without a zone", func(s shelf) {
			s.edit(keysURL, "a sec:Multikey", `a sec:Multikey ; sec:revoked "2027-08-01T11:59:59"^^xsd:dateTime`)
		}, k1, vc.AssertionMethod, "not a time"},
		{"revoked twice", func(s shelf) {
			s.edit(keysURL, "a sec:Multikey", `a sec:Multikey ; sec:revoked "2027-08-01T11:59:59Z"^^xsd:dateTime , "2028-08-01T11:59:59Z"^^xsd:dateTime`)
		}, k1, vc.AssertionMethod, "not a time"},
		{"revoked in the profile", func(s shelf) {
			s[profileURL] = inTurtle(lists + "<" + k1 + `> sec:revoked "2026-08-01T12:00:00Z"^^xsd:dateTime .`)
		}, k1, vc.AssertionMethod, "revoked"},
		{"revoked later in the profile", func(s shelf) {
			s[profileURL] = inTurtle(lists + "<" + k1 + `> sec:revoked "2026-08-01T12:00:01Z"^^xsd:dateTime .`)
		}, k1, vc.AssertionMethod, ""},
		{"expired in the profile, and in its document later", func(s shelf) {
			s[profileURL] = inTurtle(lists + "<" + k1 + `> sec:expiration "2026-08-01T11:59:59Z"^^xsd:dateTime .`)
			s.edit(keysURL, "a sec:Multikey", `a sec:Multikey ; sec:expiration "2027-08-01T11:59:59Z"^^xsd:dateTime`)
		}, k1, vc.AssertionMethod, "expired"},
		{"ended in the profile by another term", func(s shelf) {
			s[profileURL] = inTurtle(lists + "<" + k1 + `> <https://example.org/ns#notAfter> "2026-08-01T11:59:59Z"^^xsd:dateTime .`)
		}, k1, vc.AssertionMethod, "may begin or end the key"},
		{"said in the profile to be of a kind that is not known", func(s shelf) {
			s[profileURL] = inTurtle(lists + "<" + k1 + `> sec:publicKeyJwk "{}" .`)
		}, k1, vc.AssertionMethod, ""},
		{"ended in the profile by a word of a vocabulary", func(s shelf) {
			s[profileURL] = inTurtle(lists + "<" + k1 + `> <http://purl.org/dc/terms/valid> "2025" .`)
		}, k1, vc.AssertionMethod, "may begin or end the key"},
		{"ended in the profile by a status", func(s shelf) {
			s[profileURL] = inTurtle(lists + "<" + k1 + `> <http://www.w3.org/ns/adms#status> <http://purl.org/adms/status/Deprecated> .`)
		}, k1, vc.AssertionMethod, "may begin or end the key"},
		{"of another status", func(s shelf) {
			s[profileURL] = inTurtle(lists + "<" + k1 + `> <http://www.w3.org/ns/adms#status> <http://purl.org/adms/status/Completed> .`)
		}, k1, vc.AssertionMethod, ""},
		{"replaced in the profile", func(s shelf) {
			s[profileURL] = inTurtle(lists + multikey(t, k2, 2) + "<" + k2 + "> <http://purl.org/dc/terms/replaces> <" + k1 + "> .")
		}, k1, vc.AssertionMethod, "another node says by <http://purl.org/dc/terms/replaces> that it is over"},
		{"that replaces another", func(s shelf) {
			s[profileURL] = inTurtle(lists + multikey(t, k2, 2) + "<" + k2 + "> <http://purl.org/dc/terms/replaces> <" + k1 + "> .")
		}, k2, vc.AssertionMethod, ""},
		{"of a document that is replaced", func(s shelf) {
			s.edit(keysURL, "a sec:Multikey", "a sec:Multikey . <> <http://purl.org/dc/terms/isReplacedBy> <keys2> . <#k1> a sec:Multikey")
		}, k1, vc.AssertionMethod, "<" + keysURL + "> cannot be used: it has <http://purl.org/dc/terms/isReplacedBy>"},
		{"of a document that is revoked", func(s shelf) {
			s.edit(keysURL, "a sec:Multikey", "a sec:Multikey . <> sec:revoked true . <#k1> a sec:Multikey")
		}, k1, vc.AssertionMethod, "<" + keysURL + "> cannot be used: it has <https://w3id.org/security#revoked>"},
		{"of a document that replaces another", func(s shelf) {
			s.edit(keysURL, "a sec:Multikey", "a sec:Multikey . <> <http://purl.org/dc/terms/replaces> <keys0> . <#k1> a sec:Multikey")
		}, k1, vc.AssertionMethod, ""},
		{"revoked under another name in a document that is replaced", func(s shelf) {
			s[profileURL] = inTurtle(lists + multikey(t, k2, 1))
			s.edit(keysURL, "a sec:Multikey", "a sec:Multikey ; sec:revoked \"2026-08-01T12:00:00Z\"^^xsd:dateTime . <> <http://purl.org/dc/terms/isReplacedBy> <keys2> . <#k1> a sec:Multikey")
		}, k2, vc.AssertionMethod, "its key is also that of <" + k1 + ">, and there it is revoked"},
		{"revoked under another name", func(s shelf) {
			s[profileURL] = inTurtle(lists + multikey(t, k2, 1) + "<#k2> sec:revoked \"2026-08-01T12:00:00Z\"^^xsd:dateTime .")
		}, k1, vc.AssertionMethod, "its key is also that of <" + k2 + ">, and there it is revoked"},
		{"revoked under a name that is of no known type", func(s shelf) {
			s[profileURL] = inTurtle(lists + strings.Replace(multikey(t, k2, 1), "sec:Multikey", "sec:Key", 1) + "<#k2> sec:revoked \"2026-08-01T12:00:00Z\"^^xsd:dateTime .")
		}, k1, vc.AssertionMethod, "and there it is revoked"},
		{"revoked under a name that is not listed", func(s shelf) {
			s[profileURL] = inTurtle(lists + multikey(t, profileURL+"#old", 1) + "<#old> sec:revoked \"2026-08-01T12:00:00Z\"^^xsd:dateTime .")
		}, k1, vc.AssertionMethod, "its key is also that of <" + profileURL + "#old>, and there it is revoked"},
		{"revoked later under a name that is not listed", func(s shelf) {
			s[profileURL] = inTurtle(lists + multikey(t, profileURL+"#old", 1) + "<#old> sec:revoked \"2026-08-01T12:00:01Z\"^^xsd:dateTime .")
		}, k1, vc.AssertionMethod, ""},
		{"another key that is revoked under a name that is not listed", func(s shelf) {
			s[profileURL] = inTurtle(lists + multikey(t, profileURL+"#old", 2) + "<#old> sec:revoked \"2026-08-01T12:00:00Z\"^^xsd:dateTime .")
		}, k1, vc.AssertionMethod, ""},
		{"revoked under a name that is not listed, as a JWK", func(s shelf) {
			s[profileURL] = inTurtle(lists + "<#old> sec:publicKeyJwk '" + publicJWK(t, 1) + "'^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON> ; sec:revoked \"2026-08-01T12:00:00Z\"^^xsd:dateTime .")
		}, k1, vc.AssertionMethod, "and there it is revoked"},
		{"revoked later under a name that is not listed, as a JWK", func(s shelf) {
			s[profileURL] = inTurtle(lists + "<#old> sec:publicKeyJwk '" + publicJWK(t, 1) + "'^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON> ; sec:revoked \"2026-08-01T12:00:01Z\"^^xsd:dateTime .")
		}, k1, vc.AssertionMethod, ""},
		{"revoked under a name that is not listed, in base58", func(s shelf) {
			s[profileURL] = inTurtle(lists + "<#old> sec:publicKeyBase58 \"" + publicBase58(t, 1) + "\" ; sec:revoked \"2026-08-01T12:00:00Z\"^^xsd:dateTime .")
		}, k1, vc.AssertionMethod, "and there it is revoked"},
		{"under a name that is not listed, in base58", func(s shelf) {
			s[profileURL] = inTurtle(lists + "<#old> sec:publicKeyBase58 \"" + publicBase58(t, 1) + "\" .")
		}, k1, vc.AssertionMethod, ""},
		{"also in base58", func(s shelf) {
			s[profileURL] = inTurtle(lists + multikey(t, k2, 2) + "<#k2> sec:publicKeyBase58 \"" + publicBase58(t, 2) + "\" .")
		}, k2, vc.AssertionMethod, "in another form"},
		{"another key that is revoked, as a JWK", func(s shelf) {
			s[profileURL] = inTurtle(lists + "<#old> sec:publicKeyJwk '" + publicJWK(t, 2) + "'^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON> ; sec:revoked \"2026-08-01T12:00:00Z\"^^xsd:dateTime .")
		}, k1, vc.AssertionMethod, ""},
		{"under another name in both forms", func(s shelf) {
			s[profileURL] = inTurtle(lists + multikey(t, profileURL+"#old", 1) + "<#old> sec:publicKeyJwk '" + publicJWK(t, 1) + "'^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON> .")
		}, k1, vc.AssertionMethod, ""},
		{"with an end of its own in a JWK", func(s shelf) {
			s[profileURL] = inTurtle(lists + "<#old> sec:publicKeyJwk '" + strings.Replace(publicJWK(t, 1), "{", `{"exp":1,`, 1) + "'^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON> .")
		}, k1, vc.AssertionMethod, "no member exp in a JWK"},
		{"revoked under a listed name with another key", func(s shelf) {
			s[profileURL] = inTurtle(lists + multikey(t, k2, 1) + multikey(t, k2, 3) + "<#k2> sec:revoked \"2026-08-01T12:00:00Z\"^^xsd:dateTime .")
		}, k1, vc.AssertionMethod, "and there it is revoked"},
		{"revoked in its document without a name", func(s shelf) {
			s[keysURL] = inTurtle(multikey(t, k1, 1) + `[] sec:publicKeyMultibase "` + ed25519Key(t, 1).Public().Multikey() + `" ; sec:revoked "2026-08-01T12:00:00Z"^^xsd:dateTime .`)
		}, k1, vc.AssertionMethod, "and there it is revoked"},
		{"given away under another name", func(s shelf) {
			s[profileURL] = inTurtle(lists + multikey(t, k2, 1) + "<#k2> sec:secretKeyMultibase \"z1\" .")
		}, k1, vc.AssertionMethod, "and there it has sec:secretKeyMultibase"},
		{"a document that is not there", func(s shelf) { delete(s, keysURL) }, k1, vc.AssertionMethod, "could not be read"},
		{"and the other key all the same", func(s shelf) { delete(s, keysURL) }, k2, vc.AssertionMethod, ""},
		{"a document in JSON", func(s shelf) { s[keysURL] = vc.Document{Content: []byte("{}"), MediaType: "application/json"} }, k1, vc.AssertionMethod, "expected Turtle"},
		{"a document of no type", func(s shelf) { s[keysURL] = vc.Document{Content: s[keysURL].Content} }, k1, vc.AssertionMethod, "expected Turtle"},
		{"a document that is no Turtle", func(s shelf) { s.edit(keysURL, "a sec:Multikey", "a a") }, k1, vc.AssertionMethod, "could not be read"},
		{"a document that is too large", func(s shelf) { s[keysURL] = inTurtle(multikey(t, k1, 1) + strings.Repeat("#", 256<<10)) }, k1, vc.AssertionMethod, "could not be read"},
		{"documents of keys that are as large together as one may be", func(s shelf) { s.fill(0) }, k1, vc.AssertionMethod, ""},
		{"documents of keys that are larger", func(s shelf) { s.fill(1) }, k1, vc.AssertionMethod, "expected at most 262144 bytes of documents of keys together"},
		{"a key that is not at https", func(s shelf) { s[profileURL] = inTurtle("<#me> sec:assertionMethod <http://alice.example/keys#k1> .") }, "http://alice.example/keys#k1", vc.AssertionMethod, "https"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := shelf{profileURL: inTurtle(lists + multikey(t, k2, 2)), keysURL: inTurtle(multikey(t, k1, 1))}
			if tt.change != nil {
				tt.change(s)
			}
			c, err := vc.Web{Documents: s}.Controller(t.Context(), profileID)
			require.NoError(t, err)
			require.Equal(t, profileID, c.ID())
			got, err := c.Key(tt.key, tt.purpose, now)
			if tt.fault != "" {
				require.ErrorContains(t, err, tt.fault)
				require.Equal(t, vc.PublicKey{}, got)
				return
			}
			require.NoError(t, err)
			n := byte(1)
			if tt.key == k2 {
				n = 2
			}
			require.True(t, got.Equal(ed25519Key(t, n).Public()))
		})
	}

	// The resolver finds its keys like those of any issuer.
	s := shelf{profileURL: inTurtle(lists + multikey(t, k2, 2)), keysURL: inTurtle(multikey(t, k1, 1))}
	v := verifier(t, vc.Config{Keys: vc.Web{Documents: s}, Profile: vc.ProfileSVC})
	signed := sign(t, replaced(t, svcCredential, issuerID, profileID), ed25519Key(t, 1), vc.SignOptions{Profile: vc.ProfileSVC, Method: k1})
	require.True(t, verify(t, v, signed, now).Verified())
	forged := sign(t, replaced(t, svcCredential, issuerID, profileID), ed25519Key(t, 2), vc.SignOptions{Profile: vc.ProfileSVC, Method: k1})
	require.Equal(t, []vc.Code{vc.CodeInvalidSignature}, verify(t, v, forged, now).Codes())
	delete(s, keysURL)
	require.Equal(t, []vc.Code{vc.CodeInvalidSignature}, verify(t, v, signed, now).Codes())
	delete(s, profileURL)
	require.Equal(t, []vc.Code{vc.CodeIssuerMismatch}, verify(t, v, signed, now).Codes())

	// Documents that are not profiles.
	for name, text := range map[string]string{
		"no Turtle": "<", "a blank key": "<#me> sec:assertionMethod [ a sec:Multikey ] .", "a word for a key": `<#me> sec:assertionMethod "` + k1 + `" .`,
		"too large":   strings.Repeat("#", 256<<10),
		"deactivated": "<#me> sec:deactivated true ; sec:assertionMethod <" + k1 + "> .", "deactivated by a text": `<#me> sec:deactivated "false" ; sec:assertionMethod <` + k1 + "> .",
		"not active": `<#me> <https://example.org/ns#validity> false ; sec:assertionMethod <` + k1 + "> .", "not deactivated, and deactivated": `<#me> sec:deactivated false , true ; sec:assertionMethod <` + k1 + "> .",
		"a key that is deactivated as its own controller": `<#me> sec:deactivated true ; sec:assertionMethod <#me> , <` + k1 + "> .",
		"revoked":                       `<#me> sec:revoked "2026-07-01T00:00:00Z"^^xsd:dateTime ; sec:assertionMethod <` + k1 + "> .",
		"a document that is deprecated": `<> <http://www.w3.org/2002/07/owl#deprecated> true . <#me> sec:assertionMethod <` + k1 + "> .",
		"a document that is replaced":   `<card2> <http://purl.org/dc/terms/replaces> <> . <#me> sec:assertionMethod <` + k1 + "> .",
		"replaced":                      `<card2#me> <http://purl.org/dc/terms/replaces> <#me> . <#me> sec:assertionMethod <` + k1 + "> .",
		"invalidated":                   `<#act> <http://www.w3.org/ns/prov#invalidated> <#me> . <#me> sec:assertionMethod <` + k1 + "> .",
	} {
		_, err := vc.Web{Documents: shelf{profileURL: inTurtle(text)}}.Controller(t.Context(), profileID)
		assert.Error(t, err, name)
	}
	_, err := vc.Web{Documents: shelf{"https://b.example/.well-known/did.json": inTurtle("")}}.Controller(t.Context(), "did:web:b.example")
	require.Error(t, err, "did:web has JSON alone")
}

// fill lists a key before all others, and makes its document and that of the first one as
// large as those of all keys may be, and larger.
func (s shelf) fill(larger int) {
	const other = "https://alice.example/large"
	s[profileURL] = inTurtle("<#me> sec:assertionMethod <" + other + "#k> .\n" + string(s[profileURL].Content))
	size := 256<<10 + larger - len(s[keysURL].Content)
	s[other] = inTurtle("")
	s[other] = vc.Document{Content: append(s[other].Content, strings.Repeat("\n", size-len(s[other].Content))...), MediaType: s[other].MediaType}
}

// edit replaces a part of the document at a URL.
func (s shelf) edit(url, from, to string) {
	d := s[url]
	d.Content = []byte(strings.Replace(string(d.Content), from, to, 1))
	s[url] = d
}

// counted counts the documents that are read.
type counted struct {
	shelf
	n map[string]int
}

func (c counted) Document(ctx context.Context, url string) (vc.Document, error) {
	c.n[url]++
	return c.shelf.Document(ctx, url)
}

// TestKeyDocuments: a profile may have only a few documents of keys, and each is read
// once.
func TestKeyDocuments(t *testing.T) {
	t.Parallel()
	const most = 8
	for n, want := range map[int]bool{most: true, most + 1: false} {
		var b strings.Builder
		s := counted{shelf{}, map[string]int{}}
		for i := range n {
			url := fmt.Sprintf("https://alice.example/key%02d", i)
			fmt.Fprintf(&b, "<#me> sec:assertionMethod <%[1]s#a> , <%[1]s#b> .\n", url)
			s.shelf[url] = inTurtle(multikey(t, url+"#a", 1) + multikey(t, url+"#b", 1))
		}
		s.shelf[profileURL] = inTurtle(b.String())
		c, err := vc.Web{Documents: s}.Controller(t.Context(), profileID)
		require.NoError(t, err)
		usable := 0
		for i := range n {
			for _, key := range "ab" {
				if _, err := c.Key(fmt.Sprintf("https://alice.example/key%02d#%c", i, key), vc.AssertionMethod, now); err == nil {
					usable++
				}
			}
		}
		require.Equal(t, 2*most, usable)
		require.Equal(t, want, usable == 2*n)
		for url, times := range s.n {
			require.Equal(t, 1, times, url)
		}
		require.Len(t, s.n, most+1)
	}
}

// TestParseControllerRDF parses documents, with and without saying whose they are.
func TestParseControllerRDF(t *testing.T) {
	t.Parallel()
	parse := func(text string) *rdf.Dataset {
		d, err := turtle.Parse([]byte(securityTTL+text), turtle.Options{Base: profileURL})
		require.NoError(t, err)
		return d
	}
	const key = keysURL + "#k1"
	c, err := vc.ParseControllerRDF(t.Context(), parse("<#me> sec:assertionMethod <"+key+"> .\n"+multikey(t, key, 1)), "", nil, vc.Limits{})
	require.NoError(t, err)
	require.Equal(t, profileID, c.ID())
	_, err = c.Key(key, vc.AssertionMethod, now)
	require.NoError(t, err, "at hand, whatever its address")
	for name, text := range map[string]string{
		"nobody": "", "two": "<#me> sec:assertionMethod <#k> . <#you> sec:authentication <#k> .", "a blank node": "[] sec:assertionMethod <#k> .",
	} {
		_, err := vc.ParseControllerRDF(t.Context(), parse(text), "", nil, vc.Limits{})
		require.Error(t, err, name)
	}
	_, err = vc.ParseControllerRDF(t.Context(), parse(""), "me", nil, vc.Limits{})
	require.Error(t, err)
	d, err := turtle.ParseTriG([]byte("<urn:g> { <urn:a> <urn:b> <urn:c> }"), turtle.Options{})
	require.NoError(t, err)
	_, err = vc.ParseControllerRDF(t.Context(), d, "urn:a", nil, vc.Limits{})
	require.Error(t, err)
}
