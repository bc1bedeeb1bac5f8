package xpattern

import (
	"errors"
	"fmt"
	"math"
	"regexp/syntax"
	"unicode/utf8"
)

// Error says why a pattern is refused.
type Error struct {
	Pos    int    // the character of the pattern, from 1; 0 for the pattern as a whole or its flags
	Reason string // in lower case
}

// Error returns where the fault is, and the reason.
func (e *Error) Error() string {
	if e.Pos == 0 {
		return e.Reason
	}
	return fmt.Sprintf("character %d: %s", e.Pos, e.Reason)
}

const (
	// maxTranslation bounds what a pattern may grow to: classes such as \i are
	// hundreds of characters when they are written out.
	maxTranslation = 1 << 20

	// maxStates bounds what repetitions may multiply a pattern to. A match may
	// visit every state for every character of the text; patterns that people
	// write have some ten states, and a thousand where they bound a length.
	maxStates = 10_000
)

// flags are those of F&O 3.1, section 5.6.2.
type flags struct{ dotAll, multiline, fold, space, quote bool }

// ErrBudget is the error of a pattern that would take more than the caller has.
var ErrBudget = errors.New("the pattern takes more than is left for patterns")

// Compile translates a pattern and its flags, any of "imsxq" in any order. The
// result matches a text exactly when fn:matches is true for it: anywhere in the
// text unless the pattern is anchored. It fails with an [*Error].
func Compile(pattern, flags string) (*Pattern, error) {
	p, _, err := CompileWithin(pattern, flags, math.MaxInt)
	return p, err
}

// CompileWithin is Compile for a caller who has bytes left for patterns. It
// returns how many this one takes, whether it is refused or not: what it is
// parsed to, and the ranges of its classes before those are joined. They are
// reckoned before any of it is made: when they are more than most, it fails with
// [ErrBudget] and has done no more than parse the pattern, or not even that.
func CompileWithin(pattern, flags string, most int) (p *Pattern, bytes int, err error) {
	if bytes = instruction * utf8.RuneCountInString(pattern); bytes > most {
		return nil, bytes, ErrBudget
	}
	f, err := parseFlags(flags)
	if err != nil {
		return nil, bytes, err
	}
	n, err := parse(pattern, f)
	if err != nil {
		return nil, bytes, err
	}
	if f.multiline && states(n) <= maxStates {
		n = lastLineEnd(n)
	}
	if states(n) > maxStates {
		return nil, bytes, &Error{0, fmt.Sprintf("with its repetitions the pattern has more than %d states", maxStates)}
	}
	c := costs{fold: f.fold}
	if bytes += c.node(n); bytes > most {
		return nil, bytes, ErrBudget
	}
	w := writer{flags: f}
	w.node(n, 0)
	if w.full {
		return nil, bytes, tooLarge()
	}
	if p, err = newPattern(string(w.out)); err != nil {
		return nil, bytes, refusal(err)
	}
	return p, bytes, nil
}

// parseFlags reads flags in any order; one that repeats counts once.
func parseFlags(s string) (f flags, err error) {
	for _, c := range s {
		switch c {
		case 's':
			f.dotAll = true
		case 'm':
			f.multiline = true
		case 'i':
			f.fold = true
		case 'x':
			f.space = true
		case 'q':
			f.quote = true
		default:
			return f, &Error{0, fmt.Sprintf("unknown flag %q, the flags are i, m, s, x and q", c)}
		}
	}
	if f.quote {
		// "If it is used together with the m, s, or x flag, that flag has no effect."
		f.dotAll, f.multiline, f.space = false, false, false
	}
	return f, nil
}

func tooLarge() *Error { return &Error{0, "the pattern is too large when its classes are written out"} }

// refusal turns the limits of Go's engine into an [Error]. The translation is
// well-formed by construction.
func refusal(err error) *Error {
	var e *syntax.Error
	if errors.As(err, &e) {
		switch e.Code {
		case syntax.ErrNestingDepth:
			return &Error{0, "the pattern is nested too deeply"}
		case syntax.ErrInvalidRepeatSize:
			return &Error{0, "repetitions inside of each other are more than 1000 together"}
		case syntax.ErrLarge:
			return &Error{0, "the pattern is too large"}
		}
	}
	return &Error{0, err.Error()}
}
