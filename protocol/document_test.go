package protocol_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/damage"
	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
	"github.com/rdfproto/rdfproto/shacl"
)

// grantJSON is the example document as expanded JSON-LD.
const grantJSON = `[
 {"@id":"https://alice.pod.example/protocols/grant-access",
  "@type":["https://w3id.org/jeswr/a2a#ProtocolDocument"],
  "http://purl.org/dc/terms/title":[{"@value":"Grant access"}],
  "http://purl.org/dc/terms/hasVersion":[{"@value":"1.0.0"}],
  "https://w3id.org/jeswr/a2a#requestShape":[{"@id":"https://w3id.org/jeswr/a2a#GrantIntentShape"}]},
 {"@id":"https://w3id.org/jeswr/a2a#GrantIntentShape",
  "@type":["http://www.w3.org/ns/shacl#NodeShape"],
  "http://www.w3.org/ns/shacl#targetClass":[{"@id":"https://w3id.org/jeswr/a2a#Intent"}],
  "http://www.w3.org/ns/shacl#property":[{"@type":["http://www.w3.org/ns/shacl#PropertyShape"],
   "http://www.w3.org/ns/shacl#path":[{"@id":"https://w3id.org/jeswr/a2a#action"}],
   "http://www.w3.org/ns/shacl#minCount":[{"@value":1}],"http://www.w3.org/ns/shacl#maxCount":[{"@value":1}],
   "http://www.w3.org/ns/shacl#name":[{"@value":"action"}],
   "http://www.w3.org/ns/shacl#node":[{"@type":["http://www.w3.org/ns/shacl#NodeShape"],
    "http://www.w3.org/ns/shacl#property":[
     {"@type":["http://www.w3.org/ns/shacl#PropertyShape"],
      "http://www.w3.org/ns/shacl#path":[{"@id":"http://www.w3.org/1999/02/22-rdf-syntax-ns#type"}],
      "http://www.w3.org/ns/shacl#minCount":[{"@value":1}],
      "http://www.w3.org/ns/shacl#hasValue":[{"@id":"https://w3id.org/jeswr/a2a#GrantAction"}]},
     {"@type":["http://www.w3.org/ns/shacl#PropertyShape"],
      "http://www.w3.org/ns/shacl#path":[{"@id":"https://schema.org/object"}],
      "http://www.w3.org/ns/shacl#minCount":[{"@value":1}],"http://www.w3.org/ns/shacl#name":[{"@value":"target"}],
      "http://www.w3.org/ns/shacl#nodeKind":[{"@id":"http://www.w3.org/ns/shacl#IRI"}]},
     {"@type":["http://www.w3.org/ns/shacl#PropertyShape"],
      "http://www.w3.org/ns/shacl#path":[{"@id":"https://schema.org/recipient"}],
      "http://www.w3.org/ns/shacl#minCount":[{"@value":1}],"http://www.w3.org/ns/shacl#name":[{"@value":"recipient"}],
      "http://www.w3.org/ns/shacl#nodeKind":[{"@id":"http://www.w3.org/ns/shacl#IRI"}]},
     {"@type":["http://www.w3.org/ns/shacl#PropertyShape"],
      "http://www.w3.org/ns/shacl#path":[{"@id":"https://w3id.org/jeswr/a2a#mode"}],
      "http://www.w3.org/ns/shacl#minCount":[{"@value":1}],"http://www.w3.org/ns/shacl#name":[{"@value":"mode"}],
      "http://www.w3.org/ns/shacl#nodeKind":[{"@id":"http://www.w3.org/ns/shacl#IRI"}]}]}]}]}
]`

