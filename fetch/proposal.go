package fetch

import "context"

// Proposal fetches a standing proposal by its profile. fresh asks every cache on the
// way for the origin's version. It has the shape that the verification of terms asks
// for.
func (c *Client) Proposal(ctx context.Context, url string, fresh bool) ([]byte, error) {
	p := c.proposal
	p.Fresh = fresh
	r, err := c.Get(ctx, url, p)
	if err != nil {
		return nil, err
	}
	return r.Body, nil
}

// Card fetches an Agent Card by its profile and tells where it was in the end, after
// redirects. fresh asks every cache on the way for the origin's version.
func (c *Client) Card(ctx context.Context, url string, fresh bool) (card []byte, at string, err error) {
	p := c.card
	p.Fresh = fresh
	r, err := c.Get(ctx, url, p)
	if err != nil {
		return nil, "", err
	}
	return r.Body, r.URL, nil
}
