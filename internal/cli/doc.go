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
//
// # Commands
//
// A command reads its documents by the flags of addInputFlags, and any other file
// by bytes of input, which holds to the limit, knows "-" and can be interrupted. It
// returns an error, or ended once its diagnostics are written. An error of a package
// that reads or judges becomes a line with its code and status 3 as it is, wrapped in
// inFile where it does not name the file. usageError is for a wrong call, failure for
// what the command itself finds in an input; its code is one of codes.go. Any other
// error is a failure of the call: status 2.
//
// testdata/script has a script for each command; TestHelpExamples runs the examples of
// its help, and makes the files that they name.
package cli
