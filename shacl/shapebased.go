package shacl

import (
	"slices"
	"strconv"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// Shape-based constraint components (section 4.7).

// nodeCheck is sh:node (4.7.1).
type nodeCheck struct{ shape *shape }

// propertyCheck is sh:property (4.7.2).
type propertyCheck struct{ shape *shape }

// qualifiedCheck is sh:qualifiedValueShape with sh:qualifiedMinCount or
// sh:qualifiedMaxCount (4.7.3).
type qualifiedCheck struct {
	shape    *shape
	disjoint bool
	siblings []*shapeList // qualified shapes of each parent, this one's among them
	n        int
	max      bool
}

func (c nodeCheck) refers(to []*shape) []*shape     { return append(to, c.shape) }
func (c propertyCheck) refers(to []*shape) []*shape { return append(to, c.shape) }
func (c *qualifiedCheck) refers(to []*shape) []*shape {
	to = append(to, c.shape)
	for _, l := range c.siblings {
		to = append(to, l.group)
	}
	return to
}

func compileNode(k *compiler, s *shape, v value) check {
	to := k.refer(s, v)
	if to == nil {
		return nil
	}
	if k.isProperty(v.id) { // rule node-node
		k.illFormed(s, v, "expected a node shape, found a shape with sh:path")
		return nil
	}
	return nodeCheck{to}
}

func compileProperty(k *compiler, s *shape, v value) check {
	to := k.refer(s, v)
	if to == nil {
		return nil
	}
	if !k.isProperty(v.id) { // rule property-node
		k.illFormed(s, v, "expected a property shape, found a node without sh:path")
		return nil
	}
	return propertyCheck{to}
}

func compileQualifiedMinCount(k *compiler, s *shape, v value) check {
	return k.compileQualified(s, v, false)
}

func compileQualifiedMaxCount(k *compiler, s *shape, v value) check {
	return k.compileQualified(s, v, true)
}

func (k *compiler) compileQualified(s *shape, v value, max bool) check {
	n, ok := k.count(s, v)
	if !ok {
		return nil
	}
	if k.checkQualifiedAlone(s, v) {
		return nil
	}
	qualified, ok := k.only(s, vocab.SHQualifiedValueShape)
	if !ok || k.d.Kind(qualified.id) == rdf.KindLiteral || !k.isProperty(s.node) {
		return nil // reported by the parameter's own rules
	}
	if max {
		k.reviewBounds(s, v, n, vocab.SHQualifiedMinCount)
	}
	c := &qualifiedCheck{shape: k.refer(s, qualified), n: n, max: max}
	c.shape.memoize = c.shape.memoize || k.has(s, vocab.SHQualifiedMinCount) && k.has(s, vocab.SHQualifiedMaxCount)
	if disjoint, ok := k.only(s, vocab.SHQualifiedValueShapesDisjoint); ok {
		if c.disjoint, _ = k.boolean(disjoint.id); c.disjoint {
			c.siblings = k.siblings(s)
		}
	}
	return c
}

// checkQualifiedAlone looks at a parameter of qualified value shapes that stands
// without sh:qualifiedValueShape, and reports whether it does.
func (k *compiler) checkQualifiedAlone(s *shape, v value) bool {
	if k.has(s, vocab.SHQualifiedValueShape) {
		return false
	}
	if k.isProperty(s.node) {
		k.illFormed(s, v, "expected sh:qualifiedValueShape beside it, found none")
		return true
	}
	// qualified-001 of the W3C suite.
	k.noEffect(s, v, CodeTolerated, "it does nothing on a node shape")
	return true
}

// siblings returns, for each shape that has a property shape as a property, the
// values of sh:property/sh:qualifiedValueShape of that shape. Its own is among
// them and does not count as a sibling.
func (k *compiler) siblings(s *shape) []*shapeList {
	var all []*shapeList
	for parent := range k.g.Subjects(k.ids.property, s.node).Quads() {
		l := k.parents[parent.S]
		if l == nil {
			l = k.newShapeList(k.qualifiedShapes(parent.S))
			put(&k.parents, parent.S, l)
		}
		all = append(all, l)
	}
	return all
}

func (k *compiler) qualifiedShapes(parent rdf.ID) []*shape {
	var nodes []rdf.ID
	for property := range k.g.Objects(parent, k.ids.property).Quads() {
		values := k.g.Objects(property.O, k.ids.qualifiedValueShape)
		if values.Len() == 1 && k.d.Kind(values.At(0).O) != rdf.KindLiteral { // others are reported where they stand
			nodes = append(nodes, values.At(0).O)
		}
	}
	slices.Sort(nodes)
	var shapes []*shape
	for _, node := range slices.Compact(nodes) {
		to := k.shape(node)
		to.referred, to.memoize = true, true // a value is checked against each from each
		shapes = append(shapes, to)
	}
	return shapes
}

func (c nodeCheck) holds(r *run, s *shape, con *constraint, focus rdf.ID, values []rdf.ID) bool {
	ok := true
	for _, v := range values {
		if r.conforms(c.shape, v) {
			continue
		}
		if ok = false; r.err != nil {
			return false
		}
		if r.sink == nil {
			continue
		}
		r.explain(r.violate(s, con, focus, violation{value: v}), c.shape, v, 0)
	}
	return ok
}

func (c nodeCheck) reason(_ *Result, name func(rdf.Term) string) string {
	return "does not conform to " + name(c.shape.term)
}

// holds validates the value nodes against the property shape. Its results stand
// beside those of the shape that has it.
func (c propertyCheck) holds(r *run, _ *shape, _ *constraint, _ rdf.ID, values []rdf.ID) bool {
	ok := true
	for _, v := range values {
		if r.conformsHere(c.shape, v) {
			continue
		}
		if ok = false; r.err != nil {
			return false
		}
	}
	return ok
}

func (c propertyCheck) reason(_ *Result, name func(rdf.Term) string) string {
	return "does not conform to " + name(c.shape.term)
}

func (c *qualifiedCheck) holds(r *run, s *shape, con *constraint, focus rdf.ID, values []rdf.ID) bool {
	n := 0
	var failed []rdf.ID // values that do not conform to the shape, where they are told of
	for _, v := range values {
		switch {
		case !r.conforms(c.shape, v):
			if r.sink != nil && !c.max {
				failed = append(failed, v)
			}
		case r.alone(c, v):
			n++
		}
		if r.err != nil {
			return false
		}
	}
	if c.max && n <= c.n || !c.max && n >= c.n {
		return true
	}
	if r.sink == nil {
		return false
	}
	res := r.violate(s, con, focus, violation{count: n})
	for _, v := range failed {
		r.explain(res, c.shape, v, 0)
	}
	return false
}

// alone reports whether a value of the qualified shape conforms to no sibling shape. It
// takes what going through many parents costs, which may have no other.
func (r *run) alone(c *qualifiedCheck, v rdf.ID) bool {
	if !r.spend(len(c.siblings) / shortList) {
		return false
	}
	alone := true
	for _, l := range c.siblings {
		for _, sibling := range l.shapes {
			if sibling != c.shape && r.conforms(sibling, v) {
				alone = false
			}
		}
	}
	return alone
}

func (c *qualifiedCheck) reason(res *Result, name func(rdf.Term) string) string {
	want := "at least "
	if c.max {
		want = "at most "
	}
	also := ""
	if c.disjoint {
		also = " and to no sibling shape"
	}
	return "expected " + want + plural(c.n, "value") + " conforming to " + name(c.shape.term) + also + ", found " + strconv.Itoa(res.count)
}
