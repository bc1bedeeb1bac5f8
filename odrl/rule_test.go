package odrl_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/odrl"
)

// ruled is a row about the parts of a rule: the rules of the policy, and the decision on
// the request in each dialect.
type ruled struct {
	name    string
	ttl     string
	request *odrl.Request
	model   odrl.Code // "" is not looked at
	profile odrl.Code
}

func (row ruled) run(t *testing.T) {
	t.Parallel()
	for dialect, want := range map[odrl.Dialect]odrl.Code{odrl.InformationModel: row.model, odrl.DelegationProfile: row.profile} {
		if want == "" {
			continue
		}
		d := decide(t, compileFor(t, row.ttl, dialect), row.request)
		require.Equal(t, want, d.Code, "%s: %v", dialect, d.Reasons)
	}
}

const (
	permitted    = odrl.CodePermitted
	noPermission = odrl.CodeNoPermission
	conflicting  = odrl.CodeConflict
	prohibited   = odrl.CodeProhibited
)

func TestTargets(t *testing.T) {
	t.Parallel()
	rule := func(target string) string {
		return `ex:pol a odrl:Set ; odrl:permission ex:perm . ex:perm odrl:assignee ex:bob ; odrl:action odrl:read ` + target + ` .`
	}
	forbid := func(target string) string {
		return permission("") + `ex:pol odrl:prohibition ex:proh . ex:proh odrl:action odrl:read ` + target + ` .`
	}
	adults := ` ; odrl:refinement [ odrl:leftOperand odrl:percentage ; odrl:operator odrl:gt ; odrl:rightOperand 17 ] `
	rows := []ruled{
		{"the target", rule(`; odrl:target ex:doc`), ask(), permitted, permitted},
		{"another", rule(`; odrl:target ex:other`), ask(), noPermission, noPermission},
		{"exact, not normalized", rule(`; odrl:target <http://example.org/ns#doc>`), ask(target("http://EXAMPLE.org/ns#doc")), noPermission, noPermission},
		{"one of several", rule(`; odrl:target ex:other, ex:doc`), ask(), permitted, permitted},
		{"none never applies", rule(``), ask(), noPermission, noPermission},
		{"of the policy", rule(``) + ` ex:pol odrl:target ex:doc .`, ask(), permitted, permitted},
		{"its own replaces the policy's", rule(`; odrl:target ex:other`) + ` ex:pol odrl:target ex:doc .`, ask(), noPermission, noPermission},
		{"a literal", rule(`; odrl:target "http://example.org/ns#doc"`), ask(), noPermission, noPermission},
		{"a blank node", rule(`; odrl:target []`), ask(), noPermission, noPermission},
		{"a list", rule(`; odrl:target ( ex:doc )`), ask(), noPermission, noPermission},
		{"the empty list", rule(`; odrl:target ()`), ask(target("http://www.w3.org/1999/02/22-rdf-syntax-ns#nil")), noPermission, noPermission},
		{"a blank node with a uid", rule(`; odrl:target [ odrl:uid ex:doc ]`), ask(), permitted, noPermission},
		{"another uid than its IRI", rule(`; odrl:target ex:doc . ex:doc odrl:uid ex:other`), ask(), noPermission, noPermission},
		{"the target as uid of another IRI", rule(`; odrl:target ex:other . ex:other odrl:uid ex:doc`), ask(), noPermission, noPermission},
		{"a literal and the target", rule(`; odrl:target "x", ex:doc`), ask(), permitted, permitted},
		{"the collection itself", rule(`; odrl:target ex:doc . ex:doc a odrl:AssetCollection`), ask(), permitted, permitted},
		{"a party as target", rule(`; odrl:target ex:doc . ex:doc a odrl:PartyCollection`), ask(), noPermission, noPermission},
		{"a member of a collection", rule(`; odrl:target ex:all . ex:all a odrl:AssetCollection`), ask(member(ex+"doc", ex+"all")), permitted, noPermission},
		{"by a class at another node", rule(`; odrl:target ex:all . [] a odrl:AssetCollection ; odrl:uid ex:all`), ask(member(ex+"doc", ex+"all")), noPermission, noPermission},
		{"by a class that is a literal", rule(`; odrl:target ex:all . ex:all a "http://www.w3.org/ns/odrl/2/AssetCollection"`), ask(member(ex+"doc", ex+"all")), noPermission, noPermission},
		{"by its source", rule(`; odrl:target [ a odrl:AssetCollection ; odrl:source ex:all ]`), ask(member(ex+"doc", ex+"all")), permitted, noPermission},
		{"a member of another", rule(`; odrl:target ex:all . ex:all a odrl:AssetCollection`), ask(member(ex+"doc", ex+"some")), noPermission, noPermission},
		{"membership is not assumed", rule(`; odrl:target ex:all . ex:all a odrl:AssetCollection`), ask(), noPermission, noPermission},
		{"nor taken from the policy", rule(`; odrl:target ex:all . ex:all a odrl:AssetCollection . ex:doc odrl:partOf ex:all`), ask(), noPermission, noPermission},
		{"nor followed further", rule(`; odrl:target ex:all . ex:all a odrl:AssetCollection`), ask(member(ex+"doc", ex+"some"), member(ex+"some", ex+"all")), noPermission, noPermission},
		{"a collection must be declared", rule(`; odrl:target ex:all`), ask(member(ex+"doc", ex+"all")), noPermission, noPermission},
		{"refined, met", rule(`; odrl:target [ a odrl:AssetCollection ; odrl:source ex:all ` + adults + `]`), ask(member(ex+"doc", ex+"all"), with("percentage", number(t, "18"))), permitted, noPermission},
		{"refined, not met", rule(`; odrl:target [ a odrl:AssetCollection ; odrl:source ex:all ` + adults + `]`), ask(member(ex+"doc", ex+"all"), with("percentage", number(t, "17"))), noPermission, noPermission},
		{"refined, unknown", rule(`; odrl:target [ a odrl:AssetCollection ; odrl:source ex:all ` + adults + `]`), ask(member(ex+"doc", ex+"all")), noPermission, noPermission},
		{"refined, the collection itself", rule(`; odrl:target ex:doc . ex:doc a odrl:AssetCollection` + adults), ask(with("percentage", number(t, "18"))), noPermission, noPermission},
		{"refined without a collection", rule(`; odrl:target ex:doc . ex:doc a ex:Thing ` + adults), ask(with("percentage", number(t, "18"))), noPermission, noPermission},
		{"a source that is refined, met", rule(`; odrl:target [ a odrl:AssetCollection ; odrl:source ex:all ] . ex:all a odrl:AssetCollection ` + adults), ask(member(ex+"doc", ex+"all"), with("percentage", number(t, "18"))), permitted, noPermission},
		{"a source that is refined, not met", rule(`; odrl:target [ a odrl:AssetCollection ; odrl:source ex:all ] . ex:all a odrl:AssetCollection ` + adults), ask(member(ex+"doc", ex+"all"), with("percentage", number(t, "17"))), noPermission, noPermission},
		{"a source that is refined, and the collection itself", rule(`; odrl:target ex:doc . ex:doc a odrl:AssetCollection ; odrl:source ex:all . ex:all a odrl:AssetCollection ` + adults), ask(with("percentage", number(t, "18"))), noPermission, noPermission},
		{"a refined source of all rules", `ex:pol a odrl:Set ; odrl:assignee ex:bob ; odrl:action odrl:read ; odrl:permission [ odrl:uid ex:1 ], [ odrl:uid ex:2 ] ; odrl:target [ a odrl:AssetCollection ; odrl:source ex:all ] . ex:all a odrl:AssetCollection ` + adults + ` .`, ask(member(ex+"doc", ex+"all"), with("percentage", number(t, "17"))), noPermission, noPermission},
		{"a source that is not understood", rule(`; odrl:target [ a odrl:AssetCollection ; odrl:source ex:all ] . ex:all odrl:limit 3`), ask(member(ex+"doc", ex+"all")), noPermission, noPermission},
		{"a source that is described", rule(`; odrl:target [ a odrl:AssetCollection ; odrl:source ex:all ] . ex:all a odrl:AssetCollection ; dcterms:title "all"`), ask(member(ex+"doc", ex+"all")), permitted, noPermission},
		{"members of a source, until then", rule(`; odrl:target [ a odrl:AssetCollection ; odrl:source ex:all ; <https://schema.org/validThrough> "2020-01-01" ]`), ask(member(ex+"doc", ex+"all")), noPermission, noPermission},
		{"an end of what a uid names", rule(`; odrl:target [ a odrl:AssetCollection ; odrl:uid ex:all ; <https://schema.org/validThrough> "2020-01-01" ]`), ask(member(ex+"doc", ex+"all")), permitted, noPermission},
		{"two sources", rule(`; odrl:target [ a odrl:AssetCollection ; odrl:source ex:all, ex:some ]`), ask(member(ex+"doc", ex+"all")), noPermission, noPermission},
		{"a constraint on a collection does not vanish", rule(`; odrl:target ex:doc . ex:doc odrl:constraint ex:c`), ask(), noPermission, noPermission},
		{"a misspelt refinement does not vanish", rule(`; odrl:target ex:doc . ex:doc odrl:refinment ex:c`), ask(), noPermission, noPermission},

		{"prohibited", forbid(`; odrl:target ex:doc`), ask(), conflicting, conflicting},
		{"another is prohibited", forbid(`; odrl:target ex:other`), ask(), permitted, permitted},
		{"all are prohibited", forbid(``), ask(), conflicting, conflicting},
		{"the policy's is prohibited", forbid(``) + ` ex:pol odrl:target ex:other .`, ask(), permitted, permitted},
		{"a literal is prohibited", forbid(`; odrl:target "x"`), ask(), conflicting, conflicting},
		{"a blank node is prohibited", forbid(`; odrl:target []`), ask(), conflicting, conflicting},
		{"a list is prohibited", forbid(`; odrl:target ( ex:other )`), ask(), conflicting, conflicting},
		{"the empty list is prohibited", forbid(`; odrl:target ()`), ask(), conflicting, conflicting},
		{"a list with a name is prohibited", forbid(`; odrl:target ex:list . ex:list rdf:first ex:doc ; rdf:rest ()`), ask(), conflicting, conflicting},
		{"it is prohibited to the empty list", forbid(`; odrl:target ex:doc ; odrl:assignee ()`), ask(), conflicting, conflicting},
		{"a collection with the asset", forbid(`; odrl:target ex:all . ex:all a odrl:AssetCollection`), ask(member(ex+"doc", ex+"all")), conflicting, conflicting},
		{"a collection without it", forbid(`; odrl:target ex:all . ex:all a odrl:AssetCollection`), ask(member(ex + "doc")), permitted, permitted},
		{"a collection, and nothing is stated", forbid(`; odrl:target ex:all . ex:all a odrl:AssetCollection`), ask(), conflicting, conflicting},
		{"membership over another collection", forbid(`; odrl:target ex:all`), ask(member(ex+"doc", ex+"some"), member(ex+"some", ex+"all")), conflicting, conflicting},
		{"membership by the policy", forbid(`; odrl:target ex:all . ex:doc odrl:partOf ex:all`), ask(), conflicting, conflicting},
		{"membership of the asset under another name", forbid(`; odrl:target ex:all . [] odrl:uid ex:doc ; odrl:partOf ex:all`), ask(), conflicting, conflicting},
		{"or under another IRI", forbid(`; odrl:target ex:all . ex:same odrl:uid ex:doc ; odrl:partOf ex:all`), ask(), conflicting, conflicting},
		{"membership of a node with the collection's name", forbid(`; odrl:target ex:all . ex:doc odrl:partOf [ odrl:uid ex:all ]`), ask(), conflicting, conflicting},
		{"or for which the collection is the source", forbid(`; odrl:target ex:all . ex:doc odrl:partOf [ odrl:source ex:all ]`), ask(), conflicting, conflicting},
		{"another name on the way", forbid(`; odrl:target ex:all . ex:doc odrl:partOf ex:some . [] odrl:uid ex:some ; odrl:partOf ex:all`), ask(), conflicting, conflicting},
		{"a name that is a literal", forbid(`; odrl:target ex:all . [] odrl:uid "http://example.org/ns#doc" ; odrl:partOf ex:all`), ask(), permitted, permitted},
		{"a collection that another node declares", forbid(`; odrl:target ex:all . [] a odrl:AssetCollection ; odrl:uid ex:all`), ask(), conflicting, conflicting},
		{"a collection of parties, which it declares", forbid(`; odrl:target ex:all . [] a odrl:PartyCollection ; odrl:uid ex:all`), ask(), permitted, permitted},
		{"the source of a collection itself", forbid(`; odrl:target [ a odrl:AssetCollection ; odrl:source ex:doc ]`), ask(member(ex + "doc")), conflicting, conflicting},
		{"membership in a circle", forbid(`; odrl:target ex:all . ex:doc odrl:partOf ex:some . ex:some odrl:partOf ex:doc`), ask(), permitted, permitted},
		{"a refined collection, not met", forbid(`; odrl:target [ a odrl:AssetCollection ; odrl:source ex:all ` + adults + `]`), ask(member(ex+"doc", ex+"all"), with("percentage", number(t, "3"))), permitted, conflicting},
		{"a collection whose source is refined, not met", forbid(`; odrl:target [ a odrl:AssetCollection ; odrl:source ex:all ] . ex:all a odrl:AssetCollection ` + adults), ask(member(ex+"doc", ex+"all"), with("percentage", number(t, "3"))), conflicting, conflicting},
		{"a refined collection, unknown", forbid(`; odrl:target [ a odrl:AssetCollection ; odrl:source ex:all ` + adults + `]`), ask(member(ex+"doc", ex+"all")), conflicting, conflicting},
	}
	for _, row := range rows {
		t.Run(row.name, row.run)
	}
}

