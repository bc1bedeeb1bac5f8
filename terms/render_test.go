package terms_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/terms"
)

func lines(s []string) string { return strings.Join(s, "\n") + "\n" }

// forbidden are words that present the extension as more than it is (O-1).
var forbidden = regexp.MustCompile(`(?i)certified|certification|endorse|approved|trusted|guarantee|compliant|\bsafe\b|\bsafely\b`)

// promising are words that no output may have where no terms are stated (O-3).
var promising = regexp.MustCompile(`(?i)\bfree\b|no[ _-]charge|unencumbered|no terms apply`)

// O-1: no text of the package or of its commands presents the extension as more than
// it is.
func TestTemplates(t *testing.T) {
	t.Parallel()
	var files []string
	for _, pattern := range []string{"*.go", filepath.Join("..", "internal", "cli", "terms*.go")} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		files = append(files, found...)
	}
	looked := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		ast.Inspect(tree, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				s, err := strconv.Unquote(lit.Value)
				require.NoError(t, err)
				require.False(t, forbidden.MatchString(s), "%s: %q", file, s)
				looked++
			}
			return true
		})
	}
	require.Greater(t, looked, 300)
	require.True(t, forbidden.MatchString("a Certified offer"))
	// The texts that are shown where no terms are stated.
	for _, c := range terms.Codes() {
		require.False(t, promising.MatchString(c.Text()), c)
	}
}

// O-2, O-7, O-8, O-9: every clause is shown with its own grade; enforced is the provider's
// claim; nothing in the document is left out.
func TestFixedFeeRendered(t *testing.T) {
	t.Parallel()
	require.Equal(t, `proposal `+ownID+`, version 1
  committed `+ownDigest+`
  key `+ownKey+`, signed at 2026-11-29T12:00:00Z (claimed, not signed)
  contract language "agent-sow-standard-language" version 4 is not known to this program; the signed fields are shown as they are
  change_control [enforced, provider's claim]
    review_window_days: 7
  confidentiality
    promises [recorded, a promise]
      no_training: true
    transport [enforced, provider's claim]
      sealed: true
  deliverables [enforced, provider's claim]
    per_task
      0
        media_type: "text/plain"
        name: "translation"
        rights [recorded, a promise]
          exclusivity: "exclusive"
  disputes [evidence, provider's claim]
    posture: "refund_on_failed_task"
  ends_at: null
  inputs [ungraded]
    0
      media_type: "text/plain"
      name: "text"
      when: "per_task"
  language
    id: "agent-sow-standard-language"
    sha256: "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"
    version: 4
  parties [evidence, provider's claim]
    client: null
    provider
      agent: "linden-agent"
      organization: "org_linden" (cited, not verified)
      owner: "Linden Translation"
  price [enforced, provider's claim]
    arrangement fixed_fee, in the smallest unit of the currency [enforced, provider's claim]
    offering "translate": 1250 EUR per task [enforced, provider's claim]
    offering "proofread": 400 EUR per task [enforced, provider's claim]
    ceiling
      amount: 90000
      period: "month"
  scope [enforced, provider's claim]
    examples
      in_scope
        0: "Translate a letter."
    offerings
      0: "translate"
      1: "proofread"
  sow: "v1"
  starts_at: null
  term_months: 12
  termination [enforced, provider's claim]
    convenience_notice_hours: 48
  volume [enforced, provider's claim]
    per_day: 40
`, lines(verified(t, sign(t, template)).Lines()))
}

// priceLines are the lines of the price of a proposal.
func priceLines(t *testing.T, doc string) string {
	t.Helper()
	all := lines(verified(t, doc).Lines())
	_, rest, ok := strings.Cut(all, "\n  price ")
	require.True(t, ok)
	price, _, _ := strings.Cut(rest, "\n  scope ")
	return "  price " + price + "\n"
}

