package a2a_test

import (
	"bytes"
	"cmp"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
)

// answered is what came back over HTTP, whatever the binding.
type answered struct {
	status  int
	jsonrpc int // error.code of JSON-RPC
	code    string
	header  http.Header
	message map[string]any
	task    map[string]any
	body    string
}

// post sends a message as it is written, as nobody's SDK would.
func (a *agent) post(t testing.TB, b a2a.Binding, user string, active bool, message string) answered {
	t.Helper()
	path := "/rpc"
	if b == a2a.REST {
		path = "/rest/message:send"
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.url+path, strings.NewReader(inside(b, message)))
	require.NoError(t, err)
	r.URL.RawQuery = a.query
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("A2A-Version", cmp.Or(a.version, "1.0"))
	if active {
		r.Header.Set("A2A-Extensions", "https://other.example/ext, "+protocol.ExtensionURI)
	}
	if user != "" {
		r.Header.Set("Authorization", "Bearer "+user)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: a.roots}}
	defer transport.CloseIdleConnections()
	resp, err := (&http.Client{Transport: transport}).Do(r)
	require.NoError(t, err)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	var v struct {
		Result, Error, Message, Task json.RawMessage
	}
	require.NoError(t, json.Unmarshal(body, &v), string(body))
	got := answered{status: resp.StatusCode, header: resp.Header, body: string(body)}
	if v.Error != nil {
		var e struct {
			Code          int
			Data, Details []map[string]any
		}
		require.NoError(t, json.Unmarshal(v.Error, &e))
		for _, d := range append(e.Data, e.Details...) {
			if code, ok := d[protocol.KeyError].(string); ok {
				got.code = code
			}
		}
		if b == a2a.JSONRPC {
			got.jsonrpc = e.Code
		}
		return got
	}
	if b == a2a.JSONRPC {
		require.NoError(t, json.Unmarshal(v.Result, &v))
	}
	if v.Message != nil {
		require.NoError(t, json.Unmarshal(v.Message, &got.message))
	}
	if v.Task != nil {
		require.NoError(t, json.Unmarshal(v.Task, &got.task))
	}
	return got
}

// httpBindings are those that carry JSON.
func httpBindings(t *testing.T, f func(t *testing.T, b a2a.Binding)) {
	t.Helper()
	for _, b := range []a2a.Binding{a2a.JSONRPC, a2a.REST} {
		t.Run(b.String(), func(t *testing.T) {
			t.Parallel()
			f(t, b)
		})
	}
}

const readIntent = `@prefix a2a: <https://w3id.org/jeswr/a2a#>. @prefix schema: <https://schema.org/>.
<urn:a2a:intent:1> a a2a:Intent; a2a:action [ a schema:ReadAction; schema:object <https://alice.pod.example/notes/> ].`

// draft is a message to be written, part by part.
type draft struct {
	id, context string
	bare        bool // without Message.extensions
	parts       []map[string]any
	meta        map[string]any
	role        string
}

func (d draft) String() string {
	role := d.role
	if role == "" {
		role = "ROLE_USER"
	}
	m := map[string]any{"messageId": d.id, "role": role, "parts": d.parts}
	if d.context != "" {
		m["contextId"] = d.context
	}
	if !d.bare {
		m["extensions"] = []string{protocol.ExtensionURI}
	}
	if d.meta != nil {
		m["metadata"] = d.meta
	}
	out, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(out)
}

func intentPart(pin, text string) map[string]any {
	return map[string]any{
		"text": text, "mediaType": "text/turtle",
		"metadata": map[string]any{protocol.KeyKind: "intent", protocol.KeyProtocolHash: pin},
	}
}

func with(part map[string]any, name string, value any) map[string]any {
	c := map[string]any{}
	for k, v := range part {
		c[k] = v
	}
	if value == nil {
		delete(c, name)
	} else {
		c[name] = value
	}
	return c
}

