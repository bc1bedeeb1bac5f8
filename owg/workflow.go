package owg

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/internal/lifetime"
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// Workflow is a workflow definition that was read and not validated; see
// [Workflow.Validate]. Members that this package does not know are kept in its bytes and
// not judged, but for those that may bound a delegation. It is immutable and safe for
// concurrent use. The caller must not change slices within what it returns.
type Workflow struct {
	data   []byte
	root   strictjson.Value
	limits Limits

	id, objective string
	participants  []Participant
	tasks         []Task
	assets        map[string]bool // nil when the workflow lists none

	byID   map[string]int // participants, the first of an id
	taskID map[string]int // tasks, likewise
	types  []fault        // V-1
}

// Participant takes part in a workflow (section C.1).
type Participant struct {
	ID         string
	Kind       string // "human", "agent" or another
	WorksFor   string // an organization or department, which need not be a participant
	OperatedBy string // the participant that operates an agent
	AgentCard  string // where the agent's card is published; it grants nothing
	Identity   string // identity.id
	// Scope is identity.credential_scope: what the participant may do, declared and
	// not enforced. An empty one that is declared differs from none.
	Scope         []string
	ScopeDeclared bool

	at              strictjson.Value
	extra, identity []member // of a record
}

// Task is a task of a workflow (section C.1).
type Task struct {
	ID          string
	Executor    string // executor.type; "a2a" is another party's agent
	Ref         string // executor.ref: for "a2a" the id of a skill
	PerformedBy string // a participant
	AIRole      string
	Objective   string
	Delegation  *Delegation // nil for none
	Used        []string    // assets
	Produced    []string    // assets

	at     strictjson.Value
	inputs strictjson.Value
}

// Delegation says who handed a task over, and with what authority. It is declared: it is
// not a credential, and no authorizer accepts it. Its member credential is reserved for
// one, and not read; other members are kept, but for those that may begin, end or bound it
// under a name that is not known, with which it is refused ([CodeDelegationMember]).
type Delegation struct {
	By string // a participant of the sending side
	// Scope is what may be done with the task's inputs. Without a scope the delegation
	// grants nothing.
	Scope       []string
	ScopeStated bool
	// ExpiresAt is when the authority lapses, as it is written; "" for never.
	ExpiresAt string

	at    strictjson.Value
	extra []member // of a record
}

// Expired reports whether the authority has lapsed at an instant. A time that cannot
// be read counts as passed.
func (d *Delegation) Expired(at time.Time) bool {
	if d == nil || d.ExpiresAt == "" {
		return false
	}
	t, ok := parseTime(d.ExpiresAt)
	return !ok || !at.Before(t)
}

// parseTime reads a time as in RFC 3339, strictly: the time package alone would take
// hours of one digit, commas and offsets of any size.
func parseTime(s string) (time.Time, bool) {
	const clock = "2006-01-02T15:04:05"
	if len(s) <= len(clock) || s[len("2006-01-02T15")] != ':' || s[len(clock)] == ',' {
		return time.Time{}, false
	}
	if end := s[len(s)-len("00:00"):]; s[len(s)-1] != 'Z' && (end[:2] > "23" || end[3:] > "59") {
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339, s)
	return t, err == nil
}

// fault is a finding that Validate will report.
type fault struct {
	at   strictjson.Value
	code Code
	text string
}

// ID returns the definition's id, "" for none.
func (w *Workflow) ID() string { return w.id }

// Objective returns the definition's objective, "" for none.
func (w *Workflow) Objective() string { return w.objective }

// Participants returns the participants in the order of the text.
func (w *Workflow) Participants() []Participant { return slices.Clone(w.participants) }

// Tasks returns the tasks in the order of the text.
func (w *Workflow) Tasks() []Task { return slices.Clone(w.tasks) }

// Bytes returns a copy of the bytes that the workflow was read from.
func (w *Workflow) Bytes() []byte { return bytes.Clone(w.data) }

// Participant returns the participant with an id, and whether there is one.
func (w *Workflow) Participant(id string) (Participant, bool) {
	if i, ok := w.byID[id]; ok {
		return w.participants[i], true
	}
	return Participant{}, false
}

// Task returns the task with an id, and whether there is one.
func (w *Workflow) Task(id string) (Task, bool) {
	if i, ok := w.taskID[id]; ok {
		return w.tasks[i], true
	}
	return Task{}, false
}

