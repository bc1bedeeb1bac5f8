package entry

import "time"

// Clock tells the time of a store, in microseconds since 1970: it starts with the
// first time passed in, or with Latest if that is later, and never goes backwards. Where
// the times passed in carry a monotonic reading, it goes on as fast as that does, and
// setting the clock of the machine does not move it. Where they do not, it waits for them
// to come to what it told last: that they were set right and that so much time passed
// looks the same, and only the one would make a message new too early. It is not safe for
// concurrent use.
type Clock struct {
	Latest int64 // the latest time told

	first time.Time // the first time passed in
	base  int64     // what was told then
}

// At returns what time it is when the caller's clock says now.
func (c *Clock) At(now time.Time) int64 {
	if now == now.Round(0) { // no monotonic reading
		c.Latest = max(c.Latest, now.UnixMicro())
		return c.Latest
	}
	if c.first.IsZero() {
		c.first = now
		c.base = max(now.UnixMicro(), c.Latest)
	}
	c.Latest = max(c.Latest, c.base+now.Sub(c.first).Microseconds())
	return c.Latest
}
