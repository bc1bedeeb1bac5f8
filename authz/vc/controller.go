package vc

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/internal/lifetime"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/xsd"
)

// Purpose is a verification relationship of a controller document, and what a
// proof is made for.
type Purpose string

// The purposes of this package: that of credentials and that of presentations.
const (
	AssertionMethod Purpose = "assertionMethod"
	Authentication  Purpose = "authentication"
)

// relationships are the verification relationships of Controlled Identifiers 1.0,
// section 2.3, that prove something by a signature.
var relationships = [...]Purpose{AssertionMethod, Authentication, "capabilityInvocation", "capabilityDelegation"}

// Controller is a controller document (Controlled Identifiers 1.0; section 1.9): an
// identifier and the keys that act for it, each for its purposes. It is immutable
// and safe for concurrent use.
type Controller struct {
	id      string
	methods []method
}

// method is a verification method of a controller document.
type method struct {
	id string
	// The key as it is written: one or both of the forms. It is read when it is used,
	// since a document may have thousands of keys, and a compressed point of some curves
	// takes long to read.
	multikey string
	jwk      strictjson.Value
	base58   string    // a form before these, by which a key is known that ended
	parsed   PublicKey // in place of the two where it was read already
	fault    string    // why it cannot be used, "" for none
	purposes []Purpose
	life     lifespan
}

// ID returns the identifier of the document.
func (c *Controller) ID() string { return c.id }

// Key returns the key of the method with an identifier, and whether the document
// lists it for a purpose and it can be used at a time; an error says why not.
func (c *Controller) Key(id string, p Purpose, at time.Time) (PublicKey, error) {
	m := c.find(id, p, false)
	if m == nil {
		return PublicKey{}, fmt.Errorf("<%s> does not list <%s> for %s", rdf.Abbreviate(c.id), rdf.Abbreviate(id), p)
	}
	return m.usable(at)
}

// find returns the method with an identifier that is listed for a purpose, or for
// any; nil when there is none.
func (c *Controller) find(id string, p Purpose, anyPurpose bool) *method {
	for i := range c.methods {
		if m := &c.methods[i]; m.id == id && (slices.Contains(m.purposes, p) || anyPurpose && len(m.purposes) > 0) {
			return m
		}
	}
	return nil
}

// usable returns the key, or why it cannot be used at a time (AZ-1.5, AZ-1.8).
func (m *method) usable(at time.Time) (PublicKey, error) {
	if m.fault != "" {
		return PublicKey{}, fmt.Errorf("the method <%s> cannot be used: %s", rdf.Abbreviate(m.id), m.fault)
	}
	if e := m.life.over(instant(at)); e != nil {
		if e.by != m.id {
			return PublicKey{}, fmt.Errorf("the method <%s> cannot be used: its key is also that of <%s>, and there %s", rdf.Abbreviate(m.id), rdf.Abbreviate(e.by), e.text)
		}
		return PublicKey{}, fmt.Errorf("the method <%s> cannot be used: %s", rdf.Abbreviate(m.id), e.text)
	}
	key, err := m.key()
	if err != nil {
		return PublicKey{}, fmt.Errorf("the method <%s> cannot be used: %w", rdf.Abbreviate(m.id), err)
	}
	return key, nil
}

// key reads the key of a method. Two forms must be the same key (AZ-1.5).
func (m *method) key() (PublicKey, error) {
	switch {
	case m.parsed.typ != 0:
		return m.parsed, nil
	case !m.jwk.Exists():
		return ParseMultikey(m.multikey)
	}
	key, err := parseJWK(m.jwk)
	if err != nil || m.multikey == "" {
		return key, err
	}
	other, err := ParseMultikey(m.multikey)
	switch {
	case err != nil:
		return PublicKey{}, err
	case !key.Equal(other):
		return PublicKey{}, errors.New("its two encodings are different keys")
	}
	return key, nil
}

