package delegation_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

// TestChains has a row for every check of section 7.2: the one change to a chain that
// permits which makes the check fail.
func TestChains(t *testing.T) {
	t.Parallel()
	forbid := func(action, more string) string {
		return `ex:f odrl:action ` + action + ` ; odrl:target ex:doc ` + more + ` .`
	}
	rows := []struct {
		name     string
		policies int
		edits    []edit
		request  *odrl.Request
		options  delegation.Options
		code     delegation.Code
		hop      int
	}{
		{"one policy", 1, nil, ask(1), delegation.Options{}, delegation.CodePermitted, -1},
		{"two", 2, nil, ask(2), delegation.Options{}, delegation.CodePermitted, -1},
		{"three", 3, nil, ask(3), delegation.Options{}, delegation.CodePermitted, -1},
		{"eight", 8, nil, ask(8), delegation.Options{}, delegation.CodePermitted, -1},

		// Step 1, and the request.
		{"none", 0, nil, ask(0), delegation.Options{}, delegation.CodeEmptyChain, -1},
		{"nine", 9, nil, ask(9), delegation.Options{}, delegation.CodeChainTooLong, -1},
		{"two of one", 2, nil, ask(2), delegation.Options{MaxPolicies: new(1)}, delegation.CodeChainTooLong, -1},
		{"nine of nine", 9, nil, ask(9), delegation.Options{MaxPolicies: new(9)}, delegation.CodePermitted, -1},
		{"one of zero", 1, nil, ask(1), delegation.Options{MaxPolicies: new(0)}, delegation.CodeInvalidCap, -1},
		{"one of minus one", 1, nil, ask(1), delegation.Options{MaxPolicies: new(-1)}, delegation.CodeInvalidCap, -1},
		{"no agent", 2, nil, ask(2, agent("")), delegation.Options{}, delegation.CodeRequestIncomplete, -1},
		{"no action", 2, nil, ask(2, action("")), delegation.Options{}, delegation.CodeRequestIncomplete, -1},
		{"no target", 2, nil, ask(2, target("")), delegation.Options{}, delegation.CodeRequestIncomplete, -1},

		// Step 4.
		{"another is revoked", 3, nil, ask(3), delegation.Options{Revoked: delegation.Revoke(ex + "p9")}, delegation.CodePermitted, -1},
		{"the root is revoked", 3, nil, ask(3), delegation.Options{Revoked: delegation.Revoke(ex + "p0")}, delegation.CodeRevoked, 0},
		{"the middle is revoked", 3, nil, ask(3), delegation.Options{Revoked: delegation.Revoke(ex + "p1")}, delegation.CodeRevoked, 1},
		{"the last is revoked", 3, nil, ask(3), delegation.Options{Revoked: delegation.Revoke(ex+"x", ex+"p2")}, delegation.CodeRevoked, 2},

		{"the root says that the last is replaced", 2, []edit{{0, "", `ex:q1 <http://purl.org/dc/terms/replaces> ex:p1 .`}}, ask(2), delegation.Options{}, delegation.CodeRevoked, 1},
		{"or by itself", 2, []edit{{0, "", `ex:p1 <http://purl.org/dc/terms/isReplacedBy> ex:q1 .`}}, ask(2), delegation.Options{}, delegation.CodeRevoked, 1},
		{"or that it has ended", 3, []edit{{1, "", `ex:p2 <https://schema.org/validThrough> "2020-01-01" .`}}, ask(3), delegation.Options{}, delegation.CodeRevoked, 2},
		{"or that it is not withdrawn, and another is", 3, []edit{{1, "", `ex:p2 ex:withdrawn false . ex:q2 ex:withdrawn true .`}}, ask(3), delegation.Options{}, delegation.CodePermitted, -1},

		// 7.9: what is not understood as a whole.
		{"an unknown profile", 2, []edit{{1, "", `ex:p1 odrl:profile ex:other .`}}, ask(2), delegation.Options{}, delegation.CodePolicyRefused, 1},
		{"an unknown property", 2, []edit{{0, "", `ex:p0 odrl:limit 1 .`}}, ask(2), delegation.Options{}, delegation.CodePolicyRefused, 0},
		{"inheritance", 2, []edit{{0, "", `ex:p0 odrl:inheritFrom ex:base .`}}, ask(2), delegation.Options{}, delegation.CodePolicyRefused, 0},
		{"no profile on the root", 2, []edit{{0, profile, ""}}, ask(2), delegation.Options{}, delegation.CodeMissingProfile, 0},
		{"no profile on the last", 2, []edit{{1, profile, ""}}, ask(2), delegation.Options{}, delegation.CodeMissingProfile, 1},
		{"no profile on a single policy", 1, []edit{{0, profile, ""}}, ask(1), delegation.Options{}, delegation.CodePermitted, -1},

		// 1.5: the root.
		{"a root without an assigner", 2, []edit{{0, "; odrl:assigner ex:a0", ""}}, ask(2), delegation.Options{}, delegation.CodeRootWithoutAssigner, 0},
		{"a root with a blank assigner", 2, []edit{{0, "odrl:assigner ex:a0", "odrl:assigner []"}}, ask(2), delegation.Options{}, delegation.CodeRootWithoutAssigner, 0},
		{"a root without an assignee", 2, []edit{{0, "; odrl:assignee ex:a1", ""}, {0, "odrl:target ex:doc", "odrl:target ex:doc ; odrl:assignee ex:a1"}}, ask(2), delegation.Options{}, delegation.CodePermitted, -1},
		{"a root that is delegated", 2, []edit{{0, "", `ex:p0 odrld:delegatedUnder ex:above .`}}, ask(2), delegation.Options{}, delegation.CodeRootDelegated, 0},
		{"a single policy that is delegated", 1, []edit{{0, "", `ex:p0 odrld:delegatedUnder ex:above .`}}, ask(1), delegation.Options{}, delegation.CodeRootDelegated, 0},
		{"an offer as root", 2, []edit{{0, "odrl:Agreement", "odrl:Offer"}}, ask(2), delegation.Options{}, delegation.CodePermitted, -1},
		{"a set as root", 2, []edit{{0, "odrl:Agreement", "odrl:Set"}}, ask(2), delegation.Options{}, delegation.CodePermitted, -1},
		{"a request as root", 2, []edit{{0, "odrl:Agreement", "odrl:Request"}}, ask(2), delegation.Options{}, delegation.CodePolicyRefused, 0},

		// Steps 5a to 5c.
		{"an offer further down", 2, []edit{{1, "odrl:Agreement", "odrl:Offer"}}, ask(2), delegation.Options{}, delegation.CodeNotAgreement, 1},
		{"a set further down", 3, []edit{{1, "odrl:Agreement", "odrl:Set"}}, ask(3), delegation.Options{}, delegation.CodeNotAgreement, 1},
		{"no assigner", 2, []edit{{1, "; odrl:assigner ex:a1", ""}}, ask(2), delegation.Options{}, delegation.CodeMissingParty, 1},
		{"no assignee", 2, []edit{{1, "; odrl:assignee ex:a2", ""}}, ask(2), delegation.Options{}, delegation.CodeMissingParty, 1},
		{"a literal assignee", 2, []edit{{1, "; odrl:assignee ex:a2", `; odrl:assignee "a2"`}}, ask(2), delegation.Options{}, delegation.CodeMissingParty, 1},
		{"no parent", 2, []edit{{1, "; odrld:delegatedUnder ex:p0", ""}}, ask(2), delegation.Options{}, delegation.CodeWrongParent, 1},
		{"another parent", 2, []edit{{1, "odrld:delegatedUnder ex:p0", "odrld:delegatedUnder ex:q0"}}, ask(2), delegation.Options{}, delegation.CodeWrongParent, 1},
		{"the grandparent", 3, []edit{{2, "odrld:delegatedUnder ex:p1", "odrld:delegatedUnder ex:p0"}}, ask(3), delegation.Options{}, delegation.CodeWrongParent, 2},
		{"not exactly", 2, []edit{{1, "odrld:delegatedUnder ex:p0", "odrld:delegatedUnder <HTTP://example.org/ns#p0>"}}, ask(2), delegation.Options{}, delegation.CodeWrongParent, 1},

		// Step 5d.
		{"use is no permission to delegate", 2, []edit{{0, "odrl:grantUse", "odrl:use"}}, ask(2), delegation.Options{}, delegation.CodeDelegationDenied, 0},
		{"nor is transfer", 2, []edit{{0, "odrl:grantUse", "odrl:transfer"}}, ask(2), delegation.Options{}, delegation.CodeDelegationDenied, 0},
		{"to another", 2, []edit{{0, "odrl:action odrl:grantUse", "odrl:action odrl:grantUse ; odrl:assignee ex:eve"}}, ask(2), delegation.Options{}, delegation.CodeDelegationDenied, 0},
		{"of another target", 2, []edit{{0, "ex:grant0 odrl:target ex:doc", "ex:grant0 odrl:target ex:other"}}, ask(2), delegation.Options{}, delegation.CodeDelegationDenied, 0},
		{"by another assigner", 2, []edit{{1, "odrl:assigner ex:a1", "odrl:assigner ex:eve"}}, ask(2), delegation.Options{}, delegation.CodeDelegationDenied, 0},
		{"expired", 2, []edit{{0, "", `ex:grant0 odrl:constraint [ odrl:leftOperand odrl:dateTime ; odrl:operator odrl:lteq ; odrl:rightOperand "2026-01-01T00:00:00Z"^^xsd:dateTime ] .`}}, ask(2), delegation.Options{}, delegation.CodeDelegationDenied, 0},
		{"with an unknown constraint", 2, []edit{{0, "", `ex:grant0 odrl:constraint [ odrl:leftOperand ex:mood ; odrl:operator odrl:eq ; odrl:rightOperand 1 ] .`}}, ask(2), delegation.Options{}, delegation.CodeDelegationDenied, 0},
		{"prohibited to delegate", 2, []edit{{0, "", `ex:p0 odrl:prohibition ex:f .` + forbid("odrl:grantUse", "")}}, ask(2), delegation.Options{}, delegation.CodeDelegationProhibited, 0},
		{"prohibited, permissions preferred", 2, []edit{{0, "", `ex:p0 odrl:conflict odrl:perm ; odrl:prohibition ex:f .` + forbid("odrl:grantUse", "")}}, ask(2), delegation.Options{}, delegation.CodeDelegationProhibited, 0},
		{"prohibited as deep", 3, []edit{{0, "", `ex:p0 odrl:prohibition ex:f .` + forbid("odrl:grantUse", `; odrl:constraint [ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:gteq ; odrl:rightOperand 2 ]`)}}, ask(3), delegation.Options{}, delegation.CodeDelegationProhibited, 0},
		{"not as deep", 3, []edit{{1, "", `ex:p1 odrl:prohibition ex:f .` + forbid("odrl:grantUse", `; odrl:constraint [ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:gteq ; odrl:rightOperand 2 ]`)}}, ask(3), delegation.Options{}, delegation.CodePermitted, -1},
		{"an unknown action prohibited", 2, []edit{{0, "", `ex:p0 odrl:prohibition ex:f .` + forbid("ex:dance", "")}}, ask(2), delegation.Options{}, delegation.CodeDelegationProhibited, 0},
		{"a prohibition of another's delegation", 2, []edit{{0, "", `ex:p0 odrl:prohibition ex:f .` + forbid("odrl:grantUse", "; odrl:assignee ex:eve")}}, ask(2), delegation.Options{}, delegation.CodePermitted, -1},

		// Step 5e.
		{"delegation to everyone", 2, []edit{{0, "; odrl:assignee ex:a1", ""}, {0, "ex:read0 odrl:target ex:doc", "ex:read0 odrl:target ex:doc ; odrl:assignee ex:a1"}}, ask(2), delegation.Options{}, delegation.CodeNoExplicitGrant, 0},

		// Step 5f: the depth is TestDepth, nextPolicy is TestNextPolicy.
		{"too deep by default", 3, []edit{{0, "[ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:lteq ; odrl:rightOperand 2 ]", "[ odrl:leftOperand odrl:dateTime ; odrl:operator odrl:gteq ; odrl:rightOperand \"2026-01-01T00:00:00Z\"^^xsd:dateTime ]"}}, ask(3), delegation.Options{}, delegation.CodeDepthExceeded, 0},

		// Step 6.
		{"the root does not grant it", 2, []edit{{0, "ex:read0 odrl:target ex:doc ; odrl:action odrl:read", "ex:read0 odrl:target ex:doc ; odrl:action odrl:print"}}, ask(2), delegation.Options{}, delegation.CodeScopeDenied, 0},
		{"the last grants more", 2, []edit{{1, "odrl:action odrl:read", "odrl:action odrl:write, odrl:read"}}, ask(2, action("write")), delegation.Options{}, delegation.CodeScopeDenied, 0},
		{"the root grants it to another", 2, []edit{{0, "ex:read0 odrl:target ex:doc", "ex:read0 odrl:target ex:doc ; odrl:assignee ex:eve"}}, ask(2), delegation.Options{}, delegation.CodeScopeDenied, 0},
		{"the middle has expired", 3, []edit{{1, "", `ex:read1 odrl:constraint [ odrl:leftOperand odrl:dateTime ; odrl:operator odrl:lteq ; odrl:rightOperand "2026-01-01T00:00:00Z"^^xsd:dateTime ] .`}}, ask(3), delegation.Options{}, delegation.CodeScopeDenied, 1},
		{"for another purpose", 2, []edit{{0, "", `ex:read0 odrl:constraint [ odrl:leftOperand odrl:purpose ; odrl:operator odrl:eq ; odrl:rightOperand ex:research ] .`}}, ask(2, with("purpose", odrl.Text(ex+"marketing"))), delegation.Options{}, delegation.CodeScopeDenied, 0},
		{"for the purpose", 2, []edit{{0, "", `ex:read0 odrl:constraint [ odrl:leftOperand odrl:purpose ; odrl:operator odrl:eq ; odrl:rightOperand ex:research ] .`}}, ask(2, with("purpose", odrl.Text(ex+"research"))), delegation.Options{}, delegation.CodePermitted, -1},
		{"an unknown term in the root", 2, []edit{{0, "", `ex:read0 odrl:constraint [ odrl:leftOperand ex:mood ; odrl:operator odrl:eq ; odrl:rightOperand 1 ] .`}}, ask(2), delegation.Options{}, delegation.CodeScopeDenied, 0},
		{"a prohibition of the root, laundered", 2, []edit{{0, "odrl:action odrl:read", "odrl:action odrl:read, odrl:distribute"}, {0, "", `ex:p0 odrl:prohibition ex:f .` + forbid("odrl:distribute", "")}, {1, "odrl:action odrl:read", "odrl:action odrl:distribute"}}, ask(2, action("distribute")), delegation.Options{}, delegation.CodeProhibited, 0},
		{"a prohibition of the root, permissions preferred", 2, []edit{{0, "", `ex:p0 odrl:conflict odrl:perm ; odrl:prohibition ex:f .` + forbid("odrl:use", "")}}, ask(2), delegation.Options{}, delegation.CodeProhibited, 0},
		{"a prohibition with an unknown purpose", 2, []edit{{0, "", `ex:p0 odrl:prohibition ex:f .` + forbid("odrl:read", `; odrl:constraint [ odrl:leftOperand odrl:purpose ; odrl:operator odrl:eq ; odrl:rightOperand ex:marketing ]`)}}, ask(2), delegation.Options{}, delegation.CodeProhibited, 0},
		{"a prohibition for another purpose", 2, []edit{{0, "", `ex:p0 odrl:prohibition ex:f .` + forbid("odrl:read", `; odrl:constraint [ odrl:leftOperand odrl:purpose ; odrl:operator odrl:eq ; odrl:rightOperand ex:marketing ]`)}}, ask(2, with("purpose", odrl.Text(ex+"research"))), delegation.Options{}, delegation.CodePermitted, -1},

		// Step 7.
		{"an ancestor prohibits it to the agent", 3, []edit{{0, "", `ex:p0 odrl:prohibition ex:f .` + forbid("odrl:read", "; odrl:assignee ex:a3")}}, ask(3), delegation.Options{}, delegation.CodeProhibited, 0},
		{"an ancestor prohibits it to another", 3, []edit{{0, "", `ex:p0 odrl:prohibition ex:f .` + forbid("odrl:read", "; odrl:assignee ex:eve")}}, ask(3), delegation.Options{}, delegation.CodePermitted, -1},

		{"an ancestor prohibits it to one who passes it on", 3, []edit{{0, "", `ex:p0 odrl:prohibition ex:f .` + forbid("odrl:read", "; odrl:assignee ex:a2")}}, ask(3), delegation.Options{}, delegation.CodeProhibited, 0},
		{"to one far down", 5, []edit{{1, "", `ex:p1 odrl:prohibition ex:f .` + forbid("odrl:use", "; odrl:assignee ex:a4")}}, ask(5), delegation.Options{}, delegation.CodeProhibited, 1},
		{"it prohibits another action to it", 3, []edit{{0, "", `ex:p0 odrl:prohibition ex:f .` + forbid("odrl:write", "; odrl:assignee ex:a2")}}, ask(3), delegation.Options{}, delegation.CodePermitted, -1},
		{"it prohibits it to delegate", 3, []edit{{0, "", `ex:p0 odrl:prohibition ex:f .` + forbid("odrl:grantUse", "; odrl:assignee ex:a2")}}, ask(3), delegation.Options{}, delegation.CodeDelegationProhibited, 0},
		{"to the last, who does not", 3, []edit{{0, "", `ex:p0 odrl:prohibition ex:f .` + forbid("odrl:grantUse", "; odrl:assignee ex:a3")}}, ask(3), delegation.Options{}, delegation.CodePermitted, -1},
		{"it prohibits it to delegate at that depth", 3, []edit{{0, "", `ex:p0 odrl:prohibition ex:f .` + forbid("odrl:grantUse", `; odrl:assignee ex:a2 ; odrl:constraint [ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:lteq ; odrl:rightOperand 1 ]`)}}, ask(3), delegation.Options{}, delegation.CodeDelegationProhibited, 0},
		{"at another depth", 3, []edit{{0, "", `ex:p0 odrl:prohibition ex:f .` + forbid("odrl:grantUse", `; odrl:assignee ex:a2 ; odrl:constraint [ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:gteq ; odrl:rightOperand 2 ]`)}}, ask(3), delegation.Options{}, delegation.CodePermitted, -1},

		// Step 8.
		{"the last does not grant it", 2, []edit{{1, "odrl:action odrl:read", "odrl:action odrl:print"}}, ask(2), delegation.Options{}, delegation.CodeLeafDenied, 1},
		{"another target", 2, nil, ask(2, target(ex+"other")), delegation.Options{}, delegation.CodeDelegationDenied, 0},
		{"the last prohibits it", 2, []edit{{1, "", `ex:p1 odrl:conflict odrl:perm ; odrl:prohibition ex:f .` + forbid("odrl:read", "")}}, ask(2), delegation.Options{}, delegation.CodeProhibited, 1},
		{"a single policy keeps its strategy", 1, []edit{{0, "", `ex:p0 odrl:conflict odrl:perm ; odrl:prohibition ex:f .` + forbid("odrl:read", "")}}, ask(1), delegation.Options{}, delegation.CodePermitted, -1},
		{"a single policy with a conflict", 1, []edit{{0, "", `ex:p0 odrl:prohibition ex:f .` + forbid("odrl:read", "")}}, ask(1), delegation.Options{}, delegation.CodeProhibited, 0},
		{"a single policy that is silent", 1, nil, ask(1, action("print")), delegation.Options{}, delegation.CodeLeafDenied, 0},
		{"a single public grant", 1, []edit{{0, "; odrl:assignee ex:a1", ""}}, ask(1, agent(ex+"anyone")), delegation.Options{}, delegation.CodePermitted, -1},

		// Step 9.
		{"another agent", 2, []edit{{1, "odrl:action odrl:read", "odrl:action odrl:read ; odrl:assignee ex:a2, ex:eve"}}, ask(2, agent(ex+"eve")), delegation.Options{}, delegation.CodeNotLeafAssignee, 1},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			depths := make([]int, row.policies)
			for i := range depths {
				if depths[i] = row.policies - 1 - i; depths[i] < 2 {
					depths[i] = 0 // the default
				}
			}
			chain := compileAll(t, edited(t, chainText(row.policies, depths...), row.edits...))
			d := decide(t, chain, row.request, row.options)
			require.Equal(t, row.code, d.Code, "%s", d.Message)
			require.Equal(t, row.hop, d.Hop, "%s", d.Message)
		})
	}
}

