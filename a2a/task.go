package a2a

import (
	"context"
	"errors"
	"fmt"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"
	sdkclient "github.com/a2aproject/a2a-go/v2/a2aclient"

	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/protocol"
)

// answer is what came back for a message: one of message and task, and its JSON as it
// came, which is absent over gRPC and for what was put together from events.
type answer struct {
	message *sdk.Message
	task    *sdk.Task
	raw     strictjson.Value // the object around "message" or "task"
}

func answerOf(result sdk.SendMessageResult, raw strictjson.Value) (*answer, error) {
	switch r := result.(type) {
	case *sdk.Message:
		return &answer{message: r, raw: raw}, nil
	case *sdk.Task:
		return &answer{task: r, raw: raw}, nil
	default:
		return nil, fmt.Errorf("expected a message or a task, found %T", result)
	}
}

// reply makes the engine's reply of it. Artifacts that came in chunks are put together
// before anything of them is decoded (a2a-rdf, BIND-11).
func (a *answer) reply() (engine.Reply, error) {
	var r engine.Reply
	var err error
	switch {
	case a.raw.Exists():
		r, err = engine.ParseReply([]byte(a.raw.Source()), engine.Limits{})
	case a.message != nil:
		var m engine.Message
		m, err = fromSDK(a.message, nil)
		r.Message = &m
	case a.task != nil:
		r, err = taskReply(a.task)
	}
	if err != nil {
		return engine.Reply{}, err
	}
	for i := range r.Artifacts {
		r.Artifacts[i].Parts = mergeChunks(r.Artifacts[i].Parts)
	}
	return r, nil
}

// taskReply makes the engine's reply of a task.
func taskReply(t *sdk.Task) (engine.Reply, error) {
	r := engine.Reply{TaskID: string(t.ID), ContextID: t.ContextID, State: engine.TaskFailed}
	switch {
	case underWay(t.Status.State):
		r.State = engine.TaskWorking
	case t.Status.State == sdk.TaskStateInputRequired || t.Status.State == sdk.TaskStateAuthRequired:
		r.State = engine.TaskInput
	case t.Status.State == sdk.TaskStateCompleted:
		r.State = engine.TaskCompleted
	}
	if t.Status.Message != nil {
		m, err := fromSDK(t.Status.Message, nil)
		if err != nil {
			return engine.Reply{}, err
		}
		r.Message = &m
		if r.State == engine.TaskFailed {
			r.Code, r.Challenge = engine.ErrorCode(m.Metadata)
		}
	}
	for _, artifact := range t.Artifacts {
		if artifact == nil {
			continue
		}
		r.Artifacts = append(r.Artifacts, engine.Artifact{
			ID:         string(artifact.ID),
			Extensions: artifact.Extensions,
			Metadata:   encodeObject(artifact.Metadata),
			Parts:      partsOf(artifact.Parts),
		})
	}
	return r, nil
}

// mergeChunks joins response parts of one artifact that follow each other with the same
// tags and media type: chunks of one payload, which A2A appends as parts.
func mergeChunks(parts []engine.Part) []engine.Part {
	var merged []engine.Part
	for _, p := range parts {
		if n := len(merged); n > 0 && sameChunk(merged[n-1], p) {
			merged[n-1].Text += p.Text
			continue
		}
		merged = append(merged, p)
	}
	return merged
}

func sameChunk(a, b engine.Part) bool {
	kind, _ := decodeObject(a.Metadata)[protocol.KeyKind].(string)
	return kind == string(protocol.RoleResponse) && a.Content == engine.Text && b.Content == engine.Text &&
		a.MediaType == b.MediaType && a.Filename == b.Filename && sameJSON(a.Metadata, b.Metadata)
}

// underWay reports whether a task may still change without the client.
func underWay(s sdk.TaskState) bool {
	return s == sdk.TaskStateSubmitted || s == sdk.TaskStateWorking || s == sdk.TaskStateUnspecified
}

