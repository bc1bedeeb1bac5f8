package a2a

import (
	"context"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"net/netip"
	"strings"
	"sync"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/protocol"
)

// MaxMessage bounds one message together with its envelope, in bytes (a2a-rdf, VAL-1).
const MaxMessage = 1 << 20

// maxReply bounds what a client reads of one answer, a stream of events as a whole.
const maxReply = MaxMessage

// maxNesting bounds the nesting of a body: what a payload may have, and the request,
// its parameters, the message, its parts and the part that stand around it.
const maxNesting = 64 + 6

// Binding is a protocol binding of A2A 1.0.
type Binding uint8

// The bindings. The zero Binding is none.
const (
	JSONRPC Binding = iota + 1
	REST            // HTTP+JSON
	GRPC
)

// String returns the binding as Agent Cards spell it.
func (b Binding) String() string {
	switch b {
	case JSONRPC:
		return string(sdk.TransportProtocolJSONRPC)
	case REST:
		return string(sdk.TransportProtocolHTTPJSON)
	case GRPC:
		return string(sdk.TransportProtocolGRPC)
	default:
		return "none"
	}
}

// request is what the middleware knows of an HTTP request and the SDK's handler does
// not pass on. It travels in the context, by which the executor finds it.
type request struct {
	message []byte     // the JSON of the message as it came; nil when there is none
	remote  netip.Addr // where it came from

	mu        sync.Mutex
	activated []string
}

type requestKey struct{}

func requestFrom(ctx context.Context) *request {
	r, _ := ctx.Value(requestKey{}).(*request)
	return r
}

// activate records what the response header names (a2a-rdf, CARD-7).
func (r *request) activate(uris []string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.activated = uris
}

func (r *request) active() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.activated
}

// raw returns the JSON of the message, nil when there is none.
func (r *request) raw() []byte {
	if r == nil {
		return nil
	}
	return r.message
}

// bodyError is why a body is refused before the SDK sees it. code is "" where the
// extension has none for it.
type bodyError struct {
	jsonrpc int
	code    protocol.Code
	text    string
}

func (e *bodyError) Error() string { return e.text }

// parseBody reads a request's body strictly and keeps the message in it as it came: of
// data parts the SDK loses repeated members and the exact numbers (a2a-rdf, section
// 14). The SDK's decoder takes the last of two members and matches names in any case;
// what it would read in another way than a strict reader is refused.
func parseBody(body []byte, b Binding) (*request, *bodyError) {
	root, err := strictjson.Borrow(body, strictjson.Limits{Bytes: MaxMessage, Depth: maxNesting})
	if err != nil {
		return nil, refuseBody(err)
	}
	params := root
	if b == JSONRPC {
		if e := exactNames(root, "jsonrpc", "id", "method", "params"); e != nil {
			return nil, e
		}
		params = root.Get("params")
	}
	if e := exactNames(params, "message", "configuration", "metadata", "tenant"); e != nil {
		return nil, e
	}
	message := params.Get("message")
	if e := exactNames(message, messageNames()...); e != nil {
		return nil, e
	}
	for _, part := range message.Get("parts").Items() {
		if e := exactNames(part, partNames()...); e != nil {
			return nil, e
		}
	}
	r := &request{}
	if message.Kind() == strictjson.Object {
		r.message = []byte(message.Source())
	}
	return r, nil
}

// messageNames and partNames are the members of A2A 1.0.
func messageNames() []string {
	return []string{"messageId", "contextId", "taskId", "role", "parts", "metadata", "extensions", "referenceTaskIds"}
}

func partNames() []string {
	return []string{"text", "data", "raw", "url", "mediaType", "filename", "metadata"}
}

// refuseBody says why a text that strictjson refused is refused. What is no JSON at
// all is a parse error; JSON that two readers may read in two ways is malformed.
func refuseBody(err error) *bodyError {
	var syntax *strictjson.Error
	if !errors.As(err, &syntax) {
		return &bodyError{-32700, "", "the body is not JSON"}
	}
	switch syntax.Code {
	case strictjson.CodeLimitExceeded:
		return &bodyError{-32602, protocol.CodeLimitExceeded, "the body exceeds the limit on " + string(syntax.Limit)}
	case strictjson.CodeDuplicateMember:
		return &bodyError{-32602, protocol.CodeMalformedPayload, "the body repeats a member of an object"}
	case strictjson.CodeInvalidUTF8, strictjson.CodeLoneSurrogate:
		return &bodyError{-32602, protocol.CodeMalformedPayload, "the body holds text that is not Unicode"}
	case strictjson.CodeNumberRange:
		return &bodyError{-32602, protocol.CodeMalformedPayload, "the body holds a number that no double is near"}
	default:
		return &bodyError{-32700, "", "the body is not JSON"}
	}
}

// checkHeader refuses a body that is not JSON as it stands: one in another encoding, and
// one of a media type that web pages can have a browser send to any agent its user
// reaches.
func checkHeader(h http.Header) *bodyError {
	for _, coding := range h.Values("Content-Encoding") {
		if coding != "" && !strings.EqualFold(coding, "identity") {
			return &bodyError{-32005, "", "the body has a content encoding"}
		}
	}
	values := h.Values("Content-Type")
	if len(values) == 0 {
		return nil
	}
	kind, params, err := mime.ParseMediaType(values[0])
	if err != nil || len(values) > 1 || kind != "application/json" && !(strings.HasPrefix(kind, "application/") && strings.HasSuffix(kind, "+json")) {
		return &bodyError{-32005, "", "expected a body of the media type application/json"}
	}
	if charset, ok := params["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		return &bodyError{-32005, "", "expected a body in UTF-8"}
	}
	return nil
}

// exactNames refuses a member that the SDK's decoder takes for a known one although
// it is spelt in another case.
func exactNames(object strictjson.Value, known ...string) *bodyError {
	for name := range object.Members() {
		for _, k := range known {
			if name != k && strings.EqualFold(name, k) {
				return &bodyError{-32602, protocol.CodeMalformedPayload, "the body spells the member " + k + " in another case"}
			}
		}
	}
	return nil
}

// write answers with the error, as the SDK's handlers write theirs.
func (e *bodyError) write(w http.ResponseWriter, b Binding) {
	base := sentinel(e.jsonrpc)
	details := []any{map[string]any{
		"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": sdk.ErrorReason(base), "domain": sdk.ProtocolDomain,
	}}
	if e.code != "" {
		details = append([]any{map[string]any{
			"@type": "type.googleapis.com/google.protobuf.Struct", protocol.KeyError: string(e.code),
		}}, details...)
	}
	status := http.StatusOK // errors of JSON-RPC are answers of HTTP
	answer := map[string]any{
		"jsonrpc": "2.0", "id": nil,
		"error": map[string]any{"code": e.jsonrpc, "message": e.text, "data": details},
	}
	if b == REST {
		status = http.StatusBadRequest
		answer = map[string]any{"error": map[string]any{
			"code": status, "status": "INVALID_ARGUMENT", "message": e.text, "details": details,
		}}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer) // the peer that left reads no error
}
