package vectors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/owg"
)

// workflowOperations are those of workflows (section C).
func workflowOperations() []Operation {
	return []Operation{
		{"validate-workflow", []string{"workflow", "now", "strict", "cards"}, validateWorkflow},
		{"trace-asset", []string{"workflow", "asset", "records"}, traceAsset},
		{"map-state", []string{"state"}, mapState},
		{"follow-task", []string{"workflow", "task", "now", "events"}, followTask},
		{"workflow-card", []string{"workflow", "providerOrganization", "providerUrl", "url", "name", "version", "tags", "inputsExtension", "allow"}, workflowCard},
		{"workflow-request", []string{
			"workflow", "task", "card", "trustStore", "keySet", "source", "demand", "now", "id", "messageId", "contextId", "taskId", "inputs", "discloseIdentity", "under",
		}, workflowRequest},
		{"receive-hand-off", []string{"workflow", "message", "caller", "participants", "task", "taskId", "contextId", "now"}, receiveHandOff},
	}
}

// refusedWorkflow is the outcome for an error, if it is a refusal.
func refusedWorkflow(err error) (Outcome, error) {
	var fault *owg.Error
	if errors.As(err, &fault) {
		return Outcome{Text("code", string(fault.Code))}, nil
	}
	return refusedCard(err)
}

// workflow reads the workflow of a case; refused is the outcome of one that is refused.
func (c *Case) workflow(in *object) (w *owg.Workflow, refused Outcome, err error) {
	data, err := c.file(in, "workflow")
	if err != nil {
		return nil, nil, err
	}
	if w, err = owg.Parse(data, owg.Limits{}); err != nil {
		refused, err = refusedWorkflow(err)
	}
	return w, refused, err
}

// agentCard reads the members card, trustStore, keySet, source and demand, and verifies
// the card at a time. A card that is none is an error with a code.
func (c *Case) agentCard(ctx context.Context, in *object, at time.Time) (owg.Card, error) {
	out := owg.Card{}
	data, err := c.file(in, "card")
	if err != nil {
		return out, err
	}
	demand := in.text("demand")
	source := in.text("source")
	k, err := c.cardCheck(in)
	if err != nil {
		return out, err
	}
	if out.Demand, err = cardDemand(demand); err != nil {
		return out, err
	}
	if out.Card, err = agentcard.Parse(data, agentcard.Limits{}); err != nil {
		return out, err
	}
	k.policy.At, k.policy.Source = at, source
	out.Report, err = agentcard.Verify(ctx, out.Card, k.keys, k.policy)
	return out, err
}

