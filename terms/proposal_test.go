package terms_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/terms"
)

// TestStanding: a standing proposal must be complete and well priced, and each fault has
// its code (section B.6).
func TestStanding(t *testing.T) {
	t.Parallel()
	edit := func(pairs ...string) string { return with(t, template, pairs...) }
	for _, row := range []struct {
		name, doc string
		code      terms.Code
	}{
		{"the template", template, ""},
		{"no client seat", edit(`"client": null,`, ``), ""},
		{"no start", edit(`"starts_at": null,`, ``), ""},
		{"version 3", edit(`"version": 1,`, `"version": 3,`), ""},
		{"version with an exponent", edit(`"version": 1,`, `"version": 1e0,`), ""},
		{"time and materials", priced(t, metered), ""},
		{"no charge", priced(t, unpriced), ""},
		{"inputs as an object", edit(`"inputs": [`, `"inputs": {"grade": "enforced", "list": [`, `"when": "per_task"}],`, `"when": "per_task"}]},`), ""},
		{"deliverables as an array", cut(t, template, `"deliverables": {`, `},`) + "", "skip"},
		{"a further clause", edit(`"volume":`, `"reporting": {"level": "check_ins", "grade": "evidence"}, "volume":`), ""},
		{"a further scalar", edit(`"volume":`, `"note": "TBD", "volume":`), ""},

		{"another format", edit(`"sow": "v1"`, `"sow": "v2"`), terms.CodeFormat},
		{"no format", edit(`"sow": "v1",`, `"id": "x",`), terms.CodeFormat},
		{"id a number", edit(`"sow": "v1",`, `"sow": "v1", "id": 1,`), terms.CodeFormat},
		{"version zero", edit(`"version": 1,`, `"version": 0,`), terms.CodeFormat},
		{"version a fraction", edit(`"version": 1,`, `"version": 1.5,`), terms.CodeFormat},
		{"version a string", edit(`"version": 1,`, `"version": "1",`), terms.CodeFormat},
		{"no provider", cut(t, template, `"provider": {`, `},`), terms.CodeFormat},
		{"no agent", edit(`"agent": "linden-agent", `, ``), terms.CodeFormat},
		{"no owner", edit(`"owner": "Linden Translation", `, ``), terms.CodeFormat},
		{"no parties", cut(t, template, `"parties": {`, "\n  },"), terms.CodeFormat},

		{"a client", edit(`"client": null`, `"client": {"agent": "a", "owner": "b"}`), terms.CodeNotStanding},
		{"an empty client", edit(`"client": null`, `"client": {}`), terms.CodeNotStanding},
		{"a client false", edit(`"client": null`, `"client": false`), terms.CodeNotStanding},
		{"a start", edit(`"starts_at": null`, `"starts_at": "2026-12-01T00:00:00Z"`), terms.CodeNotStanding},
		{"an empty start", edit(`"starts_at": null`, `"starts_at": ""`), terms.CodeNotStanding},

		{"no scope", cut(t, template, `"scope": {`, "},\n"), terms.CodeIncomplete},
		{"scope a list", edit(`"scope": {"offerings": ["translate", "proofread"], "examples": {"in_scope": ["Translate a letter."]}, "grade": "enforced"}`, `"scope": ["translate"]`), terms.CodeIncomplete},
		{"no offerings", edit(`"offerings": ["translate", "proofread"], `, ``), terms.CodeIncomplete},
		{"offerings empty", edit(`["translate", "proofread"]`, `[]`), terms.CodeIncomplete},
		{"offering a number", edit(`["translate", "proofread"]`, `["translate", 1]`), terms.CodeIncomplete},
		{"offering without a rate", edit(`["translate", "proofread"]`, `["translate", "typeset"]`), terms.CodeIncomplete},
		{"no price", priced(t, `"cost": {"grade": "enforced", "x": 1}`), terms.CodeIncomplete},
		{"price null", priced(t, `"price": null`), terms.CodeIncomplete},
		{"volume null", edit(`"volume": {"per_day": 40, "grade": "enforced"}`, `"volume": null`), terms.CodeIncomplete},
		{"volume empty", edit(`"volume": {"per_day": 40, "grade": "enforced"}`, `"volume": {}`), terms.CodeIncomplete},
		{"volume with a grade alone", edit(`"volume": {"per_day": 40, "grade": "enforced"}`, `"volume": {"grade": "enforced"}`), terms.CodeIncomplete},
		{"volume with a null alone", edit(`"volume": {"per_day": 40, "grade": "enforced"}`, `"volume": {"per_day": null, "grade": "enforced"}`), terms.CodeIncomplete},
		{"volume with empty parts", edit(`"volume": {"per_day": 40, "grade": "enforced"}`, `"volume": {"per_day": {"grade": "enforced", "x": [" "]}, "grade": "enforced"}`), terms.CodeIncomplete},
		{"volume with false", edit(`"volume": {"per_day": 40, "grade": "enforced"}`, `"volume": {"per_day": false, "grade": "enforced"}`), ""},
		{"inputs of nothing", edit(`[{"name": "text", "media_type": "text/plain", "when": "per_task"}]`, `[{}, null, []]`), terms.CodeIncomplete},
		{"language null", edit(`"id": "agent-sow-standard-language", "version": 4, "sha256": "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"`, `"id": null`), terms.CodeIncomplete},
		{"language a text", edit(`{"id": "agent-sow-standard-language", "version": 4, "sha256": "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"}`, `"standard"`), terms.CodeIncomplete},
		{"language to be written", edit(`"agent-sow-standard-language"`, `"TBD"`), terms.CodeIncomplete},
		{"an end to be written", edit(`"ends_at": null`, `"ends_at": "TBD"`), terms.CodeIncomplete},
		{"an end that is blank", edit(`"ends_at": null`, `"ends_at": " "`), terms.CodeIncomplete},
		{"a term to be written", edit(`"term_months": 12`, `"term_months": "<months>"`), terms.CodeIncomplete},
		{"a term of nothing", edit(`"term_months": 12`, `"term_months": {}`), terms.CodeIncomplete},
		{"volume a text", edit(`"volume": {"per_day": 40, "grade": "enforced"}`, `"volume": "forty a day"`), terms.CodeIncomplete},
		{"a placeholder", edit(`"refund_on_failed_task"`, `"TBD"`), terms.CodeIncomplete},
		{"a placeholder in brackets", edit(`"refund_on_failed_task"`, `"<posture>"`), terms.CodeIncomplete},
		{"a placeholder in braces", edit(`"refund_on_failed_task"`, `"{{posture}}"`), terms.CodeIncomplete},
		{"an unknown clause empty", edit(`"volume":`, `"reporting": {}, "volume":`), terms.CodeIncomplete},
		{"words that are no placeholder", edit(`"refund_on_failed_task"`, `"a todo list <b>is</b> kept"`), ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if row.code == "skip" {
				row.doc, row.code = with(t, row.doc+"", `"price": {`, `"deliverables": [{"name": "translation"}], "price": {`), ""
				row.doc = strings.Replace(row.doc, "\n    \"grade\": \"enforced\"\n  },\n  \"deliverables\"", "\n  \"deliverables\"", 1)
			}
			r := verifyOne(t, force(t, row.doc), terms.Options{})
			require.Equal(t, row.code, r.Entries[0].Code)
			// Before anyone signs, the publisher is told the same, with a place.
			_, err := terms.Sign(parse(t, row.doc), seed(t, 1), terms.SignOptions{At: noon()})
			switch code := row.code; {
			case code == "" && !strings.Contains(row.name, "version 3"):
				require.NoError(t, err)
			case code == "":
				require.Equal(t, terms.CodeIDVersion, codeOf(t, err))
			default:
				require.Contains(t, []terms.Code{code, terms.CodeIDVersion, terms.CodeIDDiffers}, codeOf(t, err))
				var e *terms.Error
				require.ErrorAs(t, err, &e)
				require.Positive(t, e.Line)
			}
		})
	}
}

