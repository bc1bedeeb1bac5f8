package agentcard

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/rdfproto/rdfproto/internal/lifetime"
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// PrivateKey is a key that signs cards, with its kid and its one algorithm. Its
// text form is a private JWK; handle it accordingly.
type PrivateKey struct {
	public  *Key
	private crypto.Signer
}

// Public returns the public key.
func (k *PrivateKey) Public() *Key { return k.public }

// ParsePrivateKey reads a private JWK strictly: EC on P-256, P-384 or P-521, OKP
// on Ed25519, or RSA with its primes and an alg. A kid is required. nbf and exp say when
// the public key is valid and are published with it; a key with another member that may
// begin or end it is refused. It fails with an [*Error], which never holds any part of its
// private members.
func ParsePrivateKey(data []byte, limits Limits) (*PrivateKey, error) {
	k, err := parsePrivateKey(data, limits.OrDefault())
	if err != nil {
		return nil, err
	}
	return k, nil
}

func parsePrivateKey(data []byte, limits Limits) (*PrivateKey, *Error) {
	root, err := strictjson.Parse(data, limits.keySet())
	if err != nil {
		e := fromJSON(err)
		return nil, &Error{Code: e.Code, Text: "expected a private JWK in JSON", Line: e.Line, Column: e.Column}
	}
	fail := func(format string, args ...any) (*PrivateKey, *Error) {
		return nil, &Error{Code: CodeKeyMalformed, Text: fmt.Sprintf(format, args...)}
	}
	if !root.Get("d").Exists() {
		return fail("expected a private JWK, found an object without d")
	}
	// The public half goes through the reader of public keys.
	public := []byte("{")
	for i := range root.Len() {
		m := root.Member(i)
		name := m.Str()
		if !slices.Contains([]string{"kty", "crv", "x", "y", "n", "e", "kid", "alg", "use"}, name) && !lifetime.Limits(name) {
			continue
		}
		if len(public) > 1 {
			public = append(public, ',')
		}
		public = append(appendString(public, name), ':')
		public = appendVerbatim(public, m.Value)
	}
	half, err := strictjson.Parse(append(public, '}'), limits.keySet())
	if err != nil {
		return fail("expected a private JWK")
	}
	k, e := parseKey(half)
	switch {
	case e != nil:
		return fail("%s", e.Text)
	case k.fault != "":
		return nil, &Error{Code: k.fault, Text: k.faultText}
	case k.limitedBy != "":
		return fail("%s", k.limited("the key"))
	case k.id == "":
		return fail("expected a kid")
	case k.alg == "":
		return fail("expected an alg for the RSA key: a key is for one algorithm")
	}
	for _, name := range privateMembers {
		m := root.Get(name)
		if !m.Exists() {
			continue
		}
		s, ok := m.Str()
		if _, valid := decodeBase64(s); !ok || !valid {
			return fail("expected unpadded base64url for %s", name)
		}
	}
	var parsed jose.JSONWebKey
	if err := parsed.UnmarshalJSON(data); err != nil {
		return fail("expected a private key that belongs to its public half")
	}
	signer, ok := parsed.Key.(crypto.Signer)
	if !ok || !parsed.Valid() {
		return fail("expected a private key that signs")
	}
	if !belongs(signer, k.public) {
		return fail("expected a private key that belongs to its public half")
	}
	return &PrivateKey{public: k, private: signer}, nil
}

// belongs reports whether a private key belongs to a public one. The library checks that
// for Ed25519 and RSA, but takes the public half of an EC key as it is given.
func belongs(private crypto.Signer, public any) bool {
	if ec, ok := private.(*ecdsa.PrivateKey); ok {
		derived, err1 := ec.ECDH()
		want, ok := public.(*ecdsa.PublicKey)
		if !ok || err1 != nil {
			return false
		}
		given, err2 := want.ECDH()
		return err2 == nil && derived.PublicKey().Equal(given)
	}
	half, ok := private.Public().(interface{ Equal(crypto.PublicKey) bool })
	return ok && half.Equal(public)
}

