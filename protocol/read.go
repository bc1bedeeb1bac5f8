package protocol

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
	"github.com/rdfproto/rdfproto/shacl"
)

// Options says how to read and judge. The zero Options are those of the
// extension, and right for bytes that came from someone else.
type Options struct {
	// File is the name of the document in errors and findings, which then have
	// places. Without it no places are kept but that of a syntax error.
	File string
	// Contexts are the pinned JSON-LD contexts, nil for none; any other remote
	// context is refused (a2a-rdf, PARSE-2 to PARSE-4).
	Contexts *jsonld.Contexts
	// Limits bounds the body. The zero Limits stand for [DocumentLimits] for
	// documents and [PayloadLimits] for payloads.
	Limits rdf.Limits
	// JSONLD bounds what a body in JSON-LD may ask of its contexts and of expansion.
	// Its zero fields stand for those of [jsonld.Peer].
	JSONLD jsonld.Limits
	// Canon bounds canonicalization. A higher bound than the default may give a pin
	// to a document that the peer cannot compute one for (a2a-rdf, VAL-3).
	Canon canon.Options
	// Compile and Validate bound shapes and validation (a2a-rdf, VAL-4). Patterns of
	// shapes have at most [MaxPattern] characters unless MaxPattern of Compile says
	// otherwise: a longer one is not compiled (VAL-6).
	Compile  shacl.CompileOptions
	Validate shacl.Options
}

// compiling returns the options for compiling the shapes of a document.
func (o Options) compiling() shacl.CompileOptions {
	c := o.Compile
	if c.MaxPattern <= 0 {
		c.MaxPattern = MaxPattern
	}
	return c
}

// codeOfShapes returns the code for an error of compiling shapes. A pattern that is
// longer than documents may have is a fault of the document, as it is in a review;
// every other limit is one of who reads it.
func codeOfShapes(err error) Code {
	if l, ok := errors.AsType[*rdf.LimitError](err); ok && l.Limit == shacl.LimitPattern && l.Max == MaxPattern {
		return CodeInvalidProtocolDocument
	}
	return codeOf(err, CodeInvalidProtocolDocument)
}

// DocumentLimits returns the limits on the body of a Protocol Document (a2a-rdf,
// VAL-1 and VAL-2).
func DocumentLimits() rdf.Limits {
	l := rdf.Peer()
	l.Bytes = 1 << 20
	l.Quads = 20_000
	l.BlankNodes = 2_000
	return l
}

// PayloadLimits returns the limits on an intent or a response graph (a2a-rdf,
// VAL-1 and VAL-2).
func PayloadLimits() rdf.Limits { return rdf.Peer() }

// ReadPayload reads the bytes of a part of a message: an intent, a response or a
// handshake message as RDF text. They are Turtle, JSON-LD or N-Triples, one
// default graph, without a base IRI and without a byte order mark (a2a-rdf,
// section 3.4). It fails with an [*Error] of [CodeUnsupportedMediaType],
// [CodeLimitExceeded] or [CodeMalformedPayload].
func ReadPayload(body []byte, mediaType string, o Options) (*rdf.Dataset, error) {
	if bytes.HasPrefix(body, []byte("\uFEFF")) { // PARSE-8
		return nil, refuse(CodeMalformedPayload, "expected no byte order mark in a part", nil)
	}
	d, err := read(body, mediaType, o, PayloadLimits())
	if err != nil {
		return nil, err
	}
	return d, nil
}

// read reads one default graph in a media type that the extension allows.
func read(body []byte, mediaType string, o Options, limits rdf.Limits) (*rdf.Dataset, *Error) {
	syntax, ok := rdfio.ByMediaType(mediaType)
	if !ok || syntax == rdfio.TriG || syntax == rdfio.NQuads { // PARSE-1, PARSE-5
		return nil, refuse(CodeUnsupportedMediaType, "expected text/turtle, application/ld+json or application/n-triples, found "+quoteType(mediaType), nil)
	}
	if o.Limits != (rdf.Limits{}) {
		limits = o.Limits.OrPeer()
	}
	if int64(len(body)) > limits.Bytes { // SEC-1: before any reader sees it
		return nil, refuse(CodeLimitExceeded, "", &rdf.LimitError{Limit: rdf.LimitBytes, Max: limits.Bytes, Place: rdf.Place{File: o.File}})
	}
	if bytes.IndexByte(body, 0) >= 0 { // PARSE-8
		return nil, refuse(CodeMalformedPayload, "expected text without U+0000", nil)
	}
	ro := rdfio.Options{Limits: limits, File: o.File, Places: o.File != ""}
	ro.JSONLD.Contexts, ro.JSONLD.NoImport = o.Contexts, true // PARSE-3
	ro.JSONLD.ProcessingLimits = o.JSONLD
	d, err := rdfio.Parse(body, syntax, ro)
	if err != nil {
		return nil, refuse(codeOf(err, CodeMalformedPayload), "", err)
	}
	if reason := notOneGraph(d); reason != "" {
		return nil, refuse(CodeMalformedPayload, reason, nil)
	}
	return d, nil
}

// notOneGraph says why a dataset is not one default graph (PARSE-5) whose
// literals are free of U+0000 (PARSE-8).
func notOneGraph(d *rdf.Dataset) string {
	if d == nil {
		return "expected a graph, found none"
	}
	if n := len(d.GraphNames()); n > 0 {
		return "expected one default graph, found " + count(n, "named graph")
	}
	for id := rdf.ID(1); int(id) <= d.NumTerms(); id++ {
		if d.Kind(id) == rdf.KindLiteral && strings.IndexByte(d.Value(id), 0) >= 0 {
			return "expected no U+0000 in a literal"
		}
	}
	return ""
}

func quoteType(mediaType string) string {
	if mediaType == "" {
		return "none"
	}
	return `"` + rdf.Abbreviate(mediaType) + `"`
}

// codeOf returns [CodeLimitExceeded] for an error that says that a limit was reached
// or time ran out, and the other code for the rest.
func codeOf(err error, otherwise Code) Code {
	if _, ok := errors.AsType[*rdf.LimitError](err); ok {
		return CodeLimitExceeded
	}
	if _, ok := errors.AsType[*canon.LimitError](err); ok {
		return CodeLimitExceeded
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return CodeLimitExceeded
	}
	return otherwise
}
