package strictjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"github.com/rdfproto/rdfproto/internal/suite"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func parse(t *testing.T, text string) strictjson.Value {
	t.Helper()
	v, err := strictjson.Parse([]byte(text), strictjson.Limits{})
	require.NoError(t, err)
	return v
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	const (
		syntax    = strictjson.CodeSyntax
		escape    = strictjson.CodeInvalidEscape
		surrogate = strictjson.CodeLoneSurrogate
		duplicate = strictjson.CodeDuplicateMember
		number    = strictjson.CodeNumberRange
		utf8      = strictjson.CodeInvalidUTF8
		trailing  = strictjson.CodeTrailingData
	)
	for _, tt := range []struct {
		name, text   string
		code         strictjson.Code
		line, column int
		pointer      string
	}{
		{"nothing", "", syntax, 1, 1, ""},
		{"white space alone", " \r\n\t", syntax, 2, 2, ""},
		{"no-break space", "\u00a0 1", syntax, 1, 1, ""},
		{"form feed", "\f1", syntax, 1, 1, ""},
		{"byte order mark", "\uFEFF{}", strictjson.CodeByteOrderMark, 1, 1, ""},
		{"byte order mark within", "{\uFEFF}", syntax, 1, 2, ""},
		{"comment", "{} // x", trailing, 1, 4, ""},
		{"second value", "{} {}", trailing, 1, 4, ""},
		{"trailing comma at the root", "1,", trailing, 1, 2, ""},
		{"NUL after the value", "1\x00", trailing, 1, 2, ""},
		{"open object", `{`, syntax, 1, 2, ""},
		{"open array", `[1`, syntax, 1, 3, "/1"},
		{"open string", `"abc`, syntax, 1, 5, ""},
		{"string ends in backslash", `"abc\`, syntax, 1, 6, ""},
		{"wrong bracket", `[1}`, syntax, 1, 3, "/1"},
		{"wrong brace", `{"a":1]`, syntax, 1, 7, ""},
		{"trailing comma in array", `[1,]`, syntax, 1, 4, "/1"},
		{"trailing comma in object", `{"a":1,}`, syntax, 1, 8, ""},
		{"missing comma", `[1 2]`, syntax, 1, 4, "/1"},
		{"leading comma", `[,1]`, syntax, 1, 2, "/0"},
		{"two commas", `{"a":1,,"b":2}`, syntax, 1, 8, ""},
		{"missing colon", `{"a" 1}`, syntax, 1, 6, "/a"},
		{"missing value", `{"a":}`, syntax, 1, 6, "/a"},
		{"bare name", `{a:1}`, syntax, 1, 2, ""},
		{"single quotes", `{'a':1}`, syntax, 1, 2, ""},
		{"number as a name", `{1:1}`, syntax, 1, 2, ""},
		{"upper-case literal", `[True]`, syntax, 1, 2, "/0"},
		{"cut literal", `nul`, syntax, 1, 1, ""},
		{"literal with a tail", `[nullx]`, syntax, 1, 6, "/1"},
		{"NaN", `NaN`, syntax, 1, 1, ""},
		{"Infinity", `-Infinity`, syntax, 1, 2, ""},
		{"plus sign", `+1`, syntax, 1, 1, ""},
		{"leading zero", `01`, syntax, 1, 2, ""},
		{"negative leading zero", `-01`, syntax, 1, 3, ""},
		{"minus alone", `-`, syntax, 1, 2, ""},
		{"point without digits", `1.`, syntax, 1, 3, ""},
		{"point first", `.5`, syntax, 1, 1, ""},
		{"exponent without digits", `1e`, syntax, 1, 3, ""},
		{"exponent with sign alone", `1e+`, syntax, 1, 4, ""},
		{"two points", `1.2.3`, syntax, 1, 4, ""},
		{"underscore", `1_0`, trailing, 1, 2, ""},
		{"hexadecimal", `0x10`, trailing, 1, 2, ""},
		{"number too large", `{"n":1e309}`, number, 1, 6, "/n"},
		{"negative number too large", `-1e400`, number, 1, 1, ""},
		{"too large without exponent", strings.Repeat("9", 310), number, 1, 1, ""},
		{"control character", "\"a\x01\"", syntax, 1, 3, ""},
		{"raw line end", "\"a\nb\"", syntax, 1, 3, ""},
		{"raw tab", "\"a\tb\"", syntax, 1, 3, ""},
		{"unknown escape", `"a\x41"`, escape, 1, 3, ""},
		{"short unicode escape", `"\u12"`, escape, 1, 2, ""},
		{"unicode escape with sign", `"\u+123"`, escape, 1, 2, ""},
		{"high surrogate alone", `["\uD800"]`, surrogate, 1, 3, "/0"},
		{"low surrogate alone", `"\uDC00"`, surrogate, 1, 2, ""},
		{"reversed pair", `"\uDC00\uD800"`, surrogate, 1, 2, ""},
		{"high surrogate twice", `"\uD800\uD800"`, surrogate, 1, 2, ""},
		{"surrogate and text", `"\uD800x"`, surrogate, 1, 2, ""},
		{"surrogate in a name", `{"\uD800":1}`, surrogate, 1, 3, ""},
		{"invalid byte", "{\"a\":\"é\xff\"}", utf8, 1, 8, ""},
		{"cut sequence", "\"\xc3", utf8, 1, 2, ""},
		{"overlong", "\"\xc0\xaf\"", utf8, 1, 2, ""},
		{"surrogate bytes", "\"\xed\xa0\x80\"", utf8, 1, 2, ""},
		{"beyond U+10FFFF", "\"\xf4\x90\x80\x80\"", utf8, 1, 2, ""},
		{"duplicate", `{"a":1,"b":2,"a":1}`, duplicate, 1, 14, "/a"},
		{"duplicate by escape", `{"a":1,"\u0061":2}`, duplicate, 1, 8, "/a"},
		{"duplicate within", "[0,{\"x/y\":{\n \"é~\":1, \"é~\":2}}]", duplicate, 2, 10, "/1/x~1y/é~0"},
		{"duplicate empty name", `{"":1,"":2}`, duplicate, 1, 7, "/"},
		{"duplicate among many", `{` + names(40) + `"n7":1}`, duplicate, 1, 1 + len(names(40)) + 1, "/n7"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v, err := strictjson.Parse([]byte(tt.text), strictjson.Limits{})
			var e *strictjson.Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, tt.code, e.Code, e.Error())
			assert.Equal(t, [2]int{tt.line, tt.column}, [2]int{e.Line, e.Column}, e.Error())
			assert.Equal(t, tt.pointer, e.Pointer)
			assert.False(t, v.Exists(), "nothing of a refused text may be used")
			assert.NotEmpty(t, e.Text)
		})
	}
}

// names returns n members with names of their own and a comma after each.
func names(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"n%d":0,`, i)
	}
	return b.String()
}

