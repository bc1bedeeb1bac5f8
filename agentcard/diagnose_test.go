package agentcard_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
)

// TestDiagnosis has a row for each failure that the specification lists and for each way
// of writing cards that is known from the field.
func TestDiagnosis(t *testing.T) {
	t.Parallel()
	k := seed(1)
	const rich = `{"name":"Éclair <a/b> & 😀","description":"","capabilities":{"streaming":false,"extensions":[{"uri":"u","required":false,"params":{"\ue000":4.50,"\ud83d\ude00":100.0,"b":1E30}}]},"skills":[]}`
	const stripped = `{"capabilities":{"extensions":[{"params":{"b":1e+30,"😀":100,"` + "\ue000" + `":4.5},"uri":"u"}],"streaming":false},"description":"","name":"Éclair <a/b> & 😀","skills":[]}`
	escaped := func(old ...string) string { return strings.NewReplacer(old...).Replace(stripped) }
	// Go's encoding/json sorts keys by bytes, escapes for HTML, and has its own form of
	// numbers.
	var tree any
	require.NoError(t, json.Unmarshal([]byte(stripped), &tree))
	goes, err := json.Marshal(tree)
	require.NoError(t, err)
	for _, row := range []struct {
		name, card, signed string
		code               agentcard.Code
		would              []agentcard.Reading
		says               string
	}{
		{"signed as served, with the defaults", rich, `{"capabilities":{"extensions":[{"params":{"b":1e+30,"😀":100,"` + "\ue000" + `":4.5},"required":false,"uri":"u"}],"streaming":false},"description":"","name":"Éclair <a/b> & 😀","skills":[]}`,
			agentcard.CodeDiagReading, []agentcard.Reading{agentcard.Raw}, "reading raw"},
		{"signed by an SDK that drops REQUIRED fields", rich, `{"capabilities":{"extensions":[{"params":{"b":1e+30,"😀":100,"` + "\ue000" + `":4.5},"uri":"u"}],"streaming":false},"name":"Éclair <a/b> & 😀"}`,
			agentcard.CodeDiagReading, []agentcard.Reading{agentcard.SDK}, "reading sdk"},
		{"signed by an older Python SDK", `{"name":"É","description":"","version":"1"}`, `{"name":"\u00c9","version":"1"}`,
			agentcard.CodeDiagReading, []agentcard.Reading{agentcard.PythonLegacy}, "reading py-legacy"},
		{"explicit false lost on the way", `{"name":"a","capabilities":{}}`, `{"capabilities":{"streaming":false},"name":"a"}`,
			agentcard.CodeDiagFalse, nil, "/capabilities/streaming"},
		{"two explicit false lost", `{"name":"a","capabilities":{"streaming":true}}`, `{"capabilities":{"extendedAgentCard":false,"pushNotifications":false,"streaming":true},"name":"a"}`,
			agentcard.CodeDiagFalse, nil, "/capabilities/pushNotifications, /capabilities/extendedAgentCard"},
		{"explicit false lost from what an SDK signs", `{"name":"a","description":"","capabilities":{}}`, `{"capabilities":{"streaming":false},"name":"a"}`,
			agentcard.CodeDiagFalse, nil, "/capabilities/streaming"},
		{"keys sorted by bytes", rich, escaped(`"😀":100,"`+"\ue000"+`":4.5`, "\"\ue000\":4.5,\"😀\":100"),
			agentcard.CodeDiagForm, nil, "members sorted by code point"},
		{"keys not sorted", `{"name":"a","description":"b"}`, `{"name":"a","description":"b"}`,
			agentcard.CodeDiagForm, nil, "members not sorted"},
		{"numbers as Python writes them", rich, escaped("100", "100.0"), agentcard.CodeDiagForm, nil, "numbers written as Python does"},
		{"numbers as they were written", rich, escaped("100", "100.0", "4.5", "4.50", "1e+30", "1E30"), agentcard.CodeDiagForm, nil, "numbers kept as they were written"},
		{"characters escaped", rich, escaped("É", `\u00c9`, "😀", `\ud83d\ude00`, "\ue000", `\ue000`), agentcard.CodeDiagForm, nil, `escaped as \uXXXX`},
		{"HTML escaped", rich, escaped("<", `\u003c`, ">", `\u003e`, "&", `\u0026`), agentcard.CodeDiagForm, nil, `\u003c`},
		{"slashes escaped", rich, escaped("/", `\/`), agentcard.CodeDiagForm, nil, `\/`},
		{"Go's encoding/json", rich, string(goes), agentcard.CodeDiagForm, nil, "members sorted by code point instead of UTF-16 code unit, <, > and & escaped"},
		{"not sorted and escaped", `{"name":"\u00e9\u007f\"\\\n","description":"😀","x":1.0}`, `{"name":"\u00e9` + "\x7f" + `\"\\\n","description":"\ud83d\ude00","x":1.0}`,
			agentcard.CodeDiagForm, nil, "members not sorted, characters beyond ASCII escaped"},
		{"another card", rich, `{"name":"b"}`, "", nil, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			card := with(t, []byte(row.card), "signatures", "["+k.entry(goodHeader, row.signed)+"]")
			keys := supplied(t, `{"keys":[`+k.jwk(`,"kid":"k1"`)+`]}`)
			r := verify(t, parse(t, card), keys, agentcard.Policy{Explain: true})
			require.Equal(t, agentcard.OutcomeInvalid, r.Outcome, "whatever would verify, this does not")
			require.Equal(t, agentcard.CodeSigInvalid, r.Code)
			if row.would == nil {
				row.would = []agentcard.Reading{}
			}
			require.Equal(t, row.would, r.WouldVerifyUnder)
			if row.code == "" {
				require.Empty(t, r.Entries[0].Diagnosis)
				return
			}
			require.Len(t, r.Entries[0].Diagnosis, 1, "%+v", r.Entries[0])
			require.Equal(t, row.code, r.Entries[0].Diagnosis[0].Code)
			require.Contains(t, r.Entries[0].Diagnosis[0].Text, row.says)

			// Unless the policy asks for an explanation, only the readings are tried.
			r = verify(t, parse(t, card), keys, agentcard.Policy{})
			require.Equal(t, row.would, r.WouldVerifyUnder)
			require.Equal(t, row.code == agentcard.CodeDiagReading, len(r.Entries[0].Diagnosis) > 0)
		})
	}
}

