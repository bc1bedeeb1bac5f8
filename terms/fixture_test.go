package terms_test

import (
	"context"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nkeys"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/terms"
)

// template is a complete proposal that nobody has signed.
const template = `{
  "sow": "v1",
  "version": 1,
  "starts_at": null,
  "ends_at": null,
  "term_months": 12,
  "language": {"id": "agent-sow-standard-language", "version": 4, "sha256": "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"},
  "parties": {
    "provider": {"agent": "linden-agent", "owner": "Linden Translation", "organization": "org_linden"},
    "client": null,
    "grade": "evidence"
  },
  "scope": {"offerings": ["translate", "proofread"], "examples": {"in_scope": ["Translate a letter."]}, "grade": "enforced"},
  "inputs": [{"name": "text", "media_type": "text/plain", "when": "per_task"}],
  "deliverables": {
    "per_task": [{"name": "translation", "media_type": "text/plain", "rights": {"exclusivity": "exclusive", "grade": "recorded"}}],
    "grade": "enforced"
  },
  "price": {
    "arrangement": "fixed_fee",
    "currency": "EUR",
    "rates": [{"offering": "translate", "per_task": 1250}, {"offering": "proofread", "per_task": 400}],
    "ceiling": {"amount": 90000, "period": "month"},
    "grade": "enforced"
  },
  "volume": {"per_day": 40, "grade": "enforced"},
  "change_control": {"review_window_days": 7, "grade": "enforced"},
  "termination": {"convenience_notice_hours": 48, "grade": "enforced"},
  "disputes": {"posture": "refund_on_failed_task", "grade": "evidence"},
  "confidentiality": {
    "transport": {"sealed": true, "grade": "enforced"},
    "promises": {"no_training": true, "grade": "recorded"}
  }
}
`

// metered is a price for time and materials, and free the price of no_charge.
const (
	metered = `"price": {
    "arrangement": "time_and_materials",
    "currency": "EUR",
    "schedule": [
      {"meter": "words", "unit": "1000 words", "per": 1000, "per_unit": 800},
      {"meter": "lookups", "unit": "lookup", "per_unit": 3, "pass_through": true}
    ],
    "cap": {"amount": 50000},
    "reservation": {"window_days": 30},
    "grade": "enforced"
  }`
	unpriced = `"price": {"arrangement": "no_charge", "grade": "enforced"}`
)

const docURL = "https://terms.example.com/linden.sow.json"

// reader is the agent key in the directed proposals of the tests.
func reader(t testing.TB) string { return seed(t, 9).Key() }

func keyPair(t testing.TB, n byte) (nkeys.KeyPair, []byte) {
	t.Helper()
	raw := make([]byte, 32)
	for i := range raw {
		raw[i] = n + byte(i)
	}
	text, err := nkeys.EncodeSeed(nkeys.PrefixByteUser, raw)
	require.NoError(t, err)
	kp, err := nkeys.FromSeed(text)
	require.NoError(t, err)
	return kp, text
}

func seed(t testing.TB, n byte) *terms.Signer {
	t.Helper()
	_, text := keyPair(t, n)
	s, err := terms.ParseSeed(text)
	require.NoError(t, err)
	return s
}

func noon() time.Time { return time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC) }

