package odrl

import (
	"slices"
	"sync"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// ruleConstraints reads the constraints of a rule or duty, or the refinements
// of an action or a collection, and spends from the limit of checks.
func (c *compiler) ruleConstraints(node rdf.ID, p property) []*constraint {
	var ks []*constraint
	for _, id := range c.objects(node, p) {
		k := c.constraint(node, p, id)
		ks = append(ks, k)
		if !c.spend(k.size, k.place) {
			return ks
		}
	}
	return ks
}

// again spends for constraints that were read for another rule.
func (c *compiler) again(ks []*constraint) {
	for _, k := range ks {
		k.shared = true
		if !c.spend(k.size, k.place) {
			return
		}
	}
}

// constraint reads the constraint that a node is (2.5). Its place is that of the
// triple that leads to it.
func (c *compiler) constraint(parent rdf.ID, p property, id rdf.ID) *constraint {
	if k := c.constraints[id]; k != nil {
		k.shared = true
		return k
	}
	k := &constraint{node: c.text(id), place: c.placeOf(parent, p, id), height: 1, size: 1}
	if k.place.IsZero() {
		k.place = c.subjectPlace(id) // an item of a list has no place of its own
	}
	c.constraints[id] = k
	if c.d.Kind(id) == rdf.KindLiteral {
		k.problem = c.findOf(CodeNotANode, parent, p, id, "a literal cannot be a constraint")
		return k
	}
	atomic := c.has(id, propLeftOperand) || c.has(id, propOperator) || c.has(id, propRightOperand) || c.has(id, propRightOperandReference)
	logical := c.logical(id)
	switch {
	case atomic && logical.op != noOperator:
		k.problem = c.find(CodeNotAConstraint, id, c.d.Term(id), k.place, "the node has operands both of a constraint and of a logical constraint")
	case logical.op != noOperator:
		c.logicalConstraint(k, id, logical)
	case atomic:
		c.comparison(k, id)
	default:
		k.problem = c.find(CodeNotAConstraint, id, c.d.Term(id), k.place, "the node has neither operands nor a logical operand")
		c.check(id, onConstraint)
	}
	return k
}

// comparison reads a constraint that compares (2.5.1).
func (c *compiler) comparison(k *constraint, id rdf.ID) {
	note := func(f *Finding) {
		if k.problem == nil {
			k.problem = f
		}
	}
	if f := c.check(id, onConstraint); f != nil {
		note(f)
	}
	if left := c.one(k, id, propLeftOperand, "leftOperand", note); left != 0 {
		iri := c.d.Value(left)
		if c.d.Kind(left) == rdf.KindIRI {
			k.left = c.dialect.lookupLeft(iri)
		}
		if k.left == nil {
			hint := ""
			switch {
			case c.d.Kind(left) != rdf.KindIRI:
			case leftOperandsByIRI()[iri] != nil && c.dialect == DelegationProfile:
				hint = " in the delegation profile"
			default:
				hint = c.suggest(iri, leftNames())
			}
			note(c.findOf(CodeUnknownLeftOperand, id, propLeftOperand, left, "the left operand %s is not known%s", shortTerm(c.d.Term(left)), hint))
		}
		k.depth = iri == vocab.ODRLDDelegationDepth
	}
	if op := c.one(k, id, propOperator, "operator", note); op != 0 {
		iri := c.d.Value(op)
		if c.d.Kind(op) == rdf.KindIRI {
			k.op = c.dialect.lookupOperator(iri)
		}
		if k.op == noOperator {
			hint := ""
			if c.d.Kind(op) == rdf.KindIRI {
				hint = c.suggest(iri, operatorNames())
			}
			if c.dialect == DelegationProfile && InformationModel.lookupOperator(iri) != noOperator {
				hint = " in the delegation profile"
			}
			note(c.findOf(CodeUnknownOperator, id, propOperator, op, "the operator %s is not known%s", shortTerm(c.d.Term(op)), hint))
		}
	}
	for _, refused := range []struct {
		p    property
		code Code
	}{{propRightOperandReference, CodeRightOperandReference}, {propUnit, CodeUnit}, {propStatus, CodeStatus}} {
		for _, o := range c.objects(id, refused.p) {
			note(c.findOf(refused.code, id, refused.p, o, "%s", refused.code.Text()))
		}
	}
	c.rightOperands(k, id, note)
}

// one returns the only value of a property. It notes when there is none or more than
// one, and returns 0 then.
func (c *compiler) one(k *constraint, id rdf.ID, p property, name string, note func(*Finding)) rdf.ID {
	switch values := c.objects(id, p); len(values) {
	case 0:
		note(c.find(CodeMissingOperand, id, c.d.Term(id), k.place, "the constraint has no odrl:%s", name))
	case 1:
		return values[0]
	default:
		note(c.findOf(CodeSeveralOperands, id, p, values[1], "the constraint has more than one odrl:%s", name))
	}
	return 0
}

// rightOperands reads the values to compare with.
func (c *compiler) rightOperands(k *constraint, id rdf.ID, note func(*Finding)) {
	values := c.objects(id, propRightOperand)
	if len(values) == 0 {
		if !c.has(id, propRightOperandReference) {
			note(c.find(CodeMissingOperand, id, c.d.Term(id), k.place, "the constraint has no odrl:rightOperand"))
		}
		return
	}
	if c.dialect == InformationModel && k.op.isSet() && len(values) == 1 && c.isList(values[0]) {
		items, ok := c.list(values[0])
		if !ok {
			note(c.findOf(CodeUnusableRightOperand, id, propRightOperand, values[0], "the list of right operands is broken"))
			return
		}
		values = items
		if len(values) == 0 {
			note(c.find(CodeMissingOperand, id, c.d.Term(id), k.place, "the list of right operands is empty"))
			return
		}
	}
	if len(values) > 1 && !k.op.isSet() {
		note(c.findOf(CodeSeveralOperands, id, propRightOperand, values[1], "the operator %s takes one right operand", k.op))
	}
	class := plainValue
	if k.left != nil {
		class = k.left.class
	}
	for _, v := range values {
		term, ok := c.typed(id, c.d.Term(v), note)
		o := c.right(v, term, class)
		k.rights = append(k.rights, o)
		k.parses = k.parses || o.numeric || o.class != textOperand && o.class != otherOperand
		membership := k.op == opIsA || k.op == opIsPartOf || k.op == opHasPart
		if ok && (o.class == unusableOperand || membership && term.Kind() != rdf.KindIRI || c.isList(v)) {
			place := c.placeOf(id, propRightOperand, v)
			if place.IsZero() {
				place = k.place // in a list
			}
			why := "is a list"
			if !c.isList(v) {
				why = unusableBecause(o, class, membership)
			}
			note(c.find(CodeUnusableRightOperand, id, term, place, "the right operand %s %s", nodeTerm(term, place), why))
		}
		// A request says who is a member of what is refined, and not who is meant by that.
		if refined := c.objects(v, propRefinement); membership && len(refined) > 0 {
			note(c.findOf(CodeUnusableRightOperand, v, propRefinement, refined[0], "the right operand %s is refined", shortTerm(term)))
		}
	}
	const many = 8 // below, comparing with each is as fast
	if len(k.rights) <= many || slices.ContainsFunc(k.rights, func(o operand) bool { return o.class != textOperand }) {
		return
	}
	k.texts = make(map[string]bool, len(k.rights))
	for i := range k.rights {
		k.texts[k.rights[i].text] = true
		k.most = max(k.most, len(k.rights[i].text))
	}
}

// rightKey is a right operand as it is used.
type rightKey struct {
	value    rdf.ID
	datatype string // of the term that odrl:dataType makes of it
	class    valueClass
}

// right parses a right operand once: a list of long texts can be that of thousands of
// constraints.
func (c *compiler) right(v rdf.ID, t rdf.Term, class valueClass) operand {
	key := rightKey{v, t.Datatype(), class}
	o, ok := c.rights[key]
	if !ok {
		o = newOperand(t, class)
		c.rights[key] = o
	}
	return o
}

// unusableBecause says in words why a right operand is no value.
func unusableBecause(o operand, class valueClass, membership bool) string {
	switch {
	case o.term.Kind() == rdf.KindBlank:
		return "is a blank node"
	case membership:
		return "is not an IRI"
	case len(o.text) > longestTime && (class != plainValue || o.term.Datatype() == vocab.XSDDateTime):
		return "is too long for an instant or a duration"
	case class == instantValue:
		return "is not an instant: xsd:dateTime with a time zone, or xsd:date"
	case class == durationValue:
		return "is not an xsd:duration"
	case o.term.Datatype() == vocab.XSDDateTime:
		return "is not an instant with a time zone"
	}
	return "is ill-typed or not a finite number"
}

// typed applies odrl:dataType to a right operand.
func (c *compiler) typed(id rdf.ID, t rdf.Term, note func(*Finding)) (rdf.Term, bool) {
	types := c.objects(id, propDataType)
	if len(types) == 0 {
		return t, true
	}
	dt := c.d.Term(types[0])
	switch {
	case c.dialect == DelegationProfile || len(types) > 1 || dt.Kind() != rdf.KindIRI || t.Kind() != rdf.KindLiteral:
	case t.Datatype() == dt.Value():
		return t, true
	case t.Datatype() == vocab.XSDString:
		if typed, err := rdf.NewLiteral(t.Value(), dt.Value()); err == nil {
			return typed, true
		}
	}
	note(c.findOf(CodeDataType, id, propDataType, types[0], "the data type does not fit the right operand %s", shortTerm(t)))
	return t, false
}

var leftNames = sync.OnceValue(func() (names []string) {
	for _, l := range leftOperands()[:len(leftOperands())-1] {
		names = append(names, l.name)
	}
	return names
})

var operatorNames = sync.OnceValue(func() (names []string) {
	for o := opEq; o <= opIsPartOf; o++ {
		names = append(names, o.String())
	}
	return names
})

// logicalOperands is what a node has as a logical constraint.
type logicalOperands struct {
	op    operator // noOperator when the node is no logical constraint
	nodes []rdf.ID
	p     property
	// wrong says what is wrong with the operands, "" if nothing is.
	wrong string
}

// logical reads the logical operand of a node and its operands, but not what
// they are.
func (c *compiler) logical(id rdf.ID) *logicalOperands {
	if l := c.operands[id]; l != nil {
		return l
	}
	l := &logicalOperands{}
	c.operands[id] = l
	for i, p := range []property{propAnd, propOr, propXone, propAndSequence} {
		values := c.objects(id, p)
		if len(values) == 0 {
			continue
		}
		if l.op != noOperator {
			l.wrong = "there are two logical operands"
			continue
		}
		l.op, l.p = opAnd+operator(i), p
		lists := 0
		for _, v := range values {
			if c.isList(v) {
				lists++
			}
		}
		switch {
		case lists == 1 && len(values) == 1:
			var ok bool
			if l.nodes, ok = c.list(values[0]); !ok {
				l.wrong = "the list of operands is broken"
			}
		case lists > 0:
			l.wrong = "the operands are partly a list"
		case l.op == opAndSequence:
			l.wrong = "the operands of andSequence must be a list"
		default:
			l.nodes = values
		}
		switch {
		case l.wrong != "":
		case len(l.nodes) < 2:
			l.wrong = "there must be at least two operands"
		case repeated(l.nodes):
			l.wrong = "the operands must all be different"
		}
	}
	return l
}

func repeated(ids []rdf.ID) bool {
	sorted := slices.Clone(ids)
	slices.Sort(sorted)
	return len(slices.Compact(sorted)) != len(ids)
}

// logicalConstraint reads a logical constraint (2.5.2).
func (c *compiler) logicalConstraint(k *constraint, id rdf.ID, l *logicalOperands) {
	k.op = l.op
	k.depth = c.mentionsDepth(id)
	k.problem = c.check(id, onLogical)
	if k.height = c.height(id); k.height > MaxNesting {
		k.problem = c.find(CodeNesting, id, c.d.Term(id), k.place, "constraints are nested deeper than %d levels or in a circle", MaxNesting)
		return
	}
	if l.wrong != "" && k.problem == nil {
		k.problem = c.find(CodeLogicalOperands, id, c.d.Term(id), k.place, "%s: %s", k.op, l.wrong)
	}
	for _, n := range l.nodes {
		part := c.constraint(id, l.p, n)
		k.parts = append(k.parts, part)
		k.depth = k.depth || part.depth
		k.size = min(k.size+part.size, c.limits.Checks+1)
	}
}

// height returns how deep the constraints below a node are nested, itself
// included, and more than MaxNesting when it is deeper or in a circle. It keeps
// a stack of its own: the nesting comes from outside.
func (c *compiler) height(id rdf.ID) int {
	const open = -1
	type frame struct {
		id   rdf.ID
		next int
		most int
	}
	if h, ok := c.heights[id]; ok && h != open {
		return h
	}
	stack := []frame{{id: id}}
	c.heights[id] = open
	for {
		f := &stack[len(stack)-1]
		nodes := c.logical(f.id).nodes
		if f.next < len(nodes) {
			child := nodes[f.next]
			f.next++
			switch h, ok := c.heights[child]; {
			case !ok:
				c.heights[child] = open
				stack = append(stack, frame{id: child})
			case h == open:
				f.most = MaxNesting + 1
			default:
				f.most = max(f.most, h)
			}
			continue
		}
		h := min(f.most+1, MaxNesting+1)
		c.heights[f.id] = h
		stack = stack[:len(stack)-1]
		if len(stack) == 0 {
			return h
		}
		top := &stack[len(stack)-1]
		top.most = max(top.most, h)
	}
}

// mentionsDepth reports whether a node itself compares the delegation depth,
// whatever else is wrong with it.
func (c *compiler) mentionsDepth(id rdf.ID) bool {
	for _, o := range c.objects(id, propLeftOperand) {
		if c.d.Value(o) == vocab.ODRLDDelegationDepth {
			return true
		}
	}
	return false
}

// isList reports whether a node claims to be a list.
func (c *compiler) isList(id rdf.ID) bool {
	return id == c.nilList && id != 0 || c.has(id, propFirst) || c.has(id, propRest)
}

// list returns the items of a list, and whether it is one: every node with one
// rdf:first and one rdf:rest and nothing else to say, ending in rdf:nil. A list that a thousand constraints share
// is walked once, and what they all have of it is no more than what is checked.
func (c *compiler) list(id rdf.ID) ([]rdf.ID, bool) {
	items, ok := c.lists[id]
	if !ok {
		items = c.walkList(id)
		c.lists[id] = items
	}
	if c.listed += len(items); c.listed > c.limits.Checks {
		c.exceed(LimitChecks, c.limits.Checks, c.subjectPlace(id))
		return nil, false
	}
	return items, items != nil
}

// walkList returns nil for what is no list.
func (c *compiler) walkList(id rdf.ID) []rdf.ID {
	items := []rdf.ID{}
	seen := map[rdf.ID]bool{}
	for id != c.nilList {
		if seen[id] {
			return nil
		}
		seen[id] = true
		first, rest := c.objects(id, propFirst), c.objects(id, propRest)
		if len(first) != 1 || len(rest) != 1 || c.check(id, onList) != nil {
			return nil
		}
		if len(items) == c.limits.List {
			c.exceed(LimitList, c.limits.List, c.placeOf(id, propFirst, first[0]))
			return nil
		}
		items = append(items, first[0])
		id = rest[0]
	}
	return items
}
