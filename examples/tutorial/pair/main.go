// Pair is two agents in one program that agree on a Protocol Document and speak under it.
// docs/tutorial.md says where the files come from.
//
//	pair PIN reserve.ttl intent.ttl
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
)

const (
	turtle       = "text/turtle"
	confirmation = `PREFIX room: <https://rooms.example/vocabulary#>
<urn:reservation:1> a room:Confirmation ; room:number "R-1" .
`
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) != 3 {
		return errors.New("expected a pin, a document and an intent")
	}
	document, err := read(ctx, args[0], args[1])
	if err != nil {
		return err
	}
	text, err := os.ReadFile(args[2])
	if err != nil {
		return err
	}
	client, err := agent("https://client.example/agent", document)
	if err != nil {
		return err
	}
	rooms, err := agent("https://rooms.example/agent", document)
	if err != nil {
		return err
	}
	// Who is who is for the transport to know.
	from := engine.Peer{Principal: "https://client.example/agent", Active: []string{protocol.ExtensionURI}}
	to := engine.To{Peer: engine.Peer{Principal: "https://rooms.example/agent"}}

	// First they agree.
	offer, err := client.Offer(ctx, to, engine.OfferDraft{Pin: document.Pin(), Source: "https://rooms.example/protocols/reserve", Required: true})
	if err != nil {
		return err
	}
	judged, err := rooms.Receive(ctx, from, offer)
	if err != nil {
		return err
	}
	decided, err := client.ReceiveReply(ctx, to.Peer, offer, engine.Reply{Message: judged.Message})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "the offer: %s\n", decided.Kind)

	// Then one asks, and the other answers.
	to.ContextID = decided.ContextID
	intent, err := client.Intent(ctx, to, engine.IntentDraft{Pin: document.Pin(), Body: string(text), MediaType: turtle})
	if err != nil {
		return err // it does not conform, and is not sent
	}
	received, err := rooms.Receive(ctx, from, intent)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "the intent: %s\n%s", received.Kind, received.Trace)
	if received.Kind != engine.KindIntent {
		return nil
	}
	answer, err := rooms.Respond(ctx, received.Intent, engine.Answer{Body: confirmation, MediaType: turtle})
	if err != nil {
		return err // it does not conform, and is not sent
	}
	response, err := client.ReceiveReply(ctx, to.Peer, intent, engine.Reply{Message: &answer})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "the answer: %s, validated: %t\n%s", response.Kind, response.Response.Validated, response.Response.Body)
	return nil
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

// agent is an agent that speaks the document, accepts offers of it and lets everybody
// reserve. With a store in memory it forgets what it did when it ends.
func agent(name string, document *protocol.Reviewed) (*engine.Engine, error) {
	documents := protocol.NewStore(0)
	if err := documents.Put(document); err != nil {
		return nil, err
	}
	return engine.New(engine.Config{
		Local: name, Documents: documents, Store: replay.NewMemory(replay.Limits{}), Clock: time.Now, Random: rand.Reader,
		Policy: engine.AllowList{Pins: []canon.Digest{document.Pin()}},
		Authorizer: engine.AuthorizerFunc(func(context.Context, *engine.Question) (engine.Authority, error) {
			return engine.Authority{Permit: true, Reason: "rooms are for everybody"}, nil
		}),
	})
}
