package jsonld_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

// expand writes the abbreviations of the tables in full.
var expand = strings.NewReplacer(
	"ex:", "https://e.example/", "xsd:", "http://www.w3.org/2001/XMLSchema#", "rdf:", "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
	"i18n:", "https://www.w3.org/ns/i18n#",
)

// check reads a document and compares it with N-Quads, both abbreviated.
func check(t *testing.T, document, want string, o jsonld.Options) {
	t.Helper()
	got, err := jsonld.Parse([]byte(expand.Replace(document)), o)
	require.NoError(t, err)
	expected, err := nquads.Parse([]byte(expand.Replace(want)), nquads.Options{})
	require.NoError(t, err)
	assert.True(t, suite.Isomorphic(expected, got), "want:\n%sgot:\n%s", nquads.Append(nil, expected), nquads.Append(nil, got))
}

const v11 = `"@version":1.1`

type feature struct{ name, document, want, base string }

// features returns documents that are read in the default mode, in which nothing
// may be dropped.
func features() []feature {
	return []feature{
		{"nothing", `{}`, ``, ""},
		{"empty array", `[]`, ``, ""},
		{"null", `null`, ``, ""},
		{"context alone", `{"@context":{"a":"ex:a"}}`, ``, ""},
		{"expanded form", `[{"@id":"ex:s","@type":["ex:T"],"ex:p":[{"@value":"v"},{"@id":"ex:o"}]}]`,
			`<ex:s> <rdf:type> <ex:T> . <ex:s> <ex:p> "v" . <ex:s> <ex:p> <ex:o> .`, ""},
		{"term", `{"@context":{"p":"ex:p"},"@id":"ex:s","p":"v"}`, `<ex:s> <ex:p> "v" .`, ""},
		{"compact IRI", `{"@context":{"e":"ex:"},"@id":"e:s","e:p":{"@id":"e:o"}}`, `<ex:s> <ex:p> <ex:o> .`, ""},
		{"term defined by a later prefix", `{"@context":{"p":"e:p","e":"ex:"},"@id":"e:s","p":"v"}`, `<ex:s> <ex:p> "v" .`, ""},
		{"scoped context of a later term", `{"@context":{"p":{"@id":"ex:p","@context":{"q":"r"}},"r":"ex:r"},"@id":"ex:s","p":{"@id":"ex:o","q":"v"}}`, `<ex:s> <ex:p> <ex:o> . <ex:o> <ex:r> "v" .`, ""},
		{"scoped context of an earlier term", `{"@context":{"r":"ex:r","p":{"@id":"ex:p","@context":{"q":"r"}}},"@id":"ex:s","p":{"@id":"ex:o","q":"v"}}`, `<ex:s> <ex:p> <ex:o> . <ex:o> <ex:r> "v" .`, ""},
		{"scoped context of its own term", `{"@context":{"p":{"@id":"ex:p","@context":{"q":"p"}}},"@id":"ex:s","p":{"@id":"ex:o","q":"v"}}`, `<ex:s> <ex:p> <ex:o> . <ex:o> <ex:p> "v" .`, ""},
		{"term that is a compact IRI", `{"@context":{"e":"ex:","e:p":{"@type":"@id"}},"@id":"e:s","e:p":"ex:o"}`, `<ex:s> <ex:p> <ex:o> .`, ""},
		{"vocabulary", `{"@context":{"@vocab":"ex:"},"@id":"ex:s","@type":"T","p":"v"}`, `<ex:s> <rdf:type> <ex:T> . <ex:s> <ex:p> "v" .`, ""},
		{"vocabulary relative to another", `{"@context":[{"@vocab":"ex:a/"},{"@vocab":"b#"}],"@id":"ex:s","p":"v"}`, `<ex:s> <ex:a/b#p> "v" .`, ""},
		{"vocabulary relative to the base", `{"@context":{"@vocab":"b#"},"@id":"ex:s","p":"v"}`, `<ex:s> <ex:d/b#p> "v" .`, "https://e.example/d/"},
		{"vocabulary taken back", `{"@context":[{"@vocab":"ex:"},{"@vocab":null,"p":"ex:q"}],"@id":"ex:s","p":"v"}`, `<ex:s> <ex:q> "v" .`, ""},
		{"base of the options", `{"@id":"s","ex:p":{"@id":"../o#f"}}`, `<ex:d/s> <ex:p> <ex:o#f> .`, "https://e.example/d/x"},
		{"base of a context", `{"@context":{"@base":"ex:b/"},"@id":"s","ex:p":{"@id":""}}`, `<ex:b/s> <ex:p> <ex:b/> .`, "https://other.example/"},
		{"base relative to the base", `{"@context":{"@base":"b/"},"@id":"s","ex:p":"v"}`, `<ex:d/b/s> <ex:p> "v" .`, "https://e.example/d/"},
		{"keyword aliases", `{"@context":{"id":"@id","type":"@type","value":"@value","lang":"@language","graph":"@graph"},"graph":[{"id":"ex:s","type":"ex:T","ex:p":{"value":"v","lang":"en"}}]}`,
			`<ex:s> <rdf:type> <ex:T> . <ex:s> <ex:p> "v"@en .`, ""},
		{"term redefined to nothing", `{"@context":[{"@vocab":"ex:"},{"x":null}],"@id":"ex:s","x":null,"p":1}`, `<ex:s> <ex:p> "1"^^<xsd:integer> .`, ""},
		{"context reset", `{"@context":[{"p":"ex:p"},null,{"q":"ex:q"}],"@id":"ex:s","q":"v"}`, `<ex:s> <ex:q> "v" .`, ""},
		{"embedded contexts", `{"@context":{"p":"ex:p"},"@id":"ex:s","p":{"@context":{"p":"ex:q"},"@id":"ex:o","p":"v"}}`, `<ex:s> <ex:p> <ex:o> . <ex:o> <ex:q> "v" .`, ""},
		{"members that are null", `{"@context":{"p":"ex:p"},"@id":"ex:s","p":null,"unknown":null,"ex:q":[null,"v"]}`, `<ex:s> <ex:q> "v" .`, ""},

		{"types of scalars", `{"@id":"ex:s","ex:p":["v",true,false,5,5.5]}`,
			`<ex:s> <ex:p> "v" . <ex:s> <ex:p> "true"^^<xsd:boolean> . <ex:s> <ex:p> "false"^^<xsd:boolean> . <ex:s> <ex:p> "5"^^<xsd:integer> . <ex:s> <ex:p> "5.5E0"^^<xsd:double> .`, ""},
		{"typed values", `{"@id":"ex:s","ex:p":[{"@value":"1","@type":"xsd:byte"},{"@value":2,"@type":"xsd:double"},{"@value":true,"@type":"ex:dt"}]}`,
			`<ex:s> <ex:p> "1"^^<xsd:byte> . <ex:s> <ex:p> "2.0E0"^^<xsd:double> . <ex:s> <ex:p> "true"^^<ex:dt> .`, ""},
		{"coercion to a datatype", `{"@context":{"p":{"@id":"ex:p","@type":"xsd:date"}},"@id":"ex:s","p":["2026-01-01",{"@value":"x"}]}`,
			`<ex:s> <ex:p> "2026-01-01"^^<xsd:date> . <ex:s> <ex:p> "x" .`, ""},
		{"coercion to identifiers touches strings alone", `{"@context":{"p":{"@id":"ex:p","@type":"@id"}},"@id":"ex:s","p":["ex:o",true,1]}`,
			`<ex:s> <ex:p> <ex:o> . <ex:s> <ex:p> "true"^^<xsd:boolean> . <ex:s> <ex:p> "1"^^<xsd:integer> .`, ""},
		{"coercion to the vocabulary", `{"@context":{"@vocab":"ex:v/","t":"ex:term","p":{"@id":"ex:p","@type":"@vocab"}},"@id":"ex:s","p":["t","u"]}`,
			`<ex:s> <ex:p> <ex:term> . <ex:s> <ex:p> <ex:v/u> .`, ""},
		{"no coercion", `{"@context":{` + v11 + `,"p":{"@id":"ex:p","@type":"@none"}},"@id":"ex:s","p":"v"}`, `<ex:s> <ex:p> "v" .`, ""},
		{"languages", `{"@context":{"@language":"en","p":{"@id":"ex:p"},"q":{"@id":"ex:q","@language":"de-AT"},"r":{"@id":"ex:r","@language":null}},"@id":"ex:s","p":["a",1],"q":"b","r":"c"}`,
			`<ex:s> <ex:p> "a"@en . <ex:s> <ex:p> "1"^^<xsd:integer> . <ex:s> <ex:q> "b"@de-AT . <ex:s> <ex:r> "c" .`, ""},
		{"language map", `{"@context":{` + v11 + `,"none":"@none","p":{"@id":"ex:p","@container":"@language"}},"@id":"ex:s","p":{"en":["a","b"],"de":"c","none":"d","fr":null}}`,
			`<ex:s> <ex:p> "a"@en . <ex:s> <ex:p> "b"@en . <ex:s> <ex:p> "c"@de . <ex:s> <ex:p> "d" .`, ""},

		{"list", `{"@id":"ex:s","ex:p":{"@list":["a","b"]}}`,
			`<ex:s> <ex:p> _:a . _:a <rdf:first> "a" . _:a <rdf:rest> _:b . _:b <rdf:first> "b" . _:b <rdf:rest> <rdf:nil> .`, ""},
		{"empty list", `{"@context":{"p":{"@id":"ex:p","@container":"@list"}},"@id":"ex:s","p":[]}`, `<ex:s> <ex:p> <rdf:nil> .`, ""},
		{"list of one", `{"@context":{"p":{"@id":"ex:p","@container":"@list"}},"@id":"ex:s","p":"a"}`,
			`<ex:s> <ex:p> _:a . _:a <rdf:first> "a" . _:a <rdf:rest> <rdf:nil> .`, ""},
		{"lists of lists", `{"@context":{"p":{"@id":"ex:p","@container":"@list"}},"@id":"ex:s","p":[["a"],[]]}`,
			`<ex:s> <ex:p> _:a . _:a <rdf:first> _:c . _:a <rdf:rest> _:b . _:b <rdf:first> <rdf:nil> . _:b <rdf:rest> <rdf:nil> . _:c <rdf:first> "a" . _:c <rdf:rest> <rdf:nil> .`, ""},
		{"set that is a list", `{"@context":{"p":{"@id":"ex:p","@container":"@list"}},"@id":"ex:s","p":{"@set":["a",["b"]]}}`,
			`<ex:s> <ex:p> _:a . _:a <rdf:first> "a" . _:a <rdf:rest> _:b . _:b <rdf:first> _:c . _:b <rdf:rest> <rdf:nil> . _:c <rdf:first> "b" . _:c <rdf:rest> <rdf:nil> .`, ""},
		{"reverse property with a context of its own", `{"@context":{` + v11 + `,"r":{"@reverse":"ex:r","@context":{"p":"ex:p"}}},"@id":"ex:o","r":{"@id":"ex:s","p":"v","r":{"@id":"ex:n"}}}`,
			`<ex:s> <ex:p> "v" . <ex:s> <ex:r> <ex:o> . <ex:n> <ex:r> <ex:s> .`, ""},
		{"term whose own context knows it otherwise", `{"@context":{` + v11 + `,"@vocab":"ex:","p":{"@container":"@list","@context":{"p":"ex:inner","q":"ex:q"}}},"@id":"ex:s","p":["v",{"@id":"ex:o","p":"w"}]}`,
			`<ex:s> <ex:p> _:a . _:a <rdf:first> "v" . _:a <rdf:rest> _:b . _:b <rdf:first> <ex:o> . _:b <rdf:rest> <rdf:nil> . <ex:o> <ex:inner> "w" .`, ""},
		{"term that is a keyword within its own context", `{"@context":{` + v11 + `,"type":{"@id":"ex:type","@context":{"type":"@type","id":"@id"}}},"@id":"ex:s","type":[{"id":"ex:o","type":"ex:T"}]}`,
			`<ex:s> <ex:type> <ex:o> . <ex:o> <rdf:type> <ex:T> .`, ""},
		{"term whose own context clears it", `{"@context":{` + v11 + `,"@vocab":"ex:","p":{"@container":["@graph","@set"],"@context":[null,{"q":"ex:scoped"}]},"T":{"@context":{"r":{"@type":"@json","@context":null}}}},"@id":"ex:s","@type":"T","p":[{"@id":"ex:o","q":"w"}],"r":{"a":1}}`,
			`<ex:s> <rdf:type> <ex:T> . <ex:s> <ex:p> _:g . <ex:o> <ex:scoped> "w" _:g . <ex:s> <ex:r> "{\"a\":1}"^^<rdf:JSON> .`, ""},
		{"terms that have a context of their own, in each other", `{"@context":{` + v11 + `,"@vocab":"ex:","p":{"@context":{"@vocab":"ex:p/","q":{"@id":"ex:q","@context":{"@vocab":"ex:q/"}}}}},"@id":"ex:s","p":{"@id":"ex:o","a":1,"p":{"@id":"ex:n","q":[{"@id":"ex:m","a":2}]}}}`,
			`<ex:s> <ex:p> <ex:o> . <ex:o> <ex:p/a> "1"^^<xsd:integer> . <ex:o> <ex:p> <ex:n> . <ex:n> <ex:q> <ex:m> . <ex:m> <ex:q/a> "2"^^<xsd:integer> .`, ""},
		{"maps with a context of their own", `{"@context":{` + v11 + `,"@vocab":"ex:","l":{"@container":"@language","@context":{"@vocab":"ex:x/"}},"i":{"@container":"@id","@context":{"@vocab":"ex:x/"}},"key":"ex:key","x":{"@container":"@index","@index":"key","@context":{"@vocab":"ex:x/","key":{"@id":"ex:key"}}},"y":{"@container":"@index","@context":{"@vocab":"ex:x/"}}},"@id":"ex:s","l":{"en":"v"},"i":{"ex:o":{"a":1}},"x":{"k":{"@id":"ex:m"}},"y":{"k":{"@id":"ex:n","a":1}}}`,
			`<ex:s> <ex:x> <ex:m> . <ex:m> <ex:key> "k" . <ex:s> <ex:l> "v"@en . <ex:s> <ex:i> <ex:o> . <ex:o> <ex:x/a> "1"^^<xsd:integer> . <ex:s> <ex:y> <ex:n> . <ex:n> <ex:x/a> "1"^^<xsd:integer> .`, ""},
		{"JSON in a set and in a list", `{"@context":{` + v11 + `,"p":{"@id":"ex:p","@type":"@json","@container":"@set"},"q":{"@id":"ex:q","@type":"@json","@container":["@index"]}},"@id":"ex:s","p":{"a":1},"q":[{"a":1}]}`,
			`<ex:s> <ex:p> "{\"a\":1}"^^<rdf:JSON> . <ex:s> <ex:q> "[{\"a\":1}]"^^<rdf:JSON> .`, ""},
		{"graph container without a map", `{"@context":{` + v11 + `,"g":{"@id":"ex:g","@type":"@id","@container":["@graph","@id"]}},"@id":"ex:s","g":["ex:n",{"@id":"ex:o","ex:q":"v"}]}`,
			`<ex:s> <ex:g> <ex:n> . <ex:s> <ex:g> <ex:o> . <ex:o> <ex:q> "v" .`, ""},
		{"set around a list", `{"@id":"ex:s","ex:p":{"@set":{"@list":["a"]}}}`, `<ex:s> <ex:p> _:a . _:a <rdf:first> "a" . _:a <rdf:rest> <rdf:nil> .`, ""},
		{"two equal lists are two", `{"@id":"ex:s","ex:p":[{"@list":["a"]},{"@list":["a"]}]}`,
			`<ex:s> <ex:p> _:a . _:a <rdf:first> "a" . _:a <rdf:rest> <rdf:nil> . <ex:s> <ex:p> _:b . _:b <rdf:first> "a" . _:b <rdf:rest> <rdf:nil> .`, ""},
		{"nodes in a list", `{"@id":"ex:s","ex:p":{"@list":[{"@id":"ex:o","ex:q":"v"}]}}`,
			`<ex:s> <ex:p> _:a . _:a <rdf:first> <ex:o> . _:a <rdf:rest> <rdf:nil> . <ex:o> <ex:q> "v" .`, ""},
		{"set", `{"@context":{"p":{"@id":"ex:p","@container":"@set"}},"@id":"ex:s","p":[["a"],{"@set":["b",null]}]}`, `<ex:s> <ex:p> "a" . <ex:s> <ex:p> "b" .`, ""},

		{"index map", `{"@context":{"p":{"@id":"ex:p","@container":"@index"}},"@id":"ex:s","p":{"x":"a","y":["b",{"@id":"ex:o"}]}}`,
			`<ex:s> <ex:p> "a" . <ex:s> <ex:p> "b" . <ex:s> <ex:p> <ex:o> .`, ""},
		{"property-valued index", `{"@context":{` + v11 + `,"@vocab":"ex:","p":{"@container":"@index","@index":"key"}},"@id":"ex:s","p":{"x":{"@id":"ex:o","key":"y"},"@none":{"@id":"ex:n","q":1}}}`,
			`<ex:s> <ex:p> <ex:o> . <ex:o> <ex:key> "x" . <ex:o> <ex:key> "y" . <ex:s> <ex:p> <ex:n> . <ex:n> <ex:q> "1"^^<xsd:integer> .`, ""},
		{"property-valued index of identifiers", `{"@context":{` + v11 + `,"@vocab":"ex:","key":{"@type":"@id"},"p":{"@container":"@index","@index":"key"}},"@id":"ex:s","p":{"ex:x":{"@id":"ex:o"}}}`,
			`<ex:s> <ex:p> <ex:o> . <ex:o> <ex:key> <ex:x> .`, ""},
		{"identifier map", `{"@context":{` + v11 + `,"@vocab":"ex:","p":{"@container":"@id"}},"@id":"ex:s","p":{"ex:o":{"q":"v"},"_:b":{"q":"w"},"@none":{"q":"x"}}}`,
			`<ex:s> <ex:p> <ex:o> . <ex:o> <ex:q> "v" . <ex:s> <ex:p> _:b . _:b <ex:q> "w" . <ex:s> <ex:p> _:c . _:c <ex:q> "x" .`, ""},
		{"type map", `{"@context":{` + v11 + `,"@vocab":"ex:","p":{"@container":"@type"}},"@id":"ex:s","p":{"T":{"@id":"ex:o","@type":"U"},"@none":{"@id":"ex:n","q":1}}}`,
			`<ex:s> <ex:p> <ex:o> . <ex:o> <rdf:type> <ex:T> . <ex:o> <rdf:type> <ex:U> . <ex:s> <ex:p> <ex:n> . <ex:n> <ex:q> "1"^^<xsd:integer> .`, ""},
		{"type map of references", `{"@context":{` + v11 + `,"@vocab":"ex:","p":{"@container":"@type"}},"@id":"ex:s","p":{"T":"ex:o"}}`,
			`<ex:s> <ex:p> <ex:o> . <ex:o> <rdf:type> <ex:T> .`, ""},
		{"graph container", `{"@context":{` + v11 + `,"@vocab":"ex:","p":{"@container":"@graph"}},"@id":"ex:s","p":[{"@id":"ex:o","q":1},{"@id":"ex:n","q":2}]}`,
			`<ex:s> <ex:p> _:a . <ex:o> <ex:q> "1"^^<xsd:integer> _:a . <ex:s> <ex:p> _:b . <ex:n> <ex:q> "2"^^<xsd:integer> _:b .`, ""},
		{"graphs by identifier", `{"@context":{` + v11 + `,"@vocab":"ex:","p":{"@container":["@graph","@id"]}},"@id":"ex:s","p":{"ex:g":{"@id":"ex:o","q":1}}}`,
			`<ex:s> <ex:p> <ex:g> . <ex:o> <ex:q> "1"^^<xsd:integer> <ex:g> .`, ""},
		{"graphs by index", `{"@context":{` + v11 + `,"@vocab":"ex:","p":{"@container":["@graph","@index","@set"]}},"@id":"ex:s","p":{"x":{"@id":"ex:o","q":1}}}`,
			`<ex:s> <ex:p> _:g . <ex:o> <ex:q> "1"^^<xsd:integer> _:g .`, ""},

		{"named graph", `{"@id":"ex:g","@graph":[{"@id":"ex:s","ex:p":"v"}],"ex:q":"w"}`, `<ex:s> <ex:p> "v" <ex:g> . <ex:g> <ex:q> "w" .`, ""},
		{"graph without a name within another", `{"@graph":[{"@id":"ex:g","@graph":{"@id":"ex:s","ex:p":"v"}}]}`, `<ex:s> <ex:p> "v" <ex:g> .`, ""},
		{"graph of an object that says more", `{"@graph":[{"@id":"ex:s","ex:p":"v"}],"ex:q":"w"}`, `<ex:s> <ex:p> "v" _:g . _:g <ex:q> "w" .`, ""},
		{"graph at the top of an object with an empty property", `{"@graph":[{"@id":"ex:s","ex:p":"v"}],"ex:q":[]}`, `<ex:s> <ex:p> "v" _:g .`, ""},
		{"graph at the top of an object with an empty reverse property", `{"@graph":[{"@id":"ex:s","ex:p":"v"}],"@reverse":{"ex:q":[]}}`, `<ex:s> <ex:p> "v" _:g .`, ""},
		{"blank nodes are one across graphs", `{"@graph":[{"@id":"_:x","ex:p":"v"},{"@id":"_:x","@graph":[{"@id":"_:x","ex:q":"w"}]}]}`, `_:x <ex:p> "v" . _:x <ex:q> "w" _:x .`, ""},
		{"included", `{"@context":{` + v11 + `},"@id":"ex:s","ex:p":"v","@included":[{"@id":"ex:o","ex:q":"w"}]}`, `<ex:s> <ex:p> "v" . <ex:o> <ex:q> "w" .`, ""},
		{"nest", `{"@context":{` + v11 + `,"@vocab":"ex:","meta":"@nest"},"@id":"ex:s","meta":[{"p":"v"},{"meta":{"q":"w"}}],"@nest":{"r":1}}`,
			`<ex:s> <ex:p> "v" . <ex:s> <ex:q> "w" . <ex:s> <ex:r> "1"^^<xsd:integer> .`, ""},
		{"nest with a scoped context", `{"@context":{` + v11 + `,"@vocab":"ex:","meta":{"@id":"@nest","@context":{"p":"ex:scoped"}}},"@id":"ex:s","meta":{"p":"v"},"p":"w"}`,
			`<ex:s> <ex:scoped> "v" . <ex:s> <ex:p> "w" .`, ""},
		{"identifier within a nest", `{"@context":{"@vocab":"ex:"},"@nest":{"@id":"ex:s"},"p":"v"}`, `<ex:s> <ex:p> "v" .`, ""},
		{"reverse", `{"@id":"ex:o","@reverse":{"ex:p":[{"@id":"ex:s","ex:q":"v"},{"@id":"ex:t"}]}}`, `<ex:s> <ex:p> <ex:o> . <ex:s> <ex:q> "v" . <ex:t> <ex:p> <ex:o> .`, ""},
		{"reverse property", `{"@context":{"r":{"@reverse":"ex:p","@type":"@id"}},"@id":"ex:o","r":["ex:s","ex:t"]}`, `<ex:s> <ex:p> <ex:o> . <ex:t> <ex:p> <ex:o> .`, ""},
		{"reversed twice", `{"@context":{"r":{"@reverse":"ex:p"}},"@id":"ex:s","@reverse":{"r":{"@id":"ex:o"}}}`, `<ex:s> <ex:p> <ex:o> .`, ""},
		{"reverse index", `{"@context":{"r":{"@reverse":"ex:p","@container":"@index"}},"@id":"ex:o","r":{"x":{"@id":"ex:s"}}}`, `<ex:s> <ex:p> <ex:o> .`, ""},

		{"JSON literal", `{"@context":{` + v11 + `,"p":{"@id":"ex:p","@type":"@json"}},"@id":"ex:s","p":{"b":[1.0,2e1,null],"a":"\u00e9\u0001\/"}}`,
			`<ex:s> <ex:p> "{\"a\":\"é\\u0001/\",\"b\":[1,20,null]}"^^<rdf:JSON> .`, ""},
		{"JSON literals are told apart", `{"@id":"ex:s","ex:p":[{"@value":[{"pay":1}],"@type":"@json"},{"@value":[{"pay":1000000}],"@type":"@json"}]}`,
			`<ex:s> <ex:p> "[{\"pay\":1}]"^^<rdf:JSON> . <ex:s> <ex:p> "[{\"pay\":1000000}]"^^<rdf:JSON> .`, ""},
		{"JSON null", `{"@context":{` + v11 + `,"p":{"@id":"ex:p","@type":"@json"}},"@id":"ex:s","p":null}`, `<ex:s> <ex:p> "null"^^<rdf:JSON> .`, ""},
		{"JSON scalars", `{"@context":{` + v11 + `,"p":{"@id":"ex:p","@type":"@json"}},"@id":"ex:s","p":"t"}`, `<ex:s> <ex:p> "\"t\""^^<rdf:JSON> .`, ""},
		{"a context within a JSON literal is data", `{"@context":{` + v11 + `,"p":{"@id":"ex:p","@type":"@json"}},"@id":"ex:s","p":{"@context":"https://nowhere.example/"}}`,
			`<ex:s> <ex:p> "{\"@context\":\"https://nowhere.example/\"}"^^<rdf:JSON> .`, ""},

		{"property-scoped context", `{"@context":{` + v11 + `,"p":{"@id":"ex:p","@context":{"q":"ex:scoped"}},"q":"ex:q"},"@id":"ex:s","p":{"@id":"ex:o","q":"v","ex:r":{"@id":"ex:n","q":"w"}},"q":"x"}`,
			`<ex:s> <ex:p> <ex:o> . <ex:o> <ex:scoped> "v" . <ex:o> <ex:r> <ex:n> . <ex:n> <ex:scoped> "w" . <ex:s> <ex:q> "x" .`, ""},
		{"property-scoped context of a scalar", `{"@context":{` + v11 + `,"p":{"@id":"ex:p","@context":{"@language":"en"}}},"@id":"ex:s","p":"v"}`, `<ex:s> <ex:p> "v"@en .`, ""},
		{"type-scoped context ends with the node", `{"@context":{` + v11 + `,"@vocab":"ex:","T":{"@context":{"q":"ex:scoped"}}},"@id":"ex:s","@type":"T","q":"v","p":{"@id":"ex:o","q":"w"}}`,
			`<ex:s> <rdf:type> <ex:T> . <ex:s> <ex:scoped> "v" . <ex:s> <ex:p> <ex:o> . <ex:o> <ex:q> "w" .`, ""},
		{"type-scoped context that propagates", `{"@context":{` + v11 + `,"@vocab":"ex:","T":{"@context":{"@propagate":true,"q":"ex:scoped"}}},"@id":"ex:s","@type":"T","p":{"@id":"ex:o","q":"w"}}`,
			`<ex:s> <rdf:type> <ex:T> . <ex:s> <ex:p> <ex:o> . <ex:o> <ex:scoped> "w" .`, ""},
		{"propagation in an array that is as it would be", `{"@context":{` + v11 + `,"@vocab":"ex:","T":{"@context":[{"@propagate":false,"q":"ex:scoped"}]}},"@id":"ex:s","@type":"T","p":[{"@context":[{"@propagate":true}],"@id":"ex:o","q":"v"}]}`,
			`<ex:s> <rdf:type> <ex:T> . <ex:s> <ex:p> <ex:o> . <ex:o> <ex:q> "v" .`, ""},
		{"context that does not propagate", `{"@context":{` + v11 + `,"@vocab":"ex:"},"@id":"ex:s","p":{"@context":{"@propagate":false,"q":"ex:scoped"},"@id":"ex:o","q":"v","r":{"@id":"ex:n","q":"w"}}}`,
			`<ex:s> <ex:p> <ex:o> . <ex:o> <ex:scoped> "v" . <ex:o> <ex:r> <ex:n> . <ex:n> <ex:q> "w" .`, ""},
		{"types of one node apply in code point order", `{"@context":{` + v11 + `,"@vocab":"ex:","A":{"@context":{"q":"ex:a"}},"B":{"@context":{"q":"ex:b"}}},"@id":"ex:s","@type":["B","A"],"q":"v"}`,
			`<ex:s> <rdf:type> <ex:A> . <ex:s> <rdf:type> <ex:B> . <ex:s> <ex:b> "v" .`, ""},
		{"type map with a scoped context", `{"@context":{` + v11 + `,"@vocab":"ex:","p":{"@container":"@type"},"T":{"@context":{"q":"ex:scoped"}}},"@id":"ex:s","p":{"T":{"@id":"ex:o","q":"v"}}}`,
			`<ex:s> <ex:p> <ex:o> . <ex:o> <rdf:type> <ex:T> . <ex:o> <ex:scoped> "v" .`, ""},
		{"protected term defined alike", `{"@context":[{` + v11 + `,"@protected":true,"p":"ex:p"},{"p":{"@id":"ex:p"}}],"@id":"ex:s","p":"v"}`, `<ex:s> <ex:p> "v" .`, ""},
		{"protected term with a scoped context defined alike", `{"@context":[{` + v11 + `,"@protected":true,"p":{"@id":"ex:p","@context":{"a":"ex:a","b":"ex:b"}}},{"p":{"@context":{"b":"ex:b","a":"ex:a"},"@id":"ex:p"}}],"@id":"ex:s","p":{"@id":"ex:o","a":"v"}}`,
			`<ex:s> <ex:p> <ex:o> . <ex:o> <ex:a> "v" .`, ""},
		{"protected term overridden by a property's context", `{"@context":{` + v11 + `,"@protected":true,"p":{"@id":"ex:p","@context":{"q":"ex:scoped"}},"q":"ex:q"},"@id":"ex:s","p":{"@id":"ex:o","q":"v"}}`,
			`<ex:s> <ex:p> <ex:o> . <ex:o> <ex:scoped> "v" .`, ""},
		{"one term left unprotected", `{"@context":[{` + v11 + `,"@protected":true,"p":{"@id":"ex:p","@protected":false}},{"p":"ex:q"}],"@id":"ex:s","p":"v"}`, `<ex:s> <ex:q> "v" .`, ""},
		{"context with protected terms reset by a property", `{"@context":{` + v11 + `,"@protected":true,"p":{"@id":"ex:p","@context":null},"q":"ex:q"},"@id":"ex:s","p":{"@id":"ex:o","ex:r":"v"}}`,
			`<ex:s> <ex:p> <ex:o> . <ex:o> <ex:r> "v" .`, ""},
		{"prefix by declaration", `{"@context":{` + v11 + `,"e":{"@id":"ex:long","@prefix":true}},"@id":"ex:s","e:p":"v"}`, `<ex:s> <ex:longp> "v" .`, ""},
		{"what looks like a compact IRI without a prefix", `{"@context":{"e":{"@id":"ex:"}},"@id":"ex:s","e:p":"v"}`, `<ex:s> <e:p> "v" .`, ""},

		{"blank node labels", `[{"@id":"_:a","ex:p":{"@id":"_:b"}},{"@id":"_:b","ex:q":{"@id":"_:a"}}]`, `_:a <ex:p> _:b . _:b <ex:q> _:a .`, ""},
		{"labels that no syntax can write", `[{"@id":"_:a b","ex:p":{"@id":"_:"}},{"@id":"_:","ex:q":{"@id":"_:a b"}}]`, `_:x <ex:p> _:y . _:y <ex:q> _:x .`, ""},
		{"blank node as type", `{"@id":"ex:s","@type":"_:t"}`, `<ex:s> <rdf:type> _:t .`, ""},
		{"node said twice", `[{"@id":"ex:s","ex:p":["v","v"]},{"@id":"ex:s","ex:p":"v","ex:q":"w"}]`, `<ex:s> <ex:p> "v" . <ex:s> <ex:q> "w" .`, ""},
		{"index of a node", `[{"@id":"ex:s","@index":"i","ex:p":"v"},{"@id":"ex:s","@index":"i","ex:q":"w"}]`, `<ex:s> <ex:p> "v" . <ex:s> <ex:q> "w" .`, ""},
		{"empty node", `{"@id":"ex:s","ex:p":{}}`, `<ex:s> <ex:p> _:b .`, ""},
		{"byte order mark", "\uFEFF" + `{"@id":"ex:s","ex:p":"v"}`, `<ex:s> <ex:p> "v" .`, ""},
	}
}

