// Embedded is two agents in one process: what an agent with a transport of its own does
// with the engine alone. Bob's agent offers a Protocol Document to Alice's, they agree on
// it, and Bob's asks for what the document lets it ask for.
//
//	go run ./examples/embedded
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
)

const notes = "https://alice.pod.example/notes/"

// What each agent knows of the other, by its transport.
var (
	aliceAsBobSeesHer = engine.Peer{Principal: "https://alice.pod.example/agent"}
	bobAsAliceSeesHim = engine.Peer{Principal: "https://bob.pod.example/agent", Active: []string{protocol.ExtensionURI}}
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer) error {
	document, err := readNotes(ctx)
	if err != nil {
		return err
	}
	alice, err := newAgent("https://alice.pod.example/agent", document, mayReadNotes)
	if err != nil {
		return err
	}
	bob, err := newAgent("https://bob.pod.example/agent", document, nil)
	if err != nil {
		return err
	}

	// Bob's agent offers the document, and what comes back decides.
	to := engine.To{Peer: aliceAsBobSeesHer}
	offer, err := bob.Offer(ctx, to, engine.OfferDraft{Pin: document.Pin(), Source: "https://alice.pod.example/protocols/read", Required: true})
	if err != nil {
		return err
	}
	agreed, err := exchange(ctx, out, bob, alice, offer)
	if err != nil {
		return err
	}

	// Now it sends intents, in the context that the answer came with.
	to.ContextID = agreed.ContextID
	for _, target := range []string{notes, "https://alice.pod.example/letters/"} {
		graph, err := protocol.Intent{ID: protocol.IntentBase + "1", Verb: protocol.VerbRead, Target: target}.Graph()
		if err != nil {
			return err
		}
		intent, err := bob.Intent(ctx, to, engine.IntentDraft{Pin: document.Pin(), Graph: graph})
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "\nBob asks to read %s\n", target)
		if _, err := exchange(ctx, out, bob, alice, intent); err != nil {
			return err
		}
	}
	return nil
}

// readNotes is the document that both speak: a stock one, to read something.
func readNotes(ctx context.Context) (*protocol.Reviewed, error) {
	shape, err := protocol.StockRequest(protocol.VerbRead)
	if err != nil {
		return nil, err
	}
	document, err := protocol.Build(ctx, protocol.Parts{ID: "https://alice.pod.example/protocols/read#v1", Request: protocol.Shapes{Graph: shape}}, protocol.Options{})
	if err != nil {
		return nil, err
	}
	return protocol.Examine(document).Accept()
}

// newAgent makes an agent that speaks the document. A real one keeps its store in a file
// or in Redis: with this one, a message may be carried out again after a restart.
func newAgent(name string, document *protocol.Reviewed, authorize engine.AuthorizerFunc) (*engine.Engine, error) {
	documents := protocol.NewStore(0)
	if err := documents.Put(document); err != nil {
		return nil, err
	}
	config := engine.Config{
		Local: name, Documents: documents, Store: replay.NewMemory(replay.Limits{}), Clock: time.Now, Random: rand.Reader,
		Policy: engine.AllowList{Pins: []canon.Digest{document.Pin()}},
	}
	if authorize != nil {
		config.Authorizer = authorize
	}
	return engine.New(config)
}

// mayReadNotes lets Bob's agent read the notes, and nobody do anything else.
func mayReadNotes(_ context.Context, q *engine.Question) (engine.Authority, error) {
	asked, err := protocol.Project(q.Graph, q.Intent)
	if err != nil {
		return engine.Authority{}, err
	}
	if q.Peer.Principal != bobAsAliceSeesHim.Principal || asked.Verb != protocol.VerbRead || asked.Target != notes {
		return engine.Authority{Reason: "Bob may read the notes and nothing else"}, nil
	}
	return engine.Authority{Permit: true, Reason: "Bob may read the notes"}, nil
}

// exchange takes a message of Bob's agent to Alice's, and the answer back. Between them
// would be a wire: messages are JSON by [engine.Message.AppendJSON] and
// [engine.ParseMessage].
func exchange(ctx context.Context, out io.Writer, bob, alice *engine.Engine, m engine.Message) (engine.Outcome, error) {
	o, err := alice.Receive(ctx, bobAsAliceSeesHim, m)
	if err != nil {
		return engine.Outcome{}, err
	}
	fmt.Fprintf(out, "Alice's agent: %s\n%s", o.Kind, o.Trace)

	var reply engine.Reply
	switch {
	case o.Kind == engine.KindIntent: // to be carried out, once
		answer, err := alice.Respond(ctx, o.Intent, engine.Answer{Text: "Buy milk."})
		if err != nil {
			return engine.Outcome{}, err
		}
		reply.Message = &answer
	case o.Message != nil: // the engine has the answer
		reply.Message = o.Message
	default: // a refusal: a code, and words that give nothing away
		reply = engine.Reply{Failed: true, Code: o.Code, Text: o.Status().Text, Challenge: o.Challenge}
	}

	o, err = bob.ReceiveReply(ctx, aliceAsBobSeesHer, m, reply)
	fmt.Fprintf(out, "Bob's agent: %s\n", o.Kind)
	switch {
	case o.Code != "":
		fmt.Fprintf(out, "     it was told %s\n", o.Code)
	case o.Response != nil:
		fmt.Fprintf(out, "     it was told %q\n", o.Response.Texts)
	}
	return o, err
}
