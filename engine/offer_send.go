package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
)

// ErrTooManyOffers is the error of an offer in a context that has too many.
var ErrTooManyOffers = errors.New("too many offers in this context")

// ErrNoContext is the error of an offer of a server, or to a task, without a contextId:
// its answer could not be told from another's, nor what it forbids be known there.
var ErrNoContext = errors.New("an offer of an agent, or to a task, needs a context")

// errOpen is the error of an optional offer that could lead to prose around an intent, or
// around a required offer of the peer.
var errOpen = fmt.Errorf("an intent under it is not answered or came to nothing, or the peer required it: %w", handshake.ErrRequired)

// Offer makes the message that offers a document, and remembers the offer before it is
// sent: until it is decided, no prose is made in the exchange, here or at another
// replica. The document must be held. It fails with the errors of
// [handshake.Offeror.Offer], with [ErrTooManyOffers] and [ErrNoContext]; nothing may be
// sent then. An optional offer also fails with [handshake.ErrAgreed] while the document is
// agreed by other means, and with [handshake.ErrRequired] while an intent under it is not
// answered or came to nothing, or after the peer offered it as a required one: its decline
// must not lead around that.
func (e *Engine) Offer(ctx context.Context, to To, d OfferDraft) (Message, error) {
	return e.offer(ctx, nobody(), to, d)
}

func (e *Engine) offer(ctx context.Context, by replay.Owner, to To, d OfferDraft) (Message, error) {
	doc, ok := e.config.Documents.Get(d.Pin)
	if !ok {
		return Message{}, handshake.ErrNotReviewed
	}
	if to.role() == RoleAgent && to.ContextID == "" || to.unplaced() {
		return Message{}, ErrNoContext
	}
	o := handshake.Offer{Hash: d.Pin, Source: d.Source, Required: d.Required}
	if d.Name != "" {
		o.Name = handshake.NewText(d.Name)
	}
	part, err := handshakePart(o, e.keys, d.Graph, "")
	if err != nil {
		return Message{}, err
	}
	m, err := e.newMessage(to.role(), to.ContextID, to.TaskID, protocol.ExtensionURI, nil, part)
	if err != nil {
		return Message{}, err
	}
	now := e.config.Clock()
	scope := e.scope(&to.Peer, to.ContextID)
	err = e.change(ctx, by, scope, now, func(s *scopeState) (bool, error) {
		f := s.offer(d.Pin)
		began := f != nil
		if !began {
			if len(s.offers) >= maxOffers {
				return false, ErrTooManyOffers
			}
			f = &handshake.Offeror{Timeout: e.config.OfferTimeout}
		}
		open := s.isOpen(d.Pin, now) || s.requires(d.Pin, now)
		if s.follows(d.Pin, now) {
			first, _, err := e.load(ctx, firstOf(scope), now)
			if err != nil {
				return false, err
			}
			open = open || first.isOpen(d.Pin, now)
			if old := first.offer(d.Pin); old != nil && !began {
				f.Replace(old, now) // a required one stays required
			}
		}
		_, agreed, err := e.agreement(ctx, scope, d.Pin, now)
		switch {
		case err != nil:
			return false, err
		case !agreed: // too old, or withdrawn by its record
			f.Withdraw()
		case !d.Required:
			return false, handshake.ErrAgreed
		}
		if !d.Required && open {
			return false, errOpen
		}
		if err := f.Offer(doc, o, m.ID, now); err != nil {
			return false, err
		}
		s.put(f)
		return true, nil
	})
	if err != nil {
		return Message{}, err
	}
	return *m, nil
}
