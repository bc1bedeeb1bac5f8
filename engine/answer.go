package engine

import (
	"context"
	"errors"

	"github.com/rdfproto/rdfproto/protocol"
)

// errNoIntent is the error of answering what is no accepted intent.
var errNoIntent = errors.New("engine: expected an intent that was accepted")

// Respond makes the message that answers an intent and keeps it for duplicates. The
// graph is checked against the response shape (a2a-rdf, RSP-1); when it does not
// conform, the error is a [*protocol.Error] of CodeResponseInvalid, nothing is kept, and
// Refuse can be called with it.
func (e *Engine) Respond(ctx context.Context, in *Intent, a Answer) (Message, error) {
	if in == nil || in.claim == (claim{}) {
		return Message{}, errNoIntent
	}
	_, shaped := in.document.ResponseShape()
	var parts []Part
	uri := ""
	switch {
	case a.Graph != nil || a.Body != "":
		body, mediaType, err := e.payload(&in.peer, false, func(f string) (string, error) { return write(a.Graph, f) }, a.Body, a.MediaType)
		if err != nil {
			return Message{}, err
		}
		if err := e.checkResponse(ctx, in.document, body, mediaType); err != nil {
			return Message{}, err
		}
		uri = protocol.ExtensionURI
		parts = append(parts, payloadPart(e.keys, protocol.RoleResponse, in.Pin().String(), body, mediaType))
	case shaped:
		return Message{}, &protocol.Error{Code: protocol.CodeResponseInvalid, Reason: "expected a response graph: the protocol document has a response shape"}
	}
	if a.Text != "" {
		parts = append(parts, Part{Content: Text, Text: a.Text})
	}
	if len(parts) == 0 {
		return Message{}, &protocol.Error{Code: protocol.CodeResponseInvalid, Reason: "expected a graph or a text"}
	}
	task := a.TaskID
	if task == "" {
		task = in.taskID
	}
	m, err := e.newMessage(opposite(in.role), in.contextID, task, uri, nil, parts...)
	if err != nil {
		return Message{}, err
	}
	answer, err := storeOutcome(&Outcome{Kind: KindDuplicate, ContextID: in.contextID, Message: m})
	if err != nil {
		return Message{}, err
	}
	return *m, e.settle(ctx, in.claim, answer)
}

// checkResponse checks a response graph of one's own. One that no shape judges must be
// readable all the same.
func (e *Engine) checkResponse(ctx context.Context, d *protocol.Document, body, mediaType string) error {
	if _, shaped := d.ResponseShape(); !shaped {
		if _, err := protocol.ReadPayload([]byte(body), mediaType, e.config.Payload); err != nil {
			return &protocol.Error{Code: protocol.CodeResponseInvalid, Err: err}
		}
		return nil
	}
	v, err := d.ValidateResponse(ctx, []byte(body), mediaType, e.config.Payload)
	switch {
	case err != nil:
		return err
	case !v.Valid():
		return invalid(protocol.CodeResponseInvalid, v)
	}
	return nil
}

// Settle keeps an answer of the caller's own form for duplicates of the message of an
// intent: instead of Respond, when the answer is a task. It comes back as
// [Outcome.Stored]. A message is settled once.
func (e *Engine) Settle(ctx context.Context, in *Intent, answer []byte) error {
	if in == nil || in.claim == (claim{}) {
		return errNoIntent
	}
	return e.settle(ctx, in.claim, append([]byte{storedOwn}, answer...))
}

// Refuse ends an intent that could not be carried out, and keeps the refusal for
// duplicates. The code may be "".
func (e *Engine) Refuse(ctx context.Context, in *Intent, code protocol.Code, reason string) (Outcome, error) {
	if in == nil || in.claim == (claim{}) {
		return Outcome{}, errNoIntent
	}
	o := Outcome{Kind: KindRefused, Code: code, Reason: reason, ContextID: in.contextID, Pin: in.Pin()}
	o.Trace = Trace{{Name: stepHand, What: "carrying out", Note: reason}}
	answer, err := storeOutcome(&o)
	if err != nil {
		return o, err
	}
	return o, e.settle(ctx, in.claim, answer)
}
