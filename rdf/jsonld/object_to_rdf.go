package jsonld

import (
	"strings"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
)

// statement is what an object is wanted for.
type statement struct {
	subject rdf.ID
	key     *key
	graph   graphName
	dropped bool // there will be no quad of it: only the nodes within count
	inList  bool
}

// object returns the term of an element (section 8.2.2), 0 when it is dropped.
func (p *processor) object(n uint32, s statement) (rdf.ID, error) {
	e := &p.elements[n]
	switch {
	case e.kind == nodeObject:
		// 1) and 2)
		return p.node(n, s.graph)
	case e.kind == listObject:
		// 3)
		return p.listToRDF(e, s)
	case s.dropped:
		return 0, nil
	}
	id, err := p.literal(e, s)
	return id, p.atRef(err, e.ref)
}

// literal is steps 4 to 15: the term of a value object.
func (p *processor) literal(e *element, s statement) (rdf.ID, error) {
	// 4) to 7)
	value, datatype := p.valueOf(e), e.term.id
	if e.term.odd != 0 || e.has&badTag != 0 {
		return 0, nil
	}
	var err error
	switch kind := value.Kind(); {
	case e.has&isJSON != 0:
		// 8)
		var text []byte
		if text, err = p.jsonLiteral(value); err != nil {
			return 0, err
		}
		p.buf = append(p.buf[:0], text...)
		datatype, err = p.vocab(rdfJSONIRI)
	case kind == strictjson.Bool:
		// 9)
		p.buf = append(p.buf[:0], value.Source()...)
		if datatype == 0 {
			datatype, err = p.vocab(xsdBooleanIRI)
		}
	case kind == strictjson.Number:
		// 10) and 11)
		datatype, err = p.number(value, datatype)
	default:
		// 12)
		text, _ := value.Str()
		p.buf = append(p.buf[:0], text...)
	}
	if err != nil {
		return 0, err
	}
	// A long language of a context is that of many strings.
	language := p.languageOf(e)
	if len(language) > usual {
		if err := p.spell(len(language), value); err != nil {
			return 0, err
		}
	}
	// 13)
	if e.has&hasDirection != 0 && p.options.RDFDirection != NoDirection {
		return p.directed(e, s)
	}
	// 14)
	if e.has&hasLanguage != 0 {
		p.lang = append(p.lang[:0], language...)
		return p.b.LangLiteral(p.buf, p.lang)
	}
	id, err := p.b.Literal(p.buf, datatype)
	if te := termError(err); te != nil {
		// rdf:langString without a language.
		return 0, p.lost(CodeInvalidTypedValue, value, scalar(value), te.Reason)
	}
	return id, err
}

// number is steps 10 and 11: it puts the lexical form of a number into buf and
// returns its datatype.
func (p *processor) number(v strictjson.Value, datatype rdf.ID) (rdf.ID, error) {
	text, _ := v.Number()
	asDouble := false
	if datatype != 0 {
		double, err := p.vocab(xsdDoubleIRI)
		if err != nil {
			return 0, err
		}
		asDouble = datatype == double
	}
	var isDouble bool
	p.buf, isDouble = appendNumber(p.buf[:0], text, asDouble)
	switch {
	case datatype != 0:
		return datatype, nil
	case isDouble:
		return p.vocab(xsdDoubleIRI)
	default:
		return p.vocab(xsdIntegerIRI)
	}
}

// i18n is the namespace of the datatypes that hold a language and a direction.
const i18n = "https://www.w3.org/ns/i18n#"

// directed is step 13: a value with a base direction, whose text is in buf.
func (p *processor) directed(e *element, s statement) (rdf.ID, error) {
	// 13.1)
	language := strings.ToLower(p.languageOf(e))
	// 13.2)
	if p.options.RDFDirection == I18nDatatype {
		datatype, err := p.b.IRI([]byte(i18n + language + "_" + e.dir.String()))
		if err != nil {
			return 0, err
		}
		return p.b.Literal(p.buf, datatype)
	}
	// 13.3) Of equal values of one property, the node map keeps one.
	k := compound{
		subject: s.subject, property: s.key.pred.id, graph: s.graph,
		text: string(p.buf), kind: p.valueOf(e).Kind(), typ: e.term, language: p.languageOf(e), dir: e.dir,
	}
	if e.index != 0 {
		k.index, k.indexed = p.indexes[e.index-1], true
	}
	if id := p.compounds[k]; id != 0 && !s.inList {
		return id, nil
	}
	node, err := p.b.FreshBlank()
	if err != nil {
		return 0, err
	}
	if !s.inList {
		if p.compounds == nil {
			p.compounds = map[compound]rdf.ID{}
		}
		p.compounds[k] = node
	}
	if err := p.describe(node, rdfValueIRI, []byte(k.text), s.graph, e.ref); err != nil {
		return 0, err
	}
	if e.has&hasLanguage != 0 {
		if err := p.describe(node, rdfLanguageIRI, []byte(language), s.graph, e.ref); err != nil {
			return 0, err
		}
	}
	return node, p.describe(node, rdfDirectionIRI, []byte(e.dir.String()), s.graph, e.ref)
}

// compound tells the values apart that become a blank node each.
type compound struct {
	subject  rdf.ID
	property rdf.ID
	graph    graphName
	text     string
	kind     strictjson.Kind
	typ      term
	language string
	dir      direction
	index    string
	indexed  bool
}

// describe adds a quad with a string about a compound literal.
func (p *processor) describe(node rdf.ID, pred knownIRI, text []byte, g graphName, ref strictjson.Ref) error {
	predicate, err := p.vocab(pred)
	if err != nil {
		return err
	}
	object, err := p.b.Literal(text, 0)
	if err != nil {
		return err
	}
	return p.add(node, predicate, object, g, ref, ref)
}
