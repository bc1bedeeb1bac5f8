package service_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/service"
)

const (
	turtle = "text/turtle"
	inJSON = "application/json"
	secret = "correct-horse-battery-staple"
)

// noon is the time of every test.
func noon() time.Time { return time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC) }

// testServer is a service that a test calls.
type testServer struct {
	*httptest.Server
	service *service.Server
}

// serve makes a service behind the door of a Unix socket, unless the options say
// otherwise: what the door means does not depend on how a test gets there.
func serve(t testing.TB, o service.Options) *testServer {
	t.Helper()
	if o.Now == nil {
		o.Now = noon
	}
	s := service.New(o)
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	return &testServer{h, s}
}

// judge reads a configuration that stands in a folder with the files of testdata.
func judge(t testing.TB, config string, files map[string]string) *service.Judge {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	file := filepath.Join(dir, "config.json")
	require.NoError(t, os.WriteFile(file, []byte(config), 0o600))
	c, err := service.ReadConfig(file)
	require.NoError(t, err)
	clock := noon
	if strings.Contains(config, "redis") {
		clock = time.Now // which compares it with its own
	}
	j, err := service.NewJudge(t.Context(), c, clock, false)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, j.Close()) })
	return j
}

// result is an answer.
type result struct {
	status int
	header http.Header
	text   string
	object map[string]any // of JSON
}

func (r result) str(name string) string { s, _ := r.object[name].(string); return s }

// call sends a request. headers are pairs of names and values.
func (s *testServer) call(t testing.TB, method, path, contentType, body string, headers ...string) result {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	require.NoError(t, err)
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
			continue
		}
		req.Header.Add(headers[i], headers[i+1])
	}
	resp, err := s.Client().Do(req)
	require.NoError(t, err)
	return read(t, resp)
}

func read(t testing.TB, resp *http.Response) result {
	t.Helper()
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	r := result{status: resp.StatusCode, header: resp.Header, text: string(text)}
	if resp.Header.Get("Content-Type") == inJSON && len(text) > 0 {
		require.NoError(t, json.Unmarshal(text, &r.object), string(text))
	}
	return r
}

func (s *testServer) post(t testing.TB, path, contentType, body string, headers ...string) result {
	t.Helper()
	return s.call(t, http.MethodPost, path, contentType, body, headers...)
}

// object writes JSON.
func object(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}

type m = map[string]any

// testdata reads a file of the project's testdata.
func testdata(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", name))
	require.NoError(t, err)
	return string(data)
}

// authority returns the files of the script of the command "authz check".
func authority(t testing.TB) map[string]string {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("..", "cli", "testdata", "script", "authz.txtar"))
	require.NoError(t, err)
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	require.NotEmpty(t, files)
	return files
}

// input is the INPUT of that script without its time, and other members.
func input(t testing.TB, files map[string]string, name string, more m) m {
	t.Helper()
	var in m
	require.NoError(t, json.Unmarshal([]byte(files[name]), &in))
	delete(in, "now")
	for k, v := range more {
		in[k] = v
	}
	return in
}

// texts are the RDF and credentials of it.
func texts(files map[string]string) map[string]string {
	out := map[string]string{}
	for _, name := range []string{"mandate.vc.json", "task.vc.json", "mandate.ttl", "task.ttl"} {
		out[name] = files[name]
	}
	return out
}

// logged collects a log.
type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (l *logged) logger() *slog.Logger {
	return slog.New(slog.NewJSONHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func tokens(t testing.TB, text string) service.Tokens {
	t.Helper()
	parsed, err := service.ParseTokens([]byte(text))
	require.NoError(t, err)
	return parsed
}

func itoa(n int) string { return strconv.Itoa(n) }
