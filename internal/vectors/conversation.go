package vectors

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/replay"
)

// conversationOperations are those of what an agent remembers from message to message.
func conversationOperations() []Operation {
	return []Operation{{"converse", []string{
		"card", "document", "unheld", "documents", "now", "informal", "acrossContexts", "offersInReply", "steps",
	}, converse}}
}

// conversation is one side of an exchange with authenticated peers.
type conversation struct {
	*engine.Engine
	c        *Case
	accepts  []agentcard.AcceptedDocument
	pin      canon.Digest
	url      string
	at       time.Time
	sent     []engine.Message // by the step; the zero Message for one that sent none
	received []*engine.Intent // by the step; nil for one that received none
}

// converse is section 5 for what happens one after the other. Both this side and its peer
// declare the document of the card, or nobody declares the document and this side accepts
// it. Every step is taken by a process of its own, which knows what was kept.
func converse(ctx context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	v := &conversation{c: c, at: in.now()}
	informal, across, offers, unheld, steps := in.flag("informal"), in.flag("acrossContexts"), in.flag("offersInReply"), in.flag("unheld"), in.get("steps")
	if steps.Kind() != strictjson.Array {
		in.fail(steps, "expected an array for steps, found %s", steps.Kind())
	}
	card, document, documents := in.text("card"), in.get("document"), in.get("documents")
	if err := in.done(); err != nil {
		return nil, err
	}
	source, err := ReadDocuments(documents, c.Open)
	if err != nil {
		return nil, err
	}
	held := protocol.NewStore(0)
	config := engine.Config{
		Local: "https://own.example/", Store: replay.NewMemory(replay.Limits{}), Random: &counted{}, Clock: func() time.Time { return v.at.UTC() },
		Documents: held, Source: fetched{source}, AcrossContexts: across,
		Authorizer: engine.AuthorizerFunc(func(context.Context, *engine.Question) (engine.Authority, error) {
			return engine.Authority{Permit: true}, nil
		}),
	}
	switch {
	case (card != "") == document.Exists():
		return nil, errors.New("expected a card or a document")
	case document.Exists():
		if err := v.undeclared(document); err != nil {
			return nil, err
		}
		config.Policy = engine.AllowList{Pins: []canon.Digest{v.pin}}
	default:
		if err := v.declared(ctx, card); err != nil {
			return nil, err
		}
		config.Declared = []engine.Declared{{Pin: v.pin, Source: v.url}}
	}
	if !unheld {
		if err := hold(ctx, held, source, v.url, v.pin); err != nil {
			return nil, err
		}
	}
	if informal {
		config.Informal = []canon.Digest{v.pin}
	}
	if offers {
		config.OfferInReply = true
		config.Routine = func(context.Context, engine.Peer, *engine.Message) (canon.Digest, bool) { return v.pin, true }
	}
	out := []Outcome{}
	for _, s := range steps.Items() {
		if v.Engine, err = engine.New(config); err != nil {
			return nil, err
		}
		step, err := v.step(ctx, s)
		if err != nil {
			return nil, err
		}
		out = append(out, step)
	}
	return Outcome{Objects("steps", out)}, nil
}

// declared takes the one document of the card of both sides.
func (v *conversation) declared(ctx context.Context, card string) error {
	data, err := v.c.Open(card)
	if err != nil {
		return err
	}
	parsed, err := agentcard.Parse(data, agentcard.Limits{})
	if err != nil {
		return err
	}
	report, err := agentcard.Verify(ctx, parsed, agentcard.Keys{}, agentcard.Policy{At: v.at})
	if err != nil {
		return err
	}
	admitted, code := agentcard.Admit(report, agentcard.DemandIfSigned)
	if code != "" {
		return fmt.Errorf("the card cannot be used: %s", code)
	}
	v.accepts = admitted.Documents()
	if n := len(v.accepts); n != 1 {
		return fmt.Errorf("expected a card that declares one document, found %d", n)
	}
	v.pin, v.url = v.accepts[0].Hash(), v.accepts[0].Source()
	return nil
}

// undeclared takes a document that no card declares.
func (v *conversation) undeclared(document strictjson.Value) error {
	in := members(document)
	hash := in.needed("hash")
	v.url = in.needed("source")
	if err := in.done(); err != nil {
		return err
	}
	var err error
	v.pin, err = canon.ParseDigest(hash)
	return err
}

// hold reads the document that this side has from the beginning.
func hold(ctx context.Context, held *protocol.Store, source *Documents, url string, pin canon.Digest) error {
	body, err := source.Document(ctx, url)
	if err != nil {
		return err
	}
	document, err := protocol.Verify(ctx, body.Content, body.MediaType, pin, protocol.Options{})
	if err != nil {
		return err
	}
	reviewed, err := protocol.Examine(document).Accept()
	if err != nil {
		return err
	}
	return held.Put(reviewed)
}

// fetched is where a document is got from that is offered.
type fetched struct{ *Documents }

// Fetch implements [engine.Source].
func (f fetched) Fetch(ctx context.Context, url string) (body []byte, mediaType string, err error) {
	d, err := f.Document(ctx, url)
	return d.Content, d.MediaType, err
}

// peer is whom a step is about: the same one unless it names another, or says that nobody
// is authenticated.
func (v *conversation) peer(in *object) engine.Peer {
	p := engine.Peer{Principal: "https://peer.example/", Card: "https://peer.example/card", Active: []string{protocol.ExtensionURI}, Accepts: v.accepts}
	if name := in.text("peer"); name != "" {
		p.Principal, p.Card = name, name
	}
	if in.flag("anonymous") {
		p.Principal = ""
	}
	if in.get("activates").Exists() {
		p.Active = in.texts("activates")
	}
	return p
}

