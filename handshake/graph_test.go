package handshake_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

const prefixes = "@prefix a2a: <https://w3id.org/jeswr/a2a#> .\n@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"

func dataset(t testing.TB, body string) *rdf.Dataset {
	t.Helper()
	d, err := turtle.ParseTriG([]byte(prefixes+body), turtle.Options{})
	require.NoError(t, err)
	return d
}

const (
	offerTurtle    = `<urn:x> a a2a:UpgradeOffer ; a2a:protocolHash "` + pinText + `" ; a2a:protocolSource <` + source + `> ; a2a:required true ; a2a:protocolName "Grant access" .`
	responseTurtle = `[] a a2a:UpgradeResponse ; a2a:protocolHash "` + pinText + `" ; a2a:accept false ; a2a:reason "unsupported" .`
)

func TestParseGraphAccepts(t *testing.T) {
	t.Parallel()
	h := pin(t, pinText)
	offer := handshake.Offer{Hash: h, Source: source, Required: true, Name: handshake.NewText("Grant access")}
	for _, row := range []struct {
		name, in string
		want     handshake.Message
	}{
		{"offer", offerTurtle, offer},
		{"offer with a decoy", offerTurtle + ` <urn:decoy> a2a:protocolHash "sha256:EVIL" ; a2a:protocolSource <https://evil/p> ; a2a:required false .`, offer},
		{"offer with an unknown property", strings.Replace(offerTurtle, "a2a:required true", "a2a:required true ; <urn:p> 1", 1), offer},
		{"response about a blank node", responseTurtle, handshake.Response{Hash: h, Reason: handshake.NewText("unsupported")}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got, err := handshake.ParseGraph(dataset(t, row.in), handshake.Options{})
			require.NoError(t, err)
			require.Equal(t, row.want, got)
		})
	}
}

func TestParseGraphRefuses(t *testing.T) {
	t.Parallel()
	change := func(from, to string) string { return changed(t, offerTurtle, from, to) }
	response := func(from, to string) string { return changed(t, responseTurtle, from, to) }
	const malformed, hash = protocol.CodeMalformedPayload, protocol.CodeUnsupportedHash
	for _, row := range []struct {
		name, in string
		code     protocol.Code
	}{
		{"two offers", offerTurtle + strings.Replace(offerTurtle, "urn:x", "urn:y", 1), malformed},
		{"offer and response", offerTurtle + responseTurtle, malformed},
		{"both types on one subject", change("a a2a:UpgradeOffer", "a a2a:UpgradeOffer, a2a:UpgradeResponse"), malformed},
		{"no typed subject", change("a a2a:UpgradeOffer ; ", ""), malformed},
		{"literal type", change("a a2a:UpgradeOffer", `a "https://w3id.org/jeswr/a2a#UpgradeOffer"`), malformed},
		{"empty graph", "", malformed},
		{"named graph", "<urn:g> { " + offerTurtle + " }", malformed},
		{"a quad in a named graph beside", offerTurtle + " <urn:g> { <urn:a> <urn:b> <urn:c> }", malformed},
		{"two hashes", change(`"`+pinText+`"`, `"`+pinText+`", "`+otherText+`"`), malformed},
		{"hash an IRI", change(`"`+pinText+`"`, "<urn:x>"), malformed},
		{"hash and an IRI", change(`"`+pinText+`"`, `"`+pinText+`", <urn:x>`), malformed},
		{"hash with a language", change(`"`+pinText+`"`, `"`+pinText+`"@en`), malformed},
		{"hash absent", change(`a2a:protocolHash "`+pinText+`" ; `, ""), malformed},
		{"hash in upper case", change(pinText, strings.ToUpper(pinText)), hash},
		{"required absent", change("a2a:required true ; ", ""), malformed},
		{"required yes", change("a2a:required true", `a2a:required "yes"`), malformed},
		{"required a string", change("a2a:required true", `a2a:required "true"`), malformed},
		{"required 1 of xsd:boolean", change("a2a:required true", `a2a:required "1"^^xsd:boolean`), malformed},
		{"required TRUE of xsd:boolean", change("a2a:required true", `a2a:required "TRUE"^^xsd:boolean`), malformed},
		{"required twice", change("a2a:required true", "a2a:required true, false"), malformed},
		{"required an IRI", change("a2a:required true", "a2a:required <urn:true>"), malformed},
		{"source a literal", change("<"+source+">", `"`+source+`"`), malformed},
		{"source a blank node", change("<"+source+">", "[]"), malformed},
		{"source http", change("<https:", "<http:"), malformed},
		{"two sources", change("<"+source+">", "<"+source+">, <https://b/>"), malformed},
		{"two names", change(`"Grant access"`, `"a", "b"`), malformed},
		{"name with a language", change(`"Grant access"`, `"a"@en`), malformed},
		{"name an IRI", change(`"Grant access"`, "<urn:n>"), malformed},
		{"name with a control character", change("Grant access", `\u0001`), malformed},
		{"accept in an offer", change("a2a:required true", "a2a:required true ; a2a:accept true"), malformed},
		{"accept absent", response("a2a:accept false ; ", ""), malformed},
		{"accept maybe", response("false", `"maybe"`), malformed},
		{"accept maybe of xsd:boolean", response("false", `"maybe"^^xsd:boolean`), malformed},
		{"required in a response", response("a2a:accept false", "a2a:accept false ; a2a:required true"), malformed},
		{"two reasons", response(`"unsupported"`, `"a", "b"`), malformed},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got, err := handshake.ParseGraph(dataset(t, row.in), handshake.Options{})
			require.Nil(t, got)
			e, ok := errors.AsType[*handshake.Error](err)
			require.True(t, ok, "%v", err)
			require.Equal(t, row.code, e.Code, "%v", err)
		})
	}
	_, err := handshake.ParseGraph(dataset(t, offerTurtle+" <urn:decoy> a2a:required false ."), handshake.Options{OneSubject: true})
	require.ErrorContains(t, err, "another subject")
}

