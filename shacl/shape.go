package shacl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// compileShape reads everything that the shapes graph says of a shape.
func (k *compiler) compileShape(s *shape) {
	s.severity = vocab.SHViolation
	s.described = k.instanceOf(s.node) != 0
	params := k.params
	clear(params)
	for q := range k.g.Subject(s.node).Quads() {
		v := value{k.d.Value(q.P), q.O, k.d.ObjectPlace(k.g.Index(q.S, q.P, q.O))}
		r := k.terms[q.P].role
		s.described = s.described || r.kind != isForeign
		switch r.kind {
		case isParameter:
			if params[r.param].Len() == 0 {
				params[r.param] = k.g.Objects(s.node, q.P)
			}
		case isTarget:
			k.compileTarget(s, v)
		case isUnsupported, isQuery:
			k.problem(s.node, Problem{
				Code: CodeUnsupported, Shape: s.term, Property: v.property, Place: v.place,
				Text: shortenIRI(v.property) + " of " + k.shapeName(s) + ": this feature of SHACL is not supported",
			})
		case isUnknown, isElsewhere:
			if k.enoughProblems() {
				continue
			}
			k.problem(s.node, Problem{
				Code: CodeUnknownTerm, Shape: s.term, Property: v.property, Place: v.place,
				Text: shortenIRI(v.property) + " of " + k.shapeName(s) + ": SHACL has no such property of shapes" + suggestion(v.property),
			})
		case isPathExpression:
			k.illFormed(s, v, "expected it on the value of sh:path, found it on the shape itself")
		}
		if k.isCustom(q.P) {
			k.problem(s.node, Problem{
				Code: CodeUnsupported, Shape: s.term, Property: v.property, Place: v.place,
				Text: fmt.Sprintf("%s of %s: the custom constraint component %s is not supported", shortenIRI(v.property), k.shapeName(s), k.name(k.custom[q.P])),
			})
		}
	}
	k.compileKind(s)
	k.compileSeverity(s)
	k.compileMessages(s)
	s.deactivated = k.compileBoolean(s, k.ids.deactivated)
	k.compileImplicitTarget(s)
	from := len(k.constraintRoom)
	for i := range params {
		k.compileParameter(s, &parameters[i], params[i])
	}
	s.constraints = slices.Clip(k.constraintRoom[from:])
	from = len(k.refs)
	for i := range s.constraints {
		if c, ok := s.constraints[i].check.(referrer); ok {
			k.refs = c.refers(k.refs)
		}
	}
	s.refs = slices.Clip(k.refs[from:])
}

// compileKind reads the path and checks that the shape is one of the two kinds
// (sections 2.2 and 2.3).
func (k *compiler) compileKind(s *shape) {
	paths := k.g.Objects(s.node, k.ids.path)
	typed := k.instanceOf(s.node)
	if paths.Len() > 0 && typed&nodeShapeClass != 0 { // rule NodeShape-path-maxCount
		k.illFormed(s, k.valueOf(paths.At(0)), "expected no path on a sh:NodeShape, found "+k.name(paths.At(0).O))
		return
	}
	switch {
	case paths.Len() > 1: // rule path-maxCount
		k.illFormed(s, k.valueOf(paths.At(1)), fmt.Sprintf("expected one path, found %d", paths.Len()))
	case paths.Len() == 1:
		s.path = k.compilePath(s, k.valueOf(paths.At(0)))
	case typed&propertyShapeClass != 0: // rule PropertyShape-path-minCount
		k.illFormed(s, value{vocab.SHPath, 0, s.place}, "expected a path on a sh:PropertyShape, found none")
	}
}

// isProperty reports whether a node is a property shape.
func (k *compiler) isProperty(node rdf.ID) bool {
	return k.g.Objects(node, k.ids.path).Len() > 0
}

func (k *compiler) valueOf(q rdf.Quad) value {
	return value{k.d.Value(q.P), q.O, k.at(q.S, q.P, q.O)}
}

// compileSeverity reads sh:severity (section 2.1.4).
func (k *compiler) compileSeverity(s *shape) {
	v, ok := k.single(s, k.ids.severity)
	if !ok {
		return
	}
	if k.d.Kind(v.id) != rdf.KindIRI {
		k.illFormed(s, v, "expected an IRI, found "+k.name(v.id))
		return
	}
	s.severity = k.d.Value(v.id)
}

