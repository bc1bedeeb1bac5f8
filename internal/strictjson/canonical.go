package strictjson

import (
	"fmt"

	"github.com/gowebpki/jcs"
)

// Canonicalize reads a text as [Parse] does and returns its canonical form, see
// [Value.Canonical].
func Canonicalize(data []byte, limits Limits) ([]byte, error) {
	v, err := Parse(data, limits)
	if err != nil {
		return nil, err
	}
	return v.Canonical()
}

// Canonical returns the value in the canonical form of the JSON Canonicalization
// Scheme (RFC 8785): no white space, members sorted by UTF-16 code units,
// numbers as ECMAScript writes the doubles they are nearest to. That of an
// absent value is an error.
//
// The form is made from the text by another reader than that of this package: an error
// says that the two disagree.
func (v Value) Canonical() ([]byte, error) {
	canonical, err := jcs.Transform([]byte(v.Source()))
	if err != nil {
		return nil, fmt.Errorf("canonical JSON: %w", err)
	}
	return canonical, nil
}
