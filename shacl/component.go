package shacl

import "github.com/rdfproto/rdfproto/rdf/vocab"

// component is a constraint component of SHACL Core (section 4).
//
// What makes one up: the IRIs of it and of its parameters in vocab; its constant, its
// IRI and its parameters in this file; in the file of its section a function that
// compiles a value of the parameter, and a type of [check]. The check spends what a
// value costs beyond the one check that is paid for it ([run.spend], [run.spendText]).
// Three switches know the types of checks: [reading.shape] what they read beside value
// nodes, where an unknown one refuses --scope shapes; [Program.view] what they show of
// themselves; [worst.shape] what they cost beyond a check of each value.
// protocol/compare.go knows which change of a parameter is wider or narrower.
// [compiler.readRoles] finds parameters in the SHACL namespace alone.
//
// Rows of it are in the test of its section, in compile_test.go for what is refused, in
// TestReasons, in generate_test.go and reference_test.go, and in hostile_test.go where a value
// can be costly.
type component uint8

const (
	classComponent component = iota
	datatypeComponent
	nodeKindComponent
	minCountComponent
	maxCountComponent
	minExclusiveComponent
	minInclusiveComponent
	maxExclusiveComponent
	maxInclusiveComponent
	minLengthComponent
	maxLengthComponent
	patternComponent
	languageInComponent
	uniqueLangComponent
	equalsComponent
	disjointComponent
	lessThanComponent
	lessThanOrEqualsComponent
	notComponent
	andComponent
	orComponent
	xoneComponent
	nodeComponent
	propertyComponent
	qualifiedMinCountComponent
	qualifiedMaxCountComponent
	closedComponent
	hasValueComponent
	inComponent

	numComponents
)

var componentIRIs = [numComponents]string{
	classComponent:             vocab.SHClassConstraintComponent,
	datatypeComponent:          vocab.SHDatatypeConstraintComponent,
	nodeKindComponent:          vocab.SHNodeKindConstraintComponent,
	minCountComponent:          vocab.SHMinCountConstraintComponent,
	maxCountComponent:          vocab.SHMaxCountConstraintComponent,
	minExclusiveComponent:      vocab.SHMinExclusiveConstraintComponent,
	minInclusiveComponent:      vocab.SHMinInclusiveConstraintComponent,
	maxExclusiveComponent:      vocab.SHMaxExclusiveConstraintComponent,
	maxInclusiveComponent:      vocab.SHMaxInclusiveConstraintComponent,
	minLengthComponent:         vocab.SHMinLengthConstraintComponent,
	maxLengthComponent:         vocab.SHMaxLengthConstraintComponent,
	patternComponent:           vocab.SHPatternConstraintComponent,
	languageInComponent:        vocab.SHLanguageInConstraintComponent,
	uniqueLangComponent:        vocab.SHUniqueLangConstraintComponent,
	equalsComponent:            vocab.SHEqualsConstraintComponent,
	disjointComponent:          vocab.SHDisjointConstraintComponent,
	lessThanComponent:          vocab.SHLessThanConstraintComponent,
	lessThanOrEqualsComponent:  vocab.SHLessThanOrEqualsConstraintComponent,
	notComponent:               vocab.SHNotConstraintComponent,
	andComponent:               vocab.SHAndConstraintComponent,
	orComponent:                vocab.SHOrConstraintComponent,
	xoneComponent:              vocab.SHXoneConstraintComponent,
	nodeComponent:              vocab.SHNodeConstraintComponent,
	propertyComponent:          vocab.SHPropertyConstraintComponent,
	qualifiedMinCountComponent: vocab.SHQualifiedMinCountConstraintComponent,
	qualifiedMaxCountComponent: vocab.SHQualifiedMaxCountConstraintComponent,
	closedComponent:            vocab.SHClosedConstraintComponent,
	hasValueComponent:          vocab.SHHasValueConstraintComponent,
	inComponent:                vocab.SHInConstraintComponent,
}

// iri returns the component's IRI, the value of sh:sourceConstraintComponent.
func (c component) iri() string { return componentIRIs[c] }