func TestValues(t *testing.T) {
	t.Parallel()
	v := parse(t, ` {"s":"a\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00\u0000","n":-1.50E+2,"t":true,"f":false,"z":null,`+
		`"a":[1,[],{}],"o":{"b":"","a":"é"}} `)
	require.Equal(t, strictjson.Object, v.Kind())
	var order []string
	for name := range v.Members() {
		order = append(order, name)
	}
	assert.Equal(t, []string{"s", "n", "t", "f", "z", "a", "o"}, order)

	s, ok := v.Get("s").Str()
	assert.True(t, ok)
	assert.Equal(t, "a\"\\/\b\f\n\r\té😀\x00", s)
	n, ok := v.Get("n").Number()
	assert.True(t, ok)
	assert.Equal(t, "-1.50E+2", n, "the text of a number is kept")
	f, ok := v.Get("n").Float64()
	assert.True(t, ok)
	assert.Equal(t, -150.0, f)
	yes, ok := v.Get("t").Bool()
	assert.True(t, yes && ok)
	no, ok := v.Get("f").Bool()
	assert.True(t, !no && ok)
	assert.True(t, v.Get("z").IsNull())

	a := v.Get("a")
	require.Equal(t, 3, a.Len())
	one, ok := a.Index(0).Int64()
	assert.True(t, ok)
	assert.EqualValues(t, 1, one)
	assert.Equal(t, strictjson.Array, a.Index(1).Kind())
	assert.Equal(t, 0, a.Index(1).Len())
	assert.Equal(t, strictjson.Object, a.Index(2).Kind())
	kinds := []strictjson.Kind{}
	for i, item := range a.Items() {
		assert.Equal(t, a.Index(i), item)
		kinds = append(kinds, item.Kind())
	}
	assert.Equal(t, []strictjson.Kind{strictjson.Number, strictjson.Array, strictjson.Object}, kinds)

	m := v.Get("o").Member(1)
	assert.Equal(t, "a", m.Str())
	text, _ := m.Value.Str()
	assert.Equal(t, "é", text)
}

