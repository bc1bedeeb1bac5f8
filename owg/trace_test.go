package owg_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/owg"
)

func trace(t testing.TB, text, asset string, records ...*owg.Record) *owg.Trace {
	t.Helper()
	out, err := parse(t, text).Trace(asset, records...)
	require.NoError(t, err)
	return out
}

// TestTraceOfSource reproduces the chain in the specification, as text and as JSON.
func TestTraceOfSource(t *testing.T) {
	t.Parallel()
	out := trace(t, file(t, "season.json"), "dub_ep1")
	require.True(t, out.Complete())
	require.Equal(t, "dub_ep1 -> produced by vendor_agent -> delegated by prodco_agent -> delegated by exec (a person, org_studio)", out.Text())
	text, err := json.Marshal(out)
	require.NoError(t, err)
	require.Equal(t, `{"asset":"dub_ep1","chains":[{"complete":true,"endsIn":"human","hops":[`+
		`{"rel":"produced_by","participant":"vendor_agent","task":"dub"},`+
		`{"rel":"delegated_by","participant":"prodco_agent","task":"dub","scope":["read:masters"],"expires_at":null},`+
		`{"rel":"delegated_by","participant":"exec","task":"season","scope":["read:masters","write:deliverables"],"expires_at":null}]}],"findings":[]}`, string(text))
	require.Equal(t, "dub_tracks -> produced by vendor_dub_agent -> delegated by ops_lead (a person, org_studio)", trace(t, file(t, "localize.json"), "dub_tracks").Text())
	require.False(t, (*owg.Trace)(nil).Complete())
	require.False(t, (&owg.Trace{}).Complete())
}

// TestTraceAssembly: what is put together from hundreds of parts, each of them delegated by
// itself, has a chain for each.
func TestTraceAssembly(t *testing.T) {
	t.Parallel()
	const parts = 450
	var tasks, assets []string
	for i := range parts {
		tasks = append(tasks, fmt.Sprintf(`{"id":"shot%d","performed_by":"prodco_agent","delegation":{"by":"exec","scope":["render"]},"produced":["s%d"]}`, i, i))
		assets = append(assets, fmt.Sprintf(`"s%d"`, i))
	}
	out := trace(t, `{"participants":[{"id":"exec","kind":"human","works_for":"org_studio"},{"id":"prodco_agent","kind":"agent","works_for":"org_prodco"},{"id":"vendor_agent","kind":"agent","works_for":"org_vendor"}],"tasks":[`+
		strings.Join(tasks, ",")+`,{"id":"conform","performed_by":"vendor_agent","delegation":{"by":"prodco_agent","scope":["render"]},"used":[`+strings.Join(assets, ",")+`],"produced":["master"]}]}`, "master")
	require.True(t, out.Complete())
	require.Len(t, out.Chains, parts)
	require.Equal(t, []string{"warning OWG_TRACE_AMBIGUOUS"}, said(out.Findings))
}

