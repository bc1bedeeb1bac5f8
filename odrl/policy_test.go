package odrl_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/rdf"
)

// TestStructure has the graphs that Compile refuses.
func TestStructure(t *testing.T) {
	t.Parallel()
	both := []odrl.Dialect{odrl.InformationModel, odrl.DelegationProfile}
	model, profile := both[:1], both[1:]
	rows := []struct {
		name     string
		ttl      string
		policy   string
		dialects []odrl.Dialect
		code     odrl.Code // "" when it compiles
	}{
		{"one", permission(""), "", both, ""},
		{"by IRI", permission(""), ex + "pol", both, ""},
		{"with its uid", permission(`. ex:pol odrl:uid ex:pol`), "", both, ""},
		{"an empty graph", ``, "", both, odrl.CodeNoPolicy},
		{"no policy", `ex:doc a ex:Document .`, "", both, odrl.CodeNoPolicy},
		{"another IRI", permission(""), ex + "other", both, odrl.CodeNoPolicy},
		{"the IRI of a rule", permission(""), ex + "perm", both, odrl.CodeNoPolicy},
		{"the wrong namespace", `ex:pol a <https://www.w3.org/ns/odrl/2/Set> ; <https://www.w3.org/ns/odrl/2/permission> [] .`, "", both, odrl.CodeNoPolicy},
		{"two", permission("") + ` ex:pol2 a odrl:Set .`, "", both, odrl.CodeSeveralPolicies},
		{"two, by IRI", permission("") + ` ex:pol2 a odrl:Set .`, ex + "pol", both, ""},
		{"two, one by its rule alone", permission("") + ` ex:pol2 odrl:prohibition [] .`, "", both, odrl.CodeSeveralPolicies},
		{"a blank node", `[] a odrl:Set ; odrl:permission [ odrl:target ex:doc ; odrl:action odrl:read ] .`, "", both, odrl.CodePolicyNotIRI},
		{"another uid", permission(`. ex:pol odrl:uid ex:other`), "", both, odrl.CodeUIDMismatch},
		{"two uids", permission(`. ex:pol odrl:uid ex:pol, ex:other`), "", both, odrl.CodeUIDMismatch},
		{"a literal uid", permission(`. ex:pol odrl:uid "http://example.org/ns#pol"`), "", both, odrl.CodeUIDMismatch},
		{"two subclasses", permission(`. ex:pol a odrl:Agreement`), "", both, odrl.CodeSeveralTypes},
		{"a class and a subclass", permission(`. ex:pol a odrl:Policy`), "", both, ""},
		{"no type", `ex:pol odrl:permission [ odrl:target ex:doc ; odrl:action odrl:read ] .`, "", model, ""},
		{"no type in the profile", `ex:pol odrl:permission [ odrl:target ex:doc ; odrl:action odrl:read ] .`, "", profile, odrl.CodeMissingType},
		{"a type that is a literal in the profile", `ex:pol a "http://www.w3.org/ns/odrl/2/Agreement" ; odrl:permission [ odrl:target ex:doc ; odrl:action odrl:read ] .`, "", profile, odrl.CodeMissingType},
		{"two assigners", permission(`. ex:pol odrl:assigner ex:a, ex:b`), "", model, ""},
		{"two assigners in the profile", permission(`. ex:pol odrl:assigner ex:a, ex:b`), "", profile, odrl.CodeSeveralAssigners},
		{"one of them blank", permission(`. ex:pol odrl:assigner ex:a, []`), "", profile, odrl.CodeSeveralAssigners},
		{"two assignees in the profile", permission(`. ex:pol odrl:assignee ex:a, ex:b`), "", profile, odrl.CodeSeveralAssignees},
		{"two parents", permission(`. ex:pol odrld:delegatedUnder ex:a, ex:b`), "", profile, odrl.CodeSeveralParents},
		{"a literal parent", permission(`. ex:pol odrld:delegatedUnder "x"`), "", profile, odrl.CodeInvalidParent},
		{"a blank parent", permission(`. ex:pol odrld:delegatedUnder []`), "", profile, odrl.CodeInvalidParent},
	}
	for _, row := range rows {
		for _, dialect := range row.dialects {
			t.Run(row.name+" in the "+dialect.String(), func(t *testing.T) {
				t.Parallel()
				p, err := odrl.Compile(parse(t, row.ttl), odrl.CompileOptions{Policy: row.policy, Dialect: dialect})
				if row.code == "" {
					require.NoError(t, err)
					require.Equal(t, ex+"pol", p.IRI())
					require.Equal(t, dialect, p.Dialect())
					return
				}
				var ce *odrl.CompileError
				require.ErrorAs(t, err, &ce)
				require.Equal(t, row.code, ce.Code(), err.Error())
				require.Nil(t, p)
				require.False(t, p.Evaluate(ask()).Permitted())
			})
		}
	}
}

