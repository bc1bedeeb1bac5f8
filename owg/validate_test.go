package owg_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/owg"
)

// TestExamples: the workflows that the specification calls valid are valid.
func TestExamples(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"localize.json", "season.json", "book-to-press.json"} {
		r := validate(t, file(t, name), owg.ValidateOptions{Now: noon(), Strict: true})
		require.True(t, r.Valid())
		require.Empty(t, said(r.Findings), name)
	}
	var zero owg.Report
	require.False(t, zero.Valid())
	require.False(t, (*owg.Report)(nil).Valid())
}

const (
	scope = "tasks.0.delegation.scope"
	lead  = "participants.0.identity"
)

// TestRules has a row for each rule of section C.2, on the example of the specification.
func TestRules(t *testing.T) {
	t.Parallel()
	base := file(t, "localize.json")
	widens := []string{"error OWG_DELEGATION_WIDENS /tasks/0/delegation/scope"}
	for _, row := range []struct {
		name string
		edit []change
		want []string
	}{
		{"V-1 participants missing", []change{{"participants", gone{}}}, []string{"error OWG_TYPE", "error OWG_REF_UNKNOWN /tasks/0/performed_by", "error OWG_REF_UNKNOWN /tasks/0/delegation/by"}},
		{"V-1 participants of another type", []change{{"participants", map[string]any{}}}, []string{"error OWG_TYPE /participants", "error OWG_REF_UNKNOWN /tasks/0/performed_by", "error OWG_REF_UNKNOWN /tasks/0/delegation/by"}},
		{"V-1 a participant that is no object", []change{{"participants.0", "ops_lead"}}, []string{"error OWG_TYPE /participants/0", "error OWG_REF_UNKNOWN /tasks/0/delegation/by"}},
		{"V-1 tasks missing", []change{{"tasks", gone{}}}, []string{"error OWG_TYPE"}},
		{"V-1 a task that is no object", []change{{"tasks.0", nil}}, []string{"error OWG_TYPE /tasks/0"}},
		{"V-1 a task without an id", []change{{"tasks.0.id", gone{}}}, []string{"error OWG_TYPE /tasks/0"}},
		{"V-1 a kind that is no string", []change{{"participants.0.kind", 1}}, []string{"error OWG_TYPE /participants/0/kind"}},
		{"V-1 an empty id", []change{{"tasks.0.id", ""}}, []string{"error OWG_TYPE /tasks/0/id"}},
		{"V-1 null is no absence", []change{{"tasks.0.delegation", nil}}, []string{"error OWG_TYPE /tasks/0/delegation"}},
		{"V-1 a scope that is a string", []change{{scope, "read:masters"}}, []string{"error OWG_TYPE /tasks/0/delegation/scope"}},
		{"V-1 a number in a scope", []change{{scope, []any{"read:masters", 1}}}, []string{"error OWG_TYPE /tasks/0/delegation/scope/1"}},
		{"V-1 a credential scope that is a string", []change{{lead + ".credential_scope", "x"}}, []string{"error OWG_TYPE /participants/0/identity/credential_scope", widens[0]}},
		{"V-1 an identity that is a string", []change{{lead, "x"}}, []string{"error OWG_TYPE /participants/0/identity"}},
		{"V-1 an executor without a type", []change{{"tasks.0.executor", map[string]any{"ref": "x"}}}, []string{"error OWG_TYPE /tasks/0/executor"}},
		{"V-1 a ref that is a number", []change{{"tasks.0.executor.ref", 1}}, []string{"error OWG_TYPE /tasks/0/executor/ref"}},
		{"V-1 used is an object", []change{{"tasks.0.used", map[string]any{}}}, []string{"error OWG_TYPE /tasks/0/used"}},
		{"V-1 an id that is a number", []change{{"id", 1}}, []string{"error OWG_TYPE /id"}},
		{"V-1 an unknown member is kept", []change{{"tasks.0.cost", map[string]any{"x": 1}}, {"other", nil}}, nil},

		{"V-2 participants", []change{{"participants.1.id", "ops_lead"}}, []string{"error OWG_DUPLICATE_ID /participants/1/id", "error OWG_REF_UNKNOWN /tasks/0/performed_by"}},
		{"V-3 performed_by", []change{{"tasks.0.performed_by", "nobody"}}, []string{"error OWG_REF_UNKNOWN /tasks/0/performed_by"}},
		{"V-3 delegation.by", []change{{"tasks.0.delegation.by", "nobody"}}, []string{"error OWG_REF_UNKNOWN /tasks/0/delegation/by"}},
		{"V-3 operated_by", []change{{"participants.1.operated_by", "nobody"}}, []string{"error OWG_REF_UNKNOWN /participants/1/operated_by"}},
		{"V-4", []change{{"tasks.0.performed_by", gone{}}}, []string{"error OWG_A2A_NO_PERFORMER /tasks/0"}},
		{"V-5 missing", []change{{"tasks.0.executor.ref", gone{}}}, []string{"error OWG_A2A_NO_SKILL /tasks/0/executor"}},
		{"V-5 empty", []change{{"tasks.0.executor.ref", ""}}, []string{"error OWG_A2A_NO_SKILL /tasks/0/executor/ref"}},
		{"V-6", []change{{"participants.1.kind", "human"}}, []string{"warning OWG_AGENT_CARD_URL /participants/1/agent_card", "error OWG_A2A_PERFORMER_KIND /tasks/0/performed_by"}},
		{"V-7", []change{{"participants.1.agent_card", gone{}}}, []string{"warning OWG_A2A_NO_CARD /tasks/0/performed_by"}},
		{"V-8 http", []change{{"participants.1.agent_card", "http://agents.vendor.example/card.json"}}, []string{"error OWG_AGENT_CARD_URL /participants/1/agent_card"}},
		{"V-8 relative", []change{{"participants.1.agent_card", "card.json"}}, []string{"error OWG_AGENT_CARD_URL /participants/1/agent_card"}},
		{"V-8 with a user", []change{{"participants.1.agent_card", "https://u@agents.vendor.example/"}}, []string{"error OWG_AGENT_CARD_URL /participants/1/agent_card"}},
		{"V-8 on a person", []change{{"participants.0.agent_card", "https://a.example/"}}, []string{"warning OWG_AGENT_CARD_URL /participants/0/agent_card"}},
		{"V-9 more", []change{{scope, []any{"read:masters", "delete:masters"}}}, widens},
		{"V-9 no wildcards", []change{{scope, []any{"read:*"}}}, widens},
		{"V-9 no folding of case", []change{{scope, []any{"READ:masters"}}}, widens},
		{"V-9 no prefixes", []change{{scope, []any{"read"}}}, widens},
		{"V-9 white space counts", []change{{scope, []any{"read:masters "}}}, widens},
		{"V-9 order and duplicates do not count", []change{{scope, []any{"write:deliverables", "read:masters", "read:masters"}}}, nil},
		{"V-9 nothing is granted", []change{{scope, []any{}}}, nil},
		{"V-10 no identity", []change{{lead, gone{}}, {scope, []any{"anything"}}}, nil},
		{"V-10 no credential scope", []change{{lead + ".credential_scope", gone{}}, {scope, []any{"anything"}}}, nil},
		{"V-10 an empty one is declared", []change{{lead + ".credential_scope", []any{}}}, widens},
		{"V-11a", []change{{scope, gone{}}}, []string{"warning OWG_DELEGATION_SCOPE_MISSING /tasks/0/delegation"}},
		{"V-12 words", []change{{"tasks.0.delegation.expires_at", "31 December"}}, []string{"error OWG_TIME /tasks/0/delegation/expires_at"}},
		{"V-12 no offset", []change{{"tasks.0.delegation.expires_at", "2026-12-31T23:59:59"}}, []string{"error OWG_TIME /tasks/0/delegation/expires_at"}},
		{"V-12 a comma", []change{{"tasks.0.delegation.expires_at", "2026-12-31T23:59:59,5Z"}}, []string{"error OWG_TIME /tasks/0/delegation/expires_at"}},
		{"V-12 an offset", []change{{"tasks.0.delegation.expires_at", "2026-12-31T23:59:59.25+05:30"}}, nil},
		{"V-14", []change{{"tasks.0.delegation.expires_at", "2026-11-29T12:00:00Z"}}, []string{"note OWG_DELEGATION_EXPIRED /tasks/0/delegation/expires_at"}},
		{"V-14 a second before", []change{{"tasks.0.delegation.expires_at", "2026-11-29T12:00:01Z"}}, nil},
		{"C.1 expires", []change{{"tasks.0.delegation.expires", "2026-12-31T23:59:59Z"}}, []string{"error OWG_DELEGATION_MEMBER /tasks/0/delegation/expires"}},
		{"C.1 valid_until", []change{{"tasks.0.delegation.valid_until", 1}}, []string{"error OWG_DELEGATION_MEMBER /tasks/0/delegation/valid_until"}},
		{"C.1 until", []change{{"tasks.0.delegation.until", nil}}, []string{"error OWG_DELEGATION_MEMBER /tasks/0/delegation/until"}},
		{"C.1 exp", []change{{"tasks.0.delegation.exp", 1}}, []string{"error OWG_DELEGATION_MEMBER /tasks/0/delegation/exp"}},
		{"C.1 revoked", []change{{"tasks.0.delegation.revoked", false}}, []string{"error OWG_DELEGATION_MEMBER /tasks/0/delegation/revoked"}},
		{"C.1 a status", []change{{"tasks.0.delegation.status", "revoked"}}, []string{"error OWG_DELEGATION_MEMBER /tasks/0/delegation/status"}},
		{"C.1 expires_at in other letters", []change{{"tasks.0.delegation.expiresAt", "2026-12-31T23:59:59Z"}}, []string{"error OWG_DELEGATION_MEMBER /tasks/0/delegation/expiresAt"}},
		{"C.1 Scope", []change{{"tasks.0.delegation.Scope", []any{}}}, []string{"error OWG_DELEGATION_MEMBER /tasks/0/delegation/Scope"}},
		{"C.1 scopes", []change{{"tasks.0.delegation.scopes", []any{}}}, []string{"error OWG_DELEGATION_MEMBER /tasks/0/delegation/scopes"}},
		{"C.1 scopes for scope", []change{{scope, gone{}}, {"tasks.0.delegation.scopes", []any{"read:masters"}}}, []string{"error OWG_DELEGATION_MEMBER /tasks/0/delegation/scopes", "warning OWG_DELEGATION_SCOPE_MISSING /tasks/0/delegation"}},
		{"C.1 withdrawn", []change{{"tasks.0.delegation.withdrawn", true}}, []string{"error OWG_DELEGATION_MEMBER /tasks/0/delegation/withdrawn"}},
		{"C.1 cancelled_at", []change{{"tasks.0.delegation.cancelled_at", "2026-01-01T00:00:00Z"}}, []string{"error OWG_DELEGATION_MEMBER /tasks/0/delegation/cancelled_at"}},
		{"C.1 terminated", []change{{"tasks.0.delegation.terminated", true}}, []string{"error OWG_DELEGATION_MEMBER /tasks/0/delegation/terminated"}},
		{"C.1 constraints", []change{{"tasks.0.delegation.constraints", []any{"EU"}}}, []string{"error OWG_DELEGATION_MEMBER /tasks/0/delegation/constraints"}},
		{"C.1 max_uses", []change{{"tasks.0.delegation.max_uses", 1}}, []string{"error OWG_DELEGATION_MEMBER /tasks/0/delegation/max_uses"}},
		{"C.1 except", []change{{"tasks.0.delegation.except", []any{"write:masters"}}}, []string{"error OWG_DELEGATION_MEMBER /tasks/0/delegation/except"}},
		{"C.1 deny", []change{{"tasks.0.delegation.deny", []any{"write:masters"}}}, []string{"error OWG_DELEGATION_MEMBER /tasks/0/delegation/deny"}},
		{"C.1 read_only", []change{{"tasks.0.delegation.read_only", true}}, []string{"error OWG_DELEGATION_MEMBER /tasks/0/delegation/read_only"}},
		{"C.1 permissions", []change{{"tasks.0.delegation.permissions", []any{"read:masters"}}}, []string{"error OWG_DELEGATION_MEMBER /tasks/0/delegation/permissions"}},
		{"C.1 disallowed", []change{{"tasks.0.delegation.disallowed", []any{"write:masters"}}}, []string{"error OWG_DELEGATION_MEMBER /tasks/0/delegation/disallowed"}},
		{"C.1 sub_delegation", []change{{"tasks.0.delegation.sub_delegation", false}}, []string{"error OWG_DELEGATION_MEMBER /tasks/0/delegation/sub_delegation"}},
		{"C.1 delegationDepth", []change{{"tasks.0.delegation.delegationDepth", 0}}, []string{"error OWG_DELEGATION_MEMBER /tasks/0/delegation/delegationDepth"}},
		{"C.1 By", []change{{"tasks.0.delegation.By", "nobody"}}, []string{"error OWG_DELEGATION_MEMBER /tasks/0/delegation/By"}},
		{"C.1 other members are kept", []change{{"tasks.0.delegation.note", "by post"}, {"tasks.0.delegation.credential", map[string]any{"exp": 1}}, {"tasks.0.delegation.terms", map[string]any{"until": 1}}}, nil},
		{"V-15", []change{{"tasks.0.delegation", gone{}}}, []string{"warning OWG_DELEGATION_MISSING /tasks/0"}},
		{"V-15 by nobody", []change{{"tasks.0.delegation.by", gone{}}}, []string{"warning OWG_DELEGATION_MISSING /tasks/0/delegation"}},
		{"V-16", []change{{"tasks.0.delegation.by", "vendor_dub_agent"}}, []string{"error OWG_DELEGATION_SELF /tasks/0/delegation/by"}},
		{"V-6 and V-16", []change{{"tasks.0.performed_by", "ops_lead"}}, []string{"error OWG_A2A_PERFORMER_KIND /tasks/0/performed_by", "error OWG_DELEGATION_SELF /tasks/0/delegation/by"}},
		{"V-17 itself", []change{{"participants.1.operated_by", "vendor_dub_agent"}}, []string{"error OWG_AUTHORITY_CYCLE /participants/1/operated_by"}},
		{"V-17 a person", []change{{"participants.0.operated_by", "ops_lead"}}, []string{"error OWG_AUTHORITY_CYCLE /participants/0/operated_by"}},
		{"V-17 a person and an agent", []change{{"participants.0.operated_by", "vendor_dub_agent"}, {"participants.1.operated_by", "ops_lead"}}, []string{"error OWG_AUTHORITY_CYCLE /participants/0/operated_by"}},
		{"V-18 orphan", []change{{"participants.1.works_for", gone{}}}, []string{"warning OWG_AUTHORITY_ORPHAN /participants/1"}},
		{"V-18 no person", []change{{"participants.0.kind", "department"}, {"participants.0.works_for", gone{}}, {"participants.1.operated_by", "ops_lead"}}, []string{"warning OWG_AUTHORITY_NO_PERSON /participants/1"}},
		{"V-18 a person", []change{{"participants.1.operated_by", "ops_lead"}}, nil},
		{"V-18 a department without anybody", []change{{"participants.0.kind", "department"}, {"participants.0.works_for", gone{}}, {"participants.1.works_for", "ops_lead"}}, []string{"warning OWG_AUTHORITY_NO_PERSON /participants/1"}},
		{"V-19 unknown", []change{{"assets", []any{"masters"}}}, []string{"warning OWG_ASSET_UNKNOWN /tasks/0/produced/0"}},
		{"V-19 known", []change{{"assets", []any{"masters", map[string]any{"id": "dub_tracks"}}}}, nil},
		{"V-19 an asset that is a number", []change{{"assets", []any{"masters", "dub_tracks", 1}}}, []string{"error OWG_TYPE /assets/2"}},
		{"V-20", []change{{"participants.1.works_for", "org_elsewhere"}}, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := validate(t, edit(t, base, row.edit...), owg.ValidateOptions{Now: noon()})
			require.Equal(t, append([]string{}, row.want...), said(r.Findings))
			require.Equal(t, !strings.Contains(strings.Join(row.want, " "), "error"), r.Valid())
			for _, f := range r.Findings {
				require.NotEmpty(t, f.Code.Text())
				require.Contains(t, []string{"S", "I", "P"}, f.Mark)
				require.Positive(t, f.Line)
				require.Positive(t, f.Column)
			}
		})
	}
}

