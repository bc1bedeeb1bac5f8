package agentcard

// Code names the kind of a refusal, a warning or a finding. Codes are stable:
// programs branch on them, and reports spell them as they are here.
type Code string

// Codes of JSON that is malformed, has more than one meaning or exceeds a limit.
const (
	CodeJSONSyntax    Code = "JSON_SYNTAX"
	CodeJSONDuplicate Code = "JSON_DUPLICATE_KEY"
	CodeJSONUnicode   Code = "JSON_UNICODE"
	CodeJSONRange     Code = "JSON_NUMBER_RANGE"
	CodeJSONPrecision Code = "JSON_NUMBER_PRECISION"
	CodeJSONTooDeep   Code = "JSON_TOO_DEEP"
	CodeJSONTooLarge  Code = "JSON_TOO_LARGE"
	CodeLimit         Code = "LIMIT_EXCEEDED"
	CodeBase64        Code = "B64_INVALID"
)

// Codes of cards.
const (
	CodeCardNotObject  Code = "CARD_NOT_OBJECT"
	CodeCardV03        Code = "CARD_V03"
	CodeCardProtoName  Code = "CARD_PROTO_NAME"
	CodeCardType       Code = "CARD_TYPE"
	CodeCardOneof      Code = "CARD_ONEOF"
	CodeCardRequired   Code = "CARD_REQUIRED_MISSING"
	CodeCardPrivateKey Code = "CARD_PRIVATE_KEY"
	CodeCardUnsigned   Code = "CARD_UNSIGNED"
	CodeCardNotHTTPS   Code = "CARD_NOT_HTTPS"
	CodeTooFew         Code = "CARD_TOO_FEW_SIGNATURES"
)

// Codes of signature entries.
const (
	CodeSigMalformed      Code = "SIG_MALFORMED"
	CodeSigHeaderJSON     Code = "SIG_HEADER_JSON"
	CodeSigAlgMissing     Code = "SIG_ALG_MISSING"
	CodeSigKidMissing     Code = "SIG_KID_MISSING"
	CodeSigTyp            Code = "SIG_TYP"
	CodeSigCrit           Code = "SIG_CRIT"
	CodeSigHeaderOverlap  Code = "SIG_HEADER_OVERLAP"
	CodeSigKeyIgnored     Code = "SIG_HEADER_KEY_IGNORED"
	CodeSigJKUNull        Code = "SIG_JKU_NULL"
	CodeSigUnsignedHeader Code = "SIG_UNSIGNED_HEADER"
	CodeSigAlgForbidden   Code = "SIG_ALG_FORBIDDEN"
	CodeSigLength         Code = "SIG_LENGTH"
	CodeSigDER            Code = "SIG_DER"
	CodeSigExpired        Code = "SIG_EXPIRED"
	CodeSigInvalid        Code = "SIG_INVALID"
)

// Codes of keys and of where they come from.
const (
	CodeKeyNotFound       Code = "KEY_NOT_FOUND"
	CodeKeyAmbiguous      Code = "KEY_AMBIGUOUS"
	CodeKeyAlgMismatch    Code = "KEY_ALG_MISMATCH"
	CodeKeyUse            Code = "KEY_USE"
	CodeKeyWeak           Code = "KEY_WEAK"
	CodeKeyExpired        Code = "KEY_EXPIRED"
	CodeKeyRevoked        Code = "KEY_REVOKED"
	CodeKeyOrigin         Code = "KEY_ORIGIN"
	CodeKeyMalformed      Code = "KEY_MALFORMED"
	CodeKeyFetchThrottled Code = "KEY_FETCH_THROTTLED"
	CodeKeyFetch          Code = "KEY_FETCH"
	CodeJKUForbidden      Code = "JKU_FORBIDDEN"
	CodeJWKSMalformed     Code = "JWKS_MALFORMED"
	CodeJWKSPrivateKey    Code = "JWKS_PRIVATE_KEY"
	CodeJWKSKeySkipped    Code = "JWKS_KEY_SKIPPED"
	CodeTrustMalformed    Code = "TRUST_MALFORMED"
)

