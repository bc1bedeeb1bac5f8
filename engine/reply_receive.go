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

// ReceiveReply turns the reply to a message of this side into its outcome. sent is the
// message as it was made here, and p is whom it was sent to. Call it with the zero
// Reply when nothing came in time, or when the reply could not be read: an offer is
// then given up. For a reply that carries an offer of the peer, the outcome is
// KindReply: send its message.
//
// No failure is a permission to try the same in prose: [Engine.Prose] decides that.
// Errors are as those of Receive.
func (e *Engine) ReceiveReply(ctx context.Context, p Peer, sent Message, r Reply) (Outcome, error) {
	x := &exchange{e: e, ctx: ctx, peer: &p, m: &Message{Role: opposite(sent.Role)}, now: e.config.Clock()}
	x.out.Trace = make(Trace, 0, maxSteps)
	own := bound{uri: protocol.ExtensionURI}
	own.keys = e.keys
	if err := e.bind(&own, sent.carrier()); err != nil {
		x.refuse(stepBinding, "the message that was sent", err)
		return x.out, x.err
	}
	x.m.ID = r.TaskID // of payloads in artifacts
	if r.Message != nil {
		x.m = r.Message
	}
	x.replied(&sent, &own, &r)
	if own.intent.part != nil {
		x.intentReplied(sent.ContextID, own.intent.pin)
	}
	return x.out, x.err
}

// begin notes an intent that no agreement may outlast: prose is forbidden in the scope
// until an intent under the document is answered, or taken where it came from the peer, or
// openLife has passed. Of an intent without a context it is the scope of first messages to
// the peer, and it is noted before the intent is sent: a process that ends before the answer
// comes, and whoever speaks to the peer meanwhile, would know nothing of it otherwise.
func (e *Engine) begin(ctx context.Context, by replay.Owner, scope handshake.Scope, pin canon.Digest, now time.Time) error {
	if !e.securityBearing(pin) {
		return nil
	}
	return e.change(ctx, by, scope, now, func(s *scopeState) (bool, error) {
		if !s.open(pin, now.Add(openLife), now) {
			return false, errTooManyAgreements
		}
		return true, nil
	})
}

// intentReplied notes what became of an intent that was sent in a context, or without one.
// That a reply to one without names a context makes the agreement there, also when the task
// goes on: what the peer asks for in it is not asked for in prose. Without an answer, prose
// stays forbidden where the intent was sent until one under the document is answered,
// whenever the agreement that it was sent under ends: whatever went wrong, saying it in
// prose is not the way around (DG-4, DG-6). It is noted also when who asked is gone: a
// deadline would be that way otherwise.
func (x *exchange) intentReplied(contextID, hash string) {
	e, ctx := x.e, context.WithoutCancel(x.ctx)
	pin, err := canon.ParseDigest(hash)
	if err != nil {
		return
	}
	if contextID == "" && x.out.ContextID != "" {
		if err := e.byCard(ctx, x.by, e.scope(x.peer, x.out.ContextID), pin, "", x.now); err != nil {
			x.err = errors.Join(x.err, err)
			if x.out.Kind != KindResponse {
				x.out.ContextID = "" // nothing is known of the intent there
			}
		}
	}
	scope := e.scope(x.peer, contextID)
	if x.out.Kind != KindResponse {
		err = e.begin(ctx, x.by, scope, pin, x.now) // again: its time begins anew
	} else {
		err = e.change(ctx, x.by, scope, x.now, func(s *scopeState) (bool, error) { return s.closed(pin), nil })
	}
	if err == nil && contextID == "" && x.out.ContextID != "" {
		err = e.follow(ctx, x.by, e.scope(x.peer, x.out.ContextID), x.now)
	}
	if err != nil {
		x.err = errors.Join(x.err, err)
		if contextID == "" && x.out.Kind != KindResponse {
			x.out.ContextID = ""
		}
	}
}

