package rdfio

import (
	"fmt"
	"io"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/internal/scan"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/nquads"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

// Options says how to read. The zero Options are right for bytes that came
// from someone else.
type Options struct {
	// Base is the absolute IRI that relative references are resolved against;
	// N-Triples and N-Quads have none and ignore it.
	Base string
	// Limits bounds the document; a number that is not positive means that of
	// [rdf.Peer].
	Limits rdf.Limits
	// File is the name of the document in errors and places.
	File string
	// Places keeps where the subject and the object of every quad stand.
	Places bool
	// Declared is called for each prefix directive of Turtle and TriG, see
	// [turtle.Options].
	Declared func(turtle.Prefix)
	// JSONLD says the rest for JSON-LD: contexts, processing mode and the like.
	// Its Base, Limits, File and Places are ignored.
	JSONLD jsonld.Options
}

// Parse reads a document. It fails as the syntax's own package says.
func Parse(data []byte, s Syntax, o Options) (*rdf.Dataset, error) {
	b := rdf.NewBuilder(o.Limits)
	if err := ParseInto(b, data, s, o); err != nil {
		return nil, err
	}
	return b.Dataset(), nil
}

// ParseInto reads a document as one more document of b, whose limits hold in
// place of those of o. After an error b holds a part of it.
func ParseInto(b *rdf.Builder, data []byte, s Syntax, o Options) error {
	switch s {
	case Turtle:
		return turtle.ParseInto(b, data, o.turtle())
	case TriG:
		return turtle.ParseTriGInto(b, data, o.turtle())
	case NTriples:
		return nquads.ParseTriplesInto(b, data, o.nquads())
	case NQuads:
		return nquads.ParseInto(b, data, o.nquads())
	case JSONLD:
		return jsonld.ParseInto(b, data, o.jsonld())
	}
	return errNoReader(s)
}

// ReadInto reads a document from r as one more document of b, as [ParseInto] does.
// Of a document in N-Triples or N-Quads only some lines are in memory at a time, see
// [nquads.ReadInto]. Besides the errors of ParseInto it returns what r fails with,
// wrapped.
func ReadInto(b *rdf.Builder, r io.Reader, s Syntax, o Options) error {
	switch s {
	case NTriples:
		return nquads.ReadTriplesInto(b, r, o.nquads())
	case NQuads:
		return nquads.ReadInto(b, r, o.nquads())
	}
	data, err := scan.ReadAll(r, b.Limits(), o.File)
	if err != nil {
		return err
	}
	return ParseInto(b, data, s, o)
}

// Read reads a document from r, which may give it in pieces of any size.
// Besides the errors of [Parse] it returns what r fails with, wrapped.
func Read(r io.Reader, s Syntax, o Options) (*rdf.Dataset, error) {
	switch s {
	case Turtle:
		return turtle.Read(r, o.turtle())
	case TriG:
		return turtle.ReadTriG(r, o.turtle())
	case NTriples:
		return nquads.ReadTriples(r, o.nquads())
	case NQuads:
		return nquads.Read(r, o.nquads())
	case JSONLD:
		return jsonld.Read(r, o.jsonld())
	}
	return nil, errNoReader(s)
}

func (o Options) turtle() turtle.Options {
	return turtle.Options{Base: o.Base, Limits: o.Limits, File: o.File, Places: o.Places, Declared: o.Declared}
}

func (o Options) nquads() nquads.Options {
	return nquads.Options{Limits: o.Limits, File: o.File, Places: o.Places}
}

func (o Options) jsonld() jsonld.Options {
	j := o.JSONLD
	j.Base, j.Limits, j.File, j.Places = o.Base, o.Limits, o.File, o.Places
	return j
}

func errNoReader(s Syntax) error { return fmt.Errorf("there is no reader for %s", s) }
