package a2a_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"
	sdksrv "github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
)

// raw answers every request over HTTP with the same bytes.
func raw(status int, mediaType, body string) func(http.Handler) http.Handler {
	return func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if mediaType != "" {
				w.Header().Set("Content-Type", mediaType)
			}
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		})
	}
}

// What other agents answer in the field is understood as far as it can be, and nothing
// of it allows prose.
func TestForeignErrors(t *testing.T) {
	t.Parallel()
	rpc := func(code int, data string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":"1","error":{"code":%d,"message":"no","data":%s}}`, code, data)
	}
	key := protocol.KeyError
	rest := func(status int, name, reason, more string) string {
		return fmt.Sprintf(`{"error":{"code":%d,"status":%q,"message":"no","details":[%s{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":%q,"domain":"a2a-protocol.org"}]}}`,
			status, name, more, reason)
	}
	const jsonType = "application/json"
	for _, row := range []struct {
		name      string
		binding   a2a.Binding
		status    int
		mediaType string
		body      string
		code      protocol.Code
		extension bool
		noAnswer  bool // nothing that can be read
	}{
		{"-32008", a2a.JSONRPC, 200, jsonType, rpc(-32008, `[]`), "", true, false},
		{"-32004", a2a.JSONRPC, 200, jsonType, rpc(-32004, `[]`), "", true, false},
		{"-32600", a2a.JSONRPC, 200, jsonType, rpc(-32600, `[]`), "", true, false},
		{"-32602", a2a.JSONRPC, 200, jsonType, rpc(-32602, `[]`), "", false, false},
		{"-32004 with a code", a2a.JSONRPC, 200, jsonType, rpc(-32004, `[{"`+key+`":"unsupported-protocol"}]`), protocol.CodeUnsupportedProtocol, false, false},
		{"a code under value", a2a.JSONRPC, 200, jsonType, rpc(-32602, `[{"@type":"type.googleapis.com/google.protobuf.Struct","value":{"`+key+`":"intent-invalid"}}]`), protocol.CodeIntentInvalid, false, false},
		{"a code under metadata", a2a.JSONRPC, 200, jsonType, rpc(-32602, `[{"metadata":{"`+key+`":"intent-invalid"}}]`), protocol.CodeIntentInvalid, false, false},
		{"a code in the second detail", a2a.JSONRPC, 200, jsonType, rpc(-32602, `[{"a":1},{"`+key+`":"intent-invalid"}]`), protocol.CodeIntentInvalid, false, false},
		{"an object of details", a2a.JSONRPC, 200, jsonType, rpc(-32602, `{"`+key+`":"intent-invalid"}`), protocol.CodeIntentInvalid, false, false},
		{"a code that is a number", a2a.JSONRPC, 200, jsonType, rpc(-32602, `[{"`+key+`":7}]`), "", false, false},
		{"an unknown code", a2a.JSONRPC, 200, jsonType, rpc(-32602, `[{"`+key+`":"INTENT-INVALID"}]`), "", false, false},
		{"an error with another status", a2a.JSONRPC, 403, jsonType, rpc(-31403, `[{"`+key+`":"authorization-denied"}]`), protocol.CodeAuthorizationDenied, false, false},
		{"a page", a2a.JSONRPC, 502, "text/html", "<html>", "", false, true},
		{"no media type", a2a.JSONRPC, 200, "", "", "", false, true},
		{"members twice", a2a.JSONRPC, 200, jsonType, `{"jsonrpc":"2.0","id":"1","result":{"message":{}},"result":{"message":{}}}`, "", false, true},
		{"a message and a task", a2a.JSONRPC, 200, jsonType, `{"jsonrpc":"2.0","id":"1","result":{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[]},"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}}`, "", false, true},
		{"another case", a2a.JSONRPC, 200, jsonType, `{"jsonrpc":"2.0","id":"1","Result":{"message":{"messageId":"m","role":"ROLE_AGENT","contextId":"c","parts":[{"text":"ok"}]}}}`, "", false, true},
		{"too much", a2a.JSONRPC, 200, jsonType, `{"jsonrpc":"2.0","id":"1","result":{"message":{"messageId":"m","role":"ROLE_AGENT","contextId":"c","parts":[{"text":"` + strings.Repeat("x", 1<<20) + `"}]}}}`, "", false, true},
		{"cut", a2a.JSONRPC, 200, jsonType, `{"jsonrpc":"2.0","id":"1","result":{"message":{`, "", false, true},
		{"nothing", a2a.JSONRPC, 200, jsonType, ``, "", false, true},
		{"an empty object", a2a.JSONRPC, 200, jsonType, `{}`, "", false, true},
		{"REST -32008", a2a.REST, 400, jsonType, rest(400, "FAILED_PRECONDITION", "EXTENSION_SUPPORT_REQUIRED", ""), "", true, false},
		{"REST -32004", a2a.REST, 400, jsonType, rest(400, "FAILED_PRECONDITION", "UNSUPPORTED_OPERATION", ""), "", true, false},
		{"REST -32600", a2a.REST, 400, jsonType, rest(400, "INVALID_ARGUMENT", "INVALID_REQUEST", ""), "", true, false},
		{"REST with a code", a2a.REST, 400, jsonType, rest(400, "FAILED_PRECONDITION", "UNSUPPORTED_OPERATION", `{"`+key+`":"upgrade-required"},`), protocol.CodeUpgradeRequired, false, false},
		{"REST with a code under value", a2a.REST, 400, jsonType, rest(400, "INVALID_ARGUMENT", "INVALID_PARAMS", `{"value":{"`+key+`":"intent-invalid"}},`), protocol.CodeIntentInvalid, false, false},
		{"REST too many", a2a.REST, 429, jsonType, rest(429, "RESOURCE_EXHAUSTED", "X", `{"`+key+`":"limit-exceeded"},`), protocol.CodeLimitExceeded, false, false},
		{"REST JSON of a gateway", a2a.REST, 502, "application/json", `{"message":"Internal server error"}`, "", false, true},
		{"REST a page", a2a.REST, 500, "text/html", "<html>", "", false, true},
		{"REST prose", a2a.REST, 200, jsonType, `{"message":{"messageId":"m","role":"ROLE_AGENT","contextId":"c","parts":[{"text":"I would rather talk"}]}}`, "", false, false},
		{"prose", a2a.JSONRPC, 200, jsonType, `{"jsonrpc":"2.0","id":"1","result":{"message":{"messageId":"m","role":"ROLE_AGENT","contextId":"c","parts":[{"text":"I would rather talk"}]}}}`, "", false, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			a := newAgent(t, agentOptions{wrap: raw(row.status, row.mediaType, row.body)})
			c := dial(t, a, a.clientConfig(t, row.binding))
			check := func(v *a2a.Conversation, r a2a.Result, err error, prose bool) {
				if row.noAnswer {
					require.Error(t, err)
				} else {
					require.NoError(t, err)
				}
				require.Contains(t, []engine.Kind{engine.KindAborted, engine.KindFailed, engine.KindRefused}, r.Kind, "%s", r.Trace)
				require.Equal(t, row.extension, r.ExtensionRequired)
				if row.code != "" || !prose {
					require.Equal(t, row.code, r.Code, "%s", r.Trace)
				}
				_, err = v.Say(t.Context(), "please")
				require.Error(t, err)
				require.Empty(t, a.executed())
				require.Zero(t, a.prose.got.Load())
			}
			prose := strings.HasSuffix(row.name, "prose")
			v := c.Conversation("")
			r, err := v.Offer(t.Context(), offer(a, a.grant, true))
			check(v, r, err, true)
			v = c.Conversation("")
			r, err = v.Offer(t.Context(), offer(a, a.read, false))
			check(v, r, err, true)
			v = c.Conversation("")
			r, err = v.Intent(t.Context(), engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, container)})
			check(v, r, err, prose)
		})
	}
}

