package service

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/internal/legible"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/owg"
	"github.com/rdfproto/rdfproto/protocol"
)

const (
	// pollSoon is the first pause between two questions.
	pollSoon = 200 * time.Millisecond
	// silence is how long a stream may be silent before the task is asked for.
	silence = 30 * time.Second
	// callTime bounds one question, and what is still to be done after an interrupt.
	callTime = 15 * time.Second
	// manyFailures is how often an agent may fail to answer in a row.
	manyFailures = 10
)

// The states in which a task waits for its client.
const (
	inputRequired = "input-required"
	authRequired  = "auth-required"
)

// completed is the state of a task that is done.
const completed = "completed"

// following is an attempt that is followed.
type following struct {
	streams  cli.Streams
	now      func() time.Time
	task     owg.Task
	journal  journal
	follow   *owg.Follow
	tasks    *a2a.Tasks
	close    func() error // ends the connection to the agent
	poll     bool
	interval time.Duration
	answer   *engine.Part // what to answer when input is asked for, nil for nothing

	findings []owg.Finding
	asked    []string // what the agent asked for last
	kept     string   // the attempt as the record has it
	shown    string   // the state that was told last
	lines    int      // that told of states
	unkept   error    // why the record does not have it
	late     bool     // the time to follow it is up
	givenUp  bool     // by whoever called
}

// keep puts the attempt into the record if it changed.
func (f *following) keep() error {
	a := f.follow.Attempt()
	text := string(a.Append(nil))
	if text == f.kept {
		return nil
	}
	if err := f.journal.put(a); err != nil {
		f.unkept = err
		return err
	}
	f.kept, f.unkept = text, nil
	return nil
}

// came keeps what the attempt came to and then tells of it, which whoever reads that may
// hold up.
func (f *following) came(found []owg.Finding) error {
	err := f.keep()
	f.found(found)
	f.tell()
	return err
}

// update takes what the agent sent, keeps the attempt, and tells what changed. It
// reports whether the agent answered with something about the task.
func (f *following) update(data []byte) bool {
	found, err := f.follow.Update(data, f.now())
	if err != nil {
		found = f.failedAnswer(err)
	}
	f.asked = asked(data, f.asked)
	_ = f.came(found) // told at the end, and tried again at the next change
	other := slices.ContainsFunc(found, func(x owg.Finding) bool { return x.Code == owg.CodeTaskMismatch })
	return err == nil && !other && !isErrorAnswer(data)
}

// failedAnswer takes an answer that cannot be read: before there is a task it ends the
// attempt, afterwards it says nothing about the task.
func (f *following) failedAnswer(err error) []owg.Finding {
	code, text := owg.CodeInvalidResponse, err.Error()
	if known, ok := errors.AsType[*owg.Error](err); ok {
		code, text = known.Code, known.Text
	}
	if a := f.follow.Attempt(); a.Remote.TaskID == "" {
		return f.follow.End(code, text, f.now())
	}
	return []owg.Finding{{Code: code, Severity: owg.SeverityWarning, Mark: "P", Text: text}}
}

// send sends a plain message, once, and takes what comes back. What becomes of it is in
// the attempt; an error says that it may not be sent, and was not.
func (f *following) send(ctx context.Context, m engine.Message, modes []string) error {
	stream := !f.poll && f.tasks.Streams()
	ctx, known, stop := f.patient(ctx, stream)
	defer stop()
	for data, err := range f.tasks.Send(ctx, a2a.Delivery{Message: m, Modes: modes, Stream: stream}) {
		if err != nil {
			return f.unanswered(ctx, err)
		}
		f.update(data)
		a := f.follow.Attempt()
		if known(a.Remote.TaskID != ""); a.Terminal() || waits(&a) {
			break
		}
	}
	return nil
}

// unanswered takes the failure of a message that hands a task over or answers a question.
func (f *following) unanswered(ctx context.Context, err error) error {
	if refused := (*protocol.Error)(nil); errors.As(err, &refused) {
		return err
	}
	if ctx.Err() != nil {
		return nil // it was not waited for any longer: nothing is known
	}
	if lost := (*a2a.LostError)(nil); errors.As(err, &lost) {
		f.warn(owg.CodeTransport, err.Error())
		return nil // the agent may have it: the attempt runs on
	}
	found := f.follow.Unreachable(err.Error(), f.now())
	_ = f.keep()
	f.found(found)
	return nil
}

// warn tells of something that changes nothing about the attempt.
func (f *following) warn(code owg.Code, text string) {
	f.found([]owg.Finding{{Code: code, Severity: owg.SeverityWarning, Mark: "P", Text: text}})
}

// patient returns a context for a call that begins a task: where the caller is
// interrupted or its time is up, the task's id is waited for a little longer, since
// without it the task can neither be followed nor canceled. Once known was told so, and
// a stream is followed, the call ends with ctx, or when it is silent for too long.
func (f *following) patient(ctx context.Context, stream bool) (patient context.Context, known func(bool), stop func()) {
	patient, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var has atomic.Bool
	quiet := time.AfterFunc(silence, cancel)
	if !stream {
		quiet.Stop()
	}
	unhook := context.AfterFunc(ctx, func() {
		if has.Load() || sleep(patient, callTime) {
			cancel()
		}
	})
	known = func(yes bool) {
		if stream {
			quiet.Reset(silence)
		}
		if yes && !has.Swap(true) && ctx.Err() != nil {
			cancel()
		}
	}
	return patient, known, func() { quiet.Stop(); unhook(); cancel() }
}

