package entry_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/replay/internal/entry"
	"github.com/rdfproto/rdfproto/replay/replaytest"
)

func TestNewID(t *testing.T) {
	t.Parallel()
	lists := [][]string{{}, {""}, {"", ""}, {"a"}, {"a", ""}, {"", "a"}, {"ab"}, {"a", "b"}, {"a\x00b"}, {string(make([]byte, 600))}, {string(make([]byte, 601))}}
	seen := map[entry.ID]int{}
	for i, names := range lists {
		id := entry.NewID(names...)
		require.Equal(t, id, entry.NewID(names...))
		other, ok := seen[id]
		require.False(t, ok, "%q and %q", lists[i], lists[other])
		seen[id] = i
	}
}

// set returns a time as time.Now would give it after the clock of the machine was set.
func set(t *testing.T, at time.Time, by time.Duration) time.Time {
	t.Helper()
	return replaytest.SetWall(t, at, by)
}

func TestClock(t *testing.T) {
	t.Parallel()
	start := time.Now()
	micro := start.UnixMicro()
	for _, row := range []struct {
		name   string
		latest int64
		calls  []time.Time
		want   []int64 // since the start, in microseconds
	}{
		{"goes on", 0, []time.Time{start, start.Add(time.Second)}, []int64{0, 1e6}},
		{"never backwards", 0, []time.Time{start, start.Add(-time.Second), start}, []int64{0, 0, 0}},
		{"starts with the latest", micro + 5e6, []time.Time{start, start.Add(time.Second)}, []int64{5e6, 6e6}},
		{"an earlier latest", micro - 5e6, []time.Time{start}, []int64{0}},
		{"set ahead", 0, []time.Time{start, set(t, start.Add(time.Second), 48*time.Hour), start.Add(2 * time.Second)}, []int64{0, 1e6, 2e6}},
		{"set back", 0, []time.Time{start, set(t, start.Add(time.Second), -48*time.Hour), set(t, start.Add(2*time.Second), 48*time.Hour)}, []int64{0, 1e6, 2e6}},
		{"no monotonic reading, and behind the latest", micro + 25*3600e6, []time.Time{start.Round(0), start.Round(0).Add(25 * time.Hour), start.Round(0).Add(26 * time.Hour)}, []int64{25 * 3600e6, 25 * 3600e6, 26 * 3600e6}},
		{"no monotonic reading, and back", 0, []time.Time{start.Round(0), start.Round(0).Add(-time.Hour), start.Round(0)}, []int64{0, 0, 0}},
		{"a monotonic reading now and then", 0, []time.Time{start, start.Round(0).Add(time.Second), start.Add(2 * time.Second)}, []int64{0, 1e6, 2e6}},
		{"no monotonic reading", 0, []time.Time{start.Round(0), start.Add(time.Second).Round(0)}, []int64{0, 1e6}},
	} {
		c := entry.Clock{Latest: row.latest}
		for i, now := range row.calls {
			require.Equal(t, row.want[i], c.At(now)-micro, "%s, call %d", row.name, i)
			require.Equal(t, row.want[i], c.Latest-micro)
		}
	}
}
