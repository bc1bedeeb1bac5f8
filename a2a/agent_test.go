package a2a_test

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"
	sdkgrpc "github.com/a2aproject/a2a-go/v2/a2agrpc/v1"
	sdksrv "github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/a2aproject/a2a-go/v2/a2asrv/taskstore"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/fetch"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/replay"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	source    = "https://alice.pod.example/protocols/"
	container = "https://alice.pod.example/notes/"
	forbidden = "https://alice.pod.example/secrets/"
	reader    = "https://bob.example/profile#me"
)

// document builds, verifies and reviews a Protocol Document of a stock verb.
func document(t testing.TB, verb protocol.Verb, responds bool) *protocol.Reviewed {
	t.Helper()
	request, err := protocol.StockRequest(verb)
	require.NoError(t, err)
	parts := protocol.Parts{ID: source + verb.String(), Title: verb.String(), Request: protocol.Shapes{Graph: request}}
	if responds {
		response, err := protocol.StockResponse("https://schema.org/ReadAction", "")
		require.NoError(t, err)
		parts.Response = protocol.Shapes{Graph: response}
	}
	d, err := protocol.Build(t.Context(), parts, protocol.Options{})
	require.NoError(t, err)
	r, err := protocol.Examine(d).Accept()
	require.NoError(t, err)
	return r
}

// intent is the graph of an intent of a stock verb.
func intent(t testing.TB, verb protocol.Verb, target string) *rdf.Dataset {
	t.Helper()
	in := protocol.Intent{ID: "urn:a2a:intent:1", Verb: verb, Target: target}
	if verb == protocol.VerbGrant {
		in.Recipient, in.Modes = reader, protocol.ModeRead
	}
	g, err := in.Graph()
	require.NoError(t, err)
	return g
}

func graph(t testing.TB, text string) *rdf.Dataset {
	t.Helper()
	d, err := turtle.Parse([]byte(text), turtle.Options{})
	require.NoError(t, err)
	return d
}

const goodResponse = `<urn:done> a <https://schema.org/ReadAction> .`

// prose is the application that the agent had before: it counts what it gets.
type prose struct {
	got     atomic.Int64
	cancels bool // whatever it is asked to cancel
}

func (p *prose) Execute(_ context.Context, ec *sdksrv.ExecutorContext) iter.Seq2[sdk.Event, error] {
	return func(yield func(sdk.Event, error) bool) {
		p.got.Add(1)
		yield(sdk.NewMessageForTask(sdk.MessageRoleAgent, sdk.TaskInfo{ContextID: ec.ContextID}, sdk.NewTextPart("as you say")), nil)
	}
}

func (p *prose) Cancel(_ context.Context, ec *sdksrv.ExecutorContext) iter.Seq2[sdk.Event, error] {
	return func(yield func(sdk.Event, error) bool) {
		if p.cancels {
			yield(sdk.NewStatusUpdateEvent(ec, sdk.TaskStateCanceled, nil), nil)
			return
		}
		yield(nil, sdk.ErrTaskNotCancelable)
	}
}

// agent is a running agent on all three transports.
type agent struct {
	url     string
	version string // of A2A, that post names: 1.0 by default
	query   string // of the addresses that post asks
	grpc    string // the address of its gRPC binding
	certs   []tls.Certificate
	roots   *x509.CertPool
	card    []byte
	keys    *agentcard.KeySet
	jwks    []byte             // what keys was read from
	read    *protocol.Reviewed // declared on the card, with a response shape
	grant   *protocol.Reviewed // to be offered
	update  *protocol.Reviewed // held by the agent and not allowed by its policy
	prose   *prose
	server  *a2a.Server
	handler http.Handler

	mu     sync.Mutex
	done   []string // the messageIds of intents that were carried out
	answer func(in *engine.Intent) (engine.Answer, error)
	last   engine.Outcome
}

type agentOptions struct {
	required     bool
	tasks        bool
	offerInReply bool
	noProse      bool
	prose        sdksrv.AgentExecutor                            // in the place of the agent's
	executor     func(sdksrv.AgentExecutor) sdksrv.AgentExecutor // around the agent's
	wrap         func(http.Handler) http.Handler                 // around everything over HTTP
	engine       func(*engine.Config)
	unsigned     bool
	insecureV03  bool
	ran          func(context.Context) // called when an intent is carried out
	version      string                // of the interfaces
	requestTime  time.Duration         // over gRPC, if not that of the package
	grpcAddress  string                // on the card, if another than the agent's
	card         func([]byte) []byte
}

func (a *agent) executed() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]string(nil), a.done...)
}

func (a *agent) outcome() engine.Outcome {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.last
}

func (a *agent) respond(f func(in *engine.Intent) (engine.Answer, error)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.answer = f
}

// denyForbidden permits everything but what is about the forbidden container.
func denyForbidden(_ context.Context, q *engine.Question) (engine.Authority, error) {
	in, err := protocol.Project(q.Graph, q.Intent)
	if err != nil {
		return engine.Authority{}, err
	}
	return engine.Authority{Permit: in.Target != forbidden}, nil
}