func TestAssignees(t *testing.T) {
	t.Parallel()
	rule := func(assignee string) string {
		return `ex:pol a odrl:Set ; odrl:permission ex:perm . ex:perm odrl:target ex:doc ; odrl:action odrl:read ` + assignee + ` .`
	}
	forbid := func(assignee string) string {
		return permission("") + `ex:pol odrl:prohibition ex:proh . ex:proh odrl:target ex:doc ; odrl:action odrl:read ` + assignee + ` .`
	}
	rows := []ruled{
		{"the assignee", rule(`; odrl:assignee ex:bob`), ask(), permitted, permitted},
		{"another", rule(`; odrl:assignee ex:eve`), ask(), noPermission, noPermission},
		{"one of several", rule(`; odrl:assignee ex:eve, ex:bob`), ask(), permitted, permitted},
		{"none is everyone", rule(``), ask(), permitted, permitted},
		{"even nobody", rule(``), ask(agent("")), permitted, permitted},
		{"nobody is no assignee", rule(`; odrl:assignee ex:bob`), ask(agent("")), noPermission, noPermission},
		{"of the policy", rule(``) + ` ex:pol odrl:assignee ex:bob .`, ask(), permitted, permitted},
		{"another of the policy", rule(``) + ` ex:pol odrl:assignee ex:eve .`, ask(), noPermission, noPermission},
		{"its own replaces the policy's", rule(`; odrl:assignee ex:eve`) + ` ex:pol odrl:assignee ex:bob .`, ask(), noPermission, noPermission},
		{"and the other way round", rule(`; odrl:assignee ex:bob`) + ` ex:pol odrl:assignee ex:eve .`, ask(), permitted, permitted},
		{"a literal is not everyone", rule(`; odrl:assignee "bob"`), ask(), noPermission, noPermission},
		{"a blank node is not everyone", rule(`; odrl:assignee []`), ask(), noPermission, noPermission},
		{"a blank node does not fall back", rule(`; odrl:assignee []`) + ` ex:pol odrl:assignee ex:bob .`, ask(), noPermission, noPermission},
		{"a blank node with a uid", rule(`; odrl:assignee [ odrl:uid ex:bob ]`), ask(), permitted, noPermission},
		{"a member of a team", rule(`; odrl:assignee ex:team . ex:team a odrl:PartyCollection`), ask(member(ex+"bob", ex+"team")), permitted, noPermission},
		{"an asset as assignee", rule(`; odrl:assignee ex:bob . ex:bob a odrl:Asset`), ask(), noPermission, noPermission},
		{"an assigner changes nothing", rule(`; odrl:assignee ex:bob ; odrl:assigner ex:alice`), ask(), permitted, permitted},
		{"another role changes nothing", rule(`; odrl:assignee ex:bob ; odrl:informedParty ex:alice ; odrl:output ex:copy`), ask(), permitted, permitted},
		{"an unknown role does not vanish", rule(`; odrl:assignee ex:bob ; odrl:onlyParty ex:alice`), ask(), noPermission, noPermission},

		{"prohibited", forbid(`; odrl:assignee ex:bob`), ask(), conflicting, conflicting},
		{"another is prohibited", forbid(`; odrl:assignee ex:eve`), ask(), permitted, permitted},
		{"everyone is prohibited", forbid(``), ask(), conflicting, conflicting},
		{"a literal is prohibited", forbid(`; odrl:assignee "eve"`), ask(), conflicting, conflicting},
		{"a team with the party", forbid(`; odrl:assignee ex:team . ex:team a odrl:PartyCollection`), ask(member(ex+"bob", ex+"team")), conflicting, conflicting},
		{"a team without it", forbid(`; odrl:assignee ex:team . ex:team a odrl:PartyCollection`), ask(member(ex+"bob", ex+"other")), permitted, permitted},
		{"a team, and nothing is stated", forbid(`; odrl:assignee ex:team . ex:team a odrl:PartyCollection`), ask(), conflicting, conflicting},
		{"an unnamed requester", forbid(`; odrl:assignee ex:eve`) + ` ex:perm odrl:assignee ex:nobody . ex:pol odrl:permission [ odrl:target ex:doc ; odrl:action odrl:read ] .`, ask(agent("")), conflicting, conflicting},
	}
	for _, row := range rows {
		t.Run(row.name, row.run)
	}
}

