package strictjson

import (
	"fmt"
	"strings"
)

// Code names the kind of a refusal. Codes are stable.
type Code string

// The codes of refused input.
const (
	CodeSyntax          Code = "syntax"           // the grammar of RFC 8259 does not allow what stands here
	CodeTrailingData    Code = "trailing-data"    // something follows the value
	CodeByteOrderMark   Code = "byte-order-mark"  // the text begins with U+FEFF
	CodeInvalidUTF8     Code = "invalid-utf8"     // the bytes are not UTF-8
	CodeInvalidEscape   Code = "invalid-escape"   // a backslash that begins no escape
	CodeLoneSurrogate   Code = "lone-surrogate"   // an escaped surrogate without its partner
	CodeDuplicateMember Code = "duplicate-member" // a name that its object has already
	CodeNumberRange     Code = "number-range"     // a number that rounds to no finite double
	CodeLimitExceeded   Code = "limit-exceeded"   // a number of Limits was reached
)

// Error says why a text was refused, and where.
type Error struct {
	Code    Code
	Text    string // the reason in words, without the place
	Offset  int    // in bytes, from 0
	Line    int    // from 1; CR, LF and CR LF each end a line
	Column  int    // from 1, in Unicode characters
	Pointer string // RFC 6901, of the innermost value that was being read; "" is the whole document

	Limit LimitName // which limit was reached, with CodeLimitExceeded
	Max   int64     // and its value
}

// Error returns the place and the reason.
func (e *Error) Error() string {
	if e.Pointer == "" {
		return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Text)
	}
	return fmt.Sprintf("%d:%d: %s (at %s)", e.Line, e.Column, e.Text, abbreviate(e.Pointer))
}

// DocumentCode returns the code of the refusal that cards, terms and workflows share:
// JSON_SYNTAX where there is no narrower one.
func (e *Error) DocumentCode() string {
	switch e.Code {
	case CodeDuplicateMember:
		return "JSON_DUPLICATE_KEY"
	case CodeInvalidUTF8, CodeLoneSurrogate:
		return "JSON_UNICODE"
	case CodeNumberRange:
		return "JSON_NUMBER_RANGE"
	case CodeLimitExceeded:
		switch e.Limit {
		case LimitDepth:
			return "JSON_TOO_DEEP"
		case LimitBytes:
			return "JSON_TOO_LARGE"
		}
		return "LIMIT_EXCEEDED"
	}
	return "JSON_SYNTAX"
}

// abbreviate quotes a text that came from the input and cuts it to a length.
func abbreviate(s string) string {
	const most = 120
	if len(s) > most {
		return fmt.Sprintf("%q...", strings.ToValidUTF8(s[:most], ""))
	}
	return fmt.Sprintf("%q", s)
}

// appendPointer appends a reference token to a JSON pointer (RFC 6901,
// section 3).
func appendPointer(dst []byte, token string) []byte {
	dst = append(dst, '/')
	for i := 0; i < len(token); i++ {
		switch c := token[i]; c {
		case '~':
			dst = append(dst, "~0"...)
		case '/':
			dst = append(dst, "~1"...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