// TestRefusals has the policies that compile and permit nothing.
func TestRefusals(t *testing.T) {
	t.Parallel()
	on := func(more string) string { return permission(". ex:pol " + more) }
	typed := func(class string) string {
		return strings.Replace(permission(""), "odrl:Set", class, 1)
	}
	rows := []struct {
		name           string
		ttl            string
		model, profile odrl.Code // "" when the policy is evaluated
	}{
		{"understood", permission(""), "", ""},
		{"the core profile", on(`odrl:profile odrl:core`), "", ""},
		{"the delegation profile", on(`odrl:profile <https://w3id.org/jeswr/odrl-delegation>`), odrl.CodeUnknownProfile, ""},
		{"with a hash", on(`odrl:profile odrld:`), odrl.CodeUnknownProfile, odrl.CodeUnknownProfile},
		{"an unknown profile", on(`odrl:profile ex:profile`), odrl.CodeUnknownProfile, odrl.CodeUnknownProfile},
		{"beside a known one", on(`odrl:profile odrl:core, ex:profile`), odrl.CodeUnknownProfile, odrl.CodeUnknownProfile},
		{"a literal profile", on(`odrl:profile "https://w3id.org/jeswr/odrl-delegation"`), odrl.CodeUnknownProfile, odrl.CodeUnknownProfile},
		{"inherits in the graph", on(`odrl:inheritFrom ex:base . ex:base odrl:permission [ odrl:target ex:doc2 ; odrl:action odrl:read ]`), "", odrl.CodeInherits},
		{"inherits from nowhere", on(`odrl:inheritFrom ex:base`), odrl.CodeMissingParent, odrl.CodeInherits},
		{"inherits from one that is only mentioned", on(`odrl:inheritFrom ex:base . ex:base a odrl:Set ; dcterms:title "base"`), odrl.CodeMissingParent, odrl.CodeInherits},
		{"inherits from one that is mentioned with its profile and party", on(`odrl:inheritFrom ex:base . ex:base a odrl:Set ; odrl:uid ex:base ; odrl:profile <http://www.w3.org/ns/odrl/2/core> ; odrl:assigner ex:org`), odrl.CodeMissingParent, odrl.CodeInherits},
		{"inherits from a literal", on(`odrl:inheritFrom "base"`), odrl.CodeMissingParent, odrl.CodeInherits},
		{"inherits from itself", on(`odrl:inheritFrom ex:pol`), odrl.CodeInheritanceCycle, odrl.CodeInherits},
		{"inherits in a circle", on(`odrl:inheritFrom ex:base . ex:base a odrl:Set ; odrl:inheritFrom ex:pol`), odrl.CodeInheritanceCycle, odrl.CodeInherits},
		{"inherits from one that is not understood", on(`odrl:inheritFrom ex:base . ex:base odrl:profile ex:profile ; odrl:obligation [ odrl:action odrl:inform ]`), odrl.CodeUnknownProfile, odrl.CodeInherits},
		{"inherits from one that is replaced", on(`odrl:inheritFrom ex:base . ex:base a odrl:Set ; dcterms:isReplacedBy ex:x`), odrl.CodeReplaced, odrl.CodeInherits},
		{"replaced", on(`dcterms:isReplacedBy ex:next`), odrl.CodeReplaced, odrl.CodeReplaced},
		{"replaces another", on(`dcterms:replaces ex:last`), "", ""},
		{"replaced, by the other", permission("") + ` ex:next dcterms:replaces ex:pol .`, odrl.CodeReplaced, odrl.CodeReplaced},
		{"replaced, by the other and a literal", permission("") + ` ex:next dcterms:replaces "` + ex + `pol"^^xsd:anyURI .`, odrl.CodeReplaced, odrl.CodeReplaced},
		{"replaces what it inherits from", on(`odrl:inheritFrom ex:base ; dcterms:replaces ex:base . ex:base a odrl:Set ; odrl:obligation [ odrl:action odrl:inform ]`), "", odrl.CodeInherits},
		{"inherits from one that it replaces", on(`odrl:inheritFrom ex:base . ex:base a odrl:Set ; dcterms:isReplacedBy ex:pol ; odrl:obligation [ odrl:action odrl:inform ]`), "", odrl.CodeInherits},
		{"inherits from one that replaces what it inherits from", on(`odrl:inheritFrom ex:base . ex:base a odrl:Set ; odrl:inheritFrom ex:below ; dcterms:replaces ex:below . ex:below a odrl:Set ; odrl:obligation [ odrl:action odrl:inform ]`), "", odrl.CodeInherits},
		{"inherits from both", on(`odrl:inheritFrom ex:below, ex:base . ex:base a odrl:Set ; odrl:inheritFrom ex:below ; dcterms:replaces ex:below . ex:below a odrl:Set ; odrl:obligation [ odrl:action odrl:inform ]`), "", odrl.CodeInherits},
		{"inherits from one and its successor", on(`odrl:inheritFrom ex:below, ex:base . ex:base a odrl:Set ; dcterms:replaces ex:below . ex:below a odrl:Set`), odrl.CodeReplaced, odrl.CodeInherits},
		{"inherits from what another heir replaces", on(`odrl:inheritFrom ex:base . ex:other odrl:inheritFrom ex:base ; dcterms:replaces ex:base . ex:base a odrl:Set`), odrl.CodeReplaced, odrl.CodeInherits},
		{"replaced by its heir", permission("") + ` ex:next a odrl:Set ; odrl:inheritFrom ex:pol ; dcterms:replaces ex:pol .`, odrl.CodeReplaced, odrl.CodeReplaced},
		{"another is replaced", permission("") + ` ex:next dcterms:replaces ex:last .`, "", ""},
		{"invalidated in another vocabulary", permission("") + ` ex:act <http://www.w3.org/ns/prov#invalidated> ex:pol .`, odrl.CodeUnknownProperty, odrl.CodeUnknownProperty},
		{"another is invalidated", permission("") + ` ex:act <http://www.w3.org/ns/prov#invalidated> ex:last .`, "", ""},
		{"what has it as its own", permission("") + ` ex:thing <urn:example:cancellationPolicy> ex:pol .`, "", ""},
		{"withdrawn in its own graph", permission("") + ` [] a odrld:Revocation ; odrld:revokedPolicy ex:pol .`, odrl.CodeUnknownProperty, odrl.CodeUnknownProperty},
		{"withdrawn by a literal", permission("") + ` ex:r odrld:revokedPolicy "` + ex + `pol" .`, odrl.CodeUnknownProperty, odrl.CodeUnknownProperty},
		{"a revocation without a policy", permission("") + ` ex:r a odrld:Revocation .`, odrl.CodeUnknownProperty, odrl.CodeUnknownProperty},
		{"another is withdrawn", permission("") + ` ex:r odrld:revokedPolicy ex:below .`, odrl.CodeUnknownProperty, odrl.CodeUnknownProperty},
		{"what another vocabulary withdraws", permission("") + ` ex:r ex:revokedPolicy ex:other .`, "", ""},
		{"an end in another vocabulary", on(`<https://schema.org/validThrough> "2020-01-01"`), odrl.CodeUnknownProperty, odrl.CodeUnknownProperty},
		{"withdrawn in another vocabulary", on(`<urn:example:withdrawn> true`), odrl.CodeUnknownProperty, odrl.CodeUnknownProperty},
		{"not withdrawn", on(`<urn:example:withdrawn> false`), "", ""},
		{"a last day in another vocabulary", on(`<https://schema.org/endDate> "2020-01-01"`), odrl.CodeUnknownProperty, odrl.CodeUnknownProperty},
		{"a period in Dublin Core", on(`dcterms:valid "start=2019-01-01; end=2020-01-01"`), odrl.CodeUnknownProperty, odrl.CodeUnknownProperty},
		{"other dates in Dublin Core", on(`dcterms:created "2019-01-01" ; dcterms:issued "2019-01-01" ; dcterms:modified "2019-01-01" ; dcterms:available "2019-01-01" ; dcterms:dateAccepted "2019-01-01"`), "", ""},
		{"versions in other vocabularies", on(`dcterms:hasVersion ex:v2 ; dcterms:isVersionOf ex:v0 ; dcterms:replaces ex:v1 ; <http://www.w3.org/ns/dcat#hasCurrentVersion> ex:v2 ; <http://www.w3.org/ns/dcat#previousVersion> ex:v1 ; <http://www.w3.org/2002/07/owl#versionInfo> "1" ; <http://www.w3.org/ns/prov#wasRevisionOf> ex:v1`), "", ""},
		{"withdrawn by its status", on(`<http://www.w3.org/ns/adms#status> <http://purl.org/adms/status/Withdrawn>`), odrl.CodeUnknownProperty, odrl.CodeUnknownProperty},
		{"revoked by its status, in a text", on(`<https://schema.org/creativeWorkStatus> "Revoked"`), odrl.CodeUnknownProperty, odrl.CodeUnknownProperty},
		{"of a perpetual validity", on(`<https://dalicc.poolparty.biz/DALICC/validityType> <https://dalicc.poolparty.biz/DALICC/perpetual>`), "", ""},
		{"of another validity", on(`<https://dalicc.poolparty.biz/DALICC/validityType> <https://dalicc.poolparty.biz/DALICC/fixed>`), odrl.CodeUnknownProperty, odrl.CodeUnknownProperty},
		{"of a negotiation that was terminated", on(`<https://w3id.org/dspace/2024/1/state> <https://w3id.org/dspace/2024/1/TERMINATED>`), odrl.CodeUnknownProperty, odrl.CodeUnknownProperty},
		{"of a consent that was refused", on(`<https://w3id.org/dpv#hasConsentStatus> <https://w3id.org/dpv#ConsentRefused>`), odrl.CodeUnknownProperty, odrl.CodeUnknownProperty},
		{"of a consent that was refused, by a class", on(`<https://w3id.org/dpv#hasConsentStatus> [ a <https://w3id.org/dpv#ConsentRefused> ]`), odrl.CodeUnknownProperty, odrl.CodeUnknownProperty},
		{"of a consent that was refused, by the class of what has a name", on(`<https://w3id.org/dpv#hasConsentStatus> ex:st . ex:st a <https://w3id.org/dpv#ConsentRefused>`), odrl.CodeUnknownProperty, odrl.CodeUnknownProperty},
		{"of a consent that was given, by a class", on(`<https://w3id.org/dpv#hasConsentStatus> [ a <https://w3id.org/dpv#ConsentGiven> ]`), "", ""},
		{"of another status", on(`<http://www.w3.org/ns/adms#status> <http://purl.org/adms/status/Completed> ; ex:status "active"`), "", ""},
		{"a status of what it is about", permission("") + ` ex:doc <http://www.w3.org/ns/adms#status> <http://purl.org/adms/status/Withdrawn> ; <https://schema.org/endDate> "2020-01-01" .`, "", ""},
		{"an end of what it is about", on(`odrl:permission [ odrl:target ex:doc3 ; odrl:action odrl:read ; odrl:assignee ex:bob ] . ex:doc3 <https://schema.org/validThrough> "2020-01-01"`), "", ""},
		{"an unknown property", on(`odrl:limit 3`), odrl.CodeUnknownProperty, odrl.CodeUnknownProperty},
		{"the wrong namespace", on(`<https://www.w3.org/ns/odrl/2/prohibition> []`), odrl.CodeUnknownProperty, odrl.CodeUnknownProperty},
		{"a term of the profile", on(`odrld:delegatedUnder ex:root`), odrl.CodeUnknownProperty, ""},
		{"an unknown one", on(`odrld:delegateTo ex:eve`), odrl.CodeUnknownProperty, odrl.CodeUnknownProperty},
		{"a constraint on the policy", on(`odrl:constraint []`), odrl.CodeMisplacedProperty, odrl.CodeMisplacedProperty},
		{"a duty on the policy", on(`odrl:duty []`), odrl.CodeMisplacedProperty, odrl.CodeMisplacedProperty},
		{"a description", on(`dcterms:title "x" ; ex:constraint []`), "", ""},
		{"an agreement", typed("odrl:Agreement"), "", ""},
		{"a policy", typed("odrl:Policy"), "", ""},
		{"an offer", typed("odrl:Offer"), odrl.CodeGrantsNothing, ""},
		{"a request", typed("odrl:Request"), odrl.CodeGrantsNothing, odrl.CodeGrantsNothing},
		{"an assertion", typed("odrl:Assertion"), odrl.CodeGrantsNothing, odrl.CodeGrantsNothing},
		{"a ticket", typed("odrl:Ticket"), odrl.CodeUnknownPolicyType, odrl.CodeUnknownPolicyType},
		{"a privacy policy", typed("odrl:Privacy"), odrl.CodeUnknownPolicyType, odrl.CodeUnknownPolicyType},
		{"of a class of nothing", on(`a odrl:Contract`), odrl.CodeUnknownPolicyType, odrl.CodeUnknownPolicyType},
		{"of a class that is a literal", on(`a "http://www.w3.org/ns/odrl/2/Agreement"`), odrl.CodeUnknownPolicyType, odrl.CodeUnknownPolicyType},
		{"of another namespace", on(`a ex:Contract`), "", ""},
		{"a rule as well", on(`a odrl:Permission`), odrl.CodeUnknownPolicyType, odrl.CodeUnknownPolicyType},
		{"described elsewhere by its uid", permission("") + ` [] odrl:uid ex:pol ; odrl:profile ex:profile .`, odrl.CodeSharedUID, odrl.CodeSharedUID},
		{"a rule at two nodes", permission("; odrl:uid ex:r") + ` ex:pol odrl:permission [ odrl:uid ex:r ; odrl:constraint [] ] .`, odrl.CodeSharedUID, odrl.CodeSharedUID},
		{"a rule that its uid constrains", permission("; odrl:uid ex:r") + ` ex:r odrl:constraint [] .`, odrl.CodeSharedUID, odrl.CodeSharedUID},
		{"a rule that another node constrains", permission("") + ` [] odrl:uid ex:perm ; odrl:constraint [] .`, odrl.CodeSharedUID, odrl.CodeSharedUID},
		{"a constraint at two nodes", permission("; odrl:constraint [ odrl:uid ex:c ; odrl:leftOperand odrl:count ], [ odrl:uid ex:c ; odrl:operator odrl:eq ]"), odrl.CodeSharedUID, odrl.CodeSharedUID},
		{"a target that another node refines", permission("") + ` [] odrl:uid ex:doc ; odrl:refinement [] .`, odrl.CodeSharedUID, odrl.CodeSharedUID},
		{"a target that another node names", permission("") + ` [] odrl:uid ex:doc ; a odrl:Asset ; dcterms:title "x" .`, "", ""},
		{"two rules of two uids", permission("; odrl:uid ex:r") + ` ex:pol odrl:permission [ odrl:uid ex:s ; odrl:constraint [] ] .`, "", ""},
		{"a rule whose uid it has as its IRI", permission("; odrl:uid ex:perm"), "", ""},
		{"an asset points at it", permission("") + ` ex:other odrl:hasPolicy ex:pol .`, odrl.CodeAssignedFromOutside, odrl.CodeAssignedFromOutside},
		{"a party points at it", permission("") + ` ex:eve odrl:assigneeOf ex:pol .`, odrl.CodeAssignedFromOutside, odrl.CodeAssignedFromOutside},
		{"an action of ODRL is included in another", permission("") + ` odrl:read odrl:includedIn odrl:play .`, odrl.CodeMisplacedProperty, odrl.CodeMisplacedProperty},
		{"an action of ODRL is included in one that is not known", permission("") + ` odrl:read odrl:includedIn ex:view .`, odrl.CodeMisplacedProperty, odrl.CodeMisplacedProperty},
		{"actions are included as in ODRL", permission("") + ` odrl:read odrl:includedIn odrl:use . odrl:display odrl:includedIn odrl:play . odrl:grantUse odrl:includedIn odrl:use . ex:view odrl:includedIn odrl:read .`, "", ""},
		{"its own asset and party point at it", permission("; odrl:assigner ex:al") + ` ex:doc odrl:hasPolicy ex:pol . ex:bob odrl:assigneeOf ex:pol . ex:al odrl:assignerOf ex:pol .`, "", ""},
		{"the asset that it shares with its rules points at it", permission("") + ` ex:pol odrl:target ex:doc ; odrl:prohibition [ odrl:action odrl:modify ] . ex:doc odrl:hasPolicy ex:pol .`, "", ""},
		{"an asset of one rule alone points at it", permission("") + ` ex:pol odrl:prohibition [ odrl:action odrl:print ; odrl:target ex:other ] . ex:doc odrl:hasPolicy ex:pol .`, odrl.CodeAssignedFromOutside, odrl.CodeAssignedFromOutside},
		{"its asset points at it, and a rule has none", permission("") + ` ex:pol odrl:prohibition [ odrl:action odrl:print ] . ex:doc odrl:hasPolicy ex:pol .`, odrl.CodeAssignedFromOutside, odrl.CodeAssignedFromOutside},
		{"the policy's asset points at it, and a rule has another", permission("") + ` ex:pol odrl:target ex:other . ex:other odrl:hasPolicy ex:pol .`, odrl.CodeAssignedFromOutside, odrl.CodeAssignedFromOutside},
		{"its asset points at it, and it inherits", permission("") + ` ex:pol odrl:inheritFrom ex:base . ex:base odrl:prohibition [ odrl:action odrl:print ; odrl:target ex:other ] . ex:doc odrl:hasPolicy ex:pol .`, odrl.CodeAssignedFromOutside, odrl.CodeAssignedFromOutside},
		{"its asset points at its parent", permission("") + ` ex:pol odrl:inheritFrom ex:base . ex:base odrl:prohibition [ odrl:action odrl:print ; odrl:target ex:doc ] . ex:doc odrl:hasPolicy ex:base .`, "", odrl.CodeInherits},
		{"its asset and another point at it", permission("") + ` ex:doc odrl:hasPolicy ex:pol . ex:other odrl:hasPolicy ex:pol .`, odrl.CodeAssignedFromOutside, odrl.CodeAssignedFromOutside},
		{"an asset points at a policy that is not there", permission("") + ` ex:other odrl:hasPolicy ex:poll .`, odrl.CodeAssignedFromOutside, odrl.CodeAssignedFromOutside},
		{"an asset points at it with a literal", permission("") + ` ex:doc odrl:hasPolicy "` + ex + `pol" .`, odrl.CodeAssignedFromOutside, odrl.CodeAssignedFromOutside},
		{"a party points at a rule", permission("") + ` ex:eve odrl:assigneeOf ex:perm .`, odrl.CodeAssignedFromOutside, odrl.CodeAssignedFromOutside},
		{"an asset points at another policy", permission("") + ` ex:other odrl:hasPolicy ex:pol2 . ex:pol2 a odrl:Set .`, "", ""},
		{"a prohibition that no policy leads to", permission("") + ` [] a odrl:Prohibition ; odrl:action odrl:read ; odrl:target ex:doc .`, odrl.CodeUnusedRule, odrl.CodeUnusedRule},
		{"one without a type", permission("") + ` [] odrl:action odrl:read .`, odrl.CodeUnusedRule, odrl.CodeUnusedRule},
		{"one behind a description", permission("") + ` ex:pol ex:prohibition [ odrl:action odrl:read ; odrl:target ex:doc ] .`, odrl.CodeUnusedRule, odrl.CodeUnusedRule},
		{"a constraint behind a description", permission("; ex:constraint [ odrl:leftOperand odrl:count ; odrl:operator odrl:lt ; odrl:rightOperand 3 ]"), odrl.CodeUnusedRule, odrl.CodeUnusedRule},
		{"a constraint that no rule leads to", permission("") + ` ex:c a odrl:Constraint .`, odrl.CodeUnusedRule, odrl.CodeUnusedRule},
		{"two that lead to each other", permission("") + ` ex:c odrl:and ex:d . ex:d odrl:and ex:c .`, odrl.CodeUnusedRule, odrl.CodeUnusedRule},
		{"a rule whose uid is a literal", permission("") + ` [] odrl:uid "` + ex + `perm" ; odrl:constraint [] .`, odrl.CodeUnusedRule, odrl.CodeUnusedRule},
		{"a prohibition as the output", permission("") + ` ex:pol odrl:output ex:no . ex:no a odrl:Prohibition ; odrl:action odrl:read ; odrl:target ex:doc .`, odrl.CodeUnusedRule, odrl.CodeUnusedRule},
		{"a constraint of a party in a role", permission("; odrl:informedParty ex:eve") + ` ex:eve odrl:constraint ex:c .`, odrl.CodeUnusedRule, odrl.CodeUnusedRule},
		{"a prohibition behind an assigner", permission("") + ` ex:pol odrl:assigner ex:al . ex:al odrl:foo [ a odrl:Prohibition ] .`, odrl.CodeUnusedRule, odrl.CodeUnusedRule},
		{"a rule that is an output and a rule", permission("; odrl:output ex:perm2") + ` ex:pol odrl:permission ex:perm2 . ex:perm2 odrl:action odrl:use ; odrl:target ex:doc ; odrl:assignee ex:bob .`, "", ""},
		{"a collection in a role, refined", permission("; odrl:informedParty [ a odrl:PartyCollection ; odrl:source ex:all ; odrl:refinement [ odrl:and ( ex:c ex:d ) ] ]") + ` ex:c odrl:leftOperand odrl:count . ex:d a odrl:Constraint .`, "", ""},
		{"a rule of another policy", permission("") + ` ex:pol2 a odrl:Set ; odrl:prohibition [ a odrl:Prohibition ; odrl:action odrl:read ; odrl:constraint [ odrl:and ( ex:c ex:d ) ] ] . ex:c a odrl:Constraint . ex:d odrl:leftOperand odrl:count .`, "", ""},
		{"assets, parties and actions that no rule names", permission("") + ` ex:a a odrl:Asset ; odrl:partOf ex:b . ex:b a odrl:AssetCollection . ex:c a odrl:Party ; odrl:uid ex:c . ex:d a odrl:Action ; odrl:includedIn odrl:use .`, "", ""},
		{"an assigner points at it", permission("") + ` ex:eve odrl:assignerOf ex:pol .`, odrl.CodeAssignedFromOutside, odrl.CodeAssignedFromOutside},
	}
	for _, row := range rows {
		for dialect, want := range map[odrl.Dialect]odrl.Code{odrl.InformationModel: row.model, odrl.DelegationProfile: row.profile} {
			t.Run(row.name+" in the "+dialect.String(), func(t *testing.T) {
				t.Parallel()
				p, err := odrl.Compile(parse(t, row.ttl), odrl.CompileOptions{Policy: ex + "pol", Dialect: dialect})
				require.NoError(t, err)
				f, refused := p.Refused()
				require.Equal(t, want != "", refused, f.String())
				require.Equal(t, want, f.Code, f.String())
				d := decide(t, p, ask())
				require.Equal(t, want == "", d.Permitted(), "%v", d.Reasons)
				if want != "" {
					require.Equal(t, want, d.Code)
					require.False(t, f.Place.IsZero())
					require.Equal(t, odrl.Deny, d.Verdict())
					findings, err := odrl.Lint(parse(t, row.ttl), odrl.CompileOptions{Policy: ex + "pol", Dialect: dialect})
					require.NoError(t, err)
					require.True(t, slices.ContainsFunc(findings, func(f odrl.Finding) bool { return f.Severity == odrl.Denies && f.Code == want }), "%v", findings)
				}
			})
		}
	}
}

