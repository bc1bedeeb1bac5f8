package canon

import "encoding/binary"

// Step 5.4.6 of section 4.8.3 takes the first of equal paths, and step 5.3 of
// section 4.4.3 leaves the order of equal hashes open, since "the order in which
// these nodes receive a canonical identifier does not matter". In one graph that
// is so: equal paths come of an automorphism. In a dataset of several graphs it
// is not. A related hash does not say in which graph two blank nodes are
// related, so the result would depend on the order of the input: an isomorphic
// dataset would get another canonical form. The specification allows any
// choice, so here the choice is by what the identifiers make of the quads.

// tie returns a digest of the quads that mention the nodes, those that were
// identified last, with identifiers in place of blank nodes. Every blank node of
// these quads has an identifier, since one that is linked to the nodes is one of them
// or has a canonical identifier. So if two orders of the nodes have the same digest,
// an automorphism maps one to the other, and either will do. Within one graph that is
// known to be so, and the digest is zero.
func (d *ndegree) tie(nodes []uint32) (digest, error) {
	if !d.severalGraphs {
		return digest{}, nil
	}
	s := d.state
	lines := d.lines[:0]
	for _, n := range nodes {
		mentions := s.mentioning(n)
		for _, i := range mentions {
			q := s.data.Quad(int(i))
			lines = append(lines, line{d.identified(s.rank[q.S]), s.rank[q.P], d.identified(s.rank[q.O]), d.identified(s.rank[q.G])})
		}
		if err := s.steps(8 * len(mentions)); err != nil {
			return digest{}, err
		}
	}
	sortLines(lines)
	text := d.input[:0]
	for _, l := range lines {
		for _, r := range [...]uint32{l.s, l.p, l.o, l.g} {
			text = binary.BigEndian.AppendUint32(text, r)
		}
	}
	d.lines, d.input = lines, text
	return sum(d.alg, text), nil
}

// identified returns a rank, for a blank node one that its identifier decides.
func (d *ndegree) identified(rank uint32) uint32 {
	s := d.state
	if rank < s.base {
		return rank
	}
	if id := d.canonical.id[rank-s.base]; id != 0 {
		return s.base + id
	}
	return s.base + uint32(len(s.nodes)) + d.temporary.id[rank-s.base]
}
