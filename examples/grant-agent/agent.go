package main

import (
	"context"
	"crypto/rand"
	_ "embed"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"
	sdksrv "github.com/a2aproject/a2a-go/v2/a2asrv"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/examples/internal/demo"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/replay"
)

// grantAccess is the Protocol Document that the agent speaks. It says what an intent to
// grant access must contain.
//
//go:embed grant-access.ttl
var grantAccess []byte

const (
	turtle       = "text/turtle"
	documentPath = "/protocols/grant-access"
)

// newAgent makes the agent of a pod, to be served at an origin.
func newAgent(parties *demo.Agent, origin string, store replay.Store, p *pod, out io.Writer) (http.Handler, error) {
	ctx := context.Background()

	// The document is the agent's own, so its pin needs no comparison; it is still checked
	// against every rule, and reviewed.
	candidate, err := protocol.Parse(ctx, grantAccess, turtle, protocol.Options{})
	if err != nil {
		return nil, err
	}
	document, err := candidate.Verify(candidate.Pin())
	if err != nil {
		return nil, err
	}
	reviewed, err := protocol.Examine(document).Accept()
	if err != nil {
		return nil, err
	}
	documents := protocol.NewStore(0)
	if err := documents.Put(reviewed); err != nil {
		return nil, err
	}

	// Who may ask for what: the chain of credentials must lead from the owner of the pod
	// to the client that asks.
	verifier, err := vc.New(vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Authority: true})
	if err != nil {
		return nil, err
	}
	authorizer, err := authz.New(authz.Config{Verifier: verifier})
	if err != nil {
		return nil, err
	}

	e, err := engine.New(engine.Config{
		Local: demo.AgentName, Documents: documents, Store: store, Clock: time.Now, Random: rand.Reader,
		Declared: []engine.Declared{{Pin: reviewed.Pin(), Source: origin + documentPath, Name: "Grant access"}},
		Domain:   demo.AgentName, // presentations must be made for this agent
		Authorizer: &engine.Chains{
			Authorizer: authorizer,
			Root:       func(context.Context, []odrl.Request) (string, error) { return parties.Owner, nil },
		},
	})
	if err != nil {
		return nil, err
	}

	card, err := newCard(parties, origin, reviewed.Pin())
	if err != nil {
		return nil, err
	}
	server, err := a2a.NewServer(a2a.ServerConfig{Engine: e, Handler: p, Card: card, Observe: observe(out)})
	if err != nil {
		return nil, err
	}
	cardHandler, err := a2a.CardHandler(card, time.Hour)
	if err != nil {
		return nil, err
	}
	requests := server.RequestHandler(
		sdksrv.WithCallInterceptors(authenticator{clients: parties.Clients}),
		sdksrv.WithLogger(slog.New(slog.DiscardHandler)), // observe tells more
	)
	mux := http.NewServeMux()
	mux.Handle(a2a.CardPath, cardHandler)
	mux.Handle("/rpc", server.JSONRPC(requests))
	mux.HandleFunc("GET "+documentPath, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", turtle)
		_, _ = w.Write(grantAccess) // who asked may be gone
	})
	return mux, nil
}

// authenticator lets the SDK know who sends a request, by a bearer token.
type authenticator struct {
	sdksrv.PassthroughCallInterceptor
	clients map[string]string
}

// Before implements the SDK's CallInterceptor.
func (a authenticator) Before(ctx context.Context, call *sdksrv.CallContext, _ *sdksrv.Request) (context.Context, any, error) {
	values, _ := call.ServiceParams().Get("authorization")
	if len(values) == 1 {
		token, _ := strings.CutPrefix(values[0], "Bearer ")
		if name, ok := a.clients[token]; ok {
			call.User = sdksrv.NewAuthenticatedUser(name, nil)
			return ctx, nil, nil
		}
	}
	return ctx, nil, sdk.ErrUnauthenticated
}

// observe prints what every message came to, and how.
func observe(out io.Writer) func(context.Context, engine.Outcome, error) {
	var mu sync.Mutex
	return func(_ context.Context, o engine.Outcome, err error) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintln(out)
		demo.PrintOutcome(out, &o)
		if err != nil {
			fmt.Fprintf(out, "    failed: %s\n", demo.Clean(err.Error()))
		}
	}
}
