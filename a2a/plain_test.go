package a2a_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/fetch"
	"github.com/rdfproto/rdfproto/internal/deadport"
	"github.com/rdfproto/rdfproto/protocol"
)

func plain(contextID string) a2a.Delivery {
	return a2a.Delivery{Message: engine.Message{
		ID: "m-1", Role: engine.RoleUser, ContextID: contextID,
		Parts: []engine.Part{{Content: engine.Data, Data: []byte(`{"n":1.0}`), MediaType: "application/json"}},
	}}
}

// all collects what a call yields.
func all(seq func(func([]byte, error) bool)) (answers []string, err error) {
	for data, failed := range seq {
		if failed != nil {
			return answers, failed
		}
		answers = append(answers, string(data))
	}
	return answers, nil
}

// TestPlainAfterOffers: a plain message is sent where prose may be, and nowhere else.
func TestPlainAfterOffers(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name               string
		accepted, required bool
		sent               bool
	}{
		{"optional accepted", true, false, false},
		{"required accepted", true, true, false},
		{"optional declined", false, false, true},
		{"required declined", false, true, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			for _, b := range []a2a.Binding{a2a.JSONRPC, a2a.REST} {
				for _, stream := range []bool{false, true} {
					a := newAgent(t, agentOptions{})
					v := dial(t, a, a.clientConfig(t, b)).Conversation("")
					tasks, err := v.Tasks()
					require.NoError(t, err)
					d := a.grant
					if !row.accepted {
						d = a.update
					}
					_, err = v.Offer(t.Context(), offer(a, d, row.required))
					require.NoError(t, err)
					delivery := plain(v.ContextID())
					delivery.Stream = stream
					answers, err := all(tasks.Send(t.Context(), delivery))
					if !row.sent {
						var wrong *protocol.Error
						require.ErrorAs(t, err, &wrong)
						require.Equal(t, protocol.CodeUpgradeRequired, wrong.Code)
						require.Zero(t, a.prose.got.Load())
						// Questions are never forbidden: the answer is the agent's error.
						got, err := tasks.Get(t.Context(), "none")
						require.NoError(t, err)
						require.Contains(t, string(got), `"error"`)
						continue
					}
					require.NoError(t, err)
					require.Len(t, answers, 1)
					require.Contains(t, answers[0], "as you say")
					require.EqualValues(t, 1, a.prose.got.Load())
				}
			}
		})
	}
	a := newAgent(t, agentOptions{})
	_, err := dial(t, a, a.clientConfig(t, a2a.GRPC)).Conversation("").Tasks()
	require.Error(t, err)
	_, err = a2a.OpenTasks(t.Context(), a.cardURL(), a.clientConfig(t, a2a.JSONRPC))
	require.ErrorContains(t, err, "speaks the extension")
}

// TestPlainElsewhere: a plain message is judged by the context that it goes to, and by that
// of the conversation.
func TestPlainElsewhere(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name     string
		accepted bool // the document that is offered
		from, to string
		sent     bool
	}{
		{"into a context with an agreement", true, "", "its", false},
		{"into a context with an agreement, from another", true, "ctx-2", "its", false},
		{"into another context than that of the agreement", true, "its", "ctx-2", false},
		{"beside the agreement", true, "ctx-2", "ctx-3", true},
		{"into a context where prose may be", false, "", "its", true},
		{"into another context than one where prose may be", false, "its", "ctx-2", true},
		{"without a context after prose was allowed", false, "its", "", true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			a := newAgent(t, agentOptions{})
			client := dial(t, a, a.clientConfig(t, a2a.JSONRPC))
			decided := client.Conversation("")
			d := a.grant
			if !row.accepted {
				d = a.update
			}
			_, err := decided.Offer(t.Context(), offer(a, d, false))
			require.NoError(t, err)
			in := func(name string) string {
				if name == "its" {
					return decided.ContextID()
				}
				return name
			}
			tasks, err := client.Conversation(in(row.from)).Tasks()
			require.NoError(t, err)
			_, err = all(tasks.Send(t.Context(), plain(in(row.to))))
			if row.sent {
				require.NoError(t, err)
				require.EqualValues(t, 1, a.prose.got.Load())
				return
			}
			var wrong *protocol.Error
			require.ErrorAs(t, err, &wrong, "it was sent")
			require.Equal(t, protocol.CodeUpgradeRequired, wrong.Code)
		})
	}
}

