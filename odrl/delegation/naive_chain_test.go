package delegation_test

import (
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/rdf"
)

// named is the premise about a target or an assignee.
func (n *naive) named(os []rdf.Term, want string, prohibition bool) truth {
	best := truth(-1)
	for _, o := range os {
		one := truth(-1)
		_, collection := n.collection(o)
		switch {
		case !isIRI(o), n.looksLikeList(o), n.strange(o, "Asset AssetCollection Party PartyCollection Policy Set Offer Agreement Request Assertion Privacy Ticket",
			"uid partOf hasPolicy assigneeOf assignerOf"), collection < 0:
			one = 0
		case slices.ContainsFunc(n.odrl(o, "uid"), func(u rdf.Term) bool { return u != o }):
			one = 0
		case want == "":
			one = 0
		case o.Value() == want:
			one = 1
		case prohibition && n.partOf(want, o.Value(), 100):
			one = 1
		case prohibition && collection > 0:
			one = 0 // the requests of these tests state no memberships
		}
		best = max(best, one)
		if one == 0 && best < 0 {
			best = 0
		}
	}
	return best
}

// collection returns whether a node is declared as a collection, -1 when in a
// way that cannot be.
func (n *naive) collection(o rdf.Term) (string, int) {
	found := ""
	for _, c := range n.get(o, nsRDF+"type") {
		if c.Value() == nsODRL+"AssetCollection" || c.Value() == nsODRL+"PartyCollection" || c.Value() == nsODRL+"Asset" || c.Value() == nsODRL+"Party" {
			if found != "" && found[:3] != c.Value()[len(nsODRL):][:3] {
				return "", -1
			}
			found = c.Value()[len(nsODRL):]
		}
	}
	if strings.HasSuffix(found, "Collection") {
		return found, 1
	}
	return found, 0
}

func (n *naive) partOf(member, collection string, budget int) bool {
	if budget == 0 {
		return false
	}
	for _, t := range n.triples {
		if t.p.Value() == nsODRL+"partOf" && t.s.Value() == member && (t.o.Value() == collection || n.partOf(t.o.Value(), collection, budget-1)) {
			return true
		}
	}
	return false
}

// rule is section 7.3: whether a rule applies as far as is known.
func (n *naive) rule(rule rdf.Term, kind string, r *odrl.Request, depth int) truth {
	if rule.Kind() == rdf.KindLiteral || n.looksLikeList(rule) {
		return 0
	}
	if isIRI(rule) && !slices.ContainsFunc(n.triples, func(t triple3) bool { return t.s == rule }) {
		return 0 // what is said of it is somewhere else
	}
	inherited := func(p string) []rdf.Term {
		if os := n.odrl(rule, p); len(os) > 0 {
			return os
		}
		return n.odrl(n.policy, p)
	}
	t := truth(1)
	if kind == "permission" && n.strange(rule, "Rule Permission", roles+"constraint duty") {
		t = 0
	}
	if kind == "prohibition" && n.strange(rule, "Rule Prohibition", roles+"constraint remedy") {
		t = 0
	}
	act := truth(-1)
	if len(inherited("action")) == 0 {
		act = 0
	}
	for _, a := range inherited("action") {
		one := truth(-1)
		switch {
		case !isIRI(a), !knownAction(a.Value()), covers(r.Action) == nil, n.strangeAction(a):
			one = 0
		case slices.Contains(covers(r.Action), a.Value()):
			one = 1
		}
		if one > act {
			act = one
		}
	}
	target := truth(0)
	if ts := inherited("target"); len(ts) > 0 {
		target = n.named(ts, r.Target, kind == "prohibition")
	}
	assignee := truth(1)
	if as := inherited("assignee"); len(as) > 0 {
		assignee = n.named(as, r.Agent, kind == "prohibition")
	}
	t = min3(t, act, target, assignee)
	for _, c := range n.odrl(rule, "constraint") {
		t = min3(t, n.constraint(c, r, depth))
	}
	return t
}

