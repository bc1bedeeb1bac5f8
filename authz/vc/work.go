package vc

import (
	"context"
	"errors"
	"sync"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/rdf"
)

// work counts what canonicalization has cost in one verification, for all its documents
// together. A document that could not be canonicalized has cost all that was left.
type work struct {
	mu    sync.Mutex
	spent canon.Work
}

// Joint returns a Verifier like v whose calls share one limit of canonicalization work
// ([Limits.Canon]), for one decision about several documents. By default every call has
// its own. It is safe for concurrent use, but the calls before decide what is left.
func (v *Verifier) Joint() *Verifier {
	one := *v
	one.work = new(work)
	return &one
}

// call returns v for one call: with a budget of work of its own, unless it has a joint
// one.
func (v *Verifier) call() *Verifier {
	if v.work != nil {
		return v
	}
	return v.Joint()
}

// hash returns the hash of the canonical form of a dataset, by the algorithm that
// canonicalization itself uses, within what is left of the limits.
func (w *work) hash(ctx context.Context, d *rdf.Dataset, o canon.Options) ([]byte, error) {
	if o.Algorithm == canon.SHA256 && blankNodes(d) < 2 {
		digest, err := canon.Hash(ctx, d, o) // one blank node alone is no work
		return digest[:], err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	all := canon.Work{Permutations: o.MaxPermutations, Calls: o.MaxCalls}
	left := canon.Work{Permutations: all.Permutations - w.spent.Permutations, Calls: all.Calls - w.spent.Calls}
	// 0 would mean the default, so it asks for 1 and refuses below what was not left.
	o.MaxPermutations, o.MaxCalls = max(left.Permutations, 1), max(left.Calls, 1)
	c, err := canon.Canonicalize(ctx, d, o)
	limit, exceeded := errors.AsType[*canon.LimitError](err)
	switch {
	case exceeded:
	case err != nil:
		return nil, err
	case c.Work().Permutations > left.Permutations:
		limit = &canon.LimitError{Limit: canon.LimitPermutations}
	case c.Work().Calls > left.Calls:
		limit = &canon.LimitError{Limit: canon.LimitCalls}
	default:
		w.spent.Permutations += c.Work().Permutations
		w.spent.Calls += c.Work().Calls
		return sum(o.Algorithm, c.NQuads()), nil
	}
	w.spent = all
	if limit.Max = int64(all.Calls); limit.Limit == canon.LimitPermutations {
		limit.Max = int64(all.Permutations)
	}
	return nil, limit
}

// blankNodes counts the blank nodes of a dataset up to two.
func blankNodes(d *rdf.Dataset) int {
	n := 0
	for id := rdf.ID(1); int(id) <= d.NumTerms() && n < 2; id++ {
		if d.Kind(id) == rdf.KindBlank {
			n++
		}
	}
	return n
}