// follow notes what is undecided in first messages to a peer in the context of an answer to
// one: it forbids prose there as well.
func (e *Engine) follow(ctx context.Context, by replay.Owner, scope handshake.Scope, now time.Time) error {
	first := firstOf(scope)
	if scope == first {
		return nil
	}
	s, _, err := e.load(ctx, first, now)
	if err != nil {
		return err
	}
	undecided := s.undecided(now, canon.Digest{})
	if len(undecided) == 0 {
		return nil
	}
	return e.change(ctx, by, scope, now, func(s *scopeState) (bool, error) {
		if !s.follow(undecided, now) {
			return false, errTooManyAgreements
		}
		return true, nil
	})
}

// replied judges a reply by what it is a reply to.
func (x *exchange) replied(sent *Message, own *bound, r *Reply) {
	contextID, refused := x.bindReply(sent, r)
	if sent.ContextID != "" { // a reply elsewhere was refused, and leads nowhere
		contextID = sent.ContextID
	}
	x.out.ContextID, x.out.Challenge = contextID, x.b.secret
	if x.out.Challenge == nil {
		x.out.Challenge = r.Challenge
	}
	failed := r.Failed || r.State == TaskFailed
	nothing := r.Message == nil && r.State == NoTask && !failed
	if offer, ok := own.message.(handshake.Offer); ok {
		x.repliedToOffer(sent, offer, r, contextID, refused, failed)
		if x.out.Kind == KindAgreed || failed || refused != nil || x.err != nil {
			return
		}
	}
	theirs, isOffer := x.b.message.(handshake.Offer)
	switch {
	case failed:
		x.failed(r)
	case nothing:
		x.failed(&Reply{Text: "nothing came"})
	case refused != nil:
		x.refuse(stepBinding, "reply", refused)
	case isOffer:
		x.passOver()
		x.pass(stepBinding, "reply")
		m := *x.m
		if m.TaskID == "" {
			m.TaskID = r.TaskID
		}
		x.m = &m
		x.offered(theirs, contextID)
	case own.message != nil:
		if _, isResponse := own.message.(handshake.Response); isResponse {
			x.repliedToResponse(own, r)
		}
	case own.intent.part != nil:
		x.repliedToIntent(sent, own, r)
	default:
		x.repliedToProse(r)
	}
}

// passOver takes what became of an offer of this side as a step on the way to that of the
// peer which came in its place: it is noted, and what ends the trace comes later.
func (x *exchange) passOver() {
	x.out.Kind, x.out.Code, x.out.Reason = KindRefused, "", ""
	for i := range x.out.Trace {
		x.out.Trace[i].OK = true
	}
}

// bindReply finds the payloads of a reply, in its message and its artifacts, and its
// context. A context that is not that of what was sent is refused: what is agreed or
// answered there is not this (RSP-5).
func (x *exchange) bindReply(sent *Message, r *Reply) (contextID string, refused *protocol.Error) {
	e := x.e
	x.b.uri = protocol.ExtensionURI
	x.b.keys = x.e.keys
	x.b.metadata = []strictjson.Value{}
	contextID = r.ContextID
	var carriers []carrier
	if r.Message != nil {
		carriers = append(carriers, r.Message.carrier())
		switch id := r.Message.ContextID; {
		case contextID == "":
			contextID = id
		case id != "" && id != contextID:
			return "", malformed("expected the message of a task in the context of the task")
		}
		if r.Message.Role != opposite(sent.Role) {
			return contextID, malformed("expected a reply from the other side")
		}
	}
	for i := range r.Artifacts {
		carriers = append(carriers, r.Artifacts[i].carrier())
	}
	var size int64
	parts := 0
	for _, c := range carriers {
		size += c.size()
		parts += len(c.parts)
	}
	switch {
	case size > e.config.Limits.Message:
		return contextID, overBytes("a reply", e.config.Limits.Message)
	case parts > e.config.Limits.Parts:
		return contextID, tooMany("parts", e.config.Limits.Parts, parts)
	}
	if r.Failed || r.State == TaskFailed { // nothing is read of it but the code
		return contextID, nil
	}
	x.b.reply = true
	for _, c := range carriers {
		if err := e.bind(&x.b, c); err != nil {
			return contextID, err
		}
	}
	if err := x.b.together(); err != nil {
		return contextID, err
	}
	if sent.ContextID != "" && contextID != sent.ContextID && (x.b.tagged || contextID != "") {
		return sent.ContextID, malformed("expected a reply in the context of the message")
	}
	switch {
	case x.b.handshake.part != nil && contextID == "":
		return contextID, malformed("expected a handshake message in a context, found none")
	case x.b.intent.part != nil:
		return contextID, malformed("expected no intent in a reply")
	}
	if x.b.tagged && x.m.Role != opposite(sent.Role) {
		return contextID, malformed("expected a reply from the other side")
	}
	return contextID, nil
}

