package xsd

import (
	"cmp"
	"strings"
)

// parseDuration reads xsd:duration and the two datatypes derived from it (XSD
// 1.1 part 2, sections 3.3.6, 3.4.26 and 3.4.27):
// -?P(nY)?(nM)?(nD)?(T(nH)?(nM)?(n(.n)?S)?)?, with at least one part, and one
// after a T.
func parseDuration(d Datatype, s string) (Value, bool) {
	v := Value{dt: d, year: s}
	p, ok := splitDuration(s)
	months, seconds := p.y != "" || p.mo != "", p.d != "" || p.timed
	if !ok || d == YearMonthDuration && seconds || d == DayTimeDuration && months {
		return Value{}, false
	}
	v.neg, v.text = p.neg, p.fraction
	// Each maximum keeps the sums below from overflowing.
	m, ok1 := small(p.y, 12, 1e12, 0)
	m, ok2 := small(p.mo, 1, 1e12, m)
	n, ok3 := small(p.d, day, 1e18, 0)
	n, ok4 := small(p.h, hour, 1e18, n)
	n, ok5 := small(p.mi, minute, 1e18, n)
	n, ok6 := small(p.s, 1, 1e18, n)
	if v.big = !(ok1 && ok2 && ok3 && ok4 && ok5 && ok6); v.big {
		v.slow = true
		return v, true
	}
	v.months, v.n = int64(m), n
	v.neg = v.neg && (m != 0 || n != 0 || v.text != "")
	return v, true
}

// durationParts holds the digits of each part, "" where it is absent, and the
// fraction of the seconds without trailing zeros.
type durationParts struct {
	neg, timed                   bool
	y, mo, d, h, mi, s, fraction string
}

// splitDuration returns the parts of a duration, and whether it has the form of one.
func splitDuration(s string) (p durationParts, ok bool) {
	if s != "" && s[0] == '-' {
		p.neg = true
		s = s[1:]
	}
	if s == "" || s[0] != 'P' {
		return p, false
	}
	s = s[1:]
	rank, last := 0, 0 // of the designator, which must rise
	for s != "" {
		if s[0] == 'T' && !p.timed {
			p.timed = true
			if s = s[1:]; s == "" {
				return p, false
			}
			continue
		}
		n, rest := cutDigits(s)
		fraction := ""
		if strings.HasPrefix(rest, ".") {
			if fraction, rest = cutDigits(rest[1:]); fraction == "" {
				return p, false
			}
		}
		if n == "" || rest == "" {
			return p, false
		}
		designator := rest[0]
		s = rest[1:]
		switch {
		case designator == 'Y' && !p.timed:
			p.y, rank = n, 1
		case designator == 'M' && !p.timed:
			p.mo, rank = n, 2
		case designator == 'D' && !p.timed:
			p.d, rank = n, 3
		case designator == 'H' && p.timed:
			p.h, rank = n, 4
		case designator == 'M' && p.timed:
			p.mi, rank = n, 5
		case designator == 'S' && p.timed:
			p.s, rank = n, 6
		default:
			return p, false
		}
		if rank <= last || fraction != "" && rank != 6 {
			return p, false
		}
		last = rank
		p.fraction = strings.TrimRight(fraction, "0")
	}
	return p, last > 0
}

// cutDigits returns the digits at the start of s, and the rest.
func cutDigits(s string) (digits, rest string) {
	i := 0
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return s[:i], s[i:]
}

// small adds the number in digits, times unit, to sum, and reports whether the result
// is at most most. Ten times most must not overflow: most is 1.8·10¹⁸ or less.
func small(digits string, unit, most, sum uint64) (uint64, bool) {
	n := uint64(0)
	for i := 0; i < len(digits); i++ {
		if n = 10*n + uint64(digits[i]-'0'); n > most/unit {
			return 0, false
		}
	}
	sum += n * unit
	return sum, sum <= most
}

