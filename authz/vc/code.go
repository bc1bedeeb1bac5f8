package vc

// Code names what was found against a document. Codes are stable and spelt as in
// the specification "authz", section 0.5.
type Code string

// The codes of this package, in the order in which checks are made.
const (
	CodeMalformed            Code = "MALFORMED"
	CodeNoProof              Code = "NO_PROOF"
	CodeExpired              Code = "EXPIRED"
	CodeNotYetValid          Code = "NOT_YET_VALID"
	CodeUntrustedIssuer      Code = "UNTRUSTED_ISSUER"
	CodeUnknownCryptosuite   Code = "UNKNOWN_CRYPTOSUITE"
	CodeProofPurposeMismatch Code = "PROOF_PURPOSE_MISMATCH"
	CodeIssuerMismatch       Code = "ISSUER_MISMATCH"
	CodeInvalidSignature     Code = "INVALID_SIGNATURE"
	CodeChallengeMismatch    Code = "CHALLENGE_MISMATCH"
	CodeDomainMismatch       Code = "DOMAIN_MISMATCH"
	CodeHolderUnverified     Code = "HOLDER_UNVERIFIED"
	CodeRevoked              Code = "REVOKED"
	CodeSuspended            Code = "SUSPENDED"
	CodeStatusRetrievalError Code = "STATUS_RETRIEVAL_ERROR"
	CodePolicyIntegrity      Code = "POLICY_INTEGRITY"
)

var codeTexts = [...]struct {
	code Code
	text string
}{
	{CodeMalformed, "the document is not a usable credential or presentation"},
	{CodeNoProof, "the document has no proof"},
	{CodeExpired, "the validity of the credential or the proof has ended"},
	{CodeNotYetValid, "the validity of the credential has not begun"},
	{CodeUntrustedIssuer, "the issuer is not trusted"},
	{CodeUnknownCryptosuite, "the proof is of a cryptosuite that is not allowed"},
	{CodeProofPurposeMismatch, "the proof is for another purpose"},
	{CodeIssuerMismatch, "the key of the proof is not controlled by the issuer or holder"},
	{CodeInvalidSignature, "the signature does not verify, or the proof or its key is malformed"},
	{CodeChallengeMismatch, "the proof is for another challenge"},
	{CodeDomainMismatch, "the proof is for another domain"},
	{CodeHolderUnverified, "the holder is missing or is not whom the credentials are about"},
	{CodeRevoked, "the credential is revoked"},
	{CodeSuspended, "the credential is suspended"},
	{CodeStatusRetrievalError, "the status of the credential could not be evaluated"},
	{CodePolicyIntegrity, "the policy is not bound to the credential by its content"},
}

// Codes returns every code of this package.
func Codes() []Code {
	out := make([]Code, len(codeTexts))
	for i, t := range codeTexts {
		out[i] = t.code
	}
	return out
}

// Text returns one sentence on what the code means, and "" for a code that is not
// of this package.
func (c Code) Text() string {
	for _, t := range codeTexts {
		if t.code == c {
			return t.text
		}
	}
	return ""
}

// Problem types of W3C recommendations, for reports to other software (section
// 0.5). A finding has one where a recommendation names one.
const (
	ProblemProofVerification  = "https://w3id.org/security#PROOF_VERIFICATION_ERROR"
	ProblemInvalidChallenge   = "https://w3id.org/security#INVALID_CHALLENGE_ERROR"
	ProblemInvalidDomain      = "https://w3id.org/security#INVALID_DOMAIN_ERROR"
	ProblemDataLoss           = "https://w3id.org/security#DATA_LOSS_DETECTION_ERROR"
	ProblemStatusRetrieval    = "https://www.w3.org/ns/credentials/status-list#STATUS_RETRIEVAL_ERROR"
	ProblemStatusVerification = "https://www.w3.org/ns/credentials/status-list#STATUS_VERIFICATION_ERROR"
	ProblemStatusListLength   = "https://www.w3.org/ns/credentials/status-list#STATUS_LIST_LENGTH_ERROR"
	ProblemRange              = "https://www.w3.org/TR/vc-data-model#RANGE_ERROR"
)

// problem returns the problem type of a code alone.
func (c Code) problem() string {
	switch c {
	case CodeInvalidSignature, CodeUnknownCryptosuite, CodeProofPurposeMismatch, CodeNoProof:
		return ProblemProofVerification
	case CodeChallengeMismatch:
		return ProblemInvalidChallenge
	case CodeDomainMismatch:
		return ProblemInvalidDomain
	case CodeStatusRetrievalError:
		return ProblemStatusRetrieval
	}
	return ""
}
