package jsonld

import (
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// expandLanguageMap is step 13.7 of the expansion algorithm (section 5.1.2): a
// map from languages to strings.
func (p *processor) expandLanguageMap(f *frame, k *key, v strictjson.Value) error {
	// 13.7.2) and 13.7.3)
	dir := f.c.direction
	if k.def.direction != unsetDirection {
		dir = k.def.direction
	}
	// 13.7.4)
	for i := range v.Len() {
		m := v.Member(i)
		language := newTag(m.Str())
		// 13.7.4.2.4)
		e := p.expandIRI(f.c, language.text, false, true)
		if e.keyword == kwNone {
			language = languageTag{}
		} else if err := p.checkLanguage(language, m.Name); err != nil {
			return err
		}
		none := e.keyword == kwNone
		if m.Value.Kind() != strictjson.Array {
			if err := p.languageItem(m.Value, language, none, dir); err != nil {
				return err
			}
			continue
		}
		for _, item := range m.Value.Items() {
			if err := p.languageItem(item, language, none, dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// languageItem is step 13.7.4.2.
func (p *processor) languageItem(item strictjson.Value, language languageTag, none bool, dir direction) error {
	// 13.7.4.2.1)
	if item.IsNull() {
		return nil
	}
	// 13.7.4.2.2)
	if item.Kind() != strictjson.String {
		return refusal(CodeInvalidLanguageMapValue, p.doc, item, "", "found "+item.Kind().String())
	}
	// 13.7.4.2.3) to 13.7.4.2.6)
	e := element{kind: valueObject, has: hasValue, ref: item.Ref()}
	if !none {
		p.setLanguage(&e, language)
	}
	return p.pushString(e, dir, item)
}

// expandMap is step 13.8: a map from indexes, types or identifiers.
func (p *processor) expandMap(f *frame, k *key, v strictjson.Value) error {
	in := k.def.containers
	// 13.8.2)
	indexKey := k.indexKey()
	if indexKey != nil && indexKey.state == keyUnknown {
		if err := p.resolve(indexKey); err != nil {
			return p.at(err, p.doc, v)
		}
	}
	// 13.8.3)
	for i := range v.Len() {
		m := v.Member(i)
		index := m.Str()
		c, err := p.mapContext(f.c, in, index)
		if err != nil {
			return err
		}
		// 13.8.3.4)
		e := p.expandIRI(f.c, index, false, true)
		// 13.8.3.5) and 13.8.3.6)
		base := len(p.stack)
		if m.Value.Kind() == strictjson.Array {
			_, err = p.expandArray(c, property{key: k}, m.Value, true)
		} else {
			err = p.expandItem(c, property{key: k}, m.Value, true)
		}
		if err != nil {
			return err
		}
		// 13.8.3.7)
		item := mapItem{p: p, c: f.c, in: in, name: m.Name, index: index, expanded: e, indexKey: indexKey}
		for at := base; at < len(p.stack); at++ {
			if err := item.add(at); err != nil {
				return err
			}
		}
	}
	return nil
}

// mapContext is steps 13.8.3.1 to 13.8.3.3.
func (p *processor) mapContext(c *activeContext, in containers, index string) (*activeContext, error) {
	if in&(inID|inType) == 0 {
		return c, nil
	}
	m := c
	if c.previous != nil {
		m = c.previous
	}
	if in&inType != 0 {
		if d := m.lookup(index); d != nil && d.local.Exists() {
			return p.scope(m, d, mapScope)
		}
	}
	return m, nil
}

// mapItem adds what the index of a map says to the items of its value.
type mapItem struct {
	p        *processor
	c        *activeContext
	in       containers
	name     strictjson.Value
	index    string
	expanded expandedIRI // expanded index
	indexKey *key        // of a property-valued index, nil for @index

	id, typ term // expanded index as an identifier or a type
	known   bool // one of these was made
}

// add is step 13.8.3.7 for the item at a place of the stack.
func (m *mapItem) add(at int) error {
	p, none := m.p, m.expanded.keyword == kwNone
	// 13.8.3.7.1)
	if m.in&inGraph != 0 && !p.elements[p.stack[at]].isGraphObject() {
		if err := p.graph(p.stack[at], m.name); err != nil {
			return err
		}
		p.stack[at] = p.stack[len(p.stack)-1]
		p.stack = p.stack[:len(p.stack)-1]
	}
	n := p.stack[at]
	switch {
	case none:
	case m.in&inIndex != 0 && m.indexKey != nil:
		// 13.8.3.7.2)
		return m.addProperty(n)
	case m.in&inIndex != 0:
		// 13.8.3.7.3)
		if e := &p.elements[n]; e.has&hasIndex == 0 {
			p.setIndex(e, m.index)
		}
	case m.in&inID != 0:
		return m.addID(n)
	case m.in&inType != 0:
		return m.addType(n)
	}
	return nil
}

// addID is step 13.8.3.7.4.
func (m *mapItem) addID(n uint32) error {
	if err := m.nodeOnly(n); err != nil {
		return err
	}
	p := m.p
	named := p.elements[n].has&hasID != 0
	if named && p.lossy {
		return nil
	}
	if !m.known {
		var err error
		if m.id, err = p.term(m.c, p.expandIRI(m.c, m.index, true, false), m.name); err != nil {
			return err
		}
		m.known = true
	}
	if named && p.elements[n].term != m.id {
		return refusal(CodeFreeFloating, p.doc, m.name, m.index, "the node of this name has another @id")
	}
	p.elements[n].has |= hasID
	p.elements[n].term = m.id
	return nil
}

// addType is step 13.8.3.7.5.
func (m *mapItem) addType(n uint32) error {
	if err := m.nodeOnly(n); err != nil {
		return err
	}
	p := m.p
	if !m.known {
		var err error
		if m.typ, err = p.term(m.c, m.expanded, m.name); err != nil {
			return err
		}
		m.known = true
	}
	p.elements[n].has |= hasType
	p.link(&p.elements[n].members, entry{kind: typeEntry, term: m.typ, ref: m.name.Ref()})
	return nil
}

// nodeOnly refuses to give an identifier, a type or a property to what is no
// node object.
func (m *mapItem) nodeOnly(n uint32) error {
	if m.p.elements[n].kind == nodeObject {
		return nil
	}
	return refusal(CodeInvalidValueObject, m.p.doc, m.p.valueOf(&m.p.elements[n]), "", "a map by @id, by @type or by a property can only hold nodes")
}

// addProperty is step 13.8.3.7.2: a property-valued index.
func (m *mapItem) addProperty(n uint32) error {
	p := m.p
	// 13.8.3.7.2.5)
	if err := m.nodeOnly(n); err != nil {
		return err
	}
	// 13.8.3.7.2.1) It is a value of each node, written once for all.
	if len(m.index) > usual {
		if err := p.spell(len(m.index), m.name); err != nil {
			return err
		}
	}
	if err := p.expandValue(m.c, m.indexKey, m.name); err != nil {
		return err
	}
	value := p.stack[len(p.stack)-1]
	p.stack = p.stack[:len(p.stack)-1]
	// 13.8.3.7.2.2) to 13.8.3.7.2.4)
	switch m.indexKey.state {
	case keyProperty, keyBlank, keyIllFormed:
	default:
		return p.lostName(m.indexKey, m.name, m.name)
	}
	p.elements[n].has |= hasProperty
	p.link(&p.elements[n].members, entry{kind: propertyEntry, key: m.indexKey.number, value: value})
	return nil
}
