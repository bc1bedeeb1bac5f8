package shacl

import (
	"strings"
	"sync"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// role is what a predicate means where it stands on a shape.
type role struct {
	kind  roleKind
	param uint8      // index of parameters for isParameter
	class classFlags // what instances of it are
}

// classFlags says what the instances of a class are, subclasses in the shapes
// graph included.
type classFlags uint8

const (
	nodeShapeClass classFlags = 1 << iota
	propertyShapeClass
	metaclass // rdfs:Class
)

type roleKind uint8

const (
	isForeign        roleKind = iota // outside the SHACL namespace
	isParameter                      // of a constraint component
	isTarget                         // sh:targetClass and its like
	isPath                           // sh:path
	isKnown                          // read with the shape, or without a meaning for validation
	isEntailment                     // sh:entailment
	isUnsupported                    // a feature of SHACL that is not evaluated
	isQuery                          // text of a SPARQL query, not evaluated either; it stands on other nodes than shapes as well
	isUnknown                        // nothing that SHACL has
	isPathExpression                 // sh:inversePath and its like
	isElsewhere                      // a term that SHACL has, but not for shapes
)

// readRoles finds the role of every IRI of the dataset that is in the SHACL
// namespace, those that look as if they were, and the parameters of custom
// constraint components.
func (k *compiler) readRoles() {
	for id := rdf.ID(1); int(id) <= k.d.NumTerms(); id++ {
		if k.d.Kind(id) != rdf.KindIRI {
			continue
		}
		iri := k.d.Value(id)
		local, ok := strings.CutPrefix(iri, vocab.SH)
		if !ok {
			if lookalike(iri) {
				put(&k.lookalikes, id, true)
			}
			continue
		}
		k.terms[id].role = roleOf(local)
		if to := k.ids.of(iri); to != nil {
			*to = id
		}
	}
	k.flagClass(vocab.SHNodeShape, nodeShapeClass)
	k.flagClass(vocab.SHPropertyShape, propertyShapeClass)
	k.flagClass(vocab.RDFSClass, metaclass)
	if k.ids.parameter == 0 || k.ids.path == 0 {
		return
	}
	var seen map[rdf.ID]bool // parameters, which components may share: whether of a custom one
	for q := range k.g.Predicate(k.ids.parameter).Quads() {
		// SHACL's own vocabulary describes its components and their parameters. Whatever
		// else it is that has a parameter is not evaluated, in whichever namespace.
		custom := k.terms[q.S].kind != isElsewhere || !strings.HasSuffix(k.d.Value(q.S), "ConstraintComponent")
		if before, ok := seen[q.O]; ok && (before || !custom) {
			continue
		}
		put(&seen, q.O, custom)
		for path := range k.g.Objects(q.O, k.ids.path).Quads() {
			if custom || k.terms[path.O].kind == isForeign {
				put(&k.custom, path.O, q.S)
			}
		}
	}
}

// flagClass flags a class and its subclasses in the shapes graph.
func (k *compiler) flagClass(iri string, f classFlags) {
	class := k.d.LookupIRI(iri)
	if class == 0 {
		return
	}
	k.terms[class].class |= f
	if k.ids.subClassOf == 0 {
		return
	}
	for all := []rdf.ID{class}; len(all) > 0; all = all[1:] {
		for q := range k.g.Subjects(k.ids.subClassOf, all[0]).Quads() {
			if k.terms[q.S].class&f == 0 {
				k.terms[q.S].class |= f
				all = append(all, q.S)
			}
		}
	}
}

// instanceOf returns what a node is as a SHACL instance in the shapes graph
// (section 1.1).
func (k *compiler) instanceOf(node rdf.ID) (f classFlags) {
	for q := range k.g.Objects(node, k.ids.typ).Quads() {
		f |= k.terms[q.O].class
	}
	return f
}

// of returns where the ID of an IRI of SHACL is kept, nil for one that compiling
// does not look for.
func (i *ids) of(iri string) *rdf.ID {
	switch iri {
	case vocab.SHPath:
		return &i.path
	case vocab.SHAlternativePath:
		return &i.alternative
	case vocab.SHInversePath:
		return &i.inverse
	case vocab.SHZeroOrMorePath:
		return &i.zeroOrMore
	case vocab.SHOneOrMorePath:
		return &i.oneOrMore
	case vocab.SHZeroOrOnePath:
		return &i.zeroOrOne
	case vocab.SHProperty:
		return &i.property
	case vocab.SHQualifiedValueShape:
		return &i.qualifiedValueShape
	case vocab.SHSeverity:
		return &i.severity
	case vocab.SHMessage:
		return &i.message
	case vocab.SHDeactivated:
		return &i.deactivated
	case vocab.SHParameter:
		return &i.parameter
	}
	return nil
}

// roleOf returns the role of an IRI of the SHACL namespace, by its local name.
func roleOf(local string) role {
	if r, ok := roles()[local]; ok {
		return r
	}
	if isOtherTerm(local) {
		return role{kind: isElsewhere}
	}
	return role{kind: isUnknown}
}

// roles are the roles of the terms of SHACL that stand on shapes, and of the constraint
// components, by local name.
var roles = sync.OnceValue(makeRoles)

func makeRoles() map[string]role {
	roles := map[string]role{}
	set := func(kind roleKind, iris ...string) {
		for _, iri := range iris {
			roles[strings.TrimPrefix(iri, vocab.SH)] = role{kind: kind}
		}
	}
	set(isTarget, vocab.SHTargetClass, vocab.SHTargetNode, vocab.SHTargetSubjectsOf, vocab.SHTargetObjectsOf)
	set(isPath, vocab.SHPath)
	set(isPathExpression, vocab.SHAlternativePath, vocab.SHInversePath, vocab.SHZeroOrMorePath, vocab.SHOneOrMorePath, vocab.SHZeroOrOnePath)
	set(isKnown, vocab.SHSeverity, vocab.SHMessage, vocab.SHDeactivated,
		// Non-validating characteristics (section 2.3.2).
		vocab.SHName, vocab.SHDescription, vocab.SHOrder, vocab.SHGroup, vocab.SHDefaultValue,
		// A shape may be the ontology that its graph describes, too.
		vocab.SHShapesGraph, vocab.SHSuggestedShapesGraph, vocab.SHDeclare, vocab.SHPrefixes,
		// A shape may describe a parameter, or be a constraint component.
		vocab.SHOptional, vocab.SHParameter, vocab.SHLabelTemplate,
		vocab.SHValidator, vocab.SHNodeValidator, vocab.SHPropertyValidator)
	set(isEntailment, vocab.SHEntailment)
	set(isUnsupported, vocab.SHSparql, vocab.SHJs, vocab.SHTarget, vocab.SHRule, vocab.SHExpression, vocab.SHValues)
	set(isQuery, vocab.SHSelect, vocab.SHAsk)
	set(isElsewhere, componentIRIs[:]...)
	for i := range parameters {
		roles[strings.TrimPrefix(parameters[i].iri, vocab.SH)] = role{kind: isParameter, param: uint8(i)}
	}
	return roles
}

// isOtherTerm reports whether a local name is one of the other terms of SHACL, of its
// advanced features and of its JavaScript extensions: those that stand on no shape, and
// those that are no properties.
func isOtherTerm(local string) bool {
	switch local {
	case
		"ValidationReport", "ValidationResult", "AbstractResult", "ResultAnnotation", "conforms", "result",
		"detail", "focusNode", "resultMessage", "resultPath",
		"resultSeverity", "sourceConstraint", "sourceConstraintComponent", "sourceShape", "value",
		"shapesGraphWellFormed",
		"resultAnnotation", "annotationProperty", "annotationValue", "annotationVarName",
		"prefix", "namespace", "PrefixDeclaration",
		"Shape", "NodeShape", "PropertyShape", "Severity", "Info", "Warning", "Violation", "PropertyGroup",
		"NodeKind", "IRI", "BlankNode", "Literal", "BlankNodeOrIRI", "BlankNodeOrLiteral", "IRIOrLiteral",
		"ConstraintComponent", "Parameter", "Parameterizable", "Validator",
		"construct", "update", "ask", "select", "returnType", "Function", "condition", "subject",
		"predicate", "object",
		"filterShape", "nodes", "intersection", "union", "this", "if", "then", "else", "exists", "count",
		"sum", "min", "max", "distinct", "limit", "offset", "orderBy", "desc", "concat", "join",
		"groupConcat",
		"Target", "TargetType", "Rule", "TripleRule", "targetShape",
		"SPARQLExecutable", "SPARQLAskExecutable", "SPARQLSelectExecutable", "SPARQLConstructExecutable",
		"SPARQLUpdateExecutable",
		"SPARQLAskValidator", "SPARQLSelectValidator", "SPARQLConstraint", "SPARQLConstraintComponent",
		"SPARQLFunction", "SPARQLRule", "SPARQLTarget", "SPARQLTargetType",
		"JSExecutable", "JSConstraint", "JSConstraintComponent", "JSFunction", "JSLibrary", "JSRule",
		"JSTarget", "JSTargetType", "JSValidator",
		"jsFunctionName", "jsLibrary", "jsLibraryURL",
		"ExpressionConstraintComponent":
		return true
	}
	return false
}

// lookalike reports whether an IRI that is not in the SHACL namespace looks like
// a term of SHACL.
func lookalike(iri string) bool {
	// Another scheme, another case, another character at the end.
	for _, namespace := range [...]string{"http://www.w3.org/ns/shacl", "https://www.w3.org/ns/shacl"} {
		if len(iri) > len(namespace) && strings.IndexByte("#/:?", iri[len(namespace)]) >= 0 && strings.EqualFold(iri[:len(namespace)], namespace) {
			return true
		}
	}
	// Another host.
	const path = "w3.org/ns/shacl"
	if i := strings.Index(iri, path); i >= 0 && i+len(path) < len(iri) && strings.IndexByte("#/:?", iri[i+len(path)]) >= 0 {
		return true
	}
	for _, local := range [...]string{"NodeShape", "PropertyShape", "targetClass", "targetNode", "targetSubjectsOf", "targetObjectsOf"} {
		if namespace, ok := strings.CutSuffix(iri, local); ok {
			namespace = strings.ToLower(namespace)
			return strings.Contains(namespace, "shacl") || strings.Contains(namespace, "www.w3.org/ns/")
		}
	}
	return false
}
