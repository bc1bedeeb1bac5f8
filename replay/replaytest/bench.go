package replaytest

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rdfproto/rdfproto/replay"
)

// BenchmarkClaim times claims of new messages, by one and by many at a time. open opens
// an empty store with these limits, which no run reaches.
func BenchmarkClaim(b *testing.B, open func(testing.TB, replay.Limits) replay.Store) {
	for _, workers := range []int{1, 64} {
		b.Run(strconv.Itoa(workers), func(b *testing.B) {
			s := open(b, replay.Limits{PerPeer: 1 << 30, Messages: 1 << 30})
			var next atomic.Int64
			var group sync.WaitGroup
			b.ResetTimer()
			for range workers {
				group.Go(func() {
					for {
						i := next.Add(1)
						if i > int64(b.N) {
							return
						}
						c, err := s.Claim(context.Background(), key(strconv.FormatInt(i, 10)), content("c"), time.Now())
						if err != nil || c.State != replay.Fresh {
							b.Error(c, err)
							return
						}
					}
				})
			}
			group.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "claims/s")
		})
	}
}
