package xsd_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf/xsd"
)

func value(t testing.TB, dt xsd.Datatype, s string) xsd.Value {
	t.Helper()
	v, err := xsd.Parse(dt, s)
	require.NoErrorf(t, err, "%s %q", dt, s)
	return v
}

// reversed is the order of b to a when o is that of a to b.
func reversed(o xsd.Order) xsd.Order {
	switch o {
	case xsd.Less:
		return xsd.Greater
	case xsd.Greater:
		return xsd.Less
	}
	return o
}

// compare compares in both directions.
func compare(t testing.TB, a, b xsd.Value, label string) xsd.Order {
	t.Helper()
	o := xsd.Compare(a, b)
	require.Equal(t, reversed(o), xsd.Compare(b, a), "both directions agree: "+label)
	return o
}

func TestCompare(t *testing.T) {
	t.Parallel()
	const (
		less, equal, greater, incomparable = xsd.Less, xsd.Equal, xsd.Greater, xsd.Incomparable
	)
	nines := strings.Repeat("9", 400)
	for _, row := range []struct {
		name string
		aDT  xsd.Datatype
		a    string
		want xsd.Order
		bDT  xsd.Datatype
		b    string
	}{
		{"integers", xsd.Integer, "7", less, xsd.Integer, "8"},
		{"integers, more digits", xsd.Integer, "10", greater, xsd.Integer, "9"},
		{"negative integers", xsd.Integer, "-10", less, xsd.Integer, "-9"},
		{"signs", xsd.Integer, "-1", less, xsd.Integer, "1"},
		{"zeros", xsd.Integer, "-0", equal, xsd.Integer, "+000"},
		{"leading zeros", xsd.Integer, "007", equal, xsd.Byte, "7"},
		{"derived integers", xsd.UnsignedLong, "18446744073709551615", greater, xsd.Long, "9223372036854775807"},
		{"integers of any size", xsd.Integer, nines, less, xsd.Integer, nines + "0"},
		{"integers of any size, last digit", xsd.Integer, nines + "1", less, xsd.Integer, nines + "2"},
		{"integers of any size, negative", xsd.Integer, "-" + nines + "1", greater, xsd.Integer, "-" + nines + "2"},
		{"integers of any size, equal", xsd.Integer, "000" + nines, equal, xsd.PositiveInteger, "+" + nines},
		{"small and large", xsd.Integer, "18446744073709551615", less, xsd.Integer, "18446744073709551616"},
		{"decimals", xsd.Decimal, "2.5", less, xsd.Integer, "3"},
		{"decimals, trailing zeros", xsd.Decimal, "2.500", equal, xsd.Decimal, "2.5"},
		{"decimals, whole", xsd.Decimal, "2.0", equal, xsd.Integer, "2"},
		{"decimals, point alone", xsd.Decimal, "2.", equal, xsd.Decimal, "+2"},
		{"decimals, no whole", xsd.Decimal, ".5", equal, xsd.Decimal, "0.50"},
		{"decimals, different scales", xsd.Decimal, "0.0000000000000000001", less, xsd.Decimal, "18446744073709551615"},
		{"decimals, many digits", xsd.Decimal, "0." + strings.Repeat("0", 50) + "1", less, xsd.Decimal, "0." + strings.Repeat("0", 49) + "1"},
		{"decimals, many digits, prefix", xsd.Decimal, "1.00000000000000000000000001", greater, xsd.Decimal, "1"},
		{"decimals, negative fraction", xsd.Decimal, "-1.00000000000000000000000001", less, xsd.Integer, "-1"},
		{"decimals, twenty digits", xsd.Decimal, "9999999999.9999999999", less, xsd.Integer, "10000000000"},

		{"doubles", xsd.Double, "1e2", equal, xsd.Double, "100"},
		{"double and float", xsd.Double, "0.5", equal, xsd.Float, "5E-1"},
		{"double and float that rounded", xsd.Double, "0.1", less, xsd.Float, "0.1"},
		{"double zeros", xsd.Double, "-0", equal, xsd.Double, "0"},
		{"infinity", xsd.Double, "INF", greater, xsd.Integer, nines},
		{"negative infinity", xsd.Float, "-INF", less, xsd.Integer, "-" + nines},
		{"infinities", xsd.Float, "INF", equal, xsd.Double, "+INF"},
		{"overflow is infinity", xsd.Double, "1E999999999999999999", equal, xsd.Double, "INF"},
		{"underflow is zero", xsd.Double, "1E-999999999999999999", equal, xsd.Integer, "0"},
		{"float overflow", xsd.Float, "3.5E38", equal, xsd.Float, "INF"},
		{"not a number", xsd.Double, "NaN", incomparable, xsd.Double, "NaN"},
		{"not a number and infinity", xsd.Float, "NaN", incomparable, xsd.Double, "INF"},
		{"not a number and integer", xsd.Double, "NaN", incomparable, xsd.Integer, "1"},

		{"decimal and double, rounded as XPath does", xsd.Decimal, "0.1", equal, xsd.Double, "0.1"},
		{"decimal and float, rounded as XPath does", xsd.Decimal, "0.1", equal, xsd.Float, "0.1"},
		{"decimal and double", xsd.Decimal, "0.1", less, xsd.Double, "0.2"},
		{"negative decimal and double", xsd.Decimal, "-0.1", greater, xsd.Double, "-0.2"},
		{"long decimal and double", xsd.Decimal, "0." + strings.Repeat("3", 5000), equal, xsd.Double, "0.33333333333333333333"},
		{"integer and double", xsd.Integer, "1", equal, xsd.Double, "1.0E0"},
		{"integer and double with a fraction", xsd.Integer, "1", less, xsd.Double, "1.5"},
		{"negative integer and double with a fraction", xsd.Integer, "-1", greater, xsd.Double, "-1.5"},
		{"integer exactly against a double", xsd.Integer, "9007199254740993", greater, xsd.Double, "9007199254740992"},
		{"negative integer exactly against a double", xsd.Integer, "-9007199254740993", less, xsd.Double, "-9007199254740992"},
		{"whole decimal exactly against a double", xsd.Decimal, "9007199254740993.00", greater, xsd.Double, "9007199254740992"},
		{"largest long and a double", xsd.Long, "9223372036854775807", less, xsd.Double, "9223372036854775808"},
		{"largest unsigned long and a double", xsd.UnsignedLong, "18446744073709551615", less, xsd.Double, "18446744073709551616"},
		{"large integer equal to a double", xsd.Integer, "18446744073709551616", equal, xsd.Double, "18446744073709551616"},
		{"large integer and a double", xsd.Integer, "100000000000000000000000", greater, xsd.Double, "1e23"}, // 1e23 is 99999999999999991611392
		{"large integer equal to a large double", xsd.Integer, "99999999999999991611392", equal, xsd.Double, "1e23"},
		{"large integer and a small double", xsd.Integer, nines, greater, xsd.Double, "1"},
		{"larger than every double", xsd.Integer, nines, greater, xsd.Double, "1.7976931348623157E308"},
		{"small integer and a large double", xsd.Integer, "5", less, xsd.Double, "1e300"},
		{"zero and the smallest double", xsd.Integer, "0", less, xsd.Double, "4.9E-324"},
		{"a decimal that rounds to zero", xsd.Decimal, "0." + strings.Repeat("0", 400) + "1", equal, xsd.Double, "0"},
		{"a negative decimal that rounds to zero", xsd.Decimal, "-0." + strings.Repeat("0", 400) + "1", equal, xsd.Double, "0"},
		{"a negative decimal that rounds to zero, of a float", xsd.Decimal, "-0." + strings.Repeat("0", 50) + "1", equal, xsd.Float, "-0"},
		{"a negative decimal next to zero and a positive double", xsd.Decimal, "-0." + strings.Repeat("0", 400) + "1", less, xsd.Double, "4.9E-324"},
		{"a negative decimal that does not round to zero", xsd.Decimal, "-0." + strings.Repeat("0", 50) + "1", less, xsd.Double, "0"},
		{"zero and negative zero", xsd.Integer, "0", equal, xsd.Double, "-0.0"},
		{"zero and a negative double", xsd.Integer, "0", greater, xsd.Double, "-1e-9"},
		{"negative integer and zero", xsd.Integer, "-1", less, xsd.Double, "-0"},
		{"many zeros and a matching exponent", xsd.Double, "0." + strings.Repeat("0", 150_000) + "1E150001", equal, xsd.Integer, "1"},
		{"many digits and a matching exponent", xsd.Double, "1" + strings.Repeat("0", 150_000) + "E-150000", equal, xsd.Integer, "1"},
		{"many digits beyond the point", xsd.Double, "-1." + strings.Repeat("0", 150_000), equal, xsd.Integer, "-1"},
		{"many zeros", xsd.Double, strings.Repeat("0", 2000) + "E5", equal, xsd.Integer, "0"},
		{"many zeros, negative", xsd.Double, "-." + strings.Repeat("0", 2000), equal, xsd.Integer, "0"},
		{"just over a midpoint", xsd.Double, "9007199254740993." + strings.Repeat("0", 2000) + "1", equal, xsd.Integer, "9007199254740994"},
		{"at a midpoint", xsd.Double, "9007199254740993." + strings.Repeat("0", 2000), equal, xsd.Integer, "9007199254740992"},

		{"strings", xsd.String, "a", less, xsd.String, "b"},
		{"strings, prefix", xsd.String, "a", less, xsd.String, "ab"},
		{"strings by code point, not UTF-16", xsd.String, "\uff5e", less, xsd.String, "\U00010000"},
		{"strings, case", xsd.String, "Z", less, xsd.String, "a"},
		{"derived strings", xsd.Token, "a", equal, xsd.NCName, "a"},
		{"string and number", xsd.String, "1", incomparable, xsd.Integer, "1"},
		{"string and anyURI", xsd.String, "a", incomparable, xsd.AnyURI, "a"},
		{"booleans", xsd.Boolean, "false", less, xsd.Boolean, "1"},
		{"booleans, equal", xsd.Boolean, "true", equal, xsd.Boolean, "1"},
		{"boolean and number", xsd.Boolean, "1", incomparable, xsd.Integer, "1"},
		{"anyURI", xsd.AnyURI, "a", equal, xsd.AnyURI, "a"},
		{"anyURI, different", xsd.AnyURI, "a", incomparable, xsd.AnyURI, "b"},
		{"hexBinary", xsd.HexBinary, "aF09", equal, xsd.HexBinary, "Af09"},
		{"hexBinary, different", xsd.HexBinary, "00", incomparable, xsd.HexBinary, "01"},
		{"hexBinary, length", xsd.HexBinary, "", incomparable, xsd.HexBinary, "00"},
		{"base64Binary", xsd.Base64Binary, "Zm9v YmFy", equal, xsd.Base64Binary, "Z m 9vYmFy"},
		{"base64Binary, case", xsd.Base64Binary, "AAAA", incomparable, xsd.Base64Binary, "aaaa"},
		{"base64Binary, length", xsd.Base64Binary, "AAAA", incomparable, xsd.Base64Binary, "AAAAAAAA"},
		{"hexBinary and base64Binary", xsd.HexBinary, "", incomparable, xsd.Base64Binary, ""},

		{"dateTimes", xsd.DateTime, "2002-10-10T12:00:00-05:00", less, xsd.DateTime, "2002-10-10T12:00:01-05:00"},
		{"dateTimes, zones", xsd.DateTime, "2002-10-10T12:00:00-05:00", equal, xsd.DateTime, "2002-10-10T17:00:00Z"},
		{"dateTimes, zones across days", xsd.DateTime, "2002-10-10T00:30:00+01:00", less, xsd.DateTime, "2002-10-09T23:45:00Z"},
		{"dateTimes without zones", xsd.DateTime, "2002-10-10T12:00:00", less, xsd.DateTime, "2002-10-10T12:00:01"},
		{"dateTimeStamp", xsd.DateTimeStamp, "2002-10-10T12:00:00+00:00", equal, xsd.DateTime, "2002-10-10T12:00:00-00:00"},
		{"one zone missing, near", xsd.DateTime, "2002-10-10T12:00:00", incomparable, xsd.DateTime, "2002-10-10T12:00:00-05:00"},
		{"one zone missing, far", xsd.DateTime, "2002-10-09T12:00:00-05:00", less, xsd.DateTime, "2002-10-10T12:00:00"},
		{"one zone missing, exactly 14 hours later", xsd.DateTime, "2000-01-15T00:00:00", incomparable, xsd.DateTime, "2000-01-15T14:00:00Z"},
		{"one zone missing, more than 14 hours later", xsd.DateTime, "2000-01-15T00:00:00", less, xsd.DateTime, "2000-01-15T14:00:00.001Z"},
		{"one zone missing, exactly 14 hours earlier", xsd.DateTime, "2000-01-15T14:00:00", incomparable, xsd.DateTime, "2000-01-15T00:00:00Z"},
		{"one zone missing, more than 14 hours earlier", xsd.DateTime, "2000-01-15T14:00:00.5", greater, xsd.DateTime, "2000-01-15T00:00:00Z"},
		{"XSD 1.1's example", xsd.DateTime, "2000-01-15T12:00:00", incomparable, xsd.DateTime, "2000-01-16T00:00:00Z"},
		{"fractions", xsd.DateTime, "2000-01-01T00:00:00.1", greater, xsd.DateTime, "2000-01-01T00:00:00.09"},
		{"fractions, zeros", xsd.DateTime, "2000-01-01T00:00:00.100", equal, xsd.DateTime, "2000-01-01T00:00:00.1"},
		{"fractions, none", xsd.DateTime, "2000-01-01T00:00:00.000", equal, xsd.DateTime, "2000-01-01T00:00:00"},
		{"fractions, many digits", xsd.DateTime, "2000-01-01T00:00:00." + nines, less, xsd.DateTime, "2000-01-01T00:00:00." + nines + "1"},
		{"end of day", xsd.DateTime, "1999-12-31T24:00:00Z", equal, xsd.DateTime, "2000-01-01T00:00:00Z"},
		{"year 0000", xsd.DateTime, "0000-12-31T24:00:00", equal, xsd.DateTime, "0001-01-01T00:00:00"},
		{"year -0000", xsd.DateTime, "-0000-01-01T00:00:00", equal, xsd.DateTime, "0000-01-01T00:00:00"},
		{"before year 0000", xsd.DateTime, "-0001-12-31T24:00:00", equal, xsd.DateTime, "0000-01-01T00:00:00"},
		{"negative years", xsd.DateTime, "-0002-01-01T00:00:00", less, xsd.DateTime, "-0001-01-01T00:00:00"},
		{"far years", xsd.DateTime, "99999999999-01-01T00:00:00Z", less, xsd.DateTime, "100000000000-01-01T00:00:00Z"},
		{"far years, end of day", xsd.DateTime, "99999999999-12-31T24:00:00Z", equal, xsd.DateTime, "100000000000-01-01T00:00:00Z"},
		{"far years, zones", xsd.DateTime, "99999999999-12-31T23:00:00-05:00", greater, xsd.DateTime, "100000000000-01-01T00:00:00Z"},
		{"far negative years, end of day", xsd.DateTime, "-100000000000-12-31T24:00:00Z", equal, xsd.DateTime, "-99999999999-01-01T00:00:00Z"},
		{"far negative years", xsd.DateTime, "-100000000000-01-01T00:00:00Z", less, xsd.DateTime, "-99999999999-01-01T00:00:00Z"},
		{"far apart", xsd.DateTime, "-" + nines + "-01-01T00:00:00", less, xsd.DateTime, nines + "-01-01T00:00:00"},
		{"far and near", xsd.DateTime, "-" + nines + "-01-01T00:00:00", less, xsd.DateTime, "2024-01-01T00:00:00"},
		{"years of any size, equal instants", xsd.DateTime, "1" + nines + "-12-31T20:00:00-05:00", equal, xsd.DateTime, "2" + strings.Repeat("0", 400) + "-01-01T01:00:00Z"},
		{"years of any size, within a year", xsd.DateTime, nines + "-01-01T00:00:00", less, xsd.DateTime, nines + "-01-01T00:00:00.1"},
		{"years of any size, one zone missing", xsd.DateTime, nines + "-01-01T00:00:00", incomparable, xsd.DateTime, nines + "-01-01T10:00:00Z"},
		{"years of any size, one zone missing, far", xsd.DateTime, nines + "-01-01T00:00:00", less, xsd.DateTime, nines + "-01-02T00:00:00Z"},
		{"years of any size, cycle of 400", xsd.DateTime, "1" + strings.Repeat("0", 20) + "-01-01T00:00:00", greater, xsd.DateTime, strings.Repeat("9", 20) + "-12-31T23:59:59"},
		{"negative years of any size", xsd.DateTime, "-" + nines + "1-06-01T00:00:00", greater, xsd.DateTime, "-" + nines + "2-07-01T00:00:00"},

		{"dates", xsd.Date, "2017-03-29", greater, xsd.Date, "1999-09-09"},
		{"dates, zones", xsd.Date, "2000-01-01+13:00", equal, xsd.Date, "1999-12-31-11:00"},
		{"dates, leap day", xsd.Date, "2024-02-29", less, xsd.Date, "2024-03-01"},
		{"dates, one zone missing", xsd.Date, "2000-01-01", incomparable, xsd.Date, "2000-01-01Z"},
		{"dates, one zone missing, next day", xsd.Date, "2000-01-01", less, xsd.Date, "2000-01-02Z"},
		{"date and dateTime", xsd.Date, "2000-01-01", incomparable, xsd.DateTime, "2000-01-01T00:00:00"},
		{"times", xsd.Time, "09:00:00", less, xsd.Time, "17:00:00"},
		{"times, zones", xsd.Time, "12:00:00+01:00", equal, xsd.Time, "11:00:00Z"},
		{"times, zones do not wrap", xsd.Time, "00:00:00+14:00", less, xsd.Time, "00:00:00Z"},
		{"times, end of day", xsd.Time, "24:00:00", equal, xsd.Time, "00:00:00"},
		{"times, one zone missing", xsd.Time, "12:00:00", incomparable, xsd.Time, "12:00:00Z"},
		{"times, one zone missing, far", xsd.Time, "23:00:00", greater, xsd.Time, "08:00:00Z"},
		{"gYear", xsd.GYear, "1999", less, xsd.GYear, "2000"},
		{"gYear, zones", xsd.GYear, "2000+01:00", less, xsd.GYear, "2000Z"},
		{"gYear, one zone missing", xsd.GYear, "2000", incomparable, xsd.GYear, "2000Z"},
		{"gYear, one zone missing, far", xsd.GYear, "2000", less, xsd.GYear, "2001Z"},
		{"gYear of any size", xsd.GYear, nines, less, xsd.GYear, nines + "9"},
		{"gYear and gYearMonth", xsd.GYear, "2000", incomparable, xsd.GYearMonth, "2000-01"},
		{"gYearMonth", xsd.GYearMonth, "1999-12", less, xsd.GYearMonth, "2000-01"},
		{"gMonth", xsd.GMonth, "--02", less, xsd.GMonth, "--10"},
		{"gMonthDay", xsd.GMonthDay, "--02-29", less, xsd.GMonthDay, "--03-01"},
		{"gDay", xsd.GDay, "---09", less, xsd.GDay, "---10"},
		{"gDay, zones", xsd.GDay, "---10-05:00", greater, xsd.GDay, "---10Z"},

		{"durations of months", xsd.YearMonthDuration, "P1Y", equal, xsd.YearMonthDuration, "P12M"},
		{"durations of seconds", xsd.DayTimeDuration, "P1D", equal, xsd.DayTimeDuration, "PT24H"},
		{"durations across datatypes", xsd.Duration, "P1Y", equal, xsd.YearMonthDuration, "P12M"},
		{"durations, fractions", xsd.Duration, "PT1.5S", greater, xsd.DayTimeDuration, "PT1.25S"},
		{"durations, signs", xsd.Duration, "-P1D", less, xsd.Duration, "PT0S"},
		{"durations, zeros", xsd.Duration, "-P0Y", equal, xsd.DayTimeDuration, "PT0.0S"},
		{"durations, negative", xsd.Duration, "-P2D", less, xsd.Duration, "-P1D"},
		// The table of XSD 1.0, section 3.2.6.2.
		{"P1Y > P364D", xsd.Duration, "P1Y", greater, xsd.Duration, "P364D"},
		{"P1Y <> P365D", xsd.Duration, "P1Y", incomparable, xsd.Duration, "P365D"},
		{"P1Y <> P366D", xsd.Duration, "P1Y", incomparable, xsd.Duration, "P366D"},
		{"P1Y < P367D", xsd.Duration, "P1Y", less, xsd.Duration, "P367D"},
		{"P1M > P27D", xsd.Duration, "P1M", greater, xsd.Duration, "P27D"},
		{"P1M <> P28D", xsd.Duration, "P1M", incomparable, xsd.Duration, "P28D"},
		{"P1M <> P29D", xsd.Duration, "P1M", incomparable, xsd.Duration, "P29D"},
		{"P1M <> P30D", xsd.Duration, "P1M", incomparable, xsd.Duration, "P30D"},
		{"P1M <> P31D", xsd.Duration, "P1M", incomparable, xsd.Duration, "P31D"},
		{"P1M < P32D", xsd.Duration, "P1M", less, xsd.Duration, "P32D"},
		{"P5M > P149D", xsd.Duration, "P5M", greater, xsd.Duration, "P149D"},
		{"P5M <> P150D", xsd.Duration, "P5M", incomparable, xsd.Duration, "P150D"},
		{"P5M <> P153D", xsd.Duration, "P5M", incomparable, xsd.Duration, "P153D"},
		{"P5M < P154D", xsd.Duration, "P5M", less, xsd.Duration, "P154D"},
		{"-P1M < -P27D", xsd.Duration, "-P1M", less, xsd.Duration, "-P27D"},
		{"-P1M <> -P30D", xsd.Duration, "-P1M", incomparable, xsd.Duration, "-P30D"},
		{"one month and as many seconds", xsd.Duration, "P1MT1S", greater, xsd.Duration, "P1M"},
		{"400 years always have as many days", xsd.Duration, "P400Y", incomparable, xsd.Duration, "P146097D"},
		{"durations of any size", xsd.Duration, "P" + nines + "Y", less, xsd.Duration, "P" + nines + "0Y"},
		{"durations of any size, equal", xsd.Duration, "P" + nines + "Y12M", equal, xsd.Duration, "P1" + strings.Repeat("0", 400) + "Y"},
		{"durations of any size, seconds", xsd.Duration, "PT" + nines + "S", less, xsd.Duration, "PT" + nines + ".5S"},
		{"durations of any size, days", xsd.Duration, "P" + nines + "D", greater, xsd.Duration, "PT" + nines + "H"},
		{"durations of any size, days and hours", xsd.Duration, "P1" + strings.Repeat("0", 30) + "D", equal, xsd.Duration, "PT24" + strings.Repeat("0", 30) + "H"},
		{"durations of twenty digits", xsd.Duration, "PT19000000000000000000S", greater, xsd.Duration, "PT1000000000000000000S"},
		{"durations of twenty digits, parts", xsd.DayTimeDuration, "PT1H19000000000000000000S", greater, xsd.DayTimeDuration, "PT1000000000000000000S"},
		{"durations of twenty digits, negative", xsd.Duration, "-PT19000000000000000000S", less, xsd.Duration, "-PT1000000000000000000S"},
		{"durations of twenty digits that a number of 64 bits takes for one", xsd.Duration, "PT18446744073709551617S", greater, xsd.Duration, "PT1S"},
		{"durations of any size, negative", xsd.Duration, "-P" + nines + "Y", less, xsd.Duration, "P1D"},
		{"durations of any size, months and days", xsd.Duration, "P4" + strings.Repeat("0", 30) + "Y", incomparable, xsd.Duration, "P1460970" + strings.Repeat("0", 27) + "D"},
		{"durations of any size, months and more days", xsd.Duration, "P4" + strings.Repeat("0", 30) + "Y", less, xsd.Duration, "P1460970" + strings.Repeat("0", 26) + "1D"},
		{"durations of any size, negative months and days", xsd.Duration, "-P4" + strings.Repeat("0", 30) + "Y1M", less, xsd.Duration, "-P1460970" + strings.Repeat("0", 27) + "D"},
		{"durations of any size, zeros", xsd.Duration, "P" + strings.Repeat("0", 400) + "1Y", equal, xsd.Duration, "P1Y"},
		{"duration and time", xsd.Duration, "PT1H", incomparable, xsd.Time, "01:00:00"},
		{"duration and number", xsd.Duration, "PT1S", incomparable, xsd.Integer, "1"},
	} {
		a, b := value(t, row.aDT, row.a), value(t, row.bDT, row.b)
		assert.Equalf(t, row.want, compare(t, a, b, row.name), "%s: %s %.60s and %s %.60s", row.name, row.aDT, row.a, row.bDT, row.b)
	}
	assert.Equal(t, xsd.Incomparable, xsd.Compare(xsd.Value{}, xsd.Value{}), "no values")
}