// TestOtherExecutors: to a task for another executor V-9, V-12 and V-16 still apply, but
// V-4 to V-7 do not.
func TestOtherExecutors(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"mcp", "api", "turnover", "A2A"} {
		base := edit(t, file(t, "localize.json"), change{"tasks.0.executor.type", kind})
		for _, row := range []struct {
			edit change
			want []string
		}{
			{change{scope, []any{"read:*"}}, []string{"error OWG_DELEGATION_WIDENS /tasks/0/delegation/scope"}},
			{change{"tasks.0.delegation.expires_at", "soon"}, []string{"error OWG_TIME /tasks/0/delegation/expires_at"}},
			{change{"tasks.0.performed_by", "ops_lead"}, []string{"error OWG_DELEGATION_SELF /tasks/0/delegation/by"}},
			{change{"tasks.0.performed_by", gone{}}, []string{}},
			{change{"tasks.0.executor.ref", gone{}}, []string{}},
			{change{"participants.1.agent_card", gone{}}, []string{}},
			{change{"tasks.0.delegation", gone{}}, []string{}},
		} {
			r := validate(t, edit(t, base, row.edit), owg.ValidateOptions{Now: noon()})
			require.Equal(t, row.want, said(r.Findings), "%s %v", kind, row.edit)
		}
	}
	// A task without any executor does not count as one of another party.
	r := validate(t, edit(t, file(t, "localize.json"), change{"tasks.0.executor", gone{}}), owg.ValidateOptions{})
	require.Empty(t, said(r.Findings))
}