// Expected clauses that are missing are reported, and refused by a strict reader.
func TestMissingClauses(t *testing.T) {
	t.Parallel()
	bare := `{"sow":"v1","version":1,"parties":{"provider":{"agent":"a","owner":"b"},"grade":"evidence"},
		"scope":{"offerings":["x"],"grade":"enforced"},"price":{"arrangement":"no_charge","grade":"enforced"}}`
	want := []string{"language", "inputs", "deliverables", "volume", "change_control", "termination", "disputes", "confidentiality", "ends_at or term_months"}
	doc := sign(t, bare)
	r := verifyOne(t, doc, terms.Options{})
	require.Equal(t, terms.Stated, r.Terms)
	require.Equal(t, want, r.Entries[0].MissingClauses)
	require.Equal(t, want, r.Proposals()[0].MissingClauses())
	for _, c := range codes(r.Entries[0].Warnings) {
		require.Equal(t, terms.CodeClauseMissing, c)
	}
	require.Len(t, r.Entries[0].Warnings, len(want))
	require.Contains(t, strings.Join(r.Lines(), "\n"), "entry 0: verified, clauses missing: language, inputs")
	require.Contains(t, strings.Join(r.Proposals()[0].Lines(), "\n"), "clauses missing: language, inputs")
	require.Equal(t, terms.CodeIncomplete, verifyOne(t, doc, terms.Options{Strict: true}).Entries[0].Code)
	_, err := terms.Sign(parse(t, bare), seed(t, 1), terms.SignOptions{At: noon(), Strict: true})
	require.Equal(t, terms.CodeIncomplete, codeOf(t, err))

	require.Empty(t, verifyOne(t, sign(t, template), terms.Options{Strict: true}).Entries[0].MissingClauses)
	ends := with(t, template, `"term_months": 12,`, ``, `"ends_at": null`, `"ends_at": "2027-12-01T00:00:00Z"`)
	require.Empty(t, verifyOne(t, sign(t, ends), terms.Options{}).Entries[0].MissingClauses)
	neither := with(t, template, `"term_months": 12,`, ``)
	require.Equal(t, []string{"ends_at or term_months"}, verifyOne(t, sign(t, neither), terms.Options{}).Entries[0].MissingClauses)
}

