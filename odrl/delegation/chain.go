package delegation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// DefaultMaxPolicies is how many policies a chain may have, the root included
// (5.1.1 of the profile).
const DefaultMaxPolicies = 8

// MaxSteps is how many steps (see [odrl.Policy.Steps]) the evaluation of a request may
// take, of all policies of the chain together: about a second. Each policy is evaluated
// three times, and one with prohibitions more often.
const MaxSteps = 10_000_000

// Gate says what an unfulfilled duty does to a request (7.8).
type Gate uint8

const (
	// Record carries the duty forward: it is listed with the decision.
	Record Gate = iota
	// Block denies until it is fulfilled.
	Block
)

// Options says how a chain is decided. With the zero Options nothing is revoked, a
// chain has at most eight policies, and duties of known actions are carried forward.
type Options struct {
	// MaxPolicies is how many policies the chain may have, the root included;
	// nil means DefaultMaxPolicies. A number that is not positive denies all.
	MaxPolicies *int
	// Revoked holds the policies that are withdrawn.
	Revoked Revocations
	// RequireDuties denies when any duty of the chain is unfulfilled.
	RequireDuties bool
	// Gates says by the IRI of an action what an unfulfilled duty of it does; Record
	// is the default. A duty that is not understood always blocks.
	Gates map[string]Gate
	// Steps is how many steps are left for this request and others that share it; each
	// takes from it what it may need, and is denied when that is not left. nil means
	// MaxSteps for the request alone. Evaluations that share it must not run at once.
	Steps *int
}

// Compile compiles a policy of a graph for chains: by its IRI, or without one
// the only policy of the graph. It fails as [odrl.Compile] does.
func Compile(g rdf.Graph, policy string) (*odrl.Policy, error) {
	return odrl.Compile(g, odrl.CompileOptions{Policy: policy, Dialect: odrl.DelegationProfile})
}

// Decision is the answer to one request. The zero Decision denies.
type Decision struct {
	permitted bool
	// Code says why.
	Code Code
	// Hop is the policy at which the chain broke, -1 for the chain as a whole
	// or when it did not break.
	Hop int
	// Message says why in words.
	Message string
	// Reasons are those of the policy that decided, if one did.
	Reasons []odrl.Reason
	// Duties are those of the whole chain, without repetition: first those of the
	// permissions to delegate, edge by edge, then those of the ancestors from the
	// root on, then those of the last policy. They are complete only when the chain
	// permits.
	Duties []odrl.DutyStatus
	// Checks are all checks that were made, in order; the last one failed unless the
	// chain permits.
	Checks []Check
}

// Permitted reports whether the chain permits the request.
func (d Decision) Permitted() bool { return d.permitted }

// String returns the message and the code.
func (d Decision) String() string {
	if d.Code == "" {
		return "not evaluated"
	}
	return fmt.Sprintf("%s [%s]", d.Message, d.Code)
}

// Evaluate decides a request by a chain of policies, root first (7.2). It never
// fails: what cannot be decided is denied. The checks are those of section 7.2 in
// its order, and the first that fails decides; one of which another policy of the chain
// says that it is over is revoked. It is safe for concurrent use.
func Evaluate(chain []*odrl.Policy, r *odrl.Request, o Options) Decision {
	w := walk{chain: chain, request: *r, options: o}
	w.run()
	return w.d
}

// Explain decides a request as Evaluate does; besides, every check that evaluated a
// policy says what came of each of its rules.
func Explain(chain []*odrl.Policy, r *odrl.Request, o Options) Decision {
	w := walk{chain: chain, request: *r, options: o, explain: true}
	if w.request.Trace == nil { // for the whole chain
		w.request.Trace = odrl.NewTraceBudget(odrl.Limits{})
	}
	w.run()
	return w.d
}

