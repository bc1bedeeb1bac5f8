package handshake

import (
	"errors"
	"time"

	"github.com/rdfproto/rdfproto/protocol"
)

// OfferorState is where an [Offeror] stands.
type OfferorState uint8

// The states of an offeror (a2a-rdf, section 5.3).
const (
	OfferorStart     OfferorState = iota // nothing is pending or agreed
	OfferorOffered                       // an offer was sent and is not answered
	OfferorAgreed                        // the Protocol Document is agreed
	OfferorNLAllowed                     // an optional offer was declined: natural language is allowed in this exchange
	OfferorAborted                       // the exchange ended without agreement
)

// String returns the state as the extension names it.
func (s OfferorState) String() string {
	switch s {
	case OfferorOffered:
		return "OFFERED"
	case OfferorAgreed:
		return "AGREED"
	case OfferorNLAllowed:
		return "NL_ALLOWED"
	case OfferorAborted:
		return "ABORTED"
	}
	return "NL"
}

// Times and bounds of an offeror (a2a-rdf, section 5.3).
const (
	OfferTimeout  = 30 * time.Second // how long an offer waits for its answer; the default of Offeror.Timeout
	RetryInterval = 30 * time.Second // from an abort to the next offer of the same document
	maxUnrelated  = 3                // responses to something else that do not abort an offer
)

// The errors of [Offeror.Offer]. None of them changes the state.
var (
	ErrNotReviewed = errors.New("the protocol document was not verified and reviewed")
	ErrOtherPin    = errors.New("the offer has another pin than the protocol document")
	ErrNoMessageID = errors.New("an offer needs the messageId of the message that carries it")
	ErrPending     = errors.New("an offer of this protocol document is pending")
	ErrAgreed      = errors.New("this protocol document is agreed already")
	ErrTooSoon     = errors.New("the last exchange about this protocol document was aborted too short a time ago")
	ErrRequired    = errors.New("this protocol document cannot be offered as an optional one any more")
)

// Offeror is the offering side of the handshake about one Protocol Document
// within one scope (see [Scope]). Its zero value has not offered yet. The caller
// passes it what comes from the peer, in whatever order it comes; it never sends. An
// Offeror is not safe for concurrent use.
type Offeror struct {
	// Timeout is how long an offer waits for its answer; 0 means [OfferTimeout].
	Timeout time.Duration

	state     OfferorState
	offer     Offer // the stored copy that decisions are made from (DG-7)
	messageID string
	deadline  time.Time
	retry     time.Time
	unrelated int
	decision  Decision
	cause     protocol.Code // why the exchange was aborted; "" where no code says it
	offered   bool          // an offer was ever made in this scope
	required  bool          // one of the offers was a required one
}

// State returns where the exchange stands.
func (f *Offeror) State() OfferorState { return f.state }

// Sent returns the stored copy of the last offer and the messageId that it went
// out under, and whether there was one.
func (f *Offeror) Sent() (o Offer, messageID string, ok bool) {
	return f.offer, f.messageID, f.offered
}

// Deadline returns when the pending offer is given up, and whether one is
// pending.
func (f *Offeror) Deadline() (time.Time, bool) { return f.deadline, f.state == OfferorOffered }

// Decision returns what was decided about the last offer; undecided while it is
// pending, and after an abort without an answer.
func (f *Offeror) Decision() Decision { return f.decision }

// Cause returns the code with which the exchange was aborted, "" when it was not or
// no code says why.
func (f *Offeror) Cause() protocol.Code { return f.cause }

// MayUseNaturalLanguage reports whether prose is allowed as far as this document
// is concerned: before any offer, and after the decline of an optional one. It is
// false while an offer is pending, after an abort, and after an agreement was
// withdrawn until a new offer decides.
func (f *Offeror) MayUseNaturalLanguage() bool {
	return f.state == OfferorStart && !f.offered || f.state == OfferorNLAllowed && f.decision.MayDowngrade()
}

