package turtle

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/internal/scan"
)

// iriRef reads IRIREF.
func (p *parser) iriRef() (rdf.ID, error) {
	start := p.pos
	end := start + max(bytes.IndexByte(p.data[start:], '>'), 0)
	slot := scan.Slot(p.data, start, end)
	if id := p.cache.Get(slot, p.data, start, end); id != 0 {
		p.pos = end + 1
		return id, nil
	}
	iri := p.data[start+1 : max(end, start+1)]
	if !isPlainIRI(iri) { // also where there is no ">"
		var err error
		if iri, end, err = p.resolved(); err != nil {
			return 0, err
		}
		if err = p.spell(max(len(iri), p.baseBytes), start, end); err != nil {
			return 0, err
		}
	}
	id, err := p.b.IRI(iri)
	if err != nil {
		return 0, p.fail(err, start)
	}
	p.cache.Put(slot, start, end, id)
	p.pos = end + 1
	return id, nil
}

// isPlainIRI reports whether the text of an IRIREF is an absolute IRI as it
// stands, without escapes.
func isPlainIRI(s []byte) bool {
	colon := bytes.IndexByte(s, ':')
	if colon <= 0 || scan.Of[s[0]]&scan.Letter == 0 {
		return false
	}
	for _, c := range s[:colon] {
		if scan.Of[c]&(scan.Letter|scan.Digit) == 0 && c != '+' && c != '-' && c != '.' {
			return false
		}
	}
	for _, c := range s[colon:] {
		if scan.Of[c]&scan.NotInIRI != 0 {
			return false
		}
	}
	return true
}

// resolved decodes and resolves the IRIREF at p.pos, which ends in the ">" at
// the offset that it returns. The IRI is valid until the next token.
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
	return iri[n:], end - 1, nil
}

// prefixEnd returns the offset after the PNAME_NS that begins at an offset, or
// -1 where none does. It remembers how far it has looked in vain, so that adjoining
// words are looked at once, and not each up to the end of all.
func (p *parser) prefixEnd(start int) int {
	if start < p.noPrefix {
		return -1
	}
	for i := start; i < len(p.data); {
		c := p.data[i]
		size := 1
		switch {
		case c == ':':
			if i > start && p.data[i-1] == '.' {
				p.noPrefix = i
				return -1
			}
			return i + 1
		case c >= utf8.RuneSelf:
			var r rune
			r, size = utf8.DecodeRune(p.data[i:])
			if !rdf.IsNameChar(r) || i == start && !rdf.IsNameStart(r) {
				p.noPrefix = i
				return -1
			}
		case scan.Of[c]&scan.Name == 0 || i == start && scan.Of[c]&scan.Letter == 0:
			p.noPrefix = i
			return -1
		}
		i += size
	}
	p.noPrefix = len(p.data)
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
	i++
	if i == len(p.data) || p.data[i] != '-' && p.data[i] != '.' { // else the local name is empty
		for ; i < len(p.data) && scan.Of[p.data[i]]&scan.Local != 0; i++ {
		}
		if i < len(p.data) && (p.data[i] >= utf8.RuneSelf || p.data[i] == '%' || p.data[i] == '\\') {
			return p.slowName(start, colon)
		}
		for p.data[i-1] == '.' {
			i--
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
	if err = p.spell(ns.namespace+i-colon-1, start, i); err != nil {
		return 0, err
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
			if i+1 == len(p.data) || strings.IndexByte(`_~.-!$&'()*+,;=/?#@%`, p.data[i+1]) < 0 {
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
	if err = p.spell(len(ns.buf), start, end); err != nil {
		return 0, err
	}
	id, err := p.b.IRI(ns.buf)
	if err != nil {
		return 0, p.fail(err, start)
	}
	p.pos = end
	return id, nil
}

// spell spends the bytes of an IRI, or its base, that is much longer than the reference or
// name data[start:end] that stands for it. It is made and looked up as a whole each time
// that the cache does not have it, and can be spelt in many ways.
func (p *parser) spell(iri, start, end int) error {
	const usual = 256 // more than bases and namespaces have
	if iri-(end-start) <= usual {
		return nil
	}
	if p.spelt -= int64(iri); p.spelt < 0 {
		return p.fail(&rdf.LimitError{Limit: rdf.LimitTermBytes, Max: p.b.Limits().TermBytes}, start)
	}
	return nil
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
