package owg

import "slices"

// step is one hand-over of work as the search for chains sees it: a task of the
// workflow, or what a run record says of one.
type step struct {
	workflow    string // of the record, "" for the workflow itself
	home        string // tells workflows apart, those without an id included; "" for the workflow itself
	task        string
	performedBy string
	delegation  *Delegation
	used        []string
	produced    []string

	run      int   // the record that it is from, -1 for none
	received []int // the records whose runs began with it
	remote   string
}

// steps finds what led to a step. It is for one call.
type steps struct {
	all        []step
	performers map[string][]int // steps by who performed them
	producers  map[string][]int // by asset
	users      map[string][]int
	budget     *budget

	participant func(id string) (*Participant, bool)

	from     int // for which up and down hold
	up, down map[int]bool
}

func newSteps(all []step, participant func(id string) (*Participant, bool), b *budget) *steps {
	s := &steps{all: all, participant: participant, budget: b, from: -1, performers: map[string][]int{}, producers: map[string][]int{}, users: map[string][]int{}}
	for i := range all {
		t := &all[i]
		if t.performedBy != "" {
			s.performers[t.performedBy] = append(s.performers[t.performedBy], i)
		}
		for _, a := range t.produced {
			s.producers[a] = append(s.producers[a], i)
		}
		for _, a := range t.used {
			s.users[a] = append(s.users[a], i)
		}
	}
	return s
}

// stepsOf returns the tasks of a workflow.
func stepsOf(w *Workflow) []step {
	all := make([]step, len(w.tasks))
	for i := range w.tasks {
		t := &w.tasks[i]
		all[i] = step{task: t.ID, performedBy: t.PerformedBy, delegation: t.Delegation, used: t.Used, produced: t.Produced, run: -1}
	}
	return all
}

// led returns the steps by which a participant may have received what it handed on in
// the step from: tasks that it performed and that were delegated to it, even if nobody
// says by whom (section C.3, step 4), except those by which the work came back. Of
// several it keeps those that the same run began with, or else those that are connected
// by assets, or else all.
func (s *steps) led(from int, participant string, not func(int) bool) ([]int, error) {
	candidates := s.performers[participant]
	if err := s.budget.spend(1 + len(candidates)); err != nil {
		return nil, err
	}
	var all []int
	for _, i := range candidates {
		if i == from || not(i) || s.all[i].delegation == nil {
			continue
		}
		back, err := s.cameBack(from, i)
		if err != nil {
			return nil, err
		}
		if !back {
			all = append(all, i)
		}
	}
	if len(all) < 2 {
		return all, nil
	}
	if run := s.all[from].run; run >= 0 {
		began := keep(all, func(i int) bool { return slices.Contains(s.all[i].received, run) })
		if len(began) > 0 {
			return began, nil
		}
	}
	if err := s.connect(from); err != nil {
		return nil, err
	}
	if near := keep(all, func(i int) bool { return s.up[i] || s.down[i] }); len(near) > 0 {
		return near, nil
	}
	return all, nil
}

// cameBack reports whether a step i hands back the result of the step from: it comes
// later in the same workflow, the performer of from delegates it, and it uses what from
// produced. A confirmation to the party that ordered the work is no authority for the
// order.
//
// A colleague of the performer does not count: otherwise a participant who received
// little from one member of an organization could hand more to another, and the little
// would be forgotten.
func (s *steps) cameBack(from, i int) (bool, error) {
	if i < from || s.all[i].home != s.all[from].home {
		return false, nil
	}
	same, err := s.sameHand(s.all[from].performedBy, s.all[i].delegation.By)
	if err != nil || !same {
		return false, err
	}
	if err := s.connect(from); err != nil {
		return false, err
	}
	return s.down[i] && !s.up[i], nil
}

