package terms_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/terms"
)

// pair is a standing proposal and the same as a directed one, and what tests change in
// them: the amount of a rate.
type pair struct {
	standing, directed string
	amount, raised     string
	second             [2]string // signed_at, and one second later
	agreed             string    // the same with its client seat filled, signed
}

func ownPair(t testing.TB) pair {
	return pair{
		standing: sign(t, template), directed: sign(t, to(t, template, offer(reader(t)))),
		amount: "1250", raised: "1251",
		second: [2]string{"2026-11-29T12:00:00Z", "2026-11-29T12:00:01Z"},
		agreed: force(t, with(t, template, `"client": null`, `"client": {"agent": "a", "owner": "b"}`)),
	}
}

// TestNegativeCases is the table of section B.11, row by row.
func TestNegativeCases(t *testing.T) {
	t.Parallel()
	negativeCases(t, ownPair(t))
}

func negativeCases(t *testing.T, p pair) {
	t.Helper()
	const at = "https://terms.example.com/quote.sow.json"
	dg := digest(t, p.standing)
	hex := strings.TrimPrefix(dg, "sha256:")
	d := parse(t, p.standing)
	signed, err := d.SignedBytes()
	require.NoError(t, err)
	hashed, err := d.HashedBytes()
	require.NoError(t, err)
	standingWith := func(entry string) string { return cardText(extension(entry)) }
	var pretty, reordered bytes.Buffer
	require.NoError(t, json.Indent(&pretty, []byte(p.standing), "\t", "   "))
	var tree map[string]any
	require.NoError(t, json.Unmarshal([]byte(p.standing), &tree))
	require.NoError(t, json.NewEncoder(&reordered).Encode(tree))
	later := with(t, p.standing, p.second[0], p.second[1])
	raised := with(t, p.standing, p.amount, p.raised)
	unsigned := func() string {
		delete(tree, "signatures")
		b, err := json.Marshal(tree)
		require.NoError(t, err)
		return string(b)
	}()
	good := entry(at, dg)
	for _, row := range []struct {
		name  string
		card  string
		doc   string
		code  terms.Code
		warn  terms.Code
		terms terms.Terms
	}{
		{"end to end", standingWith(good), p.standing, "", "", terms.Stated},
		{"pretty-printed", standingWith(good), pretty.String(), "", "", terms.Stated},
		{"reordered", standingWith(good), reordered.String(), "", "", terms.Stated},
		{"signed one second later", standingWith(good), later, terms.CodeDigestMismatch, "", terms.NoneVerified},
		{"and the signature alone would verify", standingWith(entry(at, digest(t, later))), later, "", "", terms.Stated},
		{"digest of the signed bytes", standingWith(entry(at, canon.Sum(signed).String())), p.standing, terms.CodeDigestMismatch, "", terms.NoneVerified},
		{"digest of the hashed bytes", standingWith(entry(at, canon.Sum(hashed).String())), p.standing, terms.CodeDigestMismatch, "", terms.NoneVerified},
		{"a raised price, signature old", standingWith(entry(at, digest(t, raised))), raised, terms.CodeSigInvalid, "", terms.NoneVerified},
		{"a template, digest right", standingWith(entry(at, digest(t, unsigned))), unsigned, terms.CodeUnsigned, "", terms.NoneVerified},
		{"directed, in a public card", standingWith(entry(at, digest(t, p.directed))), p.directed, terms.CodeDirectedPublic, "", terms.NoneVerified},
		{"client seat filled", standingWith(entry(at, digest(t, p.agreed))), p.agreed, terms.CodeNotStanding, "", terms.NoneVerified},
		{"SHA256:", standingWith(entry(at, "SHA256:"+hex)), p.standing, terms.CodeDigestFormat, "", terms.NoneVerified},
		{"63 digits", standingWith(entry(at, "sha256:"+hex[1:])), p.standing, terms.CodeDigestFormat, "", terms.NoneVerified},
		{"upper case", standingWith(entry(at, "sha256:"+strings.ToUpper(hex))), p.standing, terms.CodeDigestFormat, "", terms.NoneVerified},
		{"over http", standingWith(entry("http://terms.example.com/", dg)), p.standing, terms.CodeURL, "", terms.NoneVerified},
		{"a file", standingWith(entry("file:///x", dg)), p.standing, terms.CodeURL, "", terms.NoneVerified},
		{"required", strings.Replace(standingWith(good), `"description":"d"`, `"description":"d","required":true`, 1), p.standing, "", terms.CodeRequiredTrue, terms.Stated},
		{"specification 9.9", strings.Replace(standingWith(good), "0.18.0-draft", "9.9", 1), p.standing, "", "", terms.Stated},
		{"no proposals", cardText(extension()), p.standing, terms.CodeDeclProposals, terms.CodeDeclProposals, terms.NoneVerified},
		{"HTML", standingWith(good), "<html>", terms.CodeParse, "", terms.NoneVerified},
		{"a member twice", standingWith(good), strings.Replace(p.standing, "{", `{"sow":"v1",`, 1), terms.CodeJSONDuplicate, "", terms.NoneVerified},
		{"v2 alone", strings.Replace(standingWith(good), "/v1", "/v2", 1), p.standing, "", "", terms.Silent},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := verify(t, row.card, docs{at: row.doc}, terms.Options{})
			require.Equal(t, row.terms, r.Terms)
			code := r.Code
			if len(r.Entries) > 0 {
				code = r.Entries[0].Code
			}
			require.Equal(t, row.code, code)
			if row.warn == "" {
				require.Empty(t, r.Warnings)
			} else {
				require.Equal(t, []terms.Code{row.warn}, codes(r.Warnings))
			}
			if row.code == terms.CodeDigestMismatch {
				require.Equal(t, digest(t, row.doc), r.Entries[0].FoundDigest)
				require.Equal(t, terms.RemedyByHand, r.Remedy.Result)
			} else {
				require.Nil(t, r.Remedy)
			}
		})
	}
	// 404 and the addresses that are never asked need a network: see TestServer.
}