// TestParseText reads the RDF form from bytes, with the rules on payloads.
func TestParseText(t *testing.T) {
	t.Parallel()
	want := handshake.Offer{Hash: pin(t, pinText), Source: source, Required: true, Name: handshake.NewText("Grant access")}
	const json = `{"@context":{"@vocab":"https://w3id.org/jeswr/a2a#","protocolSource":{"@type":"@id"}},"@id":"urn:x","@type":"UpgradeOffer","protocolHash":"` + pinText + `","protocolSource":"` + source + `","required":true,"protocolName":"Grant access"}`
	for mediaType, body := range map[string]string{"text/turtle": prefixes + offerTurtle, "application/ld+json": json} {
		got, err := handshake.ParseText([]byte(body), mediaType, handshake.Options{OneSubject: true})
		require.NoError(t, err, mediaType)
		require.Equal(t, want, got)
	}
	for _, row := range []struct {
		name, body, mediaType string
		code                  protocol.Code
	}{
		{"another media type", prefixes + offerTurtle, "application/json", protocol.CodeUnsupportedMediaType},
		{"TriG", prefixes + offerTurtle, "application/trig", protocol.CodeUnsupportedMediaType},
		{"truncated", prefixes + offerTurtle[:40], "text/turtle", protocol.CodeMalformedPayload},
		{"byte order mark", "\uFEFF" + prefixes + offerTurtle, "text/turtle", protocol.CodeMalformedPayload},
		{"relative source", strings.Replace(prefixes+offerTurtle, "<"+source+">", "</p>", 1), "text/turtle", protocol.CodeMalformedPayload},
		{"remote context", `{"@context":"https://e/x","@id":"urn:x","@type":"https://w3id.org/jeswr/a2a#UpgradeOffer"}`, "application/ld+json", protocol.CodeMalformedPayload},
		{"a member twice", strings.Replace(json, `"required":true`, `"required":false,"required":true`, 1), "application/ld+json", protocol.CodeMalformedPayload},
		{"too large", prefixes + offerTurtle + "#" + strings.Repeat("x", handshake.MaxBytes), "text/turtle", protocol.CodeLimitExceeded},
	} {
		got, err := handshake.ParseText([]byte(row.body), row.mediaType, handshake.Options{})
		require.Nil(t, got, row.name)
		e, ok := errors.AsType[*handshake.Error](err)
		require.True(t, ok, row.name)
		require.Equal(t, row.code, e.Code, "%s: %v", row.name, err)
	}
}

// TestGraphDamage damages the RDF form in every small way: either it is refused, or it
// decodes to what the damaged bytes say.
func TestGraphDamage(t *testing.T) {
	t.Parallel()
	for _, body := range []string{offerTurtle, responseTurtle} {
		want, err := handshake.ParseText([]byte(prefixes+body), "text/turtle", handshake.Options{})
		require.NoError(t, err)
		own := func(at int) bool { // within what decides
			for _, v := range []string{pinText, "true", "false", "UpgradeOffer", "UpgradeResponse"} {
				if i := strings.Index(body, v); i >= 0 && at >= i-1 && at <= i+len(v) {
					return true
				}
			}
			return false
		}
		for i := 0; i < len(body); i += step() {
			for b := range 256 {
				if byte(b) == body[i] {
					continue
				}
				damaged := prefixes + body[:i] + string([]byte{byte(b)}) + body[i+1:]
				got, err := handshake.ParseText([]byte(damaged), "text/turtle", handshake.Options{})
				switch {
				case err != nil:
				case own(i):
					says(t, damaged, got)
				default:
					require.Equal(t, decides(want), decides(got), "byte %d is %q", i, b)
				}
			}
			if got, err := handshake.ParseText([]byte(prefixes+body[:i]+body[i+1:]), "text/turtle", handshake.Options{}); err == nil && !own(i) {
				require.Equal(t, decides(want), decides(got), "without byte %d", i)
			}
			_, err := handshake.ParseText([]byte(prefixes+body[:i]), "text/turtle", handshake.Options{})
			require.Error(t, err, "truncated at %d", i)
		}
	}
}

