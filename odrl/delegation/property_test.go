package delegation_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

// constraintsAt holds constraints that a rule of the generator may get. The purpose of the
// request is research, its count is 3, and it says nothing about spatial.
var constraintsAt = []string{
	`[ odrl:leftOperand odrl:dateTime ; odrl:operator odrl:lteq ; odrl:rightOperand "2027-01-01T00:00:00Z"^^xsd:dateTime ]`,
	`[ odrl:leftOperand odrl:dateTime ; odrl:operator odrl:lteq ; odrl:rightOperand "2026-01-01T00:00:00Z"^^xsd:dateTime ]`,
	`[ odrl:leftOperand odrl:purpose ; odrl:operator odrl:eq ; odrl:rightOperand ex:research ]`,
	`[ odrl:leftOperand odrl:purpose ; odrl:operator odrl:isNoneOf ; odrl:rightOperand ex:sales, ex:ads ]`,
	`[ odrl:leftOperand odrl:purpose ; odrl:operator odrl:neq ; odrl:rightOperand ex:research ]`,
	`[ odrl:leftOperand odrl:count ; odrl:operator odrl:lteq ; odrl:rightOperand 3 ]`,
	`[ odrl:leftOperand odrl:count ; odrl:operator odrl:gt ; odrl:rightOperand 3 ]`,
	`[ odrl:leftOperand odrl:spatial ; odrl:operator odrl:eq ; odrl:rightOperand ex:eu ]`,
	`[ odrl:leftOperand ex:mood ; odrl:operator odrl:eq ; odrl:rightOperand 1 ]`,
	`[ odrl:leftOperand odrl:purpose ; odrl:operator ex:almost ; odrl:rightOperand ex:research ]`,
	`[ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:lteq ; odrl:rightOperand 2 ]`,
	`[ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:gteq ; odrl:rightOperand 1 ]`,
	`[ odrl:or ( [ odrl:leftOperand odrl:count ; odrl:operator odrl:eq ; odrl:rightOperand 3 ] [ odrl:leftOperand ex:mood ; odrl:operator odrl:eq ; odrl:rightOperand 1 ] ) ]`,
	`[ odrl:and ( [ odrl:leftOperand odrl:count ; odrl:operator odrl:eq ; odrl:rightOperand 3 ] [ odrl:leftOperand odrl:purpose ; odrl:operator odrl:isAnyOf ; odrl:rightOperand ex:research, ex:sales ] ) ]`,
	`[ odrl:xone ( [ odrl:leftOperand odrl:count ; odrl:operator odrl:eq ; odrl:rightOperand 3 ] [ odrl:leftOperand odrl:purpose ; odrl:operator odrl:eq ; odrl:rightOperand ex:sales ] ) ]`,
	`[ odrl:or [ odrl:leftOperand odrl:spatial ; odrl:operator odrl:eq ; odrl:rightOperand ex:eu ] ]`,
}

// mutation returns a change of policy i of a chain, as statements to add.
func mutation(r *rand.Rand, i int) string {
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	rule := pick("ex:read", "ex:grant") + digit(i)
	act := pick("odrl:read", "odrl:use", "odrl:write", "odrl:grantUse", "odrl:distribute", "ex:dance", `"read"`, "odrl:control")
	who := pick("ex:a1", "ex:a2", "ex:a3", "ex:a4", "ex:eve", "[]", `"x"`)
	what := pick("ex:doc", "ex:other", "[]", `"doc"`)
	c := pick(constraintsAt...)
	p := "ex:p" + digit(i)
	return pick(
		fmt.Sprintf("%s odrl:constraint %s .", rule, c),
		fmt.Sprintf("%s odrl:constraint %s .", rule, c),
		fmt.Sprintf("%s odrl:permission [ odrl:target %s ; odrl:action %s ; odrl:assignee %s ] .", p, what, act, who),
		fmt.Sprintf("%s odrl:permission [ odrl:target ex:doc ; odrl:action %s ; odrl:constraint %s ] .", p, act, c),
		fmt.Sprintf("%s odrl:prohibition [ odrl:target %s ; odrl:action %s ; odrl:assignee %s ] .", p, what, act, who),
		fmt.Sprintf("%s odrl:prohibition [ odrl:target ex:other ; odrl:action %s ] .", p, act),
		fmt.Sprintf("%s odrl:prohibition [ odrl:target ex:doc ; odrl:action %s ; odrl:constraint %s ] .", p, act, c),
		fmt.Sprintf("%s odrl:prohibition [ odrl:action odrl:distribute ] .", p),
		fmt.Sprintf("%s odrl:assignee %s .", rule, who),
		fmt.Sprintf("%s odrl:target %s .", rule, what),
		fmt.Sprintf("%s odrl:action %s .", rule, act),
		fmt.Sprintf("%s odrl:conflict %s .", p, pick("odrl:perm", "odrl:prohibit", "ex:coin")),
		fmt.Sprintf("%s odrl:duty [ odrl:action %s ] .", rule, pick("odrl:inform", "odrl:delete", "ex:pray")),
		fmt.Sprintf("%s odrl:duty [ odrl:action odrl:nextPolicy ; odrl:target ex:p%d ] .", rule, r.IntN(6)),
		fmt.Sprintf("%s odrl:obligation [ odrl:action %s ] .", p, pick("odrl:inform", "ex:pray")),
		fmt.Sprintf("%s odrl:obligation [ odrl:action odrl:nextPolicy ; odrl:target ex:p%d ] .", p, r.IntN(6)),
		pick("[] a odrl:Prohibition .", rule+" ex:constraint "+c+" .", "ex:doc odrl:hasPolicy "+p+"0 .", rule+" odrl:target () ."),
		fmt.Sprintf("%s %s .", pick(p, rule), pick(`odrl:limit 1`, `<http://purl.org/dc/terms/title> "x"`, `a odrl:Duty`, `odrl:informedParty ex:eve`, `a ex:Thing`)),
		fmt.Sprintf("%s odrl:profile %s .", p, pick("odrl:core", "ex:p")),
		fmt.Sprintf("ex:doc %s .", pick("odrl:partOf ex:other", "a odrl:AssetCollection", "a odrl:Asset")),
	)
}

