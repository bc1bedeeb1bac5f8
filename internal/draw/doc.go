// Package draw draws small directed graphs, as chains of authority and lineages are:
// in the DOT language of Graphviz, and as SVG with its texts as text.
//
// The caller says in which row and column a node stands; this package only places
// boxes, arrows and labels so that they do not overlap.
//
// Texts may come from outside: they are escaped, and shortened to the space that there
// is.
package draw
