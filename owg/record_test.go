package owg_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/owg"
)

func record(t testing.TB, text string) *owg.Record {
	t.Helper()
	r, err := owg.ParseRecord([]byte(text), owg.Limits{})
	require.NoError(t, err)
	return r
}

// TestAppendAttempt follows one attempt from its beginning to its end, and a second one,
// in the bytes of the record.
func TestAppendAttempt(t *testing.T) {
	t.Parallel()
	w := parse(t, file(t, "season.json"))
	a, err := w.Attempt("dub", 1, noon())
	require.NoError(t, err)
	put := func(data []byte, a owg.Attempt) []byte {
		out, err := owg.AppendAttempt(data, w, a, owg.Limits{})
		require.NoError(t, err)
		return out
	}
	data := put(nil, a)
	f := owg.NewFollow(a, []string{"dub_ep1"}, owg.Limits{})
	update(t, f, file(t, "task-working.json"))
	data = put(data, f.Attempt())
	update(t, f, `{"id":"9f2c","status":{"state":"failed","message":{"parts":[{"text":"no voices"}]}}}`)
	data = put(data, f.Attempt())
	require.Equal(t, string(data), string(put(data, f.Attempt())), "the same again changes nothing")
	second, err := w.Attempt("dub", record(t, string(data)).Next("dub"), noon())
	require.NoError(t, err)
	data = put(data, second)
	require.Equal(t, `{"version":1,"workflow":"season-one","participants":[{"id":"prodco_agent","kind":"agent","works_for":"org_prodco","identity":{"id":"urn:prodco:agent"}},{"id":"vendor_agent","kind":"agent","works_for":"org_vendor"}],"received":[],"attempts":[`+
		`{"task":"dub","attempt":1,"status":"failed","performed_by":"vendor_agent","remote":{"task_id":"9f2c","context_id":"c1","state":"failed","skill":"localize-dub"},"delegation":{"by":"prodco_agent","scope":["read:masters"]},"used":["masters"],"produced":[],"error":{"code":"A2A_TASK_FAILED","message":"no voices"},"started_at":"2026-11-29T12:00:00Z","ended_at":"2026-11-29T12:00:00Z"},`+
		`{"task":"dub","attempt":2,"status":"running","performed_by":"vendor_agent","remote":{"skill":"localize-dub"},"delegation":{"by":"prodco_agent","scope":["read:masters"]},"used":["masters"],"produced":[],"error":null,"started_at":"2026-11-29T12:00:00Z"}]}`+"\n", string(data))

	changed := f.Attempt()
	changed.Status = owg.StatusSucceeded
	_, err = owg.AppendAttempt(data, w, changed, owg.Limits{})
	require.Equal(t, owg.CodeStateAfterTerminal, codeOf(t, err))
	for _, n := range []int{0, 4} {
		skipped := second
		skipped.Number = n
		_, err = owg.AppendAttempt(data, w, skipped, owg.Limits{})
		require.Equal(t, owg.CodeRecord, codeOf(t, err))
	}
	other := second
	other.Remote.TaskID = "x"
	data = put(data, other)
	other.Remote.TaskID = "y"
	_, err = owg.AppendAttempt(data, w, other, owg.Limits{})
	require.Equal(t, owg.CodeTaskMismatch, codeOf(t, err))
	_, err = owg.AppendAttempt(data, parse(t, file(t, "book-to-press.json")), a, owg.Limits{})
	require.Equal(t, owg.CodeRecord, codeOf(t, err))
	_, err = owg.AppendAttempt(nil, w, owg.Attempt{}, owg.Limits{})
	require.Equal(t, owg.CodeRecord, codeOf(t, err))
	_, err = owg.AppendAttempt([]byte("nonsense"), w, a, owg.Limits{})
	require.Equal(t, owg.CodeJSONSyntax, codeOf(t, err))
}

