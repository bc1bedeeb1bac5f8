package a2a_test

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"
	sdksrv "github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/a2aproject/a2a-go/v2/a2asrv/push"
	"github.com/a2aproject/a2a-go/v2/a2asrv/taskstore"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
)

// A task is of who began it: another peer that knows its id cannot read it, cancel it, or
// have it fail.
func TestTaskOwners(t *testing.T) {
	t.Parallel()
	httpBindings(t, func(t *testing.T, b a2a.Binding) {
		asks := &asker{}
		a := newAgent(t, agentOptions{executor: asks.around})
		for _, owner := range []string{"bob", ""} {
			got := a.post(t, b, owner, true, `{"messageId":"m1`+owner+`","role":"ROLE_USER","parts":[{"text":"begin a task"}]}`)
			require.NotNil(t, got.task, got.body)
			require.NotContains(t, got.body, "rdfproto/owner")
			id, ctx := got.task["id"].(string), got.task["contextId"].(string)
			into := func(who, parts string) answered {
				return a.post(t, b, who, true, fmt.Sprintf(`{"messageId":"into-%s-%s","taskId":%q,"contextId":%q,"role":"ROLE_USER","extensions":[%q],"parts":[%s]}`,
					owner, who, id, ctx, protocol.ExtensionURI, parts))
			}
			broken := fmt.Sprintf(`{"text":"x","mediaType":"text/turtle","metadata":{%q:"intent"}}`, protocol.KeyKind)
			for _, who := range []string{"bob", "carol", ""} {
				if who == owner {
					continue
				}
				got := into(who, broken)
				require.Nil(t, got.task, got.body)
				require.Contains(t, got.body, "the task belongs to another")
				for _, method := range []string{"GetTask", "CancelTask"} {
					text := a.call(t, who, method, id)
					require.NotContains(t, text, ctx, method)
					require.Contains(t, text, "the task belongs to another", method)
				}
			}
			text := a.call(t, owner, "GetTask", id)
			require.Contains(t, text, "TASK_STATE_INPUT_REQUIRED")
			require.NotContains(t, text, "rdfproto/owner")
			got = into(owner, broken)
			require.NotNil(t, got.task, got.body)
			require.Contains(t, got.body, "TASK_STATE_FAILED")
			require.NotContains(t, got.body, "rdfproto/owner")
		}
		text := a.call(t, "bob", "ListTasks", "")
		require.Contains(t, text, "TASK_STATE_FAILED")
		require.NotContains(t, text, "rdfproto/owner")
		require.NotContains(t, a.call(t, "carol", "ListTasks", ""), "TASK_STATE_FAILED")
	})
}

// call calls a method about a task over JSON-RPC, and returns the answer's body.
func (a *agent) call(t *testing.T, user, method, id string) string {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/rpc", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{"id":"`+id+`"}}`))
	r.Header.Set("A2A-Version", "1.0")
	r.Header.Set("A2A-Extensions", protocol.ExtensionURI)
	if user != "" {
		r.Header.Set("Authorization", "Bearer "+user)
	}
	w := httptest.NewRecorder()
	a.handler.ServeHTTP(w, r)
	body, err := io.ReadAll(w.Body)
	require.NoError(t, err)
	return string(body)
}

// tenants authenticates users by name and tenant: two have one name.
type tenants struct {
	sdksrv.PassthroughCallInterceptor
}

func (tenants) Before(ctx context.Context, call *sdksrv.CallContext, _ *sdksrv.Request) (context.Context, any, error) {
	if values, _ := call.ServiceParams().Get("tenant"); len(values) == 1 && values[0] != "" {
		call.User = sdksrv.NewAuthenticatedUser("bob", map[string]any{"tenant": values[0]})
	}
	return ctx, nil, nil
}

// holder begins a task for whatever it gets, and cancels one when it may.
type holder struct{ asked, may chan struct{} }

func (h holder) Execute(_ context.Context, ec *sdksrv.ExecutorContext) iter.Seq2[sdk.Event, error] {
	return func(yield func(sdk.Event, error) bool) {
		yield(&sdk.Task{ID: ec.TaskID, ContextID: ec.ContextID, Status: sdk.TaskStatus{State: sdk.TaskStateInputRequired}}, nil)
	}
}

