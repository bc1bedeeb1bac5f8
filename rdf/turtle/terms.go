package turtle

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/internal/scan"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// startsName reports whether a prefixed name, or a keyword, may begin with c.
func startsName(c byte) bool {
	return scan.Of[c]&scan.Letter != 0 || c == ':' || c >= utf8.RuneSelf
}

// startsObject reports whether an object may begin with c.
func startsObject(c byte) bool {
	return startsName(c) || scan.Of[c]&scan.Digit != 0 || bytes.IndexByte([]byte(`<_"'[(+-.`), c) >= 0
}

// iriRef reads IRIREF.
func (p *parser) iriRef() (rdf.ID, error) {
	start := p.pos
	n := bytes.IndexByte(p.data[start:], '>')
	if n < 0 {
		return p.iriSlowly()
	}
	end := start + n
	slot := scan.Slot(p.data, start, end)
	if id := p.cache.Get(slot, p.data, start, end); id != 0 {
		p.pos = end + 1
		return id, nil
	}
	absolute := false
	for i := start + 1; i < end; i++ {
		c := p.data[i]
		if scan.Of[c]&scan.NotInIRI != 0 {
			return p.iriSlowly()
		}
		absolute = absolute || c == ':'
	}
	if !absolute {
		return p.iriSlowly()
	}
	id, err := p.b.IRI(p.data[start+1 : end])
	if err != nil {
		var relative *rdf.TermError
		if errors.As(err, &relative) {
			return p.iriSlowly() // its ":" ends no scheme
		}
		return 0, p.fail(err, start)
	}
	p.cache.Put(slot, start, end, id)
	p.pos = end + 1
	return id, nil
}

// iriSlowly reads an IRIREF that is relative, has escapes or is faulty.
func (p *parser) iriSlowly() (rdf.ID, error) {
	start := p.pos
	iri, end, err := p.resolved()
	if err != nil {
		return 0, err
	}
	id, err := p.b.IRI(iri)
	if err != nil {
		return 0, p.fail(err, start)
	}
	p.pos = end
	return id, nil
}

// resolved decodes and resolves the IRIREF at p.pos, up to the offset it
// returns. The IRI is valid until the next token.
func (p *parser) resolved() ([]byte, int, error) {
	start := p.pos
	if p.scratch == nil {
		p.scratch = make([]byte, 0, 256)
	}
	ref, end, err := scan.IRIRef(p.scratch[:0], p.data, start, p.iriBytes, p.file)
	if err != nil {
		return nil, 0, err
	}
	n := len(ref)
	iri, err := p.base.Resolve(ref, string(ref))
	p.scratch = iri
	if err != nil {
		return nil, 0, p.fail(err, start)
	}
	return iri[n:], end, nil
}

// blank reads BLANK_NODE_LABEL.
func (p *parser) blank() (rdf.ID, error) {
	start := p.pos
	end, err := scan.BlankLabel(p.data, start, p.file)
	if err != nil {
		return 0, err
	}
	id, err := p.b.Blank(p.data[start+2 : end])
	if err != nil {
		return 0, p.fail(err, start)
	}
	p.pos = end
	return id, nil
}

// prefixEnd returns the offset after the PNAME_NS that begins at an offset, or
// -1 where none does.
func (p *parser) prefixEnd(start int) int {
	for i := start; i < len(p.data); {
		c := p.data[i]
		switch {
		case c == ':':
			if i > start && p.data[i-1] == '.' {
				return -1
			}
			return i + 1
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(p.data[i:])
			if !rdf.IsNameChar(r) || i == start && !rdf.IsNameStart(r) {
				return -1
			}
			i += size
		case scan.Of[c]&scan.Name == 0 || i == start && scan.Of[c]&scan.Letter == 0:
			return -1
		default:
			i++
		}
	}
	return -1
}

