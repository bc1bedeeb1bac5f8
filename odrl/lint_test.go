package odrl_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/odrl"
)

// TestLint has one policy with a fault on every line, and every fault is found
// with its place.
func TestLint(t *testing.T) {
	t.Parallel()
	const first = 9 // lines of prefixes before
	ttl := `ex:pol a odrl:Set ;
 odrl:profile ex:profile ;
 odrl:conflict ex:coin ;
 odrl:permission ex:p1 , ex:p2 ;
 odrl:prohibition ex:f1 .
ex:p1 odrl:action odrl:raed ;
 odrl:constrain ex:c1 ;
 odrl:target "x" ;
 odrl:constraint ex:c1 ;
 <http://example.com/duty> ex:d ;
 odrl:duty ex:d1 .
ex:p2 odrl:action odrl:copy ;
 odrl:target ex:doc ; odrl:assignee ex:bob ; odrl:constraint ex:l1 .
ex:f1 odrl:action odrl:read .
ex:c1 odrl:leftOperand odrl:purposes ;
 odrl:operator odrl:equals ;
 odrl:rightOperand [] .
ex:d1 odrl:action ex:pray .
ex:l1 odrl:or ( ex:c2 ) .
ex:c2 odrl:leftOperand odrl:dateTime ; odrl:operator odrl:lt ;
 odrl:rightOperand "2026-01-01T00:00:00"^^<http://www.w3.org/2001/XMLSchema#dateTime> .
ex:stray a odrl:Prohibition .
`
	want := []struct {
		line     int
		code     odrl.Code
		severity odrl.Severity
		mentions string
	}{
		{2, odrl.CodeUnknownProfile, odrl.Denies, "ns#profile"},
		{3, odrl.CodeUnknownConflict, odrl.Warning, "ns#coin"},
		{4, odrl.CodePublicPermission, odrl.Warning, ""},
		{5, odrl.CodeMissingTarget, odrl.Warning, "applies to all"},
		{6, odrl.CodeUnknownAction, odrl.Denies, "odrl:raed is not known (did you mean odrl:read?)"},
		{7, odrl.CodeUnknownProperty, odrl.Denies, "odrl:constrain is not known (did you mean odrl:constraint?)"},
		{8, odrl.CodeUnusableTarget, odrl.Denies, ""},
		{10, odrl.CodeIgnoredProperty, odrl.Warning, "is not odrl:duty"},
		{11, odrl.CodeUnknownDuty, odrl.Denies, "can never be fulfilled"},
		{12, odrl.CodeUnknownAction, odrl.Denies, "(ODRL 2.2 has odrl:reproduce)"},
		{13, odrl.CodeLogicalOperands, odrl.Denies, "at least two"},
		{15, odrl.CodeUnknownLeftOperand, odrl.Denies, "(did you mean odrl:purpose?)"},
		{16, odrl.CodeUnknownOperator, odrl.Denies, "odrl:equals"},
		{17, odrl.CodeUnusableRightOperand, odrl.Denies, "blank node"},
		{18, odrl.CodeUnknownAction, odrl.Denies, "ns#pray"},
		{21, odrl.CodeUnusableRightOperand, odrl.Denies, "time zone"},
		{22, odrl.CodeUnusedRule, odrl.Denies, "ns#stray"},
	}
	findings, err := odrl.Lint(parse(t, strings.ReplaceAll(ttl, "^^<http://www.w3.org/2001/XMLSchema#dateTime>", "^^xsd:dateTime")), odrl.CompileOptions{})
	require.NoError(t, err)
	for i, f := range findings {
		require.Less(t, i, len(want), "one more: %s", f.String())
		require.Equal(t, want[i].line, f.Place.Line-first+1, "%s", f.String())
		require.Equal(t, "p.ttl", f.Place.File)
		require.Equal(t, want[i].code, f.Code, f.String())
		require.Equal(t, want[i].severity, f.Severity, f.String())
		require.Contains(t, f.Message, want[i].mentions)
		require.NotEmpty(t, f.Term)
	}
	require.Len(t, findings, len(want))
}

