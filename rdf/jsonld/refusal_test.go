package jsonld_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

type refusalCase struct {
	name     string
	code     jsonld.Code
	document string
	pointer  string
	term     string
}

func (c refusalCase) check(t *testing.T, o jsonld.Options) {
	t.Helper()
	d, err := jsonld.Parse([]byte(expand.Replace(c.document)), o)
	var e *jsonld.Error
	require.ErrorAs(t, err, &e)
	assert.Nil(t, d)
	assert.Equal(t, c.code, e.Code, err)
	assert.Equal(t, strings.ReplaceAll(c.pointer, "ex:", "https:~1~1e.example~1"), e.Pointer, err)
	assert.Equal(t, expand.Replace(c.term), e.Term, err)
	assert.NotEmpty(t, e.Code.Text(), "every code has a text")
	assert.Positive(t, e.Place.Line)
	assert.Positive(t, e.Place.Column)
	assert.Contains(t, err.Error(), string(e.Code))
}

// Faults that the API specification names, refused in either mode.
func TestErrorCodes(t *testing.T) {
	t.Parallel()
	seen := map[jsonld.Code]bool{}
	for _, c := range []refusalCase{
		{"colliding keywords", jsonld.CodeCollidingKeywords, `{"@context":{"id":"@id"},"@id":"ex:a","id":"ex:b"}`, "/id", "id"},
		{"colliding keywords through a nest", jsonld.CodeCollidingKeywords, `{"@id":"ex:a","@nest":{"@id":"ex:b"}}`, "/@nest/@id", "@id"},
		{"conflicting indexes", jsonld.CodeConflictingIndexes, `[{"@id":"ex:s","@index":"a","ex:p":1},{"@id":"ex:s","@index":"b","ex:q":1}]`, "/1", "b"},
		{"cyclic terms", jsonld.CodeCyclicIRIMapping, `{"@context":{"a":"b:x","b":"a:x"}}`, "/@context/a", "a"},
		{"term of itself", jsonld.CodeCyclicIRIMapping, `{"@context":{"a":"a:x"}}`, "/@context/a", "a"},
		{"identifier that is no string", jsonld.CodeInvalidIDValue, `{"@id":1}`, "/@id", ""},
		{"identifier that is null", jsonld.CodeInvalidIDValue, `{"@id":null}`, "/@id", ""},
		{"import that is no string", jsonld.CodeInvalidImportValue, `{"@context":{"@import":{}}}`, "/@context/@import", ""},
		{"included string", jsonld.CodeInvalidIncludedValue, `{"@included":"x"}`, "/@included", ""},
		{"included null", jsonld.CodeInvalidIncludedValue, `{"@included":null}`, "/@included", ""},
		{"index that is no string", jsonld.CodeInvalidIndexValue, `{"@index":1}`, "/@index", ""},
		{"nest that is no object", jsonld.CodeInvalidNestValue, `{"@nest":"x"}`, "/@nest", "@nest"},
		{"nest that holds a value", jsonld.CodeInvalidNestValue, `{"@nest":{"@value":"x"}}`, "/@nest/@value", "@value"},
		{"nest of a term", jsonld.CodeInvalidNestValue, `{"@context":{"p":{"@id":"ex:p","@nest":"@id"}}}`, "/@context/p/@nest", "p"},
		{"prefix flag", jsonld.CodeInvalidPrefixValue, `{"@context":{"p":{"@id":"ex:p","@prefix":"yes"}}}`, "/@context/p/@prefix", "p"},
		{"propagation", jsonld.CodeInvalidPropagateValue, `{"@context":{"@propagate":"no"}}`, "/@context/@propagate", ""},
		{"protection of a context", jsonld.CodeInvalidProtectedValue, `{"@context":{"@protected":1}}`, "/@context/@protected", ""},
		{"protection of a term", jsonld.CodeInvalidProtectedValue, `{"@context":{"p":{"@id":"ex:p","@protected":null}}}`, "/@context/p/@protected", "p"},
		{"reverse that is no object", jsonld.CodeInvalidReverseValue, `{"@reverse":"x"}`, "/@reverse", ""},
		{"version", jsonld.CodeInvalidVersionValue, `{"@context":{"@version":"1.1"}}`, "/@context/@version", ""},
		{"direction of a context", jsonld.CodeInvalidBaseDirection, `{"@context":{"@direction":"up"}}`, "/@context/@direction", "up"},
		{"direction of a term", jsonld.CodeInvalidBaseDirection, `{"@context":{"p":{"@id":"ex:p","@direction":1}}}`, "/@context/p/@direction", ""},
		{"direction of a value", jsonld.CodeInvalidBaseDirection, `{"ex:p":{"@value":"x","@direction":null}}`, "/ex:p/@direction", ""},
		{"base that is no string", jsonld.CodeInvalidBaseIRI, `{"@context":{"@base":true}}`, "/@context/@base", ""},
		{"relative base without a base", jsonld.CodeInvalidBaseIRI, `{"@context":{"@base":"x/"}}`, "/@context/@base", "x/"},
		{"unknown container", jsonld.CodeInvalidContainerMapping, `{"@context":{"p":{"@id":"ex:p","@container":"@bag"}}}`, "/@context/p/@container", "p"},
		{"containers that do not go together", jsonld.CodeInvalidContainerMapping, `{"@context":{"p":{"@id":"ex:p","@container":["@list","@set"]}}}`, "/@context/p/@container", "p"},
		{"container twice", jsonld.CodeInvalidContainerMapping, `{"@context":{"p":{"@id":"ex:p","@container":["@set","@set"]}}}`, "/@context/p/@container", "p"},
		{"reset of protected terms", jsonld.CodeInvalidContextNullified, `{"@context":[{"@protected":true,"p":"ex:p"},null]}`, "/@context/1", ""},
		{"default language", jsonld.CodeInvalidDefaultLanguage, `{"@context":{"@language":1}}`, "/@context/@language", ""},
		{"term without a mapping", jsonld.CodeInvalidIRIMapping, `{"@context":{"p":{}}}`, "/@context/p", "p"},
		{"mapping that is no string", jsonld.CodeInvalidIRIMapping, `{"@context":{"p":{"@id":1}}}`, "/@context/p/@id", "p"},
		{"mapping that is relative", jsonld.CodeInvalidIRIMapping, `{"@context":{"p":"q"}}`, "/@context/p", "p"},
		{"IRI that maps to another", jsonld.CodeInvalidIRIMapping, `{"@context":{"ex:p":"ex:q"}}`, "/@context/ex:p", "ex:p"},
		{"path that maps to another", jsonld.CodeInvalidIRIMapping, `{"@context":{"@vocab":"ex:","a/b":"ex:q"}}`, "/@context/a~1b", "a/b"},
		{"path without a vocabulary", jsonld.CodeInvalidIRIMapping, `{"@context":{"a/b":{"@type":"@id"}}}`, "/@context/a~1b", "a/b"},
		{"alias of @context", jsonld.CodeInvalidKeywordAlias, `{"@context":{"c":"@context"}}`, "/@context/c", "c"},
		{"language map with a number", jsonld.CodeInvalidLanguageMapValue, `{"@context":{"p":{"@id":"ex:p","@container":"@language"}},"p":{"en":1}}`, "/p/en", ""},
		{"language of a term", jsonld.CodeInvalidLanguageMapping, `{"@context":{"p":{"@id":"ex:p","@language":1}}}`, "/@context/p/@language", "p"},
		{"language that is no string", jsonld.CodeInvalidLanguageTagged, `{"ex:p":{"@value":"x","@language":1}}`, "/ex:p/@language", ""},
		{"language of a number", jsonld.CodeInvalidLanguageTaggedValue, `{"ex:p":{"@value":1,"@language":"en"}}`, "/ex:p/@value", "1"},
		{"context that is a number", jsonld.CodeInvalidLocalContext, `{"@context":1}`, "/@context", ""},
		{"context within a context", jsonld.CodeInvalidLocalContext, `{"@context":[[]]}`, "/@context/0", ""},
		{"reverse with an identifier", jsonld.CodeInvalidReverseProperty, `{"@context":{"r":{"@reverse":"ex:p","@id":"ex:q"}}}`, "/@context/r/@reverse", "r"},
		{"reverse list", jsonld.CodeInvalidReverseProperty, `{"@context":{"r":{"@reverse":"ex:p","@container":"@list"}}}`, "/@context/r/@container", "r"},
		{"keyword in a reverse map", jsonld.CodeInvalidReversePropertyMap, `{"@reverse":{"@id":"ex:s"}}`, "/@reverse/@id", "@id"},
		{"value of a reverse property", jsonld.CodeInvalidReverseProperties, `{"@id":"ex:s","@reverse":{"ex:p":"x"}}`, "/@reverse/ex:p", ""},
		{"list of a reverse term", jsonld.CodeInvalidReverseProperties, `{"@context":{"r":{"@reverse":"ex:p"}},"@id":"ex:s","r":{"@list":[]}}`, "/r", ""},
		{"scoped context of a later term that is none", jsonld.CodeInvalidScopedContext, `{"@context":[{"@vocab":"ex:"},{"p":{"@id":"ex:p","@context":{"q":"r"}},"r":null}]}`, "/@context/1/p/@context/q", "p"},
		{"scoped context of an earlier term that is none", jsonld.CodeInvalidScopedContext, `{"@context":[{"@vocab":"ex:"},{"r":null,"p":{"@id":"ex:p","@context":{"q":"r"}}}]}`, "/@context/1/p/@context/q", "p"},
		{"scoped context", jsonld.CodeInvalidScopedContext, `{"@context":{"p":{"@id":"ex:p","@context":{"q":{}}}}}`, "/@context/p/@context/q", "p"},
		{"list with more members", jsonld.CodeInvalidSetOrList, `{"@id":"ex:s","ex:p":{"@list":[],"@id":"ex:o"}}`, "/ex:p", ""},
		{"set and list", jsonld.CodeInvalidSetOrList, `{"@id":"ex:s","ex:p":{"@list":[],"@set":[]}}`, "/ex:p", ""},
		{"empty term", jsonld.CodeInvalidTermDefinition, `{"@context":{"":"ex:p"}}`, "/@context/", ""},
		{"term that is a number", jsonld.CodeInvalidTermDefinition, `{"@context":{"p":1}}`, "/@context/p", "p"},
		{"unknown member of a definition", jsonld.CodeInvalidTermDefinition, `{"@context":{"p":{"@id":"ex:p","@foo":1}}}`, "/@context/p/@foo", "@foo"},
		{"index without an index container", jsonld.CodeInvalidTermDefinition, `{"@context":{"p":{"@id":"ex:p","@index":"ex:i"}}}`, "/@context/p/@index", "p"},
		{"index that is a keyword", jsonld.CodeInvalidTermDefinition, `{"@context":{"p":{"@id":"ex:p","@container":"@index","@index":"@index"}}}`, "/@context/p/@index", "p"},
		{"prefix flag of a compact IRI", jsonld.CodeInvalidTermDefinition, `{"@context":{"ex:p":{"@prefix":true}}}`, "/@context/ex:p/@prefix", "ex:p"},
		{"keyword as a prefix", jsonld.CodeInvalidTermDefinition, `{"@context":{"p":{"@id":"@type","@prefix":true}}}`, "/@context/p/@prefix", "p"},
		{"type of a term", jsonld.CodeInvalidTypeMapping, `{"@context":{"p":{"@id":"ex:p","@type":"date"}}}`, "/@context/p/@type", "p"},
		{"type of a term that is a blank node", jsonld.CodeInvalidTypeMapping, `{"@context":{"p":{"@id":"ex:p","@type":"_:t"}}}`, "/@context/p/@type", "p"},
		{"type of a term that is no string", jsonld.CodeInvalidTypeMapping, `{"@context":{"p":{"@id":"ex:p","@type":null}}}`, "/@context/p/@type", "p"},
		{"datatype in a type map", jsonld.CodeInvalidTypeMapping, `{"@context":{"p":{"@id":"ex:p","@container":"@type","@type":"xsd:date"}}}`, "/@context/p/@container", "p"},
		{"type of a node", jsonld.CodeInvalidTypeValue, `{"@type":["ex:T",1]}`, "/@type/1", ""},
		{"type of a value that is a blank node", jsonld.CodeInvalidTypedValue, `{"@id":"ex:s","ex:p":{"@value":"x","@type":"_:t"}}`, "/ex:p", "_:t"},
		{"types of a value", jsonld.CodeInvalidTypedValue, `{"@id":"ex:s","ex:p":{"@value":"x","@type":["ex:t"]}}`, "/ex:p", "ex:t"},
		{"value with an empty reverse property", jsonld.CodeInvalidValueObject, `{"ex:p":{"@value":"v","@reverse":{"ex:q":[]}}}`, "/ex:p", ""},
		{"value with a property", jsonld.CodeInvalidValueObject, `{"@id":"ex:s","ex:p":{"@value":"x","ex:q":1}}`, "/ex:p", ""},
		{"value with language and type", jsonld.CodeInvalidValueObject, `{"@id":"ex:s","ex:p":{"@value":"x","@type":"ex:t","@language":"en"}}`, "/ex:p", ""},
		{"value in a map of identifiers", jsonld.CodeInvalidValueObject, `{"@context":{"p":{"@id":"ex:p","@container":"@id"}},"@id":"ex:s","p":{"ex:o":"x"}}`, "/p/ex:o", ""},
		{"value in a map of types", jsonld.CodeInvalidValueObject, `{"@context":{"p":{"@id":"ex:p","@container":"@type"}},"@id":"ex:s","p":{"ex:T":{"@value":"x"}}}`, "/p/ex:T/@value", ""},
		{"value under a property-valued index", jsonld.CodeInvalidValueObject, `{"@context":{"p":{"@id":"ex:p","@container":"@index","@index":"ex:i"}},"@id":"ex:s","p":{"x":"y"}}`, "/p/x", ""},
		{"value that is an array", jsonld.CodeInvalidValueObjectValue, `{"@id":"ex:s","ex:p":{"@value":["x"]}}`, "/ex:p/@value", ""},
		{"value that is an array, of a type that is JSON under itself alone", jsonld.CodeInvalidValueObjectValue, `{"@context":{"T":{"@id":"ex:T","@context":{"T":"@json"}}},"@id":"ex:s","ex:p":{"@type":"T","@value":["x"]}}`, "/ex:p/@value", ""},
		{"vocabulary that is no string", jsonld.CodeInvalidVocabMapping, `{"@context":{"@vocab":1}}`, "/@context/@vocab", ""},
		{"vocabulary that stays relative", jsonld.CodeInvalidVocabMapping, `{"@context":{"@vocab":"x#"}}`, "/@context/@vocab", "x#"},
		{"keyword as a term", jsonld.CodeKeywordRedefinition, `{"@context":{"@id":"ex:id"}}`, "/@context/@id", "@id"},
		{"@type as more than a set", jsonld.CodeKeywordRedefinition, `{"@context":{"@type":{"@container":"@list"}}}`, "/@context/@type", "@type"},
		{"relative context without a base", jsonld.CodeLoadingDocumentFailed, `{"@context":"x.jsonld"}`, "/@context", "x.jsonld"},
		{"remote context", jsonld.CodeLoadingRemoteContext, `{"@context":"https://contexts.example/v1"}`, "/@context", "https://contexts.example/v1"},
		{"remote context among others", jsonld.CodeLoadingRemoteContext, `{"@context":[{},"https://contexts.example/v1"]}`, "/@context/1", "https://contexts.example/v1"},
		{"remote import", jsonld.CodeLoadingRemoteContext, `{"@context":{"@import":"http://169.254.169.254/latest"}}`, "/@context/@import", "http://169.254.169.254/latest"},
		{"remote context of a term that is not used", jsonld.CodeLoadingRemoteContext, `{"@context":{"p":{"@id":"ex:p","@context":"https://contexts.example/v1"}}}`, "/@context/p/@context", "https://contexts.example/v1"},
		{"remote context deep within", jsonld.CodeLoadingRemoteContext, `{"@graph":[{"ex:p":[{"@context":["https://contexts.example/v1"]}]}]}`, "/@graph/0/ex:p/0/@context/0", "https://contexts.example/v1"},
		{"remote context in what is dropped", jsonld.CodeLoadingRemoteContext, `{"unknown":{"@context":"https://contexts.example/v1"}}`, "/unknown/@context", "https://contexts.example/v1"},
		{"remote context before any other fault", jsonld.CodeLoadingRemoteContext, `{"@context":{"":1},"p":{"@context":"https://contexts.example/v1"}}`, "/p/@context", "https://contexts.example/v1"},
		{"protected term", jsonld.CodeProtectedTermRedefinition, `{"@context":[{"@protected":true,"p":"ex:p"},{"p":"ex:q"}]}`, "/@context/1/p", "p"},
		{"protected term after the same definition", jsonld.CodeProtectedTermRedefinition, `{"@context":[{"@protected":true,"p":"ex:p"},{"p":"ex:p"},{"p":"ex:q"}]}`, "/@context/2/p", "p"},
		{"protected term taken away", jsonld.CodeProtectedTermRedefinition, `{"@context":[{"@protected":true,"p":"ex:p"},{"p":null}]}`, "/@context/1/p", "p"},
		{"protected term ignored away", jsonld.CodeProtectedTermRedefinition, `{"@context":[{"@protected":true,"p":"ex:p"},{"p":"@unknown"}]}`, "/@context/1/p", "p"},
		{"protected term with another scoped context", jsonld.CodeProtectedTermRedefinition, `{"@context":[{"@protected":true,"p":{"@id":"ex:p","@context":{"q":"ex:q"}}},{"p":{"@id":"ex:p","@context":{"q":"ex:r"}}}]}`, "/@context/1/p", "p"},
		{"protected term under a type", jsonld.CodeProtectedTermRedefinition, `{"@context":{"@protected":true,"p":"ex:p","T":{"@id":"ex:T","@context":{"p":"ex:q"}}},"@type":"T"}`, "/@context/T/@context/p", "p"},
	} {
		seen[c.code] = true
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.check(t, jsonld.Options{Lossy: true})
			c.check(t, jsonld.Options{})
		})
	}
	for _, c := range []refusalCase{
		{"version 1.1", jsonld.CodeProcessingModeConflict, `{"@context":{"@version":1.1}}`, "/@context/@version", ""},
		{"import", jsonld.CodeInvalidContextEntry, `{"@context":{"@import":{}}}`, "/@context/@import", "@import"},
		{"propagation", jsonld.CodeInvalidContextEntry, `{"@context":{"@propagate":true}}`, "/@context/@propagate", "@propagate"},
		{"direction", jsonld.CodeInvalidContextEntry, `{"@context":{"@direction":"ltr"}}`, "/@context/@direction", "@direction"},
		{"protected context", jsonld.CodeInvalidContextEntry, `{"@context":{"@protected":true}}`, "/@context/@protected", "@protected"},
		{"protected term", jsonld.CodeInvalidTermDefinition, `{"@context":{"p":{"@id":"ex:p","@protected":true}}}`, "/@context/p/@protected", "p"},
		{"scoped context", jsonld.CodeInvalidTermDefinition, `{"@context":{"p":{"@id":"ex:p","@context":{}}}}`, "/@context/p/@context", "p"},
		{"nest", jsonld.CodeInvalidTermDefinition, `{"@context":{"p":{"@id":"ex:p","@nest":"@nest"}}}`, "/@context/p/@nest", "p"},
		{"index", jsonld.CodeInvalidTermDefinition, `{"@context":{"p":{"@id":"ex:p","@container":"@index","@index":"ex:i"}}}`, "/@context/p/@index", "p"},
		{"prefix", jsonld.CodeInvalidTermDefinition, `{"@context":{"p":{"@id":"ex:p","@prefix":true}}}`, "/@context/p/@prefix", "p"},
		{"term direction", jsonld.CodeInvalidTermDefinition, `{"@context":{"p":{"@id":"ex:p","@direction":"ltr"}}}`, "/@context/p/@direction", "p"},
		{"JSON type", jsonld.CodeInvalidTypeMapping, `{"@context":{"p":{"@id":"ex:p","@type":"@json"}}}`, "/@context/p/@type", "p"},
		{"none type", jsonld.CodeInvalidTypeMapping, `{"@context":{"p":{"@id":"ex:p","@type":"@none"}}}`, "/@context/p/@type", "p"},
		{"JSON value", jsonld.CodeInvalidValueObjectValue, `{"@id":"ex:s","ex:p":{"@type":"@json","@value":1}}`, "/ex:p/@value", ""},
		{"identifier map", jsonld.CodeInvalidContainerMapping, `{"@context":{"p":{"@id":"ex:p","@container":"@id"}}}`, "/@context/p/@container", "p"},
		{"containers", jsonld.CodeInvalidContainerMapping, `{"@context":{"p":{"@id":"ex:p","@container":["@set"]}}}`, "/@context/p/@container", "p"},
		{"relative vocabulary", jsonld.CodeInvalidVocabMapping, `{"@context":[{"@vocab":"ex:"},{"@vocab":"x"}]}`, "/@context/1/@vocab", "x"},
		{"definition of @type", jsonld.CodeKeywordRedefinition, `{"@context":{"@type":{"@container":"@set"}}}`, "/@context/@type", "@type"},
		{"types of two members", jsonld.CodeCollidingKeywords, `{"@context":{"type":"@type"},"@type":"ex:T","type":"ex:U"}`, "/type", "type"},
	} {
		seen[c.code] = true
		t.Run("1.0/"+c.name, func(t *testing.T) {
			t.Parallel()
			c.check(t, jsonld.Options{ProcessingMode: jsonld.JSONLD10, Lossy: true})
		})
	}
	// Those that only a table of contexts can meet are in the tests of it.
	for _, code := range []jsonld.Code{jsonld.CodeContextOverflow, jsonld.CodeInvalidRemoteContext} {
		seen[code] = true
	}
	for _, code := range jsonld.SpecificationCodes() {
		assert.True(t, seen[code], "no case for %q", code)
	}
}

