package entry

import "time"

// Clock tells the time of a store, in microseconds since 1970: it starts with the
// first time passed in, or with Latest if that is later, goes on as fast as the
// times passed in do, and never backwards. Where those carry a monotonic reading,
// setting the clock of the machine does not move it. It is not safe for concurrent
// use.
type Clock struct {
	Latest int64 // the latest time told

	first time.Time // the first time passed in
	base  int64     // what was told then
}

// At returns what time it is when the caller's clock says now.
func (c *Clock) At(now time.Time) int64 {
	if c.first.IsZero() {
		c.first = now
		c.base = max(now.UnixMicro(), c.Latest)
	}
	// Sub looks at the monotonic readings, if both have one.
	c.Latest = max(c.Latest, c.base+now.Sub(c.first).Microseconds())
	return c.Latest
}
