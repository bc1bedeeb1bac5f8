package xpattern

import (
	"slices"
	"strings"
	"unicode"
)

// class is a set of characters as it is written: the characters that are, or
// with negated are not, in one of the items, without those of minus.
type class struct {
	negated bool
	items   []item
	minus   *class

	withoutLineEnd bool // whatever the rest says
}

// item is a range of characters, or an escape: escape is the letter after the
// backslash, and property the name in braces of \p and \P.
type item struct {
	lo, hi   rune
	escape   rune
	property string
}

// set is a set of characters as ranges: its members at even and odd indexes are
// the first and the last of each. Where nothing else is said, the ranges are in
// order and neither overlap nor touch. Surrogates count as characters, as they
// do for Go's engine: no text holds one.
type set []rune

// tidy puts ranges in order and joins those that overlap or touch.
func (s set) tidy() set {
	type span struct{ lo, hi rune }
	spans := make([]span, 0, len(s)/2)
	for i := 0; i < len(s); i += 2 {
		spans = append(spans, span{s[i], s[i+1]})
	}
	slices.SortFunc(spans, func(a, b span) int { return int(a.lo - b.lo) })
	out := make(set, 0, len(s))
	for _, x := range spans {
		if n := len(out); n > 0 && x.lo <= out[n-1]+1 {
			out[n-1] = max(out[n-1], x.hi)
			continue
		}
		out = append(out, x.lo, x.hi)
	}
	return out
}

// complement returns all characters that are not in s.
func (s set) complement() set {
	out := set{}
	next := rune(0)
	for i := 0; i < len(s); i += 2 {
		if next < s[i] {
			out = append(out, next, s[i]-1)
		}
		next = s[i+1] + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, next, unicode.MaxRune)
	}
	return out
}

func (s set) union(t set) set { return slices.Concat(s, t).tidy() }

// minus returns the characters of s that are not in t.
func (s set) minus(t set) set {
	out := make(set, 0, len(s))
	j := 0
	for i := 0; i < len(s); i += 2 {
		lo, hi := s[i], s[i+1]
		for j < len(t) && t[j+1] < lo {
			j += 2
		}
		for k := j; k < len(t) && t[k] <= hi; k += 2 {
			if lo < t[k] {
				out = append(out, lo, t[k]-1)
			}
			lo = t[k+1] + 1
		}
		if lo <= hi {
			out = append(out, lo, hi)
		}
	}
	return out
}

func (s set) has(r rune) bool {
	i, _ := slices.BinarySearch(s, r+1) // the first bound after r
	return i%2 == 1 || i > 0 && s[i-1] == r
}

// ofTables returns the characters of tables of package unicode.
func ofTables(tables ...*unicode.RangeTable) set {
	var s set
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			s = append(s, lo, hi)
			return
		}
		for r := lo; r <= hi; r += stride {
			s = append(s, r, r)
		}
	}
	for _, t := range tables {
		for _, x := range t.R16 {
			add(rune(x.Lo), rune(x.Hi), rune(x.Stride))
		}
		for _, x := range t.R32 {
			add(rune(x.Lo), rune(x.Hi), rune(x.Stride))
		}
	}
	return s.tidy()
}

// countTables returns how many ranges ofTables makes of tables, before it joins any.
func countTables(tables ...*unicode.RangeTable) int {
	n := 0
	count := func(lo, hi, stride rune) {
		if stride == 1 {
			n++
			return
		}
		n += int((hi-lo)/stride) + 1
	}
	for _, t := range tables {
		for _, x := range t.R16 {
			count(rune(x.Lo), rune(x.Hi), rune(x.Stride))
		}
		for _, x := range t.R32 {
			count(rune(x.Lo), rune(x.Hi), rune(x.Stride))
		}
	}
	return n
}

// isProperty reports whether there is a charProp: IsCategory or IsBlock.
func isProperty(name string) bool {
	if b, ok := strings.CutPrefix(name, "Is"); ok {
		_, ok = block(b)
		return ok
	}
	return isCategory(name)
}

