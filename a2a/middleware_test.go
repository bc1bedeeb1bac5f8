package a2a_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
)

// inside puts a message into the request of a binding.
func inside(b a2a.Binding, message string) string {
	if b == a2a.JSONRPC {
		return `{"jsonrpc":"2.0","id":"1","method":"SendMessage","params":{"message":` + message + `}}`
	}
	return `{"message":` + message + `}`
}

// What two readers could read in two ways, and what is too large, does not reach the
// SDK, and is answered by an error of the binding.
func TestBodies(t *testing.T) {
	t.Parallel()
	part := func(s string) string {
		return `{"messageId":"m","role":"ROLE_USER","parts":[` + s + `]}`
	}
	for _, row := range []struct {
		name, message string
		jsonrpc       int // 0: passes
		code          protocol.Code
	}{
		{"text", part(`{"text":"hello"}`), 0, ""},
		{"data", part(`{"data":{"a":1e2,"b":[null]}}`), 0, ""},
		{"unknown members", part(`{"text":"hello","x":1,"message_id":2}`), 0, ""},
		{"names of a payload in any case", part(`{"data":{"Data":1,"DATA":2}}`), 0, ""},
		{"member of data twice", part(`{"data":{"required":true,"required":false}}`), -32602, protocol.CodeMalformedPayload},
		{"member twice by an escape", part(`{"data":{"required":true,"requir\u0065d":false}}`), -32602, protocol.CodeMalformedPayload},
		{"member of the message twice", `{"messageId":"m","messageId":"n","role":"ROLE_USER","parts":[{"text":"a"}]}`, -32602, protocol.CodeMalformedPayload},
		{"member of metadata twice", part(`{"text":"a","metadata":{"k":1,"k":2}}`), -32602, protocol.CodeMalformedPayload},
		{"parts in another case", `{"messageId":"m","role":"ROLE_USER","Parts":[{"text":"a"}]}`, -32602, protocol.CodeMalformedPayload},
		{"parts in two cases", `{"messageId":"m","role":"ROLE_USER","parts":[{"text":"a"}],"PARTS":[{"text":"b"}]}`, -32602, protocol.CodeMalformedPayload},
		{"data in another case", part(`{"data":{"a":1},"Data":{"a":2}}`), -32602, protocol.CodeMalformedPayload},
		{"text with a long s", part("{\"text\":\"a\",\"extenſions\":1}"), 0, ""},
		{"extensions with a long s", "{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"extenſions\":[\"x\"],\"parts\":[{\"text\":\"a\"}]}", -32602, protocol.CodeMalformedPayload},
		{"lone surrogate", part(`{"text":"\ud800"}`), -32602, protocol.CodeMalformedPayload},
		{"surrogates the wrong way round", part(`{"text":"\udc00\ud800"}`), -32602, protocol.CodeMalformedPayload},
		{"invalid UTF-8", part("{\"text\":\"\xff\"}"), -32602, protocol.CodeMalformedPayload},
		{"number beyond doubles", part(`{"data":{"n":1e999}}`), -32602, protocol.CodeMalformedPayload},
		{"nested too deep", part(`{"data":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`), -32602, protocol.CodeLimitExceeded},
		{"too large", part(`{"text":"` + strings.Repeat("x", a2a.MaxMessage) + `"}`), -32602, protocol.CodeLimitExceeded},
		{"cut off", `{"messageId":"m"`, -32700, ""},
		{"not JSON", `hello`, -32700, ""},
		{"single quotes", part(`{'text':'a'}`), -32700, ""},
	} {
		for _, b := range []a2a.Binding{a2a.JSONRPC, a2a.REST} {
			t.Run(row.name+" "+b.String(), func(t *testing.T) {
				t.Parallel()
				body := inside(b, row.message)
				passed := false
				h := a2a.HTTP(b, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
					passed = true
					got, err := io.ReadAll(r.Body)
					require.NoError(t, err)
					require.Equal(t, body, string(got))
				}))
				w := httptest.NewRecorder()
				h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body)))
				if row.jsonrpc == 0 {
					require.True(t, passed, w.Body.String())
					return
				}
				require.False(t, passed)
				requireError(t, w, b, row.jsonrpc, row.code)
			})
		}
	}
}

