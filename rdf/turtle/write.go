package turtle

import (
	"fmt"
	"io"

	"github.com/rdfproto/rdfproto/rdf"
)

// Prefix abbreviates IRIs: Name without its ":", and what it stands for.
type Prefix struct{ Name, IRI string }

// WriteOptions says how to write. The zero WriteOptions write every IRI in
// full.
type WriteOptions struct {
	// Prefixes are declared in this order. An IRI is shortened with the longest
	// namespace that leaves a local name, and written in full if there is none.
	Prefixes []Prefix
}

// Write writes a dataset without named graphs as Turtle. A blank node that is
// the object of one triple is written inside it, lists in parentheses, and
// numbers and booleans without quotes where Turtle allows that. The same dataset
// always gives the same text, and reading the text gives an isomorphic dataset.
// Write fails when the dataset has named graphs, when a prefix is malformed or
// declared twice, and as w does.
func Write(w io.Writer, d *rdf.Dataset, o WriteOptions) error {
	if names := d.GraphNames(); len(names) > 0 {
		return fmt.Errorf("the dataset has %d named graphs, which Turtle cannot hold", len(names))
	}
	return WriteTriG(w, d, o)
}

// WriteTriG writes a dataset as TriG, as [Write] does: the default graph first,
// then the named graphs in the order of [rdf.Dataset.GraphNames].
func WriteTriG(w io.Writer, d *rdf.Dataset, o WriteOptions) error {
	if err := checkPrefixes(o.Prefixes); err != nil {
		return err
	}
	p := printer{w: w, d: d, prefixes: o.Prefixes, namespaces: NewNamespaces(o.Prefixes), shape: newShape(d)}
	for _, prefix := range o.Prefixes {
		p.print("@prefix ", prefix.Name, ": <", prefix.IRI, "> .\n")
	}
	gap := len(o.Prefixes) > 0
	if g := d.Default(); g.Len() > 0 {
		p.graph(g, gap)
		gap = true
	}
	for _, name := range d.GraphNames() {
		if gap {
			p.print("\n")
		}
		gap = true
		p.term(name)
		p.print(" {\n")
		p.margin = 1
		p.graph(d.Graph(name), false)
		p.margin = 0
		p.print("}\n")
	}
	p.flush(0)
	return p.err
}

// checkPrefixes refuses a prefix that cannot be declared, or that is declared twice.
func checkPrefixes(prefixes []Prefix) error {
	seen := map[string]bool{}
	for _, prefix := range prefixes {
		name := parser{data: []byte(prefix.Name + ":")}
		if name.prefixEnd(0) != len(name.data) {
			return fmt.Errorf("%q is not a prefix", rdf.Abbreviate(prefix.Name))
		}
		if seen[prefix.Name] {
			return fmt.Errorf("the prefix %q is declared twice", prefix.Name)
		}
		seen[prefix.Name] = true
		if err := rdf.CheckIRI(prefix.IRI); err != nil {
			return fmt.Errorf("the prefix %q: %w", prefix.Name, err)
		}
	}
	return nil
}

// printer writes one document. It keeps open brackets on a stack of its own.
type printer struct {
	w          io.Writer
	d          *rdf.Dataset
	prefixes   []Prefix
	namespaces *Namespaces
	shape      shape
	buf        []byte
	err        error

	margin int // of the statements of the current graph
	stack  []open
}

// open is a bracket that is not closed, or the statement itself.
type open struct {
	bracket byte   // '[', '(' or 0
	cell    rdf.ID // '(': the rest of the list

	triples   rdf.Run // otherwise: of the subject
	types     int     // how many have rdf:type as predicate: they come first
	typesFrom int     // where they are in triples
	next      int     // how many are written
	last      rdf.ID  // predicate written last
}

// graph writes the statements of a graph.
func (p *printer) graph(g rdf.Graph, gap bool) {
	all := g.All()
	for i := 0; i < all.Len() && p.err == nil; {
		s := all.At(i).S
		run := g.Subject(s)
		i += run.Len()
		if p.shape.nested(s) {
			continue
		}
		if gap {
			p.print("\n")
		}
		gap = true
		p.statement(g, s, run)
		p.flush(64 << 10)
	}
}

