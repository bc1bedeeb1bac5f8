package rdf

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Dataset is an immutable RDF dataset (RDF 1.1 Concepts, section 4): a default
// graph and named graphs, without duplicates, every term interned. It is safe
// for concurrent use. Its zero value and nil are not datasets; an empty one
// comes from an empty [Builder].
//
// Strings that it returns share its memory: keeping one keeps the dataset.
type Dataset struct {
	dict
	quads  []Quad // sorted by G, S, P, O
	places []quadPlace
	files  []string
	graphs []graphIndex // the default graph first, then the named ones by ID
	byName []ID         // the graph names, parallel to graphs[1:]
}

func newDataset(b *Builder) *Dataset {
	d := &Dataset{dict: b.dict, quads: b.quads, places: b.places, files: b.files}
	d.nameAnonymous()
	if d.places != nil {
		d.sortWithPlaces()
	} else {
		d.quads = sortQuads(d.quads, len(d.recs))
	}
	d.splitGraphs()
	return d
}

// Len returns the number of quads.
func (d *Dataset) Len() int { return len(d.quads) }

// Quad returns the i-th quad, 0 ≤ i < Len. Quads are sorted by graph, subject,
// predicate and object ID, the default graph first.
func (d *Dataset) Quad(i int) Quad { return d.quads[i] }

// Quads returns all quads in order.
func (d *Dataset) Quads() iter.Seq[Quad] { return slices.Values(d.quads) }

// NumTerms returns the number of terms; their IDs are 1 to NumTerms. Some may
// stand in no quad (a datatype, a prefix that was written out).
func (d *Dataset) NumTerms() int { return len(d.recs) }

// Kind returns the kind of a term, KindNone for 0.
func (d *Dataset) Kind(id ID) Kind {
	if id == 0 {
		return KindNone
	}
	switch k := d.kinds[id-1]; k {
	case kindLangLiteral:
		return KindLiteral
	case kindAnon:
		return KindBlank
	default:
		return k
	}
}

// Value returns the IRI, the blank node label without "_:", or the lexical form
// of a term, and "" for 0.
func (d *Dataset) Value(id ID) string {
	if id == 0 {
		return ""
	}
	return d.value(id)
}

// Datatype returns the ID of a literal's datatype IRI, and 0 for other terms.
func (d *Dataset) Datatype(id ID) ID {
	if id == 0 {
		return 0
	}
	switch r := &d.recs[id-1]; d.kinds[id-1] {
	case KindLiteral:
		return ID(r.aux)
	case kindLangLiteral:
		return d.langString
	}
	return 0
}

// Lang returns the language tag of a language-tagged string as written, and ""
// for other terms.
func (d *Dataset) Lang(id ID) string {
	if id == 0 {
		return ""
	}
	if d.kinds[id-1] == kindLangLiteral {
		return d.langs[d.recs[id-1].aux]
	}
	return ""
}

// Term returns the term that id names, the zero Term for 0.
func (d *Dataset) Term(id ID) Term {
	t := Term{kind: d.Kind(id), value: d.Value(id)}
	if t.kind == KindLiteral {
		t.datatype = d.Value(d.Datatype(id))
		t.lang = d.Lang(id)
	}
	return t
}

// AppendTerm appends a term in canonical N-Triples syntax to dst, as
// [Term.Append] does.
func (d *Dataset) AppendTerm(dst []byte, id ID) []byte {
	if id == 0 {
		return dst
	}
	switch r := &d.recs[id-1]; d.kinds[id-1] {
	case KindIRI:
		return appendIRI(dst, d.value(id))
	case KindBlank:
		return append(append(dst, "_:"...), d.value(id)...)
	case kindAnon:
		dst = append(append(dst, "_:"...), d.anonPrefix...)
		return strconv.AppendUint(dst, uint64(r.aux), 10)
	case KindLiteral:
		dst = appendQuoted(dst, d.value(id))
		if ID(r.aux) != d.xsdString && d.value(ID(r.aux)) != XSDString {
			dst = appendIRI(append(dst, "^^"...), d.value(ID(r.aux)))
		}
		return dst
	default:
		dst = appendQuoted(dst, d.value(id))
		return append(append(dst, '@'), d.langs[r.aux]...)
	}
}

