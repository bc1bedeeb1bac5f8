package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
)

// prose judges a message without a payload (a2a-rdf, sections 5.1, 5.5 and 5.6): it is
// ordinary content unless something of its context forbids that.
func (x *exchange) prose() {
	const what = "prose"
	e := x.e
	scope := e.scope(x.peer, x.out.ContextID)
	var state *scopeState
	err := e.change(x.ctx, x.by, scope, x.now, func(s *scopeState) (bool, error) {
		state = s
		return x.m.ContextID != "" && tellPending(s, func(f *handshake.Offeror) { f.ReceiveNothing("", x.now) }), nil
	})
	if err != nil {
		x.fail(stepProse, what, err)
		return
	}
	forbidden, pin, err := x.forbidden(state, scope)
	switch {
	case err != nil:
		x.fail(stepProse, what, err)
	case forbidden == "":
		x.out.Kind = KindProse
		x.pass(stepProse, what)
	case x.offerInReply(pin, forbidden):
	default:
		x.refuseProse(pin, forbidden)
	}
}

func (x *exchange) refuseProse(pin canon.Digest, reason string) {
	x.out.Pin = pin
	x.refuse(stepProse, "prose", &protocol.Error{Code: protocol.CodeUpgradeRequired, Reason: reason})
}

// forbidden says why a message of prose is not for the application, "" when it is, and
// the document that it should have been under, as far as that is known.
func (x *exchange) forbidden(s *scopeState, scope handshake.Scope) (reason string, pin canon.Digest, err error) {
	e := x.e
	if e.config.Routine == nil {
		reason, err := e.forbidsProse(x.ctx, scope, s, x.now)
		return reason, canon.Digest{}, err
	}
	pin, ok := e.config.Routine(x.ctx, *x.peer, x.m)
	if !ok {
		return "", canon.Digest{}, nil
	}
	if e.securityBearing(pin) {
		return "the routine is security-bearing", pin, nil
	}
	if f := s.offer(pin); f != nil && !f.MayUseNaturalLanguage() {
		return "the offer of the routine's document was not declined as an optional one", pin, nil
	}
	if s.requires(pin, x.now) {
		return "the peer offered the routine's document as a required one", pin, nil
	}
	if _, agreed, err := e.agreement(x.ctx, scope, pin, x.now); err != nil || agreed {
		return "the routine's document is agreed", pin, err
	}
	return "", pin, nil
}

// forbidsProse is the rule for prose of which nothing else is known: every offer of the
// scope must allow it, nothing may be agreed, and no intent open (DG-1 to DG-6).
func (e *Engine) forbidsProse(ctx context.Context, scope handshake.Scope, s *scopeState, now time.Time) (string, error) {
	for _, f := range s.offers {
		if !f.MayUseNaturalLanguage() {
			return "an offer in this context is pending, was accepted or ended without an answer that allows prose", nil
		}
	}
	return e.inForce(ctx, scope, s, now)
}

// offerInReply answers prose with the offer of the document that it should have been
// under, where the configuration and the state of the exchange allow that. What is kept of
// the offer counts as the peer's: the prose is remembered as a message with a payload is, and
// a copy gets the same answer. It reports whether it answered.
func (x *exchange) offerInReply(pin canon.Digest, forbidden string) bool {
	e := x.e
	d, declared := e.declared[pin]
	if !e.config.OfferInReply || x.b.uri == "" || !declared || d.Source == "" || x.m.Role != RoleUser || x.m.ID == "" {
		return false
	}
	if !x.once() {
		return true
	}
	m, err := e.offer(x.ctx, x.by, To{Peer: *x.peer, ContextID: x.out.ContextID, TaskID: x.m.TaskID, Role: RoleAgent},
		OfferDraft{Pin: pin, Source: d.Source, Required: true, Name: d.Name})
	if err != nil {
		expected := func(known error) bool { return errors.Is(err, known) }
		if !slices.ContainsFunc([]error{handshake.ErrPending, handshake.ErrAgreed, handshake.ErrTooSoon}, expected) {
			x.log(err)
		}
		x.refuseProse(pin, forbidden)
	} else {
		x.out.Kind, x.out.Message, x.out.Pin = KindReply, &m, pin
		x.note(stepProse, "prose", "answered with a required offer")
	}
	x.settle()
	return true
}

// Prose makes a message of natural language. It fails with a [*protocol.Error] of
// CodeUpgradeRequired where an offer of the context that is open, or was not declined as
// an optional one, or an agreement, forbids it; with ContextID "" the offers and
// intents to the peer that were sent without one count: a required one that was declined
// for 30 days, unless the document is accepted meanwhile. Those of them that were undecided
// when another one was answered count in the context of that answer, too, until they are
// decided. So it fails for a task without its context: what holds there is not known.
func (e *Engine) Prose(ctx context.Context, to To, text string) (Message, error) {
	if to.unplaced() {
		return Message{}, &protocol.Error{Code: protocol.CodeUpgradeRequired, Reason: unplacedTask}
	}
	now := e.config.Clock()
	scope := e.scope(&to.Peer, to.ContextID)
	s, _, err := e.load(ctx, scope, now)
	if err != nil {
		return Message{}, err
	}
	reason, err := e.forbidsProse(ctx, scope, s, now)
	if err != nil {
		return Message{}, err
	}
	if reason != "" {
		return Message{}, &protocol.Error{Code: protocol.CodeUpgradeRequired, Reason: reason}
	}
	m, err := e.newMessage(to.role(), to.ContextID, to.TaskID, "", nil, Part{Content: Text, Text: text})
	if err != nil {
		return Message{}, err
	}
	return *m, nil
}

// unplaced reports whether a message would go to a task whose context is not said: the
// peer puts it there, and here it would be judged as a first message.
func (t *To) unplaced() bool { return t.TaskID != "" && t.ContextID == "" }

const unplacedTask = "expected the context of the task that the message goes to, found none"

// role is that of the sender.
func (t *To) role() Role {
	if t.Role == RoleAgent {
		return RoleAgent
	}
	return RoleUser
}