func TestOrder(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		o                      xsd.Order
		name                   string
		less, lessEq, gr, grEq bool
	}{
		{xsd.Incomparable, "incomparable", false, false, false, false},
		{xsd.Less, "less", true, true, false, false},
		{xsd.Equal, "equal", false, true, false, true},
		{xsd.Greater, "greater", false, false, true, true},
	} {
		assert.Equal(t, row.name, row.o.String())
		assert.Equal(t, row.less, row.o.Less(), row.name)
		assert.Equal(t, row.lessEq, row.o.LessOrEqual(), row.name)
		assert.Equal(t, row.gr, row.o.Greater(), row.name)
		assert.Equal(t, row.grEq, row.o.GreaterOrEqual(), row.name)
	}
	var zero xsd.Order
	assert.Equal(t, xsd.Incomparable, zero)
}

// TestEveryPair compares every valid lexical form of the tables with every
// other: both directions agree, a value equals itself, and different value
// spaces never compare.
func TestEveryPair(t *testing.T) {
	t.Parallel()
	var all []xsd.Value
	var forms []string
	for _, row := range lexical {
		for _, s := range row.valid {
			all = append(all, value(t, row.dt, s))
			forms = append(forms, s)
		}
	}
	for i, a := range all {
		want := xsd.Equal
		if forms[i] == "NaN" {
			want = xsd.Incomparable
		}
		require.Equalf(t, want, xsd.Compare(a, a), "%s %q and itself", a.Datatype(), forms[i])
		for j, b := range all[:i] {
			compare(t, a, b, fmt.Sprintf("%s %q, %s %q", a.Datatype(), forms[i], b.Datatype(), forms[j]))
		}
	}
}