func TestWidensNames(t *testing.T) {
	t.Parallel()
	r := validate(t, edit(t, file(t, "localize.json"), change{scope, []any{"read:masters", "z", "delete:masters", "z"}}), owg.ValidateOptions{})
	f := r.First(owg.SeverityError)
	require.Equal(t, []string{"delete:masters", "z"}, f.Extra)
	require.Equal(t, `"ops_lead" hands on what it does not have itself: "delete:masters", "z"`, f.Text)
	require.Equal(t, "S", f.Mark)
	require.Nil(t, r.First(owg.SeverityNote))
}

// TestChain is what section C.3 says of its fixture, and V-11 to V-13.
func TestChain(t *testing.T) {
	t.Parallel()
	base := file(t, "season.json")
	const prodco, season, dub = "participants.1.identity", "tasks.0.delegation", "tasks.1.delegation"
	both := []any{"read:masters", "write:deliverables"}
	more := change{dub + ".scope", both}
	for _, row := range []struct {
		name string
		edit []change
		want []string
	}{
		{"wider than declared, although the hop above granted it", []change{more}, []string{"error OWG_DELEGATION_WIDENS /tasks/1/delegation/scope"}},
		{"nothing declared", []change{more, {prodco, gone{}}}, []string{}},
		{"wider than received", []change{more, {prodco, gone{}}, {season + ".scope", []any{"read:masters"}}}, []string{"warning OWG_DELEGATION_CHAIN_WIDENS /tasks/1/delegation/scope"}},
		{"received without a scope", []change{{season + ".scope", gone{}}}, []string{"warning OWG_DELEGATION_SCOPE_MISSING /tasks/0/delegation", "warning OWG_DELEGATION_CHAIN_WIDENS /tasks/1/delegation/scope"}},
		{"nothing handed on of nothing received", []change{{season + ".scope", []any{}}, {dub + ".scope", []any{}}}, []string{}},
		{"received by nobody that is named", []change{{season + ".by", gone{}}, {season + ".scope", []any{}}}, []string{"warning OWG_DELEGATION_MISSING /tasks/0/delegation", "warning OWG_DELEGATION_CHAIN_WIDENS /tasks/1/delegation/scope"}},
		{"V-13 longer", []change{{season + ".expires_at", "2026-12-01T00:00:00Z"}, {dub + ".expires_at", "2026-12-01T00:00:01Z"}}, []string{"warning OWG_DELEGATION_OUTLIVES /tasks/1/delegation/expires_at"}},
		{"V-13 for ever", []change{{season + ".expires_at", "2026-12-01T00:00:00Z"}}, []string{"warning OWG_DELEGATION_OUTLIVES /tasks/1/delegation"}},
		{"V-13 as long, by another offset", []change{{season + ".expires_at", "2026-12-01T00:00:00Z"}, {dub + ".expires_at", "2026-12-01T01:00:00+01:00"}}, []string{}},
		{"V-13 shorter", []change{{dub + ".expires_at", "2026-12-01T00:00:00Z"}}, []string{}},
		{"V-19 two producers", []change{{"tasks.1.produced", []any{"season_package"}}}, []string{"warning OWG_ASSET_TWO_PRODUCERS /tasks/1/produced/0"}},
		{"V-2 tasks", []change{{"tasks.1.id", "season"}}, []string{"error OWG_DUPLICATE_ID /tasks/1/id"}},
		{"V-17 two", []change{{"participants.1.operated_by", "vendor_agent"}, {"participants.2.operated_by", "prodco_agent"}}, []string{"error OWG_AUTHORITY_CYCLE /participants/1/operated_by"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			text := edit(t, base, row.edit...)
			require.Equal(t, row.want, said(validate(t, text, owg.ValidateOptions{Now: noon()}).Findings))
			strict := strings.ReplaceAll(strings.Join(row.want, "\n"), "warning OWG_DELEGATION_CHAIN", "error OWG_DELEGATION_CHAIN")
			require.Equal(t, strict, strings.Join(said(validate(t, text, owg.ValidateOptions{Now: noon(), Strict: true}).Findings), "\n"))
		})
	}
}