// TestPlainIntoTask: a plain message to a task names the task's context, or it is not sent.
func TestPlainIntoTask(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, task, context string
		sent                bool
	}{
		{"with the context", "t-1", "ctx-2", true},
		{"without", "t-1", "", false},
		{"a first message", "", "", true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			a := newAgent(t, agentOptions{})
			tasks, err := dial(t, a, a.clientConfig(t, a2a.JSONRPC)).Conversation("").Tasks()
			require.NoError(t, err)
			d := plain(row.context)
			d.Message.TaskID = row.task
			answers, err := all(tasks.Send(t.Context(), d))
			if row.sent {
				require.NoError(t, err)
				require.Len(t, answers, 1)
				return
			}
			var wrong *protocol.Error
			require.ErrorAs(t, err, &wrong, "it was sent")
			require.Equal(t, protocol.CodeUpgradeRequired, wrong.Code)
		})
	}
}

// plainCard is the card of an agent without the extension.
func plainCard(t *testing.T, at string, b a2a.Binding) []byte {
	t.Helper()
	data, err := json.Marshal(map[string]any{
		"name": "A", "description": "A.", "version": "1", "capabilities": map[string]any{"streaming": true},
		"supportedInterfaces": []any{map[string]any{"url": at, "protocolBinding": b.String(), "protocolVersion": "1.0"}},
		"defaultInputModes":   []string{"text/plain"}, "defaultOutputModes": []string{"text/plain"},
		"skills": []any{map[string]any{"id": "s", "name": "S", "description": "S.", "tags": []string{"s"}}},
	})
	require.NoError(t, err)
	return data
}

// card is a source with one card.
type card []byte

func (c card) Get(context.Context, string) (*fetch.Response, error) {
	return &fetch.Response{Body: c}, nil
}

// TestPlainAnswers: what an agent answers comes as it is, and what is no answer is an
// error.
func TestPlainAnswers(t *testing.T) {
	t.Parallel()
	const sse = "text/event-stream"
	task := `{"id":"T","contextId":"C","status":{"state":"TASK_STATE_WORKING"},"artifacts":[{"artifactId":"a","parts":[{"data":{"n":1.50}}]}]}`
	for _, row := range []struct {
		name, contentType, body string
		status                  int
		stream                  bool
		answers                 []string // nil for an error
	}{
		{"a task", "application/json", `{"jsonrpc":"2.0","id":"1","result":{"task":` + task + `}}`, 200, false, []string{`{"jsonrpc":"2.0","id":"1","result":{"task":` + task + `}}`}},
		{"an error", "application/json", `{"jsonrpc":"2.0","id":"1","error":{"code":-32004,"message":"no"}}`, 200, false, []string{`{"jsonrpc":"2.0","id":"1","error":{"code":-32004,"message":"no"}}`}},
		{"an error with a status", "application/json", `{"jsonrpc":"2.0","id":"1","error":{"code":-32004,"message":"no"}}`, 400, false, []string{`{"jsonrpc":"2.0","id":"1","error":{"code":-32004,"message":"no"}}`}},
		{"no JSON", "text/html", `<p>hello`, 200, false, nil},
		{"two readings", "application/json", `{"jsonrpc":"2.0","id":"1","result":{"task":` + task + `,"task":` + task + `}}`, 200, false, nil},
		{"nothing", "application/json", ``, 200, false, nil},
		{"a stream", sse, "data: {\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{\"task\":" + task + "}}\n\n", 200, true, []string{`{"jsonrpc":"2.0","id":"1","result":{"task":` + task + `}}`}},
		{"a stream of nothing", sse, "", 200, true, nil},
		{"an error in a stream", sse, "data: {\"jsonrpc\":\"2.0\",\"id\":\"1\",\"error\":{\"code\":-32001,\"message\":\"no\"}}\n\n", 200, true, []string{`{"jsonrpc":"2.0","id":"1","error":{"code":-32001,"message":"no"}}`}},
		{"an error instead of a stream", "application/json", `{"jsonrpc":"2.0","id":"1","error":{"code":-32004,"message":"no"}}`, 200, true, []string{`{"jsonrpc":"2.0","id":"1","error":{"code":-32004,"message":"no"}}`}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", row.contentType)
				w.WriteHeader(row.status)
				_, _ = w.Write([]byte(row.body))
			}))
			t.Cleanup(h.Close)
			bytes := plainCard(t, h.URL, a2a.JSONRPC)
			config := a2a.ClientConfig{Cards: card(bytes), Trust: a2a.CardTrust{Demand: agentcard.InsecureIgnoreSignatures}, InsecurePlaintext: true}
			tasks, err := a2a.OpenTasks(t.Context(), "card.json", config)
			require.NoError(t, err)
			defer func() { require.NoError(t, tasks.Close()) }()
			require.True(t, tasks.Streams())
			require.Equal(t, a2a.JSONRPC, tasks.Endpoint().Binding)
			require.Equal(t, bytes, tasks.Card().Bytes())
			d := plain("")
			d.Stream = row.stream
			answers, err := all(tasks.Send(t.Context(), d))
			require.Equal(t, row.answers == nil, err != nil, "%v", err)
			require.Equal(t, row.answers, answers)
			answers, err = all(tasks.Subscribe(t.Context(), "T"))
			if row.stream {
				require.Equal(t, row.answers, answers)
				require.Equal(t, row.answers == nil, err != nil, "%v", err)
				return
			}
			if row.answers != nil && row.status == 200 { // any JSON is an answer to these
				_, err = tasks.Get(t.Context(), "T")
				require.NoError(t, err)
				_, err = tasks.Cancel(t.Context(), "T")
				require.NoError(t, err)
			}
			config.InsecurePlaintext = false
			_, err = a2a.OpenTasks(t.Context(), "card.json", config)
			require.ErrorContains(t, err, "TLS")
		})
	}
	_, err := a2a.OpenTasks(t.Context(), "card.json", a2a.ClientConfig{})
	require.Error(t, err)
}

