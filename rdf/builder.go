package rdf

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// ID names a term within one dataset. IDs count from 1 in the order in which
// terms were first seen; 0 is no term, and as a graph name the default graph.
type ID uint32

// Quad is a statement of a dataset by the IDs of its terms; G is 0 for the
// default graph.
type Quad struct{ S, P, O, G ID }

// Builder collects terms and quads and makes a [Dataset] of them. It enforces
// its limits on everything it is given, so that every reader is bounded by the
// same code. Make one with [NewBuilder]. A Builder is not safe for concurrent
// use.
//
// After a method failed, the Builder is still valid, but a reader that goes on
// would be dropping data: the caller's answer is to give up the document.
type Builder struct {
	dict
	limits Limits
	quads  []Quad
	places []quadPlace // parallel to quads when places are kept
	files  []string
	scoped map[string]ID                         // labels of the documents after the first
	begun  struct{ text, quads, recs, used int } // what there was before the current document
	blanks int
	scope  *scope // nil: all is kept
}

// quadPlace is where the subject and the object of a quad stand.
type quadPlace struct {
	subject, object Pos
	file            uint32 // index of Builder.files
}

// Pos is a place within one document: line and column count from 1, the column
// in Unicode characters. The zero Pos is unknown.
type Pos struct{ Line, Column uint32 }

// NewBuilder returns an empty Builder with the given limits; a number that is not
// positive stands for that of [Peer].
func NewBuilder(limits Limits) *Builder {
	return &Builder{limits: limits.OrPeer()}
}

// Limits returns the limits in force, every number positive.
func (b *Builder) Limits() Limits { return b.limits }

// Grow makes room for a document of the given size, so that a small one is read
// with few allocations. It is a hint: no more than a fixed amount is reserved.
// See [Builder.Reserve] for larger documents.
func (b *Builder) Grow(documentBytes int) {
	const most = 64 << 10
	n := min(documentBytes, most)
	b.reserve(2*n+256, n/24+4, n/24+16)
	b.dict.grow(n/32 + 12)
}

// Reserve makes room for the rest of the current document, judging by what its
// first done of total bytes held. It is a hint, for documents too large to let
// memory grow step by step: a reader calls it each time done has become
// [ReserveFactor] times larger. It looks little further ahead than that, so a
// document that begins dense and ends empty cannot make it reserve much more
// than was needed before.
func (b *Builder) Reserve(done, total int) {
	if b.scope != nil {
		return // the document says little of what will be kept
	}
	if done < total/(2*ReserveFactor) { // else the rest is hardly worth a step of its own
		total = done * ReserveFactor
	}
	if done <= 0 || done >= total {
		return
	}
	more := func(n int) int { // as much per byte as before, and a little
		f := float64(n) * float64(total-done) / float64(done)
		return int(f + f/16)
	}
	text := int(min(int64(more(len(b.text)-b.begun.text)), b.limits.TermBytes-b.bytes))
	quads := min(more(len(b.quads)-b.begun.quads), b.limits.Quads-len(b.quads))
	b.reserve(text, quads, more(len(b.recs)-b.begun.recs))
	b.dict.grow(more(b.used - b.begun.used))
}

// When to call [Builder.Reserve]: after FirstReserve bytes, and from then on each
// time the offset is ReserveFactor times larger.
const (
	FirstReserve  = 64 << 10
	ReserveFactor = 8
)

// reserve makes room for more bytes of text, quads and terms.
func (b *Builder) reserve(text, quads, terms int) {
	b.text = roomFor(b.text, text)
	b.quads = roomFor(b.quads, quads)
	b.recs = roomFor(b.recs, terms)
	b.kinds = roomFor(b.kinds, terms)
}

// roomFor returns s with room for n more elements. Unlike append it adds no spare
// room, so that the memory taken is what was estimated.
func roomFor[E any](s []E, n int) []E {
	if cap(s)-len(s) >= n {
		return s
	}
	return append(make([]E, 0, len(s)+n), s...)
}

