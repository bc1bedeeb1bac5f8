package shacl_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/shacl"
)

func parse(t testing.TB, text string) rdf.Graph {
	t.Helper()
	d, err := turtle.Parse([]byte(text), turtle.Options{Limits: rdf.Local(), File: "test.ttl", Places: true})
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return d.Default()
}

var _ = fmt.Sprint
var _ = os.Getenv
var _ = filepath.Join
var _ = strings.Repeat

func BenchmarkData(b *testing.B) {
	dir := os.Getenv("DATA")
	for _, c := range [][2]string{{"protocol-document.ttl", "intent.ttl"}, {"shapes.ttl", "shacl-10.ttl"}, {"shapes.ttl", "shacl-1k.ttl"}, {"shapes.ttl", "shacl-10k.ttl"}} {
		b.Run(c[1], func(b *testing.B) {
			rd := func(f string) rdf.Graph {
				data, _ := os.ReadFile(dir + f)
				d, err := turtle.Parse(data, turtle.Options{Limits: rdf.Local()})
				if err != nil {
					b.Fatal(err)
				}
				return d.Default()
			}
			p, err := shacl.Compile(rd(c[0]), shacl.CompileOptions{})
			if err != nil {
				b.Fatal(err)
			}
			g := rd(c[1])
			b.ReportAllocs()
			var r *shacl.Report
			for b.Loop() {
				r, err = p.Validate(b.Context(), g, shacl.Options{MaxChecks: 1 << 40})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(r.Results)+r.Omitted), "results")
			b.ReportMetric(float64(r.Checks), "checks")
		})
	}
}
