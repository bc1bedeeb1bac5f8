package owg

import (
	"net/url"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// ValidateOptions configures [Workflow.Validate].
type ValidateOptions struct {
	// Strict makes it an error, not a warning, when a delegation grants more than its
	// delegator received (V-11).
	Strict bool
	// Now is the instant at which delegations may have lapsed (V-14); with the zero Time
	// that is not checked.
	Now time.Time
	// Cards are the cards of performers, by the id of the participant (V-21); without
	// its performer's card a skill is not checked.
	Cards map[string]Card
}

// Card is an agent's card, and what is known about its signatures.
type Card struct {
	Card *agentcard.Card
	// Report is what verification found; nil for a card that was not verified.
	Report *agentcard.Report
	// Demand is what the deployment demands of signatures.
	Demand agentcard.Demand
}

// Validate applies the rules of section C.2. It fails with an [*Error] of [CodeLimit]
// when the work limit is exceeded; everything else that is wrong is in the report.
func (w *Workflow) Validate(o ValidateOptions) (*Report, error) {
	v := validation{
		w: w, o: o, report: &Report{}, budget: newBudget(w.limits.Work), skills: map[*agentcard.Card]map[string]bool{},
	}
	v.grants = newGrants(v.budget)
	v.findings = &findings{report: v.report, root: w.root}
	for _, f := range w.types {
		v.add(SeverityError, "I", f.code, f.at, "%s", f.text)
	}
	v.ids()
	v.participants()
	if err := v.authority(); err != nil {
		return nil, err
	}
	for i := range w.tasks {
		v.task(&w.tasks[i])
		if err := v.delegation(&w.tasks[i]); err != nil {
			return nil, err
		}
	}
	if err := v.chains(); err != nil {
		return nil, err
	}
	v.assets()
	v.report.judged = true
	return v.report, nil
}

type validation struct {
	*findings
	w      *Workflow
	o      ValidateOptions
	report *Report
	budget *budget
	grants *grants
	skills map[*agentcard.Card]map[string]bool // ids on the cards that were looked at
}

// ids finds ids that two participants or two tasks have (V-2).
func (v *validation) ids() {
	for i := range v.w.participants {
		if p := &v.w.participants[i]; p.ID != "" && v.w.byID[p.ID] != i {
			v.add(SeverityError, "I", CodeDuplicateID, p.at.Get("id"), "another participant has the id %s", quote(p.ID))
		}
	}
	for i := range v.w.tasks {
		if t := &v.w.tasks[i]; t.ID != "" && v.w.taskID[t.ID] != i {
			v.add(SeverityError, "I", CodeDuplicateID, t.at.Get("id"), "another task has the id %s", quote(t.ID))
		}
	}
}

// known judges a reference to a participant (V-3).
func (v *validation) known(at strictjson.Value, name, id string) (*Participant, bool) {
	if id == "" {
		return nil, false
	}
	i, ok := v.w.byID[id]
	if !ok {
		v.add(SeverityError, "I", CodeRefUnknown, at.Get(name), "no participant has the id %s", quote(id))
		return nil, false
	}
	return &v.w.participants[i], true
}

func (v *validation) participants() {
	for i := range v.w.participants {
		p := &v.w.participants[i]
		v.known(p.at, "operated_by", p.OperatedBy)
		if p.AgentCard == "" {
			continue
		}
		at := p.at.Get("agent_card")
		if !isHTTPS(p.AgentCard) { // V-8
			v.add(SeverityError, "I", CodeAgentCardURL, at, "expected an absolute https URL, found %s", quote(p.AgentCard))
		} else if p.Kind != "" && p.Kind != kindAgent {
			v.add(SeverityWarning, "I", CodeAgentCardURL, at, "expected an agent card on an agent alone, found one on a participant of kind %s", quote(p.Kind))
		}
	}
}

// isHTTPS reports whether s is an absolute https URL.
func isHTTPS(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme == "https" && u.Hostname() != "" && u.User == nil && !strings.ContainsAny(s, " \t\r\n")
}

// CardURL returns where the card of a participant is published. Whoever writes the workflow
// chooses what stands there: whatever is no absolute https URL is not to be looked up, a
// name of a file least of all. It fails with an [*Error] of [CodeNoCard], or of
// [CodeAgentCardURL] (V-8).
func (w *Workflow) CardURL(participant string) (string, error) {
	p, ok := w.known(participant)
	switch {
	case !ok || p.AgentCard == "":
		return "", refuse(CodeNoCard, "the agent %s has no agent_card", quote(participant))
	case !isHTTPS(p.AgentCard):
		return "", refuseAt(p.at.Get("agent_card"), CodeAgentCardURL, "expected an absolute https URL, found %s", quote(p.AgentCard))
	}
	return p.AgentCard, nil
}

// task applies the rules on tasks for another party's agent (V-3 to V-7, V-15, V-16).
func (v *validation) task(t *Task) {
	performer, known := v.known(t.at, "performed_by", t.PerformedBy)
	executor := t.at.Get("executor")
	if t.Executor == executorA2A {
		switch {
		case !t.at.Get("performed_by").Exists():
			v.add(SeverityError, "S", CodeNoPerformer, t.at, "expected performed_by, since the executor is a2a")
		case known && performer.Kind != kindAgent && performer.Kind != "":
			v.add(SeverityError, "I", CodePerformerKind, t.at.Get("performed_by"), "expected an agent, since the executor is a2a; %s is of kind %s", quote(performer.ID), quote(performer.Kind))
		case known && performer.AgentCard == "":
			v.add(SeverityWarning, "I", CodeNoCard, t.at.Get("performed_by"), "the agent %s has no agent_card", quote(performer.ID))
		}
		if ref := executor.Get("ref"); t.Ref == "" && (!ref.Exists() || ref.Kind() == strictjson.String) {
			if !ref.Exists() {
				ref = executor
			}
			v.add(SeverityError, "I", CodeNoSkill, ref, "expected the id of a skill as ref, since the executor is a2a")
		}
		if known {
			v.card(t, performer)
		}
	}
	d := t.Delegation
	switch {
	case d == nil && t.Executor == executorA2A && !t.at.Get("delegation").Exists():
		v.add(SeverityWarning, "P", CodeDelegationMissing, t.at, "expected a delegation, since the executor is a2a")
	case d != nil && !d.at.Get("by").Exists():
		v.add(SeverityWarning, "P", CodeDelegationMissing, d.at, "expected by, who hands the task over")
	case d != nil && d.By != "" && d.By == t.PerformedBy:
		v.add(SeverityError, "P", CodeDelegationSelf, d.at.Get("by"), "%s hands the task over to itself", quote(d.By))
	}
}

// card looks a skill up on the performer's card (V-21).
func (v *validation) card(t *Task, performer *Participant) {
	c, ok := v.o.Cards[performer.ID]
	if !ok {
		return
	}
	at := t.at.Get("executor").Get("ref")
	if c.Card != nil && t.Ref != "" && !v.skillsOf(c.Card)[t.Ref] {
		v.add(SeverityWarning, "P", CodeSkillUnknown, at, "the card of %s has no skill %s", quote(performer.ID), quote(t.Ref))
	}
	if code, reason := unverified(c.Report, c.Demand); code != "" {
		v.add(SeverityWarning, "P", CodeCardUnverified, at, "the card of %s is not verified: %s", quote(performer.ID), reason)
	}
}

// skillsOf returns the ids of the skills on a card, which thousands of tasks may be for.
func (v *validation) skillsOf(c *agentcard.Card) map[string]bool {
	ids, ok := v.skills[c]
	if !ok {
		ids = map[string]bool{}
		for _, s := range c.Root().Get("skills").Items() {
			if id, ok := s.Get("id").Str(); ok {
				ids[id] = true
			}
		}
		v.skills[c] = ids
	}
	return ids
}

// skill returns the skill with an id on a card.
func skill(c *agentcard.Card, id string) (strictjson.Value, bool) {
	if c == nil {
		return strictjson.Value{}, false
	}
	for _, s := range c.Root().Get("skills").Items() {
		if got, ok := s.Get("id").Str(); ok && got == id {
			return s, true
		}
	}
	return strictjson.Value{}, false
}

// unverified says why a card does not meet a demand, "" when it does.
func unverified(r *agentcard.Report, d agentcard.Demand) (agentcard.Code, string) {
	_, code := agentcard.Admit(r, d)
	switch {
	case code == "":
		return "", ""
	case r == nil:
		return code, "its signatures were not checked"
	case r.Message == "":
		return code, string(code)
	}
	return code, r.Message
}

// delegation applies the rules on one delegation, whatever the executor (V-3, V-9 to
// V-12, V-14).
func (v *validation) delegation(t *Task) error {
	d := t.Delegation
	if d == nil {
		return nil
	}
	by, known := v.known(d.at, "by", d.By)
	if !d.ScopeStated { // V-11a
		v.add(SeverityWarning, "P", CodeScopeMissing, d.at, "expected a scope; without one nothing is granted")
	}
	if known && by.ScopeDeclared { // V-9; V-10: a delegator that declares no scope is not judged
		beyond, err := v.grants.beyond(v.grants.read(d).scope, v.grants.own(by))
		if err != nil {
			return err
		}
		if len(beyond) > 0 && v.room(SeverityError) {
			extra := v.grants.named(beyond)
			v.add(SeverityError, "S", CodeDelegationWidens, d.at.Get("scope"), "%s hands on what it does not have itself: %s", quote(d.By), quotedScopes(extra)).Extra = v.scopes.list(extra)
		}
	}
	if at := d.at.Get("expires_at"); d.ExpiresAt != "" {
		if _, ok := parseTime(d.ExpiresAt); !ok {
			v.add(SeverityError, "I", CodeTime, at, "expected a time as in RFC 3339 with an offset or Z, found %s", quote(d.ExpiresAt))
		} else if !v.o.Now.IsZero() && d.Expired(v.o.Now) {
			v.add(SeverityNote, "P", CodeDelegationExpired, at, "the delegation lapsed at %s", d.ExpiresAt)
		}
	}
	return nil
}

// chains compares delegations with those that their delegators received (V-11,
// V-11a, V-13).
func (v *validation) chains() error {
	s := newSteps(stepsOf(v.w), v.w.participants, v.w.byID, v.grants)
	for i := range v.w.tasks {
		d := v.w.tasks[i].Delegation
		if d == nil || d.By == "" {
			continue
		}
		led, err := s.led(i, d.By, func(int) bool { return false })
		if err != nil {
			return err
		}
		for _, j := range led {
			if err := v.handedOn(d, &v.w.tasks[j], s.all[i].grant, s.all[j].grant); err != nil {
				return err
			}
		}
	}
	return nil
}

// handedOn compares a delegation with that of the task that its delegator received.
func (v *validation) handedOn(d *Delegation, above *Task, grant, received *grant) error {
	beyond, err := v.grants.beyond(grant.scope, received.scope)
	if err != nil {
		return err
	}
	severity := SeverityWarning
	if v.o.Strict {
		severity = SeverityError
	}
	if len(beyond) > 0 && v.room(severity) {
		extra := v.grants.named(beyond)
		v.add(severity, "P", CodeChainWidens, d.at.Get("scope"), "%s hands on more than it received with the task %s: %s", quote(d.By), quote(above.ID), quotedScopes(extra)).Extra = v.scopes.list(extra)
	}
	if grant.outlives(received) && v.room(SeverityWarning) {
		at := d.at.Get("expires_at")
		if !at.Exists() {
			at = d.at
		}
		v.add(SeverityWarning, "P", CodeDelegationOutlive, at, "the delegation lasts longer than the one that %s received with the task %s", quote(d.By), quote(above.ID))
	}
	return nil
}

// assets judges references to assets (V-19).
func (v *validation) assets() {
	producer := map[string]*Task{} // the first with its id: two with one id are one
	var nameless Task
	for i := range v.w.tasks {
		t := &v.w.tasks[i]
		own := &nameless
		if first, ok := v.w.taskID[t.ID]; ok {
			own = &v.w.tasks[first]
		}
		for _, list := range []struct {
			name string
			ids  []string
		}{{"used", t.Used}, {"produced", t.Produced}} {
			at := t.at.Get(list.name)
			if at.Len() != len(list.ids) {
				continue // something in it is of the wrong type
			}
			for k, id := range list.ids {
				if v.w.assets != nil && !v.w.assets[id] {
					v.add(SeverityWarning, "I", CodeAssetUnknown, at.Index(k), "the workflow has no asset %s", quote(id))
				}
				if list.name == "used" {
					continue
				}
				if other, ok := producer[id]; ok && other != own {
					v.add(SeverityWarning, "I", CodeTwoProducers, at.Index(k), "the task %s produces %s as well", quote(other.ID), quote(id))
				} else {
					producer[id] = own
				}
			}
		}
	}
}
