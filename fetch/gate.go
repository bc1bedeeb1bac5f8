package fetch

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"
)

// GateOptions configures a [Gate].
type GateOptions struct {
	// Now is the clock; nil means the system's.
	Now func() time.Time
	// PerMinute is how many fetches one peer may start in a minute; 0 means 10.
	PerMinute int
	// FailureFor is how long a failure is remembered; 0 means 60 s, which is also
	// the most.
	FailureFor time.Duration
	// Entries caps both the peers and the failures that are remembered; 0 means 4096.
	// While that many peers are active, further ones are throttled.
	Entries int
}

// Gate limits the fetches that peers cause (FETCH-11): at most one fetch of a key runs
// at a time and all callers share its result, a failure is remembered for a minute, and
// each peer may start only a certain number per minute. It is safe for concurrent use.
type Gate struct {
	now        func() time.Time
	perMinute  int
	failureFor time.Duration
	entries    int

	mu      sync.Mutex
	running map[string]*flight
	failed  map[failedKey]failure
	started map[string][]time.Time
}

// flight is a fetch that runs: res and err are set when done is closed.
type flight struct {
	url  string
	done chan struct{}
	res  *Response
	err  error
}

type failedKey struct{ key, url string }

type failure struct {
	err   error
	until time.Time
}

// NewGate returns a Gate that has seen no fetch.
func NewGate(o GateOptions) *Gate {
	const longest = time.Minute
	g := &Gate{
		now: o.Now, perMinute: o.PerMinute, failureFor: o.FailureFor, entries: o.Entries,
		running: map[string]*flight{}, failed: map[failedKey]failure{}, started: map[string][]time.Time{},
	}
	if g.now == nil {
		g.now = time.Now
	}
	if g.perMinute <= 0 {
		g.perMinute = 10
	}
	if g.failureFor <= 0 || g.failureFor > longest {
		g.failureFor = longest
	}
	if g.entries <= 0 {
		g.entries = 4096
	}
	return g
}

// Do runs fetch for peer, or joins the fetch that already runs for key. key identifies
// the document, such as its pin does; url is where fetch gets it. Failures are
// remembered for the two together, so that a wrong address does not hide a right one.
//
// fetch must also fail when what it got is not what key identifies, or all who wait
// would get that as the answer. It must end by itself: because others may wait for it,
// it keeps running when ctx is done. The response is shared and must not be changed.
//
// An [*Error] with [CodeThrottled] means that the peer asks too often, one with
// [CodeCanceled] that ctx is done; other errors are those of fetch, which are remembered
// without the cause where they are an *Error.
func (g *Gate) Do(ctx context.Context, peer, key, url string, fetch func(context.Context) (*Response, error)) (*Response, error) {
	for {
		f, lead, err := g.enter(peer, key, url)
		if err != nil {
			return nil, err
		}
		if lead {
			go g.run(context.WithoutCancel(ctx), key, f, fetch)
		}
		select {
		case <-ctx.Done():
			return nil, &Error{Code: CodeCanceled, URL: display(url), Reason: "the fetch was given up", Err: ctx.Err()}
		case <-f.done:
		}
		if f.err == nil || f.url == url {
			return f.res, f.err
		}
		// Somebody else's address failed; ours was not tried yet.
	}
}

// enter returns the running fetch of key. When there is none it starts one, which lead
// tells the caller to run. It fails with a failure that is remembered, and when peer may
// start no fetch.
func (g *Gate) enter(peer, key, url string) (f *flight, lead bool, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	if old, ok := g.failed[failedKey{key, url}]; ok {
		if g.holds(old, now) {
			return nil, false, old.err
		}
		delete(g.failed, failedKey{key, url})
	}
	if f := g.running[key]; f != nil {
		return f, false, nil
	}
	if !g.admit(peer, now) {
		return nil, false, refuse(CodeThrottled, url, "expected at most %d fetches in a minute", g.perMinute)
	}
	f = &flight{url: strings.Clone(url), done: make(chan struct{})}
	g.running[key] = f
	return f, true, nil
}

// holds reports whether a failure still counts. One of a clock that was ahead does not.
func (g *Gate) holds(f failure, now time.Time) bool {
	left := f.until.Sub(now)
	return left > 0 && left <= g.failureFor
}

// admit counts a fetch that peer starts, and reports whether it may start it.
func (g *Gate) admit(peer string, now time.Time) bool {
	recent := func(starts []time.Time) []time.Time {
		return slices.DeleteFunc(starts, func(t time.Time) bool { return now.Sub(t) >= time.Minute || now.Before(t) })
	}
	starts, known := g.started[peer]
	if !known {
		peer = strings.Clone(peer) // which may share the memory of a whole message
	}
	if !known && len(g.started) >= g.entries {
		for p, s := range g.started {
			if s = recent(s); len(s) == 0 {
				delete(g.started, p)
			} else {
				g.started[p] = s
			}
		}
		if len(g.started) >= g.entries {
			return false
		}
	}
	starts = recent(starts)
	if len(starts) >= g.perMinute {
		g.started[peer] = starts
		return false
	}
	g.started[peer] = append(starts, now)
	return true
}

// run gives the result of fetch to all who wait for f.
func (g *Gate) run(ctx context.Context, key string, f *flight, fetch func(context.Context) (*Response, error)) {
	f.res, f.err = fetch(ctx)
	g.mu.Lock()
	delete(g.running, key)
	if f.err != nil {
		g.remember(failedKey{strings.Clone(key), f.url}, f.err)
	}
	g.mu.Unlock()
	close(f.done)
}

// remember keeps a failure, unless too many others are still remembered.
func (g *Gate) remember(k failedKey, err error) {
	now := g.now()
	if len(g.failed) >= g.entries {
		for k, old := range g.failed {
			if !g.holds(old, now) {
				delete(g.failed, k)
			}
		}
		if len(g.failed) >= g.entries {
			return // at worst the fetch is repeated, and that is counted
		}
	}
	g.failed[k] = failure{err: withoutCause(err), until: now.Add(g.failureFor)}
}

// withoutCause returns an error as it is remembered. The cause may hold what the server sent:
// one that is not trusted sends certificates of 256 KB, which take ten times that when they
// are read.
func withoutCause(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		return &Error{Code: e.Code, URL: e.URL, Reason: e.Reason, earlier: true}
	}
	return err
}
