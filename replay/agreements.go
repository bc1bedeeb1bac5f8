package replay

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/replay/internal/entry"
)

// Agreements keeps the agreements of an agent in a Store (a2a-rdf, section 5.5). It is
// safe for concurrent use, also by processes that share the store. An error means that
// nothing is agreed: stored data that cannot be read is ErrCorrupt, and counts neither
// as an agreement nor as the absence of one.
type Agreements struct {
	store Store
}

// NewAgreements returns the agreements that a store keeps.
func NewAgreements(s Store) *Agreements { return &Agreements{store: s} }

// ErrAgreement: an agreement cannot be kept that is not in force, or whose scope is
// invalid or not UTF-8.
var ErrAgreement = errors.New("not an agreement that can be kept")

// agreementPrefix begins the names of the records of agreements.
const agreementPrefix = "agreement/"

// scopeName begins the names of the agreements within a scope. Whatever its members
// hold, two scopes have two names.
func scopeName(s handshake.Scope) string {
	var room [maxName]byte
	return string(appendScopeName(room[:0], s))
}

// maxName is how long the name of an agreement is: the prefix, two hashes in
// hexadecimal digits, and what stands between them.
const maxName = len(agreementPrefix) + 4*sha256.Size + 1

func appendScopeName(dst []byte, s handshake.Scope) []byte {
	id := entry.NewID(s.Local, s.Peer, s.Card, s.Context)
	return append(hex.AppendEncode(append(dst, agreementPrefix...), id[:]), '/')
}

func agreementName(s handshake.Scope, pin canon.Digest) string {
	var room [maxName]byte
	return string(hex.AppendEncode(appendScopeName(room[:0], s), pin[:]))
}

func checkScope(s handshake.Scope) error {
	if !s.Valid() {
		return fmt.Errorf("%w: the scope names no agent, or neither a peer nor a context", ErrAgreement)
	}
	for _, m := range [...]string{s.Local, s.Peer, s.Card, s.Context} {
		if !utf8.ValidString(m) {
			return fmt.Errorf("%w: a member of the scope is not UTF-8", ErrAgreement)
		}
	}
	return nil
}

// attempts is how often a write is tried when others write the same record at the
// same time.
const attempts = 32

var errBusy = errors.New("the agreement is being written by others")

// Save keeps an agreement that is in force at now until it expires, and replaces one
// with the same scope and pin. If that came from a required offer and is not over yet,
// whatever the clock was when it was made, the new one counts as required as well (section
// 5.5: never lowered). One of more than MaxAgreement bytes is ErrTooLarge. A new
// one counts for owner, as Store.Swap says.
func (g *Agreements) Save(ctx context.Context, owner Owner, a handshake.Agreement, now time.Time) error {
	if err := checkScope(a.Scope); err != nil {
		return err
	}
	if !a.Holds(now) {
		return fmt.Errorf("%w: it is not in force", ErrAgreement)
	}
	name := agreementName(a.Scope, a.Pin)
	for range attempts {
		old, _, err := g.store.Load(ctx, name, now)
		if err != nil {
			return err
		}
		next := a
		if old.Version != 0 {
			kept, err := decode(old)
			if err != nil {
				return err
			}
			next.Required = next.Required || kept.Required && now.Before(kept.Expires)
		}
		value, err := encodeAgreement(next)
		if err != nil {
			return err
		}
		if _, err := decodeAgreement(value); err != nil { // an unknown origin, a year 10000
			return fmt.Errorf("%w: it could not be read again", ErrAgreement)
		}
		if ok, err := g.store.Swap(ctx, name, owner, old.Version, value, next.Expires, now); err != nil || ok {
			return err
		}
	}
	return errBusy
}