// through follows the attempt until it ends, waits for its client, or ctx is done.
func (f *following) through(ctx context.Context) error {
	pause, failures := pollSoon, 0
	for {
		a := f.follow.Attempt()
		switch {
		case a.Terminal() || a.Remote.TaskID == "":
			return nil
		case a.Remote.State == inputRequired && f.answer != nil:
			part := *f.answer
			f.answer = nil
			if err := f.reply(ctx, &a, part); err != nil {
				return err
			}
			continue
		case waits(&a), ctx.Err() != nil:
			return nil
		}
		if !f.poll && f.tasks.Streams() {
			f.listen(ctx, a.Remote.TaskID)
		}
		if !sleep(ctx, pause) {
			return nil
		}
		if f.ask(ctx, a.Remote.TaskID) {
			pause, failures = min(2*pause, f.interval), 0
			if now := f.follow.Attempt(); now.Remote.State != a.Remote.State {
				pause = pollSoon
			}
			continue
		}
		if ctx.Err() != nil {
			return nil
		}
		if failures++; failures >= manyFailures {
			return cli.Fail(cli.StatusCall, string(CommandUnreachable), "the agent does not answer about the task any more; the attempt is still running")
		}
		pause = min(2*pause, f.interval)
	}
}

// waits reports whether the task waits for its client.
func waits(a *owg.Attempt) bool {
	return a.Status == owg.StatusRunning && (a.Remote.State == inputRequired || a.Remote.State == authRequired)
}

// ask asks for the task and takes the answer. It reports whether there was one about the
// task.
func (f *following) ask(ctx context.Context, taskID string) bool {
	limited, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	data, err := f.tasks.Get(limited, taskID)
	if err != nil {
		if ctx.Err() == nil {
			f.found(f.follow.Unreachable(err.Error(), f.now()))
		}
		return false
	}
	return f.update(data)
}

// listen waits for news of the task: a stream that is joined later may lack parts of what
// came before, so that it says when to ask for the task and nothing more.
func (f *following) listen(ctx context.Context, taskID string) {
	limited, cancel := context.WithTimeout(ctx, silence)
	defer cancel()
	for data, err := range f.tasks.Subscribe(limited, taskID) {
		if err != nil || isErrorAnswer(data) || !underWay(data) {
			return
		}
	}
}

// reply answers what the agent asks for, once.
func (f *following) reply(ctx context.Context, a *owg.Attempt, part engine.Part) error {
	if err := a.MaySend(owg.SendMessage, f.now()); err != nil {
		return err
	}
	f.asked = nil
	return f.send(ctx, engine.Message{
		ID: cli.NewUUID(), Role: engine.RoleUser, ContextID: a.Remote.ContextID, TaskID: a.Remote.TaskID, Parts: []engine.Part{part},
	}, nil)
}

// cancel asks the agent to cancel the task, after an interrupt.
func (f *following) cancel(ctx context.Context) {
	a := f.follow.Attempt()
	if a.Terminal() || a.Remote.TaskID == "" || f.tasks == nil {
		return
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), callTime)
	defer cancel()
	f.note("asking the agent to cancel")
	data, err := f.tasks.Cancel(limited, a.Remote.TaskID)
	if err != nil {
		f.found(f.follow.Unreachable(err.Error(), f.now()))
		return
	}
	f.update(data)
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

// answerOf is the task or the event in an answer, and what stands around it.
func answerOf(data []byte) (root, inner strictjson.Value) {
	root, err := strictjson.Parse(data, strictjson.Limits{})
	if err != nil {
		return root, inner
	}
	inner = root
	for _, name := range []string{"result", "task", "statusUpdate", "message"} {
		if v := inner.Get(name); v.Kind() == strictjson.Object && !inner.Get("status").Exists() {
			inner = v
		}
	}
	return root, inner
}

// isErrorAnswer reports whether an answer is an error of the agent.
func isErrorAnswer(data []byte) bool {
	root, _ := answerOf(data)
	return root.Get("error").Exists()
}

// underWay reports whether an event leaves the task as it is: one of an artifact, or of
// a state in which the agent works.
func underWay(data []byte) bool {
	_, v := answerOf(data)
	state, ok := v.Get("status").Get("state").Str()
	_, name, _, known := owg.MapState(state)
	return !ok || known && (name == "submitted" || name == "working")
}

// asked returns the texts, and the data, of the message with which a task waits for its
// client; before where the answer says nothing of the task's state.
func asked(data []byte, before []string) []string {
	_, v := answerOf(data)
	state, ok := v.Get("status").Get("state").Str()
	if !ok {
		return before
	}
	if _, name, _, _ := owg.MapState(state); name != inputRequired && name != authRequired {
		return nil
	}
	var out []string
	for _, p := range v.Get("status").Get("message").Get("parts").Items() {
		if s, ok := p.Get("text").Str(); ok {
			out = append(out, legible.Cut(s, maxAsked))
		} else if d := p.Get("data"); d.Exists() {
			out = append(out, legible.Cut(d.Source(), maxAsked))
		}
		if len(out) == maxAsks {
			break
		}
	}
	return out
}

// What is shown of what an agent asks for.
const (
	maxAsked = 2000 // characters of one text
	maxAsks  = 16   // texts
)
