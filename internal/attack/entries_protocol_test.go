package attack_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

const turtleType = "text/turtle"

func protocolEntries(w *world) []entry {
	pin := w.reviewed.Pin()
	document := []form{inTurtle, aShape}
	var sent atomic.Int64 // messages that the engine saw
	return []entry{
		{
			name: "a protocol document by its pin", covers: []string{"protocol.Verify"}, valid: one(w.document), forms: document, signed: true,
			run: func(ctx context.Context, data []byte) (outcome, error) {
				d, err := protocol.Verify(ctx, data, turtleType, pin, protocol.Options{})
				if err != nil {
					return check(err)
				}
				content, err := quads(ctx, d.Dataset())
				return checked(content, err)
			},
		},
		{
			name: "a protocol document, reviewed", covers: []string{"protocol.Parse"}, valid: one(w.document), forms: document,
			run: func(ctx context.Context, data []byte) (outcome, error) {
				c, err := protocol.Parse(ctx, data, turtleType, protocol.Options{File: "x"})
				if err != nil {
					return check(err)
				}
				d, err := c.Verify(c.Pin())
				if err != nil {
					return check(err)
				}
				review := protocol.Examine(d)
				review.Explain()
				if _, err := review.Accept(); err != nil {
					return plain("", err)
				}
				_, err = protocol.Compare(w.reviewed.Document(), d)
				if err == nil {
					_, err = d.ValidateRequest(ctx, w.intent, turtleType, protocol.Options{})
				}
				return check(err)
			},
		},
		{
			name: "a protocol document in JSON-LD", covers: []string{"protocol.Parse"}, valid: nil, forms: []form{inJSONLD},
			run: func(ctx context.Context, data []byte) (outcome, error) {
				_, err := protocol.Parse(ctx, data, "application/ld+json", protocol.Options{})
				return check(err)
			},
		},
		{
			name: "an intent", covers: []string{"protocol.Document.ValidateRequest", "protocol.Document.ValidateResponse", "protocol.ReadPayload"},
			valid: one(w.intent), forms: []form{inTurtle},
			run: func(ctx context.Context, data []byte) (outcome, error) {
				if g, err := protocol.ReadPayload(data, turtleType, protocol.Options{}); err == nil {
					if node, n := protocol.Intents(g); n == 1 {
						if _, err := protocol.Project(g, node); err != nil && err.Error() == "" {
							return outcome{}, errors.New("an empty error")
						}
						if _, err := protocol.Policies(g, node); err != nil && err.Error() == "" {
							return outcome{}, errors.New("an empty error")
						}
					}
				}
				if v, err := w.reviewed.Document().ValidateResponse(ctx, data, turtleType, protocol.Options{}); err == nil && v.Valid() {
					return outcome{}, errors.New("a response to a document that has none")
				}
				v, err := w.reviewed.Document().ValidateRequest(ctx, data, turtleType, protocol.Options{})
				if err != nil {
					return check(err)
				}
				if !v.Valid() {
					return refused(protocol.CodeIntentInvalid), nil
				}
				return accepted(""), nil
			},
		},
		{
			name: "a handshake in JSON", covers: []string{"handshake.Parse", "handshake.ParseOffer", "handshake.ParseResponse"},
			valid: one(w.offer, w.response), forms: []form{inJSON},
			run: func(_ context.Context, data []byte) (outcome, error) {
				m, err := handshake.Parse(data, handshake.Options{})
				if err != nil {
					return check(err)
				}
				again, err := m.AppendJSON(nil)
				if err != nil {
					return outcome{}, err
				}
				same, err := handshake.Parse(again, handshake.Options{})
				if err != nil || same.Pin() != m.Pin() {
					return outcome{}, fmt.Errorf("written and read again it is another: %w", err)
				}
				return accepted(""), nil
			},
		},
		{
			name: "a handshake in RDF", covers: []string{"handshake.ParseText"}, valid: one(w.offerRDF), forms: []form{inTurtle},
			run: func(_ context.Context, data []byte) (outcome, error) {
				_, err := handshake.ParseText(data, turtleType, handshake.Options{})
				return check(err)
			},
		},
		{
			name: "the record of an offer", covers: []string{"handshake.RestoreOfferor"}, valid: one(w.offeror), forms: []form{inJSON},
			run: func(_ context.Context, data []byte) (outcome, error) {
				f, err := handshake.RestoreOfferor(data)
				if err == nil && f.MayUseNaturalLanguage() {
					return outcome{}, errors.New("prose after a required offer")
				}
				return plain("", err)
			},
		},
		{
			name: "a message", covers: []string{"engine.ParseMessage"}, valid: one(w.offerMessage, w.intentMessage), forms: []form{inJSON, aMessage},
			run: func() func(context.Context, []byte) (outcome, error) {
				var e *engine.Engine
				return func(ctx context.Context, data []byte) (outcome, error) {
					if sent.Add(1)%4096 == 1 { // a store that is full refuses all
						e = w.engine()
					}
					m, err := engine.ParseMessage(data, engine.Limits{})
					if err != nil {
						return check(err)
					}
					p := peer
					p.Principal = fmt.Sprintf("https://bob%d.example/", sent.Load()) // what was said before is not remembered
					o, err := e.Receive(ctx, p, m)
					if err != nil {
						return outcome{}, err
					}
					return outcomeOf(&o)
				}
			}(),
		},
		{
			name: "a reply", covers: []string{"engine.ParseReply", "engine.ErrorCode"}, valid: one(w.replyOffer, w.reply), forms: []form{inJSON, aMessage},
			run: func(ctx context.Context, data []byte) (outcome, error) {
				engine.ErrorCode(data)
				r, err := engine.ParseReply(data, engine.Limits{})
				if err != nil {
					return check(err)
				}
				e := w.engine()
				sent, err := e.Offer(ctx, engine.To{Peer: peer, ContextID: "c-1"}, engine.OfferDraft{Pin: pin, Source: "https://alice.pod.example/protocols/grant-access", Required: true})
				if err != nil {
					return outcome{}, err
				}
				o, err := e.ReceiveReply(ctx, peer, sent, r)
				if err != nil {
					return outcome{}, err
				}
				if _, err := e.Prose(ctx, engine.To{Peer: peer, ContextID: "c-1"}, "hello"); err == nil {
					return outcome{}, errors.New("prose after a required offer")
				}
				if _, err := outcomeOf(&o); err != nil {
					return outcome{}, err
				}
				return accepted(""), nil
			},
		},
		{
			name: "a policy", covers: []string{}, valid: one(w.policies...), forms: []form{aPolicy, inTurtle},
			run: func(_ context.Context, data []byte) (outcome, error) {
				d, err := turtle.Parse(data, turtle.Options{Places: true})
				if err != nil {
					return check(err)
				}
				if _, err := odrl.Lint(d.Default(), odrl.CompileOptions{}); err != nil {
					return check(err)
				}
				now := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
				r := odrl.Request{Agent: party(1), Action: "read", Target: target, Now: now, Attributes: map[string][]odrl.Value{"count": {odrl.Integer(1)}}}
				p, err := odrl.Compile(d.Default(), odrl.CompileOptions{})
				if err != nil {
					return check(err)
				}
				decision := p.Evaluate(&r)
				if explained, _ := p.Explain(&r); explained.Permitted() != decision.Permitted() {
					return outcome{}, errors.New("explained, it is decided in another way")
				}
				q, err := delegation.Compile(d.Default(), "")
				if err != nil {
					return check(err)
				}
				delegation.Evaluate([]*odrl.Policy{q, q, nil}, &r, delegation.Options{})
				if _, err := (delegation.Revocations{}).Document(d); err == nil {
					return outcome{}, errors.New("a policy passes for a document that withdraws nothing")
				}
				return accepted(""), nil
			},
		},
		{
			name: "a request for a policy", covers: []string{"odrl.ParseRequest"}, valid: one([]byte(`{"agent":"urn:a","action":"read","target":"urn:t","attributes":{"count":[1,"x",true]}}`)), forms: []form{inJSON},
			run: func(_ context.Context, data []byte) (outcome, error) {
				_, err := odrl.ParseRequest(data)
				return check(err)
			},
		},
	}
}

// outcomeOf checks what holds for every outcome of the engine.
func outcomeOf(o *engine.Outcome) (outcome, error) {
	o.AppendJSON(nil)
	if len(o.Trace) == 0 {
		return outcome{}, errors.New("an outcome without a trace")
	}
	if o.Code != "" && !slices.Contains(protocol.Codes(), o.Code) {
		return outcome{}, fmt.Errorf("the code %q is not documented", o.Code)
	}
	if o.Kind == engine.KindRefused && o.Message == nil {
		return refused(o.Code), nil
	}
	return accepted(""), nil
}
