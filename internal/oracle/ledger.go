package oracle

import (
	"maps"
	"slices"
	"testing"
)

// Fault is a known fault of another implementation.
type Fault[D any] struct {
	Cause string // what it does, and the section that says otherwise
	// Excuses tells whether a disagreement, made small, is this fault and nothing
	// else.
	Excuses func(D) bool
	// Example is the smallest input that shows it, Want what the specification
	// makes of that, which is what we make of it.
	Example D
	Want    string
}

// Ledger counts what came of the inputs for one implementation.
type Ledger[D any] struct {
	Name   string
	Faults []Fault[D]
	// Once says that what is left of an input without a disagreement is not
	// compared again: where that takes too long.
	Once    bool
	agreed  int
	excused map[string]int
	first   map[string]D
	left    int
}

// NewLedger returns a ledger of an implementation and its known faults.
func NewLedger[D any](name string, faults []Fault[D]) *Ledger[D] {
	return &Ledger[D]{Name: name, Faults: faults, excused: map[string]int{}, first: map[string]D{}}
}

// Judge compares on one input. It returns how the two disagree, "" where they
// agree; inputs that disagree in different ways are not made of one another.
type Judge[D, I any] func(I) (how string, d D)

// Compare compares on an input that is a list of parts, and returns the small
// disagreements that no known fault accounts for. Small is called for what is
// left when no part can be left out, to make it smaller still; nil leaves it.
// Of an input that does not agree all but the last part of the disagreement is
// compared again.
func (l *Ledger[D]) Compare(parts []string, judge Judge[D, []string], small func(how string, parts []string, holds func([]string) bool) []string) []D {
	var unknown []D
	for first := true; ; first = false {
		how, _ := judge(parts)
		if how == "" {
			if first {
				l.agreed++
			}
			return unknown
		}
		same := func(parts []string) bool { h, _ := judge(parts); return h == how }
		least := Shrink(parts, same)
		last := len(parts) - 1
		if len(least) > 0 {
			last = slices.Index(parts, least[len(least)-1])
		}
		if small != nil {
			least = small(how, least, same)
		}
		_, d := judge(least)
		if !l.Excuse(d) {
			unknown = append(unknown, d)
		}
		if last < 0 || l.Once {
			return unknown
		}
		parts = slices.Concat(parts[:last], parts[last+1:])
	}
}

// Agree counts an input on which both agree.
func (l *Ledger[D]) Agree() { l.agreed++ }

// Excuse looks for a known fault that accounts for a disagreement, and counts
// it.
func (l *Ledger[D]) Excuse(d D) bool {
	for _, f := range l.Faults {
		if f.Excuses(d) {
			if l.excused[f.Cause]++; l.excused[f.Cause] == 1 {
				l.first[f.Cause] = d
			}
			return true
		}
	}
	l.left++
	return false
}

// Report logs what was counted, and the first disagreement of each known fault.
func (l *Ledger[D]) Report(t testing.TB) {
	t.Helper()
	t.Logf("%s: agrees on %d", l.Name, l.agreed)
	for _, cause := range slices.Sorted(maps.Keys(l.excused)) {
		t.Logf("%s: %d times: %s, first:\n%v", l.Name, l.excused[cause], cause, l.first[cause])
	}
	if l.left > 0 {
		t.Logf("%s: %d times for no known reason", l.Name, l.left)
	}
}
