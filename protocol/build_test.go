package protocol_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
)

func stock(t testing.TB, v protocol.Verb) *rdf.Dataset {
	t.Helper()
	d, err := protocol.StockRequest(v)
	require.NoError(t, err)
	return d
}

// TestBuildStock reproduces the two known documents (a2a-rdf, section 2.2).
func TestBuildStock(t *testing.T) {
	t.Parallel()
	d, err := protocol.Build(t.Context(), protocol.Parts{
		ID: "https://alice.pod.example/protocols/grant-access", Title: "Grant access", Version: "1.0.0",
		Request: protocol.Shapes{Graph: stock(t, protocol.VerbGrant)},
	}, protocol.Options{})
	require.NoError(t, err)
	require.Equal(t, grantPin, d.Pin().String())

	response, err := protocol.StockResponse("https://schema.org/ReadAction", "")
	require.NoError(t, err)
	d, err = protocol.Build(t.Context(), protocol.Parts{
		ID: "https://alice.pod/protocols/read#v1", Title: "Read protocol", Description: "Read a pod resource.", Version: "1",
		Request: protocol.Shapes{Graph: stock(t, protocol.VerbRead)}, Response: protocol.Shapes{Graph: response},
	}, protocol.Options{})
	require.NoError(t, err)
	require.Equal(t, readPin, d.Pin().String())
	require.Equal(t, 34, d.Dataset().Len())
	require.Equal(t, "Read a pod resource.", d.Description())
	shape, ok := d.ResponseShape()
	require.True(t, ok)
	require.Equal(t, protocol.StockResponseShape, shape.Value())
}

// TestStockShapesJudgeIntents: each stock shape takes the intents of its verb and no
// others.
func TestStockShapesJudgeIntents(t *testing.T) {
	t.Parallel()
	for _, v := range protocol.Verbs() {
		d, err := protocol.Build(t.Context(), protocol.Parts{ID: "a:pd", Request: protocol.Shapes{Graph: stock(t, v)}}, protocol.Options{})
		require.NoError(t, err)
		_, err = protocol.Examine(d).Accept()
		require.NoError(t, err)
		for _, other := range protocol.Verbs() {
			g, err := goldenIntent(other).Graph()
			require.NoError(t, err)
			verdict, err := d.ValidateRequestGraph(t.Context(), g, protocol.Options{}.Validate)
			require.NoError(t, err)
			require.Equal(t, v == other, verdict.Valid(), "%s judged by the shape for %s", other, v)
		}
	}
}

// countOf returns how many triples have a text as their object.
func countOf(d *rdf.Dataset, text string) (n int) {
	for q := range d.Quads() {
		if d.Kind(q.O) == rdf.KindLiteral && d.Value(q.O) == text {
			n++
		}
	}
	return n
}