// Further returns how many edges a request adds to a chain that permits it: 1 where it is
// to delegate, since nobody may do what a chain with the policy that comes of it would not
// permit, 0 for every other one.
func Further(r *odrl.Request) int {
	if odrl.ActionIRI(r.Action) == vocab.ODRLGrantUse {
		return 1
	}
	return 0
}

// walk is one evaluation.
type walk struct {
	chain   []*odrl.Policy
	request odrl.Request
	options Options
	explain bool
	d       Decision
	// further is 1 where the request is itself to delegate: it stands for one more edge,
	// to a policy that is not there yet, and 0 otherwise.
	further int

	edgeDuties  []odrl.DutyStatus // of the permissions to delegate
	scopeDuties []odrl.DutyStatus // of the ancestors, which come after those of the edges
}

// run makes the checks until one fails.
func (w *walk) run() {
	w.d = Decision{Hop: -1, Checks: make([]Check, 0, 8+8*len(w.chain))}
	defer func() {
		if w.d.Duties == nil {
			w.d.Duties = odrl.MergeDuties(nil, w.edgeDuties...) // the chain broke before step 10
		}
	}()
	n := len(w.chain)
	w.further = Further(&w.request)
	if !w.whole() || !w.policies() || !w.affordable() {
		return
	}
	for i := 1; i < n; i++ {
		if !w.edge(i) {
			return
		}
	}
	for i := range n - 1 {
		if !w.ancestor(i) {
			return
		}
	}
	if !w.leaf() || !w.duties() {
		return
	}
	w.d.permitted = true
	w.d.Code, w.d.Message, w.d.Hop = CodePermitted, CodePermitted.Text(), -1
}

// ok notes a check that was passed.
func (w *walk) ok(step Step, hop int, c Check) bool {
	c.Step, c.Hop, c.OK = step, hop, true
	w.d.Checks = append(w.d.Checks, c)
	return true
}

// deny notes a check that failed, and decides.
func (w *walk) deny(step Step, hop int, code Code, c Check, format string, args ...any) bool {
	c.Step, c.Hop, c.OK, c.Code = step, hop, false, code
	c.Why = fmt.Sprintf(format, args...)
	w.d.Checks = append(w.d.Checks, c)
	w.d.Code, w.d.Hop, w.d.Message, w.d.Reasons = code, hop, c.Why, c.Reasons
	if hop >= 0 {
		w.d.Message = fmt.Sprintf("policy %d of %d, <%s>: %s", hop+1, len(w.chain), w.iri(hop), c.Why)
	}
	return false
}

func (w *walk) iri(hop int) string {
	if w.chain[hop] == nil {
		return ""
	}
	return rdf.Abbreviate(w.chain[hop].IRI())
}

// whole makes the checks of the chain and the request as a whole: step 1, and
// 7.1.
func (w *walk) whole() bool {
	n, most := len(w.chain), DefaultMaxPolicies
	if w.options.MaxPolicies != nil {
		most = *w.options.MaxPolicies
	}
	switch {
	case n == 0:
		return w.deny(StepLength, -1, CodeEmptyChain, Check{}, "%s", CodeEmptyChain.Text())
	case most <= 0:
		return w.deny(StepLength, -1, CodeInvalidCap, Check{}, "the longest chain allowed is %d", most)
	case n > most:
		return w.deny(StepLength, -1, CodeChainTooLong, Check{}, "the chain has %d policies, %d are allowed", n, most)
	case n+w.further > most:
		return w.deny(StepLength, -1, CodeChainTooLong, Check{}, "the chain has %d policies, and no more are allowed", n)
	}
	w.ok(StepLength, -1, Check{})
	r := &w.request
	for _, part := range []struct{ name, value string }{{"agent", r.Agent}, {"action", r.Action}, {"target", r.Target}} {
		if part.value == "" {
			return w.deny(StepLength, -1, CodeRequestIncomplete, Check{}, "the request has no %s", part.name)
		}
	}
	return true
}

