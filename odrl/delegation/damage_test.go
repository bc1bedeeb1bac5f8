package delegation_test

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

// sample is a chain of three policies with something of everything in them.
func sample() []string {
	return []string{prefixes + `
ex:p0 a odrl:Agreement ; odrl:uid ex:p0 ` + profile + `; odrl:assigner ex:a0 ; odrl:permission ex:read0, ex:grant0 ; odrl:prohibition ex:no0 .
ex:read0 odrl:assignee ex:a1 ; odrl:action odrl:use ; odrl:target ex:doc ; odrl:constraint ex:until0 .
ex:until0 odrl:leftOperand odrl:dateTime ; odrl:operator odrl:lteq ; odrl:rightOperand "2027-07-03T00:00:00Z"^^xsd:dateTime .
ex:grant0 odrl:assignee ex:a1 ; odrl:action odrl:grantUse ; odrl:target ex:doc ; odrl:constraint ex:deep0 ; odrl:duty ex:next0 .
ex:deep0 odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:lteq ; odrl:rightOperand 2 .
ex:next0 odrl:action odrl:nextPolicy ; odrl:target ex:p1 .
ex:no0 odrl:action odrl:distribute ; odrl:target ex:doc .
`, prefixes + `
ex:p1 a odrl:Agreement ` + profile + `; odrl:assigner ex:a1 ; odrl:assignee ex:a2 ; odrld:delegatedUnder ex:p0 ;
 odrl:permission ex:read1, ex:grant1 ; odrl:prohibition ex:no1 ; odrl:conflict odrl:perm .
ex:read1 odrl:action odrl:read, odrl:write ; odrl:target ex:doc ; odrl:constraint ex:why1 .
ex:why1 odrl:or ( ex:why2 ex:why3 ) .
ex:why2 odrl:leftOperand odrl:purpose ; odrl:operator odrl:isAnyOf ; odrl:rightOperand ex:research, ex:care .
ex:why3 odrl:leftOperand odrl:count ; odrl:operator odrl:lt ; odrl:rightOperand 3 .
ex:grant1 odrl:action odrl:grantUse ; odrl:target ex:doc .
ex:no1 odrl:action odrl:read ; odrl:target ex:doc ; odrl:constraint ex:ads1 .
ex:ads1 odrl:leftOperand odrl:purpose ; odrl:operator odrl:eq ; odrl:rightOperand ex:ads .
`, prefixes + `
ex:p2 a odrl:Agreement ` + profile + `; odrl:assigner ex:a2 ; odrl:assignee ex:a3 ; odrld:delegatedUnder ex:p1 ; odrl:permission ex:read2 .
ex:read2 odrl:action odrl:read ; odrl:target ex:doc ; odrl:assignee ex:a3 ; odrl:duty ex:tell2 .
ex:tell2 odrl:action odrl:inform ; odrl:target ex:a0 .
`}
}

// sampleRequests has the one that the sample permits, and others.
func sampleRequests() []*odrl.Request {
	purpose := with("purpose", odrl.Text(ex+"research"))
	return []*odrl.Request{
		ask(3, purpose),
		ask(3),
		ask(3, with("purpose", odrl.Text(ex+"ads"))),
		ask(3, purpose, agent(ex+"eve")),
		ask(3, purpose, target(ex+"other")),
		ask(3, purpose, action("write")),
		ask(3, purpose, action("distribute")),
		ask(3, purpose, func(r *odrl.Request) { r.Now = noon.AddDate(9, 0, 0) }),
	}
}

// build makes a graph of triples, in their order.
func build(t testing.TB, ts []triple3) (rdf.Graph, bool) {
	t.Helper()
	b := rdf.NewBuilder(rdf.Limits{})
	for _, x := range ts {
		if err := b.AddTerms(x.s, x.p, x.o, rdf.Term{}); err != nil {
			return rdf.Graph{}, false // a literal as subject, and the like: no graph at all
		}
	}
	return b.Dataset().Default(), true
}

// damager holds a chain, of which it damages one policy at a time.
type damager struct {
	texts    []string
	graphs   []rdf.Graph
	chain    []*odrl.Policy
	second   []*naive
	requests []*odrl.Request
	before   []bool
}

func newDamager(t testing.TB, texts []string, requests []*odrl.Request) *damager {
	t.Helper()
	dm := &damager{texts: texts, requests: requests}
	for _, text := range texts {
		d, err := turtle.Parse([]byte(text), turtle.Options{})
		require.NoError(t, err)
		dm.graphs = append(dm.graphs, d.Default())
	}
	dm.chain, dm.second = compiled(t, texts)
	for _, r := range requests {
		dm.before = append(dm.before, delegation.Evaluate(dm.chain, r, delegation.Options{}).Permitted())
	}
	return dm
}

// after evaluates the chain with other triples in the place of policy i, with both
// evaluators, and returns which requests are permitted.
func (dm *damager) after(t testing.TB, i int, ts []triple3, what string) []bool {
	t.Helper()
	g, ok := build(t, ts)
	if !ok {
		return nil
	}
	p, n := compileGraph(t, g)
	chain, second := append([]*odrl.Policy{}, dm.chain...), append([]*naive{}, dm.second...)
	chain[i], second[i] = p, n
	permitted := make([]bool, len(dm.requests))
	for j, r := range dm.requests {
		d := delegation.Evaluate(chain, r, delegation.Options{})
		permitted[j] = d.Permitted()
		require.Equal(t, naiveChain(second, r, none), permitted[j], "%s, request %d: %s", what, j, d)
	}
	return permitted
}

