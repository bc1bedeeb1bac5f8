package jsonld

import (
	"strings"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
)

// ensureDefined makes the definition of a term that the local context has an
// entry for, if it is not there yet.
func (p *processor) ensureDefined(c *activeContext, local *localContext, term string) error {
	i := local.find(term)
	if i < 0 || local.entries[i].state == defined {
		return nil
	}
	return p.createTerm(c, local, i)
}

// createTerm is the create term definition algorithm (section 4.2.2) for one
// entry of a local context; c is the context that is being made.
func (p *processor) createTerm(c *activeContext, local *localContext, i int) error {
	entry := &local.entries[i]
	term, org := entry.term, local.org(entry.value)
	// 1)
	switch entry.state {
	case defined:
		return nil
	case beingDefined:
		return refusal(CodeCyclicIRIMapping, org, entry.name, term, "")
	}
	// 2)
	if term == "" {
		return refusal(CodeInvalidTermDefinition, org, entry.name, "", "a term cannot be empty")
	}
	entry.state = beingDefined
	if p.making++; p.making > p.nesting {
		return p.over(rdf.LimitNesting, int64(p.nesting), org, entry.name)
	}
	// 3) to 27)
	d, err := p.newDefinition(c, local, entry, org)
	p.making--
	if err != nil {
		return p.at(err, org, entry.name)
	}
	// 28) Without a definition the term is passed over, but what it meant
	// before is gone.
	if d != nil || c.lookup(term) != nil {
		c.define(term, d)
	}
	entry.state = defined
	return nil
}

// newDefinition is steps 3 to 27. It returns nil without an error when the term
// is to be ignored.
func (p *processor) newDefinition(c *activeContext, local *localContext, entry *localEntry, org *origin) (*definition, error) {
	term, value := entry.term, entry.value
	if k := lookupKeyword(term); k == kwType {
		// 4)
		if err := p.checkTypeEntry(value, org); err != nil {
			return nil, err
		}
	} else if k != noKeyword {
		// 5)
		return nil, refusal(CodeKeywordRedefinition, org, entry.name, term, "")
	} else if keywordForm(term) {
		return nil, nil
	}
	// 6) The definition before is taken away only where that makes a
	// difference: while this one is being made, nothing looks at it.
	previous := c.lookup(term)
	if previous != nil {
		c.define(term, nil)
	}
	// 7) to 9)
	m, err := readTermMembers(term, value, org)
	if err != nil {
		return nil, err
	}
	d := &definition{org: org}
	t := termMaker{p: p, c: c, local: local, org: org, entry: entry, term: term, m: &m, d: d, simple: value.Kind() == strictjson.String}
	if err := t.protection(); err != nil {
		return nil, err
	}
	ok, err := t.mapping()
	if err != nil {
		return nil, err
	}
	if ok {
		err = t.features()
	} else {
		d = nil
	}
	if err != nil {
		return nil, err
	}
	// 27) A definition that is ignored would take a protected term away.
	if !local.call.override && previous != nil && previous.protected {
		// 27.1)
		if d == nil || !p.same(d, previous) {
			return nil, refusal(CodeProtectedTermRedefinition, org, entry.name, term, "")
		}
		// 27.2)
		return previous, nil
	}
	return d, nil
}

// checkTypeEntry is step 4: what a context may say about @type itself.
func (p *processor) checkTypeEntry(v strictjson.Value, org *origin) error {
	if p.mode10 {
		return refusal(CodeKeywordRedefinition, org, v, "@type", reason10)
	}
	ok := v.Kind() == strictjson.Object && v.Len() > 0
	for name, value := range v.Members() {
		switch lookupKeyword(name) {
		case kwContainer:
			s, _ := value.Str()
			ok = ok && containerOf(s) == inSet
		case kwProtected:
		default:
			ok = false
		}
	}
	if !ok {
		return refusal(CodeKeywordRedefinition, org, v, "@type", "only its container, @set, and its protection can be defined")
	}
	return nil
}

// termMembers are the members of an expanded term definition.
type termMembers struct {
	id, reverse, typ, container, context, language, direction, index, nest, prefix, protected strictjson.Value
}

