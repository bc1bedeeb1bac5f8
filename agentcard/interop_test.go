package agentcard_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
)

// sdkVariable names a folder in which @a2a-js/sdk (1.0.1 or later) and jose are
// installed.
const sdkVariable = "RDFPROTO_A2A_JS"

// interop are the cards on which implementations are compared: what differs from
// a plain card, whether the SDK verifies what is signed here, and under which
// readings what the SDK signs is valid here. docs/card-interop.md shows the same
// table.
var interop = []struct {
	name, old, new string
	there          bool
	here           []agentcard.Reading
}{
	{"nothing special", "", "", true, all},
	{"text beyond ASCII", "Pallet Quotes", "Cotations palettes, é, 😀, \\u2028", true, all},
	{"keys beyond U+FFFF and numbers in params", `"streaming"`, `"extensions": [{"uri": "u", "params": {"\ue000": 4.50, "\ud83d\ude00": 1E30, "z": 100.0, "s": 1e-7}}], "streaming"`, true, all},
	{"REQUIRED string empty", `"Quotes pallet shipments."`, `""`, false, sdkAlone},
	{"REQUIRED list empty", `["freight"]`, `[]`, false, sdkAlone},
	{"capabilities empty", `{"streaming": false}`, `{}`, false, sdkAlone},
	{"optional string set to empty", `"version"`, `"iconUrl": "", "version"`, false, sdkAlone},
	{"optional flag false", `"streaming": false`, `"streaming": false, "pushNotifications": false`, true, all},
	{"plain flag false", `"streaming"`, `"extensions": [{"uri": "u", "required": false}], "streaming"`, true, notRaw},
	{"plain list empty", `"streaming"`, `"extensions": [], "streaming"`, true, notRaw},
	{"plain string empty", `"protocolBinding"`, `"tenant": "", "protocolBinding"`, true, notRaw},
	{"requirement without a scheme", `"version"`, `"securityRequirements": [{}], "version"`, false, sdkAlone},
	{"scheme without members", `"version"`, `"securitySchemes": {"m": {"mtlsSecurityScheme": {}}}, "version"`, false, sdkAlone},
	{"scheme with members", `"version"`, `"securitySchemes": {"o": {"openIdConnectSecurityScheme": {"openIdConnectUrl": "https://id.example/"}}}, "securityRequirements": [{"schemes": {"o": {"list": ["openid"]}}}], "version"`, true, all},
	{"params with empty values", `"streaming"`, `"extensions": [{"uri": "u", "params": {"a": "", "b": [], "c": {}, "d": null, "e": 0}}], "streaming"`, false, sdkAlone},
	{"params empty", `"streaming"`, `"extensions": [{"uri": "u", "params": {}}], "streaming"`, false, sdkAlone},
	{"unknown member", `"version"`, `"x-shelf": {"a": 1}, "version"`, false, sdkAlone},
	{"members of 0.3", `"version"`, `"url": "https://agent.example.com/", "preferredTransport": "JSONRPC", "version"`, false, sdkAlone},
	{"null for an optional field", `"version"`, `"iconUrl": null, "version"`, true, notRaw},
}

var (
	all      = []agentcard.Reading{agentcard.Spec, agentcard.SDK, agentcard.Raw}
	notRaw   = []agentcard.Reading{agentcard.Spec, agentcard.SDK}
	sdkAlone = []agentcard.Reading{agentcard.SDK}
)

func TestInteropWithTheJavaScriptSDK(t *testing.T) {
	t.Parallel()
	folder := os.Getenv(sdkVariable)
	if folder == "" {
		t.Skipf("the SDK is not here: set %s to a folder in which @a2a-js/sdk and jose are installed", sdkVariable)
	}
	script, err := filepath.Abs(filepath.Join("testdata", "interop", "sdk.mjs"))
	require.NoError(t, err)
	for _, alg := range []agentcard.Algorithm{agentcard.ES256, agentcard.EdDSA, agentcard.RS256} {
		t.Run(string(alg), func(t *testing.T) {
			t.Parallel()
			key := keyFor(t, alg, "interop")
			secret, err := key.JWK()
			require.NoError(t, err)
			request := struct {
				Alg     agentcard.Algorithm        `json:"alg"`
				Private json.RawMessage            `json:"private"`
				Public  json.RawMessage            `json:"public"`
				Sign    map[string]json.RawMessage `json:"sign"`
				Verify  map[string]json.RawMessage `json:"verify"`
			}{alg, secret, json.RawMessage(jwkOf(t, key)), map[string]json.RawMessage{}, map[string]json.RawMessage{}}
			for _, row := range interop {
				card := strings.Replace(plainCard, row.old, row.new, 1)
				request.Sign[row.name] = json.RawMessage(card)
				request.Verify[row.name] = sign(t, card, key)
			}
			in, err := json.Marshal(request)
			require.NoError(t, err)
			cmd := exec.CommandContext(t.Context(), "node", script)
			cmd.Dir, cmd.Stdin = folder, bytes.NewReader(in)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			require.NoError(t, err, stderr.String())
			var answer struct {
				Signed   map[string]json.RawMessage
				Verified map[string]bool
			}
			require.NoError(t, json.Unmarshal(out, &answer))
			for _, row := range interop {
				require.Equal(t, row.there, answer.Verified[row.name], "signed here, verified there: %s", row.name)
				var under []agentcard.Reading
				for _, r := range all {
					report := verify(t, parse(t, answer.Signed[row.name]), public(t, key), agentcard.Policy{Readings: []agentcard.Reading{r}})
					if report.Outcome == agentcard.OutcomeVerified {
						under = append(under, r)
					}
				}
				require.Equal(t, row.here, under, "signed there, verified here: %s", row.name)
			}
		})
	}
}

// The table in the documentation is the one that is tested.
func TestInteropIsDocumented(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(filepath.Join("..", "docs", "card-interop.md"))
	require.NoError(t, err)
	for _, row := range interop {
		there := map[bool]string{true: "yes", false: "no"}[row.there]
		var under []string
		for _, r := range row.here {
			under = append(under, r.String())
		}
		require.Contains(t, string(doc), "| "+row.name+" | "+there+" | "+strings.Join(under, ", ")+" |\n")
	}
}
