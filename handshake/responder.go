package handshake

import (
	"bytes"
	"slices"
	"time"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/protocol"
)

// ResponderState is where a [Responder] stands with one Protocol Document.
type ResponderState uint8

// The states of a responder (a2a-rdf, section 5.4).
const (
	ResponderIdle       ResponderState = iota // nothing is known of the document
	ResponderEvaluating                       // it is being fetched, verified and reviewed
	ResponderAccepted                         // it is agreed
	ResponderDeclined                         // the last offer of it was declined
)

// String returns the state as the extension names it.
func (s ResponderState) String() string {
	switch s {
	case ResponderEvaluating:
		return "EVALUATING"
	case ResponderAccepted:
		return "ACCEPTED"
	case ResponderDeclined:
		return "DECLINED"
	}
	return "IDLE"
}

// Bounds of a responder.
const (
	MaxPending   = 4   // evaluations under way for one peer (a2a-rdf, section 5.4)
	maxDocuments = 64  // documents agreed or under way in one scope; a session uses a few
	maxAnswers   = 256 // messageIds whose answer is kept; further offers are refused until Forget, so that none is evaluated twice
)

// Action is what to do about an offer. Its zero value is a refusal without a
// code and must not be used; [Responder] never returns it.
type Action struct {
	// Evaluate says that the document must be fetched if it is not stored,
	// verified against the pin and reviewed, and the result passed to
	// [Responder.Evaluated]. Nothing is answered yet.
	Evaluate bool

	// Wait says that the evaluation is under way: the answer comes from
	// Evaluated. Until then the peer gets none, or a notice that it is in progress.
	Wait bool

	// Response is the answer, nil for an error without a response payload.
	Response *Response

	// Code goes with a decline or an error; "" with an accept.
	Code protocol.Code
}

// Answer is an action for one message.
type Answer struct {
	MessageID string
	Action
}

// Responder is the answering side of the handshake within one scope (see
// [Scope]). Its zero value has seen no offer. Whether an offer is required never
// changes how it is answered. A Responder is not safe for concurrent use.
type Responder struct {
	documents []document
	answers   []answered // by arrival, bounded
}

type document struct {
	pin      canon.Digest
	state    ResponderState
	waiting  []string // messageIds that wait for the evaluation
	source   string   // of the offer that it was evaluated for
	required bool     // one of its offers was a required one: a peer can raise this, never lower it
}

// answered is one message that carried an offer, with the answer it was given.
type answered struct {
	messageID string
	offer     []byte // as canonical JSON: other content under one messageId is refused
	pin       canon.Digest
	action    Action
}

// State returns where the scope stands with a document.
func (r *Responder) State(pin canon.Digest) ResponderState {
	if d := r.find(pin); d != nil {
		return d.state
	}
	return ResponderIdle
}

// Receive takes an offer that arrived in the message with the given id, and returns
// what to do about it. pending is how many evaluations are under way for the same
// peer in its other scopes. A message that arrived before is answered as before, and
// nothing is done again.
func (r *Responder) Receive(o Offer, messageID string, pending int) Action {
	content, err := o.AppendJSON(nil)
	if err != nil || messageID == "" {
		return Action{Code: protocol.CodeMalformedPayload}
	}
	if a := r.answer(messageID); a != nil {
		if !bytes.Equal(a.offer, content) {
			return Action{Code: protocol.CodeDuplicateMessage}
		}
		return a.action
	}
	if len(r.answers) >= maxAnswers {
		return Action{Code: protocol.CodeLimitExceeded}
	}
	d := r.document(o.Hash)
	if d == nil {
		return Action{Code: protocol.CodeLimitExceeded}
	}
	d.required = d.required || o.Required
	var act Action
	switch d.state {
	case ResponderAccepted:
		act = Action{Response: &Response{Hash: o.Hash, Accept: true}}
	case ResponderEvaluating:
		act = Action{Wait: true}
		d.waiting = append(d.waiting, messageID)
	default:
		if pending+r.evaluating() >= MaxPending {
			return Action{Code: protocol.CodeLimitExceeded} // not kept: the same message may come again later
		}
		d.state, d.source = ResponderEvaluating, o.Source
		d.waiting = append(d.waiting, messageID)
		r.answers = append(r.answers, answered{messageID, content, o.Hash, Action{Wait: true}})
		return Action{Evaluate: true}
	}
	r.answers = append(r.answers, answered{messageID, content, o.Hash, act})
	return act
}

