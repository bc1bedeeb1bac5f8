package handshake_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/protocol"
)

const (
	pinText   = "sha256:4af1e70e42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990ab509"
	otherText = "sha256:838fb80a4235e1d38a3e44162d644047c30b5c86c945d01144358e2ebc8e7cba"
	source    = "https://alice.pod.example/protocols/grant-access"
)

func pin(t testing.TB, s string) canon.Digest {
	t.Helper()
	d, err := canon.ParseDigest(s)
	require.NoError(t, err)
	return d
}

// offerJSON is a valid offer, in which each row of the refusals changes one thing.
const offerJSON = `{"kind":"upgrade-offer","protocolHash":"` + pinText + `","protocolSource":"` + source + `","required":true,"protocolName":"Grant access"}`

const responseJSON = `{"kind":"upgrade-response","protocolHash":"` + pinText + `","accept":false,"reason":"unsupported"}`

func TestParseAccepts(t *testing.T) {
	t.Parallel()
	h := pin(t, pinText)
	for _, row := range []struct {
		name, in string
		want     handshake.Message
	}{
		{"offer", offerJSON, handshake.Offer{Hash: h, Source: source, Required: true, Name: handshake.NewText("Grant access")}},
		{"offer without a name", strings.Replace(offerJSON, `,"protocolName":"Grant access"`, "", 1), handshake.Offer{Hash: h, Source: source, Required: true}},
		{"offer with an empty name", strings.Replace(offerJSON, "Grant access", "", 1), handshake.Offer{Hash: h, Source: source, Required: true, Name: handshake.NewText("")}},
		{"optional offer", strings.Replace(offerJSON, "true", "false", 1), handshake.Offer{Hash: h, Source: source, Name: handshake.NewText("Grant access")}},
		{"members in another order, white space, unknown members", ` { "x": [1,{"y":null}], "required" : false , "protocolSource":"` + source + `", "protocolHash":"` + pinText + "\",\n\"kind\":\"upgrade-offer\" } ", handshake.Offer{Hash: h, Source: source}},
		{"escapes", strings.Replace(offerJSON, "upgrade-offer", `upgrade\u002Doffer`, 1), handshake.Offer{Hash: h, Source: source, Required: true, Name: handshake.NewText("Grant access")}},
		{"response", responseJSON, handshake.Response{Hash: h, Reason: handshake.NewText("unsupported")}},
		{"accept", `{"kind":"upgrade-response","protocolHash":"` + pinText + `","accept":true}`, handshake.Response{Hash: h, Accept: true}},
		{"pin of zeros", strings.Replace(responseJSON, pinText, "sha256:"+strings.Repeat("0", 64), 1), handshake.Response{Reason: handshake.NewText("unsupported")}},
		{"astral characters and the replacement character", strings.Replace(offerJSON, "Grant access", "\U0001F600\uFFFD", 1), handshake.Offer{Hash: h, Source: source, Required: true, Name: handshake.NewText("\U0001F600\uFFFD")}},
		{"longest name", strings.Replace(offerJSON, "Grant access", strings.Repeat("é", 256), 1), handshake.Offer{Hash: h, Source: source, Required: true, Name: handshake.NewText(strings.Repeat("é", 256))}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got, err := handshake.Parse([]byte(row.in), handshake.Options{})
			require.NoError(t, err)
			require.Equal(t, row.want, got)

			text, err := got.AppendJSON(nil)
			require.NoError(t, err)
			again, err := handshake.Parse(text, handshake.Options{})
			require.NoError(t, err)
			require.Equal(t, got, again, "%s", text)

			graph, err := got.Graph()
			require.NoError(t, err)
			fromGraph, err := handshake.ParseGraph(graph, handshake.Options{OneSubject: true})
			require.NoError(t, err)
			require.Equal(t, got, fromGraph)
		})
	}
}

