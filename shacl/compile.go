package shacl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/rdf/xsd"
)

// The default of MaxDepth of [CompileOptions] and [Options], and the most that either
// can raise it to. Depth is the only thing that grows the Go stack, by less than a
// kilobyte a level.
const (
	DefaultDepth = 32 // people write five levels; a Protocol Document may have 16 (a2a-rdf, VAL-6)
	hardMaxDepth = 10_000
)

// The defaults of MaxPattern and MaxPatternBytes.
const (
	DefaultPattern      = 4096    // a person cannot read a tenth of that
	DefaultPatternBytes = 4 << 20 // some seven hundred classes such as \p{L}, or thousands of patterns without any; a tenth of a second of work
)

// CompileOptions bounds what a shapes graph may be. The zero value means the
// defaults.
type CompileOptions struct {
	// MaxDepth is how many shapes a chain of references may have, the first
	// and every property shape included, and how deep a property path may be
	// nested. Not positive: 32. More than 10,000 means 10,000.
	MaxDepth int
	// MaxPattern is how many characters a value of sh:pattern may have. A longer one
	// is not compiled. Not positive: 4096.
	MaxPattern int
	// MaxPatternBytes is roughly how much memory the values of sh:pattern may take
	// while they are compiled, equal patterns counted once; it is reckoned before they
	// are. A class such as \p{L} takes six kilobytes, another character some eighty
	// bytes, one of sh:flags one. Not positive: 4 MiB.
	MaxPatternBytes int
}

// Compile makes a program of a shapes graph. It fails with a [*CompileError]
// that holds the problems of all shapes, or with a [*LimitError] when shapes or
// paths are nested too deep, or patterns are too long or too large together. The program keeps
// the memory of the dataset. Compile is safe for concurrent use.
func Compile(shapes rdf.Graph, o CompileOptions) (*Program, error) {
	k := newCompiler(shapes, depthOption(o.MaxDepth))
	defer k.release()
	if k.maxPattern = o.MaxPattern; k.maxPattern <= 0 {
		k.maxPattern = DefaultPattern
	}
	if k.maxPatternBytes = o.MaxPatternBytes; k.maxPatternBytes <= 0 {
		k.maxPatternBytes = DefaultPatternBytes
	}
	k.findShapes()
	for i := 0; i < len(k.program.shapes); i++ { // compiling may find more
		k.compileShape(k.program.shapes[i])
	}
	k.checkStructure()
	k.checkClasses()
	if k.limit != nil {
		return nil, k.limit
	}
	if len(k.problems) > 0 {
		return nil, &CompileError{Problems: inOrder(k.problems, func(p Problem) rdf.Place { return p.Place }), Omitted: k.omitted}
	}
	k.review()
	return k.finish(), nil
}

func depthOption(n int) int {
	if n <= 0 {
		return DefaultDepth
	}
	return min(n, hardMaxDepth)
}

// of is a problem or warning together with the shape that it is about.
type of[T any] struct {
	node rdf.ID // 0 for the graph as a whole
	it   T
}