// Evaluated says how the evaluation of a document ended, and returns the answer to
// every message that waited for it: the offer's own and those that came meanwhile.
// The offers are accepted when doc has the pin, and declined with code and reason
// otherwise, as with nil. A code that no decline carries, or "", becomes
// [protocol.CodeUnsupportedProtocol].
func (r *Responder) Evaluated(pin canon.Digest, doc *protocol.Reviewed, code protocol.Code, reason string) []Answer {
	d := r.find(pin)
	if d == nil || d.state != ResponderEvaluating {
		return nil
	}
	act := Action{Response: &Response{Hash: pin, Accept: true}}
	d.state = ResponderAccepted
	if doc == nil || !doc.Pin().Equal(pin) {
		act = decline(pin, code, reason)
		d.state = ResponderDeclined
	}
	answers := make([]Answer, len(d.waiting))
	for i, id := range d.waiting {
		answers[i] = Answer{id, act}
		if a := r.answer(id); a != nil {
			a.action = act
		}
	}
	d.waiting = nil
	return answers
}

func decline(pin canon.Digest, code protocol.Code, reason string) Action {
	switch code {
	case protocol.CodeProtocolUnavailable, protocol.CodeProtocolHashMismatch, protocol.CodeInvalidProtocolDocument, protocol.CodeLimitExceeded:
	default:
		code = protocol.CodeUnsupportedProtocol
	}
	resp := &Response{Hash: pin}
	if t := NewText(reason); reason != "" && t.check("reason", maxReasonRunes) == nil {
		resp.Reason = t
	}
	return Action{Response: resp, Code: code}
}

// Withdraw drops the agreement about a document: it was withdrawn here, the
// peer's identity or card changed, or the agreement is too old. It returns the
// decline that tells the peer so, and false when nothing was agreed. Copies of
// messages that were answered with an accept get that decline from then on; a new
// offer is evaluated again.
func (r *Responder) Withdraw(pin canon.Digest) (Response, bool) {
	d := r.find(pin)
	if d == nil || d.state != ResponderAccepted {
		return Response{}, false
	}
	d.state = ResponderIdle
	act := decline(pin, protocol.CodeUnsupportedProtocol, "withdrawn")
	for i := range r.answers {
		if a := &r.answers[i]; a.pin.Equal(pin) && a.action.Response != nil && a.action.Response.Accept {
			a.action = act
		}
	}
	return *act.Response, true
}

// Forget drops the answers that were kept for messages, once the scope has ended. A
// scope that never forgets answers 256 offers and refuses further ones.
func (r *Responder) Forget() {
	r.answers = slices.DeleteFunc(r.answers, func(a answered) bool { return !a.action.Wait })
}

// Agreement returns the record of an accepted document for a store, and false
// when it is not agreed or the scope is not valid.
func (r *Responder) Agreement(scope Scope, pin canon.Digest, now time.Time) (Agreement, bool) {
	d := r.find(pin)
	if d == nil || d.state != ResponderAccepted || !scope.Valid() {
		return Agreement{}, false
	}
	return newAgreement(scope, Offer{Hash: pin, Source: d.source, Required: d.required}, now), true
}

// Agreement returns the record of the agreement for a store, and false when
// nothing is agreed or the scope is not valid. It is required if any offer was, see
// [Offeror.Replace].
func (f *Offeror) Agreement(scope Scope, now time.Time) (Agreement, bool) {
	if f.state != OfferorAgreed || !scope.Valid() {
		return Agreement{}, false
	}
	a := newAgreement(scope, f.offer, now)
	a.Required = f.required
	return a, true
}

func newAgreement(scope Scope, o Offer, now time.Time) Agreement {
	return Agreement{Scope: scope, Pin: o.Hash, Source: o.Source, Origin: OriginOffer, Required: o.Required, Made: now, Expires: now.Add(AgreementTTL)}
}

// document returns the entry of a document, a new one if need be. When there is no
// room, it replaces an entry that is neither agreed nor under way and was never required,
// because nothing depends on that one; without such an entry it returns nil.
func (r *Responder) document(pin canon.Digest) *document {
	if d := r.find(pin); d != nil {
		return d
	}
	if len(r.documents) >= maxDocuments {
		i := slices.IndexFunc(r.documents, func(d document) bool {
			return !d.required && (d.state == ResponderIdle || d.state == ResponderDeclined)
		})
		if i < 0 {
			return nil
		}
		r.documents = slices.Delete(r.documents, i, i+1)
	}
	r.documents = append(r.documents, document{pin: pin})
	return &r.documents[len(r.documents)-1]
}

func (r *Responder) find(pin canon.Digest) *document {
	for i := range r.documents {
		if r.documents[i].pin == pin {
			return &r.documents[i]
		}
	}
	return nil
}

func (r *Responder) answer(messageID string) *answered {
	for i := range r.answers {
		if r.answers[i].messageID == messageID {
			return &r.answers[i]
		}
	}
	return nil
}

func (r *Responder) evaluating() int {
	n := 0
	for i := range r.documents {
		if r.documents[i].state == ResponderEvaluating {
			n++
		}
	}
	return n
}
