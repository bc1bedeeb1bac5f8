package shacl

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
)

// Logical constraint components (section 4.6).

// notCheck is sh:not (4.6.1).
type notCheck struct{ shape *shape }

// listCheck is sh:and (4.6.2), sh:or (4.6.3) or sh:xone (4.6.4).
type listCheck struct{ *shapeList }

// shapeList is a list of shapes that constraints refer to together. Constraints
// that have the same list share it, or a small graph could make a large program.
type shapeList struct {
	shapes []*shape
	terms  []rdf.Term // their names
	group  *shape     // what refers to them in their place, see shape.group
}

type (
	andCheck  struct{ listCheck }
	orCheck   struct{ listCheck }
	xoneCheck struct{ listCheck }
)

func (c notCheck) refers(to []*shape) []*shape   { return append(to, c.shape) }
func (c *listCheck) refers(to []*shape) []*shape { return append(to, c.group) }

func compileNot(k *compiler, s *shape, v value) check {
	if to := k.refer(s, v); to != nil {
		return notCheck{to}
	}
	return nil
}

func compileAnd(k *compiler, s *shape, v value) check {
	if to, ok := k.shapeList(s, v); ok {
		return &andCheck{listCheck{to}}
	}
	return nil
}

func compileOr(k *compiler, s *shape, v value) check {
	if to, ok := k.shapeList(s, v); ok {
		return &orCheck{listCheck{to}}
	}
	return nil
}

func compileXone(k *compiler, s *shape, v value) check {
	if to, ok := k.shapeList(s, v); ok {
		return &xoneCheck{listCheck{to}}
	}
	return nil
}

// shapeList reads a list of shapes (rules and-node, and-members-node and their
// like).
func (k *compiler) shapeList(s *shape, v value) (*shapeList, bool) {
	if l := k.lists[v.id]; l != nil {
		return l, true
	}
	members, ok := k.list(s, v)
	if !ok {
		return nil, false
	}
	use := listUse{v.id, orComponent} // the others want the same
	if m := k.unfit[use]; m != 0 {
		members = []rdf.ID{m}
	}
	shapes := make([]*shape, 0, len(members))
	for _, m := range members {
		to := k.refer(s, value{v.property, m, v.place})
		if to == nil {
			k.notFit(use, m)
			return nil, false
		}
		shapes = append(shapes, to)
	}
	l := k.newShapeList(shapes)
	put(&k.lists, v.id, l)
	return l, true
}

func (k *compiler) newShapeList(shapes []*shape) *shapeList {
	l := &shapeList{shapes: shapes, terms: make([]rdf.Term, len(shapes)), group: &shape{group: true, refs: shapes}}
	for i, s := range shapes {
		l.terms[i] = s.term
	}
	k.groups = append(k.groups, l.group)
	return l
}

func (c notCheck) holds(r *run, s *shape, con *constraint, focus rdf.ID, values []rdf.ID) bool {
	ok := true
	for _, v := range values {
		if !r.conforms(c.shape, v) {
			if r.err != nil {
				return false
			}
			continue
		}
		if ok = false; r.sink == nil {
			continue
		}
		r.violate(s, con, focus, violation{value: v})
	}
	return ok
}

func (c notCheck) reason(_ *Result, name func(rdf.Term) string) string {
	return "conforms to " + name(c.shape.term) + ", which sh:not excludes"
}

func (c *andCheck) holds(r *run, s *shape, con *constraint, focus rdf.ID, values []rdf.ID) bool {
	ok := true
	for _, v := range values {
		conforms := true
		var failed []int
		for i, member := range c.shapes {
			if r.conforms(member, v) {
				continue
			}
			if conforms = false; r.err != nil {
				return false
			}
			if r.sink == nil {
				break
			}
			failed = append(failed, i+1)
		}
		if conforms {
			continue
		}
		if ok = false; r.sink == nil {
			continue
		}
		res := r.violate(s, con, focus, violation{value: v, members: failed})
		for _, i := range failed {
			r.explain(res, c.shapes[i-1], v, i)
		}
	}
	return ok
}

func (c *andCheck) reason(res *Result, _ func(rdf.Term) string) string {
	return fmt.Sprintf("does not conform to %s of the %d shapes of sh:and", ordinals(res.members), len(c.shapes))
}

func (c *orCheck) holds(r *run, s *shape, con *constraint, focus rdf.ID, values []rdf.ID) bool {
	ok := true
	for _, v := range values {
		one := false
		for _, member := range c.shapes {
			if one = r.conforms(member, v); one || r.err != nil {
				break
			}
		}
		if one {
			continue
		}
		if ok = false; r.err != nil {
			return false
		}
		if r.sink == nil {
			continue
		}
		res := r.violate(s, con, focus, violation{value: v})
		for i, member := range c.shapes {
			r.explain(res, member, v, i+1)
		}
	}
	return ok
}

func (c *orCheck) reason(_ *Result, _ func(rdf.Term) string) string {
	return fmt.Sprintf("conforms to none of the %d shapes of sh:or", len(c.shapes))
}

func (c *xoneCheck) holds(r *run, s *shape, con *constraint, focus rdf.ID, values []rdf.ID) bool {
	ok := true
	for _, v := range values {
		n := 0
		var matched []int
		for i, member := range c.shapes {
			if !r.conforms(member, v) {
				if r.err != nil {
					return false
				}
				continue
			}
			if n++; r.sink != nil {
				matched = append(matched, i+1)
			} else if n > 1 {
				break
			}
		}
		if n == 1 {
			continue
		}
		if ok = false; r.sink == nil {
			continue
		}
		res := r.violate(s, con, focus, violation{value: v, members: matched})
		if n == 0 {
			for i, member := range c.shapes {
				r.explain(res, member, v, i+1)
			}
		}
	}
	return ok
}

func (c *xoneCheck) reason(res *Result, _ func(rdf.Term) string) string {
	if len(res.members) == 0 {
		return fmt.Sprintf("conforms to none of the %d shapes of sh:xone", len(c.shapes))
	}
	return fmt.Sprintf("conforms to %s of the %d shapes of sh:xone, expected exactly one", ordinals(res.members), len(c.shapes))
}

// ordinals writes positions: "number 1 and 3".
func ordinals(n []int) string {
	parts := make([]string, len(n))
	for i := range n {
		parts[i] = strconv.Itoa(n[i])
	}
	if len(parts) > 1 {
		return "number " + strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
	}
	return "number " + strings.Join(parts, "")
}
