package authz

import (
	"errors"
	"strings"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/odrl/delegation"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
)

// malformed returns a failed check of the assembly.
func malformed(step string) Check {
	return Check{Phase: PhaseAssembly, Step: step, Hop: -1, Code: CodeChainMalformed}
}

// within makes the checks of the size of the chain, and reads what the credentials
// announce.
func (w *walk) within() bool {
	most := w.config.Limits.Credentials
	if n := max(len(w.chain.Credentials), len(w.chain.Policies)); n > most {
		return w.deny(malformed("1.10"), "the chain has %d credentials or policies, at most %d are looked at", n, most)
	}
	for _, data := range w.chain.Credentials {
		w.announced = append(w.announced, announce(data, w.config.Limits.VC))
	}
	return true
}

// embedded verifies the credentials that carry their policy and reads it (AZ-6.2).
func (w *walk) embedded() bool {
	for i := range w.announced {
		if w.announced[i].form != policyEmbedded {
			continue
		}
		if !w.authentic(i, -1) {
			return false
		}
		policy, why := embeddedPolicy(w.verified[i].Credential())
		if why != "" {
			return w.deny(malformed("AZ-6.2"), "the policy of credential %d: %s", i+1, why)
		}
		w.documents = append(w.documents, document{policy: policy, credential: i})
	}
	return true
}

// bare makes the checks of section 6 that need no content: a credential names one
// policy, and where content must be bound also what its content is.
func (w *walk) bare() bool {
	for i := range w.announced {
		a := &w.announced[i]
		switch {
		case a.form == policySeveral:
			return w.deny(Check{Phase: PhaseB, Step: "6.2", Hop: -1, Code: CodePolicyIntegrity}, "credential %d names more than one policy", i+1)
		case a.form == policyReference && !a.digested && w.config.Binding == BindingRequired:
			return w.deny(Check{Phase: PhaseB, Step: "6.2", Hop: -1, Code: CodePolicyIntegrity}, "credential %d does not say what the policy <%s> contains", i+1, rdf.Abbreviate(a.policy))
		}
	}
	return true
}

// read parses and compiles one policy document (AZ-6.1).
func (w *walk) read(doc *PolicyDocument) (document, error) {
	base, _, _ := strings.Cut(doc.IRI, "#")
	syntax := orTurtle(doc.Syntax)
	d, err := rdfio.Parse(doc.Content, syntax, rdfio.Options{Base: base, Limits: w.limits(doc.Content), Places: w.r.Explain})
	if err != nil {
		return document{}, err
	}
	if len(d.GraphNames()) > 0 { // a named graph may hold a prohibition that would be lost
		return document{}, errors.New("expected a policy in the default graph, and no named graphs")
	}
	policy, err := delegation.Compile(d.Default(), "")
	return document{policy: policy, iri: doc.IRI, content: doc.Content, syntax: syntax, credential: -1}, err
}

func orTurtle(s rdfio.Syntax) rdfio.Syntax {
	if s == 0 {
		return rdfio.Turtle
	}
	return s
}

// limits returns the limits on one RDF document. There may be hundreds, so that the terms of
// a small one may not take as much as those of a large one.
func (w *walk) limits(content []byte) rdf.Limits {
	const least, times = 64 << 10, 16
	l := rdf.Peer()
	l.Bytes, l.Quads = int64(w.config.Limits.PolicyBytes), w.config.Limits.Quads
	l.TermBytes = min(l.TermBytes, least+times*int64(len(content)))
	return l
}

// assemble reads the policies and makes one chain of them (AZ-3.1 to AZ-3.5).
func (w *walk) assemble() bool {
	byIRI, ok := w.policies()
	if !ok {
		return false
	}
	root, ok := w.rootPolicy(byIRI)
	return ok && w.order(root)
}

// policies reads the policy documents, each with a policy of its own (AZ-3.1, AZ-3.2),
// and returns the IRIs of all policies.
func (w *walk) policies() (map[string]bool, bool) {
	for i := range w.chain.Policies {
		if err := w.ctx.Err(); err != nil {
			return nil, w.stop(err)
		}
		doc, err := w.read(&w.chain.Policies[i])
		if err != nil {
			return nil, w.deny(malformed("1.10"), "policy %d: %s", i+1, err)
		}
		w.documents = append(w.documents, doc)
	}
	if len(w.documents) == 0 {
		return nil, w.deny(malformed("AZ-3.1"), "there is no policy")
	}
	w.ok(PhaseAssembly, "AZ-3.1", -1)
	byIRI := map[string]bool{}
	for _, doc := range w.documents {
		if iri := doc.policy.IRI(); byIRI[iri] || iri == "" {
			return nil, w.deny(malformed("AZ-3.2"), "the policy <%s> is there twice", rdf.Abbreviate(iri))
		}
		byIRI[doc.policy.IRI()] = true
	}
	return byIRI, w.ok(PhaseAssembly, "AZ-3.2", -1)
}

