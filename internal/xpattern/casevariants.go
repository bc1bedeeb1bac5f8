package xpattern

import (
	"slices"
	"sync"
	"unicode"
)

// caseVariants lists, in order of the character, every character that has
// variants, with them.
var caseVariants = sync.OnceValue(func() []variants {
	var cased []rune
	for _, x := range unicode.CaseRanges {
		for r := rune(x.Lo); r <= rune(x.Hi); r++ {
			cased = append(cased, r, toLower(r), unicode.ToUpper(r))
		}
	}
	slices.Sort(cased)
	cased = slices.Compact(cased)
	lower, upper := map[rune][]rune{}, map[rune][]rune{}
	for _, r := range cased {
		lower[toLower(r)] = append(lower[toLower(r)], r)
		upper[unicode.ToUpper(r)] = append(upper[unicode.ToUpper(r)], r)
	}
	var all []variants
	for _, r := range cased {
		v := slices.Concat(lower[toLower(r)], upper[unicode.ToUpper(r)])
		v = slices.DeleteFunc(v, func(x rune) bool { return x == r })
		slices.Sort(v)
		if v = slices.Compact(v); len(v) > 0 {
			all = append(all, variants{r, v})
		}
	}
	// Characters whose full upper-case mappings of several characters are equal.
	for _, pair := range [][2]rune{{0x390, 0x1FD3}, {0x3B0, 0x1FE3}, {0xFB05, 0xFB06}} {
		all = append(all, variants{pair[0], []rune{pair[1]}}, variants{pair[1], []rune{pair[0]}})
	}
	slices.SortFunc(all, func(a, b variants) int { return int(a.of - b.of) })
	return all
})

type variants struct {
	of  rune
	all []rune
}

// toLower is the mapping to lower case, but for the one character whose full
// mapping is two characters: İ becomes i with a dot above, as no other does.
func toLower(r rune) rune {
	if r == 'İ' {
		return r
	}
	return unicode.ToLower(r)
}

// withCaseVariants returns the characters from lo to hi and their variants.
func withCaseVariants(lo, hi rune) set {
	s := set{lo, hi}
	all := caseVariants()
	i, _ := slices.BinarySearchFunc(all, lo, func(v variants, r rune) int { return int(v.of - r) })
	for ; i < len(all) && all[i].of <= hi; i++ {
		for _, r := range all[i].all {
			s = append(s, r, r)
		}
	}
	return s.tidy()
}
