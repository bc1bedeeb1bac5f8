package xpattern

import "slices"

// With the flag m, F&O 3.1 lets ^ match after every line end but one that is the
// last character of the text, and $ before every line end and, unless the text
// ends with one, at the end. Go's (?m:^) and (?m:$) match at the end of such a
// text as well. Anywhere else the two agree.
//
// lastLineEnd rewrites a regular expression so that, with Go's anchors, it
// matches the same texts. A match that ends before the end of the text is the
// same in both, so it may be asked for by one more character. Of a match that
// ends at the end of the text only the anchors after the last character that it
// consumed are in question, and there it is known whether they hold: if that
// character is a line end, neither does; if not, $ does and ^ does not. What
// holds or not can be left out of the expression.
func lastLineEnd(n *node) *node {
	if !anchorAfterLineEnd(n) {
		return n
	}
	if canBeEmpty(n, anchors{}) {
		return &node{op: opEmpty}
	}
	more := &node{op: opClass, class: class{negated: true}}
	out := concat(n, more)
	// A last character that is a line end, and no anchor after it; or another
	// one, and $ after it is as good as nothing.
	out = either(out, concatOrNothing(lastOf(n, last{lineEnd: true}), atEnd()))
	out = either(out, concatOrNothing(lastOf(n, last{after: anchors{end: true}}), atEnd()))
	// A match of nothing at the end of a text that does not end with a line end.
	if canBeEmpty(n, anchors{end: true}) {
		other := class{negated: true, items: []item{{lo: '\n', hi: '\n'}}}
		out = either(out, concat(&node{op: opClass, class: other}, atEnd()))
	}
	// A match of nothing in the empty text.
	if canBeEmpty(n, anchors{begin: true, end: true}) {
		out = either(out, concat(&node{op: opTextBegin}, atEnd()))
	}
	return out
}

func atEnd() *node { return &node{op: opTextEnd} }

// anchors says which of ^ and $ hold at a place.
type anchors struct{ begin, end bool }

// last is a choice of the last character of a match at the end of the text.
type last struct {
	lineEnd bool
	after   anchors
}

// canBeEmpty reports whether n matches without consuming, where the given
// anchors hold.
func canBeEmpty(n *node, a anchors) bool {
	switch n.op {
	case opEmpty:
		return true
	case opBegin:
		return a.begin
	case opEnd:
		return a.end
	case opConcat:
		return !slices.ContainsFunc(n.sub, func(s *node) bool { return !canBeEmpty(s, a) })
	case opAlternate:
		return slices.ContainsFunc(n.sub, func(s *node) bool { return canBeEmpty(s, a) })
	case opRepeat:
		return n.min == 0 || canBeEmpty(n.sub[0], a)
	}
	return false
}

// lastOf returns what matches as n does when it consumes at least one character,
// the last one as l has it, and the anchors after it hold as l has them.
func lastOf(n *node, l last) *node {
	switch n.op {
	case opClass:
		lineEnd := n.class.lineEnd()
		switch {
		case l.lineEnd && lineEnd:
			return single('\n')
		case l.lineEnd:
			return &node{}
		case lineEnd:
			c := n.class
			c.withoutLineEnd = true
			return &node{op: opClass, class: c}
		}
		return n
	case opConcat:
		// Halves keep the result from growing with the square of n.
		first, second := concat(n.sub[:len(n.sub)/2]...), concat(n.sub[len(n.sub)/2:]...)
		out := concatOrNothing(first, lastOf(second, l))
		if canBeEmpty(second, l.after) {
			out = either(lastOf(first, l), out)
		}
		return out
	case opAlternate:
		out := &node{}
		for _, s := range n.sub {
			out = either(out, lastOf(s, l))
		}
		return out
	case opRepeat:
		if n.max == 0 {
			return &node{}
		}
		// The repetition that consumes the last character, and those before it;
		// those after it match nothing.
		before := *n
		if before.max > 0 {
			before.max--
		}
		if before.min = max(0, before.min-1); canBeEmpty(n.sub[0], l.after) {
			before.min = 0
		}
		return concatOrNothing(&before, lastOf(n.sub[0], l))
	}
	return &node{} // opNothing: an anchor or the empty text consumes nothing
}

func concatOrNothing(a, b *node) *node {
	if a.op == opNothing || b.op == opNothing {
		return &node{}
	}
	return concat(a, b)
}

func either(a, b *node) *node {
	switch {
	case a.op == opNothing:
		return b
	case b.op == opNothing:
		return a
	}
	if a.op == opAlternate {
		return alternate(append(slices.Clip(a.sub), b)...)
	}
	return alternate(a, b)
}

// anchorAfterLineEnd reports whether an anchor of n may be tried at the end of a
// text after a line end, as the first or the last thing of a match: only then
// do the two dialects differ. It may say yes too often.
func anchorAfterLineEnd(n *node) bool {
	t := trailOf(n)
	return t.anchorOnly || t.lineEndAnchor
}

// trail is what the end of a match of a node may look like.
type trail struct {
	empty         bool // nothing is consumed
	anchorOnly    bool // nothing is consumed and an anchor is tried
	lineEnd       bool // the last character is a line end
	lineEndAnchor bool // the last character is a line end and an anchor is tried after it
}

func trailOf(n *node) trail {
	switch n.op {
	case opEmpty:
		return trail{empty: true}
	case opBegin, opEnd:
		return trail{empty: true, anchorOnly: true}
	case opClass:
		return trail{lineEnd: n.class.lineEnd()}
	case opConcat:
		t := trail{empty: true}
		for _, s := range n.sub {
			t = t.then(trailOf(s))
		}
		return t
	case opAlternate:
		var t trail
		for _, s := range n.sub {
			t = t.or(trailOf(s))
		}
		return t
	case opRepeat:
		t := trailOf(n.sub[0])
		t = t.or(t.then(t))
		t.empty = t.empty || n.min == 0
		return t
	}
	return trail{}
}

func (t trail) or(u trail) trail {
	return trail{t.empty || u.empty, t.anchorOnly || u.anchorOnly, t.lineEnd || u.lineEnd, t.lineEndAnchor || u.lineEndAnchor}
}

func (t trail) then(u trail) trail {
	return trail{
		empty:         t.empty && u.empty,
		anchorOnly:    t.anchorOnly && u.empty || t.empty && u.anchorOnly,
		lineEnd:       t.lineEnd && u.empty || u.lineEnd,
		lineEndAnchor: t.lineEndAnchor && u.empty || t.lineEnd && u.anchorOnly || u.lineEndAnchor,
	}
}
