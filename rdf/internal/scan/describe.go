package scan

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/rdf"
)

// Describe says in words what stands at an offset of data.
func Describe(data []byte, off int) string {
	if off >= len(data) {
		return "the end of the document"
	}
	if c := data[off]; c == '\n' || c == '\r' {
		return "the end of the line"
	}
	end := off
	for end < len(data) && end < off+40 && (Of[data[end]]&Local != 0 || data[end] == '@') {
		end++
	}
	for end > off+1 && data[end-1] == '.' {
		end--
	}
	if end > off+1 {
		return `"` + rdf.Abbreviate(string(data[off:end])) + `"`
	}
	r, _ := utf8.DecodeRune(data[off:])
	return describeRune(r)
}

// describeRune says which character r is: itself in quotes, or U+XXXX where it
// cannot be seen.
func describeRune(r rune) string {
	switch {
	case r == '\t':
		return "a tab"
	case r == ' ':
		return "a space"
	case r == '"':
		return `'"'`
	case unicode.IsGraphic(r) && !unicode.IsSpace(r):
		return `"` + string(r) + `"`
	}
	return fmt.Sprintf("U+%04X", r)
}