// What the specification drops, refused unless it is asked to be dropped.
func TestNothingIsDropped(t *testing.T) {
	t.Parallel()
	seen := map[jsonld.Code]bool{}
	const (
		rest = `<ex:s> <ex:p> "v" .`
		pair = `<ex:s> <ex:p> _:a . _:a <rdf:first> "v" . _:a <rdf:rest> _:b . _:b <rdf:first> "w" . _:b <rdf:rest> <rdf:nil> .`
	)
	for _, c := range []struct {
		refusalCase
		want string // with Lossy
	}{
		{refusalCase{"undefined term", jsonld.CodeUndefinedTerm, `{"@id":"ex:s","ex:p":"v","name":"n"}`, "/name", "name"}, rest},
		{refusalCase{"undefined term, deep", jsonld.CodeUndefinedTerm, `{"@id":"ex:s","ex:p":["v",{"a/b":[]}]}`, "/ex:p/1/a~1b", "a/b"}, rest + ` <ex:s> <ex:p> _:b .`},
		{refusalCase{"undefined term that holds a node", jsonld.CodeUndefinedTerm, `{"@id":"ex:s","ex:p":"v","name":{"@id":"ex:o","ex:q":1}}`, "/name", "name"}, rest},
		{refusalCase{"term that maps to null", jsonld.CodeUndefinedTerm, `{"@context":{"n":null},"@id":"ex:s","ex:p":"v","n":1}`, "/n", "n"}, rest},
		{refusalCase{"term whose prefix is a keyword", jsonld.CodeUndefinedTerm, `{"@context":{"type":"@type","type:x":{}},"@id":"ex:s","ex:p":"v","type:x":"w"}`, "/type:x", "type:x"}, rest},
		{refusalCase{"term whose prefix is null", jsonld.CodeUndefinedTerm, `{"@context":{"a":null,"a:x":{"@type":"@id"}},"@id":"ex:s","ex:p":"v","a:x":"ex:o"}`, "/a:x", "a:x"}, rest},
		{refusalCase{"type whose prefix is a keyword", jsonld.CodeReservedTerm, `{"@context":{"type":"@type","type:x":{}},"@id":"ex:s","ex:p":"v","@type":"type:x"}`, "/@type", "type:x"}, rest},
		{refusalCase{"undefined term in a nest", jsonld.CodeUndefinedTerm, `{"@id":"ex:s","ex:p":"v","@nest":{"n":1}}`, "/@nest/n", "n"}, rest},
		{refusalCase{"undefined term in a reverse map", jsonld.CodeUndefinedTerm, `{"@id":"ex:s","ex:p":"v","@reverse":{"n":{}}}`, "/@reverse/n", "n"}, rest},
		{refusalCase{"reserved name", jsonld.CodeReservedTerm, `{"@id":"ex:s","ex:p":"v","@unknown":1}`, "/@unknown", "@unknown"}, rest},
		{refusalCase{"keyword of contexts", jsonld.CodeReservedTerm, `{"@id":"ex:s","ex:p":"v","@vocab":"ex:"}`, "/@vocab", "@vocab"}, rest},
		{refusalCase{"reserved identifier", jsonld.CodeReservedTerm, `[{"@id":"ex:s","ex:p":"v"},{"@id":"@unknown","ex:q":1}]`, "/1/@id", "@unknown"}, rest},
		{refusalCase{"reserved type", jsonld.CodeReservedTerm, `{"@id":"ex:s","ex:p":"v","@type":"@unknown"}`, "/@type", "@unknown"}, rest},
		{refusalCase{"keyword as type", jsonld.CodeReservedTerm, `{"@id":"ex:s","ex:p":"v","@type":"@id"}`, "/@type", "@id"}, rest},
		{refusalCase{"node of type JSON", jsonld.CodeReservedTerm, `{"@id":"ex:s","ex:p":"v","@type":"@json"}`, "", "@json"}, rest},
		{refusalCase{"term that is reserved", jsonld.CodeUndefinedTerm, `{"@context":{"t":"@unknown"},"@id":"ex:s","ex:p":"v","t":1}`, "/t", "t"}, rest},

		{refusalCase{"relative identifier", jsonld.CodeRelativeIRI, `[{"@id":"ex:s","ex:p":"v"},{"@id":"s","ex:p":"w"}]`, "/1/@id", "s"}, rest},
		{refusalCase{"relative object", jsonld.CodeRelativeIRI, `{"@id":"ex:s","ex:p":["v",{"@id":"o"}]}`, "/ex:p/1/@id", "o"}, rest},
		{refusalCase{"relative type", jsonld.CodeRelativeIRI, `{"@id":"ex:s","ex:p":"v","@type":["T"]}`, "/@type/0", "T"}, rest},
		{refusalCase{"relative coerced value", jsonld.CodeRelativeIRI, `{"@context":{"r":{"@id":"ex:r","@type":"@id"}},"@id":"ex:s","ex:p":"v","r":"no/base"}`, "/r", "no/base"}, rest},
		{refusalCase{"relative without the base that was there", jsonld.CodeRelativeIRI, `{"@context":[{"@base":"ex:"},{"@base":null}],"@id":"ex:s","ex:p":["v",{"@id":"o"}]}`, "/ex:p/1/@id", "o"}, rest},
		{refusalCase{"relative graph name", jsonld.CodeRelativeIRI, `[{"@id":"ex:s","ex:p":"v"},{"@id":"g","@graph":[{"@id":"ex:s","ex:p":"w"}]}]`, "/1/@id", "g"}, rest},
		{refusalCase{"relative key of an identifier map", jsonld.CodeRelativeIRI, `{"@context":{"m":{"@id":"ex:m","@container":"@id"}},"@id":"ex:s","ex:p":"v","m":{"k":{}}}`, "/m/k", "k"}, rest},
		{refusalCase{"relative key of a type map", jsonld.CodeRelativeIRI, `{"@context":{"m":{"@id":"ex:m","@container":"@type"}},"@id":"ex:s","ex:p":"v","m":{"k":{"@id":"ex:o"}}}`, "/m/k", "k"}, rest + ` <ex:s> <ex:m> <ex:o> .`},
		{refusalCase{"nested node of a relative one", jsonld.CodeRelativeIRI, `{"@id":"s","ex:q":{"@id":"ex:s","ex:p":"v"}}`, "/@id", "s"}, rest},

		{refusalCase{"identifier with a space", jsonld.CodeIllFormedIRI, `{"@id":"ex:s","ex:p":["v",{"@id":"ex:a b"}]}`, "/ex:p/1/@id", "ex:a b"}, rest},
		{refusalCase{"type with a bracket", jsonld.CodeIllFormedIRI, `{"@id":"ex:s","ex:p":"v","@type":"ex:<T>"}`, "/@type", "ex:<T>"}, rest},
		{refusalCase{"property with a space", jsonld.CodeIllFormedIRI, `{"@id":"ex:s","ex:p":"v","ex:q r":1}`, "/ex:q r", "ex:q r"}, rest},
		{refusalCase{"two fragments", jsonld.CodeIllFormedIRI, `{"@context":{"@vocab":"ex:v#"},"@id":"ex:s","ex:p":"v","#a":1}`, "/#a", "#a"}, rest},
		{refusalCase{"datatype of a term", jsonld.CodeIllFormedIRI, `{"@context":{"d":{"@id":"ex:d","@type":"ex:{}"}},"@id":"ex:s","ex:p":"v","d":"x"}`, "/d", "ex:{}"}, rest},
		{refusalCase{"broken base", jsonld.CodeIllFormedIRI, `{"@context":{"@base":"ex:<>/"},"@id":"ex:s","ex:p":["v",{"@id":"o"}]}`, "/ex:p/1/@id", "ex:<>/o"}, rest},

		{refusalCase{"blank node predicate", jsonld.CodeBlankPredicate, `{"@context":{"b":"_:b"},"@id":"ex:s","ex:p":"v","b":"w"}`, "/b", "b"}, rest},
		{refusalCase{"node under a blank node predicate", jsonld.CodeBlankPredicate, `{"_:b":{"@list":[{"@id":"ex:s","ex:p":"v"},"w",{"@list":[{"@id":"ex:s","ex:q":"w"}]}]}}`, "/_:b", "_:b"}, rest + ` <ex:s> <ex:q> "w" .`},

		{refusalCase{"language of a value", jsonld.CodeIllFormedTag, `{"@id":"ex:s","ex:p":["v",{"@value":"w","@language":"e n"}]}`, "/ex:p/1/@language", "e n"}, rest},
		{refusalCase{"language of a context", jsonld.CodeIllFormedTag, `{"@context":{"@language":"en-"},"@id":"ex:s","ex:p":[{"@value":"v"},"w"]}`, "/ex:p/1", "en-"}, rest},
		{refusalCase{"language of a context that is empty", jsonld.CodeIllFormedTag, `{"@context":{"@language":""},"@id":"ex:s","ex:p":[{"@value":"v"},"w"]}`, "/ex:p/1", ""}, rest},
		{refusalCase{"language of a term that is empty", jsonld.CodeIllFormedTag, `{"@context":{"@language":"en","q":{"@id":"ex:q","@language":""}},"@id":"ex:s","ex:p":{"@value":"v"},"q":"w"}`, "/q", ""}, rest},
		{refusalCase{"language of a map", jsonld.CodeIllFormedTag, `{"@context":{"m":{"@id":"ex:m","@container":"@language"}},"@id":"ex:s","ex:p":"v","m":{"waytoolong":"w"}}`, "/m/waytoolong", "waytoolong"}, rest},

		{refusalCase{"scalar at the top", jsonld.CodeFreeFloating, `["free",{"@id":"ex:s","ex:p":"v"}]`, "/0", "free"}, rest},
		{refusalCase{"scalar in a graph", jsonld.CodeFreeFloating, `{"@graph":[1,{"@id":"ex:s","ex:p":"v"}]}`, "/@graph/0", "1"}, rest},
		{refusalCase{"value at the top", jsonld.CodeFreeFloating, `[{"@value":"free"},{"@id":"ex:s","ex:p":"v"}]`, "/0/@value", "free"}, rest},
		{refusalCase{"list at the top", jsonld.CodeFreeFloating, `[{"@list":["free"]},{"@id":"ex:s","ex:p":"v"}]`, "/0/@list", "@list"}, rest},
		{refusalCase{"node that says nothing", jsonld.CodeFreeFloating, `[{"@id":"ex:free"},{"@id":"ex:s","ex:p":"v"}]`, "/0", "ex:free"}, rest},
		{refusalCase{"node that has an index alone", jsonld.CodeFreeFloating, `[{"@id":"ex:free","@index":"i"},{"@id":"ex:s","ex:p":"v"}]`, "/0", "ex:free"}, rest},
		{refusalCase{"node with empty arrays", jsonld.CodeFreeFloating, `[{"@id":"ex:free","@type":[],"ex:q":[]},{"@id":"ex:s","ex:p":"v"}]`, "/0", "ex:free"}, rest},
		{refusalCase{"named graph that is empty", jsonld.CodeFreeFloating, `[{"@id":"ex:free","@graph":[null,{}]},{"@id":"ex:s","ex:p":"v"}]`, "/0", "ex:free"}, rest},
		{refusalCase{"node in a graph container that says nothing", jsonld.CodeFreeFloating, `{"@context":{"g":{"@id":"ex:g","@container":"@graph"}},"@id":"ex:s","ex:p":"v","g":[{"@id":"ex:free","@index":"i"}]}`, "/g/0", ""}, rest + ` <ex:s> <ex:g> _:g .`},
		{refusalCase{"reference in a graph container", jsonld.CodeFreeFloating, `{"@context":{"g":{"@id":"ex:g","@type":"@id","@container":["@graph","@id"]}},"@id":"ex:s","ex:p":"v","g":{"ex:k":"ex:free"}}`, "/g/ex:k", "ex:free"}, rest + ` <ex:s> <ex:g> <ex:k> .`},
		{refusalCase{"node that includes others", jsonld.CodeFreeFloating, `{"@id":"ex:free","@included":[{"@id":"ex:s","ex:p":"v"}]}`, "", "ex:free"}, rest},
		{refusalCase{"language of a node", jsonld.CodeFreeFloating, `{"@id":"ex:s","ex:p":"v","@language":"en"}`, "", "en"}, rest},
		{refusalCase{"base direction of a node", jsonld.CodeFreeFloating, `{"@id":"ex:s","ex:p":"v","@direction":"ltr"}`, "", ""}, rest},
		{refusalCase{"name in a map of a node with another", jsonld.CodeFreeFloating, `{"@context":{"m":{"@id":"ex:m","@container":"@id"}},"@id":"ex:s","ex:p":"v","m":{"ex:k":{"@id":"ex:o"}}}`, "/m/ex:k", "ex:k"}, rest + ` <ex:s> <ex:m> <ex:o> .`},
		{refusalCase{"name in a map of a graph with another", jsonld.CodeFreeFloating, `{"@context":{"m":{"@id":"ex:m","@container":["@graph","@id"]}},"@id":"ex:s","ex:p":"v","m":{"ex:k":{"@id":"ex:o","@graph":[]}}}`, "/m/ex:k", "ex:k"}, rest + ` <ex:s> <ex:m> <ex:o> .`},
		{refusalCase{"reserved name in a map of a node with another", jsonld.CodeReservedTerm, `{"@context":{"m":{"@id":"ex:m","@container":"@id"}},"@id":"ex:s","ex:p":"v","m":{"@unknown":{"@id":"ex:o"}}}`, "/m/@unknown", "@unknown"}, rest + ` <ex:s> <ex:m> <ex:o> .`},
		{refusalCase{"context in a nest", jsonld.CodeReservedTerm, `{"@context":{"p":"ex:p"},"@id":"ex:s","@nest":{"@context":{"p":"ex:q"},"p":"v"}}`, "/@nest/@context", "@context"}, rest},
		{refusalCase{"value object in a graph container", jsonld.CodeFreeFloating, `{"@context":{"g":{"@id":"ex:g","@container":["@graph","@id"]}},"@id":"ex:s","ex:p":"v","g":[{"@value":"free"}]}`, "/g/0", ""}, rest + ` <ex:s> <ex:g> "free" .`},
		{refusalCase{"list in a graph container", jsonld.CodeFreeFloating, `{"@context":{"g":{"@id":"ex:g","@container":["@graph","@index"]}},"@id":"ex:s","ex:p":"v","g":[{"@list":[]}]}`, "/g/0", ""}, rest + ` <ex:s> <ex:g> <rdf:nil> .`},
		{refusalCase{"reference in a graph container that is in no map", jsonld.CodeFreeFloating, `{"@context":{"g":{"@id":"ex:g","@container":["@graph","@id"]}},"@id":"ex:s","ex:p":"v","g":[{"@id":"ex:free"}]}`, "/g/0", "ex:free"}, rest + ` <ex:s> <ex:g> <ex:free> .`},
		{refusalCase{"empty node in a graph container", jsonld.CodeFreeFloating, `{"@context":{"g":{"@id":"ex:g","@container":"@graph"}},"@id":"ex:s","ex:p":"v","g":{}}`, "/g", ""}, rest + ` <ex:s> <ex:g> _:g .`},
		{refusalCase{"empty node in a graph container that its own context takes away", jsonld.CodeFreeFloating, `{"@context":{"g":{"@id":"ex:g","@container":"@graph","@context":null}},"@id":"ex:s","ex:p":"v","g":{}}`, "/g", ""}, rest + ` <ex:s> <ex:g> _:g .`},
		{refusalCase{"reference whose own context makes its property a graph", jsonld.CodeFreeFloating, `{"@id":"ex:s","ex:p":"v","ex:g":{"@context":{"ex:g":{"@container":"@graph"}},"@id":"ex:free"}}`, "/ex:g", "ex:free"}, rest + ` <ex:s> <ex:g> <ex:free> .`},
		{refusalCase{"language alone", jsonld.CodeFreeFloating, `{"@id":"ex:s","ex:p":["v",{"@language":"en"}]}`, "/ex:p/1", "en"}, rest},
		{refusalCase{"value in a graph container", jsonld.CodeFreeFloating, `{"@context":{"g":{"@id":"ex:g","@container":"@graph"}},"@id":"ex:s","ex:p":"v","g":"free"}`, "/g", ""}, rest + ` <ex:s> <ex:g> _:g .`},

		{refusalCase{"array in a list", jsonld.CodeInvalidSetOrList, `{"@id":"ex:s","ex:p":{"@list":["v",["w"]]}}`, "/ex:p/@list/1", ""}, pair},
		{refusalCase{"arrays in a list", jsonld.CodeInvalidSetOrList, `{"@id":"ex:s","ex:p":{"@list":[[["v","w"]]]}}`, "/ex:p/@list/0", ""}, pair},
		{refusalCase{"array in a set that is a list", jsonld.CodeInvalidSetOrList, `{"@id":"ex:s","ex:p":{"@list":{"@set":["v",["w"]]}}}`, "/ex:p/@list/@set/1", ""}, pair},
		{refusalCase{"set in a list", jsonld.CodeInvalidSetOrList, `{"@id":"ex:s","ex:p":{"@list":["v",{"@set":["w"]}]}}`, "/ex:p/@list/1", ""}, pair},
		{refusalCase{"set in a list of a container", jsonld.CodeInvalidSetOrList, `{"@context":{"set":"@set","p":{"@id":"ex:p","@container":"@list"}},"@id":"ex:s","p":["v",{"set":"w"}]}`, "/p/1", ""}, pair},
		{refusalCase{"set around a list of a container", jsonld.CodeInvalidSetOrList, `{"@context":{"p":{"@id":"ex:p","@container":"@list"}},"@id":"ex:s","p":{"@set":{"@list":["v","w"]}}}`, "/p", ""}, pair},
		{refusalCase{"set around a list of a container under a type", jsonld.CodeInvalidSetOrList, `{"@context":{"p":"ex:x","T":{"@id":"ex:T","@context":{"p":{"@id":"ex:p","@container":"@list"}}}},"@id":"ex:s","@type":"T","p":{"@set":{"@list":["v","w"]}}}`, "/p", ""},
			pair + ` <ex:s> <rdf:type> <ex:T> .`},
		{refusalCase{"list that is null", jsonld.CodeInvalidSetOrList, `{"@id":"ex:s","ex:p":{"@list":null}}`, "/ex:p/@list", ""}, `<ex:s> <ex:p> <rdf:nil> .`},
		{refusalCase{"list of what is null", jsonld.CodeInvalidSetOrList, `{"@id":"ex:s","ex:p":{"@list":{"@value":null}}}`, "/ex:p/@list", ""}, `<ex:s> <ex:p> <rdf:nil> .`},
		{refusalCase{"set that is null", jsonld.CodeInvalidSetOrList, `{"@id":"ex:s","ex:p":"v","ex:q":{"@set":null}}`, "/ex:q/@set", ""}, rest},
		{refusalCase{"reverse property that its own context clears", jsonld.CodeInvalidReverseProperty, `{"@context":{"r":{"@reverse":"ex:r","@context":null}},"@id":"ex:o","ex:q":1,"r":{"@id":"ex:s","ex:p":"v"}}`, "/r", "r"},
			rest + ` <ex:s> <ex:r> <ex:o> . <ex:o> <ex:q> "1"^^<xsd:integer> .`},
		{refusalCase{"property that its own context reverses", jsonld.CodeInvalidReverseProperty, `{"@context":{"r":{"@id":"ex:r","@context":{"r":{"@reverse":"ex:x"}}}},"@id":"ex:s","ex:p":"v","r":{"@id":"ex:o","ex:q":1}}`, "/r", "r"},
			rest + ` <ex:s> <ex:r> <ex:o> . <ex:o> <ex:q> "1"^^<xsd:integer> .`},
		{refusalCase{"property that its own context makes a keyword", jsonld.CodeInvalidScopedContext, `{"@context":{"i":{"@id":"ex:i","@context":{"i":"@id"}}},"@id":"ex:s","ex:p":"v","i":"ex:o"}`, "/i", "i"}, rest + ` <ex:s> <ex:i> "ex:o" .`},
		{refusalCase{"property whose own context makes it a graph", jsonld.CodeInvalidScopedContext, `{"@context":{"g":{"@id":"ex:g","@context":{"g":"@graph"}}},"@id":"ex:s","ex:p":"v","g":{"@id":"ex:o"}}`, "/g", "g"}, rest + ` <ex:s> <ex:g> <ex:o> .`},
		{refusalCase{"term whose own context gives it another", jsonld.CodeInvalidScopedContext, `{"@context":{"r":{"@id":"ex:r","@context":{"r":{"@id":"ex:r","@context":{"q":"ex:x"}},"q":"ex:q"}}},"@id":"ex:s","ex:p":"v","r":{"@id":"ex:o","q":1}}`, "/r", "r"},
			rest + ` <ex:s> <ex:r> <ex:o> . <ex:o> <ex:q> "1"^^<xsd:integer> .`},
		{refusalCase{"term under a type whose own context takes it away", jsonld.CodeInvalidScopedContext, `{"@context":{"q":"ex:x","T":{"@id":"ex:T","@context":{"r":{"@id":"ex:r","@context":{"r":"ex:r","q":"ex:q"}}}}},"@id":"ex:s","@type":"T","ex:p":"v","r":[{"@id":"ex:o","q":1}]}`, "/r", "r"},
			rest + ` <ex:s> <rdf:type> <ex:T> . <ex:s> <ex:r> <ex:o> . <ex:o> <ex:q> "1"^^<xsd:integer> .`},
		{refusalCase{"own context in two parts that is another within itself", jsonld.CodeInvalidScopedContext, `{"@context":{"r":{"@id":"ex:r","@context":[{"q":"e:q"},{"e":"urn:x:"}]}},"@id":"ex:s","ex:p":"v","r":{"@id":"e:o","q":1}}`, "/r", "r"},
			rest + ` <ex:s> <ex:r> <urn:x:o> . <urn:x:o> <e:q> "1"^^<xsd:integer> .`},
		{refusalCase{"own context whose vocabulary is relative", jsonld.CodeInvalidScopedContext, `{"@context":{"@vocab":"ex:","r":{"@context":{"@vocab":"x/"}}},"@id":"ex:s","p":"v","r":{"@id":"ex:o","q":1}}`, "/r", "r"},
			rest + ` <ex:s> <ex:r> <ex:o> . <ex:o> <ex:x/q> "1"^^<xsd:integer> .`},
		{refusalCase{"own context whose base is relative", jsonld.CodeInvalidScopedContext, `{"@context":{"@base":"http://a/b/","r":{"@id":"ex:r","@context":{"@base":"c/"}}},"@id":"ex:s","ex:p":"v","r":{"@id":"o"}}`, "/r", "r"},
			rest + ` <ex:s> <ex:r> <http://a/b/c/o> .`},
		{refusalCase{"identifiers in a map that the own context changes", jsonld.CodeInvalidScopedContext, `{"@context":{"m":{"@id":"ex:m","@container":"@id","@context":{"e":"urn:x:"}}},"@id":"ex:s","ex:p":"v","m":{"e:k":{"@type":"e:T"}}}`, "/m", "m"},
			rest + ` <ex:s> <ex:m> <e:k> . <e:k> <rdf:type> <urn:x:T> .`},
		{refusalCase{"base of the identifiers in a map that the own context changes", jsonld.CodeInvalidScopedContext, `{"@context":{"@base":"http://a/","m":{"@id":"ex:m","@container":"@id","@context":{"@base":"http://b/"}}},"@id":"ex:s","ex:p":"v","m":{"k":{"@type":"ex:T"}}}`, "/m", "m"},
			rest + ` <ex:s> <ex:m> <http://a/k> . <http://a/k> <rdf:type> <ex:T> .`},
		{refusalCase{"types in a map that the own context changes", jsonld.CodeInvalidScopedContext, `{"@context":{"T":"ex:T","m":{"@id":"ex:m","@container":"@type","@context":{"T":"ex:U"}}},"@id":"ex:s","ex:p":"v","m":{"T":{"@id":"ex:o"}}}`, "/m", "m"},
			rest + ` <ex:s> <ex:m> <ex:o> . <ex:o> <rdf:type> <ex:T> .`},
		{refusalCase{"index of a map that the own context changes", jsonld.CodeInvalidScopedContext, `{"@context":{"m":{"@id":"ex:m","@container":"@index","@index":"ex:i","@context":null}},"@id":"ex:s","ex:p":"v","m":{"k":{"@id":"ex:o"}}}`, "/m", "m"},
			rest + ` <ex:s> <ex:m> <ex:o> . <ex:o> <ex:i> "k" .`},
		{refusalCase{"values of an index that the own context changes", jsonld.CodeInvalidScopedContext, `{"@context":{"i":{"@id":"ex:i","@type":"@id"},"m":{"@id":"ex:m","@container":"@index","@index":"i","@context":{"e":"urn:x:"}}},"@id":"ex:s","ex:p":"v","m":{"e:k":{"@id":"ex:o"}}}`, "/m", "m"},
			rest + ` <ex:s> <ex:m> <ex:o> . <ex:o> <ex:i> <e:k> .`},
		{refusalCase{"language of an index that the own context changes", jsonld.CodeInvalidScopedContext, `{"@context":{"m":{"@id":"ex:m","@container":"@index","@index":"ex:i","@context":{"@language":"en"}}},"@id":"ex:s","ex:p":"v","m":{"k":{"@id":"ex:o"}}}`, "/m", "m"},
			rest + ` <ex:s> <ex:m> <ex:o> . <ex:o> <ex:i> "k" .`},
		{refusalCase{"language in a map that the own context makes none", jsonld.CodeInvalidScopedContext, `{"@context":{"m":{"@id":"ex:m","@container":"@language","@context":{"en":"@none"}}},"@id":"ex:s","ex:p":"v","m":{"en":"w"}}`, "/m", "m"}, rest + ` <ex:s> <ex:m> "w"@en .`},
		{refusalCase{"array in a list that is none within its own context", jsonld.CodeInvalidSetOrList, `{"@context":{"m":{"@id":"ex:m","@container":"@list","@context":null}},"@id":"ex:s","ex:p":"v","m":[["w"]]}`, "/m/0", "m"},
			rest + ` <ex:s> <ex:m> _:a . _:a <rdf:first> _:b . _:a <rdf:rest> <rdf:nil> . _:b <rdf:first> "w" . _:b <rdf:rest> <rdf:nil> .`},
		{refusalCase{"set in an array that is a list within its own context", jsonld.CodeInvalidSetOrList, `{"@context":{"m":{"@id":"ex:m","@context":{"m":{"@id":"ex:m","@container":"@list"}}}},"@id":"ex:s","ex:p":"v","m":[{"@set":["w"]}]}`, "/m/0", "m"},
			rest + ` <ex:s> <ex:m> "w" .`},
		{refusalCase{"JSON that could be a map", jsonld.CodeInvalidTypeMapping, `{"@context":{"m":{"@id":"ex:m","@type":"@json","@container":["@set","@index"]}},"@id":"ex:s","ex:p":"v","m":{"k":{"ex:q":1}}}`, "/m", "m"},
			rest + ` <ex:s> <ex:m> "{\"k\":{\"ex:q\":1}}"^^<rdf:JSON> .`},
		{refusalCase{"JSON that could be a map of languages", jsonld.CodeInvalidTypeMapping, `{"@context":{"m":{"@id":"ex:m","@type":"@json","@container":"@language"}},"@id":"ex:s","ex:p":"v","m":{"en":"w"}}`, "/m", "m"},
			rest + ` <ex:s> <ex:m> "{\"en\":\"w\"}"^^<rdf:JSON> .`},
		{refusalCase{"propagation in an array", jsonld.CodeInvalidContextEntry, `{"@context":[{"@propagate":false,"p":"ex:p"}],"@id":"ex:s","p":"v"}`, "/@context/0/@propagate", "@propagate"}, rest},
		{refusalCase{"propagation in an array under a type", jsonld.CodeInvalidContextEntry, `{"@context":{"p":"ex:x","q":"ex:q","T":{"@id":"ex:T","@context":[{"q":"ex:p"},{"@propagate":true}]}},"@id":"ex:s","@type":"T","q":"v"}`, "/@context/T/@context/1/@propagate", "@propagate"},
			rest + ` <ex:s> <rdf:type> <ex:T> .`},

		{refusalCase{"direction of a value", jsonld.CodeDirectionDropped, `{"@id":"ex:s","ex:p":{"@value":"v","@direction":"rtl"}}`, "/ex:p/@value", "rtl"}, rest},
		{refusalCase{"direction of a context", jsonld.CodeDirectionDropped, `{"@context":{"@direction":"ltr"},"@id":"ex:s","ex:p":"v"}`, "/ex:p", "ltr"}, rest},

		{refusalCase{"integer beyond a double", jsonld.CodeInexactNumber, `{"@id":"ex:s","ex:p":9007199254740993}`, "/ex:p", "9007199254740993"}, `<ex:s> <ex:p> "9007199254740992"^^<xsd:integer> .`},
		{refusalCase{"integer beyond a double, in JSON", jsonld.CodeInexactNumber, `{"@id":"ex:s","ex:p":{"@type":"@json","@value":{"a":[9007199254740993]}}}`, "/ex:p/@value/a/0", "9007199254740993"}, `<ex:s> <ex:p> "{\"a\":[9007199254740992]}"^^<rdf:JSON> .`},
		{refusalCase{"language string without a language", jsonld.CodeInvalidTypedValue, `{"@id":"ex:s","ex:p":["v",{"@value":"w","@type":"rdf:langString"}]}`, "/ex:p/1/@value", "w"}, rest},
	} {
		seen[c.code] = true
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.check(t, jsonld.Options{})
			check(t, c.document, strings.ReplaceAll(c.want, " . ", " .\n"), jsonld.Options{Lossy: true})
		})
	}
	for _, code := range jsonld.LossCodes() {
		assert.True(t, seen[code], "no case for %q", code)
	}
}