// strangeAction reports whether an action that is an IRI is not understood.
func (n *naive) strangeAction(a rdf.Term) bool {
	return n.strange(a, "Action", "uid includedIn implies") || len(n.get(a, nsRDF+"value")) > 0
}

// apply returns the permissions and prohibitions that apply.
func (n *naive) apply(r *odrl.Request, depth int) (permissions []rdf.Term, prohibited bool) {
	for _, rule := range n.odrl(n.policy, "permission") {
		if n.rule(rule, "permission", r, depth) == 1 {
			permissions = append(permissions, rule)
		}
	}
	for _, rule := range n.odrl(n.policy, "prohibition") {
		if n.rule(rule, "prohibition", r, depth) != -1 {
			prohibited = true
		}
	}
	return permissions, prohibited
}

// carries reports whether a permission carries the edge to a child: 5e and 5f.
func (n *naive) carries(rule rdf.Term, assigner, child string, r int) bool {
	as := n.odrl(rule, "assignee")
	if len(as) == 0 {
		as = n.odrl(n.policy, "assignee")
	}
	actions := n.odrl(rule, "action")
	if len(actions) == 0 {
		actions = n.odrl(n.policy, "action")
	}
	if !slices.ContainsFunc(as, func(t rdf.Term) bool { return isIRI(t) && t.Value() == assigner }) ||
		!slices.ContainsFunc(actions, func(t rdf.Term) bool { return isIRI(t) && t.Value() == nsODRL+"grantUse" }) {
		return false
	}
	bounded := false
	var mentions func(c rdf.Term, budget int) bool
	mentions = func(c rdf.Term, budget int) bool {
		if slices.ContainsFunc(n.odrl(c, "leftOperand"), func(t rdf.Term) bool { return t.Value() == nsD+"delegationDepth" }) {
			return true
		}
		_, items, _ := n.operands(c)
		return budget > 0 && slices.ContainsFunc(items, func(i rdf.Term) bool { return mentions(i, budget-1) })
	}
	for _, c := range n.odrl(rule, "constraint") {
		if !mentions(c, 9) {
			continue
		}
		rights := n.odrl(c, "rightOperand")
		op := strings.TrimPrefix(iriOf(n.odrl(c, "operator")), nsODRL)
		if iriOf(n.odrl(c, "leftOperand")) != nsD+"delegationDepth" || len(rights) != 1 || rights[0].Datatype() != nsXSD+"integer" ||
			strings.HasPrefix(rights[0].Value(), "-") || op != "lteq" && op != "lt" && op != "eq" {
			return false
		}
		bounded = true
	}
	if !bounded && r > 1 {
		return false
	}
	return n.mandates(rule, "duty", child)
}

// mandates reports whether all mandates of a rule or a policy name the child.
func (n *naive) mandates(s rdf.Term, p, child string) bool {
	for _, d := range n.odrl(s, p) {
		if !slices.ContainsFunc(n.odrl(d, "action"), func(t rdf.Term) bool { return isIRI(t) && t.Value() == nsODRL+"nextPolicy" }) {
			continue
		}
		if n.unknownDuty(d) {
			return false
		}
		targets := n.odrl(d, "target")
		if len(targets) == 0 || slices.ContainsFunc(targets, func(t rdf.Term) bool { return !isIRI(t) || t.Value() != child }) {
			return false
		}
	}
	return true
}

// unknownDuty reports whether a duty itself is not understood, whatever its
// actions.
func (n *naive) unknownDuty(d rdf.Term) bool {
	return d.Kind() == rdf.KindLiteral || n.strange(d, "Rule Duty", roles+"constraint consequence") ||
		slices.ContainsFunc(n.odrl(d, "target"), func(t rdf.Term) bool {
			return !isIRI(t) || n.looksLikeList(t) || len(n.odrl(t, "refinement")) > 0
		})
}

