package odrl_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/odrl"
)

func TestDuties(t *testing.T) {
	t.Parallel()
	done := func(v odrl.Value) func(*odrl.Request) { return with("fulfilled:compensate", v) }
	paid := ` odrl:constraint [ odrl:leftOperand odrl:count ; odrl:operator odrl:gteq ; odrl:rightOperand 1 ] `
	refined := `odrl:refinement [ odrl:leftOperand odrl:count ; odrl:operator odrl:gteq ; odrl:rightOperand 1 ]`
	rows := []struct {
		name string
		duty string
		// more of the request
		request *odrl.Request
		code    odrl.Code
		// of the duty
		known, fulfilled, violated bool
	}{
		{"open", `odrl:action odrl:compensate`, ask(), odrl.CodeDutyOpen, true, false, false},
		{"fulfilled", `odrl:action odrl:compensate`, ask(done(odrl.Boolean(true))), permitted, true, true, false},
		{"fulfilled as a text", `odrl:action odrl:compensate`, ask(done(text("true"))), permitted, true, true, false},
		{"fulfilled as 1", `odrl:action odrl:compensate`, ask(done(number(t, "1"))), permitted, true, true, false},
		{"fulfilled as 1.0", `odrl:action odrl:compensate`, ask(done(number(t, "1.0"))), permitted, true, true, false},
		{"not as another text", `odrl:action odrl:compensate`, ask(done(text("yes"))), odrl.CodeDutyOpen, true, false, true},
		{"not as 2", `odrl:action odrl:compensate`, ask(done(number(t, "2"))), odrl.CodeDutyOpen, true, false, true},
		{"not done", `odrl:action odrl:compensate`, ask(done(odrl.Boolean(false))), odrl.CodeDutyOpen, true, false, true},
		{"by the action's IRI", `odrl:action odrl:compensate`, ask(with("fulfilled:"+core+"compensate", odrl.Boolean(true))), permitted, true, true, false},
		{"by both, in contradiction", `odrl:action odrl:compensate`, ask(done(odrl.Boolean(true)), with("fulfilled:"+core+"compensate", odrl.Boolean(false))), odrl.CodeDutyOpen, true, false, true},
		{"several values", `odrl:action odrl:compensate`, ask(with("fulfilled:compensate", odrl.Boolean(true), odrl.Boolean(true))), odrl.CodeDutyOpen, true, false, true},
		{"another duty was fulfilled", `odrl:action odrl:inform`, ask(done(odrl.Boolean(true))), odrl.CodeDutyOpen, true, false, false},
		{"with a constraint that holds", `odrl:action odrl:compensate ;` + paid, ask(done(odrl.Boolean(true)), with("count", number(t, "1"))), permitted, true, true, false},
		{"with one that does not", `odrl:action odrl:compensate ;` + paid, ask(done(odrl.Boolean(true)), with("count", number(t, "0"))), odrl.CodeDutyOpen, true, false, false},
		{"with one that is unknown", `odrl:action odrl:compensate ;` + paid, ask(done(odrl.Boolean(true))), odrl.CodeDutyOpen, true, false, false},
		{"refined, met", `odrl:action [ rdf:value odrl:compensate ; odrl:refinement [ odrl:leftOperand odrl:payAmount ; odrl:operator odrl:eq ; odrl:rightOperand 5.00 ] ]`, ask(done(odrl.Boolean(true)), with("payAmount", number(t, "5"))), permitted, true, true, false},
		{"refined, not met", `odrl:action [ rdf:value odrl:compensate ; odrl:refinement [ odrl:leftOperand odrl:payAmount ; odrl:operator odrl:eq ; odrl:rightOperand 5.00 ] ]`, ask(done(odrl.Boolean(true)), with("payAmount", number(t, "4"))), odrl.CodeDutyOpen, true, false, false},
		{"of an asset", `odrl:action odrl:compensate ; odrl:target [ a odrl:Asset ; odrl:uid ex:other ]`, ask(done(odrl.Boolean(true))), permitted, true, true, false},
		{"of a refined collection, met", `odrl:action odrl:compensate ; odrl:target [ odrl:source ex:all ; ` + refined + ` ]`, ask(done(odrl.Boolean(true)), with("count", number(t, "1"))), permitted, true, true, false},
		{"of a refined collection, unknown", `odrl:action odrl:compensate ; odrl:target [ odrl:source ex:all ; ` + refined + ` ]`, ask(done(odrl.Boolean(true))), odrl.CodeDutyOpen, true, false, false},
		{"of a refined collection that has a name", `odrl:action odrl:compensate ; odrl:target ex:all . ex:all ` + refined, ask(done(odrl.Boolean(true))), odrl.CodeDutyOpen, true, false, false},
		{"of a literal", `odrl:action odrl:compensate ; odrl:target "all"`, ask(done(odrl.Boolean(true))), odrl.CodeDutyOpen, false, false, false},
		{"of a list", `odrl:action odrl:compensate ; odrl:target ( ex:doc )`, ask(done(odrl.Boolean(true))), odrl.CodeDutyOpen, false, false, false},
		{"of an asset with an unknown property", `odrl:action odrl:compensate ; odrl:target [ odrl:uid ex:other ; odrl:before ex:noon ]`, ask(done(odrl.Boolean(true))), odrl.CodeDutyOpen, false, false, false},
		{"of a policy of the graph", `odrl:action odrl:compensate ; odrl:target ex:pol`, ask(done(odrl.Boolean(true))), permitted, true, true, false},
		{"an unknown action", `odrl:action ex:pray`, ask(with("fulfilled:"+ex+"pray", odrl.Boolean(true))), odrl.CodeDutyOpen, false, false, false},
		{"no action", `odrl:target ex:doc`, ask(), odrl.CodeDutyOpen, false, false, false},
		{"an unknown property", `odrl:action odrl:compensate ; odrl:before ex:noon`, ask(done(odrl.Boolean(true))), odrl.CodeDutyOpen, false, false, false},
		{"a permission as duty", `a odrl:Permission ; odrl:action odrl:compensate`, ask(done(odrl.Boolean(true))), odrl.CodeDutyOpen, false, false, false},
		{"a consequence does not replace it", `odrl:action odrl:inform ; odrl:consequence [ odrl:action odrl:compensate ]`, ask(done(odrl.Boolean(true))), odrl.CodeDutyOpen, true, false, false},
		{"nor is it needed", `odrl:action odrl:compensate ; odrl:consequence [ odrl:action odrl:inform ]`, ask(done(odrl.Boolean(true))), permitted, true, true, false},
		{"a consequence of a consequence", `odrl:action odrl:compensate ; odrl:consequence [ odrl:action odrl:inform ; odrl:consequence [ odrl:action odrl:delete ] ]`, ask(done(odrl.Boolean(true))), permitted, true, true, false},
		{"roles", `odrl:action odrl:compensate ; odrl:compensatedParty ex:alice ; odrl:assignee ex:bob`, ask(done(odrl.Boolean(true))), permitted, true, true, false},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			p := compileFor(t, permission(`; odrl:duty ex:duty`)+` ex:duty `+row.duty+` .`, odrl.InformationModel)
			d := decide(t, p, row.request)
			require.Equal(t, row.code, d.Code, "%v", d.Reasons)
			require.NotEmpty(t, d.Duties)
			s := d.Duties[0]
			require.Equal(t, []bool{row.known, row.fulfilled, row.violated}, []bool{s.Known, s.Fulfilled, s.Violated}, "%+v", s)
			require.Equal(t, ex+"duty", s.ID)
			require.False(t, s.Place.IsZero())

			// In the profile duties are carried forward.
			p = compileFor(t, permission(`; odrl:duty ex:duty`)+` ex:duty `+row.duty+` .`, odrl.DelegationProfile)
			require.True(t, decide(t, p, row.request).Permitted())
		})
	}
}

