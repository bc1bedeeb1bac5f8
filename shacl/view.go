package shacl

import (
	"math"

	"github.com/rdfproto/rdfproto/rdf"
)

// Shape describes a shape of a program, for reviewing and comparing shapes. Its
// slices are shared and must not be changed.
type Shape struct {
	Term        rdf.Term
	Place       rdf.Place
	Path        Path // the zero Path for a node shape
	Severity    string
	Messages    []rdf.Term
	Deactivated bool
	Targets     []Target
	Constraints []Constraint
	Depth       int  // shapes on the longest chain of references that begins here, itself included
	Referred    bool // another shape refers to it
	Described   bool // the shapes graph says that it is a shape, or something that it says of shapes
}

// Target describes a target of a shape.
type Target struct {
	Property string   // the IRI of sh:targetClass or its like; that of rdf:type for a class that is a shape
	Value    rdf.Term // the node, class or property
	Place    rdf.Place
}

// Constraint describes a constraint of a shape.
type Constraint struct {
	Component string     // the component's IRI
	Parameter string     // the IRI of the parameter that declares it
	Value     rdf.Term   // of the parameter: a blank node or rdf:nil where it is a list
	Place     rdf.Place  // of that value
	List      []rdf.Term // the members of sh:in, of sh:languageIn, of the sh:ignoredProperties of a closed shape
	Shapes    []rdf.Term // the shapes that it refers to, in order
	Disjoint  bool       // sh:qualifiedValueShapesDisjoint of a qualified value shape
	// Siblings are, of a qualified value shape with Disjoint, the qualified shapes of
	// each shape that has this one as a property, used or not: a value that conforms to
	// one of them does not count. The shape's own is among them, and does not matter.
	Siblings [][]rdf.Term
	Flags    string // of sh:pattern
}

// Shapes describes all shapes, in the order in which the shapes graph names
// them.
func (p *Program) Shapes() []Shape {
	all := make([]Shape, len(p.shapes))
	for i, s := range p.shapes {
		all[i] = p.view(s)
	}
	return all
}

// Shape describes the shape of a name, and returns false when there is none.
func (p *Program) Shape(name rdf.Term) (Shape, bool) {
	s := p.shapeOf(name)
	if s == nil {
		return Shape{}, false
	}
	return p.view(s), true
}

func (p *Program) view(s *shape) Shape {
	v := Shape{
		Term: s.term, Place: s.place, Path: Path{s.path}, Severity: s.severity, Messages: s.messages,
		Deactivated: s.deactivated, Depth: int(s.depth), Referred: s.referred, Described: s.described,
	}
	for i := range s.targets {
		t := &s.targets[i]
		v.Targets = append(v.Targets, Target{t.kind.property(), t.value, t.place})
	}
	for i := range s.constraints {
		c := &s.constraints[i]
		d := Constraint{Component: c.component.iri(), Parameter: c.component.parameter(), Value: c.value, Place: c.place}
		switch check := c.check.(type) {
		case notCheck:
			d.Shapes = []rdf.Term{check.shape.term}
		case nodeCheck:
			d.Shapes = []rdf.Term{check.shape.term}
		case propertyCheck:
			d.Shapes = []rdf.Term{check.shape.term}
		case *qualifiedCheck:
			d.Shapes, d.Disjoint = []rdf.Term{check.shape.term}, check.disjoint
			for _, l := range check.siblings {
				d.Siblings = append(d.Siblings, l.terms)
			}
		case *andCheck:
			d.Shapes = check.terms
		case *orCheck:
			d.Shapes = check.terms
		case *xoneCheck:
			d.Shapes = check.terms
		case *inCheck:
			d.List = check.terms
		case *languageInCheck:
			d.List = check.terms
		case *closedCheck:
			d.List = check.ignored.terms
		case *patternCheck:
			d.Flags = check.flags
		}
		v.Constraints = append(v.Constraints, d)
	}
	return v
}

// parameter returns the IRI of the parameter that declares a constraint of the
// component: sh:minCount for sh:MinCountConstraintComponent. It is the one that
// makes the check; others of the component are read with it.
func (c component) parameter() string {
	for i := range parameters {
		if p := &parameters[i]; p.component == c && p.compile != nil {
			return p.iri
		}
	}
	return "" // of none: the table has one for each
}

// Depth returns how deep the parts of a path are nested: 0 for a predicate and
// for none.
func (p Path) Depth() int {
	if p.p == nil {
		return 0
	}
	return p.p.depth
}

// Closures returns how many parts that repeat without bound (sh:zeroOrMorePath
// and sh:oneOrMorePath) are nested in each other.
func (p Path) Closures() int {
	if p.p == nil {
		return 0
	}
	return p.p.closures
}