// TestAgreementNeedsAnAssignee is 2.1.3 of the Information Model.
func TestAgreementNeedsAnAssignee(t *testing.T) {
	t.Parallel()
	ttl := `ex:pol a odrl:Agreement ; odrl:assigner ex:alice ; odrl:permission [ odrl:target ex:doc ; odrl:action odrl:read ] .`
	ruled{"", ttl, ask(), noPermission, permitted}.runNow(t)
	ruled{"", ttl + ` ex:pol odrl:assignee ex:bob .`, ask(), permitted, permitted}.runNow(t)
	// Whoever inherits such a permission has no more than the agreement gives.
	for more, want := range map[string]odrl.Code{``: noPermission, ` ex:pol odrl:assignee ex:bob .`: permitted, ` ex:child odrl:assignee ex:bob .`: permitted} {
		p, err := odrl.Compile(parse(t, ttl+` ex:child a odrl:Set ; odrl:inheritFrom ex:pol .`+more), odrl.CompileOptions{Policy: ex + "child"})
		require.NoError(t, err)
		require.Equal(t, want, decide(t, p, ask()).Code, more)
	}
}

func (row ruled) runNow(t *testing.T) {
	t.Helper()
	require.Equal(t, row.model, decide(t, compileFor(t, row.ttl, odrl.InformationModel), row.request).Code)
	require.Equal(t, row.profile, decide(t, compileFor(t, row.ttl, odrl.DelegationProfile), row.request).Code)
}