// blocks reports whether a duty blocks because it is not understood. The action nextPolicy
// never blocks: it pins the edge.
func (n *naive) blocks(d rdf.Term) bool {
	if d.Kind() == rdf.KindLiteral || len(n.odrl(d, "action")) == 0 {
		return true
	}
	for _, a := range n.odrl(d, "action") {
		if isIRI(a) && a.Value() == nsODRL+"nextPolicy" {
			continue
		}
		if !isIRI(a) || !knownAction(a.Value()) || n.strangeAction(a) || n.unknownDuty(d) {
			return true
		}
	}
	return false
}

// naiveChain is section 7.2, and that no policy prohibits anything to those who pass it on.
func naiveChain(chain []*naive, r *odrl.Request, revoked func(string) bool) bool {
	n, further := len(chain), 0
	if r.Action == "grantUse" {
		further = 1 // another policy, which is not there yet
	}
	if n == 0 || n+further > 8 || r.Agent == "" || r.Action == "" || r.Target == "" {
		return false
	}
	for i, p := range chain {
		if p == nil || p.refused() || n+further > 1 && !p.profiled() || revoked(p.policy.Value()) {
			return false
		}
		for _, q := range chain[:i] {
			if q.policy == p.policy {
				return false
			}
		}
	}
	root := chain[0]
	if iriOf(root.odrl(root.policy, "assigner")) == "" || len(root.get(root.policy, nsD+"delegatedUnder")) > 0 {
		return false
	}
	blocked := false
	collect := func(p *naive, rules []rdf.Term) {
		for _, rule := range rules {
			for _, d := range p.odrl(rule, "duty") {
				blocked = blocked || p.blocks(d)
			}
		}
		for _, d := range p.odrl(p.policy, "obligation") {
			blocked = blocked || p.blocks(d)
		}
	}
	for i := 1; i < n; i++ {
		c, p := chain[i], chain[i-1]
		assigner := iriOf(c.odrl(c.policy, "assigner"))
		if !c.is("Agreement") || assigner == "" || iriOf(c.odrl(c.policy, "assignee")) == "" ||
			iriOf(c.get(c.policy, nsD+"delegatedUnder")) != p.policy.Value() {
			return false
		}
		q, depth := *r, n-i+further
		q.Agent, q.Action = assigner, "grantUse"
		permissions, prohibited := p.apply(&q, depth)
		if prohibited {
			return false
		}
		var carrying []rdf.Term
		for _, rule := range permissions {
			if p.carries(rule, assigner, c.policy.Value(), depth) {
				carrying = append(carrying, rule)
			}
		}
		if len(carrying) == 0 || !p.mandates(p.policy, "obligation", c.policy.Value()) {
			return false
		}
		collect(p, carrying)
		for _, action := range []string{"grantUse", r.Action} {
			one, at := q, 0
			one.Action = action
			if action == "grantUse" {
				at = depth
			}
			for _, above := range chain[:i-1] {
				if _, prohibited := above.apply(&one, at); prohibited {
					return false
				}
			}
		}
		q.Action = r.Action
		permissions, prohibited = p.apply(&q, depth*further)
		if prohibited || !slices.ContainsFunc(permissions, func(rule rdf.Term) bool { return p.mandates(rule, "duty", c.policy.Value()) }) {
			return false
		}
		collect(p, permissions)
		if _, prohibited = p.apply(r, further); prohibited {
			return false
		}
	}
	leaf := chain[n-1]
	permissions, prohibited := leaf.apply(r, further)
	conflicts := leaf.odrl(leaf.policy, "conflict")
	prefers := len(conflicts) == 1 && isIRI(conflicts[0]) && conflicts[0].Value() == nsODRL+"perm"
	if len(permissions) == 0 || prohibited && (n+further > 1 || !prefers) {
		return false
	}
	if further == 1 {
		to := func(rule rdf.Term) bool { return leaf.carries(rule, r.Agent, "", 1) }
		if !slices.ContainsFunc(permissions, to) || !leaf.mandates(leaf.policy, "obligation", "") {
			return false
		}
	}
	collect(leaf, permissions)
	if n > 1 && r.Agent != iriOf(leaf.odrl(leaf.policy, "assignee")) {
		return false
	}
	return !blocked
}
