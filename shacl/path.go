package shacl

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// MaxPathLength is how many parts a path may have, a shared part counted as often as
// it is used: paths are written into results, and a path of 32 levels that share
// their parts could become a text of billions of characters.
const MaxPathLength = 4096

// MaxPathBytes is how long the IRIs of a path may be together, likewise: a short name
// under a long prefix is a long IRI of a few bytes.
const MaxPathBytes = 256 << 10

// pathKind is a form of path (section 2.3.1).
type pathKind uint8

const (
	predicatePath   pathKind = iota // 2.3.1.1
	sequencePath                    // 2.3.1.2
	alternativePath                 // 2.3.1.3
	inversePath                     // 2.3.1.4
	zeroOrMorePath                  // 2.3.1.5
	oneOrMorePath                   // 2.3.1.6
	zeroOrOnePath                   // 2.3.1.7
)

// path is a property path as the shapes graph has it, with the steps that
// evaluate it.
type path struct {
	kind  pathKind
	iri   rdf.Term // of a predicate path
	parts []*path
	list  *pathList // that has the parts of a sequence or an alternative
	pathSize
	steps   *step
	inverse *step   // steps that go the other way
	own     [2]step // what those are for a predicate
}

// pathSize is what is known of a path, or of a list of them, without going through its
// parts, which many shapes may have in common.
type pathSize struct {
	depth    int
	length   int // parts, itself included
	bytes    int // of the IRIs of its predicates
	closures int // parts that repeat without bound within each other
}

// pathList is a list of paths with their steps: paths that have the same list
// share it.
type pathList struct {
	parts []*path
	pathSize
	steps, back []*step // of the parts, and their inverses in reverse order
	reason      string  // why there is none
}

// compilePath makes the path of a property shape, nil after it reported why not.
func (k *compiler) compilePath(s *shape, v value) *path {
	p, reason := k.readPath(s, v, v.id, 0)
	if reason != "" {
		k.illFormed(s, v, reason)
		return nil
	}
	return p
}

// readPath reads a node that must be a well-formed path, or says why it is not.
func (k *compiler) readPath(s *shape, v value, node rdf.ID, depth int) (*path, string) {
	switch n := k.terms[node].path; {
	case n == beingRead: // rule path-non-recursive
		return nil, "expected a path, found a path that contains itself"
	case n > 0:
		return k.paths[n-1], ""
	case n < beingRead:
		return nil, k.noPath[beingRead-1-n]
	}
	if depth > k.maxDepth {
		k.exceed(LimitPathDepth, k.maxDepth, v.place)
		return nil, "expected a path, found one nested too deep"
	}
	switch k.d.Kind(node) {
	case rdf.KindLiteral:
		return nil, "expected a path, found " + k.name(node)
	case rdf.KindIRI:
		if node == k.ids.nil_ {
			return nil, "expected a path, found an empty list"
		}
		c := k.constant(node)
		p := take(&k.pathRoom)
		*p = path{kind: predicatePath, iri: k.program.consts[c], pathSize: pathSize{length: 1, bytes: len(k.d.Value(node))}, own: [2]step{{op: forward, predicate: c}, {op: backward, predicate: c}}}
		p.steps, p.inverse = &p.own[0], &p.own[1]
		k.keepPath(node, p)
		return p, ""
	}
	put(&k.used, node, true)
	k.terms[node].path = beingRead
	p, reason := k.readBlankPath(s, v, node, depth)
	if reason != "" {
		k.noPath = append(k.noPath, reason)
		k.terms[node].path = beingRead - int32(len(k.noPath))
		return nil, reason
	}
	if p.list != nil {
		p.pathSize = p.list.pathSize
	} else {
		p.pathSize = p.parts[0].pathSize
		p.depth++
	}
	if p.kind == zeroOrMorePath || p.kind == oneOrMorePath {
		p.closures++
	}
	if p.length++; p.length > MaxPathLength {
		k.exceed(LimitPathLength, MaxPathLength, v.place)
	}
	if p.bytes > MaxPathBytes {
		k.exceed(LimitPathBytes, MaxPathBytes, v.place)
	}
	if depth+p.depth > k.maxDepth { // of a path that was read before at a lesser depth
		k.exceed(LimitPathDepth, k.maxDepth, v.place)
	}
	p.steps, p.inverse = p.compile()
	k.keepPath(node, p)
	return p, ""
}

