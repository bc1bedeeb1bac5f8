package owg

import "slices"

// step is one hand-over of work as the search for chains sees it: a task of the
// workflow, or what a run record says of one.
type step struct {
	workflow    string // of the record, "" for the workflow itself
	home        int    // tells workflows apart, those without an id included; 0 for the workflow itself
	task        string
	performedBy string
	delegation  *Delegation
	used        []string
	produced    []string

	run      int   // the record that it is from, -1 for none
	received []int // the records whose runs began with it, ascending
	remote   string

	// What newSteps finds out once: names are as long as a workflow has room for, and each
	// step is compared with thousands.
	performer, delegator int // participants, -1 for unknown ones
	uses, makes          []int
	grant                *grant // nil without a delegation
}

// steps finds what led to a step. It is for one call.
type steps struct {
	all           []step
	performers    map[string][]int // steps by who performed them
	producers     map[string][]int // by asset
	makers, users [][]int          // by the number of an asset
	operator      []int            // of each participant, -1 for none that is known
	budget        *budget

	from     int // for which up and down hold
	up, down reached
}

// reached is what a search through assets reached: what has its number.
type reached struct {
	search        int
	steps, assets []int
}

func (r *reached) has(i int) bool { return r.steps[i] == r.search }

func newSteps(all []step, people []Participant, byID map[string]int, g *grants) *steps {
	s := &steps{all: all, budget: g.budget, from: -1, performers: map[string][]int{}, producers: map[string][]int{}}
	who := func(id string) int {
		if i, ok := byID[id]; ok {
			return i
		}
		return -1
	}
	for i := range people {
		s.operator = append(s.operator, who(people[i].OperatedBy))
	}
	numbers := map[string]int{}
	number := func(asset string) int {
		n, ok := numbers[asset]
		if !ok {
			n = len(numbers)
			numbers[asset] = n
			s.makers, s.users = append(s.makers, nil), append(s.users, nil)
		}
		return n
	}
	once := func(list []int, i int) []int { // an asset can stand twice
		if n := len(list); n > 0 && list[n-1] == i {
			return list
		}
		return append(list, i)
	}
	for i := range all {
		t := &all[i]
		t.performer, t.delegator = who(t.performedBy), -1
		if t.performedBy != "" {
			s.performers[t.performedBy] = append(s.performers[t.performedBy], i)
		}
		if t.delegation != nil {
			t.delegator, t.grant = who(t.delegation.By), g.read(t.delegation)
		}
		for _, a := range t.produced {
			n := number(a)
			t.makes, s.makers[n] = append(t.makes, n), once(s.makers[n], i)
		}
		for _, a := range t.used {
			n := number(a)
			t.uses, s.users[n] = append(t.uses, n), once(s.users[n], i)
		}
	}
	for asset, n := range numbers {
		if len(s.makers[n]) > 0 {
			s.producers[asset] = s.makers[n]
		}
	}
	s.up = reached{steps: make([]int, len(all)), assets: make([]int, len(numbers))}
	s.down = reached{steps: make([]int, len(all)), assets: make([]int, len(numbers))}
	return s
}

// stepsOf returns the tasks of a workflow.
func stepsOf(w *Workflow) []step {
	all := make([]step, len(w.tasks))
	for i := range w.tasks {
		t := &w.tasks[i]
		all[i] = step{task: t.ID, performedBy: t.PerformedBy, delegation: t.Delegation, used: t.Used, produced: slices.Clip(t.Produced), run: -1}
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
	if near := keep(all, func(i int) bool { return s.up.has(i) || s.down.has(i) }); len(near) > 0 {
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
	same, err := s.sameHand(s.all[from].performer, s.all[i].delegator)
	if err != nil || !same {
		return false, err
	}
	if err := s.connect(from); err != nil {
		return false, err
	}
	return s.down.has(i) && !s.up.has(i), nil
}

// sameHand reports whether two participants are one, or one operates the other. Unknown
// ones are not.
func (s *steps) sameHand(a, b int) (bool, error) {
	if a < 0 || b < 0 {
		return false, nil
	}
	if a == b {
		return true, nil
	}
	for _, pair := range [2][2]int{{a, b}, {b, a}} {
		// slow is behind by half of the way, and is met again where that leads back into itself.
		slow, odd := pair[0], false
		for p := s.operator[pair[0]]; p >= 0 && p != slow; p = s.operator[p] {
			if err := s.budget.spend(1); err != nil {
				return false, err
			}
			if p == pair[1] {
				return true, nil
			}
			if odd = !odd; !odd {
				slow = s.operator[slow]
			}
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
	s.from = -1
	if err := s.reach(from, &s.up, func(t *step) []int { return t.uses }, s.makers); err != nil {
		return err
	}
	if err := s.reach(from, &s.down, func(t *step) []int { return t.makes }, s.users); err != nil {
		return err
	}
	s.from = from
	return nil
}

// reach finds what is reached from a step through assets, in one direction.
func (s *steps) reach(from int, r *reached, assets func(*step) []int, steps [][]int) error {
	r.search++
	r.steps[from] = r.search
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		for _, asset := range assets(&s.all[queue[0]]) {
			if err := s.budget.spend(1); err != nil {
				return err
			}
			if r.assets[asset] == r.search {
				continue
			}
			r.assets[asset] = r.search
			for _, i := range steps[asset] {
				if err := s.budget.spend(1); err != nil {
					return err
				}
				if !r.has(i) {
					r.steps[i] = r.search
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