// number returns a random lexical form of a decimal and its value.
func number(r *rand.Rand) (string, *big.Rat) {
	s := digits(r, 1+r.IntN(25))
	if r.IntN(2) == 0 {
		s += "." + digits(r, 1+r.IntN(25))
	}
	if r.IntN(2) == 0 {
		s = "-" + s
	}
	v, ok := new(big.Rat).SetString(s)
	if !ok {
		panic(s)
	}
	return s, v
}

func digits(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = "0019"[r.IntN(4)]
	}
	return string(b)
}

func orderOf(c int) xsd.Order { return xsd.Order(int(xsd.Equal) + c) }

func TestDecimalsAgainstRationals(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		a, av := number(r)
		b, bv := number(r)
		require.Equal(t, orderOf(av.Cmp(bv)), xsd.Compare(value(t, xsd.Decimal, a), value(t, xsd.Decimal, b)), "%s %s", a, b)
	}
}

func TestFloatsAgainstRationals(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		s, exact := number(r)
		f := math.Float64frombits(r.Uint64())
		switch r.IntN(3) {
		case 0:
			f = math.Ldexp(float64(r.Int64()), r.IntN(40)-20)
		case 1:
			f, _ = exact.Float64() // close to the decimal
		}
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue
		}
		want := exact.Cmp(new(big.Rat).SetFloat64(f))
		if !exact.IsInt() {
			rounded, _ := exact.Float64()
			want = new(big.Float).SetFloat64(rounded).Cmp(big.NewFloat(f))
		}
		d := value(t, xsd.Double, strconv.FormatFloat(f, 'e', -1, 64))
		require.Equal(t, orderOf(want), compare(t, value(t, xsd.Decimal, s), d, s), "%s %v", s, f)
	}
}

