package engine

import (
	"context"
	"slices"
	"time"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/protocol"
)

// Intent makes the message of an intent, after the checks that the peer will make
// (steps 3 to 6 of section 7.3). The document must be held, and be agreed in the context
// or declared by the peer's admitted card. That it is made is remembered before it is
// sent: where there was no agreement, or it may be over before the answer comes, no prose
// is made in the context from here on, and after an intent without a context none in a
// first message to the peer, until [Engine.ReceiveReply] took the answer to one, or a day
// has passed. It fails with a [*protocol.Error], or with the error of the store; nothing
// may be sent then.
func (e *Engine) Intent(ctx context.Context, to To, d IntentDraft) (Message, error) {
	if to.role() != RoleUser && !e.config.Reverse {
		return Message{}, malformed("expected a user to send an intent")
	}
	if to.unplaced() {
		return Message{}, malformed(unplacedTask)
	}
	doc, ok := e.config.Documents.Get(d.Pin)
	if !ok {
		return Message{}, &protocol.Error{Code: protocol.CodeUnsupportedProtocol, Reason: "the protocol document is not held"}
	}
	now := e.config.Clock()
	scope := e.scope(&to.Peer, to.ContextID)
	a, agreed, err := e.agreement(ctx, scope, d.Pin, now)
	if err != nil {
		return Message{}, err
	}
	declared := slices.IndexFunc(to.Peer.Accepts, func(a agentcard.AcceptedDocument) bool { return a.Hash().Equal(d.Pin) })
	if !agreed && declared < 0 {
		return Message{}, &protocol.Error{Code: protocol.CodeUnsupportedProtocol, Reason: "the protocol document is neither agreed in this context nor declared by the peer's card"}
	}
	body, mediaType, err := e.payload(&to.Peer, d.Graph == nil, func(f string) (string, error) { return write(d.Graph, f) }, d.Body, d.MediaType)
	if err != nil {
		return Message{}, err
	}
	v, err := doc.Document().ValidateRequest(ctx, []byte(body), mediaType, e.config.Payload)
	if err != nil {
		return Message{}, err
	}
	if !v.Valid() {
		return Message{}, invalid(v.Code, v)
	}
	parts := []Part{payloadPart(e.keys, protocol.RoleIntent, d.Pin.String(), body, mediaType)}
	if d.Presentation != nil {
		if int64(len(d.Presentation)) > e.config.Limits.Authorization {
			return Message{}, overBytes("a presentation", e.config.Limits.Authorization)
		}
		parts = append(parts, Part{Content: Data, Data: d.Presentation, MediaType: "application/vp", Metadata: partMetadata(e.keys, protocol.RoleAuthorization, "")})
	}
	if d.Comment != "" {
		parts = append(parts, Part{Content: Text, Text: d.Comment})
	}
	m, err := e.newMessage(to.role(), to.ContextID, to.TaskID, protocol.ExtensionURI, nil, parts...)
	if err != nil {
		return Message{}, err
	}
	ends := a.Expires
	if !agreed && to.ContextID != "" { // otherwise it is made when the answer names a context
		if err := e.byCard(ctx, nobody(), scope, d.Pin, to.Peer.Accepts[declared].Source(), now); err != nil {
			return Message{}, err
		}
		ends = now.Add(e.config.AgreementLife)
	}
	if ends.Sub(now) <= answerTime {
		if err := e.begin(ctx, nobody(), scope, d.Pin, now); err != nil {
			return Message{}, err
		}
	}
	return *m, nil
}

// answerTime is longer than anybody waits for the answer to an intent. An agreement that
// ends sooner may not forbid prose any more when the answer comes.
const answerTime = time.Hour

// payload returns what is to be sent of a graph or of bytes.
func (e *Engine) payload(p *Peer, given bool, write func(string) (string, error), body, mediaType string) (string, string, error) {
	if given || body != "" {
		if len(p.Formats) > 0 && !oneOf(mediaType, p.Formats...) {
			return "", "", unsupported("expected a format that the peer reads, found " + quoted(mediaType))
		}
		return body, mediaType, nil
	}
	f, err := format(p)
	if err != nil {
		return "", "", err
	}
	body, err = write(f)
	return body, f, err
}