// WorstCase returns an upper bound on the checks (the unit of Options.MaxChecks)
// that validating one node against a shape takes, and false when there is no such
// shape. It assumes that a node has at most n values of any predicate, n types and
// n triples, where n is values; that a repeated part of a path reaches at most n
// nodes; that the data has at most n triples with rdfs:subClassOf, which are looked
// through for every class that targets and sh:class of any shape name; and that texts
// matched against a pattern are within the limits of [rdf.Peer]. Not covered are other
// constraints on texts and language tags of 64 bytes and more in the data, and numbers
// and durations in it that take long to compare: they may cost more. A bound that does
// not fit is the largest int.
func (p *Program) WorstCase(name rdf.Term, values int) (checks int, ok bool) {
	s := p.shapeOf(name)
	if s == nil {
		return 0, false
	}
	w := worst{consts: p.consts, values: max(values, 1), known: map[*shape]int{}}
	return plus(w.shape(s), times(len(p.classes), w.closeClass())), true
}

// worst computes WorstCase. It calls itself as deep as shapes are nested.
type worst struct {
	consts []rdf.Term // of the program
	values int
	known  map[*shape]int
	walks  map[walkFrom]walkCost // of steps that have parts, which paths may share
}

// walkFrom is steps that begin at a number of nodes. Paths that have one list have its
// steps in common.
type walkFrom struct {
	kids **step
	op   stepOp
	from int
}

// walkCost is what such a walk costs and how many nodes it reaches.
type walkCost struct{ checks, reached int }

func (w *worst) shape(s *shape) int {
	if n, ok := w.known[s]; ok {
		return n
	}
	if s.group {
		n := 0
		for _, to := range s.refs {
			n = plus(n, plus(1, w.shape(to)))
		}
		w.known[s] = n
		return n
	}
	n, values := 1, 1
	if s.path != nil {
		if s.path.steps.op == forward || s.path.steps.op == backward {
			values = w.values
		} else {
			n, values = w.walk(s.path.steps, 1)
			n = plus(n, 1)
		}
	}
	for i := range s.constraints {
		n = plus(n, plus(1, values))
		switch c := s.constraints[i].check.(type) {
		case classCheck, *lessCheck:
			n = plus(n, times(values, w.values))
		case *closedCheck:
			n = plus(n, plus(len(c.ignored.predicates)+len(c.own), times(values, w.values)))
		case *equalsCheck:
			n = plus(n, plus(values, times(2, w.values)))
			n = plus(n, times(2, times(values, w.values))) // each with a language and not found as it is
		case *disjointCheck:
			n = plus(n, plus(w.values, times(values, w.values))) // as for sh:equals
		case hasValueCheck:
			if lang := w.consts[c.value].Lang(); lang != "" {
				n = plus(n, times(values, 1+len(lang)/64))
			}
		case *languageInCheck:
			n = plus(n, times(values, c.cost))
		case *patternCheck:
			n = plus(n, times(values, c.pattern.MostSteps(rdf.Peer().LiteralBytes)/stepsPerCheck))
		case referrer:
			for _, to := range c.refers(nil) {
				n = plus(n, times(values, plus(1, w.shape(to))))
			}
		case *rangeCheck:
			n = plus(n, times(values, c.cost+c.most))
		case minCountCheck, maxCountCheck, *datatypeCheck, nodeKindCheck, *lengthCheck, uniqueLangCheck, *inCheck:
			// What was added for each value is enough.
		default:
			n = math.MaxInt // what is not reckoned with has no bound
		}
	}
	w.known[s] = n
	return n
}

// closeClass returns what finding the subclasses of one class costs: each triple that
// leads to one, and twice the class and each of them, at worst a wave for each.
func (w *worst) closeClass() int {
	return plus(w.values, times(2, plus(w.values, 1)))
}

// walk returns what walking from some nodes costs and how many nodes it reaches.
func (w *worst) walk(st *step, from int) (checks, reached int) {
	if len(st.kids) == 0 {
		return w.reckon(st, from)
	}
	key := walkFrom{&st.kids[0], st.op, from}
	cost, ok := w.walks[key]
	if !ok {
		cost.checks, cost.reached = w.reckon(st, from)
		if w.walks == nil {
			w.walks = map[walkFrom]walkCost{}
		}
		w.walks[key] = cost
	}
	return cost.checks, cost.reached
}

// reckon is walk without what was reckoned before.
func (w *worst) reckon(st *step, from int) (checks, reached int) {
	switch st.op {
	case forward, backward:
		reached = times(from, w.values)
		return plus(from, reached), reached
	case sequence:
		for _, kid := range st.kids {
			var n int
			n, from = w.walk(kid, from)
			checks = plus(checks, plus(n, 1))
		}
		return checks, from
	case alternative:
		for _, kid := range st.kids {
			n, to := w.walk(kid, from)
			checks, reached = plus(checks, plus(n, 1)), plus(reached, to)
		}
		return checks, reached
	case zeroOrOne:
		n, to := w.walk(st.kids[0], from)
		return plus(n, plus(from, 1)/2), plus(from, to)
	}
	reached = plus(from, w.values)
	n, _ := w.walk(st.kids[0], 1)
	return times(reached, plus(n, 1)), reached // at worst a wave for each node
}

// plus and times saturate.
func plus(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

func times(a, b int) int {
	if a > 0 && b > math.MaxInt/a {
		return math.MaxInt
	}
	return a * b
}