// TestRuleNodes has nodes of all kinds in the place of a rule, and rules with properties
// that rules do not have.
func TestRuleNodes(t *testing.T) {
	t.Parallel()
	const (
		shared    = `ex:pol a odrl:Set ; odrl:action odrl:read ; odrl:target ex:doc ; odrl:assignee ex:bob . `
		elsewhere = `ex:pol odrl:action odrl:use ; odrl:target ex:other . `
		today     = `ex:c odrl:leftOperand odrl:dateTime ; odrl:operator odrl:lt ; odrl:rightOperand "2027-01-01T00:00:00Z"^^xsd:dateTime `
	)
	rows := []ruled{
		{"a blank rule", `ex:pol a odrl:Set ; odrl:permission [ odrl:target ex:doc ; odrl:assignee ex:bob ; odrl:action odrl:read ] .`, ask(), permitted, permitted},
		{"a typed rule", permission(`; a odrl:Permission`), ask(), permitted, permitted},
		{"typed as any rule", permission(`; a odrl:Rule`), ask(), permitted, permitted},
		{"a permission that is a prohibition", permission(`; a odrl:Prohibition`), ask(), noPermission, noPermission},
		{"of a class of nothing", permission(`; a odrl:Allowance`), ask(), noPermission, noPermission},
		{"of another namespace", permission(`; a ex:Allowance`), ask(), permitted, permitted},
		{"both at once", permission(``) + ` ex:pol odrl:prohibition ex:perm .`, ask(), conflicting, conflicting},
		{"a description", permission(`; dcterms:description "x"`), ask(), permitted, permitted},
		{"a rule that is replaced", permission(`; dcterms:isReplacedBy ex:perm2`), ask(), noPermission, noPermission},
		{"by another", permission(``) + ` ex:perm2 dcterms:replaces ex:perm .`, ask(), noPermission, noPermission},
		{"that replaces another", permission(`; dcterms:replaces ex:perm2`), ask(), permitted, permitted},
		{"that is invalidated", permission(``) + ` ex:act <http://www.w3.org/ns/prov#invalidated> ex:perm .`, ask(), noPermission, noPermission},
		{"a constraint that is replaced", permission(`; odrl:constraint ex:c`) + today + `; dcterms:isReplacedBy ex:d .`, ask(), noPermission, noPermission},
		{"by another constraint", permission(`; odrl:constraint ex:c`) + today + `. ex:d dcterms:replaces ex:c .`, ask(), noPermission, noPermission},
		{"that replaces another constraint", permission(`; odrl:constraint ex:c`) + today + `; dcterms:replaces ex:d .`, ask(), permitted, permitted},
		{"a target that is replaced", permission(``) + ` ex:doc dcterms:isReplacedBy ex:doc2 . ex:doc2 dcterms:replaces ex:doc .`, ask(), permitted, permitted},
		{"a prohibition that is replaced", prohibition(`; dcterms:isReplacedBy ex:proh2`), ask(), conflicting, conflicting},
		{"a refinement on a rule", permission(`; odrl:refinement ex:c`), ask(), noPermission, noPermission},
		{"a remedy on a permission", permission(`; odrl:remedy ex:d`), ask(), noPermission, noPermission},
		{"a consequence on a permission", permission(`; odrl:consequence ex:d`), ask(), noPermission, noPermission},
		{"a misspelt constraint", permission(`; odrl:constrain ex:c`), ask(), noPermission, noPermission},
		{"a constraint in the wrong namespace", permission(`; <https://www.w3.org/ns/odrl/2/constraint> ex:c`), ask(), noPermission, noPermission},
		{"the abstract relation", permission(`; odrl:relation ex:other`), ask(), noPermission, noPermission},
		{"a literal permission", `ex:pol a odrl:Set ; odrl:permission "all" .`, ask(), noPermission, noPermission},
		{"a literal prohibition", permission(``) + ` ex:pol odrl:prohibition "all" .`, ask(), conflicting, conflicting},
		{"a permission that is not there", shared + `ex:pol odrl:permission ex:there .`, ask(), noPermission, noPermission},
		{"a permission that has a title alone", shared + `ex:pol odrl:permission ex:there . ex:there a ex:Thing ; dcterms:title "x" .`, ask(), noPermission, noPermission},
		{"a prohibition that has a title alone", permission(``) + elsewhere + `ex:pol odrl:prohibition ex:there . ex:there dcterms:title "x" .`, ask(), conflicting, conflicting},
		{"a prohibition that is not there", permission(``) + shared + `ex:pol odrl:prohibition ex:there .`, ask(), conflicting, conflicting},
		{"which may be about something else than what is shared", permission(``) + elsewhere + `ex:pol odrl:prohibition ex:there .`, ask(), conflicting, conflicting},
		{"a list of permissions", shared + `ex:pol odrl:permission ( [ odrl:constraint [ odrl:leftOperand odrl:count ; odrl:operator odrl:lt ; odrl:rightOperand 3 ] ] ) .`, ask(), noPermission, noPermission},
		{"an empty list", shared + `ex:pol odrl:permission () .`, ask(), noPermission, noPermission},
		{"a list of prohibitions", permission(``) + elsewhere + `ex:pol odrl:prohibition ( [ odrl:action odrl:read ; odrl:target ex:doc ] ) .`, ask(), conflicting, conflicting},
		{"all of it shared", shared + `ex:pol odrl:permission [] .`, ask(), permitted, permitted},
		{"all of it shared, with a name", shared + `ex:pol odrl:permission ex:here . ex:here a odrl:Permission .`, ask(), permitted, permitted},
		{"an empty prohibition", permission(``) + ` ex:pol odrl:prohibition [] .`, ask(), conflicting, conflicting},
		{"a prohibition with an unknown property", prohibition(`; odrl:unless ex:c`), ask(), conflicting, conflicting},
		{"that is about something else all the same", permission(``) + ` ex:pol odrl:prohibition [ odrl:target ex:other ; odrl:action odrl:read ; odrl:unless ex:c ] .`, ask(), permitted, permitted},
		{"a prohibition typed as a permission", prohibition(`; a odrl:Permission`), ask(), conflicting, conflicting},
		{"a prohibition alone", `ex:pol a odrl:Set ; odrl:prohibition [ odrl:target ex:doc ; odrl:action odrl:read ] .`, ask(), prohibited, prohibited},
		{"no rule", `ex:pol a odrl:Set .`, ask(), noPermission, noPermission},
		{"a shared action", `ex:pol a odrl:Set ; odrl:action odrl:read ; odrl:permission [ odrl:target ex:doc ] .`, ask(), permitted, permitted},
		{"its own action replaces it", `ex:pol a odrl:Set ; odrl:action odrl:read ; odrl:permission [ odrl:target ex:doc ; odrl:action odrl:print ] .`, ask(), noPermission, noPermission},
	}
	for _, row := range rows {
		t.Run(row.name, row.run)
	}
}

