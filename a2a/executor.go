package a2a

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"
	sdksrv "github.com/a2aproject/a2a-go/v2/a2asrv"

	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/protocol"
)

// duplicateFirst is the first pause of a duplicate that waits for the answer of the
// message it repeats.
const duplicateFirst = 10 * time.Millisecond

// executor puts the engine before the application.
type executor struct {
	server *Server
	// prose are the executions that the application's executor got and did not clean up.
	prose sync.Map // of *sdksrv.ExecutorContext, which is the same for all of one execution
}

// Execute implements the SDK's AgentExecutor.
func (x *executor) Execute(ctx context.Context, ec *sdksrv.ExecutorContext) iter.Seq2[sdk.Event, error] {
	return func(yield func(sdk.Event, error) bool) {
		t := turn{executor: x, ec: ec, yield: yield, v03: isV03Request(ec.ServiceParams)}
		t.run(ctx)
	}
}

// intentKey is where the task of an intent says that it is one.
const intentKey = "rdfproto/intent"

// Cancel implements the SDK's AgentExecutor. Intents are carried out in one go: only
// the application's own tasks can be canceled.
func (x *executor) Cancel(ctx context.Context, ec *sdksrv.ExecutorContext) iter.Seq2[sdk.Event, error] {
	if !x.cancels(ec) {
		return func(yield func(sdk.Event, error) bool) { yield(nil, sdk.ErrTaskNotCancelable) }
	}
	return x.server.config.Prose.Cancel(ctx, ec)
}

// cancels reports whether canceling a task is up to the application.
func (x *executor) cancels(ec *sdksrv.ExecutorContext) bool {
	return x.server.config.Prose != nil && (ec.StoredTask == nil || ec.StoredTask.Metadata[intentKey] != true)
}

// Cleanup implements the SDK's AgentExecutionCleaner. The application's executor has
// nothing to clean up after a message that the engine answered.
func (x *executor) Cleanup(ctx context.Context, ec *sdksrv.ExecutorContext, result sdk.SendMessageResult, err error) {
	c, ok := x.server.config.Prose.(sdksrv.AgentExecutionCleaner)
	if !ok {
		return
	}
	got := x.cancels(ec)
	if ec.Message != nil { // no cancellation
		_, got = x.prose.LoadAndDelete(ec)
	}
	if got {
		c.Cleanup(ctx, ec, result, err)
	}
}

// turn is the execution of one message.
type turn struct {
	executor *executor
	ec       *sdksrv.ExecutorContext
	yield    func(sdk.Event, error) bool
	v03      bool
}

func (t *turn) run(ctx context.Context) {
	o := t.receive(ctx)
	switch o.Kind {
	case engine.KindReply, engine.KindAgreed, engine.KindDeclined:
		if o.Message == nil {
			t.refuse(o)
			return
		}
		t.send(*o.Message, sdk.TaskStateInputRequired)
	case engine.KindIntent:
		t.carryOut(ctx, o.Intent)
	case engine.KindDuplicate:
		t.repeat(o)
	case engine.KindProse:
		t.prose(ctx, o)
	case engine.KindAborted: // an offer of this side was not accepted (a2a-rdf, section 5.3)
		o.Code = protocol.CodeUpgradeRequired
		t.refuse(o)
	default: // refused, and whatever has no meaning for a request
		t.refuse(o)
	}
}

// receive takes the message through the engine, within the time for it.
func (t *turn) receive(ctx context.Context) engine.Outcome {
	m, err := t.message(ctx)
	if err != nil {
		o := engine.Outcome{Code: protocol.CodeMalformedPayload, Reason: err.Error()}
		if known, ok := errors.AsType[*protocol.Error](err); ok {
			o.Code = known.Code
		}
		t.observe(ctx, o, nil)
		return o
	}
	peer := engine.Peer{
		Principal: t.executor.server.principal(t.ec.User),
		Active:    requested(t.ec.ServiceParams),
		Assigned:  t.ec.ContextID,
		Network:   t.executor.server.network(ctx),
	}
	if t.v03 && !t.executor.server.config.InsecureV03 {
		peer.Active = nil // the extension is not spoken in A2A 0.3
	}
	bound := ValidationTime
	if offers(m) {
		bound = EvaluationTime
	}
	limited, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	o, err := t.judge(limited, peer, m)
	for pause := duplicateFirst; err == nil && inProgress(o) && sleep(limited, pause); pause *= 2 {
		again, failed := t.judge(limited, peer, m)
		if failed != nil {
			break // the time is up: it is in progress still
		}
		o = again
	}
	t.observe(ctx, o, err)
	return o
}

