package delegation_test

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/rdf"
)

// This file is a second evaluator, written from the specification alone and as plainly as
// possible: it reads the triples again for every question, keeps nothing, and explains
// nothing. Tests compare the two.

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

// strange reports whether a node has a property or class whose IRI looks like one of ODRL
// and that is not among those allowed.
func (n *naive) strange(s rdf.Term, classes string, allowed string) bool {
	for _, t := range n.triples {
		if t.s != s {
			continue
		}
		p := t.p.Value()
		if p == nsRDF+"type" {
			if t.o.Kind() != rdf.KindBlank && strings.Contains(strings.ToLower(t.o.Value()), "odrl") &&
				(!isIRI(t.o) || !slices.Contains(strings.Fields(classes), strings.TrimPrefix(t.o.Value(), nsODRL))) {
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
		if isIRI(c) && slices.Contains(strings.Fields("Set Offer Agreement Request Assertion Privacy Ticket"), strings.TrimPrefix(c.Value(), nsODRL)) {
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
		if slices.Contains([]string{nsODRL + "hasPolicy", nsODRL + "assigneeOf", nsODRL + "assignerOf"}, t.p.Value()) {
			return true // at this policy, or at none: there is no other
		}
	}
	return n.twice() || n.strays()
}

// strays reports whether a node says that it is a rule, a duty or a constraint, and is not
// where one is looked for: the policy leads to it by no property, or by the role of a party,
// a unit and the like alone.
func (n *naive) strays() bool {
	odrl := func(p rdf.Term) bool { return strings.Contains(strings.ToLower(p.Value()), "odrl") }
	const looks = "permission prohibition obligation duty consequence remedy constraint action target assignee source refinement and or xone andSequence"
	const silent = roles + "uid profile inheritFrom conflict assigner partOf hasPolicy assigneeOf assignerOf leftOperand operator rightOperand rightOperandReference dataType unit status includedIn implies output"
	led, looked := map[rdf.Term]bool{n.policy: true}, map[rdf.Term]bool{n.policy: true}
	for more := true; more; {
		more = false
		for _, t := range n.triples {
			rdfs := slices.Contains([]string{nsRDF + "first", nsRDF + "rest", nsRDF + "value"}, t.p.Value())
			if !led[t.s] || !odrl(t.p) && !rdfs {
				continue
			}
			name, ok := strings.CutPrefix(t.p.Value(), nsODRL)
			known := ok && slices.Contains(strings.Fields(silent), name) || t.p.Value() == nsD+"delegatedUnder" || t.p.Value() == nsRDF+"value"
			looksAt := ok && slices.Contains(strings.Fields(looks), name) || rdfs && t.p.Value() != nsRDF+"value"
			if !led[t.o] {
				led[t.o], more = true, true
			}
			if !looked[t.o] && (looksAt || !known && looked[t.s]) {
				looked[t.o], more = true, true
			}
		}
	}
	led = looked
	return slices.ContainsFunc(n.triples, func(t triple3) bool {
		words := roles + "constraint duty consequence remedy leftOperand operator rightOperand rightOperandReference dataType unit status and or xone andSequence"
		if name, ok := strings.CutPrefix(t.p.Value(), nsODRL); ok && name != "uid" {
			return !led[t.s] && slices.Contains(strings.Fields(words), name)
		}
		class, ok := strings.CutPrefix(t.o.Value(), nsODRL)
		return !led[t.s] && t.p.Value() == nsRDF+"type" && ok && slices.Contains(strings.Fields("Rule Permission Prohibition Duty Constraint LogicalConstraint"), class)
	})
}

// twice reports whether odrl:uid makes one thing of two nodes that say something.
func (n *naive) twice() bool {
	names := func(t triple3) bool { return t.p.Value() == nsODRL+"uid" && isIRI(t.o) && t.s != t.o }
	told := func(t triple3) bool {
		p := t.p.Value()
		known := slices.Contains(strings.Fields(nsRDF+"value "+nsRDF+"first "+nsRDF+"rest http://purl.org/dc/terms/isReplacedBy"), p)
		return known || strings.Contains(strings.ToLower(p), "odrl") && p != nsODRL+"uid"
	}
	says := func(s rdf.Term) bool {
		return slices.ContainsFunc(n.triples, func(t triple3) bool {
			name := strings.TrimPrefix(t.p.Value(), nsODRL)
			return t.s == s && told(t) && !slices.Contains(strings.Fields("partOf hasPolicy assigneeOf assignerOf"), name)
		})
	}
	for _, t := range n.triples {
		if !names(t) {
			continue
		}
		for _, other := range n.triples {
			elsewhere := (other.s == t.o || other.o == t.o) && (told(other) || other.p.Value() == nsRDF+"type")
			switch {
			case names(other) && other.o == t.o && other.s != t.s && (says(t.s) || says(other.s) || says(t.o)):
				return true
			case elsewhere && (says(t.s) || says(t.o)):
				return true
			}
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
		if right.Kind() == rdf.KindBlank || n.looksLikeList(right) || left == nsODRL+"dateTime" && isIRI(right) || left == nsODRL+"elapsedTime" {
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
