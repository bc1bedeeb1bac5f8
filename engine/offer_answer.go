package engine

import (
	"errors"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
)

// answered takes a response that arrived as a request: the answer to an offer that this
// side made in an earlier message of the context (a2a-rdf, sections 5.3 and 5.6).
func (x *exchange) answered(r handshake.Response) {
	const what = "answer to an offer"
	e := x.e
	scope := e.scope(x.peer, x.out.ContextID)
	var offer handshake.Offer
	var machine handshake.Offeror
	found, withdrew, first := false, false, false
	err := e.change(x.ctx, x.by, scope, x.now, func(s *scopeState) (bool, error) {
		found, withdrew, first = false, false, false
		f := s.offer(r.Hash)
		if f == nil { // unrelated to every offer: it counts for those that are pending
			for _, f := range s.offers {
				f.Receive(r, x.now)
			}
			return len(s.offers) > 0, nil
		}
		found = true
		before := f.State()
		after := f.Receive(r, x.now)
		withdrew = before == handshake.OfferorAgreed && after != before
		first = before != handshake.OfferorAgreed
		offer, _, _ = f.Sent()
		machine = *f
		return true, nil
	})
	switch {
	case err != nil:
		x.fail(stepAnswer, what, err)
		return
	case !found:
		x.refuse(stepAnswer, what, &protocol.Error{Code: protocol.CodeUnsupportedProtocol, Reason: "the response answers no offer of this context"})
		return
	}
	if withdrew {
		if _, err := e.agreements.Withdraw(x.ctx, scope, r.Hash, x.now); err != nil {
			x.fail(stepAnswer, what, err)
			return
		}
	}
	x.decided(&machine, first, offer.Hash, scope)
	switch x.out.Kind {
	case KindAgreed, KindDeclined:
		x.acknowledge()
	}
}

// decided turns the state of an exchange into an outcome. The first answer that accepts
// makes the agreement; the same again changes nothing, and prolongs nothing.
func (x *exchange) decided(f *handshake.Offeror, first bool, pin canon.Digest, scope handshake.Scope) {
	const what = "answer to an offer"
	x.out.Pin = pin
	switch f.State() {
	case handshake.OfferorAgreed:
		a, err := x.agreedBy(f, first, pin, scope)
		if err != nil {
			x.fail(stepAnswer, what, err)
			return
		}
		if a.Pin.IsZero() {
			x.refuse(stepAnswer, what, &protocol.Error{Code: protocol.CodeUnsupportedProtocol, Reason: "the agreement is over"})
			return
		}
		x.out.Kind, x.out.Agreement = KindAgreed, &a
		x.note(stepAnswer, what, "agreed")
	case handshake.OfferorNLAllowed:
		if !f.Decision().MayDowngrade() {
			x.abort(f.Cause(), "nothing was decided")
			return
		}
		x.out.Kind = KindDeclined
		x.note(stepAnswer, what, "an optional offer was declined")
	case handshake.OfferorOffered:
		x.out.Kind = KindWaiting
		x.note(stepAnswer, what, "the offer is not answered yet")
	default:
		x.abort(f.Cause(), "the exchange ended without agreement")
	}
}

// agreedBy returns the agreement of an exchange; the zero Agreement when it is over. One
// that is made comes of an offer of this side: it does not count for the peer, whose share
// may be used up when it has accepted already.
func (x *exchange) agreedBy(f *handshake.Offeror, first bool, pin canon.Digest, scope handshake.Scope) (handshake.Agreement, error) {
	if !first {
		a, _, err := x.e.agreement(x.ctx, scope, pin, x.now)
		return a, err
	}
	a, ok := f.Agreement(scope, x.now)
	if !ok {
		return a, errors.New("engine: an accepted offer made no agreement")
	}
	room, err := x.e.keep(x.ctx, nobody(), a, x.now, false)
	if err == nil && !room {
		err = errTooManyAgreements
	}
	if err != nil {
		return a, err
	}
	// The exchange may have ended before there was an agreement to withdraw.
	s, _, err := x.e.load(x.ctx, scope, x.now)
	if err != nil {
		return a, err
	}
	if f := s.offer(pin); f == nil || f.State() != handshake.OfferorAgreed {
		_, err := x.e.agreements.Withdraw(x.ctx, scope, pin, x.now)
		return handshake.Agreement{}, err
	}
	return a, nil
}

// abort ends an exchange about an offer. A code of the peer's does not change what it
// means.
func (x *exchange) abort(cause protocol.Code, reason string) {
	if cause == "" {
		cause = protocol.CodeUpgradeRequired
	}
	x.out.Kind, x.out.Code, x.out.Reason = KindAborted, cause, reason
	x.out.Trace = append(x.out.Trace, Step{Name: stepAnswer, What: "answer to an offer", Note: reason})
}

// acknowledge makes the message that a response to an offer is answered with: there is
// nothing to say, but A2A asks for a message, and with it goes the challenge for what may
// follow.
func (x *exchange) acknowledge() {
	const what = "reply"
	var c *Challenge
	var err error
	words, uri := "Agreed.", ""
	if x.out.Kind == KindDeclined {
		words = "Understood."
	} else if c, err = x.challenge(stepAnswer, x.out.ContextID); err != nil {
		x.fail(stepAnswer, what, err)
		return
	}
	if c != nil {
		uri = x.b.uri
	}
	m, err := x.e.newMessage(opposite(x.m.Role), x.out.ContextID, x.m.TaskID, uri, appendMetadata(x.b.keys, "", c), Part{Content: Text, Text: words})
	if err != nil {
		x.fail(stepAnswer, what, err)
		return
	}
	x.out.Message = m
}

// interrupt tells every offer of the message's context that is pending that no answer
// came: a message of the context is what should have held it (section 5.3).
func (x *exchange) interrupt(tell func(*handshake.Offeror)) {
	if x.m.ContextID == "" {
		return
	}
	err := x.e.change(x.ctx, x.by, x.e.scope(x.peer, x.m.ContextID), x.now, func(s *scopeState) (bool, error) {
		return tellPending(s, tell), nil
	})
	if err != nil {
		x.err = errors.Join(x.err, err)
	}
}

// tellPending passes something on to the offers of a scope that are pending, and
// reports whether there are any.
func tellPending(s *scopeState, tell func(*handshake.Offeror)) bool {
	told := false
	for _, f := range s.offers {
		if f.State() == handshake.OfferorOffered {
			tell(f)
			told = true
		}
	}
	return told
}
