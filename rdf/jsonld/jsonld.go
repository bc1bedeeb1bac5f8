package jsonld

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/internal/scan"
)

// Options says how to read. The zero Options are right for bytes that came
// from someone else: no remote context, nothing dropped.
type Options struct {
	// Base is the absolute IRI of the document, against which relative references
	// are resolved, those to contexts as well. A reference that stays relative is
	// refused.
	Base string
	// Limits bounds the document; a number that is not positive means that of
	// [rdf.Peer]. Nesting is never more than 10,000, whatever it says.
	Limits rdf.Limits
	// ProcessingLimits bounds what the document may ask of contexts and
	// expansion; a number that is not positive means that of [Peer].
	ProcessingLimits Limits
	// Contexts are the remote contexts that the document may refer to.
	Contexts *Contexts
	// NoImport refuses a document that imports a context, at any depth. What the
	// pinned contexts themselves import stays allowed.
	NoImport bool
	// ExpandContext is a context, or a document with an @context member, that
	// applies before the document's own; empty for none.
	ExpandContext []byte
	// Lossy drops without an error what JSON-LD 1.1 drops: members without a
	// term, what has no IRI, values that float free. What is read this way says less
	// than the document, and neither a hash nor a signature covers the rest.
	Lossy bool
	// ProcessingMode is JSON-LD 1.1 by default.
	ProcessingMode ProcessingMode
	// RDFDirection says how RDF keeps the base direction of strings. By default
	// it does not, and a document that has one is refused unless Lossy is set.
	RDFDirection RDFDirection
	// File is the name of the document in errors and places.
	File string
	// Places keeps where the subject and the object of every quad stand: the
	// node object, and the JSON value.
	Places bool
}

// ProcessingMode is a processing mode (API specification, section 9.3).
type ProcessingMode uint8

// The processing modes. In that of 1.0, the features of 1.1 are refused.
const (
	JSONLD11 ProcessingMode = iota
	JSONLD10
)

// RDFDirection is a way to keep the base direction of strings in RDF (API
// specification, section 9.3).
type RDFDirection uint8

// The ways to keep a base direction.
const (
	NoDirection     RDFDirection = iota
	I18nDatatype                 // as a datatype of the namespace https://www.w3.org/ns/i18n#
	CompoundLiteral              // as a blank node with rdf:value, rdf:language and rdf:direction
)

// Parse reads a JSON-LD document. It fails with an [*Error], a
// [*rdf.SyntaxError] when the text is no JSON, a [*rdf.LimitError], or, when
// the base is not an absolute IRI, an error that wraps a [*rdf.TermError].
func Parse(data []byte, o Options) (*rdf.Dataset, error) {
	b := rdf.NewBuilder(o.Limits)
	if err := ParseInto(b, data, o); err != nil {
		return nil, err
	}
	return b.Dataset(), nil
}

// Read reads a JSON-LD document from r, which may give it in pieces of any
// size. Besides the errors of [Parse] it returns what r fails with, wrapped.
func Read(r io.Reader, o Options) (*rdf.Dataset, error) {
	data, err := scan.ReadAll(r, o.Limits, o.File)
	if err != nil {
		return nil, err
	}
	return Parse(data, o)
}

// ParseInto reads a JSON-LD document as one more document of b, whose limits
// hold in place of those of o. After an error b holds a part of it.
func ParseInto(b *rdf.Builder, data []byte, o Options) error {
	p, s, err := expandDocument(b, data, o)
	if err != nil {
		return err
	}
	return p.deserialize(s)
}