// readTermMembers is steps 7 to 9: it reads a term definition, simple or expanded. Step
// 26 refuses what an expanded one cannot have.
func readTermMembers(term string, value strictjson.Value, org *origin) (m termMembers, err error) {
	switch value.Kind() {
	case strictjson.Null, strictjson.String:
		m.id = value
		return m, nil
	case strictjson.Object:
	default:
		return m, refusal(CodeInvalidTermDefinition, org, value, term, "found "+value.Kind().String())
	}
	for i := range value.Len() {
		member := value.Member(i)
		var slot *strictjson.Value
		switch lookupKeyword(member.Str()) {
		case kwID:
			slot = &m.id
		case kwReverse:
			slot = &m.reverse
		case kwType:
			slot = &m.typ
		case kwContainer:
			slot = &m.container
		case kwContext:
			slot = &m.context
		case kwLanguage:
			slot = &m.language
		case kwDirection:
			slot = &m.direction
		case kwIndex:
			slot = &m.index
		case kwNest:
			slot = &m.nest
		case kwPrefix:
			slot = &m.prefix
		case kwProtected:
			slot = &m.protected
		default:
			return m, refusal(CodeInvalidTermDefinition, org, member.Name, member.Str(), "a term definition cannot have this member")
		}
		*slot = member.Value
	}
	return m, nil
}

// termMaker carries what the steps of one definition share.
type termMaker struct {
	p      *processor
	c      *activeContext
	local  *localContext
	org    *origin
	entry  *localEntry
	term   string
	m      *termMembers
	d      *definition
	simple bool // the entry is a string
}

func (t *termMaker) refuse(code Code, v strictjson.Value, reason string) error {
	return refusal(code, t.org, v, t.term, reason)
}

// protection is steps 10 and 11.
func (t *termMaker) protection() error {
	// 10)
	t.d.protected, _ = t.local.protected.Bool()
	v := t.m.protected
	if !v.Exists() {
		return nil
	}
	// 11)
	if t.d.protected, _ = v.Bool(); v.Kind() != strictjson.Bool {
		return t.refuse(CodeInvalidProtectedValue, v, "found "+v.Kind().String())
	}
	if t.p.mode10 {
		return t.refuse(CodeInvalidTermDefinition, v, reason10)
	}
	return nil
}

// expand expands a string of the definition as vocabulary, defining the terms
// that it needs.
func (t *termMaker) expand(s string) (keyword, string, error) {
	e, err := t.p.expandLocal(t.c, s, t.local)
	if err != nil || e.keyword != noKeyword || e.null {
		return e.keyword, "", err
	}
	iri, err := t.p.contextIRI(t.c, e)
	return noKeyword, iri, err
}

// mapping is steps 12 to 18: the type mapping and the IRI mapping. It returns
// false when the term is to be ignored.
func (t *termMaker) mapping() (ok bool, err error) {
	// 12)
	if t.m.typ.Exists() {
		if err := t.typeMapping(); err != nil {
			return false, err
		}
	}
	colon := strings.IndexByte(t.term, ':')
	id, isString := t.m.id.Str()
	switch {
	case t.m.reverse.Exists():
		// 13)
		return t.reverse()
	case t.m.id.Exists() && !(isString && id == t.term):
		// 14)
		return t.idMapping()
	case colon > 0 || colon == 0 && strings.IndexByte(t.term[1:], ':') >= 0:
		// 15)
		prefix, suffix := t.term[:colon], t.term[colon+1:]
		if prefix != "_" && !strings.HasPrefix(suffix, "//") {
			if err := t.p.ensureDefined(t.c, t.local, prefix); err != nil {
				return false, err
			}
			if def := t.c.lookup(prefix); def != nil {
				if !def.mapped || def.keyword != noKeyword {
					return true, nil // null or a keyword, and the suffix behind it: no IRI
				}
				t.d.mapped = true
				t.d.iri, err = t.p.contextIRI(t.c, expandedIRI{head: def.iri, tail: suffix})
				return true, err
			}
		}
		t.d.mapped, t.d.iri = true, t.term
		return true, nil
	case strings.IndexByte(t.term, '/') >= 0:
		// 16)
		iri, err := t.p.contextIRI(t.c, t.p.expandIRI(t.c, t.term, false, true))
		if err != nil {
			return false, err
		}
		if !isIRI(iri) {
			return false, t.refuse(CodeInvalidIRIMapping, t.entry.name, "")
		}
		t.d.mapped, t.d.iri = true, iri
		return true, nil
	case t.term == "@type":
		// 17)
		t.d.mapped, t.d.keyword = true, kwType
		return true, nil
	case t.c.hasVocab:
		// 18)
		t.d.mapped = true
		t.d.iri, err = t.p.contextIRI(t.c, expandedIRI{head: t.c.vocab, tail: t.term})
		return true, err
	}
	return false, t.refuse(CodeInvalidIRIMapping, t.entry.name, "there is neither an @id nor a @vocab")
}

