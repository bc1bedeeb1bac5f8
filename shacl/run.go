package shacl

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rdfproto/rdfproto/internal/xpattern"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/xsd"
)

// budget is what all goroutines of one validation spend from together. What is
// spent depends on the shapes and the data alone, not on the order in which they are
// written (see oneBlock for the exception), so that a validation exceeds its budget
// always or never.
type budget struct {
	ctx    context.Context
	most   int64
	used   atomic.Int64
	closed []atomic.Bool // by closedCheck.slot: whether its predicates were paid for
}

func (b *budget) begin(ctx context.Context, most, closed int) {
	b.ctx, b.most = ctx, int64(most)
	b.used.Store(0)
	if len(b.closed) < closed || len(b.closed) > keepClosed {
		b.closed = make([]atomic.Bool, closed)
		return
	}
	for i := range closed {
		b.closed[i].Store(false)
	}
}

// slice is how many checks a goroutine makes before it looks at the budget and
// at the context: often enough to stop within a millisecond.
const slice = 4096

// run is what one goroutine needs to run a program on data. Runs are pooled, those
// of all programs together: a program that is used once then needs none of its own.
type run struct {
	p *Program
	g rdf.Graph
	d *rdf.Dataset

	// Terms of the program are bound to the data's IDs when they are first
	// needed; 0 is not bound yet. Terms that are not in the data have IDs of
	// their own after those of the data: first the constants, then the nodes
	// that the caller named.
	bound []rdf.ID
	base  rdf.ID
	extra []rdf.Term

	closed   [][]rdf.ID // by closedCheck.slot: the allowed predicates, sorted; made when needed
	closures *closures  // shared by the goroutines of a validation
	small    bool       // the data is so small that looking through it beats an index

	own    budget  // of a validation that this run leads
	budget *budget // what it spends from
	left   int     // of the current slice, negative when more was spent
	given  int     // the current slice
	err    error

	ids      []rdf.ID // a stack: sets of nodes that are in use
	memo     memo
	matcher  xpattern.Matcher
	sets     []*idSet // free ones
	datatype struct { // the last one that was looked up
		id rdf.ID // 0: none
		dt xsd.Datatype
	}

	placed struct { // the last focus node whose place was looked for
		node rdf.ID
		at   rdf.Place
	}

	places map[rdf.ID]rdf.Place // those that took long to find; made when needed

	sink       *sink // where violations go; nil: only the verdict matters
	details    int   // how many details the current result may still have
	explaining bool  // whether details are being found
	unspent    int   // what the details of the current result may still cost, beside left
	warnings   []Warning

	jobs   []job
	blocks []block
}

// few is the number of triples up to which a scan is faster than making and searching
// an index.
const few = 32

// runs keeps the memory of finished runs for the next ones. What they held is never
// read again, see end.
var runs = sync.Pool{New: func() any { return new(run) }}

// keepClosed is how many closed shapes a run in the pool remembers room for, and how
// many predicates of each.
const keepClosed = 256

// keepInstructions is how large a pattern is for which a run in the pool remembers room.
const keepInstructions = 1 << 10

// begin takes a run from the pool and prepares it for a program and data. The caller
// sets its budget, and puts it back after end.
func (p *Program) begin(g rdf.Graph) *run {
	r := runs.Get().(*run)
	r.p, r.g, r.d = p, g, g.Dataset()
	r.bound = slices.Grow(r.bound[:0], len(p.consts))[:len(p.consts)]
	clear(r.bound)
	for len(r.closed) < p.closed {
		r.closed = append(r.closed, nil)
	}
	r.base = rdf.ID(r.d.NumTerms()) + 1
	r.small = g.Len() <= few
	return r
}

// end accounts for what was spent, forgets the program and the data and returns what
// the run failed with.
func (r *run) end() error {
	r.account()
	err := r.err
	const keep = 1 << 16 // what one large run needed is not kept for small ones
	if cap(r.ids) > keep {
		r.ids = nil
	}
	if cap(r.bound) > keep {
		r.bound = nil
	}
	r.matcher.Forget(keepInstructions)
	r.memo.forget()
	if len(r.closed) > keepClosed {
		r.closed = nil
	}
	for i := range r.closed {
		if r.closed[i] = r.closed[i][:0]; cap(r.closed[i]) > keepClosed {
			r.closed[i] = nil
		}
	}
	clear(r.blocks)
	clear(r.jobs[:cap(r.jobs)])
	r.p, r.g, r.d, r.closures, r.budget, r.own.ctx = nil, rdf.Graph{}, nil, nil, nil, nil
	r.ids, r.jobs, r.extra, r.warnings, r.places = r.ids[:0], r.jobs[:0], nil, nil, nil
	r.err, r.datatype.id, r.placed.node = nil, 0, 0
	return err
}

