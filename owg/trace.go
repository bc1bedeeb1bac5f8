package owg

import (
	"fmt"
	"slices"
	"strings"
)

// Relation says how a hop of a chain follows from the one before.
type Relation string

// The relations.
const (
	ProducedBy  Relation = "produced_by"
	DelegatedBy Relation = "delegated_by"
	OperatedBy  Relation = "operated_by"
	WorksFor    Relation = "works_for"
)

// Hop is one step of a chain of authority.
type Hop struct {
	Relation    Relation
	Participant string // or an organization, with WorksFor
	Kind        string // of the participant, "" for one that the workflow does not know
	WorksFor    string // of the participant
	Task        string // with ProducedBy and DelegatedBy
	Workflow    string // of that task, if it is from the record of another workflow
	Delegation  *Delegation
	Attempt     int    // that produced the asset, 0 if no record says
	RemoteTask  string // likewise
}

// MarshalJSON writes a hop in the form of section C.3.
func (h Hop) MarshalJSON() ([]byte, error) {
	var o object
	o.text("rel", string(h.Relation))
	o.text("participant", h.Participant)
	o.some("task", h.Task)
	o.some("workflow", h.Workflow)
	if h.Attempt > 0 {
		o.number("attempt", h.Attempt)
	}
	o.some("remoteTask", h.RemoteTask)
	if d := h.Delegation; d != nil {
		if d.ScopeStated {
			o.texts("scope", d.Scope)
		} else {
			o.raw("scope", []byte("null"))
		}
		if d.ExpiresAt != "" {
			o.text("expires_at", d.ExpiresAt)
		} else {
			o.raw("expires_at", []byte("null"))
		}
	}
	return o.end(), nil
}

// Where a chain ends.
const (
	EndsInHuman        = "human"
	EndsInOrganization = "organization"
	EndsNowhere        = "nowhere" // at a participant that answers to nobody
	EndsInCycle        = "cycle"
)

// Chain leads from an asset to the party that answers for it.
type Chain struct {
	// Complete reports that a person answers for the asset: the last hop, or the one who
	// is responsible for the organization there.
	Complete bool   `json:"complete"`
	EndsIn   string `json:"endsIn"`
	// Responsible is a person who is responsible for the organization that the chain
	// ends in, "" when the workflow knows none.
	Responsible string `json:"responsible,omitempty"`
	Hops        []Hop  `json:"hops"`
}

// Trace is the result of [Workflow.Trace]. The zero Trace is not complete.
type Trace struct {
	Asset    string    `json:"asset"`
	Chains   []Chain   `json:"chains"`
	Findings []Finding `json:"findings"`
}

// Complete reports whether every chain leads back to a person and no finding is an error.
func (t *Trace) Complete() bool {
	if t == nil || len(t.Chains) == 0 {
		return false
	}
	for i := range t.Chains {
		if !t.Chains[i].Complete {
			return false
		}
	}
	return !slices.ContainsFunc(t.Findings, func(f Finding) bool { return f.Severity == SeverityError })
}

// text returns the chain in words, from the asset on.
func (c *Chain) text(asset string) string {
	var b strings.Builder
	b.WriteString(asset)
	for i, h := range c.Hops {
		b.WriteString(" -> " + strings.ReplaceAll(string(h.Relation), "_", " ") + " " + h.Participant)
		if i < len(c.Hops)-1 {
			continue
		}
		switch {
		case c.EndsIn == EndsInHuman && h.WorksFor != "":
			b.WriteString(" (a person, " + h.WorksFor + ")")
		case c.EndsIn == EndsInHuman:
			b.WriteString(" (a person)")
		case c.EndsIn == EndsInOrganization && c.Responsible != "":
			b.WriteString(" (an organization, responsible: " + c.Responsible + ")")
		case c.EndsIn == EndsInOrganization:
			b.WriteString(" (an organization, no person known)")
		case c.EndsIn == EndsInCycle:
			b.WriteString(" (leads back into itself)")
		default:
			b.WriteString(" (no person)")
		}
	}
	return b.String()
}

// Text returns the chains in words, one a line, without a newline at the end.
func (t *Trace) Text() string {
	lines := make([]string, len(t.Chains))
	for i := range t.Chains {
		lines[i] = t.Chains[i].text(t.Asset)
	}
	return strings.Join(lines, "\n")
}

