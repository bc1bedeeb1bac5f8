package engine_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"time"

	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
)

// An agent that accepts intents under one document, and carries them out.
func Example() {
	ctx := context.Background()

	// The documents that this agent speaks: verified, reviewed, held.
	body, err := os.ReadFile("../testdata/grant-access.ttl")
	if err != nil {
		panic(err)
	}
	candidate, err := protocol.Parse(ctx, body, "text/turtle", protocol.Options{})
	if err != nil {
		panic(err)
	}
	document, err := candidate.Verify(candidate.Pin())
	if err != nil {
		panic(err)
	}
	reviewed, err := protocol.Examine(document).Accept()
	if err != nil {
		panic(err)
	}
	documents := protocol.NewStore(0)
	if err := documents.Put(reviewed); err != nil {
		panic(err)
	}

	agent, err := engine.New(engine.Config{
		Local:     "https://alice.example/a2a",
		Documents: documents,
		Store:     replay.NewMemory(replay.Limits{}), // replay/bolt survives a restart
		Clock:     time.Now,
		Random:    rand.Reader,
		Declared:  []engine.Declared{{Pin: reviewed.Pin(), Name: "Grant access"}}, // as the card has it
		Authorizer: engine.AuthorizerFunc(func(_ context.Context, q *engine.Question) (engine.Authority, error) {
			return engine.Authority{Permit: q.Peer.Principal == "https://bob.example/"}, nil // see Chains for delegated authority
		}),
	})
	if err != nil {
		panic(err)
	}

	// What arrived, from whom the transport says it did.
	message, err := engine.ParseMessage([]byte(`{"messageId":"m-1","role":"ROLE_USER",
		"extensions":["https://w3id.org/jeswr/a2a-rdf/v1"],"parts":[{"mediaType":"text/turtle",
		"metadata":{"https://w3id.org/jeswr/a2a-rdf/v1/kind":"intent",
		  "https://w3id.org/jeswr/a2a-rdf/v1/protocolHash":"`+reviewed.Pin().String()+`"},
		"text":"PREFIX a2a: <https://w3id.org/jeswr/a2a#> PREFIX schema: <https://schema.org/> <urn:a2a:intent:1> a a2a:Intent ; a2a:action [ a a2a:GrantAction ; schema:object <https://alice.example/notes/> ; schema:recipient <https://bob.example/#me> ; a2a:mode <http://www.w3.org/ns/auth/acl#Read> ] ."}]}`), engine.Limits{})
	if err != nil {
		panic(err)
	}
	peer := engine.Peer{Principal: "https://bob.example/", Active: []string{protocol.ExtensionURI}}

	outcome, err := agent.Receive(ctx, peer, message)
	if err != nil {
		fmt.Println("log:", err) // the outcome is a refusal that can be sent
	}
	switch outcome.Kind {
	case engine.KindIntent:
		intent, err := outcome.Intent.Project()
		if err != nil {
			panic(err)
		}
		fmt.Println(intent.Verb, intent.Target, "to", intent.Recipient) // here it is carried out
		reply, err := agent.Respond(ctx, outcome.Intent, engine.Answer{Text: "granted"})
		if err != nil {
			panic(err)
		}
		fmt.Println(reply.Parts[0].Text)
	case engine.KindReply:
		// send outcome.Message
	case engine.KindProse:
		// ordinary content
	default:
		fmt.Println(outcome.Code, outcome.Trace)
	}
	// Output:
	// grant https://alice.example/notes/ to https://bob.example/#me
	// granted
}
