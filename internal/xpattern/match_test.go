package xpattern_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/xpattern"
)

// steps matches a text, a few steps at a time, and returns what that took.
func steps(t *testing.T, m *xpattern.Matcher, p *xpattern.Pattern, text string, slice int) (found bool, n int) {
	t.Helper()
	m.Begin(p, text)
	for most := slice; !m.Run(most); most += slice {
		if m.Steps() < most { // asserted by hand: this is done for each of very many slices
			t.Fatalf("%s stops after %d steps, but was told to after %d", p, m.Steps(), most)
		}
	}
	require.LessOrEqual(t, m.Steps(), p.MostSteps(len(text)), "%s", p)
	return m.Found(), m.Steps()
}

// TestSteps has patterns and texts with about the steps that they take.
func TestSteps(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, pattern, text string
		least, most         int // steps
		worst               int // for a text of 1,000 bytes, at most
	}{
		{"nothing", ``, "abc", 1, 1, 3000},
		{"one character after the other", `^[0-9a-f]{8}-[0-9a-f]{4}$`, "01234567-89ab", 20, 30, 30},
		{"it ends where nothing is left", `^[0-9]+$`, "a" + strings.Repeat("1", 500), 1, 5, 3000},
		{"it ends when it is found", `a`, "a" + strings.Repeat("b", 500), 1, 5, 3000},
		{"what it begins with", `^urn:uuid:`, strings.Repeat("urn:uuid:", 100), 1, 5, 15},
		{"what cannot begin is skipped", `[0-9]{3}`, strings.Repeat("a", 400) + "123", 100, 120, 5000},
		{"an address", `^[^@\s]+@[^@\s]+\.[a-z]{2,}$`, "someone.0000001@mail.example.com", 90, 120, 7000},
		{"everything at once", `(a?){50}b`, strings.Repeat("a", 100), 5000, 5500, 55_000},
		{"everything of more", `(a?){90}b`, strings.Repeat("a", 100), 30_000, 60_000, 600_000},
		{"a length", `^.{0,1000}$`, strings.Repeat("a", 1000), 5000, 7000, 7_000_000},
		{"large classes", `^(\p{L}?){10}$`, strings.Repeat("ж", 10), 250, 500, 600},
		{"large classes of more", `^(\p{L}?){100}$`, strings.Repeat("ж", 10), 6000, 12_000, 120_000},
		{"the end of a text", `$`, strings.Repeat("a", 100), 100, 110, 1100},
		{"the end of a line", `a$`, strings.Repeat("a", 100), 100, 400, 3000},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			p, err := xpattern.Compile(row.pattern, "")
			require.NoError(t, err)
			var m xpattern.Matcher
			_, n := steps(t, &m, p, row.text, 1<<30)
			assert.GreaterOrEqual(t, n, row.least)
			assert.LessOrEqual(t, n, row.most)
			assert.LessOrEqual(t, p.MostSteps(1000), row.worst)
		})
	}
}

// TestMatcher: a matcher finds what Go's engine finds, in the same steps however they
// are sliced and whatever it matched before; never more than it was said to take.
func TestMatcher(t *testing.T) {
	t.Parallel()
	var m xpattern.Matcher
	for seed := range uint64(6_000) {
		g := generator{Rand: rand.New(rand.NewPCG(seed, 2))}
		flags := []string{"", "i", "m", "s", "im"}[g.IntN(5)]
		g.fold, g.dotAll = strings.Contains(flags, "i"), strings.Contains(flags, "s")
		e := g.regExp(2)
		p, err := xpattern.Compile(e.written, flags)
		require.NoErrorf(t, err, "%q", e.written)
		re := regexp.MustCompile(p.String())
		for range 4 {
			text := strings.Repeat(g.text(), 1+g.IntN(3))
			found, n := steps(t, &m, p, text, 1<<30)
			require.Equalf(t, re.MatchString(text), found, "%q with flags %q and text %q", e.written, flags, text)
			again, other := steps(t, &m, p, text, 1+g.IntN(9))
			require.Equal(t, found, again)
			require.Equalf(t, n, other, "%q with flags %q and text %q", e.written, flags, text)
		}
		m.Forget(g.IntN(50))
	}
}

func BenchmarkMatch(b *testing.B) {
	for _, row := range []struct{ name, pattern, text string }{
		{"identifier", `^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`, "0f8fad5b-d9cb-469f-a165-708670000000"},
		{"address", `^[^@\s]+@[^@\s]+\.[a-z]{2,}$`, "someone.0000001@mail.example.com"},
		{"begins with", `^https://example\.org/`, "https://example.org/things/0000001"},
		{"somewhere", `[0-9]{3}`, "some text with a number at its end 123"},
		{"everything at once", `(a?){50}b`, strings.Repeat("a", 100)},
	} {
		p, err := xpattern.Compile(row.pattern, "")
		require.NoError(b, err)
		re := regexp.MustCompile(p.String())
		b.Run(row.name, func(b *testing.B) {
			b.ReportAllocs()
			var m xpattern.Matcher
			n := 0
			for b.Loop() {
				m.Begin(p, row.text)
				m.Run(1 << 30)
				n += m.Steps()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/step")
		})
		b.Run(row.name+", Go's engine", func(b *testing.B) {
			for b.Loop() {
				re.MatchString(row.text)
			}
		})
	}
}
