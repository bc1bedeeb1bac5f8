package odrl

import "github.com/rdfproto/rdfproto/rdf"

// DutyStatus says how a duty stands with one request.
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
	// Known is false for a duty that is not understood: nothing fulfils it.
	Known bool `json:"known"`
	Code  Code `json:"code,omitempty"` // why it is not understood
}

// dutyKey is what makes two entries one duty (7.2, step 10).
type dutyKey struct {
	action, target, id string
	node               string // of one that is not understood
	fulfilled, known   bool
}

func (s *DutyStatus) key() dutyKey {
	k := dutyKey{action: s.Action, target: s.Target, id: s.ID, fulfilled: s.Fulfilled, known: s.Known}
	if !s.Known {
		k.node = s.Node
	}
	return k
}

// MergeDuties appends to duties those of more that it does not hold yet. Two are the
// same when their action, target, identifier and fulfilment are; the first stays. It
// takes time in proportion to the number of both.
func MergeDuties(duties []DutyStatus, more ...DutyStatus) []DutyStatus {
	const few = 64 // comparisons that cost less than a map
	if len(more) == 0 {
		return duties
	}
	if (len(duties)+len(more))*len(more) <= few {
	next:
		for i := range more {
			key := more[i].key()
			for j := range duties {
				if duties[j].key() == key {
					continue next
				}
			}
			duties = append(duties, more[i])
		}
		return duties
	}
	seen := make(map[dutyKey]bool, len(duties)+len(more))
	for i := range duties {
		seen[duties[i].key()] = true
	}
	for i := range more {
		if key := more[i].key(); !seen[key] {
			seen[key] = true
			duties = append(duties, more[i])
		}
	}
	return duties
}

// problem returns why nothing can fulfil the duty, or nil.
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
		t.Node = traceName(s.Node)
		q.budget.spend(t.ID, t.Node, t.Place.File, t.Action, t.Target)
		traceDuties(q, d.consequences, &t.Consequences)
	}
	return s
}

// traceDuties says what came of duties, as far as there is room.
func traceDuties(q *query, duties []*Duty, list *[]DutyTrace) {
	for _, d := range duties {
		if !q.budget.take() {
			continue
		}
		*list = append(*list, DutyTrace{})
		d.status(q, &(*list)[len(*list)-1])
	}
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
		if list != nil && q.budget.take() {
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
