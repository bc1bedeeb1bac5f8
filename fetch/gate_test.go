package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"
	"weak"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/fetch"
)

func TestGateSharesOneFetch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := fetch.NewGate(fetch.GateOptions{})
		release := make(chan struct{})
		runs := 0
		get := func(context.Context) (*fetch.Response, error) {
			runs++
			<-release
			return &fetch.Response{URL: "u"}, nil
		}
		for i := range 20 { // more than one peer may start
			go func() {
				r, err := g.Do(t.Context(), "peer", "pin", fmt.Sprint("u", i), get)
				require.NoError(t, err)
				require.Equal(t, "u", r.URL)
			}()
		}
		synctest.Wait()
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := g.Do(gone, "peer", "pin", "u", get)
		require.Equal(t, fetch.CodeCanceled, codeOf(t, err))
		require.ErrorIs(t, err, context.Canceled)
		close(release)
		synctest.Wait()
		require.Equal(t, 1, runs)
	})
}

// When a fetch fails, those who waited for it with another URL try their own.
func TestGateTriesTheOtherAddress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := fetch.NewGate(fetch.GateOptions{})
		broken := errors.New("broken")
		release := make(chan struct{})
		go func() {
			_, err := g.Do(t.Context(), "peer", "pin", "bad", func(context.Context) (*fetch.Response, error) {
				<-release
				return nil, broken
			})
			require.ErrorIs(t, err, broken)
		}()
		synctest.Wait()
		go func() {
			_, err := g.Do(t.Context(), "peer", "pin", "bad", func(context.Context) (*fetch.Response, error) {
				panic("not reached")
			})
			require.ErrorIs(t, err, broken)
		}()
		go func() {
			r, err := g.Do(t.Context(), "peer", "pin", "good", func(context.Context) (*fetch.Response, error) {
				return &fetch.Response{URL: "good"}, nil
			})
			require.NoError(t, err)
			require.Equal(t, "good", r.URL)
		}()
		synctest.Wait()
		close(release)
		synctest.Wait()
	})
}

// A fetch keeps running when the peer that caused it gives up: others may wait for it.
func TestGateOutlivesItsCause(t *testing.T) {
	t.Parallel()
	g := fetch.NewGate(fetch.GateOptions{Now: newClock().now})
	ctx, cancel := context.WithCancel(t.Context())
	release := make(chan struct{})
	saw := make(chan error, 1)
	_, err := g.Do(ctx, "peer", "pin", "u", func(ctx context.Context) (*fetch.Response, error) {
		cancel()
		<-release
		saw <- ctx.Err()
		return nil, errors.New("broken")
	})
	require.Equal(t, fetch.CodeCanceled, codeOf(t, err))
	close(release)
	require.NoError(t, <-saw)
}

func TestGateRemembersFailures(t *testing.T) {
	t.Parallel()
	c := newClock()
	g := fetch.NewGate(fetch.GateOptions{Now: c.now, FailureFor: time.Hour, PerMinute: 100})
	runs := 0
	do := func(key, url string, err error) error {
		_, got := g.Do(t.Context(), "peer", key, url, func(context.Context) (*fetch.Response, error) {
			runs++
			return &fetch.Response{}, err
		})
		return got
	}
	broken := errors.New("broken")
	require.ErrorIs(t, do("pin", "u", broken), broken)
	require.ErrorIs(t, do("pin", "u", nil), broken, "remembered")
	require.Equal(t, 1, runs)
	require.NoError(t, do("pin", "other", nil), "another address is another chance")
	require.NoError(t, do("pin2", "u", nil), "and so is another key")
	c.advance(59 * time.Second)
	require.ErrorIs(t, do("pin", "u", nil), broken)
	c.advance(time.Second)
	require.NoError(t, do("pin", "u", nil), "a minute is the most")
	require.Equal(t, 4, runs)

	c.advance(365 * 24 * time.Hour)
	require.ErrorIs(t, do("pin", "u", broken), broken)
	c.advance(-365 * 24 * time.Hour)
	require.NoError(t, do("pin", "u", nil), "it failed by a clock that was ahead")
}

