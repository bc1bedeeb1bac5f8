package vc_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// longNamed is a credential of a subject with a name of some bytes and many claims, and
// with blank nodes: its canonical form has the name once for every claim.
func longNamed(t testing.TB, id string, name, claims int) string {
	var more strings.Builder
	for i := range claims {
		fmt.Fprintf(&more, `,"a:%d":1`, i)
	}
	return replaced(t, replaced(t, replaced(t, svcCredential, `"id": "https://issuer.example/#id",
    "https`, `"id": "urn:x:`+strings.Repeat("s", name)+`",
    "https`), `"detail": {"note": "plain"}`, `"detail": [{"note": "plain"}, {"note": "other"}]`+more.String()), "urn:uuid:1", id)
}

// The canonical forms of all documents of one call are bounded together: exactly what
// they need is enough, for each number of documents.
func TestCanonicalBytes(t *testing.T) {
	t.Parallel()
	needs := func(verified func(v *vc.Verifier) (bool, string)) int {
		accepts := func(n int) bool {
			ok, text := verified(verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC, Limits: vc.Limits{CanonicalBytes: int64(n)}}))
			if !ok {
				require.Contains(t, text, fmt.Sprintf("expected at most %d bytes of the canonical forms of all documents together", n))
			}
			return ok
		}
		n := 1 + sort.Search(1<<20, func(n int) bool { return accepts(n + 1) })
		require.True(t, accepts(n))
		return n
	}
	credential := func(document string) int {
		return needs(func(v *vc.Verifier) (bool, string) {
			r := verify(t, v, document, now)
			return r.Verified(), fmt.Sprint(r.Findings())
		})
	}
	presentation := func(documents ...string) int {
		text := presentSVC(t, documents...)
		return needs(func(v *vc.Verifier) (bool, string) {
			r := present(t, v, text, expected)
			return r.Verified(), fmt.Sprint(r.Findings())
		})
	}
	one, two := signSVC(t, longNamed(t, "urn:uuid:1", 500, 30)), signSVC(t, longNamed(t, "urn:uuid:2", 500, 30))
	a := credential(one)
	assert.Greater(t, a, 30*500, "the name is written for every claim")
	assert.Less(t, a, 30*500+20_000)
	assert.Equal(t, a, credential(two))
	single, double := presentation(one), presentation(one, two)
	assert.Greater(t, single, 2*a-1_500, "the credential, and once more for its digest")
	assert.Greater(t, double-single, 2*a-1_500)

	joint := verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC, Limits: vc.Limits{CanonicalBytes: int64(2*a - 1)}}).Joint()
	assert.True(t, verify(t, joint, one, now).Verified())
	for range 2 {
		assert.Equal(t, []vc.Code{vc.CodeInvalidSignature}, verify(t, joint, two, now).Codes(), "what is spent stays spent")
	}
}

