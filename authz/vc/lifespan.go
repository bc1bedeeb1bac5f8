package vc

import (
	"fmt"
	"slices"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf/xsd"
)

// lifespan is what a controller document says of when a key may be used (AZ-1.8).
type lifespan struct {
	never   *end // it may not be used at any time
	revoked *end
	expires *end
}

// end is one statement that a key ends.
type end struct {
	at   xsd.Value
	text string // what is said, once it has ended
	by   string // the method that says so
}

// over returns what says that the key may not be used at a time, nil for nothing.
func (l *lifespan) over(now xsd.Value) *end {
	switch {
	case l.never != nil:
		return l.never
	case l.revoked != nil && xsd.Compare(l.revoked.at, now) != xsd.Greater:
		return l.revoked
	case l.expires != nil && xsd.Compare(l.expires.at, now) != xsd.Greater && xsd.Compare(l.expires.at, now) != xsd.Equal:
		return l.expires
	}
	return nil
}

// narrow takes what another lifespan of the same key says into l: of two ends the first.
func (l *lifespan) narrow(other lifespan) {
	if l.never == nil {
		l.never = other.never
	}
	l.revoked = earlier(l.revoked, other.revoked)
	l.expires = earlier(l.expires, other.expires)
}

func earlier(a, b *end) *end {
	if a == nil || b != nil && xsd.Compare(b.at, a.at) == xsd.Less {
		return b
	}
	return a
}

// never says that the key of a method may not be used, whatever it is called.
func (m *method) never(format string, args ...any) {
	if m.life.never == nil {
		m.life.never = &end{text: fmt.Sprintf(format, args...), by: m.id}
	}
}

// revoke and expire say when the key of a method ends, by a member or property of some name.
func (m *method) revoke(name, lexical string) {
	if at, ok := m.time(name, lexical); ok {
		m.life.revoked = earlier(m.life.revoked, &end{at, "it is revoked", m.id})
	}
}

func (m *method) expire(name, lexical string) {
	if at, ok := m.time(name, lexical); ok {
		m.life.expires = earlier(m.life.expires, &end{at, "it has expired", m.id})
	}
}

// time reads a time; what is none may have passed.
func (m *method) time(name, lexical string) (xsd.Value, bool) {
	at, ok := timeStamp(lexical)
	if !ok {
		m.never("its %s is not a time", name)
	}
	return at, ok
}

// hold applies what the methods of a document say of when their keys may be used to all
// methods with the same key, those that cannot be used included: a key that ended under one
// name does not live on under another. Others are methods that say so and no more.
func (c *Controller) hold(others []method) {
	if len(others) == 0 && !slices.ContainsFunc(c.methods, func(m method) bool { return m.life != lifespan{} }) {
		return
	}
	said := map[string]*lifespan{} // by key
	say := func(m *method) []string {
		keys := m.keys()
		for _, key := range keys {
			if said[key] == nil {
				said[key] = &lifespan{}
			}
			said[key].narrow(m.life)
		}
		return keys
	}
	keys := make([][]string, len(c.methods))
	for i := range c.methods {
		keys[i] = say(&c.methods[i])
	}
	for i := range others {
		say(&others[i])
	}
	for i := range c.methods {
		for _, key := range keys[i] {
			c.methods[i].life.narrow(*said[key])
		}
	}
}

// keys names the keys that a method has in its forms, the same in both: a type, and the x
// coordinate of a point, or the bytes of an Ed25519 key. Two points with one x have one
// private key but for its sign.
func (m *method) keys() []string {
	var out []string
	if t, raw := decodeMultikey(m.multikey); t == Ed25519 {
		out = append(out, t.String()+string(raw))
	} else if t != 0 {
		out = append(out, t.String()+string(raw[1:]))
	}
	if raw := decodeBase58(m.base58); raw != nil {
		for t := Ed25519; t <= P384; t++ {
			if f := t.form(); len(raw) == f.publicSize {
				out = append(out, t.String()+string(raw[f.publicSize-f.coordinate:]))
			}
		}
	}
	if m.jwk.Kind() != strictjson.Object {
		return out
	}
	kty, _ := m.jwk.Get("kty").Str()
	crv, _ := m.jwk.Get("crv").Str()
	for t := Ed25519; t <= P384; t++ {
		if f := t.form(); kty == f.kty && crv == f.crv {
			if x, err := coordinate(m.jwk, "x", f.coordinate); err == nil {
				out = append(out, t.String()+string(x))
			}
		}
	}
	return out
}
