package service_test

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/internal/service"
	"github.com/rdfproto/rdfproto/protocol"
)

// TestWire sends what clients do not: one text on one connection, which the service is
// to close. The statuses are those of all answers that came.
func TestWire(t *testing.T) {
	t.Parallel()
	plain := start(t, "--listen", "127.0.0.1:0")
	guarded := start(t, "--listen", "127.0.0.1:0", "--token-file", write(t, t.TempDir(), "token", secret+"\n", 0o600))
	const (
		host  = "Host: localhost\r\n"
		ttl   = "Content-Type: text/turtle\r\n"
		ends  = "Connection: close\r\n"
		hash  = "POST /v1/hash HTTP/1.1\r\n" + host + ttl
		page  = "GET /healthz HTTP/1.1\r\n" + host
		known = "Authorization: Bearer " + secret + "\r\n"
	)
	for _, row := range []struct {
		name     string
		s        *started
		text     string
		statuses string
	}{
		{"requests after each other", plain, page + "\r\n" + hash + "Content-Length: 0\r\n\r\n" + page + ends + "\r\n", "200 200 200"},
		{"two lengths", plain, hash + "Content-Length: 0\r\nContent-Length: 5\r\n\r\n" + page + ends + "\r\n", "400"},
		{"no length, and a request", plain, hash + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + page + ends + "\r\n", "200"},
		{"a length and none, and a request", plain, hash + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + page + ends + "\r\n", "200"},
		{"none twice", plain, hash + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "501"},
		{"another coding", plain, hash + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", "501"},
		{"HTTP/2", plain, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "403"},
		{"a change to HTTP/2", plain, page + "Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n", "200"},
		{"no host", plain, "GET /healthz HTTP/1.0\r\n\r\n", "403"},
		{"another host in the target", plain, "GET http://rebind.example/healthz HTTP/1.1\r\n" + host + ends + "\r\n", "403"},
		{"another host that was forwarded", plain, "GET /healthz HTTP/1.1\r\nHost: rebind.example\r\nX-Forwarded-Host: localhost\r\n" + ends + "\r\n", "403"},
		{"two hosts", plain, page + "Host: rebind.example\r\n\r\n", "400"},
		{"options of all", plain, "OPTIONS * HTTP/1.1\r\n" + host + ends + "\r\n", "404"},
		{"options of all of another host", plain, "OPTIONS * HTTP/1.1\r\nHost: rebind.example\r\n" + ends + "\r\n", "403"},
		{"a tunnel", plain, "CONNECT localhost:80 HTTP/1.1\r\n" + host + ends + "\r\n", "404"},
		{"another method in a header", plain, "GET /v1/hash HTTP/1.1\r\n" + host + "X-HTTP-Method-Override: POST\r\n" + ends + "\r\n", "405"},
		{"two codings of content", plain, hash + "Content-Encoding: identity\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n" + ends + "\r\n", "415"},
		{"an expectation", plain, hash + "Expect: 200-ok\r\nContent-Length: 0\r\n" + ends + "\r\n", "417"},

		// Nobody who is not known keeps a connection.
		{"a page for anybody, and a request", guarded, page + "\r\n" + page + "\r\n", "200"},
		{"no token, and a request", guarded, hash + "Content-Length: 0\r\n\r\n" + page + "\r\n", "401"},
		{"a page of a browser, and a request", guarded, page + "Origin: null\r\n\r\n" + page + "\r\n", "403"},
		{"a token, and a request", guarded, hash + known + "Content-Length: 0\r\n\r\n" + page + "\r\n", "200 200"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c, err := net.Dial("tcp", strings.TrimPrefix(row.s.url, "http://"))
			require.NoError(t, err)
			defer c.Close()
			require.NoError(t, c.SetDeadline(time.Now().Add(10*time.Second)))
			_, err = io.WriteString(c, row.text)
			require.NoError(t, err)
			text, err := io.ReadAll(c)
			if err != nil {
				require.NotErrorIs(t, err, os.ErrDeadlineExceeded, "the connection is kept")
			}
			var statuses []string
			for line := range strings.Lines(string(text)) {
				if strings.HasPrefix(line, "HTTP/1.") {
					statuses = append(statuses, line[len("HTTP/1.1 "):][:3])
				}
			}
			require.Equal(t, row.statuses, strings.Join(statuses, " "), string(text))
		})
	}
}

// TestQueries: a query that cannot be read may have asked for a comparison. No answer
// passes over it.
func TestQueries(t *testing.T) {
	t.Parallel()
	s := serve(t, service.Options{Door: service.DoorSocket})
	pin := "sha256:" + strings.Repeat("0", 64)
	for _, query := range []string{"pin=" + pin + ";x", "pin=" + pin + "%zz", "%zz", "a;b", "pin=" + pin + "&;", "pin=" + pin + "&pin=" + pin, "PIN=" + pin, "pin"} {
		r := s.post(t, "/v1/hash?"+query, turtle, "")
		require.Equal(t, 400, r.status, query)
		require.Equal(t, "malformed-request", r.str("code"), query)
	}
	require.Equal(t, "no", s.post(t, "/v1/hash?pin="+pin, turtle, "").str("verdict"))
	require.Equal(t, 400, s.call(t, "GET", "/healthz?%zz", "", "").status)
}