func TestPrices(t *testing.T) {
	t.Parallel()
	edit := func(price string, pairs ...string) string { return with(t, price, pairs...) }
	fixed := `"price": {"arrangement": "fixed_fee", "currency": "EUR", "rates": [{"offering": "translate", "per_task": 1250}, {"offering": "proofread", "per_task": 0}], "grade": "enforced"}`
	for _, row := range []struct {
		name, price string
		ok          bool
	}{
		{"fixed fee, one of them 0", fixed, true},
		{"with a ceiling", edit(fixed, `"grade"`, `"ceiling": {"amount": 5, "period": "month"}, "grade"`), true},
		{"amounts as doubles write them", edit(fixed, `1250`, `1.25e3`), true},
		{"time and materials", metered, true},
		{"no charge", unpriced, true},
		{"no charge without a grade", `"price": {"arrangement": "no_charge"}`, true},

		{"no arrangement", edit(fixed, `"arrangement": "fixed_fee", `, ``), false},
		{"unknown arrangement", edit(fixed, `fixed_fee`, `retainer`), false},
		{"no currency", edit(fixed, `"currency": "EUR", `, ``), false},
		{"currency in lower case", edit(fixed, `EUR`, `eur`), false},
		{"currency of four letters", edit(fixed, `EUR`, `EURO`), false},
		{"no rates", edit(fixed, `"rates"`, `"prices"`), false},
		{"rates empty", `"price": {"arrangement": "fixed_fee", "currency": "EUR", "rates": [], "grade": "enforced"}`, false},
		{"a rate twice", edit(fixed, `proofread`, `translate`), false},
		{"a rate without an offering", edit(fixed, `"offering": "proofread", `, ``), false},
		{"a fraction of a cent", edit(fixed, `1250`, `1250.5`), false},
		{"a text", edit(fixed, `1250`, `"1250"`), false},
		{"negative", edit(fixed, `1250`, `-1`), false},
		{"beyond integers", edit(fixed, `1250`, `1e30`), false},
		{"a schedule besides", edit(fixed, `"grade"`, `"schedule": [], "grade"`), false},
		{"a cap besides", edit(fixed, `"grade"`, `"cap": {"amount": 1}, "grade"`), false},
		{"a ceiling without an amount", edit(fixed, `"grade"`, `"ceiling": {}, "grade"`), false},

		{"no schedule", edit(metered, `"schedule"`, `"lines"`), false},
		{"a meter twice", edit(metered, `lookups`, `words`), false},
		{"no meter", edit(metered, `"meter": "words", `, ``), false},
		{"no unit", edit(metered, `"unit": "1000 words", `, ``), false},
		{"unit price a fraction", edit(metered, `800`, `800.5`), false},
		{"divisor zero", edit(metered, `"per": 1000,`, `"per": 0,`), false},
		{"divisor a fraction", edit(metered, `"per": 1000,`, `"per": 0.5,`), false},
		{"pass-through false", edit(metered, `true`, `false`), false},
		{"no cap", edit(metered, `"cap": {"amount": 50000},`, ``), false},
		{"cap without an amount", edit(metered, `"amount": 50000`, ``), false},
		{"cap zero", edit(metered, `50000`, `0`), false},
		{"no reservation", edit(metered, `"reservation": {"window_days": 30},`, ``), false},
		{"window of no days", edit(metered, `"window_days": 30`, `"window_days": 0`), false},
		{"a ceiling under time and materials", edit(metered, `"cap"`, `"ceiling": {"amount": 5}, "cap"`), false},
		{"rates under time and materials", edit(metered, `"cap"`, `"rates": [], "cap"`), false},

		{"no charge with a currency", edit(unpriced, `"grade"`, `"currency": "EUR", "grade"`), false},
		{"no charge with a rate of 0", edit(unpriced, `"grade"`, `"rates": [], "grade"`), false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := verifyOne(t, force(t, priced(t, row.price)), terms.Options{})
			if row.ok {
				require.Equal(t, terms.Stated, r.Terms, r.Entries[0].Code)
			} else {
				require.Equal(t, terms.CodePrice, r.Entries[0].Code)
			}
		})
	}
}

