package owg

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// Record is what a run leaves: the hand-offs that it received and the attempts that it
// made (section C.6a). Members that this package does not know are kept as they are. A
// Record is the word of its keeper and proves nothing. It is not safe for concurrent use
// while it is changed.
type Record struct {
	Workflow     string // its id, "" for one without
	Participants []Participant
	Received     []Received
	Attempts     []Attempt

	limits Limits
	extra  []member
}

// Received is a hand-off as its receiver records it, before work starts.
type Received struct {
	Task        string // the intake task
	PerformedBy string // the participant that received it
	TaskID      string // of A2A, as the receiver gave it
	ContextID   string
	State       string // "submitted", "input-required" or "rejected"
	Caller      string // the authenticated identity
	Claimed     string // the delegator according to the hand-off, if that is another
	Delegation  *Delegation
	Produced    []string
	Code        Code // why it was rejected, "" otherwise
	At          string

	extra []member
}

// NewRecord returns the empty record of a run of a workflow.
func NewRecord(workflow string, limits Limits) *Record {
	return &Record{Workflow: workflow, limits: limits.OrDefault()}
}

// ParseRecord reads a record strictly. It fails with an [*Error].
func ParseRecord(data []byte, limits Limits) (*Record, error) {
	limits = limits.OrDefault()
	root, err := parse(data, limits.json(limits.RecordBytes), "a run record", CodeRecord)
	if err != nil {
		return nil, err
	}
	r := &Record{limits: limits, extra: unknown(root, "version", "workflow", "participants", "received", "attempts")}
	p := recordReader{}
	if n, ok := root.Get("version").Int64(); !ok || n != 1 {
		p.fail(root, "expected version 1")
	}
	r.Workflow = p.text(root, "workflow", false)
	for _, v := range p.array(root, "participants", limits.Participants) {
		r.Participants = append(r.Participants, p.participant(v))
	}
	for _, v := range p.array(root, "received", limits.Tasks) {
		r.Received = append(r.Received, p.received(v))
	}
	for _, v := range p.array(root, "attempts", limits.Tasks) {
		r.Attempts = append(r.Attempts, p.attempt(v))
	}
	if p.err == nil {
		p.twice(r, root)
	}
	if p.err != nil {
		return nil, p.err
	}
	return r, nil
}

// recordReader reads members and keeps the first error.
type recordReader struct{ err error }

func (p *recordReader) fail(v strictjson.Value, format string, args ...any) {
	if p.err == nil {
		p.err = refuseAt(v, CodeRecord, format, args...)
	}
}

func (p *recordReader) text(v strictjson.Value, name string, need bool) string {
	m := v.Get(name)
	s, ok := m.Str()
	if m.Exists() && (!ok || s == "") {
		p.fail(m, "expected a string that is not empty for %s", name)
	} else if need && !ok {
		p.fail(v, "expected the member %s, a string", name)
	}
	return s
}

func (p *recordReader) array(v strictjson.Value, name string, most int) []strictjson.Value {
	m := v.Get(name)
	if m.Exists() && m.Kind() != strictjson.Array {
		p.fail(m, "expected an array for %s, found %s", name, m.Kind())
	}
	if m.Len() > most {
		if p.err == nil {
			p.err = over(name, most)
		}
		return nil
	}
	var out []strictjson.Value
	for _, e := range m.Items() {
		if e.Kind() != strictjson.Object {
			p.fail(e, "expected objects in %s, found %s", name, e.Kind())
		}
		out = append(out, e)
	}
	return out
}

func (p *recordReader) texts(v strictjson.Value, name string) (all []string, present bool) {
	m := v.Get(name)
	if !m.Exists() {
		return nil, false
	}
	if m.Kind() != strictjson.Array {
		p.fail(m, "expected an array for %s, found %s", name, m.Kind())
	}
	all = []string{}
	for _, e := range m.Items() {
		s, ok := e.Str()
		if !ok {
			p.fail(e, "expected strings in %s, found %s", name, e.Kind())
		}
		all = append(all, s)
	}
	return all, true
}