func TestLintCases(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name    string
		ttl     string
		dialect odrl.Dialect
		codes   []odrl.Code
	}{
		{"nothing to say", permission(""), odrl.InformationModel, nil},
		{"without the profile", permission(""), odrl.DelegationProfile, []odrl.Code{odrl.CodeMissingProfile}},
		{"no policy", ``, odrl.InformationModel, []odrl.Code{odrl.CodeNoPolicy}},
		{"a blank policy", `[] a odrl:Set ; odrl:permission [ odrl:target ex:doc ; odrl:assignee ex:bob ; odrl:action odrl:read ] .`, odrl.InformationModel, []odrl.Code{odrl.CodePolicyNotIRI}},
		{"two policies, both looked at", permission("") + ` ex:pol2 a odrl:Set ; odrl:permission [ odrl:target ex:doc ; odrl:assignee ex:bob ; odrl:action ex:a ] .`, odrl.InformationModel, []odrl.Code{odrl.CodeUnknownAction}},
		{"a policy that does not compile beside one", permission("") + ` ex:pol2 a odrl:Set ; odrl:uid ex:pol3 .`, odrl.InformationModel, []odrl.Code{odrl.CodeUIDMismatch}},
		{"without rules", `ex:pol a odrl:Set .`, odrl.InformationModel, []odrl.Code{odrl.CodeNoRules}},
		{"a collection in the profile", permission(`. ex:doc odrl:source ex:s`), odrl.DelegationProfile, []odrl.Code{odrl.CodeMissingProfile, odrl.CodeCollection}},
		{"a refinement in the profile", permission(`. ex:doc odrl:refinement ex:r`), odrl.DelegationProfile, []odrl.Code{odrl.CodeMissingProfile, odrl.CodeRefinement}},
		{"an action refined in the profile", permission(`. odrl:read odrl:refinement ex:r`), odrl.DelegationProfile, []odrl.Code{odrl.CodeMissingProfile, odrl.CodeRefinement}},
		{"a deprecated action", permission("; odrl:action odrl:write"), odrl.InformationModel, []odrl.Code{odrl.CodeDeprecatedTerm}},
		{"a link to no policy, once", permission("") + ` ex:pol2 a odrl:Set ; odrl:permission [ odrl:target ex:doc ; odrl:assignee ex:bob ; odrl:action odrl:read ] . ex:doc odrl:hasPolicy ex:p . ex:bob odrl:assigneeOf ex:p .`, odrl.InformationModel, []odrl.Code{odrl.CodeAssignedFromOutside, odrl.CodeAssignedFromOutside}},
		{"two that no policy leads to, once each", permission("") + ` ex:pol2 a odrl:Set ; odrl:permission [ odrl:target ex:doc ; odrl:assignee ex:bob ; odrl:action odrl:read ] . [] odrl:action odrl:read . [] a odrl:Duty .`, odrl.InformationModel, []odrl.Code{odrl.CodeUnusedRule, odrl.CodeUnusedRule}},
		{"an action of ODRL that is included in another, once", permission("") + ` ex:pol2 a odrl:Set ; odrl:permission [ odrl:target ex:doc ; odrl:assignee ex:bob ; odrl:action odrl:read ] . odrl:print odrl:includedIn odrl:present .`, odrl.InformationModel, []odrl.Code{odrl.CodeMisplacedProperty}},
		{"a revocation, once", permission("") + ` ex:pol2 a odrl:Set ; odrl:permission [ odrl:target ex:doc ; odrl:assignee ex:bob ; odrl:action odrl:read ] . ex:r a odrld:Revocation ; odrld:revokedPolicy ex:p .`, odrl.InformationModel, []odrl.Code{odrl.CodeUnknownProperty}},
		{"an unused constraint", permission("") + compare("odrl:purpose", "eq", "ex:a"), odrl.InformationModel, []odrl.Code{odrl.CodeUnusedRule}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			findings, err := odrl.Lint(parse(t, row.ttl), odrl.CompileOptions{Dialect: row.dialect})
			require.NoError(t, err)
			var codes []odrl.Code
			for _, f := range findings {
				codes = append(codes, f.Code)
			}
			require.Equal(t, row.codes, codes)
		})
	}
	findings, err := odrl.Lint(parse(t, permission("")+` ex:pol2 a odrl:Set .`), odrl.CompileOptions{Policy: ex + "pol"})
	require.NoError(t, err)
	require.Empty(t, findings)
	findings, err = odrl.Lint(parse(t, permission("")), odrl.CompileOptions{Policy: ex + "none"})
	require.NoError(t, err)
	require.Equal(t, odrl.CodeNoPolicy, findings[0].Code)
}

// TestDeniesMeansDenies: for a rule that would permit, every finding of that
// severity about it comes with a denial, and without one it is permitted.
func TestDeniesMeansDenies(t *testing.T) {
	t.Parallel()
	for _, more := range []string{"", `; odrl:constrain ex:c`, `; a odrl:Duty`, `; dcterms:title "x"`, `. ex:pol odrl:profile ex:p`, `. ex:pol odrl:conflict ex:c`, `. ex:bob odrl:constraint ex:c`} {
		p := compileFor(t, permission(more), odrl.InformationModel)
		denies := slices.ContainsFunc(p.Findings(), func(f odrl.Finding) bool { return f.Severity == odrl.Denies })
		require.Equal(t, !denies, decide(t, p, ask()).Permitted(), more)
	}
}

