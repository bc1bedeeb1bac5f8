package fetch

import (
	"context"
	"time"
)

// Proposal fetches a standing proposal with its profile; fresh asks every cache on the
// way for the origin's version. It implements the source of proposals of package terms.
// Its errors are [*Error].
func (c *Client) Proposal(ctx context.Context, url string, fresh bool) ([]byte, error) {
	p := c.proposal
	p.Fresh = fresh
	r, err := c.Get(ctx, url, p)
	if err != nil {
		return nil, err
	}
	return r.Body, nil
}

// Card fetches an Agent Card with its profile; fresh asks every cache on the way for the
// origin's version. at is the URL of the card after redirects. Its errors are [*Error].
func (c *Client) Card(ctx context.Context, url string, fresh bool) (card []byte, at string, err error) {
	p := c.card
	p.Fresh = fresh
	r, err := c.Get(ctx, url, p)
	if err != nil {
		return nil, "", err
	}
	return r.Body, r.URL, nil
}

// KeySet fetches a JWK Set with its profile. maxAge is how long the server lets it be
// kept: 0 when it must not be kept, negative when the server did not say. It implements
// the source of key sets of package agentcard. Its errors are [*Error].
func (c *Client) KeySet(ctx context.Context, url string) (body []byte, maxAge time.Duration, err error) {
	r, err := c.Get(ctx, url, c.keySet)
	if err != nil {
		return nil, 0, err
	}
	switch {
	case r.NoStore:
		return r.Body, 0, nil
	case r.HasMaxAge:
		return r.Body, r.MaxAge, nil
	}
	return r.Body, -1, nil
}
