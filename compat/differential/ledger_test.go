package differential_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

// document is a text, and what our reader makes of it: a dataset or an error.
type document struct {
	name string
	text string
	base string
	ours *rdf.Dataset
	err  error
}

// refusedFor returns the code of the error that our reader refuses a document
// for, "" if it does not.
func (d document) refusedFor() rdf.Code {
	var e *rdf.SyntaxError
	if errors.As(d.err, &e) {
		return e.Code
	}
	return ""
}

// fault is a known fault of another implementation.
type fault struct {
	cause string
	holds func(document) bool // whether a document holds what the fault is about
	// random says that no document of the suites shows it, but random ones do.
	random bool
}

// ledger counts which faults excused a difference.
type ledger struct {
	faults []fault
	mu     sync.Mutex
	used   map[string]int
	equal  int
}

func newLedger(faults []fault) *ledger { return &ledger{faults: faults, used: map[string]int{}} }

// compare compares what another implementation makes of a document.
func (l *ledger) compare(t *testing.T, doc document, theirs *rdf.Dataset, err error) {
	t.Helper()
	if doc.err != nil && err != nil || doc.err == nil && err == nil && suite.Isomorphic(doc.ours, theirs) {
		l.mu.Lock()
		l.equal++
		l.mu.Unlock()
		return
	}
	if l.excuse(doc) {
		return
	}
	t.Errorf("%s\n%s\nours: %v\n%stheirs: %v\n%s", doc.name, doc.text, doc.err, quadsOf(doc.ours), err, quadsOf(theirs))
}

// excuse finds a fault that accounts for a difference.
func (l *ledger) excuse(doc document) bool {
	for _, f := range l.faults {
		if f.holds(doc) {
			l.mu.Lock()
			l.used[f.cause]++
			l.mu.Unlock()
			return true
		}
	}
	return false
}

// close fails for faults that excused nothing, of those that the documents of
// the suites, or random ones, show.
func (l *ledger) close(t *testing.T, random bool) {
	t.Helper()
	t.Log("equal:", l.equal, "excused:", l.used)
	for _, f := range l.faults {
		if f.random == random {
			assert.NotZero(t, l.used[f.cause], "a fault that no document shows: %s", f.cause)
		}
	}
}

func quadsOf(d *rdf.Dataset) string {
	if d == nil {
		return ""
	}
	return string(nquads.Append(nil, d))
}
