package protocol_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// TestPins has texts that are not pins (a2a-rdf, section 3.3).
func TestPins(t *testing.T) {
	t.Parallel()
	hex := strings.TrimPrefix(grantPin, "sha256:")
	for _, bad := range []string{
		"sha512:" + strings.Repeat("a", 128), "sha1:" + strings.Repeat("a", 40), "md5:" + strings.Repeat("a", 32), hex,
		"sha256:" + strings.ToUpper(hex), "SHA256:" + hex, "sha256:deadbeef", grantPin + "00", "sha256: " + hex[1:], grantPin + "\n", " " + grantPin,
		"sha256-SvHnDkIoOHLLwN06XuqhvYat2nKMmTRHvtiTDZkKtQk=", "", "sha256:abc123", "sha256:GOOD", "null",
	} {
		_, err := canon.ParseDigest(bad)
		require.Error(t, err, bad)
	}
	_, err := canon.ParseDigest(grantPin)
	require.NoError(t, err)
}

// TestParseRefuses has the rules on bodies of a2a-rdf, section 3.4.
func TestParseRefuses(t *testing.T) {
	t.Parallel()
	const (
		malformed = protocol.CodeMalformedPayload
		mediaType = protocol.CodeUnsupportedMediaType
	)
	doc := grantDocument(t)
	triple := func(s string) string { return "<a:s> <a:p> " + s + " ." }
	for _, row := range []struct {
		name, body, mediaType string
		code                  protocol.Code
	}{
		{"no media type", doc, "", mediaType},
		{"plain text", doc, "text/plain", mediaType},
		{"JSON", grantJSON, "application/json", mediaType},
		{"RDF/XML", doc, "application/rdf+xml", mediaType},
		{"TriG", doc, "application/trig", mediaType},
		{"N-Quads", doc, "application/n-quads", mediaType},
		{"another charset", doc, "text/turtle; charset=iso-8859-1", mediaType},
		{"a media type that is none", doc, "turtle", mediaType},

		{"truncated", doc[:len(doc)/2], turtleType, malformed},
		{"an unknown prefix", "x:s x:p x:o .", turtleType, malformed},
		{"a bad escape", triple(`"\x"`), turtleType, malformed},
		{"a relative IRI", "<s> <a:p> 1 .", turtleType, malformed},
		{"an empty IRI", "<> <a:p> 1 .", turtleType, malformed},
		{"an IRI with a space", "<a:s> <a:p> <a:o o> .", turtleType, malformed},
		{"a literal subject", `"s" <a:p> 1 .`, turtleType, malformed},
		{"a blank predicate", "<a:s> _:p 1 .", turtleType, malformed},
		{"a quoted triple", "<< <a:s> <a:p> 1 >> <a:q> 1 .", turtleType, malformed},
		{"a triple term", "<a:s> <a:p> <<( <a:s> <a:p> 1 )>> .", turtleType, malformed},
		{"a directional language tag", triple(`"x"@en--ltr`), turtleType, malformed},
		{"a graph", "<a:g> { <a:s> <a:p> 1 }", turtleType, malformed},
		{"not UTF-8", triple("\"\xff\""), turtleType, malformed},
		{"U+0000", triple("1") + "#\x00", turtleType, malformed},
		{"an escaped U+0000", triple(`"\u0000"`), turtleType, malformed},
		{"a byte order mark inside", triple("1") + "\uFEFF" + triple("2"), turtleType, malformed},

		{"remote context", `{"@context":"https://schema.org/","@id":"a:s","@type":"a:T"}`, jsonType, malformed},
		{"remote context in an array", `{"@context":["https://w3id.org/x",{"p":"a:p"}],"@id":"a:s","p":1}`, jsonType, malformed},
		{"import", `{"@context":{"@import":"https://e/x"},"@id":"a:s","@type":"a:T"}`, jsonType, malformed},
		{"remote scoped context", `{"@context":{"p":{"@id":"a:p","@context":"https://e/x"}},"@id":"a:s","p":{"@id":"a:o"}}`, jsonType, malformed},
		{"remote scoped context that is not used", `{"@context":{"p":{"@id":"a:p","@context":"https://e/x"},"q":"a:q"},"@id":"a:s","q":1}`, jsonType, malformed},
		{"remote context in a node", `{"@context":{"p":"a:p"},"@id":"a:s","p":{"@context":"https://e/x","@id":"a:o"}}`, jsonType, malformed},
		{"remote context in @graph", `{"@graph":[{"@context":"https://e/x","@id":"a:s","@type":"a:T"}]}`, jsonType, malformed},
		{"a named graph", `{"@id":"a:g","@graph":[{"@id":"a:s","@type":"a:T"}]}`, jsonType, malformed},
		{"a relative @id", `{"@id":"#shape","@type":"a:T"}`, jsonType, malformed},
		{"a relative @type", `{"@id":"a:s","@type":"T"}`, jsonType, malformed},
		{"a term that is not defined", `{"@id":"a:s","@type":"a:T","name":"x"}`, jsonType, malformed},
		{"a member twice", `{"@id":"a:s","@type":"a:T","a:p":1,"a:p":2}`, jsonType, malformed},
		{"a member twice, once escaped", `{"@id":"a:s","@type":"a:T","a:p":1,"a:\u0070":2}`, jsonType, malformed},
		{"a blank predicate in JSON-LD", `{"@id":"a:s","_:p":1}`, jsonType, malformed},
		{"trailing data", `{"@id":"a:s","@type":"a:T"} {}`, jsonType, malformed},
		{"a base direction", `{"@id":"a:s","a:p":{"@value":"x","@direction":"ltr"}}`, jsonType, malformed},
		{"truncated JSON-LD", grantJSON[:len(grantJSON)-3], jsonType, malformed},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, err := protocol.Parse(t.Context(), []byte(row.body), row.mediaType, protocol.Options{})
			require.Equal(t, row.code, code(t, err), "%v", err)
			_, err = protocol.ReadPayload([]byte(row.body), row.mediaType, protocol.Options{})
			require.Equal(t, row.code, code(t, err), "%v", err)
			want := row.code
			if want == malformed {
				want = protocol.CodeProtocolHashMismatch // HASH-7
			}
			_, err = protocol.Verify(t.Context(), []byte(row.body), row.mediaType, pin(t, grantPin), protocol.Options{})
			require.Equal(t, want, code(t, err), "%v", err)
		})
	}
}

