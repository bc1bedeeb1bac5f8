package owg

// end is where a chain of operated_by and works_for leads.
type end uint8

const (
	endUnknown end = iota // somebody that the workflow does not know (V-20)
	endPerson             // a person
	endNobody             // somebody known who is not a person
	endCycle              // back into itself
)

// authority finds out whom participants act for.
type authority struct {
	participant func(id string) (*Participant, bool)
	people      map[string]string // a person for each organization that people work for
	budget      *budget

	// Results are kept, so that a chain that many participants are on is followed once.
	operated     map[*Participant]lead
	responsibles map[string]answerable // by organization
	bosses       map[*Participant]answerable
}

// lead is where operated_by leads in the end.
type lead struct {
	last *Participant
	end  end
}

// answerable is who is responsible for an organization.
type answerable struct {
	person string
	end    end
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
	a := &authority{
		participant: participant, people: map[string]string{}, budget: b,
		operated: map[*Participant]lead{}, responsibles: map[string]answerable{}, bosses: map[*Participant]answerable{},
	}
	for i := range all {
		p := &all[i]
		if _, ok := a.people[p.WorksFor]; p.Kind == kindHuman && p.WorksFor != "" && !ok {
			a.people[p.WorksFor] = p.ID
		}
	}
	return a
}

// operators follows operated_by from a participant to the last one that is known, or to
// any of a cycle.
func (a *authority) operators(p *Participant) (last *Participant, e end, err error) {
	var path []*Participant
	var found lead
	for next := p; next != nil; {
		if err := a.budget.spend(1); err != nil {
			return nil, endUnknown, err
		}
		p = next
		if l, ok := a.operated[p]; ok { // met on this way, which is a cycle, or on another
			found = l
			break
		}
		a.operated[p] = lead{p, endCycle}
		path = append(path, p)
		next = nil
		switch {
		case p.Kind == kindHuman:
			found = lead{p, endPerson}
		case p.OperatedBy == "":
			found = lead{p, endNobody}
		default:
			var ok bool
			if next, ok = a.participant(p.OperatedBy); !ok {
				found = lead{p, endUnknown}
			}
		}
	}
	for _, on := range path {
		a.operated[on] = found
	}
	return found.last, found.end, nil
}

// responsible finds a person for the organization or department that a participant works
// for: one who works for it, who operates it, or who is responsible for the organization
// that it works for. person is "" when the workflow knows none, and e says how the search
// ended. Many are operated by one participant that works for a long name.
func (a *authority) responsible(p *Participant) (person string, e end, err error) {
	found, ok := a.bosses[p]
	if !ok {
		if found, err = a.ask(p.WorksFor); err != nil {
			return "", endUnknown, err
		}
		a.bosses[p] = found
	}
	return found.person, found.end, nil
}

// ask asks one organization after the other.
func (a *authority) ask(organization string) (found answerable, err error) {
	var path []string
	for more := true; more; {
		known, ok := a.responsibles[organization]
		if ok { // met on this way, which is a cycle, or on another
			found = known
			break
		}
		a.responsibles[organization] = answerable{end: endCycle}
		path = append(path, organization)
		if found, organization, err = a.step(organization); err != nil {
			return found, err
		}
		more = organization != ""
	}
	for _, on := range path {
		a.responsibles[on] = found
	}
	return found, nil
}

// step is one step of ask: an answer, or the organization to ask next.
func (a *authority) step(organization string) (found answerable, next string, err error) {
	if person, ok := a.people[organization]; ok {
		return answerable{person, endPerson}, "", nil
	}
	p, ok := a.participant(organization)
	if !ok {
		return answerable{end: endUnknown}, "", nil
	}
	last, e, err := a.operators(p)
	switch {
	case err != nil:
		return answerable{}, "", err
	case e == endUnknown || e == endCycle:
		return answerable{end: e}, "", nil
	case e == endPerson:
		return answerable{last.ID, endPerson}, "", nil
	case last.WorksFor == "":
		return answerable{end: endNobody}, "", nil
	}
	return answerable{}, last.WorksFor, nil
}

// cycles finds each cycle of operated_by once (V-17). A cycle with a person in it counts
// too, although a chain that ends at the person would not show it.
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

// authority applies the rules on whom agents act for (V-17, V-18).
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
			if _, e, err = a.responsible(last); err != nil {
				return err
			}
		}
		if e == endNobody || e == endCycle {
			v.add(SeverityWarning, "S", CodeAuthorityNoPerson, p.at, "the authority of the agent %s comes from no person", quote(p.ID))
		}
	}
	return nil
}
