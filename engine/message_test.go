package engine_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
)

const wholeMessage = `{"messageId":"m-1","contextId":"c","taskId":"t","role":"ROLE_AGENT","extensions":["urn:a"],"referenceTaskIds":["x"],` +
	`"metadata":{"k":[1,{"a":null}]},"parts":[{"text":"a\n\"\\\u0001b","mediaType":"text/plain","filename":"f","metadata":{}},{"data":{"x":1.50,"y":[]}},{"raw":"AQID"},{"url":"https://x.example/"}]}`

// TestMessageJSON: what is read is written again.
func TestMessageJSON(t *testing.T) {
	t.Parallel()
	m, err := engine.ParseMessage([]byte(wholeMessage), engine.Limits{})
	require.NoError(t, err)
	require.Equal(t, engine.RoleAgent, m.Role)
	require.Equal(t, "a\n\"\\\x01b", m.Parts[0].Text)
	require.Equal(t, `{"x":1.50,"y":[]}`, string(m.Parts[1].Data))
	require.Equal(t, []byte{1, 2, 3}, m.Parts[2].Data)
	require.Equal(t, engine.URL, m.Parts[3].Content)
	out, err := m.AppendJSON([]byte("x"))
	require.NoError(t, err)
	require.JSONEq(t, wholeMessage, string(out[1:]))
	again, err := engine.ParseMessage(out[1:], engine.Limits{})
	require.NoError(t, err)
	require.Equal(t, m, again)

	for name, bad := range map[string]engine.Message{
		"no role":             {Parts: []engine.Part{{Content: engine.Text}}},
		"no content":          {Role: engine.RoleUser, Parts: []engine.Part{{}}},
		"data that is none":   {Role: engine.RoleUser, Parts: []engine.Part{{Content: engine.Data, Data: []byte("{")}}},
		"broken metadata":     {Role: engine.RoleUser, Metadata: []byte("{")},
		"broken metadata too": {Role: engine.RoleUser, Parts: []engine.Part{{Content: engine.Text, Metadata: []byte("}")}}},
	} {
		_, err := bad.AppendJSON(nil)
		require.Error(t, err, name)
	}
}

// TestParseMessageRefuses: each row is a change of a message that is read.
func TestParseMessageRefuses(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, old, by string
		code          protocol.Code
	}{
		{"nothing", wholeMessage, "", protocol.CodeMalformedPayload},
		{"an array", wholeMessage, "[]", protocol.CodeMalformedPayload},
		{"a second value", `}]}`, `}]}{}`, protocol.CodeMalformedPayload},
		{"a duplicate", `"contextId":"c"`, `"contextId":"c","contextId":"d"`, protocol.CodeMalformedPayload},
		{"a duplicate in data", `"x":1.50`, `"x":1.50,"x":2`, protocol.CodeMalformedPayload},
		{"another case", `"contextId"`, `"contextID"`, protocol.CodeMalformedPayload},
		{"parts twice in two spellings", `"parts"`, `"Parts":[],"parts"`, protocol.CodeMalformedPayload},
		{"underscores", `"contextId"`, `"context_id"`, protocol.CodeMalformedPayload},
		{"underscores in a part", `"mediaType"`, `"media_type"`, protocol.CodeMalformedPayload},
		{"A2A 0.3", `"messageId"`, `"kind":"message","messageId"`, protocol.CodeMalformedPayload},
		{"the role of A2A 0.3", `ROLE_AGENT`, `agent`, protocol.CodeMalformedPayload},
		{"no role", `"role":"ROLE_AGENT",`, ``, protocol.CodeMalformedPayload},
		{"an id that is no string", `"m-1"`, `1`, protocol.CodeMalformedPayload},
		{"parts that are none", `"parts":[`, `"parts":1,"x":[`, protocol.CodeMalformedPayload},
		{"a part that is none", `{"url":"https://x.example/"}`, `null`, protocol.CodeMalformedPayload},
		{"a part of two contents", `{"raw":"AQID"}`, `{"raw":"AQID","text":"x"}`, protocol.CodeMalformedPayload},
		{"a part without content", `{"raw":"AQID"}`, `{}`, protocol.CodeMalformedPayload},
		{"a text that is none", `{"raw":"AQID"}`, `{"text":null}`, protocol.CodeMalformedPayload},
		{"raw that is no base64", `AQID`, `!`, protocol.CodeMalformedPayload},
		{"metadata that is none", `"metadata":{}`, `"metadata":[]`, protocol.CodeMalformedPayload},
		{"an extension that is none", `["urn:a"]`, `[1]`, protocol.CodeMalformedPayload},
		{"extensions that are none", `["urn:a"]`, `"urn:a"`, protocol.CodeMalformedPayload},
		{"too large", `"a\n`, `"` + strings.Repeat("a", 1<<20), protocol.CodeLimitExceeded},
		{"too deep", `[1,`, strings.Repeat("[", 70) + strings.Repeat("]", 70) + `,"z":[1,`, protocol.CodeLimitExceeded},
		{"too many parts", `{"raw":"AQID"}`, strings.Repeat(`{"text":""},`, 64) + `{"raw":"AQID"}`, protocol.CodeLimitExceeded},
		{"too many extensions", `["urn:a"]`, `["x"` + strings.Repeat(`,"x"`, 64) + `]`, protocol.CodeLimitExceeded},
	} {
		text := strings.Replace(wholeMessage, row.old, row.by, 1)
		require.NotEqual(t, wholeMessage, text, row.name)
		m, err := engine.ParseMessage([]byte(text), engine.Limits{})
		var p *protocol.Error
		require.ErrorAs(t, err, &p, row.name)
		require.Equal(t, row.code, p.Code, row.name)
		require.Equal(t, engine.Message{}, m, row.name)
	}
}