// Where the card of an agent without the extension leads is for ClientConfig.Dial to judge
// as well.
func TestPlainDial(t *testing.T) {
	t.Parallel()
	guard, err := fetch.New(fetch.Options{})
	require.NoError(t, err)
	for _, b := range []a2a.Binding{a2a.JSONRPC, a2a.REST} {
		var requests atomic.Int64
		h := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
		t.Cleanup(h.Close)
		tasks, err := a2a.OpenTasks(t.Context(), "card.json", a2a.ClientConfig{
			Cards: card(plainCard(t, h.URL, b)), Trust: a2a.CardTrust{Demand: agentcard.InsecureIgnoreSignatures}, InsecurePlaintext: true,
			Dial: guard.DialContext,
		})
		require.NoError(t, err)
		for _, stream := range []bool{false, true} {
			d := plain("")
			d.Stream = stream
			_, err = all(tasks.Send(t.Context(), d))
			require.ErrorContains(t, err, "expected an allowed port")
		}
		_, err = tasks.Get(t.Context(), "T")
		require.ErrorContains(t, err, "expected an allowed port")
		require.NoError(t, tasks.Close())
		require.Zero(t, requests.Load())
	}
}

// TestPlainLost: where the answer to a message is lost, the agent may have it; where
// the message did not go out, or was refused, it does not.
func TestPlainLost(t *testing.T) {
	t.Parallel()
	says := func(status int, kind, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(status)
			_, _ = w.Write([]byte(text))
		}
	}
	for _, row := range []struct {
		name string
		does http.HandlerFunc // nil for no server
		lost bool
	}{
		{"nobody listens", nil, false},
		{"the connection ends", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, true},
		{"the answer is cut off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte(`{"task":`))
		}, true},
		{"the answer is unreadable", says(200, "application/json", `{"result":`), true},
		{"the answer is empty", says(200, "text/event-stream", ``), true},
		{"a gateway answers", says(502, "text/html", `<p>Bad Gateway`), true},
		{"it is forbidden", says(403, "text/html", `<p>Forbidden`), false},
		{"it is elsewhere", says(307, "text/html", `<p>Elsewhere`), false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			for _, b := range []a2a.Binding{a2a.JSONRPC, a2a.REST} {
				for _, stream := range []bool{false, true} {
					at := "http://" + deadport.Address(t)
					if row.does != nil {
						agent := httptest.NewServer(row.does)
						t.Cleanup(agent.Close)
						at = agent.URL
					}
					tasks, err := a2a.OpenTasks(t.Context(), "card.json", a2a.ClientConfig{
						Cards: card(plainCard(t, at, b)), Trust: a2a.CardTrust{Demand: agentcard.InsecureIgnoreSignatures}, InsecurePlaintext: true,
					})
					require.NoError(t, err)
					d := plain("")
					d.Stream = stream
					_, err = all(tasks.Send(t.Context(), d))
					require.NoError(t, tasks.Close())
					require.Error(t, err)
					var lost *a2a.LostError
					require.Equal(t, row.lost, errors.As(err, &lost), "%v", err)
				}
			}
		})
	}
}
