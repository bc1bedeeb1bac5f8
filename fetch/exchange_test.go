package fetch_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/fetch"
)

func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

func TestRedirects(t *testing.T) {
	t.Parallel()
	same := fetch.Profile{Redirects: 3}
	cross := fetch.Profile{Redirects: 3, CrossOrigin: true}
	// hops maps host and path to a target.
	for _, row := range []struct {
		name    string
		profile fetch.Profile
		hops    map[string]string
		status  int
		want    fetch.Code
		at      string
	}{
		{"none allowed", fetch.Profile{}, map[string]string{"example.com/": "/a"}, 302, fetch.CodeRedirect, ""},
		{"key sets", fetch.KeySet(), map[string]string{"example.com/": "/a"}, 302, fetch.CodeRedirect, ""},
		{"301", same, map[string]string{"example.com/": "/a"}, 301, "", "https://example.com/a"},
		{"302", same, map[string]string{"example.com/": "/a"}, 302, "", "https://example.com/a"},
		{"303", same, map[string]string{"example.com/": "/a"}, 303, "", "https://example.com/a"},
		{"307", same, map[string]string{"example.com/": "/a"}, 307, "", "https://example.com/a"},
		{"308", same, map[string]string{"example.com/": "/a"}, 308, "", "https://example.com/a"},
		{"300", same, map[string]string{"example.com/": "/a"}, 300, fetch.CodeStatus, ""},
		{"304", same, map[string]string{"example.com/": "/a"}, 304, fetch.CodeStatus, ""},
		{"fragment dropped", same, map[string]string{"example.com/": "/a#b"}, 302, "", "https://example.com/a"},
		{"three", same, map[string]string{"example.com/": "/a", "example.com/a": "b", "example.com/b": "https://example.com/c"}, 302, "", "https://example.com/c"},
		{"four", same, map[string]string{"example.com/": "/a", "example.com/a": "b", "example.com/b": "c", "example.com/c": "d"}, 302, fetch.CodeRedirect, ""},
		{"loop", same, map[string]string{"example.com/": "/a", "example.com/a": "/"}, 302, fetch.CodeRedirect, ""},
		{"to itself", same, map[string]string{"example.com/": "/"}, 302, fetch.CodeRedirect, ""},
		{"to itself with a fragment", same, map[string]string{"example.com/": "#x"}, 302, fetch.CodeRedirect, ""},
		{"no target", same, map[string]string{"example.com/": ""}, 302, fetch.CodeRedirect, ""},
		{"to http", cross, map[string]string{"example.com/": "http://example.com/a"}, 302, fetch.CodeRedirect, ""},
		{"to a file", cross, map[string]string{"example.com/": "file:///etc/passwd"}, 302, fetch.CodeRedirect, ""},
		{"other host", same, map[string]string{"example.com/": "https://www.example.com/a"}, 302, fetch.CodeRedirect, ""},
		{"other host allowed", cross, map[string]string{"example.com/": "https://www.example.com/a"}, 302, "", "https://www.example.com/a"},
		{"other port", cross, map[string]string{"example.com/": "https://example.com:8443/a"}, 302, fetch.CodeURL, ""},
		{"user", cross, map[string]string{"example.com/": "https://u:p@example.com/a"}, 302, fetch.CodeURL, ""},
		{"to loopback", cross, map[string]string{"example.com/": "https://127.0.0.1/a"}, 302, fetch.CodeBlockedAddress, ""},
		{"to metadata", cross, map[string]string{"example.com/": "https://169.254.169.254/"}, 302, fetch.CodeBlockedAddress, ""},
		{"to a private name", cross, map[string]string{"example.com/": "https://private.example.com/"}, 302, fetch.CodeBlockedAddress, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, func(rw http.ResponseWriter, r *http.Request) {
				to, redirects := row.hops[r.Host+r.URL.Path]
				if !redirects {
					return
				}
				if to != "" {
					rw.Header().Set("Location", to)
				}
				rw.WriteHeader(row.status)
			})
			w.names.answers["private.example.com"] = []string{"10.0.0.1"}
			r, err := w.client(t).Get(t.Context(), "https://example.com/", row.profile)
			if row.want != "" {
				require.Equal(t, row.want, codeOf(t, err), "%v", err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, row.at, r.URL)
		})
	}
}

func zipped(parts ...string) []byte {
	var b bytes.Buffer
	for _, p := range parts {
		z := gzip.NewWriter(&b)
		_, _ = z.Write([]byte(p))
		_ = z.Close()
	}
	return b.Bytes()
}