// inOrder sorts problems or warnings by shape, and those of a shape by place.
func inOrder[T any](in []of[T], place func(T) rdf.Place) []T {
	slices.SortStableFunc(in, func(a, b of[T]) int {
		p, q := place(a.it), place(b.it)
		return cmp.Or(cmp.Compare(a.node, b.node), strings.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
	})
	out := make([]T, len(in))
	for i := range in {
		out[i] = in[i].it
	}
	return out
}

// compiler is what Compile works with.
type compiler struct {
	g        rdf.Graph
	d        *rdf.Dataset
	maxDepth int
	ids      ids
	program  *Program

	*tables
	lookalikes map[rdf.ID]bool   // IRIs that look like SHACL
	custom     map[rdf.ID]rdf.ID // predicates that custom constraint components declare, with the component

	classes map[constID]classID
	used    map[rdf.ID]bool // nodes of paths that a shape uses

	// Room for what the program keeps, taken at once.
	shapeRoom      []shape
	pathRoom       []path
	constraintRoom []constraint
	refs           []*shape

	// What lists were compiled to, by their heads: many constraints may have
	// one list. The maps are made when they are needed.
	lists     map[rdf.ID]*shapeList
	parents   map[rdf.ID]*shapeList // qualified shapes of a shape's properties
	groups    []*shape              // of those
	pathLists map[rdf.ID]*pathList
	ins       map[rdf.ID]*inCheck
	listed    map[rdf.ID]listed // members of long ones
	languages map[rdf.ID]*languageInCheck
	ignored   map[rdf.ID]*ignoredList
	patterns  map[patternKey]*patternCheck

	members int                // of all lists that were read
	noPath  []string           // why nodes are no paths
	unfit   map[listUse]rdf.ID // the first member of a list that its component does not take

	// What literals were read to, likewise: bounds, how two of them stand to each other, and
	// counts.
	values map[rdf.ID]parsed
	orders map[[2]rdf.ID]xsd.Order
	counts map[rdf.ID]count

	maxPattern                    int // characters of a pattern
	patternBytes, maxPatternBytes int // what the patterns take, and may take

	named    map[rdf.ID]rdf.Place // places of blank nodes that messages name, found once
	problems []of[Problem]
	warnings []of[Warning]
	omitted  int // problems beyond mostProblems
	limit    error
}

// tables are the large parts of a compiler that the program does not keep; they are
// pooled.
type tables struct {
	terms  []termInfo // by ID of the shapes graph
	params []rdf.Run  // of the shape that is being compiled, by index of parameters
	found  []rdf.ID
	paths  []*path // that were read
	read   []list  // likewise
}

var pool = sync.Pool{New: func() any { return &tables{params: make([]rdf.Run, len(parameters))} }}

// release gives the tables back, with nothing in them.
func (k *compiler) release() {
	const keep = 1 << 16 // what one large graph needed is not kept for small ones
	t := k.tables
	if max(cap(t.terms), cap(t.found), cap(t.paths), cap(t.read)) > keep {
		return
	}
	clear(t.params)
	clear(t.paths)
	clear(t.read)
	t.found, t.paths, t.read = t.found[:0], t.paths[:0], t.read[:0]
	pool.Put(t)
}

// termInfo is what is known of a term of the shapes graph.
type termInfo struct {
	role
	shape    int32 // 1 + its index in Program.shapes; 0: no shape so far
	constant int32 // 1 + its constID; 0: not named by the program so far
	path     int32 // 1 + its index in compiler.paths; 0: not read so far; beingRead; or less: see noPath
	list     int32 // 1 + its index in compiler.read; 0: not read so far
}

// beingRead marks a path of which a part is being read. What is less by one or more
// marks a node that is no path, for the reason that compiler.noPath has at the index
// 0 or more.
const beingRead = -1

// listUse is a list, and the component that wants something of its members.
type listUse struct {
	head rdf.ID
	by   component
}

// notFit remembers a member of a list that its component does not take.
func (k *compiler) notFit(u listUse, member rdf.ID) {
	if k.unfit == nil {
		k.unfit = map[listUse]rdf.ID{}
	}
	k.unfit[u] = member
}

// ids holds the shapes graph's IDs of the terms that compiling looks for.
type ids struct {
	typ, subClassOf, first, rest, nil_                           rdf.ID
	path, alternative, inverse, zeroOrMore, oneOrMore, zeroOrOne rdf.ID
	property, qualifiedValueShape, parameter, imports, owlClass  rdf.ID
	severity, message, deactivated                               rdf.ID
}

const (
	owlImports = "http://www.w3.org/2002/07/owl#imports"
	owlClass   = "http://www.w3.org/2002/07/owl#Class"
)

func newCompiler(g rdf.Graph, maxDepth int) *compiler {
	d := g.Dataset()
	k := &compiler{
		g: g, d: d, maxDepth: maxDepth,
		program: &Program{source: d, consts: make([]rdf.Term, 0, 16)},
		tables:  pool.Get().(*tables),
		ids: ids{
			typ: d.LookupIRI(vocab.RDFType), subClassOf: d.LookupIRI(vocab.RDFSSubClassOf),
			first: d.LookupIRI(vocab.RDFFirst), rest: d.LookupIRI(vocab.RDFRest), nil_: d.LookupIRI(vocab.RDFNil),
			imports: d.LookupIRI(owlImports), owlClass: d.LookupIRI(owlClass),
		},
	}
	k.terms = slices.Grow(k.terms[:0], d.NumTerms()+1)[:d.NumTerms()+1]
	clear(k.terms)
	k.program.typ = k.constIRI(k.ids.typ, vocab.RDFType)
	k.program.subClassOf = k.constIRI(k.ids.subClassOf, vocab.RDFSSubClassOf)
	k.readRoles()
	return k
}

// findShapes finds the nodes that are shapes (section 2.1, definition of
// "shape"): instances of the two classes, subjects of targets and of
// parameters, those that are not evaluated among them; what they refer to is found
// when they are compiled. A subject of sh:path counts as well, so that a path that
// stands on no shape by mistake is looked at.
func (k *compiler) findShapes() {
	found := k.found[:0]
	constraints, paths := 0, 0
	for q := range k.g.All().Quads() {
		switch r := k.terms[q.P].role; {
		case r.kind == isParameter, r.kind == isTarget, r.kind == isPath, r.kind == isUnsupported,
			k.isCustom(q.P),
			q.P == k.ids.typ && k.terms[q.O].class&(nodeShapeClass|propertyShapeClass) != 0:
			if len(found) == 0 || found[len(found)-1] != q.S {
				found = append(found, q.S)
			}
			switch r.kind {
			case isParameter:
				constraints++
			case isPath:
				paths++
			}
		case r.kind == isEntailment:
			// Section 1.5: a processor must signal a failure for an entailment
			// regime that it does not support.
			k.problem(0, Problem{
				Code: CodeUnsupported, Property: vocab.SHEntailment, Place: k.at(q.S, q.P, q.O),
				Text: "sh:entailment " + k.name(q.O) + ": no entailment regime is supported",
			})
		case q.P == k.ids.imports:
			k.warn(0, Warning{
				Code: CodeImports, Property: owlImports, Place: k.at(q.S, q.P, q.O),
				Text: "owl:imports " + k.name(q.O) + " is not followed: shapes are what the graph holds and nothing else",
			})
		}
	}
	k.shapeRoom, k.constraintRoom = make([]shape, 0, len(found)), make([]constraint, 0, constraints)
	k.pathRoom = make([]path, 0, paths)
	k.program.shapes, k.refs = make([]*shape, 0, len(found)), make([]*shape, 0, constraints)
	for _, id := range found {
		k.shape(id)
	}
	k.found = found
}

// isCustom reports whether a predicate is a parameter of a custom constraint component.
func (k *compiler) isCustom(predicate rdf.ID) bool {
	return len(k.custom) > 0 && k.custom[predicate] != 0
}

// take returns a new value from room for several, for fewer and larger allocations.
func take[T any](room *[]T) *T {
	if len(*room) == cap(*room) {
		*room = make([]T, 0, 8)
	}
	*room = (*room)[:len(*room)+1]
	return &(*room)[len(*room)-1]
}

// shape returns the shape of a node. One that was not met before is added to the
// shapes to compile.
func (k *compiler) shape(node rdf.ID) *shape {
	if n := k.terms[node].shape; n != 0 {
		return k.program.shapes[n-1]
	}
	s := take(&k.shapeRoom)
	s.node, s.term, s.place = node, k.d.Term(node), k.placeOf(node)
	k.program.shapes = append(k.program.shapes, s)
	k.terms[node].shape = int32(len(k.program.shapes))
	return s
}

// refer returns the shape that a parameter's value names, nil after it reported
// that the value is a literal.
func (k *compiler) refer(s *shape, v value) *shape {
	if k.d.Kind(v.id) == rdf.KindLiteral {
		k.illFormed(s, v, "expected a shape, found "+k.name(v.id))
		return nil
	}
	to := k.shape(v.id)
	to.referred = true
	return to
}

// constant interns a term of the shapes graph in the program.
func (k *compiler) constant(id rdf.ID) constID {
	if c := k.terms[id].constant; c != 0 {
		return constID(c - 1)
	}
	k.program.consts = append(k.program.consts, k.d.Term(id))
	k.terms[id].constant = int32(len(k.program.consts))
	return constID(len(k.program.consts) - 1)
}

// constIRI interns an IRI whose ID in the shapes graph is id, 0 if it has none.
func (k *compiler) constIRI(id rdf.ID, iri string) constID {
	if id != 0 {
		return k.constant(id)
	}
	t, err := rdf.NewIRI(iri)
	if err != nil {
		panic("shacl: " + err.Error()) // vocabulary constants are IRIs
	}
	k.program.consts = append(k.program.consts, t)
	return constID(len(k.program.consts) - 1)
}

// classConst interns a class.
func (k *compiler) classConst(id rdf.ID) classID {
	c := k.constant(id)
	if n, ok := k.classes[c]; ok {
		return n
	}
	n := classID(len(k.program.classes))
	k.program.classes = append(k.program.classes, c)
	if k.classes == nil {
		k.classes = map[constID]classID{}
	}
	k.classes[c] = n
	return n
}

// value is one value of a property of a shape.
type value struct {
	property string // IRI
	id       rdf.ID
	place    rdf.Place
}

// only returns the value of a property of a shape, and false unless there is exactly
// one. That there are several is reported elsewhere.
func (k *compiler) only(s *shape, property string) (value, bool) {
	r := k.g.Objects(s.node, k.d.LookupIRI(property))
	if r.Len() != 1 {
		return value{}, false
	}
	q := r.At(0)
	return value{property, q.O, k.at(q.S, q.P, q.O)}, true
}

// has reports whether a shape has a property.
func (k *compiler) has(s *shape, property string) bool {
	id := k.d.LookupIRI(property)
	return id != 0 && k.g.Objects(s.node, id).Len() > 0
}

// list returns the members of a SHACL list (section 1.1): each node with exactly
// one rdf:first and one rdf:rest, down to rdf:nil, which has neither. It reports
// a value that is no such list and returns false.
func (k *compiler) list(s *shape, v value) ([]rdf.ID, bool) {
	members, reason := k.readList(v.id)
	if reason != "" {
		k.illFormed(s, v, "expected a list, "+reason)
		return nil, false
	}
	return members, true
}

// readList returns the members of a list, or why it is none. Every list is read
// once, whatever it is found to be: many shapes may have one.
func (k *compiler) readList(head rdf.ID) (members []rdf.ID, reason string) {
	if n := k.terms[head].list; n != 0 {
		l := &k.read[n-1]
		return l.members, l.reason
	}
	members, reason = k.walkList(head)
	k.read = append(k.read, list{members, reason})
	k.terms[head].list = int32(len(k.read))
	return members, reason
}

// list is what a list was read to.
type list struct {
	members []rdf.ID
	reason  string // why it is no list
}

func (k *compiler) walkList(head rdf.ID) (members []rdf.ID, reason string) {
	for node := head; ; {
		if k.d.Kind(node) == rdf.KindLiteral {
			return nil, "found " + k.name(node)
		}
		first, rest := k.g.Objects(node, k.ids.first), k.g.Objects(node, k.ids.rest)
		if node == k.ids.nil_ {
			if first.Len()+rest.Len() > 0 {
				return nil, "found an rdf:nil that has a member or a rest"
			}
			return members, ""
		}
		switch {
		case node == head && first.Len()+rest.Len() == 0 && k.d.Kind(node) == rdf.KindIRI:
			return nil, "found " + k.name(node) + ", which is no list"
		case first.Len() != 1 || rest.Len() != 1:
			where := ""
			if node != head {
				where = fmt.Sprintf(" after %d members", len(members))
			}
			return nil, fmt.Sprintf("found a node%s with %d rdf:first and %d rdf:rest", where, first.Len(), rest.Len())
		case len(members) > k.g.Len()/2: // of two triples each
			return nil, "found a loop of rdf:rest"
		case !k.takeMember(head):
			return nil, "found more lists than can be read"
		}
		members = append(members, first.At(0).O)
		node = rest.At(0).O
	}
}

// MaxListMembers is how many members the lists of a shapes graph may have together; a
// graph with more triples may have as many as it has triples. A list that several
// constraints have counts once, an end that several lists have counts for each.
const MaxListMembers = 1 << 16

// takeMember counts a member of a list. All lists together have at most half as many
// as the graph has triples, unless they end with the same lists: a graph of some
// thousand triples could have lists of many millions.
func (k *compiler) takeMember(head rdf.ID) bool {
	most := max(MaxListMembers, k.g.Len())
	if k.members++; k.members > most {
		k.exceed(LimitListMembers, most, k.placeOf(head))
	}
	return k.members <= most
}

// at returns where the object of a triple stands.
func (k *compiler) at(s, p, o rdf.ID) rdf.Place {
	if i := k.g.Index(s, p, o); i >= 0 {
		return k.d.ObjectPlace(i)
	}
	return rdf.Place{}
}

// placeOf returns where a node begins: where it first stands as a subject, or
// else as an object.
func (k *compiler) placeOf(node rdf.ID) rdf.Place { return firstPlace(k.g, node) }

// name names a node of the shapes graph in a message.
func (k *compiler) name(id rdf.ID) string {
	if k.d.Kind(id) == rdf.KindBlank {
		p, ok := k.named[id]
		if !ok {
			p = k.placeOf(id)
			put(&k.named, id, p)
		}
		if !p.IsZero() {
			return "the blank node at " + p.String()
		}
	}
	return shorten(k.d.Term(id))
}

// shapeName names a shape in a message.
func (k *compiler) shapeName(s *shape) string {
	if s.term.Kind() == rdf.KindBlank && !s.place.IsZero() {
		return "the blank node at " + s.place.String()
	}
	return shorten(s.term)
}

// mostName is how long an IRI may be in a message before it is cut: there may be
// thousands of messages, and a short name under a long prefix is a long IRI.
const mostName = 200

// shorten writes a term for a message: terms of the SHACL and XSD namespaces
// with the usual prefix, a long literal or IRI cut.
func shorten(t rdf.Term) string {
	if t.Kind() == rdf.KindIRI {
		return shortenIRI(t.Value())
	}
	return t.Abbreviated()
}

func shortenIRI(iri string) string {
	if len(iri) > mostName {
		return rdf.Abbreviate("<" + iri + ">")
	}
	for _, p := range [...]struct{ prefix, iri string }{{"sh:", vocab.SH}, {"xsd:", vocab.XSD}, {"rdf:", vocab.RDF}, {"rdfs:", vocab.RDFS}} {
		if local, ok := strings.CutPrefix(iri, p.iri); ok && local != "" {
			return p.prefix + local
		}
	}
	return "<" + iri + ">"
}

// illFormed reports a value that breaks a syntax rule.
func (k *compiler) illFormed(s *shape, v value, text string) {
	k.problem(s.node, Problem{
		Code: CodeIllFormed, Shape: s.term, Property: v.property, Place: v.place,
		Text: shortenIRI(v.property) + " of " + k.shapeName(s) + ": " + text,
	})
}

// noEffect warns of a value that does nothing.
func (k *compiler) noEffect(s *shape, v value, code Code, text string) {
	k.warn(s.node, Warning{
		Code: code, Shape: s.term, Property: v.property, Place: v.place,
		Text: shortenIRI(v.property) + " of " + k.shapeName(s) + ": " + text,
	})
}

// mostProblems is how many problems, and how many warnings, are kept: more than a
// person reads about one graph, and a bound for one that is wrong throughout.
const mostProblems = 1000

// put sets a value in a map, making the map if there is none.
func put[K comparable, V any](m *map[K]V, key K, v V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = v
}

func (k *compiler) problem(order rdf.ID, p Problem) {
	if !k.enoughProblems() {
		k.problems = append(k.problems, of[Problem]{order, p})
	}
}

// enoughProblems reports whether another problem is counted and no more: what it says
// need not be found out then.
func (k *compiler) enoughProblems() bool {
	if len(k.problems) < mostProblems {
		return false
	}
	k.omitted++
	return true
}

// warn keeps a warning. What a caller may refuse a document for is never dropped for
// the number of others: beyond that number one of a kind and property in a row is kept for a shape.
func (k *compiler) warn(order rdf.ID, w Warning) {
	if n := len(k.warnings); n >= mostProblems {
		switch w.Code {
		case CodeUnsatisfiable, CodeTolerated, CodeEmptyShape, CodeWrongNamespace:
			if last := &k.warnings[n-1]; last.node == order && last.it.Code == w.Code && last.it.Property == w.Property {
				return
			}
		default:
			return
		}
	}
	k.warnings = append(k.warnings, of[Warning]{order, w})
}

// exceed records the first limit that was reached.
func (k *compiler) exceed(limit rdf.LimitName, most int, p rdf.Place) {
	if k.limit == nil {
		k.limit = &LimitError{Limit: limit, Max: int64(most), Place: p}
	}
}

// finish puts the parts of the program in order.
func (k *compiler) finish() *Program {
	p := k.program
	slices.SortFunc(p.shapes, func(a, b *shape) int { return cmp.Compare(a.node, b.node) })
	for i, s := range p.shapes {
		s.index = int32(i)
		if len(s.targets) > 0 && !s.deactivated {
			p.targeted = append(p.targeted, s)
		}
	}
	p.warnings = inOrder(k.warnings, func(w Warning) rdf.Place { return w.Place })
	return p
}
