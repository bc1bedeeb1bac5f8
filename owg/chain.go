package owg

import "slices"

// step is one hand-over of work as the search for chains sees it: a task of the
// workflow, or what a run record says of one.
type step struct {
	workflow    string // of the record, "" for the workflow itself
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

	from      int // for which connected holds
	connected map[int]bool
}

func newSteps(all []step, b *budget) *steps {
	s := &steps{all: all, budget: b, from: -1, performers: map[string][]int{}, producers: map[string][]int{}, users: map[string][]int{}}
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

// led returns the steps by which a participant may have received what it handed on
// in the step from: tasks that it performed and that were delegated to it (section
// C.3, step 4). Of several, those stand that the same run began with, else those
// that are connected by assets, else all of them.
func (s *steps) led(from int, participant string, not func(int) bool) ([]int, error) {
	candidates := s.performers[participant]
	if err := s.budget.spend(1 + len(candidates)); err != nil {
		return nil, err
	}
	var all []int
	for _, i := range candidates {
		if i != from && !not(i) && s.all[i].delegation != nil && s.all[i].delegation.By != "" {
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
	if s.from != from {
		s.connected = map[int]bool{}
		for _, next := range []func(*step) ([]string, map[string][]int){
			func(t *step) ([]string, map[string][]int) { return t.used, s.producers },
			func(t *step) ([]string, map[string][]int) { return t.produced, s.users },
		} {
			if err := s.reach(from, s.connected, next); err != nil {
				return nil, err
			}
		}
		s.from = from
	}
	if near := keep(all, func(i int) bool { return s.connected[i] }); len(near) > 0 {
		return near, nil
	}
	return all, nil
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

// extra returns what of a scope is not in another, sorted, each once: exact strings,
// no wildcards, no prefixes (V-9).
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

// outlives reports whether a delegation lasts longer than another (V-13).
func outlives(d, received *Delegation) bool {
	if received.ExpiresAt == "" {
		return false
	}
	until, ok := parseTime(received.ExpiresAt)
	own, known := parseTime(d.ExpiresAt)
	return !ok || !known || own.After(until)
}
