package owg

import (
	"bytes"
	"slices"
)

// merge makes one set of steps from the tasks of the workflow and from records, of this
// workflow and of others, with the participants of all of them (section C.6a).
func (t *tracing) merge(records []*Record) ([]step, error) {
	if len(records) > t.w.limits.Records {
		return nil, over("records", t.w.limits.Records)
	}
	t.participants, t.byID, t.attempts, t.trying = slices.Clip(t.w.participants), map[string]int{}, map[int]*Attempt{}, map[int]bool{}
	for i := range t.participants {
		t.byID[t.participants[i].ID] = i
	}
	if err := t.know(records); err != nil {
		return nil, err
	}
	t.home = homes(t.w.id, records)
	claims, err := t.claims(records)
	if err != nil {
		return nil, err
	}
	all := stepsOf(t.w)
	for _, c := range claims {
		a := c.attempt
		s := step{
			workflow: c.workflow, home: c.home, task: a.Task, performedBy: a.PerformedBy, delegation: a.Delegation, used: a.Used,
			run: c.run, remote: a.Remote.TaskID,
		}
		for _, p := range a.Produced {
			s.produced = append(s.produced, p.Asset)
		}
		i, ok := t.w.taskID[a.Task]
		if ok && c.home == 0 {
			if err := t.overlay(&all[i], s); err != nil {
				return nil, err
			}
			if a.Status != StatusSucceeded {
				t.trying[i] = true
			}
		} else {
			i = len(all)
			all = append(all, s)
		}
		if a.Status == StatusSucceeded {
			t.attempts[i] = a
		}
	}
	t.once(claims, records)
	sent := sendings{}
	for i := range all {
		sent.add(all, i)
	}
	for run, r := range records {
		if all, err = t.received(all, run, r, len(t.w.tasks), sent); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// claim is what a record says about an attempt.
type claim struct {
	counted
	run, home int
	workflow  string
}

// homes tells the workflows of records apart, by numbers: 0 is the one that is traced.
func homes(traced string, records []*Record) []int {
	out, of := make([]int, len(records)), map[string]int{}
	for run, r := range records {
		home, known := of[r.Workflow]
		switch {
		case r.Workflow == traced:
			continue
		case r.Workflow == "" || !known: // without an id nobody knows which
			home = run + 1
			of[r.Workflow] = home
		}
		out[run] = home
	}
	return out
}

// claims returns for each task the attempt that counts, whatever the order of the
// records. If two records describe one attempt differently, nothing says which is true,
// and the trace is not complete.
func (t *tracing) claims(records []*Record) ([]claim, error) {
	type attempt struct {
		home   int
		task   string
		number int
	}
	var out []claim
	count, of, told := 0, map[attempt]int{}, map[attempt]*Attempt{}
	for run, r := range records {
		count += len(r.Attempts)
		for i := range r.Received {
			if r.Received[i].State != StateRejected { // which whoever can call causes, and is no step
				count++
			}
		}
		if count > t.w.limits.Tasks {
			return nil, over("attempts", t.w.limits.Tasks)
		}
		home, workflow := t.home[run], r.Workflow
		if home == 0 {
			workflow = ""
		}
		for i := range r.Attempts {
			a := &r.Attempts[i]
			key := attempt{home, a.Task, a.Number}
			if old, ok := told[key]; !ok {
				told[key] = a
			} else if !old.agrees(a) {
				t.find(SeverityError, "P", CodeRecordConflict, "records describe the attempt %d at the task %s in two ways", a.Number, quote(a.Task))
			}
		}
		for _, a := range latest(r.Attempts) {
			key := attempt{home: home, task: a.Task}
			k, ok := of[key]
			if !ok {
				of[key], out = len(out), append(out, claim{counted{attempt: a}, run, home, workflow})
			} else if c := &out[k]; c.yields(a) {
				c.run, c.home, c.workflow = run, home, workflow
			}
		}
	}
	for _, c := range out {
		if err := t.declared(c.attempt.Delegation, c.attempt.Task); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// remote is a task of an agent that performs it.
type remote struct{ task, performer string }

// once finds remote tasks that were sent twice, or received in two ways: a remote task of
// a performer is one hand-off.
func (t *tracing) once(claims []claim, records []*Record) {
	sent := map[remote]*claim{}
	for i := range claims {
		c := &claims[i]
		key := remote{c.attempt.Remote.TaskID, c.attempt.PerformedBy}
		if key.task == "" || key.performer == "" {
			continue
		}
		if sent[key] != nil {
			t.find(SeverityError, "P", CodeRecordConflict, "the remote task %s of %s was sent twice", quote(key.task), quote(key.performer))
		}
		sent[key] = c
	}
	received := map[remote]*Received{}
	homes := map[remote]int{}
	for run, r := range records {
		for i := range r.Received {
			x := &r.Received[i]
			key := remote{x.TaskID, x.PerformedBy}
			if key.task == "" || key.performer == "" || x.State == StateRejected || x.Delegation == nil {
				continue
			}
			old, home := received[key], t.home[run]
			if old != nil && (homes[key] != home || old.Task != x.Task || !old.Delegation.equal(x.Delegation)) {
				t.find(SeverityError, "P", CodeRecordConflict, "the remote task %s of %s was received in two ways", quote(key.task), quote(key.performer))
			}
			received[key], homes[key] = x, home
		}
	}
}

// agrees reports whether two descriptions can be of the same attempt, at different times.
func (a *Attempt) agrees(b *Attempt) bool {
	same := func(x, y string) bool { return x == "" || y == "" || x == y }
	if a.PerformedBy != b.PerformedBy || !same(a.Remote.TaskID, b.Remote.TaskID) || !same(a.Remote.ContextID, b.Remote.ContextID) || !a.Delegation.equal(b.Delegation) {
		return false
	}
	return !a.Terminal() || !b.Terminal() || a.Status == b.Status && slices.EqualFunc(a.Produced, b.Produced, func(p, q Produced) bool {
		return p.Asset == q.Asset && p.Artifact == q.Artifact && p.SHA256 == q.SHA256
	})
}

// equal reports whether two delegations say the same.
func (d *Delegation) equal(e *Delegation) bool {
	if d == nil || e == nil {
		return d == e
	}
	return d.By == e.By && d.ExpiresAt == e.ExpiresAt && sameScope(d.Scope, e.Scope)
}

// sameScope reports whether two scopes are one set (V-9); none grants as little as an empty
// one (V-11a). It takes no longer than to look at each member once.
func sameScope(a, b []string) bool {
	if slices.Equal(a, b) {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	met := make(map[string]bool, len(a))
	for _, s := range a {
		met[s] = false
	}
	left := len(met)
	for _, s := range b {
		switch before, ok := met[s]; {
		case !ok:
			return false
		case !before:
			met[s] = true
			left--
		}
	}
	return left == 0
}

// counted is the attempt at a task that counts, of those that were looked at.
type counted struct {
	attempt *Attempt
	text    []byte // as JSON, nil if it was not needed
}

// yields puts an attempt at the same task in its place, if that counts more, and reports
// whether it did; neither has failed. One that succeeded counts first, then the later one.
// Of two that differ in neither the same one is taken, whatever their order. There can be
// a short attempt against a long one in each record: each is written once.
func (c *counted) yields(a *Attempt) bool {
	old := c.attempt
	switch {
	case a.Status != old.Status:
		if a.Status != StatusSucceeded {
			return false
		}
	case a.Number != old.Number:
		if a.Number < old.Number {
			return false
		}
	default:
		if c.text == nil {
			c.text = old.Append(nil)
		}
		text := a.Append(nil)
		if bytes.Compare(text, c.text) >= 0 {
			return false
		}
		*c = counted{a, text}
		return true
	}
	*c = counted{attempt: a}
	return true
}

// declared applies V-9 to a delegation from a record.
func (t *tracing) declared(d *Delegation, task string) error {
	if d == nil {
		return nil
	}
	by, ok := t.participant(d.By)
	if !ok || !by.ScopeDeclared {
		return nil
	}
	extra, err := t.grants.extra(t.grants.read(d).scope, t.grants.own(by))
	if err == nil && len(extra) > 0 {
		t.find(SeverityError, "S", CodeDelegationWidens, "by the record of the task %s, %s hands on what it does not have itself: %s", quote(task), quote(d.By), quotedScopes(extra)).Extra = t.scopes.list(extra)
	}
	return err
}

// latest returns for each task the attempt that counts: the last that succeeded, or else
// the last that is running. A failed attempt produced nothing and handed nothing on.
func latest(attempts []Attempt) []*Attempt {
	var all []counted
	of := map[string]int{}
	for i := range attempts {
		a := &attempts[i]
		if a.Status == StatusFailed {
			continue
		}
		if k, ok := of[a.Task]; ok {
			all[k].yields(a)
		} else {
			of[a.Task], all = len(all), append(all, counted{attempt: a})
		}
	}
	out := make([]*Attempt, len(all))
	for i := range all {
		out[i] = all[i].attempt
	}
	return out
}

// overlay puts what happened over what was planned. If the two disagree about the
// delegation, that of the workflow counts, and there is a finding.
func (t *tracing) overlay(task *step, s step) error {
	if s.performedBy != "" {
		task.performedBy = s.performedBy
	}
	task.run, task.remote = s.run, s.remote
	if s.delegation != nil && !s.delegation.equal(task.delegation) {
		t.find(SeverityWarning, "P", CodeRecordConflict, "the record and the workflow have different delegations of the task %s", quote(task.task))
	}
	task.produced = append(task.produced, s.produced...)
	return t.budget.spend(len(s.produced))
}

// received adds the hand-offs that a record received. A hand-off is the attempt of its
// sender, if a record has that, or an intake task of the workflow, or both; otherwise it
// is a step of its own.
func (t *tracing) received(all []step, run int, r *Record, tasks int, index sendings) ([]step, error) {
	home := t.home[run]
	for i := range r.Received {
		x := &r.Received[i]
		if x.State == StateRejected || x.Delegation == nil || x.PerformedBy == "" {
			continue
		}
		if err := t.declared(x.Delegation, x.Task); err != nil {
			return nil, err
		}
		if err := t.budget.spend(1); err != nil {
			return nil, err
		}
		sent, intake := index.find(all, run, x), -1
		if i, ok := t.w.taskID[x.Task]; ok && home == 0 && (all[i].performedBy == "" || all[i].performedBy == x.PerformedBy) {
			intake = i
		}
		at, moved := sent, false
		switch {
		case intake >= 0:
			at = intake
			if sent >= 0 && sent != intake {
				if err := t.join(all, intake, sent, x, tasks); err != nil {
					return nil, err
				}
				moved = true
			}
		case sent < 0:
			at = len(all)
			all = append(all, step{
				workflow: r.Workflow, home: home, task: x.Task, performedBy: x.PerformedBy, delegation: x.Delegation,
				produced: x.Produced, run: -1, remote: x.TaskID,
			})
			moved = true
		}
		s := &all[at]
		if n := len(s.received); n == 0 || s.received[n-1] != run {
			s.received = append(s.received, run)
		}
		if err := t.agree(s, x, at < tasks); err != nil {
			return nil, err
		}
		if s.delegation == nil {
			s.delegation = x.Delegation
		}
		if s.performedBy == "" {
			s.performedBy, moved = x.PerformedBy, true
		}
		if moved {
			index.add(all, at)
		}
	}
	return all, nil
}

// sendings are the steps by their remote tasks, in order, and some that had them before.
type sendings map[remote][]int

func (s sendings) add(all []step, i int) {
	key := remote{all[i].remote, all[i].performedBy}
	if key.task == "" || key.performer == "" {
		return
	}
	if at, ok := slices.BinarySearch(s[key], i); !ok {
		s[key] = slices.Insert(s[key], at, i)
	}
}

// find returns the step by which a hand-off was sent to the agent of another record, the
// first of several, -1 when no record has it.
func (s sendings) find(all []step, run int, x *Received) int {
	if x.TaskID == "" {
		return -1
	}
	for _, i := range s[remote{x.TaskID, x.PerformedBy}] {
		if all[i].remote == x.TaskID && all[i].performedBy == x.PerformedBy && all[i].run != run {
			return i
		}
	}
	return -1
}

// join makes one step of the two sides of a hand-off: the intake task of the workflow
// that received it, and the step by which it was sent.
func (t *tracing) join(all []step, intake, sent int, x *Received, tasks int) error {
	all[intake].run, all[intake].remote = all[sent].run, all[sent].remote
	if err := t.agree(&all[sent], x, sent < tasks); err != nil {
		return err
	}
	if sent < tasks {
		return nil
	}
	// What was produced is not produced twice.
	all[intake].produced = append(all[intake].produced, all[sent].produced...)
	err := t.budget.spend(len(all[sent].produced))
	all[sent].performedBy, all[sent].produced = "", nil
	return err
}

// agree checks that a hand-off was received as it was sent: by the same delegator, and no
// wider. What the workflow planned wins over a record; between two records nothing says
// which is true.
func (t *tracing) agree(s *step, x *Received, planned bool) error {
	if s.delegation == nil {
		return nil
	}
	severity := SeverityError
	if planned {
		severity = SeverityWarning
	}
	if s.delegation.By != x.Delegation.By {
		t.find(severity, "P", CodeRecordConflict, "different delegators of the remote task %s: %s sent it, %s was received", quote(x.TaskID), quote(s.delegation.By), quote(x.Delegation.By))
	}
	received, sent := t.grants.read(x.Delegation), t.grants.read(s.delegation)
	extra, err := t.grants.extra(received.scope, sent.scope)
	if err == nil && len(extra) > 0 {
		t.find(severity, "P", CodeRecordConflict, "more was received with the remote task %s than was sent: %s", quote(x.TaskID), quotedScopes(extra)).Extra = t.scopes.list(extra)
	}
	if err != nil {
		return err
	}
	if received.outlives(sent) {
		t.find(severity, "P", CodeRecordConflict, "the remote task %s was received for longer than it was sent", quote(x.TaskID))
	}
	return nil
}

// know adds the participants of the records. What the workflow says about a participant
// counts. Records complete each other; if two contradict each other about what a
// participant is, or who operates it, that is an error.
func (t *tracing) know(records []*Record) error {
	planned := len(t.participants)
	for _, r := range records {
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
			q := &t.participants[i]
			if i >= planned {
				if !q.complete(&p) {
					t.find(SeverityError, "P", CodeRecordConflict, "records describe the participant %s in two ways", quote(p.ID))
				}
				continue
			}
			other := q.Identity != "" && p.Identity != "" && q.Identity != p.Identity
			if other || q.Kind != p.Kind || q.OperatedBy != p.OperatedBy || q.WorksFor != p.WorksFor {
				t.find(SeverityWarning, "P", CodeRecordConflict, "a record describes the participant %s otherwise", quote(p.ID))
			}
		}
	}
	return nil
}

// complete adds to p what q says and p does not, and reports whether the two agree.
func (p *Participant) complete(q *Participant) bool {
	agree := p.Kind == q.Kind
	for _, m := range []struct {
		have *string
		says string
	}{{&p.OperatedBy, q.OperatedBy}, {&p.WorksFor, q.WorksFor}, {&p.Identity, q.Identity}} {
		if *m.have == "" {
			*m.have = m.says
		} else if m.says != "" && m.says != *m.have {
			agree = false
		}
	}
	if !p.ScopeDeclared {
		p.Scope, p.ScopeDeclared = q.Scope, q.ScopeDeclared
	} else if q.ScopeDeclared && !sameScope(p.Scope, q.Scope) {
		agree = false
	}
	return agree
}