// The code is that of the first failure in the order of the steps (section B.7).
func TestOrder(t *testing.T) {
	t.Parallel()
	_, private := keyPair(t, 3)
	wrongDigest := func(doc string) *terms.Report {
		return verify(t, cardText(extension(entry(docURL, someDigest))), docs{docURL: doc}, terms.Options{})
	}
	for _, row := range []struct {
		name string
		r    *terms.Report
		code terms.Code
	}{
		{"not there before everything", verify(t, cardText(extension(entry(docURL, someDigest))), docs{}, terms.Options{}), terms.CodeNotFetched},
		{"no fetcher", verify(t, cardText(extension(entry(docURL, someDigest))), nil, terms.Options{}), terms.CodeNotFetched},
		{"a fetch without a code", wrongDigest("unreachable"), terms.CodeFetch},
		{"a fetch with an empty code", wrongDigest("unreachable, with an empty code"), terms.CodeFetch},
		{"nothing served", wrongDigest(""), terms.CodeParse},
		{"syntax before the digest", wrongDigest(`{"a":`), terms.CodeParse},
		{"digest before the kind", wrongDigest(`[]`), terms.CodeDigestMismatch},
		{"digest before a private key", wrongDigest(`{"a":"` + string(private) + `"}`), terms.CodeDigestMismatch},
		{"kind before the signature", verifyOne(t, `["x"]`, terms.Options{}), terms.CodeFormat},
		{"private key before the signature", verifyOne(t, `{"a":"`+string(private)+`"}`, terms.Options{}), terms.CodePrivateKey},
		{"signature before the format", verifyOne(t, `{"sow":"v2"}`, terms.Options{}), terms.CodeUnsigned},
		{"standing before complete", verifyOne(t, force(t, with(t, priced(t, `"price": null`), `"client": null`, `"client": {}`)), terms.Options{}), terms.CodeNotStanding},
		{"complete before directed", verifyOne(t, force(t, to(t, priced(t, `"price": null`), offer("x"))), terms.Options{}), terms.CodeIncomplete},
	} {
		require.Equal(t, row.code, row.r.Entries[0].Code, row.name)
		require.NotContains(t, strings.Join(row.r.Lines(), "\n"), "secret detail")
		require.NotContains(t, strings.Join(row.r.Lines(), "\n"), string(private))
	}
}

