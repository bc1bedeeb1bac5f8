package service_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/internal/deadport"
	"github.com/rdfproto/rdfproto/internal/service"
)

type called struct {
	status      cli.Status
	out, stderr string
}

func run(t *testing.T, args ...string) called {
	t.Helper()
	var out, stderr bytes.Buffer
	status := service.Run(t.Context(), args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &stderr})
	return called{status, out.String(), stderr.String()}
}

// started is a service that the serve command runs.
type started struct {
	url  string
	log  *logged
	stop context.CancelFunc
	done chan cli.Status
}

// start runs the serve command until it says where it listens.
func start(t *testing.T, args ...string) *started {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	s := &started{log: &logged{}, stop: stop, done: make(chan cli.Status, 1)}
	r, w := io.Pipe()
	go func() {
		s.done <- service.Run(ctx, append([]string{"serve"}, args...), cli.Streams{In: strings.NewReader(""), Out: w, Err: s.log})
		_ = w.Close()
	}()
	line := make([]byte, 200)
	n, err := r.Read(line)
	go func() { _, _ = io.Copy(io.Discard, r) }()
	if err != nil {
		t.Fatalf("not started: %s", s.log)
	}
	s.url = strings.TrimSuffix(string(line[:n]), "\n")
	t.Cleanup(stop)
	return s
}

func (s *started) end(t *testing.T) cli.Status {
	t.Helper()
	s.stop()
	return <-s.done
}

func write(t *testing.T, dir, name, text string, mode os.FileMode) string {
	t.Helper()
	file := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(file, []byte(text), mode))
	require.NoError(t, os.Chmod(file, mode))
	return file
}

func TestServeHelp(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--help"}, {"serve", "--help"}, {"version", "--help"}, {"completion", "--help"}, {"help", "serve"}} {
		r := run(t, args...)
		require.Equal(t, cli.StatusYes, r.status, args)
		require.Empty(t, r.stderr)
		for line := range strings.Lines(r.out) {
			require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), 80, line)
		}
	}
	require.Regexp(t, `^rdfprotod \S+ .*go1\.`, run(t, "version").out)
	require.Contains(t, run(t, "completion", "bash").out, "rdfprotod")
	r := run(t, "srve")
	require.Equal(t, cli.StatusCall, r.status)
	require.Equal(t, "rdfprotod: error: unknown command \"srve\" for rdfprotod [usage]\nrdfprotod: hint: did you mean \"serve\"?\n", r.stderr)
}

