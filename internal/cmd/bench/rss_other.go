//go:build !unix

package main

// peakMB is not known on this system.
func peakMB() float64 { return 0 }
