package fetch

import (
	"context"
	"strings"
)

// Documents fetches Protocol Documents for package engine, with their profile and through
// a [Gate]: it implements the engine's source of documents that limits what each peer may
// cause. It is safe for concurrent use.
type Documents struct {
	client *Client
	gate   *Gate
}

// NewDocuments returns Documents that c fetches, behind a Gate with the options o.
func NewDocuments(c *Client, o GateOptions) *Documents {
	return &Documents{client: c, gate: NewGate(o)}
}

// Fetch fetches a document that no peer caused this side to want: it is not counted. Its
// errors are [*Error].
func (d *Documents) Fetch(ctx context.Context, url string) (body []byte, mediaType string, err error) {
	return document(d.client.Get(ctx, url, ProtocolDocument()))
}

// FetchFor fetches the document with a pin from url, because of peer. The body is not
// compared with the pin, so the same pin at two URLs makes two fetches. Its errors are
// [*Error]; [CodeThrottled] means that the peer asks too often.
func (d *Documents) FetchFor(ctx context.Context, peer, pin, url string) (body []byte, mediaType string, err error) {
	url = strings.Clone(url) // it is in failures, which are remembered, and may share the memory of a whole message
	return document(d.gate.Do(ctx, peer, pin+" "+url, url, func(ctx context.Context) (*Response, error) {
		return d.client.Get(ctx, url, ProtocolDocument())
	}))
}

func document(r *Response, err error) ([]byte, string, error) {
	if err != nil {
		return nil, "", err
	}
	return r.Body, r.MediaType, nil
}
