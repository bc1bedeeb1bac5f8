package a2a

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"
	sdksrv "github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/a2aproject/a2a-go/v2/a2asrv/taskstore"
)

// ownerKey is where a stored task says whose it is. It is there in the store alone: peers
// never see it.
const ownerKey = "rdfproto/owner"

// TaskStore makes a store for the SDK in which a task belongs to whoever began it, as
// [ServerConfig.Principal] names them. The SDK's own store gives a task to anyone who
// knows its id, to read it, to cancel it and to send messages into it, so that a
// refused message of one peer would fail the task of another. Peers without
// authentication share their tasks: whoever knows the id has it.
// [Server.RequestHandler] has such a store in memory; give one of your own to the SDK
// by its WithTaskStore.
//
// A task that the store had before belongs to nobody, and access to it is refused. The
// store must list for a caller no tasks but the caller's: how many there are and the tokens
// of pages would tell of others, so that a page with one of them is refused.
func (s *Server) TaskStore(inner taskstore.Store) taskstore.Store { return &ownedTasks{s, inner} }

type ownedTasks struct {
	server *Server
	inner  taskstore.Store
}

// owner names who calls, without telling the store who that is.
func (o *ownedTasks) owner(ctx context.Context) (string, error) {
	call, ok := sdksrv.CallContextFrom(ctx)
	if !ok {
		return "", sdk.ErrUnauthenticated
	}
	return ownerOf(o.server.principal(call.User)), nil
}

func ownerOf(principal string) string {
	sum := sha256.Sum256([]byte("owner of a task\x00" + principal))
	return hex.EncodeToString(sum[:])
}

// lister names who calls to the SDK's store in memory, "" for nobody: the store then lists
// nothing.
func (s *Server) lister(ctx context.Context) (string, error) {
	call, ok := sdksrv.CallContextFrom(ctx)
	if !ok {
		return "", sdk.ErrUnauthenticated
	}
	principal := s.principal(call.User)
	if principal == "" {
		return "", nil
	}
	return ownerOf(principal), nil
}

// marked is a task as it is stored.
func marked(t *sdk.Task, owner string) *sdk.Task {
	if t == nil {
		return nil
	}
	stored := *t
	stored.Metadata = maps.Clone(t.Metadata)
	if stored.Metadata == nil {
		stored.Metadata = map[string]any{}
	}
	stored.Metadata[ownerKey] = owner
	return &stored
}

// unmarked takes the mark off a task that is owner's, and reports whether it is.
func unmarked(t *sdk.Task, owner string) (*sdk.Task, bool) {
	if t == nil || t.Metadata[ownerKey] != owner {
		return nil, false
	}
	plain := *t
	plain.Metadata = maps.Clone(t.Metadata)
	if delete(plain.Metadata, ownerKey); len(plain.Metadata) == 0 {
		plain.Metadata = nil
	}
	return &plain, true
}

// Create implements the SDK's Store.
func (o *ownedTasks) Create(ctx context.Context, t *sdk.Task) (taskstore.TaskVersion, error) {
	owner, err := o.owner(ctx)
	if err != nil {
		return taskstore.TaskVersionMissing, err
	}
	return o.inner.Create(ctx, marked(t, owner))
}

// Update implements the SDK's Store. The SDK changes only what it created or got here, in
// the same call.
func (o *ownedTasks) Update(ctx context.Context, req *taskstore.UpdateRequest) (taskstore.TaskVersion, error) {
	owner, err := o.owner(ctx)
	if err != nil {
		return taskstore.TaskVersionMissing, err
	}
	update := *req
	update.Task, update.PrevTask = marked(req.Task, owner), marked(req.PrevTask, owner)
	return o.inner.Update(ctx, &update)
}

// Get implements the SDK's Store. The error for a task of another is not that of one which
// is not there: the SDK lets those who subscribe to such a task wait for it.
func (o *ownedTasks) Get(ctx context.Context, id sdk.TaskID) (*taskstore.StoredTask, error) {
	owner, err := o.owner(ctx)
	if err != nil {
		return nil, err
	}
	stored, err := o.inner.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	t, ok := unmarked(stored.Task, owner)
	if !ok {
		return nil, sdk.NewError(sdk.ErrUnauthorized, "the task belongs to another")
	}
	return &taskstore.StoredTask{Task: t, Version: stored.Version}, nil
}

// List implements the SDK's Store.
func (o *ownedTasks) List(ctx context.Context, req *sdk.ListTasksRequest) (*sdk.ListTasksResponse, error) {
	owner, err := o.owner(ctx)
	if err != nil {
		return nil, err
	}
	all, err := o.inner.List(ctx, req)
	if err != nil {
		return nil, err
	}
	mine := *all
	mine.Tasks = nil
	for _, t := range all.Tasks {
		t, ok := unmarked(t, owner)
		if !ok {
			return nil, sdk.NewError(sdk.ErrUnsupportedOperation, "tasks cannot be listed: the store lists those of others as well")
		}
		mine.Tasks = append(mine.Tasks, t)
	}
	return &mine, nil
}

// ownedHandler asks for a task by its id before the SDK does anything with the id alone:
// whoever cancels a task while its owner does gets the owner's answer, and the store of
// notification targets knows no owners.
type ownedHandler struct{ sdksrv.RequestHandler }

// mayUse fails as getting the task does.
func (h ownedHandler) mayUse(ctx context.Context, id sdk.TaskID) error {
	none := 0
	_, err := h.GetTask(ctx, &sdk.GetTaskRequest{ID: id, HistoryLength: &none})
	return err
}

// CancelTask implements the SDK's RequestHandler.
func (h ownedHandler) CancelTask(ctx context.Context, req *sdk.CancelTaskRequest) (*sdk.Task, error) {
	if req == nil {
		return nil, sdk.ErrInvalidParams
	}
	if err := h.mayUse(ctx, req.ID); err != nil {
		return nil, err
	}
	return h.RequestHandler.CancelTask(ctx, req)
}

// GetTaskPushConfig implements the SDK's RequestHandler.
func (h ownedHandler) GetTaskPushConfig(ctx context.Context, req *sdk.GetTaskPushConfigRequest) (*sdk.PushConfig, error) {
	if err := h.mayUse(ctx, req.TaskID); err != nil {
		return nil, err
	}
	return h.RequestHandler.GetTaskPushConfig(ctx, req)
}

// ListTaskPushConfigs implements the SDK's RequestHandler.
func (h ownedHandler) ListTaskPushConfigs(ctx context.Context, req *sdk.ListTaskPushConfigRequest) (*sdk.ListTaskPushConfigResponse, error) {
	if err := h.mayUse(ctx, req.TaskID); err != nil {
		return nil, err
	}
	return h.RequestHandler.ListTaskPushConfigs(ctx, req)
}

// CreateTaskPushConfig implements the SDK's RequestHandler.
func (h ownedHandler) CreateTaskPushConfig(ctx context.Context, req *sdk.PushConfig) (*sdk.PushConfig, error) {
	if err := h.mayUse(ctx, req.TaskID); err != nil {
		return nil, err
	}
	return h.RequestHandler.CreateTaskPushConfig(ctx, req)
}

// DeleteTaskPushConfig implements the SDK's RequestHandler.
func (h ownedHandler) DeleteTaskPushConfig(ctx context.Context, req *sdk.DeleteTaskPushConfigRequest) error {
	if err := h.mayUse(ctx, req.TaskID); err != nil {
		return err
	}
	return h.RequestHandler.DeleteTaskPushConfig(ctx, req)
}
