package replay_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/replaytest"
)

func TestMemory(t *testing.T) {
	t.Parallel()
	replaytest.Run(t, func(t *testing.T, l replay.Limits, n int) []replay.Store {
		s := replay.NewMemory(l)
		t.Cleanup(func() { _ = s.Close() })
		all := make([]replay.Store, n)
		for i := range all {
			all[i] = s
		}
		return all
	})
}

// TestMemoryForgets lets many more messages pass than are kept: those of peers that
// never come back are removed on the way.
func TestMemoryForgets(t *testing.T) {
	t.Parallel()
	s := replay.NewMemory(replay.Limits{Life: time.Second, Messages: 200, PerPeer: 10})
	at := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for i := range 10_000 {
		k := replay.Key{Local: "l", Peer: strconv.Itoa(i / 7), Message: strconv.Itoa(i)}
		c, err := s.Claim(t.Context(), k, canon.Sum([]byte("c")), at.Add(time.Duration(i)*10*time.Millisecond))
		require.NoError(t, err)
		require.Equal(t, replay.Fresh, c.State)
	}
}

func TestStateString(t *testing.T) {
	t.Parallel()
	for state, want := range map[replay.State]string{
		0: "none", replay.Fresh: "fresh", replay.Running: "running", replay.Answered: "answered", replay.Conflict: "conflict", 9: "none",
	} {
		require.Equal(t, want, state.String())
	}
}

func BenchmarkMemoryClaim(b *testing.B) {
	s := replay.NewMemory(replay.Limits{})
	content, at := canon.Sum([]byte("c")), time.Now()
	for i := 0; b.Loop(); i++ {
		// A day passes every 10,000 messages, so that messages end as well.
		k := replay.Key{Local: "https://alice.example/agent", Peer: "https://bob.example/#me", Context: "ctx-1", Message: strconv.Itoa(i)}
		if c, err := s.Claim(b.Context(), k, content, at.Add(time.Duration(i)*9*time.Second)); err != nil || c.State != replay.Fresh {
			b.Fatal(c, err)
		}
	}
}
