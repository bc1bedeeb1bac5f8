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
// list would be cut short. With CompileOptions.Policy it looks at one policy.
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
	// Policies that inherit the same rules look at them once each. Without inheritance
	// all policies together have fewer rules than the graph has triples.
	rules, most := 0, max(c.limits.Rules, g.All().Len())
	for _, node := range nodes {
		c := newCompiler(g, o)
		c.whole = whole
		if c.d.Kind(node) != rdf.KindIRI {
			f := c.find(CodePolicyNotIRI, node, c.d.Term(node), c.subjectPlace(node), "a policy must be identified by an IRI, this one is a blank node")
			findings = append(findings, *f)
			c.p = &Policy{}
		}
		p, err := c.compile(node)
		if rules += c.rules; rules > most {
			return nil, &LimitError{LimitRules, most, c.subjectPlace(node)}
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
	slices.SortStableFunc(findings, compareFindings)
	return slices.CompactFunc(findings, func(a, b Finding) bool { return a == b }), nil
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
