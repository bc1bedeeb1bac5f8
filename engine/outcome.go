package engine

import (
	"strconv"
	"sync/atomic"
	"time"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/shacl"
)

// Kind says what a message came to.
type Kind uint8

// The kinds. The first five come from [Engine.Receive]. All may come from
// [Engine.ReceiveReply], where KindRefused is a verdict on what the peer sent back and
// is not told to the peer.
const (
	KindRefused   Kind = iota // only fail the request with Code
	KindReply                 // send Message: the answer to an offer, or an offer in answer to prose
	KindIntent                // carry Intent out, then call Respond, Settle or Refuse
	KindDuplicate             // the message was seen and is not executed: send Message or give Stored, or say that it is in progress
	KindProse                 // not for the engine: ordinary content, which may be read as such
	KindAgreed                // the peer accepted the offer: intents may be sent. In answer to a request, send Message
	KindDeclined              // the peer declined an optional offer: prose may be sent in this exchange. In answer to a request, send Message
	KindAborted               // the exchange about an offer ended without agreement: surface it, send no prose
	KindResponse              // the answer to an intent: Response
	KindFailed                // the peer refused or failed: Code, as far as it told one
	KindWaiting               // the peer's task goes on: nothing is decided
)

// String returns the kind in one word.
func (k Kind) String() string {
	return [...]string{"refused", "reply", "intent", "duplicate", "prose", "agreed", "declined", "aborted", "response", "failed", "waiting"}[min(k, KindWaiting)]
}

// Outcome is what a message came to. The zero Outcome refuses.
type Outcome struct {
	Kind Kind

	// Code says why not: the code of a refusal, of a declining reply, or of the peer's
	// failure. A refusal without a code has "".
	Code protocol.Code
	// Reason explains it in words, for this side only. It may quote the peer.
	Reason string
	// Rate reports a refusal because of a limit on rate, see [protocol.TooMany].
	Rate bool
	// Report is the validation report of a graph that does not conform.
	Report *shacl.Report

	// ContextID is the context of the exchange: that of the message, or the one that
	// was made for it.
	ContextID string
	// Pin is the pin that the message is about, the zero Digest for none.
	Pin canon.Digest

	// Message is what to send back, as its kind says; nil for nothing.
	Message *Message
	// Challenge must go along with a refusal, under [protocol.KeyChallenge]; a Message has
	// it already. For a reply it is the challenge that the peer issued. nil for none.
	Challenge *Challenge

	Intent   *Intent   // of KindIntent
	Response *Response // of KindResponse

	// Stored is the answer that [Engine.Settle] kept, of KindDuplicate; nil while the
	// message is in progress.
	Stored []byte
	// Seen reports that the message was seen before, so that this is the first answer
	// again.
	Seen bool

	// Agreement is the agreement that the exchange made: for KindAgreed, and for a reply
	// that accepts.
	Agreement *handshake.Agreement

	// Trace are the steps that led here.
	Trace Trace
}

// Status returns how the bindings of A2A carry a refusal (a2a-rdf, section 8.2).
func (o *Outcome) Status() protocol.Status {
	if o.Rate {
		return protocol.TooMany()
	}
	s, ok := o.Code.Status()
	if !ok {
		s, _ = protocol.CodeUnsupportedProtocol.Status()
	}
	return s
}

// Challenge is what a presentation must be bound to (a2a-rdf, section 6.2). It can be
// used once, in one context and by one peer. One that a peer issued says a Domain of the
// peer's choice: see that it is the peer's own before you present anything, or the peer can
// pass a challenge of another agent on, and your presentation to that.
type Challenge struct {
	Challenge string
	Domain    string
	Expires   time.Time
}

