package authz

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
)

// Authorize decides whether everything that a request asks for is authorized, by
// the checks of section 3.2 in their order. An error means that the call was
// wrong, that the verifier is not one for authority, or that ctx is done: then
// nothing is authorized.
func (a *Authorizer) Authorize(ctx context.Context, r Request) (Decision, error) {
	if err := a.made(); err != nil {
		return Decision{}, err
	}
	if err := r.check(); err != nil {
		return Decision{}, err
	}
	one := *a
	one.config.Verifier = a.config.Verifier.Joint() // one limit of work for both chains
	w := one.walk(ctx, &r, &r.Chain, r.RootPrincipal, "", r.Policies)
	if w.run() && w.err == nil {
		w.compose()
	}
	if w.err != nil {
		return Decision{}, w.err
	}
	return w.d, nil
}

// walk is the verification of one chain.
type walk struct {
	*Authorizer
	ctx          context.Context
	r            *Request
	chain        *Chain
	root         string   // the principal that the chain must come from
	requiredLeaf string   // of the chain of an actor; "" demands none
	named        []string // by the intent

	announced []announced
	verified  []*vc.Report // by the index of the credential
	documents []document
	hops      []hop // root first
	steps     int   // left for evaluating policies

	withdrawals withdrawals // of both chains

	d   Decision
	err error // the call was wrong or ctx is done
}

// document is a policy as it was read.
type document struct {
	policy     *odrl.Policy
	iri        string // where it was read, "" when it is not known
	content    []byte // nil when it is part of a credential
	syntax     rdfio.Syntax
	credential int // the index of that credential, -1 otherwise
}

// hop is a policy with the credential that binds it.
type hop struct {
	document
	credential int
	reference  string         // the IRI by which the credential names the policy, "" for one that is part of it
	cred       *vc.Credential // once it is verified
	authorizes string
}

// called reports whether an IRI names the policy of the hop: its own, or the one that its
// credential has for it (see [Config.DocumentReference]).
func (h *hop) called(iri string) bool {
	return iri != "" && (iri == h.policy.IRI() || iri == h.reference)
}

func (a *Authorizer) walk(ctx context.Context, r *Request, c *Chain, root, leaf string, named []string) *walk {
	w := &walk{Authorizer: a, ctx: ctx, r: r, chain: c, root: root, requiredLeaf: leaf, named: named, withdrawals: withdrawals{}}
	w.verified = make([]*vc.Report, len(c.Credentials))
	w.d = Decision{Hop: -1, At: r.Now, request: r, config: &a.config}
	return w
}

// run makes all checks of the chain except that of the actor.
func (w *walk) run() bool {
	return w.within() && w.embedded() && w.bare() && w.assemble() && w.match() &&
		w.authenticate() && w.bind() && w.current() && w.permit()
}

// ok notes a check that was passed.
func (w *walk) ok(p Phase, step string, hop int) bool {
	w.d.Checks = append(w.d.Checks, Check{Phase: p, Step: step, Hop: hop, OK: true})
	return true
}

// deny notes a check that failed, and decides.
func (w *walk) deny(c Check, format string, args ...any) bool {
	c.OK, c.Why = false, fmt.Sprintf(format, args...)
	w.d.Checks = append(w.d.Checks, c)
	w.d.Phase, w.d.Code, w.d.Hop, w.d.Reason = c.Phase, c.Code, c.Hop, c.Why
	if c.Hop >= 0 && c.Hop < len(w.hops) {
		w.d.Reason = fmt.Sprintf("hop %d of %d, <%s>: %s", c.Hop+1, len(w.hops), rdf.Abbreviate(w.hops[c.Hop].policy.IRI()), c.Why)
	}
	return false
}

// stop ends the walk with an error of the call.
func (w *walk) stop(err error) bool {
	w.err = err
	return false
}

// verify verifies a credential once.
func (w *walk) verify(i int) (*vc.Report, bool) {
	if w.verified[i] == nil {
		report, err := w.config.Verifier.Verify(w.ctx, w.chain.Credentials[i], w.r.Now)
		if err != nil {
			return nil, w.stop(err)
		}
		if c := report.Credential(); c != nil && !c.Authority() {
			return nil, w.stop(errors.New("expected a verifier that demands what authority needs, see vc.Config.Authority"))
		}
		w.verified[i] = report
	}
	return w.verified[i], true
}

