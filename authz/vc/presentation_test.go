package vc_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

var expected = vc.Expected{Challenge: "c-1", Domain: []string{"https://verifier.example/"}, DeferStatus: true}

// presentSVC is a signed presentation of credentials in the SVC profile.
func presentSVC(t testing.TB, credentials ...string) string {
	t.Helper()
	unsigned := fmt.Sprintf(`{"id":"urn:uuid:vp","holder":%q,"verifiableCredential":[%s]}`, holderID, strings.Join(credentials, ","))
	return sign(t, unsigned, ed25519Key(t, 2), vc.SignOptions{Profile: vc.ProfileSVC, Method: holderMethod, Challenge: "c-1", Domain: []string{"https://verifier.example/"}})
}

// presentW3C is one in the W3C profile.
func presentW3C(t testing.TB, holder party, suite vc.Cryptosuite, credentials ...string) string {
	t.Helper()
	unsigned := fmt.Sprintf(`{"@context":["https://www.w3.org/ns/credentials/v2"],"id":"urn:uuid:vp","type":["VerifiablePresentation"],"holder":%q,"verifiableCredential":[%s]}`, holder.id, strings.Join(credentials, ","))
	return sign(t, unsigned, holder.key, vc.SignOptions{Suite: suite, Method: holder.method, Challenge: "c-1", Domain: []string{"https://verifier.example/"}})
}

func present(t testing.TB, v *vc.Verifier, document string, e vc.Expected) *vc.PresentationReport {
	t.Helper()
	r, err := v.VerifyPresentation(t.Context(), []byte(document), e, now)
	require.NoError(t, err)
	require.Equal(t, r.Verified(), r.Presentation() != nil)
	require.Equal(t, r.Verified(), r.Code() == "")
	require.Equal(t, r.Verified(), len(r.Codes()) == 0)
	return r
}

// about is a W3C credential with an id that authorizes somebody.
func about(t testing.TB, issuer, agent party, id string) string {
	text := replaced(t, w3cText(issuer.id), "https://agent.example/#it", agent.id)
	return signW3C(t, replaced(t, text, "urn:uuid:1", id), issuer)
}

// TestReceivers: a credential that grants authority counts only for the receivers that its
// proof names, if it names some.
func TestReceivers(t *testing.T) {
	t.Parallel()
	alice, bob := someone(t, vc.Ed25519, 7), someone(t, vc.P384, 8)
	w3c := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin()})
	strict := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Authority: true})
	svc := verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC})
	text := replaced(t, w3cText(alice.id), "https://agent.example/#it", bob.id)
	here, there := "https://verifier.example/", "https://other.example/"
	own := []string{here}
	receiving := strict.Receiving(vc.Expected{Domain: own})
	own[0] = there
	for _, domain := range []string{here, there} { // it has a list of its own
		signed := sign(t, text, alice.key, vc.SignOptions{Method: alice.method, Domain: []string{domain}})
		assert.Equal(t, domain == here, verify(t, receiving, signed, now).Verified())
	}
	for name, tt := range map[string]struct {
		challenge        string
		domain           []string
		alone, presented []vc.Code
	}{
		"none":              {"", nil, nil, nil},
		"this one":          {"", []string{here}, []vc.Code{vc.CodeDomainMismatch}, nil},
		"this one of two":   {"", []string{there, here}, []vc.Code{vc.CodeDomainMismatch}, nil},
		"another":           {"", []string{there}, []vc.Code{vc.CodeDomainMismatch}, []vc.Code{vc.CodeDomainMismatch}},
		"this exchange":     {"c-1", []string{here}, []vc.Code{vc.CodeChallengeMismatch, vc.CodeDomainMismatch}, nil},
		"another challenge": {"c-2", nil, []vc.Code{vc.CodeChallengeMismatch}, []vc.Code{vc.CodeChallengeMismatch}},
	} {
		signed := sign(t, text, alice.key, vc.SignOptions{Method: alice.method, Challenge: tt.challenge, Domain: tt.domain})
		assert.Equal(t, tt.alone, verify(t, strict, signed, now).Codes(), name)
		assert.Empty(t, verify(t, w3c, signed, now).Codes(), name)
		r := present(t, strict, presentW3C(t, bob, "", signed), expected)
		assert.Equal(t, tt.presented, r.Codes(), name)
		for _, f := range r.Findings() {
			assert.Equal(t, [2]int{1, 1}, [2]int{f.Credential, f.Proof}, name)
		}
		assert.Empty(t, present(t, w3c, presentW3C(t, bob, "", signed), expected).Codes(), name)
		if len(tt.domain) < 2 { // of which that profile has one
			signed = sign(t, svcCredential, ed25519Key(t, 1), vc.SignOptions{Profile: vc.ProfileSVC, Method: issuerMethod, Challenge: tt.challenge, Domain: tt.domain})
			assert.Equal(t, tt.alone, verify(t, svc, signed, now).Codes(), name)
			assert.Equal(t, tt.presented, present(t, svc, presentSVC(t, signed), expected).Codes(), name)
		}
	}
}