// spend takes n checks from the budget. After it returned false, the run has
// failed, and every verdict that it returns means nothing.
func (r *run) spend(n int) bool {
	r.left -= n
	return r.left >= 0 || r.refill()
}

func (r *run) refill() bool {
	if r.explaining {
		return r.refillDetails()
	}
	if !r.account() {
		return false
	}
	if err := r.budget.ctx.Err(); err != nil {
		r.err = err
		return false
	}
	r.left, r.given = slice, slice
	return true
}

// refillDetails gives the search for details its next slice, as long as there is one.
func (r *run) refillDetails() bool {
	if err := r.budget.ctx.Err(); err != nil {
		r.err = err
		return false
	}
	r.unspent += r.left // which is negative: what was spent beyond the slice
	r.left = min(slice, r.unspent)
	if r.left <= 0 {
		r.left, r.err = 0, errUnexplained
		return false
	}
	r.unspent -= r.left
	return true
}

// errUnexplained ends the search for details.
var errUnexplained = errors.New("shacl: too many checks for the details of a result")

// account adds what was spent of the slice to the common count, and fails the
// run when the budget is exceeded.
func (r *run) account() bool {
	used := r.budget.used.Add(int64(r.given - r.left))
	r.left, r.given = 0, 0
	if used > r.budget.most && r.err == nil {
		r.err = &LimitError{Limit: LimitChecks, Max: r.budget.most}
	}
	return r.err == nil
}

// id returns the ID of a term of the program in this run.
func (r *run) id(c constID) rdf.ID {
	if id := r.bound[c]; id != 0 {
		return id
	}
	return r.bind(c)
}

func (r *run) bind(c constID) rdf.ID {
	t := r.p.consts[c]
	var id rdf.ID
	if t.Kind() != rdf.KindBlank || r.d == r.p.source { // a label means nothing in another document
		id = r.d.Lookup(t)
	}
	if id == 0 {
		id = r.base + rdf.ID(c)
	}
	r.bound[c] = id
	return id
}

// isData reports whether an ID is one of the data.
func (r *run) isData(id rdf.ID) bool { return id < r.base }

// term returns the term that an ID names in this run.
func (r *run) term(id rdf.ID) rdf.Term {
	switch {
	case id < r.base:
		return r.d.Term(id)
	case int(id-r.base) < len(r.p.consts):
		return r.p.consts[id-r.base]
	}
	return r.extra[int(id-r.base)-len(r.p.consts)]
}

// node returns the ID of any term in this run.
func (r *run) node(t rdf.Term) rdf.ID {
	if id := r.d.Lookup(t); id != 0 {
		return id
	}
	if c, ok := r.p.constantOf(t); ok && t.Kind() != rdf.KindBlank {
		return r.id(c)
	}
	i := slices.Index(r.extra, t)
	if i < 0 {
		i = len(r.extra)
		r.extra = append(r.extra, t)
	}
	return r.base + rdf.ID(len(r.p.consts)+i)
}

func (r *run) kind(id rdf.ID) rdf.Kind {
	if id < r.base {
		return r.d.Kind(id)
	}
	return r.term(id).Kind()
}

// text returns the string form of a node (STR of SPARQL): the IRI or the lexical
// form.
func (r *run) text(id rdf.ID) string {
	if id < r.base {
		return r.d.Value(id)
	}
	return r.term(id).Value()
}

func (r *run) lang(id rdf.ID) string {
	if id < r.base {
		return r.d.Lang(id)
	}
	return r.term(id).Lang()
}

// typed returns the XSD datatype of a literal, Unknown for another datatype or
// node.
func (r *run) typed(id rdf.ID) xsd.Datatype {
	if id >= r.base {
		dt, _ := xsd.Lookup(r.term(id).Datatype())
		return dt
	}
	dt := r.d.Datatype(id)
	if dt == 0 {
		return xsd.Unknown
	}
	if dt != r.datatype.id {
		r.datatype.id = dt
		r.datatype.dt, _ = xsd.Lookup(r.d.Value(dt))
	}
	return r.datatype.dt
}

// hasDatatype reports whether a node is a literal of a datatype.
func (r *run) hasDatatype(id rdf.ID, c constID) bool {
	if id < r.base {
		dt := r.d.Datatype(id)
		return dt != 0 && dt == r.id(c)
	}
	t := r.term(id)
	return t.Kind() == rdf.KindLiteral && t.Datatype() == r.p.consts[c].Value()
}

// bytesOfCheck is how many bytes are read for one check.
const bytesOfCheck = 64

// spendText takes what reading every byte of a long text costs. Reading a short one
// is part of the check.
func (r *run) spendText(text string) bool {
	return len(text) < bytesOfCheck || r.spend(len(text)/bytesOfCheck)
}

