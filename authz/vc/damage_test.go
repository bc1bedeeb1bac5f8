package vc_test

import (
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/damage"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// damages yields all damages of a document's lines and JSON values, and some of its bytes.
func damages(document string) iter.Seq2[damage.Change, []byte] {
	every, doc := 3, []byte(document)
	if testing.Short() {
		every = 21
	}
	return damage.Concat(damage.Every(every, damage.Bytes(doc)), damage.Lines(doc), damage.Values(doc))
}

// saysAll is everything that a credential claims, and its proofs.
func saysAll(t testing.TB, c *vc.Credential) string {
	return fmt.Sprintf("%+v|", c.Proofs()) + claims(t, c)
}

// claims is everything that a credential claims.
func claims(t testing.TB, c *vc.Credential) string {
	out := fmt.Sprintf("%s|%s|%s|%s|%v|%+v|%+v|%v", c.ID(), c.Issuer(), c.ValidFrom(), c.ValidUntil(), c.Types(), c.Status(), c.RelatedResources(), c.Subject())
	g, node, ok := c.Graph()
	if !ok {
		return out + "|no graph"
	}
	canonical, err := canon.Canonicalize(t.Context(), g.Dataset(), canon.Options{})
	require.NoError(t, err)
	return out + "|" + g.Dataset().Value(node) + "\n" + string(canonical.NQuads())
}

// allowed are the codes that a damaged credential may be refused with.
var allowed = []vc.Code{
	vc.CodeMalformed, vc.CodeNoProof, vc.CodeExpired, vc.CodeNotYetValid, vc.CodeUnknownCryptosuite,
	vc.CodeProofPurposeMismatch, vc.CodeIssuerMismatch, vc.CodeInvalidSignature,
}

// A credential that is damaged in any small way is refused, or claims exactly the same.
func TestDamagedCredentials(t *testing.T) {
	t.Parallel()
	alice, carol := someone(t, vc.Ed25519, 7), someone(t, vc.P256, 9)
	w3c := vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin()}
	strict := w3c
	strict.Authority = true
	auto := vc.Config{Keys: vc.Resolvers{parties(t), vc.DIDKeys{}}, Contexts: jsonld.Builtin(), Profile: vc.ProfileAuto}
	for _, tt := range []struct {
		name, document string
		config         vc.Config
	}{
		{"svc", signSVC(t, svcCredential), auto},
		{"w3c", signW3C(t, w3cText(alice.id), alice), w3c},
		{"authority", signW3C(t, w3cText(carol.id), carol), strict},
		{"jcs", sign(t, w3cText(alice.id), alice.key, vc.SignOptions{Method: alice.method, Suite: vc.EdDSAJCS2022}), w3c},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := verifier(t, tt.config)
			c := verify(t, v, tt.document, now).Credential()
			require.NotNil(t, c)
			want := saysAll(t, c)
			refused, same := 0, 0
			for change, damaged := range damages(tt.document) {
				r, err := v.Verify(t.Context(), damaged, now)
				require.NoError(t, err)
				if r.Verified() {
					same++
					require.Equal(t, want, saysAll(t, r.Credential()), change)
					continue
				}
				refused++
				for _, code := range r.Codes() {
					require.Contains(t, allowed, code, change)
				}
			}
			t.Logf("%d refused, %d say the same", refused, same)
			assert.Greater(t, refused, 900)
			assert.Less(t, same, refused/4)
		})
	}
}

// The same holds for a presentation.
func TestDamagedPresentations(t *testing.T) {
	t.Parallel()
	alice, bob := someone(t, vc.Ed25519, 7), someone(t, vc.Ed25519, 8)
	for _, tt := range []struct {
		name, document string
		config         vc.Config
	}{
		{"svc", presentSVC(t, signSVC(t, replaced(t, svcCredential, `"detail": {"note": "plain"}`, `"note": "x"`))), vc.Config{Keys: parties(t), Profile: vc.ProfileSVC}},
		{"w3c", presentW3C(t, bob, "", about(t, alice, bob, "urn:uuid:1")), vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Authority: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := verifier(t, tt.config)
			p := present(t, v, tt.document, expected).Presentation()
			require.NotNil(t, p)
			say := func(p *vc.Presentation) string {
				out := p.ID() + "|" + p.Holder() + fmt.Sprintf("%+v", p.Proofs())
				for _, c := range p.Credentials() {
					out += saysAll(t, c)
				}
				return out
			}
			want := say(p)
			refused := 0
			for change, damaged := range damages(tt.document) {
				r, err := v.VerifyPresentation(t.Context(), damaged, expected, now)
				require.NoError(t, err)
				if r.Verified() {
					require.Equal(t, want, say(r.Presentation()), change)
					continue
				}
				refused++
				for _, code := range r.Codes() {
					require.Contains(t, append([]vc.Code{vc.CodeChallengeMismatch, vc.CodeDomainMismatch, vc.CodeHolderUnverified}, allowed...), code, change)
				}
			}
			assert.Greater(t, refused, 1000)
		})
	}
}

