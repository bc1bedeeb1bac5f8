package odrl

import (
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/rdf/xsd"
)

// constraint is a constraint (2.5.1) or a logical constraint (2.5.2), compiled.
// A node that several rules use is compiled once.
type constraint struct {
	node  string
	place rdf.Place
	// problem makes the constraint unknown whatever the request says.
	problem *Finding

	op     operator
	left   *leftOperand
	rights []operand
	texts  map[string]bool // of rights that are all texts, where there are many
	most   int             // bytes of the longest of texts
	parses bool            // comparing a text with some right parses it
	parts  []*constraint
	shared bool // more than one rule, duty or constraint leads to it
	index  int  // of a shared one among those of the policy

	height int  // 1 for a constraint, more for one with parts
	size   int  // constraints that evaluating it looks at
	depth  bool // it mentions the delegation depth
}

// evaluate returns the state of the constraint for a query. The trace, if
// there is one, gets an entry with all parts.
func (c *constraint) evaluate(q *query, t *ConstraintTrace) State {
	s := c.state(q, t)
	t.spent(q)
	return s
}

func (c *constraint) state(q *query, t *ConstraintTrace) State {
	if !c.shared {
		return c.judge(q, t)
	}
	// The result is the same for every rule: a list of values that a thousand rules
	// share must not be compared with the values of the request a thousand times.
	if s, ok := q.recall(c, t); ok {
		return s
	}
	s := c.judge(q, t)
	q.remember(c, s, t)
	return s
}

func (c *constraint) judge(q *query, t *ConstraintTrace) State {
	var s State
	switch {
	case c.problem != nil:
		t.explain(c.problem.Code, c.problem.Message)
	case c.op >= opAnd:
		s = c.combine(q, t)
	default:
		s = c.compare(q, t)
	}
	t.set(c, s)
	return s
}

// combine is Kleene's logic (7.5). Without a trace it stops as soon as the
// answer is known.
func (c *constraint) combine(q *query, t *ConstraintTrace) State {
	satisfied, unknown, unsatisfied := 0, 0, 0
	for _, part := range c.parts {
		switch part.evaluate(q, t.part(q)) {
		case Satisfied:
			satisfied++
		case Unknown:
			unknown++
		default:
			unsatisfied++
		}
		if t == nil && c.decided(satisfied, unknown, unsatisfied) {
			break
		}
	}
	switch c.op {
	case opOr:
		switch {
		case satisfied > 0:
			return Satisfied
		case unknown > 0:
			return Unknown
		}
		return Unsatisfied
	case opXone:
		if unknown > 0 {
			return Unknown
		}
		return stateOf(satisfied == 1)
	}
	switch {
	case unsatisfied > 0:
		return Unsatisfied
	case unknown > 0:
		return Unknown
	}
	return Satisfied
}

func (c *constraint) decided(satisfied, unknown, unsatisfied int) bool {
	switch c.op {
	case opOr:
		return satisfied > 0
	case opXone:
		return unknown > 0
	}
	return unsatisfied > 0
}

// compare evaluates one comparison (7.5).
func (c *constraint) compare(q *query, t *ConstraintTrace) State {
	var scratch [1]Value
	values, code := q.values(c.left, &scratch)
	t.setValues(values)
	if code != "" {
		t.explain(code, code.Text())
		return Unknown
	}
	switch {
	case len(values) == 0:
		t.explain(CodeMissingValue, CodeMissingValue.Text())
		return Unknown
	case len(values) > maxValues || !c.op.isSet() && len(values) > 1:
		t.explain(CodeSeveralValues, CodeSeveralValues.Text())
		return Unknown
	}
	var s State
	switch c.op {
	case opIsAnyOf:
		s = c.isAnyOf(q, values)
	case opIsNoneOf:
		s = c.isAnyOf(q, values).not()
	case opIsAllOf:
		s = c.isAllOf(q, values)
	case opIsA, opIsPartOf:
		return c.membership(q, t, values[0].text, c.rights[0].text, values[0].kind)
	case opHasPart:
		return c.membership(q, t, c.rights[0].text, values[0].text, values[0].kind)
	default:
		s = c.scalar(q.comparand(c, values, 0, &comparand{}))
	}
	if s == Unknown {
		t.explain(CodeIncomparable, CodeIncomparable.Text())
	}
	return s
}

// scalar compares one value with one right operand.
func (c *constraint) scalar(v *comparand) State {
	order, ok := c.rights[0].compare(v)
	if !ok {
		return Unknown
	}
	switch c.op {
	case opEq:
		return stateOf(order == xsd.Equal)
	case opNeq:
		return stateOf(order != xsd.Equal)
	}
	if class := c.rights[0].class; class == otherOperand || class == textOperand && v.kind != numberKind {
		return Unknown // texts have no order here, nor do other datatypes
	}
	switch c.op {
	case opGt:
		return stateOf(order.Greater())
	case opGteq:
		return stateOf(order.GreaterOrEqual())
	case opLt:
		return stateOf(order.Less())
	case opLteq:
		return stateOf(order.LessOrEqual())
	}
	return Unknown
}

// isAnyOf is satisfied when some value equals some right operand.
func (c *constraint) isAnyOf(q *query, values []Value) State {
	s := Unsatisfied
	var scratch comparand
	for i := range values {
		if c.texts != nil && values[i].kind == textKind {
			if len(values[i].text) <= c.most && c.texts[values[i].text] {
				return Satisfied
			}
			if !c.parses {
				continue
			}
		}
		v := q.comparand(c, values, i, &scratch)
		for j := range c.rights {
			if s = s.or(c.rights[j].equals(v)); s == Satisfied {
				return s
			}
		}
	}
	return s
}

// isAllOf is satisfied when every right operand is among the values.
func (c *constraint) isAllOf(q *query, values []Value) State {
	s := Satisfied
	texts, most := q.texts(c.left, values)
	var scratch comparand
	for i := range c.rights {
		right := &c.rights[i]
		if right.class == textOperand && len(right.text) <= most && texts[right.text] {
			continue // it is among the values, whatever the others are
		}
		among := Unsatisfied
		for j := range values {
			if right.class != textOperand || right.numeric || values[j].kind != textKind {
				among = among.or(right.equals(q.comparand(c, values, j, &scratch)))
			}
		}
		s = s.and(among)
	}
	return s
}

// membership is satisfied when the request says that member is a member of
// collection, and unknown when it says nothing about the member.
func (c *constraint) membership(q *query, t *ConstraintTrace, member, collection string, kind valueKind) State {
	if kind != textKind || c.rights[0].term.Kind() != rdf.KindIRI {
		t.explain(CodeIncomparable, CodeIncomparable.Text())
		return Unknown
	}
	s := q.isMember(member, collection)
	if s == Unknown {
		t.explain(CodeMissingMembership, CodeMissingMembership.Text())
	}
	return s
}

// boundsDepth reports whether the constraint bounds the delegation depth from above
// in one of the forms that authorise a delegation (AZ-7.3).
func (c *constraint) boundsDepth() bool {
	if c.problem != nil || c.left == nil || c.left.iri != vocab.ODRLDDelegationDepth || len(c.rights) != 1 {
		return false
	}
	r := &c.rights[0]
	return (c.op == opLteq || c.op == opLt || c.op == opEq) &&
		r.class == numberOperand && r.term.Datatype() == vocab.XSDInteger && r.num.sign() >= 0
}