// TestServeRefuses: a service that anybody could call does not start, nor does one that
// is not what was asked for.
func TestServeRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	open := write(t, dir, "open", secret+"\n", 0o644)
	short := write(t, dir, "short", "short\n", 0o600)
	cert, key, ca := certificates(t, dir)
	openKey := write(t, dir, "open.key", readFile(t, key), 0o640)
	config := func(name, text string) string { return write(t, dir, name, text, 0o600) }
	plain := write(t, dir, "plain", "", 0o600)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "keys"), 0o700))
	write(t, dir, "keys/alice.json", controllerOf(t, owner), 0o600)
	write(t, dir, "policy.ttl", policyText, 0o600)
	write(t, dir, "none.ttl", "<urn:x> <urn:y> <urn:z> .", 0o600)
	nobody := deadport.Address(t)
	for _, row := range []struct {
		name string
		args []string
		code string
	}{
		{"any address", []string{"--listen", "0.0.0.0:0"}, "exposed"},
		{"any address of IPv6", []string{"--listen", "[::]:0"}, "exposed"},
		{"no host", []string{"--listen", ":0"}, "exposed"},
		{"a public address", []string{"--listen", "192.0.2.1:0"}, "exposed"},
		{"a name", []string{"--listen", "agent.example:0"}, "exposed"},
		{"any address with TLS alone", []string{"--listen", "0.0.0.0:0", "--tls-cert", cert, "--tls-key", key}, "exposed"},
		{"no port", []string{"--listen", "127.0.0.1"}, "cannot-listen"},
		{"a port that is none", []string{"--listen", "127.0.0.1:x"}, "cannot-listen"},
		{"a token file that others can read", []string{"--listen", "0.0.0.0:0", "--token-file", open}, "cannot-listen"},
		{"a token that is short", []string{"--token-file", short}, "cannot-listen"},
		{"no token file", []string{"--token-file", filepath.Join(dir, "missing")}, "unreadable"},
		{"a folder of tokens", []string{"--token-file", dir}, "cannot-listen"},
		{"a certificate without a key", []string{"--tls-cert", cert}, "cannot-listen"},
		{"a key that others can read", []string{"--tls-cert", cert, "--tls-key", openKey}, "cannot-listen"},
		{"an authority without a certificate", []string{"--client-ca", ca}, "cannot-listen"},
		{"an authority that is none", []string{"--tls-cert", cert, "--tls-key", key, "--client-ca", plain}, "cannot-listen"},
		{"a socket and an address", []string{"--socket", filepath.Join(dir, "s"), "--listen", "127.0.0.1:0"}, "cannot-listen"},
		{"a socket with TLS", []string{"--socket", filepath.Join(dir, "s"), "--tls-cert", cert, "--tls-key", key}, "cannot-listen"},
		{"a socket in the place of a file", []string{"--socket", plain}, "cannot-listen"},
		{"a socket in no folder", []string{"--socket", filepath.Join(dir, "missing", "s")}, "cannot-listen"},
		{"a socket without a file", []string{"--socket", "@agent"}, "cannot-listen"},
		{"a socket with a long path", []string{"--socket", filepath.Join(dir, strings.Repeat("s", 104))}, "cannot-listen"},

		{"an empty token file", []string{"--token-file", ""}, "usage"},
		{"an empty socket", []string{"--socket", ""}, "usage"},
		{"an empty address", []string{"--listen="}, "usage"},
		{"an empty configuration", []string{"--config", ""}, "usage"},
		{"an empty authority", []string{"--tls-cert", cert, "--tls-key", key, "--client-ca", ""}, "usage"},
		{"an empty host", []string{"--host", ""}, "usage"},
		{"a host with a port", []string{"--host", "agent.example:80"}, "usage"},

		{"no configuration", []string{"--config", filepath.Join(dir, "missing")}, "unreadable"},
		{"a configuration that is none", []string{"--config", config("1", `[]`)}, "invalid-config"},
		{"an unknown member", []string{"--config", config("2", `{"agents":"a:a"}`)}, "invalid-config"},
		{"a member twice", []string{"--config", config("3", `{"agent":"a:a","agent":"a:b"}`)}, "invalid-config"},
		{"an unknown store", []string{"--config", config("4", `{"agent":"a:a","replay":{"store":"x"}}`)}, "invalid-config"},
		{"a store in memory with a path", []string{"--config", config("5", `{"agent":"a:a","replay":{"store":"memory","path":"x"}}`)}, "invalid-config"},
		{"a store in a file without a path", []string{"--config", config("6", `{"agent":"a:a","replay":{"store":"bolt"}}`)}, "invalid-config"},
		{"a store in Redis without a URL", []string{"--config", config("7", `{"agent":"a:a","replay":{"store":"redis"}}`)}, "invalid-config"},
		{"a password that others can read", []string{"--config", write(t, dir, "8", `{"agent":"a:a","replay":{"store":"redis","url":"redis://u:p@localhost:1/0"}}`, 0o644)}, "invalid-config"},
		{"a URL of another kind", []string{"--config", config("20", `{"agent":"a:a","replay":{"store":"redis","url":"https://localhost/"}}`)}, "invalid-config"},
		{"a URL of no database", []string{"--config", config("21", `{"agent":"a:a","replay":{"store":"redis","url":"redis://localhost/x"}}`)}, "invalid-config"},
		{"a Redis that is not there", []string{"--config", config("22", `{"agent":"a:a","replay":{"store":"redis","url":"redis://`+nobody+`/0"}}`)}, "unreachable"},
		{"a prefix of another store", []string{"--config", config("23", `{"agent":"a:a","replay":{"store":"memory","prefix":"x"}}`)}, "invalid-config"},
		{"a store without an agent", []string{"--config", config("9", `{"replay":{"store":"memory"}}`)}, "invalid-config"},
		{"a document that is missing", []string{"--config", config("10", `{"documents":{"`+grantPin+`":"missing.ttl"}}`)}, "unreadable"},
		{"a document of another pin", []string{"--config", config("11", `{"documents":{"`+grantPin+`":"plain.ttl"}}`)}, "unreadable"},
		{"an agreement that is not held", []string{"--config", config("12", `{"agent":"a:a","agreements":["`+grantPin+`"]}`)}, "invalid-config"},
		{"an authorizer without a domain", []string{"--config", config("13", `{"agent":"a:a","authorizer":{"rootPrincipal":"a:b"}}`)}, "invalid-config"},
		{"an authorizer without a principal", []string{"--config", config("14", `{"agent":"a:a","domain":"d","authorizer":{}}`)}, "invalid-config"},
		{"an authorizer that is two", []string{"--config", config("15", `{"agent":"a:a","domain":"d","authorizer":{"rootPrincipal":"a:b","insecurePermitAll":true}}`)}, "invalid-config"},
		{"a publisher that is no origin", []string{"--config", config("16", `{"agent":"a:a","accept":{"publishers":["https://a.example/x"]}}`)}, "invalid-config"},
		{"a publisher without a name", []string{"--config", config("16a", `{"agent":"a:a","accept":{"publishers":[""]}}`)}, "invalid-config"},
		{"no folder of keys", []string{"--config", config("17", `{"keys":"missing"}`)}, "unreadable"},
		{"an unknown profile", []string{"--config", config("18", `{"profile":"x"}`)}, "invalid-config"},

		{"an empty agent", []string{"--config", config("24", `{"agent":""}`)}, "invalid-config"},
		{"an agent that is no IRI", []string{"--config", config("25", `{"agent":"an agent"}`)}, "invalid-config"},
		{"a principal that is no IRI", []string{"--config", config("26", `{"agent":"a:a","domain":"d","authorizer":{"rootPrincipal":"alice"}}`)}, "invalid-config"},
		{"policies that are one", []string{"--config", config("36", `{"agent":"a:a","domain":"d","keys":"keys","authorizer":{"rootPrincipal":"a:b","policies":["policy.ttl","policy.ttl"]}}`)}, "invalid-config"},
		{"a policy that is none", []string{"--config", config("37", `{"agent":"a:a","domain":"d","keys":"keys","authorizer":{"rootPrincipal":"a:b","policies":["none.ttl"]}}`)}, "invalid-config"},
		{"an empty card", []string{"--config", config("27", `{"agent":"a:a","card":""}`)}, "invalid-config"},
		{"a password, no scheme", []string{"--config", config("28", `{"agent":"a:a","replay":{"store":"redis","url":"redis:`+secret+`@localhost"}}`)}, "invalid-config"},
		{"a password, another scheme", []string{"--config", config("29", `{"agent":"a:a","replay":{"store":"redis","url":"user:`+secret+`@localhost"}}`)}, "invalid-config"},
		{"a password with a slash", []string{"--config", config("30", `{"agent":"a:a","replay":{"store":"redis","url":"redis://:12/`+secret+`@localhost"}}`)}, "invalid-config"},
		{"a password with a slash after a port", []string{"--config", config("31", `{"agent":"a:a","replay":{"store":"redis","url":"redis://u:12/`+secret+`@localhost"}}`)}, "invalid-config"},
		{"a password in a query", []string{"--config", config("32", `{"agent":"a:a","replay":{"store":"redis","url":"redis://localhost/0?password=`+secret+`"}}`)}, "invalid-config"},
		{"a password in the place of the store", []string{"--config", config("33", `{"agent":"a:a","replay":{"store":"redis://:`+secret+`@localhost"}}`)}, "invalid-config"},
		{"a password in a list", []string{"--config", config("34", `{"agent":"a:a","replay":{"store":"redis","url":["redis://:`+secret+`@localhost"]}}`)}, "invalid-config"},
		{"a password that is not that of the server", []string{"--config", config("35", `{"agent":"a:a","replay":{"store":"redis","url":"redis://:`+secret+`@`+nobody+`/0"}}`)}, "unreachable"},

		{"no requests", []string{"--max-requests", "0"}, "usage"},
		{"more requests than there is memory", []string{"--max-requests", "9223372036854775807"}, "usage"},
		{"no time", []string{"--time-limit", "0s"}, "usage"},
		{"a negative drain", []string{"--drain", "-1s"}, "usage"},
		{"an unknown log", []string{"--log-format", "xml"}, "usage"},
		{"an unknown level", []string{"--log-level", "loud"}, "usage"},
		{"an argument", []string{"x"}, "usage"},
		{"an unknown flag", []string{"--insecure"}, "usage"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"serve"}, row.args...)
			if row.args[0] == "--config" {
				args = append(args, "--listen", "127.0.0.1:0")
			}
			r := run(t, args...)
			require.Equal(t, cli.StatusCall, r.status, r.stderr)
			require.Empty(t, r.out)
			require.Regexp(t, `(?m)^rdfprotod: error: .* \[(`+row.code+`)\]$`, r.stderr)
			require.NotContains(t, r.stderr, secret)
		})
	}
}

