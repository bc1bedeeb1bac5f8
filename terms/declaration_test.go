package terms_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/terms"
)

const someDigest = "sha256:9f2c41d08a6b57e3c1d94f0b2a7e86c5d13f9a04b8e62d7c50a1f3e8b96c4d27"

// TestDeclaration has the rules of the declaration, and the outcome for a consumer of each
// fault (section B.2).
func TestDeclaration(t *testing.T) {
	t.Parallel()
	doc := sign(t, template)
	good := extension(entry(docURL, digest(t, doc)))
	other := `{"uri":"https://other.example/v1"}`
	many := make([]string, 65)
	for i := range many {
		many[i] = entry("https://example.com/"+strings.Repeat("x", i+1), someDigest)
	}
	for _, row := range []struct {
		name  string
		card  string
		terms terms.Terms
		code  terms.Code
		warns []terms.Code
	}{
		{"good", cardText(good), terms.Stated, "", nil},
		{"among others", cardText(other, good, other), terms.Stated, "", nil},
		{"no extensions", strings.Replace(cardText(), `"extensions": []`, ``, 1), terms.Silent, "", nil},
		{"no capabilities", `{"name":"x"}`, terms.Silent, "", nil},
		{"extensions an object", strings.Replace(cardText(), `"extensions": []`, `"extensions": `+good, 1), terms.Silent, "", nil},
		{"outside capabilities", strings.Replace(cardText(), `"skills"`, `"extensions": [`+good+`], "skills"`, 1), terms.Silent, "", nil},
		{"a slash more", cardText(strings.Replace(good, "/v1", "/v1/", 1)), terms.Silent, "", nil},
		{"v2", cardText(strings.Replace(good, "/v1", "/v2", 1)), terms.Silent, "", nil},
		{"over http", cardText(strings.Replace(good, "https://agentsow", "http://agentsow", 1)), terms.Silent, "", nil},
		{"other case", cardText(strings.Replace(good, "agentsow", "AgentSoW", 1)), terms.Silent, "", nil},
		{"a fragment", cardText(strings.Replace(good, "/v1", "/v1#", 1)), terms.Silent, "", nil},
		{"escaped, and the same", cardText(strings.Replace(good, "/v1", `\u002fv1`, 1)), terms.Stated, "", nil},

		{"required", cardText(strings.Replace(good, `"description"`, `"required":true,"description"`, 1)), terms.Stated, "", []terms.Code{terms.CodeRequiredTrue}},
		{"not required", cardText(strings.Replace(good, `"description"`, `"required":false,"description"`, 1)), terms.Stated, "", nil},
		{"unknown specification", cardText(strings.Replace(good, "0.18.0-draft", "9.9", 1)), terms.Stated, "", nil},
		{"no specification", cardText(strings.Replace(good, `"sow_spec":"0.18.0-draft",`, ``, 1)), terms.Stated, "", []terms.Code{terms.CodeDeclSOWSpec}},
		{"specification a number", cardText(strings.Replace(good, `"0.18.0-draft"`, `18`, 1)), terms.Stated, "", []terms.Code{terms.CodeDeclSOWSpec}},
		{"specification empty", cardText(strings.Replace(good, `0.18.0-draft`, ``, 1)), terms.Stated, "", []terms.Code{terms.CodeDeclSOWSpec}},
		{"an unknown member", cardText(strings.Replace(good, `"sow_spec"`, `"x":1,"sow_spec"`, 1)), terms.Stated, "", []terms.Code{terms.CodeDeclUnknown}},

		{"twice", cardText(good, good), terms.NoneVerified, terms.CodeDeclDuplicate, []terms.Code{terms.CodeDeclDuplicate}},
		{"no params", cardText(`{"uri":"` + terms.ExtensionURI + `"}`), terms.NoneVerified, terms.CodeDeclProposals, []terms.Code{terms.CodeDeclSOWSpec, terms.CodeDeclProposals}},
		{"params a list", cardText(`{"uri":"` + terms.ExtensionURI + `","params":[]}`), terms.NoneVerified, terms.CodeDeclProposals, []terms.Code{terms.CodeDeclSOWSpec, terms.CodeDeclProposals}},
		{"no proposals", cardText(`{"uri":"` + terms.ExtensionURI + `","params":{"sow_spec":"1"}}`), terms.NoneVerified, terms.CodeDeclProposals, []terms.Code{terms.CodeDeclProposals}},
		{"proposals empty", cardText(extension()), terms.NoneVerified, terms.CodeDeclProposals, []terms.Code{terms.CodeDeclProposals}},
		{"proposals an object", cardText(strings.Replace(extension(), `[]`, `{}`, 1)), terms.NoneVerified, terms.CodeDeclProposals, []terms.Code{terms.CodeDeclProposals}},
		{"proposals null", cardText(strings.Replace(extension(), `[]`, `null`, 1)), terms.NoneVerified, terms.CodeDeclProposals, []terms.Code{terms.CodeDeclProposals}},
		{"too many", cardText(extension(many...)), terms.NoneVerified, terms.CodeLimit, []terms.Code{terms.CodeLimit}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := verify(t, row.card, docs{docURL: doc}, terms.Options{})
			require.Equal(t, row.terms, r.Terms)
			require.Equal(t, row.code, r.Code)
			require.Equal(t, row.code != "", r.Signal != "")
			require.Equal(t, row.warns, codes(r.Warnings))
			for _, w := range r.Warnings {
				require.Positive(t, w.Line)
			}
		})
	}
	require.Len(t, verify(t, cardText(extension(many[:64]...)), docs{}, terms.Options{}).Entries, 64)
	raised := verify(t, cardText(extension(many...)), docs{}, terms.Options{Limits: terms.Limits{Proposals: 65}})
	require.Len(t, raised.Entries, 65)
}

