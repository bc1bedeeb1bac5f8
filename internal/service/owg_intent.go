package service

import (
	"context"
	"errors"
	"time"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/owg"
	"github.com/rdfproto/rdfproto/protocol"
)

// manyResends is how often an intent that got no answer is sent again in one call. The
// agent carries it out once.
const manyResends = 3

// remembered is for how long an intent is sent again: agents remember messages for 24
// hours (a2a-rdf, RPL-3), and would do the task once more then. apart is by how much the
// clock by which it was made may have been ahead.
const (
	apart      = time.Hour
	remembered = 24*time.Hour - apart
)

var errForgotten = errors.New("the intent was made over 23 hours ago, or by another clock: an agent that has forgotten it would do the task again, and it is not sent; " +
	"--abandon ends the attempt")

// asIntent hands the task over as an intent under the document for performing a task,
// which is offered first where the agent's card does not declare it. It reports whether
// the agent declined an optional offer: nothing was handed over then.
func (v *handOver) asIntent(ctx context.Context, w *owg.Workflow, p *performer, r *owg.Request) (declined bool, err error) {
	var challenge *engine.Challenge
	declares := func(d agentcard.DeclaredDocument) bool { return d.Hash.Equal(p.pin) }
	declared := false
	for _, d := range p.client.Declaration().Documents {
		declared = declared || declares(d)
	}
	if !declared {
		v.run.note("offering the Protocol Document for performing a task")
		res, err := p.talk.Offer(ctx, engine.OfferDraft{Pin: p.pin, Source: p.source, Required: v.as == asIntent, Name: "Perform a task"})
		switch {
		case err == nil && res.Kind == engine.KindAgreed:
			challenge = res.Challenge
		case err == nil && res.Kind == engine.KindDeclined && v.as == asAuto:
			return true, nil
		default:
			return false, v.notAgreed(w, p, r, &res, err)
		}
	}
	return false, v.intent(ctx, w, p, r, challenge)
}

// notAgreed ends what did not get beyond the offer. The task was not handed over, and
// plain A2A is no way around it.
func (v *handOver) notAgreed(w *owg.Workflow, p *performer, r *owg.Request, res *a2a.Result, failed error) error {
	if err := v.start(w, r, p.talk.ContextID(), nil); err != nil {
		return errors.Join(err, failed)
	}
	if failed != nil {
		return v.run.came(v.run.follow.Unreachable("the offer of the Protocol Document got no answer: "+failed.Error(), v.now()))
	}
	code := owg.CodeTaskRejected
	if res.ExtensionRequired {
		code = owg.CodeExtensionRequired
	}
	return v.run.ended(code, "the agent did not agree to the Protocol Document: "+codeAnd(res.Code, res.Reason))
}

// intent makes and sends the intent. An agent that denies it and issues a challenge gets
// another one with the chain of credentials, where the call has one.
func (v *handOver) intent(ctx context.Context, w *owg.Workflow, p *performer, r *owg.Request, challenge *engine.Challenge) error {
	graph, err := r.HandOff.Intent(protocol.IntentBase + cli.NewUUID())
	if err != nil {
		return cli.InFile(v.file, err)
	}
	draft := func(challenge *engine.Challenge) (m engine.Message, text []byte, err error) {
		d := engine.IntentDraft{Pin: p.pin, Graph: graph}
		if d.Presentation, err = v.present(ctx, p, challenge); err != nil {
			return m, nil, err
		}
		if m, err = p.engine.Intent(ctx, engine.To{Peer: p.client.Peer(), ContextID: p.talk.ContextID()}, d); err != nil {
			return m, nil, err
		}
		text, err = m.AppendJSON(nil)
		return m, text, err
	}
	m, text, err := draft(challenge)
	if err != nil {
		return intentError(err)
	}
	if d := r.HandOff.Delegation; d.Expired(v.now()) { // the agent may take its time over an offer
		return cli.InFile(v.file, &owg.Error{Code: owg.CodeDelegationExpired, Text: "the delegation lapsed at " + d.ExpiresAt + ", before the task was handed over"})
	}
	if err := v.start(w, r, p.talk.ContextID(), text); err != nil {
		return err
	}
	res, err := v.exchange(ctx, p, m)
	if err == nil && v.key != "" && res.Kind == engine.KindFailed && res.Code == protocol.CodeAuthorizationDenied && res.Challenge != nil && challenge == nil {
		v.run.note("the agent asks for a chain of credentials")
		if lapsed := v.maySend(); lapsed != nil {
			return v.run.ended(owg.CodeTaskRejected, "the agent denied the intent, and it is not sent with a chain of credentials: "+lapsed.Error())
		}
		if m, text, err = draft(res.Challenge); err != nil {
			return v.run.ended(owg.CodeTaskRejected, "the agent denied the intent, and it got no chain of credentials: "+err.Error())
		}
		v.run.follow.Sent(text)
		if err := v.run.keep(); err != nil {
			return err
		}
		res, err = v.exchange(ctx, p, m)
	}
	return v.answered(ctx, &res, err, false)
}

// intentError says why no intent was made.
func intentError(err error) error {
	if wrong := (*protocol.Error)(nil); errors.As(err, &wrong) {
		return cli.Fail(cli.StatusNo, string(wrong.Code), "the intent was not made: "+err.Error())
	}
	return err
}

