package xpattern_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/internal/xpattern"
)

// agreement matches texts to a pattern in every way that there is, all of which must find
// the same: Go's engine; the pattern as it is; with more that may follow it, so that it has
// too many instructions for a number to hold a set of them; by a matcher that has matched
// others before; at once and a few steps at a time.
type agreement struct {
	matcher xpattern.Matcher
	slices  []int
}

// of returns whether each of the texts matches, and false when the pattern is refused.
func (a *agreement) of(t *testing.T, pattern, flags string, texts ...string) (found []bool, ok bool) {
	t.Helper()
	p, err := xpattern.Compile(pattern, flags)
	if err != nil {
		return nil, false
	}
	re := regexp.MustCompile(p.String())
	patterns := []*xpattern.Pattern{p}
	if !strings.Contains(flags, "q") {
		if large, err := xpattern.Compile("(?:"+pattern+")(?:Q{65})?", flags); err == nil { // or it is too large
			patterns = append(patterns, large)
		}
	}
	for _, text := range texts {
		want := re.MatchString(text)
		require.Equalf(t, want, p.MatchString(text), "%q with flags %q and text %q", pattern, flags, text)
		for _, p := range patterns {
			got, n := steps(t, &a.matcher, p, text, 1<<30)
			require.Equalf(t, want, got, "%q with flags %q and text %q (%s)", pattern, flags, text, p)
			for _, slice := range a.slices {
				again, other := steps(t, &a.matcher, p, text, slice)
				require.Equalf(t, want, again, "%q with flags %q and text %q, %d steps at a time (%s)", pattern, flags, text, slice, p)
				require.Equalf(t, n, other, "%q with flags %q and text %q, %d steps at a time (%s)", pattern, flags, text, slice, p)
			}
		}
		found = append(found, want)
	}
	return found, true
}

