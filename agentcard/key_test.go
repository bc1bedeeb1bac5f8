package agentcard_test

import (
	"crypto"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
)

// TestKeySets has every rule about the keys of a set (K-4, K-5, K-6, ALG-3, ALG-5).
func TestKeySets(t *testing.T) {
	t.Parallel()
	a, b := seed(1), seed(2)
	ec := keyFor(t, agentcard.ES256, "k1")
	signedByEC := string(sign(t, small, ec))
	good := string(withSignatures(a.entry(goodHeader, small)))
	rsa := keyFor(t, agentcard.RS256, "k1")
	rsaJWK := jwkOf(t, rsa)
	without := func(jwk, member string) string {
		var m map[string]any
		require.NoError(t, json.Unmarshal([]byte(jwk), &m))
		delete(m, member)
		out, err := json.Marshal(m)
		require.NoError(t, err)
		return string(out)
	}
	add := func(jwk, members string) string { return jwk[:len(jwk)-1] + members + "}" }
	change := func(jwk, member, value string) string { return add(without(jwk, member), `,"`+member+`":`+value) }
	for _, row := range []struct {
		name, card string
		keys       []string
		code       agentcard.Code
		warning    agentcard.Code
	}{
		{"good", good, []string{a.jwk(`,"kid":"k1"`)}, "", ""},
		{"with alg and use", good, []string{a.jwk(`,"kid":"k1","alg":"EdDSA","use":"sig","key_ops":["sign","verify"]`)}, "", ""},
		{"alg of RFC 9864", good, []string{a.jwk(`,"kid":"k1","alg":"Ed25519"`)}, "", ""},
		{"no keys", good, nil, agentcard.CodeKeyNotFound, ""},
		{"another kid", good, []string{a.jwk(`,"kid":"k2"`)}, agentcard.CodeKeyNotFound, ""},
		{"no kid", good, []string{a.jwk("")}, agentcard.CodeKeyNotFound, ""},
		{"unknown type beside", good, []string{`{"kty":"XX","kid":"k1"}`, a.jwk(`,"kid":"k1"`)}, "", agentcard.CodeJWKSKeySkipped},
		{"unknown curve beside", good, []string{`{"kty":"EC","crv":"secp256k1","x":"AA","y":"AA","kid":"k1"}`, a.jwk(`,"kid":"k1"`)}, "", agentcard.CodeJWKSKeySkipped},
		{"another curve of OKP", good, []string{`{"kty":"OKP","crv":"X25519","x":"` + strings.Repeat("A", 43) + `","kid":"k1"}`}, agentcard.CodeKeyNotFound, agentcard.CodeJWKSKeySkipped},
		{"member missing", good, []string{`{"kty":"OKP","crv":"Ed25519","kid":"k1"}`}, agentcard.CodeKeyNotFound, agentcard.CodeJWKSKeySkipped},
		{"kid a number", good, []string{a.jwk(`,"kid":1`)}, agentcard.CodeKeyNotFound, agentcard.CodeJWKSKeySkipped},
		{"x padded", good, []string{change(a.jwk(`,"kid":"k1"`), "x", `"`+strings.Repeat("A", 43)+`="`)}, agentcard.CodeKeyNotFound, agentcard.CodeJWKSKeySkipped},
		{"x short", good, []string{change(a.jwk(`,"kid":"k1"`), "x", `"AAAA"`)}, agentcard.CodeKeyNotFound, agentcard.CodeJWKSKeySkipped},
		{"low order point", good, []string{change(a.jwk(`,"kid":"k1"`), "x", `"AQ`+strings.Repeat("A", 41)+`"`)}, agentcard.CodeKeyNotFound, agentcard.CodeJWKSKeySkipped},
		{"private", good, []string{a.jwk(`,"kid":"k1","d":"AAAA"`)}, agentcard.CodeKeyNotFound, agentcard.CodeJWKSPrivateKey},
		{"symmetric", good, []string{`{"kty":"oct","kid":"k1","k":"AAAA"}`}, agentcard.CodeKeyNotFound, agentcard.CodeJWKSPrivateKey},
		{"private, of kty AKP", good, []string{`{"kty":"AKP","kid":"k1","alg":"ML-DSA-44","pub":"AAAA","priv":"AAAA"}`}, agentcard.CodeKeyNotFound, agentcard.CodeJWKSPrivateKey},
		{"for encryption", good, []string{a.jwk(`,"kid":"k1","use":"enc"`)}, agentcard.CodeKeyUse, ""},
		{"for signing alone", good, []string{a.jwk(`,"kid":"k1","key_ops":["sign"]`)}, agentcard.CodeKeyUse, ""},
		{"key_ops no list", good, []string{a.jwk(`,"kid":"k1","key_ops":"verify"`)}, agentcard.CodeKeyNotFound, agentcard.CodeJWKSKeySkipped},
		{"key_ops of numbers", good, []string{a.jwk(`,"kid":"k1","key_ops":[1]`)}, agentcard.CodeKeyNotFound, agentcard.CodeJWKSKeySkipped},
		{"for encryption, and one for signatures", good, []string{a.jwk(`,"kid":"k1","use":"enc"`), a.jwk(`,"kid":"k1"`)}, "", ""},
		{"two with the kid", good, []string{a.jwk(`,"kid":"k1"`), b.jwk(`,"kid":"k1"`)}, agentcard.CodeKeyAmbiguous, ""},
		{"the same twice", good, []string{a.jwk(`,"kid":"k1"`), a.jwk(`,"kid":"k1"`)}, agentcard.CodeKeyAmbiguous, ""},
		{"two with the kid, of two algorithms", good, []string{a.jwk(`,"kid":"k1"`), jwkOf(t, ec)}, "", ""},
		{"key of another algorithm", good, []string{jwkOf(t, ec)}, agentcard.CodeKeyAlgMismatch, ""},
		{"key says another algorithm", good, []string{a.jwk(`,"kid":"k1","alg":"ES256"`)}, agentcard.CodeKeyAlgMismatch, ""},
		{"key says none", good, []string{a.jwk(`,"kid":"k1","alg":"none"`)}, agentcard.CodeKeyAlgMismatch, ""},
		{"key of ECDH", good, []string{a.jwk(`,"kid":"k1","alg":"ECDH-ES"`)}, agentcard.CodeKeyAlgMismatch, ""},
		{"EC", signedByEC, []string{jwkOf(t, ec)}, "", ""},
		{"EC without alg", signedByEC, []string{without(jwkOf(t, ec), "alg")}, "", ""},
		{"EC off the curve", signedByEC, []string{change(jwkOf(t, ec), "y", `"`+strings.Repeat("A", 43)+`"`)}, agentcard.CodeKeyNotFound, agentcard.CodeJWKSKeySkipped},
		{"EC of another curve", signedByEC, []string{jwkOf(t, keyFor(t, agentcard.ES384, "k1"))}, agentcard.CodeKeyAlgMismatch, ""},
		{"EC named as another curve", signedByEC, []string{change(jwkOf(t, ec), "crv", `"P-384"`)}, agentcard.CodeKeyNotFound, agentcard.CodeJWKSKeySkipped},
		{"not valid yet", good, []string{a.jwk(fmt.Sprintf(`,"kid":"k1","nbf":%d`, noon().Unix()+1))}, agentcard.CodeKeyExpired, ""},
		{"valid from now", good, []string{a.jwk(fmt.Sprintf(`,"kid":"k1","nbf":%d`, noon().Unix()))}, "", ""},
		{"valid for a second more", good, []string{a.jwk(fmt.Sprintf(`,"kid":"k1","exp":%d`, noon().Unix()+1))}, "", ""},
		{"expired", good, []string{a.jwk(fmt.Sprintf(`,"kid":"k1","exp":%d`, noon().Unix()))}, agentcard.CodeKeyExpired, ""},
		{"exp a string", good, []string{a.jwk(`,"kid":"k1","exp":"never"`)}, agentcard.CodeKeyNotFound, agentcard.CodeJWKSKeySkipped},
		{"exp without end", good, []string{a.jwk(`,"kid":"k1","exp":1e300`)}, agentcard.CodeKeyNotFound, agentcard.CodeJWKSKeySkipped},
		// What ends under another name is not used, whatever that says.
		{"revoked", good, []string{a.jwk(`,"kid":"k1","revoked":true`)}, agentcard.CodeKeyMalformed, ""},
		{"revoked as OpenID Federation has it", good, []string{a.jwk(`,"kid":"k1","revoked":{"revoked_at":1,"reason":"compromised"}`)}, agentcard.CodeKeyMalformed, ""},
		{"revoked false", good, []string{a.jwk(`,"kid":"k1","revoked":false`)}, agentcard.CodeKeyMalformed, ""},
		{"revoked null", good, []string{a.jwk(`,"kid":"k1","revoked":null`)}, agentcard.CodeKeyMalformed, ""},
		{"revoked_at", good, []string{a.jwk(`,"kid":"k1","revoked_at":"2026-01-01T00:00:00Z"`)}, agentcard.CodeKeyMalformed, ""},
		{"expires", good, []string{a.jwk(`,"kid":"k1","expires":"2099-01-01T00:00:00Z"`)}, agentcard.CodeKeyMalformed, ""},
		{"not_after", good, []string{a.jwk(`,"kid":"k1","not_after":1`)}, agentcard.CodeKeyMalformed, ""},
		{"notBefore", good, []string{a.jwk(`,"kid":"k1","notBefore":1`)}, agentcard.CodeKeyMalformed, ""},
		{"exp in capitals", good, []string{a.jwk(`,"kid":"k1","EXP":1`)}, agentcard.CodeKeyMalformed, ""},
		{"exp in capitals beside exp", good, []string{a.jwk(fmt.Sprintf(`,"kid":"k1","EXP":1,"exp":%d`, noon().Unix()+1))}, agentcard.CodeKeyMalformed, ""},
		{"deactivated", good, []string{a.jwk(`,"kid":"k1","deactivated":true`)}, agentcard.CodeKeyMalformed, ""},
		{"a status", good, []string{a.jwk(`,"kid":"k1","status":"inactive"`)}, agentcard.CodeKeyMalformed, ""},
		{"withdrawn", good, []string{a.jwk(`,"kid":"k1","withdrawn":true`)}, agentcard.CodeKeyMalformed, ""},
		{"revoked, and the same beside", good, []string{a.jwk(`,"kid":"k1","revoked":true`), a.jwk(`,"kid":"k1"`)}, agentcard.CodeKeyAmbiguous, ""},
		// What the set says about a key holds for it under every kid, in any order.
		{"revoked under another kid beside", good, []string{a.jwk(`,"kid":"k2","revoked":true`), a.jwk(`,"kid":"k1"`)}, agentcard.CodeKeyMalformed, ""},
		{"expired under another kid beside", good, []string{a.jwk(fmt.Sprintf(`,"kid":"k2","exp":%d`, noon().Unix())), a.jwk(`,"kid":"k1"`)}, agentcard.CodeKeyExpired, ""},
		{"expired under another kid behind", good, []string{a.jwk(`,"kid":"k1"`), a.jwk(fmt.Sprintf(`,"kid":"k2","exp":%d`, noon().Unix()))}, agentcard.CodeKeyExpired, ""},
		{"valid for a second more under another kid", good, []string{a.jwk(fmt.Sprintf(`,"kid":"k2","exp":%d`, noon().Unix()+1)), a.jwk(`,"kid":"k1"`)}, "", ""},
		// Whoever renews a key under another kid publishes that before.
		{"not valid yet under another kid", good, []string{a.jwk(fmt.Sprintf(`,"kid":"k2","nbf":%d`, noon().Unix()+1)), a.jwk(`,"kid":"k1"`)}, "", ""},
		{"renewed under another kid", good, []string{a.jwk(fmt.Sprintf(`,"kid":"k1","exp":%d`, noon().Unix()+1)), a.jwk(fmt.Sprintf(`,"kid":"k2","nbf":%d,"exp":%d`, noon().Unix()+1, noon().Unix()+9))}, "", ""},
		{"not valid yet and over under another kid", good, []string{a.jwk(fmt.Sprintf(`,"kid":"k2","nbf":%d,"exp":1`, noon().Unix()+1)), a.jwk(`,"kid":"k1"`)}, agentcard.CodeKeyExpired, ""},
		{"not valid yet and revoked under another kid", good, []string{a.jwk(fmt.Sprintf(`,"kid":"k2","nbf":%d,"revoked":true`, noon().Unix()+1)), a.jwk(`,"kid":"k1"`)}, agentcard.CodeKeyMalformed, ""},
		{"not valid yet and private under another kid", good, []string{a.jwk(fmt.Sprintf(`,"kid":"k2","nbf":%d,"d":"AAAA"`, noon().Unix()+1)), a.jwk(`,"kid":"k1"`)}, agentcard.CodeJWKSPrivateKey, agentcard.CodeJWKSPrivateKey},
		{"nbf a text under another kid", good, []string{a.jwk(`,"kid":"k2","nbf":"2099-01-01T00:00:00Z"`), a.jwk(`,"kid":"k1"`)}, agentcard.CodeKeyMalformed, agentcard.CodeJWKSKeySkipped},
		{"expired without a kid beside", good, []string{a.jwk(`,"exp":1`), a.jwk(`,"kid":"k1"`)}, agentcard.CodeKeyExpired, ""},
		{"revoked and for encryption, under another kid beside", good, []string{a.jwk(`,"kid":"k2","use":"enc","revoked":true`), a.jwk(`,"kid":"k1"`)}, agentcard.CodeKeyMalformed, ""},
		{"revoked and for encryption, under the kid beside", good, []string{a.jwk(`,"kid":"k1","use":"enc","revoked":true`), a.jwk(`,"kid":"k1"`)}, agentcard.CodeKeyMalformed, ""},
		{"for encryption under another kid beside", good, []string{a.jwk(`,"kid":"k2","use":"enc"`), a.jwk(`,"kid":"k1"`)}, "", ""},
		{"exp a string under another kid beside", good, []string{a.jwk(`,"kid":"k2","exp":"never"`), a.jwk(`,"kid":"k1"`)}, agentcard.CodeKeyMalformed, agentcard.CodeJWKSKeySkipped},
		{"exp a string under the kid beside", good, []string{a.jwk(`,"kid":"k1","exp":"never"`), a.jwk(`,"kid":"k1"`)}, agentcard.CodeKeyMalformed, agentcard.CodeJWKSKeySkipped},
		{"kid a number and expired beside", good, []string{a.jwk(`,"kid":1,"exp":1`), a.jwk(`,"kid":"k1"`)}, agentcard.CodeKeyExpired, agentcard.CodeJWKSKeySkipped},
		{"kid a number beside", good, []string{a.jwk(`,"kid":1`), a.jwk(`,"kid":"k1"`)}, "", agentcard.CodeJWKSKeySkipped},
		{"private under another kid beside", good, []string{a.jwk(`,"kid":"k2","d":"AAAA"`), a.jwk(`,"kid":"k1"`)}, agentcard.CodeJWKSPrivateKey, agentcard.CodeJWKSPrivateKey},
		{"private under the kid beside", good, []string{a.jwk(`,"kid":"k1","d":"AAAA"`), a.jwk(`,"kid":"k1"`)}, agentcard.CodeJWKSPrivateKey, agentcard.CodeJWKSPrivateKey},
		{"another key that is revoked, expired and private beside", good, []string{b.jwk(`,"kid":"k2","d":"AAAA","revoked":true,"exp":1`), a.jwk(`,"kid":"k1"`)}, "", agentcard.CodeJWKSPrivateKey},
		{"revoked and for encryption", good, []string{a.jwk(`,"kid":"k1","use":"enc","revoked":true`)}, agentcard.CodeKeyUse, ""},
		{"alg empty", good, []string{a.jwk(`,"kid":"k1","alg":""`)}, agentcard.CodeKeyAlgMismatch, ""},
		{"alg null", good, []string{a.jwk(`,"kid":"k1","alg":null`)}, agentcard.CodeKeyNotFound, agentcard.CodeJWKSKeySkipped},
		{"use empty", good, []string{a.jwk(`,"kid":"k1","use":""`)}, agentcard.CodeKeyUse, ""},
		{"when it was made", good, []string{a.jwk(`,"kid":"k1","iat":1`)}, "", ""},
		{"certificates do not matter", good, []string{a.jwk(`,"kid":"k1","x5c":["AAAA"],"x5u":"http://x"`)}, "", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			set, err := agentcard.ParseKeySet([]byte(`{"keys":[`+strings.Join(row.keys, ",")+`]}`), agentcard.Limits{})
			require.NoError(t, err)
			r := verify(t, parse(t, []byte(row.card)), agentcard.Keys{Supplied: set}, agentcard.Policy{})
			require.Equal(t, row.code, r.Code, "%+v", r)
			if row.warning != "" {
				require.Len(t, set.Warnings(), 1)
				require.Equal(t, row.warning, set.Warnings()[0].Code)
				require.NotZero(t, set.Warnings()[0].Line)
			} else {
				require.Empty(t, set.Warnings())
			}
		})
	}

	// RSA: the algorithm must be named, the modulus in range.
	byRSA := string(sign(t, small, rsa))
	for name, row := range map[string]struct {
		jwk  string
		code agentcard.Code
	}{
		"good":              {rsaJWK, ""},
		"no alg":            {without(rsaJWK, "alg"), agentcard.CodeKeyAlgMismatch},
		"PS256 is another":  {change(rsaJWK, "alg", `"PS256"`), agentcard.CodeKeyAlgMismatch},
		"ES256 is no RSA":   {change(rsaJWK, "alg", `"ES256"`), agentcard.CodeKeyAlgMismatch},
		"1024 bits":         {change(rsaJWK, "n", `"`+odd(128)+`"`), agentcard.CodeKeyWeak},
		"4096 bits":         {change(rsaJWK, "n", `"`+odd(512)+`"`), agentcard.CodeSigInvalid},
		"4104 bits":         {change(rsaJWK, "n", `"`+odd(513)+`"`), agentcard.CodeKeyWeak},
		"8192 bits":         {change(rsaJWK, "n", `"`+odd(1024)+`"`), agentcard.CodeKeyWeak},
		"16384 bits":        {change(rsaJWK, "n", `"`+odd(2048)+`"`), agentcard.CodeKeyWeak},
		"exponent 1":        {change(rsaJWK, "e", `"AQ"`), agentcard.CodeKeyWeak},
		"exponent even":     {change(rsaJWK, "e", `"AQAA"`), agentcard.CodeKeyWeak},
		"exponent too long": {change(rsaJWK, "e", `"AQABAQAB"`), agentcard.CodeKeyWeak},
		"no exponent":       {without(rsaJWK, "e"), agentcard.CodeKeyNotFound},
	} {
		t.Run("RSA/"+name, func(t *testing.T) {
			t.Parallel()
			r := verify(t, parse(t, []byte(byRSA)), supplied(t, `{"keys":[`+row.jwk+`]}`), agentcard.Policy{})
			require.Equal(t, row.code, r.Code, "%+v", r)
		})
	}
}