func TestReadPayloadRefusesByteOrderMark(t *testing.T) {
	t.Parallel()
	_, err := protocol.ReadPayload([]byte("\uFEFF<a:s> <a:p> 1 ."), turtleType, protocol.Options{})
	require.Equal(t, protocol.CodeMalformedPayload, code(t, err))
}

func TestPayloadLimits(t *testing.T) {
	t.Parallel()
	body := "<a:s> <a:p> 1 .\n#" + strings.Repeat("x", 256<<10)
	_, err := protocol.ReadPayload([]byte(body), turtleType, protocol.Options{})
	require.Equal(t, protocol.CodeLimitExceeded, code(t, err))
	_, err = protocol.ReadPayload([]byte(`{"a:p":`+strings.Repeat("[", 10_000)), jsonType, protocol.Options{})
	require.Equal(t, protocol.CodeLimitExceeded, code(t, err))
}

// TestPinnedContexts reads JSON-LD with contexts that the application pins.
func TestPinnedContexts(t *testing.T) {
	t.Parallel()
	contexts, err := jsonld.NewContexts(map[string][]byte{"https://e/x": []byte(`{"@context":{"p":"a:p"}}`)})
	require.NoError(t, err)
	o := protocol.Options{Contexts: contexts}
	d, err := protocol.ReadPayload([]byte(`{"@context":"https://e/x","@id":"a:s","p":1}`), jsonType, o)
	require.NoError(t, err)
	require.Equal(t, 1, d.Len())
	// Within a JSON literal, @context is data.
	_, err = protocol.ReadPayload([]byte(`{"@context":"https://e/x","@id":"a:s","p":{"@type":"@json","@value":{"@context":{"@import":"https://e/x"}}}}`), jsonType, o)
	require.NoError(t, err)
	for _, bad := range []string{
		`{"@context":"https://e/y","@id":"a:s","p":1}`,
		`{"@context":{"@import":"https://e/x"},"@id":"a:s","p":1}`,
		`{"@context":{"@im\u0070ort":"https://e/x"},"@id":"a:s","p":1}`,
		`{"@context":[{"q":{"@id":"a:q","@context":{"@import":"https://e/x"}}},"https://e/x"],"@id":"a:s","p":1}`,
	} {
		_, err := protocol.ReadPayload([]byte(bad), jsonType, o)
		require.Equal(t, protocol.CodeMalformedPayload, code(t, err), bad)
	}
}
