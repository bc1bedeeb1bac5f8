// Agent lets others reserve rooms over A2A, under a Protocol Document of a pin.
// docs/tutorial.md says where it comes from.
//
//	agent PIN reserve.ttl
//
// It listens on a free port of this machine, without TLS, and prints the URL of its card.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
)

const (
	turtle = "text/turtle"
	source = "https://rooms.example/protocols/reserve" // where the document is published
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) != 2 {
		return errors.New("expected a pin and a document")
	}
	document, err := read(ctx, args[0], args[1])
	if err != nil {
		return err
	}
	documents := protocol.NewStore(0)
	if err := documents.Put(document); err != nil {
		return err
	}
	e, err := engine.New(engine.Config{
		Local: "https://rooms.example/agent", Documents: documents, Store: replay.NewMemory(replay.Limits{}), Clock: time.Now, Random: rand.Reader,
		Declared: []engine.Declared{{Pin: document.Pin(), Source: source, Name: "Reserve a room"}},
		Policy:   engine.AllowList{Pins: []canon.Digest{document.Pin()}},
		Authorizer: engine.AuthorizerFunc(func(context.Context, *engine.Question) (engine.Authority, error) {
			return engine.Authority{Permit: true, Reason: "rooms are for everybody"}, nil
		}),
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	origin := "http://" + listener.Addr().String()
	card, err := newCard(origin+"/rpc", document.Pin())
	if err != nil {
		return err
	}
	agent, err := a2a.NewServer(a2a.ServerConfig{Engine: e, Card: card, Handler: a2a.HandlerFunc(reserve)})
	if err != nil {
		return err
	}
	serveCard, err := a2a.CardHandler(card, time.Hour)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle(a2a.CardPath, serveCard)
	mux.Handle("/rpc", agent.JSONRPC(agent.RequestHandler()))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: 30 * time.Second}
	fmt.Println(origin + a2a.CardPath)
	go func() {
		<-ctx.Done()
		_ = server.Close() // Serve then says that it is closed
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// reserve carries out an intent. It has been judged by the document: the intent has one
// action, which has one room, an IRI. The answer is judged before it is sent.
func reserve(_ context.Context, in *engine.Intent) (engine.Answer, error) {
	d := in.Graph()
	action := d.Default().Object(d.Lookup(in.Node()), d.LookupIRI("https://w3id.org/jeswr/a2a#action"))
	room := d.Default().Object(action, d.LookupIRI("https://schema.org/object"))
	return engine.Answer{MediaType: turtle, Body: fmt.Sprintf(`PREFIX room: <https://rooms.example/vocabulary#>
PREFIX schema: <https://schema.org/>
<urn:reservation:1> a room:Confirmation ; room:number "R-1" ; schema:object <%s> .
`, d.Value(room))}, nil
}

// read takes the document of a pin: verified against it, then reviewed.
func read(ctx context.Context, pin, file string) (*protocol.Reviewed, error) {
	hash, err := canon.ParseDigest(pin)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	candidate, err := protocol.Parse(ctx, text, turtle, protocol.Options{})
	if err != nil {
		return nil, err
	}
	document, err := candidate.Verify(hash)
	if err != nil {
		return nil, err
	}
	return protocol.Examine(document).Accept()
}

// newCard declares the document: who has the card may send intents without a handshake.
func newCard(endpoint string, pin canon.Digest) ([]byte, error) {
	extension, err := agentcard.Declaration{
		Description: "Reserves rooms.", Formats: []string{turtle},
		Documents: []agentcard.DeclaredDocument{{Name: "Reserve a room", Source: source, Hash: pin}},
	}.AppendExtension(nil)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, `{"name":"Rooms","description":"Reserves rooms.","version":"1.0.0",
"supportedInterfaces":[{"url":%q,"protocolBinding":"JSONRPC","protocolVersion":"1.0"}],
"capabilities":{"extensions":[%s]},"defaultInputModes":["text/turtle"],"defaultOutputModes":["text/turtle"],
"skills":[{"id":"reserve","name":"Reserve","description":"Reserves rooms.","tags":["rooms"]}]}`, endpoint, extension), nil
}