// TestParseReply: errors and tasks as they come back (section 8.3).
func TestParseReply(t *testing.T) {
	t.Parallel()
	message := `{"messageId":"r","contextId":"c","role":"ROLE_AGENT","parts":[{"text":"x"}]}`
	key := `"` + protocol.KeyError + `":"intent-invalid"`
	for _, row := range []struct {
		name, text string
		want       func(t *testing.T, r engine.Reply)
	}{
		{"a message", `{"message":` + message + `}`, func(t *testing.T, r engine.Reply) { require.Equal(t, "r", r.Message.ID) }},
		{"of JSON-RPC", `{"jsonrpc":"2.0","id":"1","result":{"message":` + message + `}}`, func(t *testing.T, r engine.Reply) { require.Equal(t, "r", r.Message.ID) }},
		{"an error", `{"jsonrpc":"2.0","id":"1","error":{"code":-32602,"message":"no","data":[{"@type":"type.googleapis.com/google.protobuf.Struct",` + key + `},{"reason":"X"}]}}`, func(t *testing.T, r engine.Reply) {
			require.True(t, r.Failed)
			require.Equal(t, protocol.CodeIntentInvalid, r.Code)
			require.Equal(t, "no", r.Text)
		}},
		{"a nested detail", `{"error":{"data":[{},{"value":{` + key + `}}]}}`, func(t *testing.T, r engine.Reply) { require.Equal(t, protocol.CodeIntentInvalid, r.Code) }},
		{"an object of details", `{"error":{"data":{"metadata":{` + key + `}}}}`, func(t *testing.T, r engine.Reply) { require.Equal(t, protocol.CodeIntentInvalid, r.Code) }},
		{"details of HTTP", `{"error":{"details":[{` + key + `}]}}`, func(t *testing.T, r engine.Reply) { require.Equal(t, protocol.CodeIntentInvalid, r.Code) }},
		{"a code that is a number", `{"error":{"data":[{"` + protocol.KeyError + `":1}]}}`, func(t *testing.T, r engine.Reply) { require.Empty(t, r.Code) }},
		{"a code in another case", `{"error":{"data":[{"` + protocol.KeyError + `":"INTENT-INVALID"}]}}`, func(t *testing.T, r engine.Reply) { require.Empty(t, r.Code) }},
		{"another key", `{"error":{"data":[{"` + protocol.ExtensionURI + `":"intent-invalid"}]}}`, func(t *testing.T, r engine.Reply) { require.Empty(t, r.Code) }},
		{"an error without anything", `{"error":null}`, func(t *testing.T, r engine.Reply) { require.True(t, r.Failed) }},
		{"a failed task", `{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_FAILED","message":{"messageId":"r","role":"ROLE_AGENT","metadata":{` + key + `},"parts":[]}}}}`, func(t *testing.T, r engine.Reply) {
			require.Equal(t, engine.TaskFailed, r.State)
			require.Equal(t, protocol.CodeIntentInvalid, r.Code)
			require.Equal(t, "t", r.TaskID)
			require.Equal(t, "c", r.ContextID)
		}},
		{"a failed task whose event had the code", `{"task":{"id":"t","metadata":{` + key + `},"status":{"state":"TASK_STATE_FAILED","message":{"messageId":"r","role":"ROLE_AGENT","parts":[]}}}}`, func(t *testing.T, r engine.Reply) {
			require.Equal(t, protocol.CodeIntentInvalid, r.Code)
		}},
		{"a completed task whose event had the code", `{"task":{"id":"t","metadata":{` + key + `},"status":{"state":"TASK_STATE_COMPLETED"}}}`, func(t *testing.T, r engine.Reply) { require.Empty(t, r.Code) }},
		{"a rejected task", `{"task":{"id":"t","status":{"state":"TASK_STATE_REJECTED"}}}`, func(t *testing.T, r engine.Reply) { require.Equal(t, engine.TaskFailed, r.State) }},
		{"a code on a completed task", `{"task":{"id":"t","status":{"state":"TASK_STATE_COMPLETED","message":{"messageId":"r","role":"ROLE_AGENT","metadata":{` + key + `},"parts":[]}}}}`, func(t *testing.T, r engine.Reply) {
			require.Equal(t, engine.TaskCompleted, r.State)
			require.Empty(t, r.Code)
		}},
		{"artifacts", `{"id":"t","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"artifactId":"a","extensions":["urn:a"],"metadata":{},"parts":[{"text":"x"}]}]}`, func(t *testing.T, r engine.Reply) {
			require.Equal(t, []engine.Artifact{{ID: "a", Extensions: []string{"urn:a"}, Metadata: []byte("{}"), Parts: []engine.Part{{Content: engine.Text, Text: "x"}}}}, r.Artifacts)
		}},
		{"a challenge", `{"error":{"data":[{"` + protocol.KeyChallenge + `":{"challenge":"c","domain":"d","expires":"2026-08-01T12:00:00Z"}}]}}`, func(t *testing.T, r engine.Reply) {
			require.Equal(t, engine.Challenge{Challenge: "c", Domain: "d", Expires: noon}, *r.Challenge)
		}},
		{"a challenge that is none", `{"error":{"data":[{"` + protocol.KeyChallenge + `":{"challenge":"c","domain":"d","expires":"soon"}}]}}`, func(t *testing.T, r engine.Reply) { require.Nil(t, r.Challenge) }},
		{"nothing", `{}`, nil},
		{"both", `{"message":` + message + `,"task":{}}`, nil},
		{"no state", `{"task":{"id":"t"}}`, nil},
		{"a state of A2A 0.3", `{"task":{"status":{"state":"failed"}}}`, nil},
		{"a broken artifact", `{"task":{"status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"parts":1}]}}`, nil},
		{"artifacts that are an object", `{"task":{"status":{"state":"TASK_STATE_COMPLETED"},"artifacts":{"parts":[]}}}`, nil},
		{"artifacts that are a text", `{"task":{"status":{"state":"TASK_STATE_COMPLETED"},"artifacts":"x"}}`, nil},
		{"no artifacts", `{"task":{"status":{"state":"TASK_STATE_COMPLETED"},"artifacts":null}}`, func(t *testing.T, r engine.Reply) { require.Empty(t, r.Artifacts) }},
		{"no JSON", `{`, nil},
		{"an error whose text is cut", `{"error":{"message":"x` + strings.Repeat("é", 8<<10) + `"}}`, func(t *testing.T, r engine.Reply) {
			require.True(t, r.Failed)
			require.Equal(t, "x"+strings.Repeat("é", 4<<10-1), r.Text)
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r, err := engine.ParseReply([]byte(row.text), engine.Limits{})
			if row.want == nil {
				require.Error(t, err)
				require.Equal(t, engine.Reply{}, r)
				return
			}
			require.NoError(t, err)
			row.want(t, r)
		})
	}
}