// The content that is shown is what the digest commits to: digits that a double does not
// hold are not shown.
func TestCommittedContent(t *testing.T) {
	t.Parallel()
	doc := force(t, with(t, template, `"per_task": 1250`, `"per_task": 9007199254740992`))
	served := with(t, doc, "9007199254740992", "9007199254740993")
	r := verify(t, cardText(extension(entry(docURL, digest(t, doc)))), docs{docURL: served}, terms.Options{})
	require.Equal(t, terms.Stated, r.Terms)
	require.Contains(t, codes(r.Entries[0].Warnings), terms.CodeJSONPrecision)
	p := r.Proposals()[0]
	require.Contains(t, strings.Join(p.Lines(), "\n"), "9007199254740992 EUR")
	require.NotContains(t, strings.Join(p.Lines(), "\n"), "9007199254740993")
	require.NotContains(t, string(p.Bytes()), "9007199254740993")
}

// The zero values state no terms.
func TestZero(t *testing.T) {
	t.Parallel()
	var r terms.Report
	require.NotEqual(t, terms.Stated, r.Terms)
	require.Empty(t, r.Proposals())
	require.False(t, r.AllVerified())
	var e terms.EntryReport
	require.NotEqual(t, terms.Verified, e.Outcome)
	var p terms.Proposal
	require.True(t, p.Digest().IsZero())
	require.Empty(t, p.Lines())
	require.Empty(t, p.Summary())
	require.Empty(t, p.Label())
	_, ok := r.Proposal(p.Digest())
	require.False(t, ok)
	require.Empty(t, p.Bytes())
	require.Empty(t, p.ID())
	require.Empty(t, p.Offerings())
	require.Empty(t, p.Grades())
	require.False(t, p.Directed())
}