// changed returns a message with one thing in it changed.
func changed(t testing.TB, message, from, to string) string {
	t.Helper()
	require.Equal(t, 1, strings.Count(message, from), "the row changes nothing, or more than one thing: %s", from)
	return strings.Replace(message, from, to, 1)
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	change := func(from, to string) string { return changed(t, offerJSON, from, to) }
	response := func(from, to string) string { return changed(t, responseJSON, from, to) }
	source := func(s string) string { return change(source, s) }
	hash := func(s string) string { return change(`"`+pinText+`"`, s) }
	const malformed, hashCode, limit = protocol.CodeMalformedPayload, protocol.CodeUnsupportedHash, protocol.CodeLimitExceeded

	for _, row := range []struct {
		name, in string
		code     protocol.Code
	}{
		{"required as a string", change("true", `"true"`), malformed},
		{"required as a number", change("true", "1"), malformed},
		{"required as zero", change("true", "0"), malformed},
		{"required null", change("true", "null"), malformed},
		{"required an array", change("true", "[]"), malformed},
		{"required an object", change("true", "{}"), malformed},
		{"required absent", change(`,"required":true`, ""), malformed},
		{"required twice", change(`"required":true`, `"required":false,"required":true`), malformed},
		{"required twice, once escaped", change(`"required":true`, `"required":true,"requi\u0072ed":false`), malformed},
		{"required in another case", change(`"required":true`, `"required":true,"Required":false`), malformed},
		{"required only in another case", change(`"required"`, `"REQUIRED"`), malformed},
		{"kind unknown", change("upgrade-offer", "nope"), malformed},
		{"kind in another case", change("upgrade-offer", "Upgrade-Offer"), malformed},
		{"kind absent", change(`"kind":"upgrade-offer",`, ""), malformed},
		{"kind a boolean", change(`"upgrade-offer"`, "true"), malformed},
		{"kind in another case as a name", change(`"kind"`, `"Kind"`), malformed},
		{"accept in an offer", change(`"required":true`, `"required":true,"accept":true`), malformed},
		{"reason in an offer", change(`"required":true`, `"required":true,"reason":"x"`), malformed},
		{"accept in another case in an offer", change(`"required":true`, `"required":true,"ACCEPT":true`), malformed},
		{"name a number", change(`"Grant access"`, "7"), malformed},
		{"name null", change(`"Grant access"`, "null"), malformed},
		{"name with a control character", change("Grant access", `Grant\u0000access`), malformed},
		{"name with a C1 control", change("Grant access", "Grant\u0085access"), malformed},
		{"name with a lone surrogate", change("Grant access", `\uD800`), malformed},
		{"name too long", change("Grant access", strings.Repeat("é", 257)), limit},
		{"not UTF-8", change("Grant access", "\xff"), malformed},
		{"hash a number", hash("1"), malformed},
		{"hash null", hash("null"), malformed},
		{"hash absent", change(`"protocolHash":"`+pinText+`",`, ""), malformed},
		{"hash of another algorithm", hash(`"sha512:` + strings.Repeat("a", 128) + `"`), hashCode},
		{"hash sha1", hash(`"sha1:` + strings.Repeat("a", 40) + `"`), hashCode},
		{"hash md5", hash(`"md5:` + strings.Repeat("a", 32) + `"`), hashCode},
		{"hash without prefix", hash(`"` + strings.TrimPrefix(pinText, "sha256:") + `"`), hashCode},
		{"hash in upper case", hash(`"sha256:` + strings.ToUpper(strings.TrimPrefix(pinText, "sha256:")) + `"`), hashCode},
		{"hash prefix in upper case", hash(`"` + strings.Replace(pinText, "sha256", "SHA256", 1) + `"`), hashCode},
		{"hash short", hash(`"sha256:deadbeef"`), hashCode},
		{"hash long", hash(`"` + pinText + `00"`), hashCode},
		{"hash with a space", hash(`"` + strings.Replace(pinText, ":", ": ", 1) + `"`), hashCode},
		{"hash with a line feed", hash(`"` + pinText + `\n"`), malformed},
		{"hash in base64", hash(`"sha256-SvHnDkIoOHLLwN06XuqhvYat2nKMmTRHvtiTDZkKtQk="`), hashCode},
		{"hash empty", hash(`""`), hashCode},
		{"source http", source("http://alice.pod.example/p"), malformed},
		{"source javascript", source("javascript:alert(1)"), malformed},
		{"source without slashes", source("https:example.com"), malformed},
		{"source without a host", source("https:///x"), malformed},
		{"source with a port but no host", source("https://:443/x"), malformed},
		{"source with user name", source("https://u:p@h/x"), malformed},
		{"source relative", source("relative"), malformed},
		{"source with a space", source("https://a/b c"), malformed},
		{"source with a line feed", source(`https://a/b\n`), malformed},
		{"source empty", source(""), malformed},
		{"source too long", source("https://a/" + strings.Repeat("x", 2048)), limit},
		{"source null", change(`"`+"https://alice.pod.example/protocols/grant-access"+`"`, "null"), malformed},
		{"array", "[" + offerJSON + "]", malformed},
		{"string", `"upgrade-offer"`, malformed},
		{"null", "null", malformed},
		{"number", "1", malformed},
		{"empty", "", malformed},
		{"byte order mark", "\uFEFF" + offerJSON, malformed},
		{"second value", offerJSON + offerJSON, malformed},
		{"trailing text", offerJSON + "x", malformed},
		{"truncated", offerJSON[:len(offerJSON)-1], malformed},
		{"too large", change("Grant access", strings.Repeat(" ", handshake.MaxBytes)), limit},
		{"too deep", change(`"required":true`, `"required":true,"x":`+strings.Repeat("[", 8)+strings.Repeat("]", 8)), limit},

		{"accept absent", response(`"accept":false,`, ""), malformed},
		{"accept as a string", response("false", `"false"`), malformed},
		{"accept as a number", response("false", "0"), malformed},
		{"accept null", response("false", "null"), malformed},
		{"accept twice", response(`"accept":false`, `"accept":false,"accept":true`), malformed},
		{"accept in another case", response(`"accept":false`, `"accept":false,"Accept":true`), malformed},
		{"required in a response", response(`"accept":false`, `"accept":false,"required":true`), malformed},
		{"source in a response", response(`"accept":false`, `"accept":false,"protocolSource":"https://a/"`), malformed},
		{"name in a response", response(`"accept":false`, `"accept":false,"protocolName":"x"`), malformed},
		{"reason a number", response(`"unsupported"`, "1"), malformed},
		{"reason null", response(`"unsupported"`, "null"), malformed},
		{"reason too long", response("unsupported", strings.Repeat("x", 1025)), limit},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got, err := handshake.Parse([]byte(row.in), handshake.Options{})
			require.Nil(t, got)
			e, ok := errors.AsType[*handshake.Error](err)
			require.True(t, ok, "%v", err)
			require.Equal(t, row.code, e.Code, "%v", err)
			require.NotEmpty(t, e.Error())
		})
	}
}