func TestWrongKindAnswersNo(t *testing.T) {
	t.Parallel()
	v := parse(t, `{"a":[1.5],"b":true}`)
	for _, absent := range []strictjson.Value{{}, v.Get("x"), v.Get("a").Index(1), v.Get("a").Index(-1), v.Index(0), v.Get("b").Get("c"), v.Member(2).Value, v.Get("x").Get("y")} {
		assert.False(t, absent.Exists())
		assert.Equal(t, strictjson.Absent, absent.Kind())
		assert.False(t, absent.IsNull(), "absent is not null")
		assert.Zero(t, absent.Len())
		_, ok := absent.Str()
		assert.False(t, ok)
		line, column := absent.Place()
		assert.Equal(t, [2]int{}, [2]int{line, column})
		assert.Empty(t, absent.Pointer())
	}
	_, ok := v.Str()
	assert.False(t, ok)
	_, ok = v.Number()
	assert.False(t, ok)
	_, ok = v.Float64()
	assert.False(t, ok)
	_, ok = v.Bool()
	assert.False(t, ok)
	_, ok = v.Get("a").Index(0).Int64()
	assert.False(t, ok, "1.5 is no int64")
	_, ok = parse(t, `9223372036854775808`).Int64()
	assert.False(t, ok)
	for range v.Items() {
		t.Error("an object has no items")
	}
	for range v.Get("a").Members() {
		t.Error("an array has no members")
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	text := "[\r\n {\"é~/\" :\r\"😀\", \"b\":[null, 12]},\n\t\"x\"\n]"
	v := parse(t, text)
	l := v.Locator()
	o := v.Index(0)
	for _, tt := range []struct {
		name         string
		value        strictjson.Value
		line, column int
		pointer      string
	}{
		{"root", v, 1, 1, ""},
		{"object", o, 2, 2, "/0"},
		{"member name", o.Member(0).Name, 2, 3, "/0/é~0~1"},
		{"after a CR", o.Member(0).Value, 3, 1, "/0/é~0~1"},
		{"after a character outside the BMP", o.Member(1).Name, 3, 6, "/0/b"},
		{"array", o.Get("b"), 3, 10, "/0/b"},
		{"null", o.Get("b").Index(0), 3, 11, "/0/b/0"},
		{"number", o.Get("b").Index(1), 3, 17, "/0/b/1"},
		{"after a tab", v.Index(1), 4, 2, "/1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			line, column := tt.value.Place()
			assert.Equal(t, [2]int{tt.line, tt.column}, [2]int{line, column})
			line, column = l.Place(tt.value.Offset())
			assert.Equal(t, [2]int{tt.line, tt.column}, [2]int{line, column}, "locator")
			assert.Equal(t, tt.pointer, tt.value.Pointer())
			within, ok := tt.value.PointerWithin(len(tt.pointer))
			assert.True(t, ok)
			assert.Equal(t, tt.pointer, within)
			if tt.pointer != "" {
				within, ok = tt.value.PointerWithin(len(tt.pointer) - 1)
				assert.False(t, ok)
				assert.Empty(t, within)
			}
		})
	}
}

func TestLocatorAgreesWithPlace(t *testing.T) {
	t.Parallel()
	v := parse(t, "["+strings.Repeat("\"é\\u00e9\",\r\n 12.5,\r", 200)+"0]")
	l := v.Locator()
	for _, item := range v.Items() {
		line, column := item.Place()
		gotLine, gotColumn := l.Place(item.Offset())
		require.Equal(t, [2]int{line, column}, [2]int{gotLine, gotColumn})
	}
	line, _ := l.Place(1 << 20)
	assert.Zero(t, line)
	line, _ = strictjson.Value{}.Locator().Place(0)
	assert.Zero(t, line)
}

