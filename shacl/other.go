package shacl

import (
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// Other constraint components (section 4.8).

// closedCheck is sh:closed with sh:ignoredProperties (4.8.1).
type closedCheck struct {
	slot    int // of run.closed
	ignored *ignoredList
	own     []constID // predicates that are paths of the shape's properties
	longer  []*shape  // properties with longer paths, for the reason
}

// ignoredList is a list of sh:ignoredProperties, which closed shapes may share.
type ignoredList struct {
	predicates []constID
	terms      []rdf.Term // the same
	reason     string     // why there are none
}

func compileClosed(k *compiler, s *shape, v value) check {
	// Rule closed-datatype, and stricter: see compileBoolean.
	on, ok := k.boolean(v.id)
	if !ok {
		k.illFormed(s, v, "expected true or false, found "+k.name(v.id))
		return nil
	}
	if !on {
		return nil
	}
	c := &closedCheck{slot: k.program.closed, ignored: &ignoredList{}}
	k.program.closed++
	if ignored, ok := k.only(s, vocab.SHIgnoredProperties); ok {
		c.ignored = k.ignoredList(ignored.id)
	}
	// The IRIs that are values of sh:property/sh:path; a longer path allows
	// none of its predicates.
	for property := range k.g.Objects(s.node, k.ids.property).Quads() {
		paths := k.g.Objects(property.O, k.ids.path)
		switch {
		case paths.Len() != 1: // reported where they stand
		case k.d.Kind(paths.At(0).O) == rdf.KindIRI:
			c.own = append(c.own, k.constant(paths.At(0).O))
		default:
			c.longer = append(c.longer, k.shape(property.O))
		}
	}
	return c
}

// ignoredList returns the predicates of a list, none with the reason when it is
// ill-formed (rules ignoredProperties-node and ignoredProperties-members-nodeKind),
// which checkCompanion reports.
func (k *compiler) ignoredList(head rdf.ID) *ignoredList {
	l := k.ignored[head]
	if l != nil {
		return l
	}
	l = &ignoredList{}
	put(&k.ignored, head, l)
	members, reason := k.readList(head)
	if i := slices.IndexFunc(members, func(m rdf.ID) bool { return k.d.Kind(m) != rdf.KindIRI }); i >= 0 {
		reason = "found " + k.name(members[i]) + " in it"
	}
	if l.reason = reason; reason != "" {
		return l
	}
	for _, m := range members {
		l.predicates, l.terms = append(l.predicates, k.constant(m)), append(l.terms, k.d.Term(m))
	}
	return l
}

func (c *closedCheck) holds(r *run, s *shape, con *constraint, focus rdf.ID, values []rdf.ID) bool {
	allowed := r.allowed(c)
	ok := true
	for _, v := range values {
		if !r.allows(s, con, focus, v, allowed) {
			if ok = false; r.err != nil {
				return false
			}
		}
	}
	return ok
}

// allowed returns the predicates that a closed shape allows, sorted. What they cost is
// paid by the first focus node of the validation that needs them, whichever it is and
// whoever works on it; in the search for details each time, since that must neither cost
// more for what came before it nor make cheaper what comes after it.
func (r *run) allowed(c *closedCheck) []rdf.ID {
	kept, cost := &r.closed[c.slot], len(c.ignored.predicates)+len(c.own)
	if r.explaining || !r.budget.closed[c.slot].Load() && !r.budget.closed[c.slot].Swap(true) {
		if !r.spend(cost) {
			return nil
		}
	}
	if len(*kept) > 0 {
		return *kept
	}
	allowed := (*kept)[:0]
	for _, p := range c.ignored.predicates {
		allowed = append(allowed, r.id(p))
	}
	for _, p := range c.own {
		allowed = append(allowed, r.id(p))
	}
	slices.Sort(allowed)
	*kept = allowed
	return allowed
}

// allows looks for the predicates of a value node's triples among the allowed
// ones; both are sorted. Few are looked through, since most are next in line.
func (r *run) allows(s *shape, con *constraint, focus, node rdf.ID, allowed []rdf.ID) bool {
	triples := r.g.Subject(node)
	if !r.spend(triples.Len()) {
		return false
	}
	ok, next := true, 0
	for q := range triples.Quads() {
		for most := next + shortList; next < len(allowed) && allowed[next] < q.P; {
			if next++; next == most {
				n, _ := slices.BinarySearch(allowed[next:], q.P)
				next += n
			}
		}
		if next < len(allowed) && allowed[next] == q.P {
			continue
		}
		if ok = false; r.sink == nil {
			return false
		}
		p := &path{kind: predicatePath, iri: r.term(q.P)}
		if res := r.violate(s, con, focus, violation{value: q.O, path: p}); res != nil {
			res.Place = r.place(p, q.S, q.O)
		}
	}
	return ok
}

func (c *closedCheck) reason(res *Result, name func(rdf.Term) string) string {
	p, _ := res.Path.Predicate()
	text := "the closed shape does not allow " + name(p)
	left := MaxPathLength // parts to look at: the hint is a help, and there may be thousands of such paths
	for _, property := range c.longer {
		if property.path.uses(p, &left) {
			return text + ": it is part of a longer path, and only a path that is one predicate allows it"
		}
	}
	return text
}

// hasValueCheck is sh:hasValue (4.8.2).
type hasValueCheck struct{ value constID }

func compileHasValue(k *compiler, _ *shape, v value) check {
	return hasValueCheck{k.constant(v.id)}
}

func (c hasValueCheck) holds(r *run, s *shape, con *constraint, focus rdf.ID, values []rdf.ID) bool {
	if r.contains(values, r.id(c.value)) {
		return true
	}
	if r.sink != nil {
		r.violate(s, con, focus, violation{})
	}
	return false
}

func (c hasValueCheck) reason(res *Result, name func(rdf.Term) string) string {
	return "expected the value " + name(res.why.value)
}

// inCheck is sh:in (4.8.3). A short list is looked through by ID; the members of long
// ones are found by their terms, which costs nothing to bind.
type inCheck struct {
	terms   []rdf.Term // as the list has them
	members []constID
	long    []listed // sorted
	langs   bool     // the list holds language-tagged strings
}

// shortList is how many members a list may have to be looked through.
const shortList = 8

func compileIn(k *compiler, s *shape, v value) check {
	if c := k.ins[v.id]; c != nil {
		return c
	}
	members, ok := k.list(s, v) // rule in-node
	if !ok {
		return nil
	}
	c := &inCheck{}
	put(&k.ins, v.id, c)
	for _, m := range members {
		t := k.d.Term(m)
		c.terms = append(c.terms, t)
		c.langs = c.langs || t.Lang() != ""
	}
	if len(members) <= shortList {
		for _, m := range members {
			c.members = append(c.members, k.constant(m))
		}
		return c
	}
	c.long = make([]listed, len(members))
	for i, m := range members {
		c.long[i] = k.member(m)
	}
	slices.Sort(c.long)
	return c
}

// member returns what names a member of long lists in the program. Lists may have ends in
// common: each term is looked at once.
func (k *compiler) member(id rdf.ID) listed {
	n, ok := k.listed[id]
	if ok {
		return n
	}
	t := foldLang(k.d.Term(id))
	if n, ok = k.program.listed[t]; !ok {
		n = listed(len(k.program.listed))
		put(&k.program.listed, t, n)
	}
	put(&k.listed, id, n)
	return n
}

// foldLang returns a term with its language tag in lower case.
func foldLang(t rdf.Term) rdf.Term {
	if lower := strings.ToLower(t.Lang()); lower != t.Lang() {
		if folded, err := rdf.NewLangLiteral(t.Value(), lower); err == nil {
			return folded
		}
	}
	return t
}

func (c *inCheck) holds(r *run, s *shape, con *constraint, focus rdf.ID, values []rdf.ID) bool {
	ok := true
	for _, v := range values {
		if c.has(r, v) {
			continue
		}
		if ok = false; r.sink == nil {
			continue
		}
		r.violate(s, con, focus, violation{value: v})
	}
	return ok
}

func (c *inCheck) has(r *run, v rdf.ID) bool {
	if c.long != nil {
		if r.kind(v) == rdf.KindBlank && r.d != r.p.source || !r.spendText(r.text(v)) || !r.spendText(r.lang(v)) {
			return false
		}
		n, ok := r.p.listed[foldLang(r.term(v))]
		if ok {
			_, ok = slices.BinarySearch(c.long, n)
		}
		return ok
	}
	for _, m := range c.members {
		if r.id(m) == v {
			return true
		}
	}
	if c.langs && r.spend(len(c.members)*(len(r.lang(v))/64)) {
		for _, m := range c.members {
			if r.sameTerm(r.id(m), v) {
				return true
			}
		}
	}
	return false
}

func (c *inCheck) reason(_ *Result, name func(rdf.Term) string) string {
	return "expected one of " + some(len(c.terms), func(i int) string { return name(c.terms[i]) })
}