// failed is a peer's failure: a plain refusal, whatever its code.
func (x *exchange) failed(r *Reply) {
	if x.out.Kind == KindAborted {
		return
	}
	x.out.Kind, x.out.Code = KindFailed, r.Code
	x.out.Reason = "the peer failed or refused"
	if r.Text != "" {
		x.out.Reason += ": " + brief(r.Text)
	}
	x.out.Trace = append(x.out.Trace, Step{Name: stepError, What: "error", Note: x.out.Reason})
}

// repliedToOffer takes the reply to an offer of this side (a2a-rdf, section 5.3).
func (x *exchange) repliedToOffer(sent *Message, offer handshake.Offer, r *Reply, contextID string, refused *protocol.Error, failed bool) {
	const what = "answer to an offer"
	e := x.e
	x.out.ContextID = sent.ContextID // the other one only once the offer is known in it
	resp, answered := x.b.message.(handshake.Response)
	from, to := e.scope(x.peer, sent.ContextID), e.scope(x.peer, contextID)
	var machine handshake.Offeror
	var undecided []agreed
	found, first, withdrew := false, false, false
	err := e.change(x.ctx, x.by, from, x.now, func(s *scopeState) (bool, error) {
		found, first, withdrew = false, false, false
		f := s.offer(offer.Hash)
		if f == nil {
			return false, nil
		}
		if _, id, _ := f.Sent(); id != sent.ID {
			return false, nil
		}
		before := f.State()
		found, first = true, before == handshake.OfferorOffered
		switch {
		case failed:
			f.ReceiveNothing(r.Code, x.now)
		case refused != nil:
			f.ReceiveMalformed(x.now)
		case answered:
			f.Receive(resp, x.now)
		default:
			f.ReceiveNothing("", x.now)
		}
		withdrew = before == handshake.OfferorAgreed && f.State() != before
		machine = *f
		undecided = s.undecided(x.now, offer.Hash)
		return true, nil
	})
	if err != nil {
		x.fail(stepAnswer, what, err)
		return
	}
	if !found {
		if from != to {
			if err := x.forbid(to, offer, sent.ID, ""); err != nil {
				x.fail(stepAnswer, what, err)
				return
			}
			x.out.ContextID = contextID
		}
		x.abort("", "the offer is not known, was decided, or another one took its place")
		return
	}
	if withdrew && from.Valid() {
		if _, err := e.agreements.Withdraw(x.ctx, from, offer.Hash, x.now); err != nil {
			x.fail(stepAnswer, what, err)
			return
		}
	}
	if from != to && contextID != "" {
		moved, err := x.move(to, &machine, undecided)
		switch {
		case err != nil:
			x.fail(stepAnswer, what, err)
			return
		case !moved:
			if machine.MayUseNaturalLanguage() { // nor does it allow any where the offer was made
				if err := x.forbid(from, offer, sent.ID, sent.ID); err != nil {
					x.fail(stepAnswer, what, err)
					return
				}
			}
			x.abort("", "the answer came in a context where an exchange about the document does not allow prose")
			return
		}
	}
	x.out.ContextID = contextID
	x.decided(&machine, first, offer.Hash, to)
	if from != to && (x.out.Kind == KindAgreed || x.out.Kind == KindDeclined) {
		x.leave(from, offer.Hash, sent.ID)
	}
	if x.out.Kind == KindAborted && refused != nil {
		x.out.Reason += ": " + refused.Error()
	}
}

