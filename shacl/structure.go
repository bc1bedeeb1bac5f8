package shacl

import (
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// checkStructure looks at how shapes refer to each other: it reports recursive
// shapes (section 3.4.3) with the loop, measures depth, and decides which checks
// are worth remembering. It walks with a stack of its own.
func (k *compiler) checkStructure() {
	const unvisited, done = -1, -2 // else it is open, at that index of the stack
	all := slices.Concat(k.program.shapes, k.groups)
	state := make([]int, len(all))
	size := make([]int, len(all)) // checks of one node with one value a path, saturating
	for i, s := range all {
		s.index, state[i] = int32(i), unvisited
	}

	type frame struct {
		s    *shape
		next int // of its references
	}
	var stack []frame
	push := func(s *shape) {
		state[s.index] = len(stack)
		stack = append(stack, frame{s: s})
	}
	for _, root := range all {
		if state[root.index] == unvisited {
			push(root)
		}
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			if f.next < len(f.s.refs) {
				to := f.s.refs[f.next]
				f.next++
				switch at := state[to.index]; at {
				case unvisited:
					push(to)
				case done:
				default:
					loop := make([]*shape, 0, mostNames)
					for _, f := range stack[at:min(len(stack), at+2*mostNames)] {
						loop = append(loop, f.s)
					}
					k.reportLoop(loop, len(stack)-at > 2*mostNames)
				}
				continue
			}
			k.measure(f.s, size)
			state[f.s.index] = done
			stack = stack[:len(stack)-1]
		}
	}
	for _, s := range k.program.shapes {
		if int(s.depth) > k.maxDepth {
			k.exceed(LimitShapeDepth, k.maxDepth, s.place)
		}
	}
}

// measure computes what depends on the shapes that a shape refers to, which are
// measured already.
func (k *compiler) measure(s *shape, size []int) {
	n := 1 + len(s.constraints)
	if k.limit == nil && s.path.closes() {
		n = manyChecks + 1 // it may walk through all of the data
	}
	deepest := int32(0)
	for _, to := range s.refs {
		deepest = max(deepest, to.depth)
		n = min(n+size[to.index], manyChecks+1)
	}
	size[s.index] = n
	if s.group {
		s.depth = deepest // it is no level of its own
		return
	}
	s.depth = deepest + 1
	s.memoize = s.memoize || n > manyChecks
}

// manyChecks is how many checks a shape may need for a node before remembering
// its verdict is cheaper than making it again.
const manyChecks = 24

// mostNames is how many shapes of a loop a message names.
const mostNames = 8

// reportLoop reports shapes that each refer to the next, and the last one to the
// first. more says that there are others at the end of the loop.
func (k *compiler) reportLoop(loop []*shape, more bool) {
	loop = slices.DeleteFunc(loop, func(s *shape) bool { return s.group })
	if len(loop) == 0 {
		return // of groups alone there is none
	}
	var names []string
	for _, s := range loop[:min(len(loop), mostNames)] {
		names = append(names, k.shapeName(s))
	}
	if more || len(loop) > mostNames {
		names = append(names, "...")
	}
	s := loop[0]
	k.problem(s.node, Problem{
		Code: CodeRecursive, Shape: s.term, Place: s.place,
		Text: "recursive shapes: " + strings.Join(append(names, names[0]), " -> "),
	})
}

// review collects the warnings about a shapes graph that is well-formed.
func (k *compiler) review() {
	if len(k.program.shapes) == 0 {
		k.warn(0, Warning{Code: CodeNoShapes, Text: "no shapes found: every graph conforms"})
	}
	k.reviewNamespaces()
	for _, s := range k.program.shapes {
		switch {
		case !s.described && len(s.constraints) == 0:
			k.warn(s.node, Warning{
				Code: CodeEmptyShape, Shape: s.term, Place: s.place,
				Text: "the shape " + k.shapeName(s) + " is referred to, but nothing says that it is one: every node conforms to it",
			})
		case len(s.targets) == 0 && !s.referred && !s.deactivated:
			k.warn(s.node, Warning{
				Code: CodeNoTarget, Shape: s.term, Place: s.place,
				Text: "the shape " + k.shapeName(s) + " has no target and no shape refers to it: it validates nothing by itself",
			})
		}
	}
	k.reviewPaths()
	k.reviewTerms()
}

// reviewTerms warns of terms in the SHACL namespace that do not exist: classes,
// and properties of nodes that are no shapes, which may have been meant as
// shapes. Those of shapes are refused.
func (k *compiler) reviewTerms() {
	for q := range k.g.All().Quads() {
		switch {
		case k.terms[q.P].kind == isUnknown && k.terms[q.S].shape == 0:
			k.warn(q.S, Warning{
				Code: CodeUnknownTerm, Property: k.d.Value(q.P), Place: k.at(q.S, q.P, q.O),
				Text: shortenIRI(k.d.Value(q.P)) + " of " + k.name(q.S) + ": SHACL has no such property" + k.suggestion(k.d.Value(q.P)),
			})
		case q.P == k.ids.typ && k.terms[q.O].kind == isUnknown:
			iri := k.d.Value(q.O)
			k.warn(q.S, Warning{
				Code: CodeUnknownTerm, Property: vocab.RDFType, Place: k.at(q.S, q.P, q.O),
				Text: "rdf:type " + shortenIRI(iri) + " of " + k.name(q.S) + ": SHACL has no such class" +
					nearest(strings.TrimPrefix(iri, vocab.SH), []string{vocab.SHNodeShape, vocab.SHPropertyShape}),
			})
		}
	}
}

// reviewNamespaces warns of predicates and types that were probably meant as
// SHACL.
func (k *compiler) reviewNamespaces() {
	if len(k.lookalikes) == 0 {
		return
	}
	for q := range k.g.All().Quads() {
		for _, id := range [...]rdf.ID{q.P, q.O} {
			if id == q.O && q.P != k.ids.typ || !k.lookalikes[id] {
				continue
			}
			delete(k.lookalikes, id)
			iri := k.d.Value(id)
			k.warn(0, Warning{
				Code: CodeWrongNamespace, Property: iri, Place: k.at(q.S, q.P, q.O),
				Text: "<" + iri + "> is no term of SHACL, did you mean the namespace <" + vocab.SH + ">?",
			})
		}
	}
}

// reviewPaths warns of path expressions that no shape uses, well-formed or not
// (path-unused-001 of the W3C suite).
func (k *compiler) reviewPaths() {
	var last rdf.ID
	for q := range k.g.All().Quads() {
		if q.S == last || k.terms[q.P].kind != isPathExpression || k.used[q.S] || k.d.Kind(q.S) != rdf.KindBlank {
			continue
		}
		last = q.S
		k.warn(q.S, Warning{
			Code: CodeUnusedPath, Property: k.d.Value(q.P), Place: k.placeOf(q.S),
			Text: "the path " + k.name(q.S) + " is used by no shape",
		})
	}
}