// What canonicalization hashes before it writes anything is spent of the same limit: a
// quad once more for each blank node in it. With nothing left nothing is canonicalized,
// whatever that would have cost: not the options of a proof either, which anybody writes.
func TestHashedBeforeItIsWritten(t *testing.T) {
	t.Parallel()
	alice := someone(t, vc.Ed25519, 7)
	const name, claims = 2_000, 30
	var numbers, cycle strings.Builder
	for i := range claims {
		fmt.Fprintf(&numbers, "%d,", i)
	}
	const nodes = 100
	for i := range nodes {
		fmt.Fprintf(&cycle, `{"id":"_:%d","svc:p":{"id":"_:%d"}},`, i, (i+1)%nodes)
	}
	long := fmt.Sprintf(`"svc:%s":[%s0]`, strings.Repeat("p", name), numbers.String())
	poison := `"svc:x":[` + cycle.String() + `{"svc:z":1}]`
	signed := func(more string) string {
		return signW3C(t, replaced(t, w3cText(alice.id), `"target": "h`, more+`,"target": "h`), alice)
	}
	check := func(v *vc.Verifier, document string) string {
		r := verify(t, v, document, now)
		if r.Verified() {
			return ""
		}
		return r.Findings()[0].Text
	}
	with := func(bytes int64, calls int) *vc.Verifier {
		return verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Authority: true, Limits: vc.Limits{CanonicalBytes: bytes, Canon: canon.Options{MaxCalls: calls}}})
	}
	const spent, calls = "bytes of the canonical forms of all documents together", "canonicalization work limit"
	once := int64(claims * name)
	for _, tt := range []struct {
		name, document string
		bytes          int64
		want           string
	}{
		{"a name on an IRI, once", signed(long), once + once/2, ""},
		{"a name on an IRI, less than once", signed(long), once, spent},
		{"a name on a blank node, twice", signed(`"svc:y":{` + long + `}`), 2*once + once/2, ""},
		{"a name on a blank node, once", signed(`"svc:y":{` + long + `}`), once + once/2, spent},
		{"poison within the bytes", signed(poison), 0, calls},
		{"poison beyond the bytes", signed(poison), 1_000, spent},
	} {
		text := check(with(tt.bytes, 50), tt.document)
		assert.Contains(t, text, tt.want, tt.name)
		assert.Equal(t, tt.want == "", text == "", tt.name)
	}
	// The second of two documents of one decision, with poison in the options of its proof.
	second := replaced(t, signed(`"svc:x":1`), `"proof":{`, `"proof":{`+poison+`,`)
	joint := with(once, 50).Joint()
	assert.Contains(t, check(joint, signed(long)), spent)
	assert.Contains(t, check(joint, second), spent)
	assert.Contains(t, check(with(once, 50).Joint(), second), calls)
}

// A long name is read once for all claims and triples that have it, before anything is
// known to be signed. Not parallel: it counts what is allocated.
func TestLongNames(t *testing.T) {
	const name, values, most = 30_000, 4_000, 16 << 20
	var numbers strings.Builder
	for i := range values {
		fmt.Fprintf(&numbers, "%d,", i)
	}
	long, list := strings.Repeat("p", name), numbers.String()+"0"
	typed := `"` + strings.ReplaceAll(list, ",", `"^^d:,"`) + `"^^d:`
	unsigned := replaced(t, svcCredential, `"count": 3`, `"`+long+`":[`+list+`]`)
	credential := verify(t, verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC}), signSVC(t, svcCredential), now).Credential()
	require.NotNil(t, credential)
	const turtle = `@prefix cred: <https://www.w3.org/2018/credentials#> . @prefix sec: <https://w3id.org/security#> .
<` + listURL + `> a cred:VerifiableCredential ; cred:issuer <` + issuerID + `> ; cred:credentialSubject <urn:list> ; sec:proof _:p .
_:p a sec:DataIntegrityProof ; sec:cryptosuite "eddsa-rdfc-2022" ; sec:verificationMethod <urn:other> ; sec:proofPurpose sec:assertionMethod ; sec:proofValue "z1" .
`
	status := func(document string) func(t *testing.T) string {
		return func(t *testing.T) string {
			lists := shelf{listURL: {Content: []byte(document), MediaType: "text/turtle"}}
			r, err := verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC, Documents: lists}).CheckStatus(t.Context(), credential, now)
			require.NoError(t, err)
			return fmt.Sprint(r.Findings())
		}
	}
	for _, tt := range []struct {
		name string
		do   func(t *testing.T) string
		want string
	}{
		{"claims", func(t *testing.T) string {
			return fmt.Sprint(verify(t, verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC}), unsigned, now).Findings())
		}, "expected a proof"},
		{"triples of a status list", status(turtle + "<urn:list> <urn:" + long + "> " + list + " ."), "does not list <urn:other>"},
		{"datatypes of a status list", status(turtle + "@prefix d: <urn:" + long + "> . <urn:list> <urn:p> " + typed + " ."), "does not list <urn:other>"},
		{"triples of its proof", status(turtle + "_:p <urn:" + long + "> " + list + " ."), "is not covered by the signature"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			text := tt.do(t)
			runtime.ReadMemStats(&after)
			assert.Contains(t, text, tt.want)
			assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(most))
		})
	}
}

