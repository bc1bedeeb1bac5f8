package vc_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

func TestKeysRoundTrip(t *testing.T) {
	t.Parallel()
	for _, typ := range []vc.KeyType{vc.Ed25519, vc.P256, vc.P384} {
		k := key(t, typ, 5).WithID("did:example:x#k")
		jwk, err := k.JWK()
		require.NoError(t, err)
		again, err := vc.ParsePrivateKey(jwk)
		require.NoError(t, err)
		assert.Equal(t, "did:example:x#k", again.ID())
		assert.True(t, again.Public().Equal(k.Public()))
		public, err := vc.ParseMultikey(k.Public().Multikey())
		require.NoError(t, err)
		assert.True(t, public.Equal(k.Public()))
		assert.Equal(t, typ, public.Type())
		byName, ok := vc.KeyTypeByName(typ.String())
		assert.True(t, ok)
		assert.Equal(t, typ, byName)
		assert.False(t, public.Equal(key(t, typ, 6).Public()))
		assert.False(t, public.Equal(vc.PublicKey{}))
		for _, n := range []byte{'d', 'x'} { // a half that belongs to another key
			var m map[string]string
			require.NoError(t, json.Unmarshal(jwk, &m))
			other, err := key(t, typ, 6).JWK()
			require.NoError(t, err)
			var o map[string]string
			require.NoError(t, json.Unmarshal(other, &o))
			m[string(n)] = o[string(n)]
			text, err := json.Marshal(m)
			require.NoError(t, err)
			_, err = vc.ParsePrivateKey(text)
			require.Error(t, err)
			assert.NotContains(t, err.Error(), m["d"])
		}
	}
	assert.False(t, vc.PublicKey{}.Equal(vc.PublicKey{}))
	assert.Empty(t, vc.PublicKey{}.Multikey())
	_, ok := vc.KeyTypeByName("none")
	assert.False(t, ok)
	_, err := vc.GenerateKey(vc.P256, strings.NewReader(strings.Repeat("\x00", 1<<16)))
	require.ErrorContains(t, err, "not random")
	_, err = vc.GenerateKey(0, nil)
	require.Error(t, err)
}

func TestMultikeyRefusals(t *testing.T) {
	t.Parallel()
	good := ed25519Key(t, 1).Public().Multikey()
	raw, err := base58.Decode(good[1:])
	require.NoError(t, err)
	z := func(b ...byte) string { return "z" + base58.Encode(b) }
	offCurve := append([]byte{0x80, 0x24, 2}, make([]byte, 32)...)
	offCurve[34] = 1 // x = 1 has no point on P-256
	for name, s := range map[string]string{
		"empty": "", "no prefix": good[1:], "other base": "u" + good[1:], "no base58": "z0", "short": z(raw[:33]...), "long": z(append(raw, 0)...),
		"prefix": z(append([]byte{0xec, 1}, raw[2:]...)...), "padding": good + strings.Repeat("1", 200), "secret": "z3u2en7t5LR2WtQH5PfFqMqwVHBeXouLzo6haApm8XHqvjxq",
		"off curve": z(offCurve...), "small order": z(append([]byte{0xed, 1, 1}, make([]byte, 31)...)...),
		"P-256 uncompressed": z(append([]byte{0x80, 0x24, 4}, make([]byte, 64)...)...),
	} {
		_, err := vc.ParseMultikey(s)
		assert.Error(t, err, name)
	}
	// Points whose signatures verify for every message.
	for _, y := range []string{
		"0000000000000000000000000000000000000000000000000000000000000000", "0000000000000000000000000000000000000000000000000000000000000080",
		"0100000000000000000000000000000000000000000000000000000000000080", "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
		"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa", "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
		"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	} {
		b, err := hex.DecodeString(y)
		require.NoError(t, err)
		_, err = vc.ParseMultikey(z(append([]byte{0xed, 1}, b...)...))
		assert.ErrorContains(t, err, "small order", y)
	}
}

