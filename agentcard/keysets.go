package agentcard

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// Fetcher gets a JWK Set over guarded HTTPS without following redirects. maxAge is how
// long the server allows it to be kept, negative if it did not say. An error that has a
// method FetchCode() string is reported with that code. A fetch must end by itself: it
// is shared, and goes on when the caller that started it gives up. It must be safe for
// concurrent use.
type Fetcher interface {
	KeySet(ctx context.Context, url string) (body []byte, maxAge time.Duration, err error)
}

// KeySets is a cache of JWK Sets over a [Fetcher], for keys that cards locate by
// jku (K-8, K-9). It fetches a set again when a card names a kid that the set does
// not have, but at most once a minute for each URL and ten times a minute in all.
// Failures are remembered for a minute. A set that is out of date is not used, even
// when it cannot be fetched again. It is safe for concurrent use.
//
// It does not judge locations: [Verify] does, before it asks.
type KeySets struct {
	fetcher Fetcher
	now     func() time.Time
	limits  Limits

	mu      sync.Mutex
	sets    map[string]*cachedSet
	flights map[string]*setFlight
	fetches []time.Time // the last minute's
}

type cachedSet struct {
	set       *KeySet // nil after a failure
	fetched   time.Time
	until     time.Time
	failure   match
	failUntil time.Time
	refetched time.Time
	used      time.Time
}

type setFlight struct {
	done    chan struct{}
	set     *KeySet
	failure match
}

// The numbers of K-9.
const (
	refetchEvery   = time.Minute
	fetchesAMinute = 10
	shortestLife   = time.Minute
	longestLife    = 24 * time.Hour
	usualLife      = 300 * time.Second
	failureLife    = time.Minute
	maxSets        = 256 // a card chooses the path below an allowed origin
)

// NewKeySets returns an empty cache over fetcher. now is the clock by which sets age,
// which may differ from the time of a [Policy].
func NewKeySets(fetcher Fetcher, now func() time.Time, limits Limits) *KeySets {
	return &KeySets{
		fetcher: fetcher, now: now, limits: limits.OrDefault(),
		sets: map[string]*cachedSet{}, flights: map[string]*setFlight{},
	}
}

// ask looks a signature's key up in the set at url. If that is to be fetched, the match is
// that of flight. begun is the flight of another signature of the card, nil for none: what
// the card says of one does not depend on whether the set for another came already.
func (c *KeySets) ask(ctx context.Context, url string, s *signature, at time.Time, begun *setFlight) (m match, flight *setFlight) {
	if c == nil || c.fetcher == nil || c.now == nil {
		return match{code: CodeKeyNotFound, text: "no key with kid " + shorten(s.kid) + " is at hand, and JWK Sets are not fetched here"}, nil
	}
	set, flight, m := c.enter(ctx, url, s, begun)
	if set != nil {
		m = set.located(s, at)
	}
	return m, flight
}

// find waits for the set and looks a signature's key up in it.
func (f *setFlight) find(ctx context.Context, s *signature, at time.Time) match {
	select {
	case <-ctx.Done():
	case <-f.done:
	}
	if ctx.Err() != nil { // of two that are ready, select takes any
		return match{code: CodeKeyFetch, text: "the fetch of the JWK Set was given up"}
	}
	if f.failure.code != "" {
		return f.failure
	}
	return f.set.located(s, at)
}

// located looks a signature's key up in a set that was at its jku.
func (s *KeySet) located(sig *signature, at time.Time) match {
	m, found := s.find(sig, at)
	if !found {
		m = match{code: CodeKeyNotFound, text: "the JWK Set at jku has no key with kid " + shorten(sig.kid)}
	}
	return m
}

