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
	const unvisited, open, done = 0, 1, 2
	state := make([]uint8, len(k.program.shapes))
	size := make([]int, len(k.program.shapes)) // checks of one node with one value a path, saturating

	type frame struct {
		s    *shape
		next int // of its references
	}
	var stack []frame
	push := func(s *shape) {
		state[s.index] = open
		stack = append(stack, frame{s: s})
	}
	for _, root := range k.program.shapes {
		if state[root.index] == unvisited {
			push(root)
		}
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			if f.next < len(f.s.refs) {
				to := f.s.refs[f.next]
				f.next++
				switch state[to.index] {
				case unvisited:
					push(to)
				case open:
					i := slices.IndexFunc(stack, func(f frame) bool { return f.s == to })
					loop := make([]*shape, 0, len(stack)-i+1)
					for _, f := range stack[i:] {
						loop = append(loop, f.s)
					}
					k.reportLoop(append(loop, to))
				}
				continue
			}
			s := f.s
			s.depth = 1
			n := 1 + len(s.constraints)
			if k.limit == nil && s.path.closes() {
				n = manyChecks + 1 // it may walk through all of the data
			}
			for _, to := range s.refs {
				s.depth = max(s.depth, to.depth+1)
				n = min(n+size[to.index], manyChecks+1)
			}
			size[s.index] = n
			s.memoize = s.memoize || n > manyChecks
			state[s.index] = done
			stack = stack[:len(stack)-1]
		}
	}
	for _, s := range k.program.shapes {
		if int(s.depth) > k.maxDepth {
			k.exceed(LimitShapeDepth, k.maxDepth, s.place)
		}
	}
}

// manyChecks is how many checks a shape may need for a node before remembering
// its verdict is cheaper than making it again.
const manyChecks = 24

// reportLoop reports shapes that each refer to the next, the last one being the
// first again.
func (k *compiler) reportLoop(loop []*shape) {
	names := make([]string, len(loop))
	for i, s := range loop {
		names[i] = k.shapeName(s)
	}
	s := loop[0]
	k.problem(s.node, Problem{
		Code: CodeRecursive, Shape: s.term, Place: s.place,
		Text: "recursive shapes: " + strings.Join(names, " -> "),
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
				Text: "the shape " + k.shapeName(s) + " is referred to, but the graph says nothing of it: every node conforms to it",
			})
		case len(s.targets) == 0 && !s.referred && !s.deactivated:
			k.warn(s.node, Warning{
				Code: CodeNoTarget, Shape: s.term, Place: s.place,
				Text: "the shape " + k.shapeName(s) + " has no target and no shape refers to it: it validates nothing by itself",
			})
		}
	}
	k.reviewPaths()
}

// reviewNamespaces warns of predicates and types that were probably meant as
// SHACL.
func (k *compiler) reviewNamespaces() {
	for _, id := range k.lookalikes {
		for q := range k.g.All().Quads() {
			if q.P != id && (q.O != id || q.P != k.ids.typ) {
				continue
			}
			iri := k.d.Value(id)
			place := k.at(q.S, q.P, q.O)
			k.warn(0, Warning{
				Code: CodeWrongNamespace, Property: iri, Place: place,
				Text: "<" + iri + "> is no term of SHACL, did you mean the namespace <" + vocab.SH + ">?",
			})
			break
		}
	}
}

// reviewPaths warns of path expressions that no shape uses, well-formed or not
// (path-unused-001 of the W3C suite).
func (k *compiler) reviewPaths() {
	var last rdf.ID
	for q := range k.g.All().Quads() {
		if q.S == last || k.roles[q.P].kind != isPathExpression || k.used[q.S] || k.d.Kind(q.S) != rdf.KindBlank {
			continue
		}
		last = q.S
		k.warn(q.S, Warning{
			Code: CodeUnusedPath, Property: k.d.Value(q.P), Place: k.placeOf(q.S),
			Text: "the path " + k.name(q.S) + " is used by no shape",
		})
	}
}
