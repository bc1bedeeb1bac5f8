package owg_test

import (
	"crypto/rand"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/owg"
)

func options() owg.CardOptions {
	return owg.CardOptions{ProviderOrg: "Studio", ProviderURL: "https://studio.example", URL: "https://studio.example/a2a"}
}

// TestCard is the example of section C.5.
func TestCard(t *testing.T) {
	t.Parallel()
	out, err := parse(t, file(t, "season.json")).Card(options())
	require.NoError(t, err)
	require.Equal(t, `{"name":"Studio","description":"Deliver the season with dubbing",`+
		`"supportedInterfaces":[{"url":"https://studio.example/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],`+
		`"provider":{"organization":"Studio","url":"https://studio.example"},"version":"1.0.0","capabilities":{},`+
		`"defaultInputModes":["application/json"],"defaultOutputModes":["application/json"],`+
		`"skills":[{"id":"season-one","name":"season-one","description":"Deliver the season with dubbing","tags":["owg"]}]}`, compact(t, string(out)))
	for _, f := range card(t, string(out)).Lint() {
		require.NotEqual(t, agentcard.Wrong, f.Level, f.Text)
	}
}

// TestCardMembers has the other rows of section C.5.
func TestCardMembers(t *testing.T) {
	t.Parallel()
	o := options()
	o.Name, o.Version, o.Tags = "Press", "2.0.0", []string{"print", "books"}
	o.InputsExtension = "https://press.example/inputs"
	o.Extensions = [][]byte{[]byte(` {"uri":"https://press.example/terms","required":false} `)}
	out, err := parse(t, edit(t, file(t, "book-to-press.json"), change{"title", "Edition"})).Card(o)
	require.NoError(t, err)
	text := compact(t, string(out))
	for _, part := range []string{
		`"name":"Press"`, `"version":"2.0.0"`, `"tags":["print","books"]`, `"id":"book-to-press","name":"Edition"`,
		`"description":"Make a printed edition of a manuscript. Inputs: `,
		`{"uri":"https://press.example/terms","required":false}`,
		`"uri":"https://press.example/inputs","description":"the inputs of the skill, as data","params":{"inputs":[{"name":"copies","type":"integer","required":true},{"name":"deadline","type":"date","required":false},{"name":"manuscript","type":"uri","required":true}]}`,
	} {
		require.Contains(t, text, part)
	}
	out, err = parse(t, file(t, "book-to-press.json")).Card(options())
	require.NoError(t, err)
	require.Contains(t, string(out), "Inputs: manuscript (uri, required), copies (integer, required), deadline (date, optional).")
}

// TestSignedCard: the card can be signed, and verifies.
func TestSignedCard(t *testing.T) {
	t.Parallel()
	out, err := parse(t, file(t, "season.json")).Card(options())
	require.NoError(t, err)
	key, err := agentcard.GenerateKey(agentcard.EdDSA, "k1", rand.Reader)
	require.NoError(t, err)
	signed, err := agentcard.Sign(card(t, string(out)), key, agentcard.SignOptions{})
	require.NoError(t, err)
	set, err := key.KeySet()
	require.NoError(t, err)
	keys, err := agentcard.ParseKeySet(set, agentcard.Limits{})
	require.NoError(t, err)
	require.Equal(t, agentcard.OutcomeVerified, verified(t, string(signed), agentcard.Keys{Supplied: keys}).Outcome)
}

