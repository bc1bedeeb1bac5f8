package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/shacl"
)

// operation is one operation whose allocations are counted.
type operation struct {
	name string
	run  func() error
}

// prepare reads the documents and returns the operations: what an agent does
// with each message, and a document of a thousand quads.
func prepare(ctx context.Context) ([]operation, error) {
	protocol, err := os.ReadFile("testdata/grant-access.ttl")
	if err != nil {
		return nil, err
	}
	intent, err := os.ReadFile("testdata/intent.ttl")
	if err != nil {
		return nil, err
	}
	shapes, err := turtle.Parse(protocol, turtle.Options{})
	if err != nil {
		return nil, err
	}
	program, err := shacl.Compile(shapes.Default(), shacl.CompileOptions{})
	if err != nil {
		return nil, err
	}
	data, err := turtle.Parse(intent, turtle.Options{})
	if err != nil {
		return nil, err
	}
	thousand := quads(1000)
	parsed, err := nquads.Parse(thousand, nquads.Options{})
	if err != nil {
		return nil, err
	}
	parse, receive, err := receiver(ctx, protocol, intent)
	if err != nil {
		return nil, err
	}
	verify, err := credentialVerifier(ctx)
	if err != nil {
		return nil, err
	}
	conforms := func(data rdf.Graph) error {
		report, err := program.Validate(ctx, data, shacl.Options{})
		if err == nil && !report.Conforms() {
			err = errors.New("the intent does not conform")
		}
		return err
	}
	return []operation{
		{"read-intent", func() error {
			_, err := turtle.Parse(intent, turtle.Options{})
			return err
		}},
		{"validate-intent", func() error { return conforms(data.Default()) }},
		{"judge-intent", func() error {
			d, err := turtle.Parse(intent, turtle.Options{})
			if err != nil {
				return err
			}
			return conforms(d.Default())
		}},
		{"parse-message", parse},
		{"receive-intent", receive},
		{"verify-credential", verify},
		{"read-protocol", func() error {
			_, err := turtle.Parse(protocol, turtle.Options{})
			return err
		}},
		{"compile-protocol", func() error {
			_, err := shacl.Compile(shapes.Default(), shacl.CompileOptions{})
			return err
		}},
		{"hash-protocol", func() error {
			d, err := turtle.Parse(protocol, turtle.Options{})
			if err != nil {
				return err
			}
			_, err = canon.Hash(ctx, d, canon.Options{})
			return err
		}},
		{"read-1000-quads", func() error {
			_, err := nquads.Parse(thousand, nquads.Options{})
			return err
		}},
		{"hash-1000-quads", func() error {
			_, err := canon.Hash(ctx, parsed, canon.Options{})
			return err
		}},
	}, nil
}

// quads writes n quads, of which each fifth has a blank node as its object.
func quads(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		object := fmt.Sprintf(`"text %d"@en`, i)
		switch i % 5 {
		case 1:
			object = fmt.Sprintf("<http://example.org/item/%d>", i*7%n)
		case 2:
			object = fmt.Sprintf("_:b%d", i)
		case 3:
			object = fmt.Sprintf(`"%d"^^<http://www.w3.org/2001/XMLSchema#integer>`, i)
		}
		fmt.Fprintf(&b, "<http://example.org/item/%d> <http://example.org/p%d> %s .\n", i/10, i%10, object)
	}
	return b.Bytes()
}
