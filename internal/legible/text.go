package legible

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns s with everything that a terminal would not show as a
// character of its own (controls, marks of direction, line separators, bytes
// that are not UTF-8) written as \u{X}.
func Printable(s string) string {
	clean := true
	for _, r := range s {
		if !unicode.IsPrint(r) || r == utf8.RuneError {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x{%02X}`, s[i])
		case unicode.IsPrint(r) && r != utf8.RuneError:
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\u{%X}`, r)
		}
		i += n
	}
	return b.String()
}

// Cut shortens a text to so many characters.
func Cut(s string, most int) string {
	for i := range s {
		if most == 0 {
			return s[:i] + "..."
		}
		most--
	}
	return s
}