func TestInheritance(t *testing.T) {
	t.Parallel()
	compile := func(ttl string) *odrl.Policy {
		p, err := odrl.Compile(parse(t, ttl), odrl.CompileOptions{Policy: ex + "pol"})
		require.NoError(t, err)
		return p
	}
	child := `ex:pol a odrl:Set ; odrl:inheritFrom ex:base, ex:base2 ; odrl:assignee ex:bob . `
	base := `ex:base a odrl:Set ; odrl:action odrl:read ; odrl:permission [ odrl:target ex:doc ] . ex:base2 a odrl:Set ; odrl:obligation [ odrl:action odrl:inform ] . `
	d := decide(t, compile(child+base), ask())
	require.True(t, d.Permitted(), "%v", d.Reasons)
	require.False(t, decide(t, compile(child+base), ask(agent(ex+"eve"))).Permitted())
	require.Equal(t, conflicting, decide(t, compile(child+base+` ex:base2 odrl:prohibition [ odrl:target ex:doc ] .`), ask()).Code)
	// Several parents may give a policy several strategies.
	strategies := ` ex:base2 odrl:conflict odrl:perm ; odrl:prohibition [ odrl:target ex:doc ] . ex:base odrl:conflict `
	require.True(t, decide(t, compile(child+base+strategies+`odrl:perm .`), ask()).Permitted())
	require.Equal(t, conflicting, decide(t, compile(child+base+strategies+`odrl:prohibit .`), ask()).Code)

	line := func(n int) string {
		var b strings.Builder
		b.WriteString(permission(". ex:pol odrl:inheritFrom ex:b1"))
		for i := 1; i < n; i++ {
			fmt.Fprintf(&b, "ex:b%d a odrl:Set ; odrl:inheritFrom ex:b%d .\n", i, i+1)
		}
		fmt.Fprintf(&b, "ex:b%d a odrl:Set ; odrl:obligation [ odrl:action odrl:inform ] .\n", n)
		return b.String()
	}
	require.True(t, decide(t, compile(line(7)), ask()).Permitted())
	require.Equal(t, odrl.CodeInheritanceDepth, decide(t, compile(line(8)), ask()).Code)
	require.Equal(t, odrl.CodeInheritanceDepth, decide(t, compile(line(3000)), ask()).Code)
}

