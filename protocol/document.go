package protocol

import (
	"context"
	"errors"
	"fmt"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/shacl"
)

// Candidate is what a body says: read, hashed and not yet trusted. It becomes a
// [Document] by [Candidate.Verify]. A Candidate is immutable and safe for
// concurrent use.
type Candidate struct {
	pin     canon.Digest
	graph   *rdf.Dataset
	compile shacl.CompileOptions
}

// Parse reads a body of the given media type (Turtle, JSON-LD or N-Triples;
// a2a-rdf, section 3.4) and computes its pin. There is no base IRI: a relative
// reference is refused, since one document would have a pin for every address. A
// byte order mark at the start is skipped. It fails with an [*Error] of
// [CodeUnsupportedMediaType], [CodeLimitExceeded] or [CodeMalformedPayload].
func Parse(ctx context.Context, body []byte, mediaType string, o Options) (*Candidate, error) {
	graph, refusal := read(body, mediaType, o, DocumentLimits())
	if refusal != nil {
		return nil, refusal
	}
	return hash(ctx, graph, o)
}

// hash makes a Candidate of a graph.
func hash(ctx context.Context, graph *rdf.Dataset, o Options) (*Candidate, error) {
	pin, err := canon.Hash(ctx, graph, o.Canon)
	if err != nil {
		return nil, refuse(codeOf(err, CodeMalformedPayload), "the document cannot be hashed", err)
	}
	return &Candidate{pin, graph, o.compiling()}, nil
}

// Pin returns the pin that the body has.
func (c *Candidate) Pin() canon.Digest { return c.pin }

// Dataset returns the graph of the body.
func (c *Candidate) Dataset() *rdf.Dataset { return c.graph }

// Document is a Protocol Document that is well formed and whose pin was
// verified: nothing but [Candidate.Verify] makes one. It is immutable and safe
// for concurrent use. The zero Document and nil stand for none: they have no pin,
// no graph and no labels, and every method that judges refuses.
type Document struct {
	pin      canon.Digest
	graph    *rdf.Dataset
	node     rdf.Term
	request  rdf.Term
	response rdf.Term // the zero Term when there is none
	program  *shacl.Program
}

// Verify reads a body, compares its pin before anything else of it is used
// (a2a-rdf, HASH-2 and HASH-3), and checks it against every rule on Protocol
// Documents (section 2). It fails with an [*Error]: of
// [CodeProtocolHashMismatch] when the body has another pin or cannot be read at
// all (HASH-7), of [CodeLimitExceeded] or [CodeUnsupportedMediaType], and of
// [CodeInvalidProtocolDocument] when the pin is right and the document is not.
func Verify(ctx context.Context, body []byte, mediaType string, pin canon.Digest, o Options) (*Document, error) {
	c, err := Parse(ctx, body, mediaType, o)
	if err != nil {
		if e, ok := errors.AsType[*Error](err); ok && e.Code == CodeMalformedPayload {
			return nil, refuse(CodeProtocolHashMismatch, "the document cannot be read, so it does not have the pin", e)
		}
		return nil, err
	}
	return c.Verify(pin)
}

// Verify compares the pin and then checks the document, as the function
// [Verify] does. A publisher who trusts the body passes the candidate's own pin.
func (c *Candidate) Verify(pin canon.Digest) (*Document, error) {
	if !c.pin.Equal(pin) {
		return nil, refuse(CodeProtocolHashMismatch, fmt.Sprintf("the document has the pin %s", c.pin), nil)
	}
	d := &Document{pin: c.pin, graph: c.graph}
	if err := d.readModel(); err != nil {
		return nil, refuse(codeOf(err, CodeInvalidProtocolDocument), "", err)
	}
	program, err := shacl.Compile(c.graph.Default(), c.compile) // PD-11, and the cycles of PD-12
	if err != nil {
		return nil, refuse(codeOfShapes(err), "", err)
	}
	d.program = program
	if err := d.checkReferences(); err != nil {
		return nil, refuse(CodeInvalidProtocolDocument, "", err)
	}
	if err := d.checkRoots(); err != nil {
		return nil, refuse(CodeInvalidProtocolDocument, "", err)
	}
	return d, nil
}

// Pin returns the verified pin, the zero Digest for nil.
func (d *Document) Pin() canon.Digest {
	if d == nil {
		return canon.Digest{}
	}
	return d.pin
}

// Dataset returns the document's graph, nil for none.
func (d *Document) Dataset() *rdf.Dataset {
	if d == nil {
		return nil
	}
	return d.graph
}

// ID returns the document's own IRI: a label, not its identity.
func (d *Document) ID() string {
	if d == nil || d.node.IsZero() {
		return ""
	}
	return d.node.Value()
}

// RequestShape returns the shape that judges intents, the zero Term for none.
func (d *Document) RequestShape() rdf.Term {
	if d == nil {
		return rdf.Term{}
	}
	return d.request
}

// ResponseShape returns the shape that judges responses, and whether there is
// one.
func (d *Document) ResponseShape() (rdf.Term, bool) {
	if d == nil {
		return rdf.Term{}, false
	}
	return d.response, !d.response.IsZero()
}

// Title returns dcterms:title. Title, Description and Version are for people; no
// decision depends on them. They are "" where there is none, there are several, or
// the value is not a literal (a2a-rdf, PD-8 and PD-9).
func (d *Document) Title() string { return d.label(vocab.DCTitle) }

// Description returns dcterms:description, see [Document.Title].
func (d *Document) Description() string { return d.label(vocab.DCDescription) }

// Version returns dcterms:hasVersion, see [Document.Title].
func (d *Document) Version() string { return d.label(vocab.DCHasVersion) }

func (d *Document) label(property string) string {
	if d == nil || d.graph == nil {
		return ""
	}
	o := d.graph.Default().Object(d.graph.Lookup(d.node), d.graph.LookupIRI(property))
	if d.graph.Kind(o) != rdf.KindLiteral {
		return ""
	}
	return d.graph.Value(o)
}
