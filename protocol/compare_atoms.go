package protocol

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/rdf/xsd"
	"github.com/rdfproto/rdfproto/shacl"
)

// maxWork is how many members of lists and constraints a document may have to be
// compared, where a shared list counts once for each constraint that has it, and shapes
// within sh:or and sh:not again: more than a document that passes review may have. Paths
// count one for every bytesOfWork bytes of their texts, and every longText bytes of what is
// long count one more each time: a literal of a shared list is written out for each
// constraint that has the list.
const (
	maxWork     = 200_000
	bytesOfWork = 16
	longText    = 256
)

// side is one of two documents, taken apart.
type side struct {
	doc        *Document
	byTerm     map[rdf.Term]*shacl.Shape
	signatures map[rdf.Term]string
	paths      map[shacl.Path]string // see pathKey
	keys       map[*shacl.Constraint]string
	siblings   map[*rdf.Term]string // see siblingsKey
	work       int                  // members of lists looked at
	disjoint   bool                 // a qualified shape leaves out what its siblings count
}

func newSide(d *Document) *side {
	s := &side{doc: d, byTerm: map[rdf.Term]*shacl.Shape{}, signatures: map[rdf.Term]string{}, paths: map[shacl.Path]string{}, keys: map[*shacl.Constraint]string{}, siblings: map[*rdf.Term]string{}}
	shapes := d.program.Shapes()
	for i := range shapes {
		s.byTerm[shapes[i].Term] = &shapes[i]
		s.disjoint = s.disjoint || slices.ContainsFunc(shapes[i].Constraints, func(c shacl.Constraint) bool { return c.Disjoint })
	}
	return s
}

// atom is one constraint at one place.
type atom struct {
	path      []shacl.Path
	parameter string
	value     rdf.Term
	flags     string // of sh:pattern, see flagsOf
	list      []rdf.Term
	shapes    []rdf.Term
	counted   string // what a qualified shape counts
	key       string // equal for atoms that demand the same
}

// atoms is what a shape demands, by place and parameter.
type atoms struct {
	order []string
	by    map[string][]atom
	seen  map[[2]string]bool // place and key
}

// gather takes a shape apart. Shapes that must hold for the same node are looked
// through: sh:node, sh:property and sh:and.
func (s *side) gather(shape rdf.Term, path []shacl.Path) *atoms {
	all := &atoms{by: map[string][]atom{}, seen: map[[2]string]bool{}}
	s.collect(all, shape, path)
	return all
}

// exceeded reports whether there was too much to compare. The results then mean
// nothing.
func (s *side) exceeded() bool { return s.work > maxWork }

// collect calls itself as deep as shapes are nested, which Compile bounds.
func (s *side) collect(all *atoms, name rdf.Term, path []shacl.Path) {
	shape := s.byTerm[name]
	if s.work++; s.exceeded() || shape == nil || shape.Deactivated {
		return
	}
	if !shape.Path.IsZero() {
		path = append(slices.Clip(path), shape.Path)
	}
	for i := range shape.Constraints {
		c := &shape.Constraints[i]
		switch c.Parameter {
		case vocab.SHNode, vocab.SHProperty, vocab.SHAnd:
			for _, member := range c.Shapes {
				s.collect(all, member, path)
			}
			continue
		}
		if s.work++; s.exceeded() {
			return
		}
		a := s.atom(shape, c, path)
		place := s.place(shape, c, path)
		if s.work += len(place) / longText; s.exceeded() {
			return
		}
		if all.by[place] == nil {
			all.order = append(all.order, place)
		}
		if id := [2]string{place, a.key}; !all.seen[id] {
			all.seen[id] = true
			all.by[place] = append(all.by[place], a)
		}
	}
}

// pathKey returns what is equal for equal paths: a path of a few triples can be a text
// of hundreds of kilobytes, which is made once.
func (s *side) pathKey(p shacl.Path) string {
	key, ok := s.paths[p]
	if ok || s.exceeded() {
		return key
	}
	key = p.String()
	s.work += len(key) / bytesOfWork
	key = shortKey(key)
	s.paths[p] = key
	return key
}

