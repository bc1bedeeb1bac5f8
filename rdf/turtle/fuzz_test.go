package turtle_test

import (
	"bytes"
	"testing"
	"testing/iotest"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

func FuzzTurtle(f *testing.F) {
	fuzz(f, turtle.Parse, func(data []byte, o turtle.Options) (*rdf.Dataset, error) {
		return turtle.Read(iotest.OneByteReader(bytes.NewReader(data)), o)
	})
}

func FuzzTriG(f *testing.F) {
	fuzz(f, turtle.ParseTriG, func(data []byte, o turtle.Options) (*rdf.Dataset, error) {
		return turtle.ReadTriG(iotest.OneByteReader(bytes.NewReader(data)), o)
	})
}

// fuzz checks that a document is refused with a place or that what is written
// of it reads back the same, and that reading by single bytes and keeping
// places change nothing.
func fuzz(f *testing.F, whole, pieces parse) {
	for _, rows := range [][]document{accepts, trigOnly} {
		for _, row := range rows {
			f.Add([]byte(row.doc))
		}
	}
	for _, rows := range [][]refusal{refuses, refusesTriG} {
		for _, row := range rows {
			f.Add([]byte(row.doc))
		}
	}
	for _, seed := range suite.Seeds(f, suite.Turtle, suite.TriG) {
		f.Add(seed.Data)
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		o := turtle.Options{Base: "http://h/d/f"}
		d, err := whole(doc, o)
		o.Places = true
		e, err2 := pieces(doc, o)
		if (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error() {
			t.Fatalf("whole: %v\nin pieces: %v", err, err2)
		}
		if err != nil {
			return
		}
		if one, two := nquads.Append(nil, d), nquads.Append(nil, e); !bytes.Equal(one, two) {
			t.Fatalf("whole:\n%s\nin pieces:\n%s", one, two)
		}
		var out bytes.Buffer
		if err := turtle.WriteTriG(&out, d, turtle.WriteOptions{Prefixes: prefixes}); err != nil {
			t.Fatal(err)
		}
		again, err := turtle.ParseTriG(out.Bytes(), turtle.Options{Limits: rdf.Local()})
		if err != nil {
			t.Fatalf("%v\n%s", err, out.Bytes())
		}
		if d.Len() < 50 && !suite.Isomorphic(d, again) {
			t.Fatalf("%s\nis written as\n%s", nquads.Append(nil, d), out.Bytes())
		}
	})
}
