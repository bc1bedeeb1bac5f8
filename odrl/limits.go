package odrl

import (
	"fmt"

	"github.com/rdfproto/rdfproto/rdf"
)

// Limits bounds what compiling and evaluating one policy may cost. Every number
// is a maximum that is still accepted; one more is a [*LimitError] of
// [Compile]. A number that is not positive means that of [DefaultLimits], so
// that the zero Limits are safe for policies that came from someone else.
type Limits struct {
	Rules  int // permissions, prohibitions and duties; a duty counts once for each pair of its actions and targets
	List   int // values of one list, or of one property of one node
	Checks int // constraints and inherited values that evaluating every rule once looks at, and items of lists; shared ones count each time
	// TraceEntries and TraceBytes bound what is said of one policy, see [Trace]: rules,
	// duties and constraints, and their texts. What does not fit is left out and counted,
	// and the decision is the same.
	TraceEntries int
	TraceBytes   int
}

// DefaultLimits returns the limits for policies that came from someone else.
func DefaultLimits() Limits {
	return Limits{
		Rules:        10_000,  // a policy document of 10,000 triples holds fewer
		List:         1_000,   // days of a year, countries of the world
		Checks:       100_000, // some milliseconds; a calendar of a year needs 1,000
		TraceEntries: 10_000,
		TraceBytes:   1 << 20, // nobody reads more
	}
}

func (l Limits) orDefault() Limits {
	d := DefaultLimits()
	if l.Rules > 0 {
		d.Rules = l.Rules
	}
	if l.List > 0 {
		d.List = l.List
	}
	if l.TraceEntries > 0 {
		d.TraceEntries = l.TraceEntries
	}
	if l.TraceBytes > 0 {
		d.TraceBytes = l.TraceBytes
	}
	if l.Checks > 0 {
		d.Checks = min(l.Checks, maxChecks)
	}
	return d
}

// maxChecks is the most that Limits.Checks can say: days of work, and far below
// where the count itself would overflow.
const maxChecks = 1 << 30

// MaxNesting is how deep constraints may be nested, the outermost being level
// one: a logical constraint that is deeper is unknown (7.5). People write two.
const MaxNesting = 8

// maxInheritance is how many policies may inherit from each other in a row.
const maxInheritance = 8

// maxValues is how many values of one attribute a constraint compares; an
// attribute with more is unknown. With Limits.List it bounds one comparison.
const maxValues = 256

// LimitName names a field of [Limits].
type LimitName string

// The names of the limits.
const (
	LimitRules  LimitName = "policy-rules"
	LimitList   LimitName = "policy-list"
	LimitChecks LimitName = "policy-checks"
)

// LimitError says which limit a policy reached. It is a refusal, never a
// shorter policy.
type LimitError struct {
	Limit LimitName
	Max   int
	Place rdf.Place
}

// Error returns the place and the limit in words.
func (e *LimitError) Error() string {
	words := map[LimitName]string{
		LimitRules:  "rules of a policy",
		LimitList:   "values of a property or list",
		LimitChecks: "constraint checks of a policy",
	}
	s := fmt.Sprintf("limit of %d %s exceeded", e.Max, words[e.Limit])
	if p := e.Place.String(); p != "" {
		return p + ": " + s
	}
	return s
}
