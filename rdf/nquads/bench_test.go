package nquads_test

import (
	"io"
	"testing"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

func BenchmarkParse(b *testing.B) {
	for _, row := range []struct {
		name  string
		quads int
	}{{"tiny", 10}, {"10k", 10_000}, {"100k", 100_000}} {
		b.Run(row.name, func(b *testing.B) {
			doc := workload(row.quads)
			b.SetBytes(int64(len(doc)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := nquads.Parse(doc, nquads.Options{Limits: rdf.Local()}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	doc := workload(10_000)
	d, err := nquads.Parse(doc, nquads.Options{Limits: rdf.Local()})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if err := nquads.Write(io.Discard, d); err != nil {
			b.Fatal(err)
		}
	}
}
