package authz

import (
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/internal/lifetime"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// bind is phase B: whether credentials, policies and principals belong together, read
// from what was verified.
func (w *walk) bind() bool {
	for i := range w.hops { // AZ-3.10, AZ-3.11
		if !w.claims(i) {
			return false
		}
	}
	for i := range w.hops {
		if !w.content(i) {
			return false
		}
	}
	if !w.principals() {
		return false
	}
	for _, policy := range w.named {
		if !slices.ContainsFunc(w.hops, func(h hop) bool { return h.called(policy) }) {
			return w.deny(mismatched("8.5", -1), "the intent names the policy <%s>, which is not in the chain", rdf.Abbreviate(policy))
		}
	}
	return len(w.named) == 0 || w.ok(PhaseB, "8.5", -1)
}

// claims reads what a verified credential claims, which must be what it announced.
func (w *walk) claims(i int) bool {
	h := &w.hops[i]
	a := &w.announced[h.credential]
	subject := h.cred.Subject()
	switch {
	case subject.Kind() != rdf.KindIRI:
		return w.deny(mismatched("AZ-3.10", i), "the subject of the credential is no IRI")
	case subject.Value() != h.cred.Issuer():
		return w.deny(Check{Phase: PhaseB, Step: "AZ-3.10", Hop: i, Code: CodeSubjectIssuerMismatch},
			"the credential of <%s> is about <%s>", rdf.Abbreviate(h.cred.Issuer()), rdf.Abbreviate(subject.Value()))
	}
	w.ok(PhaseB, "AZ-3.10", i)
	parties, policies := h.cred.Claims(vocab.SVCAuthorizes), h.cred.Claims(vocab.SVCPolicy)
	switch {
	case !h.cred.HasType(vocab.SVCAgentAuthorizationCredential):
		return w.deny(mismatched("AZ-3.7", i), "the credential is no Agent Authorization Credential")
	case len(parties) != 1 || parties[0].Kind() != rdf.KindIRI:
		return w.deny(mismatched("AZ-3.7", i), "the credential does not authorize one agent that is an IRI")
	case len(policies) != 1:
		return w.deny(mismatched("AZ-3.7", i), "the credential names %d policies", len(policies))
	case a.form == policyReference && (policies[0].Kind() != rdf.KindIRI || policies[0].Value() != a.policy):
		return w.deny(mismatched("AZ-3.7", i), "the credential names another policy than it announced")
	}
	h.authorizes = parties[0].Value()
	w.d.Hops[i].Authorizes = h.authorizes
	return true
}

// content compares a policy with the content that its credential signs (AZ-3.12,
// section 6.1).
func (w *walk) content(i int) bool {
	h := &w.hops[i]
	a := &w.announced[h.credential]
	if property := w.stray(h, a.form); property != "" {
		c := Check{Phase: PhaseB, Step: "AZ-3.12", Hop: i, Code: CodePolicyIntegrity}
		return w.deny(c, "the credential says something by <%s> beside its policy", rdf.Abbreviate(property))
	}
	if a.form == policyReference {
		if w.config.Binding == InsecureBindingOff || w.config.Binding == InsecureBindingPresented && !digested(h.cred, a.policy) {
			w.d.PolicyIntegrityProvisional = true
			return true
		}
	}
	o := vc.BindOptions{Canonical: w.config.CanonicalDigests}
	want := vc.FormEmbedded
	if a.form == policyReference {
		want = vc.FormReference
		o.Content = &vc.Document{Content: h.content, MediaType: h.syntax.MediaType()}
	}
	b, err := w.config.Verifier.BindPolicy(w.ctx, h.cred, o)
	if err != nil {
		return w.stop(err)
	}
	c := Check{Phase: PhaseB, Step: "AZ-3.12", Hop: i, Code: CodePolicyIntegrity, Findings: b.Findings()}
	switch {
	case len(c.Findings) > 0:
		return w.deny(c, "%s", c.Findings[0].Text)
	case !b.Bound() || b.Form() != want:
		return w.deny(c, "the content of the policy is not bound to the credential")
	}
	w.d.Hops[i].Binding = string(b.Form())
	return w.ok(PhaseB, "AZ-3.12", i)
}

// grants are the claims of a subject that say what a credential grants.
var grants = [...]string{vocab.SVCAuthorizes, vocab.SVCPolicy, vocab.SVCAction, vocab.SVCTarget}

// ofCredentials reports whether a property is of the vocabulary of credentials or of a
// namespace that is nearly it, as its prefix where there is no context that has it.
func ofCredentials(property string) bool {
	property = strings.ToLower(property)
	return strings.Contains(property, "solid-vc") || strings.HasPrefix(property, "svc:")
}

// stray returns a property that a credential has where it is not read, "" for none: one
// of ODRL where there is no policy. It would be lost, and may be a prohibition, or a
// refinement of what the credential says that it is about: where the policy is a document
// the credential has none at all, and where it is part of the credential, the credential
// and its subject say nothing but what they are part of. What a credential grants would be
// lost as well on any other node than its subject, as the credential's own, one level off,
// and so would what the vocabulary says about either, or about a policy or a target, by a
// term that is not known here, or that is misspelt: it may narrow the grant. A type, which
// the SVC form makes a term of that vocabulary, does not. And so would what ends or replaces
// the subject, or a policy of the chain by each of its names, in any vocabulary; what ends
// the credential itself is refused before.
func (w *walk) stray(h *hop, form policyForm) string {
	g, node, ok := h.cred.Graph()
	if !ok {
		return ""
	}
	d := g.Dataset()
	subject := d.Lookup(h.cred.Subject())
	// What a credential with its policy says of one of the chain is found where the chain is
	// decided. The name may be a literal, where JSON-LD has no type for it.
	isPolicy := func(id rdf.ID) bool {
		named := func(h hop) bool { return h.called(d.Value(id)) }
		return form == policyReference && d.Kind(id) != rdf.KindBlank && slices.ContainsFunc(w.hops, named)
	}
	kinds := map[rdf.ID]claimKind{} // each is looked at once: a claim can have a long name and thousands of values
	inForce := map[rdf.ID]bool{}    // statuses that were looked at
	isOver := func(status rdf.ID) bool {
		inForce[status] = inForce[status] || !lifetime.OverIn(d.Default(), status)
		return !inForce[status]
	}
	for q := range d.Quads() {
		property := d.Value(q.P)
		kind, known := kinds[q.P]
		if !known {
			kind = kindOf(property)
			kinds[q.P] = kind
		}
		switch {
		case kind.grant:
			if q.S != subject || q.G != 0 {
				return property
			}
		case kind.credentials && property != vocab.SVC+"type" &&
			(q.S == node || q.S == subject || form == policyReference && d.Kind(q.S) == rdf.KindIRI):
			return property
		case kind.limits && q.S == subject, kind.ends && isPolicy(q.O),
			(kind.bounds || kind.status) && isPolicy(q.S) && (kind.bounds || isOver(q.O)):
			return property
		case !kind.odrl:
		case form == policyReference, (q.S == node || q.S == subject) && property != vocab.ODRLPartOf:
			return property
		}
	}
	return ""
}

// claimKind says of what vocabularies a property is.
type claimKind struct {
	grant       bool // one of grants
	credentials bool // see ofCredentials
	odrl        bool // also of a namespace that is nearly that of ODRL
	limits      bool // reads like a beginning or an end
	bounds      bool // likewise, of what is in force or not
	status      bool // says by its value that something goes on or is over
	ends        bool // says of its value that it is over
}

func kindOf(property string) claimKind {
	return claimKind{
		grant: slices.Contains(grants[:], property), credentials: ofCredentials(property),
		odrl:   strings.Contains(strings.ToLower(property), "odrl"),
		limits: lifetime.Limits(property), bounds: lifetime.Bounds(property), status: lifetime.Status(property),
		ends: property == vocab.DCReplaces || property == vocab.PROVInvalidated,
	}
}

// digested reports whether a verified credential has a digest of a policy.
func digested(c *vc.Credential, policy string) bool {
	return slices.ContainsFunc(c.RelatedResources(), func(r vc.RelatedResource) bool { return r.ID == policy })
}

// principals checks who granted to whom (AZ-3.13 to AZ-3.17).
func (w *walk) principals() bool {
	if issuer := w.hops[0].cred.Issuer(); issuer != w.root {
		return w.deny(mismatched("AZ-3.13", 0), "the chain comes from <%s>, not from <%s>", rdf.Abbreviate(issuer), rdf.Abbreviate(w.root))
	}
	w.ok(PhaseB, "AZ-3.13", 0)
	for i := range w.hops {
		h := &w.hops[i]
		if assigner := h.policy.Assigner(); assigner != h.cred.Issuer() {
			return w.deny(mismatched("AZ-3.14", i), "the policy is by <%s>, its credential by <%s>", rdf.Abbreviate(assigner), rdf.Abbreviate(h.cred.Issuer()))
		}
	}
	w.ok(PhaseB, "AZ-3.14", -1)
	last := len(w.hops) - 1
	for i := range last {
		if next := w.hops[i+1].policy.Assigner(); w.hops[i].authorizes != next {
			return w.deny(mismatched("AZ-3.15", i), "the credential authorizes <%s>, the next policy is by <%s>",
				rdf.Abbreviate(w.hops[i].authorizes), rdf.Abbreviate(next))
		}
	}
	w.ok(PhaseB, "AZ-3.15", -1)
	leaf := &w.hops[last]
	if assignee := leaf.policy.Assignee(); assignee != "" && assignee != leaf.authorizes {
		return w.deny(mismatched("AZ-3.16", last), "the policy is for <%s>, its credential authorizes <%s>", rdf.Abbreviate(assignee), rdf.Abbreviate(leaf.authorizes))
	}
	w.ok(PhaseB, "AZ-3.16", last)
	w.d.LeafAssignee = leaf.authorizes
	if w.requiredLeaf != "" {
		if leaf.authorizes != w.requiredLeaf {
			return w.deny(mismatched("AZ-3.17", last), "the chain authorizes <%s>, not <%s>", rdf.Abbreviate(leaf.authorizes), rdf.Abbreviate(w.requiredLeaf))
		}
		w.ok(PhaseB, "AZ-3.17", last)
	}
	return true
}
