package a2a_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"
	sdksrv "github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
)

func oneMessage() replay.Store { return replay.NewMemory(replay.Limits{PerPeer: 1, Messages: 1}) }

// asker begins a task of its own for the text "begin a task".
type asker struct{ sdksrv.AgentExecutor }

func (x *asker) around(inner sdksrv.AgentExecutor) sdksrv.AgentExecutor {
	x.AgentExecutor = inner
	return x
}

func (x *asker) Execute(ctx context.Context, ec *sdksrv.ExecutorContext) iter.Seq2[sdk.Event, error] {
	if ec.Message.Parts[0].Text() != "begin a task" {
		return x.AgentExecutor.Execute(ctx, ec)
	}
	return func(yield func(sdk.Event, error) bool) {
		yield(&sdk.Task{ID: ec.TaskID, ContextID: ec.ContextID, Status: sdk.TaskStatus{State: sdk.TaskStateInputRequired}}, nil)
	}
}

// peer is an executor of an agent that is not built with this package: it answers
// intents by the events that a test gives.
type peer struct {
	sdksrv.AgentExecutor
	events func(ec *sdksrv.ExecutorContext) []sdk.Event
	err    error
}

func (x *peer) around(inner sdksrv.AgentExecutor) sdksrv.AgentExecutor {
	x.AgentExecutor = inner
	return x
}

func (x *peer) Execute(ctx context.Context, ec *sdksrv.ExecutorContext) iter.Seq2[sdk.Event, error] {
	return func(yield func(sdk.Event, error) bool) {
		if x.err != nil {
			yield(nil, x.err)
			return
		}
		for _, event := range x.events(ec) {
			if !yield(event, nil) {
				return
			}
		}
	}
}

// chunk is a part of a response.
func chunk(pin, text string) *sdk.Part {
	p := sdk.NewTextPart(text)
	p.MediaType = "text/turtle"
	p.Metadata = map[string]any{protocol.KeyKind: "response", protocol.KeyProtocolHash: pin}
	return p
}

func artifact(ec *sdksrv.ExecutorContext, more bool, last bool, parts ...*sdk.Part) *sdk.TaskArtifactUpdateEvent {
	return &sdk.TaskArtifactUpdateEvent{
		TaskID: ec.TaskID, ContextID: ec.ContextID, Append: more, LastChunk: last,
		Artifact: &sdk.Artifact{ID: "a", Extensions: []string{protocol.ExtensionURI}, Parts: parts},
	}
}

func task(ec *sdksrv.ExecutorContext, s sdk.TaskState) *sdk.Task {
	return &sdk.Task{ID: ec.TaskID, ContextID: ec.ContextID, Status: sdk.TaskStatus{State: s}}
}

func status(ec *sdksrv.ExecutorContext, s sdk.TaskState, code string) *sdk.TaskStatusUpdateEvent {
	var m *sdk.Message
	if code != "" {
		m = sdk.NewMessageForTask(sdk.MessageRoleAgent, ec, sdk.NewTextPart("no"))
		m.Extensions = []string{protocol.ExtensionURI}
		m.SetMeta(protocol.KeyError, code)
	}
	return sdk.NewStatusUpdateEvent(ec, s, m)
}

