package agentcard

import (
	"bytes"
	"cmp"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/rdfproto/rdfproto/internal/lifetime"
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// Key is a public key that was read from a JWK (RFC 7517). It is immutable.
type Key struct {
	id         string
	alg        Algorithm // "" for an RSA key that names none
	public     any       // *ecdsa.PublicKey, ed25519.PublicKey or *rsa.PublicKey
	thumbprint [32]byte  // RFC 7638
	validity
	disclosed bool // it came with its private half
	fault     Code // why it cannot verify, "" for none
	faultText string
}

// validity says between which times something is valid.
type validity struct {
	notBefore time.Time
	notAfter  time.Time
	limitedBy string // a member that may begin or end it and is not understood, "" for none
}

// outside says why what is not valid at a time, "" when it is.
func (p *validity) outside(what string, at time.Time) string {
	switch {
	case p.limitedBy != "":
		return p.limited(what)
	case !p.notBefore.IsZero() && at.Before(p.notBefore):
		return what + " is valid from " + stamp(p.notBefore) + " on"
	case !p.notAfter.IsZero() && !at.Before(p.notAfter):
		return what + " was valid until " + stamp(p.notAfter)
	}
	return ""
}

// limited says why what has a member that may end it is not used.
func (p *validity) limited(what string) string {
	return what + " has the member " + shorten(p.limitedBy) + ", which may begin or end it and is not understood"
}

// ID returns the kid, "" when the key has none.
func (k *Key) ID() string { return k.id }

// Algorithm returns the one algorithm of the key, "" for an RSA key that names
// none.
func (k *Key) Algorithm() Algorithm { return k.alg }

// Ended reports whether the key says that it has ended by a time (exp): from then on
// nothing verifies with it, whenever it was signed.
func (k *Key) Ended(at time.Time) bool { return !k.notAfter.IsZero() && !at.Before(k.notAfter) }

// verify checks a signature with the key.
func (k *Key) verify(s *signature, payload []byte) bool {
	return verifySignature(k.public, s.alg, s.protected, payload, s.bytes)
}

// usable says why the key may not be used at a time (K-6).
func (k *Key) usable(at time.Time) (Code, string) {
	if k.fault != "" {
		return k.fault, k.faultText
	}
	return k.outside(at)
}

// outside says why the key is not valid at a time, whatever it is for.
func (k *Key) outside(at time.Time) (Code, string) {
	if k.disclosed {
		return CodeJWKSPrivateKey, "the private half of the key is published, so that anyone may have signed"
	}
	switch text := k.validity.outside("the key", at); {
	case text == "":
		return "", ""
	case k.limitedBy != "":
		return CodeKeyMalformed, text
	default:
		return CodeKeyExpired, text
	}
}

// over is outside for what the key is under another name: not valid yet is not over.
func (k *Key) over(at time.Time) (Code, string) {
	begun := Key{validity: k.validity, disclosed: k.disclosed}
	begun.notBefore = time.Time{}
	return begun.outside(at)
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// privateMembers are the members of JWKs that no public key has: of RFC 7518, and of the
// keys for algorithms after quantum computers (kty AKP).
var privateMembers = [...]string{"d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"}

// parseKey reads a JWK. A key that is understood but must not be used is returned with
// its fault, so that a report can say so; on an error the entry of a set is skipped
// (K-4, K-5), and the key comes as far as it could be read, without a thumbprint if it
// could not: what the entry says about when it is valid is still said of it. A member that
// may begin or end the key, under any name but nbf and exp and whatever its value, ends it.
func parseKey(v strictjson.Value) (*Key, *Error) {
	k := &Key{}
	if v.Kind() != strictjson.Object {
		return k, refuseAt(v, CodeKeyMalformed, "expected a JWK, which is an object, found %s", v.Kind())
	}
	var wrong *Error // what is found first: finding a place reads the set up to it
	refuse := func(at strictjson.Value, code Code, format string, args ...any) {
		if wrong == nil {
			wrong = refuseAt(at, code, format, args...)
		}
	}
	for _, name := range privateMembers {
		if v.Get(name).Exists() {
			k.disclosed = true
			refuse(v, CodeJWKSPrivateKey, "expected a public key, found the member %s of a private or symmetric one", name)
		}
	}
	var kty, crv, alg, use string
	for _, m := range []struct {
		name string
		to   *string
	}{{"kty", &kty}, {"crv", &crv}, {"kid", &k.id}, {"alg", &alg}, {"use", &use}} {
		if member := v.Get(m.name); member.Exists() {
			var ok bool
			if *m.to, ok = member.Str(); !ok {
				refuse(member, CodeKeyMalformed, "expected a string for %s, found %s", m.name, member.Kind())
			}
		}
	}
	if err := k.material(v, kty, crv); err != nil {
		return k, cmp.Or(wrong, err)
	}
	if wrong = cmp.Or(wrong, k.validity.read(v)); wrong != nil {
		return k, wrong
	}
	if v.Get("alg").Exists() && alg == "" { // for no algorithm, which is not the same as for any
		k.fail(CodeKeyAlgMismatch, "the key's alg is empty")
	}
	k.setAlgorithm(Algorithm(alg))
	if err := k.setUse(v, use); err != nil {
		return k, err
	}
	return k, nil
}

// read reads when a key, or a signature by its header, is valid (K-6).
func (p *validity) read(v strictjson.Value) (wrong *Error) {
	for _, t := range []struct {
		name string
		to   *time.Time
	}{{"nbf", &p.notBefore}, {"exp", &p.notAfter}} {
		member := v.Get(t.name)
		if !member.Exists() {
			continue
		}
		seconds, ok := member.Float64()
		const latest = 253402300799 // the last second of the year 9999
		if ok && seconds >= 0 && seconds <= latest {
			*t.to = time.Unix(int64(seconds), 0).UTC()
			continue
		}
		p.limitedBy = t.name
		wrong = refuseAt(member, CodeKeyMalformed, "expected seconds since 1970 for %s", t.name)
	}
	// OpenID Federation has revoked, others have other names: what they say would be lost.
	for name := range v.Members() {
		if name != "nbf" && name != "exp" && p.limitedBy == "" && lifetime.Limits(name) {
			p.limitedBy = name
		}
	}
	return wrong
}

// material reads the key itself. The JOSE library checks that a point is on its
// curve and that an Ed25519 key is not of low order.
func (k *Key) material(v strictjson.Value, kty, crv string) *Error {
	var names []string
	size := map[string]int{}
	switch {
	case kty == "EC" && crv == "P-256":
		names, size = []string{"x", "y"}, map[string]int{"x": 32, "y": 32}
	case kty == "EC" && crv == "P-384":
		names, size = []string{"x", "y"}, map[string]int{"x": 48, "y": 48}
	case kty == "EC" && crv == "P-521":
		names, size = []string{"x", "y"}, map[string]int{"x": 66, "y": 66}
	case kty == "OKP" && crv == "Ed25519":
		names, size = []string{"x"}, map[string]int{"x": 32}
	case kty == "RSA":
		names = []string{"n", "e"}
	default:
		return refuseAt(v, CodeKeyMalformed, "expected a key of EC on P-256, P-384 or P-521, OKP on Ed25519, or RSA, found kty %s and crv %s", shorten(kty), shorten(crv))
	}
	jwk := []byte(`{"kty":"` + kty + `"`)
	if crv != "" && kty != "RSA" {
		jwk = append(jwk, `,"crv":"`+crv+`"`...)
	}
	for _, name := range names {
		m := v.Get(name)
		s, ok := m.Str()
		if !ok {
			return refuseAt(v, CodeKeyMalformed, "expected a member %s in base64url", name)
		}
		raw, ok := decodeBase64(s)
		if !ok || len(raw) == 0 {
			return refuseAt(m, CodeKeyMalformed, "expected unpadded base64url for %s", name)
		}
		if want := size[name]; want > 0 && len(raw) != want {
			return refuseAt(m, CodeKeyMalformed, "expected %d bytes for %s, found %d", want, name, len(raw))
		}
		switch name {
		case "n":
			// Signatures by larger moduli take long to check, and anyone can publish one; the
			// JOSE library reads none.
			const least, most = 2048, 4096
			if bits := new(big.Int).SetBytes(raw).BitLen(); bits < least || bits > most {
				k.fail(CodeKeyWeak, "expected an RSA modulus of %d to %d bits, found %d", least, most, bits)
			}
		case "e":
			e := new(big.Int).SetBytes(raw)
			if e.BitLen() > 31 || e.Int64() < 3 || e.Bit(0) == 0 {
				k.fail(CodeKeyWeak, "expected an odd RSA exponent of 3 or more in at most 31 bits")
			}
		}
		jwk = append(append(append(jwk, `,"`+name+`":"`...), s...), '"')
	}
	if k.fault != "" {
		return nil // a weak key is reported by its kid and never used
	}
	var parsed jose.JSONWebKey
	if err := parsed.UnmarshalJSON(append(jwk, '}')); err != nil {
		return refuseAt(v, CodeKeyMalformed, "expected a key on its curve: %s", strings.TrimPrefix(err.Error(), "go-jose/go-jose: "))
	}
	if !parsed.Valid() || !parsed.IsPublic() {
		return refuseAt(v, CodeKeyMalformed, "expected a valid public key")
	}
	k.public = parsed.Key
	print, err := parsed.Thumbprint(crypto.SHA256)
	if err != nil || len(print) != len(k.thumbprint) {
		return refuseAt(v, CodeKeyMalformed, "expected a key with a thumbprint")
	}
	copy(k.thumbprint[:], print)
	return nil
}

// setAlgorithm sets the one algorithm of the key (ALG-3).
func (k *Key) setAlgorithm(alg Algorithm) {
	if alg != "" {
		k.alg = alg
		if !alg.known() || !fitsKey(alg, k.public) {
			k.fail(CodeKeyAlgMismatch, "the key's alg %s does not fit its type", shorten(string(alg)))
		}
		return
	}
	switch p := k.public.(type) {
	case ed25519.PublicKey:
		k.alg = EdDSA
	case *ecdsa.PublicKey:
		k.alg = map[int]Algorithm{256: ES256, 384: ES384, 521: ES512}[p.Curve.Params().BitSize]
	}
}

// setUse checks use and key_ops (K-5).
func (k *Key) setUse(v strictjson.Value, use string) *Error {
	if v.Get("use").Exists() && use != "sig" {
		k.fail(CodeKeyUse, "the key's use is %s, not sig", shorten(use))
	}
	ops := v.Get("key_ops")
	if !ops.Exists() {
		return nil
	}
	if ops.Kind() != strictjson.Array {
		return refuseAt(ops, CodeKeyMalformed, "expected an array for key_ops, found %s", ops.Kind())
	}
	var names []string
	for _, o := range ops.Items() {
		s, ok := o.Str()
		if !ok {
			return refuseAt(o, CodeKeyMalformed, "expected a string in key_ops, found %s", o.Kind())
		}
		names = append(names, s)
	}
	if !slices.Contains(names, "verify") {
		k.fail(CodeKeyUse, "the key's key_ops do not name verify")
	}
	return nil
}

func (k *Key) fail(code Code, format string, args ...any) {
	if k.fault == "" {
		k.fault, k.faultText = code, fmt.Sprintf(format, args...)
	}
}

// KeySet is a JWK Set (RFC 7517, section 5). It is immutable and safe for
// concurrent use.
type KeySet struct {
	keys     []*Key
	skipped  []*Key // of entries that cannot be used, as far as they could be read
	warnings []Finding
}

// Keys returns the keys that could be read.
func (s *KeySet) Keys() []*Key {
	if s == nil {
		return nil
	}
	return slices.Clone(s.keys)
}

// Warnings returns what was skipped.
func (s *KeySet) Warnings() []Finding {
	if s == nil {
		return nil
	}
	return slices.Clone(s.warnings)
}

// ParseKeySet reads a JWK Set strictly. Keys of an unknown kind, keys that lack a
// member and private keys are skipped with a warning; the same key under another kid is
// not used either if the skipped entry is private or may end it. It fails with an [*Error]
// for anything that is not a set, and names the usual causes (K-4, K-10), and for a set with
// a member that may begin or end it or some of its keys, such as exp, unless it is a truth
// value that says it goes on.
func ParseKeySet(data []byte, limits Limits) (*KeySet, error) {
	s, err := parseKeySet(data, limits.OrDefault())
	if err != nil {
		return nil, err
	}
	return s, nil
}

func parseKeySet(data []byte, limits Limits) (*KeySet, *Error) {
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("-----BEGIN")) {
		return nil, &Error{Code: CodeJWKSMalformed, Text: "expected a JWK Set, found a key in PEM", Line: 1, Column: 1}
	}
	root, err := strictjson.Parse(data, limits.keySet())
	if err != nil {
		e := fromJSON(err)
		if e.Code == CodeJSONSyntax {
			e.Code, e.Text = CodeJWKSMalformed, "expected a JWK Set in JSON: "+e.Text
		}
		return nil, e
	}
	keys := root.Get("keys")
	if keys.Kind() != strictjson.Array {
		return nil, refuseAt(root, CodeJWKSMalformed, "expected a JWK Set, an object with an array keys, found %s", notASet(root))
	}
	if keys.Len() > limits.Keys {
		return nil, refuseAt(keys, CodeLimit, "expected at most %d keys, found %d", limits.Keys, keys.Len())
	}
	for name, member := range root.Members() {
		if value, isBool := member.Bool(); lifetime.Limits(name) && !(isBool && lifetime.Lasts(name, value)) {
			return nil, refuseAt(member, CodeJWKSMalformed, "the JWK Set has the member %s, which may begin or end it or keys and is not understood", shorten(name))
		}
	}
	s := &KeySet{}
	for _, v := range keys.Items() {
		if v.Kind() != strictjson.Object {
			return nil, refuseAt(v, CodeJWKSMalformed, "expected keys that are objects, found %s", v.Kind())
		}
		k, err := parseKey(v)
		if err != nil {
			code := CodeJWKSKeySkipped
			if err.Code == CodeJWKSPrivateKey {
				code = err.Code
			}
			s.warnings = append(s.warnings, Finding{Code: code, Text: "key skipped: " + err.Text, Pointer: err.Pointer, Line: err.Line, Column: err.Column})
			s.skipped = append(s.skipped, k)
			continue
		}
		s.keys = append(s.keys, k)
	}
	return s, nil
}

// notASet names what was found in the place of a JWK Set.
func notASet(root strictjson.Value) string {
	if root.Kind() != strictjson.Object {
		return root.Kind().String()
	}
	for _, name := range privateMembers {
		if root.Get("kty").Exists() && root.Get(name).Exists() {
			return "a private or symmetric key; a set to hand out holds public ones"
		}
	}
	if root.Get("kty").Exists() {
		return `one key; a set of one is {"keys":[...]}`
	}
	if root.Get("keys").Exists() {
		return "keys that are " + root.Get("keys").Kind().String()
	}
	for _, v := range root.Members() {
		switch s, isString := v.Str(); {
		case isString && strings.Contains(s, "-----BEGIN"):
			return "a map from key id to PEM, as the SDKs' samples serve it"
		case v.Get("kty").Exists():
			return "a map from key id to key"
		}
	}
	return "an object without keys"
}

// match is the outcome of looking a key up.
type match struct {
	key  *Key
	code Code // why key must not be used, "" when it may
	text string
}

// find selects the key for a signature in the set (K-5). found is false when none of them
// has the kid.
func (s *KeySet) find(sig *signature, at time.Time) (m match, found bool) {
	m, found = find(s.keys, sig, at)
	return s.hold(m, at), found
}

// hold applies to a key what the set says against it in any entry, whatever the kid and
// also where the entry is skipped (K-6): a key that ended under one name must not live on
// under another. One that begins under another name has not ended: whoever renews a key
// may say so before.
func (s *KeySet) hold(m match, at time.Time) match {
	if s == nil || m.key == nil || m.code != "" {
		return m
	}
	for _, list := range [][]*Key{s.keys, s.skipped} {
		for _, k := range list {
			if k.thumbprint != m.key.thumbprint {
				continue
			}
			if code, text := k.over(at); code != "" {
				name := "without a kid"
				if k.id != "" {
					name = "under the kid " + shorten(k.id)
				}
				m.code, m.text = code, "a key set also has the key "+name+", and there "+text
				return m
			}
		}
	}
	return m
}

// find selects the key for a signature among keys (K-5). found is false when none of
// them has the kid.
func find(keys []*Key, s *signature, at time.Time) (m match, found bool) {
	var candidates []*Key
	var other match
	for _, k := range keys {
		if k.id != s.kid {
			continue
		}
		found = true
		switch {
		case k.fault != "":
			other = match{k, k.fault, k.faultText}
		case k.alg == "":
			other = match{k, CodeKeyAlgMismatch, "the RSA key names no alg, so it cannot be used"}
		case !k.alg.same(s.alg):
			other = match{k, CodeKeyAlgMismatch, fmt.Sprintf("the key is for %s, the header says %s", k.alg, s.alg)}
		default:
			candidates = append(candidates, k)
		}
	}
	switch {
	case len(candidates) > 1:
		return match{nil, CodeKeyAmbiguous, fmt.Sprintf("expected one key with kid %s for %s, found %d", shorten(s.kid), s.alg, len(candidates))}, true
	case len(candidates) == 1:
		code, text := candidates[0].usable(at)
		return match{candidates[0], code, text}, true
	}
	return other, found
}