// isCategory knows the categories of appendix G.4.2.2. Cs is not among them: no
// text holds a surrogate.
func isCategory(name string) bool {
	if name == "" || len(name) > 2 {
		return false
	}
	second := map[byte]string{'L': "ultmo", 'M': "nce", 'N': "dlo", 'P': "cdseifo", 'Z': "slp", 'S': "mcko", 'C': "cfon"}[name[0]]
	return second != "" && (len(name) == 1 || strings.IndexByte(second, name[1]) >= 0)
}

// complemented reports whether an escape is the complement of the one with the
// same letter in the other case, and returns the escape that is not. \w is
// defined as what \W is not.
func (it item) complemented() (item, bool) {
	switch it.escape {
	case 'S', 'I', 'C', 'D', 'P':
		it.escape += 'a' - 'A'
		return it, true
	case 'w':
		it.escape = 'W'
		return it, true
	}
	return it, false
}

// tables returns what Unicode's own tables have of an escape that is not
// complemented, nil when they have nothing of it.
func (it item) tables() []*unicode.RangeTable {
	switch {
	case it.escape == 'd':
		return []*unicode.RangeTable{unicode.Nd}
	case it.escape == 'W':
		return []*unicode.RangeTable{unicode.P, unicode.Z, unicode.C}
	case it.escape == 'p' && isCategory(it.property):
		return []*unicode.RangeTable{unicode.Categories[it.property]}
	}
	return nil
}

// set returns the characters of an escape.
func (it item) set() set {
	if plain, yes := it.complemented(); yes {
		return plain.set().complement()
	}
	switch it.escape {
	case 's':
		return set{'\t', '\n', '\r', '\r', ' ', ' '}
	case 'i':
		return nameStartChars()
	case 'c':
		return nameChars()
	}
	if t := it.tables(); t != nil {
		return ofTables(t...)
	}
	s, _ := block(strings.TrimPrefix(it.property, "Is"))
	return s
}

// count returns about how many ranges an escape has, and what finding them takes:
// never less than its set has.
func (it item) count() int {
	it, _ = it.complemented()
	if t := it.tables(); t != nil {
		return countTables(t...) + 1
	}
	return 24 // \c has the most
}

// has reports whether a character is in an item.
func (it item) has(r rune) bool {
	if plain, yes := it.complemented(); yes {
		return !plain.has(r)
	}
	if it.escape == 0 {
		return it.lo <= r && r <= it.hi
	}
	if t := it.tables(); t != nil {
		return unicode.In(r, t...)
	}
	return it.set().has(r)
}

// nameStartChars is NameStartChar of XML 1.0 (fifth edition) and 1.1.
func nameStartChars() set {
	return set{
		':', ':', 'A', 'Z', '_', '_', 'a', 'z', 0xC0, 0xD6, 0xD8, 0xF6, 0xF8, 0x2FF, 0x370, 0x37D, 0x37F, 0x1FFF,
		0x200C, 0x200D, 0x2070, 0x218F, 0x2C00, 0x2FEF, 0x3001, 0xD7FF, 0xF900, 0xFDCF, 0xFDF0, 0xFFFD, 0x10000, 0xEFFFF,
	}
}

// nameChars is NameChar.
func nameChars() set {
	return nameStartChars().union(set{'-', '.', '0', '9', 0xB7, 0xB7, 0x300, 0x36F, 0x203F, 0x2040})
}

// parts returns the escapes of a class, each once, and its other items as ranges:
// as they are written, or with fold the union of them and their case variants.
// The variants of the union are the union of the variants: items that overlap have
// theirs looked up once.
func (c *class) parts(fold bool) (escapes []item, ranges set) {
	for _, it := range c.items {
		switch {
		case it.escape == 0:
			ranges = append(ranges, it.lo, it.hi)
		case !slices.Contains(escapes, it): // there are some hundreds at most
			escapes = append(escapes, it)
		}
	}
	if !fold {
		return escapes, ranges
	}
	var all set
	ranges = ranges.tidy()
	for i := 0; i < len(ranges); i += 2 {
		all = append(all, withCaseVariants(ranges[i], ranges[i+1])...)
	}
	return escapes, all.tidy()
}

// lineEnd reports whether a line end is in a class, which the flag i does not
// change.
func (c *class) lineEnd() bool {
	if c.withoutLineEnd || slices.ContainsFunc(c.items, func(it item) bool { return it.has('\n') }) == c.negated {
		return false
	}
	return c.minus == nil || !c.minus.lineEnd()
}
