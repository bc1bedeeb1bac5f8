package xpattern

import (
	"regexp/syntax"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Pattern is a compiled pattern: an automaton whose matches are counted in steps. It
// is immutable and safe for concurrent use. What a match needs beside it is a [Matcher].
type Pattern struct {
	written string // in the dialect of Go
	insts   []inst
	sets    []runeSet
	start   uint32

	anchored bool // it matches from the beginning of the text or nowhere
	longest  int  // characters that a match can read from where it begins

	// What every match of an anchored pattern begins with, and the instruction after it:
	// the start where there is none.
	prefix      string
	afterPrefix uint32

	// Where a match may begin anywhere, with characters of some sets alone: what
	// these have of ASCII.
	skips  bool
	begins [2]uint64

	small *small // nil for a large pattern

	bounded  sync.Once
	position int // see MostSteps
}

// inst is an instruction of the automaton: one of Go's package regexp/syntax.
type inst struct {
	op   opcode
	next uint32
	what uint32 // read: its set; either: the other way; assert: a syntax.EmptyOp
}

type opcode uint8

const (
	fails       opcode = iota
	instFinds          // the end of a match
	instReads          // a character of a set
	instSplits         // goes two ways
	instAsserts        // a condition on the place between two characters
)

// newPattern makes the automaton of a translation.
func newPattern(written string) (*Pattern, error) {
	parsed, err := syntax.Parse(written, syntax.Perl)
	if err != nil {
		return nil, err
	}
	p := &Pattern{written: written, longest: longest(parsed)}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, err
	}
	p.start = skip(program, uint32(program.Start))
	p.anchored = program.StartCond()&syntax.EmptyBeginText != 0
	p.insts = make([]inst, len(program.Inst))
	known := map[source]uint32{}
	for at := range program.Inst {
		i, to := &program.Inst[at], &p.insts[at]
		switch i.Op {
		case syntax.InstMatch:
			to.op = instFinds
		case syntax.InstAlt, syntax.InstAltMatch:
			*to = inst{instSplits, skip(program, i.Out), skip(program, i.Arg)}
		case syntax.InstEmptyWidth:
			*to = inst{instAsserts, skip(program, i.Out), i.Arg}
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			*to = inst{instReads, skip(program, i.Out), p.set(i, known)}
		}
	}
	p.skips = !p.anchored && p.beginsWithSets()
	p.afterPrefix = p.start
	if p.anchored {
		p.findPrefix()
	}
	p.small = p.makeSmall()
	return p, nil
}

// skip follows the instructions that do nothing here.
func skip(program *syntax.Prog, at uint32) uint32 {
	for program.Inst[at].Op == syntax.InstNop || program.Inst[at].Op == syntax.InstCapture {
		at = program.Inst[at].Out
	}
	return at
}

// longest returns how many characters an expression can match, [many] without a bound.
func longest(e *syntax.Regexp) int {
	n := 0
	switch e.Op {
	case syntax.OpLiteral:
		n = len(e.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		n = 1
	case syntax.OpStar, syntax.OpPlus:
		if longest(e.Sub[0]) > 0 {
			return many
		}
	case syntax.OpRepeat:
		if n = longest(e.Sub[0]); n > 0 && e.Max < 0 {
			return many
		}
		n *= max(e.Max, 0)
	case syntax.OpAlternate:
		for _, s := range e.Sub {
			n = max(n, longest(s))
		}
	default:
		for _, s := range e.Sub {
			n = min(n+longest(s), many)
		}
	}
	return min(n, many)
}

// many is more characters than a text has.
const many = 1 << 31

// String returns the pattern as it is written in the dialect of Go, in which it finds
// the same.
func (p *Pattern) String() string { return p.written }

// runeSet is a set of characters.
type runeSet struct {
	ascii  [2]uint64
	ranges []rune // pairs, sorted, of all characters
	weight int    // the steps of looking for a character beyond ASCII, beside one
}

// source is what the set of an instruction is made from. The copies of an expression
// that repetition makes have it in common.
type source struct {
	op    syntax.InstOp
	arg   uint32
	runes *rune
	n     int
}

// set returns the index of the set of what an instruction reads.
func (p *Pattern) set(i *syntax.Inst, known map[source]uint32) uint32 {
	from := source{op: i.Op, arg: i.Arg, n: len(i.Rune)}
	if from.n > 0 {
		from.runes = &i.Rune[0]
	}
	if n, ok := known[from]; ok {
		return n
	}
	var c runeSet
	switch {
	case i.Op == syntax.InstRuneAny:
		c.ranges = []rune{0, unicode.MaxRune}
	case i.Op == syntax.InstRuneAnyNotNL:
		c.ranges = []rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune}
	case len(i.Rune) == 1: // a character of a text, with its variants
		all := []rune{i.Rune[0]}
		if syntax.Flags(i.Arg)&syntax.FoldCase != 0 {
			for r := unicode.SimpleFold(all[0]); r != all[0]; r = unicode.SimpleFold(r) {
				all = append(all, r)
			}
			slices.Sort(all)
		}
		for _, r := range all {
			c.ranges = append(c.ranges, r, r)
		}
	default:
		c.ranges = i.Rune
	}
	for at := 0; at < len(c.ranges) && c.ranges[at] < utf8.RuneSelf; at += 2 {
		for r := c.ranges[at]; r <= min(c.ranges[at+1], utf8.RuneSelf-1); r++ {
			c.ascii[r>>6] |= 1 << (r & 63)
		}
	}
	for n := len(c.ranges) / 2; n >= 4; n /= 4 {
		c.weight++
	}
	p.sets = append(p.sets, c)
	known[from] = uint32(len(p.sets) - 1)
	return known[from]
}

