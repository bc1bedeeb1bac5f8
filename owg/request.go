package owg

import (
	"bytes"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// RequestOptions configures [Workflow.Request].
type RequestOptions struct {
	// Now is the instant at which delegations must not have lapsed; required.
	Now time.Time
	// MessageID is the id of the message; required, and new for every message.
	MessageID string
	// ID is the id of the JSON-RPC request, "1" for "".
	ID string
	// ContextID continues a context, TaskID answers an attempt that waits for input;
	// "" for none.
	ContextID, TaskID string
	// Inputs is the JSON object of the task's inputs; nil takes the member inputs of the
	// task.
	Inputs []byte
	// DelegationKey is the metadata key of the delegation, [DelegationKey] for "".
	DelegationKey string
	// DiscloseIdentity also sends the identity.id of the delegator.
	DiscloseIdentity bool
	// Under is the delegation under which the workflow itself runs, as it was
	// received: nothing wider or longer may be handed on. nil for a workflow that was
	// not handed over.
	Under *Delegation
	// InsecureHTTP also accepts interfaces over http.
	InsecureHTTP bool
}

// Header is a field of an HTTP request.
type Header struct{ Name, Value string }

// Request is an A2A request that hands a task over. The caller sends it.
type Request struct {
	Binding string // "JSONRPC" or "HTTP+JSON"
	URL     string
	Headers []Header
	Body    []byte
	// Params is the SendMessageRequest in Body, and Message the Message in that.
	Params, Message []byte
	HandOff         HandOff
	Card            *CardUse
	Warnings        []Finding
}

// AdmitCard decides whether a card may be used to hand a task over, as [agentcard.Admit]
// does. It warns of a card that is admitted without a valid signature, and fails with an
// [*Error] of [CodeCardUnverified] for one that is not admitted.
func AdmitCard(r *agentcard.Report, d agentcard.Demand) (*agentcard.Admitted, []Finding, error) {
	if _, reason := unverified(r, d); reason != "" {
		return nil, nil, refuse(CodeCardUnverified, "the agent's card is not verified: %s", reason)
	}
	admitted, _ := agentcard.Admit(r, d)
	if _, ok := admitted.Verified(); !ok {
		return admitted, []Finding{{
			Code: CodeCardUnverified, Severity: SeverityWarning, Mark: "P",
			Text: "the agent's card is used without a valid signature: anyone may have changed it",
		}}, nil
	}
	return admitted, nil, nil
}

// Request makes the A2A request that hands a task over to the agent with a card
// (section C.6). It says nothing about other participants, executors or tasks. It fails
// with an [*Error]: of [CodeTaskUnknown], [CodeNotA2A], the first error of validation,
// [CodeNoCard], [CodeDelegationExpired], [CodeChainWidens] and
// [CodeDelegationOutlive] for this hand-off and those that led to it,
// [CodeDelegationMissing] for a delegation without a delegator, [CodeSkillUnknown],
// [CodeNoInterface], [CodeInputs] and [CodeRequestLeak].
func (w *Workflow) Request(task string, card *agentcard.Admitted, o RequestOptions) (*Request, error) {
	if card == nil || card.Card() == nil || o.Now.IsZero() || o.MessageID == "" {
		return nil, refuse(CodeHandOff, "expected an admitted card, the time and an id of the message")
	}
	t, ok := w.Task(task)
	if !ok {
		return nil, refuse(CodeTaskUnknown, "the workflow has no task %s", quote(task))
	}
	if t.Executor != executorA2A {
		return nil, refuseAt(t.at, CodeNotA2A, "expected a task with the executor a2a, found %s", quote(t.Executor))
	}
	warnings, err := w.mayHandOver(&t, o)
	if err != nil {
		return nil, err
	}
	found, ok := skill(card.Card(), t.Ref)
	if !ok {
		return nil, refuseAt(t.at.Get("executor").Get("ref"), CodeSkillUnknown, "the card of %s has no skill %s", quote(t.PerformedBy), quote(t.Ref))
	}
	face, err := pick(card.Card(), o.InsecureHTTP)
	if err != nil {
		return nil, err
	}
	r := &Request{Binding: face.ProtocolBinding, Card: cardUse(card), Warnings: warnings}
	if r.HandOff, err = w.handOff(&t, o); err != nil {
		return nil, err
	}
	r.write(face, outputModes(card.Card(), found), o)
	return r, nil
}

// HandOff returns what is handed over with a task, for a hand-off as an intent. It fails
// as [Workflow.Request] does, except for what is about a card.
func (w *Workflow) HandOff(task string, o RequestOptions) (*HandOff, []Finding, error) {
	t, ok := w.Task(task)
	switch {
	case o.Now.IsZero():
		return nil, nil, refuse(CodeHandOff, "expected the time")
	case !ok:
		return nil, nil, refuse(CodeTaskUnknown, "the workflow has no task %s", quote(task))
	case t.Executor != executorA2A:
		return nil, nil, refuseAt(t.at, CodeNotA2A, "expected a task with the executor a2a, found %s", quote(t.Executor))
	}
	warnings, err := w.mayHandOver(&t, o)
	if err != nil {
		return nil, nil, err
	}
	h, err := w.handOff(&t, o)
	if err != nil {
		return nil, nil, err
	}
	return &h, warnings, nil
}

// mayHandOver checks what must hold before a task is handed over.
func (w *Workflow) mayHandOver(t *Task, o RequestOptions) ([]Finding, error) {
	report, err := w.Validate(ValidateOptions{})
	if err != nil {
		return nil, err
	}
	if f := report.First(SeverityError); f != nil {
		return nil, f.err()
	}
	if p, _ := w.Participant(t.PerformedBy); p.AgentCard == "" {
		return nil, refuseAt(t.at.Get("performed_by"), CodeNoCard, "the agent %s has no agent_card", quote(t.PerformedBy))
	}
	g := newGrants(newBudget(w.limits.Work))
	d := t.Delegation
	switch {
	case d == nil:
	case d.By == "":
		return nil, refuseAt(d.at, CodeDelegationMissing, "expected by, who hands the task over")
	case d.Expired(o.Now):
		return nil, refuseAt(d.at.Get("expires_at"), CodeDelegationExpired, "the delegation lapsed at %s", d.ExpiresAt)
	default:
		if err := w.narrows(w.taskID[t.ID], o.Now, g); err != nil {
			return nil, err
		}
	}
	if o.Under != nil {
		if d == nil {
			d = &Delegation{at: t.at}
		}
		if o.Under.Expired(o.Now) {
			return nil, refuseAt(d.at, CodeDelegationExpired, "the delegation under which the workflow runs lapsed at %s", o.Under.ExpiresAt)
		}
		how := func() string { return "the workflow was handed over" }
		if err := within(d, o.Under, how, g); err != nil {
			return nil, err
		}
	}
	var warnings []Finding
	for _, f := range report.Findings {
		if f.Severity == SeverityWarning && (f.Path == t.at.Pointer() || strings.HasPrefix(f.Path, t.at.Pointer()+"/")) {
			warnings = append(warnings, f)
		}
	}
	return warnings, nil
}

// narrows checks a hand-over and all that led to it: none grants more or for longer
// than its delegator received, and none has lapsed (V-11b).
func (w *Workflow) narrows(from int, now time.Time, g *grants) error {
	s := newSteps(stepsOf(w), w.participants, w.byID, g)
	seen := map[int]bool{from: true}
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		d := w.tasks[queue[0]].Delegation
		if d.Expired(now) {
			return refuseAt(d.at.Get("expires_at"), CodeDelegationExpired, "a delegation that led to this one lapsed at %s", d.ExpiresAt)
		}
		led, err := s.led(queue[0], d.By, func(int) bool { return false })
		if err != nil {
			return err
		}
		for _, i := range led {
			above := &w.tasks[i]
			how := func() string { return quote(d.By) + " received the task " + quote(above.ID) }
			if err := within(d, above.Delegation, how, g); err != nil {
				return err
			}
			if !seen[i] {
				seen[i] = true
				queue = append(queue, i)
			}
		}
	}
	return nil
}