// TestKindsOfMatches has patterns of every kind that matching tells apart, by where a match
// may begin, what it begins with and what it asks of a place, with texts that nearly match.
func TestKindsOfMatches(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 500)
	for _, row := range []struct {
		name, pattern, flags string
		yes, no              []string
	}{
		{"a text as it is", `^é→\U`, "q", []string{"^é→\\U"}, []string{"é→\\U"}},
		{"the beginning has several bytes", "^é\U0001F600ж", "", []string{"é\U0001F600ж", "é\U0001F600жж"}, []string{"", "é", "é\U0001F600", "é\U0001F600\u0435", "aé\U0001F600ж", "\xc3", "é\xf0\x9f\x98"}},
		{"what is read instead of a broken character", "^\ufffd$", "", []string{"\ufffd", "\xff", "\xe2"}, []string{"", "\ufffd\ufffd", "a"}},
		{"the beginning alone", `^ab$`, "", []string{"ab"}, []string{"", "a", "abb", "ab\n", "b"}},
		{"the beginning, then another beginning", `^a^b`, "", nil, []string{"ab", "a\nb", "a", ""}},
		{"the beginning, then another beginning of a line", `^\n^b`, "m", []string{"\nb", "\n\nb"}, []string{"\n", "b", "\na"}},
		{"the beginning, then an end", `^ab$c?`, "", []string{"ab"}, []string{"abc", "ab\n"}},
		{"the beginning, then the end, then more", `^$a`, "", nil, []string{"a", "", "aa"}},
		{"the beginning twice", `^^a`, "", []string{"ab"}, []string{"ba", ""}},
		{"the beginning, perhaps", `^?a`, "", []string{"a", "ba"}, []string{"", "b"}},
		{"the beginning in one branch", `^a|b`, "", []string{"a", "cb"}, []string{"ca", ""}},
		{"the beginning in all branches", `^ab|^ac|^b$`, "", []string{"abx", "ac", "b"}, []string{"a", "bb", "xab"}},
		{"the beginning after what may be nothing", `a*^b`, "", []string{"b", "bb"}, []string{"ab", ""}},
		{"the end before what may be nothing", `a$b*`, "", []string{"a", "ba"}, []string{"ab", "", "a\n"}},
		{"the end in the middle", `a$b`, "", nil, []string{"ab", "a\nb", "a"}},
		{"the end in a branch", `a($|b)c*`, "", []string{"a", "ab", "xa"}, []string{"ac", "b", ""}},
		{"the end alone", `$`, "", []string{"", "a", "\n"}, nil},
		{"the beginning and the end", `^$`, "", []string{""}, []string{"a", "\n", "\r"}},
		{"the end before the beginning", `$^`, "", []string{""}, []string{"a", "\n"}},
		{"a line in the middle", `^b$`, "m", []string{"b", "a\nb", "b\na", "a\nb\nc", "b\n"}, []string{"a", "ab", "b\r\na", ""}},
		{"a line that ends with CR LF", `b\r$`, "m", []string{"b\r", "b\r\na", "b\r\n"}, []string{"b", "b\n", "b\r\r "}},
		{"an empty line at the end", `\n$`, "m", []string{"\n\n", "a\n\n"}, []string{"\n", "a\n"}},

		{"nothing", ``, "", []string{"", "a", "\xff"}, nil},
		{"empty branches", `a|`, "", []string{"", "b"}, nil},
		{"empty branches that are asked for", `^(|a|)(||b)$`, "", []string{"", "a", "b", "ab"}, []string{"ba", "aa"}},
		{"repeated never", `^a{0}b{0,0}(c|^d){0}$`, "", []string{""}, []string{"a", "b", "c"}},
		{"a class of nothing", `[a-[a]]`, "", nil, []string{"", "a", "b"}},
		{"a class of nothing, perhaps", `^[a-[\s\S]]*b`, "", []string{"b"}, []string{"ab", ""}},
		{"what may be nothing, again and again", `^((a*)*|b?)+c`, "", []string{"c", "aaac", "bac"}, []string{"d", "aaab"}},
		{"nested repetitions", `^((a{2,3}b?){2}){1,2}$`, "", []string{"aaaa", "aabaaa", strings.Repeat("aaab", 4)}, []string{"aa", "aaa", strings.Repeat("aaab", 5), "b"}},
		{"a bounded length", `^.{2,4}$`, "", []string{"ab", "жжжж"}, []string{"a", "abcde", "a\nb", "ab\r"}},
		{"as many instructions as a number has bits", `^[ab]{64}$`, "", []string{long[:64]}, []string{long[:63], long[:65]}},
		{"one more", `^[ab]{65}$`, "", []string{long[:65]}, []string{long[:64], long[:66]}},
		{"as many places back", `a[ab]{63}$`, "", []string{long[:64], "a" + strings.Repeat("b", 63)}, []string{long[:63], "a" + strings.Repeat("b", 64)}},
		{"more places back", `a[ab]{99}$`, "", []string{long, "a" + strings.Repeat("b", 99)}, []string{long[:99], "a" + strings.Repeat("b", 100)}},

		{"found after what is skipped", `[0-9]{2}`, "", []string{long + "12", "1a12", "ж12", long + "жa12"}, []string{long, long + "1", "1a2"}},
		{"begun again in vain", `aab`, "", []string{long + "b", "aaab"}, []string{long, "abab", "aa"}},
		{"a character beyond ASCII after what is skipped", `[жé]$`, "", []string{long + "ж", "é"}, []string{long, "жa", ""}},

		{"case: Kelvin and long s", `^ks$`, "i", []string{"ks", "KS", "\u212a\u017f", "k\u017f"}, []string{"k", "\u212a\u212a", "kß"}},
		{"case: the i of Turkish", `^i\p{Ll}$`, "i", []string{"ii", "I\u0131", "\u0131a"}, []string{"\u0130i", "iI", "ii\u0307"}},
		{"case: sigma", "^Σσς$", "i", []string{"ΣΣΣ", "ςσς"}, []string{"ΣΣ", "ssz"}},
		{"case: sharp s", `^ß[ß-ß]$`, "i", []string{"ßẞ", "ẞẞ"}, []string{"ssss", "SS"}},
		{"case: without Kelvin", "^[j-l-[\u212a]]$", "i", []string{"j", "J", "L"}, []string{"k", "K", "\u212a"}},
		{"case: negated", `^[^ks]+$`, "i", []string{"ab"}, []string{"\u212a", "\u017f", "K", "aS"}},
		{"all flags", " ^ a . b $ ", "imsx", []string{"A\nB", "x\naxb"}, []string{"ab", "a\n", "axb c"}},
		{"all flags and the letters alone", " a.b ", "imsxq", []string{" A.B ", "x a.b x"}, []string{"a.b", " axb "}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			a := agreement{slices: []int{1, 2, 7, 1000}}
			texts := append(append([]string{}, row.yes...), row.no...)
			found, ok := a.of(t, row.pattern, row.flags, texts...)
			require.True(t, ok)
			for i, text := range texts {
				assert.Equalf(t, i < len(row.yes), found[i], "%.80q", text)
			}
		})
	}
}

