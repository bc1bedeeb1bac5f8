package engine

import (
	"context"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/protocol"
)

type (
	flight  struct{}
	failure struct{}
	claim   struct{}
)

func newEngine(c Config) (*Engine, error) { return &Engine{config: c}, nil }

// Allow implements Policy.
func (a AllowList) Allow(ctx context.Context, p Proposal, review *protocol.Review) error {
	return malformed("unfinished")
}

// ErrorCode reads the details of an error of JSON-RPC or HTTP+JSON, or the metadata of
// a message or an event, as JSON text: the code under the extension's key, and the
// challenge, where they stand in each detail at the top, under "value" or under
// "metadata" (a2a-rdf, section 8.3). What is no string counts as none.
func ErrorCode(details []byte) (protocol.Code, *Challenge) { return "", nil }

// ParseReply reads what came back for a message as JSON of A2A 1.0: the response of
// SendMessage, a message or a task in it, or the response of JSON-RPC or the body of an
// error of HTTP around it. It fails with a [*protocol.Error].
func ParseReply(data []byte, l Limits) (Reply, error) { return Reply{}, malformed("unfinished") }

// Receive takes a message that arrived as a request to its outcome. An error says that
// something of this side failed, such as its store or ctx; the outcome is then a
// refusal that can be sent.
func (e *Engine) Receive(ctx context.Context, p Peer, m Message) (Outcome, error) {
	return Outcome{}, malformed("unfinished")
}

// ReceiveReply takes what came back for a message of this side to its outcome. sent is
// the message as it was made here. Call it with the zero Reply when nothing came in
// time: an offer is then given up. Errors are those of Receive.
func (e *Engine) ReceiveReply(ctx context.Context, p Peer, sent Message, r Reply) (Outcome, error) {
	return Outcome{}, malformed("unfinished")
}

// Obtain returns the document with a pin that may be spoken: the one that is held, or
// the one at a source after it was fetched, verified, reviewed and allowed by the
// policy. It fails with a [*protocol.Error] whose code is that of a decline.
func (e *Engine) Obtain(ctx context.Context, p Proposal) (*protocol.Reviewed, error) {
	return nil, malformed("unfinished")
}

// Offer makes the message that offers a document, and remembers the offer: no prose is
// made in the exchange until it was decided. It fails when the document is not held, and
// with the errors of [handshake.Offeror.Offer].
func (e *Engine) Offer(ctx context.Context, to To, d OfferDraft) (Message, error) {
	return Message{}, malformed("unfinished")
}

// Intent makes the message of an intent, after the checks that the peer will make
// (steps 3 to 6 of section 7.3). The document must be agreed in the context or declared
// by the peer's admitted card. It fails with a [*protocol.Error].
func (e *Engine) Intent(ctx context.Context, to To, d IntentDraft) (Message, error) {
	return Message{}, malformed("unfinished")
}

// Prose makes a message of natural language. It fails with a [*protocol.Error] of
// CodeUpgradeRequired where an offer that is open or was not declined as an optional
// one, or an agreement, forbids it.
func (e *Engine) Prose(ctx context.Context, to To, text string) (Message, error) {
	return Message{}, malformed("unfinished")
}

// Respond makes the message that answers an intent and keeps it for duplicates. The
// graph is checked against the response shape (a2a-rdf, RSP-1); when it does not
// conform, the error is a [*protocol.Error] of CodeResponseInvalid, nothing is kept, and
// Refuse can be called with it.
func (e *Engine) Respond(ctx context.Context, in *Intent, a Answer) (Message, error) {
	return Message{}, malformed("unfinished")
}

// Settle keeps an answer of the caller's own form for duplicates of the message of an
// intent: instead of Respond, when the answer is a task.
func (e *Engine) Settle(ctx context.Context, in *Intent, answer []byte) error {
	return malformed("unfinished")
}

// Refuse ends an intent that could not be carried out, and keeps the refusal for
// duplicates. The code may be "".
func (e *Engine) Refuse(ctx context.Context, in *Intent, code protocol.Code, reason string) (Outcome, error) {
	return Outcome{}, malformed("unfinished")
}

// Withdraw ends the agreement about a document with a peer in a context: here, not at
// the peer. It reports whether there was one. No prose is made in the context before a
// new offer was decided.
func (e *Engine) Withdraw(ctx context.Context, p Peer, contextID string, pin canon.Digest) (bool, error) {
	return false, malformed("unfinished")
}

// Agreed reports whether a document is agreed with a peer in a context.
func (e *Engine) Agreed(ctx context.Context, p Peer, contextID string, pin canon.Digest) (bool, error) {
	return false, malformed("unfinished")
}
