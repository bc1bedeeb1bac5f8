// Package rdf2go converts the graphs of github.com/deiu/rdf2go to and from
// datasets of package rdf.
//
// What package rdf does not allow is refused and never repaired. A graph of
// rdf2go holds triples alone, and keeps a triple as often as it was added; a
// dataset holds it once.
//
// The readers of rdf2go never return from some malformed documents and stop the
// process at others. Read with package turtle what comes from someone else.
package rdf2go
