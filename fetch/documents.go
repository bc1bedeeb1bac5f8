package fetch

import "context"

// Documents fetches Protocol Documents for an engine: by their profile, through a
// [Gate]. It has the shape that package engine asks of a source that bounds what each
// peer may cause. It is safe for concurrent use.
type Documents struct {
	client *Client
	gate   *Gate
}

// NewDocuments returns a source of Protocol Documents.
func NewDocuments(c *Client, o GateOptions) *Documents {
	return &Documents{client: c, gate: NewGate(o)}
}

// Fetch fetches a document for nobody: what this side wants by itself is not counted.
func (d *Documents) Fetch(ctx context.Context, url string) (body []byte, mediaType string, err error) {
	return document(d.client.Get(ctx, url, ProtocolDocument()))
}

// FetchFor fetches the document with a pin, which a peer caused. The body is not compared
// with the pin: what is at another URL is another fetch. An [*Error] with [CodeThrottled]
// means that the peer asks too often.
func (d *Documents) FetchFor(ctx context.Context, peer, pin, url string) (body []byte, mediaType string, err error) {
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
