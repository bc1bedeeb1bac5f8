package engine

import (
	"context"
	"time"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
)

// Question is what an [Authorizer] is asked: an intent that was validated, and what its
// sender presents.
type Question struct {
	Peer     Peer
	Graph    *rdf.Dataset
	Intent   rdf.Term // the node of the graph that is the intent
	Document *protocol.Document
	Content  canon.Digest // of the message, for records

	// Policies are the values of odrl:hasPolicy of the intent. Each must be in the chain,
	// see [Authority.Policies].
	Policies []string
	// Presentation is the chain as a presentation, nil for none. It is untrusted, and must
	// be bound to Challenge and Domain. Without a Challenge, it was not made for one that
	// was issued in this context and is still valid, and must not count.
	Presentation      []byte
	Challenge, Domain string

	MessageID, ContextID, TaskID string
	SecurityBearing              bool
	Now                          time.Time // the one instant of all checks
}

// Authority is what an [Authorizer] answers. The zero Authority denies.
type Authority struct {
	// Permit says that the intent may be carried out.
	Permit bool
	// Policies are those of the verified chain. An intent that names any other is denied,
	// whatever Permit says (a2a-rdf, INT-4).
	Policies []string
	// Verified reports that the presentation was verified for the challenge, which is
	// then used up, whatever the decision.
	Verified bool
	// Reason says why, for this side alone.
	Reason string
	// Record is a record of the decision for later audits, nil for none.
	Record []byte
}

// Authorizer decides whether an intent may be carried out for its sender (a2a-rdf,
// INT-5 and section 7.6). An error denies. It must be safe for concurrent use.
type Authorizer interface {
	Authorize(ctx context.Context, q *Question) (Authority, error)
}

// AuthorizerFunc is a function as an Authorizer.
type AuthorizerFunc func(ctx context.Context, q *Question) (Authority, error)

// Authorize implements Authorizer.
func (f AuthorizerFunc) Authorize(ctx context.Context, q *Question) (Authority, error) {
	return f(ctx, q)
}
