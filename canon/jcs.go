package canon

import "github.com/rdfproto/rdfproto/internal/strictjson"

// JCS returns the canonical form of a JSON text by the JSON Canonicalization
// Scheme (RFC 8785): no white space, members sorted by UTF-16 code units,
// numbers as ECMAScript writes the doubles they are nearest to.
//
// The text is read strictly and within limits first, as everything that comes
// from someone else: repeated member names, bytes that are not UTF-8, lone
// surrogates, numbers that no finite double is near and anything after the
// value are refused with a place, since two readers of such a text may see two
// things in it. What the scheme itself loses is lost: integers above 2^53 that
// share their nearest double have one canonical form. It is safe for concurrent
// use.
func JCS(data []byte) ([]byte, error) {
	return strictjson.Canonicalize(data, strictjson.DefaultLimits())
}
