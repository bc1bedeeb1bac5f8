// Package compat is the root of a module of its own: what other RDF libraries
// are needed for. The main module requires none of them.
//
//   - knakk and rdf2go convert the graphs of github.com/knakk/rdf and
//     github.com/deiu/rdf2go to and from package rdf, for agents that hold their
//     data in them.
//   - differential holds tests alone: it compares the readers and the canonical
//     form of the main module with those of other implementations.
//
// Two of the modules that rdf2go requires carry no licence. Whoever ships a
// program with this package's rdf2go should know.
package compat