// A base direction takes the place of a datatype: of what is no string, it would
// not be told any more from the string that is written the same.
func TestDirectionOfNumbers(t *testing.T) {
	t.Parallel()
	for _, direction := range []jsonld.RDFDirection{jsonld.I18nDatatype, jsonld.CompoundLiteral} {
		for _, value := range []string{"1", "true"} {
			refusalCase{"", jsonld.CodeDirectionDropped, `{"@id":"ex:s","ex:p":{"@value":` + value + `,"@direction":"ltr"}}`, "/ex:p/@value", value}.
				check(t, jsonld.Options{RDFDirection: direction})
		}
	}
}

func TestTextThatIsNoJSON(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, document, code string }{
		{"syntax", `{"a":}`, "syntax"},
		{"duplicate member", `{"@id":"ex:a","\u0040id":"ex:b"}`, "duplicate-member"},
		{"lone surrogate", `{"ex:p":"\ud800"}`, "lone-surrogate"},
		{"invalid UTF-8", "{\"ex:p\":\"\xff\"}", "invalid-utf8"},
		{"trailing data", `{} {}`, "trailing-data"},
		{"second byte order mark", "\uFEFF\uFEFF{}", "byte-order-mark"},
		{"number", `{"ex:p":1e999}`, "number-range"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := jsonld.Parse([]byte(tt.document), jsonld.Options{File: "x.jsonld", Lossy: true})
			var e *rdf.SyntaxError
			require.ErrorAs(t, err, &e)
			assert.Equal(t, tt.code, string(e.Code))
			assert.Equal(t, "x.jsonld", e.Place.File)
			assert.Positive(t, e.Place.Line)
		})
	}
}

