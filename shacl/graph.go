package shacl

import (
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// Dataset returns the report as RDF (section 3.6), in the default graph of a
// dataset. Blank nodes of the data keep their labels. A shape or a path that is
// a blank node becomes a new one: the report is a graph of its own. Where the
// shape has no sh:message, sh:resultMessage is what [Result.Reason] says. It
// fails with a [*LimitError] when the report is larger than limits. These do not
// bound the text that the graph is written as: see [Report.Cut].
func (r *Report) Dataset(limits rdf.Limits) (*rdf.Dataset, error) {
	w := reportWriter{b: rdf.NewBuilder(limits), shapes: map[rdf.Term]rdf.ID{}}
	report := w.blank()
	w.add(report, vocab.RDFType, w.iri(vocab.SHValidationReport))
	conforms := "false"
	if r.conforms {
		conforms = "true"
	}
	w.add(report, vocab.SHConforms, w.literal(conforms, vocab.XSDBoolean))
	for i := range r.Results {
		if w.err != nil {
			break
		}
		w.add(report, vocab.SHResult, w.result(&r.Results[i]))
	}
	if w.err != nil {
		return nil, w.err
	}
	return w.b.Dataset(), nil
}

// reportWriter builds the graph of a report. After an error it does nothing.
type reportWriter struct {
	b      *rdf.Builder
	shapes map[rdf.Term]rdf.ID // blank nodes that are shapes
	err    error
}

func (w *reportWriter) result(r *Result) rdf.ID {
	node := w.blank()
	w.add(node, vocab.RDFType, w.iri(vocab.SHValidationResult))
	w.add(node, vocab.SHFocusNode, w.term(r.Focus))
	if !r.Path.IsZero() {
		w.add(node, vocab.SHResultPath, w.path(r.Path.p))
	}
	if !r.Value.IsZero() {
		w.add(node, vocab.SHValue, w.term(r.Value))
	}
	w.add(node, vocab.SHSourceConstraintComponent, w.iri(r.Constraint))
	w.add(node, vocab.SHSourceShape, w.shape(r.Shape))
	w.add(node, vocab.SHResultSeverity, w.iri(r.Severity))
	for _, m := range r.Messages {
		w.add(node, vocab.SHResultMessage, w.term(m))
	}
	if len(r.Messages) == 0 {
		w.add(node, vocab.SHResultMessage, w.literal(r.Reason(rdf.Term.String), vocab.XSDString))
	}
	for i := range r.Details {
		if w.err != nil {
			break
		}
		w.add(node, vocab.SHDetail, w.result(&r.Details[i]))
	}
	return node
}

// shape returns the node of a shape. Its label is of the shapes graph and must
// not meet one of the data.
func (w *reportWriter) shape(t rdf.Term) rdf.ID {
	if t.Kind() != rdf.KindBlank {
		return w.term(t)
	}
	id, ok := w.shapes[t]
	if !ok {
		id = w.blank()
		w.shapes[t] = id
	}
	return id
}

// path returns the node of a path (section 2.3.1).
func (w *reportWriter) path(p *path) rdf.ID {
	switch p.kind {
	case predicatePath:
		return w.term(p.iri)
	case sequencePath:
		return w.pathList(p.parts)
	}
	node := w.blank()
	if p.kind == alternativePath {
		w.add(node, p.kind.property(), w.pathList(p.parts))
	} else {
		w.add(node, p.kind.property(), w.path(p.parts[0]))
	}
	return node
}

func (w *reportWriter) pathList(parts []*path) rdf.ID {
	rest := w.iri(vocab.RDFNil)
	for i := len(parts) - 1; i >= 0 && w.err == nil; i-- {
		node := w.blank()
		w.add(node, vocab.RDFFirst, w.path(parts[i]))
		w.add(node, vocab.RDFRest, rest)
		rest = node
	}
	return rest
}

func (w *reportWriter) add(s rdf.ID, p string, o rdf.ID) {
	predicate := w.iri(p)
	if w.err == nil {
		w.err = w.b.Add(s, predicate, o, 0)
	}
}

func (w *reportWriter) blank() rdf.ID { return w.keep(w.b.FreshBlank()) }

func (w *reportWriter) iri(iri string) rdf.ID { return w.keep(w.b.IRI([]byte(iri))) }

func (w *reportWriter) term(t rdf.Term) rdf.ID { return w.keep(w.b.Term(t)) }

func (w *reportWriter) literal(lexical, datatype string) rdf.ID {
	return w.keep(w.b.Literal([]byte(lexical), w.iri(datatype)))
}

func (w *reportWriter) keep(id rdf.ID, err error) rdf.ID {
	if w.err == nil {
		w.err = err
	}
	return id
}
