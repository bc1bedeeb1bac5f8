package handshake

import (
	"time"

	"github.com/rdfproto/rdfproto/canon"
)

// Scope is where an agreement holds (a2a-rdf, section 5.5). Every member is
// compared byte for byte. A peer that is not authenticated has no Peer; its
// agreements hold within one context only, see [Scope.Valid].
type Scope struct {
	Local   string // this agent
	Peer    string // the authenticated principal of the peer; "" if it has none
	Card    string // the identity of the peer's card or endpoint
	Context string // the A2A contextId
}

// Valid reports whether agreements can be kept for the scope: a peer without
// authentication needs a context.
func (s Scope) Valid() bool { return s.Local != "" && (s.Peer != "" || s.Context != "") }

// Origin says how an agreement came about.
type Origin uint8

// The origins of agreements. The zero Origin is none.
const (
	OriginOffer Origin = iota + 1 // by an offer that was accepted
	OriginCard                    // by use of a document that the server's card declares
)

// String returns the origin as stores spell it.
func (o Origin) String() string {
	switch o {
	case OriginOffer:
		return "offer"
	case OriginCard:
		return "card"
	}
	return "none"
}

// AgreementTTL is how long an agreement lives when nothing shorter is asked for
// (a2a-rdf, section 5.5).
const AgreementTTL = 24 * time.Hour

// Agreement is a record that a Protocol Document is agreed in a scope: what a
// store keeps. It names the document by its pin, never by its address, and is
// worth nothing once the document left the local pin store.
type Agreement struct {
	Scope    Scope
	Pin      canon.Digest
	Source   string // where the document came from, for people
	Origin   Origin
	Required bool // the offer was required
	Made     time.Time
	Expires  time.Time

	// Informal says that this side's own configuration judges exchanges under the
	// document as not security-bearing. The zero value is the safe one.
	Informal bool
}

// SecurityBearing reports whether exchanges under the agreement are
// security-bearing: unless this side's configuration says otherwise, and always
// after a required offer. A peer can raise it, never lower it.
func (a Agreement) SecurityBearing() bool { return a.Required || !a.Informal }

// ClockSkew is how far the clock of one replica may be behind that of another. A peer
// may use an agreement at a replica whose clock has not yet reached the time at which
// it was made.
const ClockSkew = time.Minute

// Holds reports whether the agreement is in force at an instant: it has a pin, an
// origin and a scope, and the instant is within its life, which begins [ClockSkew] before
// it was made.
func (a Agreement) Holds(at time.Time) bool {
	return !a.Pin.IsZero() && a.Origin != 0 && a.Scope.Valid() && !at.Before(a.Made.Add(-ClockSkew)) && at.Before(a.Expires)
}
