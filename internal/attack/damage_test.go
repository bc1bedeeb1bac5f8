package attack_test

import (
	"fmt"
	"iter"
	"slices"
	"unicode"
	"unicode/utf8"
)

// damages yields a document in every small damage, with the name of its kind. They are
// at bytes, at tokens, at lines and, in a JSON text, at values.
func damages(doc []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, part := range []iter.Seq2[string, []byte]{
			byteDamages(doc), pieceDamages("token", tokens(doc)), pieceDamages("line", lines(doc)), valueDamages(doc),
		} {
			for kind, damaged := range part {
				if !yield(kind, damaged) {
					return
				}
			}
		}
	}
}

func byteDamages(doc []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for i := range doc {
			flip := slices.Clone(doc)
			flip[i] ^= 1 << (i % 8)
			drop := slices.Delete(slices.Clone(doc), i, i+1)
			double := slices.Insert(slices.Clone(doc), i, doc[i])
			if !yield("flip a bit", flip) || !yield("drop a byte", drop) || !yield("double a byte", double) || !yield("truncate", slices.Clone(doc[:i])) {
				return
			}
			if i+1 < len(doc) && doc[i] != doc[i+1] {
				swap := slices.Clone(doc)
				swap[i], swap[i+1] = swap[i+1], swap[i]
				if !yield("swap bytes", swap) {
					return
				}
			}
		}
		for _, more := range []string{"\x00", " x", "{}", "]", ".", "\xff", "\ufeff", "\n# comment", "<urn:x> <urn:x> <urn:x> ."} {
			if !yield("append", append(slices.Clone(doc), more...)) || !yield("prepend", append([]byte(more), doc...)) {
				return
			}
		}
		yield("append itself", append(slices.Clone(doc), doc...))
	}
}

// tokens cuts a text into words, strings in double quotes, white space and single
// characters of punctuation.
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

func lines(doc []byte) [][]byte {
	var all [][]byte
	from := 0
	for i, c := range doc {
		if c == '\n' {
			all = append(all, doc[from:i+1])
			from = i + 1
		}
	}
	if from < len(doc) {
		all = append(all, doc[from:])
	}
	return all
}

// pieceDamages damages the pieces that a text was cut into.
func pieceDamages(what string, pieces [][]byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for i := range pieces {
			at := func(kind string, changed [][]byte) bool {
				return yield(kind+" a "+what, slices.Concat(changed...))
			}
			if !at("drop", slices.Delete(slices.Clone(pieces), i, i+1)) || !at("double", slices.Insert(slices.Clone(pieces), i, pieces[i])) {
				return
			}
			if far := (i + 7) % len(pieces); far != i {
				swapped := slices.Clone(pieces)
				swapped[i], swapped[far] = swapped[far], swapped[i]
				if !at("swap", swapped) {
					return
				}
			}
		}
		if len(pieces) > 1 {
			reversed := slices.Clone(pieces)
			slices.Reverse(reversed)
			yield("reorder all of a "+what, slices.Concat(reversed...))
		}
	}
}

// span is a value of a JSON text, and the member that it is the value of.
type span struct {
	member, from, to int // member is the begin of the name, from itself for an element
	parent           int // its span, -1 for the root
}

// spans returns the values of a JSON text, the root first; nil for another text.
func spans(doc []byte) []span {
	var all []span
	var value func(i, member, parent int) int // returns the end, -1 for no JSON
	space := func(i int) int {
		for i < len(doc) && (doc[i] == ' ' || doc[i] == '\n' || doc[i] == '\r' || doc[i] == '\t') {
			i++
		}
		return i
	}
	text := func(i int) int {
		if i >= len(doc) || doc[i] != '"' {
			return -1
		}
		for i++; i < len(doc) && doc[i] != '"'; i++ {
			if doc[i] == '\\' {
				i++
			}
		}
		return i + 1
	}
	value = func(i, member, parent int) int {
		me := len(all)
		all = append(all, span{member: member, from: i, parent: parent})
		end := -1
		switch {
		case i >= len(doc):
		case doc[i] == '"':
			end = text(i)
		case doc[i] == '{' || doc[i] == '[':
			object, closing := doc[i] == '{', doc[i]+2
			for i = space(i + 1); i < len(doc) && doc[i] != closing; {
				name := i
				if object {
					if i = text(i); i < 0 || space(i) >= len(doc) || doc[space(i)] != ':' {
						return -1
					}
					i = space(space(i) + 1)
				}
				if i = value(i, name, me); i < 0 {
					return -1
				}
				if i = space(i); i < len(doc) && doc[i] == ',' {
					i = space(i + 1)
				}
			}
			end = i + 1
		default:
			for end = i; end < len(doc) && !slices.Contains([]byte(",]} \n\r\t"), doc[end]); end++ {
			}
			if end == i {
				return -1
			}
		}
		if end > len(doc) {
			return -1
		}
		all[me].to = end
		return end
	}
	if end := value(space(0), space(0), -1); end < 0 || space(end) != len(doc) {
		return nil
	}
	return all
}

// replacements are what a value of JSON is replaced by.
var replacements = []string{
	"null", "true", "false", "0", "-1", "1e400", "123456789012345678901234567890", `""`, `"x"`, "[]", "{}", "[[]]", `{"":{}}`, `"\ud800"`, `"\u0000"`, `"\u202e"`,
}

// valueDamages damages the values of a JSON text.
func valueDamages(doc []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		all := spans(doc)
		splice := func(from, to int, with string) []byte {
			return slices.Concat(doc[:from], []byte(with), doc[to:])
		}
		for i, s := range all {
			source := string(doc[s.from:s.to])
			for _, r := range replacements {
				if r != source && !yield("replace by "+r, splice(s.from, s.to, r)) {
					return
				}
			}
			if !yield("wrap in an array", splice(s.from, s.to, "["+source+"]")) || !yield("make a string", splice(s.from, s.to, fmt.Sprintf("%q", source))) {
				return
			}
			if s.parent < 0 {
				continue
			}
			whole := string(doc[s.member:s.to])
			if !yield("double a member", splice(s.to, s.to, ","+whole)) {
				return
			}
			if s.member < s.from { // of an object
				name := doc[s.member:s.from]
				if !yield("another case", splice(s.member, s.from, string(otherCase(name)))) || !yield("another name", splice(s.member+1, s.member+1, "x")) ||
					!yield("double a member as null", splice(s.to, s.to, ","+string(name)+"null")) {
					return
				}
			}
			if j := slices.IndexFunc(all[i+1:], func(o span) bool { return o.parent == s.parent }); j >= 0 {
				o := all[i+1+j]
				swapped := slices.Concat(doc[:s.from], doc[o.from:o.to], doc[s.to:o.from], doc[s.from:s.to], doc[o.to:])
				dropped := splice(s.member, o.member, "")
				if !yield("swap values", swapped) || !yield("drop a value", dropped) {
					return
				}
			}
		}
	}
}

// otherCase changes the case of the first letter.
func otherCase(name []byte) []byte {
	out := slices.Clone(name)
	for i, c := range out {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			out[i] ^= 0x20
			break
		}
	}
	return out
}