func TestBody(t *testing.T) {
	t.Parallel()
	const limit = 1000
	full := strings.Repeat("a", limit)
	bomb := zipped(strings.Repeat("\x00", 50<<20))
	headers := func(kv ...string) func(http.ResponseWriter, []byte) {
		return func(w http.ResponseWriter, body []byte) {
			for i := 0; i < len(kv); i += 2 {
				w.Header().Add(kv[i], kv[i+1])
			}
			_, _ = w.Write(body)
		}
	}
	chunked := func(w http.ResponseWriter, body []byte) {
		for len(body) > 0 {
			n := min(len(body), 100)
			_, _ = w.Write(body[:n])
			w.(http.Flusher).Flush()
			body = body[n:]
		}
	}
	gz := headers("Content-Encoding", "gzip")
	for _, row := range []struct {
		name  string
		send  func(http.ResponseWriter, []byte)
		body  []byte
		want  fetch.Code
		equal string
	}{
		{"at the limit", headers(), []byte(full), "", full},
		{"announced over it", headers("Content-Length", "1001"), []byte(full + "a"), fetch.CodeTooLarge, ""},
		{"announced far over it", headers("Content-Length", "99999999999"), nil, fetch.CodeTooLarge, ""},
		{"chunks at the limit", chunked, []byte(full), "", full},
		{"chunks over it", chunked, []byte(full + "a"), fetch.CodeTooLarge, ""},
		{"gzip", gz, zipped("hello"), "", "hello"},
		{"gzip at the limit", gz, zipped(full), "", full},
		{"gzip over it", gz, zipped(full + "a"), fetch.CodeTooLarge, ""},
		{"gzip of several members", gz, zipped("hel", "lo"), "", "hello"},
		{"gzip bomb", gz, bomb, fetch.CodeTooLarge, ""},
		{"gzip bomb, announced small", gz, bomb[:900], fetch.CodeTooLarge, ""},
		{"gzip of nothing, many times", gz, bytes.Repeat(zipped(""), 100), fetch.CodeTooLarge, ""},
		{"gzip named in capitals", headers("Content-Encoding", "GZIP"), zipped("hello"), "", "hello"},
		{"identity", headers("Content-Encoding", "identity"), []byte("hello"), "", "hello"},
		{"gzip that is none", gz, []byte("hello, this is text"), fetch.CodeEncoding, ""},
		{"gzip with a wrong sum", gz, flip(zipped("hello"), -5), fetch.CodeEncoding, ""},
		{"gzip with broken data", gz, flip(zipped("hello"), 10), fetch.CodeEncoding, ""},
		{"gzip cut off", gz, zipped("hello")[:15], fetch.CodeNetwork, ""},
		{"gzip with a tail", gz, append(zipped("hello"), "tail of it"...), fetch.CodeEncoding, ""},
		{"deflate", headers("Content-Encoding", "deflate"), []byte("x"), fetch.CodeEncoding, ""},
		{"br", headers("Content-Encoding", "br"), []byte("x"), fetch.CodeEncoding, ""},
		{"gzip twice", headers("Content-Encoding", "gzip, gzip"), zipped(string(zipped("x"))), fetch.CodeEncoding, ""},
		{"two encodings", headers("Content-Encoding", "gzip", "Content-Encoding", "gzip"), zipped("x"), fetch.CodeEncoding, ""},
		{"shorter than announced", headers("Content-Length", "10"), []byte("x"), fetch.CodeNetwork, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, func(rw http.ResponseWriter, _ *http.Request) { row.send(rw, row.body) })
			r, err := w.client(t).Get(t.Context(), "https://example.com/", fetch.Profile{MaxBytes: limit})
			if row.want != "" {
				require.Equal(t, row.want, codeOf(t, err), "%v", err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, row.equal, string(r.Body))
		})
	}
}

