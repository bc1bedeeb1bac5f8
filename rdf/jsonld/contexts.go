package jsonld

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
)

// Contexts is a table of pinned contexts: the only remote contexts there are.
// It is immutable and safe for concurrent use, and meant to be made once and
// shared: a context is processed when it is first used, and never again. Nil is
// an empty table.
type Contexts struct {
	pins    map[string]*pinned
	sources map[string][]byte
	derived derivations
}

// pinned is one context document of a table.
type pinned struct {
	org     origin
	context strictjson.Value // the value of its @context
	bytes   int
	inline  bool       // it is no document but a known inline context
	missing *reference // a remote context that it needs, directly or not, and that is not in the table

	once     sync.Once
	compiled *activeContext // over the initial context, in processing mode 1.1; nil when it depends on the document's base
	err      error
}

// NewContexts makes a table of context documents by their IRIs, which must be
// absolute. A document is JSON whose top level is an object with an "@context"
// member. It fails with a [*rdf.SyntaxError], a [*rdf.LimitError] or an [*Error]
// about the first document at fault, whose IRI is the file of their place.
//
// A document may refer to others of the table. One that refers to a context
// outside of it is kept, but cannot be used.
func NewContexts(documents map[string][]byte) (*Contexts, error) {
	return (*Contexts)(nil).With(documents)
}

// With returns a table that holds the documents besides those of c, in place of
// those with the same IRI. It fails as [NewContexts] does.
func (c *Contexts) With(documents map[string][]byte) (*Contexts, error) {
	out := &Contexts{pins: map[string]*pinned{}, sources: map[string][]byte{}}
	if c != nil {
		maps.Copy(out.sources, c.sources)
	}
	for iri, data := range documents {
		out.sources[iri] = slices.Clone(data)
	}
	for _, iri := range out.IRIs() {
		p, err := newPinned(iri, out.sources[iri])
		if err != nil {
			return nil, err
		}
		out.pins[iri] = p
	}
	out.findMissing()
	return out, nil
}

// IRIs returns the IRIs of the table, sorted.
func (c *Contexts) IRIs() []string {
	if c == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(c.sources))
}

// Document returns the bytes of a context document, nil when the table has none
// with that IRI.
func (c *Contexts) Document(iri string) []byte {
	if c == nil {
		return nil
	}
	return slices.Clone(c.sources[iri])
}

// shared returns what remembers derivations for documents that are read with c.
func (c *Contexts) shared() *derivations {
	if c == nil {
		c = emptyTable()
	}
	return &c.derived
}

// emptyTable stands for nil.
var emptyTable = sync.OnceValue(func() *Contexts { return new(Contexts) })

func (c *Contexts) pin(iri string) *pinned {
	if c == nil {
		return nil
	}
	return c.pins[iri]
}

// newPinned reads a context document.
func newPinned(iri string, data []byte) (*pinned, error) {
	base, err := rdf.ParseBase(iri)
	if err != nil {
		return nil, fmt.Errorf("the IRI of a pinned context, <%s>: %w", rdf.Abbreviate(iri), err)
	}
	l := Local()
	root, err := strictjson.Parse(data, strictjson.Limits{
		Bytes: l.ContextBytes, Depth: rdf.Local().Nesting, Values: l.Values, Members: l.Members,
	})
	if err != nil {
		return nil, jsonError(err, iri)
	}
	p := &pinned{org: origin{name: iri, base: base, root: root}, bytes: len(data)}
	p.org.pin = p
	if p.context = root.Get("@context"); !p.context.Exists() {
		return nil, refusal(CodeInvalidRemoteContext, &p.org, root, iri, "")
	}
	return p, nil
}

// findMissing notes for every context whether it needs one that is not in the
// table: because it refers to it, or to one that does.
func (c *Contexts) findMissing() {
	needed := map[*pinned][]*pinned{} // by what it refers to
	var found []*pinned
	for _, iri := range c.IRIs() {
		p := c.pins[iri]
		for _, ref := range references(p.context, &p.org) {
			target := c.pins[ref.iri]
			switch {
			case target != nil:
				needed[target] = append(needed[target], p)
			case p.missing == nil:
				p.missing = &ref
				found = append(found, p)
			}
		}
	}
	for len(found) > 0 {
		p := found[0]
		found = found[1:]
		for _, q := range needed[p] {
			if q.missing == nil {
				q.missing = p.missing
				found = append(found, q)
			}
		}
	}
}