// Parse reads a workflow strictly (section 1.1). Zero limits mean those of
// [DefaultLimits]. It fails with an [*Error] for JSON that is malformed, has more than
// one meaning or exceeds a limit. Members of the wrong type are findings of
// [Workflow.Validate]; every other use of a workflow with such a member fails. The
// workflow shares no memory with data.
func Parse(data []byte, limits Limits) (*Workflow, error) {
	limits = limits.OrDefault()
	root, err := strictjson.Parse(data, limits.json(limits.WorkflowBytes))
	if err != nil {
		return nil, fromJSON(err)
	}
	w := &Workflow{
		data: bytes.Clone(data), root: root, limits: limits,
		byID: map[string]int{}, taskID: map[string]int{},
	}
	r := reader{w: w}
	if err := r.workflow(root); err != nil {
		return nil, err
	}
	return w, nil
}

// reader reads the members of section C.1 and notes what is of the wrong type (V-1).
type reader struct{ w *Workflow }

// mostFaults is how many faults are noted: they are for people.
const mostFaults = 1000

func (r reader) wrong(v strictjson.Value, text string) {
	if len(r.w.types) < mostFaults {
		r.w.types = append(r.w.types, fault{v, CodeType, text})
	}
}

// text reads a string that must not be empty.
func (r reader) text(of strictjson.Value, name string, need bool) string {
	v := of.Get(name)
	s, ok := v.Str()
	switch {
	case !v.Exists() && !need:
	case !v.Exists():
		r.wrong(of, "expected the member "+name+", a string")
	case !ok:
		r.wrong(v, "expected a string for "+name+", found "+v.Kind().String())
	case s == "":
		r.wrong(v, "expected "+name+" not to be empty")
	}
	return s
}

// object reads an object that may be absent.
func (r reader) object(of strictjson.Value, name string) strictjson.Value {
	v := of.Get(name)
	if v.Exists() && v.Kind() != strictjson.Object {
		r.wrong(v, "expected an object for "+name+", found "+v.Kind().String())
		return strictjson.Value{}
	}
	return v
}

// list reads an array of strings that may be absent.
func (r reader) list(of strictjson.Value, name string) (all []string, present bool) {
	v := of.Get(name)
	if !v.Exists() {
		return nil, false
	}
	if v.Kind() != strictjson.Array {
		r.wrong(v, "expected an array for "+name+", found "+v.Kind().String())
		return nil, true
	}
	all = make([]string, 0, v.Len())
	for _, e := range v.Items() {
		s, ok := e.Str()
		switch {
		case !ok:
			r.wrong(e, "expected strings in "+name+", found "+e.Kind().String())
		case s == "":
			r.wrong(e, "expected no empty string in "+name)
		default:
			all = append(all, s)
		}
	}
	return all, true
}

// objects reads the array of objects of a workflow.
func (r reader) objects(of strictjson.Value, name string, most int) (strictjson.Value, error) {
	v := of.Get(name)
	switch {
	case !v.Exists():
		r.wrong(of, "expected the member "+name+", an array")
	case v.Kind() != strictjson.Array:
		r.wrong(v, "expected an array for "+name+", found "+v.Kind().String())
	case v.Len() > most:
		e := over(name, most)
		e.Path = v.Pointer()
		e.Line, e.Column = v.Place()
		return v, e
	}
	return v, nil
}

func (r reader) workflow(root strictjson.Value) error {
	w := r.w
	if root.Kind() != strictjson.Object {
		r.wrong(root, "expected a workflow, which is an object, found "+root.Kind().String())
		return nil
	}
	w.id, w.objective = r.text(root, "id", false), r.text(root, "objective", false)
	list, err := r.objects(root, "participants", w.limits.Participants)
	if err != nil {
		return err
	}
	for _, v := range list.Items() {
		if v.Kind() != strictjson.Object {
			r.wrong(v, "expected a participant, which is an object, found "+v.Kind().String())
			continue
		}
		p := r.participant(v)
		if _, ok := w.byID[p.ID]; !ok && p.ID != "" {
			w.byID[p.ID] = len(w.participants)
		}
		w.participants = append(w.participants, p)
	}
	if list, err = r.objects(root, "tasks", w.limits.Tasks); err != nil {
		return err
	}
	for _, v := range list.Items() {
		if v.Kind() != strictjson.Object {
			r.wrong(v, "expected a task, which is an object, found "+v.Kind().String())
			continue
		}
		t := r.task(v)
		if _, ok := w.taskID[t.ID]; !ok && t.ID != "" {
			w.taskID[t.ID] = len(w.tasks)
		}
		w.tasks = append(w.tasks, t)
	}
	r.assets(root.Get("assets"))
	return nil
}