// workflowFindings are findings as a member, sorted: in which order rules are looked at
// is an implementation's own.
func workflowFindings(all []owg.Finding) Member {
	lines := []string{}
	for _, f := range all {
		line := fmt.Sprintf("%s %s", f.Severity, f.Code)
		if f.Path != "" {
			line += " " + f.Path
		}
		for _, extra := range f.Extra {
			line += " " + quote(extra)
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return Texts("findings", lines)
}

// validateWorkflow is section C.2.
func validateWorkflow(ctx context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	o := owg.ValidateOptions{Now: in.now(), Strict: in.flag("strict")}
	cards := in.get("cards")
	w, refused, err := c.workflow(in)
	if err != nil || w == nil {
		return refused, err
	}
	if cards.Exists() {
		o.Cards = map[string]owg.Card{}
		if cards.Kind() != strictjson.Object {
			return nil, fmt.Errorf("expected an object of cards by participant, found %s", cards.Kind())
		}
		for id, v := range cards.Members() {
			entry := members(v)
			if o.Cards[id], err = c.agentCard(ctx, entry, o.Now); err != nil {
				return nil, err
			}
			if err := entry.done(); err != nil {
				return nil, err
			}
		}
	}
	r, err := w.Validate(o)
	if err != nil {
		return refusedWorkflow(err)
	}
	return Outcome{Bool("valid", r.Valid()), workflowFindings(r.Findings)}, nil
}

// traceAsset is section C.3, and with records C.6a.
func traceAsset(_ context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	asset, names := in.text("asset"), in.texts("records")
	w, refused, err := c.workflow(in)
	if err != nil || w == nil {
		return refused, err
	}
	var records []*owg.Record
	for _, name := range names {
		data, err := c.Open(name)
		if err != nil {
			return nil, err
		}
		r, err := owg.ParseRecord(data, owg.Limits{})
		if err != nil {
			return refusedWorkflow(err)
		}
		records = append(records, r)
	}
	t, err := w.Trace(asset, records...)
	if err != nil {
		return refusedWorkflow(err)
	}
	chains := t.Chains
	if chains == nil {
		chains = []owg.Chain{}
	}
	text, err := json.Marshal(chains)
	if err != nil {
		return nil, err
	}
	return Outcome{Bool("complete", t.Complete()), {"chains", string(text)}, workflowFindings(t.Findings)}, nil
}

// mapState is the table of section C.4.
func mapState(_ context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	state := in.text("state")
	if in.err != nil {
		return nil, in.err
	}
	status, remote, code, ok := owg.MapState(state)
	out := Outcome{Bool("known", ok), Text("state", remote)}
	return out.some("status", string(status)).some("code", string(code)), nil
}

// followTask is section C.4: an attempt at a task, what comes of it, and what may be
// sent about it.
func followTask(_ context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	name, start, events := in.needed("task"), in.now(), in.get("events")
	if events.Kind() != strictjson.Array {
		in.fail(events, "expected an array for events, found %s", events.Kind())
	}
	w, refused, err := c.workflow(in)
	if err != nil || w == nil {
		return refused, err
	}
	a, err := w.Attempt(name, 1, start)
	if err != nil {
		return refusedWorkflow(err)
	}
	task, _ := w.Task(name)
	f := owg.NewFollow(a, task.Produced, owg.Limits{})
	steps := []Outcome{}
	for _, v := range events.Items() {
		step, err := c.event(f, v)
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	a = f.Attempt()
	out := Outcome{Text("status", string(a.Status)), Objects("events", steps)}
	out = out.some("taskId", a.Remote.TaskID).some("contextId", a.Remote.ContextID).some("state", a.Remote.State)
	if a.Failure != nil {
		out = append(out, Text("code", string(a.Failure.Code)))
	}
	produced := []Outcome{}
	for _, p := range a.Produced {
		produced = append(produced, Outcome{Text("asset", p.Asset), Text("artifact", p.Artifact), Text("sha256", p.SHA256)})
	}
	return append(out, Objects("produced", produced)), nil
}

// event is one thing that happens to an attempt: an answer of the agent, a request that
// does not reach it, or a message that somebody wants to send.
func (c *Case) event(f *owg.Follow, v strictjson.Value) (Outcome, error) {
	in := members(v)
	at, answer, unreachable, send := in.now(), in.get("answer"), in.flag("unreachable"), in.text("send")
	if err := in.done(); err != nil {
		return nil, err
	}
	switch {
	case answer.Exists():
		data, err := c.content(answer)
		if err != nil {
			return nil, err
		}
		found, err := f.Update(data, at)
		if err != nil {
			return refusedWorkflow(err)
		}
		return Outcome{workflowFindings(found)}, nil
	case unreachable:
		return Outcome{workflowFindings(f.Unreachable("", at))}, nil
	}
	kinds := map[string]owg.Sending{"message": owg.SendMessage, "query": owg.SendQuery, "cancel": owg.SendCancel}
	kind, ok := kinds[send]
	if !ok {
		return nil, fmt.Errorf("expected answer, unreachable, or send with message, query or cancel")
	}
	a := f.Attempt()
	if err := a.MaySend(kind, at); err != nil {
		out, err := refusedWorkflow(err)
		return append(Outcome{Bool("maySend", false)}, out...), err
	}
	return Outcome{Bool("maySend", true)}, nil
}

// workflowCard is section C.5.
func workflowCard(_ context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	o := owg.CardOptions{
		ProviderOrg: in.text("providerOrganization"), ProviderURL: in.text("providerUrl"), URL: in.text("url"), Name: in.text("name"),
		Version: in.text("version"), Tags: in.texts("tags"), InputsExtension: in.text("inputsExtension"), Allow: in.texts("allow"),
	}
	w, refused, err := c.workflow(in)
	if err != nil || w == nil {
		return refused, err
	}
	card, err := w.Card(o)
	if err != nil {
		return refusedWorkflow(err)
	}
	canonical, err := canon.JCS(card)
	if err != nil {
		return nil, err
	}
	return Outcome{Text("card", string(canonical))}, nil
}

// workflowRequest is section C.6.
func workflowRequest(ctx context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	task := in.text("task")
	o := owg.RequestOptions{
		Now: in.now(), ID: in.text("id"), MessageID: in.needed("messageId"), ContextID: in.text("contextId"), TaskID: in.text("taskId"), DiscloseIdentity: in.flag("discloseIdentity"),
	}
	inputs, under := in.get("inputs"), in.get("under")
	if inputs.Exists() {
		o.Inputs = []byte(inputs.Source())
	}
	if under.Exists() {
		d := members(under)
		o.Under = &owg.Delegation{By: d.text("by"), Scope: d.texts("scope"), ScopeStated: d.get("scope").Exists(), ExpiresAt: d.text("expiresAt")}
		if err := d.done(); err != nil {
			return nil, err
		}
	}
	w, refused, err := c.workflow(in)
	if err != nil || w == nil {
		return refused, err
	}
	card, err := c.agentCard(ctx, in, o.Now)
	if err != nil {
		return refusedCard(err)
	}
	admitted, found, err := owg.AdmitCard(card.Report, card.Demand)
	if err != nil {
		return refusedWorkflow(err)
	}
	r, err := w.Request(task, admitted, o)
	if err != nil {
		return refusedWorkflow(err)
	}
	body, err := canon.JCS(r.Body)
	if err != nil {
		return nil, err
	}
	headers := Outcome{}
	for _, h := range r.Headers {
		headers = append(headers, Text(h.Name, h.Value))
	}
	return Outcome{
		Text("binding", r.Binding), Text("url", r.URL), Object("headers", headers), Text("body", string(body)),
		workflowFindings(append(found, r.Warnings...)),
	}, nil
}

// receiveHandOff is section C.6a.
func receiveHandOff(_ context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	inbound := owg.Inbound{Caller: in.text("caller"), Task: in.text("task"), TaskID: in.text("taskId"), ContextID: in.text("contextId"), Now: in.now()}
	participants := in.get("participants")
	w, refused, err := c.workflow(in)
	if err != nil || w == nil {
		return refused, err
	}
	if participants.Exists() {
		inbound.Participants = map[string]string{}
		table := members(participants)
		for identity := range participants.Members() {
			inbound.Participants[identity] = table.needed(identity)
		}
		if table.err != nil {
			return nil, table.err
		}
	}
	message, err := c.file(in, "message")
	if err != nil {
		return nil, err
	}
	if inbound.HandOff, err = owg.ParseHandOff(message, "", owg.Limits{}); err != nil {
		return refusedWorkflow(err)
	}
	r, err := w.Receive(inbound)
	if err != nil {
		return refusedWorkflow(err)
	}
	out := Outcome{Text("state", r.State)}.some("code", string(r.Code)).list("missing", r.Missing).list("chain", r.Chain)
	if d := r.Received.Delegation; d != nil {
		delegation := Outcome{Text("by", d.By)}
		if d.ScopeStated {
			delegation = append(delegation, Texts("scope", d.Scope))
		}
		out = append(out, Object("delegation", delegation.some("expiresAt", d.ExpiresAt)))
	}
	return append(out, workflowFindings(r.Findings)), nil
}
