package xsd

import (
	"fmt"
	"math"

	"github.com/rdfproto/rdfproto/rdf"
)

// Value is a value of a datatype. Make one with [Parse]; compare two with
// [Compare], never with ==. A Value keeps the memory of the lexical form that
// it was parsed from. The zero Value is no value and incomparable to all.
type Value struct {
	// What the fields hold depends on the datatype:
	//
	//	strings, anyURI    text: the value
	//	hexBinary, base64  text: the lexical form
	//	boolean            n: 0 or 1
	//	decimal, integers  n: all digits without the point, scale: how many of
	//	                   them are the fraction, text: the digits without
	//	                   leading zeros and without the fraction's trailing
	//	                   ones; big: n does not hold them, text alone counts
	//	double, float      n: the bits of the float64
	//	dates and times    n: seconds on the time line as int64, text: the
	//	                   fraction's digits, year: the year's digits; big: n
	//	                   counts from the start of the year's cycle of 400
	//	durations          n: seconds, months: months, text: the fraction's
	//	                   digits; big: year is the lexical form
	text, year string
	n          uint64
	months     int64
	dt         Datatype
	scale      uint8
	neg        bool // the sign of a decimal, a year or a duration; never with 0
	big        bool
	zoned      bool // there is a time zone
	slow       bool // see Effort
}

// IllTypedError says that a lexical form does not belong to a datatype.
type IllTypedError struct {
	Datatype Datatype
	Lexical  string
}

// Error returns the lexical form, abbreviated, and the datatype.
func (e *IllTypedError) Error() string {
	if e.Datatype == Unknown || e.Datatype >= numDatatypes {
		return "the datatype is unknown"
	}
	return fmt.Sprintf("%q is not in the lexical space of %s", rdf.Abbreviate(e.Lexical), e.Datatype)
}

// Valid reports whether a lexical form belongs to a datatype (is not ill-typed,
// RDF 1.1 Concepts, section 5). Nothing is valid for Unknown.
func Valid(d Datatype, lexical string) bool {
	if d == Double || d == Float { // without rounding
		return isFloat(lexical)
	}
	_, ok := parse(d, lexical)
	return ok
}

// Parse returns the value that a lexical form denotes in a datatype. It fails
// with an [*IllTypedError] exactly when [Valid] is false.
func Parse(d Datatype, lexical string) (Value, error) {
	v, ok := parse(d, lexical)
	if !ok {
		return Value{}, &IllTypedError{d, lexical}
	}
	return v, nil
}

// parse returns the value of a lexical form, and whether the form belongs to the
// datatype; if not, the value means nothing.
func parse(d Datatype, s string) (Value, bool) {
	switch d.space() {
	case texts, anyURIs:
		return Value{dt: d, text: s}, validText(d, s)
	case booleans:
		return Value{dt: d, n: boolean(s)}, s == "true" || s == "false" || s == "1" || s == "0"
	case numbers:
		if d == Double || d == Float {
			return parseFloat(d, s)
		}
		return parseDecimal(d, s)
	case durations:
		return parseDuration(d, s)
	case hexBinaries:
		return Value{dt: d, text: s}, validHex(s)
	case base64Binaries:
		return Value{dt: d, text: s}, validBase64(s)
	case noSpace:
		return Value{}, false
	default:
		return parseTime(d, s)
	}
}

func boolean(s string) uint64 {
	if s == "true" || s == "1" {
		return 1
	}
	return 0
}

// Datatype returns the datatype that the value was parsed for.
func (v Value) Datatype() Datatype { return v.dt }

// Bool returns the value of a boolean, and false in ok for other datatypes.
func (v Value) Bool() (value, ok bool) { return v.n == 1, v.dt == Boolean }

// Int64 returns the value of a decimal or an integer, and false in ok when it
// has a fraction, does not fit, or the datatype is another.
func (v Value) Int64() (value int64, ok bool) {
	switch {
	case v.dt < Decimal || v.dt > NegativeInteger || v.big || v.scale != 0:
		return 0, false
	case v.neg && v.n <= 1<<63:
		return -int64(v.n), true
	case !v.neg && v.n <= math.MaxInt64:
		return int64(v.n), true
	}
	return 0, false
}

// HasTimezone reports whether a value of a datatype of dates and times has a
// time zone.
func (v Value) HasTimezone() bool { return v.zoned }
