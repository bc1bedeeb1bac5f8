package vc

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// Profile says how a document becomes the RDF that was signed (section 2.1).
type Profile uint8

// The profiles.
const (
	ProfileW3C  Profile = iota // JSON-LD, as the recommendations say
	ProfileSVC                 // structured lowering, the solid-vc compatible profile
	ProfileAuto                // W3C when the document has an @context, else SVC
)

// String returns the name: "w3c", "svc" or "auto".
func (p Profile) String() string {
	switch p {
	case ProfileW3C:
		return "w3c"
	case ProfileSVC:
		return "svc"
	}
	return "auto"
}

// ProfileByName returns the profile with a name as [Profile.String] gives it.
func ProfileByName(name string) (Profile, bool) {
	for _, p := range []Profile{ProfileW3C, ProfileSVC, ProfileAuto} {
		if p.String() == name {
			return p, true
		}
	}
	return 0, false
}

// Config says what a [Verifier] trusts.
type Config struct {
	// Keys finds the keys of issuers and holders. It is required.
	Keys Resolver
	// Profile is ProfileW3C by default.
	Profile Profile
	// Contexts are the JSON-LD contexts that documents of the W3C profile may refer
	// to; there are no others, and nothing is fetched. Nil is none, which refuses every
	// credential of that profile, or leaves its claims unread where it has JCS proofs
	// alone and grants no authority; [jsonld.Builtin] has those of W3C.
	Contexts *jsonld.Contexts
	// Suites are the allowed cryptosuites; empty means all of [Cryptosuites], with
	// Authority [AuthorityCryptosuites].
	Suites []Cryptosuite
	// Issuers are the trusted issuers; empty trusts every issuer that proves that it is
	// the issuer.
	Issuers []string
	// StatusListIssuers may issue the status lists of credentials of others. By
	// default a list counts only when its issuer is that of the credential.
	StatusListIssuers []string
	// Authority demands what credentials that grant authority must have (section 2.9):
	// a lossless graph whatever the cryptosuite, an id, exactly one subject, contexts
	// at the top alone that define no default vocabulary, no inline context but
	// [jsonld.AuthorizationContext], no audience or key of its holder as web tokens have
	// them (aud, cnf), and proofs that do not build on others and are for no domain or
	// challenge but those of the presentation that the credential comes in.
	Authority bool
	// Documents reads status lists and policies; without it every document that needs
	// one is refused.
	Documents Documents
	// Revoked remembers revocations; nil remembers none.
	Revoked RevocationMemory
	// Skew is how far in the future a proof's created may be; 0 means 5 minutes, and
	// an hour is the most.
	Skew time.Duration
	// InsecureAnyRelationship lets a key that a controller document lists for one
	// purpose serve every purpose. It is for controller documents of software that does
	// not know purposes; with it a key that may only authenticate can issue credentials.
	InsecureAnyRelationship bool
	// Limits bounds what documents may cost; the zero Limits are [DefaultLimits].
	Limits Limits
}

// Verifier verifies credentials and presentations. Make one with [New]. It is
// immutable and safe for concurrent use.
type Verifier struct {
	config   Config
	vetted   map[string]bool  // whether authority may use it, by the IRIs of all contexts
	inline   strictjson.Value // the inline context that it may use
	work     *work            // that calls share, nil for none
	listOf   *Credential      // whose status list is verified, nil for every other document
	receiver Expected         // of the presentation that a credential comes in
}

// New makes a Verifier. It fails without Keys, and for a profile, a cryptosuite or a
// skew that does not exist.
func New(c Config) (*Verifier, error) {
	const skew, longest = 5 * time.Minute, time.Hour
	switch {
	case c.Keys == nil:
		return nil, errors.New("expected a resolver of keys")
	case c.Profile > ProfileAuto:
		return nil, fmt.Errorf("unknown profile %d", c.Profile)
	case c.Skew < 0 || c.Skew > longest:
		return nil, fmt.Errorf("expected a skew of at most an hour, found %s", c.Skew)
	}
	for _, s := range c.Suites {
		if !slices.Contains(Cryptosuites(), s) {
			return nil, fmt.Errorf("unknown cryptosuite %q", string(s))
		}
	}
	c.Suites, c.Issuers, c.StatusListIssuers = slices.Clone(c.Suites), slices.Clone(c.Issuers), slices.Clone(c.StatusListIssuers)
	if len(c.Suites) == 0 {
		if c.Suites = Cryptosuites(); c.Authority {
			c.Suites = AuthorityCryptosuites()
		}
	}
	if c.Skew == 0 {
		c.Skew = skew
	}
	c.Limits = c.Limits.OrDefault()
	inline, err := strictjson.Parse(jsonld.AuthorizationContext.JSON(), strictjson.Limits{})
	if err != nil {
		return nil, err // not reached: the context is JSON
	}
	return &Verifier{config: c, vetted: vet(c.Contexts), inline: inline}, nil
}

// vet says of every context of a table whether authority may use it: it must have no
// vocabulary, base, import or propagation of its own (section 2.9, rule 5).
func vet(contexts *jsonld.Contexts) map[string]bool {
	out := map[string]bool{}
	for _, iri := range contexts.IRIs() {
		v, err := strictjson.Parse(contexts.Document(iri), strictjson.Limits{Bytes: jsonld.Local().ContextBytes, Members: jsonld.Local().Members, Values: jsonld.Local().Values})
		out[iri] = err == nil && harmless(v)
	}
	return out
}

// harmless reports whether a context leaves the terms of others alone.
func harmless(v strictjson.Value) bool {
	for _, name := range [...]string{"@vocab", "@base", "@import", "@propagate"} {
		for range v.Named(name) {
			return false
		}
	}
	for version := range v.Named("@version") {
		if n, ok := version.Float64(); !ok || n != 1.1 {
			return false
		}
	}
	return true
}

// Receiving returns a Verifier like v for credentials that came in a presentation which was
// verified with what it was expected to be bound to: their own proofs may be for that domain
// or challenge, see [Config.Authority]. [Verifier.VerifyPresentation] needs none.
func (v *Verifier) Receiving(presentation Expected) *Verifier {
	one := *v
	one.receiver = presentation
	one.receiver.Domain = slices.Clone(presentation.Domain)
	return &one
}

// profileOf returns the profile of a document.
func (v *Verifier) profileOf(root strictjson.Value) Profile {
	if v.config.Profile != ProfileAuto {
		return v.config.Profile
	}
	if root.Get("@context").Exists() {
		return ProfileW3C
	}
	return ProfileSVC
}