// Every row of section 6.4, on the wire.
func TestWire(t *testing.T) {
	t.Parallel()
	a := newAgent(t, agentOptions{})
	pin := a.read.Pin().String()
	good := intentPart(pin, readIntent)
	offerData := map[string]any{"kind": "upgrade-offer", "protocolHash": a.grant.Pin().String(), "protocolSource": source + "grant", "required": true}
	offerPart := map[string]any{"data": offerData, "mediaType": "application/json", "metadata": map[string]any{protocol.KeyKind: "upgrade-offer"}}
	other := a.grant.Pin().String()
	rows := []struct {
		name    string
		d       draft
		jsonrpc int // 0: an answer
		code    protocol.Code
	}{
		{"intent", draft{parts: []map[string]any{good}}, 0, ""},
		{"offer", draft{parts: []map[string]any{offerPart}}, 0, ""},
		{"offer without tags", draft{parts: []map[string]any{{"data": offerData}}}, 0, ""},
		{"intent with commentary", draft{parts: []map[string]any{{"text": "delete everything"}, good}}, 0, ""},
		{"intent without a pin", draft{parts: []map[string]any{with(good, "metadata", map[string]any{protocol.KeyKind: "intent"})}}, -32602, protocol.CodeMalformedPayload},
		{"plain text", draft{parts: []map[string]any{with(good, "mediaType", "text/plain")}}, -32005, protocol.CodeUnsupportedMediaType},
		{"no media type", draft{parts: []map[string]any{with(good, "mediaType", nil)}}, -32005, protocol.CodeUnsupportedMediaType},
		{"by a URL", draft{parts: []map[string]any{with(with(good, "text", nil), "url", "https://x.example/")}}, -32602, protocol.CodeMalformedPayload},
		{"raw", draft{parts: []map[string]any{with(with(good, "text", nil), "raw", "aGk=")}}, -32602, protocol.CodeMalformedPayload},
		{"two intents", draft{parts: []map[string]any{good, good}}, -32602, protocol.CodeMalformedPayload},
		{"kind in another case", draft{parts: []map[string]any{with(good, "metadata", map[string]any{protocol.KeyKind: "Intent", protocol.KeyProtocolHash: pin})}}, -32602, protocol.CodeMalformedPayload},
		{"kind that is a boolean", draft{parts: []map[string]any{with(good, "metadata", map[string]any{protocol.KeyKind: true, protocol.KeyProtocolHash: pin})}}, -32602, protocol.CodeMalformedPayload},
		{"offer as text", draft{parts: []map[string]any{with(with(offerPart, "data", nil), "text", "{}")}}, -32005, protocol.CodeUnsupportedMediaType},
		{"offer that is called a response", draft{parts: []map[string]any{with(offerPart, "metadata", map[string]any{protocol.KeyKind: "upgrade-response"})}}, -32602, protocol.CodeMalformedPayload},
		{"offer whose flag is text", draft{parts: []map[string]any{with(offerPart, "data", with(offerData, "required", "true"))}}, -32602, protocol.CodeMalformedPayload},
		{"offer without a flag", draft{parts: []map[string]any{with(offerPart, "data", with(offerData, "required", nil))}}, -32602, protocol.CodeMalformedPayload},
		{"offer of another hash", draft{parts: []map[string]any{with(offerPart, "data", with(offerData, "protocolHash", "sha512:00"))}}, -32602, protocol.CodeUnsupportedHash},
		{"without extensions", draft{bare: true, parts: []map[string]any{good}}, -32602, protocol.CodeExtensionNotActive},
		{"offer and intent", draft{parts: []map[string]any{offerPart, good}}, -32602, protocol.CodeMalformedPayload},
		{"a pin that is not agreed", draft{parts: []map[string]any{intentPart(other, readIntent)}}, -32004, protocol.CodeUnsupportedProtocol},
		{"another charset", draft{parts: []map[string]any{with(good, "mediaType", "text/turtle; charset=iso-8859-1")}}, -32005, protocol.CodeUnsupportedMediaType},
		{"TriG", draft{parts: []map[string]any{with(good, "mediaType", "application/trig")}}, -32005, protocol.CodeUnsupportedMediaType},
		{"shape", draft{parts: []map[string]any{intentPart(pin, `<urn:i> a <https://w3id.org/jeswr/a2a#Intent> .`)}}, -32602, protocol.CodeIntentInvalid},
		{"no intent", draft{parts: []map[string]any{intentPart(pin, ``)}}, -32602, protocol.CodeIntentInvalid},
		{"cut in the middle", draft{parts: []map[string]any{intentPart(pin, readIntent[:120])}}, -32602, protocol.CodeMalformedPayload},
		{"mandate", draft{parts: []map[string]any{intentPart(pin, strings.Replace(readIntent, "notes", "secrets", 1))}}, -31403, protocol.CodeAuthorizationDenied},
		{"too large", draft{parts: []map[string]any{intentPart(pin, readIntent+strings.Repeat("#", 300<<10))}}, -32602, protocol.CodeLimitExceeded},
		{"from an agent", draft{role: "ROLE_AGENT", parts: []map[string]any{good}}, -32602, protocol.CodeMalformedPayload},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			httpBindings(t, func(t *testing.T, b a2a.Binding) {
				d := row.d
				d.id = row.name + b.String()
				got := a.post(t, b, "bob", true, d.String())
				require.Equal(t, []string{protocol.ExtensionURI}, got.header.Values("A2A-Extensions"))
				if row.jsonrpc == 0 {
					require.NotNil(t, got.message, got.body)
					require.Equal(t, []any{protocol.ExtensionURI}, got.message["extensions"])
					require.NotEmpty(t, got.message["contextId"])
					require.Equal(t, "ROLE_AGENT", got.message["role"])
					return
				}
				require.Equal(t, string(row.code), got.code, got.body)
				status, ok := row.code.Status()
				require.True(t, ok)
				if b == a2a.JSONRPC {
					require.Equal(t, row.jsonrpc, got.jsonrpc)
				} else {
					require.Equal(t, status.HTTP, got.status)
				}
				require.NotContains(t, a.executed(), d.id)
			})
		})
	}
}

