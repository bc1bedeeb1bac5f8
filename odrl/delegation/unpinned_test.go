package delegation_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
)

// TestUnpinned has a row for every rule in section 10.4 of the specification "authz" that
// this package implements: the rules that no published vector tests. Each row is a chain
// that would be permitted without the rule.
func TestUnpinned(t *testing.T) {
	t.Parallel()
	const perm = `ex:p0 odrl:conflict odrl:perm .`
	forbid := func(policy, action, more string) string {
		return `ex:` + policy + ` odrl:prohibition ex:f . ex:f odrl:action odrl:` + action + ` ; odrl:target ex:doc ` + more + ` .`
	}
	bounded := "[ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:lteq ; odrl:rightOperand 2 ]"
	for _, row := range []struct {
		rule     string
		policies int
		edits    []edit
		request  *odrl.Request
		options  delegation.Options
		code     delegation.Code
	}{
		{"1 matched prohibition on the grantUse edge", 2, []edit{{0, "", forbid("p0", "grantUse", "")}}, ask(2), delegation.Options{}, delegation.CodeDelegationProhibited},
		{"1 strict prohibition under odrl:perm, edge", 2, []edit{{0, "", perm + forbid("p0", "grantUse", "")}}, ask(2), delegation.Options{}, delegation.CodeDelegationProhibited},
		{"1 strict prohibition under odrl:perm, scope", 2, []edit{{0, "", perm + forbid("p0", "read", "; odrl:assignee ex:a1")}}, ask(2), delegation.Options{}, delegation.CodeProhibited},
		{"1 strict prohibition under odrl:perm, leaf", 2, []edit{{1, "", `ex:p1 odrl:conflict odrl:perm .` + forbid("p1", "read", "")}}, ask(2), delegation.Options{}, delegation.CodeProhibited},

		{"2 step 5d: who passes it on may delegate", 2, []edit{{0, "ex:grant0 odrl:target ex:doc", "ex:grant0 odrl:target ex:other"}}, ask(2), delegation.Options{}, delegation.CodeDelegationDenied},
		{"2 explicit assignee on grantUse", 2, []edit{
			{0, "; odrl:assignee ex:a1", ""}, {0, "ex:read0 odrl:target ex:doc", "ex:read0 odrl:target ex:doc ; odrl:assignee ex:a1"},
		}, ask(2), delegation.Options{}, delegation.CodeNoExplicitGrant},
		{"2 use does not cover grantUse", 2, []edit{{0, "odrl:grantUse", "odrl:use"}}, ask(2), delegation.Options{}, delegation.CodeDelegationDenied},

		{"3 a delegated policy is an Agreement", 2, []edit{{1, "odrl:Agreement", "odrl:Set"}}, ask(2), delegation.Options{}, delegation.CodeNotAgreement},
		{"3 it has an assigner", 2, []edit{{1, "; odrl:assigner ex:a1", ""}}, ask(2), delegation.Options{}, delegation.CodeMissingParty},
		{"3 it has an assignee", 2, []edit{{1, "; odrl:assignee ex:a2", ""}}, ask(2), delegation.Options{}, delegation.CodeMissingParty},
		{"3 it is delegated under the one before", 2, []edit{{1, "odrld:delegatedUnder ex:p0", "odrld:delegatedUnder ex:q0"}}, ask(2), delegation.Options{}, delegation.CodeWrongParent},

		{"4 step 7: an ancestor prohibits it to who asks", 3, []edit{{0, "", forbid("p0", "read", "; odrl:assignee ex:a3")}}, ask(3), delegation.Options{}, delegation.CodeProhibited},
		{"4 step 9: who asks is the assignee of the last", 2, []edit{
			{1, "odrl:action odrl:read", "odrl:action odrl:read ; odrl:assignee ex:a2, ex:eve"},
		}, ask(2, agent(ex+"eve")), delegation.Options{}, delegation.CodeNotLeafAssignee},

		{"7 a delegationDepth that the caller asserts", 3, []edit{
			{0, bounded, "[ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:lteq ; odrl:rightOperand 1 ]"},
		}, ask(3, with("delegationDepth", odrl.Integer(1)), with("https://w3id.org/jeswr/odrl-delegation#delegationDepth", odrl.Integer(1))), delegation.Options{}, delegation.CodeDelegationDenied},
		{"7 requireDuties, a duty of the edge", 2, []edit{{0, "", `ex:grant0 odrl:duty [ odrl:action odrl:inform ] .`}}, ask(2), delegation.Options{RequireDuties: true}, delegation.CodeDutyOpen},
		{"7 requireDuties, an obligation of the parent", 2, []edit{{0, "", `ex:p0 odrl:obligation [ odrl:action odrl:inform ] .`}}, ask(2), delegation.Options{RequireDuties: true}, delegation.CodeDutyOpen},
		{"7 requireDuties, a duty of an ancestor's permission", 2, []edit{{0, "", `ex:read0 odrl:duty [ odrl:action odrl:inform ] .`}}, ask(2), delegation.Options{RequireDuties: true}, delegation.CodeDutyOpen},
		{"7 requireDuties, a duty of the last", 2, []edit{{1, "", `ex:read1 odrl:duty [ odrl:action odrl:inform ] .`}}, ask(2), delegation.Options{RequireDuties: true}, delegation.CodeDutyOpen},
		{"7 a duty about what has no name", 2, []edit{{1, "", `ex:read1 odrl:duty [ odrl:action odrl:inform ; odrl:target [ odrl:uid ex:logs ] ] .`}}, ask(2), delegation.Options{}, delegation.CodeDutyOpen},
		{"7 a duty about a part of what has a name", 2, []edit{{1, "", `ex:read1 odrl:duty [ odrl:action odrl:inform ; odrl:target ex:logs ] . ex:logs odrl:refinement [ odrl:leftOperand odrl:count ; odrl:operator odrl:lt ; odrl:rightOperand 5 ] .`}}, ask(2), delegation.Options{}, delegation.CodeDutyOpen},
		{"7 a duty that is not understood", 2, []edit{{1, "", `ex:read1 odrl:duty [ odrl:action ex:pray ] .`}}, ask(2), delegation.Options{}, delegation.CodeDutyOpen},
		{"7 an unknown term of a policy as a whole", 2, []edit{{0, "", `ex:p0 odrl:limit 1 .`}}, ask(2), delegation.Options{}, delegation.CodePolicyRefused},
		{"7 an unknown profile", 2, []edit{{0, "", `ex:p0 odrl:profile ex:other .`}}, ask(2), delegation.Options{}, delegation.CodePolicyRefused},
		{"7 a missing profile", 2, []edit{{0, profile, ""}}, ask(2), delegation.Options{}, delegation.CodeMissingProfile},
	} {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			depths := make([]int, row.policies)
			for i := range depths {
				if depths[i] = row.policies - 1 - i; depths[i] < 2 {
					depths[i] = 0 // the default
				}
			}
			require.True(t, decide(t, compileAll(t, chainText(row.policies, depths...)), ask(row.policies), delegation.Options{}).Permitted())
			d := decide(t, compileAll(t, edited(t, chainText(row.policies, depths...), row.edits...)), row.request, row.options)
			require.Equal(t, row.code, d.Code, d.Message)
		})
	}

	t.Run("3 acyclicity on its own", func(t *testing.T) {
		t.Parallel()
		// The middle policy occurs twice; its second occurrence is delegated under its
		// first, and everyone may delegate everything, so that only the repetition is wrong.
		texts := edited(t, chainText(3, 3, 3), edit{1, "odrl:assignee ex:a2", "odrl:assignee ex:a1"},
			edit{1, "odrld:delegatedUnder ex:p0", "odrld:delegatedUnder ex:p1"}, edit{2, "odrl:assigner ex:a2", "odrl:assigner ex:a1"})
		chain := compileAll(t, texts)
		d := decide(t, []*odrl.Policy{chain[0], chain[1], chain[1], chain[2]}, ask(3), delegation.Options{})
		require.Equal(t, delegation.CodeRepeatedPolicy, d.Code, d.Message)
	})
	t.Run("7 duties of all hops are kept", func(t *testing.T) {
		t.Parallel()
		duty := func(node, action string) string {
			return `ex:` + node + ` odrl:duty [ odrl:action odrl:` + action + ` ] .`
		}
		chain := compileAll(t, edited(t, chainText(3, 2), edit{0, "", duty("grant0", "inform")}, edit{1, "", duty("grant1", "attribute")},
			edit{0, "", duty("read0", "delete")}, edit{1, "", duty("read1", "anonymize")}, edit{2, "", duty("read2", "compensate")},
			edit{1, "", `ex:p1 odrl:obligation [ odrl:action odrl:archive ] .`}))
		var got []string
		for _, s := range decide(t, chain, ask(3), delegation.Options{}).Duties {
			require.False(t, s.Fulfilled)
			got = append(got, odrl.NodeName("<"+s.Action+">", s.Place))
		}
		require.Equal(t, []string{"odrl:inform", "odrl:attribute", "odrl:archive", "odrl:delete", "odrl:anonymize", "odrl:compensate"}, got)
	})
}
