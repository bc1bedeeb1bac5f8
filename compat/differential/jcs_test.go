package differential_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/gowebpki/jcs"

	"github.com/rdfproto/rdfproto/internal/oracle"
)

func byJCS(text string) answer {
	out, err := jcs.Transform([]byte(text))
	if err != nil {
		return answer{Error: "error: " + err.Error()}
	}
	return answer{Text: string(out)}
}

func jsonCanonicalizers() []reader {
	return []reader{
		{ask: "jcs"},
		{ask: "canonicalize", node: true, faults: canonicalizeFaults()},
	}
}

func TestKnownFaultsJCS(t *testing.T) {
	t.Parallel()
	for _, r := range jsonCanonicalizers() {
		t.Run(r.ask, func(t *testing.T) { r.checkFaults(t, nil) })
	}
}

// JSON made by the grammar, a fifth of it damaged.
func TestGeneratedJCS(t *testing.T) {
	t.Parallel()
	seeds := oracle.Seeds(t, 500)
	for _, r := range jsonCanonicalizers() {
		t.Run(r.ask, func(t *testing.T) {
			t.Parallel()
			p, l := r.process(t), oracle.NewLedger(r.ask, r.faults)
			for seed := range seeds {
				w := jsonWriter{rand.New(rand.NewPCG(seed, 4))}
				parts := w.value(0)
				if seed%5 == 4 {
					parts = (&writer{Rand: w.Rand}).damage(parts)
				}
				r.compare(t, l, p, source{syntax: "json"}, fmt.Sprint("seed ", seed), parts)
			}
			l.Report(t)
		})
	}
}

// jsonWriter writes JSON in tokens.
type jsonWriter struct{ *rand.Rand }

func (w jsonWriter) one(of ...string) string { return of[w.IntN(len(of))] }

func (w jsonWriter) gap() string { return w.one("", "", "", " ", "\n", "\t", "\r\n", "  ") }

func (w jsonWriter) value(depth int) []string {
	k := w.IntN(10)
	if depth > 4 {
		k = 4 + w.IntN(6)
	}
	switch {
	case k < 3 || depth == 0 && k < 8:
		out := []string{w.gap() + "{"}
		names := map[string]bool{}
		for range w.IntN(6) {
			name := w.text()
			plain, err := strconv.Unquote(name)
			if (err != nil || names[plain]) && w.IntN(60) > 0 {
				continue // a name that repeats now and then
			}
			names[plain] = true
			if len(out) > 1 {
				out = append(out, ",")
			}
			out = append(out, w.gap(), name, w.gap()+":"+w.gap())
			out = append(out, w.value(depth+1)...)
		}
		return append(out, w.gap()+"}"+w.gap())
	case k < 4:
		out := []string{w.gap() + "["}
		for i := range w.IntN(5) {
			if i > 0 {
				out = append(out, w.gap()+",")
			}
			out = append(out, w.value(depth+1)...)
		}
		return append(out, "]"+w.gap())
	case k < 7:
		return []string{w.number()}
	case k < 9:
		return []string{w.text()}
	}
	return []string{w.one("true", "false", "null")}
}

func (w jsonWriter) number() string {
	if w.IntN(80) == 0 {
		return w.one("1e400", "-1e999", "1.7976931348623159e308", "1e-400", "01", "1.", ".5", "+1", "1e", "NaN", "-")
	}
	switch w.IntN(5) {
	case 0:
		return w.one("0", "-0", "-0.0", "0e10", "1", "10", "1e21", "1e20", "999999999999999999999", "1e-6", "1e-7", "0.000001", "123456789012345678901234567890", "5e-324", "4.9e-324", "2e-324", "1.7976931348623157e308",
			"9007199254740993", "9007199254740992", "0.1", "1.0", "1.50", "100E-2", "1E+2", "-1e-400", "333333333.33333329", "1e23", "9.999999999999999e22", "295147905179352830000", "2.2250738585072011e-308", "1.7976931348623158e308", "0.30000000000000004")
	case 1:
		return strconv.FormatInt(int64(w.Uint64())>>w.IntN(64), 10)
	case 2:
		return strconv.FormatFloat(w.NormFloat64()*math.Pow(10, float64(w.IntN(50)-25)), w.one("e", "f", "g", "E")[0], w.IntN(24)-1, 64)
	}
	for {
		f := math.Float64frombits(w.Uint64())
		if !math.IsNaN(f) && !math.IsInf(f, 0) {
			return strconv.FormatFloat(f, w.one("e", "g", "E")[0], w.IntN(22)-1, 64)
		}
	}
}

// text is a string; most are what package strconv knows, too.
func (w jsonWriter) text() string {
	out := ""
	if w.IntN(80) == 0 {
		out = w.one(`\ud800`, `\udc00\ud800`, `\ud83d\ude00`, `\uD83D\u0041`, "\t", `\x`, `\u12`, "\x01", `\'`)
	}
	for range w.IntN(4) {
		out += w.one("a", "b", "A", "é", "e\u0301", "😀", "\ufb33", "\ue000", "\U00010000", "\u2028", "\u007f", "\u0080", "/", "'", "<", "&", "\ufeff", "\ufffe", "\uffff", `\u0000`, `\u001F`, `\u000a`, `\n`, `\t`, `\b`, `\f`, `\r`, `\"`, `\\`, `\u0041`, `\u00e9`, `\u20AC`, "\u20ac", "__proto__", "toJSON", "constructor", "1", "0", "10", "\u200d", "\u202e")
	}
	return `"` + out + `"`
}
