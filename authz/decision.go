package authz

import (
	"fmt"
	"time"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
)

// Decision is the answer to one [Request]. The zero Decision denies.
type Decision struct {
	authorized bool
	// Phase is the phase that decided, PhaseComplete when everything is authorized.
	Phase Phase
	// Code says why not, "" exactly when everything is authorized.
	Code Code
	// Reason says why not in words. It may name other parties, and is for the receiver
	// alone (section 8.6).
	Reason string
	// Hop is the hop of the chain at which it broke, the root being 0; -1 for the
	// chain as a whole.
	Hop int
	// Hops is the chain, root first, as far as it was assembled.
	Hops []Hop
	// LeafAssignee is the party that the chain authorizes, as far as phase B found
	// it.
	LeafAssignee string
	// Duties are those of the chain for all asks. They are complete only when the
	// chain permits.
	Duties []odrl.DutyStatus
	// Checks are all checks that were made, in order; the last one failed unless
	// everything is authorized.
	Checks []Check
	// PolicyIntegrityProvisional: some policy of either chain was accepted without
	// a check of its content.
	PolicyIntegrityProvisional bool
	// Actor is the decision on the actor's chain, nil if that was not reached.
	Actor *Decision
	// At is the instant of all checks.
	At time.Time

	request   *Request
	presented *Presented // nil for a chain that did not come as a presentation
	config    *Config
	revoked   []string // that were consulted, sorted
}

// Authorized reports whether everything that was asked for is authorized.
func (d Decision) Authorized() bool { return d.authorized }

// String returns the phase, the reason and the code.
func (d Decision) String() string {
	switch {
	case d.authorized:
		return "authorized"
	case d.Phase == "":
		return "not decided"
	}
	return fmt.Sprintf("phase %s: %s [%s]", d.Phase, d.Reason, d.Code)
}

// Hop is one step of a chain: a policy, and the credential that binds it.
type Hop struct {
	Policy           string `json:"policy"`
	PolicyDigest     string `json:"policyDigest,omitempty"` // of the octets; "" for a policy that is part of its credential
	Assigner         string `json:"assigner,omitempty"`     // as the policy names it
	Assignee         string `json:"assignee,omitempty"`
	Credential       string `json:"credential,omitempty"`
	CredentialDigest string `json:"credentialDigest,omitempty"` // section 5.2
	// Verified: the credential passed phase A. Only then are the following known.
	Verified    bool          `json:"verified"`
	Issuer      string        `json:"issuer,omitempty"`
	Authorizes  string        `json:"authorizes,omitempty"`
	ValidFrom   string        `json:"validFrom,omitempty"`
	ValidUntil  string        `json:"validUntil,omitempty"`
	Profile     string        `json:"profile,omitempty"`
	Cryptosuite string        `json:"cryptosuite,omitempty"`
	Method      string        `json:"verificationMethod,omitempty"`
	Binding     string        `json:"binding,omitempty"` // "embedded", "reference", or "" for a content that was not checked
	Status      []StatusEntry `json:"status,omitempty"`
}

// StatusEntry is a status that a credential has.
type StatusEntry struct {
	List      string `json:"list"`
	ValidFrom string `json:"validFrom,omitempty"` // of the list
	Index     string `json:"index"`
	Purpose   string `json:"purpose"`
	Set       bool   `json:"set"`
}

// Check is one check of a decision and what came of it.
type Check struct {
	Phase Phase `json:"phase"`
	// Step is the requirement of section 3.2, as "AZ-3.13", or another of the
	// specification.
	Step string `json:"step"`
	// Hop is the index of the hop that was checked, 0 for the root and -1 for the chain
	// as a whole.
	Hop  int  `json:"hop"`
	OK   bool `json:"ok"`
	Code Code `json:"code,omitempty"` // of a check that failed
	// Why says in words what failed.
	Why string `json:"why,omitempty"`
	// Findings are those of a credential or of its status.
	Findings []vc.Finding `json:"findings,omitempty"`
	// Policies are the checks of the chain's policies for one ask, in phase D.
	Policies []delegation.Check `json:"policies,omitempty"`
}

// found says why a credential, its status or a presentation is refused: what the verifier
// found first, whose code is that of the check, and of which credential.
func (c *Check) found() string {
	if len(c.Findings) == 0 {
		return c.Code.Text()
	}
	if f := &c.Findings[0]; f.Credential > 0 {
		return fmt.Sprintf("credential %d: %s", f.Credential, f.Text)
	}
	return c.Findings[0].Text
}
