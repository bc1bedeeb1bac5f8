package owg

import "slices"

// merge makes one set of steps of the tasks of the workflow and of what records say,
// of this workflow and of others, with the participants of all of them (section
// C.6a).
func (t *tracing) merge(records []*Record) ([]step, error) {
	if len(records) > t.w.limits.Records {
		return nil, over("records", t.w.limits.Records)
	}
	t.participants, t.byID, t.attempts = slices.Clip(t.w.participants), map[string]int{}, map[int]*Attempt{}
	for i := range t.participants {
		t.byID[t.participants[i].ID] = i
	}
	all, count := stepsOf(t.w), 0
	index := map[[2]string]int{} // steps of tasks, by workflow and task
	for i := range t.w.tasks {
		index[[2]string{"", t.w.tasks[i].ID}] = i
	}
	for run, r := range records {
		if count += len(r.Attempts) + len(r.Received); count > t.w.limits.Tasks {
			return nil, over("attempts", t.w.limits.Tasks)
		}
		if err := t.know(r); err != nil {
			return nil, err
		}
		workflow := r.Workflow
		if workflow == t.w.id {
			workflow = ""
		}
		for _, a := range latest(r.Attempts) {
			s := step{
				workflow: workflow, task: a.Task, performedBy: a.PerformedBy, delegation: a.Delegation, used: a.Used,
				run: run, remote: a.Remote.TaskID,
			}
			for _, p := range a.Produced {
				s.produced = append(s.produced, p.Asset)
			}
			key := [2]string{workflow, a.Task}
			i, ok := index[key]
			switch {
			case ok && i < len(t.w.tasks) && workflow == "":
				t.overlay(&all[i], s)
			case ok:
				all[i] = s
			default:
				i = len(all)
				index[key], all = i, append(all, s)
			}
			if a.Status == StatusSucceeded {
				t.attempts[i] = a
			}
		}
	}
	for run, r := range records {
		all = t.received(all, run, r, len(t.w.tasks))
	}
	return all, nil
}

// latest returns for each task the attempt that counts: the last that succeeded, else
// the last that runs. What failed produced nothing and handed nothing on.
func latest(attempts []Attempt) []*Attempt {
	var out []*Attempt
	of := map[string]int{}
	for i := range attempts {
		a := &attempts[i]
		if a.Status == StatusFailed {
			continue
		}
		k, ok := of[a.Task]
		if !ok {
			of[a.Task], out = len(out), append(out, a)
			continue
		}
		old := out[k]
		if a.Status == old.Status && a.Number > old.Number || a.Status == StatusSucceeded && old.Status != StatusSucceeded {
			out[k] = a
		}
	}
	return out
}

// overlay puts what happened over what was planned. What the workflow says stands
// where the two disagree about who handed the task over, and that is a finding.
func (t *tracing) overlay(task *step, s step) {
	if s.performedBy != "" {
		task.performedBy = s.performedBy
	}
	task.run, task.remote = s.run, s.remote
	if s.delegation != nil && (task.delegation == nil || task.delegation.By != s.delegation.By) {
		t.find(SeverityWarning, "P", CodeRecordConflict, "the record and the workflow name different delegators of the task %s", quote(task.task))
	}
	for _, a := range s.produced {
		if !slices.Contains(task.produced, a) {
			task.produced = append(slices.Clip(task.produced), a)
		}
	}
}

// received adds the hand-offs that a record received. One is the attempt of whoever
// sent it, where a record has that, or an intake task of the workflow, or both; else it
// is a step of its own.
func (t *tracing) received(all []step, run int, r *Record, tasks int) []step {
	for i := range r.Received {
		x := &r.Received[i]
		if x.State == StateRejected || x.Delegation == nil || x.PerformedBy == "" {
			continue
		}
		sent := slices.IndexFunc(all, func(s step) bool {
			return x.TaskID != "" && s.remote == x.TaskID && s.performedBy == x.PerformedBy && s.run != run
		})
		intake := -1
		if r.Workflow == t.w.id {
			intake = slices.IndexFunc(all[:tasks], func(s step) bool {
				return s.task == x.Task && (s.performedBy == "" || s.performedBy == x.PerformedBy)
			})
		}
		at := sent
		switch {
		case intake >= 0:
			at = intake
			if sent >= 0 && sent != intake { // the two sides of one hand-off
				all[intake].run, all[intake].remote = all[sent].run, all[sent].remote
				t.agree(&all[sent], x)
				if sent >= tasks {
					all[sent].performedBy = ""
				}
			}
		case sent < 0:
			at = len(all)
			all = append(all, step{
				workflow: r.Workflow, task: x.Task, performedBy: x.PerformedBy, delegation: x.Delegation,
				produced: x.Produced, run: -1, remote: x.TaskID,
			})
		}
		s := &all[at]
		s.received = append(s.received, run)
		t.agree(s, x)
		if s.delegation == nil {
			s.delegation = x.Delegation
		}
		if s.performedBy == "" {
			s.performedBy = x.PerformedBy
		}
	}
	return all
}

// agree finds out whether what was sent and what was received have one delegator.
func (t *tracing) agree(s *step, x *Received) {
	if s.delegation != nil && s.delegation.By != x.Delegation.By {
		t.find(SeverityWarning, "P", CodeRecordConflict, "records name different delegators of the remote task %s: %s and %s", quote(x.TaskID), quote(s.delegation.By), quote(x.Delegation.By))
	}
}

// know adds the participants of a record. What the workflow, or a record before, says
// of one stands; where another disagrees, that is a finding.
func (t *tracing) know(r *Record) error {
	for _, p := range r.Participants {
		i, ok := t.byID[p.ID]
		if !ok {
			if len(t.participants) >= t.w.limits.Participants {
				return over("participants", t.w.limits.Participants)
			}
			t.byID[p.ID] = len(t.participants)
			t.participants = append(t.participants, p)
			continue
		}
		if q := &t.participants[i]; q.Kind != p.Kind || q.OperatedBy != p.OperatedBy || q.WorksFor != p.WorksFor {
			t.find(SeverityWarning, "P", CodeRecordConflict, "a record describes the participant %s otherwise", quote(p.ID))
		}
	}
	return nil
}