// Trace follows an asset back to the party that answers for it, through delegations,
// operators and organizations (section C.3): by the fields of the workflow alone, or with
// records by who actually performed what, across the workflows of several organizations.
// An asset is produced by the performer of the attempt that succeeded; where none has, by
// the one that the workflow names. What handed work on may still run.
// Errors of validation are among the findings, since a chain in an invalid workflow
// proves even less.
//
// It fails with an [*Error]: the first error of the types or ids of the workflow, or of
// [CodeLimit]. If no task produces the asset, that is a finding.
func (w *Workflow) Trace(asset string, records ...*Record) (*Trace, error) {
	report, err := w.Validate(ValidateOptions{})
	if err != nil {
		return nil, err
	}
	for _, f := range report.Findings {
		if f.Code == CodeType || f.Code == CodeDuplicateID {
			return nil, f.err()
		}
	}
	b := newBudget(w.limits.Work)
	t := tracing{w: w, budget: b, grants: newGrants(b), said: map[said]bool{}, out: &Trace{Asset: asset, Chains: []Chain{}, Findings: []Finding{}}}
	for _, f := range report.Findings {
		if f.Severity == SeverityError {
			t.said[said{f.Code, f.Text}] = true
			t.out.Findings, t.failed = append(t.out.Findings, f), true
		}
	}
	all, err := t.merge(records)
	if err != nil {
		return nil, err
	}
	t.steps = newSteps(all, t.participants, t.byID, t.grants)
	t.authority = newAuthority(t.participants, t.participant, t.budget)
	producers := t.steps.producers[asset]
	if len(producers) == 0 {
		t.find(SeverityError, "P", CodeNoProducer, "no task produces %s", quote(asset))
	}
	seen := make(map[int]bool, len(producers))
	for _, i := range producers {
		if seen[i] {
			continue // an asset that stands twice
		}
		seen[i] = true
		if err := t.from(i); err != nil {
			return nil, err
		}
	}
	return t.out, nil
}

type tracing struct {
	w            *Workflow
	budget       *budget
	grants       *grants
	out          *Trace
	steps        *steps
	authority    *authority
	home         []int         // of the workflow of each record
	participants []Participant // of the workflow, then those of records alone
	byID         map[string]int
	attempts     map[int]*Attempt // that succeeded, by step
	trying       map[int]bool     // steps of the workflow of which a record has an attempt that runs, and none that succeeded
	failed       bool             // an error is among the findings
	said         map[said]bool    // findings
	scopes       scopeRoom
	bytes        int // of the chains
}

// said is what one finding says: there are a thousand, and what they say can be said again
// by each of thousands of members of sixty-four records.
type said struct {
	code Code
	text string
}

// find adds a finding once. There is always room for one error.
func (t *tracing) find(s Severity, mark string, code Code, format string, args ...any) *Finding {
	f := Finding{Code: code, Severity: s, Mark: mark, Text: fmt.Sprintf(format, args...)}
	const most = 1000 // nobody reads more
	switch {
	case len(t.out.Findings) >= most && (s != SeverityError || t.failed):
		return &Finding{}
	case t.said[said{code, f.Text}]:
		return &Finding{}
	}
	t.said[said{code, f.Text}] = true
	t.failed = t.failed || s == SeverityError
	t.out.Findings = append(t.out.Findings, f)
	return &t.out.Findings[len(t.out.Findings)-1]
}

func (t *tracing) participant(id string) (*Participant, bool) {
	i, ok := t.byID[id]
	if !ok {
		return nil, false
	}
	return &t.participants[i], true
}

// from follows the chains of one step that produced the asset.
func (t *tracing) from(i int) error {
	s := &t.steps.all[i]
	performer := s.performedBy
	if t.trying[i] { // an attempt that runs has produced nothing yet
		performer = t.w.tasks[i].PerformedBy
	}
	if performer == "" { // step 2
		t.find(SeverityError, "P", CodeTracePerformer, "the task %s does not say who performed it", quote(s.task))
		return nil
	}
	first := t.hop(ProducedBy, performer, s)
	if a := t.attempts[i]; a != nil {
		first.Attempt, first.RemoteTask = a.Number, a.Remote.TaskID
	}
	return t.delegated(&way{hops: []Hop{first}, tasks: []int{i}})
}

// way is a chain that is being followed.
type way struct {
	hops   []Hop
	tasks  []int    // steps
	people []string // participants met through delegation
}

func (t *tracing) hop(r Relation, id string, s *step) Hop {
	h := Hop{Relation: r, Participant: id}
	if p, ok := t.participant(id); ok {
		h.Kind, h.WorksFor = p.Kind, p.WorksFor
	}
	if s != nil {
		h.Task, h.Workflow = s.task, s.workflow
		if r == DelegatedBy {
			h.Delegation = s.delegation
		}
	}
	return h
}