// judge gives the message to the engine, a large one when it has a turn: the time for it
// goes on.
func (t *turn) judge(ctx context.Context, peer engine.Peer, m engine.Message) (engine.Outcome, error) {
	if isLarge(m) {
		turns := t.executor.server.large
		if offers(m) {
			turns = t.executor.server.offers
		}
		select {
		case turns <- struct{}{}:
			defer func() { <-turns }()
		case <-ctx.Done(): // which the engine says as it says it of any message
		}
	}
	return t.executor.server.config.Engine.Receive(ctx, peer, m)
}

// isLarge reports whether judging a message may hold a multiple of its bytes for long.
func isLarge(m engine.Message) bool {
	n := len(m.Metadata)
	for _, p := range m.Parts {
		n += len(p.Text) + len(p.Data) + len(p.Metadata)
	}
	return n > largeMessage
}

// inProgress reports whether a message repeats one that is not answered yet.
func inProgress(o engine.Outcome) bool {
	return o.Kind == engine.KindDuplicate && o.Message == nil && o.Stored == nil
}

// sleep pauses, and reports whether there is time left.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

func (t *turn) observe(ctx context.Context, o engine.Outcome, err error) {
	if t.executor.server.config.Observe != nil {
		t.executor.server.config.Observe(ctx, o, err)
	}
}

// message makes the engine's message of the SDK's.
func (t *turn) message(ctx context.Context) (engine.Message, error) {
	raw := requestFrom(ctx).raw()
	allowed := t.executor.server.config.InsecureV03
	t.v03 = t.v03 || isV03Message(parsed(raw), allowed)
	switch {
	case !t.v03:
		return fromSDK(t.ec.Message, raw)
	case !allowed:
		return fromSDK(t.ec.Message, nil) // the JSON of A2A 0.3 is another
	}
	m := *t.ec.Message
	m.Parts = make(sdk.ContentParts, len(t.ec.Message.Parts))
	for i, p := range t.ec.Message.Parts {
		if p != nil {
			q := *p
			m.Parts[i] = &q
		}
	}
	mediaTypes03(m.Parts, false)
	return fromSDK(&m, nil)
}

// isV03Message reports whether a message is spelt as in A2A 0.3, with the member kind or a
// role as there: clients of it need not name a version, and some follow its examples, in
// which a message has no kind. inParts says that the kind of a part tells it, too, which is
// nothing to a reader of 1.0.
func isV03Message(m strictjson.Value, inParts bool) bool {
	role, _ := m.Get("role").Str()
	if role == "user" || role == "agent" || m.Get("kind").Exists() {
		return true
	}
	for _, p := range m.Get("parts").Items() {
		if inParts && p.Get("kind").Exists() {
			return true
		}
	}
	return false
}

// offers reports whether a message has a part that says that it is an offer: answering one
// may take a fetch. It decides nothing but the time, which an intent is not to lengthen by
// the word: beside an offer it is refused (a2a-rdf, BIND-3).
func offers(m engine.Message) bool {
	word := []byte(protocol.RoleUpgradeOffer)
	spells := func(text []byte) bool { return bytes.Contains(text, word) || bytes.IndexByte(text, '\\') >= 0 }
	for _, p := range m.Parts {
		if !spells(p.Metadata) && !spells(p.Data) { // most have neither the word nor an escape that may be of it
			continue
		}
		kind := member(p.Metadata, protocol.KeyKind)
		if !kind.Exists() && p.Content == engine.Data { // as the engine reads it then
			kind = member(p.Data, "kind")
		}
		if s, _ := kind.Str(); s == string(protocol.RoleUpgradeOffer) {
			return true
		}
	}
	return false
}

// member returns a member of a JSON object, the zero Value for none.
func member(object []byte, name string) strictjson.Value { return parsed(object).Get(name) }

// parsed reads JSON, the zero Value for what is none.
func parsed(text []byte) strictjson.Value {
	v, err := strictjson.Borrow(text, strictjson.Limits{Bytes: int64(len(text)) + 1, Depth: maxNesting})
	if err != nil {
		return strictjson.Value{}
	}
	return v
}

// send answers with a message: by itself, or as the status of the task that the
// request named, where the SDK allows no messages.
func (t *turn) send(m engine.Message, state sdk.TaskState) {
	out := toSDK(m, false)
	if t.v03 {
		mediaTypes03(out.Parts, true)
	}
	if t.ec.StoredTask == nil {
		t.yield(out, nil)
		return
	}
	out.TaskID, out.ContextID = t.ec.TaskID, t.ec.ContextID
	t.yield(sdk.NewStatusUpdateEvent(t.ec, state, out), nil)
}

