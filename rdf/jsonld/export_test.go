package jsonld

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
)

// Expand returns the expanded document, as the API's expand does, so that the
// expansion suite can look at the step before deserialization. Entries that are
// empty arrays are missing, since no quad comes of them.
func Expand(data []byte, o Options) ([]any, error) {
	b := rdf.NewBuilder(o.Limits)
	p, s, err := expandDocument(b, data, o)
	if err != nil {
		return nil, err
	}
	v := expandedView{p, b.Dataset()}
	out := []any{}
	for _, n := range p.stack {
		out = append(out, v.element(n))
	}
	// Section 9.1, expand, step 8.1.
	if s == one {
		if m := out[0].(map[string]any); len(m) == 1 {
			if graph, ok := m["@graph"]; ok {
				return graph.([]any), nil
			}
		}
	}
	return out, nil
}

type expandedView struct {
	p *processor
	d *rdf.Dataset
}

func (v expandedView) term(t term) any {
	switch {
	case t == nullTerm:
		return nil
	case t.odd != 0:
		return v.p.odd[t.odd-1]
	case v.d.Kind(t.id) == rdf.KindBlank:
		return "_:" + v.d.Value(t.id)
	}
	return v.d.Value(t.id)
}

func (v expandedView) element(n uint32) any {
	e := &v.p.elements[n]
	m := map[string]any{}
	if e.index != 0 {
		m["@index"] = v.p.indexes[e.index-1]
	}
	switch e.kind {
	case valueObject:
		var value any
		if err := json.Unmarshal([]byte(v.p.valueOf(e).Source()), &value); err != nil {
			panic(err)
		}
		m["@value"] = value
		switch {
		case e.has&isJSON != 0:
			m["@type"] = "@json"
		case e.has&hasType != 0:
			m["@type"] = v.term(e.term)
		}
		if e.has&hasLanguage != 0 {
			m["@language"] = v.p.languageOf(e)
		}
		if e.has&hasDirection != 0 {
			m["@direction"] = e.dir.String()
		}
	case listObject:
		items := []any{}
		for i := e.members.first; i != 0; i = v.p.entries[i-1].next {
			items = append(items, v.element(v.p.entries[i-1].value))
		}
		m["@list"] = items
	case nodeObject:
		v.node(e, m)
	}
	return m
}

func (v expandedView) node(e *element, m map[string]any) {
	if e.has&hasID != 0 {
		m["@id"] = v.term(e.term)
	}
	for bit, name := range map[entrySet]string{hasGraph: "@graph", hasIncluded: "@included", hasType: "@type"} {
		if e.has&bit != 0 {
			m[name] = []any{}
		}
	}
	add := func(m map[string]any, name string, value any) {
		list, _ := m[name].([]any)
		m[name] = append(list, value)
	}
	for i := e.members.first; i != 0; i = v.p.entries[i-1].next {
		entry := v.p.entries[i-1]
		switch entry.kind {
		case typeEntry:
			add(m, "@type", v.term(entry.term))
		case graphEntry:
			add(m, "@graph", v.element(entry.value))
		case includedEntry:
			add(m, "@included", v.element(entry.value))
		case propertyEntry:
			add(m, v.term(v.p.known[entry.key].pred).(string), v.element(entry.value))
		case reverseEntry:
			reverse, _ := m["@reverse"].(map[string]any)
			if reverse == nil {
				reverse = map[string]any{}
				m["@reverse"] = reverse
			}
			add(reverse, v.term(v.p.known[entry.key].pred).(string), v.element(entry.value))
		}
	}
}

// SpecificationCodes returns the codes that the API specification names.
func SpecificationCodes() []Code { return codes(false) }

// LossCodes returns the codes of what the specification drops.
func LossCodes() []Code { return codes(true) }

func codes(loss bool) (out []Code) {
	lost := map[Code]bool{
		CodeUndefinedTerm: true, CodeReservedTerm: true, CodeRelativeIRI: true, CodeIllFormedIRI: true, CodeBlankPredicate: true,
		CodeIllFormedTag: true, CodeFreeFloating: true, CodeDirectionDropped: true, CodeInexactNumber: true,
	}
	for code := range texts {
		if lost[code] == loss {
			out = append(out, code)
		}
	}
	return out
}

// Remembered returns the number of derivations that a table remembers.
func Remembered(c *Contexts) (n int) {
	d := &c.derived
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, g := range [...]*generation{d.young.Load(), d.old.Load()} {
		if g != nil {
			n += g.n
		}
	}
	return n
}

// Describe writes what a context of a table says, a line a term, the terms of
// scoped contexts below theirs.
func Describe(c *Contexts, iri string) (string, error) {
	pin := c.pin(iri)
	active, err := pin.compile(c)
	if err != nil {
		return "", err
	}
	q := newTableProcessor(c, &pin.org)
	var out strings.Builder
	err = describe(&out, q, initialContext, active, "")
	return out.String(), err
}

// describe writes what active says beyond or other than what over says.
func describe(out *strings.Builder, q *processor, over, active *activeContext, indent string) error {
	fmt.Fprintf(out, "%svocab %v %q language %q direction %v base %v\n", indent, active.hasVocab, active.vocab, active.language.text, active.direction, active.base != nil)
	terms := map[string]*definition{}
	for l := active.terms; l != nil; l = l.below {
		for term, d := range l.own {
			if terms[term] == nil {
				terms[term] = d
			}
		}
	}
	for _, term := range slices.Sorted(maps.Keys(terms)) {
		d := terms[term]
		if over.lookup(term) == d {
			continue
		}
		fmt.Fprintf(out, "%s%s: iri %q keyword %d mapped %v prefix %v protected %v reverse %v containers %b direction %v language %q %v type %d %q index %q nest %q scoped %v\n",
			indent, term, d.iri, d.keyword, d.mapped, d.prefix, d.protected, d.reverse, d.containers, d.direction, d.language.text, d.hasLang,
			d.typ, d.datatype, d.index, d.nest, d.local.Kind())
		if !d.local.Exists() || strings.Count(indent, "\t") > 8 {
			continue
		}
		scoped, err := q.processContext(active, d.local, contextCall{org: d.org, override: true})
		if err != nil {
			return err
		}
		if err := describe(out, q, active, scoped, indent+"\t"); err != nil {
			return err
		}
	}
	return nil
}
