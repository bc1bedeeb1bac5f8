// Package nquads reads and writes RDF 1.1 N-Triples and RDF 1.1 N-Quads (W3C
// Recommendations, 2014).
//
// The readers hold to the grammar and repair nothing. Where the
// recommendations are silent or contradict their test suite:
//
//   - A blank node label has no ":": the suites refuse it, and Turtle's grammar,
//     which these syntaxes follow, has none.
//   - An escape that names a surrogate is refused, also as half of a pair.
//   - A byte order mark is accepted at the start of a document and changes
//     nothing.
//   - U+0000 in a literal is data, as the suites have it.
//
// Input may be hostile: everything is bounded by [rdf.Limits], and reading uses
// no stack that grows with it.
package nquads