// parameter is a parameter of constraint components (section 2.3.1, "declare").
type parameter struct {
	iri       string
	component component
	// single says that a shape has at most one value: by a rule of the
	// parameter, or because its component has more than one parameter (rule
	// multiple-parameters).
	single bool
	// propertyOnly says that a node shape must not have it.
	propertyOnly bool
	// compile makes the check of one value, nil after it reported a problem or
	// where the value has no effect. A nil compile marks a parameter that
	// another one reads.
	compile func(k *compiler, s *shape, v value) check
}

// parameters are all parameters of SHACL Core, in the order in which a shape's
// constraints are checked and reported: that of section 4.
var parameters = [...]parameter{
	// 4.1 Value type
	{iri: vocab.SHClass, component: classComponent, compile: compileClass},
	{iri: vocab.SHDatatype, component: datatypeComponent, single: true, compile: compileDatatype},
	{iri: vocab.SHNodeKind, component: nodeKindComponent, single: true, compile: compileNodeKind},
	// 4.2 Cardinality
	{iri: vocab.SHMinCount, component: minCountComponent, single: true, propertyOnly: true, compile: compileMinCount},
	{iri: vocab.SHMaxCount, component: maxCountComponent, single: true, propertyOnly: true, compile: compileMaxCount},
	// 4.3 Value range
	{iri: vocab.SHMinExclusive, component: minExclusiveComponent, single: true, compile: compileMinExclusive},
	{iri: vocab.SHMinInclusive, component: minInclusiveComponent, single: true, compile: compileMinInclusive},
	{iri: vocab.SHMaxExclusive, component: maxExclusiveComponent, single: true, compile: compileMaxExclusive},
	{iri: vocab.SHMaxInclusive, component: maxInclusiveComponent, single: true, compile: compileMaxInclusive},
	// 4.4 String-based
	{iri: vocab.SHMinLength, component: minLengthComponent, single: true, compile: compileMinLength},
	{iri: vocab.SHMaxLength, component: maxLengthComponent, single: true, compile: compileMaxLength},
	{iri: vocab.SHPattern, component: patternComponent, single: true, compile: compilePattern},
	{iri: vocab.SHFlags, component: patternComponent, single: true},
	{iri: vocab.SHLanguageIn, component: languageInComponent, single: true, compile: compileLanguageIn},
	{iri: vocab.SHUniqueLang, component: uniqueLangComponent, single: true, propertyOnly: true, compile: compileUniqueLang},
	// 4.5 Property pair
	{iri: vocab.SHEquals, component: equalsComponent, compile: compileEquals},
	{iri: vocab.SHDisjoint, component: disjointComponent, compile: compileDisjoint},
	{iri: vocab.SHLessThan, component: lessThanComponent, propertyOnly: true, compile: compileLessThan},
	{iri: vocab.SHLessThanOrEquals, component: lessThanOrEqualsComponent, propertyOnly: true, compile: compileLessThanOrEquals},
	// 4.6 Logical
	{iri: vocab.SHNot, component: notComponent, compile: compileNot},
	{iri: vocab.SHAnd, component: andComponent, compile: compileAnd},
	{iri: vocab.SHOr, component: orComponent, compile: compileOr},
	{iri: vocab.SHXone, component: xoneComponent, compile: compileXone},
	// 4.7 Shape-based
	{iri: vocab.SHNode, component: nodeComponent, compile: compileNode},
	{iri: vocab.SHProperty, component: propertyComponent, compile: compileProperty},
	{iri: vocab.SHQualifiedValueShape, component: qualifiedMinCountComponent, single: true, propertyOnly: true},
	{iri: vocab.SHQualifiedValueShapesDisjoint, component: qualifiedMinCountComponent, single: true},
	{iri: vocab.SHQualifiedMinCount, component: qualifiedMinCountComponent, single: true, compile: compileQualifiedMinCount},
	{iri: vocab.SHQualifiedMaxCount, component: qualifiedMaxCountComponent, single: true, compile: compileQualifiedMaxCount},
	// 4.8 Other
	{iri: vocab.SHClosed, component: closedComponent, single: true, compile: compileClosed},
	{iri: vocab.SHIgnoredProperties, component: closedComponent, single: true},
	{iri: vocab.SHHasValue, component: hasValueComponent, compile: compileHasValue},
	{iri: vocab.SHIn, component: inComponent, single: true, compile: compileIn},
}
