package engine

import (
	"context"
	"errors"
	"time"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
)

// maxSteps is how many steps a trace has at most on the way of an intent.
const maxSteps = 10

// exchange is one message on its way to its outcome.
type exchange struct {
	e     *Engine
	ctx   context.Context
	peer  *Peer
	by    replay.Owner // whom new records count for
	m     *Message
	now   time.Time
	b     bound
	claim claim
	out   Outcome
	err   error // what failed on this side, beside the outcome
}

// claim is what a message was claimed under. The zero claim is none.
type claim struct {
	key     replay.Key
	content canon.Digest
}

// Receive turns a message that arrived as a request into its outcome. An error is for
// the log: something of this side failed, such as its store, the authorizer or ctx. The
// outcome is what is to be done all the same: a refusal, unless the message was judged
// and only what remembers its answer failed. That the store has no room for what a message
// would leave there is no error.
func (e *Engine) Receive(ctx context.Context, p Peer, m Message) (Outcome, error) {
	x := &exchange{e: e, ctx: ctx, peer: &p, by: e.owner(&p), m: &m, now: e.config.Clock()}
	x.out.Trace = make(Trace, 0, maxSteps)
	x.receive()
	return x.out, x.err
}

func (x *exchange) pass(name, what string) { x.note(name, what, "") }

func (x *exchange) note(name, what, note string) {
	x.out.Trace = append(x.out.Trace, Step{Name: name, What: what, OK: true, Note: note})
}

// refuse ends the exchange with a refusal.
func (x *exchange) refuse(name, what string, err *protocol.Error) {
	x.out.Kind, x.out.Code, x.out.Reason = KindRefused, err.Code, err.Error()
	x.out.Intent, x.out.Message, x.out.Response, x.out.Agreement = nil, nil, nil, nil
	x.out.Trace = append(x.out.Trace, Step{Name: name, What: what, Note: x.out.Reason})
}

// fail ends the exchange because something of this side failed, or has no room: the peer
// learns that a bound was reached.
func (x *exchange) fail(name, what string, err error) {
	x.refuse(name, what, &protocol.Error{Code: protocol.CodeLimitExceeded, Err: err})
	x.out.Rate = errors.Is(err, replay.ErrFull) // what is kept ends: there is room later
	x.log(err)
}

// log keeps an error for the caller. That there is no room for what the peer's message
// would leave is none: whoever sends much would have this side report failures.
func (x *exchange) log(err error) {
	if x.by == nobody() || !errors.Is(err, replay.ErrFull) {
		x.err = errors.Join(x.err, err)
	}
}

// The steps of the receiving procedure (a2a-rdf, section 7.3).
const (
	stepBinding   = "7.3.1"
	stepReplay    = "7.3.2"
	stepPin       = "7.3.3"
	stepPayload   = "7.3.4"
	stepOne       = "7.3.5"
	stepShape     = "7.3.6"
	stepAuthority = "7.3.7"
	stepHand      = "7.3.8"
	stepProse     = "5.5"
	stepOffer     = "5.4"
	stepAnswer    = "5.3"
	stepResponse  = "7.4"
	stepError     = "8.2"
)

func (x *exchange) receive() {
	e, m := x.e, x.m
	if m.TaskID != "" && m.ContextID == "" { // its context is that of the task, which its server knows
		of := *m
		of.ContextID = x.peer.Assigned
		m, x.m = &of, &of
	}
	x.out.ContextID = m.ContextID
	if err := x.bindRequest(); err != nil {
		x.refuse(stepBinding, "binding", err)
		if x.b.uri != "" || err.Code != protocol.CodeExtensionNotActive {
			x.interrupt(func(f *handshake.Offeror) { f.ReceiveMalformed(x.now) })
		}
		return
	}
	if m.ContextID == "" && m.TaskID != "" {
		x.refuse(stepBinding, "context", malformed("expected the context of the task that the message names, found none"))
		return
	}
	if x.out.ContextID == "" {
		if x.out.ContextID = x.peer.Assigned; x.out.ContextID == "" {
			id, err := e.newID()
			if err != nil {
				x.fail(stepBinding, "context", err)
				return
			}
			x.out.ContextID = id
		}
	}
	if !x.b.tagged {
		x.note(stepBinding, "binding", "no part is a payload")
		x.prose()
		return
	}
	x.pass(stepBinding, "binding")
	if x.b.message != nil {
		x.out.Pin = x.b.message.Pin()
	}
	if _, ok := x.b.message.(handshake.Offer); ok {
		release, ok := e.reserve(x.peer, handshake.MaxPending)
		if !ok { // before the message is claimed: it may come again
			x.refuse(stepOffer, "offers under way", &protocol.Error{Code: protocol.CodeLimitExceeded, Reason: "too many offers of the peer are being answered"})
			x.out.Rate = true
			return
		}
		defer release()
	}
	if !x.once() {
		return
	}
	switch msg := x.b.message.(type) {
	case handshake.Offer:
		x.offered(msg, x.out.ContextID)
	case handshake.Response:
		x.answered(msg)
	default:
		if x.b.intent.part != nil {
			x.intent()
		} else {
			x.unasked()
		}
	}
	x.settle()
}

