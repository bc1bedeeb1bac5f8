package xpattern

import (
	"math"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// Matcher matches texts to patterns, one after the other. It holds the memory for that.
// The zero Matcher is ready. It is not safe for concurrent use.
//
// It goes through a text once and keeps the set of instructions that are reached. Its
// steps are the instructions that it comes to, those that are in the set already counted
// as well, and more for a character that is looked for in a class of many ranges. Each
// takes about the same time whatever the pattern and the text are; how many there are
// depends on these two alone.
type Matcher struct {
	p    *Pattern
	text string
	at   int  // where the next character begins
	last rune // before it, -1 at the beginning

	now, next []uint32 // reading instructions that are reached, of this place and the one after
	seen      []uint32 // the last place (as a number) at which each instruction was reached
	place     uint32
	stack     []uint32

	set uint64 // instead of all these for a small pattern

	steps       int
	found, done bool
}

// stepsOfReach is what reaching an instruction of a pattern that is not small takes.
const stepsOfReach = 2

// bytesOfStep is how many bytes are looked at in a step where they are only compared.
const bytesOfStep = 4

// Begin begins to match a text to a pattern.
func (m *Matcher) Begin(p *Pattern, text string) {
	m.p, m.text, m.at, m.last = p, text, 0, -1
	m.steps, m.found, m.done = 1, false, false
	if p.prefix != "" {
		m.steps += len(p.prefix) / bytesOfStep
		if m.done = !strings.HasPrefix(text, p.prefix); m.done {
			return
		}
		m.at = len(p.prefix)
		m.last, _ = utf8.DecodeLastRuneInString(p.prefix)
	}
	if s := p.small; s != nil {
		m.set = s.first.reads
		m.found = s.first.found || s.first.foundAtEnd && m.at == len(text)
		m.done = m.found || m.set == 0 && p.anchored
		return
	}
	if len(m.seen) < len(p.insts) || m.place >= 1<<31 {
		m.seen, m.place = make([]uint32, max(len(p.insts), len(m.seen))), 0
	}
	m.place++
	m.now, m.next = m.now[:0], m.next[:0]
	m.reach(p.afterPrefix)
	m.now, m.next = m.next, m.now
	m.done = m.found || len(m.now) == 0 && p.anchored
}

// Run goes on until the match is done or has taken at least a number of steps since it
// began: one place of the text may take as many more as the pattern is large. It returns
// whether the match is done.
func (m *Matcher) Run(steps int) bool {
	if m.p.small != nil {
		return m.runSmall(steps)
	}
	p, text := m.p, m.text
	for !m.done && m.steps < steps {
		if m.at == len(text) {
			m.done = true
			break
		}
		r, size := rune(text[m.at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[m.at:])
		}
		m.at += size
		m.last = r
		if m.place++; m.place == 0 {
			clear(m.seen)
			m.place = 1
		}
		m.next = m.next[:0]
		for _, at := range m.now {
			i := &p.insts[at]
			set := &p.sets[i.what]
			if r < utf8.RuneSelf {
				if set.ascii[r>>6]&(1<<(r&63)) == 0 {
					continue
				}
			} else {
				m.steps += set.weight
				if !set.has(r) {
					continue
				}
			}
			switch to := i.next; {
			case p.insts[to].op != instReads:
				m.reach(to)
			default: // as reach does
				m.steps += stepsOfReach
				if m.seen[to] != m.place {
					m.seen[to] = m.place
					m.next = append(m.next, to)
				}
			}
		}
		switch {
		case m.found:
			m.done = true
		case !p.anchored:
			begins := len(m.next) == 0
			m.reach(p.start)
			m.done = m.found
			if begins && p.skips {
				m.steps += m.skip()
			}
		case len(m.next) == 0:
			m.done = true
		}
		m.now, m.next = m.next, m.now
	}
	return m.done
}

// skip goes to the next character that a match can begin with, when none has begun, and
// returns the steps that this takes.
func (m *Matcher) skip() int {
	from := m.at
	for m.at < len(m.text) {
		c := m.text[m.at]
		if c >= utf8.RuneSelf || m.p.begins[c>>6]&(1<<(c&63)) != 0 {
			break
		}
		m.at++
	}
	if m.at > from {
		m.last = rune(m.text[m.at-1])
	}
	return (m.at - from) / bytesOfStep
}

// reach adds what can be reached from an instruction without reading.
func (m *Matcher) reach(at uint32) {
	p := m.p
	stack := m.stack[:0]
	for {
		m.steps += stepsOfReach
		if m.seen[at] != m.place {
			m.seen[at] = m.place
			switch i := &p.insts[at]; i.op {
			case instReads:
				m.next = append(m.next, at)
			case instSplits:
				stack = append(stack, i.what)
				at = i.next
				continue
			case instAsserts:
				if m.holds(syntax.EmptyOp(i.what)) {
					at = i.next
					continue
				}
			case instFinds:
				m.found = true
			}
		}
		if len(stack) == 0 {
			break
		}
		at = stack[len(stack)-1]
		stack = stack[:len(stack)-1]
	}
	m.stack = stack
}

// holds reports whether conditions hold at the place that is reached.
func (m *Matcher) holds(conditions syntax.EmptyOp) bool {
	next := rune(-1)
	if m.at < len(m.text) {
		next, _ = utf8.DecodeRuneInString(m.text[m.at:])
	}
	return conditions&^syntax.EmptyOpContext(m.last, next) == 0
}

// Found reports whether the text matches, once the match is done.
func (m *Matcher) Found() bool { return m.found }

// Steps returns how many steps were made since the match began.
func (m *Matcher) Steps() int { return m.steps }

// Forget drops the pattern, the text, and memory for patterns of more than a number of
// instructions.
func (m *Matcher) Forget(instructions int) {
	m.p, m.text = nil, ""
	if len(m.seen) > instructions {
		*m = Matcher{}
	}
}

// MatchString reports whether a text matches, however long that takes.
func (p *Pattern) MatchString(text string) bool {
	var m Matcher
	m.Begin(p, text)
	m.Run(math.MaxInt)
	return m.Found()
}

// MostSteps returns an upper bound on the steps that matching a text of a number of
// bytes takes.
func (p *Pattern) MostSteps(bytes int) int {
	p.bounded.Do(func() { p.position = p.mostAtOnePlace() })
	places := bytes + 1
	if p.anchored {
		places = min(places, p.longest+1)
	}
	return 1 + len(p.prefix)/bytesOfStep + p.position*places
}

// mostAtOnePlace returns how many steps are made at one place of a text, at most.
func (p *Pattern) mostAtOnePlace() int {
	if p.small != nil {
		return p.small.mostTogether()
	}
	most := stepsOfReach // from the beginning
	for at := range p.insts {
		switch i := &p.insts[at]; i.op {
		case instReads:
			most += stepsOfReach + p.sets[i.what].weight
		case instSplits:
			most += 2 * stepsOfReach
		case instAsserts:
			most += stepsOfReach
		}
	}
	return most
}
