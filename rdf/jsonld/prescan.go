package jsonld

import (
	"slices"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// reference is a reference to a remote context.
type reference struct {
	value strictjson.Value // the string
	org   *origin          // the text that it stands in
	iri   string           // what it resolves to, as it is written when it does not
	code  Code             // why it is refused, whatever the table holds; "" when it is not

	imported bool // it is the value of @import
}

// references returns the references to remote contexts within a context. It may be a
// string, hold strings or import a context, and so may the contexts of the term
// definitions in it, at any depth.
func references(context strictjson.Value, org *origin) []reference {
	refs := appendReferences(nil, context, org)
	open := []strictjson.Value{context}
	for len(open) > 0 {
		v := open[len(open)-1]
		open = open[:len(open)-1]
		for _, item := range v.Items() {
			open = append(open, item)
		}
		for name, value := range v.Members() {
			if name == "@context" {
				refs = appendReferences(refs, value, org)
			}
			open = append(open, value)
		}
	}
	return refs
}

// appendReferences appends what the value of one @context member refers to
// directly.
func appendReferences(refs []reference, context strictjson.Value, org *origin) []reference {
	switch context.Kind() {
	case strictjson.String:
		return append(refs, newReference(context, org))
	case strictjson.Object:
		if imported := context.Get("@import"); imported.Kind() == strictjson.String {
			ref := newReference(imported, org)
			ref.imported = true
			return append(refs, ref)
		}
	case strictjson.Array:
		for _, item := range context.Items() {
			if item.Kind() != strictjson.Array {
				refs = appendReferences(refs, item, org)
			}
		}
	}
	return refs
}

// newReference resolves a reference against the text that it stands in (section
// 4.1.2, step 5.2.1).
func newReference(v strictjson.Value, org *origin) reference {
	s, _ := v.Str()
	if hasScheme(s) {
		return reference{value: v, org: org, iri: s}
	}
	iri, err := org.base.Resolve(nil, s)
	if err != nil {
		return reference{value: v, org: org, iri: s, code: CodeLoadingDocumentFailed}
	}
	return reference{value: v, org: org, iri: string(iri)}
}

// unpinned returns the references at any depth of the document that the table
// cannot serve, in the order of the text. The value of every @context member
// counts, whether or not expansion would come to it.
func (p *processor) unpinned(org *origin) []reference {
	var out []reference
	for context := range org.root.Named("@context") {
		for _, ref := range appendReferences(nil, context, org) {
			if ref.imported && p.options.NoImport {
				ref.code = CodeInvalidContextEntry
			}
			pin := p.table.pin(ref.iri)
			if ref.code == "" && pin != nil && pin.missing == nil {
				continue
			}
			out = append(out, ref)
		}
	}
	slices.SortFunc(out, func(a, b reference) int { return a.value.Offset() - b.value.Offset() })
	return out
}

// firstOutside returns the first of the references, which are in the order of
// the text, that stands in no JSON literal, and nil if all do.
func firstOutside(refs []reference, literals []strictjson.Value) *reference {
	type span struct{ from, to int }
	spans := make([]span, len(literals))
	for i, l := range literals {
		spans[i] = span{l.Offset(), l.Offset() + len(l.Source())}
	}
	slices.SortFunc(spans, func(a, b span) int { return a.from - b.from })
	// A literal holds no other, so that the last one to begin before a
	// reference is the only one that can hold it.
	for i := range refs {
		off := refs[i].value.Offset()
		for len(spans) > 1 && spans[1].from <= off {
			spans = spans[1:]
		}
		if len(spans) == 0 || off < spans[0].from || off >= spans[0].to {
			return &refs[i]
		}
	}
	return nil
}

// refuseReference returns the error for a reference that the table cannot serve.
func (p *processor) refuseReference(ref reference) error {
	pin := p.table.pin(ref.iri)
	switch {
	case ref.code != "":
		return refusal(ref.code, ref.org, ref.value, ref.iri, "")
	case pin != nil && pin.missing != nil:
		return refusal(CodeLoadingRemoteContext, ref.org, ref.value, pin.missing.iri,
			"a context that was given needs it, but it was not given")
	default:
		return refusal(CodeLoadingRemoteContext, ref.org, ref.value, ref.iri, "")
	}
}