// policies makes the checks of the single policies: steps 3 and 4, and what
// sections 1.5 and 7.9 say of each.
func (w *walk) policies() bool {
	n := len(w.chain)
	for i, p := range w.chain {
		if p == nil || p.IRI() == "" || p.Dialect() != odrl.DelegationProfile {
			return w.deny(StepIdentity, i, CodeNotCompiled, Check{}, "%s", CodeNotCompiled.Text())
		}
		for j := range i {
			if w.chain[j].IRI() == p.IRI() {
				return w.deny(StepIdentity, i, CodeRepeatedPolicy, Check{}, "the policy is number %d of the chain already", j+1)
			}
		}
	}
	w.ok(StepIdentity, -1, Check{})
	for i, p := range w.chain {
		if w.options.Revoked.Has(p.IRI()) {
			return w.deny(StepRevoked, i, CodeRevoked, Check{}, "the policy is revoked")
		}
		if j := slices.IndexFunc(w.chain, func(other *odrl.Policy) bool { return other.Over(p.IRI()) }); j >= 0 {
			return w.deny(StepRevoked, i, CodeRevoked, Check{}, "the policy is over, as policy %d says", j+1)
		}
	}
	w.ok(StepRevoked, -1, Check{})
	for i, p := range w.chain {
		if f, refused := p.Refused(); refused {
			return w.deny(StepProfile, i, CodePolicyRefused, Check{}, "%s", f.Message)
		}
		if n+w.further > 1 && !slices.Contains(p.Profiles(), vocab.ODRLDProfile) {
			return w.deny(StepProfile, i, CodeMissingProfile, Check{}, "the policy does not say that it follows <%s>", vocab.ODRLDProfile)
		}
	}
	w.ok(StepProfile, -1, Check{})
	switch root := w.chain[0]; {
	case root.Assigner() == "":
		return w.deny(StepRoot, 0, CodeRootWithoutAssigner, Check{}, "%s", CodeRootWithoutAssigner.Text())
	case root.DelegatedUnder() != "":
		return w.deny(StepRoot, 0, CodeRootDelegated, Check{}, "the policy is delegated under <%s>, which is not in the chain",
			rdf.Abbreviate(root.DelegatedUnder()))
	}
	return w.ok(StepRoot, 0, Check{})
}

// affordable checks that the evaluations are not too much. It is noted only if they are.
func (w *walk) affordable() bool {
	n, left := len(w.chain), MaxSteps
	if w.options.Steps != nil {
		left = *w.options.Steps
	}
	for i, p := range w.chain {
		times := 3 // for the edge, the scope and the agent
		if prohibits(p) {
			times += 2 * max(n-2-i, 0)
		}
		each := p.Steps(&w.request)
		if each > left/times {
			return w.deny(StepLength, i, CodeTooManySteps, Check{}, "%s", CodeTooManySteps.Text())
		}
		left -= times * each
	}
	if w.options.Steps != nil {
		*w.options.Steps = left
	}
	return true
}

// match evaluates one policy for a request, and returns the check to note it in.
func (w *walk) match(i int, r *odrl.Request, depth int) (odrl.Match, Check) {
	if !w.explain {
		return w.chain[i].Match(r, depth), Check{}
	}
	m, t := w.chain[i].ExplainMatch(r, depth)
	return m, Check{Rules: &t}
}

