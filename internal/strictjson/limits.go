package strictjson

import "math"

// Limits bounds what reading a document may cost. Every number is a maximum that is
// still accepted; one more is an [*Error] of [CodeLimitExceeded]. A number that is not
// positive stands for that of DefaultLimits, so that the zero Limits are safe for bytes
// that came from someone else. There is no "unlimited".
type Limits struct {
	Bytes   int64 // size of the document; never more than 2 GiB, whatever it says
	Depth   int   // open objects and arrays
	Values  int   // values at any depth; member names do not count
	Members int   // members of one object
}

// DefaultLimits returns the limits for bytes that came from someone else.
func DefaultLimits() Limits {
	return Limits{
		Bytes:   256 << 10, // a message is a few hundred bytes, a large Agent Card 32 KiB
		Depth:   64,        // people write five, generators ten
		Values:  65_536,    // four bytes a value: denser than any document that is not made to be
		Members: 4_096,     // a context of a large vocabulary has a thousand
	}
}

// OrDefault returns l with every number that is not positive replaced by that
// of [DefaultLimits].
func (l Limits) OrDefault() Limits {
	d := DefaultLimits()
	if l.Bytes > 0 {
		d.Bytes = l.Bytes
	}
	if l.Depth > 0 {
		d.Depth = l.Depth
	}
	if l.Values > 0 {
		d.Values = l.Values
	}
	if l.Members > 0 {
		d.Members = l.Members
	}
	// Offsets are 32 bits wide, and an offset plus a length must not overflow.
	d.Bytes = min(d.Bytes, math.MaxInt32)
	return d
}

// LimitName names a field of [Limits] in messages.
type LimitName string

// The names of the limits.
const (
	LimitBytes   LimitName = "bytes"
	LimitDepth   LimitName = "nesting"
	LimitValues  LimitName = "values"
	LimitMembers LimitName = "members"
)
