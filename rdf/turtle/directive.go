package turtle

import (
	"bytes"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/internal/scan"
)

// prefix is a declared prefix. Names are expanded in its buffer, behind the
// namespace.
type prefix struct {
	name      []byte // as the document spells it
	namespace int    // length of the namespace at the start of buf
	buf       []byte
}

// manyPrefixes is the number of prefixes beyond which a map finds them: documents
// usually have a handful, for which a map costs more than it saves.
const manyPrefixes = 16

// find returns the index of a prefix, -1 if it is not declared.
func (p *parser) find(name []byte) int {
	if p.index != nil {
		if i, ok := p.index[string(name)]; ok {
			return i
		}
		return -1
	}
	for i := range p.prefixes {
		if bytes.Equal(p.prefixes[i].name, name) {
			return i
		}
	}
	return -1
}

// declare makes name stand for a namespace from here on.
func (p *parser) declare(name, iri []byte) {
	if i := p.find(name); i >= 0 {
		old := &p.prefixes[i]
		if !bytes.Equal(old.buf[:old.namespace], iri) {
			p.cache.Clear() // names under it mean something else now
			old.buf, old.namespace = append(old.buf[:0], iri...), len(iri)
		}
		return
	}
	n := len(p.prefixes)
	if n < cap(p.prefixes) {
		p.prefixes = p.prefixes[:n+1]
	} else {
		p.prefixes = append(p.prefixes, prefix{})
	}
	added := &p.prefixes[n]
	const local = 32 // room for usual names
	added.name, added.namespace, added.buf = name, len(iri), append(slices.Grow(added.buf[:0], len(iri)+local), iri...)
	switch n++; {
	case n == manyPrefixes+1:
		p.index = map[string]int{}
		for i := range p.prefixes {
			p.index[string(p.prefixes[i].name)] = i
		}
	case n > manyPrefixes:
		p.index[string(name)] = n - 1
	}
}

// keyword returns the word of letters at p.pos, nil where it is part of a
// longer word or of a prefixed name.
func (p *parser) keyword() []byte {
	end := p.pos
	for end < len(p.data) && scan.Of[p.data[end]]&scan.Letter != 0 {
		end++
	}
	word := p.data[p.pos:end]
	if len(word) > 6 || !p.wordEnds(end) {
		return nil
	}
	return word
}

func isKeyword(word []byte, keyword string) bool {
	return len(word) == len(keyword) && strings.EqualFold(string(word), keyword)
}

// wordEnds reports whether the keyword at p.pos ends at an offset: neither a
// longer word nor a prefixed name goes on there.
func (p *parser) wordEnds(end int) bool {
	if end == len(p.data) {
		return true
	}
	switch c := p.data[end]; {
	case scan.Of[c]&scan.Space != 0:
		return true
	case c == ':' || scan.Of[c]&(scan.Start|scan.Digit) != 0:
		return false
	}
	return p.prefixEnd(p.pos) < 0
}

// atDirective reads prefixID or base.
func (p *parser) atDirective() error {
	rest := p.data[p.pos+1:]
	end := 0
	for end < len(rest) && scan.Of[rest[end]]&(scan.Letter|scan.Digit) != 0 || end < len(rest) && rest[end] == '-' {
		end++
	}
	var err error
	switch string(rest[:end]) {
	case "prefix":
		p.pos += 1 + end
		err = p.prefixDirective()
	case "base":
		p.pos += 1 + end
		err = p.baseDirective()
	default:
		return p.unexpected("@prefix or @base, in lower case")
	}
	if err != nil {
		return err
	}
	if p.skip() != '.' {
		return p.unexpected(`"." at the end of the directive`)
	}
	p.pos++
	return nil
}

// prefixDirective reads PNAME_NS IRIREF.
func (p *parser) prefixDirective() error {
	if err := p.countDirective(); err != nil {
		return err
	}
	p.skip()
	end := p.prefixEnd(p.pos)
	if end < 0 {
		return p.unexpected(`a prefix that ends in ":"`)
	}
	name := p.data[p.pos : end-1]
	p.pos = end
	if p.skip() != '<' {
		return p.unexpected("the prefix's namespace (an IRI in angle brackets)")
	}
	start := p.pos
	iri, err := p.directiveIRI()
	if err != nil {
		return err
	}
	// Short references can stand for long namespaces, and each is kept.
	if p.namespaces -= int64(len(iri)); p.namespaces < 0 {
		return p.fail(&rdf.LimitError{Limit: rdf.LimitTermBytes, Max: p.b.Limits().TermBytes}, start)
	}
	if p.declared != nil {
		p.declared(Prefix{string(name), string(iri)})
	}
	p.declare(name, iri)
	return nil
}

// baseDirective reads IRIREF.
func (p *parser) baseDirective() error {
	if err := p.countDirective(); err != nil {
		return err
	}
	if p.skip() != '<' {
		return p.unexpected("a base (an IRI in angle brackets)")
	}
	start := p.pos
	iri, err := p.directiveIRI()
	if err != nil {
		return err
	}
	base, err := rdf.ParseBase(string(iri))
	if err != nil {
		return p.fail(err, start)
	}
	p.cache.Clear()
	p.base, p.baseBytes = base, len(iri)
	return nil
}

// directiveIRI reads an IRIREF, resolved; the result is valid until the next
// token. It is interned nowhere, so it is checked here.
func (p *parser) directiveIRI() ([]byte, error) {
	start := p.pos
	end := start + max(bytes.IndexByte(p.data[start:], '>'), 0)
	iri := p.data[start+1 : max(end, start+1)]
	if !isPlainIRI(iri) { // also where there is no ">"
		var err error
		if iri, end, err = p.resolved(); err != nil {
			return nil, err
		}
		if err = p.spell(max(len(iri), p.baseBytes), start, end); err != nil {
			return nil, err
		}
	}
	if len(iri) > p.iriBytes {
		return nil, p.iriLimit(start)
	}
	if err := rdf.CheckIRI(string(iri)); err != nil {
		return nil, p.fail(err, start)
	}
	p.pos = end + 1
	return iri, nil
}

func (p *parser) countDirective() error {
	if p.directives == 0 {
		return p.fail(&rdf.LimitError{Limit: rdf.LimitPrefixes, Max: int64(p.b.Limits().Prefixes)}, p.pos)
	}
	p.directives--
	return nil
}
