package service

import (
	"context"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
)

// hashRequest is the body of /v1/hash in JSON; a body of an RDF media type is the
// document itself.
type hashRequest struct {
	document document
	pin      string
}

func (h *hashRequest) fields() []field {
	return []field{{"document", true, h.document.read}, {"pin", false, filled(&h.pin)}}
}

// hash computes the protocol hash of a document, and compares it with a pin.
func (s *Server) hash(ctx context.Context, r *request) answer {
	h, err := readHash(r)
	if err != nil {
		return refusal(err)
	}
	var want canon.Digest
	if h.pin != "" {
		if want, err = canon.ParseDigest(h.pin); err != nil {
			return refusal(malformed("pin: %s", err))
		}
	}
	b := rdf.NewBuilder(documentLimits())
	if err := h.document.parseInto(b, "", s.judge.contexts, documentLimits(), false); err != nil {
		return refusal(err)
	}
	if err := ctx.Err(); err != nil {
		return refusal(err)
	}
	d := b.Dataset()
	digest, err := canon.Hash(ctx, d, canon.Options{})
	if err != nil {
		return refusal(err)
	}
	more, err := cli.Marshal(struct {
		Hash  string `json:"hash"`
		Quads int    `json:"quads"`
	}{digest.String(), d.Len()})
	switch {
	case err != nil:
		return answer{cause: err}
	case h.pin == "":
		return yes("this is the hash", more)
	case digest.Equal(want):
		return yes("the hash is that of the pin", more)
	}
	return no(string(protocol.CodeProtocolHashMismatch), "the hash is not that of the pin", more)
}

func readHash(r *request) (h hashRequest, err error) {
	if isJSON(r.mediaType) {
		if len(r.query) > 0 {
			return h, malformed("query parameters go with a body of RDF; in JSON they are members")
		}
		v, err := r.json()
		if err != nil {
			return h, err
		}
		return h, readFields(v, h.fields()...)
	}
	h.document = document{content: string(r.body), mediaType: r.mediaType, base: r.query.Get("base")}
	h.pin = r.query.Get("pin")
	if r.query.Has("pin") && h.pin == "" || r.query.Has("base") && h.document.base == "" {
		return h, malformed("a query parameter is empty")
	}
	return h, nil
}
