//go:build unix

package main

import (
	"runtime"
	"syscall"
)

// peakMB returns the peak resident memory of the process in MB.
func peakMB() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	if runtime.GOOS == "darwin" { // in bytes there, in kilobytes elsewhere
		return float64(u.Maxrss) / (1 << 20)
	}
	return float64(u.Maxrss) / (1 << 10)
}
