package agentcard_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
)

func TestAppendExtension(t *testing.T) {
	t.Parallel()
	pin := canon.Sum([]byte("a document"))
	full := agentcard.Declaration{
		Description: `Accepts "intents" under pins.`, Required: true, NLNegotiation: true,
		Formats:   []string{"text/turtle", "application/ld+json"},
		Documents: []agentcard.DeclaredDocument{{Name: "Grant access", Source: "https://alice.example/p", Hash: pin}, {Source: "https://b.example/q", Hash: pin}},
	}
	got, err := full.AppendExtension([]byte("x"))
	require.NoError(t, err)
	require.Equal(t, `x{"uri":"https://w3id.org/jeswr/a2a-rdf/v1","description":"Accepts \"intents\" under pins.","required":true,`+
		`"params":{"formats":["text/turtle","application/ld+json"],"nlNegotiation":true,"protocolDocuments":[`+
		`{"name":"Grant access","source":"https://alice.example/p","hash":"`+pin.String()+`"},{"source":"https://b.example/q","hash":"`+pin.String()+`"}]}}`, string(got))

	card, err := agentcard.Parse([]byte(`{"capabilities":{"extensions":[`+string(got[1:])+`]}}`), agentcard.Limits{})
	require.NoError(t, err)
	d := card.Declaration()
	require.True(t, d.Valid)
	require.Equal(t, full.Documents, d.Documents)

	for _, row := range []struct {
		name   string
		change func(d *agentcard.Declaration)
		text   string
	}{
		{"no description", func(d *agentcard.Declaration) { d.Description = "" }, "needs a description"},
		{"description that is not UTF-8", func(d *agentcard.Declaration) { d.Description = "\xff" }, ""},
		{"no formats", func(d *agentcard.Declaration) { d.Formats = nil }, "media types"},
		{"format that is no media type", func(d *agentcard.Declaration) { d.Formats = []string{"turtle;"} }, "is not a media type"},
		{"document without a pin", func(d *agentcard.Declaration) { d.Documents[0].Hash = canon.Digest{} }, "has no pin"},
		{"source over http", func(d *agentcard.Declaration) { d.Documents[0].Source = "http://alice.example/p" }, "https"},
		{"source with a user name", func(d *agentcard.Declaration) { d.Documents[0].Source = "https://u@alice.example/p" }, "user name"},
		{"relative source", func(d *agentcard.Declaration) { d.Documents[0].Source = "p" }, "https"},
		{"long source", func(d *agentcard.Declaration) { d.Documents[0].Source = "https://a/" + strings.Repeat("x", 2048) }, "2048"},
		{"more documents than a reader keeps", func(d *agentcard.Declaration) {
			for range 64 {
				d.Documents = append(d.Documents, d.Documents[0])
			}
		}, "at most 64"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d := full
			d.Documents = append([]agentcard.DeclaredDocument(nil), full.Documents...)
			row.change(&d)
			got, err := d.AppendExtension([]byte("x"))
			require.ErrorContains(t, err, row.text)
			require.Equal(t, "x", string(got))
		})
	}
}
