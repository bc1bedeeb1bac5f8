package vocab

// Agent Authorization Credentials (namespace svc:).
const (
	SVC = "https://w3id.org/jeswr/solid-vc#"

	SVCAgentAuthorizationCredential  = SVC + "AgentAuthorizationCredential"
	SVCBitstringStatusListCredential = SVC + "BitstringStatusListCredential"
	SVCAuthorizes                    = SVC + "authorizes"
	SVCPolicy                        = SVC + "policy"
	SVCAction                        = SVC + "action"
	SVCTarget                        = SVC + "target"
)
