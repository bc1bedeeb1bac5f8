package canon

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
)

// keySpan is a range of terms that are still to be sorted. Their texts agree
// before depth, and their keys, which are loaded at depth, in the first bytes;
// at keyBytes new keys are to be loaded.
type keySpan struct{ lo, hi, depth, bytes int }

const keyBytes = 8

// sortTerms sorts terms by their texts: code point order, which for UTF-8 is
// byte order. It is a radix sort from the front, which reads eight bytes of a
// text at a time and skips what all have in common, so its cost is linear in
// the texts whatever they are.
func (s *state) sortTerms() error {
	const few = 32 // below, comparing is faster
	text := s.text
	s.sorted = sized(s.sorted, len(s.terms))
	s.spans = append(s.spans[:0], keySpan{0, len(s.terms), 0, keyBytes})
	for len(s.spans) > 0 {
		x := s.spans[len(s.spans)-1]
		s.spans = s.spans[:len(s.spans)-1]
		terms := s.terms[x.lo:x.hi]
		if err := s.steps(len(terms)); err != nil {
			return err
		}
		if x.bytes == keyBytes {
			x.depth, x.bytes = loadKeys(text, terms, x.depth), 0
		}
		if len(terms) <= few {
			sortByKey(terms)
			for i, j := 0, 0; i < len(terms); i = j {
				for j = i + 1; j < len(terms) && terms[j].key == terms[i].key; j++ {
				}
				if j-i > 1 {
					s.spans = append(s.spans, keySpan{x.lo + i, x.lo + j, x.depth + keyBytes, keyBytes})
				}
			}
			continue
		}
		shift := 8 * (keyBytes - 1 - x.bytes)
		var ends [256]uint32
		least, greatest := byte(255), byte(0)
		for i := range terms {
			b := byte(terms[i].key >> shift)
			ends[b]++
			least, greatest = min(least, b), max(greatest, b)
		}
		next := keySpan{depth: x.depth, bytes: x.bytes + 1}
		if next.bytes == keyBytes {
			next.depth += keyBytes
		}
		from := uint32(0)
		for b := int(least); b <= int(greatest); b++ {
			n := ends[b]
			ends[b] = from
			if n > 1 {
				next.lo, next.hi = x.lo+int(from), x.lo+int(from+n)
				s.spans = append(s.spans, next)
			}
			from += n
		}
		sorted := s.sorted[:len(terms)]
		for i := range terms {
			b := byte(terms[i].key >> shift)
			sorted[ends[b]] = terms[i]
			ends[b]++
		}
		copy(terms, sorted)
	}
	return nil
}

// loadKeys sets the keys of more than one term, which agree up to depth, to the
// eight bytes from the place where they first differ, and returns that place.
func loadKeys(text []byte, terms []term, depth int) int {
	for {
		differ := uint64(0)
		for i := range terms {
			terms[i].key = loadKey(textAt(text, terms[i].at), depth)
			differ |= terms[i].key ^ terms[0].key
		}
		same := bits.LeadingZeros64(differ) / 8
		if same == 0 || len(terms) < 2 {
			return depth
		}
		depth += same
	}
}

// loadKey returns the eight bytes at depth, zeros after the end. No text holds
// a zero byte, and no text is the beginning of another, so a key that ends a
// text is that of one term alone.
func loadKey(text []byte, depth int) uint64 {
	if depth+8 <= len(text) {
		return binary.BigEndian.Uint64(text[depth:])
	}
	key := uint64(0)
	for i := depth; i < depth+8; i++ {
		key <<= 8
		if i < len(text) {
			key |= uint64(text[i])
		}
	}
	return key
}

func sortByKey(terms []term) {
	for i := 1; i < len(terms); i++ {
		x := terms[i]
		j := i
		for ; j > 0 && x.key < terms[j-1].key; j-- {
			terms[j] = terms[j-1]
		}
		terms[j] = x
	}
}

// line is a quad to be written, by the ranks of its terms. Lines compare as
// their canonical N-Quads texts do: see [term], and the default graph is before
// all graph names because its "." is before "<" and "_".
type line struct{ s, p, o, g uint32 }

