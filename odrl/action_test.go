package odrl_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/odrl"
)

// TestDelegationActions is the implied-by table of section 7.4, every pair.
func TestDelegationActions(t *testing.T) {
	t.Parallel()
	coveredBy := map[string]string{
		"use": "use", "append": "append write use", "control": "control", "grantUse": "grantUse",
		"nextPolicy": "nextPolicy", "transfer": "transfer",
	}
	for _, a := range strings.Fields("read write modify delete distribute aggregate index archive attribute compensate inform anonymize") {
		coveredBy[a] = a + " use"
	}
	require.Len(t, coveredBy, 18)
	require.Len(t, odrl.Support(odrl.DelegationProfile).Actions, 18)
	pairs := 0
	for requested, rules := range coveredBy {
		for rule := range coveredBy {
			want := strings.Contains(" "+rules+" ", " "+rule+" ")
			require.Equal(t, want, odrl.DelegationProfile.Covers(rule, requested), "%s covers %s", rule, requested)
			pairs++
		}
	}
	require.Equal(t, 18*18, pairs)
}

func TestActionHierarchy(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name            string
		dialect         odrl.Dialect
		rule, requested string
		want            bool
	}{
		{"use covers play", odrl.InformationModel, "use", "play", true},
		{"use covers display over play", odrl.InformationModel, "use", "display", true},
		{"play covers display", odrl.InformationModel, "play", "display", true},
		{"display does not cover play", odrl.InformationModel, "display", "play", false},
		{"reproduce covers extract", odrl.InformationModel, "reproduce", "extract", true},
		{"use covers extract", odrl.InformationModel, "use", "extract", true},
		{"transfer covers give", odrl.InformationModel, "transfer", "give", true},
		{"transfer covers sell", odrl.InformationModel, "transfer", "sell", true},
		{"use does not cover sell", odrl.InformationModel, "use", "sell", false},
		{"use does not cover transfer", odrl.InformationModel, "use", "transfer", false},
		{"use covers grantUse", odrl.InformationModel, "use", "grantUse", true},
		{"but not in the profile", odrl.DelegationProfile, "use", "grantUse", false},
		{"write is its own", odrl.InformationModel, "modify", "write", false},
		{"and modify too", odrl.InformationModel, "write", "modify", false},
		{"deprecated append is unknown", odrl.InformationModel, "use", core + "append", false},
		{"deprecated copy is unknown", odrl.InformationModel, "use", "copy", false},
		{"license is not grantUse", odrl.InformationModel, "license", "grantUse", false},
		{"append is the access mode", odrl.InformationModel, "write", "http://www.w3.org/ns/auth/acl#Append", true},
		{"append does not cover write", odrl.DelegationProfile, "append", "write", false},
		{"use does not cover control", odrl.InformationModel, "use", "control", false},
		{"creative commons", odrl.InformationModel, "use", "http://creativecommons.org/ns#Sharing", true},
		{"commercial use", odrl.InformationModel, "use", "http://creativecommons.org/ns#CommercialUse", true},
		{"commercial use as ODRL misspelt it", odrl.InformationModel, "http://creativecommons.org/ns#CommericalUse", "http://creativecommons.org/ns#CommercialUse", true},
		{"commercial use asked for as ODRL misspelt it", odrl.InformationModel, "http://creativecommons.org/ns#CommercialUse", "http://creativecommons.org/ns#CommericalUse", true},
		{"not in the profile", odrl.DelegationProfile, "use", "play", false},
		{"unknown covers nothing", odrl.InformationModel, ex + "a", ex + "a", false},
		{"empty", odrl.InformationModel, "", "", false},
		{"access modes as such are unknown", odrl.InformationModel, "use", "http://www.w3.org/ns/auth/acl#Read", false},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, row.want, row.dialect.Covers(row.rule, row.requested))
		})
	}
}