// What another agent's task says is read whole or not at all.
func TestForeignTasks(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name   string
		events func(pin string, ec *sdksrv.ExecutorContext) []sdk.Event
		kind   engine.Kind
		code   protocol.Code
	}{
		{"whole", func(pin string, ec *sdksrv.ExecutorContext) []sdk.Event {
			return []sdk.Event{task(ec, sdk.TaskStateWorking), artifact(ec, false, true, chunk(pin, goodResponse)), status(ec, sdk.TaskStateCompleted, "")}
		}, engine.KindResponse, ""},
		{"in chunks", func(pin string, ec *sdksrv.ExecutorContext) []sdk.Event {
			return []sdk.Event{
				task(ec, sdk.TaskStateWorking), artifact(ec, false, false, chunk(pin, goodResponse[:20])),
				artifact(ec, true, false, chunk(pin, goodResponse[20:30])), artifact(ec, true, true, chunk(pin, goodResponse[30:])), status(ec, sdk.TaskStateCompleted, ""),
			}
		}, engine.KindResponse, ""},
		{"in chunks that are parts", func(pin string, ec *sdksrv.ExecutorContext) []sdk.Event {
			return []sdk.Event{
				task(ec, sdk.TaskStateWorking), artifact(ec, false, false, chunk(pin, goodResponse[:20]), chunk(pin, goodResponse[20:25])),
				artifact(ec, true, true, chunk(pin, goodResponse[25:30]), chunk(pin, goodResponse[30:])), status(ec, sdk.TaskStateCompleted, ""),
			}
		}, engine.KindResponse, ""},
		{"over, in chunks that are parts", func(pin string, ec *sdksrv.ExecutorContext) []sdk.Event {
			whole := task(ec, sdk.TaskStateCompleted)
			whole.Artifacts = []*sdk.Artifact{artifact(ec, false, true, chunk(pin, goodResponse[:20]), chunk(pin, goodResponse[20:])).Artifact}
			return []sdk.Event{whole}
		}, engine.KindResponse, ""},
		{"cut", func(pin string, ec *sdksrv.ExecutorContext) []sdk.Event {
			return []sdk.Event{task(ec, sdk.TaskStateWorking), artifact(ec, false, true, chunk(pin, goodResponse[:20])), status(ec, sdk.TaskStateCompleted, "")}
		}, engine.KindFailed, protocol.CodeResponseInvalid},
		{"in chunks that exceed the limit", func(pin string, ec *sdksrv.ExecutorContext) []sdk.Event {
			events := []sdk.Event{task(ec, sdk.TaskStateWorking), artifact(ec, false, false, chunk(pin, goodResponse))}
			for range 6 {
				events = append(events, artifact(ec, true, false, chunk(pin, strings.Repeat("#", 50<<10)+"\n")))
			}
			return append(events, status(ec, sdk.TaskStateCompleted, ""))
		}, engine.KindFailed, protocol.CodeResponseInvalid},
		{"under another pin", func(_ string, ec *sdksrv.ExecutorContext) []sdk.Event {
			return []sdk.Event{
				task(ec, sdk.TaskStateWorking), artifact(ec, false, true, chunk("sha256:"+strings.Repeat("0", 64), goodResponse)), status(ec, sdk.TaskStateCompleted, ""),
			}
		}, engine.KindFailed, ""},
		{"that does not conform", func(pin string, ec *sdksrv.ExecutorContext) []sdk.Event {
			return []sdk.Event{task(ec, sdk.TaskStateWorking), artifact(ec, false, true, chunk(pin, `<urn:a> a <urn:b> .`)), status(ec, sdk.TaskStateCompleted, "")}
		}, engine.KindFailed, protocol.CodeResponseInvalid},
		{"nothing", func(_ string, ec *sdksrv.ExecutorContext) []sdk.Event {
			return []sdk.Event{task(ec, sdk.TaskStateCompleted)}
		}, engine.KindFailed, protocol.CodeResponseInvalid},
		{"failed", func(_ string, ec *sdksrv.ExecutorContext) []sdk.Event {
			return []sdk.Event{task(ec, sdk.TaskStateWorking), status(ec, sdk.TaskStateFailed, "intent-invalid")}
		}, engine.KindFailed, protocol.CodeIntentInvalid},
		{"failed, with the code beside the status", func(_ string, ec *sdksrv.ExecutorContext) []sdk.Event {
			failed := status(ec, sdk.TaskStateFailed, "")
			failed.Metadata = map[string]any{protocol.KeyError: "intent-invalid"}
			return []sdk.Event{task(ec, sdk.TaskStateWorking), failed}
		}, engine.KindFailed, protocol.CodeIntentInvalid},
		{"rejected", func(_ string, ec *sdksrv.ExecutorContext) []sdk.Event {
			return []sdk.Event{task(ec, sdk.TaskStateWorking), status(ec, sdk.TaskStateRejected, "upgrade-required")}
		}, engine.KindFailed, protocol.CodeUpgradeRequired},
		{"a code on a completed task", func(pin string, ec *sdksrv.ExecutorContext) []sdk.Event {
			return []sdk.Event{task(ec, sdk.TaskStateWorking), artifact(ec, false, true, chunk(pin, goodResponse)), status(ec, sdk.TaskStateCompleted, "intent-invalid")}
		}, engine.KindResponse, ""},
	} {
		for _, stream := range []bool{false, true} {
			name := row.name
			if stream {
				name += " as a stream"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				bindings(t, func(t *testing.T, b a2a.Binding) {
					p := &peer{}
					a := newAgent(t, agentOptions{executor: p.around})
					p.events = func(ec *sdksrv.ExecutorContext) []sdk.Event { return row.events(a.read.Pin().String(), ec) }
					config := a.clientConfig(t, b)
					config.Stream = stream
					v := dial(t, a, config).Conversation("")
					r, err := v.Intent(t.Context(), engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, container)})
					require.NoError(t, err)
					if row.kind == engine.KindFailed {
						require.Contains(t, []engine.Kind{engine.KindFailed, engine.KindRefused}, r.Kind, "%s", r.Trace)
					} else {
						require.Equal(t, row.kind, r.Kind, "%s", r.Trace)
					}
					if row.code != "" {
						require.Equal(t, row.code, r.Code, "%s", r.Trace)
					}
					if row.kind == engine.KindResponse {
						require.Equal(t, 1, r.Response.Graph.Len())
					}
				})
			})
		}
	}
}