// sameHand reports whether two participants are one, or one operates the other.
func (s *steps) sameHand(a, b string) (bool, error) {
	p, ok := s.participant(a)
	q, known := s.participant(b)
	if !ok || !known {
		return false, nil
	}
	if a == b {
		return true, nil
	}
	for _, pair := range [][2]*Participant{{p, q}, {q, p}} {
		seen := map[string]bool{}
		for p := pair[0]; p.OperatedBy != "" && !seen[p.ID]; {
			if err := s.budget.spend(1); err != nil {
				return false, err
			}
			if p.OperatedBy == pair[1].ID {
				return true, nil
			}
			seen[p.ID] = true
			next, ok := s.participant(p.OperatedBy)
			if !ok {
				break
			}
			p = next
		}
	}
	return false, nil
}

// connect finds what is connected with a step by assets: what led to what it used, and
// what used what it produced.
func (s *steps) connect(from int) error {
	if s.from == from {
		return nil
	}
	s.from, s.up, s.down = -1, map[int]bool{}, map[int]bool{}
	if err := s.reach(from, s.up, func(t *step) ([]string, map[string][]int) { return t.used, s.producers }); err != nil {
		return err
	}
	if err := s.reach(from, s.down, func(t *step) ([]string, map[string][]int) { return t.produced, s.users }); err != nil {
		return err
	}
	s.from = from
	return nil
}

// reach adds what is reached from a step through assets, in one direction.
func (s *steps) reach(from int, into map[int]bool, next func(*step) ([]string, map[string][]int)) error {
	seen, assets := map[int]bool{from: true}, map[string]bool{}
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		list, steps := next(&s.all[queue[0]])
		for _, asset := range list {
			if err := s.budget.spend(1); err != nil {
				return err
			}
			if assets[asset] {
				continue
			}
			assets[asset] = true
			for _, i := range steps[asset] {
				if err := s.budget.spend(1); err != nil {
					return err
				}
				if !seen[i] {
					seen[i], into[i] = true, true
					queue = append(queue, i)
				}
			}
		}
	}
	return nil
}

func keep(all []int, ok func(int) bool) []int {
	var out []int
	for _, i := range all {
		if ok(i) {
			out = append(out, i)
		}
	}
	return out
}

// extra returns the members of a scope that are not in another, sorted, each once. They
// are compared exactly, without wildcards or prefixes (V-9).
func (b *budget) extra(scope, within []string) ([]string, error) {
	if err := b.spend(len(scope) + len(within)); err != nil {
		return nil, err
	}
	have := make(map[string]bool, len(within))
	for _, s := range within {
		have[s] = true
	}
	var out []string
	for _, s := range scope {
		if !have[s] {
			out = append(out, s)
			have[s] = true
		}
	}
	slices.Sort(out)
	return out, nil
}

// union returns a list with those of another that are not in it, each once, at the end.
func (b *budget) union(list, more []string) ([]string, error) {
	if len(more) == 0 {
		return list, nil
	}
	if err := b.spend(len(list) + len(more)); err != nil {
		return nil, err
	}
	have, out := firstOf(list), slices.Clip(list)
	for _, s := range more {
		if _, ok := have[s]; !ok {
			have[s], out = len(out), append(out, s)
		}
	}
	return out, nil
}

// firstOf returns where each text of a list stands first.
func firstOf(list []string) map[string]int {
	out := make(map[string]int, len(list))
	for i, s := range list {
		if _, ok := out[s]; !ok {
			out[s] = i
		}
	}
	return out
}

// outlives reports whether a delegation lasts longer than another (V-13). A time can have
// as many digits as a workflow has room for, and be compared with thousands.
func (b *budget) outlives(d, received *Delegation) (bool, error) {
	if received.ExpiresAt == "" {
		return false, nil
	}
	if err := b.spend((len(d.ExpiresAt) + len(received.ExpiresAt)) / 64); err != nil {
		return false, err
	}
	until, ok := parseTime(received.ExpiresAt)
	own, known := parseTime(d.ExpiresAt)
	return !ok || !known || own.After(until), nil
}
