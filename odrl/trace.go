package odrl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
)

// Trace says for one request what came of every rule and constraint of a policy. It
// explains a [Decision] and decides nothing itself.
type Trace struct {
	Policy   string      `json:"policy"`
	Dialect  string      `json:"dialect"`
	Conflict string      `json:"conflict"`
	Refused  *Finding    `json:"refused,omitempty"`
	Rules    []RuleTrace `json:"rules"`
	// Obligations are the policy's own duties.
	Obligations []DutyTrace `json:"obligations,omitempty"`
	// Truncated: something did not fit into the [TraceBudget]. Omitted counts the rules,
	// duties and constraints that are left out, without what is within them.
	Truncated bool `json:"truncated,omitempty"`
	Omitted   int  `json:"omitted,omitempty"`
}

// RuleTrace says what came of a permission or a prohibition. A permission applies
// when all its premises are satisfied, a prohibition when none is unsatisfied.
type RuleTrace struct {
	Kind    RuleKind  `json:"kind"`
	Node    string    `json:"node"`
	Place   rdf.Place `json:"place,omitzero"`
	Applies bool      `json:"applies"`
	// Flaw is a problem of the rule as a whole, which makes it unknown.
	Flaw        *Finding          `json:"flaw,omitempty"`
	Action      Premise           `json:"action"`
	Target      Premise           `json:"target"`
	Assignee    Premise           `json:"assignee"`
	Constraints []ConstraintTrace `json:"constraints,omitempty"`
	Duties      []DutyTrace       `json:"duties,omitempty"`
	Remedies    []DutyTrace       `json:"remedies,omitempty"`
}

// Premise says what came of one part of a rule.
type Premise struct {
	State State    `json:"state"`
	Rule  []string `json:"rule,omitempty"` // what the rule says
	Code  Code     `json:"code,omitempty"` // why it is unknown
	Why   string   `json:"why,omitempty"`  // why it is unknown or not satisfied
	// Refinements that were looked at.
	Refinements []ConstraintTrace `json:"refinements,omitempty"`
}

// ConstraintTrace says what came of a constraint.
type ConstraintTrace struct {
	Node          string    `json:"node"`
	Place         rdf.Place `json:"place,omitzero"`
	State         State     `json:"state"`
	LeftOperand   string    `json:"leftOperand,omitempty"`
	Operator      string    `json:"operator,omitempty"` // or the logical operand
	RightOperands []string  `json:"rightOperands,omitempty"`
	Values        []string  `json:"values,omitempty"` // of the left operand, as the request gave them
	Code          Code      `json:"code,omitempty"`   // why it is unknown
	Why           string    `json:"why,omitempty"`

	Parts []ConstraintTrace `json:"parts,omitempty"` // of a logical constraint

	// Repeated: another rule or constraint led here before, and its trace has the
	// constraint of this node and place in full. Here are only the first few operands and
	// values, and no parts: what many share would make the trace a thousand times larger
	// than the policy.
	Repeated bool             `json:"repeated,omitempty"`
	full     *ConstraintTrace // of a repeated one, for words
}

// DutyTrace says what came of a duty.
type DutyTrace struct {
	DutyStatus
	Constraints  []ConstraintTrace `json:"constraints,omitempty"`
	Consequences []DutyTrace       `json:"consequences,omitempty"`
}

// part returns a new entry for a part. On nil, where nothing is traced, it returns
// nil; the other methods do nothing then.
func (t *ConstraintTrace) part(q *query) *ConstraintTrace {
	if t == nil || !q.budget.take() {
		return nil
	}
	t.Parts = append(t.Parts, ConstraintTrace{})
	return &t.Parts[len(t.Parts)-1]
}

func (t *ConstraintTrace) explain(code Code, why string) {
	if t != nil {
		t.Code, t.Why = code, why
	}
}

func (t *ConstraintTrace) setValues(values []Value) {
	if t == nil {
		return
	}
	for _, v := range values[:min(len(values), maxValues)] {
		t.Values = append(t.Values, rdf.Abbreviate(v.text))
	}
}

func (t *ConstraintTrace) set(c *constraint, s State) {
	if t == nil {
		return
	}
	t.Node, t.Place, t.State = traceName(c.node), c.place, s
	if c.op != noOperator {
		t.Operator = c.op.String()
	}
	if c.left != nil {
		t.LeftOperand = c.left.name
	}
	for i := range c.rights {
		t.RightOperands = append(t.RightOperands, c.rights[i].String())
	}
}

// spent takes the texts of the entry off the budget, without its parts.
func (t *ConstraintTrace) spent(q *query) {
	if t == nil || q.budget == nil {
		return
	}
	q.budget.spend(t.Node, t.Place.File, t.LeftOperand, t.Operator, string(t.Code), t.Why)
	q.budget.spend(t.RightOperands...)
	q.budget.spend(t.Values...)
}

// spent takes the texts of a rule off the budget, without its constraints and duties.
func (t *RuleTrace) spent(q *query) {
	q.budget.spend(t.Node, t.Place.File)
	for _, p := range []*Premise{&t.Action, &t.Target, &t.Assignee} {
		q.budget.spend(p.Rule...)
		q.budget.spend(string(p.Code), p.Why)
	}
	if t.Flaw != nil {
		q.budget.spend(t.Flaw.Message, t.Flaw.Node)
	}
}

// mostSaid is how many operands, values and parts are said in words; the trace has them
// all, once.
const mostSaid = 4

// repeated returns the short form for a constraint that was explained before.
func (t *ConstraintTrace) repeated() ConstraintTrace {
	r, full := *t, *t
	r.Repeated, r.full = true, &full
	r.RightOperands, r.Values, r.Parts = few(t.RightOperands), few(t.Values), nil
	return r
}

// few returns the beginning of a list, and whether there is more as an element.
func few(all []string) []string {
	if len(all) <= mostSaid+1 {
		return all
	}
	return append(slices.Clone(all[:mostSaid]), "...")
}

// String says in words what the constraint demands and what came; of the parts
// of parts, only how many there are.
func (t *ConstraintTrace) String() string {
	var b strings.Builder
	t.write(&b, 2)
	return b.String()
}

func (t *ConstraintTrace) write(b *strings.Builder, levels int) {
	if t.full != nil {
		t = t.full
	}
	switch {
	case len(t.Parts) > 0 && levels == 0:
		fmt.Fprintf(b, "%s of %d constraints", t.Operator, len(t.Parts))
	case len(t.Parts) > 0:
		b.WriteString(t.Operator + " of")
		for i := range t.Parts {
			if i > 0 {
				b.WriteString(",")
			}
			if i == mostSaid {
				b.WriteString(" ...")
				break
			}
			b.WriteString(" (")
			t.Parts[i].write(b, levels-1)
			b.WriteString(")")
		}
	case t.LeftOperand != "":
		said := t.RightOperands[:min(len(t.RightOperands), mostSaid)]
		b.WriteString(t.LeftOperand + " " + t.Operator + " " + strings.Join(said, ", "))
		if len(said) < len(t.RightOperands) {
			b.WriteString(", ...")
		}
	default:
		b.WriteString(NodeName(t.Node, t.Place))
	}
	b.WriteString(" is " + t.State.String())
	switch {
	case t.Why != "":
		b.WriteString(": " + t.Why)
	case len(t.Values) > 0:
		b.WriteString(" with " + strings.Join(t.Values[:min(len(t.Values), mostSaid)], ", "))
	}
}
