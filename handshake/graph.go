package handshake

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// Subject is what a written graph is about. A reader takes any subject
// (HSR-10).
const Subject = "urn:a2a:handshake"

// ParseText reads an offer or a response from the bytes of an RDF graph in
// Turtle, JSON-LD or N-Triples (a2a-rdf, section 4.4), as
// [protocol.ReadPayload] does, and then as [ParseGraph]. It fails with an
// [*Error]; its code may also be [protocol.CodeUnsupportedMediaType].
func ParseText(body []byte, mediaType string, o Options) (Message, error) {
	if o.Read.Limits == (rdf.Limits{}) {
		o.Read.Limits = protocol.PayloadLimits()
		o.Read.Limits.Bytes = 0
	}
	o.Read.Limits.Bytes = positiveOr(o.Read.Limits.Bytes, MaxBytes) // HS-14
	d, err := protocol.ReadPayload(body, mediaType, o.Read)
	if err != nil {
		e := &Error{Code: protocol.CodeMalformedPayload, Err: err}
		if refusal, ok := errors.AsType[*protocol.Error](err); ok {
			e.Code = refusal.Code
		}
		return nil, e
	}
	return ParseGraph(d, o)
}

// ParseGraph reads an offer or a response from an RDF dataset (a2a-rdf, section
// 4.4). It fails with an [*Error]. Whoever read the dataset bounds its size.
func ParseGraph(d *rdf.Dataset, o Options) (Message, error) {
	if len(d.GraphNames()) > 0 {
		return nil, malformed("", "expected one default graph, found a named graph")
	}
	g := d.Default()
	typ := d.LookupIRI(vocab.RDFType)
	offers := subjects(g, typ, d.LookupIRI(vocab.A2AUpgradeOffer))
	responses := subjects(g, typ, d.LookupIRI(vocab.A2AUpgradeResponse))
	if len(offers)+len(responses) != 1 { // HSR-1; a literal type is no type (HSR-3)
		return nil, malformed("", fmt.Sprintf("expected one offer or response, found %d offers and %d responses", len(offers), len(responses)))
	}
	s := slices.Concat(offers, responses)[0]
	if o.OneSubject && g.Subject(s).Len() != g.Len() {
		return nil, malformed("", "expected no triples about another subject")
	}
	v := graphView{d, g, s}
	read := v.response
	if len(offers) == 1 {
		read = v.offer
	}
	m, err := read()
	if e, ok := errors.AsType[*Error](err); ok {
		e.Place = v.place(e.Field)
	}
	return m, err
}

// place returns the place of a property's value, or else that of the subject.
func (v graphView) place(field string) rdf.Place {
	if !v.d.HasPlaces() {
		return rdf.Place{}
	}
	if p := v.d.LookupIRI(vocab.A2A + field); p != 0 {
		if values := v.g.Objects(v.s, p); values.Len() > 0 {
			last := values.At(values.Len() - 1)
			return v.d.ObjectPlace(v.g.Index(last.S, last.P, last.O))
		}
	}
	from, _ := v.g.SubjectIndex(v.s)
	return v.d.SubjectPlace(from)
}

func subjects(g rdf.Graph, p, o rdf.ID) []rdf.ID {
	var out []rdf.ID
	if p == 0 || o == 0 {
		return nil
	}
	for q := range g.Subjects(p, o).Quads() {
		out = append(out, q.S)
	}
	return out
}

// graphView is the one subject that is read; triples about others are never mixed
// in (HSR-2).
type graphView struct {
	d *rdf.Dataset
	g rdf.Graph
	s rdf.ID
}

func (v graphView) offer() (Message, error) {
	if err := v.none(vocab.A2AAccept, vocab.A2AReason); err != nil {
		return nil, err
	}
	var o Offer
	var err error
	if o.Hash, err = v.pin(); err != nil {
		return nil, err
	}
	source, ok, err := v.one(vocab.A2AProtocolSource)
	if err != nil {
		return nil, err
	}
	if !ok || source.Kind() != rdf.KindIRI {
		return nil, malformed("protocolSource", "expected an IRI, found "+source.Kind().String())
	}
	o.Source = source.Value()
	if o.Required, err = v.boolean(vocab.A2ARequired); err != nil {
		return nil, err
	}
	if o.Name, err = v.text(vocab.A2AProtocolName); err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	return o, nil
}

