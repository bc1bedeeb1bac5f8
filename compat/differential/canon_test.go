package differential_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/piprate/json-gold/ld"
	gonum "gonum.org/v1/gonum/graph/formats/rdf"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/oracle"
	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

// byGonum canonicalizes by gonum.
func byGonum(text string) (string, error) {
	var statements []*gonum.Statement
	for line := range strings.Lines(text) {
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

// byJSONGold canonicalizes by way of JSON-LD: with N-Quads json-gold takes some
// labels of the input for its own, and finds one form for two datasets.
func byJSONGold(text string) (string, error) {
	options := ld.NewJsonLdOptions("")
	options.DocumentLoader = loader{}
	options.Algorithm = ld.AlgorithmURDNA2015
	options.Format = "application/n-quads"
	dataset, err := ld.ParseNQuadsFrom(text)
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

// canonical is our canonical form of N-Quads.
func canonical(t testing.TB, text string) (string, error) {
	d, err := nquads.Parse([]byte(text), nquads.Options{Limits: rdf.Local()})
	if err != nil {
		return "", err
	}
	c, err := canon.Canonicalize(t.Context(), d, canon.Options{})
	if err != nil {
		return "", err
	}
	return string(c.NQuads()), nil
}

// ordered writes canonical N-Quads of another implementation as ours are: what it
// leaves without an escape gets one, and the order is that of the code points.
func ordered(text string) (string, string) {
	d, err := nquads.Parse([]byte(text), nquads.Options{Limits: rdf.Local()})
	if err != nil {
		return "", "makes what is no RDF: " + err.Error()
	}
	out := strings.SplitAfter(quadsOf(d), "\n")
	slices.Sort(out)
	return strings.Join(out, ""), ""
}

func canonicalizers() []reader {
	return []reader{
		{ask: "gonum", unordered: true, faults: gonumCanonicalFaults()},
		{ask: "json-gold/canonical", unordered: true, faults: jsonGoldCanonicalFaults()},
		{ask: "rdf-canonize", node: true, faults: canonizeFaults()},
	}
}

func TestKnownFaultsCanonical(t *testing.T) {
	t.Parallel()
	for _, r := range canonicalizers() {
		t.Run(r.ask, func(t *testing.T) { r.checkFaults(t, nil) })
	}
}

// Datasets whose blank nodes are told apart by many steps, or hardly, under
// labels that canonical forms have, too.
func TestGeneratedCanonical(t *testing.T) {
	t.Parallel()
	seeds := oracle.Seeds(t, 300)
	for _, r := range canonicalizers() {
		t.Run(r.ask, func(t *testing.T) {
			t.Parallel()
			p, l := r.process(t), oracle.NewLedger(r.ask, r.faults)
			for seed := range seeds {
				r.compare(t, l, p, source{syntax: "canonical"}, fmt.Sprint("seed ", seed), blankDataset(seed))
			}
			l.Report(t)
		})
	}
}

func TestSuiteCanonical(t *testing.T) {
	t.Parallel()
	for _, r := range canonicalizers() {
		t.Run(r.ask, func(t *testing.T) {
			t.Parallel()
			_, entries := suite.Entries(t, "rdf-canon", "manifest.jsonld", 86)
			p, l := r.process(t), oracle.NewLedger(r.ask, r.faults)
			for _, e := range entries {
				if !e.Is("RDFC10EvalTest") || e.HashAlgorithm != "" || e.Complexity == "high" {
					continue // they know neither SHA-384 nor a bound
				}
				parts := strings.SplitAfter(string(suite.ReadFile(t, e.Action)), "\n")
				r.compare(t, l, p, source{syntax: "canonical"}, e.ID, parts)
			}
			l.Report(t)
		})
	}
}
