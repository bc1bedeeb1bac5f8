package odrl

import (
	"slices"
	"time"
)

// Request is what a party wants to do (7.1). The receiver makes it and vouches for
// everything in it: a value that the requester can choose freely must not become an
// attribute.
type Request struct {
	// Agent is the IRI of the acting party. Without one, only rules for
	// everyone apply.
	Agent string
	// Action is the IRI of the action or its short name, see [ActionIRI].
	Action string
	// Target is the IRI of the asset.
	Target string
	// Now is the instant of the request, the value of odrl:dateTime. The zero
	// time is no instant: the operand has no value.
	Now time.Time
	// Attributes holds the values of left operands, by the operand's short name
	// ("purpose") or IRI, and under "fulfilled:ACTION" whether a duty was
	// fulfilled (true, "true" or 1). odrl:dateTime and odrld:delegationDepth are
	// never read from here.
	Attributes map[string][]Value
	// MemberOf holds for an asset, a party or a value all collections that it is a
	// direct member of. Without an entry its memberships are unknown; an empty entry
	// says that it is a member of none.
	MemberOf map[string][]string
	// InsecureDateTime lets an attribute "dateTime" replace Now. It is for
	// conformance vectors: with it, whoever writes the attributes chooses the time.
	InsecureDateTime bool
	// Trace bounds the traces of this request and of others that share it; nil means that
	// each policy's trace has the limits of the policy. Nothing else reads it.
	Trace *TraceBudget
}

// query is one request as it is put to one policy.
type query struct {
	p     *Policy
	r     *Request
	depth int // the delegation depth, 0 outside a chain
	act   action
	now   Value // Now as a value, once it was asked for

	agent, target reach

	known  []State                          // of shared constraints, by their index, and one more; nil when none was evaluated
	shown  map[*constraint]*ConstraintTrace // how to show again those that were explained
	read   map[*leftOperand]*attribute
	budget *TraceBudget // of the trace that is written, nil for none
}

// recall returns the state of a constraint that this query evaluated before, and for a
// trace also explained.
func (q *query) recall(c *constraint, t *ConstraintTrace) (State, bool) {
	if q.known == nil || q.known[c.index] == 0 {
		return Unknown, false
	}
	if t != nil {
		again := q.shown[c]
		if again == nil {
			return Unknown, false
		}
		*t = *again
	}
	return q.known[c.index] - 1, true
}

// remember keeps the state of a constraint for the rest of the query.
func (q *query) remember(c *constraint, s State, t *ConstraintTrace) {
	if q.known == nil {
		q.known = make([]State, q.p.shared)
	}
	q.known[c.index] = s + 1
	if t == nil {
		return
	}
	if q.shown == nil {
		q.shown = map[*constraint]*ConstraintTrace{}
	}
	again := t.repeated()
	q.shown[c] = &again
}

func (p *Policy) query(r *Request, depth int) query {
	return query{p: p, r: r, depth: depth, act: p.dialect.lookupAction(actionIRI(r.Action))}
}

// values returns the values of a left operand, and a code when they cannot be
// used. The scratch space saves an allocation for a single value.
func (q *query) values(l *leftOperand, scratch *[1]Value) ([]Value, Code) {
	switch l.name {
	case "delegationDepth":
		if q.depth <= 0 {
			return nil, "" // nobody supplies it outside a chain
		}
		scratch[0] = Integer(int64(q.depth))
		return scratch[:], ""
	case "dateTime":
		if v, ok := q.r.Attributes["dateTime"]; ok && q.r.InsecureDateTime {
			return v, ""
		}
		if q.r.Now.IsZero() {
			return nil, ""
		}
		if q.now.text == "" {
			q.now = Instant(q.r.Now)
		}
		scratch[0] = q.now
		return scratch[:], ""
	}
	byName, named := q.r.Attributes[l.name]
	byIRI, ok := q.r.Attributes[l.iri]
	switch {
	case named && ok:
		return nil, CodeUnusableValue // there is no telling which of them counts
	case ok:
		byName = byIRI
	}
	if q.anyBoolean(l, byName) {
		return byName, CodeUnusableValue
	}
	return byName, ""
}