// TestChainOfSeveral: of several hand-overs to a delegator, those count that assets
// connect with what it hands on; without such, all of them.
func TestChainOfSeveral(t *testing.T) {
	t.Parallel()
	workflow := func(used string) string {
		return `{"participants":[{"id":"p","kind":"human"},{"id":"a","kind":"agent","operated_by":"p"},{"id":"b","kind":"agent","operated_by":"p"}],
"tasks":[
 {"id":"narrow","performed_by":"a","delegation":{"by":"p","scope":["r"]},"produced":["x"]},
 {"id":"wide","performed_by":"a","delegation":{"by":"p","scope":["r","w"]},"produced":["y"]},
 {"id":"middle","performed_by":"p","used":["y"],"produced":["z"]},
 {"id":"on","performed_by":"b","delegation":{"by":"a","scope":["w"]},"used":["` + used + `"]}]}`
	}
	for used, want := range map[string][]string{
		"z": {},
		"x": {"warning OWG_DELEGATION_CHAIN_WIDENS /tasks/3/delegation/scope"},
		"q": {"warning OWG_DELEGATION_CHAIN_WIDENS /tasks/3/delegation/scope"},
	} {
		require.Equal(t, want, said(validate(t, workflow(used), owg.ValidateOptions{}).Findings), used)
	}
}

