package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/odrl"
)

// Chains is the Authorizer of chains of delegated authority: package authz decides by
// the presentation that came with the intent. Without a presentation it denies. Its
// fields must not be changed while it is used; it is as safe for concurrent use as its
// functions are.
type Chains struct {
	// Authorizer decides. It needs no [authz.Config.Challenges]: the engine sees to it
	// that a presentation counts once.
	Authorizer *authz.Authorizer
	// Root returns the party whose authority the chain must come from: the owner of
	// everything that the intent asks for. "" denies.
	Root func(ctx context.Context, asks []odrl.Request) (string, error)
	// Actor returns the name by which credentials know a peer, "" when only the holder of
	// the presentation is known; nil takes the peer's principal, and denies a peer that has
	// none. The actor must be the holder.
	Actor func(ctx context.Context, p Peer) (string, error)
	// Mappings say, by the pin of a document, what the intents under it ask for. Intents
	// under any other document must be of a stock verb. [New] fails for one that does not
	// pass [authz.Mapping.Check].
	Mappings map[canon.Digest]authz.Mapping
	// Attributes returns what this side knows of the circumstances; nil for nothing.
	Attributes func(ctx context.Context, q *Question) (map[string][]odrl.Value, error)
	// Policies returns the policy documents that the credentials refer to; nil when all
	// policies are part of their credentials.
	Policies func(ctx context.Context, q *Question) ([]authz.PolicyDocument, error)
	// Revoked returns the IRIs of policies that this side knows to be withdrawn; nil for
	// none.
	Revoked func(ctx context.Context) ([]string, error)
	// Keep keeps the record of a decision before anyone acts on it; when it fails, nothing
	// is permitted. nil keeps no records.
	Keep func(ctx context.Context, r authz.Record) error
}

var _ Authorizer = (*Chains)(nil)

// check fails for a mapping that every intent would be refused under.
func (c *Chains) check() error {
	for pin, m := range c.Mappings {
		if err := m.Check(); err != nil {
			return fmt.Errorf("engine: intents of the document %s: %w", pin, err)
		}
	}
	return nil
}

// Authorize implements Authorizer.
func (c *Chains) Authorize(ctx context.Context, q *Question) (Authority, error) {
	if c.Authorizer == nil || c.Root == nil {
		return Authority{}, errors.New("engine: expected Chains with an Authorizer and a Root")
	}
	switch {
	case q.Presentation == nil:
		return Authority{Reason: "no chain was presented"}, nil
	case q.Challenge == "":
		return Authority{Reason: "the presentation was made for no challenge that is good in this context"}, nil
	}
	r, reason, err := c.request(ctx, q)
	if err != nil || reason != "" {
		return Authority{Reason: reason}, err
	}
	d, err := c.Authorizer.AuthorizePresentation(ctx, r, q.Presentation, vc.Expected{Challenge: q.Challenge, Domain: []string{q.Domain}})
	if err != nil {
		return Authority{}, err
	}
	record := d.Record()
	if c.Keep != nil {
		if err := c.Keep(ctx, record); err != nil {
			return Authority{}, fmt.Errorf("keeping the record of a decision: %w", err)
		}
	}
	a := Authority{Permit: d.Authorized(), Reason: d.String()}
	if a.Record, err = record.JSON(); err != nil {
		return Authority{}, err
	}
	for i := range d.Checks {
		a.Verified = a.Verified || d.Checks[i].Step == "5.1" && d.Checks[i].OK
	}
	for i := range d.Hops {
		a.Policies = append(a.Policies, d.Hops[i].Policy)
	}
	return a, nil
}

// request makes the question of an intent. A reason says why there is none, which
// denies.
func (c *Chains) request(ctx context.Context, q *Question) (r authz.Request, reason string, err error) {
	var attributes map[string][]odrl.Value
	if c.Attributes != nil {
		if attributes, err = c.Attributes(ctx, q); err != nil {
			return r, "", err
		}
	}
	read := authz.ReadIntent
	if m, ok := c.Mappings[q.Document.Pin()]; ok {
		read = m.ReadIntent
	}
	in, err := read(q.Graph, q.Intent, attributes)
	if err != nil {
		return r, "the intent asks for nothing that authority is known for: " + err.Error(), nil
	}
	r = authz.Request{
		Asks: in.Asks, Policies: in.Policies, ClaimedAgent: in.Agent, Actor: q.Peer.Principal,
		Now: q.Now, Protocol: q.Document.Pin(), Exchange: q.ContextID,
	}
	switch {
	case c.Actor != nil:
		if r.Actor, err = c.Actor(ctx, q.Peer); err != nil {
			return r, "", err
		}
	case r.Actor == "":
		return r, "the peer is not authenticated, so that nothing tells whether it is the holder", nil
	}
	if r.RootPrincipal, err = c.Root(ctx, in.Asks); err != nil {
		return r, "", err
	}
	if r.RootPrincipal == "" {
		return r, "nobody is known whose authority would count", nil
	}
	if c.Policies != nil {
		if r.Chain.Policies, err = c.Policies(ctx, q); err != nil {
			return r, "", err
		}
	}
	if c.Revoked != nil {
		if r.Revoked, err = c.Revoked(ctx); err != nil {
			return r, "", err
		}
	}
	r.Intent, err = canon.Hash(ctx, q.Graph, canon.Options{})
	return r, "", err
}
