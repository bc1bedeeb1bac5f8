package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReport(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	writeReport(&out, []measurement{
		{Op: "parse", Peer: "own", Workload: "doc-10k.ttl", Median: 1000},
		{Op: "parse", Peer: "own", Workload: "doc-10k.ttl", Median: 1200},
		{Op: "parse", Peer: "own", Workload: "doc-10k.ttl", Median: 900},
		{Op: "parse", Peer: "serd", Workload: "doc-10k.ttl", Median: 2000},
		{Op: "parse", Peer: "serd", Workload: "doc-10k.ttl", Median: 10, Error: "refused"},
		{Op: "parse", Peer: "own", Workload: "doc-100k.ttl", Median: 14000},
		{Op: "shacl", Peer: "own", Workload: "shapes.ttl+shacl-1k.ttl", Median: 50, RSS: 30},
		{Op: "shacl", Peer: "jena", Workload: "shapes.ttl+shacl-1k.ttl", Median: 100, RSS: 60},
		{Op: "c14n", Peer: "own-raised", Workload: "poison-K6.nq", Median: 5},
		{Op: "c14n", Peer: "json-gold", Workload: "poison-K6.nq", Median: 100},
		{Op: "cli", Peer: "own-hash", Workload: "tiny", Median: 3000},
		{Op: "cli", Peer: "own-validate", Workload: "tiny", Median: 3100},
		{Op: "cli", Peer: "go-http-process", Workload: "tiny", Median: 2500},
		{Op: "cli", Peer: "node-validate", Workload: "tiny", Median: 90000},
	}, "2026-01-02", "two cores")
	for _, want := range []string{
		"Measured on 2026-01-02. ", "The machine: two cores;",
		"| read Turtle, 10,000 triples | 1 ms (900 µs – 1.2 ms) | serd | 2 ms | 0.5 | ≤ 0.9 |  |\n",
		"| read Turtle, 100,000 triples | not measured |",
		"| validate 1,000 focus nodes | 50 µs | jena | 100 µs | **0.5** | ≤ 0.1 | **0.5** (goal ≤ 0.25) |\n",
		"poison graph K6, limits raised | 5 µs | json-gold | 100 µs | 0.05 | ≤ 0.1 |",
		"| `rdfproto hash`, the whole process | 3 ms | go-http-process | 2.5 ms | 1.2 | ≤ 1.2 |",
		"| read Turtle | 1 ms (900 µs – 1.2 ms) | 14 ms | **14** | ≤ 12 |\n",
		"| cli validate | tiny | 3.1 ms | node-validate | 90 ms | 0.034 |\n",
	} {
		assert.Contains(t, out.String(), want)
	}
	assert.NotContains(t, out.String(), "| cli hash | tiny | 3 ms | node-validate")
}

func TestChart(t *testing.T) {
	t.Parallel()
	var lines []measurement
	for _, n := range []int{1000, 10_000, 100_000} {
		lines = append(lines, measurement{Op: "parse", Peer: "own", Median: float64(n) / 10, Units: n, RSS: 10})
	}
	var out bytes.Buffer
	require.NoError(t, writeChart(&out, lines))
	elements := map[string]int{}
	for d := xml.NewDecoder(strings.NewReader(out.String())); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		if e, ok := token.(xml.StartElement); ok {
			elements[e.Name.Local]++
		}
	}
	assert.Equal(t, 2, elements["polyline"], "a line for the time and one for the memory")
	assert.Equal(t, 2*3+1, elements["circle"], "their points and one in the legend")
	for _, want := range []string{">1k<", ">100k<", ">100 µs<", ">10 ms<", ">10 MB<", ">read Turtle<"} {
		assert.Contains(t, out.String(), want)
	}
	assert.ErrorIs(t, writeChart(&out, nil), errNoGrowth)
}
