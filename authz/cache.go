package authz

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/rdfproto/rdfproto/authz/vc"
)

// Cache is a [vc.Documents] that keeps for a while what another one read: status lists,
// above all. A kept document is verified each time as if it had just been read, so a
// list whose validity has ended is refused. A revocation that was seen once stays
// (vc.Config.Revoked), whatever a kept list says. It is a [vc.Keeper]: a list is read
// again when its own ttl has passed or its validity has ended, if that is sooner than the
// Cache's own time. What no verifier has told about, as of a document that it refused, is
// kept for a moment only. Lists are kept as they were read, never inflated. It is safe for
// concurrent use if the other is. Make one with [NewCache].
type Cache struct {
	from   vc.Documents
	clock  func() time.Time
	fresh  time.Duration
	untold time.Duration
	stale  time.Duration

	mu      sync.Mutex
	entries map[string]cached
	bytes   int // of all entries
}

type cached struct {
	document vc.Document
	at       time.Time
	fresh    time.Duration // how long it is served, from at on
	told     bool          // by a verifier
}

// CacheOptions says how long documents are kept.
type CacheOptions struct {
	// Fresh is how long a document is served without reading it again; 0 means 5
	// minutes, the default ttl of Bitstring Status List 1.0, section 2.2. A document
	// that states a shorter time is served for that time.
	Fresh time.Duration
	// Untold is how long a document is served of which no verifier said how long it holds:
	// policies, controller documents, and status lists that were refused. 0 means 10
	// seconds; it is never more than Fresh.
	Untold time.Duration
	// InsecureStale is how long after it was read a document may be served in the
	// place of one that cannot be read. By default it never is: an unreachable list
	// must not hide a revocation.
	InsecureStale time.Duration
}

// maxCached is how many documents are kept, and maxCachedBytes how many bytes in all:
// the issuers of credentials choose which documents are read. Beyond, all are dropped
// and have to be read again.
const (
	maxCached      = 1_000
	maxCachedBytes = 64 << 20
)

// NewCache makes a Cache in front of from. It fails without from or clock, and for
// negative durations.
func NewCache(from vc.Documents, clock func() time.Time, o CacheOptions) (*Cache, error) {
	switch {
	case from == nil || clock == nil:
		return nil, errors.New("expected documents and a clock")
	case o.Fresh < 0 || o.Untold < 0 || o.InsecureStale < 0:
		return nil, errors.New("expected durations that are not negative")
	}
	if o.Fresh == 0 {
		o.Fresh = 5 * time.Minute
	}
	if o.Untold == 0 {
		o.Untold = 10 * time.Second
	}
	return &Cache{from: from, clock: clock, fresh: o.Fresh, untold: min(o.Untold, o.Fresh), stale: o.InsecureStale, entries: map[string]cached{}}, nil
}

// Document implements [vc.Documents].
func (c *Cache) Document(ctx context.Context, url string) (vc.Document, error) {
	now := c.clock()
	c.mu.Lock()
	kept, ok := c.entries[url]
	c.mu.Unlock()
	age := now.Sub(kept.at)
	if ok && age >= 0 && age < kept.fresh {
		return kept.document, nil
	}
	d, err := c.from.Document(ctx, url)
	if err != nil {
		if ok && age >= 0 && age < c.stale {
			return kept.document, nil
		}
		return vc.Document{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	size := len(url) + len(d.Content)
	if size > maxCachedBytes {
		return d, nil
	}
	if old, ok := c.entries[url]; ok {
		c.bytes -= len(url) + len(old.document.Content)
		delete(c.entries, url)
	}
	if len(c.entries) >= maxCached || c.bytes+size > maxCachedBytes {
		clear(c.entries)
		c.bytes = 0
	}
	c.entries[url] = cached{document: d, at: now, fresh: c.untold}
	c.bytes += size
	return d, nil
}

// Keep implements [vc.Keeper]. Of several times that it is told about one document, the
// shortest counts.
func (c *Cache) Keep(url string, d vc.Document, ttl time.Duration, until time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept, ok := c.entries[url]
	if !ok || kept.document.MediaType != d.MediaType || !bytes.Equal(kept.document.Content, d.Content) {
		return // another one was read meanwhile
	}
	fresh := min(c.fresh, max(ttl, 0))
	if !until.IsZero() {
		fresh = min(fresh, max(until.Sub(kept.at), 0))
	}
	if kept.told {
		fresh = min(fresh, kept.fresh)
	}
	kept.fresh, kept.told = fresh, true
	c.entries[url] = kept
}