// TestControllerMethods: a method that cannot be used is in the controller document, and
// verifies nothing.
func TestControllerMethods(t *testing.T) {
	t.Parallel()
	ed := ed25519Key(t, 1).Public().Multikey()
	const x = `"x":"iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w"` // of key 1
	jwk, err := ed25519Key(t, 1).JWK()
	require.NoError(t, err)
	require.Contains(t, string(jwk), x)
	multikey := `"type":"Multikey","publicKeyMultibase":"` + ed + `"`
	for _, tt := range []struct{ name, members, fault string }{
		{"multikey", multikey, ""},
		{"jwk", `"type":"JsonWebKey","publicKeyJwk":{"kty":"OKP","crv":"Ed25519",` + x + `}`, ""},
		{"jwk with alg", `"type":"JsonWebKey","publicKeyJwk":{"kty":"OKP","crv":"Ed25519","alg":"EdDSA",` + x + `}`, ""},
		{"jwk for signatures", `"type":"JsonWebKey","publicKeyJwk":{"kty":"OKP","crv":"Ed25519","use":"sig","key_ops":["verify"],` + x + `}`, ""},
		{"jwk for encryption", `"type":"JsonWebKey","publicKeyJwk":{"kty":"OKP","crv":"Ed25519","use":"enc",` + x + `}`, "whose use is sig"},
		{"jwk whose use is no text", `"type":"JsonWebKey","publicKeyJwk":{"kty":"OKP","crv":"Ed25519","use":["sig"],` + x + `}`, "whose use is sig"},
		{"jwk that derives keys", `"type":"JsonWebKey","publicKeyJwk":{"kty":"OKP","crv":"Ed25519","key_ops":["deriveKey"],` + x + `}`, "expected verify"},
		{"jwk whose operations are a text", `"type":"JsonWebKey","publicKeyJwk":{"kty":"OKP","crv":"Ed25519","key_ops":"verify",` + x + `}`, "expected verify"},
		{"both", multikey + `,"publicKeyJwk":{"kty":"OKP","crv":"Ed25519","alg":"Ed25519",` + x + `}`, ""},
		{"both differ", multikey + `,"publicKeyJwk":{"kty":"OKP","crv":"Ed25519","x":"` + strings.Repeat("A", 42) + `w"}`, "different keys"},
		{"alg", `"type":"JsonWebKey","publicKeyJwk":{"kty":"OKP","crv":"Ed25519","alg":"ES256",` + x + `}`, "expected an alg"},
		{"private jwk", `"type":"JsonWebKey","publicKeyJwk":` + string(jwk), "private"},
		{"private multikey", multikey + `,"secretKeyMultibase":"z1"`, "private key"},
		{"type", `"type":"Ed25519VerificationKey2020","publicKeyMultibase":"` + ed + `"`, "of type"},
		{"no key", `"type":"Multikey"`, "of type"},
		{"bad key", `"type":"Multikey","publicKeyMultibase":"z1"`, "Multikey"},
		{"padded x", `"type":"JsonWebKey","publicKeyJwk":{"kty":"OKP","crv":"Ed25519","x":"iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w="}`, "base64url"},
		{"line end in x", `"type":"JsonWebKey","publicKeyJwk":{"kty":"OKP","crv":"Ed25519","x":"iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w\n"}`, "base64url"},
		{"unknown curve", `"type":"JsonWebKey","publicKeyJwk":{"kty":"EC","crv":"secp256k1"}`, "expected a key"},
		{"revoked", multikey + `,"revoked":"2026-08-01T12:00:00Z"`, "revoked"},
		{"revoked later", multikey + `,"revoked":"2026-08-01T12:00:01Z"`, ""},
		{"expired", multikey + `,"expires":"2026-08-01T11:59:59Z"`, "expired"},
		{"expires now", multikey + `,"expires":"2026-08-01T12:00:00Z"`, ""},
		{"expires when", multikey + `,"expires":"soon"`, "not a time"},
		{"revoked null", multikey + `,"revoked":null`, "not a time"},
		{"revoked by its IRI", multikey + `,"https://w3id.org/security#revoked":"2026-08-01T12:00:00Z"`, "may begin or end the key"},
		{"revoked by another name", multikey + `,"revocationDate":"2026-08-01T12:00:00Z"`, "may begin or end the key"},
		{"expired by the term of the vocabulary", multikey + `,"expiration":"2026-08-01T11:59:59Z"`, "may begin or end the key"},
		{"expired in other letters", multikey + `,"Expires":"2026-08-01T11:59:59Z"`, "may begin or end the key"},
		{"valid until", multikey + `,"validUntil":"2026-08-01T11:59:59Z"`, "may begin or end the key"},
		{"not after", multikey + `,"notAfter":"2026-08-01T11:59:59Z"`, "may begin or end the key"},
		{"not after in words", multikey + `,"not_after":"2026-08-01T11:59:59Z"`, "may begin or end the key"},
		{"a status", multikey + `,"status":"suspended"`, "may begin or end the key"},
		{"a last day in a vocabulary", multikey + `,"https://schema.org/endDate":"2026-07-01"`, "may begin or end the key"},
		{"withdrawn", multikey + `,"withdrawn":"2026-07-01T00:00:00Z"`, "may begin or end the key"},
		{"superseded", multikey + `,"supersededBy":"urn:other"`, "may begin or end the key"},
		{"a claim of a web token", multikey + `,"exp":1600000000`, "may begin or end the key"},
		{"not before", multikey + `,"notBefore":"2026-08-01T12:00:01Z"`, "may begin or end the key"},
		{"jwk that ends", `"type":"JsonWebKey","publicKeyJwk":{"kty":"OKP","crv":"Ed25519","exp":1600000000,` + x + `}`, "no member exp in a JWK"},
		{"jwk that ends in words", `"type":"JsonWebKey","publicKeyJwk":{"kty":"OKP","crv":"Ed25519","not_after":1600000000,` + x + `}`, "no member not_after in a JWK"},
		{"jwk with a status", `"type":"JsonWebKey","publicKeyJwk":{"kty":"OKP","crv":"Ed25519","status":"inactive",` + x + `}`, "no member status in a JWK"},
		{"jwk with an empty alg", `"type":"JsonWebKey","publicKeyJwk":{"kty":"OKP","crv":"Ed25519","alg":"",` + x + `}`, "alg"},
		{"jwk that begins", `"type":"JsonWebKey","publicKeyJwk":{"kty":"OKP","crv":"Ed25519","nbf":1900000000,` + x + `}`, "no member nbf in a JWK"},
		{"jwk that is revoked", `"type":"JsonWebKey","publicKeyJwk":{"kty":"OKP","crv":"Ed25519","revoked":{"revoked_at":1600000000},` + x + `}`, "no member revoked in a JWK"},
		{"jwk with what else it may have", `"type":"JsonWebKey","publicKeyJwk":{"kty":"OKP","crv":"Ed25519","kid":"k1","iat":1600000000,"ext":true,` + x + `}`, ""},
		{"a member that ends nothing", multikey + `,"comment":"x"`, ""},
		{"a member of a vocabulary with such a name", multikey + `,"https://trevor.example/until/#comment":"x"`, ""},
	} {
		c, err := vc.ParseController([]byte(`{"id":"urn:c","assertionMethod":["urn:m"],"verificationMethod":[{"id":"urn:m","controller":"urn:c",`+tt.members+`}]}`), vc.Limits{})
		require.NoError(t, err, tt.name)
		assert.Equal(t, "urn:c", c.ID())
		k, err := c.Key("urn:m", vc.AssertionMethod, now)
		if tt.fault == "" {
			require.NoError(t, err, tt.name)
			assert.True(t, k.Equal(ed25519Key(t, 1).Public()), tt.name)
			_, err = c.Key("urn:m", vc.Authentication, now)
			require.Error(t, err, tt.name)
			_, err = c.Key("urn:n", vc.AssertionMethod, now)
			require.Error(t, err, tt.name)
			continue
		}
		require.ErrorContains(t, err, tt.fault, tt.name)
		assert.Equal(t, vc.PublicKey{}, k)
		// The code of a listed method that cannot be used.
		keys, err := vc.NewKeyring(c)
		require.NoError(t, err)
		signed := sign(t, replaced(t, svcCredential, issuerID, "urn:c"), ed25519Key(t, 1), vc.SignOptions{Profile: vc.ProfileSVC, Method: "urn:m"})
		assert.Equal(t, []vc.Code{vc.CodeInvalidSignature}, verify(t, verifier(t, vc.Config{Keys: keys, Profile: vc.ProfileSVC}), signed, now).Codes(), tt.name)
	}
	c, err := vc.ParseController([]byte(`{"id":"urn:c","assertionMethod":"urn:m","verificationMethod":[{"id":"urn:m","controller":"urn:other",`+multikey+`}]}`), vc.Limits{})
	require.NoError(t, err)
	_, err = c.Key("urn:m", vc.AssertionMethod, now)
	require.ErrorContains(t, err, "controller")

	for name, text := range map[string]string{
		"no JSON": "x", "array": "[]", "no id": "{}", "relative id": `{"id":"x"}`, "id twice": `{"id":"urn:c","id":"urn:c"}`,
		"methods": `{"id":"urn:c","verificationMethod":{}}`, "method": `{"id":"urn:c","verificationMethod":[1]}`, "relationship": `{"id":"urn:c","assertionMethod":{}}`,
		"method twice": `{"id":"urn:c","verificationMethod":[{"id":"urn:m"},{"id":"urn:m"}]}`, "embedded": `{"id":"urn:c","assertionMethod":[1]}`,
		"large":       `{"id":"urn:c"}` + strings.Repeat(" ", 256<<10),
		"deactivated": `{"id":"urn:c","deactivated":true}`, "deactivated by a text": `{"id":"urn:c","deactivated":"false"}`, "null": `{"id":"urn:c","deactivated":null}`,
		"revoked": `{"id":"urn:c","revoked":"2026-08-01T12:00:00Z"}`, "expired": `{"id":"urn:c","expires":"2026-08-01T12:00:00Z"}`,
		"deactivated by its metadata": `{"id":"urn:c","didDocumentMetadata":{"deactivated":true}}`, "the result of a resolution": `{"didDocument":{"id":"urn:c"},"didDocumentMetadata":{}}`,
		"deactivated by an IRI": `{"id":"urn:c","https://w3id.org/security#deactivated":true}`,
	} {
		_, err := vc.ParseController([]byte(text), vc.Limits{})
		assert.Error(t, err, name)
	}
	// What does not end a document as a whole, and what does by the same kind of name.
	for member, want := range map[string]bool{
		`"deactivated":false`: true, `"revoked":false`: true, `"isRevoked":false`: true, `"is_suspended":false`: true, `"https://w3id.org/security#deactivated":false`: true,
		`"active":true`: true, `"enabled":true`: true, `"isValid":true`: true,
		`"didDocumentMetadata":{"created":"2020-01-01T00:00:00Z","deactivated":false,"nextUpdate":"2021-01-01T00:00:00Z","versionId":"1"}`: true,
		`"isRevoked":true`: false, `"active":false`: false, `"enabled":false`: false, `"isActive":false`: false, `"isValid":false`: false, `"valid":0`: false, `"active":null`: false,
		`"nonExpired":false`: false, `"validity":false`: false, `"status":false`: false, `"notDisabled":false`: false, `"validUntil":false`: false,
	} {
		_, err := vc.ParseController([]byte(`{"id":"urn:c",`+member+`}`), vc.Limits{})
		assert.Equal(t, want, err == nil, member)
	}
	_, err = vc.NewKeyring(c, c)
	require.Error(t, err)
	other, err := vc.ParseController([]byte(`{"id":"urn:d","verificationMethod":[{"id":"urn:m","controller":"urn:d",`+multikey+`}]}`), vc.Limits{})
	require.NoError(t, err)
	_, err = vc.NewKeyring(c, other)
	require.ErrorContains(t, err, "urn:m")
	_, err = vc.NewKeyring(nil)
	require.Error(t, err)
}

