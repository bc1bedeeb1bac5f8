package protocol

// Code is an error code of the extension: the value of the metadata key
// [KeyError]. The constants are in names.go. No code ever permits natural
// language. Codes are compared as they are spelt; one that is not in this table
// is a plain refusal.
type Code string

// Status is how the bindings of A2A carry a code.
type Status struct {
	JSONRPC int    // error.code of the JSON-RPC binding
	GRPC    string // name of the gRPC status
	HTTP    int    // status of the HTTP+JSON binding
	Text    string // what happened, in words that reveal nothing of the payload
	Remedy  string // what the sender can do
}

// codes is every code, in the order of the extension's table.
var codes = [...]struct {
	code   Code
	status Status
}{
	{CodeExtensionNotActive, Status{-32602, "INVALID_ARGUMENT", 400, "the extension is not active for this request", "activate the extension and resend with a new messageId"}},
	{CodeMalformedPayload, Status{-32602, "INVALID_ARGUMENT", 400, "the payload cannot be decoded", "correct the payload"}},
	{CodeUnsupportedMediaType, Status{-32005, "INVALID_ARGUMENT", 400, "the media type is missing or not accepted", "use another format"}},
	{CodeUnsupportedHash, Status{-32602, "INVALID_ARGUMENT", 400, "the protocol hash is not sha256 in canonical form", "none"}},
	{CodeUnsupportedProtocol, Status{-32004, "FAILED_PRECONDITION", 400, "the protocol document is not agreed, not declared or refused by policy", "offer it first, or use another protocol document"}},
	{CodeProtocolUnavailable, Status{-32004, "FAILED_PRECONDITION", 400, "the protocol document could not be fetched safely", "try again later"}},
	{CodeProtocolHashMismatch, Status{-32004, "FAILED_PRECONDITION", 400, "the document does not have the pin", "none"}},
	{CodeInvalidProtocolDocument, Status{-32004, "FAILED_PRECONDITION", 400, "the protocol document is malformed, unsupported or rejected in review", "none"}},
	{CodeIntentInvalid, Status{-32602, "INVALID_ARGUMENT", 400, "the intent does not conform, or there is not exactly one", "correct the intent"}},
	{CodeResponseInvalid, Status{-32006, "INTERNAL", 500, "the response does not conform", "none"}},
	{CodeUpgradeRequired, Status{-32004, "FAILED_PRECONDITION", 400, "this exchange needs the RDF protocol", "upgrade"}},
	{CodeAuthorizationDenied, Status{-31403, "PERMISSION_DENIED", 403, "no verifiable grant permits this", "present a chain that grants it"}},
	{CodeLimitExceeded, Status{-32602, "INVALID_ARGUMENT", 400, "a bound on size, count, depth, time or rate was reached", "send less, or later"}},
	{CodeDuplicateMessage, Status{-32602, "INVALID_ARGUMENT", 400, "the messageId was used with other content", "use a new messageId"}},
}

// TooMany returns how the bindings carry [CodeLimitExceeded] when too many messages
// came too fast: the limit that was reached is one on rate.
func TooMany() Status {
	s, _ := CodeLimitExceeded.Status()
	s.GRPC, s.HTTP, s.Remedy = "RESOURCE_EXHAUSTED", 429, "send later"
	return s
}

// Codes returns every code, in a fixed order.
func Codes() []Code {
	all := make([]Code, len(codes))
	for i := range codes {
		all[i] = codes[i].code
	}
	return all
}

// Status returns how a code is carried, and whether the code is known.
func (c Code) Status() (Status, bool) {
	for i := range codes {
		if codes[i].code == c {
			return codes[i].status, true
		}
	}
	return Status{}, false
}

// Error is a refusal with its code. Its text repeats what a peer sent only as far as
// [rdf.Abbreviate] leaves it.
type Error struct {
	Code   Code
	Reason string // what was expected and what came; "" when Err says it all
	Err    error  // the underlying error, with its place; may be nil
}

// Error returns the reason and the underlying error.
func (e *Error) Error() string {
	switch {
	case e.Err == nil:
		return e.Reason
	case e.Reason == "":
		return e.Err.Error()
	}
	return e.Reason + ": " + e.Err.Error()
}

// Unwrap returns the underlying error.
func (e *Error) Unwrap() error { return e.Err }

func refuse(code Code, reason string, err error) *Error { return &Error{code, reason, err} }
