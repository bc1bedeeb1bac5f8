package shacl

import (
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/xsd"
)

// Property pair constraint components (section 4.5).

// equalsCheck is sh:equals (4.5.1).
type equalsCheck struct{ predicate constID }

// disjointCheck is sh:disjoint (4.5.2).
type disjointCheck struct{ predicate constID }

// lessCheck is sh:lessThan (4.5.3) or sh:lessThanOrEquals (4.5.4).
type lessCheck struct {
	predicate constID
	orEqual   bool
}

func compileEquals(k *compiler, s *shape, v value) check {
	if p, ok := k.pairProperty(s, v); ok {
		return &equalsCheck{p}
	}
	return nil
}

func compileDisjoint(k *compiler, s *shape, v value) check {
	if p, ok := k.pairProperty(s, v); ok {
		return &disjointCheck{p}
	}
	return nil
}

func compileLessThan(k *compiler, s *shape, v value) check {
	if p, ok := k.pairProperty(s, v); ok {
		return &lessCheck{p, false}
	}
	return nil
}

func compileLessThanOrEquals(k *compiler, s *shape, v value) check {
	if p, ok := k.pairProperty(s, v); ok {
		return &lessCheck{p, true}
	}
	return nil
}

// pairProperty reads the other property (rules equals-nodeKind and its like).
func (k *compiler) pairProperty(s *shape, v value) (constID, bool) {
	if k.d.Kind(v.id) != rdf.KindIRI {
		k.illFormed(s, v, "expected an IRI, found "+k.name(v.id))
		return 0, false
	}
	return k.constant(v.id), true
}

// objects appends the objects of a node and a predicate, sorted, and takes what
// that costs.
func (r *run) objects(node, p rdf.ID) bool {
	objects := r.g.Objects(node, p)
	if !r.spend(objects.Len()) {
		return false
	}
	for q := range objects.Quads() {
		r.ids = append(r.ids, q.O)
	}
	return true
}

func (c *equalsCheck) holds(r *run, s *shape, con *constraint, focus rdf.ID, values []rdf.ID) bool {
	start := len(r.ids)
	if !r.objects(focus, r.id(c.predicate)) {
		return false
	}
	others := r.ids[start:len(r.ids):len(r.ids)]
	ok := r.allIn(s, con, focus, values, others, false)
	if !r.allIn(s, con, focus, others, values, true) {
		ok = false
	}
	r.ids = r.ids[:start]
	return ok
}

// allIn reports whether every node of a set is in another. The nodes of the other
// property stand where that leads to them.
func (r *run) allIn(s *shape, con *constraint, focus rdf.ID, set, in []rdf.ID, others bool) bool {
	if !r.spend(len(set)) {
		return false
	}
	ok := true
	for _, v := range set {
		if r.contains(in, v) {
			continue
		}
		if ok = false; r.sink == nil {
			continue
		}
		res := r.violate(s, con, focus, violation{value: v})
		if res != nil && others {
			res.count = 1 // of the other property
			res.Place = r.place(&path{kind: predicatePath, iri: con.value}, focus, v)
		}
	}
	return ok
}

func (c *equalsCheck) reason(res *Result, name func(rdf.Term) string) string {
	if res.count == 1 {
		return "a value of " + name(res.why.value) + " that is missing here"
	}
	return "not a value of " + name(res.why.value)
}

func (c *disjointCheck) holds(r *run, s *shape, con *constraint, focus rdf.ID, values []rdf.ID) bool {
	start := len(r.ids)
	if !r.objects(focus, r.id(c.predicate)) {
		return false
	}
	others := r.ids[start:len(r.ids):len(r.ids)]
	ok := true
	for _, v := range values {
		if !r.contains(others, v) {
			continue
		}
		if ok = false; r.sink == nil {
			continue
		}
		r.violate(s, con, focus, violation{value: v})
	}
	r.ids = r.ids[:start]
	return ok
}

func (c *disjointCheck) reason(res *Result, name func(rdf.Term) string) string {
	return "also a value of " + name(res.why.value)
}

func (c *lessCheck) holds(r *run, s *shape, con *constraint, focus rdf.ID, values []rdf.ID) bool {
	others := r.g.Objects(focus, r.id(c.predicate))
	if !r.spend(len(values) * others.Len()) {
		return false
	}
	var parsed []xsd.Value // of the other property, which all values are compared with
	if len(values) > 1 && others.Len() > 0 {
		parsed = make([]xsd.Value, 0, others.Len())
		for q := range others.Quads() {
			parsed = append(parsed, r.parse(q.O))
		}
	}
	ok := true
	for _, v := range values {
		var a xsd.Value
		if others.Len() > 0 {
			a = r.value(v)
		}
		if more := others.Len() - 1; more > 0 && r.typed(v) != xsd.Unknown && !r.spend(more*(len(r.text(v))/bytesOfCheck)) {
			return false // each comparison may read it again
		}
		for i := range others.Len() {
			q := others.At(i)
			var b xsd.Value
			switch {
			case parsed == nil:
				b = r.value(q.O)
			case r.spendValue(q.O): // comparing reads it again
				b = parsed[i]
			}
			order := r.compare(a, b)
			if order == xsd.Less || c.orEqual && order == xsd.Equal {
				continue
			}
			if ok = false; r.sink == nil {
				continue
			}
			r.violate(s, con, focus, violation{value: v, other: q.O, unlike: order == xsd.Incomparable})
		}
	}
	return ok
}

func (c *lessCheck) reason(res *Result, name func(rdf.Term) string) string {
	than := "less than "
	if c.orEqual {
		than = "less than or equal to "
	}
	if res.unlike {
		return "cannot be compared with " + name(res.other) + ", a value of " + name(res.why.value)
	}
	return "expected a value " + than + name(res.other) + ", a value of " + name(res.why.value)
}