func TestDateTimesAgainstTime(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	random := func() (string, time.Time) {
		zone := time.FixedZone("", (r.IntN(2*840+1)-840)*60)
		at := time.Date(r.IntN(9999)+1, time.Month(r.IntN(12)+1), r.IntN(28)+1, r.IntN(24), r.IntN(60), r.IntN(60), r.IntN(1e9), zone)
		if r.IntN(2) == 0 {
			at = time.Date(2000+r.IntN(2), time.Month(r.IntN(2)+2), r.IntN(2)+28, r.IntN(24), 0, 0, 0, zone)
		}
		return at.Format("2006-01-02T15:04:05.999999999Z07:00"), at
	}
	for range 20_000 {
		a, at := random()
		b, bt := random()
		if strings.HasPrefix(a, "-") || len(strings.SplitN(a, "-", 2)[0]) != 4 || len(strings.SplitN(b, "-", 2)[0]) != 4 {
			continue // the zone moved the year out of four digits
		}
		require.Equal(t, orderOf(at.Compare(bt)), compare(t, value(t, xsd.DateTime, a), value(t, xsd.DateTime, b), a+" "+b), "%s %s", a, b)
	}
}

// TestFloatLengths checks that rounding does not depend on how many digits say
// that there is something after a midpoint.
func TestFloatLengths(t *testing.T) {
	t.Parallel()
	above, at := value(t, xsd.Integer, "9007199254740994"), value(t, xsd.Integer, "9007199254740992")
	for n := 1; n < 1200; n += 3 {
		zeros := strings.Repeat("0", n)
		for _, s := range []string{"9007199254740993." + zeros + "1", "9007199254740993" + zeros + "1E-" + strconv.Itoa(n+1), "0.00" + "9007199254740993" + zeros + "1E18"} {
			require.Equal(t, xsd.Equal, xsd.Compare(value(t, xsd.Double, s), above), "%d zeros: %s", n, s)
		}
		for _, s := range []string{"9007199254740993." + zeros, "9007199254740993" + zeros + "E-" + strconv.Itoa(n), zeros + "9007199254740993"} {
			require.Equal(t, xsd.Equal, xsd.Compare(value(t, xsd.Double, s), at), "%d zeros: %s", n, s)
		}
	}
}