// shortKey returns what is equal for equal keys, and not long: many atoms may have one.
func shortKey(key string) string {
	if len(key) > 1024 {
		return canon.Sum([]byte(key)).String()
	}
	return key
}

// place names where and by what something is constrained. Bounds of one direction
// share a name. The set of all values is another thing than each value: sh:hasValue
// of a property shape asks for one of them, of a node shape for each.
func (s *side) place(shape *shacl.Shape, c *shacl.Constraint, path []shacl.Path) string {
	var b strings.Builder
	for _, p := range path {
		b.WriteString(s.pathKey(p))
		b.WriteByte('\n')
	}
	switch c.Parameter {
	case vocab.SHMinExclusive, vocab.SHMinInclusive:
		b.WriteString(vocab.SHMinInclusive)
	case vocab.SHMaxExclusive, vocab.SHMaxInclusive:
		b.WriteString(vocab.SHMaxInclusive)
	case vocab.SHHasValue, vocab.SHEquals, vocab.SHDisjoint:
		b.WriteString(c.Parameter)
		if !shape.Path.IsZero() {
			b.WriteString(" of all")
		}
	default:
		b.WriteString(c.Parameter)
	}
	return b.String()
}

func (s *side) atom(shape *shacl.Shape, c *shacl.Constraint, path []shacl.Path) atom {
	a := atom{path: path, parameter: c.Parameter, value: c.Value, flags: flagsOf(c.Flags), list: s.list(shape, c), shapes: c.Shapes}
	if c.Parameter == vocab.SHQualifiedMinCount || c.Parameter == vocab.SHQualifiedMaxCount {
		s.work += len(c.Shapes)
		a.counted = s.signaturesOf(c.Shapes, false)
	}
	a.key = s.constraintKey(shape, c)
	return a
}

// list returns the members of a list, and the predicates that a closed shape
// allows.
func (s *side) list(shape *shacl.Shape, c *shacl.Constraint) []rdf.Term {
	all := c.List
	if c.Parameter == vocab.SHClosed {
		all = slices.Clone(all)
		for i := range shape.Constraints {
			if p := &shape.Constraints[i]; p.Parameter == vocab.SHProperty && len(p.Shapes) == 1 && s.byTerm[p.Shapes[0]] != nil {
				if predicate, ok := s.byTerm[p.Shapes[0]].Path.Predicate(); ok {
					all = append(all, predicate)
				}
			}
		}
	}
	return all
}

// constraintKey is equal for constraints that demand the same. It is made once, and
// counted each time: what differs is looked at in each place.
func (s *side) constraintKey(shape *shacl.Shape, c *shacl.Constraint) string {
	if s.work += len(c.Shapes) + (len(c.Value.Value())+len(c.Flags))/longText; s.exceeded() {
		return ""
	}
	var list []rdf.Term
	switch c.Parameter {
	case vocab.SHIn, vocab.SHLanguageIn, vocab.SHClosed:
		list = s.list(shape, c)
		for _, t := range list {
			s.work += 1 + len(t.Value())/longText
		}
		if s.exceeded() {
			return ""
		}
	}
	key, ok := s.keys[c]
	if !ok {
		key = shortKey(s.newKey(c, list))
		s.keys[c] = key
	}
	return key
}

// newKey is constraintKey for a constraint with a list.
func (s *side) newKey(c *shacl.Constraint, list []rdf.Term) string {
	var b strings.Builder
	b.WriteString(c.Parameter)
	b.WriteByte(' ')
	switch c.Parameter {
	case vocab.SHIn, vocab.SHLanguageIn, vocab.SHClosed:
		texts := make([]string, len(list))
		for i, t := range list {
			texts[i] = t.String()
		}
		slices.Sort(texts)
		b.WriteString(strings.Join(slices.Compact(texts), " "))
	case vocab.SHNode, vocab.SHProperty, vocab.SHNot, vocab.SHAnd, vocab.SHOr, vocab.SHXone:
		b.WriteString(s.signaturesOf(c.Shapes, true))
	case vocab.SHQualifiedMinCount, vocab.SHQualifiedMaxCount:
		fmt.Fprintf(&b, "%s %s %t %s", c.Value, s.signaturesOf(c.Shapes, false), c.Disjoint, s.siblingsKey(c.Siblings))
	default:
		b.WriteString(c.Value.String() + " " + flagsOf(c.Flags))
	}
	return b.String()
}

