package engine

import (
	"errors"

	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
)

// offered answers an offer (a2a-rdf, section 5.4), in the context that the answer will
// have. A required one forbids prose there from now on, for a day longer than the agreement
// that it may make: while it is evaluated, after it was declined, since the peer aborts
// then, and after the agreement ended, however it did (DG-3, DG-4, section 5.5).
func (x *exchange) offered(o handshake.Offer, contextID string) {
	e := x.e
	x.out.Pin = o.Hash
	scope := e.scope(x.peer, contextID)
	if o.Required && scope.Valid() {
		room, until := true, x.now.Add(e.config.AgreementLife+openLife)
		err := e.change(x.ctx, x.by, scope, x.now, func(s *scopeState) (bool, error) {
			room = s.require(o.Hash, until, x.now)
			return room, nil
		})
		if err != nil {
			x.fail(stepOffer, "offer", err)
			return
		}
		if !room {
			x.refuse(stepOffer, "offer", errTooManyAgreements)
			return
		}
	}
	act, err := x.decideOffer(o, scope)
	if err != nil {
		x.fail(stepOffer, "offer", err)
		return
	}
	if act.Response == nil {
		x.refuse(stepOffer, "offer", &protocol.Error{Code: act.Code, Reason: "the offer cannot be answered"})
		return
	}
	x.reply(*act.Response, act.Code, contextID)
}

// decideOffer evaluates an offer and keeps the agreement that it makes. The machine of
// package handshake decides; messages that came before were told apart by the store.
func (x *exchange) decideOffer(o handshake.Offer, scope handshake.Scope) (handshake.Action, error) {
	e := x.e
	if !scope.Valid() {
		return handshake.Action{Code: protocol.CodeMalformedPayload}, nil
	}
	a, agreed, err := e.agreement(x.ctx, scope, o.Hash, x.now)
	if err == nil && agreed && o.Required && !a.Required {
		a, agreed, err = e.require(x.ctx, a, x.now)
	}
	if err != nil {
		return handshake.Action{}, err
	}
	if agreed {
		x.out.Agreement = &a
		x.note(stepOffer, "offer", "agreed already")
		return handshake.Action{Response: &handshake.Response{Hash: o.Hash, Accept: true}}, nil
	}
	var machine handshake.Responder
	if act := machine.Receive(o, x.m.ID, 0); !act.Evaluate {
		return act, nil
	}
	doc, err := e.Obtain(x.ctx, Proposal{Peer: *x.peer, Pin: o.Hash, Source: o.Source})
	code, why := protocol.Code(""), ""
	if err != nil {
		doc, why = nil, err.Error()
		if p, ok := errors.AsType[*protocol.Error](err); ok {
			code = p.Code
		}
	}
	act := x.evaluated(&machine, o, doc, code)
	if doc == nil {
		x.out.Reason = why
		x.note(stepOffer, "offer", "declined: "+why)
		return act, nil
	}
	made, ok := machine.Agreement(scope, o.Hash, x.now)
	if !ok {
		return handshake.Action{}, errors.New("engine: an accepted offer made no agreement")
	}
	room, err := e.keep(x.ctx, x.by, made, x.now, false)
	if err != nil {
		return handshake.Action{}, err
	}
	if !room {
		x.out.Reason = "too many agreements in one scope"
		x.note(stepOffer, "offer", "declined: "+x.out.Reason)
		return x.evaluated(new(handshake.Responder), o, nil, protocol.CodeLimitExceeded), nil
	}
	x.out.Agreement = &made
	x.note(stepOffer, "offer", "accepted")
	return act, nil
}

// evaluated tells the machine what came of an evaluation. What the peer is told are the
// words of the code: the reason may name hosts.
func (x *exchange) evaluated(machine *handshake.Responder, o handshake.Offer, doc *protocol.Reviewed, code protocol.Code) handshake.Action {
	if machine.State(o.Hash) != handshake.ResponderEvaluating {
		machine.Receive(o, x.m.ID, 0)
	}
	answers := machine.Evaluated(o.Hash, doc, code, text(code))
	return answers[0].Action
}

// reply makes the message with a response to an offer, in the form of the offer.
func (x *exchange) reply(r handshake.Response, code protocol.Code, contextID string) {
	e := x.e
	var c *Challenge
	var err error
	if r.Accept {
		if c, err = x.challenge(stepOffer, contextID); err != nil {
			x.fail(stepOffer, "challenge", err)
			return
		}
	}
	part, err := handshakePart(r, x.b.keys, x.b.handshake.part.Content == Text, x.b.handshake.part.MediaType)
	if err != nil {
		x.fail(stepOffer, "reply", err)
		return
	}
	m, err := e.newMessage(opposite(x.m.Role), contextID, x.replyTask(), x.b.uri, appendMetadata(x.b.keys, code, c), part)
	if err != nil {
		x.fail(stepOffer, "reply", err)
		return
	}
	x.out.Kind, x.out.Code, x.out.Message, x.out.ContextID = KindReply, code, m, contextID
}

// challenge issues the challenge that goes with an answer which accepts. What was agreed
// stands without one where the store has no room: a later one goes with the refusal of an
// intent that needs it.
func (x *exchange) challenge(step, contextID string) (*Challenge, error) {
	c, err := x.e.issue(x.ctx, x.by, x.peer, contextID, x.now)
	if errors.Is(err, replay.ErrFull) {
		x.note(step, "challenge", "none: there is no room")
		return nil, nil
	}
	return c, err
}

// replyTask is the task that a reply belongs to.
func (x *exchange) replyTask() string { return x.m.TaskID }
