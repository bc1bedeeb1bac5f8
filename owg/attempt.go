package owg

import (
	"slices"
	"time"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
)

// Status says what became of an attempt. The zero Status is none.
type Status string

// The statuses.
const (
	StatusRunning   Status = "running"
	StatusSucceeded Status = "succeeded"
	StatusFailed    Status = "failed"
)

// Attempt is one try at a task by another party's agent: one A2A task (section C.4).
type Attempt struct {
	Task        string
	Number      int // from 1
	Status      Status
	PerformedBy string // who actually performed it
	Remote      Remote
	Delegation  *Delegation // nil for none
	Used        []string
	Produced    []Produced
	Failure     *Failure // nil for none
	Card        *CardUse // nil when no card was used
	// Sent is the message of the intent that handed the task over, as JSON, as long as
	// its answer is not known: the same message may be sent again. nil for none.
	Sent      []byte
	StartedAt string // as in RFC 3339, "" when it is not known
	EndedAt   string

	extra []member
}

// Remote is the attempt as A2A has it.
type Remote struct {
	TaskID    string
	ContextID string
	State     string // as "input-required"; "" before there is one
	Skill     string

	extra []member
}

// Produced is an asset that came back.
type Produced struct {
	Asset    string
	Artifact string // its artifactId
	SHA256   string // of the canonical JSON (RFC 8785) of the artifact's parts, in hexadecimal

	extra []member
}

// Failure says why an attempt failed.
type Failure struct {
	Code    Code
	Message string

	extra []member
}

// CardUse says which card the performer was found by.
type CardUse struct {
	SHA256  string // of its bytes, in hexadecimal
	Outcome string // of the verification of its signatures

	extra []member
}

// cardUse describes an admitted card.
func cardUse(c *agentcard.Admitted) *CardUse {
	outcome := "not verified"
	if _, ok := c.Verified(); ok {
		outcome = agentcard.OutcomeVerified.String()
	}
	return &CardUse{SHA256: hexSum(c.Bytes()), Outcome: outcome}
}

func hexSum(data []byte) string { return canon.Sum(data).String()[len("sha256:"):] }

// Terminal reports whether the attempt has ended. It then never changes again.
func (a *Attempt) Terminal() bool { return a.Status == StatusSucceeded || a.Status == StatusFailed }

// Sending is a kind of message about an attempt.
type Sending uint8

// The kinds.
const (
	SendMessage Sending = iota // work, or an answer to input-required
	SendQuery                  // a question about the task's state
	SendCancel                 // a request to cancel
)

// MaySend returns nil when a message about the attempt may be sent at an instant. Once
// its delegation has lapsed, only questions about its state and requests to cancel may.
// It fails with an [*Error] of [CodeDelegationExpired], or of [CodeStateAfterTerminal]
// for work after the end.
func (a *Attempt) MaySend(what Sending, at time.Time) error {
	switch {
	case what == SendQuery || what == SendCancel:
		return nil
	case a.Terminal():
		return refuse(CodeStateAfterTerminal, "the attempt has ended; trying again is another attempt")
	case a.Delegation.Expired(at):
		return refuse(CodeDelegationExpired, "the delegation lapsed at %s; nothing is sent but status queries and cancel", a.Delegation.ExpiresAt)
	}
	return nil
}

// Append appends the attempt as JSON, as run records keep it.
func (a *Attempt) Append(dst []byte) []byte {
	var o object
	o.text("task", a.Task)
	o.number("attempt", a.Number)
	o.text("status", string(a.Status))
	o.some("performed_by", a.PerformedBy)
	var remote object
	remote.some("task_id", a.Remote.TaskID)
	remote.some("context_id", a.Remote.ContextID)
	remote.some("state", a.Remote.State)
	remote.some("skill", a.Remote.Skill)
	remote.rest(a.Remote.extra)
	o.raw("remote", remote.end())
	if a.Delegation != nil {
		o.raw("delegation", a.Delegation.json())
	}
	if a.Used != nil {
		o.texts("used", a.Used)
	}
	produced := make([][]byte, len(a.Produced))
	for i, p := range a.Produced {
		var e object
		e.text("asset", p.Asset)
		e.some("artifact_id", p.Artifact)
		e.some("sha256", p.SHA256)
		e.rest(p.extra)
		produced[i] = e.end()
	}
	o.raw("produced", list(produced))
	failure := []byte("null")
	if a.Failure != nil {
		var e object
		e.text("code", string(a.Failure.Code))
		e.text("message", a.Failure.Message)
		e.rest(a.Failure.extra)
		failure = e.end()
	}
	o.raw("error", failure)
	if a.Card != nil {
		var c object
		c.text("sha256", a.Card.SHA256)
		c.text("outcome", a.Card.Outcome)
		c.rest(a.Card.extra)
		o.raw("card", c.end())
	}
	if a.Sent != nil {
		o.raw("sent", a.Sent)
	}
	o.some("started_at", a.StartedAt)
	o.some("ended_at", a.EndedAt)
	o.rest(a.extra)
	return append(dst, o.end()...)
}

// json returns a delegation in the form of metadata and records.
func (d *Delegation) json() []byte {
	var o object
	o.some("by", d.By)
	if d.ScopeStated {
		o.texts("scope", d.Scope)
	}
	o.some("expires_at", d.ExpiresAt)
	o.rest(d.extra)
	return o.end()
}

// clone returns a copy of a delegation that shares nothing with the workflow.
func (d *Delegation) clone() *Delegation {
	if d == nil {
		return nil
	}
	return &Delegation{By: d.By, Scope: slices.Clone(d.Scope), ScopeStated: d.ScopeStated, ExpiresAt: d.ExpiresAt}
}

// Attempt returns a new attempt at a task: running, by the task's performer, with its
// delegation. It fails with an [*Error] of [CodeTaskUnknown].
func (w *Workflow) Attempt(task string, number int, at time.Time) (Attempt, error) {
	t, ok := w.Task(task)
	if !ok {
		return Attempt{}, refuse(CodeTaskUnknown, "the workflow has no task %s", quote(task))
	}
	a := Attempt{
		Task: t.ID, Number: number, Status: StatusRunning, PerformedBy: t.PerformedBy,
		Delegation: t.Delegation.clone(), Used: slices.Clone(t.Used), StartedAt: timeText(at),
	}
	if t.Executor == executorA2A {
		a.Remote.Skill = t.Ref
	}
	return a, nil
}

// timeText writes an instant as in RFC 3339, "" for the zero Time.
func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
