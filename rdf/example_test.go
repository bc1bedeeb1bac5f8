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

func ExampleBuilder_AddTerms() {
	iri := func(s string) rdf.Term {
		t, err := rdf.NewIRI(s)
		if err != nil {
			panic(err)
		}
		return t
	}
	name, err := rdf.NewString("Anna")
	if err != nil {
		panic(err)
	}
	b := rdf.NewBuilder(rdf.Limits{}) // the limits of rdf.Peer
	// The zero Term is the default graph.
	if err := b.AddTerms(iri("http://example.org/anna"), iri("http://example.org/name"), name, rdf.Term{}); err != nil {
		panic(err)
	}
	d := b.Dataset()
	for q := range d.Quads() {
		fmt.Println(d.Term(q.S), d.Term(q.P), d.Term(q.O))
	}
	// Output: <http://example.org/anna> <http://example.org/name> "Anna"
}

func ExampleDataset_Lookup() {
	b := rdf.NewBuilder(rdf.Limits{})
	for _, object := range []string{"http://example.org/ben", "http://example.org/carl"} {
		s, _ := rdf.NewIRI("http://example.org/anna")
		p, _ := rdf.NewIRI("http://example.org/knows")
		o, _ := rdf.NewIRI(object)
		if err := b.AddTerms(s, p, o, rdf.Term{}); err != nil {
			panic(err)
		}
	}
	d := b.Dataset()

	// Terms have IDs within a dataset; 0 is a term that stands nowhere.
	anna, knows := d.LookupIRI("http://example.org/anna"), d.LookupIRI("http://example.org/knows")
	for q := range d.Default().Objects(anna, knows).Quads() {
		fmt.Println(d.Value(q.O))
	}
	fmt.Println(d.LookupIRI("http://example.org/dora"))
	// Output:
	// http://example.org/ben
	// http://example.org/carl
	// 0
}