// TestEntries has the rules of entries (section B.3).
func TestEntries(t *testing.T) {
	t.Parallel()
	doc := sign(t, template)
	dg := digest(t, doc)
	hex := strings.TrimPrefix(dg, "sha256:")
	good := entry(docURL, dg)
	set := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	member := func(m string) string { return strings.Replace(good, "{", "{"+m+",", 1) }
	for _, row := range []struct {
		name, entry string
		code        terms.Code
		warns       []terms.Code
	}{
		{"good", good, "", nil},
		{"no object", `1`, terms.CodeURL, nil},
		{"no URL", `{"digest":"` + dg + `"}`, terms.CodeURL, nil},
		{"URL a number", set(`"`+docURL+`"`, `1`), terms.CodeURL, nil},
		{"over http", set("https:", "http:"), terms.CodeURL, nil},
		{"a file", set(docURL, "file:///etc/passwd"), terms.CodeURL, nil},
		{"relative", set(docURL, "/linden.sow.json"), terms.CodeURL, nil},
		{"without a scheme", set(docURL, "//terms.example.com/x"), terms.CodeURL, nil},
		{"no host", set(docURL, "https:///x"), terms.CodeURL, nil},
		{"opaque", set(docURL, "https:x"), terms.CodeURL, nil},
		{"a user name", set("https://", "https://user@"), terms.CodeURL, nil},
		{"white space", set("linden", "lin den"), terms.CodeURL, nil},
		{"a control character", set("linden", `lin\u001bden`), terms.CodeURL, nil},
		{"not ASCII", set("linden", "lindé"), terms.CodeURL, nil},
		{"too long", set("linden", strings.Repeat("x", 2048)), terms.CodeURL, nil},

		{"no digest", `{"url":"` + docURL + `"}`, terms.CodeDigestFormat, nil},
		{"digest null", set(`"`+dg+`"`, `null`), terms.CodeDigestFormat, nil},
		{"another algorithm", set("sha256:", "sha512:"), terms.CodeDigestFormat, nil},
		{"algorithm in capitals", set("sha256:", "SHA256:"), terms.CodeDigestFormat, nil},
		{"no prefix", set("sha256:", ""), terms.CodeDigestFormat, nil},
		{"upper case", set(hex, strings.ToUpper(hex)), terms.CodeDigestFormat, nil},
		{"63 digits", set(hex, hex[:63]), terms.CodeDigestFormat, nil},
		{"65 digits", set(hex, hex+"0"), terms.CodeDigestFormat, nil},
		{"white space around", set(hex, hex+" "), terms.CodeDigestFormat, nil},

		{"the label", member(`"sow":"` + ownID + `"`), "", nil},
		{"another label", member(`"sow":"sow_k7m2q4x9w3e6r8t1"`), "", []terms.Code{terms.CodeSOWLabel}},
		{"a label that is no text", member(`"sow":1`), "", []terms.Code{terms.CodeEntryType}},
		{"an offering", member(`"offering":"translate"`), "", nil},
		{"an offering that is no skill", member(`"offering":"proofread"`), "", []terms.Code{terms.CodeOfferingSkill}},
		{"an offering of nobody", member(`"offering":"typeset"`), "", []terms.Code{terms.CodeOfferingSkill, terms.CodeOfferingDoc}},
		{"an unknown member", member(`"price":1`), "", []terms.Code{terms.CodeDeclUnknown}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := verify(t, cardText(extension(row.entry)), docs{docURL: doc}, terms.Options{})
			require.Equal(t, row.code, r.Entries[0].Code)
			require.Equal(t, row.warns, codes(r.Entries[0].Warnings))
			require.Positive(t, r.Entries[0].Line)
			if row.code == "" {
				require.Equal(t, []string{"translate", "proofread"}, r.Entries[0].Offerings, "the document's own")
			}
		})
	}
}