const rich = `{"version":1,"workflow":"w","participants":[{"id":"p","kind":"human","works_for":"o","operated_by":"q","identity":{"id":"urn:p","credential_scope":["r"],"seal":1},"agent_card":"https://p.example/card"}],` +
	`"received":[{"task":"t","performed_by":"a","task_id":"1","context_id":"2","state":"rejected","caller":"urn:p","claimed":"x","delegation":{"by":"p","credential":"c"},"produced":["z"],"code":"OWG_CALLER_UNKNOWN","at":"2026-11-29T12:00:00Z","note":[1, 2]}],` +
	`"attempts":[{"task":"t","attempt":1,"status":"succeeded","performed_by":"a","remote":{"task_id":"1","context_id":"2","state":"completed","skill":"s","more":{}},"delegation":{"by":"p","scope":[],"expires_at":"2026-11-29T12:00:00Z","credential":{"n":1e2}},"used":["u"],"produced":[{"asset":"z","artifact_id":"a","sha256":"00","size":7}],"error":null,"card":{"sha256":"11","outcome":"verified","key":"k"},"started_at":"2026-11-29T12:00:00Z","ended_at":"2026-11-29T12:00:00Z","cost":1e2},` +
	`{"task":"t","attempt":2,"status":"failed","remote":{},"produced":[],"error":{"code":"A2A_TASK_FAILED","message":"m","log":["x"]}}],` +
	`"other":{"kept":  true}}`

// TestRecordKeepsAll: a record that is read and written again is the same, including
// members that are not known here.
func TestRecordKeepsAll(t *testing.T) {
	t.Parallel()
	require.Equal(t, rich, string(record(t, rich).Append(nil)))
}

func TestMalformedRecords(t *testing.T) {
	t.Parallel()
	for _, c := range []change{
		{"version", 2}, {"version", gone{}}, {"version", "1"}, {"workflow", 1}, {"participants", map[string]any{}}, {"participants.0", 1}, {"participants.0.id", gone{}},
		{"participants.0.kind", ""}, {"received", 1}, {"received.0.state", "done"}, {"received.0.state", gone{}}, {"received.0.delegation", 1}, {"received.0.at", "noon"},
		{"attempts.0.attempt", 0}, {"attempts.0.attempt", 1.5}, {"attempts.0.attempt", gone{}}, {"attempts.0.status", "done"}, {"attempts.0.status", gone{}}, {"attempts.0.remote", 1},
		{"attempts.0.used", 1}, {"attempts.0.used.0", 1}, {"attempts.0.produced", 1}, {"attempts.0.produced.0.asset", gone{}}, {"attempts.0.delegation.expires_at", "noon"},
		{"participants.0.identity", "urn:p"}, {"participants.0.identity.credential_scope", "r"}, {"attempts.1.error.message", 1}, {"attempts.1.error", "no"},
		{"attempts.0.delegation.scope", "all"}, {"attempts.0.error", map[string]any{}}, {"attempts.0.card", map[string]any{}}, {"attempts.0.task", gone{}},
	} {
		_, err := owg.ParseRecord([]byte(edit(t, rich, c)), owg.Limits{})
		require.Equal(t, owg.CodeRecord, codeOf(t, err), "%v", c)
	}
	for _, c := range []change{
		{"attempts.0.delegation.expires", "2026-12-31T23:59:59Z"}, {"attempts.0.delegation.Scope", []any{}}, {"received.0.delegation.valid_until", nil}, {"received.0.delegation.scopes", []any{}},
	} {
		_, err := owg.ParseRecord([]byte(edit(t, rich, c)), owg.Limits{})
		require.Equal(t, owg.CodeDelegationMember, codeOf(t, err), "%v", c)
	}
	for _, twice := range []string{`{"version":1,"participants":[{"id":"p","kind":"human"},{"id":"p","kind":"agent"}]}`, `{"version":1,"attempts":[{"task":"t","attempt":1,"status":"failed"},{"task":"t","attempt":1,"status":"succeeded"}]}`,
		`{"version":1,"received":[{"task":"t","task_id":"1","state":"submitted"},{"task":"u","task_id":"1","state":"submitted"}]}`} {
		_, err := owg.ParseRecord([]byte(twice), owg.Limits{})
		require.Equal(t, owg.CodeRecord, codeOf(t, err))
	}
	_, err := owg.ParseRecord([]byte(`[]`), owg.Limits{})
	require.Equal(t, owg.CodeRecord, codeOf(t, err))
}

