package agentcard

import "github.com/rdfproto/rdfproto/internal/strictjson"

// Limits bounds what cards and keys may cost. Every number is a maximum that is
// still accepted. A number that is not positive means that of [DefaultLimits]:
// there is no way to say "unlimited".
type Limits struct {
	CardBytes   int64 // one card
	KeySetBytes int64 // one JWK Set or trust store
	HeaderBytes int64 // one protected header, decoded
	Depth       int   // open objects and arrays; never more than 1000
	Values      int   // values of one document
	Signatures  int   // of one card
	Keys        int   // of one JWK Set or trust store
	Diagnosis   int   // payload bytes tried when a failure is explained; numbers count as more
}

// DefaultLimits returns the limits of section 1.1 of the requirements.
func DefaultLimits() Limits {
	return Limits{
		CardBytes:   256 << 10, // real cards of 47 KB exist
		KeySetBytes: 64 << 10,  // a hundred RSA keys
		HeaderBytes: 8 << 10,   // four members, and room for a certificate chain, which is ignored
		Depth:       64,        // people write five, generators ten
		Values:      65_536,    // four bytes a value
		Signatures:  16,        // one for each key during rotation
		Keys:        100,       // a provider has a handful
		Diagnosis:   8 << 20,   // hundreds of forms of an ordinary card, a few dozen of the largest
	}
}

// OrDefault returns l with every number that is not positive replaced by that of
// [DefaultLimits].
func (l Limits) OrDefault() Limits {
	d := DefaultLimits()
	for _, f := range []struct{ from, to *int64 }{
		{&l.CardBytes, &d.CardBytes}, {&l.KeySetBytes, &d.KeySetBytes}, {&l.HeaderBytes, &d.HeaderBytes},
	} {
		if *f.from > 0 {
			*f.to = *f.from
		}
	}
	for _, f := range []struct{ from, to *int }{
		{&l.Depth, &d.Depth}, {&l.Values, &d.Values}, {&l.Signatures, &d.Signatures}, {&l.Keys, &d.Keys}, {&l.Diagnosis, &d.Diagnosis},
	} {
		if *f.from > 0 {
			*f.to = *f.from
		}
	}
	const deepest = 1000 // payloads are built by recursion
	d.Depth = min(d.Depth, deepest)
	return d
}

func (l Limits) card() strictjson.Limits {
	return strictjson.Limits{Bytes: l.CardBytes, Depth: l.Depth, Values: l.Values, Members: l.Values}
}

func (l Limits) keySet() strictjson.Limits {
	return strictjson.Limits{Bytes: l.KeySetBytes, Depth: l.Depth, Values: l.Values}
}

func (l Limits) header() strictjson.Limits {
	return strictjson.Limits{Bytes: l.HeaderBytes, Depth: l.Depth, Values: l.Values}
}