// TestFragments: an identifier of a method may be a fragment of the document's own, in the
// method, where it is listed, or in both.
func TestFragments(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"did:web:a.example", "https://a.example/profile#me"} {
		base, _, _ := strings.Cut(id, "#")
		method := func(name string) string {
			return fmt.Sprintf(`{"id":%q,"type":"Multikey","controller":%q,"publicKeyMultibase":%q}`, name, id, ed25519Key(t, 1).Public().Multikey())
		}
		for _, tt := range []struct {
			name, members string
			ok, usable    bool
		}{
			{"in both", `"verificationMethod":[` + method("#k") + `],"assertionMethod":["#k"]`, true, true},
			{"where it is listed", `"verificationMethod":[` + method(base+"#k") + `],"assertionMethod":["#k"]`, true, true},
			{"in the method", `"verificationMethod":[` + method("#k") + `],"assertionMethod":["` + base + `#k"]`, true, true},
			{"embedded", `"assertionMethod":[` + method("#k") + `]`, true, true},
			{"another", `"verificationMethod":[` + method("#k") + `],"assertionMethod":["#l"]`, true, false},
			{"of another document", `"verificationMethod":[` + method("https://b.example/#k") + `],"assertionMethod":["#k"]`, true, false},
			{"not a fragment", `"verificationMethod":[` + method("k") + `]`, false, false},
			{"not an IRI", `"verificationMethod":[` + method("#k k") + `]`, false, false},
			{"twice", `"verificationMethod":[` + method("#k") + `,` + method(base+"#k") + `]`, false, false},
		} {
			c, err := vc.ParseController([]byte(`{"id":"`+id+`",`+tt.members+`}`), vc.Limits{})
			require.Equal(t, tt.ok, err == nil, "%s: %v", tt.name, err)
			if tt.ok {
				_, err = c.Key(base+"#k", vc.AssertionMethod, now)
				assert.Equal(t, tt.usable, err == nil, "%s: %v", tt.name, err)
			}
		}
	}
	// Names of one long document take no more memory than a document may.
	long := "urn:" + strings.Repeat("x", 100<<10)
	for n, ok := range map[int]bool{2: true, 3: false, 30_000: false} {
		_, err := vc.ParseController([]byte(`{"id":"`+long+`","assertionMethod":["#k"`+strings.Repeat(`,"#k"`, n-1)+`]}`), vc.Limits{})
		assert.Equal(t, ok, err == nil, n)
	}
}