// BeginDocument starts another document of the same dataset: from here on, a
// blank node label names another node than it did before. File names the document
// in the places of its triples; it may be empty.
func (b *Builder) BeginDocument(file string) {
	if len(b.files) == 0 && (len(b.quads) > 0 || b.blanks > 0) {
		b.files = append(b.files, "") // what came before any document counts as one
	}
	b.files = append(b.files, file)
	b.begun.text, b.begun.quads, b.begun.recs, b.begun.used = len(b.text), len(b.quads), len(b.recs), b.used
	if len(b.files) > 1 {
		b.scoped = map[string]ID{}
	}
}

// IRI interns an absolute IRI. It fails as [CheckIRI] does, or with a
// [*LimitError].
func (b *Builder) IRI(iri []byte) (ID, error) {
	s := view(iri)
	h := hash(KindIRI, 0, s)
	if id := b.find(h, KindIRI, 0, s); id != 0 {
		return id, nil
	}
	if len(s) > b.limits.IRIBytes {
		return 0, b.over(LimitIRIBytes)
	}
	if err := CheckIRI(s); err != nil {
		return 0, err
	}
	return b.insert(h, KindIRI, 0, s)
}

// Blank interns the blank node that label, without "_:", names in the current
// document. It fails with a [*TermError] when the label does not match
// BLANK_NODE_LABEL of N-Triples, or with a [*LimitError].
func (b *Builder) Blank(label []byte) (ID, error) {
	s := view(label)
	if b.scoped != nil {
		if id, ok := b.scoped[s]; ok {
			return id, nil
		}
	}
	h := hash(KindBlank, 0, s)
	id := b.find(h, KindBlank, 0, s)
	if id != 0 && b.scoped == nil {
		return id, nil
	}
	if err := checkLabel(s); err != nil {
		return 0, err
	}
	if id != 0 {
		// An earlier document used the label for a node of its own.
		id, err := b.FreshBlank()
		if err == nil {
			b.scoped[string(label)] = id
		}
		return id, err
	}
	if b.blanks >= b.limits.BlankNodes {
		return 0, b.over(LimitBlankNodes)
	}
	id, err := b.insert(h, KindBlank, 0, s)
	if err != nil {
		return 0, err
	}
	b.blanks++
	if b.scoped != nil {
		b.scoped[string(label)] = id
	}
	return id, nil
}

// FreshBlank makes a blank node that no label of any document names. It fails
// with a [*LimitError].
func (b *Builder) FreshBlank() (ID, error) {
	if b.blanks >= b.limits.BlankNodes {
		return 0, b.over(LimitBlankNodes)
	}
	b.blanks++
	return b.freshBlank(), nil
}

func (d *dict) freshBlank() ID {
	d.recs = append(d.recs, record{aux: uint32(len(d.anon))})
	d.kinds = append(d.kinds, kindAnon)
	id := ID(len(d.recs))
	d.anon = append(d.anon, id)
	return id
}

// Literal interns a literal. The datatype is the ID of an IRI; 0 means
// xsd:string. It fails with a [*TermError] when lexical is not UTF-8 or datatype
// is not an IRI or is rdf:langString, or with a [*LimitError].
func (b *Builder) Literal(lexical []byte, datatype ID) (ID, error) {
	if datatype == 0 {
		if b.xsdString == 0 {
			var err error
			if b.xsdString, err = b.IRI([]byte(XSDString)); err != nil {
				return 0, err
			}
		}
		datatype = b.xsdString
	}
	s := view(lexical)
	h := hash(KindLiteral, uint32(datatype), s)
	if id := b.find(h, KindLiteral, uint32(datatype), s); id != 0 {
		return id, nil
	}
	if !b.valid(datatype) || b.kinds[datatype-1] != KindIRI {
		return 0, &TermError{CodeInvalidTerm, "a datatype must be an IRI"}
	}
	if b.value(datatype) == LangString {
		return 0, errBareLangString
	}
	if err := b.checkLiteral(s); err != nil {
		return 0, err
	}
	return b.insert(h, KindLiteral, uint32(datatype), s)
}

var errBareLangString = &TermError{CodeInvalidTerm, "a literal of datatype rdf:langString needs a language tag"}