// enter returns the cached set if it has the kid, or a fetch to wait for, or why there
// is neither.
func (c *KeySets) enter(ctx context.Context, url string, s *signature, begun *setFlight) (*KeySet, *setFlight, match) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	entry := c.sets[url]
	// What a clock that was ahead kept until some time is not kept by one that is right.
	fresh := entry != nil && entry.set != nil && !now.Before(entry.fetched) && now.Before(entry.until)
	if fresh && entry.set.has(s.kid) {
		// This holds while the set is fetched again: a card with a made-up kid neither
		// delays other cards nor takes their keys away.
		entry.used = now
		return entry.set, nil, match{}
	}
	if begun != nil {
		return nil, begun, match{}
	}
	if f := c.flights[url]; f != nil {
		return nil, f, match{}
	}
	if entry != nil && now.Before(entry.failUntil) && entry.failUntil.Sub(now) <= failureLife {
		return nil, nil, entry.failure
	}
	throttled := match{code: CodeKeyFetchThrottled, text: "the JWK Set at jku may not be fetched again yet"}
	if fresh && !entry.refetched.IsZero() && !now.Before(entry.refetched) && now.Sub(entry.refetched) < refetchEvery {
		return nil, nil, throttled
	}
	c.fetches = slices.DeleteFunc(c.fetches, func(t time.Time) bool { return now.Sub(t) >= time.Minute || now.Before(t) })
	if len(c.fetches) >= fetchesAMinute {
		return nil, nil, throttled
	}
	c.fetches = append(c.fetches, now)
	if entry == nil {
		entry = &cachedSet{}
		c.makeRoom()
		c.sets[url] = entry
	}
	entry.used = now
	if fresh {
		entry.refetched = now
	}
	f := &setFlight{done: make(chan struct{})}
	c.flights[url] = f
	go c.fetch(context.WithoutCancel(ctx), url, f)
	return nil, f, match{}
}

func (s *KeySet) has(kid string) bool {
	return slices.ContainsFunc(s.keys, func(k *Key) bool { return k.id == kid })
}

func (c *KeySets) fetch(ctx context.Context, url string, f *setFlight) {
	body, maxAge, err := c.fetcher.KeySet(ctx, url)
	if err != nil {
		f.failure = fetchFailure(err)
	} else if set, err := parseKeySet(body, c.limits); err != nil {
		f.failure = match{code: err.Code, text: "the document at jku: " + err.Text}
	} else {
		f.set = set
	}
	c.mu.Lock()
	now := c.now()
	entry := c.sets[url]
	if entry == nil { // evicted in the meantime
		entry = &cachedSet{used: now}
		c.makeRoom()
		c.sets[url] = entry
	}
	if f.set != nil {
		switch {
		case maxAge < 0:
			maxAge = usualLife
		default:
			maxAge = min(max(maxAge, shortestLife), longestLife)
		}
		entry.set, entry.fetched, entry.until, entry.failUntil = f.set, now, now.Add(maxAge), time.Time{}
	} else {
		entry.failure, entry.failUntil = f.failure, now.Add(failureLife)
	}
	delete(c.flights, url)
	c.mu.Unlock()
	close(f.done)
}

// fetchError is an error of a [Fetcher] that has a code.
type fetchError interface {
	error
	FetchCode() string
}

// fetchFailure returns a fetcher's error with its code.
func fetchFailure(err error) match {
	m := match{code: CodeKeyFetch, text: "the JWK Set at jku: " + err.Error()}
	if coded, ok := errors.AsType[fetchError](err); ok && coded.FetchCode() != "" {
		m.code = Code(coded.FetchCode())
	}
	return m
}

// makeRoom evicts the set that was not used for the longest time, if the cache is full.
func (c *KeySets) makeRoom() {
	if len(c.sets) < maxSets {
		return
	}
	oldest := ""
	for url, e := range c.sets {
		if o := c.sets[oldest]; o == nil || e.used.Before(o.used) || e.used.Equal(o.used) && url < oldest {
			oldest = url
		}
	}
	delete(c.sets, oldest)
}

// known returns the keys of the cached set at url, for the diagnosis.
func (c *KeySets) known(url string) []*Key {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.sets[url]; e != nil && e.set != nil {
		return e.set.keys
	}
	return nil
}
