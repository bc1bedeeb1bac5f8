package vocab

// Verifiable Credentials Data Model 2.0 (namespace cred:).
const (
	Cred = "https://www.w3.org/2018/credentials#"

	CredVerifiableCredentialClass = Cred + "VerifiableCredential"
	CredVerifiablePresentation    = Cred + "VerifiablePresentation"
	CredIssuer                    = Cred + "issuer"
	CredHolder                    = Cred + "holder"
	CredValidFrom                 = Cred + "validFrom"
	CredValidUntil                = Cred + "validUntil"
	CredCredentialSubject         = Cred + "credentialSubject"
	CredCredentialStatus          = Cred + "credentialStatus"
	CredRelatedResource           = Cred + "relatedResource"
	CredDigestSRI                 = Cred + "digestSRI"
	CredSRIString                 = Cred + "sriString"
	CredVerifiableCredential      = Cred + "verifiableCredential"
)
