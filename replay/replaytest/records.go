package replaytest

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/replay"
)

// records writes, replaces, deletes and outlives a record.
func records(t *testing.T, open Open) {
	stores := open(t, replay.Limits{Life: testLife}, 2)
	a, b, at := stores[0], stores[1], now()
	end := at.Add(2 * time.Minute)

	absent(t, a, "r", at)
	swap(t, a, "r", 7, []byte("v"), end, at, false)
	swap(t, a, "r", 7, nil, end, at, false)
	swap(t, a, "r", 0, nil, time.Time{}, at, true) // there was none, and is none
	absent(t, b, "r", at)

	seen := map[uint64]bool{}
	version := func(v uint64) uint64 {
		require.False(t, seen[v], "a version that came back")
		seen[v] = true
		return v
	}
	v1 := version(put(t, a, "r", "v1", end, at))
	swap(t, b, "r", 0, []byte("no"), end, at, false)
	swap(t, b, "r", v1+1, []byte("no"), end, at, false)
	v2 := version(put(t, b, "r", "v1", end, at))
	swap(t, a, "r", v1, []byte("no"), end, at, false)
	swap(t, a, "r", v1, nil, end, at, false)
	v3 := version(put(t, a, "r", "", end, at))
	swap(t, a, "r", v2, nil, end, at, false)
	swap(t, b, "r", v3, nil, time.Time{}, at, true)
	absent(t, a, "r", at)
	swap(t, b, "r", v3, []byte("no"), end, at, false)
	version(put(t, b, "r", "\x00again\xff", end, at))

	// The end, on both sides.
	last := end.Add(-time.Microsecond)
	version(put(t, a, "short", "v", end, at))
	r, ok, err := b.Load(t.Context(), "short", last)
	require.NoError(t, err)
	require.True(t, ok)
	absent(t, b, "short", end)
	swap(t, b, "short", r.Version, []byte("no"), end.Add(time.Minute), end, false)
	swap(t, b, "short", 0, []byte("next"), end.Add(time.Minute), end, true)
	r, ok, err = a.Load(t.Context(), "short", end)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "next", string(r.Value))
	version(r.Version)

	// A record can be made to end sooner and later.
	version(put(t, a, "moved", "v", end, at))
	version(put(t, a, "moved", "v", end.Add(-time.Minute), at))
	absent(t, a, "moved", end.Add(-time.Minute))
	version(put(t, a, "moved", "v", end, at))
	version(put(t, a, "moved", "v", end.Add(time.Minute), at))
	_, ok, err = a.Load(t.Context(), "moved", end)
	require.NoError(t, err)
	require.True(t, ok)

	// Far ends, and names of any bytes.
	far := time.Date(2200, 1, 2, 3, 4, 5, 678_901_234, time.FixedZone("x", 3600))
	for _, name := range []string{"", "\x00", "\xff", "a\x00b", "{x}", "é", strings.Repeat("n", replay.DefaultLimits().RecordName)} {
		version(put(t, a, name, "far "+name, far, at))
	}
	for _, name := range []string{"\x00\x00", "a", "a\x00", "a\x00b\x00", "x"} {
		absent(t, a, name, at)
	}
}

// list reads records in the order of their names.
func list(t *testing.T, open Open) {
	s, at := one(t, open, replay.Limits{}), now()
	end := at.Add(2 * time.Minute)
	names := func(prefix string, most int, at time.Time) []string {
		found, err := s.List(t.Context(), prefix, most, at)
		require.NoError(t, err)
		var names []string
		for _, r := range found {
			require.Equal(t, "value of "+r.Name, string(r.Value))
			require.NotZero(t, r.Version)
			require.True(t, at.Before(r.Expires))
			names = append(names, r.Name)
		}
		return names
	}
	require.Empty(t, names("", 10, at))
	for _, name := range []string{"b", "a/2", "a/1", "a", "a\xff", "a\xff\xff", "a0", "A", "\xff\xff", "\xff\xffx", "\x00", "a/\x00", "c"} {
		put(t, s, name, "value of "+name, end, at)
	}
	put(t, s, "a/gone", "value of a/gone", end.Add(-time.Minute), at)
	gone, _, err := s.Load(t.Context(), "c", at)
	require.NoError(t, err)
	swap(t, s, "c", gone.Version, nil, end, at, true)

	require.Equal(t, []string{"\x00", "A", "a", "a/\x00", "a/1", "a/2", "a/gone", "a0", "a\xff", "a\xff\xff", "b", "\xff\xff", "\xff\xffx"}, names("", 100, at))
	require.Equal(t, []string{"\x00", "A", "a"}, names("", 3, at))
	require.Equal(t, []string{"a/\x00", "a/1", "a/2", "a/gone"}, names("a/", 100, at))
	require.Equal(t, []string{"a/\x00", "a/1", "a/2"}, names("a/", 100, end.Add(-time.Minute)))
	require.Equal(t, []string{"a/\x00", "a/1", "a/2"}, names("a/", 3, end.Add(-time.Minute)))
	require.Equal(t, []string{"a\xff", "a\xff\xff"}, names("a\xff", 100, at))
	require.Equal(t, []string{"a\xff\xff"}, names("a\xff\xff", 100, at))
	require.Equal(t, []string{"\xff\xff", "\xff\xffx"}, names("\xff", 100, at))
	require.Empty(t, names("d", 100, at))
	require.Empty(t, names("", 0, at))
	require.Empty(t, names("", -1, at))
	require.Empty(t, names("", 100, end))
}

// swaps counts in one record from everywhere at once.
func swaps(t *testing.T, open Open) {
	const stores, workers, calls = 2, 4, 25
	all, at := open(t, replay.Limits{Life: testLife}, stores), now()
	end := at.Add(time.Minute)
	var group sync.WaitGroup
	for i := range stores * workers {
		group.Go(func() {
			s := all[i%stores]
			for done := 0; done < calls; {
				r, _, err := s.Load(t.Context(), "counter", at)
				if err != nil {
					t.Error(err)
					return
				}
				ok, err := s.Swap(t.Context(), "counter", owner(), r.Version, append(r.Value, 'x'), end, at)
				if err != nil {
					t.Error(err)
					return
				}
				if ok {
					done++
				}
			}
		})
	}
	group.Wait()
	r, _, err := all[0].Load(t.Context(), "counter", at)
	require.NoError(t, err)
	require.Len(t, r.Value, stores*workers*calls)

	// A challenge is used once.
	var used atomic.Int64
	v := put(t, all[0], "challenge", "x", end, at)
	for i := range stores * workers {
		group.Go(func() {
			ok, err := all[i%stores].Swap(t.Context(), "challenge", owner(), v, nil, end, at)
			if err != nil {
				t.Error(err)
			}
			if ok {
				used.Add(1)
			}
		})
	}
	group.Wait()
	require.EqualValues(t, 1, used.Load())
}
