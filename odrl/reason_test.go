package odrl_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

// TestReasons has what a person reads about a request that is not permitted.
func TestReasons(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name    string
		ttl     string
		request *odrl.Request
		codes   []odrl.Code
		says    []string
	}{
		{"permitted", permission(""), ask(), []odrl.Code{permitted}, []string{"the permission <http://example.org/ns#perm> applies"}},
		{"another action", permission(""), ask(action("print")), []odrl.Code{noPermission, noPermission}, []string{"no permission of the policy applies", "its action is odrl:read"}},
		{"another target", permission(""), ask(target(ex + "x")), []odrl.Code{noPermission, noPermission}, []string{"", "its target is <http://example.org/ns#doc>"}},
		{"another party", permission(""), ask(agent(ex + "x")), []odrl.Code{noPermission, noPermission}, []string{"", "its assignee is <http://example.org/ns#bob>"}},
		{"a constraint", permission(`; odrl:constraint ex:c`) + compare("odrl:dateTime", "lt", `"2026-06-01T12:00:00Z"^^xsd:dateTime`), ask(), []odrl.Code{noPermission, noPermission}, []string{"", `the constraint dateTime lt "2026-06-01T12:00:00Z"^^xsd:dateTime is unsatisfied with 2026-06-01T12:00:00Z`}},
		{"an operand without a value", permission(`; odrl:constraint ex:c`) + compare("odrl:purpose", "eq", `ex:a`), ask(), []odrl.Code{noPermission, odrl.CodeMissingValue}, []string{"", "the constraint purpose eq <http://example.org/ns#a> is unknown: the request has no value for the left operand"}},
		{"in a logical constraint", permission(`; odrl:constraint ex:d . ex:d odrl:and ( ex:c ex:e )`) + compare("odrl:purpose", "eq", `ex:a`), ask(), []odrl.Code{noPermission, odrl.CodeMissingValue}, []string{"", "the constraint and of (purpose eq"}},
		{"no action", `ex:pol a odrl:Set ; odrl:permission [ odrl:target ex:doc ] .`, ask(), []odrl.Code{noPermission, odrl.CodeMissingAction}, []string{"", "the permission has no action"}},
		{"a literal as action", `ex:pol a odrl:Set ; odrl:permission [ odrl:target ex:doc ; odrl:action "read" ] .`, ask(), []odrl.Code{noPermission, odrl.CodeUnusableAction}, []string{"", `the literal "read" is not an action`}},
		{"a literal as assignee", permission("; odrl:assignee \"x\""), ask(agent(ex + "x")), []odrl.Code{noPermission, odrl.CodeUnusableAssignee}, []string{"", "is a literal"}},
		{"an agreement for nobody", `ex:pol a odrl:Agreement ; odrl:permission [ odrl:target ex:doc ; odrl:action odrl:read ] .`, ask(), []odrl.Code{noPermission, odrl.CodeMissingAssignee}, []string{"", "needs an assignee"}},
		{"an undeclared collection", `ex:pol a odrl:Set ; odrl:permission [ odrl:target ex:all ; odrl:action odrl:read ] .`, ask(member(ex+"doc", ex+"all")), []odrl.Code{noPermission, noPermission}, []string{"", "the policy does not declare a collection"}},
		{"a refinement", `ex:pol a odrl:Set ; odrl:permission [ odrl:target ex:doc ; odrl:action [ rdf:value odrl:read ; odrl:refinement ex:c ] ] .` + compare("odrl:purpose", "eq", `ex:a`), ask(), []odrl.Code{noPermission, odrl.CodeMissingValue}, []string{"", "the refinement purpose eq"}},
		{"prohibited", `ex:pol a odrl:Set ; odrl:prohibition ex:proh . ex:proh odrl:target ex:doc ; odrl:action odrl:use .`, ask(), []odrl.Code{prohibited}, []string{"the prohibition <http://example.org/ns#proh> applies"}},
		{"in doubt", prohibition(`; odrl:constraint ex:c`) + compare("odrl:purpose", "eq", `ex:a`), ask(), []odrl.Code{conflicting}, []string{"applies because it cannot be ruled out (the constraint purpose eq"}},
		{"a conflict", prohibition(""), ask(), []odrl.Code{conflicting}, []string{"and so does a permission; strategy: invalid (default)"}},
		{"a duty", permission(`; odrl:duty [ odrl:action odrl:compensate ; odrl:target ex:fund ]`), ask(), []odrl.Code{odrl.CodeDutyOpen}, []string{"has an open duty: odrl:compensate of <http://example.org/ns#fund>"}},
		{"a duty not done", permission(`; odrl:duty [ odrl:action odrl:compensate ]`), ask(with("fulfilled:compensate", odrl.Boolean(false))), []odrl.Code{odrl.CodeDutyOpen}, []string{"odrl:compensate was not done"}},
		{"a duty that is not understood", permission(`; odrl:duty [ odrl:action ex:pray ]`), ask(), []odrl.Code{odrl.CodeDutyOpen}, []string{"a duty that is not understood (the action is not known)"}},
		{"a refused policy", permission(`. ex:pol odrl:profile ex:p`), ask(), []odrl.Code{odrl.CodeUnknownProfile}, []string{"the policy permits nothing: the profile <http://example.org/ns#p> is not known"}},
		{"no target", permission(""), ask(target("")), []odrl.Code{odrl.CodeRequestIncomplete}, []string{"the request has no target"}},
		{"no action", permission(""), ask(action("")), []odrl.Code{odrl.CodeRequestIncomplete}, []string{"the request has no action"}},
		{"an unknown requested action", permission(""), ask(action(ex + "view")), []odrl.Code{noPermission, odrl.CodeUnknownAction}, []string{"", "the requested action <http://example.org/ns#view> is not known"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d := decide(t, compileFor(t, row.ttl, odrl.InformationModel), row.request)
			require.Len(t, d.Reasons, len(row.codes), "%v", d.Reasons)
			for i, r := range d.Reasons {
				require.Equal(t, row.codes[i], r.Code, r.Message)
				require.Contains(t, r.Message, row.says[i])
				require.Contains(t, r.String(), "["+string(r.Code)+"]")
			}
		})
	}
	// A reason is short, however wide and deep a constraint is.
	var deep strings.Builder
	deep.WriteString(permission(`; odrl:constraint ex:n1`))
	for i := 1; i < 8; i++ {
		fmt.Fprintf(&deep, "ex:n%d odrl:and ( ex:T ex:U ex:T2 ex:U2 ex:n%d ) .\n", i, i+1)
	}
	deep.WriteString("ex:n8 odrl:leftOperand odrl:purpose ; odrl:operator odrl:isAnyOf ; odrl:rightOperand 1, 2, 3, 4, 5, 6, 7 .\n")
	d := decide(t, compileFor(t, withParts(deep.String()), odrl.InformationModel), ask())
	require.Less(t, len(d.Reasons[1].Message), 1500)
	require.Contains(t, d.Reasons[1].Message, "...")

	many := compileFor(t, "ex:pol a odrl:Set .\n"+strings.Repeat("ex:pol odrl:permission [ odrl:target ex:doc ; odrl:action odrl:print ] .\n", 12), odrl.InformationModel)
	require.Len(t, decide(t, many, ask()).Reasons, 8, "the rest is in the trace")
}

