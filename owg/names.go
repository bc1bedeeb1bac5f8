package owg

// Notice names the rules that reports judge by.
const Notice = "rdfproto OWG/A2A subset, schema 0.93 draft"

// NoticeDeclared and NoticeChain say what a report does not prove (V-22, section C.3).
const (
	NoticeDeclared = "scopes are declared, not enforced: the systems on each side must check them"
	NoticeChain    = "a consistent chain is a check of what was reported, not a proof that any hop was granted"
)

// DelegationKey is the default metadata key under which a request says by whom and with
// what scope a task is handed over (section C.6).
const DelegationKey = "https://rdfproto.example/owg-delegation/v1"

// Executor types that mean something here.
const executorA2A = "a2a"

// Kinds of participants that mean something here.
const (
	kindHuman = "human"
	kindAgent = "agent"
)

// Vocabulary is the namespace of the terms of [PerformTaskDocument].
const Vocabulary = "https://rdfproto.example/owg/v1#"

// Terms of that namespace.
const (
	// ClassPerformTask is the class of the action of an intent.
	ClassPerformTask = Vocabulary + "PerformTask"
	// ClassTaskResult is the class of the node of a response.
	ClassTaskResult = Vocabulary + "TaskResult"

	termDelegation = Vocabulary + "Delegation"
	termAssetClass = Vocabulary + "ProducedAsset"

	termWorkflow  = Vocabulary + "workflow"
	termTask      = Vocabulary + "task"
	termSkill     = Vocabulary + "skill"
	termObjective = Vocabulary + "objective"
	termInputs    = Vocabulary + "inputs"
	termUsed      = Vocabulary + "used"
	termProduced  = Vocabulary + "produced"
	termDelegated = Vocabulary + "delegation"
	termBy        = Vocabulary + "by"
	termIdentity  = Vocabulary + "identity"
	termScope     = Vocabulary + "scope"
	termExpiresAt = Vocabulary + "expiresAt"
	termAsset     = Vocabulary + "asset"
	termSHA256    = Vocabulary + "sha256"
	termArtifact  = Vocabulary + "artifact"
)

// SkillBase is what the IRI of a skill begins with: the target of an intent, for
// which an authorizer can be asked.
const SkillBase = "urn:owg:skill:"

// States of a received hand-off.
const (
	StateSubmitted     = "submitted"
	StateInputRequired = "input-required"
	StateRejected      = "rejected"
)
