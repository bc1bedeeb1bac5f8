package turtle_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

// workload makes a document of about n triples as people and programs write
// them: names under a few prefixes, nested addresses, short lists, literals of
// several kinds.
func workload(n int) []byte {
	var b bytes.Buffer
	b.WriteString("@prefix e: <http://example.org/ns#> .\n@prefix i: <http://example.org/item/> .\n@prefix x: <" + xsd + "> .\n")
	x := uint64(1)
	roll := func(n uint64) uint64 { // a fixed sequence that looks random
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		return x % n
	}
	words := []string{"harbour", "lantern", "winter", "é中", "river", "\\\"stone\\\"", "copper", "orbit"}
	for k := 0; k < n; k += 17 {
		fmt.Fprintf(&b, "\ni:%d a e:Item, e:Product ;\n", k)
		fmt.Fprintf(&b, "    e:name \"%s %s %d\"@en ;\n", words[roll(8)], words[roll(8)], roll(1e6))
		fmt.Fprintf(&b, "    e:note \"\"\"%s,\n%s %s\"\"\" ;\n", words[roll(8)], words[roll(8)], words[roll(8)])
		fmt.Fprintf(&b, "    e:count %d ; e:price %d.%d ; e:sold true ;\n", roll(10_000), roll(1000), roll(10))
		fmt.Fprintf(&b, "    e:since \"2026-03-%02dT10:00:00Z\"^^x:dateTime ;\n", 1+roll(28))
		fmt.Fprintf(&b, "    e:at [ a e:Address ; e:street \"%d Stone St\" ; e:city <http://example.org/city/%d> ] ;\n", roll(1000), roll(500))
		fmt.Fprintf(&b, "    e:tags ( \"%s\" e:tag%d ) ;\n    e:like i:%d .\n", words[roll(8)], roll(40), roll(uint64(n)))
	}
	return b.Bytes()
}

func BenchmarkParse(b *testing.B) {
	for _, row := range []struct {
		name    string
		triples int
		places  bool
	}{{"tiny", 17, false}, {"10k", 10_000, false}, {"100k", 100_000, false}, {"10k with places", 10_000, true}} {
		b.Run(row.name, func(b *testing.B) {
			doc := workload(row.triples)
			b.SetBytes(int64(len(doc)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := turtle.Parse(doc, turtle.Options{Limits: rdf.Local(), Places: row.places}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	d, err := turtle.Parse(workload(10_000), turtle.Options{Limits: rdf.Local()})
	if err != nil {
		b.Fatal(err)
	}
	o := turtle.WriteOptions{Prefixes: []turtle.Prefix{{Name: "e", IRI: "http://example.org/ns#"}, {Name: "i", IRI: "http://example.org/item/"}}}
	b.ReportAllocs()
	for b.Loop() {
		if err := turtle.Write(io.Discard, d, o); err != nil {
			b.Fatal(err)
		}
	}
}