// prefixedName reads PNAME_LN or PNAME_NS.
func (p *parser) prefixedName(expected string) (rdf.ID, error) {
	start := p.pos
	i := start
	for i < len(p.data) && scan.Of[p.data[i]]&scan.Name != 0 {
		i++
	}
	if i == len(p.data) || p.data[i] != ':' || i > start && p.data[i-1] == '.' {
		end := p.prefixEnd(start)
		if end < 0 {
			return 0, p.unexpected(expected)
		}
		i = end - 1
	}
	colon := i
	for i++; i < len(p.data) && scan.Of[p.data[i]]&scan.Local != 0; i++ {
	}
	if i < len(p.data) && (p.data[i] >= utf8.RuneSelf || p.data[i] == '%' || p.data[i] == '\\') {
		return p.slowName(start, colon)
	}
	for p.data[i-1] == '.' {
		i--
	}
	if i > colon+1 {
		if c := p.data[colon+1]; c == '-' || c == '.' {
			i = colon + 1 // the local name is empty
		}
	}
	slot := scan.Slot(p.data, start, i)
	if id := p.cache.Get(slot, p.data, start, i); id != 0 {
		p.pos = i
		return id, nil
	}
	ns, err := p.namespace(start, colon)
	if err != nil {
		return 0, err
	}
	if ns.namespace+i-colon-1 > p.iriBytes {
		return 0, p.iriLimit(start)
	}
	ns.buf = append(ns.buf[:ns.namespace], p.data[colon+1:i]...)
	id, err := p.b.IRI(ns.buf)
	if err != nil {
		return 0, p.fail(err, start)
	}
	p.cache.Put(slot, start, i, id)
	p.pos = i
	return id, nil
}

// slowName reads a prefixed name whose local part holds escapes, "%" or
// characters beyond ASCII.
func (p *parser) slowName(start, colon int) (rdf.ID, error) {
	ns, err := p.namespace(start, colon)
	if err != nil {
		return 0, err
	}
	ns.buf = ns.buf[:ns.namespace]
	// Dots are held back until something follows: an unescaped "." cannot end
	// a name.
	dots, end := 0, colon+1
scan:
	for i := end; i < len(p.data); {
		c := p.data[i]
		first := i == colon+1
		if c == '.' && !first {
			dots++
			i++
			continue
		}
		size := 1
		switch {
		case c == '%':
			if i+2 >= len(p.data) || scan.Of[p.data[i+1]]&scan.Of[p.data[i+2]]&scan.Hex == 0 {
				return 0, scan.Fault(rdf.CodeInvalidEscape, p.file, p.data, i, `expected two hexadecimal digits after "%" in a name`)
			}
			size = 3
		case c == '\\':
			if i+1 == len(p.data) || bytes.IndexByte([]byte(`_~.-!$&'()*+,;=/?#@%`), p.data[i+1]) < 0 {
				return 0, scan.Fault(rdf.CodeInvalidEscape, p.file, p.data, i,
					fmt.Sprintf(`expected one of _~.-!$&'()*+,;=/?#@%% after "\" in a name, found %s`, scan.Describe(p.data, i+1)))
			}
			i++ // the backslash is not kept
		case c < utf8.RuneSelf:
			if scan.Of[c]&scan.Local == 0 || first && (c == '-' || c == '.') {
				break scan
			}
		default:
			var r rune
			r, size = utf8.DecodeRune(p.data[i:])
			if !rdf.IsNameChar(r) || first && !rdf.IsNameStart(r) {
				break scan
			}
		}
		if len(ns.buf)+dots+size > p.iriBytes {
			return 0, p.iriLimit(start)
		}
		for ; dots > 0; dots-- {
			ns.buf = append(ns.buf, '.')
		}
		ns.buf = append(ns.buf, p.data[i:i+size]...)
		i += size
		end = i
	}
	id, err := p.b.IRI(ns.buf)
	if err != nil {
		return 0, p.fail(err, start)
	}
	p.pos = end
	return id, nil
}

func (p *parser) iriLimit(off int) error {
	return p.fail(&rdf.LimitError{Limit: rdf.LimitIRIBytes, Max: int64(p.iriBytes)}, off)
}

// namespace returns the prefix whose name stands in data[start:colon].
func (p *parser) namespace(start, colon int) (*prefix, error) {
	name := p.data[start:colon]
	n := uint(len(name))
	if n > 0 {
		n += uint(name[0])*3 + uint(name[n-1])*5
	}
	recent := &p.recent[n%uint(len(p.recent))]
	if *recent < len(p.prefixes) && bytes.Equal(p.prefixes[*recent].name, name) {
		return &p.prefixes[*recent], nil
	}
	i := p.find(name)
	if i < 0 {
		return nil, scan.Fault(rdf.CodeUndefinedPrefix, p.file, p.data, start,
			fmt.Sprintf("the prefix \"%s:\" is not declared", rdf.Abbreviate(string(name))))
	}
	*recent = i
	return &p.prefixes[i], nil
}

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
			datatype, err = p.prefixedName("a datatype (an IRI or a prefixed name)")
		default:
			err = p.unexpected("a datatype (an IRI or a prefixed name)")
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