// rootPolicy returns the index of the one policy that is delegated under none; every
// other must be delegated under one that is there (AZ-3.3, AZ-3.4).
func (w *walk) rootPolicy(byIRI map[string]bool) (root int, ok bool) {
	for _, doc := range w.documents {
		if parent := doc.policy.DelegatedUnder(); parent != "" && !byIRI[parent] {
			return -1, w.deny(malformed("AZ-3.3"), "<%s> is delegated under <%s>, which is not there", rdf.Abbreviate(doc.policy.IRI()), rdf.Abbreviate(parent))
		}
	}
	w.ok(PhaseAssembly, "AZ-3.3", -1)
	root = -1
	for i, doc := range w.documents {
		if doc.policy.DelegatedUnder() != "" {
			continue
		}
		if root >= 0 {
			return -1, w.deny(malformed("AZ-3.4"), "<%s> and <%s> are both delegated under none",
				rdf.Abbreviate(w.documents[root].policy.IRI()), rdf.Abbreviate(doc.policy.IRI()))
		}
		root = i
	}
	if root < 0 {
		return -1, w.deny(malformed("AZ-3.4"), "every policy is delegated under another")
	}
	return root, w.ok(PhaseAssembly, "AZ-3.4", -1)
}

// order makes the hops of the policies, from the root on, each delegated under the one
// before (AZ-3.5).
func (w *walk) order(root int) bool {
	child := make(map[string]int, len(w.documents)) // by the IRI of the parent
	for i, doc := range w.documents {
		parent := doc.policy.DelegatedUnder()
		if _, branched := child[parent]; branched && parent != "" {
			return w.deny(malformed("AZ-3.5"), "two policies are delegated under <%s>", rdf.Abbreviate(parent))
		}
		child[parent] = i
	}
	for at, more := root, true; more; {
		w.hops = append(w.hops, hop{document: w.documents[at], credential: -1})
		at, more = child[w.documents[at].policy.IRI()]
	}
	if len(w.hops) != len(w.documents) {
		w.hops = nil
		return w.deny(malformed("AZ-3.5"), "some of the policies are delegated in a circle")
	}
	for _, h := range w.hops {
		out := Hop{Policy: h.policy.IRI(), Assigner: h.policy.Assigner(), Assignee: h.policy.Assignee()}
		if h.content != nil {
			out.PolicyDigest = canon.Sum(h.content).String()
		}
		w.d.Hops = append(w.d.Hops, out)
	}
	return w.ok(PhaseAssembly, "AZ-3.5", -1)
}

// mismatched returns a failed check of what belongs together.
func mismatched(step string, hop int) Check {
	return Check{Phase: PhaseB, Step: step, Hop: hop, Code: CodeBindingMismatch}
}

// match finds the credential of every policy by what they announce (AZ-3.7).
func (w *walk) match() bool {
	const step = "AZ-3.7"
	for i := range w.announced {
		a := &w.announced[i]
		switch {
		case !a.readable:
			w.authentic(i, -1)
			if w.err == nil && w.d.Phase == "" { // within the verifier's limits it is readable
				return w.deny(mismatched(step, -1), "credential %d is not readable", i+1)
			}
			return false
		case !a.authorizes:
			return w.deny(mismatched(step, -1), "credential %d is not one that authorizes one agent", i+1)
		case a.form == policyMissing || a.form == policyUnusable:
			return w.deny(mismatched(step, -1), "credential %d names no policy", i+1)
		}
		at := -1
		for j := range w.hops {
			if h := &w.hops[j]; w.names(i, &h.document) {
				at = j
			}
		}
		switch {
		case at < 0:
			return w.deny(mismatched(step, -1), "credential %d is for a policy that is not there", i+1)
		case w.hops[at].credential >= 0:
			return w.deny(mismatched(step, at), "the policy has two credentials")
		}
		w.hops[at].credential, w.hops[at].reference = i, a.policy
	}
	for i := range w.hops {
		h := &w.hops[i]
		if h.credential < 0 {
			return w.deny(mismatched(step, i), "the policy has no credential")
		}
		if h.iri != "" && w.announced[h.credential].form == policyReference && withoutFragment(h.iri) != withoutFragment(w.announced[h.credential].policy) {
			return w.deny(mismatched(step, i), "the policy was read at <%s>, which its credential does not name", rdf.Abbreviate(h.iri))
		}
	}
	w.ok(PhaseB, step, -1)
	if w.chain.RootFirst {
		for i := range w.hops {
			if w.hops[i].credential != i {
				return w.deny(malformed("AZ-3.6"), "the credentials are not in the order of the chain, root first")
			}
		}
		w.ok(PhaseAssembly, "AZ-3.6", -1)
	}
	return true
}

// names reports whether a credential announces a policy.
func (w *walk) names(credential int, doc *document) bool {
	a := &w.announced[credential]
	if doc.credential >= 0 || a.form == policyEmbedded {
		return doc.credential == credential
	}
	return a.policy == doc.policy.IRI() || w.config.DocumentReference && a.policy == doc.iri && !strings.Contains(a.policy, "#")
}

func withoutFragment(iri string) string {
	before, _, _ := strings.Cut(iri, "#")
	return before
}