// TestCardLeaks: no name of what is behind the work gets onto the card, wherever in the
// workflow it is.
func TestCardLeaks(t *testing.T) {
	t.Parallel()
	base := edit(t, file(t, "season.json"),
		change{"participants.2.name", "Vendor Dubbing Ltd"}, change{"participants.1.title", "Lead House"},
		change{"participants.2.operated_by", "exec"}, change{"tasks.1.executor", map[string]any{"type": "grpc", "ref": "localize-dub", "endpoint": "https://farm.render.example:8443/x", "note": "on wss://u@edge.render.example, at night"}},
		change{"tasks.0.id", "assemble_season"}, change{"assets", []any{"masters", "season_package", "dub_ep1", map[string]any{"id": "raw_takes"}}})
	words := []string{"dub", "masters"}
	weak := append([]string{"assemble_season", "dub_ep1", "raw_takes", "write:deliverables"}, words...)
	for _, name := range []string{
		"exec", "prodco_agent", "vendor_agent", "Vendor Dubbing Ltd", "vendor dubbing ltd", "VENDOR_AGENT", "Lead House", "org_vendor", "org_prodco", "org_studio",
		"urn:studio:exec", "agents.vendor.example", "https://agents.vendor.example/.well-known/agent-card.json", "farm.render.example",
		"a2a", "grpc", "localize-dub", "produce-season", "assemble_season", "dub_ep1", "raw_takes", "dub", "masters", "edge.render.example", "read:masters", "write:deliverables",
	} {
		for _, sentence := range []string{"%", "Deliver via %", "% delivers", "by (%), soon", "it's %.", "x-%-y", "via %\nnow"} {
			text := strings.ReplaceAll(sentence, "%", name)
			for _, at := range []change{
				{"objective", text}, {"params", map[string]any{text: "string"}}, {"params", map[string]any{"n": map[string]any{"type": text}}},
				{"title", text}, {"name", text}, {"id", text},
			} {
				anyway := sentence == "%" && at.path == "params" && slices.Contains(weak, name) || at.path == "id" && slices.Contains(words, name)
				_, err := parse(t, edit(t, base, at)).Card(options())
				if anyway {
					params, _ := at.value.(map[string]any)
					_, own := params[name]
					require.Equal(t, at.path == "id" || own, err == nil, "%q at %s", text, at.path)
					continue
				}
				require.Equal(t, owg.CodeCardLeak, codeOf(t, err), "%q at %s", text, at.path)
			}
		}
		if name != "exec" { // also a part of other names
			o := options()
			o.Allow = []string{name, "exec", "agents.vendor.example", "org_vendor", "vendor_agent"}
			_, err := parse(t, edit(t, base, change{"objective", "Deliver via " + name})).Card(o)
			require.NoError(t, err, name)
		}
	}
	for _, fine := range []string{"Deliver the season with dubbing", "executive", "vendor_agents", "season", "one", "my_vendor_agent2", "provendor_agent", "vendor_agent2 vendor_agent3"} {
		_, err := parse(t, edit(t, base, change{"objective", fine})).Card(options())
		require.NoError(t, err, fine)
	}
	// What the caller passes is kept.
	o := options()
	o.ProviderOrg, o.Tags = "org_studio", []string{"vendor_agent"}
	_, err := parse(t, edit(t, base, change{"objective", "Deliver for org_studio"})).Card(o)
	require.NoError(t, err)
}

func TestCardSources(t *testing.T) {
	t.Parallel()
	base := file(t, "season.json")
	for _, c := range []change{
		{"id", gone{}}, {"objective", gone{}}, {"objective", "  "}, {"params", 1}, {"params", "x"}, {"params", []any{"x"}}, {"params", []any{map[string]any{"type": "x"}}},
		{"params", map[string]any{"a": 1}}, {"params", map[string]any{"a": map[string]any{"required": "yes"}}}, {"params", map[string]any{"a": map[string]any{"type": 1}}},
		{"params", []any{map[string]any{"name": "a"}, map[string]any{"id": "a"}}}, {"params", map[string]any{"": "string"}},
	} {
		_, err := parse(t, edit(t, base, c)).Card(options())
		require.Equal(t, owg.CodeCardSource, codeOf(t, err), "%v", c)
	}
	for _, change := range []func(*owg.CardOptions){
		func(o *owg.CardOptions) { o.ProviderOrg = "" }, func(o *owg.CardOptions) { o.ProviderURL = "studio" }, func(o *owg.CardOptions) { o.ProviderURL = "ftp://studio.example" },
		func(o *owg.CardOptions) { o.URL = "" }, func(o *owg.CardOptions) { o.URL = "http://studio.example" },
		func(o *owg.CardOptions) { o.Extensions = [][]byte{[]byte(`{}`)} }, func(o *owg.CardOptions) { o.Extensions = [][]byte{[]byte(`[]`)} },
	} {
		o := options()
		change(&o)
		_, err := parse(t, base).Card(o)
		require.Equal(t, owg.CodeCardSource, codeOf(t, err))
	}
	o := options()
	o.Extensions = [][]byte{[]byte(`{"uri":`)}
	_, err := parse(t, base).Card(o)
	require.Equal(t, owg.CodeJSONSyntax, codeOf(t, err))
	_, err = parse(t, edit(t, base, change{"tasks.1.delegation.scope", []any{"all"}})).Card(options())
	require.Equal(t, owg.CodeDelegationWidens, codeOf(t, err))
}