// GenerateKey makes a key for an algorithm of [DefaultAlgorithms] or ES512; RSA keys
// have 3072 bits. With kid "" the key's thumbprint (RFC 7638) is its kid. Randomness
// comes from random, but crypto/rsa and crypto/ecdsa may take it from the system instead.
// It fails for another algorithm, without random, and as random does.
func GenerateKey(alg Algorithm, kid string, random io.Reader) (*PrivateKey, error) {
	if random == nil {
		return nil, errors.New("expected a source of randomness")
	}
	var (
		private crypto.Signer
		err     error
	)
	switch alg {
	case ES256:
		private, err = ecdsa.GenerateKey(elliptic.P256(), random)
	case ES384:
		private, err = ecdsa.GenerateKey(elliptic.P384(), random)
	case ES512:
		private, err = ecdsa.GenerateKey(elliptic.P521(), random)
	case EdDSA, Ed25519:
		seed := make([]byte, ed25519.SeedSize)
		if _, err = io.ReadFull(random, seed); err == nil {
			private = ed25519.NewKeyFromSeed(seed)
		}
	case RS256, PS256:
		const bits = 3072 // 128 bits of strength
		private, err = rsa.GenerateKey(random, bits)
	default:
		return nil, fmt.Errorf("expected an algorithm that keys are made for, found %s", shorten(string(alg)))
	}
	if err != nil {
		return nil, fmt.Errorf("making a key: %w", err)
	}
	k := &Key{id: kid, alg: alg, public: private.Public()}
	jwk := jose.JSONWebKey{Key: k.public}
	print, err := jwk.Thumbprint(crypto.SHA256)
	if err != nil {
		return nil, fmt.Errorf("making a key: %w", err)
	}
	copy(k.thumbprint[:], print)
	if k.id == "" {
		k.id = base64.RawURLEncoding.EncodeToString(print)
	}
	return &PrivateKey{public: k, private: private}, nil
}

// JWK returns the private key as a JWK: a secret.
func (k *PrivateKey) JWK() ([]byte, error) { return k.jwk(k.private) }

// KeySet returns the JWK Set to publish: the public key alone, with the times between
// which it is valid if it has such.
func (k *PrivateKey) KeySet() ([]byte, error) {
	one, err := k.jwk(k.public.public)
	if err != nil {
		return nil, err
	}
	return append(append([]byte(`{"keys":[`), one...), `]}`...), nil
}

// jwk writes one half of the key.
func (k *PrivateKey) jwk(half any) ([]byte, error) {
	out, err := jose.JSONWebKey{Key: half, KeyID: k.public.id, Algorithm: string(k.public.alg), Use: "sig"}.MarshalJSON()
	if err != nil {
		return nil, err
	}
	for _, t := range []struct {
		name string
		at   time.Time
	}{{"nbf", k.public.notBefore}, {"exp", k.public.notAfter}} {
		if !t.at.IsZero() {
			out = fmt.Appendf(out[:len(out)-1], `,"%s":%d}`, t.name, t.at.Unix())
		}
	}
	return out, nil
}

// sign makes a JWS signature: raw R and S for ECDSA (ALG-7).
func (k *PrivateKey) sign(input []byte, random io.Reader, deterministic bool) ([]byte, error) {
	alg := k.public.alg
	if random == nil && (alg.coordinate() > 0 && !deterministic || strings.HasPrefix(string(alg), "PS")) {
		return nil, fmt.Errorf("expected a source of randomness for %s", alg)
	}
	if deterministic && alg.coordinate() > 0 {
		random = nil // RFC 6979
	}
	switch key := k.private.(type) {
	case ed25519.PrivateKey:
		return ed25519.Sign(key, input), nil
	case *ecdsa.PrivateKey:
		sum, hash := alg.sum(input)
		der, err := key.Sign(random, sum, hash)
		if err != nil {
			return nil, fmt.Errorf("signing: %w", err)
		}
		raw, ok := parseDER(der, alg.coordinate())
		if !ok || raw == nil {
			return nil, errors.New("signing: the signature has no raw form")
		}
		return raw, nil
	case *rsa.PrivateKey:
		sum, hash := alg.sum(input)
		if strings.HasPrefix(string(alg), "PS") {
			return rsa.SignPSS(random, key, hash, sum, &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash})
		}
		return rsa.SignPKCS1v15(nil, key, hash, sum)
	}
	return nil, errors.New("signing: the key is of an unknown kind")
}

// sum hashes as the algorithm says.
func (a Algorithm) sum(input []byte) ([]byte, crypto.Hash) {
	switch {
	case strings.HasSuffix(string(a), "384"):
		s := sha512.Sum384(input)
		return s[:], crypto.SHA384
	case strings.HasSuffix(string(a), "512"):
		s := sha512.Sum512(input)
		return s[:], crypto.SHA512
	}
	s := sha256.Sum256(input)
	return s[:], crypto.SHA256
}
