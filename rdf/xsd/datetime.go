package xsd

import (
	"cmp"
	"strings"
)

const (
	minute = 60
	hour   = 60 * minute
	day    = 24 * hour

	// The Gregorian calendar repeats itself after 400 years.
	cycleYears = 400
	cycleDays  = 146_097
)

// parseTime reads the seven datatypes of dates and times and xsd:dateTimeStamp
// (XSD 1.1 part 2, sections 3.3.7 to 3.3.14 and 3.4.28) and puts the value on
// the time line of appendix E.3.4.
func parseTime(d Datatype, s string) (Value, bool) {
	v := Value{dt: d}
	p := scanner{s: s, ok: true}
	// The parts that a datatype lacks are those of the last day of December of a
	// leap year. They are the same for all its values, so they change no order.
	year, month, dayOf, seconds := int64(1972), int64(12), int64(0), int64(0)
	switch d {
	case DateTime, DateTimeStamp, Date, GYear, GYearMonth:
		year = p.year(&v)
		if d != GYear {
			p.expect('-')
			month = p.two(1, 12)
		}
		if d != GYear && d != GYearMonth {
			p.expect('-')
			dayOf = p.two(1, 31)
		}
	case GMonth, GMonthDay:
		p.expect('-')
		p.expect('-')
		month = p.two(1, 12)
		if d == GMonthDay {
			p.expect('-')
			dayOf = p.two(1, 31)
		}
	case GDay:
		p.expect('-')
		p.expect('-')
		p.expect('-')
		dayOf = p.two(1, 31)
	}
	if last := daysIn(year, month); dayOf == 0 {
		dayOf = last
	} else if dayOf > last {
		return Value{}, false
	}
	if d == DateTime || d == DateTimeStamp {
		p.expect('T')
	}
	if d == DateTime || d == DateTimeStamp || d == Time {
		seconds, v.text = p.clock()
		if d == Time {
			seconds %= day // 24:00:00 is 00:00:00
		}
	}
	zone, zoned := p.zone()
	if !p.ok || p.s != "" || d == DateTimeStamp && !zoned {
		return Value{}, false
	}
	v.zoned = zoned
	v.n = uint64((daysBefore(year, month)+dayOf-1)*day + seconds - zone*minute)
	return v, true
}

// scanner reads the parts of a lexical form from the front of s. After what it
// expected was not there, ok is false and what it returns is in range but
// means nothing.
type scanner struct {
	s  string
	ok bool
}

func (p *scanner) expect(c byte) {
	if p.s == "" || p.s[0] != c {
		p.ok = false
		return
	}
	p.s = p.s[1:]
}

// two reads two digits that make a number from least to most.
func (p *scanner) two(least, most int64) int64 {
	if len(p.s) < 2 || !isDigit(p.s[0]) || !isDigit(p.s[1]) {
		p.ok = false
		return least
	}
	n := int64(p.s[0]-'0')*10 + int64(p.s[1]-'0')
	if n < least || n > most {
		p.ok = false
		return least
	}
	p.s = p.s[2:]
	return n
}

// digits reads digits, at least one.
func (p *scanner) digits() string {
	d, rest := cutDigits(p.s)
	p.ok = p.ok && d != ""
	p.s = rest
	return d
}

// year reads yearFrag: at least four digits, no leading zero beyond four. A year
// that does not fit is returned as its place in the cycle of 400 years, with
// v.big set.
func (p *scanner) year(v *Value) int64 {
	if p.s != "" && p.s[0] == '-' {
		v.neg = true
		p.s = p.s[1:]
	}
	v.year = p.digits()
	if len(v.year) < 4 || len(v.year) > 4 && v.year[0] == '0' {
		p.ok = false
		return 0
	}
	const most = 11 // a hundred billion years are 3·10¹⁸ seconds
	v.big = len(v.year) > most
	if v.big {
		return v.cycleYear()
	}
	v.neg = v.neg && v.year != "0000"
	return v.smallYear()
}

// cycleYear returns the year modulo 400, from 0 to 399.
func (v *Value) cycleYear() int64 {
	n := int64(0)
	for _, c := range []byte(v.year[len(v.year)-4:]) { // 10,000 is a multiple of 400
		n = 10*n + int64(c-'0')
	}
	if n %= cycleYears; v.neg && n > 0 {
		return cycleYears - n
	}
	return n
}

