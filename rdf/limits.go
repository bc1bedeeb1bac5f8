package rdf

import "strings"

// Limits bounds what reading a document may cost. Every number is the most that is
// accepted; one more is a [*LimitError]. A field that is zero or negative stands
// for the number of [Peer], so the zero Limits are safe for bytes that came from
// someone else. There is no way to say "unlimited".
type Limits struct {
	Bytes        int64 // size of the document
	Quads        int   // quads read, duplicates included
	BlankNodes   int   // distinct blank nodes
	IRIBytes     int   // one IRI, after escapes, prefixes and the base
	LiteralBytes int   // one lexical form, after escapes
	Nesting      int   // open brackets, parentheses, objects and arrays
	Prefixes     int   // prefix and base directives
	TermBytes    int64 // all distinct terms together; all namespaces of prefixes together; and all long texts that are said in short together
}

// Peer returns the limits for bytes that came from someone else: those of an
// intent or a response.
func Peer() Limits {
	return Limits{
		Bytes:        256 << 10, // an intent is a few hundred bytes; this is room for a thousand times that
		Quads:        10_000,    // a shape check stays below a tenth of a second
		BlankNodes:   1_000,     // canonicalization is worst in these
		IRIBytes:     2 << 10,   // what browsers and servers carry
		LiteralBytes: 64 << 10,  // a page of text, not a file
		Nesting:      64,        // people write five, generators ten
		Prefixes:     256,       // a handful is usual; a redefinition counts too
		TermBytes:    4 << 20,   // 16 times the input, which short names under long prefixes multiply
	}
}

// Local returns the limits for files that a person names on a command line.
func Local() Limits {
	return Limits{
		Bytes:        1 << 30,    // read into memory as a whole
		Quads:        50_000_000, // what fits in memory with its index
		BlankNodes:   50_000_000, // no fewer than quads: lists are blank nodes
		IRIBytes:     64 << 10,   // data: IRIs occur
		LiteralBytes: 16 << 20,   // geometries and embedded files occur
		Nesting:      1_000,      // machine-made expressions
		Prefixes:     100_000,    // merged documents repeat their prefixes
		TermBytes:    2 << 30,    // twice the input
	}
}

// LimitName names a field of [Limits] in messages and flags.
type LimitName string

// The names of the limits of reading.
const (
	LimitBytes        LimitName = "bytes"
	LimitQuads        LimitName = "quads"
	LimitBlankNodes   LimitName = "blank-nodes"
	LimitIRIBytes     LimitName = "iri-bytes"
	LimitLiteralBytes LimitName = "literal-bytes"
	LimitNesting      LimitName = "nesting"
	LimitPrefixes     LimitName = "prefixes"
	LimitTermBytes    LimitName = "term-bytes"
)

func (n LimitName) words() string { return strings.ReplaceAll(string(n), "-", " ") }

// OrPeer returns l with every number that is not positive replaced by that of
// [Peer]: what readers do with the limits they are given.
func (l Limits) OrPeer() Limits {
	p := Peer()
	l.Bytes = min(positive(l.Bytes, p.Bytes), maxBytes)
	l.Quads = positive(l.Quads, p.Quads)
	l.BlankNodes = positive(l.BlankNodes, p.BlankNodes)
	l.IRIBytes = positive(l.IRIBytes, p.IRIBytes)
	l.LiteralBytes = positive(l.LiteralBytes, p.LiteralBytes)
	l.Nesting = positive(l.Nesting, p.Nesting)
	l.Prefixes = positive(l.Prefixes, p.Prefixes)
	l.TermBytes = min(positive(l.TermBytes, p.TermBytes), maxTermBytes)
	l.Quads = min(l.Quads, maxQuads)
	l.BlankNodes = min(l.BlankNodes, maxBlankNodes)
	return l
}

// The most that 32-bit offsets and IDs allow; a larger number in Limits stands for
// these. Bytes leaves room for one more, which readers ask for to see whether a
// document is too large.
const (
	maxBytes      = 1<<63 - 2
	maxTermBytes  = 1<<32 - 1
	maxQuads      = 1<<31 - 1
	maxBlankNodes = 1<<31 - 1
)

func positive[N int | int64](n, otherwise N) N {
	if n > 0 {
		return n
	}
	return otherwise
}