// The diagnosis names the members that make the difference.
func TestDifferences(t *testing.T) {
	t.Parallel()
	k := seed(1)
	keys := supplied(t, `{"keys":[`+k.jwk(`,"kid":"k1"`)+`]}`)
	const card = `{"name":"a","description":"","securityRequirements":[{"schemes":{"m":{"list":[]}}}],"skills":[],"tenant":1,"capabilities":{"extensions":[]}}`
	for signed, want := range map[agentcard.Reading][]agentcard.Difference{
		agentcard.Raw: {
			{Pointer: "/securityRequirements/0/schemes/m/list", Reading: agentcard.Raw, Spec: "left out", Other: "kept"},
			{Pointer: "/capabilities/extensions", Reading: agentcard.Raw, Spec: "left out", Other: "kept"},
		},
		agentcard.SDK: {
			{Pointer: "/description", Reading: agentcard.SDK, Spec: "kept", Other: "left out"},
			{Pointer: "/securityRequirements", Reading: agentcard.SDK, Spec: "kept", Other: "left out"},
			{Pointer: "/skills", Reading: agentcard.SDK, Spec: "kept", Other: "left out"},
			{Pointer: "/tenant", Reading: agentcard.SDK, Spec: "kept", Other: "left out"},
			{Pointer: "/capabilities", Reading: agentcard.SDK, Spec: "kept", Other: "left out"},
		},
	} {
		r := verify(t, parse(t, signedUnder(t, card, signed, k)), keys, agentcard.Policy{})
		require.Equal(t, []agentcard.Reading{signed}, r.WouldVerifyUnder)
		require.Equal(t, want, r.Differences)
	}
}