// TestTraceSteps has the steps of section C.3.
func TestTraceSteps(t *testing.T) {
	t.Parallel()
	base := file(t, "season.json")
	for _, row := range []struct {
		name     string
		edit     []change
		asset    string
		text     string
		complete bool
		found    []string
	}{
		{"1: no producer", nil, "masters", "", false, []string{"error OWG_TRACE_NO_PRODUCER"}},
		{"1: two producers", []change{{"tasks.0.produced", []any{"dub_ep1"}}}, "dub_ep1",
			"dub_ep1 -> produced by prodco_agent -> delegated by exec (a person, org_studio)\n" +
				"dub_ep1 -> produced by vendor_agent -> delegated by prodco_agent -> delegated by exec (a person, org_studio)", true, nil},
		{"2: no performer", []change{{"tasks.1.performed_by", gone{}}, {"tasks.1.executor", gone{}}}, "dub_ep1", "", false, []string{"error OWG_TRACE_NO_PERFORMER"}},
		{"3: no delegation", []change{{"tasks.1.delegation", gone{}}}, "dub_ep1", "dub_ep1 -> produced by vendor_agent -> works for org_vendor (an organization, no person known)", false, nil},
		{"5: a person performs", []change{{"participants.2.kind", "human"}, {"tasks.1.delegation", gone{}}, {"tasks.1.executor", gone{}}}, "dub_ep1", "dub_ep1 -> produced by vendor_agent (a person, org_vendor)", true, nil},
		{"5: operated by", []change{{"tasks.0.delegation", gone{}}, {"participants.1.operated_by", "exec"}}, "dub_ep1",
			"dub_ep1 -> produced by vendor_agent -> delegated by prodco_agent -> operated by exec (a person, org_studio)", true, nil},
		{"5: works for, with a person", []change{{"tasks.0.delegation", gone{}}, {"participants.1.works_for", "org_studio"}}, "dub_ep1",
			"dub_ep1 -> produced by vendor_agent -> delegated by prodco_agent -> works for org_studio (an organization, responsible: exec)", true, nil},
		{"5: works for a person", []change{{"tasks.0.delegation", gone{}}, {"participants.1.works_for", "exec"}}, "dub_ep1",
			"dub_ep1 -> produced by vendor_agent -> delegated by prodco_agent -> works for exec (a person, org_studio)", true, nil},
		{"5: orphan", []change{{"tasks.0.delegation", gone{}}, {"participants.1.works_for", gone{}}}, "dub_ep1",
			"dub_ep1 -> produced by vendor_agent -> delegated by prodco_agent (no person)", false, []string{"warning OWG_AUTHORITY_ORPHAN"}},
		{"6: a cycle", []change{{"participants.0.kind", "agent"}, {"tasks.0.delegation.by", "vendor_agent"}, {"tasks.0.delegation.scope", []any{"read:masters"}}}, "dub_ep1",
			"dub_ep1 -> produced by vendor_agent -> delegated by prodco_agent -> delegated by vendor_agent -> works for org_vendor (an organization, no person known)", false, nil},
		{"a widened delegation is no answer", []change{{"tasks.1.delegation.scope", []any{"all"}}}, "dub_ep1",
			"dub_ep1 -> produced by vendor_agent -> delegated by prodco_agent -> delegated by exec (a person, org_studio)", false, []string{"error OWG_DELEGATION_WIDENS /tasks/1/delegation/scope", "warning OWG_DELEGATION_CHAIN_WIDENS"}},
		{"V-11 is seen in a chain", []change{{"participants.1.identity", gone{}}, {"tasks.0.delegation.scope", []any{}}, {"tasks.0.delegation.expires_at", "2027-01-01T00:00:00Z"}}, "dub_ep1",
			"dub_ep1 -> produced by vendor_agent -> delegated by prodco_agent -> delegated by exec (a person, org_studio)", true, []string{"warning OWG_DELEGATION_CHAIN_WIDENS", "warning OWG_DELEGATION_OUTLIVES"}},
		{"a delegator that is nobody", []change{{"tasks.1.delegation.by", "ghost"}}, "dub_ep1",
			"dub_ep1 -> produced by vendor_agent -> delegated by ghost (no person)", false, []string{"error OWG_REF_UNKNOWN /tasks/1/delegation/by"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			out := trace(t, edit(t, base, row.edit...), row.asset)
			require.Equal(t, row.text, out.Text())
			require.Equal(t, row.complete, out.Complete())
			require.Equal(t, append([]string{}, row.found...), said(out.Findings))
		})
	}
	for _, c := range []change{{"tasks.1.produced", "dub_ep1"}, {"tasks.1.id", "season"}} {
		_, err := parse(t, edit(t, base, c)).Trace("dub_ep1")
		require.Contains(t, []owg.Code{owg.CodeType, owg.CodeDuplicateID}, codeOf(t, err))
	}
}

// TestTraceCycle: delegation may lead back to the same participant.
func TestTraceCycle(t *testing.T) {
	t.Parallel()
	out := trace(t, `{"participants":[{"id":"a","kind":"agent","works_for":"o"},{"id":"b","kind":"agent","works_for":"o"},{"id":"c","kind":"agent","works_for":"o"}],
"tasks":[{"id":"1","performed_by":"c","delegation":{"by":"a","scope":[]},"produced":["x"]},
{"id":"2","performed_by":"a","delegation":{"by":"b","scope":[]}},{"id":"3","performed_by":"b","delegation":{"by":"a","scope":[]}}]}`, "x")
	require.Equal(t, "x -> produced by c -> delegated by a -> delegated by b -> delegated by a (leads back into itself)", out.Text())
	require.Equal(t, []string{"error OWG_AUTHORITY_CYCLE"}, said(out.Findings))
	require.Equal(t, owg.EndsInCycle, out.Chains[0].EndsIn)
	require.False(t, out.Complete())
}