// authentic is AZ-3.8 for one credential, whose hop may not be known yet (-1).
func (w *walk) authentic(credential, hop int) bool {
	report, ok := w.verify(credential)
	if !ok {
		return false
	}
	if report.Verified() {
		return true
	}
	c := Check{Phase: PhaseA, Step: "AZ-3.8", Hop: hop, Code: Code(report.Code()), Findings: report.Findings()}
	why := c.found()
	if hop < 0 {
		why = fmt.Sprintf("credential %d: %s", credential+1, why)
	}
	return w.deny(c, "%s", why)
}

// authenticate is phase A: every hop, root first (AZ-3.8, AZ-3.9).
func (w *walk) authenticate() bool {
	for i := range w.hops {
		h := &w.hops[i]
		if !w.authentic(h.credential, i) {
			return false
		}
		h.cred = w.verified[h.credential].Credential()
		if !w.describe(i) {
			return false
		}
		w.ok(PhaseA, "AZ-3.8", i)
	}
	return true
}

// describe notes in the decision what is known about a hop once its credential is
// verified.
func (w *walk) describe(i int) bool {
	h, out := &w.hops[i], &w.d.Hops[i]
	out.Verified = true
	out.Credential, out.Issuer = h.cred.ID(), h.cred.Issuer()
	out.ValidFrom, out.ValidUntil = h.cred.ValidFrom(), h.cred.ValidUntil()
	out.Profile = h.cred.Profile().String()
	if proofs := h.cred.Proofs(); len(proofs) > 0 {
		out.Cryptosuite, out.Method = string(proofs[0].Cryptosuite), proofs[0].Method
	}
	digest, err := w.config.Verifier.Digest(w.ctx, h.cred)
	switch {
	case w.ctx.Err() != nil:
		return w.stop(w.ctx.Err())
	case err != nil: // the digest covers the proofs too, and can exceed a limit
		return w.deny(Check{Phase: PhaseA, Step: "1.10", Hop: i, Code: Code(vc.CodeMalformed)}, "the credential with its proofs has no digest: %s", err)
	}
	out.CredentialDigest = digest.String()
	return true
}

// compose makes the checks of who acts (section 3.3).
func (w *walk) compose() {
	const step = PhaseComposition
	actor := w.r.Actor
	fail := func(id, format string, args ...any) {
		w.deny(Check{Phase: step, Step: id, Hop: -1, Code: CodeIdentityComposition}, format, args...)
	}
	claimed := w.r.ClaimedAgent
	switch {
	case claimed != "" && claimed != actor && claimed != w.d.LeafAssignee:
		fail("8.2", "the intent says that <%s> is asking", rdf.Abbreviate(claimed))
		return
	case actor == "" && !w.config.InsecureWithoutActor:
		fail("AZ-3.22", "nobody says who acts")
		return
	case actor == "" || actor == w.d.LeafAssignee:
		w.ok(step, "AZ-3.22", -1)
	case w.r.ActorChain == nil:
		fail("AZ-3.23", "<%s> acts, the chain authorizes <%s>, and there is no chain between them", rdf.Abbreviate(actor), rdf.Abbreviate(w.d.LeafAssignee))
		return
	default:
		inner := w.walk(w.ctx, w.r, w.r.ActorChain, w.d.LeafAssignee, actor, nil)
		inner.withdrawals = w.withdrawals
		permitted := inner.run()
		if w.err = inner.err; w.err != nil {
			return
		}
		if permitted {
			inner.complete()
		}
		w.d.Actor = &inner.d
		w.d.PolicyIntegrityProvisional = w.d.PolicyIntegrityProvisional || inner.d.PolicyIntegrityProvisional
		if !permitted {
			fail("AZ-3.24", "the chain of <%s> does not hold: %s", rdf.Abbreviate(actor), inner.d.Reason)
			return
		}
		if why := w.prohibited(inner.hops); why != "" {
			fail("AZ-3.24", "the chain of <%s> does not help it: %s", rdf.Abbreviate(actor), why)
			return
		}
		w.d.Duties = odrl.MergeDuties(w.d.Duties, inner.d.Duties...)
		w.ok(step, "AZ-3.24", -1)
	}
	w.complete()
}

// complete decides for the request. It is the only place that does.
func (w *walk) complete() {
	if slices.ContainsFunc(w.d.Checks, func(c Check) bool { return !c.OK }) {
		panic("authz: a decision for the request with a check that failed")
	}
	w.d.authorized, w.d.Phase, w.d.Hop = true, PhaseComplete, -1
}