// refuse fails the request: by an error, or by the task when there is one (a2a-rdf,
// section 8.3).
func (t *turn) refuse(o engine.Outcome) {
	var challenge map[string]any
	if c := o.Challenge; c != nil {
		challenge = map[string]any{
			"challenge": c.Challenge, "domain": c.Domain, "expires": c.Expires.UTC().Format(time.RFC3339),
		}
	}
	if t.ec.StoredTask == nil {
		t.yield(nil, wireError(o.Code, challenge))
		return
	}
	status := o.Status()
	m := sdk.NewMessageForTask(sdk.MessageRoleAgent, t.ec, sdk.NewTextPart(status.Text))
	m.Extensions = []string{protocol.ExtensionURI}
	if o.Code != "" {
		m.SetMeta(protocol.KeyError, string(o.Code))
	}
	if challenge != nil {
		m.SetMeta(protocol.KeyChallenge, challenge)
	}
	t.yield(sdk.NewStatusUpdateEvent(t.ec, sdk.TaskStateFailed, m), nil)
}

// carryOut has the application carry an intent out, and answers.
func (t *turn) carryOut(ctx context.Context, in *engine.Intent) {
	e := t.executor.server.config.Engine
	if t.executor.server.config.Tasks && t.ec.StoredTask == nil && !t.yield(&sdk.Task{
		ID: t.ec.TaskID, ContextID: t.ec.ContextID, Status: sdk.TaskStatus{State: sdk.TaskStateWorking}, Metadata: map[string]any{intentKey: true},
	}, nil) {
		// Nobody takes events any more, and nothing was carried out: whoever sends the
		// message again is to learn that, not to wait.
		o, err := e.Refuse(context.WithoutCancel(ctx), in, "", "the task could not be begun")
		t.observe(ctx, o, err)
		return
	}
	answer, err := t.executor.server.config.Handler.Handle(ctx, in)
	if err == nil {
		if t.task() {
			answer.TaskID = string(t.ec.TaskID)
		}
		var m engine.Message
		// What was done is answered although the one who asked may have left, and although
		// the answer could not be kept: it is true all the same.
		if m, err = e.Respond(context.WithoutCancel(ctx), in, answer); m.ID != "" {
			if err != nil {
				t.observe(ctx, engine.Outcome{Kind: engine.KindIntent, ContextID: in.ContextID(), Pin: in.Pin(), Intent: in}, err)
			}
			t.respond(m)
			return
		}
	}
	var code protocol.Code
	if known, ok := errors.AsType[*protocol.Error](err); ok {
		code = known.Code
	}
	o, failed := e.Refuse(context.WithoutCancel(ctx), in, code, err.Error())
	t.observe(ctx, o, errors.Join(err, failed))
	if t.task() && t.ec.StoredTask == nil {
		t.ec.StoredTask = &sdk.Task{ID: t.ec.TaskID, ContextID: t.ec.ContextID} // the SDK has stored it
	}
	t.refuse(o)
}

// task reports whether an intent is answered by a task.
func (t *turn) task() bool { return t.executor.server.config.Tasks || t.ec.StoredTask != nil }

func (t *turn) respond(m engine.Message) {
	if !t.executor.server.config.Tasks {
		t.send(m, sdk.TaskStateCompleted)
		return
	}
	parts := toParts(m.Parts, false)
	if t.v03 {
		mediaTypes03(parts, true)
	}
	event := sdk.NewArtifactEvent(t.ec, parts...)
	event.Artifact.Extensions = m.Extensions
	event.Artifact.Metadata = decodeObject(m.Metadata)
	event.LastChunk = true
	if t.yield(event, nil) {
		t.yield(sdk.NewStatusUpdateEvent(t.ec, sdk.TaskStateCompleted, nil), nil)
	}
}

// repeat answers a message that was seen before.
func (t *turn) repeat(o engine.Outcome) {
	if o.Message != nil {
		t.send(*o.Message, sdk.TaskStateCompleted)
		return
	}
	t.yield(nil, sdk.NewError(sdk.ErrServerError, "this message is being carried out: send it again for its answer"))
}

// prose hands on what the engine leaves to the application.
func (t *turn) prose(ctx context.Context, o engine.Outcome) {
	if t.executor.server.config.Prose == nil {
		o.Code = protocol.CodeUpgradeRequired
		t.refuse(o)
		return
	}
	if _, ok := t.executor.server.config.Prose.(sdksrv.AgentExecutionCleaner); ok {
		t.executor.prose.Store(t.ec, true)
	}
	for event, err := range t.executor.server.config.Prose.Execute(ctx, t.ec) {
		if !t.yield(event, err) {
			return
		}
	}
}
