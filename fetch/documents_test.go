package fetch_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/fetch"
)

// Documents are fetched with the profile of Protocol Documents, and each peer may cause
// only so many fetches (FETCH-3, FETCH-10, FETCH-11).
func TestDocuments(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	w := newWorld(t, func(rw http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		switch r.URL.Path {
		case "/html":
			rw.Header().Set("Content-Type", "text/html")
		case "/gone":
			rw.WriteHeader(http.StatusGone)
		default:
			rw.Header().Set("Content-Type", "text/turtle")
		}
		_, _ = rw.Write([]byte("<urn:a> <urn:b> <urn:c> ."))
	})
	now := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	d := fetch.NewDocuments(w.client(t), fetch.GateOptions{Now: func() time.Time { return now }, PerMinute: 3})
	for _, row := range []struct {
		name, peer, pin, url string
		code                 fetch.Code
		fetched              bool
	}{
		{"a document", "bob", "sha256:00", "https://example.com/pd", "", true},
		{"another type", "bob", "sha256:00", "https://example.com/html", fetch.CodeMediaType, true},
		{"not there", "bob", "sha256:00", "https://example.com/gone", fetch.CodeStatus, true},
		{"not there, again", "bob", "sha256:00", "https://example.com/gone", fetch.CodeStatus, false},
		{"too often", "bob", "sha256:00", "https://example.com/pd", fetch.CodeThrottled, false},
		{"another peer", "eve", "sha256:00", "https://example.com/pd", "", true},
		{"not there, under another pin", "eve", "sha256:01", "https://example.com/gone", fetch.CodeStatus, true},
	} {
		before := asked.Load()
		body, mediaType, err := d.FetchFor(t.Context(), row.peer, row.pin, row.url)
		require.Equal(t, row.fetched, asked.Load() > before, row.name)
		if row.code != "" {
			require.Equal(t, row.code, codeOf(t, err), row.name)
			var e *fetch.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, row.code == fetch.CodeThrottled, e.Throttled(), row.name)
			require.Nil(t, body)
			continue
		}
		require.NoError(t, err, row.name)
		require.Equal(t, "text/turtle", mediaType)
		require.NotEmpty(t, body)
	}
	for range 5 { // nobody caused it
		_, _, err := d.Fetch(t.Context(), "https://example.com/pd")
		require.NoError(t, err)
	}
	_, _, err := d.Fetch(t.Context(), "http://example.com/pd")
	require.Error(t, err)
}

// TestDocumentsMemory: what is remembered of a failure does not hold what the server sent.
func TestDocumentsMemory(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name  string
		trust bool
		code  fetch.Code
		cause any // of the first failure
	}{
		{"certificates that nobody trusts", false, fetch.CodeTLS, new(*tls.CertificateVerificationError)},
		{"an answer that breaks off", true, fetch.CodeNetwork, new(*url.Error)},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
			if !row.trust {
				w.opts.RootCAs = x509.NewCertPool()
			}
			d := fetch.NewDocuments(w.client(t), fetch.GateOptions{})
			get := func() error {
				_, _, err := d.FetchFor(t.Context(), "bob", "sha256:00", "https://example.com/pd")
				return err
			}
			err := get()
			require.Equal(t, row.code, codeOf(t, err))
			require.ErrorAs(t, err, row.cause)
			remembered := func(err error) bool { var e *fetch.Error; return errors.As(err, &e) && e.Remembered() }
			require.False(t, remembered(err))
			dialed := w.dialed.Load()
			again := get()
			require.Equal(t, dialed, w.dialed.Load(), "it is remembered")
			require.Equal(t, row.code, codeOf(t, again))
			require.Equal(t, err.Error(), again.Error())
			require.NoError(t, errors.Unwrap(again))
			require.True(t, remembered(again))
		})
	}
}
