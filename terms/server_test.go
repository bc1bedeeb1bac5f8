package terms_test

import (
	"compress/gzip"
	"context"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/fetch"
	"github.com/rdfproto/rdfproto/terms"
)

var (
	_ terms.Fetcher     = (*fetch.Client)(nil)
	_ terms.CardFetcher = (*fetch.Client)(nil)
)

// host is a TLS server on loopback with a certificate for example.com, which the client
// believes to be at a public address.
type host struct {
	server *httptest.Server
	client *fetch.Client

	mu    sync.Mutex
	pages map[string]http.HandlerFunc
	asked []string
}

func newHost(t *testing.T, o fetch.Options) *host {
	t.Helper()
	h := &host{pages: map[string]http.HandlerFunc{}}
	h.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		line := r.URL.Path
		if r.Header.Get("Cache-Control") == "no-cache" {
			line += " fresh"
		}
		h.asked = append(h.asked, line)
		page := h.pages[r.URL.Path]
		h.mu.Unlock()
		if page == nil {
			http.NotFound(w, r)
			return
		}
		page(w, r)
	}))
	h.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	h.server.StartTLS()
	t.Cleanup(h.server.Close)
	o.RootCAs = x509.NewCertPool()
	o.RootCAs.AddCert(h.server.Certificate())
	o.Resolver, o.Dial = h, h.dial
	var err error
	h.client, err = fetch.New(o)
	require.NoError(t, err)
	return h
}

func (h *host) LookupNetIP(_ context.Context, _, name string) ([]netip.Addr, error) {
	if strings.HasPrefix(name, "inside.") {
		return []netip.Addr{netip.MustParseAddr("10.0.0.1")}, nil
	}
	return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
}

func (h *host) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, "tcp", h.server.Listener.Addr().String())
}

func text(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }
}

func zipped(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, body)
		_ = z.Close()
	}
}

// inTurn answers with one after the other, and with the last one from then on.
func inTurn(bodies ...string) http.HandlerFunc {
	var mu sync.Mutex
	return func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = io.WriteString(w, bodies[0])
		if len(bodies) > 1 {
			bodies = bodies[1:]
		}
	}
}

func redirect(to string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) }
}

