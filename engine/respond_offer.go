package engine

import (
	"errors"

	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
)

// offered answers an offer (a2a-rdf, section 5.4), in the context that the answer will
// have.
func (x *exchange) offered(o handshake.Offer, contextID string) {
	e := x.e
	x.out.Pin = o.Hash
	scope := e.scope(x.peer, contextID)
	act, err := x.decideOffer(o, scope)
	if err != nil {
		x.fail(stepOffer, "offer", err)
		return
	}
	if act.Response == nil {
		x.refuse(stepOffer, "offer", &protocol.Error{Code: act.Code, Reason: "the offer cannot be answered"})
		return
	}
	x.reply(*act.Response, act.Code, contextID)
}

// decideOffer evaluates an offer and keeps the agreement that it makes. The machine of
// package handshake decides; messages that came before were told apart by the store.
func (x *exchange) decideOffer(o handshake.Offer, scope handshake.Scope) (handshake.Action, error) {
	e := x.e
	if !scope.Valid() {
		return handshake.Action{Code: protocol.CodeMalformedPayload}, nil
	}
	a, agreed, err := e.agreement(x.ctx, scope, o.Hash, x.now)
	if err != nil {
		return handshake.Action{}, err
	}
	if agreed {
		if o.Required && !a.Required { // a peer raises it, never lowers it
			a.Required = true
			if err := e.agreements.Save(x.ctx, a, x.now); err != nil {
				return handshake.Action{}, err
			}
		}
		x.out.Agreement = &a
		x.note(stepOffer, "offer", "agreed already")
		return handshake.Action{Response: &handshake.Response{Hash: o.Hash, Accept: true}}, nil
	}
	var machine handshake.Responder
	if act := machine.Receive(o, x.m.ID, 0); !act.Evaluate {
		return act, nil
	}
	doc, err := e.Obtain(x.ctx, Proposal{Peer: *x.peer, Pin: o.Hash, Source: o.Source})
	code, why := protocol.Code(""), ""
	if err != nil {
		doc, why = nil, err.Error()
		if p, ok := errors.AsType[*protocol.Error](err); ok {
			code = p.Code
		}
	}
	act := x.evaluated(&machine, o, doc, code)
	if doc == nil {
		x.out.Reason = why
		x.note(stepOffer, "offer", "declined: "+why)
		return act, nil
	}
	made, ok := machine.Agreement(scope, o.Hash, x.now)
	if !ok {
		return handshake.Action{}, errors.New("engine: an accepted offer made no agreement")
	}
	room, err := e.keep(x.ctx, made, x.now)
	if err != nil {
		return handshake.Action{}, err
	}
	if !room {
		x.out.Reason = "too many agreements in one scope"
		x.note(stepOffer, "offer", "declined: "+x.out.Reason)
		return x.evaluated(new(handshake.Responder), o, nil, protocol.CodeLimitExceeded), nil
	}
	x.out.Agreement = &made
	x.note(stepOffer, "offer", "accepted")
	return act, nil
}

// evaluated tells the machine what came of an evaluation. What the peer is told are the
// words of the code: the reason may name hosts.
func (x *exchange) evaluated(machine *handshake.Responder, o handshake.Offer, doc *protocol.Reviewed, code protocol.Code) handshake.Action {
	if machine.State(o.Hash) != handshake.ResponderEvaluating {
		machine.Receive(o, x.m.ID, 0)
	}
	answers := machine.Evaluated(o.Hash, doc, code, text(code))
	return answers[0].Action
}

// reply makes the message with a response to an offer, in the form of the offer.
func (x *exchange) reply(r handshake.Response, code protocol.Code, contextID string) {
	e := x.e
	var c *Challenge
	var err error
	if r.Accept {
		if c, err = e.issue(x.ctx, x.peer, contextID, x.now); err != nil {
			x.fail(stepOffer, "challenge", err)
			return
		}
	}
	part, err := handshakePart(r, x.b.keys, x.b.handshake.part.Content == Text, x.b.handshake.part.MediaType)
	if err != nil {
		x.fail(stepOffer, "reply", err)
		return
	}
	m, err := e.newMessage(opposite(x.m.Role), contextID, x.replyTask(), x.b.uri, appendMetadata(x.b.keys, code, c), part)
	if err != nil {
		x.fail(stepOffer, "reply", err)
		return
	}
	x.out.Kind, x.out.Code, x.out.Message, x.out.ContextID = KindReply, code, m, contextID
}

// replyTask is the task that a reply belongs to.
func (x *exchange) replyTask() string { return x.m.TaskID }

func opposite(r Role) Role {
	if r == RoleUser {
		return RoleAgent
	}
	return RoleUser
}

// handshakePart makes the part of an offer or a response.
func handshakePart(m handshake.Message, keys protocol.Keys, graph bool, mediaType string) (Part, error) {
	role := protocol.RoleUpgradeOffer
	if _, ok := m.(handshake.Response); ok {
		role = protocol.RoleUpgradeResponse
	}
	p := Part{Metadata: partMetadata(keys, role, "")}
	if !graph {
		data, err := m.AppendJSON(nil)
		p.Content, p.Data, p.MediaType = Data, data, "application/json"
		return p, err
	}
	g, err := m.Graph()
	if err != nil {
		return p, err
	}
	p.Content, p.MediaType = Text, rdfio.Turtle.MediaType()
	if s, ok := rdfio.ByMediaType(mediaType); ok {
		p.MediaType = s.MediaType()
	}
	p.Text, err = write(g, p.MediaType)
	return p, err
}

// newMessage makes a message of this side. It lists the extension where it carries
// something of it.
func (e *Engine) newMessage(r Role, contextID, taskID, uri string, metadata []byte, parts ...Part) (*Message, error) {
	id, err := e.newID()
	if err != nil {
		return nil, err
	}
	m := &Message{ID: id, ContextID: contextID, TaskID: taskID, Role: r, Metadata: metadata, Parts: parts}
	if uri != "" {
		m.Extensions = []string{uri}
	}
	return m, nil
}

// partMetadata makes the metadata of a payload.
func partMetadata(keys protocol.Keys, role protocol.Role, pin string) []byte {
	dst := append(appendString([]byte{'{'}, keys.Kind), ':')
	dst = appendString(dst, string(role))
	if pin != "" {
		dst = append(appendString(append(dst, ','), keys.ProtocolHash), ':')
		dst = appendString(dst, pin)
	}
	return append(dst, '}')
}

// appendMetadata makes the metadata of a message, nil for none.
func appendMetadata(keys protocol.Keys, code protocol.Code, c *Challenge) []byte {
	var dst []byte
	member := func(key string) {
		if dst == nil {
			dst = []byte{'{'}
		} else {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, key), ':')
	}
	if code != "" {
		member(keys.Error)
		dst = appendString(dst, string(code))
	}
	if c != nil {
		member(keys.Challenge)
		dst = c.append(dst)
	}
	if dst != nil {
		dst = append(dst, '}')
	}
	return dst
}

// Metadata returns the metadata that a refusal travels with, on a failed task's message
// or as a detail of an error (a2a-rdf, section 8.3): an object with the code, and the
// challenge if there is one; nil for neither.
func (o *Outcome) Metadata() []byte {
	keys, _ := protocol.KeysOf(protocol.ExtensionURI)
	return appendMetadata(keys, o.Code, o.Challenge)
}