// Entries about one URL or one document (E-6), also when the URL is written in several
// ways, and hosts other than the card's (E-5), are reported.
func TestEntriesTogether(t *testing.T) {
	t.Parallel()
	doc := sign(t, template)
	dg := digest(t, doc)
	all := docs{docURL: doc, "https://example.com/copy": doc, "https://elsewhere.example/copy": doc}
	for _, row := range []struct {
		name    string
		entries []string
		codes   []terms.Code
		warns   [][]terms.Code
	}{
		{"one URL, two digests", []string{entry(docURL, dg), entry(docURL, someDigest)}, []terms.Code{terms.CodeEntryConflict, terms.CodeEntryConflict}, nil},
		{"three", []string{entry(docURL, dg), entry(docURL, someDigest), entry(docURL, dg)}, []terms.Code{terms.CodeEntryConflict, terms.CodeEntryConflict, terms.CodeEntryConflict}, nil},
		{"by another spelling", []string{entry(docURL, dg), entry(strings.Replace(docURL, "terms.example.com", "TERMS.example.com.:443", 1)+"#x", someDigest)}, []terms.Code{terms.CodeEntryConflict, terms.CodeEntryConflict}, nil},
		{"one URL, one digest", []string{entry(docURL, dg), entry(docURL, dg)}, []terms.Code{"", ""}, [][]terms.Code{nil, {terms.CodeEntryDuplicate}}},
		{"two URLs, one digest", []string{entry(docURL, dg), entry("https://example.com/copy", dg)}, []terms.Code{"", ""}, [][]terms.Code{nil, {terms.CodeEntryDuplicate}}},
		{"one of them malformed", []string{entry(docURL, dg), entry(docURL, "x")}, []terms.Code{"", terms.CodeDigestFormat}, [][]terms.Code{nil, nil}},
		{"elsewhere", []string{entry("https://elsewhere.example/copy", dg)}, []terms.Code{""}, [][]terms.Code{{terms.CodeThirdParty}}},
		{"one that fails does not hide another", []string{entry("https://example.com/gone", dg), entry(docURL, dg)}, []terms.Code{terms.CodeNotFetched, ""}, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := verify(t, cardText(extension(row.entries...)), all, terms.Options{})
			for i, e := range r.Entries {
				require.Equal(t, row.codes[i], e.Code)
				if row.warns != nil {
					require.Equal(t, row.warns[i], codes(e.Warnings))
				}
			}
		})
	}
}

// Different spellings of one address are recognized, and different addresses told apart.
func TestResource(t *testing.T) {
	t.Parallel()
	for _, row := range [][]string{
		{"https://example.com/", "https://example.com", "HTTPS://EXAMPLE.com:443/", "https://example.com./", "https://example.com:/", "https://example.com/#x", "https://example.com/a/..", "https://example.com/%2e/"},
		{"https://example.com/q~", "https://example.com/%71%7e", "https://example.com/./q%7E", "https://example.com/a/%2E%2e/q~"},
		{"https://example.com/a%2Fb", "https://example.com/a%2fb"},
		{"https://example.com/a/b"},
		{"https://example.com/a//b"},
		{"https://example.com/q"},
		{"https://example.com/Q"},
		{"https://example.com/q/"},
		{"https://example.com/q?"},
		{"https://example.com/q?a=%C3", "https://example.com/q?%61=%c3"},
		{"https://example.com:8443/q"},
		{"https://www.example.com/q"},
		{"http://example.com/q"},
		{"https://[2001:db8::1]/q", "https://[2001:DB8::1]:443/q"},
		{"https://user@example.com/q"},
		{"q"},
		{""},
		{"https://example.com/%zz"},
	} {
		for _, spelling := range row {
			require.Equal(t, row[0], terms.Resource(spelling), spelling)
		}
	}
}

