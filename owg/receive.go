package owg

import (
	"slices"
	"time"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// Inbound is a hand-off that an agent received.
type Inbound struct {
	HandOff *HandOff
	// Caller is the identity of the caller as the transport or a credential
	// established it, never as the hand-off states it. Required.
	Caller string
	// Participants maps identities of callers to participants; a caller that is not in
	// it is the participant with that identity.id.
	Participants map[string]string
	// Task is the intake task, "" for the one that the caller delegates.
	Task string
	// TaskID and ContextID are the ids that the receiver gave the A2A task.
	TaskID, ContextID string
	// Now is the instant at which the delegation must be alive; required.
	Now time.Time
}

// Reception is the decision about a hand-off. The zero Reception rejects.
type Reception struct {
	// State is [StateSubmitted] when work may start, [StateInputRequired] when values
	// are missing, else [StateRejected].
	State string
	// Code and Reason say why not, "" when work may start.
	Code   Code
	Reason string
	// Missing are the params without a value.
	Missing []string
	// Received must be recorded before work starts, whatever the decision.
	Received Received
	// Chain says whom the caller acts for: the caller's participant first, then its
	// operators.
	Chain    []string
	Findings []Finding
}

// Accepted reports whether work may start once the hand-off is recorded. It says nothing
// about whether the caller may ask for it; an authorizer decides that.
func (r *Reception) Accepted() bool { return r != nil && r.State == StateSubmitted }

// Receive decides about an inbound hand-off (section C.6a). The authenticated caller
// becomes the delegator of the intake task, with the scope and the expiry that it
// states. It rejects a caller that is not a participant, and a delegation that has
// lapsed or is wider than what the caller declares to have. If a param has no value, it
// asks for input. An error is an [*Error] about the workflow or the call, and the answer
// is then no.
func (w *Workflow) Receive(in Inbound) (*Reception, error) {
	if in.HandOff == nil || in.Now.IsZero() {
		return nil, refuse(CodeHandOff, "expected a hand-off and the time")
	}
	report, err := w.Validate(ValidateOptions{})
	if err != nil {
		return nil, err
	}
	if f := report.First(SeverityError); f != nil {
		return nil, f.err()
	}
	h := in.HandOff
	out := &Reception{State: StateRejected, Received: Received{
		Task: in.Task, TaskID: in.TaskID, ContextID: in.ContextID, State: StateRejected, Caller: in.Caller, At: timeText(in.Now),
	}}
	if out.Received.Task == "" {
		out.Received.Task = h.Task
	}
	reject := func(code Code, format string, args ...any) (*Reception, error) {
		e := refuse(code, format, args...)
		out.Code, out.Reason, out.Received.Code = code, e.Text, code
		return out, nil
	}
	caller, ok := w.caller(in)
	if !ok {
		return reject(CodeCallerUnknown, "no participant is the caller %s", quote(in.Caller))
	}
	d := &Delegation{By: caller.ID}
	if h.Delegation != nil {
		d.Scope, d.ScopeStated = slices.Clone(h.Delegation.Scope), h.Delegation.ScopeStated
		d.ExpiresAt = h.Delegation.ExpiresAt
		if by := h.Delegation.By; by != "" && by != caller.ID {
			out.Received.Claimed = by
			out.Findings = append(out.Findings, Finding{
				Code: CodeCallerClaim, Severity: SeverityWarning, Mark: "P",
				Text: "the hand-off names " + quote(by) + " as the delegator; the authenticated caller is " + quote(caller.ID),
			})
		}
	}
	out.Received.Delegation = d
	out.Chain = w.operators(caller)
	if w.id == "" || h.Skill != w.id {
		return reject(CodeSkillUnknown, "the skill %s is not offered here", quote(h.Skill))
	}
	intake, ok := w.intake(in.Task, caller.ID)
	if !ok {
		return reject(CodeIntakeUnknown, "there is not one intake task for %s", quote(caller.ID))
	}
	out.Received.Task, out.Received.PerformedBy, out.Received.Produced = intake.ID, intake.PerformedBy, slices.Clone(intake.Produced)
	if intake.PerformedBy == caller.ID {
		return reject(CodeDelegationSelf, "%s hands the task over to itself", quote(caller.ID))
	}
	if d.Expired(in.Now) {
		return reject(CodeDelegationExpired, "the delegation lapsed at %s", d.ExpiresAt)
	}
	if caller.ScopeDeclared {
		g := newGrants(newBudget(w.limits.Work))
		extra, err := g.extra(g.read(d).scope, g.own(caller))
		if err != nil {
			return nil, err
		}
		if len(extra) > 0 {
			return reject(CodeDelegationWidens, "%s hands on what it does not have itself: %s", quote(caller.ID), quotedScopes(extra))
		}
	}
	if out.Missing, err = w.missing(h.Inputs); err != nil {
		return nil, err
	}
	if len(out.Missing) > 0 {
		out.Code, out.Reason = CodeParamMissing, "a value is missing for "+quoted(out.Missing)
		out.State, out.Received.State = StateInputRequired, StateInputRequired
		return out, nil
	}
	out.State, out.Received.State = StateSubmitted, StateSubmitted
	return out, nil
}

// caller finds the one participant that a caller is.
func (w *Workflow) caller(in Inbound) (*Participant, bool) {
	if in.Caller == "" {
		return nil, false
	}
	if id, ok := in.Participants[in.Caller]; ok {
		return w.known(id)
	}
	var found *Participant
	for i := range w.participants {
		if p := &w.participants[i]; p.Identity == in.Caller {
			if found != nil {
				return nil, false // an identity that two have identifies nobody
			}
			found = p
		}
	}
	return found, found != nil
}

// operators lists a participant and those that operate it. The workflow is valid, so they
// form no cycle.
func (w *Workflow) operators(p *Participant) []string {
	out := []string{p.ID}
	for p.OperatedBy != "" && len(out) < w.limits.Hops {
		next, ok := w.known(p.OperatedBy)
		if !ok {
			break
		}
		out, p = append(out, next.ID), next
	}
	return out
}

// intake finds the intake task: the one that is named, or else the one that the caller
// delegates and that is not handed on to another party's agent.
func (w *Workflow) intake(task, caller string) (*Task, bool) {
	var found *Task
	for i := range w.tasks {
		t := &w.tasks[i]
		switch {
		case t.Executor == executorA2A || task != "" && t.ID != task || t.PerformedBy == "":
			continue
		case t.Delegation != nil && t.Delegation.By != "" && t.Delegation.By != caller:
			continue
		case task == "" && (t.Delegation == nil || t.Delegation.By == ""):
			continue
		case found != nil:
			return nil, false
		}
		found = t
	}
	return found, found != nil
}

// missing lists the required params without a value in the inputs.
func (w *Workflow) missing(inputs []byte) ([]string, error) {
	params, err := w.Params()
	if err != nil {
		return nil, err
	}
	var all strictjson.Value
	if inputs != nil {
		if all, err = parse(inputs, w.limits.json(w.limits.UpdateBytes), "the inputs", CodeInputs); err != nil {
			return nil, err
		}
	}
	given := map[string]bool{}
	for name, v := range all.Members() {
		given[name] = !v.IsNull()
	}
	var out []string
	for _, p := range params {
		if p.Required && !given[p.Name] {
			out = append(out, p.Name)
		}
	}
	return out, nil
}
