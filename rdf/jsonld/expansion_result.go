package jsonld

import (
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// finish is steps 15 to 20 of the expansion algorithm (section 5.1.2): it makes
// of an object's result what it stands for, and pushes that.
func (p *processor) finish(f *frame, o *object) (shape, error) {
	switch {
	case o.has&hasValue != 0:
		// 15)
		return p.finishValue(f, o)
	case o.has&(hasSet|hasList) != 0:
		// 17)
		return p.finishSet(f, o)
	case o.has&entries == hasLanguage:
		// 18)
		return nothing, p.lost(CodeFreeFloating, f.v, o.language, "a language without a value")
	}
	// 16) is how types are kept, anyway.
	if o.has&jsonType != 0 {
		if err := p.lost(CodeReservedTerm, f.v, "@json", "only a value can be of this type"); err != nil {
			return nothing, err
		}
	}
	if f.ap.floats() {
		switch o.has & entries {
		case 0:
			// 19.1) Nothing is lost with what is empty.
			return nothing, nil
		case hasID:
			// 19.2)
			return nothing, p.lost(CodeFreeFloating, f.v, o.idText, "nothing is said about the node")
		}
		if o.has&hasID != 0 && p.saysNothing(o.members) {
			if err := p.lost(CodeFreeFloating, f.v, o.idText, "nothing is said about the node"); err != nil {
				return nothing, err
			}
		}
	}
	if bare := o.has & entries; bare == 0 || bare == hasID {
		if err := p.floatsInGraph(f, o.idText); err != nil {
			return nothing, err
		}
	}
	if o.has&(hasLanguage|hasDirection) != 0 {
		if err := p.lost(CodeFreeFloating, f.v, o.language, "a language or base direction of a node, which has no value"); err != nil {
			return nothing, err
		}
	}
	e := element{kind: nodeObject, has: o.has & entries, term: o.id, members: o.members, ref: f.v.Ref()}
	if o.has&hasIndex != 0 {
		p.setIndex(&e, o.index)
	}
	return one, p.push(e, f.v)
}

// floatsInGraph refuses what is no more than a value, a list or a reference where the
// container of its property is a graph in the context within it. Others drop it, whether or
// not a graph comes of it here, as none does of what is in no map (step 13.12).
func (p *processor) floatsInGraph(f *frame, term string) error {
	if p.lossy || !f.ap.in(p, f.c).inGraph() {
		return nil
	}
	return refusal(CodeFreeFloating, p.doc, f.v, term, "what a graph holds is a node and what is said about it")
}

// saysNothing reports whether a node has no entry that says something about it:
// an index and an empty array do not, nor do nodes that it merely includes.
func (p *processor) saysNothing(members chain) bool {
	for i := members.first; i != 0; i = p.entries[i-1].next {
		if p.entries[i-1].kind != includedEntry {
			return false
		}
	}
	return true
}

// valueEntries are the entries that a value object may have.
const valueEntries = hasDirection | hasIndex | hasLanguage | hasType | hasValue

// finishValue is step 15, and step 19.1 for what floats free.
func (p *processor) finishValue(f *frame, o *object) (shape, error) {
	// 15.1)
	if o.has&entries&^valueEntries != 0 || o.has&hasType != 0 && o.has&(hasLanguage|hasDirection) != 0 {
		return nothing, refusal(CodeInvalidValueObject, p.doc, f.v, "", "")
	}
	// 15.2)
	json := o.has&(hasType|typeList) == hasType && o.typ.typeKeyword == kwJSON
	if !json {
		// 15.3)
		if o.value.IsNull() {
			return nothing, nil
		}
		if err := p.checkValue(f, o); err != nil {
			return nothing, err
		}
	}
	if f.ap.floats() {
		return nothing, p.lost(CodeFreeFloating, o.value, scalar(o.value), "")
	}
	if err := p.floatsInGraph(f, ""); err != nil {
		return nothing, err
	}
	base := len(p.stack)
	var err error
	if json {
		err = p.pushJSON(o.value)
	} else {
		err = p.pushValue(o)
	}
	if err != nil {
		return nothing, err
	}
	if o.has&hasIndex != 0 {
		p.setIndex(&p.elements[p.stack[base]], o.index)
	}
	return one, nil
}

// checkValue is steps 15.4 and 15.5: what a value other than a JSON literal must be.
func (p *processor) checkValue(f *frame, o *object) error {
	kind := o.value.Kind()
	switch {
	case o.has&hasLanguage != 0 && kind != strictjson.String:
		// 15.4)
		return refusal(CodeInvalidLanguageTaggedValue, p.doc, o.value, scalar(o.value), "")
	case o.has&hasType != 0 && (o.has&typeList != 0 || o.typ == nil || o.typ.typeKeyword != noKeyword || o.typ.typeBlank || o.typ.typ.id == 0):
		// 15.5)
		return refusal(CodeInvalidTypedValue, p.doc, f.v, o.typeText(), "")
	case kind == strictjson.Array || kind == strictjson.Object:
		// Step 13.4.7 allows them when the type is @json under the type-scoped
		// context, while here it is what it was before.
		return refusal(CodeInvalidValueObjectValue, p.doc, o.value, "", "found "+kind.String())
	}
	return nil
}

// pushValue pushes the value object of a scalar.
func (p *processor) pushValue(o *object) error {
	e := element{kind: valueObject, has: o.has & valueEntries &^ (hasLanguage | hasDirection | hasIndex), ref: o.value.Ref()}
	if o.has&hasType != 0 {
		e.term = o.typ.typ
	}
	if o.has&hasLanguage != 0 {
		p.setLanguage(&e, newTag(o.language))
	}
	if o.has&hasDirection != 0 {
		if err := p.checkDirection(o.value, o.direction); err != nil {
			return err
		}
		if o.value.Kind() != strictjson.String {
			if err := p.lost(CodeDirectionDropped, o.value, scalar(o.value), "only a string can have a base direction and keep its type"); err != nil {
				return err
			}
		}
		e.dir = o.direction
		e.has |= hasDirection
	}
	return p.pushScalar(e, o.value)
}

// finishSet is step 17, and step 19.1 for lists.
func (p *processor) finishSet(f *frame, o *object) (shape, error) {
	// 17.1)
	other := o.has & entries &^ hasIndex
	if other != hasSet && other != hasList {
		return nothing, refusal(CodeInvalidSetOrList, p.doc, f.v, "", "")
	}
	if other == hasList {
		if err := p.floatsInGraph(f, ""); err != nil {
			return nothing, err
		}
		e := element{kind: listObject, has: hasList, members: o.items, ref: f.v.Ref()}
		if o.has&hasIndex != 0 {
			p.setIndex(&e, o.index)
		}
		return one, p.push(e, f.v)
	}
	// What makes a list of the result, step 13.11, is the property as it was outside of the set.
	around := o.set == one && p.elements[p.entries[o.items.first-1].value].kind == listObject && f.ap.key.inList()
	if f.ap.item || around {
		if err := p.lost(CodeInvalidSetOrList, f.v, "", "a set in a list, or around one, is a list for some readers and not for others"); err != nil {
			return nothing, err
		}
	}
	// 17.2)
	for i := o.items.first; i != 0; i = p.entries[i-1].next {
		p.stack = append(p.stack, p.entries[i-1].value)
	}
	// Nothing else refers to the entries, and sets in sets would leave as many for each
	// level: they stand together, and mostly at the end.
	if o.items.first != 0 && int(o.items.last) == len(p.entries) {
		p.entries = p.entries[:o.items.first-1]
	}
	return o.set, nil
}
