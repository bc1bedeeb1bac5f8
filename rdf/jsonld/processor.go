package jsonld

import (
	"bytes"
	"errors"
	"strings"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
)

// processor reads one document.
type processor struct {
	b         *rdf.Builder
	doc       *origin
	base      rdf.Base // original base URL of the initial context
	table     *Contexts
	options   *Options
	lossy     bool
	mode10    bool
	limits    Limits
	rdfLimits rdf.Limits
	nesting   int

	contexts     int   // processed so far
	contextBytes int64 // of contexts and their IRI mappings so far
	definitions  int   // made and copied so far
	used         []*pinned
	validated    map[*pinned]bool // remote contexts that were checked as scoped contexts
	making       int              // term definitions that are being made, one because of the other
	canonicals   map[strictjson.Value]string
	baseUsed     bool // what is being made depends on the document's base

	memos    map[*activeContext]*memo
	memo     *memo // the last one asked for
	derived  map[derivation]*activeContext
	embedded map[embedding]*activeContext

	elements  []element
	entries   []entry
	indexes   []string // values of @index
	languages []string
	known     []*key   // every key, by number
	room      []key    // where the next ones are made
	odd       []string // what no term can be made of; the first is null
	oddBytes  int64
	stack     []uint32 // results of expansion, as indexes of elements
	keys      []*key   // of the objects that are being expanded
	buf       []byte

	typeNames []int // see typeMembers

	locator     *strictjson.Locator // nil unless places are kept
	vocabIDs    [knownIRIs]rdf.ID
	lang        []byte
	nodeIndexes map[nodeIndex]string
	compounds   map[compound]rdf.ID
	longs       map[longIRI]term

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
	return &processor{
		b: b, doc: doc, base: doc.base, table: o.Contexts, options: &o, lossy: o.Lossy, mode10: o.ProcessingMode == JSONLD10,
		limits: o.ProcessingLimits.orPeer(), rdfLimits: limits, nesting: min(limits.Nesting, maxNesting),
	}
}

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
}

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

// termError returns err when it says that no term can be made of a text, and
// nil when it is nil or something else.
func termError(err error) *rdf.TermError {
	if err == nil {
		return nil
	}
	var e *rdf.TermError
	errors.As(err, &e)
	return e
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

// oddTerm keeps what stands in buf and is no term.
func (p *processor) oddTerm() (term, error) {
	if p.odd == nil {
		p.odd = append(p.odd, "")
	}
	if p.oddBytes += int64(len(p.buf)); p.oddBytes > p.rdfLimits.TermBytes {
		return term{}, &rdf.LimitError{Limit: rdf.LimitTermBytes, Max: p.rdfLimits.TermBytes}
	}
	p.odd = append(p.odd, string(p.buf))
	return term{odd: uint32(len(p.odd))}, nil
}

// nullTerm stands for an identifier that expands to null.
var nullTerm = term{odd: 1}

// longIRI names the expansion of a string. Those that become long are
// remembered, or a short string under a long prefix, said often, would cost the
// prefix every time.
type longIRI struct {
	c               *activeContext
	text            string
	vocab, relative bool
}

// term makes a term of an expanded IRI; v is the string that was expanded.
func (p *processor) term(c *activeContext, e expandedIRI, v strictjson.Value) (term, error) {
	const long = 512
	n := len(e.head) + len(e.tail)
	if e.relative {
		n += p.baseLength(c)
	}
	if n < long {
		return p.newTerm(c, e, v)
	}
	s, _ := v.Str()
	k := longIRI{c, s, e.vocab, e.relative}
	if t, ok := p.longs[k]; ok {
		return t, nil
	}
	t, err := p.newTerm(c, e, v)
	if err != nil {
		return t, err
	}
	if p.longs == nil {
		p.longs = map[longIRI]term{}
	}
	p.longs[k] = t
	return t, nil
}

// newTerm makes a term of an expanded IRI.
func (p *processor) newTerm(c *activeContext, e expandedIRI, v strictjson.Value) (term, error) {
	switch {
	case e.keyword != noKeyword, e.null:
		if !p.lossy {
			s, _ := v.Str()
			return term{}, refusal(CodeReservedTerm, p.doc, v, s, "expected an IRI or a blank node")
		}
		if p.odd == nil {
			p.odd = append(p.odd, "")
		}
		if e.null {
			return nullTerm, nil
		}
		s, _ := v.Str()
		p.buf = append(p.buf[:0], s...)
		t, err := p.oddTerm()
		return t, p.at(err, p.doc, v)
	}
	p.buf = p.appendIRI(p.buf[:0], c, e)
	if isBlank(e.head) {
		id, err := p.blank(p.buf[2:])
		return term{id: id}, p.at(err, p.doc, v)
	}
	id, err := p.iri()
	if err == nil {
		return term{id: id}, nil
	}
	te := termError(err)
	if te == nil {
		return term{}, p.at(err, p.doc, v)
	}
	if !p.lossy {
		code := CodeIllFormedIRI
		if te.Code == rdf.CodeRelativeIRI {
			code = CodeRelativeIRI
		}
		return term{}, refusal(code, p.doc, v, string(p.buf), te.Reason)
	}
	t, err := p.oddTerm()
	return t, p.at(err, p.doc, v)
}

// iri interns the IRI in buf. Besides what no syntax can write, a second "#" is
// refused: it is in no IRI (RFC 3987, section 2.2), and terms under a vocabulary
// that ends in "#" come to have one.
func (p *processor) iri() (rdf.ID, error) {
	if i := bytes.IndexByte(p.buf, '#'); i >= 0 && bytes.IndexByte(p.buf[i+1:], '#') >= 0 {
		return 0, errTwoFragments
	}
	return p.b.IRI(p.buf)
}

var errTwoFragments = &rdf.TermError{Code: rdf.CodeInvalidIRI, Reason: `an IRI cannot hold "#" twice`}

// blank returns the blank node with a label (section 7.4.2): the builder keeps
// the map from labels to nodes, apart from labels that it does not take.
func (p *processor) blank(label []byte) (rdf.ID, error) {
	id, err := p.b.Blank(label)
	if termError(err) == nil {
		return id, err
	}
	if id, ok := p.labels[string(label)]; ok {
		return id, nil
	}
	if id, err = p.b.FreshBlank(); err != nil {
		return 0, err
	}
	if p.labels == nil {
		p.labels = map[string]rdf.ID{}
	}
	p.labels[string(label)] = id
	return id, nil
}

// derive returns the active context that a derivation stands for, making it
// when it is not known. What is made of pinned contexts alone is made with a
// budget of its own and shared, so that it depends on the table alone.
func (p *processor) derive(d derivation, make func(*processor) (*activeContext, error)) (*activeContext, error) {
	if c := d.from.derived.get(d); c != nil {
		return c, nil
	}
	if c := p.derived[d]; c != nil {
		return c, nil
	}
	if d.from.derived != nil && (d.def == nil || d.def.org.pin != nil) {
		if d.def != nil {
			if err := p.spendContext(d.def.org, d.def.local); err != nil {
				return nil, err
			}
		}
		q := newTableProcessor(p.table, p.doc)
		c, err := make(q)
		if !q.baseUsed {
			if err != nil {
				return nil, err
			}
			return d.from.derived.put(d, c), nil
		}
	}
	c, err := make(p)
	if err != nil {
		return nil, err
	}
	if p.derived == nil {
		p.derived = map[derivation]*activeContext{}
	}
	p.derived[d] = c
	return c, nil
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