func (p *recordReader) time(v strictjson.Value, name string) string {
	s := p.text(v, name, false)
	if _, ok := parseTime(s); s != "" && !ok {
		p.fail(v.Get(name), "expected a time as in RFC 3339 for %s, found %s", name, quote(s))
	}
	return s
}

// object returns an object that may be absent.
func (p *recordReader) object(v strictjson.Value, name string) strictjson.Value {
	m := v.Get(name)
	if m.Exists() && m.Kind() != strictjson.Object {
		p.fail(m, "expected an object for %s, found %s", name, m.Kind())
		return strictjson.Value{}
	}
	return m
}

func (p *recordReader) participant(v strictjson.Value) Participant {
	identity := p.object(v, "identity")
	x := Participant{
		ID: p.text(v, "id", true), Kind: p.text(v, "kind", true), WorksFor: p.text(v, "works_for", false),
		OperatedBy: p.text(v, "operated_by", false), Identity: p.text(identity, "id", false),
		extra: unknown(v, "id", "kind", "works_for", "operated_by", "identity"), identity: unknown(identity, "id", "credential_scope"),
	}
	x.Scope, x.ScopeDeclared = p.texts(identity, "credential_scope")
	return x
}

func (p *recordReader) delegation(v strictjson.Value) *Delegation {
	m := p.object(v, "delegation")
	if !m.Exists() {
		return nil
	}
	d := &Delegation{By: p.text(m, "by", false), ExpiresAt: p.time(m, "expires_at"), extra: unknown(m, "by", "scope", "expires_at")}
	d.Scope, d.ScopeStated = p.texts(m, "scope")
	if name := boundedBy(m); name.Exists() && p.err == nil {
		p.err = refuseAt(name, CodeDelegationMember, "%s", boundText(name))
	}
	return d
}

func (p *recordReader) received(v strictjson.Value) Received {
	x := Received{
		Task: p.text(v, "task", true), PerformedBy: p.text(v, "performed_by", false),
		TaskID: p.text(v, "task_id", false), ContextID: p.text(v, "context_id", false), State: p.text(v, "state", true),
		Caller: p.text(v, "caller", false), Claimed: p.text(v, "claimed", false), Delegation: p.delegation(v),
		Code: Code(p.text(v, "code", false)), At: p.time(v, "at"),
		extra: unknown(v, "task", "performed_by", "task_id", "context_id", "state", "caller", "claimed", "delegation", "produced", "code", "at"),
	}
	x.Produced, _ = p.texts(v, "produced")
	if !slices.Contains([]string{StateSubmitted, StateInputRequired, StateRejected}, x.State) {
		p.fail(v, "expected submitted, input-required or rejected for state, found %s", quote(x.State))
	}
	return x
}

func (p *recordReader) attempt(v strictjson.Value) Attempt {
	a := Attempt{
		Task: p.text(v, "task", true), Status: Status(p.text(v, "status", true)), PerformedBy: p.text(v, "performed_by", false),
		Delegation: p.delegation(v), StartedAt: p.time(v, "started_at"), EndedAt: p.time(v, "ended_at"),
		extra: unknown(v, "task", "attempt", "status", "performed_by", "remote", "delegation", "used", "produced", "error", "card", "sent", "started_at", "ended_at"),
	}
	n, ok := v.Get("attempt").Int64()
	if !ok || n < 1 || n > 1<<30 {
		p.fail(v, "expected the number of the attempt, from 1")
	}
	a.Number = int(n)
	if a.Status != StatusRunning && !a.Terminal() {
		p.fail(v, "expected running, succeeded or failed for status, found %s", quote(string(a.Status)))
	}
	remote := p.object(v, "remote")
	a.Remote = Remote{
		TaskID: p.text(remote, "task_id", false), ContextID: p.text(remote, "context_id", false),
		State: p.text(remote, "state", false), Skill: p.text(remote, "skill", false),
		extra: unknown(remote, "task_id", "context_id", "state", "skill"),
	}
	a.Used, _ = p.texts(v, "used")
	for _, e := range p.array(v, "produced", 1<<30) {
		a.Produced = append(a.Produced, Produced{
			Asset: p.text(e, "asset", true), Artifact: p.text(e, "artifact_id", false), SHA256: p.text(e, "sha256", false),
			extra: unknown(e, "asset", "artifact_id", "sha256"),
		})
	}
	if e := v.Get("error"); e.Exists() && !e.IsNull() {
		message, ok := e.Get("message").Str()
		if !ok && e.Get("message").Exists() {
			p.fail(e, "expected a string for message, found %s", e.Get("message").Kind())
		}
		a.Failure = &Failure{Code: Code(p.text(e, "code", true)), Message: message, extra: unknown(e, "code", "message")}
	}
	if c := v.Get("card"); c.Exists() {
		a.Card = &CardUse{SHA256: p.text(c, "sha256", true), Outcome: p.text(c, "outcome", true), extra: unknown(c, "sha256", "outcome")}
	}
	if sent := v.Get("sent"); sent.Kind() == strictjson.Object {
		a.Sent = []byte(sent.Source())
	} else if sent.Exists() {
		p.fail(sent, "expected an object for sent, found %s", sent.Kind())
	}
	return a
}

