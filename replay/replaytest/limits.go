package replaytest

import (
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/replay"
)

// limits reaches every limit: the last that is allowed, the first that is not, and
// that what is over makes room.
func limits(t *testing.T, open Open) {
	rows := map[string]func(t *testing.T){
		"Life": func(t *testing.T) {
			s, at := one(t, open, replay.Limits{Life: 2 * time.Second}), now()
			claim(t, s, key("m"), "c", at, replay.Fresh)
			claim(t, s, key("m"), "c", at.Add(2*time.Second-time.Microsecond), replay.Running)
			claim(t, s, key("m"), "c", at.Add(2*time.Second), replay.Fresh)
		},
		"PerPeer": func(t *testing.T) {
			s, at := one(t, open, replay.Limits{PerPeer: 5}), now()
			other := func(message string) replay.Key { k := key(message); k.Peer += "/other"; return k }
			for i := range 5 {
				claim(t, s, key("m-"+strconv.Itoa(i)), "c", at.Add(time.Duration(i)*time.Second), replay.Fresh)
			}
			refused(t, s, key("m-5"), at)
			k := key("m-5")
			k.Context = "another context"
			refused(t, s, k, at)
			claim(t, s, key("m-0"), "c", at, replay.Running)
			claim(t, s, key("m-0"), "other", at, replay.Conflict)
			settle(t, s, key("m-0"), "c", "x", at)
			claim(t, s, key("m-0"), "c", at, replay.Answered)
			claim(t, s, other("m-5"), "c", at, replay.Fresh)
			k = key("m-5")
			k.Local = "another agent"
			claim(t, s, k, "c", at, replay.Fresh)
			refused(t, s, key("m-5"), at.Add(testLife-time.Microsecond))
			claim(t, s, key("m-5"), "c", at.Add(testLife), replay.Fresh) // m-0 is over
			refused(t, s, key("m-6"), at.Add(testLife))
			claim(t, s, key("m-6"), "c", at.Add(testLife+time.Second), replay.Fresh) // m-1 is over
			refused(t, s, key("m-0"), at.Add(testLife+time.Second))
		},
		"Messages": func(t *testing.T) {
			s, at := one(t, open, replay.Limits{Messages: 6, PerPeer: 4}), now()
			peer := func(i int) replay.Key { k := key("m"); k.Peer += strconv.Itoa(i); return k }
			for i := range 6 {
				claim(t, s, peer(i), "c", at.Add(time.Duration(i)*time.Second), replay.Fresh)
			}
			refused(t, s, peer(6), at)
			claim(t, s, peer(0), "c", at, replay.Running)
			refused(t, s, peer(6), at.Add(testLife-time.Microsecond))
			claim(t, s, peer(6), "c", at.Add(testLife), replay.Fresh)
			refused(t, s, peer(7), at.Add(testLife))
			// All are over: many rounds of other peers find room.
			for round := 1; round < 3; round++ {
				for i := range 6 {
					claim(t, s, peer(10*round+i), "c", at.Add(time.Duration(round+1)*testLife), replay.Fresh)
				}
			}
		},
		"Answer": func(t *testing.T) {
			s, at := one(t, open, replay.Limits{Answer: 10}), now()
			claim(t, s, key("m"), "c", at, replay.Fresh)
			require.ErrorIs(t, s.Settle(t.Context(), key("m"), content("c"), make([]byte, 11), at), replay.ErrTooLarge)
			claim(t, s, key("m"), "c", at, replay.Running)
			settle(t, s, key("m"), "c", strings.Repeat("x", 10), at)
			require.Len(t, claim(t, s, key("m"), "c", at, replay.Answered).Answer, 10)
		},
		"PeerBytes": func(t *testing.T) {
			s, at := one(t, open, replay.Limits{PeerBytes: 10}), now()
			claim(t, s, key("m-1"), "c", at, replay.Fresh)
			claim(t, s, key("m-2"), "c", at.Add(time.Second), replay.Fresh)
			claim(t, s, key("m-3"), "c", at.Add(time.Second), replay.Fresh)
			settle(t, s, key("m-1"), "c", "123456", at)
			require.ErrorIs(t, s.Settle(t.Context(), key("m-2"), content("c"), []byte("12345"), at), replay.ErrFull)
			claim(t, s, key("m-2"), "c", at, replay.Running)
			settle(t, s, key("m-2"), "c", "1234", at)
			require.ErrorIs(t, s.Settle(t.Context(), key("m-3"), content("c"), []byte("1"), at), replay.ErrFull)
			k := key("m-3")
			k.Peer = "another"
			claim(t, s, k, "c", at, replay.Fresh)
			settle(t, s, k, "c", "1234567890", at)
			// With m-1 its answer is over.
			require.ErrorIs(t, s.Settle(t.Context(), key("m-3"), content("c"), []byte("1234567"), at.Add(testLife)), replay.ErrFull)
			settle(t, s, key("m-3"), "c", "123456", at.Add(testLife))
		},
		"Bytes": func(t *testing.T) {
			s, at := one(t, open, replay.Limits{Bytes: 10}), now()
			peer := func(i int) replay.Key { k := key("m"); k.Peer += strconv.Itoa(i); return k }
			for i := range 3 {
				claim(t, s, peer(i), "c", at.Add(time.Duration(min(i, 1))*time.Second), replay.Fresh)
			}
			settle(t, s, peer(0), "c", "123456", at)
			require.ErrorIs(t, s.Settle(t.Context(), peer(1), content("c"), []byte("12345"), at), replay.ErrFull)
			settle(t, s, peer(1), "c", "1234", at)
			require.ErrorIs(t, s.Settle(t.Context(), peer(2), content("c"), []byte("1"), at.Add(testLife-time.Microsecond)), replay.ErrFull)
			settle(t, s, peer(2), "c", "123456", at.Add(testLife))
		},
		"PeerRecords": func(t *testing.T) {
			s, at := one(t, open, replay.Limits{PeerRecords: 3}), now()
			end := at.Add(time.Minute)
			write := func(name string, o replay.Owner, old uint64, expires, at time.Time) (bool, error) {
				return s.Swap(t.Context(), name, o, old, []byte("v"), expires, at)
			}
			wrote := func(name string, o replay.Owner, expires, at time.Time) {
				ok, err := write(name, o, 0, expires, at)
				require.NoError(t, err)
				require.True(t, ok)
			}
			full := func(name string, o replay.Owner, at time.Time) {
				ok, err := write(name, o, 0, at.Add(time.Minute), at)
				require.ErrorIs(t, err, replay.ErrFull)
				require.False(t, ok)
				absent(t, s, name, at)
			}
			version := func(name string) uint64 {
				r, ok, err := s.Load(t.Context(), name, at)
				require.NoError(t, err)
				require.True(t, ok)
				return r.Version
			}
			for i := range 3 {
				wrote(strconv.Itoa(i), owner(), end.Add(time.Duration(i)*time.Second), at)
			}
			full("3", owner(), at)

			// Nobody, other peers, those that have no name, and the same peer of another
			// agent have room of their own.
			for name, o := range map[string]replay.Owner{
				"nobody": {}, "peer": {Local: owner().Local, Peer: "other"}, "none": {Local: owner().Local},
				"agent": {Local: "other", Peer: owner().Peer}, "joined": {Local: owner().Local + owner().Peer},
			} {
				for i := range 3 {
					wrote(name+strconv.Itoa(i), o, end.Add(time.Minute), at)
				}
				if name != "nobody" {
					full(name+"3", o, at)
				}
			}
			wrote("nobody3", replay.Owner{}, end.Add(time.Minute), at)

			// One that is replaced counts as before, for whom it was made.
			for _, o := range []replay.Owner{owner(), {}, {Local: "new"}} {
				ok, err := write("1", o, version("1"), end.Add(time.Second), at)
				require.NoError(t, err)
				require.True(t, ok)
				full("3", owner(), at)
			}
			ok, err := write("nobody0", owner(), version("nobody0"), end.Add(time.Minute), at) // full, and not its owner
			require.NoError(t, err)
			require.True(t, ok)
			for i := range 3 {
				wrote("new"+strconv.Itoa(i), replay.Owner{Local: "new"}, end.Add(time.Minute), at)
			}

			// One that is deleted, or over, makes room, whenever it began to end.
			swap(t, s, "1", version("1"), nil, end, at, true)
			wrote("3", owner(), end.Add(time.Minute), at)
			full("4", owner(), end.Add(-time.Microsecond))
			wrote("4", owner(), end.Add(time.Minute), end) // 0 is over
			full("5", owner(), end)
			wrote("2", owner(), end.Add(time.Minute), end.Add(2*time.Second)) // it was over itself
			full("5", owner(), end.Add(2*time.Second))
			for i := range 3 { // all are over
				wrote("late"+strconv.Itoa(i), owner(), end.Add(2*time.Minute), end.Add(time.Minute))
			}
			full("5", owner(), end.Add(time.Minute))

			// So does one behind more of others that are over than a call removes.
			s, end = one(t, open, replay.Limits{PeerRecords: 3}), at.Add(time.Minute)
			for i := range 3 {
				wrote(strconv.Itoa(i), owner(), end, at)
			}
			for i := range 100 {
				wrote("nobody"+strconv.Itoa(i), replay.Owner{}, end.Add(-time.Second), at)
			}
			full("3", owner(), end.Add(-time.Microsecond))
			for i := range 3 {
				wrote("late"+strconv.Itoa(i), owner(), end.Add(time.Minute), end)
			}
			full("3", owner(), end)
		},
		"Records": func(t *testing.T) {
			s, at := one(t, open, replay.Limits{Records: 3}), now()
			end := at.Add(time.Minute)
			for i := range 3 {
				put(t, s, strconv.Itoa(i), "v", end.Add(time.Duration(i)*time.Second), at)
			}
			_, err := s.Swap(t.Context(), "3", owner(), 0, []byte("v"), end, at)
			require.ErrorIs(t, err, replay.ErrFull)
			absent(t, s, "3", at)
			v := put(t, s, "1", "replaced", end.Add(time.Second), at)
			swap(t, s, "1", v, nil, end, at, true)
			put(t, s, "3", "v", end.Add(time.Second), at)
			_, err = s.Swap(t.Context(), "4", owner(), 0, []byte("v"), end, end.Add(-time.Microsecond))
			require.ErrorIs(t, err, replay.ErrFull)
			put(t, s, "4", "v", end.Add(time.Minute), end) // 0 is over
			_, err = s.Swap(t.Context(), "5", owner(), 0, []byte("v"), end.Add(time.Minute), end)
			require.ErrorIs(t, err, replay.ErrFull)
		},
		"RecordName": func(t *testing.T) {
			s, at := one(t, open, replay.Limits{RecordName: 10}), now()
			put(t, s, strings.Repeat("n", 10), "v", at.Add(time.Minute), at)
			_, err := s.Swap(t.Context(), strings.Repeat("n", 11), owner(), 0, []byte("v"), at.Add(time.Minute), at)
			require.ErrorIs(t, err, replay.ErrTooLarge)
			most := one(t, open, replay.Limits{RecordName: 10 * replay.MaxRecordName})
			put(t, most, strings.Repeat("n", replay.MaxRecordName), "v", at.Add(time.Minute), at)
			_, err = most.Swap(t.Context(), strings.Repeat("n", replay.MaxRecordName+1), owner(), 0, []byte("v"), at.Add(time.Minute), at)
			require.ErrorIs(t, err, replay.ErrTooLarge)
		},
		"Record": func(t *testing.T) {
			s, at := one(t, open, replay.Limits{Record: 10}), now()
			put(t, s, "r", strings.Repeat("v", 10), at.Add(time.Minute), at)
			_, err := s.Swap(t.Context(), "s", owner(), 0, make([]byte, 11), at.Add(time.Minute), at)
			require.ErrorIs(t, err, replay.ErrTooLarge)
			absent(t, s, "s", at)
		},
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[replay.Limits]()) {
		t.Run(field.Name, func(t *testing.T) {
			t.Parallel()
			test := rows[field.Name]
			require.NotNil(t, test, "a limit without a case")
			test(t)
		})
	}
}
