package peak

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"time"
)

// Heap returns the most bytes of the heap that were in use while something ran, over what
// was in use before, as looked at every millisecond. What else runs at the same time counts
// as well.
func Heap(do func()) (most uint64) {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	inUse := func() uint64 { metrics.Read(sample); return sample[0].Value.Uint64() }
	runtime.GC()
	before := inUse()
	done := make(chan struct{})
	var w sync.WaitGroup
	w.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
				most = max(most, inUse())
			}
		}
	})
	do()
	close(done)
	w.Wait()
	return most - min(before, most)
}