func (c *runeSet) has(r rune) bool {
	if uint32(r) < utf8.RuneSelf {
		return c.ascii[r>>6]&(1<<(r&63)) != 0
	}
	low, high := 0, len(c.ranges)/2
	for low < high {
		switch middle := int(uint(low+high) >> 1); {
		case r < c.ranges[2*middle]:
			high = middle
		case r > c.ranges[2*middle+1]:
			low = middle + 1
		default:
			return true
		}
	}
	return false
}

// meets reports whether two sets have a character in common.
func (c *runeSet) meets(d *runeSet) bool {
	for i, j := 0, 0; i < len(c.ranges) && j < len(d.ranges); {
		switch {
		case c.ranges[i+1] < d.ranges[j]:
			i += 2
		case d.ranges[j+1] < c.ranges[i]:
			j += 2
		default:
			return true
		}
	}
	return false
}

// beginsWithSets reports whether every match begins with reading a character,
// whatever the place is, and notes which.
func (p *Pattern) beginsWithSets() bool {
	ok := true
	f := follower{p: p}
	f.visit(p.start, nil, func(at uint32) {
		if p.insts[at].op != instReads {
			ok = ok && p.insts[at].op == instSplits
			return
		}
		c := &p.sets[p.insts[at].what]
		p.begins[0], p.begins[1] = p.begins[0]|c.ascii[0], p.begins[1]|c.ascii[1]
	})
	return ok
}

// findPrefix finds the characters that follow the beginning of an anchored pattern.
func (p *Pattern) findPrefix() {
	at := p.start
	for p.insts[at].op == instAsserts && syntax.EmptyOp(p.insts[at].what)&^(syntax.EmptyBeginText|syntax.EmptyBeginLine) == 0 {
		at = p.insts[at].next
	}
	var prefix []rune
	for p.insts[at].op == instReads {
		only := p.sets[p.insts[at].what].ranges
		if len(only) != 2 || only[0] != only[1] || only[0] == utf8.RuneError {
			break
		}
		prefix, at = append(prefix, only[0]), p.insts[at].next
	}
	if len(prefix) > 0 {
		p.prefix, p.afterPrefix = string(prefix), at
	}
}

// follower is what following instructions needs.
type follower struct {
	p     *Pattern
	seen  []bool
	stack []uint32
}

// visit visits every instruction that can be reached from one without reading, past
// assertions that hold; all of them where holds is nil.
func (f *follower) visit(from uint32, holds func(syntax.EmptyOp) bool, visit func(uint32)) {
	if f.seen == nil {
		f.seen = make([]bool, len(f.p.insts))
	}
	clear(f.seen)
	f.stack = append(f.stack, from)
	for len(f.stack) > 0 {
		at := f.stack[len(f.stack)-1]
		f.stack = f.stack[:len(f.stack)-1]
		if f.seen[at] {
			continue
		}
		f.seen[at] = true
		visit(at)
		switch i := &f.p.insts[at]; {
		case i.op == instSplits:
			f.stack = append(f.stack, i.what, i.next)
		case i.op == instAsserts && (holds == nil || holds(syntax.EmptyOp(i.what))):
			f.stack = append(f.stack, i.next)
		}
	}
}