// TestDelegates: a request to delegate stands for one more edge, to a policy that is not
// there yet. Nobody gets a yes to what a chain with that policy would not permit, and who
// may delegate gets one.
func TestDelegates(t *testing.T) {
	t.Parallel()
	grant := func(i int, more string) edit {
		return edit{i, "", "ex:p" + digit(i) + " odrl:permission ex:on . ex:on odrl:target ex:doc ; odrl:action odrl:grantUse ; odrl:assignee ex:a" + digit(i+1) + " . " + more}
	}
	depth := func(operator string, n int) string {
		return "ex:on odrl:constraint [ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:" + operator + " ; odrl:rightOperand " + digit(n) + " ] ."
	}
	forbid := func(i int, who, constraint string) edit {
		return edit{i, "", "ex:p" + digit(i) + " odrl:prohibition ex:f . ex:f odrl:target ex:doc ; odrl:action odrl:grantUse ; odrl:assignee " + who + " . " + constraint}
	}
	bound := func(operator string, n int) string { return strings.Replace(depth(operator, n), "ex:on", "ex:f", 1) }
	mandate := ` odrl:duty [ odrl:action odrl:nextPolicy ; odrl:target ex:p9 ] .`
	for _, row := range []struct {
		name     string
		policies int
		depths   []int
		edits    []edit
		options  delegation.Options
		code     delegation.Code
		hop      int
	}{
		{"once", 1, nil, []edit{grant(0, "")}, delegation.Options{}, delegation.CodePermitted, -1},
		{"once with a depth", 1, nil, []edit{grant(0, depth("lteq", 1))}, delegation.Options{}, delegation.CodePermitted, -1},
		{"not at all", 1, nil, nil, delegation.Options{}, delegation.CodeLeafDenied, 0},
		{"no further", 1, nil, []edit{grant(0, depth("lteq", 0))}, delegation.Options{}, delegation.CodeLeafDenied, 0},
		{"exactly twice, which is more", 1, nil, []edit{grant(0, depth("eq", 2))}, delegation.Options{}, delegation.CodeLeafDenied, 0},
		{"however far, which bounds nothing", 1, nil, []edit{grant(0, depth("gteq", 1))}, delegation.Options{}, delegation.CodeDepthExceeded, 0},
		{"everyone", 1, nil, []edit{{0, "; odrl:assignee ex:a1", ""}, grant(0, ""), {0, "; odrl:assignee ex:a1", ""}}, delegation.Options{}, delegation.CodeNoExplicitGrant, 0},
		{"under a mandate", 1, nil, []edit{grant(0, "ex:on"+mandate)}, delegation.Options{}, delegation.CodeNextPolicy, 0},
		{"under a mandate of nothing", 1, nil, []edit{grant(0, "ex:on odrl:duty [ odrl:action odrl:nextPolicy ] .")}, delegation.Options{}, delegation.CodeNextPolicy, 0},
		{"under a mandate of the policy", 1, nil, []edit{grant(0, "ex:p0 odrl:obligation [ odrl:action odrl:nextPolicy ; odrl:target ex:p9 ] .")}, delegation.Options{}, delegation.CodeNextPolicy, 0},
		{"prohibited, where permissions win", 1, nil, []edit{grant(0, "ex:p0 odrl:conflict odrl:perm ."), forbid(0, "ex:a1", "")}, delegation.Options{}, delegation.CodeProhibited, 0},
		{"prohibited beyond", 1, nil, []edit{grant(0, ""), forbid(0, "ex:a1", bound("gt", 1))}, delegation.Options{}, delegation.CodePermitted, -1},
		{"without the profile", 1, nil, []edit{grant(0, ""), {0, profile, ""}}, delegation.Options{}, delegation.CodeMissingProfile, 0},
		{"of one", 1, nil, []edit{grant(0, "")}, delegation.Options{MaxPolicies: new(1)}, delegation.CodeChainTooLong, -1},

		{"twice", 2, []int{2}, []edit{grant(1, "")}, delegation.Options{}, delegation.CodePermitted, -1},
		{"twice where once is let", 2, nil, []edit{grant(1, "")}, delegation.Options{}, delegation.CodeDepthExceeded, 0},
		{"twice where once is bounded", 2, []int{1}, []edit{grant(1, depth("lteq", 2))}, delegation.Options{}, delegation.CodeDelegationDenied, 0},
		{"twice where the last is not let", 2, []int{2}, nil, delegation.Options{}, delegation.CodeLeafDenied, 1},
		{"twice, prohibited twice", 2, []int{2}, []edit{grant(1, ""), forbid(0, "ex:a1", bound("gt", 1))}, delegation.Options{}, delegation.CodeDelegationProhibited, 0},
		{"twice, prohibited to the last", 2, []int{2}, []edit{grant(1, ""), forbid(0, "ex:a2", "")}, delegation.Options{}, delegation.CodeProhibited, 0},
		{"twice, prohibited to the last to let it be passed on", 2, []int{2}, []edit{grant(1, ""), forbid(0, "ex:a2", bound("gt", 1))}, delegation.Options{}, delegation.CodePermitted, -1},
		{"three times", 3, []int{3, 2}, []edit{grant(2, "")}, delegation.Options{}, delegation.CodePermitted, -1},
		{"three times, prohibited twice to the second", 3, []int{3, 2}, []edit{grant(2, ""), forbid(0, "ex:a2", bound("eq", 2))}, delegation.Options{}, delegation.CodeDelegationProhibited, 0},
		{"seven times", 7, []int{7, 6, 5, 4, 3, 2}, []edit{grant(6, "")}, delegation.Options{}, delegation.CodePermitted, -1},
		{"eight times", 8, []int{8, 7, 6, 5, 4, 3, 2}, []edit{grant(7, "")}, delegation.Options{}, delegation.CodeChainTooLong, -1},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			chain := compileAll(t, edited(t, chainText(row.policies, row.depths...), row.edits...))
			for _, name := range []string{"grantUse", "http://www.w3.org/ns/odrl/2/grantUse"} {
				d := decide(t, chain, ask(row.policies, action(name)), row.options)
				require.Equal(t, row.code, d.Code, "%s", d.Message)
				require.Equal(t, row.hop, d.Hop, "%s", d.Message)
			}
		})
	}
}