// with replaces parts of a text, each of which must occur once.
func with(t testing.TB, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		require.Equal(t, 1, strings.Count(text, pairs[i]), "%q in %s", pairs[i], text)
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

// cut removes a text from pattern start to end, both included.
func cut(t testing.TB, text, start, end string) string {
	t.Helper()
	i := strings.Index(text, start)
	require.GreaterOrEqual(t, i, 0, start)
	j := strings.Index(text[i:], end)
	require.GreaterOrEqual(t, j, 0, end)
	return text[:i] + text[i+j+len(end):]
}

func priced(t testing.TB, price string) string {
	t.Helper()
	i := strings.Index(template, `"price"`)
	j := strings.Index(template, `"volume"`)
	return template[:i] + price + ",\n  " + template[j:]
}

func parse(t testing.TB, text string) *terms.Document {
	t.Helper()
	d, err := terms.Parse([]byte(text), terms.Limits{})
	require.NoError(t, err, text)
	return d
}

// sign makes a standing proposal of a template, as a publisher does.
func sign(t testing.TB, text string) string {
	t.Helper()
	out, err := terms.Sign(parse(t, text), seed(t, 1), terms.SignOptions{At: noon()})
	require.NoError(t, err)
	return string(out)
}

// record is a signature record over a document, even if that is invalid.
func record(t testing.TB, text, role string) string {
	t.Helper()
	signed, err := parse(t, text).SignedBytes()
	require.NoError(t, err)
	kp, _ := keyPair(t, 1)
	sig, err := kp.Sign(signed)
	require.NoError(t, err)
	public, err := kp.PublicKey()
	require.NoError(t, err)
	return `{"role":"` + role + `","key":"` + public + `","signed_at":"2026-11-29T12:00:00Z","sig":"` + base64.RawURLEncoding.EncodeToString(sig) + `"}`
}

// force signs a document that [terms.Sign] would not.
func force(t testing.TB, text string) string {
	t.Helper()
	if d := parse(t, text); !d.Root().Get("id").Exists() {
		text = strings.Replace(text, "{", `{"id": "sow_0000000000000000",`, 1)
	}
	return attach(t, text, record(t, text, "provider"))
}

func attach(t testing.TB, text string, records ...string) string {
	t.Helper()
	end := strings.LastIndexByte(text, '}')
	return text[:end] + `,"signatures":[` + strings.Join(records, ",") + "]}"
}

// to directs a template to one party.
func to(t testing.TB, text, offeredTo string) string {
	t.Helper()
	return with(t, text, `"client": null,`, `"client": null, "offered_to": `+offeredTo+`,`)
}

func offer(agent string) string {
	return `{"agent":"` + agent + `","owner":"Harbour Outfitters","expires_at":"2026-12-31T00:00:00Z","grade":"enforced"}`
}

func digest(t testing.TB, text string) string {
	t.Helper()
	b, err := canon.JCS([]byte(text))
	if len(text) > 100_000 { // more than canon reads
		b, err = parse(t, text).CommittedBytes()
	}
	require.NoError(t, err)
	return canon.Sum(b).String()
}

func entry(url, digest string) string {
	return `{"url":"` + url + `","digest":"` + digest + `"}`
}

func extension(entries ...string) string {
	return `{"uri":"` + terms.ExtensionURI + `","description":"d","params":{"sow_spec":"0.18.0-draft","proposals":[` + strings.Join(entries, ",") + `]}}`
}

func cardText(extensions ...string) string {
	return `{
  "name": "Linden",
  "description": "Translates letters.",
  "version": "1.0.0",
  "supportedInterfaces": [{"url": "https://example.com/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
  "capabilities": {"extensions": [` + strings.Join(extensions, ",") + `]},
  "defaultInputModes": ["text/plain"],
  "defaultOutputModes": ["text/plain"],
  "skills": [{"id": "translate", "name": "Translate", "description": "Translates a text.", "tags": ["language"]}]
}`
}

func card(t testing.TB, text string) *agentcard.Card {
	t.Helper()
	c, err := agentcard.Parse([]byte(text), agentcard.Limits{})
	require.NoError(t, err, text)
	return c
}

// docs is a fetcher with the documents at their URLs.
type docs map[string]string

func (d docs) Proposal(_ context.Context, url string, _ bool) ([]byte, error) {
	switch text, ok := d[url]; {
	case !ok:
		return nil, terms.ErrNotAtHand
	case text == "unreachable":
		return nil, errors.New("secret detail")
	case text == "unreachable, with an empty code":
		return nil, emptyCode{}
	default:
		return []byte(text), nil
	}
}

// emptyCode is an error of a fetcher that has no code for it.
type emptyCode struct{}

func (emptyCode) Error() string     { return "secret detail" }
func (emptyCode) FetchCode() string { return "" }

func verify(t testing.TB, c string, f terms.Fetcher, o terms.Options) *terms.Report {
	t.Helper()
	o.At, o.Fetcher = noon(), f
	r, err := terms.Verify(t.Context(), terms.Subject{Card: card(t, c)}, o)
	require.NoError(t, err)
	consistent(t, r)
	return r
}

// verifyOne verifies a document under a card that lists it with its digest.
func verifyOne(t testing.TB, doc string, o terms.Options) *terms.Report {
	t.Helper()
	return verify(t, cardText(extension(entry(docURL, digest(t, doc)))), docs{docURL: doc}, o)
}

// verified verifies a document that must be accepted.
func verified(t testing.TB, doc string) *terms.Proposal {
	t.Helper()
	r := verifyOne(t, doc, terms.Options{})
	require.Equal(t, terms.Stated, r.Terms, "%+v", r.Entries)
	return r.Proposals()[0]
}

// consistent checks what must hold for every report.
func consistent(t testing.TB, r *terms.Report) {
	t.Helper()
	n := 0
	for i, e := range r.Entries {
		require.Equal(t, i, e.Index)
		if e.Outcome == terms.Verified {
			n++
			require.Empty(t, e.Code)
			require.Empty(t, e.Signal)
			require.NotEmpty(t, e.ProviderKey)
			continue
		}
		require.NotEmpty(t, e.Code)
		require.NotEmpty(t, e.Signal)
		// O-5: only digests.
		require.Equal(t, terms.EntryReport{
			Index: i, Code: e.Code, Signal: e.Signal, URL: e.URL, Digest: e.Digest, FoundDigest: e.FoundDigest,
			Warnings: []terms.Finding{}, Line: e.Line, Column: e.Column,
		}, e)
	}
	require.Len(t, r.Proposals(), n)
	require.Equal(t, n > 0, r.Terms == terms.Stated)
	if n == 0 {
		require.Empty(t, r.Claims)
		require.Empty(t, r.Proves)
	}
	if r.Terms == terms.Silent {
		require.Empty(t, r.Entries)
	}
}

func codeOf(t testing.TB, err error) terms.Code {
	t.Helper()
	var e *terms.Error
	require.ErrorAs(t, err, &e)
	require.NotEmpty(t, e.Code.Text(), e.Code)
	require.NotEmpty(t, e.Text)
	return e.Code
}

func codes(found []terms.Finding) []terms.Code {
	var out []terms.Code
	for _, f := range found {
		out = append(out, f.Code)
	}
	return out
}
