package delegation_test

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/rdf"
)

// The evaluator of this file is a second one, written from the specification
// alone and as plainly as possible: it reads the triples again for every
// question, keeps nothing, and explains nothing. Tests compare the two.

const (
	nsODRL = "http://www.w3.org/ns/odrl/2/"
	nsD    = "https://w3id.org/jeswr/odrl-delegation#"
	nsRDF  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	nsXSD  = "http://www.w3.org/2001/XMLSchema#"
)

// truth is 1, -1, or 0 for unknown.
type truth int

func min3(ts ...truth) truth { return slices.Min(append(ts, 1)) }

// triple3 is a triple of terms.
type triple3 struct{ s, p, o rdf.Term }

type naive struct {
	triples []triple3
	policy  rdf.Term
}

func triplesOf(g rdf.Graph) (ts []triple3) {
	for q := range g.All().Quads() {
		ts = append(ts, triple3{g.Dataset().Term(q.S), g.Dataset().Term(q.P), g.Dataset().Term(q.O)})
	}
	return ts
}

func (n *naive) get(s rdf.Term, p string) (os []rdf.Term) {
	for _, t := range n.triples {
		if t.s == s && t.p.Value() == p {
			os = append(os, t.o)
		}
	}
	return os
}

func (n *naive) odrl(s rdf.Term, p string) []rdf.Term { return n.get(s, nsODRL+p) }

func isIRI(t rdf.Term) bool { return t.Kind() == rdf.KindIRI }

func iriOf(ts []rdf.Term) string {
	if len(ts) == 1 && isIRI(ts[0]) {
		return ts[0].Value()
	}
	return ""
}

// strange reports whether a node has a property or class that claims to be
// ODRL's and is none of those allowed.
func (n *naive) strange(s rdf.Term, classes string, allowed string) bool {
	for _, t := range n.triples {
		if t.s != s {
			continue
		}
		p := t.p.Value()
		if p == nsRDF+"type" {
			if isIRI(t.o) && strings.Contains(strings.ToLower(t.o.Value()), "odrl") &&
				!slices.Contains(strings.Fields(classes), strings.TrimPrefix(t.o.Value(), nsODRL)) {
				return true
			}
			continue
		}
		if strings.Contains(strings.ToLower(p), "odrl") && p != nsD+"delegatedUnder" &&
			!slices.Contains(strings.Fields(allowed), strings.TrimPrefix(p, nsODRL)) {
			return true
		}
		if p == nsD+"delegatedUnder" && !strings.Contains(allowed, "delegatedUnder") {
			return true
		}
	}
	return false
}

const roles = " uid action target assigner assignee output attributedParty attributingParty compensatedParty compensatingParty consentingParty" +
	" consentedParty contractingParty contractedParty informedParty informingParty trackingParty trackedParty "

// newNaive returns nil for a graph without one policy that may be evaluated.
func newNaive(g rdf.Graph) *naive {
	n := &naive{triples: triplesOf(g)}
	found := map[rdf.Term]bool{}
	for _, t := range n.triples {
		switch t.p.Value() {
		case nsODRL + "permission", nsODRL + "prohibition", nsODRL + "obligation", nsD + "delegatedUnder":
			found[t.s] = true
		case nsRDF + "type":
			for _, c := range strings.Fields("Policy Set Offer Agreement Request Assertion Privacy Ticket") {
				found[t.s] = found[t.s] || isIRI(t.o) && t.o.Value() == nsODRL+c
			}
		}
	}
	for s, is := range found {
		if !is {
			continue
		}
		if !n.policy.IsZero() {
			return nil
		}
		n.policy = s
	}
	if !isIRI(n.policy) {
		return nil
	}
	for _, uid := range n.odrl(n.policy, "uid") {
		if uid != n.policy {
			return nil
		}
	}
	kinds := 0
	for _, c := range n.get(n.policy, nsRDF+"type") {
		if slices.Contains(strings.Fields("Set Offer Agreement Request Assertion Privacy Ticket"), strings.TrimPrefix(c.Value(), nsODRL)) {
			kinds++
		}
	}
	if kinds > 1 || kinds == 0 && !n.is("Policy") {
		return nil
	}
	for _, p := range []string{nsODRL + "assigner", nsODRL + "assignee", nsD + "delegatedUnder"} {
		if len(n.get(n.policy, p)) > 1 {
			return nil
		}
	}
	for _, o := range n.get(n.policy, nsD+"delegatedUnder") {
		if !isIRI(o) {
			return nil
		}
	}
	return n
}

