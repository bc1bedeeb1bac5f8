package vc

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/sha512"
	"math/big"
	"strings"

	"github.com/mr-tron/base58"

	"github.com/rdfproto/rdfproto/canon"
)

// Cryptosuite is a Data Integrity cryptosuite. Names are compared exactly.
type Cryptosuite string

// The cryptosuites of this package.
const (
	EdDSARDFC2022 Cryptosuite = "eddsa-rdfc-2022"
	ECDSARDFC2019 Cryptosuite = "ecdsa-rdfc-2019"
	EdDSAJCS2022  Cryptosuite = "eddsa-jcs-2022"
	ECDSAJCS2019  Cryptosuite = "ecdsa-jcs-2019"
)

// Cryptosuites returns the cryptosuites of this package.
func Cryptosuites() []Cryptosuite {
	return []Cryptosuite{EdDSARDFC2022, ECDSARDFC2019, EdDSAJCS2022, ECDSAJCS2019}
}

// AuthorityCryptosuites returns the cryptosuites that credentials of authority may use
// by default (AZ-2.4): those whose signature covers the graph.
func AuthorityCryptosuites() []Cryptosuite { return []Cryptosuite{EdDSARDFC2022, ECDSARDFC2019} }

// jcs reports whether the suite signs canonical JSON.
func (s Cryptosuite) jcs() bool { return s == EdDSAJCS2022 || s == ECDSAJCS2019 }

// fits reports whether the suite takes keys of a type (AZ-2.5).
func (s Cryptosuite) fits(t KeyType) bool {
	if strings.HasPrefix(string(s), "eddsa-") {
		return t == Ed25519
	}
	return t == P256 || t == P384
}

// algorithm is the hash inside RDFC-1.0 and over the canonical forms. It follows
// the key: a P-384 key demands SHA-384 in both (ECDSA Cryptosuites, 3.2.3).
func algorithm(t KeyType) canon.Algorithm {
	if t == P384 {
		return canon.SHA384
	}
	return canon.SHA256
}

// sum hashes a canonical form.
func sum(a canon.Algorithm, data []byte) []byte {
	if a == canon.SHA384 {
		h := sha512.Sum384(data)
		return h[:]
	}
	h := sha256.Sum256(data)
	return h[:]
}

// signatureSize is the size of a signature by a key.
func signatureSize(t KeyType) int {
	if t == Ed25519 {
		return ed25519.SignatureSize
	}
	return 2 * t.form().coordinate
}

// decodeProofValue reads a proofValue: "z" and base58btc of as many bytes as the
// key's signatures have.
func decodeProofValue(s string, t KeyType) ([]byte, bool) {
	const longest = 140 // characters; a few more than 96 bytes take
	encoded, ok := strings.CutPrefix(s, "z")
	if !ok || len(s) > longest {
		return nil, false
	}
	raw, err := base58.Decode(encoded)
	return raw, err == nil && len(raw) == signatureSize(t)
}

// verify checks a signature over hash data.
func (k PublicKey) verify(data, signature []byte) bool {
	switch {
	case len(signature) != signatureSize(k.typ):
		return false
	case k.ed != nil:
		return ed25519.Verify(k.ed, data, signature)
	case k.ec != nil:
		half := len(signature) / 2
		r, s := new(big.Int).SetBytes(signature[:half]), new(big.Int).SetBytes(signature[half:])
		return ecdsa.Verify(k.ec, sum(algorithm(k.typ), data), r, s) // refuses what is not in 1..n-1
	}
	return false
}