// TestProhibits: what a chain prohibits to a party that is not its last assignee.
func TestProhibits(t *testing.T) {
	t.Parallel()
	forbid := func(i int, who string) edit {
		return edit{i, "", "ex:p" + digit(i) + " odrl:prohibition ex:f . ex:f odrl:action odrl:use ; odrl:target ex:doc ; odrl:assignee " + who + " ."}
	}
	for _, row := range []struct {
		name  string
		edits []edit
		steps int
		want  int
	}{
		{"nothing", nil, 0, -1},
		{"to it", []edit{forbid(1, "ex:eve")}, 1_000, 1},
		{"to another", []edit{forbid(1, "ex:a3")}, 1_000, -1},
		{"to nobody who is known", []edit{forbid(2, "[]")}, 1_000, 2},
		{"too much", []edit{forbid(1, "ex:a3")}, 1, 0},
		{"by one that is not understood", []edit{forbid(1, "ex:a3"), {1, "", "ex:p1 odrl:limit 1 ."}}, 1_000, 1},
		{"by one of which nobody knows what it prohibits", []edit{{1, "", "ex:p1 odrl:prohibitions [] ."}}, 1_000, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			chain, r := compileAll(t, edited(t, chainText(3, 2), row.edits...)), ask(3)
			require.Equal(t, row.want, delegation.Prohibits(chain, r, ex+"eve", 0, &row.steps))
			require.Equal(t, ex+"a3", r.Agent)
		})
	}
	steps := 0
	other, err := odrl.Compile(graphOf(t, prefixes+`ex:p a odrl:Set .`), odrl.CompileOptions{})
	require.NoError(t, err)
	for _, p := range []*odrl.Policy{nil, {}, other} {
		require.Equal(t, 0, delegation.Prohibits([]*odrl.Policy{p}, ask(1), ex+"eve", 0, &steps))
	}
	require.Equal(t, -1, delegation.Prohibits(nil, ask(1), ex+"eve", 0, &steps))
}

