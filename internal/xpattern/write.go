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
		w.set(c.set(w.flags.fold))
		return
	}
	if len(c.items) == 0 {
		w.text("(?s:.)") // a negated class of nothing
		return
	}
	negated, items := c.negated, c.items
	switch rest := slices.DeleteFunc(slices.Clone(items), isWord); {
	case len(rest) == 0:
		items = items[:1] // any number of \w
	case len(rest) < len(items) && !negated:
		// \w has no name that Go allows inside of a class, and hundreds of ranges.
		w.text("(?:")
		w.class(&class{items: []item{{escape: 'w'}}})
		w.text("|")
		w.class(&class{items: rest})
		w.text(")")
		return
	}
	if len(items) == 1 {
		// \W, [^\w] and [\W] are one class, and so are \P{L} and [^\p{L}].
		if plain, yes := items[0].complemented(); yes {
			negated, items = !negated, []item{plain}
		}
	}
	if len(items) == 1 && !negated {
		switch it := items[0]; {
		case it.escape == 'd':
			w.text(`\p{Nd}`)
			return
		case it.escape == 'p' && !strings.HasPrefix(it.property, "Is"):
			w.text(`\p{` + it.property + `}`)
			return
		case it.escape == 0 && it.lo == it.hi && !w.flags.fold:
			w.text(printable(it.lo))
			return
		case it.escape == 0 && it.lo == it.hi:
			w.set(it.set(true))
			return
		}
	}
	w.text("[")
	if negated {
		w.text("^")
	}
	for _, it := range items {
		w.item(it)
	}
	w.text("]")
}

func isWord(it item) bool { return it.escape == 'w' }

// item writes a part of a class. What Go has a name for is named.
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
		w.ranges(it.set(w.flags.fold))
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