// twice refuses participants, hand-offs and attempts that are there twice: they could be
// read in two ways.
func (p *recordReader) twice(r *Record, root strictjson.Value) {
	ids, numbers := map[string]bool{}, map[string]bool{}
	for i, x := range r.Participants {
		if ids[x.ID] {
			p.fail(root.Get("participants").Index(i), "another participant has the id %s", quote(x.ID))
		}
		ids[x.ID] = true
	}
	handed := map[string]bool{}
	for i, x := range r.Received {
		if handed[x.TaskID] {
			p.fail(root.Get("received").Index(i), "the hand-off %s stands twice", quote(x.TaskID))
		}
		handed[x.TaskID] = x.TaskID != ""
	}
	for i, a := range r.Attempts {
		key := fmt.Sprint(a.Number, " ", a.Task)
		if numbers[key] {
			p.fail(root.Get("attempts").Index(i), "the attempt %d at the task %s stands twice", a.Number, quote(a.Task))
		}
		numbers[key] = true
	}
}

// Put adds an attempt, or replaces the running one with its task and number. It fails
// with an [*Error]: of [CodeStateAfterTerminal] when that one has ended and differs, of
// [CodeTaskMismatch] when it is another remote task, of [CodeRecord] when the number does
// not follow, of [CodeInvalidResponse] for a new one with a long id of the agent, and of
// [CodeLimit].
func (r *Record) Put(a Attempt) error {
	last := 0
	for i := range r.Attempts {
		old := &r.Attempts[i]
		if old.Task != a.Task {
			continue
		}
		if old.Number != a.Number {
			last = max(last, old.Number)
			continue
		}
		switch {
		case old.Terminal() && !bytes.Equal(old.Append(nil), a.Append(nil)):
			return refuse(CodeStateAfterTerminal, "the attempt %d at the task %s has ended and does not change any more", a.Number, quote(a.Task))
		case old.Remote.TaskID != "" && old.Remote.TaskID != a.Remote.TaskID:
			return refuse(CodeTaskMismatch, "the attempt %d at the task %s is the remote task %s", a.Number, quote(a.Task), quote(old.Remote.TaskID))
		}
		r.Attempts[i] = a
		return nil
	}
	switch {
	case a.Task == "" || a.Status != StatusRunning && !a.Terminal():
		return refuse(CodeRecord, "expected an attempt with a task and a status")
	case len(a.Remote.ContextID) > maxID || len(a.Remote.TaskID) > maxID: // the agent's, as of its answer to an offer
		return refuse(CodeInvalidResponse, "expected ids of at most %d bytes for the remote task and its context", maxID)
	case a.Number != last+1:
		return refuse(CodeRecord, "expected the attempt %d at the task %s, found %d", last+1, quote(a.Task), a.Number)
	case len(r.Attempts) >= r.limits.OrDefault().Tasks:
		return over("attempts", r.limits.OrDefault().Tasks)
	}
	r.Attempts = append(r.Attempts, a)
	return nil
}

// Next returns the number of the next attempt at a task.
func (r *Record) Next(task string) int {
	last := 0
	for i := range r.Attempts {
		if r.Attempts[i].Task == task {
			last = max(last, r.Attempts[i].Number)
		}
	}
	return last + 1
}

