package a2a

import (
	"context"
	"errors"
	"sync"
	"time"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
)

// Result is what became of a message of this side: the engine's outcome, and what the
// engine does not look at. Its zero value is a refusal.
type Result struct {
	engine.Outcome

	// Texts are the peer's texts that have no role in the extension; they are for people.
	// Where the outcome is KindProse they are the answer. They have no meaning in a
	// validated exchange, and must not be given to whatever interprets it (a2a-rdf,
	// BIND-4).
	Texts []string
	// TaskID is the peer's task, "" for none, also beside the error that it was under way
	// until the time was up; Input reports that the task asks for something.
	TaskID string
	Input  bool
	// ExtensionRequired reports that the peer refused because it requires an extension: by
	// -32008, or by -32004 or -32600, which agents in the field send instead. It does not
	// permit prose.
	ExtensionRequired bool
	// Sent is the message of this side, the zero Message when none was made: what
	// [Conversation.Resend] sends again.
	Sent engine.Message
}

// Conversation is a series of messages in one A2A context, whose contextId the agent
// assigns with its first answer. It is safe for concurrent use; messages that must not
// overtake one another are sent one at a time.
type Conversation struct {
	client *Client

	mu        sync.Mutex
	contextID string
	taskID    string
	failed    map[canon.Digest]bool // the documents of which an offer or an intent came to nothing
}

// Conversation begins a conversation, or continues the one with a contextId.
func (c *Client) Conversation(contextID string) *Conversation {
	return &Conversation{client: c, contextID: contextID}
}

// ContextID returns the contextId, "" before the agent's first answer.
func (v *Conversation) ContextID() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.contextID
}

// Offer offers a document, and waits for the agent's answer. A document that the engine
// does not hold is obtained first if the agent's card declares it, as by Intent. The
// agent's answer decides whether intents or, after an optional offer, prose may follow;
// if anything but an answer to the offer comes, neither may.
//
// An error says that nothing was sent, or that no answer came; the outcome beside it is
// what the engine concluded from that.
func (v *Conversation) Offer(ctx context.Context, d engine.OfferDraft) (Result, error) {
	if err := v.learn(ctx, d.Pin); err != nil {
		return Result{}, err
	}
	m, err := v.client.config.Engine.Offer(ctx, v.to(), d)
	if err != nil {
		return Result{}, err
	}
	r, err := v.exchange(ctx, m, false)
	return v.binding(d.Pin, r, err)
}

// Intent sends an intent under a document that is agreed in this conversation, or that
// the agent's card declares: that document is fetched, verified and reviewed first,
// where the engine does not hold it (a2a-rdf, CARD-12). Errors are as those of Offer.
func (v *Conversation) Intent(ctx context.Context, d engine.IntentDraft) (Result, error) {
	if err := v.learn(ctx, d.Pin); err != nil {
		return v.binding(d.Pin, Result{}, err)
	}
	m, err := v.client.config.Engine.Intent(ctx, v.to(), d)
	if err != nil { // saying it in prose is no way around a shape, nor around a deadline
		return v.binding(d.Pin, Result{}, err)
	}
	r, err := v.exchange(ctx, m, v.client.stream)
	return v.binding(d.Pin, r, err)
}

// Resend sends the message of an intent again, exactly as it was: pass the
// [Result.Sent] of the first attempt. It is for an intent that got no answer, so that
// nobody here knows whether it was carried out: the agent carries out one message once,
// and repeats its answer (a2a-rdf, section 9.6), while [Conversation.Intent] would make
// another message. It works for as long as the agent remembers messages. Errors are as
// those of Offer. Only intents can be sent again: an offer without an answer has been
// given up.
func (v *Conversation) Resend(ctx context.Context, m engine.Message) (Result, error) {
	pin, ok := intentPin(m)
	if !ok {
		return Result{}, errors.New("expected the message of an intent, as it was sent")
	}
	r, err := v.exchange(ctx, m, v.client.stream)
	return v.binding(pin, r, err)
}

