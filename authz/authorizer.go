package authz

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
	"github.com/rdfproto/rdfproto/rdf"
)

// Binding says what ties the content of a policy to its credential (section 6.1).
type Binding uint8

const (
	// BindingRequired refuses a policy whose content the credential's issuer did not
	// sign, by a digest or as part of the credential.
	BindingRequired Binding = iota
	// InsecureBindingPresented compares with digests where a credential has them
	// and accepts a policy without, provisionally. It is for audits.
	InsecureBindingPresented
	// InsecureBindingOff compares nothing. It is for conformance vectors.
	InsecureBindingOff
)

// String returns "required", "presented" or "off".
func (b Binding) String() string {
	switch b {
	case BindingRequired:
		return "required"
	case InsecureBindingPresented:
		return "presented"
	}
	return "off"
}

// PolicyMemory remembers revoked policies by who made them: one that was once seen
// revoked stays so, whatever comes later, and one of another party with the same IRI
// is another policy. The assigner is the verified issuer of the policy's credential. A
// policy that was withdrawn by the name of its credential is remembered by that name:
// another credential may bind it. It must be safe for concurrent use.
type PolicyMemory interface {
	// RevokedPolicy reports whether a policy of an assigner is remembered.
	RevokedPolicy(assigner, iri string) (bool, error)
	// RememberPolicy remembers it.
	RememberPolicy(assigner, iri string) error
}

// Config says what an [Authorizer] trusts and demands.
type Config struct {
	// Verifier verifies credentials. It must be made with [vc.Config.Authority].
	// Without [vc.Config.Documents] a credential with a status is refused.
	Verifier *vc.Verifier
	// Binding is BindingRequired by default.
	Binding Binding
	// DocumentReference lets a credential name a policy by the address of the one
	// document that holds it (AZ-6.1). By default it must name the policy itself.
	DocumentReference bool
	// CanonicalDigests also accepts a digestMultibase over the canonical form of a
	// policy document (section 6.4). By default digests are over its octets alone.
	CanonicalDigests bool
	// MaxPolicies is how many policies a chain may have, the root included; nil
	// means [delegation.DefaultMaxPolicies]. A number that is not positive denies all.
	MaxPolicies *int
	// RequireDuties denies when any duty of the chain is unfulfilled.
	RequireDuties bool
	// Gates says by the IRI of an action what an unfulfilled duty of it does (section
	// 7.8); [delegation.Record] is the default. [New] refuses keys that are not actions
	// of ODRL, and delegation.Record for an action that the delegation profile lacks:
	// its duties block in any case.
	Gates map[string]delegation.Gate
	// Revoked remembers revoked policies; nil remembers none. Credentials are
	// remembered by [vc.Config.Revoked].
	Revoked PolicyMemory
	// Challenges says which challenges were issued and are not used yet. With it a
	// presentation counts once; without it the caller must ensure that.
	Challenges ChallengeStore
	// InsecureDateTime lets an attribute dateTime of an ask replace the time of the
	// decision. It is for conformance vectors.
	InsecureDateTime bool
	// InsecureWithoutActor takes a request without an actor as one of the party that
	// the chain authorizes (AZ-3.22). By default such a request is denied, because
	// everyone with a copy of a chain could use it.
	InsecureWithoutActor bool
	// Engine is the name and version of the software, for records; "" leaves it out.
	Engine string
	// Limits bounds the work.
	Limits Limits
}

// Limits bounds what a chain may cost (section 1.10). A number that is not positive
// means that of [DefaultLimits].
type Limits struct {
	Credentials int // of one chain, and as many policies; more than the longest chain allowed
	PolicyBytes int // of one policy or revocation document
	Quads       int // of one policy or revocation document
	Documents   int // that withdraw policies
	Asks        int // of one request: an intent can name many targets
	VC          vc.Limits
}

// DefaultLimits returns the limits of section 1.10.
func DefaultLimits() Limits {
	return Limits{
		Credentials: 16,
		PolicyBytes: 256 << 10,
		Quads:       10_000,
		Documents:   256, // a party publishes one, and a chain has 8 parties
		Asks:        256, // each is put to every policy three times
		VC:          vc.DefaultLimits(),
	}
}

func (l Limits) orDefault() Limits {
	d := DefaultLimits()
	for _, f := range []struct{ from, to *int }{
		{&l.Credentials, &d.Credentials}, {&l.PolicyBytes, &d.PolicyBytes}, {&l.Quads, &d.Quads}, {&l.Documents, &d.Documents}, {&l.Asks, &d.Asks},
	} {
		if *f.from > 0 {
			*f.to = *f.from
		}
	}
	d.VC = l.VC.OrDefault()
	return d
}

// Authorizer makes authority decisions. Make one with [New]. It is immutable, and safe
// for concurrent use if the parts of its [Config] are. The zero Authorizer decides nothing:
// each call is an error.
type Authorizer struct{ config Config }

// made fails for an Authorizer that New did not make.
func (a *Authorizer) made() error {
	if a == nil || a.config.Verifier == nil {
		return errors.New("expected an authorizer that New has made")
	}
	return nil
}

// New makes an Authorizer. It fails without a Verifier, for a binding mode that does not
// exist, and for gates that would not be followed.
func New(c Config) (*Authorizer, error) {
	if c.Verifier == nil {
		return nil, fmt.Errorf("expected a verifier of credentials")
	}
	if c.Binding > InsecureBindingOff {
		return nil, fmt.Errorf("unknown binding mode %d", c.Binding)
	}
	if err := checkGates(c.Gates); err != nil {
		return nil, err
	}
	if c.MaxPolicies != nil {
		n := *c.MaxPolicies
		if n > math.MaxInt32 || n < math.MinInt32 { // a record could not say it exactly
			return nil, fmt.Errorf("expected a longest chain that one could have, found %d", n)
		}
		c.MaxPolicies = &n
	}
	c.Gates = maps.Clone(c.Gates)
	c.Limits = c.Limits.orDefault()
	return &Authorizer{config: c}, nil
}

// checkGates refuses gates that no duty would ever meet, or that would not be followed:
// the author of the configuration relies on them. A duty of an action that the delegation
// profile does not know blocks in any case, so that for the other actions of ODRL only
// Block is allowed.
func checkGates(gates map[string]delegation.Gate) error {
	known := map[string]odrl.Dialect{}
	for _, d := range []odrl.Dialect{odrl.InformationModel, odrl.DelegationProfile} {
		for _, a := range odrl.Support(d).Actions {
			known[a.Action] = d
		}
	}
	for _, iri := range slices.Sorted(maps.Keys(gates)) {
		dialect, ok := known[iri]
		gate := gates[iri]
		switch {
		case !ok:
			return fmt.Errorf("expected the IRI of an action of ODRL for a gate, found %q", rdf.Abbreviate(iri))
		case gate != delegation.Record && gate != delegation.Block:
			return fmt.Errorf("unknown gate %d for <%s>", gate, rdf.Abbreviate(iri))
		case gate == delegation.Record && dialect != odrl.DelegationProfile:
			return fmt.Errorf("a duty <%s> is not one of the delegation profile and blocks in any case", rdf.Abbreviate(iri))
		}
	}
	return nil
}
