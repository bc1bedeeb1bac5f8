package odrl

import (
	"slices"
)

// applies evaluates the premises of a rule. Without a trace it stops at the
// first that keeps the rule from applying.
func (r *Rule) applies(q *query, t *RuleTrace) bool {
	if t == nil {
		return (r.flaw == nil || r.kind == Prohibition) &&
			r.action(q, nil).holds(r.kind) &&
			r.target(q, nil).holds(r.kind) &&
			r.assignee(q, nil).holds(r.kind) &&
			all(r.constraints, q, nil).holds(r.kind)
	}
	*t = RuleTrace{Kind: r.kind, Node: traceName(r.node), Place: r.place, Flaw: r.flaw}
	applies := r.flaw == nil || r.kind == Prohibition
	t.Action.State = r.action(q, &t.Action)
	t.Target.State = r.target(q, &t.Target)
	t.Assignee.State = r.assignee(q, &t.Assignee)
	applies = t.Action.State.holds(r.kind) && applies
	applies = t.Target.State.holds(r.kind) && applies
	applies = t.Assignee.State.holds(r.kind) && applies
	applies = all(r.constraints, q, &t.Constraints).holds(r.kind) && applies
	traceDuties(q, r.duties, &t.Duties)
	traceDuties(q, r.remedies, &t.Remedies)
	t.Applies = applies
	t.spent(q)
	return applies
}

// note adds to a premise, if there is one, what the rule says and why it is
// unknown.
func (t *Premise) note(l *label, code Code, why string) {
	if t == nil {
		return
	}
	t.Rule = append(t.Rule, l.String())
	if why != "" && t.Why == "" {
		t.Code, t.Why = code, why
	}
}

// words says something of an IRI of the request, where it is wanted: a thousand targets
// that say the same of a long one would take longer than all else.
func (t *Premise) words(before, iri, after string) string {
	if t == nil || t.Why != "" {
		return ""
	}
	return before + short(iri) + after
}

func (t *Premise) refinementList() *[]ConstraintTrace {
	if t == nil {
		return nil
	}
	return &t.Refinements
}

// action is the premise that the rule is about the action (7.4).
func (r *Rule) action(q *query, t *Premise) State {
	if len(r.actions) == 0 {
		t.unknown(CodeMissingAction, CodeMissingAction.Text())
		return Unknown
	}
	s := Unsatisfied
	for i := range r.actions {
		a := &r.actions[i]
		switch {
		case a.problem != nil:
			t.note(&a.label, a.problem.Code, a.problem.Message)
			s = s.or(Unknown)
		case q.act == 0:
			t.note(&a.label, CodeUnknownAction, t.words("the requested action ", actionIRI(q.r.Action), " is not known"))
			s = s.or(Unknown)
		default:
			t.note(&a.label, "", "")
			if q.p.dialect.covers(a.action, q.act) {
				s = s.or(all(a.refinements, q, t.refinementList()))
			}
		}
	}
	return s
}

func (t *Premise) unknown(code Code, why string) {
	if t != nil {
		t.Code, t.Why = code, why
	}
}

// target is the premise that the rule is about the asset.
func (r *Rule) target(q *query, t *Premise) State {
	if len(r.targets) == 0 {
		t.unknown(CodeMissingTarget, CodeMissingTarget.Text())
		return Unknown
	}
	return r.members(r.targets, q, q.r.Target, &q.target, t)
}

// assignee is the premise that the rule is for the party.
func (r *Rule) assignee(q *query, t *Premise) State {
	if r.anyAssignee {
		return Satisfied
	}
	if len(r.assignees) == 0 {
		return Unknown // the rule is a literal, and nothing of it was read
	}
	return r.members(r.assignees, q, q.r.Agent, &q.agent, t)
}

func (r *Rule) members(refs []memberRef, q *query, subject string, w *reach, t *Premise) State {
	s := Unsatisfied
	for i := range refs {
		m := &refs[i]
		one, code, why := m.match(q, r.kind, subject, w, t)
		t.note(&m.label, code, why)
		s = s.or(one)
	}
	return s
}

// match returns whether a target or an assignee is the subject, or a collection
// of which it is a member.
func (m *memberRef) match(q *query, kind RuleKind, subject string, w *reach, t *Premise) (s State, code Code, why string) {
	switch {
	case m.problem != nil:
		return Unknown, m.problem.Code, m.problem.Message
	case subject == "":
		return Unknown, CodeMissingValue, "the request does not name one"
	case m.iri == subject && len(m.refinements)+len(m.narrower) == 0:
		return Satisfied, "", ""
	case m.iri == subject || m.source == subject:
		return Unknown, CodeCollection, "the request names the collection itself, of which only members are meant"
	case kind == Prohibition:
		return m.reached(q, subject, w, t)
	case !m.collection || q.p.dialect == DelegationProfile:
		if slices.Contains(q.r.MemberOf[subject], m.iri) && m.iri != "" {
			return Unsatisfied, "", "the request states a membership, but the policy does not declare a collection"
		}
		return Unsatisfied, "", ""
	}
	collections, stated := q.r.MemberOf[subject]
	switch {
	case m.iri != "" && slices.Contains(collections, m.iri), m.source != "" && slices.Contains(collections, m.source):
		return all(m.refinements, q, t.refinementList()).and(all(m.narrower, q, t.refinementList())), "", ""
	case !stated:
		return Unknown, CodeMissingMembership, t.words("the request does not say what ", subject, " is a member of")
	}
	return Unsatisfied, "", ""
}

// reached is match for a prohibition: a requester must not escape it by leaving a
// membership out.
func (m *memberRef) reached(q *query, subject string, w *reach, t *Premise) (State, Code, string) {
	w.from(q, subject)
	switch {
	case w.above[m.iri] && m.iri != "" || w.above[m.source] && m.source != "":
		return all(m.refinements, q, t.refinementList()), "", ""
	case (m.collection || m.elsewhere) && !w.stated:
		return Unknown, CodeMissingMembership, t.words("the request does not say what ", subject, " is a member of")
	}
	return Unsatisfied, "", ""
}
