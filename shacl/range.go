package shacl

import (
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/rdf/xsd"
)

// Value range constraint components (section 4.3).

// rangeCheck is sh:minExclusive (4.3.1), sh:minInclusive (4.3.2),
// sh:maxExclusive (4.3.3) or sh:maxInclusive (4.3.4).
type rangeCheck struct {
	bound xsd.Value
	fits  func(xsd.Order) bool // of a value to the bound
	words string
	cost  int // of a value beyond one check, for a bound that is long: each comparison may read it
	most  int // of a value beyond that, for a bound that takes long to compare with some values
}

func compileMinExclusive(k *compiler, s *shape, v value) check {
	return k.compileRange(s, v, xsd.Order.Greater, "greater than")
}

func compileMinInclusive(k *compiler, s *shape, v value) check {
	return k.compileRange(s, v, xsd.Order.GreaterOrEqual, "greater than or equal to")
}

func compileMaxExclusive(k *compiler, s *shape, v value) check {
	c := k.compileRange(s, v, xsd.Order.Less, "less than")
	k.reviewRange(s, v, xsd.Order.Greater, vocab.SHMinExclusive, vocab.SHMinInclusive)
	return c
}

func compileMaxInclusive(k *compiler, s *shape, v value) check {
	c := k.compileRange(s, v, xsd.Order.LessOrEqual, "less than or equal to")
	k.reviewRange(s, v, xsd.Order.Greater, vocab.SHMinInclusive)
	k.reviewRange(s, v, xsd.Order.GreaterOrEqual, vocab.SHMinExclusive)
	return c
}

func (k *compiler) compileRange(s *shape, v value, fits func(xsd.Order) bool, words string) check {
	t := k.d.Term(v.id)
	if t.Kind() != rdf.KindLiteral { // rule minExclusive-nodeKind and its like
		k.illFormed(s, v, "expected a literal, found "+k.name(v.id))
		return nil
	}
	dt, known := xsd.Lookup(t.Datatype())
	if !known {
		k.noEffect(s, v, CodeUnsatisfiable, "values are never comparable with "+k.name(v.id)+": none can conform")
		return &rangeCheck{fits: fits, words: words}
	}
	bound, err := k.value(v.id, dt)
	if err != nil {
		// The rules allow an ill-typed literal. It would make every value a
		// violation, and can only be a slip.
		k.illFormed(s, v, err.Error())
		return nil
	}
	number, _ := xsd.Parse(xsd.Double, "0")
	return &rangeCheck{bound, fits, words, len(t.Value()) / bytesOfCheck, xsd.Effort(bound, number) - 1}
}

// reviewRange warns of an upper bound that leaves nothing above a lower bound.
func (k *compiler) reviewRange(s *shape, upper value, empty func(xsd.Order) bool, minimums ...string) {
	for _, minimum := range minimums {
		lower, ok := k.only(s, minimum)
		if !ok {
			continue
		}
		if empty(k.order(lower.id, upper.id)) {
			k.noEffect(s, upper, CodeUnsatisfiable, "no value is within it and "+shortenIRI(minimum)+" "+k.name(lower.id))
		}
	}
}

// order returns how the values of two literals stand to each other, Incomparable where one
// is ill-typed or of an unknown datatype.
func (k *compiler) order(a, b rdf.ID) xsd.Order {
	key := [2]rdf.ID{a, b}
	o, ok := k.orders[key]
	if !ok {
		x, okX := k.literal(a)
		y, okY := k.literal(b)
		if okX && okY {
			o = xsd.Compare(x, y)
		}
		put(&k.orders, key, o)
	}
	return o
}

// literal returns the value of a well-typed literal of a known datatype.
func (k *compiler) literal(id rdf.ID) (xsd.Value, bool) {
	dt, ok := xsd.Lookup(k.d.Term(id).Datatype())
	if !ok {
		return xsd.Value{}, false
	}
	v, err := k.value(id, dt)
	return v, err == nil
}

// value returns the value of a literal of a datatype. Each is parsed once: in JSON-LD,
// thousands of shapes may have a long one that is written once.
func (k *compiler) value(id rdf.ID, dt xsd.Datatype) (xsd.Value, error) {
	p, ok := k.values[id]
	if !ok {
		p.value, p.err = xsd.Parse(dt, k.d.Value(id))
		put(&k.values, id, p)
	}
	return p.value, p.err
}

// parsed is what parsing a literal gave.
type parsed struct {
	value xsd.Value
	err   error
}

func (c *rangeCheck) holds(r *run, s *shape, con *constraint, focus rdf.ID, values []rdf.ID) bool {
	if !r.spend(len(values) * c.cost) {
		return false
	}
	ok := true
	for _, v := range values {
		order := r.compare(r.value(v), c.bound)
		if c.fits(order) {
			continue
		}
		if ok = false; r.sink == nil {
			continue
		}
		r.violate(s, con, focus, violation{value: v, unlike: order == xsd.Incomparable})
	}
	return ok
}

// value returns the value of a literal, one that is incomparable to all for any
// other node, an ill-typed literal, or an unknown datatype. It takes what reading the
// text costs.
func (r *run) value(id rdf.ID) xsd.Value {
	if !r.spendValue(id) {
		return xsd.Value{}
	}
	return r.parse(id)
}

// spendValue takes what reading the text of a value costs.
func (r *run) spendValue(id rdf.ID) bool {
	return r.typed(id) == xsd.Unknown || r.spendText(r.text(id))
}

// compare compares two values, and takes what that and having parsed them cost beyond a
// check.
func (r *run) compare(a, b xsd.Value) xsd.Order {
	if more := xsd.Effort(a, b) - 1; more > 0 && !r.spend(more) {
		return xsd.Incomparable
	}
	return xsd.Compare(a, b)
}

// parse is value for what was paid for.
func (r *run) parse(id rdf.ID) xsd.Value {
	dt := r.typed(id)
	if dt == xsd.Unknown {
		return xsd.Value{}
	}
	v, err := xsd.Parse(dt, r.text(id))
	if err != nil {
		return xsd.Value{}
	}
	return v
}

func (c *rangeCheck) reason(res *Result, name func(rdf.Term) string) string {
	if res.unlike {
		return "cannot be compared with " + name(res.why.value)
	}
	return "expected a value " + c.words + " " + name(res.why.value)
}
