package shacl_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/shacl"
)

// tolerated are the tests of the suite whose shapes graphs are ill-formed, with
// the code of the warning that says so.
var tolerated = map[string]shacl.Code{
	"path-strange-001": shacl.CodeTolerated,
	"path-strange-002": shacl.CodeTolerated,
	"path-unused-001":  shacl.CodeUnusedPath,
	"qualified-001":    shacl.CodeTolerated,
	"uniqueLang-002":   shacl.CodeTolerated,
}

func TestSuite(t *testing.T) {
	t.Parallel()
	suite.NewReport(t, "shacl").Run(t, suite.Cases(t, "shacl", "tests/core/manifest.ttl", 98), map[string]func(*testing.T, suite.Case){
		suite.SHT + "Validate": func(t *testing.T, c suite.Case) {
			g := expectation{c.Data.Default(), c.Data}
			action, result := g.one(c.Node, suite.MF+"action"), g.one(c.Node, suite.MF+"result")
			program, err := shacl.Compile(g.read(t, c, g.one(action, suite.SHT+"shapesGraph")).Default(), shacl.CompileOptions{})
			require.NoError(t, err)
			report, err := program.Validate(t.Context(), g.read(t, c, g.one(action, suite.SHT+"dataGraph")).Default(), shacl.Options{})
			require.NoError(t, err)

			d, err := report.Dataset(rdf.Local())
			require.NoError(t, err)
			got := expectation{d.Default(), d}
			messages := g.d.LookupIRI(vocab.SHResultMessage) != 0
			assert.Equal(t, g.d.Value(g.one(result, vocab.SHConforms)) == "true", report.Conforms())
			assert.ElementsMatch(t, g.results(result, messages), got.results(got.report(), messages))

			var codes []shacl.Code
			for _, w := range program.Warnings() {
				codes = append(codes, w.Code)
			}
			code, ok := tolerated[c.ID[strings.LastIndexAny(c.ID, "/#")+1:]]
			assert.Equal(t, ok, slices.Contains(codes, code) && ok, "warnings: %v", program.Warnings())
			if !ok {
				assert.NotContains(t, codes, shacl.CodeTolerated)
			}
		},
	})
}

// expectation reads what a manifest says of a test.
type expectation struct {
	g rdf.Graph
	d *rdf.Dataset
}

func (e expectation) one(s rdf.ID, p string) rdf.ID { return e.g.Object(s, e.d.LookupIRI(p)) }

func (e expectation) read(t *testing.T, c suite.Case, document rdf.ID) *rdf.Dataset {
	file, iri := e.file(c, document)
	d, err := turtle.Parse(suite.ReadFile(t, file), turtle.Options{Base: iri, File: file, Limits: rdf.Local()})
	require.NoError(t, err)
	return d
}

// file returns the file and the IRI of a document of a test.
func (e expectation) file(c suite.Case, document rdf.ID) (file, iri string) {
	iri = e.d.Value(document)
	return filepath.Join(filepath.Dir(c.Manifest), iri[strings.LastIndexByte(iri, '/')+1:]), iri
}

// report returns the node of the report in a graph that holds one.
func (e expectation) report() rdf.ID {
	return e.g.Subjects(e.d.LookupIRI(vocab.RDFType), e.d.LookupIRI(vocab.SHValidationReport)).At(0).S
}

// results writes the results of a report so that they compare with those of
// another graph: blank nodes are alike.
func (e expectation) results(report rdf.ID, messages bool) []string {
	var all []string
	for q := range e.g.Objects(report, e.d.LookupIRI(vocab.SHResult)).Quads() {
		term := func(p string) string { return mask(e.d.Term(e.one(q.O, p))) }
		fields := []string{
			"focus", term(vocab.SHFocusNode), "value", term(vocab.SHValue), "shape", term(vocab.SHSourceShape),
			"component", term(vocab.SHSourceConstraintComponent), "severity", term(vocab.SHResultSeverity),
		}
		if p := e.one(q.O, vocab.SHResultPath); p != 0 {
			fields = append(fields, "path", e.path(p))
		}
		if messages {
			fields = append(fields, "message", term(vocab.SHResultMessage))
		}
		all = append(all, strings.Join(fields, " "))
	}
	return all
}

func mask(t rdf.Term) string {
	if t.Kind() == rdf.KindBlank {
		return "_:"
	}
	return t.String()
}

// path writes a path with everything in parentheses.
func (e expectation) path(node rdf.ID) string {
	if e.d.Kind(node) == rdf.KindIRI {
		return e.d.Term(node).String()
	}
	list := func(kind string, head rdf.ID) string {
		for ; e.d.Kind(head) == rdf.KindBlank; head = e.one(head, vocab.RDFRest) {
			kind += " " + e.path(e.one(head, vocab.RDFFirst))
		}
		return "(" + kind + ")"
	}
	if e.one(node, vocab.RDFFirst) != 0 {
		return list("sequence", node)
	}
	if alternatives := e.one(node, vocab.SHAlternativePath); alternatives != 0 {
		return list("alternative", alternatives)
	}
	for _, form := range []string{vocab.SHInversePath, vocab.SHZeroOrMorePath, vocab.SHOneOrMorePath, vocab.SHZeroOrOnePath} {
		if inner := e.one(node, form); inner != 0 {
			return "(" + strings.TrimPrefix(form, vocab.SH) + " " + e.path(inner) + ")"
		}
	}
	return "(no path)"
}
