package odrl_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/odrl"
)

// many is a list of right operands of a set operator.
func many(n int, also ...string) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("ex:p%d", i))
	}
	return strings.Join(append(all, also...), ", ")
}

// TestManyRightOperands has lists that are too long to be compared item by item. They
// give the same results as short ones.
func TestManyRightOperands(t *testing.T) {
	t.Parallel()
	all := func(n int, also ...odrl.Value) *odrl.Request {
		var values []odrl.Value
		for i := range n {
			values = append(values, text(fmt.Sprintf("%sp%d", ex, n-1-i)))
		}
		return ask(with("purpose", append(values, also...)...))
	}
	for _, row := range []struct {
		name      string
		operator  string
		right     string
		request   *odrl.Request
		want      odrl.State
		wantShort odrl.State // of the first two right operands alone
	}{
		{"any, the last", "isAnyOf", many(50), ask(with("purpose", text(ex+"p49"))), yes, no},
		{"any, none", "isAnyOf", many(50), ask(with("purpose", text(ex+"q"), text(ex+"p"))), no, no},
		{"any, a number that is no text here", "isAnyOf", many(50), ask(with("purpose", number(t, "3"))), unknown, unknown},
		{"any, a number and one of them", "isAnyOf", many(50), ask(with("purpose", number(t, "3"), text(ex+"p1"))), yes, yes},
		{"any, a number among texts", "isAnyOf", many(50, `"3.0"`), ask(with("purpose", number(t, "3"))), yes, unknown},
		{"any, another spelling", "isAnyOf", many(50, `"3"`), ask(with("purpose", text("3.0"))), unknown, no},
		{"none of, another spelling", "isNoneOf", many(50, `"3"`), ask(with("purpose", text("3.0"))), unknown, yes},
		{"all, another spelling", "isAllOf", many(50, `"3"`), all(50, text("3.0")), unknown, yes},
		{"none of texts", "isNoneOf", many(50), ask(with("purpose", text(ex+"q"))), yes, yes},
		{"none of, but one", "isNoneOf", many(50), ask(with("purpose", text(ex+"q"), text(ex+"p7"))), no, yes},
		{"all", "isAllOf", many(50), all(50), yes, yes},
		{"all and more", "isAllOf", many(50), all(60), yes, yes},
		{"all but one", "isAllOf", many(50), all(49), no, yes},
		{"all and a number", "isAllOf", many(50), all(50, number(t, "3")), yes, yes},
		{"all but one, and a number", "isAllOf", many(50), all(49, number(t, "3")), unknown, yes},
		{"all, of numbers too", "isAllOf", many(50, `7`), all(50, text("07")), yes, yes},
		{"all, of a number that is missing", "isAllOf", many(50, `7`), all(50), unknown, yes},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, row.want.String(), state(t, compare("odrl:purpose", row.operator, row.right), odrl.DelegationProfile, row.request).State.String())
			short := strings.Join(strings.SplitN(row.right, ", ", 3)[:2], ", ")
			require.Equal(t, row.wantShort.String(), state(t, compare("odrl:purpose", row.operator, short), odrl.DelegationProfile, row.request).State.String())
		})
	}
}

