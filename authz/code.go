package authz

import "github.com/rdfproto/rdfproto/authz/vc"

// Phase is a part of the decision (section 0.5).
type Phase string

// The phases, in order. The zero Phase is none: nothing was decided.
const (
	PhaseAssembly    Phase = "assembly"
	PhaseA           Phase = "A"
	PhaseB           Phase = "B"
	PhaseC           Phase = "C"
	PhaseD           Phase = "D"
	PhaseComposition Phase = "composition"
	PhaseComplete    Phase = "complete"
)

// Code names why an action is not authorized. Codes are stable. They are those of
// section 0.5 and no others: finer distinctions are in the reasons and the trace.
type Code string

// The codes of this package. In phase A and C those of package authz/vc come with
// their own names.
const (
	CodeChainMalformed        Code = "CHAIN_MALFORMED"
	CodeBindingMismatch       Code = "BINDING_MISMATCH"
	CodeSubjectIssuerMismatch Code = "SUBJECT_ISSUER_MISMATCH"
	CodePolicyDenied          Code = "POLICY_DENIED"
	CodeIdentityComposition   Code = "IDENTITY_COMPOSITION_FAILED"

	CodeMalformed            = Code(vc.CodeMalformed)
	CodePolicyIntegrity      = Code(vc.CodePolicyIntegrity)
	CodeRevoked              = Code(vc.CodeRevoked)
	CodeSuspended            = Code(vc.CodeSuspended)
	CodeStatusRetrievalError = Code(vc.CodeStatusRetrievalError)
)

var codeTexts = [...]struct {
	code Code
	text string
}{
	{CodeChainMalformed, "the policies do not form one chain from a root"},
	{CodeBindingMismatch, "credentials, policies and principals do not belong together"},
	{CodeSubjectIssuerMismatch, "the subject of a credential is not its issuer"},
	{CodePolicyDenied, "the chain does not permit the request"},
	{CodeIdentityComposition, "the actor is not shown to be the one that the chain authorizes"},
}

// Codes returns every code of a decision: those of this package, then those of
// package authz/vc.
func Codes() []Code {
	var out []Code
	for _, t := range codeTexts {
		out = append(out, t.code)
	}
	for _, c := range vc.Codes() {
		out = append(out, Code(c))
	}
	return out
}

// Text returns one sentence on what the code means, "" for an unknown code.
func (c Code) Text() string {
	for _, t := range codeTexts {
		if t.code == c {
			return t.text
		}
	}
	return vc.Code(c).Text()
}