// Codes of fetches that this package refuses before anything is fetched. A
// fetcher's own codes are passed on as they are.
const (
	CodeFetchNotHTTPS Code = "FETCH_NOT_HTTPS"
	CodeFetchURL      Code = "FETCH_URL"
)

// Codes of the diagnosis: what would have made a failed signature valid.
const (
	CodeDiagReading  Code = "DIAG_READING"
	CodeDiagFalse    Code = "DIAG_FALSE_DROPPED"
	CodeDiagForm     Code = "DIAG_CANONICAL_FORM"
	CodeDiagDER      Code = "DIAG_DER"
	CodeDiagWrongKid Code = "DIAG_WRONG_KID"
	CodeDiagStopped  Code = "DIAG_STOPPED"
)

// Codes of lint.
const (
	CodeLintAmbiguous     Code = "CARD_LINT_AMBIGUOUS"
	CodeLintEmptyRequired Code = "CARD_LINT_EMPTY_REQUIRED"
	CodeLintUnknown       Code = "CARD_LINT_UNKNOWN"
	CodeLintOldMember     Code = "CARD_LINT_V03_MEMBER"
	CodeLintPython        Code = "CARD_LINT_PYTHON_LEGACY"
	CodeLintSize          Code = "CARD_LINT_SIZE"
	CodeLintURL           Code = "CARD_LINT_URL"
	CodeLintOpen          Code = "CARD_LINT_NO_AUTHENTICATION"
	CodeLintScheme        Code = "CARD_LINT_UNDEFINED_SCHEME"
	CodeLintSignature     Code = "CARD_LINT_SIGNATURE"
	CodeLintUnsigned      Code = "CARD_LINT_UNSIGNED"
)