// restricts reports whether a triple only narrows what a policy permits, so
// that without it the policy may permit more: a prohibition, a constraint, a
// duty, a party of a permission, a policy's strategy.
func restricts(x triple3) bool {
	switch strings.TrimPrefix(x.p.Value(), nsODRL) {
	case "prohibition", "constraint", "duty", "assignee", "conflict":
		return true
	}
	return false
}

// TestDamage damages every policy of the sample in every small way. Both evaluators must
// decide the same on what is left, and the loss of what only names, orders or describes
// must never permit a request.
func TestDamage(t *testing.T) {
	t.Parallel()
	dm := newDamager(t, sample(), sampleRequests())
	require.Equal(t, []bool{true, false, false, false, false, false, false, false}, dm.before)
	for i, g := range dm.graphs {
		ts := triplesOf(g)
		without := func(k int) []triple3 { return append(append([]triple3{}, ts[:k]...), ts[k+1:]...) }
		same := func(what string, damaged []triple3) {
			require.Equal(t, dm.before, dm.after(t, i, damaged, what), what)
		}
		r := rand.New(rand.NewPCG(3, uint64(i)))
		for k, x := range ts {
			what := "without " + x.s.String() + " " + x.p.String() + " " + x.o.String()
			permitted := dm.after(t, i, without(k), what)
			for j := range permitted {
				require.False(t, permitted[j] && !dm.before[j] && !restricts(x), "%s, request %d", what, j)
			}
			same("twice "+what, append(append([]triple3{}, ts...), x))
			shuffled := append([]triple3{}, ts...)
			r.Shuffle(len(shuffled), func(a, b int) { shuffled[a], shuffled[b] = shuffled[b], shuffled[a] })
			same("in another order", shuffled)
			for l := k + 1; l < len(ts); l++ {
				if testing.Short() && (k+l)%8 != 0 {
					continue
				}
				for _, part := range []string{"subjects", "predicates", "objects"} {
					swapped := append([]triple3{}, ts...)
					a, b := &swapped[k], &swapped[l]
					switch part {
					case "subjects":
						a.s, b.s = b.s, a.s
					case "predicates":
						a.p, b.p = b.p, a.p
					default:
						a.o, b.o = b.o, a.o
					}
					dm.after(t, i, swapped, part+" swapped: "+what)
				}
			}
		}
	}
}

// TestDamageOfTerms changes every term of every triple into something else: a
// blank node, a literal, an IRI that nobody knows, one that differs in a letter.
func TestDamageOfTerms(t *testing.T) {
	t.Parallel()
	dm := newDamager(t, sample(), sampleRequests())
	iri := func(s string) rdf.Term {
		term, err := rdf.NewIRI(s)
		require.NoError(t, err)
		return term
	}
	blank, err := rdf.NewBlank("damage")
	require.NoError(t, err)
	lit, err := rdf.NewString("damage")
	require.NoError(t, err)
	for i, g := range dm.graphs {
		ts := triplesOf(g)
		for k, x := range ts {
			others := []rdf.Term{blank, lit, iri(ex + "damage")}
			for _, term := range []rdf.Term{x.s, x.p, x.o} {
				if term.Kind() == rdf.KindIRI {
					others = append(others, iri(term.Value()+"x"), iri(term.Value()[:len(term.Value())-1]))
				}
			}
			for n, other := range others {
				for part := range 3 {
					if testing.Short() && (k+n+part)%4 != 0 {
						continue
					}
					damaged := append([]triple3{}, ts...)
					switch part {
					case 0:
						damaged[k].s = other
					case 1:
						damaged[k].p = other
					default:
						damaged[k].o = other
					}
					what := x.s.String() + " " + x.p.String() + " " + x.o.String() + " with " + other.String()
					permitted := dm.after(t, i, damaged, what)
					for j := range permitted {
						// A restriction one of whose terms turns it into a description
						// is left out.
						require.False(t, permitted[j] && !dm.before[j] && !restricts(x), "%s, request %d", what, j)
					}
				}
			}
		}
	}
}

// TestDamagedVectors drops every triple of every public vector that permits.
func TestDamagedVectors(t *testing.T) {
	t.Parallel()
	dir := suite.Vectors(t, "odrl-delegation")
	files, err := filepath.Glob(filepath.Join(dir, "cases", "*", "chain-0.ttl"))
	require.NoError(t, err)
	require.Len(t, files, 9)
	for _, file := range files {
		chain, err := filepath.Glob(filepath.Join(filepath.Dir(file), "chain-*.ttl"))
		require.NoError(t, err)
		var texts []string
		for _, name := range chain {
			texts = append(texts, read(t, filepath.Dir(name), filepath.Base(name)))
		}
		leaf := compile(t, texts[len(texts)-1])
		r := &odrl.Request{Agent: leaf.Assignee(), Action: "read", Target: "https://alice.example/notes/private.ttl", Now: noon}
		w := *r
		w.Action = "write"
		dm := newDamager(t, texts, []*odrl.Request{r, &w})
		for i, g := range dm.graphs {
			ts := triplesOf(g)
			for k, x := range ts {
				permitted := dm.after(t, i, append(append([]triple3{}, ts[:k]...), ts[k+1:]...), x.p.String())
				for j := range permitted {
					require.False(t, permitted[j] && !dm.before[j] && !restricts(x), "%s %s", file, x.p)
				}
			}
		}
	}
}
