package odrl

import (
	"fmt"
	"strings"
)

// refusal is the decision for a policy or request that cannot be evaluated.
func (m *Match) refusal() Decision {
	code := m.Refused()
	r := Reason{Code: code, Message: code.Text()}
	switch {
	case m.why != nil:
		r.Message, r.Rule, r.Place = "the policy permits nothing: "+m.why.Message, m.why.Node, m.why.Place
	case m.code == CodeRequestIncomplete && m.query.r.Action == "":
		r.Message = "the request has no action"
	case m.code == CodeRequestIncomplete:
		r.Message = "the request has no target"
	}
	return Decision{Code: code, Reasons: []Reason{r}}
}

// Reasons says in words why Verdict returns what it does.
func (m *Match) Reasons() []Reason {
	if m.Refused() != "" {
		return m.refusal().Reasons
	}
	_, code := m.verdict(false)
	return m.reasons(code)
}

// reasons says in words why the outcome has a code.
func (m *Match) reasons(code Code) []Reason {
	var rs []Reason
	add := func(code Code, r *Rule, words string) {
		if len(rs) < maxReasons {
			rs = append(rs, Reason{code, words, r.node, r.place})
		}
	}
	// Why each of a thousand rules applies takes longer than that they do.
	permissions := m.Permissions[:min(len(m.Permissions), maxReasons)]
	prohibitions := m.Prohibitions[:min(len(m.Prohibitions), maxReasons)]
	switch code {
	case CodePermitted:
		for _, r := range permissions {
			add(code, r, "the "+r.name()+" applies")
		}
		for _, r := range prohibitions {
			add(CodeConflict, r, "the "+r.name()+" applies too, and the policy prefers permissions")
		}
	case CodeProhibited:
		for _, r := range prohibitions {
			add(code, r, "the "+r.name()+" applies"+m.doubt(r))
		}
	case CodeConflict:
		for _, r := range prohibitions {
			add(code, r, "the "+r.name()+" applies"+m.doubt(r)+", and so does a permission; strategy: "+m.query.p.conflict.String())
		}
	case CodeDutyOpen:
		for _, r := range m.Permissions {
			if len(rs) == maxReasons {
				break
			}
			for _, s := range m.DutiesOf(r) {
				if !s.Fulfilled && len(rs) < maxReasons {
					add(code, r, "the "+r.name()+" has an open duty: "+s.words())
				}
			}
		}
	default:
		rs = m.whyNot()
	}
	if len(rs) == 0 {
		rs = []Reason{{Code: code, Message: code.Text()}}
	}
	return rs
}

// name returns the kind of a rule and its node, for a message.
func (r *Rule) name() string {
	return r.kind.String() + " " + NodeName(r.node, r.place)
}

// words says what the duty is.
func (s *DutyStatus) words() string {
	w := "a duty that is not understood"
	if s.Action != "" {
		w = short(s.Action)
	}
	if s.Target != "" {
		w += " of " + short(s.Target)
	}
	switch {
	case !s.Known && s.Code != "":
		w += " (" + s.Code.Text() + ")"
	case s.Violated:
		w += " was not done"
	}
	return w
}

// whyNot says why the permissions that could be about the target do not apply.
func (m *Match) whyNot() []Reason {
	p := m.query.p
	rs := []Reason{{Code: CodeNoPermission, Message: CodeNoPermission.Text()}}
	for _, r := range p.candidates(&m.query) {
		if r.kind == Prohibition {
			continue
		}
		if len(rs) == maxReasons {
			break
		}
		var t RuleTrace
		r.applies(&m.query, &t)
		code, why := t.obstacle()
		rs = append(rs, Reason{code, "the " + r.name() + " does not apply: " + why, r.node, r.place})
	}
	return rs
}

// doubt says what is unknown about a prohibition that applies, if anything is.
func (m *Match) doubt(r *Rule) string {
	var t RuleTrace
	r.applies(&m.query, &t)
	if _, why := t.unknown(); why != "" {
		return " because it cannot be ruled out (" + why + ")"
	}
	return ""
}

// obstacle returns the first premise of a permission that is not satisfied, in
// words.
func (t *RuleTrace) obstacle() (Code, string) {
	if t.Flaw != nil {
		return t.Flaw.Code, t.Flaw.Message
	}
	for _, p := range []struct {
		name    string
		premise *Premise
	}{{"action", &t.Action}, {"target", &t.Target}, {"assignee", &t.Assignee}} {
		switch {
		case p.premise.State == Satisfied:
		case p.premise.Why != "":
			return codeOr(p.premise.Code, CodeNoPermission), p.premise.Why
		case len(p.premise.Refinements) > 0:
			code, why := firstObstacle(p.premise.Refinements)
			return code, "the refinement " + why
		default:
			return CodeNoPermission, fmt.Sprintf("its %s is %s", p.name, strings.Join(p.premise.Rule[:min(len(p.premise.Rule), 4)], ", "))
		}
	}
	code, why := firstObstacle(t.Constraints)
	return code, "the constraint " + why
}

func codeOr(c, otherwise Code) Code {
	if c == "" {
		return otherwise
	}
	return c
}

func firstObstacle(ks []ConstraintTrace) (Code, string) {
	for i := range ks {
		if k := &ks[i]; k.State != Satisfied {
			return codeOr(k.firstCode(), CodeNoPermission), k.String()
		}
	}
	return CodeNoPermission, "is not satisfied"
}

// firstCode returns the first code of a constraint or its parts.
func (t *ConstraintTrace) firstCode() Code {
	if t.Code != "" || t.State != Unknown {
		return t.Code
	}
	if t.full != nil {
		t = t.full
	}
	for i := range t.Parts {
		if c := t.Parts[i].firstCode(); c != "" {
			return c
		}
	}
	return ""
}

// unknown returns the first premise that is unknown, in words.
func (t *RuleTrace) unknown() (Code, string) {
	if t.Flaw != nil {
		return t.Flaw.Code, t.Flaw.Message
	}
	for _, p := range []*Premise{&t.Action, &t.Target, &t.Assignee} {
		if p.State == Unknown && p.Why != "" && p.Code != CodeMissingTarget {
			return p.Code, p.Why
		}
	}
	for i := range t.Constraints {
		if k := &t.Constraints[i]; k.State == Unknown {
			return codeOr(k.firstCode(), CodeNoPermission), "the constraint " + k.String()
		}
	}
	return "", ""
}