// TestTraceByRecord: the record says who really performed a task.
func TestTraceByRecord(t *testing.T) {
	t.Parallel()
	w := parse(t, edit(t, file(t, "season.json"), change{"participants.0", map[string]any{"id": "exec", "kind": "human", "works_for": "org_studio"}}))
	run := func(attempts string) *owg.Record {
		return record(t, `{"version":1,"workflow":"season-one","participants":[{"id":"stand_in","kind":"agent","works_for":"org_vendor"}],"attempts":[`+attempts+`]}`)
	}
	const one = `{"task":"dub","attempt":1,"status":"failed","performed_by":"vendor_agent"}`
	const two = `{"task":"dub","attempt":2,"status":"succeeded","performed_by":"stand_in","remote":{"task_id":"77"},"produced":[{"asset":"dub_ep1"},{"asset":"dub_extra"}]}`
	out, err := w.Trace("dub_ep1", run(one+","+two))
	require.NoError(t, err)
	require.Equal(t, "dub_ep1 -> produced by stand_in -> delegated by prodco_agent -> delegated by exec (a person, org_studio)", out.Text())
	require.Equal(t, 2, out.Chains[0].Hops[0].Attempt)
	require.Equal(t, "77", out.Chains[0].Hops[0].RemoteTask)
	require.True(t, out.Complete())
	out, err = w.Trace("dub_extra", run(two))
	require.NoError(t, err)
	require.Contains(t, out.Text(), "dub_extra -> produced by stand_in")
	out, err = w.Trace("dub_ep1", run(one))
	require.NoError(t, err)
	require.Contains(t, out.Text(), "produced by vendor_agent", "a failed attempt produced nothing")
	for name, attempts := range map[string]string{
		"an attempt that runs": strings.Replace(two, `"succeeded"`, `"running"`, 1), "one that runs after one that failed": one + "," + strings.Replace(two, `"succeeded"`, `"running"`, 1),
	} {
		out, err = w.Trace("dub_ep1", run(attempts))
		require.NoError(t, err)
		require.Contains(t, out.Text(), "produced by vendor_agent", "%s has produced nothing yet: the plan stands", name)
		require.Zero(t, out.Chains[0].Hops[0].Attempt)
	}
	conflict := strings.Replace(two, `"attempt":2,`, `"attempt":1,"delegation":{"by":"exec"},`, 1)
	out, err = w.Trace("dub_ep1", run(conflict))
	require.NoError(t, err)
	require.Contains(t, said(out.Findings), "warning OWG_RECORD_CONFLICT")
	require.Contains(t, out.Text(), "delegated by prodco_agent", "the workflow stands")
}