func TestPresentation(t *testing.T) {
	t.Parallel()
	alice, bob := someone(t, vc.Ed25519, 7), someone(t, vc.P384, 8)
	svc := verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC})
	w3c := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin()})
	strict := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Authority: true})
	r := present(t, svc, presentSVC(t, signSVC(t, svcCredential)), expected)
	require.True(t, r.Verified(), r.Findings())
	p := r.Presentation()
	assert.Equal(t, "urn:uuid:vp", p.ID())
	assert.Equal(t, holderID, p.Holder())
	assert.Equal(t, vc.ProfileSVC, p.Profile())
	require.Len(t, p.Credentials(), 1)
	assert.Equal(t, issuerID, p.Credentials()[0].Issuer())
	require.Len(t, p.Proofs(), 1)
	assert.Equal(t, vc.Authentication, p.Proofs()[0].Purpose)

	rdfc := presentW3C(t, bob, "", about(t, alice, bob, "urn:uuid:1"))
	r = present(t, w3c, rdfc, expected)
	require.True(t, r.Verified(), r.Findings())
	assert.Equal(t, bob.id, r.Presentation().Holder())
	r = present(t, strict, rdfc, expected)
	require.True(t, r.Verified(), r.Findings())
	r = present(t, w3c, presentW3C(t, bob, vc.ECDSAJCS2019, about(t, alice, bob, "urn:uuid:1")), expected)
	require.True(t, r.Verified(), r.Findings())
	r = present(t, strict, presentW3C(t, bob, vc.ECDSAJCS2019, about(t, alice, bob, "urn:uuid:1")), expected)
	assert.Equal(t, []vc.Code{vc.CodeUnknownCryptosuite}, r.Codes())

	// Status is checked unless the caller does so itself.
	now := expected
	now.DeferStatus = false
	r = present(t, w3c, rdfc, now)
	assert.Equal(t, []vc.Code{vc.CodeStatusRetrievalError}, r.Codes())
	assert.Equal(t, 1, r.Findings()[0].Credential)
}

