package jsonld

import (
	"cmp"
	"slices"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// property is an active property: a key, @graph, @reverse, or null.
type property struct {
	key     *key
	keyword keyword
	list    bool // what it holds is the value of @list
	item    bool // what it holds is an item of a list
}

// floats reports whether what the property holds is the object of nothing.
func (ap property) floats() bool { return ap.key == nil && ap.keyword != kwReverse }

// in returns the property's definition in a context, nil if there is none.
func (ap property) in(p *processor, c *activeContext) *key {
	if ap.key == nil || ap.key.memo.c == c {
		return ap.key
	}
	return p.keyIn(ap.key, c)
}

// shape says what an expansion left on the stack: nothing, for null; one
// element; or the items of an array, however many.
type shape uint8

const (
	nothing shape = iota
	one
	array
)

// expand is the expansion algorithm (section 5.1.2). Framing is left out, and
// with it step 2.
func (p *processor) expand(c *activeContext, ap property, v strictjson.Value, fromMap bool) (shape, error) {
	switch v.Kind() {
	case strictjson.Null:
		// 1)
		return nothing, nil
	case strictjson.Array:
		// 5)
		return p.expandArray(c, ap, v, fromMap)
	}
	// 3)
	var scoped *definition
	if k := ap.in(p, c); k != nil && k.def != nil && k.def.local.Exists() {
		scoped = k.def
	}
	if v.Kind() == strictjson.Object {
		return p.expandObject(c, ap, scoped, v, fromMap)
	}
	// 4.1)
	if ap.floats() {
		return nothing, p.lost(CodeFreeFloating, v, scalar(v), "")
	}
	// 4.2) As in step 8, what is protected may be overridden.
	if scoped != nil {
		var err error
		if c, err = p.scope(c, scoped, propertyScope); err != nil {
			return nothing, err
		}
	}
	// 4.3)
	return one, p.expandValue(c, ap.in(p, c), v)
}

// scalar returns the text of a scalar, for messages.
func scalar(v strictjson.Value) string {
	if s, ok := v.Str(); ok {
		return s
	}
	return v.Source()
}

// lost returns the error for what is dropped, nil when that is accepted.
func (p *processor) lost(code Code, v strictjson.Value, term, reason string) error {
	if p.lossy {
		return nil
	}
	return refusal(code, p.doc, v, term, reason)
}

// expandArray is step 5. An array within the value of @list is no list but where the
// property's container is one, and its items are of the list around it. The syntax allows
// neither that nor a set in a list, and readers that are in wide use take each for a list
// of its own.
func (p *processor) expandArray(c *activeContext, ap property, v strictjson.Value, fromMap bool) (shape, error) {
	lists := ap.in(p, c).inList()
	if ap.item && !lists {
		if err := p.lost(CodeInvalidSetOrList, v, "", "an array within a list is a list for some readers and not for others"); err != nil {
			return array, err
		}
	}
	ap.item = ap.list || lists
	for i := range v.Len() {
		if err := p.expandItem(c, ap, v.Index(i), fromMap); err != nil {
			return array, err
		}
	}
	return array, nil
}

// expandItem is step 5.2.
func (p *processor) expandItem(c *activeContext, ap property, item strictjson.Value, fromMap bool) error {
	base := len(p.stack)
	s, err := p.expand(c, ap, item, fromMap)
	if err != nil {
		return err
	}
	if s != array {
		return nil
	}
	// 5.2.2) Others go by the container within the property's own context.
	k := ap.in(p, c)
	own, err := p.ownContext(c, k)
	if err != nil {
		return err
	}
	if own != nil && p.keyIn(k, own).inList() != k.inList() {
		return refusal(CodeInvalidSetOrList, p.doc, item, k.name, "an array within an array is a list for some readers and not for others")
	}
	if k.inList() {
		return p.list(base, item)
	}
	return nil
}

// object is the map result of the expansion of an object.
type object struct {
	has     entrySet
	seen    uint32 // keywords that were met as names
	members chain

	id        term
	idText    string // as it is written
	typ       *key   // the last @type
	value     strictjson.Value
	language  string
	direction direction
	index     string

	items chain // of @list or @set
	set   shape // what the value of @set expanded to

	json bool // input type is @json
}

// typeText returns the last @type as it is written.
func (o *object) typeText() string {
	if o.typ == nil {
		return ""
	}
	return o.typ.name
}

// frame is what the steps of one object share.
type frame struct {
	c     *activeContext
	types *activeContext // type-scoped context
	ap    property
	v     strictjson.Value
	keys  int // index in processor.keys of the key of the first member
}

// expandObject is steps 7 to 20.
func (p *processor) expandObject(c *activeContext, ap property, scoped *definition, v strictjson.Value, fromMap bool) (shape, error) {
	var err error
	// 7)
	if c.previous != nil && !fromMap {
		revert, err := p.startsNode(c, v)
		if err != nil {
			return nothing, err
		}
		if revert {
			c = c.previous
		}
	}
	// 8)
	if scoped != nil {
		if c, err = p.scope(c, scoped, propertyScope); err != nil {
			return nothing, err
		}
	}
	// 9)
	for i := range v.Len() {
		if m := v.Member(i); m.Str() == "@context" {
			if c, err = p.embed(c, m.Value); err != nil {
				return nothing, err
			}
			break
		}
	}
	// 10)
	f := frame{c: c, types: c, ap: ap, v: v, keys: len(p.keys)}
	if err := p.resolveKeys(&f); err != nil {
		return nothing, err
	}
	// 11) and 12)
	var o object
	if err := p.typeScope(&f, &o); err != nil {
		return nothing, err
	}
	// 13) and 14)
	if err := p.expandMembers(&f, &o); err != nil {
		return nothing, err
	}
	p.keys = p.keys[:f.keys]
	// 15) to 20)
	return p.finish(&f, &o)
}

// startsNode is the condition of step 7: the object is neither a value nor a
// mere reference.
func (p *processor) startsNode(c *activeContext, v strictjson.Value) (bool, error) {
	m := p.memoOf(c)
	for i := range v.Len() {
		member := v.Member(i)
		k := m.key(member.Str())
		if k.state == keyUnknown {
			if err := p.resolve(k); err != nil {
				return false, p.at(err, p.doc, member.Name)
			}
		}
		if k.state == keyKeyword && (k.keyword == kwValue || k.keyword == kwID && v.Len() == 1) {
			return false, nil
		}
	}
	return true, nil
}

// resolveKeys finds out what the names of an object's members mean (step 13.2
// for all of them, since step 11 needs it first).
func (p *processor) resolveKeys(f *frame) error {
	m := p.memoOf(f.c)
	p.keys = p.keys[:f.keys]
	var last *key
	for i := range f.v.Len() {
		name := f.v.Member(i).Str()
		var k *key
		if last != nil && last.next != nil && last.next.name == name {
			k = last.next
		} else {
			k = m.key(name)
			if last != nil {
				last.next = k
			}
		}
		if k.state == keyUnknown {
			if err := p.resolve(k); err != nil {
				return p.at(err, p.doc, f.v.Member(i).Name)
			}
		}
		p.keys = append(p.keys, k)
		last = k
	}
	return nil
}

// typeScope is steps 11 and 12.
func (p *processor) typeScope(f *frame, o *object) error {
	names := p.typeMembers(f)
	if len(names) == 0 {
		return nil
	}
	// 11)
	c := f.c
	for _, i := range names {
		for _, k := range p.scopedTypes(f, f.v.Member(i).Value) {
			var err error
			if c, err = p.scope(c, k.def, typeScope); err != nil {
				return err
			}
		}
	}
	if c != f.c {
		f.c = c
		if err := p.resolveKeys(f); err != nil {
			return err
		}
		if names = p.typeMembers(f); len(names) == 0 {
			return nil
		}
	}
	// 12)
	last := f.v.Member(names[0]).Value
	if last.Kind() == strictjson.Array {
		last = last.Index(last.Len() - 1)
	}
	if s, ok := last.Str(); ok {
		o.json = p.expandIRI(f.c, s, false, true).keyword == kwJSON
	}
	return nil
}

// typeMembers returns the numbers of the members whose names expand to @type,
// in code point order.
func (p *processor) typeMembers(f *frame) []int {
	names := p.typeNames[:0]
	for i, k := range p.keys[f.keys:] {
		if k.state == keyKeyword && k.keyword == kwType {
			names = append(names, i)
		}
	}
	if len(names) > 1 {
		slices.SortFunc(names, func(a, b int) int { return cmp.Compare(p.keys[f.keys+a].name, p.keys[f.keys+b].name) })
	}
	p.typeNames = names
	return names
}

// scopedTypes returns those of the types that have a scoped context, in code
// point order (step 11.2).
func (p *processor) scopedTypes(f *frame, v strictjson.Value) []*key {
	m := p.memoOf(f.types)
	var scoped []*key
	add := func(item strictjson.Value) {
		if s, ok := item.Str(); ok {
			if k := m.key(s); k.def != nil && k.def.local.Exists() {
				scoped = append(scoped, k)
			}
		}
	}
	if v.Kind() != strictjson.Array {
		add(v)
		return scoped
	}
	for _, item := range v.Items() {
		add(item)
	}
	slices.SortFunc(scoped, func(a, b *key) int { return cmp.Compare(a.name, b.name) })
	return scoped
}

// scopeKind says how a scoped context applies.
type scopeKind uint8

const (
	noScope scopeKind = iota
	propertyScope
	typeScope
	mapScope
)

// scope returns the context that the scoped context of a definition makes of c.
func (p *processor) scope(c *activeContext, d *definition, kind scopeKind) (*activeContext, error) {
	return p.derive(derivation{from: c, def: d, kind: kind}, func(p *processor) (*activeContext, error) {
		if d.org.pin == nil { // its text was gone through where it is defined, and is again
			if err := p.spendContextBytes(len(d.local.Source())); err != nil {
				return nil, p.at(err, d.org, d.local)
			}
		}
		return p.processContext(c, d.local, contextCall{org: d.org, override: kind == propertyScope, noPropagate: kind == typeScope})
	})
}

// embed returns the context that an @context member makes of c (step 9). Many
// objects of one document may say the same.
func (p *processor) embed(c *activeContext, v strictjson.Value) (*activeContext, error) {
	e := embedding{c, v.Source()}
	if known := p.embedded[e]; known != nil {
		return known, nil
	}
	next, err := p.processContext(c, v, contextCall{org: p.doc})
	if err != nil {
		return nil, err
	}
	if p.embedded == nil {
		p.embedded = map[embedding]*activeContext{}
	}
	p.embedded[e] = next
	return next, nil
}
