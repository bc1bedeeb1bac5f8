package a2a_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rdfproto/rdfproto/a2a"
)

// httpAnswer is an answer over HTTP under way.
type httpAnswer struct {
	http.ResponseWriter
	r       *http.Request
	binding a2a.Binding
	method  string // SendMessage, SendStreamingMessage or GetTask
	id      json.RawMessage
}

// envelope is a result in what the binding has around it.
func (h *httpAnswer) envelope(result string) string {
	if h.binding == a2a.REST {
		return result
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, h.id, result)
}

func (h *httpAnswer) json(text string) {
	h.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(h, text)
}

// event sends an event of a stream, and reports whether anybody is there.
func (h *httpAnswer) event(result string) bool {
	h.Header().Set("Content-Type", "text/event-stream")
	_, err := io.WriteString(h, "data: "+h.envelope(result)+"\n\n")
	h.flush()
	return err == nil && h.r.Context().Err() == nil
}

func (h *httpAnswer) flush() { _ = http.NewResponseController(h.ResponseWriter).Flush() }

// TestHTTPPeers: what TestGRPCPeers says of an agent over gRPC holds for what it can
// answer over HTTP.
func TestHTTPPeers(t *testing.T) {
	t.Parallel()
	const (
		began   = `{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}`
		over    = `{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}`
		message = `{"message":{"messageId":"m","contextId":"c","role":"ROLE_AGENT","parts":[%s]}}`
	)
	state := func(task, context, state string) string {
		return fmt.Sprintf(`{"statusUpdate":{"taskId":%q,"contextId":%q,"status":{"state":"TASK_STATE_%s"}}}`, task, context, state)
	}
	chunk := func(more bool, text string) string {
		return fmt.Sprintf(`{"artifactUpdate":{"taskId":"t","contextId":"c","append":%v,"artifact":{"artifactId":"a","parts":[{"text":%q}]}}}`, more, text)
	}
	forever := func(one func() bool) {
		for one() {
		}
	}
	type row struct {
		name   string
		stream bool
		answer func(h *httpAnswer)
		lost   bool
	}
	ended := make(chan struct{}, 8)
	for _, row := range []row{
		{"statuses without end", true, func(h *httpAnswer) {
			h.event(began)
			forever(func() bool { return h.event(state("t", "c", "WORKING")) })
		}, true},
		{"chunks of nothing without end", true, func(h *httpAnswer) {
			h.event(began)
			h.event(chunk(false, ""))
			forever(func() bool { return h.event(chunk(true, "")) })
		}, true},
		{"comments without end", true, func(h *httpAnswer) {
			h.event(began)
			forever(func() bool {
				_, err := io.WriteString(h, strings.Repeat(": x\n\n", 1000))
				return err == nil && h.r.Context().Err() == nil
			})
		}, true},
		{"a line without end", true, func(h *httpAnswer) {
			h.event(began)
			_, _ = io.WriteString(h, "data: ")
			forever(func() bool {
				_, err := h.Write(make([]byte, 64<<10))
				return err == nil && h.r.Context().Err() == nil
			})
		}, true},
		{"goes on after its end", true, func(h *httpAnswer) {
			h.event(began)
			forever(func() bool { return h.event(state("t", "c", "COMPLETED")) })
			ended <- struct{}{}
		}, false},
		{"back to work", true, func(h *httpAnswer) { h.event(over); h.event(state("t", "c", "WORKING")) }, false},
		{"another task", true, func(h *httpAnswer) { h.event(began); h.event(state("u", "c", "COMPLETED")) }, true},
		{"another context", true, func(h *httpAnswer) { h.event(began); h.event(state("t", "d", "COMPLETED")) }, true},
		{"two tasks", true, func(h *httpAnswer) { h.event(began); h.event(began) }, true},
		{"no task", true, func(h *httpAnswer) { h.event(state("t", "c", "COMPLETED")) }, true},
		{"an event of two kinds", true, func(h *httpAnswer) {
			h.event(strings.TrimSuffix(began, "}") + "," + strings.TrimPrefix(state("t", "c", "COMPLETED"), "{"))
		}, true},
		{"a cut stream", true, func(h *httpAnswer) { h.event(began); panic(http.ErrAbortHandler) }, true},
		{"silence", true, func(h *httpAnswer) { h.event(began); <-h.r.Context().Done() }, true},
		{"no stream", true, func(h *httpAnswer) { h.json(h.envelope(fmt.Sprintf(message, `{"text":"x"}`))) }, true},

		{"one answer: silence", false, func(h *httpAnswer) { <-h.r.Context().Done() }, true},
		{"one answer: little by little, silence", false, func(h *httpAnswer) {
			h.json(`{"jsonrpc":"2.0"`)
			forever(func() bool {
				_, err := io.WriteString(h, " ")
				h.flush()
				time.Sleep(time.Millisecond)
				return err == nil
			})
		}, true},
		{"one answer: space without end", false, func(h *httpAnswer) {
			h.json(" ")
			forever(func() bool { _, err := io.WriteString(h, strings.Repeat(" ", 64<<10)); return err == nil })
		}, true},
		{"one answer: as many values as may be", false, func(h *httpAnswer) {
			h.json(h.envelope(fmt.Sprintf(message, `{"data":[`+strings.Repeat("0,", 65_000)+`0]}`)))
		}, false},
		{"one answer: values without end", false, func(h *httpAnswer) {
			h.json(h.envelope(fmt.Sprintf(message, `{"data":[`+strings.Repeat("0,", 400_000)+`0]}`)))
		}, true},
		{"one answer: texts without end", false, func(h *httpAnswer) {
			h.json(h.envelope(fmt.Sprintf(message, strings.Repeat(`{"text":""},`, 60_000)+`{"text":""}`)))
		}, true},
		{"one answer: deep", false, func(h *httpAnswer) {
			h.json(h.envelope(fmt.Sprintf(message, `{"data":`+strings.Repeat("[", 5_000)+strings.Repeat("]", 5_000)+`}`)))
		}, true},
		{"one answer: packed", false, func(h *httpAnswer) {
			h.Header().Set("Content-Encoding", "gzip")
			h.Header().Set("Content-Type", "application/json")
			w := gzip.NewWriter(h)
			for range 64 {
				_, _ = w.Write(make([]byte, 1<<20))
			}
			_ = w.Close()
		}, true},
		{"one answer: of headers", false, func(h *httpAnswer) {
			h.Header().Set("X", strings.Repeat("x", 1<<20))
			h.json(h.envelope(fmt.Sprintf(message, `{"text":"x"}`)))
		}, true},
		{"one answer: hints without end", false, func(h *httpAnswer) {
			h.Header().Set("Link", "<x>; rel=preload")
			for range 100_000 {
				h.WriteHeader(http.StatusEarlyHints)
				if h.r.Context().Err() != nil {
					return
				}
			}
		}, true},
		{"one answer: cut", false, func(h *httpAnswer) {
			h.Header().Set("Content-Length", "1000")
			h.json(`{"jsonrpc":`)
			h.flush()
			panic(http.ErrAbortHandler)
		}, true},
		{"one answer: a redirect", false, func(h *httpAnswer) { http.Redirect(h, h.r, h.r.URL.Path, http.StatusTemporaryRedirect) }, true},
		{"one answer: a redirect elsewhere", false, func(h *httpAnswer) { http.Redirect(h, h.r, "https://127.0.0.1:1/", http.StatusPermanentRedirect) }, true},
		{"one answer: a change of protocol", false, func(h *httpAnswer) {
			h.Header().Set("Connection", "Upgrade")
			h.Header().Set("Upgrade", "x")
			h.WriteHeader(http.StatusSwitchingProtocols)
		}, true},
		{"one answer: no content", false, func(h *httpAnswer) { h.WriteHeader(http.StatusNoContent) }, true},
		{"one answer: not changed", false, func(h *httpAnswer) { h.WriteHeader(http.StatusNotModified) }, true},
		{"one answer: of another", false, func(h *httpAnswer) {
			h.json(strings.Replace(h.envelope(fmt.Sprintf(message, `{"text":"x"}`)), `"contextId":"c"`, `"contextId":"c","taskId":"t"`, 1))
		}, false},
		{"one answer: tasks of others", false, func(h *httpAnswer) {
			if h.method == "GetTask" {
				h.json(h.envelope(`{"id":"u","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}`))
				return
			}
			h.json(h.envelope(began))
		}, true},
		{"one answer: a task without end, silence", false, func(h *httpAnswer) {
			if h.method == "GetTask" {
				h.json(h.envelope(`{"id":"t","contextId":"c","status":{"state":"TASK_STATE_SUBMITTED"}}`))
				return
			}
			h.json(h.envelope(began))
		}, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			httpBindings(t, func(t *testing.T, b a2a.Binding) {
				a := newAgent(t, agentOptions{wrap: func(http.Handler) http.Handler {
					return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						body, _ := io.ReadAll(r.Body)
						h := &httpAnswer{ResponseWriter: w, r: r, binding: b}
						var call struct {
							ID     json.RawMessage `json:"id"`
							Method string          `json:"method"`
						}
						_ = json.Unmarshal(body, &call)
						h.id, h.method = call.ID, call.Method
						if b == a2a.REST && strings.Contains(r.URL.Path, "/tasks/") {
							h.method = "GetTask"
						}
						row.answer(h)
					})
				}})
				config := a.clientConfig(t, b)
				config.Stream = row.stream
				v := dial(t, a, config).Conversation("")
				var left <-chan struct{}
				if row.name == "goes on after its end" {
					left = ended
				}
				believesNothing(t, a, v, row.lost, strings.Contains(row.name, "silence"), left)
			})
		})
	}
}