// TestCameBack: handing work back to the party that ordered it gives no authority for the
// order, but a hand-over that uses what a later one made does.
func TestCameBack(t *testing.T) {
	t.Parallel()
	const order = `{"id":"order","performed_by":"b","delegation":{"by":"a","scope":["w"]},"produced":["o"]}`
	const back = `{"id":"back","performed_by":"a","delegation":{"by":"BY","scope":[]},"used":["USED"]}`
	const widens = "warning OWG_DELEGATION_CHAIN_WIDENS "
	for _, row := range []struct {
		name, tasks string
		want        []string
	}{
		{"by who performed it", order + "," + strings.NewReplacer("BY", "b", "USED", "o").Replace(back), []string{}},
		{"by its operator", order + "," + strings.NewReplacer("BY", "boss", "USED", "o").Replace(back), []string{}},
		{"by a colleague", order + "," + strings.NewReplacer("BY", "mate", "USED", "o").Replace(back), []string{widens + "/tasks/0/delegation/scope"}},
		{"by somebody else", order + "," + strings.NewReplacer("BY", "other", "USED", "o").Replace(back), []string{widens + "/tasks/0/delegation/scope"}},
		{"of something else", order + "," + strings.NewReplacer("BY", "b", "USED", "x").Replace(back), []string{widens + "/tasks/0/delegation/scope"}},
		{"before it", strings.NewReplacer("BY", "b", "USED", "o").Replace(back) + "," + order, []string{widens + "/tasks/1/delegation/scope"}},
	} {
		text := `{"participants":[{"id":"a","kind":"agent","works_for":"one"},{"id":"b","kind":"agent","works_for":"two","operated_by":"boss"},{"id":"boss","kind":"human"},{"id":"mate","kind":"human","works_for":"two"},{"id":"other","kind":"human","works_for":"three"}],"tasks":[` + row.tasks + `]}`
		require.Equal(t, row.want, said(validate(t, text, owg.ValidateOptions{}).Findings), row.name)
	}
}