// compileMessages reads sh:message (section 2.1.5), and orders the values by
// language, those without one first, and text.
func (k *compiler) compileMessages(s *shape) {
	for q := range k.g.Objects(s.node, k.ids.message).Quads() {
		t := k.d.Term(q.O)
		if dt := t.Datatype(); dt != vocab.XSDString && dt != vocab.RDFLangString {
			k.illFormed(s, k.valueOf(q), "expected a string with or without a language, found "+k.name(q.O))
			continue
		}
		s.messages = append(s.messages, t)
	}
	slices.SortFunc(s.messages, func(a, b rdf.Term) int {
		return cmp.Or(foldCompare(a.Lang(), b.Lang()), strings.Compare(a.Value(), b.Value()), strings.Compare(a.Lang(), b.Lang()))
	})
}

// single returns the value of a property that a shape may have once. It reports
// a second one.
func (k *compiler) single(s *shape, property rdf.ID) (value, bool) {
	r := k.g.Objects(s.node, property)
	if r.Len() > 1 {
		k.illFormed(s, k.valueOf(r.At(1)), fmt.Sprintf("expected one value, found %d", r.Len()))
	}
	if r.Len() != 1 {
		return value{}, false
	}
	return k.valueOf(r.At(0)), true
}

// compileBoolean reads a property that is true, false or absent. Another
// spelling of a boolean is refused: the rules name the two literals, and a
// switch that is read as off because of its spelling would be a hole.
func (k *compiler) compileBoolean(s *shape, property rdf.ID) bool {
	v, ok := k.single(s, property)
	if !ok {
		return false
	}
	on, ok := k.boolean(v.id)
	if !ok {
		k.illFormed(s, v, "expected true or false, found "+k.name(v.id))
	}
	return on
}

func (k *compiler) boolean(id rdf.ID) (value, ok bool) {
	t := k.d.Term(id)
	if t.Datatype() != vocab.XSDBoolean {
		return false, false
	}
	return t.Value() == "true", t.Value() == "true" || t.Value() == "false"
}

// compileParameter makes the constraints that a parameter's values declare.
func (k *compiler) compileParameter(s *shape, p *parameter, values rdf.Run) {
	if values.Len() == 0 {
		return
	}
	if p.propertyOnly && !k.isProperty(s.node) {
		k.illFormed(s, k.valueOf(values.At(0)), "expected it on a property shape, found it on a shape without sh:path")
		return
	}
	if p.single && values.Len() > 1 {
		k.illFormed(s, k.valueOf(values.At(1)), fmt.Sprintf("expected one value, found %d", values.Len()))
		return
	}
	if p.compile == nil {
		k.checkCompanion(s, p, k.valueOf(values.At(0)))
		return
	}
	for q := range values.Quads() {
		v := k.valueOf(q)
		if c := p.compile(k, s, v); c != nil {
			k.constraintRoom = append(k.constraintRoom, constraint{p.component, c, k.d.Term(v.id), v.place})
		}
	}
}

// checkCompanion looks at a parameter that another parameter's constraint reads,
// and that does nothing without it.
func (k *compiler) checkCompanion(s *shape, p *parameter, v value) {
	switch p.iri {
	case vocab.SHFlags:
		if k.has(s, vocab.SHPattern) {
			return // which reads it
		}
		if _, ok := k.plainString(s, v); ok { // rule flags-datatype
			k.noEffect(s, v, CodeNoEffect, "it does nothing without sh:pattern")
		}
	case vocab.SHIgnoredProperties:
		if l := k.ignoredList(v.id); l.reason != "" {
			k.illFormed(s, v, "expected a list of IRIs, "+l.reason)
		} else if !k.has(s, vocab.SHClosed) {
			k.noEffect(s, v, CodeNoEffect, "it does nothing without sh:closed")
		}
	case vocab.SHQualifiedValueShape:
		if k.refer(s, v) != nil && !k.has(s, vocab.SHQualifiedMinCount) && !k.has(s, vocab.SHQualifiedMaxCount) {
			k.noEffect(s, v, CodeNoEffect, "it counts nothing without sh:qualifiedMinCount or sh:qualifiedMaxCount")
		}
	case vocab.SHQualifiedValueShapesDisjoint:
		switch { // rule qualifiedValueShapesDisjoint-datatype, and stricter where it counts
		case !k.checkQualifiedAlone(s, v):
			k.compileBoolean(s, k.d.LookupIRI(p.iri))
		case k.d.Term(v.id).Datatype() != vocab.XSDBoolean:
			k.illFormed(s, v, "expected true or false, found "+k.name(v.id))
		}
	}
}