// Codes of the declaration of the RDF Protocol Documents extension.
const (
	CodeDeclInvalid   Code = "DECLARATION_INVALID"
	CodeDeclUnusable  Code = "DECLARATION_NO_FORMAT"
	CodeDeclDropped   Code = "DECLARATION_ENTRY_DROPPED"
	CodeDeclRequired  Code = "DECLARATION_REQUIRED"
	CodeDeclDuplicate Code = "DECLARATION_DUPLICATE"
	CodeDeclText      Code = "DECLARATION_NO_DESCRIPTION"
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
	{CodeJSONPrecision, "an integer is not exactly a double, so readers see different numbers"},
	{CodeJSONTooDeep, "the nesting limit is exceeded"},
	{CodeJSONTooLarge, "the size limit is exceeded"},
	{CodeLimit, "a limit is exceeded"},
	{CodeBase64, "text is not unpadded base64url with zero trailing bits"},
	{CodeCardNotObject, "the card is not a JSON object"},
	{CodeCardV03, "the card is of A2A 0.3, whose signatures are not supported"},
	{CodeCardProtoName, "a member is spelt in snake case, which some readers take for the field and others do not"},
	{CodeCardType, "a member has a JSON type that its field does not allow"},
	{CodeCardOneof, "two members are present of which only one is allowed"},
	{CodeCardRequired, "a REQUIRED member is missing"},
	{CodeCardPrivateKey, "the card holds a private key"},
	{CodeCardUnsigned, "the card has no signature"},
	{CodeCardNotHTTPS, "the card was not obtained over https"},
	{CodeTooFew, "fewer signatures with distinct keys are valid than the policy demands"},
	{CodeSigMalformed, "a signature entry lacks a member or has one of the wrong type"},
	{CodeSigHeaderJSON, "the protected header is not a JSON object of the expected form"},
	{CodeSigAlgMissing, "the protected header has no alg"},
	{CodeSigKidMissing, "the protected header has no kid"},
	{CodeSigTyp, "the protected header's typ is not JOSE"},
	{CodeSigCrit, "the protected header demands an extension that is not understood"},
	{CodeSigHeaderOverlap, "a name is in both the protected and the unprotected header"},
	{CodeSigKeyIgnored, "a key or certificate in the header is not used: the signer chose it"},
	{CodeSigJKUNull, "the protected header's jku is null, which is read as absent"},
	{CodeSigUnsignedHeader, "an unprotected header is present; its values are not signed and not read"},
	{CodeSigAlgForbidden, "the algorithm is not allowed"},
	{CodeSigLength, "the signature does not have the length of its algorithm"},
	{CodeSigDER, "the signature is in ASN.1 DER instead of the raw form that JWS demands"},
	{CodeSigExpired, "the signature is outside the time that its protected header gives"},
	{CodeSigInvalid, "the signature does not verify"},
	{CodeKeyNotFound, "no trusted key has this kid"},
	{CodeKeyAmbiguous, "several keys have this kid and algorithm"},
	{CodeKeyAlgMismatch, "the key is for another algorithm than the header names"},
	{CodeKeyUse, "the key is not for verifying signatures"},
	{CodeKeyWeak, "the key is too weak or out of range"},
	{CodeKeyExpired, "the key is outside its validity period"},
	{CodeKeyRevoked, "the key is revoked"},
	{CodeKeyOrigin, "the key is not trusted for cards from this origin"},
	{CodeKeyMalformed, "the key is not a JWK of a known form"},
	{CodeKeyFetchThrottled, "the JWK Set was fetched too recently to fetch it again"},
	{CodeKeyFetch, "the JWK Set could not be fetched"},
	{CodeJKUForbidden, "the location policy does not allow the jku"},
	{CodeJWKSMalformed, "the document is not a JWK Set"},
	{CodeJWKSPrivateKey, "a key of the set has private or symmetric members and is not used"},
	{CodeJWKSKeySkipped, "a key of the set cannot be used and is skipped"},
	{CodeTrustMalformed, "the trust store does not have the expected form"},
	{CodeFetchNotHTTPS, "only https URLs are fetched"},
	{CodeFetchURL, "the URL may not be fetched"},
	{CodeDiagReading, "the signature verifies under another reading of the payload rules"},
	{CodeDiagFalse, "the signature verifies when explicit false flags are put back"},
	{CodeDiagForm, "the signature verifies over text that is not in the canonical form"},
	{CodeDiagDER, "the signature verifies once it is converted from ASN.1 DER"},
	{CodeDiagWrongKid, "the signature verifies with a key of another kid"},
	{CodeDiagStopped, "the diagnosis stopped at its limit"},
	{CodeLintAmbiguous, "implementations sign different bytes for this card"},
	{CodeLintEmptyRequired, "a REQUIRED array is empty"},
	{CodeLintUnknown, "a member is not in the schema, and some SDKs do not sign it"},
	{CodeLintOldMember, "a member of A2A 0.3 has no meaning in 1.0"},
	{CodeLintPython, "older Python SDKs sign other bytes for this card"},
	{CodeLintSize, "the card is large"},
	{CodeLintURL, "a URL is not https"},
	{CodeLintOpen, "an empty security requirement lets callers in without authentication"},
	{CodeLintScheme, "a security requirement names a scheme that the card does not define"},
	{CodeLintSignature, "a signature entry would be refused"},
	{CodeLintUnsigned, "the card is not signed"},
	{CodeDeclInvalid, "the declaration of the extension is invalid"},
	{CodeDeclUnusable, "the declaration names no format"},
	{CodeDeclDropped, "a declared document is dropped"},
	{CodeDeclRequired, "the extension is required, which shuts out clients without it"},
	{CodeDeclDuplicate, "the extension is declared twice"},
	{CodeDeclText, "the declaration has no description"},
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

// Codes returns every code of this package.
func Codes() []Code {
	out := make([]Code, len(codeTexts))
	for i, t := range codeTexts {
		out[i] = t.code
	}
	return out
}