// Without activation nothing is acted on, and where the card requires the extension
// nothing is answered.
func TestActivation(t *testing.T) {
	t.Parallel()
	httpBindings(t, func(t *testing.T, b a2a.Binding) {
		a := newAgent(t, agentOptions{})
		d := draft{id: "m1", parts: []map[string]any{intentPart(a.read.Pin().String(), readIntent)}}
		got := a.post(t, b, "bob", false, d.String())
		require.Equal(t, string(protocol.CodeExtensionNotActive), got.code, got.body)
		require.Empty(t, got.header.Values("A2A-Extensions"))
		require.Empty(t, a.executed())

		a = newAgent(t, agentOptions{required: true})
		d.id = "m2"
		got = a.post(t, b, "bob", false, d.String())
		if b == a2a.JSONRPC {
			require.Equal(t, -32008, got.jsonrpc, got.body)
		} else {
			require.Equal(t, http.StatusBadRequest, got.status)
			require.Contains(t, got.body, "EXTENSION_SUPPORT_REQUIRED")
			require.Contains(t, got.body, "FAILED_PRECONDITION")
		}
		require.Empty(t, a.executed())
		got = a.post(t, b, "bob", true, d.String())
		require.NotNil(t, got.message, got.body)
		require.Equal(t, []string{"m2"}, a.executed())
	})
}

// TestVersions: a request in a version of A2A that is not spoken here is refused, also one
// of natural language, and so is a payload in A2A 0.3, wherever the version is named.
func TestVersions(t *testing.T) {
	t.Parallel()
	const unknown, old = "VERSION_NOT_SUPPORTED", string(protocol.CodeExtensionNotActive)
	httpBindings(t, func(t *testing.T, b a2a.Binding) {
		for _, row := range []struct{ version, query, refused string }{
			{"1", "", ""}, {"1.0", "", ""}, {"1.7", "", ""}, {" ", "", ""}, {"1.0, 1.1", "", ""},
			{"2.0", "", unknown}, {"10.0", "", unknown}, {"v1.0", "", unknown}, {"1.0, 2.0", "", unknown}, {"x", "", unknown},
			{"0.3", "", old}, {"1.0, 0.3", "", old},
			{" ", "A2A-Version=1.0", ""}, {"1.0", "a=b&A2A-Version=1.0", ""}, {" ", "A2A-Version=0.3", old},
			{" ", "A2A-Version=2.0", unknown}, {"1.0", "A2A-Version=2.0", unknown},
		} {
			a := newAgent(t, agentOptions{})
			a.version, a.query = row.version, row.query
			got := a.post(t, b, "bob", true, draft{id: "m1", parts: []map[string]any{intentPart(a.read.Pin().String(), readIntent)}}.String())
			if row.refused == "" {
				require.NotNil(t, got.message, got.body)
				require.Equal(t, []string{"m1"}, a.executed(), "%q", row)
				continue
			}
			require.Contains(t, got.body, row.refused, "%q", row)
			require.Empty(t, a.executed())
			switch {
			case row.refused == old:
			case b == a2a.JSONRPC:
				require.Equal(t, -32009, got.jsonrpc, got.body)
			default:
				require.Equal(t, http.StatusBadRequest, got.status)
			}
		}
	})
}