// TestNothingPermits: the zero decision, the zero policy, and requests that say too
// little do not permit.
func TestNothingPermits(t *testing.T) {
	t.Parallel()
	require.False(t, odrl.Decision{}.Permitted())
	require.Equal(t, odrl.Deny, odrl.Decision{}.Verdict())
	var none *odrl.Policy
	for _, p := range []*odrl.Policy{none, {}} {
		d := p.Evaluate(ask())
		require.Equal(t, odrl.CodeNotCompiled, d.Code)
		m := p.Match(ask(), 0)
		v, code := m.Verdict()
		require.Equal(t, odrl.Deny, v)
		require.Equal(t, odrl.CodeNotCompiled, code)
		require.Equal(t, odrl.CodeNotCompiled, m.Refused())
		require.Empty(t, m.Obligations())
		require.NotEmpty(t, m.Reasons())
	}
	var m odrl.Match
	v, code := m.Verdict()
	require.Equal(t, odrl.Deny, v)
	require.Equal(t, odrl.CodeNotCompiled, code)
	require.Equal(t, odrl.CodeNotCompiled, m.Refused())
	require.NotEmpty(t, m.Reasons())

	p := compileFor(t, permission(""), odrl.InformationModel)
	require.Equal(t, odrl.CodeRequestIncomplete, decide(t, p, ask(target(""))).Code)
	require.Equal(t, odrl.CodeRequestIncomplete, decide(t, p, ask(action(""))).Code)
	require.Equal(t, odrl.CodeRequestIncomplete, decide(t, p, &odrl.Request{}).Code)
}

