package protocol_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/protocol"
)

// read returns a file of the folder testdata.
func read(name string) []byte {
	data, err := os.ReadFile(filepath.Join("..", "testdata", name))
	if err != nil {
		panic(err)
	}
	return data
}

// A document is verified against its pin, then judges intents.
func Example() {
	ctx := context.Background()
	pin, err := canon.ParseDigest("sha256:4af1e70e42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990ab509")
	if err != nil {
		panic(err)
	}
	document, err := protocol.Verify(ctx, read("grant-access.ttl"), "text/turtle", pin, protocol.Options{})
	if err != nil {
		panic(err)
	}
	for _, name := range []string{"intent.ttl", "intent-incomplete.ttl"} {
		verdict, err := document.ValidateRequest(ctx, read(name), "text/turtle", protocol.Options{File: name})
		if err != nil {
			panic(err) // there is no verdict
		}
		if verdict.Valid() {
			fmt.Println(name, "is valid")
			continue
		}
		fmt.Println(name, "is refused:", verdict.Code)
		for _, result := range verdict.Report.Results {
			for i := range result.Details {
				detail := &result.Details[i]
				fmt.Println(detail.Place, detail.Path, detail.Message())
			}
		}
	}
	// Output:
	// intent.ttl is valid
	// intent-incomplete.ttl is refused: intent-invalid
	// intent-incomplete.ttl:8:16 <https://schema.org/recipient> expected at least 1 value, found 0
	// intent-incomplete.ttl:11:18 <https://w3id.org/jeswr/a2a#mode> expected an IRI, found a literal
}

// Who accepts a document reviews it first.
func ExampleExamine() {
	ctx := context.Background()
	candidate, err := protocol.Parse(ctx, read("grant-access.ttl"), "text/turtle", protocol.Options{})
	if err != nil {
		panic(err)
	}
	document, err := candidate.Verify(candidate.Pin()) // trusted: it is one's own
	if err != nil {
		panic(err)
	}
	review := protocol.Examine(document)
	fmt.Println(review.Shapes, "shapes,", len(review.Findings), "findings")
	reviewed, err := review.Accept() // fails when a finding is an error
	if err != nil {
		panic(err)
	}
	fmt.Println(reviewed.Pin())
	// Output:
	// 7 shapes, 0 findings
	// sha256:4af1e70e42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990ab509
}

// An intent of a stock verb is written and read without touching a triple.
func ExampleProject() {
	intent := protocol.Intent{
		ID:        protocol.IntentBase + "1",
		Verb:      protocol.VerbGrant,
		Target:    "https://alice.pod.example/notes/meeting",
		Recipient: "https://bob.pod.example/profile#me",
		Modes:     protocol.ModeRead,
	}
	graph, err := intent.Graph()
	if err != nil {
		panic(err)
	}
	node, n := protocol.Intents(graph)
	again, err := protocol.Project(graph, node)
	fmt.Println(n, again.Verb, again.Modes, err)
	// Output: 1 grant Read <nil>
}
