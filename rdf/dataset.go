package rdf

import (
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Dataset is an immutable RDF dataset (RDF 1.1 Concepts, section 4): a default
// graph and named graphs, without duplicates, every term interned. It is safe
// for concurrent use. Its zero value and nil are not datasets; an empty one
// comes from an empty [Builder].
//
// Strings that it returns share its memory: keeping one keeps the dataset.
type Dataset struct {
	dict
	quads  []Quad // sorted by G, S, P, O
	places []quadPlace
	files  []string
	graphs []graphIndex // the default graph first, then the named ones by ID
	byName []ID         // the graph names, parallel to graphs[1:]
}

func newDataset(b *Builder) *Dataset {
	d := &Dataset{dict: b.dict, quads: b.quads, places: b.places, files: b.files}
	d.nameAnonymous()
	if d.places != nil {
		d.sortWithPlaces()
	} else {
		d.quads = sortQuads(d.quads, len(d.recs))
	}
	d.splitGraphs()
	return d
}

// Len returns the number of quads.
func (d *Dataset) Len() int { return len(d.quads) }

// Quad returns the i-th quad, 0 ≤ i < Len. Quads are sorted by graph, subject,
// predicate and object ID, the default graph first.
func (d *Dataset) Quad(i int) Quad { return d.quads[i] }

// Quads returns all quads in order.
func (d *Dataset) Quads() iter.Seq[Quad] { return slices.Values(d.quads) }

// NumTerms returns the number of terms; their IDs are 1 to NumTerms. Some may
// stand in no quad, such as the datatype of a literal.
func (d *Dataset) NumTerms() int { return len(d.recs) }

// Kind returns the kind of a term, KindNone for 0.
func (d *Dataset) Kind(id ID) Kind {
	if id == 0 {
		return KindNone
	}
	switch k := d.kinds[id-1]; k {
	case kindLangLiteral:
		return KindLiteral
	case kindAnon:
		return KindBlank
	default:
		return k
	}
}

// Value returns the IRI, the blank node label without "_:", or the lexical form
// of a term, and "" for 0.
func (d *Dataset) Value(id ID) string {
	if id == 0 {
		return ""
	}
	return d.value(id)
}

// Datatype returns the ID of a literal's datatype IRI, and 0 for other terms.
func (d *Dataset) Datatype(id ID) ID {
	if id == 0 {
		return 0
	}
	switch r := &d.recs[id-1]; d.kinds[id-1] {
	case KindLiteral:
		return ID(r.aux)
	case kindLangLiteral:
		return d.langString
	}
	return 0
}

// Lang returns the language tag of a language-tagged string as written, and ""
// for other terms.
func (d *Dataset) Lang(id ID) string {
	if id == 0 {
		return ""
	}
	if d.kinds[id-1] == kindLangLiteral {
		return d.langs[d.recs[id-1].aux]
	}
	return ""
}

// Term returns the term that id names, the zero Term for 0.
func (d *Dataset) Term(id ID) Term {
	t := Term{kind: d.Kind(id), value: d.Value(id)}
	if t.kind == KindLiteral {
		t.datatype = d.Value(d.Datatype(id))
		t.lang = d.Lang(id)
	}
	return t
}

// AppendTerm appends a term in canonical N-Triples syntax to dst, as
// [Term.Append] does.
func (d *Dataset) AppendTerm(dst []byte, id ID) []byte {
	if id == 0 {
		return dst
	}
	switch r := &d.recs[id-1]; d.kinds[id-1] {
	case KindIRI:
		return appendIRI(dst, d.value(id))
	case KindBlank:
		return append(append(dst, "_:"...), d.value(id)...)
	case kindAnon:
		dst = append(append(dst, "_:"...), d.anonPrefix...)
		return strconv.AppendUint(dst, uint64(r.aux), 10)
	case KindLiteral:
		dst = appendQuoted(dst, d.value(id))
		if ID(r.aux) != d.xsdString && d.value(ID(r.aux)) != XSDString {
			dst = appendIRI(append(dst, "^^"...), d.value(ID(r.aux)))
		}
		return dst
	default:
		dst = appendQuoted(dst, d.value(id))
		return append(append(dst, '@'), d.langs[r.aux]...)
	}
}

// Lookup returns the ID of a term, 0 if it stands nowhere in the dataset. A
// blank node is looked up by its label as [Dataset.Term] gives it.
func (d *Dataset) Lookup(t Term) ID {
	switch t.kind {
	case KindIRI:
		return d.LookupIRI(t.value)
	case KindBlank:
		if id := d.find(hash(KindBlank, 0, t.value), KindBlank, 0, t.value); id != 0 {
			return id
		}
		n, err := strconv.Atoi(strings.TrimPrefix(t.value, d.anonPrefix))
		if err == nil && 0 <= n && n < len(d.anon) && d.value(d.anon[n]) == t.value {
			return d.anon[n]
		}
	case KindLiteral:
		if t.lang != "" {
			if n, ok := d.findLang(t.lang); ok {
				return d.find(hash(kindLangLiteral, n, t.value), kindLangLiteral, n, t.value)
			}
			return 0
		}
		if dt := d.LookupIRI(t.datatype); dt != 0 {
			return d.find(hash(KindLiteral, uint32(dt), t.value), KindLiteral, uint32(dt), t.value)
		}
	}
	return 0
}

// LookupIRI returns the ID of an IRI, 0 if it stands nowhere in the dataset.
func (d *Dataset) LookupIRI(iri string) ID { return d.find(hash(KindIRI, 0, iri), KindIRI, 0, iri) }

// GraphNames returns the names of the named graphs that hold a quad, in the
// order of their IDs.
func (d *Dataset) GraphNames() []ID { return slices.Clone(d.byName) }

// Default returns the default graph.
func (d *Dataset) Default() Graph { return Graph{d, &d.graphs[0]} }

// Graph returns the graph with a name, empty if no quad is in it; 0 names the
// default graph.
func (d *Dataset) Graph(name ID) Graph {
	if name == 0 {
		return d.Default()
	}
	if i, ok := slices.BinarySearch(d.byName, name); ok {
		return Graph{d, &d.graphs[i+1]}
	}
	return Graph{d, &emptyGraph}
}

// HasPlaces reports whether the places of quads were kept.
func (d *Dataset) HasPlaces() bool { return d.places != nil }

// SubjectPlace returns where the subject of the i-th quad stands, and the zero
// Place if that was not kept.
func (d *Dataset) SubjectPlace(i int) Place {
	if d.places == nil {
		return Place{}
	}
	return d.place(d.places[i].subject, d.places[i].file)
}

// ObjectPlace returns where the object of the i-th quad stands, and the zero Place
// if that was not kept.
func (d *Dataset) ObjectPlace(i int) Place {
	if d.places == nil {
		return Place{}
	}
	return d.place(d.places[i].object, d.places[i].file)
}

func (d *Dataset) place(p Pos, file uint32) Place {
	if p.Line == 0 {
		return Place{}
	}
	pl := Place{Line: int(p.Line), Column: int(p.Column)}
	if int(file) < len(d.files) {
		pl.File = d.files[file]
	}
	return pl
}

// splitGraphs finds the graphs in the sorted quads.
func (d *Dataset) splitGraphs() {
	end := 0
	for end < len(d.quads) && d.quads[end].G == 0 {
		end++
	}
	n := 1
	for i := end; i < len(d.quads); i++ {
		if i == end || d.quads[i].G != d.quads[i-1].G {
			n++
		}
	}
	d.graphs = make([]graphIndex, n)
	d.graphs[0].init(d.quads[:end], 0, len(d.recs))
	for i, n := end, 1; i < len(d.quads); n++ {
		j := i + 1
		for j < len(d.quads) && d.quads[j].G == d.quads[i].G {
			j++
		}
		d.byName = append(d.byName, d.quads[i].G)
		d.graphs[n].init(d.quads[i:j], i, len(d.recs))
		i = j
	}
}