func TestParseOneKind(t *testing.T) {
	t.Parallel()
	_, err := handshake.ParseOffer([]byte(responseJSON), handshake.Options{})
	require.ErrorContains(t, err, "expected an offer")
	_, err = handshake.ParseResponse([]byte(offerJSON), handshake.Options{})
	require.ErrorContains(t, err, "expected a response")
	o, err := handshake.ParseOffer([]byte(offerJSON), handshake.Options{})
	require.NoError(t, err)
	require.True(t, o.Required)
	r, err := handshake.ParseResponse([]byte(responseJSON), handshake.Options{})
	require.NoError(t, err)
	require.False(t, r.Accept)
}

func TestMissingRequiredIsTrue(t *testing.T) {
	t.Parallel()
	without := strings.Replace(offerJSON, `,"required":true`, "", 1)
	o, err := handshake.ParseOffer([]byte(without), handshake.Options{MissingRequiredIsTrue: true})
	require.NoError(t, err)
	require.True(t, o.Required, "the safe reading")
	for _, wrong := range []string{`"false"`, "null", "0"} {
		in := strings.Replace(offerJSON, `"required":true`, `"required":`+wrong, 1)
		_, err := handshake.ParseOffer([]byte(in), handshake.Options{MissingRequiredIsTrue: true})
		require.Error(t, err, "only absence is read")
	}
}

