package handshake

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
)

// Options says how to read. The zero Options read strictly.
type Options struct {
	// MissingRequiredIsTrue reads an offer without "required" as a required one
	// instead of refusing it: for peers that leave the member out (a2a-rdf, HS-6).
	// It holds for JSON alone. There is no option to read it as false.
	MissingRequiredIsTrue bool

	// OneSubject refuses a graph that holds triples about anything but the
	// message, instead of not reading them (HSR-8).
	OneSubject bool

	// Read says how the bytes of the RDF form are read. Its zero Limits stand for
	// those of [protocol.PayloadLimits]. For the JSON form its Limits bound the bytes and
	// the nesting. In either, Bytes that are not positive mean [MaxBytes]; in JSON, a
	// Nesting that is not positive means [MaxDepth].
	Read protocol.Options
}

// Parse reads an offer or a response from the bytes of a JSON object (a2a-rdf,
// sections 4.1 and 4.2). It fails with an [*Error].
func Parse(data []byte, o Options) (Message, error) {
	root, err := strictjson.Parse(data, strictjson.Limits{
		Bytes: positiveOr(o.Read.Limits.Bytes, MaxBytes), Depth: positiveOr(o.Read.Limits.Nesting, MaxDepth), // HS-14
	})
	if err != nil {
		code := protocol.CodeMalformedPayload
		if e, ok := errors.AsType[*strictjson.Error](err); ok && e.Code == strictjson.CodeLimitExceeded {
			code = protocol.CodeLimitExceeded
		}
		return nil, &Error{Code: code, Err: err}
	}
	m, err := parse(root, o)
	if e, ok := errors.AsType[*Error](err); ok && e.Place.IsZero() {
		at := root.Get(e.Field)
		if !at.Exists() {
			at = root
		}
		e.Place.Line, e.Place.Column = at.Place()
	}
	return m, err
}

// positiveOr returns n if it is positive, and otherwise the default.
func positiveOr[N int | int64](n, otherwise N) N {
	if n > 0 {
		return n
	}
	return otherwise
}

func parse(root strictjson.Value, o Options) (Message, error) {
	if root.Kind() != strictjson.Object { // HS-1
		return nil, malformed("", "expected an object, found "+root.Kind().String())
	}
	kind, ok := root.Get("kind").Str() // HS-2
	if !ok {
		return nil, malformed("kind", "expected a string, found "+root.Get("kind").Kind().String())
	}
	switch kind {
	case KindOffer:
		if err := checkMembers(root, offerMembers, responseMembers); err != nil {
			return nil, err
		}
		return message(parseOffer(root, o))
	case KindResponse:
		if err := checkMembers(root, responseMembers, offerMembers); err != nil {
			return nil, err
		}
		return message(parseResponse(root))
	}
	return nil, malformed("kind", fmt.Sprintf("expected %q or %q, found %q", KindOffer, KindResponse, rdf.Abbreviate(kind)))
}

// message returns no message at all on an error, instead of an empty one.
func message[M Message](m M, err error) (Message, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}

// ParseOffer is [Parse] where only an offer may come.
func ParseOffer(data []byte, o Options) (Offer, error) { return asOffer(Parse(data, o)) }

// ParseResponse is [Parse] where only a response may come.
func ParseResponse(data []byte, o Options) (Response, error) { return asResponse(Parse(data, o)) }

// The members that only one kind has; "" pads the shorter list.
var (
	offerMembers    = [...]string{"protocolSource", "required", "protocolName"}
	responseMembers = [...]string{"accept", "reason", ""}
)

// checkMembers refuses members of the other kind (HS-11), and names that differ from
// a known one in their letter case alone (HS-10). Other unknown members are not read
// (HS-12).
func checkMembers(root strictjson.Value, own, other [3]string) error {
	refuse := func(m, reason string, at strictjson.Value) error {
		e := &Error{Code: protocol.CodeMalformedPayload, Field: m, Reason: reason}
		e.Place.Line, e.Place.Column = at.Place()
		return e
	}
	for name, v := range root.Members() {
		for _, m := range other {
			if m != "" && strings.EqualFold(name, m) {
				return refuse(m, "expected no member of the other kind of message", v)
			}
		}
		for _, m := range [...]string{"kind", "protocolHash", own[0], own[1], own[2]} {
			if name != m && m != "" && strings.EqualFold(name, m) {
				return refuse(m, fmt.Sprintf("expected this spelling, found %q", rdf.Abbreviate(name)), v)
			}
		}
	}
	return nil
}