// odd is an odd number of n bytes whose highest bit is set, in base64url.
func odd(n int) string {
	b := make([]byte, n)
	b[0], b[n-1] = 0x80, 1
	return base64.RawURLEncoding.EncodeToString(b)
}

// What is not a JWK Set is refused with its own code (K-4, K-10).
func TestParseKeySet(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, in string
		code     agentcard.Code
		says     string
	}{
		{"PEM", "-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----\n", agentcard.CodeJWKSMalformed, "PEM"},
		{"a map to PEM", `{"k1":"-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----"}`, agentcard.CodeJWKSMalformed, "PEM, as the SDKs' samples serve it"},
		{"a map to keys", `{"k1":` + seed(1).jwk("") + `}`, agentcard.CodeJWKSMalformed, "map from key id to key"},
		{"one key", seed(1).jwk(`,"kid":"k1"`), agentcard.CodeJWKSMalformed, `found one key; a set of one is {"keys":[...]}`},
		{"one private key", seed(1).jwk(`,"kid":"k1","d":"AAAA"`), agentcard.CodeJWKSMalformed, "found a private or symmetric key"},
		{"an array", `[` + seed(1).jwk(`,"kid":"k1"`) + `]`, agentcard.CodeJWKSMalformed, "found an array"},
		{"keys an object", `{"keys":{}}`, agentcard.CodeJWKSMalformed, "keys that are an object"},
		{"no keys", `{"issuer":"x"}`, agentcard.CodeJWKSMalformed, "an object without keys"},
		{"an end of the set", `{"exp":1600000000,"keys":[` + seed(1).jwk(`,"kid":"k1"`) + `]}`, agentcard.CodeJWKSMalformed, `the member "exp"`},
		{"a list of ends", `{"revoked_keys":["k1"],"keys":[` + seed(1).jwk(`,"kid":"k1"`) + `]}`, agentcard.CodeJWKSMalformed, `the member "revoked_keys"`},
		{"a set that is revoked", `{"revoked":true,"keys":[` + seed(1).jwk(`,"kid":"k1"`) + `]}`, agentcard.CodeJWKSMalformed, `the member "revoked"`},
		{"keys of strings", `{"keys":["x"]}`, agentcard.CodeJWKSMalformed, "keys that are objects"},
		{"HTML", "<html></html>", agentcard.CodeJWKSMalformed, "expected a JWK Set in JSON"},
		{"empty", "", agentcard.CodeJWKSMalformed, "expected a JWK Set in JSON"},
		{"duplicate", `{"keys":[],"keys":[]}`, agentcard.CodeJSONDuplicate, ""},
		{"too many", `{"keys":[` + strings.Repeat("{},", 100) + `{}]}`, agentcard.CodeLimit, "at most 100 keys"},
		{"too large", `{"keys":[],"x":"` + strings.Repeat("a", 64<<10) + `"}`, agentcard.CodeJSONTooLarge, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			set, err := agentcard.ParseKeySet([]byte(row.in), agentcard.Limits{})
			require.Nil(t, set)
			require.Equal(t, row.code, codeOf(t, err))
			require.ErrorContains(t, err, row.says)
		})
	}
	set, err := agentcard.ParseKeySet([]byte(`{"keys":[`+strings.Repeat("{},", 99)+`{}]}`), agentcard.Limits{})
	require.NoError(t, err)
	require.Empty(t, set.Keys())
	require.Len(t, set.Warnings(), 100)
	set, err = agentcard.ParseKeySet([]byte(`{"x":1,"iat":1,"revoked":false,"keys":[`+seed(1).jwk(`,"kid":"k1"`)+`]}`), agentcard.Limits{})
	require.NoError(t, err)
	require.Equal(t, "k1", set.Keys()[0].ID())
	require.Equal(t, agentcard.EdDSA, set.Keys()[0].Algorithm())
	var none *agentcard.KeySet
	require.Empty(t, none.Keys())
	require.Empty(t, none.Warnings())
}

