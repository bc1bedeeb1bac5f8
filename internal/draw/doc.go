// Package draw draws small directed graphs, as chains of authority and lineages are:
// in the DOT language of Graphviz, and as SVG with its texts as text.
//
// Who draws says in which row and column a node stands; nothing is laid out here but
// boxes, arrows and labels that do not overlap.
//
// Texts may come from outside: they are escaped, and cut to the room that there is.
package draw