// randomChain is a chain that permits, with some changes.
func randomChain(r *rand.Rand) (texts []string, request *odrl.Request) {
	n := 1 + r.IntN(6)
	depths := make([]int, n)
	for i := range depths {
		if d := n - 1 - i; d > 1 {
			depths[i] = d + r.IntN(2) - r.IntN(6)/5
		}
	}
	texts = chainText(n, depths...)
	for range r.IntN(4) {
		i := r.IntN(n)
		texts[i] += mutation(r, i) + "\n"
	}
	request = ask(n, with("purpose", odrl.Text(ex+"research")), with("count", odrl.Integer(3)))
	switch r.IntN(12) {
	case 0:
		request.Action = "write"
	case 1:
		request.Agent = ex + "eve"
	case 2:
		request.Action = "distribute"
	case 3, 4: // which the last policy mostly lets its assignee do
		request.Action = "grantUse"
		texts[n-1] += fmt.Sprintf("ex:p%d odrl:permission ex:grant%[1]d .\nex:grant%[1]d odrl:target ex:doc ; odrl:action odrl:grantUse .\n", n-1)
	}
	return texts, request
}

// compiled compiles the policies of a chain for both evaluators; for a text that does not
// compile both have nil.
func compiled(t testing.TB, texts []string) (chain []*odrl.Policy, second []*naive) {
	t.Helper()
	for _, text := range texts {
		d, err := turtle.Parse([]byte(text), turtle.Options{})
		require.NoError(t, err, text)
		p, n := compileGraph(t, d.Default())
		chain, second = append(chain, p), append(second, n)
	}
	return chain, second
}

func compileGraph(t testing.TB, g rdf.Graph) (*odrl.Policy, *naive) {
	t.Helper()
	p, err := delegation.Compile(g, "")
	n := newNaive(g)
	require.Equal(t, err == nil, n != nil, "%v", err)
	return p, n
}

func none(string) bool { return false }

// TestRandomChains compares the two evaluators on random chains of up to six
// policies, and checks that a chain only narrows.
func TestRandomChains(t *testing.T) {
	t.Parallel()
	rounds := 5_000
	if testing.Short() {
		rounds = 300
	}
	permits, delegates := 0, 0
	for seed := range rounds {
		r := rand.New(rand.NewPCG(1, uint64(seed)))
		texts, request := randomChain(r)
		chain, second := compiled(t, texts)
		d := delegation.Evaluate(chain, request, delegation.Options{})
		want := naiveChain(second, request, none)
		require.Equal(t, want, d.Permitted(), "seed %d: %s\n%s", seed, d, strings.Join(texts, "\n----\n"))
		if !d.Permitted() {
			continue
		}
		permits++
		if request.Action == "grantUse" {
			delegates++
			furthered(t, chain, texts, request)
			continue
		}
		narrowing(t, chain, request)
	}
	require.Greater(t, permits, rounds/5, "too few chains that permit to say anything")
	require.Less(t, permits, rounds*4/5)
	require.Greater(t, delegates, rounds/100)
}

