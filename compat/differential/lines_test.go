package differential_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rdfproto/rdfproto/internal/oracle"
	"github.com/rdfproto/rdfproto/internal/suite"
)

// lineReaders are the readers of N-Quads; some read N-Triples, too.
func lineReaders() []reader {
	return []reader{
		{ask: "knakk", faults: knakkLineFaults()},
		{ask: "gonum/read", faults: gonumLineFaults()},
		{ask: "json-gold/read", faults: jsonGoldLineFaults()},
		{ask: "n3", node: true, lowers: true, faults: n3LineFaults()},
		{ask: "oxigraph", node: true, lowers: true, faults: oxigraphLineFaults()},
		{ask: "rdf-canonize/read", node: true, faults: canonizeLineFaults()},
	}
}

// triples reports whether a reader has N-Triples as a syntax of its own.
func (r reader) triples() bool { return r.ask == "knakk" || r.ask == "n3" || r.ask == "oxigraph" }

func TestKnownFaultsLines(t *testing.T) {
	t.Parallel()
	for _, r := range lineReaders() {
		t.Run(r.ask, func(t *testing.T) { r.checkFaults(t, nil) })
	}
}

// Documents made by the grammar, a third of them damaged.
func TestGeneratedLines(t *testing.T) {
	t.Parallel()
	seeds := oracle.Seeds(t, 300)
	for _, r := range lineReaders() {
		t.Run(r.ask, func(t *testing.T) {
			t.Parallel()
			p, l := r.process(t), oracle.NewLedger(r.ask, r.faults)
			for seed := range seeds {
				w := newWriter(seed)
				s := source{syntax: "nquads"}
				if r.triples() && seed%2 == 1 {
					s.syntax = "ntriples"
				}
				w.plain = !r.triples()
				parts := w.lines(s.syntax == "nquads")
				if seed%3 == 2 {
					parts = w.damage(parts)
				}
				r.compare(t, l, p, s, fmt.Sprint("seed ", seed), parts)
			}
			l.Report(t)
		})
	}
}

// The lines of the suites of N-Triples and N-Quads.
func TestSuiteLines(t *testing.T) {
	t.Parallel()
	for _, r := range lineReaders() {
		t.Run(r.ask, func(t *testing.T) {
			t.Parallel()
			p, l := r.process(t), oracle.NewLedger(r.ask, r.faults)
			for _, s := range []struct {
				name, syntax string
				n            int
			}{{"rdf11-n-triples", "ntriples", 70}, {"rdf11-n-quads", "nquads", 87}} {
				if s.syntax == "ntriples" && !r.triples() {
					continue
				}
				for _, c := range suite.Cases(t, s.name, "manifest.ttl", s.n) {
					parts := strings.SplitAfter(string(suite.ReadFile(t, c.Action)), "\n")
					r.compare(t, l, p, source{syntax: s.syntax}, c.ID, parts)
				}
			}
			l.Report(t)
		})
	}
}