// TestAssembly: chunks are put together before anything is decoded (BIND-11).
func TestAssembly(t *testing.T) {
	t.Parallel()
	doc := read(t)
	pin := doc.Pin().String()
	chunk := func(text string) engine.Artifact {
		return engine.Artifact{ID: "a", Extensions: []string{uri}, Parts: []engine.Part{payload("response", pin, text, turtleMT)}}
	}
	var a engine.Assembly
	require.Error(t, a.Add(chunk("x"), true), "nothing began")
	for i := range len(readResponse) {
		require.NoError(t, a.Add(chunk(readResponse[i:i+1]), i > 0))
	}
	comment := engine.Artifact{ID: "a", Parts: []engine.Part{{Content: engine.Text, Text: "comment"}}}
	require.NoError(t, a.Add(comment, true))
	require.NoError(t, a.Add(engine.Artifact{ID: "b", Parts: comment.Parts}, false))
	got := a.Artifacts()
	require.Len(t, got, 2)
	require.Len(t, got[0].Parts, 2)
	require.Equal(t, readResponse, got[0].Parts[0].Text)
	require.Equal(t, got, a.Artifacts())

	client := newSide(t, &clock{at: noon}, "bob", []*protocol.Reviewed{doc}, nil)
	to := engine.To{Peer: bobToAlice, ContextID: "ctx"}
	to.Peer.Accepts = accepted(t, doc.Pin())
	sent, err := client.Intent(t.Context(), to, engine.IntentDraft{Pin: doc.Pin(), Body: readIntent, MediaType: turtleMT})
	require.NoError(t, err)
	o := receiveReply(t, client, bobToAlice, sent, engine.Reply{State: engine.TaskCompleted, TaskID: "t", ContextID: "ctx", Artifacts: got})
	require.Equal(t, engine.KindResponse, o.Kind, "%s", o.Trace)
	require.True(t, o.Response.Validated)

	require.NoError(t, a.Add(chunk("sent anew"), false))
	require.Equal(t, "sent anew", a.Artifacts()[0].Parts[0].Text)
	full := engine.Assembly{Limits: engine.Limits{Message: 1000}}
	require.NoError(t, full.Add(chunk("x"), false))
	require.Error(t, full.Add(chunk(strings.Repeat("x", 1000)), true))
	many := engine.Assembly{Limits: engine.Limits{Parts: 2}}
	require.NoError(t, many.Add(comment, false))
	require.NoError(t, many.Add(comment, true))
	require.Error(t, many.Add(comment, true))
	var most engine.Assembly // as many artifacts as there may be parts
	for i := range 64 {
		one := chunk("x")
		one.ID = strconv.Itoa(i)
		require.NoError(t, most.Add(one, false))
	}
	last := chunk("y")
	last.ID = "63"
	require.NoError(t, most.Add(last, true))
	require.Equal(t, "xy", most.Artifacts()[63].Parts[0].Text)
	for range 64 { // sent anew, as an agent does that tells how far it is
		require.NoError(t, most.Add(last, false))
	}
	require.Error(t, most.Add(engine.Artifact{ID: "63", Parts: append(last.Parts, last.Parts...)}, false))
	require.Error(t, most.Add(engine.Artifact{ID: "64"}, false))
}

