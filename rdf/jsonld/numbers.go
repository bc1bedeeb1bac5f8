package jsonld

import (
	"bytes"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/rdfproto/rdfproto/internal/decimal"
)

// appendNumber appends the canonical lexical form of a number (section 8.6) to
// dst, as an xsd:double if asDouble is set or it has a fraction or 10^21 or
// more, and as an xsd:integer otherwise.
func appendNumber(dst []byte, text string, asDouble bool) (out []byte, double bool) {
	if !asDouble && plainInteger(text) {
		return append(dst, text...), false
	}
	f := decimal.Double(text)
	if asDouble || math.Abs(f) >= 1e21 || f != math.Trunc(f) {
		return appendDouble(dst, f), true
	}
	if f == 0 {
		return append(dst, '0'), false // -0
	}
	return strconv.AppendFloat(dst, f, 'f', 0, 64), false
}

// plainInteger reports whether text is an integer in canonical form that every
// double can hold.
func plainInteger(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	if len(digits) > 15 || text == "-0" {
		return false
	}
	for i := 0; i < len(digits); i++ {
		if digits[i] < '0' || digits[i] > '9' {
			return false
		}
	}
	return true
}

// appendDouble appends the canonical lexical form of a finite double: up to 15
// digits after the point, and half of the last one rounded up, as ECMAScript's
// toExponential has it.
func appendDouble(dst []byte, f float64) []byte {
	if f == 0 {
		return append(dst, "0.0E0"...)
	}
	if f < 0 {
		dst, f = append(dst, '-'), -f
	}
	var buf [32]byte
	mantissa, exponent, _ := bytes.Cut(roundHalfUp(buf[:0], f), []byte{'e'})
	dst = append(dst, mantissa[:2]...)
	fraction := bytes.TrimRight(mantissa[2:], "0")
	if len(fraction) == 0 {
		fraction = []byte{'0'}
	}
	dst = append(append(dst, fraction...), 'E')
	n, _ := strconv.Atoi(string(exponent))
	return strconv.AppendInt(dst, int64(n), 10)
}

// roundHalfUp appends f with 16 significant digits, in the form of 'e', to dst,
// which is empty. strconv rounds a half to even; a half it is if f has 17 digits
// and no more, the last of them a 5.
func roundHalfUp(dst []byte, f float64) []byte {
	const last = len("1.2345678901234567") - 1
	longer := strconv.AppendFloat(dst, f, 'e', 16, 64)
	if longer[last] == '5' && parseExactly(longer).Cmp(big.NewFloat(f)) == 0 {
		longer[last] = '6'
		return parseExactly(longer).Append(nil, 'e', 15)
	}
	return strconv.AppendFloat(dst, f, 'e', 15, 64)
}

// parseExactly returns the number that a decimal of 17 digits stands for, with
// more precision than any double needs.
func parseExactly(decimal []byte) *big.Float {
	f, _, err := big.ParseFloat(string(decimal), 10, 2000, big.ToNearestEven)
	if err != nil {
		panic("jsonld: not a decimal: " + string(decimal)) // strconv made it
	}
	return f
}

// exact reports whether a number means the same to every reader: an integer
// that a double holds exactly, or a number with a fraction, which is as exact as
// a double can be. A number of 10^21 or more with a point or an exponent is a
// double to begin with.
func exact(text string) bool {
	if plainInteger(text) {
		return true
	}
	digits, exponent := significant(text)
	if digits == "" {
		return true
	}
	f := decimal.Double(text)
	f = math.Abs(f)
	if exponent < 0 {
		return f >= 1e21 || f != math.Trunc(f)
	}
	if f >= 1e21 && strings.ContainsAny(text, ".eE") {
		return true
	}
	whole := strconv.FormatFloat(f, 'f', 0, 64)
	return len(whole) == len(digits)+exponent && strings.TrimRight(whole, "0") == digits
}

// significant returns the digits of a number without zeros at either end, and the
// power of ten that they are multiplied by; no digits for zero.
func significant(text string) (digits string, exponent int) {
	text = strings.TrimPrefix(text, "-")
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		var err error
		if exponent, err = strconv.Atoi(strings.TrimPrefix(text[i+1:], "+")); err != nil {
			// Only zero, or what rounds to it, has an exponent beyond an int.
			exponent = math.MinInt32
		}
		text = text[:i]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	exponent -= len(fraction)
	n := len(digits)
	digits = strings.TrimRight(digits, "0")
	return digits, exponent + n - len(digits)
}
