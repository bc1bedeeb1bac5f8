package authz

import (
	"maps"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// permit is phase D: the chain permits every ask to the party that it authorizes.
func (w *walk) permit() bool {
	chain := w.policyChain()
	w.steps = delegation.MaxSteps // of all asks together
	o := delegation.Options{
		Steps:       &w.steps,
		MaxPolicies: w.config.MaxPolicies, Revoked: delegation.Revoke(w.r.Revoked...),
		RequireDuties: w.config.RequireDuties, Gates: w.config.Gates,
	}
	decide := delegation.Evaluate
	var trace *odrl.TraceBudget // of all asks together
	if w.r.Explain {
		decide, trace = delegation.Explain, odrl.NewTraceBudget(odrl.Limits{})
	}
	if n, most := len(w.r.Asks), w.config.Limits.Asks; n > most {
		return w.deny(Check{Phase: PhaseD, Step: "AZ-3.21", Hop: -1, Code: CodePolicyDenied}, "%d actions are asked for, at most %d are looked at", n, most)
	}
	bounds := w.boundsOf()
	for n := range w.r.Asks {
		if err := w.ctx.Err(); err != nil {
			return w.stop(err)
		}
		ask := w.r.Asks[n]
		ask.Trace = trace
		ask.Agent, ask.Now, ask.InsecureDateTime = w.d.LeafAssignee, w.r.Now, w.config.InsecureDateTime
		d := decide(chain, &ask, o)
		c := Check{Phase: PhaseD, Step: "AZ-3.21", Hop: d.Hop, Code: CodePolicyDenied, Policies: d.Checks}
		if !d.Permitted() {
			w.d.Duties = odrl.MergeDuties(w.d.Duties, d.Duties...)
			return w.deny(c, "%s", w.which(n)+lastWhy(d))
		}
		if why := w.received(chain, &ask); why != "" {
			c.Hop = -1
			return w.deny(c, "%s", w.which(n)+why)
		}
		for i := range bounds {
			if why := bounds[i].exceeded(&ask); why != "" {
				c.Hop = i
				return w.deny(c, "%s", w.which(n)+why)
			}
		}
		w.d.Duties = odrl.MergeDuties(w.d.Duties, d.Duties...)
		w.d.Checks = append(w.d.Checks, Check{Phase: PhaseD, Step: "AZ-3.21", Hop: -1, OK: true, Policies: d.Checks})
	}
	return true
}

// policyChain returns the policies of the hops.
func (w *walk) policyChain() []*odrl.Policy {
	chain := make([]*odrl.Policy, len(w.hops))
	for i := range w.hops {
		chain[i] = w.hops[i].policy
	}
	return chain
}

// recipientNames are the names of the attribute for who receives what comes of an ask.
var recipientNames = [...]string{"recipient", vocab.ODRL + "recipient"}

// received says why an ask must not be carried out for those who receive what comes of it,
// or get access by it: the chain prohibits it to one of them. It returns "" when it does
// not. The values are the receiver's, as those of all attributes.
func (w *walk) received(chain []*odrl.Policy, ask *odrl.Request) string {
	for _, recipient := range recipients(ask) {
		i := delegation.Prohibits(chain, ask, recipient, delegation.Further(ask), &w.steps)
		switch {
		case w.steps < 0:
			return delegation.CodeTooManySteps.Text()
		case i >= 0:
			return "the policy <" + rdf.Abbreviate(chain[i].IRI()) + "> prohibits it to the recipient <" + rdf.Abbreviate(recipient) + ">"
		}
	}
	return ""
}

// recipients returns those who receive what comes of an ask, or get access by it: those of
// its attributes, and of each that is a collection also who is known to be a member of it,
// or of one in it.
func recipients(ask *odrl.Request) []string {
	var all []string
	for _, name := range recipientNames {
		for _, v := range ask.Attributes[name] {
			all = append(all, v.String())
		}
	}
	if len(all) == 0 || len(ask.MemberOf) == 0 {
		return all
	}
	members := map[string][]string{} // by the collection
	for _, member := range slices.Sorted(maps.Keys(ask.MemberOf)) {
		for _, c := range ask.MemberOf[member] {
			members[c] = append(members[c], member)
		}
	}
	var out []string
	known := map[string]bool{}
	for len(all) > 0 {
		r := all[0]
		if all = all[1:]; !known[r] {
			known[r] = true
			out, all = append(out, r), append(all, members[r]...)
		}
	}
	return out
}

// prohibited says why the parties of the actor's chain may not act although that chain
// permits it: a policy of this one prohibits it to one of them, or to pass it on to one
// that does. This chain's last party does pass it on, so that prohibitions to it are
// strict as in any chain of more than one policy. It returns "" when there is none.
func (w *walk) prohibited(actors []hop) string {
	chain := w.policyChain()
	parties := []string{w.d.LeafAssignee}
	for _, h := range actors {
		parties = append(parties, h.authorizes)
	}
	for n := range w.r.Asks {
		ask := w.r.Asks[n]
		ask.Now, ask.InsecureDateTime, ask.Trace = w.r.Now, w.config.InsecureDateTime, nil
		delegate, further := ask, delegation.Further(&ask)
		delegate.Action = vocab.ODRLGrantUse
		for k, party := range parties {
			what := "it"
			i := delegation.Prohibits(chain, &ask, party, further, &w.steps)
			if left := len(parties) - 1 - k; i < 0 && left > 0 {
				what = "to pass it on"
				i = delegation.Prohibits(chain, &delegate, party, left+further, &w.steps)
			}
			if w.steps < 0 {
				return w.which(n) + delegation.CodeTooManySteps.Text()
			}
			if i >= 0 {
				return w.which(n) + "the policy <" + rdf.Abbreviate(chain[i].IRI()) + "> prohibits " + what + " to <" + rdf.Abbreviate(party) + ">"
			}
		}
	}
	return ""
}

// which names an ask if there are several.
func (w *walk) which(n int) string {
	if len(w.r.Asks) == 1 {
		return ""
	}
	return w.r.Asks[n].Action + " of <" + rdf.Abbreviate(w.r.Asks[n].Target) + ">: "
}

// lastWhy says why a chain does not permit, without the name of the policy, which is
// already in front of it.
func lastWhy(d delegation.Decision) string {
	if n := len(d.Checks); n > 0 && d.Checks[n-1].Why != "" {
		return d.Checks[n-1].Why
	}
	return d.Message
}

// bounds are the targets and actions that a credential names, read once for all asks.
type bounds struct {
	targets, actions []rdf.Term
	known            []string // of the actions, those that the delegation profile knows, each once
}

// boundsOf returns the bounds of the credential of every hop.
func (w *walk) boundsOf() []bounds {
	all := make([]bounds, len(w.hops))
	for i := range w.hops {
		b := &all[i]
		b.targets, b.actions = w.hops[i].cred.Claims(vocab.SVCTarget), w.hops[i].cred.Claims(vocab.SVCAction)
		for _, t := range b.actions {
			// The label of a blank node is not signed, and may read like an action.
			if action := t.Value(); t.Kind() != rdf.KindBlank && odrl.DelegationProfile.Covers(action, action) && !slices.Contains(b.known, action) {
				b.known = append(b.known, action)
			}
		}
	}
	return all
}

// exceeded says why an ask is beyond the target or the actions that the credential of a
// hop names, "" when it is not (AZ-3.21).
func (b *bounds) exceeded(ask *odrl.Request) string {
	if len(b.targets) > 1 || len(b.targets) == 1 && (b.targets[0].Kind() != rdf.KindIRI || b.targets[0].Value() != ask.Target) {
		return "the credential is about " + strings.Join(values(b.targets), ", ") + " alone"
	}
	if len(b.actions) > 0 && !slices.ContainsFunc(b.known, func(action string) bool { return odrl.DelegationProfile.Covers(action, ask.Action) }) {
		return "the credential is for the actions " + strings.Join(values(b.actions), ", ") + " alone"
	}
	return ""
}

func values(terms []rdf.Term) []string {
	const most = 8 // for a message
	var out []string
	for _, t := range terms[:min(len(terms), most)] {
		out = append(out, t.Abbreviated())
	}
	return out
}
