package rdf

// Kind says what a term is. The zero Kind is no term.
type Kind uint8

// The kinds of RDF terms (RDF 1.1 Concepts, section 3.1).
const (
	KindNone Kind = iota
	KindIRI
	KindBlank
	KindLiteral

	// Kinds that only the dictionary tells apart.
	kindLangLiteral // a literal with a language tag
	kindAnon        // a blank node without a label in its document
)

// String returns the name of the kind, as messages use it.
func (k Kind) String() string {
	switch k {
	case KindIRI:
		return "IRI"
	case KindBlank:
		return "blank node"
	case KindLiteral:
		return "literal"
	}
	return "no term"
}

// The datatypes that the model itself gives to literals.
const (
	XSDString  = "http://www.w3.org/2001/XMLSchema#string"
	LangString = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
)

// Term is an RDF term: an IRI, a blank node or a literal. Terms compare with
// ==: two terms are equal exactly when RDF 1.1 Concepts section 3 says so,
// with language tags compared as written. The zero Term is no term; as a graph
// name it stands for the default graph.
type Term struct {
	kind     Kind
	value    string
	datatype string
	lang     string
}

// NewIRI returns an IRI term. It fails with a [*TermError] unless iri is
// absolute and free of the characters that IRIREF excludes, see [CheckIRI].
func NewIRI(iri string) (Term, error) {
	if err := CheckIRI(iri); err != nil {
		return Term{}, err
	}
	return Term{kind: KindIRI, value: iri}, nil
}

// NewBlank returns a blank node with the given label, without "_:". It fails
// with a [*TermError] unless the label matches BLANK_NODE_LABEL of N-Triples.
func NewBlank(label string) (Term, error) {
	if err := checkLabel(label); err != nil {
		return Term{}, err
	}
	return Term{kind: KindBlank, value: label}, nil
}

// NewString returns the literal with datatype xsd:string. It fails with a
// [*TermError] when lexical is not UTF-8.
func NewString(lexical string) (Term, error) {
	return NewLiteral(lexical, XSDString)
}

// NewLiteral returns a literal with a datatype. The lexical form is kept as it
// is, valid for the datatype or not. It fails with a [*TermError] when lexical
// is not UTF-8, when datatype is not an IRI, or when it is rdf:langString,
// which only [NewLangLiteral] makes.
func NewLiteral(lexical, datatype string) (Term, error) {
	if err := checkLexical(lexical); err != nil {
		return Term{}, err
	}
	if err := CheckIRI(datatype); err != nil {
		return Term{}, err
	}
	if datatype == LangString {
		return Term{}, errBareLangString
	}
	return Term{kind: KindLiteral, value: lexical, datatype: datatype}, nil
}

// NewLangLiteral returns a language-tagged string. The tag is kept as written.
// It fails with a [*TermError] when lexical is not UTF-8 or lang does not match
// LANGTAG of Turtle (without the "@").
func NewLangLiteral(lexical, lang string) (Term, error) {
	if err := checkLexical(lexical); err != nil {
		return Term{}, err
	}
	if err := checkLang(lang); err != nil {
		return Term{}, err
	}
	return Term{kind: KindLiteral, value: lexical, datatype: LangString, lang: lang}, nil
}

// Kind returns what the term is.
func (t Term) Kind() Kind { return t.kind }

// IsZero reports whether t is no term.
func (t Term) IsZero() bool { return t.kind == KindNone }

// Value returns the IRI, the blank node label without "_:", or the lexical
// form.
func (t Term) Value() string { return t.value }

// Datatype returns the datatype IRI of a literal, and "" for other terms.
func (t Term) Datatype() string { return t.datatype }

// Lang returns the language tag of a language-tagged string as written, and ""
// for other terms.
func (t Term) Lang() string { return t.lang }

// String returns the term in canonical N-Triples syntax, "" for no term.
func (t Term) String() string { return string(t.Append(nil)) }

// Append appends the term in canonical N-Triples syntax (RDFC-1.0, appendix A)
// to dst: xsd:string is not written, and only the escapes of that appendix are
// used.
func (t Term) Append(dst []byte) []byte {
	switch t.kind {
	case KindIRI:
		return appendIRI(dst, t.value)
	case KindBlank:
		return append(append(dst, "_:"...), t.value...)
	case KindLiteral:
		dst = appendQuoted(dst, t.value)
		switch {
		case t.lang != "":
			dst = append(append(dst, '@'), t.lang...)
		case t.datatype != XSDString:
			dst = appendIRI(append(dst, "^^"...), t.datatype)
		}
		return dst
	}
	return dst
}

func appendIRI(dst []byte, iri string) []byte {
	dst = append(dst, '<')
	dst = append(dst, iri...)
	return append(dst, '>')
}

// appendQuoted appends a lexical form as a canonical STRING_LITERAL_QUOTE
// (RDFC-1.0, appendix A): ECHAR for BS, HT, LF, FF, CR, quote and backslash,
// \u with four upper-case digits for the other controls up to U+001F, for U+007F
// and for what is no Char of XML 1.1, which leaves U+FFFE and U+FFFF; everything
// else as it is.
func appendQuoted(dst []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c != 0x7f && (c != 0xef || !isNonCharacter(s[i:])) {
			continue
		}
		dst = append(dst, s[from:i]...)
		if c == 0xef {
			dst = append(dst, `\uFFF`...)
			dst = append(dst, hex[s[i+2]&15])
			i += 2
			from = i + 1
			continue
		}
		from = i + 1
		switch c {
		case '\b':
			dst = append(dst, `\b`...)
		case '\t':
			dst = append(dst, `\t`...)
		case '\n':
			dst = append(dst, `\n`...)
		case '\f':
			dst = append(dst, `\f`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '"':
			dst = append(dst, `\"`...)
		case '\\':
			dst = append(dst, `\\`...)
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}

// isNonCharacter reports whether a text begins with U+FFFE or U+FFFF.
func isNonCharacter(s string) bool { return len(s) > 2 && s[1] == 0xbf && s[2] >= 0xbe }
