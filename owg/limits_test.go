package owg_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/owg"
)

// TestLimits tests every limit with the least number that is enough and with one less.
func TestLimits(t *testing.T) {
	t.Parallel()
	season, press := file(t, "season.json"), file(t, "book-to-press.json")
	inboundText := file(t, "inbound.json")
	follow := func(l owg.Limits, updates ...string) error {
		f := owg.NewFollow(owg.Attempt{Task: "t", Number: 1, Status: owg.StatusRunning}, []string{"a"}, l)
		for _, u := range updates {
			if _, err := f.Update([]byte(u), noon()); err != nil {
				return err
			}
		}
		return nil
	}
	with := func(text string, do func(*owg.Workflow) error) func(owg.Limits) error {
		return func(l owg.Limits) error {
			w, err := owg.Parse([]byte(text), l)
			if err != nil {
				return err
			}
			return do(w)
		}
	}
	read := with(press, func(*owg.Workflow) error { return nil })
	tracing := func(text, asset string, records ...string) func(owg.Limits) error {
		return with(text, func(w *owg.Workflow) error {
			var all []*owg.Record
			for _, r := range records {
				all = append(all, record(t, r))
			}
			_, err := w.Trace(asset, all...)
			return err
		})
	}
	const branches = `{"participants":[{"id":"p","kind":"human"},{"id":"a","kind":"agent","works_for":"o"},{"id":"b","kind":"agent","works_for":"o2"}],"tasks":[{"id":"1","performed_by":"a","delegation":{"by":"p","scope":[]}},{"id":"2","performed_by":"a","delegation":{"by":"p","scope":[]}},{"id":"3","performed_by":"b","delegation":{"by":"a","scope":[]},"produced":["x"]}]}`
	named := `{"artifactUpdate":{"taskId":"1","artifact":{"artifactId":"1","name":"%s","parts":[]}}}`
	two := `{"artifactUpdate":{"taskId":"1","artifact":{"artifactId":"%d","parts":[{"text":"x"}]}}}`
	for _, row := range []struct {
		name string
		set  func(*owg.Limits, int)
		at   int
		code owg.Code
		do   func(owg.Limits) error
	}{
		{"workflow bytes", func(l *owg.Limits, n int) { l.WorkflowBytes = int64(n) }, len(press), owg.CodeJSONTooLarge, read},
		{"depth", func(l *owg.Limits, n int) { l.Depth = n }, 5, owg.CodeJSONTooDeep, read},
		{"participants", func(l *owg.Limits, n int) { l.Participants = n }, 9, owg.CodeLimit, read},
		{"tasks", func(l *owg.Limits, n int) { l.Tasks = n }, 6, owg.CodeLimit, read},
		{"hops", func(l *owg.Limits, n int) { l.Hops = n }, 3, owg.CodeLimit, tracing(season, "dub_ep1")},
		{"hops of operators", func(l *owg.Limits, n int) { l.Hops = n }, 2, owg.CodeLimit, tracing(press, "edition_archive")},
		{"chains", func(l *owg.Limits, n int) { l.Chains = n }, 2, owg.CodeLimit, tracing(branches, "x")},
		{"records", func(l *owg.Limits, n int) { l.Records = n }, 2, owg.CodeLimit, tracing(season, "dub_ep1", rich, rich)},
		{"participants of records", func(l *owg.Limits, n int) { l.Participants = n }, 4, owg.CodeLimit, tracing(season, "dub_ep1", rich)},
		{"attempts of records", func(l *owg.Limits, n int) { l.Tasks = n }, 4, owg.CodeLimit, tracing(season, "dub_ep1", rich, rich)},
		{"record bytes", func(l *owg.Limits, n int) { l.RecordBytes = int64(n) }, len(rich), owg.CodeJSONTooLarge, func(l owg.Limits) error { _, err := owg.ParseRecord([]byte(rich), l); return err }},
		{"attempts of a record", func(l *owg.Limits, n int) { l.Tasks = n }, 1, owg.CodeLimit, func(l owg.Limits) error {
			r := owg.NewRecord("w", l)
			return r.Put(owg.Attempt{Task: "t", Number: 1, Status: owg.StatusRunning})
		}},
		{"update bytes", func(l *owg.Limits, n int) { l.UpdateBytes = int64(n) }, 42, owg.CodeJSONTooLarge, func(l owg.Limits) error {
			return follow(l, `{"id":"1","status":{"state":"completed"}}`+" ")
		}},
		{"hand-off bytes", func(l *owg.Limits, n int) { l.UpdateBytes = int64(n) }, len(inboundText), owg.CodeJSONTooLarge, func(l owg.Limits) error { _, err := owg.ParseHandOff([]byte(inboundText), "", l); return err }},
		{"artifacts", func(l *owg.Limits, n int) { l.Artifacts = n }, 2, owg.CodeLimit, func(l owg.Limits) error { return follow(l, fmt.Sprintf(two, 1), fmt.Sprintf(two, 2)) }},
		{"artifact bytes", func(l *owg.Limits, n int) { l.ArtifactBytes = n }, 26, owg.CodeLimit, func(l owg.Limits) error { return follow(l, fmt.Sprintf(two, 1), fmt.Sprintf(two, 2)) }},
		{"artifact bytes of a name", func(l *owg.Limits, n int) { l.ArtifactBytes = n }, 9, owg.CodeLimit, func(l owg.Limits) error {
			return follow(l, fmt.Sprintf(named, "longer"), fmt.Sprintf(named, "at last"))
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var l owg.Limits
			row.set(&l, row.at)
			require.NoError(t, row.do(l))
			if row.at == 1 {
				return // less is the default
			}
			row.set(&l, row.at-1)
			require.Equal(t, row.code, codeOf(t, row.do(l)))
		})
	}
	// Where that number is not obvious, it is searched for: it is above one, and one less
	// is refused.
	for _, row := range []struct {
		name string
		set  func(*owg.Limits, int)
		do   func(owg.Limits) error
	}{
		{"values", func(l *owg.Limits, n int) { l.Values = n }, read},
		{"work of validation", func(l *owg.Limits, n int) { l.Work = n }, with(press, func(w *owg.Workflow) error { _, err := w.Validate(owg.ValidateOptions{}); return err })},
		{"work of a trace", func(l *owg.Limits, n int) { l.Work = n }, tracing(branches, "x")},
		{"work of a lineage", func(l *owg.Limits, n int) { l.Work = n }, with(press, func(w *owg.Workflow) error { _, err := w.Lineage("confirmation"); return err })},
		{"work of a card", func(l *owg.Limits, n int) { l.Work = n }, with(season, func(w *owg.Workflow) error { _, err := w.Card(options()); return err })},
		{"work of a request", func(l *owg.Limits, n int) { l.Work = n }, with(press, func(w *owg.Workflow) error {
			_, _, err := w.HandOff("bind", owg.RequestOptions{Now: noon()})
			return err
		})},
	} {
		t.Run("least "+row.name, func(t *testing.T) {
			t.Parallel()
			n := 1
			for ; n < 100_000; n++ {
				var l owg.Limits
				row.set(&l, n)
				err := row.do(l)
				if err == nil {
					break
				}
				require.Equal(t, owg.CodeLimit, codeOf(t, err))
			}
			require.Greater(t, n, 3)
			require.Less(t, n, 100_000)
			require.NoError(t, row.do(owg.Limits{}))
		})
	}
	params := make([]string, 1001)
	for i := range params {
		params[i] = fmt.Sprintf(`"p%d":"t"`, i)
	}
	for n, ok := range map[int]bool{1000: true, 1001: false} {
		w := parse(t, `{"id":"w","objective":"x","participants":[],"tasks":[],"params":{`+strings.Join(params[:n], ",")+`}}`)
		_, err := w.Params()
		require.Equal(t, ok, err == nil)
	}
}

