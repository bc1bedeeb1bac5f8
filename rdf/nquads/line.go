package nquads

import (
	"bytes"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/internal/scan"
)

// reader reads one document. Names of productions are those of N-Quads 1.1,
// section 4.
type reader struct {
	b      *rdf.Builder
	data   []byte
	pos    int
	file   string
	quads  bool
	places bool
	lines  uint32 // lines of the document before data

	scratch []byte       // text of a term without its escapes
	subject token        // the last subject that was an IRI
	cache   scan.Cache   // IRIs by their text in the document
	tracker scan.Tracker // when places are kept
}

// token is a term as the document spells it.
type token struct {
	text []byte
	id   rdf.ID
}

// document reads nquadsDoc ::= statement? (EOL statement)* EOL?.
func (r *reader) document() error {
	next := rdf.FirstReserve
	for {
		if r.pos >= next {
			r.b.Reserve(r.pos, len(r.data))
			next *= rdf.ReserveFactor
		}
		if r.b.Untidy() {
			r.b.Trim()
			r.cache.Clear()
			r.subject = token{}
		}
		r.space()
		if r.pos == len(r.data) {
			return nil
		}
		switch r.data[r.pos] {
		case '\n', '\r':
			r.pos++
			continue
		case '#':
			r.comment()
			continue
		}
		if err := r.statement(); err != nil {
			return err
		}
		r.space()
		if r.pos == len(r.data) {
			return nil
		}
		switch r.data[r.pos] {
		case '\n', '\r':
			r.pos++
		case '#':
			r.comment()
		default:
			return r.unexpected("the end of the line")
		}
	}
}

// statement reads subject predicate object graphLabel? '.'.
func (r *reader) statement() error {
	var at, objectAt rdf.Pos
	if r.places {
		at = r.place()
	}
	s, err := r.subjectTerm()
	if err != nil {
		return err
	}
	r.space()
	if r.peek() != '<' {
		return r.unexpected("a predicate (an IRI in angle brackets)")
	}
	p, err := r.iri()
	if err != nil {
		return err
	}
	r.space()
	if r.places {
		objectAt = r.place()
	}
	o, err := r.object()
	if err != nil {
		return err
	}
	r.space()
	var g rdf.ID
	if r.quads {
		switch r.peek() {
		case '<':
			g, err = r.iri()
		case '_':
			g, err = r.blank()
		}
		if err != nil {
			return err
		}
		r.space()
	}
	if r.peek() != '.' {
		switch {
		case r.quads && g == 0:
			return r.unexpected(`"." or a graph name`)
		default:
			return r.unexpected(`"."`)
		}
	}
	start := r.pos
	r.pos++
	if r.places {
		err = r.b.AddAt(s, p, o, g, at, objectAt)
	} else {
		err = r.b.Add(s, p, o, g)
	}
	if err != nil {
		return r.fail(err, start)
	}
	return nil
}

// place returns the place of the next byte in the document.
func (r *reader) place() rdf.Pos {
	at := r.tracker.At(r.data, r.pos)
	at.Line += r.lines
	return at
}

// subjectTerm reads subject ::= IRIREF | BLANK_NODE_LABEL. Subjects come in runs, so
// the last IRI is tried first.
func (r *reader) subjectTerm() (rdf.ID, error) {
	if n := len(r.subject.text); n != 0 && bytes.HasPrefix(r.data[r.pos:], r.subject.text) {
		r.pos += n
		return r.subject.id, nil
	}
	from := r.pos
	switch r.peek() {
	case '<':
		id, err := r.iri()
		// The closing bracket makes the text of an IRI a token that no other
		// begins with.
		r.subject = token{r.data[from:r.pos], id}
		return id, err
	case '_':
		return r.blank()
	}
	return 0, r.unexpected(`a subject (an IRI in angle brackets or a blank node "_:label")`)
}

func (r *reader) object() (rdf.ID, error) {
	switch r.peek() {
	case '<':
		return r.iri()
	case '"':
		return r.literal()
	case '_':
		return r.blank()
	}
	return 0, r.unexpected(`an object (an IRI in angle brackets, a blank node "_:label" or a literal in double quotes)`)
}

