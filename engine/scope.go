package engine

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/replay"
)

// Names of records in the store.
const (
	scopePrefix     = "scope/"     // what forbids prose in a scope
	challengePrefix = "challenge/" // a challenge that was issued and not used
)

// scopeLife is how long the offers of a scope are remembered after its last change: an
// exchange that was refused must not become prose because a day went by, and a context
// that nobody speaks in for a month is over.
const scopeLife = 30 * 24 * time.Hour

// openLife is how long an intent that was not answered forbids prose, however short
// agreements live: a new offer does not decide it.
const openLife = handshake.AgreementTTL

// Bounds of a record. An offer takes some 3 kB at most, and stores keep records of
// 64 kB.
const (
	maxOffers = 16
	maxAgreed = 64
)

// maxSwaps is how often a change of a record is tried anew after another replica was
// faster. Each failure means that another one went through.
const maxSwaps = 64

// errContended is the error of a record that others changed all the time.
var errContended = errors.New("engine: the record of the scope is changed too often")

// scope returns where agreements with a peer hold (a2a-rdf, section 5.5).
func (e *Engine) scope(p *Peer, contextID string) handshake.Scope {
	s := handshake.Scope{Local: e.config.Local, Peer: p.Principal, Card: p.Card, Context: contextID}
	if e.config.AcrossContexts && p.Principal != "" {
		s.Context = ""
	}
	return s
}

// scopeName returns the name of the record of a scope: a digest, since its members are
// of any length and of the peer's choice.
func scopeName(prefix string, s handshake.Scope) string {
	var w writer
	w.buf = make([]byte, 0, 128)
	for _, member := range [...]string{s.Local, s.Peer, s.Card, s.Context} {
		w.text(member)
	}
	sum := sha256.Sum256(w.buf)
	name := make([]byte, 0, 64)
	name = append(name, prefix...)
	return string(base64.RawURLEncoding.AppendEncode(name, sum[:]))
}

// scopeState is what is known of offers and agreements in a scope: all that can forbid
// prose in it.
type scopeState struct {
	offers []*handshake.Offeror
	agreed []agreed
}

// agreed notes that an agreement was made. Whether it holds is for its own record to
// say, unless it is open.
type agreed struct {
	Pin   string    `json:"pin"`
	Made  time.Time `json:"made"`
	Until time.Time `json:"until"`
	// Open: an intent under the document was sent and is not answered, or one was sent or
	// received and came to nothing. There may be no agreement, or it may be over before the
	// answer comes, and prose would be the way around it.
	Open bool `json:"open,omitempty"`
	// First: it is open in first messages to the peer, or an offer in one does not allow
	// prose, and forbids it here for as long as it does there. An exchange about the document
	// that began here takes the place of the offer.
	First bool `json:"first,omitempty"`
	// Required: the peer offered the document as a required one. Prose is forbidden whatever
	// became of the offer, and of the agreement that it may have made.
	Required bool `json:"required,omitempty"`
}

type scopeRecord struct {
	Version int               `json:"version"`
	Offers  []json.RawMessage `json:"offers,omitempty"`
	Agreed  []agreed          `json:"agreed,omitempty"`
}

const scopeVersion = 1

func parseScope(value []byte) (*scopeState, error) {
	var r scopeRecord
	if err := json.Unmarshal(value, &r); err != nil || r.Version != scopeVersion {
		return nil, fmt.Errorf("engine: the record of a scope cannot be read")
	}
	s := &scopeState{agreed: r.Agreed}
	for _, o := range r.Offers {
		f, err := handshake.RestoreOfferor(o)
		if err != nil {
			return nil, err
		}
		s.offers = append(s.offers, f)
	}
	return s, nil
}

func (s *scopeState) append() ([]byte, error) {
	r := scopeRecord{Version: scopeVersion, Agreed: s.agreed}
	for _, f := range s.offers {
		o, err := f.AppendRecord(nil)
		if err != nil {
			return nil, err
		}
		r.Offers = append(r.Offers, o)
	}
	return json.Marshal(&r)
}

