package a2a

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"time"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"
	sdksrv "github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/a2aproject/a2a-go/v2/a2asrv/taskstore"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
)

// Wall-clock bounds of the server side.
const (
	// ValidationTime bounds judging one message (a2a-rdf, VAL-4).
	ValidationTime = 2 * time.Second
	// EvaluationTime bounds answering an offer, for which a document may have to be
	// fetched: the time for a fetch (a2a-rdf, FETCH-3) and for judging the document.
	EvaluationTime = 12 * time.Second
)

// largeMessage is what a message must have to wait for its turn, and largeTurns how many
// have one at once for each processor. Long names under short prefixes make some 60 MB of
// 160 KB, however soon they are refused; of fewer bytes they make little, and soon.
const (
	largeMessage = 16 << 10
	largeTurns   = 2
)

// Handler is the application: it carries out intents that were accepted, each once.
type Handler interface {
	// Handle carries an intent out and returns the answer. The answer's graph is checked
	// against the document's response shape; one that does not conform is not sent. An
	// error is a refusal: the peer is told the code of a [*protocol.Error] in it, but not
	// its text.
	//
	// ctx has no deadline from this package. Handle must be safe for concurrent use.
	Handle(ctx context.Context, in *engine.Intent) (engine.Answer, error)
}

// HandlerFunc makes a function a Handler.
type HandlerFunc func(ctx context.Context, in *engine.Intent) (engine.Answer, error)

// Handle implements Handler.
func (f HandlerFunc) Handle(ctx context.Context, in *engine.Intent) (engine.Answer, error) {
	return f(ctx, in)
}

// ServerConfig is what a Server is made from. Engine, Handler and Card are required.
type ServerConfig struct {
	// Engine judges messages.
	Engine *engine.Engine
	// Handler carries intents out.
	Handler Handler
	// Card is the agent's card, the bytes that are served. It declares the extension.
	Card []byte

	// Prose gets the messages without payloads of the extension, where nothing forbids
	// prose, and cleans up after those alone if it is a cleaner of the SDK. If it is nil,
	// prose is refused with upgrade-required.
	Prose sdksrv.AgentExecutor
	// Principal names the sender of a request that the SDK's authentication let pass; ""
	// means nobody. By default it is the name of the authenticated user. It is never
	// called for users that are not authenticated.
	Principal func(*sdksrv.User) string
	// Network says where a request came from, for the limits on peers that are not
	// authenticated: see [engine.Peer.Network]. remote is the address of the connection,
	// the zero Addr if it is not known; only the application knows which proxies forward
	// requests. By default it is remote, for IPv6 its first 64 bits, and "" for an address
	// that is not public, since that is more likely a proxy's.
	Network func(ctx context.Context, remote netip.Addr) string
	// Tasks answers intents with a task that has the response in an artifact, instead of
	// with a message.
	Tasks bool
	// InsecureV03 accepts payloads that come through the SDK's handlers for A2A 0.3, which
	// lose the media types of text and data parts: these are then taken from metadata (a2a-rdf,
	// section 6.5), for which nothing in A2A vouches.
	InsecureV03 bool
	// Observe is called with the outcome of every message and its trace; err is what
	// failed on this side. It must be safe for concurrent use and must not change the
	// outcome. Outcomes quote peers: whoever logs them must shorten and clean what is
	// quoted.
	Observe func(ctx context.Context, o engine.Outcome, err error)
}

// Server is an agent's side of the extension in the SDK's server. Make one with
// [NewServer]. It is immutable and safe for concurrent use.
type Server struct {
	config   ServerConfig
	required bool
	large    chan struct{} // the turns of large messages
	offers   chan struct{} // of those that hold offers: whoever publishes a document can keep one waiting
}

// NewServer makes a Server. It fails when something required is missing, and when the
// card does not declare the extension in a valid form, names documents or formats in a way
// that peers drop, or declares a document that the engine does not (a2a-rdf, CARD-13).
func NewServer(c ServerConfig) (*Server, error) {
	switch {
	case c.Engine == nil:
		return nil, errors.New("expected an engine")
	case c.Handler == nil:
		return nil, errors.New("expected a handler of intents")
	}
	card, err := agentcard.Parse(c.Card, agentcard.Limits{})
	if err != nil {
		return nil, fmt.Errorf("the agent card: %w", err)
	}
	d := card.Declaration()
	if !d.Declared || !d.Valid {
		return nil, fmt.Errorf("expected a card that declares the extension: %s", findings(d))
	}
	for _, f := range d.Findings {
		if f.Code == agentcard.CodeDeclDropped || f.Code == agentcard.CodeDeclUnusable {
			return nil, fmt.Errorf("expected a declaration on the agent card of which peers can use everything: %s at %s", f.Text, f.Pointer)
		}
	}
	for _, doc := range d.Documents {
		if !c.Engine.Declares(doc.Hash) {
			return nil, fmt.Errorf("the agent card declares %s, which is not among the engine's declared documents", doc.Hash)
		}
	}
	turns := largeTurns * runtime.GOMAXPROCS(0)
	return &Server{config: c, required: d.Required, large: make(chan struct{}, turns), offers: make(chan struct{}, turns)}, nil
}