// TestEnded: a proposal whose own end has passed stands by its form, and says so.
func TestEnded(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		endsAt string
		ended  bool
	}{
		{`null`, false},
		{`"2026-11-29T12:00:00Z"`, true}, // the instant itself
		{`"2026-11-29T12:00:00.000000001Z"`, false},
		{`"2026-11-29T13:00:00+02:00"`, true},
		{`"2026-11-29T12:30:00+00:30"`, true},
		{`"0001-01-01T00:00:00Z"`, true},
		{`"2026-11-28"`, true},
		{`"2026-11-29"`, false}, // its day is not over
		{`"2027-02-30"`, false}, // no day
		{`"upon notice"`, false},
		{`20261128`, false},
		{`{"at":"2026-11-28"}`, false},
	} {
		document := sign(t, with(t, template, `"ends_at": null`, `"ends_at": `+row.endsAt))
		e := verifyOne(t, document, terms.Options{}).Entries[0]
		require.Equal(t, terms.Verified, e.Outcome, row.endsAt)
		require.Equal(t, row.ended, slices.Contains(codes(e.Warnings), terms.CodeEnded), row.endsAt)
	}
}

// TestDirected: who may see a directed proposal, and what happens when it cannot be read.
func TestDirected(t *testing.T) {
	t.Parallel()
	me, other := reader(t), seed(t, 5).Key()
	good := offer(me)
	public, restricted := terms.Options{}, terms.Options{Channel: terms.Restricted, Me: me}
	stranger, nobody := terms.Options{Channel: terms.Restricted, Me: other}, terms.Options{Channel: terms.Restricted}
	for _, row := range []struct {
		name, offeredTo string
		o               terms.Options
		code            terms.Code
		warning         terms.Code
	}{
		{"public", good, public, terms.CodeDirectedPublic, ""},
		{"public, with my key", good, terms.Options{Me: me}, terms.CodeDirectedPublic, ""},
		{"to me", good, restricted, "", ""},
		{"to another", good, stranger, terms.CodeDirectedOther, ""},
		{"I say no name", good, nobody, terms.CodeDirectedOther, ""},
		{"lapsed at the instant", with(t, good, "2026-12-31T00:00:00Z", "2026-11-29T12:00:00Z"), restricted, "", terms.CodeDirectedLapsed},
		{"lapsed at the first instant that there is", with(t, good, "2026-12-31T00:00:00Z", "0001-01-01T00:00:00Z"), restricted, "", terms.CodeDirectedLapsed},
		{"open until the instant", with(t, good, "2026-12-31T00:00:00Z", "2026-11-29T12:00:00.000000001Z"), restricted, "", ""},
		{"with an occasion and an end", with(t, good, `"grade"`, `"occasion":"rfp_1","grade"`), restricted, "", terms.CodeDirectedOccasion},
		{"with an occasion alone", with(t, good, `"expires_at":"2026-12-31T00:00:00Z"`, `"occasion":{"rfp":"x"}`), restricted, "", terms.CodeDirectedOccasion},
		{"handle and organization", with(t, good, `"grade"`, `"handle":"h","organization":"o","grade"`), restricted, "", ""},

		{"no end", with(t, good, `"expires_at":"2026-12-31T00:00:00Z",`, ``), restricted, terms.CodeDirectedUnbounded, ""},
		{"an array of one", `[` + good + `]`, restricted, terms.CodeDirectedMalformed, ""},
		{"an array of one, public", `[` + good + `]`, public, terms.CodeDirectedPublic, ""},
		{"an array of one, to a stranger", `[` + good + `]`, nobody, terms.CodeDirectedOther, ""},
		{"null", `null`, restricted, terms.CodeDirectedMalformed, ""},
		{"null, public", `null`, public, terms.CodeDirectedPublic, ""},
		{"false", `false`, restricted, terms.CodeDirectedMalformed, ""},
		{"a text", `"` + me + `"`, restricted, terms.CodeDirectedMalformed, ""},
		{"no owner", with(t, good, `"owner":"Harbour Outfitters",`, ``), restricted, terms.CodeDirectedMalformed, ""},
		{"no agent", with(t, good, `"agent":"`+me+`",`, ``), restricted, terms.CodeDirectedMalformed, ""},
		{"agent a list", with(t, good, `"agent":"`+me+`"`, `"agent":["`+me+`"]`), restricted, terms.CodeDirectedMalformed, ""},
		{"a bad instant", with(t, good, `2026-12-31T00:00:00Z`, `2026-12-31`), restricted, terms.CodeDirectedMalformed, ""},
		{"instant null", with(t, good, `"2026-12-31T00:00:00Z"`, `null`), restricted, terms.CodeDirectedMalformed, ""},
		{"an unknown grade", with(t, good, `"enforced"`, `"strict"`), restricted, terms.CodeDirectedMalformed, ""},
		{"no grade", with(t, good, `,"grade":"enforced"`, ``), restricted, terms.CodeDirectedMalformed, ""},
		{"handle a number", with(t, good, `"grade"`, `"handle":1,"grade"`), restricted, terms.CodeDirectedMalformed, ""},
		{"an end that is not known", with(t, good, `"grade"`, `"valid_until":"2020-01-01T00:00:00Z","grade"`), restricted, terms.CodeDirectedMalformed, ""},
		{"occasion empty", with(t, good, `"grade"`, `"occasion":"","grade"`), restricted, terms.CodeDirectedMalformed, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := verifyOne(t, force(t, to(t, template, row.offeredTo)), row.o)
			e := r.Entries[0]
			require.Equal(t, row.code, e.Code)
			if row.code != "" {
				return
			}
			require.True(t, e.Directed)
			require.Contains(t, strings.Join(r.Lines(), "\n"), "offer to you only")
			lapsed := row.warning == terms.CodeDirectedLapsed
			require.Equal(t, lapsed, e.Lapsed)
			require.Equal(t, lapsed, strings.Contains(strings.Join(r.Lines(), "\n"), "lapsed, not open"))
			require.Equal(t, lapsed, strings.Contains(strings.Join(r.Proposals()[0].Lines(), "\n"), "lapsed, not open"))
			if row.warning != "" {
				require.Contains(t, codes(e.Warnings), row.warning)
			}
		})
	}
	for _, name := range []string{"public", "restricted"} {
		c, ok := terms.ChannelByName(name)
		require.True(t, ok)
		require.Equal(t, name, c.String())
	}
	_, ok := terms.ChannelByName("")
	require.False(t, ok)
}

