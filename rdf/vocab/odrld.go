package vocab

// The ODRL Agent-Delegation Profile (namespace odrld:).
const (
	ODRLD        = "https://w3id.org/jeswr/odrl-delegation#"
	ODRLDProfile = "https://w3id.org/jeswr/odrl-delegation" // the profile's own IRI

	ODRLDDelegationDepth = ODRLD + "delegationDepth"
	ODRLDDelegatedUnder  = ODRLD + "delegatedUnder"
	ODRLDRevocation      = ODRLD + "Revocation"
	ODRLDRevokedPolicy   = ODRLD + "revokedPolicy"

	// The reified outcome of an evaluation; provisional, without a say in any.
	ODRLDDecisionRecord  = ODRLD + "DecisionRecord"
	ODRLDEvaluatedPolicy = ODRLD + "evaluatedPolicy"
	ODRLDRequestAgent    = ODRLD + "requestAgent"
	ODRLDRequestAction   = ODRLD + "requestAction"
	ODRLDRequestTarget   = ODRLD + "requestTarget"
	ODRLDRequestPurpose  = ODRLD + "requestPurpose"
	ODRLDDecision        = ODRLD + "decision"
	ODRLDReason          = ODRLD + "reason"
	ODRLDConflict        = ODRLD + "conflict"
	ODRLDDecidingRule    = ODRLD + "decidingRule"
	ODRLDActiveDuty      = ODRLD + "activeDuty"
	ODRLDOnDuty          = ODRLD + "onDuty"
	ODRLDRuleKind        = ODRLD + "ruleKind"
	ODRLDFulfilled       = ODRLD + "fulfilled"
)
