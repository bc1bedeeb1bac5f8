package vocab

// SHACL, the Shapes Constraint Language (namespace sh:). The classes sh:Severity,
// sh:NodeKind and sh:Parameter, which would share their Go name with a property,
// are left out.
const (
	SH = "http://www.w3.org/ns/shacl#"

	// Shapes and targets (sections 2 and 3).
	SHShape            = SH + "Shape"
	SHNodeShape        = SH + "NodeShape"
	SHPropertyShape    = SH + "PropertyShape"
	SHTargetClass      = SH + "targetClass"
	SHTargetNode       = SH + "targetNode"
	SHTargetObjectsOf  = SH + "targetObjectsOf"
	SHTargetSubjectsOf = SH + "targetSubjectsOf"
	SHPath             = SH + "path"
	SHSeverity         = SH + "severity"
	SHMessage          = SH + "message"
	SHDeactivated      = SH + "deactivated"
	SHViolation        = SH + "Violation"
	SHWarning          = SH + "Warning"
	SHInfo             = SH + "Info"

	// Property paths (section 2.3.1).
	SHAlternativePath = SH + "alternativePath"
	SHInversePath     = SH + "inversePath"
	SHZeroOrMorePath  = SH + "zeroOrMorePath"
	SHOneOrMorePath   = SH + "oneOrMorePath"
	SHZeroOrOnePath   = SH + "zeroOrOnePath"

	// Non-validating characteristics (section 2.3.2).
	SHName          = SH + "name"
	SHDescription   = SH + "description"
	SHOrder         = SH + "order"
	SHGroup         = SH + "group"
	SHDefaultValue  = SH + "defaultValue"
	SHPropertyGroup = SH + "PropertyGroup"

	// Graphs and prefixes (sections 3.1, 3.2 and 5.2.1).
	SHShapesGraph           = SH + "shapesGraph"
	SHSuggestedShapesGraph  = SH + "suggestedShapesGraph"
	SHShapesGraphWellFormed = SH + "shapesGraphWellFormed"
	SHEntailment            = SH + "entailment"
	SHDeclare               = SH + "declare"
	SHPrefixes              = SH + "prefixes"
	SHPrefix                = SH + "prefix"
	SHNamespace             = SH + "namespace"
	SHPrefixDeclaration     = SH + "PrefixDeclaration"

	// The validation report (section 3.6).
	SHValidationReport          = SH + "ValidationReport"
	SHValidationResult          = SH + "ValidationResult"
	SHConforms                  = SH + "conforms"
	SHResult                    = SH + "result"
	SHDetail                    = SH + "detail"
	SHFocusNode                 = SH + "focusNode"
	SHResultMessage             = SH + "resultMessage"
	SHResultPath                = SH + "resultPath"
	SHResultSeverity            = SH + "resultSeverity"
	SHSourceConstraint          = SH + "sourceConstraint"
	SHSourceConstraintComponent = SH + "sourceConstraintComponent"
	SHSourceShape               = SH + "sourceShape"
	SHValue                     = SH + "value"

	// Value type (section 4.1).
	SHClass              = SH + "class"
	SHDatatype           = SH + "datatype"
	SHNodeKind           = SH + "nodeKind"
	SHIRI                = SH + "IRI"
	SHBlankNode          = SH + "BlankNode"
	SHLiteral            = SH + "Literal"
	SHBlankNodeOrIRI     = SH + "BlankNodeOrIRI"
	SHBlankNodeOrLiteral = SH + "BlankNodeOrLiteral"
	SHIRIOrLiteral       = SH + "IRIOrLiteral"

	// Cardinality (section 4.2).
	SHMinCount = SH + "minCount"
	SHMaxCount = SH + "maxCount"

	// Value range (section 4.3).
	SHMinExclusive = SH + "minExclusive"
	SHMinInclusive = SH + "minInclusive"
	SHMaxExclusive = SH + "maxExclusive"
	SHMaxInclusive = SH + "maxInclusive"

	// String-based (section 4.4).
	SHMinLength  = SH + "minLength"
	SHMaxLength  = SH + "maxLength"
	SHPattern    = SH + "pattern"
	SHFlags      = SH + "flags"
	SHLanguageIn = SH + "languageIn"
	SHUniqueLang = SH + "uniqueLang"

	// Property pair (section 4.5).
	SHEquals           = SH + "equals"
	SHDisjoint         = SH + "disjoint"
	SHLessThan         = SH + "lessThan"
	SHLessThanOrEquals = SH + "lessThanOrEquals"

	// Logical (section 4.6).
	SHNot  = SH + "not"
	SHAnd  = SH + "and"
	SHOr   = SH + "or"
	SHXone = SH + "xone"

	// Shape-based (section 4.7).
	SHNode                         = SH + "node"
	SHProperty                     = SH + "property"
	SHQualifiedValueShape          = SH + "qualifiedValueShape"
	SHQualifiedValueShapesDisjoint = SH + "qualifiedValueShapesDisjoint"
	SHQualifiedMinCount            = SH + "qualifiedMinCount"
	SHQualifiedMaxCount            = SH + "qualifiedMaxCount"

	// Other (section 4.8).
	SHClosed            = SH + "closed"
	SHIgnoredProperties = SH + "ignoredProperties"
	SHHasValue          = SH + "hasValue"
	SHIn                = SH + "in"

	// Constraint components (section 4).
	SHClassConstraintComponent             = SH + "ClassConstraintComponent"
	SHDatatypeConstraintComponent          = SH + "DatatypeConstraintComponent"
	SHNodeKindConstraintComponent          = SH + "NodeKindConstraintComponent"
	SHMinCountConstraintComponent          = SH + "MinCountConstraintComponent"
	SHMaxCountConstraintComponent          = SH + "MaxCountConstraintComponent"
	SHMinExclusiveConstraintComponent      = SH + "MinExclusiveConstraintComponent"
	SHMinInclusiveConstraintComponent      = SH + "MinInclusiveConstraintComponent"
	SHMaxExclusiveConstraintComponent      = SH + "MaxExclusiveConstraintComponent"
	SHMaxInclusiveConstraintComponent      = SH + "MaxInclusiveConstraintComponent"
	SHMinLengthConstraintComponent         = SH + "MinLengthConstraintComponent"
	SHMaxLengthConstraintComponent         = SH + "MaxLengthConstraintComponent"
	SHPatternConstraintComponent           = SH + "PatternConstraintComponent"
	SHLanguageInConstraintComponent        = SH + "LanguageInConstraintComponent"
	SHUniqueLangConstraintComponent        = SH + "UniqueLangConstraintComponent"
	SHEqualsConstraintComponent            = SH + "EqualsConstraintComponent"
	SHDisjointConstraintComponent          = SH + "DisjointConstraintComponent"
	SHLessThanConstraintComponent          = SH + "LessThanConstraintComponent"
	SHLessThanOrEqualsConstraintComponent  = SH + "LessThanOrEqualsConstraintComponent"
	SHNotConstraintComponent               = SH + "NotConstraintComponent"
	SHAndConstraintComponent               = SH + "AndConstraintComponent"
	SHOrConstraintComponent                = SH + "OrConstraintComponent"
	SHXoneConstraintComponent              = SH + "XoneConstraintComponent"
	SHNodeConstraintComponent              = SH + "NodeConstraintComponent"
	SHPropertyConstraintComponent          = SH + "PropertyConstraintComponent"
	SHQualifiedMinCountConstraintComponent = SH + "QualifiedMinCountConstraintComponent"
	SHQualifiedMaxCountConstraintComponent = SH + "QualifiedMaxCountConstraintComponent"
	SHClosedConstraintComponent            = SH + "ClosedConstraintComponent"
	SHHasValueConstraintComponent          = SH + "HasValueConstraintComponent"
	SHInConstraintComponent                = SH + "InConstraintComponent"

	// Declaration of constraint components and SHACL-SPARQL (sections 5 and 6).
	SHConstraintComponent = SH + "ConstraintComponent"
	SHParameter           = SH + "parameter"
	SHOptional            = SH + "optional"
	SHLabelTemplate       = SH + "labelTemplate"
	SHValidator           = SH + "validator"
	SHNodeValidator       = SH + "nodeValidator"
	SHPropertyValidator   = SH + "propertyValidator"
	SHSparql              = SH + "sparql"
	SHSelect              = SH + "select"
	SHAsk                 = SH + "ask"

	// SHACL Advanced Features and SHACL JavaScript Extensions (working group notes).
	SHTarget      = SH + "target"
	SHRule        = SH + "rule"
	SHExpression  = SH + "expression"
	SHJs          = SH + "js"
	SHValues      = SH + "values"
	SHFilterShape = SH + "filterShape"
)