// O-7: a meter is never shown without the cap, and no_charge is not shown as a price of 0.
func TestPricesRendered(t *testing.T) {
	t.Parallel()
	require.Equal(t, `  price [enforced, provider's claim]
    arrangement time_and_materials, never more than 50000 EUR in all, in the smallest unit of the currency [enforced, provider's claim]
    meter "words": 800 EUR for every 1000 counted ("1000 words"), within the cap of 50000 EUR [enforced, provider's claim]
    meter "lookups": 3 EUR for every 1 counted ("lookup"), within the cap of 50000 EUR, passed on at cost [enforced, provider's claim]
    reservation
      window_days: 30
`, priceLines(t, sign(t, priced(t, metered))))
	require.Equal(t, `  price [enforced, provider's claim]
    arrangement no_charge [enforced, provider's claim]
`, priceLines(t, sign(t, priced(t, unpriced))))
	more := with(t, metered, `"per_unit": 3,`, `"per_unit": 3, "note": {"grade": "evidence", "mandate": "mnd_1"},`, `"amount": 50000`, `"amount": 50000, "period": "year"`, `"window_days"`, `"held by": "x", "window_days"`)
	require.Equal(t, `  price [enforced, provider's claim]
    arrangement time_and_materials, never more than 50000 EUR in all, in the smallest unit of the currency [enforced, provider's claim]
    meter "words": 800 EUR for every 1000 counted ("1000 words"), within the cap of 50000 EUR [enforced, provider's claim]
    meter "lookups": 3 EUR for every 1 counted ("lookup"), within the cap of 50000 EUR, passed on at cost [enforced, provider's claim]
    cap.period: "year"
    reservation
      "held by": "x"
      window_days: 30
    schedule[1].note [evidence, provider's claim]
      mandate: "mnd_1" (cited, not verified)
`, priceLines(t, sign(t, priced(t, more))))
	require.Equal(t, `translate, proofread: arrangement time_and_materials, never more than 50000 EUR in all, in the smallest unit of the currency; `+
		`meter "words": 800 EUR for every 1000 counted ("1000 words"), within the cap of 50000 EUR; `+
		`meter "lookups": 3 EUR for every 1 counted ("lookup"), within the cap of 50000 EUR, passed on at cost [enforced, provider's claim]`, verified(t, sign(t, priced(t, metered))).Summary())
	require.Equal(t, `translate, proofread: arrangement no_charge [enforced, provider's claim]`, verified(t, sign(t, priced(t, unpriced))).Summary())
}

// O-2: a part of a price that has its own grade is shown with that grade, and a statement
// that several parts make together with the weakest of theirs.
func TestGradesOfPrices(t *testing.T) {
	t.Parallel()
	fixed := force(t, with(t, template, `"offering": "translate", "per_task"`, `"offering": "translate", "grade": "recorded", "per_task"`))
	require.Contains(t, priceLines(t, fixed), `
    arrangement fixed_fee, in the smallest unit of the currency [enforced, provider's claim]
    offering "translate": 1250 EUR per task [recorded, a promise]
    offering "proofread": 400 EUR per task [enforced, provider's claim]
`)
	require.Equal(t, `translate, proofread: arrangement fixed_fee, in the smallest unit of the currency [enforced, provider's claim]; `+
		`offering "translate": 1250 EUR per task [recorded, a promise]; offering "proofread": 400 EUR per task [enforced, provider's claim]`, verified(t, fixed).Summary())
	capped := force(t, priced(t, with(t, metered, `"amount": 50000`, `"amount": 50000, "grade": "evidence"`, `"per_unit": 3,`, `"per_unit": 3, "grade": "recorded",`)))
	require.Contains(t, priceLines(t, capped), `
    arrangement time_and_materials, never more than 50000 EUR in all, in the smallest unit of the currency [evidence, provider's claim]
    meter "words": 800 EUR for every 1000 counted ("1000 words"), within the cap of 50000 EUR [evidence, provider's claim]
    meter "lookups": 3 EUR for every 1 counted ("lookup"), within the cap of 50000 EUR, passed on at cost [recorded, a promise]
    cap.grade: "evidence"
`)
	// A price without a grade does not get that of its parts.
	loose := force(t, priced(t, with(t, metered, `,
    "grade": "enforced"`, ``, `"amount": 50000`, `"amount": 50000, "grade": "enforced"`)))
	require.Contains(t, priceLines(t, loose), "never more than 50000 EUR in all, in the smallest unit of the currency [ungraded]\n")
	require.NotContains(t, verified(t, loose).Summary(), "claim")
	// A grade that is not defined is shown, and counts as none.
	for grade, shown := range map[string]string{`"ENFORCED"`: `grade: "ENFORCED"`, `{"is": "enforced"}`: "grade\n      is: \"enforced\"", `["enforced"]`: "grade\n      0: \"enforced\""} {
		doc := force(t, priced(t, with(t, unpriced, `"enforced"`, grade)))
		if r := verifyOne(t, doc, terms.Options{}); r.Terms != terms.Stated {
			t.Fatal(r.Entries[0].Code)
		}
		require.Contains(t, priceLines(t, doc), "arrangement no_charge [ungraded]\n    "+shown)
	}
}