// TestTraceAcrossHops merges the records of three organizations, each with its own
// workflow: the vendor's output traces back to the person at the studio.
func TestTraceAcrossHops(t *testing.T) {
	t.Parallel()
	studio := `{"version":1,"workflow":"studio-season","participants":[{"id":"exec","kind":"human","works_for":"org_studio"},{"id":"prodco_agent","kind":"agent","works_for":"org_prodco"}],
"attempts":[{"task":"season","attempt":1,"status":"running","performed_by":"prodco_agent","remote":{"task_id":"T1"},"delegation":{"by":"exec","scope":["read:masters"]}},
 {"task":"teaser","attempt":1,"status":"running","performed_by":"prodco_agent","remote":{"task_id":"T0"},"delegation":{"by":"exec2","scope":["read:masters"]}}]}`
	prodco := `{"version":1,"workflow":"prodco-season","participants":[{"id":"exec","kind":"human","works_for":"org_studio"},{"id":"prodco_agent","kind":"agent","works_for":"org_prodco"},{"id":"vendor_agent","kind":"agent","works_for":"org_vendor"}],
"received":[{"task":"intake","performed_by":"prodco_agent","task_id":"T1","state":"submitted","caller":"urn:exec","delegation":{"by":"exec","scope":["read:masters"]}}],
"attempts":[{"task":"dub","attempt":1,"status":"succeeded","performed_by":"vendor_agent","remote":{"task_id":"T2"},"delegation":{"by":"prodco_agent","scope":["read:masters"]},"produced":[{"asset":"dub_ep1"}]}]}`
	vendor := `{"id":"vendor-dub","participants":[{"id":"vendor_agent","kind":"agent","works_for":"org_vendor"},{"id":"prodco_agent","kind":"agent","works_for":"org_prodco"},{"id":"mixer","kind":"human","works_for":"org_vendor"}],
"tasks":[{"id":"take","performed_by":"vendor_agent","delegation":{"by":"prodco_agent","scope":["read:masters"]},"produced":["job"]},
{"id":"mix","executor":{"type":"job"},"performed_by":"mixer","delegation":{"by":"vendor_agent","scope":[]},"used":["job"],"produced":["mix"]}]}`
	vendorRun := `{"version":1,"workflow":"vendor-dub","received":[{"task":"take","performed_by":"vendor_agent","task_id":"T2","state":"submitted","delegation":{"by":"prodco_agent","scope":["read:masters"]}}]}`

	want := "mix -> produced by mixer -> delegated by vendor_agent -> delegated by prodco_agent -> delegated by exec (a person, org_studio)"
	for order, records := range [][]string{{studio, prodco, vendorRun}, {vendorRun, prodco, studio}, {prodco, vendorRun, studio}} {
		var all []*owg.Record
		for _, r := range records {
			all = append(all, record(t, r))
		}
		out := trace(t, vendor, "mix", all...)
		require.Equal(t, want, out.Text(), order)
		require.Empty(t, out.Findings, "%d", order)
		require.True(t, out.Complete())
		last := out.Chains[0].Hops[3]
		require.Equal(t, "season", last.Task)
		require.Equal(t, "studio-season", last.Workflow)
	}
	// Without the vendor's own record, it is not known which of two hand-overs led to its
	// work.
	require.Equal(t, []string{"warning OWG_TRACE_AMBIGUOUS"}, said(trace(t, vendor, "mix", record(t, prodco), record(t, studio)).Findings))
	// Without any records the chain ends where the vendor's knowledge ends.
	require.Equal(t, "mix -> produced by mixer -> delegated by vendor_agent -> delegated by prodco_agent -> works for org_prodco (an organization, no person known)", trace(t, vendor, "mix").Text())
	// A hand-off of which only the receipt is recorded is a hop as well.
	alone := strings.Replace(prodco, `"T1"`, `"T9"`, 1)
	require.Equal(t, want, trace(t, vendor, "mix", record(t, alone)).Text())
	// Records that disagree about who handed over.
	out := trace(t, vendor, "mix", record(t, studio), record(t, strings.Replace(prodco, `"delegation":{"by":"exec"`, `"delegation":{"by":"other"`, 1)))
	require.Contains(t, said(out.Findings), "error OWG_RECORD_CONFLICT")
	require.False(t, out.Complete())
	// When a record describes a participant differently, the workflow counts.
	out = trace(t, vendor, "mix", record(t, strings.Replace(prodco, `{"id":"vendor_agent","kind":"agent"`, `{"id":"vendor_agent","kind":"human"`, 1)))
	require.Contains(t, said(out.Findings), "warning OWG_RECORD_CONFLICT")
	require.Contains(t, out.Text(), "delegated by exec")
	// A rejected hand-off led to nothing.
	rejected := strings.Replace(alone, `"submitted"`, `"rejected"`, 1)
	require.NotContains(t, trace(t, vendor, "mix", record(t, rejected)).Text(), "exec")
}

// TestPutReceivedLong: one hand-off, whatever was decided on it, does not fill a record.
func TestPutReceivedLong(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1001)
	scopes := func(n int) []string { return slices.Repeat([]string{strings.Repeat("s", 97)}, n) } // 100 bytes each
	for _, row := range []struct {
		name string
		x    owg.Received
		want owg.Code
	}{
		{"names as long as they may be", owg.Received{Task: long[1:], TaskID: long[1:], ContextID: long[1:], Caller: long[1:], Claimed: long[1:]}, ""},
		{"task", owg.Received{Task: long}, owg.CodeHandOff},
		{"remote task", owg.Received{Task: "t", TaskID: long}, owg.CodeHandOff},
		{"context", owg.Received{Task: "t", ContextID: long}, owg.CodeHandOff},
		{"caller", owg.Received{Task: "t", Caller: long}, owg.CodeHandOff},
		{"claimed delegator", owg.Received{Task: "t", Claimed: long}, owg.CodeHandOff},
		{"many scopes", owg.Received{Task: "t", Delegation: &owg.Delegation{By: "b", Scope: scopes(654), ScopeStated: true}}, ""},
		{"too many scopes", owg.Received{Task: "t", Delegation: &owg.Delegation{By: "b", Scope: scopes(656), ScopeStated: true}}, owg.CodeHandOff},
		{"what the workflow says", owg.Received{Task: "t", Produced: scopes(2000)}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := owg.NewRecord("w", owg.Limits{})
			row.x.State = owg.StateRejected
			err := r.PutReceived(row.x)
			if row.want == "" {
				require.NoError(t, err)
				require.Len(t, r.Received, 1)
				return
			}
			require.Equal(t, row.want, codeOf(t, err))
			require.Empty(t, r.Received)
		})
	}
}

