package agentcard_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
)

func TestLint(t *testing.T) {
	t.Parallel()
	key := keyFor(t, agentcard.EdDSA, "k")
	clean := string(sign(t, plainCard, key))
	replace := func(old, new string) string {
		t.Helper()
		changed := strings.Replace(clean, old, new, 1)
		require.NotEqual(t, clean, changed, old)
		return changed
	}
	add := func(members string) string { return replace(`"version"`, members+`,"version"`) }
	const declared = `"capabilities": {"extensions": [{"uri": "https://w3id.org/jeswr/a2a-rdf/v1", "description": "d", "params": {"formats": ["text/turtle"]}}], "streaming"`
	for _, row := range []struct {
		name, card string
		want       map[agentcard.Code]string // code to pointer, of those that must be there
		exactly    bool
	}{
		{"clean", clean, nil, true},
		{"unsigned", plainCard, map[agentcard.Code]string{agentcard.CodeLintUnsigned: ""}, true},
		{"empty object", `{}`, map[agentcard.Code]string{agentcard.CodeCardRequired: "", agentcard.CodeLintUnsigned: ""}, true},
		{"0.3", `{"url":"https://a.example","protocolVersion":"0.3.0"}`, map[agentcard.Code]string{agentcard.CodeCardV03: ""}, false},
		{"snake case", add(`"icon_url":"https://a.example/i"`), map[agentcard.Code]string{agentcard.CodeCardProtoName: "/icon_url"}, true},
		{"type", replace(`"streaming": false`, `"streaming": 0`), map[agentcard.Code]string{agentcard.CodeCardType: "/capabilities/streaming"}, true},
		{"imprecise", add(`"x":9007199254740993`), map[agentcard.Code]string{agentcard.CodeJSONPrecision: "/x", agentcard.CodeLintUnknown: "/x", agentcard.CodeLintAmbiguous: "/x"}, true},
		{"private key", add(`"x":{"kty":"EC","d":"x"}`), map[agentcard.Code]string{agentcard.CodeCardPrivateKey: "/x"}, false},
		{"old member", add(`"preferredTransport":"JSONRPC"`), map[agentcard.Code]string{agentcard.CodeLintOldMember: "/preferredTransport", agentcard.CodeLintAmbiguous: "/preferredTransport"}, true},
		{"unknown", add(`"x":1`), map[agentcard.Code]string{agentcard.CodeLintUnknown: "/x", agentcard.CodeLintAmbiguous: "/x"}, true},
		{"unknown below", replace(`"tags"`, `"x":1,"tags"`), map[agentcard.Code]string{agentcard.CodeLintUnknown: "/skills/0/x", agentcard.CodeLintAmbiguous: "/skills/0/x"}, true},
		{"other case", add(`"IconUrl":"https://a.example/"`), map[agentcard.Code]string{agentcard.CodeLintUnknown: "/IconUrl", agentcard.CodeLintAmbiguous: "/IconUrl"}, true},
		{"empty REQUIRED array", replace(`["freight"]`, `[]`), map[agentcard.Code]string{agentcard.CodeLintEmptyRequired: "/skills/0/tags", agentcard.CodeLintAmbiguous: "/skills/0/tags"}, true},
		{"empty REQUIRED string", replace(`"Quotes pallet shipments."`, `""`), map[agentcard.Code]string{agentcard.CodeLintAmbiguous: "/description"}, true},
		{"default that is stripped", replace(`"streaming"`, `"extensions": [], "streaming"`), map[agentcard.Code]string{agentcard.CodeLintAmbiguous: "/capabilities/extensions"}, true},
		{"not ASCII", replace("Pallet", "Palett\u00e9"), map[agentcard.Code]string{agentcard.CodeLintPython: ""}, true},
		{"endpoint over http", replace("https://agent", "http://agent"), map[agentcard.Code]string{agentcard.CodeLintURL: "/supportedInterfaces/0/url"}, true},
		{"gRPC endpoint", replace("https://agent.example.com/a2a/v1", "agent.example.com:443"), nil, true},
		{"icon over http", add(`"iconUrl":"http://a.example/"`), map[agentcard.Code]string{agentcard.CodeLintURL: "/iconUrl"}, true},
		{"no authentication", add(`"securityRequirements":[{}]`), map[agentcard.Code]string{agentcard.CodeLintOpen: "/securityRequirements/0", agentcard.CodeLintAmbiguous: "/securityRequirements"}, true},
		{"no authentication for a skill", replace(`"tags"`, `"securityRequirements":[{"schemes":{}}],"tags"`), map[agentcard.Code]string{agentcard.CodeLintOpen: "/skills/0/securityRequirements/0"}, false},
		{"undefined scheme", add(`"securityRequirements":[{"schemes":{"k":{"list":["x"]}}}]`), map[agentcard.Code]string{agentcard.CodeLintScheme: "/securityRequirements/0/schemes/k"}, true},
		{"defined scheme", add(`"securitySchemes":{"k":{"apiKeySecurityScheme":{"name":"a","location":"header"}}},"securityRequirements":[{"schemes":{"k":{"list":["x"]}}}]`), nil, true},
		{"signature malformed", replace(`"protected"`, `"protected_"`), map[agentcard.Code]string{agentcard.CodeSigMalformed: "/signatures/0"}, false},
		{"signature that ends by an unknown name", string(with(t, []byte(plainCard), "signatures", "["+seed(1).entry(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","expires":1}`, small)+"]")), map[agentcard.Code]string{agentcard.CodeSigExpired: "/signatures/0"}, true},
		{"signatures an object", strings.Replace(plainCard, `"version"`, `"signatures":{},"version"`, 1), map[agentcard.Code]string{agentcard.CodeSigMalformed: "/signatures"}, false},
		{"large", replace("Pallet", strings.Repeat("a", 32<<10)), map[agentcard.Code]string{agentcard.CodeLintSize: ""}, true},
		{"declaration", replace(`"capabilities": {"streaming"`, declared), nil, true},
		{"declaration required", replace(`"capabilities": {"streaming"`, strings.Replace(declared, `"description"`, `"required": true, "description"`, 1)), map[agentcard.Code]string{agentcard.CodeDeclRequired: "/capabilities/extensions/0/required"}, true},
		{"declaration invalid", replace(`"capabilities": {"streaming"`, strings.Replace(declared, `"formats": ["text/turtle"]`, `"nlNegotiation": "true"`, 1)), map[agentcard.Code]string{agentcard.CodeDeclInvalid: "/capabilities/extensions/0/params/nlNegotiation"}, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			found := parse(t, []byte(row.card)).Lint()
			have := map[agentcard.Code]bool{}
			level := agentcard.Wrong
			for _, f := range found {
				require.NotEmpty(t, f.Text)
				require.LessOrEqual(t, f.Level, level, "errors come first")
				level = f.Level
				have[f.Code] = true
				require.Equal(t, f.Pointer != "", f.Line > 1 || f.Column > 1, "a place wherever there is a pointer: %+v", f)
				if pointer, ok := row.want[f.Code]; ok && f.Code != agentcard.CodeCardRequired {
					require.Equal(t, pointer, f.Pointer, "%+v", f)
				}
			}
			for code := range row.want {
				require.True(t, have[code], "%s is missing: %+v", code, found)
			}
			if row.exactly {
				require.Len(t, have, len(row.want), "%+v", found)
			}
		})
	}
}

// A card that lint finds clean has the same payload under every reading.
func TestLintCleanMeansPortable(t *testing.T) {
	t.Parallel()
	c := parse(t, sign(t, plainCard, keyFor(t, agentcard.ES256, "k")))
	require.Empty(t, c.Lint())
	want, err := c.Payload(agentcard.Spec)
	require.NoError(t, err)
	for _, r := range readings {
		got, err := c.Payload(r)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), r)
	}
}

