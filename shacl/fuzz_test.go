package shacl_test

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/rdf/xsd"
	"github.com/rdfproto/rdfproto/shacl"
)

// FuzzValidate compiles any graph and validates any other: it never panics, what
// it spends is within the budget, two runs and any number of goroutines give the
// same report, and the report's graph says what the report says.
func FuzzValidate(f *testing.F) {
	for seed := range uint64(20) {
		g := newGenerator(seed)
		f.Add(prefixes+g.shapes(), prefixes+g.data())
	}
	f.Add(document, intent)
	f.Add(prefixes+doubling(12, "sh:or (ex:L%d ex:L%d)", "sh:class ex:C"), prefixes+`ex:x ex:p ex:x.`)
	f.Add(prefixes+`ex:S sh:targetNode ex:x; sh:path _:p. _:p rdf:first _:p; rdf:rest _:p.`, prefixes)
	// Most tests of the suite have their data with them; what is apart stands beside.
	beside := map[string]string{}
	for _, seed := range suite.Seeds(f, suite.ShapesData) {
		beside[stem(seed.Name)] = string(seed.Data)
	}
	for _, seed := range suite.Seeds(f, suite.Shapes) {
		data := string(seed.Data)
		if apart, ok := beside[stem(seed.Name)]; ok {
			data = apart
		}
		f.Add(string(seed.Data), data)
	}
	f.Fuzz(func(t *testing.T, shapesText, dataText string) {
		shapes, err := turtle.Parse([]byte(shapesText), turtle.Options{Base: "http://example.org/", Places: true})
		if err != nil {
			return
		}
		data, err := turtle.Parse([]byte(dataText), turtle.Options{Base: "http://example.org/", Places: true})
		if err != nil {
			return
		}
		checkPair(t, shapes.Default(), data.Default())
	})
}

// stem is what the files of shapes and of their data have in common: the folder, and the
// name but for these words.
func stem(name string) string {
	for _, end := range []string{"-shapes.ttl", "-data.ttl", "shape.ttl", "shape2.ttl", "shape3.ttl", "data.ttl"} {
		if s, ok := strings.CutSuffix(name, end); ok {
			return s
		}
	}
	return name
}

// checkPair checks what holds for every pair of graphs.
func checkPair(t *testing.T, shapes, data rdf.Graph) {
	var limit *shacl.LimitError
	p, err := shacl.Compile(shapes, shacl.CompileOptions{})
	if err != nil {
		var refused *shacl.CompileError
		if p != nil || !errors.As(err, &refused) && !errors.As(err, &limit) {
			t.Fatalf("a program with an error, or an error of another type: %v", err)
		}
		return
	}
	const most = 20_000
	o := shacl.Options{MaxChecks: most, Workers: 1}
	r, err := p.Validate(context.Background(), data, o)
	if err != nil {
		if r != nil || !errors.As(err, &limit) {
			t.Fatalf("a report with an error, or an error of another type: %v", err)
		}
		return
	}
	if r.Checks > most {
		t.Fatalf("%d checks of %d", r.Checks, most)
	}
	if r.Conforms() != (len(r.Results)+r.Omitted == 0) || len(r.Results) > 100 {
		t.Fatalf("conforms %v with %d results and %d omitted", r.Conforms(), len(r.Results), r.Omitted)
	}
	for _, workers := range []int{1, 3} {
		o.Workers = workers
		again, err := p.Validate(context.Background(), data, o)
		if err != nil || again.Checks != r.Checks || string(again.AppendJSON(nil)) != string(r.AppendJSON(nil)) {
			t.Fatalf("another report with %d workers: %v\n%d %s\n%d %s", workers, err, r.Checks, r.AppendJSON(nil), again.Checks, again.AppendJSON(nil))
		}
	}
	// A bound below what was spent is exceeded, and never gives a verdict.
	if r.Checks > 1 {
		o.MaxChecks = r.Checks - 1
		if less, err := p.Validate(context.Background(), data, o); less != nil || !errors.As(err, &limit) {
			t.Fatalf("%d checks were enough where %d were spent: %v", o.MaxChecks, r.Checks, err)
		}
	}
	d, err := r.Dataset(rdf.Local())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := nquads.Parse(nquads.Append(nil, d), nquads.Options{Limits: rdf.Local()}); err != nil {
		t.Fatalf("the report cannot be read back: %v", err)
	}
	checkWorstCase(t, p, data)
}

