package jsonld

import (
	"errors"
	"strings"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
)

// features is steps 19 to 25 of the create term definition algorithm (section
// 4.2.2): what a term says about its values.
func (t *termMaker) features() error {
	// 19)
	if t.m.container.Exists() {
		if err := t.container(); err != nil {
			return err
		}
	}
	// 20)
	if t.m.index.Exists() {
		if err := t.indexMapping(); err != nil {
			return err
		}
	}
	// 21)
	if t.m.context.Exists() {
		if err := t.scopedContext(); err != nil {
			return err
		}
	}
	// 22)
	if v := t.m.language; v.Exists() && !t.m.typ.Exists() {
		s, ok := v.Str()
		if !ok && !v.IsNull() {
			return t.refuse(CodeInvalidLanguageMapping, v, "found "+v.Kind().String())
		}
		t.d.hasLang, t.d.tagged, t.d.language = true, ok, newTag(s)
	}
	// 23)
	if v := t.m.direction; v.Exists() && !t.m.typ.Exists() {
		if t.p.mode10 {
			return t.refuse(CodeInvalidTermDefinition, v, reason10)
		}
		var err error
		if t.d.direction, err = readDirection(v, t.org); err != nil {
			return err
		}
	}
	// 24)
	if v := t.m.nest; v.Exists() {
		if t.p.mode10 {
			return t.refuse(CodeInvalidTermDefinition, v, reason10)
		}
		s, ok := v.Str()
		if k := lookupKeyword(s); !ok || k != noKeyword && k != kwNest {
			return t.refuse(CodeInvalidNestValue, v, "")
		}
		t.d.nest = s
	}
	// 25)
	if v := t.m.prefix; v.Exists() {
		if t.p.mode10 || strings.ContainsAny(t.term, ":/") {
			return t.refuse(CodeInvalidTermDefinition, v, "@prefix is for terms without colon and slash, in JSON-LD 1.1")
		}
		var ok bool
		if t.d.prefix, ok = v.Bool(); !ok {
			return t.refuse(CodeInvalidPrefixValue, v, "found "+v.Kind().String())
		}
		if t.d.prefix && t.d.keyword != noKeyword {
			return t.refuse(CodeInvalidTermDefinition, v, "a keyword cannot be a prefix")
		}
	}
	return nil
}

// container is step 19, and step 13.5 for reverse properties.
func (t *termMaker) container() error {
	v := t.m.container
	set, ok := readContainers(v)
	// 13.5)
	if t.d.reverse && (!ok || set&^(inSet|inIndex) != 0) {
		return t.refuse(CodeInvalidReverseProperty, v, "a reverse property can only be in an index or a set")
	}
	// 19.1)
	if !ok {
		return t.refuse(CodeInvalidContainerMapping, v, "")
	}
	// 19.2)
	if t.p.mode10 && (v.Kind() != strictjson.String || set&(inGraph|inID|inType) != 0) {
		return t.refuse(CodeInvalidContainerMapping, v, reason10)
	}
	// 19.3)
	t.d.containers = set
	// 19.4)
	if set&inType != 0 {
		switch t.d.typ {
		case noType:
			t.d.typ = typeID
		case typeID, typeVocab:
		default:
			return t.refuse(CodeInvalidTypeMapping, v, "what is in a type map can only be of type @id or @vocab")
		}
	}
	return nil
}

// readContainers reads the value of @container: one container, or a
// combination that step 19.1 allows.
func readContainers(v strictjson.Value) (set containers, ok bool) {
	if s, isString := v.Str(); isString {
		set = containerOf(s)
		return set, set != 0
	}
	if v.Kind() != strictjson.Array || v.Len() == 0 {
		return 0, false
	}
	for _, item := range v.Items() {
		s, _ := item.Str()
		c := containerOf(s)
		if c == 0 || set&c != 0 {
			return 0, false
		}
		set |= c
	}
	switch rest := set &^ inSet; rest {
	case 0, inIndex, inGraph, inID, inType, inLanguage, inGraph | inID, inGraph | inIndex:
		return set, true
	case inList:
		return set, set&inSet == 0
	}
	return 0, false
}

// indexMapping is step 20.
func (t *termMaker) indexMapping() error {
	v := t.m.index
	// 20.1)
	if t.p.mode10 || t.d.containers&inIndex == 0 {
		return t.refuse(CodeInvalidTermDefinition, v, "@index is for terms in an index container, in JSON-LD 1.1")
	}
	// 20.2)
	s, ok := v.Str()
	if !ok {
		return t.refuse(CodeInvalidTermDefinition, v, "found "+v.Kind().String())
	}
	_, iri, err := t.expand(s)
	if err != nil {
		return err
	}
	if !isIRI(iri) {
		return t.refuse(CodeInvalidTermDefinition, v, "the value of @index must map to an IRI")
	}
	// 20.3)
	t.d.index = s
	return nil
}

// scopedContext is step 21.
func (t *termMaker) scopedContext() error {
	v := t.m.context
	// 21.1)
	if t.p.mode10 {
		return t.refuse(CodeInvalidTermDefinition, v, reason10)
	}
	// 21.2) and 21.3) wait for the other terms, see checkScoped.
	t.local.scoped = append(t.local.scoped, scopedEntry{term: t.term, context: v, org: t.org})
	// 21.4)
	t.d.local = v
	return nil
}

// checkScoped is steps 21.2 and 21.3 for all terms of a local context, over the context that
// these have made. The specification has them where each term is defined, so that it would
// depend on the order of the terms which others a scoped context can refer to. The results
// are of no use: it is to find errors early.
func (p *processor) checkScoped(c *activeContext, local *localContext) error {
	for _, s := range local.scoped {
		if p.making++; p.making > p.nesting {
			return p.over(rdf.LimitNesting, int64(p.nesting), s.org, s.context)
		}
		_, err := p.processContext(c, s.context, contextCall{org: s.org, remote: local.call.remote, override: true, validating: true})
		p.making--
		if err == nil {
			continue
		}
		var e *Error
		if !errors.As(err, &e) || e.Code == CodeLoadingRemoteContext {
			return err
		}
		reason := e.text()
		if e.Code == CodeInvalidScopedContext {
			reason = e.Reason
		}
		return &Error{Code: CodeInvalidScopedContext, Place: e.Place, Pointer: e.Pointer, Term: s.term, Reason: reason}
	}
	return nil
}