// What is sent as something else than JSON as it stands is refused: pages of anyone's can
// have a browser send it.
func TestContentType(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name   string
		header http.Header
		ok     bool
	}{
		{"JSON", http.Header{"Content-Type": {"application/json"}}, true},
		{"JSON in UTF-8", http.Header{"Content-Type": {"Application/JSON; charset=UTF-8"}}, true},
		{"that of A2A", http.Header{"Content-Type": {"application/a2a+json"}}, true},
		{"none", http.Header{}, true},
		{"as it is", http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"identity"}}, true},
		{"text", http.Header{"Content-Type": {"text/plain"}}, false},
		{"JSON as text", http.Header{"Content-Type": {"text/json"}}, false},
		{"a form", http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, false},
		{"a form in parts", http.Header{"Content-Type": {"multipart/form-data; boundary=x"}}, false},
		{"text of JSON", http.Header{"Content-Type": {"text/plain+json"}}, false},
		{"UTF-16", http.Header{"Content-Type": {"application/json; charset=utf-16"}}, false},
		{"two", http.Header{"Content-Type": {"application/json", "text/plain"}}, false},
		{"an empty one", http.Header{"Content-Type": {""}}, false},
		{"two in one", http.Header{"Content-Type": {"text/plain, application/json"}}, false},
		{"gzip", http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"gzip"}}, false},
		{"gzip after nothing", http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"identity", "gzip"}}, false},
	} {
		for _, b := range []a2a.Binding{a2a.JSONRPC, a2a.REST} {
			t.Run(row.name+" "+b.String(), func(t *testing.T) {
				t.Parallel()
				passed := false
				h := a2a.HTTP(b, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { passed = true }))
				w := httptest.NewRecorder()
				r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(inside(b, `{"messageId":"m","role":"ROLE_USER","parts":[{"text":"a"}]}`)))
				r.Header = row.header
				h.ServeHTTP(w, r)
				require.Equal(t, row.ok, passed)
				if !row.ok {
					requireError(t, w, b, -32005, "")
				}
				bare := httptest.NewRequest(http.MethodGet, "/tasks/1", nil)
				bare.Header = row.header
				passed = false
				h.ServeHTTP(httptest.NewRecorder(), bare)
				require.True(t, passed, "a request without a body has no type")
			})
		}
	}
}

// A body that breaks off is answered as what it is, not as a success.
func TestBrokenBody(t *testing.T) {
	t.Parallel()
	httpBindings(t, func(t *testing.T, b a2a.Binding) {
		h := a2a.HTTP(b, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it passed") }))
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodPost, "/", io.MultiReader(strings.NewReader(`{}`), iotest.ErrReader(io.ErrUnexpectedEOF)))
		h.ServeHTTP(w, r)
		requireError(t, w, b, -32700, "")
	})
}

// requireError reads an error of a binding.
func requireError(t *testing.T, w *httptest.ResponseRecorder, b a2a.Binding, jsonrpc int, code protocol.Code) {
	t.Helper()
	var answer struct {
		JSONRPC string
		ID      any
		Error   struct {
			Code    int
			Status  string
			Message string
			Data    []map[string]any
			Details []map[string]any
		}
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer))
	require.Equal(t, "application/json", w.Header().Get("Content-Type"))
	details := answer.Error.Data
	if b == a2a.JSONRPC {
		require.Equal(t, http.StatusOK, w.Code)
		require.Equal(t, "2.0", answer.JSONRPC)
		require.Equal(t, jsonrpc, answer.Error.Code)
	} else {
		details = answer.Error.Details
		require.Equal(t, http.StatusBadRequest, w.Code)
		require.Equal(t, http.StatusBadRequest, answer.Error.Code)
		require.Equal(t, "INVALID_ARGUMENT", answer.Error.Status)
	}
	require.NotEmpty(t, answer.Error.Message)
	require.Equal(t, "a2a-protocol.org", details[len(details)-1]["domain"])
	if code == "" {
		require.Len(t, details, 1)
		return
	}
	require.Len(t, details, 2)
	require.Equal(t, string(code), details[0][protocol.KeyError])
}

// Several extensions in one field are separated, and none is doubled.
func TestExtensionsHeader(t *testing.T) {
	t.Parallel()
	other := "https://other.example/ext"
	for _, row := range []struct {
		name     string
		in, want []string
	}{
		{"none", nil, nil},
		{"one", []string{protocol.ExtensionURI}, []string{protocol.ExtensionURI}},
		{"comma", []string{other + "," + protocol.ExtensionURI}, []string{other, protocol.ExtensionURI}},
		{"space", []string{" " + other + " ,\t" + protocol.ExtensionURI + " "}, []string{other, protocol.ExtensionURI}},
		{"fields", []string{other, protocol.ExtensionURI}, []string{other, protocol.ExtensionURI}},
		{"twice and empty", []string{",," + other, other + ","}, []string{other}},
		{"a space inside stays", []string{"a b"}, []string{"a b"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			h := a2a.HTTP(a2a.REST, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.Header.Values("A2A-Extensions") }))
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			for _, v := range row.in {
				r.Header.Add("A2A-Extensions", v)
			}
			h.ServeHTTP(httptest.NewRecorder(), r)
			require.Equal(t, row.want, got)
		})
	}
}

