package nquads_test

import (
	"bytes"
	"io"
	"testing"
	"testing/iotest"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

func FuzzNQuads(f *testing.F) {
	fuzz(f, nquads.Parse, nquads.ReadInto, func(data []byte, o nquads.Options) (*rdf.Dataset, error) {
		return nquads.Read(iotest.OneByteReader(bytes.NewReader(data)), o)
	})
}

func FuzzNTriples(f *testing.F) {
	fuzz(f, nquads.ParseTriples, nquads.ReadTriplesInto, func(data []byte, o nquads.Options) (*rdf.Dataset, error) {
		return nquads.ReadTriples(iotest.OneByteReader(bytes.NewReader(data)), o)
	})
}

// fuzz checks that a document is refused with a place or that what is written
// of it reads back the same, and that reading by single bytes, without having the
// whole in memory and keeping places change nothing.
func fuzz(f *testing.F, whole parse, into func(*rdf.Builder, io.Reader, nquads.Options) error, pieces parse) {
	for _, row := range accepts {
		f.Add([]byte(row.doc))
	}
	for _, row := range refuses {
		f.Add([]byte(row.doc))
	}
	for _, seed := range suite.Seeds(f, suite.NQuads, suite.NTriples) {
		f.Add(seed.Data)
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		d, err := whole(doc, nquads.Options{})
		e, err2 := pieces(doc, nquads.Options{Places: true})
		if (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error() {
			t.Fatalf("whole: %v\nin pieces: %v", err, err2)
		}
		b := rdf.NewBuilder(rdf.Limits{})
		if err2 := into(b, iotest.HalfReader(bytes.NewReader(doc)), nquads.Options{}); (err == nil) != (err2 == nil) {
			t.Fatalf("whole: %v\ninto a builder: %v", err, err2) // which of several errors it is may differ
		}
		if err != nil {
			return
		}
		out := nquads.Append(nil, d)
		if again := nquads.Append(nil, b.Dataset()); !bytes.Equal(out, again) {
			t.Fatalf("whole:\n%s\ninto a builder:\n%s", out, again)
		}
		if again := nquads.Append(nil, e); !bytes.Equal(out, again) {
			t.Fatalf("whole:\n%s\nin pieces:\n%s", out, again)
		}
		again, err := nquads.Parse(out, nquads.Options{Limits: rdf.Local()})
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if d.Len() < 50 && !suite.Isomorphic(d, again) {
			t.Fatalf("%s\nreads back as\n%s", out, nquads.Append(nil, again))
		}
	})
}