// svcList is a signed status list in Turtle, as the SVC profile has them. It is signed as
// JSON that gives the same graph.
func svcList(t testing.TB, set ...int64) string {
	t.Helper()
	l, err := vc.NewStatusList(131_072)
	require.NoError(t, err)
	for _, i := range set {
		require.NoError(t, l.Set(i, true))
	}
	encoded, err := l.Encode()
	require.NoError(t, err)
	const status = "https://www.w3.org/ns/credentials/status#"
	signed := signSVC(t, fmt.Sprintf(`{"id":%q,"type":["BitstringStatusListCredential"],"issuer":%q,"validFrom":"2026-07-01T00:00:00Z",
		"credentialSubject":{"id":"%s#list","%sstatusPurpose":"revocation","%sencodedList":%q}}`, listURL, issuerID, listURL, status, status, encoded))
	at := strings.Index(signed, `"proofValue":"`) + len(`"proofValue":"`)
	value := signed[at : at+strings.Index(signed[at:], `"`)]
	return fmt.Sprintf(`@prefix cred: <https://www.w3.org/2018/credentials#>.
@prefix sec: <https://w3id.org/security#>.
@prefix svc: <https://w3id.org/jeswr/solid-vc#>.
@prefix status: <%s>.
@prefix xsd: <http://www.w3.org/2001/XMLSchema#>.
<%s> a cred:VerifiableCredential, svc:BitstringStatusListCredential;
  cred:issuer <%s>;
  cred:validFrom "2026-07-01T00:00:00Z"^^xsd:dateTime;
  cred:credentialSubject <#list>;
  sec:proof _:p.
<#list> status:statusPurpose "revocation";
  status:encodedList "%s".
_:p a sec:DataIntegrityProof;
  sec:cryptosuite "eddsa-rdfc-2022";
  sec:verificationMethod <%s>;
  sec:proofPurpose sec:assertionMethod;
  <http://purl.org/dc/terms/created> "2026-08-01T11:00:00Z"^^xsd:dateTime;
  sec:proofValue "%s".
`, status, listURL, issuerID, encoded, issuerMethod, value)
}

// In both profiles, a status list that is damaged in any small way never clears a revoked
// credential.
func TestDamagedStatusLists(t *testing.T) {
	t.Parallel()
	alice := someone(t, vc.Ed25519, 7)
	for _, tt := range []struct {
		name, document, list, mediaType string
		config                          vc.Config
	}{
		{"svc", signSVC(t, svcCredential), svcList(t, 42), "text/turtle", vc.Config{Keys: parties(t), Profile: vc.ProfileSVC}},
		{"w3c", signW3C(t, w3cText(alice.id), alice), list(t, alice, "revocation", 42), "application/vc", vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin()}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			documents := shelf{}
			tt.config.Documents = documents
			v := verifier(t, tt.config)
			c := verify(t, v, tt.document, now).Credential()
			require.NotNil(t, c)
			documents[listURL] = vc.Document{Content: []byte(tt.list), MediaType: tt.mediaType}
			r, err := v.CheckStatus(t.Context(), c, now)
			require.NoError(t, err)
			require.Equal(t, []vc.Code{vc.CodeRevoked}, r.Codes(), r.Findings())
			refused := 0
			for change, damaged := range damages(tt.list) {
				documents[listURL] = vc.Document{Content: damaged, MediaType: tt.mediaType}
				r, err := v.CheckStatus(t.Context(), c, now)
				require.NoError(t, err)
				require.False(t, r.Clear(), change)
				if r.Code() != vc.CodeRevoked {
					refused++
					require.Equal(t, []vc.Code{vc.CodeStatusRetrievalError}, r.Codes(), change)
				}
			}
			assert.Greater(t, refused, 150)
		})
	}
}

