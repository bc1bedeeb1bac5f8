package nquads

import (
	"io"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/internal/scan"
)

// Options says how to read. The zero Options are right for bytes that came
// from someone else.
type Options struct {
	// Limits bounds the document; a number that is not positive means that of
	// [rdf.Peer].
	Limits rdf.Limits
	// File is the name of the document in errors and places.
	File string
	// Places keeps where the subject and the object of every quad stand.
	Places bool
}

// Parse reads an N-Quads document. It fails with a [*rdf.SyntaxError] or a
// [*rdf.LimitError].
func Parse(data []byte, o Options) (*rdf.Dataset, error) { return parse(data, o, true) }

// ParseTriples reads an N-Triples document, as [Parse] does.
func ParseTriples(data []byte, o Options) (*rdf.Dataset, error) { return parse(data, o, false) }

// ParseInto reads an N-Quads document as one more document of b, whose limits
// hold in place of those of o. After an error b holds a part of it.
func ParseInto(b *rdf.Builder, data []byte, o Options) error { return parseInto(b, data, o, true) }

// ParseTriplesInto reads an N-Triples document, as [ParseInto] does.
func ParseTriplesInto(b *rdf.Builder, data []byte, o Options) error {
	return parseInto(b, data, o, false)
}

// Read reads an N-Quads document from r, which may give it in pieces of any
// size. Besides the errors of [Parse] it returns what r fails with, wrapped.
func Read(r io.Reader, o Options) (*rdf.Dataset, error) { return read(r, o, true) }

// ReadTriples reads an N-Triples document, as [Read] does.
func ReadTriples(r io.Reader, o Options) (*rdf.Dataset, error) { return read(r, o, false) }

func read(r io.Reader, o Options, quads bool) (*rdf.Dataset, error) {
	data, err := scan.ReadAll(r, o.Limits, o.File)
	if err != nil {
		return nil, err
	}
	return parse(data, o, quads)
}

func parse(data []byte, o Options, quads bool) (*rdf.Dataset, error) {
	b := rdf.NewBuilder(o.Limits)
	if err := parseInto(b, data, o, quads); err != nil {
		return nil, err
	}
	return b.Dataset(), nil
}

func parseInto(b *rdf.Builder, data []byte, o Options, quads bool) error {
	if err := scan.Check(data, b.Limits(), o.File); err != nil {
		return err
	}
	b.Grow(len(data))
	b.BeginDocument(o.File)
	r := reader{b: b, data: data, pos: scan.AfterBOM(data), file: o.File, quads: quads, places: o.Places}
	return r.document()
}
