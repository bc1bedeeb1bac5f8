package rdf_test

import (
	"fmt"
	"testing"

	"github.com/rdfproto/rdfproto/rdf"
)

// words makes the terms of a document of n quads: five to a subject, few
// predicates, objects that are mostly literals.
func words(n int) (subjects, predicates, objects [][]byte) {
	for i := range n/5 + 1 {
		subjects = append(subjects, fmt.Appendf(nil, "http://example.org/data/item-%d", i))
	}
	for i := range 10 {
		predicates = append(predicates, fmt.Appendf(nil, "http://example.org/ns#property%d", i))
	}
	for i := range n {
		objects = append(objects, fmt.Appendf(nil, "value %d", i/2))
	}
	return subjects, predicates, objects
}

func fill(b *testing.B, builder *rdf.Builder, n int, subjects, predicates, objects [][]byte) {
	for i := range n {
		s, err1 := builder.IRI(subjects[i/5])
		p, err2 := builder.IRI(predicates[i%10])
		o, err3 := builder.Literal(objects[i], 0)
		if err1 != nil || err2 != nil || err3 != nil || builder.Add(s, p, o, 0) != nil {
			b.Fatal("not added")
		}
	}
}

func benchSizes(b *testing.B, f func(b *testing.B, n int)) {
	for _, n := range []int{6, 1_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			f(b, n)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/quad")
		})
	}
}

func BenchmarkIntern(b *testing.B) {
	benchSizes(b, func(b *testing.B, n int) {
		subjects, predicates, objects := words(n)
		for b.Loop() {
			builder := rdf.NewBuilder(rdf.Local())
			builder.Grow(60 * n)
			fill(b, builder, n, subjects, predicates, objects)
		}
	})
}

func BenchmarkDataset(b *testing.B) {
	benchSizes(b, func(b *testing.B, n int) {
		subjects, predicates, objects := words(n)
		for b.Loop() {
			b.StopTimer()
			builder := rdf.NewBuilder(rdf.Local())
			fill(b, builder, n, subjects, predicates, objects)
			b.StartTimer()
			builder.Dataset()
		}
	})
}

func BenchmarkLookups(b *testing.B) {
	const n = 100_000
	subjects, predicates, objects := words(n)
	builder := rdf.NewBuilder(rdf.Local())
	fill(b, builder, n, subjects, predicates, objects)
	d := builder.Dataset()
	g := d.Default()
	g.Incoming(1)
	g.Predicate(1)
	quads := make([]rdf.Quad, 0, 1024)
	for i := range cap(quads) {
		quads = append(quads, d.Quad(i*97%d.Len()))
	}
	for _, row := range []struct {
		name string
		look func(q rdf.Quad) int
	}{
		{"objects", func(q rdf.Quad) int { return g.Objects(q.S, q.P).Len() }},
		{"subjects", func(q rdf.Quad) int { return g.Subjects(q.P, q.O).Len() }},
		{"has", func(q rdf.Quad) int { return g.Index(q.S, q.P, q.O) + 1 }},
		{"predicate", func(q rdf.Quad) int { return g.Predicate(q.P).Len() }},
		{"iri", func(q rdf.Quad) int { return int(d.LookupIRI(d.Value(q.S))) }},
	} {
		b.Run(row.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if row.look(quads[i%len(quads)]) == 0 {
					b.Fatal("not found")
				}
			}
		})
	}
}

func BenchmarkResolve(b *testing.B) {
	base, err := rdf.ParseBase("http://example.org/a/b/c?q")
	if err != nil {
		b.Fatal(err)
	}
	buf := make([]byte, 0, 100)
	b.ReportAllocs()
	for b.Loop() {
		if buf, err = base.Resolve(buf[:0], "../d/./e#f"); err != nil {
			b.Fatal(err)
		}
	}
}