func TestSeveralDuties(t *testing.T) {
	t.Parallel()
	ttl := permission(`; odrl:duty [ odrl:action odrl:compensate, odrl:inform ; odrl:target ex:alice, ex:carol ], ex:third`) +
		` ex:third odrl:action odrl:delete . ex:pol odrl:obligation [ odrl:action odrl:inform ; odrl:target ex:alice ], [ odrl:action odrl:index ] .`
	p := compileFor(t, ttl, odrl.InformationModel)
	yes := odrl.Boolean(true)
	d := decide(t, p, ask(with("fulfilled:compensate", yes), with("fulfilled:inform", yes), with("fulfilled:delete", yes)))
	require.True(t, d.Permitted(), "the obligation to index blocks nothing")
	require.Len(t, d.Duties, 6, "four of the first, one of the second, one obligation that is new")
	require.Equal(t, core+"index", d.Duties[5].Action)
	require.False(t, d.Duties[5].Fulfilled)
	require.False(t, decide(t, p, ask(with("fulfilled:compensate", yes), with("fulfilled:delete", yes))).Permitted())

	// One permission whose duties are done is enough.
	two := permission(`; odrl:duty [ odrl:action odrl:compensate ]`) + ` ex:pol odrl:permission [ odrl:target ex:doc ; odrl:action odrl:read ; odrl:duty [ odrl:action odrl:inform ] ] .`
	p = compileFor(t, two, odrl.InformationModel)
	require.False(t, decide(t, p, ask()).Permitted())
	require.True(t, decide(t, p, ask(with("fulfilled:inform", yes))).Permitted())

	// A permission with an open duty does not override a prohibition.
	perm := permission(`; odrl:duty [ odrl:action odrl:compensate ]`) + ` ex:pol odrl:conflict odrl:perm ; odrl:prohibition [ odrl:target ex:doc ; odrl:action odrl:read ; odrl:remedy [ odrl:action odrl:delete ] ] .`
	p = compileFor(t, perm, odrl.InformationModel)
	require.Equal(t, odrl.CodeDutyOpen, decide(t, p, ask()).Code)
	require.True(t, decide(t, p, ask(with("fulfilled:compensate", yes))).Permitted())
	_, trace := p.Explain(ask())
	require.Len(t, trace.Rules[1].Remedies, 1, "a remedy is shown, and has no effect")
}