// Lookup returns the ID of a term, 0 if it stands nowhere in the dataset. A
// blank node is looked up by its label as [Dataset.Term] gives it.
func (d *Dataset) Lookup(t Term) ID {
	switch t.kind {
	case KindIRI:
		return d.LookupIRI(t.value)
	case KindBlank:
		if id := d.find(hash(KindBlank, 0, t.value), KindBlank, 0, t.value); id != 0 {
			return id
		}
		if n, err := strconv.Atoi(strings.TrimPrefix(t.value, d.anonPrefix)); err == nil && n >= 0 && n < len(d.anon) && d.value(d.anon[n]) == t.value {
			return d.anon[n]
		}
	case KindLiteral:
		if t.lang != "" {
			if n, ok := d.findLang(t.lang); ok {
				return d.find(hash(kindLangLiteral, n, t.value), kindLangLiteral, n, t.value)
			}
			return 0
		}
		if dt := d.LookupIRI(t.datatype); dt != 0 {
			return d.find(hash(KindLiteral, uint32(dt), t.value), KindLiteral, uint32(dt), t.value)
		}
	}
	return 0
}

// LookupIRI returns the ID of an IRI, 0 if it stands nowhere in the dataset.
func (d *Dataset) LookupIRI(iri string) ID { return d.find(hash(KindIRI, 0, iri), KindIRI, 0, iri) }

// GraphNames returns the names of the named graphs that hold a quad, in the
// order of their IDs.
func (d *Dataset) GraphNames() []ID { return slices.Clone(d.byName) }

// Default returns the default graph.
func (d *Dataset) Default() Graph { return Graph{d, &d.graphs[0]} }

// Graph returns the graph with a name, empty if no quad is in it; 0 names the
// default graph.
func (d *Dataset) Graph(name ID) Graph {
	if name == 0 {
		return d.Default()
	}
	if i, ok := slices.BinarySearch(d.byName, name); ok {
		return Graph{d, &d.graphs[i+1]}
	}
	return Graph{d, &emptyGraph}
}

// HasPlaces reports whether the places of quads were kept.
func (d *Dataset) HasPlaces() bool { return d.places != nil }

// SubjectPlace returns where the subject of the i-th quad stands, as far as it
// was kept.
func (d *Dataset) SubjectPlace(i int) Place {
	if d.places == nil {
		return Place{}
	}
	return d.place(d.places[i].subject, d.places[i].file)
}

// ObjectPlace returns where the object of the i-th quad stands, as far as it
// was kept.
func (d *Dataset) ObjectPlace(i int) Place {
	if d.places == nil {
		return Place{}
	}
	return d.place(d.places[i].object, d.places[i].file)
}

func (d *Dataset) place(p Pos, file uint32) Place {
	if p.Line == 0 {
		return Place{}
	}
	pl := Place{Line: int(p.Line), Column: int(p.Column)}
	if int(file) < len(d.files) {
		pl.File = d.files[file]
	}
	return pl
}

// sortWithPlaces sorts quads and places together; of equal quads the first of
// the input stays.
func (d *Dataset) sortWithPlaces() {
	for len(d.places) < len(d.quads) {
		d.places = append(d.places, quadPlace{})
	}
	order := make([]uint32, len(d.quads))
	for i := range order {
		order[i] = uint32(i)
	}
	by := func(a, b uint32) int { return cmp.Or(compareQuads(d.quads[a], d.quads[b]), cmp.Compare(a, b)) }
	switch named, ordered := surveyQuads(d.quads); {
	case !ordered && (len(order) < few || len(order) < len(d.recs)/8):
		slices.SortFunc(order, by)
	case !ordered:
		order = countOrder(order, d.quads, subject, len(d.recs))
		if named {
			order = countOrder(order, d.quads, graphName, len(d.recs))
		}
		fallthrough
	default:
		for i := 0; i < len(order); {
			j, sorted := i+1, true
			for ; j < len(order) && sameSubject(d.quads[order[j]], d.quads[order[i]]); j++ {
				sorted = sorted && key(d.quads[order[j-1]]) <= key(d.quads[order[j]])
			}
			if !sorted {
				slices.SortFunc(order[i:j], by)
			}
			i = j
		}
	}
	quads, places := make([]Quad, 0, len(order)), make([]quadPlace, 0, len(order))
	for _, i := range order {
		if q := d.quads[i]; len(quads) == 0 || quads[len(quads)-1] != q {
			quads = append(quads, q)
			places = append(places, d.places[i])
		}
	}
	d.quads, d.places = quads, places
}

