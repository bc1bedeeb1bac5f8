package canon

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"github.com/rdfproto/rdfproto/rdf"
)

// The default limits. They are the same for every caller, so that two parties never
// disagree about whether a document has a pin.
const (
	// DefaultPermutations lets a blank node have six neighbours that look alike
	// (seven linked nodes try 10,080 orders) and refuses eight.
	DefaultPermutations = 20_000

	// DefaultCalls lets a chain of 1,000 equal blank nodes pass, the longest
	// that a document of the default reading limits can hold.
	DefaultCalls = 1_000_000
)

// LimitName names a limit of [Options] in messages and flags.
type LimitName string

// The names of the limits of canonicalization.
const (
	LimitPermutations LimitName = "permutations"
	LimitCalls        LimitName = "calls"
)

// LimitError says which limit canonicalization would have exceeded. The dataset
// then has no canonical form here, and no digest.
type LimitError struct {
	Limit LimitName
	Max   int64
}

// Code returns [rdf.CodeLimitExceeded].
func (e *LimitError) Code() rdf.Code { return rdf.CodeLimitExceeded }

// Error returns the text: which limit, and its value.
func (e *LimitError) Error() string {
	return fmt.Sprintf("canonicalization work limit %d exceeded (%s)", e.Max, e.Limit)
}

// Work is what a canonicalization spent, in the units of the limits in
// [Options].
type Work struct {
	Permutations int
	Calls        int
}

// budget counts what the algorithm would spend as the specification writes it. Where
// this package comes to the same result with less work, it spends as much all the
// same: whether a dataset is refused must not depend on the implementation.
type budget struct {
	permutations, calls       uint64
	maxPermutations, maxCalls uint64
}

func newBudget(o Options) budget {
	b := budget{maxPermutations: DefaultPermutations, maxCalls: DefaultCalls}
	if o.MaxPermutations > 0 {
		b.maxPermutations = uint64(o.MaxPermutations)
	}
	if o.MaxCalls > 0 {
		b.maxCalls = uint64(o.MaxCalls)
	}
	return b
}

// affordPermutations fails when n more permutations are over the limit.
func (b *budget) affordPermutations(n uint64) error {
	if n > b.maxPermutations-b.permutations {
		return &LimitError{LimitPermutations, int64(b.maxPermutations)}
	}
	return nil
}

// affordCalls fails when n more calls are over the limit.
func (b *budget) affordCalls(n uint64) error {
	if n > b.maxCalls-b.calls {
		return &LimitError{LimitCalls, int64(b.maxCalls)}
	}
	return nil
}

func (b *budget) spendPermutations(n uint64) error {
	if err := b.affordPermutations(n); err != nil {
		return err
	}
	b.permutations += n
	return nil
}

func (b *budget) spendCalls(n uint64) error {
	if err := b.affordCalls(n); err != nil {
		return err
	}
	b.calls += n
	return nil
}

// pulse looks at the context once in a while.
type pulse struct {
	ctx  context.Context
	left int
}

// pulseSteps is how many small steps pass between two looks at the context:
// well under a millisecond of work.
const pulseSteps = 1 << 13

func (p *pulse) steps(n int) error {
	if p.left -= n; p.left > 0 {
		return nil
	}
	p.left = pulseSteps
	return p.ctx.Err()
}

// Saturating arithmetic: what does not fit is over every limit.

func times(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	if hi != 0 {
		return math.MaxUint64
	}
	return lo
}

func plus(a, b uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return math.MaxUint64
	}
	return sum
}

// binomial returns a binomial coefficient, math.MaxUint64 if it does not fit.
func binomial(n, k uint64) uint64 {
	if k > n-k {
		k = n - k
	}
	c := uint64(1)
	for i := uint64(1); i <= k; i++ {
		hi, lo := bits.Mul64(c, n-k+i)
		if hi >= i {
			return math.MaxUint64
		}
		c, _ = bits.Div64(hi, lo, i) // exact: c is a product of i successive numbers over i!
	}
	return c
}
