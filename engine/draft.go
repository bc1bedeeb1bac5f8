package engine

import (
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/rdf"
)

// To says where a message is to go.
type To struct {
	Peer      Peer
	ContextID string // "" for a first message
	TaskID    string // of the peer, in the context; there is none in a first message
	// Role is that of the sender: RoleUser by default.
	Role Role
}

// OfferDraft is an offer to be made.
type OfferDraft struct {
	Pin      canon.Digest // of a document that is held, verified and reviewed
	Source   string       // where it is published
	Required bool         // a decline ends the exchange
	Name     string       // a label for people
	// Graph sends the offer as RDF in Turtle rather than as JSON.
	Graph bool
}

// IntentDraft is an intent to be sent.
type IntentDraft struct {
	Pin canon.Digest
	// Graph is the intent. It is written in a format that the peer reads, unless Body is
	// given.
	Graph *rdf.Dataset
	// Body is the intent as it is to be sent, with its media type.
	Body, MediaType string
	// Presentation is a chain of credentials in JSON, nil for none, made for the
	// challenge that the peer issued.
	Presentation []byte
	// Comment is a text for people that goes along, "" for none. Nothing interprets it.
	Comment string
}

// Answer is what an intent is answered with.
type Answer struct {
	// Graph is the response graph, written in a format that the peer reads, unless Body
	// is given. A document with a response shape demands one or the other.
	Graph           *rdf.Dataset
	Body, MediaType string
	// Text is a text for people.
	Text string
	// TaskID is the task that the answer is of, "" for none.
	TaskID string
}
