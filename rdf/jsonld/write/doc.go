// Package write writes RDF datasets as JSON-LD 1.1: serialization of RDF and
// compaction of the JSON-LD 1.1 Processing Algorithms and API (sections 7.4 and
// 5.6), both by a library, github.com/piprate/json-gold.
//
// Nothing is written that does not say what the dataset says: every text is read
// again by package jsonld, without loss, and its canonical hash compared. What
// the library would write wrong is an error, and no text. So is what JSON-LD does
// not allow and Turtle does: an IRI with two "#", a language tag with a part of more
// than eight characters.
//
// Nothing is ever fetched: a context must be given in full.
//
// Reading JSON-LD is package jsonld, which links neither the library nor HTTP.
package write
