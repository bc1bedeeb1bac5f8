package owg

import (
	"fmt"
	"slices"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// Report is the result of [Workflow.Validate]. The zero Report is not valid.
type Report struct {
	// Findings are errors, warnings and notes, in the order of the rules; at most
	// 1000 of each severity are kept.
	Findings []Finding
	// Errors, Warnings and Notes count all of them.
	Errors, Warnings, Notes int

	judged bool
}

// Valid reports whether there was a check and it found no error.
func (r *Report) Valid() bool { return r != nil && r.judged && r.Errors == 0 }

// First returns the first finding of a severity, nil when there is none.
func (r *Report) First(s Severity) *Finding {
	for i := range r.Findings {
		if r.Findings[i].Severity == s {
			return &r.Findings[i]
		}
	}
	return nil
}

// findings collects findings of one document.
type findings struct {
	report  *Report
	locator *strictjson.Locator
	root    strictjson.Value
	scopes  scopeRoom
}

// scopeRoom counts the bytes of the scopes that findings list. A scope can be as long as
// the workflow, and be in excess of a thousand others: what does not fit is left to the
// text of the finding, which shortens and counts.
type scopeRoom int

// list returns scopes for a finding to list, sorted, nil when there is no more room.
func (r *scopeRoom) list(all []string) []string {
	const most = 1 << 20 // people write some dozens of twenty bytes
	for _, s := range all {
		*r += scopeRoom(len(s)) + 3
	}
	if *r > most {
		return nil
	}
	return slices.Sorted(slices.Values(all))
}

// mostFindings is how many findings of a severity are kept; nobody reads more.
const mostFindings = 1000

func (f *findings) counter(s Severity) *int {
	return [...]*int{&f.report.Errors, &f.report.Warnings, &f.report.Notes}[s]
}

// room reports whether a finding of a severity would be kept. One that would not is counted,
// and needs no text: there can be millions.
func (f *findings) room(s Severity) bool {
	counter := f.counter(s)
	if *counter < mostFindings {
		return true
	}
	*counter++
	return false
}

func (f *findings) add(s Severity, mark string, code Code, at strictjson.Value, format string, args ...any) *Finding {
	if !f.room(s) {
		return &Finding{}
	}
	*f.counter(s)++
	if f.locator == nil {
		f.locator = f.root.Locator()
	}
	out := Finding{Code: code, Severity: s, Path: at.Pointer(), Text: fmt.Sprintf(format, args...), Mark: mark}
	out.Line, out.Column = f.locator.Place(at.Offset())
	f.report.Findings = append(f.report.Findings, out)
	return &f.report.Findings[len(f.report.Findings)-1]
}
