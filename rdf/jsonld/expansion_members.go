package jsonld

import (
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// expandMembers is steps 13 and 14 of the expansion algorithm (section 5.1.2),
// in the order of the text: the recommendation leaves the order open.
func (p *processor) expandMembers(f *frame, o *object) error {
	nests := false
	for i := range f.v.Len() {
		m := f.v.Member(i)
		k := p.keys[f.keys+i]
		var err error
		switch k.state {
		case keyKeyword:
			// 13.1) and 13.4)
			if k.keyword == kwContext {
				continue
			}
			nests = nests || k.keyword == kwNest
			err = p.expandKeyword(f, o, k, m)
		case keyUndefined, keyReserved:
			// 13.3)
			err = p.lostName(k, m.Name, m.Value)
		case keyBlank, keyIllFormed:
			if err = p.lostName(k, m.Name, m.Value); err == nil {
				err = p.expandProperty(f, o, k, m)
			}
		default:
			err = p.expandProperty(f, o, k, m)
		}
		if err != nil {
			return err
		}
	}
	if !nests {
		return nil
	}
	// 14)
	for i := range f.v.Len() {
		if k := p.keys[f.keys+i]; k.state == keyKeyword && k.keyword == kwNest {
			if err := p.expandNest(f, o, k, f.v.Member(i).Value); err != nil {
				return err
			}
		}
	}
	return nil
}

// expandNest is steps 14.1 and 14.2 for one nesting key.
func (p *processor) expandNest(f *frame, o *object, k *key, v strictjson.Value) error {
	if v.Kind() == strictjson.Array {
		for _, item := range v.Items() {
			if err := p.expandNested(f, o, k, item); err != nil {
				return err
			}
		}
		return nil
	}
	return p.expandNested(f, o, k, v)
}

// expandNested is step 14.2 for one nested object.
func (p *processor) expandNested(f *frame, o *object, k *key, v strictjson.Value) error {
	// 14.2.1)
	if v.Kind() != strictjson.Object {
		return refusal(CodeInvalidNestValue, p.doc, v, k.name, "found "+v.Kind().String())
	}
	// 14.2.2) is steps 3, 8, 13 and 14 again.
	nested := frame{c: f.c, types: f.types, ap: property{key: k}, v: v, keys: len(p.keys)}
	if k.def != nil && k.def.local.Exists() {
		var err error
		if nested.c, err = p.scope(f.c, k.def, propertyScope); err != nil {
			return err
		}
	}
	if err := p.resolveKeys(&nested); err != nil {
		return err
	}
	for i, k := range p.keys[nested.keys:] {
		if k.state == keyKeyword && k.keyword == kwValue {
			return refusal(CodeInvalidNestValue, p.doc, v.Member(i).Name, k.name, "a nested object cannot hold a value")
		}
		if k.state == keyKeyword && k.keyword == kwContext {
			if err := p.lost(CodeReservedTerm, v.Member(i).Name, k.name, "a context within a nested object means nothing"); err != nil {
				return err
			}
		}
	}
	if err := p.expandMembers(&nested, o); err != nil {
		return err
	}
	p.keys = p.keys[:nested.keys]
	return nil
}

// expandKeyword is step 13.4: a member whose name is a keyword.
func (p *processor) expandKeyword(f *frame, o *object, k *key, m strictjson.Member) error {
	// 13.4.1)
	if f.ap.keyword == kwReverse {
		return refusal(CodeInvalidReversePropertyMap, p.doc, m.Name, k.name, "")
	}
	// 13.4.2) A nesting key is no entry of the result.
	bit := uint32(1) << k.keyword
	repeatable := (k.keyword == kwIncluded || k.keyword == kwType) && !p.mode10 || k.keyword == kwNest
	if o.seen&bit != 0 && !repeatable {
		return refusal(CodeCollidingKeywords, p.doc, m.Name, k.name, "")
	}
	o.seen |= bit
	if p.mode10 && (k.keyword == kwIncluded || k.keyword == kwDirection) {
		return p.lost(CodeReservedTerm, m.Name, k.name, reason10)
	}
	switch k.keyword {
	case kwID:
		return p.expandID(f, o, m.Value)
	case kwType:
		return p.expandTypes(f, o, m.Value)
	case kwGraph:
		return p.expandGraph(f, o, m.Value)
	case kwIncluded:
		return p.expandIncluded(f, o, m.Value)
	case kwValue:
		return p.expandValueMember(o, m.Value)
	case kwLanguage:
		return p.expandLanguage(o, m.Value)
	case kwDirection:
		return p.expandDirection(o, m.Value)
	case kwIndex:
		return p.expandIndex(o, m.Value)
	case kwList:
		if f.ap.floats() { // 13.4.11.1)
			return p.lost(CodeFreeFloating, m.Name, k.name, "")
		}
		_, err := p.expandItems(f, o, hasList, m.Value)
		return err
	case kwSet:
		var err error
		o.set, err = p.expandItems(f, o, hasSet, m.Value)
		return err
	case kwReverse:
		return p.expandReverse(f, o, m.Value)
	case kwNest:
		// 13.4.14) Step 14 goes through the members again.
		return nil
	}
	// The other keywords have a meaning in contexts alone.
	return p.lost(CodeReservedTerm, m.Name, k.name, "the keyword means nothing here")
}

// text returns the string that the value of a keyword must be.
func (p *processor) text(v strictjson.Value, code Code) (string, error) {
	s, ok := v.Str()
	if !ok {
		return "", refusal(code, p.doc, v, "", "found "+v.Kind().String())
	}
	return s, nil
}

// expandID is step 13.4.3.
func (p *processor) expandID(f *frame, o *object, v strictjson.Value) (err error) {
	if o.idText, err = p.text(v, CodeInvalidIDValue); err != nil {
		return err
	}
	o.has |= hasID
	o.id, err = p.term(f.c, p.expandIRI(f.c, o.idText, true, false), v)
	return err
}

// expandGraph is step 13.4.5.
func (p *processor) expandGraph(f *frame, o *object, v strictjson.Value) error {
	base := len(p.stack)
	if _, err := p.expand(f.c, property{keyword: kwGraph}, v, false); err != nil {
		return err
	}
	o.has |= hasGraph
	p.moveTo(&o.members, base, entry{kind: graphEntry})
	return nil
}

// expandValueMember is step 13.4.7.
func (p *processor) expandValueMember(o *object, v strictjson.Value) error {
	kind := v.Kind()
	switch {
	case o.json && p.mode10:
		return refusal(CodeInvalidValueObjectValue, p.doc, v, "", reason10)
	case !o.json && (kind == strictjson.Array || kind == strictjson.Object):
		return refusal(CodeInvalidValueObjectValue, p.doc, v, "", "found "+kind.String())
	}
	o.has |= hasValue
	o.value = v
	return nil
}

// expandLanguage is step 13.4.8.
func (p *processor) expandLanguage(o *object, v strictjson.Value) (err error) {
	if o.language, err = p.text(v, CodeInvalidLanguageTagged); err != nil {
		return err
	}
	o.has |= hasLanguage
	return p.checkLanguage(newTag(o.language), v)
}

// expandDirection is step 13.4.9.
func (p *processor) expandDirection(o *object, v strictjson.Value) error {
	s, _ := v.Str()
	if o.direction = directionOf(s); o.direction == unsetDirection {
		return refusal(CodeInvalidBaseDirection, p.doc, v, s, "")
	}
	o.has |= hasDirection
	return nil
}

// expandIndex is step 13.4.10.
func (p *processor) expandIndex(o *object, v strictjson.Value) (err error) {
	if o.index, err = p.text(v, CodeInvalidIndexValue); err != nil {
		return err
	}
	o.has |= hasIndex
	return nil
}

// expandItems is steps 13.4.11 and 13.4.12: the value of @list or @set.
func (p *processor) expandItems(f *frame, o *object, has entrySet, v strictjson.Value) (shape, error) {
	base := len(p.stack)
	ap := property{key: f.ap.key, keyword: f.ap.keyword, list: has == hasList || f.ap.list}
	s, err := p.expand(f.c, ap, v, false)
	if err != nil {
		return s, err
	}
	// Others make a list of null, or a node.
	if s == nothing {
		if err := p.lost(CodeInvalidSetOrList, v, "", "null is an empty list or set for some readers and not for others"); err != nil {
			return s, err
		}
	}
	o.has |= has
	p.moveTo(&o.items, base, entry{kind: itemEntry})
	return s, nil
}

// moveTo moves what stands on the stack from base on to a chain, each as an
// entry like e.
func (p *processor) moveTo(c *chain, base int, e entry) {
	for _, e.value = range p.stack[base:] {
		p.link(c, e)
	}
	p.stack = p.stack[:base]
}

// expandTypes is step 13.4.4.
func (p *processor) expandTypes(f *frame, o *object, v strictjson.Value) error {
	// 13.4.4.1)
	if v.Kind() != strictjson.Array {
		if err := p.expandType(f, o, v); err != nil {
			return err
		}
	} else {
		o.has |= typeList
		for i := range v.Len() {
			if err := p.expandType(f, o, v.Index(i)); err != nil {
				return err
			}
		}
	}
	// 13.4.4.5) Types of several members come together.
	if o.has&hasType != 0 {
		o.has |= typeList
	}
	o.has |= hasType
	return nil
}

// expandType is step 13.4.4 for one type.
func (p *processor) expandType(f *frame, o *object, v strictjson.Value) error {
	s, ok := v.Str()
	if !ok {
		return refusal(CodeInvalidTypeValue, p.doc, v, "", "found "+v.Kind().String())
	}
	// 13.4.4.4)
	k := p.memoOf(f.types).key(s)
	if !k.typed {
		e := p.expandIRI(f.types, s, true, true)
		if k.typeKeyword = e.keyword; e.keyword != kwJSON {
			var err error
			if k.typ, err = p.term(f.types, e, v); err != nil {
				return err
			}
			k.typeBlank = isBlank(e.head)
		}
		k.typed = true
	}
	o.typ = k
	if k.typeKeyword == kwJSON {
		o.has |= jsonType
	}
	p.link(&o.members, entry{kind: typeEntry, term: k.typ, ref: v.Ref()})
	return nil
}

// expandIncluded is step 13.4.6.
func (p *processor) expandIncluded(f *frame, o *object, v strictjson.Value) error {
	// 13.4.6.2)
	base := len(p.stack)
	s, err := p.expandQuietly(f.c, v)
	if err != nil {
		return err
	}
	// 13.4.6.3) Null is no node object.
	if s == nothing {
		return refusal(CodeInvalidIncludedValue, p.doc, v, "", "")
	}
	for _, e := range p.stack[base:] {
		if p.elements[e].kind != nodeObject {
			return refusal(CodeInvalidIncludedValue, p.doc, v, "", "")
		}
	}
	// 13.4.6.4)
	o.has |= hasIncluded
	p.moveTo(&o.members, base, entry{kind: includedEntry})
	return nil
}

// expandQuietly expands the value of @included. A scalar, a value or a list is
// an error of its own there, and not merely lost.
func (p *processor) expandQuietly(c *activeContext, v strictjson.Value) (shape, error) {
	switch v.Kind() {
	case strictjson.Object, strictjson.Array, strictjson.Null:
		return p.expand(c, property{}, v, false)
	}
	return nothing, nil
}

// expandReverse is step 13.4.13.
func (p *processor) expandReverse(f *frame, o *object, v strictjson.Value) error {
	// 13.4.13.1)
	if v.Kind() != strictjson.Object {
		return refusal(CodeInvalidReverseValue, p.doc, v, "", "found "+v.Kind().String())
	}
	// 13.4.13.2)
	base := len(p.stack)
	if _, err := p.expand(f.c, property{keyword: kwReverse}, v, false); err != nil {
		return err
	}
	for _, inner := range p.stack[base:] {
		// 13.4.13.4) The entry is made even if no property has a value.
		if p.elements[inner].has&hasProperty != 0 {
			o.has |= hasReverse
		}
		for i := p.elements[inner].members.first; i != 0; i = p.entries[i-1].next {
			e := p.entries[i-1]
			e.next = 0
			switch e.kind {
			case reverseEntry:
				// 13.4.13.3) What is reversed twice.
				e.kind = propertyEntry
				o.has |= hasProperty
			case propertyEntry:
				if err := p.checkReverse(e.value); err != nil {
					return err
				}
				e.kind = reverseEntry
			}
			p.link(&o.members, e)
		}
	}
	p.stack = p.stack[:base]
	return nil
}

// checkReverse refuses a value or list as the value of a reverse property
// (steps 13.4.13.4.2.1.1 and 13.13.4.1).
func (p *processor) checkReverse(e uint32) error {
	if p.elements[e].kind == nodeObject {
		return nil
	}
	return refusal(CodeInvalidReverseProperties, p.doc, p.valueOf(&p.elements[e]), "", "")
}

// expandProperty is steps 13.5 to 13.14: a member whose name is a property.
func (p *processor) expandProperty(f *frame, o *object, k *key, m strictjson.Member) error {
	// 13.5)
	var in containers
	typ, reverse := noType, false
	if k.def != nil {
		in, typ, reverse = k.def.containers, k.def.typ, k.def.reverse
	}
	base := len(p.stack)
	s := array
	var err error
	switch isMap := m.Value.Kind() == strictjson.Object; {
	case typ == typeJSON:
		// 13.6) Others look for a map first.
		if isMap && in&(inLanguage|inIndex|inID) != 0 && k.def.org.pin == nil {
			if err := p.lost(CodeInvalidTypeMapping, m.Name, k.name, "an object is a JSON literal for some readers and a map for others"); err != nil {
				return err
			}
		}
		s, err = one, p.pushJSON(m.Value)
	case in&inLanguage != 0 && isMap:
		// 13.7)
		err = p.expandLanguageMap(f, k, m.Value)
	case in&(inIndex|inType|inID) != 0 && isMap:
		// 13.8)
		err = p.expandMap(f, k, m.Value)
	default:
		// 13.9)
		s, err = p.expand(f.c, property{key: k}, m.Value, false)
	}
	if err != nil {
		return err
	}
	// 13.10)
	if s == nothing {
		return nil
	}
	// 13.11)
	if in&inList != 0 && !(s == one && p.elements[p.stack[base]].kind == listObject) {
		if err := p.list(base, m.Value); err != nil {
			return err
		}
	}
	// 13.12)
	if in&inGraph != 0 && in&(inID|inIndex) == 0 {
		for i := base; i < len(p.stack); i++ {
			if err := p.graph(p.stack[i], m.Value); err != nil {
				return err
			}
			p.stack[i] = p.stack[len(p.stack)-1]
			p.stack = p.stack[:len(p.stack)-1]
		}
	}
	if err := p.checkOwnContext(f, k, m); err != nil {
		return err
	}
	// 13.13)
	if reverse {
		for _, e := range p.stack[base:] {
			if err := p.checkReverse(e); err != nil {
				return err
			}
		}
		o.has |= hasReverse
		p.moveTo(&o.members, base, entry{kind: reverseEntry, key: k.number})
		return nil
	}
	// 13.14)
	o.has |= hasProperty
	p.moveTo(&o.members, base, entry{kind: propertyEntry, key: k.number})
	return nil
}