// ECDSA signatures: raw, of the right length, both halves in range (ALG-4, ALG-5).
func TestECDSASignatures(t *testing.T) {
	t.Parallel()
	for alg, curve := range map[agentcard.Algorithm]elliptic.Curve{
		agentcard.ES256: elliptic.P256(), agentcard.ES384: elliptic.P384(), agentcard.ES512: elliptic.P521(),
	} {
		t.Run(string(alg), func(t *testing.T) {
			t.Parallel()
			key := keyFor(t, alg, "k")
			signed := string(sign(t, small, key))
			_, rest, _ := strings.Cut(signed, `"signature":"`)
			sig, _, _ := strings.Cut(rest, `"`)
			raw, err := base64.RawURLEncoding.DecodeString(sig)
			require.NoError(t, err)
			half := len(raw) / 2
			n := curve.Params().N
			r, s := new(big.Int).SetBytes(raw[:half]), new(big.Int).SetBytes(raw[half:])
			join := func(r, s *big.Int) []byte {
				out := make([]byte, 2*half)
				r.FillBytes(out[:half])
				s.FillBytes(out[half:])
				return out
			}
			zero := new(big.Int)
			policy := agentcard.Policy{Algorithms: agentcard.Algorithms(), Explain: true}
			for name, row := range map[string]struct {
				sig  []byte
				code agentcard.Code
			}{
				"as made":      {raw, ""},
				"malleable":    {join(r, new(big.Int).Sub(n, s)), ""}, // ALG-6: not an identifier
				"R zero":       {join(zero, s), agentcard.CodeSigInvalid},
				"S zero":       {join(r, zero), agentcard.CodeSigInvalid},
				"both zero":    {join(zero, zero), agentcard.CodeSigInvalid},
				"R is n":       {join(n, s), agentcard.CodeSigInvalid},
				"S is n":       {join(r, n), agentcard.CodeSigInvalid},
				"swapped":      {join(s, r), agentcard.CodeSigInvalid},
				"short":        {raw[:2*half-1], agentcard.CodeSigLength},
				"long":         {append(append([]byte{}, raw...), 0), agentcard.CodeSigLength},
				"one half":     {raw[:half], agentcard.CodeSigLength},
				"DER":          {der(r, s), agentcard.CodeSigDER},
				"DER of zeros": {der(zero, zero), agentcard.CodeSigDER},
				"DER too big":  {der(new(big.Int).Lsh(n, 8), s), agentcard.CodeSigDER},
				"DER cut off":  {der(r, s)[:2*half], agentcard.CodeSigInvalid},
				"DER and more": {append(der(r, s), 0), agentcard.CodeSigLength},
			} {
				if name == "DER cut off" && alg != agentcard.ES256 {
					continue // its length need not be that of a raw signature
				}
				card := strings.Replace(signed, sig, base64.RawURLEncoding.EncodeToString(row.sig), 1)
				report := verify(t, parse(t, []byte(card)), public(t, key), policy)
				require.Equal(t, row.code, report.Code, "%s: %+v", name, report)
				if name == "DER" {
					require.Equal(t, agentcard.CodeDiagDER, report.Entries[0].Diagnosis[0].Code)
				} else if strings.HasPrefix(name, "DER") {
					require.Empty(t, report.Entries[0].Diagnosis)
				}
			}
		})
	}
}