// However many warnings there are, an error is found.
func TestLintManyWarnings(t *testing.T) {
	t.Parallel()
	var members strings.Builder
	for i := range 1100 {
		fmt.Fprintf(&members, `,"u%d":1`, i)
	}
	card := strings.TrimSuffix(strings.TrimSpace(plainCard), "}") + members.String() + `,"signatures":[{"protected":"!","signature":"x"}]}`
	found := parse(t, []byte(card)).Lint()
	require.Equal(t, agentcard.Wrong, found[0].Level)
	require.Equal(t, agentcard.CodeBase64, found[0].Code)
	require.Len(t, found, 1001)
}

// Lint reports signatures that some verifiers refuse.
func TestLintSignatures(t *testing.T) {
	t.Parallel()
	k := seed(1)
	for header, want := range map[string]agentcard.Code{
		`{"alg":"EdDSA","kid":"k1"}`:                                          agentcard.CodeSigTyp,
		`{"alg":"HS256","kid":"k1","typ":"JOSE"}`:                             agentcard.CodeLintSignature,
		`{"alg":"ES512","kid":"k1","typ":"JOSE"}`:                             agentcard.CodeLintSignature,
		`{"alg":"ES384","kid":"k1","typ":"JOSE"}`:                             agentcard.CodeSigLength,
		`{"alg":"EdDSA","kid":"k1","typ":"JOSE","jku":"http://a.example/"}`:   agentcard.CodeLintSignature,
		`{"alg":"EdDSA","kid":"k1","typ":"JOSE","jku":null}`:                  agentcard.CodeSigJKUNull,
		`{"alg":"EdDSA","kid":"k1","typ":"JOSE","jwk":{}}`:                    agentcard.CodeSigKeyIgnored,
		`{"alg":"EdDSA","typ":"JOSE"}`:                                        agentcard.CodeSigKidMissing,
		`{"alg":"EdDSA","kid":"k1","typ":"JOSE","crit":["x"],"x":1}`:          agentcard.CodeSigCrit,
		`{"alg":"EdDSA","kid":"k1","typ":"JOSE","jku":"https://a.example/s"}`: "",
	} {
		found := parse(t, with(t, []byte(plainCard), "signatures", "["+k.entry(header, small)+"]")).Lint()
		if want == "" {
			require.Empty(t, found, header)
			continue
		}
		require.Len(t, found, 1, header)
		require.Equal(t, want, found[0].Code, header)
	}
	require.Equal(t, "error", agentcard.Wrong.String())
	require.Equal(t, "warning", agentcard.Warning.String())
}

// TestLintOfALongName: it is not copied for everything below it.
func TestLintOfALongName(t *testing.T) {
	c := parse(t, []byte(`{"securitySchemes":{"`+strings.Repeat("n", 200_000)+`":{`+members(1000)+`}}}`))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	found := c.Lint()
	runtime.ReadMemStats(&after)
	require.GreaterOrEqual(t, len(found), 1000)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(30<<20))
}

// members are so many members of an object.
func members(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(`"%04d":0`, i)
	}
	return strings.Join(all, ",")
}
