package suite

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

// Reader reads a document in the syntax that a suite tests. Its methods are handlers
// for [Run].
type Reader func(data []byte, base, file string) (*rdf.Dataset, error)

// Accepts handles positive syntax tests: the document must be accepted.
func (r Reader) Accepts(t *testing.T, c Case) {
	if _, err := r.action(t, c); err != nil {
		t.Error(err)
	}
}

// Refuses handles negative tests: the document must be refused as [SyntaxError] asks.
func (r Reader) Refuses(t *testing.T, c Case) {
	_, err := r.action(t, c)
	_ = SyntaxError(t, err) // what it asks is all there is to ask
}

// Evaluates handles evaluation tests: the document must say what the result says, which
// is N-Triples or N-Quads.
func (r Reader) Evaluates(t *testing.T, c Case) {
	got, err := r.action(t, c)
	if err != nil {
		t.Fatal(err)
	}
	want, err := nquads.Parse(ReadFile(t, c.Result), nquads.Options{File: c.Result})
	if err != nil {
		t.Fatal(err)
	}
	if !Isomorphic(got, want) {
		t.Errorf("got\n%swant\n%s", nquads.Append(nil, got), nquads.Append(nil, want))
	}
}

func (r Reader) action(t *testing.T, c Case) (*rdf.Dataset, error) {
	return r(ReadFile(t, c.Action), c.Base, c.Action)
}

// Truncated applies [Truncate] to every document of a suite, except those that must be
// refused anyway. t fails unless the suite has want cases.
func (r Reader) Truncated(t *testing.T, name string, want int) {
	t.Helper()
	for _, c := range Cases(t, name, "manifest.ttl", want) {
		if strings.Contains(c.Type, "Negative") {
			continue
		}
		t.Run(filepath.Base(c.Action), func(t *testing.T) {
			t.Parallel()
			Truncate(t, ReadFile(t, c.Action), func(data []byte) (*rdf.Dataset, error) { return r(data, c.Base, "") })
		})
	}
}

// SyntaxError returns the [rdf.SyntaxError] that err wraps. t fails when it wraps none,
// or one that does not say what is wrong and where.
func SyntaxError(t testing.TB, err error) *rdf.SyntaxError {
	t.Helper()
	var e *rdf.SyntaxError
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want a syntax error", err)
	}
	if e.Code == "" || e.Place.IsZero() || e.Expected == "" {
		t.Fatalf("a syntax error without a code, a place or a text: %+v", e)
	}
	return e
}