// Mistakes of the caller are errors, not verdicts.
func TestCalls(t *testing.T) {
	t.Parallel()
	c := card(t, cardText())
	for _, row := range []struct {
		s terms.Subject
		o terms.Options
	}{
		{terms.Subject{}, terms.Options{At: noon()}},
		{terms.Subject{Card: c}, terms.Options{}},
	} {
		_, err := terms.Verify(t.Context(), row.s, row.o)
		require.Error(t, err)
		_, err = terms.Lint(t.Context(), row.s, row.o)
		require.Error(t, err)
	}
	_, err := terms.VerifyFresh(t.Context(), terms.Source{}, nil, terms.Options{At: noon()})
	require.Error(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = terms.Verify(ctx, terms.Subject{Card: c}, terms.Options{At: noon()})
	require.ErrorIs(t, err, context.Canceled)
}

// When the signature covers only a part of a card, the declaration is read from that part.
func TestCoveredCard(t *testing.T) {
	t.Parallel()
	doc := sign(t, template)
	signedCard, keys := signCard(t, cardText())
	added := strings.Replace(string(signedCard), `"name"`, `"x":{},"name"`, 1)
	require.NotEqual(t, string(signedCard), added)
	policy := agentcard.Policy{At: noon(), Readings: []agentcard.Reading{agentcard.Spec, agentcard.SDK}}
	c := card(t, string(signedCard))
	report, err := agentcard.Verify(t.Context(), c, keys, policy)
	require.NoError(t, err)
	require.Equal(t, agentcard.OutcomeVerified, report.Outcome)
	// The card has something that the report does not vouch for.
	other := card(t, cardText(extension(entry(docURL, digest(t, doc)))))
	r, err := terms.Verify(t.Context(), terms.Subject{Card: other, Signature: report}, terms.Options{At: noon(), Fetcher: docs{docURL: doc}})
	require.NoError(t, err)
	require.Equal(t, terms.Silent, r.Terms)
	require.Equal(t, terms.CardVerified, r.CardSignature)
}

// The signature of the card is reported beside the terms and does not change them.
func TestCardSignature(t *testing.T) {
	t.Parallel()
	doc := sign(t, template)
	text := cardText(extension(entry(docURL, digest(t, doc))))
	signed, keys := signCard(t, text)
	forged := strings.Replace(string(signed), "Translates letters.", "Translates books.", 1)
	for _, row := range []struct {
		name, card string
		keys       agentcard.Keys
		want       terms.CardSignature
		text       string
	}{
		{"verified", string(signed), keys, terms.CardVerified, "verified"},
		{"invalid", forged, keys, terms.CardInvalid, "invalid"},
		{"no key", string(signed), agentcard.Keys{}, terms.CardUnverified, "unverified"},
		{"unsigned", text, keys, terms.CardUnsigned, "unsigned"},
	} {
		c := card(t, row.card)
		report, err := agentcard.Verify(t.Context(), c, row.keys, agentcard.Policy{At: noon()})
		require.NoError(t, err)
		r, err := terms.Verify(t.Context(), terms.Subject{Card: c, Signature: report}, terms.Options{At: noon(), Fetcher: docs{docURL: doc}})
		require.NoError(t, err)
		require.Equal(t, terms.Stated, r.Terms, row.name)
		require.Equal(t, row.want, r.CardSignature, row.name)
		require.Contains(t, r.Lines(), "  card signature: "+row.text+" (it says nothing about the terms)")
	}
	require.Equal(t, terms.CardNotChecked, verifyOne(t, doc, terms.Options{}).CardSignature)
	require.Equal(t, "not_checked", terms.CardNotChecked.String())
}

func cardKey(t testing.TB, n byte) *agentcard.PrivateKey {
	t.Helper()
	key, err := agentcard.GenerateKey(agentcard.EdDSA, "card-1", bytes.NewReader(bytes.Repeat([]byte{n}, 32)))
	require.NoError(t, err)
	return key
}

func signCard(t testing.TB, text string) ([]byte, agentcard.Keys) {
	t.Helper()
	key := cardKey(t, 4)
	signed, err := agentcard.Sign(card(t, text), key, agentcard.SignOptions{})
	require.NoError(t, err)
	set, err := key.KeySet()
	require.NoError(t, err)
	keys, err := agentcard.ParseKeySet(set, agentcard.Limits{})
	require.NoError(t, err)
	return signed, agentcard.Keys{Supplied: keys}
}

// Without any key, a card's signature is reported as not checked, not as one that could
// not be verified.
func TestCheck(t *testing.T) {
	t.Parallel()
	const at = "https://example.com/card"
	doc := sign(t, template)
	signed, keys := signCard(t, cardText(extension(entry(docURL, digest(t, doc)))))
	malformed := strings.Replace(string(signed), `"signatures":[{`, `"signatures":[{"protected":1},{`, 1)
	require.NotEqual(t, string(signed), malformed)
	for _, row := range []struct {
		name, card string
		keys       agentcard.Keys
		want       terms.CardSignature
	}{
		{"no keys", string(signed), agentcard.Keys{}, terms.CardNotChecked},
		{"an empty set", string(signed), agentcard.Keys{Supplied: new(agentcard.KeySet)}, terms.CardUnverified},
		{"an empty trust store", string(signed), agentcard.Keys{Trust: new(agentcard.TrustStore)}, terms.CardUnverified},
		{"its key", string(signed), keys, terms.CardVerified},
		{"unsigned, no keys", cardText(), agentcard.Keys{}, terms.CardUnsigned},
		{"malformed, its key beside", malformed, keys, terms.CardVerified},
	} {
		s, err := terms.Check(t.Context(), card(t, row.card), row.keys, agentcard.Policy{At: noon(), Source: at})
		require.NoError(t, err, row.name)
		r, err := terms.Verify(t.Context(), s, terms.Options{At: noon(), Fetcher: docs{docURL: doc}})
		require.NoError(t, err, row.name)
		require.Equal(t, row.want, r.CardSignature, row.name)
		require.Equal(t, at, r.Source, row.name)
	}
	_, err := terms.Check(t.Context(), card(t, string(signed)), keys, agentcard.Policy{})
	require.Error(t, err, "no time")
}

// A later decision finds the document by the digest that the earlier one was about, and by
// nothing else.
func TestProposalByDigest(t *testing.T) {
	t.Parallel()
	one, two := sign(t, template), sign(t, with(t, template, "1250", "9999"))
	before := verify(t, cardText(extension(entry(docURL, digest(t, one)))), docs{docURL: one}, terms.Options{})
	decided := before.Proposals()[0].Digest()
	p, ok := before.Proposal(decided)
	require.True(t, ok)
	require.Equal(t, decided, p.Digest())
	after := verify(t, cardText(extension(entry(docURL, digest(t, two)))), docs{docURL: two}, terms.Options{})
	require.Equal(t, terms.Stated, after.Terms)
	_, ok = after.Proposal(decided)
	require.False(t, ok, "the card lists another document by now")
	_, ok = before.Proposal(canon.Digest{})
	require.False(t, ok)
	require.Equal(t, `"Linden Translation", `+ownID+", version 1, "+ownDigest, p.Label())
	forged := force(t, with(t, template, `"sow": "v1",`, `"sow": "v1", "id": "sow_x, version 9, sha256:0",`, `"owner": "Linden Translation"`, `"owner": "Linden\", sow_1, version 2"`))
	require.Equal(t, `"Linden\", sow_1, version 2", "sow_x, version 9, sha256:0", version 1, `+digest(t, forged), verified(t, forged).Label())
}

// The JSON of a report is part of the contract of the command-line tool.
func TestReportJSON(t *testing.T) {
	t.Parallel()
	doc := sign(t, template)
	b, err := json.Marshal(verifyOne(t, doc, terms.Options{}))
	require.NoError(t, err)
	require.Equal(t, `{"terms":"stated","cardSignature":"not_checked","at":"2026-11-29T12:00:00Z","sowSpec":"0.18.0-draft","entries":[{"index":0,"outcome":"verified",`+
		`"url":"https://terms.example.com/linden.sow.json","digest":"`+ownDigest+`","documentId":"`+ownID+`","version":1,"offerings":["translate","proofread"],"directed":false,`+
		`"owner":"Linden Translation","providerKey":"`+ownKey+`","signedAtClaimed":"2026-11-29T12:00:00Z",`+
		`"grades":{"change_control":"enforced","confidentiality.promises":"recorded","confidentiality.transport":"enforced","deliverables":"enforced","deliverables.per_task[0].rights":"recorded",`+
		`"disputes":"evidence","inputs":"ungraded","parties":"evidence","price":"enforced","scope":"enforced","termination":"enforced","volume":"enforced"},`+
		`"warnings":[],"line":6,"column":156}],`+
		`"proves":["the card commits to exactly these documents","the provider's key signed them as its standing offer"],`+
		`"doesNotProve":["conduct","that any clause is enforced","who owns the provider key"]}`, string(b))
	b, err = json.Marshal(verifyOne(t, template, terms.Options{}))
	require.NoError(t, err)
	require.Equal(t, `{"terms":"none_verified","cardSignature":"not_checked","at":"2026-11-29T12:00:00Z","entries":[{"index":0,"outcome":"no_terms_stated",`+
		`"code":"SOW_UNSIGNED","signal":"the document has no provider signature","url":"https://terms.example.com/linden.sow.json","digest":"`+digest(t, template)+`","directed":false,"warnings":[],"line":6,"column":156}]}`, string(b))
	b, err = json.Marshal(verify(t, cardText(), nil, terms.Options{}))
	require.NoError(t, err)
	require.Equal(t, `{"terms":"silent","cardSignature":"not_checked","at":"2026-11-29T12:00:00Z","entries":[]}`, string(b))
}
