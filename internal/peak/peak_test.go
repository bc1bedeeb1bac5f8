package peak_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/peak"
)

func TestHeap(t *testing.T) {
	const size = 64 << 20
	held := peak.Heap(func() {
		room := make([]byte, size)
		time.Sleep(100 * time.Millisecond)
		runtime.KeepAlive(room)
	})
	require.GreaterOrEqual(t, held, uint64(size))
	require.Less(t, peak.Heap(func() { time.Sleep(20 * time.Millisecond) }), uint64(size/2))
}
