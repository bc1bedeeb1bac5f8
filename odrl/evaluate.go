package odrl

import (
	"fmt"
	"slices"

	"github.com/rdfproto/rdfproto/rdf"
)

// Verdict is the outcome of an evaluation. The zero Verdict denies.
type Verdict uint8

const (
	// Deny: a prohibition, a conflict, an open duty or a refused policy stands
	// against the request.
	Deny Verdict = iota
	// NotApplicable: no rule of the policy is about the request. It permits
	// nothing.
	NotApplicable
	// Permit: the request is permitted.
	Permit
)

// String returns "deny", "notApplicable" or "permit".
func (v Verdict) String() string {
	switch v {
	case NotApplicable:
		return "notApplicable"
	case Permit:
		return "permit"
	}
	return "deny"
}

// MarshalText returns the text of [Verdict.String].
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// Decision is the answer to one request. The zero Decision denies.
type Decision struct {
	verdict Verdict
	// Code says why: one of the codes of decisions, or of the finding for which the
	// policy is refused.
	Code Code
	// Reasons say why in words, the deciding one first. A decision of Evaluate has
	// at least one.
	Reasons []Reason
	// Duties are those of the permissions that apply, and then the policy's
	// obligations, without repetition.
	Duties []DutyStatus
	// Conflict: a permission and a prohibition apply, whichever of them wins.
	Conflict bool
}

// Permitted reports whether the request is permitted.
func (d Decision) Permitted() bool { return d.verdict == Permit }

// Verdict returns the outcome.
func (d Decision) Verdict() Verdict { return d.verdict }

// Reason says in words what decided, or what kept a rule from applying.
type Reason struct {
	Code    Code      `json:"code"`
	Message string    `json:"message"`
	Rule    string    `json:"rule,omitempty"` // the rule's node in N-Triples syntax
	Place   rdf.Place `json:"place,omitzero"` // of the rule
}

// String returns the place, the message and the code.
func (r Reason) String() string {
	s := fmt.Sprintf("%s [%s]", r.Message, r.Code)
	if p := r.Place.String(); p != "" {
		return p + ": " + s
	}
	return s
}

// maxReasons is how many reasons a decision gives; the trace has every rule.
const maxReasons = 8

// Evaluate decides a request by the policy. It never fails: what cannot be decided
// is not permitted. It is safe for concurrent use, and does not change the request.
func (p *Policy) Evaluate(r *Request) Decision { return p.evaluate(r, nil) }

// Explain decides a request as Evaluate does, and returns what came of every rule.
func (p *Policy) Explain(r *Request) (Decision, Trace) {
	var t Trace
	d := p.evaluate(r, &t)
	return d, t
}

func (p *Policy) evaluate(r *Request, t *Trace) Decision {
	m := p.match(r, 0, t)
	if m.code != "" {
		return m.refusal()
	}
	d := Decision{Conflict: len(m.Permissions) > 0 && len(m.Prohibitions) > 0}
	open := len(m.Permissions) > 0
	var duties []DutyStatus
	for _, rule := range m.Permissions {
		fulfilled := true
		for _, duty := range rule.duties {
			s := duty.status(&m.query, nil)
			fulfilled = fulfilled && s.Fulfilled
			duties = append(duties, s)
		}
		if fulfilled || p.dialect == DelegationProfile {
			open = false
		}
	}
	d.Duties = MergeDuties(nil, append(duties, m.obligations()...)...)
	d.verdict, d.Code = m.verdict(open)
	d.Reasons = m.reasons(d.Code)
	return d
}

// Match holds the rules of a policy that apply to one request: half an evaluation,
// for callers that decide by more than one policy. The zero Match denies.
type Match struct {
	// Permissions and Prohibitions are the rules that apply, in the order of the
	// document, whether their duties are fulfilled or not.
	Permissions, Prohibitions []*Rule

	query query
	code  Code // not "": the policy or the request cannot be evaluated
	why   *Finding
}

// Match returns the rules that apply to a request. depth is the value of
// odrld:delegationDepth, which only the evaluator of a chain supplies, 0 for none.
func (p *Policy) Match(r *Request, depth int) Match { return p.match(r, depth, nil) }

// ExplainMatch returns what Match does, and what came of every rule.
func (p *Policy) ExplainMatch(r *Request, depth int) (Match, Trace) {
	var t Trace
	m := p.match(r, depth, &t)
	return m, t
}

func (p *Policy) match(r *Request, depth int, t *Trace) Match {
	if p == nil || p.iri == "" {
		return Match{code: CodeNotCompiled}
	}
	m := Match{query: p.query(r, depth)}
	q := &m.query
	if t != nil {
		*t = Trace{Policy: p.iri, Dialect: p.dialect.String(), Conflict: p.conflict.String(), Refused: p.refused, Rules: []RuleTrace{}}
	}
	switch {
	case p.refused != nil:
		m.code, m.why = p.refused.Code, p.refused
	case r.Action == "" || r.Target == "":
		m.code = CodeRequestIncomplete
	}
	if t != nil {
		q.budget = r.Trace
		if q.budget == nil {
			q.budget = NewTraceBudget(p.limits)
		}
		before := q.budget.omitted
		for _, rule := range p.rules {
			if !q.budget.take() {
				m.add(rule, rule.applies(q, nil))
				continue
			}
			t.Rules = append(t.Rules, RuleTrace{})
			m.add(rule, rule.applies(q, &t.Rules[len(t.Rules)-1]))
		}
		traceDuties(q, p.obligations, &t.Obligations)
		t.Omitted = q.budget.omitted - before
		t.Truncated = t.Omitted > 0
		if t.Truncated {
			q.shown = nil // what is shown of shared constraints may lack their parts
		}
		q.budget = nil // reasons are in words, and few
	} else if m.code == "" {
		for _, rule := range p.candidates(q) {
			m.add(rule, rule.applies(q, nil))
		}
	}
	if m.code != "" {
		m.Permissions, m.Prohibitions = nil, nil
	}
	return m
}

