//go:build unix

package attack_test

import (
	"syscall"
	"time"
)

// processorTime is what this process has worked.
func processorTime() time.Duration {
	var u syscall.Rusage
	require1(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