// TestGraphDigest compares the written graphs with the known canonical forms of the
// extension. Those have a placeholder in place of the pin, which is put in here as well.
func TestGraphDigest(t *testing.T) {
	t.Parallel()
	h := pin(t, pinText)
	const src = "https://alice.pod/protocols/read#v1"
	for _, row := range []struct {
		name  string
		m     handshake.Message
		lines int
		want  string
	}{
		{"required offer with a name", handshake.Offer{Hash: h, Source: src, Required: true, Name: handshake.NewText("Read protocol")}, 5, "e9d6f165782bb10239b51f8ddf54c8583c1839527c54de96785177392730ab27"},
		{"optional offer without a name", handshake.Offer{Hash: h, Source: src}, 4, "3dba75c6b8dbcee1abc0610b770a56c3ed52da2e505f5a4b4b7e5c1a90601891"},
		{"accept", handshake.Response{Hash: h, Accept: true}, 3, "2b970691fa3bbca225635127d944f50b99c4fcd24d435c575d0d500fe441433f"},
		{"decline", handshake.Response{Hash: h, Reason: handshake.NewText("policy forbids the requested mode")}, 4, "125fbd36c518bb0685ec259809be01f6a53415509b6839e446ecb54777b7d427"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			g, err := row.m.Graph()
			require.NoError(t, err)
			c, err := canon.Canonicalize(context.Background(), g, canon.Options{})
			require.NoError(t, err)
			require.Equal(t, row.lines, strings.Count(string(c.NQuads()), "\n"))
			text := strings.Replace(string(c.NQuads()), pinText, "sha256:abcdef", 1)
			require.Equal(t, "sha256:"+row.want, canon.Sum([]byte(text)).String())
		})
	}
}

// TestRaisedLimits: a caller that trusts an input may read a larger one.
func TestRaisedLimits(t *testing.T) {
	t.Parallel()
	long := strings.Replace(responseJSON, "{", `{"x":"`+strings.Repeat("a", handshake.MaxBytes)+`",`, 1)
	deep := strings.Replace(responseJSON, "{", `{"x":`+strings.Repeat("[", 8)+strings.Repeat("]", 8)+`,`, 1)
	for text, limits := range map[string]rdf.Limits{long: {Bytes: 100_000}, deep: {Nesting: 9}} {
		_, err := handshake.Parse([]byte(text), handshake.Options{})
		e, ok := errors.AsType[*handshake.Error](err)
		require.True(t, ok)
		require.Equal(t, protocol.CodeLimitExceeded, e.Code)
		_, err = handshake.Parse([]byte(text), handshake.Options{Read: protocol.Options{Limits: limits}})
		require.NoError(t, err)
		_, err = handshake.Parse([]byte(text), handshake.Options{Read: protocol.Options{Limits: rdf.Limits{Bytes: -1, Nesting: -1}}})
		require.ErrorAs(t, err, &e, "what is not positive is no limit of its own")
		require.Equal(t, protocol.CodeLimitExceeded, e.Code)
	}
	turtle := prefixes + offerTurtle + "# " + strings.Repeat("a", handshake.MaxBytes)
	for _, limits := range []rdf.Limits{{}, {Bytes: -1}, {Quads: 100}} {
		_, err := handshake.ParseText([]byte(turtle), "text/turtle", handshake.Options{Read: protocol.Options{Limits: limits}})
		e, ok := errors.AsType[*handshake.Error](err)
		require.True(t, ok)
		require.Equal(t, protocol.CodeLimitExceeded, e.Code)
	}
}

// TestPlaces: refusals carry their place.
func TestPlaces(t *testing.T) {
	t.Parallel()
	at := func(err error) rdf.Place {
		e, ok := errors.AsType[*handshake.Error](err)
		require.True(t, ok, "%v", err)
		return e.Place
	}
	_, err := handshake.Parse([]byte(strings.Replace(offerJSON, `"required":true`, "\n \"required\":1", 1)), handshake.Options{})
	require.Equal(t, rdf.Place{Line: 2, Column: 13}, at(err))
	_, err = handshake.Parse([]byte("\n[]"), handshake.Options{})
	require.Equal(t, rdf.Place{Line: 2, Column: 1}, at(err))
	for _, member := range []string{`"Required":true`, `"ACCEPT":true`, `"reason":"x"`} { // where the wrong one is, not the right one
		_, err = handshake.Parse([]byte(strings.Replace(offerJSON, `"required":true`, "\"required\":true,\n "+member, 1)), handshake.Options{})
		require.Equal(t, rdf.Place{Line: 2, Column: strings.IndexByte(member, ':') + 3}, at(err))
	}
	o := handshake.Options{Read: protocol.Options{File: "offer.ttl"}}
	_, err = handshake.ParseText([]byte(prefixes+strings.Replace(offerTurtle, "a2a:required true", "\na2a:required 1", 1)), "text/turtle", o)
	require.Equal(t, rdf.Place{File: "offer.ttl", Line: 4, Column: 14}, at(err))
	_, err = handshake.ParseText([]byte(prefixes+strings.Replace(offerTurtle, "a2a:required true ; ", "", 1)), "text/turtle", o)
	require.Equal(t, rdf.Place{File: "offer.ttl", Line: 3, Column: 1}, at(err))
}