func (m *Match) add(r *Rule, applies bool) {
	switch {
	case !applies:
	case r.kind == Prohibition:
		m.Prohibitions = append(m.Prohibitions, r)
	default:
		m.Permissions = append(m.Permissions, r)
	}
}

// candidates returns the rules that can apply, in order.
func (p *Policy) candidates(q *query) []*Rule {
	if p.byTarget == nil {
		return p.rules
	}
	found := slices.Concat(p.open, p.byTarget[q.r.Target])
	q.target.from(q, q.r.Target)
	for c := range q.target.above {
		found = append(found, p.byTarget[c]...)
	}
	slices.Sort(found)
	found = slices.Compact(found)
	rules := make([]*Rule, len(found))
	for i, n := range found {
		rules[i] = p.rules[n]
	}
	return rules
}

// Refused returns the code that says why the policy or the request cannot be
// evaluated at all, "" if they can.
func (m *Match) Refused() Code {
	if m.code == "" && m.query.p == nil {
		return CodeNotCompiled
	}
	return m.code
}

// Verdict returns the outcome under the policy's strategy for conflicts (2.10;
// authz, section 7.3), as if all duties were fulfilled, and the code that says why.
func (m *Match) Verdict() (Verdict, Code) {
	if code := m.Refused(); code != "" {
		return Deny, code
	}
	return m.verdict(false)
}

// verdict applies the table of section 7.3. With open, no permission that
// applies has its duties fulfilled.
func (m *Match) verdict(open bool) (Verdict, Code) {
	permitted, prohibited := len(m.Permissions) > 0, len(m.Prohibitions) > 0
	switch {
	case !permitted && !prohibited:
		return NotApplicable, CodeNoPermission
	case !permitted:
		return Deny, CodeProhibited
	case prohibited && m.query.p.conflict != conflictPerm:
		return Deny, CodeConflict
	case open:
		return Deny, CodeDutyOpen
	}
	return Permit, CodePermitted
}

// DutiesOf returns how the duties of a rule stand with the request.
func (m *Match) DutiesOf(r *Rule) []DutyStatus {
	statuses := make([]DutyStatus, len(r.duties))
	for i, d := range r.duties {
		statuses[i] = d.status(&m.query, nil)
	}
	return statuses
}

// Obligations returns how the policy's own duties stand with the request.
func (m *Match) Obligations() []DutyStatus {
	if m.query.p == nil {
		return nil
	}
	return m.obligations()
}

func (m *Match) obligations() []DutyStatus {
	statuses := make([]DutyStatus, len(m.query.p.obligations))
	for i, d := range m.query.p.obligations {
		statuses[i] = d.status(&m.query, nil)
	}
	return statuses
}

// EvaluateAll decides a request by several policies that are all in force: it is
// permitted when at least one permits it and none denies it. A policy that is
// refused denies, since nobody knows what it prohibits; one of which another says that it
// is over (see [Policy.Over]) permits nothing. Without policies it denies.
func EvaluateAll(policies []*Policy, r *Request) Decision {
	var total Decision
	total.verdict, total.Code = NotApplicable, CodeNoPermission
	denied := false
	for _, p := range policies {
		d := p.Evaluate(r)
		if d.verdict == Permit {
			if i := slices.IndexFunc(policies, func(other *Policy) bool { return other.Over(p.iri) }); i >= 0 {
				why := "the policy " + short(p.iri) + " would permit it and is over, as the graph of " + short(policies[i].iri) + " says"
				d = Decision{verdict: NotApplicable, Code: CodeReplaced, Reasons: []Reason{{Code: CodeReplaced, Message: why}}}
			}
		}
		total.Conflict = total.Conflict || d.Conflict
		total.Duties = MergeDuties(total.Duties, d.Duties...)
		switch {
		case d.verdict == Deny && !denied:
			denied = true
			total.verdict, total.Code = Deny, d.Code
			total.Reasons = append(slices.Clone(d.Reasons), total.Reasons...)
			continue
		case d.verdict == Permit && !denied && total.verdict != Permit:
			total.verdict, total.Code = Permit, d.Code
			total.Reasons = append(slices.Clone(d.Reasons), total.Reasons...)
			continue
		case d.Code == CodeReplaced && total.Code == CodeNoPermission:
			total.Code = d.Code
			total.Reasons = append(d.Reasons, total.Reasons...)
			continue
		}
		total.Reasons = append(total.Reasons, d.Reasons...)
	}
	if len(policies) == 0 {
		total.verdict, total.Code = Deny, CodeNotCompiled
		total.Reasons = []Reason{{Code: CodeNotCompiled, Message: CodeNotCompiled.Text()}}
	}
	return total
}