// Every row of section 9.6.
func TestReplay(t *testing.T) {
	t.Parallel()
	httpBindings(t, func(t *testing.T, b a2a.Binding) {
		a := newAgent(t, agentOptions{})
		pin := a.read.Pin().String()
		send := func(user, id, context, target string) answered {
			d := draft{id: id, context: context, parts: []map[string]any{intentPart(pin, strings.Replace(readIntent, "notes", target, 1))}}
			return a.post(t, b, user, true, d.String())
		}
		first := send("bob", "m-1", "ctx-7", "notes")
		require.NotNil(t, first.message, first.body)
		again := send("bob", "m-1", "ctx-7", "notes")
		require.Equal(t, first.message, again.message)
		require.Equal(t, []string{"m-1"}, a.executed())

		other := send("bob", "m-1", "ctx-7", "photos")
		require.Equal(t, string(protocol.CodeDuplicateMessage), other.code, other.body)
		require.Equal(t, []string{"m-1"}, a.executed())

		var wg sync.WaitGroup
		bodies := make([]answered, 8)
		for i := range bodies {
			wg.Go(func() { bodies[i] = send("bob", "m-2", "ctx-7", "notes") })
		}
		wg.Wait()
		require.Equal(t, []string{"m-1", "m-2"}, a.executed())
		for _, got := range bodies {
			require.Equal(t, bodies[0].message, got.message, got.body)
		}

		require.NotNil(t, send("bob", "m-1", "ctx-8", "notes").message)
		require.NotNil(t, send("carol", "m-1", "ctx-7", "notes").message)
		require.NotNil(t, send("bob", "m-3", "ctx-7", "notes").message)
		require.Equal(t, []string{"m-1", "m-2", "m-1", "m-1", "m-3"}, a.executed())

		// A refusal is answered again, too.
		denied := send("bob", "m-4", "ctx-7", "secrets")
		require.Equal(t, string(protocol.CodeAuthorizationDenied), denied.code, denied.body)
		denied = send("bob", "m-4", "ctx-7", "secrets")
		require.Equal(t, string(protocol.CodeAuthorizationDenied), denied.code, denied.body)

		// A first message has no context.
		one := send("bob", "m-5", "", "notes")
		two := send("bob", "m-5", "", "notes")
		require.NotNil(t, one.message, one.body)
		require.Equal(t, one.message, two.message)
		require.Len(t, a.executed(), 6)
		// Nor is it another one with the context that it was given.
		send("bob", "m-5", one.message["contextId"].(string), "notes")
		require.Len(t, a.executed(), 6)

		empty := send("bob", "", "ctx-7", "notes")
		require.Nil(t, empty.message, empty.body)
		require.Len(t, a.executed(), 6)
	})
}

// A full table refuses: nothing is carried out unprotected.
func TestReplayFull(t *testing.T) {
	t.Parallel()
	a := newAgent(t, agentOptions{engine: func(c *engine.Config) { c.Store = oneMessage() }})
	for i := range 3 {
		d := draft{id: fmt.Sprint("m", i), context: "c", parts: []map[string]any{intentPart(a.read.Pin().String(), readIntent)}}
		got := a.post(t, a2a.JSONRPC, "bob", true, d.String())
		if i == 0 {
			require.NotNil(t, got.message, got.body)
			continue
		}
		require.Equal(t, string(protocol.CodeLimitExceeded), got.code, got.body)
	}
	require.Equal(t, []string{"m0"}, a.executed())
}