// asked counts the parties whose keys are asked for.
type asked map[string]int

func (a asked) Controller(ctx context.Context, id string) (*vc.Controller, error) {
	a[id]++
	return vc.DIDKeys{}.Controller(ctx, id)
}

// The status lists of one call are bounded together by what they have around what they
// list, which is little in those that issuers make, and the keys of an issuer are asked for
// only where its list counts.
func TestListsTogether(t *testing.T) {
	t.Parallel()
	alice, bob := someone(t, vc.Ed25519, 7), someone(t, vc.Ed25519, 8)
	const lists = 4
	bits := make([]byte, 700_000)
	rand.NewChaCha8([32]byte{1}).Read(bits)
	bits[0] = 0
	encoded := compressed(t, bits)
	require.Greater(t, len(encoded), 900_000)
	documents, around := shelf{}, 0
	var entries []string
	for i := range lists {
		url := fmt.Sprintf("%s/%d", listURL, i)
		entries = append(entries, fmt.Sprintf(`{"type":"BitstringStatusListEntry","statusPurpose":"revocation","statusListIndex":"%d","statusListCredential":%q}`, i, url))
		unsigned := strings.ReplaceAll(unsignedList(t, alice), `"`+listURL, `"`+url)
		at := strings.Index(unsigned, `"encodedList":"`) + len(`"encodedList":"`)
		end := strings.Index(unsigned[at:], `"`) + at
		signed := signW3C(t, unsigned[:at]+encoded+unsigned[end:], alice)
		documents[url] = vc.Document{Content: []byte(signed), MediaType: "application/vc"}
		around += len(signed) - len(encoded)
	}
	entry := `{"type": "BitstringStatusListEntry", "statusPurpose": "revocation", "statusListIndex": "42", "statusListCredential": "https://issuer.example/status/1"}`
	text := signW3C(t, replaced(t, w3cText(alice.id), entry, "["+strings.Join(entries, ",")+"]"), alice)
	check := func(limits vc.Limits, keys vc.Resolver) []vc.Finding {
		v := verifier(t, vc.Config{Keys: keys, Contexts: jsonld.Builtin(), Documents: documents, Limits: limits})
		r, err := v.CheckStatus(t.Context(), verify(t, v, text, now).Credential(), now)
		require.NoError(t, err)
		return r.Findings()
	}
	assert.Empty(t, check(vc.Limits{}, vc.DIDKeys{}))
	assert.Empty(t, check(vc.Limits{PresentationBytes: int64(around)}, vc.DIDKeys{}))
	findings := check(vc.Limits{PresentationBytes: int64(around - 1)}, vc.DIDKeys{})
	require.Len(t, findings, 1)
	assert.Contains(t, findings[0].Text, fmt.Sprintf("expected at most %d bytes of all status lists together around what they list", around-1))

	// Lists of another issuer, of whom nobody asks.
	for url := range documents {
		documents[url] = vc.Document{Content: []byte(signW3C(t, strings.ReplaceAll(unsignedList(t, bob), `"`+listURL, `"`+url), bob)), MediaType: "application/vc"}
	}
	keys := asked{}
	findings = check(vc.Limits{}, keys)
	require.Len(t, findings, lists)
	assert.Contains(t, findings[0].Text, "it is issued by <"+bob.id)
	assert.Zero(t, keys[bob.id])
	assert.NotZero(t, keys[alice.id])
}

