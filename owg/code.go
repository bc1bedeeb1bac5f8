package owg

// Code names a refusal or a finding. Codes are stable: programs branch on them, and
// reports spell them as they are here. The binding's text gives one of them,
// [CodeDelegationWidens]; the others were chosen here.
type Code string

// Codes of JSON that is malformed or has more than one meaning, and of limits.
const (
	CodeJSONSyntax    Code = "JSON_SYNTAX"
	CodeJSONDuplicate Code = "JSON_DUPLICATE_KEY"
	CodeJSONUnicode   Code = "JSON_UNICODE"
	CodeJSONRange     Code = "JSON_NUMBER_RANGE"
	CodeJSONTooDeep   Code = "JSON_TOO_DEEP"
	CodeJSONTooLarge  Code = "JSON_TOO_LARGE"
	CodeLimit         Code = "LIMIT_EXCEEDED"
)

// Codes of workflows (section C.2).
const (
	CodeType              Code = "OWG_TYPE"
	CodeDuplicateID       Code = "OWG_DUPLICATE_ID"
	CodeRefUnknown        Code = "OWG_REF_UNKNOWN"
	CodeNoPerformer       Code = "OWG_A2A_NO_PERFORMER"
	CodeNoSkill           Code = "OWG_A2A_NO_SKILL"
	CodePerformerKind     Code = "OWG_A2A_PERFORMER_KIND"
	CodeNoCard            Code = "OWG_A2A_NO_CARD"
	CodeAgentCardURL      Code = "OWG_AGENT_CARD_URL"
	CodeDelegationWidens  Code = "OWG_DELEGATION_WIDENS"
	CodeChainWidens       Code = "OWG_DELEGATION_CHAIN_WIDENS"
	CodeScopeMissing      Code = "OWG_DELEGATION_SCOPE_MISSING"
	CodeTime              Code = "OWG_TIME"
	CodeDelegationOutlive Code = "OWG_DELEGATION_OUTLIVES"
	CodeDelegationExpired Code = "OWG_DELEGATION_EXPIRED"
	CodeDelegationMissing Code = "OWG_DELEGATION_MISSING"
	CodeDelegationSelf    Code = "OWG_DELEGATION_SELF"
	CodeDelegationMember  Code = "OWG_DELEGATION_MEMBER"
	CodeAuthorityCycle    Code = "OWG_AUTHORITY_CYCLE"
	CodeAuthorityOrphan   Code = "OWG_AUTHORITY_ORPHAN"
	CodeAuthorityNoPerson Code = "OWG_AUTHORITY_NO_PERSON"
	CodeAssetUnknown      Code = "OWG_ASSET_UNKNOWN"
	CodeTwoProducers      Code = "OWG_ASSET_TWO_PRODUCERS"
	CodeSkillUnknown      Code = "OWG_A2A_SKILL_UNKNOWN"
	CodeCardUnverified    Code = "OWG_A2A_CARD_UNVERIFIED"
)

// Codes of traces (section C.3).
const (
	CodeNoProducer     Code = "OWG_TRACE_NO_PRODUCER"
	CodeTracePerformer Code = "OWG_TRACE_NO_PERFORMER"
	CodeTraceAmbiguous Code = "OWG_TRACE_AMBIGUOUS"
)

// Codes of attempts (section C.4).
const (
	CodeTaskFailed           Code = "A2A_TASK_FAILED"
	CodeTaskCanceled         Code = "A2A_TASK_CANCELED"
	CodeTaskRejected         Code = "A2A_TASK_REJECTED"
	CodeStateUnknown         Code = "A2A_STATE_UNKNOWN"
	CodeStateAfterTerminal   Code = "A2A_STATE_AFTER_TERMINAL"
	CodeTaskMismatch         Code = "A2A_TASK_MISMATCH"
	CodeNoTask               Code = "A2A_NO_TASK"
	CodeTaskNotFound         Code = "A2A_TASK_NOT_FOUND"
	CodeUnsupportedOperation Code = "A2A_UNSUPPORTED_OPERATION"
	CodeContentType          Code = "A2A_CONTENT_TYPE"
	CodeInvalidResponse      Code = "A2A_INVALID_RESPONSE"
	CodeExtensionRequired    Code = "A2A_EXTENSION_REQUIRED"
	CodeVersion              Code = "A2A_VERSION"
	CodeRPCError             Code = "A2A_RPC_ERROR"
	CodeTransport            Code = "A2A_TRANSPORT"
	CodeArtifactUnmapped     Code = "OWG_ARTIFACT_UNMAPPED"
	CodeProducedMissing      Code = "OWG_PRODUCED_MISSING"
)

// Codes of cards and requests (sections C.5 and C.6).
const (
	CodeCardLeak    Code = "OWG_CARD_LEAK"
	CodeCardSource  Code = "OWG_CARD_SOURCE"
	CodeTaskUnknown Code = "OWG_TASK_UNKNOWN"
	CodeNotA2A      Code = "OWG_TASK_NOT_A2A"
	CodeNoInterface Code = "OWG_A2A_NO_INTERFACE"
	CodeRequestLeak Code = "OWG_REQUEST_LEAK"
	CodeInputs      Code = "OWG_INPUTS"
)

