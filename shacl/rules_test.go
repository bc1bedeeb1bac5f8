package shacl_test

import (
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/shacl"
)

// statements is a graph as a list.
type statements []statement

type statement struct{ s, p, o rdf.Term }

func statementsOf(g rdf.Graph) (all statements) {
	d := g.Dataset()
	for q := range g.All().Quads() {
		all = append(all, statement{d.Term(q.S), d.Term(q.P), d.Term(q.O)})
	}
	return all
}

func (g statements) values(s rdf.Term, predicate string) (all []rdf.Term) {
	for _, t := range g {
		if t.s == s && t.p.Value() == predicate {
			all = append(all, t.o)
		}
	}
	return all
}

// says reports whether a property of a shape is true.
func (g statements) says(s rdf.Term, predicate string) bool {
	return slices.ContainsFunc(g.values(s, predicate), func(v rdf.Term) bool { return v.Value() == "true" })
}

func (g statements) about(s rdf.Term) (all statements) {
	for _, t := range g {
		if t.s == s {
			all = append(all, t)
		}
	}
	return all
}

func (g statements) nodes() (all []rdf.Term) {
	for _, t := range g {
		all = with(all, t.s, t.o)
	}
	return all
}

// isInstance is the definition of "SHACL instance" (section 1.1).
func (g statements) isInstance(node rdf.Term, class string) bool {
	types := with(nil, g.values(node, vocab.RDFType)...)
	for i := 0; i < len(types); i++ {
		if types[i].Kind() == rdf.KindIRI && types[i].Value() == class {
			return true
		}
		types = with(types, g.values(types[i], vocab.RDFSSubClassOf)...)
	}
	return false
}

func (g statements) typedShape(s rdf.Term) bool {
	return g.isInstance(s, vocab.SHNodeShape) || g.isInstance(s, vocab.SHPropertyShape)
}

// list returns the members of a SHACL list (section 1.1).
func (g statements) list(head rdf.Term) (members []rdf.Term, ok bool) {
	for range len(g) + 1 {
		first, rest := g.values(head, vocab.RDFFirst), g.values(head, vocab.RDFRest)
		if head.Value() == vocab.RDFNil {
			return members, len(first)+len(rest) == 0
		}
		if len(first) != 1 || len(rest) != 1 {
			return nil, false
		}
		members, head = append(members, first[0]), rest[0]
	}
	return nil, false // it does not end
}

var (
	shapeParameters  = []string{vocab.SHNode, vocab.SHProperty, vocab.SHNot, vocab.SHQualifiedValueShape}
	listParameters   = []string{vocab.SHAnd, vocab.SHOr, vocab.SHXone}
	targetPredicates = []string{vocab.SHTargetNode, vocab.SHTargetClass, vocab.SHTargetSubjectsOf, vocab.SHTargetObjectsOf}
)

// shapes is the definition of "shape" (section 2.1).
func (g statements) shapes() (all []rdf.Term) {
	parameters := slices.Concat(shacl.Parameters(), targetPredicates)
	for _, t := range g {
		p := t.p.Value()
		if g.typedShape(t.s) || slices.Contains(parameters, p) {
			all = with(all, t.s)
		}
		if slices.Contains(shapeParameters, p) {
			all = with(all, t.o)
		}
		if slices.Contains(listParameters, p) {
			members, _ := g.list(t.o)
			all = with(all, members...)
		}
	}
	return slices.DeleteFunc(all, isLiteral)
}

func isLiteral(t rdf.Term) bool { return t.Kind() == rdf.KindLiteral }

func isNoIRI(t rdf.Term) bool { return t.Kind() != rdf.KindIRI }

func ofAnother(datatypes ...string) func(rdf.Term) bool {
	return func(t rdf.Term) bool { return !slices.Contains(datatypes, t.Datatype()) }
}

// brokenRule returns a syntax rule of appendix B that a graph breaks, "" when there is none.
func (g statements) brokenRule() string {
	for _, s := range g.shapes() {
		if rule := g.brokenBy(s); rule != "" {
			return rule + " by " + s.String()
		}
	}
	return ""
}

