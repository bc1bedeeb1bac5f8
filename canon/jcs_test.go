package canon_test

import (
	"bufio"
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/internal/suite"
)

func TestJCS(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"white space", " { \"a\" : [ 1 , 2 ] }\n", `{"a":[1,2]}`},
		{"members by UTF-16 code unit", `{"\ufb33":1,"\ud83d\ude00":2,"a":3,"A":4,"":5}`, "{\"\":5,\"A\":4,\"a\":3,\"\U0001F600\":2,\"\uFB33\":1}"},
		{"nested", `{"b":{"d":1,"c":2},"a":[{"y":1,"x":2}]}`, `{"a":[{"x":2,"y":1}],"b":{"c":2,"d":1}}`},
		{"numbers", `[1.0,-0,1e30,4.50,2e-3,0.000001,1e-7,333333333.33333329]`, `[1,0,1e+30,4.5,0.002,0.000001,1e-7,333333333.3333333]`},
		{"exponents", `[1e-7,1.5e-7,1e-10,1e-17,1.9680663087137836e-101,5e-324,1e20,123456789012345678901,1e21,1.25e22,1e100,1e101,1.7976931348623157e308,-1e-9,-1e21]`,
			`[1e-7,1.5e-7,1e-10,1e-17,1.9680663087137836e-101,5e-324,100000000000000000000,123456789012345680000,1e+21,1.25e+22,1e+100,1e+101,1.7976931348623157e+308,-1e-9,-1e+21]`},
		{"integers", `[9007199254740993,-0.0,0e5,12e2,0.1e1]`, `[9007199254740992,0,0,1200,1]`},
		{"members beyond and below the surrogates", "{\"\uFFFD\":1,\"\U0001F600\":2,\"\uD7FF\":3,\"\uE000\":4,\"\U0010FFFF\":5,\"\u00e9\":6,\"z\":7,\"zz\":8,\"z\U0001F600\":9,\"z\uE000\":10}",
			"{\"z\":7,\"zz\":8,\"z\U0001F600\":9,\"z\uE000\":10,\"\u00e9\":6,\"\uD7FF\":3,\"\U0001F600\":2,\"\U0010FFFF\":5,\"\uE000\":4,\"\uFFFD\":1}"},
		{"controls", "[\"\u007f\u2028\u0085\",\"\\u0000\\b\\t\\n\\f\\r\\u001f\\u000b\"]", "[\"\u007f\u2028\u0085\",\"\\u0000\\b\\t\\n\\f\\r\\u001f\\u000b\"]"},
		{"escapes", `"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/"`, `"€$\u000f\nA'B\"\\\\\"/"`},
		{"scalar", "true", "true"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := canon.JCS([]byte(c.in))
			require.NoError(t, err)
			assert.Equal(t, c.want, string(got))
		})
	}
}

func TestJCSRefuses(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]string{
		"nothing": "", "repeated name": `{"a":1,"a":2}`, "repeated name in disguise": `{"a":1,"\u0061":2}`,
		"lone surrogate": `"\ud800"`, "not UTF-8": "\"\xff\"", "two values": "1 2", "byte order mark": "\ufeff1",
		"infinite": "1e400", "not a number": "NaN", "deep": strings.Repeat("[", 1000) + strings.Repeat("]", 1000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := canon.JCS([]byte(in))
			var e *strictjson.Error
			assert.True(t, errors.As(err, &e), "got %v", err)
			assert.Nil(t, got)
		})
	}
}

// TestJCSSuite runs the published examples of RFC 8785.
func TestJCSSuite(t *testing.T) {
	t.Parallel()
	dir := suite.Dir(t, "jcs")
	files, err := filepath.Glob(filepath.Join(dir, "input", "*.json"))
	require.NoError(t, err)
	require.Len(t, files, 6)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			got, err := canon.JCS(suite.ReadFile(t, file))
			require.NoError(t, err)
			want := suite.ReadFile(t, filepath.Join(dir, "output", filepath.Base(file)))
			assert.Equal(t, string(want), string(got))
		})
	}
	t.Run("numbers", func(t *testing.T) {
		t.Parallel()
		f, err := os.Open(filepath.Join(dir, "es6numbers-sample.txt"))
		require.NoError(t, err)
		defer f.Close()
		n := 0
		for s := bufio.NewScanner(f); s.Scan(); n++ {
			bits, want, ok := strings.Cut(s.Text(), ",")
			require.True(t, ok)
			u, err := strconv.ParseUint(bits, 16, 64)
			require.NoError(t, err)
			in := strconv.FormatFloat(math.Float64frombits(u), 'e', -1, 64)
			got, err := canon.JCS([]byte(in))
			require.NoError(t, err, in)
			require.Equal(t, want, string(got), in)
		}
		assert.Equal(t, 10_000, n)
	})
}

// FuzzJCS checks that a canonical form is its own, and strict JSON.
func FuzzJCS(f *testing.F) {
	for _, s := range []string{"{}", `{"b":1,"a":[true,null,"\u0000\ud83d\ude00"]}`, "[1e-7,0.1,-0]"} {
		f.Add([]byte(s))
	}
	for _, seed := range suite.Seeds(f, suite.JSON, suite.Numbers) {
		f.Add(seed.Data)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		once, err := canon.JCS(in)
		if _, strict := strictjson.Parse(in, strictjson.DefaultLimits()); (strict == nil) != (err == nil) {
			t.Fatalf("%q: strict reading says %v, JCS says %v", in, strict, err)
		}
		if err != nil {
			return
		}
		twice, err := canon.JCS(once)
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%q: %q, then %q (%v)", in, once, twice, err)
		}
	})
}
