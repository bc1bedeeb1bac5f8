package a2a_test

import (
	"context"
	"fmt"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/protocol"
)

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