// TestRejectedMany: whatever strangers send, what is accepted can still be recorded.
func TestRejectedMany(t *testing.T) {
	t.Parallel()
	w := parse(t, file(t, "book-to-press.json"))
	in := inbound(t, file(t, "inbound.json"))
	for _, row := range []struct {
		name   string
		limits owg.Limits
		long   int // of what they say
		fit    int
	}{
		{"many", owg.Limits{Tasks: 11}, 1, 6},
		{"long ones", owg.Limits{RecordBytes: 16 << 10}, 950, 7}, // of 1.1 KB each
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			in, stranger := in, in
			stranger.Caller = "urn:" + strings.Repeat("x", row.long)
			var data []byte
			for i := range row.fit + 1 {
				stranger.TaskID = fmt.Sprint("S", i)
				r, err := w.Receive(stranger)
				require.NoError(t, err)
				require.Equal(t, owg.StateRejected, r.State)
				after, err := owg.AppendReceived(data, w, r.Received, row.limits)
				if i == row.fit {
					require.Equal(t, owg.CodeLimit, codeOf(t, err))
					require.Contains(t, err.Error(), "rejected hand-offs")
					break
				}
				require.NoError(t, err)
				data = after
			}
			for i := range row.fit - 1 {
				in.TaskID = fmt.Sprint("T", i)
				r, err := w.Receive(in)
				require.NoError(t, err)
				data, err = owg.AppendReceived(data, w, r.Received, row.limits)
				require.NoError(t, err)
			}
		})
	}
}

func TestPutReceived(t *testing.T) {
	t.Parallel()
	r := owg.NewRecord("w", owg.Limits{})
	x := owg.Received{Task: "t", TaskID: "1", State: owg.StateInputRequired, Caller: "c"}
	require.NoError(t, r.PutReceived(x))
	x.State = owg.StateSubmitted
	require.NoError(t, r.PutReceived(x), "the value came")
	require.Len(t, r.Received, 1)
	require.Equal(t, owg.CodeRecord, codeOf(t, r.PutReceived(x)), "once")
	require.NoError(t, r.PutReceived(owg.Received{Task: "t", State: owg.StateRejected}))
	small := owg.NewRecord("w", owg.Limits{Tasks: 2})
	for i := range 2 {
		require.NoError(t, small.PutReceived(owg.Received{Task: "t", TaskID: fmt.Sprint(i)}))
	}
	require.Equal(t, owg.CodeLimit, codeOf(t, small.PutReceived(owg.Received{Task: "t"})))
}

