package differential_test

import (
	"fmt"
	"math/rand/v2"
)

// blankDataset returns the lines of a dataset whose blank nodes are alike in
// places: a frame of them (a ring, a chain, a clique, two copies, a star, a tree,
// random edges), then what tells some of them apart, in some graphs.
func blankDataset(seed uint64) []string {
	r := rand.New(rand.NewPCG(seed, 3))
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	n := 2 + r.IntN(4)
	label := one("n%d", "b%d", "x.%d", "é%d", "c%d", "d14n%d")
	order := r.Perm(n)
	node := func(i int) string { return "_:" + fmt.Sprintf(label, order[i%n]) }
	predicate := func() string { return "<http://e.example/" + one("p", "p", "p", "q", "r") + ">" }
	graph := func() string { return "" }
	switch r.IntN(5) {
	case 0:
		graph = func() string { return one("", "<http://e.example/g>", "<urn:g>") }
	case 1:
		graph = func() string { return one("", node(r.IntN(n)), node(r.IntN(n)), "<urn:g>") }
	case 2:
		graph = func() string { return "_:g" + fmt.Sprint(r.IntN(2)) }
	}
	var lines []string
	add := func(s, p, o string) { lines = append(lines, s+" "+p+" "+o+" "+graph()+" .\n") }
	p := predicate()
	switch r.IntN(8) {
	case 0: // a ring
		for i := range n {
			add(node(i), p, node(i+1))
		}
	case 1: // a chain
		for i := range n - 1 {
			add(node(i), p, node(i+1))
		}
	case 2: // a clique
		n = min(n, 4)
		order = r.Perm(n)
		for i := range n {
			for j := range n {
				if i != j {
					add(node(i), p, node(j))
				}
			}
		}
	case 3: // two rings
		for i := range n {
			add(node(i), p, node(i+2))
		}
	case 4: // a star, or one turned round
		for i := range n - 1 {
			if r.IntN(4) > 0 {
				add(node(0), p, node(i+1))
			} else {
				add(node(i+1), p, node(0))
			}
		}
	case 5: // pairs
		for i := range n {
			add(node(i), p, node(i^1))
		}
	default:
		for range n + r.IntN(n) {
			add(node(r.IntN(n)), predicate(), node(r.IntN(n)))
		}
	}
	for range r.IntN(5) {
		add(node(r.IntN(n)), predicate(), one(
			node(r.IntN(n)), node(r.IntN(n)), "<http://e.example/é>", "<urn:x:y>", `"a"`, `"a"@en`, `"a"@en-gb`, `"1"^^<http://www.w3.org/2001/XMLSchema#integer>`, `"\u0001\u007F\b\f\t"`, `"é 😀"`,
			`"\"\\\r\n"`, `"`+"\uE000"+`"`, `"`+"\U00010000"+`"`, `""`, `"_:c14n0"`, `"a"^^<urn:dt>`, `"\u0000"`, `"' <>"`))
	}
	if r.IntN(4) == 0 {
		add("<http://e.example/"+one("\uE000", "\U00010000", "a")+">", predicate(), one(node(0), `"x"`, "<urn:"+one("\uE000", "\U00010000")+">"))
	}
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	if r.IntN(8) == 0 && len(lines) > 0 {
		lines = append(lines, lines[0])
	}
	return lines
}
