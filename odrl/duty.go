package odrl

import "github.com/rdfproto/rdfproto/rdf"

// DutyStatus is a duty as it stands with one request.
type DutyStatus struct {
	ID     string    `json:"id,omitempty"`
	Node   string    `json:"node"`
	Place  rdf.Place `json:"place,omitzero"`
	Action string    `json:"action,omitempty"` // its IRI, "" when it is not known
	Target string    `json:"target,omitempty"`
	// Fulfilled: the request says that the action was exercised, and all
	// constraints and refinements of the duty are satisfied.
	Fulfilled bool `json:"fulfilled"`
	// Violated: the request says that the action was not exercised.
	Violated bool `json:"violated,omitempty"`
	// Known is false for a duty that is not understood, which nothing fulfils.
	Known bool `json:"known"`
	Code  Code `json:"code,omitempty"` // why it is not
}

// same reports whether two entries are one duty (7.2, step 10).
func (s *DutyStatus) same(t *DutyStatus) bool {
	return s.Action == t.Action && s.Target == t.Target && s.ID == t.ID && s.Fulfilled == t.Fulfilled && s.Known == t.Known &&
		(s.Known || s.Node == t.Node)
}

// MergeDuties appends the duties of more that are not in duties yet: same
// action, target, identifier and fulfilment. The first occurrence stays.
func MergeDuties(duties []DutyStatus, more ...DutyStatus) []DutyStatus {
next:
	for i := range more {
		for j := range duties {
			if duties[j].same(&more[i]) {
				continue next
			}
		}
		duties = append(duties, more[i])
	}
	return duties
}

// problem returns what makes the duty one that nothing fulfils, or nil.
func (d *Duty) problem() *Finding {
	if d.flaw != nil {
		return d.flaw
	}
	return d.action.problem
}

// status returns how the duty stands with a query (2.6.3). A duty that was not
// exercised is not fulfilled by its consequences: they come on top of it.
func (d *Duty) status(q *query, t *DutyTrace) DutyStatus {
	s := DutyStatus{ID: d.id, Node: d.node, Place: d.place, Action: d.Action(), Target: d.target, Known: true}
	if f := d.problem(); f != nil {
		s.Known, s.Code = false, f.Code
	}
	done, stated := q.exercised(d)
	s.Violated = stated && !done
	state := all(d.constraints, q, t.constraintList())
	state = state.and(all(d.action.refinements, q, t.constraintList()))
	s.Fulfilled = s.Known && done && state == Satisfied
	if t != nil {
		t.DutyStatus = s
		for _, c := range d.consequences {
			t.Consequences = append(t.Consequences, DutyTrace{})
			c.status(q, &t.Consequences[len(t.Consequences)-1])
		}
	}
	return s
}

func (t *DutyTrace) constraintList() *[]ConstraintTrace {
	if t == nil {
		return nil
	}
	return &t.Constraints
}

// all evaluates constraints as a conjunction (2.5). With a trace it evaluates
// every one.
func all(ks []*constraint, q *query, list *[]ConstraintTrace) State {
	s := Satisfied
	for _, k := range ks {
		var t *ConstraintTrace
		if list != nil {
			*list = append(*list, ConstraintTrace{})
			t = &(*list)[len(*list)-1]
		}
		s = s.and(k.evaluate(q, t))
		if s == Unsatisfied && list == nil {
			return s
		}
	}
	return s
}