// checkWorstCase checks that no node costs more than WorstCase says, which does not cover
// texts and values that take long.
func checkWorstCase(t *testing.T, p *shacl.Program, data rdf.Graph) {
	values, d := widest(data), data.Dataset()
	number, _ := xsd.Parse(xsd.Double, "0")
	for id := rdf.ID(1); int(id) <= d.NumTerms(); id++ {
		term := d.Term(id)
		dt, _ := xsd.Lookup(term.Datatype())
		if v, _ := xsd.Parse(dt, term.Value()); xsd.Effort(v, number) > 1 || len(term.Value()) >= 64 || len(term.Lang()) >= 64 {
			return
		}
	}
	for _, s := range p.Shapes() {
		most, ok := p.WorstCase(s.Term, values)
		if !ok {
			t.Fatalf("no worst case of %s", s.Term)
		}
		for q := range data.All().Quads() {
			node := data.Dataset().Term(q.S)
			r, err := p.ValidateNode(context.Background(), s.Term, data, node, shacl.Options{MaxChecks: 20_000})
			if err == nil && r.Checks > most {
				t.Fatalf("%s costs %d for %s, at most %d was promised", s.Term, r.Checks, node, most)
			}
		}
	}
}

// widest is the number of values that WorstCase asks for.
func widest(g rdf.Graph) int {
	n, nodes, subclasses := 1, map[rdf.ID]bool{}, 0
	subClassOf := g.Dataset().LookupIRI(vocab.RDFSSubClassOf)
	count := map[rdf.Quad]int{}
	for q := range g.All().Quads() {
		nodes[q.S], nodes[q.O] = true, true
		if q.P == subClassOf {
			subclasses++
		}
		for _, key := range []rdf.Quad{{S: q.S}, {S: q.S, P: q.P}, {P: q.P, O: q.O}} {
			count[key]++
			n = max(n, count[key])
		}
	}
	return max(n, len(nodes), subclasses)
}

// TestGenerated does for many random pairs what the fuzz target does, and again
// after the shapes graph was damaged.
func TestGenerated(t *testing.T) {
	t.Parallel()
	n := uint64(300)
	if testing.Short() {
		n = 50
	}
	if all, err := strconv.ParseUint(os.Getenv("RDFPROTO_GENERATED"), 10, 64); err == nil {
		n = all
	}
	for seed := range n {
		g := newGenerator(seed)
		shapes, data := graph(t, "shapes.ttl", g.shapes()), graph(t, "data.ttl", g.data())
		checkPair(t, shapes, data)
		for range 3 {
			checkPair(t, g.damage(t, shapes), data)
		}
	}
}

// damage returns a graph with a triple left out, or with one position of a
// triple taken from another triple.
func (g generator) damage(t *testing.T, of rdf.Graph) rdf.Graph {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(string(nquads.Append(nil, of.Dataset()))), "\n")
	i := g.IntN(len(lines))
	if g.chance(30) {
		lines = append(lines[:i], lines[i+1:]...)
	} else {
		a, b := strings.SplitN(lines[i], " ", 3), strings.SplitN(lines[g.IntN(len(lines))], " ", 3)
		k := g.IntN(3)
		a[k] = b[k]
		lines = append(lines, strings.Join(a, " ")) // beside what is there
		if g.chance(50) {
			lines = append(lines[:i], lines[i+1:]...) // or in its place
		}
	}
	d, err := nquads.Parse([]byte(strings.Join(lines, "\n")), nquads.Options{File: "shapes.nq", Places: true, Limits: rdf.Local()})
	if err != nil {
		t.Fatal(err)
	}
	return d.Default()
}
