package canon_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

// addresses is n quads about blank nodes that differ at first degree.
func addresses(n int) string {
	var q []string
	for i := range n / 4 {
		q = append(q,
			fmt.Sprintf("<http://example.org/item/%d> <http://example.org/ns#has> _:x%d .\n", i, i),
			fmt.Sprintf("_:x%d <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://example.org/ns#Address> .\n", i),
			fmt.Sprintf("_:x%d <http://example.org/ns#street> \"%d river\" .\n", i, i),
			fmt.Sprintf("_:x%d <http://example.org/ns#city> \"city %d\" .\n", i, i%100))
	}
	return shuffled(q)
}

// lists is n quads of lists of six members, of which there are few.
func lists(n int) string {
	const ns = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	words := strings.Fields("one two three four five six seven")
	r := rand.New(rand.NewPCG(1, 1))
	var q []string
	for i := range n / 13 {
		q = append(q, fmt.Sprintf("<http://example.org/item/%d> <http://example.org/ns#list> _:l%dx0 .\n", i, i))
		for j := range 6 {
			rest := fmt.Sprintf("_:l%dx%d", i, j+1)
			if j == 5 {
				rest = "<" + ns + "nil>"
			}
			q = append(q,
				fmt.Sprintf("_:l%dx%d <%sfirst> \"%s\" .\n", i, j, ns, words[r.IntN(len(words))]),
				fmt.Sprintf("_:l%dx%d <%srest> %s .\n", i, j, ns, rest))
		}
	}
	return shuffled(q)
}

func shuffled(lines []string) string {
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return strings.Join(lines, "")
}

func benchmark(b *testing.B, text string, o canon.Options) {
	d := parse(b, text)
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		if _, err := canon.Hash(b.Context(), d, o); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(max(d.Len(), 1)), "ns/quad")
}

// BenchmarkGrowth shows whether time grows with the quads and not faster.
func BenchmarkGrowth(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("plain/%d", n), func(b *testing.B) { benchmark(b, shuffled(strings.SplitAfter(plainQuads(n), "\n")), canon.Options{}) })
		b.Run(fmt.Sprintf("unique/%d", n), func(b *testing.B) { benchmark(b, addresses(n), canon.Options{}) })
		b.Run(fmt.Sprintf("lists/%d", n), func(b *testing.B) { benchmark(b, lists(n), canon.Options{}) })
	}
}

func BenchmarkPoison(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"ring32", ring(32)}, {"K5", clique(5)}, {"K6", clique(6)}, {"K7", clique(7)}, {"petersen", petersen()},
		{"torus2x6", torus(6)}, {"torus2x8", torus(8)}, {"chain200", chain(200)}, {"chain600", chain(600)}, {"chain1000", chain(1000)},
		{"cube4", hypercube(4)}, {"tangle", tangle(300, 30, "l1")}, {"tangle with a long name", tangle(300, 30, strings.Repeat("l", 60_000)+"9")},
	} {
		b.Run(c.name, func(b *testing.B) { benchmark(b, c.text, canon.Options{}) })
	}
}

// BenchmarkRefusal is what poison costs that is over the limits.
func BenchmarkRefusal(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"K8", clique(8)}, {"K12", clique(12)}, {"stars2x10", stars(2, 10)}, {"chain100000", chain(100_000)},
	} {
		b.Run(c.name, func(b *testing.B) {
			d := parse(b, c.text)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := canon.Hash(b.Context(), d, canon.Options{}); err == nil {
					b.Fatal("not refused")
				}
			}
		})
	}
}

// BenchmarkDocument is the pin of a Protocol Document.
func BenchmarkDocument(b *testing.B) {
	d, err := turtle.Parse([]byte(documentA), turtle.Options{})
	require.NoError(b, err)
	b.Run("hash", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := canon.Hash(b.Context(), d, canon.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("parse and hash", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			d, err := turtle.Parse([]byte(documentA), turtle.Options{})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := canon.Hash(b.Context(), d, canon.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
