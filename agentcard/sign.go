package agentcard

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// SignOptions configures [Sign].
type SignOptions struct {
	// JKU is the https URL of the JWK Set that holds the public key; empty for
	// none.
	JKU string
	// Fragment lets a card be signed that lacks REQUIRED members.
	Fragment bool
	// Strip writes the card without the members that are not signed, so that
	// implementations agree on it as far as they can.
	Strip bool
	// Rand is where randomness comes from; ES256, ES384, ES512 and PS256 to PS512
	// need it.
	Rand io.Reader
	// Deterministic makes ECDSA signatures by RFC 6979 instead, for test vectors.
	Deterministic bool
}

// Sign adds a signature by key to a card and returns the new card (section A.9). The
// text of the card stays as it is, with the signature appended to the others; with Strip
// it is written again, in its own order. It fails with an [*Error] for a card that
// readers could understand in two ways, or that lacks REQUIRED members. The new
// signature is verified before it is returned, but not whether key is valid at some time:
// see [Key.Ended].
func Sign(c *Card, key *PrivateKey, o SignOptions) ([]byte, error) {
	if !c.parsed() || key == nil || key.public == nil {
		return nil, errors.New("expected a card that was parsed and a key")
	}
	if e := c.signable(o); e != nil {
		return nil, e
	}
	payload, err := c.Payload(Spec)
	if err != nil {
		return nil, err
	}
	header := appendString([]byte(`{"alg":`), string(key.public.alg))
	if o.JKU != "" {
		if code, text := (location{allow: []string{o.JKU}}).judge(o.JKU, ""); code != "" {
			return nil, &Error{Code: code, Text: text}
		}
		header = appendString(append(header, `,"jku":`...), o.JKU)
	}
	header = appendString(append(header, `,"kid":`...), key.public.id)
	header = append(header, `,"typ":"JOSE"}`...)
	if int64(len(header)) > c.limits.HeaderBytes {
		return nil, &Error{Code: CodeLimit, Text: fmt.Sprintf("expected a protected header of at most %d bytes", c.limits.HeaderBytes)}
	}
	protected := base64.RawURLEncoding.EncodeToString(header)
	input := protected + "." + base64.RawURLEncoding.EncodeToString(payload)
	sig, err := key.sign([]byte(input), o.Rand, o.Deterministic)
	if err != nil {
		return nil, err
	}
	entry := []byte(`{"protected":"` + protected + `","signature":"` + base64.RawURLEncoding.EncodeToString(sig) + `"}`)
	signed, err := c.withSignature(entry, o.Strip)
	if err != nil {
		return nil, err
	}
	if err := check(signed, key, c.limits); err != nil {
		return nil, err
	}
	return signed, nil
}

// signable says why a card must not be signed.
func (c *Card) signable(o SignOptions) *Error {
	entries, e := c.signatures()
	if e != nil {
		return e
	}
	if len(entries) >= c.limits.Signatures {
		return refuseAt(c.root.Get("signatures"), CodeLimit, "expected room for a signature, found %d of at most %d", len(entries), c.limits.Signatures)
	}
	if c.isV03() {
		return refuseAt(c.root, CodeCardV03, "expected a card of A2A 1.0, found one of 0.3")
	}
	if s := c.strip(Spec); len(s.problems) > 0 {
		return s.problems[0]
	}
	if w := c.imprecise(); len(w) > 0 {
		return w[0].refusal()
	}
	if v, found := c.privateKey(); found {
		return refuseAt(v, CodeCardPrivateKey, "expected no private key in a card")
	}
	if missing := c.missing(); len(missing) > 0 && !o.Fragment {
		return missing[0].refusal()
	}
	return nil
}

// privateKey finds a private key in a card: a private JWK, or PEM text.
func (c *Card) privateKey() (at strictjson.Value, found bool) {
	walk(c.root, func(v strictjson.Value) {
		if found {
			return
		}
		if s, ok := v.Str(); ok && strings.Contains(s, "PRIVATE KEY-----") {
			at, found = v, true
		}
		if v.Get("kty").Kind() != strictjson.String {
			return
		}
		for _, name := range privateMembers {
			if v.Get(name).Exists() {
				at, found = v, true
			}
		}
	})
	return at, found
}

// withSignature returns the card's text with an entry appended to its signatures.
func (c *Card) withSignature(entry []byte, strip bool) ([]byte, error) {
	old := c.root.Get("signatures")
	if strip {
		text := c.strip(Spec).out
		text = text[:len(text)-1]
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(text, `"signatures":[`...)
		for _, e := range old.Items() {
			text = append(appendVerbatim(text, e), ',')
		}
		return append(append(text, entry...), `]}`...), nil
	}
	out := make([]byte, 0, len(c.data)+len(entry)+40)
	put := func(before int, text []byte, after int) ([]byte, error) {
		return append(append(append(out, c.data[:before]...), text...), c.data[after:]...), nil
	}
	list := append(append([]byte("["), entry...), ']')
	switch {
	case old.IsNull():
		return put(old.Offset(), list, old.Offset()+len("null"))
	case old.Exists():
		at := c.endOf(old)
		if old.Len() > 0 {
			entry = append([]byte(","), entry...)
		}
		return put(at, entry, at)
	}
	end := bytes.LastIndexByte(c.data, '}') // nothing but white space follows the card
	at := len(bytes.TrimRight(c.data[:end], " \t\r\n"))
	member := append([]byte(`"signatures":`), list...)
	if c.root.Len() > 0 {
		member = append([]byte{','}, append(c.separator(), member...)...)
	}
	return put(at, member, at)
}

// separator returns the white space before the card's last member.
func (c *Card) separator() []byte {
	end := c.root.Member(c.root.Len() - 1).Name.Offset()
	start := len(bytes.TrimRight(c.data[:end], " \t\r\n"))
	return bytes.Clone(c.data[start:end])
}

// endOf returns the offset of the bracket that closes the array signatures: before
// the next member, or before the end of the card.
func (c *Card) endOf(signatures strictjson.Value) int {
	next := bytes.LastIndexByte(c.data, '}')
	for i := range c.root.Len() {
		if m := c.root.Member(i); m.Name.Offset() > signatures.Offset() {
			next = m.Name.Offset()
			break
		}
	}
	return bytes.LastIndexByte(c.data[:next], ']')
}

// check verifies a card that was just signed.
func check(signed []byte, key *PrivateKey, limits Limits) error {
	c, err := Parse(signed, limits)
	if err != nil {
		return err
	}
	timeless := *key.public
	timeless.validity = validity{}
	keys := Keys{Supplied: &KeySet{keys: []*Key{&timeless}}}
	// Without a validity period any time will do.
	r, err := Verify(context.Background(), c, keys, Policy{At: time.Unix(0, 0), Algorithms: Algorithms()})
	if err != nil {
		return err
	}
	if last := r.Entries; r.Outcome != OutcomeVerified || last[len(last)-1].Result != ResultValid {
		return errors.New("the new signature does not verify")
	}
	return nil
}
