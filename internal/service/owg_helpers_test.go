package service_test

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"
	sdksrv "github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/internal/service"
	"github.com/rdfproto/rdfproto/owg"
)

// events are what an agent does with one message.
type events = func(ctx context.Context, ec *sdksrv.ExecutorContext, yield func(sdk.Event, error) bool)

// worker is an agent of A2A without the extension.
type worker struct {
	work   events
	cancel events

	mu  sync.Mutex
	got []*sdk.Message
}

func (w *worker) Execute(ctx context.Context, ec *sdksrv.ExecutorContext) iter.Seq2[sdk.Event, error] {
	return func(yield func(sdk.Event, error) bool) {
		w.mu.Lock()
		w.got = append(w.got, ec.Message)
		w.mu.Unlock()
		w.work(ctx, ec, yield)
	}
}

func (w *worker) Cancel(ctx context.Context, ec *sdksrv.ExecutorContext) iter.Seq2[sdk.Event, error] {
	return func(yield func(sdk.Event, error) bool) {
		if w.cancel == nil {
			yield(nil, sdk.ErrTaskNotCancelable)
			return
		}
		w.cancel(ctx, ec, yield)
	}
}

// messages returns how many messages the agent got.
func (w *worker) messages() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.got)
}

// message returns a message that it got as JSON.
func (w *worker) message(t *testing.T, i int) []byte {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	require.Less(t, i, len(w.got))
	data, err := json.Marshal(w.got[i])
	require.NoError(t, err)
	return data
}

// ends works on a task until a state: with artifacts, and a text of the status.
func ends(state sdk.TaskState, text string, artifacts ...string) events {
	return func(_ context.Context, ec *sdksrv.ExecutorContext, yield func(sdk.Event, error) bool) {
		if ec.StoredTask == nil && !yield(sdk.NewSubmittedTask(ec, ec.Message), nil) {
			return
		}
		if !yield(sdk.NewStatusUpdateEvent(ec, sdk.TaskStateWorking, nil), nil) {
			return
		}
		for _, name := range artifacts {
			e := sdk.NewArtifactEvent(ec, sdk.NewTextPart("the "+name))
			e.Artifact.Name = name
			if !yield(e, nil) {
				return
			}
		}
		var m *sdk.Message
		if text != "" {
			m = sdk.NewMessageForTask(sdk.MessageRoleAgent, ec, sdk.NewTextPart(text))
		}
		yield(sdk.NewStatusUpdateEvent(ec, state, m), nil)
	}
}

// asksFirst asks for something, and does the work when it got an answer.
func asksFirst(state sdk.TaskState, text string, then events) events {
	return func(ctx context.Context, ec *sdksrv.ExecutorContext, yield func(sdk.Event, error) bool) {
		if ec.StoredTask != nil {
			then(ctx, ec, yield)
			return
		}
		ends(state, text)(ctx, ec, yield)
	}
}

// onceOpen works on a task and ends it when a channel is closed.
func onceOpen(gate <-chan struct{}, then events) events {
	return func(ctx context.Context, ec *sdksrv.ExecutorContext, yield func(sdk.Event, error) bool) {
		if !yield(sdk.NewSubmittedTask(ec, ec.Message), nil) || !yield(sdk.NewStatusUpdateEvent(ec, sdk.TaskStateWorking, nil), nil) {
			return
		}
		select {
		case <-gate:
			then(ctx, &sdksrv.ExecutorContext{TaskID: ec.TaskID, ContextID: ec.ContextID, StoredTask: &sdk.Task{}, Message: ec.Message}, yield)
		case <-ctx.Done():
		}
	}
}

func canceled(_ context.Context, ec *sdksrv.ExecutorContext, yield func(sdk.Event, error) bool) {
	yield(sdk.NewStatusUpdateEvent(ec, sdk.TaskStateCanceled, nil), nil)
}

// hired is a worker that is reachable.
type hired struct {
	*worker
	url  string // of its card
	mux  *http.ServeMux
	card []byte
}

// hire starts a worker over plain HTTP: over JSON-RPC, or over HTTP+JSON. change alters
// the card before it is served.
func hire(t *testing.T, w *worker, rest, streaming bool, change ...func([]byte) []byte) *hired {
	t.Helper()
	mux := http.NewServeMux()
	h := httptest.NewServer(mux)
	t.Cleanup(h.Close)
	handler := sdksrv.NewHandler(w, sdksrv.WithCapabilityChecks(&sdk.AgentCapabilities{Streaming: streaming}))
	face := m{"url": h.URL + "/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
	if rest {
		face = m{"url": h.URL + "/rest", "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"}
	}
	mux.Handle("/rpc", sdksrv.NewJSONRPCHandler(handler))
	mux.Handle("/rest/", http.StripPrefix("/rest", sdksrv.NewRESTHandler(handler)))
	card := []byte(object(t, cardOf(m{"streaming": streaming}, face)))
	for _, f := range change {
		card = f(card)
	}
	cards, err := a2a.CardHandler(card, 0)
	require.NoError(t, err)
	mux.Handle(a2a.CardPath, cards)
	return &hired{w, h.URL + a2a.CardPath, mux, card}
}

func cardOf(capabilities, face m) m {
	skill := func(id string) m {
		return m{"id": id, "name": id, "description": id, "tags": []string{"owg"}}
	}
	return m{
		"name": "Worker", "description": "Works.", "version": "1.0.0", "supportedInterfaces": []m{face}, "capabilities": capabilities,
		"defaultInputModes": []string{inJSON}, "defaultOutputModes": []string{inJSON},
		"skills": []m{skill("localize-dub"), skill("produce-season"), skill("season-work")},
	}
}

// season is the workflow of package owg in a file, with members replaced.
func season(t *testing.T, replace ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "owg", "testdata", "season.json"))
	require.NoError(t, err)
	for i := 0; i < len(replace); i += 2 {
		require.Contains(t, string(data), replace[i])
	}
	return write(t, t.TempDir(), "season.json", strings.NewReplacer(replace...).Replace(string(data)), 0o600)
}

// ran is what a call of owg run came to.
type ran struct {
	status      cli.Status
	out, stderr string
	attempt     struct {
		Task      string
		Attempt   int
		Status    string
		Remote    struct{ Task_id, Context_id, State, Skill string }
		Produced  []struct{ Asset, Artifact_id, Sha256 string }
		Error     *struct{ Code, Message string }
		Card      *struct{ Sha256, Outcome string }
		Sent      json.RawMessage
		Performed string `json:"performed_by"`
	}
}

// code is why the attempt failed, "" when it did not.
func (r *ran) code() string {
	if r.attempt.Error == nil {
		return ""
	}
	return r.attempt.Error.Code
}

// owgRun calls owg run until it ends.
func owgRun(t *testing.T, args ...string) *ran { return owgRunIn(t, t.Context(), time.Now, args...) }

func owgRunIn(t *testing.T, ctx context.Context, now func() time.Time, args ...string) *ran {
	t.Helper()
	var out, stderr bytes.Buffer
	args = append([]string{"--insecure-plaintext", "--interval", "300ms"}, args...)
	r := &ran{}
	r.status = service.RunOwgAt(ctx, now, args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &stderr})
	r.out, r.stderr = out.String(), stderr.String()
	if r.out != "" {
		require.NoError(t, json.Unmarshal(out.Bytes(), &r.attempt), r.out)
	}
	return r
}

// recorded reads a run record.
func recorded(t *testing.T, file string) *owg.Record {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	r, err := owg.ParseRecord(data, owg.Limits{})
	require.NoError(t, err)
	return r
}
