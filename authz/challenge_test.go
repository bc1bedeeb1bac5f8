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
