package canon

// hashFirstDegree is Hash First Degree Quads (section 4.6.3) for all blank
// nodes, step 3.1 of section 4.4.3.
func (s *state) hashFirstDegree() error {
	// The special identifiers take the first ranks after the other terms.
	terms, text := len(s.at), len(s.text)
	self, other := s.base, s.base+1
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
			l := line{s.rank[q.S], s.rank[q.P], s.rank[q.O], s.rank[q.G]}
			for _, r := range [...]*uint32{&l.s, &l.o, &l.g} { // steps 3.1.1 and 3.1.1.1
				if *r == s.base+uint32(n) {
					*r = self
				} else if *r >= s.base {
					*r = other
				}
			}
			lines = append(lines, l)
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