func readFile(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(data)
}

// certificates makes an authority, a certificate of 127.0.0.1 with its key in files,
// and of a client beside them.
func certificates(t *testing.T, dir string) (cert, key, ca string) {
	t.Helper()
	root, rootKey := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}, newKey(t)
	make := func(name string, template, parent *x509.Certificate, own, signer *ecdsa.PrivateKey) string {
		der, err := x509.CreateCertificate(rand.Reader, template, parent, &own.PublicKey, signer)
		require.NoError(t, err)
		keyDER, err := x509.MarshalPKCS8PrivateKey(own)
		require.NoError(t, err)
		write(t, dir, name+".key", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})), 0o600)
		return write(t, dir, name+".pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})), 0o644)
	}
	leaf := func(serial int64, usage x509.ExtKeyUsage) *x509.Certificate {
		return &x509.Certificate{
			SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "leaf"}, NotAfter: time.Now().Add(time.Hour),
			IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{usage},
		}
	}
	ca = make("ca", root, root, rootKey, rootKey)
	cert = make("server", leaf(2, x509.ExtKeyUsageServerAuth), root, newKey(t), rootKey)
	make("client", leaf(3, x509.ExtKeyUsageClientAuth), root, newKey(t), rootKey)
	other := newKey(t)
	make("stranger", leaf(4, x509.ExtKeyUsageClientAuth), root, newKey(t), other)
	return cert, filepath.Join(dir, "server.key"), ca
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	return key
}