// TestProhibitsToDelegate: a prohibition to delegate may depend on how far.
func TestProhibitsToDelegate(t *testing.T) {
	t.Parallel()
	chain := compileAll(t, edited(t, chainText(3, 2), edit{0, "", "ex:p0 odrl:prohibition ex:f . ex:f odrl:action odrl:grantUse ; odrl:target ex:doc ; odrl:assignee ex:eve ; " +
		"odrl:constraint [ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:gt ; odrl:rightOperand 1 ] ."}))
	for depth, want := range []int{0, -1, 0} { // how far is unknown; once; twice
		steps := 1_000
		require.Equal(t, want, delegation.Prohibits(chain, ask(3, action("grantUse")), ex+"eve", depth, &steps), depth)
	}
}

// TestSteps: policies that would take too long are refused, together for all requests
// that share what is left.
func TestSteps(t *testing.T) {
	t.Parallel()
	forbid := `ex:p0 odrl:prohibition ex:f . ex:f odrl:action odrl:read ; odrl:target ex:doc ; odrl:assignee ex:eve`
	chain := compileAll(t, edited(t, chainText(3, 2), edit{0, "", forbid + " ."}))
	r := ask(3)
	one := 5*chain[0].Steps(r) + 3*chain[1].Steps(r) + 3*chain[2].Steps(r)
	for _, row := range []struct {
		left  int
		codes []delegation.Code
	}{
		{one, []delegation.Code{delegation.CodePermitted, delegation.CodeTooManySteps}},
		{one - 1, []delegation.Code{delegation.CodeTooManySteps, delegation.CodeTooManySteps}},
		{2 * one, []delegation.Code{delegation.CodePermitted, delegation.CodePermitted, delegation.CodeTooManySteps}},
		{-1, []delegation.Code{delegation.CodeTooManySteps}},
	} {
		left := row.left
		for i, want := range row.codes {
			require.Equal(t, want, delegation.Evaluate(chain, r, delegation.Options{Steps: &left}).Code, "%d, request %d", row.left, i)
		}
	}
	// What is followed and compared counts: a thousand statements of odrl:partOf for each
	// evaluation, a hundred numbers for each value of the request.
	var parts strings.Builder
	for i := range 1_000 {
		parts.WriteString("ex:part" + digit(i) + " odrl:partOf ex:part" + digit(i+1) + " .\n")
	}
	require.Equal(t, chain[0].Steps(r)+10_000, compile(t, edited(t, chainText(3, 2), edit{0, "", forbid + " . " + parts.String()})[0]).Steps(r))
	// So do duties, which are listed with every decision.
	require.Equal(t, chain[0].Steps(r)+2*21, compile(t, edited(t, chainText(3, 2), edit{0, "", forbid + " . ex:read0 odrl:duty [ odrl:action odrl:inform, odrl:delete ] ."})[0]).Steps(r))
	numbers := " ; odrl:constraint [ odrl:leftOperand odrl:count ; odrl:operator odrl:isNoneOf ; odrl:rightOperand 0"
	for i := range 99 {
		numbers += ", 1" + digit(i)
	}
	p := compile(t, edited(t, chainText(3, 2), edit{0, "", forbid + numbers + " ] ."})[0])
	// What a rule names itself is compared with the request, value by value.
	var targets strings.Builder
	for range 999 {
		targets.WriteString(", ex:t" + digit(targets.Len()))
	}
	own := strings.Replace(forbid, "odrl:target ex:doc", "odrl:target ex:doc"+targets.String(), 1)
	require.Equal(t, chain[0].Steps(r)+999, compile(t, edited(t, chainText(3, 2), edit{0, "", own + " ."})[0]).Steps(r))

	few, many := p.Steps(r), p.Steps(ask(3, with("count", make([]odrl.Value, 256)...)))
	require.Less(t, few, 20)
	require.Equal(t, few+256*100, many)
	require.Equal(t, many, p.Steps(ask(3, with("count", make([]odrl.Value, 10_000)...))), "more values are unknown and are not compared")
	require.Equal(t, few+100+2_000, p.Steps(ask(3, with("count", odrl.Text(strings.Repeat("1", 64_000))))), "a long value is read")
}