func (g statements) brokenBy(s rdf.Term) string {
	noListOf := func(unfit func(rdf.Term) bool) func(rdf.Term) bool {
		return func(t rdf.Term) bool {
			members, ok := g.list(t)
			return !ok || slices.ContainsFunc(members, unfit)
		}
	}
	isProperty := func(t rdf.Term) bool { return len(g.values(t, vocab.SHPath)) > 0 }
	never := func(rdf.Term) bool { return false }
	for _, rule := range []struct {
		unfit      func(rdf.Term) bool
		several    bool // values are allowed
		predicates []string
	}{
		{isBlank, true, []string{vocab.SHTargetNode}},
		{isNoIRI, true, []string{vocab.SHTargetClass, vocab.SHTargetSubjectsOf, vocab.SHTargetObjectsOf, vocab.SHClass, vocab.SHEquals, vocab.SHDisjoint, vocab.SHLessThan, vocab.SHLessThanOrEquals}},
		{isNoIRI, false, []string{vocab.SHSeverity, vocab.SHDatatype, vocab.SHNodeKind}},
		{ofAnother(vocab.XSDString, vocab.RDFLangString), true, []string{vocab.SHMessage}},
		{ofAnother(vocab.XSDString), false, []string{vocab.SHPattern, vocab.SHFlags}},
		{ofAnother(vocab.XSDBoolean), false, []string{vocab.SHDeactivated, vocab.SHUniqueLang, vocab.SHClosed, vocab.SHQualifiedValueShapesDisjoint}},
		{ofAnother(vocab.XSDInteger), false, []string{vocab.SHMinCount, vocab.SHMaxCount, vocab.SHMinLength, vocab.SHMaxLength, vocab.SHQualifiedMinCount, vocab.SHQualifiedMaxCount}},
		{func(t rdf.Term) bool { return !isLiteral(t) }, false, []string{vocab.SHMinExclusive, vocab.SHMinInclusive, vocab.SHMaxExclusive, vocab.SHMaxInclusive}},
		{isLiteral, true, []string{vocab.SHNot}},
		{isLiteral, false, []string{vocab.SHQualifiedValueShape}},
		{func(t rdf.Term) bool { return isLiteral(t) || isProperty(t) }, true, []string{vocab.SHNode}},
		{func(t rdf.Term) bool { return !isProperty(t) }, true, []string{vocab.SHProperty}},
		{noListOf(isLiteral), true, listParameters},
		{noListOf(ofAnother(vocab.XSDString)), false, []string{vocab.SHLanguageIn}},
		{noListOf(isNoIRI), false, []string{vocab.SHIgnoredProperties}},
		{noListOf(never), false, []string{vocab.SHIn}},
		{func(t rdf.Term) bool { return !g.isPath(t, nil) }, false, []string{vocab.SHPath}},
		{func(p rdf.Term) bool { _, err := g.pattern(s, p); return err != nil }, true, []string{vocab.SHPattern}},
	} {
		for _, predicate := range rule.predicates {
			values := g.values(s, predicate)
			if slices.ContainsFunc(values, rule.unfit) || len(values) > 1 && !rule.several {
				return "the values of " + predicate
			}
		}
	}
	for _, kind := range g.values(s, vocab.SHNodeKind) {
		if !slices.Contains([]string{"IRI", "Literal", "BlankNode", "BlankNodeOrIRI", "BlankNodeOrLiteral", "IRIOrLiteral"}, strings.TrimPrefix(kind.Value(), vocab.SH)) {
			return "nodeKind-in"
		}
	}
	for _, p := range []string{vocab.SHMinCount, vocab.SHMaxCount, vocab.SHUniqueLang, vocab.SHLessThan, vocab.SHLessThanOrEquals, vocab.SHQualifiedValueShape} {
		if !isProperty(s) && len(g.values(s, p)) > 0 {
			return p + " of a node shape"
		}
	}
	switch {
	case g.isInstance(s, vocab.SHNodeShape) && isProperty(s):
		return "NodeShape-path-maxCount"
	case g.isInstance(s, vocab.SHPropertyShape) && !isProperty(s):
		return "PropertyShape-path-minCount"
	case g.typedShape(s) && g.isInstance(s, vocab.RDFSClass) && isNoIRI(s):
		return "implicit-targetClass-nodeKind"
	}
	return ""
}

// isPath reports whether a node is a well-formed path (section 2.3.1), within others. A
// list is one whatever else it has, as in the W3C suite.
func (g statements) isPath(path rdf.Term, within []rdf.Term) bool {
	switch path.Kind() {
	case rdf.KindIRI:
		return true
	case rdf.KindLiteral:
		return false
	}
	if slices.Contains(within, path) {
		return false
	}
	within = append(slices.Clone(within), path)
	arePaths := func(list rdf.Term) bool {
		members, ok := g.list(list)
		return ok && len(members) >= 2 && !slices.ContainsFunc(members, func(m rdf.Term) bool { return !g.isPath(m, within) })
	}
	if arePaths(path) {
		return true
	}
	about := g.about(path)
	if len(about) != 1 {
		return false
	}
	switch t := about[0]; t.p.Value() {
	case vocab.SHAlternativePath:
		return arePaths(t.o)
	case vocab.SHInversePath, vocab.SHZeroOrMorePath, vocab.SHOneOrMorePath, vocab.SHZeroOrOnePath:
		return g.isPath(t.o, within)
	}
	return false
}
