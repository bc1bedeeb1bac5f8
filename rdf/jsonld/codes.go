package jsonld

import (
	"slices"

	"github.com/rdfproto/rdfproto/rdf"
)

// Codes returns the codes of an [*Error], sorted.
func Codes() []Code {
	codes := make([]Code, 0, len(texts))
	for c := range texts {
		codes = append(codes, c)
	}
	slices.Sort(codes)
	return codes
}

// SyntaxCodes returns the codes of an [*rdf.SyntaxError] that this package has beside
// those of package rdf, in a fixed order.
func SyntaxCodes() []rdf.Code {
	return []rdf.Code{CodeTrailingData, CodeByteOrderMark, CodeLoneSurrogate, CodeDuplicateMember, CodeNumberRange}
}

// SyntaxText returns one sentence on what a code of [SyntaxCodes] means, and "" for
// any other.
func SyntaxText(c rdf.Code) string {
	switch c {
	case CodeTrailingData:
		return "something follows the JSON value"
	case CodeByteOrderMark:
		return "the text begins with a byte order mark that is not removed"
	case CodeLoneSurrogate:
		return "an escaped surrogate stands without its partner"
	case CodeDuplicateMember:
		return "a member name stands twice in one object"
	case CodeNumberRange:
		return "a number rounds to no finite double"
	}
	return ""
}
