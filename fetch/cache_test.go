package fetch_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/fetch"
)

// clock stands still until a test moves it.
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
		{"kept by a clock that was ahead", "max-age=60", false, []step{
			{365 * 24 * time.Hour, "1", "1", "plain"}, {-365 * 24 * time.Hour, "2", "2", "plain"}, {59 * time.Second, "3", "2", "none"},
		}},
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

// TestCacheAge: what a cache on the way used up of a document's freshness is gone (RFC
// 9111, sections 4.2 and 5.1), or a document that was withdrawn would live twice.
func TestCacheAge(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name string
		age  []string
		want time.Duration
	}{
		{"none", nil, 600 * time.Second},
		{"a part", []string{"599"}, time.Second},
		{"all", []string{"600"}, 0},
		{"more", []string{"601"}, 0},
		{"empty", []string{""}, 600 * time.Second},
		{"longer than a number", []string{"99999999999999999999"}, 0},
		{"no number", []string{"soon"}, 0},
		{"negative", []string{"-600"}, 0},
		{"two fields", []string{"1", "590"}, 10 * time.Second},
		{"two in one", []string{"590, 1"}, 10 * time.Second},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			requests := 0
			w := newWorld(t, func(rw http.ResponseWriter, _ *http.Request) {
				requests++
				rw.Header().Set("Cache-Control", "max-age=600")
				rw.Header()["Age"] = row.age
				fmt.Fprint(rw, `{"keys":[]}`)
			})
			client := w.client(t)
			_, fresh, err := client.KeySet(t.Context(), "https://example.com/jwks.json")
			require.NoError(t, err)
			require.Equal(t, row.want, fresh)
			c := newClock()
			cache := fetch.NewCache(client, fetch.Card(), 0, c.now)
			for range 2 { // the second is served from memory up to the end
				_, err = cache.Get(t.Context(), "https://example.com/card.json")
				require.NoError(t, err)
				c.advance(max(0, row.want-time.Nanosecond))
			}
			_, err = cache.Get(t.Context(), "https://example.com/card.json")
			require.NoError(t, err)
			if row.want == 0 {
				require.Equal(t, 4, requests)
			} else {
				require.Equal(t, 3, requests)
			}
		})
	}
}

// One origin cannot make another vouch for what it sent: an entity tag belongs to one URL.
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
