package earl

import (
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// Software is the IRI that names this software in reports.
const Software = "https://github.com/rdfproto/rdfproto"

// Assertion is the outcome of one case.
type Assertion struct {
	Test   string // the IRI of the case
	Passed bool
	Reason string // why it failed, "" for no reason
}

// Dataset returns assertions about the software with an IRI, in order. It fails when a
// text is not an IRI.
func Dataset(assertions []Assertion, software string) (*rdf.Dataset, error) {
	w := writer{b: rdf.NewBuilder(rdf.Local())}
	subject := w.iri(software)
	w.add(subject, vocab.RDFType, w.iri(vocab.EARLSoftware))
	for _, a := range assertions {
		w.assertion(subject, a)
	}
	if w.err != nil {
		return nil, w.err
	}
	return w.b.Dataset(), nil
}

// writer adds triples and keeps the first error.
type writer struct {
	b   *rdf.Builder
	err error
}

func (w *writer) id(id rdf.ID, err error) rdf.ID {
	if w.err == nil {
		w.err = err
	}
	return id
}

func (w *writer) iri(s string) rdf.ID { return w.id(w.b.IRI([]byte(s))) }

func (w *writer) add(s rdf.ID, property string, o rdf.ID) {
	p := w.iri(property)
	if w.err == nil {
		w.err = w.b.Add(s, p, o, 0)
	}
}

// assertion adds one assertion about a subject, which asserts it itself.
func (w *writer) assertion(subject rdf.ID, a Assertion) {
	assertion, result := w.id(w.b.FreshBlank()), w.id(w.b.FreshBlank())
	outcome := vocab.EARLFailed
	if a.Passed {
		outcome = vocab.EARLPassed
	}
	w.add(assertion, vocab.RDFType, w.iri(vocab.EARLAssertion))
	w.add(assertion, vocab.EARLAssertedBy, subject)
	w.add(assertion, vocab.EARLSubject, subject)
	w.add(assertion, vocab.EARLTest, w.iri(a.Test))
	w.add(assertion, vocab.EARLMode, w.iri(vocab.EARLAutomatic))
	w.add(assertion, vocab.EARLResult, result)
	w.add(result, vocab.RDFType, w.iri(vocab.EARLTestResult))
	w.add(result, vocab.EARLOutcome, w.iri(outcome))
	if a.Reason != "" {
		w.add(result, vocab.DCDescription, w.id(w.b.Literal([]byte(a.Reason), 0)))
	}
}