// clock reads hh:mm:ss with an optional fraction, or the end of the day, and
// returns the seconds and the fraction's digits without trailing zeros.
func (p *scanner) clock() (seconds int64, fraction string) {
	h := p.two(0, 24)
	p.expect(':')
	m := p.two(0, 59)
	p.expect(':')
	s := p.two(0, 59)
	if p.s != "" && p.s[0] == '.' {
		p.s = p.s[1:]
		fraction = strings.TrimRight(p.digits(), "0")
	}
	if h == 24 && (m != 0 || s != 0 || fraction != "") {
		p.ok = false
	}
	return h*hour + m*minute + s, fraction
}

// zone reads an optional time zone, in minutes east of UTC.
func (p *scanner) zone() (minutes int64, zoned bool) {
	if p.s == "" {
		return 0, false
	}
	sign := int64(1)
	switch p.s[0] {
	case 'Z':
		p.s = p.s[1:]
		return 0, true
	case '-':
		sign = -1
	case '+':
	default:
		p.ok = false
		return 0, false
	}
	p.s = p.s[1:]
	h := p.two(0, 14)
	p.expect(':')
	m := p.two(0, 59)
	if h == 14 && m != 0 {
		p.ok = false
	}
	return sign * (h*60 + m), true
}

func isLeap(year int64) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

func daysIn(year, month int64) int64 {
	switch month {
	case 2:
		if isLeap(year) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// daysBefore returns the days from 1 January of the year 0 to the first of a
// month, month 1 to 12.
func daysBefore(year, month int64) int64 {
	cycle, y := floorDiv(year, cycleYears)
	days := cycle*cycleDays + 365*y + (y+3)/4 - (y+99)/100 // y from 0 to 399, and 0 is leap
	if y > 0 {
		days++
	}
	for m := int64(1); m < month; m++ {
		days += daysIn(year, m)
	}
	return days
}

// floorDiv divides so that the remainder is not negative.
func floorDiv(n, by int64) (quotient, remainder int64) {
	quotient, remainder = n/by, n%by
	if remainder < 0 {
		return quotient - 1, remainder + by
	}
	return quotient, remainder
}

// compareTimes compares two values of one primitive datatype of dates and times.
func compareTimes(a, b *Value) Order {
	if a.zoned == b.zoned {
		return order(compareTimeLine(a, b, 0))
	}
	// XSD 1.1 part 2, section E.3.4: a value with a time zone and one without have
	// an order if it is the same for both extremes of the missing zone. Moving the
	// other value instead comes to the same.
	const extreme = 14 * hour
	switch {
	case compareTimeLine(a, b, -extreme) < 0:
		return Less
	case compareTimeLine(a, b, extreme) > 0:
		return Greater
	}
	return Incomparable
}

// compareTimeLine compares a with b moved by shift seconds.
func compareTimeLine(a, b *Value, shift int64) int {
	an, bn := int64(a.n), int64(b.n)
	if a.big || b.big {
		years := yearsApart(a, b)
		if years <= -2 || years >= 2 {
			return years / 2
		}
		// Count both from the start of a's cycle.
		ay, by := a.cycleYear(), b.cycleYear()
		an, bn = a.sinceCycle(), b.sinceCycle()
		bn += (ay - int64(years) - by) / cycleYears * cycleDays * day
	}
	return cmp.Or(cmp.Compare(an, bn+shift), strings.Compare(a.text, b.text))
}

// sinceCycle returns the seconds since the start of the cycle of 400 years that
// the year is in.
func (v *Value) sinceCycle() int64 {
	if v.big {
		return int64(v.n)
	}
	return int64(v.n) - (v.smallYear()-v.cycleYear())/cycleYears*cycleDays*day
}

// smallYear returns the year when v is not big.
func (v *Value) smallYear() int64 {
	n := int64(0)
	for _, c := range []byte(v.year) {
		n = 10*n + int64(c-'0')
	}
	if v.neg {
		return -n
	}
	return n
}

// yearsApart returns a's year minus b's, cut to -2 and 2.
func yearsApart(a, b *Value) int {
	if a.neg != b.neg {
		// One has more than eleven digits.
		if a.neg {
			return -2
		}
		return 2
	}
	x, y := a.year, b.year
	n := max(len(x), len(y))
	diff := 0
	for i := range n {
		diff = 10*diff + digitAt(x, i-n+len(x)) - digitAt(y, i-n+len(y))
		if diff <= -2 || diff >= 2 {
			// What follows cannot bring it back: 10·2-9 is more than 2.
			diff = max(-2, min(diff, 2))
			break
		}
	}
	if a.neg {
		return -diff
	}
	return diff
}

// digitAt returns the digit at i, 0 before the first.
func digitAt(s string, i int) int {
	if i < 0 {
		return 0
	}
	return int(s[i] - '0')
}
