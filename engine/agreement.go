package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
)

// agreement returns the agreement about a document in a scope, and whether there is one
// that holds. One whose document is no longer here is dropped (a2a-rdf, section 5.5).
func (e *Engine) agreement(ctx context.Context, scope handshake.Scope, pin canon.Digest, now time.Time) (handshake.Agreement, bool, error) {
	if !scope.Valid() {
		return handshake.Agreement{}, false, nil
	}
	a, ok, err := e.agreements.Find(ctx, scope, pin, now)
	if err != nil {
		return a, false, fmt.Errorf("engine: reading an agreement: %w", err)
	}
	if !ok || !a.Holds(now) || a.Scope != scope || a.Pin != pin {
		return handshake.Agreement{}, false, nil
	}
	if _, held := e.config.Documents.Get(pin); !held {
		_, err := e.agreements.Withdraw(ctx, scope, pin, now)
		return handshake.Agreement{}, false, err
	}
	a.Informal = !e.securityBearing(pin) // what this side judges today
	return a, true, nil
}

// require marks an agreement as coming from a required offer: a peer raises it, never
// lowers it. It reports whether there still is one.
func (e *Engine) require(ctx context.Context, a handshake.Agreement, now time.Time) (handshake.Agreement, bool, error) {
	raised, ok, err := e.agreements.Require(ctx, a.Scope, a.Pin, now)
	if err != nil {
		return a, false, fmt.Errorf("engine: keeping an agreement: %w", err)
	}
	raised.Informal = a.Informal
	return raised, ok, nil
}

// keep stores an agreement, after noting it in the state of the scope, which decides on
// prose. It reports whether there was room. taken says that it comes from an intent of the
// peer that is taken, which lifts what one that was refused before forbids.
func (e *Engine) keep(ctx context.Context, by replay.Owner, a handshake.Agreement, now time.Time, taken bool) (bool, error) {
	a.Informal = !e.securityBearing(a.Pin)
	a.Expires = now.Add(e.config.AgreementLife)
	room := true
	err := e.change(ctx, by, a.Scope, now, func(s *scopeState) (bool, error) {
		if room = true; !taken && s.requires(a.Pin, a.Expires) { // noted when the offer came
			return false, nil
		}
		if taken {
			s.closed(a.Pin)
		}
		room = s.agree(a.Pin, a.Made, a.Expires, now)
		return room, nil
	})
	if err != nil || !room {
		return false, err
	}
	if err := e.agreements.Save(ctx, by, a, now); err != nil {
		return false, fmt.Errorf("engine: keeping an agreement: %w", err)
	}
	return true, nil
}

// byCard keeps the agreement that comes from using a document which a card declares
// (a2a-rdf, section 5.5), unless there is one already.
func (e *Engine) byCard(ctx context.Context, by replay.Owner, scope handshake.Scope, pin canon.Digest, source string, now time.Time) error {
	if _, agreed, err := e.agreement(ctx, scope, pin, now); err != nil || agreed {
		return err
	}
	room, err := e.keep(ctx, by, handshake.Agreement{
		Scope: scope, Pin: pin, Source: source, Origin: handshake.OriginCard, Made: now,
	}, now, false)
	if err == nil && !room {
		err = errTooManyAgreements
	}
	return err
}

// errTooManyAgreements is the error of a scope that has no room for another agreement.
var errTooManyAgreements = &protocol.Error{Code: protocol.CodeLimitExceeded, Reason: "too many agreements in one scope"}

// inForce says what of the agreements and intents of a scope forbids prose in it, "" for
// nothing.
func (e *Engine) inForce(ctx context.Context, scope handshake.Scope, s *scopeState, now time.Time) (string, error) {
	const agreed, open = "a protocol document is agreed in this context", "an intent of this context is not answered, or an exchange came to nothing"
	const required = "the peer offered a protocol document as a required one in this context"
	var first *scopeState // of first messages
	for _, a := range s.agreed {
		pin, err := canon.ParseDigest(a.Pin)
		switch {
		case err != nil:
			return "what is agreed in this context cannot be read", nil
		case !now.Before(a.Until):
			continue
		case a.First:
			if first == nil {
				if first, _, err = e.load(ctx, firstOf(scope), now); err != nil {
					return open, err
				}
			}
			if first.forbids(pin, now) && (s.offer(pin) == nil || first.isOpen(pin, now)) {
				return open, nil
			}
			continue
		case a.Open:
			return open, nil
		case a.Required:
			return required, nil
		case now.Before(a.Made): // by the clock that made it, it is in force
			return agreed, nil
		}
		if _, ok, err := e.agreement(ctx, scope, pin, now); err != nil || ok {
			return agreed, err
		}
	}
	return "", nil
}

// Agreed reports whether a document is agreed with a peer in a context.
func (e *Engine) Agreed(ctx context.Context, p Peer, contextID string, pin canon.Digest) (bool, error) {
	_, ok, err := e.agreement(ctx, e.scope(&p, contextID), pin, e.config.Clock())
	return ok, err
}

// Withdraw ends the agreement on a document with a peer in a context, on this side
// only, and reports whether there was one. If this side had offered the document, no
// prose is made in the context until a new offer is decided; if the peer had offered it as
// a required one, none is made or taken for a day longer than the agreement would have held.
func (e *Engine) Withdraw(ctx context.Context, p Peer, contextID string, pin canon.Digest) (bool, error) {
	now := e.config.Clock()
	scope := e.scope(&p, contextID)
	err := e.change(ctx, nobody(), scope, now, func(s *scopeState) (bool, error) {
		f := s.offer(pin)
		if f == nil {
			return false, nil
		}
		f.Withdraw()
		return true, nil
	})
	if err != nil || !scope.Valid() {
		return false, err
	}
	return e.agreements.Withdraw(ctx, scope, pin, now)
}
