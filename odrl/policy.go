package odrl

import (
	"iter"
	"slices"

	"github.com/rdfproto/rdfproto/rdf"
)

// Policy is a policy as it was compiled. It is immutable and safe for
// concurrent use; it keeps the memory of the dataset that it was read from. The
// nil and the zero Policy permit nothing.
type Policy struct {
	iri     string
	limits  Limits // of its traces
	kind    string // the IRI of its class, "" without one
	dialect Dialect
	// refused says why the policy permits nothing, if it does.
	refused *Finding

	profiles       []string
	assigner       string // of the policy itself, when there is exactly one
	assignee       string
	delegatedUnder string
	conflict       conflict

	rules       []*Rule // permissions and prohibitions, each in document order
	obligations []*Duty
	partOf      map[string][]string // what the policy says is part of what
	byTarget    map[string][]int32  // rules by plain target; nil when there are few
	open        []int32             // rules that byTarget does not find
	findings    []Finding
	over        []string // what its graph says is over, sorted

	shared int // constraints that more than one thing leads to

	steps int // of one evaluation, without those of pairs
	pairs int // right operands that each value of an attribute is compared with
}

// IRI returns the policy's identifier.
func (p *Policy) IRI() string { return p.iri }

// Type returns the IRI of the policy's class, "" when it has none and is a Set
// (2.1.1).
func (p *Policy) Type() string { return p.kind }

// Dialect returns the dialect that the policy was compiled for.
func (p *Policy) Dialect() Dialect { return p.dialect }

// Profiles returns the profiles that the policy says it follows, sorted.
func (p *Policy) Profiles() []string { return slices.Clone(p.profiles) }

// Assigner returns the policy's own assigner, "" unless it has exactly one that
// is an IRI.
func (p *Policy) Assigner() string { return p.assigner }

// Assignee returns the policy's own assignee, "" unless it has exactly one that
// is an IRI.
func (p *Policy) Assignee() string { return p.assignee }

// DelegatedUnder returns the policy that this one says it is delegated under,
// "" if none. Only [DelegationProfile] reads it.
func (p *Policy) DelegatedUnder() string { return p.delegatedUnder }

// Refused returns the finding that makes the policy permit nothing, and whether
// there is one.
func (p *Policy) Refused() (Finding, bool) {
	if p.refused == nil {
		return Finding{}, false
	}
	return *p.refused, true
}

// Over reports whether the graph of the policy says of another one that it is over, for
// callers that decide by more than one: that it is replaced or withdrawn, or anything else
// for which it would be refused if it said so itself.
func (p *Policy) Over(other string) bool {
	if p == nil || other == p.iri {
		return false
	}
	_, over := slices.BinarySearch(p.over, other)
	return over
}

// Rules returns the permissions and then the prohibitions, each in the order of
// the document.
func (p *Policy) Rules() iter.Seq[*Rule] { return slices.Values(p.rules) }

// Steps returns about how many steps an evaluation of a request takes at most, for
// callers that bound those of many: rules, their actions, targets and assignees, duties,
// constraints and what they are compared with, long values of the request, and the
// statements of odrl:partOf. A step takes some tens of nanoseconds.
func (p *Policy) Steps(r *Request) int {
	if p == nil {
		return 0
	}
	const each = 32 // bytes of a value, which is read as a number, an instant or a duration
	values, bytes := 0, 0
	for _, vs := range r.Attributes {
		vs = vs[:min(len(vs), maxValues)]
		values = max(values, len(vs))
		for i := range vs {
			bytes += len(vs[i].text)
		}
	}
	return p.steps + p.pairs*values + bytes/each
}

// Findings returns everything in the policy that is not understood or worth
// mentioning, in the order in which it was found.
func (p *Policy) Findings() []Finding { return slices.Clone(p.findings) }

// RuleKind says what a rule does.
type RuleKind uint8

// The kinds of rules (2.6), apart from duties, which have a type of their own.
const (
	Permission RuleKind = iota
	Prohibition
)

// String returns the name of the kind in lower case.
func (k RuleKind) String() string {
	if k == Prohibition {
		return "prohibition"
	}
	return "permission"
}