// furthered checks that a party to which a chain permits to delegate can do so: the chain
// with another policy does not break at any edge.
func furthered(t *testing.T, chain []*odrl.Policy, texts []string, request *odrl.Request) {
	t.Helper()
	n := len(chain)
	next := compile(t, prefixes+"ex:p"+digit(n)+" a odrl:Agreement "+profile+"; odrl:assigner <"+request.Agent+"> ; odrl:assignee ex:next ; odrld:delegatedUnder ex:p"+digit(n-1)+
		" ; odrl:permission [ odrl:target ex:doc ; odrl:action odrl:read ] .")
	q := *request
	q.Agent, q.Action = ex+"next", "read"
	d := delegation.Evaluate(append(chain[:n:n], next), &q, delegation.Options{})
	last := d.Checks[len(d.Checks)-1].Step
	require.Contains(t, []delegation.Step{delegation.StepScope, delegation.StepAncestor, delegation.StepLeaf, delegation.StepDuties}, last, "%s\n%s", d, strings.Join(texts, "\n----\n"))
}

// narrowing checks what follows from a permit: no policy of the chain prohibits the
// request to the agent, every policy permits it to the agent that passed it on, and every
// shorter chain would have permitted it to that agent, but for the exception below.
func narrowing(t *testing.T, chain []*odrl.Policy, request *odrl.Request) {
	t.Helper()
	last := len(chain) - 1
	for i, p := range chain[:last] {
		q := *request
		q.Agent = chain[i+1].Assigner()
		require.True(t, p.Evaluate(&q).Permitted(), "a parent denies what its child permits")
		d := p.Evaluate(request)
		require.False(t, d.Conflict)
		require.NotEqual(t, odrl.Deny, d.Verdict())
		if i > 0 && q.Agent != p.Assignee() {
			continue // step 9 binds a shorter chain to its own last assignee
		}
		cut := delegation.Evaluate(chain[:i+1], &q, delegation.Options{})
		switch {
		case i > 0 && (cut.Code == delegation.CodeDelegationDenied || cut.Code == delegation.CodeDelegationProhibited):
			// A permission with "eq 2" applies only in the longer chain, a prohibition
			// with "lteq 2" only in the shorter one.
		default:
			require.True(t, cut.Permitted(), "%s", cut)
		}
	}
}

// unknown returns a statement with an unknown term, about a node of policy i.
func unknown(r *rand.Rand, i int) string {
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	node := pick("ex:p", "ex:read", "ex:grant") + digit(i)
	return node + " " + pick(
		`odrl:constraint ex:nothing`, `odrl:constraint [ odrl:leftOperand ex:x ; odrl:operator odrl:eq ; odrl:rightOperand 1 ]`,
		`odrl:constraint [ odrl:leftOperand odrl:purpose ; odrl:operator ex:x ; odrl:rightOperand ex:research ]`,
		`odrl:constraint [ odrl:nand ( ex:a ex:b ) ]`, `odrl:constraint "x"`, `odrl:action ex:dance`, `odrl:action [ ex:is ex:it ]`, `odrl:action "read"`,
		`odrl:target []`, `odrl:target "x"`, `odrl:assignee []`, `odrl:assignee "x"`, `odrl:limit 1`, `ex:limit 1`, `odrld:deeper 9`,
		`a odrl:Grant`, `a ex:Grant`, `odrl:conflict ex:coin`, `odrl:profile ex:p`, `odrl:duty [ odrl:action ex:pray ]`, `odrl:duty "x"`,
		`odrl:permission []`, `odrl:permission "x"`, `odrl:permission [ odrl:action ex:dance ; odrl:target ex:doc ]`,
		`odrl:prohibition []`, `odrl:prohibition "x"`, `odrl:obligation []`, `odrl:inheritFrom ex:x`, `<http://purl.org/dc/terms/isReplacedBy> ex:x`,
		`<https://www.w3.org/ns/odrl/2/permission> ex:x`, `odrl:remedy ex:x`, `odrl:leftOperand ex:x`, `odrl:uid ex:x`, `odrl:assigner []`,
		`odrld:delegatedUnder ex:elsewhere`,
	) + " ."
}

// TestUnknownTermsNeverPermit: a chain that denies still denies with any unknown terms
// added.
func TestUnknownTermsNeverPermit(t *testing.T) {
	t.Parallel()
	rounds := 3_000
	if testing.Short() {
		rounds = 300
	}
	denied := 0
	for seed := range rounds {
		r := rand.New(rand.NewPCG(2, uint64(seed)))
		texts, request := randomChain(r)
		chain, _ := compiled(t, texts)
		if delegation.Evaluate(chain, request, delegation.Options{}).Permitted() {
			continue
		}
		denied++
		for range 1 + r.IntN(3) {
			i := r.IntN(len(texts))
			texts[i] += unknown(r, i) + "\n"
		}
		chain, _ = compiled(t, texts)
		d := delegation.Evaluate(chain, request, delegation.Options{})
		require.False(t, d.Permitted(), "seed %d\n%s", seed, strings.Join(texts, "\n----\n"))
	}
	require.Greater(t, denied, rounds/5)
}