func compareLines(a, b line) int {
	if a.s != b.s {
		return cmp.Compare(a.s, b.s)
	}
	if a.p != b.p {
		return cmp.Compare(a.p, b.p)
	}
	if a.o != b.o {
		return cmp.Compare(a.o, b.o)
	}
	return cmp.Compare(a.g, b.g)
}

// sortLines sorts lines as their texts compare.
func sortLines(l []line) {
	if len(l) > 24 {
		slices.SortFunc(l, compareLines)
		return
	}
	for i := 1; i < len(l); i++ {
		x := l[i]
		j := i
		for ; j > 0 && compareLines(x, l[j-1]) < 0; j-- {
			l[j] = l[j-1]
		}
		l[j] = x
	}
}

// appendLine appends a quad in canonical N-Quads form (appendix A).
func (s *state) appendLine(dst []byte, l line) []byte {
	dst = s.appendTerm(dst, l.s)
	dst = s.appendTerm(dst, l.p)
	dst = s.appendTerm(dst, l.o)
	if l.g != 0 {
		dst = s.appendTerm(dst, l.g)
	}
	return append(dst, ".\n"...)
}

// lineBatch is how many lines [state.appendLines] appends: more than memory can look for
// at once, and few enough that what it found is still at hand when it is copied.
const lineBatch = 32

// appendLines appends the first lines as [state.appendLine] does and returns those that
// are left. The texts of subjects and objects lie anywhere in memory. They are all looked
// for first, so that memory is waited for once and not with each line.
func (s *state) appendLines(dst []byte, lines []line) (text []byte, left []line, err error) {
	n := min(len(lines), lineBatch)
	if err := s.steps(n); err != nil {
		return dst, lines, err
	}
	var texts [lineBatch]struct{ subject, object []byte }
	for i, l := range lines[:n] {
		texts[i].subject, texts[i].object = textAt(s.text, s.at[l.s-1]), textAt(s.text, s.at[l.o-1])
	}
	from := len(dst)
	for i, l := range lines[:n] {
		if len(dst)-from >= hasherBytes { // the terms are long
			return dst, lines[i:], nil
		}
		dst = append(dst, texts[i].subject...)
		dst = s.appendTerm(dst, l.p)
		dst = append(dst, texts[i].object...)
		if l.g != 0 {
			dst = s.appendTerm(dst, l.g)
		}
		dst = append(dst, ".\n"...)
	}
	return dst, lines[n:], nil
}

// nextDecimal returns the number after n when 0 to last are sorted as decimal
// texts: 0, 1, 10, 100, 11, …
func nextDecimal(n, last uint32) uint32 {
	if n != 0 && n <= last/10 {
		return n * 10
	}
	for n%10 == 9 || n == last {
		n /= 10
	}
	return n + 1
}

// sortHashed sorts by key, and what has the same key by tie. Keys are the
// beginnings of digests, so they spread evenly: they are placed by their first
// bits, and few are left to be compared.
func (s *state) sortHashed(list []hashed, tie func(a, b uint32) int) {
	compare := func(a, b hashed) int {
		if a.key != b.key {
			return cmp.Compare(a.key, b.key)
		}
		return tie(a.node, b.node)
	}
	const few, each = 64, 4
	if len(list) < few {
		slices.SortFunc(list, compare)
		return
	}
	width := bits.Len(uint(len(list) / each))
	shift := 64 - width
	ends := zeroed(s.places, 1<<width+1)
	for _, x := range list {
		ends[x.key>>shift+1]++
	}
	for i := 1; i < len(ends); i++ {
		ends[i] += ends[i-1]
	}
	placed := sized(s.placed, len(list))
	for _, x := range list {
		placed[ends[x.key>>shift]] = x
		ends[x.key>>shift]++
	}
	for i, from := 0, uint32(0); i < len(ends)-1; i++ {
		slices.SortFunc(placed[from:ends[i]], compare)
		from = ends[i]
	}
	copy(list, placed)
	s.places, s.placed = ends, placed
}