// ParseController reads a controller document in JSON. A method that cannot be used
// (of another type, with two keys that differ, with a private key) does not fail the
// document: it is kept and verifies nothing. An identifier of a method that begins with "#"
// is a fragment of the document's own. The document's context is not read. It fails when
// the document is not JSON or exceeds the limits, lacks its id, has a member of another form
// than the specification gives it, or one that may end the document as a whole, such as
// deactivated or revoked, itself or in its didDocumentMetadata, unless that is false. What
// any method says of when its key may be used holds for the same key in all methods.
func ParseController(data []byte, limits Limits) (*Controller, error) {
	limits = limits.OrDefault()
	v, err := strictjson.Parse(data, limits.json(limits.ControllerBytes))
	if err != nil {
		return nil, err
	}
	if v.Kind() != strictjson.Object {
		return nil, fmt.Errorf("expected a controller document, which is an object, found %s", v.Kind())
	}
	c := &Controller{}
	var ok bool
	if c.id, ok = absoluteIRI(v.Get("id")); !ok {
		return nil, errAt(v, "expected an absolute IRI for id")
	}
	for _, part := range [...]strictjson.Value{v, v.Get("didDocumentMetadata")} { // DIDs 1.0, section 7.1.3
		for name, member := range part.Members() {
			if value, isBool := member.Bool(); lifetime.Limits(name) && !(isBool && lifetime.Lasts(name, value)) {
				return nil, errAt(member, "the member %s may begin or end the document and is not known", rdf.Abbreviate(name))
			}
		}
	}
	list := v.Get("verificationMethod")
	if list.Exists() && list.Kind() != strictjson.Array {
		return nil, errAt(list, "expected an array for verificationMethod, found %s", list.Kind())
	}
	names := &methodNames{base: beforeFragment(c.id), left: limits.ControllerBytes, at: map[string]int{}}
	for _, m := range list.Items() {
		if _, err := c.add(m, names); err != nil {
			return nil, err
		}
	}
	for _, p := range relationships {
		listed := v.Get(string(p))
		if listed.Exists() && listed.Kind() != strictjson.Array && listed.Kind() != strictjson.String {
			return nil, errAt(listed, "expected an array for %s, found %s", p, listed.Kind())
		}
		for _, item := range items(listed) {
			m, err := c.listed(item, names)
			if err != nil {
				return nil, err
			}
			if m != nil && !slices.Contains(m.purposes, p) {
				m.purposes = append(m.purposes, p)
			}
		}
	}
	c.hold(ending(v))
	return c, nil
}

// methodNames are the identifiers of the methods of a document. One that begins with "#" is
// a fragment of the document's own, as DID documents have it (DIDs 1.0, section 3.2.2).
type methodNames struct {
	base string         // the document's identifier without its fragment
	left int64          // bytes that it may take in all names: it may be long, and they many
	at   map[string]int // places of methods: a document may have thousands of either
}

// full returns the text of a string with base before a fragment.
func (n *methodNames) full(v strictjson.Value) (string, error) {
	s, _ := v.Str()
	if !strings.HasPrefix(s, "#") {
		return s, nil
	}
	if n.left -= int64(len(n.base)); n.left < 0 {
		return "", errAt(v, "expected fewer fragments for so long an id of the document")
	}
	return n.base + s, nil
}

// listed returns the method that a relationship lists: by its identifier, nil for one that
// the document does not have, or as it is.
func (c *Controller) listed(v strictjson.Value, names *methodNames) (*method, error) {
	if v.Kind() != strictjson.String {
		return c.add(v, names)
	}
	id, err := names.full(v)
	if i, ok := names.at[id]; ok {
		return &c.methods[i], nil
	}
	return nil, err
}

// ending returns the keys that end by what the members of a document say of them that list
// none to verify with, such as keyAgreement, or a list of keys of the past.
func ending(document strictjson.Value) []method {
	var out []method
	for name, member := range document.Members() {
		if name == "verificationMethod" || slices.Contains(relationships[:], Purpose(name)) {
			continue
		}
		for _, v := range items(member) {
			m := method{}
			if m.id, _ = v.Get("id").Str(); m.id == "" {
				m.id = name
			}
			m.forms(v)
			if m.says(v); m.life != (lifespan{}) {
				out = append(out, m)
			}
		}
	}
	return out
}

// forms takes the key of a method as it is written.
func (m *method) forms(v strictjson.Value) {
	m.multikey, _ = v.Get("publicKeyMultibase").Str()
	m.base58, _ = v.Get("publicKeyBase58").Str()
	m.jwk = v.Get("publicKeyJwk")
}

