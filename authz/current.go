package authz

import (
	"slices"
	"strconv"

	"github.com/rdfproto/rdfproto/odrl/delegation"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
)

// unknownStatus returns a failed check of what could not be found out.
func unknownStatus(step string, hop int) Check {
	return Check{Phase: PhaseC, Step: step, Hop: hop, Code: CodeStatusRetrievalError}
}

// current is phase C: nothing is revoked, suspended or of unknown status.
func (w *walk) current() bool {
	for i := range w.hops {
		if !w.status(i) {
			return false
		}
	}
	if w.r.StatusUnreachable {
		return w.deny(unknownStatus("AZ-3.19", -1), "a source of revocations could not be read")
	}
	revoked, ok := w.revocations()
	if !ok {
		return false
	}
	w.ok(PhaseC, "AZ-3.19", -1)
	for i := range w.hops { // all revocations are remembered before the first denies
		if m := w.config.Revoked; m != nil {
			for _, name := range revoked[i] {
				if err := m.RememberPolicy(w.hops[i].cred.Issuer(), name); err != nil {
					return w.deny(unknownStatus("AZ-3.20", i), "the revocation cannot be remembered: %s", err)
				}
			}
		}
	}
	for i := range w.hops {
		withdrawn := len(revoked[i]) > 0
		if m := w.config.Revoked; m != nil && !withdrawn {
			for _, name := range w.hops[i].names() {
				known, err := m.RevokedPolicy(w.hops[i].cred.Issuer(), name)
				if err != nil {
					return w.deny(unknownStatus("AZ-3.20", i), "revocations that were seen before cannot be read: %s", err)
				}
				if known { // else nobody could make this decision again
					w.consulted(name)
					withdrawn = true
				}
			}
		}
		if withdrawn {
			return w.deny(Check{Phase: PhaseC, Step: "AZ-3.20", Hop: i, Code: CodeRevoked}, "the policy is revoked")
		}
	}
	return w.ok(PhaseC, "AZ-3.20", -1)
}

// status checks the status of the credential of a hop (AZ-3.18).
func (w *walk) status(i int) bool {
	h := &w.hops[i]
	report, err := w.config.Verifier.CheckStatus(w.ctx, h.cred, w.r.Now)
	if err != nil {
		return w.stop(err)
	}
	for _, e := range report.Entries() {
		w.d.Hops[i].Status = append(w.d.Hops[i].Status, StatusEntry{
			List: e.List, Index: strconv.FormatInt(e.Index, 10), Purpose: e.Purpose, Set: e.Set, ValidFrom: e.ValidFrom,
		})
	}
	if !report.Clear() {
		c := Check{Phase: PhaseC, Step: "AZ-3.18", Hop: i, Code: Code(report.Code()), Findings: report.Findings()}
		return w.deny(c, "%s", c.found())
	}
	return w.ok(PhaseC, "AZ-3.18", i)
}

// revocations returns for every hop by which of its names it is withdrawn: by the caller's
// own list, or by a document that may speak for it (AZ-1.1 to AZ-1.3). It takes time in
// proportion to the documents, however many policies they name.
func (w *walk) revocations() ([][]string, bool) {
	if n, most := len(w.r.Revocations), w.config.Limits.Documents; n > most {
		return nil, w.deny(unknownStatus("AZ-3.19", -1), "there are %d revocation documents, at most %d are read", n, most)
	}
	known := delegation.Revoke(w.r.Revoked...)
	revoked := make([][]string, len(w.hops))
	for i := range w.hops {
		revoked[i] = w.hops[i].withdrawnBy(known, nil)
	}
	consulted := slices.Clone(w.r.Revoked)
	spoke := map[*withdrawal]bool{}
	for n := range w.r.Revocations {
		if err := w.ctx.Err(); err != nil {
			return nil, w.stop(err)
		}
		doc := &w.r.Revocations[n]
		// Every document is read, whoever it is from: a broken one may have been about
		// this chain.
		read := w.withdrawal(doc)
		if read.err != nil {
			return nil, w.deny(unknownStatus("AZ-3.19", -1), "revocation document %d: %s", n+1, read.err)
		}
		speaks := doc.By == ""
		for i := range w.hops {
			speaks = speaks || w.hops[i].policy.Assigner() == doc.By // and for all below
			if speaks {
				revoked[i] = w.hops[i].withdrawnBy(read.policies, revoked[i])
			}
		}
		if speaks && !spoke[read] {
			spoke[read] = true
			consulted = append(consulted, read.policies.All()...)
		}
	}
	w.consulted(consulted...)
	return revoked, true
}

// withdrawal is what a revocation document withdraws, or why it cannot be read.
type withdrawal struct {
	policies delegation.Revocations
	err      error
}

// withdrawals are those that were read, by where the document is in memory.
type withdrawals map[withdrawnAt]*withdrawal

type withdrawnAt struct {
	place
	syntax rdfio.Syntax
}

// withdrawal reads a revocation document, once for both chains, and once for however often
// the request has it.
func (w *walk) withdrawal(doc *RevocationDocument) *withdrawal {
	at := withdrawnAt{placeOf(doc.Content), orTurtle(doc.Syntax)}
	if w.withdrawals[at] == nil {
		read := &withdrawal{}
		w.withdrawals[at] = read
		d, err := rdfio.Parse(doc.Content, at.syntax, rdfio.Options{Limits: w.limits(doc.Content)})
		if err == nil {
			read.policies, err = delegation.Revocations{}.Document(d)
		}
		read.err = err
	}
	return w.withdrawals[at]
}

// names are those by which a hop is withdrawn, and remembered as withdrawn: of its policy,
// and of its credential, without which nothing binds the policy. Another credential may bind
// it again.
func (h *hop) names() [2]string { return [2]string{h.policy.IRI(), h.cred.ID()} }

// withdrawnBy adds to some names of the hop those by which it is withdrawn.
func (h *hop) withdrawnBy(r delegation.Revocations, names []string) []string {
	for _, name := range h.names() {
		withdrawn := r.Has(name) || name == h.policy.IRI() && r.Has(h.reference)
		if withdrawn && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// consulted notes policies that are known to be withdrawn.
func (w *walk) consulted(policies ...string) {
	w.d.revoked = append(w.d.revoked, policies...)
	slices.Sort(w.d.revoked)
	w.d.revoked = slices.Compact(w.d.revoked)
}