func (h holder) Cancel(_ context.Context, ec *sdksrv.ExecutorContext) iter.Seq2[sdk.Event, error] {
	return func(yield func(sdk.Event, error) bool) {
		h.asked <- struct{}{}
		<-h.may
		yield(sdk.NewStatusUpdateEvent(ec, sdk.TaskStateCanceled, nil), nil)
	}
}

// unsent notifies nobody.
type unsent struct{}

func (unsent) SendPush(context.Context, *sdk.PushConfig, sdk.Event) error { return nil }

// Of the tasks of others nothing is told, whatever the SDK keeps beside its store of tasks:
// not how many there are, nor what became of one that is being canceled, nor by notification.
func TestTasksOfOthers(t *testing.T) {
	t.Parallel()
	a := newAgent(t, agentOptions{})
	app := holder{make(chan struct{}, 1), make(chan struct{})}
	s, err := a2a.NewServer(a2a.ServerConfig{
		Engine: a.clientEngine(t, func(c *engine.Config) { c.Declared = []engine.Declared{{Pin: a.read.Pin()}} }), Card: a.card, Prose: app,
		Handler:   a2a.HandlerFunc(func(context.Context, *engine.Intent) (engine.Answer, error) { return engine.Answer{}, nil }),
		Principal: func(u *sdksrv.User) string { return u.Name + "@" + u.Attributes["tenant"].(string) },
	})
	require.NoError(t, err)
	rh := s.RequestHandler(sdksrv.WithCallInterceptors(tenants{}), sdksrv.WithPushNotifications(push.NewInMemoryStore(), unsent{}))
	as := func(tenant string) context.Context {
		ctx, _ := sdksrv.NewCallContext(t.Context(), sdksrv.NewServiceParams(map[string][]string{"tenant": {tenant}}))
		return ctx
	}
	begin := func(tenant string) *sdk.Task {
		got, err := rh.SendMessage(as(tenant), &sdk.SendMessageRequest{Message: sdk.NewMessage(sdk.MessageRoleUser, sdk.NewTextPart("hello"))})
		require.NoError(t, err)
		return got.(*sdk.Task)
	}
	mine := begin("a")
	for range 3 {
		begin("b")
	}
	begin("")

	list, err := rh.ListTasks(as("a"), &sdk.ListTasksRequest{PageSize: 1})
	require.NoError(t, err)
	require.Len(t, list.Tasks, 1)
	require.Equal(t, mine.ID, list.Tasks[0].ID)
	require.Equal(t, 1, list.TotalSize)
	require.Empty(t, list.NextPageToken)
	list, err = rh.ListTasks(as("b"), &sdk.ListTasksRequest{PageSize: 2})
	require.NoError(t, err)
	require.Equal(t, 3, list.TotalSize)
	list, err = rh.ListTasks(as("b"), &sdk.ListTasksRequest{PageSize: 2, PageToken: list.NextPageToken})
	require.NoError(t, err)
	require.Len(t, list.Tasks, 1)
	_, err = rh.ListTasks(as(""), &sdk.ListTasksRequest{})
	require.ErrorIs(t, err, sdk.ErrUnauthenticated, "who knows the id of a task of nobody has it")

	target := &sdk.PushConfig{TaskID: mine.ID, ID: "p", URL: "https://b.example/"}
	for _, other := range []string{"b", ""} {
		_, err = rh.CreateTaskPushConfig(as(other), target)
		require.ErrorIs(t, err, sdk.ErrUnauthorized)
	}
	_, err = rh.CreateTaskPushConfig(as("a"), target)
	require.NoError(t, err)
	for _, other := range []string{"b", ""} {
		_, err = rh.GetTaskPushConfig(as(other), &sdk.GetTaskPushConfigRequest{TaskID: mine.ID, ID: "p"})
		require.ErrorIs(t, err, sdk.ErrUnauthorized)
		_, err = rh.ListTaskPushConfigs(as(other), &sdk.ListTaskPushConfigRequest{TaskID: mine.ID})
		require.ErrorIs(t, err, sdk.ErrUnauthorized)
		require.ErrorIs(t, rh.DeleteTaskPushConfig(as(other), &sdk.DeleteTaskPushConfigRequest{TaskID: mine.ID, ID: "p"}), sdk.ErrUnauthorized)
	}
	configs, err := rh.ListTaskPushConfigs(as("a"), &sdk.ListTaskPushConfigRequest{TaskID: mine.ID})
	require.NoError(t, err)
	require.Len(t, configs.Configs, 1)
	_, err = rh.GetTaskPushConfig(as("a"), &sdk.GetTaskPushConfigRequest{TaskID: mine.ID, ID: "p"})
	require.NoError(t, err)
	require.NoError(t, rh.DeleteTaskPushConfig(as("a"), &sdk.DeleteTaskPushConfigRequest{TaskID: mine.ID, ID: "p"}))

	canceled := make(chan error, 1)
	go func() {
		_, err := rh.CancelTask(as("a"), &sdk.CancelTaskRequest{ID: mine.ID})
		canceled <- err
	}()
	<-app.asked
	limited, stop := context.WithTimeout(as("b"), 5*time.Second)
	_, err = rh.CancelTask(limited, &sdk.CancelTaskRequest{ID: mine.ID})
	stop()
	close(app.may)
	require.ErrorIs(t, err, sdk.ErrUnauthorized)
	require.NoError(t, <-canceled)
}