// sameTerm reports whether two nodes are the same term, language tags compared
// without regard to case. It takes what comparing long texts costs.
func (r *run) sameTerm(a, b rdf.ID) bool {
	if a == b {
		return true
	}
	la := r.lang(a)
	if la == "" || !foldEqual(la, r.lang(b)) {
		return false
	}
	x, y := r.text(a), r.text(b)
	return len(x) == len(y) && r.spendText(x) && x == y
}

// contains reports whether a sorted set holds a term.
func (r *run) contains(set []rdf.ID, id rdf.ID) bool {
	if len(set) > 16 {
		if _, ok := slices.BinarySearch(set, id); ok {
			return true
		}
	} else if slices.Contains(set, id) {
		return true
	}
	lang := r.lang(id)
	if lang == "" || !r.spend(len(set)*(1+len(lang)/64)) {
		return false
	}
	found := false
	for _, other := range set { // all of them, in whichever order they are
		if r.sameTerm(other, id) {
			found = true
		}
	}
	return found
}

// foldEqual compares two language tags, which are ASCII.
func foldEqual(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

// foldCompare orders two language tags without regard to case. Those of thousands of
// messages can be one long tag.
func foldCompare(a, b string) int {
	if a == b {
		return 0
	}
	for i := range min(len(a), len(b)) {
		if c := cmp.Compare(lower(a[i]), lower(b[i])); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// memo remembers whether nodes conform to shapes. Forgetting costs nothing:
// entries carry the number of the epoch that they are from.
type memo struct {
	slots []memoSlot
	used  int
	epoch uint32
}

type memoSlot struct {
	key      uint64 // shape and node
	epoch    uint32
	conforms bool
}

func memoKey(s *shape, node rdf.ID) uint64 { return uint64(s.index)<<32 | uint64(node) }

func mix(key uint64) uint64 {
	key *= 0x9E3779B97F4A7C15
	return key ^ key>>29
}

func (m *memo) get(key uint64) (conforms, ok bool) {
	if m.used == 0 {
		return false, false
	}
	mask := uint64(len(m.slots) - 1)
	for i := mix(key) & mask; ; i = (i + 1) & mask {
		switch e := &m.slots[i]; {
		case e.epoch != m.epoch:
			return false, false
		case e.key == key:
			return e.conforms, true
		}
	}
}

func (m *memo) put(key uint64, conforms bool) {
	if 2*(m.used+1) > len(m.slots) {
		m.grow()
	}
	mask := uint64(len(m.slots) - 1)
	i := mix(key) & mask
	for m.slots[i].epoch == m.epoch {
		if m.slots[i].key == key {
			return
		}
		i = (i + 1) & mask
	}
	m.slots[i] = memoSlot{key, m.epoch, conforms}
	m.used++
}

func (m *memo) grow() {
	old, epoch := m.slots, m.epoch
	m.slots, m.epoch, m.used = make([]memoSlot, max(64, 2*len(old))), 1, 0
	for _, e := range old {
		if e.epoch == epoch {
			m.put(e.key, e.conforms)
		}
	}
}

// forget drops everything. A table that one large run made is not kept.
func (m *memo) forget() {
	const keep = 1 << 14
	if len(m.slots) > keep {
		*m = memo{}
		return
	}
	m.used = 0
	if m.epoch++; m.epoch == 0 {
		clear(m.slots)
		m.epoch = 1
	}
}

// idSet is a set of nodes that costs nothing to empty, as memo.
type idSet struct {
	slots []idSlot
	used  int
	epoch uint32
}

type idSlot struct {
	id    rdf.ID
	epoch uint32
}

// add adds a node and reports whether it was new.
func (s *idSet) add(id rdf.ID) bool {
	if 2*(s.used+1) > len(s.slots) {
		old, epoch := s.slots, s.epoch
		s.slots, s.epoch, s.used = make([]idSlot, max(16, 2*len(old))), 1, 0
		for _, e := range old {
			if e.epoch == epoch {
				s.add(e.id)
			}
		}
	}
	mask := uint32(len(s.slots) - 1)
	i := uint32(mix(uint64(id))) & mask
	for s.slots[i].epoch == s.epoch {
		if s.slots[i].id == id {
			return false
		}
		i = (i + 1) & mask
	}
	s.slots[i] = idSlot{id, s.epoch}
	s.used++
	return true
}

// takeSet returns an empty set, to be given back with freeSet.
func (r *run) takeSet() *idSet {
	if n := len(r.sets); n > 0 {
		s := r.sets[n-1]
		r.sets = r.sets[:n-1]
		return s
	}
	return &idSet{epoch: 1}
}

func (r *run) freeSet(s *idSet) {
	const keep = 1 << 14
	if len(s.slots) > keep {
		return
	}
	s.used = 0
	if s.epoch++; s.epoch == 0 {
		clear(s.slots)
		s.epoch = 1
	}
	r.sets = append(r.sets, s)
}
