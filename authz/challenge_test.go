package authz_test

import (
	"bytes"
	"crypto/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz"
)

// TestChallenges: a challenge can be used once, in one exchange, for a while.
func TestChallenges(t *testing.T) {
	t.Parallel()
	now := noon
	c, err := authz.NewChallenges(rand.Reader, func() time.Time { return now }, time.Minute)
	require.NoError(t, err)
	issue := func() string {
		challenge, err := c.Issue("task-1")
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(challenge), 22, "128 bits")
		return challenge
	}
	use := func(challenge, exchange string) bool {
		ok, err := c.Use(challenge, exchange)
		require.NoError(t, err)
		return ok
	}
	first := issue()
	require.NotEqual(t, first, issue())
	require.False(t, use("x", "task-1"))
	require.False(t, use(first, "task-2"))
	require.True(t, use(first, "task-1"))
	require.False(t, use(first, "task-1"), "it was used")
	old := issue()
	now = now.Add(time.Minute)
	require.False(t, use(old, "task-1"), "it is too old")
	ahead, little := issue(), issue()
	now = now.Add(-time.Minute)
	require.True(t, use(little, "task-1"), "the clock was set a little")
	now = now.Add(-time.Hour)
	require.False(t, use(ahead, "task-1"), "it was issued by a clock that was ahead")

	_, err = authz.NewChallenges(nil, time.Now, 0)
	require.Error(t, err)
	_, err = authz.NewChallenges(rand.Reader, time.Now, -1)
	require.Error(t, err)
	dry, err := authz.NewChallenges(bytes.NewReader(nil), time.Now, 0)
	require.NoError(t, err)
	_, err = dry.Issue("x")
	require.Error(t, err)
	same, err := authz.NewChallenges(bytes.NewReader(make([]byte, 48)), time.Now, 0)
	require.NoError(t, err)
	_, err = same.Issue("x")
	require.NoError(t, err)
	_, err = same.Issue("x")
	require.Error(t, err, "the same challenge twice")
}

// TestManyChallenges: when too many are open, those that are too old make room, and are
// not looked for at every call: that takes milliseconds, and a peer may ask often.
func TestManyChallenges(t *testing.T) {
	t.Parallel()
	const most = 100_000
	now, life := noon, 5*time.Minute
	c, err := authz.NewChallenges(rand.Reader, func() time.Time { return now }, life)
	require.NoError(t, err)
	fill := func(n int) {
		for range n {
			_, err := c.Issue("x")
			require.NoError(t, err)
		}
	}
	full := func() {
		_, err := c.Issue("x")
		require.Error(t, err)
	}
	fill(most / 2)
	now = now.Add(time.Minute)
	fill(most / 2)
	full()
	now = now.Add(life - time.Minute) // of the first half
	fill(most / 2)
	full()
	now = now.Add(time.Minute - time.Millisecond)
	full()
	now = now.Add(time.Millisecond) // the second half is too old, and they were just looked for
	full()
	now = now.Add(life / 300)
	fill(most / 2)
	full()
	now = now.Add(-time.Hour) // all were issued by a clock that was ahead
	fill(most)
	full()
}
