package odrl

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
)

// Lint returns everything in the policies of a graph that will deny or is worth
// mentioning, sorted by place. What [Compile] refuses with a [*CompileError] is a
// finding like others; a limit that is reached is a [*LimitError] here too, since the
// list would be cut short. [Limits.Rules] holds for all policies together, and so does five
// times [Limits.Checks], where the graph does not have more triples; each triple that a
// policy leads to counts as a check. [Limits.Checks] also bounds the list. With
// CompileOptions.Policy it looks at one policy.
func Lint(g rdf.Graph, o CompileOptions) ([]Finding, error) {
	var findings []Finding
	c := newCompiler(g, o)
	whole := c.about()
	nodes := whole.policies
	if o.Policy != "" || len(nodes) == 0 {
		node, err := c.choose(o.Policy)
		if err != nil {
			return lintError(nil, err)
		}
		nodes = []rdf.ID{node}
	}
	// Policies that inherit the same rules look at them once each, and so do those that share
	// a rule, a constraint or a target. Without that all policies together have fewer rules
	// than the graph has triples, and look at each triple once. One that is looked at counts
	// as a check, of which there may be several times those of one policy: it takes a
	// microsecond, and thousands of agreements inherit one licence. What is found is kept.
	rules, mostRules := 0, max(c.limits.Rules, g.All().Len())
	checks, mostChecks := 0, max(5*c.limits.Checks, 2*g.All().Len())
	mostFindings := max(c.limits.Checks, 2*g.All().Len())
	written := map[rdf.Term]string{}
	for _, node := range nodes {
		c := newCompiler(g, o)
		c.whole, c.written = whole, written
		if len(findings) > mostFindings {
			return nil, &LimitError{LimitChecks, mostFindings, c.subjectPlace(node)}
		}
		if checks += c.looksAt(node, mostChecks-checks); checks > mostChecks {
			return nil, &LimitError{LimitChecks, mostChecks, c.subjectPlace(node)}
		}
		if c.d.Kind(node) != rdf.KindIRI {
			f := c.find(CodePolicyNotIRI, node, c.d.Term(node), c.subjectPlace(node), "a policy must be identified by an IRI, this one is a blank node")
			findings = append(findings, *f)
			c.p = &Policy{}
		}
		p, err := c.compile(node)
		if rules += c.rules; rules > mostRules {
			return nil, &LimitError{LimitRules, mostRules, c.subjectPlace(node)}
		}
		if checks += c.checks; checks > mostChecks {
			return nil, &LimitError{LimitChecks, mostChecks, c.subjectPlace(node)}
		}
		if err != nil {
			var e error
			if findings, e = lintError(findings, err); e != nil {
				return nil, e
			}
			continue
		}
		for _, f := range p.findings {
			if c.outer == nil || f != *c.outer { // all of them below, once
				findings = append(findings, f)
			}
		}
		for _, r := range p.rules {
			for _, d := range slices.Concat(r.duties, r.remedies) {
				findings = appendDuty(findings, p, d)
			}
		}
		for _, d := range p.obligations {
			findings = appendDuty(findings, p, d)
		}
	}
	for _, q := range whole.loose {
		findings = append(findings, *c.looseLink(q))
	}
	for _, id := range whole.strays {
		findings = append(findings, *c.stray(id))
	}
	if whole.revokes != nil {
		findings = append(findings, *c.revocation(*whole.revokes))
	}
	if whole.includes != nil {
		findings = append(findings, *c.inclusion(*whole.includes))
	}
	slices.SortStableFunc(findings, compareFindings)
	return slices.CompactFunc(findings, func(a, b Finding) bool { return a == b }), nil
}

// looksAt returns how many triples the nodes have that compiling a policy looks at, or more
// than most when there are more.
func (c *compiler) looksAt(policy rdf.ID, most int) int {
	n, seen := 0, map[rdf.ID]bool{policy: true}
	for todo := []rdf.ID{policy}; len(todo) > 0 && n <= most; {
		about := c.g.Subject(todo[len(todo)-1])
		todo = todo[:len(todo)-1]
		n += about.Len()
		for q := range about.Quads() {
			if p, ok := c.known(q.P); ok && (p.leads() || p == propInheritFrom || p == propValue) && !seen[q.O] {
				seen[q.O] = true
				todo = append(todo, q.O)
			}
		}
	}
	return n
}

// lintError turns an error of Compile into a finding, if it is about the
// policy.
func lintError(findings []Finding, err error) ([]Finding, error) {
	if e, ok := errors.AsType[*CompileError](err); ok {
		return append(findings, e.Finding), nil
	}
	return nil, err
}

func appendDuty(findings []Finding, p *Policy, d *Duty) []Finding {
	f := d.problem()
	if f == nil {
		return findings
	}
	return append(findings, Finding{
		Code: CodeUnknownDuty, Severity: Denies, Policy: p.iri, Node: d.node, Term: f.Term, Place: d.place,
		Message: "the duty can never be fulfilled: " + f.Message,
	})
}

// compareFindings orders by place; findings without one come first.
func compareFindings(a, b Finding) int {
	return cmp.Or(strings.Compare(a.Place.File, b.Place.File), cmp.Compare(a.Place.Line, b.Place.Line), cmp.Compare(a.Place.Column, b.Place.Column))
}
