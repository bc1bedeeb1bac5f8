package odrl

import (
	"fmt"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/rdf/xsd"
)

// Value is a value of an attribute of a [Request]. The zero Value is the empty
// text. Values are immutable.
type Value struct {
	text string
	kind valueKind
	num  number     // of numberKind
	at   *xsd.Value // of an instant that was parsed before
	// datatype is that of the literal that the value was made from, isIRI for an IRI,
	// and "" for neither. Nothing is compared by it.
	datatype string
}

// isIRI stands in the place of a datatype for a value that was made from an IRI.
const isIRI = "@id"

// ValueKind is what a [Value] was made from.
type ValueKind string

// The kinds of values.
const (
	KindText    ValueKind = "text" // compared as a constraint demands
	KindIRI     ValueKind = "iri"  // likewise
	KindNumber  ValueKind = "number"
	KindBoolean ValueKind = "boolean"
	KindInstant ValueKind = "instant"
	KindNone    ValueKind = "none" // a blank node, comparable to nothing
)

// Kind returns what the value was made from, for a record.
func (v Value) Kind() ValueKind {
	switch {
	case v.at != nil:
		return KindInstant
	case v.datatype == isIRI:
		return KindIRI
	case v.kind == numberKind:
		return KindNumber
	case v.kind == booleanKind && v.text != "true" && v.text != "false":
		return KindNone
	case v.kind == booleanKind:
		return KindBoolean
	}
	return KindText
}

// Datatype returns the datatype of the literal that the value was made from, or "".
func (v Value) Datatype() string {
	if v.datatype == isIRI {
		return ""
	}
	return v.datatype
}

type valueKind uint8

const (
	textKind    valueKind = iota
	numberKind            // text is its decimal form
	booleanKind           // no operand; only fulfilled:... takes it
)

// Text returns a value that is a text: an IRI, a date and time, a duration, a
// word. It is compared as the constraint that asks for it demands.
func Text(s string) Value { return Value{text: s} }

// Number returns a value that is a number, from its decimal form ("3", "-0.5",
// "1e3"). It fails when s is not one.
func Number(s string) (Value, error) {
	n, ok := parseNumber(s)
	if !ok {
		return Value{}, fmt.Errorf("%q is not a decimal number", rdf.Abbreviate(s))
	}
	return Value{text: s, kind: numberKind, num: n}, nil
}

// Integer returns a value that is a number.
func Integer(n int64) Value {
	text := fmt.Sprint(n)
	num, _ := parseNumber(text)
	return Value{text: text, kind: numberKind, num: num}
}

// Boolean returns a value that says whether a duty was fulfilled. A constraint that
// compares it is unknown.
func Boolean(b bool) Value { return Value{text: fmt.Sprint(b), kind: booleanKind} }

// Instant returns a value that is a point in time.
func Instant(t time.Time) Value {
	text := instantText(t)
	at := instantOf(xsd.DateTime, text)
	return Value{text: text, at: &at, datatype: vocab.XSDDateTime}
}

// TermValue returns the value that an RDF term says: the number of a literal of
// a numeric datatype, otherwise the IRI or the lexical form. A blank node is no
// value and comparable to nothing.
func TermValue(t rdf.Term) Value {
	switch {
	case t.Kind() == rdf.KindLiteral:
		if n, ok := literalNumber(t); ok {
			return Value{text: t.Value(), kind: numberKind, num: n, datatype: t.Datatype()}
		}
		return Value{text: t.Value(), datatype: t.Datatype()}
	case t.Kind() == rdf.KindIRI:
		return Value{text: t.Value(), datatype: isIRI}
	}
	return Value{text: t.String(), kind: booleanKind}
}

// String returns the value as it is shown in a trace.
func (v Value) String() string { return v.text }

// instantText writes an instant as xsd:dateTimeStamp, in UTC.
func instantText(t time.Time) string {
	return t.UTC().Format("2006-01-02T15:04:05.999999999Z07:00")
}

// literalNumber returns the number that a literal of a numeric datatype
// denotes, if it is well-typed and finite.
func literalNumber(t rdf.Term) (number, bool) {
	d, ok := xsd.Lookup(t.Datatype())
	if !ok || !isNumeric(d) || !xsd.Valid(d, t.Value()) {
		return number{}, false
	}
	return parseNumber(t.Value())
}

func isNumeric(d xsd.Datatype) bool {
	return d >= xsd.Decimal && d <= xsd.NegativeInteger || d == xsd.Double || d == xsd.Float
}

// operandClass is how a right operand compares.
type operandClass uint8

const (
	unusableOperand operandClass = iota // no value: a blank node, or ill-typed
	textOperand                         // an IRI or a string: by its text
	numberOperand
	instantOperand
	durationOperand
	otherOperand // of a datatype without an order here: equal when the text is
)

// operand is a right operand, parsed.
type operand struct {
	class   operandClass
	text    string
	num     number    // of a number, and of a text that is one
	numeric bool      // of a text: it is one
	time    xsd.Value // an instant or a duration
	term    rdf.Term
}

// newOperand parses a right operand. Whether it can be used at all is known now,
// whether it fits a value only when there is one.
func newOperand(t rdf.Term, class valueClass) operand {
	o := readOperand(t, class)
	if o.class == textOperand {
		o.num, o.numeric = parseNumber(o.text)
	}
	return o
}

