package shacl

import (
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// role is what a predicate means where it stands on a shape.
type role struct {
	kind  roleKind
	param uint8 // index of compiler.table for isParameter
}

type roleKind uint8

const (
	isForeign        roleKind = iota // outside the SHACL namespace
	isParameter                      // of a constraint component
	isTarget                         // sh:targetClass and its like
	isPath                           // sh:path
	isKnown                          // read with the shape, or without a meaning for validation
	isEntailment                     // sh:entailment
	isUnsupported                    // a feature of SHACL that is not evaluated
	isUnknown                        // nothing that SHACL has
	isPathExpression                 // sh:inversePath and its like
)

// readRoles finds the role of every IRI of the dataset that is in the SHACL
// namespace, those that look as if they were, and the parameters of custom
// constraint components.
func (k *compiler) readRoles() {
	k.roles = make([]role, k.d.NumTerms()+1)
	for id := rdf.ID(1); int(id) <= k.d.NumTerms(); id++ {
		if k.d.Kind(id) != rdf.KindIRI {
			continue
		}
		switch iri := k.d.Value(id); {
		case strings.HasPrefix(iri, vocab.SH):
			k.roles[id] = k.roleOf(iri)
		case lookalike(iri):
			k.lookalikes = append(k.lookalikes, id)
		}
	}
	if k.ids.parameter == 0 || k.ids.path == 0 {
		return
	}
	for q := range k.g.Predicate(k.ids.parameter).Quads() {
		if strings.HasPrefix(k.d.Value(q.S), vocab.SH) && k.d.Kind(q.S) == rdf.KindIRI {
			continue // the SHACL vocabulary's description of SHACL Core itself
		}
		for path := range k.g.Objects(q.O, k.ids.path).Quads() {
			if k.roles[path.O].kind == isForeign {
				if k.custom == nil {
					k.custom = map[rdf.ID]rdf.ID{}
				}
				k.custom[path.O] = q.S
			}
		}
	}
}

func (k *compiler) roleOf(iri string) role {
	for i := range k.table {
		if k.table[i].iri == iri {
			return role{isParameter, uint8(i)}
		}
	}
	switch iri {
	case vocab.SHTargetClass, vocab.SHTargetNode, vocab.SHTargetSubjectsOf, vocab.SHTargetObjectsOf:
		return role{kind: isTarget}
	case vocab.SHPath:
		return role{kind: isPath}
	case vocab.SHAlternativePath, vocab.SHInversePath, vocab.SHZeroOrMorePath, vocab.SHOneOrMorePath, vocab.SHZeroOrOnePath:
		return role{kind: isPathExpression}
	case vocab.SHSeverity, vocab.SHMessage, vocab.SHDeactivated,
		// Non-validating characteristics (section 2.3.2).
		vocab.SHName, vocab.SHDescription, vocab.SHOrder, vocab.SHGroup, vocab.SHDefaultValue,
		// A shape may be the ontology that its graph describes, too.
		vocab.SHShapesGraph, vocab.SHSuggestedShapesGraph, vocab.SHDeclare, vocab.SHPrefixes,
		// A shape may describe a parameter, or be a constraint component.
		vocab.SHOptional, vocab.SHParameter, vocab.SHLabelTemplate,
		vocab.SHValidator, vocab.SHNodeValidator, vocab.SHPropertyValidator:
		return role{kind: isKnown}
	case vocab.SHEntailment:
		return role{kind: isEntailment}
	case vocab.SHSparql, vocab.SHSelect, vocab.SHAsk, vocab.SHJs, vocab.SHTarget, vocab.SHRule, vocab.SHExpression, vocab.SHValues:
		return role{kind: isUnsupported}
	}
	return role{kind: isUnknown}
}

// lookalike reports whether an IRI that is not in the SHACL namespace looks like
// a term of SHACL.
func lookalike(iri string) bool {
	for _, local := range [...]string{"NodeShape", "PropertyShape", "targetClass", "targetNode", "targetSubjectsOf", "targetObjectsOf"} {
		if namespace, ok := strings.CutSuffix(iri, local); ok {
			namespace = strings.ToLower(namespace)
			return strings.Contains(namespace, "shacl") || strings.Contains(namespace, "www.w3.org/ns/")
		}
	}
	return false
}
