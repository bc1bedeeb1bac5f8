package authz

import (
	"errors"
	"fmt"
	"time"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
)

// PolicyDocument is a document with one policy. It is untrusted.
type PolicyDocument struct {
	Content []byte
	Syntax  rdfio.Syntax // Turtle by default
	// IRI is where it was read, "" when that is not known: relative references are then
	// refused.
	IRI string
}

// Chain is what a party presents for its authority: credentials, and the policies
// that are not part of them. It is untrusted.
type Chain struct {
	Credentials [][]byte
	Policies    []PolicyDocument
	// RootFirst demands that the credentials come in the order of the chain, as they
	// must in a presentation (AZ-3.6). Otherwise their order does not matter.
	RootFirst bool
}

// RevocationDocument withdraws policies (section 1.7).
type RevocationDocument struct {
	Content []byte
	Syntax  rdfio.Syntax // Turtle by default
	// By is the party that the document is from, as the caller has established:
	// it counts for the policies of that party and those below (AZ-1.2). "" is the
	// caller itself, whose word counts for all.
	By string
}

// Request is one question for an [Authorizer].
type Request struct {
	// Chain is the primary chain.
	Chain Chain
	// RootPrincipal is the party whose authority it must come from: the owner of
	// the target. It is required.
	RootPrincipal string
	// Asks are the actions under test, at least one. All must be permitted. Agent,
	// Now and InsecureDateTime of an ask are not read.
	Asks []odrl.Request
	// Actor is the authenticated party that acts. Without one everything is denied,
	// see [Config.InsecureWithoutActor].
	Actor string
	// ActorChain proves that Actor acts for the party that the primary chain
	// authorizes; nil for none.
	ActorChain *Chain
	// Policies are the values of odrl:hasPolicy of the intent: each must be in the
	// primary chain (section 8.5).
	Policies []string
	// Now is the one instant of all checks. It is required.
	Now time.Time
	// Revoked are the IRIs of withdrawn policies, or of their credentials, by the caller's
	// own knowledge. They are compared exactly: another spelling is another policy.
	Revoked []string
	// Revocations are documents that withdraw policies.
	Revocations []RevocationDocument
	// StatusUnreachable says that a source of revocations could not be read.
	StatusUnreachable bool
	// ClaimedAgent is the party that the intent says is asking, "" for none. It must
	// be Actor or the party that the primary chain authorizes.
	ClaimedAgent string
	// Exchange is what the challenge of a presentation was issued for, see
	// [Config.Challenges].
	Exchange string
	// Protocol and Intent are hashes of the Protocol Document and the intent, for
	// the record alone.
	Protocol, Intent canon.Digest
	// Explain makes phase D say what came of every rule.
	Explain bool
}

// check refuses what only a mistake of the caller can be (AZ-0.2).
func (r *Request) check() error {
	switch y := r.Now.UTC().Year(); {
	case r.Now.IsZero() || y < 1 || y > 9999:
		return errors.New("expected the time of the decision")
	case rdf.CheckIRI(r.RootPrincipal) != nil:
		return fmt.Errorf("expected an IRI for the root principal, found %q", rdf.Abbreviate(r.RootPrincipal))
	case r.Actor != "" && rdf.CheckIRI(r.Actor) != nil:
		return fmt.Errorf("expected an IRI for the actor, found %q", rdf.Abbreviate(r.Actor))
	case len(r.Asks) == 0:
		return errors.New("expected at least one action under test")
	case r.ActorChain != nil && r.Actor == "":
		return errors.New("expected an actor where there is a chain for it")
	}
	// A text that is not an IRI would withdraw nothing, contrary to what its author
	// believes.
	for _, iri := range r.Revoked {
		if rdf.CheckIRI(iri) != nil {
			return fmt.Errorf("expected IRIs of policies that are revoked, found %q", rdf.Abbreviate(iri))
		}
	}
	for i := range r.Revocations {
		if by := r.Revocations[i].By; by != "" && rdf.CheckIRI(by) != nil {
			return fmt.Errorf("expected an IRI for the party that a revocation document is from, found %q", rdf.Abbreviate(by))
		}
	}
	return nil
}
