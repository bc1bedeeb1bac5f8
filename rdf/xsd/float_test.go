package xsd_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf/xsd"
)

// TestRounding compares with package strconv what becomes a double or a float: numbers of
// all magnitudes, those in the middle of two values, and what is next to the middle.
func TestRounding(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	parse := func(dt xsd.Datatype, text string) xsd.Value {
		v, err := xsd.Parse(dt, text)
		require.NoError(t, err)
		return v
	}
	check := func(text string) {
		for _, row := range []struct {
			dt   xsd.Datatype
			size int
		}{{xsd.Double, 64}, {xsd.Float, 32}} {
			want, _ := strconv.ParseFloat(text, row.size)
			next := func(to float64) float64 {
				if row.size == 32 {
					return float64(math.Nextafter32(float32(want), float32(to)))
				}
				return math.Nextafter(want, to)
			}
			got := parse(row.dt, text)
			exact := func(f float64) xsd.Value { // in so many digits that there is nothing to round
				if math.IsInf(f, 0) {
					return parse(row.dt, map[bool]string{true: "INF", false: "-INF"}[f > 0])
				}
				return parse(row.dt, strconv.FormatFloat(f, 'e', 770, 64))
			}
			require.Equal(t, xsd.Equal, xsd.Compare(got, exact(want)), "%s as %s", text, row.dt)
			if below := next(math.Inf(-1)); below < want {
				require.Equal(t, xsd.Greater, xsd.Compare(got, exact(below)), "%s as %s", text, row.dt)
			}
			if above := next(math.Inf(1)); above > want {
				require.Equal(t, xsd.Less, xsd.Compare(got, exact(above)), "%s as %s", text, row.dt)
			}
		}
	}
	for _, text := range []string{
		"0", "-0", "0e999", "1e999999999999999999999", "-1e-999999999999999999999", "1e309", "1e308", "1.7976931348623158e308", "1.7976931348623159e308",
		"4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "1e-323", "9e-324", "1e-400", "2.2250738585072011e-308", "2.2250738585072014e-308",
		"1e38", "3.4028235e38", "3.4028236e38", "1e39", "1e40", "1.4e-45", "7.006492321624085e-46", "7.006492321624086e-46", "1e-45", "1e-46",
		"9007199254740993", "9007199254740993.0000000000000000000000000000001", "9007199254740992.9999999999999999999999999999", "9223372036854775807", "99999999999999999999",
	} {
		check(text)
	}
	for range 3000 {
		bits := r.Uint64()
		switch r.IntN(3) {
		case 0:
			bits &= 1<<52 - 1 // less than all that have every bit
		case 1:
			bits = math.Float64bits(float64(math.Float32frombits(r.Uint32())))
		}
		x := math.Float64frombits(bits)
		if math.IsNaN(x) || math.IsInf(x, 0) {
			continue
		}
		y := math.Nextafter(x, math.Inf(1))
		if r.IntN(2) == 0 {
			x, y = float64(float32(x)), float64(math.Nextafter32(float32(x), float32(math.Inf(1))))
		}
		if math.IsInf(x, 0) || math.IsInf(y, 0) {
			continue
		}
		middle := new(big.Float).SetPrec(2500).SetFloat64(x)
		middle.Add(middle, new(big.Float).SetFloat64(y)).Quo(middle, big.NewFloat(2))
		digits := middle.Text('e', 780)
		mantissa, exponent, _ := strings.Cut(digits, "e")
		check(digits)
		check(mantissa + "1e" + exponent)
		check(mantissa[:10+r.IntN(40)] + "e" + exponent)
		check(strconv.FormatFloat(x, 'e', -1, 64))
	}
}

func BenchmarkParseFloat(b *testing.B) {
	for _, text := range []string{"1.5", "1.5E-310", "2.4703282292062327E-324", "9007199254740993.0000000000000000000000001"} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				_ = xsd.Valid(xsd.Double, text)
			}
		})
	}
}
