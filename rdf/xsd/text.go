package xsd

import (
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/rdf"
)

// validText checks the string datatypes (XSD 1.1 part 2, sections 3.3.1, 3.3.17
// and 3.4.1 to 3.4.7).
func validText(d Datatype, s string) bool {
	switch d {
	case NormalizedString, Token:
		return validChars(s) && validSpace(d, s)
	case Language:
		return validLanguage(s)
	case Name, NCName, NMTOKEN:
		return validName(d, s)
	}
	return validChars(s)
}

// validChars checks s against Char* of XML 1.1.
func validChars(s string) bool {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if c == 0 {
				return false
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || r == 0xFFFE || r == 0xFFFF {
			return false
		}
		i += n
	}
	return true
}

// validSpace checks the white space of a normalizedString or a token.
func validSpace(d Datatype, s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\t', '\n', '\r':
			return false
		case ' ':
			if d == Token && (i == 0 || i == len(s)-1 || s[i-1] == ' ') {
				return false
			}
		}
	}
	return true
}

// validLanguage checks s against [a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*.
func validLanguage(s string) bool {
	n, first := 0, true
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case isLetter(c) || !first && isDigit(c):
			if n++; n > 8 {
				return false
			}
		case c == '-' && n > 0:
			n, first = 0, false
		default:
			return false
		}
	}
	return n > 0
}

// validName checks s against the grammar of Name, NCName or Nmtoken.
func validName(d Datatype, s string) bool {
	for i, r := range s {
		if i > 0 && r < utf8.RuneSelf && (isLetter(byte(r)) || isDigit(byte(r)) || r == '-' || r == '_' || r == '.') {
			continue // most are
		}
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return false
			}
		}
		switch {
		case r == ':' && d == NCName:
			return false
		case i == 0 && d != NMTOKEN && !isNameStartChar(r):
			return false
		case !isNameChar(r):
			return false
		}
	}
	return s != ""
}

// isNameStartChar reports whether r is in NameStartChar of XML, the same since the
// fifth edition of XML 1.0 and in XML 1.1. Turtle took it over without the colon.
func isNameStartChar(r rune) bool {
	return r == ':' || rdf.IsNameStart(r)
}

// isNameChar reports whether r is in NameChar of XML.
func isNameChar(r rune) bool { return r == ':' || r == '.' || rdf.IsNameChar(r) }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// validHex checks s against ([0-9a-fA-F]{2})*.
func validHex(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; !isDigit(c) && (c|0x20 < 'a' || 'f' < c|0x20) {
			return false
		}
	}
	return len(s)%2 == 0
}

// validBase64 checks s against the grammar of XSD 1.1 part 2, section 3.3.16.2:
// groups of four characters, the last one padded with = where only zero bits
// are dropped, a single space anywhere between two characters.
func validBase64(s string) bool {
	n, pad, last := 0, 0, byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == ' ':
			if i == 0 || i == len(s)-1 || s[i-1] == ' ' {
				return false
			}
		case c == '=':
			n++
			pad++
		case pad > 0:
			return false
		case isLetter(c) || isDigit(c) || c == '+' || c == '/':
			n++
			last = c
		default:
			return false
		}
	}
	switch bits := sextet(last); pad {
	case 0:
		return n%4 == 0
	case 1:
		return n%4 == 0 && bits&0b11 == 0
	case 2:
		return n%4 == 0 && bits&0b1111 == 0
	}
	return false
}

// sextet returns the six bits that a character of base64 stands for.
func sextet(c byte) byte {
	switch {
	case 'A' <= c && c <= 'Z':
		return c - 'A'
	case 'a' <= c && c <= 'z':
		return c - 'a' + 26
	case isDigit(c):
		return c - '0' + 52
	case c == '+':
		return 62
	}
	return 63
}

func equalHex(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 0; i < len(a); i++ {
		// Bit 5 is set in digits and tells lower from upper case in letters.
		if a[i]|0x20 != b[i]|0x20 {
			return false
		}
	}
	return true
}

// equalBase64 compares without the spaces: the grammar leaves one spelling
// otherwise.
func equalBase64(a, b string) bool {
	i, j := 0, 0
	for {
		for i < len(a) && a[i] == ' ' {
			i++
		}
		for j < len(b) && b[j] == ' ' {
			j++
		}
		if i == len(a) || j == len(b) {
			return i == len(a) && j == len(b)
		}
		if a[i] != b[j] {
			return false
		}
		i++
		j++
	}
}