// TestServer has what servers do, and the code for each.
func TestServer(t *testing.T) {
	t.Parallel()
	doc := sign(t, template)
	changed := with(t, doc, "1250", "1251")
	directed := sign(t, to(t, template, offer(reader(t))))
	const at = "https://www.example.com/p"
	for _, row := range []struct {
		name  string
		url   string
		doc   string // whose digest the card has
		pages map[string]http.HandlerFunc
		code  terms.Code
	}{
		{"the document", at, doc, map[string]http.HandlerFunc{"/p": text(doc)}, ""},
		{"written anew", at, doc, map[string]http.HandlerFunc{"/p": text(strings.ReplaceAll(doc, ": ", ":\t\t"))}, ""},
		{"another media type", at, doc, map[string]http.HandlerFunc{"/p": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "image/png")
			text(doc)(w, r)
		}}, ""},
		{"changed", at, doc, map[string]http.HandlerFunc{"/p": text(changed)}, terms.CodeDigestMismatch},
		{"one redirect", at, doc, map[string]http.HandlerFunc{"/p": redirect("/q"), "/q": text(doc)}, ""},
		{"to another host", at, doc, map[string]http.HandlerFunc{"/p": redirect("https://example.com/q"), "/q": text(doc)}, ""},
		{"to a host inside", at, doc, map[string]http.HandlerFunc{"/p": redirect("https://inside.example.com/q"), "/q": text(doc)}, "FETCH_BLOCKED_ADDRESS"},
		{"to a place whose name promises", at, doc, map[string]http.HandlerFunc{"/p": redirect("https://inside.example.com/free/no-charge")}, "FETCH_BLOCKED_ADDRESS"},
		{"to a page that is not there, whose name promises", at, doc, map[string]http.HandlerFunc{"/p": redirect("/free/no-charge")}, "FETCH_STATUS"},
		{"gzip", at, doc, map[string]http.HandlerFunc{"/p": zipped(doc)}, ""},
		{"gzip of 5 MB", at, doc, map[string]http.HandlerFunc{"/p": zipped(strings.Repeat(" ", 5<<20) + doc)}, "FETCH_TOO_LARGE"},
		{"not modified, though nobody asked", at, doc, map[string]http.HandlerFunc{"/p": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) }}, "FETCH_STATUS"},
		{"to http", at, doc, map[string]http.HandlerFunc{"/p": redirect("http://example.com/q"), "/q": text(doc)}, "FETCH_REDIRECT"},
		{"four redirects", at, doc, map[string]http.HandlerFunc{"/p": redirect("/1"), "/1": redirect("/2"), "/2": redirect("/3"), "/3": redirect("/4"), "/4": text(doc)}, "FETCH_REDIRECT"},
		{"404", at, doc, nil, "FETCH_STATUS"},
		{"500 with the document", at, doc, map[string]http.HandlerFunc{"/p": func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusInternalServerError)
			text(doc)(w, r)
		}}, "FETCH_STATUS"},
		{"5 MB", at, doc, map[string]http.HandlerFunc{"/p": text(strings.Repeat(" ", 5<<20) + doc)}, "FETCH_TOO_LARGE"},
		{"slow", at, doc, map[string]http.HandlerFunc{"/p": func(w http.ResponseWriter, r *http.Request) {
			text(doc[:100])(w, r)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}}, "FETCH_TIMEOUT"},
		{"directed", at, directed, map[string]http.HandlerFunc{"/p": text(directed)}, terms.CodeDirectedPublic},
		{"HTML", at, doc, map[string]http.HandlerFunc{"/p": text("<html>")}, terms.CodeParse},
		{"a member twice", at, doc, map[string]http.HandlerFunc{"/p": text(`{"a":1,"a":1}`)}, terms.CodeJSONDuplicate},
		{"other JSON", at, doc, map[string]http.HandlerFunc{"/p": text(`{"error":"moved"}`)}, terms.CodeDigestMismatch},
		{"nothing", at, doc, map[string]http.HandlerFunc{"/p": text("")}, terms.CodeParse},
		{"an address inside", "https://10.0.0.1/p", doc, map[string]http.HandlerFunc{"/p": text(doc)}, "FETCH_BLOCKED_ADDRESS"},
		{"a name inside", "https://inside.example.com/p", doc, map[string]http.HandlerFunc{"/p": text(doc)}, "FETCH_BLOCKED_ADDRESS"},
		{"this machine", "https://localhost/p", doc, map[string]http.HandlerFunc{"/p": text(doc)}, "FETCH_BLOCKED_ADDRESS"},
		{"another port", "https://www.example.com:8443/p", doc, map[string]http.HandlerFunc{"/p": text(doc)}, "FETCH_URL"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			o := fetch.Options{}
			if row.name == "slow" {
				o.Timeout = time.Second / 2
			}
			h := newHost(t, o)
			h.pages = row.pages
			r := verify(t, cardText(extension(entry(row.url, digest(t, row.doc)))), h.client, terms.Options{})
			require.Equal(t, row.code, r.Entries[0].Code, r.Entries[0].Signal)
			if strings.HasPrefix(string(row.code), "FETCH_") {
				require.Contains(t, r.Entries[0].Signal, "the document could not be fetched: ")
				require.Empty(t, r.Entries[0].FoundDigest)
				require.False(t, promising.MatchString(lines(r.Lines())), "O-3: %v", r.Lines())
			}
		})
	}
}

// Every address is fetched once, however many entries name it.
func TestFetchedOnce(t *testing.T) {
	t.Parallel()
	doc := sign(t, template)
	h := newHost(t, fetch.Options{})
	h.pages["/p"] = text(doc)
	e := entry("https://www.example.com/p", digest(t, doc))
	many := make([]string, 60)
	for i := range many {
		many[i] = e
	}
	r := verify(t, cardText(extension(many...)), h.client, terms.Options{})
	require.True(t, r.AllVerified())
	require.Equal(t, []string{"/p"}, h.asked)
}