// Every row of the table of section 5.1.
func TestPresentationRefusals(t *testing.T) {
	t.Parallel()
	v := verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC})
	lax := verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC, InsecureAnyRelationship: true})
	credential := signSVC(t, svcCredential)
	good := presentSVC(t, credential)
	other := signSVC(t, replaced(t, svcCredential, `"count": 3`, `"count": 4`))
	malformed := []vc.Code{vc.CodeMalformed}
	with := func(change func(*vc.Expected)) vc.Expected {
		e := expected
		change(&e)
		return e
	}
	for _, tt := range []struct {
		name, document string
		expected       vc.Expected
		want           []vc.Code
	}{
		{"good", good, expected, nil},
		{"challenge", good, with(func(e *vc.Expected) { e.Challenge = "c-2" }), []vc.Code{vc.CodeChallengeMismatch}},
		{"challenge is longer", good, with(func(e *vc.Expected) { e.Challenge = "c-11" }), []vc.Code{vc.CodeChallengeMismatch}},
		{"domain", good, with(func(e *vc.Expected) { e.Domain = []string{"https://evil.example/"} }), []vc.Code{vc.CodeDomainMismatch}},
		{"domain of two", good, with(func(e *vc.Expected) { e.Domain = append(e.Domain, "b") }), []vc.Code{vc.CodeDomainMismatch}},
		{"both", good, with(func(e *vc.Expected) { e.Challenge, e.Domain = "x", []string{"y"} }), []vc.Code{vc.CodeChallengeMismatch, vc.CodeDomainMismatch}},
		{"challenge edited", replaced(t, good, `"challenge":"c-1"`, `"challenge":"c-2"`), with(func(e *vc.Expected) { e.Challenge = "c-2" }), []vc.Code{vc.CodeInvalidSignature}},
		{"no challenge", replaced(t, good, `"challenge":"c-1",`, ``), expected, []vc.Code{vc.CodeChallengeMismatch, vc.CodeInvalidSignature}},
		{"purpose edited", replaced(t, good, `"authentication"`, `"assertionMethod"`), expected, []vc.Code{vc.CodeProofPurposeMismatch, vc.CodeInvalidSignature}},
		{"id edited", replaced(t, good, "urn:uuid:vp", "urn:uuid:vq"), expected, []vc.Code{vc.CodeInvalidSignature}},
		{"substituted", replaced(t, good, credential, other), expected, []vc.Code{vc.CodeInvalidSignature}},
		{"credential edited", replaced(t, good, `"count": 3`, `"count": 4`), expected, []vc.Code{vc.CodeInvalidSignature}},
		{"no holder", replaced(t, good, `"holder":"`+holderID+`",`, ``), expected, []vc.Code{vc.CodeHolderUnverified}},
		{"relative holder", replaced(t, good, `"holder":"`+holderID+`"`, `"holder":"agent"`), expected, []vc.Code{vc.CodeHolderUnverified}},
		{"holder edited", replaced(t, good, `"holder":"`+holderID+`"`, `"holder":"`+issuerID+`"`), expected, []vc.Code{vc.CodeIssuerMismatch}},
		{"unknown member", replaced(t, good, `"holder"`, `"note":1,"holder"`), expected, malformed},
		{"context", replaced(t, good, `"holder"`, `"@context":[],"holder"`), expected, malformed},
		{"type", replaced(t, good, `"holder"`, `"type":["VerifiablePresentation"],"holder"`), expected, nil},
		{"other type", replaced(t, good, `"holder"`, `"type":["VerifiablePresentation","X"],"holder"`), expected, malformed},
		{"no type", replaced(t, good, `"holder"`, `"type":[],"holder"`), expected, malformed},
		{"no id", replaced(t, good, `"id":"urn:uuid:vp",`, ``), expected, malformed},
		{"no credentials", presentationWith(t, good, `[]`), expected, malformed},
		{"null credential", presentationWith(t, good, `[null]`), expected, malformed},
		{"text credential", presentationWith(t, good, `["x"]`), expected, malformed},
		{"credential alone", presentationWith(t, good, credential), expected, malformed},
		{"same credential twice", presentationWith(t, good, "["+credential+","+credential+"]"), expected, malformed},
		{"seventeen", presentationWith(t, good, "["+strings.Repeat("{},", 16)+"{}]"), expected, malformed},
		{"nested presentation", presentationWith(t, good, "["+good+"]"), expected, malformed},
		{"no proof", good[:strings.LastIndex(good, `,"proof":`)] + "}", expected, []vc.Code{vc.CodeNoProof}},
		{"no JSON", good + "x", expected, malformed},
		{"a credential", credential, expected, malformed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tt.want, present(t, v, tt.document, tt.expected).Codes())
		})
	}
	// A credential is not taken for a presentation, nor a presentation for a credential.
	assert.Equal(t, malformed, verify(t, v, good, now).Codes())
	// The findings about credentials come first, with the number of the credential.
	r, err := v.VerifyPresentation(t.Context(), []byte(good), expected, now.AddDate(1, 0, 0))
	require.NoError(t, err)
	assert.Equal(t, []vc.Code{vc.CodeExpired}, r.Codes())
	assert.Equal(t, 1, r.Findings()[0].Credential)
	assert.Equal(t, "/verifiableCredential/0/validUntil", r.Findings()[0].Pointer)
	// A key that is only for assertions does not authenticate.
	self := fmt.Sprintf(`{"id":"urn:uuid:vp","holder":%q,"verifiableCredential":[%s]}`, issuerID, credential)
	signed := sign(t, self, ed25519Key(t, 1), vc.SignOptions{Profile: vc.ProfileSVC, Method: issuerMethod, Challenge: "c-1", Domain: []string{"https://verifier.example/"}})
	assert.Equal(t, []vc.Code{vc.CodeIssuerMismatch}, present(t, v, signed, expected).Codes())
	assert.True(t, present(t, lax, signed, expected).Verified())
}

// presentationWith replaces the credentials of a presentation.
func presentationWith(t *testing.T, document, credentials string) string {
	at := strings.Index(document, `"verifiableCredential":`)
	end := strings.LastIndex(document, `,"proof":`)
	require.Less(t, at, end)
	return document[:at] + `"verifiableCredential":` + credentials + document[end:]
}

