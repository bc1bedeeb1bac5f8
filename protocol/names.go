package protocol

// This file holds every name of the extension: those that its text defines, and
// those that were chosen where the text is silent. If a later text settles one, this
// is the one place to change.

// ExtensionURI names the extension on Agent Cards, in the A2A-Extensions service
// parameter and in Message.extensions. It is compared byte for byte (a2a-rdf,
// CARD-1); another version is another extension (VER-1).
const ExtensionURI = "https://w3id.org/jeswr/a2a-rdf/v1"

// ExtensionURIs returns the URIs under which the extension is spoken, the current
// one first and deprecated ones after it (a2a-rdf, VER-3). There is one today.
func ExtensionURIs() []string { return []string{ExtensionURI} }

// Keys of metadata (a2a-rdf, section 6.2). They begin with the URI that was
// activated, see [KeysOf]; these are the ones for [ExtensionURI].
const (
	KeyKind         = ExtensionURI + keyKind
	KeyProtocolHash = ExtensionURI + keyProtocolHash
	KeyError        = ExtensionURI + keyError
	KeyChallenge    = ExtensionURI + keyChallenge
	KeyMediaType    = ExtensionURI + keyMediaType
)

const (
	keyKind         = "/kind"
	keyProtocolHash = "/protocolHash"
	keyError        = "/error"
	keyChallenge    = "/challenge"
	keyMediaType    = "/mediaType"
)

// Keys are the metadata keys of one version of the extension.
type Keys struct {
	Kind         string // of a part: its [Role]
	ProtocolHash string // of a part: the pin that governs it
	Error        string // of an error or a message: a [Code]
	Challenge    string // of a message: what a presentation is to be bound to
	MediaType    string // of a part in A2A 0.3, whose text and data parts have no media type
}

// KeysOf returns the metadata keys of the extension under a URI, and false for a
// URI that is not one of [ExtensionURIs].
func KeysOf(uri string) (Keys, bool) {
	for _, known := range ExtensionURIs() {
		if uri == known {
			return Keys{uri + keyKind, uri + keyProtocolHash, uri + keyError, uri + keyChallenge, uri + keyMediaType}, true
		}
	}
	return Keys{}, false
}

// Role says what a part of a message is for: the value of [KeyKind].
type Role string

// The roles of parts (a2a-rdf, section 6.2). The first two are also the kinds of
// handshake messages.
const (
	RoleUpgradeOffer    Role = "upgrade-offer"
	RoleUpgradeResponse Role = "upgrade-response"
	RoleIntent          Role = "intent"
	RoleResponse        Role = "response"
	RoleAuthorization   Role = "authorization"
)

// IntentBase is what the IRIs of intents begin with by default.
const IntentBase = "urn:a2a:intent:"

// The error codes (a2a-rdf, section 8.2).
const (
	CodeExtensionNotActive      Code = "extension-not-active"
	CodeMalformedPayload        Code = "malformed-payload"
	CodeUnsupportedMediaType    Code = "unsupported-media-type"
	CodeUnsupportedHash         Code = "unsupported-hash"
	CodeUnsupportedProtocol     Code = "unsupported-protocol"
	CodeProtocolUnavailable     Code = "protocol-unavailable"
	CodeProtocolHashMismatch    Code = "protocol-hash-mismatch"
	CodeInvalidProtocolDocument Code = "invalid-protocol-document"
	CodeIntentInvalid           Code = "intent-invalid"
	CodeResponseInvalid         Code = "response-invalid"
	CodeUpgradeRequired         Code = "upgrade-required"
	CodeAuthorizationDenied     Code = "authorization-denied"
	CodeLimitExceeded           Code = "limit-exceeded"
	CodeDuplicateMessage        Code = "duplicate-message"
)