// Intent is an accepted intent: only [Engine.Receive] makes one, and only for an
// outcome of KindIntent. What it says never changes; it is answered once. It is safe
// for concurrent use and must not be copied. The zero Intent has no sender, asks for
// nothing, and cannot be answered.
type Intent struct {
	graph     *rdf.Dataset
	node      rdf.Term
	body      string
	mediaType string
	document  *protocol.Document
	authority Authority
	agreement handshake.Agreement
	informal  bool // the zero Intent is security-bearing
	peer      Peer
	role      Role
	messageID string
	contextID string
	taskID    string
	claim     claim
	answered  atomic.Bool
}

// Graph returns the graph of the intent.
func (in *Intent) Graph() *rdf.Dataset { return in.graph }

// Node returns the node of the graph that is the intent.
func (in *Intent) Node() rdf.Term { return in.node }

// Body returns the bytes that the graph was read from, and their media type.
func (in *Intent) Body() (body, mediaType string) { return in.body, in.mediaType }

// Project reads an intent of one of the stock verbs, and fails for others: the graph
// stays usable (a2a-rdf, INT-6).
func (in *Intent) Project() (protocol.Intent, error) { return protocol.Project(in.graph, in.node) }

// Document returns the document that the intent was validated against.
func (in *Intent) Document() *protocol.Document { return in.document }

// Pin returns the document's pin.
func (in *Intent) Pin() canon.Digest { return in.document.Pin() }

// Authority returns what the authorizer said.
func (in *Intent) Authority() Authority { return in.authority }

// Agreement returns the agreement that the intent is under.
func (in *Intent) Agreement() handshake.Agreement { return in.agreement }

// SecurityBearing reports whether this side judges the exchange to be
// security-bearing.
func (in *Intent) SecurityBearing() bool { return !in.informal }

// Peer returns who sent it.
func (in *Intent) Peer() Peer { return in.peer }

// MessageID, ContextID and TaskID return where the intent came from. The context is
// that of the message, or the one that was made for it.
func (in *Intent) MessageID() string { return in.messageID }

// ContextID returns the context of the exchange, see MessageID.
func (in *Intent) ContextID() string { return in.contextID }

// TaskID returns the task that the message names, "" for none.
func (in *Intent) TaskID() string { return in.taskID }

// Response is what came back for an intent.
type Response struct {
	// Graph is the graph of the response, nil for a text.
	Graph *rdf.Dataset
	// Body are the bytes that it was read from, with their media type.
	Body, MediaType string
	// Validated reports that the graph conforms to the document's response shape. A
	// document without one says nothing about responses (a2a-rdf, RSP-3).
	Validated bool
	// Document is the document of the intent.
	Document *protocol.Document
	// Texts are the untagged texts that came with the graph, or in its place where the
	// document does not ask for one. They are for people (BIND-4).
	Texts []string
}

// AppendJSON appends the outcome as one JSON object for a record of what was decided:
// members in a fixed order, those that do not apply left out. It contains no payload
// and no challenge.
func (o *Outcome) AppendJSON(dst []byte) []byte {
	dst = appendString(append(dst, `{"version":1,"outcome":`...), o.Kind.String())
	dst = appendMember(dst, "code", string(o.Code))
	dst = appendMember(dst, "reason", o.Reason)
	dst = appendMember(dst, "contextId", o.ContextID)
	if !o.Pin.IsZero() {
		dst = appendMember(dst, "protocolHash", o.Pin.String())
	}
	if o.Seen {
		dst = append(dst, `,"seen":true`...)
	}
	if in := o.Intent; in != nil {
		dst = appendMember(dst, "messageId", in.messageID)
		dst = appendMember(dst, "peer", in.peer.Principal)
		dst = append(dst, `,"securityBearing":`...)
		dst = strconv.AppendBool(dst, !in.informal)
	}
	if a := o.Agreement; a != nil {
		dst = appendMember(dst, "agreementUntil", timeText(a.Expires))
	}
	dst = append(dst, `,"trace":`...)
	dst = o.Trace.AppendJSON(dst)
	return append(dst, '}')
}
