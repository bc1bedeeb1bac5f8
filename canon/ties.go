package canon

import "slices"

// Step 5.4.6 of section 4.8.3 takes the first of equal paths, and step 5.3 of
// section 4.4.3 leaves the order of equal hashes open, since "the order in which
// these nodes receive a canonical identifier does not matter". In one graph that
// is so: equal paths come of an automorphism. In a dataset of several graphs it
// is not. A related hash does not say in which graph two blank nodes are
// related, and the result would depend on the order of the input: an isomorphic
// dataset would get another canonical form. The specification allows any
// choice, so here the choice is by what the identifiers make of the quads.

// compareOrders compares the quads that issuing identifiers to a gives, after
// the first issued ones, with those that b gives. Both hold all blank nodes
// without an identifier that are linked to theirs, so each quad with one of
// them has identifiers only; where the quads are equal, one order is the other
// under an automorphism, and either will do. The temporary issuer is left with
// either.
func (d *ndegree) compareOrders(a, b []uint32, issued int) int {
	d.quadsA = d.identified(d.quadsA[:0], a, issued)
	d.quadsB = d.identified(d.quadsB[:0], b, issued)
	return slices.CompareFunc(d.quadsA, d.quadsB, compareLines)
}

// identified issues identifiers to nodes and appends the quads that mention
// them, in order, once for each mention.
func (d *ndegree) identified(lines []line, nodes []uint32, issued int) []line {
	s := d.state
	d.temporary.undo(issued)
	d.temporary.issueAll(nodes)
	identifier := func(r uint32) uint32 {
		switch {
		case r < s.base:
			return r
		case d.canonical.id[r-s.base] != 0:
			return s.base + d.canonical.id[r-s.base]
		}
		return s.base + uint32(len(s.nodes)) + d.temporary.id[r-s.base]
	}
	for _, n := range nodes {
		for _, i := range s.mentioning(n) {
			q := s.data.Quad(int(i))
			lines = append(lines, line{
				identifier(s.rank[q.S]), s.rank[q.P], identifier(s.rank[q.O]), identifier(s.rank[q.G]),
			})
		}
	}
	sortLines(lines)
	return lines
}
