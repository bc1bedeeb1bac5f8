//go:build !unix

package attack_test

import "time"

var begun = time.Now()

// processorTime is the time since the beginning: there is no other here.
func processorTime() time.Duration { return time.Since(begun) }
