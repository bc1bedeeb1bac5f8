package fetch

import (
	"context"
	"time"
)

// KeySet fetches a JWK Set. maxAge is what the server said, and negative when it
// did not; it is 0 when the set must not be kept. It has the shape that the
// verification of signed cards asks for.
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
