package xpattern

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// writer writes a translation, and stops when it grows beyond maxTranslation.
type writer struct {
	out   []byte
	flags flags
	full  bool
	sets  map[item]set // of escapes that were expanded
}

func (w *writer) text(s string) {
	if w.full = w.full || len(w.out)+len(s) > maxTranslation; !w.full {
		w.out = append(w.out, s...)
	}
}

// How tight the place is where a node is written.
const (
	inAlternate = iota + 1
	inConcat
	inRepeat
)

// node writes a node, in a group where its place is too tight for it.
func (w *writer) node(n *node, place int) {
	if w.full {
		return
	}
	loose := n.op == opAlternate && place > inAlternate ||
		(n.op == opConcat || n.op == opRepeat || n.op == opEmpty || n.op == opBegin || n.op == opEnd) && place == inRepeat
	if loose {
		w.text("(?:")
		defer w.text(")")
	}
	switch n.op {
	case opNothing:
		w.text(`[^\x00-\x{10FFFF}]`)
	case opClass:
		w.class(&n.class)
	case opBegin:
		w.anchor(`\A`, `(?m:^)`)
	case opEnd:
		w.anchor(`\z`, `(?m:$)`)
	case opTextBegin:
		w.text(`\A`)
	case opTextEnd:
		w.text(`\z`)
	case opConcat:
		for _, s := range n.sub {
			w.node(s, inConcat)
		}
	case opAlternate:
		for i, s := range n.sub {
			if i > 0 {
				w.text("|")
			}
			w.node(s, inAlternate)
		}
	case opRepeat:
		w.node(n.sub[0], inRepeat)
		w.text(quantifier(n.min, n.max))
		if n.lazy {
			w.text("?")
		}
	}
}

func (w *writer) anchor(text, line string) {
	if w.flags.multiline {
		text = line
	}
	w.text(text)
}

// quantifier writes a repetition in Go's dialect; most is -1 for no maximum.
func quantifier(least, most int) string {
	switch {
	case least == 0 && most == 1:
		return "?"
	case least == 0 && most < 0:
		return "*"
	case least == 1 && most < 0:
		return "+"
	case most < 0:
		return "{" + strconv.Itoa(least) + ",}"
	case least == most:
		return "{" + strconv.Itoa(least) + "}"
	}
	return "{" + strconv.Itoa(least) + "," + strconv.Itoa(most) + "}"
}

func (w *writer) class(c *class) {
	if c.minus != nil || c.withoutLineEnd {
		w.set(w.expand(c))
		return
	}
	if len(c.items) == 0 {
		w.text("(?s:.)") // a negated class of nothing
		return
	}
	escapes, ranges := c.parts(w.flags.fold)
	if i := slices.IndexFunc(escapes, isWord); i >= 0 && !c.negated && len(escapes)+len(ranges) > 1 {
		// \w has no name that Go allows inside of a class, and hundreds of ranges.
		w.text("(?:")
		w.members(false, escapes[i:i+1], nil)
		w.text("|")
		w.members(false, slices.Delete(slices.Clone(escapes), i, i+1), ranges)
		w.text(")")
		return
	}
	w.members(c.negated, escapes, ranges)
}

// members writes a class of some escapes and ranges.
func (w *writer) members(negated bool, escapes []item, ranges set) {
	if len(escapes) == 1 && len(ranges) == 0 {
		// \W, [^\w] and [\W] are one class, and so are \P{L} and [^\p{L}].
		if plain, yes := escapes[0].complemented(); yes {
			negated, escapes = !negated, []item{plain}
		}
		switch it := escapes[0]; {
		case negated:
		case it.escape == 'd':
			w.text(`\p{Nd}`)
			return
		case it.escape == 'p' && !strings.HasPrefix(it.property, "Is"):
			w.text(`\p{` + it.property + `}`)
			return
		}
	}
	if len(escapes) == 0 && !negated {
		w.set(ranges)
		return
	}
	w.text("[")
	if negated {
		w.text("^")
	}
	for _, it := range escapes {
		w.item(it)
	}
	w.ranges(ranges)
	w.text("]")
}

// expand returns the characters of a class.
func (w *writer) expand(c *class) set {
	escapes, s := c.parts(w.flags.fold)
	for _, it := range escapes {
		s = append(s, w.escape(it)...)
	}
	s = s.tidy()
	if c.negated {
		s = s.complement()
	}
	if c.minus != nil {
		s = s.minus(w.expand(c.minus))
	}
	if c.withoutLineEnd {
		s = s.minus(set{'\n', '\n'})
	}
	return s
}

// escape returns the characters of an escape, which are found once for a pattern.
func (w *writer) escape(it item) set {
	s, ok := w.sets[it]
	if !ok {
		if w.sets == nil {
			w.sets = map[item]set{}
		}
		s = it.set()
		w.sets[it] = s
	}
	return s
}

func isWord(it item) bool { return it.escape == 'w' }

// item writes an escape as a part of a class. What Go has a name for is named.
func (w *writer) item(it item) {
	switch {
	case it.escape == 'd':
		w.text(`\p{Nd}`)
	case it.escape == 'D':
		w.text(`\P{Nd}`)
	case it.escape == 'W':
		w.text(`\p{P}\p{Z}\p{C}`)
	case (it.escape == 'p' || it.escape == 'P') && !strings.HasPrefix(it.property, "Is"):
		w.text(`\` + string(it.escape) + `{` + it.property + `}`)
	default:
		w.ranges(w.escape(it))
	}
}

func (w *writer) set(s set) {
	switch {
	case len(s) == 0:
		w.text(`[^\x00-\x{10FFFF}]`)
	case len(s) == 2 && s[0] == s[1]:
		w.text(printable(s[0]))
	case len(s) == 2 && s[0] == 0 && s[1] == unicode.MaxRune:
		w.text("(?s:.)")
	default:
		w.text("[")
		w.ranges(s)
		w.text("]")
	}
}

func (w *writer) ranges(s set) {
	for i := 0; i < len(s) && !w.full; i += 2 {
		w.text(printable(s[i]))
		if s[i] == s[i+1] {
			continue
		}
		if s[i]+1 < s[i+1] {
			w.text("-")
		}
		w.text(printable(s[i+1]))
	}
}

// printable writes a character so that it stands for itself in Go's dialect, in
// a class and outside of one, and survives every normalization and display.
func printable(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case ' ' <= r && r < 0x7F:
		if strings.ContainsRune(`\.+*?()|[]{}^$-`, r) {
			return `\` + string(r)
		}
		return string(r)
	}
	return `\x{` + strings.ToUpper(strconv.FormatInt(int64(r), 16)) + `}`
}