// TestVerifyKnownPins reproduces the known answers of a2a-rdf, section 3.2.
func TestVerifyKnownPins(t *testing.T) {
	t.Parallel()
	doc := grantDocument(t)
	for _, row := range []struct {
		name, body, mediaType, pin string
	}{
		{"Turtle", doc, turtleType, grantPin},
		{"Turtle with a byte order mark", "\uFEFF" + doc, turtleType, grantPin},
		{"media type with a parameter", doc, "text/turtle; charset=UTF-8", grantPin},
		{"media type in another case", doc, "Text/Turtle", grantPin},
		{"expanded JSON-LD", grantJSON, jsonType, grantPin},
		{"JSON-LD with a profile", grantJSON, `application/ld+json; profile="http://www.w3.org/ns/json-ld#expanded"`, grantPin},
		{"another title", replace(t, doc, `"Grant access"`, `"Grant access (tampered)"`), turtleType, "sha256:2e9b98824aac1d7a63a90bda822461cba9281c753cbc022b2a80b8fa0e0ff71f"},
		{"a description more", replace(t, grantJSON, `"@type":["https://w3id.org/jeswr/a2a#ProtocolDocument"],`, `"@type":["https://w3id.org/jeswr/a2a#ProtocolDocument"],"http://purl.org/dc/terms/description":"Grants a recipient access to a resource.",`), jsonType, "sha256:f68e3b46628d4e2f8573817c644444c1733b51cbd9f040217a61d0459698a387"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c, err := protocol.Parse(t.Context(), []byte(row.body), row.mediaType, protocol.Options{})
			require.NoError(t, err)
			require.Equal(t, row.pin, c.Pin().String())
			d, err := protocol.Verify(t.Context(), []byte(row.body), row.mediaType, pin(t, row.pin), protocol.Options{})
			require.NoError(t, err)
			require.Equal(t, row.pin, d.Pin().String())
			require.Equal(t, "https://alice.pod.example/protocols/grant-access", d.ID())
			if row.pin != grantPin {
				d, err := protocol.Verify(t.Context(), []byte(row.body), row.mediaType, pin(t, grantPin), protocol.Options{})
				require.Equal(t, protocol.CodeProtocolHashMismatch, code(t, err))
				require.Nil(t, d)
			}
		})
	}
}

// TestEmptyGraph: the empty graph has the known digest and is refused as a document.
func TestEmptyGraph(t *testing.T) {
	t.Parallel()
	c, err := protocol.Parse(t.Context(), nil, turtleType, protocol.Options{})
	require.NoError(t, err)
	require.Equal(t, "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", c.Pin().String())
	_, err = c.Verify(c.Pin())
	require.Equal(t, protocol.CodeInvalidProtocolDocument, code(t, err))
}

func TestDocument(t *testing.T) {
	t.Parallel()
	d, err := protocol.Verify(t.Context(), []byte(grantDocument(t)), turtleType, pin(t, grantPin), protocol.Options{})
	require.NoError(t, err)
	require.Equal(t, "Grant access", d.Title())
	require.Equal(t, "1.0.0", d.Version())
	require.Empty(t, d.Description())
	require.Equal(t, "https://w3id.org/jeswr/a2a#GrantIntentShape", d.RequestShape().Value())
	_, ok := d.ResponseShape()
	require.False(t, ok)
	require.Equal(t, 37, d.Dataset().Len())

	canonical, err := canon.Canonicalize(t.Context(), d.Dataset(), canon.Options{})
	require.NoError(t, err)
	withoutEnd := strings.TrimSuffix(string(canonical.NQuads()), "\n")
	require.Equal(t, "sha256:2b9079ce7b1400899e6ff51ce937708f09e372fd2e5263fabccce33baad42794", canon.Sum([]byte(withoutEnd)).String())
	require.NotEqual(t, grantPin, canon.Sum([]byte(withoutEnd)).String(), "the final line feed counts")

	// The pin does not depend on the order of the quads and the names of blank nodes.
	lines := strings.Split(withoutEnd, "\n")
	var reversed strings.Builder
	for i := len(lines) - 1; i >= 0; i-- {
		fmt.Fprintln(&reversed, strings.ReplaceAll(lines[i], "_:c14n", "_:x"))
	}
	again, err := protocol.Verify(t.Context(), []byte(reversed.String()), "application/n-triples", pin(t, grantPin), protocol.Options{})
	require.NoError(t, err)
	require.Equal(t, d.Pin(), again.Pin())
}

