package engine

import (
	"context"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
)

// intent is the receiving procedure from step 3 on.
func (x *exchange) intent() {
	e, part := x.e, x.b.intent.part
	pin, err := canon.ParseDigest(x.b.intent.pin)
	if err != nil {
		x.refuse(stepPin, "pin", &protocol.Error{Code: protocol.CodeUnsupportedHash, Reason: err.Error()})
		return
	}
	x.out.Pin = pin
	doc, agreement, fresh, ok := x.governing(pin)
	if !ok {
		return
	}
	if fresh {
		defer x.refusedBeforeUse(agreement)
	}
	verdict, err := doc.Document().ValidateRequest(x.ctx, []byte(part.Text), part.MediaType, e.config.Payload)
	if err != nil {
		x.fail(stepPayload, "payload", err)
		return
	}
	if !x.judged(verdict) {
		return
	}
	in := &Intent{
		graph: verdict.Dataset(), node: verdict.Intent(), body: part.Text, mediaType: part.MediaType,
		document: doc.Document(), agreement: agreement, informal: !agreement.SecurityBearing(), peer: *x.peer, role: x.m.Role,
		messageID: x.m.ID, contextID: x.out.ContextID, taskID: x.m.TaskID, claim: x.claim,
	}
	if !x.authorize(in) {
		return
	}
	if fresh { // handshake-skip: an agreement on first use (section 5.5)
		room, err := e.keep(x.ctx, x.by, agreement, x.now, true)
		if err == nil && !room {
			err = errTooManyAgreements
		}
		if err != nil {
			x.fail(stepHand, "agreement", err)
			return
		}
	}
	x.out.Kind, x.out.Intent = KindIntent, in
	x.pass(stepHand, "handed to the application")
}

// refusedBeforeUse notes that an intent under a declared document was refused before there
// was an agreement: in its scope prose is no way around that, here as little as on the
// side that sent it (DG-4, DG-6).
func (x *exchange) refusedBeforeUse(a handshake.Agreement) {
	if x.out.Kind != KindRefused {
		return
	}
	if err := x.e.begin(context.WithoutCancel(x.ctx), x.by, a.Scope, a.Pin, x.now); err != nil {
		x.log(err)
	}
}

// governing is step 3: the document of a pin that is agreed in the scope or declared on
// the own card, from the local store and nowhere else (BIND-8, BIND-9). fresh says that
// the agreement is to be made.
func (x *exchange) governing(pin canon.Digest) (doc *protocol.Reviewed, a handshake.Agreement, fresh, ok bool) {
	e := x.e
	scope := e.scope(x.peer, x.out.ContextID)
	a, agreed, err := e.agreement(x.ctx, scope, pin, x.now)
	if err != nil {
		x.fail(stepPin, "pin", err)
		return nil, a, false, false
	}
	if doc, ok = e.config.Documents.Get(pin); !ok || doc.Pin() != pin {
		x.refuse(stepPin, "pin", &protocol.Error{Code: protocol.CodeUnsupportedProtocol, Reason: "the protocol document is not held"})
		return nil, a, false, false
	}
	if agreed {
		x.note(stepPin, "pin", "agreed in the scope, by "+a.Origin.String())
		return doc, a, false, true
	}
	d, declared := e.declared[pin]
	if !declared {
		x.refuse(stepPin, "pin", &protocol.Error{Code: protocol.CodeUnsupportedProtocol, Reason: "the protocol document is neither agreed in this context nor declared"})
		return nil, a, false, false
	}
	x.note(stepPin, "pin", "declared on the own card")
	a = handshake.Agreement{
		Scope: scope, Pin: pin, Source: d.Source, Origin: handshake.OriginCard, Made: x.now,
		Expires: x.now.Add(e.config.AgreementLife), Informal: !e.securityBearing(pin),
	}
	return doc, a, true, true
}

// judged is steps 4 to 6, as the document's verdict tells them apart.
func (x *exchange) judged(v *protocol.Verdict) bool {
	x.out.Report = v.Report
	refused := &protocol.Error{Code: v.Code, Reason: v.Reason}
	switch {
	case v.Dataset() == nil:
		x.refuse(stepPayload, "payload", refused)
		return false
	case v.Intent().IsZero():
		step, what := stepOne, "exactly one intent"
		if v.Code == protocol.CodeMalformedPayload {
			step, what = stepPayload, "payload"
		} else {
			x.pass(stepPayload, "payload")
		}
		x.refuse(step, what, refused)
		return false
	}
	x.pass(stepPayload, "payload")
	x.pass(stepOne, "exactly one intent")
	if !v.Valid() {
		x.refuse(stepShape, "request shape", refused)
		return false
	}
	x.out.Report = nil // it says nothing
	x.pass(stepShape, "request shape")
	return true
}
