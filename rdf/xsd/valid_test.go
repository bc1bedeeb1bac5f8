package xsd_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/rdf/xsd"
)

// lexical lists, for each datatype, lexical forms that belong to it and some
// that do not.
var lexical = []struct {
	dt      xsd.Datatype
	valid   []string
	invalid []string
}{
	{
		xsd.String,
		[]string{"", " a\tb\r\n", "\x01\x7f", "\u0085\ufffd\U0010ffff"},
		[]string{"\x00", "a\x00", "\xff", "a\xc3", "\ufffe", "\uffff", "\xed\xa0\x80"},
	},
	{
		xsd.NormalizedString,
		[]string{"", " a  b ", "\u00a0\u2028"},
		[]string{"\t", "a\nb", "a\r", "\x00"},
	},
	{
		xsd.Token,
		[]string{"", "a", "a b c", "\u00a0a"},
		[]string{" ", " a", "a ", "a  b", "a\tb", "\xff"},
	},
	{
		xsd.Language,
		[]string{"en", "EN-us", "de-CH-1996", "abcdefgh-12345678", "i-klingon"},
		[]string{"", "en-", "-en", "en--us", "abcdefghi", "en-123456789", "1en", "e1", "en us", "en_US", " en", "é"},
	},
	{
		xsd.Name,
		[]string{"a", ":", "a:b", "_x-1.y", "é", "a\u00b7", "\U00010000"},
		[]string{"", "1a", "-a", ".a", "a b", "a\u00d7", "\u00b7", "a/b", "a\xff", " a"},
	},
	{
		xsd.NCName,
		[]string{"a", "_x-1.y", "é\u0300\u203f\u2040"},
		[]string{"", ":", "a:b", "1a", "-a", "\u0300", "a\u037e"},
	},
	{
		xsd.NMTOKEN,
		[]string{"a", "1a", "-.:", "\u0300"},
		[]string{"", "a b", "a,b", "\xff", "\u2041"},
	},
	{
		xsd.Boolean,
		[]string{"true", "false", "1", "0"},
		[]string{"", "TRUE", "True", "yes", "01", " true", "t", "none"},
	},
	{
		xsd.Decimal,
		[]string{"0", "-0", "+1", "1.", ".5", "-.5", "00012.34000", strings.Repeat("9", 5000) + "." + strings.Repeat("1", 5000)},
		[]string{"", ".", "+", "-", "-.", "1e5", "1E5", "INF", "NaN", "1.2.3", "1,5", " 1", "1 ", "1_000", "0x1", "١", "--1", "+-1", "1-"},
	},
	{
		xsd.Integer,
		[]string{"0", "-0", "+0", "007", "-12", strings.Repeat("9", 5000)},
		[]string{"", "+", "1.0", "1.", ".5", "1e0", " 1", "1\n", "aldi", "٣"},
	},
	{xsd.Long, []string{"9223372036854775807", "-9223372036854775808", "+0009223372036854775807"}, []string{"9223372036854775808", "-9223372036854775809", "99999999999999999999999"}},
	{xsd.Int, []string{"2147483647", "-2147483648"}, []string{"2147483648", "-2147483649", "1.0"}},
	{xsd.Short, []string{"32767", "-32768"}, []string{"32768", "-32769"}},
	{xsd.Byte, []string{"127", "-128", "+1"}, []string{"128", "-129", "300", "c"}},
	{xsd.UnsignedLong, []string{"0", "-0", "18446744073709551615"}, []string{"-1", "18446744073709551616"}},
	{xsd.UnsignedInt, []string{"4294967295"}, []string{"-1", "4294967296"}},
	{xsd.UnsignedShort, []string{"65535"}, []string{"-1", "65536"}},
	{xsd.UnsignedByte, []string{"255", "-000"}, []string{"-1", "256"}},
	{xsd.NonNegativeInteger, []string{"0", "-0", "1", strings.Repeat("9", 50)}, []string{"-1", "-" + strings.Repeat("9", 50)}},
	{xsd.PositiveInteger, []string{"1", "+1", strings.Repeat("9", 50)}, []string{"0", "-0", "-1", "-" + strings.Repeat("9", 50)}},
	{xsd.NonPositiveInteger, []string{"0", "+0", "-1", "-" + strings.Repeat("9", 50)}, []string{"1", strings.Repeat("9", 50)}},
	{xsd.NegativeInteger, []string{"-1", "-" + strings.Repeat("9", 50)}, []string{"0", "-0", "1", strings.Repeat("9", 50)}},
	{
		xsd.Double,
		[]string{"0", "-0", "1", "1.", ".5", "1e5", "1E+5", "-1.5E-5", "INF", "+INF", "-INF", "NaN", "1E999999999", "1E-999999999", "0E0"},
		[]string{"", ".", "e5", ".e5", "1e", "1e+", "1e1.5", "Infinity", "inf", "nan", "+NaN", "-NaN", "0x1p4", "1_0", " 1", "1f", "1e5 ", "1ee5", "--1", "1e--5"},
	},
	{xsd.Float, []string{"1", "3.4E38", "1E39", "INF", "+INF", "NaN"}, []string{"", "1.5f", "NAN", "1d"}},
	{
		xsd.DateTime,
		[]string{
			"2024-02-29T12:30:45", "2024-02-29T12:30:45Z", "2024-02-29T12:30:45.123456789012345678901234567890Z",
			"2024-12-31T24:00:00", "2024-12-31T24:00:00.000Z", "0000-01-01T00:00:00", "-0001-01-01T00:00:00Z", "-0000-02-29T00:00:00",
			"12345-01-01T00:00:00", "2024-01-01T00:00:00+14:00", "2024-01-01T00:00:00-14:00", "2024-01-01T00:00:00-00:00", "2024-01-01T00:00:00+13:59",
			strings.Repeat("9", 40) + "-12-31T23:59:59Z", "10000000000000000000000400-02-29T00:00:00Z",
		},
		[]string{
			"", "2024-02-30T00:00:00", "2023-02-29T00:00:00", "1900-02-29T00:00:00", "2024-04-31T00:00:00", "2024-13-01T00:00:00", "2024-00-01T00:00:00",
			"2024-01-00T00:00:00", "2024-01-32T00:00:00", "2024-01-01", "2011-01-01", "2024-01-01T", "2024-01-01T24:00:01", "2024-01-01T24:00:00.1", "2024-01-01T24:01:00",
			"2024-01-01T25:00:00", "2024-01-01T00:60:00", "2024-01-01T00:00:60", "2024-01-01T00:00", "2024-01-01T00:00:00.", "2024-01-01T00:00:00.Z",
			"2024-01-01 00:00:00", "2024-01-01t00:00:00", "2024-01-01T00:00:00z", "2024-01-01T00:00:00+14:01", "2024-01-01T00:00:00+15:00",
			"2024-01-01T00:00:00+1:00", "2024-01-01T00:00:00+0100", "2024-01-01T00:00:00+01", "2024-01-01T00:00:00+01:60", "2024-01-01T00:00:00Z ", " 2024-01-01T00:00:00Z",
			"024-01-01T00:00:00", "02024-01-01T00:00:00", "+2024-01-01T00:00:00", "--2024-01-01T00:00:00", "2024-1-01T00:00:00", "20240101T000000", "2024-01-01T00:00:00,5",
			"10000000000000000000000100-02-29T00:00:00Z", "２０２４-01-01T00:00:00",
		},
	},
	{xsd.DateTimeStamp, []string{"2024-02-29T12:30:45Z", "2024-02-29T12:30:45.5-05:00"}, []string{"2024-02-29T12:30:45", "2024-02-30T12:30:45Z", "2024-02-29"}},
	{
		xsd.Date,
		[]string{"2024-02-29", "2024-02-29Z", "2024-02-29-05:00", "0000-02-29", "-0004-02-29", "2000-02-29"},
		[]string{"", "2024-02-30", "2023-02-29", "-0001-02-29", "2100-02-29", "2024-2-9", "2024-02-29T00:00:00", "2024/02/29", "2024-02-29+24:00", "2024-02", "2024-02-29 "},
	},
	{xsd.Time, []string{"00:00:00", "23:59:59.999", "24:00:00", "24:00:00.0Z", "12:00:00+05:30"}, []string{"", "24:00:01", "12:00", "1:00:00", "12:00:60", "12:00:00.", "T12:00:00", "12:00:00 Z"}},
	{xsd.GYear, []string{"2024", "0000", "-0044", "12024Z", "2024-05:00"}, []string{"", "24", "02024", "2024-01", "+2024", "2024 "}},
	{xsd.GYearMonth, []string{"2024-01", "2024-12Z", "-0001-06+01:00"}, []string{"", "2024", "2024-13", "2024-00", "2024-1", "2024-01-01"}},
	{xsd.GMonth, []string{"--01", "--12", "--05Z", "--05-05:00"}, []string{"", "--13", "--00", "--1", "-05", "05", "--05--"}},
	{xsd.GMonthDay, []string{"--02-29", "--12-31", "--04-30Z"}, []string{"", "--02-30", "--04-31", "--13-01", "--01-00", "-01-01", "--0101"}},
	{xsd.GDay, []string{"---01", "---31", "---15Z", "---15+02:00"}, []string{"", "---32", "---00", "--01", "---1", "----1"}},
	{
		xsd.Duration,
		[]string{"P1Y", "P1M", "P1D", "PT1H", "PT1M", "PT1S", "PT0.5S", "P1Y2M3DT4H5M6.789S", "-P1Y", "P0Y", "-PT0S", "P1YT1S", "P99999999999999999999999999Y"},
		[]string{"", "P", "-P", "PT", "P1", "P1YT", "1Y", "+P1Y", "P-1Y", "P1S", "PT1D", "PT1Y", "P1M1Y", "PT1S1M", "P1Y1Y", "PT.5S", "PT1.S", "PT1.5M", "P1.5Y", "P1D1H", "PT1HT1M", "P1W", " P1Y", "p1y", "P1YM", "PYM"},
	},
	{xsd.YearMonthDuration, []string{"P1Y", "P14M", "-P1Y2M"}, []string{"", "P", "P1D", "PT1S", "P1YT1S", "P1Y1D"}},
	{xsd.DayTimeDuration, []string{"P1D", "PT36H", "-P1DT0.1S"}, []string{"", "P", "P1Y", "P1M", "P1MT1M", "P0Y1D"}},
	{xsd.HexBinary, []string{"", "00", "0fB7"}, []string{"0", "0g", "0x00", " 00", "00 ", "é0"}},
	{
		xsd.Base64Binary,
		[]string{"", "AAAA", "AAA=", "AA==", "AQ==", "AAE=", "A A A A", "AA = =", "+/+/", "Zm9v YmFy"},
		[]string{"A", "AA", "AAA", "A===", "====", "AB==", "AAB=", "AA=A", "AA==AAAA", " AAAA", "AAAA ", "A  AAA", "A\nAAA", "AA-_", "=AAA", "AAAA="},
	},
	{xsd.AnyURI, []string{"", "http://example.org/", "a b", "é", "%zz", "::"}, []string{"\x00", "\xff", "\uffff"}},
}

