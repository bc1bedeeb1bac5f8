package owg

// end is where a chain of operated_by and works_for leads.
type end uint8

const (
	endUnknown      end = iota // out of what the workflow knows (V-20)
	endPerson                  // a person
	endNobody                  // something known that is no person
	endCycle                   // itself
	endOrganization            // an organization, when a person is responsible for it
)

// authority finds out for whom participants act.
type authority struct {
	participant func(id string) (*Participant, bool)
	people      map[string]string // a person for each of what people work for
	budget      *budget
}

func (w *Workflow) newAuthority(b *budget) *authority {
	return newAuthority(w.participants, w.known, b)
}

func (w *Workflow) known(id string) (*Participant, bool) {
	i, ok := w.byID[id]
	if !ok {
		return nil, false
	}
	return &w.participants[i], true
}

func newAuthority(all []Participant, participant func(id string) (*Participant, bool), b *budget) *authority {
	a := &authority{participant: participant, people: map[string]string{}, budget: b}
	for i := range all {
		p := &all[i]
		if _, ok := a.people[p.WorksFor]; p.Kind == kindHuman && p.WorksFor != "" && !ok {
			a.people[p.WorksFor] = p.ID
		}
	}
	return a
}

// operators follows operated_by from a participant to the last that is known.
func (a *authority) operators(p *Participant) (last *Participant, e end, err error) {
	seen := map[string]bool{}
	for {
		if err := a.budget.spend(1); err != nil {
			return nil, endUnknown, err
		}
		switch {
		case p.Kind == kindHuman:
			return p, endPerson, nil
		case seen[p.ID]:
			return p, endCycle, nil
		case p.OperatedBy == "":
			return p, endNobody, nil
		}
		seen[p.ID] = true
		next, ok := a.participant(p.OperatedBy)
		if !ok {
			return p, endUnknown, nil
		}
		p = next
	}
}

// responsible finds a person for an organization or department: one that works for
// it, that operates it, or that is responsible for what it works for. It is "" when
// the workflow knows none; e says whether the search left what it knows.
func (a *authority) responsible(organization string) (person string, e end, err error) {
	seen := map[string]bool{}
	for !seen[organization] {
		seen[organization] = true
		if person, ok := a.people[organization]; ok {
			return person, endPerson, nil
		}
		p, ok := a.participant(organization)
		if !ok {
			return "", endUnknown, nil
		}
		last, e, err := a.operators(p)
		switch {
		case err != nil || e == endUnknown || e == endCycle:
			return "", e, err
		case e == endPerson:
			return last.ID, endPerson, nil
		case last.WorksFor == "":
			return "", endNobody, nil
		}
		organization = last.WorksFor
	}
	return "", endCycle, nil
}

// cycles finds each cycle of operated_by once (V-17), those that a person is in
// included: a chain that ends at the person would not show them.
func (v *validation) cycles() {
	visit := make([]int, len(v.w.participants)) // the search that met a participant, from 1
	for i := range v.w.participants {
		at := i
		for visit[at] == 0 {
			visit[at] = i + 1
			next, ok := v.w.byID[v.w.participants[at].OperatedBy]
			if !ok {
				break
			}
			if visit[next] == i+1 {
				p := &v.w.participants[next]
				v.add(SeverityError, "I", CodeAuthorityCycle, p.at.Get("operated_by"), "%s is operated by itself in the end", quote(p.ID))
			}
			at = next
		}
	}
}

// authority applies the rules on who agents act for (V-17, V-18).
func (v *validation) authority() error {
	v.cycles()
	a := v.w.newAuthority(v.budget)
	for i := range v.w.participants {
		p := &v.w.participants[i]
		if p.Kind != kindAgent {
			continue
		}
		last, e, err := a.operators(p)
		if err != nil {
			return err
		}
		if e == endCycle {
			continue // reported
		}
		if !p.at.Get("operated_by").Exists() && !p.at.Get("works_for").Exists() {
			v.add(SeverityWarning, "S", CodeAuthorityOrphan, p.at, "expected operated_by or works_for of the agent %s", quote(p.ID))
			continue
		}
		if e == endNobody && last.WorksFor != "" {
			if _, e, err = a.responsible(last.WorksFor); err != nil {
				return err
			}
		}
		if e == endNobody || e == endCycle {
			v.add(SeverityWarning, "S", CodeAuthorityNoPerson, p.at, "the authority of the agent %s comes from no person", quote(p.ID))
		}
	}
	return nil
}