// A restriction in another spelling, or in another place, is not an absent one.
func TestDirectedSpelling(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, old, new string }{
		{"camel case", `"parties": {`, `"parties": {"offeredTo":{"agent":"x"},`},
		{"a capital", `"parties": {`, `"parties": {"Offered_to":null,`},
		{"beside the parties", `"parties": {`, `"offered_to":{"agent":"x"},"parties": {`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			document := force(t, with(t, template, row.old, row.new))
			require.Equal(t, terms.CodeDirectedPublic, verifyOne(t, document, terms.Options{}).Entries[0].Code)
			require.Equal(t, terms.CodeDirectedMalformed, verifyOne(t, document, terms.Options{Channel: terms.Restricted, Me: reader(t)}).Entries[0].Code)
		})
	}
}

// A card with offers to two parties is refused on every channel.
func TestDirectedMixed(t *testing.T) {
	t.Parallel()
	me, other := reader(t), seed(t, 5).Key()
	all := docs{
		"https://example.com/1": force(t, to(t, template, offer(me))),
		"https://example.com/2": force(t, to(t, template, offer(other))),
		"https://example.com/3": sign(t, template),
	}
	entryOf := func(url string) string { return entry(url, digest(t, all[url])) }
	mixed := cardText(extension(entryOf("https://example.com/1"), entryOf("https://example.com/2"), entryOf("https://example.com/3")))
	for _, o := range []terms.Options{{}, {Channel: terms.Restricted, Me: me}, {Channel: terms.Restricted, Me: other}, {Channel: terms.Restricted}} {
		r := verify(t, mixed, all, o)
		require.Equal(t, terms.NoneVerified, r.Terms)
		for _, e := range r.Entries {
			require.Equal(t, terms.CodeDirectedMixed, e.Code)
		}
	}
	// An entry that failed before keeps its code, and with it the remedy.
	also := cardText(extension(entryOf("https://example.com/1"), entryOf("https://example.com/2"), entryOf("https://example.com/3"), entry("https://example.com/gone", someDigest), entry("https://example.com/4", someDigest)))
	all["https://example.com/4"] = all["https://example.com/3"]
	r := verify(t, also, all, terms.Options{Channel: terms.Restricted, Me: me})
	require.Equal(t, terms.NoneVerified, r.Terms)
	require.Equal(t, terms.CodeDirectedMixed, r.Entries[2].Code)
	require.Equal(t, terms.CodeNotFetched, r.Entries[3].Code)
	require.Equal(t, terms.CodeDigestMismatch, r.Entries[4].Code)
	require.Equal(t, terms.RemedyByHand, r.Remedy.Result)
	one := cardText(extension(entryOf("https://example.com/1"), entryOf("https://example.com/3")))
	require.True(t, verify(t, one, all, terms.Options{Channel: terms.Restricted, Me: me}).AllVerified())
	r = verify(t, one, all, terms.Options{})
	require.Equal(t, terms.Stated, r.Terms)
	require.False(t, r.AllVerified())
	require.Equal(t, terms.CodeDirectedPublic, r.Entries[0].Code)
}

