package damage

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Change says what was done to a document.
type Change struct {
	Kind    string // what was done, in words; there are few kinds, and damages of one share the text
	Offset  int    // where in the document, in bytes from 0
	Pointer string // of the JSON value that was changed (RFC 6901), from Values alone
}

// String returns what was done and where.
func (c Change) String() string {
	if c.Pointer != "" {
		return fmt.Sprintf("%s at %s", c.Kind, c.Pointer)
	}
	return fmt.Sprintf("%s at byte %d", c.Kind, c.Offset)
}

// All yields the damages of bytes, of tokens, of lines and, for a JSON text, of
// values.
func All(doc []byte) iter.Seq2[Change, []byte] {
	return Concat(Bytes(doc), Tokens(doc), Lines(doc), Values(doc))
}

// Concat yields the damages of one after the other.
func Concat(parts ...iter.Seq2[Change, []byte]) iter.Seq2[Change, []byte] {
	return func(yield func(Change, []byte) bool) {
		for _, part := range parts {
			for c, damaged := range part {
				if !yield(c, damaged) {
					return
				}
			}
		}
	}
}

// Every yields the n-th of the damages and each n-th after it; all of them when n
// is 1. Kinds come in turns, so an odd n meets more of them than an even one.
func Every(n int, all iter.Seq2[Change, []byte]) iter.Seq2[Change, []byte] {
	return func(yield func(Change, []byte) bool) {
		i := 0
		for c, damaged := range all {
			if i++; i%n == 0 && !yield(c, damaged) {
				return
			}
		}
	}
}

// foreign are the bytes that Bytes inserts, or puts in the place of another, in turn:
// those that mean something to the syntaxes of this project, and two that are not
// allowed in any of them.
const foreign = "0x\"}], \\.<;:\n\x00\xff"

// attached is what Bytes puts before and after a document.
var attached = []string{"\x00", " x", "x", "{}", "]", ",", ".", "\xff", "\ufeff", "\n# comment", "<urn:x> <urn:x> <urn:x> ."}

// Bytes yields the damages of one place of any text: at every byte a bit flipped, the
// byte dropped, doubled, replaced or swapped with the next, another one inserted, and
// the text cut off there; and the text with something before or after it.
func Bytes(doc []byte) iter.Seq2[Change, []byte] {
	return func(yield func(Change, []byte) bool) {
		for i, b := range doc {
			before, after := doc[:i], doc[i+1:]
			put := func(kind string, here ...byte) bool {
				return yield(Change{Kind: kind, Offset: i}, slices.Concat(before, here, after))
			}
			// The next letter, the other case, and the other bits in turn.
			for _, bit := range []byte{0x01, 0x20, 0x02 << (i % 7)} {
				if !put("flip a bit", b^bit) {
					return
				}
			}
			if !put("drop a byte") || !put("double a byte", b, b) || !put("insert a byte", foreign[i%len(foreign)], b) ||
				!yield(Change{Kind: "cut off the end", Offset: i}, slices.Clone(before)) {
				return
			}
			if other := foreign[(i+i/len(foreign))%len(foreign)]; other != b && !put("replace a byte", other) {
				return
			}
			if len(after) > 0 && after[0] != b {
				if !yield(Change{Kind: "swap bytes", Offset: i}, slices.Concat(before, []byte{after[0], b}, after[1:])) {
					return
				}
			}
		}
		for _, more := range attached {
			if !yield(Change{Kind: "append", Offset: len(doc)}, append(slices.Clone(doc), more...)) ||
				!yield(Change{Kind: "prepend"}, append([]byte(more), doc...)) {
				return
			}
		}
		if len(doc) > 0 {
			yield(Change{Kind: "append itself", Offset: len(doc)}, append(slices.Clone(doc), doc...))
		}
	}
}

// Tokens yields the damages of one token of any text: dropped, doubled, swapped with
// one further on; and all of them in reverse. A token is a word, a string in double
// quotes, white space, or a single other character.
func Tokens(doc []byte) iter.Seq2[Change, []byte] { return pieces("token", tokens(doc)) }

// Lines yields the same damages of the lines of a text.
func Lines(doc []byte) iter.Seq2[Change, []byte] {
	return pieces("line", slices.Collect(bytes.Lines(doc)))
}

// tokens cuts a text into what Tokens says.
func tokens(doc []byte) [][]byte {
	var all [][]byte
	for i := 0; i < len(doc); {
		from := i
		r, size := utf8.DecodeRune(doc[i:])
		word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-' }
		switch {
		case r == '"':
			for i++; i < len(doc) && doc[i] != '"' && doc[i] != '\n'; i++ {
				if doc[i] == '\\' {
					i++
				}
			}
			i = min(i+1, len(doc))
		case word(r) || unicode.IsSpace(r):
			same := word
			if unicode.IsSpace(r) {
				same = unicode.IsSpace
			}
			for i < len(doc) && same(r) {
				i += size
				r, size = utf8.DecodeRune(doc[i:])
			}
		default:
			i += size
		}
		all = append(all, doc[from:i])
	}
	return all
}

// far is how far apart pieces are swapped: beyond the punctuation between two words.
const far = 7

// pieces damages the pieces that a text was cut into.
func pieces(what string, all [][]byte) iter.Seq2[Change, []byte] {
	return func(yield func(Change, []byte) bool) {
		at := 0
		put := func(kind string, changed [][]byte) bool {
			return yield(Change{Kind: kind, Offset: at}, slices.Concat(changed...))
		}
		for i, piece := range all {
			if !put("drop a "+what, slices.Delete(slices.Clone(all), i, i+1)) ||
				!put("double a "+what, slices.Insert(slices.Clone(all), i, piece)) {
				return
			}
			if j := (i + far) % len(all); j != i {
				swapped := slices.Clone(all)
				swapped[i], swapped[j] = swapped[j], swapped[i]
				if !put("swap a "+what, swapped) {
					return
				}
			}
			at += len(piece)
		}
		if len(all) > 1 {
			at = 0
			reversed := slices.Clone(all)
			slices.Reverse(reversed)
			put("reverse every "+what, reversed)
		}
	}
}
