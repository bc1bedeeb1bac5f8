package canon_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

// Graphs that are hard, or look so, as N-Quads.

func parse(t testing.TB, text string) *rdf.Dataset {
	t.Helper()
	d, err := nquads.Parse([]byte(text), nquads.Options{Limits: rdf.Local()})
	require.NoError(t, err)
	return d
}

// linked links nodes by one predicate; both makes every link two.
func linked(links [][2]int, both bool) string {
	var b strings.Builder
	for _, l := range links {
		fmt.Fprintf(&b, "_:n%d <urn:p> _:n%d .\n", l[0], l[1])
		if both {
			fmt.Fprintf(&b, "_:n%d <urn:p> _:n%d .\n", l[1], l[0])
		}
	}
	return b.String()
}

func ring(n int) string {
	var l [][2]int
	for i := range n {
		l = append(l, [2]int{i, (i + 1) % n})
	}
	return linked(l, false)
}

func clique(n int) string {
	var l [][2]int
	for i := range n {
		for j := range i {
			l = append(l, [2]int{i, j})
		}
	}
	return linked(l, true)
}

func petersen() string {
	var l [][2]int
	for i := range 5 {
		l = append(l, [2]int{i, (i + 1) % 5}, [2]int{i, i + 5}, [2]int{i + 5, 5 + (i+2)%5})
	}
	return linked(l, true)
}

// torus is two rings of n nodes with n rungs.
func torus(n int) string {
	var l [][2]int
	for i := range n {
		l = append(l, [2]int{i, (i + 1) % n}, [2]int{n + i, n + (i+1)%n}, [2]int{i, n + i})
	}
	return linked(l, true)
}

// chain is a list of n equal members.
func chain(n int) string {
	const ns = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	var b strings.Builder
	b.WriteString("<urn:s> <urn:list> _:n0 .\n")
	for i := range n {
		fmt.Fprintf(&b, "_:n%d <%sfirst> \"same\" .\n", i, ns)
		if i < n-1 {
			fmt.Fprintf(&b, "_:n%d <%srest> _:n%d .\n", i, ns, i+1)
		} else {
			fmt.Fprintf(&b, "_:n%d <%srest> <%snil> .\n", i, ns, ns)
		}
	}
	return b.String()
}

// stars is m blank nodes with n equal leaves each.
func stars(m, n int) string {
	var l [][2]int
	for i := range m {
		for j := range n {
			l = append(l, [2]int{i, m + i*n + j})
		}
	}
	return linked(l, false)
}

// hypercube is the cube of n dimensions.
func hypercube(n int) string {
	var l [][2]int
	for i := range 1 << n {
		for b := range n {
			if j := i ^ 1<<b; i < j {
				l = append(l, [2]int{i, j})
			}
		}
	}
	return linked(l, true)
}

// inGraph puts the triples of a graph into a named graph.
func inGraph(text, name string) string { return strings.ReplaceAll(text, " .\n", " "+name+" .\n") }

// rings is m rings of n nodes.
func rings(m, n int) string {
	var l [][2]int
	for i := range m {
		for j := range n {
			l = append(l, [2]int{i*n + j, i*n + (j+1)%n})
		}
	}
	return linked(l, false)
}

// tangle is n blank nodes, each of which p predicates lead to and from, and two more that
// between them lead to each node by a predicate with a name. It takes a name with the right
// hash for the two to be the last that are reached, so that the limits are not exceeded.
func tangle(n, p int, name string) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for i := range p {
		to := make([]int, n) // the first is a ring
		for from := range to {
			to[from] = (from + 1) % n
		}
		for loops := i > 0; loops; { // what leads to itself does not look like the others
			to, loops = r.Perm(n), false
			for from := range to {
				loops = loops || to[from] == from
			}
		}
		for from := range to {
			fmt.Fprintf(&b, "_:n%d <urn:p%d> _:n%d .\n", from, i, to[from])
		}
	}
	for i := range n {
		fmt.Fprintf(&b, "_:m%d <urn:%s> _:n%d .\n", i%2, name, i)
	}
	return b.String()
}

// inGraphs puts the triples of a graph into n graphs: what is related in one is
// related in the same way n times.
func inGraphs(text string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(inGraph(text, fmt.Sprintf("<urn:g%d>", i)))
	}
	return b.String()
}

// plainQuads is n quads without a blank node.
func plainQuads(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<http://example.org/item/%d> <http://example.org/ns#p%d> \"value %d\" .\n", i/3, i%3, i*7919%n)
	}
	return b.String()
}