func (r reader) participant(v strictjson.Value) Participant {
	p := Participant{
		ID: r.text(v, "id", true), Kind: r.text(v, "kind", true),
		WorksFor: r.text(v, "works_for", false), OperatedBy: r.text(v, "operated_by", false),
		AgentCard: r.text(v, "agent_card", false), at: v,
	}
	identity := r.object(v, "identity")
	p.Identity = r.text(identity, "id", false)
	p.Scope, p.ScopeDeclared = r.list(identity, "credential_scope")
	return p
}

func (r reader) task(v strictjson.Value) Task {
	t := Task{
		ID: r.text(v, "id", true), PerformedBy: r.text(v, "performed_by", false),
		AIRole: r.text(v, "ai_role", false), Objective: r.text(v, "objective", false), at: v, inputs: v.Get("inputs"),
	}
	if executor := r.object(v, "executor"); executor.Exists() {
		t.Executor = r.text(executor, "type", true)
		ref := executor.Get("ref")
		if s, ok := ref.Str(); ok {
			t.Ref = s // that it is not empty is V-5
		} else if ref.Exists() {
			r.wrong(ref, "expected a string for ref, found "+ref.Kind().String())
		}
	}
	t.Delegation = r.delegation(v)
	t.Used, _ = r.list(v, "used")
	t.Produced, _ = r.list(v, "produced")
	return t
}

func (r reader) delegation(of strictjson.Value) *Delegation {
	v := r.object(of, "delegation")
	if !v.Exists() {
		return nil
	}
	d := &Delegation{By: r.text(v, "by", false), ExpiresAt: r.text(v, "expires_at", false), at: v}
	d.Scope, d.ScopeStated = r.list(v, "scope")
	if name := boundedBy(v); name.Exists() && len(r.w.types) < mostFaults {
		r.w.types = append(r.w.types, fault{name, CodeDelegationMember, boundText(name)})
	}
	return d
}

// boundedBy returns the name of the first member of a delegation that may begin, end or
// bound it and is not known: what else says when it ends, a scope by another name, a
// member that is known in another spelling. Whoever ignored it would take the delegation
// for longer or wider than its author meant.
func boundedBy(v strictjson.Value) strictjson.Value {
	for i := range v.Len() {
		m := v.Member(i)
		switch m.Str() {
		case "by", "scope", "expires_at", "credential", "identity":
			continue
		}
		switch plain := lifetime.Plain(m.Str()); {
		case plain == "by", plain == "credential", plain == "identity", narrows(plain), lifetime.Limits(m.Str()):
			return m.Name
		}
	}
	return strictjson.Value{}
}

// bounds are what names of members that say what is granted, or what of it is not, have in
// them.
var bounds = [...]string{
	"scope", "allow", "permission", "permitted", "constrain", "condition", "restrict", "limit", "quota", "budget", "depth",
	"prohibit", "forbid", "exclu", "except", "without", "unless", "deny", "denied", "only", "subdelegat", "redelegat",
}

// narrows reports whether a name, in lower case without separators, reads like one that
// bounds what a delegation grants.
func narrows(plain string) bool {
	return strings.HasPrefix(plain, "max") || slices.ContainsFunc(bounds[:], func(part string) bool { return strings.Contains(plain, part) })
}

func boundText(name strictjson.Value) string {
	s, _ := name.Str()
	return "the member " + quote(s) + " may bound the delegation and is not known; its end is expires_at, what it grants scope"
}

// assets reads the ids of the assets: strings, or objects with an id.
func (r reader) assets(v strictjson.Value) {
	if !v.Exists() {
		return
	}
	r.w.assets = map[string]bool{}
	if v.Kind() != strictjson.Array {
		r.wrong(v, "expected an array for assets, found "+v.Kind().String())
		return
	}
	for _, e := range v.Items() {
		if s, ok := e.Str(); ok && s != "" {
			r.w.assets[s] = true
			continue
		}
		if e.Kind() != strictjson.Object {
			r.wrong(e, "expected an asset, which is an object with an id or an id, found "+e.Kind().String())
			continue
		}
		if id := r.text(e, "id", true); id != "" {
			r.w.assets[id] = true
		}
	}
}
