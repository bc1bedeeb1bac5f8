package jsonld_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

// What the suite's tests of 1.1 leave out: tests of JSON-LD 1.0 alone, and of
// generalized RDF.
func runnable(e suite.Entry) bool {
	return e.Option.SpecVersion != "json-ld-1.0" && !e.Option.ProduceGeneralizedRDF
}

// suiteContexts pins every file of the suite whose name says that it is a
// context, and every input that may refer to itself.
func suiteContexts(t *testing.T, dir, base string, e suite.Entry) (*jsonld.Contexts, error) {
	t.Helper()
	documents := map[string][]byte{}
	for _, pattern := range []string{"*-context*.jsonld", "*/*-context*.jsonld"} {
		files, err := filepath.Glob(filepath.Join(dir, filepath.Dir(e.Input), pattern))
		require.NoError(t, err)
		for _, file := range files {
			name, err := filepath.Rel(dir, file)
			require.NoError(t, err)
			documents[base+filepath.ToSlash(name)] = suite.ReadFile(t, file)
		}
	}
	input := suite.ReadFile(t, e.Action)
	if own := filepath.Base(e.Input); strings.Contains(string(input), `"`+own+`"`) {
		documents[base+e.Input] = input
	}
	return jsonld.NewContexts(documents)
}

func suiteOptions(t *testing.T, dir, base string, e suite.Entry) (jsonld.Options, error) {
	o := jsonld.Options{Base: base + e.Input, Lossy: true}
	if e.Option.Base != "" {
		o.Base = e.Option.Base
	}
	switch e.Option.ProcessingMode {
	case "", "json-ld-1.1":
	case "json-ld-1.0":
		o.ProcessingMode = jsonld.JSONLD10
	default:
		t.Fatalf("unknown processing mode %q", e.Option.ProcessingMode)
	}
	switch e.Option.RDFDirection {
	case "":
	case "i18n-datatype":
		o.RDFDirection = jsonld.I18nDatatype
	case "compound-literal":
		o.RDFDirection = jsonld.CompoundLiteral
	default:
		t.Fatalf("unknown direction %q", e.Option.RDFDirection)
	}
	if e.Option.ExpandContext != "" {
		o.ExpandContext = suite.ReadFile(t, filepath.Join(dir, e.Option.ExpandContext))
	}
	var err error
	o.Contexts, err = suiteContexts(t, dir, base, e)
	return o, err
}

// action returns the input's path. One entry of the manifest names a file that
// the suite does not have, and the file that it means is there.
func action(e suite.Entry) string {
	if suite.Exists(e.Action) {
		return e.Action
	}
	return filepath.Join(filepath.Dir(filepath.Dir(e.Action)), "toRdf", filepath.Base(e.Action))
}

func TestSuiteToRDF(t *testing.T) {
	t.Parallel()
	dir := suite.Dir(t, "jsonld11-tordf")
	base, entries := suite.Entries(t, "jsonld11-tordf", "toRdf-manifest.jsonld", 467)
	report, ran := suite.NewReport(t, "jsonld11-tordf"), 0
	for _, e := range entries {
		if !runnable(e) {
			continue
		}
		ran++
		e.Action = action(e)
		t.Run(e.ID, func(t *testing.T) {
			t.Parallel()
			report.Case(t, e.ID)
			o, err := suiteOptions(t, dir, base, e)
			var d *rdf.Dataset
			if err == nil {
				d, err = jsonld.Parse(suite.ReadFile(t, e.Action), o)
			}
			switch {
			case e.Is("NegativeEvaluationTest"):
				var refused *jsonld.Error
				require.ErrorAs(t, err, &refused, e.Name)
				assert.Equal(t, e.ErrorCode, string(refused.Code), err)
			case e.Is("PositiveSyntaxTest"):
				require.NoError(t, err, e.Name)
			case e.Is("PositiveEvaluationTest"):
				require.NoError(t, err, e.Name)
				want, err := nquads.Parse(suite.ReadFile(t, e.Result), nquads.Options{})
				require.NoError(t, err)
				assert.True(t, suite.Isomorphic(want, d), "%s\nwant:\n%sgot:\n%s", e.Name, nquads.Append(nil, want), nquads.Append(nil, d))
			default:
				t.Fatalf("unknown test type %v", e.Types)
			}
		})
	}
	assert.Equal(t, 455, ran)
}