// anyBoolean reports whether a value is none that a constraint can compare. Of many values
// it finds that out once.
func (q *query) anyBoolean(l *leftOperand, values []Value) bool {
	const few = 4
	if len(values) > maxValues {
		return false // they are unknown anyway
	}
	isBoolean := func(v Value) bool { return v.kind == booleanKind }
	if len(values) <= few {
		return slices.ContainsFunc(values, isBoolean)
	}
	a := q.attribute(l)
	if !a.looked {
		a.looked, a.boolean = true, slices.ContainsFunc(values, isBoolean)
	}
	return a.boolean
}

// attribute is what was made of the values of one left operand. A thousand constraints
// may look at a text that the requester chose, and reading a long one takes longer than
// all else: it is read once a query.
type attribute struct {
	parsed []comparand
	texts  map[string]bool
	most   int // bytes of the longest of texts

	looked, boolean bool // whether there is a boolean among them, once it was looked for
}

func (q *query) attribute(l *leftOperand) *attribute {
	a := q.read[l]
	if a == nil {
		a = &attribute{}
		if q.read == nil {
			q.read = map[*leftOperand]*attribute{}
		}
		q.read[l] = a
	}
	return a
}

// comparand returns a value of the left operand of a constraint, to be compared with its
// right operands. It is in the scratch space unless it may have to be parsed.
func (q *query) comparand(c *constraint, values []Value, i int, scratch *comparand) *comparand {
	if v := &values[i]; !c.parses || v.kind != textKind || v.at != nil {
		*scratch = comparand{Value: *v}
		return scratch
	}
	a := q.attribute(c.left)
	if a.parsed == nil {
		a.parsed = make([]comparand, len(values))
		for j := range values {
			a.parsed[j].Value = values[j]
		}
	}
	return &a.parsed[i]
}

// texts returns those of the values of a left operand that are texts, and the bytes of the
// longest.
func (q *query) texts(l *leftOperand, values []Value) (map[string]bool, int) {
	a := q.attribute(l)
	if a.texts == nil {
		a.texts = make(map[string]bool, len(values))
		for i := range values {
			if values[i].kind == textKind {
				a.texts[values[i].text] = true
				a.most = max(a.most, len(values[i].text))
			}
		}
	}
	return a.texts, a.most
}

// exercised returns whether the request says that a duty's action was
// performed, and false in stated when it says nothing.
func (q *query) exercised(d *Duty) (done, stated bool) {
	done = true
	for _, key := range [2]string{d.shortKey, d.key} {
		values, ok := q.r.Attributes[key]
		if !ok || key == "" {
			continue
		}
		stated = true
		done = done && len(values) == 1 && values[0].affirms()
	}
	return done && stated, stated
}

// affirms reports whether a value says yes: true, "true" or 1.
func (v Value) affirms() bool {
	if v.kind == numberKind {
		return v.num == number{digits: "1", exp: 1}
	}
	return v.text == "true"
}

// isMember returns whether the request states that member is a direct member of
// collection; Unknown when it states nothing about the member.
func (q *query) isMember(member, collection string) State {
	collections, stated := q.r.MemberOf[member]
	if !stated {
		return Unknown
	}
	return stateOf(slices.Contains(collections, collection))
}

// reach is everything that one party or asset belongs to, by any chain of
// memberships that the request states or the policy asserts: what counts
// against a request.
type reach struct {
	done   bool
	stated bool // the request says what it is a member of
	above  map[string]bool
}

// from computes the reach once.
func (w *reach) from(q *query, member string) {
	if w.done {
		return
	}
	w.done = true
	_, w.stated = q.r.MemberOf[member]
	if len(q.r.MemberOf) == 0 && len(q.p.partOf) == 0 {
		return
	}
	w.above = map[string]bool{}
	for todo := []string{member}; len(todo) > 0; {
		m := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, facts := range [2]map[string][]string{q.r.MemberOf, q.p.partOf} {
			for _, c := range facts[m] {
				if !w.above[c] {
					w.above[c] = true
					todo = append(todo, c)
				}
			}
		}
	}
}