// A store that lists the tasks of others lists nothing: its numbers and the tokens of its
// pages are about them.
func TestUnfilteredStore(t *testing.T) {
	t.Parallel()
	a := newAgent(t, agentOptions{})
	store := a.server.TaskStore(taskstore.NewInMemory(&taskstore.InMemoryStoreConfig{Authenticator: func(context.Context) (string, error) { return "all", nil }}))
	as := func(name string) context.Context {
		ctx, call := sdksrv.NewCallContext(t.Context(), nil)
		call.User = sdksrv.NewAuthenticatedUser(name, nil)
		return ctx
	}
	begin := func(name string) {
		_, err := store.Create(as(name), &sdk.Task{ID: sdk.NewTaskID(), ContextID: "c", Status: sdk.TaskStatus{State: sdk.TaskStateWorking}})
		require.NoError(t, err)
	}
	begin("bob")
	_, err := store.List(as("bob"), &sdk.ListTasksRequest{})
	require.NoError(t, err)
	begin("carol")
	list, err := store.List(as("bob"), &sdk.ListTasksRequest{})
	require.ErrorIs(t, err, sdk.ErrUnsupportedOperation)
	require.Nil(t, list)
}

// What the SDK's store holds of nobody, and what is asked by nobody, is refused.
func TestTaskStore(t *testing.T) {
	t.Parallel()
	a := newAgent(t, agentOptions{})
	inner := taskstore.NewInMemory(nil)
	before := &sdk.Task{ID: sdk.NewTaskID(), ContextID: "c", Status: sdk.TaskStatus{State: sdk.TaskStateWorking}}
	_, err := inner.Create(t.Context(), before)
	require.NoError(t, err)
	store := a.server.TaskStore(inner)
	as := func(name string) context.Context {
		ctx, call := sdksrv.NewCallContext(t.Context(), nil)
		if name != "" {
			call.User = sdksrv.NewAuthenticatedUser(name, nil)
		}
		return ctx
	}
	_, err = store.Get(as("bob"), before.ID)
	require.ErrorIs(t, err, sdk.ErrUnauthorized)
	_, err = store.Get(as("bob"), "none")
	require.ErrorIs(t, err, sdk.ErrTaskNotFound)
	mine := &sdk.Task{ID: sdk.NewTaskID(), ContextID: "c", Status: sdk.TaskStatus{State: sdk.TaskStateWorking}, Metadata: map[string]any{"k": "v"}}
	version, err := store.Create(as("bob"), mine)
	require.NoError(t, err)
	require.Equal(t, map[string]any{"k": "v"}, mine.Metadata, "the caller's task is not changed")
	got, err := store.Get(as("bob"), mine.ID)
	require.NoError(t, err)
	require.Equal(t, mine.Metadata, got.Task.Metadata)
	_, err = store.Get(as("carol"), mine.ID)
	require.ErrorIs(t, err, sdk.ErrUnauthorized)
	_, err = store.Update(as("bob"), &taskstore.UpdateRequest{Task: got.Task, PrevVersion: version})
	require.NoError(t, err)
	_, err = store.Get(as("bob"), mine.ID)
	require.NoError(t, err, "a change keeps the owner")
	for name, call := range map[string]func(context.Context) error{
		"Create": func(ctx context.Context) error { _, err := store.Create(ctx, mine); return err },
		"Update": func(ctx context.Context) error {
			_, err := store.Update(ctx, &taskstore.UpdateRequest{Task: mine})
			return err
		},
		"Get":  func(ctx context.Context) error { _, err := store.Get(ctx, mine.ID); return err },
		"List": func(ctx context.Context) error { _, err := store.List(ctx, &sdk.ListTasksRequest{}); return err },
	} {
		require.ErrorIs(t, call(t.Context()), sdk.ErrUnauthenticated, name)
	}
}

