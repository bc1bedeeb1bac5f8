package fetch

import (
	"bytes"
	"context"
	"sync"
	"time"
)

// Cache keeps documents of one kind for as long as their servers allow, and then asks
// again with the entity tag (F-7). A document is never served past its freshness: when
// it cannot be renewed, the caller gets the error. It is safe for concurrent use.
type Cache struct {
	client  *Client
	profile Profile
	now     func() time.Time
	entries int

	mu   sync.Mutex
	kept map[string]*cached
}

type cached struct {
	response Response
	at       time.Time // when it was kept
	until    time.Time
	used     time.Time
}

// maxFresh caps the freshness that a server may claim, so that a card that was replaced
// in a hurry is seen within a day.
const maxFresh = 24 * time.Hour

// NewCache returns a Cache over client for documents of profile. now is the clock;
// nil means the system's. At most entries documents are kept, 256 when entries is not
// positive; the least recently used one is dropped first.
func NewCache(client *Client, profile Profile, entries int, now func() time.Time) *Cache {
	if now == nil {
		now = time.Now
	}
	if entries <= 0 {
		entries = 256
	}
	return &Cache{client: client, profile: profile, now: now, entries: entries, kept: map[string]*cached{}}
}

// Get returns the document at url, from memory while it is fresh. The body is the
// caller's own copy. Its errors are [*Error], as those of [Client.Get].
func (c *Cache) Get(ctx context.Context, url string) (*Response, error) {
	old, fresh := c.lookup(url)
	if fresh {
		return old, nil
	}
	tag := ""
	if old != nil {
		tag = old.ETag
	}
	r, err := c.client.GetIfChanged(ctx, url, tag, c.profile)
	if err == nil && r.NotModified && r.URL != old.URL {
		// The kept document came from another URL, by a redirect: its tag means nothing
		// at this one.
		r, err = c.client.Get(ctx, url, c.profile)
	}
	if err != nil {
		return nil, err
	}
	if r.NotModified {
		r.Body, r.MediaType, r.NotModified = old.Body, old.MediaType, false
	}
	c.keep(url, r)
	return r, nil
}

func (c *Cache) lookup(url string) (r *Response, fresh bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.kept[url]
	if e == nil {
		return nil, false
	}
	now := c.now()
	e.used = now
	copied := e.response
	copied.Body = bytes.Clone(e.response.Body)
	// By a clock that was ahead it would be fresh for as long as that was.
	return &copied, !now.Before(e.at) && now.Before(e.until)
}

func (c *Cache) keep(url string, r *Response) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.NoStore || !r.HasMaxAge && r.ETag == "" {
		delete(c.kept, url)
		return
	}
	if _, has := c.kept[url]; !has && len(c.kept) >= c.entries {
		oldest := ""
		for u, e := range c.kept {
			if oldest == "" || e.used.Before(c.kept[oldest].used) || e.used.Equal(c.kept[oldest].used) && u < oldest {
				oldest = u
			}
		}
		delete(c.kept, oldest)
	}
	now := c.now()
	copied := *r
	copied.Body = bytes.Clone(r.Body)
	c.kept[url] = &cached{response: copied, at: now, until: now.Add(min(r.MaxAge, maxFresh)), used: now}
}