// TestCards tests V-21.
func TestCards(t *testing.T) {
	t.Parallel()
	c := file(t, "vendor-card.json")
	of := func(text string, d agentcard.Demand) owg.ValidateOptions {
		return owg.ValidateOptions{Cards: map[string]owg.Card{"vendor_dub_agent": {Card: card(t, text), Report: verified(t, text, agentcard.Keys{}), Demand: d}}}
	}
	base := file(t, "localize.json")
	require.Empty(t, said(validate(t, base, of(c, agentcard.DemandIfSigned)).Findings))
	require.Equal(t, []string{"warning OWG_A2A_CARD_UNVERIFIED /tasks/0/executor/ref"}, said(validate(t, base, of(c, agentcard.DemandVerified)).Findings))
	other := strings.Replace(c, "localize-dub", "localize-DUB", 1)
	r := validate(t, base, of(other, agentcard.DemandIfSigned))
	require.Equal(t, []string{"warning OWG_A2A_SKILL_UNKNOWN /tasks/0/executor/ref"}, said(r.Findings))
	require.True(t, r.Valid())
	none := owg.ValidateOptions{Cards: map[string]owg.Card{"vendor_dub_agent": {}}}
	require.Equal(t, []string{"warning OWG_A2A_CARD_UNVERIFIED /tasks/0/executor/ref"}, said(validate(t, base, none).Findings), "nothing is known of a card that was not had")
}