func TestZeroDocumentRefuses(t *testing.T) {
	t.Parallel()
	data := graph(t, intentTurtle)
	for name, d := range map[string]*protocol.Document{"nil": nil, "zero": {}} {
		require.True(t, d.Pin().IsZero(), name)
		v, err := d.ValidateRequestGraph(t.Context(), data, shacl.Options{})
		require.NoError(t, err)
		require.False(t, v.Valid(), name)
		require.Equal(t, protocol.CodeUnsupportedProtocol, v.Code)
		v, err = d.ValidateResponseGraph(t.Context(), data, shacl.Options{})
		require.NoError(t, err)
		require.False(t, v.Valid(), name)
		require.Nil(t, protocol.Examine(d))
		_, has := d.ResponseShape()
		require.False(t, has)
		require.Nil(t, d.Dataset())
		require.True(t, d.RequestShape().IsZero())
		require.Empty(t, d.ID()+d.Title()+d.Description()+d.Version())
	}
	var c protocol.Candidate
	_, err := c.Verify(c.Pin())
	require.Equal(t, protocol.CodeProtocolHashMismatch, code(t, err), "a pin of nothing is no pin")
	require.False(t, (&protocol.Verdict{}).Valid())
	var none *protocol.Verdict
	require.False(t, none.Valid())
	require.Nil(t, none.Dataset())
	require.True(t, none.Intent().IsZero())
}

// minimal is a valid document, in which each row of the refusals changes one thing.
const minimal = `ex:pd a a2a:ProtocolDocument ; a2a:requestShape ex:R ; a2a:responseShape ex:S .
ex:R a sh:NodeShape ; sh:targetClass a2a:Intent ; sh:property ex:P .
ex:P sh:path a2a:action ; sh:minCount 1 .
ex:S a sh:NodeShape ; sh:targetClass ex:Done ; sh:property [ sh:path ex:p ; sh:minCount 1 ] .
`

func TestVerifyAcceptsModels(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, body string }{
		{"minimal", minimal},
		{"no response shape", replace(t, minimal, "; a2a:responseShape ex:S", "")},
		{"a blank node as request shape", replace(t, replace(t, minimal, "a2a:requestShape ex:R", "a2a:requestShape _:r"), "ex:R a", "_:r a")},
		{"one shape for both", replace(t, minimal, "a2a:responseShape ex:S", "a2a:responseShape ex:R")},
		{"no target of the request shape", replace(t, minimal, "sh:targetClass a2a:Intent ; ", "")},
		{"more triples", minimal + `ex:x ex:y ex:z . ex:R rdfs:label "r" .`},
		{"a shape that refers to one that is described", minimal + `ex:P sh:node ex:N . ex:N sh:nodeKind sh:IRI .`},
		{"metadata that is no literal", minimal + `ex:pd dcterms:title ex:t .`},
		{"metadata that is repeated", minimal + `ex:pd dcterms:title "a", "b" .`},
		{"imports", minimal + `ex:pd owl:imports <http://169.254.169.254/> .`},
		{"an empty response shape", replace(t, minimal, " ; sh:property [ sh:path ex:p ; sh:minCount 1 ]", "")},
		{"a literal type beside", minimal + `ex:q a "https://w3id.org/jeswr/a2a#ProtocolDocument" .`},
		{"a constraint under sh:not", replace(t, minimal, "sh:property ex:P .", "sh:not [ sh:property ex:P ] .")},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d := document(t, row.body)
			require.Equal(t, "https://example.org/pd", d.ID())
		})
	}
}