func TestAppendJSON(t *testing.T) {
	t.Parallel()
	h := pin(t, pinText)
	for _, row := range []struct {
		name string
		m    handshake.Message
		want string
	}{
		{"offer", handshake.Offer{Hash: h, Source: source, Required: true, Name: handshake.NewText(`a "b" \ </script>&`)}, `{"kind":"upgrade-offer","protocolHash":"` + pinText + `","protocolSource":"` + source + `","required":true,"protocolName":"a \"b\" \\ </script>&"}`},
		{"offer without a name", handshake.Offer{Hash: h, Source: source}, `{"kind":"upgrade-offer","protocolHash":"` + pinText + `","protocolSource":"` + source + `","required":false}`},
		{"response", handshake.Response{Hash: h, Accept: true}, `{"kind":"upgrade-response","protocolHash":"` + pinText + `","accept":true}`},
		{"decline", handshake.Response{Hash: h, Reason: handshake.NewText("é")}, `{"kind":"upgrade-response","protocolHash":"` + pinText + `","accept":false,"reason":"é"}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got, err := row.m.AppendJSON([]byte("x"))
			require.NoError(t, err)
			require.Equal(t, "x"+row.want, string(got))
		})
	}
	for _, m := range []handshake.Message{
		handshake.Offer{Hash: h, Source: "http://a/"},
		handshake.Offer{Hash: h, Source: source, Name: handshake.NewText("\n")},
		handshake.Response{Hash: h, Reason: handshake.NewText("\xff")},
	} {
		_, err := m.AppendJSON(nil)
		require.Error(t, err)
		_, err = m.Graph()
		require.Error(t, err)
	}
}

// TestDamage changes every byte of a payload in every way. Either the payload is refused,
// or it decodes to what the damaged bytes say: the booleans, the kind and the pin never
// change without their own bytes.
func TestDamage(t *testing.T) {
	t.Parallel()
	for _, in := range []string{offerJSON, responseJSON} {
		want, err := handshake.Parse([]byte(in), handshake.Options{})
		require.NoError(t, err)
		own := func(at int) bool { // within the value of a member that decides
			for _, v := range []string{pinText, "true", "false", "upgrade-offer", "upgrade-response"} {
				if i := strings.Index(in, v); i >= 0 && at >= i && at < i+len(v) {
					return true
				}
			}
			return false
		}
		tried := 0
		try := func(damaged []byte, at int) {
			tried++
			got, err := handshake.Parse(damaged, handshake.Options{})
			if err != nil {
				return
			}
			if own(at) {
				says(t, string(damaged), got)
				return
			}
			require.Equal(t, decides(want), decides(got), "%s", damaged)
		}
		for i := 0; i < len(in); i += step() {
			for b := range 256 {
				if byte(b) != in[i] {
					try([]byte(in[:i]+string([]byte{byte(b)})+in[i+1:]), i)
				}
			}
			try([]byte(in[:i]+in[i+1:]), i)
			try([]byte(in[:i]+in[i:i+1]+in[i:]), i)
			if i+1 < len(in) && !own(i+1) {
				try([]byte(in[:i]+in[i+1:i+2]+in[i:i+1]+in[i+2:]), i)
			}
			_, err := handshake.Parse([]byte(in[:i]), handshake.Options{})
			require.Error(t, err, "truncated at %d", i)
		}
		require.Greater(t, tried, 250*len(in)/step())
	}
}

// says checks that a text contains, as it was read, all of a message that decides
// anything.
func says(t testing.TB, text string, m handshake.Message) {
	t.Helper()
	require.Contains(t, text, m.Pin().String())
	switch m := m.(type) {
	case handshake.Offer:
		require.Contains(t, text, fmt.Sprint(m.Required))
	case handshake.Response:
		require.Contains(t, text, fmt.Sprint(m.Accept))
	}
}

// decides is the part of a message that decides anything.
func decides(m handshake.Message) string {
	switch m := m.(type) {
	case handshake.Offer:
		return fmt.Sprint("offer ", m.Hash, m.Required)
	case handshake.Response:
		return fmt.Sprint("response ", m.Hash, m.Accept)
	}
	return ""
}

// FuzzParse: what is read of JSON is written and read as the same, and all else is
// refused with a code.
func FuzzParse(f *testing.F) {
	f.Add([]byte(offerJSON))
	f.Add([]byte(responseJSON))
	for _, seed := range suite.Seeds(f, suite.Handshakes) {
		f.Add(seed.Data)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		m, err := handshake.Parse(in, handshake.Options{})
		if err != nil {
			if e, ok := errors.AsType[*handshake.Error](err); !ok || e.Code == "" {
				t.Fatalf("an error without a code: %v", err)
			}
			return
		}
		out, err := m.AppendJSON(nil)
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		again, err := handshake.Parse(out, handshake.Options{})
		if err != nil || again != m {
			t.Fatalf("%s: %v, %v", out, again, err)
		}
	})
}

// step is the distance between the bytes that a test of damage changes: 1 unless time is
// short.
func step() int {
	if testing.Short() {
		return 7
	}
	return 1
}

// FuzzParseText is the same for the form in RDF.
func FuzzParseText(f *testing.F) {
	f.Add([]byte(prefixes+offerTurtle), false)
	f.Add([]byte(prefixes+responseTurtle), false)
	f.Add([]byte(`{"@id":"urn:x","@type":"https://w3id.org/jeswr/a2a#UpgradeResponse"}`), true)
	for _, seed := range suite.Seeds(f, suite.HandshakeGraphs, suite.Intents, suite.ProtocolDocuments) {
		f.Add(seed.Data, false)
	}
	for _, seed := range suite.Seeds(f, suite.JSONLD) {
		f.Add(seed.Data, true)
	}
	f.Fuzz(func(t *testing.T, in []byte, isJSON bool) {
		mediaType := "text/turtle"
		if isJSON {
			mediaType = "application/ld+json"
		}
		m, err := handshake.ParseText(in, mediaType, handshake.Options{})
		if err != nil {
			if e, ok := errors.AsType[*handshake.Error](err); !ok || e.Code == "" {
				t.Fatalf("an error without a code: %v", err)
			}
			return
		}
		d, err := m.Graph()
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		again, err := handshake.ParseGraph(d, handshake.Options{OneSubject: true})
		if err != nil || again != m {
			t.Fatalf("%v, %v: %v", m, again, err)
		}
	})
}