// TestServeCertificates: with an authority, who has no certificate of it gets nowhere.
func TestServeCertificates(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key, ca := certificates(t, dir)
	s := start(t, "--listen", "0.0.0.0:0", "--tls-cert", cert, "--tls-key", key, "--client-ca", ca, "--config", write(t, dir, "config", `{"agent":"a:a"}`, 0o600))
	_, port, err := net.SplitHostPort(strings.TrimPrefix(s.url, "https://"))
	require.NoError(t, err)
	url := "https://127.0.0.1:" + port
	pool := x509.NewCertPool()
	require.True(t, pool.AppendCertsFromPEM([]byte(readFile(t, ca))))
	with := func(name string) *http.Client {
		c := &tls.Config{RootCAs: pool}
		if name != "" {
			pair, err := tls.LoadX509KeyPair(filepath.Join(dir, name+".pem"), filepath.Join(dir, name+".key"))
			require.NoError(t, err)
			c.Certificates = []tls.Certificate{pair}
		}
		return &http.Client{Transport: &http.Transport{TLSClientConfig: c, DisableKeepAlives: true}}
	}
	for _, name := range []string{"", "stranger", "server"} {
		_, err := with(name).Get(url + "/healthz")
		require.Error(t, err, name)
	}
	resp, err := with("client").Get(url + "/healthz")
	require.NoError(t, err)
	require.Equal(t, 200, read(t, resp).status)
	resp, err = with("client").Post(url+"/v1/receive", inJSON, strings.NewReader(`{"message":{},"peer":"https://bob.example/"}`))
	require.NoError(t, err)
	require.Equal(t, 200, read(t, resp).status, "the caller may say who the peer is")
	resp, err = http.Get("http://127.0.0.1:" + port + "/healthz")
	require.NoError(t, err)
	require.Equal(t, 400, read(t, resp).status, "no TLS")
	require.Equal(t, cli.StatusYes, s.end(t), s.log)
}