// TestEveryDay walks through 800 years and checks that each day follows the one
// before, with the leap years where package time has them.
func TestEveryDay(t *testing.T) {
	t.Parallel()
	at := time.Date(1700, 1, 1, 0, 0, 0, 0, time.UTC)
	before := value(t, xsd.Date, "1699-12-31")
	for range 2 * 146_097 {
		s := at.Format(time.DateOnly)
		v := value(t, xsd.Date, s)
		require.Equal(t, xsd.Less, xsd.Compare(before, v), s)
		next := value(t, xsd.DateTime, s+"T24:00:00")
		at = at.AddDate(0, 0, 1)
		require.Equal(t, xsd.Equal, xsd.Compare(next, value(t, xsd.DateTime, at.Format(time.DateOnly)+"T00:00:00")), s)
		before = v
	}
	require.False(t, xsd.Valid(xsd.Date, "2100-02-29"))
}

// TestDurationsAgainstCalendar adds durations to the four reference moments with
// package time.
func TestDurationsAgainstCalendar(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	references := []time.Time{
		time.Date(1696, 9, 1, 0, 0, 0, 0, time.UTC), time.Date(1697, 2, 1, 0, 0, 0, 0, time.UTC),
		time.Date(1903, 3, 1, 0, 0, 0, 0, time.UTC), time.Date(1903, 7, 1, 0, 0, 0, 0, time.UTC),
	}
	type duration struct{ months, days, hours int }
	random := func() duration { return duration{r.IntN(30), r.IntN(400), r.IntN(50)} }
	write := func(d duration, sign int) string {
		s := fmt.Sprintf("P%dM%dDT%dH", d.months, d.days, d.hours)
		if sign < 0 {
			return "-" + s
		}
		return s
	}
	for range 20_000 {
		a, b := random(), random()
		sign := 1 - 2*r.IntN(2)
		want, same := xsd.Incomparable, true
		for i, ref := range references {
			at := ref.AddDate(0, sign*a.months, 0).Add(time.Duration(sign*(a.days*24+a.hours)) * time.Hour)
			bt := ref.AddDate(0, sign*b.months, 0).Add(time.Duration(sign*(b.days*24+b.hours)) * time.Hour)
			if o := orderOf(at.Compare(bt)); i == 0 {
				want = o
			} else if o != want {
				same = false
			}
		}
		if !same || want == xsd.Equal && a.months != b.months {
			want = xsd.Incomparable
		}
		x, y := write(a, sign), write(b, sign)
		require.Equal(t, want, compare(t, value(t, xsd.Duration, x), value(t, xsd.Duration, y), x+" "+y), "%s %s", x, y)
		// The same with a part that is large on both sides takes the exact road.
		large := fmt.Sprintf("%d", int64(4_800)*1_000_000_000_000_000)
		lx, ly := addMonths(x, large), addMonths(y, large)
		require.Equal(t, want, compare(t, value(t, xsd.Duration, lx), value(t, xsd.Duration, ly), lx+" "+ly), "%s %s", lx, ly)
	}
}

