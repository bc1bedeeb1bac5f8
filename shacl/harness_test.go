package shacl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/shacl"
)

// prefixes stand before every graph of the tables. They are one line, so that
// the text of a row begins at line 2.
const prefixes = `@prefix ex: <http://example.org/>. @prefix sh: <http://www.w3.org/ns/shacl#>. @prefix xsd: <http://www.w3.org/2001/XMLSchema#>. ` +
	`@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>. @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#>. @prefix owl: <http://www.w3.org/2002/07/owl#>.` + "\n"

// graph parses Turtle after the prefixes, with places.
func graph(t testing.TB, file, text string) rdf.Graph {
	t.Helper()
	return parseGraph(t, file, text, rdf.Local())
}

func graphWithin(t testing.TB, text string, limits rdf.Limits) rdf.Graph {
	t.Helper()
	return parseGraph(t, "shapes.ttl", text, limits)
}

func parseGraph(t testing.TB, file, text string, limits rdf.Limits) rdf.Graph {
	t.Helper()
	d, err := turtle.Parse([]byte(prefixes+text), turtle.Options{Limits: limits, File: file, Places: true})
	if err != nil {
		t.Fatalf("%v in %.200s", err, text)
	}
	return d.Default()
}

func compile(t testing.TB, shapes string) *shacl.Program {
	t.Helper()
	p, err := shacl.Compile(graph(t, "shapes.ttl", shapes), shacl.CompileOptions{})
	require.NoError(t, err, shapes)
	return p
}

func validate(t testing.TB, shapes, data string) *shacl.Report {
	t.Helper()
	r, err := compile(t, shapes).Validate(t.Context(), graph(t, "data.ttl", data), shacl.Options{})
	require.NoError(t, err)
	assert.Equal(t, len(r.Results) == 0, r.Conforms())
	return r
}

// short writes a term with the prefixes of the tables.
func short(t rdf.Term) string { return shortText(t.String()) }

func shortText(s string) string {
	for prefix, iri := range map[string]string{
		"ex:": "http://example.org/", "sh:": vocab.SH, "xsd:": vocab.XSD, "rdf:": vocab.RDF, "rdfs:": vocab.RDFS,
	} {
		for {
			i := strings.Index(s, "<"+iri)
			if i < 0 {
				break
			}
			end := i + strings.IndexByte(s[i:], '>')
			s = s[:i] + prefix + s[i+1+len(iri):end] + s[end+1:]
		}
	}
	return s
}

// line writes a result as the tables have it: focus node, path, value and
// constraint component, where a blank node is "[]" and what is missing "-".
func line(r *shacl.Result) string {
	term := func(t rdf.Term) string {
		switch {
		case t.IsZero():
			return "-"
		case t.Kind() == rdf.KindBlank:
			return "[]"
		}
		return short(t)
	}
	path := "-"
	if !r.Path.IsZero() {
		path = r.Path.Text(short)
	}
	component := strings.TrimSuffix(strings.TrimPrefix(r.Constraint, vocab.SH), "ConstraintComponent")
	return strings.Join([]string{term(r.Focus), path, term(r.Value), component}, " ")
}

func lines(results []shacl.Result) []string {
	all := make([]string, 0, len(results))
	for i := range results {
		all = append(all, line(&results[i]))
	}
	return all
}

// row is one validation of a table.
type row struct {
	name         string
	shapes, data string
	want         []string // lines in order; none: conforms
}

func runRows(t *testing.T, rows []row) {
	for _, c := range rows {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := validate(t, c.shapes, c.data)
			if c.want == nil {
				c.want = []string{}
			}
			assert.Equal(t, c.want, lines(r.Results))
			for i := range r.Results {
				assert.NotEmpty(t, r.Results[i].Reason(short))
				assert.False(t, r.Results[i].ShapePlace.IsZero(), "the shape has no place")
			}
		})
	}
}

func iri(t testing.TB, s string) rdf.Term {
	t.Helper()
	term, err := rdf.NewIRI("http://example.org/" + s)
	require.NoError(t, err)
	return term
}

// filler returns n triples about nothing, so that data is larger than what is
// looked through without an index.
func filler(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "ex:filler%d ex:filled %d. ", i, i)
	}
	return b.String()
}
