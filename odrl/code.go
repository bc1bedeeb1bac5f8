package odrl

import (
	"maps"
	"slices"
)

// Code names the kind of a decision, of a finding or of a reason. Codes are
// stable: programs branch on them.
type Code string

// The codes of decisions. A policy that is refused denies with the code of the
// finding that says why.
const (
	CodePermitted         Code = "permitted"          // a permission applies, and nothing stands against it
	CodeNoPermission      Code = "no-permission"      // no rule is about the request: not permitted
	CodeProhibited        Code = "prohibited"         // a prohibition applies and no permission does
	CodeConflict          Code = "conflict"           // a permission and a prohibition apply, and the strategy does not prefer the permission
	CodeDutyOpen          Code = "duty-open"          // a permission would apply once its duties are fulfilled
	CodeRequestIncomplete Code = "request-incomplete" // the request has no action or no target
	CodeNotCompiled       Code = "not-compiled"       // there is no policy
)

// The codes of structure: the policy cannot be found or told apart. They are
// errors of Compile.
const (
	CodeNoPolicy         Code = "no-policy"         // the graph has no policy, or not the one asked for
	CodeSeveralPolicies  Code = "several-policies"  // the graph has more than one and none was asked for
	CodePolicyNotIRI     Code = "policy-not-iri"    // the policy is a blank node
	CodeUIDMismatch      Code = "uid-mismatch"      // odrl:uid is not the policy's own IRI
	CodeSeveralTypes     Code = "several-types"     // two subclasses of odrl:Policy
	CodeMissingType      Code = "missing-type"      // none, in the delegation profile
	CodeSeveralAssigners Code = "several-assigners" // two assigners on the policy, in the delegation profile
	CodeSeveralAssignees Code = "several-assignees" // two assignees on the policy, likewise
	CodeSeveralParents   Code = "several-parents"   // two values of odrld:delegatedUnder
	CodeInvalidParent    Code = "invalid-parent"    // one that is not an IRI
)

// The codes of refusal: the policy is found, but its meaning is in doubt as a
// whole, so that it permits nothing.
const (
	CodeUnknownProfile      Code = "unknown-profile"       // odrl:profile names one that is not known
	CodeUnknownPolicyType   Code = "unknown-policy-type"   // a class of the ODRL namespace that is no policy this package knows
	CodeGrantsNothing       Code = "grants-nothing"        // an Offer, a Request and the like
	CodeReplaced            Code = "replaced"              // dcterms:isReplacedBy, or dcterms:replaces of another
	CodeInherits            Code = "inherits"              // odrl:inheritFrom, in the delegation profile
	CodeMissingParent       Code = "missing-parent"        // odrl:inheritFrom names a policy that is not in the graph, or of which no rule is
	CodeInheritanceCycle    Code = "inheritance-cycle"     // a policy inherits from itself
	CodeInheritanceDepth    Code = "inheritance-depth"     // more than 8 levels
	CodeAssignedFromOutside Code = "assigned-from-outside" // hasPolicy, assigneeOf or assignerOf points at the policy, or at none of the graph
	CodeSharedUID           Code = "shared-uid"            // odrl:uid makes one thing of two nodes, each with properties of its own
	CodeUnusedRule          Code = "unused-rule"           // a rule, duty or constraint that no policy leads to
)

// The codes of terms: a rule, duty or constraint is not understood in part.
const (
	CodeUnknownProperty       Code = "unknown-property"        // a property of the ODRL namespace that is not known; on a policy it is refused
	CodeMisplacedProperty     Code = "misplaced-property"      // one that has no place on this kind of node; likewise
	CodeTypeMismatch          Code = "type-mismatch"           // a class of the ODRL namespace that contradicts how the node is used
	CodeNotANode              Code = "not-a-node"              // a literal where a rule, duty or constraint must be, or a list where a rule must
	CodeMissingRule           Code = "missing-rule"            // the graph says nothing of a rule
	CodeMissingAction         Code = "missing-action"          // no action, neither here nor on the policy
	CodeUnknownAction         Code = "unknown-action"          // an action that is not known
	CodeUnusableAction        Code = "unusable-action"         // a literal, or a node that says no action
	CodeMissingTarget         Code = "missing-target"          // a permission without a target
	CodeUnusableTarget        Code = "unusable-target"         // a target that names no asset
	CodeMissingAssignee       Code = "missing-assignee"        // a permission of an Agreement without an assignee
	CodeUnusableAssignee      Code = "unusable-assignee"       // an assignee that names no party
	CodeNotAConstraint        Code = "not-a-constraint"        // neither operands nor a logical operand
	CodeMissingOperand        Code = "missing-operand"         // leftOperand, operator or rightOperand is missing
	CodeSeveralOperands       Code = "several-operands"        // two of them where there must be one
	CodeUnknownLeftOperand    Code = "unknown-left-operand"    // a left operand that is not known
	CodeUnknownOperator       Code = "unknown-operator"        // an operator that is not known
	CodeUnusableRightOperand  Code = "unusable-right-operand"  // one that is no value, or ill-typed
	CodeRightOperandReference Code = "right-operand-reference" // it would have to be fetched
	CodeUnit                  Code = "unit"                    // odrl:unit: the request has none to compare
	CodeStatus                Code = "status"                  // odrl:status
	CodeDataType              Code = "data-type"               // odrl:dataType that does not fit
	CodeLogicalOperands       Code = "logical-operands"        // fewer than two, two that are the same, or no list
	CodeNesting               Code = "nesting"                 // constraints nested deeper than the limit, or in a circle
	CodeRefinement            Code = "refinement"              // a refinement, in the delegation profile
	CodeCollection            Code = "collection"              // a collection by reference, likewise
)