func TestSource(t *testing.T) {
	t.Parallel()
	parts := []string{
		`1.5e3`, `"a\"]}\\"`, `""`, `true`, `false`, `null`, `[]`, `[ ]`, `{}`, `{ }`, `[[ ] ]`, `{"a":{ "b": [1 ,{}] } }`,
		`[ "x]" ]`, `{"a\"}":"b" }`, `[{"a":[null ] } ]`,
	}
	v := parse(t, " [ "+strings.Join(parts, " , ")+" ] ")
	for i, item := range v.Items() {
		assert.Equal(t, parts[i], item.Source())
		assert.Equal(t, item, v.At(item.Offset()))
	}
	assert.Equal(t, "[ "+strings.Join(parts, " , ")+" ]", v.Source())
	assert.Empty(t, strictjson.Value{}.Source())
}

func TestAtAndNamed(t *testing.T) {
	t.Parallel()
	v := parse(t, `{"x":1,"a":[{"x":{"x":2}},"x"],"\u0078y":0}`)
	name := v.Member(0).Name
	assert.Equal(t, name, v.At(name.Offset()))
	assert.Equal(t, v, v.At(0))
	assert.False(t, v.At(2).Exists(), "nothing begins within a name")
	assert.False(t, v.At(-1).Exists())
	assert.False(t, strictjson.Value{}.At(0).Exists())
	var pointers []string
	for x := range v.Named("x") {
		pointers = append(pointers, x.Pointer())
	}
	assert.ElementsMatch(t, []string{"/x", "/a/0/x", "/a/0/x/x"}, pointers)
	for range v.Named("x") {
		break
	}
	for range (strictjson.Value{}).Named("x") {
		t.Error("nothing is named within the zero Value")
	}
}

func TestResultSharesNothingWithTheInput(t *testing.T) {
	t.Parallel()
	data := []byte(`{"name":"value"}`)
	v, err := strictjson.Parse(data, strictjson.Limits{})
	require.NoError(t, err)
	clear(data)
	s, _ := v.Get("name").Str()
	assert.Equal(t, "value", s)
}

func TestLimits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name        string
		limits      strictjson.Limits
		within, one string // the second is one too many
		limit       strictjson.LimitName
		text        string
	}{
		{"bytes", strictjson.Limits{Bytes: 4}, `[1 ]`, `[1  ]`, strictjson.LimitBytes, "bytes limit 4 exceeded"},
		{"nesting", strictjson.Limits{Depth: 3}, `[[{}]]`, `[[{"a":[]}]]`, strictjson.LimitDepth, "nesting limit 3 exceeded"},
		{"values", strictjson.Limits{Values: 4}, `[1,{"a":2}]`, `[1,{"a":2,"b":3}]`, strictjson.LimitValues, "values limit 4 exceeded"},
		{"members", strictjson.Limits{Members: 2}, `{"a":{"c":1,"d":1},"b":1}`, `{"a":{"c":1,"d":1,"e":1},"b":1}`, strictjson.LimitMembers, "members limit 2 exceeded"},
		{"default nesting", strictjson.Limits{}, strings.Repeat("[", 64) + strings.Repeat("]", 64), strings.Repeat("[", 65), strictjson.LimitDepth, "nesting limit 64 exceeded"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := strictjson.Parse([]byte(tt.within), tt.limits)
			require.NoError(t, err)
			_, err = strictjson.Parse([]byte(tt.one), tt.limits)
			var e *strictjson.Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, strictjson.CodeLimitExceeded, e.Code)
			assert.Equal(t, tt.limit, e.Limit)
			assert.Equal(t, tt.text, e.Text)
			assert.NotZero(t, e.Max)
		})
	}
}