// RSA-PSS signatures have a salt as long as the hash (RFC 7518, section 3.5), and an RSA
// signature of one scheme is not valid under the other.
func TestPSSSalt(t *testing.T) {
	t.Parallel()
	key := keyFor(t, agentcard.PS256, "k1")
	secret, err := key.JWK()
	require.NoError(t, err)
	var jwk jose.JSONWebKey
	require.NoError(t, jwk.UnmarshalJSON(secret))
	private := jwk.Key.(*rsa.PrivateKey)
	protected := b64(`{"alg":"PS256","kid":"k1","typ":"JOSE"}`)
	sum := sha256.Sum256([]byte(protected + "." + b64(small)))
	check := func(name string, sig []byte, ok bool) {
		card := withSignatures(`{"protected":"` + protected + `","signature":"` + base64.RawURLEncoding.EncodeToString(sig) + `"}`)
		r := verify(t, parse(t, card), public(t, key), agentcard.Policy{})
		require.Equal(t, ok, r.Outcome == agentcard.OutcomeVerified, name)
		if !ok {
			require.Equal(t, agentcard.CodeSigInvalid, r.Code, name)
		}
	}
	for _, salt := range []int{1, 20, 31, 32, 33, 64} {
		sig, err := rsa.SignPSS(rand.Reader, private, crypto.SHA256, sum[:], &rsa.PSSOptions{SaltLength: salt})
		require.NoError(t, err)
		check(fmt.Sprint(salt), sig, salt == 32)
		check("cut", sig[:len(sig)-1], false)
		check("with a zero in front", append([]byte{0}, sig...), false)
	}
	sig, err := rsa.SignPKCS1v15(nil, private, crypto.SHA256, sum[:])
	require.NoError(t, err)
	check("PKCS #1 v1.5", sig, false)
}