func TestIdentity(t *testing.T) {
	t.Parallel()
	chain := compileAll(t, chainText(2))
	model, err := odrl.Compile(graphOf(t, chainText(1)[0]), odrl.CompileOptions{})
	require.NoError(t, err)
	rows := []struct {
		name  string
		chain []*odrl.Policy
		code  delegation.Code
		hop   int
	}{
		{"nil", []*odrl.Policy{chain[0], nil}, delegation.CodeNotCompiled, 1},
		{"zero", []*odrl.Policy{{}}, delegation.CodeNotCompiled, 0},
		{"of another dialect", []*odrl.Policy{model}, delegation.CodeNotCompiled, 0},
		{"the root again", []*odrl.Policy{chain[0], chain[1], chain[0]}, delegation.CodeRepeatedPolicy, 2},
		{"the child twice", []*odrl.Policy{chain[0], chain[1], chain[1]}, delegation.CodeRepeatedPolicy, 2},
		{"the other way round", []*odrl.Policy{chain[1], chain[0]}, delegation.CodeRootDelegated, 0},
		{"the child alone", []*odrl.Policy{chain[1]}, delegation.CodeRootDelegated, 0},
		{"the parent alone", []*odrl.Policy{chain[0]}, delegation.CodeLeafDenied, 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d := decide(t, row.chain, ask(2), delegation.Options{})
			require.Equal(t, row.code, d.Code)
			require.Equal(t, row.hop, d.Hop)
		})
	}
	require.False(t, delegation.Decision{}.Permitted())
	require.Equal(t, "not evaluated", delegation.Decision{}.String())
}