// Of a status list in Turtle, only what is signed is read.
func TestTurtleStatusList(t *testing.T) {
	t.Parallel()
	document := signSVC(t, svcCredential)
	good := svcList(t)
	other := svcList(t, 42)
	at := strings.Index(other, `status:encodedList "`)
	revoking := other[at : at+strings.Index(other[at:], ".\n")]
	unavailable := []vc.Code{vc.CodeStatusRetrievalError}
	for _, tt := range []struct {
		name, list, mediaType string
		profile               vc.Profile
		want                  []vc.Code
	}{
		{"clear", good, "text/turtle", vc.ProfileSVC, nil},
		{"without a media type", good, "", vc.ProfileAuto, nil},
		{"revoked", other, "text/turtle", vc.ProfileSVC, []vc.Code{vc.CodeRevoked}},
		{"list on the proof", good + "@prefix status: <https://www.w3.org/ns/credentials/status#>. _:p " + revoking + ".", "text/turtle", vc.ProfileSVC, unavailable},
		{"second list", good + "@prefix status: <https://www.w3.org/ns/credentials/status#>. <#list> " + revoking + ".", "text/turtle", vc.ProfileSVC, unavailable},
		{"challenge on the proof", strings.Replace(good, "sec:proofValue", `sec:challenge "x"; sec:proofValue`, 1), "text/turtle", vc.ProfileSVC, unavailable},
		{"second proof value", strings.Replace(good, "sec:proofValue", `sec:proofValue "z1", `, 1), "text/turtle", vc.ProfileSVC, unavailable},
		{"second, malformed proof", strings.Replace(good, "sec:proof _:p", `sec:proof _:p, <urn:q>`, 1), "text/turtle", vc.ProfileSVC, unavailable},
		{"literal proof", strings.Replace(good, "sec:proof _:p", `sec:proof _:p, "x"`, 1), "text/turtle", vc.ProfileSVC, unavailable},
		{"five proofs", strings.Replace(good, "sec:proof _:p", `sec:proof _:p, <urn:1>, <urn:2>, <urn:3>, <urn:4>`, 1), "text/turtle", vc.ProfileSVC, unavailable},
		{"the list is a proof", strings.Replace(good, "sec:proof _:p", `sec:proof _:p, <#list>`, 1), "text/turtle", vc.ProfileSVC, unavailable},
		{"no proof", strings.Replace(good, "sec:proof _:p", `cred:evidence _:p`, 1), "text/turtle", vc.ProfileSVC, unavailable},
		{"second credential", good + "<urn:x> a <https://www.w3.org/2018/credentials#VerifiableCredential>.", "text/turtle", vc.ProfileSVC, unavailable},
		{"second issuer", good + "<> <https://www.w3.org/2018/credentials#issuer> <urn:x>.", "text/turtle", vc.ProfileSVC, unavailable},
		{"bad date", strings.Replace(good, `"2026-07-01T00:00:00Z"`, `"2026-07-01"`, 1), "text/turtle", vc.ProfileSVC, unavailable},
		{"no Turtle", "<", "text/turtle", vc.ProfileSVC, unavailable},
		{"other syntax", good, "application/n-quads", vc.ProfileSVC, unavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := verifier(t, vc.Config{Keys: parties(t), Profile: tt.profile, Documents: shelf{listURL: {Content: []byte(tt.list), MediaType: tt.mediaType}}})
			c := verify(t, v, document, now).Credential()
			require.NotNil(t, c)
			r, err := v.CheckStatus(t.Context(), c, now)
			require.NoError(t, err)
			assert.Equal(t, tt.want, r.Codes(), r.Findings())
		})
	}
	// The W3C profile has no lists in Turtle.
	alice := someone(t, vc.Ed25519, 7)
	v := verifier(t, vc.Config{Keys: vc.Resolvers{vc.DIDKeys{}, parties(t)}, Contexts: jsonld.Builtin(), Documents: shelf{listURL: {Content: []byte(good), MediaType: "text/turtle"}}})
	r, err := v.CheckStatus(t.Context(), verify(t, v, signW3C(t, w3cText(alice.id), alice), now).Credential(), now)
	require.NoError(t, err)
	assert.Equal(t, unavailable, r.Codes())
	assert.Contains(t, r.Findings()[0].Text, "SVC profile")
}
