package agentcard

import (
	"bytes"
	"strings"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// Card is an Agent Card that was read and not verified. It is immutable and safe for
// concurrent use.
type Card struct {
	data   []byte
	root   strictjson.Value
	limits Limits
}

// Parse reads a card strictly (section 1.1): one JSON object in UTF-8, without a
// byte order mark, duplicate members, lone surrogates and numbers outside the
// doubles. Zero limits mean those of [DefaultLimits]. It fails with an [*Error]. The
// card shares no memory with data.
func Parse(data []byte, limits Limits) (*Card, error) {
	limits = limits.OrDefault()
	root, err := strictjson.Parse(data, limits.card())
	if err != nil {
		return nil, fromJSON(err)
	}
	if root.Kind() != strictjson.Object {
		return nil, refuseAt(root, CodeCardNotObject, "expected a card, which is an object, found %s", root.Kind())
	}
	return &Card{data: bytes.Clone(data), root: root, limits: limits}, nil
}

// parsed reports whether c came from [Parse].
func (c *Card) parsed() bool { return c != nil && c.root.Exists() }

// Bytes returns a copy of the bytes that the card was read from.
func (c *Card) Bytes() []byte { return bytes.Clone(c.data) }

// Root returns the card as a JSON value.
func (c *Card) Root() strictjson.Value { return c.root }

// Interface is an endpoint of a card.
type Interface struct {
	URL             string
	ProtocolBinding string
	ProtocolVersion string
	Tenant          string
}

// Name returns the card's name, "" when it has none.
func (c *Card) Name() string {
	s, _ := c.root.Get("name").Str()
	return s
}

// Interfaces returns the card's endpoints in its order of preference. A member that
// is not a string is read as "".
func (c *Card) Interfaces() []Interface {
	var out []Interface
	for _, v := range c.root.Get("supportedInterfaces").Items() {
		get := func(name string) string {
			s, _ := v.Get(name).Str()
			return s
		}
		out = append(out, Interface{
			URL: get("url"), ProtocolBinding: get("protocolBinding"),
			ProtocolVersion: get("protocolVersion"), Tenant: get("tenant"),
		})
	}
	return out
}

// isV03 reports whether the card is of A2A 0.3 (section A.8, step 3).
func (c *Card) isV03() bool {
	if c.root.Get("supportedInterfaces").Exists() || !c.root.Get("url").Exists() {
		return false
	}
	version, _ := c.root.Get("protocolVersion").Str()
	return strings.HasPrefix(version, "0.")
}

// signatures returns the signature entries of the card; an absent, null or empty list
// has none. It fails when the member cannot be read or has too many.
func (c *Card) signatures() ([]strictjson.Value, *Error) {
	v := c.root.Get("signatures")
	if !v.Exists() || v.IsNull() {
		return nil, nil
	}
	if v.Kind() != strictjson.Array {
		return nil, refuseAt(v, CodeSigMalformed, "expected an array of signatures, found %s", v.Kind())
	}
	if v.Len() > c.limits.Signatures {
		return nil, refuseAt(v, CodeLimit, "expected at most %d signatures, found %d", c.limits.Signatures, v.Len())
	}
	out := make([]strictjson.Value, v.Len())
	for i, e := range v.Items() {
		out[i] = e
	}
	return out, nil
}