func TestMessages(t *testing.T) {
	t.Parallel()
	for _, document := range []string{"@prefix e: <a:> .", "\n<a:s> <a:p> <a:o> .", "# a comment", "PREFIX e: <a:>"} {
		_, err := jsonld.Parse([]byte(document), jsonld.Options{})
		assert.ErrorContains(t, err, "; this looks like Turtle", document)
	}
	_, err := jsonld.Parse([]byte("{\n \"naïve\": \"x\"}"), jsonld.Options{File: "x.jsonld"})
	assert.EqualError(t, err, `x.jsonld:2:2: undefined term "naïve": the name of a member maps to no IRI (at /naïve)`)
	_, err = jsonld.Parse([]byte(`{"@context":"https://contexts.example/v1"}`), jsonld.Options{})
	assert.EqualError(t, err, `1:13: loading remote context failed "https://contexts.example/v1": a remote context is not among those that were given (at /@context)`)
	_, err = jsonld.Parse([]byte(`{"@context":{"p":{"@context":{"q":1},"@id":"urn:p"}}}`), jsonld.Options{})
	assert.EqualError(t, err, `1:35: invalid scoped context "p": invalid term definition "q": found a number (at /@context/p/@context/q)`)
	assert.Empty(t, jsonld.Code("unheard of").Text())
}

func TestWrongOptions(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]jsonld.Options{
		"relative base":     {Base: "x"},
		"base with a space": {Base: "https://e.example/ x"},
		"processing mode":   {ProcessingMode: 9},
		"direction":         {RDFDirection: 9},
	} {
		_, err := jsonld.Parse([]byte(`{}`), o)
		assert.Error(t, err, name)
	}
}
