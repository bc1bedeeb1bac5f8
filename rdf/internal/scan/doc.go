// Package scan holds what the readers of the line-based and of the terse RDF
// syntaxes share: classes of bytes, places, numeric escapes, the words of
// messages, and reading within a limit. It follows the terminals of Turtle 1.1,
// section 6.5, which N-Triples, N-Quads and TriG take over.
//
// Its input is hostile: offsets are checked, nothing recurses, and the cost of
// a message does not grow with what it shows.
package scan