func TestSupport(t *testing.T) {
	t.Parallel()
	model, profile := odrl.Support(odrl.InformationModel), odrl.Support(odrl.DelegationProfile)
	require.Len(t, model.Actions, 54)
	require.Len(t, model.LeftOperands, 32)
	require.Len(t, model.Operators, 12)
	require.Len(t, model.LogicalOperands, 4)
	require.Len(t, profile.Actions, 18)
	require.Len(t, profile.LeftOperands, 8)
	require.Len(t, profile.Operators, 9)
	require.Len(t, profile.LogicalOperands, 4)
	require.Equal(t, []string{core, core + "core", "https://w3id.org/jeswr/odrl-delegation"}, profile.Profiles)
	for _, a := range model.Actions {
		require.Contains(t, a.CoveredBy, a.Action)
		if a.Name != "" {
			require.Equal(t, a.Action, odrl.ActionIRI(a.Name))
		}
	}
	again, err := json.Marshal(odrl.Support(odrl.InformationModel))
	require.NoError(t, err)
	once, err := json.Marshal(model)
	require.NoError(t, err)
	require.Equal(t, once, again)
	require.Contains(t, string(once), `"leftOperands":["http://www.w3.org/ns/odrl/2/absolutePosition"`)
}

// TestCodes: every code has a text that fits in a message.
func TestCodes(t *testing.T) {
	t.Parallel()
	require.True(t, slices.IsSorted(odrl.Codes()))
	require.Len(t, odrl.Codes(), 66)
	for _, c := range odrl.Codes() {
		text := c.Text()
		require.NotEmpty(t, text)
		require.Equal(t, strings.TrimRight(text, "."), text)
		require.Equal(t, strings.ToLower(text[:1]), text[:1])
		require.Regexp(t, `^[a-z]+(-[a-z]+)*$`, string(c))
	}
	require.Empty(t, odrl.Code("x").Text())
}

// TestLintLimit: policies that inherit the same rules share one limit.
func TestLintLimit(t *testing.T) {
	t.Parallel()
	g := parse(t, permission("")+` ex:a a odrl:Set ; odrl:inheritFrom ex:pol . ex:b a odrl:Set ; odrl:inheritFrom ex:pol .
ex:pol odrl:permission ex:1, ex:2, ex:3, ex:4, ex:5, ex:6, ex:7, ex:8, ex:9 .`)
	_, err := odrl.Lint(g, odrl.CompileOptions{Limits: odrl.Limits{Rules: 30}})
	require.NoError(t, err)
	_, err = odrl.Lint(g, odrl.CompileOptions{Limits: odrl.Limits{Rules: 29}})
	var limit *odrl.LimitError
	require.ErrorAs(t, err, &limit)
	require.Equal(t, odrl.LimitRules, limit.Limit)

	// What policies share is looked at for each of them.
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for name, shared := range map[string]string{
		"constraints": "ex:r odrl:action odrl:read ; odrl:target ex:t" + many(40, " ; odrl:constraint [ odrl:leftOperand odrl:purpose ; odrl:operator odrl:eq ; odrl:rightOperand ex:%d ]"),
		"targets":     "ex:r odrl:action odrl:read ; odrl:target ex:t" + many(200, ", ex:%d"),
		"terms":       "ex:r odrl:action odrl:read ; odrl:target ex:t" + many(200, " ; odrl:x%d 1"),
		"a duty":      "ex:r odrl:action odrl:read ; odrl:target ex:t ; odrl:duty ex:d . ex:d odrl:action odrl:inform" + many(200, " ; odrl:x%d 1"),
		"a value":     "ex:r odrl:action [ rdf:value odrl:read ] ; odrl:target ex:t . odrl:read odrl:uid odrl:read" + many(200, " ; odrl:x%d 1"),
		"a policy":    "ex:r odrl:action odrl:read ; odrl:target ex:t . ex:base a odrl:Set ; odrl:permission ex:r" + many(200, " ; odrl:x%d 1"),
	} {
		link := "odrl:permission ex:r"
		if name == "a policy" {
			link = "odrl:inheritFrom ex:base"
		}
		for policies, holds := range map[int]bool{4: true, 15: name == "constraints" || name == "targets", 400: false} {
			g := parse(t, permission("")+many(policies, " ex:p%d a odrl:Set ; "+link+" .")+shared+" .")
			_, err := odrl.Lint(g, odrl.CompileOptions{Limits: odrl.Limits{Checks: 1_500}})
			if holds {
				require.NoError(t, err, name)
				continue
			}
			require.ErrorAs(t, err, &limit, name)
			require.Equal(t, odrl.LimitChecks, limit.Limit, name)
			_, err = odrl.Lint(g, odrl.CompileOptions{Policy: "http://example.org/ns#p0"})
			require.NoError(t, err, name)
		}
	}
}
