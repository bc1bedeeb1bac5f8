package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/fetch"
)

// clock is a time that only tests move.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func TestCache(t *testing.T) {
	t.Parallel()
	type step struct {
		after   time.Duration
		version string // what the server has now; "" breaks it
		want    string // "" is a failure
		request string // "none", "plain" or the entity tag
	}
	for _, row := range []struct {
		name    string
		control string
		tags    bool
		steps   []step
	}{
		{"fresh", "max-age=60", false, []step{
			{0, "1", "1", "plain"}, {59 * time.Second, "2", "1", "none"}, {time.Second, "2", "2", "plain"},
		}},
		{"revalidated", "max-age=60", true, []step{
			{0, "1", "1", "plain"}, {time.Minute, "1", "1", `"1"`}, {59 * time.Second, "2", "1", "none"},
			{time.Second, "2", "2", `"1"`}, {time.Minute, "2", "2", `"2"`},
		}},
		{"no freshness, with tags", "", true, []step{{0, "1", "1", "plain"}, {0, "1", "1", `"1"`}, {0, "2", "2", `"1"`}}},
		{"no freshness, no tags", "", false, []step{{0, "1", "1", "plain"}, {0, "1", "1", "plain"}}},
		{"no-store", "no-store, max-age=60", true, []step{{0, "1", "1", "plain"}, {0, "1", "1", "plain"}}},
		{"no-cache", "no-cache", true, []step{{0, "1", "1", "plain"}, {0, "1", "1", `"1"`}}},
		{"capped at a day", "max-age=1000000", false, []step{{0, "1", "1", "plain"}, {24 * time.Hour, "2", "2", "plain"}}},
		{"never stale", "max-age=60", true, []step{{0, "1", "1", "plain"}, {time.Minute, "", "", `"1"`}, {0, "1", "1", `"1"`}}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var version, request string
			w := newWorld(t, func(rw http.ResponseWriter, r *http.Request) {
				request = "plain"
				if tag := r.Header.Get("If-None-Match"); tag != "" {
					request = tag
				}
				if version == "" {
					rw.WriteHeader(http.StatusInternalServerError)
					return
				}
				if row.control != "" {
					rw.Header().Set("Cache-Control", row.control)
				}
				if tag := `"` + version + `"`; row.tags {
					rw.Header().Set("ETag", tag)
					if request == tag {
						rw.WriteHeader(http.StatusNotModified)
						return
					}
				}
				fmt.Fprint(rw, version)
			})
			c := newClock()
			cache := fetch.NewCache(w.client(t), fetch.Card(), 0, c.now)
			for i, s := range row.steps {
				c.advance(s.after)
				version, request = s.version, "none"
				r, err := cache.Get(t.Context(), "https://example.com/card.json")
				require.Equal(t, s.request, request, "step %d", i)
				if s.want == "" {
					require.Error(t, err)
					continue
				}
				require.NoError(t, err)
				require.Equal(t, s.want, string(r.Body), "step %d", i)
				require.False(t, r.NotModified)
				r.Body[0] = 'X' // the caller's own copy
			}
		})
	}
}

// One origin cannot have another vouch for what it sent: entity tags are of one URL.
func TestCacheAcrossRedirects(t *testing.T) {
	t.Parallel()
	const tag = `"1"`
	type answer struct{ to, body string } // a redirect, or a body; 304 for the tag when it is asked with
	for _, row := range []struct {
		name     string
		first    map[string]answer
		then     map[string]answer
		url      string // of the second answer
		body     string
		revealed []string // hosts that were asked with a tag
	}{
		{"what one sent, where the other is", map[string]answer{"example.com": {"", "forged"}}, map[string]answer{
			"example.com": {"https://www.example.com/", ""}, "www.example.com": {"", "genuine"},
		}, "https://www.example.com/", "genuine", []string{"example.com"}},
		{"what the other sent, where the one is", map[string]answer{
			"example.com": {"https://www.example.com/", ""}, "www.example.com": {"", "genuine"},
		}, map[string]answer{"example.com": {"", "own"}}, "https://example.com/", "own", []string{"example.com"}},
		{"the same way twice", map[string]answer{
			"example.com": {"https://www.example.com/", ""}, "www.example.com": {"", "genuine"},
		}, map[string]answer{
			"example.com": {"https://www.example.com/", ""}, "www.example.com": {"", "genuine"},
		}, "https://www.example.com/", "genuine", []string{"example.com"}},
		{"no redirect", map[string]answer{"example.com": {"", "a"}}, map[string]answer{"example.com": {"", "b"}}, "https://example.com/", "a", []string{"example.com"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			now, asked := row.first, []string{}
			w := newWorld(t, func(rw http.ResponseWriter, r *http.Request) {
				a := now[r.Host]
				if r.Header.Get("If-None-Match") != "" {
					asked = append(asked, r.Host)
				}
				switch {
				case a.to != "":
					http.Redirect(rw, r, a.to, http.StatusFound)
				case r.Header.Get("If-None-Match") == tag:
					rw.WriteHeader(http.StatusNotModified)
				default:
					rw.Header().Set("ETag", tag)
					fmt.Fprint(rw, a.body)
				}
			})
			cache := fetch.NewCache(w.client(t), fetch.Card(), 0, newClock().now)
			_, err := cache.Get(t.Context(), "https://example.com/")
			require.NoError(t, err)
			now = row.then
			r, err := cache.Get(t.Context(), "https://example.com/")
			require.NoError(t, err)
			require.Equal(t, row.url, r.URL)
			require.Equal(t, row.body, string(r.Body))
			require.Equal(t, row.revealed, asked)
		})
	}
}

func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	requests := map[string]int{}
	w := newWorld(t, func(rw http.ResponseWriter, r *http.Request) {
		requests[r.URL.Path]++
		rw.Header().Set("Cache-Control", "max-age=600")
	})
	c := newClock()
	cache := fetch.NewCache(w.client(t), fetch.Card(), 2, c.now)
	for _, path := range []string{"/a", "/b", "/a", "/c", "/a", "/b"} {
		c.advance(time.Second)
		_, err := cache.Get(t.Context(), "https://example.com"+path)
		require.NoError(t, err)
	}
	require.Equal(t, map[string]int{"/a": 1, "/b": 2, "/c": 1}, requests)
}

func TestCacheWithTheSystemClock(t *testing.T) {
	t.Parallel()
	n := 0
	w := newWorld(t, func(rw http.ResponseWriter, _ *http.Request) {
		n++
		rw.Header().Set("Cache-Control", "max-age=600")
	})
	cache := fetch.NewCache(w.client(t), fetch.Card(), 0, nil)
	for range 2 {
		_, err := cache.Get(t.Context(), "https://example.com/")
		require.NoError(t, err)
	}
	require.Equal(t, 1, n)
}

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

// Those who wait for another's address try their own when it fails.
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

// The fetch runs on when its first peer is gone: others wait for it.
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
