package shacl_test

import (
	"context"
	"fmt"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/shacl"
)

const personShape = `@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix ex: <http://example.org/> .
ex:PersonShape a sh:NodeShape ; sh:targetClass ex:Person ;
  sh:property [ sh:path ex:name ; sh:minCount 1 ] ;
  sh:property [ sh:path ex:knows ; sh:nodeKind sh:IRI ] .
`

const people = `@prefix ex: <http://example.org/> .
ex:anna a ex:Person ; ex:name "Anna" ;
  ex:knows "Ben" .
ex:ben a ex:Person ; ex:name "Ben" .
`

// parse reads a document with places, so that results can say where they are.
func parse(file, text string) rdf.Graph {
	d, err := turtle.Parse([]byte(text), turtle.Options{File: file, Places: true})
	if err != nil {
		panic(err)
	}
	return d.Default()
}

func Example() {
	program, err := shacl.Compile(parse("shapes.ttl", personShape), shacl.CompileOptions{})
	if err != nil {
		panic(err) // a *shacl.CompileError holds all that is wrong with the shapes
	}
	report, err := program.Validate(context.Background(), parse("people.ttl", people), shacl.Options{})
	if err != nil {
		panic(err) // there is no verdict
	}
	fmt.Println("conforms:", report.Conforms())
	for i := range report.Results {
		r := &report.Results[i]
		fmt.Println(r.Place, r.Focus, r.Path)
		fmt.Println(r.Message(), "in", r.Value)
		fmt.Println("shape at", r.ShapePlace)
	}
	// Output:
	// conforms: false
	// people.ttl:3:12 <http://example.org/anna> <http://example.org/knows>
	// expected an IRI, found a literal in "Ben"
	// shape at shapes.ttl:5:15
}

func ExampleProgram_ValidateNode() {
	program, err := shacl.Compile(parse("shapes.ttl", personShape), shacl.CompileOptions{})
	if err != nil {
		panic(err)
	}
	shape, _ := rdf.NewIRI("http://example.org/PersonShape")
	ben, _ := rdf.NewIRI("http://example.org/ben")
	report, err := program.ValidateNode(context.Background(), shape, parse("people.ttl", people), ben, shacl.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(report.Conforms())
	// Output: true
}

func ExampleCompileError() {
	_, err := shacl.Compile(parse("shapes.ttl", `@prefix sh: <http://www.w3.org/ns/shacl#> .
<urn:x:S> sh:targetNode <urn:x:n> ; sh:property [ sh:path <urn:x:p> ; sh:minCont 1 ] .`), shacl.CompileOptions{})
	fmt.Println(err)
	// Output: shapes.ttl:2:82: sh:minCont of the blank node at shapes.ttl:2:49: SHACL has no such property of shapes, did you mean sh:minCount?
}