// TestSharedConstraints: what many rules share is evaluated once per request. The policy
// is within every limit, but would otherwise compare some 25 thousand million values.
func TestSharedConstraints(t *testing.T) {
	t.Parallel()
	const rules, shared = 950, 100
	var b strings.Builder
	fmt.Fprintf(&b, "ex:pol a odrl:Set ; odrl:permission ex:r0")
	for i := 1; i < rules; i++ {
		fmt.Fprintf(&b, ", ex:r%d", i)
	}
	b.WriteString(" .\n")
	for i := range rules {
		fmt.Fprintf(&b, "ex:r%d odrl:action odrl:read ; odrl:target ex:doc ; odrl:constraint ex:c0", i)
		for j := 1; j < shared; j++ {
			fmt.Fprintf(&b, ", ex:c%d", j)
		}
		b.WriteString(" .\n")
	}
	for j := range shared {
		operand := "odrl:purpose"
		if j%2 > 0 {
			operand = "odrl:count"
		}
		b.WriteString(strings.Replace(compare(operand, "isAllOf", many(990, "1", "2.0")), "ex:c ", fmt.Sprintf("ex:c%d ", j), 1))
	}
	var values []odrl.Value
	for i := range 256 {
		values = append(values, text(fmt.Sprintf("%sp%d", ex, i)))
	}
	p := compileFor(t, b.String(), odrl.DelegationProfile)
	request := ask(with("purpose", values...), with("count", values...))
	d := decide(t, p, request)
	require.False(t, d.Permitted())
	_, trace := p.Explain(request)
	require.True(t, trace.Truncated)
	out, err := json.Marshal(trace)
	require.NoError(t, err)
	require.Less(t, len(out), 4<<20)
	request.Trace = odrl.NewTraceBudget(odrl.Limits{TraceEntries: 10_000_000, TraceBytes: 1 << 30})
	_, trace = p.Explain(request)
	require.Len(t, trace.Rules, rules)
	for _, r := range trace.Rules {
		require.Len(t, r.Constraints, shared, "every rule says all of it")
	}
	first, again := trace.Rules[0].Constraints[shared-1], trace.Rules[rules-1].Constraints[shared-1]
	require.Equal(t, first.Node, again.Node)
	require.Equal(t, first.State, again.State)
	require.False(t, first.Repeated)
	require.True(t, again.Repeated)
	require.Len(t, first.RightOperands, 992, "all of it once")
	require.Len(t, first.Values, 256)
	require.Len(t, again.RightOperands, 5)
	require.Len(t, again.Values, 5)
	require.Equal(t, first.String(), again.String())
}

// TestTextsAreReadOnce: what a thousand constraints compare is read as a number or a
// duration once a request. A text of 64 KB, which a requester may choose, would otherwise
// take a chain within its limits most of an hour.
//
// It counts allocations, and so cannot run beside others.
func TestTextsAreReadOnce(t *testing.T) {
	const constraints = 900
	for _, row := range []struct {
		name     string
		operator string
		right    string
		values   []odrl.Value
	}{
		{"a number", "gt", "2", []odrl.Value{text("3.5")}},
		{"numbers", "isNoneOf", "2", []odrl.Value{text("3.5"), text("4.5")}},
		{"texts", "isAllOf", "ex:a", []odrl.Value{text(ex + "a"), text(ex + "b")}},
		{"texts that are numbers", "isAnyOf", `"3", "4"`, []odrl.Value{text("3.50"), text("4")}},
		{"texts and a number", "isAllOf", "3", []odrl.Value{text(ex + "a"), number(t, "3")}},
		{"a number and a text that is one", "isAllOf", "3, 4", []odrl.Value{text("3.0"), number(t, "4")}},
	} {
		var b strings.Builder
		b.WriteString(permission(""))
		for i := range constraints {
			c := strings.Replace(compare("odrl:purpose", row.operator, row.right), "ex:c ", fmt.Sprintf("ex:c%d ", i), 1)
			fmt.Fprintf(&b, "ex:perm odrl:constraint ex:c%d . %s", i, c)
		}
		p, request := compileFor(t, b.String(), odrl.InformationModel), ask(with("purpose", row.values...))
		require.True(t, decide(t, p, request).Permitted(), row.name)
		require.Less(t, testing.AllocsPerRun(1, func() { p.Match(request, 0) }), float64(constraints/10), row.name)
	}
}

// TestSharedStates: that a constraint is shared costs no allocation of its own, or what two
// rules share would take longer than what each of them has for itself.
func TestSharedStates(t *testing.T) {
	var b strings.Builder
	b.WriteString(permission("") + "ex:pol odrl:permission ex:more . ex:more odrl:target ex:doc ; odrl:action odrl:read .\n")
	const constraints = 900
	for i := range constraints {
		c := strings.Replace(compare("odrl:purpose", "eq", "ex:a"), "ex:c ", fmt.Sprintf("ex:c%d ", i), 1)
		fmt.Fprintf(&b, "ex:perm odrl:constraint ex:c%d . ex:more odrl:constraint ex:c%d . %s", i, i, c)
	}
	p, request := compileFor(t, b.String(), odrl.InformationModel), ask(with("purpose", text(ex+"a")))
	require.Len(t, p.Evaluate(request).Reasons, 2)
	require.Less(t, testing.AllocsPerRun(1, func() { p.Match(request, 0) }), 10.)
}