// Find returns the agreement on a document in a scope that is in force at now, and
// whether there is one.
func (g *Agreements) Find(ctx context.Context, s handshake.Scope, pin canon.Digest, now time.Time) (handshake.Agreement, bool, error) {
	if err := checkScope(s); err != nil {
		return handshake.Agreement{}, false, err
	}
	r, ok, err := g.store.Load(ctx, agreementName(s, pin), now)
	if err != nil || !ok {
		return handshake.Agreement{}, false, err
	}
	a, err := decodeAgreement(r.Value)
	if err == nil && (a.Scope != s || a.Pin != pin) { // it is what the name was made of
		err = errOther
	}
	switch {
	case err != nil:
		return handshake.Agreement{}, false, recordError(r, err)
	case !a.Holds(now):
		return handshake.Agreement{}, false, nil
	}
	return a, true, nil
}

// Require marks the agreement on a document in a scope that is in force at now as coming
// from a required offer (section 5.5: a peer raises it), and returns it, and whether there
// is one. Unlike Save it makes none where the agreement was withdrawn meanwhile.
func (g *Agreements) Require(ctx context.Context, s handshake.Scope, pin canon.Digest, now time.Time) (handshake.Agreement, bool, error) {
	none := handshake.Agreement{}
	if err := checkScope(s); err != nil {
		return none, false, err
	}
	name := agreementName(s, pin)
	for range attempts {
		r, ok, err := g.store.Load(ctx, name, now)
		if err != nil || !ok {
			return none, false, err
		}
		a, err := decode(r)
		if err != nil || !a.Holds(now) {
			return none, false, err
		}
		if a.Required {
			return a, true, nil
		}
		a.Required = true
		value, err := encodeAgreement(a)
		if err != nil {
			return none, false, err
		}
		switch ok, err := g.store.Swap(ctx, name, Owner{}, r.Version, value, a.Expires, now); {
		case err != nil:
			return none, false, err
		case ok:
			return a, true, nil
		}
	}
	return none, false, errBusy
}

// InScope returns up to most agreements in a scope that are in force at now, in a
// stable order.
func (g *Agreements) InScope(ctx context.Context, s handshake.Scope, most int, now time.Time) ([]handshake.Agreement, error) {
	if err := checkScope(s); err != nil {
		return nil, err
	}
	return g.list(ctx, scopeName(s), most, now)
}

// List returns up to most agreements that are in force at now, in a stable order.
func (g *Agreements) List(ctx context.Context, most int, now time.Time) ([]handshake.Agreement, error) {
	return g.list(ctx, agreementPrefix, most, now)
}

func (g *Agreements) list(ctx context.Context, prefix string, most int, now time.Time) ([]handshake.Agreement, error) {
	found, err := g.store.List(ctx, prefix, most, now)
	if err != nil {
		return nil, err
	}
	var list []handshake.Agreement
	for _, r := range found {
		a, err := decode(r)
		if err != nil {
			return nil, err
		}
		if a.Holds(now) {
			list = append(list, a)
		}
	}
	return list, nil
}

// Withdraw drops the agreement on a document in a scope, and reports whether there was
// one. It also drops one that cannot be read.
func (g *Agreements) Withdraw(ctx context.Context, s handshake.Scope, pin canon.Digest, now time.Time) (bool, error) {
	if err := checkScope(s); err != nil {
		return false, err
	}
	name := agreementName(s, pin)
	for range attempts {
		r, ok, err := g.store.Load(ctx, name, now)
		if err != nil || !ok {
			return false, err
		}
		if ok, err := g.store.Swap(ctx, name, Owner{}, r.Version, nil, time.Time{}, now); err != nil || ok {
			return ok, err
		}
	}
	return false, errBusy
}

// decode reads the agreement of a record, which must be the one its name says.
func decode(r Record) (handshake.Agreement, error) {
	a, err := decodeAgreement(r.Value)
	if err == nil && agreementName(a.Scope, a.Pin) != r.Name {
		err = errOther
	}
	if err != nil {
		return handshake.Agreement{}, recordError(r, err)
	}
	return a, nil
}

var errOther = fmt.Errorf("%w: it holds another agreement", ErrCorrupt)

func recordError(r Record, err error) error { return fmt.Errorf("the record %q: %w", r.Name, err) }
