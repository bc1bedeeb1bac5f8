package odrl_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

const (
	exNS     = "http://example.org/"
	reportNS = "https://w3id.org/force/compliance-report#"
)

// A rule has at least one target, but those of the suite's policies 1 to 7 have none. In
// 25 cases there is a report on such a rule, and in 16 of them it is expected to be
// active. These rules contradict the Information Model (2.6.1 and 2.6.2: a permission and
// a prohibition each has one target), and an evaluator need not take the missing target
// for "everything":
//
//   - nine are permissions, which would permit everything: here a permission without a
//     target never applies (authz, 7.3 and 7.9), and these cases are not followed;
//   - seven are prohibitions, which here apply to everything, since what is not understood
//     counts against the requester (7.3). They are active, as the suite expects, and pass.
//
// The other nine of the 25 expect the rule to be inactive for another reason (the action
// or the assignee), and pass too. So 59 of the 68 are followed; an evaluator that let
// prohibitions without a target apply to nothing would follow 52.

// notFollowed are the nine cases with a permission without a target that is expected to
// be active.
var notFollowed = []string{
	"001", "002", "003", // "everybody can do everything": neither target nor action
	"007", "008", "009", "015", // "everybody can use", "Alice can use everything"
	"021", "023", // "Alice can read everything"
}

// followedAll are the seven cases with a prohibition without a target that is expected to
// be active.
var followedAll = []string{
	"004", "005", "006", // "nobody can do anything": neither target nor action
	"011", "012", "013", // "nobody can use"
	"019", // "Bob explicitly use nothing"
}

// TestODRLTestSuite runs the evaluator over the SolidLab ODRL test suite. Our
// result is mapped onto the suite's report: a rule is active when all its
// premises hold and none of its duties is violated, and each premise that the
// report names has the same state.
func TestODRLTestSuite(t *testing.T) {
	t.Parallel()
	dir := suite.Dir(t, "odrl-test-suite")
	policies := suiteFiles(t, dir, "policies", 21)
	requests := suiteFiles(t, dir, "requests", 8)
	worlds := suiteFiles(t, dir, "sotw", 12)
	files, err := filepath.Glob(filepath.Join(dir, "test_cases", "testcase-*.ttl"))
	require.NoError(t, err)
	require.Len(t, files, 68)

	var passed, refused, targetless, forbidden []string
	checks := 0
	for _, file := range files {
		number, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(file), "testcase-"), "-")
		c := newSuiteCase(t, file, policies, requests, worlds)
		faults, n := c.run(t)
		checks += n
		if prohibition, active := c.withoutTarget(policies); active && prohibition {
			forbidden = append(forbidden, number)
		} else if active {
			targetless = append(targetless, number)
		}
		if len(faults) == 0 {
			passed = append(passed, number)
			continue
		}
		refused = append(refused, number)
		if !slices.Contains(notFollowed, number) {
			t.Errorf("case %s (%s): %s", number, c.title, strings.Join(faults, "; "))
		}
	}
	// With fewer cases or states, something was not read.
	assert.Len(t, passed, 59)
	assert.Equal(t, notFollowed, refused, "a case that contradicts the Information Model passes, or another one fails")
	assert.Equal(t, 2622, checks)
	assert.Equal(t, notFollowed, targetless, "what is not followed has that reason, and no other")
	assert.Equal(t, followedAll, forbidden)
	for _, number := range followedAll {
		assert.Contains(t, passed, number)
	}
}

// withoutTarget reports whether the rule of a case has no target and is expected to be
// active, and whether it is a prohibition.
func (c *suiteCase) withoutTarget(policies map[string]graph) (prohibition, active bool) {
	rule := c.report.value(c.rule, reportNS+"rule")
	for _, g := range policies {
		d := g.Dataset()
		if d.LookupIRI(rule) == 0 || len(g.values(rule, vocab.RDFType)) == 0 {
			continue
		}
		prohibition = g.value(rule, vocab.RDFType) == vocab.ODRL+"Prohibition"
		active = len(g.values(rule, vocab.ODRLTarget)) == 0
	}
	return prohibition, active && c.report.value(c.rule, reportNS+"activationState") == reportNS+"Active"
}

// graph is a file of the suite.
type graph struct{ rdf.Graph }

func load(t *testing.T, file string) graph {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	d, err := turtle.Parse(data, turtle.Options{Limits: rdf.Local()})
	require.NoError(t, err, file)
	return graph{d.Default()}
}

// suiteFiles loads a folder and finds its files by every subject.
func suiteFiles(t *testing.T, dir, folder string, want int) map[string]graph {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, folder, "*.ttl"))
	require.NoError(t, err)
	require.Len(t, files, want, folder)
	found := map[string]graph{}
	for _, file := range files {
		g := load(t, file)
		for q := range g.All().Quads() {
			if iri := g.Dataset().Value(q.S); strings.HasPrefix(iri, "urn:uuid:") {
				found[iri] = g
			}
		}
	}
	return found
}

// values returns the objects of a property of an IRI, as IRIs or lexical forms.
func (g graph) values(subject, property string) []string {
	d := g.Dataset()
	var vs []string
	for q := range g.Objects(d.LookupIRI(subject), d.LookupIRI(property)).Quads() {
		vs = append(vs, d.Value(q.O))
	}
	return vs
}

