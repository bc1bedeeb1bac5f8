package vectors

import (
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// TestBase is what the IRIs of cases in an EARL report begin with: the suites give
// their cases identifiers and no IRIs.
const TestBase = "urn:vectors:"

// EARL returns reports in the Evaluation and Report Language (EARL 1.0 Schema, W3C
// 2017): one assertion a case, about the software of an IRI. It fails when an
// identifier makes no IRI.
func EARL(reports []Report, software string) (*rdf.Dataset, error) {
	w := earlWriter{b: rdf.NewBuilder(rdf.Local())}
	subject := w.iri(software)
	w.add(subject, vocab.RDFType, w.iri(vocab.EARLSoftware))
	for _, report := range reports {
		for _, r := range report.Results {
			w.assertion(subject, r)
		}
	}
	if w.err != nil {
		return nil, w.err
	}
	return w.b.Dataset(), nil
}

// earlWriter adds triples and keeps the first error.
type earlWriter struct {
	b   *rdf.Builder
	err error
}

func (w *earlWriter) id(id rdf.ID, err error) rdf.ID {
	if w.err == nil {
		w.err = err
	}
	return id
}

func (w *earlWriter) iri(s string) rdf.ID { return w.id(w.b.IRI([]byte(s))) }

func (w *earlWriter) add(s rdf.ID, property string, o rdf.ID) {
	p := w.iri(property)
	if w.err == nil {
		w.err = w.b.Add(s, p, o, 0)
	}
}

func (w *earlWriter) assertion(subject rdf.ID, r Result) {
	assertion, result := w.id(w.b.FreshBlank()), w.id(w.b.FreshBlank())
	outcome := vocab.EARLFailed
	if r.Passed {
		outcome = vocab.EARLPassed
	}
	w.add(assertion, vocab.RDFType, w.iri(vocab.EARLAssertion))
	w.add(assertion, vocab.EARLAssertedBy, subject)
	w.add(assertion, vocab.EARLSubject, subject)
	w.add(assertion, vocab.EARLTest, w.iri(TestBase+r.ID))
	w.add(assertion, vocab.EARLMode, w.iri(vocab.EARLAutomatic))
	w.add(assertion, vocab.EARLResult, result)
	w.add(result, vocab.RDFType, w.iri(vocab.EARLTestResult))
	w.add(result, vocab.EARLOutcome, w.iri(outcome))
	if r.Reason != "" {
		w.add(result, vocab.DCDescription, w.id(w.b.Literal([]byte(r.Reason), 0)))
	}
}
