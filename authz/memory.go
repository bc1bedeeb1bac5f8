package authz

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
)

// Memory is a [PolicyMemory] that lasts as long as the process. The zero Memory is
// empty. It forgets nothing; once it is full, it fails, which denies.
type Memory struct {
	// Max is how many policies are remembered, 0 means a million: some 60 MB, however
	// long their names are.
	Max int

	mu      sync.Mutex
	revoked map[canon.Digest]struct{}
}

// memoryKey is what a policy of an assigner is kept by. No IRI has a line feed.
func memoryKey(assigner, iri string) canon.Digest { return canon.Sum([]byte(assigner + "\n" + iri)) }

// RevokedPolicy implements [PolicyMemory].
func (m *Memory) RevokedPolicy(assigner, iri string) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, revoked := m.revoked[memoryKey(assigner, iri)]
	return revoked, nil
}

// RememberPolicy implements [PolicyMemory].
func (m *Memory) RememberPolicy(assigner, iri string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	most := m.Max
	if most <= 0 {
		most = 1_000_000
	}
	key := memoryKey(assigner, iri)
	if _, known := m.revoked[key]; !known && len(m.revoked) >= most {
		return errors.New("the memory of revoked policies is full")
	}
	if m.revoked == nil {
		m.revoked = map[canon.Digest]struct{}{}
	}
	m.revoked[key] = struct{}{}
	return nil
}

// Cache is a [vc.Documents] that keeps what another one read for a while: status
// lists, above all. What it gives is verified each time as if it had been read anew,
// so a list whose validity has ended is refused. A revocation that was seen once
// stays (vc.Config.Revoked), whatever a kept list says. It is safe for concurrent
// use if the other is. Make one with [NewCache].
type Cache struct {
	from  vc.Documents
	clock func() time.Time
	fresh time.Duration
	stale time.Duration

	mu      sync.Mutex
	entries map[string]cached
	bytes   int // of all entries
}

type cached struct {
	document vc.Document
	at       time.Time
}

// CacheOptions say how long documents are kept.
type CacheOptions struct {
	// Fresh is how long a document is served without reading it again, 0 means 5
	// minutes, the default ttl of Bitstring Status List 1.0, section 2.2.
	Fresh time.Duration
	// InsecureStale is how long after it was read a document may stand in for one
	// that cannot be read. By default none ever does: not being reachable must not
	// hide a revocation.
	InsecureStale time.Duration
}

// maxCached is how many documents are kept, and maxCachedBytes how much in all: whoever
// issues credentials says which documents are read. Beyond, all are dropped, which costs
// reading them again.
const (
	maxCached      = 1_000
	maxCachedBytes = 64 << 20
)

// NewCache makes a Cache of what another reads.
func NewCache(from vc.Documents, clock func() time.Time, o CacheOptions) (*Cache, error) {
	switch {
	case from == nil || clock == nil:
		return nil, errors.New("expected documents and a clock")
	case o.Fresh < 0 || o.InsecureStale < 0:
		return nil, errors.New("expected durations that are not negative")
	}
	if o.Fresh == 0 {
		o.Fresh = 5 * time.Minute
	}
	return &Cache{from: from, clock: clock, fresh: o.Fresh, stale: o.InsecureStale, entries: map[string]cached{}}, nil
}

// Document implements [vc.Documents].
func (c *Cache) Document(ctx context.Context, url string) (vc.Document, error) {
	now := c.clock()
	c.mu.Lock()
	kept, ok := c.entries[url]
	c.mu.Unlock()
	age := now.Sub(kept.at)
	if ok && age >= 0 && age < c.fresh {
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
	c.entries[url] = cached{d, now}
	c.bytes += size
	return d, nil
}