// manyWithoutTarget are shapes that are each warned of.
func manyWithoutTarget(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "ex:A%d a sh:NodeShape .\n", i)
	}
	return b.String()
}

// TestVerifyRefusesModels has every malformed document of a2a-rdf, section 2.3, and
// what PD-1 to PD-12 say besides.
func TestVerifyRefusesModels(t *testing.T) {
	t.Parallel()
	change := func(old, new string) string { return replace(t, minimal, old, new) }
	const request = "ex:R a sh:NodeShape ; sh:targetClass a2a:Intent ; sh:property ex:P ."
	empty := func(property string) string {
		return change("ex:P sh:path a2a:action ; sh:minCount 1 .", "ex:P sh:path a2a:action "+property+" .")
	}
	for _, row := range []struct{ name, body, want string }{
		{"no document", change("ex:pd a a2a:ProtocolDocument ;", "ex:pd"), "expected one a2a:ProtocolDocument, found 0"},
		{"two documents", minimal + "<https://x.example/p2> a a2a:ProtocolDocument .", "found 2"},
		{"literal type", change("a a2a:ProtocolDocument", `a "https://w3id.org/jeswr/a2a#ProtocolDocument"`), "found 0"},
		{"empty graph", "", "found 0"},
		{"a blank node as document", change("ex:pd a", "[] a"), "expected the a2a:ProtocolDocument to be an IRI"},
		{"two request shapes", minimal + "ex:pd a2a:requestShape ex:S .", "expected one a2a:requestShape, found 2"},
		{"no request shape", change("a2a:requestShape ex:R ; ", ""), "expected one a2a:requestShape, found 0"},
		{"request shape a literal", change("a2a:requestShape ex:R", `a2a:requestShape "R"`), "found a literal"},
		{"response shape a literal", change("a2a:responseShape ex:S", `a2a:responseShape "S"`), "found a literal"},
		{"request shape not described", change("a2a:requestShape ex:R", "a2a:requestShape ex:Missing"), "ex"},
		{"request shape of another type", change("ex:R a sh:NodeShape ;", "ex:R a sh:PropertyShape ;"), "to be a sh:NodeShape"},
		{"request shape without a type", change("ex:R a sh:NodeShape ;", "ex:R"), "to be a sh:NodeShape"},
		{"response shape without a type", change("ex:S a sh:NodeShape ;", "ex:S"), "to be a sh:NodeShape"},
		{"request shape with a literal type", change("ex:R a sh:NodeShape ;", `ex:R a "http://www.w3.org/ns/shacl#NodeShape" ;`), "to be a sh:NodeShape"},
		{"two response shapes", minimal + "ex:pd a2a:responseShape ex:R .", "at most one a2a:responseShape, found 2"},
		{"dangling sh:node", minimal + "ex:P sh:node ex:Missing .", "a value of sh:node, to be described"},
		{"dangling sh:property", minimal + "ex:R sh:property ex:Missing .", "a value of sh:property, to be described"},
		{"dangling sh:not", minimal + "ex:R sh:not ex:Missing .", "a value of sh:not, to be described"},
		{"dangling sh:qualifiedValueShape", minimal + "ex:P sh:qualifiedValueShape ex:Missing ; sh:qualifiedMinCount 1 .", "a value of sh:qualifiedValueShape, to be described"},
		{"a shape of which a label is known", minimal + `ex:P sh:node ex:L . ex:L rdfs:label "l" .`, "nothing says that it is one"},
		{"a member of sh:or of which a label is known", minimal + `ex:P sh:or ( ex:L ex:S ) . ex:L rdfs:label "l" .`, "nothing says that it is one"},
		{"a shape of which a class is known that is none of shapes", minimal + "ex:P sh:not ex:L . ex:L a ex:Shape .", "nothing says that it is one"},
		{"a shape in another namespace", minimal + "ex:P sh:node ex:L . ex:L <https://www.w3.org/ns/shacl#nodeKind> sh:IRI .", "nothing says that it is one"},
		{"a shape of which a label is known, behind a thousand warnings", minimal + manyWithoutTarget(1001) + `ex:P sh:node ex:L . ex:L rdfs:label "l" .`, "nothing says that it is one"},
		{"dangling member of sh:and", minimal + "ex:R sh:and ( ex:P ex:Missing ) .", "a value of sh:and, to be described"},
		{"dangling member of sh:or", minimal + "ex:R sh:or ( ex:P ex:Missing ) .", "a value of sh:or, to be described"},
		{"dangling member of sh:xone", minimal + "ex:R sh:xone ( ex:P ex:Missing ) .", "a value of sh:xone, to be described"},
		{"dangling in a shape that nothing uses", minimal + "ex:U a sh:NodeShape ; sh:node ex:Missing .", "to be described"},
		{"a list that leads back to itself", minimal + "ex:R sh:or _:l . _:l rdf:first ex:P ; rdf:rest _:l .", "leads back to itself"},
		{"a list without an end", minimal + "ex:R sh:or _:l . _:l rdf:first ex:P .", "is not a list"},
		{"a list with two tails", minimal + "ex:R sh:or _:l . _:l rdf:first ex:P ; rdf:rest (), ( ex:P ) .", "is not a list"},
		{"a list that is a literal", minimal + `ex:R sh:or "ex:P" .`, "is not a list"},
		{"SPARQL", minimal + `ex:R sh:sparql [ sh:select "SELECT $this WHERE {}" ] .`, "sh:sparql"},
		{"JavaScript", minimal + `ex:R sh:js [ sh:jsFunctionName "f" ] .`, "sh:js"},
		{"a custom component", minimal + `ex:C a sh:ConstraintComponent ; sh:parameter [ sh:path ex:max ] ; sh:validator [ sh:ask "ASK {}" ] . ex:R ex:max 1 .`, "custom constraint component"},
		{"an unknown parameter", minimal + `ex:R sh:maxCuont 1 .`, "SHACL has no such property"},
		{"a rule", minimal + `ex:R sh:rule [ a sh:TripleRule ] .`, "sh:rule"},
		{"an advanced target", minimal + `ex:R sh:target [ a sh:SPARQLTarget ] .`, "sh:target"},
		{"an entailment", minimal + `ex:pd sh:entailment <http://www.w3.org/ns/entailment/RDFS> .`, "no entailment regime"},
		{"a shape that leads back to itself", minimal + "ex:P sh:node ex:R .", "recursive shapes"},
		{"a shape that leads back to itself by sh:not", minimal + "ex:P sh:not ex:R .", "recursive shapes"},
		{"a cycle that nothing uses", minimal + "ex:U a sh:NodeShape ; sh:node ex:V . ex:V sh:node ex:U .", "recursive shapes"},
		{"an ill-formed count", minimal + "ex:P sh:maxCount -1 .", "expected an xsd:integer of 0 or more"},
		{"a pattern that is none", minimal + `ex:P sh:pattern "(" .`, "sh:pattern"},
		{"a back-reference", minimal + `ex:P sh:pattern "(a)\\1" .`, "sh:pattern"},
		{"deactivated request shape", minimal + "ex:R sh:deactivated true .", "expected the request shape to be active"},
		{"deactivated response shape", minimal + "ex:S sh:deactivated true .", "expected the response shape to be active"},
		{"request shape without a constraint", change(request, "ex:R a sh:NodeShape ; sh:targetClass a2a:Intent ."), "expected a constraint in the request shape"},
		{"a property without a constraint", empty(""), "expected a constraint in the request shape"},
		{"a deactivated property", empty("; sh:minCount 1 ; sh:deactivated true"), "expected a constraint in the request shape"},
		{"a minimum of nothing", empty("; sh:minCount 0"), "expected a constraint in the request shape"},
		{"a qualified minimum of nothing", empty("; sh:qualifiedValueShape [ sh:nodeKind sh:IRI ] ; sh:qualifiedMinCount 0"), "expected a constraint in the request shape"},
		{"a nested shape without a constraint", empty("; sh:node [ a sh:NodeShape ]"), "expected a constraint in the request shape"},
		{"an alternative without a constraint", empty("; sh:or ( [ sh:nodeKind sh:IRI ] [ a sh:NodeShape ] )"), "expected a constraint in the request shape"},
		{"one alternative of one without a constraint", empty("; sh:xone ( [ a sh:NodeShape ] )"), "expected a constraint in the request shape"},
		{"all of nothing", empty("; sh:and ( [ a sh:NodeShape ] )"), "expected a constraint in the request shape"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c := candidate(t, row.body)
			d, err := c.Verify(c.Pin())
			require.Nil(t, d)
			require.Equal(t, protocol.CodeInvalidProtocolDocument, code(t, err), "%v", err)
			require.ErrorContains(t, err, row.want)
			// A wrong pin is reported before anything about the graph (HASH-3).
			_, err = c.Verify(pin(t, grantPin))
			require.Equal(t, protocol.CodeProtocolHashMismatch, code(t, err))
		})
	}
}