// keepPath remembers the path that a node is.
func (k *compiler) keepPath(node rdf.ID, p *path) {
	k.paths = append(k.paths, p)
	k.terms[node].path = int32(len(k.paths))
}

// readBlankPath reads a blank node that must be a path of exactly one form (rule
// path-metarule).
func (k *compiler) readBlankPath(s *shape, v value, node rdf.ID, depth int) (*path, string) {
	forms := [...]struct {
		id   rdf.ID
		kind pathKind
	}{
		{k.ids.alternative, alternativePath}, {k.ids.inverse, inversePath},
		{k.ids.zeroOrMore, zeroOrMorePath}, {k.ids.oneOrMore, oneOrMorePath}, {k.ids.zeroOrOne, zeroOrOnePath},
	}
	isList := k.g.Objects(node, k.ids.first).Len() > 0 || k.g.Objects(node, k.ids.rest).Len() > 0
	var found rdf.Quad
	var kind pathKind
	told := false
	for _, f := range forms {
		for q := range k.g.Objects(node, f.id).Quads() {
			if isList {
				// path-strange-001 and -002 of the W3C suite: the list wins.
				if told {
					continue
				}
				told = true
				k.noEffect(s, value{k.d.Value(q.P), q.O, k.at(q.S, q.P, q.O)}, CodeTolerated, "the path is a list, and this further path property of it is ignored")
				continue
			}
			if found.S != 0 {
				return nil, "expected a path of one form, found " + shortenIRI(k.d.Value(found.P)) + " and " + shortenIRI(k.d.Value(q.P))
			}
			found, kind = q, f.kind
		}
	}
	if isList {
		return k.readPathList(s, v, node, depth, sequencePath)
	}
	if found.S == 0 {
		return nil, "expected a path, found " + k.name(node) + " with no path property"
	}
	if n := k.g.Subject(node).Len(); n != 1 { // "exactly one triple"
		return nil, fmt.Sprintf("expected a path with one property, found one with %d", n)
	}
	if kind == alternativePath {
		return k.readPathList(s, v, found.O, depth, kind)
	}
	part, reason := k.readPath(s, v, found.O, depth+1)
	if reason != "" {
		return nil, reason
	}
	return &path{kind: kind, parts: []*path{part}}, ""
}

func (k *compiler) readPathList(s *shape, v value, head rdf.ID, depth int, kind pathKind) (*path, string) {
	l := k.pathLists[head]
	if l == nil {
		l = k.newPathList(s, v, head, depth)
		put(&k.pathLists, head, l)
	}
	if l.reason != "" {
		return nil, l.reason
	}
	return &path{kind: kind, parts: l.parts, list: l}, ""
}

func (k *compiler) newPathList(s *shape, v value, head rdf.ID, depth int) *pathList {
	k.useList(head)
	members, reason := k.readList(head)
	if reason != "" {
		return &pathList{reason: "expected a list of paths, " + reason}
	}
	if len(members) < 2 {
		return &pathList{reason: fmt.Sprintf("expected a list of two or more paths, found %d", len(members))}
	}
	l := &pathList{}
	for _, m := range members {
		part, reason := k.readPath(s, v, m, depth+1)
		if reason != "" {
			return &pathList{reason: reason}
		}
		l.parts = append(l.parts, part)
		l.depth, l.length = max(l.depth, part.depth+1), min(l.length+part.length, MaxPathLength+1)
		l.bytes, l.closures = min(l.bytes+part.bytes, MaxPathBytes+1), max(l.closures, part.closures)
		l.steps, l.back = append(l.steps, part.steps), append(l.back, part.inverse)
	}
	slices.Reverse(l.back)
	return l
}

// useList marks the nodes of a list, well-formed or not, as part of a path that
// is used.
func (k *compiler) useList(head rdf.ID) {
	for node, n := head, 0; k.d.Kind(node) == rdf.KindBlank && n <= k.g.Len(); n++ {
		if n > 0 && k.used[node] {
			return // what follows it is marked as well
		}
		put(&k.used, node, true)
		rest := k.g.Objects(node, k.ids.rest)
		if rest.Len() != 1 {
			return
		}
		node = rest.At(0).O
	}
}

