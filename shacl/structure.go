package shacl

import (
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// checkStructure looks at how shapes refer to each other: it reports recursive
// shapes (section 3.4.3) with the loop, measures depth, and decides which checks
// are worth remembering.
func (k *compiler) checkStructure() {
	all := slices.Concat(k.program.shapes, k.groups)
	w := referenceWalk{k: k, state: make([]int, len(all)), size: make([]int, len(all))}
	for i, s := range all {
		s.index, w.state[i] = int32(i), unvisited
	}
	for _, s := range all {
		if w.state[s.index] == unvisited {
			w.walk(s)
		}
	}
	for _, s := range k.program.shapes {
		if int(s.depth) > k.maxDepth {
			k.exceed(LimitShapeDepth, k.maxDepth, s.place)
		}
	}
}

// referenceWalk follows the references between shapes, depth first, with a stack of
// its own.
type referenceWalk struct {
	k     *compiler
	state []int // by shape.index: unvisited, visited, or where in stack it is
	size  []int // by shape.index: checks of one node with one value a path, saturating
	stack []openShape
}

const unvisited, visited = -1, -2

// openShape is a shape whose references are being followed.
type openShape struct {
	shape *shape
	next  int // of its references
}

func (w *referenceWalk) walk(root *shape) {
	w.open(root)
	for len(w.stack) > 0 {
		top := &w.stack[len(w.stack)-1]
		s := top.shape
		if top.next < len(s.refs) {
			top.next++
			w.follow(s.refs[top.next-1])
			continue
		}
		w.k.measure(s, w.size)
		w.state[s.index] = visited
		w.stack = w.stack[:len(w.stack)-1]
	}
}

func (w *referenceWalk) open(s *shape) {
	w.state[s.index] = len(w.stack)
	w.stack = append(w.stack, openShape{shape: s})
}

// follow opens a shape that is referred to, or reports the loop if it is open.
func (w *referenceWalk) follow(to *shape) {
	switch at := w.state[to.index]; at {
	case unvisited:
		w.open(to)
	case visited:
	default:
		loop := make([]*shape, 0, mostNames)
		for _, o := range w.stack[at:min(len(w.stack), at+2*mostNames)] {
			loop = append(loop, o.shape)
		}
		w.k.reportLoop(loop, len(w.stack)-at > 2*mostNames)
	}
}

// measure sets what depends on the shapes that a shape refers to, which have been
// measured before it.
func (k *compiler) measure(s *shape, size []int) {
	n := 1 + len(s.constraints)
	if s.path != nil && s.path.closures > 0 {
		n = manyChecks + 1 // it may walk through all of the data
	}
	deepest := int32(0)
	for _, to := range s.refs {
		deepest = max(deepest, to.depth)
		s.remembers = s.remembers || to.memoize || to.remembers
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
// first; with more, the loop goes on after the last of them.
func (k *compiler) reportLoop(loop []*shape, more bool) {
	loop = slices.DeleteFunc(loop, func(s *shape) bool { return s.group })
	if len(loop) == 0 {
		return // cannot be: groups refer to shapes alone
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

// checkClasses refuses classes in the SHACL namespace that do not exist: what was meant
// may have been what makes a shape, or a target, as sh:ShapeClass of a draft is, and
// without it less would be checked than the author says.
func (k *compiler) checkClasses() {
	if k.ids.typ == 0 {
		return
	}
	for q := range k.g.All().Quads() {
		if q.P != k.ids.typ || k.terms[q.O].kind != isUnknown || k.enoughProblems() {
			continue
		}
		iri := k.d.Value(q.O)
		k.problem(q.S, Problem{
			Code: CodeUnknownTerm, Property: vocab.RDFType, Place: k.at(q.S, q.P, q.O),
			Text: "rdf:type " + shortenIRI(iri) + " of " + k.name(q.S) + ": SHACL has no such class" +
				nearest(strings.TrimPrefix(iri, vocab.SH), []string{vocab.SHNodeShape, vocab.SHPropertyShape}),
		})
	}
}

// reviewTerms warns of properties in the SHACL namespace that do not exist, of nodes
// that are not shapes but may have been meant as such. Those of shapes are refused, see
// compileShape.
func (k *compiler) reviewTerms() {
	for q := range k.g.All().Quads() {
		if k.terms[q.P].kind != isUnknown || k.terms[q.S].shape != 0 {
			continue
		}
		if len(k.warnings) >= mostProblems {
			return // of these none would be kept
		}
		k.warn(q.S, Warning{
			Code: CodeUnknownTerm, Property: k.d.Value(q.P), Place: k.at(q.S, q.P, q.O),
			Text: shortenIRI(k.d.Value(q.P)) + " of " + k.name(q.S) + ": SHACL has no such property" + suggestion(k.d.Value(q.P)),
		})
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
				Text: shortenIRI(iri) + " is no term of SHACL, did you mean the namespace <" + vocab.SH + ">?",
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