// At every depth, a grade is the one in the document and never a higher one.
func TestGrades(t *testing.T) {
	t.Parallel()
	p := verified(t, sign(t, template))
	require.Equal(t, map[string]terms.Grade{
		"parties": terms.Evidence, "scope": terms.Enforced, "inputs": terms.Ungraded, "deliverables": terms.Enforced,
		"deliverables.per_task[0].rights": terms.Recorded, "price": terms.Enforced, "volume": terms.Enforced,
		"change_control": terms.Enforced, "termination": terms.Enforced, "disputes": terms.Evidence,
		"confidentiality.transport": terms.Enforced, "confidentiality.promises": terms.Recorded,
	}, p.Grades())
	for _, row := range []struct {
		name     string
		pairs    []string
		path     string
		grade    terms.Grade
		warnings []terms.Code
	}{
		{"none", nil, "volume", terms.Enforced, nil},
		{"missing", []string{`"per_day": 40, "grade": "enforced"`, `"per_day": 40`}, "volume", terms.Ungraded, []terms.Code{terms.CodeGrade}},
		{"unknown", []string{`"per_day": 40, "grade": "enforced"`, `"per_day": 40, "grade": "Enforced"`}, "volume", terms.Ungraded, []terms.Code{terms.CodeGrade}},
		{"a list", []string{`"per_day": 40, "grade": "enforced"`, `"per_day": 40, "grade": ["enforced"]`}, "volume", terms.Ungraded, []terms.Code{terms.CodeGrade}},
		{"a promise enforced", []string{`"no_training": true, "grade": "recorded"`, `"no_training": true, "grade": "enforced"`}, "confidentiality.promises", terms.Recorded, []terms.Code{terms.CodeGradeClaim}},
		{"a promise in evidence", []string{`"no_training": true, "grade": "recorded"`, `"no_training": true, "grade": "evidence"`}, "confidentiality.promises", terms.Recorded, []terms.Code{terms.CodeGradeClaim}},
		{"a promise ungraded stays so", []string{`"no_training": true, "grade": "recorded"`, `"no_training": true`}, "confidentiality.promises", terms.Ungraded, []terms.Code{terms.CodeGrade}},
		{"a promise under the grade of its clause", []string{`"promises": {"no_training": true, "grade": "recorded"}`, `"promises": {"no_training": true}, "grade": "enforced"`}, "confidentiality.promises", terms.Recorded, []terms.Code{terms.CodeGradeClaim}},
		{"asserted", []string{`"volume":`, `"qualifications": [{"kind": "asserted", "claim": "established in the EU", "grade": "enforced"}], "volume":`}, "qualifications[0]", terms.Evidence, []terms.Code{terms.CodeGradeClaim}},
		{"asserted in evidence", []string{`"volume":`, `"qualifications": [{"kind": "asserted", "claim": "x", "grade": "evidence"}], "volume":`}, "qualifications[0]", terms.Evidence, nil},
		{"asserted under the grade of its clause", []string{`"volume":`, `"qualifications": {"grade": "enforced", "all": [{"kind": "asserted", "claim": "x"}]}, "volume":`}, "qualifications.all[0]", terms.Evidence, []terms.Code{terms.CodeGradeClaim}},
		{"two places with one path", []string{`"volume":`, `"confidentiality.transport": {"x": 1, "grade": "recorded"}, "volume":`}, "confidentiality.transport", terms.Enforced, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := verifyOne(t, force(t, with(t, template, row.pairs...)), terms.Options{})
			require.Equal(t, terms.Stated, r.Terms)
			require.Equal(t, row.grade, r.Entries[0].Grades[row.path])
			require.Equal(t, append([]terms.Code{terms.CodeIDDiffers}, row.warnings...), codes(r.Entries[0].Warnings))
		})
	}
	for _, row := range []string{`"no_training": true, "grade": "enforced"`, `"no_training": false, "grade": "recorded"`} {
		_, err := terms.Sign(parse(t, with(t, template, `"no_training": true, "grade": "recorded"`, row)), seed(t, 1), terms.SignOptions{At: noon()})
		require.Equal(t, terms.CodeGradeClaim, codeOf(t, err), "a publisher does not sign a false grade")
	}
}

