package authz

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strconv"
	"sync"
	"time"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// Cache is a [vc.Documents] that keeps for a while what another one read: status lists,
// above all. A kept document is verified each time as if it had just been read, so a
// list whose validity has ended is refused. A revocation that was seen once stays
// (vc.Config.Revoked), whatever a kept list says. A list is read again when its own ttl
// has passed or its validity has ended, if that is sooner than the Cache's own time. It
// is safe for concurrent use if the other is. Make one with [NewCache].
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
	fresh    time.Duration // how long it is served, from at on
}

// CacheOptions says how long documents are kept.
type CacheOptions struct {
	// Fresh is how long a document is served without reading it again; 0 means 5
	// minutes, the default ttl of Bitstring Status List 1.0, section 2.2. A document
	// that states a shorter time is served for that time.
	Fresh time.Duration
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
	fresh := min(c.fresh, ownLife(url, d, now))
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
	c.entries[url] = cached{d, now, fresh}
	c.bytes += size
	return d, nil
}

// ownLife returns how long a document says that it holds from now on: the shortest ttl
// of a status list in it, in milliseconds (Bitstring Status List 1.0, section 2.2), or
// the time to its validUntil if that is less. The document is not verified, but can only
// shorten the time. A time that cannot be read counts as 0; a document that cannot be
// read is left to its verification.
func ownLife(url string, d vc.Document, now time.Time) time.Duration {
	life := time.Duration(math.MaxInt64)
	ttl := func(ms float64, ok bool) {
		switch {
		case !ok || !(ms > 0): // NaN is neither
			life = 0
		case ms < float64(life/time.Millisecond):
			life = time.Duration(ms * float64(time.Millisecond))
		}
	}
	until := func(text string) {
		t, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			life = 0
			return
		}
		life = min(life, max(t.Sub(now), 0))
	}
	if bytes.HasPrefix(bytes.TrimLeft(d.Content, " \t\r\n"), []byte("{")) {
		root, err := strictjson.Parse(d.Content, strictjson.Limits{Bytes: int64(len(d.Content)) + 1})
		if err != nil {
			return life
		}
		for _, subject := range elements(root.Get("credentialSubject")) {
			if v := subject.Get("ttl"); v.Exists() {
				ttl(v.Float64())
			}
		}
		if v := root.Get("validUntil"); v.Exists() {
			text, _ := v.Str()
			until(text)
		}
		return life
	}
	limits := rdf.Peer()
	limits.Bytes = int64(len(d.Content)) + 1
	limits.LiteralBytes = max(limits.LiteralBytes, len(d.Content))
	g, err := rdfio.Parse(d.Content, rdfio.Turtle, rdfio.Options{Base: withoutFragment(url), Limits: limits})
	if err != nil {
		return life
	}
	if p := g.LookupIRI(vocab.Status + "ttl"); p != 0 {
		for q := range g.Default().Predicate(p).Quads() {
			ms, err := strconv.ParseFloat(g.Value(q.O), 64)
			ttl(ms, err == nil)
		}
	}
	if p := g.LookupIRI(vocab.CredValidUntil); p != 0 {
		for q := range g.Default().Predicate(p).Quads() {
			until(g.Value(q.O))
		}
	}
	return life
}
