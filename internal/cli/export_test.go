package cli

import "github.com/rdfproto/rdfproto/shacl"

// FailOn returns the exit status of a validation with --fail-on for a report.
func FailOn(severity string, r *shacl.Report) Status {
	return (&validation{failOn: severity}).verdict(r).Status
}

// Limits is what --limit sets, for tests that go through its fields.
type Limits = limits

// LimitValues returns what every limit of the table reads, by its name.
func LimitValues(l *Limits) map[string]int64 {
	all := map[string]int64{}
	for _, limit := range limitTable() {
		all[limit.name] = limit.get(l)
	}
	return all
}

// LibraryFields returns the fields and constants that no flag sets.
func LibraryFields() []string {
	var all []string
	for _, l := range libraryLimits() {
		all = append(all, l.field)
	}
	return all
}
