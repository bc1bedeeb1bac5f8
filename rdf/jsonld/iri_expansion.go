package jsonld

import (
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
)

// expandedIRI is the result of IRI expansion, in the pieces that it is made of:
// most results are looked up once and never needed as a string.
type expandedIRI struct {
	keyword    keyword // the result, if it is one
	null       bool    // the result is null
	head, tail string  // otherwise the result is both together,
	relative   bool    // resolved against the base if relative is set
	vocab      bool    // it is what it is as a part of the vocabulary
}

// expandIRI is IRI expansion (section 5.2.2), but for steps 3 and 6.3.
func (p *processor) expandIRI(c *activeContext, value string, documentRelative, vocab bool) expandedIRI {
	if value != "" && value[0] == '@' {
		// 1) A keyword is returned as it is.
		if k := lookupKeyword(value); k != noKeyword {
			return expandedIRI{keyword: k}
		}
		// 2) What has the form of a keyword is reserved.
		if keywordForm(value) {
			return expandedIRI{null: true}
		}
	}
	colon := strings.IndexByte(value, ':')
	// A keyword alias has no colon within (section 4.2.2, step 14.2.4), so that
	// step 4 need not look up whole IRIs.
	if vocab || colon <= 0 || colon == len(value)-1 {
		if d := c.lookup(value); d != nil {
			// 4)
			if d.keyword != noKeyword {
				return expandedIRI{keyword: d.keyword}
			}
			// 5)
			if vocab {
				return expandedIRI{null: !d.mapped, head: d.iri, vocab: true}
			}
		}
	}
	// 6)
	if prefix, suffix, ok := splitIRI(value); ok {
		// 6.2)
		if prefix == "_" || strings.HasPrefix(suffix, "//") {
			return expandedIRI{head: value}
		}
		// 6.4)
		if d := c.lookup(prefix); d != nil && d.mapped && d.prefix {
			return expandedIRI{head: d.iri, tail: suffix}
		}
		// 6.5)
		if hasScheme(value) {
			return expandedIRI{head: value}
		}
	}
	// 7)
	if vocab && c.hasVocab {
		return expandedIRI{head: c.vocab, tail: value, vocab: true}
	}
	// 8) and 9)
	return expandedIRI{head: value, relative: documentRelative}
}

// splitIRI splits a value at its first colon (step 6.1), if it has one anywhere
// after its first character.
func splitIRI(value string) (prefix, suffix string, ok bool) {
	i := strings.IndexByte(value, ':')
	if i < 0 || i == 0 && strings.IndexByte(value[1:], ':') < 0 {
		return "", "", false
	}
	return value[:i], value[i+1:], true
}

// expandLocal is IRI expansion of vocabulary within a local context that is
// being processed: it makes the definitions that the result depends on.
func (p *processor) expandLocal(c *activeContext, value string, local *localContext) (expandedIRI, error) {
	if lookupKeyword(value) != noKeyword || keywordForm(value) {
		return p.expandIRI(c, value, false, true), nil
	}
	// 3)
	if err := p.ensureDefined(c, local, value); err != nil {
		return expandedIRI{}, err
	}
	// 6.3) is not come to when there is a definition of the value itself.
	if prefix, suffix, ok := splitIRI(value); ok && prefix != "_" && !strings.HasPrefix(suffix, "//") && c.lookup(value) == nil {
		if err := p.ensureDefined(c, local, prefix); err != nil {
			return expandedIRI{}, err
		}
	}
	return p.expandIRI(c, value, false, true), nil
}

// appendIRI appends an expanded IRI that is neither null nor a keyword to dst.
// Without a base, a relative one stays as it is.
func (p *processor) appendIRI(dst []byte, c *activeContext, e expandedIRI) []byte {
	if e.relative {
		if c.base != nil && c.base.broken != "" {
			return append(append(dst, c.base.broken...), e.head...)
		}
		if out, err := p.baseOf(c).Resolve(dst, e.head); err == nil {
			return out
		}
	}
	return append(append(dst, e.head...), e.tail...)
}

// baseOf returns the base IRI of an active context.
func (p *processor) baseOf(c *activeContext) rdf.Base {
	if c.base != nil {
		return c.base.base
	}
	p.baseUsed = true
	return p.base
}

// baseLength returns the length of the base IRI of an active context.
func (p *processor) baseLength(c *activeContext) int {
	if c.base != nil {
		return c.base.length
	}
	return len(p.options.Base)
}

// contextIRI returns an expanded IRI, other than a keyword, as part of a
// context. What contexts make of prefixes is bounded: short names can stand for
// long IRIs.
func (p *processor) contextIRI(c *activeContext, e expandedIRI) (string, error) {
	if e.tail == "" && !e.relative {
		// The text is there, but one that is long can be that of many terms, and each
		// looks through it.
		if len(e.head) > usual {
			if err := p.spendContextBytes(len(e.head)); err != nil {
				return "", err
			}
		}
		return e.head, nil
	}
	if n := len(e.head) + len(e.tail); n > p.rdfLimits.IRIBytes {
		return "", &rdf.LimitError{Limit: rdf.LimitIRIBytes, Max: int64(p.rdfLimits.IRIBytes)}
	}
	p.buf = p.appendIRI(p.buf[:0], c, e)
	if err := p.spendContextBytes(len(p.buf)); err != nil {
		return "", err
	}
	return string(p.buf), nil
}

// hasScheme reports whether s begins with a scheme and a colon (RFC 3986,
// section 3.1).
func hasScheme(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return true
		default:
			return false
		}
	}
	return false
}

// isIRI reports whether s has the form of an IRI: a scheme and no white space.
// What else no IRI may hold is found where a term is made of it.
func isIRI(s string) bool {
	return hasScheme(s) && !strings.ContainsAny(s, " \t\r\n\f\v")
}

// isBlank reports whether s is a blank node identifier.
func isBlank(s string) bool { return strings.HasPrefix(s, "_:") }