// TestDiscoveryView refuses the metadata of a document without its shapes.
func TestDiscoveryView(t *testing.T) {
	t.Parallel()
	const view = `{"@context":{"a2a":"https://w3id.org/jeswr/a2a#","dcterms":"http://purl.org/dc/terms/",
		"ProtocolDocument":"a2a:ProtocolDocument","requestShape":{"@id":"a2a:requestShape","@type":"@id"},
		"title":"dcterms:title","version":"dcterms:hasVersion"},
		"@id":"https://alice.pod.example/protocols/grant-access","@type":"ProtocolDocument",
		"title":"Grant access","version":"1.0.0","requestShape":"a2a:GrantIntentShape"}`
	c, err := protocol.Parse(t.Context(), []byte(view), jsonType, protocol.Options{})
	require.NoError(t, err)
	require.NotEqual(t, grantPin, c.Pin().String())
	_, err = c.Verify(c.Pin())
	require.Equal(t, protocol.CodeInvalidProtocolDocument, code(t, err))
	require.ErrorContains(t, err, "to be a sh:NodeShape in the same graph")
}

func TestVerifyPlaces(t *testing.T) {
	t.Parallel()
	c := candidate(t, minimal+"ex:P sh:node ex:Missing .")
	_, err := c.Verify(c.Pin())
	require.ErrorContains(t, err, "pd.ttl:14:1: ")
}

func TestVerifyCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := protocol.Verify(ctx, []byte(poison(9)), "application/n-triples", pin(t, grantPin), protocol.Options{})
	require.Error(t, err)
}

// poison is a clique of blank nodes: RDFC-1.0 tries all orders of it.
func poison(n int) string {
	var b strings.Builder
	for i := range n {
		for j := range n {
			if i != j {
				fmt.Fprintf(&b, "_:n%d <https://example.org/p> _:n%d .\n", i, j)
			}
		}
	}
	return b.String()
}

func TestLimits(t *testing.T) {
	t.Parallel()
	deep := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "ex:N%d a sh:NodeShape ; sh:node ex:N%d .\n", i, i+1)
		}
		fmt.Fprintf(&b, "ex:N%d a sh:NodeShape ; sh:nodeKind sh:IRI .", n)
		return b.String()
	}
	quads := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "<a:s> <a:p> %d .\n", i)
		}
		return b.String()
	}
	for _, row := range []struct{ name, body, want string }{
		{"poison", poison(12), "canonicalization work limit"},
		{"a byte too large", "# " + strings.Repeat("x", 1<<20) + "\n", "bytes limit 1048576"},
		{"too many triples", quads(20_001), "quads limit 20000"},
		{"too many blank nodes", strings.Repeat("[] <a:p> 1 .\n", 2001), "blank nodes limit 2000"},
		{"nested too deep", "<a:s> <a:p> " + strings.Repeat("[ <a:p> ", 65) + "1" + strings.Repeat(" ]", 65) + " .", "nesting limit 64"},
		{"shapes nested too deep", prefixes + minimal + deep(40), "nesting limit 32"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c, err := protocol.Parse(t.Context(), []byte(row.body), turtleType, protocol.Options{})
			if err == nil {
				_, err = c.Verify(c.Pin())
			}
			require.Equal(t, protocol.CodeLimitExceeded, code(t, err))
			require.ErrorContains(t, err, row.want)
			_, err = protocol.Verify(t.Context(), []byte(row.body), turtleType, pin(t, grantPin), protocol.Options{})
			require.Error(t, err)
		})
	}
	// What is within the limits is accepted.
	_, err := protocol.Parse(t.Context(), []byte(quads(20_000)), turtleType, protocol.Options{})
	require.NoError(t, err)
	// The caller can set limits.
	_, err = protocol.Parse(t.Context(), []byte(quads(10)), turtleType, protocol.Options{Limits: rdf.Limits{Quads: 9}})
	require.Equal(t, protocol.CodeLimitExceeded, code(t, err))
}

