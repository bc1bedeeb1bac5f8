package agentcard

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/internal/decimal"
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// form is a way to write JSON text. Signers that do not write the canonical form
// of RFC 8785 write one of these; the diagnosis tries them.
type form struct {
	order   order
	escapes escapes
	numbers numbers
}

// forms yields every form.
func forms(yield func(form) bool) {
	for o := range numOrders {
		for e := range numEscapes {
			for n := range numNumbers {
				if !yield(form{o, e, n}) {
					return
				}
			}
		}
	}
}

type order uint8

const (
	byUTF16     order = iota // RFC 8785
	byCodePoint              // Python, Go and everything that sorts UTF-8 bytes
	asWritten                // no sorting
	numOrders
)

type escapes uint8

const (
	minimal   escapes = iota // RFC 8785
	asciiOnly                // Python's json: \uXXXX for everything beyond ASCII
	htmlSafe                 // Go's encoding/json: <, >, & and two separators
	slashes                  // PHP's json_encode: \/
	numEscapes
)

type numbers uint8

const (
	ecmaScript numbers = iota // RFC 8785
	verbatim                  // as they are in the card
	pythonic                  // Python: 100.0, 1e-05
	numNumbers
)

// pythonForm is the form of the Python SDK up to 1.1.
func pythonForm() form { return form{byCodePoint, asciiOnly, pythonic} }

// String says what differs from the canonical form.
func (f form) String() string {
	var parts []string
	switch f.order {
	case byCodePoint:
		parts = append(parts, "members sorted by code point instead of UTF-16 code unit")
	case asWritten:
		parts = append(parts, "members not sorted")
	}
	switch f.escapes {
	case asciiOnly:
		parts = append(parts, `characters beyond ASCII escaped as \uXXXX`)
	case htmlSafe:
		parts = append(parts, `<, > and & escaped as \u003c, \u003e and \u0026`)
	case slashes:
		parts = append(parts, `/ escaped as \/`)
	}
	switch f.numbers {
	case verbatim:
		parts = append(parts, "numbers kept as they were written")
	case pythonic:
		parts = append(parts, "numbers written as Python does")
	}
	return strings.Join(parts, ", ")
}

// reform writes a JSON text, which was already read strictly, in another form.
func reform(text []byte, limits Limits, f form) ([]byte, error) {
	v, err := strictjson.Parse(text, limits.card())
	if err != nil {
		return nil, fromJSON(err)
	}
	return f.append(make([]byte, 0, len(text)), v), nil
}

func (f form) append(dst []byte, v strictjson.Value) []byte {
	switch v.Kind() {
	case strictjson.Object:
		members := make([]strictjson.Member, v.Len())
		for i := range members {
			members[i] = v.Member(i)
		}
		switch f.order {
		case byUTF16:
			slices.SortFunc(members, func(a, b strictjson.Member) int { return compareUTF16(a.Str(), b.Str()) })
		case byCodePoint:
			slices.SortFunc(members, func(a, b strictjson.Member) int { return cmp.Compare(a.Str(), b.Str()) })
		}
		dst = append(dst, '{')
		for i, m := range members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(f.string(dst, m.Str()), ':')
			dst = f.append(dst, m.Value)
		}
		return append(dst, '}')
	case strictjson.Array:
		dst = append(dst, '[')
		for i, e := range v.Items() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = f.append(dst, e)
		}
		return append(dst, ']')
	case strictjson.String:
		s, _ := v.Str()
		return f.string(dst, s)
	case strictjson.Number:
		n, _ := v.Number()
		return f.number(dst, n)
	}
	return appendVerbatim(dst, v)
}

// compareUTF16 compares strings by their UTF-16 code units (RFC 8785, section 3.2.3).
// It differs from the order of bytes only where there are characters beyond U+FFFF.
func compareUTF16(a, b string) int {
	for a != "" && b != "" {
		x, n := utf8.DecodeRuneInString(a)
		y, m := utf8.DecodeRuneInString(b)
		if x != y {
			if hi, _ := utf16.EncodeRune(x); x > 0xffff && y <= 0xffff {
				return cmp.Compare(hi, y)
			}
			if hi, _ := utf16.EncodeRune(y); y > 0xffff && x <= 0xffff {
				return cmp.Compare(x, hi)
			}
			return cmp.Compare(x, y)
		}
		a, b = a[n:], b[m:]
	}
	return cmp.Compare(len(a), len(b))
}

func (f form) string(dst []byte, s string) []byte {
	if f.escapes == minimal {
		return appendString(dst, s)
	}
	const digits = "0123456789abcdef"
	unit := func(r rune) {
		dst = append(dst, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
	}
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < ' ':
			quoted := appendString(nil, string(r))
			dst = append(dst, quoted[1:len(quoted)-1]...)
		case f.escapes == slashes && r == '/':
			dst = append(dst, '\\', '/')
		case f.escapes == htmlSafe && (r == '<' || r == '>' || r == '&' || r == '\u2028' || r == '\u2029'):
			unit(r)
		case f.escapes == asciiOnly && r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			unit(hi)
			unit(lo)
		case f.escapes == asciiOnly && r >= 0x7f:
			if r == 0x7f { // Python leaves DEL alone
				dst = append(dst, 0x7f)
				continue
			}
			unit(r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

func (f form) number(dst []byte, n string) []byte {
	switch f.numbers {
	case ecmaScript:
		if one, err := strictjson.Canonicalize([]byte("["+n+"]"), strictjson.Limits{}); err == nil {
			return append(dst, one[1:len(one)-1]...)
		}
	case pythonic:
		return appendPythonic(dst, n)
	}
	return append(dst, n...)
}

// appendPythonic writes a number as Python's json module writes what it read: an
// integer stays one, everything else is repr of a float.
func appendPythonic(dst []byte, n string) []byte {
	if !strings.ContainsAny(n, ".eE") {
		if n == "-0" {
			n = "0"
		}
		return append(dst, n...)
	}
	x := decimal.Double(n)
	if a := math.Abs(x); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.AppendFloat(dst, x, 'e', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, x, 'f', -1, 64)
	if !strings.Contains(string(dst[start:]), ".") {
		dst = append(dst, '.', '0')
	}
	return dst
}
