package terms

import (
	"encoding/base64"
	"slices"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/internal/lifetime"
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// The roles of signature records (SoW, section 6).
const (
	roleProvider = "provider"
	roleClient   = "client"
)

// signature is the verified record of the provider. Its time is not among the signed
// bytes: it is claimed, not signed (S-5).
type signature struct {
	key      string
	signedAt string
}

// verifyProvider is step 4 of section B.7: it checks the provider's signature over the
// signed bytes. It does not decide whose key it is (S-7).
func (d *Document) verifyProvider() (signature, *Error) {
	record, e := d.providerRecord()
	if e != nil {
		return signature{}, e
	}
	name := record.Get("key")
	key, ok := publicKey(text(name))
	if !ok {
		return signature{}, refuseAt(orElse(name, record), CodeKeyEncoding, "expected the public nkey of a user, an account or an operator for key")
	}
	sig, ok := signatureBytes(text(record.Get("sig")))
	if !ok {
		return signature{}, refuseAt(orElse(record.Get("sig"), record), CodeSigEncoding, "expected 64 bytes in base64 for sig: unpadded base64url, or standard base64 with padding")
	}
	at := record.Get("signed_at")
	if _, ok := instant(text(at)); !ok {
		return signature{}, refuseAt(orElse(at, record), CodeSignedAt, "expected a time as in RFC 3339 for signed_at")
	}
	signed, err := d.SignedBytes()
	if err != nil {
		return signature{}, fromJSON(err)
	}
	if key.Verify(signed, sig) != nil {
		return signature{}, refuseAt(record, CodeSigInvalid, "the provider's signature does not verify over the signed bytes")
	}
	return signature{key: text(name), signedAt: text(at)}, nil
}

// providerRecord finds the one record of the provider (S-6).
func (d *Document) providerRecord() (strictjson.Value, *Error) {
	var provider strictjson.Value
	list := d.root.Get("signatures")
	if !list.Exists() || list.IsNull() {
		return provider, refuseAt(d.root, CodeUnsigned, "expected a provider signature, found a template without signatures")
	}
	if list.Kind() != strictjson.Array {
		return provider, refuseAt(list, CodeSignatures, "expected an array of signature records, found %s", list.Kind())
	}
	for _, record := range list.Items() {
		role := record.Get("role")
		switch {
		case text(role) != roleProvider && text(role) != roleClient:
			return provider, refuseAt(orElse(role, record), CodeSignatures, `expected the role "provider" or "client"`)
		case text(role) == roleClient:
		case provider.Exists():
			return provider, refuseAt(record, CodeSignatures, "expected one provider signature, found a second")
		default:
			provider = record
		}
	}
	if !provider.Exists() {
		return provider, refuseAt(list, CodeUnsigned, "expected a provider signature")
	}
	// Other members are kept and not judged. One by which the provider may have ended the
	// signature would be lost.
	for i := range provider.Len() {
		if m := provider.Member(i); lifetime.Limits(m.Str()) {
			return provider, refuseAt(m.Name, CodeSignatures, "expected no member %s in a signature record: it may end the signature and is not known", quoted(m.Str()))
		}
	}
	return provider, nil
}

// clientRecord returns the first record of a client.
func (d *Document) clientRecord() strictjson.Value {
	for _, record := range d.root.Get("signatures").Items() {
		if text(record.Get("role")) == roleClient {
			return record
		}
	}
	return strictjson.Value{}
}

// signatureBytes decodes a signature (S-1): unpadded base64url, as the SDKs write it, or
// standard base64 with padding, as the specification's "base64" means. Line ends and
// trailing bits are refused, so that a value has one text in each.
func signatureBytes(s string) ([]byte, bool) {
	const size = 64
	if strings.ContainsAny(s, "\r\n") { // the decoders would skip them
		return nil, false
	}
	for _, encoding := range []*base64.Encoding{base64.RawURLEncoding, base64.StdEncoding} {
		if b, err := encoding.Strict().DecodeString(s); err == nil && len(b) == size {
			return b, true
		}
	}
	return nil, false
}

// instant reads a time strictly as RFC 3339 writes it, with capital letters.
func instant(s string) (time.Time, bool) {
	// time.Parse also takes single digits, commas, and offsets of a day or of sixty
	// minutes.
	const shape, zone = "dddd-dd-ddTdd:dd:dd", "+dd:dd"
	if len(s) < len(shape)+1 || strings.Contains(s, ",") {
		return time.Time{}, false
	}
	for i := range len(shape) {
		if digit := '0' <= s[i] && s[i] <= '9'; shape[i] == 'd' && !digit || shape[i] != 'd' && s[i] != shape[i] {
			return time.Time{}, false
		}
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}, false
	}
	if offset := s[len(s)-len(zone)+1:]; s[len(s)-1] != 'Z' && (offset[:2] > "23" || offset[3:] > "59") {
		return time.Time{}, false
	}
	return t, true
}

func orElse(v, other strictjson.Value) strictjson.Value {
	if v.Exists() {
		return v
	}
	return other
}

// Attribution says whether the key of a proposal is known to be the owner's. The
// zero Attribution is "unknown".
type Attribution uint8

// The attributions.
const (
	AttributionUnknown Attribution = iota // nobody says whose keys the owner has
	AttributionTrue                       // the key is one that the owner is known by
	AttributionFalse                      // the owner is known by other keys
)

// String returns "unknown", "true" or "false".
func (a Attribution) String() string {
	switch a {
	case AttributionTrue:
		return "true"
	case AttributionFalse:
		return "false"
	}
	return "unknown"
}

// MarshalText returns the text of String.
func (a Attribution) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// OwnerKeys says which public keys owners are known by (S-7). It decides no outcome; a
// report shows what it says beside the outcome. A nil OwnerKeys knows nobody. It is
// immutable and safe for concurrent use.
type OwnerKeys struct{ keys map[string][]string }

// ParseOwnerKeys reads {"OWNER": ["KEY", ...], ...}, where a single key needs no array.
// It fails with an [*Error].
func ParseOwnerKeys(data []byte, limits Limits) (*OwnerKeys, error) {
	d, e := read(data, limits.OrDefault())
	if e != nil {
		return nil, e
	}
	if d.root.Kind() != strictjson.Object {
		return nil, refuseAt(d.root, CodeOwnerKeys, "expected an object of owners and their keys, found %s", d.root.Kind())
	}
	out := &OwnerKeys{map[string][]string{}}
	for owner, v := range d.root.Members() {
		keys := []strictjson.Value{v}
		if v.Kind() == strictjson.Array {
			keys = keys[:0]
			for _, k := range v.Items() {
				keys = append(keys, k)
			}
		}
		for _, k := range keys {
			if !ValidKey(text(k)) {
				return nil, refuseAt(k, CodeOwnerKeys, "expected the public nkey of a user, an account or an operator")
			}
			out.keys[owner] = append(out.keys[owner], text(k))
		}
	}
	return out, nil
}

func (o *OwnerKeys) attribute(owner, key string) Attribution {
	if o == nil || len(o.keys[owner]) == 0 {
		return AttributionUnknown
	}
	if slices.Contains(o.keys[owner], key) {
		return AttributionTrue
	}
	return AttributionFalse
}
