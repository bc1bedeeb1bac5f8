package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rdfproto/rdfproto/internal/earl"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// ReportVariable is the environment variable that names a folder for EARL reports.
const ReportVariable = "RDFPROTO_EARL"

// Report keeps what the cases of a suite came to, for an EARL report.
type Report struct {
	dir, name string

	mu  sync.Mutex
	all []earl.Assertion
}

// NewReport returns a report that is written as NAME.ttl when t and its subtests have
// ended, in the folder that the environment variable RDFPROTO_EARL names. Without the
// variable nothing is kept.
func NewReport(t *testing.T, name string) *Report {
	t.Helper()
	r := &Report{dir: os.Getenv(ReportVariable), name: name}
	if r.dir == "" {
		return r
	}
	t.Cleanup(func() {
		if err := r.write(); err != nil {
			t.Errorf("EARL report of suite %s: %v", name, err)
		}
	})
	return r
}

// Case keeps the outcome of the case of an identifier when its test t has ended.
func (r *Report) Case(t *testing.T, id string) {
	t.Helper()
	if r.dir == "" {
		return
	}
	iri := testIRI(r.name, id)
	if iri == "" {
		t.Fatalf("how the cases of suite %s are named is not known", r.name)
	}
	t.Cleanup(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.all = append(r.all, earl.Assertion{Test: iri, Passed: !t.Failed() && !t.Skipped()})
	})
}

// Run is [Run], and keeps the outcome of every case.
func (r *Report) Run(t *testing.T, cases []Case, handlers map[string]func(*testing.T, Case)) {
	t.Helper()
	kept := map[string]func(*testing.T, Case){}
	for kind, handler := range handlers {
		kept[kind] = func(t *testing.T, c Case) {
			r.Case(t, c.ID)
			handler(t, c)
		}
	}
	Run(t, cases, kept)
}

// testIRI returns the IRI by which the publishers of a suite name a case, "" for a suite
// that is not known here.
func testIRI(suite, id string) string {
	switch suite {
	case "shacl":
		return "urn:x-shacl-test:/" + strings.TrimPrefix(id, "tests/")
	case "rdf-canon":
		return "https://w3c.github.io/rdf-canon/tests/manifest#" + id
	case "jsonld11-tordf":
		return "https://w3c.github.io/json-ld-api/tests/toRdf-manifest#" + id
	case "jsonld11-expand":
		return "https://w3c.github.io/json-ld-api/tests/expand-manifest#" + id
	}
	if syntax, ok := strings.CutPrefix(suite, "rdf11-"); ok {
		return "https://w3c.github.io/rdf-tests/rdf/rdf11/rdf-" + syntax + "/manifest.ttl#" + id
	}
	return ""
}

// write writes the report as Turtle, the cases sorted by IRI. It fails when one stands
// twice.
func (r *Report) write() error {
	slices.SortFunc(r.all, func(a, b earl.Assertion) int { return strings.Compare(a.Test, b.Test) })
	for i := 1; i < len(r.all); i++ {
		if r.all[i].Test == r.all[i-1].Test {
			return fmt.Errorf("<%s> stands twice", r.all[i].Test)
		}
	}
	d, err := earl.Dataset(r.all, earl.Software)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(r.dir, r.name+".ttl"))
	if err != nil {
		return err
	}
	err = turtle.Write(f, d, turtle.WriteOptions{Prefixes: []turtle.Prefix{{Name: "earl", IRI: vocab.EARL}}})
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}
