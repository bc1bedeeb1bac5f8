package canon_test

import (
	"context"
	"fmt"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

func readTurtle(text string) *rdf.Dataset {
	d, err := turtle.Parse([]byte(text), turtle.Options{})
	if err != nil {
		panic(err)
	}
	return d
}

func ExampleCanonicalize() {
	c, err := canon.Canonicalize(context.Background(), readTurtle(`<urn:x:a> <urn:x:knows> [ <urn:x:name> "Ben" ] .`), canon.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Print(string(c.NQuads()))
	// Output:
	// <urn:x:a> <urn:x:knows> _:c14n0 .
	// _:c14n0 <urn:x:name> "Ben" .
}

func ExampleHash() {
	pin, err := canon.ParseDigest("sha256:0e25434e8ca2f11623f5265987cc7bfdf9b77a2ff6d806ad42d20c58b01aa8f8")
	if err != nil {
		panic(err)
	}
	d, err := canon.Hash(context.Background(), readTurtle(`<urn:x:a> <urn:x:knows> _:ben . _:ben <urn:x:name> "Ben" .`), canon.Options{})
	if err != nil {
		panic(err) // a *canon.LimitError, or the context was done
	}
	fmt.Println(d, d.Equal(pin))
	// Output: sha256:0e25434e8ca2f11623f5265987cc7bfdf9b77a2ff6d806ad42d20c58b01aa8f8 true
}