// The holder and the credentials, under each rule.
func TestHolderRules(t *testing.T) {
	t.Parallel()
	alice, agent, institute := someone(t, vc.Ed25519, 7), someone(t, vc.Ed25519, 8), someone(t, vc.P256, 9)
	v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin()})
	first, second := about(t, alice, agent, "urn:uuid:1"), about(t, agent, institute, "urn:uuid:2")
	noAuthority := signW3C(t, replaced(t, replaced(t, w3cText(alice.id), `, "AgentAuthorizationCredential"`, ``), "https://agent.example/#it", institute.id), alice)
	subject := signW3C(t, replaced(t, replaced(t, w3cText(alice.id), `"credentialSubject": {`+"\n"+`    "id": "`+alice.id, `"credentialSubject": {`+"\n"+`    "id": "`+institute.id), "urn:uuid:1", "urn:uuid:3"), alice)
	two := signW3C(t, replaced(t, w3cText(alice.id), `"https://agent.example/#it"`, `["`+institute.id+`","`+agent.id+`"]`), alice)
	for _, tt := range []struct {
		name                string
		holder              party
		credentials         []string
		each, leaf, unbound bool
	}{
		{"authorized", institute, []string{second}, true, true, true},
		{"authorized in another type", institute, []string{noAuthority}, false, false, true},
		{"one of two authorized", institute, []string{two}, false, false, true},
		{"subject", institute, []string{subject}, true, false, true},
		{"chain", institute, []string{first, second}, false, true, true},
		{"chain reversed", institute, []string{second, first}, false, false, true},
		{"somebody else", alice, []string{second}, false, false, true},
		{"none", institute, nil, true, false, true},
	} {
		document := presentW3C(t, tt.holder, "", tt.credentials...)
		for rule, want := range map[vc.HolderRule]bool{vc.HolderEach: tt.each, vc.HolderLeaf: tt.leaf, vc.HolderUnbound: tt.unbound} {
			e := expected
			e.Holder = rule
			r := present(t, v, document, e)
			assert.Equal(t, want, r.Verified(), "%s, rule %d: %v", tt.name, rule, r.Findings())
			if !want {
				assert.Equal(t, []vc.Code{vc.CodeHolderUnverified}, r.Codes(), tt.name)
			}
		}
	}
}

