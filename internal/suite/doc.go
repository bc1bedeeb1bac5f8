// Package suite finds and runs the public conformance suites inside go test.
//
// The suites are data that this module does not carry. The environment variable
// RDFPROTO_SUITES names their folder; without it ../shared/suites from the
// module's root is used when it is there. Where there is none, a test that asks
// for a suite is skipped with a message that says so.
//
// A suite that yields another number of cases than the caller recorded, a
// missing file, and a test type that nobody handles are failures: a suite must
// not pass because it was not read.
package suite
