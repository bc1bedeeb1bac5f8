// Package rdf holds the RDF 1.1 data model: terms, quads, and an interned,
// indexed dataset (RDF 1.1 Concepts and Abstract Syntax, W3C 2014).
//
// A [Term] is a small comparable value for the edges of a program. Inside, a
// [Builder] interns every term once and names it by an [ID]; the [Dataset] it
// makes is immutable, sorted by subject, predicate and object, and safe for
// concurrent use. Canonicalization and validation work on IDs and never touch
// a string.
//
// The Builder is the one gate into a dataset, for readers and for programs: it
// enforces [Limits], refuses generalized RDF (literal subjects, blank node
// predicates), IRIs that are not absolute or hold characters that no syntax
// can write, text that is not UTF-8, and malformed language tags. Nothing is
// repaired: lexical forms, IRIs and language tags are kept byte for byte, and
// "x"@en and "x"@EN are two terms.
//
// RDF 1.2 (triple terms, base directions) is left out.
package rdf
