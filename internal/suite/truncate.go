package suite

import (
	"errors"
	"testing"

	"github.com/rdfproto/rdfproto/rdf"
)

// Truncate cuts a document that parse accepts after every byte. What is left
// must either be refused with a place, or be a document whose quads, but for
// one that the cut-off token stands in, are among those of the whole.
func Truncate(t *testing.T, doc []byte, parse func([]byte) (*rdf.Dataset, error)) {
	t.Helper()
	whole, err := parse(doc)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for q := range whole.Quads() {
		known[masked(whole, q)] = true
	}
	for n := range doc {
		d, err := parse(doc[:n])
		if err != nil {
			var e *rdf.SyntaxError
			if !errors.As(err, &e) || e.Place.IsZero() || e.Code == "" || e.Expected == "" {
				t.Errorf("cut after %d bytes: refused without a place: %v", n, err)
			}
			continue
		}
		other := 0
		for q := range d.Quads() {
			if !known[masked(d, q)] {
				other++
			}
		}
		if other > 1 {
			t.Errorf("cut after %d bytes: accepted with %d other quads:\n%s", n, other, doc[:n])
		}
	}
}

// masked writes a quad with all blank nodes alike: their labels depend on the
// rest of the document.
func masked(d *rdf.Dataset, q rdf.Quad) string {
	var out []byte
	for _, id := range [4]rdf.ID{q.S, q.P, q.O, q.G} {
		if d.Kind(id) == rdf.KindBlank {
			out = append(out, "_:"...)
		} else {
			out = d.AppendTerm(out, id)
		}
		out = append(out, ' ')
	}
	return string(out)
}