// TestRecordsThatDisagree: where records contradict each other, none is believed, in
// whatever order they come.
func TestRecordsThatDisagree(t *testing.T) {
	t.Parallel()
	const widens, conflict = "error OWG_DELEGATION_WIDENS", "error OWG_RECORD_CONFLICT"
	const people = `"participants":[{"id":"stand_in","kind":"agent","works_for":"org_vendor"}],`
	const dub = `{"version":1,"workflow":"season-one",` + people + `"attempts":[{"task":"dub","attempt":1,"status":"succeeded","performed_by":"stand_in","remote":{"task_id":"77"},"delegation":{"by":"prodco_agent","scope":["read:masters"]},"produced":[{"asset":"dub_ep1","sha256":"00"}]}]}`
	for _, row := range []struct {
		name     string
		records  []string
		found    []string
		text     string
		complete bool
	}{
		{"one", []string{dub}, []string{}, "stand_in", true},
		{"twice the same", []string{dub, dub}, []string{}, "stand_in", true},
		{"an earlier copy", []string{dub, strings.NewReplacer(`"succeeded"`, `"running"`, `,"sha256":"00"`, ``).Replace(dub)}, []string{}, "stand_in", true},
		{"two performers", []string{dub, strings.Replace(dub, `"performed_by":"stand_in"`, `"performed_by":"exec"`, 1)}, []string{conflict}, "", false},
		{"two remote tasks", []string{dub, strings.Replace(dub, `"77"`, `"78"`, 1)}, []string{conflict}, "", false},
		{"two results", []string{dub, strings.Replace(dub, `"00"`, `"01"`, 1)}, []string{conflict}, "", false},
		{"it failed, too", []string{dub, strings.Replace(dub, `"succeeded"`, `"failed"`, 1)}, []string{conflict}, "stand_in", false},
		{"two scopes", []string{dub, strings.Replace(dub, `["read:masters"]`, `[]`, 1)}, []string{conflict}, "", false},
		{"a later attempt", []string{dub, strings.NewReplacer(`"attempt":1`, `"attempt":2`, `"77"`, `"78"`, `"performed_by":"stand_in"`, `"performed_by":"vendor_agent"`).Replace(dub)}, []string{}, "vendor_agent", true},
		{"a later attempt that runs", []string{dub, strings.NewReplacer(`"attempt":1`, `"attempt":2`, `"succeeded"`, `"running"`, `"performed_by":"stand_in"`, `"performed_by":"vendor_agent"`).Replace(dub)}, []string{}, "stand_in", true},
		{"of a workflow that has no id", []string{strings.Replace(dub, `"workflow":"season-one",`, ``, 1)}, nil, "produced by vendor_agent", true},
		{"wider than the delegator declares", []string{strings.Replace(dub, `["read:masters"]`, `["read:masters","write:deliverables"]`, 1)}, []string{widens, "warning OWG_RECORD_CONFLICT"}, "stand_in", false},
		{"two kinds", []string{dub, strings.Replace(dub, `"kind":"agent"`, `"kind":"human"`, 1)}, []string{conflict}, "", false},
		{"two identities of one id", []string{strings.Replace(dub, `"works_for"`, `"identity":{"id":"urn:a"},"works_for"`, 1), strings.Replace(dub, `"works_for"`, `"identity":{"id":"urn:b"},"works_for"`, 1)}, []string{conflict}, "", false},
		{"two employers", []string{dub, strings.Replace(dub, `"org_vendor"`, `"org_other"`, 1)}, []string{conflict}, "", false},
		{"one says more", []string{dub, strings.Replace(dub, `"kind":"agent"`, `"kind":"agent","operated_by":"exec"`, 1)}, []string{}, "stand_in", true},
	} {
		for _, turned := range []bool{false, true} {
			var all []*owg.Record
			for _, text := range row.records {
				all = append(all, record(t, text))
			}
			if turned {
				slices.Reverse(all)
			}
			out := trace(t, file(t, "season.json"), "dub_ep1", all...)
			if row.found != nil {
				require.Equal(t, row.found, said(out.Findings), row.name)
			}
			require.Contains(t, out.Text(), row.text, row.name)
			require.Equal(t, row.complete, out.Complete(), row.name)
		}
	}
	// Across records, too, no more is handed on than was received.
	mix := func(one, two string) *owg.Trace {
		return trace(t, file(t, "mix.json"), "mix", record(t, one), record(t, two))
	}
	studio, prodco := file(t, "studio-run.json"), file(t, "prodco-run.json")
	require.Empty(t, mix(studio, prodco).Findings)
	less := strings.Replace(studio, `["read:masters"]`, `[]`, 1)
	require.Equal(t, []string{conflict, "warning OWG_DELEGATION_CHAIN_WIDENS"}, said(mix(less, prodco).Findings), "more was received than sent, and handed on")
	require.False(t, mix(less, prodco).Complete())
	short := strings.Replace(studio, `["read:masters"]`, `["read:masters"],"expires_at":"2026-12-01T00:00:00Z"`, 1)
	require.Equal(t, []string{conflict, "warning OWG_DELEGATION_OUTLIVES"}, said(mix(short, prodco).Findings))
	honest := strings.Replace(prodco, `"exec","scope":["read:masters"]`, `"exec","scope":[]`, 1)
	require.Equal(t, []string{"warning OWG_DELEGATION_CHAIN_WIDENS"}, said(mix(less, honest).Findings))
	// Two records say that they sent the same remote task.
	other := strings.NewReplacer("studio-season", "other-season", `"by":"exec"`, `"by":"rival"`).Replace(studio)
	out := trace(t, file(t, "mix.json"), "mix", record(t, studio), record(t, other), record(t, prodco))
	require.Contains(t, said(out.Findings), conflict)
	require.False(t, out.Complete())
}