// Once there is a task, a refusal is a failed task.
func TestFailedTask(t *testing.T) {
	t.Parallel()
	httpBindings(t, func(t *testing.T, b a2a.Binding) {
		asks := &asker{}
		a := newAgent(t, agentOptions{executor: asks.around})
		got := a.post(t, b, "bob", true, `{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"begin a task"}]}`)
		require.NotNil(t, got.task, got.body)
		id, ctx := got.task["id"].(string), got.task["contextId"].(string)

		var m bytes.Buffer
		fmt.Fprintf(&m, `{"messageId":"m2","taskId":%q,"contextId":%q,"role":"ROLE_USER","extensions":[%q],"parts":[{"text":"x","mediaType":"text/turtle","metadata":{%q:"intent"}}]}`,
			id, ctx, protocol.ExtensionURI, protocol.KeyKind)
		got = a.post(t, b, "bob", true, m.String())
		require.NotNil(t, got.task, got.body)
		status := got.task["status"].(map[string]any)
		require.Equal(t, "TASK_STATE_FAILED", status["state"])
		message := status["message"].(map[string]any)
		require.Equal(t, map[string]any{protocol.KeyError: string(protocol.CodeMalformedPayload)}, message["metadata"])
		require.Equal(t, []any{protocol.ExtensionURI}, message["extensions"])
		require.Equal(t, id, message["taskId"])
		require.Empty(t, a.executed())
	})
}

// An intent within a task of the application ends that task.
func TestIntentInTask(t *testing.T) {
	t.Parallel()
	httpBindings(t, func(t *testing.T, b a2a.Binding) {
		asks := &asker{}
		a := newAgent(t, agentOptions{executor: asks.around})
		got := a.post(t, b, "bob", true, `{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"begin a task"}]}`)
		require.NotNil(t, got.task, got.body)
		part, err := json.Marshal(intentPart(a.read.Pin().String(), readIntent))
		require.NoError(t, err)
		m := fmt.Sprintf(`{"messageId":"m2","taskId":%q,"contextId":%q,"role":"ROLE_USER","extensions":[%q],"parts":[%s]}`,
			got.task["id"], got.task["contextId"], protocol.ExtensionURI, part)
		got = a.post(t, b, "bob", true, m)
		require.NotNil(t, got.task, got.body)
		status := got.task["status"].(map[string]any)
		require.Equal(t, "TASK_STATE_COMPLETED", status["state"], got.body)
		require.Contains(t, got.body, protocol.KeyProtocolHash)
		require.Equal(t, []string{"m2"}, a.executed())
	})
}

// What was agreed in one context is not agreed in another (section 6.4).
func TestOtherContext(t *testing.T) {
	t.Parallel()
	httpBindings(t, func(t *testing.T, b a2a.Binding) {
		a := newAgent(t, agentOptions{})
		v := dial(t, a, a.clientConfig(t, b)).Conversation("")
		r, err := v.Offer(t.Context(), offer(a, a.grant, true))
		require.NoError(t, err)
		require.Equal(t, engine.KindAgreed, r.Kind, "%s", r.Trace)
		grant := `@prefix a2a: <https://w3id.org/jeswr/a2a#>. @prefix schema: <https://schema.org/>. @prefix acl: <http://www.w3.org/ns/auth/acl#>.
<urn:a2a:intent:1> a a2a:Intent; a2a:action [ a a2a:GrantAction; schema:object <https://alice.pod.example/notes/>;
  schema:recipient <https://bob.example/profile#me>; a2a:mode acl:Read ].`
		for _, row := range []struct {
			user, context string
			code          protocol.Code
		}{
			{"bob", "elsewhere", protocol.CodeUnsupportedProtocol},
			{"bob", "", protocol.CodeUnsupportedProtocol},
			{"carol", v.ContextID(), protocol.CodeUnsupportedProtocol},
			{"", v.ContextID(), protocol.CodeUnsupportedProtocol},
			{"bob", v.ContextID(), ""},
		} {
			d := draft{id: row.user + row.context, context: row.context, parts: []map[string]any{intentPart(a.grant.Pin().String(), grant)}}
			got := a.post(t, b, row.user, true, d.String())
			require.Equal(t, string(row.code), got.code, got.body)
		}
		require.Len(t, a.executed(), 1)
	})
}
