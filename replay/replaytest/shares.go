package replaytest

import (
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/replay"
)

// kept is what a plain model knows of a record.
type kept struct {
	owner   replay.Owner
	version uint64
	end     time.Time
}

// shares makes, replaces, deletes and outlives records of several owners at random, and
// compares what there is room for with a plain model of it.
func shares(t *testing.T, open Open) {
	const most, all, steps, tick = 3, 8, 1500, 100 * time.Millisecond
	stores, at := open(t, replay.Limits{Life: testLife, PeerRecords: most, Records: all}, 2), now()
	random := rand.New(rand.NewPCG(1, 2))
	owners := []replay.Owner{{}, owner(), {Local: owner().Local, Peer: "other"}, {Local: owner().Local}}
	model := map[string]kept{}
	for step := range steps {
		s := stores[random.IntN(len(stores))]
		if random.IntN(4) == 0 {
			at = at.Add(time.Duration(random.IntN(4)) * tick)
		}
		live, has := map[replay.Owner]int{}, 0
		for name, k := range model {
			if !at.Before(k.end) {
				delete(model, name)
				continue
			}
			live[k.owner]++
			has++
		}
		name, by := strconv.Itoa(random.IntN(2*all)), owners[random.IntN(len(owners))]
		old, there := model[name]
		if there && random.IntN(3) == 0 {
			swap(t, s, name, old.version, nil, time.Time{}, at, true)
			delete(model, name)
			absent(t, s, name, at)
			continue
		}
		end := at.Add(time.Duration(1+random.IntN(20)) * tick)
		ok, err := s.Swap(t.Context(), name, by, old.version, []byte("v"), end, at)
		if !there && (has >= all || by != replay.Owner{} && live[by] >= most) {
			require.ErrorIs(t, err, replay.ErrFull, "step %d", step)
			require.False(t, ok)
			absent(t, s, name, at)
			continue
		}
		require.NoError(t, err, "step %d: %v has %d of %d", step, by, live[by], has)
		require.True(t, ok)
		if there {
			by = old.owner
		}
		r, ok, err := s.Load(t.Context(), name, at)
		require.NoError(t, err)
		require.True(t, ok)
		model[name] = kept{by, r.Version, r.Expires}
	}
}
