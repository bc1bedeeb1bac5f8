package service

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/rdfproto/rdfproto/engine"
)

// turn is the turn of a request that is worked on: one of those for its size, and none for
// a small one. It belongs to the goroutine of the request.
type turn struct {
	of   *Server
	size int           // in bytes: of the body, or of what was fetched for it
	held chan struct{} // whose turn it has; nil for none

	clock *clock // of judging it; nil where it waits for nothing
}

// clock ends a context when the time of judging is up. It can be stopped for a while.
type clock struct {
	timer *time.Timer
	since time.Time
	left  time.Duration
}

func newClock(left time.Duration, end func()) *clock {
	return &clock{time.AfterFunc(left, end), time.Now(), left}
}

func (c *clock) stop() {
	if c != nil {
		c.timer.Stop()
		c.left -= time.Since(c.since)
	}
}

func (c *clock) goOn() {
	if c != nil {
		c.since = time.Now()
		c.timer.Reset(max(c.left, 0))
	}
}

// judging is a context that a clock ends.
type judging struct {
	context.Context
	up *atomic.Bool
}

// Err says that the time is up where it is that.
func (j judging) Err() error {
	err := j.Context.Err()
	if err != nil && j.up.Load() {
		return context.DeadlineExceeded
	}
	return err
}

// turnKey is the key of a turn in the context of its request.
type turnKey struct{}

func turnOf(ctx context.Context) *turn {
	t, _ := ctx.Value(turnKey{}).(*turn)
	return t
}

// take waits for the turn.
func (t *turn) take(ctx context.Context) error {
	turns := t.of.turns(t.size)
	if turns == nil {
		return nil
	}
	select {
	case turns <- struct{}{}:
		t.held = turns
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// leave lets another request have the turn.
func (t *turn) leave() {
	if t.held != nil {
		<-t.held
		t.held = nil
	}
}

// turns returns what a request waits for with a body of a number of bytes, nil for nothing.
func (s *Server) turns(size int) chan struct{} {
	switch {
	case size > largeBody:
		return s.large
	case size > mediumBody:
		return s.medium
	}
	return nil
}

// await implements Await of [engine.Config]: whoever waits for a document has no turn
// meanwhile, and its time stands still. A peer decides how long its server takes, and others
// would wait for it.
func await(ctx context.Context, wait func()) error {
	t := turnOf(ctx)
	if t == nil {
		wait()
		return nil
	}
	t.leave()
	t.clock.stop()
	wait()
	t.clock.goOn()
	return t.take(ctx)
}

// weighed is a source of documents of which each counts as much as a body, for the turn of
// the request that it is fetched for.
type weighed struct{ engine.PeerSource }

func (w weighed) FetchFor(ctx context.Context, peer, pin, url string) (body []byte, mediaType string, err error) {
	body, mediaType, err = w.PeerSource.FetchFor(ctx, peer, pin, url)
	if t := turnOf(ctx); t != nil {
		t.size = max(t.size, len(body))
	}
	return body, mediaType, err
}