// A stream, whose headers the SDK writes before anything else, names what was activated.
func TestStreamHeader(t *testing.T) {
	t.Parallel()
	a := newAgent(t, agentOptions{})
	for _, row := range []struct{ name, path, body string }{
		{"JSONRPC", "/rpc", `{"jsonrpc":"2.0","id":1,"method":"SendStreamingMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"hello"}]}}}`},
		{"HTTP+JSON", "/rest/message:stream", `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"hello"}]}}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			for _, active := range []bool{true, false} {
				r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, row.path, strings.NewReader(row.body))
				var want []string
				if active {
					r.Header.Set("A2A-Extensions", "https://other.example/x,"+protocol.ExtensionURI)
					want = []string{protocol.ExtensionURI}
				}
				w := httptest.NewRecorder()
				a.handler.ServeHTTP(w, r)
				require.Equal(t, http.StatusOK, w.Code)
				require.Equal(t, "text/event-stream", w.Header().Get("Content-Type"))
				require.Contains(t, w.Body.String(), "as you say")
				require.Equal(t, want, w.Header().Values("A2A-Extensions"))
			}
		})
	}
}

// The card is served as it is.
func TestCardHandler(t *testing.T) {
	t.Parallel()
	card := []byte("{ \"name\" : \"a\",\n\"capabilities\":{} }\n")
	h, err := a2a.CardHandler(card, 5*time.Minute)
	require.NoError(t, err)
	get := func(method, tag string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(method, a2a.CardPath, nil)
		if tag != "" {
			r.Header.Set("If-None-Match", tag)
		}
		h.ServeHTTP(w, r)
		return w
	}
	w := get(http.MethodGet, "")
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, card, w.Body.Bytes())
	require.Equal(t, "application/json", w.Header().Get("Content-Type"))
	require.Equal(t, "public, max-age=300", w.Header().Get("Cache-Control"))
	tag := w.Header().Get("ETag")
	require.NotEmpty(t, tag)
	w = get(http.MethodGet, tag)
	require.Equal(t, http.StatusNotModified, w.Code)
	require.Empty(t, w.Body.Bytes())
	require.Equal(t, http.StatusOK, get(http.MethodGet, `"other"`).Code)
	w = get(http.MethodHead, "")
	require.Equal(t, http.StatusOK, w.Code)
	require.Empty(t, w.Body.Bytes())
	require.Equal(t, http.StatusMethodNotAllowed, get(http.MethodPost, "").Code)

	for _, row := range []struct{ name, card string }{
		{"no JSON", `hello`},
		{"a list", `[]`},
		{"twice", `{"name":"a","name":"b"}`},
		{"a declaration that is none", `{"capabilities":{"extensions":[{"uri":"` + protocol.ExtensionURI + `","params":{"nlNegotiation":"true"}}]}}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, err := a2a.CardHandler([]byte(row.card), 0)
			require.Error(t, err)
		})
	}
}

// A server is made only with a card that says what the engine says.
func TestNewServer(t *testing.T) {
	t.Parallel()
	read, grant := document(t, protocol.VerbRead, true), document(t, protocol.VerbGrant, false)
	a := &agent{read: read, grant: grant, update: document(t, protocol.VerbUpdate, false)}
	e := a.clientEngine(t, func(c *engine.Config) { c.Declared = []engine.Declared{{Pin: read.Pin()}} })
	handler := a2a.HandlerFunc(func(context.Context, *engine.Intent) (engine.Answer, error) { return engine.Answer{}, nil })
	card := exampleCard("https://a.example/rpc", read.Pin().String())
	for _, row := range []struct {
		name   string
		config a2a.ServerConfig
		ok     bool
	}{
		{"good", a2a.ServerConfig{Engine: e, Handler: handler, Card: card}, true},
		{"no engine", a2a.ServerConfig{Handler: handler, Card: card}, false},
		{"no handler", a2a.ServerConfig{Engine: e, Card: card}, false},
		{"no card", a2a.ServerConfig{Engine: e, Handler: handler}, false},
		{"a card without the extension", a2a.ServerConfig{Engine: e, Handler: handler, Card: []byte(`{"name":"a"}`)}, false},
		{"a document that the engine does not declare", a2a.ServerConfig{Engine: e, Handler: handler, Card: exampleCard("https://a.example/rpc", grant.Pin().String())}, false},
		{"a document that peers drop", a2a.ServerConfig{Engine: e, Handler: handler, Card: bytes.Replace(card, []byte("sha256:"), []byte("SHA256:"), 1)}, false},
		{"no formats", a2a.ServerConfig{Engine: e, Handler: handler, Card: bytes.Replace(card, []byte(`["text/turtle"]`), []byte(`[]`), 1)}, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s, err := a2a.NewServer(row.config)
			if !row.ok {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			require.NotNil(t, s)
		})
	}
}
