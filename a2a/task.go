package a2a

import (
	"context"
	"errors"
	"fmt"
	"slices"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"
	sdkclient "github.com/a2aproject/a2a-go/v2/a2aclient"

	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// answer is what came back for a message: one of message and task, and its JSON as it
// came, which is absent over gRPC and for what was put together from events.
type answer struct {
	message   *sdk.Message
	task      *sdk.Task
	artifacts []engine.Artifact // of the task, where they came as a stream
	raw       strictjson.Value  // the object around "message" or "task"
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
	if a.artifacts != nil {
		r.Artifacts = a.artifacts
		return r, nil
	}
	if r.Artifacts, err = joined(r.Artifacts); err != nil {
		return engine.Reply{}, err
	}
	return r, nil
}

// joined puts together payloads whose chunks a task keeps as parts, one after the other.
func joined(artifacts []engine.Artifact) ([]engine.Artifact, error) {
	var whole engine.Assembly
	for i, a := range artifacts {
		if slices.ContainsFunc(artifacts[:i], func(b engine.Artifact) bool { return b.ID == a.ID }) {
			return nil, errSameID
		}
		if err := put(&whole, a, false); err != nil {
			return nil, err
		}
	}
	return whole.Artifacts(), nil
}

// put adds an artifact, or more of one, as if each part came by itself: a part may be a chunk
// of the payload in the part before it.
func put(whole *engine.Assembly, a engine.Artifact, more bool) error {
	first := a
	first.Parts = a.Parts[:min(1, len(a.Parts))]
	if err := whole.Add(first, more); err != nil {
		return err
	}
	for i := 1; i < len(a.Parts); i++ {
		if err := whole.Add(engine.Artifact{ID: a.ID, Parts: a.Parts[i : i+1]}, true); err != nil {
			return err
		}
	}
	return nil
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
	}
	if r.State == engine.TaskFailed {
		if r.Message != nil {
			r.Code, r.Challenge = engine.ErrorCode(r.Message.Metadata)
		}
		if r.Code == "" && r.Challenge == nil { // a task keeps the metadata of its events
			r.Code, r.Challenge = engine.ErrorCode(encodeObject(t.Metadata))
		}
	}
	for _, artifact := range t.Artifacts {
		if artifact != nil {
			r.Artifacts = append(r.Artifacts, artifactOf(artifact))
		}
	}
	return r, nil
}

func artifactOf(a *sdk.Artifact) engine.Artifact {
	return engine.Artifact{
		ID:         string(a.ID),
		Extensions: a.Extensions,
		Metadata:   encodeObject(a.Metadata),
		Parts:      partsOf(a.Parts),
	}
}

// underWay reports whether a task may still change without the client.
func underWay(s sdk.TaskState) bool {
	return s == sdk.TaskStateSubmitted || s == sdk.TaskStateWorking || s == sdk.TaskStateUnspecified
}

// assemble sends a message as a stream and puts the events together.
func (l *link) assemble(ctx context.Context, params sdkclient.ServiceParams, req *sdk.SendMessageRequest, got *reply) (*answer, error) {
	b := builder{v03: l.v03}
	i := 0
	for event, err := range l.transport.SendStreamingMessage(ctx, params, req) {
		if err != nil && ctx.Err() != nil && b.task != nil {
			return nil, &unendedError{string(b.task.ID), err}
		}
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
	return &answer{task: b.task, artifacts: b.sum.Artifacts()}, nil
}

// builder puts a task together from its events. The sum of what it keeps is bounded
// before it is kept.
type builder struct {
	v03  bool // they come over A2A 0.3
	task *sdk.Task
	sum  engine.Assembly
	done map[sdk.ArtifactID]bool
}

// add applies an event.
func (b *builder) add(event sdk.Event) error {
	if t, ok := event.(*sdk.Task); ok {
		if b.task != nil {
			return errors.New("the peer answered with two tasks")
		}
		b.task = t
		for i, artifact := range t.Artifacts {
			switch {
			case artifact == nil:
				return errNoArtifact
			case slices.ContainsFunc(t.Artifacts[:i], func(b *sdk.Artifact) bool { return b.ID == artifact.ID }):
				return errSameID
			}
			if err := b.put(artifact, false); err != nil {
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
		for name, value := range e.Metadata {
			b.task.SetMeta(name, value)
		}
		return nil
	case *sdk.TaskArtifactUpdateEvent:
		return b.artifact(e)
	default:
		return fmt.Errorf("expected an event of a task, found %T", event)
	}
}

var errNoArtifact = errors.New("the peer sent an event of an artifact without one")

// errSameID is why a task is not read in which two artifacts have one id, which A2A wants to
// be unique within a task: putting them together would keep one, and say nothing of the other.
var errSameID = errors.New("the peer sent a task with two artifacts of one id")

// artifact adds an artifact, replaces it, or appends a chunk to it.
func (b *builder) artifact(e *sdk.TaskArtifactUpdateEvent) error {
	if e.Artifact == nil {
		return errNoArtifact
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
	i := slices.IndexFunc(b.task.Artifacts, func(a *sdk.Artifact) bool { return a.ID == e.Artifact.ID })
	if e.Append && i >= 0 {
		e.Artifact.Parts = continued(b.task.Artifacts[i].Parts, e.Artifact.Parts)
	}
	if err := b.put(e.Artifact, e.Append); err != nil {
		return err
	}
	switch {
	case i < 0:
		b.task.Artifacts = append(b.task.Artifacts, e.Artifact)
	case e.Append:
		known := b.task.Artifacts[i]
		known.Parts = append(known.Parts, e.Artifact.Parts...)
	default:
		b.task.Artifacts[i] = e.Artifact
	}
	return nil
}

// put adds an artifact, or a chunk of one, to the sum. Over A2A 0.3 the media types of its
// parts are in their metadata.
func (b *builder) put(a *sdk.Artifact, more bool) error {
	if b.v03 {
		mediaTypes03(a.Parts, false)
	}
	return put(&b.sum, artifactOf(a), more)
}

// continued gives the first part of a chunk that bears no tags those of the part that
// it continues: left as it is, the payload before it would look complete.
func continued(before, chunk sdk.ContentParts) sdk.ContentParts {
	if len(before) == 0 || len(chunk) == 0 || before[len(before)-1] == nil || chunk[0] == nil {
		return chunk
	}
	last, first := before[len(before)-1], chunk[0]
	_, lastText := last.Content.(sdk.Text)
	_, firstText := first.Content.(sdk.Text)
	if lastText && firstText && isTagged(last) && first.Metadata == nil && (first.MediaType == "" || first.MediaType == last.MediaType) {
		first.Metadata, first.MediaType = last.Metadata, last.MediaType
	}
	return chunk
}