// What is not a clause is shown without a grade, so that nothing is left out.
func TestGradeOfNoClause(t *testing.T) {
	t.Parallel()
	all := lines(verified(t, force(t, with(t, template, `"version": 4,`, `"version": 4, "grade": "enforced",`))).Lines())
	require.Contains(t, all, "\n  language\n    grade: \"enforced\"\n    id: ")
}

// O-2: a grade that a clause cannot have is not shown as its grade.
func TestFalseGradesRendered(t *testing.T) {
	t.Parallel()
	doc := force(t, with(t, template, `"no_training": true, "grade": "recorded"`, `"no_training": true, "grade": "enforced"`, `"per_day": 40, "grade": "enforced"`, `"per_day": 40, "grade": "ENFORCED"`,
		`"volume":`, `"qualifications": [{"kind": "asserted", "claim": "established in the EU", "grade": "enforced"}, {"kind": "probe", "grade": "enforced"}], "confidentiality.transport": {"x": 1, "grade": "recorded"}, "volume":`))
	all := lines(verified(t, doc).Lines())
	for _, want := range []string{
		"\n    promises [recorded, a promise] (the document says \"enforced\", which it cannot be)\n",
		"\n  volume [ungraded]\n    grade: \"ENFORCED\"\n",
		"\n  qualifications [ungraded]\n    0 [evidence, provider's claim] (the document says \"enforced\", which it cannot be)\n",
		"\n    1 [enforced, provider's claim]\n      kind: \"probe\"\n",
		"\n  \"confidentiality.transport\" [recorded, a promise]\n",
		"\n    transport [enforced, provider's claim]\n",
	} {
		require.Contains(t, all, want)
	}
	require.NotContains(t, strings.ToLower(all), "machine")
}

// O-8: it is also said when there is no language. Control characters for terminals are
// shown and not obeyed, wherever they are (section B.9).
func TestUntrustedText(t *testing.T) {
	t.Parallel()
	evil := `\u001b[2J\u202e\u0007\u3164\ufe0f\u2800\udb40\udd00\n\u2028`
	doc := force(t, with(t, cut(t, template, `"language": {`, `},`), `"linden-agent"`, `"a`+evil+`"`, `"per_day"`, `"x`+evil+`": 1, "per_day"`, `"Translate a letter."`, `"`+evil+`"`,
		`["translate", "proofread"]`, `["translate", "proofread", "`+evil+`"]`, `"offering": "proofread"`, `"offering": "`+evil+`", "per_task": 1}, {"offering": "proofread"`, `"volume"`, `"`+evil+`": {"grade": "`+evil+`", "a": 1}, "volume"`))
	doc = strings.Replace(doc, "sow_0000000000000000", "sow_"+evil, 1)
	doc = force(t, regexp.MustCompile(`,"signatures":\[.*\]`).ReplaceAllString(doc, ""))
	c := with(t, cardText(extension(`{"url":"`+docURL+`","digest":"`+digest(t, doc)+`","offering":"`+evil+`"}`)), "Translates letters.", "EUR 12.50"+evil+" a EUR 1"+evil, `"0.18.0-draft"`, `"`+evil+`"`)
	r := verify(t, c, docs{docURL: doc}, terms.Options{})
	require.Equal(t, terms.Stated, r.Terms)
	p := r.Proposals()[0]
	require.Contains(t, lines(p.Lines()), "no contract language is named; the signed fields are shown as they are")
	for _, l := range append(append(r.Lines(), p.Lines()...), p.Summary()) {
		for _, c := range l {
			require.True(t, unicode.IsPrint(c), "%q", l)
			require.NotContains(t, "\u3164\ufe0f\u2800\U000e0100", string(c), "nothing is shown as nothing")
		}
	}
}