// assemble sends a message as a stream and puts the events together.
func (l *link) assemble(ctx context.Context, params sdkclient.ServiceParams, req *sdk.SendMessageRequest, got *reply) (*answer, error) {
	var b builder
	i := 0
	for event, err := range l.transport.SendStreamingMessage(ctx, params, req) {
		if err != nil {
			return nil, err
		}
		if m, ok := event.(*sdk.Message); ok {
			if b.task != nil {
				return nil, errors.New("the peer answered with a task and a message")
			}
			return &answer{message: m, raw: got.event(i)}, nil
		}
		if err := b.add(event); err != nil {
			return nil, err
		}
		if !underWay(b.task.Status.State) {
			break
		}
		i++
	}
	if b.task == nil {
		return nil, errors.New("the peer ended the stream without an answer")
	}
	return &answer{task: b.task}, nil
}

// builder puts a task together from its events.
type builder struct {
	task *sdk.Task
	done map[sdk.ArtifactID]bool
	size int
}

// add applies an event.
func (b *builder) add(event sdk.Event) error {
	if t, ok := event.(*sdk.Task); ok {
		if b.task != nil && (b.task.ID != t.ID || b.task.ContextID != t.ContextID) {
			return errors.New("the peer answered with two tasks")
		}
		b.task = t
		for _, artifact := range t.Artifacts {
			if err := b.count(artifact); err != nil {
				return err
			}
		}
		return nil
	}
	if b.task == nil {
		return errors.New("the peer began the stream without a task or a message")
	}
	if info := event.TaskInfo(); info.TaskID != b.task.ID || info.ContextID != b.task.ContextID {
		return errors.New("the peer answered with an event of another task")
	}
	switch e := event.(type) {
	case *sdk.TaskStatusUpdateEvent:
		b.task.Status = e.Status
		return nil
	case *sdk.TaskArtifactUpdateEvent:
		return b.artifact(e)
	default:
		return fmt.Errorf("expected an event of a task, found %T", event)
	}
}

// artifact adds an artifact, replaces it, or appends a chunk to it.
func (b *builder) artifact(e *sdk.TaskArtifactUpdateEvent) error {
	if e.Artifact == nil {
		return errors.New("the peer sent an event of an artifact without one")
	}
	if err := b.count(e.Artifact); err != nil {
		return err
	}
	if b.done[e.Artifact.ID] {
		return errors.New("the peer sent more of an artifact after its last chunk")
	}
	if e.LastChunk {
		if b.done == nil {
			b.done = map[sdk.ArtifactID]bool{}
		}
		b.done[e.Artifact.ID] = true
	}
	for i, known := range b.task.Artifacts {
		if known == nil || known.ID != e.Artifact.ID {
			continue
		}
		if !e.Append {
			b.task.Artifacts[i] = e.Artifact
			return nil
		}
		known.Parts = append(known.Parts, continued(known.Parts, e.Artifact.Parts)...)
		return nil
	}
	if e.Append {
		return errors.New("the peer appended to an artifact that it did not begin")
	}
	b.task.Artifacts = append(b.task.Artifacts, e.Artifact)
	return nil
}

// continued gives the first part of a chunk that bears no tags those of the part that
// it continues.
func continued(before, chunk sdk.ContentParts) sdk.ContentParts {
	if len(before) == 0 || len(chunk) == 0 || before[len(before)-1] == nil || chunk[0] == nil {
		return chunk
	}
	last, first := before[len(before)-1], chunk[0]
	_, lastText := last.Content.(sdk.Text)
	_, firstText := first.Content.(sdk.Text)
	if lastText && firstText && first.Metadata == nil && (first.MediaType == "" || first.MediaType == last.MediaType) {
		first.Metadata, first.MediaType = last.Metadata, last.MediaType
	}
	return chunk
}

// count holds the sum of all chunks under the limit before it is kept.
func (b *builder) count(a *sdk.Artifact) error {
	if a == nil {
		return nil
	}
	for _, p := range a.Parts {
		if p == nil {
			continue
		}
		switch c := p.Content.(type) {
		case sdk.Text:
			b.size += len(c)
		case sdk.Raw:
			b.size += len(c)
		case sdk.Data:
			b.size += len(encode(c.Value))
		}
	}
	if b.size > maxReply {
		return fmt.Errorf("%w: its artifacts exceed the limit of %d bytes", errReply, maxReply)
	}
	return nil
}
