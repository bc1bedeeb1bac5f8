// Package reference makes the pages of docs that are made from the code, and its tests
// hold the other pages to it: every test that a page names exists, every identifier of a
// requirement that a comment cites is explained, every number of a table of conformance
// is one that a test counts, and every command of the tutorial and the README is run.
package reference