// TestServeToken: with a token any address is fine, and plain text is warned of.
func TestServeToken(t *testing.T) {
	t.Parallel()
	s := start(t, "--listen", "0.0.0.0:0", "--token-file", write(t, t.TempDir(), "token", secret+"\n", 0o600))
	require.Contains(t, s.log.String(), "unencrypted")
	_, port, err := net.SplitHostPort(strings.TrimPrefix(s.url, "http://"))
	require.NoError(t, err)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:"+port+"/v1/hash", strings.NewReader(""))
	require.NoError(t, err)
	req.Header.Set("Content-Type", turtle)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.Equal(t, 401, read(t, resp).status)
	req.Header.Set("Authorization", "Bearer "+secret)
	resp, err = http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.Equal(t, 200, read(t, resp).status)
	require.Equal(t, cli.StatusYes, s.end(t), s.log)
	require.NotContains(t, s.log.String(), secret)
}

// TestServeSocket: nobody but its owner can open the socket, from its first moment.
func TestServeSocket(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		return // there it refuses: see listenSocket
	}
	dir, err := os.MkdirTemp("", "s") // a path of a socket is short
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "s")
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", path)
	}}}
	s := start(t, "--socket", path, "--config", write(t, dir, "config", `{"agent":"a:a"}`, 0o600))
	require.Equal(t, "unix:"+path, s.url)
	info, err := os.Lstat(path)
	require.NoError(t, err)
	require.Equal(t, os.ModeSocket|0o600, info.Mode())
	resp, err := client.Post("http://rdfprotod/v1/receive", inJSON, strings.NewReader(`{"message":{},"peer":"https://bob.example/"}`))
	require.NoError(t, err)
	require.Equal(t, 200, read(t, resp).status)
	// A second one does not take it away from the first.
	require.Regexp(t, `another process listens there \[cannot-listen\]`, run(t, "serve", "--socket", path).stderr)
	require.Equal(t, cli.StatusYes, s.end(t), s.log)
	_, err = os.Lstat(path)
	require.ErrorIs(t, err, os.ErrNotExist, "it takes its socket with it")

	// Nor does one that ends take away what has come in its place.
	s = start(t, "--socket", path)
	require.NoError(t, os.Remove(path))
	next := start(t, "--socket", path)
	require.Equal(t, cli.StatusYes, s.end(t), s.log)
	_, err = os.Lstat(path)
	require.NoError(t, err)
	require.Equal(t, cli.StatusYes, next.end(t), next.log)

	// One that is in use is not replaced, also when its owner has no time or it is of
	// another kind.
	busy := listenBusy(t, path)
	require.Regexp(t, `another process may listen there: .* \[cannot-listen\]`, run(t, "serve", "--socket", path).stderr)
	_, err = os.Lstat(path)
	require.NoError(t, err)
	busy()
	datagrams, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	require.NoError(t, err)
	require.Regexp(t, `another process may listen there: .* \[cannot-listen\]`, run(t, "serve", "--socket", path).stderr)
	require.NoError(t, datagrams.Close())
	_ = os.Remove(path)

	// One that was left behind is replaced.
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	require.NoError(t, err)
	left.SetUnlinkOnClose(false)
	require.NoError(t, left.Close())
	s = start(t, "--socket", path)
	require.Equal(t, cli.StatusYes, s.end(t), s.log)
}