// The same over gRPC, as far as there is something to be lenient with.
func TestForeignErrorsGRPC(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name      string
		err       error
		code      protocol.Code
		extension bool
	}{
		{"extension required", sdk.ErrExtensionSupportRequired, "", true},
		{"unsupported operation", sdk.ErrUnsupportedOperation, "", true},
		{"invalid request", sdk.ErrInvalidRequest, "", true},
		{"with a code", sdk.NewError(sdk.ErrUnsupportedOperation, "no").WithDetails(map[string]any{protocol.KeyError: "upgrade-required"}), protocol.CodeUpgradeRequired, false},
		{"with a code under value", sdk.NewError(sdk.ErrInvalidParams, "no").WithDetails(map[string]any{"value": map[string]any{protocol.KeyError: "intent-invalid"}}), protocol.CodeIntentInvalid, false},
		{"with a code in the metadata", sdk.NewError(sdk.ErrInvalidParams, "no").WithErrorInfoMeta(map[string]string{protocol.KeyError: "intent-invalid"}), protocol.CodeIntentInvalid, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			bindings(t, func(t *testing.T, b a2a.Binding) {
				a := newAgent(t, agentOptions{executor: func(sdksrv.AgentExecutor) sdksrv.AgentExecutor { return &peer{err: row.err} }})
				v := dial(t, a, a.clientConfig(t, b)).Conversation("")
				r, err := v.Intent(t.Context(), engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, container)})
				require.NoError(t, err)
				require.Equal(t, engine.KindFailed, r.Kind)
				require.Equal(t, row.code, r.Code)
				require.Equal(t, row.extension, r.ExtensionRequired)
				_, err = v.Say(t.Context(), "please")
				require.Error(t, err)
			})
		})
	}
}
