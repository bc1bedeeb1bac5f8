package replaytest

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/replay"
)

// states walks through what a message can be told.
func states(t *testing.T, open Open) {
	stores := open(t, replay.Limits{Life: testLife}, 2)
	a, b, at := stores[0], stores[1], now()
	k := key("m-1")

	require.ErrorIs(t, a.Settle(t.Context(), k, content("c"), []byte("x"), at), replay.ErrNotClaimed)
	claim(t, a, k, "c", at, replay.Fresh)
	claim(t, a, k, "c", at, replay.Running)
	claim(t, b, k, "c", at, replay.Running)
	claim(t, b, k, "other", at, replay.Conflict)

	require.ErrorIs(t, a.Settle(t.Context(), k, content("other"), []byte("x"), at), replay.ErrNotClaimed)
	claim(t, a, k, "c", at, replay.Running)

	answer := "\x00\xffan answer\r\n"
	settle(t, a, k, "c", answer, at)
	require.Equal(t, answer, string(claim(t, b, k, "c", at, replay.Answered).Answer))
	claim(t, b, k, "other", at, replay.Conflict)

	settle(t, b, k, "c", "another answer", at)
	require.Equal(t, answer, string(claim(t, a, k, "c", at, replay.Answered).Answer), "a message is settled once")
	require.ErrorIs(t, a.Settle(t.Context(), k, content("other"), []byte("x"), at), replay.ErrNotClaimed)

	claim(t, a, key("m-2"), "c", at, replay.Fresh)
	require.NoError(t, b.Settle(t.Context(), key("m-2"), content("c"), nil, at))
	require.Empty(t, claim(t, a, key("m-2"), "c", at, replay.Answered).Answer)
	settle(t, a, key("m-2"), "c", "late", at)
	require.Empty(t, claim(t, a, key("m-2"), "c", at, replay.Answered).Answer, "an empty answer is one")
}

// keys claims messages whose keys are easily taken for one another.
func keys(t *testing.T, open Open) {
	s, at := one(t, open, replay.Limits{}), now()
	long := strings.Repeat("long", 50_000)
	var all []replay.Key
	for _, k := range [][4]string{ // local, peer, context, message
		{"l", "p", "c", "m"},
		{"", "p", "c", "m"},
		{"l", "", "c", "m"},
		{"l", "p", "", "m"},
		{"L", "p", "c", "m"},
		{"l", "P", "c", "m"},
		{"l", "p", "C", "m"},
		{"l", "p", "c", "M"},
		{"p", "l", "c", "m"},
		{"l", "p", "m", "c"},
		{"lp", "", "c", "m"},
		{"", "lp", "c", "m"},
		{"l", "p", "", "cm"},
		{"l", "p", "cm", "m"},
		{"l", "pc", "", "m"},
		{"l\x00p", "", "c", "m"},
		{"l", "p", "c\x00m", "m"},
		{"l", "p", "c", "m\x00"},
		{"l", "p", "c", "\x00m"},
		{"l", "p", "c", "m "},
		{"l", "p", "c", "m\n"},
		{"l", "p", "c", "\xff\xfe\x80"},
		{"l", "p", "c", "\xff\xfe\x81"},
		{"l", "p", "c", "\u00e9"},
		{"l", "p", "c", "e\u0301"},
		{long, long, long, long},
		{long, long, long, long + "x"},
		{long, long, long + "x", long},
		{long, long + "x", long, long},
		{long + "x", long, long, long},
		{"l:p", "p", "c", "m"},
		{"{l}", "{p}", "{c}", "{m}"},
		{"l", "p", "c", "*"},
	} {
		all = append(all, replay.Key{Local: k[0], Peer: k[1], Context: k[2], Message: k[3]})
	}
	for _, k := range all {
		claim(t, s, k, "c", at, replay.Fresh)
	}
	for _, k := range all {
		claim(t, s, k, "c", at, replay.Running)
	}
}

