package jsonld

import (
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
)

// The expanded document is kept in slices without pointers, whose elements refer to
// each other and to the JSON document by index: its memory depends on the number of
// its parts and not on its shape, and the garbage collector has nothing to look at.

// element is a map of the expanded document: a value object, a list object or a
// node object.
type element struct {
	ref      strictjson.Ref // value object: @value; others: where it stands in the document
	term     term           // node object: @id; value object: @type
	members  chain          // node object: its entries; list object: its items
	language uint32         // value object: @language, as 1 + index of processor.languages, 0 for none
	index    uint32         // @index, as 1 + index of processor.indexes, 0 for none
	has      entrySet
	kind     elementKind
	dir      direction // value object: @direction
}

type elementKind uint8

const (
	valueObject elementKind = iota
	listObject
	nodeObject
)

// entrySet is a set of entries that a map has.
type entrySet uint16

const (
	hasID entrySet = 1 << iota
	hasType
	hasIndex
	hasGraph
	hasIncluded
	hasReverse
	hasProperty
	hasValue
	hasLanguage
	hasDirection
	hasList
	hasSet
	isJSON   // the value is a JSON literal
	badTag   // the language tag is not well-formed
	typeList // the value of @type is an array
	jsonType // a type is @json
)

// entries are the members of the set that are entries of the map.
const entries = hasID | hasType | hasIndex | hasGraph | hasIncluded | hasReverse | hasProperty |
	hasValue | hasLanguage | hasDirection | hasList | hasSet

// term is what an IRI or blank node identifier became: an ID of the builder, or,
// when no term can be made of it, 1 + its index in processor.odd.
type term struct {
	id  rdf.ID
	odd uint32
}

// entry is one value of an entry of a node object, or one item of a list.
type entry struct {
	key   uint32         // of a property: index of processor.known
	term  term           // of @type
	value uint32         // index of processor.elements
	next  uint32         // 1 + index of processor.entries, 0 at the end
	ref   strictjson.Ref // of @type: where the value stands
	kind  entryKind
}

type entryKind uint8

const (
	itemEntry entryKind = iota
	typeEntry
	propertyEntry
	reverseEntry
	graphEntry
	includedEntry
)

// chain is a sequence of entries: 1 + their indexes, 0 for none.
type chain struct{ first, last uint32 }

// link appends an entry to a chain.
func (p *processor) link(c *chain, e entry) {
	p.entries = append(p.entries, e)
	n := uint32(len(p.entries))
	if c.first == 0 {
		c.first = n
	} else {
		p.entries[c.last-1].next = n
	}
	c.last = n
}

// push adds an element to the expanded document and leaves it on the stack, as
// the result of an expansion.
func (p *processor) push(e element, v strictjson.Value) error {
	if len(p.elements) >= p.limits.Elements {
		return p.over(LimitElements, int64(p.limits.Elements), p.doc, v)
	}
	p.elements = append(p.elements, e)
	p.stack = append(p.stack, uint32(len(p.elements)-1))
	return nil
}

// list makes a list object of what stands on the stack from base on, and leaves
// it there.
func (p *processor) list(base int, v strictjson.Value) error {
	e := element{kind: listObject, has: hasList, ref: v.Ref()}
	for _, item := range p.stack[base:] {
		p.link(&e.members, entry{kind: itemEntry, value: item})
	}
	p.stack = p.stack[:base]
	return p.push(e, v)
}

// graph makes a graph object of one element and leaves it on the stack.
func (p *processor) graph(item uint32, v strictjson.Value) error {
	// What would float free in @graph floats free here.
	if only := &p.elements[item]; only.kind == nodeObject && (only.has&hasID != 0 && p.saysNothing(only.members) || only.has&entries == 0) {
		node := p.valueOf(only)
		id, _ := node.Str()
		if err := p.lost(CodeFreeFloating, node, id, "nothing is said about the node"); err != nil {
			return err
		}
	}
	e := element{kind: nodeObject, has: hasGraph, ref: p.elements[item].ref}
	p.link(&e.members, entry{kind: graphEntry, value: item})
	return p.push(e, v)
}

// isGraphObject reports whether an element is a graph object: nothing but a
// graph, its name and its index.
func (e *element) isGraphObject() bool {
	return e.kind == nodeObject && e.has&hasGraph != 0 && e.has&entries&^(hasGraph|hasID|hasIndex) == 0
}

// setIndex gives an element an @index.
func (p *processor) setIndex(e *element, index string) {
	p.indexes = append(p.indexes, index)
	e.index = uint32(len(p.indexes))
	e.has |= hasIndex
}

// setLanguage gives a value object a language.
func (p *processor) setLanguage(e *element, language languageTag) {
	e.has |= hasLanguage
	if n := len(p.languages); n == 0 || p.languages[n-1] != language {
		p.languages = append(p.languages, language)
	}
	e.language = uint32(len(p.languages))
	if !language.wellFormed {
		e.has |= badTag
	}
}

// languageOf returns the language of a value object, "" if it has none.
func (p *processor) languageOf(e *element) string {
	if e.language == 0 {
		return ""
	}
	return p.languages[e.language-1].text
}

// valueOf returns the JSON value that an element stands for.
func (p *processor) valueOf(e *element) strictjson.Value { return p.doc.root.Deref(e.ref) }