// maxDelegation bounds the delegation of a hand-off, in bytes: hundreds of scopes.
const maxDelegation = 64 << 10

// PutReceived adds a hand-off, or replaces the one of the same A2A task that waited for
// input. It fails with an [*Error] of [CodeRecord] when that A2A task is already recorded
// in another way, of [CodeHandOff] when its caller said names of more than 1,000 bytes or a
// delegation of more than 64 KiB, which would fill the record, and of [CodeLimit], also where
// those that were rejected would have more than half of the record: whoever can call causes
// them.
func (r *Record) PutReceived(x Received) error {
	for _, name := range [...]string{x.Task, x.TaskID, x.ContextID, x.Caller, x.Claimed} {
		if len(name) > maxID {
			return refuse(CodeHandOff, "expected names of at most %d bytes in a hand-off, found one of %d", maxID, len(name))
		}
	}
	if x.Delegation != nil {
		if n := len(x.Delegation.json()); n > maxDelegation {
			return refuse(CodeHandOff, "expected a delegation of at most %d bytes, found one of %d", maxDelegation, n)
		}
	}
	for i := range r.Received {
		old := &r.Received[i]
		if x.TaskID == "" || old.TaskID != x.TaskID {
			continue
		}
		same := old.Task == x.Task && old.Caller == x.Caller && old.ContextID == x.ContextID
		if !same || old.State != StateInputRequired {
			return refuse(CodeRecord, "the hand-off %s is recorded already", quote(x.TaskID))
		}
		r.Received[i] = x
		return nil
	}
	if most := r.limits.OrDefault().Tasks; len(r.Received) >= most {
		return over("received", most)
	}
	if err := r.mayReject(&x); err != nil {
		return err
	}
	r.Received = append(r.Received, x)
	return nil
}

// mayReject fails for a rejected hand-off that, with those before it, would leave less than
// half of the record for what is accepted and for attempts.
func (r *Record) mayReject(x *Received) error {
	if x.State != StateRejected {
		return nil
	}
	limits := r.limits.OrDefault()
	most, bytes := (limits.Tasks+1)/2, int(limits.RecordBytes/2)
	n, size := 1, len(x.Append(nil))
	for i := range r.Received {
		if old := &r.Received[i]; old.State == StateRejected {
			n, size = n+1, size+len(old.Append(nil))
		}
	}
	switch {
	case n > most:
		return over("rejected hand-offs", most)
	case size > bytes:
		return over("bytes of rejected hand-offs", bytes)
	}
	return nil
}

// Under returns the delegation under which a workflow runs by its record: that of the
// accepted hand-off with a remote task id, or, for "", that which all accepted hand-offs
// have. It is nil where none was accepted. A hand-off without a delegation grants nothing.
// It fails with an [*Error] of [CodeRecord] when no accepted hand-off has the id, and when
// several differ and none is named: by what is taken, one caller would hand on what another
// was granted.
func (r *Record) Under(taskID string) (*Delegation, error) {
	var found *Delegation
	for i := range r.Received {
		x := &r.Received[i]
		if x.State != StateSubmitted || taskID != "" && x.TaskID != taskID {
			continue
		}
		d := x.Delegation
		if d == nil {
			d = &Delegation{}
		}
		if found != nil && !found.equal(d) {
			return nil, refuse(CodeRecord, "the record has several hand-offs that were accepted, with different delegations, and none of them is named")
		}
		found = d
	}
	if found == nil && taskID != "" {
		return nil, refuse(CodeRecord, "the record has no hand-off %s that was accepted", quote(taskID))
	}
	return found, nil
}

