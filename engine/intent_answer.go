package engine

import (
	"context"
	"errors"

	"github.com/rdfproto/rdfproto/protocol"
)

// errNoIntent is the error of answering what is no accepted intent.
var errNoIntent = errors.New("engine: expected an intent that was accepted")

// ErrAnswered is the error of answering an intent that was answered or refused before:
// duplicates of its message get the first answer, and the sender must not get two
// different ones.
var ErrAnswered = errors.New("engine: the intent was answered before")

// Respond makes the message that answers an intent and keeps it for duplicates. The
// graph is checked against the response shape (a2a-rdf, RSP-1); when it does not
// conform, the error is a [*protocol.Error] of CodeResponseInvalid, nothing is kept, and
// Refuse can be called with it. An intent is answered once, see [ErrAnswered].
//
// With an error there is no message to send, with one exception: a message that was
// made but could not be kept is returned with the error and may be sent. Duplicates are
// then told that the message is in progress.
func (e *Engine) Respond(ctx context.Context, in *Intent, a Answer) (Message, error) {
	if err := in.unanswered(); err != nil {
		return Message{}, err
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
	err = e.answer(ctx, in, answer)
	if errors.Is(err, ErrAnswered) {
		return Message{}, err
	}
	return *m, err
}

// unanswered fails for what cannot be answered, or not any more.
func (in *Intent) unanswered() error {
	switch {
	case in == nil || in.claim == (claim{}):
		return errNoIntent
	case in.answered.Load():
		return ErrAnswered
	}
	return nil
}

// answer keeps the answer to an intent: of several at a time one is the answer. One that
// could not be kept is none, so that a refusal can still be.
func (e *Engine) answer(ctx context.Context, in *Intent, answer []byte) error {
	if !in.answered.CompareAndSwap(false, true) {
		return ErrAnswered
	}
	err := e.settle(ctx, in.claim, answer)
	if err != nil {
		in.answered.Store(false)
	}
	return err
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

// Settle keeps an answer in the caller's own form, for duplicates of the message of an
// intent. It takes the place of Respond when the answer is a task. The answer comes
// back as [Outcome.Stored]. An intent is answered once, see [ErrAnswered].
func (e *Engine) Settle(ctx context.Context, in *Intent, answer []byte) error {
	if err := in.unanswered(); err != nil {
		return err
	}
	return e.answer(ctx, in, append([]byte{storedOwn}, answer...))
}

// Refuse ends an intent that could not be carried out, and keeps the refusal for
// duplicates. The code may be "". When it fails with anything but [ErrAnswered], still
// tell the peer the outcome.
func (e *Engine) Refuse(ctx context.Context, in *Intent, code protocol.Code, reason string) (Outcome, error) {
	if err := in.unanswered(); err != nil {
		return Outcome{}, err
	}
	o := Outcome{Kind: KindRefused, Code: code, Reason: reason, ContextID: in.contextID, Pin: in.Pin()}
	o.Trace = Trace{{Name: stepHand, What: "carrying out", Note: reason}}
	answer, err := storeOutcome(&o)
	if err != nil {
		return o, err
	}
	return o, e.answer(ctx, in, answer)
}
