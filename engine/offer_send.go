package engine

import (
	"context"
	"errors"

	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
)

// ErrTooManyOffers is the error of an offer in a context that has too many.
var ErrTooManyOffers = errors.New("too many offers in this context")

// ErrNoContext is the error of an offer of a server without a contextId: its answer
// could not be told from another's.
var ErrNoContext = errors.New("an offer of an agent needs a context")

// Offer makes the message that offers a document, and remembers the offer before it is
// sent: until it is decided, no prose is made in the exchange, here or at another
// replica. The document must be held. It fails with the errors of
// [handshake.Offeror.Offer], with [ErrTooManyOffers] and [ErrNoContext]; nothing may be
// sent then.
func (e *Engine) Offer(ctx context.Context, to To, d OfferDraft) (Message, error) {
	doc, ok := e.config.Documents.Get(d.Pin)
	if !ok {
		return Message{}, handshake.ErrNotReviewed
	}
	if to.role() == RoleAgent && to.ContextID == "" {
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
	err = e.change(ctx, scope, now, func(s *scopeState) (bool, error) {
		f := s.offer(d.Pin)
		if f == nil {
			if len(s.offers) >= maxOffers {
				return false, ErrTooManyOffers
			}
			f = &handshake.Offeror{Timeout: e.config.OfferTimeout}
		}
		if f.State() == handshake.OfferorAgreed {
			_, agreed, err := e.agreement(ctx, scope, d.Pin, now)
			if err != nil {
				return false, err
			}
			if !agreed { // too old, or withdrawn by its record
				f.Withdraw()
			}
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