// When a digest differs, the card is fetched again past all caches, its signature is
// verified, and the steps are done once more (section B.7, step 3).
func TestRemedy(t *testing.T) {
	t.Parallel()
	const at, cardAt = "https://www.example.com/p", "https://www.example.com/card"
	old := sign(t, template)
	updated := sign(t, with(t, template, "1250", "1300"))
	listing := func(doc string) string { return cardText(extension(entry(at, digest(t, doc)))) }
	signedOld, keys := signCard(t, listing(old))
	signedNew, _ := signCard(t, listing(updated))
	silent, _ := signCard(t, cardText())
	forged := strings.Replace(string(signedNew), "Translates letters.", "Translates books.", 1)
	otherKey, err := agentcard.Sign(card(t, listing(updated)), cardKey(t, 5), agentcard.SignOptions{})
	require.NoError(t, err)
	stranger, err := agentcard.GenerateKey(agentcard.EdDSA, "card-2", strings.NewReader(strings.Repeat("5", 32)))
	require.NoError(t, err)
	otherName, err := agentcard.Sign(card(t, listing(updated)), stranger, agentcard.SignOptions{})
	require.NoError(t, err)
	for _, row := range []struct {
		name      string
		first     string // the card that is verified
		then      string // the card that is served now; "" for none
		docs      []string
		terms     terms.Terms
		code      terms.Code
		result    terms.RemedyResult
		signature terms.CardSignature
	}{
		{"card updated", string(signedOld), string(signedNew), []string{updated}, terms.Stated, "", terms.RemedyUpdated, terms.CardVerified},
		{"card unchanged", string(signedOld), string(signedOld), []string{updated}, terms.NoneVerified, terms.CodeDigestMismatch, terms.RemedyUnchanged, terms.CardVerified},
		{"card unchanged, the document is back", string(signedOld), string(signedOld), []string{updated, old}, terms.Stated, "", terms.RemedyUnchanged, terms.CardVerified},
		{"new card unsigned", string(signedOld), listing(updated), []string{updated}, terms.NoneVerified, terms.CodeCardUnsigned, terms.RemedyRefused, terms.CardVerified},
		{"new card forged", string(signedOld), forged, []string{updated}, terms.NoneVerified, terms.CodeCardInvalid, terms.RemedyRefused, terms.CardVerified},
		{"new card signed under another name", string(signedOld), string(otherName), []string{updated}, terms.NoneVerified, terms.CodeCardUnverified, terms.RemedyRefused, terms.CardVerified},
		{"new card signed by somebody else", string(signedOld), string(otherKey), []string{updated}, terms.NoneVerified, terms.CodeCardInvalid, terms.RemedyRefused, terms.CardVerified},
		{"never signed", listing(old), listing(updated), []string{updated}, terms.Stated, "", terms.RemedyUpdated, terms.CardUnsigned},
		{"never signed, now forged", listing(old), forged, []string{updated}, terms.NoneVerified, terms.CodeCardInvalid, terms.RemedyRefused, terms.CardUnsigned},
		{"terms withdrawn", string(signedOld), string(silent), []string{updated}, terms.Silent, "", terms.RemedyUpdated, terms.CardVerified},
		{"card gone", string(signedOld), "", []string{updated}, terms.NoneVerified, terms.CodeDigestMismatch, terms.RemedyUnreachable, terms.CardVerified},
		{"card no card", string(signedOld), "<html>", []string{updated}, terms.NoneVerified, terms.CodeDigestMismatch, terms.RemedyUnreachable, terms.CardVerified},
		{"updated, and changed again", string(signedOld), string(signedNew), []string{updated, old}, terms.NoneVerified, terms.CodeDigestMismatch, terms.RemedyUpdated, terms.CardVerified},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, fetch.Options{})
			h.pages["/p"] = inTurn(row.docs...)
			if row.then != "" {
				h.pages["/card"] = text(row.then)
			}
			source := &terms.Source{URL: cardAt, Fetcher: h.client, Keys: keys, Policy: agentcard.Policy{At: noon()}}
			c := card(t, row.first)
			report, err := agentcard.Verify(t.Context(), c, keys, agentcard.Policy{At: noon()})
			require.NoError(t, err)
			r, err := terms.Verify(t.Context(), terms.Subject{Card: c, Signature: report}, terms.Options{At: noon(), Fetcher: h.client, Source: source})
			require.NoError(t, err)
			consistent(t, r)
			require.Equal(t, row.terms, r.Terms)
			require.Equal(t, row.signature, r.CardSignature)
			if row.terms == terms.NoneVerified {
				require.Equal(t, row.code, r.Entries[0].Code)
				require.NotContains(t, strings.Join(r.Lines(), "\n"), "1300")
			}
			require.Equal(t, row.result, r.Remedy.Result)
			require.NotEmpty(t, r.Remedy.Text)
			want := []string{"/p", "/card fresh"}
			if row.terms == terms.Stated || row.result == terms.RemedyUnchanged || row.name == "updated, and changed again" {
				want = append(want, "/p fresh")
			}
			require.Equal(t, want, h.asked, "the card past all caches, and once")
		})
	}
}