// life looks at both sides of the end of a message.
func life(t *testing.T, open Open) {
	s, at := one(t, open, replay.Limits{}), now()
	k, end := key("m-1"), at.Add(testLife)
	last := end.Add(-time.Microsecond)

	claim(t, s, k, "c", at, replay.Fresh)
	claim(t, s, key("m-2"), "c", at, replay.Fresh)
	settle(t, s, k, "c", "first", at)
	claim(t, s, k, "c", last, replay.Answered)
	claim(t, s, k, "other", last, replay.Conflict)
	claim(t, s, key("m-2"), "c", last, replay.Running)

	require.ErrorIs(t, s.Settle(t.Context(), key("m-2"), content("c"), []byte("x"), end), replay.ErrNotClaimed)
	claim(t, s, k, "other", end, replay.Fresh)
	claim(t, s, k, "other", end, replay.Running)
	claim(t, s, k, "c", end, replay.Conflict)
	settle(t, s, k, "other", "second", end)
	require.Equal(t, "second", string(claim(t, s, k, "other", end.Add(testLife-time.Microsecond), replay.Answered).Answer))
	claim(t, s, k, "c", end.Add(testLife), replay.Fresh)

	// A claim that finds the message does not make it live longer.
	claim(t, s, key("m-3"), "c", end.Add(testLife), replay.Fresh)
	claim(t, s, key("m-3"), "c", end.Add(2*testLife-time.Microsecond), replay.Running)
	claim(t, s, key("m-3"), "c", end.Add(2*testLife), replay.Fresh)
}

// clock sets the clock back, in steps and by more than the life of a message.
func clock(t *testing.T, open Open) {
	s, at := one(t, open, replay.Limits{}), now()
	later := at.Add(3 * testLife)
	claim(t, s, key("m-1"), "c", later, replay.Fresh)
	claim(t, s, key("m-1"), "c", at, replay.Running)
	claim(t, s, key("m-1"), "c", later, replay.Running)

	// What is claimed by a clock that is behind lives as long as the rest: setting
	// the clock right again does not end it.
	claim(t, s, key("m-2"), "c", at, replay.Fresh)
	claim(t, s, key("m-2"), "c", later, replay.Running)
	claim(t, s, key("m-2"), "c", later.Add(testLife-time.Microsecond), replay.Running)
	settle(t, s, key("m-2"), "c", "x", at)
	claim(t, s, key("m-2"), "c", at, replay.Answered)
}

// arguments passes in what no store may accept.
func arguments(t *testing.T, open Open) {
	s, at, ctx := one(t, open, replay.Limits{}), now(), t.Context()
	for _, row := range []struct {
		name    string
		key     replay.Key
		content canon.Digest
		at      time.Time
		want    error
	}{
		{"no messageId", replay.Key{Local: "l", Peer: "p", Context: "c"}, content("c"), at, replay.ErrKey},
		{"no content", key("m"), canon.Digest{}, at, replay.ErrKey},
		{"no time", key("m"), content("c"), time.Time{}, replay.ErrTime},
	} {
		got, err := s.Claim(ctx, row.key, row.content, row.at)
		require.ErrorIs(t, err, row.want, row.name)
		require.Zero(t, got, row.name)
		require.ErrorIs(t, s.Settle(ctx, row.key, row.content, nil, row.at), row.want, row.name)
	}
	end := at.Add(time.Minute)
	for _, row := range []struct {
		name        string
		expires, at time.Time
	}{
		{"no time", end, time.Time{}},
		{"no end", time.Time{}, at},
		{"an end that has come", at, at},
		{"an end that is past", at.Add(-time.Second), at},
		{"an end less than a microsecond away", at.Add(999 * time.Nanosecond), at},
	} {
		ok, err := s.Swap(ctx, "r", replay.Owner{}, 0, []byte("v"), row.expires, row.at)
		require.ErrorIs(t, err, replay.ErrTime, row.name)
		require.False(t, ok, row.name)
	}
	_, _, err := s.Load(ctx, "r", time.Time{})
	require.ErrorIs(t, err, replay.ErrTime)
	_, err = s.List(ctx, "", 1, time.Time{})
	require.ErrorIs(t, err, replay.ErrTime)
	absent(t, s, "r", at)
	claim(t, s, key("m"), "c", at, replay.Fresh)
}

