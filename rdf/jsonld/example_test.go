package jsonld_test

import (
	"errors"
	"fmt"

	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

func ExampleParse() {
	d, err := jsonld.Parse([]byte(`{
  "@context": {"name": "http://schema.org/name"},
  "@id": "http://example.org/anna",
  "name": "Anna"
}`), jsonld.Options{})
	if err != nil {
		panic(err)
	}
	for q := range d.Quads() {
		fmt.Println(d.Term(q.S), d.Term(q.P), d.Term(q.O))
	}
	// Output: <http://example.org/anna> <http://schema.org/name> "Anna"
}

// A member that JSON-LD would drop is an error unless Options.Lossy is set.
func ExampleParse_refused() {
	document := []byte(`{
  "@context": {"name": "http://schema.org/name"},
  "@id": "http://example.org/anna",
  "name": "Anna", "nmae": "Ann"
}`)
	_, err := jsonld.Parse(document, jsonld.Options{File: "anna.jsonld"})
	var refused *jsonld.Error
	if errors.As(err, &refused) {
		fmt.Println(refused.Place, refused.Code, refused.Term)
	}
	d, err := jsonld.Parse(document, jsonld.Options{Lossy: true})
	fmt.Println(d.Len(), err)
	// Output:
	// anna.jsonld:4:19 undefined term nmae
	// 1 <nil>
}

// A remote context is read from what the caller gives; nothing is fetched.
func ExampleNewContexts() {
	contexts, err := jsonld.NewContexts(map[string][]byte{
		"https://example.org/context/v1": []byte(`{"@context": {"name": "http://schema.org/name"}}`),
	})
	if err != nil {
		panic(err)
	}
	document := []byte(`{"@context": "https://example.org/context/v1", "@id": "http://example.org/anna", "name": "Anna"}`)
	d, err := jsonld.Parse(document, jsonld.Options{Contexts: contexts})
	if err != nil {
		panic(err)
	}
	fmt.Println(d.Len())
	_, err = jsonld.Parse(document, jsonld.Options{})
	fmt.Println(err)
	// Output:
	// 1
	// 1:14: loading remote context failed "https://example.org/context/v1": a remote context is not among those that were given (at /@context)
}
