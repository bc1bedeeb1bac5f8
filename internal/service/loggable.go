package service

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLogged is how many characters of a text that somebody else chose are logged:
// enough to tell peers apart.
const maxLogged = 120

// loggable returns a text that somebody else chose as it may be logged (a2a-rdf,
// GEN-4): cut, without what is no visible character, without userinfo.
func loggable(s string) string {
	s = withoutUserinfo(s)                                // of all of it: the "@" may stand behind what is cut
	if cut := maxLogged * utf8.UTFMax * 4; len(s) > cut { // what is removed is not counted, but bounded
		s = s[:cut]
	}
	var b strings.Builder
	n := 0
	for _, r := range s {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			continue
		}
		if n++; n > maxLogged {
			b.WriteString("...")
			break
		}
		b.WriteRune(r)
	}
	return b.String()
}

// withoutUserinfo removes the userinfo of everything in a text that looks like a URL
// (RFC 3986, section 3.2): what stands between "//" and the last "@" of the authority.
func withoutUserinfo(s string) string {
	var b strings.Builder
	for {
		at := strings.Index(s, "//")
		if at < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:at+2])
		s = s[at+2:]
		end := strings.IndexAny(s, `/?#\ `)
		if end < 0 {
			end = len(s)
		}
		if user := strings.LastIndexByte(s[:end], '@'); user >= 0 {
			s = s[user+1:]
		}
	}
}
