package vc

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mr-tron/base58"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// PrivateKey is a key that signs. Its text form is a secret.
type PrivateKey struct {
	public PublicKey
	id     string // kid: by convention the verification method, "" for none
	ed     ed25519.PrivateKey
	ec     *ecdsa.PrivateKey
}

// Public returns the public key.
func (k *PrivateKey) Public() PublicKey { return k.public }

// ID returns the kid of the JWK that the key was read from, "" for none. [Sign] uses
// it as the verification method by default.
func (k *PrivateKey) ID() string { return k.id }

// WithID returns the same key with another kid.
func (k *PrivateKey) WithID(id string) *PrivateKey {
	out := *k
	out.id = id
	return &out
}

var errPrivate = errors.New("expected a private key that belongs to its public half")

// ParsePrivateKey reads a private JWK (RFC 7517) on Ed25519, P-256 or P-384. Its
// errors never hold any part of its private member.
func ParsePrivateKey(data []byte) (*PrivateKey, error) {
	const size = 4 << 10 // the largest has a few hundred bytes
	v, err := strictjson.Parse(data, strictjson.Limits{Bytes: size, Depth: 8})
	if err != nil {
		return nil, errors.New("expected a private JWK in JSON")
	}
	if !v.Get("d").Exists() {
		return nil, errors.New("expected a private JWK, found no member d")
	}
	public, err := publicJWK(v)
	if err != nil {
		return nil, err
	}
	d, err := coordinate(v, "d", public.typ.form().coordinate)
	if err != nil {
		return nil, err
	}
	k, err := newPrivateKey(public.typ, d)
	if err != nil {
		return nil, err
	}
	if !k.public.Equal(public) {
		return nil, errPrivate
	}
	if kid := v.Get("kid"); kid.Exists() {
		var ok bool
		if k.id, ok = kid.Str(); !ok {
			return nil, errors.New("expected a string for kid")
		}
	}
	return k, nil
}

// ParseSecretMultikey reads a secretKeyMultibase (Controlled Identifiers 1.0,
// section 2.2.2). Its errors never hold any part of the key.
func ParseSecretMultikey(s string) (*PrivateKey, error) {
	fail := errors.New(`expected a secret Multikey: "z" and base58btc of an Ed25519, P-256 or P-384 key`)
	encoded, ok := strings.CutPrefix(s, "z")
	if !ok || len(s) > maxMultikey {
		return nil, fail
	}
	raw, err := base58.Decode(encoded)
	if err != nil || len(raw) < 2 {
		return nil, fail
	}
	for t := Ed25519; t <= P384; t++ {
		if f := t.form(); bytes.Equal(raw[:2], f.secret[:]) && len(raw) == 2+f.coordinate {
			return newPrivateKey(t, raw[2:])
		}
	}
	return nil, fail
}

// newPrivateKey makes a key from its seed or scalar.
func newPrivateKey(t KeyType, d []byte) (*PrivateKey, error) {
	if t == Ed25519 {
		ed := ed25519.NewKeyFromSeed(d)
		public, err := edwardsKey(ed.Public().(ed25519.PublicKey))
		return &PrivateKey{public: public, ed: ed}, err
	}
	ec, err := ecdsa.ParseRawPrivateKey(t.form().curve, d)
	if err != nil {
		return nil, errPrivate
	}
	return &PrivateKey{public: PublicKey{typ: t, ec: &ec.PublicKey}, ec: ec}, nil
}

// GenerateKey makes a key from the bytes of random, which must be a source of secrets,
// such as crypto/rand.Reader.
func GenerateKey(t KeyType, random io.Reader) (*PrivateKey, error) {
	f := t.form()
	if f.kty == "" || random == nil {
		return nil, errors.New("expected a key type and a source of randomness")
	}
	d := make([]byte, f.coordinate)
	// Nearly every scalar of a curve is a key.
	for range 128 {
		if _, err := io.ReadFull(random, d); err != nil {
			return nil, fmt.Errorf("making a key: %w", err)
		}
		if k, err := newPrivateKey(t, d); err == nil {
			return k, nil
		}
	}
	return nil, errors.New("making a key: the source is not random")
}

// JWK returns the private key as a JWK: a secret.
func (k *PrivateKey) JWK() ([]byte, error) {
	f := k.public.typ.form()
	var x, y, d []byte
	switch {
	case k.ed != nil:
		x, d = k.public.ed, k.ed.Seed()
	case k.ec != nil:
		point, err := k.public.ec.Bytes()
		if err != nil {
			return nil, fmt.Errorf("writing a key: %w", err)
		}
		x, y = point[1:1+f.coordinate], point[1+f.coordinate:]
		if d, err = k.ec.Bytes(); err != nil {
			return nil, fmt.Errorf("writing a key: %w", err)
		}
	default:
		return nil, errors.New("expected a key")
	}
	b64 := base64.RawURLEncoding.EncodeToString
	out := `{"kty":"` + f.kty + `","crv":"` + f.crv + `"`
	if k.id != "" {
		out += `,"kid":` + quoteJSON(k.id)
	}
	out += `,"x":"` + b64(x) + `"`
	if y != nil {
		out += `,"y":"` + b64(y) + `"`
	}
	return []byte(out + `,"d":"` + b64(d) + `"}`), nil
}

// sign signs hash data by the rules of a suite: Ed25519 pure, ECDSA as r and s of
// fixed width. Without randomness ECDSA nonces are those of RFC 6979.
func (k *PrivateKey) sign(data []byte, random io.Reader) ([]byte, error) {
	switch {
	case k.ed != nil:
		return ed25519.Sign(k.ed, data), nil
	case k.ec != nil:
		hash := crypto.SHA256
		if k.public.typ == P384 {
			hash = crypto.SHA384
		}
		h := hash.New()
		h.Write(data)
		der, err := k.ec.Sign(random, h.Sum(nil), hash)
		if err != nil {
			return nil, fmt.Errorf("signing: %w", err)
		}
		return fixedWidth(der, k.public.typ.form().coordinate)
	}
	return nil, errors.New("expected a key")
}

// fixedWidth turns an ECDSA signature in DER, as the library makes it, into r and s
// of fixed width (IEEE P1363).
func fixedWidth(der []byte, size int) ([]byte, error) {
	broken := errors.New("signing: the signature has an unexpected form")
	const sequence, integer = 0x30, 0x02
	if len(der) < 2 || der[0] != sequence || int(der[1]) != len(der)-2 {
		return nil, broken
	}
	der = der[2:]
	out := make([]byte, 2*size)
	for i := range 2 {
		if len(der) < 2 || der[0] != integer || int(der[1]) > len(der)-2 {
			return nil, broken
		}
		n := bytes.TrimLeft(der[2:2+der[1]], "\x00")
		if len(n) > size {
			return nil, broken
		}
		copy(out[(i+1)*size-len(n):], n)
		der = der[2+der[1]:]
	}
	return out, nil
}
