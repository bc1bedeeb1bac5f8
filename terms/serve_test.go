package terms_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/terms"
)

// counting is a fetcher that counts, and may be stopped by what it fetches.
type counting struct {
	docs
	mu      sync.Mutex
	fetched map[string]int
	after   func(n int)
}

func (c *counting) Proposal(ctx context.Context, url string, fresh bool) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fetched[url]++
	if c.after != nil {
		c.after(len(c.fetched))
	}
	return c.docs.Proposal(ctx, url, fresh)
}

// many are signed proposals of some bytes each, and the card that lists them.
func many(t testing.TB, n, size int) (*counting, string) {
	t.Helper()
	served := &counting{docs: docs{}, fetched: map[string]int{}}
	var entries []string
	for i := range n {
		doc := sign(t, strings.Replace(template, `"sow": "v1"`, fmt.Sprintf(`"sow": "v1", "filler": "%0*d"`, size, i), 1))
		url := fmt.Sprintf("https://terms.example.com/%d.sow.json", i)
		served.docs[url] = doc
		entries = append(entries, entry(url, digest(t, doc)))
	}
	return served, cardText(extension(entries...))
}

// TestTotalBytes: the documents of one card are bounded together, in the order of the
// card; what would be read beyond the limit does not count, and is not fetched either.
func TestTotalBytes(t *testing.T) {
	t.Parallel()
	const n = 12
	served, text := many(t, n, 1_000)
	one := len(served.docs["https://terms.example.com/0.sow.json"])
	for _, tt := range []struct {
		name            string
		total           int
		counted, at, up int // proposals that count; fetches, at least and at most
	}{
		{"enough", n * one, n, n, n},
		{"a byte less", n*one - 1, n - 1, n, n},
		{"for five", 5 * one, 5, 6, 8},
		{"for none", one - 1, 0, 1, 4},
		{"by default", 0, n, n, n},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := &counting{docs: served.docs, fetched: map[string]int{}}
			o := terms.Options{At: noon(), Fetcher: f, Limits: terms.Limits{TotalBytes: int64(tt.total)}}
			r, err := terms.Verify(t.Context(), terms.Subject{Card: card(t, text)}, o)
			require.NoError(t, err)
			require.Len(t, r.Entries, n)
			assert.Len(t, r.Proposals(), tt.counted)
			assert.GreaterOrEqual(t, len(f.fetched), tt.at)
			assert.LessOrEqual(t, len(f.fetched), tt.up)
			for i, e := range r.Entries {
				if i < tt.counted {
					assert.Equal(t, terms.Verified, e.Outcome, i)
				} else {
					assert.Equal(t, terms.CodeLimit, e.Code, i)
					assert.Contains(t, e.Signal, "larger than the limit together")
				}
			}
			f.fetched = map[string]int{}
			found, err := terms.Lint(t.Context(), terms.Subject{Card: card(t, text)}, o)
			require.NoError(t, err)
			refused := 0
			for _, x := range found {
				if x.Code == terms.CodeLimit {
					refused++
				}
			}
			assert.Equal(t, n-tt.counted, refused)
		})
	}
}

// served is a fetcher of one card.
type served string

func (s served) Card(context.Context, string, bool) ([]byte, string, error) {
	return []byte(s), "https://example.com/card", nil
}

// Documents that are fetched again, because one of them was another, are among those that
// are bounded together.
func TestTotalBytesOfBoth(t *testing.T) {
	t.Parallel()
	f, text := many(t, 2, 1_000)
	one := len(f.docs["https://terms.example.com/0.sow.json"])
	before := strings.Replace(text, digest(t, f.docs["https://terms.example.com/1.sow.json"]), someDigest, 1)
	for total, code := range map[int]terms.Code{4 * one: "", 4*one - 1: terms.CodeLimit} {
		o := terms.Options{
			At: noon(), Fetcher: f.docs, Limits: terms.Limits{TotalBytes: int64(total)},
			Source: &terms.Source{Fetcher: served(text), Policy: agentcard.Policy{At: noon()}},
		}
		r, err := terms.Verify(t.Context(), terms.Subject{Card: card(t, before)}, o)
		require.NoError(t, err)
		require.Equal(t, terms.RemedyUpdated, r.Remedy.Result)
		assert.Empty(t, r.Entries[0].Code)
		assert.Equal(t, code, r.Entries[1].Code)
	}
}

// One address is fetched once, however many entries name it, and each of them counts.
func TestSharedAddress(t *testing.T) {
	t.Parallel()
	doc := sign(t, template)
	var entries []string
	for i := range 6 {
		entries = append(entries, entry(fmt.Sprintf("https://terms.example.com/a%d", i%2), digest(t, doc)))
	}
	served := docs{"https://terms.example.com/a0": doc, "https://terms.example.com/a1": doc}
	f := &counting{docs: served, fetched: map[string]int{}}
	r, err := terms.Verify(t.Context(), terms.Subject{Card: card(t, cardText(extension(entries...)))}, terms.Options{At: noon(), Fetcher: f, Limits: terms.Limits{TotalBytes: int64(3 * len(doc))}})
	require.NoError(t, err)
	assert.Equal(t, map[string]int{"https://terms.example.com/a0": 1, "https://terms.example.com/a1": 1}, f.fetched)
	counted := 0
	for _, e := range r.Entries {
		if e.Outcome == terms.Verified {
			counted++
		}
	}
	assert.LessOrEqual(t, counted, 3, "%+v", r.Entries)
}

// A context that is done while documents are read ends the reading: nothing more is
// fetched or judged.
func TestVerifyEndsBetweenDocuments(t *testing.T) {
	t.Parallel()
	served, text := many(t, 12, 1_000)
	ctx, cancel := context.WithCancel(t.Context())
	served.after = func(n int) {
		if n > 4 {
			cancel()
		}
	}
	_, err := terms.Verify(ctx, terms.Subject{Card: card(t, text)}, terms.Options{At: noon(), Fetcher: served})
	require.ErrorIs(t, err, context.Canceled)
	assert.LessOrEqual(t, len(served.fetched), 8)
	ctx, cancel = context.WithCancel(t.Context())
	served.fetched = map[string]int{}
	served.after = func(int) { cancel() }
	_, err = terms.Lint(ctx, terms.Subject{Card: card(t, text)}, terms.Options{At: noon(), Fetcher: served})
	require.ErrorIs(t, err, context.Canceled)
}