func TestBuildFromShapes(t *testing.T) {
	t.Parallel()
	const two = `ex:A a sh:NodeShape ; sh:targetClass a2a:Intent ; sh:property ex:P ; sh:node ex:N . ex:P sh:path ex:p ; sh:minCount 1 .
ex:N a sh:NodeShape ; sh:nodeKind sh:IRI . ex:B a sh:NodeShape ; sh:targetClass ex:Done ; sh:property ex:P .`
	build := func(p protocol.Parts) (*protocol.Document, error) {
		if p.ID == "" {
			p.ID = "a:pd"
		}
		return protocol.Build(t.Context(), p, protocol.Options{})
	}
	shapes := func(body, root string) protocol.Shapes { return protocol.Shapes{Graph: graph(t, body), Root: root} }
	const a, b = "https://example.org/A", "https://example.org/B"

	d, err := build(protocol.Parts{Request: shapes(two, a)})
	require.NoError(t, err)
	require.Equal(t, a, d.RequestShape().Value())

	one := shapes(two, a)
	d, err = build(protocol.Parts{Request: one, Response: protocol.Shapes{Graph: one.Graph, Root: b}})
	require.NoError(t, err)
	require.Equal(t, graph(t, two).Len()+3, d.Dataset().Len(), "one graph is copied once")

	d, err = build(protocol.Parts{Request: shapes("ex:A sh:targetClass a2a:Intent ; sh:property [ sh:path ex:p ; sh:minCount 1 ] .", "")})
	require.NoError(t, err, "the type is added")
	require.Equal(t, a, d.RequestShape().Value())

	const shared = "ex:N a sh:NodeShape ; sh:property [ sh:path ex:q ; sh:in ( 1 2 ) ] ."
	d, err = build(protocol.Parts{
		Request:  shapes("ex:A a sh:NodeShape ; sh:node ex:N ; sh:nodeKind sh:IRI . "+shared, ""),
		Response: shapes("ex:B a sh:NodeShape ; sh:node ex:N ; sh:targetClass ex:Done . "+shared, ""),
	})
	require.NoError(t, err)
	require.Equal(t, 3+3+graph(t, shared).Len()+3, d.Dataset().Len(), "what both say is there once")

	// What both describe may have blank nodes that something else leads to as well.
	const named = `ex:N a sh:NodeShape ; sh:nodeKind sh:IRI ; dcterms:creator %s . %[1]s ex:name "A" ; ex:member [ ex:name "B" ] .`
	d, err = build(protocol.Parts{
		Request:  shapes("ex:A a sh:NodeShape ; sh:node ex:N . "+fmt.Sprintf(named, "_:c"), ""),
		Response: shapes("ex:B a sh:NodeShape ; sh:node ex:N ; sh:targetClass ex:Done ; dcterms:creator _:c . "+fmt.Sprintf(named, "_:c"), ""),
	})
	require.NoError(t, err)
	require.Equal(t, 2+4+graph(t, fmt.Sprintf(named, "_:c")).Len()+3+3, d.Dataset().Len(), "nothing is dropped")
	require.Equal(t, 2, countOf(d.Dataset(), "B"))

	// A shape among them is not an empty one afterwards.
	const nested = "ex:N a sh:NodeShape ; sh:property _:p . _:p sh:path ex:q ; sh:in ( 1 2 ) ."
	d, err = build(protocol.Parts{
		Request:  shapes("ex:A a sh:NodeShape ; sh:node ex:N ; sh:nodeKind sh:IRI . "+nested, ""),
		Response: shapes("ex:B a sh:NodeShape ; sh:targetClass ex:Done ; sh:property _:p . "+nested, b),
	})
	require.NoError(t, err)
	verdict, err := d.ValidateResponseGraph(t.Context(), graph(t, "ex:d a ex:Done ; ex:q 3 ."), protocol.Options{}.Validate)
	require.NoError(t, err)
	require.False(t, verdict.Valid())

	// A property that counts what its sibling does not, and the shape that has both.
	const counted = `ex:N a sh:NodeShape ; sh:property _:q, _:q2 . ex:C a sh:NodeShape ; sh:class ex:C . ex:D a sh:NodeShape ; sh:class ex:D .
		_:q sh:path ex:q ; sh:qualifiedValueShape ex:C ; sh:qualifiedMinCount 1 ; sh:qualifiedValueShapesDisjoint true .
		_:q2 sh:path ex:q ; sh:qualifiedValueShape ex:D ; sh:qualifiedMaxCount 1 . `
	alone := strings.ReplaceAll(strings.ReplaceAll(strings.Replace(counted, "_:q, _:q2", "ex:Q", 1), "_:q2", "ex:Q2"), "_:q", "ex:Q")
	_, err = build(protocol.Parts{
		Request:  shapes("ex:A a sh:NodeShape ; sh:node ex:N . "+counted, a),
		Response: shapes("ex:B a sh:NodeShape ; sh:targetClass ex:Done ; sh:node ex:N . "+counted, b),
	})
	require.NoError(t, err)

	for _, row := range []struct {
		name string
		p    protocol.Parts
		want string
	}{
		{"a property without the sibling that it had", protocol.Parts{
			Request:  shapes("ex:A a sh:NodeShape ; sh:node ex:N . "+counted, a),
			Response: shapes("ex:B a sh:NodeShape ; sh:targetClass ex:Done ; sh:property _:q . "+counted, b),
		}, "the response shape counts what no sibling counts"},
		{"a property with a sibling that it had not", protocol.Parts{
			Request:  shapes("ex:A a sh:NodeShape ; sh:node ex:N . "+alone, a),
			Response: shapes("ex:B a sh:NodeShape ; sh:targetClass ex:Done ; sh:property ex:Q, ex:Q2 . "+alone, b),
		}, "the request shape counts what no sibling counts"},
		{"no graph", protocol.Parts{}, "expected a graph with the request shape"},
		{"two roots", protocol.Parts{Request: shapes(two, "")}, "say which of <https://example.org/A>, <https://example.org/B>"},
		{"no root", protocol.Parts{Request: shapes("[] a sh:NodeShape ; sh:nodeKind sh:IRI .", "")}, "found none that no other refers to"},
		{"an unknown root", protocol.Parts{Request: shapes(two, "a:x")}, "expected the node shape <a:x>"},
		{"a property shape as root", protocol.Parts{Request: shapes(two, "https://example.org/P")}, "expected the node shape"},
		{"a relative IRI", protocol.Parts{ID: "pd", Request: shapes(two, a)}, "is relative"},
		{"an IRI that breaks out", protocol.Parts{ID: "a:b> <a:p> <a:o", Request: shapes(two, a)}, "the document"},
		{"a document as shapes", protocol.Parts{Request: shapes(minimal, "https://example.org/R")}, "found a Protocol Document"},
		{"a named graph", protocol.Parts{Request: shapes("ex:g { "+two+" }", a)}, "named graph"},
		{"ill-formed shapes", protocol.Parts{Request: shapes(two+" ex:P sh:minCount -1 .", a)}, "sh:minCount of"},
		{"nothing is demanded", protocol.Parts{Request: shapes("ex:A a sh:NodeShape .", "")}, "expected a constraint"},
		{"a shape in two ways", protocol.Parts{
			Request:  shapes("ex:A a sh:NodeShape ; sh:node ex:N . ex:N sh:property [ sh:path ex:p ; sh:minCount 1 ] .", ""),
			Response: shapes("ex:B a sh:NodeShape ; sh:node ex:N . ex:N sh:property [ sh:path ex:p ; sh:minCount 2 ] .", ""),
		}, "described in the graphs of both shapes"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d, err := build(row.p)
			require.ErrorContains(t, err, row.want)
			require.Nil(t, d)
		})
	}
}