// TestWordsAreForTraces: nothing is put into words for a thousand rules or targets that
// nobody asked about, and names are not repeated in full. Otherwise the IRI of the
// request, which a requester may choose, would be written once for each of them.
func TestWordsAreForTraces(t *testing.T) {
	const n = 900
	long := core + strings.Repeat("a", 1_900)
	name := "ex:" + strings.Repeat("n", 1_900)
	var targets, rules strings.Builder
	for i := range n {
		fmt.Fprintf(&targets, "ex:t%d a odrl:AssetCollection . ex:proh odrl:target ex:t%d .\n", i, i)
		fmt.Fprintf(&rules, "ex:pol odrl:permission %s%d . %s%d odrl:target ex:doc ; odrl:action odrl:read .\n", name, i, name, i)
	}
	for _, row := range []struct {
		name    string
		policy  string
		request *odrl.Request
		code    odrl.Code
		allocs  float64
	}{
		{"memberships that are not known", prohibition("") + targets.String(), ask(target(long)), odrl.CodeProhibited, 20},
		{"an action that is not known", prohibition("") + targets.String(), ask(action(long)), odrl.CodeProhibited, 20},
		{"permissions that apply", permission("") + rules.String(), ask(), odrl.CodePermitted, 30},
	} {
		p := compileFor(t, row.policy, odrl.DelegationProfile)
		d := p.Evaluate(row.request)
		require.Equal(t, row.code, d.Code, row.name)
		for _, r := range d.Reasons {
			require.Less(t, len(r.Message), 600, row.name)
		}
		require.Less(t, testing.AllocsPerRun(1, func() { p.Match(row.request, 0) }), row.allocs, row.name)
	}
	p := compileFor(t, permission("")+rules.String(), odrl.DelegationProfile)
	require.Less(t, testing.AllocsPerRun(1, func() { p.Evaluate(ask()) }), 150., "eight reasons")
}

// TestOneLongOperandOfManyConstraints compiles constraints that share a list of long right
// operands: each is parsed once, and written once for what is found.
func TestOneLongOperandOfManyConstraints(t *testing.T) {
	const n = 300
	long := strings.Repeat("7", 10_000)
	for _, row := range []struct{ left, item string }{
		{"count", long + "." + long}, {"purpose", `"` + long + "." + long + `"`}, {"elapsedTime", long},
	} {
		t.Run(row.left, func(t *testing.T) {
			var b strings.Builder
			b.WriteString(`ex:p a odrl:Set; odrl:uid ex:p; odrl:permission [odrl:action odrl:use; odrl:target ex:t; odrl:constraint `)
			for i := range n {
				if i > 0 {
					b.WriteByte(',')
				}
				fmt.Fprintf(&b, "[odrl:leftOperand odrl:%s; odrl:operator odrl:isAnyOf; odrl:rightOperand ex:list]", row.left)
			}
			b.WriteString("]. ex:list rdf:first " + row.item + "; rdf:rest (1 2).")
			g := parse(t, b.String())
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			p, err := odrl.Compile(g, odrl.CompileOptions{})
			runtime.ReadMemStats(&after)
			require.NoError(t, err)
			require.NotNil(t, p)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(n*len(long)))
		})
	}
}

// TestManyCollections has a member of as many collections as a request can name, most of
// them twice.
func TestManyCollections(t *testing.T) {
	t.Parallel()
	var want []string
	for i := range 20_000 {
		want = append(want, fmt.Sprintf("c%05d", i))
	}
	text, err := json.Marshal(map[string]any{"memberOf": map[string][]string{"ex:bob": append(want, want[:8_000]...), "ex:doc": want[:100]}})
	require.NoError(t, err)
	r, err := odrl.ParseRequest(text)
	require.NoError(t, err)
	require.Equal(t, map[string][]string{"ex:bob": want, "ex:doc": want[:100]}, r.MemberOf)
}