// What the W3C profile demands of a presentation.
func TestPresentationW3C(t *testing.T) {
	t.Parallel()
	alice, bob := someone(t, vc.Ed25519, 7), someone(t, vc.P384, 8)
	v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin()})
	strict := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Authority: true})
	credential := about(t, alice, bob, "urn:uuid:1")
	good := presentW3C(t, bob, "", credential)
	for name, tt := range map[string]struct {
		from, to string
		want     vc.Code
	}{
		"no context":       {`"@context":["https://www.w3.org/ns/credentials/v2"],"id":"urn:uuid:vp"`, `"id":"urn:uuid:vp"`, vc.CodeMalformed},
		"no type":          {`"type":["VerifiablePresentation"],`, ``, vc.CodeMalformed},
		"undefined member": {`"holder"`, `"note":1,"holder"`, vc.CodeMalformed},
		"holder edited":    {`"holder":"` + bob.id, `"holder":"` + alice.id, vc.CodeIssuerMismatch},
		"credential edit":  {`"target": "https://data.example/x"`, `"target": "https://data.example/y"`, vc.CodeInvalidSignature},
		"second holder":    {`"holder"`, `"https://www.w3.org/2018/credentials#holder":{"id":"` + alice.id + `"},"holder"`, vc.CodeMalformed},
		"hidden":           {`"holder"`, `"https://www.w3.org/2018/credentials#verifiableCredential":{"id":"urn:uuid:7","type":"VerifiableCredential","issuer":"` + alice.id + `"},"holder"`, vc.CodeMalformed},
		"enveloped":        {credential, `{"@context":"https://www.w3.org/ns/credentials/v2","type":"EnvelopedVerifiableCredential","id":"data:application/vc+jwt,x"}`, vc.CodeMalformed},
		"domains":          {`"domain":"https://verifier.example/"`, `"domain":["https://verifier.example/","x"]`, vc.CodeDomainMismatch},
	} {
		assert.Equal(t, tt.want, present(t, v, replaced(t, good, tt.from, tt.to), expected).Code(), name)
		assert.Equal(t, tt.want, present(t, strict, replaced(t, good, tt.from, tt.to), expected).Code(), name)
	}
	// A presentation has no times of its own. One that ended by any name would be good for
	// ever.
	best := replaced(t, good, `["https://www.w3.org/ns/credentials/v2"],"id":"urn:uuid:vp"`,
		`["https://www.w3.org/ns/credentials/v2",{"best":"https://www.w3.org/2018/credentials#validUntil","last":"https://schema.org/endDate","urn2":"urn:uuid:"}],"id":"urn:uuid:vp"`)
	json := sign(t, best[:strings.LastIndex(best, `,"proof":`)]+"}", bob.key, vc.SignOptions{Suite: vc.ECDSAJCS2019, Method: bob.method, Challenge: "c-1", Domain: []string{"https://verifier.example/"}})
	require.True(t, present(t, v, json, expected).Verified())
	for _, member := range []string{
		`"exp":1600000000`, `"nbf":1900000000`, `"validUntil":"2026-07-01T00:00:00Z"`, `"best":"2026-07-01T00:00:00Z"`,
		`"https://www.w3.org/2018/credentials#validUntil":"2026-07-01T00:00:00Z"`, `"https://w3id.org/security#expiration":"2026-07-01T00:00:00Z"`,
		`"last":"2026-07-01"`, `"https://schema.org/endDate":"2026-07-01"`,
	} {
		assert.Equal(t, vc.CodeMalformed, present(t, v, replaced(t, best, `"holder"`, member+`,"holder"`), expected).Code(), member)
		want := vc.CodeMalformed
		if strings.Contains(member, "best") || strings.Contains(member, "last") { // the names of members are what a JCS proof covers
			want = vc.CodeInvalidSignature
		}
		assert.Equal(t, want, present(t, v, replaced(t, json, `"holder"`, member+`,"holder"`), expected).Code(), member)
	}
	assert.True(t, present(t, v, best, expected).Verified(), "the graph is the same")
	// Its id is that of the graph, whatever its text is short for.
	assert.Equal(t, []vc.Code{vc.CodeMalformed}, present(t, v, replaced(t, best, `"id":"urn:uuid:vp"`, `"id":"urn2:vp"`), expected).Codes())
	// The order of several domains does not matter.
	unsigned := good[:strings.LastIndex(good, `,"proof":`)] + "}"
	several := sign(t, unsigned, bob.key, vc.SignOptions{Method: bob.method, Challenge: "c-1", Domain: []string{"b", "a"}})
	assert.True(t, present(t, v, several, vc.Expected{Challenge: "c-1", Domain: []string{"a", "b", "a"}, DeferStatus: true}).Verified())
	assert.Equal(t, []vc.Code{vc.CodeDomainMismatch}, present(t, v, several, vc.Expected{Challenge: "c-1", Domain: []string{"a"}, DeferStatus: true}).Codes())
	// Without credentials it only proves control of the key, which grants nothing.
	empty := presentW3C(t, bob, "")
	assert.True(t, present(t, v, empty, expected).Verified())
	assert.Equal(t, []vc.Code{vc.CodeMalformed}, present(t, strict, empty, expected).Codes())
	// The holder may be an object with more members.
	many := make([]string, 1000)
	for i := range many {
		many[i] = fmt.Sprint("https://domain.example/", i)
	}
	long := present(t, v, sign(t, unsigned, bob.key, vc.SignOptions{Method: bob.method, Challenge: "c-1", Domain: many}), expected)
	require.Equal(t, []vc.Code{vc.CodeDomainMismatch}, long.Codes())
	require.Less(t, len(long.Findings()[0].Text), 1000, "what a peer sends does not fill a log")

	object := sign(t, replaced(t, unsigned, `"holder":"`+bob.id+`"`, `"holder":{"id":"`+bob.id+`"}`), bob.key, vc.SignOptions{Method: bob.method, Challenge: "c-1", Domain: []string{"https://verifier.example/"}})
	assert.True(t, present(t, v, object, expected).Verified())
	// Proofs of a presentation expire like those of a credential.
	expiring := sign(t, unsigned, bob.key, vc.SignOptions{Method: bob.method, Challenge: "c-1", Domain: []string{"https://verifier.example/"}, Expires: now.Add(-time.Second)})
	assert.Equal(t, []vc.Code{vc.CodeExpired}, present(t, v, expiring, expected).Codes())
	// A presentation of one profile holds credentials of that profile.
	mixed := verifier(t, vc.Config{Keys: vc.Resolvers{parties(t), vc.DIDKeys{}}, Profile: vc.ProfileAuto, Contexts: jsonld.Builtin()})
	assert.True(t, present(t, mixed, good, expected).Verified())
	assert.True(t, present(t, mixed, presentSVC(t, signSVC(t, svcCredential)), expected).Verified())
	assert.Equal(t, vc.CodeMalformed, present(t, mixed, replaced(t, presentSVC(t, signSVC(t, svcCredential)), signSVC(t, svcCredential), credential), expected).Code())
}
