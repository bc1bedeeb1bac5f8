package replaytest

import (
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// SetWall returns a time as time.Now would give it after the clock of the machine was
// set by so many whole seconds: the wall time differs from that of at, the monotonic
// reading does not. at must have one.
func SetWall(t testing.TB, at time.Time, by time.Duration) time.Time {
	t.Helper()
	set := at
	// A time with a monotonic reading has its seconds in bits 30 to 62 of its first
	// word. There is no other way to make such a time.
	*(*uint64)(unsafe.Pointer(&set)) += uint64(int64(by/time.Second)) << 30
	require.Zero(t, set.Sub(at), "the monotonic reading")
	require.Equal(t, at.Round(0).Add(by.Truncate(time.Second)), set.Round(0), "the wall time")
	return set
}
