package scan_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/internal/scan"
)

// The classes agree with the character tests of the model.
func TestClasses(t *testing.T) {
	t.Parallel()
	for c := range 256 {
		class, ascii := scan.Of[c], c < utf8.RuneSelf
		r := rune(c)
		if !ascii {
			assert.Zero(t, class, "%#x", c)
			continue
		}
		assert.Equal(t, rdf.IsNameChar(r) || r == '.', class&scan.Name != 0, "%q", r)
		assert.Equal(t, rdf.IsNameChar(r) || r == '.' || r == ':', class&scan.Local != 0, "%q", r)
		assert.Equal(t, rdf.IsNameStart(r), class&scan.Start != 0, "%q", r)
		assert.Equal(t, rdf.IsNameStart(r) && r != '_', class&scan.Letter != 0, "%q", r)
		assert.Equal(t, '0' <= r && r <= '9', class&scan.Digit != 0, "%q", r)
		assert.Equal(t, strings.ContainsRune("0123456789abcdefABCDEF", r), class&scan.Hex != 0, "%q", r)
		assert.Equal(t, strings.ContainsRune(" \t\r\n", r), class&scan.Space != 0, "%q", r)
		assert.Equal(t, rdf.CheckIRI("a:"+string(r)) != nil, class&scan.NotInIRI != 0, "%q", r)
	}
}

// Plain looks at eight bytes at a time; a loop over single bytes says the same.
func TestPlain(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	alphabet := []byte("abcdefgh\t\x00\x01\x1f !#\x7f\x80\xa2\xdc\xff\"'\\\n\r")
	for range 20_000 {
		data := make([]byte, random.IntN(40))
		plain := random.IntN(2) * 10 // sometimes long runs without a stop
		for i := range data {
			data[i] = alphabet[random.IntN(len(alphabet)-plain/2)]
		}
		for _, quote := range []byte(`"'`) {
			for from := range len(data) + 1 {
				want := from
				for want < len(data) && data[want] != quote && data[want] != '\\' && data[want] != '\n' && data[want] != '\r' {
					want++
				}
				require.Equal(t, want, scan.Plain(data, from, quote), "%q from %d", data, from)
			}
		}
	}
}

func TestPlace(t *testing.T) {
	t.Parallel()
	data := []byte("\uFEFFaé\r\n\n😀x\ry\r\r\nz")
	want := map[string]string{"a": "1:1", "é": "1:2", "\r\n\n": "1:3", "\n\n": "1:4", "\n😀": "2:1", "😀": "3:1", "x": "3:2", "y": "4:1", "z": "6:1"}
	var tracker scan.Tracker
	for token, place := range want {
		off := strings.Index(string(data), token)
		require.GreaterOrEqual(t, off, 0)
		if token == "\n\n" {
			continue // the middle of a line end has no place of its own
		}
		assert.Equal(t, place, scan.Place("", data, off).String(), "%q", token)
		p := tracker.At(data, off) // in any order, also backwards
		assert.Equal(t, place, rdf.Place{Line: int(p.Line), Column: int(p.Column)}.String(), "%q", token)
	}
	assert.Equal(t, "f:6:2", scan.Place("f", data, len(data)).String())
	assert.Equal(t, "f:6:2", scan.Place("f", data, len(data)+5).String())
	assert.Equal(t, "1:1", scan.Place("", nil, 0).String())
	assert.Equal(t, "1:1", scan.Place("", data, len(scan.BOM)).String())
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "the end of the document", "\n": "the end of the line", "\r\n": "the end of the line", "\t": "a tab", " ": "a space",
		`"x`: `'"'`, ".": `"."`, "..": `"."`, "abc def": `"abc"`, "a.b.": `"a.b"`, "@prefix e:": `"@prefix"`, "é": `"é"`, "\u200E": "U+200E", "\u2028": "U+2028",
		"\u00A0": "U+00A0", "\uFEFFx": "U+FEFF", "\x00": "U+0000", "\x7f": "U+007F", "\u0301": `"` + "\u0301" + `"`,
		strings.Repeat("x", 1000): `"` + strings.Repeat("x", 40) + `"`,
	} {
		assert.Equal(t, want, scan.Describe([]byte(text), 0), "%q", text)
	}
}

func TestCache(t *testing.T) {
	t.Parallel()
	data := []byte("abc abcdefgh12345678 abd abcdefgh12345679 abc abcdefgh12345678")
	var c scan.Cache
	get := func(from, to int) rdf.ID { return c.Get(scan.Slot(data, from, to), data, from, to) }
	put := func(from, to int, id rdf.ID) { c.Put(scan.Slot(data, from, to), from, to, id) }
	put(0, 3, 1)
	put(4, 20, 2)
	assert.Equal(t, rdf.ID(1), get(42, 45))
	assert.Equal(t, rdf.ID(2), get(46, 62))
	assert.Zero(t, get(21, 24))
	assert.Zero(t, get(25, 41))
	c.Clear()
	assert.Zero(t, get(42, 45))
	assert.Zero(t, get(0, 3))
}
