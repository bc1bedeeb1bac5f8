package xsd

import (
	"strings"

	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// Datatype is one of the XSD datatypes of RDF 1.1. The zero Datatype is
// Unknown.
type Datatype uint8

// The datatypes (RDF 1.1 Concepts, section 5.1).
const (
	Unknown Datatype = iota

	String
	NormalizedString
	Token
	Language
	Name
	NCName
	NMTOKEN

	Boolean

	Decimal
	Integer
	Long
	Int
	Short
	Byte
	NonNegativeInteger
	PositiveInteger
	UnsignedLong
	UnsignedInt
	UnsignedShort
	UnsignedByte
	NonPositiveInteger
	NegativeInteger

	Double
	Float

	DateTime
	DateTimeStamp
	Date
	Time
	GYear
	GYearMonth
	GMonth
	GMonthDay
	GDay

	Duration
	YearMonthDuration
	DayTimeDuration

	HexBinary
	Base64Binary
	AnyURI

	numDatatypes
)

// names holds the local names, by Datatype.
var names = [numDatatypes]string{
	String: "string", NormalizedString: "normalizedString", Token: "token", Language: "language",
	Name: "Name", NCName: "NCName", NMTOKEN: "NMTOKEN",
	Boolean: "boolean",
	Decimal: "decimal", Integer: "integer", Long: "long", Int: "int", Short: "short", Byte: "byte",
	NonNegativeInteger: "nonNegativeInteger", PositiveInteger: "positiveInteger",
	UnsignedLong: "unsignedLong", UnsignedInt: "unsignedInt", UnsignedShort: "unsignedShort", UnsignedByte: "unsignedByte",
	NonPositiveInteger: "nonPositiveInteger", NegativeInteger: "negativeInteger",
	Double: "double", Float: "float",
	DateTime: "dateTime", DateTimeStamp: "dateTimeStamp", Date: "date", Time: "time",
	GYear: "gYear", GYearMonth: "gYearMonth", GMonth: "gMonth", GMonthDay: "gMonthDay", GDay: "gDay",
	Duration: "duration", YearMonthDuration: "yearMonthDuration", DayTimeDuration: "dayTimeDuration",
	HexBinary: "hexBinary", Base64Binary: "base64Binary", AnyURI: "anyURI",
}

// Lookup returns the datatype that an IRI names. It returns false for every
// other IRI: the lexical forms of such a datatype are neither valid nor invalid
// here.
func Lookup(iri string) (Datatype, bool) {
	local, ok := strings.CutPrefix(iri, vocab.XSD)
	if !ok || local == "" {
		return Unknown, false
	}
	for d, name := range names {
		if name == local {
			return Datatype(d), true
		}
	}
	return Unknown, false
}

// IRI returns the datatype's IRI, "" for Unknown.
func (d Datatype) IRI() string {
	if d == Unknown || d >= numDatatypes {
		return ""
	}
	return vocab.XSD + names[d]
}

// String returns the datatype's name with the usual prefix: "xsd:integer".
func (d Datatype) String() string {
	if d == Unknown || d >= numDatatypes {
		return "unknown datatype"
	}
	return "xsd:" + names[d]
}

// space is a set of values that have an order among themselves.
type space uint8

const (
	noSpace space = iota
	texts
	booleans
	numbers
	dateTimes
	dates
	times
	gYears
	gYearMonths
	gMonths
	gMonthDays
	gDays
	durations
	hexBinaries
	base64Binaries
	anyURIs
)

// space returns the set within which values of a datatype are ordered.
func (d Datatype) space() space {
	switch {
	case String <= d && d <= NMTOKEN:
		return texts
	case d == Boolean:
		return booleans
	case Decimal <= d && d <= Float:
		return numbers
	case d == DateTime || d == DateTimeStamp:
		return dateTimes
	case Date <= d && d <= GDay:
		return dates + space(d-Date)
	case Duration <= d && d <= DayTimeDuration:
		return durations
	case HexBinary <= d && d <= AnyURI:
		return hexBinaries + space(d-HexBinary)
	}
	return noSpace
}