// The diagnosis finds the key under another kid.
func TestWrongKid(t *testing.T) {
	t.Parallel()
	a, b := seed(1), seed(2)
	card := parse(t, withSignatures(a.entry(goodHeader, small)))
	for name, row := range map[string]struct {
		keys string
		code agentcard.Code
		says string
	}{
		"other kid":                     {a.jwk(`,"kid":"k2"`), agentcard.CodeKeyNotFound, `the key "k2" verifies`},
		"no kid":                        {a.jwk(""), agentcard.CodeKeyNotFound, `the key "" verifies`},
		"kids exchanged":                {a.jwk(`,"kid":"k2"`) + "," + b.jwk(`,"kid":"k1"`), agentcard.CodeSigInvalid, `the key "k2" verifies`},
		"not the key at all":            {b.jwk(`,"kid":"k1"`), agentcard.CodeSigInvalid, ""},
		"expired, and nothing else":     {a.jwk(`,"kid":"k1","exp":1`), agentcard.CodeKeyExpired, ""},
		"expired, and of another name":  {a.jwk(`,"kid":"k2","exp":1`), agentcard.CodeKeyNotFound, `the key "k2" verifies`},
		"of another name, and not sig":  {a.jwk(`,"kid":"k2","use":"enc"`), agentcard.CodeKeyNotFound, ""},
		"of another name, RSA":          {jwkOf(t, keyFor(t, agentcard.RS256, "k2")), agentcard.CodeKeyNotFound, ""},
		"with the right kid, ambiguous": {a.jwk(`,"kid":"k1"`) + "," + b.jwk(`,"kid":"k1"`), agentcard.CodeKeyAmbiguous, ""},
	} {
		r := verify(t, card, supplied(t, `{"keys":[`+row.keys+`]}`), agentcard.Policy{Explain: true})
		require.Equal(t, row.code, r.Code, name)
		if row.says == "" {
			require.Empty(t, r.Entries[0].Diagnosis, name)
			continue
		}
		require.Equal(t, agentcard.CodeDiagWrongKid, r.Entries[0].Diagnosis[0].Code, name)
		require.Contains(t, r.Entries[0].Diagnosis[0].Text, row.says, name)
	}
	// In a trust store and in a set that was fetched.
	trust, err := agentcard.ParseTrustStore([]byte(`{"version":1,"keys":[{"jwk":`+a.jwk(`,"kid":"k2"`)+`}]}`), agentcard.Limits{})
	require.NoError(t, err)
	r := verify(t, card, agentcard.Keys{Trust: trust}, agentcard.Policy{Explain: true})
	require.Equal(t, agentcard.CodeDiagWrongKid, r.Entries[0].Diagnosis[0].Code)
	s := newServer()
	s.sets[jwksURL] = `{"keys":[` + a.jwk(`,"kid":"k2"`) + `]}`
	keys := agentcard.Keys{
		Trust: trustJKU(t, `{"mode":"allowlist","allow":["`+jwksURL+`"]}`), Sets: agentcard.NewKeySets(s, s.clock, agentcard.Limits{}),
	}
	r = verify(t, parse(t, located(a, "k1", jwksURL)), keys, agentcard.Policy{Explain: true})
	require.Equal(t, agentcard.CodeKeyNotFound, r.Code)
	require.Equal(t, agentcard.CodeDiagWrongKid, r.Entries[0].Diagnosis[0].Code)
}

