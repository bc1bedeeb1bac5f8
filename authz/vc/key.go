package vc

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mr-tron/base58"

	"github.com/rdfproto/rdfproto/internal/lifetime"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
)

// KeyType is a kind of key that a cryptosuite signs with.
type KeyType uint8

// The types of keys. The zero KeyType is none.
const (
	Ed25519 KeyType = iota + 1
	P256
	P384
)

// String returns the name as the command line spells it: "ed25519", "p256" or
// "p384".
func (t KeyType) String() string {
	return [...]string{"none", "ed25519", "p256", "p384"}[min(t, P384)&3]
}

// KeyTypeByName returns the key type with a name as [KeyType.String] gives it.
func KeyTypeByName(name string) (KeyType, bool) {
	for t := Ed25519; t <= P384; t++ {
		if t.String() == name {
			return t, true
		}
	}
	return 0, false
}

// keyForm is how keys of a type are written.
type keyForm struct {
	public, secret [2]byte // Multikey prefixes (Controlled Identifiers 1.0, section 2.2.2)
	publicSize     int     // bytes behind the prefix: the key, or the compressed point
	coordinate     int     // bytes of a coordinate or a scalar
	kty, crv       string
	curve          elliptic.Curve
}

func (t KeyType) form() keyForm {
	switch t {
	case Ed25519:
		return keyForm{[2]byte{0xed, 0x01}, [2]byte{0x80, 0x26}, 32, 32, "OKP", "Ed25519", nil}
	case P256:
		return keyForm{[2]byte{0x80, 0x24}, [2]byte{0x86, 0x26}, 33, 32, "EC", "P-256", elliptic.P256()}
	case P384:
		return keyForm{[2]byte{0x81, 0x24}, [2]byte{0x87, 0x26}, 49, 48, "EC", "P-384", elliptic.P384()}
	}
	return keyForm{}
}

// PublicKey is a key that verifies signatures. The zero PublicKey verifies none.
// It is immutable.
type PublicKey struct {
	typ KeyType
	ed  ed25519.PublicKey
	ec  *ecdsa.PublicKey
}

// Type returns the type of the key.
func (k PublicKey) Type() KeyType { return k.typ }

// Equal reports whether both are the same key; the zero key equals none.
func (k PublicKey) Equal(other PublicKey) bool {
	switch {
	case k.typ != other.typ:
		return false
	case k.ed != nil:
		return k.ed.Equal(other.ed)
	case k.ec != nil:
		return k.ec.Equal(other.ec)
	}
	return false
}

// Multikey returns the key in the form of publicKeyMultibase, "" for the zero key.
func (k PublicKey) Multikey() string {
	f := k.typ.form()
	switch {
	case k.ed != nil:
		return "z" + base58.Encode(append(f.public[:], k.ed...))
	case k.ec != nil:
		return "z" + base58.Encode(append(f.public[:], k.compressed()...))
	}
	return ""
}

// compressed returns the point of a key in the compressed form of SEC 1.
func (k PublicKey) compressed() []byte {
	point, err := k.ec.Bytes()
	if err != nil {
		return nil // for the zero key alone: all others were checked when they were read
	}
	size := k.typ.form().coordinate
	return append([]byte{2 | point[len(point)-1]&1}, point[1:1+size]...)
}

// maxMultikey is more characters than any of these keys has. Decoding takes time that
// grows with the square of the length.
const maxMultikey = 128

var errMultikey = errors.New(`expected a Multikey: "z" and base58btc of an Ed25519, P-256 or P-384 key`)

// ParseMultikey reads a publicKeyMultibase (AZ-1.6): Ed25519, or a compressed point
// on P-256 or P-384.
func ParseMultikey(s string) (PublicKey, error) {
	t, raw := decodeMultikey(s)
	switch t {
	case 0:
		return PublicKey{}, errMultikey
	case Ed25519:
		return edwardsKey(raw)
	}
	f := t.form()
	// Checks that the point is on the curve; nil if it is not.
	x, y := elliptic.UnmarshalCompressed(f.curve, raw)
	if x == nil {
		return PublicKey{}, fmt.Errorf("expected a compressed point on %s", f.crv)
	}
	point := make([]byte, 1+2*f.coordinate)
	point[0] = 4
	x.FillBytes(point[1 : 1+f.coordinate])
	y.FillBytes(point[1+f.coordinate:])
	return curveKey(t, point)
}

// decodeMultikey returns the type and the bytes of a Multikey, of which nothing but their
// number is checked, and no type for what is none.
func decodeMultikey(s string) (KeyType, []byte) {
	encoded, ok := strings.CutPrefix(s, "z")
	raw := decodeBase58(encoded)
	if !ok || len(raw) < 2 {
		return 0, nil
	}
	for t := Ed25519; t <= P384; t++ {
		if f := t.form(); bytes.Equal(raw[:2], f.public[:]) && len(raw) == 2+f.publicSize {
			return t, raw[2:]
		}
	}
	return 0, nil
}

// decodeBase58 returns nil for what is not base58btc, or longer than a key is.
func decodeBase58(s string) []byte {
	if len(s) >= maxMultikey {
		return nil
	}
	raw, err := base58.Decode(s)
	if err != nil {
		return nil
	}
	return raw
}