// Hostile texts cost time in proportion to their size and no Go stack.
func TestHostileTextsFailFlat(t *testing.T) {
	t.Parallel()
	wide := strictjson.Limits{Bytes: 1 << 30, Depth: 1 << 30, Values: 1 << 30, Members: 1 << 30}
	const million = 1_000_000
	for _, tt := range []struct {
		name, text string
		ok         bool
	}{
		{"a million open arrays", strings.Repeat("[", million), false},
		{"a million closed arrays", strings.Repeat("[", million) + strings.Repeat("]", million), true},
		{"a million open objects", strings.Repeat(`{"a":`, million), false},
		{"a million members", "{" + names(million) + `"last":0}`, true},
		{"a million members and one again", "{" + names(million) + `"n0":0}`, false},
		{"a hundred thousand objects after a large one", "[{" + names(100_000) + `"l":0}` + strings.Repeat(`,{`+names(17)+`"l":0}`, 100_000) + "]", true},
		{"a million escapes", `"` + strings.Repeat(`\u0061`, million) + `"`, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v, err := strictjson.Parse([]byte(tt.text), wide)
			assert.Equal(t, tt.ok, err == nil)
			assert.Equal(t, tt.ok, v.Exists())
		})
	}
}

// What the default limits refuse, they refuse before it has cost anything.
func TestDefaultLimitsRefuseEarly(t *testing.T) {
	data := []byte("{" + names(1_000_000) + `"last":0}`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := strictjson.Parse(data, strictjson.Limits{Bytes: 1 << 30})
	runtime.ReadMemStats(&after)
	var e *strictjson.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, strictjson.LimitMembers, e.Limit)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20))
}

func TestFewAllocations(t *testing.T) {
	data := []byte(`{"@context":{"@vocab":"https://e.example/"},"@id":"https://e.example/1","a":[1,2,3],"b":{"c":"d\n"}}`)
	n := testing.AllocsPerRun(100, func() {
		if _, err := strictjson.Parse(data, strictjson.Limits{}); err != nil {
			t.Fatal(err)
		}
	})
	assert.LessOrEqual(t, n, 12.0)
}

func TestErrorText(t *testing.T) {
	t.Parallel()
	_, err := strictjson.Parse([]byte("{\"a\":[1,\n x]}"), strictjson.Limits{})
	assert.EqualError(t, err, `2:2: expected a value, found "x" (at "/a/1")`)
	_, err = strictjson.Parse([]byte("x"), strictjson.Limits{})
	assert.EqualError(t, err, `1:1: expected a value, found "x"`)
	_, err = strictjson.Parse([]byte(`{"`+strings.Repeat("é", 200)+`":x}`), strictjson.Limits{})
	assert.Less(t, len(err.Error()), 300, "texts of the input are cut")
}