// A document of which one call reads many has terms in proportion to its bytes.
func TestTermsOfSmallDocuments(t *testing.T) {
	t.Parallel()
	turtle := func(names int) string {
		text := "@prefix l: <urn:" + strings.Repeat("x", 6_000) + "> . <urn:s> <urn:p> <urn:o>"
		for i := range names {
			text += fmt.Sprintf(", l:%d", i)
		}
		return text + " .\n"
	}
	const profile = `@prefix sec: <https://w3id.org/security#> . <#me> sec:assertionMethod <#k> .` + "\n"
	const list = `@prefix cred: <https://www.w3.org/2018/credentials#> .
<` + listURL + `> a cred:VerifiableCredential ; cred:issuer <` + issuerID + `> ; cred:credentialSubject <urn:list> .` + "\n"
	credential := verify(t, verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC}), signSVC(t, svcCredential), now).Credential()
	alice := someone(t, vc.Ed25519, 7)
	plain := signW3C(t, replaced(t, w3cText(alice.id), `"acl":"http`, `"l":{"@id":"urn:`+strings.Repeat("x", 6_000)+`","@prefix":true},"acl":"http`), alice)
	for names, want := range map[int]string{10: "", 100: "term bytes limit"} {
		_, err := vc.Web{Documents: shelf{"https://a.example/card": {Content: []byte(profile + turtle(names)), MediaType: "text/turtle"}}}.Controller(t.Context(), "https://a.example/card#me")
		assert.Contains(t, fmt.Sprint(err), want, names)
		assert.Equal(t, want == "", err == nil, names)
		documents := shelf{listURL: {Content: []byte(list + turtle(names)), MediaType: "text/turtle"}}
		r, err := verifier(t, vc.Config{Keys: parties(t), Profile: vc.ProfileSVC, Documents: documents}).CheckStatus(t.Context(), credential, now)
		require.NoError(t, err)
		assert.Contains(t, r.Findings()[0].Text, map[bool]string{true: "expected a proof", false: want}[want == ""], names)
		var targets string
		for i := range names {
			targets += fmt.Sprintf(`"l:%d",`, i)
		}
		document := replaced(t, plain, `"target": "https://data.example/x"`, `"target": [`+targets+`"https://data.example/x"]`)
		c := verify(t, verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin()}), document, now)
		assert.Contains(t, c.Findings()[0].Text, map[bool]string{true: "the signature does not verify", false: want}[want == ""], names)
	}
}

// A small credential whose canonical form is a thousand times larger is refused whatever
// its blank nodes, and by either hash.
func TestLargeCanonicalForm(t *testing.T) {
	t.Parallel()
	long := longNamed(t, "urn:uuid:1", 30_000, 2_600)
	require.Less(t, len(long), 64<<10)
	alice, bob := someone(t, vc.Ed25519, 7), someone(t, vc.P384, 8)
	for name, tt := range map[string]struct {
		p    party
		text string
	}{
		"blank nodes, SHA-256": {alice, long},
		"blank nodes, SHA-384": {bob, long},
		"none, SHA-256":        {alice, replaced(t, replaced(t, long, `[{"note": "plain"}, {"note": "other"}]`, `1`), `"credentialStatus": {`, `"credentialStatus": {"id":"urn:status",`)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := replaced(t, tt.text, `"issuer": "`+issuerID+`"`, `"issuer": "`+tt.p.id+`"`)
			o := vc.SignOptions{Profile: vc.ProfileSVC, Method: tt.p.method, Created: now}
			_, err := vc.Sign(t.Context(), []byte(text), tt.p.key, o)
			require.ErrorContains(t, err, "bytes of the canonical forms of all documents together")
			o.Limits.CanonicalBytes = 1 << 30
			signed, err := vc.Sign(t.Context(), []byte(text), tt.p.key, o)
			require.NoError(t, err)
			r := verify(t, verifier(t, vc.Config{Keys: vc.DIDKeys{}, Profile: vc.ProfileSVC}), string(signed), now)
			assert.Equal(t, []vc.Code{vc.CodeInvalidSignature}, r.Codes(), r.Findings())
			generous := vc.Limits{CanonicalBytes: 1 << 30, Canon: canon.Options{}}
			assert.True(t, verify(t, verifier(t, vc.Config{Keys: vc.DIDKeys{}, Profile: vc.ProfileSVC, Limits: generous}), string(signed), now).Verified())
		})
	}
}