// offer returns the exchange about a document, nil for none.
func (s *scopeState) offer(pin canon.Digest) *handshake.Offeror {
	for _, f := range s.offers {
		if o, _, _ := f.Sent(); o.Hash.Equal(pin) {
			return f
		}
	}
	return nil
}

// put puts the exchange about a document in the place of the one that is there.
func (s *scopeState) put(f *handshake.Offeror) {
	o, _, _ := f.Sent()
	s.remove(o.Hash)
	s.offers = append(s.offers, f)
}

func (s *scopeState) remove(pin canon.Digest) {
	s.offers = slices.DeleteFunc(s.offers, func(f *handshake.Offeror) bool {
		o, _, _ := f.Sent()
		return o.Hash.Equal(pin)
	})
}

// agree notes an agreement, and reports whether there was room. What is noted of an intent
// stays: the agreement may be over before that is.
func (s *scopeState) agree(pin canon.Digest, made, until, now time.Time) bool {
	s.agreed = slices.DeleteFunc(s.agreed, func(a agreed) bool {
		return !a.Open && !a.Required && a.Pin == pin.String() || !now.Before(a.Until)
	})
	if len(s.agreed) >= maxAgreed {
		return false
	}
	s.agreed = append(s.agreed, agreed{Pin: pin.String(), Made: made.UTC(), Until: until.UTC()})
	return true
}

// require notes that the peer offered a document as a required one, and reports whether
// there was room. It takes the place of what is noted of an agreement about it, which
// forbids no more than this does.
func (s *scopeState) require(pin canon.Digest, until, now time.Time) bool {
	s.agreed = slices.DeleteFunc(s.agreed, func(a agreed) bool { return !a.Open && a.Pin == pin.String() || !now.Before(a.Until) })
	if len(s.agreed) >= maxAgreed {
		return false
	}
	s.agreed = append(s.agreed, agreed{Pin: pin.String(), Made: now.UTC(), Until: until.UTC(), Required: true})
	return true
}

// requires reports whether what require noted holds at an instant.
func (s *scopeState) requires(pin canon.Digest, at time.Time) bool {
	return slices.ContainsFunc(s.agreed, func(a agreed) bool { return a.Required && a.Pin == pin.String() && at.Before(a.Until) })
}

// end is when nothing of it matters any more: a record that outlived its meaning would
// take the room of others.
func (s *scopeState) end(now time.Time) time.Time {
	if len(s.offers) > 0 {
		return now.Add(scopeLife)
	}
	end := now
	for _, a := range s.agreed {
		if a.Until.After(end) {
			end = a.Until
		}
	}
	return end
}

// open notes an intent for which there is no agreement, and reports whether there was
// room. It stands beside what is noted of an agreement, which may be over by then.
func (s *scopeState) open(pin canon.Digest, until, now time.Time) bool {
	s.agreed = slices.DeleteFunc(s.agreed, func(a agreed) bool { return a.Open && a.Pin == pin.String() || !now.Before(a.Until) })
	if len(s.agreed) >= maxAgreed {
		return false
	}
	s.agreed = append(s.agreed, agreed{Pin: pin.String(), Made: now.UTC(), Until: until.UTC(), Open: true})
	return true
}

// firstOf returns the scope of first messages to the peer of a scope.
func firstOf(s handshake.Scope) handshake.Scope {
	s.Context = ""
	return s
}

// isOpen reports whether a note of open holds.
func (s *scopeState) isOpen(pin canon.Digest, now time.Time) bool {
	return slices.ContainsFunc(s.agreed, func(a agreed) bool {
		return a.Open && !a.First && a.Pin == pin.String() && now.Before(a.Until)
	})
}

// forbids reports whether an intent or an offer of a document forbids prose.
func (s *scopeState) forbids(pin canon.Digest, now time.Time) bool {
	f := s.offer(pin)
	return s.isOpen(pin, now) || f != nil && !f.MayUseNaturalLanguage()
}