// TestKeyTwice: what a document says of when a key may be used holds for it under every
// name, in either form, whatever else the method that says so is good for.
func TestKeyTwice(t *testing.T) {
	t.Parallel()
	const before, after = `"2026-08-01T11:59:59Z"`, `"2026-08-01T12:00:01Z"`
	form := func(typ vc.KeyType, n byte, asJWK bool, more string) string {
		k := key(t, typ, n)
		if !asJWK {
			return fmt.Sprintf(`"type":"Multikey","publicKeyMultibase":%q`, k.Public().Multikey())
		}
		jwk, err := k.JWK()
		require.NoError(t, err)
		text, _, ok := strings.Cut(string(jwk), `,"d":`)
		require.True(t, ok)
		return `"type":"JsonWebKey","publicKeyJwk":` + text + more + "}"
	}
	for _, typ := range []vc.KeyType{vc.Ed25519, vc.P256, vc.P384} {
		multi, jwk := form(typ, 1, false, ""), form(typ, 1, true, "")
		negated := func() string { // the other point with the same x
			raw, err := base58.Decode(key(t, typ, 1).Public().Multikey()[1:])
			require.NoError(t, err)
			if raw[2] ^= 1; typ == vc.Ed25519 {
				return multi
			}
			return fmt.Sprintf(`"type":"Multikey","publicKeyMultibase":"z%s"`, base58.Encode(raw))
		}()
		old := func() string {
			raw, err := base58.Decode(key(t, typ, 1).Public().Multikey()[1:])
			require.NoError(t, err)
			return fmt.Sprintf(`"type":"Ed25519VerificationKey2018","publicKeyBase58":%q`, base58.Encode(raw[2:]))
		}()
		for _, tt := range []struct{ name, used, other, fault string }{
			{"no end", multi, jwk, ""},
			{"no end in base58", multi, old, ""},
			{"revoked in base58", multi, old + `,"revoked":` + before, "there it is revoked"},
			{"revoked", multi, multi + `,"revoked":` + before, "its key is also that of <urn:other>, and there it is revoked"},
			{"revoked later", multi, multi + `,"revoked":` + after, ""},
			{"another key is revoked", multi, form(typ, 2, false, "") + `,"revoked":` + before, ""},
			{"revoked in another form", multi, jwk + `,"revoked":` + before, "there it is revoked"},
			{"revoked in this form", jwk, multi + `,"revoked":` + before, "there it is revoked"},
			{"expired", multi, multi + `,"expires":` + before, "there it has expired"},
			{"expired, and here later", multi + `,"expires":` + after, multi + `,"expires":` + before, "there it has expired"},
			{"expired here, and there later", multi + `,"expires":` + before, multi + `,"expires":` + after, "cannot be used: it has expired"},
			{"no time", multi, multi + `,"revoked":"soon"`, "there its member revoked is not a time"},
			{"an end that is not known", multi, multi + `,"notAfter":` + after, "there it has the member notAfter"},
			{"an end in its JWK", multi, form(typ, 1, true, `,"exp":1600000000`), "there expected no member exp"},
			{"its private half", multi, form(typ, 1, true, `,"d":"AAAA"`), "there expected a public key"},
			{"its private half beside", multi, multi + `,"secretKeyMultibase":"z1"`, "there it has the member secretKeyMultibase"},
			{"a use that is another", multi, form(typ, 1, true, `,"use":"enc"`), ""},
			{"the other point", multi, negated + `,"revoked":` + before, "there it is revoked"},
			{"a type that is not known", multi, replaced(t, multi, `"Multikey"`, `"Other"`) + `,"revoked":` + before, "there it is revoked"},
			{"a key in two forms that differ", multi, multi + `,` + replaced(t, form(typ, 2, true, ""), `"type":"JsonWebKey",`, "") + `,"revoked":` + before, "there it is revoked"},
			{"no key", multi, `"type":"Multikey","revoked":` + before, ""},
		} {
			for name, document := range map[string]string{
				"after it":  `"assertionMethod":["urn:m"],"verificationMethod":[{"id":"urn:m","controller":"urn:c",%s},{"id":"urn:other","controller":"urn:c",%s}]`,
				"embedded":  `"assertionMethod":[{"id":"urn:m","controller":"urn:c",%s}],"authentication":[{"id":"urn:other","controller":"urn:c",%s}]`,
				"to agree":  `"assertionMethod":[{"id":"urn:m","controller":"urn:c",%s}],"keyAgreement":[{"id":"urn:other","controller":"urn:c",%s}]`,
				"of before": `"assertionMethod":[{"id":"urn:m","controller":"urn:c",%s}],"formerKeys":{"id":"urn:other",%s}`,
				"of other":  `"assertionMethod":["urn:m"],"verificationMethod":[{"id":"urn:m","controller":"urn:c",%s},{"id":"urn:other","controller":"urn:d",%s}]`,
			} {
				c, err := vc.ParseController(fmt.Appendf(nil, `{"id":"urn:c",`+document+"}", tt.used, tt.other), vc.Limits{})
				require.NoError(t, err)
				got, err := c.Key("urn:m", vc.AssertionMethod, now)
				if tt.fault != "" {
					require.ErrorContains(t, err, tt.fault, "%s: %s, %s", typ, tt.name, name)
					continue
				}
				require.NoError(t, err, "%s: %s, %s", typ, tt.name, name)
				require.True(t, got.Equal(key(t, typ, 1).Public()))
			}
		}
	}
}