// TestReportRendered has the report for people (O-1, O-3, O-5, O-6, O-10), with and
// without terms.
func TestReportRendered(t *testing.T) {
	t.Parallel()
	doc := sign(t, template)
	dg := digest(t, doc)
	prose := func(c string) string {
		return with(t, c, "Translates letters.", "Free trial; EUR 12.50 per task, no training, $3.")
	}
	silent := lines(verify(t, prose(cardText()), nil, terms.Options{}).Lines())
	require.Equal(t, `This card states nothing about terms.
  card signature: not_checked
`, silent)

	secret := with(t, doc, "1250", "987654321")
	none := lines(verify(t, prose(cardText(extension(entry(docURL, dg), entry("https://example.com/x", someDigest), entry("http://example.com", someDigest)))), docs{docURL: secret}, terms.Options{}).Lines())
	require.Equal(t, `No proposal of this card could be verified: it is to be treated like a card that states nothing about terms.
  card signature: not_checked (it says nothing about the terms)
  entry 0: no terms stated
    signal: the served document is not the one that the card commits to [TERMS_DIGEST_MISMATCH]
    url https://terms.example.com/linden.sow.json
    committed `+dg+`
    served    `+digest(t, secret)+`
  entry 1: no terms stated
    signal: the document was not at hand, and nothing was fetched [TERMS_NOT_FETCHED]
    url https://example.com/x
    committed `+someDigest+`
  entry 2: no terms stated
    signal: the entry has no absolute https URL [TERMS_URL]
    committed `+someDigest+`
  remedy: fetch the card again, verify its signature, and verify the terms once more; do not use the document that was served
`, none)
	stated := lines(verify(t, prose(cardText(extension(entry(docURL, dg), entry("https://example.com/x", someDigest)))), docs{docURL: doc}, terms.Options{}).Lines())
	require.Equal(t, `This card states terms.
  card signature: not_checked (it says nothing about the terms)
  written under Agent SoW 0.18.0-draft
  entry 0: verified
    url https://terms.example.com/linden.sow.json
    committed `+dg+`
    document `+ownID+`, version 1, offerings translate, proofread
    key `+ownKey+`, signed at 2026-11-29T12:00:00Z (claimed, not signed)
  entry 1: no terms stated
    signal: the document was not at hand, and nothing was fetched [TERMS_NOT_FETCHED]
    url https://example.com/x
    committed `+someDigest+`
  the card says "Free" (at /description): no verified clause states this
  the card says "EUR 12.50" (at /description): price.rates[0].per_task says so [enforced, provider's claim]
  the card says "per task" (at /description): price.rates[0].per_task says so [enforced, provider's claim]
  the card says "no training" (at /description): confidentiality.promises.no_training says so [recorded, a promise]
  the card says "$3" (at /description): no verified clause states this
  proves:
    the card commits to exactly these documents
    the provider's key signed them as its standing offer
  does not prove:
    conduct
    that any clause is enforced
    who owns the provider key
`, stated)
	for _, text := range []string{silent, none} {
		require.False(t, promising.MatchString(text), "O-3: %s", text)
		require.NotContains(t, text, "EUR", "O-10")
	}
	require.NotContains(t, none, "987654321", "O-5")
	for _, text := range []string{silent, none, stated} {
		require.False(t, forbidden.MatchString(text), "O-1")
	}
	// A declaration that is refused as a whole.
	require.Equal(t, `No proposal of this card could be verified: it is to be treated like a card that states nothing about terms.
  card signature: not_checked (it says nothing about the terms)
  signal: the declaration lists no proposals in a form that can be read [TERMS_DECL_PROPOSALS]
  warning: the declaration lists no proposals in a form that can be read [TERMS_DECL_PROPOSALS]
`, lines(verify(t, cardText(extension()), nil, terms.Options{}).Lines()))
}