func newAgent(t testing.TB, o agentOptions) *agent {
	t.Helper()
	a := &agent{
		read: document(t, protocol.VerbRead, true), grant: document(t, protocol.VerbGrant, false), update: document(t, protocol.VerbUpdate, false),
		prose: &prose{},
	}
	a.answer = func(*engine.Intent) (engine.Answer, error) {
		return engine.Answer{Graph: graph(t, goodResponse), Text: "done"}, nil
	}
	documents := protocol.NewStore(0)
	for _, d := range []*protocol.Reviewed{a.read, a.grant, a.update} {
		require.NoError(t, documents.Put(d))
	}
	config := engine.Config{
		Local: "https://alice.pod.example/agent", Documents: documents, Store: replay.NewMemory(replay.Limits{}),
		Clock: time.Now, Random: rand.Reader,
		Declared:     []engine.Declared{{Pin: a.read.Pin(), Source: source + "read", Name: "Read"}},
		Policy:       engine.AllowList{Pins: []canon.Digest{a.grant.Pin(), a.read.Pin()}},
		Authorizer:   engine.AuthorizerFunc(denyForbidden),
		OfferInReply: o.offerInReply,
	}
	if o.engine != nil {
		o.engine(&config)
	}
	e, err := engine.New(config)
	require.NoError(t, err)

	mux := http.NewServeMux()
	ts := httptest.NewUnstartedServer(mux)
	ts.Config.ErrorLog = nil
	ts.StartTLS()
	t.Cleanup(ts.Close)
	a.url, a.certs = ts.URL, ts.TLS.Certificates
	a.roots = x509.NewCertPool()
	a.roots.AddCert(ts.Certificate())
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)

	a.grpc = listener.Addr().String()
	if o.grpcAddress == "" {
		o.grpcAddress = a.grpc
	}
	a.card, a.keys = makeCard(t, a, o, o.grpcAddress)
	config2 := a2a.ServerConfig{
		Engine: e, Card: a.card, Tasks: o.tasks, InsecureV03: o.insecureV03,
		Handler: a2a.HandlerFunc(func(ctx context.Context, in *engine.Intent) (engine.Answer, error) {
			if o.ran != nil {
				o.ran(ctx)
			}
			a.mu.Lock()
			a.done = append(a.done, in.MessageID())
			answer := a.answer
			a.mu.Unlock()
			return answer(in)
		}),
		Observe: func(_ context.Context, o engine.Outcome, _ error) {
			a.mu.Lock()
			a.last = o
			a.mu.Unlock()
		},
	}
	if !o.noProse {
		config2.Prose = a.prose
	}
	if o.prose != nil {
		config2.Prose = o.prose
	}
	a.server, err = a2a.NewServer(config2)
	require.NoError(t, err)
	executor := a.server.Executor()
	if o.executor != nil {
		executor = o.executor(executor)
	}
	tasks := taskstore.NewInMemory(&taskstore.InMemoryStoreConfig{Authenticator: sdksrv.NewTaskStoreAuthenticator()})
	rh := sdksrv.NewHandler(executor, sdksrv.WithTaskStore(a.server.TaskStore(tasks)),
		sdksrv.WithCallInterceptors(authenticator{}, a.server.Interceptor()))
	if o.executor == nil {
		rh = a.server.RequestHandler(sdksrv.WithCallInterceptors(authenticator{}))
	}
	cardHandler, err := a2a.CardHandler(a.card, 0)
	require.NoError(t, err)
	mux.Handle(a2a.CardPath, cardHandler)
	rpc, rest := a.server.JSONRPC(rh), a.server.REST(rh)
	if o.wrap != nil {
		rpc, rest = o.wrap(rpc), o.wrap(rest)
	}
	mux.Handle("/rpc", rpc)
	mux.Handle("/rest/", http.StripPrefix("/rest", rest))
	a.handler = mux

	options := a2a.GRPCOptions()
	if o.requestTime != 0 {
		options = a2a.GRPCOptionsWithin(o.requestTime)
	}
	gs := grpc.NewServer(append(options, grpc.Creds(credentials.NewServerTLSFromCert(&ts.TLS.Certificates[0])))...)
	sdkgrpc.NewHandler(rh).RegisterWith(gs)
	served := make(chan error, 1)
	go func() { served <- gs.Serve(listener) }()
	t.Cleanup(func() { gs.Stop(); <-served })
	return a
}

// authenticator takes the user's name from a bearer token.
type authenticator struct {
	sdksrv.PassthroughCallInterceptor
}

func (authenticator) Before(ctx context.Context, call *sdksrv.CallContext, _ *sdksrv.Request) (context.Context, any, error) {
	values, _ := call.ServiceParams().Get("authorization")
	for _, v := range values {
		if name, ok := strings.CutPrefix(v, "Bearer "); ok {
			call.User = sdksrv.NewAuthenticatedUser(name, nil)
		}
	}
	return ctx, nil, nil
}

