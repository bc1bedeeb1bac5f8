package agentcard_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
)

var readings = []agentcard.Reading{agentcard.Spec, agentcard.SDK, agentcard.Raw, agentcard.PythonLegacy}

// TestPayload has every row of sections A.3 and A.4: the payload of a card under each
// reading, or "" when it is refused with the code.
func TestPayload(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, card     string
		spec, sdk, raw string
		code           agentcard.Code
	}{
		{"empty", `{}`, `{}`, `{}`, `{}`, ""},
		{"worked example", workedExample,
			`{"capabilities":{"pushNotifications":false,"streaming":false},"description":"","name":"Example Agent","skills":[]}`,
			`{"capabilities":{"pushNotifications":false,"streaming":false},"name":"Example Agent"}`,
			`{"capabilities":{"extensions":[],"pushNotifications":false,"streaming":false},"description":"","name":"Example Agent","skills":[]}`, ""},

		// R1, R2: REQUIRED fields.
		{"REQUIRED string", `{"name":""}`, `{"name":""}`, `{}`, `{"name":""}`, ""},
		{"REQUIRED list", `{"skills":[],"supportedInterfaces":[],"defaultInputModes":[]}`,
			`{"defaultInputModes":[],"skills":[],"supportedInterfaces":[]}`, `{}`,
			`{"defaultInputModes":[],"skills":[],"supportedInterfaces":[]}`, ""},
		{"REQUIRED message", `{"capabilities":{}}`, `{"capabilities":{}}`, `{}`, `{"capabilities":{}}`, ""},
		{"REQUIRED map", `{"securitySchemes":{"o":{"oauth2SecurityScheme":{"flows":{"deviceCode":{"scopes":{}}}}}}}`,
			`{"securitySchemes":{"o":{"oauth2SecurityScheme":{"flows":{"deviceCode":{"scopes":{}}}}}}}`, `{}`,
			`{"securitySchemes":{"o":{"oauth2SecurityScheme":{"flows":{"deviceCode":{"scopes":{}}}}}}}`, ""},

		// R3: plain scalars.
		{"plain string", `{"supportedInterfaces":[{"url":"u","tenant":""}]}`,
			`{"supportedInterfaces":[{"url":"u"}]}`, `{"supportedInterfaces":[{"url":"u"}]}`,
			`{"supportedInterfaces":[{"tenant":"","url":"u"}]}`, ""},
		{"plain string set", `{"supportedInterfaces":[{"tenant":"t"}]}`,
			`{"supportedInterfaces":[{"tenant":"t"}]}`, `{"supportedInterfaces":[{"tenant":"t"}]}`,
			`{"supportedInterfaces":[{"tenant":"t"}]}`, ""},
		{"plain bool", `{"capabilities":{"extensions":[{"uri":"u","required":false}]}}`,
			`{"capabilities":{"extensions":[{"uri":"u"}]}}`, `{"capabilities":{"extensions":[{"uri":"u"}]}}`,
			`{"capabilities":{"extensions":[{"required":false,"uri":"u"}]}}`, ""},
		{"plain bool set", `{"capabilities":{"extensions":[{"required":true}]}}`,
			`{"capabilities":{"extensions":[{"required":true}]}}`, `{"capabilities":{"extensions":[{"required":true}]}}`,
			`{"capabilities":{"extensions":[{"required":true}]}}`, ""},

		// R4: plain lists and maps.
		{"plain list", `{"securityRequirements":[],"name":"a"}`, `{"name":"a"}`, `{"name":"a"}`,
			`{"name":"a","securityRequirements":[]}`, ""},
		{"plain map", `{"securitySchemes":{},"name":"a"}`, `{"name":"a"}`, `{"name":"a"}`,
			`{"name":"a","securitySchemes":{}}`, ""},
		{"plain list of strings keeps every element", `{"skills":[{"examples":["","a",""]}]}`,
			`{"skills":[{"examples":["","a",""]}]}`, `{"skills":[{"examples":["a"]}]}`,
			`{"skills":[{"examples":["","a",""]}]}`, ""},

		// R5: messages that are or become empty.
		{"element", `{"securityRequirements":[{}]}`, `{"securityRequirements":[{}]}`, `{}`, `{"securityRequirements":[{}]}`, ""},
		{"element that becomes empty", `{"securityRequirements":[{"schemes":{}},{"schemes":{"a":{"list":["x"]}}}]}`,
			`{"securityRequirements":[{},{"schemes":{"a":{"list":["x"]}}}]}`,
			`{"securityRequirements":[{"schemes":{"a":{"list":["x"]}}}]}`,
			`{"securityRequirements":[{"schemes":{}},{"schemes":{"a":{"list":["x"]}}}]}`, ""},
		{"map value that becomes empty", `{"securityRequirements":[{"schemes":{"mtls":{"list":[]}}}]}`,
			`{"securityRequirements":[{"schemes":{"mtls":{}}}]}`, `{}`,
			`{"securityRequirements":[{"schemes":{"mtls":{"list":[]}}}]}`, ""},
		{"oneof member", `{"securitySchemes":{"m":{"mtlsSecurityScheme":{"description":""}}}}`,
			`{"securitySchemes":{"m":{"mtlsSecurityScheme":{}}}}`, `{}`,
			`{"securitySchemes":{"m":{"mtlsSecurityScheme":{"description":""}}}}`, ""},
		{"plain message", `{"provider":{}}`, `{"provider":{}}`, `{}`, `{"provider":{}}`, ""},
		{"plain map of strings", `{"securitySchemes":{"o":{"oauth2SecurityScheme":{"flows":{"implicit":{"scopes":{"a":"","b":"x"}}}}}}}`,
			`{"securitySchemes":{"o":{"oauth2SecurityScheme":{"flows":{"implicit":{"scopes":{"a":"","b":"x"}}}}}}}`,
			`{"securitySchemes":{"o":{"oauth2SecurityScheme":{"flows":{"implicit":{"scopes":{"b":"x"}}}}}}}`,
			`{"securitySchemes":{"o":{"oauth2SecurityScheme":{"flows":{"implicit":{"scopes":{"a":"","b":"x"}}}}}}}`, ""},

		// R6: a Struct is data.
		{"params", `{"capabilities":{"extensions":[{"params":{"s":"","l":[],"o":{},"n":null,"z":0,"f":false,"in":[[],{"a":""},"x"]}}]}}`,
			`{"capabilities":{"extensions":[{"params":{"f":false,"in":[[],{"a":""},"x"],"l":[],"n":null,"o":{},"s":"","z":0}}]}}`,
			`{"capabilities":{"extensions":[{"params":{"f":false,"in":["x"],"z":0}}]}}`,
			`{"capabilities":{"extensions":[{"params":{"f":false,"in":[[],{"a":""},"x"],"l":[],"n":null,"o":{},"s":"","z":0}}]}}`, ""},
		{"empty params", `{"capabilities":{"extensions":[{"uri":"u","params":{}}]}}`,
			`{"capabilities":{"extensions":[{"params":{},"uri":"u"}]}}`, `{"capabilities":{"extensions":[{"uri":"u"}]}}`,
			`{"capabilities":{"extensions":[{"params":{},"uri":"u"}]}}`, ""},
		{"names of the schema inside params", `{"capabilities":{"extensions":[{"params":{"signatures":[1],"icon_url":1,"tenant":""}}]}}`,
			`{"capabilities":{"extensions":[{"params":{"icon_url":1,"signatures":[1],"tenant":""}}]}}`,
			`{"capabilities":{"extensions":[{"params":{"icon_url":1,"signatures":[1]}}]}}`,
			`{"capabilities":{"extensions":[{"params":{"icon_url":1,"signatures":[1],"tenant":""}}]}}`, ""},

		// R7: unknown members.
		{"unknown", `{"x":{"a":"","b":[],"c":null},"skills":[{"y":[]}]}`,
			`{"skills":[{"y":[]}],"x":{"a":"","b":[],"c":null}}`, `{}`,
			`{"skills":[{"y":[]}],"x":{"a":"","b":[],"c":null}}`, ""},
		{"other case is another name", `{"Name":"a"}`, `{"Name":"a"}`, `{}`, `{"Name":"a"}`, ""},

		// R8: null.
		{"null on known fields", `{"name":null,"skills":null,"provider":null,"capabilities":{"streaming":null,"extensions":[{"params":null}]}}`,
			`{"capabilities":{"extensions":[{}]}}`, `{}`,
			`{"capabilities":{"extensions":[{"params":null}],"streaming":null},"name":null,"provider":null,"skills":null}`, ""},
		{"null in a oneof is not set", `{"securitySchemes":{"a":{"mtlsSecurityScheme":{},"oauth2SecurityScheme":null}}}`,
			`{"securitySchemes":{"a":{"mtlsSecurityScheme":{}}}}`, `{}`,
			`{"securitySchemes":{"a":{"mtlsSecurityScheme":{},"oauth2SecurityScheme":null}}}`, ""},

		// R9: optional fields that were set.
		{"optional", `{"iconUrl":"","documentationUrl":"","capabilities":{"streaming":false,"extendedAgentCard":true}}`,
			`{"capabilities":{"extendedAgentCard":true,"streaming":false},"documentationUrl":"","iconUrl":""}`,
			`{"capabilities":{"extendedAgentCard":true,"streaming":false}}`,
			`{"capabilities":{"extendedAgentCard":true,"streaming":false},"documentationUrl":"","iconUrl":""}`, ""},

		// R10: the canonical form.
		{"strings", `{"name":"\u00e9\/\u0022\\\u0007\b\t\n\f\r\u001f\u007f\u2028<&>"}`,
			"{\"name\":\"é/\\\"\\\\\\u0007\\b\\t\\n\\f\\r\\u001f\u007f\u2028<&>\"}",
			"{\"name\":\"é/\\\"\\\\\\u0007\\b\\t\\n\\f\\r\\u001f\u007f\u2028<&>\"}",
			"{\"name\":\"é/\\\"\\\\\\u0007\\b\\t\\n\\f\\r\\u001f\u007f\u2028<&>\"}", ""},
		{"no normalization", "{\"name\":\"e\u0301\"}", "{\"name\":\"e\u0301\"}", "{\"name\":\"e\u0301\"}", "{\"name\":\"e\u0301\"}", ""},
		{"order by UTF-16", `{"x":{"\ue000":1,"\ud83d\ude00":2,"\ufb33":3,"\r":4,"1":5,"\u0080":6,"\u00f6":7,"\u20ac":8}}`,
			"{\"x\":{\"\\r\":4,\"1\":5,\"\u0080\":6,\"ö\":7,\"€\":8,\"😀\":2,\"\ue000\":1,\"\ufb33\":3}}", `{}`,
			"{\"x\":{\"\\r\":4,\"1\":5,\"\u0080\":6,\"ö\":7,\"€\":8,\"😀\":2,\"\ue000\":1,\"\ufb33\":3}}", ""},
		{"numbers", `{"x":[4.50,1E30,-0,-0.0,100.0,1000000.0,1e-7,0.000001,333333333.33333329,1e21,9007199254740993]}`,
			`{"x":[4.5,1e+30,0,0,100,1000000,1e-7,0.000001,333333333.3333333,1e+21,9007199254740992]}`, `{}`,
			`{"x":[4.5,1e+30,0,0,100,1000000,1e-7,0.000001,333333333.3333333,1e+21,9007199254740992]}`, ""},

		// Signatures.
		{"signatures at the top", `{"signatures":[{"protected":1}],"name":"a"}`, `{"name":"a"}`, `{"name":"a"}`, `{"name":"a"}`, ""},
		{"signatures of any form at the top", `{"signatures":"x","name":"a"}`, `{"name":"a"}`, `{"name":"a"}`, `{"name":"a"}`, ""},
		{"signatures below", `{"skills":[{"signatures":[]}]}`, `{"skills":[{"signatures":[]}]}`, `{}`, `{"skills":[{"signatures":[]}]}`, ""},

		// Refusals. The raw reading ignores the schema.
		{"snake case", `{"default_input_modes":["a"]}`, "", "", `{"default_input_modes":["a"]}`, agentcard.CodeCardProtoName},
		{"both spellings", `{"defaultInputModes":["a"],"default_input_modes":["b"]}`, "", "",
			`{"defaultInputModes":["a"],"default_input_modes":["b"]}`, agentcard.CodeCardProtoName},
		{"snake case below", `{"skills":[{"input_modes":[]}]}`, "", "", `{"skills":[{"input_modes":[]}]}`, agentcard.CodeCardProtoName},
		{"snake case null", `{"icon_url":null}`, "", "", `{"icon_url":null}`, agentcard.CodeCardProtoName},
		{"string for bool", `{"capabilities":{"streaming":"false"}}`, "", "", `{"capabilities":{"streaming":"false"}}`, agentcard.CodeCardType},
		{"number for string", `{"version":1}`, "", "", `{"version":1}`, agentcard.CodeCardType},
		{"string for list", `{"defaultInputModes":"a"}`, "", "", `{"defaultInputModes":"a"}`, agentcard.CodeCardType},
		{"object for list", `{"skills":{}}`, "", "", `{"skills":{}}`, agentcard.CodeCardType},
		{"list for message", `{"provider":[]}`, "", "", `{"provider":[]}`, agentcard.CodeCardType},
		{"list for map", `{"securitySchemes":[]}`, "", "", `{"securitySchemes":[]}`, agentcard.CodeCardType},
		{"list for Struct", `{"capabilities":{"extensions":[{"params":[]}]}}`, "", "", `{"capabilities":{"extensions":[{"params":[]}]}}`, agentcard.CodeCardType},
		{"number in list of strings", `{"defaultInputModes":[1]}`, "", "", `{"defaultInputModes":[1]}`, agentcard.CodeCardType},
		{"null in list of strings", `{"defaultInputModes":[null]}`, "", "", `{"defaultInputModes":[null]}`, agentcard.CodeCardType},
		{"null in list of messages", `{"skills":[null]}`, "", "", `{"skills":[null]}`, agentcard.CodeCardType},
		{"string in map of messages", `{"securitySchemes":{"a":"b"}}`, "", "", `{"securitySchemes":{"a":"b"}}`, agentcard.CodeCardType},
		{"number in map of strings", `{"securitySchemes":{"a":{"oauth2SecurityScheme":{"flows":{"password":{"scopes":{"a":1}}}}}}}`, "", "",
			`{"securitySchemes":{"a":{"oauth2SecurityScheme":{"flows":{"password":{"scopes":{"a":1}}}}}}}`, agentcard.CodeCardType},
		{"two schemes in one", `{"securitySchemes":{"a":{"mtlsSecurityScheme":{},"apiKeySecurityScheme":{}}}}`, "", "",
			`{"securitySchemes":{"a":{"apiKeySecurityScheme":{},"mtlsSecurityScheme":{}}}}`, agentcard.CodeCardOneof},
		{"two flows in one", `{"securitySchemes":{"a":{"oauth2SecurityScheme":{"flows":{"implicit":{},"password":{}}}}}}`, "", "",
			`{"securitySchemes":{"a":{"oauth2SecurityScheme":{"flows":{"implicit":{},"password":{}}}}}}`, agentcard.CodeCardOneof},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c := parse(t, []byte(row.card))
			for r, want := range map[agentcard.Reading]string{agentcard.Spec: row.spec, agentcard.SDK: row.sdk, agentcard.Raw: row.raw} {
				got, err := c.Payload(r)
				if want == "" {
					require.Equal(t, row.code, codeOf(t, err), r)
					continue
				}
				require.NoError(t, err, r)
				require.Equal(t, want, string(got), r)
			}
		})
	}
}