// iri reads IRIREF.
func (r *reader) iri() (rdf.ID, error) {
	start := r.pos
	n := bytes.IndexByte(r.data[start:], '>')
	if n < 0 {
		return r.iriSlowly()
	}
	end := start + n
	slot := scan.Slot(r.data, start, end)
	if id := r.cache.Get(slot, r.data, start, end); id != 0 {
		r.pos = end + 1
		return id, nil
	}
	// If the builder has the IRI already, its characters need no second look; if
	// it is not an IRI, or has escapes, the builder refuses it.
	id, err := r.b.IRI(r.data[start+1 : end])
	if err != nil {
		return r.iriSlowly()
	}
	r.cache.Put(slot, start, end, id)
	r.pos = end + 1
	return id, nil
}

// iriSlowly reads an IRIREF that has escapes, is faulty or is over a limit.
func (r *reader) iriSlowly() (rdf.ID, error) {
	start := r.pos
	text, end, err := scan.IRIRef(r.scratch[:0], r.data, start, r.b.Limits().IRIBytes, r.file)
	r.scratch = text
	if err != nil {
		return 0, err
	}
	id, err := r.b.IRI(text)
	if err != nil {
		return 0, r.fail(err, start)
	}
	r.pos = end
	return id, nil
}

// blank reads BLANK_NODE_LABEL.
func (r *reader) blank() (rdf.ID, error) {
	start := r.pos
	end, err := scan.BlankLabel(r.data, start, r.file)
	if err != nil {
		return 0, err
	}
	if end < len(r.data) && r.data[end] == ':' {
		return 0, scan.BadLabel(r.file, r.data, end)
	}
	id, err := r.b.Blank(r.data[start+2 : end])
	if err != nil {
		return 0, r.fail(err, start)
	}
	r.pos = end
	return id, nil
}

// literal reads STRING_LITERAL_QUOTE ('^^' IRIREF | LANGTAG)?.
func (r *reader) literal() (rdf.ID, error) {
	start := r.pos
	end := scan.Plain(r.data, start+1, '"')
	text := r.data[start+1 : end]
	if end == len(r.data) || r.data[end] != '"' {
		var err error
		text, end, err = scan.Quoted(r.scratch[:0], r.data, start, r.file)
		r.scratch = text
		if err != nil {
			return 0, err
		}
	} else {
		end++
	}
	r.pos = end
	r.space()
	var id rdf.ID
	var err error
	switch r.peek() {
	case '@':
		var tag []byte
		if tag, err = scan.LangTag(r.data, r.pos, r.file); err != nil {
			return 0, err
		}
		r.pos += 1 + len(tag)
		id, err = r.b.LangLiteral(text, tag)
	case '^':
		if !bytes.HasPrefix(r.data[r.pos:], []byte("^^")) {
			return 0, r.unexpected(`"^^" before a datatype`)
		}
		r.pos += 2
		r.space()
		if r.peek() != '<' {
			return 0, r.unexpected("a datatype (an IRI in angle brackets)")
		}
		var datatype rdf.ID
		scratch := r.scratch // text may lie in it
		r.scratch = nil
		datatype, err = r.iri()
		r.scratch = scratch
		if err != nil {
			return 0, err
		}
		id, err = r.b.Literal(text, datatype)
	default:
		r.pos = end
		id, err = r.b.Literal(text, 0)
	}
	if err != nil {
		return 0, r.fail(err, start)
	}
	return id, nil
}

// space skips what may stand between the terms of a line.
func (r *reader) space() {
	for r.pos < len(r.data) && (r.data[r.pos] == ' ' || r.data[r.pos] == '\t') {
		r.pos++
	}
}

// comment skips to the end of the line.
func (r *reader) comment() {
	for r.pos < len(r.data) && r.data[r.pos] != '\n' && r.data[r.pos] != '\r' {
		r.pos++
	}
}

// peek returns the next byte, 0 at the end.
func (r *reader) peek() byte {
	if r.pos < len(r.data) {
		return r.data[r.pos]
	}
	return 0
}

func (r *reader) unexpected(expected string) error {
	return scan.Unexpected(r.file, r.data, r.pos, expected)
}

func (r *reader) fail(err error, off int) error { return scan.Error(err, r.file, r.data, off) }
