package authz_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
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
	c, err := authz.NewCache(from, func() time.Time { return now }, authz.CacheOptions{Fresh: time.Minute})
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

	for _, o := range []authz.CacheOptions{{Fresh: -1}, {InsecureStale: -1}} {
		_, err := authz.NewCache(from, time.Now, o)
		require.Error(t, err)
	}
	_, err = authz.NewCache(nil, time.Now, authz.CacheOptions{})
	require.Error(t, err)
}

type documents func(string) (vc.Document, error)

func (d documents) Document(_ context.Context, url string) (vc.Document, error) { return d(url) }

// TestCacheTTL: a list is kept for its own ttl, but not beyond the end of its validity.
func TestCacheTTL(t *testing.T) {
	t.Parallel()
	const ttl = "<urn:a> <https://www.w3.org/ns/credentials/status#ttl> "
	const ends = "<urn:a> <https://www.w3.org/2018/credentials#validUntil> "
	for name, tt := range map[string]struct {
		text string
		want time.Duration
	}{
		"nothing":                    {`{"credentialSubject":{}}`, time.Minute},
		"no document at all":         {`{`, time.Minute},
		"shorter":                    {`{"credentialSubject":{"ttl":30000}}`, 30 * time.Second},
		"longer":                     {`{"credentialSubject":{"ttl":90000}}`, time.Minute},
		"much longer":                {`{"credentialSubject":{"ttl":1e300}}`, time.Minute},
		"the shortest of two":        {`{"credentialSubject":[{"ttl":40000},{"ttl":20000}]}`, 20 * time.Second},
		"below a millisecond":        {`{"credentialSubject":{"ttl":0.5}}`, 500 * time.Microsecond},
		"none":                       {`{"credentialSubject":{"ttl":0}}`, 0},
		"below none":                 {`{"credentialSubject":{"ttl":-1}}`, 0},
		"a word":                     {`{"credentialSubject":{"ttl":"long"}}`, 0},
		"null":                       {`{"credentialSubject":{"ttl":null}}`, 0},
		"ends soon":                  {` {"validUntil":"2026-08-01T12:00:10Z","credentialSubject":{"ttl":30000}}`, 10 * time.Second},
		"ends later":                 {`{"validUntil":"2026-08-01T13:00:00+00:00","credentialSubject":{"ttl":30000}}`, 30 * time.Second},
		"has ended":                  {`{"validUntil":"2026-08-01T11:00:00Z"}`, 0},
		"ends at no time":            {`{"validUntil":1}`, 0},
		"shorter, in Turtle":         {ttl + `30000 .`, 30 * time.Second},
		"longer, in Turtle":          {ttl + `90000 .`, time.Minute},
		"a text, in Turtle":          {ttl + `"20000" .`, 20 * time.Second},
		"a word, in Turtle":          {ttl + `"long" .`, 0},
		"not a number, in Turtle":    {ttl + `"NaN" .`, 0},
		"the shortest, in Turtle":    {ttl + `40000 , 20000 .`, 20 * time.Second},
		"ends soon, in Turtle":       {ends + `"2026-08-01T12:00:10Z" .`, 10 * time.Second},
		"a large list, in Turtle":    {ttl + `30000 ; <urn:list> "` + strings.Repeat("A", 2<<20) + `" .`, 30 * time.Second},
		"what is no Turtle is kept":  {`<urn:a> `, time.Minute},
		"what ends at no time there": {ends + `"soon" .`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reads, now := 0, noon
			c, err := authz.NewCache(documents(func(string) (vc.Document, error) {
				reads++
				return vc.Document{Content: []byte(tt.text)}, nil
			}), func() time.Time { return now }, authz.CacheOptions{Fresh: time.Minute})
			require.NoError(t, err)
			read := func(at time.Time) int {
				now = at
				_, err := c.Document(t.Context(), "https://a.example/list#it")
				require.NoError(t, err)
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