// The payloads of the cards in the text of the specifications have the known digests.
func TestPayloadOfAFragment(t *testing.T) {
	t.Parallel()
	const fragment = `{"name": "Example Freight Quotes", "description": "Returns freight quotes for pallet shipments.",
		"capabilities": { "streaming": false, "extensions": [] }, "securitySchemes": {},
		"skills": [{"id": "quote", "name": "Freight quote", "description": "Quote a pallet shipment.", "tags": ["freight"], "examples": []}]}`
	got, err := parse(t, []byte(fragment)).Payload(agentcard.Spec)
	require.NoError(t, err)
	require.Equal(t, "c1a88e30", sha(got)[:8])
	require.Equal(t, "5b2d", sha(got)[60:])
	got, err = parse(t, []byte(workedExample)).Payload(agentcard.Spec)
	require.NoError(t, err)
	require.Equal(t, "1808821b320b677eef7f25a322ef398d84e147361dba544687684369bb0856e3", sha(got))
}

func TestPythonLegacy(t *testing.T) {
	t.Parallel()
	for card, want := range map[string]string{
		`{"name":"é😀\u007f"}`:      "{\"name\":\"\\u00e9\\ud83d\\ude00\u007f\"}",
		`{"name":"a","skills":[]}`: `{"name":"a"}`,
		`{"capabilities":{"extensions":[{"params":{"\ue000":1,"\ud83d\ude00":2}}]}}`:                                               `{"capabilities":{"extensions":[{"params":{"\ue000":1,"\ud83d\ude00":2}}]}}`,
		`{"capabilities":{"extensions":[{"params":{"a":[4.50,100.0,1E30,1e-5,0.0001,12345678901234567.0,1e15,-0,-0.0,7,1e16]}}]}}`: `{"capabilities":{"extensions":[{"params":{"a":[4.5,100.0,1e+30,1e-05,0.0001,1.2345678901234568e+16,1000000000000000.0,0,-0.0,7,1e+16]}}]}}`,
	} {
		got, err := parse(t, []byte(card)).Payload(agentcard.PythonLegacy)
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
}

// The payload does not depend on the order of members and on white space.
func TestPayloadDoesNotDependOnSpelling(t *testing.T) {
	t.Parallel()
	for _, card := range []string{plainCard, richCard} {
		var tree any
		require.NoError(t, json.Unmarshal([]byte(card), &tree))
		for _, r := range readings {
			want, err := parse(t, []byte(card)).Payload(r)
			require.NoError(t, err)
			for seed := range uint64(20) {
				random := rand.New(rand.NewPCG(seed, 1))
				got, err := parse(t, respell(random, tree)).Payload(r)
				require.NoError(t, err)
				require.Equal(t, string(want), string(got), r)
			}
		}
	}
}

// respell writes a JSON value with its members in a random order, and with white space and
// escapes that are not needed.
func respell(random *rand.Rand, v any) []byte {
	space := func() string { return [...]string{"", " ", "\n", "\t \r\n"}[random.IntN(4)] }
	quote := func(s string) string {
		var b strings.Builder
		b.WriteByte('"')
		for _, r := range s {
			switch {
			case r == '"' || r == '\\' || r < ' ' || r < 0x10000 && random.IntN(3) == 0:
				fmt.Fprintf(&b, `\u%04x`, r)
			case r == '/':
				b.WriteString(`\/`)
			default:
				b.WriteRune(r)
			}
		}
		return b.String() + `"`
	}
	var write func(v any) string
	write = func(v any) string {
		switch v := v.(type) {
		case map[string]any:
			var parts []string
			for name, value := range v {
				parts = append(parts, space()+quote(name)+space()+":"+space()+write(value)+space())
			}
			random.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
			return "{" + strings.Join(parts, ",") + "}"
		case []any:
			var parts []string
			for _, e := range v {
				parts = append(parts, space()+write(e)+space())
			}
			return "[" + strings.Join(parts, ",") + "]"
		case string:
			return quote(v)
		}
		b, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		return string(b)
	}
	return []byte(space() + write(v) + space())
}

func TestReadings(t *testing.T) {
	t.Parallel()
	for _, r := range readings {
		got, ok := agentcard.ReadingByName(r.String())
		require.True(t, ok)
		require.Equal(t, r, got)
		text, err := r.MarshalText()
		require.NoError(t, err)
		require.Equal(t, r.String(), string(text))
	}
	_, ok := agentcard.ReadingByName("unknown")
	require.False(t, ok)
	require.Equal(t, "unknown", agentcard.Reading(9).String())
}

func TestFields(t *testing.T) {
	t.Parallel()
	fields := agentcard.Fields()
	count := map[string]int{}
	messages := map[string]bool{}
	for _, f := range fields {
		count[f.Presence]++
		messages[f.Message] = true
		require.NotEmpty(t, f.Type)
	}
	require.Len(t, fields, 81)
	require.Len(t, messages, 21)
	require.Equal(t, map[string]int{"REQUIRED": 32, "optional": 5, "oneof": 10, "plain": 34}, count)
	i := slices.IndexFunc(fields, func(f agentcard.Field) bool { return f.Name == "securitySchemes" })
	require.Equal(t, agentcard.Field{
		Message: "AgentCard", Name: "securitySchemes", ProtoName: "security_schemes", Type: "map<string, SecurityScheme>", Presence: "plain",
	}, fields[i])
}

func TestParse(t *testing.T) {
	t.Parallel()
	deep := func(n int) string { return `{"x":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}" }
	for _, row := range []struct {
		name, card string
		want       agentcard.Code
	}{
		{"empty", "", agentcard.CodeJSONSyntax},
		{"truncated", `{"name":"a"`, agentcard.CodeJSONSyntax},
		{"two values", `{} {}`, agentcard.CodeJSONSyntax},
		{"byte order mark", "\ufeff{}", agentcard.CodeJSONSyntax},
		{"comment", "{/**/}", agentcard.CodeJSONSyntax},
		{"array", `[]`, agentcard.CodeCardNotObject},
		{"null", `null`, agentcard.CodeCardNotObject},
		{"string", `"a"`, agentcard.CodeCardNotObject},
		{"duplicate", `{"name":"a","name":"b"}`, agentcard.CodeJSONDuplicate},
		{"duplicate by escape", `{"a":1,"\u0061":2}`, agentcard.CodeJSONDuplicate},
		{"duplicate deep down", `{"x":[{"a":1,"a":1}]}`, agentcard.CodeJSONDuplicate},
		{"lone surrogate", `{"name":"\ud800"}`, agentcard.CodeJSONUnicode},
		{"reversed surrogates", `{"name":"\ude00\ud83d"}`, agentcard.CodeJSONUnicode},
		{"not UTF-8", "{\"name\":\"\xff\"}", agentcard.CodeJSONUnicode},
		{"infinite", `{"n":1e400}`, agentcard.CodeJSONRange},
		{"deep", deep(64), agentcard.CodeJSONTooDeep},
		{"large", `{"x":"` + strings.Repeat("a", 256<<10) + `"}`, agentcard.CodeJSONTooLarge},
		{"many values", `{"x":[` + strings.Repeat("1,", 65535) + `1]}`, agentcard.CodeLimit},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, err := agentcard.Parse([]byte(row.card), agentcard.Limits{})
			require.Equal(t, row.want, codeOf(t, err), "%v", err)
		})
	}
	parse(t, []byte(deep(63)))
	_, err := agentcard.Parse([]byte("{\n \"name\": \"a\",\n \"name\": \"b\"}"), agentcard.Limits{})
	var e *agentcard.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, 3, e.Line)
	require.Equal(t, 2, e.Column)
	require.Equal(t, "/name", e.Pointer)
	require.True(t, strings.HasPrefix(e.Error(), "3:2: "))
}

func TestCardIsItsBytes(t *testing.T) {
	t.Parallel()
	data := []byte(plainCard)
	c := parse(t, data)
	data[5] = 'X'
	require.Equal(t, plainCard, string(c.Bytes()))
	c.Bytes()[0] = 'X'
	require.Equal(t, plainCard, string(c.Bytes()))
	require.Equal(t, "Pallet Quotes", c.Name())
	require.Equal(t, []agentcard.Interface{{
		URL: "https://agent.example.com/a2a/v1", ProtocolBinding: "JSONRPC", ProtocolVersion: "1.0",
	}}, c.Interfaces())
	require.Equal(t, 8, c.Root().Len())
	empty := parse(t, []byte(`{"supportedInterfaces":[1,{"url":2}]}`))
	require.Empty(t, empty.Name())
	require.Equal(t, make([]agentcard.Interface, 2), empty.Interfaces())
}

// Limits can be raised and lowered, but not switched off.
func TestLimits(t *testing.T) {
	t.Parallel()
	_, err := agentcard.Parse([]byte(`{"x":[[1]]}`), agentcard.Limits{Depth: 2})
	require.Equal(t, agentcard.CodeJSONTooDeep, codeOf(t, err))
	_, err = agentcard.Parse([]byte(`{"x":1}`), agentcard.Limits{CardBytes: 6})
	require.Equal(t, agentcard.CodeJSONTooLarge, codeOf(t, err))
	_, err = agentcard.Parse([]byte(`{"x":1}`), agentcard.Limits{CardBytes: 7, Depth: -1})
	require.NoError(t, err)
	_, err = agentcard.Parse([]byte(`{"x":`+strings.Repeat("[", 5000)+strings.Repeat("]", 5000)+`}`), agentcard.Limits{Depth: 1 << 30})
	require.Equal(t, agentcard.CodeJSONTooDeep, codeOf(t, err), "recursion has an end whatever the limits say")
	require.Equal(t, agentcard.DefaultLimits(), agentcard.Limits{}.OrDefault())
	raised, err := agentcard.Parse([]byte(`{"x":`+strings.Repeat("[", 200)+`"`+strings.Repeat("a", 400<<10)+`"`+strings.Repeat("]", 200)+`}`),
		agentcard.Limits{CardBytes: 1 << 20, Depth: 300})
	require.NoError(t, err)
	key := keyFor(t, agentcard.EdDSA, "k")
	signed, err := agentcard.Sign(raised, key, agentcard.SignOptions{Fragment: true})
	require.NoError(t, err, "raised limits hold for payloads, too")
	raised, err = agentcard.Parse(signed, agentcard.Limits{CardBytes: 1 << 20, Depth: 300})
	require.NoError(t, err)
	require.Equal(t, agentcard.OutcomeVerified, verify(t, raised, public(t, key), agentcard.Policy{}).Outcome)
	// Each limit is tested with a card just within it and one just beyond.
	k := seed(1)
	exact := withSignatures(k.entry(goodHeader, small))
	set := []byte(`{"keys":[` + k.jwk(`,"kid":"k1"`) + `]}`)
	two := []byte(`{"keys":[` + k.jwk(`,"kid":"k1"`) + `,` + k.jwk(`,"kid":"k2"`) + `]}`)
	for _, beyond := range []int64{0, 1} {
		_, err = agentcard.Parse(exact, agentcard.Limits{CardBytes: int64(len(exact)) - beyond})
		require.Equal(t, beyond == 0, err == nil, "card bytes")
		_, err = agentcard.ParseKeySet(set, agentcard.Limits{KeySetBytes: int64(len(set)) - beyond})
		require.Equal(t, beyond == 0, err == nil, "set bytes")
		_, err = agentcard.ParseKeySet(two, agentcard.Limits{Keys: 2 - int(beyond)})
		require.Equal(t, beyond == 0, err == nil, "keys")
		_, err = agentcard.Parse([]byte(`{"x":[[1]]}`), agentcard.Limits{Depth: 3 - int(beyond)})
		require.Equal(t, beyond == 0, err == nil, "depth")
		_, err = agentcard.Parse([]byte(`{"x":[1]}`), agentcard.Limits{Values: 3 - int(beyond)})
		require.Equal(t, beyond == 0, err == nil, "values")
		c, err := agentcard.Parse(exact, agentcard.Limits{HeaderBytes: int64(len(goodHeader)) - beyond})
		require.NoError(t, err)
		keys := supplied(t, string(set))
		require.Equal(t, beyond == 0, verify(t, c, keys, agentcard.Policy{}).Code == "", "header bytes")
		c, err = agentcard.Parse(withSignatures(k.entry(goodHeader, small), k.entry(goodHeader, small)), agentcard.Limits{Signatures: 2 - int(beyond)})
		require.NoError(t, err)
		require.Equal(t, beyond == 0, verify(t, c, keys, agentcard.Policy{}).Code == "", "signatures")
	}
	all := agentcard.Limits{CardBytes: 1, KeySetBytes: 2, HeaderBytes: 3, Depth: 4, Values: 5, Signatures: 6, Keys: 7, Diagnosis: 8}
	require.Equal(t, all, all.OrDefault())
}