// Under points of small order, signatures verify that nobody made: no encoding of such a
// point is accepted as a key (ALG-5).
func TestSmallOrder(t *testing.T) {
	t.Parallel()
	for _, x := range []string{
		"0100000000000000000000000000000000000000000000000000000000000000",
		"0100000000000000000000000000000000000000000000000000000000000080",
		"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
		"0000000000000000000000000000000000000000000000000000000000000000",
		"0000000000000000000000000000000000000000000000000000000000000080",
		"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
		"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
		"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
		"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
		"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
		"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
	} {
		b, err := hex.DecodeString(x)
		require.NoError(t, err)
		set, err := agentcard.ParseKeySet([]byte(`{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"k1","x":"`+base64.RawURLEncoding.EncodeToString(b)+`"}]}`), agentcard.Limits{})
		require.NoError(t, err)
		require.Empty(t, set.Keys(), x)
	}
}

// An S beyond the group order is refused: an Ed25519 signature has only one encoding.
func TestEd25519Malleability(t *testing.T) {
	t.Parallel()
	key := seed(1)
	order, ok := new(big.Int).SetString("7237005577332262213973186563042994240857116359379907606001950938285454250989", 10)
	require.True(t, ok)
	entry := key.entry(goodHeader, small)
	sig := entry[strings.Index(entry, `"signature":"`)+len(`"signature":"`) : len(entry)-2]
	raw, err := base64.RawURLEncoding.DecodeString(sig)
	require.NoError(t, err)
	s := slices.Clone(raw[32:])
	slices.Reverse(s)
	more := new(big.Int).Add(new(big.Int).SetBytes(s), order).FillBytes(make([]byte, 32))
	slices.Reverse(more)
	other := base64.RawURLEncoding.EncodeToString(append(slices.Clone(raw[:32]), more...))
	r := verify(t, parse(t, withSignatures(strings.Replace(entry, sig, other, 1))), supplied(t, `{"keys":[`+key.jwk(`,"kid":"k1"`)+`]}`), agentcard.Policy{})
	require.Equal(t, agentcard.CodeSigInvalid, r.Code)
}

// der writes a signature as ASN.1 does.
func der(r, s *big.Int) []byte {
	integer := func(x *big.Int) []byte {
		b := x.Bytes()
		if len(b) == 0 || b[0] >= 0x80 {
			b = append([]byte{0}, b...)
		}
		return append([]byte{2, byte(len(b))}, b...)
	}
	body := append(integer(r), integer(s)...)
	if len(body) >= 0x80 {
		return append([]byte{0x30, 0x81, byte(len(body))}, body...)
	}
	return append([]byte{0x30, byte(len(body))}, body...)
}