// Codes of receiving and of records (section C.6a).
const (
	CodeHandOff        Code = "OWG_HANDOFF"
	CodeCallerUnknown  Code = "OWG_CALLER_UNKNOWN"
	CodeCallerClaim    Code = "OWG_CALLER_CLAIM"
	CodeIntakeUnknown  Code = "OWG_INTAKE_UNKNOWN"
	CodeParamMissing   Code = "OWG_PARAM_MISSING"
	CodeRecord         Code = "OWG_RECORD"
	CodeRecordConflict Code = "OWG_RECORD_CONFLICT"
)

// codeTexts says what each code means.
var codeTexts = [...]struct {
	code Code
	text string
}{
	{CodeJSONSyntax, "the text is not one JSON value in UTF-8"},
	{CodeJSONDuplicate, "a member name occurs twice in one object"},
	{CodeJSONUnicode, "a string has bytes or surrogates that do not form a character"},
	{CodeJSONRange, "a number is outside the finite doubles"},
	{CodeJSONTooDeep, "the nesting limit is exceeded"},
	{CodeJSONTooLarge, "the size limit is exceeded"},
	{CodeLimit, "a limit is exceeded"},
	{CodeType, "a member is missing or of the wrong type"},
	{CodeDuplicateID, "two participants or two tasks have the same id"},
	{CodeRefUnknown, "a reference names no participant"},
	{CodeNoPerformer, "a task for another party's agent does not say who performs it"},
	{CodeNoSkill, "a task for another party's agent names no skill"},
	{CodePerformerKind, "a task for another party's agent is performed by something else"},
	{CodeNoCard, "the agent that performs a task has no agent card"},
	{CodeAgentCardURL, "the address of an agent card is not an absolute https URL, or is that of a participant that is not an agent"},
	{CodeDelegationWidens, "a delegation grants more than its delegator declares to have"},
	{CodeChainWidens, "a delegation grants more than its delegator received"},
	{CodeScopeMissing, "a delegation states no scope and so grants nothing"},
	{CodeTime, "a time is not as in RFC 3339 with an offset"},
	{CodeDelegationOutlive, "a delegation lasts longer than the one that its delegator received"},
	{CodeDelegationExpired, "a delegation has lapsed"},
	{CodeDelegationMissing, "on whose authority a task is handed over is not recorded"},
	{CodeDelegationSelf, "a delegator performs the task itself"},
	{CodeDelegationMember, "a delegation has a member that may bound it and is not known"},
	{CodeAuthorityCycle, "a chain of authority leads back into itself"},
	{CodeAuthorityOrphan, "an agent is operated by nobody and works for nobody"},
	{CodeAuthorityNoPerson, "a chain of authority ends without a person"},
	{CodeAssetUnknown, "an asset is not among those of the workflow"},
	{CodeTwoProducers, "two tasks produce one asset"},
	{CodeSkillUnknown, "the agent's card has no such skill"},
	{CodeCardUnverified, "the agent's card is not verified as the policy for cards demands"},
	{CodeNoProducer, "no task produces the asset"},
	{CodeTracePerformer, "who performed the task is not recorded"},
	{CodeTraceAmbiguous, "several delegations may have led to a task"},
	{CodeTaskFailed, "the remote task failed"},
	{CodeTaskCanceled, "the remote task was canceled"},
	{CodeTaskRejected, "the remote agent rejected the task"},
	{CodeStateUnknown, "the state of the remote task is not known"},
	{CodeStateAfterTerminal, "something came after the end of an attempt, which no longer changes"},
	{CodeTaskMismatch, "an update is about another remote task or context"},
	{CodeNoTask, "the agent answered without a task, and what was to be produced is missing"},
	{CodeTaskNotFound, "the remote agent knows no such task"},
	{CodeUnsupportedOperation, "the remote agent does not support the operation"},
	{CodeContentType, "the remote agent does not accept the content"},
	{CodeInvalidResponse, "the answer is not one of A2A"},
	{CodeExtensionRequired, "the remote agent demands an extension"},
	{CodeVersion, "the remote agent does not speak the version"},
	{CodeRPCError, "the remote agent answered with an error"},
	{CodeTransport, "the remote agent could not be reached"},
	{CodeArtifactUnmapped, "an artifact is none of the assets to be produced"},
	{CodeProducedMissing, "an asset to be produced is missing from what came back"},
	{CodeCardLeak, "the card would name what is behind the work"},
	{CodeCardSource, "the definition lacks what a card is made of"},
	{CodeTaskUnknown, "the workflow has no such task"},
	{CodeNotA2A, "the task is not one for another party's agent"},
	{CodeNoInterface, "the agent's card has no interface that is supported"},
	{CodeRequestLeak, "the request would name what does not concern the agent"},
	{CodeInputs, "the inputs of a task are not a JSON object"},
	{CodeHandOff, "a message or graph is not a hand-off of a task"},
	{CodeCallerUnknown, "the caller is not a participant of the workflow"},
	{CodeCallerClaim, "a hand-off names another delegator than its authenticated caller"},
	{CodeIntakeUnknown, "the workflow has no intake task for the caller, or several"},
	{CodeParamMissing, "a parameter of the workflow has no value"},
	{CodeRecord, "a text is not a run record, or not one of this workflow"},
	{CodeRecordConflict, "run records disagree"},
}

// Codes returns every code in a fixed order.
func Codes() []Code {
	out := make([]Code, len(codeTexts))
	for i, row := range codeTexts {
		out[i] = row.code
	}
	return out
}

// Text returns one sentence on what the code means, "" for none of [Codes].
func (c Code) Text() string {
	for _, row := range codeTexts {
		if row.code == c {
			return row.text
		}
	}
	return ""
}