// add reads one verification method.
func (c *Controller) add(v strictjson.Value, names *methodNames) (*method, error) {
	m := method{}
	var err error
	if m.id, err = names.full(v.Get("id")); err != nil {
		return nil, err
	}
	if rdf.CheckIRI(m.id) != nil {
		return nil, errAt(v, "expected a verification method with an absolute IRI or a fragment for id")
	}
	if _, ok := names.at[m.id]; ok {
		return nil, errAt(v, "expected every verification method once, found <%s> again", rdf.Abbreviate(m.id))
	}
	multibase, jwk := v.Get("publicKeyMultibase"), v.Get("publicKeyJwk")
	m.forms(v)
	m.says(v)
	typ, _ := v.Get("type").Str()
	controller, _ := v.Get("controller").Str()
	switch {
	case controller != c.id:
		m.fault = "its controller is not the document's id"
	case typ == "Multikey" && multibase.Exists(), typ == "JsonWebKey" && jwk.Exists():
		if multibase.Exists() && m.multikey == "" {
			m.fault = errMultikey.Error()
		}
	default:
		m.fault = "it is of type " + rdf.Abbreviate(typ) + ", not a Multikey or JsonWebKey with its key"
	}
	names.at[m.id] = len(c.methods)
	c.methods = append(c.methods, m)
	return &c.methods[len(c.methods)-1], nil
}

// says reads what a method says of when its key may be used.
func (m *method) says(v strictjson.Value) {
	for _, secret := range [...]string{"secretKeyMultibase", "secretKeyJwk", "privateKeyMultibase", "privateKeyJwk"} {
		if v.Get(secret).Exists() {
			m.never("it has the member %s of a private key", secret)
		}
	}
	for name := range v.Members() {
		if name != "revoked" && name != "expires" && lifetime.Bounds(name) {
			m.never("it has the member %s, which may begin or end the key and is not known", rdf.Abbreviate(name))
		}
	}
	if err := checkJWK(m.jwk); err != nil {
		m.never("%v", err)
	}
	if member := v.Get("revoked"); member.Exists() {
		s, _ := member.Str()
		m.revoke("member revoked", s)
	}
	if member := v.Get("expires"); member.Exists() {
		s, _ := member.Str()
		m.expire("member expires", s)
	}
}

// items returns the elements of an array, or a value alone as one element.
func items(v strictjson.Value) []strictjson.Value {
	if !v.Exists() {
		return nil
	}
	if v.Kind() != strictjson.Array {
		return []strictjson.Value{v}
	}
	out := make([]strictjson.Value, 0, v.Len())
	for _, item := range v.Items() {
		out = append(out, item)
	}
	return out
}

// absoluteIRI returns the text of a string that is an absolute IRI.
func absoluteIRI(v strictjson.Value) (string, bool) {
	s, ok := v.Str()
	return s, ok && rdf.CheckIRI(s) == nil
}

// errAt is an error about a value of a JSON document, with its place.
func errAt(v strictjson.Value, format string, args ...any) error {
	line, column := v.Place()
	return fmt.Errorf("%d:%d: %s", line, column, fmt.Sprintf(format, args...))
}

// timeStamp reads an xsd:dateTimeStamp: a time with its zone.
func timeStamp(lexical string) (xsd.Value, bool) {
	const longest = 64 // digits of years and seconds are not bounded by the datatype
	if len(lexical) > longest {
		return xsd.Value{}, false
	}
	v, err := xsd.Parse(xsd.DateTimeStamp, lexical)
	return v, err == nil
}

// instant is a time as a value of xsd:dateTimeStamp.
func instant(at time.Time) xsd.Value {
	v, _ := timeStamp(at.UTC().Format("2006-01-02T15:04:05.999999999Z"))
	return v // every time that a call may give has one, see checkTime
}

// checkTime refuses the zero time, and years that do not have four digits.
func checkTime(at time.Time) error {
	if y := at.UTC().Year(); at.IsZero() || y < 1 || y > 9999 {
		return fmt.Errorf("expected the time of the verification")
	}
	return nil
}