func TestActionIRI(t *testing.T) {
	t.Parallel()
	require.Equal(t, core+"read", odrl.ActionIRI("read"))
	require.Equal(t, "http://www.w3.org/ns/auth/acl#Append", odrl.ActionIRI("append"))
	require.Equal(t, "http://www.w3.org/ns/auth/acl#Control", odrl.ActionIRI("control"))
	require.Equal(t, core+"append", odrl.ActionIRI(core+"append"))
}

// TestRuleActions evaluates actions as a rule has them.
func TestRuleActions(t *testing.T) {
	t.Parallel()
	rule := func(actions string) string {
		return `ex:pol a odrl:Set ; odrl:permission ex:perm . ex:perm odrl:target ex:doc ; odrl:assignee ex:bob ` + actions + ` .`
	}
	forbid := func(actions string) string {
		return permission("") + `ex:pol odrl:prohibition [ odrl:target ex:doc ` + actions + ` ] .`
	}
	rows := []struct {
		name    string
		ttl     string
		request *odrl.Request
		code    odrl.Code
	}{
		{"the action", rule(`; odrl:action odrl:read`), ask(), odrl.CodePermitted},
		{"by IRI", rule(`; odrl:action odrl:read`), ask(action(core + "read")), odrl.CodePermitted},
		{"one that covers it", rule(`; odrl:action odrl:use`), ask(), odrl.CodePermitted},
		{"another", rule(`; odrl:action odrl:print`), ask(), odrl.CodeNoPermission},
		{"several, one fits", rule(`; odrl:action odrl:print, odrl:read`), ask(), odrl.CodePermitted},
		{"several, one unknown", rule(`; odrl:action ex:view, odrl:read`), ask(), odrl.CodePermitted},
		{"unknown on a permission", rule(`; odrl:action ex:view`), ask(action(ex + "view")), odrl.CodeNoPermission},
		{"declared by the policy is still unknown", rule(`; odrl:action ex:view`) + ` ex:view a odrl:Action ; odrl:includedIn odrl:use .`, ask(action(ex + "view")), odrl.CodeNoPermission},
		{"use does not cover what the policy declares", rule(`; odrl:action odrl:use`) + ` ex:view odrl:includedIn odrl:use .`, ask(action(ex + "view")), odrl.CodeNoPermission},
		{"none", rule(``), ask(), odrl.CodeNoPermission},
		{"a literal", rule(`; odrl:action "read"`), ask(), odrl.CodeNoPermission},
		{"a blank node that says none", rule(`; odrl:action []`), ask(), odrl.CodeNoPermission},
		{"a blank node with a value", rule(`; odrl:action [ rdf:value odrl:read ]`), ask(), odrl.CodePermitted},
		{"an end of its own", rule(`; odrl:action [ rdf:value odrl:read ; <https://schema.org/validThrough> "2020-01-01" ]`), ask(), odrl.CodeNoPermission},
		{"an end of one that has a name here", rule(`; odrl:action ex:view . ex:view rdf:value odrl:read ; <https://schema.org/validThrough> "2020-01-01"`), ask(), odrl.CodeNoPermission},
		{"no end of its own", rule(`; odrl:action [ rdf:value odrl:read ; <urn:example:withdrawn> false ]`), ask(), odrl.CodePermitted},
		{"a name that is deprecated", rule(`; odrl:action odrl:read . odrl:read <http://www.w3.org/2002/07/owl#deprecated> true`), ask(), odrl.CodePermitted},
		{"two values", rule(`; odrl:action [ rdf:value odrl:read, odrl:print ]`), ask(), odrl.CodeNoPermission},
		{"a value of an action that has a meaning", rule(`; odrl:action odrl:use . odrl:use rdf:value odrl:print`), ask(), odrl.CodeNoPermission},
		{"an unknown value", rule(`; odrl:action [ rdf:value ex:view ]`), ask(), odrl.CodeNoPermission},
		{"refined and satisfied", rule(`; odrl:action [ rdf:value odrl:read ; odrl:refinement [ odrl:leftOperand odrl:resolution ; odrl:operator odrl:lteq ; odrl:rightOperand 1200 ] ]`), ask(with("resolution", number(t, "600"))), odrl.CodePermitted},
		{"refined and not satisfied", rule(`; odrl:action [ rdf:value odrl:read ; odrl:refinement [ odrl:leftOperand odrl:resolution ; odrl:operator odrl:lteq ; odrl:rightOperand 1200 ] ]`), ask(with("resolution", number(t, "2400"))), odrl.CodeNoPermission},
		{"refined and unknown", rule(`; odrl:action [ rdf:value odrl:read ; odrl:refinement [ odrl:leftOperand odrl:resolution ; odrl:operator odrl:lteq ; odrl:rightOperand 1200 ] ]`), ask(), odrl.CodeNoPermission},
		{"a named refined action", rule(`; odrl:action ex:print`) + ` ex:print rdf:value odrl:read ; odrl:refinement [ odrl:leftOperand odrl:resolution ; odrl:operator odrl:lteq ; odrl:rightOperand 1200 ] .`, ask(with("resolution", number(t, "1200"))), odrl.CodePermitted},
		{"a value that is refined", rule(`; odrl:action [ rdf:value odrl:read ]`) + ` odrl:read odrl:refinement [ odrl:leftOperand odrl:resolution ; odrl:operator odrl:lteq ; odrl:rightOperand 1200 ] .`, ask(with("resolution", number(t, "600"))), odrl.CodeNoPermission},
		{"a value that is not understood", rule(`; odrl:action [ rdf:value odrl:read ] . odrl:read odrl:limit 3`), ask(), odrl.CodeNoPermission},
		{"a value that is described", rule(`; odrl:action [ rdf:value odrl:read ] . odrl:read a odrl:Action ; odrl:includedIn odrl:use ; dcterms:title "read"`), ask(), odrl.CodePermitted},
		{"a misspelt refinement does not vanish", rule(`; odrl:action [ rdf:value odrl:read ; odrl:refinment [ odrl:leftOperand odrl:resolution ] ]`), ask(), odrl.CodeNoPermission},
		{"an unknown requested action", rule(`; odrl:action odrl:use`), ask(action(ex + "view")), odrl.CodeNoPermission},

		{"prohibited", forbid(`; odrl:action odrl:read`), ask(), odrl.CodeConflict},
		{"a wider one is prohibited", forbid(`; odrl:action odrl:use`), ask(), odrl.CodeConflict},
		{"another is prohibited", forbid(`; odrl:action odrl:print`), ask(), odrl.CodePermitted},
		{"commercial use is prohibited", forbid(`; odrl:action cc:CommercialUse`), ask(), odrl.CodePermitted},
		{"commercial use is prohibited and asked for in the other spelling", forbid(`; odrl:action cc:CommercialUse`), ask(action("http://creativecommons.org/ns#CommericalUse")), odrl.CodeProhibited},
		{"an unknown one is prohibited", forbid(`; odrl:action ex:view`), ask(), odrl.CodeConflict},
		{"none is named", forbid(``), ask(), odrl.CodeConflict},
		{"a literal is prohibited", forbid(`; odrl:action "read"`), ask(), odrl.CodeConflict},
		{"refined, and the refinement is unknown", forbid(`; odrl:action [ rdf:value odrl:read ; odrl:refinement [ odrl:leftOperand odrl:resolution ; odrl:operator odrl:gt ; odrl:rightOperand 1200 ] ]`), ask(), odrl.CodeConflict},
		{"refined, and it is not met", forbid(`; odrl:action [ rdf:value odrl:read ; odrl:refinement [ odrl:leftOperand odrl:resolution ; odrl:operator odrl:gt ; odrl:rightOperand 1200 ] ]`), ask(with("resolution", number(t, "600"))), odrl.CodePermitted},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d := decide(t, compileFor(t, row.ttl, odrl.InformationModel), row.request)
			require.Equal(t, row.code, d.Code, "%v", d.Reasons)
		})
	}
}
