package turtle

import (
	"bytes"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/internal/scan"
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
	baseBytes  int // length of base
	prefixes   []prefix
	index      map[string]int // of prefixes by name, once there are many
	recent     [16]int        // indexes of prefixes by a hash of their name
	noPrefix   int            // prefixEnd has looked in vain up to here
	namespaces int64          // how many more bytes the namespaces may take
	spelt      int64          // how many more bytes IRIs by short references may take
	directives int            // how many more are allowed
	sparql     int            // the offset after the last PREFIX or BASE
	iriBytes   int            // how long an IRI may be
	nesting    int            // how deep the stack may grow

	cursor
	stack []frame
	graph rdf.ID // that triples are in

	scratch []byte       // text of a literal or IRI without its escapes
	cache   scan.Cache   // IRIs by their text in the document
	tracker scan.Tracker // when places are kept

	// IDs of terms that the syntax itself brings, 0 until they are needed.
	rdfType, first, rest, null, boolean, trueTerm, notTrue rdf.ID
	numbers                                                [numerics]rdf.ID // datatypes
}

// cursor is the subject and the predicate that objects are read for.
type cursor struct {
	s, p rdf.ID
	at   rdf.Pos // of the subject
}

// frame is what to go back to when a bracket closes.
type frame struct {
	cursor
	opens     byte // '[' or '('
	isSubject bool // it stands as the subject, else as the object, of the cursor
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
		if p.b.Untidy() {
			p.tidy()
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
				p.sparql = p.pos
			case isKeyword(word, "BASE"):
				p.pos += len(word)
				err = p.baseDirective()
				p.sparql = p.pos
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
		s, at, err := p.label(c, expectedBlock)
		if err != nil {
			return err
		}
		if s != 0 {
			if p.skip() == '{' {
				return p.wrappedGraph(s)
			}
			p.cursor = cursor{s: s, at: at}
			if err := p.triples(verb); err != nil {
				return err
			}
			return p.end()
		}
	}
	if err := p.triples(subject); err != nil {
		return err
	}
	return p.end()
}

// label reads labelOrSubject, as far as it is a label: it returns 0 where a
// blank node property list begins.
func (p *parser) label(c byte, expected string) (rdf.ID, rdf.Pos, error) {
	at := p.here()
	switch c {
	case '<':
		id, err := p.iriRef()
		return id, at, err
	case '_':
		id, err := p.blank()
		return id, at, err
	case '[':
		start := p.pos
		if !p.anonymous(']') {
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
		if p.b.Untidy() {
			p.tidy()
		}
		if p.skip() == '}' {
			break
		}
		if err := p.triples(subject); err != nil {
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

// tidy makes the Builder drop unused terms, between statements, and forgets the IDs
// that are void after it.
func (p *parser) tidy() {
	p.b.Trim(&p.graph)
	p.cache.Clear()
	p.rdfType, p.first, p.rest, p.null, p.boolean, p.trueTerm, p.notTrue = 0, 0, 0, 0, 0, 0, 0
	clear(p.numbers[:])
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

// add adds the triple of the cursor with an object that begins at an offset.
func (p *parser) add(o rdf.ID, here rdf.Pos, off int) error {
	var err error
	if p.places {
		err = p.b.AddAt(p.s, p.p, o, p.graph, p.cursor.at, here)
	} else {
		err = p.b.Add(p.s, p.p, o, p.graph)
	}
	if err != nil {
		return p.fail(err, off)
	}
	return nil
}

// here returns the place of the next byte, when places are kept.
func (p *parser) here() rdf.Pos {
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
			p.comment()
		default:
			return c
		}
	}
	return 0
}

// comment skips to the end of the line, whichever of LF and CR comes first: looking for one
// of them alone would go through all of a document whose lines end in the other.
func (p *parser) comment() {
	for p.pos < len(p.data) && p.data[p.pos] != '\n' && p.data[p.pos] != '\r' {
		p.pos++
	}
}

func (p *parser) unexpected(expected string) error {
	return &rdf.SyntaxError{
		Code: rdf.CodeSyntax, Place: scan.Place(p.file, p.data, p.pos), Expected: expected,
		Found: scan.Describe(p.data, p.pos) + p.mistake(expected),
	}
}

// mistake says what is probably wrong at p.pos, for mistakes that people often
// make, and "" for others.
func (p *parser) mistake(expected string) string {
	rest := p.data[p.pos:]
	switch {
	case len(rest) == 0:
	case p.startsJSON():
		return "; this looks like JSON"
	case rest[0] == '{' && !p.trig:
		return "; graphs are of TriG, not of Turtle"
	case rest[0] == '.' && p.sparql > 0 && len(bytes.TrimSpace(p.data[p.sparql:p.pos])) == 0:
		return `; there is no "." after PREFIX and BASE without "@"`
	case expected == expectedObject && (isKeyword(p.keyword(), "true") || isKeyword(p.keyword(), "false")):
		return "; true and false are in lower case"
	}
	return ""
}

// startsJSON reports whether the document begins like a JSON object, if p.pos is at its
// bracket or, in TriG, behind it.
func (p *parser) startsJSON() bool {
	before := bytes.TrimSpace(p.data[scan.AfterBOM(p.data):p.pos])
	rest := p.data[p.pos:]
	if len(before) == 0 && rest[0] == '{' {
		rest = bytes.TrimLeft(rest[1:], " \t\r\n")
	} else if string(before) != "{" {
		return false
	}
	return len(rest) > 0 && rest[0] == '"'
}

func (p *parser) fail(err error, off int) error { return scan.Error(err, p.file, p.data, off) }