// LangLiteral interns a language-tagged string; lang is the tag without "@",
// kept as written. It fails with a [*TermError] when lexical is not UTF-8 or
// the tag does not match LANGTAG of Turtle, or with a [*LimitError].
func (b *Builder) LangLiteral(lexical, lang []byte) (ID, error) {
	tag, err := b.lang(view(lang))
	if err != nil {
		return 0, err
	}
	s := view(lexical)
	h := hash(kindLangLiteral, tag, s)
	if id := b.find(h, kindLangLiteral, tag, s); id != 0 {
		return id, nil
	}
	if err := b.checkLiteral(s); err != nil {
		return 0, err
	}
	return b.insert(h, kindLangLiteral, tag, s)
}

func (b *Builder) checkLiteral(s string) error {
	if len(s) > b.limits.LiteralBytes {
		return b.over(LimitLiteralBytes)
	}
	return checkLexical(s)
}

// lang returns the index of a language tag.
func (b *Builder) lang(tag string) (uint32, error) {
	if b.langString == 0 {
		id, err := b.IRI([]byte(LangString))
		if err != nil {
			return 0, err
		}
		b.langString = id
	}
	if n := b.lastLang; int(n) < len(b.langs) && b.langs[n] == tag {
		return n, nil
	}
	n, ok := b.findLang(tag)
	if !ok {
		if err := checkLang(tag); err != nil {
			return 0, err
		}
		if len(tag) > b.limits.IRIBytes {
			return 0, b.over(LimitIRIBytes)
		}
		n = uint32(len(b.langs))
		b.addLang(strings.Clone(tag))
	}
	b.lastLang = n
	return n, nil
}

// Term interns a term. The zero Term gives 0. It fails as the method for its
// kind does.
func (b *Builder) Term(t Term) (ID, error) {
	switch t.kind {
	case KindIRI:
		return b.IRI([]byte(t.value))
	case KindBlank:
		return b.Blank([]byte(t.value))
	case KindLiteral:
		if t.lang != "" {
			return b.LangLiteral([]byte(t.value), []byte(t.lang))
		}
		dt, err := b.IRI([]byte(t.datatype))
		if err != nil {
			return 0, err
		}
		return b.Literal([]byte(t.value), dt)
	}
	return 0, nil
}

// Add adds a quad; adding one again changes nothing. It fails with
// a [*TermError] unless s is an IRI or blank node, p an IRI, o any term and g 0,
// an IRI or a blank node (RDF 1.1 Concepts, sections 3.1 and 4), or with a
// [*LimitError].
func (b *Builder) Add(s, p, o, g ID) error {
	if !b.valid(s) || !b.kinds[s-1].isResource() {
		return &TermError{CodeInvalidTerm, "a subject must be an IRI or a blank node"}
	}
	if !b.valid(p) || b.kinds[p-1] != KindIRI {
		return &TermError{CodeInvalidTerm, "a predicate must be an IRI"}
	}
	if !b.valid(o) {
		return &TermError{CodeInvalidTerm, "an object must be a term"}
	}
	if g != 0 && (!b.valid(g) || !b.kinds[g-1].isResource()) {
		return &TermError{CodeInvalidTerm, "a graph name must be an IRI or a blank node"}
	}
	q := Quad{s, p, o, g}
	if b.scope != nil {
		if len(b.quads)+b.scope.skipped >= b.limits.Quads {
			return b.over(LimitQuads)
		}
		if !b.scope.keeps(b, q) {
			return nil
		}
	}
	if len(b.quads) >= b.limits.Quads {
		return b.over(LimitQuads)
	}
	b.quads = append(b.quads, q)
	return nil
}

// AddAt adds a quad as [Builder.Add] does and keeps where its subject and its
// object stand. A dataset keeps places when any of its quads was added so.
func (b *Builder) AddAt(s, p, o, g ID, subject, object Pos) error {
	n := len(b.quads)
	if err := b.Add(s, p, o, g); err != nil || len(b.quads) == n {
		return err
	}
	for len(b.places) < n {
		b.places = append(b.places, quadPlace{})
	}
	b.places = append(b.places, quadPlace{subject, object, uint32(max(len(b.files), 1) - 1)})
	return nil
}

// AddTerms adds a quad of terms; the zero Term as graph is the default graph.
// It fails as [Builder.Term] and [Builder.Add] do.
func (b *Builder) AddTerms(s, p, o, g Term) error {
	var ids [4]ID
	for i, t := range [4]Term{s, p, o, g} {
		id, err := b.Term(t)
		if err != nil {
			return err
		}
		ids[i] = id
	}
	return b.Add(ids[0], ids[1], ids[2], ids[3])
}

