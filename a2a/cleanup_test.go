package a2a_test

import (
	"context"
	"iter"
	"sync"
	"testing"
	"time"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"
	sdksrv "github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/a2a"
)

// cleaner is an application that holds something for each execution until that is over. As
// with the SDK alone, it takes for granted that what is cleaned up was begun.
type cleaner struct {
	mu   sync.Mutex
	held map[*sdksrv.ExecutorContext]bool
	did  []string
	bad  int
}

func (c *cleaner) begin(ec *sdksrv.ExecutorContext, what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held[ec] = true
	c.did = append(c.did, what)
}

func (c *cleaner) Execute(_ context.Context, ec *sdksrv.ExecutorContext) iter.Seq2[sdk.Event, error] {
	return func(yield func(sdk.Event, error) bool) {
		c.begin(ec, "execute")
		if ec.Message.Parts[0].Text() == "panic" {
			panic("as asked")
		}
		yield(&sdk.Task{ID: ec.TaskID, ContextID: ec.ContextID, Status: sdk.TaskStatus{State: sdk.TaskStateInputRequired}}, nil)
	}
}

func (c *cleaner) Cancel(_ context.Context, ec *sdksrv.ExecutorContext) iter.Seq2[sdk.Event, error] {
	return func(yield func(sdk.Event, error) bool) {
		c.begin(ec, "cancel")
		yield(sdk.NewStatusUpdateEvent(ec, sdk.TaskStateCanceled, nil), nil)
	}
}

func (c *cleaner) Cleanup(_ context.Context, ec *sdksrv.ExecutorContext, _ sdk.SendMessageResult, _ error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.held[ec] {
		c.bad++
	}
	delete(c.held, ec)
	c.did = append(c.did, "cleanup")
}

// take returns what was done since the last time, once as much was done as is expected: the
// SDK cleans up when the answer is on its way.
func (c *cleaner) take(t *testing.T, expected int) []string {
	t.Helper()
	var did []string
	require.Eventually(t, func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		did = append(did, c.did...)
		c.did = nil
		return len(did) >= expected
	}, 30*time.Second, time.Millisecond)
	return did
}

// TestCleanup: the application's executor cleans up after what it got, and after nothing
// else: not after handshakes, intents and refusals, by which a peer could otherwise have it
// let go of what it never held, or still needs.
func TestCleanup(t *testing.T) {
	t.Parallel()
	app := &cleaner{held: map[*sdksrv.ExecutorContext]bool{}}
	a := newAgent(t, agentOptions{tasks: true, prose: app})
	got := a.post(t, a2a.JSONRPC, "bob", true, draft{id: "m1", parts: []map[string]any{intentPart(a.read.Pin().String(), readIntent)}}.String())
	require.NotNil(t, got.task)
	require.Equal(t, []string{"m1"}, a.executed())
	require.Contains(t, a.call(t, "bob", "CancelTask", got.task["id"].(string)), "error")
	a.post(t, a2a.JSONRPC, "bob", true, draft{id: "m1", parts: []map[string]any{intentPart(a.read.Pin().String(), readIntent)}}.String())
	a.post(t, a2a.JSONRPC, "bob", true, draft{id: "m2", parts: []map[string]any{intentPart(a.read.Pin().String(), "no Turtle")}}.String())
	_, err := dial(t, a, a.clientConfig(t, a2a.JSONRPC)).Conversation("").Offer(t.Context(), offer(a, a.grant, true))
	require.NoError(t, err)
	require.Empty(t, app.take(t, 0))

	text := func(s string) []map[string]any { return []map[string]any{{"text": s}} }
	task := a.post(t, a2a.JSONRPC, "bob", true, draft{id: "m3", bare: true, parts: text("begin")}.String()).task
	require.Equal(t, []string{"execute", "cleanup"}, app.take(t, 2))
	a.post(t, a2a.JSONRPC, "bob", true, draft{id: "m4", bare: true, parts: text("panic")}.String())
	require.Equal(t, []string{"execute", "cleanup"}, app.take(t, 2))
	require.Contains(t, a.call(t, "bob", "CancelTask", task["id"].(string)), "TASK_STATE_CANCELED")
	require.Equal(t, []string{"cancel", "cleanup"}, app.take(t, 2))
	app.mu.Lock()
	defer app.mu.Unlock()
	require.Zero(t, app.bad)
	require.Empty(t, app.held)
}
