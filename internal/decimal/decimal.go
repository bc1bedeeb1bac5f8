package decimal

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"sync"
)

// Double returns the double that is nearest to a number, of two that are as near the
// even one; beyond the largest it is infinite. The number is digits, with or without a
// sign, a point among or around them and an exponent after "e" or "E", as JSON, Turtle and
// XSD have them. What is none gives some number.
func Double(s string) float64 {
	if !easy(s, &double) {
		return scan(s).nearest(&double)
	}
	if m, power, ok := dyadic(s); ok {
		return signed(s, math.Ldexp(float64(m), power)) // converting rounds, moving the point does not
	}
	f, _ := strconv.ParseFloat(s, 64) // in range
	return f
}

// Single returns the number of single precision that is nearest, as [Double] does.
func Single(s string) float64 {
	if !easy(s, &single) {
		return scan(s).nearest(&single)
	}
	if m, power, ok := dyadic(s); ok {
		return signed(s, math.Ldexp(float64(float32(m)), power))
	}
	f, _ := strconv.ParseFloat(s, 32)
	return f
}

// Slow reports whether rounding a number takes a microsecond or two and not a twentieth of
// that; toSingle says to which of the two formats.
func Slow(s string, toSingle bool) bool {
	if toSingle {
		return !easy(s, &single)
	}
	return !easy(s, &double)
}

// format is what a format of floating point can hold, in powers of ten.
type format struct {
	whole             int64 // so far from one are numbers that have all of their bits
	largest, smallest int64 // at and beyond which all are infinite, and zero
	single            bool
}

var (
	double = format{whole: 280, largest: 309, smallest: -323}
	single = format{whole: 18, largest: 39, smallest: -45, single: true}
)

// easy reports whether package strconv rounds a number in its fast way, or it is dyadic.
// The other one, for more digits than an uint64 holds, numbers next to halfway, and those
// near to zero that have fewer bits, takes up to fifty microseconds for some ten
// characters. A long text is not looked at to find out: the zeros of an exponent may be one.
func easy(s string, f *format) bool {
	const digits, text = 19, 32
	if len(s) > text {
		return false
	}
	for i := 0; i < len(s); i++ {
		switch {
		case s[i]|0x20 == 'e':
			e := saturated(s[i+1:])
			return -f.whole <= e && e <= f.whole
		case i == digits:
			return false
		}
	}
	return true
}

// dyadic returns the magnitude of an easy number as m times two to a power, if it is that.
// All that lie in the middle of two values are among these: of numbers of so few digits no
// other takes package strconv long. What it has a faster way for is left to it.
func dyadic(s string) (m uint64, power int, ok bool) {
	const (
		exact = 1 << 24 // what both formats hold, and strconv multiplies or divides once
		most  = 27      // the largest power of five that an uint64 holds
	)
	s, _ = cutSign(s)
	n, exponent, point := uint64(0), int64(0), false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '.':
			point = true
		case c < '0' || c > '9':
			exponent += saturated(s[i+1:])
			i = len(s)
		default:
			n = 10*n + uint64(c-'0')
			if point {
				exponent--
			}
		}
	}
	if n < exact || exponent < -most || exponent > most {
		return 0, 0, false
	}
	five := uint64(1)
	for range max(exponent, -exponent) {
		five *= 5
	}
	if exponent < 0 {
		return n / five, int(exponent), n%five == 0
	}
	zeros := bits.TrailingZeros64(n)
	hi, lo := bits.Mul64(n>>zeros, five)
	return lo, int(exponent) + zeros, hi == 0
}

// signed gives a magnitude the sign of the text.
func signed(s string, x float64) float64 {
	if s[0] == '-' {
		return -x
	}
	return x
}

// scientific is the number that digits make with a power of ten.
type scientific struct {
	neg      bool
	digits   []byte // neither the first nor the last is 0; none for zero
	exponent int64
}