// TestKnow: without the workflow, a record says who is responsible.
func TestKnow(t *testing.T) {
	t.Parallel()
	w := parse(t, file(t, "book-to-press.json"))
	out, err := owg.AppendReceived(nil, w, owg.Received{
		Task: "intake", PerformedBy: "press_agent", TaskID: "T1", State: owg.StateSubmitted, Caller: "urn:publisher:assistant",
		Delegation: &owg.Delegation{By: "publisher_assistant", Scope: []string{}, ScopeStated: true},
	}, owg.Limits{})
	require.NoError(t, err)
	var ids []string
	for _, p := range record(t, string(out)).Participants {
		ids = append(ids, p.ID)
	}
	require.Equal(t, []string{"publisher_assistant", "rights_lead", "rights_desk", "press_agent", "press_lead"}, ids)
	bindery := `{"id":"bindery","participants":[{"id":"bindery_agent","kind":"agent","works_for":"org_bindery"},{"id":"press_agent","kind":"agent","works_for":"org_press"}],
"tasks":[{"id":"bind","performed_by":"bindery_agent","delegation":{"by":"press_agent","scope":[]},"produced":["b"]}]}`
	traced := trace(t, bindery, "b", record(t, string(out)))
	require.True(t, traced.Complete())
	require.Equal(t, "b -> produced by bindery_agent -> delegated by press_agent -> delegated by publisher_assistant -> works for rights_desk (an organization, responsible: rights_lead)", traced.Text())
}

// TestTraceSameAsset: an asset that both sides of a hand-off say they produced was
// produced once, and what only the sender names came from the receiver as well.
func TestTraceSameAsset(t *testing.T) {
	t.Parallel()
	record := func(text string) *owg.Record {
		r, err := owg.ParseRecord([]byte(text), owg.Limits{})
		require.NoError(t, err)
		return r
	}
	sent := record(`{"version":1,"workflow":"w1","participants":[{"id":"p","kind":"human"},{"id":"v","kind":"agent"}],"attempts":[
		{"task":"dub","attempt":1,"status":"succeeded","performed_by":"v","remote":{"task_id":"T1","state":"completed"},"delegation":{"by":"p","scope":[]},
		 "produced":[{"asset":"dub"},{"asset":"notes"}],"error":null}]}`)
	received := record(`{"version":1,"workflow":"w2","received":[
		{"task":"take","performed_by":"v","task_id":"T1","state":"submitted","caller":"urn:p","delegation":{"by":"p","scope":[]}}]}`)
	w := parse(t, `{"id":"w2","participants":[{"id":"v","kind":"agent","works_for":"o"},{"id":"p","kind":"human"}],
		"tasks":[{"id":"take","executor":{"type":"form"},"performed_by":"v","delegation":{"by":"p","scope":[]},"produced":["dub"]}]}`)
	for _, asset := range []string{"dub", "notes"} {
		out, err := w.Trace(asset, sent, received)
		require.NoError(t, err)
		require.Equal(t, asset+" -> produced by v -> delegated by p (a person)", out.Text())
		require.True(t, out.Complete(), "%v", out.Findings)
	}
}

