package scan

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/rdf"
)

// Unexpected says that the grammar wants something else at an offset.
func Unexpected(file string, data []byte, off int, expected string) error {
	return &rdf.SyntaxError{
		Code: rdf.CodeSyntax, Place: Place(file, data, off), Expected: expected, Found: Describe(data, off),
	}
}

// Fault says what is wrong at an offset.
func Fault(code rdf.Code, file string, data []byte, off int, reason string) error {
	return &rdf.SyntaxError{Code: code, Place: Place(file, data, off), Expected: reason}
}

// IRIRef decodes the IRIREF that begins at an offset of data and appends the
// IRI, which may be most bytes long, to dst. It returns the offset after the
// closing bracket.
func IRIRef(dst, data []byte, start, most int, file string) ([]byte, int, error) {
	from := len(dst)
	for i := start + 1; i < len(data); {
		if len(dst)-from > most {
			return dst, 0, &rdf.LimitError{Limit: rdf.LimitIRIBytes, Max: int64(most), Place: Place(file, data, start)}
		}
		c := data[i]
		switch {
		case c == '>':
			return dst, i + 1, nil
		case c == '\\':
			r, size, reason := Unescape(data[i:], false)
			if size == 0 {
				return dst, 0, Fault(rdf.CodeInvalidEscape, file, data, i, reason)
			}
			if r < utf8.RuneSelf && Of[r]&NotInIRI != 0 {
				return dst, 0, Fault(rdf.CodeInvalidIRI, file, data, i,
					fmt.Sprintf("an IRI cannot hold %s, not even escaped", describeRune(r)))
			}
			dst = utf8.AppendRune(dst, r)
			i += size
		case c == '<' && i == start+1:
			return dst, 0, Fault(rdf.CodeInvalidIRI, file, data, start, `"<<" begins a triple term of RDF 1.2 or an IRI in two brackets; neither is allowed`)
		case Of[c]&NotInIRI != 0:
			return dst, 0, Fault(rdf.CodeInvalidIRI, file, data, i,
				fmt.Sprintf(`an IRI cannot hold %s; expected ">" at its end`, strings.TrimPrefix(Describe(data[:i+1], i), "the ")))
		default:
			dst = append(dst, c)
			i++
		}
	}
	return dst, 0, Fault(rdf.CodeSyntax, file, data, start, `the IRI that begins here has no ">" at its end`)
}

// Quoted decodes the text in single quotes of either kind that begins at an
// offset of data (STRING_LITERAL_QUOTE, STRING_LITERAL_SINGLE_QUOTE) and
// appends its characters to dst. It returns the offset after the closing quote.
func Quoted(dst, data []byte, start int, file string) ([]byte, int, error) {
	quote := data[start]
	for i := start + 1; ; {
		j := Plain(data, i, quote)
		dst = append(dst, data[i:j]...)
		i = j
		if i == len(data) {
			break
		}
		switch data[i] {
		case quote:
			return dst, i + 1, nil
		case '\\':
			r, size, reason := Unescape(data[i:], true)
			if size == 0 {
				return dst, 0, Fault(rdf.CodeInvalidEscape, file, data, i, reason)
			}
			dst = utf8.AppendRune(dst, r)
			i += size
		default:
			return dst, 0, Fault(rdf.CodeSyntax, file, data, i,
				fmt.Sprintf("a line ends within a text in %c quotes; expected the closing quote", quote))
		}
	}
	return dst, 0, Fault(rdf.CodeSyntax, file, data, start, "the text that begins here has no closing quote")
}

// BlankLabel returns the offset after the BLANK_NODE_LABEL that begins at an
// offset of data. A ":" ends it, as in Turtle's grammar.
func BlankLabel(data []byte, start int, file string) (int, error) {
	if start+1 == len(data) || data[start+1] != ':' {
		return 0, Unexpected(file, data, start, `a blank node "_:label"`)
	}
	from := start + 2
	end := from
	for end < len(data) {
		if c := data[end]; c < utf8.RuneSelf {
			if Of[c]&Name == 0 {
				break
			}
			end++
			continue
		}
		r, size := utf8.DecodeRune(data[end:])
		if !rdf.IsNameChar(r) {
			break
		}
		end += size
	}
	for end > from && data[end-1] == '.' {
		end--
	}
	if end > from {
		if r, _ := utf8.DecodeRune(data[from:]); rdf.IsNameStart(r) || '0' <= r && r <= '9' {
			return end, nil
		}
	}
	return 0, BadLabel(file, data, from)
}

// BadLabel says that what stands at an offset is in no blank node label.
func BadLabel(file string, data []byte, off int) error {
	return &rdf.SyntaxError{
		Code: rdf.CodeInvalidLabel, Place: Place(file, data, off),
		Expected: `a blank node label (letters, digits, "_", and within it "-" and ".")`, Found: Describe(data, off),
	}
}

// LangTag returns the LANGTAG after the "@" at an offset of data.
func LangTag(data []byte, at int, file string) ([]byte, error) {
	from := at + 1
	end := from
	for end < len(data) && Of[data[end]]&Letter != 0 {
		end++
	}
	if end == from {
		return nil, &rdf.SyntaxError{
			Code: rdf.CodeInvalidLang, Place: Place(file, data, end),
			Expected: "a language tag that begins with a letter", Found: Describe(data, end),
		}
	}
	for end+1 < len(data) && data[end] == '-' && Of[data[end+1]]&(Letter|Digit) != 0 {
		end += 2
		for end < len(data) && Of[data[end]]&(Letter|Digit) != 0 {
			end++
		}
	}
	if end < len(data) && data[end] == '-' {
		return nil, &rdf.SyntaxError{
			Code: rdf.CodeInvalidLang, Place: Place(file, data, end+1),
			Expected: `a letter or digit after "-" in a language tag`, Found: Describe(data, end+1),
		}
	}
	return data[from:end], nil
}
