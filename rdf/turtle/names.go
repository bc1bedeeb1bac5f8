package turtle

import (
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/internal/scan"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// isLocalName reports whether s can stand behind a prefix as it is: PN_LOCAL
// without PN_LOCAL_ESC, or nothing. If it cannot, longer reports whether a name that ends
// with s may: only the first character was wrong.
func isLocalName(s string) (ok, longer bool) {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '%':
			if i+2 >= len(s) || scan.Of[s[i+1]]&scan.Of[s[i+2]]&scan.Hex == 0 {
				return false, i == 0
			}
			i += 3
			continue
		case c < utf8.RuneSelf:
			if scan.Of[c]&scan.Local == 0 || i == 0 && (c == '-' || c == '.') {
				return false, i == 0
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if !rdf.IsNameChar(r) || i == 0 && !rdf.IsNameStart(r) {
			return false, i == 0
		}
		i += size
	}
	return s == "" || s[len(s)-1] != '.', false
}

// isBare reports whether a literal of a datatype is written without quotes: as
// NumericLiteral or BooleanLiteral.
func isBare(lexical, datatype string) bool {
	switch datatype {
	case vocab.XSDBoolean:
		return lexical == "true" || lexical == "false"
	case vocab.XSDInteger, vocab.XSDDecimal, vocab.XSDDouble:
		end, kind := scanNumber([]byte(lexical), 0)
		return end == len(lexical) && end > 0 && kind.datatype() == datatype
	}
	return false
}