// addMonths adds a number of months, a multiple of 400 years, to what write in
// TestDurationsAgainstCalendar wrote.
func addMonths(s, months string) string {
	sign, rest, _ := strings.Cut(s, "P")
	n, rest, _ := strings.Cut(rest, "M")
	a, _ := strconv.ParseInt(n, 10, 64)
	b, _ := strconv.ParseInt(months, 10, 64)
	return sign + "P" + strconv.FormatInt(a+b, 10) + "M" + rest
}

// TestEffort has values on both sides of what takes long to parse and to compare.
func TestEffort(t *testing.T) {
	t.Parallel()
	double, integer, duration := value(t, xsd.Double, "1"), value(t, xsd.Integer, "1"), value(t, xsd.Duration, "P1D")
	for _, row := range []struct {
		dt   xsd.Datatype
		s    string
		with xsd.Value
		long bool
	}{
		{xsd.Decimal, "0.5", double, false}, {xsd.Decimal, "1.5" + strings.Repeat("0", 40), double, false},
		{xsd.Decimal, "123456789.123456789", double, false}, {xsd.Decimal, "1234567890.123456789", double, true}, {xsd.Decimal, "1234567890.123456789", integer, false},
		{xsd.Decimal, "0." + strings.Repeat("0", 30) + "1", value(t, xsd.Float, "1"), true},
		{xsd.Integer, "18446744073709551615", integer, false}, {xsd.Integer, "1" + strings.Repeat("0", 76), integer, false}, {xsd.Integer, "1" + strings.Repeat("0", 76), double, true},
		{xsd.Double, "1.7976931348623157E10", integer, false}, {xsd.Double, "INF", integer, false}, {xsd.Double, "1E-300", integer, true}, {xsd.Double, "0.30000000000000000001", double, true},
		{xsd.Double, "1.5E" + strings.Repeat("0", 27) + "1", integer, false}, {xsd.Double, "1.5E" + strings.Repeat("0", 28) + "1", integer, true},
		{xsd.Float, "1.5E10", integer, false}, {xsd.Float, "1.5E-30", integer, true},
		{xsd.Duration, "P1000000000000M", duration, false}, {xsd.Duration, "P1000000000001M", duration, true}, {xsd.DayTimeDuration, "-P99999999999999999999D", duration, true},
		{xsd.DateTime, "123456789012345678901234567890-01-01T00:00:00Z", value(t, xsd.DateTime, "2024-01-01T00:00:00"), false}, {xsd.String, strings.Repeat("a", 1000), double, false},
	} {
		v := value(t, row.dt, row.s)
		assert.Equal(t, row.long, xsd.Effort(v, row.with) > 1, "%s %s, %s", row.dt, row.s, row.with.Datatype())
		assert.Equal(t, xsd.Effort(v, row.with), xsd.Effort(row.with, v))
	}
	assert.Equal(t, 1, xsd.Effort(xsd.Value{}, xsd.Value{}))
	for _, with := range []xsd.Value{duration, double} {
		assert.Equal(t, 16, xsd.Effort(value(t, xsd.Duration, "P"+strings.Repeat("9", 126)+"D"), with))
		assert.Equal(t, 125, xsd.Effort(value(t, xsd.Duration, "P"+strings.Repeat("9", 998)+"D"), with))
	}
}