// compile makes the steps of a path whose parts have theirs, both ways. An
// inverse goes down to the predicates, so that steps know none.
func (p *path) compile() (steps, inverse *step) {
	op := map[pathKind]stepOp{
		sequencePath: sequence, alternativePath: alternative,
		zeroOrMorePath: zeroOrMore, oneOrMorePath: oneOrMore, zeroOrOnePath: zeroOrOne,
	}
	switch p.kind {
	case inversePath:
		return p.parts[0].inverse, p.parts[0].steps
	case sequencePath, alternativePath:
		return &step{op: op[p.kind], kids: p.list.steps}, &step{op: op[p.kind], kids: p.list.back}
	}
	return &step{op: op[p.kind], kids: []*step{p.parts[0].steps}}, &step{op: op[p.kind], kids: []*step{p.parts[0].inverse}}
}

// uses reports whether a predicate is a part of the path.
func (p *path) uses(predicate rdf.Term, left *int) bool {
	if p == nil || *left <= 0 {
		return false
	}
	*left--
	return p.iri == predicate || slices.ContainsFunc(p.parts, func(part *path) bool { return part.uses(predicate, left) })
}

// Path is a property path (section 2.3.1). The zero Path is none.
type Path struct{ p *path }

// IsZero reports whether there is no path.
func (p Path) IsZero() bool { return p.p == nil }

// Predicate returns the predicate of a path that is a predicate and nothing
// else, and false for all others.
func (p Path) Predicate() (rdf.Term, bool) {
	if p.p == nil || p.p.kind != predicatePath {
		return rdf.Term{}, false
	}
	return p.p.iri, true
}

// String returns the path in the syntax of SPARQL 1.1 property paths with full
// IRIs, "" for none: "<http://example.org/p>", "^<http://example.org/p>".
func (p Path) String() string { return p.Text(rdf.Term.String) }

// Text returns the path as [Path.String] does, with its predicates named by name.
func (p Path) Text(name func(rdf.Term) string) string { return p.text(name, math.MaxInt) }

// shortPath is the bytes of a path's text that [Path.Short] leaves: a person reads less,
// and a report has many.
const shortPath = 4096

// Short returns the path as [Path.Text] does, for messages and reports: what follows
// after 4,096 bytes is cut at a predicate, and "..." stands for it, which ends no
// path that is whole.
func (p Path) Short(name func(rdf.Term) string) string { return p.text(name, shortPath) }

func (p Path) text(name func(rdf.Term) string, most int) string {
	if p.p == nil {
		return ""
	}
	w := pathWriter{name: name, most: most}
	w.path(p.p, false)
	return w.b.String()
}

// pathWriter writes paths until there is enough.
type pathWriter struct {
	b    strings.Builder
	name func(rdf.Term) string
	most int
	full bool
}

func (w *pathWriter) byte(c byte) {
	if !w.full {
		w.b.WriteByte(c)
	}
}

// path writes a path, in parentheses where it is a part of another and its form
// needs them there.
func (w *pathWriter) path(p *path, inside bool) {
	if w.full {
		return
	}
	if inside && p.kind != predicatePath {
		w.byte('(')
		defer w.byte(')')
	}
	switch p.kind {
	case predicatePath:
		if w.full = w.b.Len() >= w.most; w.full {
			w.b.WriteString("...")
			return
		}
		w.b.WriteString(w.name(p.iri))
	case sequencePath, alternativePath:
		for i, part := range p.parts {
			if w.full {
				return
			}
			if i > 0 {
				w.byte(map[pathKind]byte{sequencePath: '/', alternativePath: '|'}[p.kind])
			}
			// ^p binds tighter than / and |, and so do p* p+ p?.
			w.path(part, part.kind == sequencePath || part.kind == alternativePath)
		}
	case inversePath:
		w.byte('^')
		w.path(p.parts[0], true)
	case zeroOrMorePath, oneOrMorePath, zeroOrOnePath:
		w.path(p.parts[0], true)
		w.byte(map[pathKind]byte{zeroOrMorePath: '*', oneOrMorePath: '+', zeroOrOnePath: '?'}[p.kind])
	}
}

// property returns the IRI that makes a blank node a path of the kind, "" for a
// predicate and a sequence.
func (kind pathKind) property() string {
	switch kind {
	case alternativePath:
		return vocab.SHAlternativePath
	case inversePath:
		return vocab.SHInversePath
	case zeroOrMorePath:
		return vocab.SHZeroOrMorePath
	case oneOrMorePath:
		return vocab.SHOneOrMorePath
	case zeroOrOnePath:
		return vocab.SHZeroOrOnePath
	}
	return ""
}
