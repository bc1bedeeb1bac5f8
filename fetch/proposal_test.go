package fetch_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/fetch"
)

// Proposals and cards are fetched by their profiles, past caches when that is asked.
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
