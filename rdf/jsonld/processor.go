package jsonld

import (
	"errors"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
)

// processor reads one document. It is used once.
type processor struct {
	b         *rdf.Builder // nil while a context of a table is processed
	doc       *origin
	base      rdf.Base // original base URL of the initial context
	table     *Contexts
	options   *Options
	lossy     bool
	mode10    bool
	limits    Limits
	rdfLimits rdf.Limits
	nesting   int

	// What context processing has spent and found out.
	contexts     int   // processed so far
	contextBytes int64 // of contexts and their IRI mappings so far
	definitions  int   // made and copied so far
	used         []*pinned
	validated    map[*pinned]bool // remote contexts that were checked as scoped contexts
	making       int              // term definitions that are being made, one because of the other
	canonicals   map[strictjson.Value]string
	baseUsed     bool // what is being made depends on the document's base

	// What is remembered, so that it is found out once.
	memos    map[*activeContext]*memo
	memo     *memo // the last one asked for
	meanings map[meaning]*key
	known    []*key // every key, by number
	room     []key  // where the next ones are made
	longs    map[longIRI]term
	derived  map[derivation]*activeContext
	embedded map[embedding]*activeContext
	settled  map[*activeContext]bool // see sameContext

	sameIndexes map[meaning]bool // see sameIndex

	// Where keys and known begin: a message has no more.
	keysRoom, knownRoom [32]*key

	// The expanded document, and what its parts refer to by index.
	elements  []element
	entries   []entry
	indexes   []string // values of @index
	languages []languageTag
	odd       []string // what no term can be made of; the first is null
	oddBytes  int64
	spelt     int64    // bytes of long texts that are not written where they are said, see spell
	stack     []uint32 // results of expansion, as indexes of elements
	keys      []*key   // of the objects that are being expanded
	typeNames []int    // see typeMembers

	// What deserialization needs.
	locator     *strictjson.Locator // nil unless places are kept
	vocabIDs    [knownIRIs]rdf.ID
	buf, lang   []byte // the text of a term
	nodeIndexes map[nodeIndex]string
	compounds   map[compound]rdf.ID

	labels   map[string]rdf.ID  // of blank nodes whose labels no syntax can write
	literals []strictjson.Value // JSON literals, where there are references to contexts to excuse
	keep     bool               // literals are kept
}

// newTableProcessor returns a processor for what depends on a table alone, with
// a budget of its own.
func newTableProcessor(table *Contexts, org *origin) *processor {
	return newProcessor(nil, org, Options{Contexts: table, ProcessingLimits: Local()}, rdf.Local())
}

// embedding is a context of the document by its text, and what it was processed
// over.
type embedding struct {
	over *activeContext
	text string
}

func newProcessor(b *rdf.Builder, doc *origin, o Options, limits rdf.Limits) *processor {
	p := &processor{
		b: b, doc: doc, base: doc.base, table: o.Contexts, options: &o, lossy: o.Lossy, mode10: o.ProcessingMode == JSONLD10,
		limits: o.ProcessingLimits.orPeer(), rdfLimits: limits, nesting: min(limits.Nesting, maxNesting),
	}
	p.keys, p.known = p.keysRoom[:0], p.knownRoom[:0]
	return p
}

// derive returns the active context that a derivation stands for, making it
// when the document has not needed it before.
func (p *processor) derive(d derivation, make func(*processor) (*activeContext, error)) (*activeContext, error) {
	if c := p.derived[d]; c != nil {
		return c, nil
	}
	c, err := p.deriveNew(d, make)
	if err != nil {
		return nil, err
	}
	if p.derived == nil {
		p.derived = map[derivation]*activeContext{}
	}
	p.derived[d] = c
	return c, nil
}

// deriveNew makes a derivation, or takes what another document made. What is
// made of pinned contexts alone is made with a budget of its own and shared, so
// that it depends on the table alone; the document is charged the same for it,
// whatever was read before.
func (p *processor) deriveNew(d derivation, make func(*processor) (*activeContext, error)) (*activeContext, error) {
	shared := d.from.derived
	if d.from == initialContext && d.pin != nil && d.pin.inline {
		shared = p.table.shared()
	}
	if shared == nil || d.def != nil && d.def.org.pin == nil {
		return make(p)
	}
	if d.def != nil {
		if err := p.spendContext(d.def.org, d.def.local); err != nil {
			return nil, err
		}
	}
	if c := shared.get(d); c != nil {
		return c, nil
	}
	q := newTableProcessor(p.table, p.doc)
	c, err := make(q)
	switch {
	case q.baseUsed:
		return make(p)
	case err != nil:
		return nil, err
	}
	return shared.put(d, c), nil
}

// spendContext counts a context that is processed.
func (p *processor) spendContext(org *origin, v strictjson.Value) error {
	if p.contexts++; p.contexts > p.limits.Contexts {
		return p.over(LimitContexts, int64(p.limits.Contexts), org, v)
	}
	return nil
}

// usePin counts a pinned context that the document refers to.
func (p *processor) usePin(pin *pinned, org *origin, v strictjson.Value) error {
	for _, u := range p.used {
		if u == pin {
			return nil
		}
	}
	p.used = append(p.used, pin)
	return p.at(p.spendContextBytes(pin.bytes), org, v)
}

func (p *processor) spendContextBytes(n int) error {
	if p.contextBytes += int64(n); p.contextBytes > p.limits.ContextBytes {
		return &rdf.LimitError{Limit: LimitContextBytes, Max: p.limits.ContextBytes}
	}
	return nil
}

func (p *processor) spendDefinitions(n int, org *origin, v strictjson.Value) error {
	if p.definitions += n; p.definitions > p.limits.Definitions {
		return p.over(LimitDefinitions, int64(p.limits.Definitions), org, v)
	}
	return nil
}

// over returns the error for a limit that was reached at a value.
func (p *processor) over(limit rdf.LimitName, most int64, org *origin, v strictjson.Value) error {
	return p.at(&rdf.LimitError{Limit: limit, Max: most}, org, v)
}

// at gives the place of a value to an error that has none.
func (p *processor) at(err error, org *origin, v strictjson.Value) error {
	if err == nil {
		return nil
	}
	var limit *rdf.LimitError
	if !errors.As(err, &limit) || !limit.Place.IsZero() {
		return err
	}
	line, column := v.Place()
	return &rdf.LimitError{Limit: limit.Limit, Max: limit.Max, Place: rdf.Place{File: org.name, Line: line, Column: column}}
}