// The status list credentials of one call are bounded together, whether they count or not:
// the holder of a credential names them.
func TestStatusListBytes(t *testing.T) {
	t.Parallel()
	alice := someone(t, vc.Ed25519, 7)
	const credentials, entries = 3, 5
	for _, tt := range []struct {
		name   string
		forged bool
		less   int64 // than a tenth of what is read
	}{
		{"lists that fit together", false, 0},
		{"a byte less", false, 1},
		{"a byte less for lists that are refused", true, 1},
	} {
		lists := shelf{}
		var all []string
		for c := range credentials {
			var status []string
			for e := range entries {
				url := fmt.Sprintf("%s/%d", listURL, c*entries+e)
				text := signW3C(t, strings.ReplaceAll(unsignedList(t, alice), `"`+listURL, `"`+url), alice)
				if tt.forged {
					text = replaced(t, text, `"statusPurpose":"revocation"`, `"statusPurpose":"suspension"`)
				}
				lists[url] = vc.Document{Content: []byte(text + strings.Repeat(" ", 2_000-len(text))), MediaType: "application/vc"}
				status = append(status, fmt.Sprintf(`{"type":"BitstringStatusListEntry","statusPurpose":"revocation","statusListIndex":"7","statusListCredential":%q}`, url))
			}
			text := replaced(t, replaced(t, w3cText(alice.id), `{"type": "BitstringStatusListEntry", "statusPurpose": "revocation", "statusListIndex": "42", "statusListCredential": "https://issuer.example/status/1"}`, `[`+strings.Join(status, ",")+`]`), "urn:uuid:1", fmt.Sprintf("urn:uuid:%d", c))
			all = append(all, signW3C(t, text, alice))
		}
		o := vc.SignOptions{Method: alice.method, Challenge: expected.Challenge, Domain: expected.Domain}
		text := sign(t, `{"@context":["https://www.w3.org/ns/credentials/v2"],"type":["VerifiablePresentation"],"holder":"`+alice.id+`","verifiableCredential":[`+strings.Join(all, ",")+`]}`, alice.key, o)
		v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Documents: lists, Limits: vc.Limits{StatusListBytes: credentials*entries*2_000/10 - tt.less}})
		r := present(t, v, text, vc.Expected{Challenge: expected.Challenge, Domain: expected.Domain})
		require.Equal(t, tt.less == 0, r.Verified(), r.Findings())
		if tt.less > 0 {
			f := r.Findings()[len(r.Findings())-1]
			assert.Equal(t, [2]int{credentials, entries}, [2]int{f.Credential, f.Entry}, tt.name)
			assert.Contains(t, f.Text, "expected at most 29990 bytes of all status lists together", tt.name)
			assert.Equal(t, tt.forged, len(r.Findings()) > 1, tt.name)
		}
	}
}