// within checks that a delegation grants no more and for no longer than another, of which
// how tells the rest of a sentence.
func within(d, received *Delegation, how func() string, g *grants) error {
	extra, err := g.extra(g.read(d).scope, g.read(received).scope)
	if err != nil {
		return err
	}
	if len(extra) > 0 {
		return refuseAt(d.at.Get("scope"), CodeChainWidens, "more is handed on than with what %s: %s", how(), quotedScopes(extra))
	}
	if g.read(d).outlives(g.read(received)) {
		return refuseAt(d.at, CodeDelegationOutlive, "the delegation lasts longer than that with which %s", how())
	}
	return nil
}

// pick returns the first interface that is supported.
func pick(c *agentcard.Card, insecure bool) (agentcard.Interface, error) {
	for _, i := range c.Interfaces() {
		u, err := url.Parse(i.URL)
		ok := isHTTPS(i.URL) || insecure && err == nil && u.Scheme == "http" && u.Host != ""
		if ok && i.ProtocolBinding == "HTTP+JSON" { // a path follows
			ok = !strings.ContainsAny(i.URL, "?#")
		}
		if ok && (i.ProtocolBinding == "JSONRPC" || i.ProtocolBinding == "HTTP+JSON") && i.ProtocolVersion == "1.0" {
			return i, nil
		}
	}
	return agentcard.Interface{}, refuse(CodeNoInterface, "expected an interface of A2A 1.0 over https with the binding JSONRPC or HTTP+JSON")
}