// TestDepth is the table of section 7.6: the rule on the root, and how many policies
// there are below it.
func TestDepth(t *testing.T) {
	t.Parallel()
	c := func(operator, right string) string {
		return `ex:grant0 odrl:constraint [ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:` + operator + ` ; odrl:rightOperand ` + right + ` ] . `
	}
	rows := []struct {
		name string
		rule string
		want [3]bool // with 1, 2 and 3 policies below
	}{
		{"no constraint", ``, [3]bool{true, false, false}},
		{"lteq 1", c("lteq", "1"), [3]bool{true, false, false}},
		{"lt 2", c("lt", "2"), [3]bool{true, false, false}},
		{"eq 1", c("eq", "1"), [3]bool{true, false, false}},
		{"lteq 2", c("lteq", "2"), [3]bool{true, true, false}},
		{"eq 2", c("eq", "2"), [3]bool{false, true, false}},
		{"lteq 3", c("lteq", "3"), [3]bool{true, true, true}},
		{"lteq 0", c("lteq", "0"), [3]bool{}},
		{"lt 0", c("lt", "0"), [3]bool{}},
		{"gteq 1", c("gteq", "1"), [3]bool{}},
		{"gt 0", c("gt", "0"), [3]bool{}},
		{"neq 0", c("neq", "0"), [3]bool{}},
		{"isAnyOf 1, 2", c("isAnyOf", "1, 2"), [3]bool{}},
		{"isNoneOf 9", c("isNoneOf", "9"), [3]bool{}},
		{"lteq 3 and lteq 1", c("lteq", "3") + c("lteq", "1"), [3]bool{true, false, false}},
		{"lteq 3 and gteq 1", c("lteq", "3") + c("gteq", "1"), [3]bool{}},
		{"lteq 3.0", c("lteq", "3.0"), [3]bool{}},
		{"lteq a long", c("lteq", `"3"^^xsd:long`), [3]bool{}},
		{"lteq a string", c("lteq", `"3"`), [3]bool{}},
		{"lteq -1", c("lteq", "-1"), [3]bool{}},
		{"in a logical constraint", `ex:grant0 odrl:constraint [ odrl:and ( ex:x ex:y ) ] .
			ex:x odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:lteq ; odrl:rightOperand 3 .
			ex:y odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:lteq ; odrl:rightOperand 2 . `, [3]bool{}},
		{"a bound that is optional", `ex:grant0 odrl:constraint [ odrl:or ( ex:x ex:y ) ] .
			ex:x odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:lteq ; odrl:rightOperand 1 .
			ex:y odrl:leftOperand odrl:dateTime ; odrl:operator odrl:gteq ; odrl:rightOperand "2020-01-01T00:00:00Z"^^xsd:dateTime . `, [3]bool{}},
		{"a second permission reaches further", c("lteq", "1") + `ex:p0 odrl:permission [ odrl:target ex:doc ; odrl:action odrl:grantUse ; odrl:constraint
			[ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:lteq ; odrl:rightOperand 3 ] ] . `, [3]bool{true, true, true}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			for below, want := range row.want {
				n := below + 2
				chain := compileAll(t, edited(t, chainText(n, 0, 2, 2), edit{0, "", row.rule}))
				// What the requester asserts changes nothing.
				r := ask(n, with("delegationDepth", odrl.Integer(1)), with("https://w3id.org/jeswr/odrl-delegation#delegationDepth", odrl.Integer(1)))
				d := decide(t, chain, r, delegation.Options{})
				require.Equal(t, want, d.Permitted(), "%d below: %s", below+1, d.Message)
				if !want {
					require.Contains(t, []delegation.Code{delegation.CodeDepthExceeded, delegation.CodeDelegationDenied}, d.Code)
					require.Equal(t, 0, d.Hop)
				}
			}
		})
	}
	t.Run("a deeper policy gains nothing", func(t *testing.T) {
		t.Parallel()
		d := decide(t, compileAll(t, chainText(4, 2, 9)), ask(4), delegation.Options{})
		require.Equal(t, delegation.CodeDelegationDenied, d.Code)
		require.Equal(t, 0, d.Hop)
	})
}

// TestNextPolicy is the table of section 7.7.
func TestNextPolicy(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name   string
		duties string
		code   delegation.Code
	}{
		{"none", ``, delegation.CodePermitted},
		{"another duty", `ex:grant0 odrl:duty [ odrl:action odrl:inform ] .`, delegation.CodePermitted},
		{"the child", `ex:grant0 odrl:duty [ odrl:action odrl:nextPolicy ; odrl:target ex:p1 ] .`, delegation.CodePermitted},
		{"another", `ex:grant0 odrl:duty [ odrl:action odrl:nextPolicy ; odrl:target ex:p2 ] .`, delegation.CodeNextPolicy},
		{"none is named", `ex:grant0 odrl:duty [ odrl:action odrl:nextPolicy ] .`, delegation.CodeNextPolicy},
		{"a literal", `ex:grant0 odrl:duty [ odrl:action odrl:nextPolicy ; odrl:target "http://example.org/ns#p1" ] .`, delegation.CodeNextPolicy},
		{"two policies", `ex:grant0 odrl:duty [ odrl:action odrl:nextPolicy ; odrl:target ex:p1, ex:p2 ] .`, delegation.CodeNextPolicy},
		{"two duties", `ex:grant0 odrl:duty [ odrl:action odrl:nextPolicy ; odrl:target ex:p1 ], [ odrl:action odrl:nextPolicy ; odrl:target ex:p2 ] .`, delegation.CodeNextPolicy},
		{"an obligation, the child", `ex:p0 odrl:obligation [ odrl:action odrl:nextPolicy ; odrl:target ex:p1 ] .`, delegation.CodePermitted},
		{"an obligation, another", `ex:p0 odrl:obligation [ odrl:action odrl:nextPolicy ; odrl:target ex:p2 ] .`, delegation.CodeNextPolicy},
		{"an obligation, none is named", `ex:p0 odrl:obligation [ odrl:action odrl:nextPolicy ] .`, delegation.CodeNextPolicy},
		{"on what is passed on, the child", `ex:read0 odrl:duty [ odrl:action odrl:nextPolicy ; odrl:target ex:p1 ] .`, delegation.CodePermitted},
		{"on what is passed on, another", `ex:read0 odrl:duty [ odrl:action odrl:nextPolicy ; odrl:target ex:p2 ] .`, delegation.CodeNextPolicy},
		{"on what is passed on, with something unknown", `ex:read0 odrl:duty [ odrl:action odrl:nextPolicy ; odrl:target ex:p1 ; odrl:unless ex:x ] .`, delegation.CodeNextPolicy},
		{"on one of two that permit it", `ex:read0 odrl:duty [ odrl:action odrl:nextPolicy ; odrl:target ex:p2 ] .
			ex:p0 odrl:permission [ odrl:target ex:doc ; odrl:action odrl:read ] .`, delegation.CodePermitted},
		{"on one that passes on as well", `ex:p0 odrl:permission [ odrl:target ex:doc ; odrl:action odrl:grantUse ] . ex:grant0 odrl:action odrl:read ; odrl:duty [ odrl:action odrl:nextPolicy ; odrl:target ex:p2 ] .
			ex:read0 odrl:duty [ odrl:action odrl:nextPolicy ; odrl:target ex:p3 ] .`, delegation.CodeNextPolicy},
		{"with something unknown", `ex:grant0 odrl:duty [ odrl:action odrl:nextPolicy ; odrl:target ex:p1 ; odrl:unless ex:x ] .`, delegation.CodeNextPolicy},
		{"a second permission mandates the child", `ex:grant0 odrl:duty [ odrl:action odrl:nextPolicy ; odrl:target ex:p2 ] .
			ex:p0 odrl:permission [ odrl:target ex:doc ; odrl:action odrl:grantUse ; odrl:duty [ odrl:action odrl:nextPolicy ; odrl:target ex:p1 ] ] .`, delegation.CodePermitted},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			chain := compileAll(t, edited(t, chainText(2), edit{0, "", row.duties}))
			d := decide(t, chain, ask(2), delegation.Options{})
			require.Equal(t, row.code, d.Code, d.Message)
			for _, s := range d.Duties {
				require.False(t, strings.HasSuffix(s.Action, "nextPolicy"), "it never enters the duties")
			}
			if row.code != delegation.CodePermitted {
				return
			}
			// On the last policy nothing comes after it.
			last := strings.NewReplacer("ex:p0", "ex:p1", "ex:read0", "ex:read1", "ex:grant0", "ex:read1").Replace(row.duties)
			require.True(t, decide(t, compileAll(t, edited(t, chainText(2), edit{1, "", last})), ask(2), delegation.Options{}).Permitted())
			// The mandate pins which policy is next, not what that may say.
			d = decide(t, chain, ask(2, action("write")), delegation.Options{})
			require.False(t, d.Permitted())
		})
	}
}

