package terms_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/terms"
)

// TestLint has what lint tells a publisher, and at which level (section B.10).
func TestLint(t *testing.T) {
	t.Parallel()
	doc := sign(t, template)
	good := extension(`{"url":"` + docURL + `","digest":"` + ownDigest + `","sow":"` + ownID + `","offering":"translate"}`)
	of := func(doc string) string { return cardText(extension(entry(docURL, digest(t, doc)))) }
	type want map[terms.Code]terms.Level
	for _, row := range []struct {
		name  string
		card  string
		doc   string // "" for none
		o     terms.Options
		found want
	}{
		{"nothing", cardText(good), doc, terms.Options{}, nil},
		{"silent", cardText(), doc, terms.Options{}, nil},
		{"no document at hand", cardText(good), "", terms.Options{}, want{terms.CodeNotFetched: terms.Warning}},
		{"no document at hand, and the entry does not count", cardText(extension(entry("http://x.example/", someDigest))), "", terms.Options{}, want{terms.CodeURL: terms.Wrong}},
		{"required", cardText(strings.Replace(good, `"params"`, `"required":true,"params"`, 1)), doc, terms.Options{}, want{terms.CodeRequiredTrue: terms.Wrong}},
		{"no specification", cardText(strings.Replace(good, `"sow_spec":"0.18.0-draft",`, ``, 1)), doc, terms.Options{}, want{terms.CodeDeclSOWSpec: terms.Wrong}},
		{"no proposals", cardText(extension()), doc, terms.Options{}, want{terms.CodeDeclProposals: terms.Wrong}},
		{"twice", cardText(good, good), doc, terms.Options{}, want{terms.CodeDeclDuplicate: terms.Wrong}},
		{"unknown member", cardText(strings.Replace(good, `"sow_spec"`, `"x":1,"sow_spec"`, 1)), doc, terms.Options{}, want{terms.CodeDeclUnknown: terms.Warning}},
		{"over http", cardText(strings.Replace(good, "https://terms", "http://terms", 1)), doc, terms.Options{}, want{terms.CodeURL: terms.Wrong}},
		{"digest in capitals", cardText(strings.Replace(good, "sha256:", "SHA256:", 1)), doc, terms.Options{}, want{terms.CodeDigestFormat: terms.Wrong}},
		{"label no text", cardText(strings.Replace(good, `"`+ownID+`"`, `1`, 1)), doc, terms.Options{}, want{terms.CodeEntryType: terms.Wrong}},
		{"another label", cardText(strings.Replace(good, ownID, "sow_x", 1)), doc, terms.Options{}, want{terms.CodeSOWLabel: terms.Warning}},
		{"an offering of nobody", cardText(strings.Replace(good, `"offering":"translate"`, `"offering":"typeset"`, 1)), doc, terms.Options{}, want{terms.CodeOfferingSkill: terms.Warning, terms.CodeOfferingDoc: terms.Warning}},
		{"hosted elsewhere", strings.Replace(cardText(good), "https://example.com/a2a", "https://other.example/a2a", 1), doc, terms.Options{}, want{terms.CodeThirdParty: terms.Warning}},
		{"a claim", strings.Replace(cardText(good), "Translates letters.", "Free!", 1), doc, terms.Options{}, want{terms.CodeClaimUnbacked: terms.Warning}},
		{"a claim that is stated", strings.Replace(cardText(good), "Translates letters.", "EUR 12.50", 1), doc, terms.Options{}, nil},
		{"stale", cardText(good), with(t, doc, "1250", "1251"), terms.Options{}, want{terms.CodeStale: terms.Wrong, terms.CodeSigInvalid: terms.Wrong, terms.CodeIDDiffers: terms.Warning}},
		{"written anew", cardText(good), strings.ReplaceAll(doc, ": ", ":"), terms.Options{}, nil},
		{"signed again", cardText(good), with(t, doc, "T12:00:00Z", "T12:00:01Z"), terms.Options{}, want{terms.CodeStale: terms.Wrong}},
		{"HTML", cardText(good), "<html>", terms.Options{}, want{terms.CodeParse: terms.Wrong}},
		{"no object", cardText(good), "[]", terms.Options{}, want{terms.CodeFormat: terms.Wrong}},
		{"unreachable", cardText(good), "unreachable", terms.Options{}, want{terms.CodeFetch: terms.Wrong}},
		{"unsigned, client, no price", of(with(t, priced(t, `"price": null`), `"client": null`, `"client": {}`)), with(t, priced(t, `"price": null`), `"client": null`, `"client": {}`), terms.Options{}, want{
			terms.CodeUnsigned: terms.Wrong, terms.CodeFormat: terms.Wrong, terms.CodeIncomplete: terms.Wrong, terms.CodeIDDiffers: terms.Warning,
		}},
		{"directed", of(sign(t, to(t, template, offer("x")))), sign(t, to(t, template, offer("x"))), terms.Options{}, want{terms.CodeDirectedPublic: terms.Wrong}},
		{"directed, restricted", of(sign(t, to(t, template, offer("x")))), sign(t, to(t, template, offer("x"))), terms.Options{Channel: terms.Restricted}, nil},
		{"directed without an end", of(force(t, to(t, template, `{"agent":"x","owner":"y","grade":"enforced"}`))), force(t, to(t, template, `{"agent":"x","owner":"y","grade":"enforced"}`)), terms.Options{Channel: terms.Restricted}, want{
			terms.CodeDirectedUnbounded: terms.Wrong, terms.CodeIDDiffers: terms.Warning,
		}},
		{"a promise enforced, and one not made", of(force(t, with(t, template, `"no_training": true, "grade": "recorded"`, `"no_training": false, "grade": "enforced"`))), force(t, with(t, template, `"no_training": true, "grade": "recorded"`, `"no_training": false, "grade": "enforced"`)), terms.Options{}, want{
			terms.CodeGradeClaim: terms.Wrong, terms.CodeIDDiffers: terms.Warning,
		}},
		{"a clause missing", of(sign(t, with(t, template, `"term_months": 12,`, ``))), sign(t, with(t, template, `"term_months": 12,`, ``)), terms.Options{}, want{terms.CodeClauseMissing: terms.Warning}},
		{"ended", of(sign(t, with(t, template, `"ends_at": null`, `"ends_at": "2026-11-29"`))), sign(t, with(t, template, `"ends_at": null`, `"ends_at": "2026-11-28"`)), terms.Options{}, want{terms.CodeStale: terms.Wrong, terms.CodeEnded: terms.Warning}},
		{"strictly", of(sign(t, with(t, template, `"term_months": 12,`, ``))), sign(t, with(t, template, `"term_months": 12,`, ``)), terms.Options{Strict: true}, want{terms.CodeIncomplete: terms.Wrong, terms.CodeClauseMissing: terms.Warning}},
		{"imprecise", of(force(t, with(t, template, `"term_months": 12`, `"term_months": 9007199254740993`))), force(t, with(t, template, `"term_months": 12`, `"term_months": 9007199254740993`)), terms.Options{}, want{terms.CodeJSONPrecision: terms.Wrong}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			f := docs{}
			if row.doc != "" {
				f[docURL] = row.doc
			}
			row.o.At, row.o.Fetcher = noon(), f
			found, err := terms.Lint(t.Context(), terms.Subject{Card: card(t, row.card)}, row.o)
			require.NoError(t, err)
			have := want{}
			level := terms.Wrong
			for _, f := range found {
				have[f.Code] = f.Level
				require.NotEmpty(t, f.Text)
				require.LessOrEqual(t, f.Level, level, "errors first")
				level = f.Level
			}
			if row.found == nil {
				row.found = want{}
			}
			require.Equal(t, row.found, have)
		})
	}
	text, err := terms.Wrong.MarshalText()
	require.NoError(t, err)
	require.Equal(t, "error", string(text))
	require.Equal(t, "warning", terms.Warning.String())
}