// TestDefaultLimits: a limit that is not positive means the default, never no limit.
func TestDefaultLimits(t *testing.T) {
	t.Parallel()
	require.Equal(t, owg.DefaultLimits(), owg.Limits{}.OrDefault())
	require.Equal(t, owg.DefaultLimits(), owg.Limits{WorkflowBytes: -1, Work: -1, Depth: -7}.OrDefault())
	require.Equal(t, int64(4<<20), owg.DefaultLimits().WorkflowBytes)
	require.Equal(t, 64, owg.DefaultLimits().Depth)
	require.Equal(t, 1000, owg.Limits{Depth: 1 << 30}.OrDefault().Depth)
}

// TestHostileWorkflows: the work on the largest workflows of the worst shapes ends, with
// an answer or a refusal.
func TestHostileWorkflows(t *testing.T) {
	t.Parallel()
	many := func(n int, one func(i int) string) string {
		all := make([]string, n)
		for i := range all {
			all[i] = one(i)
		}
		return strings.Join(all, ",")
	}
	for name, text := range map[string]string{
		"one agent received everything": `{"participants":[{"id":"p","kind":"human"},{"id":"a","kind":"agent","works_for":"o"}],"tasks":[` +
			many(10_000, func(i int) string {
				return fmt.Sprintf(`{"id":"%d","performed_by":"a","delegation":{"by":"a","scope":[]},"used":["x"],"produced":["x"]}`, i)
			}) + `]}`,
		"a chain of operators": `{"tasks":[],"participants":[` + many(10_000, func(i int) string {
			return fmt.Sprintf(`{"id":"%d","kind":"agent","operated_by":"%d"}`, i, i+1)
		}) + `]}`,
		"every finding": `{"participants":[` + many(10_000, func(int) string { return `{"id":"p","kind":"agent","agent_card":"x","operated_by":"q"}` }) + `],"tasks":[` +
			many(10_000, func(int) string {
				return `{"id":"t","executor":{"type":"a2a"},"delegation":{"by":"z","expires_at":"x"},"produced":["x"]}`
			}) + `]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := parse(t, text).Validate(owg.ValidateOptions{Now: noon()})
			if err != nil {
				require.Equal(t, owg.CodeLimit, codeOf(t, err))
				return
			}
			require.LessOrEqual(t, len(r.Findings), 3000)
			require.False(t, r.Valid())
		})
	}
}

// A scope or a name can be as long as the workflow, and stand in a thousand findings and in
// every chain: reports of gigabytes were made of four megabytes.
func TestLongScopes(t *testing.T) {
	t.Parallel()
	var tasks strings.Builder
	for i := range 60 {
		fmt.Fprintf(&tasks, `{"id":"t%d","performed_by":"a","delegation":{"by":"p","scope":["r"]}},`, i)
	}
	text := `{"participants":[{"id":"p","kind":"human"},{"id":"a","kind":"agent","works_for":"o"},{"id":"b","kind":"agent","works_for":"o"}],"tasks":[` +
		tasks.String() + `{"id":"out","performed_by":"b","delegation":{"by":"a","scope":["` + strings.Repeat("s", 300_000) + `"]},"produced":["x"]}]}`
	w, err := owg.Parse([]byte(text), owg.Limits{})
	require.NoError(t, err)
	r, err := w.Validate(owg.ValidateOptions{Strict: true})
	require.NoError(t, err)
	require.Equal(t, 60, r.Errors, "no finding is left out")
	listed, size := 0, 0
	for _, f := range r.Findings {
		if len(f.Extra) > 0 {
			listed++
		}
		for _, s := range f.Extra {
			size += len(s)
		}
		require.Contains(t, f.Text, "sss")
	}
	require.Equal(t, 3, listed)
	require.Less(t, size, 1<<20)

	_, err = w.Trace("x")
	require.Equal(t, owg.CodeLimit, codeOf(t, err))
	short, err := owg.Parse([]byte(strings.Replace(text, strings.Repeat("s", 200_000), "", 1)), owg.Limits{})
	require.NoError(t, err)
	trace, err := short.Trace("x")
	require.NoError(t, err, "six megabytes of scopes in sixty chains")
	require.Len(t, trace.Chains, 60)

	for _, size := range []int{100_000, 300_000} { // of who is responsible for the organization that all end in
		var tasks []string
		for i := range 60 {
			tasks = append(tasks, fmt.Sprintf(`{"id":"t%d","performed_by":"a","produced":["x"]}`, i))
		}
		trace, err := parse(t, `{"participants":[{"id":"`+strings.Repeat("p", size)+`","kind":"human","works_for":"o"},{"id":"a","kind":"agent","works_for":"o"}],"tasks":[`+strings.Join(tasks, ",")+`]}`).Trace("x")
		if size == 300_000 {
			require.Equal(t, owg.CodeLimit, codeOf(t, err))
			continue
		}
		require.NoError(t, err)
		require.Len(t, trace.Chains[59].Responsible, size)
	}
}

// TestLongLists: lists that fill a document take no longer than their length, and what is
// put together from records counts as work.
func TestLongLists(t *testing.T) {
	t.Parallel()
	const many = 60_000
	var produced, names, results []string
	result := &owg.Result{Task: "t"}
	for i := range many {
		name := fmt.Sprintf("asset-%d", i)
		names, produced = append(names, `"`+name+`"`), append(produced, `{"asset":"`+name+`"}`)
		results = append(results, name)
		result.Produced = append(result.Produced, owg.Produced{Asset: "other-" + name})
	}
	workflow := func(tasks string) string { return `{"id":"w","participants":[],"tasks":[` + tasks + `]}` }
	one := parse(t, workflow(`{"id":"t","performed_by":"p","produced":["x"]}`))
	ran := `{"version":1,"workflow":"w","attempts":[{"task":"t","attempt":1,"status":"succeeded","performed_by":"q","produced":[` + strings.Join(produced, ",") + `]}]}`
	tr, err := one.Trace("asset-59999", record(t, ran))
	require.NoError(t, err)
	require.Equal(t, "q", tr.Chains[0].Hops[0].Participant)
	little, err := owg.Parse(one.Bytes(), owg.Limits{Work: many - 1})
	require.NoError(t, err)
	_, err = little.Trace("x", record(t, ran))
	require.Equal(t, owg.CodeLimit, codeOf(t, err))

	// An asset that thousands of tasks produce, each many times.
	var tasks []string
	for i := range 10_000 {
		tasks = append(tasks, fmt.Sprintf(`{"id":"%d","produced":["x"%s]}`, i, strings.Repeat(`,"x"`, 20)))
	}
	tr, err = parse(t, workflow(strings.Join(tasks, ","))).Trace("x")
	require.NoError(t, err)
	require.False(t, tr.Complete())

	all := parse(t, workflow(`{"id":"t","performed_by":"p","produced":[`+strings.Join(names, ",")+`]}`))
	a, err := all.Attempt("t", 1, noon())
	require.NoError(t, err)
	f := owg.NewFollow(a, results, owg.Limits{})
	found, err := f.Update([]byte(`{"task":{"id":"1","status":{"state":"completed"},"artifacts":[{"artifactId":"1","name":"asset-7","parts":[]}]}}`), noon())
	require.NoError(t, err)
	require.Len(t, found, many-1)
	require.Equal(t, "asset-7", f.Attempt().Produced[0].Asset)
	f = owg.NewFollow(a, results, owg.Limits{})
	require.Len(t, f.Result(result, "1", "", noon()), 2*many)
}

// TestManyFindings: there can be millions of findings about delegations that were handed
// on. Few are kept, all are counted, and those that are not kept cost next to nothing.
func TestManyFindings(t *testing.T) {
	t.Parallel()
	var tasks []string
	for i := range 100 {
		tasks = append(tasks, fmt.Sprintf(`{"id":"a%d","performed_by":"p","delegation":{"by":"h","scope":[],"expires_at":"2026-12-31T23:59:59Z"}}`, i))
		tasks = append(tasks, fmt.Sprintf(`{"id":"b%d","performed_by":"q","delegation":{"by":"p","scope":["s","r"],"expires_at":"2027-12-31T23:59:59Z"}}`, i))
	}
	text := `{"participants":[{"id":"h","kind":"human"},{"id":"p","kind":"agent","works_for":"o"},{"id":"q","kind":"agent","works_for":"o"}],"tasks":[` + strings.Join(tasks, ",") + `]}`
	w, err := owg.Parse([]byte(text), owg.Limits{Work: 60_000})
	require.NoError(t, err)
	r, err := w.Validate(owg.ValidateOptions{Strict: true})
	require.NoError(t, err)
	require.Equal(t, []int{10_000, 10_000}, []int{r.Errors, r.Warnings})
	require.Len(t, r.Findings, 2000)
	require.Equal(t, []string{"r", "s"}, r.Findings[0].Extra)
}

// TestLongRemoteTasks: ids of remote tasks can be as long as the record and alike but for
// their ends; each is looked at once.
func TestLongRemoteTasks(t *testing.T) {
	t.Parallel()
	w, err := owg.Parse([]byte(`{"participants":[],"tasks":[]}`), owg.Limits{Work: 1000})
	require.NoError(t, err)
	for _, length := range []int{200, 7_000} {
		var attempts, received []string
		id := strings.Repeat("i", length)
		for i := range 200 {
			attempts = append(attempts, fmt.Sprintf(`{"task":"%d","attempt":1,"status":"running","performed_by":"q","remote":{"task_id":"%s%03d"}}`, i, id, i))
			received = append(received, fmt.Sprintf(`{"task":"t","performed_by":"p","task_id":"%s%03d","state":"submitted","delegation":{}}`, id, 500+i))
		}
		_, err = w.Trace("x", record(t, `{"version":1,"attempts":[`+strings.Join(attempts, ",")+`],"received":[`+strings.Join(received, ",")+`]}`))
		require.NoError(t, err)
	}
}

// TestManyRecords: a long attempt, scope or participant that each of the other records
// describes in another way is not read again for each of them.
func TestManyRecords(t *testing.T) {
	t.Parallel()
	const many = 120_000
	var produced, scope, letters []string
	for i := range many {
		produced = append(produced, fmt.Sprintf(`{"asset":"%d"}`, i))
		scope = append(scope, fmt.Sprintf(`"%c"`, 'a'+i*i%26))
	}
	for c := 'z'; c >= 'a'; c-- {
		letters = append(letters, fmt.Sprintf(`"%c"`, c))
	}
	w := parse(t, `{"id":"w","participants":[],"tasks":[{"id":"t","performed_by":"p","produced":["x"]}]}`)
	attempt := func(more string) string {
		return `{"version":1,"workflow":"w","attempts":[{"task":"t","attempt":1,"status":"succeeded","performed_by":"q",` + more + `}]}`
	}
	delegated := func(scope []string) string {
		return attempt(`"delegation":{"by":"a","scope":[` + strings.Join(scope, ",") + `]}`)
	}
	known := func(scope []string) string {
		return `{"version":1,"participants":[{"id":"a","kind":"agent","identity":{"credential_scope":[` + strings.Join(scope, ",") + `]}}]}`
	}
	for name, row := range map[string]struct {
		long, short string
		conflict    bool
	}{
		"attempts":               {attempt(`"produced":[` + strings.Join(produced, ",") + `]`), attempt(`"produced":[]`), true},
		"scopes":                 {delegated(scope), delegated(letters[1:]), true},
		"scopes of participants": {known(scope), known(letters[:3]), true},
		"one set":                {known(slices.Concat(letters, letters)), known(letters), false},
	} {
		records := []*owg.Record{record(t, row.long)}
		for range owg.DefaultLimits().Records - 1 {
			records = append(records, record(t, row.short))
		}
		tr, err := w.Trace("x", records...)
		require.NoError(t, err, name)
		require.Equal(t, row.conflict, slices.ContainsFunc(tr.Findings, func(f owg.Finding) bool { return f.Code == owg.CodeRecordConflict }), name)
		slices.Reverse(records)
		again, err := w.Trace("x", records...)
		require.NoError(t, err, name)
		require.Equal(t, tr.Chains, again.Chains, name)
	}
}

// TestScopesAreSets: whether two scopes are one set does not depend on order and duplicates.
func TestScopesAreSets(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		a, b string
		same bool
	}{
		{`["a","b"]`, `["b","a"]`, true},
		{`["a","b"]`, `["b","a","b","a"]`, true},
		{`["a","a","a"]`, `["a"]`, true},
		{`[]`, `[]`, true},
		{`[]`, `["a"]`, false},
		{`["a"]`, `["b"]`, false},
		{`["a","b"]`, `["a","a"]`, false},
		{`["a","a","a"]`, `["a","b"]`, false},
		{`["a","b"]`, `["a","b","c"]`, false},
		{`["a","b","c"]`, `["a","c","c"]`, false},
	} {
		for _, pair := range [][2]string{{row.a, row.b}, {row.b, row.a}} {
			received := func(id, scope string) string {
				return `{"task":"t","task_id":"` + id + `","state":"submitted","delegation":{"by":"a","scope":` + scope + `}}`
			}
			_, err := record(t, `{"version":1,"received":[`+received("1", pair[0])+`,`+received("2", pair[1])+`]}`).Under("")
			require.Equal(t, row.same, err == nil, pair)
		}
	}
}

// TestLongOnce: what stands once and is long is not looked through for each of the many that
// it is held against, which would take minutes; where it must be, that is work.
func TestLongOnce(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("1", 1_000_000)
	people := `"participants":[{"id":"h","kind":"human"},{"id":"a","kind":"agent","operated_by":"h","agent_card":"https://a.example/"},{"id":"b","kind":"agent","operated_by":"h"}]`
	w, err := owg.Parse([]byte(`{`+people+`,"tasks":[{"id":"q","performed_by":"h","used":["`+strings.Repeat("x", len(long))+`"]},
		{"id":"t","performed_by":"a","executor":{"type":"a2a","ref":"s"},"delegation":{"by":"h","scope":["r"]},"used":["u"`+strings.Repeat(`,"u"`, 100_000)+`]}]}`), owg.Limits{})
	require.NoError(t, err)
	_, _, err = w.HandOff("t", owg.RequestOptions{Now: noon()})
	require.NoError(t, err)

	w, err = owg.Parse([]byte(`{`+people+`,"tasks":[{"id":"r","performed_by":"a","delegation":{"by":"h","scope":["s"],"expires_at":"2030-01-01T00:00:00.`+long+`Z"}}`+
		strings.Repeat(`,{"id":"t","performed_by":"b","delegation":{"by":"a","scope":["s"]}}`, 9_000)+`]}`), owg.Limits{})
	require.NoError(t, err)
	r, err := w.Validate(owg.ValidateOptions{})
	require.NoError(t, err)
	require.Equal(t, 9_000, r.Warnings, "each outlives it")
}

// TestLongNames: names that are as long as a workflow has room for, each once, among
// thousands of tasks that are compared with each other: read for each pair they would take
// minutes.
func TestLongNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", 1_000_000)
	many := func(n int, one string) string {
		all := make([]string, n)
		for i := range all {
			all[i] = strings.ReplaceAll(one, "#", fmt.Sprint(i))
		}
		return strings.Join(all, ",")
	}
	crowd := `{"id":"h","kind":"human"},{"id":"a","kind":"agent","operated_by":"` + long + `"},{"id":"` + long + `","kind":"agent","operated_by":"h"},
		{"id":"b","kind":"agent","operated_by":"h"},{"id":"c","kind":"agent","operated_by":"h"},` + many(9, `{"id":"x#","kind":"human"}`)
	pairs := many(2_000, `{"id":"a#","performed_by":"a","delegation":{"by":"b","scope":[]}},{"id":"b#","performed_by":"b","delegation":{"by":"c","scope":[]}}`)
	short := `{"id":"h","kind":"human"},{"id":"a","kind":"agent","operated_by":"h"}`
	assets := many(100_000, `"#"`)
	var scope []string
	for i := range 2_000 {
		scope = append(scope, fmt.Sprintf(`"s%d"`, i*7919%2_000))
	}
	up := many(4_900, `{"id":"up#","performed_by":"a","delegation":{"by":"h","scope":[]}}`)
	for name, text := range map[string]string{
		"an operator":                     `{"participants":[` + crowd + `],"tasks":[` + pairs + `]}`,
		"two tasks that produce the same": `{"participants":[],"tasks":[{"id":"` + long + `1","produced":[` + assets + `]},{"id":"` + long + `2","produced":[` + assets + `]}]}`,
		"a scope in no order":             `{"participants":[` + short + `],"tasks":[{"id":"t","delegation":{"by":"a","scope":[` + strings.Join(scope, ",") + `]}},` + up + `]}`,
		"a delegation of many members":    `{"participants":[` + short + `],"tasks":[{"id":"t","delegation":{` + many(120_000, `"n#":0`) + `,"by":"a","scope":["s"]}},` + up + `]}`,
	} {
		w := parse(t, text)
		_, err := w.Validate(owg.ValidateOptions{Strict: true})
		if err != nil {
			require.Equal(t, owg.CodeLimit, codeOf(t, err), name)
		}
		_, err = w.Trace("x")
		if err != nil {
			require.Equal(t, owg.CodeLimit, codeOf(t, err), name)
		}
	}
	// The workflow of a record.
	received := many(5_000, `{"task":"r","task_id":"#","state":"submitted","performed_by":"p","delegation":{}}`)
	_, err := parse(t, `{"id":"w","participants":[],"tasks":[]}`).Trace("x", record(t, `{"version":1,"workflow":"`+strings.Repeat(long, 3)+`","received":[`+received+`]}`))
	require.NoError(t, err)
}

// TestLongChains: everything that a hop or the end of a chain says is bounded, since it
// stands in every chain.
func TestLongChains(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("1", 1_000_000)
	var up strings.Builder
	for i := range 60 {
		fmt.Fprintf(&up, `{"id":"up%d","performed_by":"b","delegation":{"by":"c","scope":[]}},`, i)
	}
	workflow := func(person, expires string) *owg.Workflow {
		return parse(t, `{"id":"w","participants":[{"id":"`+person+`","kind":"human","works_for":"o"},{"id":"a","kind":"agent","works_for":"o"},{"id":"b","kind":"agent","works_for":"o"},{"id":"c","kind":"agent","works_for":"o"}],"tasks":[`+
			up.String()+`{"id":"t","performed_by":"a","delegation":{"by":"b","scope":[],"expires_at":"2030-01-01T00:00:00.`+expires+`Z"},"produced":["x"]}]}`)
	}
	ran := func(id string) *owg.Record {
		return record(t, `{"version":1,"workflow":"w","attempts":[{"task":"t","attempt":1,"status":"succeeded","performed_by":"a","remote":{"task_id":"`+id+`"}}]}`)
	}
	tr, err := workflow("p", "0").Trace("x", ran("r"))
	require.NoError(t, err)
	require.Len(t, tr.Chains, 60)
	for name, trace := range map[string]func() error{
		"person":      func() error { _, err := workflow(long, "0").Trace("x"); return err },
		"expiry":      func() error { _, err := workflow("p", long).Trace("x"); return err },
		"remote task": func() error { _, err := workflow("p", "0").Trace("x", ran(long)); return err },
	} {
		require.Equal(t, owg.CodeLimit, codeOf(t, trace()), name)
	}
}

// TestExpandingTexts: texts are compared as they look, and one character can look like
// eighteen.
func TestExpandingTexts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("\ufdfa", 200_000)
	for name, change := range map[string]change{
		"objective": {"tasks.1.objective", long},
		"asset":     {"tasks.0.used", []any{long}},
		"inputs":    {"tasks.1.inputs", map[string]any{"k": long}},
	} {
		_, _, err := parse(t, edit(t, file(t, "season.json"), change)).HandOff("dub", owg.RequestOptions{Now: noon()})
		require.Equal(t, owg.CodeLimit, codeOf(t, err), name)
	}
	_, _, err := parse(t, edit(t, file(t, "season.json"), change{"tasks.1.objective", strings.Repeat("Übersetze die erste Folge. 翻訳する。", 1000)})).HandOff("dub", owg.RequestOptions{Now: noon()})
	require.NoError(t, err)
}
