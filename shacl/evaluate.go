package shacl

import (
	"errors"

	"github.com/rdfproto/rdfproto/rdf"
)

// conforms reports whether a node conforms to a shape (section 3.4.4), without
// recording results. It means nothing once the run has failed.
func (r *run) conforms(s *shape, node rdf.ID) bool {
	sink := r.sink
	r.sink = nil
	ok := r.conformsHere(s, node)
	r.sink = sink
	return ok
}

// conformsHere reports whether a node conforms to a shape whose results stand beside
// those that are being recorded, if any are. That it conforms is remembered, but why it
// does not must be found again. A no that was found with its reasons, which costs more
// than the bare one, is not remembered either: it would spare the bare one where it comes
// first, and which comes first is a matter of spelling.
func (r *run) conformsHere(s *shape, node rdf.ID) bool {
	if !s.memoize || r.sink != nil && r.sink.passing {
		return r.evaluate(s, node)
	}
	key := memoKey(s, node)
	if ok, known := r.memo.get(key); known && (ok || r.sink == nil) {
		r.spend(1)
		return ok
	}
	ok := r.evaluate(s, node)
	if r.err == nil && !r.explaining && (ok || r.sink == nil) {
		r.memo.put(key, ok)
	}
	return ok
}

// evaluate validates a focus node against a shape (section 3.4.2) and reports
// whether all constraints hold. With a sink it records every violation. Otherwise
// it stops at the first component of which a constraint does not hold, but not
// between the constraints of one component, nor between values: which of those
// come first is a matter of how the graphs are spelled, and what is spent must not
// be. How deep it calls itself is bounded by the depth of the shapes, which is
// known before a run begins.
func (r *run) evaluate(s *shape, focus rdf.ID) bool {
	if !r.spend(1) {
		return false
	}
	if s.deactivated { // section 2.1.6
		return true
	}
	if len(s.constraints) == 0 {
		return true // nothing is asked of the value nodes, so they need not be found
	}
	start := len(r.ids)
	if s.path == nil {
		r.ids = append(r.ids, focus)
	} else {
		r.walk(s.path, focus)
	}
	// Checks push onto r.ids, which may move it; values stays what it is.
	values := r.ids[start:len(r.ids):len(r.ids)]
	ok := true
	for i := range s.constraints {
		c := &s.constraints[i]
		if !ok && r.sink == nil && c.component != s.constraints[i-1].component {
			break
		}
		if !r.spend(1 + len(values)) {
			ok = false
			break
		}
		if !c.check.holds(r, s, c, focus, values) {
			if ok = false; r.err != nil {
				break
			}
		} else if r.sink != nil && r.sink.passing && c.component != propertyComponent {
			r.sink.pass(r, s, c, focus)
		}
	}
	r.ids = r.ids[:start]
	return ok
}

// sink collects violations.
type sink struct {
	results []Result
	most    int // results kept
	omitted int // results beyond that
	detail  bool

	passing       bool // passes are asked for
	passes        []Pass
	mostPasses    int // passes kept
	omittedPasses int
}

// violation is what a check knows of a violation beyond shape, constraint and
// focus node.
type violation struct {
	value   rdf.ID // 0 when the result has no sh:value
	other   rdf.ID // another node that the reason names
	path    *path  // instead of the shape's
	count   int
	members []int // positions in a list of shapes, from 1
	unlike  bool  // values that cannot be compared
}

// maxDetails is how many nested results one result may have in all: more than a
// person reads to find out why.
const maxDetails = 64

// violate records a violation and returns its result, nil where only the
// verdict matters or there are enough. It must only be called with a sink.
func (r *run) violate(s *shape, c *constraint, focus rdf.ID, v violation) *Result {
	if r.err != nil {
		return nil // what a failed run finds means nothing
	}
	k := r.sink
	if k.detail {
		if r.details == 0 {
			k.omitted++
			r.sink = nil // the verdict is known: what follows may stop early
			return nil
		}
		r.details--
	} else {
		if len(k.results) >= k.most {
			k.omitted++
			return nil
		}
		r.details, r.unspent = maxDetails, detailChecks
	}
	p := s.path
	if v.path != nil {
		p = v.path
	}
	res := Result{
		Focus: r.term(focus), Path: Path{p}, Constraint: c.component.iri(), Shape: s.term,
		Severity: s.severity, Messages: s.messages,
		Place: r.place(p, focus, v.value), ShapePlace: s.place,
		why: c, count: v.count, members: v.members, unlike: v.unlike,
	}
	if v.value != 0 {
		res.Value = r.term(v.value)
	}
	if v.other != 0 {
		res.other = r.term(v.other)
	}
	k.results = append(k.results, res)
	return &k.results[len(k.results)-1]
}

// detailChecks is what finding all details of one result may cost. It is not taken
// from the budget, so that a verdict of no that can be afforded is given even where
// its reasons cannot; as results are counted, all details together are bounded too.
const detailChecks = 10_000

// explain adds to a result why a node does not conform to a shape (section
// 3.6.2.6, sh:detail). member is the shape's position in a list, 0 for none.
func (r *run) explain(res *Result, s *shape, node rdf.ID, member int) {
	if res == nil || r.err != nil && !r.explaining {
		return
	}
	if !r.explaining {
		if r.unspent <= 0 {
			res.Truncated = true
			return
		}
		left, given := r.left, r.given
		r.explaining, r.left, r.given = true, 0, 0
		defer func() {
			r.unspent += r.left // of the last slice
			r.explaining, r.left, r.given = false, left, given
			if errors.Is(r.err, errUnexplained) {
				r.err = nil // the verdict stands
			}
		}()
	}
	outer, nested := r.sink, sink{detail: true}
	r.sink = &nested
	r.evaluate(s, node)
	r.sink = outer
	for i := range nested.results {
		nested.results[i].Member = member
	}
	res.Details = append(res.Details, nested.results...)
	res.Truncated = res.Truncated || nested.omitted > 0 || r.err != nil
}

func (k *sink) pass(r *run, s *shape, c *constraint, focus rdf.ID) {
	if len(k.passes) >= k.mostPasses {
		k.omittedPasses++
		return
	}
	k.passes = append(k.passes, Pass{
		Focus: r.term(focus), Path: Path{s.path}, Constraint: c.component.iri(), Shape: s.term, ShapePlace: s.place,
		Property: c.component.parameter(), Parameter: c.value,
	})
}