// TestTrustStore: which keys of the trust store count for which cards, and when (K-1, K-6,
// K-7).
func TestTrustStore(t *testing.T) {
	t.Parallel()
	a, b := seed(1), seed(2)
	card := withSignatures(a.entry(goodHeader, small))
	entry := func(k seeded, members string) string { return `{"jwk":` + k.jwk(`,"kid":"k1"`) + members + `}` }
	store := func(keys ...string) string { return `{"version":1,"keys":[` + strings.Join(keys, ",") + `]}` }
	const home, other = "https://agent.example.com/.well-known/agent-card.json", "https://other.example/card.json"
	const origins = `,"origins":["https://agent.example.com"]`
	at := func(d time.Duration) string { return noon().Add(d).Format(time.RFC3339) }
	for _, row := range []struct {
		name, store, source string
		code                agentcard.Code
		trust               agentcard.KeyTrust
	}{
		{"pinned", store(entry(a, "")), "", "", agentcard.TrustPinned},
		{"pinned, from anywhere", store(entry(a, "")), other, "", agentcard.TrustPinned},
		{"for the origin", store(entry(a, origins)), home, "", agentcard.TrustPinnedOrigin},
		{"for the origin in another spelling", store(entry(a, `,"origins":["https://AGENT.example.com:443"]`)), "https://agent.EXAMPLE.com./x", "", agentcard.TrustPinnedOrigin},
		{"for another origin", store(entry(a, origins)), other, agentcard.CodeKeyOrigin, ""},
		{"for another port", store(entry(a, origins)), "https://agent.example.com:8443/x", agentcard.CodeKeyOrigin, ""},
		{"for an origin, from a file", store(entry(a, origins)), "", agentcard.CodeKeyOrigin, ""},
		{"for an origin, over http", store(entry(a, origins)), "http://agent.example.com/", agentcard.CodeKeyOrigin, ""},
		{"of two publishers with one kid, the one of this origin", store(entry(b, `,"origins":["https://other.example"]`), entry(a, origins)), home, "", agentcard.TrustPinnedOrigin},
		{"of two publishers with one kid, the wrong one", store(entry(b, origins), entry(a, `,"origins":["https://other.example"]`)), home, agentcard.CodeSigInvalid, ""},
		{"two for this origin", store(entry(a, ""), entry(b, origins)), home, agentcard.CodeKeyAmbiguous, ""},
		{"not valid yet", store(entry(a, `,"not_before":"`+at(time.Second)+`"`)), "", agentcard.CodeKeyExpired, ""},
		{"valid from now", store(entry(a, `,"not_before":"`+at(0)+`"`)), "", "", agentcard.TrustPinned},
		{"valid until now", store(entry(a, `,"not_after":"`+at(0)+`"`)), "", agentcard.CodeKeyExpired, ""},
		{"valid for a second more", store(entry(a, `,"not_after":"`+at(time.Second)+`"`)), "", "", agentcard.TrustPinned},
		{"revoked", store(entry(a, `,"revoked_at":"`+at(0)+`"`)), "", agentcard.CodeKeyRevoked, ""},
		{"revoked tomorrow", store(entry(a, `,"revoked_at":"`+at(24*time.Hour)+`"`)), "", "", agentcard.TrustPinned},
		{"not revoked", store(entry(a, `,"revoked_at":null,"not_before":null,"not_after":null`)), "", "", agentcard.TrustPinned},
		{"another zone", store(entry(a, `,"not_after":"2026-11-01T14:00:00+02:00"`)), "", agentcard.CodeKeyExpired, ""},
		{"the JWK ends before the store says", `{"version":1,"keys":[{"jwk":` + a.jwk(`,"kid":"k1","exp":1`) + `,"not_after":"` + at(time.Hour) + `"}]}`, "", agentcard.CodeKeyExpired, ""},
		{"the JWK ends after the store says", `{"version":1,"keys":[{"jwk":` + a.jwk(`,"kid":"k1","exp":253402300799`) + `,"not_after":"` + at(0) + `"}]}`, "", agentcard.CodeKeyExpired, ""},
		{"the JWK begins after the store says", `{"version":1,"keys":[{"jwk":` + a.jwk(`,"kid":"k1","nbf":253402300799`) + `,"not_before":"` + at(-time.Hour) + `"}]}`, "", agentcard.CodeKeyExpired, ""},
		{"the JWK begins before the store says", `{"version":1,"keys":[{"jwk":` + a.jwk(`,"kid":"k1","nbf":1`) + `,"not_before":"` + at(time.Second) + `"}]}`, "", agentcard.CodeKeyExpired, ""},
		{"revoked under another kid", `{"version":1,"keys":[` + entry(a, "") + `,{"jwk":` + a.jwk(`,"kid":"old"`) + `,"revoked_at":"` + at(0) + `"}]}`, "", agentcard.CodeKeyRevoked, ""},
		{"revoked for another origin", store(entry(a, origins), entry(a, `,"origins":["https://other.example"],"revoked_at":"`+at(0)+`"`)), home, agentcard.CodeKeyRevoked, ""},
		// A time holds for all entries of the key that are for the origin.
		{"over under another kid", `{"version":1,"keys":[` + entry(a, "") + `,{"jwk":` + a.jwk(`,"kid":"old"`) + `,"not_after":"` + at(0) + `"}]}`, "", agentcard.CodeKeyExpired, ""},
		{"over under another kid, before", `{"version":1,"keys":[{"jwk":` + a.jwk(`,"kid":"old"`) + `,"not_after":"` + at(0) + `"},` + entry(a, "") + `]}`, "", agentcard.CodeKeyExpired, ""},
		{"over a second later under another kid", `{"version":1,"keys":[` + entry(a, "") + `,{"jwk":` + a.jwk(`,"kid":"old"`) + `,"not_after":"` + at(time.Second) + `"}]}`, "", "", agentcard.TrustPinned},
		{"not valid yet under another kid", `{"version":1,"keys":[` + entry(a, "") + `,{"jwk":` + a.jwk(`,"kid":"new"`) + `,"not_before":"` + at(time.Second) + `"}]}`, "", "", agentcard.TrustPinned},
		{"not valid yet under another kid, over under a third", `{"version":1,"keys":[` + entry(a, "") + `,{"jwk":` + a.jwk(`,"kid":"old"`) + `,"not_after":"` + at(0) + `"},{"jwk":` + a.jwk(`,"kid":"new"`) + `,"not_before":"` + at(time.Second) + `"}]}`, "", agentcard.CodeKeyExpired, ""},
		{"over for another origin", store(entry(a, origins), entry(a, `,"origins":["https://other.example"],"not_after":"`+at(0)+`"`)), home, "", agentcard.TrustPinnedOrigin},
		{"over for all origins, without end for this one", `{"version":1,"keys":[` + entry(a, origins) + `,{"jwk":` + a.jwk(`,"kid":"old"`) + `,"not_after":"` + at(0) + `"}]}`, home, agentcard.CodeKeyExpired, ""},
		{"over under one kid, revoked under another", `{"version":1,"keys":[` + entry(a, "") + `,{"jwk":` + a.jwk(`,"kid":"old"`) + `,"not_after":"` + at(0) + `"},{"jwk":` + a.jwk(`,"kid":"older"`) + `,"revoked_at":"` + at(0) + `"}]}`, "", agentcard.CodeKeyRevoked, ""},
		{"unknown kid", `{"version":1,"keys":[{"jwk":` + a.jwk(`,"kid":"k2"`) + `}]}`, "", agentcard.CodeKeyNotFound, ""},
		{"no keys", `{"version":1}`, "", agentcard.CodeKeyNotFound, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			trust, err := agentcard.ParseTrustStore([]byte(row.store), agentcard.Limits{})
			require.NoError(t, err)
			r := verify(t, parse(t, card), agentcard.Keys{Trust: trust}, agentcard.Policy{Source: row.source})
			require.Equal(t, row.code, r.Code, "%+v", r)
			require.Equal(t, row.trust, r.Entries[0].KeyTrust)
			if row.code == "" {
				require.Equal(t, agentcard.FromTrustStore, r.Entries[0].KeySource)
			}
		})
	}

	// A supplied key does not replace a pinned one that may not be used, unless that is for
	// other origins.
	revoked, err := agentcard.ParseTrustStore([]byte(store(entry(a, `,"revoked_at":"`+at(0)+`"`))), agentcard.Limits{})
	require.NoError(t, err)
	keys := supplied(t, `{"keys":[`+a.jwk(`,"kid":"k1"`)+`]}`)
	keys.Trust = revoked
	require.Equal(t, agentcard.CodeKeyRevoked, verify(t, parse(t, card), keys, agentcard.Policy{}).Code)
	// A revoked key is revoked wherever else it comes from and whatever its kid.
	for name, revoking := range map[string]string{
		"another kid":    `{"jwk":` + a.jwk(`,"kid":"old"`) + `,"revoked_at":"` + at(0) + `"}`,
		"another origin": entry(a, origins+`,"revoked_at":"`+at(0)+`"`),
	} {
		s := newServer()
		s.sets[jwksURL] = `{"keys":[` + a.jwk(`,"kid":"k1"`) + `]}`
		keys.Trust, err = agentcard.ParseTrustStore([]byte(`{"version":1,"keys":[`+revoking+`],"jku":{"mode":"allowlist","allow":["`+jwksURL+`"]}}`), agentcard.Limits{})
		require.NoError(t, err)
		require.Equal(t, agentcard.CodeKeyRevoked, verify(t, parse(t, card), keys, agentcard.Policy{}).Code, name)
		fetched := agentcard.Keys{Trust: keys.Trust, Sets: agentcard.NewKeySets(s, s.clock, agentcard.Limits{})}
		require.Equal(t, agentcard.CodeKeyRevoked, verify(t, parse(t, located(a, "k1", jwksURL)), fetched, agentcard.Policy{}).Code, name)
		require.Equal(t, 1, s.count())
		require.Equal(t, agentcard.OutcomeVerified, verify(t, parse(t, card), keys, agentcard.Policy{Source: home, At: noon().Add(-time.Second)}).Outcome, name)
	}
	// What the store says of a key's origins and time holds wherever else it comes from,
	// too.
	for _, row := range []struct {
		name, keys, source string
		code               agentcard.Code
	}{
		{"for another origin", entry(a, origins), other, agentcard.CodeKeyOrigin},
		{"for an origin, from a file", entry(a, origins), "", agentcard.CodeKeyOrigin},
		{"for another origin, under another kid", `{"jwk":` + a.jwk(`,"kid":"old"`) + origins + `}`, other, agentcard.CodeKeyOrigin},
		{"over, under another kid", `{"jwk":` + a.jwk(`,"kid":"old"`) + `,"not_after":"` + at(0) + `"}`, other, agentcard.CodeKeyExpired},
		{"not valid yet, under another kid", `{"jwk":` + a.jwk(`,"kid":"old"`) + `,"not_before":"` + at(time.Second) + `"}`, other, agentcard.CodeKeyExpired},
		{"for this origin, under another kid", `{"jwk":` + a.jwk(`,"kid":"old"`) + origins + `}`, home, ""},
		{"for two origins in two entries", entry(a, origins) + `,{"jwk":` + a.jwk(`,"kid":"old"`) + `,"origins":["https://other.example"]}`, other, ""},
		{"another key for another origin", entry(b, origins), other, ""},
	} {
		s := newServer()
		s.sets[jwksURL] = `{"keys":[` + a.jwk(`,"kid":"k1"`) + `]}`
		trust, err := agentcard.ParseTrustStore([]byte(`{"version":1,"keys":[`+row.keys+`],"jku":{"mode":"allowlist","allow":["`+jwksURL+`"]}}`), agentcard.Limits{})
		require.NoError(t, err)
		fetched := agentcard.Keys{Trust: trust, Sets: agentcard.NewKeySets(s, s.clock, agentcard.Limits{})}
		r := verify(t, parse(t, located(a, "k1", jwksURL)), fetched, agentcard.Policy{Source: row.source})
		require.Equal(t, row.code, r.Code, "%s, at a jku: %+v", row.name, r)
		keys.Trust = trust
		require.Equal(t, row.code, verify(t, parse(t, card), keys, agentcard.Policy{Source: row.source}).Code, "%s, supplied", row.name)
	}
	// So does what a key set says of a key's time: the one at a jku, and a supplied one.
	for name, row := range map[string]struct{ fetched, supplied string }{
		"in the set at the jku":   {a.jwk(`,"kid":"k1"`) + `,` + a.jwk(`,"kid":"old","exp":1`), b.jwk(`,"kid":"k2"`)},
		"in the one at hand":      {a.jwk(`,"kid":"k1"`), a.jwk(`,"kid":"old","exp":1`)},
		"in both, of another key": {a.jwk(`,"kid":"k1"`) + `,` + b.jwk(`,"kid":"old","exp":1`), b.jwk(`,"kid":"k2","exp":1`)},
	} {
		s := newServer()
		s.sets[jwksURL] = `{"keys":[` + row.fetched + `]}`
		trust, err := agentcard.ParseTrustStore([]byte(`{"version":1,"jku":{"mode":"allowlist","allow":["`+jwksURL+`"]}}`), agentcard.Limits{})
		require.NoError(t, err)
		keys := supplied(t, `{"keys":[`+row.supplied+`]}`)
		keys.Trust, keys.Sets = trust, agentcard.NewKeySets(s, s.clock, agentcard.Limits{})
		want := agentcard.CodeKeyExpired
		if strings.HasSuffix(name, "another key") {
			want = ""
		}
		require.Equal(t, want, verify(t, parse(t, located(a, "k1", jwksURL)), keys, agentcard.Policy{}).Code, name)
	}
	elsewhere, err := agentcard.ParseTrustStore([]byte(store(entry(b, origins))), agentcard.Limits{})
	require.NoError(t, err)
	keys.Trust = elsewhere
	r := verify(t, parse(t, card), keys, agentcard.Policy{})
	require.Equal(t, agentcard.TrustSupplied, r.Entries[0].KeyTrust)
}