// typeMapping is step 12.
func (t *termMaker) typeMapping() error {
	v := t.m.typ
	// 12.1)
	s, ok := v.Str()
	if !ok {
		return t.refuse(CodeInvalidTypeMapping, v, "found "+v.Kind().String())
	}
	// 12.2)
	k, iri, err := t.expand(s)
	if err != nil {
		return err
	}
	switch k {
	case kwID:
		t.d.typ = typeID
	case kwVocab:
		t.d.typ = typeVocab
	case kwJSON, kwNone:
		// 12.3)
		if t.p.mode10 {
			return t.refuse(CodeInvalidTypeMapping, v, reason10)
		}
		t.d.typ = typeJSON
		if k == kwNone {
			t.d.typ = typeNone
		}
	default:
		// 12.4)
		if k != noKeyword || !isIRI(iri) {
			return t.refuse(CodeInvalidTypeMapping, v, "")
		}
		t.d.typ, t.d.datatype = typeIRI, iri
	}
	return nil
}

// reverse is step 13.
func (t *termMaker) reverse() (ok bool, err error) {
	v := t.m.reverse
	// 13.1)
	if t.m.id.Exists() || t.m.nest.Exists() {
		return false, t.refuse(CodeInvalidReverseProperty, v, "it has an @id or @nest as well")
	}
	// 13.2)
	s, isString := v.Str()
	if !isString {
		return false, t.refuse(CodeInvalidIRIMapping, v, "found "+v.Kind().String())
	}
	// 13.3)
	if lookupKeyword(s) == noKeyword && keywordForm(s) {
		return false, nil
	}
	// 13.4)
	_, iri, err := t.expand(s)
	if err != nil {
		return false, err
	}
	if !isIRI(iri) && !isBlank(iri) {
		return false, t.refuse(CodeInvalidIRIMapping, v, "")
	}
	t.d.mapped, t.d.iri, t.d.reverse = true, iri, true
	// 13.5) Step 19 reads the container, which may be null here.
	if t.m.container.IsNull() {
		t.m.container = strictjson.Value{}
	}
	return true, nil
}

// idMapping is step 14.
func (t *termMaker) idMapping() (ok bool, err error) {
	v := t.m.id
	// 14.1)
	if v.IsNull() {
		return true, nil
	}
	// 14.2.1)
	s, isString := v.Str()
	if !isString {
		return false, t.refuse(CodeInvalidIRIMapping, v, "found "+v.Kind().String())
	}
	// 14.2.2)
	if lookupKeyword(s) == noKeyword && keywordForm(s) {
		return false, nil
	}
	// 14.2.3)
	k, iri, err := t.expand(s)
	if err != nil {
		return false, err
	}
	if k == kwContext {
		return false, t.refuse(CodeInvalidKeywordAlias, v, "")
	}
	if k == noKeyword && !isIRI(iri) && !isBlank(iri) {
		return false, t.refuse(CodeInvalidIRIMapping, v, "")
	}
	t.d.mapped, t.d.keyword, t.d.iri = true, k, iri
	// 14.2.4)
	colon, slash := strings.IndexByte(t.term[1:], ':'), strings.IndexByte(t.term, '/')
	if colon >= 0 && colon < len(t.term)-2 || slash >= 0 {
		t.entry.state = defined
		k, own, err := t.expand(t.term)
		if err != nil {
			return false, err
		}
		if k != t.d.keyword || own != t.d.iri {
			return false, t.refuse(CodeInvalidIRIMapping, v, "the term has the form of an IRI and maps to another")
		}
	}
	// 14.2.5)
	if t.simple && k == noKeyword && strings.IndexByte(t.term, ':') < 0 && slash < 0 {
		t.d.prefix = isBlank(iri) || strings.IndexByte(":/?#[]@", iri[len(iri)-1]) >= 0
	}
	return true, nil
}
