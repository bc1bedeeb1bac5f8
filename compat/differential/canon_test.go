package differential_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/piprate/json-gold/ld"
	"github.com/stretchr/testify/require"
	gonum "gonum.org/v1/gonum/graph/formats/rdf"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

// lines writes canonical N-Quads of another implementation as ours are: what it
// leaves without an escape gets one, and the order is that of the code points.
func lines(t *testing.T, text string) string {
	t.Helper()
	d, err := nquads.Parse([]byte(text), nquads.Options{Limits: rdf.Local()})
	require.NoError(t, err, text)
	out := strings.SplitAfter(quadsOf(d), "\n")
	slices.Sort(out)
	return strings.Join(out, "")
}

func byGonum(d *rdf.Dataset) (string, error) {
	var statements []*gonum.Statement
	for line := range strings.Lines(quadsOf(d)) {
		s, err := gonum.ParseNQuad(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return "", err
		}
		statements = append(statements, s)
	}
	canonical, err := gonum.URDNA2015(nil, gonum.Deduplicate(statements))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, s := range canonical {
		b.WriteString(s.String() + "\n")
	}
	return b.String(), nil
}

// byJSONGold canonicalizes by way of JSON-LD: with N-Quads it takes some labels
// of the input for its own, and finds one form for two datasets.
func byJSONGold(d *rdf.Dataset) (string, error) {
	options := ld.NewJsonLdOptions("")
	options.DocumentLoader = refuse{}
	options.Algorithm = ld.AlgorithmURDNA2015
	options.Format = "application/n-quads"
	dataset, err := ld.ParseNQuadsFrom(nquads.Append(nil, d))
	if err != nil {
		return "", err
	}
	expanded, err := ld.NewJsonLdApi().FromRDF(dataset, options)
	if err != nil {
		return "", err
	}
	canonical, err := ld.NewJsonLdProcessor().Normalize(expanded, options)
	if err != nil {
		return "", err
	}
	return canonical.(string), nil
}

type refuse struct{}

func (refuse) LoadDocument(iri string) (*ld.RemoteDocument, error) {
	return nil, ld.NewJsonLdError(ld.LoadingDocumentFailed, iri)
}

// compareCanonical compares canonical forms to the byte.
func compareCanonical(t *testing.T, l *ledger, name string, d *rdf.Dataset, theirs string, err error) {
	t.Helper()
	ours, ourErr := canon.Canonicalize(t.Context(), d, canon.Options{})
	require.NoError(t, ourErr, name)
	if err == nil && lines(t, theirs) == string(ours.NQuads()) {
		l.mu.Lock()
		l.equal++
		l.mu.Unlock()
		return
	}
	if !l.excuse(document{name: name, text: quadsOf(d), ours: d}) {
		t.Errorf("%s\n%s\nours:\n%stheirs: %v\n%s", name, quadsOf(d), ours.NQuads(), err, theirs)
	}
}

// repeats reports whether a quad has a blank node more than once.
func repeats(doc document) bool {
	for q := range doc.ours.Quads() {
		blank := func(id rdf.ID) bool { return id != 0 && doc.ours.Kind(id) == rdf.KindBlank }
		if blank(q.S) && (q.S == q.O || q.S == q.G) || blank(q.O) && q.O == q.G {
			return true
		}
	}
	return false
}

// alikeInGraphs reports whether two quads of different graphs are alike but for
// the labels of blank nodes.
func alikeInGraphs(doc document) bool {
	d := doc.ours
	masked := func(id rdf.ID) string {
		if id != 0 && d.Kind(id) == rdf.KindBlank {
			return "_:"
		}
		return string(d.AppendTerm(nil, id))
	}
	graphs := map[string]rdf.ID{}
	for q := range d.Quads() {
		k := masked(q.S) + masked(q.P) + masked(q.O)
		if g, ok := graphs[k]; ok && g != q.G {
			return true
		}
		graphs[k] = q.G
	}
	return false
}

func gonumFaults() []fault {
	return []fault{
		{cause: "depends on labels where quads are alike but for their graph", holds: alikeInGraphs, random: true},
	}
}

func jsonGoldCanonicalFaults() []fault {
	return []fault{
		{cause: "hashes a quad twice that has a blank node twice", holds: repeats, random: true},
		{cause: "writes language tags in lower case", holds: holds(`"@[a-z]*-?[A-Z]`), random: true},
	}
}

func TestSuiteCanonical(t *testing.T) {
	t.Parallel()
	_, entries := suite.Entries(t, "rdf-canon", "manifest.jsonld", 86)
	gonums, jsonGolds := newLedger(gonumFaults()), newLedger(jsonGoldCanonicalFaults())
	for _, e := range entries {
		if !e.Is("RDFC10EvalTest") || e.HashAlgorithm != "" || e.Complexity == "high" {
			continue // they know neither SHA-384 nor a bound
		}
		d, err := nquads.Parse(suite.ReadFile(t, e.Action), nquads.Options{})
		require.NoError(t, err)
		theirs, err := byGonum(d)
		compareCanonical(t, gonums, e.ID, d, theirs, err)
		theirs, err = byJSONGold(d)
		compareCanonical(t, jsonGolds, e.ID, d, theirs, err)
	}
	gonums.close(t, false)
	jsonGolds.close(t, false)
}

// Blank nodes that are told apart by many steps, or hardly, under labels that
// canonical forms have, too.
func TestRandomCanonical(t *testing.T) {
	t.Parallel()
	gonums, jsonGolds := newLedger(gonumFaults()), newLedger(jsonGoldCanonicalFaults())
	for seed := range uint64(600) {
		d := random(t, seed, kinds{blanks: 1 + int(seed%5), graphs: seed%3 == 0, odd: seed%10 == 0, lower: seed%4 > 0})
		if seed%2 == 0 {
			text := strings.NewReplacer("_:n0", "_:c14n1", "_:n1", "_:c14n0").Replace(quadsOf(d))
			var err error
			d, err = nquads.Parse([]byte(text), nquads.Options{})
			require.NoError(t, err)
		}
		name := fmt.Sprint("seed ", seed)
		theirs, err := byGonum(d)
		compareCanonical(t, gonums, name, d, theirs, err)
		theirs, err = byJSONGold(d)
		compareCanonical(t, jsonGolds, name, d, theirs, err)
	}
	gonums.close(t, true)
	jsonGolds.close(t, true)
}