// TestFilesNamedOften: what a request says once and names often is not more than it may
// say.
func TestFilesNamedOften(t *testing.T) {
	t.Parallel()
	s := serve(t, service.Options{Door: service.DoorSocket, Judge: judge(t, `{}`, nil)})
	file := strings.Repeat(" ", 1<<20)
	for _, row := range []struct {
		name   string
		times  int
		status int
	}{{"as many bytes as may be", service.MaxAuthorize >> 20, 200}, {"one more", service.MaxAuthorize>>20 + 1, 413}, {"many", 60_000, 413}} {
		for _, in := range []m{
			{"primaryChain": m{"credentials": slices.Repeat([]string{"a.json"}, row.times), "policies": []string{}}},
			{"primaryChain": m{"credentials": []string{}, "policies": slices.Repeat([]string{"a.ttl"}, row.times)}},
			{"primaryChain": m{"credentials": []string{}, "policies": []string{}}, "actor": "https://bob.example/", "actorChain": m{"credentials": slices.Repeat([]string{"a.json"}, row.times), "policies": []string{}}},
			{"primaryChain": m{"credentials": []string{}, "policies": []string{}}, "revocationDocuments": slices.Repeat([]string{"a.ttl"}, row.times)},
		} {
			in["rootPrincipal"], in["request"] = "https://alice.example/#me", m{"action": "read", "target": "https://alice.example/"}
			r := s.post(t, "/v1/authorize", inJSON, object(t, m{"input": in, "files": m{"a.json": file, "a.ttl": file}}))
			require.Equal(t, row.status, r.status, row.name+": "+r.text)
			require.NotEqual(t, "yes", r.str("verdict"))
			if row.status == 413 {
				require.Equal(t, "limit-exceeded", r.str("code"))
			}
		}
	}
}

// TestWaitingBytes: intents that wait are bounded by what they hold, not by how many they
// are alone.
func TestWaitingBytes(t *testing.T) {
	t.Parallel()
	add, drop, has, _ := service.Waiting(noon)
	const quarter = service.MaxWaitingBytes / 4
	first, second, third := add(bob, quarter), add(bob, quarter), add(bob, quarter)
	drop(second)
	drop(second)
	drop("another")
	fourth, fifth := add(bob, quarter), add(bob, quarter)
	require.True(t, has(first), "what is answered does not count")
	sixth := add(bob, 1)
	require.False(t, has(first), "the oldest goes")
	for _, h := range []string{third, fourth, fifth, sixth} {
		require.True(t, has(h))
	}
	last := add(bob, service.MaxWaitingBytes)
	require.True(t, has(last))
	require.False(t, has(sixth))
}

// TestStoreTooLarge: a name that the store does not keep is the fault of who chose it.
func TestStoreTooLarge(t *testing.T) {
	t.Parallel()
	s := serve(t, service.Options{Door: service.DoorSocket, Judge: grantJudge(t, strings.Replace(permitAll, `"replay"`, `"agreements":["PIN"],"replay"`, 1))})
	r := s.post(t, "/v1/receive", inJSON, object(t, m{
		"message": msg("m-1", "ctx-1", intent(grantPin, testdata(t, "intent.ttl"))), "peer": strings.Repeat("x", 200_000),
		"extensions": []string{protocol.ExtensionURI},
	}))
	require.Equal(t, 413, r.status, r.text)
	require.Equal(t, "limit-exceeded", r.str("code"))
}

// TestServeStart: a service that cannot be reached leaves nothing behind, and one that
// waits for a file ends when it is asked to.
func TestServeStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	other, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer other.Close()
	config := write(t, dir, "config", `{"agent":"a:a","replay":{"store":"bolt","path":"seen.db"}}`, 0o600)
	r := run(t, "serve", "--config", config, "--create-store", "--listen", other.Addr().String())
	require.Regexp(t, `\[cannot-listen\]`, r.stderr)
	require.NoFileExists(t, filepath.Join(dir, "seen.db"), "it would not be made a second time")

	for _, flags := range [][]string{{"--token-file"}, {"--config"}, {"--client-ca"}} {
		pipe := filepath.Join(dir, "pipe"+flags[0])
		if !makePipe(t, pipe) {
			return
		}
		if flags[0] == "--client-ca" {
			cert, key, _ := certificates(t, t.TempDir())
			flags = append([]string{"--tls-cert", cert, "--tls-key", key}, flags...)
		}
		status, stderr := endAtOnce(t, append(append([]string{"serve", "--listen", "127.0.0.1:0"}, flags...), pipe)...)
		require.Equal(t, cli.StatusCall, status)
		require.Regexp(t, `\[interrupted\]`, stderr)
	}
	pipe := filepath.Join(dir, "pipe--call")
	require.True(t, makePipe(t, pipe))
	status, stderr := endAtOnce(t, "call", "--text", "x", "--jwks", pipe, pipe)
	require.Equal(t, cli.StatusCall, status)
	require.Regexp(t, `\[interrupted\]`, stderr)
}