func TestParams(t *testing.T) {
	t.Parallel()
	base := file(t, "season.json")
	for text, want := range map[string][]owg.Param{
		`{"a":"string"}`:                       {{Name: "a", Type: "string", Required: true}},
		`{"a":{"type":"x","required":false}}`:  {{Name: "a", Type: "x"}},
		`{"a":{"default":1}}`:                  {{Name: "a"}},
		`{"a":{"default":1,"required":true}}`:  {{Name: "a", Required: true}},
		`[{"name":"b"},{"id":"a","type":"t"}]`: {{Name: "b", Required: true}, {Name: "a", Type: "t", Required: true}},
		`{}`:                                   nil,
		`[]`:                                   nil,
		`{"b":{},"a":{"description":"x","other":[1]}}`: {{Name: "a", Required: true}, {Name: "b", Required: true}},
	} {
		var v any
		require.NoError(t, json.Unmarshal([]byte(text), &v))
		got, err := parse(t, edit(t, base, change{"params", v})).Params()
		require.NoError(t, err)
		require.Equal(t, want, got, text)
	}
}

// TestCardLeaksInDisguise: a name is found in any spelling.
func TestCardLeaksInDisguise(t *testing.T) {
	t.Parallel()
	base := edit(t, file(t, "season.json"), change{"participants.2.name", "Société Dubbing Ltd"})
	for _, text := range []string{
		"vendor\u200b_agent", "ven\u00addor_agent", "\u2066vendor_agent\u2069", "ｖｅｎｄｏｒ＿ａｇｅｎｔ", "VENDOR_AGENT", "vendor_agent\ufe0f", "vendor%5Fagent", "%76endor_agent", "vendor&#95;agent", "vendor&lowbar;agent", "%26%2395;vendor_agent",
		"https://x.example/?a=vendor%5fagent", "<b>vendor_agent</b>", "Socie\u0301te\u0301 Dubbing Ltd", "Société  Dubbing\nLtd", "Soci&eacute;t&eacute;\u00a0Dubbing Ltd", "soci%C3%A9t%C3%A9 dubbing ltd",
		"https://AGENTS.vendor.example./", "agents.vendor%2Eexample",
	} {
		_, err := parse(t, edit(t, base, change{"objective", "via " + text + "!"})).Card(options())
		require.Equal(t, owg.CodeCardLeak, codeOf(t, err), text)
	}
	// The addresses that the caller passes are not secret, others are.
	for text, ok := range map[string]bool{"see studio.example": true, "see https://studio.example/x": true, "see https://docs.studio.example": false, "100% %zz &nbsp %": true} {
		_, err := parse(t, edit(t, base, change{"objective", text})).Card(options())
		require.Equal(t, ok, err == nil, text)
	}
}

// TestCardWork: the work of the search is bounded, whatever the texts.
func TestCardWork(t *testing.T) {
	t.Parallel()
	for _, row := range [][2]string{{"a", "a"}, {"((", "("}, {"a aa", "a a"}} {
		text := strings.Repeat(row[0], 1_000_000/len(row[0]))
		name := strings.Repeat(row[1], 300_000/len(row[1]))
		w := `{"id":"w","objective":"` + text + `","participants":[{"id":"` + name + `x","kind":"human"},{"id":"` + name + `","kind":"human"}],"tasks":[]}`
		if _, err := parse(t, w).Card(options()); err != nil {
			require.Contains(t, []owg.Code{owg.CodeLimit, owg.CodeCardLeak, owg.CodeCardSource}, codeOf(t, err))
		}
	}
}