// TestServeDrains: asked to end, the service answers what was begun and nothing else.
func TestServeDrains(t *testing.T) {
	t.Parallel()
	s := start(t, "--listen", "127.0.0.1:0", "--log-level", "debug")
	address := strings.TrimPrefix(s.url, "http://")
	c, err := net.Dial("tcp", address)
	require.NoError(t, err)
	defer c.Close()
	body := testdata(t, "grant-access.ttl")
	_, err = io.WriteString(c, "POST /v1/hash HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/turtle\r\nConnection: close\r\nContent-Length: "+
		itoa(len(body))+"\r\n\r\n"+body[:100])
	require.NoError(t, err)
	require.Eventually(t, func() bool { return inFlight(t, s.url) == "2" }, 5*time.Second, 5*time.Millisecond)
	s.stop()
	require.Eventually(t, func() bool { return strings.Contains(s.log.String(), "draining") }, 5*time.Second, 5*time.Millisecond)
	require.Eventually(t, func() bool {
		c, err := net.Dial("tcp", address)
		if err == nil {
			_ = c.Close()
		}
		return err != nil
	}, 5*time.Second, 5*time.Millisecond, "no more connections")
	_, err = io.WriteString(c, body[100:])
	require.NoError(t, err)
	answer, err := io.ReadAll(c)
	require.NoError(t, err)
	require.Contains(t, string(answer), grantPin)
	require.Equal(t, cli.StatusYes, <-s.done, s.log)
}

// TestServeCutsOff: what takes longer than the drain is cut off, and that is no success.
func TestServeCutsOff(t *testing.T) {
	t.Parallel()
	s := start(t, "--listen", "127.0.0.1:0", "--drain", "100ms")
	c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	require.NoError(t, err)
	defer c.Close()
	_, err = io.WriteString(c, "POST /v1/hash HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/turtle\r\nContent-Length: 100\r\n\r\n<urn:")
	require.NoError(t, err)
	require.Eventually(t, func() bool { return inFlight(t, s.url) == "2" }, 5*time.Second, 5*time.Millisecond)
	require.Equal(t, cli.StatusCall, s.end(t))
	require.Contains(t, s.log.String(), "rdfprotod: error: cut off what did not end within 100ms: 1 request [requests-cut-off]")
}

// inFlight reads the number of requests that are not answered, the reading included.
func inFlight(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url + "/metrics")
	require.NoError(t, err)
	_, text, _ := strings.Cut(read(t, resp).text, "\nrdfprotod_requests_in_flight ")
	text, _, _ = strings.Cut(text, "\n")
	return text
}

// TestServeLeavesNothing: when the service ended, so has all it began.
func TestServeLeavesNothing(t *testing.T) {
	// Not parallel: it looks at all goroutines but those that were there before.
	before := goleak.IgnoreCurrent()
	transport := &http.Transport{}
	client := &http.Client{Transport: transport}
	for _, level := range []string{"debug", "error"} {
		s := start(t, "--listen", "127.0.0.1:0", "--log-level", level, "--log-format", "text")
		for range 10 {
			resp, err := client.Post(s.url+"/v1/hash", turtle, strings.NewReader("<urn:a> <urn:b> 1 ."))
			require.NoError(t, err)
			require.Equal(t, 200, read(t, resp).status)
		}
		require.Equal(t, cli.StatusYes, s.end(t), s.log)
		require.Equal(t, level == "debug", strings.Contains(s.log.String(), "route=/v1/hash"), s.log)
	}
	transport.CloseIdleConnections()
	goleak.VerifyNone(t, before)
}