// TestTraceBranches is step 4: of several hand-overs, those count that assets connect;
// without such, all of them.
func TestTraceBranches(t *testing.T) {
	t.Parallel()
	workflow := func(used string) string {
		return `{"participants":[{"id":"p","kind":"human"},{"id":"q","kind":"human"},{"id":"a","kind":"agent","operated_by":"p"},{"id":"b","kind":"agent","operated_by":"p"}],
"tasks":[{"id":"one","performed_by":"a","delegation":{"by":"p","scope":[]},"produced":["m"],"used":["n"]},
{"id":"two","performed_by":"a","delegation":{"by":"q","scope":[]},"used":["x"]},
{"id":"on","performed_by":"b","delegation":{"by":"a","scope":[]},"used":["` + used + `"],"produced":["x2"]}]}`
	}
	out := trace(t, workflow("m"), "x2")
	require.Equal(t, "x2 -> produced by b -> delegated by a -> delegated by p (a person)", out.Text())
	require.Empty(t, out.Findings)
	downstream := strings.Replace(workflow("k"), `"x2"`, `"x2","x"`, 1)
	require.Equal(t, "x2 -> produced by b -> delegated by a -> delegated by q (a person)", trace(t, downstream, "x2").Text())
	out = trace(t, workflow("k"), "x2")
	require.Equal(t, "x2 -> produced by b -> delegated by a -> delegated by p (a person)\nx2 -> produced by b -> delegated by a -> delegated by q (a person)", out.Text())
	require.Equal(t, []string{"warning OWG_TRACE_AMBIGUOUS"}, said(out.Findings))
	require.True(t, out.Complete())
}

// TestReferenceWorkflow: three executors in one lineage, an intake that records who
// handed it over, a confirmation back, and every asset traces to a person.
func TestReferenceWorkflow(t *testing.T) {
	t.Parallel()
	text := file(t, "book-to-press.json")
	for asset, want := range map[string]string{
		"order":           "order -> produced by press_agent -> delegated by publisher_assistant -> works for rights_desk (an organization, responsible: rights_lead)",
		"pages":           "pages -> produced by typeset_service -> delegated by press_agent -> delegated by publisher_assistant -> works for rights_desk (an organization, responsible: rights_lead)",
		"book_index":      "book_index -> produced by index_tool -> delegated by press_agent -> delegated by publisher_assistant -> works for rights_desk (an organization, responsible: rights_lead)",
		"binding":         "binding -> produced by bindery_agent -> delegated by press_agent -> delegated by publisher_assistant -> works for rights_desk (an organization, responsible: rights_lead)",
		"edition_archive": "edition_archive -> produced by press_agent -> operated by press_lead (a person, org_press)",
		"confirmation":    "confirmation -> produced by publisher_assistant -> delegated by press_agent -> delegated by publisher_assistant -> works for rights_desk (an organization, responsible: rights_lead)",
	} {
		out := trace(t, text, asset)
		require.Equal(t, want, out.Text())
		require.True(t, out.Complete(), asset)
		require.Empty(t, out.Findings)
	}
}

// TestLineage: how a task is executed makes no difference to the lineage of its results.
func TestLineage(t *testing.T) {
	t.Parallel()
	text := file(t, "book-to-press.json")
	lineage := func(text string) string {
		l, err := parse(t, text).Lineage("confirmation")
		require.NoError(t, err)
		out, err := json.Marshal(l)
		require.NoError(t, err)
		return string(out)
	}
	want := lineage(text)
	for _, task := range []string{"confirm", "archive", "typeset", "make_index", "bind", "intake"} {
		require.Equal(t, 1, strings.Count(want, `"task":"`+task+`"`), want)
	}
	kinds := []string{"api", "mcp", "a2a", "job"}
	for _, a := range kinds {
		for _, b := range kinds {
			for _, c := range kinds {
				swapped := edit(t, text, change{"tasks.1.executor.type", a}, change{"tasks.2.executor.type", b}, change{"tasks.3.executor.type", c})
				require.Equal(t, want, lineage(swapped))
				require.Equal(t, trace(t, text, "binding").Text(), trace(t, swapped, "binding").Text())
			}
		}
	}
	_, err := parse(t, text).Lineage("manuscript")
	require.Equal(t, owg.CodeNoProducer, codeOf(t, err))
	_, err = parse(t, edit(t, text, change{"tasks.0.used", 1})).Lineage("order")
	require.Equal(t, owg.CodeType, codeOf(t, err))
}
