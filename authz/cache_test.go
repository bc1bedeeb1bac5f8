package authz_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
)

// TestCache: documents are kept for a while, and an old one is not used in place of one
// that cannot be read, unless the options allow it.
func TestCache(t *testing.T) {
	t.Parallel()
	now := noon
	reads := 0
	reachable := true
	from := documents(func(url string) (vc.Document, error) {
		reads++
		if !reachable {
			return vc.Document{}, errors.New("unreachable")
		}
		return vc.Document{Content: fmt.Appendf(nil, "%s %d", url, reads)}, nil
	})
	get := func(c *authz.Cache) string {
		d, err := c.Document(t.Context(), "urn:a")
		if err != nil {
			return err.Error()
		}
		return string(d.Content)
	}
	c, err := authz.NewCache(from, func() time.Time { return now }, authz.CacheOptions{Fresh: time.Minute, Untold: time.Hour})
	require.NoError(t, err)
	require.Equal(t, "urn:a 1", get(c))
	now = now.Add(59 * time.Second)
	require.Equal(t, "urn:a 1", get(c))
	now = now.Add(time.Second)
	require.Equal(t, "urn:a 2", get(c))
	reachable = false
	require.Equal(t, "urn:a 2", get(c))
	now = now.Add(time.Minute)
	require.Equal(t, "unreachable", get(c))
	now = now.Add(-time.Hour)
	require.Equal(t, "unreachable", get(c), "a clock that was set back makes nothing fresh")

	stale, err := authz.NewCache(from, func() time.Time { return now }, authz.CacheOptions{Fresh: time.Minute, InsecureStale: time.Hour})
	require.NoError(t, err)
	reachable = true
	kept := get(stale)
	reachable, now = false, now.Add(59*time.Minute)
	require.Equal(t, kept, get(stale))
	now = now.Add(time.Minute)
	require.Equal(t, "unreachable", get(stale))

	large := make([]byte, 8<<20)
	many, err := authz.NewCache(documents(func(string) (vc.Document, error) {
		reads++
		return vc.Document{Content: large}, nil
	}), func() time.Time { return now }, authz.CacheOptions{})
	require.NoError(t, err)
	for _, url := range []string{"0", "1", "2", "3", "4", "5", "6", "7"} {
		_, err := many.Document(t.Context(), url)
		require.NoError(t, err)
	}
	before := reads
	_, err = many.Document(t.Context(), "7")
	require.NoError(t, err)
	_, err = many.Document(t.Context(), "0")
	require.NoError(t, err)
	require.Equal(t, before+1, reads, "what is kept is bounded in bytes")

	for _, o := range []authz.CacheOptions{{Fresh: -1}, {Untold: -1}, {InsecureStale: -1}} {
		_, err := authz.NewCache(from, time.Now, o)
		require.Error(t, err)
	}
	_, err = authz.NewCache(nil, time.Now, authz.CacheOptions{})
	require.Error(t, err)
}

type documents func(string) (vc.Document, error)

func (d documents) Document(_ context.Context, url string) (vc.Document, error) { return d(url) }

// TestCacheKeep: a list is kept for the life that a verifier tells of it, the shortest if
// that is several times, and what nobody tells about for a moment only.
func TestCacheKeep(t *testing.T) {
	t.Parallel()
	type told struct {
		ttl   time.Duration
		until time.Time
	}
	const none = time.Duration(math.MaxInt64)
	for name, tt := range map[string]struct {
		told    []told
		changed bool // what is told is about another version
		options authz.CacheOptions
		want    time.Duration
	}{
		"nobody tells":                   {want: 10 * time.Second},
		"nobody tells, and it is short":  {options: authz.CacheOptions{Fresh: 3 * time.Second}, want: 3 * time.Second},
		"nobody tells, and it is chosen": {options: authz.CacheOptions{Fresh: time.Minute, Untold: 20 * time.Second}, want: 20 * time.Second},
		"Untold is never more":           {options: authz.CacheOptions{Fresh: 3 * time.Second, Untold: 20 * time.Second}, want: 3 * time.Second},
		"no ttl":                         {told: []told{{ttl: none}}, want: time.Minute},
		"no ttl, by default":             {told: []told{{ttl: none}}, options: authz.CacheOptions{Untold: time.Second}, want: 5 * time.Minute},
		"shorter":                        {told: []told{{ttl: 30 * time.Second}}, want: 30 * time.Second},
		"shorter than what is untold":    {told: []told{{ttl: time.Second}}, want: time.Second},
		"longer":                         {told: []told{{ttl: 2 * time.Minute}}, want: time.Minute},
		"none at all":                    {told: []told{{ttl: 0}}, want: 0},
		"below none":                     {told: []told{{ttl: -1}}, want: 0},
		"ends soon":                      {told: []told{{none, noon.Add(20 * time.Second)}}, want: 20 * time.Second},
		"ends later":                     {told: []told{{30 * time.Second, noon.Add(time.Hour)}}, want: 30 * time.Second},
		"has ended":                      {told: []told{{none, noon.Add(-time.Hour)}}, want: 0},
		"the shortest of two":            {told: []told{{ttl: 20 * time.Second}, {ttl: 40 * time.Second}}, want: 20 * time.Second},
		"the shortest is the last":       {told: []told{{ttl: 40 * time.Second}, {none, noon.Add(20 * time.Second)}}, want: 20 * time.Second},
		"about another":                  {told: []told{{ttl: none}}, changed: true, want: 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reads, now := 0, noon
			if tt.options == (authz.CacheOptions{}) {
				tt.options.Fresh = time.Minute
			}
			c, err := authz.NewCache(documents(func(string) (vc.Document, error) {
				reads++
				return vc.Document{Content: []byte("list")}, nil
			}), func() time.Time { return now }, tt.options)
			require.NoError(t, err)
			read := func(at time.Time) int {
				now = at
				d, err := c.Document(t.Context(), "https://a.example/list")
				require.NoError(t, err)
				if tt.changed {
					d.Content = []byte("another")
				}
				for _, x := range tt.told {
					c.Keep("https://a.example/list", d, x.ttl, x.until)
					c.Keep("https://a.example/unknown", d, x.ttl, x.until)
				}
				return reads
			}
			require.Equal(t, 1, read(noon))
			if tt.want > 0 {
				require.Equal(t, 1, read(noon.Add(tt.want-1)))
			}
			require.Equal(t, 2, read(noon.Add(tt.want)))
		})
	}
}