// TestConflicts is the decision table of section 7.3.
func TestConflicts(t *testing.T) {
	t.Parallel()
	forbid := `ex:pol odrl:prohibition [ odrl:target ex:doc ; odrl:action odrl:read ] .`
	elsewhere := `ex:pol odrl:permission [ odrl:target ex:other ; odrl:action odrl:read ] .`
	rows := []ruled{
		{"neither", elsewhere + `ex:pol a odrl:Set .`, ask(), noPermission, noPermission},
		{"neither, with a strategy", elsewhere + `ex:pol a odrl:Set ; odrl:conflict odrl:perm .`, ask(), noPermission, noPermission},
		{"permission alone", permission("") + `ex:pol odrl:conflict odrl:prohibit .`, ask(), permitted, permitted},
		{"permission alone, unknown strategy", permission("") + `ex:pol odrl:conflict ex:coin .`, ask(), permitted, permitted},
		{"prohibition alone", elsewhere + forbid + `ex:pol a odrl:Set ; odrl:conflict odrl:perm .`, ask(), prohibited, prohibited},
		{"both, no strategy", permission("") + forbid, ask(), conflicting, conflicting},
		{"both, prohibit", permission("") + forbid + `ex:pol odrl:conflict odrl:prohibit .`, ask(), conflicting, conflicting},
		{"both, invalid", permission("") + forbid + `ex:pol odrl:conflict odrl:invalid .`, ask(), conflicting, conflicting},
		{"both, perm", permission("") + forbid + `ex:pol odrl:conflict odrl:perm .`, ask(), permitted, permitted},
		{"both, unknown", permission("") + forbid + `ex:pol odrl:conflict ex:coin .`, ask(), conflicting, conflicting},
		{"both, a literal", permission("") + forbid + `ex:pol odrl:conflict "http://www.w3.org/ns/odrl/2/perm" .`, ask(), conflicting, conflicting},
		{"both, perm twice over", permission("") + forbid + `ex:pol odrl:conflict odrl:perm, odrl:prohibit .`, ask(), conflicting, conflicting},
	}
	for _, row := range rows {
		t.Run(row.name, row.run)
	}
	p := compileFor(t, permission("")+forbid+`ex:pol odrl:conflict odrl:perm .`, odrl.InformationModel)
	d := decide(t, p, ask())
	require.True(t, d.Conflict)
	require.Len(t, d.Reasons, 2)
	require.False(t, decide(t, compileFor(t, permission(""), odrl.InformationModel), ask()).Conflict)
}

