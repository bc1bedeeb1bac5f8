package redis_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/redis"
	"github.com/rdfproto/rdfproto/replay/replaytest"
)

// TestProxy breaks the exchange with the server at every byte, in each direction and
// in every way: of two replicas at most one is told Fresh, by an answer or never.
func TestProxy(t *testing.T) {
	t.Parallel()
	srv := start(t)
	for _, row := range []struct {
		name    string
		fault   replaytest.Fault
		before  bool // what was late comes before the other replica claims
		replies bool
		always  bool
		step    int // every so manieth byte: waiting for the end of a time takes time
	}{
		{"replies cut once", replaytest.Cut, false, true, false, 1},
		{"replies cut always", replaytest.Cut, false, true, true, 1},
		{"requests cut once", replaytest.Cut, false, false, false, 7},
		{"requests cut always", replaytest.Cut, false, false, true, 29},
		{"replies dropped", replaytest.Drop, false, true, true, 1},
		{"replies late", replaytest.Late, false, true, true, 1},
		{"requests dropped", replaytest.Drop, false, false, true, 29},
		{"requests late", replaytest.Late, false, false, true, 29},
		{"requests late, before the other", replaytest.Late, true, false, true, 29},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if long() { // every byte
				row.step = 1
			}
			p := replaytest.NewProxy(t, srv.Addr)
			prefix := row.name
			timeout := 60 * time.Millisecond
			if row.fault == replaytest.Cut && !row.always {
				timeout = time.Minute // the client finds out, and asks again
			}
			broken := open(t, redis.Options{Addrs: []string{p.Addr()}, Prefix: prefix, Timeout: timeout})
			whole := open(t, redis.Options{Addrs: []string{srv.Addr}, Prefix: prefix, Timeout: time.Minute})
			plain := srv.client(t)
			positions, recovered, unsure, not := 0, 0, 0, 0
			for after := 0; ; after += row.step {
				k := key("m-" + strconv.Itoa(after))
				// A connection that is there, and a script that is known.
				p.Set(replaytest.None, false, 0, false)
				eventually(t, broken, key("ready-"+strconv.Itoa(after)))
				p.Set(row.fault, row.replies, after, row.always)

				first, err := broken.Claim(t.Context(), k, content("c"), time.Now())
				hits := p.Hits()
				if err != nil {
					require.Zero(t, first)
				}
				var second replay.Claim
				if !row.before {
					second, err = whole.Claim(t.Context(), k, content("c"), time.Now())
					require.NoError(t, err)
				}
				p.Set(replaytest.None, false, 0, false) // what was late comes now
				if row.before {
					recorded(t, plain, prefix, 2*(positions+1))
					second, err = whole.Claim(t.Context(), k, content("c"), time.Now())
					require.NoError(t, err)
					require.Equal(t, replay.Running, second.State)
				}
				third, err := whole.Claim(t.Context(), k, content("c"), time.Now())
				require.NoError(t, err)
				require.Equal(t, replay.Running, third.State)
				switch {
				case first.State == replay.Fresh && second.State == replay.Running:
					recovered++
				case first.State == 0 && second.State == replay.Running:
					unsure++
				case first.State == 0 && second.State == replay.Fresh:
					not++
				default:
					t.Fatalf("after %d bytes: %v, then %v", after, first.State, second.State)
				}
				if hits == 0 {
					break // the exchange is shorter than that
				}
				positions++
			}
			t.Logf("%d positions; executed by the first %d, by the second %d, by none %d", positions, recovered, not, unsure)
			require.Greater(t, positions, 5)
			if row.fault == replaytest.Cut && row.replies && !row.always {
				require.Equal(t, positions+1, recovered, "a reply that was lost is asked for again")
			}
		})
	}
}

// eventually claims until there is an answer.
func eventually(t *testing.T, s replay.Store, k replay.Key) {
	t.Helper()
	for {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		_, err := s.Claim(ctx, k, content("c"), time.Now())
		cancel()
		if err == nil {
			return
		}
		require.NoError(t, t.Context().Err())
	}
}

// recorded waits until the server has so many messages.
func recorded(t *testing.T, c *goredis.Client, prefix string, n int) {
	t.Helper()
	for {
		has, err := c.HLen(t.Context(), "{"+prefix+"}:seen").Result()
		require.NoError(t, err)
		if has >= int64(n) {
			return
		}
	}
}

// TestProxySwap loses the replies to writes of records.
func TestProxySwap(t *testing.T) {
	t.Parallel()
	srv := start(t)
	p := replaytest.NewProxy(t, srv.Addr)
	broken := open(t, redis.Options{Addrs: []string{p.Addr()}})
	now := time.Now()
	end := now.Add(time.Hour)

	p.Set(replaytest.Cut, true, 0, false)
	ok, err := broken.Swap(t.Context(), "r", replay.Owner{}, 0, []byte("v"), end, now)
	require.NoError(t, err)
	require.True(t, ok, "the same write, asked for again")
	require.Equal(t, 1, p.Hits())
	r, ok, err := broken.Load(t.Context(), "r", now)
	require.NoError(t, err)
	require.True(t, ok)
	require.EqualValues(t, 1, r.Version)

	p.Set(replaytest.Cut, true, 0, false)
	ok, err = broken.Swap(t.Context(), "r", replay.Owner{}, r.Version, nil, end, now)
	require.Error(t, err, "whether it was deleted is not known")
	require.False(t, ok)
	require.Equal(t, 1, p.Hits())
	_, ok, err = broken.Load(t.Context(), "r", now)
	require.NoError(t, err)
	require.False(t, ok)
}