// Know adds the participants that attempts and hand-offs name, so that the record can be
// traced without the workflow: their ids, their kinds, and whom they act for, up to a
// person.
func (r *Record) Know(w *Workflow) {
	have := map[string]bool{}
	for i := range r.Participants {
		have[r.Participants[i].ID] = true
	}
	authority := w.newAuthority(newBudget(w.limits.Work))
	var add func(id string)
	add = func(id string) {
		for !have[id] {
			have[id] = true
			p, ok := w.Participant(id)
			if !ok {
				return
			}
			r.Participants = append(r.Participants, Participant{
				ID: p.ID, Kind: p.Kind, WorksFor: p.WorksFor, OperatedBy: p.OperatedBy, Identity: p.Identity,
			})
			switch {
			case p.Kind == kindHuman:
				return
			case p.OperatedBy != "":
				id = p.OperatedBy
			case p.WorksFor != "":
				if person, ok := authority.people[p.WorksFor]; ok {
					add(person)
				}
				id = p.WorksFor
			}
		}
	}
	for i := range r.Received {
		if d := r.Received[i].Delegation; d != nil {
			add(d.By)
		}
		add(r.Received[i].PerformedBy)
	}
	for i := range r.Attempts {
		if d := r.Attempts[i].Delegation; d != nil {
			add(d.By)
		}
		add(r.Attempts[i].PerformedBy)
	}
}

// Append appends the record as JSON, on one line.
func (r *Record) Append(dst []byte) []byte {
	var o object
	o.number("version", 1)
	o.some("workflow", r.Workflow)
	all := make([][]byte, len(r.Participants))
	for i := range r.Participants {
		p, e := &r.Participants[i], object{}
		e.text("id", p.ID)
		e.text("kind", p.Kind)
		e.some("works_for", p.WorksFor)
		e.some("operated_by", p.OperatedBy)
		var id object
		id.some("id", p.Identity)
		if p.ScopeDeclared {
			id.texts("credential_scope", p.Scope)
		}
		id.rest(p.identity)
		if len(id.b) > 0 {
			e.raw("identity", id.end())
		}
		e.rest(p.extra)
		all[i] = e.end()
	}
	o.raw("participants", list(all))
	all = make([][]byte, len(r.Received))
	for i := range r.Received {
		all[i] = r.Received[i].Append(nil)
	}
	o.raw("received", list(all))
	all = make([][]byte, len(r.Attempts))
	for i := range r.Attempts {
		all[i] = r.Attempts[i].Append(nil)
	}
	o.raw("attempts", list(all))
	o.rest(r.extra)
	return append(dst, o.end()...)
}

// Append appends the hand-off as JSON, as records keep it.
func (x *Received) Append(dst []byte) []byte {
	var o object
	o.text("task", x.Task)
	o.some("performed_by", x.PerformedBy)
	o.some("task_id", x.TaskID)
	o.some("context_id", x.ContextID)
	o.text("state", x.State)
	o.some("caller", x.Caller)
	o.some("claimed", x.Claimed)
	if x.Delegation != nil {
		o.raw("delegation", x.Delegation.json())
	}
	if x.Produced != nil {
		o.texts("produced", x.Produced)
	}
	o.some("code", string(x.Code))
	o.some("at", x.At)
	o.rest(x.extra)
	return append(dst, o.end()...)
}

// AppendAttempt returns a record with an attempt put into it, see [Record.Put]. An empty
// text begins a new record. It fails with an [*Error], of [CodeRecord] for a record of
// another workflow.
func AppendAttempt(record []byte, w *Workflow, a Attempt, limits Limits) ([]byte, error) {
	return appendTo(record, w, limits, func(r *Record) error { return r.Put(a) })
}

// AppendReceived does for a hand-off what [AppendAttempt] does for an attempt, see
// [Record.PutReceived].
func AppendReceived(record []byte, w *Workflow, x Received, limits Limits) ([]byte, error) {
	return appendTo(record, w, limits, func(r *Record) error { return r.PutReceived(x) })
}

func appendTo(record []byte, w *Workflow, limits Limits, put func(*Record) error) ([]byte, error) {
	r := NewRecord(w.id, limits)
	if len(bytes.TrimSpace(record)) > 0 {
		var err error
		if r, err = ParseRecord(record, limits); err != nil {
			return nil, err
		}
		if r.Workflow != w.id {
			return nil, refuse(CodeRecord, "expected a record of the workflow %s, found one of %s", quote(w.id), quote(r.Workflow))
		}
	}
	if err := put(r); err != nil {
		return nil, err
	}
	r.Know(w)
	out := append(r.Append(nil), '\n')
	if _, err := ParseRecord(out, limits); err != nil { // never write what cannot be read again
		return nil, err
	}
	return out, nil
}