// outputModes returns the media types that a skill gives, or else the card.
func outputModes(c *agentcard.Card, skill strictjson.Value) []string {
	read := func(v strictjson.Value) (out []string) {
		for _, e := range v.Items() {
			if s, ok := e.Str(); ok {
				out = append(out, s)
			}
		}
		return out
	}
	if modes := read(skill.Get("outputModes")); len(modes) > 0 {
		return modes
	}
	return read(c.Root().Get("defaultOutputModes"))
}

// handOff makes what is handed over, and refuses it if it names anything else.
func (w *Workflow) handOff(t *Task, o RequestOptions) (HandOff, error) {
	h := HandOff{
		Workflow: w.id, Task: t.ID, Skill: t.Ref, Objective: t.Objective,
		Used: slices.Clone(t.Used), Produced: slices.Clone(t.Produced), Delegation: t.Delegation.clone(),
	}
	if p, ok := w.Participant(delegator(t)); ok && o.DiscloseIdentity {
		h.Identity = p.Identity
	}
	performer, _ := w.Participant(t.PerformedBy)
	given := []string{w.id, t.ID, t.Ref, t.Executor, delegator(t), performer.ID, performer.WorksFor, performer.AgentCard, performer.Identity}
	given = slices.Concat(given, hosts(performer.AgentCard), t.Used, t.Produced)
	if t.Delegation != nil {
		given = append(given, t.Delegation.Scope...)
	}
	b := newBudget(w.limits.Work)
	all, err := w.secrets(b)
	if err != nil {
		return h, err
	}
	s, err := all.but(given, nil, w.id, b)
	if err != nil {
		return h, err
	}
	quiet := func(text string, at strictjson.Value) error {
		l, err := s.in(text, b)
		if l != nil {
			return refuseAt(at, CodeRequestLeak, "the request would say %s, which names %s: %s", quote(text), l.what, quote(l.name))
		}
		return err
	}
	if err := quiet(t.Objective, t.at.Get("objective")); err != nil {
		return h, err
	}
	inputs := t.inputs
	if o.Inputs != nil {
		if inputs, err = parse(o.Inputs, w.limits.json(w.limits.UpdateBytes), "the inputs", CodeInputs); err != nil {
			return h, err
		}
	}
	if !inputs.Exists() {
		return h, nil
	}
	if inputs.Kind() != strictjson.Object {
		return h, refuseAt(inputs, CodeInputs, "expected an object for inputs, found %s", inputs.Kind())
	}
	h.Inputs = []byte(inputs.Source()) // unchanged
	if o.Inputs != nil {
		return h, nil // the caller answers for its own words
	}
	var leaked error
	walk(inputs, func(v strictjson.Value) {
		text, ok := v.Str()
		if ok && leaked == nil {
			leaked = quiet(text, v)
		}
		for name := range v.Members() {
			if leaked == nil {
				leaked = quiet(name, v)
			}
		}
	})
	return h, leaked
}

func delegator(t *Task) string {
	if t.Delegation == nil {
		return ""
	}
	return t.Delegation.By
}

// write writes the request for an interface.
func (r *Request) write(face agentcard.Interface, modes []string, o RequestOptions) {
	var data, message, configuration, params object
	data.raw("data", r.HandOff.data())
	data.text("mediaType", "application/json")
	parts := [][]byte{data.end()}
	if r.HandOff.Objective != "" {
		var text object
		text.text("text", r.HandOff.Objective)
		parts = append(parts, text.end())
	}
	message.text("messageId", o.MessageID)
	message.some("contextId", o.ContextID)
	message.some("taskId", o.TaskID)
	message.text("role", "ROLE_USER")
	message.raw("parts", list(parts))
	if metadata := r.HandOff.metadata(); metadata != nil {
		key := o.DelegationKey
		if key == "" {
			key = DelegationKey
		}
		var m object
		m.raw(key, metadata)
		message.raw("metadata", m.end())
	}
	r.Message = message.end()
	configuration.texts("acceptedOutputModes", modes)
	configuration.raw("returnImmediately", []byte("true"))
	params.some("tenant", face.Tenant)
	params.raw("message", r.Message)
	params.raw("configuration", configuration.end())
	r.Params = params.end()
	r.URL = face.URL
	if r.Binding == "HTTP+JSON" {
		r.URL = strings.TrimSuffix(face.URL, "/") + "/message:send"
		r.Headers = []Header{{"Content-Type", "application/a2a+json"}, {"A2A-Version", "1.0"}}
		r.Body = bytes.Clone(r.Params)
		return
	}
	r.Headers = []Header{{"Content-Type", "application/json"}, {"A2A-Version", "1.0"}}
	id := o.ID
	if id == "" {
		id = "1"
	}
	var rpc object
	rpc.text("jsonrpc", "2.0")
	rpc.text("id", id)
	rpc.text("method", "SendMessage")
	rpc.raw("params", r.Params)
	r.Body = rpc.end()
}
