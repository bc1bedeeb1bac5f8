package engine

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// writes are the media types that graphs are written in, the preferred one first.
func writes() []string {
	return []string{rdfio.Turtle.MediaType(), rdfio.JSONLD.MediaType(), rdfio.NTriples.MediaType()}
}

// format returns the format to write for a peer (a2a-rdf, BIND-7): Turtle when nothing
// is known of what it reads.
func format(p *Peer) (string, error) {
	if len(p.Formats) == 0 {
		return rdfio.Turtle.MediaType(), nil
	}
	for _, f := range p.Formats {
		for _, w := range writes() {
			if oneOf(f, w) {
				return w, nil
			}
		}
	}
	return "", unsupported("the peer reads no format that is written here, but " + brief(strings.Join(p.Formats, ", ")))
}

// write writes a graph.
func write(d *rdf.Dataset, mediaType string) (string, error) {
	var b bytes.Buffer
	var err error
	switch {
	case d == nil:
		return "", malformed("expected a graph, found none")
	case len(d.GraphNames()) > 0:
		return "", malformed("expected one default graph, found named graphs")
	case oneOf(mediaType, rdfio.Turtle.MediaType()):
		err = turtle.Write(&b, d, turtle.WriteOptions{Prefixes: []turtle.Prefix{{Name: "a2a", IRI: vocab.A2A}}})
	case oneOf(mediaType, rdfio.NTriples.MediaType()):
		err = nquads.WriteTriples(&b, d)
	case oneOf(mediaType, rdfio.JSONLD.MediaType()):
		return string(appendJSONLD(nil, d)), nil
	default:
		return "", unsupported("expected a format that is written here, found " + quoted(mediaType))
	}
	if err != nil {
		return "", fmt.Errorf("writing a graph: %w", err)
	}
	return b.String(), nil
}

// appendJSONLD appends a graph as expanded JSON-LD: an object a subject, without a
// context, every literal as a value object with its datatype, so that no reader has
// anything to interpret.
func appendJSONLD(dst []byte, d *rdf.Dataset) []byte {
	dst = append(dst, '[')
	var subject, predicate rdf.ID
	for q := range d.Quads() {
		switch {
		case q.S != subject:
			if subject != 0 {
				dst = append(dst, "]},"...)
			}
			dst = appendString(append(dst, `{"@id":`...), node(d, q.S))
		case q.P != predicate:
			dst = append(dst, ']')
		}
		if q.S != subject || q.P != predicate {
			dst = append(appendString(append(dst, ','), d.Value(q.P)), `:[`...)
		} else {
			dst = append(dst, ',')
		}
		subject, predicate = q.S, q.P
		dst = appendObjectTerm(dst, d, q.O)
	}
	if subject != 0 {
		dst = append(dst, "]}"...)
	}
	return append(dst, ']')
}

// node is the @id of a subject or object.
func node(d *rdf.Dataset, id rdf.ID) string {
	if d.Kind(id) == rdf.KindIRI {
		return d.Value(id)
	}
	return fmt.Sprintf("_:b%d", id)
}

func appendObjectTerm(dst []byte, d *rdf.Dataset, id rdf.ID) []byte {
	if d.Kind(id) != rdf.KindLiteral {
		return append(appendString(append(dst, `{"@id":`...), node(d, id)), '}')
	}
	dst = appendString(append(dst, `{"@value":`...), d.Value(id))
	if lang := d.Lang(id); lang != "" {
		return append(appendMember(dst, "@language", lang), '}')
	}
	return append(appendMember(dst, "@type", d.Value(d.Datatype(id))), '}')
}

// payloadPart makes the part of an intent or a response graph.
func payloadPart(keys protocol.Keys, role protocol.Role, pin, body, mediaType string) Part {
	return Part{Content: Text, Text: body, MediaType: mediaType, Metadata: partMetadata(keys, role, pin)}
}
