package fetch_test

import (
	"context"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/fetch"
	"github.com/rdfproto/rdfproto/internal/suite"
)

// names is a name server that answers from a table; a name may have several
// answers, given one after the other.
type names struct {
	mu      sync.Mutex
	answers map[string][]string // comma-separated addresses
	asked   []string
}

func (n *names) LookupNetIP(_ context.Context, network, host string) ([]netip.Addr, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked = append(n.asked, host)
	if network != "ip" {
		return nil, errors.New("unexpected network " + network)
	}
	all, ok := n.answers[strings.TrimSuffix(host, ".")]
	if !ok {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	answer := all[0]
	if len(all) > 1 {
		n.answers[strings.TrimSuffix(host, ".")] = all[1:]
	}
	var out []netip.Addr
	for a := range strings.SplitSeq(answer, ",") {
		if a != "" {
			out = append(out, netip.MustParseAddr(a))
		}
	}
	return out, nil
}

const publicAddr = "198.51.100.1" // a documentation address; tests that connect use one that counts as public

// world is a server on loopback that the client believes to be at public addresses.
type world struct {
	names  *names
	dialed atomic.Int64
	last   atomic.Value // string: the address that was asked for
	server *httptest.Server
	opts   fetch.Options
}

// theAddress is public by every registry; the dialer leads it to loopback.
const theAddress = "93.184.216.34"

func newWorld(t *testing.T, h http.HandlerFunc) *world {
	t.Helper()
	w := &world{
		names: &names{answers: map[string][]string{
			"example.com": {theAddress}, "www.example.com": {theAddress}, "other.example.com": {theAddress},
		}},
		server: httptest.NewUnstartedServer(h),
	}
	w.server.Config.ErrorLog = quiet()
	w.server.StartTLS()
	t.Cleanup(w.server.Close)
	pool := x509.NewCertPool()
	pool.AddCert(w.server.Certificate())
	w.opts = fetch.Options{RootCAs: pool, Resolver: w.names, Dial: w.dial, Timeout: 20 * time.Second}
	return w
}

func (w *world) dial(ctx context.Context, network, address string) (net.Conn, error) {
	w.dialed.Add(1)
	w.last.Store(network + " " + address)
	return new(net.Dialer).DialContext(ctx, "tcp", w.server.Listener.Addr().String())
}

func (w *world) client(t *testing.T) *fetch.Client {
	t.Helper()
	c, err := fetch.New(w.opts)
	require.NoError(t, err)
	return c
}

func codeOf(t *testing.T, err error) fetch.Code {
	t.Helper()
	var e *fetch.Error
	require.ErrorAs(t, err, &e)
	require.NotEmpty(t, e.Code.Text())
	require.Equal(t, string(e.Code), e.FetchCode())
	require.Equal(t, e.Reason, e.FetchReason())
	require.NotContains(t, e.FetchReason(), "https:")
	for _, secret := range []string{"10.0.0.1", theAddress, "169.254", "s3cret"} {
		if e.URL == "" || !strings.Contains(e.URL, secret) {
			require.NotContains(t, e.Error(), secret)
		}
	}
	return e.Code
}

func text(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/turtle; charset=utf-8")
		_, _ = w.Write([]byte(body))
	}
}

func TestGet(t *testing.T) {
	t.Parallel()
	w := newWorld(t, text("<urn:a> <urn:b> <urn:c> ."))
	r, err := w.client(t).Get(t.Context(), "https://EXAMPLE.com./read#v1", fetch.ProtocolDocument())
	require.NoError(t, err)
	require.Equal(t, "https://example.com/read", r.URL)
	require.Equal(t, "<urn:a> <urn:b> <urn:c> .", string(r.Body))
	require.Equal(t, "text/turtle", r.MediaType)
	require.Equal(t, "tcp4 "+theAddress+":443", w.last.Load())
	require.Equal(t, []string{"example.com."}, w.names.asked)
}

func TestEmptyBody(t *testing.T) {
	t.Parallel()
	w := newWorld(t, text(""))
	r, err := w.client(t).Get(t.Context(), "https://example.com/", fetch.Profile{})
	require.NoError(t, err)
	require.NotNil(t, r.Body)
	require.Empty(t, r.Body)
}