// TestDamage damages a pinned document in every small way: either it is refused, or its
// graph is still the same.
func TestDamage(t *testing.T) {
	t.Parallel()
	body := grantDocument(t)
	body = body[strings.Index(body, "PREFIX"):] // the comment can change as it likes
	want := pin(t, grantPin)
	good, err := protocol.Verify(t.Context(), []byte(body), turtleType, want, protocol.Options{})
	require.NoError(t, err)
	canonical := func(d *rdf.Dataset) string {
		c, err := canon.Canonicalize(t.Context(), d, canon.Options{})
		require.NoError(t, err)
		return string(c.NQuads())
	}
	text := canonical(good.Dataset())
	tried, same := 0, 0
	for mediaType, doc := range map[string][]byte{turtleType: []byte(body), "application/n-triples": nquads.Append(nil, good.Dataset())} {
		for change, damaged := range damage.Every(every(), damage.All(doc)) {
			tried++
			d, err := protocol.Verify(t.Context(), damaged, mediaType, want, protocol.Options{})
			if err != nil {
				continue
			}
			same++
			require.Equal(t, text, canonical(d.Dataset()), "%s: %s", change, damaged)
		}
	}
	require.Greater(t, tried, 10*len(body)/every())
	require.Less(t, same, tried/4, "most damage is refused")
}

// FuzzVerify checks that nothing that Verify accepts has another pin than it says.
func FuzzVerify(f *testing.F) {
	f.Add([]byte(prefixes+minimal), false)
	f.Add([]byte(grantJSON), true)
	for _, seed := range suite.Seeds(f, suite.ProtocolDocuments, suite.Shapes) {
		f.Add(seed.Data, false)
	}
	for _, seed := range suite.Seeds(f, suite.JSONLD) {
		f.Add(seed.Data, true)
	}
	f.Fuzz(func(t *testing.T, body []byte, isJSON bool) {
		mediaType := turtleType
		if isJSON {
			mediaType = jsonType
		}
		c, err := protocol.Parse(t.Context(), body, mediaType, protocol.Options{})
		if err != nil {
			code(t, err)
			return
		}
		d, err := c.Verify(c.Pin())
		if err != nil {
			code(t, err)
			return
		}
		h, err := canon.Hash(t.Context(), d.Dataset(), canon.Options{})
		if err != nil || !h.Equal(d.Pin()) {
			t.Fatalf("%s, %v", h, err)
		}
		r := protocol.Examine(d)
		if _, err := r.Accept(); err == nil && r.Document().Pin() != d.Pin() {
			t.Fatal("accepted another document")
		}
	})
}