// All status lists of one call are bounded together once inflated. Each is inflated once
// for all entries of a credential, and what is read of it is what it says.
func TestInflated(t *testing.T) {
	t.Parallel()
	const size = 16 << 10 // bytes of the lists here
	alice := someone(t, vc.Ed25519, 7)
	status := func(lists, entries int) string {
		var all []string
		for l := range lists {
			for e := range entries {
				all = append(all, fmt.Sprintf(`{"type":"BitstringStatusListEntry","statusPurpose":"revocation","statusListIndex":"%d","statusListCredential":"%s/%d"}`, 131_071*e/max(entries-1, 1), listURL, l))
			}
		}
		return signW3C(t, replaced(t, w3cText(alice.id), `"credentialStatus": {"type": "BitstringStatusListEntry", "statusPurpose": "revocation", "statusListIndex": "42", "statusListCredential": "https://issuer.example/status/1"}`,
			`"credentialStatus": [`+strings.Join(all, ",")+`]`), alice)
	}
	lists := shelf{}
	for l := range 4 {
		text := signW3C(t, strings.ReplaceAll(unsignedList(t, alice), `"`+listURL, fmt.Sprintf(`"%s/%d`, listURL, l)), alice)
		lists[fmt.Sprintf("%s/%d", listURL, l)] = vc.Document{Content: []byte(text), MediaType: "application/vc"}
	}
	for _, tt := range []struct {
		name           string
		lists, entries int
		most           int64
		clear          bool
	}{
		{"one list", 1, 1, size, true},
		{"one list, a byte less", 1, 1, size - 1, false},
		{"one list for four entries", 1, 4, size, true},
		{"four lists", 4, 1, 4 * size, true},
		{"four lists, a byte less", 4, 1, 4*size - 1, false},
		{"four lists, by default", 4, 2, 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Documents: lists, Limits: vc.Limits{Inflated: tt.most}})
			c := verify(t, v, status(tt.lists, tt.entries), now).Credential()
			require.NotNil(t, c)
			for range 2 { // a call has all of the limit
				r, err := v.CheckStatus(t.Context(), c, now)
				require.NoError(t, err)
				require.Equal(t, tt.clear, r.Clear(), r.Findings())
				if !tt.clear {
					assert.Equal(t, []vc.Code{vc.CodeStatusRetrievalError}, r.Codes())
					assert.Contains(t, r.Findings()[0].Text, fmt.Sprintf("expected at most %d bytes of all status lists once inflated together", tt.most))
				} else {
					assert.Len(t, r.Entries(), tt.lists*tt.entries)
				}
			}
			if joint := v.Joint(); tt.most > 0 && tt.clear {
				for _, want := range []bool{true, false} {
					r, err := joint.CheckStatus(t.Context(), c, now)
					require.NoError(t, err)
					assert.Equal(t, want, r.Clear(), "calls that share a limit")
				}
			}
		})
	}
}

// Entries are read wherever they are in a list that is inflated piece by piece.
func TestEntriesOfALargeList(t *testing.T) {
	t.Parallel()
	alice := someone(t, vc.Ed25519, 7)
	const last = 1<<22 - 1
	l, err := vc.NewStatusList(last + 1)
	require.NoError(t, err)
	set := map[int64]bool{0: true, 7: true, 262_143: true, 262_144: true, last - 1: true}
	for i := range set {
		require.NoError(t, l.Set(i, true))
	}
	unsigned, err := l.Credential(vc.StatusListCredential{ID: listURL, Issuer: alice.id, Purpose: "suspension"})
	require.NoError(t, err)
	v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Documents: shelf{listURL: {Content: []byte(signW3C(t, string(unsigned), alice)), MediaType: "application/vc"}}})
	ask := []int64{262_144, 0, last, 8, 262_145, 0, 262_143, last - 1}
	var all []string
	for n, i := range ask {
		all = append(all, fmt.Sprintf(`{"id":"urn:entry:%d","type":"BitstringStatusListEntry","statusPurpose":"suspension","statusListIndex":"%d","statusListCredential":"%s"}`, n, i, listURL))
	}
	text := replaced(t, w3cText(alice.id), `"credentialStatus": {"type": "BitstringStatusListEntry", "statusPurpose": "revocation", "statusListIndex": "42", "statusListCredential": "https://issuer.example/status/1"}`, `"credentialStatus": [`+strings.Join(all, ",")+`]`)
	c := verify(t, v, signW3C(t, text, alice), now).Credential()
	require.NotNil(t, c)
	r, err := v.CheckStatus(t.Context(), c, now)
	require.NoError(t, err)
	require.Len(t, r.Entries(), len(ask), r.Findings())
	for n, e := range r.Entries() {
		assert.Equal(t, ask[n], e.Index)
		assert.Equal(t, set[e.Index], e.Set, e.Index)
	}
	assert.Equal(t, []vc.Code{vc.CodeSuspended}, r.Codes())
}