// TestBodyEnd takes a body only when the message tells where it ends.
func TestBodyEnd(t *testing.T) {
	t.Parallel()
	const head, body = "HTTP/1.1 200 OK\r\nContent-Type: text/turtle\r\n", "<x:a> <x:b> <x:c> .\n"
	chunks := fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", len(body), body)
	length := fmt.Sprintf("Content-Length: %d\r\n", len(body))
	notified := func(c *tls.Conn) { _ = c.Close() }
	silent := func(c *tls.Conn) { _ = c.NetConn().Close() } // what anybody on the way can do
	for _, row := range []struct {
		name, answer string
		want         fetch.Code
	}{
		{"a length", head + length + "\r\n" + body, ""},
		{"a length and a closed connection", head + "Connection: close\r\n" + length + "\r\n" + body, ""},
		{"a length in HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Type: text/turtle\r\n" + length + "\r\n" + body, ""},
		{"no body, and the length says so", head + "Content-Length: 0\r\n\r\n", ""},
		{"chunks", head + chunks + "0\r\n\r\n", ""},
		{"a length, less", head + length + "\r\n" + body[:7], fetch.CodeNetwork},
		{"chunks without the last", head + chunks, fetch.CodeNetwork},
		{"chunks, the last cut off", head + chunks + "0\r\n", fetch.CodeNetwork},
		{"until the connection ends", head + "\r\n" + body, fetch.CodeNetwork},
		{"until a connection that is announced to end", head + "Connection: close\r\n\r\n" + body, fetch.CodeNetwork},
		{"nothing until the connection ends", head + "\r\n", fetch.CodeNetwork},
		{"until the connection of HTTP/1.0 ends", "HTTP/1.0 200 OK\r\nContent-Type: text/turtle\r\n\r\n" + body, fetch.CodeNetwork},
		{"chunks, which HTTP/1.0 does not have", "HTTP/1.0 200 OK\r\nContent-Type: text/turtle\r\n" + chunks + "0\r\n\r\n", fetch.CodeNetwork},
		{"gzip until the connection ends", head + "Content-Encoding: gzip\r\n\r\n" + string(zipped(body)), fetch.CodeNetwork},
	} {
		for end, hangUp := range map[string]func(*tls.Conn){"notified": notified, "silent": silent} {
			t.Run(row.name+", "+end, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, func(rw http.ResponseWriter, _ *http.Request) {
					c, _, err := rw.(http.Hijacker).Hijack()
					if err != nil {
						panic(err)
					}
					_, _ = io.WriteString(c, row.answer)
					hangUp(c.(*tls.Conn))
				})
				r, err := w.client(t).Get(t.Context(), "https://example.com/", fetch.ProtocolDocument())
				if row.want != "" {
					require.Equal(t, row.want, codeOf(t, err), "%v", err)
					return
				}
				require.NoError(t, err)
				require.Equal(t, row.name == "no body, and the length says so", len(r.Body) == 0)
			})
		}
	}
}

// TestBomb sends a small body that unpacks to a hundred megabytes. It is refused for its
// size and not for its time: there is enough of that to unpack it all.
func TestBomb(t *testing.T) {
	t.Parallel()
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	block := make([]byte, 1<<20)
	for range 100 {
		_, _ = z.Write(block)
	}
	require.NoError(t, z.Close())
	p := fetch.ProtocolDocument()
	require.Less(t, int64(bomb.Len()), p.MaxBytes, "what is sent is within the limit")
	w := newWorld(t, func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/turtle")
		rw.Header().Set("Content-Encoding", "gzip")
		_, _ = rw.Write(bomb.Bytes())
	})
	w.opts.Timeout = 10 * time.Minute
	_, err := w.client(t).Get(t.Context(), "https://example.com/", p)
	require.Equal(t, fetch.CodeTooLarge, codeOf(t, err), "%v", err)
}

// flip changes one byte, counted from the end when i is negative.
func flip(b []byte, i int) []byte {
	if i < 0 {
		i += len(b)
	}
	b[i] ^= 0xff
	return b
}

func TestProfiles(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		p         fetch.Profile
		bytes     int64
		redirects int
	}{
		"protocol document": {fetch.ProtocolDocument(), 1 << 20, 3},
		"card":              {fetch.Card(), 256 << 10, 3},
		"key set":           {fetch.KeySet(), 64 << 10, 0},
		"proposal":          {fetch.Proposal(), 1 << 20, 3},
		"zero":              {fetch.Profile{}, 64 << 10, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, row.redirects, row.p.Redirects)
			for _, n := range []int64{row.bytes, row.bytes + 1} {
				w := newWorld(t, func(rw http.ResponseWriter, _ *http.Request) {
					rw.Header().Set("Content-Type", "text/turtle")
					_, _ = rw.Write(make([]byte, n))
				})
				_, err := w.client(t).Get(t.Context(), "https://example.com/", row.p)
				if n == row.bytes {
					require.NoError(t, err)
				} else {
					require.Equal(t, fetch.CodeTooLarge, codeOf(t, err))
				}
			}
		})
	}
}