// made is a random expression, with a text that it may match.
type made struct {
	written string
	like    func() string
}

// maker makes random expressions of few characters, so that texts often match.
type maker struct {
	*rand.Rand
	chars []rune
}

// alphabets are characters that are alike to matching: by case, by bytes, by lines.
var alphabets = []string{
	"ab", "ab\n", "a\r\n ", "éж\U0001F600a", "kK\u212aa", "sS\u017fß\u1e9e", "iI\u0131\u0130\u0307", "σςΣ", "θϑΘϴ", "ǆǅǄ", "\ufb05\ufb06", "a\ufffd", "a\x00\U0010FFFF", "aA1_-.",
}

func (m maker) char() rune { return m.chars[m.IntN(len(m.chars))] }

// written writes a character that stands for itself, also with the flag x.
func (m maker) written(r rune) string {
	if r == ' ' {
		return "[ ]"
	}
	return m.member(r)
}

// member writes a character of a class.
func (m maker) member(r rune) string {
	switch r {
	case '-', '.':
		return `\` + string(r)
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	}
	return string(r)
}

func (m maker) text(most int) string {
	var b strings.Builder
	for range m.IntN(most + 1) {
		b.WriteRune(m.char())
	}
	return b.String()
}

func (m maker) any() string { return string(m.char()) }

func noText() string { return "" }

func (m maker) atom(depth int) made {
	switch n := m.IntN(16); {
	case n == 0:
		return made{"^", noText}
	case n == 1:
		return made{"$", noText}
	case n <= 5 && depth > 0:
		e := m.branches(depth - 1)
		return made{[]string{"(", "(?:"}[m.IntN(2)] + e.written + ")", e.like}
	case n <= 7:
		return made{[]string{`.`, `\s`, `\S`, `\d`, `\w`, `\W`, `\i`, `\c`, `\C`, `\p{Lu}`, `\P{L}`, `\p{IsBasicLatin}`}[m.IntN(12)], m.any}
	case n <= 9:
		return made{m.class(2), m.any}
	}
	r := m.char()
	return made{m.written(r), func() string { return string(r) }}
}

func (m maker) class(depth int) string {
	w := "[" + []string{"", "", "^"}[m.IntN(3)]
	for range 1 + m.IntN(2) {
		a, b := m.char(), m.char()
		switch m.IntN(4) {
		case 0:
			w += []string{`\s`, `\w`, `\C`, `\p{Ll}`}[m.IntN(4)]
		case 1:
			w += m.member(min(a, b)) + "-" + m.member(max(a, b))
		default:
			w += m.member(a)
		}
	}
	if depth > 0 && m.IntN(3) == 0 {
		w += "-" + m.class(depth-1)
	}
	return w + "]"
}

func (m maker) piece(depth int) made {
	e := m.atom(depth)
	least := m.IntN(3)
	most, q := least+m.IntN(3), ""
	switch m.IntN(12) {
	case 0:
		least, most, q = 0, 1, "?"
	case 1:
		least, most, q = 0, 3, "*"
	case 2:
		least, most, q = 1, 3, "+"
	case 3:
		q = fmt.Sprintf("{%d,%d}", least, most)
	case 4:
		q = fmt.Sprintf("{%d,}", least)
	case 5:
		least, most, q = 0, 0, []string{"{0}", "{0,0}"}[m.IntN(2)]
	case 6:
		if least = m.IntN(40); depth > 0 || least > 30 {
			return e
		}
		most, q = least, fmt.Sprintf("{%d}", least)
	default:
		return e
	}
	return made{e.written + q + []string{"", "?"}[m.IntN(2)], func() string {
		s := ""
		for range least + m.IntN(most-least+1) {
			s += e.like()
		}
		return s
	}}
}

func (m maker) branches(depth int) made {
	var all []made
	for len(all) == 0 || m.IntN(3) == 0 {
		var pieces []made
		w := ""
		for range m.IntN(5) {
			pieces = append(pieces, m.piece(depth))
			w += pieces[len(pieces)-1].written
		}
		all = append(all, made{w, func() string {
			s := ""
			for _, e := range pieces {
				s += e.like()
			}
			return s
		}})
	}
	w := all[0].written
	for _, e := range all[1:] {
		w += "|" + e.written
	}
	return made{w, func() string { return all[m.IntN(len(all))].like() }}
}

// expression makes an expression, often with a text to begin with.
func (m maker) expression() made {
	e := m.branches(2)
	if m.IntN(2) == 0 {
		return e
	}
	begin, w := m.text(6), "^"
	for _, r := range begin {
		w += m.written(r)
	}
	return made{w + "(" + e.written + ")" + []string{"", "$"}[m.IntN(2)], func() string { return begin + e.like() }}
}

// near changes a text a little.
func (m maker) near(s string) string {
	r := []rune(s)
	if len(r) == 0 {
		return m.text(2)
	}
	switch at := m.IntN(len(r)); m.IntN(6) {
	case 0:
		r[at] = m.char()
	case 1:
		r = r[:at]
	case 2:
		r = append(r[:at], r[at+1:]...)
	case 3:
		return m.text(4) + s
	case 4:
		return s + []string{"\n", "\r", "\r\n", "\n\n", m.text(4)}[m.IntN(5)]
	}
	return string(r)
}

// TestMatchesAgree: however random patterns are matched to texts made for them, the same
// is found.
func TestMatchesAgree(t *testing.T) {
	t.Parallel()
	var a agreement
	matched, all := 0, 0
	for seed := range uint64(800) {
		m := maker{Rand: rand.New(rand.NewPCG(seed, 3))}
		m.chars = []rune(alphabets[m.IntN(len(alphabets))])
		flags := ""
		for _, f := range "imsx" {
			if m.IntN(3) == 0 {
				flags += string(f)
			}
		}
		e := m.expression()
		texts := []string{"", m.text(60)}
		for range 6 {
			texts = append(texts, m.near(e.like()))
		}
		a.slices = []int{1 + m.IntN(9)}
		found, ok := a.of(t, e.written, flags, texts...)
		require.Truef(t, ok, "%q with flags %q", e.written, flags)
		for _, yes := range found {
			if all++; yes {
				matched++
			}
		}
		a.matcher.Forget(m.IntN(300))
	}
	assert.Greater(t, matched, all/4, "of %d", all)
	assert.Less(t, matched, all*3/4, "of %d", all)
}

// FuzzMatcher: a pattern that is not refused is found by Go's engine in the same texts, and
// in no more steps than it was said to take.
func FuzzMatcher(f *testing.F) {
	for _, s := range []string{`^é→[a-z-[k]]{2,3}$`, `(^|$|a)*\n^b`, `[0-9]{2}|\u017f`, `(a?){70}b`, `((a*)*|b?){0,2}^c$`} {
		for _, flags := range []string{"", "i", "m", "imsx", "qi"} {
			f.Add(s, flags, "é→aK\n")
		}
	}
	for _, seed := range suite.Seeds(f, suite.Patterns) {
		f.Add(string(seed.Data), seed.Name, "Bob 1")
		f.Add("^"+string(seed.Data), "im", string(seed.Data))
	}
	for _, seed := range suite.Seeds(f, suite.Literals) {
		f.Add(string(seed.Data), "", string(seed.Data))
	}
	f.Fuzz(func(t *testing.T, pattern, flags, text string) {
		if len(pattern) > 500 || len(text) > 5000 {
			return
		}
		a := agreement{slices: []int{97}}
		a.of(t, pattern, flags, text, text+"\n", text+pattern)
	})
}