// Len returns the number of quads that were added and kept so far, duplicates
// included.
func (b *Builder) Len() int { return len(b.quads) }

// Dataset returns the quads that were added, as a set, and leaves the Builder
// empty, with the same limits. The IDs that the Builder gave out name the same
// terms in the dataset.
func (b *Builder) Dataset() *Dataset {
	d := newDataset(b)
	*b = Builder{limits: b.limits}
	return d
}

func (b *Builder) valid(id ID) bool { return id-1 < ID(len(b.recs)) }

func (b *Builder) over(n LimitName) error {
	l := &b.limits
	max := map[LimitName]int64{
		LimitBlankNodes: int64(l.BlankNodes), LimitIRIBytes: int64(l.IRIBytes), LimitLiteralBytes: int64(l.LiteralBytes),
		LimitQuads: int64(l.Quads), LimitTermBytes: l.TermBytes,
	}[n]
	return &LimitError{Limit: n, Max: max}
}

func (b *Builder) insert(h uint32, k Kind, aux uint32, s string) (ID, error) {
	if b.bytes+int64(len(s)) > b.limits.TermBytes || int64(len(b.text))+int64(sizeOf(s)) > math.MaxUint32*textUnit {
		return 0, b.over(LimitTermBytes)
	}
	return b.dict.insert(h, k, aux, s), nil
}

func (k Kind) isResource() bool { return k == KindIRI || k == KindBlank || k == kindAnon }

func checkLexical(s string) error {
	if !utf8.ValidString(s) {
		return &TermError{CodeInvalidUTF8, "the literal is not UTF-8"}
	}
	return nil
}

// checkLabel checks a blank node label against BLANK_NODE_LABEL of N-Triples
// 1.1: (PN_CHARS_U | [0-9]) ((PN_CHARS | '.')* PN_CHARS)?, where Turtle's
// grammar, which all four syntaxes follow, has no ':' in PN_CHARS_U.
func checkLabel(s string) error {
	ok := s != "" && s[len(s)-1] != '.' && utf8.ValidString(s)
	for i, r := range s {
		ok = ok && (IsNameStart(r) || '0' <= r && r <= '9' || i > 0 && (r == '.' || IsNameChar(r)))
	}
	if !ok {
		return &TermError{CodeInvalidLabel, fmt.Sprintf("%q is not a blank node label", Abbreviate(s))}
	}
	return nil
}

// checkLang checks a tag against LANGTAG of Turtle: [a-zA-Z]+ ('-' [a-zA-Z0-9]+)*.
func checkLang(s string) error {
	first, empty := true, true
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || !first && '0' <= c && c <= '9':
			empty = false
		case c == '-' && !empty:
			first, empty = false, true
		default:
			return errLang(s)
		}
	}
	if empty {
		return errLang(s)
	}
	return nil
}

func errLang(s string) error {
	return &TermError{CodeInvalidLang, fmt.Sprintf("%q is not a language tag", Abbreviate(s))}
}

// IsNameStart reports whether r is in PN_CHARS_U of Turtle 1.1 ([164s]): what a
// blank node label and the local part of a name begin with, apart from digits.
func IsNameStart(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_'
	}
	return 0xC0 <= r && r <= 0x2FF && r != 0xD7 && r != 0xF7 ||
		0x370 <= r && r <= 0x1FFF && r != 0x37E ||
		r == 0x200C || r == 0x200D ||
		0x2070 <= r && r <= 0x218F ||
		0x2C00 <= r && r <= 0x2FEF ||
		0x3001 <= r && r <= 0xD7FF ||
		0xF900 <= r && r <= 0xFDCF ||
		0xFDF0 <= r && r <= 0xFFFD ||
		0x10000 <= r && r <= 0xEFFFF
}

// IsNameChar reports whether r is in PN_CHARS of Turtle 1.1 ([166s]).
func IsNameChar(r rune) bool {
	return IsNameStart(r) || r == '-' || '0' <= r && r <= '9' ||
		r == 0xB7 || 0x300 <= r && r <= 0x36F || r == 0x203F || r == 0x2040
}
