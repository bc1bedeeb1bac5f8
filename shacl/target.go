package shacl

import (
	"slices"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// target is one target declaration of a shape (section 2.1.3).
type target struct {
	kind  targetKind
	term  constID // a node or a property
	class classID
	value rdf.Term
	place rdf.Place
}

type targetKind uint8

const (
	targetNode          targetKind = iota // 2.1.3.1
	targetClass                           // 2.1.3.2
	targetImplicitClass                   // 2.1.3.3
	targetSubjectsOf                      // 2.1.3.4
	targetObjectsOf                       // 2.1.3.5
)

// property returns the IRI of the property that declares a target, that of
// rdf:type for an implicit class target.
func (t targetKind) property() string {
	switch t {
	case targetNode:
		return vocab.SHTargetNode
	case targetClass:
		return vocab.SHTargetClass
	case targetSubjectsOf:
		return vocab.SHTargetSubjectsOf
	case targetObjectsOf:
		return vocab.SHTargetObjectsOf
	}
	return vocab.RDFType
}

func (k *compiler) compileTarget(s *shape, v value) {
	t := target{value: k.d.Term(v.id), place: v.place}
	switch v.property {
	case vocab.SHTargetNode: // rule targetNode-nodeKind
		if k.d.Kind(v.id) == rdf.KindBlank {
			k.illFormed(s, v, "expected an IRI or a literal, found "+k.name(v.id))
			return
		}
		t.kind, t.term = targetNode, k.constant(v.id)
	default: // rules targetClass-nodeKind, targetSubjectsOf-nodeKind, targetObjectsOf-nodeKind
		if k.d.Kind(v.id) != rdf.KindIRI {
			k.illFormed(s, v, "expected an IRI, found "+k.name(v.id))
			return
		}
		switch v.property {
		case vocab.SHTargetClass:
			t.kind, t.class = targetClass, k.classConst(v.id)
		case vocab.SHTargetSubjectsOf:
			t.kind, t.term = targetSubjectsOf, k.constant(v.id)
		case vocab.SHTargetObjectsOf:
			t.kind, t.term = targetObjectsOf, k.constant(v.id)
		}
	}
	s.targets = append(s.targets, t)
}

// compileImplicitTarget makes a class that is a shape its own target (section
// 2.1.3.3).
func (k *compiler) compileImplicitTarget(s *shape) {
	typed := k.instanceOf(s.node)
	if typed&(nodeShapeClass|propertyShapeClass) == 0 {
		return
	}
	switch {
	case typed&metaclass != 0:
		if k.d.Kind(s.node) != rdf.KindIRI { // rule implicit-targetClass-nodeKind
			k.illFormed(s, value{vocab.RDFType, s.node, s.place}, "expected a class that is a shape to be an IRI, found a blank node")
			return
		}
		s.targets = append(s.targets, target{kind: targetImplicitClass, class: k.classConst(s.node), value: s.term, place: s.place})
	case k.ids.owlClass != 0 && k.g.Has(s.node, k.ids.typ, k.ids.owlClass):
		k.warn(s.node, Warning{
			Code: CodeNoTarget, Shape: s.term, Property: vocab.RDFType, Place: k.at(s.node, k.ids.typ, k.ids.owlClass),
			Text: k.shapeName(s) + " is an owl:Class, which makes it no target: only an rdfs:Class that is a shape targets its instances",
		})
	}
}

// focus appends the nodes that a shape's targets select, sorted and without
// duplicates, to r.ids. A target that selects nothing is warned of. A node of
// sh:targetNode is selected whether the data holds it or not.
func (r *run) focus(s *shape) (from int) {
	from = len(r.ids)
	for i := range s.targets {
		t := &s.targets[i]
		before := len(r.ids)
		switch t.kind {
		case targetNode:
			r.ids = append(r.ids, r.id(t.term))
		case targetClass, targetImplicitClass:
			r.instances(t.class)
		case targetSubjectsOf:
			for q := range r.triplesOf(r.id(t.term)).Quads() {
				r.ids = append(r.ids, q.S)
			}
		case targetObjectsOf:
			for q := range r.triplesOf(r.id(t.term)).Quads() {
				r.ids = append(r.ids, q.O)
			}
		}
		if len(r.ids) == before {
			r.warnings = append(r.warnings, t.selectsNothing(s))
		}
		if !r.spend(len(r.ids) - before) {
			return from
		}
	}
	r.normalize(from)
	return from
}

// instances appends the SHACL instances of a class.
func (r *run) instances(class classID) {
	if sub := r.closures.of(class); sub != nil {
		if !r.spend(len(sub)) { // each is looked for, whether it has instances or not
			return
		}
		for _, c := range sub {
			r.subjects(r.id(r.p.typ), c)
		}
		return
	}
	r.subjects(r.id(r.p.typ), r.id(r.p.classes[class]))
}

func (t *target) selectsNothing(s *shape) Warning {
	text := shortenIRI(t.kind.property()) + " " + shorten(t.value)
	if t.kind == targetImplicitClass {
		text = "the class " + shorten(t.value)
	}
	return Warning{
		Code: CodeEmptyTarget, Shape: s.term, Property: t.kind.property(), Place: t.place,
		Text: text + " selects no node of the data",
	}
}

// normalize sorts r.ids from an index on and drops duplicates.
func (r *run) normalize(from int) {
	ids := r.ids[from:]
	if len(ids) < 2 || ascending(ids) {
		return
	}
	slices.Sort(ids)
	r.ids = r.ids[:from+len(slices.Compact(ids))]
}

// ascending reports whether ids are sorted and without duplicates.
func ascending(ids []rdf.ID) bool {
	for i := 1; i < len(ids); i++ {
		if ids[i-1] >= ids[i] {
			return false
		}
	}
	return true
}
