package jsonld

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// appendCanonical appends the canonical form of a JSON value (RFC 8785) to dst.
// If strict is set it stops at the first number that is not [exact], and
// returns it.
func appendCanonical(dst []byte, v strictjson.Value, strict bool) (out []byte, inexact strictjson.Value) {
	switch v.Kind() {
	case strictjson.String:
		s, _ := v.Str()
		return appendString(dst, s), inexact
	case strictjson.Number:
		text, _ := v.Number()
		if strict && !exact(text) {
			return dst, v
		}
		f, _ := v.Float64()
		return appendES6(dst, f), inexact
	case strictjson.Array:
		dst = append(dst, '[')
		for i, item := range v.Items() {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, inexact = appendCanonical(dst, item, strict); inexact.Exists() {
				return dst, inexact
			}
		}
		return append(dst, ']'), inexact
	case strictjson.Object:
		members := make([]strictjson.Member, v.Len())
		for i := range members {
			members[i] = v.Member(i)
		}
		slices.SortFunc(members, func(a, b strictjson.Member) int { return compareUTF16(a.Str(), b.Str()) })
		dst = append(dst, '{')
		for i, m := range members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendString(dst, m.Str()), ':')
			if dst, inexact = appendCanonical(dst, m.Value, strict); inexact.Exists() {
				return dst, inexact
			}
		}
		return append(dst, '}'), inexact
	}
	return append(dst, v.Source()...), inexact // null, true, false
}

// appendString appends a string as RFC 8785, section 3.2.2.2, writes it.
func appendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(append(dst, s[from:i]...), '\\')
		from = i + 1
		switch c {
		case '\b':
			dst = append(dst, 'b')
		case '\t':
			dst = append(dst, 't')
		case '\n':
			dst = append(dst, 'n')
		case '\f':
			dst = append(dst, 'f')
		case '\r':
			dst = append(dst, 'r')
		case '"', '\\':
			dst = append(dst, c)
		default:
			dst = append(dst, 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(dst, s[from:]...), '"')
}

// appendES6 appends a finite number as ECMAScript writes it (RFC 8785, section
// 3.2.2.3).
func appendES6(dst []byte, f float64) []byte {
	if f == 0 {
		return append(dst, '0')
	}
	if a := math.Abs(f); a >= 1e-6 && a < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// An exponent has two digits at least here, and ECMAScript writes no zero
	// before its digits.
	if n := len(dst); dst[n-2] == '0' && (dst[n-3] == '-' || dst[n-3] == '+') {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

// compareUTF16 compares strings by their UTF-16 code units (RFC 8785, section
// 3.2.3).
func compareUTF16(a, b string) int {
	for a != "" && b != "" {
		x, n := utf8.DecodeRuneInString(a)
		y, m := utf8.DecodeRuneInString(b)
		if x != y {
			return cmp.Compare(leadUnit(x), leadUnit(y))
		}
		a, b = a[n:], b[m:]
	}
	return cmp.Compare(len(a), len(b))
}

// leadUnit orders a character among those with another first code unit; two
// characters beyond the BMP keep their order.
func leadUnit(r rune) float64 {
	if r < 0x10000 {
		return float64(r)
	}
	// Above U+D7FF and below U+E000, where no other character is.
	return 0xD800 + float64(r-0x10000)/0x100000
}