// bindRequest is step 1: the extension is active, the message tagged, its parts well
// formed.
func (x *exchange) bindRequest() *protocol.Error {
	e, m := x.e, x.m
	x.b.uri = active(x.peer.Active)
	if x.b.keys = e.keys; x.b.uri != protocol.ExtensionURI { // VER-3: they follow what was activated
		x.b.keys, _ = protocol.KeysOf(x.b.uri)
	}
	c := m.carrier()
	if c.size() > e.config.Limits.Message {
		return overBytes("a message", e.config.Limits.Message)
	}
	if len(m.Parts) > e.config.Limits.Parts {
		return tooMany("parts", e.config.Limits.Parts, len(m.Parts))
	}
	x.b.metadata = make([]strictjson.Value, 0, 2)
	if err := e.bind(&x.b, c); err != nil {
		return err
	}
	if !x.b.tagged {
		return nil
	}
	if err := x.b.together(); err != nil {
		return err
	}
	if m.ID == "" { // RPL-5
		return malformed("expected a messageId in a message with a payload, found none")
	}
	return x.e.checkRole(m.Role, &x.b)
}

// checkRole is BIND-12.
func (e *Engine) checkRole(r Role, b *bound) *protocol.Error {
	switch {
	case r != RoleUser && r != RoleAgent:
		return malformed("expected a message of a user or an agent")
	case e.config.Reverse:
	case b.intent.part != nil && r != RoleUser:
		return malformed("expected an intent from a user, found one from an agent")
	case b.response.part != nil && r != RoleAgent:
		return malformed("expected a response graph from an agent, found one from a user")
	}
	return nil
}

// once is step 2: the message was not seen before. It reports whether the exchange goes
// on. A first message is known by its peer alone until it has a context, and in that
// context afterwards (RPL-4): it is claimed there as well, or it would be another one when
// it came again with the contextId that it was given. Its answer is kept once, under the
// name that its sender knows it by.
func (x *exchange) once() bool {
	const what = "replay"
	e := x.e
	content, refused := e.content(x.m, &x.b)
	if refused != nil {
		x.refuse(stepReplay, what, refused)
		return false
	}
	if !e.admits(x.peer, x.now) {
		x.refuse(stepReplay, what, &protocol.Error{Code: protocol.CodeLimitExceeded, Reason: "too many messages of peers without authentication from one network"})
		x.out.Rate = true
		return false
	}
	c := claim{replay.Key{Local: e.config.Local, Peer: x.peer.Principal, Context: x.m.ContextID, Message: x.m.ID}, content}
	if !x.fresh(c) {
		return false
	}
	if x.m.ContextID == "" {
		there := c
		there.key.Context = x.out.ContextID
		if !x.fresh(there) {
			if x.claim = c; x.out.Kind == KindRefused { // or it would be in progress for ever
				x.settle()
			}
			return false
		}
	}
	x.claim = c
	x.pass(stepReplay, what)
	return true
}

// fresh claims a message, and reports whether nobody did before.
func (x *exchange) fresh(c claim) bool {
	const what = "replay"
	e := x.e
	seen, err := e.config.Store.Claim(x.ctx, c.key, c.content, x.now)
	switch {
	case errors.Is(err, replay.ErrFull): // RPL-3
		x.refuse(stepReplay, what, &protocol.Error{Code: protocol.CodeLimitExceeded, Reason: "too many messages of the peer are remembered", Err: err})
		x.out.Rate = true
		return false
	case err != nil:
		x.fail(stepReplay, what, err)
		return false
	}
	switch seen.State {
	case replay.Fresh:
		e.count(x.peer, x.now)
		return true
	case replay.Running:
		x.note(stepReplay, what, "the message was seen before and is in progress")
		x.out.Kind, x.out.Seen = KindDuplicate, true
		return false
	case replay.Answered:
		x.note(stepReplay, what, "the message was seen before and was answered")
		x.again(seen.Answer)
		return false
	case replay.Conflict:
		x.refuse(stepReplay, what, &protocol.Error{Code: protocol.CodeDuplicateMessage, Reason: "the messageId was used with another content"})
		return false
	}
	x.fail(stepReplay, what, errors.New("engine: the store did not say what it knows of the message"))
	return false
}

// unasked refuses a response graph that came as a request: what it answers is not known.
func (x *exchange) unasked() {
	if x.e.config.Reverse {
		x.refuse(stepResponse, "response", malformed("expected a response graph in the reply to its intent, found one in a request"))
		return
	}
	x.refuse(stepResponse, "response", malformed("expected no response graph in a request"))
}
