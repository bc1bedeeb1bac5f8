package vectors

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/replay"
)

// conversationOperations are those of what an agent remembers from message to message.
func conversationOperations() []Operation {
	return []Operation{{"converse", []string{"card", "documents", "now", "informal", "steps"}, converse}}
}

// conversation is one side of an exchange with an authenticated peer.
type conversation struct {
	*engine.Engine
	c    *Case
	peer engine.Peer
	pin  canon.Digest
	url  string
	sent []engine.Message // by the step; the zero Message for one that sent none
}

// converse is section 5 for what happens one after the other. Both this side and its peer
// declare the document of the card. Every step is taken by a process of its own, which
// knows what was kept.
func converse(ctx context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	now, informal, steps := in.now(), in.flag("informal"), in.get("steps")
	if steps.Kind() != strictjson.Array {
		in.fail(steps, "expected an array for steps, found %s", steps.Kind())
	}
	card, documents := in.needed("card"), in.get("documents")
	if err := in.done(); err != nil {
		return nil, err
	}
	data, err := c.Open(card)
	if err != nil {
		return nil, err
	}
	parsed, err := agentcard.Parse(data, agentcard.Limits{})
	if err != nil {
		return nil, err
	}
	report, err := agentcard.Verify(ctx, parsed, agentcard.Keys{}, agentcard.Policy{At: now})
	if err != nil {
		return nil, err
	}
	admitted, code := agentcard.Admit(report, agentcard.DemandIfSigned)
	if code != "" {
		return nil, fmt.Errorf("the card cannot be used: %s", code)
	}
	conv := &conversation{c: c, peer: engine.Peer{
		Principal: "https://peer.example/", Card: "https://peer.example/card", Active: []string{protocol.ExtensionURI}, Accepts: admitted.Documents(),
	}}
	source, err := ReadDocuments(documents, c.Open)
	if err != nil {
		return nil, err
	}
	config := engine.Config{
		Local: "https://own.example/", Store: replay.NewMemory(replay.Limits{}), Random: &counted{}, Clock: now.UTC,
		Authorizer: engine.AuthorizerFunc(func(context.Context, *engine.Question) (engine.Authority, error) {
			return engine.Authority{Permit: true}, nil
		}),
	}
	held := protocol.NewStore(0)
	config.Documents = held
	if n := len(admitted.Documents()); n != 1 {
		return nil, fmt.Errorf("expected a card that declares one document, found %d", n)
	}
	declared := admitted.Documents()[0]
	conv.pin, conv.url = declared.Hash(), declared.Source()
	body, err := source.Document(ctx, conv.url)
	if err != nil {
		return nil, err
	}
	document, err := protocol.Verify(ctx, body.Content, body.MediaType, conv.pin, protocol.Options{})
	if err != nil {
		return nil, err
	}
	reviewed, err := protocol.Examine(document).Accept()
	if err != nil {
		return nil, err
	}
	if err := held.Put(reviewed); err != nil {
		return nil, err
	}
	config.Declared = []engine.Declared{{Pin: conv.pin, Source: conv.url}}
	if informal {
		config.Informal = []canon.Digest{conv.pin}
	}
	out := []Outcome{}
	for _, v := range steps.Items() {
		if conv.Engine, err = engine.New(config); err != nil {
			return nil, err
		}
		step, err := conv.step(ctx, v)
		if err != nil {
			return nil, err
		}
		out = append(out, step)
	}
	return Outcome{Objects("steps", out)}, nil
}

// step is a message that this side wants to send, one that it receives, or the reply to one
// that it sent.
func (v *conversation) step(ctx context.Context, step strictjson.Value) (Outcome, error) {
	in := members(step)
	send, contextID, required := in.text("send"), in.text("contextId"), in.flag("required")
	intent, receive, reply, to := in.text("intent"), in.get("receive"), in.get("reply"), in.get("to")
	if err := in.done(); err != nil {
		return nil, err
	}
	v.sent = append(v.sent, engine.Message{})
	switch {
	case receive.Exists():
		m, err := engine.ParseMessage([]byte(receive.Source()), engine.Limits{})
		if err != nil {
			return nil, err
		}
		o, err := v.Receive(ctx, v.peer, m)
		return became(&o), err
	case reply.Exists():
		n, ok := to.Int64()
		if !ok || n < 0 || n >= int64(len(v.sent)) || v.sent[n].ID == "" {
			return nil, errors.New("expected the number of a step that sent something")
		}
		var r engine.Reply
		if reply.Kind() != strictjson.Null { // nothing came in time
			var err error
			if r, err = engine.ParseReply([]byte(reply.Source()), engine.Limits{}); err != nil {
				return nil, err
			}
		}
		o, err := v.ReceiveReply(ctx, v.peer, v.sent[n], r)
		return became(&o), err
	}
	target := engine.To{Peer: v.peer, ContextID: contextID}
	var m engine.Message
	var err error
	switch send {
	case "prose":
		m, err = v.Prose(ctx, target, "please")
	case "offer":
		m, err = v.Offer(ctx, target, engine.OfferDraft{Pin: v.pin, Source: v.url, Required: required})
	case "intent":
		var body []byte
		if body, err = v.c.Open(intent); err != nil {
			return nil, err
		}
		m, err = v.Intent(ctx, target, engine.IntentDraft{Pin: v.pin, Body: string(body), MediaType: "text/turtle"})
	default:
		return nil, fmt.Errorf("expected receive, reply, or send with prose, offer or intent, found %q", rdf.Abbreviate(send))
	}
	if fault, ok := errors.AsType[*protocol.Error](err); ok {
		return Outcome{Bool("maySend", false), Text("code", string(fault.Code))}, nil
	}
	if err != nil {
		return nil, err
	}
	v.sent[len(v.sent)-1] = m
	return Outcome{Bool("maySend", true)}, nil
}

// became is what a message came to.
func became(o *engine.Outcome) Outcome {
	return Outcome{Text("kind", o.Kind.String())}.some("code", string(o.Code))
}

// counted is a source of different bytes that is the same for everybody: nothing secret is
// made of it.
type counted struct{ n uint64 }

func (c *counted) Read(p []byte) (int, error) {
	for i := range p {
		if i%8 == 0 {
			c.n++
		}
		var b [8]byte
		binary.BigEndian.PutUint64(b[:], c.n*0x9e3779b97f4a7c15)
		p[i] = b[i%8]
	}
	return len(p), nil
}