// TestAssemblyLongMetadata: the metadata of a part is read once, and not for every piece
// of what follows. Without that it takes half a minute.
func TestAssemblyLongMetadata(t *testing.T) {
	t.Parallel()
	kind := `"` + uri + `/kind":"response"`
	piece := func(metadata string) engine.Artifact {
		return engine.Artifact{ID: "a", Parts: []engine.Part{{Content: engine.Text, Text: "x", Metadata: []byte(metadata)}}}
	}
	var a engine.Assembly
	require.NoError(t, a.Add(piece(`{"x":[`+strings.Repeat(`"\n",`, 60_000)+`1],`+kind+`}`), false))
	for range 4_000 {
		require.NoError(t, a.Add(piece("{"+kind+"}"), true))
	}
	for _, other := range []string{`{"` + uri + `/kind":"intent"}`, "{" + kind + `,"` + uri + `/protocolHash":"x"}`, "{" + kind + `,"` + uri + `/protocolHash":1}`, `{"` + uri + `/kind":1}`, `{}`, `[]`, ""} {
		require.NoError(t, a.Add(piece(other), true))
	}
	require.NoError(t, a.Add(piece("{"+kind+"}"), true))
	parts := a.Artifacts()[0].Parts
	require.Len(t, parts, 9)
	require.Equal(t, strings.Repeat("x", 4_001), parts[0].Text)
}

// Of a peer's error so much is kept (section 8.2).
func TestParseReplyLongError(t *testing.T) {
	t.Parallel()
	r, err := engine.ParseReply([]byte(`{"error":{"code":-32602,"message":"`+strings.Repeat("x", 100<<10)+`"}}`), engine.Limits{})
	require.NoError(t, err)
	require.True(t, r.Failed)
	require.Len(t, r.Text, 8<<10)
}