// Before a countersignature everything is fetched past all caches and verified again.
func TestVerifyFresh(t *testing.T) {
	t.Parallel()
	const at, cardAt = "https://www.example.com/p", "https://www.example.com/card"
	doc := sign(t, template)
	listing := cardText(extension(entry(at, digest(t, doc))))
	signed, keys := signCard(t, listing)
	forged := strings.Replace(string(signed), "Translates letters.", "Translates books.", 1)
	before := &terms.Report{CardSignature: terms.CardVerified}
	for _, row := range []struct {
		name   string
		card   string
		doc    string
		keys   agentcard.Keys
		before *terms.Report
		terms  terms.Terms
		code   terms.Code
		asked  []string
	}{
		{"still there", string(signed), doc, keys, before, terms.Stated, "", []string{"/card fresh", "/p fresh"}},
		{"withdrawn", string(signed), with(t, doc, "1250", "1"), keys, before, terms.NoneVerified, terms.CodeDigestMismatch, []string{"/card fresh", "/p fresh"}},
		{"no longer signed", listing, doc, keys, before, terms.NoneVerified, terms.CodeCardUnsigned, []string{"/card fresh"}},
		{"never signed", listing, doc, keys, nil, terms.Stated, "", []string{"/card fresh", "/p fresh"}},
		{"not verified any more", string(signed), doc, agentcard.Keys{}, before, terms.NoneVerified, terms.CodeCardUnverified, []string{"/card fresh"}},
		{"forged", forged, doc, keys, nil, terms.NoneVerified, terms.CodeCardInvalid, []string{"/card fresh"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, fetch.Options{})
			h.pages["/p"], h.pages["/card"] = text(row.doc), text(row.card)
			source := terms.Source{URL: cardAt, Fetcher: h.client, Keys: row.keys, Policy: agentcard.Policy{At: noon()}}
			r, err := terms.VerifyFresh(t.Context(), source, row.before, terms.Options{At: noon(), Fetcher: h.client})
			require.NoError(t, err)
			consistent(t, r)
			require.Equal(t, row.terms, r.Terms)
			code := r.Code
			if code == "" && len(r.Entries) > 0 {
				code = r.Entries[0].Code
			}
			require.Equal(t, row.code, code)
			require.Equal(t, row.asked, h.asked)
			require.Equal(t, cardAt, r.Source)
		})
	}
	h := newHost(t, fetch.Options{})
	_, err := terms.VerifyFresh(t.Context(), terms.Source{URL: cardAt, Fetcher: h.client}, nil, terms.Options{At: noon()})
	var coded interface{ FetchCode() string }
	require.True(t, errors.As(err, &coded))
	require.Equal(t, "FETCH_STATUS", coded.FetchCode())
}