// did:key: the document is the identifier's own, with the one method it names.
// TestLargeControllers: a document of as many methods and listings as its size allows is
// read in one pass, and none of its keys before it is used. By pairs it took seconds.
func TestLargeControllers(t *testing.T) {
	t.Parallel()
	p384 := key(t, vc.P384, 9).Public().Multikey()
	var methods, listed, ttl strings.Builder
	for i := range 1_500 {
		fmt.Fprintf(&methods, `{"id":"urn:k:%04d","controller":"urn:c","type":"Multikey","publicKeyMultibase":%q},`, i, p384)
	}
	for i := range 6_000 {
		fmt.Fprintf(&listed, `"urn:n:%04d",`, i)
	}
	c, err := vc.ParseController([]byte(`{"id":"urn:c","verificationMethod":[`+methods.String()+`{"id":"urn:k","controller":"urn:c","type":"Multikey","publicKeyMultibase":"z"}],"assertionMethod":[`+
		listed.String()+`"urn:k","urn:k:1499"]}`), vc.Limits{ControllerBytes: 1 << 20})
	require.NoError(t, err)
	got, err := c.Key("urn:k:1499", vc.AssertionMethod, now)
	require.NoError(t, err)
	require.Equal(t, p384, got.Multikey())
	_, err = c.Key("urn:k", vc.AssertionMethod, now)
	require.ErrorContains(t, err, "Multikey")
	_, err = c.Key("urn:k:0000", vc.AssertionMethod, now)
	require.ErrorContains(t, err, "does not list")

	for i := range 800 {
		fmt.Fprintf(&ttl, "<urn:c> sec:assertionMethod <urn:k:%04d> .\n<urn:k:%04d> a sec:Multikey; sec:controller <urn:c>; sec:publicKeyMultibase %q^^sec:multibase .\n", i, i, p384)
	}
	profile, err := turtle.Parse([]byte("@prefix sec: <https://w3id.org/security#> .\n"+ttl.String()), turtle.Options{})
	require.NoError(t, err)
	c, err = vc.ParseControllerRDF(t.Context(), profile, "urn:c", nil, vc.Limits{})
	require.NoError(t, err)
	got, err = c.Key("urn:k:0799", vc.AssertionMethod, now)
	require.NoError(t, err)
	require.Equal(t, p384, got.Multikey())
}

