package vc

import (
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"errors"
	"fmt"
	"hash"
	"io"
	"sync"
	"sync/atomic"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// work counts what one verification has cost, for all its documents together. A document
// that could not be canonicalized has cost all that was left.
type work struct {
	mu       sync.Mutex
	spent    canon.Work
	written  atomic.Int64 // bytes of canonical N-Quads
	lists    atomic.Int64 // bytes of status list credentials
	around   atomic.Int64 // those of them that are not their lists
	inflated atomic.Int64 // bytes of status lists

	keys        sync.Mutex
	controllers map[string]resolved // by identifier
}

// resolved is what a Resolver said of an identifier.
type resolved struct {
	controller *Controller
	err        error
}

// controller asks r for a controller document, once for all proofs that one verification
// checks: each may name many documents.
func (w *work) controller(ctx context.Context, r Resolver, id string) (*Controller, error) {
	w.keys.Lock()
	known, ok := w.controllers[id]
	w.keys.Unlock()
	if ok {
		return known.controller, known.err
	}
	known.controller, known.err = r.Controller(ctx, id)
	if ctx.Err() == nil {
		w.keys.Lock()
		defer w.keys.Unlock()
		if w.controllers == nil {
			w.controllers = map[string]resolved{}
		}
		w.controllers[id] = known
	}
	return known.controller, known.err
}

// Joint returns a Verifier like v whose calls share the limits of one call
// ([Limits.Canon], [Limits.CanonicalBytes], [Limits.Inflated] and what
// [Limits.StatusListBytes] and [Limits.PresentationBytes] say of all lists), and which ask
// for the keys of each party once, for one decision about several documents. By default
// every call has its own. It is safe for concurrent use, but the calls before decide what is
// left.
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
func (w *work) hash(ctx context.Context, d *rdf.Dataset, l Limits, a canon.Algorithm) ([]byte, error) {
	o := l.Canon
	o.Algorithm = a
	h := newHash(a)
	to := &spending{ctx: ctx, to: h, spent: &w.written, most: l.CanonicalBytes, of: "the canonical forms of all documents"}
	if err := to.reserve(extent(d)); err != nil {
		return nil, err
	}
	if blankNodes(d) < 2 { // one blank node alone is no work
		if _, err := canon.Write(ctx, to, d, o); err != nil {
			return nil, err
		}
		return h.Sum(nil), nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	all := canon.Work{Permutations: o.MaxPermutations, Calls: o.MaxCalls}
	left := canon.Work{Permutations: all.Permutations - w.spent.Permutations, Calls: all.Calls - w.spent.Calls}
	// 0 would mean the default, so it asks for 1 and refuses below what was not left.
	o.MaxPermutations, o.MaxCalls = max(left.Permutations, 1), max(left.Calls, 1)
	spent, err := canon.Write(ctx, to, d, o)
	limit, exceeded := errors.AsType[*canon.LimitError](err)
	switch {
	case exceeded:
	case err != nil:
		return nil, err
	case spent.Permutations > left.Permutations:
		limit = &canon.LimitError{Limit: canon.LimitPermutations}
	case spent.Calls > left.Calls:
		limit = &canon.LimitError{Limit: canon.LimitCalls}
	default:
		w.spent.Permutations += spent.Permutations
		w.spent.Calls += spent.Calls
		return h.Sum(nil), nil
	}
	w.spent = all
	if limit.Max = int64(all.Calls); limit.Limit == canon.LimitPermutations {
		limit.Max = int64(all.Permutations)
	}
	return nil, limit
}

// newHash returns the hash function that canonicalization by an algorithm uses.
func newHash(a canon.Algorithm) hash.Hash {
	if a == canon.SHA384 {
		return sha512.New384()
	}
	return sha256.New()
}

// spending is a writer to another one that spends a budget of bytes. What is written
// beyond it is lost, and the budget stays spent.
type spending struct {
	ctx      context.Context
	to       io.Writer
	spent    *atomic.Int64
	most     int64
	reserved int64 // bytes that are spent and not yet written
	of       string
}

// errSpent says that a budget of bytes is spent.
type errSpent struct {
	most int64
	of   string
}

func (e *errSpent) Error() string {
	return fmt.Sprintf("expected at most %d bytes of %s together", e.most, e.of)
}

func (s *spending) Write(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	known := min(s.reserved, int64(len(p)))
	s.reserved -= known
	if s.spent.Add(int64(len(p))-known) > s.most {
		return 0, &errSpent{s.most, s.of}
	}
	return s.to.Write(p)
}

// reserve spends what is sure to be written, and what is hashed before anything is. So a
// document that is too large is refused at once: canonicalization comes before its form
// is written, and with nothing left to write it would be done for nothing, for each of
// many documents.
func (s *spending) reserve(written, before int64) error {
	if s.spent.Add(written+before) > s.most {
		return &errSpent{s.most, s.of}
	}
	s.reserved = written
	return nil
}

// extent returns at least how many bytes the canonical form of a dataset has, and how many
// canonicalization hashes before that: each quad once for every blank node in it.
func extent(d *rdf.Dataset) (canonical, before int64) {
	const blank, end = len("_:c14n0 "), len(".\n")
	for q := range d.Quads() {
		bytes, blanks := end, 0
		for _, id := range [...]rdf.ID{q.S, q.P, q.O, q.G} {
			switch {
			case id == 0:
			case d.Kind(id) == rdf.KindBlank:
				bytes += blank
				blanks++
			default:
				bytes += len("<> ") + len(d.Value(id))
				if datatype := d.Datatype(id); d.Lang(id) != "" {
					bytes += len(d.Lang(id))
				} else if datatype != 0 && d.Value(datatype) != vocab.XSDString {
					bytes += len("^^<>") + len(d.Value(datatype))
				}
			}
		}
		canonical += int64(bytes)
		before += int64(bytes) * int64(blanks)
	}
	return canonical, before
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
