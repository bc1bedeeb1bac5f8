package delegation_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

const (
	prefixes = `@prefix odrl: <http://www.w3.org/ns/odrl/2/> .
@prefix odrld: <https://w3id.org/jeswr/odrl-delegation#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix ex: <http://example.org/ns#> .
`
	ex      = "http://example.org/ns#"
	profile = " ; odrl:profile <https://w3id.org/jeswr/odrl-delegation> "
)

var noon = time.Date(2026, 6, 16, 12, 0, 0, 0, time.UTC)

// chainText is a chain in which everyone may read the document and pass that on: policy i
// is by agent i for agent i+1. The depths are the bounds of the permissions to delegate,
// the root's first; 0 means no bound.
func chainText(policies int, depths ...int) []string {
	texts := make([]string, policies)
	for i := range texts {
		var b strings.Builder
		b.WriteString(prefixes)
		b.WriteString("ex:p" + digit(i) + " a odrl:Agreement " + profile + "; odrl:assigner ex:a" + digit(i) + " ; odrl:assignee ex:a" + digit(i+1))
		if i > 0 {
			b.WriteString(" ; odrld:delegatedUnder ex:p" + digit(i-1))
		}
		b.WriteString(" ; odrl:permission ex:read" + digit(i))
		if i < policies-1 {
			b.WriteString(", ex:grant" + digit(i))
		}
		b.WriteString(" .\nex:read" + digit(i) + " odrl:target ex:doc ; odrl:action odrl:read .\n")
		if i < policies-1 {
			b.WriteString("ex:grant" + digit(i) + " odrl:target ex:doc ; odrl:action odrl:grantUse .\n")
			if i < len(depths) && depths[i] > 0 {
				b.WriteString("ex:grant" + digit(i) + " odrl:constraint [ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:lteq ; odrl:rightOperand " + digit(depths[i]) + " ] .\n")
			}
		}
		texts[i] = b.String()
	}
	return texts
}

func digit(i int) string {
	if i >= 10 {
		return digit(i/10) + digit(i%10)
	}
	return string(rune('0' + i))
}

// edit changes one policy of a chain: old becomes new, or new is added when old
// is empty.
type edit struct {
	policy   int
	old, new string
}

func edited(t testing.TB, texts []string, edits ...edit) []string {
	t.Helper()
	for _, e := range edits {
		if e.old == "" {
			texts[e.policy] += e.new + "\n"
			continue
		}
		require.Contains(t, texts[e.policy], e.old)
		texts[e.policy] = strings.ReplaceAll(texts[e.policy], e.old, e.new)
	}
	return texts
}

func compileAll(t testing.TB, texts []string) []*odrl.Policy {
	t.Helper()
	chain := make([]*odrl.Policy, len(texts))
	for i, text := range texts {
		chain[i] = compile(t, text)
	}
	return chain
}

// ask is the request of the last agent of a chain.
func ask(policies int, change ...func(*odrl.Request)) *odrl.Request {
	r := &odrl.Request{Agent: ex + "a" + digit(policies), Action: "read", Target: ex + "doc", Now: noon}
	for _, c := range change {
		c(r)
	}
	return r
}

func with(name string, values ...odrl.Value) func(*odrl.Request) {
	return func(r *odrl.Request) {
		if r.Attributes == nil {
			r.Attributes = map[string][]odrl.Value{}
		}
		r.Attributes[name] = values
	}
}

func agent(a string) func(*odrl.Request)  { return func(r *odrl.Request) { r.Agent = a } }
func action(a string) func(*odrl.Request) { return func(r *odrl.Request) { r.Action = a } }
func target(a string) func(*odrl.Request) { return func(r *odrl.Request) { r.Target = a } }

// decide evaluates a chain, and checks what holds for every decision.
func decide(t testing.TB, chain []*odrl.Policy, r *odrl.Request, o delegation.Options) delegation.Decision {
	t.Helper()
	d := delegation.Evaluate(chain, r, o)
	explained := delegation.Explain(chain, r, o)
	require.Equal(t, d.Permitted(), explained.Permitted())
	require.Equal(t, d.Code, explained.Code)
	require.Equal(t, d.Duties, explained.Duties)
	require.Len(t, explained.Checks, len(d.Checks))
	require.Equal(t, d.Permitted(), d.Code == delegation.CodePermitted)
	require.NotEmpty(t, d.Message)
	require.NotEmpty(t, d.Code.Text())
	for i, c := range d.Checks {
		require.Equal(t, !d.Permitted() && i == len(d.Checks)-1, !c.OK, "only the last check may fail")
		if !c.OK {
			require.Equal(t, d.Code, c.Code)
			require.Equal(t, d.Hop, c.Hop)
			require.NotEmpty(t, c.Why)
		}
	}
	return d
}

func graphOf(t testing.TB, text string) rdf.Graph {
	t.Helper()
	d, err := turtle.Parse([]byte(text), turtle.Options{Places: true})
	require.NoError(t, err)
	return d.Default()
}