// The codes of what a request leaves unknown.
const (
	CodeMissingValue      Code = "missing-value"      // the request has no value for the left operand
	CodeSeveralValues     Code = "several-values"     // more than one for an operator that takes one
	CodeUnusableValue     Code = "unusable-value"     // a boolean, or a name given twice
	CodeIncomparable      Code = "incomparable"       // two values that have no order
	CodeMissingMembership Code = "missing-membership" // the request does not say what the party, asset or value is a member of
)

// The codes of warnings and hints: nothing denies because of them alone.
const (
	CodeDeprecatedTerm   Code = "deprecated-term"   // ODRL 2.2 has another word
	CodeIgnoredProperty  Code = "ignored-property"  // of another namespace: a description
	CodePublicPermission Code = "public-permission" // a permission without an assignee is for everyone
	CodeNoRules          Code = "no-rules"          // a policy without a rule permits nothing
	CodeMissingProfile   Code = "missing-profile"   // a chain of more than one policy needs the profile on each
	CodeUnknownConflict  Code = "unknown-conflict"  // a conflict strategy that is not known denies every conflict
	CodeUnknownDuty      Code = "unknown-duty"      // a duty that can never be fulfilled
)

// texts says each code in words.
var texts = map[Code]string{
	CodePermitted:         "permitted",
	CodeNoPermission:      "no permission of the policy applies",
	CodeProhibited:        "a prohibition applies",
	CodeConflict:          "a permission and a prohibition apply",
	CodeDutyOpen:          "a duty of the permission is not fulfilled",
	CodeRequestIncomplete: "the request is incomplete",
	CodeNotCompiled:       "there is no policy",

	CodeNoPolicy:         "there is no policy in the graph",
	CodeSeveralPolicies:  "there is more than one policy in the graph",
	CodePolicyNotIRI:     "a policy must be identified by an IRI",
	CodeUIDMismatch:      "the uid of the policy is not its IRI",
	CodeSeveralTypes:     "a policy must be of one subclass of odrl:Policy",
	CodeMissingType:      "a policy must have a type",
	CodeSeveralAssigners: "a policy must have one assigner",
	CodeSeveralAssignees: "a policy must have one assignee",
	CodeSeveralParents:   "a policy must be delegated under one policy",
	CodeInvalidParent:    "the policy that another is delegated under must be an IRI",

	CodeUnknownProfile:      "the profile is not known",
	CodeUnknownPolicyType:   "the kind of policy is not known",
	CodeGrantsNothing:       "a policy of this kind grants nothing",
	CodeReplaced:            "the policy is replaced by another",
	CodeInherits:            "the profile has no inheritance",
	CodeMissingParent:       "the policy that this one inherits from is not in the graph",
	CodeInheritanceCycle:    "the policy inherits from itself",
	CodeInheritanceDepth:    "inheritance is too deep",
	CodeAssignedFromOutside: "a policy must say itself whom and what it is about",
	CodeSharedUID:           "what has an odrl:uid must be described at one node",

	CodeUnknownProperty:       "the property is not known",
	CodeMisplacedProperty:     "the property has no meaning here",
	CodeTypeMismatch:          "the type contradicts how the node is used",
	CodeNotANode:              "a literal or a list cannot be a rule, duty or constraint",
	CodeMissingRule:           "the rule is not in the graph",
	CodeMissingAction:         "there is no action",
	CodeUnknownAction:         "the action is not known",
	CodeUnusableAction:        "the node names no action",
	CodeMissingTarget:         "a permission needs a target",
	CodeUnusableTarget:        "the target names no asset",
	CodeMissingAssignee:       "a permission of an agreement needs an assignee",
	CodeUnusableAssignee:      "the assignee names no party",
	CodeNotAConstraint:        "the node is not a constraint",
	CodeMissingOperand:        "an operand or the operator is missing",
	CodeSeveralOperands:       "there must be one value",
	CodeUnknownLeftOperand:    "the left operand is not known",
	CodeUnknownOperator:       "the operator is not known",
	CodeUnusableRightOperand:  "the right operand is not a value that can be compared",
	CodeRightOperandReference: "the right operand would have to be fetched",
	CodeUnit:                  "the unit cannot be compared",
	CodeStatus:                "a status cannot be evaluated",
	CodeDataType:              "the data type does not fit the right operand",
	CodeLogicalOperands:       "a logical constraint needs at least two different operands",
	CodeNesting:               "constraints are nested too deep or in a circle",
	CodeRefinement:            "the profile has no refinements",
	CodeCollection:            "the profile has no collections by reference",

	CodeMissingValue:      "the request has no value for the left operand",
	CodeSeveralValues:     "the request has more than one value for the left operand",
	CodeUnusableValue:     "the request's value cannot be an operand",
	CodeIncomparable:      "the values cannot be compared",
	CodeMissingMembership: "the request does not say what this is a member of",

	CodeDeprecatedTerm:   "the term is deprecated",
	CodeIgnoredProperty:  "the property is a description and changes nothing",
	CodePublicPermission: "the permission is for everyone",
	CodeNoRules:          "the policy has no rules and permits nothing",
	CodeMissingProfile:   "the policy does not say that it follows the delegation profile",
	CodeUnusedRule:       "no policy leads to this node",
	CodeUnknownConflict:  "the conflict strategy is not known, so that every conflict denies",
	CodeUnknownDuty:      "the duty can never be fulfilled",
}

// Text returns the code in words, "" for a code that is not of this package.
func (c Code) Text() string { return texts[c] }

// Codes returns all codes of this package, sorted.
func Codes() []Code { return slices.Sorted(maps.Keys(texts)) }