// smallOrder are the encodings of the y coordinates of points whose order divides
// 8, those above the field's prime included. A signature by such a key verifies
// for every message.
const smallOrder = "0000000000000000000000000000000000000000000000000000000000000000" +
	"0100000000000000000000000000000000000000000000000000000000000000" +
	"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05" +
	"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a" +
	"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f" +
	"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f" +
	"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"

func edwardsKey(raw []byte) (PublicKey, error) {
	y := bytes.Clone(raw)
	y[31] &= 0x7f // the sign of x
	const size = 2 * ed25519.PublicKeySize
	for at, s := 0, hex.EncodeToString(y); at < len(smallOrder); at += size {
		if s == smallOrder[at:at+size] {
			return PublicKey{}, errors.New("expected an Ed25519 key that is not of small order")
		}
	}
	return PublicKey{typ: Ed25519, ed: bytes.Clone(raw)}, nil
}

// curveKey reads an uncompressed point.
func curveKey(t KeyType, point []byte) (PublicKey, error) {
	f := t.form()
	key, err := ecdsa.ParseUncompressedPublicKey(f.curve, point)
	if err != nil {
		return PublicKey{}, fmt.Errorf("expected a point on %s", f.crv)
	}
	return PublicKey{typ: t, ec: key}, nil
}

// parseJWK reads a public JWK (RFC 7517) of one of the three types (AZ-1.5).
func parseJWK(v strictjson.Value) (PublicKey, error) {
	if v.Kind() != strictjson.Object {
		return PublicKey{}, fmt.Errorf("expected a JWK, which is an object, found %s", v.Kind())
	}
	if err := checkJWK(v); err != nil {
		return PublicKey{}, err
	}
	if use := v.Get("use"); use.Exists() { // RFC 7517, section 4.2
		if s, _ := use.Str(); s != "sig" {
			return PublicKey{}, fmt.Errorf("expected a key whose use is sig, found %s", rdf.Abbreviate(use.Source()))
		}
	}
	if operations := v.Get("key_ops"); operations.Exists() { // section 4.3
		verifies := operations.Kind() == strictjson.Array && slices.ContainsFunc(items(operations), func(o strictjson.Value) bool {
			s, _ := o.Str()
			return s == "verify"
		})
		if !verifies {
			return PublicKey{}, fmt.Errorf("expected verify among the key_ops of a key, found %s", rdf.Abbreviate(operations.Source()))
		}
	}
	return publicJWK(v)
}

// checkJWK refuses a JWK with the private half of the key, or with a time of its own.
func checkJWK(v strictjson.Value) error {
	for _, name := range [...]string{"d", "p", "q", "dp", "dq", "qi", "oth", "k"} {
		if v.Get(name).Exists() {
			return fmt.Errorf("expected a public key, found the member %s of a private or symmetric one", name)
		}
	}
	for name := range v.Members() { // OpenID Federation 1.0 has revoked, exp and nbf
		if lifetime.Limits(name) {
			return fmt.Errorf("expected no member %s in a JWK: it may begin or end the key, whose times are members of its method", rdf.Abbreviate(name))
		}
	}
	return nil
}

func publicJWK(v strictjson.Value) (PublicKey, error) {
	kty, _ := v.Get("kty").Str()
	crv, _ := v.Get("crv").Str()
	for t := Ed25519; t <= P384; t++ {
		f := t.form()
		if kty != f.kty || crv != f.crv {
			continue
		}
		if alg := v.Get("alg"); alg.Exists() {
			if s, _ := alg.Str(); !fitsJOSE(t, s) {
				return PublicKey{}, fmt.Errorf("expected an alg for %s, found %s", f.crv, rdf.Abbreviate(alg.Source()))
			}
		}
		x, err := coordinate(v, "x", f.coordinate)
		if err != nil {
			return PublicKey{}, err
		}
		if t == Ed25519 {
			return edwardsKey(x)
		}
		y, err := coordinate(v, "y", f.coordinate)
		if err != nil {
			return PublicKey{}, err
		}
		return curveKey(t, append(append([]byte{4}, x...), y...))
	}
	return PublicKey{}, fmt.Errorf("expected a key of OKP on Ed25519 or EC on P-256 or P-384, found kty %s and crv %s", rdf.Abbreviate(kty), rdf.Abbreviate(crv))
}

// fitsJOSE reports whether alg is an algorithm of keys of a type.
func fitsJOSE(t KeyType, alg string) bool {
	switch t {
	case Ed25519:
		return alg == "EdDSA" || alg == "Ed25519"
	case P256:
		return alg == "ES256"
	}
	return alg == "ES384"
}

// coordinate reads a number of a fixed size in unpadded base64url.
func coordinate(v strictjson.Value, name string, size int) ([]byte, error) {
	s, _ := v.Get(name).Str()
	raw, ok := decodeBase64(base64.RawURLEncoding, s)
	if !ok || len(raw) != size {
		return nil, fmt.Errorf("expected %d bytes in unpadded base64url for %s", size, name)
	}
	return raw, nil
}

// decodeBase64 decodes strictly: the library alone skips line ends.
func decodeBase64(e *base64.Encoding, s string) ([]byte, bool) {
	if strings.ContainsAny(s, "\r\n") {
		return nil, false
	}
	raw, err := e.Strict().DecodeString(s)
	return raw, err == nil
}
