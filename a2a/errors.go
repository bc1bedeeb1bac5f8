package a2a

import (
	"errors"
	"strings"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/protocol"
)

// maxText bounds what is kept of a peer's error text (a2a-rdf, section 8.2).
const maxText = 8 << 10

// sentinel is the error of the SDK that becomes a code of JSON-RPC, and the status that
// belongs to it in the other bindings (a2a-rdf, section 8.2).
func sentinel(jsonrpc int) error {
	switch jsonrpc {
	case -32700:
		return sdk.ErrParseError
	case -32600:
		return sdk.ErrInvalidRequest
	case -32602:
		return sdk.ErrInvalidParams
	case -32004:
		return sdk.ErrUnsupportedOperation
	case -32005:
		return sdk.ErrUnsupportedContentType
	case -32006:
		return sdk.ErrInvalidAgentResponse
	case -32008:
		return sdk.ErrExtensionSupportRequired
	case -31403:
		return sdk.ErrUnauthorized
	default:
		return sdk.ErrInternalError
	}
}

// wireError is a refusal as the SDK carries it: the sentinel of the code, and a detail
// with the code under the extension's key (a2a-rdf, section 8.3). challenge goes with it
// when there is one. The text is that of the code: it gives nothing of a payload away.
func wireError(code protocol.Code, challenge map[string]any) error {
	status, ok := code.Status()
	if !ok {
		return sdk.NewError(sdk.ErrInternalError, "the request could not be carried out")
	}
	details := map[string]any{protocol.KeyError: string(code)}
	if challenge != nil {
		details[protocol.KeyChallenge] = challenge
	}
	return sdk.NewError(sentinel(status.JSONRPC), status.Text).WithDetails(details)
}

// failedReply reads an error of a binding. body is what came over HTTP, which the SDK
// does not read as leniently as it should be; the zero Value over gRPC.
func failedReply(err error, body strictjson.Value) engine.Reply {
	if body.Get("error").Exists() {
		if r, failed := engine.ParseReply([]byte(body.Source()), engine.Limits{}); failed == nil {
			return r
		}
	}
	r := engine.Reply{Failed: true, Text: clip(err.Error(), maxText)}
	known, ok := errors.AsType[*sdk.Error](err)
	if !ok {
		return r
	}
	r.Text = clip(known.Message, maxText)
	details := []any{known.Details}
	for _, typed := range known.TypedDetails {
		details = append(details, typed.Value)
	}
	r.Code, r.Challenge = engine.ErrorCode(encode(details))
	return r
}

// noJSON is the answer of which no JSON is at hand.
func noJSON() strictjson.Value { return strictjson.Value{} }

// asksForExtension reports whether an error says that an extension is required: by the
// error that A2A has for it, -32008, or by one of those that agents in the field send
// instead, -32004 and -32600, where no code of this extension says otherwise.
func asksForExtension(err error, body strictjson.Value, code protocol.Code) bool {
	number, _ := body.Get("error").Get("code").Int64()
	if errors.Is(err, sdk.ErrExtensionSupportRequired) || number == -32008 {
		return true
	}
	return code == "" && (errors.Is(err, sdk.ErrUnsupportedOperation) || errors.Is(err, sdk.ErrInvalidRequest) ||
		number == -32004 || number == -32600)
}

// clip cuts a text at a character.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}