// What a request says, and what it does not.
func TestRequest(t *testing.T) {
	t.Parallel()
	var got *http.Request
	w := newWorld(t, func(rw http.ResponseWriter, r *http.Request) {
		got = r
		http.SetCookie(rw, &http.Cookie{Name: "a", Value: "b"})
		if r.URL.Path == "/from" {
			http.Redirect(rw, r, "/to?x=1", http.StatusFound)
		}
	})
	_, err := w.client(t).Get(t.Context(), "https://example.com/from", fetch.Profile{Accept: "text/turtle", Redirects: 1})
	require.NoError(t, err)
	require.Equal(t, "/to?x=1", got.URL.String())
	require.Equal(t, "example.com", got.Host)
	require.Equal(t, http.MethodGet, got.Method)
	require.Equal(t, http.Header{
		"Accept": {"text/turtle"}, "Accept-Encoding": {"gzip"}, "User-Agent": {"rdfproto"}, "Connection": {"close"},
	}, got.Header)
}

func TestNoProxy(t *testing.T) {
	proxied := make(chan struct{}, 8)
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { proxied <- struct{}{} }))
	t.Cleanup(proxy.Close)
	t.Setenv("HTTPS_PROXY", proxy.URL)
	t.Setenv("https_proxy", proxy.URL)
	t.Setenv("ALL_PROXY", proxy.URL)
	w := newWorld(t, text("x"))
	_, err := w.client(t).Get(t.Context(), "https://example.com/", fetch.Profile{})
	require.NoError(t, err)
	require.Empty(t, proxied)
}

// URLs that are refused before a name is looked up (FETCH-1, -2, -6, -7).
func TestRefusedURLs(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, url string
		want      fetch.Code
	}{
		{"empty", "", fetch.CodeNotHTTPS},
		{"http", "http://example.com/", fetch.CodeNotHTTPS},
		{"file", "file:///etc/passwd", fetch.CodeNotHTTPS},
		{"urn", "urn:x:y", fetch.CodeNotHTTPS},
		{"relative", "//example.com/", fetch.CodeNotHTTPS},
		{"opaque", "https:example.com", fetch.CodeURL},
		{"no host", "https:///x", fetch.CodeURL},
		{"only a port", "https://:443/", fetch.CodeURL},
		{"user", "https://user@example.com/", fetch.CodeURL},
		{"user and password", "https://user:s3cret@example.com/", fetch.CodeURL},
		{"empty user", "https://@example.com/", fetch.CodeURL},
		{"other port", "https://example.com:8443/", fetch.CodeURL},
		{"port zero", "https://example.com:0/", fetch.CodeURL},
		{"port too large", "https://example.com:65536/", fetch.CodeURL},
		{"empty port", "https://example.com:/", fetch.CodeURL},
		{"space", "https://example.com/a b", fetch.CodeURL},
		{"line feed", "https://example.com/\nX: y", fetch.CodeURL},
		{"backslash", `https://example.com\@evil.example/`, fetch.CodeURL},
		{"not ASCII", "https://exämple.com/", fetch.CodeURL},
		{"full-width digits", "https://１２７.0.0.1/", fetch.CodeURL},
		{"percent in host", "https://example%2ecom/", fetch.CodeURL},
		{"empty label", "https://example..com/", fetch.CodeURL},
		{"long label", "https://" + strings.Repeat("a", 64) + ".com/", fetch.CodeURL},
		{"long", "https://example.com/" + strings.Repeat("a", 2048), fetch.CodeURL},
		{"bad escape", "https://example.com/%zz", fetch.CodeURL},
		{"decimal address", "https://2130706433/", fetch.CodeURL},
		{"hexadecimal address", "https://0x7f000001/", fetch.CodeURL},
		{"octal address", "https://0177.0.0.1/", fetch.CodeURL},
		{"short address", "https://127.1/", fetch.CodeURL},
		{"hexadecimal part", "https://127.0.0.0x1/", fetch.CodeURL},
		{"address and dot", "https://127.0.0.1./", fetch.CodeBlockedAddress},
		{"loopback", "https://127.0.0.1/", fetch.CodeBlockedAddress},
		{"metadata", "https://169.254.169.254/latest/", fetch.CodeBlockedAddress},
		{"mapped metadata", "https://[::ffff:a9fe:a9fe]/", fetch.CodeBlockedAddress},
		{"mapped private", "https://[0:0:0:0:0:ffff:0a00:1]/", fetch.CodeBlockedAddress},
		{"NAT64 private", "https://[64:ff9b::a00:1]/", fetch.CodeBlockedAddress},
		{"6to4 private", "https://[2002:c0a8:101::]/", fetch.CodeBlockedAddress},
		{"loopback 6", "https://[::1]/", fetch.CodeBlockedAddress},
		{"zone", "https://[fe80::1%25eth0]/", fetch.CodeBlockedAddress},
		{"zone on a public address", "https://[2606:4700::1111%25eth0]/", fetch.CodeBlockedAddress},
		{"brackets around IPv4", "https://[8.8.8.8]/", fetch.CodeURL},
		{"localhost", "https://localhost/", fetch.CodeBlockedAddress},
		{"localhost in capitals and dot", "https://LOCALHOST./", fetch.CodeBlockedAddress},
		{"below localhost", "https://a.localhost/", fetch.CodeBlockedAddress},
		{"local", "https://printer.local/", fetch.CodeBlockedAddress},
		{"internal", "https://db.internal/", fetch.CodeBlockedAddress},
		{"metadata name", "https://metadata.google.internal./", fetch.CodeBlockedAddress},
		{"metadata.goog", "https://metadata.goog/", fetch.CodeBlockedAddress},
		{"cluster", "https://api.default.svc.cluster.local/", fetch.CodeBlockedAddress},
		{"vercel", "https://x.vercel-internal.com/", fetch.CodeBlockedAddress},
		{"single label", "https://intranet/", fetch.CodeBlockedAddress},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, text("x"))
			_, err := w.client(t).Get(t.Context(), row.url, fetch.Profile{})
			require.Equal(t, row.want, codeOf(t, err), "%v", err)
			require.Zero(t, w.dialed.Load())
			require.Empty(t, w.names.asked)
		})
	}
}