// step is a message that this side wants to send, one that it receives, the reply to one
// that it sent, its answer to an intent, or that it withdraws from what is agreed.
func (v *conversation) step(ctx context.Context, step strictjson.Value) (Outcome, error) {
	in := members(step)
	if now := in.now(); !now.IsZero() {
		v.at = now
	}
	target := engine.To{Peer: v.peer(in), ContextID: in.text("contextId"), TaskID: in.text("taskId")}
	send, intent, required := in.text("send"), in.text("intent"), in.flag("required")
	receive, reply, to, respond, withdraw := in.get("receive"), in.get("reply"), in.get("to"), in.get("respond"), in.flag("withdraw")
	if err := in.done(); err != nil {
		return nil, err
	}
	v.sent, v.received = append(v.sent, engine.Message{}), append(v.received, nil)
	switch {
	case withdraw:
		was, err := v.Withdraw(ctx, target.Peer, target.ContextID, v.pin)
		return Outcome{Bool("withdrawn", was)}, err
	case receive.Exists():
		m, err := engine.ParseMessage([]byte(receive.Source()), engine.Limits{})
		if err != nil {
			return refusal("kind", err)
		}
		o, err := v.Receive(ctx, target.Peer, m)
		v.received[len(v.received)-1] = o.Intent
		return v.became(&o), err
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
		o, err := v.ReceiveReply(ctx, target.Peer, v.sent[n], r)
		return v.became(&o), err
	case respond.Exists():
		n, ok := to.Int64()
		if !ok || n < 0 || n >= int64(len(v.received)) || v.received[n] == nil {
			return nil, errors.New("expected the number of a step that received an intent")
		}
		return v.answer(ctx, v.received[n], respond)
	}
	return v.send(ctx, target, send, intent, required)
}

// send makes a message of this side, if it may be sent.
func (v *conversation) send(ctx context.Context, target engine.To, what, intent string, required bool) (Outcome, error) {
	var m engine.Message
	var err error
	switch what {
	case "prose":
		m, err = v.Prose(ctx, target, "please")
	case "offer":
		m, err = v.Offer(ctx, target, engine.OfferDraft{Pin: v.pin, Source: v.url, Required: required})
		for _, state := range []error{handshake.ErrPending, handshake.ErrAgreed, handshake.ErrRequired, handshake.ErrNotReviewed} {
			if errors.Is(err, state) { // nothing of the peer's
				return Outcome{Bool("maySend", false)}, nil
			}
		}
	case "intent":
		var body []byte
		if body, err = v.c.Open(intent); err != nil {
			return nil, err
		}
		m, err = v.Intent(ctx, target, engine.IntentDraft{Pin: v.pin, Body: string(body), MediaType: "text/turtle"})
	default:
		return nil, fmt.Errorf("expected receive, reply, respond, withdraw, or send with prose, offer or intent, found %q", rdf.Abbreviate(what))
	}
	return v.made(&m, err)
}

// answer is the answer of this side to an intent: a file of RDF, or null for a text.
func (v *conversation) answer(ctx context.Context, intent *engine.Intent, respond strictjson.Value) (Outcome, error) {
	a := engine.Answer{Text: "done"}
	if name, ok := respond.Str(); ok {
		body, err := v.c.Open(name)
		if err != nil {
			return nil, err
		}
		a = engine.Answer{Body: string(body), MediaType: "text/turtle"}
	} else if respond.Kind() != strictjson.Null {
		return nil, fmt.Errorf("expected the name of a file or null for respond, found %s", respond.Kind())
	}
	m, err := v.Respond(ctx, intent, a)
	return v.made(&m, err)
}

// made is a message that may be sent, or the code of why not.
func (v *conversation) made(m *engine.Message, err error) (Outcome, error) {
	if fault, ok := errors.AsType[*protocol.Error](err); ok {
		return Outcome{Bool("maySend", false), Text("code", string(fault.Code))}, nil
	}
	if err != nil {
		return nil, err
	}
	v.sent[len(v.sent)-1] = *m
	return Outcome{Bool("maySend", true)}, nil
}

// refusal is a message that cannot be read.
func refusal(name string, err error) (Outcome, error) {
	fault, ok := errors.AsType[*protocol.Error](err)
	if !ok {
		return nil, err
	}
	return Outcome{Text(name, engine.KindRefused.String()), Text("code", string(fault.Code))}, nil
}

// became is what a message came to, and what goes back in the handshake.
func (v *conversation) became(o *engine.Outcome) Outcome {
	out := Outcome{Text("kind", o.Kind.String())}.some("code", string(o.Code))
	if o.Message == nil || o.Kind != engine.KindReply && o.Kind != engine.KindDuplicate {
		return out
	}
	v.sent[len(v.sent)-1] = *o.Message
	for _, p := range o.Message.Parts {
		m, err := handshakePart(&p)
		if err != nil {
			continue
		}
		switch m := m.(type) {
		case handshake.Offer:
			out = append(out, Text("sends", map[bool]string{true: "required-offer", false: "offer"}[m.Required]))
		case handshake.Response:
			out = append(out, Text("sends", map[bool]string{true: "accept", false: "decline"}[m.Accept]))
		}
	}
	return out
}

// handshakePart reads an offer or a response in either form.
func handshakePart(p *engine.Part) (handshake.Message, error) {
	if p.Content == engine.Text {
		return handshake.ParseText([]byte(p.Text), p.MediaType, handshake.Options{})
	}
	return handshake.Parse(p.Data, handshake.Options{})
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
