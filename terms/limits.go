package terms

import "github.com/rdfproto/rdfproto/internal/strictjson"

// Limits bounds what declarations and documents may cost. Every number is a
// maximum that is still accepted. A number that is not positive means that of
// [DefaultLimits]: there is no way to say "unlimited".
type Limits struct {
	DocumentBytes int64 // one document or file of owners' keys
	Depth         int   // open objects and arrays; never more than 1000
	Values        int   // values of one document
	Proposals     int   // entries of one declaration; each is fetched
	TotalBytes    int64 // of the documents of one declaration, also those fetched again; those beyond do not count
}

// DefaultLimits returns the limits of section 1.1 of the requirements.
func DefaultLimits() Limits {
	return Limits{
		DocumentBytes: 1 << 20,
		Depth:         64,      // people write six
		Values:        131_072, // eight bytes a value
		Proposals:     64,      // one for each offering
		TotalBytes:    2 << 20, // 32 KiB for each; a third of a second
	}
}

// OrDefault returns l with every number that is not positive replaced by that of
// [DefaultLimits].
func (l Limits) OrDefault() Limits {
	d := DefaultLimits()
	if l.DocumentBytes > 0 {
		d.DocumentBytes = l.DocumentBytes
	}
	if l.TotalBytes > 0 {
		d.TotalBytes = l.TotalBytes
	}
	for _, f := range []struct{ from, to *int }{{&l.Depth, &d.Depth}, {&l.Values, &d.Values}, {&l.Proposals, &d.Proposals}} {
		if *f.from > 0 {
			*f.to = *f.from
		}
	}
	const deepest = 1000 // documents are walked and shown by recursion
	d.Depth = min(d.Depth, deepest)
	return d
}

func (l Limits) document() strictjson.Limits {
	return strictjson.Limits{Bytes: l.DocumentBytes, Depth: l.Depth, Values: l.Values, Members: l.Values}
}