// edge makes the checks of the edge to policy i: steps 5a to 5g.
func (w *walk) edge(i int) bool {
	child, parent := w.chain[i], w.chain[i-1]
	if child.Type() != vocab.ODRLAgreement {
		return w.deny(StepAgreement, i, CodeNotAgreement, Check{}, "%s", CodeNotAgreement.Text())
	}
	w.ok(StepAgreement, i, Check{})
	switch {
	case child.Assigner() == "":
		return w.deny(StepParties, i, CodeMissingParty, Check{}, "the policy has no assigner")
	case child.Assignee() == "":
		return w.deny(StepParties, i, CodeMissingParty, Check{}, "the policy has no assignee")
	}
	w.ok(StepParties, i, Check{})
	if child.DelegatedUnder() != parent.IRI() {
		if child.DelegatedUnder() == "" {
			return w.deny(StepParent, i, CodeWrongParent, Check{}, "the policy does not say under which it was delegated")
		}
		return w.deny(StepParent, i, CodeWrongParent, Check{}, "the policy is delegated under <%s>", rdf.Abbreviate(child.DelegatedUnder()))
	}
	w.ok(StepParent, i, Check{})

	r := w.request
	r.Agent, r.Action = child.Assigner(), vocab.ODRLGrantUse
	depth := len(w.chain) - i + w.further // r: this edge and all below it
	m, c := w.match(i-1, &r, depth)
	if len(m.Prohibitions) > 0 {
		c.Reasons = m.Reasons()
		return w.deny(StepGrantUse, i-1, CodeDelegationProhibited, c, "the policy prohibits <%s> to delegate", rdf.Abbreviate(child.Assigner()))
	}
	if v, _ := m.Verdict(); v != odrl.Permit {
		c.Reasons = m.Reasons()
		return w.deny(StepGrantUse, i-1, CodeDelegationDenied, c, "the policy does not permit <%s> to delegate %d more", rdf.Abbreviate(child.Assigner()), depth)
	}
	w.ok(StepGrantUse, i-1, c)
	return w.authorise(i-1, child.Assigner(), child.IRI(), &m, depth) && w.unprohibited(StepGrantUse, i, &r, depth, CodeDelegationProhibited, "to delegate")
}

// unprohibited checks that no policy further up than the one before policy i prohibits a
// request to its assigner. Steps 5d and 6 ask the policy before alone, and step 7 about the
// party that acts: without this one a party that the root prohibits something could have it
// done by whomever it passes it on to.
func (w *walk) unprohibited(step Step, i int, r *odrl.Request, depth int, code Code, what string) bool {
	for above := range i - 1 {
		if !prohibits(w.chain[above]) {
			continue
		}
		if m, c := w.match(above, r, depth); len(m.Prohibitions) > 0 {
			c.Reasons = m.Reasons()
			return w.deny(step, above, code, c, "the policy prohibits <%s> %s, who passes it on further down the chain", rdf.Abbreviate(r.Agent), what)
		}
	}
	return true
}

// Prohibits returns the index of the first policy of a chain that prohibits a request to
// a party, whoever its agent is; -1 if none does. It is for parties that act for the last
// assignee by an authority of their own, which [Evaluate] does not know: nothing that it
// permits helps a party to which the chain prohibits it. depth is how many more pass it on
// where the request is to delegate, itself included (see [Further]), 0 for another one. What it may need is taken from
// steps, see [Options.Steps]; where that is not left, it returns 0. A policy that is not
// there, not compiled for the profile or refused prohibits everything. It does not read
// revocations.
func Prohibits(chain []*odrl.Policy, r *odrl.Request, party string, depth int, steps *int) int {
	one := *r
	one.Agent = party
	for i, p := range chain {
		if p == nil || p.IRI() == "" || p.Dialect() != odrl.DelegationProfile {
			return i
		}
		if _, refused := p.Refused(); refused {
			return i
		}
		if !prohibits(p) {
			continue
		}
		if *steps -= p.Steps(&one); *steps < 0 {
			return 0
		}
		if m := p.Match(&one, depth); m.Refused() != "" || len(m.Prohibitions) > 0 {
			return i
		}
	}
	return -1
}

// prohibits reports whether a policy has prohibitions. They come after its permissions.
func prohibits(p *odrl.Policy) bool {
	for r := range p.Rules() {
		if r.Kind() == odrl.Prohibition {
			return true
		}
	}
	return false
}

