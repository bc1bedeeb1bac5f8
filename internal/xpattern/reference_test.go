package xpattern_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/internal/xpattern"
)

// The reference matcher knows the meaning of each construct from the text of the
// specifications and nothing of Go's dialect: a piece is a function from a place
// in the text to the places where it can end.

type text struct {
	runes     []rune
	multiline bool
}

// places is a set of places in a text, as bits.
type places uint64

type matcher func(t text, at int) places

// expression is a random regular expression: as it is written, and what it
// means.
type expression struct {
	written string
	ends    matcher
}

// generator makes random expressions for a choice of flags.
type generator struct {
	*rand.Rand
	fold, dotAll bool
}

func (g generator) regExp(depth int) expression {
	e := g.branch(depth)
	for g.IntN(4) == 0 {
		a, b := e, g.branch(depth)
		e = expression{a.written + "|" + b.written, func(t text, at int) places { return a.ends(t, at) | b.ends(t, at) }}
	}
	return e
}

func (g generator) branch(depth int) expression {
	e := expression{"", func(_ text, at int) places { return 1 << at }}
	for range g.IntN(4) {
		a, b := e, g.piece(depth)
		e = expression{a.written + b.written, func(t text, at int) (out places) {
			for i, from := 0, a.ends(t, at); i < 64; i++ {
				if from>>i&1 == 1 {
					out |= b.ends(t, i)
				}
			}
			return out
		}}
	}
	return e
}

func (g generator) piece(depth int) expression {
	a := g.atom(depth)
	least, most, q := 0, -1, ""
	switch g.IntN(12) {
	case 0:
		most, q = 1, "?"
	case 1:
		q = "*"
	case 2:
		least, q = 1, "+"
	case 3:
		least = g.IntN(3)
		most = least + g.IntN(3)
		q = fmt.Sprintf("{%d,%d}", least, most)
	case 4:
		least = g.IntN(3)
		q = fmt.Sprintf("{%d,}", least)
	case 5:
		least = g.IntN(3)
		most, q = least, fmt.Sprintf("{%d}", least)
	default:
		return a
	}
	if g.IntN(4) == 0 {
		q += "?" // reluctant: the same matches
	}
	return expression{a.written + q, func(t text, at int) (out places) {
		// After as many rounds as there are places, nothing new comes.
		rounds := most
		if rounds < 0 {
			rounds = least + len(t.runes) + 1
		}
		from := places(1) << at
		for i := 0; ; i++ {
			if i >= least {
				out |= from
			}
			if i == rounds || from == 0 {
				return out
			}
			next := places(0)
			for at := range len(t.runes) + 1 {
				if from>>at&1 == 1 {
					next |= a.ends(t, at)
				}
			}
			from = next
		}
	}}
}

func (g generator) atom(depth int) expression {
	switch n := g.IntN(14); {
	case n == 0:
		return expression{"^", func(t text, at int) places {
			return when(at == 0 || t.multiline && t.runes[at-1] == '\n' && at < len(t.runes), at)
		}}
	case n == 1:
		return expression{"$", func(t text, at int) places {
			end := at == len(t.runes)
			if t.multiline {
				end = !end && t.runes[at] == '\n' || end && (at == 0 || t.runes[at-1] != '\n')
			}
			return when(end, at)
		}}
	case n <= 4 && depth > 0:
		e := g.regExp(depth - 1)
		if g.IntN(3) == 0 {
			return expression{"(?:" + e.written + ")", e.ends}
		}
		return expression{"(" + e.written + ")", e.ends}
	case n == 5:
		return one(".", func(r rune) bool { return g.dotAll || r != '\n' && r != '\r' })
	case n <= 8:
		c := g.class(depth)
		return one(c.written, c.has)
	case n <= 10:
		c := g.escape()
		return one(c.written, c.has)
	}
	c := g.char()
	return one(c.written, c.has)
}

func when(b bool, at int) places {
	if b {
		return 1 << at
	}
	return 0
}

func one(written string, has func(rune) bool) expression {
	return expression{written, func(t text, at int) places {
		return when(at < len(t.runes) && has(t.runes[at]), at+1)
	}}
}

// chars are what the random texts and expressions are made of.
var chars = []rune("aAbBkK\u212asS\u017fiI\u0131\u01301é\u0660_-. \n\n\r\t\u00a0Σσς\U0001F600\u0378")

// group is a random set of characters.
type group struct {
	written string
	has     func(rune) bool
}

// same reports whether a character of a text matches one of the pattern, by the
// definition in F&O 3.1, section 5.6.2.
func (g generator) same(a, b rune) bool {
	if a == b || !g.fold {
		return a == b
	}
	if a == 'İ' || b == 'İ' {
		return false // the full mapping is not that of package unicode
	}
	return unicode.ToLower(a) == unicode.ToLower(b) || unicode.ToUpper(a) == unicode.ToUpper(b)
}

func (g generator) char() group {
	r := chars[g.IntN(len(chars))]
	return group{quoted(r), func(x rune) bool { return g.same(x, r) }}
}

