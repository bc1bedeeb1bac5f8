package turtle_test

import (
	"errors"
	"fmt"
	"os"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

func ExampleParse() {
	d, err := turtle.Parse([]byte(`@prefix ex: <http://example.org/> .
ex:anna ex:name "Anna"@de ; ex:age 42 .`), turtle.Options{})
	if err != nil {
		panic(err)
	}
	for q := range d.Quads() {
		fmt.Println(d.Term(q.P), d.Term(q.O))
	}
	// Output:
	// <http://example.org/name> "Anna"@de
	// <http://example.org/age> "42"^^<http://www.w3.org/2001/XMLSchema#integer>
}

func ExampleParse_refused() {
	_, err := turtle.Parse([]byte("<http://example.org/anna> ex:name \"Anna\" .\n"), turtle.Options{File: "people.ttl"})
	var refused *rdf.SyntaxError
	if errors.As(err, &refused) {
		fmt.Println(refused.Code, "in line", refused.Place.Line)
	}
	fmt.Println(err)
	// Output:
	// undefined-prefix in line 1
	// people.ttl:1:27: the prefix "ex:" is not declared
}

func ExampleWrite() {
	var prefixes []turtle.Prefix
	d, err := turtle.Parse([]byte(`PREFIX ex: <http://example.org/>
ex:anna ex:knows [ ex:name "Ben" ] ; a ex:Person . ex:anna ex:scores (1 2.5) .`), turtle.Options{
		Declared: func(p turtle.Prefix) { prefixes = append(prefixes, p) },
	})
	if err != nil {
		panic(err)
	}
	if err := turtle.Write(os.Stdout, d, turtle.WriteOptions{Prefixes: prefixes}); err != nil {
		panic(err)
	}
	// Output:
	// @prefix ex: <http://example.org/> .
	//
	// ex:anna a ex:Person ;
	//     ex:knows [
	//         ex:name "Ben"
	//     ] ;
	//     ex:scores ( 1 2.5 ) .
}