func TestFeatures(t *testing.T) {
	t.Parallel()
	for _, tt := range features() {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want := strings.ReplaceAll(tt.want, " . ", " .\n")
			check(t, tt.document, want, jsonld.Options{Base: tt.base})
			check(t, tt.document, want, jsonld.Options{Base: tt.base, Lossy: true})
		})
	}
}

func TestBaseDirection(t *testing.T) {
	t.Parallel()
	const document = `{"@context":{` + v11 + `,"@language":"AR","@direction":"rtl","p":"ex:p","q":{"@id":"ex:q","@direction":null},"r":{"@id":"ex:r","@language":null,"@direction":"ltr"},"m":{"@id":"ex:m","@container":"@language"}},
		"@id":"ex:s","p":["a","a",1],"q":"b","r":"c","m":{"he":"d"},"ex:v":{"@value":"e","@direction":"ltr"}}`
	check(t, document, `<ex:s> <ex:p> "a"^^<i18n:ar_rtl> .
<ex:s> <ex:p> "1"^^<xsd:integer> .
<ex:s> <ex:q> "b"@AR .
<ex:s> <ex:r> "c"^^<i18n:_ltr> .
<ex:s> <ex:m> "d"^^<i18n:he_rtl> .
<ex:s> <ex:v> "e"^^<i18n:_ltr> .
`, jsonld.Options{RDFDirection: jsonld.I18nDatatype})
	check(t, document, `<ex:s> <ex:p> _:p .
_:p <rdf:value> "a" .
_:p <rdf:language> "ar" .
_:p <rdf:direction> "rtl" .
<ex:s> <ex:p> "1"^^<xsd:integer> .
<ex:s> <ex:q> "b"@AR .
<ex:s> <ex:r> _:r .
_:r <rdf:value> "c" .
_:r <rdf:direction> "ltr" .
<ex:s> <ex:m> _:m .
_:m <rdf:value> "d" .
_:m <rdf:language> "he" .
_:m <rdf:direction> "rtl" .
<ex:s> <ex:v> _:v .
_:v <rdf:value> "e" .
_:v <rdf:direction> "ltr" .
`, jsonld.Options{RDFDirection: jsonld.CompoundLiteral})
	check(t, document, `<ex:s> <ex:p> "a"@AR .
<ex:s> <ex:p> "1"^^<xsd:integer> .
<ex:s> <ex:q> "b"@AR .
<ex:s> <ex:r> "c" .
<ex:s> <ex:m> "d"@he .
<ex:s> <ex:v> "e" .
`, jsonld.Options{Lossy: true})
	// In a list, equal values stay apart.
	check(t, `{"@id":"ex:s","ex:p":{"@list":[{"@value":"a","@direction":"ltr"},{"@value":"a","@direction":"ltr"}]}}`, `<ex:s> <ex:p> _:a .
_:a <rdf:first> _:x .
_:a <rdf:rest> _:b .
_:b <rdf:first> _:y .
_:b <rdf:rest> <rdf:nil> .
_:x <rdf:value> "a" .
_:x <rdf:direction> "ltr" .
_:y <rdf:value> "a" .
_:y <rdf:direction> "ltr" .
`, jsonld.Options{RDFDirection: jsonld.CompoundLiteral})
}

func TestExpandContext(t *testing.T) {
	t.Parallel()
	const document = `{"@id":"ex:s","p":"v"}`
	for _, context := range []string{`{"p":"ex:p"}`, `{"@context":{"p":"ex:p"}}`, `[{"p":"ex:q"},{"p":"ex:p"}]`} {
		check(t, document, `<ex:s> <ex:p> "v" .`, jsonld.Options{ExpandContext: []byte(expand.Replace(context))})
	}
	_, err := jsonld.Parse([]byte(`{}`), jsonld.Options{ExpandContext: []byte(`"https://nowhere.example/"`)})
	var refused *jsonld.Error
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, jsonld.CodeLoadingRemoteContext, refused.Code)
	_, err = jsonld.Parse([]byte(`{}`), jsonld.Options{ExpandContext: []byte(`{`)})
	assert.Error(t, err)
}