// makeCard makes the agent's card and signs it.
func makeCard(t testing.TB, a *agent, o agentOptions, grpcAddress string) ([]byte, *agentcard.KeySet) {
	t.Helper()
	ext, err := agentcard.Declaration{
		Required: o.required, Description: "Reads and grants.", Formats: []string{"text/turtle"}, NLNegotiation: true,
		Documents: []agentcard.DeclaredDocument{{Name: "Read", Source: source + "read", Hash: a.read.Pin()}},
	}.AppendExtension(nil)
	require.NoError(t, err)
	version := o.version
	if version == "" {
		version = "1.0"
	}
	card, err := json.Marshal(map[string]any{
		"name": "Pod agent", "description": "Looks after a pod.", "version": "1.0.0",
		"supportedInterfaces": []any{
			map[string]any{"url": a.url + "/rpc", "protocolBinding": "JSONRPC", "protocolVersion": version},
			map[string]any{"url": a.url + "/rest", "protocolBinding": "HTTP+JSON", "protocolVersion": version},
			map[string]any{"url": grpcAddress, "protocolBinding": "GRPC", "protocolVersion": version},
		},
		"capabilities":      map[string]any{"streaming": true, "extensions": []any{json.RawMessage(ext)}},
		"defaultInputModes": []any{"text/turtle"}, "defaultOutputModes": []any{"text/turtle"},
		"skills": []any{map[string]any{"id": "read", "name": "Read", "description": "Reads.", "tags": []any{"pod"}}},
	})
	require.NoError(t, err)
	if o.card != nil {
		card = o.card(card)
	}
	key, err := agentcard.GenerateKey(agentcard.EdDSA, "k1", rand.Reader)
	require.NoError(t, err)
	set, err := key.KeySet()
	require.NoError(t, err)
	a.jwks = set
	keys, err := agentcard.ParseKeySet(set, agentcard.Limits{})
	require.NoError(t, err)
	if o.unsigned {
		return card, keys
	}
	parsed, err := agentcard.Parse(card, agentcard.Limits{})
	require.NoError(t, err)
	signed, err := agentcard.Sign(parsed, key, agentcard.SignOptions{})
	require.NoError(t, err)
	return signed, keys
}

func (a *agent) cardURL() string { return a.url + a2a.CardPath }

// cards fetches from the test server with the guarded client.
func (a *agent) cards(t testing.TB) a2a.CardSource {
	t.Helper()
	u, err := url.Parse(a.url)
	require.NoError(t, err)
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	require.NoError(t, err)
	c, err := fetch.New(fetch.Options{
		Ports: []uint16{uint16(port)}, RootCAs: a.roots, InsecureAllow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
	})
	require.NoError(t, err)
	return fetch.NewCache(c, fetch.Card(), 0, nil)
}

// clientEngine makes an engine for a client that holds the agent's documents.
func (a *agent) clientEngine(t testing.TB, more ...func(*engine.Config)) *engine.Engine {
	t.Helper()
	documents := protocol.NewStore(0)
	for _, d := range []*protocol.Reviewed{a.read, a.grant, a.update} {
		require.NoError(t, documents.Put(d))
	}
	config := engine.Config{
		Local: "https://bob.example/agent", Documents: documents, Store: replay.NewMemory(replay.Limits{}), Clock: time.Now, Random: rand.Reader,
		Policy: engine.AllowList{Pins: []canon.Digest{a.read.Pin(), a.grant.Pin()}},
	}
	for _, f := range more {
		f(&config)
	}
	e, err := engine.New(config)
	require.NoError(t, err)
	return e
}

// clientConfig is that of a client that trusts the agent's key.
func (a *agent) clientConfig(t testing.TB, b a2a.Binding) a2a.ClientConfig {
	t.Helper()
	return a2a.ClientConfig{
		Engine: a.clientEngine(t), Cards: a.cards(t),
		Trust:  a2a.CardTrust{Keys: agentcard.Keys{Supplied: a.keys}},
		Prefer: []a2a.Binding{b},
		TLS:    &tls.Config{RootCAs: a.roots},
		Authorize: func(_ context.Context, e a2a.Endpoint) (http.Header, error) {
			return http.Header{"Authorization": {"Bearer bob"}}, nil
		},
	}
}

func dial(t testing.TB, a *agent, c a2a.ClientConfig) *a2a.Client {
	t.Helper()
	client, err := a2a.Dial(t.Context(), a.cardURL(), c)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	return client
}

// bindings runs a test over each transport.
func bindings(t *testing.T, f func(t *testing.T, b a2a.Binding)) {
	t.Helper()
	for _, b := range []a2a.Binding{a2a.JSONRPC, a2a.REST, a2a.GRPC} {
		t.Run(b.String(), func(t *testing.T) {
			t.Parallel()
			f(t, b)
		})
	}
}
