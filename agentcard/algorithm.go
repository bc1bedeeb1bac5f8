package agentcard

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"encoding/base64"
	"encoding/binary"
	"math/big"
	"slices"
	"strings"
)

// Algorithm is a JWS signature algorithm by its registered name.
type Algorithm string

// The algorithms. Symmetric algorithms and "none" are not among them and cannot be
// allowed.
const (
	ES256 Algorithm = "ES256"
	ES384 Algorithm = "ES384"
	ES512 Algorithm = "ES512"
	EdDSA Algorithm = "EdDSA" // with Ed25519 alone
	// Ed25519 is the name that RFC 9864 gives to EdDSA with Ed25519.
	Ed25519 Algorithm = "Ed25519"
	RS256   Algorithm = "RS256"
	RS384   Algorithm = "RS384"
	RS512   Algorithm = "RS512"
	PS256   Algorithm = "PS256"
	PS384   Algorithm = "PS384"
	PS512   Algorithm = "PS512"
)

// DefaultAlgorithms returns the algorithms that a [Policy] allows when it names
// none.
func DefaultAlgorithms() []Algorithm {
	return []Algorithm{ES256, ES384, EdDSA, Ed25519, RS256, PS256}
}

// Algorithms returns every algorithm that a policy can allow.
func Algorithms() []Algorithm {
	return []Algorithm{ES256, ES384, ES512, EdDSA, Ed25519, RS256, RS384, RS512, PS256, PS384, PS512}
}

func (a Algorithm) known() bool { return slices.Contains(Algorithms(), a) }

// same reports whether two names mean one algorithm.
func (a Algorithm) same(b Algorithm) bool { return a.canonical() == b.canonical() }

func (a Algorithm) canonical() Algorithm {
	if a == Ed25519 {
		return EdDSA
	}
	return a
}

// coordinate returns the bytes of R and of S in an ECDSA signature, 0 for other
// algorithms (RFC 7518, section 3.4).
func (a Algorithm) coordinate() int {
	switch a {
	case ES256:
		return 32
	case ES384:
		return 48
	case ES512:
		return 66
	}
	return 0
}

func (a Algorithm) isRSA() bool {
	return strings.HasPrefix(string(a), "RS") || strings.HasPrefix(string(a), "PS")
}

// verifySignature checks a signature over the signing input of RFC 7515, section
// 5.1: protected "." base64url(payload). The header was already read, strictly, and is
// not read again: a second reader with rules of its own could act on members that are
// ignored here, such as a key that the header brings along.
func verifySignature(public any, alg Algorithm, protected string, payload, sig []byte) bool {
	if !alg.known() || !fitsKey(alg, public) {
		return false
	}
	input := make([]byte, 0, len(protected)+1+base64.RawURLEncoding.EncodedLen(len(payload)))
	input = append(append(input, protected...), '.')
	input = base64.RawURLEncoding.AppendEncode(input, payload)
	switch k := public.(type) {
	case ed25519.PublicKey:
		return len(k) == ed25519.PublicKeySize && ed25519.Verify(k, input, sig)
	case *ecdsa.PublicKey:
		size := alg.coordinate()
		if len(sig) != 2*size {
			return false
		}
		sum, _ := alg.sum(input)
		return ecdsa.Verify(k, sum, new(big.Int).SetBytes(sig[:size]), new(big.Int).SetBytes(sig[size:]))
	case *rsa.PublicKey:
		sum, hash := alg.sum(input)
		if strings.HasPrefix(string(alg), "PS") { // RFC 7518, section 3.5: a salt as long as the hash
			return rsa.VerifyPSS(k, hash, sum, sig, &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash}) == nil
		}
		return rsa.VerifyPKCS1v15(k, hash, sum, sig) == nil
	}
	return false
}

// fitsKey reports whether an algorithm works with a key of this type and curve.
func fitsKey(a Algorithm, public any) bool {
	switch k := public.(type) {
	case ed25519.PublicKey:
		return a.canonical() == EdDSA
	case *ecdsa.PublicKey:
		return a.coordinate() == (k.Curve.Params().BitSize+7)/8 && a.coordinate() > 0
	case *rsa.PublicKey:
		return a.isRSA()
	}
	return false
}

// decodeBase64 decodes unpadded base64url and nothing that merely resembles it
// (section 1.4). It refuses line breaks itself, which the standard decoder skips.
func decodeBase64(s string) ([]byte, bool) {
	if strings.ContainsAny(s, "\r\n") {
		return nil, false
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	return b, err == nil
}

// parseDER reads an ECDSA signature in ASN.1 DER, a SEQUENCE of two INTEGERs, and
// returns it in the raw form for coordinates of size bytes. ok is false when it is not
// such a signature; raw is nil when an integer does not fit.
func parseDER(sig []byte, size int) (raw []byte, ok bool) {
	body, rest, ok := derValue(sig, 0x30)
	if !ok || len(rest) > 0 {
		return nil, false
	}
	r, body, ok := derValue(body, 0x02)
	if !ok || len(r) == 0 {
		return nil, false
	}
	s, body, ok := derValue(body, 0x02)
	if !ok || len(s) == 0 || len(body) > 0 {
		return nil, false
	}
	ri, si := new(big.Int).SetBytes(r), new(big.Int).SetBytes(s)
	if r[0] >= 0x80 || s[0] >= 0x80 || ri.BitLen() > 8*size || si.BitLen() > 8*size {
		return nil, true
	}
	return rawSignature(ri, si, size), true
}

// derValue takes one value with a tag off the front.
func derValue(b []byte, tag byte) (value, rest []byte, ok bool) {
	if len(b) < 2 || b[0] != tag {
		return nil, nil, false
	}
	n, head := int(b[1]), 2
	switch {
	case n == 0x81 && len(b) >= 3:
		n, head = int(b[2]), 3
	case n == 0x82 && len(b) >= 4:
		n, head = int(binary.BigEndian.Uint16(b[2:])), 4
	case n >= 0x80:
		return nil, nil, false
	}
	if len(b)-head < n {
		return nil, nil, false
	}
	return b[head : head+n], b[head+n:], true
}

// rawSignature writes R and S, each padded on the left to size bytes (RFC 7518,
// section 3.4).
func rawSignature(r, s *big.Int, size int) []byte {
	out := make([]byte, 2*size)
	r.FillBytes(out[:size])
	s.FillBytes(out[size:])
	return out
}
