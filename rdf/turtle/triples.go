package turtle

import (
	"strings"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/internal/scan"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// state is what triples expects next.
type state uint8

const (
	subject state = iota
	verb
	verbOrEnd // after a blankNodePropertyList as subject
	object
	after // an object: "," ";" or what closes
	done
)

const (
	expectedSubject  = "a subject (an IRI, a prefixed name, a blank node, \"[\" or \"(\")"
	expectedBlock    = "a subject, a graph or a directive"
	expectedGraph    = "a graph name (an IRI, a prefixed name or a blank node)"
	expectedVerb     = "a predicate (an IRI, a prefixed name or \"a\")"
	expectedObject   = "an object (an IRI, a prefixed name, a blank node, a literal, \"[\" or \"(\")"
	expectedDatatype = "a datatype (an IRI or a prefixed name)"
)

// triples reads triples ::= subject predicateObjectList |
// blankNodePropertyList predicateObjectList?, up to what follows it. It begins
// with the subject, or, with state verb, behind the subject of the cursor.
func (p *parser) triples(now state) error {
	p.stack = p.stack[:0]
	for now != done {
		c := p.skip()
		var err error
		switch now {
		case subject:
			now, err = p.subject(c)
		case verb, verbOrEnd:
			if now == verbOrEnd && p.ends(c) {
				return nil
			}
			now, err = object, p.verb(c)
		case object:
			now, err = p.object(c)
		default:
			now, err = p.after(c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ends reports whether triples may be followed by c.
func (p *parser) ends(c byte) bool { return c == '.' || c == '}' && p.trig }

// startsName reports whether a prefixed name, or a keyword, may begin with c.
func startsName(c byte) bool {
	return scan.Of[c]&scan.Letter != 0 || c == ':' || c >= utf8.RuneSelf
}

// startsObject reports whether an object may begin with c.
func startsObject(c byte) bool {
	return startsName(c) || scan.Of[c]&scan.Digit != 0 || strings.IndexByte(`<_"'[(+-.`, c) >= 0
}

// subject reads subject, or opens one.
func (p *parser) subject(c byte) (next state, err error) {
	p.cursor.at = p.here()
	switch {
	case c == '<':
		p.s, err = p.iriRef()
	case startsName(c):
		p.s, err = p.prefixedName(expectedSubject)
	case c == '_':
		p.s, err = p.blank()
	case c == '[':
		if p.s, err = p.fresh(p.pos); err != nil {
			return 0, err
		}
		if !p.anonymous(']') {
			return verb, p.open('[', true)
		}
	case c == '(':
		if p.anonymous(')') {
			p.s, err = p.term(&p.null, vocab.RDFNil)
			break
		}
		if p.s, err = p.fresh(p.pos); err != nil {
			return 0, err
		}
		if err := p.open('(', true); err != nil {
			return 0, err
		}
		p.p, err = p.term(&p.first, vocab.RDFFirst)
		return object, err
	default:
		return 0, p.unexpected(expectedSubject)
	}
	return verb, err
}

// verb reads verb ::= predicate | 'a'.
func (p *parser) verb(c byte) (err error) {
	switch {
	case c == '<':
		p.p, err = p.iriRef()
	case c == 'a' && p.wordEnds(p.pos+1):
		p.pos++
		p.p, err = p.term(&p.rdfType, vocab.RDFType)
	case startsName(c):
		p.p, err = p.prefixedName(expectedVerb)
	default:
		return p.unexpected(expectedVerb)
	}
	return err
}

// object reads object, or opens one, and adds the triple.
func (p *parser) object(c byte) (next state, err error) {
	var o rdf.ID
	start, here := p.pos, p.here()
	switch {
	case c == '"' || c == '\'':
		o, err = p.literal(c)
	case c == '<':
		o, err = p.iriRef()
	case startsName(c):
		o, err = p.nameOrBoolean()
	case c == '_':
		o, err = p.blank()
	case scan.Of[c]&scan.Digit != 0 || c == '+' || c == '-' || c == '.':
		o, err = p.number()
	case c == '[':
		if o, err = p.fresh(start); err == nil && !p.anonymous(']') {
			return verb, p.openObject('[', o, here)
		}
	case c == '(':
		if p.anonymous(')') {
			o, err = p.term(&p.null, vocab.RDFNil)
			break
		}
		if o, err = p.fresh(start); err != nil {
			return 0, err
		}
		if err := p.openObject('(', o, here); err != nil {
			return 0, err
		}
		p.p, err = p.term(&p.first, vocab.RDFFirst)
		return object, err
	default:
		return 0, p.unexpected(expectedObject)
	}
	if err != nil {
		return 0, err
	}
	return after, p.add(o, here, start)
}

// openObject adds the triple of a bracket as object and goes into the bracket,
// whose subject is o.
func (p *parser) openObject(opens byte, o rdf.ID, here rdf.Pos) error {
	if err := p.add(o, here, p.pos); err != nil {
		return err
	}
	if err := p.open(opens, false); err != nil {
		return err
	}
	p.s, p.cursor.at = o, here
	return nil
}

// after reads what follows an object, and closes brackets.
func (p *parser) after(c byte) (next state, err error) {
	depth := len(p.stack)
	if depth > 0 && p.stack[depth-1].opens == '(' {
		return p.afterMember(c)
	}
	switch c {
	case ',':
		p.pos++
		return object, nil
	case ';':
		for c == ';' {
			p.pos++
			c = p.skip()
		}
		if c != ']' && !p.ends(c) {
			return verb, nil
		}
	}
	switch {
	case depth == 0 && p.ends(c):
		return done, nil
	case depth == 0:
		return 0, p.unexpected(`",", ";" or "." after the object`)
	case c != ']':
		return 0, p.unexpected(`",", ";" or "]" after the object`)
	}
	if next = p.close(); next == verb {
		next = verbOrEnd
	}
	return next, nil
}

// afterMember reads what follows a member of collection ::= '(' object* ')'.
func (p *parser) afterMember(c byte) (next state, err error) {
	here := p.here()
	if p.p, err = p.term(&p.rest, vocab.RDFRest); err != nil {
		return 0, err
	}
	if c == ')' {
		null, err := p.term(&p.null, vocab.RDFNil)
		if err == nil {
			err = p.add(null, here, p.pos)
		}
		if err != nil {
			return 0, err
		}
		return p.close(), nil
	}
	if !startsObject(c) || c == '.' && !p.startsNumber() {
		return 0, p.unexpected(`another object or ")"`)
	}
	cell, err := p.fresh(p.pos)
	if err != nil {
		return 0, err
	}
	if err := p.add(cell, here, p.pos); err != nil {
		return 0, err
	}
	p.s, p.cursor.at = cell, here
	p.p, err = p.term(&p.first, vocab.RDFFirst)
	return object, err
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

// open remembers what a bracket interrupts and skips the bracket.
func (p *parser) open(opens byte, isSubject bool) error {
	if len(p.stack) >= p.nesting {
		return p.fail(&rdf.LimitError{Limit: rdf.LimitNesting, Max: int64(p.nesting)}, p.pos)
	}
	p.stack = append(p.stack, frame{p.cursor, opens, isSubject})
	p.pos++
	return nil
}

// close skips a closing bracket, goes back to what the bracket interrupted, and
// says what comes next.
func (p *parser) close() state {
	f := &p.stack[len(p.stack)-1]
	p.stack = p.stack[:len(p.stack)-1]
	p.cursor = f.cursor
	p.pos++
	if f.isSubject {
		return verb
	}
	return after
}

// anonymous skips two brackets with nothing but white space between them, and
// reports whether they stood there: ANON or an empty collection.
func (p *parser) anonymous(closes byte) bool {
	start := p.pos
	p.pos++
	if p.skip() == closes {
		p.pos++
		return true
	}
	p.pos = start
	return false
}