func TestEvaluateAll(t *testing.T) {
	t.Parallel()
	compile := func(ttl string) *odrl.Policy { return compileFor(t, ttl, odrl.InformationModel) }
	yes := compile(permission(""))
	silent := compile(`ex:pol2 a odrl:Set ; odrl:permission [ odrl:target ex:other ; odrl:action odrl:read ] .`)
	no := compile(`ex:pol3 a odrl:Set ; odrl:prohibition [ odrl:target ex:doc ; odrl:action odrl:read ] .`)
	open := compile(permission(`; odrl:duty [ odrl:action odrl:inform ]`))
	refused := compile(`ex:pol4 a odrl:Set ; odrl:profile ex:p .`)
	next := compile(`ex:pol5 a odrl:Set ; dcterms:replaces ex:pol ; odrl:permission [ odrl:target ex:other ; odrl:action odrl:read ] .`)
	again := compile(`ex:pol6 a odrl:Set ; dcterms:replaces ex:pol9 ; odrl:permission [ odrl:target ex:doc ; odrl:action odrl:read ] . ex:pol <https://schema.org/endDate> "2020-01-01" . ex:pol2 dcterms:isReplacedBy ex:pol6 .`)
	rows := []struct {
		name     string
		policies []*odrl.Policy
		code     odrl.Code
	}{
		{"one that another replaces", []*odrl.Policy{yes, next}, odrl.CodeReplaced},
		{"in another order", []*odrl.Policy{silent, next, yes}, odrl.CodeReplaced},
		{"one that another says has ended", []*odrl.Policy{yes, again}, permitted},
		{"of which the other permits it", []*odrl.Policy{again, yes, silent}, permitted},
		{"and the other is replaced", []*odrl.Policy{again, yes, compile(`ex:pol7 a odrl:Set ; dcterms:replaces "` + ex + `pol6" .`)}, odrl.CodeReplaced},
		{"one that is replaced, and a prohibition", []*odrl.Policy{yes, next, no}, prohibited},
		{"one that replaces another", []*odrl.Policy{yes, compile(`ex:pol8 a odrl:Set ; dcterms:replaces ex:pol9 .`)}, permitted},
		{"none", nil, odrl.CodeNotCompiled},
		{"one that permits", []*odrl.Policy{yes}, permitted},
		{"and one that is silent", []*odrl.Policy{silent, yes}, permitted},
		{"only silent ones", []*odrl.Policy{silent, silent}, noPermission},
		{"a prohibition in another", []*odrl.Policy{yes, no}, prohibited},
		{"in any order", []*odrl.Policy{no, yes}, prohibited},
		{"an open duty beside a permission", []*odrl.Policy{yes, open}, odrl.CodeDutyOpen},
		{"one that is refused", []*odrl.Policy{yes, refused}, odrl.CodeUnknownProfile},
		{"one that is missing", []*odrl.Policy{yes, nil}, odrl.CodeNotCompiled},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d := odrl.EvaluateAll(row.policies, ask())
			require.Equal(t, row.code, d.Code)
			require.Equal(t, row.code == permitted, d.Permitted())
			require.NotEmpty(t, d.Reasons)
			require.Equal(t, row.code, d.Reasons[0].Code, "the deciding reason is first")
		})
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name   string
		ttl    string
		limits odrl.Limits
		limit  odrl.LimitName // "" when it fits
	}{
		{"rules fit", permission("") + ` ex:pol odrl:permission [] .`, odrl.Limits{Rules: 2}, ""},
		{"rules", permission("") + ` ex:pol odrl:permission [] .`, odrl.Limits{Rules: 1}, odrl.LimitRules},
		{"duties fit", permission(`; odrl:duty [ odrl:action odrl:inform, odrl:delete ; odrl:target ex:a, ex:b ]`), odrl.Limits{Rules: 5}, ""},
		{"duties by their combinations", permission(`; odrl:duty [ odrl:action odrl:inform, odrl:delete ; odrl:target ex:a, ex:b ]`), odrl.Limits{Rules: 4}, odrl.LimitRules},
		{"values fit", permission(`; odrl:target ex:a, ex:b`), odrl.Limits{List: 3}, ""},
		{"values", permission(`; odrl:target ex:a, ex:b, ex:c`), odrl.Limits{List: 3}, odrl.LimitList},
		{"a list fits", permission(`; odrl:constraint [ odrl:or ( ex:a ex:b ex:c ) ]`), odrl.Limits{List: 3}, ""},
		{"a list", permission(`; odrl:constraint [ odrl:or ( ex:a ex:b ex:c ex:d ) ]`), odrl.Limits{List: 3}, odrl.LimitList},
		{"right operands in a list", permission(`; odrl:constraint [ odrl:leftOperand odrl:purpose ; odrl:operator odrl:isAnyOf ; odrl:rightOperand ( 1 2 3 4 ) ]`), odrl.Limits{List: 3}, odrl.LimitList},
		{"checks fit", permission(`; odrl:constraint [ odrl:or ( ex:a ex:b ) ]`), odrl.Limits{Checks: 3}, ""},
		{"checks fit the largest number", permission(`; odrl:constraint [ odrl:or ( ex:a ex:b ) ]`), odrl.Limits{Checks: math.MaxInt}, ""},
		{"checks", permission(`; odrl:constraint [ odrl:or ( ex:a ex:b ) ]`), odrl.Limits{Checks: 2}, odrl.LimitChecks},
		{"a shared list fits", permission(`; odrl:constraint [ odrl:or ex:a, ex:b ] . ex:a odrl:or ex:l . ex:b odrl:and ex:l . ex:l rdf:first ex:c ; rdf:rest ( ex:d )`), odrl.Limits{Checks: 7}, ""},
		{"a shared list counts each time", permission(`; odrl:constraint [ odrl:or ex:a, ex:b, ex:e, ex:f ] . ex:a odrl:or ex:l . ex:b odrl:and ex:l . ex:e odrl:xone ex:l . ex:f odrl:or ex:l . ex:l rdf:first ex:c ; rdf:rest ( ex:d )`), odrl.Limits{Checks: 7}, odrl.LimitChecks},
		{"right operands in a shared list", permission(`; odrl:constraint [ odrl:leftOperand odrl:purpose ; odrl:operator odrl:isAnyOf ; odrl:rightOperand ex:l ], [ odrl:leftOperand odrl:purpose ; odrl:operator odrl:isNoneOf ; odrl:rightOperand ex:l ] . ex:l rdf:first ex:c ; rdf:rest ( ex:d )`), odrl.Limits{Checks: 3}, odrl.LimitChecks},
		{"inherited targets fit", `ex:pol a odrl:Set ; odrl:target ex:a, ex:b, ex:c ; odrl:permission [ odrl:action odrl:use ], [ odrl:action odrl:play ] .`, odrl.Limits{Checks: 6}, ""},
		{"inherited targets count for each rule", `ex:pol a odrl:Set ; odrl:target ex:a, ex:b, ex:c ; odrl:permission [ odrl:action odrl:use ], [ odrl:action odrl:play ] .`, odrl.Limits{Checks: 5}, odrl.LimitChecks},
		{"a rule that is inherited as well fits", permission("") + ` ex:pol odrl:inheritFrom ex:base . ex:base odrl:permission ex:perm .`, odrl.Limits{Checks: 3}, ""},
		{"a rule that is inherited as well is read again", permission("") + ` ex:pol odrl:inheritFrom ex:base . ex:base odrl:permission ex:perm .`, odrl.Limits{Checks: 2}, odrl.LimitChecks},
		{"constraints of duties fit", permission(`; odrl:duty [ odrl:action odrl:inform, odrl:delete ; odrl:target ex:a, ex:b ; odrl:constraint ex:c, ex:d ]`), odrl.Limits{Checks: 8}, ""},
		{"constraints of duties by their combinations", permission(`; odrl:duty [ odrl:action odrl:inform, odrl:delete ; odrl:target ex:a, ex:b ; odrl:constraint ex:c, ex:d ]`), odrl.Limits{Checks: 7}, odrl.LimitChecks},
		{"consequences fit", permission(`; odrl:duty [ odrl:action odrl:inform, odrl:delete ; odrl:consequence [ odrl:action odrl:inform ] ]`), odrl.Limits{Rules: 5}, ""},
		{"consequences by their combinations", permission(`; odrl:duty [ odrl:action odrl:inform, odrl:delete ; odrl:consequence [ odrl:action odrl:inform ] ]`), odrl.Limits{Rules: 4}, odrl.LimitRules},
		{"shared checks count each time", permission(`; odrl:constraint ex:c, ex:d . ex:c odrl:or ( ex:a ex:b ) . ex:d odrl:or ( ex:c ex:e )`), odrl.Limits{Checks: 7}, odrl.LimitChecks},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			p, err := odrl.Compile(parse(t, row.ttl), odrl.CompileOptions{Limits: row.limits, Policy: ex + "pol"})
			if row.limit == "" {
				require.NoError(t, err)
				return
			}
			var le *odrl.LimitError
			require.ErrorAs(t, err, &le)
			require.Equal(t, row.limit, le.Limit)
			require.Contains(t, le.Error(), fmt.Sprint(le.Max))
			require.False(t, le.Place.IsZero())
			require.Nil(t, p)
			_, err = odrl.Lint(parse(t, row.ttl), odrl.CompileOptions{Limits: row.limits})
			require.ErrorAs(t, err, &le)
		})
	}
	require.Equal(t, odrl.Limits{Rules: 10_000, List: 1_000, Checks: 100_000, TraceEntries: 10_000, TraceBytes: 1 << 20}, odrl.DefaultLimits())
}

