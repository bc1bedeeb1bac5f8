package vocab

// Verifiable Credential Data Integrity 1.0 (namespace sec:).
const (
	Sec = "https://w3id.org/security#"

	SecDataIntegrityProof = Sec + "DataIntegrityProof"
	SecProof              = Sec + "proof"
	SecCryptosuite        = Sec + "cryptosuite"
	SecVerificationMethod = Sec + "verificationMethod"
	SecProofPurpose       = Sec + "proofPurpose"
	SecProofValue         = Sec + "proofValue"
	SecChallenge          = Sec + "challenge"
	SecDomain             = Sec + "domain"
	SecDigestMultibase    = Sec + "digestMultibase"
	SecMultibase          = Sec + "multibase"
)
