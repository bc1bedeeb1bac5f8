package odrl

import (
	"cmp"
	"strconv"
	"strings"
)

// number is a finite decimal number, exactly: 0.DIGITS × 10^exp. The zero
// number is 0.
type number struct {
	digits string // without leading and trailing zeros; "" is 0
	exp    int
	neg    bool
}

// maxExponent bounds exponents, so that adding to one cannot overflow. No
// double reaches it.
const maxExponent = 1 << 20

// parseNumber reads a decimal number with an optional exponent: the lexical
// forms of xsd:decimal, of its integers, of a finite xsd:double, and JSON's.
func parseNumber(s string) (n number, ok bool) {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		n.neg = s[0] == '-'
		s = s[1:]
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		e, err := strconv.Atoi(s[i+1:])
		if err != nil || e > maxExponent || e < -maxExponent {
			return number{}, false
		}
		n.exp = e
		s = s[:i]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	if whole == "" && fraction == "" || len(s) > maxExponent {
		return number{}, false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < '0' || c > '9') && (c != '.' || i != len(whole)) {
			return number{}, false
		}
	}
	n.exp += len(whole)
	digits := whole
	if fraction != "" {
		digits += fraction
	}
	trimmed := strings.TrimLeft(digits, "0")
	n.exp -= len(digits) - len(trimmed)
	n.digits = strings.TrimRight(trimmed, "0")
	if n.digits == "" {
		return number{}, true
	}
	return n, true
}

// compare returns -1, 0 or 1.
func (n number) compare(m number) int {
	if n.digits == "" || m.digits == "" || n.neg != m.neg {
		return n.sign() - m.sign() // one is 0, or the signs differ
	}
	c := cmp.Or(cmp.Compare(n.exp, m.exp), strings.Compare(n.digits, m.digits))
	if n.neg {
		return -c
	}
	return c
}

func (n number) sign() int {
	switch {
	case n.digits == "":
		return 0
	case n.neg:
		return -1
	}
	return 1
}
