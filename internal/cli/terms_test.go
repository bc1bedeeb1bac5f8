package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/internal/cli"
)

// termsFile reads one of the example files of terms.
func termsFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "terms", name))
	require.NoError(t, err)
	return string(data)
}

// TestTermsOnline fetches cards and proposals, where that is asked for.
func TestTermsOnline(t *testing.T) {
	t.Parallel()
	const cardPath = "/.well-known/agent-card.json"
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	offers, quote := termsFile(t, "offers.json"), termsFile(t, "quote.json")
	changed := strings.Replace(quote, `"per_task": 250`, `"per_task": 777`, 1)
	forged := strings.Replace(offers, "Quotes pallet", "Quotes packet", 1)
	unsigned := unsignedCopy(t, offers)
	for file, text := range map[string]string{"offers.json": offers, "jwks.json": termsFile(t, "jwks.json"), "quote.json": quote} {
		require.NoError(t, os.WriteFile(in(file), []byte(text), 0o600))
	}
	jwks := []string{"--jwks", in("jwks.json")}
	for _, row := range []struct {
		name   string
		args   []string
		pages  map[string]string
		status cli.Status
		asked  []string
		code   string
		says   string
	}{
		{"a card by its domain", append([]string{"verify", "domain:example.com"}, jwks...), map[string]string{cardPath: offers, "/q": quote}, cli.StatusYes, []string{cardPath, "/q"}, "", "card signature: verified"},
		{"a card by its URL", []string{"show", "https://example.com/c"}, map[string]string{"/c": offers, "/q": quote}, cli.StatusYes, []string{"/c", "/q"}, "", "250 EUR per task"},
		{"a card from a file", []string{"verify", "--online", in("offers.json")}, map[string]string{"/q": quote}, cli.StatusYes, []string{"/q"}, "", "entry 0: verified"},
		{"a card from a file, not asked to go there", []string{"verify", in("offers.json")}, map[string]string{"/q": quote}, cli.StatusNo, nil, "TERMS_NOT_FETCHED", ""},
		{"the document from a file", []string{"verify", "--document", "https://example.com/q=" + in("quote.json"), "https://example.com/c"}, map[string]string{"/c": offers}, cli.StatusYes, []string{"/c"}, "", "entry 0: verified"},
		{"a document that is not there", []string{"verify", "https://example.com/c"}, map[string]string{"/c": offers}, cli.StatusNo, []string{"/c", "/q"}, "FETCH_STATUS", ""},
		{"a changed document, the card unchanged", []string{"verify", "https://example.com/c"}, map[string]string{"/c": offers, "/q": changed}, cli.StatusNo, []string{"/c", "/q", "/c", "/q"}, "TERMS_DIGEST_MISMATCH", "remedy: the card was fetched again and lists the same documents"},
		{"the same, the card from a file", []string{"verify", "--online", in("offers.json")}, map[string]string{"/q": changed}, cli.StatusNo, []string{"/q"}, "TERMS_DIGEST_MISMATCH", "remedy: fetch the card again"},
		{"fresh", append([]string{"verify", "--fresh", "https://example.com/c"}, jwks...), map[string]string{"/c": offers, "/q": quote}, cli.StatusYes, []string{"/c", "/q"}, "", "card signature: verified"},
		{"fresh, forged", append([]string{"verify", "--fresh", "https://example.com/c"}, jwks...), map[string]string{"/c": forged, "/q": quote}, cli.StatusNo, []string{"/c"}, "TERMS_CARD_INVALID", ""},
		{"fresh, unsigned", append([]string{"verify", "--fresh", "https://example.com/c"}, jwks...), map[string]string{"/c": unsigned, "/q": quote}, cli.StatusYes, []string{"/c", "/q"}, "", "card signature: unsigned"},
		{"fresh, gone", []string{"verify", "--fresh", "https://example.com/c"}, nil, cli.StatusCall, []string{"/c"}, "FETCH_STATUS", ""},
		{"fresh, no card", []string{"verify", "--fresh", "https://example.com/c"}, map[string]string{"/c": "<html>"}, cli.StatusRefused, []string{"/c"}, "JSON_SYNTAX", ""},
		{"a card that is not there", []string{"verify", "https://example.com/c"}, nil, cli.StatusCall, []string{"/c"}, "FETCH_STATUS", ""},
		{"a silent card", []string{"verify", "https://example.com/c"}, map[string]string{"/c": unsignedCard}, cli.StatusNothing, []string{"/c"}, "", "This card states nothing about terms."},
		{"lint", []string{"lint", "--online", in("offers.json")}, map[string]string{"/q": changed}, cli.StatusNo, []string{"/q"}, "", "[TERMS_STALE]"},
		{"list", []string{"list", "https://example.com/c", in("offers.json")}, map[string]string{"/c": offers, "/q": quote}, cli.StatusNo, []string{"/c", "/q"}, "TERMS_NOT_FETCHED", "https://example.com/c: states terms"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t)
			h.pages = row.pages
			r := h.call(t, append([]string{"terms"}, row.args...)...)
			require.Equal(t, row.status, r.status, r.stderr)
			require.Equal(t, row.asked, h.asked)
			require.Contains(t, r.out, row.says)
			require.NotContains(t, r.out, "777")
			if row.code != "" {
				require.Contains(t, r.stderr, "["+row.code+"]")
			}
		})
	}
	// Inspect fetches the proposals of a card whose signature is right, and no others.
	for card, want := range map[string][]string{offers: {"/c", "/q"}, forged: {"/c"}} {
		h := newHost(t)
		h.pages = map[string]string{"/c": card, "/q": quote}
		r := h.call(t, "card", "inspect", "--online", "--jwks", in("jwks.json"), "https://example.com/c")
		require.Equal(t, want, h.asked, r.stderr)
		require.Equal(t, card == offers, strings.Contains(r.out, "This card states terms."))
	}
}

// unsignedCopy is a card without its signatures.
func unsignedCopy(t *testing.T, card string) string {
	t.Helper()
	before, _, ok := strings.Cut(card, `,
  "signatures":[`)
	require.True(t, ok, card)
	out := before + "\n}\n"
	_, err := agentcard.Parse([]byte(out), agentcard.Limits{})
	require.NoError(t, err)
	return out
}
