package turtle

import (
	"fmt"
	"io"
	"sync"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/internal/scan"
)

// Options says how to read. The zero Options are right for bytes that came
// from someone else.
type Options struct {
	// Base is the absolute IRI that relative references are resolved against.
	// Without it they are refused until the document sets a base.
	Base string
	// Limits bounds the document; a number that is not positive means that of
	// [rdf.Peer].
	Limits rdf.Limits
	// File is the name of the document in errors and places.
	File string
	// Places keeps where the subject and the object of every triple stand.
	Places bool
	// Declared is called for each prefix directive, in the order of the
	// document, so that a program can write names as the document does. It may
	// be nil.
	Declared func(Prefix)
}

// Parse reads a Turtle document. It fails with a [*rdf.SyntaxError], a
// [*rdf.LimitError], or, when the base is not an absolute IRI, an error that
// wraps a [*rdf.TermError].
func Parse(data []byte, o Options) (*rdf.Dataset, error) { return parse(data, o, false) }

// ParseTriG reads a TriG document, as [Parse] does.
func ParseTriG(data []byte, o Options) (*rdf.Dataset, error) { return parse(data, o, true) }

// ParseInto reads a Turtle document as one more document of b, whose limits
// hold in place of those of o. After an error b holds a part of it.
func ParseInto(b *rdf.Builder, data []byte, o Options) error { return parseInto(b, data, o, false) }

// ParseTriGInto reads a TriG document, as [ParseInto] does.
func ParseTriGInto(b *rdf.Builder, data []byte, o Options) error {
	return parseInto(b, data, o, true)
}

// Read reads a Turtle document from r, which may give it in pieces of any size.
// Besides the errors of [Parse] it returns what r fails with, wrapped.
func Read(r io.Reader, o Options) (*rdf.Dataset, error) { return read(r, o, false) }

// ReadTriG reads a TriG document, as [Read] does.
func ReadTriG(r io.Reader, o Options) (*rdf.Dataset, error) { return read(r, o, true) }

func read(r io.Reader, o Options, trig bool) (*rdf.Dataset, error) {
	data, err := scan.ReadAll(r, o.Limits, o.File)
	if err != nil {
		return nil, err
	}
	return parse(data, o, trig)
}

func parse(data []byte, o Options, trig bool) (*rdf.Dataset, error) {
	b := rdf.NewBuilder(o.Limits)
	if err := parseInto(b, data, o, trig); err != nil {
		return nil, err
	}
	return b.Dataset(), nil
}

func parseInto(b *rdf.Builder, data []byte, o Options, trig bool) error {
	limits := b.Limits()
	if err := scan.Check(data, limits, o.File); err != nil {
		return err
	}
	p := parsers.Get().(*parser)
	defer p.release()
	*p = parser{
		stack: p.stack[:0], prefixes: p.prefixes[:0], scratch: p.scratch[:0],
		b: b, data: data, pos: scan.AfterBOM(data), file: o.File, trig: trig, places: o.Places,
		nesting: limits.Nesting, directives: limits.Prefixes, iriBytes: limits.IRIBytes, namespaces: limits.TermBytes, spelt: limits.TermBytes, declared: o.Declared,
	}
	if o.Base != "" {
		base, err := rdf.ParseBase(o.Base)
		if err != nil {
			return fmt.Errorf("the base: %w", err)
		}
		p.base, p.baseBytes = base, len(o.Base)
	}
	b.Grow(len(data))
	b.BeginDocument(o.File)
	return p.document()
}

// parsers keeps the memory of finished parsers for the next ones.
var parsers = sync.Pool{New: func() any { return new(parser) }}

// release gives p back to the pool without a reference to the document. Whatever else
// it still holds is overwritten before it is read.
func (p *parser) release() {
	const keep = 1 << 10 // what one large document needed is not kept for small ones
	if cap(p.stack) > keep || cap(p.prefixes) > keep || cap(p.scratch) > 64*keep {
		return
	}
	for i := range p.prefixes {
		if p.prefixes[i].name = nil; cap(p.prefixes[i].buf) > keep {
			p.prefixes[i].buf = nil
		}
	}
	p.b, p.data, p.file, p.declared, p.base, p.index = nil, nil, "", nil, rdf.Base{}, nil
	parsers.Put(p)
}
