package canon

import "crypto/sha256"

// serialize returns the serialized canonical form (section 5).
func (s *state) serialize() ([]byte, error) {
	lines, err := s.canonicalLines()
	if err != nil {
		return nil, err
	}
	size := 0
	for _, l := range lines {
		for _, rank := range [...]uint32{l.s, l.p, l.o, l.g} {
			if rank != 0 {
				size += len(textAt(s.text, s.at[rank-1]))
			}
		}
		size += len(".\n")
	}
	text := make([]byte, 0, size)
	for len(lines) > 0 {
		if text, lines, err = s.appendLines(text, lines); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// serializeHash returns the SHA-256 digest of the serialized canonical form.
func (s *state) serializeHash() (Digest, error) {
	lines, err := s.canonicalLines()
	if err != nil {
		return Digest{}, err
	}
	s.hasher.begin(SHA256)
	for len(lines) > 0 {
		if s.hasher.buf, lines, err = s.appendLines(s.hasher.buf, lines); err != nil {
			return Digest{}, err
		}
		s.hasher.written()
	}
	sum := s.hasher.finish()
	return Digest(sum[:sha256.Size]), nil
}

// canonicalLines returns the quads with their canonical labels in code point
// order of their lines.
func (s *state) canonicalLines() ([]line, error) {
	// The labels become the terms after the others, in the order of their texts.
	last := s.base - 1
	for i, n := 0, uint32(0); i < len(s.issued); i++ {
		if i > 0 {
			n = nextDecimal(n, uint32(len(s.issued)-1))
		}
		at := s.beginText()
		s.text = appendID(append(s.text, "_:"...), canonicalPrefix, n)
		s.endText(at)
		s.at = append(s.at, at)
		last++
		s.rank[s.nodes[s.issued[n]]] = last
	}
	// Quads are placed by subject, then what one subject has is sorted.
	d := s.data
	places := zeroed(s.places, int(last)+2)
	for i := range d.Len() {
		places[s.rank[d.Quad(i).S]+1]++
	}
	for i := 1; i < len(places); i++ {
		places[i] += places[i-1]
	}
	lines := sized(s.lines, d.Len())
	for i := range lines {
		q := d.Quad(i)
		subject := s.rank[q.S]
		lines[places[subject]] = line{subject, s.rank[q.P], s.rank[q.O], s.rank[q.G]}
		places[subject]++
		if err := s.steps(1); err != nil {
			return nil, err
		}
	}
	s.lines, s.places = lines, places
	for i, j := 0, 0; i < len(lines); i = j {
		for j = i + 1; j < len(lines) && lines[j].s == lines[i].s; j++ {
		}
		sortLines(lines[i:j])
		if err := s.steps(j - i); err != nil {
			return nil, err
		}
	}
	return lines, nil
}
