package agentcard_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
)

const (
	pin      = "sha256:4af1e70e42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990ab509"
	otherPin = "sha256:838fb80a42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990a7cba"
	source   = "https://alice.pod.example/protocols/grant-access"
	document = `{"name":"Grant access","source":"` + source + `","hash":"` + pin + `"}`
	params   = `{"formats":["text/turtle","application/ld+json"],"nlNegotiation":true,"protocolDocuments":[` + document + `]}`
	declares = `{"uri":"` + agentcard.ExtensionURI + `","description":"Accepts intents under pinned documents.","required":false,"params":` + params + `}`
)

func declaring(extensions ...string) string {
	return strings.Replace(plainCard, `{"streaming": false}`, `{"streaming": false, "extensions": [`+strings.Join(extensions, ",")+`]}`, 1)
}

// TestDeclaration has section 1 of the requirements of the extension: what is declared,
// what makes the declaration invalid, and what drops one document of it.
func TestDeclaration(t *testing.T) {
	t.Parallel()
	replace := func(old, new string) string {
		changed := strings.Replace(declares, old, new, 1)
		require.NotEqual(t, declares, changed)
		return changed
	}
	for _, row := range []struct {
		name            string
		extensions      []string
		declared, valid bool
		documents       int
		formats         []string
		code            agentcard.Code // of the one finding, "" for none
	}{
		{"the draft's own", []string{declares}, true, true, 1, []string{"text/turtle", "application/ld+json"}, ""},
		{"among others", []string{`{"uri":"urn:x"}`, declares, `{}`}, true, true, 1, []string{"text/turtle", "application/ld+json"}, ""},
		{"none", nil, false, false, 0, nil, ""},
		{"final slash", []string{replace(agentcard.ExtensionURI, agentcard.ExtensionURI+"/")}, false, false, 0, nil, ""},
		{"another version", []string{replace("/v1", "/v2")}, false, false, 0, nil, ""},
		{"http", []string{replace("https://w3id", "http://w3id")}, false, false, 0, nil, ""},
		{"other case", []string{replace("w3id.org", "W3ID.org")}, false, false, 0, nil, ""},
		{"fragment", []string{replace(agentcard.ExtensionURI, agentcard.ExtensionURI+"#")}, false, false, 0, nil, ""},
		{"no params", []string{`{"uri":"` + agentcard.ExtensionURI + `","description":"d"}`}, true, true, 0, []string{"text/turtle"}, ""},
		{"params null", []string{`{"uri":"` + agentcard.ExtensionURI + `","description":"d","params":null}`}, true, true, 0, []string{"text/turtle"}, ""},
		{"params a list", []string{`{"uri":"` + agentcard.ExtensionURI + `","description":"d","params":[]}`}, true, false, 0, nil, agentcard.CodeDeclInvalid},
		{"no description", []string{replace(`"description":"Accepts intents under pinned documents.",`, "")}, true, true, 1, []string{"text/turtle", "application/ld+json"}, agentcard.CodeDeclText},
		{"required", []string{replace(`"required":false`, `"required":true`)}, true, true, 1, []string{"text/turtle", "application/ld+json"}, agentcard.CodeDeclRequired},
		{"required a string", []string{replace(`"required":false`, `"required":"true"`)}, true, false, 0, nil, agentcard.CodeDeclInvalid},
		{"nlNegotiation a string", []string{replace(`"nlNegotiation":true`, `"nlNegotiation":"true"`)}, true, false, 0, nil, agentcard.CodeDeclInvalid},
		{"nlNegotiation null", []string{replace(`"nlNegotiation":true`, `"nlNegotiation":null`)}, true, false, 0, nil, agentcard.CodeDeclInvalid},
		{"formats a string", []string{replace(`["text/turtle","application/ld+json"]`, `"text/turtle"`)}, true, true, 1, nil, agentcard.CodeDeclUnusable},
		{"formats empty", []string{replace(`["text/turtle","application/ld+json"]`, `[]`)}, true, true, 1, nil, agentcard.CodeDeclUnusable},
		{"formats of numbers", []string{replace(`["text/turtle",`, `["text/turtle",1,`)}, true, true, 1, nil, agentcard.CodeDeclUnusable},
		{"formats unknown", []string{replace(`["text/turtle","application/ld+json"]`, `["application/rdf+xml"]`)}, true, true, 1, []string{"application/rdf+xml"}, ""},
		{"documents an object", []string{replace(`[`+document+`]`, `{}`)}, true, false, 0, nil, agentcard.CodeDeclInvalid},
		{"documents null", []string{replace(`[`+document+`]`, `null`)}, true, false, 0, nil, agentcard.CodeDeclInvalid},
		{"documents empty", []string{replace(document, "")}, true, true, 0, []string{"text/turtle", "application/ld+json"}, ""},
		{"document a string", []string{replace(document, `"x"`)}, true, true, 0, []string{"text/turtle", "application/ld+json"}, agentcard.CodeDeclDropped},
		{"name a number", []string{replace(`"Grant access"`, `1`)}, true, true, 0, []string{"text/turtle", "application/ld+json"}, agentcard.CodeDeclDropped},
		{"no name", []string{replace(`"name":"Grant access",`, ``)}, true, true, 1, []string{"text/turtle", "application/ld+json"}, ""},
		{"no source", []string{replace(`"source":"`+source+`",`, ``)}, true, true, 0, []string{"text/turtle", "application/ld+json"}, agentcard.CodeDeclDropped},
		{"source over http", []string{replace(source, "http://alice.pod.example/x")}, true, true, 0, []string{"text/turtle", "application/ld+json"}, agentcard.CodeDeclDropped},
		{"source with user", []string{replace("https://alice", "https://u@alice")}, true, true, 0, []string{"text/turtle", "application/ld+json"}, agentcard.CodeDeclDropped},
		{"source relative", []string{replace(source, "/protocols/x")}, true, true, 0, []string{"text/turtle", "application/ld+json"}, agentcard.CodeDeclDropped},
		{"source no URL", []string{replace(source, "https://%zz/")}, true, true, 0, []string{"text/turtle", "application/ld+json"}, agentcard.CodeDeclDropped},
		{"source without host", []string{replace(source, "https://:443/x")}, true, true, 0, []string{"text/turtle", "application/ld+json"}, agentcard.CodeDeclDropped},
		{"source with a space", []string{replace(source, "https://a.example/ x")}, true, true, 0, []string{"text/turtle", "application/ld+json"}, agentcard.CodeDeclDropped},
		{"source that is no IRI", []string{replace(source, "https://a.example/<x>")}, true, true, 0, []string{"text/turtle", "application/ld+json"}, agentcard.CodeDeclDropped},
		{"source too long", []string{replace(source, "https://a.example/"+strings.Repeat("a", 2048))}, true, true, 0, []string{"text/turtle", "application/ld+json"}, agentcard.CodeDeclDropped},
		{"no hash", []string{replace(`,"hash":"`+pin+`"`, ``)}, true, true, 0, []string{"text/turtle", "application/ld+json"}, agentcard.CodeDeclDropped},
		{"hash in upper case", []string{replace(pin, strings.ToUpper(pin))}, true, true, 0, []string{"text/turtle", "application/ld+json"}, agentcard.CodeDeclDropped},
		{"hash cut off", []string{replace(pin, pin[:15])}, true, true, 0, []string{"text/turtle", "application/ld+json"}, agentcard.CodeDeclDropped},
		{"hash of another kind", []string{replace("sha256:", "sha512:")}, true, true, 0, []string{"text/turtle", "application/ld+json"}, agentcard.CodeDeclDropped},
		{"hash a number", []string{replace(`"`+pin+`"`, `1`)}, true, true, 0, []string{"text/turtle", "application/ld+json"}, agentcard.CodeDeclDropped},
		{"one good, one bad", []string{replace(document, `{},`+document)}, true, true, 1, []string{"text/turtle", "application/ld+json"}, agentcard.CodeDeclDropped},
		{"mirrors", []string{replace(document, document+`,`+strings.Replace(document, source, "https://mirror.example/x", 1))}, true, true, 2, []string{"text/turtle", "application/ld+json"}, ""},
		{"one source, two hashes", []string{replace(document, document+`,`+strings.Replace(document, pin, otherPin, 1))}, true, true, 2, []string{"text/turtle", "application/ld+json"}, ""},
		{"unknown members", []string{replace(`"formats"`, `"x":{},"formats"`)}, true, true, 1, []string{"text/turtle", "application/ld+json"}, ""},
		{"twice alike", []string{declares, strings.Replace(declares, `"Grant access"`, `"Grant \u0061ccess"`, 1)}, true, true, 1, []string{"text/turtle", "application/ld+json"}, agentcard.CodeDeclDuplicate},
		{"twice, once required", []string{declares, replace(`"required":false`, `"required":true`)}, true, false, 0, nil, agentcard.CodeDeclInvalid},
		{"twice, once without required", []string{declares, replace(`"required":false,`, ``)}, true, true, 1, []string{"text/turtle", "application/ld+json"}, agentcard.CodeDeclDuplicate},
		{"twice, once required of another type", []string{declares, replace(`"required":false`, `"required":0`)}, true, false, 0, nil, agentcard.CodeDeclInvalid},
		{"twice, otherwise", []string{declares, replace("true", "false")}, true, false, 0, nil, agentcard.CodeDeclInvalid},
		{"twice without params, once null", []string{`{"uri":"` + agentcard.ExtensionURI + `","description":"d"}`, `{"uri":"` + agentcard.ExtensionURI + `","params":null}`}, true, true, 0, []string{"text/turtle"}, agentcard.CodeDeclDuplicate},
		{"twice, once with params null", []string{declares, `{"uri":"` + agentcard.ExtensionURI + `","params":null}`}, true, false, 0, nil, agentcard.CodeDeclInvalid},
		{"twice, once without params", []string{declares, `{"uri":"` + agentcard.ExtensionURI + `"}`}, true, false, 0, nil, agentcard.CodeDeclInvalid},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d := parse(t, []byte(declaring(row.extensions...))).Declaration()
			require.Equal(t, row.declared, d.Declared)
			require.Equal(t, row.valid, d.Valid)
			require.Len(t, d.Documents, row.documents)
			require.Equal(t, row.formats, d.Formats)
			if row.code == "" {
				require.Empty(t, d.Findings)
				return
			}
			require.Len(t, d.Findings, 1, "%+v", d.Findings)
			require.Equal(t, row.code, d.Findings[0].Code)
			require.NotZero(t, d.Findings[0].Line)
		})
	}
	// A finding says what came instead.
	for _, row := range []struct{ extension, says string }{
		{replace(pin, strings.ToUpper(pin)), `hexadecimal digits for hash, found "` + strings.ToUpper(pin) + `"; the document is dropped`},
		{replace(pin, ""), `for hash, found ""; the`},
		{replace(`,"hash":"`+pin+`"`, ``), `for hash, found none; the`},
		{replace(`"`+pin+`"`, `null`), `for hash, found null; the`},
		{replace(pin, pin+strings.Repeat("0", 100)), `for hash, found "` + pin + `000000000…"; the`},
		{replace(source, "http://a.example/x"), `for source, of at most 2048 bytes, found "http://a.example/x"; the`},
		{replace(`"source":"`+source+`",`, ``), `bytes, found none; the`},
		{replace(`["text/turtle","application/ld+json"]`, `"text/turtle"`), `for formats, found "text/turtle"`},
		{replace(`["text/turtle","application/ld+json"]`, `[]`), `for formats, found an empty one`},
	} {
		found := parse(t, []byte(declaring(row.extension))).Declaration().Findings
		require.Len(t, found, 1)
		require.Contains(t, found[0].Text, row.says)
	}

	d := parse(t, []byte(declaring(declares))).Declaration()
	require.True(t, d.NLNegotiation)
	require.False(t, d.Required)
	require.Equal(t, "Accepts intents under pinned documents.", d.Description)
	require.Equal(t, "Grant access", d.Documents[0].Name)
	require.Equal(t, source, d.Documents[0].Source)
	require.Equal(t, pin, d.Documents[0].Hash.String())

	format, ok := d.Format("application/ld+json", "text/turtle")
	require.True(t, ok)
	require.Equal(t, "text/turtle", format, "the agent's order counts")
	_, ok = d.Format("application/rdf+xml")
	require.False(t, ok)
	d.Formats = []string{"text/html", "a b", "Text/Turtle; charset=utf-8"}
	format, ok = d.Format("text/turtle")
	require.True(t, ok)
	require.Equal(t, "text/turtle", format)
	_, ok = agentcard.Declaration{Formats: []string{"text/turtle"}}.Format("text/turtle")
	require.False(t, ok, "no declaration, no format")

	var many []string
	for i := range 70 {
		many = append(many, strings.Replace(document, "grant-access", fmt.Sprint(i), 1))
	}
	d = parse(t, []byte(declaring(replace(document, strings.Join(many, ","))))).Declaration()
	require.Len(t, d.Documents, 64)
	require.Equal(t, agentcard.CodeDeclDropped, d.Findings[0].Code)
}