func TestValid(t *testing.T) {
	t.Parallel()
	seen := map[xsd.Datatype]bool{}
	for _, row := range lexical {
		seen[row.dt] = true
		for _, s := range row.valid {
			assert.Truef(t, xsd.Valid(row.dt, s), "%s: %q is valid", row.dt, s)
			_, err := xsd.Parse(row.dt, s)
			assert.NoErrorf(t, err, "%s: %q", row.dt, s)
		}
		for _, s := range row.invalid {
			assert.Falsef(t, xsd.Valid(row.dt, s), "%s: %q is ill-typed", row.dt, s)
			v, err := xsd.Parse(row.dt, s)
			assert.Errorf(t, err, "%s: %q", row.dt, s)
			assert.Equal(t, xsd.Value{}, v)
		}
	}
	for dt := xsd.String; dt <= xsd.AnyURI; dt++ {
		assert.Truef(t, seen[dt], "%s has a row", dt)
	}
}

func TestIllTypedError(t *testing.T) {
	t.Parallel()
	_, err := xsd.Parse(xsd.Date, "2024-02-30")
	var ill *xsd.IllTypedError
	require.ErrorAs(t, err, &ill)
	assert.Equal(t, &xsd.IllTypedError{Datatype: xsd.Date, Lexical: "2024-02-30"}, ill)
	assert.EqualError(t, err, `"2024-02-30" is not in the lexical space of xsd:date`)

	_, err = xsd.Parse(xsd.Integer, strings.Repeat("x", 1<<20))
	assert.Less(t, len(err.Error()), 200)

	_, err = xsd.Parse(xsd.Unknown, "x")
	assert.EqualError(t, err, "the datatype is unknown")
	_, err = xsd.Parse(200, "x")
	assert.EqualError(t, err, "the datatype is unknown")
}

