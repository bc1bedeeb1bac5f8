package authz

import (
	"context"
	"errors"
	"slices"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// AuthorizePresentation decides as [Authorizer.Authorize] does for a chain that comes
// as a presentation (section 5.4): its credentials come root first, perhaps followed by
// those of the actor's chain, and its holder is the acting party. The presentation must
// be made for the challenge and the domain in expected, whose Holder and DeferStatus are
// not read: this method chooses the rule of holder binding and checks the status.
//
// The request has the policies of both chains in Chain.Policies, and no credentials. If
// it names an actor, which was then authenticated by other means, that must be the
// holder.
func (a *Authorizer) AuthorizePresentation(ctx context.Context, r Request, presentation []byte, expected vc.Expected) (Decision, error) {
	if err := a.made(); err != nil {
		return Decision{}, err
	}
	if len(r.Chain.Credentials) > 0 {
		return Decision{}, errors.New("expected the credentials in the presentation alone")
	}
	authenticated := r.Actor
	expected.Holder, expected.DeferStatus = vc.HolderLeaf, true
	if r.ActorChain != nil {
		expected.Holder = vc.HolderUnbound // it is bound by that chain
	}
	report, err := a.config.Verifier.VerifyPresentation(ctx, presentation, expected, r.Now)
	if err != nil {
		return Decision{}, err
	}
	w := a.walk(ctx, &r, &r.Chain, r.RootPrincipal, "", nil)
	w.d.presented = &Presented{
		Digest: canon.Sum(presentation).String(), Challenge: expected.Challenge, Exchange: r.Exchange,
		Domain: slices.Compact(slices.Sorted(slices.Values(expected.Domain))),
	}
	c := Check{Phase: PhaseA, Step: "5.1", Hop: -1, Code: Code(report.Code()), Findings: report.Findings()}
	if !report.Verified() {
		w.deny(c, "the presentation is not verified: %s", c.found())
		return w.d, nil
	}
	p := report.Presentation()
	w.d.presented.Holder = p.Holder()
	if store := a.config.Challenges; store != nil { // AZ-5.2: on first verified use
		fresh, err := store.Use(expected.Challenge, r.Exchange)
		if err != nil {
			return Decision{}, err
		}
		if !fresh {
			c.Step, c.Code = "AZ-5.2", Code(vc.CodeChallengeMismatch)
			w.deny(c, "the challenge was not issued for this exchange, is too old or was used before")
			return w.d, nil
		}
	}
	if authenticated != "" && authenticated != p.Holder() {
		c.Code = Code(vc.CodeHolderUnverified)
		w.deny(c, "<%s> is authenticated, <%s> presents", rdf.Abbreviate(authenticated), rdf.Abbreviate(p.Holder()))
		return w.d, nil
	}
	r.Actor = p.Holder()
	texts, err := credentialTexts(presentation, a.config.Limits.VC)
	if err != nil { // the verifier has wider limits
		c.Code = Code(vc.CodeMalformed)
		w.deny(c, "the presentation exceeds the limits of this decision: %s", err)
		return w.d, nil
	}
	if n, most := len(r.Chain.Policies), 2*a.config.Limits.Credentials; n > most { // before they are read to be divided
		w.deny(malformed("1.10"), "there are %d policies, at most %d are looked at", n, most)
		return w.d, nil
	}
	documents := a.readPolicies(ctx, &r)
	if at := a.secondRoot(p, documents); at > 0 {
		if r.ActorChain != nil {
			w.deny(malformed("5.4"), "there are two chains of the actor")
			return w.d, nil
		}
		r.ActorChain = &Chain{Credentials: texts[at:], RootFirst: true}
		r.Chain.Policies, r.ActorChain.Policies = a.divide(r.Chain.Policies, documents, p.Credentials()[at:])
		texts = texts[:at]
	}
	r.Chain.Credentials, r.Chain.RootFirst = texts, true
	one := *a
	one.config.Verifier = a.config.Verifier.Receiving(expected)
	d, err := one.Authorize(ctx, r)
	if err == nil {
		d.presented = w.d.presented
		d.Checks = append([]Check{{Phase: PhaseA, Step: "5.1", Hop: -1, OK: true}}, d.Checks...)
	}
	return d, err
}

// credentialTexts returns the credentials of a presentation, each as a document.
func credentialTexts(presentation []byte, limits vc.Limits) ([][]byte, error) {
	root, err := strictjson.Parse(presentation, strictjson.Limits{Bytes: limits.PresentationBytes, Depth: limits.Depth})
	if err != nil {
		return nil, err
	}
	var out [][]byte
	for _, v := range elements(root.Get("verifiableCredential")) {
		out = append(out, []byte(v.Source()))
	}
	return out, nil
}

// readPolicies reads the policies of a request. The zero document stands for one that
// cannot be read, which the decision refuses.
func (a *Authorizer) readPolicies(ctx context.Context, r *Request) []document {
	w := a.walk(ctx, r, &r.Chain, r.RootPrincipal, "", nil)
	documents := make([]document, len(r.Chain.Policies))
	for i := range r.Chain.Policies {
		if ctx.Err() != nil {
			break // as the decision does
		}
		if doc, err := w.read(&r.Chain.Policies[i]); err == nil {
			documents[i] = doc
		}
	}
	return documents
}

// secondRoot returns the index of the first credential after the very first one whose
// policy is delegated under none: a second chain begins there. It is 0 when there is
// none.
func (a *Authorizer) secondRoot(p *vc.Presentation, documents []document) int {
	parents := a.parents(documents)
	for i, c := range p.Credentials() {
		if i == 0 {
			continue
		}
		if parent, known := a.parentOf(c, parents); known && parent == "" {
			return i
		}
	}
	return 0
}

// parents returns which policy is delegated under which, by what a credential can name it.
func (a *Authorizer) parents(documents []document) map[string]string {
	out := map[string]string{}
	for i := range documents {
		doc := &documents[i]
		if doc.policy == nil {
			continue
		}
		out[doc.policy.IRI()] = doc.policy.DelegatedUnder()
		if a.config.DocumentReference && doc.iri != "" {
			out[doc.iri] = doc.policy.DelegatedUnder()
		}
	}
	return out
}

// parentOf returns the policy that the policy of a credential is delegated under, and
// whether that is known.
func (a *Authorizer) parentOf(c *vc.Credential, parents map[string]string) (string, bool) {
	policies := c.Claims(vocab.SVCPolicy)
	if len(policies) != 1 {
		return "", false
	}
	if parent, ok := parents[policies[0].Value()]; ok && policies[0].Kind() == rdf.KindIRI {
		return parent, true
	}
	p, why := embeddedPolicy(c)
	if why != "" {
		return "", false
	}
	return p.DelegatedUnder(), true
}

// divide gives the credentials of the actor's chain their policies, and the primary
// chain the others.
func (a *Authorizer) divide(policies []PolicyDocument, documents []document, actor []*vc.Credential) (primary, ofActor []PolicyDocument) {
	named := map[string]bool{}
	for _, c := range actor {
		for _, t := range c.Claims(vocab.SVCPolicy) {
			named[t.Value()] = t.Kind() == rdf.KindIRI
		}
	}
	for i := range policies {
		doc := &documents[i]
		if doc.policy != nil && (named[doc.policy.IRI()] || a.config.DocumentReference && named[doc.iri]) {
			ofActor = append(ofActor, policies[i])
		} else {
			primary = append(primary, policies[i])
		}
	}
	return primary, ofActor
}