// undecided returns what forbids prose in the scope of first messages, apart from the offer
// of one document: their answers name different contexts, in each of which nothing would
// be known of it.
func (s *scopeState) undecided(now time.Time, but canon.Digest) []agreed {
	var list []agreed
	for _, a := range s.agreed {
		if a.Open && now.Before(a.Until) {
			list = append(list, agreed{Pin: a.Pin, Made: now.UTC(), Until: a.Until, Open: true, First: true})
		}
	}
	for _, f := range s.offers {
		if o, _, _ := f.Sent(); !f.MayUseNaturalLanguage() && !o.Hash.Equal(but) {
			list = append(list, agreed{Pin: o.Hash.String(), Made: now.UTC(), Until: now.Add(scopeLife).UTC(), Open: true, First: true})
		}
	}
	return list
}

// follow notes what is undecided in first messages in the context of an answer to one, and
// reports whether there was room.
func (s *scopeState) follow(first []agreed, now time.Time) bool {
	for _, n := range first {
		s.agreed = slices.DeleteFunc(s.agreed, func(a agreed) bool {
			return a.First && a.Pin == n.Pin && !a.Until.After(n.Until) || !now.Before(a.Until)
		})
		if slices.ContainsFunc(s.agreed, func(a agreed) bool { return a.First && a.Pin == n.Pin }) {
			continue
		}
		if len(s.agreed) >= maxAgreed {
			return false
		}
		s.agreed = append(s.agreed, n)
	}
	return true
}

// follows reports whether a note of follow about a document is there.
func (s *scopeState) follows(pin canon.Digest, now time.Time) bool {
	return slices.ContainsFunc(s.agreed, func(a agreed) bool { return a.First && a.Pin == pin.String() && now.Before(a.Until) })
}

// closed drops what open and follow noted of a document, and reports whether there was
// something.
func (s *scopeState) closed(pin canon.Digest) bool {
	n := len(s.agreed)
	s.agreed = slices.DeleteFunc(s.agreed, func(a agreed) bool { return a.Open && a.Pin == pin.String() })
	return len(s.agreed) < n
}

// load returns the state of a scope, an empty one when nothing is known of it.
func (e *Engine) load(ctx context.Context, scope handshake.Scope, now time.Time) (*scopeState, replay.Record, error) {
	r, ok, err := e.config.Store.Load(ctx, scopeName(scopePrefix, scope), now)
	if err != nil {
		return nil, r, fmt.Errorf("engine: reading the record of a scope: %w", err)
	}
	if !ok {
		return &scopeState{}, replay.Record{}, nil
	}
	s, err := parseScope(r.Value)
	if err != nil {
		return nil, r, err
	}
	for _, f := range s.offers {
		f.Timeout = e.config.OfferTimeout
		if end, pending := f.Deadline(); pending && !now.Before(end) {
			f.Tick(end) // however late somebody looks
		}
	}
	return s, r, nil
}

// owner returns whom the records count for that a message of a peer makes this side keep.
func (e *Engine) owner(p *Peer) replay.Owner {
	return replay.Owner{Local: e.config.Local, Peer: p.Principal}
}

// nobody is the owner of what this side keeps of its own messages and of their replies: it
// decides itself how many there are.
func nobody() replay.Owner { return replay.Owner{} }

// change changes the state of a scope, whose record counts for by where it is new. The
// function may be called several times, each time with the state as it is; when it returns
// false, or fails, nothing is written.
func (e *Engine) change(ctx context.Context, by replay.Owner, scope handshake.Scope, now time.Time, f func(*scopeState) (bool, error)) error {
	for range maxSwaps {
		s, r, err := e.load(ctx, scope, now)
		if err != nil {
			return err
		}
		write, err := f(s)
		if err != nil || !write {
			return err
		}
		value, err := s.append()
		if err != nil {
			return err
		}
		end := s.end(now)
		if !now.Before(end) { // nothing is left
			if r.Version == 0 {
				return nil
			}
			value = nil
		}
		done, err := e.config.Store.Swap(ctx, scopeName(scopePrefix, scope), by, r.Version, value, end, now)
		if err != nil {
			return fmt.Errorf("engine: writing the record of a scope: %w", err)
		}
		if done {
			return nil
		}
	}
	return errContended
}
