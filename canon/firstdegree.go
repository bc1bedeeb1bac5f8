package canon

import "github.com/rdfproto/rdfproto/rdf"

// hashFirstDegree is Hash First Degree Quads (section 4.6.3) for all blank
// nodes, step 3.1 of section 4.4.3.
func (s *state) hashFirstDegree() error {
	// The special identifiers take the first ranks after the other terms, see special.
	terms, text := len(s.at), len(s.text)
	for _, label := range [...]string{"_:a", "_:z"} {
		at := s.beginText()
		s.text = append(s.text, label...)
		s.endText(at)
		s.at = append(s.at, at)
	}
	s.first = sized(s.first, len(s.nodes))
	for n := range s.first {
		lines := s.lines[:0]                // step 1
		mentions := s.mentioning(uint32(n)) // step 2
		if err := s.steps(len(mentions)); err != nil {
			return err
		}
		for _, i := range mentions { // step 3
			q := s.data.Quad(int(i))
			lines = append(lines, line{s.special(q.S, n), s.rank[q.P], s.special(q.O, n), s.special(q.G, n)})
		}
		sortLines(lines)          // step 4
		for _, l := range lines { // step 5
			s.hasher.buf = s.appendLine(s.hasher.buf, l)
			s.hasher.written()
		}
		s.first[n] = s.hasher.finish()
		s.lines = lines
	}
	s.at, s.text = s.at[:terms], s.text[:text]
	return nil
}

// special is steps 3.1.1 and 3.1.1.1: the rank of a term, or of "a" for the
// reference blank node and "z" for another one.
func (s *state) special(id rdf.ID, reference int) uint32 {
	switch rank := s.rank[id]; {
	case rank < s.base:
		return rank
	case rank == s.base+uint32(reference):
		return s.base
	}
	return s.base + 1
}