func (g graph) value(subject, property string) string {
	if vs := g.values(subject, property); len(vs) == 1 {
		return vs[0]
	}
	return ""
}

// subjects returns the subjects that have a value of a property.
func (g graph) subjects(property, value string) []string {
	d := g.Dataset()
	var ss []string
	for q := range g.Subjects(d.LookupIRI(property), d.LookupIRI(value)).Quads() {
		ss = append(ss, d.Value(q.S))
	}
	return ss
}

// suiteCase is one test case.
type suiteCase struct {
	title   string
	report  graph
	rule    string // the rule report
	policy  *odrl.Policy
	request odrl.Request
}

func newSuiteCase(t *testing.T, file string, policies, requests, worlds map[string]graph) suiteCase {
	t.Helper()
	g := load(t, file)
	cases := g.subjects(vocab.RDFType, exNS+"TestCase")
	require.Len(t, cases, 1, file)
	id := cases[0]
	c := suiteCase{title: g.value(id, "http://purl.org/dc/terms/title"), report: g}
	c.rule = g.value(g.value(id, exNS+"expectedReport"), reportNS+"ruleReport")
	require.NotEmpty(t, c.rule, file)

	policy := g.value(id, exNS+"policy")
	p, err := odrl.Compile(policies[policy].Graph, odrl.CompileOptions{Policy: policy})
	require.NoError(t, err)
	c.policy = p

	request := g.value(id, exNS+"request")
	requested := requests[request].value(request, vocab.ODRLPermission)
	c.request = odrl.Request{
		Agent:  requests[request].value(requested, vocab.ODRLAssignee),
		Action: requests[request].value(requested, vocab.ODRLAction),
		Target: requests[request].value(requested, vocab.ODRLTarget),
		MemberOf: map[string][]string{
			// The state of the world is complete: what it does not say is false.
			exNS + "alice": {}, exNS + "bob": {}, exNS + "x": {}, exNS + "y": {},
		},
	}
	world := worlds[g.value(id, exNS+"sotw")]
	c.request.Now, err = time.Parse(time.RFC3339, world.value("http://example.com/request/currentTime", "http://purl.org/dc/terms/issued"))
	require.NoError(t, err)
	for member := range c.request.MemberOf {
		c.request.MemberOf[member] = world.values(member, vocab.ODRLPartOf)
	}
	// The state of the world names duties by their rules; here all have the same action.
	for _, state := range []string{"Fulfilled", "Violated"} {
		if len(world.subjects(reportNS+"deonticState", reportNS+state)) > 0 {
			c.request.Attributes = map[string][]odrl.Value{"fulfilled:compensate": {odrl.Boolean(state == "Fulfilled")}}
		}
	}
	return c
}

// run evaluates the case and returns what differs from the report, and how many
// states were compared.
func (c *suiteCase) run(t *testing.T) (faults []string, checks int) {
	t.Helper()
	d, trace := c.policy.Explain(&c.request)
	assert.Equal(t, d.Permitted(), c.policy.Evaluate(&c.request).Permitted())
	node := "<" + c.report.value(c.rule, reportNS+"rule") + ">"
	i := slices.IndexFunc(trace.Rules, func(r odrl.RuleTrace) bool { return r.Node == node })
	if i < 0 {
		return []string{"no rule " + node}, 0
	}
	rule := trace.Rules[i]
	active := rule.Applies
	for _, duty := range rule.Duties {
		active = active && !duty.Violated
	}
	compare := func(what string, want, got bool) {
		checks++
		if want != got {
			faults = append(faults, what)
		}
	}
	compare("activation", c.report.value(c.rule, reportNS+"activationState") == reportNS+"Active", active)
	for _, premise := range c.report.values(c.rule, reportNS+"premiseReport") {
		want := c.report.value(premise, reportNS+"satisfactionState") == reportNS+"Satisfied"
		switch c.report.value(premise, vocab.RDFType) {
		case reportNS + "TargetReport":
			compare("target", want, rule.Target.State == odrl.Satisfied)
		case reportNS + "PartyReport":
			compare("party", want, rule.Assignee.State == odrl.Satisfied)
		case reportNS + "ActionReport":
			compare("action", want, rule.Action.State == odrl.Satisfied)
		case reportNS + "ConstraintReport":
			c.constraint(premise, rule.Constraints, compare)
		case "":
			// Cases 065 to 068 name premises that they do not describe.
		default:
			faults = append(faults, "a premise of another kind")
		}
	}
	return faults, checks
}

func (c *suiteCase) constraint(report string, ks []odrl.ConstraintTrace, compare func(string, bool, bool)) {
	node := "<" + c.report.value(report, reportNS+"constraint") + ">"
	i := slices.IndexFunc(ks, func(k odrl.ConstraintTrace) bool { return k.Node == node })
	if i < 0 {
		compare("constraint "+node+" is missing", true, false)
		return
	}
	want := c.report.value(report, reportNS+"satisfactionState") == reportNS+"Satisfied"
	compare("constraint "+node, want, ks[i].State == odrl.Satisfied)
	for _, part := range c.report.values(report, reportNS+"premiseReport") {
		if c.report.value(part, vocab.RDFType) != "" {
			c.constraint(part, ks[i].Parts, compare)
		}
	}
}