// TestUnder: what a workflow may hand on at most, by its record.
func TestUnder(t *testing.T) {
	t.Parallel()
	const (
		narrow   = `{"task":"t","task_id":"T1","state":"submitted","delegation":{"by":"p","scope":["r"]}}`
		again    = `{"task":"t","task_id":"T2","state":"submitted","delegation":{"by":"p","scope":["r"]}}`
		wide     = `{"task":"t","task_id":"T3","state":"submitted","delegation":{"by":"q","scope":["r","w"]}}`
		nothing  = `{"task":"t","task_id":"T4","state":"submitted"}`
		turned   = `{"task":"t","task_id":"T6","state":"submitted","delegation":{"by":"q","scope":["w","r","w"]}}`
		unstated = `{"task":"t","task_id":"T7","state":"submitted","delegation":{"by":"q"}}`
		empty    = `{"task":"t","task_id":"T8","state":"submitted","delegation":{"by":"q","scope":[]}}`
		rejected = `{"task":"t","task_id":"T5","state":"rejected","delegation":{"by":"q","scope":["r","w"]}}`
	)
	for _, row := range []struct {
		name, received, id string
		by                 string // "-" for no delegation
		scope              []string
		refused            bool
	}{
		{"none", "", "", "-", nil, false},
		{"none with the id", narrow, "T9", "", nil, true},
		{"one", narrow, "", "p", []string{"r"}, false},
		{"two that are the same", narrow + "," + again, "", "p", []string{"r"}, false},
		{"in another order", wide + "," + turned, "", "q", []string{"w", "r", "w"}, false},
		{"no scope in two ways", unstated + "," + empty, "", "q", []string{}, false},
		{"a scope and none", wide + "," + empty, "", "", nil, true},
		{"a wider one later", narrow + "," + wide, "", "", nil, true},
		{"a wider one before", wide + "," + narrow, "", "", nil, true},
		{"one of several", narrow + "," + wide, "T1", "p", []string{"r"}, false},
		{"the other", narrow + "," + wide, "T3", "q", []string{"r", "w"}, false},
		{"a rejected one", narrow + "," + rejected, "", "p", []string{"r"}, false},
		{"a rejected one alone", rejected, "", "-", nil, false},
		{"a rejected one by its id", narrow + "," + rejected, "T5", "", nil, true},
		{"without a delegation", nothing, "", "", nil, false},
		{"without a delegation, after one", narrow + "," + nothing, "T4", "", nil, false},
		{"without a delegation, and none is named", narrow + "," + nothing, "", "", nil, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d, err := record(t, `{"version":1,"received":[`+row.received+`]}`).Under(row.id)
			if row.refused {
				require.Equal(t, owg.CodeRecord, codeOf(t, err))
				return
			}
			require.NoError(t, err)
			require.Equal(t, row.by == "-", d == nil)
			if d != nil {
				require.Equal(t, row.by, d.By)
				require.Equal(t, row.scope, d.Scope)
			}
		})
	}
}

// What a participant of a record declares to have bounds what it delegates (V-9), wherever the
// declaration stands. Of two that differ neither is believed.
func TestDeclaredInRecords(t *testing.T) {
	t.Parallel()
	const press = `{"id":"owner","kind":"human"%s}`
	run := func(identity, scope string) *owg.Record {
		return record(t, `{"version":1,"workflow":"other","participants":[`+fmt.Sprintf(press, identity)+`],
			"attempts":[{"task":"print","attempt":1,"status":"succeeded","performed_by":"printer","remote":{},"delegation":{"by":"owner","scope":[`+scope+`]},"produced":[{"asset":"book"}],"error":null}]}`)
	}
	also := func(identity string) *owg.Record {
		return record(t, `{"version":1,"workflow":"third","participants":[`+fmt.Sprintf(press, identity)+`]}`)
	}
	declares := func(scope string) string { return `,"identity":{"credential_scope":[` + scope + `]}` }
	for _, row := range []struct {
		name    string
		records []*owg.Record
		code    owg.Code // "" for a complete trace
	}{
		{"nothing declared", []*owg.Record{run("", `"w"`)}, ""},
		{"as declared", []*owg.Record{run(declares(`"w"`), `"w"`)}, ""},
		{"wider", []*owg.Record{run(declares(`"r"`), `"w"`)}, owg.CodeDelegationWidens},
		{"nothing is declared to have", []*owg.Record{run(declares(``), `"w"`)}, owg.CodeDelegationWidens},
		{"wider, by another record", []*owg.Record{run("", `"w"`), also(declares(`"r"`))}, owg.CodeDelegationWidens},
		{"wider, by another record that comes first", []*owg.Record{also(declares(`"r"`)), run("", `"w"`)}, owg.CodeDelegationWidens},
		{"declared twice", []*owg.Record{run(declares(`"w"`), `"w"`), also(declares(`"w"`))}, ""},
		{"declared in another order", []*owg.Record{run(declares(`"w","r"`), `"w"`), also(declares(`"r","w","r"`))}, ""},
		{"declared in two ways", []*owg.Record{run(declares(`"w"`), `"w"`), also(declares(`"w","r"`))}, owg.CodeRecordConflict},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			trace, err := parse(t, file(t, "season.json")).Trace("book", row.records...)
			require.NoError(t, err)
			require.Equal(t, row.code == "", trace.Complete(), trace.Findings)
			if row.code != "" {
				require.Contains(t, said(trace.Findings), "error "+string(row.code))
			}
		})
	}
}
