package agentcard_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
)

// Every algorithm signs; the signed card verifies, also when it is written and read again.
func TestSign(t *testing.T) {
	t.Parallel()
	for _, alg := range []agentcard.Algorithm{
		agentcard.ES256, agentcard.ES384, agentcard.ES512, agentcard.EdDSA, agentcard.Ed25519, agentcard.RS256, agentcard.PS256,
	} {
		t.Run(string(alg), func(t *testing.T) {
			t.Parallel()
			key := keyFor(t, alg, "k")
			policy := agentcard.Policy{Algorithms: agentcard.Algorithms()}
			for _, card := range []string{plainCard, richCard} {
				signed := sign(t, card, key)
				r := verify(t, parse(t, signed), public(t, key), policy)
				require.Equal(t, agentcard.OutcomeVerified, r.Outcome, "%+v", r)
				require.Equal(t, string(alg), r.Entries[0].Algorithm)
				require.Empty(t, r.Entries[0].Warnings)
			}
			secret, err := key.JWK()
			require.NoError(t, err)
			again, err := agentcard.ParsePrivateKey(secret, agentcard.Limits{})
			require.NoError(t, err)
			require.Equal(t, "k", again.Public().ID())
			r := verify(t, parse(t, sign(t, plainCard, again)), public(t, key), policy)
			require.Equal(t, agentcard.OutcomeVerified, r.Outcome)
			set, err := again.KeySet()
			require.NoError(t, err)
			require.NotContains(t, string(set), `"d"`)
		})
	}
}

func TestProtectedHeader(t *testing.T) {
	t.Parallel()
	key := keyFor(t, agentcard.EdDSA, `k & "é"`)
	signed, err := agentcard.Sign(parse(t, []byte(plainCard)), key, agentcard.SignOptions{JKU: "https://agent.example.com/jwks.json?a&b"})
	require.NoError(t, err)
	var card struct {
		Signatures []map[string]string
	}
	require.NoError(t, json.Unmarshal(signed, &card))
	header, err := base64.RawURLEncoding.DecodeString(card.Signatures[0]["protected"])
	require.NoError(t, err)
	require.Equal(t, `{"alg":"EdDSA","jku":"https://agent.example.com/jwks.json?a&b","kid":"k & \"é\"","typ":"JOSE"}`, string(header))
	require.Len(t, card.Signatures[0], 2)
}