// forbid notes in a context that an offer ended there without an agreement. It is that
// of a further reply to an offer without a context: whoever can make replies could
// otherwise lead this side to a context in which nothing is known of the offer. What is
// known of the document there already stays, unless it is the exchange that began with
// the message replaced.
func (x *exchange) forbid(scope handshake.Scope, o handshake.Offer, messageID, replaced string) error {
	doc, ok := x.e.config.Documents.Get(o.Hash)
	if !ok {
		return handshake.ErrNotReviewed
	}
	return x.e.change(x.ctx, x.by, scope, x.now, func(s *scopeState) (bool, error) {
		old := s.offer(o.Hash)
		if old != nil {
			if _, id, _ := old.Sent(); id != replaced {
				return false, nil
			}
		}
		if old == nil && len(s.offers) >= maxOffers {
			return false, ErrTooManyOffers
		}
		f := &handshake.Offeror{}
		if err := f.Offer(doc, o, messageID, x.now); err != nil {
			return false, err
		}
		f.ReceiveMalformed(x.now)
		s.put(f)
		return true, nil
	})
}

// move takes what became of an offer that was sent without a context to the context
// that its answer came in (a2a-rdf, section 5.5). What was decided leaves the scope
// without a context afterwards, see leave; what was not stays there as well, since its
// sender knows no other scope. An exchange about the document that is there already and
// does not allow prose is not replaced by one that does: whoever can choose the context
// of an answer could otherwise lift a refusal. Nor does its decline allow prose there that
// something undecided in the scope it leaves forbids. It reports whether the offer moved.
func (x *exchange) move(to handshake.Scope, f *handshake.Offeror, undecided []agreed) (moved bool, err error) {
	o, _, _ := f.Sent()
	err = x.e.change(x.ctx, x.by, to, x.now, func(s *scopeState) (bool, error) {
		if old := s.offer(o.Hash); old != nil && !old.MayUseNaturalLanguage() && f.State() != handshake.OfferorAgreed {
			moved = false
			return tellPending(s, func(pending *handshake.Offeror) {
				if pending == old {
					pending.ReceiveMalformed(x.now)
				}
			}), nil
		}
		switch old := s.offer(o.Hash); {
		case old != nil:
			f.Replace(old, x.now)
		case len(s.offers) >= maxOffers:
			return false, ErrTooManyOffers
		}
		moved = true
		s.put(f)
		if !s.follow(undecided, x.now) {
			return false, errTooManyAgreements
		}
		return true, nil
	})
	return moved, err
}

// leave drops from the scope without a context what was decided in another one, once
// all of it is known there, and no offer that took its place meanwhile. Should that fail, it
// forbids more than it must.
func (x *exchange) leave(from handshake.Scope, pin canon.Digest, messageID string) {
	err := x.e.change(x.ctx, x.by, from, x.now, func(s *scopeState) (bool, error) {
		f := s.offer(pin)
		if f == nil {
			return false, nil
		}
		if _, id, _ := f.Sent(); id != messageID {
			return false, nil
		}
		s.remove(pin)
		return true, nil
	})
	if err != nil {
		x.err = errors.Join(x.err, err)
	}
}

// repliedToResponse takes the reply to this side's response to an offer: nothing is left
// to say but that it arrived.
func (x *exchange) repliedToResponse(own *bound, r *Reply) {
	response := own.message.(handshake.Response)
	x.out.Pin = response.Hash
	switch {
	case response.Accept && r.State == TaskWorking:
		x.out.Kind = KindWaiting
		x.note(stepAnswer, "reply to a response", "the task goes on")
	case response.Accept && x.b.tagged:
		x.refuse(stepAnswer, "reply to a response", malformed("expected no payload but an offer in the reply to a response"))
	case response.Accept:
		x.out.Kind = KindAgreed
		x.pass(stepAnswer, "reply to a response")
	default:
		x.repliedToProse(r)
	}
}