// A card that changed after it was signed needs a new signature.
func TestLintResign(t *testing.T) {
	t.Parallel()
	doc := sign(t, template)
	signed, keys := signCard(t, cardText(extension(entry(docURL, ownDigest))))
	for text, want := range map[string]int{string(signed): 0, strings.Replace(string(signed), "letters", "books", 1): 1} {
		c := card(t, text)
		r, err := agentcard.Verify(t.Context(), c, keys, agentcard.Policy{At: noon()})
		require.NoError(t, err)
		found, err := terms.Lint(t.Context(), terms.Subject{Card: c, Signature: r}, terms.Options{At: noon(), Fetcher: docs{docURL: doc}})
		require.NoError(t, err)
		require.Len(t, found, want)
		if want > 0 {
			require.Equal(t, terms.CodeResign, found[0].Code)
			require.Equal(t, terms.Wrong, found[0].Level)
			require.Equal(t, -1, found[0].Entry)
		}
	}
}

// Lint reports offers to two parties in one card.
func TestLintMixed(t *testing.T) {
	t.Parallel()
	all := docs{"https://example.com/1": sign(t, to(t, template, offer("x"))), "https://example.com/2": sign(t, to(t, template, offer("y")))}
	c := cardText(extension(entry("https://example.com/1", digest(t, all["https://example.com/1"])), entry("https://example.com/2", digest(t, all["https://example.com/2"]))))
	found, err := terms.Lint(t.Context(), terms.Subject{Card: card(t, c)}, terms.Options{At: noon(), Fetcher: all, Channel: terms.Restricted})
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, terms.CodeDirectedMixed, found[0].Code)
}

// However many warnings there are, an error is found.
func TestLintManyWarnings(t *testing.T) {
	t.Parallel()
	var members strings.Builder
	for i := range 80 {
		fmt.Fprintf(&members, `"u%d":1,`, i)
	}
	var entries []string
	for i := range 16 {
		entries = append(entries, fmt.Sprintf(`{%s"url":"https://terms.example.com/%d","digest":"%s"}`, members.String(), i, someDigest))
	}
	found, err := terms.Lint(t.Context(), terms.Subject{Card: card(t, cardText(extension(entries...)))}, terms.Options{At: noon(), Fetcher: docs{"https://terms.example.com/15": "<html>"}})
	require.NoError(t, err)
	wrong := slices.DeleteFunc(slices.Clone(found), func(f terms.LintFinding) bool { return f.Level != terms.Wrong })
	require.Equal(t, terms.CodeParse, wrong[len(wrong)-1].Code)
	require.Len(t, found, 1000+len(wrong))
}