func parseOffer(root strictjson.Value, opt Options) (Offer, error) {
	var o Offer
	var err error
	if o.Hash, err = jsonPin(root); err != nil {
		return Offer{}, err
	}
	source, ok := root.Get("protocolSource").Str()
	if !ok {
		return Offer{}, wrongType(root, "protocolSource", "a string")
	}
	o.Source = strings.Clone(source)
	switch required, ok := root.Get("required").Bool(); { // HS-3, HS-5
	case ok:
		o.Required = required
	case opt.MissingRequiredIsTrue && !root.Get("required").Exists():
		o.Required = true
	default:
		return Offer{}, wrongType(root, "required", "a boolean")
	}
	if o.Name, err = jsonText(root, "protocolName"); err != nil {
		return Offer{}, err
	}
	if err := o.check(); err != nil {
		return Offer{}, err
	}
	return o, nil
}

func parseResponse(root strictjson.Value) (Response, error) {
	var r Response
	var err error
	if r.Hash, err = jsonPin(root); err != nil {
		return Response{}, err
	}
	var ok bool
	if r.Accept, ok = root.Get("accept").Bool(); !ok { // HS-3, HS-4
		return Response{}, wrongType(root, "accept", "a boolean")
	}
	if r.Reason, err = jsonText(root, "reason"); err != nil {
		return Response{}, err
	}
	if err := r.check(); err != nil {
		return Response{}, err
	}
	return r, nil
}

func jsonPin(root strictjson.Value) (canon.Digest, error) {
	s, ok := root.Get("protocolHash").Str()
	if !ok {
		return canon.Digest{}, wrongType(root, "protocolHash", "a string")
	}
	if err := checkText("protocolHash", s); err != nil {
		return canon.Digest{}, err
	}
	return parsePin(s)
}

func jsonText(root strictjson.Value, name string) (Text, error) {
	v := root.Get(name)
	if !v.Exists() {
		return Text{}, nil
	}
	s, ok := v.Str() // HS-8: null is not absence
	if !ok {
		return Text{}, wrongType(root, name, "a string")
	}
	return NewText(strings.Clone(s)), nil
}

func wrongType(root strictjson.Value, name, want string) error {
	return malformed(name, "expected "+want+", found "+root.Get(name).Kind().String())
}

// AppendJSON appends the offer as a JSON object (HS-15).
func (o Offer) AppendJSON(dst []byte) ([]byte, error) {
	if err := o.check(); err != nil {
		return dst, err
	}
	dst = append(dst, `{"kind":"upgrade-offer","protocolHash":"`...)
	dst = append(dst, o.Hash.String()...)
	dst = append(dst, `","protocolSource":`...)
	dst = appendString(dst, o.Source)
	dst = append(dst, `,"required":`...)
	dst = appendBool(dst, o.Required)
	dst = appendText(dst, "protocolName", o.Name)
	return append(dst, '}'), nil
}

// AppendJSON appends the response as a JSON object (HS-15).
func (r Response) AppendJSON(dst []byte) ([]byte, error) {
	if err := r.check(); err != nil {
		return dst, err
	}
	dst = append(dst, `{"kind":"upgrade-response","protocolHash":"`...)
	dst = append(dst, r.Hash.String()...)
	dst = append(dst, `","accept":`...)
	dst = appendBool(dst, r.Accept)
	dst = appendText(dst, "reason", r.Reason)
	return append(dst, '}'), nil
}

func appendBool(dst []byte, v bool) []byte {
	if v {
		return append(dst, "true"...)
	}
	return append(dst, "false"...)
}

func appendText(dst []byte, name string, t Text) []byte {
	if s, ok := t.Get(); ok {
		dst = append(append(append(dst, `,"`...), name...), `":`...)
		dst = appendString(dst, s)
	}
	return dst
}

// appendString appends a JSON string. The text was checked to be UTF-8 without
// control characters, so only two characters need an escape.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := range len(s) {
		if s[i] == '"' || s[i] == '\\' {
			dst = append(dst, '\\')
		}
		dst = append(dst, s[i])
	}
	return append(dst, '"')
}