// TestDuties is section 7.8: which duties a chain collects, in which order, and which of
// them block.
func TestDuties(t *testing.T) {
	t.Parallel()
	texts := edited(t, chainText(3, 2),
		edit{0, "", `ex:grant0 odrl:duty [ odrl:action odrl:inform ; odrl:target ex:a0 ] . ex:read0 odrl:duty [ odrl:action odrl:delete ] . ex:p0 odrl:obligation [ odrl:action odrl:index ] .`},
		edit{1, "", `ex:grant1 odrl:duty [ odrl:action odrl:inform ; odrl:target ex:a1 ] . ex:read1 odrl:duty [ odrl:action odrl:delete ] .`},
		edit{2, "", `ex:read2 odrl:duty [ odrl:action odrl:attribute ; odrl:target ex:a0 ] . ex:p2 odrl:obligation [ odrl:action odrl:archive ] .`})
	chain := compileAll(t, texts)
	list := func(d delegation.Decision) (duties []string) {
		for _, s := range d.Duties {
			duty := strings.TrimPrefix(s.Action, "http://www.w3.org/ns/odrl/2/") + strings.TrimPrefix(s.Target, ex)
			if s.Fulfilled {
				duty += "!"
			}
			duties = append(duties, duty)
		}
		return duties
	}
	all := []string{"informa0", "index", "informa1", "delete", "attributea0", "archive"}
	d := decide(t, chain, ask(3), delegation.Options{})
	require.True(t, d.Permitted(), "duties are carried forward")
	require.Equal(t, all, list(d))

	d = decide(t, chain, ask(3, with("fulfilled:inform", odrl.Boolean(true))), delegation.Options{})
	require.Equal(t, []string{"informa0!", "index", "informa1!", "delete", "attributea0", "archive"}, list(d))

	d = decide(t, chain, ask(3), delegation.Options{RequireDuties: true})
	require.Equal(t, delegation.CodeDutyOpen, d.Code)
	var done []func(*odrl.Request)
	for _, a := range []string{"inform", "index", "delete", "attribute", "archive"} {
		done = append(done, with("fulfilled:"+a, odrl.Boolean(true)))
	}
	require.True(t, decide(t, chain, ask(3, done...), delegation.Options{RequireDuties: true}).Permitted())

	gates := map[string]delegation.Gate{"http://www.w3.org/ns/odrl/2/archive": delegation.Block}
	require.Equal(t, delegation.CodeDutyOpen, decide(t, chain, ask(3), delegation.Options{Gates: gates}).Code)
	require.True(t, decide(t, chain, ask(3, done[4]), delegation.Options{Gates: gates}).Permitted())

	for name, duty := range map[string]string{
		"an unknown action": `odrl:action ex:pray`,
		"no action":         `odrl:target ex:doc`,
		"not of the 18":     `odrl:action odrl:obtainConsent`,
		"a literal":         ``,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			more := `ex:read0 odrl:duty [ ` + duty + ` ] .`
			if duty == "" {
				more = `ex:read0 odrl:duty "pray" .`
			}
			chain := compileAll(t, edited(t, chainText(2), edit{0, "", more}))
			r := ask(2, with("fulfilled:"+ex+"pray", odrl.Boolean(true)), with("fulfilled:obtainConsent", odrl.Boolean(true)))
			d := decide(t, chain, r, delegation.Options{Gates: map[string]delegation.Gate{ex + "pray": delegation.Record}})
			require.Equal(t, delegation.CodeDutyOpen, d.Code, "nothing fulfils a duty that is not understood")
		})
	}
}

// TestDutiesOfEveryAuthorisingPermission: those of a permission that does not
// carry the edge are not collected.
func TestDutiesOfEveryAuthorisingPermission(t *testing.T) {
	t.Parallel()
	chain := compileAll(t, edited(t, chainText(2), edit{0, "", `
ex:grant0 odrl:duty [ odrl:action odrl:inform ] .
ex:p0 odrl:permission [ odrl:target ex:doc ; odrl:action odrl:grantUse ; odrl:duty [ odrl:action odrl:delete ] ] ,
 [ odrl:target ex:doc ; odrl:action odrl:grantUse ; odrl:duty [ odrl:action odrl:archive ], [ odrl:action odrl:nextPolicy ; odrl:target ex:p9 ] ] .`}))
	d := decide(t, chain, ask(2), delegation.Options{})
	require.True(t, d.Permitted())
	require.Len(t, d.Duties, 2)
	require.True(t, strings.HasSuffix(d.Duties[0].Action, "inform"))
	require.True(t, strings.HasSuffix(d.Duties[1].Action, "delete"))
}

