package owg

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// graphReader reads values and keeps the first error.
type graphReader struct {
	d   *rdf.Dataset
	err error
}

func (r *graphReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = refuse(CodeHandOff, format, args...)
	}
}

func (r *graphReader) objects(s rdf.ID, property string) []rdf.ID {
	p := r.d.LookupIRI(property)
	if s == 0 || p == 0 {
		return nil
	}
	var out []rdf.ID
	for q := range r.d.Default().Objects(s, p).Quads() {
		out = append(out, q.O)
	}
	return out
}

func (r *graphReader) one(s rdf.ID, property string) rdf.ID {
	all := r.objects(s, property)
	if len(all) != 1 {
		r.fail("expected one <%s>, found %d", property, len(all))
		return 0
	}
	return all[0]
}

func (r *graphReader) class(node rdf.ID, class string) {
	all := r.objects(node, vocab.RDFType)
	if !slices.ContainsFunc(all, func(c rdf.ID) bool { return r.d.Kind(c) == rdf.KindIRI && r.d.Value(c) == class }) {
		r.fail("expected a node of the class <%s>", class)
	}
}

// literal returns the one literal of a datatype.
func (r *graphReader) literal(s rdf.ID, property, datatype string, need bool) string {
	all := r.objects(s, property)
	if len(all) == 0 && !need {
		return ""
	}
	if len(all) != 1 || r.d.Kind(all[0]) != rdf.KindLiteral || r.d.Value(r.d.Datatype(all[0])) != datatype || r.d.Value(all[0]) == "" {
		r.fail("expected one literal of <%s> for <%s>, found %d values", datatype, property, len(all))
		return ""
	}
	return strings.Clone(r.d.Value(all[0])) // a hand-off does not keep the graph
}

func (r *graphReader) text(s rdf.ID, property string, need bool) string {
	return r.literal(s, property, rdf.XSDString, need)
}

// texts returns the strings of a property, sorted; nil for none.
func (r *graphReader) texts(s rdf.ID, property string) []string {
	var out []string
	for _, v := range r.objects(s, property) {
		if r.d.Kind(v) != rdf.KindLiteral || r.d.Value(r.d.Datatype(v)) != rdf.XSDString || r.d.Value(v) == "" {
			r.fail("expected strings that are not empty for <%s>", property)
			continue
		}
		out = append(out, strings.Clone(r.d.Value(v)))
	}
	slices.Sort(out)
	return out
}

// graphWriter writes triples and keeps the first error.
type graphWriter struct {
	b   *rdf.Builder
	err error
}

func newGraph() *graphWriter { return &graphWriter{b: rdf.NewBuilder(rdf.Peer())} }

func (w *graphWriter) id(id rdf.ID, err error) rdf.ID {
	if w.err == nil {
		w.err = err
	}
	return id
}

func (w *graphWriter) iri(iri string) rdf.ID { return w.id(w.b.IRI([]byte(iri))) }
func (w *graphWriter) blank() rdf.ID         { return w.id(w.b.FreshBlank()) }

func (w *graphWriter) typed(lexical, datatype string) rdf.ID {
	return w.id(w.b.Literal([]byte(lexical), w.iri(datatype)))
}

func (w *graphWriter) add(s rdf.ID, property string, o rdf.ID) {
	p := w.iri(property)
	if w.err == nil {
		w.err = w.b.Add(s, p, o, 0)
	}
}

// texts adds strings, the empty ones left out.
func (w *graphWriter) texts(s rdf.ID, property string, all ...string) {
	for _, text := range all {
		if text != "" {
			w.add(s, property, w.id(w.b.Literal([]byte(text), 0)))
		}
	}
}

func (w *graphWriter) dataset() (*rdf.Dataset, error) {
	if w.err != nil {
		return nil, fmt.Errorf("the hand-off cannot be written as a graph: %w", w.err)
	}
	return w.b.Dataset(), nil
}
