package odrl_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

// lattice is a policy whose logical constraints share their operands, level by level, and
// whose nodes have long names.
func lattice(levels, fan, name int) string {
	var b strings.Builder
	b.WriteString("PREFIX odrl: <http://www.w3.org/ns/odrl/2/> PREFIX n: <urn:" + strings.Repeat("n", name) + ":>\n<urn:p> a odrl:Set ; odrl:permission [ odrl:action odrl:read ; odrl:target <urn:t> ; odrl:constraint n:0-0 ] .\n")
	for l := range levels {
		for i := range fan {
			switch {
			case l == 0 && i > 0:
			case l == levels-1:
				fmt.Fprintf(&b, "n:%d-%d odrl:leftOperand odrl:purpose ; odrl:operator odrl:eq ; odrl:rightOperand \"x\" .\n", l, i)
			default:
				var parts []string
				for j := range fan {
					parts = append(parts, fmt.Sprintf("n:%d-%d", l+1, j))
				}
				fmt.Fprintf(&b, "n:%d-%d odrl:or %s .\n", l, i, strings.Join(parts, ", "))
			}
		}
	}
	return b.String()
}

func compileText(t testing.TB, text string, o odrl.CompileOptions) *odrl.Policy {
	t.Helper()
	d, err := turtle.Parse([]byte(text), turtle.Options{})
	require.NoError(t, err)
	p, err := odrl.Compile(d.Default(), o)
	require.NoError(t, err)
	return p
}

// entriesOf counts the entries of a trace as the budget does.
func entriesOf(t *odrl.Trace) int {
	var constraints func(all []odrl.ConstraintTrace) int
	constraints = func(all []odrl.ConstraintTrace) int {
		n := len(all)
		for i := range all {
			n += constraints(all[i].Parts)
		}
		return n
	}
	n := len(t.Rules)
	for i := range t.Rules {
		n += constraints(t.Rules[i].Constraints)
	}
	return n
}

// TestTraceOfSharedParts: each shared constraint is in a trace in full once, so that the
// trace is as large as the policy, and names are no longer than what people read.
func TestTraceOfSharedParts(t *testing.T) {
	t.Parallel()
	for _, dialect := range []odrl.Dialect{odrl.InformationModel, odrl.DelegationProfile} {
		const levels, fan = 6, 5
		text := lattice(levels, fan, 1_900)
		p := compileText(t, text, odrl.CompileOptions{Dialect: dialect})
		r := &odrl.Request{Agent: "urn:a", Action: "read", Target: "urn:t", Attributes: map[string][]odrl.Value{"purpose": {odrl.Text("y")}}}
		d, trace := p.Explain(r)
		require.Equal(t, p.Evaluate(r).Verdict(), d.Verdict())
		assert.False(t, trace.Truncated)
		assert.Equal(t, 1+1+fan+(levels-2)*fan*fan, entriesOf(&trace), "a rule, and one for each link")
		out, err := json.Marshal(trace)
		require.NoError(t, err)
		assert.Less(t, len(out), 60_000)
		assert.Contains(t, string(out), "...")
	}
}

// TestTraceLimits: what does not fit into a trace is counted, and the decision is the
// same whatever the limits.
func TestTraceLimits(t *testing.T) {
	t.Parallel()
	text := lattice(4, 3, 10)
	ask := func(purpose string) *odrl.Request {
		return &odrl.Request{Agent: "urn:a", Action: "read", Target: "urn:t", Attributes: map[string][]odrl.Value{"purpose": {odrl.Text(purpose)}}}
	}
	whole := 0
	for _, purpose := range []string{"x", "y"} {
		p := compileText(t, text, odrl.CompileOptions{})
		want := p.Evaluate(ask(purpose))
		_, trace := p.Explain(ask(purpose))
		require.Zero(t, trace.Omitted)
		whole = entriesOf(&trace)
		for n := 1; n <= whole+1; n++ {
			p := compileText(t, text, odrl.CompileOptions{Limits: odrl.Limits{TraceEntries: n}})
			got, trace := p.Explain(ask(purpose))
			require.Equal(t, want, got, "%d entries", n)
			require.Equal(t, n < whole, trace.Truncated, "%d entries", n)
			require.Equal(t, trace.Truncated, trace.Omitted > 0)
			require.Equal(t, min(n, whole), entriesOf(&trace))
		}
		for _, n := range []int{1, 100, 500, 1_000, 1 << 20} {
			p := compileText(t, text, odrl.CompileOptions{Limits: odrl.Limits{TraceBytes: n}})
			got, trace := p.Explain(ask(purpose))
			require.Equal(t, want, got, "%d bytes", n)
			require.Equal(t, n < 1<<20, trace.Truncated, "%d bytes", n)
		}
	}
	// One budget for several requests.
	p, budget := compileText(t, text, odrl.CompileOptions{}), odrl.NewTraceBudget(odrl.Limits{TraceEntries: whole + 2})
	for i, want := range []int{whole, 2, 0} {
		r := ask("y")
		r.Trace = budget
		got, trace := p.Explain(r)
		require.Equal(t, p.Evaluate(ask("y")), got)
		require.Equal(t, want, entriesOf(&trace), i)
		require.Equal(t, i > 0, trace.Truncated)
	}
}