func (n *naive) is(class string) bool {
	return slices.ContainsFunc(n.get(n.policy, nsRDF+"type"), func(t rdf.Term) bool { return isIRI(t) && t.Value() == nsODRL+class })
}

// refused is 7.9 for a whole policy.
func (n *naive) refused() bool {
	if n.strange(n.policy, "Policy Set Offer Agreement", roles+"profile conflict permission prohibition obligation delegatedUnder") {
		return true
	}
	for _, p := range n.odrl(n.policy, "profile") {
		if !isIRI(p) || p.Value() != nsODRL+"core" && p.Value() != strings.TrimSuffix(nsD, "#") {
			return true
		}
	}
	if len(n.get(n.policy, "http://purl.org/dc/terms/isReplacedBy")) > 0 {
		return true
	}
	for _, t := range n.triples {
		if t.o == n.policy && slices.Contains([]string{nsODRL + "hasPolicy", nsODRL + "assigneeOf", nsODRL + "assignerOf"}, t.p.Value()) {
			return true
		}
	}
	return false
}

func (n *naive) profiled() bool {
	return slices.ContainsFunc(n.odrl(n.policy, "profile"), func(t rdf.Term) bool { return t.Value() == strings.TrimSuffix(nsD, "#") })
}

// covers is the table of section 7.4.
func covers(requested string) []string {
	switch requested {
	case "use", "transfer", "grantUse", "nextPolicy":
		return []string{nsODRL + requested}
	case "control":
		return []string{"http://www.w3.org/ns/auth/acl#Control"}
	case "append":
		return []string{"http://www.w3.org/ns/auth/acl#Append", nsODRL + "write", nsODRL + "use"}
	case "read", "write", "modify", "delete", "distribute", "aggregate", "index", "archive", "attribute", "compensate", "inform", "anonymize":
		return []string{nsODRL + requested, nsODRL + "use"}
	}
	return nil
}

func knownAction(iri string) bool {
	for _, a := range strings.Fields("use transfer grantUse nextPolicy read write modify delete distribute aggregate index archive attribute compensate inform anonymize") {
		if iri == nsODRL+a {
			return true
		}
	}
	return iri == "http://www.w3.org/ns/auth/acl#Append" || iri == "http://www.w3.org/ns/auth/acl#Control"
}

// value returns what the request says of a left operand.
func value(r *odrl.Request, left string, depth int) (string, bool) {
	switch left {
	case nsODRL + "dateTime":
		return r.Now.UTC().Format(time.RFC3339Nano), true
	case nsD + "delegationDepth":
		return strconv.Itoa(depth), depth > 0
	}
	for _, known := range strings.Fields("purpose recipient count spatial elapsedTime systemDevice") {
		if left == nsODRL+known {
			vs := r.Attributes[known]
			if len(vs) != 1 {
				return "", false
			}
			return vs[0].String(), true
		}
	}
	return "", false
}

// compare returns whether a value equals, and is less than, a right operand.
func compareNaive(left, v string, right rdf.Term) (eq, lt truth) {
	not := func(b bool) truth {
		if b {
			return 1
		}
		return -1
	}
	if left == nsODRL+"elapsedTime" {
		return 0, 0 // the generator has no durations
	}
	if left == nsODRL+"dateTime" || right.Datatype() == nsXSD+"dateTime" {
		if left == nsODRL+"dateTime" && right.Datatype() != nsXSD+"dateTime" && right.Datatype() != nsXSD+"string" {
			return 0, 0
		}
		a, err1 := time.Parse(time.RFC3339Nano, v)
		b, err2 := time.Parse(time.RFC3339Nano, right.Value())
		if err1 != nil || err2 != nil {
			return 0, 0
		}
		return not(a.Equal(b)), not(a.Before(b))
	}
	if right.Datatype() == nsXSD+"integer" {
		a, err1 := strconv.Atoi(v)
		b, err2 := strconv.Atoi(right.Value())
		if err1 != nil || err2 != nil {
			return 0, 0
		}
		return not(a == b), not(a < b)
	}
	if left == nsD+"delegationDepth" || left == nsODRL+"count" {
		// The request's value is a number.
		a, err1 := strconv.Atoi(v)
		b, err2 := strconv.Atoi(right.Value())
		if err1 != nil || err2 != nil {
			return 0, 0
		}
		return not(a == b), not(a < b)
	}
	if right.Kind() == rdf.KindBlank || right.Kind() == rdf.KindLiteral && right.Datatype() != nsXSD+"string" && right.Lang() == "" {
		return 0, 0
	}
	return not(v == right.Value()), 0
}

