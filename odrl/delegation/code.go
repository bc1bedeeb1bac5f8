package delegation

import (
	"maps"
	"slices"

	"github.com/rdfproto/rdfproto/odrl"
)

// Code names why a chain was decided as it was. Codes are stable. All but
// CodePermitted are denials; outside of this module they are one, POLICY_DENIED
// in phase D (specification, section 0.5).
type Code string

// The codes, in the order of the checks (7.2).
const (
	CodePermitted            Code = "permitted"
	CodeRequestIncomplete    Code = "request-incomplete"       // no agent, action or target
	CodeEmptyChain           Code = "empty-chain"              // step 1
	CodeInvalidCap           Code = "invalid-cap"              // step 1: the cap is not positive
	CodeChainTooLong         Code = "chain-too-long"           // step 1
	CodeTooManySteps         Code = "too-many-steps"           // step 1: evaluating it would take too long
	CodeNotCompiled          Code = "not-compiled"             // step 3: a policy is missing or of another dialect
	CodeRepeatedPolicy       Code = "repeated-policy"          // step 3: a circle
	CodeRevoked              Code = "revoked"                  // step 4
	CodePolicyRefused        Code = "policy-refused"           // 7.9: the policy is not understood as a whole
	CodeMissingProfile       Code = "missing-profile"          // 7.9: of a policy in a chain of more than one
	CodeRootWithoutAssigner  Code = "root-without-assigner"    // 1.5
	CodeRootDelegated        Code = "root-delegated"           // 1.5: the root has a parent that was not presented
	CodeNotAgreement         Code = "not-an-agreement"         // step 5a
	CodeMissingParty         Code = "missing-party"            // step 5b
	CodeWrongParent          Code = "wrong-parent"             // step 5c
	CodeDelegationDenied     Code = "delegation-denied"        // step 5d: the parent does not let it delegate
	CodeDelegationProhibited Code = "delegation-prohibited"    // step 5d: the parent prohibits it
	CodeNoExplicitGrant      Code = "no-explicit-grant"        // step 5e
	CodeDepthExceeded        Code = "depth-exceeded"           // step 5f
	CodeNextPolicy           Code = "next-policy"              // step 5f: another policy was mandated
	CodeScopeDenied          Code = "scope-denied"             // step 6: an ancestor does not grant it to the next assigner
	CodeProhibited           Code = "prohibited"               // steps 6 to 8: a prohibition of any policy
	CodeLeafDenied           Code = "leaf-denied"              // step 8
	CodeNotLeafAssignee      Code = "not-leaf-assignee"        // step 9
	CodeDutyOpen             Code = "duty-open"                // step 10: a duty that must be fulfilled now
	CodeInvalidRevocation    Code = "invalid-revocation-value" // AZ-1.3
)

// texts says each code in words.
var texts = map[Code]string{
	CodePermitted:            "every policy of the chain permits the request",
	CodeRequestIncomplete:    "the request is incomplete",
	CodeEmptyChain:           "there is no policy",
	CodeInvalidCap:           "the longest chain allowed is not positive",
	CodeChainTooLong:         "the chain is too long",
	CodeTooManySteps:         "the policies of the chain are too much to evaluate",
	CodeNotCompiled:          "a policy was not compiled for the delegation profile",
	CodeRepeatedPolicy:       "a policy is in the chain twice",
	CodeRevoked:              "a policy of the chain is revoked",
	CodePolicyRefused:        "a policy of the chain is not understood",
	CodeMissingProfile:       "a policy of the chain does not say that it follows the profile",
	CodeRootWithoutAssigner:  "the root policy has no assigner",
	CodeRootDelegated:        "the root policy is delegated under one that is not in the chain",
	CodeNotAgreement:         "a delegated policy must be an agreement",
	CodeMissingParty:         "a delegated policy needs an assigner and an assignee",
	CodeWrongParent:          "a policy is not delegated under the one before it",
	CodeDelegationDenied:     "the policy before does not permit delegation",
	CodeDelegationProhibited: "the policy before prohibits delegation",
	CodeNoExplicitGrant:      "the policy before does not let this assigner delegate",
	CodeDepthExceeded:        "the chain is deeper than the policy before allows",
	CodeNextPolicy:           "the policy before mandates another policy",
	CodeScopeDenied:          "a policy of the chain does not permit the request",
	CodeProhibited:           "a policy of the chain prohibits the request",
	CodeLeafDenied:           "the last policy does not permit the request",
	CodeNotLeafAssignee:      "the agent is not the assignee of the last policy",
	CodeDutyOpen:             "a duty that must be fulfilled is open",
	CodeInvalidRevocation:    "a revoked policy must be named by an IRI",
}

// Text returns the code in words, "" for a code that is not of this package.
func (c Code) Text() string { return texts[c] }

// Codes returns all codes of this package, sorted.
func Codes() []Code { return slices.Sorted(maps.Keys(texts)) }

// Step names a check of section 7.2.
type Step string

// The steps that a trace names.
const (
	StepLength    Step = "1"
	StepIdentity  Step = "3"
	StepRevoked   Step = "4"
	StepRoot      Step = "1.5"
	StepProfile   Step = "7.9"
	StepAgreement Step = "5a"
	StepParties   Step = "5b"
	StepParent    Step = "5c"
	StepGrantUse  Step = "5d"
	StepExplicit  Step = "5e"
	StepAuthorise Step = "5f"
	StepScope     Step = "6"
	StepAncestor  Step = "7"
	StepLeaf      Step = "8"
	StepAssignee  Step = "9"
	StepDuties    Step = "10"
)

// Check is one check of a chain and what came of it.
type Check struct {
	Step Step `json:"step"`
	// Hop is the index of the policy that was looked at, 0 for the root and -1 for the
	// chain as a whole.
	Hop  int  `json:"hop"`
	OK   bool `json:"ok"`
	Code Code `json:"code,omitempty"` // of a check that failed
	// Why says in words what failed.
	Why string `json:"why,omitempty"`
	// Reasons are those of the policy that was evaluated.
	Reasons []odrl.Reason `json:"reasons,omitempty"`
	// Rules says what came of every rule of that policy; nil unless [Explain] asked.
	Rules *odrl.Trace `json:"rules,omitempty"`
}