func TestSign(t *testing.T) {
	t.Parallel()
	s, o := seed(t, 1), terms.SignOptions{At: noon().In(time.FixedZone("x", 3600))}
	signed, err := terms.Sign(parse(t, template), s, o)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(signed), strings.TrimSuffix(template, "\n}\n")), "the text is kept")
	require.Contains(t, string(signed), `"signed_at":"2026-11-29T12:00:00Z"`)
	require.Equal(t, ownID, parse(t, string(signed)).ID())
	for _, row := range []struct {
		name string
		doc  string
		code terms.Code
	}{
		{"with its identifier", with(t, template, `"sow": "v1",`, `"sow": "v1", "id": "`+ownID+`",`), ""},
		{"with an empty list", with(t, template, `"sow": "v1",`, `"sow": "v1", "signatures": [ ],`), ""},
		{"with no list", with(t, template, `"sow": "v1",`, `"sow": "v1", "signatures": null,`), ""},
		{"version 2 with an identifier", with(t, template, `"version": 1,`, `"version": 2, "id": "sow_a",`), ""},
		{"directed", to(t, template, offer(reader(t))), ""},
		{"another identifier", with(t, template, `"sow": "v1",`, `"sow": "v1", "id": "sow_0000000000000000",`), terms.CodeIDDiffers},
		{"version 2 without an identifier", with(t, template, `"version": 1,`, `"version": 2,`), terms.CodeIDVersion},
		{"signed already", string(signed), terms.CodeSignatures},
		{"signatures an object", with(t, template, `"sow": "v1",`, `"sow": "v1", "signatures": {},`), terms.CodeSignatures},
		{"directed without an end", to(t, template, `{"agent":"a","owner":"b","grade":"enforced"}`), terms.CodeDirectedUnbounded},
		{"empty", `{}`, terms.CodeIDVersion},
	} {
		out, err := terms.Sign(parse(t, row.doc), s, o)
		if row.code != "" {
			require.Equal(t, row.code, codeOf(t, err), row.name)
			continue
		}
		require.NoError(t, err, row.name)
		r := verifyOne(t, string(out), terms.Options{Channel: terms.Restricted, Me: reader(t)})
		require.Equal(t, terms.Stated, r.Terms, row.name)
		require.Equal(t, s.Key(), r.Entries[0].ProviderKey)
		require.Equal(t, "2026-11-29T12:00:00Z", r.Entries[0].SignedAtClaimed)
	}
	_, err = terms.Sign(parse(t, template), s, terms.SignOptions{})
	require.Error(t, err)
	_, err = terms.Sign(nil, s, o)
	require.Error(t, err)
	_, err = terms.Sign(parse(t, template), nil, o)
	require.Error(t, err)
}