func TestGateCountsPeers(t *testing.T) {
	t.Parallel()
	c := newClock()
	g := fetch.NewGate(fetch.GateOptions{Now: c.now, Entries: 2})
	n := 0
	do := func(peer string) error {
		n++
		_, err := g.Do(t.Context(), peer, fmt.Sprint("pin", n), "u", func(context.Context) (*fetch.Response, error) {
			return &fetch.Response{}, nil
		})
		return err
	}
	for range 10 {
		require.NoError(t, do("a"))
	}
	require.Equal(t, fetch.CodeThrottled, codeOf(t, do("a")))
	require.NoError(t, do("b"), "another peer is not concerned")
	require.Equal(t, fetch.CodeThrottled, codeOf(t, do("c")), "no more peers than entries")
	c.advance(time.Minute)
	require.NoError(t, do("c"), "those who are quiet make room")
	require.NoError(t, do("a"))
	require.Equal(t, fetch.CodeThrottled, codeOf(t, do("b")))
}

func TestGateForgetsNoMoreThanItMay(t *testing.T) {
	t.Parallel()
	c := newClock()
	g := fetch.NewGate(fetch.GateOptions{Now: c.now, Entries: 1, PerMinute: 100})
	broken := errors.New("broken")
	runs := 0
	do := func(key string) {
		_, err := g.Do(t.Context(), "peer", key, "u", func(context.Context) (*fetch.Response, error) {
			runs++
			return nil, broken
		})
		require.ErrorIs(t, err, broken)
	}
	do("a")
	do("b") // no room to remember it
	do("b")
	do("a")
	require.Equal(t, 3, runs)
	c.advance(time.Minute)
	do("b")
	do("b")
	require.Equal(t, 4, runs)
}

// TestGateMemory: what is remembered of a peer does not hold the message that its names were
// a part of.
func TestGateMemory(t *testing.T) {
	t.Parallel()
	gate := func(done error) func(peer, key, url string) any {
		g := fetch.NewGate(fetch.GateOptions{})
		return func(peer, key, url string) any {
			_, err := g.Do(t.Context(), peer, key, url, func(context.Context) (*fetch.Response, error) { return &fetch.Response{}, done })
			require.Equal(t, done, err)
			return g
		}
	}
	for _, row := range []struct {
		name string
		do   func(peer, key, url string) (keeps any)
	}{
		{"a fetch", gate(nil)},
		{"a fetch that fails", gate(errors.New("broken"))},
		{"a document that cannot be fetched", func(peer, key, url string) any {
			web, err := fetch.New(fetch.Options{})
			require.NoError(t, err)
			d := fetch.NewDocuments(web, fetch.GateOptions{})
			_, _, err = d.FetchFor(t.Context(), peer, key, url)
			require.Equal(t, fetch.CodeNotHTTPS, codeOf(t, err))
			return d
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			message := new([64 << 10]byte)
			copy(message[:], "peer key http://a.example/")
			part := func(from, to int) string { return unsafe.String(&message[from], to-from) }
			held := weak.Make(message)
			keeps := row.do(part(0, 4), part(5, 8), part(9, 26))
			runtime.GC()
			require.Nil(t, held.Value())
			runtime.KeepAlive(keeps)
		})
	}
}

func TestGateWithTheSystemClock(t *testing.T) {
	t.Parallel()
	g := fetch.NewGate(fetch.GateOptions{})
	for i := range 11 {
		_, err := g.Do(t.Context(), "peer", fmt.Sprint(i), "u", func(context.Context) (*fetch.Response, error) {
			return &fetch.Response{}, nil
		})
		if i == 10 {
			require.Equal(t, fetch.CodeThrottled, codeOf(t, err))
		} else {
			require.NoError(t, err)
		}
	}
}
