package service

import (
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
)

// document is an RDF document in a request.
type document struct {
	content, mediaType, base string
}

func (d *document) fields() []field {
	return []field{
		{"content", true, text(&d.content)},
		{"mediaType", true, text(&d.mediaType)},
		{"base", false, text(&d.base)},
	}
}

func (d *document) read(v strictjson.Value) error { return readFields(v, d.fields()...) }

// syntax returns the syntax that the media type names; it is never guessed.
func (d *document) syntax() (rdfio.Syntax, error) {
	syntax, ok := rdfio.ByMediaType(d.mediaType)
	if !ok {
		return 0, &requestError{CodeUnsupportedMediaType, "expected the media type of an RDF syntax, found " + quote(d.mediaType)}
	}
	return syntax, nil
}

// parseInto reads the document, called name in places.
func (d *document) parseInto(b *rdf.Builder, name string, contexts *jsonld.Contexts, limits rdf.Limits, places bool) error {
	syntax, err := d.syntax()
	if err != nil {
		return err
	}
	if d.base != "" {
		if _, err := rdf.ParseBase(d.base); err != nil {
			return malformed("base: %s", err)
		}
	}
	return rdfio.ParseInto(b, []byte(d.content), syntax, rdfio.Options{
		Base: d.base, Limits: limits, File: name, Places: places, JSONLD: jsonld.Options{Contexts: contexts},
	})
}

// documentLimits are those of documents that have a pin, of shapes among them, and
// payloadLimits those of what is validated.
func documentLimits() rdf.Limits { return protocol.DocumentLimits() }
func payloadLimits() rdf.Limits  { return protocol.PayloadLimits() }
