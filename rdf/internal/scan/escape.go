package scan

import (
	"fmt"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/rdf"
)

// Unescape decodes the escape at the start of s, which begins with a backslash:
// UCHAR, and where echar is true ECHAR too. It returns the character and how
// many bytes spell it. Otherwise it returns size 0 and what is wrong.
//
// A surrogate is refused, in a pair too: in RDF an escape names one character
// (RDF 1.1 Concepts, section 3.3; RDF 1.2 Turtle excludes the range from
// UCHAR), and half the tools would read a pair as two replacement characters.
func Unescape(s []byte, echar bool) (r rune, size int, reason string) {
	if len(s) < 2 {
		return 0, 0, `expected an escape sequence after "\", found the end of the document`
	}
	digits := 0
	switch c := s[1]; {
	case c == 'u':
		digits = 4
	case c == 'U':
		digits = 8
	case echar:
		if e := echars[c]; e != 0 {
			return rune(e), 2, ""
		}
		fallthrough
	default:
		want := `\u or \U`
		if echar {
			want = `\t, \b, \n, \r, \f, \", \', \\, \u or \U`
		}
		r, _ := utf8.DecodeRune(s[1:])
		return 0, 0, fmt.Sprintf("expected one of %s, found \\%s", want, rdf.Abbreviate(string(r)))
	}
	var v uint32
	for i := 2; i < 2+digits; i++ {
		if i >= len(s) || Of[s[i]]&Hex == 0 {
			return 0, 0, fmt.Sprintf("expected %d hexadecimal digits after \\%c, found %d", digits, s[1], i-2)
		}
		v = v<<4 | hexValue(s[i])
	}
	text := s[:2+digits]
	switch {
	case 0xD800 <= v && v <= 0xDFFF:
		return 0, 0, fmt.Sprintf("%s is a surrogate, which is not a character", text)
	case v > utf8.MaxRune:
		return 0, 0, fmt.Sprintf("%s is beyond U+10FFFF, the last character", text)
	}
	return rune(v), 2 + digits, ""
}

func hexValue(c byte) uint32 {
	if c <= '9' {
		return uint32(c - '0')
	}
	return uint32(c|0x20-'a') + 10
}

// echars gives the character that a backslash and a byte stand for (ECHAR).
var echars = [256]byte{
	't': '\t', 'b': '\b', 'n': '\n', 'r': '\r', 'f': '\f', '"': '"', '\'': '\'', '\\': '\\',
}