// TestWideConstraints: a constraint whose parts are shared on every level would be
// evaluated a thousand million times; it is refused soon.
func TestWideConstraints(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(permission(`; odrl:constraint ex:l0n0`))
	const width = 20
	for level := range 7 {
		for n := range width {
			fmt.Fprintf(&b, "ex:l%dn%d odrl:or (", level, n)
			for m := range width {
				fmt.Fprintf(&b, " ex:l%dn%d", level+1, m)
			}
			b.WriteString(" ) .\n")
		}
	}
	_, err := odrl.Compile(parse(t, b.String()), odrl.CompileOptions{})
	var le *odrl.LimitError
	require.ErrorAs(t, err, &le)
	require.Equal(t, odrl.LimitChecks, le.Limit)
}

func TestPolicies(t *testing.T) {
	t.Parallel()
	require.Empty(t, odrl.Policies(parse(t, `ex:doc a ex:Document .`)))
	terms := odrl.Policies(parse(t, permission("")+` ex:two odrl:obligation [] . ex:three a odrl:Ticket . [] a odrl:Set .`))
	require.Len(t, terms, 4)
	require.Equal(t, rdf.KindBlank, terms[3].Kind())
	require.Equal(t, ex+"two", terms[1].Value())
}

// TestAccessors reads a policy as it was compiled.
func TestAccessors(t *testing.T) {
	t.Parallel()
	p := compileFor(t, `ex:pol a odrl:Agreement ; odrl:uid ex:pol ; odrl:profile odrl:core, <https://w3id.org/jeswr/odrl-delegation> ;
 odrl:assigner ex:alice ; odrl:assignee ex:bob ; odrld:delegatedUnder ex:root ;
 odrl:permission ex:perm, [ odrl:uid ex:named ; odrl:target ex:doc ; odrl:action odrl:use ; odrl:assignee ex:eve ] ; odrl:prohibition [ odrl:action odrl:sell ] .
ex:perm odrl:target ex:doc ; odrl:action odrl:grantUse ; odrl:duty ex:duty ; odrl:constraint
 [ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:lteq ; odrl:rightOperand 2 ] .
ex:duty odrl:action odrl:nextPolicy ; odrl:target ex:next .`, odrl.DelegationProfile)
	require.Equal(t, ex+"pol", p.IRI())
	require.Equal(t, core+"Agreement", p.Type())
	require.Equal(t, []string{core + "core", "https://w3id.org/jeswr/odrl-delegation"}, p.Profiles())
	require.Equal(t, ex+"alice", p.Assigner())
	require.Equal(t, ex+"bob", p.Assignee())
	require.Equal(t, ex+"root", p.DelegatedUnder())
	var rules []*odrl.Rule
	for r := range p.Rules() {
		rules = append(rules, r)
	}
	require.Len(t, rules, 3)
	r := rules[0]
	require.Equal(t, odrl.Permission, r.Kind())
	require.Equal(t, ex+"perm", r.ID())
	require.Equal(t, "<"+ex+"perm>", r.Node())
	require.Equal(t, 11, r.Place().Line)
	require.True(t, r.HasAction(core+"grantUse"))
	require.False(t, r.HasAction(core+"use"))
	require.True(t, r.HasAssignee(ex+"bob"), "the policy's")
	require.False(t, r.HasAssignee(ex+"eve"))
	require.Equal(t, odrl.DepthBounded, r.Depth())
	require.Len(t, r.Duties(), 1)
	require.Equal(t, core+"nextPolicy", r.Duties()[0].Action())
	require.Equal(t, ex+"next", r.Duties()[0].Target())
	require.Equal(t, ex+"duty", r.Duties()[0].ID())
	require.Equal(t, ex+"named", rules[1].ID())
	require.False(t, rules[1].HasAssignee(ex+"bob"))
	require.Equal(t, odrl.Prohibition, rules[2].Kind())
	require.Equal(t, odrl.DepthUnbounded, rules[2].Depth())
	_, refused := p.Refused()
	require.False(t, refused)
}

func TestErrorTexts(t *testing.T) {
	t.Parallel()
	_, err := odrl.Compile(parse(t, permission(`. ex:pol odrl:uid ex:other`)), odrl.CompileOptions{})
	var ce *odrl.CompileError
	require.True(t, errors.As(err, &ce))
	require.Equal(t, "p.ttl:10:93: the uid of the policy is <http://example.org/ns#other>, not its IRI", err.Error())
}