// compile processes the context over the initial context, once. The budget is
// of its own, so that the result depends on the table alone. It returns nil
// without an error when the result would depend on the document, too.
func (p *pinned) compile(c *Contexts) (*activeContext, error) {
	p.once.Do(func() {
		q := newTableProcessor(c, &p.org)
		active, err := q.processContext(initialContext, p.context, contextCall{org: &p.org, remote: &remoteChain{pin: p, length: 1}})
		switch {
		case q.baseUsed:
		case err != nil:
			p.err = err
		default:
			p.compiled = c.derived.adopt(active)
		}
	})
	return p.compiled, p.err
}

// derivations remembers active contexts that were made of pinned and of known inline
// contexts alone, by what they were made of. A document chooses what to combine, so
// there are two generations of a bounded size: what is asked for moves to the younger,
// and when that is full the older is forgotten. A peer that fills them with what nobody
// else asks for takes the place of others only as long as it goes on.
type derivations struct {
	young, old atomic.Pointer[generation]
	mu         sync.Mutex // for whoever changes them
}

type generation struct {
	known sync.Map // of *activeContext by derivation
	n     int      // under mu
}

// maxGeneration is the number of derivations in a generation: the credentials of a
// large ecosystem need some dozens.
const maxGeneration = 128

// derivation says what an active context was made of.
type derivation struct {
	from *activeContext
	pin  *pinned     // a remote or known inline context that was processed over from,
	def  *definition // or the definition whose scoped context was
	kind scopeKind
}

// adopt returns a context that shares d with whatever is derived from it.
func (d *derivations) adopt(c *activeContext) *activeContext {
	if c.derived == d {
		return c
	}
	out := *c
	out.derived = d
	return &out
}

// get returns the context of a derivation, nil if it is not remembered.
func (d *derivations) get(k derivation) *activeContext {
	for _, g := range [...]*generation{d.young.Load(), d.old.Load()} {
		if g == nil {
			continue
		}
		if c, ok := g.known.Load(k); ok {
			if g != d.young.Load() {
				return d.put(k, c.(*activeContext))
			}
			return c.(*activeContext)
		}
	}
	return nil
}

// put remembers c and returns the context to use: what another goroutine remembered in
// the meantime, if any, or c. What is derived from it is treated the same in any case.
func (d *derivations) put(k derivation, c *activeContext) *activeContext {
	d.mu.Lock()
	defer d.mu.Unlock()
	g := d.young.Load()
	if g == nil || g.n >= maxGeneration {
		d.old.Store(g)
		g = new(generation)
		d.young.Store(g)
	}
	got, loaded := g.known.LoadOrStore(k, d.adopt(c))
	if !loaded {
		g.n++
	}
	return got.(*activeContext)
}

// jsonError turns an error of the JSON reader into that of a document.
func jsonError(err error, file string) error {
	var e *strictjson.Error
	if !errors.As(err, &e) {
		return err
	}
	place := rdf.Place{File: file, Line: e.Line, Column: e.Column}
	switch e.Limit {
	case "":
		return &rdf.SyntaxError{Code: rdf.Code(e.Code), Place: place, Expected: e.Text}
	case strictjson.LimitBytes:
		return &rdf.LimitError{Limit: rdf.LimitBytes, Max: e.Max, Place: rdf.Place{File: file}}
	case strictjson.LimitDepth:
		return &rdf.LimitError{Limit: rdf.LimitNesting, Max: e.Max, Place: place}
	case strictjson.LimitValues:
		return &rdf.LimitError{Limit: LimitValues, Max: e.Max, Place: place}
	default:
		return &rdf.LimitError{Limit: LimitMembers, Max: e.Max, Place: place}
	}
}
