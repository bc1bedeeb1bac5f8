package vectors_test

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Test keys of cards, which everybody knows: see the description of the suite. What they
// sign is put together here and signed by the standard library, not by the code that the
// vectors are for.

func b64(data []byte) string { return base64.RawURLEncoding.EncodeToString(data) }

func sha(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

// cardKey is a key that signs cards.
type cardKey struct {
	alg     string
	public  object // its JWK without kid and alg
	private object // the members that the private JWK has besides
	sign    func(input []byte) []byte
}

// jwk returns the public JWK with further members.
func (k cardKey) jwk(more object) object {
	all := object{}
	for _, m := range []object{k.public, more} {
		for name, v := range m {
			all[name] = v
		}
	}
	return all
}

// secret returns the private JWK.
func (k cardKey) secret(more object) object {
	all := k.jwk(more)
	for name, v := range k.private {
		all[name] = v
	}
	return all
}

// entry is a signature over a payload, with a protected header as it is written.
func (k cardKey) entry(header, payload string) string {
	protected := b64([]byte(header))
	return entryOf(protected, b64(k.sign([]byte(protected+"."+b64([]byte(payload))))))
}

func entryOf(protected, signature string) string {
	return `{"protected":"` + protected + `","signature":"` + signature + `"}`
}

// edKey has a seed of 32 bytes of the value n.
func edKey(n byte) cardKey {
	seed := bytes.Repeat([]byte{n}, ed25519.SeedSize)
	private := ed25519.NewKeyFromSeed(seed)
	return cardKey{
		"EdDSA", object{"kty": "OKP", "crv": "Ed25519", "x": b64(private.Public().(ed25519.PublicKey))}, object{"d": b64(seed)},
		func(input []byte) []byte { return ed25519.Sign(private, input) },
	}
}

// ecKey has a private number whose bytes have the value n; for P-521 the first is 0.
func ecKey(t testing.TB, curve elliptic.Curve, n byte) cardKey {
	t.Helper()
	size := (curve.Params().BitSize + 7) / 8
	d := bytes.Repeat([]byte{n}, size)
	names := map[int][2]string{32: {"ES256", "P-256"}, 48: {"ES384", "P-384"}, 66: {"ES512", "P-521"}}[size]
	if size == 66 {
		d[0] = 0
	}
	private, err := ecdsa.ParseRawPrivateKey(curve, d)
	require.NoError(t, err)
	point, err := private.PublicKey.Bytes()
	require.NoError(t, err)
	return cardKey{
		names[0], object{"kty": "EC", "crv": names[1], "x": b64(point[1 : 1+size]), "y": b64(point[1+size:])}, object{"d": b64(d)},
		func(input []byte) []byte {
			sum, hash := hashed(size, input)
			der, err := private.Sign(nil, sum, hash) // RFC 6979
			require.NoError(t, err)
			r, s := fromDER(t, der)
			return rawECDSA(r, s, size)
		},
	}
}

func hashed(size int, input []byte) ([]byte, crypto.Hash) {
	switch size {
	case 48:
		sum := sha512.Sum384(input)
		return sum[:], crypto.SHA384
	case 66:
		sum := sha512.Sum512(input)
		return sum[:], crypto.SHA512
	}
	sum := sha256.Sum256(input)
	return sum[:], crypto.SHA256
}

func fromDER(t testing.TB, der []byte) (r, s *big.Int) {
	t.Helper()
	var v struct{ R, S *big.Int }
	_, err := asn1.Unmarshal(der, &v)
	require.NoError(t, err)
	return v.R, v.S
}

func rawECDSA(r, s *big.Int, size int) []byte {
	out := make([]byte, 2*size)
	r.FillBytes(out[:size])
	s.FillBytes(out[size:])
	return out
}

// rsaParts are those of the test key of 2048 bits.
const (
	rsaN = "5uxRgKKn17CIUrNnYzUB88VFUzD95p26p2wppIAnaKpGDC9G8Cvc4OGILG7QCCjCY3B_mVfx9NerSu9o0Ozt49La5UNiyyCAWFapguhzyxsuk6lzT7O78ZF3N6eCkoo9n4j5sLe0EIATgtyUvLp3s2ahNlcrPZ_WAJQJCF-OJTJb9_QfSAmc_Z2u5eoX25iu9-Xh13PgkyhAHzYBaAurp5WWgnWHor273fXL59AQr9OFpjwUX_gU_T8df0ZzVbX9RlXbci5sIOHD-noRdqAqpYSDkBiHkfqKcnpTh9usHJUyFuaYrus37z_wjkY2cSOYIgsAWDbvp9MzmjVuoo8x8w"
	rsaD = "Et66zKn-A_61lRrhI705wWoCzG9Tc1xUqJVXh2a_HnfTk4lSR0WX6uFJiszFv46J6Ma3o2TWLWDP6yawyDakPE3tr0OYN7fnMdDOUORrGezI6JSCcYyvzgF9RK7LWVHMnIdjIZ3q-L8Bv47Q5LJqhHfdf2t66bIKMpZMpEK5HEoSdYQtB9l7OCctqmEONl8WbpuCSSmAu7mkxo5ka3oTA6q6gv1QAAD49jBZwsu6E88dJCZSNxYAW8x9MxBw8OCMcBh6K17DwqEKaMm4542d3Q60sCtOnzY_RnS_90yBso5ppIO__iupxWQaSZvf3w0un8C0eaqSGlBjo1pZ-gMwMQ"
	rsaP = "95Pa1oRroG9IXI3UpR6E-MgZBjQHPzliJkG4HBwex3mYoFLkVB8I4PGEUUWF_pn3xL_Xz9YEMHWHqg2nP0Jkn3rI774Rv7-zUM6otoqUbTtPGLcgnnPOkqPMvjpM7sUZtERU4ogdNEx59f-eUa6a3j4XUCh8Z2FD_tVl15VHxFk"
	rsaQ = "7sdrqNhqUZDZCPXL8DfWfvh6DO26iKUotlJl_ufcezMAIwJTddu_-cIEqhqmsFBUnAW1bZJsJsFdIi6rDG6k_HBi2gYnQCL2R8tHmpdL2ffnzHmmqCYh3jWHMm0wim3qXS_Iq1yUXhWoXcUr2kGqk3haPeSIlw1RDlQ6RNMADys"
	// weakN is a modulus of 1024 bits.
	weakN = "vbHhnA-z5ATXWoQtr8huBy8bWyGZIpOqUzL3JyzgOS0ooplPShLQgl6bBk-rLWi8kf5F75-L3jyejkUlkotAURM8_zzCbIdbNSBkC7JRRIif73axsh7TGIWjMrFF-ONJ74NWLcxou5iGC7MpqHYLTKLsv9VH-G7oIxyzbYOCba8"
)

func number(t testing.TB, text string) *big.Int {
	t.Helper()
	raw, err := base64.RawURLEncoding.DecodeString(text)
	require.NoError(t, err)
	return new(big.Int).SetBytes(raw)
}

// rsaKey is the test key for RS256 or PS256.
func rsaKey(t testing.TB, alg string) cardKey {
	t.Helper()
	n, d := number(t, rsaN), number(t, rsaD)
	private := &rsa.PrivateKey{PublicKey: rsa.PublicKey{N: n, E: 65537}, D: d, Primes: []*big.Int{number(t, rsaP), number(t, rsaQ)}}
	private.Precompute()
	return cardKey{
		alg, object{"kty": "RSA", "n": rsaN, "e": "AQAB"}, object{"d": rsaD, "p": rsaP, "q": rsaQ},
		func(input []byte) []byte {
			sum := sha256.Sum256(input)
			if alg == "PS256" {
				padded := new(big.Int).SetBytes(encodePSS(sum[:], n.BitLen()-1))
				return padded.Exp(padded, d, n).FillBytes(make([]byte, 256))
			}
			sig, err := rsa.SignPKCS1v15(nil, private, crypto.SHA256, sum[:])
			require.NoError(t, err)
			return sig
		},
	}
}

// encodePSS is EMSA-PSS of RFC 8017, section 9.1.1, with SHA-256 and a salt of 32 bytes
// of the value 1, so that a vector is made twice alike.
func encodePSS(sum []byte, bits int) []byte {
	size := (bits + 7) / 8
	salt := bytes.Repeat([]byte{1}, sha256.Size)
	h := sha256.Sum256(append(append(make([]byte, 8), sum...), salt...))
	db := make([]byte, size-sha256.Size-1)
	db[len(db)-len(salt)-1] = 1
	copy(db[len(db)-len(salt):], salt)
	for i, at := 0, 0; at < len(db); i++ { // MGF1
		block := sha256.Sum256(append(append([]byte{}, h[:]...), byte(i>>24), byte(i>>16), byte(i>>8), byte(i)))
		for k := 0; k < len(block) && at < len(db); k, at = k+1, at+1 {
			db[at] ^= block[k]
		}
	}
	db[0] &= 0xff >> (8*size - bits)
	return slices.Concat(db, h[:], []byte{0xbc})
}

// hmacKey signs with HMAC and the bytes of a public key: what an algorithm of the
// attacker's choice would make of it.
func hmacKey(public []byte) cardKey {
	return cardKey{"HS256", nil, nil, func(input []byte) []byte {
		m := hmac.New(sha256.New, public)
		m.Write(input)
		return m.Sum(nil)
	}}
}

// fixed is a key that signs whatever it is given with one signature.
func fixed(signature []byte) cardKey {
	return cardKey{"", nil, nil, func([]byte) []byte { return signature }}
}

// raw writes a value as JSON.
func rawJSON(t testing.TB, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	require.NoError(t, e.Encode(v))
	return strings.TrimSuffix(b.String(), "\n")
}

// ecKeyOf is ecKey by the size of its numbers.
func ecKeyOf(t testing.TB, size int, n byte) cardKey {
	t.Helper()
	return ecKey(t, map[int]elliptic.Curve{32: elliptic.P256(), 48: elliptic.P384(), 66: elliptic.P521()}[size], n)
}

// der is an ECDSA signature in DER.
func der(t testing.TB, r, s *big.Int) []byte {
	t.Helper()
	out, err := asn1.Marshal(struct{ R, S *big.Int }{r, s})
	require.NoError(t, err)
	return out
}
