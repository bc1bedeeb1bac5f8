package jsonld

import (
	"bytes"
	"errors"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
)

// termError returns err when it says that no term can be made of a text, and
// nil when it is nil or something else.
func termError(err error) *rdf.TermError {
	if err == nil {
		return nil
	}
	var e *rdf.TermError
	errors.As(err, &e)
	return e
}

// oddTerm keeps what stands in buf and is no term.
func (p *processor) oddTerm() (term, error) {
	if p.odd == nil {
		p.odd = append(p.odd, "")
	}
	if p.oddBytes += int64(len(p.buf)); p.oddBytes > p.rdfLimits.TermBytes {
		return term{}, &rdf.LimitError{Limit: rdf.LimitTermBytes, Max: p.rdfLimits.TermBytes}
	}
	p.odd = append(p.odd, string(p.buf))
	return term{odd: uint32(len(p.odd))}, nil
}

// nullTerm stands for an identifier that expands to null.
var nullTerm = term{odd: 1}

// longIRI names the expansion of a string. Those that become long are
// remembered, or a short string under a long prefix, said often, would cost the
// prefix every time.
type longIRI struct {
	c               *activeContext
	text            string
	vocab, relative bool
}

// term makes a term of an expanded IRI; v is the string that was expanded.
func (p *processor) term(c *activeContext, e expandedIRI, v strictjson.Value) (term, error) {
	const long = 512
	n := len(e.head) + len(e.tail)
	if e.relative {
		n += p.baseLength(c)
	}
	if n < long {
		return p.newTerm(c, e, v)
	}
	s, _ := v.Str()
	k := longIRI{c, s, e.vocab, e.relative}
	if t, ok := p.longs[k]; ok {
		return t, nil
	}
	// And one IRI under a long base can be spelt in many ways.
	if n-len(s) > usual {
		if err := p.spell(n, v); err != nil {
			return term{}, err
		}
	}
	t, err := p.newTerm(c, e, v)
	if err != nil {
		return t, err
	}
	if p.longs == nil {
		p.longs = map[longIRI]term{}
	}
	p.longs[k] = t
	return t, nil
}

// usual is more bytes than what is said in short takes where nobody means harm.
const usual = 256

// spell spends the bytes of a text that is not written where it is said, at v.
func (p *processor) spell(n int, v strictjson.Value) error { return p.at(p.spendSpelt(n), p.doc, v) }

func (p *processor) spendSpelt(n int) error {
	if p.spelt += int64(n); p.spelt > p.rdfLimits.TermBytes {
		return &rdf.LimitError{Limit: rdf.LimitTermBytes, Max: p.rdfLimits.TermBytes}
	}
	return nil
}

// newTerm makes a term of an expanded IRI.
func (p *processor) newTerm(c *activeContext, e expandedIRI, v strictjson.Value) (term, error) {
	switch {
	case e.keyword != noKeyword, e.null:
		if !p.lossy {
			s, _ := v.Str()
			return term{}, refusal(CodeReservedTerm, p.doc, v, s, "expected an IRI or a blank node")
		}
		if p.odd == nil {
			p.odd = append(p.odd, "")
		}
		if e.null {
			return nullTerm, nil
		}
		s, _ := v.Str()
		p.buf = append(p.buf[:0], s...)
		t, err := p.oddTerm()
		return t, p.at(err, p.doc, v)
	}
	p.buf = p.appendIRI(p.buf[:0], c, e)
	if isBlank(e.head) {
		id, err := p.blank(p.buf[2:])
		return term{id: id}, p.at(err, p.doc, v)
	}
	id, err := p.iri()
	if err == nil {
		return term{id: id}, nil
	}
	te := termError(err)
	if te == nil {
		return term{}, p.at(err, p.doc, v)
	}
	if !p.lossy {
		code := CodeIllFormedIRI
		if te.Code == rdf.CodeRelativeIRI {
			code = CodeRelativeIRI
		}
		return term{}, refusal(code, p.doc, v, string(p.buf), te.Reason)
	}
	t, err := p.oddTerm()
	return t, p.at(err, p.doc, v)
}

// iri interns the IRI in buf. Besides what no syntax can write, a second "#" is
// refused: it is in no IRI (RFC 3987, section 2.2), and terms under a vocabulary
// that ends in "#" come to have one.
func (p *processor) iri() (rdf.ID, error) {
	if i := bytes.IndexByte(p.buf, '#'); i >= 0 && bytes.IndexByte(p.buf[i+1:], '#') >= 0 {
		return 0, errTwoFragments
	}
	return p.b.IRI(p.buf)
}

var errTwoFragments = &rdf.TermError{Code: rdf.CodeInvalidIRI, Reason: `an IRI cannot hold "#" twice`}

// blank returns the blank node with a label (section 7.4.2): the builder keeps
// the map from labels to nodes, apart from labels that it does not take.
func (p *processor) blank(label []byte) (rdf.ID, error) {
	id, err := p.b.Blank(label)
	if termError(err) == nil {
		return id, err
	}
	if id, ok := p.labels[string(label)]; ok {
		return id, nil
	}
	if id, err = p.b.FreshBlank(); err != nil {
		return 0, err
	}
	if p.labels == nil {
		p.labels = map[string]rdf.ID{}
	}
	p.labels[string(label)] = id
	return id, nil
}
