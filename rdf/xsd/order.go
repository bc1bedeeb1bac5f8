package xsd

import (
	"cmp"
	"strings"
)

// Order is how two values stand to each other. The zero Order is Incomparable,
// so that what was never compared satisfies nothing.
type Order uint8

// The orders of two values.
const (
	Incomparable Order = iota // neither of the others; every test of < <= > >= fails
	Less
	Equal
	Greater
)

// String returns the name of the order in lower case.
func (o Order) String() string {
	switch o {
	case Less:
		return "less"
	case Equal:
		return "equal"
	case Greater:
		return "greater"
	}
	return "incomparable"
}

// Less reports whether the first value is less than the second.
func (o Order) Less() bool { return o == Less }

// LessOrEqual reports whether the first value is less than the second or equal
// to it.
func (o Order) LessOrEqual() bool { return o == Less || o == Equal }

// Greater reports whether the first value is greater than the second.
func (o Order) Greater() bool { return o == Greater }

// GreaterOrEqual reports whether the first value is greater than the second or
// equal to it.
func (o Order) GreaterOrEqual() bool { return o == Greater || o == Equal }

func (o Order) reverse() Order {
	switch o {
	case Less:
		return Greater
	case Greater:
		return Less
	}
	return o
}

func order(c int) Order { return Order(int(Equal) + c) }

// Compare returns how a stands to b. The rules are those in the package
// comment; by datatype:
//
//   - numbers by value, NaN incomparable to everything, itself included;
//   - strings by code point, false before true;
//   - dates and times within the same primitive datatype by the time line of
//     XSD 1.1 (part 2, appendix E.3.4), incomparable when a missing time zone
//     leaves it open;
//   - durations by XSD 1.1 (part 2, section 3.3.6.1), incomparable when it
//     depends on the month that they begin in;
//   - hexBinary, base64Binary and anyURI equal or incomparable.
//
// Everything else is incomparable.
func Compare(a, b Value) Order {
	s := a.dt.space()
	if s != b.dt.space() {
		return Incomparable
	}
	switch s {
	case texts:
		return order(strings.Compare(a.text, b.text))
	case booleans:
		return order(cmp.Compare(a.n, b.n))
	case numbers:
		return compareNumbers(&a, &b)
	case durations:
		return compareDurations(&a, &b)
	case hexBinaries:
		return equalOnly(equalHex(a.text, b.text))
	case base64Binaries:
		return equalOnly(equalBase64(a.text, b.text))
	case anyURIs:
		return equalOnly(a.text == b.text)
	case noSpace:
		return Incomparable
	default:
		return compareTimes(&a, &b)
	}
}

// Effort returns about how many times as long as with other values it takes to parse two
// values and to compare them once, for a caller who counts what is done: 1, or more where
// a float or double, or a decimal that is compared with one, has to be rounded digit by
// digit, and for a duration that fits no machine word. A text of a few dozen bytes is
// enough for these. What the length of a longer one adds is not part of it, except for
// durations: each byte of one that fits no machine word is worked on a dozen times.
func Effort(a, b Value) int {
	if !a.slow && !b.slow {
		return 1
	}
	return max(a.effort(b.dt), b.effort(a.dt))
}

// effort is that of one value which is compared with one of a datatype.
func (v *Value) effort(with Datatype) int {
	const slow, bytes = 16, 8
	switch {
	case !v.takesLong(with):
		return 1
	case v.dt.space() == durations:
		return max(slow, len(v.year)/bytes)
	}
	return slow
}

// takesLong reports whether a value takes long to compare with one of a datatype.
func (v *Value) takesLong(with Datatype) bool {
	isDecimal := Decimal <= v.dt && v.dt < Double
	return v.slow && (!isDecimal || with == Double || with == Float)
}

func equalOnly(equal bool) Order {
	if equal {
		return Equal
	}
	return Incomparable
}