// A pin is only as good as the card that carries it (CARD-14).
func TestDeclaredDocumentsOfAnAdmittedCard(t *testing.T) {
	t.Parallel()
	key := keyFor(t, agentcard.EdDSA, "k")
	good := sign(t, declaring(declares), key)
	forged := []byte(strings.Replace(string(good), pin, otherPin, 1))
	admit := func(card []byte, source string, d agentcard.Demand) *agentcard.Admitted {
		r := verify(t, parse(t, card), public(t, key), agentcard.Policy{Source: source})
		a, _ := agentcard.Admit(r, d)
		return a
	}
	docs := admit(good, homeURL, agentcard.DemandVerified).Documents()
	require.Len(t, docs, 1)
	require.Equal(t, pin, docs[0].Hash().String())
	require.Equal(t, "Grant access", docs[0].Name())
	require.Equal(t, source, docs[0].Source())
	require.Nil(t, admit(forged, homeURL, agentcard.DemandVerified))
	require.Nil(t, admit(forged, homeURL, agentcard.DemandIfSigned))
	require.Nil(t, admit(good, "http://agent.example.com/", agentcard.InsecureIgnoreSignatures))
	require.Len(t, admit([]byte(declaring(declares)), homeURL, agentcard.DemandIfSigned).Documents(), 1)
	require.Empty(t, admit([]byte(plainCard), homeURL, agentcard.DemandIfSigned).Documents())
	require.Empty(t, admit([]byte(declaring(strings.Replace(declares, "true", `"true"`, 1))), homeURL, agentcard.DemandIfSigned).Documents())

	// Of a card that is verified as the SDKs sign it, only what is covered counts: a
	// declaration in a member that is not in the schema is ignored.
	zero := agentcard.AcceptedDocument{}
	require.False(t, zero.Hash().Equal(docs[0].Hash()))
	require.False(t, zero.Hash().Equal(zero.Hash()))
}
