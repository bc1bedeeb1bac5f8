package replaytest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/replay"
)

// Open returns so many Stores that share one set of data, which is empty at first.
// A Store of one process may be returned several times. They are closed when the
// test ends.
type Open func(t *testing.T, l replay.Limits, n int) []replay.Store

// Run runs the conformance test. The times that it passes in are within four
// minutes of the machine's.
func Run(t *testing.T, open Open) {
	t.Run("states", func(t *testing.T) { t.Parallel(); states(t, open) })
	t.Run("keys", func(t *testing.T) { t.Parallel(); keys(t, open) })
	t.Run("life", func(t *testing.T) { t.Parallel(); life(t, open) })
	t.Run("clock", func(t *testing.T) { t.Parallel(); clock(t, open) })
	t.Run("limits", func(t *testing.T) { t.Parallel(); limits(t, open) })
	t.Run("arguments", func(t *testing.T) { t.Parallel(); arguments(t, open) })
	t.Run("records", func(t *testing.T) { t.Parallel(); records(t, open) })
	t.Run("shares", func(t *testing.T) { t.Parallel(); shares(t, open) })
	t.Run("list", func(t *testing.T) { t.Parallel(); list(t, open) })
	t.Run("copies", func(t *testing.T) { t.Parallel(); copies(t, open) })
	t.Run("duplicates", func(t *testing.T) { t.Parallel(); duplicates(t, open) })
	t.Run("swaps", func(t *testing.T) { t.Parallel(); swaps(t, open) })
	t.Run("context", func(t *testing.T) { t.Parallel(); cancelled(t, open) })
	t.Run("closed", func(t *testing.T) { t.Parallel(); closed(t, open) })
}

// testLife is the life of messages in the test.
const testLife = time.Minute

func one(t *testing.T, open Open, l replay.Limits) replay.Store {
	t.Helper()
	if l.Life == 0 {
		l.Life = testLife
	}
	return open(t, l, 1)[0]
}

// now is a time without a monotonic reading: what the test adds to it is all that
// moves it.
func now() time.Time { return time.Now().Round(time.Microsecond) }

func content(s string) canon.Digest { return canon.Sum([]byte(s)) }

func key(message string) replay.Key {
	return replay.Key{Local: "https://alice.example/agent", Peer: "https://bob.example/#me", Context: "ctx-1", Message: message}
}

// owner is the peer of key as the owner of a record.
func owner() replay.Owner { return replay.Owner{Local: key("").Local, Peer: key("").Peer} }

// claim claims a message and checks what it is told.
func claim(t *testing.T, s replay.Store, k replay.Key, c string, at time.Time, want replay.State) replay.Claim {
	t.Helper()
	got, err := s.Claim(t.Context(), k, content(c), at)
	require.NoError(t, err)
	require.Equal(t, want.String(), got.State.String())
	if want != replay.Answered {
		require.Nil(t, got.Answer)
	}
	return got
}

// refused claims a message for which there must be no room.
func refused(t *testing.T, s replay.Store, k replay.Key, at time.Time) {
	t.Helper()
	got, err := s.Claim(t.Context(), k, content("c"), at)
	require.ErrorIs(t, err, replay.ErrFull)
	require.Zero(t, got)
}

func settle(t *testing.T, s replay.Store, k replay.Key, c, answer string, at time.Time) {
	t.Helper()
	require.NoError(t, s.Settle(t.Context(), k, content(c), []byte(answer), at))
}

// swap swaps a record and checks whether it was written.
func swap(t *testing.T, s replay.Store, name string, old uint64, value []byte, expires, at time.Time, want bool) {
	t.Helper()
	ok, err := s.Swap(t.Context(), name, owner(), old, value, expires, at)
	require.NoError(t, err)
	require.Equal(t, want, ok)
}

// put writes a record whatever is there, and returns its version.
func put(t *testing.T, s replay.Store, name, value string, expires, at time.Time) uint64 {
	t.Helper()
	old, _, err := s.Load(t.Context(), name, at)
	require.NoError(t, err)
	swap(t, s, name, old.Version, []byte(value), expires, at, true)
	r, ok, err := s.Load(t.Context(), name, at)
	require.NoError(t, err)
	require.True(t, ok)
	require.NotZero(t, r.Version)
	require.Equal(t, replay.Record{Name: name, Value: []byte(value), Version: r.Version, Expires: expires.UTC().Truncate(time.Microsecond)}, r)
	return r.Version
}

func absent(t *testing.T, s replay.Store, name string, at time.Time) {
	t.Helper()
	r, ok, err := s.Load(t.Context(), name, at)
	require.NoError(t, err)
	require.False(t, ok)
	require.Zero(t, r)
}

// everyMethod calls each method of a Store but Close, and returns the errors.
func everyMethod(ctx context.Context, s replay.Store, at time.Time) map[string]error {
	errs := map[string]error{}
	_, errs["Claim"] = s.Claim(ctx, key("every"), content("c"), at)
	errs["Settle"] = s.Settle(ctx, key("every"), content("c"), nil, at)
	_, _, errs["Load"] = s.Load(ctx, "every", at)
	_, errs["Swap"] = s.Swap(ctx, "every", owner(), 0, []byte("v"), at.Add(time.Minute), at)
	_, errs["List"] = s.List(ctx, "", 1, at)
	return errs
}