// Bounds on peers without authentication are counted for where they came from.
func TestNetwork(t *testing.T) {
	t.Parallel()
	a := newAgent(t, agentOptions{engine: func(c *engine.Config) { c.Limits.Network = 1 }})
	pin := a.read.Pin().String()
	n := 0
	send := func(remote, user string) string {
		n++
		d := draft{id: fmt.Sprint("n", n), context: "c", parts: []map[string]any{intentPart(pin, readIntent)}}
		r := httptest.NewRequest(http.MethodPost, "/rpc", strings.NewReader(inside(a2a.JSONRPC, d.String())))
		r.RemoteAddr = remote
		r.Header.Set("A2A-Extensions", protocol.ExtensionURI)
		if user != "" {
			r.Header.Set("Authorization", "Bearer "+user)
		}
		w := httptest.NewRecorder()
		a.handler.ServeHTTP(w, r)
		if strings.Contains(w.Body.String(), string(protocol.CodeLimitExceeded)) {
			return "limit"
		}
		require.Contains(t, w.Body.String(), protocol.KeyProtocolHash)
		return "ok"
	}
	for _, row := range []struct{ name, remote, user, want string }{
		{"the first of one address", "8.8.8.8:1", "", "ok"},
		{"the second", "8.8.8.8:2", "", "limit"},
		{"the same address written for IPv6", "[::ffff:8.8.8.8]:2", "", "limit"},
		{"with authentication", "8.8.8.8:3", "bob", "ok"},
		{"another address", "8.8.4.4:1", "", "ok"},
		{"the first of one IPv6 network", "[2600:1:2:3::1]:1", "", "ok"},
		{"the second", "[2600:1:2:3:ffff::2]:1", "", "limit"},
		{"another network", "[2600:1:2:4::1]:1", "", "ok"},
		{"a proxy of one's own", "10.0.0.1:1", "", "ok"},
		{"the same", "10.0.0.1:1", "", "ok"},
		{"loopback", "127.0.0.1:1", "", "ok"},
		{"loopback again", "[::1%lo]:1", "", "ok"},
		{"a socket", "@", "", "ok"},
		{"a socket again", "@", "", "ok"},
	} {
		require.Equal(t, row.want, send(row.remote, row.user), row.name)
	}
	for _, given := range []string{"198.51.100.7", ""} {
		s, err := a2a.NewServer(a2a.ServerConfig{
			Engine: a.clientEngine(t, func(c *engine.Config) { c.Declared = []engine.Declared{{Pin: a.read.Pin()}}; c.Limits.Network = 1 }),
			Card:   a.card, Handler: a2a.HandlerFunc(func(context.Context, *engine.Intent) (engine.Answer, error) { return engine.Answer{}, nil }),
			Network: func(_ context.Context, remote netip.Addr) string {
				if remote != netip.MustParseAddr("10.0.0.1") {
					t.Errorf("found %s", remote)
				}
				return given
			},
		})
		require.NoError(t, err)
		h := s.JSONRPC(s.RequestHandler())
		var last string
		for i := range 2 {
			d := draft{id: fmt.Sprint(i), context: "c", parts: []map[string]any{intentPart(pin, readIntent)}}
			r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(inside(a2a.JSONRPC, d.String())))
			r.RemoteAddr = "10.0.0.1:9"
			r.Header.Set("A2A-Extensions", protocol.ExtensionURI)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			last = w.Body.String()
		}
		require.Equal(t, given != "", strings.Contains(last, string(protocol.CodeLimitExceeded)), last)
	}
}