// TestConcurrentUse: many goroutines can evaluate one policy.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	p := compileFor(t, thousandRules(), odrl.InformationModel)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			r := ask(target(fmt.Sprintf("%sd%d", ex, 10*i)), with("purpose", text(ex+"research")), member(ex+"d0"))
			for range 20 {
				if !p.Evaluate(r).Permitted() {
					t.Error("not permitted")
				}
			}
			if d, _ := p.Explain(r); !d.Permitted() {
				t.Error("not permitted when explained")
			}
		})
	}
	wg.Wait()
}

// TestNodeNames: a blank node is named by its line when its place is known, and otherwise
// by the label that the reader of the file gave it.
func TestNodeNames(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		node string
		line int
		want string
	}{
		{"_:b0", 3, "at line 3"}, {"_:b0", 0, "_:b0"}, {"<http://www.w3.org/ns/odrl/2/read>", 3, "odrl:read"}, {"<urn:a>", 0, "<urn:a>"},
	} {
		require.Equal(t, row.want, odrl.NodeName(row.node, rdf.Place{Line: row.line}))
	}
	const policy = prefixes + `ex:pol a odrl:Set ;
 odrl:permission [ odrl:target ex:doc ; odrl:action odrl:read ; odrl:constraint [ odrl:leftOperand odrl:count ; odrl:operator odrl:lt ; odrl:rightOperand [] ] ] ;
 odrl:prohibition [ odrl:action odrl:delete ; odrl:constraint [ ex:x 1 ] ] .
`
	const strays = `[] odrl:leftOperand odrl:count .
[] a odrl:Permission .
`
	for _, places := range []bool{true, false} {
		d, err := turtle.Parse([]byte(policy), turtle.Options{Places: places})
		require.NoError(t, err)
		p, err := odrl.Compile(d.Default(), odrl.CompileOptions{})
		require.NoError(t, err)
		var texts []string
		for _, action := range []string{"read", "delete"} {
			for _, r := range p.Evaluate(&odrl.Request{Agent: ex + "bob", Action: action, Target: ex + "doc"}).Reasons {
				texts = append(texts, r.Message)
			}
		}
		d, err = turtle.Parse([]byte(policy+strays), turtle.Options{Places: places})
		require.NoError(t, err)
		findings, err := odrl.Lint(d.Default(), odrl.CompileOptions{})
		require.NoError(t, err)
		for _, f := range findings {
			texts = append(texts, f.Message)
		}
		all := strings.Join(texts, "\n")
		for _, name := range []string{"permission", "prohibition", "right operand", "node"} {
			require.Equal(t, places, strings.Contains(all, name+" at line "), "%s in %s", name, all)
			require.Equal(t, !places, strings.Contains(all, name+" _:"), "%s in %s", name, all)
		}
	}
}