// scan reads a valid float, with so few digits that rounding it gives the same. No
// midpoint between two doubles has more than 767 significant digits, so what comes
// after 780 only matters as being there.
func scan(s string) (n scientific) {
	const most = 780
	s, n.neg = cutSign(s)
	n.digits = make([]byte, 0, min(len(s), most+1))
	point, more, i := false, false, 0
scan:
	for ; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '.':
			point = true
			continue
		case c < '0' || c > '9':
			break scan
		case len(n.digits) < most && (c != '0' || len(n.digits) > 0):
			n.digits = append(n.digits, c)
			if point {
				n.exponent--
			}
		case len(n.digits) == 0: // a leading zero
			if point {
				n.exponent--
			}
		default:
			more = more || c != '0'
			if !point {
				n.exponent++
			}
		}
	}
	if more {
		n.digits = append(n.digits, '1')
		n.exponent--
	}
	for len(n.digits) > 0 && n.digits[len(n.digits)-1] == '0' {
		n.digits = n.digits[:len(n.digits)-1]
		n.exponent++
	}
	if i < len(s) {
		n.exponent += saturated(s[i+1:])
	}
	return n
}

// saturated reads a signed integer, at most 2^50 in magnitude: more than any
// count of digits can make up for.
func saturated(s string) int64 {
	s, neg := cutSign(s)
	const most = 1 << 50
	n := int64(0)
	for i := 0; i < len(s) && n < most; i++ {
		n = min(10*n+int64(s[i]-'0'), most)
	}
	if neg {
		return -n
	}
	return n
}

// nearest returns the nearest value of a format: from the quotient of two whole
// numbers, with more bits than the value has, the last of which tells whether there is
// more. What is too large is infinite.
func (n scientific) nearest(f *format) float64 {
	sign := 1.0
	if n.neg {
		sign = -1
	}
	// The number is less than ten to the power of top, and not less than a tenth of it.
	top := int64(len(n.digits)) + n.exponent
	switch {
	case len(n.digits) == 0 || top < f.smallest:
		return math.Copysign(0, sign)
	case top > f.largest:
		return math.Inf(int(sign))
	}
	quotient, exponent := n.whole(), int(n.exponent)
	if exponent > 0 {
		quotient.Mul(quotient, powerOfFive(exponent))
	} else if exponent < 0 {
		const bits = 66
		divisor := powerOfFive(-exponent)
		shift := max(0, divisor.BitLen()-quotient.BitLen()+bits)
		var rest big.Int
		quotient.QuoRem(quotient.Lsh(quotient, uint(shift)), divisor, &rest)
		if rest.Sign() != 0 {
			quotient.SetBit(quotient, 0, 1)
		}
		exponent -= shift
	}
	var x big.Float // as precise as the quotient
	x.SetInt(quotient)
	x.SetMantExp(&x, exponent)
	if f.single {
		x, _ := x.Float32()
		return sign * float64(x)
	}
	rounded, _ := x.Float64()
	return sign * rounded
}

// whole returns the number that the digits alone make.
func (n scientific) whole() *big.Int {
	const most = 19 // digits of a part, which fits an uint64
	var out, part, power big.Int
	for from := 0; from < len(n.digits); from += most {
		x, ten := uint64(0), uint64(1)
		for _, c := range n.digits[from:min(from+most, len(n.digits))] {
			x, ten = 10*x+uint64(c-'0'), 10*ten
		}
		out.Add(out.Mul(&out, power.SetUint64(ten)), part.SetUint64(x))
	}
	return &out
}

// fiveStep is how far the larger powers that are kept are apart, and fives how many they
// are: enough for the digits of a number and the exponent of the smallest double.
const (
	fiveStep = 32
	fives    = 36
)

// powersOfFive holds 5 to the powers below fiveStep, and to the multiples of it.
var powersOfFive = sync.OnceValue(func() (p struct {
	small [fiveStep]*big.Int
	large [fives]*big.Int
}) {
	power := func(n int) *big.Int { return new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(n)), nil) }
	for i := range p.small {
		p.small[i] = power(i)
	}
	for i := range p.large {
		p.large[i] = power(i * fiveStep)
	}
	return p
})

// powerOfFive returns 5 to a power that is not negative; it must not be changed.
func powerOfFive(n int) *big.Int {
	p := powersOfFive()
	if n < fiveStep {
		return p.small[n]
	}
	return new(big.Int).Mul(p.large[n/fiveStep], p.small[n%fiveStep])
}

// cutSign takes the sign off a number.
func cutSign(s string) (rest string, neg bool) {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		return s[1:], s[0] == '-'
	}
	return s, false
}
