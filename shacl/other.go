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
	slot    int             // of run.closed
	allowed []constID       // predicates
	within  map[string]bool // predicates in longer paths of the shape's properties, for the reason
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
	c := &closedCheck{slot: k.program.closed, within: map[string]bool{}}
	k.program.closed++
	if ignored, ok := k.only(s, vocab.SHIgnoredProperties); ok {
		members, _ := k.ignoredProperties(ignored.id) // checkCompanion reports
		for _, m := range members {
			c.allowed = append(c.allowed, k.constant(m))
		}
	}
	// The IRIs that are values of sh:property/sh:path; a longer path allows
	// none of its predicates.
	for property := range k.g.Objects(s.node, k.ids.property).Quads() {
		for path := range k.g.Objects(property.O, k.ids.path).Quads() {
			if k.d.Kind(path.O) == rdf.KindIRI {
				c.allowed = append(c.allowed, k.constant(path.O))
			} else {
				k.mentions(path.O, c.within)
			}
		}
	}
	slices.Sort(c.allowed)
	c.allowed = slices.Compact(c.allowed)
	return c
}

// mentions collects the IRIs in a path expression, well-formed or not.
func (k *compiler) mentions(path rdf.ID, iris map[string]bool) {
	seen := map[rdf.ID]bool{path: true}
	for stack := []rdf.ID{path}; len(stack) > 0; {
		node := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for q := range k.g.Subject(node).Quads() {
			switch k.d.Kind(q.O) {
			case rdf.KindIRI:
				iris[k.d.Value(q.O)] = true
			case rdf.KindBlank:
				if !seen[q.O] {
					seen[q.O] = true
					stack = append(stack, q.O)
				}
			}
		}
	}
}

// ignoredProperties reads the list of predicates, or says why it is none (rules
// ignoredProperties-node and ignoredProperties-members-nodeKind).
func (k *compiler) ignoredProperties(head rdf.ID) ([]rdf.ID, string) {
	members, reason := k.readList(head)
	for _, m := range members {
		if k.d.Kind(m) != rdf.KindIRI {
			return nil, "found " + k.name(m) + " in it"
		}
	}
	return members, reason
}

func (c *closedCheck) holds(r *run, s *shape, con *constraint, focus rdf.ID, values []rdf.ID) bool {
	allowed := r.closed[c.slot]
	if len(allowed) == 0 {
		for _, p := range c.allowed {
			allowed = append(allowed, r.id(p))
		}
		slices.Sort(allowed)
		r.closed[c.slot] = allowed
	}
	ok := true
	for _, v := range values {
		if !r.allows(s, con, focus, v, allowed) {
			if ok = false; r.sink == nil || r.err != nil {
				return false
			}
		}
	}
	return ok
}

// allows goes through the triples of a value node and the allowed predicates
// together; both are sorted.
func (r *run) allows(s *shape, con *constraint, focus, node rdf.ID, allowed []rdf.ID) bool {
	triples := r.g.Subject(node)
	if !r.spend(triples.Len()) {
		return false
	}
	ok, next := true, 0
	for q := range triples.Quads() {
		for next < len(allowed) && allowed[next] < q.P {
			next++
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
	if c.within[p.Value()] {
		text += ": it is part of a longer path, and only a path that is one predicate allows it"
	}
	return text
}

// hasValueCheck is sh:hasValue (4.8.2).
type hasValueCheck struct{ value constID }

func compileHasValue(k *compiler, _ *shape, v value) check {
	return &hasValueCheck{k.constant(v.id)}
}

func (c *hasValueCheck) holds(r *run, s *shape, con *constraint, focus rdf.ID, values []rdf.ID) bool {
	if r.contains(values, r.id(c.value)) {
		return true
	}
	if r.sink != nil {
		r.violate(s, con, focus, violation{})
	}
	return false
}

func (c *hasValueCheck) reason(res *Result, name func(rdf.Term) string) string {
	return "expected the value " + name(res.why.value)
}

// inCheck is sh:in (4.8.3). A short list is looked through by ID, a long one is
// a table of terms, which costs nothing to bind.
type inCheck struct {
	terms   []rdf.Term // as the list has them
	members []constID
	table   map[rdf.Term]struct{} // language tags in lower case
	langs   bool                  // the list holds language-tagged strings
}

// shortList is how many members a list may have to be looked through.
const shortList = 8

func compileIn(k *compiler, s *shape, v value) check {
	members, ok := k.list(s, v) // rule in-node
	if !ok {
		return nil
	}
	c := &inCheck{}
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
	c.table = make(map[rdf.Term]struct{}, len(members))
	for _, t := range c.terms {
		c.table[foldLang(t)] = struct{}{}
	}
	return c
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
			return false
		}
		r.violate(s, con, focus, violation{value: v})
	}
	return ok
}

func (c *inCheck) has(r *run, v rdf.ID) bool {
	if c.table != nil {
		if r.kind(v) == rdf.KindBlank && r.d != r.p.source {
			return false
		}
		_, ok := c.table[foldLang(r.term(v))]
		return ok
	}
	for _, m := range c.members {
		if r.id(m) == v {
			return true
		}
	}
	if c.langs {
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