// intentAgain waits for the task that an intent led to whose answer is not known. Where none
// is known, here or to the agent, the intent is sent again.
func (v *handOver) intentAgain(ctx context.Context, p *performer, a *owg.Attempt) error {
	if p.client == nil {
		return noWay(errors.New("the agent's card does not declare a2a-rdf any more, by which the task was handed over"))
	}
	m, err := engine.ParseMessage(a.Sent, engine.Limits{})
	if err != nil {
		return &owg.Error{Code: owg.CodeRecord, Text: "the message that was sent cannot be read: " + err.Error()}
	}
	if err := v.stillOurs(p, a, &m); err != nil {
		return err
	}
	p.talk = p.client.Conversation(orText(m.ContextID, a.Remote.ContextID))
	if told, err := v.taskAgain(ctx, p, m, a.Remote.TaskID); told {
		return err
	}
	if err := v.maySend(); err != nil {
		return v.answered(ctx, &a2a.Result{}, err, true)
	}
	v.run.note("asking for the answer to the intent again")
	res, err := v.exchange(ctx, p, m)
	return v.answered(ctx, &res, err, true)
}

// taskAgain waits for the task that an intent led to. It reports false where the agent does
// not tell of it.
func (v *handOver) taskAgain(ctx context.Context, p *performer, m engine.Message, taskID string) (told bool, err error) {
	if taskID == "" {
		return false, nil
	}
	v.run.note("asking for the task that the intent led to")
	res, err := p.talk.Await(ctx, m, taskID)
	if err != nil && ctx.Err() == nil || err == nil && res.Kind == engine.KindFailed && res.TaskID == "" {
		return false, nil
	}
	return true, v.answered(ctx, &res, err, true)
}

// maySend reports why no work may be sent for the attempt any more.
func (v *handOver) maySend() error {
	a, now := v.run.follow.Attempt(), v.now()
	if err := a.MaySend(owg.SendMessage, now); err != nil {
		return err
	}
	begun, err := time.Parse(time.RFC3339, a.StartedAt)
	if since := now.Sub(begun); err != nil || since > remembered || since < -apart {
		return errForgotten
	}
	return nil
}

// exchange sends the message of an intent, and again as it was while no answer comes,
// the delegation has not lapsed, by which an agent that did not get it would be handed the
// task, and the agent remembers it if it did.
func (v *handOver) exchange(ctx context.Context, p *performer, m engine.Message) (a2a.Result, error) {
	pause := pollSoon
	for try := 0; ; try++ {
		if err := v.maySend(); err != nil {
			return a2a.Result{}, err
		}
		res, err := p.talk.Resend(ctx, m)
		var unreadable *protocol.Error
		if err == nil || try == manyResends || ctx.Err() != nil || errors.As(err, &unreadable) || !sleep(ctx, pause) {
			return res, err
		}
		pause *= 2
	}
}

// answered takes what an intent came to.
func (v *handOver) answered(ctx context.Context, res *a2a.Result, failed error, again bool) error {
	f := v.run
	var (
		unreadable *protocol.Error
		lapsed     *owg.Error
	)
	switch {
	case errors.As(failed, &lapsed):
		return failed
	case errors.Is(failed, errForgotten):
		return cli.Fail(cli.StatusNothing, string(CommandNotKnown), failed.Error())
	case errors.As(failed, &unreadable):
		return f.ended(owg.CodeInvalidResponse, failed.Error())
	case failed != nil && ctx.Err() != nil: // its answer is asked for when the attempt is gone on with
		if res.TaskID != "" {
			v.taskNow(ctx, res.TaskID)
		}
		return nil
	case failed != nil:
		return cli.Fail(cli.StatusCall, string(CommandUnreachable), "the intent got no answer; called again, it is sent again as it was: "+failed.Error())
	case res.Kind == engine.KindResponse:
		result, err := owg.ReadResult(res.Response.Graph)
		if err != nil {
			return f.ended(owg.CodeInvalidResponse, err.Error())
		}
		return f.came(f.follow.Result(result, res.TaskID, res.ContextID, v.now()))
	case res.TaskID != "":
		return v.taskOf(ctx, res)
	case res.Kind == engine.KindFailed && res.ExtensionRequired:
		return f.ended(owg.CodeExtensionRequired, codeAnd(res.Code, res.Reason))
	case res.Kind == engine.KindFailed && res.Code == "" && again:
		return cli.Fail(cli.StatusNothing, string(CommandRunning), "the agent gave no answer to the intent yet: "+res.Reason)
	case res.Kind == engine.KindFailed:
		return f.ended(owg.CodeTaskRejected, codeAnd(res.Code, res.Reason))
	}
	return f.ended(owg.CodeInvalidResponse, codeAnd(res.Code, orText(res.Reason, res.Kind.String())))
}

// taskOf maps the task that an intent led to and that did not complete with a response.
func (v *handOver) taskOf(ctx context.Context, res *a2a.Result) error {
	f := v.run
	if v.taskNow(ctx, res.TaskID) {
		switch a := f.follow.Attempt(); {
		case a.Terminal():
			return nil
		case a.Remote.State == completed: // and its response is not valid
			return f.ended(owg.CodeInvalidResponse, codeAnd(res.Code, res.Reason))
		}
	}
	if res.Kind == engine.KindWaiting {
		return nil
	}
	return f.ended(owg.CodeTaskFailed, codeAnd(res.Code, res.Reason))
}

// taskNow takes the task that an intent led to as it is now, also when the time is up. It
// reports whether the agent told.
func (v *handOver) taskNow(ctx context.Context, taskID string) bool {
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), callTime)
	defer cancel()
	data, err := v.run.tasks.Get(limited, taskID)
	if err != nil || isErrorAnswer(data) {
		return false
	}
	v.run.update(data)
	return true
}
