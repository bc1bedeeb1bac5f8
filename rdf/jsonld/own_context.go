package jsonld

import "github.com/rdfproto/rdfproto/internal/strictjson"

// ownContext returns what the scoped context of a term makes of c, and nil if the term
// has none that stands in the document: what is pinned is the caller's.
func (p *processor) ownContext(c *activeContext, k *key) (*activeContext, error) {
	if p.lossy || k == nil || k.def == nil || !k.def.local.Exists() || k.def.org.pin != nil {
		return nil, nil
	}
	return p.scope(c, k.def, propertyScope)
}

// checkOwnContext refuses a property whose own scoped context changes what is looked up
// outside of it: whether the property is a reverse one (step 13.13), what the names in its
// map mean (steps 13.7 and 13.8), that context itself (steps 3 and 8), and what that is
// processed over. Readers that are in wide use look it up within, and so apply the context
// to itself.
func (p *processor) checkOwnContext(f *frame, k *key, m strictjson.Member) error {
	own, err := p.ownContext(f.c, k)
	if own == nil {
		return err
	}
	d := own.lookup(k.name)
	if d == nil {
		d = noDefinition
	}
	// Only what holds objects meets the context again.
	structured := m.Value.Kind() == strictjson.Object || m.Value.Kind() == strictjson.Array
	gone := !d.local.Exists() && f.c.previous != nil && own.previous != nil // with that of a type
	switch {
	case d.reverse != k.def.reverse:
		return refusal(CodeInvalidReverseProperty, p.doc, m.Name, k.name, "whether it is a reverse property is not the same within its own context")
	case d.keyword == kwGraph, d.keyword == kwReverse, d.keyword != noKeyword && !onlyObjects(m.Value):
		return refusal(CodeInvalidScopedContext, p.doc, m.Name, k.name, "its own context makes it a keyword")
	case structured && (gone || d.local.Exists() && d.local != k.def.local):
		return refusal(CodeInvalidScopedContext, p.doc, m.Name, k.name, "its own context gives it another one")
	case m.Value.Kind() == strictjson.Object && !p.sameNames(own, k, d, m.Value):
		return refusal(CodeInvalidScopedContext, p.doc, m.Name, k.name, "the names in its map are not the same within its own context")
	}
	if !structured || !d.local.Exists() || d.local.Kind() == strictjson.String { // what is pinned
		return nil
	}
	twice, err := p.scope(own, d, propertyScope)
	if err != nil {
		return err
	}
	if twice != own && !p.sameContext(own, twice) {
		return refusal(CodeInvalidScopedContext, p.doc, m.Name, k.name, "its own context is another one within itself")
	}
	return nil
}

// onlyObjects reports whether a value is an object or an array of objects.
func onlyObjects(v strictjson.Value) bool {
	for _, item := range v.Items() {
		if item.Kind() != strictjson.Object {
			return false
		}
	}
	return v.Kind() == strictjson.Object || v.Kind() == strictjson.Array
}

// sameContext reports whether a context is as it was before twice was made of it.
func (p *processor) sameContext(once, twice *activeContext) bool {
	if same, ok := p.settled[twice]; ok {
		return same
	}
	same := once.vocab == twice.vocab && once.hasVocab == twice.hasVocab &&
		(once.base == twice.base || once.base != nil && twice.base != nil && *once.base == *twice.base)
	for l := twice.terms; l != nil && l != once.terms && same; l = l.below {
		for term, d := range l.own {
			same = same && p.sameTerm(d, once.lookup(term))
		}
	}
	if p.settled == nil {
		p.settled = map[*activeContext]bool{}
	}
	p.settled[twice] = same
	return same
}

// sameTerm reports whether two definitions, or lacks of one, are the same.
func (p *processor) sameTerm(d, e *definition) bool {
	return d == e || d != nil && e != nil && p.same(d, e)
}

// sameNames reports whether the names in the map of a term mean the same where the term is
// looked up and in its own context, where it is as in inner.
func (p *processor) sameNames(own *activeContext, k *key, inner *definition, v strictjson.Value) bool {
	c, d := k.memo.c, k.def
	relative, vocab := false, false
	switch in := d.containers; {
	case in&inID != 0:
		relative = true
	case in&inType != 0:
		vocab = true
	case d.index != "":
		if !p.sameIndex(own, k, inner) {
			return false
		}
		i := k.indexKey().def
		relative = i != nil && (i.typ == typeID || i.typ == typeVocab)
		vocab = relative && i.typ == typeVocab
	case in&inLanguage != 0:
		if own.direction != c.direction {
			return false
		}
	default:
		return true
	}
	for name := range v.Members() {
		if p.expandIRI(c, name, false, true).keyword != p.expandIRI(own, name, false, true).keyword {
			return false
		}
		if !relative && !vocab {
			continue
		}
		e := p.expandIRI(c, name, relative, vocab)
		if e != p.expandIRI(own, name, relative, vocab) || e.relative && own.base != c.base {
			return false
		}
	}
	return true
}

// sameIndex reports whether the index mapping of a term means the same where the term is
// looked up and in its own context, where it is as in inner. It is found once for all maps
// of the term.
func (p *processor) sameIndex(own *activeContext, k *key, inner *definition) bool {
	m := meaning{k, own}
	same, known := p.sameIndexes[m]
	if !known {
		c, index := k.memo.c, k.indexKey()
		same = inner.index == k.def.index && p.sameTerm(p.keyIn(index, own).def, index.def) &&
			own.language == c.language && own.tagged == c.tagged && own.direction == c.direction
		if p.sameIndexes == nil {
			p.sameIndexes = map[meaning]bool{}
		}
		p.sameIndexes[m] = same
	}
	return same
}
