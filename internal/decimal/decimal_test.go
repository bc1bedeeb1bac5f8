package decimal_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/decimal"
)

// TestNearest compares with package strconv: numbers of all magnitudes, those in the
// middle of two floats, and what is next to the middle.
func TestNearest(t *testing.T) {
	t.Parallel()
	check := func(text string) {
		double, _ := strconv.ParseFloat(text, 64) // an error has the infinity beside it
		single, _ := strconv.ParseFloat(text, 32)
		require.Equal(t, math.Float64bits(double), math.Float64bits(decimal.Double(text)), "%s", text)
		require.Equal(t, math.Float64bits(single), math.Float64bits(decimal.Single(text)), "%s", text)
	}
	for _, text := range []string{
		"0", "-0", "+0", "-0.0", "0e999", "1e999999999999999999999", "-1e-999999999999999999999", "1e309", "1e308", "1.7976931348623158e308", "1.7976931348623159e308",
		"4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "1e-323", "9e-324", "1e-400", "2.2250738585072011e-308", "2.2250738585072014e-308",
		"1E38", "3.4028235E+38", "3.4028236e38", "1e39", "1e40", "1.4e-45", "7.006492321624085e-46", "7.006492321624086e-46", "1e-45", "1e-46",
		"9007199254740993", "9007199254740993.0000000000000000000000000000001", "9007199254740992.9999999999999999999999999999", "9223372036854775807", "99999999999999999999",
		"1.", ".5", "-.5e1", "00001.50000000000000000000000000", "0." + strings.Repeat("0", 400) + "1", "1" + strings.Repeat("0", 308), "1" + strings.Repeat("0", 309), "1" + strings.Repeat("0", 400) + "e-400",
		"1e" + strings.Repeat("0", 50) + "5", "-1.5e-" + strings.Repeat("0", 30) + "7", "1e" + strings.Repeat("0", 40) + "400",
		"4503599627370496.5", "-4503599627370497.5", "9007199254740993.5", "5629499534213120625e-4", "9223372036854776832e0", "-9444732965739429888e3", "5764607523034234880e22", "18014398509481983e1", "8388608.5", "-131072.0078125", "16777217e0", "33554433e-1", "+9999999999999999999", "9999999999999999999e27",
		strings.Repeat("1", 2000) + "e-1999", "0." + strings.Repeat("9", 1000),
	} {
		check(text)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 5000 {
		bits := r.Uint64()
		switch r.IntN(3) {
		case 0:
			bits &= 1<<52 - 1 // less than all that have every bit
		case 1:
			bits = math.Float64bits(float64(math.Float32frombits(r.Uint32())))
		}
		x := math.Float64frombits(bits)
		y := math.Nextafter(x, math.Inf(1))
		if r.IntN(2) == 0 {
			x, y = float64(float32(x)), float64(math.Nextafter32(float32(x), float32(math.Inf(1))))
		}
		if math.IsNaN(x) || math.IsInf(x, 0) || math.IsInf(y, 0) {
			continue
		}
		middle := new(big.Float).SetPrec(2500).SetFloat64(x)
		middle.Add(middle, new(big.Float).SetFloat64(y)).Quo(middle, big.NewFloat(2))
		digits := middle.Text('e', 780)
		mantissa, exponent, _ := strings.Cut(digits, "e")
		check(strconv.FormatUint(bits>>r.IntN(10)|1<<40, 10)[:12+r.IntN(2)] + "5e" + strconv.Itoa(r.IntN(50)-25))
		check(strconv.FormatUint(1e18|bits>>4&^(1<<r.IntN(20)-1), 10) + "e" + strconv.Itoa(r.IntN(50)-25))
		check(digits)
		check(mantissa + "1e" + exponent)
		check(mantissa[:10+r.IntN(40)] + "e" + exponent)
		check(strconv.FormatFloat(x, 'e', -1, 64))
	}
}

func BenchmarkDouble(b *testing.B) {
	for _, text := range []string{"1.5", "9007199254740993.5", "1.5E-310", "2.4703282292062327E-324", "9007199254740993.0000000000000000000000001"} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				_ = decimal.Double(text)
			}
		})
	}
}