func TestLookup(t *testing.T) {
	t.Parallel()
	for _, iri := range []string{
		vocab.XSDString, vocab.XSDBoolean, vocab.XSDDecimal, vocab.XSDInteger, vocab.XSDDouble, vocab.XSDFloat, vocab.XSDDate, vocab.XSDTime,
		vocab.XSDDateTime, vocab.XSDDateTimeStamp, vocab.XSDGYear, vocab.XSDGMonth, vocab.XSDGDay, vocab.XSDGYearMonth, vocab.XSDGMonthDay,
		vocab.XSDDuration, vocab.XSDYearMonthDuration, vocab.XSDDayTimeDuration, vocab.XSDByte, vocab.XSDShort, vocab.XSDInt, vocab.XSDLong,
		vocab.XSDUnsignedByte, vocab.XSDUnsignedShort, vocab.XSDUnsignedInt, vocab.XSDUnsignedLong, vocab.XSDPositiveInteger,
		vocab.XSDNonNegativeInteger, vocab.XSDNegativeInteger, vocab.XSDNonPositiveInteger, vocab.XSDHexBinary, vocab.XSDBase64Binary,
		vocab.XSDAnyURI, vocab.XSDLanguage, vocab.XSDNormalizedString, vocab.XSDToken, vocab.XSDNMTOKEN, vocab.XSDName, vocab.XSDNCName,
	} {
		dt, ok := xsd.Lookup(iri)
		assert.True(t, ok, iri)
		assert.Equal(t, iri, dt.IRI())
		assert.Equal(t, "xsd:"+strings.TrimPrefix(iri, vocab.XSD), dt.String())
	}
	for _, iri := range []string{"", vocab.XSD, vocab.XSD + "QName", vocab.XSD + "Integer", vocab.XSDInteger + " ", "integer", vocab.RDFLangString, vocab.RDFHTML, vocab.RDFXMLLiteral, vocab.RDFJSON, vocab.XSD + "anyType"} {
		dt, ok := xsd.Lookup(iri)
		assert.False(t, ok, iri)
		assert.Equal(t, xsd.Unknown, dt)
		assert.Empty(t, dt.IRI())
	}
	assert.False(t, xsd.Valid(xsd.Unknown, ""))
}