func TestParseTrustStore(t *testing.T) {
	t.Parallel()
	jwk := seed(1).jwk(`,"kid":"k1"`)
	rsa := jwkOf(t, keyFor(t, agentcard.RS256, "k1"))
	bare := strings.Replace(rsa, `"alg":"RS256",`, "", 1)
	require.NotEqual(t, rsa, bare)
	key := func(members string) string { return `{"version":1,"keys":[{"jwk":` + jwk + members + `}]}` }
	jku := func(rule string) string { return `{"version":1,"jku":` + rule + `}` }
	for _, row := range []struct {
		name, in string
		code     agentcard.Code // "" when accepted
	}{
		{"key", key(""), ""},
		{"everything", `{"version":1,"keys":[{"jwk":` + jwk + `,"alg":"EdDSA","origins":["https://a.example:8443"],"not_before":"2026-09-01T00:00:00Z","not_after":"2027-03-01T00:00:00.5Z","revoked_at":null}],"jku":{"mode":"allowlist","allow":["https://a.example","https://a.example/jwks.json"]}}`, ""},
		{"no start, as some programs write it", key(`,"not_before":"0001-01-01T00:00:00Z"`), agentcard.CodeTrustMalformed},
		{"no end, as some programs write it", key(`,"not_after":"0001-01-01T01:00:00+01:00"`), agentcard.CodeTrustMalformed},
		{"not revoked, as some programs write it", key(`,"revoked_at":"0001-01-01T00:00:00Z"`), agentcard.CodeTrustMalformed},
		{"an instant later", key(`,"revoked_at":"0001-01-01T00:00:01Z"`), ""},
		{"RSA with alg outside", `{"version":1,"keys":[{"alg":"PS256","jwk":` + bare + `}]}`, ""},
		{"RSA without alg", `{"version":1,"keys":[{"jwk":` + bare + `}]}`, agentcard.CodeTrustMalformed},
		{"two algs", `{"version":1,"keys":[{"alg":"PS256","jwk":` + rsa + `}]}`, agentcard.CodeTrustMalformed},
		{"alg that does not fit", key(`,"alg":"ES256"`), agentcard.CodeTrustMalformed},
		{"alg unknown", key(`,"alg":"HS256"`), agentcard.CodeTrustMalformed},
		{"not an object", `[]`, agentcard.CodeTrustMalformed},
		{"no version", `{"keys":[]}`, agentcard.CodeTrustMalformed},
		{"version 2", `{"version":2}`, agentcard.CodeTrustMalformed},
		{"version 1.0", `{"version":1.0}`, agentcard.CodeTrustMalformed},
		{"version a string", `{"version":"1"}`, agentcard.CodeTrustMalformed},
		{"unknown member", `{"version":1,"key":[]}`, agentcard.CodeTrustMalformed},
		{"keys an object", `{"version":1,"keys":{}}`, agentcard.CodeTrustMalformed},
		{"key a string", `{"version":1,"keys":["x"]}`, agentcard.CodeTrustMalformed},
		{"no jwk", `{"version":1,"keys":[{}]}`, agentcard.CodeTrustMalformed},
		{"misspelt restriction", key(`,"orgins":["https://a.example"]`), agentcard.CodeTrustMalformed},
		{"no kid", `{"version":1,"keys":[{"jwk":` + seed(1).jwk("") + `}]}`, agentcard.CodeTrustMalformed},
		{"private key", `{"version":1,"keys":[{"jwk":` + seed(1).jwk(`,"kid":"k1","d":"AAAA"`) + `}]}`, agentcard.CodeJWKSPrivateKey},
		{"key for encryption", `{"version":1,"keys":[{"jwk":` + seed(1).jwk(`,"kid":"k1","use":"enc"`) + `}]}`, agentcard.CodeKeyUse},
		{"a key that is revoked", `{"version":1,"keys":[{"jwk":` + jwk[:len(jwk)-1] + `,"revoked":true}}]}`, agentcard.CodeKeyMalformed},
		{"a key that ends under another name", `{"version":1,"keys":[{"jwk":` + jwk[:len(jwk)-1] + `,"not_after":1}}]}`, agentcard.CodeKeyMalformed},
		{"a key with an empty alg", `{"version":1,"keys":[{"jwk":` + jwk[:len(jwk)-1] + `,"alg":""}}]}`, agentcard.CodeKeyAlgMismatch},
		{"malformed key", `{"version":1,"keys":[{"jwk":{"kty":"EC"}}]}`, agentcard.CodeKeyMalformed},
		{"origins empty", key(`,"origins":[]`), agentcard.CodeTrustMalformed},
		{"origins null", key(`,"origins":null`), agentcard.CodeTrustMalformed},
		{"origin with a path", key(`,"origins":["https://a.example/"]`), agentcard.CodeTrustMalformed},
		{"origin over http", key(`,"origins":["http://a.example"]`), agentcard.CodeTrustMalformed},
		{"origin with a query", key(`,"origins":["https://a.example?x"]`), agentcard.CodeTrustMalformed},
		{"origin a wildcard", key(`,"origins":["*"]`), agentcard.CodeTrustMalformed},
		{"origin a number", key(`,"origins":[1]`), agentcard.CodeTrustMalformed},
		{"time a date", key(`,"not_after":"2027-03-01"`), agentcard.CodeTrustMalformed},
		{"time with one digit", key(`,"not_after":"2027-03-01T1:00:00Z"`), agentcard.CodeTrustMalformed},
		{"time with a comma", key(`,"not_after":"2027-03-01T01:00:00,5Z"`), agentcard.CodeTrustMalformed},
		{"time in a zone that is none", key(`,"not_after":"2027-03-01T01:00:00+99:00"`), agentcard.CodeTrustMalformed},
		{"time empty", key(`,"not_after":""`), agentcard.CodeTrustMalformed},
		{"time a number", key(`,"not_after":1`), agentcard.CodeTrustMalformed},
		{"jku off", jku(`{"mode":"off"}`), ""},
		{"jku same-origin", jku(`{"mode":"same-origin"}`), ""},
		{"jku allowlist", jku(`{"mode":"allowlist","allow":[]}`), ""},
		{"jku any", jku(`{"mode":"any"}`), agentcard.CodeTrustMalformed},
		{"jku without mode", jku(`{}`), agentcard.CodeTrustMalformed},
		{"jku a string", jku(`"off"`), agentcard.CodeTrustMalformed},
		{"jku allowlist without list", jku(`{"mode":"allowlist"}`), agentcard.CodeTrustMalformed},
		{"jku off with a list", jku(`{"mode":"off","allow":["https://a.example"]}`), agentcard.CodeTrustMalformed},
		{"jku list an object", jku(`{"mode":"allowlist","allow":{}}`), agentcard.CodeTrustMalformed},
		{"jku list with http", jku(`{"mode":"allowlist","allow":["http://a.example"]}`), agentcard.CodeTrustMalformed},
		{"jku list with user", jku(`{"mode":"allowlist","allow":["https://u@a.example"]}`), agentcard.CodeTrustMalformed},
		{"jku with another member", jku(`{"mode":"off","x":1}`), agentcard.CodeTrustMalformed},
		{"syntax", `{`, agentcard.CodeJSONSyntax},
		{"duplicate", `{"version":1,"keys":[],"keys":[]}`, agentcard.CodeJSONDuplicate},
		{"too many", `{"version":1,"keys":[` + strings.Repeat("{},", 100) + `{}]}`, agentcard.CodeLimit},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s, err := agentcard.ParseTrustStore([]byte(row.in), agentcard.Limits{})
			if row.code == "" {
				require.NoError(t, err)
				return
			}
			require.Nil(t, s)
			require.Equal(t, row.code, codeOf(t, err), "%v", err)
		})
	}
}