// RequestHandler makes the SDK's handler for this agent, to be given to the SDK's
// transports behind [HTTP] or [GRPCOptions]. Tasks are kept in memory, each for whoever
// began it, see [Server.TaskStore]; the SDK's store never forgets a task, so an agent
// that makes many should bring one that does, by the SDK's WithTaskStore. Pass what
// authenticates requests among the options, as a CallInterceptor of the SDK: it runs
// before this package's. Whoever cancels a task, or says where to notify of it, must be
// able to get it.
func (s *Server) RequestHandler(options ...sdksrv.RequestHandlerOption) sdksrv.RequestHandler {
	tasks := taskstore.NewInMemory(&taskstore.InMemoryStoreConfig{Authenticator: s.lister})
	all := append([]sdksrv.RequestHandlerOption{sdksrv.WithTaskStore(s.TaskStore(tasks))}, options...)
	h := sdksrv.NewHandler(s.Executor(), append(all, sdksrv.WithCallInterceptors(s.Interceptor()))...)
	behind := h.(*sdksrv.InterceptedHandler) // or the SDK is another than this was written for
	behind.Handler = ownedHandler{behind.Handler}
	return behind
}

// JSONRPC makes the handler of the JSON-RPC binding, with [HTTP] before it.
func (s *Server) JSONRPC(h sdksrv.RequestHandler, options ...sdksrv.TransportOption) http.Handler {
	return HTTP(JSONRPC, sdksrv.NewJSONRPCHandler(h, options...))
}

// REST makes the handler of the HTTP+JSON binding, with [HTTP] before it.
func (s *Server) REST(h sdksrv.RequestHandler, options ...sdksrv.TransportOption) http.Handler {
	return HTTP(REST, sdksrv.NewRESTHandler(h, options...))
}

// Executor makes an executor for the SDK that puts the engine before the application.
// If you make the SDK's handler yourself, also add [Server.Interceptor], and keep tasks
// in a [Server.TaskStore].
func (s *Server) Executor() sdksrv.AgentExecutor { return &executor{server: s} }

// Interceptor makes the interceptor that activates the extension where a request asks
// for it, and refuses requests that do not when the card requires it, with
// ExtensionSupportRequiredError (a2a-rdf, CARD-4). A request in another version of A2A than
// 1 and 0 is refused with VersionNotSupportedError (A2A, section 3.6.2); one that names none
// is read as one of A2A 1.
func (s *Server) Interceptor() sdksrv.CallInterceptor { return &interceptor{server: s} }

type interceptor struct {
	sdksrv.PassthroughCallInterceptor
	server *Server
}

// Before implements the SDK's CallInterceptor.
func (i *interceptor) Before(ctx context.Context, call *sdksrv.CallContext, _ *sdksrv.Request) (context.Context, any, error) {
	if !isSpoken(call.ServiceParams()) {
		return ctx, nil, sdk.NewError(sdk.ErrVersionNotSupported, "this agent speaks A2A 1.0")
	}
	if !slices.Contains(requested(call.ServiceParams()), protocol.ExtensionURI) {
		if i.server.required {
			return ctx, nil, sdk.NewError(sdk.ErrExtensionSupportRequired, "this agent asks for the extension "+protocol.ExtensionURI)
		}
		return ctx, nil, nil
	}
	call.Extensions().Activate(&sdk.AgentExtension{URI: protocol.ExtensionURI})
	requestFrom(ctx).activate(call.Extensions().ActivatedURIs())
	return ctx, nil, nil
}

// After implements the SDK's CallInterceptor: others may have activated more.
func (i *interceptor) After(ctx context.Context, call *sdksrv.CallContext, _ *sdksrv.Response) error {
	requestFrom(ctx).activate(call.Extensions().ActivatedURIs())
	return nil
}

// requested returns the extensions that a request asks for, however they are listed.
// The SDK's handlers for A2A 0.3 give the old name of the parameter the new one.
func requested(params *sdksrv.ServiceParams) []string {
	values, _ := params.Get(sdk.SvcParamExtensions)
	return splitExtensions(values)
}

// versions returns the versions of A2A that a request names, however they are listed.
func versions(params *sdksrv.ServiceParams) []string {
	values, _ := params.Get(sdk.SvcParamVersion)
	var named []string
	for _, list := range values {
		for v := range strings.SplitSeq(list, ",") {
			if v = strings.TrimSpace(v); v != "" {
				named = append(named, v)
			}
		}
	}
	return named
}

// isV0 reports whether a version is one of A2A 0, which are read as 0.3.
func isV0(version string) bool { return strings.HasPrefix(version, "0.") }

// isSpoken reports whether a request names no version of A2A but those that are read
// here: in another one it may mean something else.
func isSpoken(params *sdksrv.ServiceParams) bool {
	return !slices.ContainsFunc(versions(params), func(v string) bool { return !isV1(v) && !isV0(v) })
}

// isV03Request reports whether a request is one of A2A 0.3.
func isV03Request(params *sdksrv.ServiceParams) bool {
	return slices.ContainsFunc(versions(params), isV0)
}

// principal says who sent a request (a2a-rdf, section 5.5): the SDK's authentication
// alone, never the message.
func (s *Server) principal(u *sdksrv.User) string {
	switch {
	case u == nil || !u.Authenticated:
		return ""
	case s.config.Principal != nil:
		return s.config.Principal(u)
	default:
		return u.Name
	}
}
