package terms

// Code names the kind of a refusal, a warning or a finding. Codes are stable:
// programs branch on them, and reports spell them as they are here. The codes of a
// fetcher are passed on as they are and are not among these.
type Code string

// Codes of the declaration (section B.2).
const (
	CodeRequiredTrue  Code = "TERMS_REQUIRED_TRUE"
	CodeDeclProposals Code = "TERMS_DECL_PROPOSALS"
	CodeDeclSOWSpec   Code = "TERMS_DECL_SOW_SPEC"
	CodeDeclDuplicate Code = "TERMS_DECL_DUPLICATE"
	CodeDeclUnknown   Code = "TERMS_DECL_UNKNOWN"
)

// Codes of the entries of a declaration (section B.3).
const (
	CodeURL            Code = "TERMS_URL"
	CodeDigestFormat   Code = "TERMS_DIGEST_FORMAT"
	CodeEntryConflict  Code = "TERMS_ENTRY_CONFLICT"
	CodeEntryDuplicate Code = "TERMS_ENTRY_DUPLICATE"
	CodeEntryType      Code = "TERMS_ENTRY_TYPE"
	CodeSOWLabel       Code = "TERMS_SOW_LABEL"
	CodeOfferingSkill  Code = "TERMS_OFFERING_SKILL"
	CodeOfferingDoc    Code = "TERMS_OFFERING_DOC"
	CodeThirdParty     Code = "TERMS_THIRD_PARTY_HOST"
	CodeClaimUnbacked  Code = "TERMS_CLAIM_UNBACKED"
)

// Codes of verification (sections B.6 and B.7).
const (
	CodeNotFetched     Code = "TERMS_NOT_FETCHED"
	CodeFetch          Code = "TERMS_FETCH"
	CodeParse          Code = "TERMS_PARSE"
	CodeDigestMismatch Code = "TERMS_DIGEST_MISMATCH"
	CodeCardUnsigned   Code = "TERMS_CARD_UNSIGNED"
	CodeCardUnverified Code = "TERMS_CARD_UNVERIFIED"
	CodeCardInvalid    Code = "TERMS_CARD_INVALID"
	CodeDirectedPublic Code = "TERMS_DIRECTED_PUBLIC"
	CodeDirectedOther  Code = "TERMS_DIRECTED_OTHER"
	CodeDirectedMixed  Code = "TERMS_DIRECTED_MIXED"
)

// Codes of JSON that has more than one meaning or exceeds a limit (section 1.1). What is
// not JSON at all is CodeParse.
const (
	CodeJSONDuplicate Code = "JSON_DUPLICATE_KEY"
	CodeJSONUnicode   Code = "JSON_UNICODE"
	CodeJSONRange     Code = "JSON_NUMBER_RANGE"
	CodeJSONPrecision Code = "JSON_NUMBER_PRECISION"
	CodeJSONTooDeep   Code = "JSON_TOO_DEEP"
	CodeJSONTooLarge  Code = "JSON_TOO_LARGE"
	CodeLimit         Code = "LIMIT_EXCEEDED"
)

// Codes of signatures (section B.5).
const (
	CodeUnsigned    Code = "SOW_UNSIGNED"
	CodeSignatures  Code = "SOW_SIGNATURES"
	CodeSigInvalid  Code = "SOW_SIG_INVALID"
	CodeSigEncoding Code = "SOW_SIG_ENCODING"
	CodeKeyEncoding Code = "SOW_KEY_ENCODING"
	CodeSignedAt    Code = "SOW_SIGNED_AT"
	CodePrivateKey  Code = "SOW_PRIVATE_KEY"
	CodeOwnerKeys   Code = "SOW_OWNER_KEYS"
)

// Codes of documents (sections B.4 and B.6).
const (
	CodeFormat            Code = "SOW_FORMAT"
	CodeNotStanding       Code = "SOW_NOT_STANDING"
	CodeIncomplete        Code = "SOW_INCOMPLETE"
	CodeClauseMissing     Code = "SOW_CLAUSE_MISSING"
	CodeEnded             Code = "SOW_ENDED"
	CodePrice             Code = "SOW_PRICE"
	CodeGrade             Code = "SOW_GRADE"
	CodeGradeClaim        Code = "SOW_GRADE_CLAIM"
	CodeIDDiffers         Code = "SOW_ID_DIFFERS"
	CodeIDVersion         Code = "SOW_ID_VERSION"
	CodeDirected          Code = "SOW_DIRECTED"
	CodeDirectedMalformed Code = "SOW_DIRECTED_MALFORMED"
	CodeDirectedUnbounded Code = "SOW_DIRECTED_UNBOUNDED"
	CodeDirectedOccasion  Code = "SOW_DIRECTED_OCCASION"
	CodeDirectedLapsed    Code = "SOW_DIRECTED_LAPSED"
)

// Codes of lint (section B.10).
const (
	CodeStale    Code = "TERMS_STALE"
	CodeUnlisted Code = "TERMS_UNLISTED"
	CodeResign   Code = "CARD_RESIGN"
)