// list returns the items of a list of the graph, and whether it is one.
func (n *naive) list(t rdf.Term) ([]rdf.Term, bool) {
	var items []rdf.Term
	for range 1000 {
		if isIRI(t) && t.Value() == nsRDF+"nil" {
			return items, true
		}
		first, rest := n.get(t, nsRDF+"first"), n.get(t, nsRDF+"rest")
		if len(first) != 1 || len(rest) != 1 {
			return nil, false
		}
		items = append(items, first[0])
		t = rest[0]
	}
	return nil, false
}

func (n *naive) looksLikeList(t rdf.Term) bool {
	return len(n.get(t, nsRDF+"first"))+len(n.get(t, nsRDF+"rest")) > 0 || isIRI(t) && t.Value() == nsRDF+"nil"
}

// operands returns the logical operands of a node: the operator, "" for none,
// and whether they are well formed.
func (n *naive) operands(c rdf.Term) (op string, items []rdf.Term, ok bool) {
	ops := 0
	for _, p := range []string{"and", "or", "xone", "andSequence"} {
		os := n.odrl(c, p)
		if len(os) == 0 {
			continue
		}
		ops++
		op, items, ok = p, os, true
		if len(os) == 1 && n.looksLikeList(os[0]) {
			items, ok = n.list(os[0])
		} else if p == "andSequence" || slices.ContainsFunc(os, n.looksLikeList) {
			items, ok = nil, false
		}
	}
	seen := map[rdf.Term]bool{}
	for _, i := range items {
		if seen[i] {
			ok = false
		}
		seen[i] = true
	}
	return op, items, ok && ops == 1 && len(items) >= 2
}

// levels returns how deep a constraint is nested, 9 for too deep.
func (n *naive) levels(c rdf.Term, budget int) int {
	if budget == 0 {
		return 1
	}
	most := 0
	_, items, _ := n.operands(c)
	for _, i := range items {
		most = max(most, n.levels(i, budget-1))
	}
	return most + 1
}

// constraint is section 7.5.
func (n *naive) constraint(c rdf.Term, r *odrl.Request, depth int) truth {
	if c.Kind() == rdf.KindLiteral {
		return 0
	}
	atomic := len(n.odrl(c, "leftOperand"))+len(n.odrl(c, "operator"))+len(n.odrl(c, "rightOperand"))+len(n.odrl(c, "rightOperandReference")) > 0
	op, items, ok := n.operands(c)
	if op != "" {
		if atomic || !ok || n.levels(c, 9) > 8 || n.strange(c, "Constraint LogicalConstraint", "uid and or xone andSequence") {
			return 0
		}
		var yes, no, unknown int
		for _, i := range items {
			switch n.constraint(i, r, depth) {
			case 1:
				yes++
			case -1:
				no++
			default:
				unknown++
			}
		}
		switch {
		case op == "or" && yes > 0:
			return 1
		case op == "or" && unknown == 0:
			return -1
		case op == "xone" && unknown == 0 && yes == 1:
			return 1
		case op == "xone" && unknown == 0:
			return -1
		case strings.HasPrefix(op, "and") && no > 0:
			return -1
		case strings.HasPrefix(op, "and") && unknown == 0:
			return 1
		}
		return 0
	}
	if n.strange(c, "Constraint", "uid leftOperand operator rightOperand") {
		return 0
	}
	left, operator, rights := iriOf(n.odrl(c, "leftOperand")), iriOf(n.odrl(c, "operator")), n.odrl(c, "rightOperand")
	operator = strings.TrimPrefix(operator, nsODRL)
	set := slices.Contains([]string{"isAnyOf", "isAllOf", "isNoneOf"}, operator)
	if left == "" || len(rights) == 0 || len(rights) > 1 && !set {
		return 0
	}
	for _, right := range rights {
		// A right operand that is no value makes the constraint unknown.
		if right.Kind() == rdf.KindBlank || left == nsODRL+"dateTime" && isIRI(right) || left == nsODRL+"elapsedTime" {
			return 0
		}
		if right.Datatype() == nsXSD+"dateTime" || left == nsODRL+"dateTime" {
			if _, err := time.Parse(time.RFC3339Nano, right.Value()); err != nil {
				return 0
			}
		}
		if left == nsODRL+"dateTime" && right.Datatype() != nsXSD+"dateTime" && right.Datatype() != nsXSD+"string" {
			return 0
		}
	}
	v, ok := value(r, left, depth)
	if !ok {
		return 0
	}
	eq, lt := compareNaive(left, v, rights[0])
	var any, all truth = -1, 1
	for _, right := range rights {
		one, _ := compareNaive(left, v, right)
		any, all = max(any, one), min(all, one)
	}
	if any == -1 && slices.ContainsFunc(rights, func(t rdf.Term) bool { one, _ := compareNaive(left, v, t); return one == 0 }) {
		any = 0
	}
	switch operator {
	case "eq":
		return eq
	case "neq":
		return -eq
	case "isAnyOf":
		return any
	case "isNoneOf":
		return -any
	case "isAllOf":
		return all
	}
	if lt == 0 {
		return 0
	}
	switch operator {
	case "lt":
		return lt
	case "gteq":
		return -lt
	case "lteq":
		return max(lt, eq)
	case "gt":
		return -max(lt, eq)
	}
	return 0
}

