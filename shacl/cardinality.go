package shacl

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/rdf/xsd"
)

// Cardinality constraint components (section 4.2).

// minCountCheck is sh:minCount (4.2.1).
type minCountCheck struct{ n int }

// maxCountCheck is sh:maxCount (4.2.2).
type maxCountCheck struct{ n int }

func compileMinCount(k *compiler, s *shape, v value) check {
	if n, ok := k.count(s, v); ok {
		return minCountCheck{n}
	}
	return nil
}

func compileMaxCount(k *compiler, s *shape, v value) check {
	n, ok := k.count(s, v)
	if !ok {
		return nil
	}
	k.reviewBounds(s, v, n, vocab.SHMinCount)
	return maxCountCheck{n}
}

// count reads a count or a length: an xsd:integer (rules minCount-datatype and
// its like) that is not negative. The rules do not say the latter; a negative
// one would be satisfied by everything or by nothing, and can only be a slip.
// What exceeds an int is the largest one: no set of nodes has as many.
func (k *compiler) count(s *shape, v value) (int, bool) {
	n, ok := k.integer(v.id)
	if !ok {
		k.illFormed(s, v, "expected an xsd:integer of 0 or more, found "+k.name(v.id))
	}
	return n, ok
}

// count is what a literal was read to as a count.
type count struct {
	n  int
	ok bool
}

// integer reads a literal as a count, each once as [compiler.value] does.
func (k *compiler) integer(id rdf.ID) (int, bool) {
	c, known := k.counts[id]
	if !known {
		c.n, c.ok = readCount(k.d.Term(id))
		put(&k.counts, id, c)
	}
	return c.n, c.ok
}

func readCount(t rdf.Term) (int, bool) {
	if t.Datatype() != vocab.XSDInteger || !xsd.Valid(xsd.Integer, t.Value()) {
		return 0, false
	}
	n, err := strconv.Atoi(t.Value())
	if err != nil { // out of range, since it is valid
		return math.MaxInt, !strings.HasPrefix(t.Value(), "-")
	}
	return n, n >= 0
}

// reviewBounds warns of a maximum that is less than the minimum of the shape.
func (k *compiler) reviewBounds(s *shape, v value, most int, minimum string) {
	least, ok := k.only(s, minimum)
	if !ok {
		return
	}
	if n, ok := k.integer(least.id); ok && n > most {
		k.noEffect(s, v, CodeUnsatisfiable, fmt.Sprintf("it is less than %s, which is %d: no node can conform", shortenIRI(minimum), n))
	}
}

func (c minCountCheck) holds(r *run, s *shape, con *constraint, focus rdf.ID, values []rdf.ID) bool {
	if len(values) >= c.n {
		return true
	}
	if r.sink != nil {
		r.violate(s, con, focus, violation{count: len(values)})
	}
	return false
}

func (c minCountCheck) reason(res *Result, _ func(rdf.Term) string) string {
	return "expected at least " + plural(c.n, "value") + ", found " + strconv.Itoa(res.count)
}

func (c maxCountCheck) holds(r *run, s *shape, con *constraint, focus rdf.ID, values []rdf.ID) bool {
	if len(values) <= c.n {
		return true
	}
	if r.sink != nil {
		r.violate(s, con, focus, violation{count: len(values)})
	}
	return false
}

func (c maxCountCheck) reason(res *Result, _ func(rdf.Term) string) string {
	return "expected at most " + plural(c.n, "value") + ", found " + strconv.Itoa(res.count)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