func TestRevocations(t *testing.T) {
	t.Parallel()
	require.False(t, delegation.Revocations{}.Has(""))
	base := delegation.Revoke(ex+"a", ex+"b")
	doc := graphOf(t, prefixes+`ex:r a odrld:Revocation ; odrld:revokedPolicy ex:c, ex:d . ex:untyped odrld:revokedPolicy ex:e .`)
	more, err := base.Document(doc.Dataset())
	require.NoError(t, err)
	require.Equal(t, []string{ex + "a", ex + "b", ex + "c", ex + "d", ex + "e"}, more.All())
	require.Equal(t, []string{ex + "a", ex + "b"}, base.All(), "the set before is unchanged")
	empty, err := base.Document(graphOf(t, prefixes+`ex:r a ex:Revocation ; ex:revokedPolicy ex:c .`).Dataset())
	require.NoError(t, err)
	require.Equal(t, base.All(), empty.All())
	for _, more := range []string{``, `ex:s odrld:revokedPolicy ex:c .`, `ex:r ex:revoked ex:c .`} {
		_, err = base.Document(graphOf(t, prefixes+`ex:r a odrld:Revocation . `+more).Dataset())
		var re *delegation.RevocationError
		require.ErrorAs(t, err, &re, "a revocation of nobody knows what")
		require.ErrorContains(t, err, "<"+ex+"r> names none")
		require.Equal(t, 5, re.Place.Line)
	}
	named, err := turtle.ParseTriG([]byte(prefixes+`ex:g { ex:r odrld:revokedPolicy ex:c . }`), turtle.Options{})
	require.NoError(t, err)
	more, err = base.Document(named)
	require.NoError(t, err)
	require.True(t, more.Has(ex+"c"), "a named graph is part of the document")
	for _, object := range []string{`"http://example.org/ns#c"`, `[]`} {
		_, err := base.Document(graphOf(t, prefixes+`ex:r odrld:revokedPolicy ex:c, `+object+` .`).Dataset())
		var re *delegation.RevocationError
		require.ErrorAs(t, err, &re)
		require.Equal(t, delegation.CodeInvalidRevocation, re.Code())
		require.Contains(t, err.Error(), "a revoked policy must be named by an IRI")
		require.Equal(t, 5, re.Place.Line)
	}
}

// TestUnknownRevocations: what may have been meant to withdraw a policy is an error, and
// what other vocabularies say beside a revocation is none.
func TestUnknownRevocations(t *testing.T) {
	t.Parallel()
	for text, term := range map[string]string{
		`ex:r odrld:revokedPolicies ex:c .`:                                  "odrl-delegation#revokedPolicies>",
		`ex:r odrld:RevokedPolicy ex:c .`:                                    "odrl-delegation#RevokedPolicy>",
		`ex:r odrld:revokedPolicy ex:c ; odrld:revokedPolicys ex:d .`:        "#revokedPolicys>",
		`ex:r odrl:revokedPolicy ex:c .`:                                     "odrl/2/revokedPolicy>",
		`ex:r <odrld:revokedPolicy> ex:c .`:                                  "<odrld:revokedPolicy>",
		`ex:r <http://w3id.org/jeswr/odrl-delegation#revokedPolicy> ex:c .`:  "<http://w3id.org/jeswr/odrl-delegation#revokedPolicy>",
		`ex:r <https://w3id.org/jeswr/ODRL-delegation#revokedPolicy> ex:c .`: "ODRL-delegation#revokedPolicy>",
		`ex:r a odrl:Revocation ; ex:revokes ex:c .`:                         "odrl/2/Revocation>",
		`ex:r a odrld:revocation .`:                                          "odrl-delegation#revocation>",
		`ex:r a "odrld:Revocation" .`:                                        `"odrld:Revocation"`,
		`ex:r odrld:revokedPolicy ex:c . ex:c a odrl:Agreement .`:            "Agreement>",
		`ex:c odrl:permission [ ] .`:                                         "permission>",
	} {
		_, err := delegation.Revoke(ex + "a").Document(graphOf(t, prefixes+text).Dataset())
		var re *delegation.RevocationError
		require.ErrorAs(t, err, &re, text)
		require.Equal(t, delegation.CodeInvalidRevocation, re.Code())
		require.ErrorContains(t, err, term+" is no term of a revocation")
		require.Equal(t, 5, re.Place.Line)
	}
	for _, text := range []string{
		``,
		`<http://odrl.example/me> a ex:Person ; ex:knows <https://odrl.example/> , "odrl" .`,
		`ex:r a odrld:Revocation , ex:Statement ; odrld:revokedPolicy <https://alice.example/odrl/p1> ; <http://purl.org/dc/terms/description> "see odrl:Policy" .`,
		`ex:r a _:odrl ; ex:why [ a ex:Reason ] .`,
	} {
		_, err := delegation.Revoke(ex + "a").Document(graphOf(t, prefixes+text).Dataset())
		require.NoError(t, err, text)
	}
}

// TestProvenance is section 7.11: nine statements for three policies.
func TestProvenance(t *testing.T) {
	t.Parallel()
	d, err := delegation.Provenance(compileAll(t, chainText(3, 2)))
	require.NoError(t, err)
	const prov = "http://www.w3.org/ns/prov#"
	var got []string
	for q := range d.Quads() {
		got = append(got, strings.NewReplacer(ex, "", prov, "", "https://w3id.org/jeswr/odrl-delegation#", "").
			Replace(d.Value(q.S)+" "+d.Value(q.P)+" "+d.Value(q.O)))
	}
	slices.Sort(got)
	require.Equal(t, []string{
		"a2 actedOnBehalfOf a1", "a3 actedOnBehalfOf a2",
		"p0 wasAttributedTo a0",
		"p1 delegatedUnder p0", "p1 wasAttributedTo a1", "p1 wasDerivedFrom p0",
		"p2 delegatedUnder p1", "p2 wasAttributedTo a2", "p2 wasDerivedFrom p1",
	}, got)
	d, err = delegation.Provenance(compileAll(t, edited(t, chainText(1), edit{0, "; odrl:assigner ex:a0", ""})))
	require.NoError(t, err)
	require.Zero(t, d.Len(), "what is missing is left out")
}

// TestExplanation: the explanation has the rules of every policy that was evaluated.
func TestExplanation(t *testing.T) {
	t.Parallel()
	chain := compileAll(t, chainText(3, 2))
	d := delegation.Explain(chain, ask(3), delegation.Options{})
	require.True(t, d.Permitted())
	var steps []string
	rules := 0
	for _, c := range d.Checks {
		steps = append(steps, string(c.Step)+"@"+digit(c.Hop+1))
		if c.Rules != nil {
			rules += len(c.Rules.Rules)
		}
	}
	require.Equal(t, strings.Fields(`1@0 3@0 4@0 7.9@0 1.5@1
		5a@2 5b@2 5c@2 5d@1 5e@1 5f@1 5a@3 5b@3 5c@3 5d@2 5e@2 5f@2
		6@1 7@1 6@2 7@2 8@3 9@3 10@0`), steps)
	require.Equal(t, 2+2+4+4+1, rules)
	require.Contains(t, d.Reasons[0].Message, "applies")

	d = delegation.Evaluate(chain, ask(3, action("write")), delegation.Options{})
	require.Equal(t, delegation.CodeScopeDenied, d.Code)
	require.Equal(t, "policy 1 of 3, <http://example.org/ns#p0>: the policy does not permit it to <http://example.org/ns#a1>, who passes it on [scope-denied]", d.String())
	require.NotEmpty(t, d.Reasons)
}

func TestCodes(t *testing.T) {
	t.Parallel()
	require.Len(t, delegation.Codes(), 27)
	for _, c := range delegation.Codes() {
		require.NotEmpty(t, c.Text())
		require.Regexp(t, `^[a-z]+(-[a-z]+)*$`, string(c))
	}
}