func readOperand(t rdf.Term, class valueClass) operand {
	o := operand{text: t.Value(), term: t}
	if t.Kind() == rdf.KindIRI {
		if class == plainValue {
			o.class = textOperand
		}
		return o
	}
	if t.Kind() != rdf.KindLiteral {
		return o
	}
	d, known := xsd.Lookup(t.Datatype())
	switch {
	case t.Lang() != "":
		if class == plainValue {
			o.class = textOperand
		}
	case d == xsd.DateTime || d == xsd.DateTimeStamp || d == xsd.Date || class == instantValue && d == xsd.String:
		if class != durationValue {
			o.setTime(instantOperand, instantOf(d, o.text))
		}
	case d == xsd.Duration || d == xsd.YearMonthDuration || d == xsd.DayTimeDuration:
		if class != instantValue {
			o.setTime(durationOperand, parsed(d, o.text))
		}
	case class != plainValue:
	case isNumeric(d):
		if n, ok := literalNumber(t); ok {
			o.class, o.num = numberOperand, n
		}
	case d >= xsd.String && d <= xsd.NMTOKEN || d == xsd.AnyURI:
		if xsd.Valid(d, o.text) {
			o.class = textOperand
		}
	case !known || xsd.Valid(d, o.text):
		o.class = otherOperand
	}
	return o
}

func (o *operand) setTime(class operandClass, v xsd.Value) {
	if v.Datatype() != xsd.Unknown {
		o.class, o.time = class, v
	}
}

// longestTime is how long the text of an instant or a duration may be. Real ones have
// forty bytes at most; years and seconds of thousands of digits take long to compare.
const longestTime = 64

// parsed returns the value of a lexical form, the zero Value if it is ill-typed or too
// long.
func parsed(d xsd.Datatype, s string) xsd.Value {
	if len(s) > longestTime {
		return xsd.Value{}
	}
	v, err := xsd.Parse(d, s)
	if err != nil {
		return xsd.Value{}
	}
	return v
}

// instantOf returns the instant that a dateTime with a time zone or a date names: for
// a date the start of its day, in UTC when it names no zone. A string is read as
// either. Everything else gives the zero Value.
func instantOf(d xsd.Datatype, s string) xsd.Value {
	if d == xsd.String {
		if strings.ContainsRune(s, 'T') {
			d = xsd.DateTime
		} else {
			d = xsd.Date
		}
	}
	v := parsed(d, s)
	switch {
	case v.Datatype() == xsd.Unknown:
		return xsd.Value{}
	case d == xsd.Date:
		zone := "Z"
		if v.HasTimezone() {
			n := len("Z")
			if s[len(s)-1] != 'Z' {
				n = len("+00:00")
			}
			s, zone = s[:len(s)-n], s[len(s)-n:]
		}
		return parsed(xsd.DateTime, s+"T00:00:00"+zone)
	case !v.HasTimezone():
		return xsd.Value{}
	case d == xsd.DateTimeStamp:
		return parsed(xsd.DateTime, s)
	}
	return v
}

// comparand is a value of a request that is compared with right operands. It is parsed
// as a number or a time once, however many operands there are.
type comparand struct {
	Value
	number   parsedNumber
	instant  parsedTime
	duration parsedTime
}

type parsedNumber struct {
	tried, ok bool
	value     number
}

type parsedTime struct {
	tried bool
	value xsd.Value
}

// asNumber returns the number that the value is.
func (c *comparand) asNumber() (number, bool) {
	if c.kind == numberKind {
		return c.num, true
	}
	if n := &c.number; !n.tried {
		n.tried = true
		n.value, n.ok = parseNumber(c.text)
	}
	return c.number.value, c.number.ok
}

// asTime returns the instant or duration that the value is, the zero Value for none.
func (c *comparand) asTime(class operandClass) xsd.Value {
	t := &c.instant
	if class == durationOperand {
		t = &c.duration
	}
	switch {
	case t.tried:
	case class == durationOperand:
		t.value = parsed(xsd.Duration, c.text)
	case c.at != nil:
		t.value = *c.at
	default:
		t.value = instantOf(xsd.String, c.text)
	}
	t.tried = true
	return t.value
}

// compare compares a value with a right operand (7.5). With ok it returns their
// order, where Incomparable means that they differ and have none; without ok nothing
// is known about them.
func (o *operand) compare(v *comparand) (order xsd.Order, ok bool) {
	if v.kind == booleanKind {
		return xsd.Incomparable, false
	}
	switch o.class {
	case instantOperand, durationOperand:
		if v.kind != textKind {
			return xsd.Incomparable, false
		}
		order = xsd.Compare(v.asTime(o.class), o.time)
		return order, order != xsd.Incomparable
	case numberOperand:
		n, ok := v.asNumber()
		return orderOf(n.compare(o.num)), ok
	case textOperand:
		if v.kind == numberKind { // equal to a text that reads as the same number
			return orderOf(v.num.compare(o.num)), o.numeric
		}
		if v.text == o.text {
			return xsd.Equal, true
		}
		// Two spellings of one number are one number or two texts: nobody knows.
		n, ok := number{}, false
		if o.numeric {
			n, ok = v.asNumber()
		}
		return xsd.Incomparable, !ok || n.compare(o.num) != 0
	case otherOperand:
		// A different text may still be the same value.
		if v.kind == textKind && v.text == o.text {
			return xsd.Equal, true
		}
	}
	return xsd.Incomparable, false
}

func orderOf(c int) xsd.Order {
	switch {
	case c < 0:
		return xsd.Less
	case c > 0:
		return xsd.Greater
	}
	return xsd.Equal
}

// equals returns whether a value equals a right operand.
func (o *operand) equals(v *comparand) State {
	order, ok := o.compare(v)
	if !ok {
		return Unknown
	}
	return stateOf(order == xsd.Equal)
}

// String returns the right operand for a trace.
func (o *operand) String() string { return shortTerm(o.term) }