// TestLongForms parses and compares a megabyte of digits in every datatype that
// takes one: whatever is not linear does not come back.
func TestLongForms(t *testing.T) {
	t.Parallel()
	n := strings.Repeat("9", 1<<20)
	for _, row := range []struct {
		dt xsd.Datatype
		s  string
	}{
		{xsd.Integer, n}, {xsd.Decimal, n + "." + n}, {xsd.Decimal, "." + n}, {xsd.Double, n}, {xsd.Double, n + "." + n + "E-" + n}, {xsd.Float, "." + n + "E" + n},
		{xsd.DateTime, n + "-01-01T00:00:00." + n + "Z"}, {xsd.GYear, "-" + n}, {xsd.Duration, "-P" + n + "Y" + n + "M" + n + "DT" + n + "H" + n + "M" + n + "." + n + "S"},
		{xsd.HexBinary, n}, {xsd.Base64Binary, n}, {xsd.String, n}, {xsd.Token, n},
	} {
		v := value(t, row.dt, row.s)
		assert.Equal(t, xsd.Equal, xsd.Compare(v, value(t, row.dt, row.s)), row.dt.String())
		if row.dt.String() == "xsd:integer" {
			for _, f := range []string{"1", "1.5", "1E308", "-INF"} {
				assert.Equal(t, xsd.Greater, xsd.Compare(v, value(t, xsd.Double, f)))
			}
		}
	}
}

