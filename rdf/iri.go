package rdf

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CheckIRI reports, as a [*TermError], why s is not an IRI that a dataset may
// hold: it must be UTF-8, begin with a scheme (RFC 3986, section 3.1), and hold
// none of the characters that IRIREF of Turtle excludes (U+0000 to U+0020,
// <>"{}|^`\). Nothing else of RFC 3987 is checked, and nothing is normalized:
// IRIs are compared, hashed and written as they are spelt.
func CheckIRI(s string) error {
	var all iriClass
	for i := 0; i < len(s); i++ {
		all |= iriClasses[s[i]]
	}
	if all&iriExcluded != 0 {
		for i := 0; ; i++ {
			if c := s[i]; iriClasses[c] == iriExcluded {
				return &TermError{CodeInvalidIRI, fmt.Sprintf("an IRI cannot hold %s", describeByte(c))}
			}
		}
	}
	if all&iriBeyondASCII != 0 && !utf8.ValidString(s) {
		return &TermError{CodeInvalidUTF8, "the IRI is not UTF-8"}
	}
	if schemeLen(s) == 0 {
		return &TermError{CodeRelativeIRI, fmt.Sprintf("expected an absolute IRI, found <%s>, which is relative", Abbreviate(s))}
	}
	return nil
}

// iriClass says what a byte is to an IRI.
type iriClass uint8

const (
	iriExcluded    iriClass = 1 << iota // ASCII that IRIREF excludes
	iriBeyondASCII                      // a part of a longer character
)

var iriClasses = func() (t [256]iriClass) {
	for c := range 0x21 {
		t[c] = iriExcluded
	}
	for _, c := range []byte("<>\"{}|^`\\") {
		t[c] = iriExcluded
	}
	for c := utf8.RuneSelf; c < len(t); c++ {
		t[c] = iriBeyondASCII
	}
	return t
}()

func describeByte(c byte) string {
	if c > ' ' && c < 0x7f {
		return fmt.Sprintf("%q", string(c))
	}
	return fmt.Sprintf("U+%04X", c)
}

// Abbreviate makes a text that came from an input fit for a message: it cuts
// it to a length and shows what cannot be seen (controls, marks of direction, a
// byte order mark, bytes that are not UTF-8) as U+XXXX.
func Abbreviate(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case i >= abbreviated:
			b.WriteString("...")
			return b.String()
		case unicode.IsGraphic(r) && r != utf8.RuneError:
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "U+%04X", r)
		}
	}
	return b.String()
}

// abbreviated is how many bytes of a text a message shows.
const abbreviated = 80

// Abbreviated returns a term as a message shows it: what [Abbreviate] makes of its
// String, without writing all of a long text first.
func (t Term) Abbreviated() string {
	if len(t.value) > 2*abbreviated {
		t.value = t.value[:2*abbreviated] // a character that is cut is not shown
	}
	return Abbreviate(t.String())
}

// schemeLen returns the length of the scheme at the start of s without its
// colon, 0 if there is none.
func schemeLen(s string) int {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return i
		default:
			return 0
		}
	}
	return 0
}

// Base resolves references against a base IRI (RFC 3986, section 5.2.2, the
// strict algorithm). The zero Base is no base: every relative reference is
// refused. A Base is immutable and safe for concurrent use.
type Base struct {
	scheme string // with its colon
	auth   string // with its "//"; "" if there is none
	path   string
	query  string // with its "?"; "" if there is none
}

// ParseBase makes a base of an absolute IRI. It fails as [CheckIRI] does. A
// fragment is dropped.
func ParseBase(iri string) (Base, error) {
	if err := CheckIRI(iri); err != nil {
		return Base{}, err
	}
	n := schemeLen(iri) + 1
	b := Base{scheme: iri[:n]}
	b.auth, b.path, b.query, _ = splitReference(iri[n:])
	return b, nil
}

// IsZero reports whether there is no base.
func (b Base) IsZero() bool { return b.scheme == "" }

// String returns the base IRI, "" if there is none.
func (b Base) String() string { return b.scheme + b.auth + b.path + b.query }

// Resolve appends the IRI that ref stands for to dst. A reference with a
// scheme is taken as it is spelt, dot segments included: it is not relative,
// and syntaxes resolve only relative references. It fails with a [*TermError]
// of [CodeRelativeIRI] when ref is relative and there is no base. Characters
// are not checked here; the [Builder] checks every IRI it is given.
func (b Base) Resolve(dst []byte, ref string) ([]byte, error) {
	if schemeLen(ref) > 0 {
		return append(dst, ref...), nil
	}
	if b.IsZero() {
		return dst, &TermError{CodeRelativeIRI, fmt.Sprintf("the IRI reference <%s> is relative and there is no base", Abbreviate(ref))}
	}
	auth, path, query, fragment := splitReference(ref)
	dst = append(dst, b.scheme...)
	switch {
	case auth != "":
		dst = append(dst, auth...)
		dst = removeDotSegments(dst, path)
		dst = append(dst, query...)
	case path == "":
		dst = append(dst, b.auth...)
		dst = append(dst, b.path...)
		if query == "" {
			query = b.query
		}
		dst = append(dst, query...)
	case path[0] == '/':
		dst = append(dst, b.auth...)
		dst = removeDotSegments(dst, path)
		dst = append(dst, query...)
	default:
		dst = append(dst, b.auth...)
		dst = removeDotSegments(dst, b.merge(path))
		dst = append(dst, query...)
	}
	return append(dst, fragment...), nil
}

// merge joins a relative path to the base's (RFC 3986, section 5.2.3).
func (b Base) merge(path string) string {
	if b.auth != "" && b.path == "" {
		return "/" + path
	}
	return b.path[:strings.LastIndexByte(b.path, '/')+1] + path
}

// splitReference splits what follows the scheme into its components, each with
// its leading delimiter, so that an empty component differs from an absent one.
func splitReference(s string) (auth, path, query, fragment string) {
	if i := strings.IndexByte(s, '#'); i >= 0 {
		s, fragment = s[:i], s[i:]
	}
	if i := strings.IndexByte(s, '?'); i >= 0 {
		s, query = s[:i], s[i:]
	}
	if strings.HasPrefix(s, "//") {
		end := len(s)
		if i := strings.IndexByte(s[2:], '/'); i >= 0 {
			end = i + 2
		}
		auth, s = s[:end], s[end:]
	}
	return auth, s, query, fragment
}

// removeDotSegments appends path without "." and ".." segments to dst
// (RFC 3986, section 5.2.4). dst before the path is never touched.
func removeDotSegments(dst []byte, path string) []byte {
	start := len(dst)
	up := func() { // removes the last segment and the slash before it
		dst = dst[:start+max(0, bytes.LastIndexByte(dst[start:], '/'))]
	}
	for path != "" {
		switch {
		case strings.HasPrefix(path, "../"): // 2A
			path = path[3:]
		case strings.HasPrefix(path, "./"):
			path = path[2:]
		case strings.HasPrefix(path, "/./"): // 2B
			path = path[2:]
		case path == "/.":
			path = "/"
		case strings.HasPrefix(path, "/../"): // 2C
			path = path[3:]
			up()
		case path == "/..":
			path = "/"
			up()
		case path == "." || path == "..": // 2D
			path = ""
		default: // 2E
			end := len(path)
			if i := strings.IndexByte(path[1:], '/'); i >= 0 {
				end = i + 1
			}
			dst = append(dst, path[:end]...)
			path = path[end:]
		}
	}
	return dst
}