// delegated follows the delegation of the last task of a way (steps 3, 4 and 6).
func (t *tracing) delegated(k *way) error {
	if len(k.hops) >= t.w.limits.Hops {
		return over("hops", t.w.limits.Hops)
	}
	last := k.tasks[len(k.tasks)-1]
	s := &t.steps.all[last]
	if s.delegation == nil || s.delegation.By == "" {
		return t.answers(k)
	}
	by := s.delegation.By
	again := slices.Contains(k.people, by)
	k.hops = append(k.hops, t.hop(DelegatedBy, by, s))
	k.people = append(k.people, by)
	if again { // step 6
		t.find(SeverityError, "P", CodeAuthorityCycle, "%s is met twice on the way from %s", quote(by), quote(t.out.Asset))
		return t.finish(k, Chain{EndsIn: EndsInCycle})
	}
	if p, ok := t.participant(by); !ok || p.Kind != kindAgent {
		return t.answers(k)
	}
	led, err := t.steps.led(last, by, func(i int) bool { return slices.Contains(k.tasks, i) })
	if err != nil {
		return err
	}
	if len(led) == 0 {
		return t.answers(k)
	}
	if len(led) > 1 {
		t.find(SeverityWarning, "P", CodeTraceAmbiguous, "%d delegations may have led to what %s handed over with the task %s", len(led), quote(by), quote(s.task))
	}
	for _, i := range led {
		if err := t.narrows(s, &t.steps.all[i]); err != nil {
			return err
		}
		branch := &way{
			hops:   slices.Clip(slices.Clone(k.hops)),
			tasks:  append(slices.Clone(k.tasks), i),
			people: slices.Clip(slices.Clone(k.people)),
		}
		if err := t.delegated(branch); err != nil {
			return err
		}
	}
	return nil
}

// narrows finds a hop that grants more, or for longer, than its delegator received
// (V-11 and V-13), across records too.
func (t *tracing) narrows(s, above *step) error {
	d := s.delegation
	extra, err := t.grants.extra(s.grant.scope, above.grant.scope)
	if err == nil && len(extra) > 0 {
		t.find(SeverityWarning, "P", CodeChainWidens, "%s hands on more than it received with the task %s: %s", quote(d.By), quote(above.task), quotedScopes(extra)).Extra = t.scopes.list(extra)
	}
	if err != nil {
		return err
	}
	if s.grant.outlives(above.grant) {
		t.find(SeverityWarning, "P", CodeDelegationOutlive, "what %s handed on with the task %s lasts longer than what it received with the task %s", quote(d.By), quote(s.task), quote(above.task))
	}
	return nil
}

// answers follows operators and organizations to the end (step 5).
func (t *tracing) answers(k *way) error {
	seen := map[string]bool{}
	for {
		id := k.hops[len(k.hops)-1].Participant
		p, ok := t.participant(id)
		switch {
		case !ok:
			return t.finish(k, Chain{EndsIn: EndsNowhere})
		case p.Kind == kindHuman:
			return t.finish(k, Chain{Complete: true, EndsIn: EndsInHuman})
		case seen[id]:
			t.find(SeverityError, "I", CodeAuthorityCycle, "%s is operated by itself in the end", quote(id))
			return t.finish(k, Chain{EndsIn: EndsInCycle})
		case p.OperatedBy == "" && p.WorksFor == "":
			t.find(SeverityWarning, "S", CodeAuthorityOrphan, "%s is operated by nobody and works for nobody", quote(id))
			return t.finish(k, Chain{EndsIn: EndsNowhere})
		case len(k.hops) >= t.w.limits.Hops:
			return over("hops", t.w.limits.Hops)
		case p.OperatedBy != "":
			seen[id] = true
			k.hops = append(k.hops, t.hop(OperatedBy, p.OperatedBy, nil))
			continue
		}
		k.hops = append(k.hops, t.hop(WorksFor, p.WorksFor, nil))
		if boss, ok := t.participant(p.WorksFor); ok && boss.Kind == kindHuman {
			return t.finish(k, Chain{Complete: true, EndsIn: EndsInHuman})
		}
		person, _, err := t.authority.responsible(p)
		if err != nil {
			return err
		}
		return t.finish(k, Chain{Complete: person != "", EndsIn: EndsInOrganization, Responsible: person})
	}
}

func (t *tracing) finish(k *way, c Chain) error {
	if len(t.out.Chains) >= t.w.limits.Chains {
		return over("chains", t.w.limits.Chains)
	}
	// A name or a scope can be as long as the workflow, and stand in every chain.
	const most = 8 << 20 // people write some hundreds of bytes a hop
	t.bytes += len(c.Responsible)
	for i := range k.hops {
		h := &k.hops[i]
		t.bytes += len(h.Participant) + len(h.WorksFor) + len(h.Task) + len(h.Workflow) + len(h.RemoteTask)
		if h.Delegation != nil {
			t.bytes += len(h.Delegation.ExpiresAt)
			for _, s := range h.Delegation.Scope {
				t.bytes += len(s) + 3
			}
		}
	}
	if t.bytes > most {
		return over("bytes of chains", most)
	}
	c.Hops = k.hops
	t.out.Chains = append(t.out.Chains, c)
	return nil
}
