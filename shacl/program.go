package shacl

import (
	"cmp"
	"slices"
	"sync"

	"github.com/rdfproto/rdfproto/rdf"
)

// Program is a compiled shapes graph. It is immutable and safe for concurrent
// use. Make one with [Compile].
//
// It names terms by constIDs, small integers of its own; a run binds them to
// the IDs of its data when it first needs them.
type Program struct {
	source   *rdf.Dataset // that holds the shapes graph
	shapes   []*shape     // by node, which is the order in which the shapes graph names them
	targeted []*shape     // those of shapes with targets
	consts   []rdf.Term   // by constID
	classes  []constID    // by classID: the classes that targets and sh:class name
	warnings []Warning

	listed map[rdf.Term]listed // the members of long lists of sh:in, language tags in lower case

	closed int // closed shapes, each with a slot in a run

	typ, subClassOf constID

	indexed sync.Once
	constOf map[rdf.Term]constID // see constantOf
}

// shapeOf returns the shape of a name, nil when there is none.
func (p *Program) shapeOf(name rdf.Term) *shape {
	if p == nil || p.source == nil {
		return nil
	}
	node := p.source.Lookup(name)
	i, ok := slices.BinarySearchFunc(p.shapes, node, func(s *shape, node rdf.ID) int { return cmp.Compare(s.node, node) })
	if !ok {
		return nil
	}
	return p.shapes[i]
}

// constantOf returns what names a term in the program. The index is made when it
// is first needed: only a node that the data does not hold is looked for.
func (p *Program) constantOf(t rdf.Term) (constID, bool) {
	p.indexed.Do(func() {
		p.constOf = make(map[rdf.Term]constID, len(p.consts))
		for c, t := range p.consts {
			p.constOf[t] = constID(c)
		}
	})
	c, ok := p.constOf[t]
	return c, ok
}

// constID names a term of a program: an index of Program.consts.
type constID int32

// classID names a class of a program: an index of Program.classes.
type classID int32

// listed names a member of long lists of sh:in: a number, see Program.listed.
type listed int32

// Warnings returns what is allowed in the shapes graph and probably not what
// was meant, in the order of the shapes.
func (p *Program) Warnings() []Warning { return slices.Clone(p.warnings) }

// shape is a node shape or a property shape (section 2).
type shape struct {
	index       int32
	node        rdf.ID // in the shapes graph
	term        rdf.Term
	place       rdf.Place
	path        *path // nil for a node shape
	severity    string
	messages    []rdf.Term
	deactivated bool
	targets     []target
	constraints []constraint
	refs        []*shape // the shapes and groups that the constraints refer to, in order
	group       bool     // it is no shape, but stands for several that are referred to together

	depth     int32 // shapes on the longest chain of references from here
	memoize   bool  // whether checks of a node against it are worth remembering
	remembers bool  // whether that is so of a shape on a chain of references from here
	referred  bool  // whether another shape refers to it
	described bool  // whether the shapes graph says of it what it says of shapes
}

// constraint is one constraint of a shape: a value of the parameter that
// declares it, with what else its component needs.
type constraint struct {
	component component
	check     check
	value     rdf.Term // of the parameter
	place     rdf.Place
}

// check is how one constraint component decides. There is a type for each
// component, or for a few alike.
type check interface {
	// holds reports whether a constraint holds for a focus node and its value
	// nodes, which are sorted by ID and without duplicates. Where the run has
	// a sink, it records each violation. In any case it goes on with the values
	// that are left if these cost more than the one check that is paid for each:
	// their order is not that of another spelling of the data. The verdict means
	// nothing once the run has failed.
	holds(r *run, s *shape, c *constraint, focus rdf.ID, values []rdf.ID) bool

	// reason says why a constraint was violated, naming terms by name.
	reason(res *Result, name func(rdf.Term) string) string
}

// referrer is a check that refers to shapes.
type referrer interface {
	// refers appends them in order.
	refers(to []*shape) []*shape
}
