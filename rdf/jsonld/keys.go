package jsonld

import (
	"strings"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// memo holds what names and values mean under one active context.
type memo struct {
	p    *processor
	c    *activeContext
	keys map[string]*key
}

// key is what one string means under one active context, as the name of a
// member and as a type.
type key struct {
	memo   *memo
	number uint32 // index of processor.known
	name   string
	def    *definition // nil if it is no term
	next   *key        // the name that followed it last time: most objects look like the one before

	state   keyState
	keyword keyword // with keyKeyword
	pred    term    // with keyProperty and the states after it

	typed       bool    // what follows is known
	typeKeyword keyword // as a type: a keyword, or else
	typ         term    // what it stands for
	typeBlank   bool    // which is a blank node

	datatype term // of def's type mapping, once it was needed
	index    *key // of def's index mapping, see indexKey
}

// inList reports whether a key is a term whose container is a list.
func (k *key) inList() bool { return k != nil && k.def != nil && k.def.containers&inList != 0 }

// inGraph reports whether a key is a term whose container is a graph.
func (k *key) inGraph() bool { return k != nil && k.def != nil && k.def.containers&inGraph != 0 }

type keyState uint8

const (
	keyUnknown keyState = iota
	keyUndefined
	keyReserved
	keyKeyword
	keyProperty
	keyBlank     // a blank node, which can be no predicate
	keyIllFormed // no IRI
)

// memoOf returns the memo of an active context.
func (p *processor) memoOf(c *activeContext) *memo {
	if p.memo != nil && p.memo.c == c {
		return p.memo
	}
	m := p.memos[c]
	if m == nil {
		if p.memos == nil {
			p.memos = map[*activeContext]*memo{}
		}
		m = &memo{p: p, c: c, keys: map[string]*key{}}
		p.memos[c] = m
	}
	p.memo = m
	return m
}

// key returns what a string means under the memo's context.
func (m *memo) key(name string) *key {
	if k := m.keys[name]; k != nil {
		return k
	}
	p := m.p
	if len(p.room) == cap(p.room) {
		p.room = make([]key, 0, min(max(2*cap(p.room), 16), 256))
	}
	p.room = append(p.room, key{memo: m, number: uint32(len(p.known)), name: name, def: m.c.lookup(name)})
	k := &p.room[len(p.room)-1]
	p.known = append(p.known, k)
	m.keys[name] = k
	return k
}

// meaning names what a key means under another context.
type meaning struct {
	of *key
	in *activeContext
}

// keyIn returns the key of the same name under another context. It is found once, since
// all items of an array are looked at under the name of their property, which may be long.
func (p *processor) keyIn(k *key, c *activeContext) *key {
	m := meaning{k, c}
	if other := p.meanings[m]; other != nil {
		return other
	}
	other := p.memoOf(c).key(k.name)
	if p.meanings == nil {
		p.meanings = map[meaning]*key{}
	}
	p.meanings[m] = other
	return other
}

// indexKey returns the key of a term's index mapping, nil if it has none. It is found once
// for all maps of the term.
func (k *key) indexKey() *key {
	if k.index == nil && k.def.index != "" {
		k.index = k.memo.key(k.def.index)
	}
	return k.index
}

// resolve finds out what a key means as the name of a member (section 5.1.2,
// step 13.2).
func (p *processor) resolve(k *key) error {
	e := p.expandIRI(k.memo.c, k.name, false, true)
	switch {
	case e.keyword != noKeyword:
		k.state, k.keyword = keyKeyword, e.keyword
		return nil
	case e.null:
		k.state = keyUndefined
		if k.def == nil {
			k.state = keyReserved
		}
		return nil
	case strings.IndexByte(e.head, ':') < 0 && strings.IndexByte(e.tail, ':') < 0:
		k.state = keyUndefined
		return nil
	}
	if n := len(e.head) + len(e.tail); n-len(k.name) > usual {
		if err := p.spendSpelt(n); err != nil {
			return err
		}
	}
	p.buf = append(append(p.buf[:0], e.head...), e.tail...)
	var err error
	if isBlank(e.head) {
		k.state = keyBlank
		k.pred, err = p.oddTerm()
		return err
	}
	k.state = keyProperty
	if k.pred.id, err = p.iri(); termError(err) != nil {
		k.state = keyIllFormed
		k.pred, err = p.oddTerm()
	}
	return err
}

// lostName returns the error for a member whose name means nothing, nil when
// that is accepted.
func (p *processor) lostName(k *key, name, value strictjson.Value) error {
	if p.lossy || value.IsNull() {
		return nil
	}
	code := CodeUndefinedTerm
	switch k.state {
	case keyReserved:
		code = CodeReservedTerm
	case keyBlank:
		code = CodeBlankPredicate
	case keyIllFormed:
		code = CodeIllFormedIRI
	}
	return refusal(code, p.doc, name, k.name, "")
}