// codeTexts says what each code means. The texts are shown as signals where a
// document failed, so they state nothing about its provider (O-6) and hold nothing
// of its content (O-5).
var codeTexts = [...]struct {
	code Code
	text string
}{
	{CodeRequiredTrue, "the extension is marked required, which a data-only extension must not be; the flag is ignored"},
	{CodeDeclProposals, "the declaration lists no proposals in a form that can be read"},
	{CodeDeclSOWSpec, "the declaration does not say which version of the specification its proposals follow"},
	{CodeDeclDuplicate, "the card declares the extension more than once, so which declaration counts is not decided"},
	{CodeDeclUnknown, "the declaration has a member that the extension does not define; it is ignored"},
	{CodeURL, "the entry has no absolute https URL"},
	{CodeDigestFormat, `the entry's digest is not "sha256:" and 64 lowercase hexadecimal digits`},
	{CodeEntryConflict, "two entries commit one URL to different documents, so neither counts"},
	{CodeEntryDuplicate, "another entry commits to the same document"},
	{CodeEntryType, "a label of the entry is not a string; it is ignored"},
	{CodeSOWLabel, "the entry's label is not the document's identifier; the digest decides"},
	{CodeOfferingSkill, "the entry's offering is not the id of a skill of the card"},
	{CodeOfferingDoc, "the entry's offering is not among those of the document; the document's own are shown"},
	{CodeThirdParty, "the document is served from a host that is not the card's"},
	{CodeClaimUnbacked, "the card's prose says something that looks like a term, and no clause of a verified proposal states it"},
	{CodeNotFetched, "the document was not at hand, and nothing was fetched"},
	{CodeFetch, "the document could not be fetched"},
	{CodeParse, "what is served is not a JSON document"},
	{CodeDigestMismatch, "the served document is not the one that the card commits to"},
	{CodeCardUnsigned, "the card that is served now is not signed, and the one before was verified; nothing is read from it"},
	{CodeCardUnverified, "the card that is served now could not be verified, and the one before was; nothing is read from it"},
	{CodeCardInvalid, "the signature of the card that is served now is invalid; nothing is read from it"},
	{CodeDirectedPublic, "the proposal is an offer to one party and is not for a public card"},
	{CodeDirectedOther, "the proposal is an offer to another party than this reader"},
	{CodeDirectedMixed, "the card holds offers to two parties, so no channel is restricted to both"},
	{CodeJSONDuplicate, "a member name occurs twice in one object of the document"},
	{CodeJSONUnicode, "a string of the document has bytes or surrogates that do not form a character"},
	{CodeJSONRange, "a number of the document is outside the finite doubles"},
	{CodeJSONPrecision, "an integer of the document is not exactly a double, so readers see different numbers"},
	{CodeJSONTooDeep, "the document exceeds the nesting limit"},
	{CodeJSONTooLarge, "the document exceeds the size limit"},
	{CodeLimit, "a limit is exceeded"},
	{CodeUnsigned, "the document has no provider signature"},
	{CodeSignatures, "the signature records do not have the expected form, or not one of them is the provider's"},
	{CodeSigInvalid, "the provider's signature does not verify over the document"},
	{CodeSigEncoding, "the provider's signature is not 64 bytes in base64"},
	{CodeKeyEncoding, "the provider's key is not a public nkey of a user, account or operator"},
	{CodeSignedAt, "the time of the provider's signature does not have the form of RFC 3339"},
	{CodePrivateKey, "the document holds a PRIVATE KEY: whoever published it must withdraw that key now"},
	{CodeOwnerKeys, "the file of owners' keys does not have the expected form"},
	{CodeFormat, "the document is not a statement of work of the format v1"},
	{CodeNotStanding, "the document is not a standing proposal: the client's seat is filled, the client has signed, or a start is set"},
	{CodeIncomplete, "a clause that every proposal needs is missing, empty or a placeholder"},
	{CodeClauseMissing, "a clause that a proposal is expected to have is missing"},
	{CodeEnded, "the end that the proposal states, in ends_at, has passed"},
	{CodePrice, "the price clause does not have one of the defined forms"},
	{CodeGrade, "a clause has no grade, or one that is not defined; it is shown as ungraded"},
	{CodeGradeClaim, "a clause claims a grade that its kind cannot have; it is shown with the one that it can"},
	{CodeIDDiffers, "the identifier is not the one that this program would mint, which is not evidence of alteration"},
	{CodeIDVersion, "an identifier is only minted from version 1 of a document"},
	{CodeDirected, "the proposal is an offer to one party"},
	{CodeDirectedMalformed, "the document restricts who may countersign, in a form that cannot be read"},
	{CodeDirectedUnbounded, "the document is an offer to one party without an end"},
	{CodeDirectedOccasion, "the offer ends with an occasion that this program does not know, so it is not known whether it is open"},
	{CodeDirectedLapsed, "the offer has lapsed and is not open"},
	{CodeStale, "the document is not the one that the card commits to: the card needs the new digest and a new signature"},
	{CodeUnlisted, "a proposal is at hand that the declaration does not list"},
	{CodeResign, "the card changed after it was signed and needs a new signature"},
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