// references are the four moments of XSD 1.1 part 2, section 3.3.6.1, each the first
// of its month: a duration is less than another exactly when it ends earlier, started
// at any of them.
var references = [4]struct{ year, month int64 }{{1696, 9}, {1697, 2}, {1903, 3}, {1903, 7}}

// compareDurations compares as XSD 1.1 part 2, section 3.3.6.1, defines it.
func compareDurations(a, b *Value) Order {
	if a.big || b.big {
		return compareBigDurations(a, b)
	}
	if a.months == b.months && a.n == b.n && a.neg == b.neg && a.text == b.text {
		return Equal
	}
	var c [4]int
	for i, r := range references {
		c[i] = compareSigned(a.neg, b.neg, cmp.Or(
			cmp.Compare(a.secondsFrom(r.year, r.month), b.secondsFrom(r.year, r.month)),
			strings.Compare(a.text, b.text)))
	}
	return agreed(c)
}

// compareSigned returns the order of two numbers from their signs and the order
// of their magnitudes. There is no negative zero.
func compareSigned(aNeg, bNeg bool, magnitudes int) int {
	switch {
	case aNeg && bNeg:
		return -magnitudes
	case aNeg:
		return -1
	case bNeg:
		return 1
	}
	return magnitudes
}

// agreed returns the order that all four comparisons gave. Two durations that
// are equal at all four moments without being the same, like P400Y and
// P146097D, are incomparable by the letter of the definition.
func agreed(c [4]int) Order {
	if c[0] == 0 || c[0] != c[1] || c[0] != c[2] || c[0] != c[3] {
		return Incomparable
	}
	return order(c[0])
}

// secondsFrom returns the magnitude of the duration in seconds when it starts,
// or with a negative one ends, on the first of a month.
func (v *Value) secondsFrom(year, month int64) uint64 {
	return uint64(daysOfMonths(v.months, v.neg, year, month))*day + v.n
}

// daysOfMonths returns how many days so many months have, counted from the first
// of a month, backwards if back.
func daysOfMonths(months int64, back bool, year, month int64) int64 {
	from := daysBefore(year, month)
	if back {
		months = -months
	}
	years, m := floorDiv(month-1+months, 12)
	days := daysBefore(year+years, m+1) - from
	if back {
		return -days
	}
	return days
}

// compareBigDurations compares durations exactly, with numbers of any length.
func compareBigDurations(a, b *Value) Order {
	x, y := a.split(), b.split()
	same := cmp.Or(compareNat(x.months, y.months), compareNat(x.seconds, y.seconds), strings.Compare(a.text, b.text)) == 0
	if same && x.neg == y.neg {
		return Equal
	}
	var c [4]int
	for i, r := range references {
		c[i] = compareSigned(x.neg, y.neg, cmp.Or(
			compareNat(x.secondsFrom(r.year, r.month), y.secondsFrom(r.year, r.month)),
			strings.Compare(a.text, b.text)))
	}
	return agreed(c)
}

type bigDuration struct {
	neg             bool
	months, seconds nat
}

func (v *Value) split() bigDuration {
	p, _ := splitDuration(v.year) // it was valid when it was parsed
	months := parseNat(p.y).mulAdd(12, parseNat(p.mo))
	seconds := parseNat(p.d).mulAdd(24, parseNat(p.h)).mulAdd(60, parseNat(p.mi)).mulAdd(60, parseNat(p.s))
	zero := len(months) == 0 && len(seconds) == 0 && p.fraction == ""
	return bigDuration{neg: p.neg && !zero, months: months, seconds: seconds}
}

func (d bigDuration) secondsFrom(year, month int64) nat {
	cycles, rest := d.months.div(12 * cycleYears)
	days := cycles.mulAdd(cycleDays, natOf(uint64(daysOfMonths(int64(rest), d.neg, year, month))))
	return days.mulAdd(day, d.seconds)
}
