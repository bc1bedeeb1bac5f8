package jsonld

import (
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
)

// activeContext is an active context (section 4.1). It does not change once
// [processor.processContext] has returned it, so that it can be shared, and
// compared and remembered by its address.
type activeContext struct {
	terms     *layer
	base      *contextBase // nil: the base of the document that is being read
	vocab     string       // vocabulary mapping
	hasVocab  bool
	language  languageTag // default language
	tagged    bool        // there is one, which may be "": that is a language tag, if an ill-formed one
	direction direction
	previous  *activeContext
	protected int // number of protected term definitions

	// derived remembers what was made of this context; nil unless everything
	// that it was made of is pinned.
	derived *derivations
}

// contextBase is a base IRI that a context has set.
type contextBase struct {
	base   rdf.Base // the zero Base: there is none
	length int      // in bytes
	broken string   // a base that no IRI can be made of: whatever is resolved against it is ill-formed
}

// initialContext is the active context that processing begins with.
var initialContext = &activeContext{}

// layer holds the term definitions that one context has made, on top of those
// of the contexts before it. A nil definition takes a term away.
type layer struct {
	own   map[string]*definition
	below *layer
	depth int // number of layers below
	size  int // number of definitions, own and below
}

// maxDepth is the number of layers that a look-up passes through at most; then
// they are copied into one.
const maxDepth = 6

// definition is a term definition (section 4.1). It does not change once it is
// part of a layer.
type definition struct {
	iri       string  // IRI mapping, unless null or a keyword
	keyword   keyword // the IRI mapping is a keyword
	mapped    bool    // the IRI mapping is not null
	prefix    bool
	protected bool
	reverse   bool

	containers containers
	direction  direction
	language   languageTag
	hasLang    bool // a language mapping
	tagged     bool // which is not null
	typ        typeMapping
	datatype   string // the type mapping, when typ is typeIRI
	index      string // index mapping
	nest       string

	local strictjson.Value // scoped context; absent if there is none
	org   *origin          // where local stands
}

// noDefinition stands for that of a string that is no term.
var noDefinition = &definition{}

// typeMapping says what the type mapping of a term is.
type typeMapping uint8

const (
	noType typeMapping = iota
	typeID
	typeVocab
	typeJSON
	typeNone
	typeIRI
)

// origin is the text that a context stands in.
type origin struct {
	name string   // for messages: the file, or the IRI of a pinned context
	base rdf.Base // what its references to remote contexts are relative to
	root strictjson.Value
	pin  *pinned // the pinned context that it is, nil for others
}

// lookup returns the definition of a term, nil if there is none.
func (c *activeContext) lookup(term string) *definition {
	for l := c.terms; l != nil; l = l.below {
		if d, ok := l.own[term]; ok {
			return d
		}
	}
	return nil
}

// same reports whether two definitions are the same but for their protection
// (section 4.2.2, step 27.1).
func (p *processor) same(d, e *definition) bool {
	if d.iri != e.iri || d.keyword != e.keyword || d.mapped != e.mapped || d.prefix != e.prefix || d.reverse != e.reverse ||
		d.containers != e.containers || d.direction != e.direction || d.language != e.language || d.hasLang != e.hasLang || d.tagged != e.tagged ||
		d.typ != e.typ || d.datatype != e.datatype || d.index != e.index || d.nest != e.nest {
		return false
	}
	if d.local == e.local {
		return true
	}
	if !d.local.Exists() || !e.local.Exists() {
		return false
	}
	// The base of a scoped context makes a difference where it refers to another.
	if d.org.base != e.org.base && len(references(d.local, d.org)) > 0 {
		return false
	}
	x, y := p.canonical(d.local), p.canonical(e.local)
	return x != "" && x == y
}

// canonical returns the canonical form of a context, made once: one protected
// term may be compared with many. It is empty if there is none.
func (p *processor) canonical(v strictjson.Value) string {
	if s, ok := p.canonicals[v]; ok {
		return s
	}
	text, _ := v.Canonical() // what has none equals nothing
	if p.canonicals == nil {
		p.canonicals = map[strictjson.Value]string{}
	}
	p.canonicals[v] = string(text)
	return p.canonicals[v]
}