func TestMediaTypes(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]fetch.Code{
		"text/turtle":                         "",
		"Text/Turtle; charset=UTF-8":          "",
		"application/ld+json":                 "",
		`application/ld+json;profile="x"`:     "",
		"application/json":                    fetch.CodeMediaType,
		"text/html":                           fetch.CodeMediaType,
		"":                                    fetch.CodeMediaType,
		"text/turtle, text/html":              fetch.CodeMediaType,
		"application/rdf+xml; charset=\"utf8": fetch.CodeMediaType,
		"text/turtle; charset=iso-8859-1":     fetch.CodeMediaType,
		"text/turtle; charset=utf-16":         fetch.CodeMediaType,
		"text/turtle\ntext/turtle":            fetch.CodeMediaType, // two fields
		"text/turtle\ntext/html":              fetch.CodeMediaType,
	} {
		t.Run(given, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, func(rw http.ResponseWriter, _ *http.Request) {
				rw.Header()["Content-Type"] = nil
				if given != "" {
					rw.Header()["Content-Type"] = strings.Split(given, "\n")
				}
			})
			_, err := w.client(t).Get(t.Context(), "https://example.com/", fetch.ProtocolDocument())
			if want == "" {
				require.NoError(t, err)
			} else {
				require.Equal(t, want, codeOf(t, err))
			}
			_, err = w.client(t).Get(t.Context(), "https://example.com/", fetch.Card())
			require.NoError(t, err, "the media type of a card is not decisive")
		})
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	for _, status := range []int{201, 202, 204, 206, 300, 305, 400, 401, 403, 404, 407, 410, 429, 500, 503} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(status) })
			_, err := w.client(t).Get(t.Context(), "https://example.com/", fetch.Card())
			require.Equal(t, fetch.CodeStatus, codeOf(t, err))
			require.ErrorContains(t, err, fmt.Sprint(status))
		})
	}
}

func TestTLS(t *testing.T) {
	t.Parallel()
	t.Run("authority not trusted", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, text("x"))
		w.opts.RootCAs = nil
		_, err := w.client(t).Get(t.Context(), "https://example.com/", fetch.Profile{})
		require.Equal(t, fetch.CodeTLS, codeOf(t, err))
	})
	t.Run("another host", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, text("x"))
		w.names.answers["elsewhere.test"] = []string{theAddress}
		_, err := w.client(t).Get(t.Context(), "https://elsewhere.test/", fetch.Profile{})
		require.Equal(t, fetch.CodeTLS, codeOf(t, err))
	})
	t.Run("plain http", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, text("x"))
		w.server = httptest.NewServer(text("x"))
		t.Cleanup(w.server.Close)
		_, err := w.client(t).Get(t.Context(), "https://example.com/", fetch.Profile{})
		require.Equal(t, fetch.CodeTLS, codeOf(t, err))
	})
}

func TestTime(t *testing.T) {
	t.Parallel()
	stalled := func(t *testing.T, before string) *world {
		release := make(chan struct{})
		w := newWorld(t, func(rw http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(rw, before)
			if before != "" {
				rw.(http.Flusher).Flush()
			}
			select {
			case <-release:
			case <-r.Context().Done():
			}
		})
		t.Cleanup(func() { close(release) })
		return w
	}
	for name, before := range map[string]string{"no headers": "", "half a body": "half"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := stalled(t, before)
			w.opts.Timeout = 200 * time.Millisecond
			_, err := w.client(t).Get(t.Context(), "https://example.com/", fetch.Profile{})
			require.Equal(t, fetch.CodeTimeout, codeOf(t, err))
		})
	}
	t.Run("given up", func(t *testing.T) {
		t.Parallel()
		w := stalled(t, "")
		ctx, cancel := context.WithCancel(t.Context())
		w.opts.Dial = func(dctx context.Context, network, address string) (net.Conn, error) {
			cancel()
			return w.dial(dctx, network, address)
		}
		_, err := w.client(t).Get(ctx, "https://example.com/", fetch.Profile{})
		require.Equal(t, fetch.CodeCanceled, codeOf(t, err))
	})
	t.Run("connecting", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, text("x"))
		w.opts.ConnectTimeout = 50 * time.Millisecond
		w.opts.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		_, err := w.client(t).Get(t.Context(), "https://example.com/", fetch.Profile{})
		require.Equal(t, fetch.CodeTimeout, codeOf(t, err))
	})
}

func TestLargeHeaders(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("X", strings.Repeat("a", 100<<10))
	})
	_, err := w.client(t).Get(t.Context(), "https://example.com/", fetch.Profile{})
	require.Equal(t, fetch.CodeNetwork, codeOf(t, err))
}
