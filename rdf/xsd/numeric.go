package xsd

import (
	"cmp"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/rdfproto/rdfproto/internal/decimal"
)

// parseDecimal reads xsd:decimal and the integers derived from it (XSD 1.1
// part 2, sections 3.3.3 and 3.4.13 to 3.4.25).
func parseDecimal(d Datatype, s string) (Value, bool) {
	v := Value{dt: d}
	s, v.neg = cutSign(s)
	point := -1
	for i := 0; i < len(s); i++ {
		if isDigit(s[i]) {
			continue
		}
		if s[i] != '.' || point >= 0 || d != Decimal {
			return Value{}, false
		}
		point = i
	}
	if s == "" || s == "." {
		return Value{}, false
	}
	if point >= 0 {
		s = strings.TrimRight(s, "0")
		s = strings.TrimSuffix(s, ".")
	}
	v.text = strings.TrimLeft(s, "0")
	v.setSmall()
	v.slow = (v.big || v.scale > 0) && decimal.Slow(v.text, false)
	v.neg = v.neg && (v.n != 0 || v.big)
	return v, d == Decimal || d == Integer || v.inRange()
}

func cutSign(s string) (rest string, neg bool) {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		return s[1:], s[0] == '-'
	}
	return s, false
}

// maxScale is how many digits of a fraction the small form holds: two small
// decimals brought to the same scale fit 128 bits.
const maxScale = 19

// setSmall sets n and scale from text, or big when they cannot hold it.
func (v *Value) setSmall() {
	point := false
	for i := 0; i < len(v.text); i++ {
		if v.text[i] == '.' {
			point = true
			continue
		}
		hi, lo := bits.Mul64(v.n, 10)
		lo, carry := bits.Add64(lo, uint64(v.text[i]-'0'), 0)
		if hi|carry != 0 || point && v.scale == maxScale {
			v.n, v.scale, v.big = 0, 0, true
			return
		}
		v.n = lo
		if point {
			v.scale++
		}
	}
}

// inRange checks a derived integer against the facets of its datatype.
func (v *Value) inRange() bool {
	// The largest magnitude on each side; big numbers are beyond all of them,
	// where there is one.
	var below, above uint64
	switch v.dt {
	case Long:
		below, above = 1<<63, math.MaxInt64
	case Int:
		below, above = 1<<31, math.MaxInt32
	case Short:
		below, above = 1<<15, math.MaxInt16
	case Byte:
		below, above = 1<<7, math.MaxInt8
	case UnsignedLong:
		above = math.MaxUint64
	case UnsignedInt:
		above = math.MaxUint32
	case UnsignedShort:
		above = math.MaxUint16
	case UnsignedByte:
		above = math.MaxUint8
	case NonNegativeInteger:
		return !v.neg
	case PositiveInteger:
		return !v.neg && (v.n != 0 || v.big)
	case NonPositiveInteger:
		return v.neg || v.n == 0 && !v.big
	case NegativeInteger:
		return v.neg
	}
	if v.neg {
		return !v.big && v.n <= below
	}
	return !v.big && v.n <= above
}

// parseFloat reads xsd:float and xsd:double (XSD 1.1 part 2, sections 3.3.4 and
// 3.3.5). What is too large is INF, as their lexical mappings have it.
func parseFloat(d Datatype, s string) (Value, bool) {
	v := Value{dt: d}
	switch s {
	case "INF", "+INF":
		v.n = math.Float64bits(math.Inf(1))
		return v, true
	case "-INF":
		v.n = math.Float64bits(math.Inf(-1))
		return v, true
	case "NaN":
		v.n = math.Float64bits(math.NaN())
		return v, true
	}
	if !validFloat(s) {
		return Value{}, false
	}
	v.n, v.slow = math.Float64bits(toFloat(s, d)), decimal.Slow(s, d == Float)
	return v, true
}

// isFloat reports whether s is in the lexical space of xsd:float and xsd:double.
func isFloat(s string) bool {
	return s == "INF" || s == "+INF" || s == "-INF" || s == "NaN" || validFloat(s)
}

