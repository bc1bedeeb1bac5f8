// Package cli is the command line of rdfproto: one file a command, and what
// all of them share. Its contract is what scripts rely on:
//
// Standard output carries the result and nothing else; with status 2 or 3
// about a command's only input it stays empty. Diagnostics go to standard
// error, one a line, as "rdfproto: error: FILE:LINE:COL: text [code]". The exit
// status is a [Status]. Whatever came from an input is shown with its control
// characters and marks of direction made visible, so that no document can
// write to the terminal.
//
// Nothing here uses the network.
package cli
