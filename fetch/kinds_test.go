package fetch_test

import (
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/fetch"
)

// Proposals and cards are fetched with their profiles, and past caches when the caller
// asks for that.
func TestProposalAndCard(t *testing.T) {
	t.Parallel()
	var asked []string
	w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path+" "+r.Header.Get("Cache-Control")+" "+r.Header.Get("Pragma"))
		if r.URL.Path == "/moved" {
			http.Redirect(w, r, "https://www.example.com/card", http.StatusFound)
			return
		}
		if r.URL.Path == "/gone" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte("{}"))
	})
	c := w.client(t)
	body, err := c.Proposal(t.Context(), "https://example.com/p", false)
	require.NoError(t, err)
	require.Equal(t, "{}", string(body))
	_, err = c.Proposal(t.Context(), "https://example.com/p", true)
	require.NoError(t, err)
	body, at, err := c.Card(t.Context(), "https://example.com/moved", true)
	require.NoError(t, err)
	require.Equal(t, "{}", string(body))
	require.Equal(t, "https://www.example.com/card", at)
	_, _, err = c.Card(t.Context(), "https://example.com/card", false)
	require.NoError(t, err)
	require.Equal(t, []string{"/p  ", "/p no-cache no-cache", "/moved no-cache no-cache", "/card no-cache no-cache", "/card  "}, asked)
	for _, fresh := range []bool{false, true} {
		_, err = c.Proposal(t.Context(), "https://example.com/gone", fresh)
		require.Equal(t, fetch.CodeStatus, codeOf(t, err))
		_, _, err = c.Card(t.Context(), "https://example.com/gone", fresh)
		require.Equal(t, fetch.CodeStatus, codeOf(t, err))
	}
}

// The size limit of a kind of document can be raised, not lowered.
func TestMaxBytes(t *testing.T) {
	t.Parallel()
	get := map[string]func(c *fetch.Client) error{
		"card": func(c *fetch.Client) error {
			_, _, err := c.Card(t.Context(), "https://example.com/", false)
			return err
		},
		"proposal": func(c *fetch.Client) error {
			_, err := c.Proposal(t.Context(), "https://example.com/", false)
			return err
		},
		"key set": func(c *fetch.Client) error {
			_, _, err := c.KeySet(t.Context(), "https://example.com/")
			return err
		},
	}
	for _, row := range []struct {
		name, kind string
		size       int
		raised     int64 // of that kind alone
		code       fetch.Code
	}{
		{"a card", "card", 256 << 10, 0, ""},
		{"a card over the limit", "card", 256<<10 + 1, 0, fetch.CodeTooLarge},
		{"a card under a higher limit", "card", 256<<10 + 1, 256<<10 + 1, ""},
		{"a card under a lower limit", "card", 256 << 10, 1, ""},
		{"a proposal over the limit", "proposal", 1<<20 + 1, 0, fetch.CodeTooLarge},
		{"a proposal under a higher limit", "proposal", 1<<20 + 1, 1<<20 + 1, ""},
		{"a key set over the limit", "key set", 64<<10 + 1, 0, fetch.CodeTooLarge},
		{"a key set under a higher limit", "key set", 64<<10 + 1, 64<<10 + 1, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, row.size)) })
			*map[string]*int64{
				"card": &w.opts.MaxCardBytes, "proposal": &w.opts.MaxProposalBytes, "key set": &w.opts.MaxKeySetBytes,
			}[row.kind] = row.raised
			err := get[row.kind](w.client(t))
			if row.code == "" {
				require.NoError(t, err)
				return
			}
			require.Equal(t, row.code, codeOf(t, err))
		})
	}
}

func TestKeySet(t *testing.T) {
	t.Parallel()
	for control, want := range map[string]time.Duration{
		"":                       -1,
		"max-age=300":            300 * time.Second,
		"public, Max-Age=\"60\"": 60 * time.Second,
		"max-age=-5":             -1,
		"max-age=soon":           -1,
		"max-age=99999999999":    (1 << 31) * time.Second,
		"no-store, max-age=300":  0,
		"no-cache":               0,
		"max-age=1, max-age=99":  time.Second,
	} {
		t.Run(control, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, func(rw http.ResponseWriter, _ *http.Request) {
				if control != "" {
					rw.Header().Set("Cache-Control", control)
				}
				_, _ = io.WriteString(rw, `{"keys":[]}`)
			})
			body, age, err := w.client(t).KeySet(t.Context(), "https://example.com/jwks.json")
			require.NoError(t, err)
			require.Equal(t, `{"keys":[]}`, string(body))
			require.Equal(t, want, age)
		})
	}
	w := newWorld(t, func(rw http.ResponseWriter, r *http.Request) { http.Redirect(rw, r, "/a", http.StatusFound) })
	_, _, err := w.client(t).KeySet(t.Context(), "https://example.com/jwks.json")
	require.Equal(t, fetch.CodeRedirect, codeOf(t, err))
}
