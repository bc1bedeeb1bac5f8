package protocol_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

const (
	turtleType = "text/turtle"
	jsonType   = "application/ld+json"

	// grantPin is the pin of the document that the extension's text uses as its
	// example, readPin that of one with a response shape.
	grantPin = "sha256:4af1e70e42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990ab509"
	readPin  = "sha256:838fb80a4235e1d38a3e44162d644047c30b5c86c945d01144358e2ebc8e7cba"
)

const prefixes = `@prefix a2a: <https://w3id.org/jeswr/a2a#> .
@prefix schema: <https://schema.org/> .
@prefix acl: <http://www.w3.org/ns/auth/acl#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix odrl: <http://www.w3.org/ns/odrl/2/> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix ex: <https://example.org/> .
`

// grantDocument is the example document of the extension.
func grantDocument(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "testdata", "grant-access.ttl"))
	require.NoError(t, err)
	return string(data)
}

func pin(t testing.TB, s string) canon.Digest {
	t.Helper()
	d, err := canon.ParseDigest(s)
	require.NoError(t, err)
	return d
}

// candidate reads a document in Turtle, with the prefixes declared.
func candidate(t testing.TB, body string) *protocol.Candidate {
	t.Helper()
	c, err := protocol.Parse(t.Context(), []byte(prefixes+body), turtleType, protocol.Options{File: "pd.ttl"})
	require.NoError(t, err)
	return c
}

// document is a document in Turtle, verified against its own pin.
func document(t testing.TB, body string) *protocol.Document {
	t.Helper()
	c := candidate(t, body)
	d, err := c.Verify(c.Pin())
	require.NoError(t, err)
	return d
}

// request is a document with a request shape of the given body.
func request(t testing.TB, shape string) *protocol.Document {
	t.Helper()
	return document(t, `ex:pd a a2a:ProtocolDocument ; a2a:requestShape ex:R . ex:R a sh:NodeShape ; sh:targetClass a2a:Intent ; `+shape)
}

// code returns the code of a refusal.
func code(t testing.TB, err error) protocol.Code {
	t.Helper()
	require.Error(t, err)
	e, ok := errors.AsType[*protocol.Error](err)
	require.True(t, ok, "%v", err)
	require.NotEmpty(t, e.Error())
	return e.Code
}

// replace replaces a part of a text that occurs in it once.
func replace(t testing.TB, in, old, new string) string {
	t.Helper()
	require.Equal(t, 1, strings.Count(in, old), "the row changes nothing or more than one thing: %s", old)
	return strings.Replace(in, old, new, 1)
}

func graph(t testing.TB, body string) *rdf.Dataset {
	t.Helper()
	d, err := turtle.ParseTriG([]byte(prefixes+body), turtle.Options{})
	require.NoError(t, err)
	return d
}

// every says to try each n-th damage of a document: all of them, unless time is short.
func every() int {
	if testing.Short() {
		return 7
	}
	return 1
}
