package delegation_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

// FuzzChain puts any policies in the places of the first and the last of a chain: both
// evaluators come to the same, a chain that permits does not when one of its policies is
// revoked, and none of its shorter ones forbade it.
func FuzzChain(f *testing.F) {
	whole := sample()
	f.Add([]byte(whole[0]), []byte(whole[2]), byte(0))
	for i, n := range []int{1, 2, 3} {
		texts := chainText(n, 3)
		f.Add([]byte(texts[0]), []byte(texts[n-1]), byte(i))
	}
	var before []byte
	for i, seed := range suite.Seeds(f, suite.Policies) {
		f.Add(seed.Data, []byte(whole[2]), byte(i))
		f.Add(before, seed.Data, byte(i))
		before = seed.Data
	}
	middle, second := compileGraph(f, graphOf(f, whole[1]))
	requests := sampleRequests()
	for _, seed := range []odrl.Request{
		{Agent: "https://agent-c.example/id#it", Action: "read", Target: "https://alice.example/notes/private.ttl", Now: noon},
		{Agent: "https://agent-b.example/id#it", Action: "read", Target: "https://alice.example/notes/private.ttl", Now: noon},
	} {
		requests = append(requests, &seed)
	}
	f.Fuzz(func(t *testing.T, first, last []byte, which byte) {
		read := func(text []byte) (*odrl.Policy, *naive) {
			d, err := turtle.Parse(text, turtle.Options{Limits: rdf.Limits{Bytes: 8 << 10, Quads: 150}})
			if err != nil {
				return nil, nil
			}
			return compileGraph(t, d.Default())
		}
		root, secondRoot := read(first)
		leaf, secondLeaf := read(last)
		r := requests[int(which)%len(requests)]
		for _, c := range []struct {
			chain  []*odrl.Policy
			second []*naive
		}{
			{[]*odrl.Policy{root}, []*naive{secondRoot}},
			{[]*odrl.Policy{root, leaf}, []*naive{secondRoot, secondLeaf}},
			{[]*odrl.Policy{root, middle, leaf}, []*naive{secondRoot, second, secondLeaf}},
		} {
			d := decide(t, c.chain, r, delegation.Options{})
			require.Equal(t, naiveChain(c.second, r, none), d.Permitted(), d.String())
			if !d.Permitted() {
				continue
			}
			narrowing(t, c.chain, r)
			for _, p := range c.chain {
				require.False(t, delegation.Evaluate(c.chain, r, delegation.Options{Revoked: delegation.Revoke(p.IRI())}).Permitted())
			}
		}
	})
}
