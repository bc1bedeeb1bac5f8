package authz_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/odrl"
)

// FuzzPresentation: whatever is presented, there is a decision, it is consistent, nobody
// but the holders that signed is authorized, and not with another policy than was signed.
func FuzzPresentation(f *testing.F) {
	s := good(f)
	a := s.authorizer(f)
	two, policies := presentW3C(f, 4, append(chain(0, 2), chain(2, 2)...)...)
	one, _ := presentW3C(f, 2, chain(0, 2)...)
	f.Add(two, policies[0].Content)
	f.Add(one, policies[0].Content)
	f.Add(two, []byte(""))
	f.Add([]byte(`{"holder":"urn:a","verifiableCredential":[{}]}`), []byte("<urn:p> a <http://www.w3.org/ns/odrl/2/Set> ."))
	for _, seed := range suite.Seeds(f, suite.Presentations, suite.Credentials) {
		f.Add(seed.Data, policies[0].Content)
	}
	for _, seed := range suite.Seeds(f, suite.Policies) {
		f.Add(one, seed.Data)
	}
	f.Fuzz(func(t *testing.T, presentation, text []byte) {
		r := s.request
		r.Actor, r.Chain.Policies = "", append([]authz.PolicyDocument{{Content: text}}, policies[1:]...)
		d, err := a.AuthorizePresentation(t.Context(), r, presentation, vc.Expected{Challenge: vpChallenge, Domain: []string{vpDomain}})
		require.NoError(t, err)
		consistent(t, d)
		if d.Authorized() {
			require.Contains(t, []string{party(2), party(4)}, d.Record().Actor)
			require.Equal(t, string(policies[0].Content), string(text))
		}
	})
}

// FuzzAuthorize: whatever is presented, there is a decision, it is consistent, and only
// the chain that was signed is authorized, unless it is revoked.
func FuzzAuthorize(f *testing.F) {
	s := good(f)
	s.hops = chain(0, 1)
	s.request.Actor = party(1)
	// The project's vectors have other keys and names.
	vectors := good(f)
	vectors.verifier.Keys = keysOfVectors(f)
	vectors.config.Binding = authz.InsecureBindingPresented
	vectors.request.Actor = party(1)
	vectors.request.Asks = []odrl.Request{{Action: "read", Target: "https://example.org/#doc"}}
	a, other := s.authorizer(f), vectors.authorizer(f)
	r := s.prepare(f)
	policyText := r.Chain.Policies[0].Content
	f.Add(r.Chain.Credentials[0], policyText, []byte(""))
	f.Add([]byte(`{"credentialSubject":{"policy":{"a":1}}}`), []byte("<urn:p> a <http://www.w3.org/ns/odrl/2/Set> ."), []byte(prefixes+"<urn:r> odrld:revokedPolicy <urn:p> ."))
	for _, seed := range suite.Seeds(f, suite.Revocations) {
		f.Add(r.Chain.Credentials[0], policyText, seed.Data)
	}
	beside := map[string][]byte{} // policies by their files, but for the extension
	for _, seed := range suite.Seeds(f, suite.Policies) {
		f.Add(r.Chain.Credentials[0], seed.Data, []byte(""))
		beside[strings.TrimSuffix(seed.Name, ".ttl")] = seed.Data
	}
	paired := 0
	for _, seed := range suite.Seeds(f, suite.Credentials) {
		text, ok := beside[strings.TrimSuffix(seed.Name, ".vc.json")]
		if !ok {
			text = policyText
		} else {
			paired++
		}
		f.Add(seed.Data, text, []byte(""))
	}
	require.NotZero(f, paired, "no credential has its policy beside it")
	f.Fuzz(func(t *testing.T, credential, text, revocation []byte) {
		given := func(q authz.Request) authz.Request {
			q.Chain = authz.Chain{Credentials: [][]byte{credential}, Policies: []authz.PolicyDocument{{Content: text}}}
			q.Revocations = []authz.RevocationDocument{{Content: revocation}}
			return q
		}
		d := authorize(t, a, given(r))
		if d.Authorized() {
			require.Equal(t, string(policyText), string(text))
			require.Equal(t, []string{party(0), party(1)}, []string{d.Hops[0].Issuer, d.LeafAssignee})
			revoked := given(r)
			revoked.Revoked = []string{policy(0)}
			require.False(t, authorize(t, a, revoked).Authorized())
		}
		d = authorize(t, other, given(vectors.request))
		if d.Authorized() {
			require.Equal(t, []string{party(0), party(1)}, []string{d.Hops[0].Issuer, d.LeafAssignee})
			revoked := given(vectors.request)
			revoked.Revoked = []string{d.Hops[0].Policy}
			require.False(t, authorize(t, other, revoked).Authorized())
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

// FuzzRecord: a text that is a record is written again as what it was, and as RDF, if it
// can be, it says the same both times.
func FuzzRecord(f *testing.F) {
	f.Add([]byte(`{"version":1}`))
	for _, seed := range suite.Seeds(f, suite.Records) {
		f.Add(seed.Data)
	}
	r := fullRecord(f)
	text, err := r.JSON()
	require.NoError(f, err)
	f.Add(text)
	f.Add(signRecord(f, r, vc.SignOptions{}))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, _, err := authz.ParseRecord(data)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		text, err := r.JSON()
		require.NoError(t, err)
		again, signed, err := authz.ParseRecord(text)
		require.NoError(t, err)
		require.False(t, signed)
		differ, err := r.Differences(again)
		require.NoError(t, err)
		require.Empty(t, differ)
		one, err := r.Dataset()
		two, errAgain := again.Dataset()
		require.Equal(t, err, errAgain)
		if err != nil {
			return // it names something by what is no IRI
		}
		a, err := canon.Hash(t.Context(), one, canon.Options{})
		require.NoError(t, err)
		b, err := canon.Hash(t.Context(), two, canon.Options{})
		require.NoError(t, err)
		require.Equal(t, a, b)
	})
}