func (v graphView) response() (Message, error) {
	if err := v.none(vocab.A2AProtocolSource, vocab.A2ARequired, vocab.A2AProtocolName); err != nil {
		return nil, err
	}
	var r Response
	var err error
	if r.Hash, err = v.pin(); err != nil {
		return nil, err
	}
	if r.Accept, err = v.boolean(vocab.A2AAccept); err != nil {
		return nil, err
	}
	if r.Reason, err = v.text(vocab.A2AReason); err != nil {
		return nil, err
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	return r, nil
}

// one returns the value of a property, and whether there is one; a second value,
// of whatever kind, is refused (HSR-4, HSR-7).
func (v graphView) one(property string) (rdf.Term, bool, error) {
	p := v.d.LookupIRI(property)
	if p == 0 {
		return rdf.Term{}, false, nil
	}
	values := v.g.Objects(v.s, p)
	switch values.Len() {
	case 0:
		return rdf.Term{}, false, nil
	case 1:
		return v.d.Term(values.At(0).O), true, nil
	}
	return rdf.Term{}, false, malformed(local(property), fmt.Sprintf("expected one value, found %d", values.Len()))
}

// none refuses properties of the other kind of message, as HS-11 does in JSON.
func (v graphView) none(properties ...string) error {
	for _, p := range properties {
		if id := v.d.LookupIRI(p); id != 0 && v.g.Objects(v.s, id).Len() > 0 {
			return malformed(local(p), "expected no property of the other kind of message")
		}
	}
	return nil
}

// str returns the lexical form of a plain string (HSR-6).
func (v graphView) str(property string) (s string, present bool, err error) {
	t, ok, err := v.one(property)
	if err != nil || !ok {
		return "", false, err
	}
	if t.Kind() != rdf.KindLiteral || t.Datatype() != rdf.XSDString {
		return "", true, malformed(local(property), "expected a plain string")
	}
	return t.Value(), true, nil
}

func (v graphView) pin() (canon.Digest, error) {
	s, ok, err := v.str(vocab.A2AProtocolHash)
	if err != nil {
		return canon.Digest{}, err
	}
	if !ok {
		return canon.Digest{}, malformed("protocolHash", "expected a plain string, found nothing")
	}
	if err := checkText("protocolHash", s); err != nil {
		return canon.Digest{}, err
	}
	return parsePin(s)
}

func (v graphView) text(property string) (Text, error) {
	s, ok, err := v.str(property)
	if err != nil || !ok {
		return Text{}, err
	}
	return NewText(s), nil
}

// boolean demands "true" or "false" of datatype xsd:boolean (HSR-5, HSR-6). The other
// lexical forms, "1" and "0", are refused, so that nothing is coerced.
func (v graphView) boolean(property string) (bool, error) {
	t, ok, err := v.one(property)
	if err != nil {
		return false, err
	}
	if ok && t.Kind() == rdf.KindLiteral && t.Datatype() == vocab.XSDBoolean {
		switch t.Value() {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
	}
	return false, malformed(local(property), `expected "true" or "false" of datatype xsd:boolean`)
}

func local(property string) string { return property[len(vocab.A2A):] }

// Graph returns the offer as an RDF graph about [Subject].
func (o Offer) Graph() (*rdf.Dataset, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	w := newWriter(vocab.A2AUpgradeOffer, o.Hash)
	w.iri(vocab.A2AProtocolSource, o.Source)
	w.boolean(vocab.A2ARequired, o.Required)
	w.text(vocab.A2AProtocolName, o.Name)
	return w.dataset()
}

// Graph returns the response as an RDF graph about [Subject].
func (r Response) Graph() (*rdf.Dataset, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	w := newWriter(vocab.A2AUpgradeResponse, r.Hash)
	w.boolean(vocab.A2AAccept, r.Accept)
	w.text(vocab.A2AReason, r.Reason)
	return w.dataset()
}

// writer adds triples about Subject to a graph and keeps the first error.
type writer struct {
	b   *rdf.Builder
	s   rdf.ID
	err error
}

func newWriter(class string, pin canon.Digest) *writer {
	w := &writer{b: rdf.NewBuilder(rdf.Limits{})}
	w.s = w.term(rdf.NewIRI(Subject))
	w.iri(vocab.RDFType, class)
	w.add(vocab.A2AProtocolHash, w.term(rdf.NewString(pin.String())))
	return w
}

func (w *writer) term(t rdf.Term, err error) rdf.ID {
	if err == nil {
		var id rdf.ID
		if id, err = w.b.Term(t); err == nil {
			return id
		}
	}
	w.fail(err)
	return 0
}

func (w *writer) add(property string, o rdf.ID) {
	p := w.term(rdf.NewIRI(property))
	if w.err == nil {
		w.fail(w.b.Add(w.s, p, o, 0))
	}
}

func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *writer) iri(property, iri string) { w.add(property, w.term(rdf.NewIRI(iri))) }

func (w *writer) boolean(property string, v bool) {
	w.add(property, w.term(rdf.NewLiteral(string(appendBool(nil, v)), vocab.XSDBoolean)))
}

func (w *writer) text(property string, t Text) {
	if s, ok := t.Get(); ok {
		w.add(property, w.term(rdf.NewString(s)))
	}
}

func (w *writer) dataset() (*rdf.Dataset, error) {
	if w.err != nil {
		return nil, w.err
	}
	return w.b.Dataset(), nil
}