func TestMergeDuties(t *testing.T) {
	t.Parallel()
	a := odrl.DutyStatus{Action: "a", Target: "t", Known: true}
	b := odrl.DutyStatus{Action: "a", Target: "t", Known: true, Fulfilled: true}
	c := odrl.DutyStatus{Action: "a", Target: "t", Known: true, Node: "_:other"}
	u, v := odrl.DutyStatus{Node: "_:1"}, odrl.DutyStatus{Node: "_:2"}
	require.Equal(t, []odrl.DutyStatus{a, b, u, v}, odrl.MergeDuties(nil, a, b, c, a, u, v, u))
}

// TestMergeManyDuties: merging many duties at once gives the same as one by one.
func TestMergeManyDuties(t *testing.T) {
	t.Parallel()
	var all, single []odrl.DutyStatus
	for i := range 400 {
		s := odrl.DutyStatus{
			Action: []string{"urn:a", "urn:b", ""}[i%3], Target: []string{"urn:t", "urn:u"}[i/3%2], Node: fmt.Sprintf("_:b%d", i%7),
			ID: []string{"", "urn:d"}[i/6%2], Fulfilled: i%5 == 0, Known: i%3 != 2,
		}
		all = append(all, s)
		single = odrl.MergeDuties(single, s)
	}
	require.Equal(t, single, odrl.MergeDuties(nil, all...))
	require.Equal(t, single, odrl.MergeDuties(odrl.MergeDuties(nil, all[:100]...), all[50:]...))
	require.Less(t, len(single), 100)
}