// An intent whose task nobody takes is refused, and not in progress for ever: nothing of it
// was carried out.
func TestTaskNotBegun(t *testing.T) {
	t.Parallel()
	a := newAgent(t, agentOptions{tasks: true})
	part := intentPart(a.read.Pin().String(), readIntent)
	m := sdk.NewMessage(sdk.MessageRoleUser, &sdk.Part{
		Content: sdk.Text(part["text"].(string)), MediaType: part["mediaType"].(string), Metadata: part["metadata"].(map[string]any),
	})
	m.Extensions = []string{protocol.ExtensionURI}
	execute := func(take bool) (events []sdk.Event, errs []error) {
		ec := &sdksrv.ExecutorContext{
			Message: m, TaskID: sdk.NewTaskID(), ContextID: "c", User: sdksrv.NewAuthenticatedUser("bob", nil),
			ServiceParams: sdksrv.NewServiceParams(map[string][]string{"A2A-Extensions": {protocol.ExtensionURI}}),
		}
		for event, err := range a.server.Executor().Execute(t.Context(), ec) {
			if !take {
				break
			}
			events, errs = append(events, event), append(errs, err)
		}
		return events, errs
	}
	execute(false)
	require.Equal(t, engine.KindRefused, a.outcome().Kind)
	require.Empty(t, a.executed())
	events, errs := execute(true)
	require.Equal(t, []sdk.Event{nil}, events)
	require.ErrorIs(t, errs[0], sdk.ErrInternalError)
	require.NotContains(t, errs[0].Error(), "being carried out")
	require.Empty(t, a.executed())
}

// The task of an intent is not the application's to cancel.
func TestCancelIntent(t *testing.T) {
	t.Parallel()
	begun, done := make(chan struct{}), make(chan struct{})
	a := newAgent(t, agentOptions{tasks: true, ran: func(context.Context) {
		close(begun)
		<-done
	}})
	a.prose.cancels = true
	d := draft{id: "m1", parts: []map[string]any{intentPart(a.read.Pin().String(), readIntent)}}
	got := make(chan answered, 1)
	go func() { got <- a.post(t, a2a.JSONRPC, "bob", true, d.String()) }()
	<-begun
	var list struct{ Result struct{ Tasks []sdk.Task } }
	require.Eventually(t, func() bool { // it is stored beside its execution
		return json.Unmarshal([]byte(a.call(t, "bob", "ListTasks", "")), &list) == nil && len(list.Result.Tasks) == 1
	}, 10*time.Second, time.Millisecond)
	asked := make(chan string, 1)
	go func() { asked <- a.call(t, "bob", "CancelTask", string(list.Result.Tasks[0].ID)) }()
	var answer string
	select { // who waits for the intent to end canceled it
	case answer = <-asked:
	case <-time.After(10 * time.Second):
	}
	close(done)
	require.Contains(t, answer, "-32002", "not cancelable")
	task := (<-got).task
	require.Equal(t, "TASK_STATE_COMPLETED", task["status"].(map[string]any)["state"])
	require.Equal(t, []string{"m1"}, a.executed())
}

// TestArtifactsOfOneID: a task in which two artifacts have one id is not read, whichever of
// the two holds the response: nothing of a payload is left out silently (BIND-3).
func TestArtifactsOfOneID(t *testing.T) {
	t.Parallel()
	read := document(t, protocol.VerbRead, true)
	response := func(id, body string) string {
		return fmt.Sprintf(`{"artifactId":%q,"extensions":[%q],"parts":[{"text":%q,"mediaType":"text/turtle","metadata":{%q:"response",%q:%q}}]}`,
			id, protocol.ExtensionURI, body, protocol.KeyKind, protocol.KeyProtocolHash, read.Pin().String())
	}
	other := func(id string) string { return fmt.Sprintf(`{"artifactId":%q,"parts":[{"text":"a note"}]}`, id) }
	for _, row := range []struct {
		name      string
		artifacts []string
		kind      engine.Kind
		fails     bool
	}{
		{"two ids", []string{other("b"), response("a", goodResponse)}, engine.KindResponse, false},
		{"one id, the response last", []string{other("a"), response("a", goodResponse)}, engine.KindFailed, true},
		{"one id, the response first", []string{response("a", goodResponse), other("a")}, engine.KindFailed, true},
		{"one id, two responses", []string{response("a", `<urn:no> a <urn:Other> .`), response("a", goodResponse)}, engine.KindFailed, true},
		{"two ids, two responses", []string{response("a", goodResponse), response("b", goodResponse)}, engine.KindRefused, false},
		{"no ids", []string{response("", goodResponse), other("")}, engine.KindFailed, true},
	} {
		for _, stream := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, as a stream %t", row.name, stream), func(t *testing.T) {
				t.Parallel()
				task := `{"jsonrpc":"2.0","id":"1","result":{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[` + strings.Join(row.artifacts, ",") + `]}}}`
				mediaType := "application/json"
				if stream {
					task, mediaType = "data: "+task+"\n\n", "text/event-stream"
				}
				a := newAgent(t, agentOptions{wrap: raw(200, mediaType, task)})
				config := a.clientConfig(t, a2a.JSONRPC)
				config.Stream = stream
				r, err := dial(t, a, config).Conversation("").Intent(t.Context(), engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, container)})
				require.Equal(t, row.fails, err != nil, "%v", err)
				require.Equal(t, row.kind, r.Kind, "%s", r.Trace)
			})
		}
	}
}
