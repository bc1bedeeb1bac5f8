package jsonld

import (
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// expandValue is value expansion (section 5.3.2) of a scalar under a property.
// It leaves one element on the stack.
func (p *processor) expandValue(c *activeContext, k *key, v strictjson.Value) error {
	d := noDefinition
	if k != nil && k.def != nil {
		d = k.def
	}
	s, isString := v.Str()
	// 1) and 2)
	if isString && (d.typ == typeID || d.typ == typeVocab) {
		t, err := p.term(c, p.expandIRI(c, s, true, d.typ == typeVocab), v)
		if err != nil {
			return err
		}
		return p.push(element{kind: nodeObject, has: hasID, term: t, ref: v.Ref()}, v)
	}
	switch d.typ {
	case typeJSON:
		return p.pushJSON(v)
	case typeIRI:
		// 4)
		if k.datatype == (term{}) {
			var err error
			if n := len(d.datatype); n > usual { // a context may bring it to many
				if err = p.spell(n, v); err != nil {
					return err
				}
			}
			if k.datatype, err = p.newTerm(c, expandedIRI{head: d.datatype}, v); err != nil {
				return err
			}
		}
		e := element{kind: valueObject, has: hasValue | hasType, term: k.datatype, ref: v.Ref()}
		return p.pushScalar(e, v)
	}
	// 3)
	e := element{kind: valueObject, has: hasValue, ref: v.Ref()}
	if !isString {
		return p.pushScalar(e, v)
	}
	// 5)
	language, tagged, dir := c.language, c.tagged, c.direction
	if d.hasLang {
		language, tagged = d.language, d.tagged
	}
	if d.direction != unsetDirection {
		dir = d.direction
	}
	if tagged {
		if err := p.checkLanguage(language, v); err != nil {
			return err
		}
		p.setLanguage(&e, language)
	}
	return p.pushString(e, dir, v)
}

// pushString pushes a value object that holds a string, with its direction.
func (p *processor) pushString(e element, dir direction, v strictjson.Value) error {
	if dir == ltr || dir == rtl {
		if err := p.checkDirection(v, dir); err != nil {
			return err
		}
		e.dir = dir
		e.has |= hasDirection
	}
	return p.push(e, v)
}

// pushScalar pushes a value object whose value is a scalar.
func (p *processor) pushScalar(e element, v strictjson.Value) error {
	if text, ok := v.Number(); ok && !p.lossy && !exact(text) {
		return refusal(CodeInexactNumber, p.doc, v, text, "")
	}
	return p.push(e, v)
}

// pushJSON pushes a value object that is the JSON literal of v.
func (p *processor) pushJSON(v strictjson.Value) error {
	if p.keep {
		p.literals = append(p.literals, v)
	}
	return p.push(element{kind: valueObject, has: hasValue | hasType | isJSON, ref: v.Ref()}, v)
}

// checkLanguage refuses a language tag that is not well-formed.
func (p *processor) checkLanguage(tag languageTag, v strictjson.Value) error {
	if p.lossy || tag.wellFormed {
		return nil
	}
	return refusal(CodeIllFormedTag, p.doc, v, tag.text, "")
}

// checkDirection refuses a base direction that would be dropped.
func (p *processor) checkDirection(v strictjson.Value, dir direction) error {
	if p.lossy || p.options.RDFDirection != NoDirection {
		return nil
	}
	return refusal(CodeDirectionDropped, p.doc, v, dir.String(), "")
}

// languageTag is a language tag. Whether it is well-formed is found out once: that of a
// context is of many values, and may be long.
type languageTag struct {
	text       string
	wellFormed bool
}

func newTag(s string) languageTag { return languageTag{s, wellFormedTag(s)} }

// wellFormedTag reports whether s is a well-formed language tag (BCP 47,
// section 2.2.9), as far as its subtags go: one to eight letters, then one to
// eight letters or digits each.
func wellFormedTag(s string) bool {
	n, first := 0, true
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z' || !first && '0' <= c && c <= '9':
			n++
		case c == '-' && n > 0:
			n, first = 0, false
		default:
			return false
		}
		if n > 8 {
			return false
		}
	}
	return n > 0
}
