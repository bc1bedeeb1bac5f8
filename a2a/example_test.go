package a2a_test

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/fetch"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
)

// An agent that reads notes for whoever may ask, and a client that asks it, over
// JSON-RPC. The document that both speak is declared on the agent's card: no handshake
// is needed.
func Example() {
	ctx := context.Background()
	documents, pin := exampleDocuments(ctx)

	// The agent: an engine, what it does with an intent, and the SDK's transport.
	e, err := engine.New(engine.Config{
		Local: "https://alice.pod.example/agent", Documents: documents, Store: replay.NewMemory(replay.Limits{}),
		Clock: time.Now, Random: rand.Reader,
		Declared: []engine.Declared{{Pin: pin, Source: "https://alice.pod.example/protocols/read"}},
		Authorizer: engine.AuthorizerFunc(func(_ context.Context, q *engine.Question) (engine.Authority, error) {
			in, err := protocol.Project(q.Graph, q.Intent)
			return engine.Authority{Permit: err == nil && in.Target == "https://alice.pod.example/notes/"}, err
		}),
	})
	check(err)
	mux := http.NewServeMux()
	ts := httptest.NewTLSServer(mux)
	defer ts.Close()
	card := exampleCard(ts.URL+"/rpc", pin.String())
	agent, err := a2a.NewServer(a2a.ServerConfig{
		Engine: e, Card: card,
		Handler: a2a.HandlerFunc(func(_ context.Context, in *engine.Intent) (engine.Answer, error) {
			asked, err := in.Project()
			return engine.Answer{Text: "read " + asked.Target}, err
		}),
	})
	check(err)
	serveCard, err := a2a.CardHandler(card, time.Hour)
	check(err)
	mux.Handle(a2a.CardPath, serveCard)
	mux.Handle("/rpc", agent.JSONRPC(agent.RequestHandler()))

	// The client: an engine, the agent's card, and an intent. A program in production
	// takes cards from a fetch.Cache, and trusts keys instead of ignoring signatures.
	mine, err := engine.New(engine.Config{
		Local: "https://bob.example/agent", Documents: documents, Store: replay.NewMemory(replay.Limits{}), Clock: time.Now, Random: rand.Reader,
		Policy: engine.AllowList{Pins: []canon.Digest{pin}},
	})
	check(err)
	roots := x509.NewCertPool()
	roots.AddCert(ts.Certificate())
	client, err := a2a.Dial(ctx, ts.URL+a2a.CardPath, a2a.ClientConfig{
		Engine: mine, Cards: oneCard(card), TLS: &tls.Config{RootCAs: roots},
		Trust: a2a.CardTrust{Demand: agentcard.InsecureIgnoreSignatures},
	})
	check(err)
	defer client.Close()
	for _, target := range []string{"https://alice.pod.example/notes/", "https://alice.pod.example/letters/"} {
		graph, err := protocol.Intent{ID: "urn:a2a:intent:1", Verb: protocol.VerbRead, Target: target}.Graph()
		check(err)
		result, err := client.Conversation("").Intent(ctx, engine.IntentDraft{Pin: pin, Graph: graph})
		check(err)
		fmt.Println(result.Kind, result.Code, result.Texts)
	}

	// Output:
	// response  [read https://alice.pod.example/notes/]
	// failed authorization-denied [no verifiable grant permits this]
}

// oneCard is a source of a card that is at hand.
type oneCard []byte

func (c oneCard) Get(_ context.Context, url string) (*fetch.Response, error) {
	return &fetch.Response{URL: url, Body: c}, nil
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// exampleDocuments holds one document, which asks for a read.
func exampleDocuments(ctx context.Context) (*protocol.Store, canon.Digest) {
	shape, err := protocol.StockRequest(protocol.VerbRead)
	check(err)
	d, err := protocol.Build(ctx, protocol.Parts{ID: "https://alice.pod.example/protocols/read#v1", Request: protocol.Shapes{Graph: shape}}, protocol.Options{})
	check(err)
	reviewed, err := protocol.Examine(d).Accept()
	check(err)
	documents := protocol.NewStore(0)
	check(documents.Put(reviewed))
	return documents, reviewed.Pin()
}

// exampleCard is an Agent Card of one interface that declares one document.
func exampleCard(endpoint, pin string) []byte {
	hash, err := canon.ParseDigest(pin)
	check(err)
	extension, err := agentcard.Declaration{
		Description: "Reads notes.", Formats: []string{"text/turtle"},
		Documents: []agentcard.DeclaredDocument{{Name: "Read", Source: "https://alice.pod.example/protocols/read", Hash: hash}},
	}.AppendExtension(nil)
	check(err)
	return fmt.Appendf(nil, `{"name":"Notes","description":"Reads notes.","version":"1.0.0",
"supportedInterfaces":[{"url":%q,"protocolBinding":"JSONRPC","protocolVersion":"1.0"}],
"capabilities":{"extensions":[%s]},"defaultInputModes":["text/turtle"],"defaultOutputModes":["text/turtle"],
"skills":[{"id":"read","name":"Read","description":"Reads notes.","tags":["notes"]}]}`, endpoint, extension)
}