// The search for an explanation is bounded.
func TestDiagnosisIsBounded(t *testing.T) {
	t.Parallel()
	k := seed(1)
	card := with(t, []byte(richCard), "signatures", "["+k.entry(goodHeader, `{}`)+"]")
	keys := supplied(t, `{"keys":[`+k.jwk(`,"kid":"k1"`)+`]}`)
	c, err := agentcard.Parse(card, agentcard.Limits{Diagnosis: 10_000})
	require.NoError(t, err)
	r := verify(t, c, keys, agentcard.Policy{Explain: true})
	require.Equal(t, agentcard.CodeDiagStopped, r.Entries[0].Diagnosis[0].Code)
	c, err = agentcard.Parse(card, agentcard.Limits{Diagnosis: 1})
	require.NoError(t, err)
	r = verify(t, c, keys, agentcard.Policy{})
	require.Equal(t, agentcard.OutcomeInvalid, r.Outcome)
	require.Empty(t, r.WouldVerifyUnder)
	// With sixteen signatures and eight keys, the checks exceed the bound.
	var set []string
	for i := range byte(8) {
		set = append(set, seed(i+2).jwk(fmt.Sprintf(`,"kid":"x%d"`, i)))
	}
	entry := k.entry(goodHeader, `{}`)
	r = verify(t, parse(t, with(t, []byte(richCard), "signatures", "["+strings.Repeat(entry+",", 15)+entry+"]")), supplied(t, `{"keys":[`+strings.Join(set, ",")+`]}`), agentcard.Policy{Explain: true})
	require.Equal(t, agentcard.CodeDiagStopped, r.Entries[15].Diagnosis[0].Code)
	// Checks with slow algorithms count for more, and those of the readings count, too: of
	// sixteen signatures and two keys these are 128.
	slow := agentcard.Policy{Algorithms: agentcard.Algorithms()}
	for alg, stops := range map[agentcard.Algorithm]bool{agentcard.ES256: false, agentcard.ES512: true} {
		size := map[agentcard.Algorithm]int{agentcard.ES256: 64, agentcard.ES512: 132}[alg]
		key := keyFor(t, alg, "k1")
		bad := `{"protected":"` + b64(`{"alg":"`+string(alg)+`","kid":"k1","typ":"JOSE"}`) + `","signature":"` + base64.RawURLEncoding.EncodeToString(make([]byte, size)) + `"}`
		for _, many := range []int{1, 16} {
			c := parse(t, with(t, []byte(`{"name":"é","capabilities":{"extensions":[]},"skills":[]}`), "signatures", "["+strings.Repeat(bad+",", many-1)+bad+"]"))
			for _, slow.Explain = range []bool{false, true} {
				r := verify(t, c, public(t, key, keyFor(t, alg, "k2")), slow)
				require.Equal(t, agentcard.OutcomeInvalid, r.Outcome)
				last := r.Entries[many-1].Diagnosis
				require.Equal(t, stops && many == 16, len(last) == 1 && last[0].Code == agentcard.CodeDiagStopped, "%s, %d, %v", alg, many, slow.Explain)
			}
		}
	}
	// So do those of a large payload: numbers can make it several times as long as the card.
	grown := `{"x":[` + strings.Repeat("1e20,", 40_000) + `0],"signatures":[` + strings.Repeat(entry+",", 15) + entry + `]}`
	r = verify(t, parse(t, []byte(grown)), supplied(t, `{"keys":[`+strings.Join(set[:8], ",")+`]}`), agentcard.Policy{})
	require.Equal(t, agentcard.CodeDiagStopped, r.Entries[15].Diagnosis[0].Code)
	// The whole search over a large card with as many signatures as are allowed ends.
	large := `{"name":"` + strings.Repeat("é/<a>", 20_000) + `"}`
	entries := strings.Repeat(k.entry(goodHeader, `{}`)+",", 15) + k.entry(goodHeader, `{}`)
	r = verify(t, parse(t, with(t, []byte(large), "signatures", "["+entries+"]")), keys, agentcard.Policy{Explain: true})
	require.Equal(t, agentcard.OutcomeInvalid, r.Outcome)
}

// TestDiagnosisCountsNumbers: a number costs more than its bytes, one of large magnitude
// most, so that no card of numbers makes the search long.
func TestDiagnosisCountsNumbers(t *testing.T) {
	t.Parallel()
	k := seed(1)
	keys := supplied(t, `{"keys":[`+k.jwk(`,"kid":"k1"`)+`]}`)
	list := func(element string, times int) string {
		return `{"x":[` + strings.Repeat(element+",", times-1) + element + `]}`
	}
	for _, row := range []struct {
		name, card string
		stopped    bool
	}{
		{"text", list(`"abcd"`, 100), false},
		{"small numbers", list("123456", 100), false},
		{"many small numbers", list("1", 350), true},
		{"as many words", list("true", 140), false},
		{"exponents", list("1e-300", 100), true},
		{"exponents in capitals", list("1E+300", 100), true},
		{"many digits", list("0."+strings.Repeat("1", 16), 35), true},
		{"numbers further in", list(`{"a":[[1e-300]]}`, 40), true},
		{"one exponent", list("1e-300", 1), false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c, err := agentcard.Parse(with(t, []byte(row.card), "signatures", "["+k.entry(goodHeader, `{"name":"another card"}`)+"]"), agentcard.Limits{Diagnosis: 300_000})
			require.NoError(t, err)
			r := verify(t, c, keys, agentcard.Policy{Explain: true})
			require.Equal(t, agentcard.OutcomeInvalid, r.Outcome)
			if !row.stopped {
				require.Empty(t, r.Entries[0].Diagnosis)
				return
			}
			require.Len(t, r.Entries[0].Diagnosis, 1)
			require.Equal(t, agentcard.CodeDiagStopped, r.Entries[0].Diagnosis[0].Code)
		})
	}
}