// flagsOf returns flags of a pattern, each once: they may be thousands, in any order.
func flagsOf(text string) string {
	var flags []rune
	for _, flag := range "imsxq" {
		if strings.ContainsRune(text, flag) {
			flags = append(flags, flag)
		}
	}
	return string(flags)
}

// siblingsKey is equal where the same siblings keep values from being counted. They may
// be those of a shape that nothing else leads to. All properties of a shape share the
// list of what they count, whose key is made once.
func (s *side) siblingsKey(lists [][]rdf.Term) string {
	keys := make([]string, 0, len(lists))
	for _, list := range lists {
		key, ok := s.siblings[&list[0]]
		if !ok {
			s.work += len(list)
			key = canon.Sum([]byte(s.signaturesOf(list, true))).String()
			s.siblings[&list[0]] = key
		}
		if s.work++; s.exceeded() {
			return ""
		}
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return strings.Join(slices.Compact(keys), " ")
}

func (s *side) signaturesOf(shapes []rdf.Term, sorted bool) string {
	if s.exceeded() {
		return ""
	}
	all := make([]string, len(shapes))
	for i, t := range shapes {
		all[i] = s.signature(t)
	}
	if sorted {
		slices.Sort(all)
	}
	return strings.Join(all, " ")
}

// signature is equal for shapes that differ at most in their names and in what is
// meant for people. It calls itself as deep as shapes are nested, and looks at each
// shape once.
func (s *side) signature(name rdf.Term) string {
	if sig, ok := s.signatures[name]; ok {
		return sig
	}
	shape := s.byTerm[name]
	var lines []string
	switch {
	case shape == nil:
		lines = append(lines, "none "+name.String())
	case !shape.Deactivated:
		lines = append(lines, "path "+s.pathKey(shape.Path))
		for i := range shape.Constraints {
			lines = append(lines, s.constraintKey(shape, &shape.Constraints[i]))
		}
	}
	slices.Sort(lines)
	sig := canon.Sum([]byte(strings.Join(lines, "\n"))).String()
	s.signatures[name] = sig
	return sig
}

// without returns the atoms of a that b lacks.
func without(a, b []atom) []atom {
	have := make(map[string]bool, len(b))
	for _, x := range b {
		have[x.key] = true
	}
	var all []atom
	for _, x := range a {
		if !have[x.key] {
			all = append(all, x)
		}
	}
	return all
}

// presence is the effect of constraints that must all hold.
func presence(removed, added []atom) Effect {
	switch {
	case len(removed) > 0 && len(added) > 0:
		return Different
	case len(removed) > 0:
		return Wider
	case len(added) > 0:
		return Narrower
	}
	return NoEffect
}

// compareCounts compares counts by the strictest on each side: the largest minimum,
// which is 0 when there is none, or the smallest maximum.
func compareCounts(was, is []atom, least bool) Effect {
	strictest := func(all []atom) int {
		best := math.MaxInt
		if least {
			best = 0
		}
		for _, a := range all {
			n, err := strconv.Atoi(a.value.Value())
			if err != nil { // it is an integer, so it is out of range
				n = math.MaxInt
			}
			if least {
				best = max(best, n)
			} else {
				best = min(best, n)
			}
		}
		return best
	}
	old, new := strictest(was), strictest(is)
	switch {
	case old == new:
		return NoEffect
	case (new > old) == least:
		return Narrower
	}
	return Wider
}

// compareLengths compares bounds on the length of texts. Unlike a count, a bound
// that every text meets still demands something: it refuses blank nodes.
func compareLengths(was, is []atom, least bool) Effect {
	if len(was) == 0 || len(is) == 0 {
		return presence(was, is)
	}
	return compareCounts(was, is, least)
}

// compareBounds compares bounds on values, where each side has one and the two are
// comparable. Long ones are not compared: hundreds of places may have them.
func compareBounds(was, is []atom, least bool) Effect {
	if len(was) != 1 || len(is) != 1 {
		return presence(without(was, is), without(is, was))
	}
	old, new := was[0], is[0]
	if max(len(old.value.Value()), len(new.value.Value())) >= longText {
		return Different
	}
	switch xsd.Compare(value(old.value), value(new.value)) {
	case xsd.Equal:
		exclusive := func(a atom) bool { return a.parameter == vocab.SHMinExclusive || a.parameter == vocab.SHMaxExclusive }
		switch {
		case exclusive(old) == exclusive(new):
			return NoEffect
		case exclusive(new):
			return Narrower
		}
		return Wider
	case xsd.Less:
		if least {
			return Narrower
		}
		return Wider
	case xsd.Greater:
		if least {
			return Wider
		}
		return Narrower
	}
	return Different
}

func value(t rdf.Term) xsd.Value {
	dt, _ := xsd.Lookup(t.Datatype())
	v, err := xsd.Parse(dt, t.Value())
	if err != nil {
		return xsd.Value{} // comparable with nothing
	}
	return v
}

// set is what a constraint allows; nil allows everything.
type set[T comparable] map[T]bool

// common returns what the lists of all constraints allow.
func common(all []atom) set[rdf.Term] {
	var out set[rdf.Term]
	for _, a := range all {
		next := make(set[rdf.Term], len(a.list))
		for _, t := range a.list {
			if out == nil || out[t] {
				next[t] = true
			}
		}
		out = next
	}
	return out
}

// kindsOf returns the kinds of nodes that all constraints allow.
func kindsOf(all []atom) set[string] {
	var out set[string]
	for _, a := range all {
		next := set[string]{}
		name := strings.TrimPrefix(a.value.Value(), vocab.SH)
		for _, kind := range []string{"IRI", "Literal", "BlankNode"} {
			if strings.Contains(name, kind) && (out == nil || out[kind]) {
				next[kind] = true
			}
		}
		out = next
	}
	return out
}

func compareSets[T comparable](was, is set[T]) Effect {
	within := func(a, b set[T]) bool {
		if b == nil {
			return true
		}
		if a == nil {
			return false
		}
		for k := range a {
			if !b[k] {
				return false
			}
		}
		return true
	}
	switch narrower, wider := within(is, was), within(was, is); {
	case narrower && wider:
		return NoEffect
	case narrower:
		return Narrower
	case wider:
		return Wider
	}
	return Different
}

// membersOnlyOf returns the members of the lists of some constraints that are not
// allowed by others, without repetition.
func membersOnlyOf(all, others []atom) []rdf.Term {
	known := map[rdf.Term]bool{}
	for _, a := range others {
		for _, t := range a.list {
			known[t] = true
		}
	}
	var out []rdf.Term
	for _, a := range all {
		for _, t := range a.list {
			if !known[t] {
				known[t] = true
				out = append(out, t)
			}
		}
	}
	return out
}

// namedValues returns the values of constraints but for blank nodes, which say nothing
// to a person.
func namedValues(all []atom) []rdf.Term {
	var out []rdf.Term
	for _, a := range all {
		if a.value.Kind() != rdf.KindBlank {
			out = append(out, a.value)
		}
	}
	return out
}

func closedNote(was, is []atom) string {
	switch {
	case len(was) == 0:
		return "no other properties are allowed from now on"
	case len(is) == 0:
		return "other properties are allowed from now on"
	}
	return "other properties are allowed"
}

func shapesNote(removed, added []atom) string {
	var parts []string
	if n := len(removed); n > 0 {
		parts = append(parts, fmt.Sprintf("%d removed", n))
	}
	if n := len(added); n > 0 {
		parts = append(parts, fmt.Sprintf("%d added", n))
	}
	return strings.Join(parts, ", ")
}
