package rdf_test

import (
	"fmt"

	"github.com/rdfproto/rdfproto/rdf"
)

func ExampleBuilder() {
	b := rdf.NewBuilder(rdf.Limits{})
	id := func(id rdf.ID, err error) rdf.ID {
		if err != nil {
			panic(err)
		}
		return id
	}
	anna := id(b.IRI([]byte("http://example.org/anna")))
	name := id(b.IRI([]byte("http://example.org/name")))
	if err := b.Add(anna, name, id(b.LangLiteral([]byte("Anna"), []byte("de"))), 0); err != nil {
		panic(err)
	}
	if err := b.Add(id(b.Literal([]byte("Anna"), 0)), name, anna, 0); err != nil {
		fmt.Println("refused:", err)
	}

	d := b.Dataset()
	for q := range d.Default().Objects(anna, name).Quads() {
		fmt.Println(d.Term(q.S), d.Term(q.P), d.Term(q.O))
	}
	// Output:
	// refused: a subject must be an IRI or a blank node
	// <http://example.org/anna> <http://example.org/name> "Anna"@de
}

func ExampleBase_Resolve() {
	base, err := rdf.ParseBase("http://example.org/a/b")
	if err != nil {
		panic(err)
	}
	iri, err := base.Resolve(nil, "../c#d")
	fmt.Println(string(iri), err)
	// Output: http://example.org/c#d <nil>
}