func TestCodes(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, c := range fetch.Codes() {
		require.NotEmpty(t, c.Text(), c)
		require.False(t, seen[c.Text()], c)
		require.True(t, strings.HasPrefix(string(c), "FETCH_"), c)
		seen[c.Text()] = true
	}
	require.Empty(t, fetch.Code("FETCH_OTHER").Text())
}

func TestErrorText(t *testing.T) {
	t.Parallel()
	w := newWorld(t, text("x"))
	_, err := w.client(t).Get(t.Context(), "https://user:s3cret@example.com/\x1b[31m"+strings.Repeat("é", 200), fetch.Profile{})
	var e *fetch.Error
	require.ErrorAs(t, err, &e)
	require.True(t, strings.HasPrefix(e.Error(), "https://example.com/?[31m"), e.Error())
	require.NotContains(t, e.Error(), "\x1b")
	require.Less(t, len(e.URL), 210)
	require.Equal(t, "no URL", (&fetch.Error{Reason: "no URL"}).Error())
}

func TestOrigin(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"https://A.example/x?y#z":      "https://a.example",
		"https://a.example.:443/":      "https://a.example",
		"https://a.example:8443":       "https://a.example:8443",
		"https://[2606:4700::1]/":      "https://[2606:4700::1]",
		"http://a.example/":            "",
		"https://u@a.example/":         "",
		"https:a.example":              "",
		"https://a.example/%zz":        "",
		"a.example":                    "",
		"https://a.example:notaport/":  "",
		"https://\u212aelvin.example/": "",
		"https://b\u00fccher.example/": "",
		"https://:443/":                "",
		"https://./":                   "",
	} {
		require.Equal(t, want, fetch.Origin(in), in)
	}
}

// Whatever the URL, nothing is connected to but a judged public address.
func FuzzURL(f *testing.F) {
	for _, url := range []string{
		"https://example.com/a?b#c", "https://127.1/", "https://[::ffff:a9fe:a9fe]/", "https://user@example.com:443/", "https://0x7f.1/",
		"https://8.8.8.8/", "https://[64:ff9b::a00:1]/", "https://LOCALHOST./", "https://a%2eb/", "https://example.com\\@10.0.0.1/",
	} {
		f.Add(url)
	}
	for _, seed := range suite.Seeds(f, suite.IRIs) {
		f.Add(string(seed.Data))
	}
	f.Fuzz(func(t *testing.T, url string) {
		refused := errors.New("not here")
		c, err := fetch.New(fetch.Options{
			Resolver: everywhere{},
			Dial: func(_ context.Context, _, address string) (net.Conn, error) {
				host, port, err := net.SplitHostPort(address)
				require.NoError(t, err)
				require.Equal(t, "443", port)
				a, err := netip.ParseAddr(host)
				require.NoError(t, err)
				require.True(t, a.IsGlobalUnicast() && !a.IsPrivate() && !a.IsLoopback() && !a.IsLinkLocalUnicast(), address)
				return nil, refused
			},
		})
		require.NoError(t, err)
		_, err = c.Get(t.Context(), url, fetch.Profile{})
		var e *fetch.Error
		require.ErrorAs(t, err, &e)
		require.NotEmpty(t, e.Code.Text())
		for _, r := range e.Error() {
			require.True(t, unicode.IsGraphic(r), e.Error())
		}
	})
}

// everywhere is a name server that knows every name.
type everywhere struct{}

func (everywhere) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr(theAddress)}, nil
}