// authorise finds the permissions to delegate of policy i that carry the edge from it to a
// child by some assigner: steps 5e to 5g. The child is "" when it is not known, and then no
// permission that mandates one carries the edge.
func (w *walk) authorise(i int, assigner, child string, m *odrl.Match, depth int) bool {
	named, deep, found := false, false, false // a permission got as far as 5e, the depth, both parts of 5f
	mandated := ""
	for _, rule := range m.Permissions {
		if !rule.HasAction(vocab.ODRLGrantUse) || !rule.HasAssignee(assigner) {
			continue
		}
		named = true
		if rule.Depth() == odrl.DepthOther || rule.Depth() == odrl.DepthUnbounded && depth > 1 {
			continue // a bounded one would not apply beyond its bound
		}
		deep = true
		duties := m.DutiesOf(rule)
		if other, ok := mandates(duties, child); !ok {
			mandated = other
			continue
		}
		found = true
		w.edgeDuties = appendDuties(w.edgeDuties, duties)
	}
	if !named {
		return w.deny(StepExplicit, i, CodeNoExplicitGrant, Check{}, "no permission to delegate names <%s>", rdf.Abbreviate(assigner))
	}
	w.ok(StepExplicit, i, Check{})
	switch {
	case !deep:
		return w.deny(StepAuthorise, i, CodeDepthExceeded, Check{}, "no permission to delegate reaches %d policies down", depth)
	case !found:
		return w.deny(StepAuthorise, i, CodeNextPolicy, Check{}, "the permission to delegate mandates %s", mandated)
	}
	obligations := m.Obligations()
	if other, ok := mandates(obligations, child); !ok {
		return w.deny(StepAuthorise, i, CodeNextPolicy, Check{}, "the policy mandates %s", other)
	}
	w.edgeDuties = appendDuties(w.edgeDuties, obligations)
	return w.ok(StepAuthorise, i, Check{})
}

// appendDuties appends the duties that are not mandates (7.7).
func appendDuties(duties, more []odrl.DutyStatus) []odrl.DutyStatus {
	for _, s := range more {
		if s.Action != vocab.ODRLNextPolicy {
			duties = append(duties, s)
		}
	}
	return duties
}

// mandates reports whether all nextPolicy duties name the given policy (7.7), "" for one
// that is not known, and if not, what the first that does not names.
func mandates(duties []odrl.DutyStatus, child string) (other string, ok bool) {
	for _, s := range duties {
		if s.Action != vocab.ODRLNextPolicy || s.Known && s.Target == child && child != "" {
			continue
		}
		if s.Target == "" {
			return "no policy that is an IRI", false
		}
		return "<" + rdf.Abbreviate(s.Target) + ">", false
	}
	return "", true
}

// depth returns the delegation depth of the request as one of the party before policy i:
// that of its edge where the request is to delegate, 0 otherwise.
func (w *walk) depth(i int) int { return w.further * (len(w.chain) - i + w.further) }

// ancestor makes the checks of policy i, which is not the last: steps 6 and 7.
func (w *walk) ancestor(i int) bool {
	r := w.request
	r.Agent = w.chain[i+1].Assigner()
	depth := w.depth(i + 1)
	m, c := w.match(i, &r, depth)
	if len(m.Prohibitions) > 0 {
		c.Reasons = m.Reasons()
		return w.deny(StepScope, i, CodeProhibited, c, "the policy prohibits it to <%s>, who passes it on", rdf.Abbreviate(r.Agent))
	}
	if v, _ := m.Verdict(); v != odrl.Permit {
		c.Reasons = m.Reasons()
		return w.deny(StepScope, i, CodeScopeDenied, c, "the policy does not permit it to <%s>, who passes it on", rdf.Abbreviate(r.Agent))
	}
	if other, ok := w.underMandate(i, &m); !ok {
		return w.deny(StepScope, i, CodeNextPolicy, c, "the permission of what is passed on mandates %s", other)
	}
	w.ok(StepScope, i, c)
	w.collect(&m)
	if !w.unprohibited(StepScope, i+1, &r, depth, CodeProhibited, "to do it") {
		return false
	}

	m, c = w.match(i, &w.request, w.further)
	if v, _ := m.Verdict(); len(m.Prohibitions) > 0 || v == odrl.Deny {
		c.Reasons = m.Reasons()
		return w.deny(StepAncestor, i, CodeProhibited, c, "the policy prohibits it to <%s>", rdf.Abbreviate(w.request.Agent))
	}
	return w.ok(StepAncestor, i, c)
}