// TestReading: which texts are read as a workflow, and which are refused as ambiguous.
func TestReading(t *testing.T) {
	t.Parallel()
	w := parse(t, file(t, "season.json"))
	require.Equal(t, "season-one", w.ID())
	require.Equal(t, "Deliver the season with dubbing", w.Objective())
	require.Equal(t, file(t, "season.json"), string(w.Bytes()))
	require.Len(t, w.Participants(), 3)
	require.Len(t, w.Tasks(), 2)
	p, ok := w.Participant("exec")
	require.True(t, ok)
	require.Equal(t, "urn:studio:exec", p.Identity)
	require.True(t, p.ScopeDeclared)
	task, ok := w.Task("dub")
	require.True(t, ok)
	require.Equal(t, []string{"dub_ep1"}, task.Produced)
	require.Equal(t, "localize-dub", task.Ref)
	_, ok = w.Task("")
	require.False(t, ok)
	for text, want := range map[string]owg.Code{
		"":                              owg.CodeJSONSyntax,
		"{}{}":                          owg.CodeJSONSyntax,
		"\uFEFF{}":                      owg.CodeJSONSyntax,
		`{"id":"a","\u0069d":"b"}`:      owg.CodeJSONDuplicate,
		`{"id":"\ud800"}`:               owg.CodeJSONUnicode,
		"{\"id\":\"\xff\"}":             owg.CodeJSONUnicode,
		`{"id":1e400}`:                  owg.CodeJSONRange,
		strings.Repeat("[", 65):         owg.CodeJSONTooDeep,
		strings.Repeat(" ", 4<<20) + "": owg.CodeJSONSyntax,
		strings.Repeat(" ", 4<<20+1):    owg.CodeJSONTooLarge,
	} {
		_, err := owg.Parse([]byte(text), owg.Limits{})
		require.Equal(t, want, codeOf(t, err), "%.40q", text)
	}
	require.Equal(t, []string{"error OWG_TYPE"}, said(validate(t, "[]", owg.ValidateOptions{}).Findings))
}

// Where the card of a participant is published, a workflow says by an https URL; a name of a
// file is nothing to look up.
func TestCardURL(t *testing.T) {
	t.Parallel()
	const published = "https://agents.vendor.example/.well-known/agent-card.json"
	for text, want := range map[string]owg.Code{
		published: "", "HTTPS://a.example/c": "", "card.json": owg.CodeAgentCardURL, "/etc/passwd": owg.CodeAgentCardURL, "-": owg.CodeAgentCardURL,
		"http://a.example/c": owg.CodeAgentCardURL, "domain:a.example": owg.CodeAgentCardURL, "https://u@a.example/c": owg.CodeAgentCardURL, "https:///c": owg.CodeAgentCardURL,
	} {
		w := parse(t, strings.Replace(file(t, "season.json"), published, text, 1))
		at, err := w.CardURL("vendor_agent")
		if want == "" {
			require.NoError(t, err)
			require.Equal(t, text, at)
			continue
		}
		require.Equal(t, want, codeOf(t, err), text)
		require.Empty(t, at)
	}
	for _, id := range []string{"exec", "nobody", ""} {
		_, err := parse(t, file(t, "season.json")).CardURL(id)
		require.Equal(t, owg.CodeNoCard, codeOf(t, err), id)
	}
}