// A declaration that Declare writes is read back, and what the card claims is what the
// documents say (section B.10).
func TestDeclare(t *testing.T) {
	t.Parallel()
	doc := sign(t, template)
	one := sign(t, with(t, priced(t, metered), `["translate", "proofread"]`, `["translate"]`))
	o := terms.DeclareOptions{SOWSpec: "0.18.0-draft"}
	out, err := terms.Declare([]terms.Listing{{Document: parse(t, doc), URL: docURL}, {Document: parse(t, one), URL: "https://example.com/1?a=<"[:24]}}, o)
	require.NoError(t, err)
	require.Equal(t, `{"uri":"https://agentsow.com/extensions/a2a-terms/v1","description":"Published terms: signed Agent SoW standing proposals, committed by digest",`+
		`"params":{"sow_spec":"0.18.0-draft","proposals":[{"url":"https://terms.example.com/linden.sow.json","digest":"`+digest(t, doc)+`","sow":"`+ownID+`"},`+
		`{"url":"https://example.com/1?a=","digest":"`+digest(t, one)+`","sow":"`+parse(t, one).ID()+`","offering":"translate"}]}}`, string(out))
	r := verify(t, cardText(string(out)), docs{docURL: doc, "https://example.com/1?a=": one}, terms.Options{})
	require.True(t, r.AllVerified())
	require.Empty(t, r.Warnings)

	me := reader(t)
	directed := sign(t, to(t, template, offer(me)))
	private := terms.DeclareOptions{SOWSpec: "1", Channel: terms.Restricted, For: me}
	for _, row := range []struct {
		name string
		doc  string
		url  string
		o    terms.DeclareOptions
		code terms.Code
	}{
		{"unsigned", template, docURL, o, terms.CodeUnsigned},
		{"changed", with(t, doc, "1250", "1251"), docURL, o, terms.CodeSigInvalid},
		{"a client", force(t, with(t, template, `"client": null`, `"client": {}`)), docURL, o, terms.CodeNotStanding},
		{"incomplete", force(t, with(t, template, `"volume": {"per_day": 40, "grade": "enforced"}`, `"volume": {}`)), docURL, o, terms.CodeIncomplete},
		{"strict", sign(t, with(t, template, `"term_months": 12,`, ``)), docURL, terms.DeclareOptions{SOWSpec: "1", Strict: true}, terms.CodeIncomplete},
		{"directed, public", directed, docURL, o, terms.CodeDirectedPublic},
		{"directed", directed, docURL, private, ""},
		{"open, restricted", doc, docURL, private, ""},
		{"directed at another", sign(t, to(t, template, offer("x"))), docURL, private, terms.CodeDirectedOther},
		{"directed without an end", force(t, to(t, template, `{"agent":"`+me+`","owner":"b","grade":"enforced"}`)), docURL, private, terms.CodeDirectedUnbounded},
		{"over http", doc, "http://example.com/", o, terms.CodeURL},
		{"imprecise", force(t, with(t, template, `"term_months": 12`, `"term_months": 9007199254740993`)), docURL, o, terms.CodeJSONPrecision},
	} {
		_, err := terms.Declare([]terms.Listing{{Document: parse(t, row.doc), URL: row.url}}, row.o)
		if row.code == "" {
			require.NoError(t, err, row.name)
			continue
		}
		require.Equal(t, row.code, codeOf(t, err), row.name)
		var at *terms.DeclareError
		require.ErrorAs(t, err, &at)
		require.Zero(t, at.Index)
		require.NotEmpty(t, at.Error())
	}
	listed := []terms.Listing{{Document: parse(t, doc), URL: docURL}}
	for _, bad := range []terms.DeclareOptions{{}, {SOWSpec: "\xff"}, {SOWSpec: "1", Description: "\xff"}, {SOWSpec: "1", Channel: terms.Restricted}, {SOWSpec: "1", For: me}} {
		_, err := terms.Declare(listed, bad)
		require.Error(t, err)
	}
	_, err = terms.Declare(nil, o)
	require.Error(t, err)
	_, err = terms.Declare(make([]terms.Listing, 65), o)
	require.Error(t, err)
	_, err = terms.Declare([]terms.Listing{{}}, o)
	require.Error(t, err)
	_, err = terms.Declare(append(listed, terms.Listing{Document: parse(t, one), URL: docURL + "#x"}), o)
	require.Equal(t, terms.CodeEntryConflict, codeOf(t, err))
	_, err = terms.Declare([]terms.Listing{{Document: parse(t, doc), URL: docURL, Offering: "typeset"}}, o)
	require.Equal(t, terms.CodeOfferingDoc, codeOf(t, err))
	out, err = terms.Declare([]terms.Listing{{Document: parse(t, doc), URL: docURL, Offering: "proofread"}}, terms.DeclareOptions{SOWSpec: "1", Description: "a <b>"})
	require.NoError(t, err)
	require.Contains(t, string(out), `"description":"a <b>"`)
	require.Contains(t, string(out), `"offering":"proofread"`)
}

func TestCodes(t *testing.T) {
	t.Parallel()
	seen := map[terms.Code]bool{}
	for _, c := range terms.Codes() {
		require.False(t, seen[c], c)
		seen[c] = true
		require.NotEmpty(t, c.Text(), c)
		require.False(t, strings.HasSuffix(c.Text(), "."), c)
		require.Regexp(t, `^(TERMS|SOW|JSON|CARD|LIMIT)_[A-Z_]+$`, string(c))
	}
	require.Empty(t, terms.Code("x").Text())
}