func compareQuads(a, b Quad) int {
	switch {
	case lessQuad(&a, &b):
		return -1
	case a == b:
		return 0
	}
	return 1
}

// few is a number of quads below which counting over all terms costs more than
// it saves.
const few = 64

// sortQuads sorts quads by G, S, P, O in place or into new memory and drops
// duplicates. Most documents come nearly in this order, and inserting is enough.
// For others graphs and subjects are placed by counting, since IDs are dense,
// and what one subject has is sorted by comparison.
func sortQuads(q []Quad, terms int) []Quad {
	if insertQuads(q) {
		return slices.Compact(q)
	}
	if len(q) < few || len(q) < terms/8 {
		slices.SortFunc(q, compareQuads)
		return slices.Compact(q)
	}
	named, ordered := surveyQuads(q)
	if !ordered {
		q = countBy(q, subject, terms)
		if named {
			q = countBy(q, graphName, terms)
		}
	}
	for i := 0; i < len(q); {
		j := i + 1
		for j < len(q) && sameSubject(q[j], q[i]) {
			j++
		}
		sortRun(q[i:j])
		i = j
	}
	return slices.Compact(q)
}

// insertQuads sorts quads in place by insertion. It gives up, with the quads in
// another order, when they must be moved more than a few places on average: for
// nested nodes, whose triples stand between those of the node around them, this
// is enough.
func insertQuads(q []Quad) bool {
	moves := 4*len(q) + 4*few
	for i := 1; i < len(q); i++ {
		t := q[i]
		j := i
		for j > 0 && lessQuad(&t, &q[j-1]) {
			q[j] = q[j-1]
			j--
		}
		q[j] = t
		if moves += 4 - (i - j); moves < 0 {
			return false
		}
	}
	return true
}

func lessQuad(a, b *Quad) bool {
	x, y := uint64(a.G)<<32|uint64(a.S), uint64(b.G)<<32|uint64(b.S)
	return x < y || x == y && key(*a) < key(*b)
}

// surveyQuads reports whether some quads are in a named graph and whether all
// are in the order of their graphs and subjects.
func surveyQuads(q []Quad) (named, ordered bool) {
	ordered = true
	for i := range q {
		named = named || q[i].G != 0
		ordered = ordered && (i == 0 || q[i-1].G < q[i].G || q[i-1].G == q[i].G && q[i-1].S <= q[i].S)
	}
	return named, ordered
}

func sameSubject(a, b Quad) bool { return a.S == b.S && a.G == b.G }

// position is a position of a quad to sort by.
type position uint8

const (
	subject position = iota
	predicate
	object
	graphName
)

func (p position) of(q *Quad) ID {
	switch p {
	case subject:
		return q.S
	case predicate:
		return q.P
	case object:
		return q.O
	}
	return q.G
}

// countBy returns a copy of the quads stably sorted by one position.
func countBy(q []Quad, by position, terms int) []Quad {
	at := make([]uint32, terms+2)
	for i := range q {
		at[by.of(&q[i])+1]++
	}
	for i := 1; i < len(at); i++ {
		at[i] += at[i-1]
	}
	out := make([]Quad, len(q))
	for i := range q {
		id := by.of(&q[i])
		out[at[id]] = q[i]
		at[id]++
	}
	return out
}