// underMandate reports whether some permission of policy i may be passed on under the policy
// after it: a mandate that stands on what is passed on, not on the permission to delegate,
// is not lost. If none may, it returns what the last of them mandates.
func (w *walk) underMandate(i int, m *odrl.Match) (other string, ok bool) {
	for _, rule := range m.Permissions {
		if other, ok = mandates(m.DutiesOf(rule), w.chain[i+1].IRI()); ok {
			return "", true
		}
	}
	return other, false
}

// collect notes the duties of the permissions that apply and the obligations.
func (w *walk) collect(m *odrl.Match) {
	for _, rule := range m.Permissions {
		w.scopeDuties = appendDuties(w.scopeDuties, m.DutiesOf(rule))
	}
	w.scopeDuties = appendDuties(w.scopeDuties, m.Obligations())
}

// leaf makes the checks of the last policy: steps 8 and 9, and for a request to delegate
// those of the edge that comes of it.
func (w *walk) leaf() bool {
	last := len(w.chain) - 1
	m, c := w.match(last, &w.request, w.further)
	if last+w.further > 0 && len(m.Prohibitions) > 0 {
		c.Reasons = m.Reasons()
		return w.deny(StepLeaf, last, CodeProhibited, c, "the policy prohibits it to <%s>", rdf.Abbreviate(w.request.Agent))
	}
	if v, _ := m.Verdict(); v != odrl.Permit {
		c.Reasons = m.Reasons()
		code := CodeLeafDenied
		if len(m.Prohibitions) > 0 {
			code = CodeProhibited
		}
		return w.deny(StepLeaf, last, code, c, "the policy does not permit it to <%s>", rdf.Abbreviate(w.request.Agent))
	}
	c.Reasons = m.Reasons()
	w.ok(StepLeaf, last, c)
	if w.further > 0 && !w.authorise(last, w.request.Agent, "", &m, w.further) {
		return false
	}
	w.d.Reasons = c.Reasons
	w.collect(&m)
	if last > 0 && w.request.Agent != w.chain[last].Assignee() {
		return w.deny(StepAssignee, last, CodeNotLeafAssignee, Check{}, "the policy is for <%s>, not for <%s>",
			rdf.Abbreviate(w.chain[last].Assignee()), rdf.Abbreviate(w.request.Agent))
	}
	return w.ok(StepAssignee, last, Check{})
}

// duties makes the check of step 10: no duty may be open that must be fulfilled.
func (w *walk) duties() bool {
	w.d.Duties = odrl.MergeDuties(nil, append(w.edgeDuties, w.scopeDuties...)...)
	for _, s := range w.d.Duties {
		switch {
		case s.Fulfilled:
		case !s.Known:
			name := "a duty"
			if !strings.HasPrefix(s.Node, "_:") || s.Place.Line > 0 { // else its name says nothing
				name = "the duty " + odrl.NodeName(s.Node, s.Place)
			}
			return w.deny(StepDuties, -1, CodeDutyOpen, Check{}, "%s is not understood: %s", name, s.Code.Text())
		case w.options.RequireDuties || w.options.Gates[s.Action] == Block:
			return w.deny(StepDuties, -1, CodeDutyOpen, Check{}, "the duty <%s> is not fulfilled", s.Action)
		}
	}
	return w.ok(StepDuties, -1, Check{})
}
