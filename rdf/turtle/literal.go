package turtle

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/internal/scan"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// nameOrBoolean reads an object that begins like a name.
func (p *parser) nameOrBoolean() (rdf.ID, error) {
	c := p.data[p.pos]
	if c == 't' && bytes.HasPrefix(p.data[p.pos:], []byte("true")) && p.wordEnds(p.pos+4) {
		return p.truth(&p.trueTerm, 4)
	}
	if c == 'f' && bytes.HasPrefix(p.data[p.pos:], []byte("false")) && p.wordEnds(p.pos+5) {
		return p.truth(&p.notTrue, 5)
	}
	return p.prefixedName(expectedObject)
}

// truth reads BooleanLiteral.
func (p *parser) truth(known *rdf.ID, n int) (rdf.ID, error) {
	if *known == 0 {
		datatype, err := p.term(&p.boolean, vocab.XSDBoolean)
		if err != nil {
			return 0, err
		}
		id, err := p.b.Literal(p.data[p.pos:p.pos+n], datatype)
		if err != nil {
			return 0, p.fail(err, p.pos)
		}
		*known = id
	}
	p.pos += n
	return *known, nil
}

// startsNumber reports whether a number begins at p.pos.
func (p *parser) startsNumber() bool {
	end, _ := scanNumber(p.data, p.pos)
	return end > p.pos
}

// number reads NumericLiteral: INTEGER, DECIMAL or DOUBLE, whichever is
// longest.
func (p *parser) number() (rdf.ID, error) {
	start := p.pos
	end, kind := scanNumber(p.data, start)
	if end == start {
		if c := p.data[start]; c == '+' || c == '-' {
			p.pos++
			return 0, p.unexpected("a digit after the sign")
		}
		return 0, p.unexpected(expectedObject)
	}
	id, err := p.term(&p.numbers[kind], kind.datatype())
	if err != nil {
		return 0, err
	}
	if id, err = p.b.Literal(p.data[start:end], id); err != nil {
		return 0, p.fail(err, start)
	}
	p.pos = end
	return id, nil
}

// numeric is a kind of NumericLiteral.
type numeric uint8

const (
	integer numeric = iota
	decimal
	double
	numerics
)

func (n numeric) datatype() string {
	switch n {
	case integer:
		return vocab.XSDInteger
	case decimal:
		return vocab.XSDDecimal
	}
	return vocab.XSDDouble
}

// scanNumber returns the offset after the longest NumericLiteral at an offset
// of data, the offset itself if there is none.
func scanNumber(data []byte, start int) (end int, kind numeric) {
	i := start
	if i < len(data) && (data[i] == '+' || data[i] == '-') {
		i++
	}
	whole := digits(data, i)
	if end = start; whole > i {
		end = whole
	}
	mantissa := whole
	if whole < len(data) && data[whole] == '.' {
		if mantissa = digits(data, whole+1); mantissa > whole+1 {
			end, kind = mantissa, decimal
		} else if whole == i {
			return start, integer // a "." alone
		}
	}
	if mantissa > i {
		if e := exponent(data, mantissa); e > 0 {
			end, kind = e, double
		}
	}
	return end, kind
}

// digits returns the offset after the digits at an offset.
func digits(data []byte, i int) int {
	for i < len(data) && scan.Of[data[i]]&scan.Digit != 0 {
		i++
	}
	return i
}

// exponent returns the offset after the EXPONENT at an offset, 0 if there is
// none.
func exponent(data []byte, i int) int {
	if i >= len(data) || data[i]|0x20 != 'e' {
		return 0
	}
	i++
	if i < len(data) && (data[i] == '+' || data[i] == '-') {
		i++
	}
	if end := digits(data, i); end > i {
		return end
	}
	return 0
}

// literal reads RDFLiteral ::= String (LANGTAG | '^^' iri)?.
func (p *parser) literal(quote byte) (rdf.ID, error) {
	start := p.pos
	text, end, err := p.text(quote)
	if err != nil {
		return 0, err
	}
	p.pos = end
	var id rdf.ID
	switch p.skip() {
	case '@':
		var tag []byte
		if tag, err = scan.LangTag(p.data, p.pos, p.file); err != nil {
			return 0, err
		}
		p.pos += 1 + len(tag)
		id, err = p.b.LangLiteral(text, tag)
	case '^':
		if !bytes.HasPrefix(p.data[p.pos:], []byte("^^")) {
			return 0, p.unexpected(`"^^" before a datatype`)
		}
		p.pos += 2
		var datatype rdf.ID
		scratch := p.scratch // text may lie in it
		p.scratch = nil
		switch c := p.skip(); {
		case c == '<':
			datatype, err = p.iriRef()
		case startsName(c):
			datatype, err = p.prefixedName(expectedDatatype)
		default:
			err = p.unexpected(expectedDatatype)
		}
		p.scratch = scratch
		if err != nil {
			return 0, err
		}
		id, err = p.b.Literal(text, datatype)
	default:
		id, err = p.b.Literal(text, 0)
	}
	if err != nil {
		return 0, p.fail(err, start)
	}
	return id, nil
}

// text reads String, up to the offset it returns. The text is valid until the
// scratch buffer is used again.
func (p *parser) text(quote byte) ([]byte, int, error) {
	start := p.pos
	if start+2 < len(p.data) && p.data[start+1] == quote && p.data[start+2] == quote {
		return p.longText(quote)
	}
	end := scan.Plain(p.data, start+1, quote)
	if end < len(p.data) && p.data[end] == quote {
		return p.data[start+1 : end], end + 1, nil
	}
	text, end, err := scan.Quoted(p.scratch[:0], p.data, start, p.file)
	p.scratch = text
	return text, end, err
}

// longText reads STRING_LITERAL_LONG_QUOTE or
// STRING_LITERAL_LONG_SINGLE_QUOTE.
func (p *parser) longText(quote byte) ([]byte, int, error) {
	start := p.pos + 3
	text := p.scratch[:0]
	escapes := false
	from := start // of what is not yet in text
	for i := start; ; {
		i = scan.Plain(p.data, i, quote)
		if i == len(p.data) {
			return nil, 0, scan.Fault(rdf.CodeSyntax, p.file, p.data, p.pos,
				fmt.Sprintf("the text that begins here has no closing %c%c%c", quote, quote, quote))
		}
		switch p.data[i] {
		case quote:
			if i+2 < len(p.data) && p.data[i+1] == quote && p.data[i+2] == quote {
				if !escapes {
					return p.data[start:i], i + 3, nil
				}
				text = append(text, p.data[from:i]...)
				p.scratch = text
				return text, i + 3, nil
			}
			i++
		case '\\':
			r, size, reason := scan.Unescape(p.data[i:], true)
			if size == 0 {
				return nil, 0, scan.Fault(rdf.CodeInvalidEscape, p.file, p.data, i, reason)
			}
			text = append(text, p.data[from:i]...)
			text = utf8.AppendRune(text, r)
			escapes = true
			i += size
			from = i
		default:
			i++
		}
	}
}