// O-3: where no terms are stated, no code that is shown promises anything, whatever is in
// the document.
func TestNothingPromised(t *testing.T) {
	t.Parallel()
	unpaid := priced(t, unpriced)
	for _, doc := range []string{
		unpaid, // a template
		attach(t, unpaid, record(t, template, "provider")),
		force(t, with(t, unpaid, `"client": null`, `"client": {}`)),
		force(t, priced(t, strings.Replace(unpriced, `"grade"`, `"currency":"EUR","grade"`, 1))),
		force(t, to(t, unpaid, offer("x"))),
	} {
		r := verifyOne(t, doc, terms.Options{})
		require.Equal(t, terms.NoneVerified, r.Terms)
		require.False(t, promising.MatchString(lines(r.Lines())), "%v", r.Lines())
	}
}

// TestClaims has phrases that look like terms, and the clauses that state them (E-9).
func TestClaims(t *testing.T) {
	t.Parallel()
	fixed, byMeter, unpaid := sign(t, template), sign(t, priced(t, metered)), sign(t, priced(t, unpriced))
	dollars := sign(t, with(t, template, `"EUR"`, `"USD"`))
	for _, row := range []struct {
		prose  string
		doc    string
		phrase string // "" when there is none
		clause string
		grade  terms.Grade
	}{
		{"Translates letters.", fixed, "", "", ""},
		{"Follows ISO 9001, RFC 8785 and UTF 8.", fixed, "", "", ""},
		{"Freedom of speech, carefree.", fixed, "", "", ""},
		{"Costs EUR 12.50.", fixed, "EUR 12.50", "price.rates[0].per_task", terms.Enforced},
		{"Costs 12,50 EUR", fixed, "12,50 EUR", "price.rates[0].per_task", terms.Enforced},
		{"Costs €4", fixed, "€4", "price.rates[1].per_task", terms.Enforced},
		{"Costs €12.5", fixed, "€12.5", "price.rates[0].per_task", terms.Enforced},
		{"Costs €12.51", fixed, "€12.51", "", ""},
		{"Costs $12.50", fixed, "$12.50", "", ""},
		{"Costs 1,250 EUR", fixed, "1,250 EUR", "", ""},
		{"Costs EUR 12.50k", fixed, "EUR 12.50k", "", ""},
		{"Costs €4 million", fixed, "€4 million", "", ""},
		{"Costs €4 Million", fixed, "€4 Million", "", ""},
		{"Costs 4 million EUR", fixed, "4 million EUR", "", ""},
		{"Costs 4k€", fixed, "4k€", "", ""},
		{"Costs EUR 4-12", fixed, "EUR 4-12", "", ""},
		{"Costs EUR 4 – 12.50", fixed, "EUR 4 – 12.50", "", ""},
		{"Costs 4-12.50 EUR", fixed, "4-12.50 EUR", "", ""},
		{"Costs EUR 4 each", fixed, "EUR 4", "price.rates[1].per_task", terms.Enforced},
		{"Costs EUR 4 metres", fixed, "EUR 4", "price.rates[1].per_task", terms.Enforced},
		{"Costs $12.50", dollars, "$12.50", "price.rates[0].per_task", terms.Enforced},
		{"Costs US$12.50", dollars, "US$12.50", "price.rates[0].per_task", terms.Enforced},
		{"Costs CA$12.50", dollars, "CA$12.50", "", ""},
		{"Costs A$12.50", dollars, "A$12.50", "", ""},
		{"Costs 12.50 A$", dollars, "12.50 A$", "", ""},
		{"Costs EUR 12.505", fixed, "EUR 12.505", "", ""},
		{"Costs EUR 99999999999999999999", fixed, "EUR 99999999999999999999", "", ""},
		{"Costs €8 at most", byMeter, "€8", "price.schedule[0].per_unit", terms.Enforced},
		{"At most €500", byMeter, "€500", "price.cap.amount", terms.Enforced},
		{"At most 500.00 EUR", byMeter, "500.00 EUR", "price.cap.amount", terms.Enforced},
		{"It is FREE!", unpaid, "FREE", "price.arrangement", terms.Enforced},
		{"At no charge.", unpaid, "no charge", "price.arrangement", terms.Enforced},
		{"It is free.", fixed, "free", "", ""},
		{"Billed per task.", fixed, "per task", "price.rates[0].per_task", terms.Enforced},
		{"Billed per-task.", byMeter, "per-task", "", ""},
		{"Costs ¥1250", sign(t, with(t, template, `"EUR"`, `"JPY"`)), "¥1250", "price.rates[0].per_task", terms.Enforced},
		{"Costs KWD 1.2500", sign(t, with(t, template, `"EUR"`, `"KWD"`)), "KWD 1.2500", "", ""},
		{"Costs KWD 1.25", sign(t, with(t, template, `"EUR"`, `"KWD"`)), "KWD 1.25", "price.rates[0].per_task", terms.Enforced},
		{"Costs 1250 XCR", sign(t, with(t, template, `"EUR"`, `"XCR"`)), "1250 XCR", "price.rates[0].per_task", terms.Enforced},
		{"Costs KWD 1.250", sign(t, with(t, template, `"EUR"`, `"KWD"`, `1250`, `1250000`)), "KWD 1.250", "", ""},
		{"Costs KWD 1,250.000", sign(t, with(t, template, `"EUR"`, `"KWD"`, `1250`, `1250000`)), "KWD 1,250.000", "", ""},
		{"Costs EUR 1.250", sign(t, with(t, template, `1250`, `125000`)), "EUR 1.250", "price.rates[0].per_task", terms.Enforced},
		{"Costs EUR 1,250.00", sign(t, with(t, template, `1250`, `125000`)), "EUR 1,250.00", "price.rates[0].per_task", terms.Enforced},
		{"Costs EUR 1'250,00", sign(t, with(t, template, `1250`, `125000`)), "EUR 1'250,00", "price.rates[0].per_task", terms.Enforced},
		{"Costs EUR 1,25,0", sign(t, with(t, template, `1250`, `125000`)), "EUR 1,25,0", "", ""},
		{"Costs EUR 12,50.00", sign(t, with(t, template, `1250`, `125000`)), "EUR 12,50.00", "", ""},
		{"Costs EUR 1,250.000", sign(t, with(t, template, `1250`, `125000000`)), "EUR 1,250.000", "", ""},
		{"Costs EUR 1,250,000", sign(t, with(t, template, `1250`, `125000000`)), "EUR 1,250,000", "price.rates[0].per_task", terms.Enforced},
		{"At most EUR 0.500", byMeter, "EUR 0.500", "", ""},
		{"At most 0,500 EUR", byMeter, "0,500 EUR", "", ""},
		{"No training on your data.", fixed, "No training", "confidentiality.promises.no_training", terms.Recorded},
	} {
		c := with(t, cardText(extension(entry(docURL, digest(t, row.doc)))), "Translates letters.", row.prose)
		r := verify(t, c, docs{docURL: row.doc}, terms.Options{})
		require.Equal(t, terms.Stated, r.Terms)
		if row.phrase == "" {
			require.Empty(t, r.Claims, row.prose)
			continue
		}
		require.Len(t, r.Claims, 1, row.prose)
		got := r.Claims[0]
		require.Equal(t, row.phrase, got.Phrase)
		require.Equal(t, row.clause, got.Clause, row.prose)
		require.Equal(t, row.clause != "", got.Stated)
		require.Equal(t, row.grade, got.Grade)
		require.Equal(t, "/description", got.Pointer)
		require.Equal(t, 3, got.Line)
	}
	// Phrases are found everywhere in the prose of a card, up to a bound.
	c := with(t, cardText(extension(entry(docURL, ownDigest))), `"Translate"`, `"free"`, "Translates a text.", "free", `["language"]`, `["free"], "examples": ["`+strings.Repeat("free ", 300)+`"]`)
	require.Len(t, verify(t, c, docs{docURL: fixed}, terms.Options{}).Claims, 200)
}
