package xpattern

import (
	"math/bits"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// small is a pattern of so few reading instructions that a set of them is a number, and
// in which it is known before a match what is reached after each of them.
type small struct {
	reads []*runeSet // by number of the reading instruction
	next  []uint64   // by number: those that are reached when it has read

	first state // at the beginning of a match
	again state // at every other place, where a match may begin there

	found, foundAtEnd uint64 // those after which a match is found, there or where the text ends
}

// state is what is reached at a place.
type state struct {
	reads             uint64
	found, foundAtEnd bool
}

// mostSmall is how many reading instructions a small pattern may have.
const mostSmall = 64

// makeSmall returns nil for a pattern that is not small.
func (p *Pattern) makeSmall() *small {
	var reads []uint32
	for at := range p.insts {
		switch i := &p.insts[at]; {
		case i.op == instReads:
			reads = append(reads, uint32(at))
		case i.op == instAsserts && syntax.EmptyOp(i.what)&^(syntax.EmptyBeginText|syntax.EmptyEndText) != 0:
			return nil
		}
	}
	if len(reads) > mostSmall {
		return nil
	}
	f := follower{p: p}
	reach := func(from uint32, begin bool) (s state) {
		for _, end := range [...]bool{false, true} {
			holds := func(c syntax.EmptyOp) bool {
				return (begin || c&syntax.EmptyBeginText == 0) && (end || c&syntax.EmptyEndText == 0)
			}
			f.visit(from, holds, func(at uint32) {
				switch i := &p.insts[at]; {
				case i.op == instReads && !end:
					n, _ := slices.BinarySearch(reads, at)
					s.reads |= 1 << n
				case i.op == instFinds && !end:
					s.found = true
				case i.op == instFinds:
					s.foundAtEnd = true
				}
			})
		}
		return s
	}
	s := &small{reads: make([]*runeSet, len(reads)), next: make([]uint64, len(reads))}
	s.first = reach(p.afterPrefix, p.prefix == "")
	if !p.anchored {
		s.again = reach(p.start, false)
	}
	for n, at := range reads {
		i := &p.insts[at]
		to := reach(i.next, false)
		s.reads[n], s.next[n] = &p.sets[i.what], to.reads
		if to.found {
			s.found |= 1 << n
		}
		if to.foundAtEnd {
			s.foundAtEnd |= 1 << n
		}
	}
	return s
}

// runSmall is Run for a small pattern.
func (m *Matcher) runSmall(steps int) bool {
	p, text, now, n := m.p.small, m.text, m.set, m.steps
	for !m.done && n < steps {
		if m.at == len(text) {
			m.done = true
			break
		}
		r, size := rune(text[m.at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[m.at:])
		}
		m.at += size
		n++
		next, have := uint64(0), uint64(0)
		for left := now; left != 0; left &= left - 1 {
			i := bits.TrailingZeros64(left)
			set := p.reads[i&(mostSmall-1)]
			if n++; r < utf8.RuneSelf {
				if set.ascii[r>>6&1]&(1<<(r&63)) == 0 {
					continue
				}
			} else {
				n += set.weight
				if !set.has(r) {
					continue
				}
			}
			have |= left & -left
			next |= p.next[i]
		}
		atEnd := m.at == len(text)
		m.found = have&p.found != 0 || p.again.found || atEnd && (have&p.foundAtEnd != 0 || p.again.foundAtEnd)
		now = next | p.again.reads
		m.done = m.found || atEnd || now == 0 && m.p.anchored
		if next == 0 && m.p.skips && !m.done {
			n += m.skip()
		}
	}
	m.set, m.steps = now, n
	return m.done
}

// mostTogether returns how many steps are made at one place, at most. It finds the pairs
// of reading instructions that some text reaches both of: what is reached at one place
// is one of them and others that it is in a pair with.
func (p *small) mostTogether() int {
	var with, meet [mostSmall]uint64
	for i := range p.reads {
		for j := range i + 1 {
			if p.reads[i].meets(p.reads[j]) {
				meet[i] |= 1 << j
				meet[j] |= 1 << i
			}
		}
	}
	type pair struct{ a, b int }
	var pairs []pair
	join := func(some, others uint64) {
		for ; some != 0; some &= some - 1 {
			a := bits.TrailingZeros64(some)
			for left := others &^ with[a]; left != 0; left &= left - 1 {
				b := bits.TrailingZeros64(left)
				with[a] |= 1 << b
				with[b] |= 1 << a
				pairs = append(pairs, pair{a, b})
			}
		}
	}
	join(p.first.reads, p.first.reads)
	join(p.again.reads, p.again.reads)
	for len(pairs) > 0 {
		t := pairs[len(pairs)-1]
		pairs = pairs[:len(pairs)-1]
		if meet[t.a]&(1<<t.b) != 0 {
			join(p.next[t.a], p.next[t.b]|p.again.reads)
			join(p.next[t.b], p.again.reads)
		}
	}
	most := 0
	for i := range p.reads {
		sum := 0
		for left := with[i]; left != 0; left &= left - 1 {
			sum += 1 + p.reads[bits.TrailingZeros64(left)].weight
		}
		most = max(most, sum)
	}
	return 1 + most
}