func FuzzAgainstEncodingJSON(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-2.5e3,"x\u00e9\ud83d\ude00"],"b":{"c":null,"d":true,"e":false}}`, `[]`, `"\ud800"`, `{"a":1,"\u0061":2}`, `1e999`,
		"\"\xff\"", "\uFEFF1", `[[[[[[[[]]]]]]]]`, ` { } `, `01`, `-0`, `1E-400`, `nul`, `{"a":1}x`, `"\u2028"`, "\"\x7f\"",
	} {
		f.Add([]byte(seed))
	}
	for _, seed := range suite.Seeds(f, suite.JSON, suite.Numbers) {
		f.Add(seed.Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := strictjson.Parse(data, strictjson.Limits{})
		dec := json.NewDecoder(bytes.NewReader(data))
		dec.UseNumber()
		var want any
		theirs := dec.Decode(&want)
		if theirs == nil && dec.More() || theirs == nil && len(bytes.TrimSpace(data[dec.InputOffset():])) > 0 {
			theirs = errors.New("trailing data")
		}
		if err == nil {
			require.NoError(t, theirs, "accepted what encoding/json refuses")
			require.Equal(t, want, plain(v))
			return
		}
		var e *strictjson.Error
		require.ErrorAs(t, err, &e)
		require.NotEmpty(t, e.Text)
		require.True(t, e.Line >= 1 && e.Column >= 1 && e.Offset <= len(data))
		if theirs == nil {
			switch e.Code {
			case strictjson.CodeInvalidUTF8, strictjson.CodeLoneSurrogate, strictjson.CodeDuplicateMember,
				strictjson.CodeNumberRange, strictjson.CodeLimitExceeded:
			default:
				t.Fatalf("refused for a reason that is not listed: %v", e)
			}
		}
	})
}

// plain turns a value into what encoding/json makes of the same text.
func plain(v strictjson.Value) any {
	switch v.Kind() {
	case strictjson.Bool:
		b, _ := v.Bool()
		return b
	case strictjson.Number:
		n, _ := v.Number()
		return json.Number(n)
	case strictjson.String:
		s, _ := v.Str()
		return s
	case strictjson.Array:
		a := []any{}
		for _, item := range v.Items() {
			a = append(a, plain(item))
		}
		return a
	case strictjson.Object:
		o := map[string]any{}
		for name, member := range v.Members() {
			o[name] = plain(member)
		}
		return o
	}
	return nil
}

// TestNumberRange: a number is refused when the nearest double is infinite, however it is
// written.
func TestNumberRange(t *testing.T) {
	t.Parallel()
	zeros := func(n int) string { return strings.Repeat("0", n) }
	for number, finite := range map[string]bool{
		"1e308": true, "1.7976931348623157e308": true, "1.7976931348623158e+308": true, "1.7976931348623159e308": false, "-1.8E308": false, "1e309": false,
		"0.01e310": true, "0.01e311": false, "179e306": true, "180e306": false, "1e-400": true, "1e-99999999999999999999": true, "1e99999999999999999999": false,
		"0e99999999999999999999": true, "-0.0e999": true, "1" + zeros(308): true, "1" + zeros(309): false, "-2" + zeros(308): false, "2" + zeros(308) + ".5": false,
		"1" + zeros(400) + "e-100": true, "1" + zeros(400) + "e-92": true, "1" + zeros(400) + "e-91": false,
		"0." + zeros(400) + "1e709": true, "0." + zeros(400) + "1e710": false, "1" + zeros(4000) + "e-99999999999": true,
	} {
		v, err := strictjson.Parse([]byte("["+number+"]"), strictjson.Limits{})
		if finite {
			require.NoError(t, err, number)
			f, ok := v.Index(0).Float64()
			assert.True(t, ok && !math.IsInf(f, 0), number)
			continue
		}
		e, ok := errors.AsType[*strictjson.Error](err)
		require.True(t, ok, number)
		assert.Equal(t, strictjson.CodeNumberRange, e.Code, number)
	}
}

func BenchmarkParse(b *testing.B) {
	var doc strings.Builder
	doc.WriteString(`{"@graph":[`)
	for i := range 1000 {
		if i > 0 {
			doc.WriteByte(',')
		}
		fmt.Fprintf(&doc, `{"@id":"https://e.example/person/%d","name":"Person %d","age":%d,"knows":["https://e.example/person/%d"]}`, i, i, i%90, i+1)
	}
	doc.WriteString(`]}`)
	data := []byte(doc.String())
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := strictjson.Parse(data, strictjson.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestCanonical takes the canonical form of values within a document.
func TestCanonical(t *testing.T) {
	t.Parallel()
	v, err := strictjson.Parse([]byte(` { "b" : [ 1.0 , {"\ufb33":1,"\ud83d\ude00":"\u0007\/","a":null} , true ] , "a" : { } } `), strictjson.Limits{})
	require.NoError(t, err)
	for pointer, row := range map[string]struct {
		v    strictjson.Value
		want string
	}{
		"":       {v, "{\"a\":{},\"b\":[1,{\"a\":null,\"\U0001F600\":\"\\u0007/\",\"\uFB33\":1},true]}"},
		"/a":     {v.Get("a"), `{}`},
		"/b/0":   {v.Get("b").Index(0), `1`},
		"/b/1":   {v.Get("b").Index(1), "{\"a\":null,\"\U0001F600\":\"\\u0007/\",\"\uFB33\":1}"},
		"/b/2":   {v.Get("b").Index(2), `true`},
		"/b/1/a": {v.Get("b").Index(1).Get("a"), `null`},
	} {
		got, err := row.v.Canonical()
		require.NoError(t, err, pointer)
		assert.Equal(t, row.want, string(got), pointer)
	}
	_, err = strictjson.Value{}.Canonical()
	require.Error(t, err)
}

// What is borrowed says the same as what is copied, and has the memory of the text.
func TestBorrow(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"a":[1,"b\\u0063",null,{"d":true}],"e":"f"}`, `"x"`, `[`, `{"a":1,"a":2}`, "\xff", ` 1 `} {
		data := []byte(text)
		copied, err1 := strictjson.Parse(data, strictjson.Limits{})
		borrowed, err2 := strictjson.Borrow(data, strictjson.Limits{})
		require.Equal(t, err1, err2, text)
		require.Equal(t, copied.Source(), borrowed.Source(), text)
		require.Equal(t, copied.Size(), borrowed.Size(), text)
	}
	data := []byte(`{"a":"b"}`)
	copied, err := strictjson.Parse(data, strictjson.Limits{})
	require.NoError(t, err)
	borrowed, err := strictjson.Borrow(data, strictjson.Limits{})
	require.NoError(t, err)
	data[6] = 'c'
	require.Equal(t, `{"a":"b"}`, copied.Source())
	require.Equal(t, `{"a":"c"}`, borrowed.Source())
	_, err = strictjson.Borrow([]byte("[1]"), strictjson.Limits{Bytes: 2})
	require.ErrorContains(t, err, "bytes limit 2 exceeded")
}