// named is the premise about a target or an assignee.
func (n *naive) named(os []rdf.Term, want string, prohibition bool) truth {
	best := truth(-1)
	for _, o := range os {
		one := truth(-1)
		_, collection := n.collection(o)
		switch {
		case !isIRI(o), n.strange(o, "Asset AssetCollection Party PartyCollection Policy Set Offer Agreement Request Assertion Privacy Ticket",
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
	if rule.Kind() == rdf.KindLiteral {
		return 0
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
		case !isIRI(a), !knownAction(a.Value()), covers(r.Action) == nil, n.strange(a, "Action", "uid includedIn implies"):
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
	for _, d := range n.odrl(rule, "duty") {
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
	return d.Kind() == rdf.KindLiteral || n.strange(d, "Rule Duty", roles+"constraint consequence")
}

// blocks reports whether a duty is not understood, so that it blocks. That of
// another policy than the next (nextPolicy) never does: it pins the edge.
func (n *naive) blocks(d rdf.Term) bool {
	if d.Kind() == rdf.KindLiteral || len(n.odrl(d, "action")) == 0 {
		return true
	}
	for _, a := range n.odrl(d, "action") {
		if isIRI(a) && a.Value() == nsODRL+"nextPolicy" {
			continue
		}
		if !isIRI(a) || !knownAction(a.Value()) || n.strange(a, "Action", "uid includedIn implies") || n.unknownDuty(d) {
			return true
		}
	}
	return false
}

// naiveChain is section 7.2.
func naiveChain(chain []*naive, r *odrl.Request, revoked func(string) bool) bool {
	n := len(chain)
	if n == 0 || n > 8 || r.Agent == "" || r.Action == "" || r.Target == "" {
		return false
	}
	for i, p := range chain {
		if p == nil || p.refused() || n > 1 && !p.profiled() || revoked(p.policy.Value()) {
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
		q := *r
		q.Agent, q.Action = assigner, "grantUse"
		permissions, prohibited := p.apply(&q, n-i)
		if prohibited {
			return false
		}
		var carrying []rdf.Term
		for _, rule := range permissions {
			if p.carries(rule, assigner, c.policy.Value(), n-i) {
				carrying = append(carrying, rule)
			}
		}
		if len(carrying) == 0 {
			return false
		}
		collect(p, carrying)
		q.Action = r.Action
		permissions, prohibited = p.apply(&q, 0)
		if len(permissions) == 0 || prohibited {
			return false
		}
		collect(p, permissions)
		if _, prohibited = p.apply(r, 0); prohibited {
			return false
		}
	}
	leaf := chain[n-1]
	permissions, prohibited := leaf.apply(r, 0)
	conflicts := leaf.odrl(leaf.policy, "conflict")
	prefers := len(conflicts) == 1 && isIRI(conflicts[0]) && conflicts[0].Value() == nsODRL+"perm"
	if len(permissions) == 0 || prohibited && (n > 1 || !prefers) {
		return false
	}
	collect(leaf, permissions)
	if n > 1 && r.Agent != iriOf(leaf.odrl(leaf.policy, "assignee")) {
		return false
	}
	return !blocked
}