// duplicates claims one message from everywhere at once.
func duplicates(t *testing.T, open Open) {
	const stores, workers, calls = 2, 50, 100 // 10,000 calls
	all, at := open(t, replay.Limits{Life: testLife}, stores), now()
	var fresh, running atomic.Int64
	var group sync.WaitGroup
	for i := range stores * workers {
		group.Go(func() {
			for range calls {
				got, err := all[i%stores].Claim(t.Context(), key("hot"), content("c"), at)
				switch {
				case err != nil:
					t.Error(err)
				case got.State == replay.Fresh:
					fresh.Add(1)
				case got.State == replay.Running:
					running.Add(1)
				}
			}
		})
	}
	group.Wait()
	require.EqualValues(t, 1, fresh.Load())
	require.EqualValues(t, stores*workers*calls-1, running.Load())

	// Many messages, each from everywhere, each executed and answered once.
	const messages = 40
	var executed [messages]atomic.Int64
	for i := range stores * workers {
		group.Go(func() {
			for m := range messages {
				k := key("m-" + string(rune('A'+m)))
				got, err := all[i%stores].Claim(t.Context(), k, content("c"), at)
				if err != nil {
					t.Error(err)
					continue
				}
				if got.State == replay.Fresh {
					executed[m].Add(1)
					if err := all[i%stores].Settle(t.Context(), k, content("c"), []byte("done"), at); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	group.Wait()
	for m := range executed {
		require.EqualValues(t, 1, executed[m].Load())
		require.Equal(t, "done", string(claim(t, all[0], key("m-"+string(rune('A'+m))), "c", at, replay.Answered).Answer))
	}
}

// cancelled passes in contexts that are done: nothing is recorded.
func cancelled(t *testing.T, open Open) {
	s, at := one(t, open, replay.Limits{}), now()
	done, cancel := context.WithCancel(t.Context())
	cancel()
	late, stop := context.WithDeadline(t.Context(), at.Add(-time.Second))
	defer stop()
	for name, err := range everyMethod(done, s, at) {
		require.ErrorIs(t, err, context.Canceled, name)
	}
	for name, err := range everyMethod(late, s, at) {
		require.ErrorIs(t, err, context.DeadlineExceeded, name)
	}
	claim(t, s, key("every"), "c", at, replay.Fresh)
	absent(t, s, "every", at)
}

// closed uses a store that is closed.
func closed(t *testing.T, open Open) {
	s, at := one(t, open, replay.Limits{}), now()
	claim(t, s, key("m-1"), "c", at, replay.Fresh)
	require.NoError(t, s.Close())
	for name, err := range everyMethod(t.Context(), s, at) {
		require.ErrorIs(t, err, replay.ErrClosed, name)
	}
	require.ErrorIs(t, s.Close(), replay.ErrClosed)
}

// copies changes what was passed in and what was given out.
func copies(t *testing.T, open Open) {
	s, at := one(t, open, replay.Limits{}), now()
	answer := []byte("answer")
	claim(t, s, key("m"), "c", at, replay.Fresh)
	require.NoError(t, s.Settle(t.Context(), key("m"), content("c"), answer, at))
	answer[0] = 'X'
	claim(t, s, key("m"), "c", at, replay.Answered).Answer[1] = 'X'
	require.Equal(t, "answer", string(claim(t, s, key("m"), "c", at, replay.Answered).Answer))

	value := []byte("value")
	swap(t, s, "r", 0, value, at.Add(time.Minute), at, true)
	value[0] = 'X'
	r, _, err := s.Load(t.Context(), "r", at)
	require.NoError(t, err)
	r.Value[1] = 'X'
	found, err := s.List(t.Context(), "r", 1, at)
	require.NoError(t, err)
	require.Equal(t, "value", string(found[0].Value))
	found[0].Value[2] = 'X'
	r, _, err = s.Load(t.Context(), "r", at)
	require.NoError(t, err)
	require.Equal(t, "value", string(r.Value))
}