func TestSame(t *testing.T) {
	t.Parallel()
	parse := func(text string) strictjson.Value {
		v, err := strictjson.Parse([]byte(text), strictjson.Limits{})
		require.NoError(t, err)
		return v
	}
	for _, row := range []struct {
		name, a, b string
		want       bool
	}{
		{"order and spelling", `{"a":[1,"b",null,true],"c":{"d":"\u0065"}}`, ` { "c" : {"d":"e"}, "\u0061":[1, "b",null ,true]}`, true},
		{"empty", `{}`, `{ }`, true},
		{"object and array", `{}`, `[]`, false},
		{"another member", `{"a":1}`, `{"b":1}`, false},
		{"one more member", `{"a":1,"b":1}`, `{"a":1}`, false},
		{"one less member", `{"a":1}`, `{"a":1,"b":1}`, false},
		{"another value", `{"a":"x"}`, `{"a":"y"}`, false},
		{"case", `{"a":"x"}`, `{"A":"x"}`, false},
		{"true and false", `true`, `false`, false},
		{"null and false", `null`, `false`, false},
		{"order of elements", `[1,2]`, `[2,1]`, false},
		{"fewer elements", `[1]`, `[1,2]`, false},
		{"number and string", `1`, `"1"`, false},
		{"another spelling of a number", `1`, `1.0`, false},
	} {
		a, b := parse(row.a), parse(row.b)
		require.Equal(t, row.want, a.Same(b), row.name)
		require.Equal(t, row.want, b.Same(a), row.name)
		require.True(t, a.Same(a), row.name)
		require.False(t, a.Same(strictjson.Value{}), row.name)
		require.False(t, strictjson.Value{}.Same(b), row.name)
	}
}

func TestDocumentCode(t *testing.T) {
	t.Parallel()
	small := strictjson.Limits{Bytes: 11, Depth: 2, Values: 3}
	for text, want := range map[string]string{
		`{"a":1`:       "JSON_SYNTAX",
		`1 2`:          "JSON_SYNTAX",
		"\ufeff1":      "JSON_SYNTAX",
		`"\x"`:         "JSON_SYNTAX",
		`[1,2,345678]`: "JSON_TOO_LARGE",
		`{"":1,"":2}`:  "JSON_DUPLICATE_KEY",
		"\"\xff\"":     "JSON_UNICODE",
		`"\ud800"`:     "JSON_UNICODE",
		`1e400`:        "JSON_NUMBER_RANGE",
		`[[[1]]]`:      "JSON_TOO_DEEP",
		`[1,1,1,1]`:    "LIMIT_EXCEEDED",
	} {
		_, err := strictjson.Parse([]byte(text), small)
		var e *strictjson.Error
		require.ErrorAs(t, err, &e, text)
		require.Equal(t, want, e.DocumentCode(), text)
	}
}