func TestNoAllocations(t *testing.T) {
	for _, row := range []struct {
		dt   xsd.Datatype
		a, b string
	}{
		{xsd.String, "some text", "other text"}, {xsd.Boolean, "true", "0"}, {xsd.Integer, "12345", "-7"}, {xsd.Decimal, "12.50", "3.14159"},
		{xsd.UnsignedLong, "18446744073709551615", "1"}, {xsd.Double, "1.5E3", "-2.25"}, {xsd.Float, "0.1", "INF"},
		{xsd.DateTime, "2024-02-29T12:30:45.123Z", "2024-02-29T12:30:45"}, {xsd.Date, "2024-02-29", "2023-01-01Z"}, {xsd.Time, "12:00:00", "24:00:00"},
		{xsd.GYear, "2024", "-0001"}, {xsd.Duration, "P1Y2M3DT4H5M6.7S", "-P400D"}, {xsd.HexBinary, "00ff", "00FF"}, {xsd.Base64Binary, "AAAA", "AA A="},
		{xsd.Language, "en-GB", "de"}, {xsd.NCName, "name", "n\u00e4me"},
	} {
		allocs := testing.AllocsPerRun(100, func() {
			a, _ := xsd.Parse(row.dt, row.a)
			b, _ := xsd.Parse(row.dt, row.b)
			xsd.Compare(a, b)
		})
		assert.Zerof(t, allocs, "%s %q %q", row.dt, row.a, row.b)
	}
	a, b := value(t, xsd.Decimal, "0.1"), value(t, xsd.Double, "0.1")
	assert.Zero(t, testing.AllocsPerRun(100, func() { xsd.Compare(a, b) }), "decimal and double")
}

// FuzzParse: a value equals itself, two compare alike both ways, the orders of
// three agree, and what is parsed is what is valid.
func FuzzParse(f *testing.F) {
	for _, row := range lexical {
		for _, s := range append(row.valid, row.invalid...) {
			if len(s) < 100 {
				f.Add(uint8(row.dt), s, uint8(row.dt), "1")
			}
		}
	}
	before := suite.Seed{Name: xsd.Decimal.IRI(), Data: []byte("1.0")}
	for _, seed := range suite.Seeds(f, suite.Literals) {
		a, _ := xsd.Lookup(seed.Name)
		b, _ := xsd.Lookup(before.Name)
		f.Add(uint8(a), string(seed.Data), uint8(b), string(before.Data))
		before = seed
	}
	f.Fuzz(func(t *testing.T, aDT uint8, a string, bDT uint8, b string) {
		x, errX := xsd.Parse(xsd.Datatype(aDT), a)
		y, errY := xsd.Parse(xsd.Datatype(bDT), b)
		require.Equal(t, errX == nil, xsd.Valid(xsd.Datatype(aDT), a))
		if errX != nil {
			require.NotEmpty(t, errX.Error())
			return
		}
		want := xsd.Equal
		if a == "NaN" && (x.Datatype() == xsd.Double || x.Datatype() == xsd.Float) {
			want = xsd.Incomparable
		}
		require.Equal(t, want, xsd.Compare(x, x))
		if errY == nil {
			order := xsd.Compare(x, y)
			require.Equal(t, reversed(order), xsd.Compare(y, x))
			for _, row := range lexical {
				if row.dt == x.Datatype() || row.dt == y.Datatype() {
					for _, s := range row.valid {
						transitive(t, x, y, value(t, row.dt, s), order)
					}
				}
			}
		}
	})
}

// transitive checks that the orders of three values agree.
func transitive(t *testing.T, x, y, z xsd.Value, order xsd.Order) {
	t.Helper()
	yz, xz := xsd.Compare(y, z), xsd.Compare(x, z)
	switch {
	case order == xsd.Equal:
		require.Equal(t, yz, xz, "%v, %v, %v", x, y, z)
	case yz == xsd.Equal || order == yz && order != xsd.Incomparable:
		require.Equal(t, order, xz, "%v, %v, %v", x, y, z)
	}
}

func BenchmarkParse(b *testing.B) {
	for _, row := range []struct {
		dt xsd.Datatype
		s  string
	}{
		{xsd.String, "some text of ordinary length"}, {xsd.Integer, "12345"}, {xsd.Decimal, "12.50"}, {xsd.Double, "1.5E3"},
		{xsd.DateTime, "2024-02-29T12:30:45.123Z"}, {xsd.Duration, "P1Y2M3DT4H5M6.7S"},
	} {
		b.Run(strings.TrimPrefix(row.dt.String(), "xsd:"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if !xsd.Valid(row.dt, row.s) {
					b.Fatal("not valid")
				}
			}
		})
	}
}

// TestDurationsOfManyDigits compares durations of one part with numbers of the same
// digits, around the sizes at which a number of 64 bits overflows.
func TestDurationsOfManyDigits(t *testing.T) {
	t.Parallel()
	for _, form := range []string{"PT%sS", "PT%sM", "PT%sH", "P%sD", "P%sM", "P%sY"} {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			var durations, numbers []xsd.Value
			for zeros := range 24 {
				for lead := range 9 { // the largest number of 64 bits begins with 18
					digits := fmt.Sprint(14+lead) + strings.Repeat("0", zeros)
					d, err := xsd.Parse(xsd.Duration, fmt.Sprintf(form, digits))
					require.NoError(t, err)
					n, err := xsd.Parse(xsd.Integer, digits)
					require.NoError(t, err)
					durations, numbers = append(durations, d), append(numbers, n)
				}
			}
			for i := range durations {
				for j := range durations {
					if want, got := xsd.Compare(numbers[i], numbers[j]), xsd.Compare(durations[i], durations[j]); want != got {
						t.Fatalf("%d and %d: expected %v, found %v", i, j, want, got)
					}
				}
			}
		})
	}
}