// countOrder returns a copy of order, indexes of quads, stably sorted by one
// position of those.
func countOrder(order []uint32, q []Quad, by position, terms int) []uint32 {
	at := make([]uint32, terms+2)
	for i := range q {
		at[by.of(&q[i])+1]++
	}
	for i := 1; i < len(at); i++ {
		at[i] += at[i-1]
	}
	out := make([]uint32, len(order))
	for _, i := range order {
		id := by.of(&q[i])
		out[at[id]] = i
		at[id]++
	}
	return out
}

// sortRun sorts quads of one graph and subject by P and O.
func sortRun(q []Quad) {
	if len(q) > 16 {
		slices.SortFunc(q, func(a, b Quad) int { return cmp.Compare(key(a), key(b)) })
		return
	}
	for i := 1; i < len(q); i++ {
		for j := i; j > 0 && key(q[j]) < key(q[j-1]); j-- {
			q[j], q[j-1] = q[j-1], q[j]
		}
	}
}

func key(q Quad) uint64 { return uint64(q.P)<<32 | uint64(q.O) }

// splitGraphs finds the graphs in the sorted quads.
func (d *Dataset) splitGraphs() {
	end := 0
	for end < len(d.quads) && d.quads[end].G == 0 {
		end++
	}
	n := 1
	for i := end; i < len(d.quads); i++ {
		if i == end || d.quads[i].G != d.quads[i-1].G {
			n++
		}
	}
	d.graphs = make([]graphIndex, n)
	d.graphs[0].init(d.quads[:end], 0, len(d.recs))
	for i, n := end, 1; i < len(d.quads); n++ {
		j := i + 1
		for j < len(d.quads) && d.quads[j].G == d.quads[i].G {
			j++
		}
		d.byName = append(d.byName, d.quads[i].G)
		d.graphs[n].init(d.quads[i:j], i, len(d.recs))
		i = j
	}
}

var emptyGraph graphIndex

// graphIndex holds one graph's triples in the orders that look-ups need.
type graphIndex struct {
	spo   []Quad
	first int      // index of spo[0] in Dataset.quads
	bySub []uint32 // where each subject's triples begin in spo; nil: search
	terms int

	once struct{ objects, predicates sync.Once }
	ops  []Quad // sorted by O, P, S; made when first asked for
	pso  []Quad // sorted by P, S, O; likewise
}

func (x *graphIndex) init(spo []Quad, first, terms int) {
	x.spo, x.first, x.terms = spo, first, terms
	if len(spo) < terms/8 || len(spo) < 16 {
		return // a table over all terms would be larger than what it serves
	}
	x.bySub = make([]uint32, terms+2)
	next := 0
	for i := range spo {
		for s := int(spo[i].S); next <= s; next++ {
			x.bySub[next] = uint32(i)
		}
	}
	for ; next < len(x.bySub); next++ {
		x.bySub[next] = uint32(len(spo))
	}
}

func (x *graphIndex) byObject() []Quad {
	x.once.objects.Do(func() {
		x.ops = sortedBy(x.spo, object, x.terms)
		for i := 0; i < len(x.ops); {
			j, ordered := i+1, true
			for ; j < len(x.ops) && x.ops[j].O == x.ops[i].O; j++ {
				ordered = ordered && x.ops[j-1].P <= x.ops[j].P
			}
			if !ordered {
				slices.SortStableFunc(x.ops[i:j], func(a, b Quad) int { return cmp.Compare(a.P, b.P) })
			}
			i = j
		}
	})
	return x.ops
}

func (x *graphIndex) byPredicate() []Quad {
	x.once.predicates.Do(func() { x.pso = sortedBy(x.spo, predicate, x.terms) })
	return x.pso
}

// sortedBy returns a copy of q stably sorted by one position. Counting pays
// where the quads are not few beside the terms.
func sortedBy(q []Quad, by position, terms int) []Quad {
	if len(q) >= 64 && len(q) >= terms/8 {
		return countBy(q, by, terms)
	}
	out := slices.Clone(q)
	slices.SortStableFunc(out, func(a, b Quad) int { return cmp.Compare(by.of(&a), by.of(&b)) })
	return out
}