// toFloat rounds a valid float or decimal to the nearest value of Float or Double.
func toFloat(s string, d Datatype) float64 {
	if d == Float {
		return decimal.Single(s)
	}
	return decimal.Double(s)
}

// validFloat checks s against
// [+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?.
func validFloat(s string) bool {
	s, _ = cutSign(s)
	i, digits := 0, 0
	for ; i < len(s) && isDigit(s[i]); i++ {
		digits++
	}
	if i < len(s) && s[i] == '.' {
		for i++; i < len(s) && isDigit(s[i]); i++ {
			digits++
		}
	}
	if digits == 0 {
		return false
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		exponent, _ := cutSign(s[i+1:])
		return exponent != "" && strings.Trim(exponent, "0123456789") == ""
	}
	return i == len(s)
}

func compareNumbers(a, b *Value) Order {
	aFloat, bFloat := a.dt >= Double, b.dt >= Double
	switch {
	case aFloat && bFloat:
		return compareFloats(math.Float64frombits(a.n), math.Float64frombits(b.n))
	case bFloat:
		return compareWithFloat(a, b)
	case aFloat:
		return compareWithFloat(b, a).reverse()
	}
	return order(compareDecimals(a, b))
}

func compareFloats(a, b float64) Order {
	switch {
	case a < b:
		return Less
	case a > b:
		return Greater
	case a == b:
		return Equal
	}
	return Incomparable // NaN
}

func compareDecimals(a, b *Value) int {
	if a.neg != b.neg {
		if a.neg {
			return -1
		}
		return 1
	}
	c := compareMagnitudes(a, b)
	if a.neg {
		return -c
	}
	return c
}

func compareMagnitudes(a, b *Value) int {
	if a.big || b.big {
		return compareDigits(a.text, b.text)
	}
	if a.scale == b.scale {
		return cmp.Compare(a.n, b.n)
	}
	aHi, aLo := scaled(a.n, b.scale, a.scale)
	bHi, bLo := scaled(b.n, a.scale, b.scale)
	return cmp.Or(cmp.Compare(aHi, bHi), cmp.Compare(aLo, bLo))
}

// scaled returns n times ten to the power of to-from, or n when that is not
// positive.
func scaled(n uint64, to, from uint8) (hi, lo uint64) {
	factor := uint64(1)
	for ; from < to; from++ {
		factor *= 10
	}
	return bits.Mul64(n, factor)
}

// compareDigits compares two decimals as [Value.text] holds them.
func compareDigits(a, b string) int {
	aInt, aFraction, _ := strings.Cut(a, ".")
	bInt, bFraction, _ := strings.Cut(b, ".")
	return cmp.Or(cmp.Compare(len(aInt), len(bInt)), strings.Compare(aInt, bInt), strings.Compare(aFraction, bFraction))
}

// compareWithFloat compares a decimal with a float or double.
func compareWithFloat(d, f *Value) Order {
	x := math.Float64frombits(f.n)
	if math.IsNaN(x) {
		return Incomparable
	}
	switch { // what is next to 0 may round to it, on either side
	case d.neg && x > 0:
		return Less
	case x < 0 && !d.neg:
		return Greater
	}
	c := compareMagnitudeWithFloat(d, math.Abs(x), f.dt)
	if d.neg {
		return c.reverse()
	}
	return c
}

// compareMagnitudeWithFloat compares the magnitude of a decimal with x, the magnitude
// of a value of Float or Double.
func compareMagnitudeWithFloat(d *Value, x float64, dt Datatype) Order {
	if math.IsInf(x, 1) {
		return Less
	}
	if d.scale > 0 || d.big && strings.IndexByte(d.text, '.') >= 0 {
		return compareFloats(toFloat(d.text, dt), x)
	}
	const beyond = 1 << 64 // the first float that no uint64 holds
	switch {
	case d.big && x < beyond:
		return Greater
	case d.big:
		var buf [320]byte // the largest double has 309 digits
		return order(compareDigits(d.text, string(strconv.AppendFloat(buf[:0], x, 'f', 0, 64))))
	case x >= beyond:
		return Less
	}
	whole := math.Floor(x)
	c := cmp.Compare(d.n, uint64(whole))
	if c == 0 && x > whole {
		c = -1
	}
	return order(c)
}