func quoted(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case strings.ContainsRune(`-.`, r):
		return `\` + string(r)
	}
	return string(r)
}

func (g generator) span() group {
	a, b := chars[g.IntN(len(chars))], chars[g.IntN(len(chars))]
	if a > b {
		a, b = b, a
	}
	return group{quoted(a) + "-" + quoted(b), func(x rune) bool {
		if a <= x && x <= b {
			return true
		}
		for r := a; g.fold && r <= min(b, 0x2200); r++ { // no character of the tests beyond has variants
			if g.same(x, r) {
				return true
			}
		}
		return false
	}}
}

func (g generator) escape() group {
	name := func(r rune) bool {
		return g.initial(r) || r == '-' || r == '.' || '0' <= r && r <= '9' || r == 0xB7
	}
	word := func(r rune) bool { return !unicode.In(r, unicode.P, unicode.Z, unicode.C) }
	space := func(r rune) bool { return strings.ContainsRune(" \t\n\r", r) }
	all := []group{
		{`\s`, space}, {`\d`, func(r rune) bool { return unicode.Is(unicode.Nd, r) }}, {`\w`, word}, {`\i`, g.initial}, {`\c`, name},
		{`\p{L}`, unicode.IsLetter}, {`\p{Lu}`, unicode.IsUpper}, {`\p{IsBasicLatin}`, func(r rune) bool { return r < 0x80 }},
	}
	e := all[g.IntN(len(all))]
	if g.IntN(3) == 0 {
		return group{`\` + strings.ToUpper(e.written[1:2]) + e.written[2:], func(r rune) bool { return !e.has(r) }}
	}
	return e
}

func (g generator) initial(r rune) bool {
	return r == ':' || r == '_' || 'a' <= r|0x20 && r|0x20 <= 'z' || r >= 0xC0 // for the characters of the tests
}

func (g generator) class(depth int) group {
	written, negated := "[", g.IntN(3) == 0
	if negated {
		written += "^"
	}
	var parts []group
	for range 1 + g.IntN(3) {
		var p group
		switch g.IntN(3) {
		case 0:
			p = g.char()
		case 1:
			p = g.span()
		default:
			p = g.escape()
		}
		parts = append(parts, p)
		written += p.written
	}
	has := func(r rune) bool {
		in := false
		for _, p := range parts {
			in = in || p.has(r)
		}
		return in != negated
	}
	if depth > 0 && g.IntN(4) == 0 {
		minus := g.class(depth - 1)
		return group{written + "-" + minus.written + "]", func(r rune) bool { return has(r) && !minus.has(r) }}
	}
	return group{written + "]", has}
}

func (g generator) text() string {
	var b strings.Builder
	for range g.IntN(7) {
		b.WriteRune(chars[g.IntN(len(chars))])
	}
	if g.IntN(3) == 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

func matches(e expression, s string, multiline bool) bool {
	t := text{[]rune(s), multiline}
	for at := range len(t.runes) + 1 {
		if e.ends(t, at) != 0 {
			return true
		}
	}
	return false
}

func checkRandom(t *testing.T, seed1, seed2 uint64) {
	g := generator{Rand: rand.New(rand.NewPCG(seed1, seed2))}
	flags := ""
	for _, f := range "ims" {
		if g.IntN(3) == 0 {
			flags += string(f)
		}
	}
	multiline := strings.Contains(flags, "m")
	g.fold, g.dotAll = strings.Contains(flags, "i"), strings.Contains(flags, "s")
	e := g.regExp(2)
	re, err := xpattern.Compile(e.written, flags)
	require.NoErrorf(t, err, "%q", e.written)
	for range 8 {
		s := g.text()
		require.Equalf(t, matches(e, s, multiline), re.MatchString(s), "%q with flags %q and text %q (%s)", e.written, flags, s, re)
	}
}

func TestAgainstReference(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6_000) {
		checkRandom(t, seed, 1)
	}
}

func FuzzReference(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(checkRandom)
}

// FuzzCompile: what is no expression is refused with its place, and two ways of writing
// one find the same.
func FuzzCompile(f *testing.F) {
	for _, s := range []string{``, `^a|b{2,3}?$`, `[^a-z-[aeiou]]\i\C\p{IsGreek}\P{Lu}`, `(?:a)\n\-`, `\1`, `[a-\d]`, "[-", `a{1,`, `(((`, `x y[ ]`} {
		f.Add(s, "", "a")
		f.Add(s, "imx", "A\n")
		f.Add(s, "qs", "")
	}
	for _, seed := range suite.Seeds(f, suite.Patterns) {
		f.Add(string(seed.Data), seed.Name, "Bob 1")
	}
	for _, seed := range suite.Seeds(f, suite.Literals) {
		f.Add(string(seed.Data), "i", string(seed.Data))
	}
	f.Fuzz(func(t *testing.T, pattern, flags, s string) {
		re, err := xpattern.Compile(pattern, flags)
		if err != nil {
			var e *xpattern.Error
			require.ErrorAs(t, err, &e)
			require.GreaterOrEqual(t, e.Pos, 0)
			require.LessOrEqual(t, e.Pos, len([]rune(pattern))+1)
			return
		}
		found := re.MatchString(s)
		if strings.Contains(flags, "q") {
			if !strings.Contains(flags, "i") {
				require.Equal(t, strings.Contains(s, pattern), found, "a text is looked for as it is")
			}
			return
		}
		// A group around it and itself as an alternative say the same, unless they grow too large.
		for _, same := range []string{"(" + pattern + ")", pattern + "|" + pattern} {
			if again, err := xpattern.Compile(same, flags); err == nil {
				require.Equal(t, found, again.MatchString(s), "%q", same)
			}
		}
	})
}

func BenchmarkCompile(b *testing.B) {
	for _, row := range []struct{ name, pattern, flags string }{
		{"plain", `^[2-8][0-9]*$`, ""}, {"fold", `^aldi`, "i"}, {"word", `^[\w.-]+@[\w.-]+$`, ""},
	} {
		b.Run(row.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := xpattern.Compile(row.pattern, row.flags); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
