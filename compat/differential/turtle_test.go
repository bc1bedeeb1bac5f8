package differential_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/oracle"
	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf/nquads"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

// turtleReaders are the readers of Turtle; those of Node.js read TriG, too.
func turtleReaders() []reader {
	return []reader{
		{ask: "knakk", faults: knakkTurtleFaults()},
		{ask: "rdf2go", accepted: true, faults: rdf2goFaults()},
		{ask: "n3", node: true, lowers: true, faults: n3TurtleFaults()},
		{ask: "oxigraph", node: true, lowers: true, faults: oxigraphTurtleFaults()},
	}
}

func TestKnownFaultsTurtle(t *testing.T) {
	t.Parallel()
	for _, r := range turtleReaders() {
		t.Run(r.ask, func(t *testing.T) { r.checkFaults(t, nil) })
	}
}

// Documents made by the grammar, a fifth of them damaged.
func TestGeneratedTurtle(t *testing.T) {
	t.Parallel()
	seeds := oracle.Seeds(t, 300)
	for _, r := range turtleReaders() {
		t.Run(r.ask, func(t *testing.T) {
			t.Parallel()
			p, l := r.process(t), oracle.NewLedger(r.ask, r.faults)
			for seed := range seeds {
				w := newWriter(seed)
				w.plain = !r.node
				s := source{syntax: "turtle", base: w.base()}
				if r.node && seed%2 == 1 {
					s.syntax, w.trig = "trig", true
				}
				parts := w.document()
				if seed%5 == 4 {
					parts = w.damage(parts)
				}
				r.compare(t, l, p, s, fmt.Sprint("seed ", seed), parts)
			}
			l.Report(t)
		})
	}
}

// Every document of the suites, accepted or refused.
func TestSuiteTurtle(t *testing.T) {
	t.Parallel()
	for _, r := range turtleReaders() {
		t.Run(r.ask, func(t *testing.T) {
			t.Parallel()
			p, l := r.process(t), oracle.NewLedger(r.ask, r.faults)
			for _, c := range suite.Cases(t, "rdf11-turtle", "manifest.ttl", 313) {
				parts := strings.SplitAfter(string(suite.ReadFile(t, c.Action)), "\n")
				r.compare(t, l, p, source{syntax: "turtle", base: c.Base}, c.ID, parts)
			}
			if r.node {
				for _, c := range suite.Cases(t, "rdf11-trig", "manifest.ttl", 356) {
					parts := strings.SplitAfter(string(suite.ReadFile(t, c.Action)), "\n")
					r.compare(t, l, p, source{syntax: "trig", base: c.Base}, c.ID, parts)
				}
			}
			l.Report(t)
		})
	}
}

// What our writers write, the others read as the same.
func TestWrittenTurtle(t *testing.T) {
	t.Parallel()
	seeds := oracle.Seeds(t, 200)
	for _, r := range turtleReaders() {
		t.Run(r.ask, func(t *testing.T) {
			t.Parallel()
			p, l := r.process(t), oracle.NewLedger(r.ask, r.faults)
			for seed := range seeds {
				d := random(t, seed, kinds{blanks: int(seed % 6), odd: seed%4 == 0, ascii: !r.node, graphs: r.node})
				options := turtle.WriteOptions{}
				if seed%2 == 0 {
					options.Prefixes = []turtle.Prefix{{Name: "e", IRI: "http://e.example/"}, {Name: "xsd", IRI: "http://www.w3.org/2001/XMLSchema#"}}
				}
				var text bytes.Buffer
				s, write := source{syntax: "turtle"}, turtle.Write
				if r.node {
					s.syntax, write = "trig", turtle.WriteTriG
				}
				require.NoError(t, write(&text, d, options))
				r.compare(t, l, p, s, fmt.Sprint("seed ", seed), strings.SplitAfter(text.String(), "\n"))
				again, err := s.parse(text.String())
				require.NoError(t, err)
				require.True(t, suite.Isomorphic(d, again), "%s", nquads.Append(nil, d))
			}
			l.Report(t)
		})
	}
}