// Await waits for the task that an intent led to, and judges it as the answer to that: pass
// the [Result.Sent] and the [Result.TaskID] of the first attempt. Only the task is asked for
// and nothing is sent again, so that it works also when the agent has forgotten the message,
// or must not get it any more. Errors are as those of Offer.
func (v *Conversation) Await(ctx context.Context, m engine.Message, taskID string) (Result, error) {
	pin, ok := intentPin(m)
	if !ok || taskID == "" {
		return Result{}, errors.New("expected the message of an intent, as it was sent, and the task that it led to")
	}
	r, err := v.client.exchange(ctx, m, func(ctx context.Context) (*answer, error) { return v.client.link.await(ctx, taskID, v.ContextID()) })
	r.Sent = m
	v.follow(r)
	return v.binding(pin, r, err)
}

// Say sends prose. The engine refuses to make any, and nothing is sent, where it is
// forbidden: by an agreement, or by an offer that is open or was not declined as an
// optional one. Nor is prose sent after an offer or an intent of this conversation came
// to nothing, or an intent could not be made, until an offer of its document is decided,
// even where the agent's refusal named no context under which the engine could remember it
// (a2a-rdf, DG-4 and DG-6). If the agent answers with an offer of its own, the engine's answer to
// that is sent, and is the outcome.
func (v *Conversation) Say(ctx context.Context, text string) (Result, error) {
	if v.closed() {
		return Result{}, &protocol.Error{Code: protocol.CodeUpgradeRequired, Reason: "an exchange of this conversation came to nothing: prose is no way around it"}
	}
	m, err := v.client.config.Engine.Prose(ctx, v.to(), text)
	if err == nil {
		err = located(m)
	}
	if err != nil {
		return Result{}, err
	}
	return v.exchange(ctx, m, false)
}

// binding keeps whether an offer of a document or an intent under it came to what it was
// for.
func (v *Conversation) binding(pin canon.Digest, r Result, err error) (Result, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case err == nil && (r.Kind == engine.KindAgreed || r.Kind == engine.KindDeclined):
		delete(v.failed, pin) // decided: the engine knows what that allows
	case err == nil && (r.Kind == engine.KindResponse || r.Kind == engine.KindWaiting):
	default:
		if v.failed == nil {
			v.failed = map[canon.Digest]bool{}
		}
		v.failed[pin] = true
	}
	return r, err
}

func (v *Conversation) closed() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.failed) > 0
}

// learn obtains a document that the agent's card declares.
func (v *Conversation) learn(ctx context.Context, pin canon.Digest) error {
	for _, d := range v.client.peer.Accepts {
		if d.Hash().Equal(pin) {
			_, err := v.client.config.Engine.Obtain(ctx, engine.Proposal{Peer: v.client.peer, Pin: pin, Source: d.Source()})
			return err
		}
	}
	return nil // the engine knows whether it is agreed
}

// intentPin returns the pin of a message of the engine's making that is an intent. The
// engine judges it again whatever this says.
func intentPin(m engine.Message) (canon.Digest, bool) {
	for _, p := range m.Parts {
		if kind, _ := member(p.Metadata, protocol.KeyKind).Str(); m.ID == "" || kind != string(protocol.RoleIntent) {
			continue
		}
		hash, _ := member(p.Metadata, protocol.KeyProtocolHash).Str()
		pin, err := canon.ParseDigest(hash)
		return pin, err == nil
	}
	return canon.Digest{}, false
}

// to says where the next message goes.
func (v *Conversation) to() engine.To {
	v.mu.Lock()
	defer v.mu.Unlock()
	return engine.To{Peer: v.client.peer, ContextID: v.contextID, TaskID: v.taskID}
}