// TestManyRules: the index by target finds the same rules as a search through all.
func TestManyRules(t *testing.T) {
	t.Parallel()
	ttl := `ex:pol a odrl:Set ; odrl:conflict odrl:prohibit .
ex:pol odrl:prohibition [ odrl:target ex:d7 ; odrl:action odrl:print ] , [ odrl:target ex:shelf ; odrl:action odrl:print ] , [ odrl:target "?" ; odrl:action odrl:sell ] .
ex:pol odrl:permission [ odrl:target ex:all ; odrl:action odrl:index ] . ex:all a odrl:AssetCollection .
`
	for i := range 40 {
		ttl += `ex:pol odrl:permission [ odrl:target ex:d` + string(rune('0'+i%10)) + ` ; odrl:action odrl:use, odrl:transfer ] .` + "\n"
	}
	p := compileFor(t, ttl, odrl.InformationModel)
	rows := []struct {
		name    string
		request *odrl.Request
		code    odrl.Code
	}{
		{"one of many", ask(target(ex + "d3")), permitted},
		{"none of them", ask(target(ex + "e3")), noPermission},
		{"prohibited by its target", ask(target(ex+"d7"), action("print")), conflicting},
		{"prohibited by a target that names nothing", ask(target(ex+"d3"), action("sell")), conflicting},
		{"prohibited by membership", ask(target(ex+"d3"), action("print"), member(ex+"d3", ex+"shelf")), conflicting},
		{"not without it", ask(target(ex+"d3"), action("print")), permitted},
		{"permitted by a collection", ask(target(ex+"e1"), action("index"), member(ex+"e1", ex+"all")), permitted},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, row.code, decide(t, p, row.request).Code)
		})
	}
}
