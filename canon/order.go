package canon

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
)

// keySpan is a range of terms that agree in the first depth bytes of their
// texts and are still to be sorted.
type keySpan struct{ lo, hi, depth, splits int }

// sortTerms sorts terms by their texts: code point order, which for UTF-8 is
// byte order. It is a quicksort over eight bytes at a time, so that what many
// IRIs begin with is read once. A range that splits badly, as a hostile
// document can arrange, goes to the sort of the standard library, which is
// never quadratic.
func (s *state) sortTerms() error {
	text, terms := s.text, s.terms
	loadKeys(text, terms, 0)
	s.spans = append(s.spans[:0], keySpan{0, len(terms), 0, 2 * bits.Len(uint(len(terms)))})
	for len(s.spans) > 0 {
		x := s.spans[len(s.spans)-1]
		s.spans = s.spans[:len(s.spans)-1]
		for {
			t := terms[x.lo:x.hi]
			if err := s.steps(len(t)); err != nil {
				return err
			}
			if len(t) <= 16 {
				insertTerms(text, t, x.depth)
				break
			}
			if x.splits == 0 {
				slices.SortFunc(t, func(a, b term) int { return compareTerms(text, &a, &b, x.depth) })
				break
			}
			pivot := median(t)
			lt, gt := partition(t, pivot)
			s.push(keySpan{x.lo, x.lo + lt, x.depth, x.splits - 1})
			s.push(keySpan{x.lo + gt, x.hi, x.depth, x.splits - 1})
			if gt-lt <= 1 {
				break
			}
			x.lo, x.hi, x.depth = x.lo+lt, x.lo+gt, x.depth+8
			loadKeys(text, terms[x.lo:x.hi], x.depth)
		}
	}
	return nil
}

func (s *state) push(x keySpan) {
	if x.hi-x.lo > 1 {
		s.spans = append(s.spans, x)
	}
}

// loadKeys sets the keys to the eight bytes at depth, zeros after the end. No
// text holds a zero byte, and no text is the beginning of another, so a key
// that ends a text is that of one term alone.
func loadKeys(text []byte, terms []term, depth int) {
	for i := range terms {
		t := &terms[i]
		if at := t.off + depth; at+8 <= t.end {
			t.key = binary.BigEndian.Uint64(text[at:])
		} else {
			t.key = 0
			for j := at; j < at+8; j++ {
				t.key <<= 8
				if j < t.end {
					t.key |= uint64(text[j])
				}
			}
		}
	}
}

func compareTerms(text []byte, a, b *term, depth int) int {
	if a.key != b.key {
		return cmp.Compare(a.key, b.key)
	}
	depth += 8
	return bytes.Compare(text[min(a.off+depth, a.end):a.end], text[min(b.off+depth, b.end):b.end])
}

func insertTerms(text []byte, t []term, depth int) {
	for i := 1; i < len(t); i++ {
		x := t[i]
		j := i
		for ; j > 0 && compareTerms(text, &x, &t[j-1], depth) < 0; j-- {
			t[j] = t[j-1]
		}
		t[j] = x
	}
}

func median(t []term) uint64 {
	a, b, c := t[0].key, t[len(t)/2].key, t[len(t)-1].key
	return max(min(a, b), min(max(a, b), c))
}

// partition moves what is less than the pivot before lt and what is greater to
// gt and on.
func partition(t []term, pivot uint64) (lt, gt int) {
	gt = len(t)
	for i := 0; i < gt; {
		switch k := t[i].key; {
		case k < pivot:
			t[i], t[lt] = t[lt], t[i]
			lt++
			i++
		case k > pivot:
			gt--
			t[i], t[gt] = t[gt], t[i]
		default:
			i++
		}
	}
	return lt, gt
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