// MarshalText returns the text of [RuleKind.String].
func (k RuleKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Rule is a permission or a prohibition as it was compiled. A rule with several
// actions, targets or assignees stands for all combinations of them (2.7).
// Rules are immutable.
type Rule struct {
	kind  RuleKind
	index int
	node  string // in N-Triples syntax
	id    string // its IRI or uid, "" without one
	place rdf.Place
	// flaw makes the whole rule unknown: a property that is not understood, a
	// literal in the place of a rule.
	flaw *Finding

	actions     []actionRef
	targets     []memberRef
	assignees   []memberRef
	anyAssignee bool // there is none, neither here nor on the policy
	constraints []*constraint
	duties      []*Duty // of a permission
	remedies    []*Duty // of a prohibition, for the trace alone
	depth       DepthBound
}

// Kind returns Permission or Prohibition.
func (r *Rule) Kind() RuleKind { return r.kind }

// ID returns the rule's IRI or uid, "" without one.
func (r *Rule) ID() string { return r.id }

// Node returns the rule's node in N-Triples syntax.
func (r *Rule) Node() string { return r.node }

// Place returns where the policy names the rule, as far as places were kept.
func (r *Rule) Place() rdf.Place { return r.place }

// Duties returns the duties of a permission, one for each combination of a
// duty's actions and targets.
func (r *Rule) Duties() []*Duty { return slices.Clone(r.duties) }

// HasAction reports whether the rule names an action itself, without a refinement.
// An action that covers it does not count.
func (r *Rule) HasAction(iri string) bool {
	for i := range r.actions {
		if a := &r.actions[i]; a.problem == nil && len(a.refinements) == 0 && actions[a.action].iri == iri {
			return true
		}
	}
	return false
}

// HasAssignee reports whether the rule, or else its policy, names a party by
// its IRI as an assignee.
func (r *Rule) HasAssignee(iri string) bool {
	for i := range r.assignees {
		if m := &r.assignees[i]; m.problem == nil && m.iri == iri && len(m.refinements) == 0 {
			return true
		}
	}
	return false
}

// DepthBound says how a rule bounds odrld:delegationDepth.
type DepthBound uint8

const (
	// DepthUnbounded: no constraint mentions it, so that the profile's default
	// of one applies (4.1).
	DepthUnbounded DepthBound = iota
	// DepthBounded: all constraints that mention it bound it from above (lteq, lt or
	// eq with one non-negative integer).
	DepthBounded
	// DepthOther: a constraint mentions it in another way, which bounds nothing (7.6).
	DepthOther
)

// Depth returns how the rule bounds the delegation depth.
func (r *Rule) Depth() DepthBound { return r.depth }

// Duty is one action to perform, as it was compiled.
type Duty struct {
	node        string
	id          string
	place       rdf.Place
	action      actionRef
	target      string
	constraints []*constraint
	flaw        *Finding
	// The names of the attribute that says whether it was fulfilled.
	shortKey, key string
	consequences  []*Duty
}

// Action returns the IRI of the duty's action, "" when it has none or one that
// is not known.
func (d *Duty) Action() string { return actions[d.action.action].iri }

// Target returns the IRI of the duty's own target, or its uid, "" when it has neither.
func (d *Duty) Target() string { return d.target }

// ID returns the duty's IRI or uid, "" without one.
func (d *Duty) ID() string { return d.id }

// actionRef is one action of a rule: an action, or one that refinements narrow.
type actionRef struct {
	action      action
	label       label
	problem     *Finding
	refinements []*constraint
	place       rdf.Place
}

// memberRef is one target or assignee of a rule: an asset or party, or a
// collection of them.
type memberRef struct {
	iri         string // "" when the collection is known by its source alone
	source      string
	label       label
	collection  bool // declared as one
	elsewhere   bool // declared as one at another node, which counts for prohibitions
	problem     *Finding
	refinements []*constraint
	narrower    []*constraint // refinements of the source itself, which count for permissions
}

// label is the name of a term in a trace. Its text is made when it is asked for: most
// policies are never traced.
type label struct {
	term rdf.Term
	text string // in its place, "" for none
}

func (l *label) String() string {
	if l.text != "" {
		return l.text
	}
	return shortTerm(l.term)
}

// plain reports whether the reference is to one IRI and nothing else.
func (m *memberRef) plain() bool {
	return m.problem == nil && !m.collection && !m.elsewhere && m.source == "" && len(m.refinements) == 0
}

// conflict is the strategy for conflicts (2.10).
type conflict uint8

const (
	conflictDefault conflict = iota // none is set: as invalid
	conflictPerm
	conflictProhibit
	conflictInvalid
	conflictUnknown // one that is not known, or two
)

// String returns the name of the strategy.
func (c conflict) String() string {
	return [...]string{"invalid (default)", "perm", "prohibit", "invalid", "unknown"}[c]
}
