// Package vectors runs folders of conformance cases (command line contract,
// "vectors"): a manifest.json that lists cases, and for each case a folder with a
// case.json of an operation, its input and what is expected of it. [Operations] is
// the table of what is known; the README of testdata/vectors defines each. An
// unknown operation, a missing file, a case that is not listed and an empty folder
// are failures.
package vectors