func TestValueAccessors(t *testing.T) {
	t.Parallel()
	ints := []struct {
		dt   xsd.Datatype
		s    string
		want int64
		ok   bool
	}{
		{xsd.Integer, "42", 42, true},
		{xsd.Integer, "-0", 0, true},
		{xsd.Decimal, "42.00", 42, true},
		{xsd.Decimal, "42.5", 0, false},
		{xsd.Long, "-9223372036854775808", -9223372036854775808, true},
		{xsd.Integer, "-9223372036854775809", 0, false},
		{xsd.Integer, "9223372036854775807", 9223372036854775807, true},
		{xsd.Integer, "9223372036854775808", 0, false},
		{xsd.Integer, strings.Repeat("9", 30), 0, false},
		{xsd.Double, "1", 0, false},
		{xsd.Boolean, "1", 0, false},
		{xsd.GYear, "2024", 0, false},
	}
	for _, row := range ints {
		v, err := xsd.Parse(row.dt, row.s)
		require.NoError(t, err)
		n, ok := v.Int64()
		assert.Equal(t, row.ok, ok, row.s)
		assert.Equal(t, row.want, n, row.s)
		assert.Equal(t, row.dt, v.Datatype())
	}
	for s, want := range map[string]bool{"true": true, "1": true, "false": false, "0": false} {
		v, _ := xsd.Parse(xsd.Boolean, s)
		b, ok := v.Bool()
		assert.True(t, ok)
		assert.Equal(t, want, b)
	}
	v, _ := xsd.Parse(xsd.Integer, "1")
	_, ok := v.Bool()
	assert.False(t, ok)
	v, _ = xsd.Parse(xsd.Date, "2024-01-01Z")
	assert.True(t, v.HasTimezone())
	v, _ = xsd.Parse(xsd.Date, "2024-01-01")
	assert.False(t, v.HasTimezone())
}