// repliedToProse takes what came back for prose: ordinary content, unless something
// forbids that by now.
func (x *exchange) repliedToProse(r *Reply) {
	if x.b.tagged {
		x.refuse(stepBinding, "reply", malformed("expected a reply without a payload, or with an offer"))
		return
	}
	if r.State == TaskWorking {
		x.out.Kind = KindWaiting
		x.note(stepProse, "reply", "the task goes on")
		return
	}
	scope := x.e.scope(x.peer, x.out.ContextID)
	s, _, err := x.e.load(x.ctx, scope, x.now)
	if err != nil {
		x.fail(stepProse, "prose", err)
		return
	}
	reason, err := x.e.forbidsProse(x.ctx, scope, s, x.now)
	switch {
	case err != nil:
		x.fail(stepProse, "prose", err)
	case reason != "":
		x.refuse(stepProse, "prose", &protocol.Error{Code: protocol.CodeUpgradeRequired, Reason: reason})
	default:
		x.out.Kind = KindProse
		x.pass(stepProse, "prose")
	}
}

// repliedToIntent takes what came back for an intent (a2a-rdf, section 7.4).
func (x *exchange) repliedToIntent(sent *Message, own *bound, r *Reply) {
	const what = "response"
	pin, err := canon.ParseDigest(own.intent.pin)
	if err != nil {
		x.fail(stepResponse, what, errors.New("engine: the intent that was sent has no pin"))
		return
	}
	x.out.Pin = pin
	if r.State == TaskWorking || r.State == TaskInput {
		x.out.Kind = KindWaiting
		x.note(stepResponse, what, "the task goes on")
		return
	}
	doc, ok := x.e.config.Documents.Get(pin)
	if !ok {
		x.refuse(stepResponse, what, &protocol.Error{Code: protocol.CodeUnsupportedProtocol, Reason: "the protocol document is not held"})
		return
	}
	if x.b.handshake.part != nil {
		x.refuse(stepResponse, what, malformed("expected a response graph, found the answer to an offer"))
		return
	}
	task := r.TaskID
	if task == "" { // a message by itself, which may name one
		task = x.m.TaskID
	}
	if sent.TaskID != "" && task != "" && task != sent.TaskID || x.m.TaskID != "" && x.m.TaskID != task {
		x.refuse(stepResponse, what, malformed("expected the response in the task of the intent"))
		return
	}
	x.judgeResponse(doc.Document())
}

// judgeResponse validates a response graph before anything of it is used.
func (x *exchange) judgeResponse(d *protocol.Document) {
	const what = "response"
	invalid := func(reason string, err error) {
		x.refuse(stepResponse, what, &protocol.Error{Code: protocol.CodeResponseInvalid, Reason: reason, Err: err})
	}
	_, shaped := d.ResponseShape()
	resp := &Response{Document: d, Texts: x.b.texts}
	part := x.b.response.part
	switch {
	case part == nil && shaped: // RSP-4
		invalid("expected a response part, found none", nil)
		return
	case part == nil: // RSP-3
		x.out.Kind, x.out.Response = KindResponse, resp
		x.note(stepResponse, what, "a text, which nothing judges")
		return
	}
	if pin, err := canon.ParseDigest(x.b.response.pin); err != nil || !pin.Equal(d.Pin()) { // RSP-5
		invalid("expected the pin of the intent", err)
		return
	}
	resp.Body, resp.MediaType = part.Text, part.MediaType
	if !shaped {
		g, err := protocol.ReadPayload([]byte(part.Text), part.MediaType, x.e.config.Payload)
		if err != nil {
			invalid("", err)
			return
		}
		resp.Graph = g
		x.out.Kind, x.out.Response = KindResponse, resp
		x.note(stepResponse, what, "a graph, which nothing judges")
		return
	}
	v, err := d.ValidateResponse(x.ctx, []byte(part.Text), part.MediaType, x.e.config.Payload)
	if err != nil {
		x.fail(stepResponse, what, err)
		return
	}
	if !v.Valid() {
		x.out.Report = v.Report
		invalid(v.Reason, nil)
		return
	}
	resp.Graph, resp.Validated = v.Dataset(), true
	x.out.Kind, x.out.Response = KindResponse, resp
	x.pass(stepResponse, what)
}
