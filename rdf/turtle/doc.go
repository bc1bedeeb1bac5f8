// Package turtle reads and writes RDF 1.1 Turtle and RDF 1.1 TriG (W3C
// Recommendations, 2014).
//
// The readers hold to the grammar and repair nothing. Where the
// recommendations are silent or leave a choice:
//
//   - A relative IRI reference is resolved by RFC 3986 against @base, BASE or
//     [Options].Base, and refused when there is none: a document has no base of
//     its own accord.
//   - An escape that names a surrogate is refused, also as half of a pair.
//   - A keyword ("a", true, false, GRAPH and the like) that a letter, a digit or
//     "_" follows directly is refused.
//   - Comments are white space, so "[ # comment" and "]" on the next line make
//     an anonymous blank node.
//   - A byte order mark is accepted at the start of a document and changes
//     nothing. Elsewhere U+FEFF is a character like others that names, IRIs and
//     literals may hold, and is no white space.
//   - CR LF, CR and LF end lines for places and comments. Within a long literal
//     they are data: a document that was checked out with other line ends says
//     something else there, and has another hash.
//   - U+0000 in a literal is data, as the suites have it.
//
// Input may be hostile: everything is bounded by [rdf.Limits], and reading and
// writing use no stack that grows with their input.
package turtle
