package odrl_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/odrl"
)

// TestUnpinned has a row for every rule in section 10.4 of the specification "authz" that
// this package implements: the rules that no published vector tests. Each row is a request
// that would be decided the other way without the rule.
func TestUnpinned(t *testing.T) {
	t.Parallel()
	const profile = `ex:pol odrl:profile <https://w3id.org/jeswr/odrl-delegation> .`
	marketing := `; odrl:constraint ex:c` // of a prohibition
	purpose := compare("odrl:purpose", "eq", "ex:marketing")
	for _, row := range []struct {
		rule    string
		policy  string
		request *odrl.Request
		permits bool
		code    odrl.Code
	}{
		{"2 use does not cover grantUse", permission("") + `ex:perm odrl:action odrl:use .`, ask(action("grantUse")), false, odrl.CodeNoPermission},
		{"2 a prohibition of use does not cover grantUse", permission("; odrl:action odrl:grantUse") + `ex:pol odrl:prohibition [ odrl:action odrl:use ; odrl:target ex:doc ] .`, ask(action("grantUse")), true, odrl.CodePermitted},
		{"7 a delegationDepth that the caller asserts", permission("; odrl:constraint ex:c") + compare("odrld:delegationDepth", "lteq", "3"),
			ask(with("delegationDepth", odrl.Integer(1)), with("https://w3id.org/jeswr/odrl-delegation#delegationDepth", odrl.Integer(1))), false, odrl.CodeNoPermission},

		{"7 an unknown action of a permission", permission("") + `ex:perm odrl:action ex:dance .`, ask(action(ex + "dance")), false, ""},
		{"7 an unknown action of a prohibition", permission("") + `ex:pol odrl:prohibition [ odrl:action ex:dance ; odrl:target ex:doc ] .`, ask(), false, odrl.CodeConflict},
		{"7 an action that is a blank node", permission("") + `ex:pol odrl:prohibition [ odrl:action [ odrl:refinement ex:r ] ; odrl:target ex:doc ] .`, ask(), false, odrl.CodeConflict},
		{"7 an unknown left operand of a permission", permission("; odrl:constraint ex:c") + compare("ex:mood", "eq", "1"), ask(with("mood", odrl.Integer(1))), false, ""},
		{"7 an unknown left operand of a prohibition", prohibition(marketing) + compare("ex:mood", "eq", "1"), ask(), false, odrl.CodeConflict},
		{"7 an unknown operator of a permission", permission("; odrl:constraint ex:c") + compare("odrl:count", "almost", "1"), ask(with("count", odrl.Integer(1))), false, ""},
		{"7 an unknown operator of a prohibition", prohibition(marketing) + compare("odrl:count", "almost", "1"), ask(with("count", odrl.Integer(1))), false, odrl.CodeConflict},
		{"7 a constraint without a value", permission("; odrl:constraint ex:c") + `ex:c odrl:leftOperand odrl:count ; odrl:operator odrl:eq .`, ask(with("count", odrl.Integer(1))), false, ""},
		{"7 a right operand by reference", permission("; odrl:constraint ex:c") + compare("odrl:count", "eq", "1") + `ex:c odrl:rightOperandReference ex:r .`, ask(with("count", odrl.Integer(1))), false, ""},
		{"7 a target that is a blank node", permission("") + `ex:pol odrl:prohibition [ odrl:action odrl:read ; odrl:target [] ] .`, ask(), false, odrl.CodeConflict},
		{"7 a target that is a literal", `ex:pol a odrl:Set ; odrl:permission [ odrl:action odrl:read ; odrl:target "doc" ] .`, ask(), false, ""},
		{"7 an assignee that is a literal", `ex:pol a odrl:Set ; odrl:permission [ odrl:action odrl:read ; odrl:target ex:doc ; odrl:assignee "bob" ] .`, ask(), false, ""},
		{"7 an assignee of a prohibition that is a literal", permission("") + `ex:pol odrl:prohibition [ odrl:action odrl:read ; odrl:target ex:doc ; odrl:assignee "x" ] .`, ask(), false, odrl.CodeConflict},
		{"7 a permission without a target", `ex:pol a odrl:Set ; odrl:permission [ odrl:action odrl:read ; odrl:assignee ex:bob ] .`, ask(), false, ""},
		{"7 a prohibition without a target", permission("") + `ex:pol odrl:prohibition [ odrl:action odrl:read ] .`, ask(), false, odrl.CodeConflict},
		{"7 an unknown property of a permission", permission("; odrl:limit 1"), ask(), false, ""},
		{"7 an unknown profile", permission("") + `ex:pol odrl:profile ex:other .`, ask(), false, ""},
		{"7 an unknown conflict strategy", prohibition("") + `ex:pol odrl:conflict ex:coin .`, ask(), false, odrl.CodeConflict},
		{"7 two conflict strategies", prohibition("") + `ex:pol odrl:conflict odrl:prohibit , odrl:perm .`, ask(), false, odrl.CodeConflict},
		{"7 inheritance", permission("") + `ex:pol odrl:inheritFrom ex:base .`, ask(), false, ""},

		{"7 and", withParts(permission("; odrl:constraint ex:c") + `ex:c odrl:and ( ex:T ex:F ) .`), ask(with("purpose", text(ex+"research"))), false, ""},
		{"7 or", withParts(permission("; odrl:constraint ex:c") + `ex:c odrl:or ( ex:F ex:F2 ) .`), ask(with("purpose", text(ex+"research"))), false, ""},
		{"7 or, one holds", withParts(permission("; odrl:constraint ex:c") + `ex:c odrl:or ( ex:F ex:T ) .`), ask(with("purpose", text(ex+"research"))), true, odrl.CodePermitted},
		{"7 xone", withParts(permission("; odrl:constraint ex:c") + `ex:c odrl:xone ( ex:T ex:T2 ) .`), ask(with("purpose", text(ex+"research"))), false, ""},
		{"7 andSequence", withParts(permission("; odrl:constraint ex:c") + `ex:c odrl:andSequence ( ex:T ex:F ) .`), ask(with("purpose", text(ex+"research"))), false, ""},
		{"7 or of a prohibition, unknown", withParts(prohibition(marketing) + `ex:c odrl:or ( ex:F ex:U ) .`), ask(with("purpose", text(ex+"research"))), false, odrl.CodeConflict},

		{"7 a constrained prohibition that is met", prohibition(marketing) + purpose, ask(with("purpose", text(ex+"marketing"))), false, odrl.CodeConflict},
		{"7 a constrained prohibition that is not met", prohibition(marketing) + purpose, ask(with("purpose", text(ex+"research"))), true, odrl.CodePermitted},
		{"7 a constrained prohibition, nothing said", prohibition(marketing) + purpose, ask(), false, odrl.CodeConflict},
	} {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			d := decide(t, compileFor(t, row.policy+profile, odrl.DelegationProfile), row.request)
			require.Equal(t, row.permits, d.Permitted(), d.Reasons)
			if row.code != "" {
				require.Equal(t, row.code, d.Code, d.Reasons)
			}
		})
	}
	require.True(t, decide(t, compileFor(t, permission("")+profile, odrl.DelegationProfile), ask()).Permitted())
}
