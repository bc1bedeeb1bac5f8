package turtle

import (
	"bytes"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/internal/scan"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// parser reads one document. Its methods are named after the productions of
// Turtle 1.1, section 6.5, and of TriG 1.1, section 4. What the grammar nests
// it keeps on a stack of its own.
type parser struct {
	b      *rdf.Builder
	data   []byte
	pos    int
	file   string
	trig   bool
	places bool

	declared func(Prefix) // told of prefix directives; may be nil

	base       rdf.Base
	prefixes   []prefix
	index      map[string]int // of prefixes by name, once there are many
	recent     [16]int        // indexes of prefixes by a hash of their name
	directives int            // how many more are allowed
	iriBytes   int            // how long an IRI may be
	nesting    int            // how deep the stack may grow

	stack []frame
	graph rdf.ID // that triples are in

	scratch []byte       // text of a literal or IRI without its escapes
	cache   scan.Cache   // IRIs by their text in the document
	tracker scan.Tracker // when places are kept

	// IDs of terms that the syntax itself brings, 0 until they are needed.
	rdfType, first, rest, null, boolean, trueTerm, notTrue rdf.ID
	numbers                                                [numerics]rdf.ID // datatypes
}

// frame is what to go back to when a bracket closes.
type frame struct {
	opens     byte // '[' or '('
	isSubject bool // it stands as the subject s, else as the object of s and p
	s, p      rdf.ID
	at        rdf.Pos // of s
}

// document reads turtleDoc ::= statement*, or
// trigDoc ::= (directive | block)*.
func (p *parser) document() error {
	next := rdf.FirstReserve
	for {
		if p.pos >= next {
			p.b.Reserve(p.pos, len(p.data))
			next *= rdf.ReserveFactor
		}
		c := p.skip()
		if p.pos == len(p.data) {
			return nil
		}
		var err error
		switch {
		case c == '@':
			err = p.atDirective()
		case scan.Of[c]&scan.Letter != 0:
			switch word := p.keyword(); {
			case isKeyword(word, "PREFIX"):
				p.pos += len(word)
				err = p.prefixDirective()
			case isKeyword(word, "BASE"):
				p.pos += len(word)
				err = p.baseDirective()
			case p.trig && isKeyword(word, "GRAPH"):
				p.pos += len(word)
				err = p.namedGraph()
			default:
				err = p.statement(c)
			}
		case c == '{' && p.trig:
			err = p.wrappedGraph(0)
		default:
			err = p.statement(c)
		}
		if err != nil {
			return err
		}
	}
}

// statement reads triples '.', and in TriG also a graph with its name.
func (p *parser) statement(c byte) error {
	if p.trig && c != '(' {
		start := p.pos
		s, at, err := p.label(c, expectedBlock)
		if err != nil {
			return err
		}
		if s != 0 {
			if p.skip() == '{' {
				return p.wrappedGraph(s)
			}
			if err := p.triples(verb, s, at); err != nil {
				return err
			}
			return p.end()
		}
		p.pos = start
	}
	if err := p.triples(subject, 0, rdf.Pos{}); err != nil {
		return err
	}
	return p.end()
}

// label reads labelOrSubject, as far as it is a label: it returns 0 where a
// blank node property list begins.
func (p *parser) label(c byte, expected string) (rdf.ID, rdf.Pos, error) {
	at := p.at()
	switch c {
	case '<':
		id, err := p.iriRef()
		return id, at, err
	case '_':
		id, err := p.blank()
		return id, at, err
	case '[':
		start := p.pos
		if !p.anonymous() {
			return 0, at, nil
		}
		id, err := p.fresh(start)
		return id, at, err
	}
	if !startsName(c) {
		return 0, at, p.unexpected(expected)
	}
	id, err := p.prefixedName(expected)
	return id, at, err
}

// end reads the "." after triples.
func (p *parser) end() error {
	if p.skip() != '.' {
		return p.unexpected(`"."`)
	}
	p.pos++
	return nil
}

// namedGraph reads labelOrSubject wrappedGraph after "GRAPH".
func (p *parser) namedGraph() error {
	c := p.skip()
	name, _, err := p.label(c, expectedGraph)
	if err != nil {
		return err
	}
	if name == 0 {
		return p.unexpected(expectedGraph)
	}
	if p.skip() != '{' {
		return p.unexpected(`"{" after the graph name`)
	}
	return p.wrappedGraph(name)
}

// wrappedGraph reads '{' (triples ('.' triples)* '.'?)? '}'.
func (p *parser) wrappedGraph(name rdf.ID) error {
	p.graph = name
	p.pos++
	for {
		if p.skip() == '}' {
			break
		}
		if err := p.triples(subject, 0, rdf.Pos{}); err != nil {
			return err
		}
		if c := p.skip(); c == '}' {
			break
		} else if c != '.' {
			return p.unexpected(`"." or "}"`)
		}
		p.pos++
	}
	p.pos++
	p.graph = 0
	return nil
}

// state is what triples expects next.
type state uint8

const (
	subject state = iota
	verb
	object
	after // an object: "," ";" or what closes
)

const (
	expectedSubject = "a subject (an IRI, a prefixed name, a blank node, \"[\" or \"(\")"
	expectedBlock   = "a subject, a graph or a directive"
	expectedGraph   = "a graph name (an IRI, a prefixed name or a blank node)"
	expectedVerb    = "a predicate (an IRI, a prefixed name or \"a\")"
	expectedObject  = "an object (an IRI, a prefixed name, a blank node, a literal, \"[\" or \"(\")"
)

// triples reads triples ::= subject predicateObjectList |
// blankNodePropertyList predicateObjectList?, up to what follows it. With
// another state than subject, s is the subject that was read before.
func (p *parser) triples(now state, s rdf.ID, at rdf.Pos) error {
	var pred rdf.ID
	optional := false // the predicateObjectList after a blankNodePropertyList
	p.stack = p.stack[:0]
	for {
		c := p.skip()
		switch now {
		case subject:
			at = p.at()
			var err error
			switch {
			case c == '<':
				s, err = p.iriRef()
			case startsName(c):
				s, err = p.prefixedName(expectedSubject)
			case c == '_':
				s, err = p.blank()
			case c == '[':
				if s, err = p.fresh(p.pos); err == nil && !p.anonymous() {
					err = p.open(frame{opens: '[', isSubject: true, s: s, at: at})
				}
			case c == '(':
				start := p.pos
				p.pos++
				if p.skip() == ')' {
					p.pos++
					s, err = p.term(&p.null, vocab.RDFNil)
					break
				}
				p.pos = start
				if s, err = p.fresh(p.pos); err != nil {
					break
				}
				err = p.open(frame{opens: '(', isSubject: true, s: s, at: at})
				if err == nil {
					pred, err = p.term(&p.first, vocab.RDFFirst)
				}
				now = object
				if err != nil {
					return err
				}
				continue
			default:
				return p.unexpected(expectedSubject)
			}
			if err != nil {
				return err
			}
			now = verb

		case verb:
			var err error
			switch {
			case c == '<':
				pred, err = p.iriRef()
			case c == 'a' && p.isA():
				p.pos++
				pred, err = p.term(&p.rdfType, vocab.RDFType)
			case startsName(c):
				pred, err = p.prefixedName(expectedVerb)
			case optional && len(p.stack) == 0 && (c == '.' || c == '}' && p.trig):
				return nil
			default:
				return p.unexpected(expectedVerb)
			}
			if err != nil {
				return err
			}
			optional = false
			now = object

		case object:
			var o rdf.ID
			var err error
			var here rdf.Pos
			start := p.pos
			if p.places {
				here = p.at()
			}
			switch {
			case c == '"' || c == '\'':
				o, err = p.literal(c)
			case c == '<':
				o, err = p.iriRef()
			case startsName(c):
				o, err = p.nameOrBoolean()
			case c == '_':
				o, err = p.blank()
			case c == '[':
				if o, err = p.fresh(p.pos); err != nil {
					return err
				}
				if !p.anonymous() {
					if err := p.add(s, pred, o, at, here, start); err != nil {
						return err
					}
					if err := p.open(frame{opens: '[', s: s, p: pred, at: at}); err != nil {
						return err
					}
					s, at = o, here
					now = verb
					continue
				}
			case c == '(':
				p.pos++
				if p.skip() == ')' {
					p.pos++
					o, err = p.term(&p.null, vocab.RDFNil)
					break
				}
				p.pos = start
				if o, err = p.fresh(p.pos); err != nil {
					return err
				}
				if err := p.add(s, pred, o, at, here, start); err != nil {
					return err
				}
				if err := p.open(frame{opens: '(', s: s, p: pred, at: at}); err != nil {
					return err
				}
				s, at = o, here
				if pred, err = p.term(&p.first, vocab.RDFFirst); err != nil {
					return err
				}
				continue
			case scan.Of[c]&scan.Digit != 0 || c == '+' || c == '-' || c == '.':
				o, err = p.number()
			default:
				return p.unexpected(expectedObject)
			}
			if err == nil {
				err = p.add(s, pred, o, at, here, start)
			}
			if err != nil {
				return err
			}
			now = after

		default: // after
			if n := len(p.stack); n > 0 && p.stack[n-1].opens == '(' {
				// collection ::= '(' object* ')'
				rest, err := p.term(&p.rest, vocab.RDFRest)
				if err != nil {
					return err
				}
				here := p.at()
				if c == ')' {
					null, err := p.term(&p.null, vocab.RDFNil)
					if err != nil {
						return err
					}
					if err := p.add(s, rest, null, at, here, p.pos); err != nil {
						return err
					}
					p.pos++
					s, pred, at, now = p.close()
					continue
				}
				if !startsObject(c) {
					return p.unexpected(`another object or ")"`)
				}
				cell, err := p.fresh(p.pos)
				if err != nil {
					return err
				}
				if err := p.add(s, rest, cell, at, here, p.pos); err != nil {
					return err
				}
				s, at, now = cell, here, object
				continue
			}
			switch c {
			case ',':
				p.pos++
				now = object
				continue
			case ';':
				for c == ';' {
					p.pos++
					c = p.skip()
				}
				if c != '.' && c != ']' && c != '}' {
					now = verb
					continue
				}
			}
			n := len(p.stack)
			switch {
			case n > 0 && c == ']':
				optional = n == 1 && p.stack[0].isSubject
				p.pos++
				s, pred, at, now = p.close()
			case n == 0 && (c == '.' || c == '}' && p.trig):
				return nil
			case n > 0:
				return p.unexpected(`",", ";" or "]" after the object`)
			default:
				return p.unexpected(`",", ";" or "." after the object`)
			}
		}
	}
}

// open remembers what a bracket interrupts and skips the bracket.
func (p *parser) open(f frame) error {
	if len(p.stack) >= p.nesting {
		return p.fail(&rdf.LimitError{Limit: rdf.LimitNesting, Max: int64(p.nesting)}, p.pos)
	}
	p.stack = append(p.stack, f)
	p.pos++
	return nil
}

// close goes back to what the innermost bracket interrupted.
func (p *parser) close() (s, pred rdf.ID, at rdf.Pos, now state) {
	f := p.stack[len(p.stack)-1]
	p.stack = p.stack[:len(p.stack)-1]
	if f.isSubject {
		return f.s, 0, f.at, verb
	}
	return f.s, f.p, f.at, after
}

// anonymous skips ANON and reports whether it stood there.
func (p *parser) anonymous() bool {
	start := p.pos
	p.pos++
	if p.skip() == ']' {
		p.pos++
		return true
	}
	p.pos = start
	return false
}

func (p *parser) fresh(off int) (rdf.ID, error) {
	id, err := p.b.FreshBlank()
	if err != nil {
		return 0, p.fail(err, off)
	}
	return id, nil
}

// term interns a term of the syntax itself once. It uses the scratch buffer.
func (p *parser) term(known *rdf.ID, iri string) (rdf.ID, error) {
	if *known == 0 {
		p.scratch = append(p.scratch[:0], iri...)
		id, err := p.b.IRI(p.scratch)
		if err != nil {
			return 0, p.fail(err, p.pos)
		}
		*known = id
	}
	return *known, nil
}

// add adds a triple whose object begins at an offset.
func (p *parser) add(s, pred, o rdf.ID, at, here rdf.Pos, off int) error {
	var err error
	if p.places {
		err = p.b.AddAt(s, pred, o, p.graph, at, here)
	} else {
		err = p.b.Add(s, pred, o, p.graph)
	}
	if err != nil {
		return p.fail(err, off)
	}
	return nil
}

// at returns the place of the next byte, when places are kept.
func (p *parser) at() rdf.Pos {
	if !p.places {
		return rdf.Pos{}
	}
	return p.tracker.At(p.data, p.pos)
}

// skip skips white space and comments and returns the next byte, 0 at the end.
func (p *parser) skip() byte {
	for p.pos < len(p.data) {
		c := p.data[p.pos]
		switch {
		case scan.Of[c]&scan.Space != 0:
			p.pos++
		case c == '#':
			rest := p.data[p.pos:]
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			if cr := bytes.IndexByte(rest[:n], '\r'); cr >= 0 {
				n = cr
			}
			p.pos += n
		default:
			return c
		}
	}
	return 0
}

func (p *parser) unexpected(expected string) error {
	return scan.Unexpected(p.file, p.data, p.pos, expected)
}

func (p *parser) fail(err error, off int) error { return scan.Error(err, p.file, p.data, off) }