func TestDIDKeys(t *testing.T) {
	t.Parallel()
	for _, typ := range []vc.KeyType{vc.Ed25519, vc.P256, vc.P384} {
		alice := someone(t, typ, 3)
		c, err := vc.DIDKeys{}.Controller(t.Context(), alice.id)
		require.NoError(t, err)
		for _, p := range []vc.Purpose{vc.AssertionMethod, vc.Authentication, "capabilityInvocation", "capabilityDelegation"} {
			k, err := c.Key(alice.method, p, now)
			require.NoError(t, err)
			assert.True(t, k.Equal(alice.key.Public()))
		}
		for _, method := range []string{alice.id, alice.id + "#", alice.id + "#key-1"} {
			_, err = c.Key(method, vc.AssertionMethod, now)
			assert.Error(t, err)
		}
		_, err = c.Key(alice.method, "keyAgreement", now)
		assert.Error(t, err)
	}
	_, err := vc.DIDKeys{}.Controller(t.Context(), "did:key:z6Mk")
	require.Error(t, err)
	_, err = vc.DIDKeys{}.Controller(t.Context(), "https://a.example/")
	require.ErrorIs(t, err, vc.ErrUnknownController)
}

// https and did:web: where the document is, and that it must be the identifier's.
func TestWeb(t *testing.T) {
	t.Parallel()
	document := func(id string) vc.Document {
		return vc.Document{Content: fmt.Appendf(nil, `{"id":%q,"verificationMethod":[]}`, id)}
	}
	web := vc.Web{Documents: shelf{
		"https://a.example/card":                        document("https://a.example/card#me"),
		"https://a.example/wrong":                       document("https://a.example/card#me"),
		"https://b.example/.well-known/did.json":        document("did:web:b.example"),
		"https://b.example:8443/.well-known/did.json":   document("did:web:b.example%3A8443"),
		"https://b.example/agents/one/did.json":         document("did:web:b.example:agents:one"),
		"https://b.example/agents/one%2Fother/did.json": document("did:web:b.example:agents:one%2Fother"),
		"https://c.example/.well-known/did.json":        document("did:web:d.example"),
		"https://e.example/.well-known/did.json":        {Content: []byte("x")},
	}}
	for _, id := range []string{"https://a.example/card#me", "did:web:b.example", "did:web:b.example%3A8443", "did:web:b.example:agents:one", "did:web:b.example:agents:one%2Fother"} {
		c, err := web.Controller(t.Context(), id)
		require.NoError(t, err, id)
		assert.Equal(t, id, c.ID())
	}
	for _, id := range []string{
		"https://a.example/wrong#me", "https://a.example/card", "did:web:c.example", "did:web:e.example", "did:web:", "did:web:b.example:", "did:web:b.example:..",
		"did:web:b.example:%2e%2e", "did:web:b.example/x", "did:web:b.example%2Fx", "did:web:a@b.example", "did:web:b.example%40x", "did:web:b.example%", "did:web:missing.example",
		"http://a.example/card#me", "urn:x", "did:key:x",
	} {
		_, err := web.Controller(t.Context(), id)
		assert.Error(t, err, id)
	}
	_, err := vc.Web{}.Controller(t.Context(), "https://a.example/card#me")
	require.ErrorIs(t, err, vc.ErrUnknownController)

	all := vc.Resolvers{vc.DIDKeys{}, web}
	_, err = all.Controller(t.Context(), "did:web:e.example")
	require.Error(t, err)
	require.NotErrorIs(t, err, vc.ErrUnknownController)
	_, err = all.Controller(t.Context(), "urn:x")
	require.ErrorIs(t, err, vc.ErrUnknownController)
	_, err = all.Controller(t.Context(), "did:web:b.example")
	require.NoError(t, err)

	// An older document does not take the place of one that is refused or cannot be read.
	const id = "https://f.example/card#me"
	ring, err := vc.NewKeyring(controller(t, id, id+"-key", ed25519Key(t, 1).Public(), "assertionMethod"))
	require.NoError(t, err)
	for name, s := range map[string]shelf{
		"deactivated": {"https://f.example/card": {Content: []byte(`{"id":"` + id + `","deactivated":true}`)}},
		"malformed":   {"https://f.example/card": {Content: []byte(`{`)}}, "unreachable": {},
	} {
		_, err = vc.Resolvers{vc.DIDKeys{}, vc.Web{Documents: s}, ring}.Controller(t.Context(), id)
		require.Error(t, err, name)
		_, err = vc.Resolvers{ring, vc.Web{Documents: s}}.Controller(t.Context(), id)
		require.NoError(t, err, name)
	}
	_, err = vc.Resolvers{vc.Web{}, resolver{}, ring}.Controller(t.Context(), id)
	require.NoError(t, err, "those that know nothing")
}

// A resolver that gives the document of another, or none without an error, lets
// nobody sign for the issuer.
func TestResolverIsNotTrusted(t *testing.T) {
	t.Parallel()
	signed := sign(t, svcCredential, ed25519Key(t, 2), vc.SignOptions{Profile: vc.ProfileSVC, Method: "https://mallory.example/#k"})
	mallory := controller(t, "https://mallory.example/", "https://mallory.example/#k", ed25519Key(t, 2).Public(), "assertionMethod")
	for _, keys := range []vc.Resolver{resolver{mallory, nil}, resolver{nil, nil}, resolver{nil, errors.New("timeout")}} {
		v := verifier(t, vc.Config{Keys: keys, Profile: vc.ProfileSVC})
		assert.Equal(t, []vc.Code{vc.CodeIssuerMismatch}, verify(t, v, signed, now).Codes())
	}
	_, err := (*vc.Keyring)(nil).Controller(t.Context(), issuerID)
	require.ErrorIs(t, err, vc.ErrUnknownController)
}

// resolver answers everything alike.
type resolver struct {
	c   *vc.Controller
	err error
}

func (r resolver) Controller(context.Context, string) (*vc.Controller, error) { return r.c, r.err }