// expandDocument is the API's expand (section 9.1): it leaves the expanded
// document on the stack of the processor.
func expandDocument(b *rdf.Builder, data []byte, o Options) (*processor, shape, error) {
	var base rdf.Base
	if o.Base != "" {
		var err error
		if base, err = rdf.ParseBase(o.Base); err != nil {
			return nil, nothing, fmt.Errorf("the base <%s>: %w", rdf.Abbreviate(o.Base), err)
		}
	}
	limits := b.Limits()
	if int64(len(data)) > limits.Bytes {
		return nil, nothing, scan.TooLarge(limits, o.File)
	}
	doc := &origin{name: o.File, base: base}
	if o.ProcessingMode > JSONLD10 || o.RDFDirection > CompoundLiteral {
		return nil, nothing, fmt.Errorf("unknown processing mode %d or direction %d", o.ProcessingMode, o.RDFDirection)
	}
	p := newProcessor(b, doc, o, limits)
	var err error
	if doc.root, err = p.parseJSON(bytes.TrimPrefix(data, []byte("\uFEFF")), o.File); err != nil {
		return nil, nothing, err
	}
	b.Grow(len(data))
	b.BeginDocument(o.File)
	if o.Places {
		p.locator = doc.root.Locator()
	}
	// An estimate: about half of the nodes of a document are names, and some values
	// become types and identifiers.
	size := min(doc.root.Size(), 1<<20)
	p.elements = make([]element, 0, size/3+4)
	p.entries = make([]entry, 0, size/5*2+4)
	s, err := p.run()
	if err != nil {
		return nil, nothing, err
	}
	return p, s, nil
}

func (p *processor) parseJSON(data []byte, file string) (strictjson.Value, error) {
	v, err := strictjson.Parse(data, strictjson.Limits{
		Bytes: p.rdfLimits.Bytes, Depth: p.nesting, Values: p.limits.Values, Members: p.limits.Members,
	})
	if err != nil {
		return v, looksLikeTurtle(jsonError(err, file), data)
	}
	return v, nil
}

// looksLikeTurtle adds that to a syntax error if the text begins like Turtle.
func looksLikeTurtle(err error, data []byte) error {
	var syntax *rdf.SyntaxError
	text := bytes.TrimLeft(data, " \t\r\n")
	if errors.As(err, &syntax) && syntax.Code == rdf.CodeSyntax && len(text) > 0 && strings.IndexByte("@<#_PB", text[0]) >= 0 {
		syntax.Expected += "; this looks like Turtle"
	}
	return err
}

// run expands the document, once it is sure that every remote context is there.
//
// Only expansion can tell whether a reference is one: within a JSON literal it is
// mere data. So if references are missing, the document is expanded to find the
// literals, without any effect outside, and the error is the first missing reference
// that is in no literal, whatever else is wrong.
func (p *processor) run() (shape, error) {
	missing := p.unpinned(p.doc)
	p.keep = len(missing) > 0
	s, err := p.expandRoot()
	if !p.keep {
		return s, err
	}
	literals := p.literals
	if err != nil && !p.lossy {
		// The literals behind the fault: what is lost does not matter here.
		o := *p.options
		o.Lossy = true
		q := newProcessor(rdf.NewBuilder(p.rdfLimits), p.doc, o, p.rdfLimits)
		q.keep = true
		_, _ = q.expandRoot() // as far as it comes
		literals = q.literals
	}
	if ref := firstOutside(missing, literals); ref != nil {
		return nothing, p.refuseReference(*ref)
	}
	return s, err
}

// expandRoot expands the document under the context of the options.
func (p *processor) expandRoot() (shape, error) {
	active := initialContext
	if len(p.options.ExpandContext) > 0 {
		var err error
		if active, err = p.expandContext(); err != nil {
			return nothing, err
		}
	}
	return p.expand(active, property{}, p.doc.root, false)
}

// expandContext processes the context of the options (section 9.1, expand, step
// 6).
func (p *processor) expandContext() (*activeContext, error) {
	org := &origin{name: "the expand context", base: p.doc.base}
	var err error
	if org.root, err = p.parseJSON(p.options.ExpandContext, org.name); err != nil {
		return nil, err
	}
	context := org.root
	if inner := context.Get("@context"); inner.Exists() {
		context = inner
	}
	for _, ref := range references(context, org) {
		if pin := p.table.pin(ref.iri); ref.code != "" || pin == nil || pin.missing != nil {
			return nil, p.refuseReference(ref)
		}
	}
	return p.processContext(initialContext, context, contextCall{org: org})
}
