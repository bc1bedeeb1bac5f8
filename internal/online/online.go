package online

import (
	"context"

	"github.com/rdfproto/rdfproto/fetch"
	"github.com/rdfproto/rdfproto/internal/cli"
)

// Open returns the network for production: only public addresses, and certificates of
// the system's authorities.
func Open(l cli.FetchLimits) (cli.Network, error) { return With(fetch.Options{}, l) }

// With returns a network with other options.
func With(o fetch.Options, l cli.FetchLimits) (cli.Network, error) {
	o.MaxCardBytes, o.MaxProposalBytes, o.MaxKeySetBytes = l.Card, l.Proposal, l.KeySet
	client, err := fetch.New(o)
	if err != nil {
		return nil, err
	}
	return network{client}, nil
}

// network is a [fetch.Client], which has KeySet, Card and Proposal already.
type network struct{ *fetch.Client }

// ProtocolDocument fetches a Protocol Document.
func (n network) ProtocolDocument(ctx context.Context, url string) (body []byte, mediaType string, err error) {
	r, err := n.Get(ctx, url, fetch.ProtocolDocument())
	if err != nil {
		return nil, "", err
	}
	return r.Body, r.MediaType, nil
}