// statement writes a subject with its triples, and everything that is nested in them.
func (p *printer) statement(g rdf.Graph, s rdf.ID, run rdf.Run) {
	p.indent(0)
	if p.shape.anonymous(s) {
		p.print("[]")
	} else {
		p.term(s)
	}
	p.stack = append(p.stack[:0], p.opened(0, run))
	for depth := 1; len(p.stack) > 0; {
		f := &p.stack[len(p.stack)-1]
		switch {
		case f.bracket == '(':
			if f.cell == p.shape.null {
				p.print(" )")
				p.stack = p.stack[:len(p.stack)-1]
				continue
			}
			p.print(" ")
			o := g.Object(f.cell, p.shape.first)
			f.cell = g.Object(f.cell, p.shape.rest)
			depth += p.object(g, o)
		case f.next == f.triples.Len():
			if f.bracket == '[' {
				depth--
				p.print("\n")
				p.indent(depth)
				p.print("]")
			} else {
				p.print(" .\n")
			}
			p.stack = p.stack[:len(p.stack)-1]
		default:
			q := f.triple()
			switch {
			case f.next == 0 && f.bracket == 0:
				p.print(" ")
			case f.next == 0:
				p.print("\n")
				p.indent(depth)
			case q.P == f.last:
				p.print(", ")
			default:
				p.print(" ;\n")
				p.indent(depth)
			}
			if f.next == 0 || q.P != f.last {
				p.predicate(q.P)
			}
			f.next++
			f.last = q.P
			depth += p.object(g, q.O)
		}
	}
}

// opened returns the bracket, or the statement, that holds a subject's triples.
func (p *printer) opened(bracket byte, run rdf.Run) open {
	f := open{bracket: bracket, triples: run}
	for i := range run.Len() {
		if run.At(i).P == p.shape.rdfType && p.shape.rdfType != 0 {
			if f.types == 0 {
				f.typesFrom = i
			}
			f.types++
		}
	}
	return f
}

// triple returns the next triple: those with rdf:type, then the others in
// order.
func (f *open) triple() rdf.Quad {
	switch i := f.next; {
	case i < f.types:
		return f.triples.At(f.typesFrom + i)
	case i < f.types+f.typesFrom:
		return f.triples.At(i - f.types)
	default:
		return f.triples.At(i)
	}
}

// object writes an object, or opens it, and returns by how much it indents what
// follows.
func (p *printer) object(g rdf.Graph, o rdf.ID) int {
	switch {
	case o == p.shape.null && o != 0:
		p.print("()")
	case !p.shape.nested(o):
		p.term(o)
	case p.shape.list(o):
		p.print("(")
		p.stack = append(p.stack, open{bracket: '(', cell: o})
	default:
		run := g.Subject(o)
		if run.Len() == 0 {
			p.print("[]")
			break
		}
		p.print("[")
		p.stack = append(p.stack, p.opened('[', run))
		return 1
	}
	return 0
}

func (p *printer) predicate(id rdf.ID) {
	if id == p.shape.rdfType {
		p.print("a ")
		return
	}
	p.term(id)
	p.print(" ")
}

func (p *printer) indent(depth int) {
	for range depth + p.margin {
		p.buf = append(p.buf, "    "...)
	}
}

func (p *printer) print(texts ...string) {
	for _, s := range texts {
		p.buf = append(p.buf, s...)
	}
}

// flush writes what is in the buffer to w, unless that is at most keep bytes.
func (p *printer) flush(keep int) {
	if len(p.buf) <= keep || p.err != nil {
		return
	}
	_, p.err = p.w.Write(p.buf)
	p.buf = p.buf[:0]
}

// term writes a term that is not nested.
func (p *printer) term(id rdf.ID) {
	switch p.d.Kind(id) {
	case rdf.KindIRI:
		p.iri(p.d.Value(id), id)
	case rdf.KindLiteral:
		p.literal(id)
	default:
		p.buf = p.d.AppendTerm(p.buf, id)
	}
}

func (p *printer) iri(iri string, id rdf.ID) {
	best := p.namespaces.Longest(iri, isLocalName)
	if best < 0 {
		p.buf = p.d.AppendTerm(p.buf, id)
		return
	}
	p.print(p.prefixes[best].Name, ":", iri[len(p.prefixes[best].IRI):])
}

// literal writes a literal, without quotes and with a prefix for its datatype where it
// can.
func (p *printer) literal(id rdf.ID) {
	datatype := p.d.Datatype(id)
	if p.d.Lang(id) == "" && isBare(p.d.Value(id), p.d.Value(datatype)) {
		p.print(p.d.Value(id))
		return
	}
	from := len(p.buf)
	p.buf = p.d.AppendTerm(p.buf, id)
	if p.d.Lang(id) != "" || p.buf[len(p.buf)-1] == '"' {
		return
	}
	// The datatype's IRI in full is at the end: "<", IRI, ">".
	iri := p.d.Value(datatype)
	p.buf = p.buf[:max(from, len(p.buf)-len(iri)-2)]
	p.iri(iri, datatype)
}