// Offer records an offer that is about to be sent in the message with the given
// id. The document must have been verified and reviewed before it is offered
// (a2a-rdf, section 5.2). Once offered as required, it stays required for as long as
// this Offeror lives: otherwise an optional offer could follow a refusal (DG-4). On
// an error nothing changes and nothing may be sent.
func (f *Offeror) Offer(doc *protocol.Reviewed, o Offer, messageID string, now time.Time) error {
	switch {
	case doc == nil || doc.Pin().IsZero():
		return ErrNotReviewed
	case !doc.Pin().Equal(o.Hash):
		return ErrOtherPin
	case messageID == "":
		return ErrNoMessageID
	case f.state == OfferorOffered:
		return ErrPending
	case f.state == OfferorAgreed:
		return ErrAgreed
	case f.required && !o.Required:
		return ErrRequired
	case f.state == OfferorAborted && now.Before(f.retry):
		return ErrTooSoon
	}
	if err := o.check(); err != nil {
		return err
	}
	timeout := f.Timeout
	if timeout <= 0 {
		timeout = OfferTimeout
	}
	*f = Offeror{Timeout: f.Timeout, state: OfferorOffered, offer: o, messageID: messageID, deadline: now.Add(timeout), offered: true, required: o.Required}
	return nil
}

// Receive takes a response that came in this scope, and returns the new state. While
// the offer is pending, it decides; later, only a decline of what is agreed changes
// anything: the peer withdrew.
func (f *Offeror) Receive(r Response, now time.Time) OfferorState {
	f.Tick(now)
	sent := f.offer
	sent.Required = f.required // also by the exchange that this one took the place of
	d := Decide(sent, r)
	switch f.state {
	case OfferorOffered:
		switch d.Outcome() {
		case Upgraded:
			f.state, f.decision = OfferorAgreed, d
		case Declined:
			f.state, f.decision = OfferorNLAllowed, d
		case Refused:
			f.abort(protocol.CodeUpgradeRequired, now)
			f.decision = d
		default:
			f.unrelated++
			if f.unrelated > maxUnrelated {
				f.abort("", now)
			}
		}
	case OfferorAgreed:
		if d.Outcome() == Declined || d.Outcome() == Refused {
			f.abort(protocol.CodeUpgradeRequired, now)
		}
	}
	return f.state
}

// ReceiveMalformed says that the answer to the offer could not be read as one
// response: it was malformed, held two responses, or came in a form that was not
// asked for.
func (f *Offeror) ReceiveMalformed(now time.Time) OfferorState {
	f.Tick(now)
	if f.state == OfferorOffered {
		f.abort(protocol.CodeMalformedPayload, now)
	}
	return f.state
}

// ReceiveNothing says that the reply to the offer's message held no response (plain
// text, another task, an error, a failed task) or that the exchange was cut off or
// cancelled. code is the extension's error code if the peer gave one, else "". No
// code allows natural language.
func (f *Offeror) ReceiveNothing(code protocol.Code, now time.Time) OfferorState {
	f.Tick(now)
	if f.state == OfferorOffered {
		f.abort(code, now)
	}
	return f.state
}

// Tick says what time it is: a pending offer whose deadline has come is given up.
func (f *Offeror) Tick(now time.Time) OfferorState {
	if f.state == OfferorOffered && !now.Before(f.deadline) {
		f.abort("", now)
	}
	return f.state
}

// Replace says that f, which has offered, takes the place of another exchange about the
// same document, as when the answer to an offer without a context came in the context of
// the other. What was once offered as required there stays required: a new offer cannot be
// optional, and an optional one that was declined ends without agreement.
func (f *Offeror) Replace(old *Offeror, now time.Time) OfferorState {
	if old.required && !f.required {
		f.required = true
		if f.state == OfferorNLAllowed {
			f.abort(protocol.CodeUpgradeRequired, now)
		}
	}
	return f.state
}

// Withdraw drops an agreement: the document was withdrawn here, the peer's
// identity or card changed, or the agreement is too old. Prose stays forbidden until
// a new offer is decided.
func (f *Offeror) Withdraw() OfferorState {
	if f.state == OfferorAgreed {
		f.state, f.decision = OfferorStart, Decision{}
	}
	return f.state
}

func (f *Offeror) abort(cause protocol.Code, now time.Time) {
	f.state, f.decision, f.cause = OfferorAborted, Decision{}, cause
	f.retry = now.Add(RetryInterval)
}