// exchange sends a message and judges what comes back.
func (v *Conversation) exchange(ctx context.Context, m engine.Message, stream bool) (Result, error) {
	r, err := v.client.exchange(ctx, m, v.client.sending(m, stream))
	r.Sent = m
	v.follow(r)
	if err != nil || r.Kind != engine.KindReply || r.Message == nil {
		return r, err
	}
	// The agent offered. What it makes of the answer is its own matter: both sides know
	// what was agreed.
	answer := *r.Message
	if answer.ContextID == "" {
		answer.ContextID = r.ContextID
	}
	after, err := v.client.exchange(ctx, answer, v.client.sending(answer, false))
	v.follow(after)
	return r, err
}

// follow keeps the context and the task of an answer.
func (v *Conversation) follow(r Result) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.contextID == "" {
		v.contextID = r.ContextID
	}
	v.taskID = ""
	if r.Input {
		v.taskID = r.TaskID
	}
}

// sending sends a message and waits for what it leads to.
func (c *Client) sending(m engine.Message, stream bool) func(context.Context) (*answer, error) {
	return func(ctx context.Context) (*answer, error) {
		return c.link.send(ctx, toSDK(m, c.link.endpoint.Binding != GRPC && !c.link.v03), stream, true)
	}
}

// exchange gets what comes of a message, and gives it to the engine, also when that is
// nothing: an offer is over then.
func (c *Client) exchange(ctx context.Context, m engine.Message, get func(context.Context) (*answer, error)) (Result, error) {
	limited := ctx
	if _, bounded := ctx.Deadline(); !bounded {
		most := ExchangeTime
		if offers(m) {
			most = handshake.OfferTimeout
		}
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, most)
		defer cancel()
	}
	a, err := get(limited)
	// Whatever became of ctx, the engine is told what came of the message.
	ctx = context.WithoutCancel(ctx)
	if err != nil {
		return c.failed(ctx, m, err)
	}
	reply, err := a.reply()
	if err != nil {
		r, failed := c.judge(ctx, m, engine.Reply{})
		return r, errors.Join(err, failed)
	}
	r, err := c.judge(ctx, m, reply)
	r.Texts = append(r.Texts, a.texts()...)
	return r, err
}

// failed judges an error: the peer's, or that no answer came.
func (c *Client) failed(ctx context.Context, m engine.Message, err error) (Result, error) {
	theirs, ok := errors.AsType[*peerError](err)
	if !ok {
		r, failed := c.judge(ctx, m, engine.Reply{})
		if unended, ok := errors.AsType[*unendedError](err); ok {
			r.TaskID = unended.taskID
		}
		return r, errors.Join(err, failed)
	}
	reply := failedReply(theirs.err, theirs.body)
	r, failed := c.judge(ctx, m, reply)
	r.ExtensionRequired = asksForExtension(theirs.err, theirs.body, reply.Code)
	return r, failed
}

func (c *Client) judge(ctx context.Context, m engine.Message, reply engine.Reply) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, judgingTime(reply))
	defer cancel()
	o, err := c.config.Engine.ReceiveReply(ctx, c.peer, m, reply)
	r := Result{Outcome: o, TaskID: reply.TaskID, Input: reply.State == engine.TaskInput}
	if reply.Failed && reply.Text != "" {
		r.Texts = []string{reply.Text}
	}
	return r, err
}

// judgingTime bounds judging an answer: longer when it holds an offer, for which a
// document may have to be fetched.
func judgingTime(r engine.Reply) time.Duration {
	if r.Message != nil && offers(*r.Message) {
		return EvaluationTime
	}
	return ValidationTime
}

// texts are the texts of an answer without a role.
func (a *answer) texts() []string {
	var list []string
	a.eachParts(func(parts sdk.ContentParts) {
		for _, p := range parts {
			if p == nil || isTagged(p) {
				continue
			}
			if text, ok := p.Content.(sdk.Text); ok {
				list = append(list, string(text))
			}
		}
	})
	return list
}