// Signing keeps the text of the card.
func TestWhereTheSignatureGoes(t *testing.T) {
	t.Parallel()
	key := keyFor(t, agentcard.EdDSA, "k")
	for _, row := range []struct{ name, card, want string }{
		{"empty card", `{}`, `{"signatures":[S]}`},
		{"empty card with space", " { } \n", ` {"signatures":[S] } ` + "\n"},
		{"one line", `{"name":"a"}`, `{"name":"a","signatures":[S]}`},
		{"lines", "{\n  \"name\": \"a\",\n  \"version\": \"1\"\n}\n", "{\n  \"name\": \"a\",\n  \"version\": \"1\",\n  \"signatures\":[S]\n}\n"},
		{"comma first", "{ \"name\" : \"a\"\n, \"version\" : \"1\"\n}", "{ \"name\" : \"a\"\n, \"version\" : \"1\", \"signatures\":[S]\n}"},
		{"null", `{"signatures":null,"name":"a"}`, `{"signatures":[S],"name":"a"}`},
		{"empty list", `{"signatures":[ ],"name":"a"}`, `{"signatures":[ S],"name":"a"}`},
		{"list at the end", `{"name":"a","signatures":[] }`, `{"name":"a","signatures":[S] }`},
		{"list of one", `{"signatures":[{"x":["]}"]}], "name":"a"}`, `{"signatures":[{"x":["]}"]},S], "name":"a"}`},
		{"list of one at the end", "{\"name\":\"a\",\n\"signatures\":[{}]\n}", "{\"name\":\"a\",\n\"signatures\":[{},S]\n}"},
		{"escaped name", `{"signature\u0073":[{}],"name":"]"}`, `{"signature\u0073":[{},S],"name":"]"}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			signed, err := agentcard.Sign(parse(t, []byte(row.card)), key, agentcard.SignOptions{Fragment: true})
			require.NoError(t, err)
			before, after, _ := strings.Cut(row.want, "S]")
			require.True(t, strings.HasPrefix(string(signed), before), string(signed))
			require.True(t, strings.HasSuffix(string(signed), "]"+after), string(signed))
			r := verify(t, parse(t, signed), public(t, key), agentcard.Policy{})
			require.Equal(t, agentcard.OutcomeVerified, r.Outcome)
		})
	}
}

// While keys are rotated, the old signature is kept.
func TestSignTwice(t *testing.T) {
	t.Parallel()
	old, young := keyFor(t, agentcard.ES256, "2026"), keyFor(t, agentcard.EdDSA, "2027")
	once := sign(t, richCard, old)
	for _, strip := range []bool{false, true} {
		twice, err := agentcard.Sign(parse(t, once), young, agentcard.SignOptions{Strip: strip})
		require.NoError(t, err)
		for _, keys := range []agentcard.Keys{public(t, old), public(t, young), public(t, old, young)} {
			r := verify(t, parse(t, twice), keys, agentcard.Policy{})
			require.Equal(t, agentcard.OutcomeVerified, r.Outcome)
			require.Len(t, r.Entries, 2)
		}
		require.Equal(t, agentcard.OutcomeVerified, verify(t, parse(t, twice), public(t, old, young), agentcard.Policy{Signatures: 2}).Outcome)
	}
}

// A stripped card has exactly what the payload has, so that nothing depends on defaults.
func TestStrip(t *testing.T) {
	t.Parallel()
	key := keyFor(t, agentcard.EdDSA, "k")
	for _, card := range []string{richCard, `{}`, `{"skills":[{"examples":[]}],"name":null}`} {
		signed, err := agentcard.Sign(parse(t, []byte(card)), key, agentcard.SignOptions{Strip: true, Fragment: true})
		require.NoError(t, err)
		c := parse(t, signed)
		spec, err := c.Payload(agentcard.Spec)
		require.NoError(t, err)
		raw, err := c.Payload(agentcard.Raw)
		require.NoError(t, err)
		require.Equal(t, string(spec), string(raw))
		whole, err := parse(t, []byte(card)).Payload(agentcard.Spec)
		require.NoError(t, err)
		require.Equal(t, string(whole), string(spec))
		require.Equal(t, agentcard.OutcomeVerified, verify(t, c, public(t, key), agentcard.Policy{}).Outcome)
	}
}

func TestSignRefuses(t *testing.T) {
	t.Parallel()
	key := keyFor(t, agentcard.EdDSA, "k")
	entry := seed(1).entry(goodHeader, small)
	for _, row := range []struct {
		name, card string
		o          agentcard.SignOptions
		code       agentcard.Code
		pointer    string
	}{
		{"a REQUIRED member missing", strings.Replace(plainCard, `"version": "1.0.0",`, "", 1), agentcard.SignOptions{}, agentcard.CodeCardRequired, ""},
		{"a REQUIRED member null", strings.Replace(plainCard, `"1.0.0"`, "null", 1), agentcard.SignOptions{}, agentcard.CodeCardRequired, ""},
		{"a REQUIRED member missing below", strings.Replace(plainCard, `, "tags": ["freight"]`, "", 1), agentcard.SignOptions{}, agentcard.CodeCardRequired, "/skills/0"},
		{"a REQUIRED member missing in a scheme", strings.Replace(plainCard, `"version"`, `"securitySchemes":{"k":{"apiKeySecurityScheme":{"name":"x"}}},"version"`, 1), agentcard.SignOptions{}, agentcard.CodeCardRequired, "/securitySchemes/k/apiKeySecurityScheme"},
		{"snake case", `{"icon_url":"x"}`, agentcard.SignOptions{Fragment: true}, agentcard.CodeCardProtoName, "/icon_url"},
		{"type", `{"capabilities":{"streaming":0}}`, agentcard.SignOptions{Fragment: true}, agentcard.CodeCardType, "/capabilities/streaming"},
		{"oneof", `{"securitySchemes":{"a":{"mtlsSecurityScheme":{},"oauth2SecurityScheme":{}}}}`, agentcard.SignOptions{Fragment: true}, agentcard.CodeCardOneof, "/securitySchemes/a/oauth2SecurityScheme"},
		{"imprecise", `{"x":9007199254740993}`, agentcard.SignOptions{Fragment: true}, agentcard.CodeJSONPrecision, "/x"},
		{"0.3", `{"url":"https://a.example","protocolVersion":"0.3.0"}`, agentcard.SignOptions{Fragment: true}, agentcard.CodeCardV03, ""},
		{"a private key", `{"x":[{"kty":"OKP","d":"AAAA"}]}`, agentcard.SignOptions{Fragment: true}, agentcard.CodeCardPrivateKey, "/x/0"},
		{"a private key of kty AKP", `{"x":[{"kty":"AKP","alg":"ML-DSA-44","priv":"AAAA"}]}`, agentcard.SignOptions{Fragment: true}, agentcard.CodeCardPrivateKey, "/x/0"},
		{"a private key in PEM", `{"x":"-----BEGIN EC PRIVATE KEY-----\nAAAA"}`, agentcard.SignOptions{Fragment: true}, agentcard.CodeCardPrivateKey, "/x"},
		{"signatures an object", `{"signatures":{}}`, agentcard.SignOptions{Fragment: true}, agentcard.CodeSigMalformed, "/signatures"},
		{"too many signatures", `{"signatures":[` + strings.Repeat(entry+",", 15) + entry + `]}`, agentcard.SignOptions{Fragment: true}, agentcard.CodeLimit, "/signatures"},
		{"jku over http", small, agentcard.SignOptions{Fragment: true, JKU: "http://a.example/"}, agentcard.CodeFetchNotHTTPS, ""},
		{"jku with user", small, agentcard.SignOptions{Fragment: true, JKU: "https://u@a.example/"}, agentcard.CodeFetchURL, ""},
		{"jku endless", small, agentcard.SignOptions{Fragment: true, JKU: "https://a.example/" + strings.Repeat("a", 9000)}, agentcard.CodeLimit, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			signed, err := agentcard.Sign(parse(t, []byte(row.card)), key, row.o)
			require.Nil(t, signed)
			require.Equal(t, row.code, codeOf(t, err))
			var e *agentcard.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, row.pointer, e.Pointer)
		})
	}
	// The signature must fit the card's limit, too.
	c, err := agentcard.Parse([]byte(small), agentcard.Limits{CardBytes: 100})
	require.NoError(t, err)
	signed, err := agentcard.Sign(c, key, agentcard.SignOptions{Fragment: true})
	require.Nil(t, signed)
	require.Equal(t, agentcard.CodeJSONTooLarge, codeOf(t, err))
}

// The caller passes the source of randomness; ECDSA can do without, by RFC 6979.
func TestRandomness(t *testing.T) {
	t.Parallel()
	c := parse(t, []byte(plainCard))
	for _, alg := range []agentcard.Algorithm{agentcard.ES256, agentcard.PS256} {
		_, err := agentcard.Sign(c, keyFor(t, alg, "k"), agentcard.SignOptions{})
		require.ErrorContains(t, err, "randomness")
	}
	ec := keyFor(t, agentcard.ES256, "k")
	one, err := agentcard.Sign(c, ec, agentcard.SignOptions{Deterministic: true})
	require.NoError(t, err)
	two, err := agentcard.Sign(c, ec, agentcard.SignOptions{Deterministic: true})
	require.NoError(t, err)
	require.Equal(t, string(one), string(two))
	three, err := agentcard.Sign(c, ec, agentcard.SignOptions{Rand: rnd{}})
	require.NoError(t, err)
	require.NotEqual(t, string(one), string(three))
	_, err = agentcard.Sign(c, keyFor(t, agentcard.PS256, "k"), agentcard.SignOptions{Deterministic: true})
	require.ErrorContains(t, err, "randomness", "RSA-PSS has no such form")
	for _, alg := range []agentcard.Algorithm{agentcard.EdDSA, agentcard.RS256} {
		one, err := agentcard.Sign(c, keyFor(t, alg, "k"), agentcard.SignOptions{})
		require.NoError(t, err)
		two, err := agentcard.Sign(c, keyFor(t, alg, "k"), agentcard.SignOptions{})
		require.NoError(t, err)
		require.Equal(t, string(one), string(two))
	}
}

func TestGenerateKey(t *testing.T) {
	t.Parallel()
	for _, alg := range []agentcard.Algorithm{"", "none", "HS256", "RS384", "ES256K"} {
		_, err := agentcard.GenerateKey(alg, "k", rnd{})
		require.Error(t, err, alg)
	}
	_, err := agentcard.GenerateKey(agentcard.EdDSA, "k", nil)
	require.Error(t, err)
	_, err = agentcard.GenerateKey(agentcard.EdDSA, "k", strings.NewReader("short"))
	require.Error(t, err)
	one, err := agentcard.GenerateKey(agentcard.EdDSA, "", bytes.NewReader(bytes.Repeat([]byte{7}, 32)))
	require.NoError(t, err)
	two, err := agentcard.GenerateKey(agentcard.EdDSA, "", bytes.NewReader(bytes.Repeat([]byte{7}, 32)))
	require.NoError(t, err)
	require.Equal(t, one.Public().ID(), two.Public().ID())
	require.Len(t, one.Public().ID(), 43, "without a kid it is the thumbprint")
}

func TestParsePrivateKey(t *testing.T) {
	t.Parallel()
	secret, err := keyFor(t, agentcard.ES256, "k").JWK()
	require.NoError(t, err)
	other, err := keyFor(t, agentcard.ES256, "other").JWK()
	require.NoError(t, err)
	edit := func(jwk []byte, change func(map[string]any)) string {
		var m map[string]any
		require.NoError(t, json.Unmarshal(jwk, &m))
		change(m)
		out, err := json.Marshal(m)
		require.NoError(t, err)
		return string(out)
	}
	var foreign map[string]any
	require.NoError(t, json.Unmarshal(other, &foreign))
	for name, in := range map[string]string{
		"not JSON":                  "-----BEGIN PRIVATE KEY-----",
		"an array":                  "[]",
		"public":                    jwkOf(t, keyFor(t, agentcard.ES256, "k")),
		"no kid":                    edit(secret, func(m map[string]any) { delete(m, "kid") }),
		"another key's d":           edit(secret, func(m map[string]any) { m["d"] = foreign["d"] }),
		"d not base64url":           edit(secret, func(m map[string]any) { m["d"] = "+/" }),
		"d a number":                edit(secret, func(m map[string]any) { m["d"] = 1 }),
		"no x":                      edit(secret, func(m map[string]any) { delete(m, "x") }),
		"another alg":               edit(secret, func(m map[string]any) { m["alg"] = "ES384" }),
		"alg none":                  edit(secret, func(m map[string]any) { m["alg"] = "none" }),
		"symmetric":                 `{"kty":"oct","k":"AAAA","d":"AAAA","kid":"k"}`,
		"RSA without alg":           `{"kty":"RSA","n":"` + odd(256) + `","e":"AQAB","d":"AAAA","kid":"k"}`,
		"RSA without primes":        `{"kty":"RSA","n":"` + odd(256) + `","e":"AQAB","d":"AAAA","kid":"k","alg":"RS256"}`,
		"duplicate":                 `{"kty":"EC","kty":"EC"}`,
		"revoked":                   edit(secret, func(m map[string]any) { m["revoked"] = false }),
		"an end by another name":    edit(secret, func(m map[string]any) { m["not_after"] = 1 }),
		"exp a text":                edit(secret, func(m map[string]any) { m["exp"] = "2027-01-01T00:00:00Z" }),
		"for encryption":            edit(secret, func(m map[string]any) { m["use"] = "enc" }),
		"Ed25519 with x of another": `{"kty":"OKP","crv":"Ed25519","kid":"k","x":"` + strings.Repeat("A", 43) + `","d":"` + strings.Repeat("A", 43) + `"}`,
	} {
		_, err := agentcard.ParsePrivateKey([]byte(in), agentcard.Limits{})
		require.Error(t, err, name)
		require.NotEmpty(t, codeOf(t, err), name)
		if d, ok := foreign["d"].(string); ok {
			require.NotContains(t, err.Error(), d)
		}
	}
}

// The times of a private key are those of the public half that is published.
func TestTimesOfAPrivateKey(t *testing.T) {
	t.Parallel()
	for _, alg := range []agentcard.Algorithm{agentcard.ES256, agentcard.EdDSA} {
		secret, err := keyFor(t, alg, "k").JWK()
		require.NoError(t, err)
		at := noon().Unix()
		key, err := agentcard.ParsePrivateKey(fmt.Appendf(secret[:len(secret)-1], `,"nbf":%d,"exp":%d.5}`, at, at+60), agentcard.Limits{})
		require.NoError(t, err)
		set, err := key.KeySet()
		require.NoError(t, err)
		require.Contains(t, string(set), fmt.Sprintf(`,"nbf":%d,"exp":%d}]}`, at, at+60))
		again, err := key.JWK()
		require.NoError(t, err)
		require.Contains(t, string(again), fmt.Sprintf(`,"nbf":%d,"exp":%d}`, at, at+60))
		signed := parse(t, sign(t, small, key))
		for second, ended := range map[int]bool{-1: false, 0: false, 59: false, 60: true} {
			require.Equal(t, ended, key.Public().Ended(noon().Add(time.Duration(second)*time.Second)), second)
		}
		require.False(t, keyFor(t, alg, "k").Public().Ended(noon()))
		for second, code := range map[int]agentcard.Code{-1: agentcard.CodeKeyExpired, 0: "", 59: "", 60: agentcard.CodeKeyExpired} {
			r := verify(t, signed, supplied(t, string(set)), agentcard.Policy{At: noon().Add(time.Duration(second) * time.Second)})
			require.Equal(t, code, r.Code, second)
		}
	}
}
