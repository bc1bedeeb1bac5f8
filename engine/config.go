package engine

import (
	"context"
	"io"
	"time"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
)

// Peer is whom a message came from or goes to, and the extensions it was sent under.
// Who the peer is must come from the transport's authentication, never from a message.
type Peer struct {
	// Principal is the authenticated principal, "" for none: what is agreed then holds
	// within one context (a2a-rdf, section 5.5).
	Principal string
	// Card is the identity of the peer's card or endpoint, "" for a client without.
	Card string
	// Active are the URIs of the extensions that a received request asked for in
	// A2A-Extensions. Without the URI of a2a-rdf, nothing of the extension is acted on
	// (CARD-5, CARD-15). The sending side does not read it.
	Active []string
	// Assigned is the contextId that the caller gives to a message without one. With ""
	// the engine makes one, but for a message to a task: the context of that is the task's,
	// and the message is refused when neither names it.
	Assigned string
	// Network says where a request without a Principal came from, as far as the transport
	// knows, such as an IP address. What such peers may cost is counted for each network
	// by itself; otherwise one of them could use up what all of them share. It does not
	// identify the peer, and nothing but limits depends on it. "" has no count of its own.
	Network string

	// Accepts are the documents that the peer's admitted card declares: intents under
	// these need no handshake (CARD-11).
	Accepts []agentcard.AcceptedDocument
	// Formats are the media types that the peer reads, by its card; text/turtle when
	// none are given (BIND-7).
	Formats []string
}

// Documents keeps the Protocol Documents of an agent by their pins. [*protocol.Store]
// is one. It must be safe for concurrent use.
type Documents interface {
	Get(pin canon.Digest) (*protocol.Reviewed, bool)
	Put(*protocol.Reviewed) error
}

// Source fetches the bodies of Protocol Documents. It is asked only for well-formed
// offers that the [Policy] allows, and for the caller of [Engine.Obtain]. Package fetch
// guards such fetches (a2a-rdf, section 9.4) and has a Source that also limits what
// each peer may cause:
//
//	engine.Config{Source: fetch.NewDocuments(client, fetch.GateOptions{})}
type Source interface {
	// Fetch returns the body at an https URL and its media type.
	Fetch(ctx context.Context, url string) (body []byte, mediaType string, err error)
}

// PeerSource is a Source that limits how often each peer can make it fetch (a2a-rdf,
// FETCH-11). Any other Source has no such limit.
type PeerSource interface {
	Source
	// FetchFor is Fetch on behalf of a peer, under the name to which its costs are
	// charged, for the document with a pin. An error with a method Throttled that returns
	// true says that the peer asks too often; it does not count against other peers. One with
	// a method Remembered that returns true is that of an earlier fetch: it is not remembered
	// here for another minute.
	FetchFor(ctx context.Context, peer, pin, url string) (body []byte, mediaType string, err error)
}

// Proposal is a document that a peer offers, or that the caller of [Engine.Obtain] asks
// for. It does not say whether the offer is required, since that must not influence the
// decision.
type Proposal struct {
	Peer   Peer
	Pin    canon.Digest
	Source string // where it is said to be published; "" for none, or where that must not count
}

// Policy decides which documents are accepted (a2a-rdf, VAL-7). It must be safe for
// concurrent use.
type Policy interface {
	// Allow is asked twice: with a nil review before anything is fetched, and with the
	// review of the verified document before it is accepted. For a document that is held
	// but was not fetched from the proposal's source, it is also asked with the review and
	// no Source: if it refuses, the document is fetched from there first, so that the
	// Source in the last question is true. An error is a refusal, and is not told to the
	// peer.
	Allow(ctx context.Context, p Proposal, review *protocol.Review) error
}

// AllowList is the default Policy: it allows documents that are on one of its lists.
// The zero AllowList allows nothing.
type AllowList struct {
	Pins []canon.Digest
	// Publishers are origins of sources, such as https://alice.example.
	Publishers []string
}

// Declared is a document that the agent's own card declares: its peers may send intents
// under it without a handshake (a2a-rdf, CARD-13).
type Declared struct {
	Pin    canon.Digest
	Source string // where it is published; "" if it is never to be offered
	Name   string // a label
}

// Config is what an Engine needs. Local, Documents, Store, Clock and Random are required;
// what another field is where it is not set stands beside it.
type Config struct {
	// Local is the name of this agent, with which agreements are made.
	Local string
	// Documents holds what was verified and reviewed.
	Documents Documents
	// Store remembers messages, agreements, offers and challenges.
	Store replay.Store
	// Clock tells the time.
	Clock func() time.Time
	// Random is a source of secrets, such as crypto/rand.Reader, for messageIds and
	// challenges. It must be safe for concurrent use if the Engine is used concurrently.
	Random io.Reader

	// Declared are the documents of this agent's own card. Each must be in Documents.
	Declared []Declared
	// Formats are the media types of RDF that are read: by default text/turtle and
	// application/ld+json.
	Formats []string
	// Policy decides which documents are accepted: by default those of Declared alone.
	Policy Policy
	// Source fetches documents; by default none is fetched.
	Source Source
	// Await waits for a document that is fetched: it calls wait once, during which the
	// exchange does nothing else, and then returns nil, or the error of ctx if the exchange
	// cannot go on before that is done. One that returns without that has the document
	// refused. Whoever works on so many exchanges at once can let another one have the
	// place meanwhile. By default it calls wait.
	Await func(ctx context.Context, wait func()) error
	// Authorizer decides on intents. Without one every intent is denied: conformance says
	// nothing about what the sender may do (a2a-rdf, INT-5).
	Authorizer Authorizer
	// Domain is what presentations must be made for: this agent's URL. Without it no
	// challenges are issued (section 6.2), and an intent with a presentation is denied.
	Domain string
	// ChallengeLife is how long a challenge can be used, 5 minutes by default.
	ChallengeLife time.Duration

	// Informal are the pins of documents whose exchanges this side judges not to be
	// security-bearing. All others are (section 5.5).
	Informal []canon.Digest
	// Routine names the document that a message of prose belongs to, and reports false
	// for one that belongs to none. Without it any prose is refused in a context where
	// an offer is open or was not agreed, or a document is agreed (section 5.5).
	Routine func(ctx context.Context, p Peer, m *Message) (pin canon.Digest, ok bool)
	// OfferInReply answers prose that should have been under a declared document with a
	// required offer of that document (section 5.6), and remembers it as a message with a
	// payload. It needs Routine, which tells the document. By default such prose is refused.
	OfferInReply bool
	// Reverse allows intents of agents and response graphs of users (BIND-12).
	Reverse bool
	// AcrossContexts lets what is agreed with an authenticated peer hold in all
	// contexts with it (section 5.5).
	AcrossContexts bool

	// OfferTimeout is how long an offer waits for its answer,
	// [handshake.OfferTimeout] by default; AgreementLife is how long an agreement holds,
	// at most and by default [handshake.AgreementTTL].
	OfferTimeout, AgreementLife time.Duration
	// Limits bounds messages.
	Limits Limits
	// Payload says how intents and response graphs are read and judged, Document how
	// Protocol Documents are, Handshake how offers and responses to them are.
	Payload, Document protocol.Options
	Handshake         handshake.Options
}
